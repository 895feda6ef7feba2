"""What a session is given: data, a project, settings; and the files that they become."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from . import _data
from ._errors import NAMES, InputError
from ._frame import Frame
from ._pictures import placed

__all__ = ["Given", "sources"]

_FLAGS = {name: flag for flag, name in NAMES.items()}
_FILES = ("embedding", "links", "labels", "focal-sets")
_END = ".kindred"


@dataclass
class Given:
    """What a session is about.

    Attributes
    ----------
    project : str
        The file that keeps the answers.
    source : str
        The file or folder of the data; "" where the project has it.
    settings : dict
        By the names of the command's flags.
    frame : Frame or None
        The data, where they are in Python.
    passing : str or None
        A folder that ends with the session.
    """

    project: str
    source: str
    settings: dict[str, str]
    frame: Frame | None
    passing: str | None


@contextlib.contextmanager
def sources(data: Any, project: str | os.PathLike[str] | None, carry: bool,
            settings: dict[str, Any]) -> Generator[Given]:  # fmt: skip
    """Yields what a session is about, once its files are written.

    Where what follows fails, what was made for it is removed.
    """
    given, embedding = _settings(settings)
    source, frame, passing = "", None, None
    if isinstance(data, (str, os.PathLike)):
        source = os.fspath(cast("str | os.PathLike[str]", data))
        if source.lower().endswith(_END):
            if project is not None:
                raise InputError(f"{source} is a project itself; leave out project=")
            project, source = source, ""
        elif project is None:
            stem = os.path.basename(os.path.normpath(source)).partition(".")[0]
            project = stem + _END
        if source and os.path.exists(source):
            source = os.path.abspath(source)
    else:
        frame = Frame(data)
    if project is not None and not os.fspath(project).lower().endswith(_END):
        raise InputError(f"project={os.fspath(project)!r}: give a name that ends with {_END}")
    if project is None:
        passing = tempfile.mkdtemp(prefix="pykindred-")
        project = os.path.join(passing, "session" + _END)
    path = os.path.abspath(project)
    if not os.path.isdir(os.path.dirname(path)):
        raise InputError(f"project={os.fspath(project)!r}: make the folder first")
    there = _beside(path)
    try:
        if embedding is not None:
            given["embedding"] = _embedding(embedding, frame, path[: -len(_END)], carry)
        if frame is not None:
            source = _write(frame, given, path[: -len(_END)], carry)
        yield Given(path, source, given, frame, passing)
    except BaseException:
        if passing is not None:
            shutil.rmtree(passing, ignore_errors=True)
        elif not os.path.exists(path):
            for made in _beside(path) - there:
                if os.path.isdir(made):
                    shutil.rmtree(made, ignore_errors=True)
                else:
                    os.unlink(made)
        raise


def _beside(project: str) -> set[str]:
    """Returns the files and folders of the rows that there are beside a project."""
    stem = os.path.basename(project)[: -len(_END)]
    ours = tuple(f"{stem}.{part}" for part in ("rows.", "embedding.npy", "pictures"))
    folder = os.path.dirname(project)
    return {os.path.join(folder, name) for name in os.listdir(folder) if name.startswith(ours)}


def _write(frame: Frame, settings: dict[str, str], stem: str, carry: bool) -> str:
    """Writes the rows, and their pictures; returns the file, and adds settings of reading."""
    replaced: dict[str, Sequence[Any]] = {}
    images = settings.get("images")
    if images in frame.names:
        replaced[images] = placed(frame.column(images), stem + ".pictures")
    path, more = frame.write(stem + ".rows", replaced, own="id" in settings, replace=carry)
    for name, value in more.items():
        settings.setdefault(name, value)
    return path


def _settings(given: dict[str, Any]) -> tuple[dict[str, str], Any]:
    """Returns settings by the names of the command's flags, and vectors that are an array."""
    settings: dict[str, str] = {}
    embedding: Any = None
    for name, value in given.items():
        flag = _FLAGS.get(name, name.replace("_", "-"))
        if value is None:
            continue
        if flag == "embedding" and not isinstance(value, (str, os.PathLike)):
            embedding = np.asarray(value)
        elif flag == "threads":
            settings[flag] = str(_data.threads(cast(object, value)))
        else:
            text = _data.text(cast(object, value), name)
            settings[flag] = os.path.abspath(text) if flag in _FILES and _file(text) else text
    return settings, embedding


def _file(text: str) -> bool:
    return "://" not in text and os.path.exists(text)


def _embedding(values: Any, frame: Frame | None, stem: str, replace: bool) -> str:
    """Writes the vectors of the rows, unless the file has them."""
    if values.ndim != 2 or frame is not None and len(values) != len(frame):
        raise InputError(f"embedding has the shape {values.shape}; give one vector per row")
    if values.dtype not in (np.float32, np.float64):
        values = values.astype(np.float64)
    path = stem + ".embedding.npy"
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
    os.chmod(made, 0o600)  # as the project
    os.replace(made, path)
    return path
