"""The server of sessions: one process for this Python process, which ends with it."""

from __future__ import annotations

import atexit
import collections
import http.client
import json
import os
import subprocess
import sys
import threading
from typing import IO, Any, cast

from ._binary import path as binary
from ._errors import InputError, KindredError, WorkerError, pythonic

__all__ = ["ContradictionError", "Gone", "Problem", "Server", "current"]


class Gone(WorkerError):
    """The server does not answer any more."""


class Problem(KindredError):
    """A call that the server refused."""

    kind: str = ""


class InputProblem(Problem, InputError):
    """A call that the server refused because of what it was given."""


class ContradictionError(InputProblem):
    """An answer that contradicts others; ``chain`` has those from which the opposite follows.

    ``weighed`` is whether the answer counts beside those where it is kept.
    """

    weighed: bool = False


_INPUT = {"input", "request", "stale", "not-found", "setting"}


def problem(said: dict[str, Any]) -> Problem:
    """Returns the exception for a problem of the API (RFC 9457)."""
    kind = str(said.get("type", "")).rpartition("/")[2]
    text, fix = str(said.get("detail", "the server failed")), str(said.get("mend", ""))
    if fix and fix not in text:
        text += "; " + fix
    text = pythonic(text).replace("send it again with keep,", "give keep=True,")
    made: Problem
    if kind == "contradiction":
        made = ContradictionError(text)
        made.chain = [
            (e["a"]["id"], e["b"]["id"], e["step"]) for e in said.get("clash", {}).get("chain", [])
        ]
        made.weighed = bool(said.get("clash", {}).get("weighed"))
    else:
        made = (InputProblem if kind in _INPUT else Problem)(text)
    made.kind = kind
    if isinstance(made, InputError):
        made.problem, made.fix = pythonic(str(said.get("detail", ""))), pythonic(fix)
    return made


