"""The one form in which data are hashed: tags, length prefixes and canonical JSON (protocol 3.3, 4.8)."""

from __future__ import annotations

import hashlib
import json
import re
from typing import Any

__all__ = ["canonical_json", "digest", "lp", "whole_json"]

_JSON = json.JSONEncoder(sort_keys=True, separators=(",", ":"))
_EXPONENT = re.compile(rb"e(?<=[0-9]e)[+-]")


def lp(data: bytes) -> bytes:
    """Bytes behind their length as four bytes, big-endian; SSH's `string` too (RFC 4251 5)."""
    return len(data).to_bytes(4, "big") + data


def canonical_json(data: Any) -> bytes:
    """JSON with sorted names, no blanks, ASCII only."""
    return _JSON.encode(data).encode("ascii")


def whole_json(data: Any) -> bytes:
    """Canonical JSON without a float. Raises TypeError for one: it isn't written the same on every machine."""
    text = canonical_json(data)
    if _may_hold_a_float(text):
        _check_whole(data)
    return text


def _may_hold_a_float(text: bytes) -> bool:
    """Whether something in JSON is written as floats are; a word may be, too."""
    return b"." in text or b"NaN" in text or b"Infinity" in text or _EXPONENT.search(text) is not None


def _check_whole(data: Any) -> None:
    if isinstance(data, float):
        raise TypeError(f"{data!r} is a float: what is hashed holds whole numbers only")
    for item in data.values() if isinstance(data, dict) else data if isinstance(data, list | tuple) else ():
        _check_whole(item)


def digest(tag: str, text: bytes) -> str:
    """SHA-256 over the tag and canonical JSON, both behind their lengths: 64 hexadecimal digits."""
    return hashlib.sha256(lp(tag.encode("ascii")) + lp(text)).hexdigest()
