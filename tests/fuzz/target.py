"""What a target is: a reader of any bytes, which may refuse them in one way only; and what several readers share."""

from __future__ import annotations

import atexit
import hashlib
import re
import shutil
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import NamedTuple

from pbem.errors import PbemError
from pbem.wire.blocks import read_log_blocks, render_block

__all__ = ["GAMES", "HARMFUL", "Target", "log_of", "scratch_folder", "scripts", "told"]

GAMES = Path(__file__).parents[1] / "systems" / "games" / "bakumatsu"

# What no message may send to a terminal: controls, half letters, changes of the writing direction.
HARMFUL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def told(error: PbemError, longest: int = 2000) -> None:
    """A message is one line that can be shown."""
    text = str(error)
    assert not HARMFUL.search(text), text[:200]
    assert 0 < len(text) <= longest, text[:200]


class Target(NamedTuple):
    """`read` takes any bytes; it returns, or raises a `refusal`. `inputs` are those of one run of the tests."""

    read: Callable[[bytes], None]
    refusal: type[PbemError]
    seeds: Callable[[], list[bytes]]
    words: tuple[bytes, ...] = ()
    inputs: int = 500

    def take(self, data: bytes) -> bool:
        """Read the data; whether they were taken. Anything but the refusal is a finding."""
        try:
            self.read(data)
        except self.refusal:
            return False
        return True


@cache
def log_of(name: str, entries: int) -> bytes:
    """The beginning of a game's log."""
    blocks = read_log_blocks((GAMES / f"{name}.log").read_text("ascii"))[:entries]
    return "".join(map(render_block, blocks)).encode("ascii")


@cache
def scratch_folder() -> Path:
    """A folder for the files of the targets; gone with the process."""
    folder = Path(tempfile.mkdtemp(prefix="pbem-fuzz-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def scripts() -> list[bytes]:
    """Seeds of the targets that read edits from bytes: any will do."""
    return [hashlib.sha512(bytes([number])).digest() for number in range(64)]
