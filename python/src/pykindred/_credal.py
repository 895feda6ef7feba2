"""Credal partitions: masses on sets of clusters, and the views that sum them up."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ._sklearn import NotFittedError

if TYPE_CHECKING:
    from ._base import Clusterer
    from ._data import Data

    Host = Clusterer
else:
    Host = object

Floats = npt.NDArray[np.floating[Any]]
Bools = npt.NDArray[np.bool_]


class CredalResult(Host):
    """A mixin: the masses that fit found, and their views.

    The definitions are those of Denœux, Sriboonchitta and Kanjanatarakul, Knowledge-Based Systems
    106 (2016), section 2.
    """

    certainty_: npt.NDArray[np.float32]
    _mass: Floats
    _focal: Bools  # n_sets × n_clusters: the members of each focal set

    def _fitted(self, name: str) -> tuple[Floats, Bools]:
        if not hasattr(self, "_mass"):
            raise NotFittedError(
                f"This {type(self).__name__} instance has no {name}: call fit first."
            )
        return self._mass, self._focal

    def _want(self) -> list[str]:
        return [*super()._want(), "certainty"]

    def predict_mass(self, X: Data) -> Floats:
        """Returns the masses of the rows of X on the sets of `focal_sets_`.

        The shape is (n_samples, n_sets). EVCLUS, KEVCLUS, ECM, CECM, CCM and HDBSCAN place rows by
        masses, GaussianMixture, SSNB and FCM by degrees; others find the cluster alone, and it is
        a ValueError. Rows of the fit get the masses of the fit by ECM and CCM, and those without
        links by CECM.
        """
        mass = self._place(X).get("mass")
        if mass is None:
            raise ValueError(
                f"{type(self).__name__} places new rows in clusters, without masses: use predict")
        return mass

    @property
    def mass_(self) -> Floats:
        """Masses, of shape (n_samples, n_sets): each row is 0 or more and adds up to 1."""
        return self._fitted("mass_")[0]

    @property
    def focal_sets_(self) -> tuple[frozenset[int], ...]:
        """The sets of clusters, from 0, in the order of the columns of `mass_`.

        The empty set is that of outliers, the set of all clusters that of ignorance.
        """
        focal = self._fitted("focal_sets_")[1]
        return tuple(frozenset(np.flatnonzero(row).tolist()) for row in focal)

    @property
    def plausibility_(self) -> Floats:
        """Pl of each cluster, of shape (n_samples, n_clusters): the mass of sets that have it."""
        mass, focal = self._fitted("plausibility_")
        found: Floats = mass @ focal.astype(mass.dtype)
        return found

    @property
    def belief_(self) -> Floats:
        """Bel of each cluster, of shape (n_samples, n_clusters): the mass of the cluster alone."""
        mass, focal = self._fitted("belief_")
        return _beliefs(mass, focal)

    @property
    def pignistic_(self) -> Floats:
        """BetP of each cluster, of shape (n_samples, n_clusters): each mass in equal shares.

        It is after Dempster's normalisation, and 1/n_clusters where all mass is on the empty set.
        """
        mass, focal = self._fitted("pignistic_")
        part = mass @ (focal / np.maximum(1, focal.sum(axis=1, keepdims=True))).astype(mass.dtype)
        total = part.sum(axis=1, keepdims=True)
        share = np.full_like(part, 1 / max(1, focal.shape[1]))
        found: Floats = np.divide(part, total, out=share, where=total > 0)
        return found

    @property
    def upper_(self) -> Bools:
        """Upper approximations, of shape (n_samples, n_clusters): what may belong to a cluster.

        A row may belong to the clusters whose plausibility no other cluster's belief exceeds
        (interval dominance, eq. 7).
        """
        mass, focal = self._fitted("upper_")
        most = _beliefs(mass, focal).max(axis=1, keepdims=True)
        undominated: Bools = most <= mass @ focal.astype(mass.dtype)
        return undominated

    @property
    def lower_(self) -> Bools:
        """Lower approximations, of shape (n_samples, n_clusters): what surely belongs to a cluster.

        A row is in that of one cluster where its upper approximations are of this one alone, and
        it is no outlier.
        """
        upper = self.upper_
        sure = (upper.sum(axis=1) == 1) & ~self.outlier_
        lower: Bools = upper & sure[:, np.newaxis]
        return lower

    @property
    def outlier_(self) -> Bools:
        """Outliers, of shape (n_samples,): rows whose mass on the empty set exceeds every other."""
        mass, focal = self._fitted("outlier_")
        empty = ~focal.any(axis=1)
        if not empty.any():
            return np.zeros(len(mass), dtype=np.bool_)
        others = mass[:, ~empty].max(axis=1, initial=-1.0)
        found: Bools = mass[:, empty][:, 0] > others
        return found

    @property
    def nonspecificity_(self) -> Floats:
        """N(m) of each row in bits, of shape (n_samples,), from 0 to log2 n_clusters."""
        mass, focal = self._fitted("nonspecificity_")
        size = focal.sum(axis=1)
        unknown = np.log2(np.where(size == 0, max(1, focal.shape[1]), np.maximum(1, size)))
        found: Floats = mass @ unknown.astype(mass.dtype)
        return found


class FuzzyResult(CredalResult):
    """A mixin: the degree to which rows belong to each cluster, of new rows, too."""

    def predict_proba(self, X: Data) -> Floats:
        """Returns to what degree each row of X belongs to each cluster.

        The shape is (n_samples, n_clusters), and a row adds up to 1. These are probabilities of
        GaussianMixture and SSNB, and fuzzy memberships of FCM. `predict` returns the cluster of
        the greatest. Rows that ``missing="drop"`` leaves out have zeros.
        """
        degrees: Floats = self._place(X, ["degrees"])["degrees"]
        return degrees

    def predict_mass(self, X: Data) -> Floats:
        """Returns the masses of the rows of X on the sets of `focal_sets_`.

        The shape is (n_samples, n_sets). The mass of a cluster is the degree that `predict_proba`
        returns; other sets have none.
        """
        focal = self._fitted("focal_sets_")[1]
        degrees = self.predict_proba(X)
        single = focal & (focal.sum(axis=1, keepdims=True) == 1)
        found: Floats = degrees @ single.T.astype(degrees.dtype)
        return found


def _beliefs(mass: Floats, focal: Bools) -> Floats:
    single = focal & (focal.sum(axis=1, keepdims=True) == 1)
    found: Floats = mass @ single.astype(mass.dtype)
    return found
