"""Repair: undoes what mail software did to a text and cuts it at the fences (protocol 2.4, steps 3 to 5)."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from pbem.records import NamedTuple

__all__ = ["DRAFT", "SIGNATURE", "TURN", "Fence", "clean", "cut_at_fences"]

TURN = "PBEM TURN"
DRAFT = "PBEM DRAFT"
SIGNATURE = "SSH SIGNATURE"

# Dash escapes before it (RFC 4880 7.1), however often it was escaped and wherever its line was broken then.
_FENCE = re.compile(r"(?:-\s++){0,9}+-----(BEGIN|END)\s+(PBEM|SSH)\s+(TURN|DRAFT|SIGNATURE)-----")
_WORDS = frozenset({TURN, DRAFT, SIGNATURE})

# Zero-width letters, soft hyphen, byte order mark, bidirectional controls, variation selectors.
_INVISIBLE_RANGES = ((0x200B, 0x200F), (0x202A, 0x202E), (0x2060, 0x206F), (0xFE00, 0xFE0F))
_INVISIBLE = {"\u00ad", "\u034f", "\u061c", "\u180e", "\ufeff"}
_INVISIBLE |= {chr(code) for first, last in _INVISIBLE_RANGES for code in range(first, last + 1)}
_LINE_ENDS = "\x85\u2028\u2029"
_ASCII = {0x2018: "'", 0x2019: "'", 0x201A: "'", 0x201B: "'", 0x2212: "-", 0x2044: "/"}
_ASCII |= dict.fromkeys(range(0x201C, 0x2020), '"') | dict.fromkeys(range(0x2010, 0x2015), "-")


@lru_cache(maxsize=4096)
def _plain(letter: str) -> str:
    """What a letter stands for: ASCII, a blank, a line's end or nothing; itself where it stands for none of these."""
    if letter in _INVISIBLE:
        return ""
    if letter in _LINE_ENDS:
        return "\n"
    if letter.isspace():
        return " "
    plain = unicodedata.normalize("NFKC", letter).translate(_ASCII)
    return plain if plain.isascii() else letter


def clean(text: str) -> str:
    """Typography back to ASCII, line ends to LF (protocol 2.4, 3); a letter that isn't ASCII in disguise stays.

    NFKC is applied letter by letter: composing letters never makes an ASCII one, and normalising a whole text takes
    quadratic time on a run of combining marks. The result has at most four times the letters of `text`.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    odd = {letter for letter in set(text) if not (" " <= letter <= "~" or letter == "\n")}
    return text.translate({ord(letter): _plain(letter) for letter in odd}) if odd else text


class Fence(NamedTuple):
    """A fence line, and what stands between it and the next one."""

    edge: str  # BEGIN or END
    word: str  # TURN, DRAFT or SIGNATURE
    line: int  # from 1, in the text as it came
    text: str  # without quote marks

    def __str__(self) -> str:
        return f"-----{self.edge} {self.word}-----"


def cut_at_fences(cleaned: str) -> list[Fence]:
    """All fences of a cleaned text in order, wherever they stand in their lines, each with the text behind it.

    Quote marks and blanks at either end of a line are dropped, and up to nine dash escapes before a fence.
    """
    text = "\n".join(line.strip(" ").lstrip(" >|") for line in cleaned.split("\n"))
    matches = [match for match in _FENCE.finditer(text) if f"{match[2]} {match[3]}" in _WORDS]
    fences = []
    line, counted = 1, 0
    for at, match in enumerate(matches):
        line, counted = line + text.count("\n", counted, match.start(1)), match.start(1)
        until = matches[at + 1].start() if at + 1 < len(matches) else len(text)
        fences.append(Fence(match[1], f"{match[2]} {match[3]}", line, text[match.end() : until]))
    return fences
