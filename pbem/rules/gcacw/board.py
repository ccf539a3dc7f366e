"""The fixed data of a battle: map and ground, counters, who may act when, what is closed to whom, and what scores."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import ClassVar, Never

from pbem.errors import MalformedOrder
from pbem.maps.hexes import Hex, unpack
from pbem.maps.map import Map
from pbem.records import Fixed, NamedTuple
from pbem.rules.gcacw.advanced import Advanced
from pbem.rules.gcacw.ground import Ground
from pbem.rules.gcacw.tables import Tables
from pbem.rules.kit.options import Choice
from pbem.rules.kit.words import place_called

__all__ = [
    "ARMY", "BRIGADE", "CAVALRY", "CONFEDERATE", "CORPS", "DAMAGED", "DESTROYED", "DIVISION", "EDITION", "INFANTRY",
    "LEADER", "REGIMENT", "SYSTEM", "UNION", "Arrival", "Ban", "Board", "Frozen", "Hold", "Level", "Line",
    "OneSided", "Rail", "Side", "Start", "Unit", "Victory",
]  # fmt: skip

SYSTEM = "gcacw"
EDITION = "gcacw/1"

UNION, CONFEDERATE = "union", "confederate"
"""The two sides in playing order: the Union does first what both do in a phase (std-3.0-4)."""

DIVISION, BRIGADE, REGIMENT = "division", "brigade", "regiment"
CORPS, ARMY = "corps", "army"
"""Sizes of combat units, and the ranks of leaders (std-2.2-1)."""

INFANTRY, CAVALRY, LEADER = "infantry", "cavalry", "leader"

DAMAGED, DESTROYED = 1, 2
"""How a station stands that isn't whole (std-5.4-1)."""


class Unit(NamedTuple):
    """A counter: a combat unit, or a leader, who has no manpower (std-2.2-1, std-2.2-2).

    command    the corps (J, L, Cav, I ...) that a unit is of or a corps leader leads; empty for independent units
    army       ANV, AV or AP: of an army leader that which he leads (13.0-6)
    also       how the rulebook's counters spell the name, where that is another way (2.6-2)
    tactical   None for army leaders;  command_value: 0 but for leaders
    """

    id: str
    side: str
    name: str
    short: str
    branch: str
    size: str
    command: str
    army: str
    also: tuple[str, ...]
    tactical: int | None
    artillery: int
    command_value: int

    @property
    def leader(self) -> bool:
        """Whether it is a leader."""
        return self.branch == LEADER

    @property
    def cavalry(self) -> bool:
        """Whether it is a cavalry unit."""
        return self.branch == CAVALRY

    @property
    def infantry(self) -> bool:
        """Whether it is an infantry unit."""
        return self.branch == INFANTRY

    @property
    def values(self) -> str:
        """The printed values: tactical-artillery, of leaders tactical-command."""
        return f"{'-' if self.tactical is None else self.tactical}-{self.command_value or self.artillery}"

    def commands(self, unit: Unit) -> bool:
        """Whether it is the leader of a combat unit: of its corps, or of its army (std-5.3-1, std-6.3-3)."""
        if not self.leader or unit.leader or unit.side != self.side:
            return False
        return self.army == unit.army if self.size == ARMY else self.command != "" and self.command == unit.command


class Side(NamedTuple):
    """A side; the `adjective` stands in titles of phases."""

    id: str
    title: str
    short: str
    adjective: str


class Start(NamedTuple):
    """How a counter begins, `works` the stage of its entrenchment; a leader has no manpower (13.0-1)."""

    unit: str
    at: Hex
    manpower: int
    fatigue: int
    works: int = 0


