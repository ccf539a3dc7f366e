"""Where the statements of an order file stand in its text, so that one can be taken out, put in or written anew."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.records import NamedTuple
from pbem.wire.orderfile import plain, typed_lines, whole_orders
from pbem.wire.statements import STATEMENTS_MAX

__all__ = ["Piece", "pieces"]


class Piece(NamedTuple):
    """A statement as it is typed: the line by which errors name it, its first and last one, from 1, and its words.

    `spans` has where these begin and end in the text, on each line that has some; `stop` is where the statement ends,
    with its `;` if it has one. The line is an earlier one than the first where another order goes on before it.
    """

    line: int
    first: int
    last: int
    spans: tuple[tuple[int, int], ...]
    stop: int

    def typed(self, text: str) -> str:
        """Its words as they stand in the text, in one line."""
        return " ".join(text[start:end] for start, end in self.spans)


def pieces(text: str) -> list[Piece]:
    """The statements of an order file in their order, good and bad ones: all those that `parse_statements` reads."""
    letters, places = _letters(text)
    lines = typed_lines(letters)
    begins = [0]
    for _, line in lines:
        begins.append(begins[-1] + len(line) + 1)
    found: list[Piece] = []
    for at, end in whole_orders([line[start:] for start, line in lines]):
        here = [*_of_order(range(at, end + 1), lines, begins, places)]
        if len(found) + len(here) > STATEMENTS_MAX:
            break
        found += here
    return found


def _letters(text: str) -> tuple[str, Sequence[int]]:
    """A text in the letters in which orders are read, and where each of these stands in it, and its end."""
    if (letters := plain(text)) == text:
        return text, range(len(text) + 1)
    places: list[int] = []
    for place, letter in enumerate(text):
        both = text[place : place + 2]
        places += [place] * (0 if both == "\r\n" else len(plain(letter)))
    return letters, [*places, len(text)]


def _of_order(
    numbers: range, lines: Sequence[tuple[int, str]], begins: Sequence[int], places: Sequence[int]
) -> Iterator[Piece]:
    """The statements on lines that belong together."""
    spans: list[tuple[int, int]] = []
    on: list[int] = []
    line = numbers[0] + 1
    for number in numbers:
        start, typed = lines[number]
        at = begins[number] + start
        parts = typed[start:].partition("#")[0].split(";")
        for left, words in zip(range(len(parts) - 1, -1, -1), parts, strict=True):
            if said := words.strip():
                first = at + words.index(said)
                spans.append((places[first], places[first + len(said) - 1] + 1))
                on.append(number + 1)
            at += len(words) + 1
            if left and spans:
                yield Piece(line, on[0], on[-1], tuple(spans), places[at - 1] + 1)
                spans, on = [], []
    if spans:
        yield Piece(line, on[0], on[-1], tuple(spans), spans[-1][1])
