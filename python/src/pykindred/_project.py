"""A project that is open in the server, through deaths of the server."""

from __future__ import annotations

import json
import os
import shutil
import time
import uuid
import weakref
from collections.abc import Callable
from typing import Any, cast
from urllib.parse import quote, urlencode

from . import _server
from ._errors import KindredError

__all__ = ["Project"]

Progress = Callable[[str, float], None]


class Project:
    """A project that is open in the server of this process.

    Parameters
    ----------
    path : str
        The file, as an absolute path.
    data : str
        The data, as a path; "" where the project has them.
    settings : dict
        By the names of the command's flags.
    carry : bool
        Take the answers along where the data changed.
    passing : str or None
        A folder to remove at the end.
    progress : callable or None
        Called with what is done and its share, in [0, 1], while the project is opened.

    Attributes
    ----------
    state : dict
        As the HTTP API had it last.
    """

    def __init__(self, path: str, data: str, settings: dict[str, str], carry: bool,
                 passing: str | None, progress: Progress | None) -> None:  # fmt: skip
        self.path = path
        self.passing = passing
        self.settings = settings
        self.state: dict[str, Any] = {}
        self._spec: dict[str, Any] = {"data": data, "settings": settings, "carry": carry}
        self._progress = progress
        self._server = _server.current()
        self._id = ""
        self._open()
        self._server.join(path)
        self._closed = weakref.finalize(self, _end, self._server, path, passing)

    @property
    def server(self) -> _server.Server:
        """Returns the server that has the project open."""
        return self._server

    def _open(self) -> None:
        """Opens the project, and waits until there is a question."""
        self._id = self._server.open(self.path, self._spec)
        wait = 0.002
        try:
            while True:
                try:
                    self.state = self._json("")
                    return
                except _server.Problem as refused:
                    if refused.kind != "opening":
                        raise self._why() or refused from None
                    self._report()
                time.sleep(wait)
                wait = min(wait * 1.5, 0.1)
        except BaseException:
            self._server.leave(self.path)
            raise

    def _json(self, path: str) -> dict[str, Any]:
        return cast("dict[str, Any]", json.loads(self._server.call("GET", self._at(path))[2]))

    def _listed(self) -> dict[str, Any]:
        """Returns the entry in the list of projects, which has how far the opening is."""
        listed = json.loads(self._server.call("GET", "/projects")[2])["projects"]
        for entry in cast("list[dict[str, Any]]", listed):
            if entry["id"] == self._id:
                return entry
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
        if self._progress is not None:
            entry = self._listed()
            if entry.get("what"):
                self._progress(str(entry["what"]), float(entry.get("share", -1)))

    def _at(self, path: str) -> str:
        return f"/projects/{quote(self._id, safe='')}{path}"

    def _again(self) -> None:
        """Opens the project again after its server ended, or another session opened it again."""
        server = _server.current()
        if server is not self._server:
            self._closed.detach()
            self._server = server
            server.join(self.path)
            self._closed = weakref.finalize(self, _end, server, self.path, self.passing)
        known = server.ids.get(self.path)
        if known is None or known == self._id:
            self._open()
        else:
            self._id = known

    def call(self, method: str, path: str, body: Any = None) -> bytes:
        """Calls the HTTP API about the project, and returns the body of the reply.

        A server that ended meanwhile is started again, and the same call made again: steps have
        an id, so that none is done twice.
        """
        gone: Exception | None = None
        for _ in range(5):
            if not self._closed.alive:
                raise KindredError("the session is closed; make another one")
            try:
                return self._server.call(method, self._at(path), body)[2]
            except _server.Gone as failed:
                gone = failed
                if self._server.alive():
                    time.sleep(0.05)
                else:
                    self._again()
            except _server.Problem as refused:
                gone = refused
                if refused.kind == "opening":  # by another session of this project
                    time.sleep(0.02)
                    while self._listed().get("state") == "opening":
                        time.sleep(0.02)
                elif refused.kind == "closed" or refused.kind == "not-found" and not self.known():
                    self._again()
                else:
                    raise
        raise KindredError(f"kindred does not answer: {gone}")

    def known(self) -> bool:
        """Reports whether the server has the project open."""
        return self._server.ids.get(self.path) == self._id and bool(self._listed())

    def look(self, path: str = "", **query: Any) -> dict[str, Any]:
        """Returns what the API has at a path of the project."""
        if query:
            path += "?" + urlencode(query)
        found = cast("dict[str, Any]", json.loads(self.call("GET", path)))
        if not path:
            self.state = found
        return found

    def step(self, path: str, **body: Any) -> dict[str, Any]:
        """Does a step, as ``step("/undo")``, and returns the reply."""
        sent = {"id": uuid.uuid4().hex, **body}
        reply = cast("dict[str, Any]", json.loads(self.call("POST", path, sent)))
        self.state = reply["state"]
        return reply

    def link(self, soon: bool = False) -> str:
        """Returns a link to the project in the studio, which works once, within a day.

        One that is opened soon, as others may read the arguments of a browser, lasts a minute.
        """
        self.look()  # starts another server where it has ended
        if soon and self._server.alive():
            made = str(self._server.request(link=True)["link"])
        else:
            made = str(json.loads(self._server.call("POST", "/links", {})[2])["link"])
        return f"{made}#/{quote(self._id, safe='')}"

    @property
    def open(self) -> bool:
        """Reports whether the project was not closed."""
        return self._closed.alive

    def close(self) -> None:
        """Closes the project, unless another session is about it."""
        self._closed()


def _end(server: _server.Server, path: str, passing: str | None) -> None:
    if os.getpid() != server.pid:
        return  # a fork
    server.leave(path)
    if passing is not None:
        shutil.rmtree(passing, ignore_errors=True)
