#!/usr/bin/env python3
"""Builds the wheels and the sdist of pykindred from the archives of make release.

    wheels.py ARCHIVES OUT

Each archive in the folder ARCHIVES becomes a wheel in OUT. The same archives and sources have the
same bytes; SOURCE_DATE_EPOCH is the time of the files in them.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

if sys.version_info >= (3, 11):
    import tomllib
else:
    sys.exit("wheels.py needs Python 3.11")

SOURCES = Path(__file__).resolve().parent.parent
PARTS = ["pyproject.toml", "hatch_build.py", "README.md", "src"]
TERMS = ["LICENSE", "NOTICE", "LICENCES.txt"]


def main() -> None:
    """Builds all wheels and the sdist."""
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    archives, out = Path(sys.argv[1]), Path(sys.argv[2])
    sums = archives / "SHA256SUMS"
    if not sums.exists():
        sys.exit(f"{sums} is missing; run make release first")
    if out.exists():
        shutil.rmtree(out)
    out.mkdir(parents=True)
    names = [line.split() for line in sums.read_text().splitlines()]
    for digest, name in names:
        data = (archives / name).read_bytes()
        if hashlib.sha256(data).hexdigest() != digest:
            sys.exit(f"{archives / name} is not what {sums} lists; run make release again")
        check_version(name)
        with tempfile.TemporaryDirectory() as folder:
            program = stage(archives / name, Path(folder))
            if name == names[0][1]:
                build("sdist", Path(folder), out)
            build("wheel", Path(folder), out, program)
    built = sorted(p for p in out.iterdir())
    lines = [f"{hashlib.sha256(p.read_bytes()).hexdigest()}  {p.name}\n" for p in built]
    (out / "SHA256SUMS").write_text("".join(lines))
    for p in built:
        print(f"{p.name}: {p.stat().st_size} bytes")


def check_version(archive: str) -> None:
    """Ends where an archive of a release has another version than the package."""
    want = tomllib.loads((SOURCES / "pyproject.toml").read_text())["project"]["version"]
    version = archive.split("-")[1]
    if version not in ("unreleased", "v" + want):
        sys.exit(f"{archive} is not version {want} of python/pyproject.toml; change one of them")


def stage(archive: Path, folder: Path) -> Path:
    """Copies the sources and what an archive holds to a folder, and returns the program's path."""
    for part in PARTS:
        source = SOURCES / part
        if source.is_dir():
            shutil.copytree(source, folder / part, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, folder / part)
    program = folder / "program"
    for name, data in contents(archive):
        if name in TERMS:
            (folder / name).write_bytes(data)
        elif name in ("kindred", "kindred.exe"):
            program.write_bytes(data)
            program.chmod(0o755)
    return program


def contents(archive: Path) -> list[tuple[str, bytes]]:
    """Returns the files of an archive by their names without folders."""
    if archive.suffix == ".zip":
        with zipfile.ZipFile(archive) as z:
            return [(Path(n).name, z.read(n)) for n in z.namelist() if not n.endswith("/")]
    with tarfile.open(archive) as t:
        files = [(m, t.extractfile(m)) for m in t.getmembers()]
        return [(Path(m.name).name, f.read()) for m, f in files if f is not None]


def build(target: str, folder: Path, out: Path, program: Path | None = None) -> None:
    """Runs hatchling in a folder."""
    env = {k: v for k, v in os.environ.items() if k != "KINDRED_BINARY"}
    if program is not None:
        env["KINDRED_BINARY"] = str(program)
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", target, "-d", str(out.resolve())],
        cwd=folder, env=env, check=True, stdout=subprocess.DEVNULL,
    )


if __name__ == "__main__":
    main()
