"""Questions about the rows of a frame, and the groups that follow from the answers."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import time
import uuid
import weakref
from collections.abc import Callable, Iterable, Iterator, Sequence
from html import escape
from types import TracebackType
from typing import Any, Literal, cast
from urllib.parse import quote, urlencode

import numpy as np

from . import _data, _server
from ._errors import InputError, KindredError
from ._frame import Frame, table
from ._pictures import placed
from ._plots import Picture
from ._server import ContradictionError

__all__ = ["ContradictionError", "Question", "Session", "ask"]

Answer = Literal["same", "different", "unknown"]
Given = str | bool | None

# Names of parameters that scikit-learn calls otherwise.
_NAMES = {
    "n_clusters": "clusters", "random_state": "seed", "n_jobs": "threads",
    "max_iter": "max-iterations", "tol": "tolerance", "n_init": "starts",
    "min_samples": "min-points",
}  # fmt: skip


def answer_of(given: Given) -> Answer:
    """Returns an answer by its name: True is same, False is different, None is unknown."""
    if given is None:
        return "unknown"
    if isinstance(given, (bool, np.bool_)):
        return "same" if given else "different"
    if given in ("same", "different", "unknown"):
        return cast(Answer, given)
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
        return self._session.rows([self.a, self.b], self._said)

    def answer(self, given: Given, *, keep: bool = False) -> Question | None:
        """Answers the question; see :meth:`Session.answer`."""
        return self._session.answer(given, self, keep=keep)

    def __repr__(self) -> str:
        return f"Question {self.number}: do {self.a!r} and {self.b!r} belong together? {self.why}"

    def _repr_html_(self) -> str:
        head = f"<tr><th></th><th>{escape(str(self.a))}</th><th>{escape(str(self.b))}</th></tr>"
        lines = [
            (f["name"], f["a"], f["b"]) for f in self._said.get("fields", [])
        ]
        if not lines:
            lines = [("", self._said["a"].get("text", ""), self._said["b"].get("text", ""))]
        cells = "".join(
            "<tr>" + "".join(f"<td>{escape(str(cell))}</td>" for cell in line) + "</tr>"
            for line in lines
        )
        return f"<p>Do these two belong together? {escape(self.why)}</p><table>{head}{cells}</table>"


class Session:
    """Questions about the rows of a frame, and the groups that follow from the answers.

    Every answer is on disk before :meth:`answer` returns, and the same call goes on later, as
    ``kindred ask notes.kindred`` does on the command line. Several sessions of a project, also in
    several threads, are views of the same answers. A session ends with Python, or with
    :meth:`close`; the project stays.

    Parameters
    ----------
    data : pandas or polars DataFrame, pyarrow Table, array of shape (n, d), dict, list or path
        The rows; a list of texts is a column ``text``. A path is that of a file or folder that
        kindred reads, or of a project ``NAME.kindred``. Rows are written once, to
        ``NAME.rows.arrow`` beside the project, with the index as their ids.
    project : path, optional
        The file that keeps the answers. Without it the project of a path is ``NAME.kindred`` in
        the current folder, and that of other data ends with the session.
    changed_data : {"refuse", "carry"}
        What to do where the data changed since the answers: an error, or take along the answers
        about rows that are still there, by their labels.
    progress : callable, optional
        Called with what is done and its share, in [0, 1], while the project is opened.
    **settings
        Settings by the names of the command's flags, with ``_`` for ``-``: ``text="note"``,
        ``images="path"``, ``method="evclus"``, ``n_clusters=3``. Pictures may be paths, bytes or
        objects of Pillow. ``embedding`` may be an array of shape (n, p).

    Examples
    --------
    >>> session = Session(notes, text="note", project="notes.kindred")  # doctest: +SKIP
    >>> for question in session.questions():  # doctest: +SKIP
    ...     question.answer(input(f"{question} "))
    >>> session.groups()  # doctest: +SKIP
    """

    def __init__(
        self,
        data: Any,
        *,
        project: str | os.PathLike[str] | None = None,
        changed_data: Literal["refuse", "carry"] = "refuse",
        progress: Callable[[str, float], None] | None = None,
        **settings: Any,
    ) -> None:
        if changed_data not in ("refuse", "carry"):
            raise InputError(f"changed_data={changed_data!r}: give 'refuse' or 'carry'")
        self._frame: Frame | None = None
        self._passing: str | None = None
        source = ""
        if isinstance(data, (str, os.PathLike)):
            source = os.fspath(cast("str | os.PathLike[str]", data))
            if source.lower().endswith(".kindred"):
                if project is not None:
                    raise InputError(f"{source} is a project itself; leave out project=")
                project, source = source, ""
            elif project is None:
                stem = os.path.basename(os.path.normpath(source)).partition(".")[0]
                project = stem + ".kindred"
        else:
            self._frame = Frame(data)
        if project is None:
            self._passing = tempfile.mkdtemp(prefix="pykindred-")
            project = os.path.join(self._passing, "session.kindred")
        self.project = os.path.abspath(project)
        if not self.project.lower().endswith(".kindred"):
            raise InputError(f"project={os.fspath(project)!r}: give a name that ends with .kindred")
        self._server = _server.current()
        self._id = ""
        self._labels: dict[str, Any] = {}
        self._positions: list[int] | None = None
        self._question: Question | None = None
        self._ids_cache: list[str] | None = None
        self._progress = progress
        try:
            given = _settings(settings)
            if self._frame is not None:
                source = self._write(self._frame, given, changed_data == "carry")
            elif source and os.path.exists(source):
                source = os.path.abspath(source)
            self._spec: dict[str, Any] = {"data": source, "settings": given,
                                          "carry": changed_data == "carry"}  # fmt: skip
            self._open()
        except BaseException:
            if self._passing is not None:
                shutil.rmtree(self._passing, ignore_errors=True)
            raise
        self._server.join(self.project)
        self._closed = weakref.finalize(self, _end, self._server, self.project, self._passing)

    # Opening

    def _write(self, frame: Frame, settings: dict[str, Any], carry: bool) -> str:
        """Writes the rows, and what the settings have beside them; returns the file of the rows."""
        stem = self.project[: -len(".kindred")]
        os.makedirs(os.path.dirname(stem), exist_ok=True)
        replace = carry or not os.path.exists(self.project) and self._passing is not None
        replaced: dict[str, Sequence[Any]] = {}
        images = settings.get("images")
        if images in frame.names:
            replaced[images] = placed(frame.column(images), stem + ".pictures")
        embedding = settings.get("embedding")
        if isinstance(embedding, np.ndarray):
            made = _embedding(embedding, len(frame), stem + ".embedding.npy", replace)
            settings["embedding"] = made
        path, more = frame.write(stem + ".rows", replaced, own="id" in settings, replace=replace)
        for name, value in more.items():
            settings.setdefault(name, value)
        return path

    def _open(self) -> None:
        """Opens the project, and waits until there is a question."""
        self._id = self._server.open(self.project, self._spec)
        wait = 0.002
        try:
            while True:
                try:
                    self._state = self._get("")
                    return
                except _server.Problem as refused:
                    if refused.kind != "opening":
                        raise self._why() or refused from None
                    if self._progress is not None:
                        self._report()
                time.sleep(wait)
                wait = min(wait * 1.5, 0.1)
        except BaseException:
            if self._server.users.get(self.project, 0) == 0:
                self._server.join(self.project)
                self._server.leave(self.project)
            raise

    def _listed(self) -> dict[str, Any]:
        for entry in self._json("GET", "/projects")["projects"]:
            if entry["id"] == self._id:
                return cast("dict[str, Any]", entry)
        return {}

    def _why(self) -> _server.Problem | None:
        """Returns why the project could not be opened."""
        entry = self._listed()
        if not entry.get("error"):
            return None
        text = str(entry["error"])
        if entry.get("changed"):
            text += '; or changed_data="carry"'
        kind = entry.get("type") or "/input"
        return _server.problem({"type": kind, "detail": text, "mend": entry.get("mend", "")})

    def _report(self) -> None:
        entry = self._listed()
        if self._progress is not None and entry.get("what"):
            self._progress(str(entry["what"]), float(entry.get("share", -1)))

    # Calls

    def _json(self, method: str, path: str, body: Any = None) -> dict[str, Any]:
        import json

        return cast("dict[str, Any]", json.loads(self._raw(method, path, body)[2]))

    def _raw(
        self, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None
    ) -> tuple[int, Any, bytes]:
        return self._server.call(method, path, body, headers)

    def _at(self, path: str) -> str:
        return f"/projects/{quote(self._id, safe='')}{path}"

    def _get(self, path: str) -> dict[str, Any]:
        return self._json("GET", self._at(path))

    def _again(self) -> None:
        """Opens the project again after its server ended, or another session restarted it."""
        if not self._closed.alive:
            raise KindredError("the session is closed; make another one")
        server = _server.current()
        if server is not self._server:
            self._server = server
            server.join(self.project)
            self._closed.detach()
            self._closed = weakref.finalize(self, _end, server, self.project, self._passing)
        known = server.ids.get(self.project)
        if known is None:
            self._open()
        else:
            self._id = known

    def call(
        self, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None
    ) -> tuple[int, Any, bytes]:
        """Calls the HTTP API about this project: ``call("GET", "/turn")``.

        A server that ended meanwhile is started again, and the same call made again: steps have
        an ``id``, so that none is done twice.

        Returns
        -------
        status, headers, body
        """
        if not self._closed.alive:
            raise KindredError("the session is closed; make another one")
        for attempt in range(4):
            try:
                return self._raw(method, self._at(path), body, headers)
            except _server.Gone as gone:
                if attempt == 3:
                    raise KindredError(f"kindred does not answer: {gone}") from None
                if self._server.alive():
                    time.sleep(0.05)
                else:
                    self._again()
            except _server.Problem as refused:
                if refused.kind == "opening":  # by another session of this project
                    self._wait()
                elif refused.kind in ("not-found", "closed") and attempt == 0:
                    if self._server.ids.get(self.project) == self._id and refused.kind != "closed":
                        raise
                    self._again()
                else:
                    raise
        raise KindredError("kindred does not answer")

    def _wait(self) -> None:
        while self._listed().get("state") == "opening":
            time.sleep(0.02)

    def step(self, path: str, **body: Any) -> dict[str, Any]:
        """Does a step of the HTTP API, as ``step("/undo")``, and returns the reply."""
        import json

        step = {"id": uuid.uuid4().hex, **body}
        try:
            reply = json.loads(self.call("POST", path, step)[2])
        except ContradictionError as clash:
            clash.chain = [
                (cast(Any, self.label(str(a))), cast(Any, self.label(str(b))), kind)
                for a, b, kind in clash.chain
            ]
            raise
        self._state = reply["state"]
        self._question = None
        return cast("dict[str, Any]", reply)

    def _look(self, path: str, **query: Any) -> dict[str, Any]:
        import json

        address = path + ("?" + urlencode(query) if query else "")
        return cast("dict[str, Any]", json.loads(self.call("GET", address)[2]))

    # Rows and labels

    def ids(self) -> list[str]:
        """Returns the ids of the rows that take part, in their order."""
        if self._ids_cache is None or len(self._ids_cache) != self._state["rows"]:
            found: list[str] = []
            while len(found) < self._state["rows"]:
                page = self._look("/partition", offset=len(found), limit=10000)
                found += [row["id"] for row in page["rows"]]
                if not page["rows"]:
                    break
            self._ids_cache = found
        return self._ids_cache

    def _own(self) -> bool:
        """Reports whether ids are those of the labels of the frame."""
        return self._frame is not None and self._spec["settings"].get("id") == self._frame.id_name

    def label(self, name: str) -> Any:
        """Returns the label of a row in the index of the data by its id."""
        at = self._position(name)
        return name if at is None or self._frame is None else self._frame.labels[at]

    def _position(self, name: str) -> int | None:
        """Returns the position of a row in the frame by its id."""
        if self._frame is None:
            return None
        if not self._labels:
            if self._own():
                ids = self._frame.ids
            else:
                column = self._spec["settings"].get("id")
                ids = [str(v) for v in self._frame.column(column)]
            self._labels = {known: p for p, known in enumerate(ids)}
        return cast("int | None", self._labels.get(name))

    def _row(self, label: Any) -> int:
        """Returns the number that the API has for a label."""
        if self._frame is not None and self._own() and self._state["rows"] == len(self._frame):
            name = str(label)
            at = self._position(name)
            if at is not None:
                return at
        names = self._numbers()
        if str(label) not in names:
            raise InputError(f"no row that takes part has the label {label!r}")
        return names[str(label)]

    def _numbers(self) -> dict[str, int]:
        ids = self.ids()
        names = getattr(self, "_names_cache", None)
        if names is None or len(names) != len(ids):
            names = self._names_cache = {name: i for i, name in enumerate(ids)}
            if self._frame is not None and not self._own():  # by label, and not by id
                known = {self._position(name): i for name, i in names.items()}
                for p, label in enumerate(self._frame.labels):
                    if p in known:
                        names[str(label)] = known[p]
        return cast("dict[str, int]", names)

    def rows(self, labels: Sequence[Any], said: dict[str, Any] | None = None) -> Any:
        """Returns rows by their labels, in the form that the data have."""
        if self._frame is not None:
            known = {label: p for p, label in enumerate(self._frame.labels)}
            return self._frame.rows([known[label] for label in labels])
        if said is None:
            numbers = ",".join(str(self._row(label)) for label in labels)
            cards = [m["card"] for m in self._look("/objects", rows=numbers)["members"]]
        else:
            cards = [said["a"], said["b"]]
        names = dict.fromkeys(f["name"] for card in cards for f in card.get("fields", []))
        columns: dict[str, Any] = {}
        if any("text" in card for card in cards):
            columns["text"] = [card.get("text", "") for card in cards]
        for name in names:
            columns[name] = [
                next((f["value"] for f in card.get("fields", []) if f["name"] == name), "")
                for card in cards
            ]
        return table(columns, "", [card["id"] for card in cards], "id")

    def _table(self, columns: dict[str, Any], names: Sequence[str]) -> Any:
        """Returns columns about rows, with their labels as the index."""
        if self._frame is None:
            return table(columns, "", list(names), "id")
        positions = [self._position(name) for name in names]
        return self._frame.like(columns, cast("list[int]", positions), names)

    # Questions and answers

    def turn(self) -> dict[str, Any]:
        """Returns what is to be done next, as the HTTP API has it."""
        turn = self._look("/turn")
        self._question = Question(self, turn["question"]) if turn.get("question") else None
        return turn

    def question(self) -> Question | None:
        """Returns the next question; None where there is none."""
        self.turn()
        while self._question is None:
            fitting = self.state["fitting"]
            self.turn()
            if not fitting:
                break
            time.sleep(0.02)
        return self._question

    def questions(self) -> Iterator[Question]:
        """Yields questions until there are no more. One that is not answered is put off."""
        last: Question | None = None
        while True:
            asked = self.question()
            if asked is not None and last is not None and asked.pair == last.pair:
                self.skip(asked)
                asked = self.question()
            if asked is None:
                return
            last = asked
            yield asked

    def answer(
        self, given: Given, question: Question | None = None, *, keep: bool = False
    ) -> Question | None:
        """Answers a question, and returns the next one. The answer is on disk then.

        Parameters
        ----------
        given : {"same", "different", "unknown"} or bool or None
            The answer; True is same, False is different, None is unknown.
        question : Question, optional
            The question; by default the one that was returned last, or is next.
        keep : bool
            Keep an answer that contradicts others as a doubt.

        Raises
        ------
        ContradictionError
            If the opposite follows from other answers. Nothing is kept.
        """
        said = answer_of(given)
        asked = question or self._question or self.question()
        if asked is None:
            raise InputError("there is no question to answer; use same() or different() for links")
        a, b = asked.pair
        reply = self.step("/answers", a=a, b=b, answer=said, question=asked.number, keep=keep)
        turn = reply["turn"]
        if turn.get("question"):
            self._question = Question(self, turn["question"])
            return self._question
        return self.question()

    def skip(self, question: Question | None = None) -> None:
        """Puts a question off."""
        asked = question or self._question or self.question()
        if asked is not None:
            self.step("/skips", a=asked.pair[0], b=asked.pair[1])

    def same(self, pairs: Iterable[tuple[Any, Any]], *, keep: bool = False) -> None:
        """States must-links between rows, by their labels. All of up to 10 000 are kept or none."""
        self._link(pairs, "same", keep)

    def different(self, pairs: Iterable[tuple[Any, Any]], *, keep: bool = False) -> None:
        """States cannot-links between rows, by their labels."""
        self._link(pairs, "different", keep)

    def unknown(self, pairs: Iterable[tuple[Any, Any]]) -> None:
        """States that nothing is known about pairs of rows, by their labels."""
        self._link(pairs, "unknown", False)

    def _link(self, pairs: Iterable[tuple[Any, Any]], link: Answer, keep: bool) -> None:
        stated = [{"a": self._row(a), "b": self._row(b), "link": link} for a, b in pairs]
        for at in range(0, len(stated), 10000):
            self.step("/links", pairs=stated[at : at + 10000], keep=keep)

    def undo(self) -> dict[str, Any]:
        """Takes back the last step, also of an earlier session, and returns it."""
        return cast("dict[str, Any]", self.step("/undo")["event"])

    def redo(self) -> dict[str, Any]:
        """Brings back the step that was taken back last, and returns it."""
        return cast("dict[str, Any]", self.step("/redo")["event"])

    def leave_out(self, label: Any) -> None:
        """Leaves a row out as bad data."""
        self.step("/bad", row=self._row(label))

    def name(self, group: int, name: str) -> None:
        """Names a group by its number. The name stays with its members; "" removes it."""
        for cluster in self.clusters():
            if cluster["cluster"] == group:
                self.step("/names", row=cluster["medoid"]["row"], name=name)
                return
        raise InputError(f"there is no group {group}; groups() has their numbers")

    def ask(
        self,
        oracle: Callable[[Any, Any], Given],
        budget: int | None = None,
        progress: Callable[[int], None] | None = None,
    ) -> Session:
        """Lets a function answer.

        Parameters
        ----------
        oracle : callable
            Called with the labels of two rows; returns an answer as :meth:`answer` takes it.
        budget : int, optional
            Answers in all after which to stop; by default when the groups have settled.
        progress : callable, optional
            Called with the number of answers after each.
        """
        while True:
            answers = self.state["answers"]
            if budget is not None and answers >= budget:
                return self
            asked = self.question()
            if asked is None or budget is None and self._state["settled"]:
                return self
            a, b = asked.pair
            said = answer_of(oracle(asked.a, asked.b))
            self.step("/answers", a=a, b=b, answer=said, question=asked.number, keep=False)
            if progress is not None:
                progress(answers + 1)

    # Results

    @property
    def passing(self) -> bool:
        """Reports whether the project ends with the session."""
        return self._passing is not None

    @property
    def state(self) -> dict[str, Any]:
        """The state of the project, as the HTTP API has it: rows, answers, settled, remarks …"""
        self._state = self._look("")
        return self._state

    def groups(self) -> Any:
        """Returns the group of each row, as a frame with the index of the data.

        Returns
        -------
        DataFrame with the columns

            group : int, from 1, the largest first; 0 for none
            name : str, that was given to the group
            certainty : float in [0, 1]; below a half the row is doubtful
            lower, upper : tuple of int, of methods with masses: the group that the row certainly \
