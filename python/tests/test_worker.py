"""The worker: what goes to it and comes back, and what becomes of it when something goes wrong."""

from __future__ import annotations

import concurrent.futures
import os
import pathlib
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable

import numpy as np
import pytest

from pykindred import _binary, _worker
from pykindred._errors import GoneError, InputError, KindredError, WorkerError, pythonic
from pykindred._worker import call

posix = pytest.mark.skipif(os.name == "nt", reason="signals and forks are of POSIX")
SOURCE = str(pathlib.Path(_worker.__file__).parents[1])


def blobs(n: int, d: int = 2, k: int = 3, dtype: type = np.float64) -> np.ndarray:
    rng = np.random.default_rng(1)
    return (rng.normal(size=(n, d)) + 8 * (np.arange(n) % k)[:, None]).astype(dtype)


def kmeans(x: np.ndarray, k: int = 3, **params: str) -> np.ndarray:
    params = {"clusters": str(k), "scale": "none", **params}
    return call("fit", {"method": "kmeans", "params": params, "want": []}, {"X": x})[1]["labels"]


def endless(started: Callable[[], None] = lambda: None) -> None:
    """Fit what takes an hour; started is called once the worker reports progress."""
    told = []

    def progress(share: float) -> None:
        if not told:
            told.append(share)
            started()

    call(
        "fit",
        {"method": "evclus", "params": {"clusters": "6", "starts": "1000000"}},
        {"X": blobs(400, 4, 7)},
        progress=progress,
    )


@pytest.fixture(autouse=True)
def afresh():
    yield
    _worker.shutdown()


def test_hello():
    ok, arrays = call("hello")
    assert ok["protocol"] == _worker.PROTOCOL and arrays == {}


@pytest.mark.skipif(sys.platform != "linux", reason="looks at /proc")
def test_nothing_is_held_after_a_call():
    kmeans(blobs(10))
    before = len(os.listdir("/proc/self/fd"))
    kmeans(blobs(1_000_000, 16))
    with pytest.raises(InputError):
        kmeans(np.full((100_000, 4), np.nan))
    assert len(os.listdir("/proc/self/fd")) == before


def test_rows_stay_as_they_are():
    x = np.abs(blobs(500, 500, 3, np.float32))
    np.fill_diagonal(x, 0)
    x[3, 5] = x[5, 3] + 1  # which is made symmetric over there
    before = x.copy()
    x.setflags(write=False)
    params = {"clusters": "3", "dissimilarity": "true"}
    call("fit", {"method": "agglomerative", "params": params}, {"X": x})
    assert (x == before).all()


@pytest.mark.parametrize(
    ("arrays", "params", "message"),
    [
        ({"X": np.array([[1.0], [np.nan], [2.0]])}, {}, "row 1, column x1: the value is missing"),
        ({"X": np.array([[1.0], [np.inf], [2.0]])}, {}, "row 1, column x1"),
        ({"X": np.ones(3)}, {}, "2 dimensions"),
        ({"X": np.ones((0, 2))}, {}, "X"),
        ({"X": np.ones((3, 0))}, {}, "X"),
        ({"X": blobs(9)}, {"clusters": "x"}, "n_clusters is \"x\""),
        ({"X": blobs(9)}, {"metric": "cosine!"}, "metric"),
        ({"X": blobs(9)}, {"clusters": "10"}, "10"),
        ({}, {}, "X is missing"),
    ],
)
def test_bad_input(arrays, params, message):
    params = {"clusters": "2", **params}
    with pytest.raises(InputError) as caught:
        call("fit", {"method": "kmeans", "params": params}, arrays)
    assert isinstance(caught.value, ValueError) and isinstance(caught.value, KindredError)
    assert message in str(caught.value)
    assert "--" not in str(caught.value)
    assert kmeans(blobs(9)).shape == (9,)  # the worker goes on


