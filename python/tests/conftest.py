"""Estimators for the tests, as small as they can be to say something."""

from __future__ import annotations

import signal
from typing import Any

import numpy as np
import pykindred
from pykindred._base import Clusterer

# What a shell runs in the background ignores Ctrl-C, which tests send.
signal.signal(signal.SIGINT, signal.default_int_handler)

# What estimators need besides the defaults: a number of clusters, or fewer sets of them.
NEEDED: dict[str, dict[str, Any]] = {
    "CECM": {"n_clusters": 3},
    "CEVCLUS": {"n_clusters": 2, "max_iter": 50},
    "ConstrainedKMeans": {"n_clusters": 3},
    "EVCLUS": {"n_clusters": 3},
    "KEVCLUS": {"n_clusters": 3},
    "MECM": {"n_clusters": 3},
    "SSNB": {"n_clusters": 3},
    "SeededKMeans": {"n_clusters": 3},
}


def taught(of: type[Any]) -> type[Any]:
    """Returns an estimator that knows the class of two rows, for one that needs to."""

    def fit(self: Any, X: Any, y: Any = None) -> Any:
        labels = np.full(np.shape(X)[0] if np.ndim(X) else 0, -1)
        labels[:2] = [0, 1][: len(labels)]
        return of.fit(self, X, labels=labels)

    return type(of.__name__, (of,), {"fit": fit, "__init__": of.__init__, "__module__": __name__})


SSDBSCAN = taught(pykindred.SSDBSCAN)
MDBSCAN = taught(pykindred.MDBSCAN)


def classes() -> list[type[Clusterer]]:
    """Returns all estimators."""
    found = [getattr(pykindred, name) for name in pykindred.__all__]
    return [of for of in found if isinstance(of, type) and issubclass(of, Clusterer)]


def estimators() -> list[Any]:
    """Returns an estimator of each kind."""
    return [
        {"SSDBSCAN": SSDBSCAN, "MDBSCAN": MDBSCAN}.get(of.__name__, of)(
            **NEEDED.get(of.__name__, {})
        )
        for of in classes()
    ]
