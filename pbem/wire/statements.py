"""Statements: the words that orders and signed turns are made of (protocol 2.3), read one by one with reasons."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from pbem.records import NamedTuple

__all__ = [
    "ENVELOPE_WORDS",
    "NAME",
    "STATEMENTS_MAX",
    "STATEMENT_MAX",
    "TOKEN_MAX",
    "Statement",
    "foreign_letter",
    "why_not",
]

TOKEN_MAX = 80
KEYWORD_MAX = 16
STATEMENT_MAX = 4096  # bytes of the canonical line, ';' and LF included
STATEMENTS_MAX = 5000  # of a turn, `end` included
ENVELOPE_WORDS = frozenset({"pbem", "kind", "game", "seq", "prev", "by", "nonce", "anchor", "reveal", "state", "end"})

NAME = "[a-z][a-z0-9-]{0,15}"
"""The pattern of a keyword, and of a player's name (protocol 2.3)."""

_KEYWORD = re.compile(NAME)
_TOKEN = re.compile(r"[A-Za-z0-9][A-Za-z0-9._/:+=,'!?-]{0,79}")
_STATEMENT = re.compile(f"{_KEYWORD.pattern}(?: {_TOKEN.pattern})*")
_HYPHENS = "-----"  # so many in a row could be read as a fence
_OUTSIDE_WORD = r"[^A-Za-z0-9._/:+=,'!?-]"
_OUTSIDE_KEYWORD = r"[^a-z0-9-]"


class Statement(NamedTuple):
    """One statement: its keyword and tokens; `str()` gives `kw tok tok;`."""

    keyword: str
    tokens: tuple[str, ...]

    def __str__(self) -> str:
        return " ".join((self.keyword, *self.tokens)) + ";"


def foreign_letter(letter: str) -> str:
    """The name of a letter outside ASCII, e.g. `U+043E (CYRILLIC SMALL LETTER O)`."""
    name = unicodedata.name(letter, "")
    return f"U+{ord(letter):04X}" + (f" ({name})" if name else "")


def _show(word: str) -> str:
    shown = repr(word)
    return shown if len(shown) <= 40 else shown[:37] + "..."


def _why_not_word(word: str, outside: str, longest: int, what: str) -> str:
    stranger = re.search(outside, word)
    if stranger:
        letter = stranger.group()
        printable = "!" <= letter <= "~"
        return f"the {what} {_show(word)} holds {letter if printable else foreign_letter(letter)}"
    if len(word) > longest:
        return f"the {what} {_show(word)} has {len(word)} letters, {longest} at most"
    first = "a letter a-z" if what == "keyword" else "a letter or digit"
    return f"the {what} {_show(word)} doesn't begin with {first}"


def why_not(words: Sequence[str]) -> str:
    """The reason why keyword and tokens make no statement, "" if they do (protocol 2.3).

    `end` may be longer than 4,096 bytes: the limit is that of the statements before it.
    """
    if not words or not words[0]:
        return "it is empty"
    line = " ".join(words)
    if len(line) + 2 > STATEMENT_MAX and words[0] != "end":
        return f"it has {len(line) + 2} bytes, {STATEMENT_MAX} at most"
    if _HYPHENS in line:
        return f"{_show(next(word for word in words if _HYPHENS in word))} holds five hyphens in a row, as fences do"
    if _STATEMENT.fullmatch(line) and line.count(" ") == len(words) - 1:
        return ""
    if not _KEYWORD.fullmatch(words[0]):
        return _why_not_word(words[0], _OUTSIDE_KEYWORD, KEYWORD_MAX, "keyword")
    for token in words[1:]:
        if not _TOKEN.fullmatch(token):
            return _why_not_word(token, _OUTSIDE_WORD, TOKEN_MAX, "token") if token else "a token is empty"
    return ""
