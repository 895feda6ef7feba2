"""The same partitions as scikit-learn where both are deterministic, and no worse ones elsewhere."""

from __future__ import annotations

import gzip
import os
import pathlib
from collections.abc import Iterator
from typing import Any

import numpy as np
import pykindred
import pytest
import sklearn.cluster as peers
from numpy.typing import NDArray
from sklearn.datasets import load_digits, load_iris, load_wine, make_blobs, make_moons
from sklearn.metrics import adjusted_rand_score, pairwise_distances
from sklearn.mixture import GaussianMixture
from threadpoolctl import threadpool_limits

Floats = NDArray[np.float64]

# Sets of KINDRED_DATASETS: file of rows of numbers, the class in the last column.
PUBLISHED = ["ecoli.csv", "glass.csv", "ionosphere.csv", "breast_cancer_wisconsin_683.csv"]


def random_sets() -> Iterator[tuple[str, Floats, NDArray[Any]]]:
    rng = np.random.default_rng(7)
    for i in range(4):
        X, y = make_blobs(300, 2 + i, centers=4, cluster_std=rng.uniform(0.5, 2), random_state=i)
        yield f"blobs{i}", X, y
    yield "moons", *make_moons(400, noise=0.06, random_state=3)
    yield "noise", rng.uniform(size=(250, 3)), np.zeros(250, int)


def sample_sets() -> Iterator[tuple[str, Floats, NDArray[Any]]]:
    for name, load in (("iris", load_iris), ("wine", load_wine), ("digits", load_digits)):
        X, y = load(return_X_y=True)
        yield name, X[:600].astype(float), y[:600]


def published_sets() -> Iterator[tuple[str, Floats, NDArray[Any]]]:
    folder = os.environ.get("KINDRED_DATASETS")
    for name in PUBLISHED if folder else []:
        path = pathlib.Path(str(folder)) / name
        if path.exists():
            yield name, *numbers(path)


def numbers(path: pathlib.Path) -> tuple[Floats, NDArray[Any]]:
    with (gzip.open if path.suffix == ".gz" else open)(path, "rt") as f:
        head, *lines = [line.strip().split(",") for line in f]
    table = np.array(lines, dtype=object)
    columns = []
    for values in table.T[:-1]:
        try:
            columns.append(values.astype(float))
        except ValueError:
            continue  # a name
    del head
    return np.column_stack(columns), np.unique(table[:, -1].astype(str), return_inverse=True)[1]


SETS = [*random_sets(), *sample_sets(), *published_sets()]
each_set = pytest.mark.parametrize(
    ("X", "y"), [(X, y) for _, X, y in SETS], ids=[name for name, _, _ in SETS]
)


def same_partition(a: NDArray[Any], b: NDArray[Any]) -> bool:
    """Reports whether two partitions are the same, noise included."""
    return bool(
        np.array_equal(a == -1, b == -1)
        and len({*zip(a.tolist(), b.tolist())}) == len(np.unique(a)) == len(np.unique(b))
    )


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    """Keeps the threads of scikit-learn from waiting for each other on a loaded machine."""
    with threadpool_limits(1):
        yield


@each_set
@pytest.mark.parametrize("share", [0.02, 0.1, 0.25])
@pytest.mark.parametrize("metric", ["euclidean", "manhattan", "precomputed"])
def test_dbscan(X: Floats, y: NDArray[Any], share: float, metric: str) -> None:
    far = pairwise_distances(X, metric="euclidean" if metric == "precomputed" else metric)
    eps = float(np.quantile(far, share)) + 1e-9
    given = far if metric == "precomputed" else X
    theirs = peers.DBSCAN(eps=eps, min_samples=6, metric=metric).fit(given)
    ours = pykindred.DBSCAN(eps=eps, min_samples=6, metric=metric).fit_predict(given)
    core = np.zeros(len(X), bool)
    core[theirs.core_sample_indices_] = True
    np.testing.assert_array_equal(ours == -1, theirs.labels_ == -1)
    if core.any():
        assert same_partition(ours[core], theirs.labels_[core])
    # A border row is of a cluster with a core row in reach: of the nearest here, of any there.
    for i in np.flatnonzero(~core & (ours >= 0)):
        near = core & (far[i] <= eps)
        assert ours[i] in ours[near]
        if len(np.unique(ours[near])) == 1:
            assert theirs.labels_[i] == theirs.labels_[near][0]


@each_set
@pytest.mark.parametrize("linkage", ["ward", "complete", "average", "single"])
@pytest.mark.parametrize("k", [2, 5])
def test_agglomerative(X: Floats, y: NDArray[Any], linkage: Any, k: int) -> None:
    # ties are broken differently, and distances are compared in float32
    X = X + np.random.default_rng(1).normal(scale=1e-2 * X.std(), size=X.shape)
    theirs = peers.AgglomerativeClustering(n_clusters=k, linkage=linkage, compute_distances=True)
    ours = pykindred.AgglomerativeClustering(n_clusters=k, linkage=linkage).fit(X)
    assert same_partition(ours.labels_, theirs.fit_predict(X))
    np.testing.assert_allclose(np.sort(ours.distances_), np.sort(theirs.distances_), rtol=1e-5)
    assert ours.children_.shape == theirs.children_.shape