belongs to, and those that it may belong to
            outlier : bool, of methods with masses
        """
        names = {
            c["cluster"]: " / ".join(c["names"]) for c in self.clusters()
        }
        rows: list[dict[str, Any]] = []
        while True:
            page = self._look("/partition", offset=len(rows), limit=10000)
            if rows and page["revision"] != revision:
                rows = []  # another fit has ended
                continue
            revision = page["revision"]
            rows += page["rows"]
            if len(rows) >= page["total"]:
                break
        columns: dict[str, Any] = {
            "group": np.array([r["cluster"] for r in rows], dtype=np.int64),
            "name": [names.get(r["cluster"], "") for r in rows],
        }
        places = np.frombuffer(self.call("GET", "/map/places")[2], PLACES)
        if len(places) == len(rows):
            columns["certainty"] = places["certainty"] / 255.0
        if self._state.get("masses"):
            columns["lower"] = [tuple(r.get("lower", ())) for r in rows]
            columns["upper"] = [tuple(r.get("upper", ())) for r in rows]
            columns["outlier"] = [bool(r.get("outlier")) for r in rows]
            if self._frame is not None and self._frame.library in ("polars", "pyarrow"):
                columns["lower"] = [list(v) for v in columns["lower"]]
                columns["upper"] = [list(v) for v in columns["upper"]]
        return self._table(columns, [r["id"] for r in rows])

    def summary(self) -> Any:
        """Returns what is known of each group: name, suggested name, size, doubtful, traits."""
        clusters = self.clusters()
        columns = {
            "name": [" / ".join(c["names"]) for c in clusters],
            "suggested": [c.get("suggested", "") for c in clusters],
            "size": [c["size"] for c in clusters],
            "doubtful": [c["doubtful"] for c in clusters],
            "typical": [self.label(c["medoid"]["id"]) for c in clusters],
            "traits": ["; ".join(t["words"] for t in c["traits"]) for c in clusters],
        }
        return table(columns, self._frame.library if self._frame else "",
                     [c["cluster"] for c in clusters], "group")  # fmt: skip

    def doubts(self, limit: int = 1000) -> Any:
        """Returns the doubtful rows, the least certain first, with the reason in words."""
        members: list[dict[str, Any]] = []
        while len(members) < limit:
            most = min(1000, limit - len(members))
            page = self._look("/doubts", offset=len(members), limit=most)
            members += page["members"]
            if len(page["members"]) < most:
                break
        columns = {
            "group": [m["cluster"] for m in members],
            "certainty": [m["certainty"] for m in members],
            "others": [list(m.get("others", [])) for m in members],
            "outlier": [bool(m.get("outlier")) for m in members],
            "why": [m["why"] for m in members],
        }
        return self._table(columns, [m["card"]["id"] for m in members])

    def clusters(self) -> list[dict[str, Any]]:
        """Returns the groups with their members and traits, as the HTTP API has them."""
        return cast("list[dict[str, Any]]", self._look("/groups")["clusters"])

    def history(self) -> list[dict[str, Any]]:
        """Returns all steps, the latest first, as the HTTP API has them."""
        events: list[dict[str, Any]] = []
        while True:
            page = self._look("/history", offset=len(events), limit=1000)
            events += page["events"]
            if len(events) >= page["total"] or not page["events"]:
                return events

    def plot(self, kind: str = "groups", *, layout: str | None = None) -> Picture:
        """Draws the groups as they are.

        Parameters
        ----------
        kind : str
            ``groups``; of methods with masses also ``rough``, ``masses``, ``heatmap``.
        layout : {"pca", "mds", "neighbours"}, optional
        """
        query = urlencode({"kind": kind, **({"layout": layout} if layout else {})})
        picture = Picture(
            lambda format: self.call("GET", f"/exports/picture.{format}?{query}")[2]
        )
        picture.svg()
        return picture

    def export(self, path: str | os.PathLike[str], what: str | None = None) -> None:
        """Writes a file, whole or not at all.

        Parameters
        ----------
        path : path
            Its ending is the format.
        what : {"partition", "answers", "history", "model", "picture", "project"}, optional
            By default the partition for ``.csv``, ``.parquet`` and ``.jsonl``, the model for
            ``.json`` and ``.model``, a picture for ``.svg`` and ``.png``, and a copy of the
            project for ``.kindred``.
        """
        path = os.path.abspath(path)
        end = os.path.splitext(path)[1].lower()
        usual = {".csv": "partition", ".parquet": "partition", ".jsonl": "partition",
                 ".json": "model", ".model": "model", ".svg": "picture", ".png": "picture",
                 ".kindred": "project"}  # fmt: skip
        what = what or usual.get(end)
        if what is None:
            raise InputError(f"{path}: give a name that ends with one of {', '.join(usual)}")
        if what == "model":
            end = ".json"
        data = self.call("GET", f"/exports/{what}{end}")[2]
        handle, made = tempfile.mkstemp(dir=os.path.dirname(path), prefix=".pykindred-")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            os.replace(made, path)
        except BaseException:
            os.unlink(made)
            raise

    def picture(self, row: int, size: int = 512) -> bytes:
        """Returns the picture of a row by its number in the API, as PNG, JPEG, GIF or WebP."""
        return self.call("GET", f"/objects/{row}/picture?size={size}")[2]

    # The page and the widget

    def link(self) -> str:
        """Returns a link to the studio, which works once, within a minute."""
        try:
            made = self._server.request(link=True)["link"]
        except _server.Gone:
            self.state  # starts another server
            made = self._server.request(link=True)["link"]
        return f"{made}#/{quote(self._id, safe='')}"

    def widget(self) -> Any:
        """Returns a widget for notebooks, with the question, the map and the groups."""
        from .widget import AskWidget

        return AskWidget(self)

    def _display_(self) -> Any:  # for marimo
        return self.widget()

    def __repr__(self) -> str:
        if "_closed" not in self.__dict__ or not self._closed.alive:
            return f"Session({self.project!r}), closed"
        s = self._state
        return (
            f"Session({self.project!r}): {s['rows']} rows, {s['answers']} answers, "
            f"{s['clusters']} groups"
        )

    # The end

    def close(self) -> None:
        """Closes the project. All answers are kept."""
        self._closed()

    def __enter__(self) -> Session:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __reduce__(self) -> Any:
        raise TypeError(
            "a session cannot be pickled, as it is a process's own; "
            f"open Session({self.project!r}) in the other process once this one has closed it"
        )


PLACES = np.dtype(
    [("cluster", "<u2"), ("set", "<u2"), ("certainty", "u1"), ("flags", "u1")]
)


def _end(server: _server.Server, project: str, passing: str | None) -> None:
    if os.getpid() != server.pid:
        return  # a fork
    server.leave(project)
    if passing is not None:
        shutil.rmtree(passing, ignore_errors=True)


def _settings(given: dict[str, Any]) -> dict[str, Any]:
    """Returns settings by the names of the command's flags, as text."""
    settings: dict[str, Any] = {}
    for name, value in given.items():
        flag = _NAMES.get(name, name.replace("_", "-"))
        if value is None:
            continue
        if flag == "embedding" and not isinstance(value, (str, os.PathLike)):
            settings[flag] = np.asarray(value)
        elif flag in ("embedding", "links", "labels") and isinstance(value, (str, os.PathLike)):
            settings[flag] = os.path.abspath(cast(str, value))
        elif flag == "threads":
            settings[flag] = str(_data.threads(value))
        else:
            settings[flag] = _data.text(value, name)
    return settings


