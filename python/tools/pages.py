#!/usr/bin/env python3
"""Runs the Python code of pages of the documentation as notebooks, and compares the output.

    pages.py [--write] [--notebooks FOLDER] PAGE...

A block ```python is a cell. The block ```text after it is what it prints and returns, and the
picture after that, ![…](….svg), is what it draws; a cell without these must have no output. Blocks
of code in other languages, as ```py, are not run. --write changes the page, and pictures, to what
comes out; --notebooks writes each page as an executed notebook. The command is bin/kindred, or what
KINDRED_BINARY names.
"""

from __future__ import annotations

import argparse
import difflib
import os
import re
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nbformat
from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

CELL = re.compile(
    r"^```python\n(?P<code>.*?)^```\n"
    r"(?P<text>\n```text\n(?P<said>.*?)^```\n)?"
    r"(?P<image>\n!\[(?P<alt>[^\]]*)\]\((?P<path>[^)\s]+\.svg)\)\n)?",
    re.MULTILINE | re.DOTALL,
)


@dataclass
class Output:
    """What a cell prints and returns as text, and what it draws."""

    text: str
    picture: str


def main() -> int:
    """Runs the pages, two at a time, and returns 1 where one is not what its code yields."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--notebooks", type=Path)
    parser.add_argument("pages", nargs="+", type=Path)
    options = parser.parse_args()
    command = Path(__file__).resolve().parents[2] / "bin/kindred"
    os.environ.setdefault("KINDRED_BINARY", str(command))
    with ThreadPoolExecutor(2) as pool:
        problems = list(
            pool.map(lambda page: check(page, options.write, options.notebooks), options.pages)
        )
    for problem in filter(None, problems):
        print(problem)
    return 1 if any(problems) else 0


def check(page: Path, write: bool, notebooks: Path | None) -> str:
    """Runs a page and returns what is wrong with it."""
    before = page.read_text()
    try:
        outputs = execute(page, before, notebooks)
    except CellExecutionError as err:
        return f"{page}: {err.ename}: {err.evalue}"
    pictures: dict[Path, str] = {}
    rest = iter(outputs)
    after = CELL.sub(lambda m: block(m, next(rest), page, pictures), before)
    if write:
        page.write_text(after)
        for path, picture in pictures.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(picture)
        return ""
    wrong = [
        *difflib.unified_diff(
            before.splitlines(), after.splitlines(), str(page), "what its code yields", lineterm=""
        ),
        *(
            f"{path} is not what the code of {page} draws"
            for path, picture in pictures.items()
            if not path.exists() or path.read_text() != picture
        ),
    ]
    return "\n".join([*wrong, "Run python/tools/pages.py --write on it"]) if wrong else ""


def execute(page: Path, text: str, notebooks: Path | None) -> list[Output]:
    """Runs the cells of a page in a kernel of their own, in an empty folder."""
    book: Any = nbformat.v4.new_notebook()
    at = 0
    for m in CELL.finditer(text):
        if between := text[at : m.start()].strip():
            book.cells.append(nbformat.v4.new_markdown_cell(between))
        book.cells.append(nbformat.v4.new_code_cell(m["code"].rstrip()))
        at = m.end()
    if between := text[at:].strip():
        book.cells.append(nbformat.v4.new_markdown_cell(between))
    with tempfile.TemporaryDirectory() as folder:
        kernel = AsyncKernelManager(
            kernel_name="python3", transport="ipc", ip=folder + "/kernel"
        )
        at_folder = {"metadata": {"path": folder}}
        NotebookClient(book, kernel, timeout=300, resources=at_folder).execute()
    if notebooks is not None:
        notebooks.mkdir(parents=True, exist_ok=True)
        nbformat.write(book, notebooks / (page.stem + ".ipynb"))
    return [output(cell) for cell in book.cells if cell.cell_type == "code"]


def output(cell: Any) -> Output:
    """Returns the output of a cell that has run."""
    text, picture = "", ""
    for part in cell.outputs:
        if part.output_type == "stream":
            text += part.text
        elif "image/svg+xml" in part.get("data", {}):
            picture = part.data["image/svg+xml"]
        elif "text/plain" in part.get("data", {}):
            text += part.data["text/plain"] + "\n"
    lines = [line.rstrip() for line in text.rstrip().splitlines()]
    return Output("".join(line + "\n" for line in lines), picture)


def block(m: re.Match[str], out: Output, page: Path, pictures: dict[Path, str]) -> str:
    """Returns a cell of a page with its output, and adds its picture to pictures."""
    text = f"```python\n{m['code']}```\n"
    if out.text:
        text += f"\n```text\n{out.text}```\n"
    if out.picture:
        path = m["path"] or f"../images/python/{page.stem}-{m.start()}.svg"
        text += f"\n![{m['alt'] or 'A picture'}]({path})\n"
        pictures[page.parent / path] = out.picture
    return text


if __name__ == "__main__":
    sys.exit(main())
