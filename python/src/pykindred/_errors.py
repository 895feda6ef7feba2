"""Errors of kindred.

Every error is a :class:`KindredError`. What is wrong with data or settings is also a
:class:`ValueError`, as scikit-learn has it.
"""

from __future__ import annotations

import re
from typing import Any

__all__ = ["InputError", "KindredError", "WorkerError", "pythonic"]

# What parameters are called here that have other names in the command.
NAMES = {
    "clusters": "n_clusters",
    "seed": "random_state",
    "threads": "n_jobs",
    "max-iterations": "max_iter",
    "tolerance": "tol",
    "starts": "n_init",
    "min-points": "min_samples",
    "min-cluster-size": "min_cluster_size",
}

_FLAG = re.compile(
    r"(?<![\w-])(?:--([a-z][a-z0-9-]*)|-(k))\b"
    r"(?:[ =](?!(?:is|and|or|with|has|names?|only|alone|too)\b)"
    r"([\w.]+)(?=[),:;.]|$| or | and ))?"
)


def pythonic(text: str) -> str:
    """Return a message of the command with its flags as parameters of Python.

    >>> pythonic("drop such rows (--missing drop)")
    "drop such rows (missing='drop')"
    """

    def parameter(m: re.Match[str]) -> str:
        flag, value = m.group(1) or "clusters", m.group(3)
        name = NAMES.get(flag, flag.replace("-", "_"))
        if value is None:
            return name
        return f"{name}={value}" if re.fullmatch(r"[\d.]+|[A-Z]+", value) else f"{name}={value!r}"

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
    """

    problem: str = ""
    fix: str = ""
    row: int | None = None
    column: str = ""
    chain: list[tuple[int, int, str]]

    def __init__(self, *args: object) -> None:
        super().__init__(*args)
        self.chain = []


class WorkerError(KindredError, RuntimeError):
    """The process of kindred cannot be started, ended, or failed."""


class CancelledError(KindredError):
    """A call that was cancelled."""


class GoneError(KindredError):
    """A result that the worker does not keep any more: the call is to be made with the data."""


def from_reply(error: dict[str, Any]) -> KindredError:
    """Return the exception that an error of the worker stands for."""
    kind, message = error.get("kind", "internal"), str(error.get("message", ""))
    if kind == "cancelled":
        return CancelledError("the call was cancelled")
    if kind == "gone":
        return GoneError(message)
    if kind in ("input", "setting"):
        e = InputError(pythonic(_message(error)))
        e.problem = str(error.get("problem", message))
        e.fix = pythonic(str(error.get("fix", "")))
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
