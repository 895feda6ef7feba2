"""What a newcomer gets wrong is answered in the terms of Python."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from pykindred import InputError, KMeans, PCKMeans, Session

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
