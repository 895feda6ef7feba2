"""What estimators take: arrays, frames, links, classes and oracles."""

from __future__ import annotations

import contextlib
import numbers
import os
import tempfile
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeAlias, Union, cast, runtime_checkable

import numpy as np
import numpy.typing as npt

from ._pictures import located
from ._sklearn import check_array, feature_names, validate_data
from ._tables import categorical, column, library, replaced, write_table

RandomState: TypeAlias = Union[int, np.random.RandomState, None]
Missing: TypeAlias = Literal["refuse", "keep", "drop", "median", "mean"]
Scale: TypeAlias = Literal["none", "minmax", "zscore"]
VectorMetric: TypeAlias = Literal["euclidean", "cosine", "l2"]
Metric: TypeAlias = Literal[
    "euclidean", "sqeuclidean", "manhattan", "cosine", "correlation", "tanimoto",
    "binary-correlation", "hamming", "jaccard", "gower", "levenshtein", "cyclic-edit", "dtw",
    "precomputed", "l1", "l2", "cityblock",
]  # fmt: skip
# Other names that peers have for metrics.
METRICS = {"l2": "euclidean", "l1": "manhattan", "cityblock": "manhattan"}
TEXT = "text"  # the column that texts become
Answer: TypeAlias = Union[bool, str, None]
Oracle: TypeAlias = Union[Callable[[int, int], Answer], npt.ArrayLike]
Pairs: TypeAlias = npt.ArrayLike
Array: TypeAlias = npt.NDArray[Any]
Ints: TypeAlias = npt.NDArray[np.int64]


@runtime_checkable
class Frame(Protocol):
    """A frame of pandas, polars or Arrow."""

    def __arrow_c_stream__(self, requested_schema: Any = None) -> object: ...


Data: TypeAlias = Union[npt.ArrayLike, Frame]


@dataclass
class Rows:
    """Rows as the executable takes them: an array, or a table in a file."""

    n: int
    array: Array | None  # n×d, or n×n with square; float32 or float64
    names: list[str] | None
    frame: Any = None  # of which a table is written
    square: bool = False
    library: str = ""
    index: Any = None  # of a frame of pandas
    texts: bool = False  # the rows are texts, the column TEXT of frame

    @contextlib.contextmanager
    def request(
        self, images: str | None = None
    ) -> Generator[tuple[dict[str, Any], dict[str, Array], dict[str, str]]]:
        """Yields fields of a request, its arrays, and settings of reading.

        The column images, where the frame has it, has pictures.
        """
        if self.array is not None:
            fields: dict[str, Any] = {} if self.names is None else {"columns": self.names}
            yield fields, {"X": self.array}, {}
            return
        place, fields, settings = _written(self.frame, images)
        with place:
            yield {**fields, "unscaled": True}, {}, settings


def _written(
    frame: Any, images: str | None
) -> tuple[tempfile.TemporaryDirectory[str], dict[str, Any], dict[str, str]]:
    """Writes a frame to a folder in memory, or where that is full to one on disk.

    Returns the folder, fields of a request, and settings of reading.
    """
    folders = ["/dev/shm", None] if os.access("/dev/shm", os.W_OK) else [None]
    while True:
        folder = folders.pop(0)
        with contextlib.ExitStack() as undo:
            place = tempfile.TemporaryDirectory(prefix="pykindred-", dir=folder)
            undo.callback(place.cleanup)
            try:
                fields: dict[str, Any] = {}
                shown = frame
                if images is not None and (values := column(frame, images)) is not None:
                    names, fields["pictures"] = located(values, place.name)
                    shown = replaced(frame, images, names)
                fields["table"], settings = write_table(shown, place.name)
            except OSError:
                if not folders:
                    raise
                continue
            undo.pop_all()
            return place, fields, settings


def unmasked(X: Data) -> Data:
    """Returns X with NaN for what is masked: such values are missing."""
    if not isinstance(X, np.ma.MaskedArray):
        return X
    masked = cast(Any, X)
    return cast(Array, masked.astype(np.result_type(masked.dtype, np.float32)).filled(np.nan))


