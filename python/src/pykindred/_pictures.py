"""Pictures of a column, where the executable reads them."""

from __future__ import annotations

import hashlib
import io
import os
from collections.abc import Sequence
from typing import Any, cast

from ._errors import InputError

__all__ = ["located", "placed"]


def placed(values: Sequence[Any], folder: str) -> list[str | None]:
    """Returns paths of pictures relative to the folder of the project.

    Pictures that lie there are left where they are. Others are linked or copied to the given
    folder, as bytes and objects of Pillow are written to it, each under its digest.
    """
    beside = os.path.dirname(folder)
    return [_place(value, folder, beside, row) for row, value in enumerate(values)]


def located(values: Sequence[Any], folder: str) -> tuple[list[str | None], str]:
    """Returns paths of pictures relative to a folder, and that folder.

    They are left where they are: paths are absolute, or relative to the working directory. Bytes
    and objects of Pillow are written to the given folder, each under its digest.
    """
    paths: list[str | None] = []
    for row, value in enumerate(values):
        if value is None or isinstance(value, float):  # NaN of pandas
            paths.append(None)
        elif isinstance(value, (str, os.PathLike)):
            path = os.path.realpath(cast(str, value))
            if not os.path.isfile(path):
                raise InputError(
                    f"row {row}: there is no picture {os.fspath(cast(str, value))!r}; give an "
                    "absolute path, or one from the working directory")
            paths.append(path)
        else:
            paths.append(os.path.realpath(os.path.join(folder, _kept(_bytes(value, row), folder))))
    there = {os.path.dirname(path) for path in paths if path is not None}
    try:
        base = os.path.commonpath(there) if there else folder
    except ValueError:  # on several drives
        beside = placed(paths, os.path.join(folder, "pictures"))
        return beside, folder
    relative = (path and os.path.relpath(path, base).replace(os.sep, "/") for path in paths)
    return list(relative), base


def _kept(data: bytes, folder: str) -> str:
    """Writes a picture to a folder under its digest, and returns its name."""
    name = hashlib.sha256(data).hexdigest()[:16] + ".img"
    target = os.path.join(folder, name)
    os.makedirs(folder, exist_ok=True)
    if not os.path.exists(target):
        _write(target, data)
    return name


def _place(value: Any, folder: str, beside: str, row: int) -> str | None:
    if value is None or isinstance(value, float):  # NaN of pandas
        return None
    if isinstance(value, (str, os.PathLike)):
        path = os.path.realpath(cast(str, value))
        if not os.path.isfile(path):
            other = os.path.realpath(os.path.join(beside, cast(str, value)))
            if not os.path.isfile(other):
                raise InputError(f"row {row}: there is no picture {os.fspath(value)!r}; check it")
            path = other
        inside = os.path.relpath(path, os.path.realpath(beside))
        if not inside.startswith(".."):
            return inside.replace(os.sep, "/")
        name = hashlib.sha256(path.encode()).hexdigest()[:16] + os.path.splitext(path)[1]
        target = os.path.join(folder, name)
        os.makedirs(folder, exist_ok=True)
        if not os.path.exists(target):
            try:
                os.link(path, target)
            except OSError:
                with open(path, "rb") as file:
                    _write(target, file.read())
    else:
        target = os.path.join(folder, _kept(_bytes(value, row), folder))
    return f"{os.path.basename(folder)}/{os.path.basename(target)}"


def _bytes(value: Any, row: int) -> bytes:
    if isinstance(value, dict):  # of Hugging Face
        value = cast("dict[str, Any]", value).get("bytes")
    if isinstance(value, (bytes, bytearray)):
        return bytes(value)
    if hasattr(value, "save"):  # of Pillow
        out = io.BytesIO()
        value.save(out, format="PNG")
        return out.getvalue()
    raise InputError(
        f"row {row}: a picture of type {type(value).__name__}; give a path, bytes, or an image of "
        "Pillow"
    )


def _write(path: str, data: bytes) -> None:
    made = path + ".new"
    with open(made, "wb") as file:
        file.write(data)
    os.chmod(made, 0o600)  # as the project
    os.replace(made, path)
