"""Clustering guided by a little knowledge: links, classes, and answers to a few questions.

Estimators follow the conventions of scikit-learn::

    >>> import pykindred
    >>> pykindred.KMeans(n_clusters=3).fit_predict(X)
    >>> pykindred.MPCKMeans(n_clusters=3).fit(X, same=[(0, 7)], different=[(0, 42)])
    >>> pykindred.Kin(oracle=lambda a, b: y[a] == y[b], budget=50).fit(X)

The work is done by the executable of kindred, which comes with the package.
"""

from __future__ import annotations

import importlib.metadata

from . import _estimators
from ._ask import ask
from ._errors import InputError, KindredError, WorkerError
from ._estimators import *  # noqa: F403
from ._plots import Picture
from .session import Question, Session

try:
    __version__ = importlib.metadata.version("pykindred")
except importlib.metadata.PackageNotFoundError:  # from a checkout
    __version__ = "0+unknown"

__all__ = [
    "InputError", "KindredError", "Picture", "Question", "Session", "WorkerError", "ask",
]  # fmt: skip
__all__ += _estimators.__all__