class Arrival(NamedTuple):
    """Counters that come in together in the reinforcement phase of a turn (3.0-3).

    at        where;  else_at: the hexes of which the owner chooses one while enemies stand there (13.5-re1)
    choice    whether he chooses among all these in any case (22.1-re4)
    late      the hexes where they come in a turn later if he puts them off (22.1-re2, 22.1-re5);  none: he can't
    together  who is put off with them, by their ids: all or none (22.1-re2)
    put_off   the clause of that
    """

    id: str
    side: str
    turn: int
    at: Hex
    else_at: tuple[Hex, ...]
    starts: tuple[Start, ...]
    clause: str
    choice: bool = False
    late: tuple[Hex, ...] = ()
    together: tuple[str, ...] = ()
    put_off: str = ""


class Hold(NamedTuple):
    """Counters that may neither act nor entrench (std-4.0-9): before turn `until`, 0 for no turn.

    regions    free once an enemy unit has entered one of these counties (13.2-sp2)
    near       free once an enemy unit was within so many hexes of that one (13.2-sp3)
    release    free for good once an enemy unit comes within so many hexes of the counter itself, from turn `since` on;
               0 for none (13.5-sp3)
    """

    units: frozenset[str]
    until: int
    regions: frozenset[str]
    near: tuple[Hex, int] | None
    release: int
    since: int
    clause: str


class Ban(NamedTuple):
    """Hexes that counters may not enter, by march, advance or retreat (13.1-sp4, 13.4-sp5)."""

    units: frozenset[str]
    hexes: frozenset[Hex]
    clause: str


class OneSided(NamedTuple):
    """A turn in which one side alone may act, without initiative dice, and with these units alone (13.3-sp1, 13.5-sp1).

    no_zoc    the clause by which they may not enter an enemy's zone of control; empty where they may (13.5-sp2)
    no_leave  the clause by which they may not leave one; empty where they may (22.1-sp2b)
    shore     the steps over a river that they may not make, and its name;  no_river: the clause (22.1-sp2c)
    """

    turn: int
    side: str
    units: frozenset[str]
    no_zoc: str
    clause: str
    no_leave: str = ""
    shore: frozenset[tuple[Hex, Hex]] = frozenset()
    no_river: str = ""


class Frozen(NamedTuple):
    """Units whose fatigue the recovery of some turns leaves as it is (13.4-sp4)."""

    units: frozenset[str]
    turns: frozenset[int]
    clause: str


class Rail(NamedTuple):
    """Units that may go once by rail, as their first march of a turn, so many hexes at most (13.5-sp3e1)."""

    units: frozenset[str]
    turn: int
    hexes: int
    clause: str


class Line(NamedTuple):
    """A line of the victory points, all of them the Confederate's (13.0-3); `kind` is one of victory.KINDS.

    What it counts: hexes, units, counties, a side, as its kind has it. `steps` are points by a number: a distance, how
    many; each (least number, points), the last for all above. `free`: who is shut in
    by the enemy doesn't count (22.1-vp10).
    """

    clause: str
    kind: str
    points: int
    hexes: tuple[Hex, ...] = ()
    unless: tuple[Hex, ...] = ()
    units: tuple[str, ...] = ()
    sizes: frozenset[str] = frozenset()
    regions: frozenset[str] = frozenset()
    side: str = ""
    fewer: int = 0
    steps: tuple[tuple[int, int], ...] = ()
    free: bool = False


class Level(NamedTuple):
    """A level of victory: from so many points on; None for the lowest."""

    title: str
    side: str
    least: int | None


class Victory(NamedTuple):
    """What scores, and what the total means (13.0-3); levels from the highest total to the lowest."""

    lines: tuple[Line, ...]
    levels: tuple[Level, ...]
    clause: str


