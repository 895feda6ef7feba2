"""Errors of kindred.

Every error is a :class:`KindredError`. What is wrong with data or settings is also a
:class:`ValueError`, as scikit-learn has it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

__all__ = ["InputError", "KindredError", "WorkerError", "pythonic"]

# What parameters of methods are called here that have other names in the command: the terms of
# scikit-learn. tools/generate.py reads them, too.
NAMES = {
    "clusters": "n_clusters",
    "cut": "distance_threshold",
    "extraction": "cluster_method",
    "max-iterations": "max_iter",
    "min-points": "min_samples",
    "neighbours": "n_neighbors",
    "seed": "random_state",
    "selection": "cluster_selection_method",
    "selection-eps": "cluster_selection_epsilon",
    "single": "allow_single_cluster",
    "starts": "n_init",
    "steepness": "xi",
    "threads": "n_jobs",
    "tolerance": "tol",
    "transform": "dissimilarity_transform",  # which estimators have for a method
}

_FLAG = re.compile(
    r"(?<![\w-])(?:--([a-z][a-z0-9-]*)|-(k))\b"
    r"(?:[ =](?!(?:is|and|or|with|has|names?|only|alone|too)\b)"
    r"([\w.]+)(?=[),:;.]|$| or | and | uses | compares ))?"
)

# How the command draws a picture that one method alone has; estimators have the names of these.
_DRAWN = re.compile(
    r"draw it with (?:the fit: )?kindred cluster --method (\w+) --plot FILE --picture ([\w-]+)"
)


def pythonic(text: str, own: Mapping[str, str] | None = None) -> str:
    """Return a message of the command with its flags as parameters of Python.

    Own are the parameters that there are, by their names in the command; others are settings.

    >>> pythonic("drop such rows (--missing drop)")
    "drop such rows (missing='drop')"
    >>> pythonic("leave it out (--drop city)", own={"eps": "eps"})
    "leave it out (settings={'drop': 'city'})"
    """

    def parameter(m: re.Match[str]) -> str:
        flag, value = m.group(1) or "clusters", m.group(3)
        name = NAMES.get(flag, flag.replace("-", "_"))
        shown = value and (value if re.fullmatch(r"[\d.]+|[A-Z]+", value) else repr(value))
        if own is not None and flag not in own:
            return f"settings={{{flag!r}: {shown or '…'}}}"
        if own is not None:
            name = own[flag]
        return f"{name}={shown}" if shown else name

    # which a program of Python has in the data
    text = text.replace("; kindred data info lists the columns", "")
    text = _DRAWN.sub(lambda m: f"draw it by plot({m[2]!r}) of a fitted {m[1].upper()}", text)
    return _FLAG.sub(parameter, text)


class KindredError(Exception):
    """An error of kindred."""


class InputError(KindredError, ValueError):
    """Data or settings that kindred cannot use.

    Attributes
    ----------
    problem : str
        What is wrong.
    fix : str
        What can be done about it; "" where the message is all there is.
    row : int or None
        The row, from 0, where it is one.
    column : str
        The column, by name; "" where it is none.
    chain : list of (int, int, str)
        Links that contradict each other: two rows and "same" or "different".
    command : (str, str)
        The message and the fix as the command has them.
    """

    problem: str = ""
    fix: str = ""
    row: int | None = None
    column: str = ""
    chain: list[tuple[int, int, str]]
    command: tuple[str, str]

    def __init__(self, *args: object) -> None:
        super().__init__(*args)
        self.chain = []
        self.command = "", ""

    def name(self, own: Mapping[str, str], table: str) -> None:
        """Name parameters by what they are called, and the file of a table X."""
        message, fix = self.command
        if message:
            self.args = (pythonic(message, own).replace(table, "X"),)
            self.fix = pythonic(fix, own)


class WorkerError(KindredError, RuntimeError):
    """The process of kindred cannot be started, ended, or failed."""


class CancelledError(KindredError):
    """A call that was cancelled."""


class GoneError(KindredError):
    """A result that the worker does not keep any more: the call is to be made with the data."""


class UnreadError(KindredError):
    """An array that the worker cannot read in the memory of this process."""


def from_reply(error: dict[str, Any]) -> KindredError:
    """Return the exception that an error of the worker stands for."""
    kind, message = error.get("kind", "internal"), str(error.get("message", ""))
    if kind == "cancelled":
        return CancelledError("the call was cancelled")
    if kind == "gone":
        return GoneError(message)
    if kind == "memory":
        return UnreadError(message)
    if kind in ("input", "setting"):
        whole, fix = _message(error), str(error.get("fix", ""))
        e = InputError(pythonic(whole))
        e.problem = str(error.get("problem", message))
        e.fix = pythonic(fix)
        e.command = whole, fix
        e.row = error.get("row")
        e.column = str(error.get("column", ""))
        chain: list[tuple[int, int, str]] = error.get("chain") or []
        e.chain = [(a, b, how) for a, b, how in chain]
        return e
    return WorkerError(f"kindred failed: {message}")


def _message(error: dict[str, Any]) -> str:
    """Return the message of an error, its rows counted from 0."""
    problem = error.get("problem")
    if not problem:
        if chain := error.get("chain"):
            shown = ", ".join(f"{a} {'=' if k == 'same' else '≠'} {b}" for a, b, k in chain)
            return (
                f"links contradict each other: {shown}; correct one of them, "
                "or keep both with contradictions='keep'"
            )
        return str(error.get("message", ""))
    where: list[str] = []
    if error.get("file"):
        where.append(str(error["file"]))
    if error.get("row") is not None:
        where.append(f"row {error['row']}")
    if error.get("column"):
        where.append(f"column {error['column']}")
    text = f"{', '.join(where)}: {problem}" if where else str(problem)
    return f"{text}; {error['fix']}" if error.get("fix") else text
