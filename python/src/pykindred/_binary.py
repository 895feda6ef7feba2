"""Where the executable of kindred is."""

from __future__ import annotations

import os
import shutil
import sys
import sysconfig
from collections.abc import Iterator

from ._errors import WorkerError

__all__ = ["path"]

_NAME = "kindred.exe" if os.name == "nt" else "kindred"


def path() -> str:
    """Return the path of the executable.

    The environment variable KINDRED_BINARY names it. Otherwise it is the one that was installed
    with this package, or the one on the PATH.

    Raises
    ------
    WorkerError
        Where there is none.
    """
    named = os.environ.get("KINDRED_BINARY")
    if named:
        if not os.path.isfile(named):
            raise WorkerError(
                f"KINDRED_BINARY is {named!r}, and there is no such file; "
                "name the executable of kindred, or unset it"
            )
        return named
    for folder in _folders():
        candidate = os.path.join(folder, _NAME)
        if os.path.isfile(candidate) and os.access(candidate, os.X_OK):
            return candidate
    found = shutil.which("kindred")
    if found:
        return found
    raise WorkerError(
        "the executable kindred is not found; install the wheel of pykindred, "
        "or name the executable by the environment variable KINDRED_BINARY"
    )


def _folders() -> Iterator[str]:
    """Yield the folders into which installers put executables."""
    scripts = sysconfig.get_path("scripts")
    if scripts:
        yield scripts
    scheme = sysconfig.get_preferred_scheme("user")
    user = sysconfig.get_path("scripts", scheme)
    if user:
        yield user
    yield os.path.dirname(sys.executable)
    # pip install --target puts them into bin beside the packages
    packages = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    yield os.path.join(packages, "bin")
