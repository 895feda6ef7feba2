"""The wheels and the sdist that make wheels builds; KINDRED_WHEELS names their folder."""

from __future__ import annotations

import base64
import csv
import hashlib
import io
import os
import shutil
import stat
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

SOURCES = Path(__file__).resolve().parent.parent
WHEELS = Path(os.environ.get("KINDRED_WHEELS", "no such folder")).absolute()
pytestmark = pytest.mark.skipif(
    not WHEELS.is_dir(), reason="KINDRED_WHEELS names no folder; make wheels-check does"
)

LINUX = "manylinux2014_{0}.manylinux_2_17_{0}.musllinux_1_1_{0}"
# The tags of each wheel, and how its program begins.
TAGS = {
    LINUX.format("x86_64"): b"\x7fELF\x02\x01",
    LINUX.format("aarch64"): b"\x7fELF\x02\x01",
    "macosx_12_0_x86_64": b"\xcf\xfa\xed\xfe",
    "macosx_12_0_arm64": b"\xcf\xfa\xed\xfe",
    "win_amd64": b"MZ",
    "win_arm64": b"MZ",
}
FIT = """
import numpy as np, pykindred
rows = np.random.default_rng(1).normal(size=(60, 3)) + 50 * (np.arange(60)[:, None] // 20)
labels = pykindred.KMeans(n_clusters=3, random_state=1).fit_predict(rows)
assert len({tuple(labels[i:i + 20]) for i in (0, 20, 40)}) == 3, labels
assert all(len(set(labels[i:i + 20])) == 1 for i in (0, 20, 40)), labels
print(pykindred.__version__)
"""


def wheel(tag: str) -> Path:
    """Returns the wheel with a tag."""
    (found,) = WHEELS.glob(f"pykindred-*-py3-none-{tag}.whl")
    return found


def version() -> str:
    """Returns the version in the names of the wheels."""
    return wheel("win_amd64").name.split("-")[1]