def read(estimator: Any, X: Any, *, reset: bool, square: bool, allow_nan: bool) -> Rows:
    """Returns the rows of X, and sets or checks the names and number of columns.

    Numbers stay as they are: float32 and float64 arrays are not copied. A frame with
    other columns becomes a table in a file, which is read as the command reads it.
    """
    refuse_lazy(X)
    texts = None if square else _texts(X)
    if texts is not None:
        frame = {TEXT: texts}
        shown = _Columns(frame, (len(texts), 1), [TEXT])
        validate_data(estimator, shown, reset=reset, skip_check_array=True)
        pandas = type(X).__module__.partition(".")[0] == "pandas"
        return Rows(len(texts), None, None, frame, library=_module(X),
                    index=X.index if pandas else None, texts=True)  # fmt: skip
    of = library(X)
    index = X.index if of == "pandas" else None
    if of == "pandas" and not X.columns.is_unique:
        twice = X.columns[X.columns.duplicated()][0]
        raise ValueError(f"X has more than one column {twice!r}: give each column its own name")
    table = bool(of) and not square and not numeric(X, of)
    if table or of in ("polars", "pyarrow"):
        columns = [str(name) for name in getattr(X, "column_names", X.columns)]
        shown = X if feature_names(X) is not None else _Columns(X, tuple(X.shape), columns)
        validate_data(estimator, shown, reset=reset, skip_check_array=True)
    if table:
        if len(X) == 0:
            raise ValueError("Found array with 0 sample(s) while a minimum of 1 is required.")
        return Rows(len(X), None, None, X, library=of, index=index)
    of_numbers: dict[str, Any] = {
        "dtype": [np.float64, np.float32],
        "ensure_all_finite": "allow-nan" if allow_nan else True,
    }
    if of == "pyarrow":
        columns = [column.to_numpy() for column in X.columns]
        array = check_array(np.column_stack(columns), **of_numbers)
    elif of == "polars":
        array = check_array(X.to_numpy(), **of_numbers)
    else:
        try:
            array = validate_data(estimator, X, reset=reset, **of_numbers)
        except ValueError as err:
            raise _explained(err) from err
    if square and reset and array.shape[0] != array.shape[1]:
        raise ValueError(
            f"X has shape {array.shape}: precomputed dissimilarities are a square matrix")
    names = getattr(estimator, "feature_names_in_", None)
    return Rows(array.shape[0], array, None if names is None or square else list(names),
                square=square, library=of, index=index)  # fmt: skip


def refuse_lazy(X: object) -> None:
    """Refuses a frame whose rows are not there yet."""
    if type(X).__name__ == "LazyFrame":
        raise TypeError("X is a LazyFrame: give its rows, as by collect()")


def _module(X: object) -> str:
    """Returns the library that makes frames for a series: pandas, polars, pyarrow, or ""."""
    name = type(X).__module__.partition(".")[0]
    return name if name in ("pandas", "polars", "pyarrow") else ""


def _texts(X: Any) -> list[str] | None:
    """Returns the texts of a list or series that has nothing else; None of other data."""
    if isinstance(X, (list, tuple)):
        values = list(cast("list[Any]", X))
    elif hasattr(X, "__len__") and not hasattr(X, "columns") and (
        getattr(X, "ndim", 0) == 1 or _module(X)
    ):
        if getattr(getattr(X, "dtype", None), "kind", "O") in "biufcmM":
            return None
        to_list = getattr(X, "tolist", None) or getattr(X, "to_list", None)
        values = list(to_list()) if to_list is not None else []
    else:
        return None
    texts = [value for value in values if isinstance(value, str)]
    return texts if texts and len(texts) == len(values) else None


def _explained(err: ValueError) -> ValueError:
    """Returns an error of scikit-learn with what helps in pykindred."""
    said = str(err)
    if said.startswith("Input X contains NaN"):
        return ValueError(
            "Input X contains NaN. missing='keep' predicts such values from the other columns; "
            "missing='median' and missing='mean' fill them in; missing='drop' leaves such rows out, "
            "with the label -1")
    if said.startswith("could not convert string to float"):
        return ValueError(
            f"{said}. X is an array of numbers, a list of texts or a frame; a column of texts is "
            "compared by settings={'text': 'column'}")
    return err


