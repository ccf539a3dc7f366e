"""Small JSON files of a home folder, read strictly: what isn't exactly of its form is damaged, whoever wrote it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NoReturn

from pbem.errors import Damaged
from pbem.home.files import SMALL, read_small
from pbem.match.codec import loaded

__all__ = ["of_form", "read_stored"]

DIGITS = 9
"""Digits of a number in such a file."""


def read_stored(path: Path, form: Any, hint: str, most: int = SMALL) -> Any:
    """What is in such a file, of a form as `codec.loaded` takes it. Raises OSError, or Damaged with the hint."""
    data = read_small(path, most + 1)
    if len(data) > most:
        raise Damaged(f"it is too large, {most} bytes at most are read", str(path), hint)
    try:
        return of_form(data, form)
    except Damaged as error:
        raise Damaged(error.what, str(path), hint) from None


def of_form(data: bytes, form: Any) -> Any:
    """JSON data of that form: no fractions, no long numbers, no text that can't be written. Raises Damaged."""
    try:
        found = json.loads(data.decode("utf-8"), parse_int=_whole, parse_float=_no_number, parse_constant=_no_number)
        json.dumps(found, ensure_ascii=False).encode("utf-8")  # half a surrogate pair can't be
        return loaded(form, found)
    except (ValueError, RecursionError):
        raise Damaged("it is damaged, and counts as empty") from None


def _whole(digits: str) -> int:
    if len(digits) > DIGITS:
        _no_number(digits)
    return int(digits)


def _no_number(text: str) -> NoReturn:
    raise ValueError(f"{text:.20} is no number here")
