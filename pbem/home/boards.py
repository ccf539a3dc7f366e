"""Boards as they were built from their scenarios, kept: maps, units and tables that never change."""

from __future__ import annotations

import os
import pickle
import sys
from collections.abc import Callable
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO

from pbem import __version__
from pbem.home import cache
from pbem.records import NamedTuple
from pbem.scenario import Scenario

__all__ = ["Boards"]

VERSION = f"pbem-board/1 {__version__} {sys.version}"

_PROGRAM = Path(__file__).parent.parent


class Boards(NamedTuple):
    """A folder of boards, each sealed for its scenario, for this Python and for the very files that have built it.

    What the seal doesn't vouch for is never read. It keeps accidents off, not whoever writes in the home folder on
    purpose, as with compiled templates (pbem.report.layout): nothing that comes by mail is put there.
    """

    folder: Path

    def __call__(self, scenario: Scenario, build: Callable[[], Any], /) -> Any:
        """The board of a scenario as it was kept, else as it is built; it is kept then."""
        key = _key(scenario)
        if key is None:
            return build()
        file = self.folder / f"{scenario.id}.board"
        if (kept := cache.recall_bytes(file, key)) is not None:
            with suppress(Exception):  # whatever comes of what isn't a board: it is built
                board = _Reader(BytesIO(kept), scenario.system).load()
                if board.__class__.__module__ == f"pbem.rules.{scenario.system}.board":
                    return board
        board = build()
        cache.keep_bytes(file, key, pickle.dumps(board, pickle.HIGHEST_PROTOCOL))
        return board


class _Reader(pickle.Unpickler):
    """Reads a board: nothing is made but by classes of maps and rules, and by functions of maps and of the very system.

    A pickle calls what it names, so nothing is to be had that opens files or starts programs.
    """

    def __init__(self, file: BinaryIO, system: str) -> None:
        super().__init__(file)
        self.whole = ("pbem.maps.", f"pbem.rules.{system}.")

    def find_class(self, module: str, name: str, /) -> Any:
        if (module, name) == ("fractions", "Fraction"):
            return super().find_class(module, name)
        if not module.startswith((*self.whole, "pbem.rules.kit.")) or "." in name:
            raise pickle.UnpicklingError(f"{module}.{name} is in no board")
        found = super().find_class(module, name)
        # what a module of the program only imports is not its own
        if found.__module__ != module or not (isinstance(found, type) or module.startswith(self.whole)):
            raise pickle.UnpicklingError(f"{module}.{name} is in no board")
        return found


def _key(scenario: Scenario) -> str | None:
    """What a board depends on: its scenario, and the program's files by which it is built, as Python itself tells
    whether a compiled one is that of a source. None where these are no files.
    """
    folders = [_PROGRAM / "maps", _PROGRAM / "rules" / "kit", _PROGRAM / "rules" / scenario.system]
    try:
        files = [entry.stat() for folder in folders for entry in os.scandir(folder) if entry.name.endswith(".py")]
        files += [(_PROGRAM / name).stat() for name in ("errors.py", "records.py", "words.py")]
    except OSError:
        return None
    written = sorted((file.st_mtime_ns, file.st_size) for file in files)
    return f"{VERSION} {scenario.digest} {written}"
