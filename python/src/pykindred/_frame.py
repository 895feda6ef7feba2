"""The rows that a session is about, and the file that they are written to beside the project."""

from __future__ import annotations

import filecmp
import importlib
import importlib.util
import io
import os
import re
import shutil
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, cast

import numpy as np

from . import _data
from ._errors import InputError
from ._tables import column, library, replaced, write_table

__all__ = ["Frame"]


class Frame:
    """Rows in any form that Python has them, as columns with labels.

    Parameters
    ----------
    data : pandas or polars DataFrame, pyarrow Table, array of shape (n, d), mapping of columns, \
or list of texts
        The rows. A list of texts becomes the column ``text``, an array the columns ``x1`` to
        ``xd``.

    Attributes
    ----------
    repeats : bool
        Labels of the index repeat, so that rows are named by their positions, from 0.
    """

    def __init__(self, data: Any) -> None:
        _data.refuse_lazy(data)
        self.library = library(data)
        if not self.library:
            data = _columns(data)
        self.data = data
        self.names: list[str] = [str(c) for c in _names(data, self.library)]
        twice = next((name for name in self.names if self.names.count(name) > 1), None)
        if twice is not None:
            raise InputError(
                f"the data have more than one column {twice!r}: give each column its own name"
            )
        if self.library == "pandas":
            self.labels: Sequence[Any] = data.index
        else:
            self.labels = range(_length(data, self.library))
        ids = [str(label) for label in self.labels]
        self.repeats = len(set(ids)) < len(ids)
        if self.repeats:
            self.labels = range(len(ids))
            ids = [str(label) for label in self.labels]
        self.ids: list[str] = ids
        name = str(getattr(getattr(data, "index", None), "name", None) or "id")
        while name in self.names:
            name = "index" if name == "id" else name + "_"
        self.id_name = name

    def __len__(self) -> int:
        return len(self.ids)

    def column(self, name: str) -> list[Any]:
        """Returns the values of a column."""
        return column(self.data, name) or []

    def rows(self, positions: Sequence[int]) -> Any:
        """Returns some rows, in the form that the data have."""
        if self.library == "pandas":
            return self.data.iloc[list(positions)]
        if self.library == "polars":
            return self.data[list(positions)]
        if self.library == "pyarrow":
            return self.data.take(list(positions))
        return [{name: self.data[name][p] for name in self.names} for p in positions]

    def named(self, message: str, path: str) -> str:
        """Returns a message about the file of the rows as one about these data and labels."""

        def label(found: re.Match[str]) -> str:
            at = int(found.group(1)) - 1
            return f"X, row {self.labels[at]!r}" if at < len(self) else found.group()

        return re.sub(r"X, row (\d+)", label, message.replace(path, "X"))

    def write(self, stem: str, changed: Mapping[str, Sequence[Any]], *, own: bool,
              replace: bool) -> tuple[str, dict[str, str]]:  # fmt: skip
        """Writes the rows to a file of the name stem, and returns it with settings of reading.

        A file that has the same rows is left as it is. The index is a column of ids, unless own
        says that one of the columns names the rows.

        Raises
        ------
        InputError
            If the file is there with other rows, unless replace.
        """
        folder = os.path.dirname(stem)
        place = tempfile.mkdtemp(prefix=".pykindred-", dir=folder)
        try:
            made, settings = self._table(place, changed, own, os.path.exists(stem + ".jsonl"))
            path = stem + os.path.splitext(made)[1]
            if os.path.exists(path):
                if _equal(made, path):
                    return path, settings
                if not replace:
                    raise InputError(
                        f"{path} has other rows than the data; go on with the answers on the rows "
                        'that are the same by changed_data="carry", or name another project'
                    )
            os.chmod(made, 0o600)  # as the project
            os.replace(made, path)
            return path, settings
        finally:
            shutil.rmtree(place, ignore_errors=True)

    def _table(self, place: str, changed: Mapping[str, Sequence[Any]],
               own: bool, lines: bool) -> tuple[str, dict[str, str]]:  # fmt: skip
        """Writes the rows to a folder. Lines: those of an array go on as JSON lines, as before."""
        ids = {} if own else {self.id_name: self.ids}
        data = self.data
        for name, values in changed.items():
            data = replaced(data, name, list(values))
        if self.library == "pandas":
            pd = importlib.import_module("pandas")
            data = data.reset_index(drop=True)
            data = data.set_axis(self.names, axis=1)
            for name, values in ids.items():
                data.insert(0, name, pd.Series(values, dtype=object))
            made, settings = write_table(data, place)
        elif self.library == "polars":
            pl = importlib.import_module("polars")
            if ids:
                data = data.select(pl.Series(self.id_name, self.ids), pl.all())
            made, settings = write_table(data, place)
        elif self.library == "pyarrow":
            pa = importlib.import_module("pyarrow")
            for name, values in ids.items():
                data = data.add_column(0, name, pa.array(values))
            made, settings = write_table(data, place)
        else:
            made, settings = write_table({**ids, **data}, place, lines=lines)
        if ids:
            settings = {**settings, "id": self.id_name}
        return made, settings

    def like(self, columns: dict[str, Any], positions: Sequence[int]) -> Any:
        """Returns columns about some rows, in the form that the data have, with their labels."""
        if self.library == "pandas":
            labels: Any = self.data.index[list(positions)]  # also one whose labels repeat
        else:
            labels = [self.labels[at] for at in positions]
        return table(columns, self.library, labels, self.id_name)


