"""The widget of a session: a question, the map and the groups, in a cell of a notebook.

The widget talks to Python alone, and Python to the server, so that it works wherever the kernel
runs: in JupyterLab, VS Code, Colab and marimo, also on another machine. It loads nothing from
elsewhere.
"""

from __future__ import annotations

import pathlib
from collections.abc import Callable
from typing import Any, cast

import numpy as np

try:
    import anywidget
    import traitlets
except ImportError as missing:
    raise ImportError(
        "the widget needs anywidget; pip install 'pykindred[widget]', or open the studio by "
        "session.link()"
    ) from missing

from ._errors import KindredError
from ._question import answer_of
from ._server import ContradictionError
from .session import PLACES, Session

__all__ = ["AskWidget"]

_STATIC = pathlib.Path(__file__).parent / "static"
_MOST_POINTS = 20_000
_MOST_GROUPS = 60
_MEMBERS = 6
_PICTURES = 500  # that are kept in Python
_LARGE, _SMALL = 512, 96  # pixels of pictures


class AskWidget(anywidget.AnyWidget):
    """A widget with the questions of a session.

    Parameters
    ----------
    session : Session

    Attributes
    ----------
    view : dict
        What is shown: the question, the groups, how much is certain.
    points : bytes
        The map: x and y of rows as float32, at most 20 000 of them.
    places : bytes
        Of the same rows, colour as uint16, certainty and flags as bytes, as ``map/places`` of the
        HTTP API has them.
    """

    _esm = _STATIC / "widget.js"
    _css = _STATIC / "widget.css"
    view: Any = traitlets.Dict().tag(sync=True)
    points: Any = traitlets.Bytes(b"").tag(sync=True)
    places: Any = traitlets.Bytes(b"").tag(sync=True)

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self._kept: dict[tuple[int, int], bytes] = {}
        self._groups: tuple[Any, list[dict[str, Any]]] = (None, [])
        self._sample = np.zeros(0, dtype=np.int64)
        self._map: Any = None
        self._layout: str | None = None
        self._problem: dict[str, Any] | None = None
        cast(Any, self).on_msg(self._receive)
        self._show()

    def _receive(self, _widget: Any, content: Any, _buffers: Any) -> None:
        """Does what the page asks for. Errors are shown there."""
        said = cast("dict[str, Any]", content if isinstance(content, dict) else {})
        steps: dict[str, Callable[[dict[str, Any]], None]] = {
            "answer": self._answer,
            "skip": lambda _: self.session.skip(),
            "undo": lambda _: cast(None, self.session.undo()),
            "redo": lambda _: cast(None, self.session.redo()),
            "name": lambda m: self.session.name(int(m["group"]), str(m["name"])[:200]),
            "look": lambda _: None,
        }
        do = steps.get(str(said.get("do")))
        if do is None:
            return
        if said.get("do") != "look":
            self._problem = None
        try:
            do(said)
        except ContradictionError as clash:
            chain = ", ".join(
                f"{a} {'=' if kind == 'same' else '≠'} {b}" for a, b, kind in clash.chain
            )
            self._problem = {
                "text": f"This contradicts earlier answers: {chain}. Nothing was kept.",
                "answer": said.get("answer"),
            }
        except (KindredError, ValueError, KeyError) as failed:
            self._problem = {"text": str(failed)}
        self._show()

    def _answer(self, said: dict[str, Any]) -> None:
        """Answers the question that the page shows, whatever is asked by now."""
        self.session.step("/answers", a=int(said["a"]), b=int(said["b"]),
                          answer=answer_of(said["answer"]), question=int(said["number"]),
                          keep=bool(said.get("keep")))  # fmt: skip

    def _show(self) -> None:
        """Puts the project as it is into the view."""
        try:
            turn = self.session.turn()
            state = self.session.state
            self._draw(state)
            groups = self._clusters(state)
            view = {
                **self._words(state, sum(g["doubtful"] for g in groups)),
                "question": self._asked(turn.get("question")),
                "done": turn.get("done", ""),
                "groups": groups,
                "fitting": bool(state["fitting"]),
                "canUndo": bool(state["canUndo"]),
                "canRedo": bool(state["canRedo"]),
                "problem": self._problem,
            }
        except KindredError as failed:
            view = {**self.view, "problem": {"text": str(failed)}, "fitting": False}
        view["beat"] = int(self.view.get("beat", 0)) + 1  # so that every reply is seen
        self.view = view

    def _words(self, state: dict[str, Any], doubtful: int) -> dict[str, Any]:
        """Returns how much is done and certain, in words."""
        n, answers = int(state["rows"]), int(state["answers"])
        if state["settled"]:
            more = "The groups have settled: further answers are unlikely to change them."
        elif state["endless"] or (state["estimated"] and state["likely"] and not state["upto"]):
            more = "Stop when the groups are right."
        elif state["likely"] and state["estimated"]:
            least = "" if state["least"] == state["upto"] else f"{state['least']} to "
            more = f"Perhaps {least}{state['upto']} more."
        elif state["likely"]:
            more = f"Likely {state['likely']} more."
        else:
            more = "Few more, if any."
        certain = f"All {n:,} rows have a clear group so far."
        if doubtful:
            certain = f"{n - doubtful:,} of {n:,} rows have a clear group so far; the others are \
doubtful."
        remarks = [str(r) for r in state["remarks"]]
        return {
            "progress": f"{answers} answer{'' if answers == 1 else 's'}. {more}",
            "share": 1 if state["settled"] else answers / max(1, answers + int(state["likely"])),
            "certain": certain,
            "remarks": [r[:1].upper() + r[1:] + "." for r in remarks],
            "changed": str(state.get("changed", "")),
            "keeps": not self.session.passing,
            "kind": state["kind"],
            "rows": n,
            "failed": str(state.get("failed", "")),
        }

    def _asked(self, asked: dict[str, Any] | None) -> dict[str, Any] | None:
        if asked is None:
            return None
        marks: list[list[float]] = []
        for side in ("a", "b"):
            if self._map is not None:
                marks.append([float(v) for v in self._map[asked[side]["row"]]])
        return {
            "number": asked["number"],
            "why": asked["why"],
            "a": self._card(asked["a"], _LARGE),
            "b": self._card(asked["b"], _LARGE),
            "fields": asked.get("fields", []),
            "marks": marks,
        }

    def _card(self, card: dict[str, Any], size: int) -> dict[str, Any]:
        """Returns an object as it is shown, with its picture as bytes."""
        shown = {
            "row": card["row"],
            "id": card["id"],
            "text": card.get("text", "")[: 4000 if size == _LARGE else 120],
        }
        if size == _LARGE:
            shown["series"] = card.get("series")
            shown["width"] = card.get("width", 0)
        elif not shown["text"]:
            shown["text"] = ", ".join(f["value"] for f in card.get("fields", [])[:4])
        if card.get("image"):
            shown["picture"] = self._picture(int(card["row"]), size)
            shown["text"] = ""
        return shown

    def _picture(self, row: int, size: int) -> bytes:
        known = self._kept.get((row, size))
        if known is None:
            known = self._kept[row, size] = self.session.picture(row, size)
            while len(self._kept) > _PICTURES:
                del self._kept[next(iter(self._kept))]
        return known

    def _clusters(self, state: dict[str, Any]) -> list[dict[str, Any]]:
        """Returns the groups, which change with the fit and with names."""
        of, groups = self._groups
        now = (state["fitted"], state["revision"])
        if of != now:
            groups = self._fetch()
            self._groups = (now, groups)
        return groups

    def _fetch(self) -> list[dict[str, Any]]:
        groups: list[dict[str, Any]] = []
        for c in self.session.clusters()[:_MOST_GROUPS]:
            groups.append(
                {
                    "group": c["cluster"],
                    "hue": c["hue"],
                    "name": " / ".join(c["names"]),
                    "suggested": c.get("suggested", ""),
                    "size": c["size"],
                    "doubtful": c["doubtful"],
                    "traits": [t["words"] for t in c["traits"][:2]],
                    "members": [self._card(m, _SMALL) for m in c["members"][:_MEMBERS]],
                }
            )
        return groups

    def _draw(self, state: dict[str, Any]) -> None:
        """Puts the map into the points and places, if they changed."""
        layout = str(state.get("layout", ""))
        if layout != self._layout:
            query = "?layout=neighbours" if layout == "neighbours" else ""
            data = self.session.call("GET", "/map/points" + query)
            self._map = np.frombuffer(data, "<f4").reshape(-1, 2)
            self._layout = layout
            step = max(1, -(-len(self._map) // _MOST_POINTS))
            self._sample = np.arange(0, len(self._map), step)
            self.points = self._map[self._sample].tobytes()
        data = self.session.call("GET", "/map/places")
        places = np.frombuffer(data, PLACES)[self._sample].copy()
        hues = np.array([0, *(h + 1 for h in state["hues"])], dtype=np.uint16)
        places["set"] = places["cluster"]
        known = places["cluster"] < len(hues)
        places["cluster"] = np.where(known, hues[np.where(known, places["cluster"], 0)], 0)
        if (made := places.tobytes()) != self.places:
            self.places = made
