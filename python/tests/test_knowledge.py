"""Links, known classes, oracles, masses and streams."""

from __future__ import annotations

import pathlib
import pickle
import runpy
import warnings
from typing import Any

import numpy as np
import pykindred
import pytest
from conftest import NEEDED, classes
from pykindred._base import Learner
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.metrics import adjusted_rand_score, pairwise_distances

X, Y = load_iris(return_X_y=True)
LINKS: dict[str, Any] = {
    "same": [(0, 1), (50, 51), (100, 101)],
    "different": np.array([(0, 50), (0, 100), (50, 100)]),
    "unknown": [(50, 149)],
}
LEARNERS = [of for of in classes() if issubclass(of, Learner)]


@pytest.mark.parametrize("of", LEARNERS, ids=lambda of: of.__name__)
def test_every_learner_takes_links_and_classes(of: Any) -> None:
    wanted = {**NEEDED.get(of.__name__, {}), "n_clusters": 3}
    given = of(**{k: v for k, v in wanted.items() if k in of().get_params()})
    given.fit(X, **LINKS)
    assert given.labels_.shape == Y.shape
    known = np.full(len(Y), -1)
    known[::10] = Y[::10] + 5  # any numbers
    given.fit(X, labels=known)
    assert given.labels_.shape == Y.shape


def test_links_hold() -> None:
    labels = pykindred.COPKMeans(3).fit(X, **LINKS).labels_
    assert all(labels[i] == labels[j] for i, j in LINKS["same"])
    assert all(labels[i] != labels[j] for i, j in LINKS["different"])


