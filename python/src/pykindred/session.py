"""Questions about the rows of a frame, and the groups that follow from the answers."""

from __future__ import annotations

import os
import time
import uuid
from collections.abc import Callable, Iterable, Iterator
from types import TracebackType
from typing import Any, Literal, cast
from urllib.parse import urlencode

import numpy as np

from ._errors import InputError
from ._frame import table
from ._given import sources
from ._plots import Picture
from ._project import Progress, Project
from ._question import Answer, Given, Question, answer_of
from ._rows import Rows
from ._server import ContradictionError

__all__ = ["ContradictionError", "Question", "Session"]

PLACES = np.dtype([("cluster", "<u2"), ("set", "<u2"), ("certainty", "u1"), ("flags", "u1")])


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
        progress: Progress | None = None,
        **settings: Any,
    ) -> None:
        if changed_data not in ("refuse", "carry"):
            raise InputError(f"changed_data={changed_data!r}: give 'refuse' or 'carry'")
        with sources(data, project, changed_data == "carry", settings) as given:
            try:
                self._project = Project(
                    given.project, given.source, given.settings, changed_data == "carry",
                    given.passing, progress,
                )  # fmt: skip
            except InputError as refused:
                if given.frame is not None:
                    refused.args = (given.frame.named(str(refused), given.source),)
                raise
        self._rows = Rows(self._project, given.frame)
        self._question: Question | None = None

    @property
    def project(self) -> str:
        """The file that keeps the answers, as an absolute path."""
        return self._project.path

    @property
    def passing(self) -> bool:
        """Reports whether the project ends with the session."""
        return self._project.passing is not None

    @property
    def state(self) -> dict[str, Any]:
        """The state of the project, as the HTTP API has it: rows, answers, settled, remarks …"""
        return self._project.look()

    def label(self, name: str) -> Any:
        """Returns the label of a row in the index of the data by its id."""
        return self._rows.label(name)

    def rows(self, labels: Iterable[Any]) -> Any:
        """Returns rows by their labels, in the form that the data have."""
        return self._rows.take(list(labels))

    def call(self, method: str, path: str, body: Any = None) -> bytes:
        """Calls the HTTP API about this project, as ``call("GET", "/turn")``; returns the body."""
        return self._project.call(method, path, body)

    def step(self, path: str, **body: Any) -> dict[str, Any]:
        """Does a step of the HTTP API, as ``step("/undo")``, and returns the reply."""
        try:
            reply = self._project.step(path, **body)
        except ContradictionError as clash:
            clash.chain = [
                (self.label(str(a)), self.label(str(b)), kind) for a, b, kind in clash.chain
            ]
            raise
        self._question = None
        return reply

    # Questions and answers

    def turn(self) -> dict[str, Any]:
        """Returns what is to be done next, as the HTTP API has it."""
        turn = self._project.look("/turn")
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
            Keep an answer that contradicts others as a doubt, which kin weighs against them.

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
        """States must-links between rows, by their labels, as one step and one answer.

        All are kept or none; of more than 10 000, each 10 000 are a step of their own.
        """
        self._link(pairs, "same", keep)

    def different(self, pairs: Iterable[tuple[Any, Any]], *, keep: bool = False) -> None:
        """States cannot-links between rows, by their labels."""
        self._link(pairs, "different", keep)

    def unknown(self, pairs: Iterable[tuple[Any, Any]]) -> None:
        """States that nothing is known about pairs of rows, by their labels."""
        self._link(pairs, "unknown", False)

    def _link(self, pairs: Iterable[tuple[Any, Any]], link: Answer, keep: bool) -> None:
        number = self._rows.number
        try:
            links = [(a, b) for a, b in pairs]
        except (TypeError, ValueError):
            raise InputError(f"{link}: give a list of pairs of labels, as [(a, b)]") from None
        stated = [{"a": number(a), "b": number(b), "link": link} for a, b in links]
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
        self.step("/bad", row=self._rows.number(label))

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
            Called with the labels of two rows; returns an answer as :meth:`answer` takes it. One
            that contradicts others is kept where the method weighs it against them, as kin does.
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
            if asked is None or budget is None and self._project.state["settled"]:
                return self
            a, b = asked.pair
            said = answer_of(oracle(asked.a, asked.b))
            given = {"a": a, "b": b, "answer": said, "question": asked.number}
            try:
                self.step("/answers", **given, keep=False)
            except ContradictionError as clash:
                if not clash.weighed:
                    raise
                self.step("/answers", **given, keep=True)
            if progress is not None:
                progress(answers + 1)

    # Results

    def groups(self) -> Any:
        """Returns the group of each row, as a frame with the index of the data.

        Returns
        -------
        DataFrame with the columns

            group : int, from 1, the largest first; 0 for none
            name : str, that was given to the group
            certainty : float in [0, 1]; below a half the row is doubtful
            lower, upper : list of int, of methods with masses: the group that the row certainly \
belongs to, and those that it may belong to
            outlier : bool, of methods with masses
        """
        names = {c["cluster"]: " / ".join(c["names"]) for c in self.clusters()}
        ids, placed = self._rows.placed()
        given = [names.get(group, "") for group in placed["group"].tolist()]
        columns: dict[str, Any] = {"group": placed.pop("group"), "name": given}
        places = np.frombuffer(self.call("GET", "/map/places"), PLACES)
        if len(places) == len(ids):
            columns["certainty"] = places["certainty"] / 255.0
        return self._rows.table({**columns, **placed}, ids)

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
        library = self._rows.frame.library if self._rows.frame else ""
        return table(columns, library, [c["cluster"] for c in clusters], "group")

    def doubts(self, limit: int = 1000) -> Any:
        """Returns the doubtful rows, the least certain first, with the reason in words."""
        members: list[dict[str, Any]] = []
        while len(members) < limit:
            most = min(1000, limit - len(members))
            page = self._project.look("/doubts", offset=len(members), limit=most)
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
        return self._rows.table(columns, [m["card"]["id"] for m in members])

    def clusters(self) -> list[dict[str, Any]]:
        """Returns the groups with their members and traits, as the HTTP API has them."""
        return cast("list[dict[str, Any]]", self._project.look("/groups")["clusters"])

    def history(self) -> list[dict[str, Any]]:
        """Returns all steps, the latest first, as the HTTP API has them."""
        events: list[dict[str, Any]] = []
        while True:
            page = self._project.look("/history", offset=len(events), limit=1000)
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
            lambda format: self.call("GET", f"/exports/picture.{format}?{query}")
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
        data = self.call("GET", f"/exports/{what}{end}")
        made = os.path.join(os.path.dirname(path), f".pykindred-{uuid.uuid4().hex}")
        mode = 0o600 if what == "project" else 0o666  # less the umask
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
        handle = os.open(made, flags, mode)
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
        return self.call("GET", f"/objects/{row}/picture?size={size}")

    # The page and the widget

    def link(self, *, soon: bool = False) -> str:
        """Returns a link to the studio, which works once, within a day.

        Parameters
        ----------
        soon : bool
            Within a minute: for a browser that is started with it, as others may read that.
        """
        return self._project.link(soon)

    def widget(self) -> Any:
        """Returns a widget for notebooks, with the question, the map and the groups."""
        from .widget import AskWidget

        return AskWidget(self)

    def _display_(self) -> Any:  # for marimo
        return self.widget()

    def __repr__(self) -> str:
        if not self._project.open:
            return f"Session({self.project!r}), closed"
        s = self._project.state
        return (
            f"Session({self.project!r}): {s['rows']} rows, {s['answers']} answers, "
            f"{s['clusters']} groups"
        )

    # The end

    def close(self) -> None:
        """Closes the project. All answers are kept."""
        self._project.close()

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
            "a session cannot be pickled, as it is of one process; "
            f"open Session({self.project!r}) in the other process once this one has closed it"
        )
