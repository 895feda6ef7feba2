"""Rows of a session: their ids, their labels in the index of the data, their numbers in the API."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ._errors import InputError
from ._frame import Frame, table
from ._project import Project

__all__ = ["Rows"]

_PAGE = 10000  # rows of the partition that the API sends at once


class Rows:
    """The rows that take part in a project.

    Parameters
    ----------
    project : Project
    frame : Frame or None
        The data; None where they are a file.
    """

    def __init__(self, project: Project, frame: Frame | None) -> None:
        self._project = project
        self.frame = frame
        self._positions: dict[str, int] = {}
        self._numbers: dict[str, int] = {}
        if frame is not None:
            ids = frame.ids
            column = project.settings.get("id")
            if column != frame.id_name and column is not None:
                ids = [str(value) for value in frame.column(column)]
            self._positions = {name: at for at, name in enumerate(ids)}

    def label(self, name: str) -> Any:
        """Returns the label of a row by its id; the id where the data are a file."""
        at = self._positions.get(name)
        return name if self.frame is None or at is None else self.frame.labels[at]

    def number(self, label: Any) -> int:
        """Returns the number of a row in the API by its label."""
        if len(self._numbers) != self._project.state["rows"]:
            self._numbers = {str(self.label(name)): n for n, name in enumerate(self._ids())}
        number = self._numbers.get(str(label))
        if number is None:
            problem = f"no row that takes part has the label {label!r}"
            if self.frame is not None and self.frame.repeats:
                last = len(self.frame) - 1
                problem += f": labels of the index repeat, so give positions of rows, 0 to {last}"
            raise InputError(problem)
        return number

    def _ids(self) -> list[str]:
        """Returns the ids of the rows that take part, in their order."""
        if self.frame is not None and len(self.frame) == self._project.state["rows"]:
            return list(self._positions)
        return self.placed()[0]

    def placed(self) -> tuple[list[str], dict[str, Any]]:
        """Returns the ids of the rows that take part, and their places in columns."""
        ids: list[str] = []
        groups: list[int] = []
        sets: dict[str, list[list[int]]] = {"lower": [], "upper": []}
        outlier: list[bool] = []
        known: dict[tuple[int, ...], list[int]] = {}
        revision = -1
        while True:
            page = self._project.look("/partition", offset=len(ids), limit=_PAGE)
            rows: list[dict[str, Any]] = page["rows"]
            if ids and page["revision"] != revision:  # another fit has ended
                held: list[list[Any]] = [ids, groups, *sets.values(), outlier]
                for part in held:
                    part.clear()
                continue
            revision = page["revision"]
            ids += [row["id"] for row in rows]
            groups += [row["cluster"] for row in rows]
            if self._project.state.get("masses"):
                for name, column in sets.items():
                    for row in rows:
                        found = row.get(name, [])
                        column.append(known.setdefault(tuple(found), found))
                outlier += [bool(row.get("outlier")) for row in rows]
            if len(ids) >= page["total"] or not rows:
                break
        columns: dict[str, Any] = {"group": np.array(groups, dtype=np.int64)}
        if outlier:
            columns.update(sets, outlier=outlier)
        return ids, columns

    def take(self, labels: Sequence[Any]) -> Any:
        """Returns rows by their labels, in the form that the data have."""
        if self.frame is not None:
            known = {str(label): at for at, label in enumerate(self.frame.labels)}
            return self.frame.rows([known[str(label)] for label in labels])
        numbers = ",".join(str(self.number(label)) for label in labels)
        cards = [m["card"] for m in self._project.look("/objects", rows=numbers)["members"]]
        fields = [{f["name"]: f["value"] for f in card.get("fields", [])} for card in cards]
        columns: dict[str, Any] = {}
        if any("text" in card for card in cards):
            columns["text"] = [card.get("text", "") for card in cards]
        for name in dict.fromkeys(name for values in fields for name in values):
            columns[name] = [values.get(name, "") for values in fields]
        return table(columns, "", [card["id"] for card in cards], "id")

    def table(self, columns: dict[str, Any], names: Sequence[str]) -> Any:
        """Returns columns about rows, which have these ids, as a frame with their labels."""
        if self.frame is not None:
            positions = [self._positions.get(name, -1) for name in names]
            if -1 not in positions:
                return self.frame.like(columns, positions)
        return table(columns, "", list(names), "id")
