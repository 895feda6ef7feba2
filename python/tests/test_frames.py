"""Frames of pandas, polars and Arrow go in, and come out with their index."""

from __future__ import annotations

import pathlib
import subprocess
import sys
from typing import Any

import numpy as np
import pykindred
import pytest
from conftest import png
from pykindred import _binary, _data

pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")
pa = pytest.importorskip("pyarrow")

N = 60
GROUP = np.repeat([0, 1, 2], N // 3)


def frame() -> Any:
    rng = np.random.default_rng(0)
    return pd.DataFrame(
        {
            "price": GROUP * 10 + rng.normal(size=N),
            "kind": pd.Categorical(np.array(["a", "b", "c"])[GROUP]),
            "when": pd.date_range("2024-01-01", periods=N, freq="D"),
            "count": pd.array(rng.integers(0, 9, N), dtype="Int64"),
            "flag": rng.integers(0, 2, N).astype(bool),
            "place": pd.Series(np.array(["x", "y"])[rng.integers(0, 2, N)], dtype="string"),
        },
        index=[f"r{i}" for i in range(N)],
    )


def of_library(frame: Any, library: str) -> Any:
    return {
        "pandas": lambda: frame,
        "polars": lambda: pl.from_pandas(frame),
        "pyarrow": lambda: pa.Table.from_pandas(frame, preserve_index=False),
    }[library]()


libraries = pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])


@libraries
@pytest.mark.parametrize("settings", [None, {"dates": "auto"}, {"drop": ["kind", "place"]}])
def test_frames_are_understood_as_by_the_command(
    library: str, settings: Any, tmp_path: pathlib.Path
) -> None:
    X = of_library(frame(), library)
    # numbers alone are not scaled here, as in an array, and are by the command
    scale: Any = "minmax" if settings and "drop" in settings else None
    found = pykindred.KMeans(4, scale=scale, settings=settings).fit(X)
    assert found.feature_names_in_.tolist() == ["price", "kind", "when", "count", "flag", "place"]
    path, out = tmp_path / "frame.parquet", tmp_path / "out.csv"
    frame().to_parquet(path, index=False)
    flags = [f"--{k}={_data.text(v, k)}" for k, v in (settings or {}).items()]
    command = [_binary.path(), "cluster", str(path), "-k", "4", "--out", str(out), *flags]
    subprocess.run(command, check=True, capture_output=True)
    np.testing.assert_array_equal(pd.read_csv(out)["cluster"] - 1, found.labels_)
    np.testing.assert_array_equal(found.predict(X), found.labels_)


@libraries
def test_numbers_are_taken_as_arrays_are(library: str) -> None:
    numbers = frame()[["price", "count", "flag"]].astype({"count": int})
    found = pykindred.KMeans(3).fit(of_library(numbers, library))
    assert found.feature_names_in_.tolist() == ["price", "count", "flag"]
    array = pykindred.KMeans(3).fit(numbers.to_numpy(dtype=float))
    np.testing.assert_array_equal(found.labels_, array.labels_)
    with pytest.raises(ValueError, match="feature names should match"):
        found.predict(of_library(numbers.rename(columns={"price": "cost"}), library))


def test_results_have_the_index() -> None:
    X = frame()
    out = pykindred.EVCLUS(3).fit(X).to_frame()
    assert out.index.equals(X.index)
    assert list(out.columns) == ["cluster", "certainty", "outlier", "plausibility_0",
                                 "plausibility_1", "plausibility_2"]  # fmt: skip
    assert isinstance(pykindred.KMeans(3).fit(pl.from_pandas(X)).to_frame(), pl.DataFrame)
    assert isinstance(pykindred.KMeans(3).fit(pa.Table.from_pandas(X)).to_frame(), pa.Table)
    assert len(pykindred.KMeans(3).fit(np.eye(5)).to_frame()) == 5


