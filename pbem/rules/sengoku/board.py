"""The fixed data of a campaign: map and ground, armies, officers, castles, who may act when, and what scores."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import ClassVar

from pbem.errors import Defects, shown
from pbem.maps.hexes import ByHex, Hex, OnDemand
from pbem.maps.map import Link, Map
from pbem.records import Fixed, NamedTuple
from pbem.rules.kit.options import Choice
from pbem.rules.kit.words import place_called
from pbem.rules.sengoku.areas import Area, Grid, Leads, area_of, grid_of, leads_of
from pbem.rules.sengoku.tables import Effect, Tables
from pbem.words import nearest_and_all

__all__ = [
    "BARRIERS", "BRIDGE", "BUSHO", "EDITION", "RANKS", "SOTAISHO", "SYSTEM", "TAISHO", "Army", "Board", "Bonus",
    "Castle", "Closed", "Deployment", "Entering", "Ground", "Idle", "Side", "Truce", "Unit", "Victory",
    "read_ground",
]  # fmt: skip

SYSTEM = "sengoku"
EDITION = "sengoku/1"

BUSHO, TAISHO, SOTAISHO = 1, 2, 3
"""Military commander, general, commander-in-chief, in rising order; the last two lead (2-2-1(5))."""

RANKS = {"busho": BUSHO, "taisho": TAISHO, "sotaisho": SOTAISHO}
"""How data call the ranks."""

BARRIERS = frozenset({"lake", "sea"})
"""Hexsides that nothing crosses (15-6-1)."""

RIVER = "river"
BRIDGE = "bridge"
"""The hexside that costs, and the way over it that spares movement and lines the cost (15-2-4)."""

IMPASSABLE, SWAMP = "impassable_mountain", "swamp"


class Unit(NamedTuple):
    """An officer with his men: strength of front and back, rank, and command boxes, 0 for a busho (2-2-1, 9-2-1)."""

    id: str
    side: str
    army: str
    name: str
    short: str
    rank: int
    front: int
    back: int
    modifier: int
    power: int
    boxes: int

    @property
    def commander(self) -> bool:
        """Whether he leads units, as taisho and sotaisho do (2-2-1(5))."""
        return self.rank > BUSHO

    @property
    def values(self) -> str:
        """The printed values: strength-modifier-action power."""
        return f"{self.front}-{self.modifier}-{self.power}"


class Side(NamedTuple):
    """The armies of one player; `deploys` is its place in the order of deployment, 0 first (36.4)."""

    id: str
    title: str
    short: str
    deploys: int


class Army(NamedTuple):
    """A clan with its units and castles; `follows` is the army whose commanders may lead its units (30-1).

    main      its main castles (8-3, 36.7-8);  sources: the hexes from which it sets lines without one (31-2)
    column    its column of the replenishment table;  home: the provinces that are its own castle there (33.0)
    """

    id: str
    side: str
    title: str
    follows: str | None
    main: tuple[str, ...]
    sources: tuple[Hex, ...]
    column: str
    home: frozenset[str]


class Castle(NamedTuple):
    """A castle; `owner` and `durability` are those at the start, no owner: abandoned (8-1, 8-2-1, 36.5)."""

    id: str
    name: str
    at: Hex
    level: int
    durability: int
    owner: str | None


class Deployment(NamedTuple):
    """Units that are deployed together (36.4): in one of `hexes`, in castles of `army` alone where that is said.

    `enters` is the id of the rule that brings them later, empty for those that are deployed before play.
    """

    id: str
    side: str
    units: tuple[str, ...]
    hexes: tuple[Hex, ...]
    castles_of: str | None
    enters: str


class Entering(NamedTuple):
    """Armies that begin to act by a roll against the enemy's strength in some provinces (32.0, 36.7-9)."""

    id: str
    side: str
    armies: tuple[str, ...]
    provinces: frozenset[str]
    table: str
    clause: str


class Idle(NamedTuple):
    """Armies that can't act: until after turn `until` but for a die of `die`, or until `declared` is (36.7-2, -3, -6).

    An army may declare itself where it is `declared` by itself; 0 and None where they don't count.
    """

    armies: tuple[str, ...]
    until: int
    die: int
    declared: str | None
    clause: str


class Closed(NamedTuple):
    """Hexes that a side can't enter: until one of `left` has left `province` or `declared` is (36.7-4, 36.7-5)."""

    side: str
    hexes: Area
    left: tuple[str, ...]
    declared: str | None
    clause: str


