"""What lies in the cache folder: data under a key, sealed; stale, damaged or foreign data are none at all.

A file has its seal in the first line, the hash of the key and of all that follows; then the data. The seal tells
accidents. Of what somebody else has written, where others can write in the home folder, too, nothing is read: boards
and compiled templates are more than data.
"""

from __future__ import annotations

import hashlib
import json
import marshal
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

from pbem.crypto.hashing import lp
from pbem.disk import open_regular, read_at_most
from pbem.errors import Storage
from pbem.home.files import write_atomically
from pbem.records import NamedTuple

__all__ = ["Cache", "keep", "keep_bytes", "keep_marshalled", "recall", "recall_bytes", "recall_marshalled", "seal"]

SEAL = 64
"""Digits of a seal."""

LIMIT = 1 << 30
"""Bytes of such a file that are read; what is cut off there breaks its seal."""


class Cache(NamedTuple):
    """A folder of such files, by their names; it may be deleted at any time."""

    folder: Path

    def recall(self, name: str, key: str) -> Any:
        """The data of a file, as `recall` has them."""
        return recall(self.folder / name, key)

    def keep(self, name: str, key: str, data: Any) -> None:
        """Keep data in a file, as `keep` does."""
        keep(self.folder / name, key, data)


def recall(file: Path, key: str) -> Any:
    """The data that were kept in a file under this key; None when there are none, others, or not whole."""
    try:
        kept = recall_bytes(file, key)
        return None if kept is None else json.loads(kept)
    except (ValueError, RecursionError):
        return None


def recall_marshalled(file: Path, key: str) -> Any:
    """The data or code that was kept as Python writes it; None when there is none, other, or not whole.

    What the seal doesn't vouch for is never unmarshalled. Python's versions read it otherwise: the key names that one.
    """
    try:
        kept = recall_bytes(file, key)
        return None if kept is None else marshal.loads(kept)  # noqa: S302 sealed, and the player's own
    except (ValueError, TypeError, EOFError):
        return None


def recall_bytes(file: Path, key: str) -> bytes | None:
    """The bytes that were kept in a file under this key; None when there are none, others, or not whole."""
    try:
        with open_regular(file) as opened:
            if not _is_mine(opened.fileno()):
                return None
            whole = read_at_most(opened, LIMIT)
    except OSError:
        return None
    kept = memoryview(whole)[SEAL + 1 :]  # it may be large: no copy is made to be hashed
    return whole[SEAL + 1 :] if whole[: SEAL + 1] == seal(key, kept) + b"\n" else None


def _is_mine(handle: int) -> bool:
    """Whether an open file belongs to who runs this, or to the system's owner; where files have no owners they do."""
    return sys.platform == "win32" or os.fstat(handle).st_uid in (os.geteuid(), 0)


def keep(file: Path, key: str, data: Any) -> None:
    """Keep data in a file, in one step; where that can't be written things stay as they are."""
    keep_bytes(file, key, json.dumps(data).encode("ascii"))


def keep_marshalled(file: Path, key: str, data: Any) -> None:
    """Keep data or code as Python writes it, which it reads in a sixth of JSON's time."""
    keep_bytes(file, key, marshal.dumps(data))


def keep_bytes(file: Path, key: str, kept: bytes) -> None:
    """Keep bytes, as `keep` does data."""
    with suppress(Storage):
        write_atomically(file, seal(key, kept) + b"\n" + kept, 0o600, durable=False)


def seal(key: str, kept: bytes | memoryview) -> bytes:
    """The line that stands before data kept under a key: 64 hexadecimal digits."""
    hashed = hashlib.sha256(lp(b"pbem-kept/2") + lp(key.encode()))
    hashed.update(kept)
    return hashed.hexdigest().encode("ascii")
