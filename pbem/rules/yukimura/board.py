"""The fixed data of a battle: maps, sides, forces, units, what holds them back, what brings them on, who wins."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from pbem.errors import MalformedOrder, Refusal
from pbem.maps.hexes import Hex
from pbem.maps.map import Map
from pbem.rules.kit.scenario import Choice
from pbem.rules.yukimura.ground import Ground
from pbem.rules.yukimura.tables import Tables

__all__ = ["EAST", "OSAKA", "Arrival", "Board", "Force", "Held", "Side", "Unit"]

EAST = "east"
OSAKA = "osaka"
"""The two sides in playing order (1-a, 4-1)."""


class Unit(NamedTuple):
    """A unit as printed; a morale of None is an asterisk, `command` is 0 but for commanders; no start: off the map."""

    id: str
    side: str
    force: str
    name: str
    short: str
    branch: str
    commander: bool
    strength: int
    morale: int | None
    move: int
    command: int
    start: Hex | None

    @property
    def rifle(self) -> bool:
        """True for riflemen and mounted riflemen, the branches that fire."""
        return self.branch in ("rifle", "mounted-rifle")  # 9.b, 17-2

    @property
    def mounted(self) -> bool:
        """True for mounted warriors and mounted riflemen."""
        return self.branch in ("mounted", "mounted-rifle")

    @property
    def values(self) -> str:
        """The printed values: strength-morale-move."""
        return f"{self.strength}-{'*' if self.morale is None else self.morale}-{self.move}"


class Side(NamedTuple):
    """A side."""

    id: str
    title: str
    short: str


class Force(NamedTuple):
    """The army of one lord; `map` is the map on which it starts or enters, empty when it may be either."""

    id: str
    side: str
    title: str
    units: tuple[str, ...]
    map: str


class Held(NamedTuple):
    """A force that may not move before turn `until`, None for never (14-1(5), 14-2(5)).

    `die` frees it earlier: rolled each turn once the East has crossed the line, up to this number; 0 for none.
    `gate` ties the East's crossing of the Ishikawa Line to the same turn (14-1(5)2b); `clause` is the scenario's.
    """

    until: int | None
    die: int
    gate: bool
    clause: str


class Arrival(NamedTuple):
    """When and where a force enters: from `turn` on, by a die of `die` or less (0: without), by one of `hexes`.

    `beside`: its owner chooses one of `hexes` at the start of the game (14-3(6)a). `clause` is the scenario's.
    """

    side: str
    turn: int
    die: int
    hexes: tuple[Hex, ...]
    beside: bool
    clause: str


@dataclass(frozen=True, slots=True, eq=False)
class Board:
    """Everything about a battle that never changes; sides stand in playing order.

    of_side[side]      its units' ids in the order of the army files
    numbers            number of a hex -> the hex, over all maps
    collapse[side]     the leaders whose leaving of their start hexes loses the battle for the side (14-2(6)1-2)
    breakthrough       hexes that win for the East at the end of a turn (14-2(6)3)
    superior_power     whether the units round the enemy's leaders decide at the end (14-2(6)4)
    west, west_needed  the hexes beyond the Ishikawa Line, and how many Eastern units win there; 0: not used (14-1(6))
    gate               turn from which the East may cross the line under the literal reading; 0: always (14-1(5)2b)
    star               Komatsuyama, where its control decides (14-4(6))
    otherwise          who wins when nothing else has decided; None for a draw
    """

    scenario: str
    system: str
    title: str
    turns: int
    maps: Mapping[str, Map]
    ground: Ground
    tables: Tables
    sides: tuple[Side, ...]
    side: Mapping[str, Side]
    enemy: Mapping[str, str]
    units: Mapping[str, Unit]
    of_side: Mapping[str, tuple[str, ...]]
    forces: Mapping[str, Force]
    held: Mapping[str, Held]
    arrivals: Mapping[str, Arrival]
    collapse: Mapping[str, tuple[str, ...]]
    breakthrough: frozenset[Hex]
    superior_power: bool
    west: frozenset[Hex]
    west_needed: int
    gate: int
    star: Hex | None
    otherwise: str | None
    label: Mapping[Hex, str]
    numbers: Mapping[str, Hex]
    options: Mapping[str, Choice]
    reconstructed: tuple[str, ...]

    def describe(self, unit: str) -> str:
        """A unit's id and name, `go-01 Goto Mototsugu`."""
        return f"{unit} {self.units[unit].name}"

    def place(self, h: Hex) -> str:
        """A hex's number and name, `2022 Komatsuyama`."""
        return self.map_of(h).describe(h)

    def why_shut(self, here: Hex, h: Hex, clause: str) -> Refusal:
        """Why nothing but fire goes from a hex to an adjacent one that isn't open to it (R71)."""
        if "impassable" in self.map_of(h).side(here, h):
            return Refusal(clause, f"the side between {self.place(here)} and {self.place(h)} is impassable")
        return Refusal("12-1(6)", f"{self.place(h)} is large river without a road: no unit can be there")

    def parse(self, text: str) -> Hex:
        """The hex with this number. Raises MalformedOrder."""
        found = self.numbers.get(text) or self.numbers.get(text.upper())
        if found is not None:
            return found
        maps = list(self.maps.values())
        fits = [m for m in maps if len(maps) == 1 or m.numbering.cell(text) is not None]
        if fits:
            return fits[0].parse(text)
        meant = [label for label in self.numbers if label.lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ") == text]
        if meant:
            raise MalformedOrder(f"{text} is a hex of several maps", hint=f"write {' or '.join(meant)}")
        some = " or ".join(f"{m.label(m.hexes[0])} on the map of {m.title}" for m in maps)
        raise MalformedOrder(f"{text!r} isn't a hex number", hint=f"write, for example, {some}")

    def number(self, word: str) -> str:
        """The full number of a hex. Raises MalformedOrder."""
        return self.label[self.parse(word)]

    def map_of(self, h: Hex) -> Map:
        """The map on which a hex lies."""
        return next(m for m in self.maps.values() if h in m)