@pytest.mark.parametrize("linkage", ["complete", "average", "single"])
def test_agglomerative_of_dissimilarities(linkage: Any) -> None:
    X, _ = make_blobs(200, 5, centers=6, cluster_std=2, random_state=4)
    far = pairwise_distances(X, metric="manhattan")
    theirs = peers.AgglomerativeClustering(n_clusters=6, linkage=linkage, metric="precomputed")
    ours = pykindred.AgglomerativeClustering(n_clusters=6, linkage=linkage, metric="precomputed")
    assert same_partition(ours.fit_predict(far), theirs.fit_predict(far))


def test_agglomerative_by_height() -> None:
    X, _ = make_blobs(200, 3, centers=5, cluster_std=0.5, random_state=4)
    theirs = peers.AgglomerativeClustering(n_clusters=None, distance_threshold=20.0)
    ours = pykindred.AgglomerativeClustering(n_clusters=None, distance_threshold=20.0)
    assert same_partition(ours.fit_predict(X), theirs.fit_predict(X))


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("size", [5, 15])
def test_hdbscan_away_from_ties(seed: int, size: int) -> None:
    X, _ = make_blobs(400, 3, centers=5, cluster_std=[0.3, 0.6, 1, 0.5, 0.4], random_state=seed)
    theirs = peers.HDBSCAN(min_cluster_size=size, copy=True).fit(X)
    ours = pykindred.HDBSCAN(min_cluster_size=size).fit(X)
    assert adjusted_rand_score(theirs.labels_, ours.labels_) > 0.99
    np.testing.assert_array_equal(ours.probabilities_ > 0, ours.labels_ >= 0)
    assert ((0 <= ours.outlier_scores_) & (ours.outlier_scores_ <= 1)).all()
    tree = ours.condensed_tree_
    assert sorted(tree["child"][tree["child_size"] == 1][:400]) == list(range(400))


@each_set
@pytest.mark.parametrize("k", [3, 8])
def test_kmeans_is_no_worse(X: Floats, y: NDArray[Any], k: int) -> None:
    theirs = peers.KMeans(n_clusters=k, n_init=10, random_state=0).fit(X)
    ours = pykindred.KMeans(n_clusters=k, n_init=10).fit(X)
    assert ours.inertia_ <= theirs.inertia_ * 1.01
    far = pairwise_distances(X, ours.cluster_centers_)
    np.testing.assert_array_equal(ours.predict(X), ours.labels_)
    np.testing.assert_allclose((far.min(axis=1) ** 2).sum(), ours.inertia_, rtol=1e-6)
    np.testing.assert_allclose(far[np.arange(len(X)), ours.labels_], far.min(axis=1), rtol=1e-6)


@pytest.mark.parametrize("name", ["moons", "blobs0", "digits"])
def test_spectral_is_no_worse(name: str) -> None:
    X, y = next((X, y) for of, X, y in SETS if of == name)
    k = len(np.unique(y))
    theirs = peers.SpectralClustering(k, affinity="nearest_neighbors", random_state=0).fit(X)
    ours = pykindred.SpectralClustering(k).fit(X)
    assert adjusted_rand_score(y, ours.labels_) >= adjusted_rand_score(y, theirs.labels_) - 0.02


@pytest.mark.parametrize(("ours", "theirs"), [
    ("full", "full"), ("diagonal", "diag"), ("tied", "tied"), ("spherical", "spherical")])
def test_probabilities_of_a_mixture(ours: Any, theirs: Any) -> None:
    X, _ = make_blobs(600, 3, centers=3, cluster_std=1.5, random_state=4)
    found = pykindred.GaussianMixture(
        3, covariance=ours, tol=1e-10, max_iter=2000, random_state=0).fit(X[::2])
    peer = GaussianMixture(
        3, covariance_type=theirs, tol=1e-10, max_iter=2000, random_state=0,
        means_init=found.cluster_centers_).fit(X[::2])
    np.testing.assert_allclose(found.predict_proba(X), peer.predict_proba(X), atol=1e-3)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_types_of_numbers(dtype: Any) -> None:
    X, y = make_blobs(500, 6, centers=4, random_state=2)
    found = pykindred.KMeans(4).fit(X.astype(dtype))
    assert adjusted_rand_score(y, found.labels_) == pytest.approx(1)
    strided = np.asfortranarray(X.astype(dtype))
    np.testing.assert_array_equal(pykindred.KMeans(4).fit_predict(strided), found.labels_)
