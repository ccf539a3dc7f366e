"""Words that every system reads alike: units and places by whatever they are called, retreats, the conditions."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Protocol

from pbem.errors import AmbiguousOrder, MalformedOrder
from pbem.maps.hexes import Hex, neighbours
from pbem.maps.map import Map
from pbem.records import NamedTuple
from pbem.rules.requests import Words
from pbem.words import ALIKE, closest, closest_named, listed, nearest

__all__ = [
    "ANY", "BETWEEN", "CONDITIONS", "LEAST", "directions", "holds", "not_understood", "numbers", "one_of", "own_or_any",
    "path", "place_called", "plain_name", "read_test", "unit_id", "way", "whole_names", "with_words", "words_of",
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

TESTS = frozenset({*CONDITIONS, "not", "and", "then"})
"""The words of conditions."""

BETWEEN = ("at", "with", "by", "advance", "or", "fewer", "hold")
"""Words of a fight that are no part of a name."""

TYPED = 60
"""Words that an order has at most in which names of several words are looked for."""

NAME_WORDS = 8
"""Words that such a name has at most."""

VERY_ALIKE = 0.75
"""How much a word is like the one that is meant where even the first letter is another."""

LEAST = 3
"""Letters with which the beginning of a name is taken for it."""

FEW_IDS = 12
"""So many ids are all told where some between them are missing."""

NAMED = 4
"""Of so many units that a word fits each is named, of more only the ids are."""


def words_of(*usages: Mapping[str, str]) -> frozenset[str]:
    """The words of orders that are written so, and of conditions: none of them can be the id of a unit."""
    written = " ".join(how for usage in usages for how in usage.values())
    return TESTS.union(re.findall("[a-z][a-z-]+", written), {"to", ANY})


class Board(Protocol):
    """What typed words name: units by their ids, `name` and `short` name, sides, places.

    Units that are spelt in other ways, too, have these as `also`.

    `number` gives the full number of a place. `people`: units are persons, so that a family, or a given name, is of
    all who bear it, also where it is one's short name.
    """

    @property
    def units(self) -> Mapping[str, Any]: ...
    @property
    def side(self) -> Mapping[str, Any]: ...
    @property
    def of_side(self) -> Mapping[str, Sequence[str]]: ...
    @property
    def people(self) -> bool: ...
    def describe(self, unit: str, /) -> str: ...
    def __hash__(self) -> int: ...
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
    alike = [word for word in usage if word[:1] == keyword[:1]]
    near = closest(keyword, alike, ALIKE) or closest(keyword, usage, VERY_ALIKE)
    inside = next((how for how in usage.values() if keyword in re.findall("[a-z]+", how)), "")
    meant = f"did you mean `{usage[near]}`?" if near is not None else f"there are: {', '.join(usage)}"
    return MalformedOrder(f"`{keyword}` is no {what}", hint=f"it stands in `{inside}`" if inside else meant)


def unit_id(board: Board, word: str, side: str = "", among: Collection[str] = ()) -> str:
    """The unit that is meant by a word: its id; or the only one that is called so, those of `side` first.

    Of these again those `among` whom it can only be, where the kind of order says so, come before all others.

    Called is a unit by its number, with the letters of its id or without (`sg-2`, `2`), by its name or short name (of
    people by each word of it), by the beginning of its id, by the beginning of its name (three letters at least) or of
    a word of it: the first of these that fits counts. Raises AmbiguousOrder with all that fit when there are several,
    MalformedOrder with the nearest unit, by id or name, when there is none.
    """
    if word in board.units:
        return word
    own = board.of_side.get(side, ())
    first = [unit for unit in own if unit in among]
    fits = next((fits for units in (first, own, board.units) if (fits := _called(board, word, units))), [])
    if len(fits) == 1:
        return fits[0]
    if fits:
        named = [f"{unit} ({board.units[unit].name})" if len(fits) <= NAMED else unit for unit in fits]
        raise AmbiguousOrder(f"`{word}` fits {len(fits)} units", hint=f"write one of {', '.join(named)}")
    alike = (unit for unit in board.units if _stem(word) and _stem(unit) == _stem(word))
    ids = sorted(alike, key=lambda unit: (len(unit), unit))  # 9 before 12
    if ids:
        unbroken = _numbered(ids[-1])[1] - _numbered(ids[0])[1] < len(ids)
        these = f"{ids[0]} to {ids[-1]}" if unbroken or len(ids) > FEW_IDS else ", ".join(ids)
        raise MalformedOrder(f"no unit is called `{word}`", hint=f"ids are {these}")
    near = closest_named(word, {unit: (unit, *_names(board, unit)) for unit in (*own, *board.units)})
    meant = f"the nearest is {board.describe(near)}" if near else f"ids are such as {next(iter(board.units), 'none')}"
    raise MalformedOrder(f"no unit is called `{word}`", hint=meant)


def whole_names(board: Board, words: Words, between: Collection[str] = BETWEEN) -> Words:
    """The words of a fight with each name of several words as one: `melee 1 at Kumamoto-tai A with 17 by Nozu Shizuo`.

    As many as call a unit are taken together; words that the order language knows may begin a name, as in `Left ronin`,
    and are no other part of one.
    """
    if len(words) > TYPED:
        return words
    found, rest = [words[0]], list(words[1:])
    while rest:
        most = next((end for end, word in enumerate(rest) if end and word in between), len(rest))
        ends = range(min(most, NAME_WORDS), 1, -1) if _may_begin(board, rest[0], between) else ()
        end = next((end for end in ends if _calls_any(board, "_".join(rest[:end]))), 1)
        found.append("_".join(rest[:end]))
        del rest[:end]
    return tuple(found)


def _may_begin(board: Board, word: str, between: Collection[str]) -> bool:
    """Whether a name of several words may begin with a word: an id is whole, and few names begin as orders go on."""
    return word not in board.units and (word not in between or plain_name(word) in _beginnings(board))


@lru_cache(maxsize=16)
def _beginnings(board: Board) -> frozenset[str]:
    """The first words of the units' names."""
    return frozenset(
        plain_name(name.split()[0]) for unit in board.units for name in _names(board, unit) if name.split()
    )


