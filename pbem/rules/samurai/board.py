"""The fixed data of a battle: the table and what lies on it, the types of troops, both armies and where they set up."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import ClassVar

from pbem.errors import AmbiguousOrder, MalformedOrder
from pbem.maps.tabletop import length as inches
from pbem.maps.tabletop import read_length as read_inches
from pbem.records import Fixed, NamedTuple
from pbem.rules.kit.options import Choice
from pbem.rules.kit.words import plain_name
from pbem.rules.samurai.geometry import Base, Four, Size, lie, spans
from pbem.words import closest_named, nearest, the

__all__ = [
    "BANNERMAN", "DAIMYO", "EDITION", "FACINGS", "PLACES", "SYSTEM", "Board", "Edged", "Ground", "Piece", "Side",
    "Tables", "Type", "Unit", "Zone", "by_number", "edged", "inches", "read_inches",
]  # fmt: skip

SYSTEM = "samurai"
EDITION = "samurai/1"

DAIMYO = "daimyo"
BANNERMAN = "bannerman"

FACINGS = ("north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west")
"""Facing -> its word (movement.2)."""

LEFT = {
    "killed": ("has been killed", "have been killed"),
    "dispersed": ("has dispersed", "have dispersed"),
    "fled": ("has fled off the table", "have fled off the table"),
}
"""How a unit has left the game -> what is said of one man, and of troops."""

PLACES = ("west", "centre", "east", "south", "north")
"""What conditions can ask for besides pieces of ground: the thirds of the width, the halves of the depth."""


class Type(NamedTuple):
    """A type of troops; lengths in hundredths of an inch.

    rank        1 ashigaru, 2 ronin, 3 samurai (definitions.1), 0 of a bannerman (definitions.4)
    attack      the same hand-to-hand, 0 for none (combat.15)
    figures     of a stand (figures.1 to figures.6);  reach: of fire, 0 for none (fire_combat.2, fire_combat.4)
    points      what a figure counts
    """

    id: str
    title: str
    rank: int
    attack: int
    figures: int
    width: int
    depth: int
    move: int
    reach: int
    points: int


class Tables(NamedTuple):
    """The numbers of the game.

    kill        the die that kills a figure of the same class (combat.3)
    fails       class -> the die with which a check is failed (morale_check.1)
    risk        the die that kills a daimyo whose unit takes losses (daimyos.3)
    broken      per cent of its points whose loss breaks an army;  lead: of them more than the other's that win
    """

    types: Mapping[str, Type]
    kill: int
    fails: Mapping[int, int]
    risk: int
    broken: int
    lead: int


class Ground(NamedTuple):
    """What a kind of ground does: hides what is behind it, `deep` when one sees an inch into it; slows; stops."""

    hides: bool
    deep: bool
    slows: bool
    stops: bool


class Piece(NamedTuple):
    """A piece of ground."""

    id: str
    name: str
    kind: str
    base: Base


class Edged(NamedTuple):
    """A piece of ground with the edges of the rectangle round it, and where its base `lie`s."""

    west: int
    east: int
    south: int
    north: int
    piece: Piece
    lies: tuple[Four, Four]


def edged(piece: Piece) -> Edged:
    """A piece of ground with its edges."""
    lies = (x, y, _, _), (wide, deep, _, _) = lie(piece.base)
    return Edged(x - wide, x + wide, y - deep, y + deep, piece, lies)


class Unit(NamedTuple):
    """A unit of troops, a daimyo, or a bannerman, who has no part in play (definitions.2, definitions.4).

    `stands` of its type at the beginning.
    """

    id: str
    side: str
    wing: str
    kind: Type
    stands: int
    name: str
    short: str
    troops: bool
    daimyo: bool
    bannerman: bool

    @property
    def figures(self) -> int:
        """Its starting figures over all stands."""
        return self.stands * self.kind.figures

    def size(self, shape: str, stands: int) -> Size:
        """What its base measures with so many stands left, in that shape."""
        return _size(self.kind.width, self.kind.depth, shape, stands)


@lru_cache(64)
def _size(width: int, depth: int, shape: str, stands: int) -> Size:
    behind = shape == "behind"
    return Size(width, depth, 1 if behind else stands, stands if behind else 1)


class Zone(NamedTuple):
    """The rectangle in which a wing sets up: its edges in hundredths of an inch, both among them."""

    west: int
    east: int
    south: int
    north: int

    def holds(self, b: Base) -> bool:
        """Whether a base lies wholly in it."""
        x, y, _, _ = spans(b.facing, b.hw, b.hd)
        return self.west + x <= b.x <= self.east - x and self.south + y <= b.y <= self.north - y


class Side(NamedTuple):
    """A side; it looks ahead to the north or, from the other edge of the table, to the south."""

    id: str
    title: str
    short: str
    ahead: int


class Board(Fixed):
    """The fixed data of a scenario; made once, never changed, never dumped.

    sides   in playing order: the first has the south edge and moves first, the other sets up first
    daimyos_of, troops_of, of_side      side -> its daimyos, its troops, all its units, by id
    points  side -> what its army counts at the beginning
    order   unit -> its number among all, by id: where ids decide the lower one comes first
    zones   side -> wing -> where it sets up
    barriers    pieces of ground that can't be entered or slow;  walls: the former
    stops, slows, hides     the bases of the pieces that do so; of the last whether one sees an inch into them
    farthest    how far any unit goes that goes straight;  largest: no base reaches farther from its centre
    label   place that conditions can ask for -> its word
    """

    people: ClassVar[bool] = False

    scenario: str
    system: str
    title: str
    turns: int
    width: int
    depth: int
    ground: Mapping[str, Ground]
    pieces: Mapping[str, Piece]
    tables: Tables
    sides: tuple[Side, ...]
    side: Mapping[str, Side]
    enemy: Mapping[str, str]
    units: Mapping[str, Unit]
    of_side: Mapping[str, Sequence[str]]
    daimyos_of: Mapping[str, Sequence[str]]
    troops_of: Mapping[str, Sequence[str]]
    order: Mapping[str, int]
    zones: Mapping[str, Mapping[str, Zone]]
    options: Mapping[str, Choice]
    points: Mapping[str, int]
    reconstructed: tuple[str, ...]
    barriers: tuple[Edged, ...]
    walls: tuple[Edged, ...]
    stops: tuple[Base, ...]
    slows: tuple[Base, ...]
    hides: tuple[tuple[Base, bool], ...]
    farthest: int
    largest: int
    label: Mapping[str, str]

    def describe(self, unit: str) -> str:
        """A unit's id and name."""
        return f"{unit} {self.units[unit].name}"

    def does(self, unit: str, one: str, many: str) -> str:
        """A unit's id and name with what is said behind them of one man, or of troops, who are many."""
        return f"{self.describe(unit)} {many if self.units[unit].troops else one}"

    def belongs(self, unit: str) -> str:
        """Why the other side has no orders for a unit."""
        title = the(self.side[self.units[unit].side].title)
        if self.units[unit].troops:
            return f"{self.describe(unit)} belong to {title}"
        return f"{self.describe(unit)} belongs to {title}"

    def left(self, unit: str, how: str) -> str:
        """Why nothing is done with a unit that is gone: `killed`, `dispersed` or `fled`."""
        return self.does(unit, *LEFT[how])

    def number(self, word: str) -> str:
        """A place that conditions can ask for; a piece of ground by its id or its name, with or without the article.

        Raises MalformedOrder with the nearest one, AmbiguousOrder where several pieces have the name.
        """
        if word in self.label:
            return word
        plain = _plain(word)
        fits = [piece.id for piece in self.pieces.values() if _plain(piece.name) == plain]
        if len(fits) == 1:
            return fits[0]
        if fits:
            raise AmbiguousOrder(f"`{word}` fits {len(fits)} pieces of ground", hint=f"write one of {', '.join(fits)}")
        names: dict[str, tuple[str, ...]] = {place: (place,) for place in PLACES}
        names |= {piece.id: (piece.id, _bare(piece.name)) for piece in self.pieces.values()}
        near = closest_named(_bare(word), names)
        raise MalformedOrder(
            f"`{word}` is no place", hint=f"did you mean {near}?" if near else nearest(word, self.label)
        )


def _bare(name: str) -> str:
    """A name without its article."""
    return re.sub("^the[ _]", "", name.lower())


def _plain(name: str) -> str:
    """What counts of a piece's name."""
    return plain_name(_bare(name))


def by_number(unit: str) -> tuple[str, int, str, str]:
    """The order of ids: letters, digits of the number, the number (`sp-2` before `sp-10`), which is "" for none."""
    letters = unit.rstrip("0123456789")
    number = unit[len(letters) :].lstrip("0")
    return letters.removesuffix("-"), len(number), number, unit
