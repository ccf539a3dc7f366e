"""Lines of a text with wide letters, of two columns each at a terminal, and where they may break."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

__all__ = ["across", "closed_up", "filled", "justified"]

LETTERS = r"[!-~]+(?:\s+%(?![!-~]))?|\S"
"""What is never cut of a text with wide letters: a word of ASCII, one other letter."""

NOT_FIRST = frozenset("、。，．）；：？！」』】・ー々ぁぃぅぇぉっゃゅょァィゥェォッャュョ)],.;:%")
"""With these no line begins (JIS X 4051)."""

BLANK = re.compile(r"\N{IDEOGRAPHIC FULL STOP}[ \n]+(?=[^\s`\[(])")
"""A full stop with a blank behind it, before another sentence."""

NOT_LAST = frozenset("（「『【([")
"""With these no line ends."""


def across(words: str) -> int:
    """How many columns words need at a terminal: two for each wide letter (Unicode UAX 11)."""
    wide = 0 if words.isascii() else sum(unicodedata.east_asian_width(letter) in "WF" for letter in words)
    return len(words) + wide


def justified(words: str, width: int) -> str:
    """Words with blanks behind them up to so many columns."""
    return words + " " * (width - across(words))


def closed_up(words: str) -> str:
    """Sentences one behind the other, with no blank between two of them where a wide full stop ends the first."""
    return BLANK.sub("\N{IDEOGRAPHIC FULL STOP}", words)


def filled(words: str, first: str, rest: str, width: int) -> str:
    """Words as lines of so many columns at most, indented: a line breaks at blanks, and between wide letters.

    But before no closing bracket, comma or full stop, nor behind an opening bracket.
    """
    words = closed_up(words)
    lines, line, empty = [], first, True
    for blank, piece in _pieces(words):
        gap = "" if empty or not blank else " "
        if not empty and across(line) + len(gap) + across(piece) > width:
            lines.append(line)
            line, gap = rest, ""
        line, empty = f"{line}{gap}{piece}", False
    return "\n".join([*lines, line.rstrip()])


def _pieces(words: str) -> Iterator[tuple[bool, str]]:
    """What stays together of a text with wide letters, and whether a blank stands before it."""
    blank, piece, end = False, "", 0
    for found in re.finditer(LETTERS, words):
        apart = found.start() > end
        joined = not apart and (found[0][0] in NOT_FIRST or piece[-1:] in NOT_LAST)
        if piece and not joined:
            yield blank, piece
            piece = ""
        blank, piece, end = (blank if piece else apart), piece + found[0], found.end()
    if piece:
        yield blank, piece
