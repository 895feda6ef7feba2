"""The worker: a process of the executable that does the work of all calls of this process.

It is started when it is first needed, by :func:`call`, and ends with this process, however that
ends, as its stdin does. A process that was forked starts a worker of its own. What a message is,
the Go package cmd/kindred/worker describes.
"""

from __future__ import annotations

import atexit
import contextlib
import io
import itertools
import json
import os
import queue
import signal
import subprocess
import sys
import tempfile
import threading
import uuid
from collections.abc import Callable, Generator, Mapping
from typing import IO, Any, cast

import numpy as np
from numpy.typing import NDArray

from . import _binary
from ._errors import KindredError, UnreadError, WorkerError, from_reply

__all__ = ["call"]

PROTOCOL = 1

Array = NDArray[Any]
Result = tuple[dict[str, Any], dict[str, Array]]
# returns "same", "different", "unknown" or "stop" to a question
Answer = Callable[[dict[str, Any]], str]

_INLINE = 1 << 20  # bytes of an array that goes through the pipe in any case
_PR_SET_PTRACER = 0x59616D61
_PIPE = 1 << 20  # bytes that a pipe holds, where the system lets it


def call(
    do: str,
    params: Mapping[str, Any] | None = None,
    arrays: Mapping[str, Array] | None = None,
    progress: Callable[[float], None] | None = None,
    answer: Answer | None = None,
) -> Result:
    """Have the worker do something.

    Parameters
    ----------
    do : str
        What: "fit", "predict", "ask", ….
    params : mapping
        Fields of the request.
    arrays : mapping of str to ndarray
        Arrays of the request: float32, float64, int32, int64 or uint8.
    progress : callable, optional
        Called with the share of the work that is done, from 0 to 1, in the thread of the caller.
    answer : callable, optional
        Called with a question, {"a", "b", "number", "why"}; returns "same", "different", "unknown"
        or "stop". An exception cancels the request and passes.

    Returns
    -------
    (dict, dict of str to ndarray)
        Fields and arrays of the reply.

    Raises
    ------
    InputError
        For data or settings that cannot be used.
    WorkerError
        Where the worker cannot be started, ended or failed.
    """
    given = {name: _plain(name, a) for name, a in (arrays or {}).items()}
    return _current().call(do, dict(params or {}), given, progress, answer)


def _plain(name: str, a: Array) -> Array:
    """Return an array whose values can be sent as they are, or strided ones of such a type."""
    a = np.asarray(a)
    if a.dtype.str not in ("<f4", "<f8", "<i4", "<i8", "|u1"):
        little = a.dtype.newbyteorder("<")
        if little.str not in ("<f4", "<f8", "<i4", "<i8", "|u1"):
            raise TypeError(f"array {name!r} is of type {a.dtype}, which kindred does not take")
        a = a.astype(little)
    return a if a.ndim else a.reshape(1)


class _Pending:
    """A request that waits for its reply."""

    def __init__(self, id: int) -> None:
        self.id = id
        self.over = False  # the last reply has come
        self.replies: queue.SimpleQueue[Result | WorkerError] = queue.SimpleQueue()


