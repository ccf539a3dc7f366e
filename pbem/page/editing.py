"""The text of a list edited: an order put in, taken out, moved or written anew; all else stays byte for byte."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import TypeAlias

from pbem.errors import Refused
from pbem.language import say
from pbem.records import NamedTuple
from pbem.wire.orderfile import parse_statements
from pbem.wire.pieces import Piece, pieces
from pbem.wire.statements import STATEMENTS_MAX, Statement

__all__ = ["Edited", "added", "moved", "removed", "replaced"]

Ways: TypeAlias = Callable[[str, Sequence[Piece]], Iterator[str]]
"""Texts, the one that changes least first, made of a text and its statements."""

BLANK = " \t>"
"""What may stand before the first statement of a line: blanks, and the marks of a quotation."""


class Edited(NamedTuple):
    """A text as it has become, and the number, from 1, of the statement that was put in or changed; 0 for none."""

    text: str
    number: int


def added(text: str, words: str, before: int = 0) -> Edited:
    """A statement put in before that of a number, in a line of its own where that begins one; 0: at the end."""

    def ways(text: str, cut: Sequence[Piece]) -> Iterator[str]:
        return _put(text, cut[before - 1], words) if 0 < before <= len(cut) else iter([_at_end(text, words)])

    found = [*_read(text, pieces(text))]
    place = before - 1 if 0 < before <= len(found) else len(found)
    return Edited(_best(text, ways, [*found[:place], _one(words), *found[place:]]), place + 1)


def removed(text: str, number: int) -> Edited:
    """A statement taken out; its comments stay, and a line in which nothing is left goes."""
    wanted = [*_read(text, pieces(text))]
    del wanted[number - 1]
    return Edited(_best(text, lambda text, cut: _out(text, cut[number - 1]), wanted), 0)


def replaced(text: str, number: int, words: str) -> Edited:
    """A statement written anew where it stands; its comments stay."""
    wanted = [*_read(text, pieces(text))]
    wanted[number - 1] = _one(words)
    return Edited(_best(text, lambda text, cut: _anew(text, cut[number - 1], words), wanted), number)


def moved(text: str, number: int, to: int) -> Edited:
    """A statement put before that of another number, 0 for behind all; with its whole lines where it has them alone."""
    wanted = [*_read(text, pieces(text))]
    place = to if 0 < to <= len(wanted) else len(wanted) + 1
    if place in (number, number + 1):
        return Edited(text, number)
    one = wanted.pop(number - 1)
    new = place - (place > number)
    wanted.insert(new - 1, one)
    return Edited(_best(text, lambda text, cut: _carried(text, cut, number, place), wanted), new)


# --- what is wanted, and the first way that does it -------------------------------------------------------------------


def _read(text: str, cut: Sequence[Piece]) -> Iterator[Statement | None]:
    """What each statement of a text reads as by itself; None for one that can't be read."""
    return (_one(piece.typed(text)) for piece in cut)


def _one(words: str) -> Statement | None:
    """What a statement reads as."""
    found, _ = parse_statements(f";{words};")
    return found[0][1] if len(found) == 1 else None


def _best(text: str, ways: Ways, wanted: list[Statement | None]) -> str:
    """The first text that has the statements that are wanted; if none has, the first of another layout.

    Raises Refused where there are more of them than are read.
    """
    for before in _layouts(text):
        for found in ways(before, pieces(before)):
            if [*_read(found, pieces(found))] == wanted:
                return found
    what = say("the list has more orders than are read of one")  # each statement has a line of its own now
    raise Refused(what, hint=say("a turn holds %(most)s at most", most=STATEMENTS_MAX))


def _layouts(text: str) -> Iterator[str]:
    """The text as it is; then, for the oddest layouts, with a line for each statement and comment."""
    yield text
    end, lines, at = _end_of_line(text), list[str](), 0
    for piece in pieces(text):
        between = [text[at : piece.spans[0][0]], *(text[a:b] for (_, a), (b, _) in pairwise(piece.spans))]
        lines += [*_comments(between), f";{piece.typed(text)};"]
        at = piece.stop
    yield "".join(f"{line}{end}" for line in (*lines, *_comments([text[at:]])))


def _comments(between: Sequence[str]) -> Iterator[str]:
    """The comments in what stands between statements."""
    for line in "\n".join(between).splitlines():
        if said := line.strip(f"{BLANK};\uff1b"):
            yield said if said.startswith("#") else f"# {said}"