def _called(board: Board, word: str, units: Iterable[str]) -> list[str]:
    """Those of these units that a word calls, by the first way of calling one that fits any."""
    stem, number = _numbered(word)
    plain = plain_name(word)
    names = {unit: [plain_name(name) for name in _names(board, unit)] for unit in units}
    ways: tuple[Callable[[str], bool], ...] = (
        lambda unit: number >= 0 and _numbered(unit) == (stem or _numbered(unit)[0], number),
        lambda unit: plain != "" and (plain in names[unit] or (board.people and plain in _words_of(board, unit))),
        lambda unit: unit.startswith(word),
        lambda unit: len(plain) >= LEAST and names[unit][0].startswith(plain),
        lambda unit: len(plain) >= LEAST and any(part.startswith(plain) for part in _words_of(board, unit)),
    )
    return next((found for way in ways if (found := [unit for unit in names if way(unit)])), [])


class _Calls(NamedTuple):
    """By what units may be called: the stems and numbers of ids, the numbers alone; ids, names and words, sorted."""

    numbered: frozenset[tuple[str, int]]
    numbers: frozenset[int]
    ids: tuple[str, ...]
    names: tuple[str, ...]


@lru_cache(maxsize=16)
def _calls(board: Board) -> _Calls:
    """By what the units of a board may be called."""
    numbered = frozenset(map(_numbered, board.units))
    names = {plain_name(name) for unit in board.units for name in _names(board, unit)}
    names.update(part for unit in board.units for part in _words_of(board, unit))
    return _Calls(numbered, frozenset(number for _, number in numbered), (*sorted(board.units),), (*sorted(names),))


