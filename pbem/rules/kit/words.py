"""Words that every system reads alike: ids and their beginnings, retreats by preference, and the conditions."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, Protocol

from pbem.errors import AmbiguousOrder, MalformedOrder
from pbem.maps.hexes import Hex, neighbours
from pbem.maps.map import Map
from pbem.rules.requests import Words
from pbem.words import closest, nearest

__all__ = [
    "ANY", "CONDITIONS", "directions", "holds", "not_understood", "numbers", "one_of", "own_or_any", "path",
    "read_test", "unit_id", "way", "with_words",
]  # fmt: skip

CONDITIONS = {
    "gone": "gone U",
    "alive": "alive U",
    "at": "at U HEX",
    "empty": "empty HEX",
    "held": "held HEX SIDE",
    "is": "is U WORD",
}
"""Condition -> how it is written."""

ANY = "any"
"""What stands in place of a unit in a standing order for all units."""


class Board(Protocol):
    """What typed words name: units by their ids, sides, places; `number` gives the full name of a place."""

    @property
    def units(self) -> Mapping[str, Any]: ...
    @property
    def side(self) -> Mapping[str, Any]: ...
    @property
    def of_side(self) -> Mapping[str, Sequence[str]]: ...
    def describe(self, unit: str, /) -> str: ...
    def number(self, word: str, /) -> str: ...


class Hexes(Protocol):
    """Hexes by their numbers."""

    def parse(self, number: str, /) -> Hex: ...


def one_of(word: str, known: Collection[str], what: str) -> str:
    """A word that must be one of those known. Raises MalformedOrder with the nearest right one."""
    if word in known:
        return word
    raise MalformedOrder(f"`{word}` is no {what}", hint=nearest(word, known, "the nearest is `{}`"))


def not_understood(words: Words, usage: Mapping[str, str], what: str) -> MalformedOrder:
    """The error for words that don't fit: how their keyword is used, or which was probably meant."""
    keyword = words[0] if words else ""
    if keyword in usage:
        return MalformedOrder(f"`{' '.join(words)}` can't be read", hint=f"write `{usage[keyword]}`")
    near = closest(keyword, usage)
    meant = f"did you mean `{usage[near]}`?" if near is not None else f"there are: {', '.join(usage)}"
    return MalformedOrder(f"`{keyword}` is no {what}", hint=meant)


def unit_id(board: Board, word: str, side: str = "") -> str:
    """The unit with this id, or the only one whose id starts so; those of `side` come first.

    Raises AmbiguousOrder when several fit, MalformedOrder with the nearest unit when none does.
    """
    if word in board.units:
        return word
    fits = [unit for unit in board.of_side.get(side, ()) if unit.startswith(word)]
    fits = fits or [unit for unit in board.units if unit.startswith(word)]
    if len(fits) == 1:
        return fits[0]
    if fits:
        some = ", ".join(fits[:4]) + (", ..." if len(fits) > 4 else "")
        raise AmbiguousOrder(f"`{word}` fits {len(fits)} units", hint=f"write one of {some}")
    near = closest(word, board.units, 0.0)
    raise MalformedOrder(f"no unit is called `{word}`", hint=f"the nearest is {board.describe(near)}" if near else "")


def own_or_any(board: Board, word: str, side: str) -> str:
    """Whom a standing order is about: one of the side's own units, or `any`. Raises like `unit_id`."""
    unit = ANY if word == ANY else unit_id(board, word, side)
    if unit != ANY and unit not in board.of_side.get(side, ()):
        raise MalformedOrder(f"{board.describe(unit)} isn't yours", hint="give standing orders to your own units")
    return unit


def way(word: str, known: Sequence[str], place: Callable[[str], str]) -> str:
    """Where a retreat shall go: a direction of those known, or the full number of a hex."""
    if word in known:
        return word
    if word[-1:].isdigit():
        return place(word)
    near = closest(word, known)
    meant = f"the nearest is `{near}`" if near is not None else f"directions are: {', '.join(known)}"
    raise MalformedOrder(f"`{word}` is neither a hex nor a direction", hint=meant)


def directions(m: Map) -> tuple[str, ...]:
    """The words for the six directions on a map."""
    h = m.hexes[0]
    return tuple(m.direction(h, n) for n in neighbours(h))


def path(board: Hexes, words: Iterable[str]) -> tuple[Hex, ...]:
    """The hexes with these numbers; `numbers` is the inverse. Raises MalformedOrder."""
    return tuple(board.parse(number) for number in words)


def numbers(label: Mapping[Hex, str], path: Iterable[Hex]) -> Words:
    """The words of a path: the number of each hex."""
    return tuple(label[h] for h in path)


def with_words(support: Words) -> Words:
    """The words for those that take part besides the unit named first."""
    return ("with", *support) if support else ()


# --- conditions -------------------------------------------------------------------------------------------------------


def read_test(board: Board, words: Words, states: Collection[str]) -> Words:
    """A condition's words in full; `states` is what `is U WORD` can ask. Raises MalformedOrder or AmbiguousOrder."""
    match words:
        case ("gone" | "alive" as keyword, who):
            return (keyword, unit_id(board, who))
        case ("at", who, where):
            return ("at", unit_id(board, who), board.number(where))
        case ("empty", where):
            return ("empty", board.number(where))
        case ("held", where, side):
            return ("held", board.number(where), one_of(side, board.side, "side"))
        case ("is", who, word):
            return ("is", unit_id(board, who), one_of(word, states, "word for a unit's state"))
    raise not_understood(words, CONDITIONS, "condition")


def holds(
    words: Words,
    *,
    gone: Callable[[str], bool],
    place: Callable[[str], str | None],
    empty: Callable[[str], bool],
    held: Callable[[str, str], bool],
    state: Callable[[str, str], bool],
) -> bool:
    """Whether a condition (as `read_test` gave it) holds, by what a system says of units and places.

    gone, place    whether a unit is out of the game, and where it is: the full name of the place, None for nowhere
    empty, held    whether a place has no unit, and whether a side holds it
    state          whether a word is true of a unit
    """
    match words:
        case ("gone", unit):
            return gone(unit)
        case ("alive", unit):
            return not gone(unit)
        case ("at", unit, where):
            return place(unit) == where
        case ("empty", where):
            return empty(where)
        case ("held", where, side):
            return held(where, side)
        case ("is", unit, word):
            return state(unit, word)
    raise AssertionError(words)
