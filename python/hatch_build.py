"""Puts the program kindred into a wheel, and tags the wheel for the systems that it runs on.

The tag follows from the program itself: no wheel can be tagged for another system than its own.
"""

from __future__ import annotations

import os
import struct
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

MISSING = """\
a wheel of pykindred holds the program kindred, and KINDRED_BINARY does not name it.
Install a wheel (pip install --only-binary pykindred pykindred), or build the program with Go
(git clone https://github.com/kindred-go/kindred && cd kindred && make build) and set
KINDRED_BINARY to its path."""


class ProgramHook(BuildHookInterface):
    """Adds the program that KINDRED_BINARY names as a script."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Sets the tag and the scripts; an editable installation runs the program where it is."""
        if version == "editable":
            return
        program = os.environ.get("KINDRED_BINARY", "")
        if not program:
            raise RuntimeError(MISSING)
        if not Path(program).is_file():
            raise RuntimeError(f"KINDRED_BINARY: {program} is no file")
        platform = platform_of(Path(program).read_bytes())
        name = "kindred.exe" if platform.startswith("win") else "kindred"
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{platform}"
        build_data["shared_scripts"][os.path.abspath(program)] = name


def platform_of(program: bytes) -> str:
    """Returns the platform part of the tag of a wheel with a program, by the program's headers."""
    if program.startswith(b"\x7fELF\x02\x01"):
        return _linux(program)
    if program.startswith(b"\xcf\xfa\xed\xfe"):
        return _macos(program)
    if program.startswith(b"MZ"):
        return _windows(program)
    raise RuntimeError("KINDRED_BINARY is not a 64-bit program for Linux, macOS or Windows")


def _linux(program: bytes) -> str:
    machine = _known({62: "x86_64", 183: "aarch64"}, *struct.unpack_from("<H", program, 18))
    (start,) = struct.unpack_from("<Q", program, 32)
    size, count = struct.unpack_from("<HH", program, 54)
    for i in range(count):
        (kind,) = struct.unpack_from("<I", program, start + i * size)
        if kind == 3:  # PT_INTERP
            raise RuntimeError(
                "KINDRED_BINARY needs a loader, so that it does not run on every Linux; "
                "build it with CGO_ENABLED=0 (make build does)"
            )
    # A static program needs no libc, and Go asks for Linux 3.2: any of these systems will do.
    return ".".join(
        f"{system}_{machine}" for system in ("manylinux2014", "manylinux_2_17", "musllinux_1_1")
    )


def _macos(program: bytes) -> str:
    cpu, _, _, count = struct.unpack_from("<IIII", program, 4)
    machine = _known({0x01000007: "x86_64", 0x0100000C: "arm64"}, cpu)
    at = 32
    for _ in range(count):
        command, size, first, second = struct.unpack_from("<IIII", program, at)
        if command in (0x32, 0x24):  # LC_BUILD_VERSION, LC_VERSION_MIN_MACOSX
            least = second if command == 0x32 else first
            major, minor = least >> 16, least >> 8 & 0xFF
            # From macOS 11 on the tag has the major version alone.
            return f"macosx_{major}_{0 if major > 10 else minor}_{machine}"
        at += size
    raise RuntimeError("KINDRED_BINARY does not name the macOS that it needs")


def _windows(program: bytes) -> str:
    (at,) = struct.unpack_from("<I", program, 0x3C)
    (machine,) = struct.unpack_from("<H", program, at + 4)
    return "win_" + _known({0x8664: "amd64", 0xAA64: "arm64"}, machine)


def _known(names: dict[int, str], machine: int) -> str:
    if machine not in names:
        raise RuntimeError(
            f"KINDRED_BINARY is for another processor than {' and '.join(names.values())}"
        )
    return names[machine]