def run(*args: str | Path, **env: str) -> subprocess.CompletedProcess[str]:
    """Runs a program with additions to the environment, and without the tester's KINDRED_*."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("KINDRED_", "PYTHON"))}
    return subprocess.run(
        [str(a) for a in args], env=kept | env, capture_output=True, text=True, check=False
    )


def must(*args: str | Path, **env: str) -> str:
    """Runs a program that must succeed, and returns what it prints."""
    done = run(*args, **env)
    assert done.returncode == 0, f"{args}: {done.stdout}\n{done.stderr}"
    return done.stdout


def unpack_program(tag: str, folder: Path) -> Path:
    """Writes the program of a wheel to a folder."""
    with zipfile.ZipFile(wheel(tag)) as z:
        (name,) = [n for n in z.namelist() if n.endswith(".data/scripts/kindred")]
        program = folder / "kindred"
        program.write_bytes(z.read(name))
    program.chmod(0o755)
    return program


def test_there_is_a_wheel_for_each_system_and_an_sdist() -> None:
    names = {p.name for p in WHEELS.iterdir()}
    want = {f"pykindred-{version()}-py3-none-{tag}.whl" for tag in TAGS}
    assert names == want | {f"pykindred-{version()}.tar.gz", "SHA256SUMS"}
    for line in (WHEELS / "SHA256SUMS").read_text().splitlines():
        digest, name = line.split()
        assert hashlib.sha256((WHEELS / name).read_bytes()).hexdigest() == digest
        names.remove(name)
    assert names == {"SHA256SUMS"}


@pytest.mark.parametrize("tag", TAGS)
def test_what_a_wheel_holds(tag: str) -> None:
    path = wheel(tag)
    assert path.stat().st_size < 40e6
    info = f"pykindred-{version()}.dist-info/"
    script = f"pykindred-{version()}.data/scripts/kindred" + (".exe" if tag.startswith("win") else "")
    with zipfile.ZipFile(path) as z:
        files = {i.filename: i for i in z.infolist()}
        outside = {n for n in files if not n.startswith("pykindred/")}
        terms = {info + "licenses/" + name for name in ("LICENSE", "NOTICE", "LICENCES.txt")}
        assert outside == {script, info + "METADATA", info + "WHEEL", info + "RECORD"} | terms
        assert z.read(script).startswith(TAGS[tag])
        assert files[script].external_attr >> 16 & stat.S_IXUSR
        assert z.read(info + "licenses/NOTICE") == (SOURCES.parent / "NOTICE").read_bytes()
        assert len(z.read(info + "licenses/LICENCES.txt")) > 100_000
        inside = {n for n in files if n.startswith("pykindred/")}
        source = SOURCES / "src"
        assert inside == {
            str(p.relative_to(source))
            for p in (source / "pykindred").rglob("*")
            if p.is_file() and "__pycache__" not in p.parts
        }
        assert "pykindred/py.typed" in inside
        said = z.read(info + "WHEEL").decode()
        assert "Root-Is-Purelib: false\n" in said
        tags = {line[5:] for line in said.splitlines() if line.startswith("Tag: ")}
        assert tags == {f"py3-none-{platform}" for platform in tag.split(".")}
        listed = list(csv.reader(io.StringIO(z.read(info + "RECORD").decode())))
        assert {row[0] for row in listed} == set(files)
        for name, digest, size in listed:
            if name == info + "RECORD":
                continue
            data = z.read(name)
            want = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            assert (digest, size) == ("sha256=" + want, str(len(data)))


@pytest.mark.parametrize(
    ("platform", "tag"),
    [
        ("manylinux_2_17_x86_64", LINUX.format("x86_64")),
        ("manylinux2014_x86_64", LINUX.format("x86_64")),
        ("musllinux_1_1_x86_64", LINUX.format("x86_64")),
        ("manylinux2014_aarch64", LINUX.format("aarch64")),
        ("musllinux_1_1_aarch64", LINUX.format("aarch64")),
        ("macosx_12_0_x86_64", "macosx_12_0_x86_64"),
        ("macosx_15_0_arm64", "macosx_12_0_arm64"),
        ("win_amd64", "win_amd64"),
        ("win_arm64", "win_arm64"),
        ("macosx_11_0_arm64", None),
        ("linux_armv7l", None),
        ("win32", None),
    ],
)
def test_pip_picks_the_wheel_of_a_system(platform: str, tag: str | None, tmp_path: Path) -> None:
    for python in ("3.10", "3.13"):
        done = run(
            sys.executable, "-m", "pip", "download", "--no-deps", "--no-index",
            "--find-links", WHEELS, "--only-binary", ":all:", "--platform", platform,
            "--python-version", python, "-d", tmp_path / python, f"pykindred=={version()}",
        )
        if tag is None:
            assert done.returncode != 0
            assert "No matching distribution" in done.stderr
        else:
            assert done.returncode == 0, done.stderr
            assert [p.name for p in (tmp_path / python).iterdir()] == [wheel(tag).name]


def test_a_wheel_built_again_has_the_same_bytes(tmp_path: Path) -> None:
    # From the sdist, in another folder and by pip: as somebody without a checkout does.
    program = unpack_program(LINUX.format("aarch64"), tmp_path)
    must(
        sys.executable, "-m", "pip", "wheel", "--no-build-isolation", "--no-deps",
        "-w", tmp_path, WHEELS / f"pykindred-{version()}.tar.gz",
        KINDRED_BINARY=str(program),
    )
    name = wheel(LINUX.format("aarch64")).name
    assert (tmp_path / name).read_bytes() == (WHEELS / name).read_bytes()


def test_the_sdist_needs_a_program(tmp_path: Path) -> None:
    sdist = WHEELS / f"pykindred-{version()}.tar.gz"
    with tarfile.open(sdist) as t:
        names = {m.name.split("/", 1)[1] for m in t.getmembers()}
    assert {"LICENSE", "NOTICE", "LICENCES.txt", "src/pykindred/__init__.py"} <= names
    args = [sys.executable, "-m", "pip", "wheel", "--no-build-isolation", "--no-deps"]
    done = run(*args, "-w", tmp_path, sdist)
    assert done.returncode != 0
    assert "KINDRED_BINARY does not name it" in done.stdout + done.stderr
    shared = shutil.which("git")  # a program that needs a loader
    assert shared is not None
    done = run(*args, "-w", tmp_path, sdist, KINDRED_BINARY=shared)
    assert done.returncode != 0
    assert "needs a loader" in done.stdout + done.stderr


def interpreters() -> list[str]:
    """Returns the Pythons of this machine that the package is for."""
    found = []
    for minor in range(10, 15):
        at = sorted(Path.home().glob(f".pyenv/versions/3.{minor}.*/bin/python"))
        which = shutil.which(f"python3.{minor}")
        if at or which:
            found.append(str(at[-1]) if at else str(which))
    return found


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="wheels are tried on Linux")
@pytest.mark.parametrize("python", interpreters(), ids=lambda path: path)
def test_an_installed_wheel_works(python: str, tmp_path: Path) -> None:
    venv = tmp_path / "venv"
    must(python, "-m", "venv", venv)
    pip = [venv / "bin/python", "-m", "pip", "install", "--quiet", "--only-binary", ":all:"]
    must(*pip, "numpy", "scikit-learn")
    must(*pip, "--no-index", "--find-links", WHEELS, f"pykindred=={version()}")
    must(venv / "bin/python", "-m", "pip", "check")
    assert must(venv / "bin/kindred", "version").startswith("kindred ")
    out = must(venv / "bin/python", "-W", "error::DeprecationWarning:pykindred", "-c", FIT)
    assert out.strip() == version()
    must(venv / "bin/python", "-m", "pip", "uninstall", "--quiet", "-y", "pykindred")
    assert not (venv / "bin/kindred").exists()


@pytest.mark.skipif(os.uname().machine != "x86_64", reason="the wheel is of another processor")
def test_the_program_of_the_wheel_works_in_an_empty_root(tmp_path: Path) -> None:
    program = unpack_program(LINUX.format("x86_64"), tmp_path)
    out = must(
        "go", "test", "-v", "-count=1", "-run", "^TestTheCommandWorksInAnEmptyRoot$",
        str(SOURCES.parent / "cmd/kindred"), KINDRED_BINARY=str(program),
    )
    assert f"the command is {program}" in out


@pytest.mark.skipif(not shutil.which("qemu-aarch64-static"), reason="needs qemu-aarch64-static")
def test_the_program_for_arm_works(tmp_path: Path) -> None:
    program = unpack_program(LINUX.format("aarch64"), tmp_path)
    qemu = shutil.which("qemu-aarch64-static")
    assert qemu is not None
    assert must(qemu, program, "version").startswith("kindred ")
    other = tmp_path / "other"
    other.mkdir()
    native = unpack_program(LINUX.format("x86_64"), other)
    args = ["cluster", "iris", "--method", "evclus", "-k", "3", "--seed", "1"]
    assert must(qemu, program, *args) == must(native, *args)
    # The package by that program, through a script that starts it.
    script = tmp_path / "script"
    script.write_text(f'#!/bin/sh\nexec {qemu} {program} "$@"\n')
    script.chmod(0o755)
    env = {"PYTHONPATH": str(SOURCES / "src"), "KINDRED_BINARY": str(script)}
    must(sys.executable, "-c", FIT, **env)