def test_errors_have_places():
    x = blobs(9)
    x[4, 1] = np.nan
    with pytest.raises(InputError) as caught:
        params = {"method": "kmeans", "params": {"clusters": "2"}, "columns": ["a", "b"]}
        call("fit", params, {"X": x})
    e = caught.value
    assert (e.row, e.column, e.problem) == (4, "b", "the value is missing") and "missing=" in e.fix
    links = {"same": np.array([[0, 3], [3, 6]]), "different": np.array([[6, 0]])}
    with pytest.raises(InputError, match="links contradict .* 6 ≠ 0; ") as caught:
        call("fit", {"method": "pckmeans", "params": {"clusters": "3"}}, {"X": blobs(9), **links})
    assert sorted(caught.value.chain) == [(0, 3, "same"), (3, 6, "same"), (6, 0, "different")]


@pytest.mark.parametrize("a", [np.array(["text"]), np.array([1j]), np.array([object()])])
def test_types_that_cannot_go(a):
    with pytest.raises(TypeError, match="'X' is of type"):
        call("fit", {"method": "kmeans"}, {"X": a})


@pytest.mark.parametrize(
    ("text", "want"),
    [
        ("drop such rows (--missing drop)", "drop such rows (missing='drop')"),
        ("give it with -k, as in -k 3", "give it with n_clusters, as in n_clusters=3"),
        ('--clusters is "x": give 1', 'n_clusters is "x": give 1'),
        ("--min-points goes with it", "min_samples goes with it"),
        ("keep both with --contradictions keep", "keep both with contradictions='keep'"),
        ("a well-known thing -- or not", "a well-known thing -- or not"),
    ],
)
def test_flags_become_parameters(text, want):
    assert pythonic(text) == want


def test_questions_and_answers():
    x = blobs(60)
    asked = []

    def answer(q):
        asked.append((q["a"], q["b"]))
        return "same" if q["a"] % 3 == q["b"] % 3 else "different"

    ok, arrays = call("ask", {"method": "kin", "budget": 12}, {"X": x}, answer=answer)
    assert [tuple(a[:2]) for a in arrays["asked"]] == asked and ok["clusters"] == 3

    class Own(Exception):
        pass

    def fail(q):
        raise Own

    with pytest.raises(Own):
        call("ask", {"method": "kin"}, {"X": x}, answer=fail)
    with pytest.raises(WorkerError, match="nobody to answer"):
        call("ask", {"method": "kin"}, {"X": x})
    assert kmeans(x).shape == (60,)
    assert _worker._current().pending == {}


def test_results_are_kept_for_a_while():
    x = blobs(60)
    params = {"method": "kmeans", "params": {"clusters": "3"}}
    ok, _ = call("fit", params, {"X": x})
    first = _worker.generation()
    picture = call("draw", {"result": ok["result"], "format": "svg"})[1]["picture"]
    assert b"<svg" in picture.tobytes()
    for _ in range(9):
        call("fit", params, {"X": x})
    with pytest.raises(GoneError):
        call("draw", {"result": ok["result"], "format": "svg"})
    _worker.shutdown()
    assert _worker.generation() == 0
    call("hello")
    assert _worker.generation() not in (0, first)


def test_threads_fit_side_by_side():
    sizes = [30 + 3 * i for i in range(24)]
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda n: kmeans(blobs(n)), sizes))
    assert [len(labels) for labels in found] == sizes
    # one that takes long keeps no other waiting
    running = threading.Event()

    def background():
        with pytest.raises(KindredError):
            endless(running.set)

    thread = threading.Thread(target=background)
    thread.start()
    assert running.wait(60)
    assert kmeans(blobs(30)).shape == (30,)
    _worker.shutdown()
    thread.join(60)
    assert not thread.is_alive()


def test_one_process_does_all():
    kmeans(blobs(30))
    pid = _worker._current().process.pid
    for _ in range(20):
        kmeans(blobs(30))
    assert _worker._current().process.pid == pid


