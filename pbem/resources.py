"""Where the files are that come with the program: its scenarios, templates, fonts and the pages that it shows."""

from __future__ import annotations

from pathlib import Path

from pbem.errors import Storage

__all__ = ["MAX_BYTES", "data_folder", "page"]

MAX_BYTES = 1 << 20
"""The size of a file of scenarios."""


def data_folder(kind: str) -> Path:
    """The folder `scenarios`, `templates`, `fonts` or `docs`: inside the installed package, in a checkout beside it.

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


def page(name: str) -> str:
    """The text of a page of docs/ that comes with the program. Raises Storage when it isn't there."""
    path = data_folder("docs") / name
    try:
        return path.read_text("utf-8")
    except OSError as error:
        raise Storage(
            f"the page {name} can't be read: {error.strerror}", str(path.parent), "install pbem again"
        ) from error
