"""What a newcomer gets wrong is answered in the terms of Python."""

from __future__ import annotations

import json
import os
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pykindred import (
    AgglomerativeClustering,
    DBSCAN,
    InputError,
    KMeans,
    Kin,
    PCKMeans,
    SeededKMeans,
    Session,
)
from pykindred._data import answering
from pykindred._errors import pythonic

X = np.arange(24.0).reshape(12, 2)


def test_nan_names_the_parameter_missing() -> None:
    values = X.copy()
    values[3, 1] = np.nan
    with pytest.raises(ValueError, match="NaN.*missing='keep'.*missing='drop'"):
        KMeans(n_clusters=2).fit(values)


@pytest.mark.parametrize("range_", [(2, 6), [2, 6], range(2, 7)])
def test_a_range_of_n_clusters_is_a_text(range_: Any) -> None:
    with pytest.raises(ValueError, match=r"as in n_clusters='2\.\.6'"):
        KMeans(n_clusters=range_).fit(X)
    assert KMeans(n_clusters="2..6").fit(X).labels_.shape == (12,)


def test_a_setting_that_was_meant_is_named() -> None:
    with pytest.raises(ValueError, match='no setting "txt"; did you mean "text"'):
        KMeans(n_clusters=2, settings={"txt": "note"}).fit(X)


def test_without_answers_there_is_a_warning() -> None:
    with pytest.warns(UserWarning, match="no links, classes or answers are given"):
        Kin().fit(X)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        Kin().fit(X, same=[(0, 1)])


def test_texts_in_an_array_name_the_setting() -> None:
    texts: Any = [["one", "two"], ["three", "four"], ["five", "six"]]
    with pytest.raises(ValueError, match="settings={'text'"):
        KMeans(n_clusters=2).fit(texts)


def test_a_list_or_series_of_texts_is_clustered() -> None:
    texts = ["the cat sat", "a cat slept", "cats sleep", "stocks fell", "bonds fell", "stocks rose"]
    model = KMeans(n_clusters=2).fit(texts)
    assert len(model.labels_) == 6
    assert model.predict(texts).tolist() == model.labels_.tolist()
    pd = pytest.importorskip("pandas")
    series = pd.Series(texts, index=list("uvwxyz"))
    of_series = KMeans(n_clusters=2).fit(series)
    assert of_series.labels_.tolist() == model.labels_.tolist()
    assert list(of_series.to_frame().index) == list(series.index)
    frame = pd.DataFrame({"text": texts})
    of_frame = KMeans(n_clusters=2, settings={"text": "text"}).fit(frame)
    assert of_frame.labels_.tolist() == model.labels_.tolist()


def test_a_picture_that_there_is_not_fails_at_the_call() -> None:
    model = KMeans(n_clusters=2).fit(X)
    with pytest.raises(ValueError, match="picture is .pie.: give groups") as err:
        model.plot("pie")
    assert "settings" not in str(err.value)


def test_metrics_have_the_names_of_peers() -> None:
    rows = np.random.default_rng(0).normal(size=(30, 2))
    for alias, name in (("l2", "euclidean"), ("l1", "manhattan"), ("cityblock", "manhattan")):
        got = DBSCAN(metric=alias).fit(rows)  # type: ignore[arg-type]
        want = DBSCAN(metric=name).fit(rows)  # type: ignore[arg-type]
        assert got.labels_.tolist() == want.labels_.tolist()


def test_a_text_among_numbers_is_named_by_its_row() -> None:
    pd = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    frame = pd.DataFrame({"a": [1.5, "oops", 2.0, 3.0]}, dtype=object)
    with pytest.raises(ValueError, match="row 1, column 'a': 'oops'"):
        KMeans(n_clusters=2).fit(frame)


def test_a_lazy_frame_is_refused_first() -> None:
    pl = pytest.importorskip("polars")
    lazy = pl.DataFrame({"a": [1.0, 2.0, 3.0]}).lazy()
    with pytest.raises(TypeError, match="LazyFrame"):
        PCKMeans(n_clusters=2).fit(lazy, same=[(0, 1)])
    with pytest.raises(TypeError, match="LazyFrame"):
        Session(lazy)