class Board(Fixed):
    """Everything about a battle that never changes; sides stand in playing order.

    of_side[side]     its counters' ids in the order of set-up and reinforcements;  enemy[side]: the other side
    stations          hex -> name, of those that can be raided (std-5.4-1);  depots: the hexes with one at the start
    objectives        hexes that a Confederate infantry unit makes his by entering (13.2-sp5b)
    no_extended, no_assault, no_force   turns without extended marches, assaults to fatigue 3, force marches (13.1-sp1a)
    first             who has the first initiative of turn 1 without dice; None: by dice (13.2-sp1)
    together          leader and unit that must stay together (13.3-sp2a)
    advanced          what the advanced game has besides; None in the basic one (3.0-2)
    foreign           leader -> the unit of another command with which the set-up puts him (std-6.3-4)
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
    starts: Mapping[str, Start]
    arrivals: Mapping[str, Arrival]
    stations: Mapping[Hex, str]
    depots: frozenset[Hex]
    objectives: frozenset[Hex]
    holds: tuple[Hold, ...]
    bans: tuple[Ban, ...]
    one_sided: Mapping[int, OneSided]
    frozen: tuple[Frozen, ...]
    rails: tuple[Rail, ...]
    no_extended: frozenset[int]
    no_assault: frozenset[int]
    no_force: frozenset[int]
    no_works: bool
    first: str | None
    together: tuple[str, str] | None
    foreign: Mapping[str, str]
    victory: Victory
    advanced: Advanced | None
    label: Mapping[Hex, str]
    numbers: Mapping[str, Hex]
    options: Mapping[str, Choice]
    reconstructed: tuple[str, ...]

    def describe(self, unit: str) -> str:
        """A counter's id and name, `ap-hill A.P. Hill`."""
        return f"{unit} {self.units[unit].name}"

    def arrival_of(self, unit: str) -> str:
        """What orders call those with whom a counter comes in; "" of one that begins on the map, or is no arrival."""
        found = (one.id for one in self.arrivals.values() if any(start.unit == unit for start in one.starts))
        return next(found, "")

    def place(self, h: Hex) -> str:
        """A hex's number and name, `S1418 Culpeper`."""
        return self.map.describe(h)

    def parse(self, text: str) -> Hex:
        """The hex with this number or name. Raises MalformedOrder or AmbiguousOrder."""
        found = self.numbers.get(text.upper())
        if found is None:
            found = place_called([self.map], text)
        if found is None and not any(letter.isdigit() for letter in text):
            self._raise_no_hex(text)
        return self.map.parse(text.upper()) if found is None else found

    def _raise_no_hex(self, text: str) -> Never:
        """Raise what is wrong with a word without digits where a hex is wanted: MalformedOrder."""
        who = next((unit for unit in self.units.values() if text.lower() in (unit.id, unit.name.lower())), None)
        if who is not None:
            what = f"`{text}` is a counter, and a hex is wanted"
            raise MalformedOrder(what, hint=f"write the hex in which {who.name} stands")
        try:
            self.map.parse(text.upper())
        except MalformedOrder as error:
            error.what = error.what.replace(repr(text.upper()), f"`{text}`")
            raise
        raise AssertionError(text)  # a number has digits

    def number(self, text: str) -> str:
        """The full number of such a hex. Raises MalformedOrder or AmbiguousOrder."""
        return self.label[self.parse(text)]

    def combat_units(self, side: str) -> tuple[str, ...]:
        """The ids of a side's combat units."""
        return tuple(unit for unit in self.of_side[side] if not self.units[unit].leader)

    def value(self, manpower: int, *, disorganised: bool) -> int:
        """The combat value of so much manpower, in half points (std-2.2-3, std-2.2-4)."""
        return self.tables.disorganised[manpower] if disorganised else 2 * manpower

    @staticmethod
    def order(h: Hex) -> tuple[int, int]:
        """What hexes are sorted by where the rules say by number: the column, then the row over both sheets."""
        q, r = unpack(h)
        return q, r

    def hexside(self, a: Hex, b: Hex) -> str:
        """What a hexside is called: the numbers of its two hexes, the lower first."""
        return "/".join(sorted((self.label[a], self.label[b])))

    def points(self, halves: int) -> Fraction:
        """Half points as a number."""
        return Fraction(halves, 2)
