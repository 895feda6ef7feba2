"""A question, and how it is answered."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any, Literal, Union

import numpy as np

from ._errors import InputError

if TYPE_CHECKING:
    from .session import Session

__all__ = ["Answer", "Given", "Question", "answer_of"]

Answer = Literal["same", "different", "unknown"]
ANSWERS: tuple[Answer, ...] = ("same", "different", "unknown")
Given = Union[str, bool, None]


def answer_of(given: Given) -> Answer:
    """Returns an answer by its name: True is same, False is different, None is unknown."""
    if given is None:
        return "unknown"
    if isinstance(given, (bool, np.bool_)):
        return "same" if given else "different"
    for answer in ANSWERS:
        if given == answer:
            return answer
    raise InputError(
        f"{given!r} is no answer; give 'same', 'different' or 'unknown', or True, False or None"
    )


class Question:
    """Do two rows belong together?

    Attributes
    ----------
    number : int
        The number of the question, from 1.
    a, b : label
        The labels of the rows in the index of the data.
    rows : DataFrame or list of dict
        Both rows, in the form that the data have.
    why : str
        Why this pair is asked about.
    pair : tuple of int
        The numbers of the rows in the HTTP API.
    """

    def __init__(self, session: Session, said: dict[str, Any]) -> None:
        self._session = session
        self._said = said
        self.number = int(said["number"])
        self.why = str(said["why"])
        self.a = session.label(said["a"]["id"])
        self.b = session.label(said["b"]["id"])
        self.pair = (int(said["a"]["row"]), int(said["b"]["row"]))

    @property
    def rows(self) -> Any:
        """Returns both rows."""
        return self._session.rows([self.a, self.b])

    def answer(self, given: Given, *, keep: bool = False) -> Question | None:
        """Answers the question; see :meth:`Session.answer`."""
        return self._session.answer(given, self, keep=keep)

    def __repr__(self) -> str:
        return f"Question {self.number}: do {self.a!r} and {self.b!r} belong together? {self.why}"

    def _repr_html_(self) -> str:
        lines = [(f["name"], f["a"], f["b"]) for f in self._said.get("fields", [])]
        if not lines:
            lines = [("", self._said["a"].get("text", ""), self._said["b"].get("text", ""))]
        cells = "".join(
            "<tr>" + "".join(f"<td>{escape(str(cell))}</td>" for cell in line) + "</tr>"
            for line in [("", self.a, self.b), *lines]
        )
        return f"<p>Do these two belong together? {escape(self.why)}</p><table>{cells}</table>"