class Truce(NamedTuple):
    """Armies that a side can't attack in some hexes until one of them has left these or attacked (36.7-7)."""

    side: str
    armies: tuple[str, ...]
    hexes: frozenset[Hex]
    clause: str


class Bonus(NamedTuple):
    """Points for a side if a unit has never left a province, or an army never declared itself (36.6(4))."""

    side: str
    points: int
    unit: str | None
    province: str | None
    army: str | None
    clause: str


class Victory(NamedTuple):
    """What scores (36.6): castles taken by level, own units lost by rank, enemies shut in; and the lead that wins."""

    castles: tuple[int, ...]
    lost: Mapping[int, int]
    shut_in: int
    bonuses: tuple[Bonus, ...]
    leader: str
    lead: int


class Board(Fixed):
    """Everything about a campaign that never changes; sides stand in the order of their operation phases (29.0).

    of_side[side], of_army[army]   their units' ids in the order of the army files
    castle_in                      hex -> the castle in it;  province: hex -> its province
    outside                        hexes of the map that are no part of the play area (36.1)
    left_by                        unit -> the province of which the rules ask whether it has left it
    """

    people: ClassVar[bool] = True

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
    armies: Mapping[str, Army]
    units: Mapping[str, Unit]
    of_side: Mapping[str, tuple[str, ...]]
    of_army: Mapping[str, tuple[str, ...]]
    castles: Mapping[str, Castle]
    castle_in: Mapping[Hex, str]
    province: Mapping[Hex, str]
    outside: frozenset[Hex]
    left_by: Mapping[str, str]
    deployments: Mapping[str, Deployment]
    entering: Mapping[str, Entering]
    idle: tuple[Idle, ...]
    closed: tuple[Closed, ...]
    truces: tuple[Truce, ...]
    victory: Victory
    label: Mapping[Hex, str]
    numbers: Mapping[str, Hex]
    options: Mapping[str, Choice]
    reconstructed: tuple[str, ...]

    def describe(self, unit: str) -> str:
        """A unit's id and name, `hb-01 Hashiba Hideyoshi`."""
        return f"{unit} {self.units[unit].name}"

    def several(self, units: Sequence[str]) -> str:
        """The first of some units, and how many more: `kt-05 Kitabatake Nobuo and 2 more`."""
        first = self.describe(units[0])
        return f"{first} and {len(units) - 1} more" if len(units) > 1 else first

    def place(self, h: Hex) -> str:
        """A hex's number and name, `1623 Himeji`."""
        return self.map.describe(h)

    def parse(self, text: str) -> Hex:
        """The hex with this number or name, or with this castle. Raises MalformedOrder or AmbiguousOrder."""
        found = self.castles[text].at if text in self.castles else self.numbers.get(text)
        if found is None:
            found = place_called([self.map], text)
        return self.map.parse(text) if found is None else found

    def number(self, text: str) -> str:
        """The full number of such a hex. Raises MalformedOrder or AmbiguousOrder."""
        return self.label[self.parse(text)]

    def group(self, army: str) -> str:
        """The army whose group an army is of: the one that it follows, or itself (7-1-2, 36.3)."""
        return self.armies[army].follows or army

    def led_by(self, army: str, commander: str) -> bool:
        """Whether units of an army can be under a commander of this army (9-2-6, 30-1-2)."""
        return commander in (army, self.armies[army].follows)


# --- the ground of the map as look-ups --------------------------------------------------------------------------------


FILLS = ("plain", "rough", "mountain", IMPASSABLE, SWAMP)
"""The terrains of a hex in play (table-terrain); sea and lake are open water."""


class Ground(NamedTuple):
    """Look-ups by hex; every hex of the map that is no open water is a key, outside the play area too.

    terrain[h]                     plain, rough, mountain, impassable_mountain or swamp
    near[h]                        the adjacent hexes, whatever lies between
    open_to[h], beside[h]          those that are not beyond a sea or lake hexside, one by one and as an area
    grid, bit[h]                   how hexes are numbered in areas, the area of h alone
    tactical, strategic, line[h][n]  points for the step from h to n, river included; no entry where it is forbidden
    leads[kind]                    the same steps as they move areas, of tactical, strategic and line; besides control,
                                   what stands in a hex controls (5-2), and near, whatever lies between (15-3-1)
    river                          the steps across a river, bridged or not;  unbridged: those without a bridge
    """

    terrain: Mapping[Hex, str]
    near: Mapping[Hex, tuple[Hex, ...]]
    open_to: ByHex[tuple[Hex, ...]]
    beside: ByHex[Area]
    grid: Grid
    bit: Mapping[Hex, Area]
    tactical: ByHex[Mapping[Hex, int]]
    strategic: ByHex[Mapping[Hex, int]]
    line: ByHex[Mapping[Hex, int]]
    leads: Mapping[str, Leads]
    river: frozenset[tuple[Hex, Hex]]
    unbridged: frozenset[tuple[Hex, Hex]]


