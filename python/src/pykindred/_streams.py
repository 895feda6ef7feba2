"""On-line methods: rows that keep coming."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from . import _data
from ._data import Array, Data, Pairs, Rows

if TYPE_CHECKING:
    from typing_extensions import Self

    from ._base import Clusterer

    Host = Clusterer
else:
    Host = object


class OnlineMixin(Host):
    """A mixin: learning from one block of rows after another."""

    n_samples_seen_: int
    active_: npt.NDArray[np.bool_]
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
            With `labels_` and `distances_` of the rows of X, `cluster_centers_`, which of these
            are still `active_`, and `n_samples_seen_`. Clusters keep their numbers.
        """
        rows = self._read(X, reset=not hasattr(self, "_state"))
        if rows.array is None:
            raise ValueError("partial_fit takes rows of numbers: encode other columns before")
        if self.scale not in (None, "none"):
            raise ValueError(
                f"scale={self.scale!r}: partial_fit does not know the rows to come; scale before"
            )
        seen = getattr(self, "n_samples_seen_", 0)
        given: dict[str, Array] = {}
        for name, of in (("same", same), ("different", different), ("unknown", unknown)):
            found = _data.pairs(of, seen + rows.n, name)
            if found is not None:
                given[name] = found
        if hasattr(self, "_state"):
            given["state"] = self._state
        self._fitted_params = self._params(rows)
        ok, arrays = self._request("stream", rows, self._fitted_params, given, {})
        self._state = arrays["state"]
        self.labels_ = arrays["labels"] - np.int32(1)
        self.distances_ = arrays["distance"]
        self.cluster_centers_ = arrays["means"]
        self.n_clusters_ = int(ok["clusters"])
        self.n_samples_seen_ = int(ok["rows"])
        self.active_ = arrays["active"].astype(np.bool_)
        self._set("_model", arrays.get("model"))
        for name in ("_result", "n_iter_", "inertia_", "objective_", "details_", "certainty_",
                     "asked_", "known_classes_"):  # of fit; fmt: skip
            self._set(name, None)
        self.notes_, self.stopped_ = [], ""
        self._known, self._labelled = {}, True
        self._library, self._index = rows.library, rows.index
        return self

    def _take(self, rows: Rows, ok: Mapping[str, Any], arrays: Mapping[str, Array]) -> None:
        super()._take(rows, ok, arrays)
        for name in ("_state", "n_samples_seen_", "active_"):  # of partial_fit
            self._set(name, None)
