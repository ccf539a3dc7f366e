"""What a player has settled for himself, in settings.json of the home folder; what isn't kept there has its default."""

from __future__ import annotations

import json
from pathlib import Path

from pbem.errors import Storage
from pbem.home.files import read_small, write_atomically

__all__ = ["SETTINGS", "read_settings", "write_settings"]

SETTINGS = "settings.json"


def read_settings(root: Path) -> dict[str, str]:
    """Name -> value; empty where the file is missing or is none of ours. Raises Storage where it can't be read."""
    try:
        data = read_small(root / SETTINGS)
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise Storage(f"it can't be read: {error.strerror}", str(root / SETTINGS)) from error
    try:
        stored = json.loads(data.decode("utf-8"))
        return {name: value for name, value in stored.items() if isinstance(value, str)}
    except (ValueError, AttributeError, RecursionError):
        return {}


def write_settings(root: Path, **changed: str) -> None:
    """Keep these values, "" for the default; what else is kept stays. Raises Storage."""
    kept = {name: value for name, value in {**read_settings(root), **changed}.items() if value}
    write_atomically(root / SETTINGS, json.dumps(kept, indent=1).encode("ascii"))
