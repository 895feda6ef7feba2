"""Typical uses, which mypy --strict and pyright accept, and which run."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pykindred
from pykindred import DBSCAN, EVCLUS, HDBSCAN, AgglomerativeClustering, Kin, KMeans, MPCKMeans

rng = np.random.default_rng(0)
X: npt.NDArray[np.float64] = np.repeat(np.eye(3) * 9, 30, axis=0) + rng.normal(size=(90, 3))
y: npt.NDArray[np.int64] = np.repeat([0, 1, 2], 30)

labels: npt.NDArray[np.int32] = KMeans(3, random_state=0, n_jobs=2).fit_predict(X)
centers = KMeans(n_clusters=3).fit(X.astype(np.float32)).cluster_centers_
assert centers.shape == (3, 3)

links = MPCKMeans(3).fit(X, same=[(0, 1)], different=[(0, 30), (0, 60)], labels=None)
assert links.predict(X[:5]).shape == (5,)


def oracle(a: int, b: int) -> bool | None:
    return bool(y[a] == y[b]) if a != 7 else None


kin = Kin(oracle=oracle, budget=10).fit(X)
assert kin.asked_.shape[1] == 3 and kin.certainty_[0] >= 0
assert Kin(oracle=lambda a, b: y[a] == y[b], budget=3).fit(X).n_clusters_ > 1
assert Kin(oracle=y, budget=3).fit(X).get_params()["budget"] == 3

credal = EVCLUS(n_clusters=3, d0="quantile:0.9").fit(X)
sets: tuple[frozenset[int], ...] = credal.focal_sets_
outliers: npt.NDArray[np.bool_] = credal.outlier_
assert credal.mass_.shape == (90, len(sets)) and outliers.shape == (90,)

tree = AgglomerativeClustering(n_clusters=None, distance_threshold=20.0, linkage="average").fit(X)
assert tree.children_.shape == (89, 2) and tree.distances_[0] > 0

far = np.abs(X[:, None] - X).sum(axis=2)
assert DBSCAN(eps=4.0, metric="precomputed").fit(far).labels_.max() >= 0
assert HDBSCAN(min_cluster_size=5, metric="manhattan").fit(X).probabilities_.min() >= 0

stream = pykindred.OLCVQE(3)
for block in np.array_split(X[rng.permutation(90)], 3):
    stream = stream.partial_fit(block)
picture: pykindred.Picture = links.plot("silhouette", X=X)
svg: str = picture.svg()
try:
    KMeans(3).fit(X * np.nan)
except ValueError as err:
    text: str = str(err)
