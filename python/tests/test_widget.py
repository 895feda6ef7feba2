"""The widget without a browser: what it shows, and what it does with messages."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_iris

from pykindred.session import Session

pytest.importorskip("anywidget")
pytest.importorskip("pandas")


@pytest.fixture
def widget() -> Iterator[Any]:
    X, _ = load_iris(return_X_y=True, as_frame=True)
    with Session(X.set_axis([f"flower {i}" for i in range(150)])) as session:
        made = session.widget()
        rested(made)
        yield made


def say(widget: Any, **message: Any) -> dict[str, Any]:
    """Sends what the page sends, and returns the view."""
    beat = widget.view["beat"]
    widget._handle_custom_msg(message, [])
    assert widget.view["beat"] == beat + 1
    view: dict[str, Any] = widget.view
    return view


def rested(widget: Any) -> dict[str, Any]:
    """Returns the view once no fit is under way, as the page does, which looks again."""
    end = time.monotonic() + 120
    while widget.view["fitting"] or not widget.view["question"]:
        assert time.monotonic() < end, widget.view
        time.sleep(0.02)
        say(widget, do="look")
    view: dict[str, Any] = widget.view
    return view


def answer(widget: Any, given: str, **more: Any) -> dict[str, Any]:
    """Answers the question on the page, and returns the view with the next one."""
    q = rested(widget)["question"]
    message = {"a": q["a"]["row"], "b": q["b"]["row"], "number": q["number"], **more}
    say(widget, do="answer", answer=given, **message)
    return rested(widget)


def test_a_view_has_the_question_the_map_and_the_groups(widget: Any) -> None:
    view = widget.view
    assert view["question"]["a"]["id"].startswith("flower ")
    assert [f["name"] for f in view["question"]["fields"]][0] == "sepal length (cm)"
    assert sum(g["size"] for g in view["groups"]) == 150
    points = np.frombuffer(widget.points, "<f4").reshape(-1, 2)
    assert points.shape == (150, 2)
    row = view["question"]["b"]["row"]
    assert view["question"]["marks"][1] == pytest.approx(list(points[row]))
    assert len(widget.places) == 6 * 150
    assert "150 rows" in view["certain"] and not view["keeps"]


def test_messages_are_steps(widget: Any) -> None:
    first = widget.view["question"]
    view = answer(widget, "different")
    assert view["progress"].startswith("1 answer.")
    assert view["canUndo"] and not view["canRedo"]
    assert view["question"]["number"] != first["number"]
    assert widget.session.state["answers"] == 1
    assert say(widget, do="undo")["canRedo"]
    assert say(widget, do="redo")["progress"].startswith("1 answer.")
    skipped = rested(widget)["question"]
    say(widget, do="skip")
    view = rested(widget)
    assert {view["question"]["a"]["row"], view["question"]["b"]["row"]} != {
        skipped["a"]["row"], skipped["b"]["row"],
    }  # fmt: skip
    assert say(widget, do="name", group=1, name="one")["groups"][0]["name"] == "one"
    assert list(widget.session.groups()["name"].unique()) != [""]


def test_errors_are_shown(widget: Any) -> None:
    session = widget.session
    session.same([("flower 0", "flower 1"), ("flower 1", "flower 2")])
    say(widget, do="look")
    message = {"do": "answer", "answer": "different", "a": 0, "b": 2, "number": 0}
    view = say(widget, **message)
    assert "flower 0 = flower 1" in view["problem"]["text"]
    assert view["problem"]["answer"] == "different"
    assert session.state["stated"] == 2
    view = say(widget, **message, keep=True)
    assert view["problem"] is None
    assert session.state["contradictions"] == 1
    assert "group" in say(widget, do="name", group=99, name="x")["problem"]["text"]
    assert say(widget, do="answer", answer="same", a=0, b=10**6, number=0)["problem"]


def test_what_is_unknown_is_passed_over(widget: Any) -> None:
    beat = widget.view["beat"]
    for message in ({}, {"do": "__class__"}, {"do": None}, "text", None, []):
        widget._handle_custom_msg(message, [])
    assert widget.view["beat"] == beat


def test_a_large_map_is_a_sample() -> None:
    rng = np.random.default_rng(0)
    with Session(rng.normal(size=(25_000, 2)).astype(np.float32)) as session:
        widget = session.widget()
        assert len(widget.points) == 8 * 12_500
        assert len(widget.places) == 6 * 12_500
        assert widget.view["rows"] == 25_000


def test_the_widget_goes_on_after_its_server_was_killed(widget: Any) -> None:
    answer(widget, "different")
    process = widget.session._project.server._process
    process.kill()
    process.wait()
    assert answer(widget, "same")["progress"].startswith("2 answers.")
