"""Asking in a widget, on a page, or a function."""

from __future__ import annotations

import importlib
import sys
import time
import webbrowser
from collections.abc import Callable
from typing import Any

from ._question import Given
from .session import Session

__all__ = ["Link", "ask"]


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
        ``session``; it works once, within a day.
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
        made = Link(session.link())
        made.session = session
        return made
    if _marimo():
        return session  # which displays itself
    if _notebook():
        importlib.import_module("IPython.display").display(session.widget())
        return session
    if webbrowser.open(session.link(soon=True)):
        print("answer on the page that opens", file=sys.stderr)
    else:
        print(f"answer on the page: {session.link()}", file=sys.stderr)
    if not hasattr(sys, "ps1") and not sys.flags.interactive:
        print("Ctrl-C ends the questions; every answer is kept", file=sys.stderr)
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
