"""Notes: what a player writes beside a turn, in any language, unsigned; made harmless, written and found again."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Container, Iterator

from pbem.records import NamedTuple
from pbem.wire.repair import clean
from pbem.wire.statements import NAME

__all__ = ["LETTERS", "LINES", "Note", "find_notes", "render_note", "tidy"]

LETTERS = 4000
"""Letters of a note."""
LINES = 100
"""Lines of a note."""
MARKS = 4
"""Accents and the like that one letter may have."""
DASHES = 2
"""Dashes beside each other."""
EDGE_MAX = 100
"""Letters of a line that begins or ends a note, however deep it is quoted."""

_LINE_END = "\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]"
_QUOTES = " >|"
_BEGIN = rf"== ?({NAME})'s note to entry (0|[1-9][0-9]{{0,8}}) \(not signed\) ?=="
_END = "== ?end of the note ?=="


class Note(NamedTuple):
    """What somebody who says that he is `by` wrote beside entry `seq`; `text` is tidy."""

    by: str
    seq: int
    text: str


def tidy(text: str) -> str:
    """A text that can be shown anywhere: letters, marks and blanks in at most 100 lines and 4,000 letters.

    What isn't seen goes: control and bidi characters, line ends of other kinds, marks piled up on a letter. No line
    looks like a fence or like the edge of a note, neither as it is nor when typography is undone (protocol 2.4, 3).
    """
    lines: list[str] = []
    for line in map(_line, re.split(_LINE_END, text[: LETTERS * MARKS])):
        if line or (lines and lines[-1]):  # one empty line at most
            lines.append(line)
    return "\n".join(lines[:LINES])[:LETTERS].strip()


def _line(line: str) -> str:
    seen = line if line.isascii() and line.isprintable() else _seen(line)
    found = re.sub("-{3,}", "-" * DASHES, " ".join(seen.split()))
    return re.sub("={2,}", "=", found) if _edge(found) else found


def _seen(line: str) -> str:
    """What is seen of a line; of dashes beside each other two, as they were typed: five would make a fence."""
    letters: list[str] = []
    marks = dashes = 0
    for letter in line:
        kind, meant = unicodedata.category(letter), clean(letter)
        marks = marks + 1 if kind[0] == "M" else 0
        if letter.isspace():
            letters.append(" ")
            dashes = 0
        elif meant and kind[0] != "C" and marks <= MARKS:
            dashes = dashes + 1 if "-" in meant else 0
            if dashes <= DASHES:
                letters.append(letter)
    return "".join(letters)


def render_note(note: Note) -> str:
    """The note as it stands in a mail and beside the log."""
    return f"== {note.by}'s note to entry {note.seq} (not signed) ==\n{note.text}\n== end of the note =="


def find_notes(text: str, wanted: Container[tuple[str, int]] | None = None) -> Iterator[Note]:
    """The notes in a text, quoted ones too; where it is said which are `wanted`, by author and entry, only these."""
    lines = re.split(_LINE_END, text) if "==" in text else []
    for at, line in enumerate(lines):
        begun = _edge(line)
        if begun is None or begun.re.pattern != _BEGIN:
            continue
        by, seq = begun[1], int(begun[2])
        following = lines[at + 1 : at + 2 + 2 * LINES]
        end = next((n for n, other in enumerate(following) if _edge(other)), 0)
        asked = wanted is None or (by, seq) in wanted
        if asked and (words := tidy("\n".join(_unquoted(following[:end], line)))):
            yield Note(by, seq, words)


def _unquoted(lines: list[str], first: str) -> list[str]:
    """The lines of a note without quote marks, where its first line has some."""
    return [line.lstrip(_QUOTES) for line in lines] if first[:1] in (">", "|") else lines


def _edge(line: str) -> re.Match[str] | None:
    """Whether a line begins or ends a note."""
    if "==" not in line or len(line) > EDGE_MAX:
        return None
    words = clean(line).strip(_QUOTES)
    return re.fullmatch(_BEGIN, words) or re.fullmatch(_END, words)