@posix
def test_a_killed_worker_is_reported_and_replaced():
    pid = _worker._current().process.pid
    with pytest.raises(WorkerError, match="ended by signal SIGKILL"):
        endless(lambda: os.kill(pid, signal.SIGKILL))
    assert kmeans(blobs(30)).shape == (30,)
    assert _worker._current().process.pid != pid
    # between calls, it is replaced
    os.kill(_worker._current().process.pid, signal.SIGKILL)
    _worker._current().reader.join(60)
    assert kmeans(blobs(30)).shape == (30,)


@posix
def test_each_waiting_thread_has_an_error_of_its_own():
    pid = _worker._current().process.pid
    errors = []

    def wait():
        try:
            endless()
        except WorkerError as e:
            errors.append(e)

    threads = [threading.Thread(target=wait) for _ in range(3)]
    for t in threads:
        t.start()
    end = time.monotonic() + 60
    while len(_worker._current().pending) < 3 and time.monotonic() < end:
        time.sleep(0.01)
    os.kill(pid, signal.SIGKILL)
    for t in threads:
        t.join(60)
    assert len({id(e) for e in errors}) == 3


@posix
def test_ctrl_c_of_the_terminal_does_not_reach_the_worker():
    assert os.getpgid(_worker._current().process.pid) != os.getpgid(0)


@posix
def test_ctrl_c_cancels(tmp_path):
    def interrupt():
        os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        endless(interrupt)
    assert kmeans(blobs(30)).shape == (30,)
    assert _worker._current().pending == {}


@posix
def test_ctrl_c_while_sending_breaks_no_message(monkeypatch):
    """Wherever Ctrl-C comes, the stream to the worker stays one of messages."""
    worker = _worker._current()
    worker.shares = False
    x = blobs(300_000, 16)
    params = {"method": "kmeans", "params": {"clusters": "8"}, "want": []}
    interrupted = 0
    for delay in (0.001, 0.005, 0.01, 0.02, 0.03, 0.05, 0.08):
        signal.signal(signal.SIGALRM, signal.default_int_handler)
        try:
            try:
                signal.setitimer(signal.ITIMER_REAL, delay)
                call("fit", params, {"X": x})
            finally:  # where it may come, too
                signal.setitimer(signal.ITIMER_REAL, 0)
        except KeyboardInterrupt:
            interrupted += 1
        assert kmeans(blobs(30)).shape == (30,)
    assert interrupted > 0 and _worker._current() is worker and worker.pending == {}


def child(code: str, **more: str) -> subprocess.Popen[str]:
    """Start Python in a process group of its own."""
    return subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(code)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": SOURCE + os.pathsep + os.path.dirname(__file__), **more},
        start_new_session=True,
    )


def gone(pid: int) -> bool:
    """Report whether a process has ended, or ends within two minutes."""
    for _ in range(12_000):
        try:
            with open(f"/proc/{pid}/stat") as f:
                if f.read().rpartition(")")[2].split()[0] == "Z":
                    return True
        except OSError:
            return True
        time.sleep(0.01)
    return False


linux = pytest.mark.skipif(sys.platform != "linux", reason="looks at /proc")

PRINTS = """
    import os, sys
    import test_worker
    from pykindred import _worker
    pid = _worker._current().process.pid
"""


@linux
@pytest.mark.parametrize("how", ["SIGINT", "SIGTERM", "SIGKILL"])
def test_no_process_is_left(how):
    """As from a terminal, Ctrl-C reaches the whole group; the other signals this process alone."""
    p = child(PRINTS + "    test_worker.endless(lambda: print(pid, flush=True))")
    pid = int(p.stdout.readline())
    if how == "SIGINT":
        os.killpg(p.pid, signal.SIGINT)
    else:
        p.send_signal(getattr(signal, how))
    _, errors = p.communicate(timeout=60)
    assert gone(pid)
    if how == "SIGINT":
        assert "KeyboardInterrupt" in errors and "WorkerError" not in errors
    p = child(PRINTS + "    print(pid, flush=True)")
    out, errors = p.communicate(timeout=60)
    assert p.returncode == 0 and errors == "" and gone(int(out))


