"""An order file of a game, read into statements: names as they are written in Japan become ids and hexes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from pbem.errors import MalformedOrder
from pbem.rules import Board, Rules
from pbem.scenario import japanese_names
from pbem.wire.orderfile import parse_statements
from pbem.wire.statements import Statement

__all__ = ["typed"]


def typed(rules: Rules, board: Board, text: str) -> tuple[list[tuple[int, Statement]], list[MalformedOrder]]:
    """The statements of a text with their lines, and all that is wrong with the rest, as of `parse_statements`."""
    in_japan: dict[str, dict[str, str]] = {}
    for name, written, word in () if text.isascii() else _named(rules, board):
        if not written.isascii():
            in_japan.setdefault(written, {})[word] = name
    return parse_statements(text, in_japan)


def _named(rules: Rules, board: Board) -> Iterator[tuple[str, str, str]]:
    """Each name of a unit or place on the board, how it is written in Japan, and the id or hex that stands for it.

    A name of a place in Latin letters would be taken for the beginning of a unit's, too. That of several units stays a
    name, since the order tells whose is meant. Of a system without a list there are none. A person's short name is that
    of all who bear it, so it isn't read.
    """
    names = japanese_names(rules.EDITION.partition("/")[0])
    if not names:
        return
    called = [
        (name, unit)
        for unit, it in board.units.items()
        for name in dict.fromkeys((it.name, it.name if board.people else it.short))
    ]
    often = Counter(name for name, _ in called)
    for name, unit in called:
        yield name, names.get(name, name), unit if often[name] == 1 else name
    for m in rules.maps(board).values():
        for name, h in m.places.items():
            yield name, names.get(name, name), m.label(h)