def table(columns: dict[str, Any], library: str, labels: Any, name: str) -> Any:
    """Returns columns as a frame of a library; by default of pandas, or a dict without it."""
    if library == "polars":
        return importlib.import_module("polars").DataFrame({name: list(labels), **columns})
    if library == "pyarrow":
        return importlib.import_module("pyarrow").table({name: list(labels), **columns})
    if library == "pandas" or importlib.util.find_spec("pandas") is not None:
        pd = importlib.import_module("pandas")
        if not isinstance(labels, pd.Index):
            labels = pd.Index(list(labels), name=name)
        series = {n: pd.Series(values, index=labels) for n, values in columns.items()}
        return pd.DataFrame(series, index=labels)
    return {name: list(labels), **columns}


def _columns(data: Any) -> dict[str, list[Any]]:
    """Returns data that are no frame as columns of values."""
    if isinstance(data, Mapping):
        given = cast("Mapping[Any, Iterable[Any]]", data)
        columns = {str(name): list(values) for name, values in given.items()}
    elif isinstance(data, np.ndarray) and data.ndim == 2:
        matrix = cast(Any, data)
        columns = {f"x{i + 1}": list(values) for i, values in enumerate(matrix.T)}
    elif isinstance(data, (list, tuple)) and all(
        isinstance(text, str) for text in cast("list[Any]", data)
    ):
        columns = {"text": list(cast("list[str]", data))}
    elif isinstance(data, (list, tuple)) and all(
        isinstance(row, Mapping) for row in cast("list[Any]", data)
    ):
        rows = cast("list[Mapping[str, Any]]", data)
        names = dict.fromkeys(str(name) for row in rows for name in row)
        columns = {name: [row.get(name) for row in rows] for name in names}
    else:
        raise InputError(
            f"data of type {type(cast(object, data)).__name__} are no rows; give a DataFrame, "
            "a Table, an array of shape (n, d), a dict of columns, a list of texts, or the path "
            "of a file"
        )
    if len({len(values) for values in columns.values()}) != 1:
        raise InputError("the columns differ in length; give one value per row in each")
    return columns


def _names(data: Any, library: str) -> Iterable[Any]:
    if library == "pyarrow":
        return cast("Iterable[Any]", data.column_names)
    return cast("Iterable[Any]", data.columns if library else data)


def _length(data: Any, library: str) -> int:
    if library == "pyarrow":
        return int(data.num_rows)
    return len(data) if library else len(next(iter(data.values())))


def _equal(made: str, there: str) -> bool:
    """Reports whether two files have the same rows, also where another library wrote them."""
    if filecmp.cmp(made, there, shallow=False):
        return True
    if made.endswith(".arrow"):
        ipc, pa = (_module(name) for name in ("pyarrow.ipc", "pyarrow"))
        pl = _module("polars")
        if ipc is not None:
            try:
                with open(made, "rb") as a, open(there, "rb") as b:
                    one, other = (ipc.open_file(io.BytesIO(f.read())).read_all() for f in (a, b))
            except (pa.ArrowInvalid, OSError):
                return False
            return bool(one.equals(other))
        if pl is not None:
            try:
                one, other = (pl.read_ipc(name, memory_map=False) for name in (made, there))
            except (pl.exceptions.ComputeError, OSError):
                return False
            return bool(one.equals(other))
    return False


def _module(name: str) -> Any:
    """Returns a module; None where it is not installed."""
    try:
        return importlib.import_module(name)
    except ImportError:
        return None
