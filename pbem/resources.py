"""Where the files are that come with the program: its scenarios, its templates and its fonts."""

from __future__ import annotations

from pathlib import Path

from pbem.errors import Storage

__all__ = ["MAX_BYTES", "data_folder"]

MAX_BYTES = 1 << 20
"""The size of a file of scenarios."""


def data_folder(kind: str) -> Path:
    """The folder `scenarios`, `templates` or `fonts`: inside the installed package, in a checkout beside it.

    Raises Storage when neither is there.
    """
    package = Path(__file__).resolve().parent
    installed = package / kind
    if installed.is_dir():
        return installed
    checkout = package.parent / kind
    if checkout.is_dir() and (package.parent / "pyproject.toml").is_file():
        return checkout
    raise Storage(f"the folder {kind} is missing", where=str(package), hint="install pbem again")
