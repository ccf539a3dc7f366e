"""The one form in which data are hashed: tags, length prefixes and canonical JSON (protocol 3.3, 4.8)."""

from __future__ import annotations

import hashlib
import json
from typing import Any

__all__ = ["canonical_json", "digest", "lp"]


def lp(data: bytes) -> bytes:
    """Bytes behind their length as four bytes, big-endian."""
    return len(data).to_bytes(4, "big") + data


def canonical_json(data: Any) -> bytes:
    """JSON with sorted names, no blanks, ASCII only."""
    return json.dumps(data, sort_keys=True, separators=(",", ":")).encode("ascii")


def digest(tag: str, data: Any) -> str:
    """SHA-256 over the tag and the canonical JSON, both behind their lengths: 64 hexadecimal digits."""
    return hashlib.sha256(lp(tag.encode("ascii")) + lp(canonical_json(data))).hexdigest()