def read_ground(m: Map, tables: Tables, outside: Iterable[Hex], defects: Defects) -> Ground:
    """The ground of a map under the terrain table; what the rules don't know on it goes into `defects`."""
    terrain = _terrain(m, defects)
    for kind in sorted({crossing.kind for crossing in m.hexsides} - {RIVER, "line", *BARRIERS}):
        where = f"map {m.name} hexsides"
        defects.wrong(where, f"{shown(kind)} is no hexside of these rules", nearest_and_all(kind, (RIVER, *BARRIERS)))
    links = OnDemand(_unbarred, m.links)  # 15-6-1
    barred, grid = frozenset(outside), grid_of(m.hexes)  # 36.1
    chart = tables.terrain

    crossed = {step for step, kinds in m.crossings() if RIVER in kinds}
    unbridged = frozenset(step for step in crossed if BRIDGE not in m.ways(*step))
    closed = [step for step, kinds in m.crossings() if kinds & BARRIERS]  # 15-6-1

    def leads(column: str) -> Leads:
        points = {kind: getattr(effect, column) for kind, effect in chart.items()}
        enter = {h: points[kind] for h, kind in terrain.items() if points[kind] is not None and h not in barred}
        return leads_of(grid, enter, closed, unbridged, points[RIVER])

    return Ground(
        terrain=terrain,
        near=m.neighbours,
        open_to=OnDemand(_open_to, links),
        beside=OnDemand(_beside, links, grid.bit),
        grid=grid,
        bit=grid.bit,
        tactical=OnDemand(_costs, links, barred, terrain, chart, "tactical"),
        strategic=OnDemand(_costs, links, barred, terrain, chart, "strategic"),
        line=OnDemand(_costs, links, barred, terrain, chart, "line"),
        leads={
            **{column: leads(column) for column in ("tactical", "strategic", "line")},
            "control": leads_of(grid, {h: 1 for h in terrain if terrain[h] != SWAMP}, closed, (), 0),  # 5-2(1), 5-2(2)
            "near": leads_of(grid, dict.fromkeys(terrain, 1), (), (), 0),
        },
        river=frozenset(crossed),
        unbridged=unbridged,
    )


_Links = ByHex[tuple[Link, ...]]


def _unbarred(links: _Links, h: Hex) -> tuple[Link, ...]:
    """The ways from a hex that no sea or lake bars."""
    return tuple(link for link in links[h] if not link.side & BARRIERS)


def _open_to(links: _Links, h: Hex) -> tuple[Hex, ...]:
    return tuple(link.to for link in links[h])


def _beside(links: _Links, bit: Mapping[Hex, Area], h: Hex) -> Area:
    return area_of(bit, (link.to for link in links[h]))


def _costs(
    links: _Links,
    barred: Collection[Hex],
    terrain: Mapping[Hex, str],
    chart: Mapping[str, Effect],
    column: str,
    h: Hex,
) -> dict[Hex, int]:
    """The points for each step from a hex that the column of the terrain table allows, into none that is barred."""
    found = {}
    for link in (link for link in links[h] if link.to not in barred):
        points = getattr(chart[terrain[link.to]], column)
        if points is not None:
            river = RIVER in link.side and BRIDGE not in link.ways  # 15-2-4
            found[link.to] = points + (getattr(chart[RIVER], column) if river else 0)
    return found


def _terrain(m: Map, defects: Defects) -> dict[Hex, str]:
    """The one terrain of each hex (2-1-2)."""
    ways = {road.kind for road in m.roads}
    first = {m.terrain[h] - ways: h for h in reversed(m.hexes)}
    for features, h in first.items():
        if len(features) != 1 or not features <= {*FILLS}:
            what = f"hex {m.label(h)} is {', '.join(sorted(features)) or 'nothing'}"
            defects.wrong(f"map {m.name} terrain", what, f"each hex is one of {', '.join(FILLS)}")
    kinds = {features: next((kind for kind in FILLS if kind in features), FILLS[0]) for features in first}
    return {h: kinds[m.terrain[h] - ways] for h in m.hexes}