def test_results_have_known_classes() -> None:
    X = pd.DataFrame({"x": [0.0, 0.1, 9.0, 9.1, 5.0]}, index=list("abcde"))
    for labels in (["low", None, None, "high", None], [0, -1, -1, 1, -1]):
        found = pykindred.SeededKMeans(2, metric="euclidean").fit(X, labels=labels)
        out = found.to_frame()
        assert list(out.known_class[["b", "c"]]) == [labels[0], labels[3]]
    labels = [7, -1, -1, -1, -1]
    for of_library in (pd.DataFrame, pl.from_pandas, pa.Table.from_pandas):
        found = pykindred.PCKMeans(2).fit(of_library(X), labels=labels)
        out = found.to_frame()["known_class"]
        values = out.to_pylist() if hasattr(out, "to_pylist") else out.to_list()
        assert [None if pd.isna(v) else v for v in values] == [
            found.known_classes_[of] for of in found.labels_
        ]
        assert values[0] == 7


@libraries
@pytest.mark.parametrize("columns", [["price", "count"], ["price", "count", "kind"]])
def test_missing_values(library: str, columns: list[str]) -> None:
    holes = frame()[columns]
    holes.iloc[3, 1] = pd.NA
    X = of_library(holes, library)
    with pytest.raises(ValueError, match="NaN|missing"):
        pykindred.KMeans(3).fit(X)
    kept = pykindred.KMeans(3, missing="keep").fit(X)
    assert kept.labels_[3] == kept.labels_[2]
    dropped = pykindred.KMeans(3, missing="drop").fit(X)
    assert np.flatnonzero(dropped.labels_ == -1).tolist() == [3]


def test_lists_texts_and_series() -> None:
    rng = np.random.default_rng(1)
    lists = [(g * 5 + rng.normal(size=8)).tolist() for g in GROUP]
    X = pd.DataFrame({"v": lists})
    for settings, of in (
        ({"vectors": "v"}, pykindred.KMeans),
        ({"series": "v"}, pykindred.AgglomerativeClustering),
    ):
        labels = of(n_clusters=3, settings=settings).fit_predict(X)
        assert [len(set(labels[GROUP == g])) for g in range(3)] == [1, 1, 1]
        polars = of(n_clusters=3, settings=settings).fit_predict(pl.from_pandas(X))
        np.testing.assert_array_equal(labels, polars)
    words = pd.DataFrame({"note": [w + str(i % 3) for i, w in
                                   enumerate(np.array(["apple", "zebra", "unit"])[GROUP])]})  # fmt: skip
    labels = pykindred.AgglomerativeClustering(3, settings={"text": "note"}).fit_predict(words)
    assert [len(set(labels[GROUP == g])) for g in range(3)] == [1, 1, 1]


@libraries
def test_categories_of_numbers_are_categories(library: str) -> None:
    X = frame()[["price"]]
    X["zip"] = pd.Categorical(GROUP + 100)
    if library == "polars":
        X["zip"] = X["zip"].astype(str).astype("category")
    found = pykindred.KMeans(3).fit(of_library(X, library))
    assert any("category zip became 3 columns" in note for note in found.notes_)
    if library == "pandas":
        X["zip"] = pd.cut(X["price"], 3)
        found = pykindred.KMeans(3).fit(X)
        assert any("category zip became 3 columns" in note for note in found.notes_)


def test_frames_without_pyarrow(monkeypatch: pytest.MonkeyPatch) -> None:
    X = frame()
    X["zip"] = pd.Categorical(GROUP + 100)
    expected = pykindred.KMeans(4).fit(X)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    found = pykindred.KMeans(4).fit(X)
    np.testing.assert_array_equal(found.labels_, expected.labels_)
    np.testing.assert_array_equal(found.predict(X), expected.labels_)


def test_frames_where_memory_is_full(monkeypatch: pytest.MonkeyPatch) -> None:
    write, tried = _data.write_table, []

    def full(frame: Any, folder: str) -> Any:
        tried.append(folder)
        if folder.startswith("/dev/shm"):
            raise OSError(28, "No space left on device")
        return write(frame, folder)

    monkeypatch.setattr(_data, "write_table", full)
    assert pykindred.KMeans(3).fit(frame()).n_clusters_ == 3
    assert not any(pathlib.Path(folder).exists() for folder in tried)


