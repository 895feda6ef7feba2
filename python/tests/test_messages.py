"""What a newcomer gets wrong is answered in the terms of Python."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from pykindred import InputError, KMeans, Kin, PCKMeans, SeededKMeans, Session
from pykindred._errors import pythonic

X = np.arange(24.0).reshape(12, 2)


def test_nan_names_the_parameter_missing() -> None:
    values = X.copy()
    values[3, 1] = np.nan
    with pytest.raises(ValueError, match="NaN.*missing='drop'"):
        KMeans(n_clusters=2).fit(values)


def test_a_list_of_texts_names_the_setting() -> None:
    texts: Any = ["one", "two", "three"]
    with pytest.raises(ValueError, match="settings={'text'"):
        KMeans(n_clusters=2).fit(texts)


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
