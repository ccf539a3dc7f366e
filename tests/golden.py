"""Goldens: texts beside the tests that must come out again letter by letter.

`PBEM_REGENERATE=1 pytest PATH` writes them anew instead of comparing them; read the difference before it is committed.
"""

from __future__ import annotations

import os
from pathlib import Path

__all__ = ["REGENERATE", "ROOT", "golden", "keep"]

ROOT = Path(__file__).resolve().parents[1]
"""The checkout."""

REGENERATE = bool(os.environ.get("PBEM_REGENERATE"))


def keep(path: Path, made: str) -> None:
    """Write a golden where that is asked."""
    if REGENERATE:
        path.write_text(made, "utf-8", newline="\n")


def golden(path: Path, made: str) -> None:
    """Compare a text with its golden, line by line."""
    keep(path, made)
    lines, kept = made.split("\n"), path.read_text("utf-8").split("\n")
    for number, (was, now) in enumerate(zip(kept, lines, strict=False), 1):
        assert now == was, f"{path.name}, line {number}"
    assert len(lines) == len(kept), path.name