class _Columns:
    """The columns of a frame for a version of scikit-learn that does not know its library."""

    def __init__(self, frame: Any, shape: tuple[int, int], names: list[str]) -> None:
        self.frame = frame
        self.shape = shape
        self._names = names

    def __len__(self) -> int:
        return int(self.shape[0])

    def __dataframe__(self) -> _Columns:
        return self

    def column_names(self) -> list[str]:
        return self._names


def numeric(X: Any, of: str) -> bool:
    """Reports whether all columns of a frame are numbers or booleans."""
    if of == "pandas":
        return all(
            getattr(t, "kind", "O") in "biuf" and not categorical(t) for t in X.dtypes.tolist()
        )
    if of == "polars":
        return all(t.is_numeric() or str(t) == "Boolean" for t in X.schema.values())
    types = X.schema.types
    return all(str(t) in _ARROW_NUMBERS for t in types)


_ARROW_NUMBERS = frozenset(
    [f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)]
    + ["halffloat", "float", "double", "bool"]
)


def merged(reading: Mapping[str, str], params: Mapping[str, str]) -> dict[str, str]:
    """Returns settings with those of reading a table, which give way."""
    out = {**reading, **params}
    if "types" in reading and "types" in params:
        given = [of.partition("=")[0] for of in params["types"].split(",")]
        ours = [of for of in reading["types"].split(",") if of.partition("=")[0] not in given]
        out["types"] = ",".join([*ours, params["types"]])
    return out


def text(value: object, name: str) -> str:
    """Returns the value of a parameter as the command has it."""
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, numbers.Integral):
        return str(int(value))
    if isinstance(value, numbers.Real):
        number = float(value)
        return str(int(number)) if number.is_integer() and abs(number) < 2**53 else repr(number)
    if isinstance(value, (str, os.PathLike)):
        return str(os.fspath(cast("str", value)))
    if isinstance(value, Mapping):
        pairs = cast("Mapping[object, object]", value).items()
        return ",".join(f"{key}={text(of, name)}" for key, of in pairs)
    if isinstance(value, (list, tuple)):
        return ",".join(text(of, name) for of in cast("list[object]", value))
    raise ValueError(f"{name}={value!r} is of type {type(value).__name__}: give a number or text")


def count(value: object, name: str) -> int:
    """Returns a parameter that counts, from 0."""
    if isinstance(value, numbers.Integral) and int(value) >= 0:
        return int(value)
    raise ValueError(f"{name}={value!r}: give a whole number, 0 or more")


def threads(n_jobs: object) -> int:
    """Returns the number of threads; 0: one per processor."""
    if n_jobs is None or n_jobs == -1:
        return 0
    if isinstance(n_jobs, numbers.Integral) and int(n_jobs) != 0:
        n = int(n_jobs)
        return n if n > 0 else max(1, (os.cpu_count() or 1) + 1 + n)
    raise ValueError(f"n_jobs={n_jobs!r}: give a number of threads, or None for all processors")


def seed(random_state: RandomState) -> int:
    """Returns the seed of a random state as scikit-learn has it."""
    if isinstance(random_state, numbers.Integral):
        if int(random_state) < 0:
            raise ValueError(f"random_state={random_state}: give a number of 0 or more")
        return int(random_state)
    if random_state is None:
        return int(np.random.randint(np.iinfo(np.int32).max))
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(np.iinfo(np.int32).max))
    raise ValueError(f"random_state={random_state!r}: give a number, a RandomState or None")


def pairs(of: Pairs | None, n: int, name: str) -> Ints | None:
    """Returns links as an array of shape (m, 2) of rows from 0."""
    if of is None:
        return None
    found = np.asarray(of)
    if found.size == 0:
        return None
    if found.ndim != 2 or found.shape[1] != 2 or found.dtype.kind not in "iu":
        raise ValueError(
            f"{name} has shape {found.shape} and type {found.dtype}: give pairs (i, j) of rows, "
            "whole numbers from 0")
    wrong = np.flatnonzero(((found < 0) | (found >= n)).any(axis=1))
    if wrong.size:
        i, j = found[wrong[0]]
        raise ValueError(f"{name}[{wrong[0]}] is ({i}, {j}): rows are numbered from 0 to {n - 1}")
    own = np.flatnonzero(found[:, 0] == found[:, 1])
    if own.size:
        raise ValueError(f"{name}[{own[0]}] links row {found[own[0], 0]} with itself")
    return np.ascontiguousarray(found, dtype=np.int64)