class Worker:
    """A process of the executable, and the requests that it works on."""

    def __init__(self) -> None:
        executable = _binary.path()
        self.errors: IO[bytes] = tempfile.TemporaryFile()
        try:
            self.process = subprocess.Popen(
                [executable, "work"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self.errors,
                bufsize=0,
                start_new_session=True,  # Ctrl-C is for this process, from the first moment
                creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            )
        except OSError as e:
            self.errors.close()
            raise WorkerError(f"the executable {executable} cannot be started: {e}") from e
        # unbuffered
        self.stdin = cast(io.FileIO, self.process.stdin)
        self.stdout = cast(io.FileIO, self.process.stdout)
        _widen(self.stdin, self.stdout)
        self.ids = itertools.count(1)
        self.pending: dict[int, _Pending] = {}
        self.lock = threading.Lock()  # of pending and ended
        self.outbox: queue.SimpleQueue[list[memoryview] | None] = queue.SimpleQueue()
        self.ended: WorkerError | None = None
        self.reads = False  # the worker reads arrays in the memory of this process
        self.shares = False  # the worker opens memory that holds them
        self.memory: set[int] = set()  # descriptors of arrays on their way
        self.number = uuid.uuid4().int
        self.reader = threading.Thread(target=self._read, name="kindred-read", daemon=True)
        self.writer = threading.Thread(target=self._write, name="kindred-write", daemon=True)
        self.reader.start()
        self.writer.start()
        try:
            self._hello(executable)
        except BaseException:
            self.close()
            raise

    def _hello(self, executable: str) -> None:
        """See that the worker speaks the protocol, and by which way it gets large arrays."""
        ok, _ = self.call("hello", {}, {}, None, None)
        if ok.get("protocol") != PROTOCOL:
            version = ok.get("version")
            raise WorkerError(
                f"{executable} is kindred {version} and does not go with this pykindred; "
                "install both of the same version"
            )
        if sys.platform == "linux":
            self.shares = hasattr(os, "memfd_create")
            self.shares = self.shares and self._gets()
            self.reads = True
            self.reads = self._gets() or (_allow(self.process.pid) and self._gets())

    def _gets(self) -> bool:
        """Report whether an array arrives whole without the pipe."""
        probe = np.frombuffer(os.urandom(16), np.uint8)
        try:
            _, back = self._request("hello", {}, {"probe": probe}, None, None, inline=0)
        except (KindredError, OSError):
            return False
        return np.array_equal(probe, back["probe"])

    def call(
        self,
        do: str,
        params: dict[str, Any],
        arrays: dict[str, Array],
        progress: Callable[[float], None] | None,
        answer: Answer | None,
    ) -> Result:
        try:
            return self._request(do, params, arrays, progress, answer, inline=_INLINE)
        except UnreadError:  # as memory of a device
            return self._request(do, params, arrays, progress, answer, inline=_INLINE, reads=False)

    def _request(
        self,
        do: str,
        params: dict[str, Any],
        arrays: dict[str, Array],
        progress: Callable[[float], None] | None,
        answer: Answer | None,
        inline: int,
        reads: bool = True,
    ) -> Result:
        with contextlib.ExitStack() as files:
            heads: list[dict[str, Any]] = []
            bodies: list[Array] = []
            for name, a in arrays.items():
                h: dict[str, Any] = {"name": name, "dtype": a.dtype.str, "shape": list(a.shape)}
                large = a.nbytes > inline
                if large and self.reads and reads and a.flags.c_contiguous:
                    h["address"] = a.__array_interface__["data"][0]
                elif large and self.shares:
                    h["file"] = files.enter_context(self._shared(a))
                else:
                    h["bytes"] = a.nbytes
                    bodies.append(np.ascontiguousarray(a))
                heads.append(h)
            waiting = _Pending(next(self.ids))
            header = {"id": waiting.id, "do": do, **params, "arrays": heads}
            with self.lock:
                if self.ended is not None:
                    raise _again(self.ended)
                self.pending[waiting.id] = waiting
            try:
                self._send(header, bodies)
                return self._wait(waiting, progress, answer)
            finally:
                with self.lock:
                    self.pending.pop(waiting.id, None)
                if not waiting.over:  # Ctrl-C, or an exception of those who were called
                    self._send({"do": "cancel", "id": waiting.id}, [])

    def _wait(
        self,
        waiting: _Pending,
        progress: Callable[[float], None] | None,
        answer: Answer | None,
    ) -> Result:
        """Wait for the reply to a request."""
        while True:
            reply = _get(waiting.replies)
            if isinstance(reply, WorkerError):
                waiting.over = True
                raise _again(reply)
            header, arrays = reply
            waiting.over = "ok" in header or "error" in header
            if "ok" in header:
                return header["ok"], arrays
            if "error" in header:
                raise from_reply(header["error"])
            if "progress" in header and progress is not None:
                progress(float(header["progress"]))
            if "question" in header:
                if answer is None:
                    raise WorkerError("kindred asks, and there is nobody to answer")
                said = answer(header["question"])
                self._send({"do": "answer", "id": waiting.id, "answer": said}, [])

    def _send(self, header: dict[str, Any], bodies: list[Array]) -> None:
        """Have a message written, by a thread that Ctrl-C does not interrupt."""
        text = json.dumps(header, allow_nan=False).encode()
        parts = [memoryview(len(text).to_bytes(4, "little") + text)]
        self.outbox.put(parts + [_bytes(a) for a in bodies])

    def _write(self) -> None:
        """Write messages, each whole, until there are no more."""
        while (parts := self.outbox.get()) is not None:
            try:
                for part in parts:
                    while len(part):
                        part = part[os.write(self.stdin.fileno(), part) :]
            except (OSError, ValueError):  # the worker has ended, and the reader reports it
                return

    @contextlib.contextmanager
    def _shared(self, a: Array) -> Generator[str, None, None]:
        """Hold the values of an array in memory that the worker opens by the name yielded."""
        fd = os.memfd_create("kindred", os.MFD_CLOEXEC)
        self.memory.add(fd)
        try:
            _fill(fd, a)
            yield f"/proc/{os.getpid()}/fd/{fd}"
        finally:
            if fd in self.memory:  # else this is a fork, which has closed it
                self.memory.remove(fd)
                os.close(fd)

    def _read(self) -> None:
        """Read replies until there are no more."""
        why = ""
        try:
            while True:
                front = self._take(4)
                if front is None:
                    break
                text = self._take(int.from_bytes(front.tobytes(), "little"))
                if text is None:
                    break
                header: dict[str, Any] = json.loads(text.tobytes())
                arrays: dict[str, Array] = {}
                heads: list[dict[str, Any]] = header.get("arrays") or []
                for h in heads:
                    body = self._take(h["bytes"])
                    if body is None:
                        raise EOFError
                    arrays[h["name"]] = body.view(np.dtype(h["dtype"])).reshape(h["shape"])
                if header["id"] == 0:
                    why = header["error"]["message"]
                    break
                with self.lock:
                    waiting = self.pending.get(header["id"])
                if waiting is not None:
                    waiting.replies.put((header, arrays))
        except (EOFError, OSError):
            pass
        except (ValueError, KeyError, TypeError) as e:  # what follows cannot be found
            why = f"a reply cannot be read: {e!r}"
            self.process.kill()
        error = self._end(why)
        with self.lock:
            self.ended = error
            left = list(self.pending.values())
        for waiting in left:
            waiting.replies.put(error)

    def _take(self, n: int) -> Array | None:
        """Read n bytes; None at the end of the stream."""
        body = np.empty(n, np.uint8)
        view = body.data
        while len(view):
            got = self.stdout.readinto(view)
            if not got:
                return None
            view = view[got:]
        return body

    def _end(self, why: str) -> WorkerError:
        """Return why the worker ended."""
        try:
            code = self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            code = self.process.wait()
        said = ""
        with contextlib.suppress(OSError, ValueError):
            self.errors.seek(0)
            said = self.errors.read(1 << 16).decode("utf-8", "replace").strip()
        lines = [line for line in said.splitlines() if line.strip()]
        for line in lines:
            if line.startswith(("panic:", "fatal error:", "kindred:", "runtime:")):
                why = why or line
                break
        how = f"with exit code {code}"
        if code < 0:
            try:
                name = signal.Signals(-code).name
            except ValueError:
                name = str(-code)
            how = f"by signal {name}"
            if name == "SIGKILL":
                how += ", as the system does where memory runs out"
        text = f"the process of kindred ended {how}"
        return WorkerError(f"{text}: {why}" if why else f"{text}; the next call starts another")

    def close(self) -> None:
        """End the worker."""
        self.outbox.put(None)
        self.writer.join(2)
        with contextlib.suppress(OSError):
            self.stdin.close()
        try:
            self.process.wait(2)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        if threading.current_thread() is not self.reader:
            self.reader.join(2)
        with contextlib.suppress(OSError):
            self.stdout.close()
        self.errors.close()

    def abandon(self) -> None:
        """Let go of the worker of the process that this one was forked from."""
        self.ended = WorkerError("the worker is of another process")
        for stream in (self.stdin, self.stdout, self.errors):
            with contextlib.suppress(OSError):
                stream.close()
        while self.memory:
            with contextlib.suppress(OSError):
                os.close(self.memory.pop())
        self.process.returncode = 0  # it is no child of ours to wait for


def _again(error: WorkerError) -> WorkerError:
    """Return a copy of an error for one thread: a traceback is of one."""
    return WorkerError(*error.args)


def _get(replies: queue.SimpleQueue[Result | WorkerError]) -> Result | WorkerError:
    """Wait for a reply, such that Ctrl-C is noticed everywhere."""
    if os.name != "nt":
        return replies.get()
    while True:  # Windows notices it between waits only
        try:
            return replies.get(timeout=0.1)
        except queue.Empty:
            continue


def _allow(pid: int) -> bool:
    """Let a child read the memory of this process, where Yama keeps children from it."""
    try:
        import ctypes

        return bool(ctypes.CDLL(None).prctl(_PR_SET_PTRACER, pid, 0, 0, 0) == 0)
    except (ImportError, OSError, AttributeError):
        return False


def _widen(*streams: io.FileIO) -> None:
    """Let pipes hold more at once."""
    try:
        import fcntl
    except ImportError:
        return
    for stream in streams:
        with contextlib.suppress(OSError, AttributeError):
            fcntl.fcntl(stream.fileno(), fcntl.F_SETPIPE_SZ, _PIPE)


def _fill(fd: int, a: Array) -> None:
    """Write the values of an array, the last dimension first: the one copy of the data."""
    if a.flags.c_contiguous:
        _write(fd, a)
        return
    rows = max(1, (8 << 20) // max(1, a.nbytes // max(1, len(a))))
    for at in range(0, len(a), rows):  # a strided array goes in pieces
        _write(fd, np.ascontiguousarray(a[at : at + rows]))


def _write(fd: int, a: Array) -> None:
    """Write the values of a contiguous array."""
    view = _bytes(a)
    while len(view):
        view = view[os.write(fd, view) :]


def _bytes(a: Array) -> memoryview:
    """Return the bytes of a contiguous array."""
    return a.reshape(-1).view(np.uint8).data


_worker: Worker | None = None
_lock = threading.RLock()


def _current() -> Worker:
    """Return the worker of this process, started if there is none that works."""
    global _worker
    w = _worker
    if w is not None and w.ended is None:
        return w
    with _lock:
        if _worker is None or _worker.ended is not None:
            if _worker is not None:
                _worker.close()
            _worker = None
            _worker = Worker()
        return _worker


def generation() -> int:
    """Return a number of the worker of this process, which no other worker has; 0: there is none.

    What one worker keeps (the field "result" of replies) no other one has.
    """
    w = _worker
    return 0 if w is None or w.ended is not None else w.number


def shutdown() -> None:
    """End the worker of this process, if there is one. The next call starts another."""
    global _worker
    with _lock:
        w, _worker = _worker, None
    if w is not None:
        w.close()


def _forked() -> None:
    """Let go of the worker of the parent in a child."""
    global _worker, _lock
    _lock = threading.RLock()
    w, _worker = _worker, None
    if w is not None:
        w.abandon()


atexit.register(shutdown)
if hasattr(os, "register_at_fork"):
    # a fork while another thread starts the worker would hold its pipes
    os.register_at_fork(
        before=lambda: _lock.acquire(),
        after_in_parent=lambda: _lock.release(),
        after_in_child=_forked,
    )