def test_what_cannot_be_read_is_refused() -> None:
    X = frame()
    X["o"] = [object() for _ in range(N)]
    with pytest.raises(ValueError, match="column o"):
        pykindred.KMeans(3).fit(X)
    with pytest.raises(TypeError, match="collect"):
        pykindred.KMeans(3).fit(pl.from_pandas(frame()).lazy())
    with pytest.raises(ValueError, match='no setting "colour"'):
        pykindred.KMeans(3, settings={"colour": "red"}).fit(frame())
    with pytest.raises(ValueError, match="0 sample"):
        pykindred.KMeans(3).fit(frame().iloc[:0])


def test_a_column_that_is_not_compared_scales_nothing() -> None:
    rng = np.random.default_rng(3)
    X = rng.normal(size=(60, 2)) * [1, 20]
    numbers = pd.DataFrame(X, columns=["a", "b"])
    kinds = numbers.assign(**{"class": ["u", "v", "w"] * 20})
    want = pykindred.KMeans(n_clusters=3).fit(numbers)
    got = pykindred.KMeans(n_clusters=3).fit(kinds)
    assert np.array_equal(got.labels_, want.labels_)
    assert got.inertia_ == pytest.approx(want.inertia_)
    assert np.array_equal(got.predict(kinds), want.labels_)
    compared = pykindred.KMeans(n_clusters=3, settings={"features": ["a", "b", "class"]}).fit(kinds)
    scaled = pykindred.KMeans(n_clusters=3, scale="minmax", settings={"features": ["a", "b", "class"]})
    assert compared.inertia_ == pytest.approx(scaled.fit(kinds).inertia_)


def test_pictures(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    data = [png(rng.integers(0, 256, (8, 8)) // (1 + 4 * (i % 2))) for i in range(20)]
    (tmp_path / "odd").mkdir()
    paths = [tmp_path / ("odd" if i % 2 else "") / f"{i}.png" for i in range(20)]
    for path, of in zip(paths, data):
        path.write_bytes(of)
    monkeypatch.chdir(tmp_path / "odd")
    relative = [str(path) if i % 2 == 0 else path.name for i, path in enumerate(paths)]
    absolute = [str(path) for path in paths]
    model = pykindred.KMeans(2, settings={"images": "p"})
    for column in (absolute, relative, paths, data, [*data[:9], *absolute[9:]]):
        found = model.fit(pd.DataFrame({"p": column}, index=range(5, 25)))
        assert len(set(found.labels_[::2])) == len(set(found.labels_[1::2])) == 1
        assert found.labels_[0] != found.labels_[1]
        assert list(found.to_frame().index) == list(range(5, 25))
    labels = model.fit_predict(pl.DataFrame({"p": absolute}))
    np.testing.assert_array_equal(labels, model.fit_predict(pa.table({"p": relative})))
    np.testing.assert_array_equal(labels, found.labels_)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(
        ["odd", *(path.name for path in paths[::2])]
    )
    with pytest.raises(ValueError, match="no model that places new rows"):
        model.predict(pa.table({"p": relative}))
    assert found.plot().svg().lstrip().startswith("<")


def test_pictures_that_are_none(tmp_path: pathlib.Path) -> None:
    path = tmp_path / "a.png"
    path.write_bytes(png(np.full((8, 8), 7)))
    model = pykindred.KMeans(2, settings={"images": "p"})
    with pytest.raises(pykindred.InputError, match="row 1: there is no picture .*working dir"):
        model.fit(pd.DataFrame({"p": [str(path), "nowhere.png"]}))
    with pytest.raises(pykindred.InputError, match="row 1: a picture of type int"):
        model.fit(pd.DataFrame({"p": [str(path), 3]}))
    with pytest.raises(pykindred.InputError, match=r"row 1.*missing='drop'"):
        model.fit(pd.DataFrame({"p": [str(path), None]}))
    with pytest.raises(pykindred.InputError, match="no such column"):
        model.fit(pd.DataFrame({"q": [str(path), str(path)]}))
