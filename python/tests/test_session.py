"""Sessions: questions, answers, groups, and what they survive."""

from __future__ import annotations

import json
import os
import pickle
import signal
import subprocess
import sys
import textwrap
import threading
import time
import urllib.request
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import png
from sklearn.datasets import load_iris, make_blobs
from sklearn.metrics import adjusted_rand_score

import pykindred
from pykindred import _binary, _server
from pykindred._errors import InputError, KindredError, WorkerError
from pykindred._ask import ask
from pykindred._given import sources
from pykindred.session import Session

pd = pytest.importorskip("pandas")


@pytest.fixture
def flowers() -> tuple[Any, dict[str, int]]:
    """Iris with an index of names, and the classes by them."""
    X, y = load_iris(return_X_y=True, as_frame=True)
    X = X.set_axis([f"flower {i}" for i in range(len(X))]).iloc[::3]
    return X, dict(zip(X.index, y.to_numpy()[::3]))


def gone(pid: int, seconds: float = 120) -> bool:
    """Waits until a process is gone; reports whether it is."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            with open(f"/proc/{pid}/stat") as file:
                if file.read().rpartition(")")[2].split()[0] == "Z":
                    return True
        except FileNotFoundError:
            return True
        time.sleep(0.05)
    return False


def test_answers_lead_to_the_groups(tmp_path: Path, flowers: Any) -> None:
    X, truth = flowers
    with Session(X, project=tmp_path / "iris.kindred") as session:
        asked = 0
        for question in session.questions():
            assert list(question.rows.index) == [question.a, question.b]
            assert question.rows.loc[question.a].equals(X.loc[question.a])
            question.answer(truth[question.a] == truth[question.b])
            asked += 1
            if asked == 15:
                break
        groups = session.groups()
        assert groups.index.equals(X.index)
        assert session.state["answers"] == 15
        setosa = groups.loc[[i for i in X.index if truth[i] == 0], "group"]
        assert setosa.nunique() == 1
        assert (groups["group"] != setosa.iloc[0]).sum() == len(X) - len(setosa)
        number = int(setosa.iloc[0])
        session.name(number, "setosa")
        assert session.groups().loc[setosa.index, "name"].eq("setosa").all()
        assert session.summary().loc[number, "name"] == "setosa"
        assert session.undo()["step"] == "undo"
        assert not session.groups()["name"].any()
        session.redo()
        assert session.groups()["name"].any()
        assert set(session.doubts().columns) == {"group", "certainty", "others", "outlier", "why"}
    with pytest.raises(KindredError, match="closed"):
        session.groups()


def test_a_merge_is_one_step_and_one_undo(flowers: Any) -> None:
    X, _ = flowers
    with Session(X, method="evclus", clusters=3) as session:
        first = [c["medoid"]["row"] for c in session.clusters()[:2]]
        plan = json.loads(session.call("POST", "/plan", {"do": "merge", "rows": first}))
        assert len(plan["pairs"]) == plan["same"] > 1
        assert session.state["answers"] == 0
        session.step("/links", pairs=plan["pairs"])
        assert session.state["answers"] == 1
        assert session.state["stated"] == len(plan["pairs"])
        session.undo()
        assert session.state["answers"] == 0


def test_a_question_that_is_passed_over_is_put_off(flowers: Any) -> None:
    X, _ = flowers
    with Session(X) as session:
        pairs = []
        for question in session.questions():
            pairs.append(question.pair)
            if len(pairs) == 3:
                break
        assert len(set(pairs)) == 3
        assert session.state["skipped"] == 2


def test_the_command_line_goes_on(tmp_path: Path, flowers: Any) -> None:
    X, truth = flowers
    with Session(X, project=tmp_path / "iris.kindred") as session:
        session.ask(lambda a, b: truth[a] == truth[b], budget=4)
        session.export(tmp_path / "before.csv")
        session.export(tmp_path / "answers.csv", "answers")
    out = subprocess.run(
        [_binary.path(), "ask", "iris.kindred", "--terminal", "--out", "after.csv"],
        cwd=tmp_path, input="q\n", capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert "4 answers" in out.stderr, out.stderr
    before, after = (pd.read_csv(tmp_path / f"{name}.csv") for name in ("before", "after"))
    assert list(before["id"]) == list(X.index) == list(after["id"])
    assert before["cluster"].equals(after["cluster"])
    links = pd.read_csv(tmp_path / "answers.csv")
    assert set(links["a"]) | set(links["b"]) <= set(X.index)


def test_a_project_of_the_command_line_opens(tmp_path: Path) -> None:
    subprocess.run(
        [_binary.path(), "ask", "iris", "--oracle", "labels", "--label", "class", "--budget", "5",
         "--project", "iris.kindred"],
        cwd=tmp_path, capture_output=True, check=True,
    )  # fmt: skip
    with Session(tmp_path / "iris.kindred") as session:
        assert session.state["answers"] == 5
        question = session.question()
        assert question is not None and len(question.rows) == 2
        question.answer("unknown")
        assert session.state["answers"] == 6
        assert list(session.groups().index[:2]) == ["1", "2"]
        session.same([("1", "2")])
        assert session.history()[0]["step"] == "same"


def test_contradictions_name_their_chain(flowers: Any) -> None:
    X, _ = flowers
    a, b, c = X.index[0], X.index[20], X.index[40]
    with Session(X) as session:
        session.same([(a, b), (b, c)])
        with pytest.raises(_server.ContradictionError) as refused:
            session.different([(a, c)])
        assert {frozenset(link[:2]) for link in refused.value.chain} == {
            frozenset((a, b)), frozenset((b, c)),
        }  # fmt: skip
        assert isinstance(refused.value, ValueError)
        session.different([(a, c)], keep=True)
        assert session.state["contradictions"] == 1
        with pytest.raises(InputError, match="no row"):
            session.same([("nobody", a)])


def test_a_function_may_contradict_itself(flowers: Any) -> None:
    X, truth = flowers
    turns = iter(range(1000))
    with Session(X) as session:  # kin weighs what contradicts other answers
        session.ask(lambda a, b: (truth[a] == truth[b]) != (next(turns) % 4 == 3), budget=40)
        assert session.state["answers"] == 40
        assert session.state["contradictions"] > 0


def test_answers_survive_a_killed_server(tmp_path: Path, flowers: Any) -> None:
    X, truth = flowers
    with Session(X, project=tmp_path / "iris.kindred") as session:
        session.ask(lambda a, b: truth[a] == truth[b], budget=3)
        process = session._project.server._process
        process.kill()
        process.wait()
        session.ask(lambda a, b: truth[a] == truth[b], budget=5)
        assert session.state["answers"] == 5
        assert session._project.server._process.pid != process.pid


def test_answers_survive_a_killed_python(tmp_path: Path) -> None:
    script = textwrap.dedent(
        """
        import os, signal, sys
        import pandas as pd
        from pykindred.session import Session
        X = pd.DataFrame({"x": [0, 1, 2, 10, 11, 12, 20.5, 21, 22], "y": range(9)})
        session = Session(X, project=sys.argv[1])
        session.same([(0, 1)])
        session.different([(0, 8)])
        print(session._project.server._process.pid, flush=True)
        os.kill(os.getpid(), signal.SIGKILL)
        """
    )
    path = tmp_path / "rows.kindred"
    done = subprocess.run([sys.executable, "-c", script, path], capture_output=True, text=True)
    assert done.returncode == -signal.SIGKILL, done.stderr
    assert gone(int(done.stdout)), "the server outlives Python"
    with Session(path) as session:
        assert session.state["answers"] == 2


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of threads and fork
def test_a_fork_has_a_server_of_its_own(tmp_path: Path, flowers: Any) -> None:
    X, _ = flowers
    with Session(X) as session:
        parent = session._project.server._process.pid
        child = os.fork()
        if child == 0:
            code = 1
            try:
                answers = session.state["answers"]  # of the parent's server
                with Session(X, project=tmp_path / "other.kindred") as other:
                    other.same([(X.index[0], X.index[1])])
                    pid = other._project.server._process.pid
                    if pid != parent and answers == 0 and other.state["answers"] == 1:
                        code = 0
                _server._here.stop()
            finally:
                os._exit(code)
        assert os.waitpid(child, 0)[1] == 0
        assert session.state["answers"] == 0


def test_threads_answer_at_once(flowers: Any) -> None:
    X, truth = flowers
    labels = list(X.index)
    failed: list[BaseException] = []
    with Session(X) as session:

        def work(first: int) -> None:
            try:
                for i in range(first, first + 5):
                    pair = (labels[i], labels[i + 12])
                    if truth[pair[0]] == truth[pair[1]]:
                        session.same([pair])
                    else:
                        session.different([pair])
                    session.groups()
            except BaseException as error:
                failed.append(error)

        workers = [threading.Thread(target=work, args=(6 * k,)) for k in range(4)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        assert not failed
        assert session.state["answers"] == 20


def test_two_sessions_of_a_project_share_it(tmp_path: Path, flowers: Any) -> None:
    X, _ = flowers
    first = Session(X, project=tmp_path / "iris.kindred")
    second = Session(X, project=tmp_path / "iris.kindred")  # as a cell that is run again
    second.same([(X.index[0], X.index[1])])
    assert first.state["answers"] == 1
    first.close()
    assert second.state["answers"] == 1
    second.close()


def test_changed_data(tmp_path: Path, flowers: Any) -> None:
    X, _ = flowers
    path = tmp_path / "iris.kindred"
    with Session(X, project=path) as session:
        session.same([(X.index[0], X.index[1]), (X.index[2], X.index[49])])
    with pytest.raises(InputError, match="carry"):
        Session(X.iloc[:-1], project=path)
    with Session(X, project=path) as session:
        assert (session.state["answers"], session.state["stated"]) == (1, 2)
    with Session(X.iloc[:-1], project=path, changed_data="carry") as session:
        assert (session.state["answers"], session.state["stated"]) == (1, 1)


def test_files_of_others_are_left_alone(tmp_path: Path, flowers: Any) -> None:
    X, _ = flowers
    theirs = [tmp_path / f"iris.rows.{end}" for end in ("arrow", "csv")]
    for path in theirs:
        path.write_bytes(b"mine")
    with pytest.raises(InputError, match="other rows"):
        Session(X, project=tmp_path / "iris.kindred")
    assert [path.read_bytes() for path in theirs] == [b"mine", b"mine"]
    assert sorted(os.listdir(tmp_path)) == ["iris.rows.arrow", "iris.rows.csv"]


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow", "dict", "numpy", "csv"])
def test_frames(library: str, monkeypatch: pytest.MonkeyPatch) -> None:
    X, y = make_blobs(40, centers=3, random_state=0)
    columns = {"x": X[:, 0], "y": X[:, 1], "kind": [f"group {k}" for k in y % 2]}
    data: Any = pd.DataFrame(columns)
    if library == "polars":
        data = pytest.importorskip("polars").DataFrame(columns)
    elif library == "pyarrow":
        data = pytest.importorskip("pyarrow").table(columns)
    elif library == "dict":
        data = columns
    elif library == "numpy":
        data = X
    elif library == "csv":  # where there is no pyarrow
        monkeypatch.setitem(sys.modules, "pyarrow", None)
    with Session(data) as session:
        question = session.question()
        assert question is not None and {question.a, question.b} < set(range(40))
        session.same([(int(np.flatnonzero(y == 1)[0]), int(np.flatnonzero(y == 1)[1]))])
        groups = session.groups()
        if library == "polars":
            assert groups["id"].to_list() == list(range(40))
        elif library == "pyarrow":
            assert groups["id"].to_pylist() == list(range(40))
        else:
            assert list(groups.index) == list(range(40))


def test_texts_with_vectors(tmp_path: Path) -> None:
    notes = pd.DataFrame({"note": [f"note number {i} about things" for i in range(30)]})
    vectors, _ = make_blobs(30, n_features=8, centers=3, random_state=1)
    with Session(notes, text="note", embedding=vectors, project=tmp_path / "n.kindred") as session:
        assert session.state["kind"] == "text"
        assert session.state["clusters"] >= 1
    with Session(["a short text of words"] * 9 + ["another one about birds"] * 9,
                 text="text", method="kin", random_state=3) as session:  # fmt: skip
        assert session.state["settings"]["seed"] == "3"


def test_pictures(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    pictures = [png(rng.integers(0, 256, (8, 8)) // (1 + 4 * (i % 2))) for i in range(20)]
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    paths = []
    for i, data in enumerate(pictures):
        path = folder / f"{i}.png"
        path.write_bytes(data)
        paths.append(str(path))
    for given in (pictures, paths):
        with Session(pd.DataFrame({"p": given}), images="p") as session:
            assert session.state["kind"] == "image"
            assert session.picture(3)[:4] == b"\x89PNG"
    with pytest.raises(InputError, match="row 1"):
        Session(pd.DataFrame({"p": [paths[0], "nowhere.png"]}), images="p")


@pytest.mark.parametrize(("column", "setting"), [("note", "text"), ("photo", "images")])
def test_what_stands_beside_columns(tmp_path: Path, column: str, setting: str) -> None:
    rng = np.random.default_rng(0)
    kinds = ["the card was lost in the rain", "what is the exchange rate of the euro"]
    paths = []
    for i in range(40):
        path = tmp_path / f"{i}.png"
        path.write_bytes(png(rng.integers(0, 256, (8, 8)) // (1 + 4 * (i % 2))))
        paths.append(str(path))
    data = pd.DataFrame({
        "note": [f"{kinds[i % 2]} on day {i}" for i in range(40)],
        "photo": paths,
        "price": [10 + 80 * (i // 2 % 2) + i % 3 for i in range(40)],
        "kind": [["new", "old"][i // 2 % 2] for i in range(40)],
    })  # fmt: skip
    weighed: Any = {setting: column, "features": ["price", "kind"], "column_weights": f"{column}=2"}
    with Session(data, **weighed) as session:
        assert session.question() is not None
        assert session.state["settings"]["column-weights"] == f"{column}=2"
    if setting == "text":
        truth = np.arange(40) % 4
        model = pykindred.MPCKMeans(n_clusters=4, settings=weighed, random_state=0).fit(data)
        assert (model.predict(data) == model.labels_).all()
        kin = pykindred.Kin(oracle=truth, budget=60, settings=weighed, random_state=0).fit(data)
        assert adjusted_rand_score(truth, kin.labels_) > 0.9


def test_what_cannot_be(tmp_path: Path, flowers: Any) -> None:
    X, _ = flowers
    with pytest.raises(ValueError, match="colour"):
        Session(X, colour="red")
    with pytest.raises(ValueError, match="evclus"):
        Session(X, method="evclus")
    with pytest.raises(ValueError, match="kindred"):
        Session(X, project=tmp_path / "rows.db")
    with pytest.raises(InputError, match="no such project"):
        Session(tmp_path / "none.kindred")
    with pytest.raises(InputError, match="no rows"):
        Session(3)
    with Session(X) as session:
        with pytest.raises(InputError, match="no answer"):
            session.answer("perhaps")
        with pytest.raises(KindredError):
            session.undo()
        with pytest.raises(TypeError, match="pickled"):
            pickle.dumps(session)
        with pytest.raises(InputError, match="no group"):
            session.name(99, "x")


def test_exports_and_pictures_of_the_groups(tmp_path: Path, flowers: Any) -> None:
    X, truth = flowers
    session = ask(X, oracle=lambda a, b: truth[a] == truth[b], budget=5)
    with session:
        assert "<svg" in session.plot()._repr_svg_()
        assert session.plot(layout="mds").png()[:4] == b"\x89PNG"
        for name in ("a.csv", "a.parquet", "a.jsonl", "a.model", "a.svg", "a.png", "b.kindred"):
            session.export(tmp_path / name)
            assert (tmp_path / name).stat().st_size > 0
        assert json.loads((tmp_path / "a.model").read_bytes())["format"] == "kindred model"
        link = ask(session, open=False)
        assert link.session is session and "/?code=" in link
        with pytest.raises(InputError, match="ends with"):
            session.export(tmp_path / "a.xyz")


def test_an_interrupted_opening_leaves_nothing(tmp_path: Path) -> None:
    script = textwrap.dedent(
        """
        import os, signal, sys
        import numpy as np
        from pykindred.session import Session
        rng = np.random.default_rng(0)
        X = rng.normal(size=(20_000, 30))
        told = []
        def progress(what, share):
            told.append(what)
            if len(told) == int(sys.argv[2]):
                os.kill(os.getpid(), signal.SIGINT)
        try:
            Session(X, project=sys.argv[1], progress=progress)
            print("it was not interrupted", told)
        except KeyboardInterrupt:
            pass
        with Session(X[:50], project=sys.argv[1] + ".other.kindred") as session:
            session.same([(0, 1)])
            print(session.state["answers"])
        """
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path / "rows.kindred"), "1"],
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["1"]


def test_a_project_in_use_elsewhere_is_refused(tmp_path: Path, flowers: Any) -> None:
    X, _ = flowers
    script = "import sys; from pykindred.session import Session; Session(sys.argv[1])"
    with Session(X, project=tmp_path / "iris.kindred") as session:
        done = subprocess.run(
            [sys.executable, "-c", script, session.project],
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 1
        assert "KindredError" in done.stderr or "Problem" in done.stderr
        assert "use" in done.stderr.splitlines()[-1]
        assert session.state["answers"] == 0


def test_a_script_waits_on_the_page(tmp_path: Path) -> None:
    script = textwrap.dedent(
        """
        import sys, urllib.request
        from pykindred._ask import ask
        session = ask({"x": [0, 1, 2, 10, 11, 12.5]}, project=sys.argv[1])
        print("on", session)
        """
    )
    process = subprocess.Popen(
        [sys.executable, "-c", script, str(tmp_path / "rows.kindred")],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "BROWSER": ""},
    )  # fmt: skip
    try:
        assert process.stderr is not None and process.stdout is not None
        link = process.stderr.readline().split()[-1]
        browser = urllib.request.build_opener(
            urllib.request.ProxyHandler({}), urllib.request.HTTPCookieProcessor()
        )
        with browser.open(link) as page:  # the link lets it in
            assert b"<title>kindred" in page.read()
        process.stderr.readline()
        process.send_signal(signal.SIGINT)
        assert "6 rows" in process.stdout.read()
        process.communicate()
        assert process.returncode == 0
    finally:
        process.kill()
        process.wait()


def test_messages_name_parameters_and_labels() -> None:
    data = pd.DataFrame({"x": [0, None, 2, 10, 11, 12.5]}, index=list("abcdef"))
    with pytest.raises(InputError, match=r"X, row 'b', column x.*missing='keep'"):
        Session(data)
    with Session(data, missing="drop", random_state=4) as session:
        assert list(session.groups().index) == list("acdef")
        session.same([("c", "d")])
        with pytest.raises(InputError, match="'b'"):
            session.same([("b", "c")])
        assert session.state["settings"]["seed"] == "4"


@pytest.mark.skipif(os.name == "nt", reason="writes a script of the shell")
@pytest.mark.parametrize("says", [None, "{}", "no JSON"])
def test_a_program_that_is_no_server(says: str | None, tmp_path: Any, monkeypatch: Any) -> None:
    program = tmp_path / "kindred"
    program.write_text("nothing" if says is None else f"#!/bin/sh\necho '{says}'\ncat\n")
    program.chmod(0o600 if says is None else 0o700)
    monkeypatch.setenv("KINDRED_BINARY", str(program))
    with pytest.raises(WorkerError, match="kindred"):
        _server.Server()


@pytest.mark.skipif(os.name == "nt", reason="looks at permissions of POSIX")
def test_files_of_a_project_are_for_its_owner_alone(tmp_path: Path) -> None:
    X = load_iris().data[::5]
    data = {"a": X[:, 0].tolist(), "p": [b"picture"] * len(X)}
    stem = str(tmp_path / "p")
    with sources(data, stem + ".kindred", False, {"images": "p", "embedding": X}):
        files = [f for f in tmp_path.rglob("*") if f.is_file()]
    assert len(files) == 3
    assert all(f.stat().st_mode & 0o077 == 0 for f in files), files