def _embedding(values: Any, n: int, path: str, replace: bool) -> str:
    """Writes the vectors of the rows, unless the file has them."""
    if values.ndim != 2 or len(values) != n:
        raise InputError(f"embedding has the shape {values.shape}; give one vector per row, {n}")
    if values.dtype not in (np.float32, np.float64):
        values = values.astype(np.float64)
    if os.path.exists(path):
        known = np.load(path, mmap_mode="r")
        if known.shape == values.shape and known.dtype == values.dtype and (known == values).all():
            return path
        if not replace:
            raise InputError(
                f'{path} has other vectors; go on with the answers by changed_data="carry", or '
                "name another project"
            )
    made = path + ".new"
    with open(made, "wb") as file:
        np.save(file, values)
    os.replace(made, path)
    return path


class Link(str):
    """A link to the studio, with the session that it is of.

    Attributes
    ----------
    session : Session
    """

    session: Session


def ask(
    data: Any,
    *,
    oracle: Callable[[Any, Any], Given] | None = None,
    budget: int | None = None,
    open: bool = True,
    **settings: Any,
) -> Any:
    """Asks which rows belong together, in a widget, on a page, or a function.

    In a notebook a widget is shown in the cell. Elsewhere the studio is opened in the browser; a
    script waits there until Ctrl-C, and goes on with the groups.

    Parameters
    ----------
    data
        As of :class:`Session`, or a session.
    oracle : callable, optional
        Answers in place of a person; called with the labels of two rows.
    budget : int, optional
        Answers of the oracle after which to stop.
    open : bool
        Open the studio. With False a link to it is returned, a text with the attribute
        ``session``; it works once, within a minute.
    **settings
        As of :class:`Session`: ``project="notes.kindred"``, ``text="note"``, ``images="path"``.

    Returns
    -------
    Session
        Or a link, with ``open=False``.
    """
    session = data if isinstance(data, Session) else Session(data, **settings)
    if oracle is not None:
        return session.ask(oracle, budget)
    if not open:
        link = Link(session.link())
        link.session = session
        return link
    if _marimo():
        return session  # which displays itself
    if _notebook():
        from IPython.display import display

        display(session.widget())
        return session
    import webbrowser

    link = session.link()
    if not webbrowser.open(link):
        print(f"answer on the page: {link}", file=sys.stderr)
    if not hasattr(sys, "ps1") and not sys.flags.interactive:
        print("answer on the page; Ctrl-C goes on here", file=sys.stderr)
        try:
            while True:
                time.sleep(0.2)
        except KeyboardInterrupt:
            pass
    return session


def _notebook() -> bool:
    """Reports whether this is the kernel of a notebook."""
    module = sys.modules.get("IPython")
    shell = module.get_ipython() if module is not None else None
    return shell is not None and hasattr(shell, "kernel")


def _marimo() -> bool:
    module = sys.modules.get("marimo")
    return module is not None and bool(module.running_in_notebook())