@pytest.mark.parametrize(
    ("links", "message"),
    [
        ({"same": [(0, 150)]}, r"same\[0\] is \(0, 150\): rows are numbered from 0 to 149"),
        ({"same": [(-1, 0)]}, "from 0 to 149"),
        ({"different": [(3, 3)]}, "itself"),
        ({"same": [(0, 1, 2)]}, "pairs"),
        ({"same": [(0.5, 1)]}, "pairs"),
        ({"same": ["ab"]}, "pairs"),
        ({"labels": [0, 1]}, "one label per row"),
        ({"labels": [0.5] * 150}, "whole numbers"),
        ({"labels": ["a", 1] * 75}, "whole numbers"),
        ({"same": [(0, 1), (1, 2)], "different": [(0, 2)]}, "contradict"),
    ],
)
def test_bad_links_are_refused(links: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        pykindred.MPCKMeans(3).fit(X, **links)


def test_labels_may_be_texts() -> None:
    known = np.full(150, -1)
    known[::10] = Y[::10]
    texts: list[Any] = [None if of < 0 else "abc"[of] for of in known]
    texts[1] = float("nan")
    texts[2] = -1
    expected = pykindred.SSNB().fit(X, labels=known).labels_
    numbers = [None if of < 0 else int(of) for of in known]
    for labels in (texts, numbers):
        np.testing.assert_array_equal(pykindred.SSNB().fit(X, labels=labels).labels_, expected)


def test_clusters_have_the_classes_of_their_known_rows() -> None:
    names = np.array(["setosa", "versicolor", "virginica"])[Y]
    known = [name if i % 10 == 0 else None for i, name in enumerate(names)]
    found = pykindred.SSNB().fit(X, labels=known)
    assert sorted(found.known_classes_) == ["setosa", "versicolor", "virginica"]
    assert np.mean(np.array(found.known_classes_)[found.labels_] == names) > 0.9
    numbers = np.where(np.arange(len(Y)) % 10 == 0, Y + 5, -1)
    assert pykindred.SSNB().fit(X, labels=numbers).known_classes_ == [
        {"setosa": 5, "versicolor": 6, "virginica": 7}[name] for name in found.known_classes_
    ]
    floats = np.where(numbers < 0, np.nan, numbers)
    assert set(map(type, pykindred.SSNB().fit(X, labels=floats).known_classes_)) == {int}
    found = pykindred.KMeans(3).fit(X)
    assert not hasattr(found, "known_classes_")
    found = pykindred.PCKMeans(3).fit(X, labels=[7, *[-1] * 149])
    assert found.known_classes_[found.labels_[0]] == 7
    assert found.known_classes_.count(None) == 2
    assert not hasattr(found.fit(X), "known_classes_")
    found = pykindred.CRPCL(3).fit(X, labels=numbers)
    assert len(found.known_classes_) == 3
    assert len(found.partial_fit(X[:7]).to_frame()) == 7
    assert not hasattr(found, "known_classes_")


def test_known_classes_as_y_are_warned_of() -> None:
    known = np.where(np.arange(len(Y)) % 10 == 0, Y, -1)
    for y in (known, known.astype(float), [None if of < 0 else f"c{of}" for of in known]):
        with pytest.warns(UserWarning, match="labels="):
            pykindred.SSNB(3).fit(X, y)
    arrays = np.empty(len(Y), dtype=object)
    arrays[:] = [np.arange(2) for _ in Y]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for y in ([[1], [1, 2]], arrays):
            pykindred.SSNB(3).fit(X, y)
        pykindred.SSNB(3).fit(X, Y)
        pykindred.SSNB().fit(X, Y, labels=known)


@pytest.mark.parametrize(
    "of", [of for of in classes() if of._dissimilarities], ids=lambda of: of.__name__
)
def test_precomputed_dissimilarities(of: Any) -> None:
    rows = X[::3]
    far = pairwise_distances(rows)
    wanted = dict(NEEDED.get(of.__name__, {}))
    if "n_clusters" in of().get_params():
        wanted["n_clusters"] = 3
    known = {"labels": [0, *[-1] * 48, 1]} if of._needs_answers else {}
    found = of(metric="precomputed", **wanted).fit(far, **known)
    assert found.labels_.shape == (50,)
    if hasattr(found, "predict"):
        labels = found.predict(far[:9])
        np.testing.assert_array_equal(labels, found.labels_[:9])
        with pytest.raises(ValueError, match="features"):
            found.predict(far[:, :5])


def test_a_range_of_numbers_of_clusters() -> None:
    assert pykindred.EVCLUS("2..4").fit(X).n_clusters_ in (2, 3, 4)


def test_oracles() -> None:
    asked = []

    def oracle(a: int, b: int) -> bool | None:
        asked.append((a, b))
        return None if len(asked) == 3 else bool(Y[a] == Y[b])

    found = pykindred.Kin(oracle=oracle, budget=25).fit(X)
    assert found.asked_[:, :2].tolist() == [list(pair) for pair in asked]
    assert len(asked) <= 26 and found.asked_[2, 2] == -1
    answers = found.asked_[found.asked_[:, 2] >= 0]
    np.testing.assert_array_equal(answers[:, 2] == 1, Y[answers[:, 0]] == Y[answers[:, 1]])
    assert adjusted_rand_score(Y, found.labels_) > 0.8
    again = pykindred.Kin(oracle=Y, budget=25).fit(X)
    assert adjusted_rand_score(Y, again.labels_) > 0.8


def test_an_oracle_stops_and_fails() -> None:
    def stopping(a: int, b: int) -> bool:
        if len(seen) == 4:
            raise StopIteration
        seen.append((a, b))
        return bool(Y[a] == Y[b])

    seen: list[tuple[int, int]] = []
    assert len(pykindred.COBRA(oracle=stopping).fit(X).asked_) == 4

    def failing(a: int, b: int) -> bool:
        raise KeyError("out of office")

    with pytest.raises(KeyError, match="out of office"):
        pykindred.Kin(oracle=failing).fit(X)
    with pytest.raises(ValueError, match="the oracle returned 7"):
        pykindred.Kin(oracle=lambda a, b: 7).fit(X)
    with pytest.raises(ValueError, match="give one class per row"):
        pykindred.Kin(oracle=Y[:10]).fit(X)
    with pytest.raises(ValueError, match="budget=10 bounds the answers of an oracle"):
        pykindred.Kin(budget=10).fit(X)


@pytest.mark.parametrize("name", ["MPCKMeans", "EVCLUS", "HDBSCAN", "COBRAS", "SSNB"])
def test_others_ask_too(name: str) -> None:
    of = getattr(pykindred, name)
    wanted = {"n_clusters": 3} if "n_clusters" in of().get_params() else {}
    found = of(oracle=Y, budget=12, **wanted).fit(X)
    assert 0 < len(found.asked_) <= 12


def test_masses() -> None:
    found = pykindred.EVCLUS(3).fit(X)
    sets, mass = found.focal_sets_, found.mass_
    np.testing.assert_allclose(mass.sum(axis=1), 1)
    assert frozenset() in sets and frozenset({0, 1, 2}) in sets
    for i in range(0, 150, 15):
        for k in range(3):
            pl = sum(m for s, m in zip(sets, mass[i]) if k in s)
            bel = sum(m for s, m in zip(sets, mass[i]) if s == {k})
            assert found.plausibility_[i, k] == pytest.approx(pl)
            assert found.belief_[i, k] == pytest.approx(bel)
            dominated = any(
                found.belief_[i, j] > found.plausibility_[i, k] for j in range(3) if j != k
            )
            assert found.upper_[i, k] == (not dominated)
        most = max(m for s, m in zip(sets, mass[i]) if s)
        assert found.outlier_[i] == (mass[i, sets.index(frozenset())] > most)
    assert (found.lower_ <= found.upper_).all() and found.lower_.sum(axis=1).max() == 1
    assert not found.lower_[found.outlier_].any()
    np.testing.assert_allclose(found.pignistic_.sum(axis=1), 1)
    assert ((found.nonspecificity_ >= 0) & (found.nonspecificity_ <= np.log2(3) + 1e-9)).all()
    np.testing.assert_allclose(found.predict_mass(X).sum(axis=1), 1)
    with pytest.raises(AttributeError):
        pykindred.EVCLUS(3).mass_  # noqa: B018
    fuzzy = pykindred.FCM(3).fit(X)
    np.testing.assert_allclose(fuzzy.belief_, fuzzy.plausibility_)
    with pytest.raises(ValueError, match="without masses"):
        pykindred.MECM(3).fit(X).predict_mass(X)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize(
    "estimator",
    [
        pykindred.ECM(3), pykindred.CECM(3), pykindred.CCM(3),
        pykindred.ECM(3, fuzziness=1.5, set_penalty=2, cluster_metric="full"),
        pykindred.CECM(3, cluster_metric="diagonal", focal="simple"),
    ],
    ids=str,
)  # fmt: skip
def test_masses_of_new_rows(estimator: Any, dtype: Any) -> None:
    rows = X.astype(dtype)
    found = estimator.fit(rows)
    np.testing.assert_allclose(found.predict_mass(rows), found.mass_, atol=1e-9)
    np.testing.assert_array_equal(found.predict(rows), found.labels_)
    again = pickle.loads(pickle.dumps(found)).predict_mass(rows[::-1])
    np.testing.assert_array_equal(again[::-1], found.predict_mass(rows))


def test_masses_by_the_formula() -> None:
    found = pykindred.ECM(3, noise_distance=2.0, fuzziness=1.5, set_penalty=2).fit(X)
    new = X[:20] + 0.3
    terms = []
    for members in found.focal_sets_:
        if members:
            middle = found.cluster_centers_[sorted(members)].mean(axis=0)
            # Masson and Denoeux (2008), equation 15: with 1 / (beta - 1) = 2
            terms.append(len(members) ** (-2 * 2) / ((new - middle) ** 2).sum(axis=1) ** 2)
        else:
            terms.append(np.full(20, (2.0**2) ** -2.0))
    want = np.column_stack(terms)
    np.testing.assert_allclose(found.predict_mass(new), want / want.sum(1, keepdims=True), atol=1e-9)


def test_masses_of_linked_rows() -> None:
    links = [(0, 60), (10, 120)]
    found = pykindred.CECM(3).fit(X, same=links)
    free = np.setdiff1d(np.arange(len(X)), np.ravel(links))
    np.testing.assert_allclose(found.predict_mass(X)[free], found.mass_[free], atol=1e-9)


@pytest.mark.parametrize("name", ["GaussianMixture", "SSNB", "FCM"])
def test_degrees_of_new_rows(name: str) -> None:
    found = getattr(pykindred, name)(3, random_state=0).fit(X[::2])
    degrees = found.predict_proba(X)
    assert degrees.shape == (150, 3)
    np.testing.assert_allclose(degrees.sum(axis=1), 1)
    np.testing.assert_allclose(degrees[::2], found.pignistic_, atol=1e-9)
    np.testing.assert_allclose(found.predict_mass(X)[::2], found.mass_, atol=1e-9)
    np.testing.assert_array_equal(degrees.argmax(axis=1), found.predict(X))
    gap = X.copy()
    gap[3, 1] = np.nan
    with pytest.raises(ValueError, match="NaN"):
        found.predict_proba(gap)
    dropped = found.set_params(missing="drop").fit(gap).predict_proba(gap)
    assert not dropped[3].any() and dropped[4].sum() == pytest.approx(1)
    assert not hasattr(pykindred.EVCLUS(3), "predict_proba")


@pytest.mark.parametrize("name", ["WTA", "FSCL", "RPCL", "CRPCL", "OLCVQE"])
def test_streams(name: str) -> None:
    rows = X[np.random.default_rng(0).permutation(len(X))]
    of = getattr(pykindred, name)
    learner = of(3, random_state=1)
    for block in np.array_split(rows, 3):
        learner.partial_fit(block)
        assert learner.labels_.shape == learner.distances_.shape == (len(block),)
    assert learner.n_samples_seen_ == len(X) and learner.cluster_centers_.shape == (3, 4)
    # a copy goes on from the same state
    other = pickle.loads(pickle.dumps(learner))
    np.testing.assert_array_equal(
        other.partial_fit(rows).labels_, learner.partial_fit(rows).labels_
    )
    assert set(learner.predict(rows)) <= {0, 1, 2}
    with pytest.raises(ValueError, match="features"):
        learner.partial_fit(rows[:, :2])
    learner.fit(X)
    assert not hasattr(learner, "n_samples_seen_")


def test_links_of_streams() -> None:
    learner = pykindred.CRPCL(3).partial_fit(X[:75]).partial_fit(X[75:], different=[(0, 149)])
    assert learner.n_samples_seen_ == 150
    with pytest.raises(ValueError, match="from 0 to 159"):
        learner.partial_fit(X[:10], same=[(0, 160)])


def test_pictures() -> None:
    found = pykindred.AgglomerativeClustering(3).fit(X)
    picture = found.plot()
    assert "<svg" in picture._repr_svg_()
    assert picture.png().startswith(b"\x89PNG")
    assert found.plot("dendrogram").svg() != picture.svg()
    loaded = pickle.loads(pickle.dumps(found))
    with pytest.raises(ValueError, match=r"plot\(X="):
        loaded.plot().svg()
    assert loaded.plot(X=X).svg() == picture.svg()
    asked = pickle.loads(pickle.dumps(pykindred.Kin(oracle=Y, budget=5).fit(X)))
    assert "<svg" in asked.plot(X=X).svg()
    with pytest.raises(ValueError, match="no picture|picture"):
        found.plot("nonsense").svg()


def test_pictures_are_written(tmp_path: Any) -> None:
    picture = pykindred.KMeans(3).fit(X).plot("silhouette")
    for name in ("a.svg", "a.png"):
        picture.save(tmp_path / name)
        assert (tmp_path / name).stat().st_size > 1000
    with pytest.raises(ValueError, match=r"ends in .svg or .png"):
        picture.save(tmp_path / "a.pdf")


def test_parameters() -> None:
    found = pykindred.DBSCAN(eps=0.7, metric="manhattan")
    assert clone(found).get_params() == found.get_params()
    for wrong, message in (({"eps": -1.0}, "eps"), ({"min_samples": "many"}, "min_samples")):
        with pytest.raises(ValueError, match=message):
            pykindred.DBSCAN(**wrong).fit(X)  # type: ignore[arg-type]
    drawn = pykindred.KMeans(5, n_init=1, random_state=np.random.RandomState(3)).fit(X)
    assert drawn.n_clusters_ == 5
    with pytest.raises(ValueError, match="random_state"):
        pykindred.KMeans(5, random_state="now").fit(X)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="square"):
        pykindred.DBSCAN(metric="precomputed").fit(X)
    square = pykindred.DBSCAN(metric="precomputed").fit(np.abs(X[:, :1] - X[:, 0]))
    np.testing.assert_array_equal(
        square.predict(np.abs(X[:9, :1] - X[:, 0])), square.labels_[:9]
    )


