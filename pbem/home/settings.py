"""What a player has settled for himself, in settings.json of the home folder; what isn't kept there has its default."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path

from pbem.errors import Damaged, Storage
from pbem.home.files import write_atomically
from pbem.home.stored import read_stored

__all__ = ["SETTINGS", "read_settings", "stored_settings", "write_settings"]

SETTINGS = "settings.json"


def read_settings(root: Path) -> dict[str, str]:
    """Name -> value; empty where the file is missing or is none of ours. Raises Storage where it can't be read."""
    with suppress(FileNotFoundError, Damaged):
        return stored_settings(root)
    return {}


def stored_settings(root: Path) -> dict[str, str]:
    """Name -> value. Raises FileNotFoundError where nothing is kept, Damaged; Storage where it can't be read."""
    try:
        found: dict[str, str] = read_stored(root / SETTINGS, dict[str, str], "delete it: it holds only defaults")
    except FileNotFoundError:
        raise
    except OSError as error:
        raise Storage(f"it can't be read: {error.strerror}", str(root / SETTINGS)) from error
    return found


def write_settings(root: Path, **changed: str) -> None:
    """Keep these values, "" for the default; what else is kept stays. Raises Storage."""
    kept = {name: value for name, value in {**read_settings(root), **changed}.items() if value}
    write_atomically(root / SETTINGS, json.dumps(kept, indent=1).encode("ascii"))
