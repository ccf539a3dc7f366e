"""Lengths and facings as players write them in orders, and what is wrong with one that can't be read."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pbem.errors import MalformedOrder
from pbem.rules.samurai.board import FACINGS, read_inches
from pbem.words import nearest

__all__ = ["check_numbers", "facing", "length"]


def length(word: str) -> int:
    """The hundredths of a length in inches. Raises MalformedOrder with what would be right."""
    found = read_inches(word)
    if found is None:
        raise MalformedOrder(f"`{word}` is no number of inches", hint=_right(word))
    return found


def _right(word: str) -> str:
    if decimals := re.fullmatch(r"([0-9]{1,3}\.[0-9]{2})[0-9]+", word):
        return f"write two decimals at most, as {decimals[1] if read_inches(decimals[1]) else '0.01'}"
    if re.fullmatch(r"[0-9]{4,}(\.[0-9]*)?", word):
        return "no table has a thousand inches"
    return "write inches with two decimals at most, as 6.5"


def check_numbers(words: Sequence[str], most: int, right: str = "") -> None:
    """Refuse more numbers than an order has: a comma parts words, so that a fraction with one is two of them.

    `right` is the order that is meant, if it is known. Raises MalformedOrder.
    """
    found = [word for word in words if read_inches(word) is not None]
    if len(found) > most:
        what = f"`{' '.join(found)}` are {len(found)} numbers, where {most} {'is' if most == 1 else 'are'} wanted"
        raise MalformedOrder(what, hint=right or "write a fraction with a point, as 4.5")


def facing(word: str) -> int:
    """A facing by its word, its letters (`ne`) or its word without hyphen. Raises MalformedOrder."""
    names = [name for name in FACINGS if word.lower() in (name, name.replace("-", ""), _letters(name))]
    if names:
        return FACINGS.index(names[0])
    raise MalformedOrder(f"`{word}` is no facing", hint=nearest(word, FACINGS))


def _letters(name: str) -> str:
    return "".join(part[0] for part in name.split("-"))
