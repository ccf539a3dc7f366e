"""The one form in which data are hashed: tags, length prefixes and canonical JSON (protocol 3.3, 4.8)."""

from __future__ import annotations

import hashlib
import json
from typing import Any

__all__ = ["canonical_json", "digest", "lp", "whole"]


def lp(data: bytes) -> bytes:
    """Bytes behind their length as four bytes, big-endian; SSH's `string` too (RFC 4251 5)."""
    return len(data).to_bytes(4, "big") + data


def canonical_json(data: Any) -> bytes:
    """JSON with sorted names, no blanks, ASCII only."""
    return json.dumps(data, sort_keys=True, separators=(",", ":")).encode("ascii")


def whole(data: Any) -> Any:
    """Data without a float. Raises TypeError for one: it isn't the same, nor written the same, on every machine."""
    if isinstance(data, float):
        raise TypeError(f"{data!r} is a float: what is hashed holds whole numbers only")
    for item in data.values() if isinstance(data, dict) else data if isinstance(data, list | tuple) else ():
        whole(item)
    return data


def digest(tag: str, data: Any) -> str:
    """SHA-256 over the tag and the canonical JSON, both behind their lengths: 64 hexadecimal digits."""
    return hashlib.sha256(lp(tag.encode("ascii")) + lp(canonical_json(data))).hexdigest()
