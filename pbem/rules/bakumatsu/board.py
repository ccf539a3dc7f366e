"""The fixed data of a battle: map, sides, units, tables, set-up."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from pbem.maps.hexes import Hex
from pbem.maps.map import Map
from pbem.records import Fixed, NamedTuple
from pbem.rules.bakumatsu.ground import Ground
from pbem.rules.bakumatsu.tables import Tables
from pbem.rules.kit.options import Choice
from pbem.rules.kit.words import place_called

__all__ = ["EDITION", "SYSTEM", "Board", "Command", "SetUp", "Side", "Unit"]

SYSTEM = "bakumatsu"
EDITION = "bakumatsu/1"


class Command(NamedTuple):
    """What a commander lends to units in his range, in hexes: what he adds to the dice of fire and melee (2-2-2)."""

    range: int
    fire: int
    melee: int


class Unit(NamedTuple):
    """A piece as printed: a combat unit, or with `command` a commander.

    A strength of 0 is none, `range` is 0 but for artillery (2-2-1(2)).
    """

    id: str
    side: str
    formation: str
    name: str
    short: str
    code: str
    symbol: str
    fire: int
    melee: int
    morale: int
    move: int
    range: int
    command: Command | None = None

    @property
    def artillery(self) -> bool:
        """True for a unit with a printed range."""
        return self.range > 0  # 2-2-1(2)6, 12(0)

    @property
    def values(self) -> str:
        """The printed values: fire-melee-morale-move and the range of artillery, or what a commander lends."""
        if self.command is not None:
            fire, melee = (f"{n:+d}" if n else "0" for n in (self.command.fire, self.command.melee))
            return f"range {self.command.range}, fire {fire}, melee {melee}, morale {self.morale}, move {self.move}"
        strengths = "-".join(str(n) if n else "x" for n in (self.fire, self.melee))
        values = f"{strengths}-{self.morale}-{self.move}"
        return f"{values} range {self.range}" if self.range else values


class Side(NamedTuple):
    """A side.

    reinforcement_turns    the turns with an R on the track (2-1-3.1)
    commander_turns        those with an Lx1 (2-1-3.1)
    chooses                whether its owner chooses who comes, else the cup does (15-1-5(1)1, 15-2-5(1)0b)
    least                  so many units come on turn 1 whatever the die shows (15-2-5(1)1)
    reorganises            whether its lost units come back (15-2-7-1)
    """

    id: str
    title: str
    short: str
    entry: Hex | None
    reinforcement_turns: frozenset[int]
    commander_turns: frozenset[int] = frozenset()
    chooses: bool = False
    least: int = 0
    reorganises: bool = False


class SetUp(NamedTuple):
    """Where the units of a side with a deployment code are set up (2-2-1(2)7)."""

    side: str
    code: str
    areas: tuple[str, ...]
    hexes: frozenset[Hex]


class Board(Fixed):
    """Everything about a battle that never changes; sides stand in playing order.

    of_side[side]        its pieces' ids in the order of the scenario
    combat[side]         those of its combat units;  commanders[side]: those of its commanders
    start_cups[side]     the units that wait in the side's cup, or in its owner's hand, at the start, in ASCII order
    commander_cups[side] its commanders who are drawn, in ASCII order
    control              victory hex -> the side that holds it at the start
    victory_hexes        all of them (14(0))
    aside[side]          the commander who comes when the enemy is strong enough (15-2-7-2(1)2), if there is one
    set_up[side][code]   where the other units start
    prizes               the hexes whose entering means something: victory hexes and entry hexes
    """

    people: ClassVar[bool] = False

    scenario: str
    system: str
    title: str
    turns: int
    map: Map
    ground: Ground
    tables: Tables
    sides: tuple[Side, ...]
    side: Mapping[str, Side]
    enemy: Mapping[str, str]
    units: Mapping[str, Unit]
    of_side: Mapping[str, tuple[str, ...]]
    combat: Mapping[str, tuple[str, ...]]
    commanders: Mapping[str, tuple[str, ...]]
    set_up: Mapping[str, Mapping[str, SetUp]]
    start_cups: Mapping[str, tuple[str, ...]]
    commander_cups: Mapping[str, tuple[str, ...]]
    aside: Mapping[str, str]
    control: Mapping[Hex, str]
    victory_hexes: frozenset[Hex]
    prizes: frozenset[Hex]
    options: Mapping[str, Choice]
    label: Mapping[Hex, str]
    reconstructed: tuple[str, ...]

    def describe(self, unit: str) -> str:
        """A unit's id and name, `sg-07 Shinsengumi`."""
        return f"{unit} {self.units[unit].name}"

    def place(self, h: Hex) -> str:
        """A hex's number and name, `2411 Kamitoba`."""
        return self.map.describe(h)

    def parse(self, text: str) -> Hex:
        """The hex with this number or name. Raises MalformedOrder or AmbiguousOrder."""
        found = self.map.find(text)
        found = place_called((self.map,), text) if found is None else found
        return self.map.parse(text) if found is None else found

    def number(self, word: str) -> str:
        """The full number of a hex. Raises MalformedOrder or AmbiguousOrder."""
        return self.label[self.parse(word)]
