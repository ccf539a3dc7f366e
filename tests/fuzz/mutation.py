"""Mutations: bytes and trees of data, changed at random but the same for the same seed."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

__all__ = ["LENGTH_MAX", "Choices", "edited", "mutated"]

LENGTH_MAX = 1 << 16

# Letters that mail, order and YAML readers treat in their own ways, or must not trip over.
ODD_LETTERS = (
    "\0 \t \r \r\n \n \x0b \x1b[2J \x7f \x85 \xa0 \xad \xb2 \xbd \xe9 \u037e \u0661 \u200b \u2011 \u2019 \u2028 \u202e "
    "\u3000 \ufb03 \ufdfa \ufe0f \ufeff \uff1b \uff1e \uffff \U0001f600 e\u0301"
)
ODD = [letter.encode() for letter in ODD_LETTERS.split(" ")] + [b"\xff", b"\xc3", b"\xed\xa0\x80", b"\xf4\x90\x80\x80"]
NUMBERS = (b"0", b"-1", b"1", b"00", b"255", b"9999", b"65536", b"4294967295", b"4294967296", b"9" * 30, b"9" * 5000)

Change = Callable[[bytearray, random.Random], None]


def _span(data: bytearray, chance: random.Random, longest: int = 64) -> slice:
    at = chance.randrange(len(data) + 1)
    return slice(at, min(len(data), at + 1 + chance.randrange(longest)))


def _flip(data: bytearray, chance: random.Random) -> None:
    if data:
        data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)


def _cut(data: bytearray, chance: random.Random) -> None:
    del data[_span(data, chance)]


def _truncate(data: bytearray, chance: random.Random) -> None:
    del data[chance.randrange(len(data) + 1) :]


def _repeat(data: bytearray, chance: random.Random) -> None:
    span = _span(data, chance, 16)
    data[span] = data[span] * chance.choice((2, 3, 17, 300))


def _copy(data: bytearray, chance: random.Random) -> None:
    piece = data[_span(data, chance)]
    at = chance.randrange(len(data) + 1)
    data[at:at] = piece


def _odd(data: bytearray, chance: random.Random) -> None:
    data[_span(data, chance, 2)] = chance.choice(ODD)


def _number(data: bytearray, chance: random.Random) -> None:
    digits = [at for at, byte in enumerate(data) if 48 <= byte <= 57]
    if digits:
        first = end = chance.choice(digits)
        while end < len(data) and 48 <= data[end] <= 57:
            end += 1
        data[first:end] = chance.choice(NUMBERS)


def _lines(data: bytearray, chance: random.Random) -> None:
    """Swap two lines, or put one in the place of another."""
    lines = data.split(b"\n")
    one, other = chance.randrange(len(lines)), chance.randrange(len(lines))
    lines[one], lines[other] = lines[other], lines[one] if chance.randrange(2) else lines[other]
    data[:] = b"\n".join(lines)


CHANGES: tuple[Change, ...] = (_flip, _cut, _truncate, _repeat, _copy, _odd, _number, _lines)


def mutated(seeds: Sequence[bytes], words: Sequence[bytes], chance: random.Random) -> bytes:
    """One of the seeds with one to eight changes; `words` are the words of its language, put in anywhere."""
    data = bytearray(chance.choice(seeds))
    for _ in range(1 << chance.randrange(4)):
        what = chance.randrange(len(CHANGES) + 3)
        if what < len(CHANGES):
            CHANGES[what](data, chance)
        elif what == len(CHANGES):
            other = chance.choice(seeds)
            data[_span(data, chance)] = other[_span(bytearray(other), chance, 400)]
        elif words:
            data[_span(data, chance, 8 if chance.randrange(2) else 1)] = chance.choice(words)
        del data[LENGTH_MAX:]
    return bytes(data)


class Choices(random.Random):
    """Randomness that is read from bytes, so that a fuzzer of bytes decides; zeros behind their end."""

    def __init__(self, data: bytes) -> None:
        super().__init__(0)
        self._data = data
        self._at = 0

    def getrandbits(self, k: int) -> int:
        size = (k + 7) // 8
        taken = self._data[self._at : self._at + size]
        self._at += size
        return int.from_bytes(taken.ljust(size, b"\0"), "big") & ((1 << k) - 1)

    def random(self) -> float:
        return self.getrandbits(53) / (1 << 53)


# Trees: mappings, lists and scalars, as YAML or JSON gives them.

ODD_TEXTS = (
    "", " ", "0", "-1", "1", "2", "7", "99", "1000000", "9" * 30, "9" * 5000, "1_0", "+3", "\u00b2", "\u0663", "1.5",
    "--", "0106", "9999", "0101 0101", "0106/0206", "0106/0106", "N0101", "2411 1122", "R", "A", "-", "true", "null",
    "\x1b[2J", "a\nb", "a b c", "x" * 10_000, "\ud800", "{}", "flat", "river", "road", "cup", "commander", "artillery",
    "even", "column", "from south", "pointy", "<=1", ">=13", "+1", "sg-01", "satcho",
)  # fmt: skip
ODD_NUMBERS: tuple[Any, ...] = (None, True, 0, -1, 1, 7, 10**30, 1.5, float("nan"))


def _nodes(tree: Any) -> list[tuple[Any, Any]]:
    """Every place in a tree, as its container and the key or index there."""
    found: list[tuple[Any, Any]] = []
    open_: list[Any] = [tree]
    while open_:
        inner = open_.pop()
        keys = list(inner) if isinstance(inner, dict) else range(len(inner)) if isinstance(inner, list) else ()
        for key in keys:
            found.append((inner, key))
            open_.append(inner[key])
    return found


def _changed_text(text: str, chance: random.Random) -> str:
    return mutated([text.encode("utf-8", "replace")], [], chance).decode("utf-8", "replace")


def _odd_value(chance: random.Random, numbers: bool) -> Any:
    kind = chance.randrange(8)
    if kind < 5:
        return chance.choice(ODD_TEXTS)
    if kind == 5 and numbers:
        return chance.choice(ODD_NUMBERS)
    text = chance.choice(ODD_TEXTS)
    return ([], {}, [text], {text: text}, [[text]], [{text: [text]}])[chance.randrange(6)]


def edited(tree: Any, chance: random.Random, *, numbers: bool) -> None:
    """Change one to four places of a tree; with `numbers` scalars may become other things than text."""
    for _ in range(1 + chance.randrange(4)):
        places = _nodes(tree)
        if not places:
            return
        inner, key = chance.choice(places)
        match chance.randrange(7):
            case 0:
                del inner[key]
            case 1 if isinstance(inner, list):
                inner.append(inner[key])
            case 1:
                inner[chance.choice(ODD_TEXTS)] = inner.pop(key)
            case 2:
                other, there = chance.choice(places)
                if not isinstance(other[there], dict | list):  # no circles
                    inner[key] = other[there]
            case 3 | 4 if isinstance(inner[key], str):
                inner[key] = _changed_text(inner[key], chance)
            case _:
                inner[key] = _odd_value(chance, numbers)
