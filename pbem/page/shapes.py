"""What the small forms of the page are made of: conditions, standing orders, later phases, how orders are written."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.match.phases import later_phases
from pbem.match.table import Table
from pbem.records import NamedTuple

__all__ = ["Shape", "Shapes", "shapes"]


class Shape(NamedTuple):
    """How something is written: its first word, the whole, and the words behind the first, in large letters or to be
    chosen from: `U`, `HEX`, `rain|dry`.
    """

    word: str
    usage: str
    slots: tuple[str, ...]


class Shapes(NamedTuple):
    """The conditions behind `if` and `stop if`; standing orders; the phases for which a plan may be made, each with its
    title; how each order is written; the order that closes.
    """

    tests: tuple[Shape, ...]
    standing: tuple[Shape, ...]
    phases: tuple[tuple[str, str], ...]
    orders: tuple[str, ...]
    closing: str


def shapes(table: Table, name: str) -> Shapes:
    """What a player's small forms have now."""
    rules, side = table.rules, table.genesis.player(name).side
    ground = table.rules.situation(table.game.state)["ground"] or "place"
    tests = {word: usage.replace("HEX", ground.upper()) for word, usage in rules.CONDITIONS.items()}
    phases = later_phases(table, side) if table.outcome is None else {}
    return Shapes(
        _shapes(tests), _shapes(rules.STANDING), tuple(phases.items()), tuple(rules.usage(table.board).values()),
        rules.CLOSING,
    )  # fmt: skip


def _shapes(usages: Mapping[str, str]) -> tuple[Shape, ...]:
    return tuple(Shape(word, usage, tuple(usage.split()[1:])) for word, usage in usages.items())