def _calls_any(board: Board, word: str) -> bool:
    """Whether a word calls any unit: that most don't is soon told, as each beginning of an order is tried."""
    return _may_call(board, word) and bool(_called(board, word, board.units))


def _may_call(board: Board, word: str) -> bool:
    """Whether a word may call any unit: by a number of some id, or as the beginning of an id or a name."""
    calls, (stem, number), plain = _calls(board), _numbered(word), plain_name(word)
    if number >= 0 and ((stem, number) in calls.numbered if stem else number in calls.numbers):
        return True
    return _begins_any(word, calls.ids) or (plain != "" and _begins_any(plain, calls.names))


def _begins_any(beginning: str, known: Sequence[str]) -> bool:
    """Whether one of some sorted words begins so."""
    at = bisect_left(known, beginning)
    return at < len(known) and known[at].startswith(beginning)


def _names(board: Board, unit: str) -> tuple[str, ...]:
    """What a unit is called besides its id, the name first."""
    called = board.units[unit]
    return called.name, called.short, *getattr(called, "also", ())


def _words_of(board: Board, unit: str) -> list[str]:
    return [plain_name(part) for part in board.units[unit].name.split()]


def _stem(word: str) -> str:
    """The letters of an id, before its number."""
    return _numbered(word)[0]


def _numbered(word: str) -> tuple[str, int]:
    """The letters and the number of an id; -1 for none."""
    match = re.fullmatch("(.*?)[-_.]?([0-9]+)", word)
    return (match[1], int(match[2])) if match else ("", -1)


@lru_cache(4096)
def plain_name(name: str) -> str:
    """A name without what is left out or written in several ways: its small letters and digits."""
    return re.sub("[^a-z0-9]", "", name.lower())


def place_called(maps: Iterable[Map], word: str) -> Hex | None:
    """The hex that a word calls by its name on one of the maps, or by the beginning of it; None where none is.

    Raises AmbiguousOrder when several are, MalformedOrder with the nearest for a word that is like a name.
    """
    plain = plain_name(word)
    places = [(name, m, h) for m in maps for name, h in m.places.items()]
    fits = [place for place in places if plain_name(place[0]) == plain]
    fits = fits or [place for place in places if len(plain) >= LEAST and plain_name(place[0]).startswith(plain)]
    if len({h for _, _, h in fits}) > 1:
        some = ", ".join(m.describe(h) for _, m, h in fits)
        raise AmbiguousOrder(f"`{word}` fits {len(fits)} places", hint=f"write one of {some}")
    if fits:
        return fits[0][2]
    near = closest_named(word, {m.describe(h): (name,) for name, m, h in places})
    if near is not None and not any(c.isdigit() for c in word):
        begun = [m.describe(h) for name, m, h in places if plain_name(name).startswith(plain)]
        some = listed(begun) if 0 < len(begun) <= NAMED else f"{len(begun)} places"
        needed = f"{LEAST} letters of its name are needed at least; it fits {some}"
        hint = needed if begun and len(plain) < LEAST else f"the nearest is {near}"
        raise MalformedOrder(f"no place is called `{word}`", hint=hint)
    return None


def own_or_any(board: Board, word: str, side: str, among: Collection[str] = ()) -> str:
    """Whom a standing order is about: one of the side's own units, or `any`; `among` as in `unit_id`, and so raised."""
    unit = ANY if word == ANY else unit_id(board, word, side, among)
    if unit != ANY and unit not in board.of_side.get(side, ()):
        raise MalformedOrder(f"{board.describe(unit)} isn't yours", hint="give standing orders to your own units")
    return unit


def way(word: str, known: Sequence[str], place: Callable[[str], str]) -> str:
    """Where a retreat shall go: a direction of those known, or the full number of a hex."""
    if word in known:
        return word
    try:
        return place(word)
    except MalformedOrder:
        if word[-1:].isdigit():
            raise
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