class Server:
    """A ``kindred sessions`` under way. Its methods may be called by any number of threads."""

    def __init__(self) -> None:
        self.pid = os.getpid()
        self.users: dict[str, int] = {}  # sessions by the id of their project
        self.ids: dict[str, str] = {}  # ids by the path of the project
        self._lock = threading.RLock()
        self._connections = threading.local()
        self._asked = 0
        self._said: collections.deque[str] = collections.deque(maxlen=20)
        flags: dict[str, Any] = {"start_new_session": True}
        if sys.platform == "win32":
            flags = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
        executable = binary()
        try:
            self._process = subprocess.Popen(
                [executable, "sessions"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,  # a lock that another thread has at a fork would stay locked
                **flags,
            )
        except OSError as e:
            raise WorkerError(f"the executable {executable} cannot be started: {e}") from e
        threading.Thread(target=self._listen, name="kindred sessions", daemon=True).start()
        try:
            hello = self._read()
            self.address, self._token = str(hello["address"]), str(hello["token"])
        except (ValueError, KeyError, TypeError) as e:
            self.stop()
            raise WorkerError(
                f"{executable} does not go with this pykindred; install both of the same version"
            ) from e
        except BaseException:  # Ctrl-C, too, leaves no process
            self.stop()
            raise
        self._host = self.address.removeprefix("http://")

    def _listen(self) -> None:
        stderr = cast(IO[bytes], self._process.stderr)
        try:
            while said := stderr.read(1 << 16):
                self._said.append(said.decode(errors="replace"))
        except (OSError, ValueError):
            pass  # closed

    def _read(self) -> dict[str, Any]:
        line = cast(IO[bytes], self._process.stdout).readline()
        if not line.endswith(b"\n"):
            self._process.wait()
            said = "".join(self._said).strip()
            raise Gone(f"kindred ended with {self._process.returncode}{said and ': ' + said}")
        return cast("dict[str, Any]", json.loads(line))

    def alive(self) -> bool:
        """Reports whether the process is there, and is of this process and not of its parent."""
        return os.getpid() == self.pid and self._process.poll() is None

    def request(self, **what: Any) -> dict[str, Any]:
        """Asks the process for something by its pipe.

        Raises
        ------
        Gone
            If the process has ended.
        """
        with self._lock:
            self._asked += 1
            left = memoryview(json.dumps({"number": self._asked, **what}).encode() + b"\n")
            stdin = cast(IO[bytes], self._process.stdin)
            try:
                while left:
                    left = left[stdin.write(left) :]
                reply = self._read()
                while reply["number"] != self._asked:  # of one that was interrupted
                    reply = self._read()
            except (OSError, ValueError) as failed:
                raise Gone(str(failed)) from failed
        if reply.get("error"):
            raise problem({"type": reply.get("kind", ""), "detail": reply["error"]})
        return reply

    def open(self, path: str, spec: dict[str, Any]) -> str:
        """Begins to open a project, again if it is open, and returns its id."""
        with self._lock:
            known = self.ids.get(path)
            if known is not None:
                self.request(close=known)
                del self.ids[path]
            stem = known or os.path.splitext(os.path.basename(path))[0]
            taken, name, number = set(self.ids.values()), stem, 1
            while name in taken:
                number += 1
                name = f"{stem}-{number}"
            self.request(open={**spec, "id": name, "project": path})
            self.ids[path] = name
            return name

    def join(self, path: str) -> None:
        """Counts a session of a project."""
        with self._lock:
            self.users[path] = self.users.get(path, 0) + 1

    def leave(self, path: str) -> None:
        """Takes back a join, and closes the project unless another session is about it."""
        if os.getpid() != self.pid:
            return
        with self._lock:
            left = self.users.pop(path, 1) - 1
            if left > 0:
                self.users[path] = left
            elif path in self.ids:
                try:
                    self.request(close=self.ids.pop(path))
                except (Gone, KindredError):
                    pass  # it is closed with the server

    def call(
        self,
        method: str,
        path: str,
        body: Any = None,
        headers: dict[str, str] | None = None,
    ) -> tuple[int, Any, bytes]:
        """Calls the HTTP API and returns the status, the headers and the body.

        Raises
        ------
        Gone
            If the server does not answer.
        Problem
            If it refuses the call.
        """
        sent = {"Authorization": "Bearer " + self._token, **(headers or {})}
        data = None
        if body is not None:
            data = json.dumps(body).encode()
            sent["Content-Type"] = "application/json"
        try:
            response, content = self._sent(False, method, path, data, sent)
        except (OSError, http.client.HTTPException):
            # A connection that was kept may have been closed meanwhile. Steps have ids, so that
            # the same call again changes nothing.
            try:
                response, content = self._sent(True, method, path, data, sent)
            except (OSError, http.client.HTTPException) as failed:
                raise Gone(str(failed)) from failed
        if response.status < 400:
            return response.status, response.headers, content
        try:
            said = json.loads(content)
        except ValueError:
            said = {"detail": f"the server answered with {response.status} {response.reason}"}
        raise problem(said)

    def _sent(
        self, fresh: bool, method: str, path: str, data: bytes | None, headers: dict[str, str]
    ) -> tuple[http.client.HTTPResponse, bytes]:
        connection = self._connection(fresh)
        try:
            connection.request(method, "/api/v1" + path, data, headers)
            response = connection.getresponse()
            return response, response.read()
        except BaseException:
            connection.close()
            raise

    def _connection(self, fresh: bool) -> http.client.HTTPConnection:
        """Returns the connection of this thread; that of a parent is left to the parent."""
        pid, connection = getattr(self._connections, "mine", (0, None))
        if fresh or connection is None or pid != os.getpid():
            connection = http.client.HTTPConnection(self._host)
            self._connections.mine = (os.getpid(), connection)
        return cast(http.client.HTTPConnection, connection)

    def abandon(self) -> None:
        """Lets go of the pipes in a fork, so that the server ends with the parent."""
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            if pipe is not None:
                pipe.close()

    def stop(self) -> None:
        """Ends the process."""
        if os.getpid() != self.pid:
            return
        try:
            cast(IO[bytes], self._process.stdin).close()
        except OSError:
            pass
        try:
            self._process.wait(5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


class _Here:
    """The server of this process, if there is one."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.server: Server | None = None

    def forked(self) -> None:
        server, self.server = self.server, None
        self.lock = threading.RLock()
        if server is not None:
            server.abandon()

    def stop(self) -> None:
        server, self.server = self.server, None
        if server is not None:
            server.stop()


_here = _Here()
atexit.register(_here.stop)
if hasattr(os, "register_at_fork"):
    # a fork while another thread starts the server would hold its pipes
    os.register_at_fork(
        before=lambda: _here.lock.acquire(),
        after_in_parent=lambda: _here.lock.release(),
        after_in_child=_here.forked,
    )


def current() -> Server:
    """Returns the server of this process, and starts one where there is none."""
    with _here.lock:
        server = _here.server
        if server is None or not server.alive():
            try:
                server = _here.server = Server()
            except Gone as failed:
                raise WorkerError(f"kindred could not be started: {failed}") from None
        return server
