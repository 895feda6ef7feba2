"""On-line methods: rows that keep coming."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from . import _data
from ._data import Array, Data, Pairs
from ._worker import call

if TYPE_CHECKING:
    from typing_extensions import Self

    from ._base import Clusterer

    Host = Clusterer
else:
    Host = object


class OnlineMixin(Host):
    """A mixin: learning from one block of rows after another."""

    n_samples_seen_: int
    _state: Array

    def partial_fit(
        self,
        X: Data,
        y: object = None,
        *,
        same: Pairs | None = None,
        different: Pairs | None = None,
        unknown: Pairs | None = None,
    ) -> Self:
        """Labels the rows of X and learns from each of them.

        The first block settles where prototypes start, so that it should have several rows of
        each cluster. Rows are numbered from 0 over all blocks; the latest 10 000 can be linked.

        Parameters
        ----------
        X : array of shape (n_samples, n_features)
            The next rows.
        y : ignored
        same, different, unknown : array-like of shape (n_links, 2), optional
            Links among all rows so far, by their numbers, learnt after these rows; unknown
            takes a link back. Only CRPCL and OLCVQE learn from them.

        Returns
        -------
        self
            With `labels_` and `distances_` of the rows of X, and `n_samples_seen_`.
        """
        raise NotImplementedError