# --- ways -------------------------------------------------------------------------------------------------------------


def _end_of_line(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _line_at(text: str, place: int) -> tuple[int, int]:
    """Where the line of a place begins and ends, behind its end."""
    start = max(text.rfind("\n", 0, place), text.rfind("\r", 0, place)) + 1
    ends = [at for mark in "\n\r" if (at := text.find(mark, place)) >= 0]
    if not ends:
        return start, len(text)
    end = min(ends)
    return start, end + (2 if text[end : end + 2] == "\r\n" else 1)


def _at_end(text: str, words: str) -> str:
    """A statement in a line of its own behind all others."""
    end = _end_of_line(text)
    gap = "" if not text or text.endswith(("\n", "\r")) else end
    return f"{text}{gap}{words};{end}"


def _put(text: str, piece: Piece, words: str) -> Iterator[str]:
    """A statement before another: in the line before it, as far to the right, or in its line."""
    at = piece.spans[0][0]
    start, _ = _line_at(text, at)
    before = text[start:at]
    if not before.strip(BLANK):
        yield f"{text[:start]}{before}{words};{_end_of_line(text)}{text[start:]}"
    yield f"{text[:at]}{words}; {text[at:]}"
    yield f"{text[:at]};{words}; {text[at:]}"


def _out(text: str, piece: Piece) -> Iterator[str]:
    """A text without a statement."""
    yield _without(text, piece)
    start = piece.spans[0][0]
    yield text[:start] + ";" + _cut(text, piece)[start:]  # where what is left would go on with what stands before it


def _cut(text: str, piece: Piece) -> str:
    """A text without the words of a statement and the `;` behind them, whatever is left of their lines."""
    spans = [*piece.spans[:-1], (piece.spans[-1][0], piece.stop)]
    for start, end in reversed(spans):
        text = text[:start] + text[end:]
    return text


def _without(text: str, piece: Piece) -> str:
    """The same, and without the lines in which nothing is left, and the blanks behind it in others."""
    spans = [*piece.spans[:-1], (piece.spans[-1][0], piece.stop)]
    for start, end in reversed(spans):
        line, behind = _line_at(text, start)
        left, right = text[line:start], text[end:behind]
        if not left.strip(BLANK) and not right.strip():
            text = text[:line] + text[behind:]
        else:
            more = len(right) - len(right.lstrip(" \t")) if not right.lstrip(" \t").startswith("#") else 0
            text = text[:start] + text[end + more :]
    return text


def _anew(text: str, piece: Piece, words: str) -> Iterator[str]:
    """A text in which a statement has other words."""
    (start, end), *rest = piece.spans
    if not rest:
        yield text[:start] + words + text[end:]
        yield f"{text[:start]}{words};{text[piece.stop :]}"
        return
    spans = [*rest[:-1], (rest[-1][0], piece.stop)]
    yield text[:start] + f"{words};" + _without(text, piece._replace(spans=tuple(spans)))[end:]
    yield text[:start] + f"{words};" + _cut(text, piece._replace(spans=tuple(spans)))[end:]


def _carried(text: str, cut: Sequence[Piece], number: int, place: int) -> Iterator[str]:
    """A text in which a statement stands before that of a place, from 1, behind all for one more than there are."""
    piece = cut[number - 1]
    first, _ = _line_at(text, piece.spans[0][0])
    _, last = _line_at(text, piece.spans[-1][0])
    others = [place for other in cut if other is not piece for place, _ in other.spans]
    if not any(first <= place < last for place in others):
        block = text[first:last]
        block += "" if block.endswith(("\n", "\r")) else _end_of_line(text)
        if place > len(cut):
            gap = "" if text.endswith(("\n", "\r")) else _end_of_line(text)
            yield text[:first] + text[last:] + gap + block if last < len(text) else text
        else:
            start, _ = _line_at(text, cut[place - 1].spans[0][0])
            if not text[start : cut[place - 1].spans[0][0]].strip(BLANK):
                if start > first:
                    yield text[:first] + text[last:start] + block + text[start:]
                else:
                    yield text[:start] + block + text[start:first] + text[last:]
    words = piece.typed(text)
    for without in _out(text, piece):
        left = pieces(without)
        if len(left) != len(cut) - 1:
            continue
        at = place - (place > number)
        if at > len(left):
            yield _at_end(without, words)
        else:
            yield from _put(without, left[at - 1], words)
