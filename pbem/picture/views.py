"""What a picture shows, as plain data: counters, moves, fights, and what else is told of hexes and sides."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.language import shown
from pbem.maps.hexes import Hex
from pbem.maps.map import Map
from pbem.picture.counters import CounterView
from pbem.records import NamedTuple

__all__ = ["PRIZE", "FightView", "GoalView", "MarkView", "MoveView", "Scene", "ShieldView", "SignView"]

PRIZE = "victory hex"
"""What a hex is called that counts for victory, where the rules have no word of their own."""


class MoveView(NamedTuple):
    """A move: the hexes from the first to the last, and whose it was; an old one is drawn paler.

    What happened in its hex alone, a stronghold that changed hands, is no arrow, but shown.
    """

    path: tuple[Hex, ...]
    side: str
    old: bool = False
    title: str = ""
    alone: bool = False


class FightView(NamedTuple):
    """A fire or melee from one hex or several, the main one first, at another.

    result is the word to print, "D", "M2", "-"; number the fight's in the report, 0 for none; an old one is paler.
    """

    sources: tuple[Hex, ...]
    target: Hex
    kind: str
    result: str
    number: int = 0
    old: bool = False
    title: str = ""


class GoalView(NamedTuple):
    """A hex by which a game is won or lost: `reach` it and the side wins, `keep` it or the side loses; title tells."""

    side: str
    look: str
    title: str


class ShieldView(NamedTuple):
    """How much a stronghold can still stand, in one or two digits, and what that is called."""

    sign: str
    title: str


class SignView(NamedTuple):
    """A sign that lies on a hex for a state of its place, as a station that is damaged, and what it means."""

    sign: str
    title: str


class MarkView(NamedTuple):
    """A sign that a side has on the track of turns, what it means, and in which turns it stands."""

    side: str
    sign: str
    title: str
    turns: frozenset[int]


class Scene(NamedTuple):
    """A map with all that is drawn on it.

    sides fixes the sides' colours, formations those of the formations; held tells who holds which victory hex, None
    for nobody, entries who enters where, signs what lies on a hex for a state of its place; titles are what the key
    calls sides and formations, prize what it calls a victory hex; areas outlines the set-up areas; the track beside the
    map shows this turn of so many and in each its marks, turn_title says what they are called; coming are the units
    that are still to come, by whose they are and where; hexes, none for all, are those that the key explains; shields
    tell what strongholds can still stand; names are those of places in the language in force.
    """

    board: Map
    sides: tuple[str, ...] = ()
    formations: tuple[str, ...] = ()
    units: tuple[CounterView, ...] = ()
    held: Mapping[Hex, str | None] = {}
    entries: Mapping[Hex, str] = {}
    goals: Mapping[Hex, GoalView] = {}
    moves: tuple[MoveView, ...] = ()
    fights: tuple[FightView, ...] = ()
    highlights: frozenset[Hex] = frozenset()
    areas: bool = False
    titles: Mapping[str, str] = {}
    prize: str = PRIZE
    turn: int = 0
    turns: int = 0
    turn_title: str = "turn"
    track: tuple[MarkView, ...] = ()
    coming: Mapping[str, tuple[CounterView, ...]] = {}
    hexes: frozenset[Hex] = frozenset()
    shields: Mapping[Hex, ShieldView] = {}
    signs: Mapping[Hex, SignView] = {}
    names: Mapping[str, str] = {}

    def within(self, hexes: frozenset[Hex]) -> Scene:
        """The same with only what lies in these hexes."""
        return self._replace(
            units=tuple(unit for unit in self.units if unit.at in hexes),
            held={h: side for h, side in self.held.items() if h in hexes},
            entries={h: side for h, side in self.entries.items() if h in hexes},
            goals={h: goal for h, goal in self.goals.items() if h in hexes},
            signs={h: sign for h, sign in self.signs.items() if h in hexes},
            moves=tuple(move for move in self.moves if not hexes.isdisjoint(move.path)),
            fights=tuple(fight for fight in self.fights if fight.target in hexes),
            track=(),
            hexes=hexes,
            shields={h: shield for h, shield in self.shields.items() if h in hexes},
        )

    def called(self, which: str) -> str:
        """What a side or formation is called."""
        return self.titles.get(which, which)

    def described(self, h: Hex) -> str:
        """A hex by its number and name: `1122 Gokonomiya`."""
        return shown(self.board.describe(h), self.names)