def test_typical_uses() -> None:
    runpy.run_path(str(pathlib.Path(__file__).with_name("uses.py")))


def test_a_fit_that_is_perfect_has_inertia() -> None:
    model = pykindred.KMeans(n_clusters=2).fit([[0.0, 0.0], [1.0, 1.0]])
    assert model.inertia_ == 0


def test_inertia_and_centers_are_of_clusters() -> None:
    stress = pykindred.EVCLUS(n_clusters=3).fit(X)
    assert stress.objective_ > 0 and not hasattr(stress, "inertia_")
    kin = pykindred.Kin().fit(X)  # has means of super-instances
    assert not hasattr(kin, "inertia_")
    assert not hasattr(kin, "cluster_centers_") or len(kin.cluster_centers_) == kin.n_clusters_


def test_masked_values_are_missing() -> None:
    masked = np.ma.masked_greater(X, 7.5)
    with pytest.raises(ValueError, match="NaN"):
        pykindred.KMeans(n_clusters=3).fit(masked)
    filled = pykindred.KMeans(n_clusters=3, missing="median").fit(masked).labels_
    plain = pykindred.KMeans(n_clusters=3, missing="median").fit(masked.filled(np.nan)).labels_
    np.testing.assert_array_equal(filled, plain)


def test_budgets() -> None:
    def oracle(a: int, b: int) -> bool:
        return bool(Y[a] == Y[b])

    assert len(pykindred.Kin(oracle=oracle, budget=np.int64(5)).fit(X).asked_) <= 5
    for budget in (2.5, -1, "5"):
        with pytest.raises(ValueError, match="budget="):
            pykindred.Kin(oracle=oracle, budget=budget).fit(X)


@pytest.mark.parametrize("of", [pykindred.COBRA, pykindred.Kin])
def test_pictures_without_answers(of: Any) -> None:
    """Nobody is there to answer when they are drawn anew."""
    there = pickle.loads(pickle.dumps(of().fit(X)))
    assert "<svg" in there.plot(X=X).svg()


def test_pictures_of_streams_are_of_the_latest_rows() -> None:
    fitted = pykindred.RPCL(n_clusters=3).fit(X)
    learner = fitted.partial_fit(X[:100]).partial_fit(X[100:])
    assert not hasattr(learner, "n_iter_") and not hasattr(learner, "inertia_")
    with pytest.raises(ValueError, match="X="):
        learner.plot().svg()
    assert "<svg" in learner.plot(X=X[100:]).svg()
    with pytest.raises(ValueError, match="scale"):
        pykindred.RPCL(n_clusters=3, scale="zscore").partial_fit(X)