def test_an_oracle_does_not_know_what_has_no_class() -> None:
    classes = [1.0, 1.0, np.nan, None, 2.0]
    for given in (classes, np.array(classes, dtype=float)):
        answer = answering(given, 5)
        assert answer({"a": 0, "b": 1}) == "same"
        assert answer({"a": 0, "b": 4}) == "different"
        assert answer({"a": 2, "b": 3}) == "unknown"
        assert answer({"a": 0, "b": 2}) == "unknown"


def test_a_session_that_fails_leaves_nothing(tmp_path: Path) -> None:
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(X, columns=["a", "b"])
    with pytest.raises(InputError) as err:
        Session(frame, text="nope", project=tmp_path / "c.kindred")
    assert "kindred data info" not in str(err.value)
    with pytest.raises(InputError):
        Session(frame.iloc[:0], project=tmp_path / "d.kindred")
    with pytest.raises(InputError, match="make the folder"):
        Session(frame, project=tmp_path / "no" / "e.kindred")
    assert list(tmp_path.iterdir()) == []


def test_rows_of_an_array_are_written_as_arrow(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    with Session(X, project=tmp_path / "f.kindred") as session:
        session.export(tmp_path / "out.csv")
    assert (tmp_path / "f.rows.arrow").exists()
    umask = os.umask(0)
    os.umask(umask)
    assert (tmp_path / "out.csv").stat().st_mode & 0o777 == 0o666 & ~umask


def test_a_link_of_a_row_with_itself_is_numbered_from_0() -> None:
    with pytest.raises(ValueError, match=r"same\[0\] links row 0 with itself"):
        PCKMeans(n_clusters=2).fit(X, same=[(0, 0)])


def test_settings_are_a_dict() -> None:
    settings: Any = "text"
    with pytest.raises(ValueError, match="settings='text': give a dict"):
        KMeans(n_clusters=2, settings=settings).fit(X)


def test_columns_have_names_of_their_own() -> None:
    pd = pytest.importorskip("pandas")
    for frame in (pd.DataFrame(X), pd.DataFrame(X.astype(str))):
        frame.columns = ["a", "a"]
        with pytest.raises(ValueError, match="more than one column 'a'"):
            KMeans(n_clusters=2).fit(frame)


def test_a_session_takes_pairs_and_names_keep() -> None:
    with Session(X) as session:
        flat: Any = (0, 1)
        with pytest.raises(InputError, match=r"as \[\(a, b\)\]"):
            session.same(flat)
        session.same([(0, 1), (1, 2)])
        with pytest.raises(InputError, match="give keep=True"):
            session.different([(0, 2)])


def test_labels_are_numbers_or_texts_and_unknown_is_none_or_nan() -> None:
    numbers = np.full(12, -1)
    numbers[[0, 6, 11]] = [1, 0, 0]
    want = SeededKMeans(n_clusters=2).fit(X, labels=numbers).labels_
    texts = np.full(12, None, dtype=object)
    texts[[0, 6, 11]] = ["b", "a", "a"]
    with_nan = np.where(numbers < 0, np.nan, numbers)
    for labels in (texts, texts.tolist(), with_nan):
        found = SeededKMeans(n_clusters=2).fit(X, labels=labels).labels_
        assert found.tolist() == want.tolist()
    with pytest.raises(ValueError, match="whole numbers or texts"):
        SeededKMeans(n_clusters=2).fit(X, labels=np.full(12, 0.5))


def test_a_budget_is_not_negative() -> None:
    with pytest.raises(ValueError, match="budget=-3"):
        Kin(oracle=lambda a, b: True, budget=-3).fit(X)


def test_a_picture_of_another_method_names_its_estimator() -> None:
    model = KMeans(n_clusters="2..3").fit(X)
    for picture, of in {"condensed": "HDBSCAN", "reachability": "OPTICS"}.items():
        with pytest.raises(ValueError, match=rf"plot\('{picture}'\) of a fitted {of}$") as err:
            model.plot(picture)
        assert "settings" not in str(err.value)


def test_a_picture_is_saved_in_a_folder_that_is_there(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="there is no folder .*none: make it first"):
        KMeans(n_clusters=2).fit(X).plot().save(tmp_path / "none" / "x.svg")


def test_a_note_names_the_setting_with_its_value() -> None:
    own: dict[str, str] = {}
    assert pythonic("--label class uses it", own) == "settings={'label': 'class'} uses it"


def test_a_repeated_index_is_kept_and_named() -> None:
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(X, columns=["a", "b"], index=pd.Index(list("xyxuvwxyzuvw"), name="who"))
    with Session(frame) as session:
        with pytest.raises(InputError, match="labels of the index repeat.*0 to 11"):
            session.same([("x", "y")])
        session.same([(0, 1)])
        session.different([(0, 11)])
        groups = session.groups()
        assert list(groups.index) == list(frame.index)
        assert groups.index.name == "who"
        assert session.doubts().index.name == "who"


def test_columns_of_a_session_have_names_of_their_own() -> None:
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(X)
    frame.columns = ["a", "a"]
    with pytest.raises(InputError, match="more than one column 'a'"):
        Session(frame)


def test_notes_count_rows_from_0() -> None:
    D = 1.0 - np.eye(8)
    D[2, 5] = 0.25
    model = DBSCAN(metric="precomputed", eps=0.5, min_samples=2).fit(D)
    note = next(note for note in model.notes_ if "largest difference" in note)
    assert "row 2, column 5" in note


def test_dbscan_has_its_core_samples() -> None:
    peers = pytest.importorskip("sklearn.cluster")
    rows = np.random.default_rng(1).normal(size=(80, 2))
    for eps in (0.5, 1e-9):
        want = peers.DBSCAN(eps=eps, min_samples=5).fit(rows).core_sample_indices_
        got = DBSCAN(eps=eps, min_samples=5).fit(rows).core_sample_indices_
        assert got.tolist() == want.tolist()


def test_an_array_written_as_json_lines_goes_on_so(tmp_path: Path) -> None:
    lines = [{"id": str(i), "x1": float(a), "x2": float(b)} for i, (a, b) in enumerate(X)]
    text = "".join(json.dumps(line) + "\n" for line in lines)
    (tmp_path / "g.rows.jsonl").write_text(text)
    with Session(X, project=tmp_path / "g.kindred") as session:
        session.same([(0, 1)])
    with Session(X, project=tmp_path / "g.kindred") as session:
        assert session.state["answers"] == 1
    assert (tmp_path / "g.rows.jsonl").read_text() == text
    assert not (tmp_path / "g.rows.arrow").exists()


@pytest.mark.parametrize("of", [
    KMeans(0), SeededKMeans(0), AgglomerativeClustering(0),
    DBSCAN(0.0), DBSCAN(eps=np.float64(0))])
def test_nothing_is_no_default(of: Any) -> None:
    with pytest.raises(ValueError, match="(n_clusters|eps)=.*0.*: give a number above 0"):
        of.fit(np.arange(20.0).reshape(10, 2))


def test_notes_are_of_what_was_given() -> None:
    assert KMeans(3).fit(X).notes_ == []
    assert "choose" in KMeans(3, choose="gap").fit(X).notes_[0]

    class Other(KMeans):  # whose defaults are not those of the command
        def __init__(self, n_clusters: int = 3, *, choose: str = "gap") -> None:
            super().__init__(n_clusters, choose=choose)  # type: ignore[arg-type]

    assert "choose" in Other().fit(X).notes_[0]
    note = "when, which holds dates: --dates auto compares them"
    assert pythonic(note, {}) == "when, which holds dates: settings={'dates': 'auto'} compares them"
