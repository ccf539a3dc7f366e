"""What lies in the cache folder: JSON data under a key, sealed; stale, damaged or foreign data are none at all."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

from pbem.crypto.hashing import digest
from pbem.errors import Storage
from pbem.home.files import write_atomically

__all__ = ["keep", "recall"]

_TAG = "pbem-kept/1"


def recall(file: Path, key: str) -> Any:
    """The data that were kept in a file under this key; None when there are none, others, or not whole."""
    try:
        note = json.loads(file.read_bytes())
        sealed = note["key"] == key and note["seal"] == digest(_TAG, [key, note["data"]])
        return note["data"] if sealed else None
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        return None


def keep(file: Path, key: str, data: Any) -> None:
    """Keep data in a file, in one step; where that can't be written things stay as they are."""
    note = {"key": key, "seal": digest(_TAG, [key, data]), "data": data}
    with suppress(Storage):
        write_atomically(file, json.dumps(note).encode("ascii"), 0o600, durable=False)
