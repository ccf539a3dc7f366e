"""Statements: the words that orders and signed turns are made of (protocol 2.3), read one by one with reasons."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import NamedTuple

from pbem.errors import MalformedOrder
from pbem.wire.repair import clean

__all__ = [
    "ENVELOPE_WORDS",
    "NAME",
    "STATEMENTS_MAX",
    "STATEMENT_MAX",
    "TOKEN_MAX",
    "Statement",
    "foreign_letter",
    "parse_statements",
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
_OUTSIDE_TOKEN = re.compile(r"[^A-Za-z0-9._/:+=,'!?-]")
_OUTSIDE_KEYWORD = re.compile(r"[^a-z0-9-]")


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
    shown = ascii(word)
    return shown if len(shown) <= 40 else shown[:37] + "..."


def _why_not_word(word: str, outside: re.Pattern[str], longest: int, what: str) -> str:
    stranger = outside.search(word)
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
            return _why_not_word(token, _OUTSIDE_TOKEN, TOKEN_MAX, "token") if token else "a token is empty"
    return ""


def _order_problem(words: list[str]) -> tuple[str, str]:
    """Reason and hint why the words can't stand in an order file; ("", "") if they can."""
    reason = why_not(words)
    if reason:
        lower = words and _KEYWORD.fullmatch(words[0].lower()) and words[0] != words[0].lower()
        return reason, f"keywords are small letters: {words[0].lower()}" if lower else ""
    if words[0] in ENVELOPE_WORDS:
        return f"{words[0]!r} belongs to the envelope", "leave it out; the program writes it"
    return "", ""


def parse_statements(text: str) -> tuple[list[tuple[int, Statement]], list[MalformedOrder]]:
    """Read an order file: the statements with their line (from 1), and everything that is wrong with the rest.

    Blank lines, `#` comments and several statements a line are fine; each statement ends with `;` on its own line.
    Typography of editors (curly quotes, long dashes, hard blanks) is undone as in a mail (protocol 2.4, 3).
    Reading ends at the line with the 5,001st statement, good and bad ones counted together: a turn holds no more.
    """
    found: list[tuple[int, Statement]] = []
    wrong: list[MalformedOrder] = []
    for number, line in enumerate(clean(text).split("\n"), 1):
        *pieces, rest = line.partition("#")[0].split(";")
        if len(found) + len(wrong) + len(pieces) + bool(rest.strip()) > STATEMENTS_MAX:
            hint = f"a turn holds {STATEMENTS_MAX} at most, the program's own among them"
            wrong.append(MalformedOrder("too many statements; from here on nothing is read", f"line {number}", hint))
            break
        if rest.strip():
            hint = f"end it with ';': {ascii(' '.join(rest.split()))[1:-1][:60]};"
            wrong.append(MalformedOrder("a ';' is missing at the end of the statement", f"line {number}", hint))
        for piece in pieces:
            words = piece.split()
            reason, hint = _order_problem(words)
            if reason:
                wrong.append(MalformedOrder(reason, f"line {number}", hint))
            else:
                found.append((number, Statement(words[0], tuple(words[1:]))))
    return found, wrong