@linux
def test_a_forked_process_has_a_worker_of_its_own():
    """Neither uses that of the other, and it ends with its owner while a fork lives."""
    p = child(
        PRINTS
        + """
    left, right = os.pipe()
    if os.fork() == 0:
        os.close(right)
        own = _worker._current().process.pid
        test_worker.kmeans(test_worker.blobs(30))
        print(pid, own, flush=True)
        os.read(left, 1)   # until the parent has ended
        test_worker.kmeans(test_worker.blobs(30))
        print("done", test_worker.gone(pid), flush=True)
        sys.exit()
    os.close(left)
    test_worker.kmeans(test_worker.blobs(30))
    print("parent", flush=True)
    """
    )
    lines = p.communicate(timeout=60)[0].split("\n")
    assert "parent" in lines and "done True" in lines
    pids = next(line.split() for line in lines if line and line[0].isdigit())
    assert pids[0] != pids[1] and gone(int(pids[1]))


@linux
def test_a_fork_holds_nothing_of_what_is_under_way():
    """Neither arrays on their way to the worker, nor the pipes of one that is being started."""
    p = child(
        """
    import os, sys, threading, time
    import numpy as np
    from pykindred import _worker

    def held():
        found = []
        for fd in os.listdir("/proc/self/fd"):
            try:
                found.append(os.readlink("/proc/self/fd/" + fd))
            except OSError:
                pass
        return found

    started, hello = threading.Event(), _worker.Worker._hello
    def slowly(worker, executable):
        print("stdin", os.readlink(f"/proc/self/fd/{worker.stdin.fileno()}"), flush=True)
        started.set()
        time.sleep(0.3)
        hello(worker, executable)
    _worker.Worker._hello = slowly
    thread = threading.Thread(target=_worker._current)
    thread.start()
    started.wait()
    if os.fork() == 0:
        print("fork", *held(), flush=True)
        os._exit(0)
    os.wait()
    thread.join()
    with _worker._current()._shared(np.zeros(1000)):
        print("parent", any("memfd" in to for to in held()), flush=True)
        if os.fork() == 0:
            print("child", any("memfd" in to for to in held()), flush=True)
            memory = os.open("/", os.O_RDONLY)  # has the number of what was closed
    if _worker._worker is None:
        print("kept", os.readlink(f"/proc/self/fd/{memory}"), flush=True)
        os._exit(0)
    os.wait()
    """
    )
    out, errors = p.communicate(timeout=60)
    said = dict(line.split(" ", 1) for line in out.splitlines())
    assert said["stdin"] not in said["fork"].split(), errors
    assert (said["parent"], said["child"], said["kept"]) == ("True", "False", "/"), errors


def test_where_the_executable_is(monkeypatch, tmp_path):
    monkeypatch.setenv("KINDRED_BINARY", str(tmp_path / "none"))
    with pytest.raises(WorkerError, match="there is no such file"):
        _binary.path()
    call_fails = pytest.raises(WorkerError, match="there is no such file")
    _worker.shutdown()
    with call_fails:
        call("hello")
    monkeypatch.delenv("KINDRED_BINARY")
    monkeypatch.setattr(_binary, "_folders", lambda: iter([str(tmp_path)]))
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(WorkerError, match="is not found"):
        _binary.path()
    other = tmp_path / _binary._NAME
    other.write_text("#!/bin/sh\necho hello; exit 3\n")
    other.chmod(0o755)
    assert _binary.path() == str(other)
    if os.name != "nt":
        with pytest.raises(WorkerError, match="exit code 3"):
            call("hello")


@posix
def test_what_the_worker_says_at_its_end_is_reported(monkeypatch, tmp_path):
    other = tmp_path / "kindred"
    other.write_text("#!/bin/sh\necho 'fatal error: out of memory' >&2; exit 2\n")
    other.chmod(0o755)
    monkeypatch.setenv("KINDRED_BINARY", str(other))
    with pytest.raises(WorkerError, match="exit code 2: fatal error: out of memory"):
        call("hello")