def classes(
    labels: npt.ArrayLike | None, n: int
) -> tuple[npt.NDArray[np.int32] | None, list[Any]]:
    """Returns known classes as numbers from 0, negative where unknown, and the label of each."""
    if labels is None:
        return None, []
    given = np.asarray(labels)
    if given.dtype.kind == "U":
        given = np.asarray(labels, dtype=object)  # numbers among texts stay numbers
    numbered = _numbered(given) if given.ndim == 1 and given.dtype.kind in "OTf" else given
    found = check_array(numbered, ensure_2d=False, dtype=None,
                        ensure_all_finite=False, ensure_min_samples=0)  # fmt: skip
    if found.shape != (n,):
        raise ValueError(f"labels has shape {found.shape}: give one label per row, shape ({n},)")
    if found.dtype.kind not in "iu":
        raise ValueError(
            f"labels is of type {found.dtype}: give whole numbers or texts, "
            "-1 or None where the class is unknown")
    rows = np.flatnonzero(found >= 0)
    if len(rows) == 0:
        return None, []
    out = np.full(n, -1, dtype=np.int32)
    _, first, number = np.unique(found[rows], return_index=True, return_inverse=True)
    out[rows] = number.reshape(-1)
    of = found if given.dtype.kind == "f" else given  # 7 for 7.0
    return out, of[rows[first]].tolist()


def partly(y: object) -> bool:
    """Reports whether y has classes of some rows, and -1, NaN or None of others."""
    try:
        given = np.asarray(y)
    except ValueError:  # rows of several lengths
        return False
    if given.ndim != 1:
        return False
    if given.dtype.kind == "i":
        unknown = given == -1
    elif given.dtype.kind == "f":
        unknown = (given == -1) | np.isnan(given)
    elif given.dtype.kind == "O":
        unknown = np.array([_unknown(v) for v in given], dtype=bool)
    else:
        return False
    return bool(unknown.any()) and not unknown.all()


def _unknown(label: Any) -> bool:
    """Reports whether a label is that of no class."""
    return int(label) < 0 if isinstance(label, numbers.Integral) else _nothing(label)


def _nothing(value: Any) -> bool:
    """Reports whether a value is None, NaN or NA."""
    return value is None or type(value).__name__ == "NAType" or np.ndim(value) == 0 and bool(
        value != value)  # fmt: skip


def _numbered(labels: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Returns labels with texts as numbers, and -1 where none is known; others as they are."""
    values: list[Any] = labels.tolist()
    known = np.array([not _unknown(v) for v in values], dtype=bool)
    named = [v for v, of in zip(values, known, strict=True) if of]
    if all(isinstance(v, str) for v in named):
        numbers_of: Any = np.unique(np.array(named, dtype=str), return_inverse=True)[1]
    elif all(isinstance(v, (int, float)) and float(v).is_integer() for v in named):
        numbers_of = np.array(named, dtype=np.int64)
    else:
        return labels
    out = np.full(len(values), -1, dtype=np.int64)
    out[known] = numbers_of
    return out


def answering(oracle: Oracle, n: int) -> Callable[[dict[str, Any]], str]:
    """Returns a function of an oracle that answers same, different, unknown or stop."""
    if not callable(oracle):
        true = np.asarray(oracle)
        if true.shape != (n,):
            raise ValueError(f"oracle has shape {true.shape}: give one class per row")
        known = [not _nothing(value) for value in true.tolist()]

        def by_class(question: dict[str, Any]) -> str:
            a, b = question["a"], question["b"]
            if not (known[a] and known[b]):
                return "unknown"
            return "same" if true[a] == true[b] else "different"

        return by_class

    def answer(question: dict[str, Any]) -> str:
        a, b = int(question["a"]), int(question["b"])
        try:
            found: Any = oracle(a, b)
        except StopIteration:
            return "stop"
        if found is None:
            return "unknown"
        if isinstance(found, (bool, np.bool_)):
            return "same" if found else "different"
        if found in ("same", "different", "unknown", "stop"):
            return str(found)
        raise ValueError(f"the oracle returned {found!r} for rows {a} and {b}: return True, False, "
                         'None, "same", "different", "unknown" or "stop"')  # fmt: skip

    return answer
