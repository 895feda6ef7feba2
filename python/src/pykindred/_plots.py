"""Pictures that display themselves in notebooks."""

from __future__ import annotations

import os
import pathlib
from collections.abc import Callable


class Picture:
    """A picture of a result, which displays itself in a notebook."""

    def __init__(self, draw: Callable[[str], bytes]) -> None:
        self._draw = draw
        self._drawn: dict[str, bytes] = {}

    def svg(self) -> str:
        """Returns the picture as SVG."""
        return self._in("svg").decode("utf-8")

    def png(self) -> bytes:
        """Returns the picture as PNG."""
        return self._in("png")

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the picture to a file that ends in .svg or .png."""
        ending = pathlib.Path(path).suffix.lower().lstrip(".")
        if ending not in ("svg", "png"):
            raise ValueError(f"{os.fspath(path)}: a picture is a file that ends in .svg or .png")
        folder = pathlib.Path(path).parent
        if not folder.is_dir():
            raise FileNotFoundError(
                f"{os.fspath(path)}: there is no folder {folder}: make it first")
        pathlib.Path(path).write_bytes(self._in(ending))

    def _repr_svg_(self) -> str:
        return self.svg()

    def _in(self, form: str) -> bytes:
        if form not in self._drawn:
            self._drawn[form] = self._draw(form)
        return self._drawn[form]
