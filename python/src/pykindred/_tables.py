"""Tables: frames and columns as files that the executable reads."""

from __future__ import annotations

import contextlib
import importlib
import json
import numbers
import os
from collections.abc import Mapping
from typing import Any, cast


def library(X: object) -> str:
    """Returns which library a frame or series is of: pandas, polars, pyarrow, or ""."""
    name = type(X).__module__.partition(".")[0]
    return name if name in ("pandas", "polars", "pyarrow") and hasattr(X, "columns") else ""


def categorical(dtype: Any) -> bool:
    """Reports whether a type of pandas is that of categories."""
    return type(dtype).__name__ == "CategoricalDtype"


def column(frame: Any, name: str) -> list[Any] | None:
    """Returns the values of a column of a frame; None where there is no such column."""
    if isinstance(frame, Mapping):
        return list(cast("Mapping[str, Any]", frame)[name]) if name in frame else None
    names = [str(of) for of in getattr(frame, "column_names", frame.columns)]
    if name not in names:
        return None
    of = library(frame)
    if of == "pandas":
        return list(frame.iloc[:, names.index(name)])
    return cast("list[Any]", frame.column(name).to_pylist() if of == "pyarrow" else list(frame[name]))


def replaced(frame: Any, name: str, values: list[Any]) -> Any:
    """Returns a frame with other values in a column."""
    if isinstance(frame, Mapping):
        return {**cast("Mapping[str, Any]", frame), name: values}
    of = library(frame)
    if of == "polars":
        pl: Any = importlib.import_module("polars")
        return frame.with_columns(**{name: pl.Series(values)})
    if of == "pyarrow":
        pa: Any = importlib.import_module("pyarrow")
        return frame.set_column(frame.column_names.index(name), name, pa.array(values))
    pd: Any = importlib.import_module("pandas")
    frame = frame.copy(deep=False)
    at = [str(label) for label in frame.columns].index(name)
    frame.isetitem(at, pd.Series(values, index=frame.index, dtype=object))
    return frame


def write_table(
    frame: Any, folder: str, *, lines: bool = False
) -> tuple[str, dict[str, str]]:
    """Writes a frame for the reader of the executable; returns its path and settings of reading.

    The file is Arrow where pyarrow or polars can write it, else CSV. That of a dict is JSON lines
    where lines is true, or pyarrow cannot write it.
    """
    path = os.path.join(folder, "frame.arrow")
    if isinstance(frame, Mapping):
        made = None if lines else _made(cast("Mapping[str, Any]", frame))
        if made is None:
            return _lines(folder, cast("Mapping[str, Any]", frame)), {}
        frame = made
    of = library(frame)
    if of == "polars":
        frame.write_ipc_stream(path, compression="uncompressed")
        types = frame.schema.items()
        return path, _categories([str(c) for c, t in types if str(t).startswith(("Cat", "Enum"))])
    try:
        pa: Any = importlib.import_module("pyarrow")
    except ImportError:
        return _write_csv(frame, folder)
    if of == "pandas":
        try:
            frame = pa.Table.from_pandas(_plain(frame), preserve_index=False)
        except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError) as err:
            odd = _odd(frame)
            if odd:
                raise ValueError(odd) from err
            why = "; ".join(str(arg) for arg in err.args)
            raise ValueError(
                f"{why}: make the column one of numbers, texts, dates, categories or lists"
            ) from err
    coded = [field for field in frame.schema if pa.types.is_dictionary(field.type)]
    for field in coded:
        of_values = field.type.value_type
        if not pa.types.is_string(of_values):  # numbers would be read as numbers
            i = frame.schema.get_field_index(field.name)
            column = frame.column(i).cast(of_values).cast(pa.string()).dictionary_encode()
            frame = frame.set_column(i, field.name, column)
    with pa.OSFile(path, "wb") as sink, pa.ipc.new_file(sink, frame.schema) as writer:
        writer.write_table(frame)
    return path, _categories([field.name for field in coded])


def _made(columns: Mapping[str, Any]) -> Any:
    """Returns columns as a table of Arrow; None where that is not there, or does not take them."""
    with contextlib.suppress(ImportError):
        pa: Any = importlib.import_module("pyarrow")
        try:
            return pa.table({n: pa.array(v, from_pandas=True) for n, v in columns.items()})
        except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError):
            return None  # values of several kinds in a column
    return None


def _lines(folder: str, columns: Mapping[str, Any]) -> str:
    """Writes columns as a JSON object per line, which keeps numbers, texts and lists apart."""
    path = os.path.join(folder, "frame.jsonl")
    names = list(columns)
    with open(path, "w", encoding="utf-8") as file:
        for row in zip(*columns.values()):
            cells = {n: _cell(v) for n, v in zip(names, row)}
            file.write(json.dumps(cells, ensure_ascii=False) + "\n")
    return path


def _cell(value: Any) -> Any:
    """Returns a cell as JSON has it."""
    if hasattr(value, "tolist"):  # of NumPy
        value = value.tolist()
    if isinstance(value, float) and value != value:
        return None
    if value is None or isinstance(value, (bool, int, float, str, list)):
        return cast(Any, value)
    return str(value)


def _odd(frame: Any) -> str:
    """Returns what is wrong with the first cell of another kind than those before it; ""."""
    for name, dtype in frame.dtypes.items():
        if str(dtype) != "object":
            continue
        first: Any = None
        for label, value in frame[name].items():
            if value is None or value != value:
                continue
            kind: Any = numbers.Real if isinstance(value, numbers.Real) else value.__class__
            first = first or kind
            if kind is not first:
                return (f"X, row {label!r}, column {name!r}: {value!r} is of another kind than the "
                        "values above it; make the column one of numbers, texts, dates, categories "
                        "or lists")  # fmt: skip
    return ""


def _categories(names: list[str]) -> dict[str, str]:
    """Returns the setting that columns are categories, whatever their values or names look like."""
    given = [f"{name}=category" for name in names if not {",", "=", '"'} & set(name)]
    return {"types": ",".join(given)} if given else {}


def _plain(frame: Any) -> Any:
    """Returns a frame of pandas whose columns and categories have texts for names."""
    if not all(isinstance(name, str) for name in frame.columns):
        frame = frame.set_axis([str(name) for name in frame.columns], axis=1)
    coded = [name for name, t in frame.dtypes.items() if categorical(t)]
    return frame.assign(
        **{name: frame[name].cat.rename_categories(_name) for name in coded}
    )


def _name(category: object) -> str:
    return str(category)


def _write_csv(frame: Any, folder: str) -> tuple[str, dict[str, str]]:
    path = os.path.join(folder, "frame.csv")
    frame = _plain(frame)
    frame.to_csv(path, index=False)
    return path, _categories([name for name, t in frame.dtypes.items() if categorical(t)])
