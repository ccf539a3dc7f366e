"""The fixed data of a battle: maps and the ground on them, forces, what holds them back or brings them on, victory."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import ClassVar

from pbem.errors import Defects, MalformedOrder, Refusal, shown
from pbem.maps.hexes import ByHex, Hex, OnDemand, neighbours
from pbem.maps.map import Link, Map
from pbem.records import Fixed, NamedTuple
from pbem.rules.kit import scenario as kit
from pbem.rules.kit.options import Choice
from pbem.rules.kit.words import place_called
from pbem.rules.yukimura.tables import Chart, Tables
from pbem.words import nearest_and_all

__all__ = [
    "BARRIERS", "EAST", "EDITION", "OSAKA", "SYSTEM", "Arrival", "Board", "Force", "Ground", "Held", "Side", "Unit",
    "beyond_line", "read_ground",
]  # fmt: skip

SYSTEM = "yukimura"
EDITION = "yukimura/2"

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


class Board(Fixed):
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

    people: ClassVar[bool] = False

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
        """The hex with this number or name. Raises MalformedOrder or AmbiguousOrder."""
        found = self.numbers.get(text) or self.numbers.get(text.upper())
        if found is not None:
            return found
        maps = list(self.maps.values())
        called = place_called(maps, text)
        if called is not None:
            return called
        fits = [m for m in maps if len(maps) == 1 or m.numbering.cell(text) is not None]
        if fits:
            return fits[0].parse(text)
        meant = [label for label in self.numbers if label.lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ") == text]
        if meant:
            raise MalformedOrder(f"{text} is a hex of several maps", hint=f"write {' or '.join(meant)}")
        some = " or ".join(f"{m.label(m.hexes[0])} on the map of {m.title}" for m in maps)
        raise MalformedOrder(f"{text!r} isn't a hex number", hint=f"write, for example, {some}")

    def number(self, word: str) -> str:
        """The full number of a hex. Raises MalformedOrder or AmbiguousOrder."""
        return self.label[self.parse(word)]

    def map_of(self, h: Hex) -> Map:
        """The map on which a hex lies."""
        return next(m for m in self.maps.values() if h in m.terrain)


# --- the ground of the maps as look-ups -------------------------------------------------------------------------------


RANK = ("large_river", "mountain", "marsh", "flat")
"""The terrains of a hex; where it has two of them, the first counts (12-1.a, R102)."""

FLAGS = frozenset({"mound", "star", "road", "victory_hex"})
BARRIERS = frozenset({"impassable"})
LINES = BARRIERS | {"small_river", "line"}


class Ground(NamedTuple):
    """Look-ups by hex over all maps; every hex in play is a key.

    near[h]       the adjacent hexes in play
    open_to[h]    those of them into which ZOC, melee, retreat and advance go, both ways: not across an impassable side,
                  not into or out of a large river without a road (R71)
    cost[h][n]    movement points for the step from h to n; no entry where it is forbidden, so that a large river is
                  entered and left along its road alone
    roads[h]      the hexes to which a road leads
    mountain      the mountain hexes
    small_river   the steps across a small river, both ways round
    edge          the hexes on the edge of a map;  off_road    those where a road leads over the edge
    """

    near: Mapping[Hex, tuple[Hex, ...]]
    open_to: ByHex[tuple[Hex, ...]]
    cost: ByHex[Mapping[Hex, int]]
    roads: ByHex[tuple[Hex, ...]]
    mountain: frozenset[Hex]
    small_river: frozenset[tuple[Hex, Hex]]
    edge: frozenset[Hex]
    off_road: frozenset[Hex]


def read_ground(maps: Iterable[Map], chart: Chart, defects: Defects) -> Ground:
    """The ground of all maps in play under a terrain chart.

    Terrain, hexsides and roads that the rules don't know go into `defects`.
    """
    maps = list(maps)
    base = {h: kind for m in maps for h, kind in _base(m, defects).items()}
    rivers = {h for h, kind in base.items() if kind == "large_river"}
    own = {h: m for m in maps for h in m.hexes}
    for m in maps:
        _check_lines(m, defects)
    deep = {h for h in rivers if not any(link.ways for link in own[h].links[h])}
    steps = OnDemand(_steps, own, rivers)
    return Ground(
        near={h: m.neighbours[h] for h, m in own.items()},
        open_to=OnDemand(_open_to, own, deep),
        cost=OnDemand(_costs, steps, base, chart),
        roads=OnDemand(_roads, steps),
        mountain=frozenset(h for h, kind in base.items() if kind == "mountain"),
        small_river=frozenset(step for m in maps for step, kinds in m.crossings() if "small_river" in kinds),
        edge=frozenset(h for m in maps for h, around in m.neighbours.items() if len(around) < 6 and _on_edge(m, h)),
        off_road=frozenset(h for m in maps for hexes in m.entries.values() for h in hexes),
    )


def _steps(own: Mapping[Hex, Map], rivers: set[Hex], h: Hex) -> list[Link]:
    """The ways from a hex that aren't forbidden."""
    return [link for link in own[h].links[h] if _passes(h, link, rivers)]


def _open_to(own: Mapping[Hex, Map], deep: set[Hex], h: Hex) -> tuple[Hex, ...]:
    return tuple(link.to for link in own[h].links[h] if _open(h, link, deep))


def _costs(steps: ByHex[list[Link]], base: Mapping[Hex, str], chart: Chart, h: Hex) -> dict[Hex, int]:
    return {link.to: _cost(link, base, chart) for link in steps[h]}


def _roads(steps: ByHex[list[Link]], h: Hex) -> tuple[Hex, ...]:
    return tuple(link.to for link in steps[h] if link.ways)


def _on_edge(m: Map, h: Hex) -> bool:
    """Whether the map ends beside a hex; open water is still map."""
    return any(n not in m and n not in m.water for n in neighbours(h))


def beyond_line(m: Map) -> frozenset[Hex]:
    """The hexes west of the map's line: all that can be reached from its west edge without crossing it; none without.

    A line of hexsides leaves every hex on one side of it (R70).
    """
    if not any(crossing.kind == "line" for crossing in m.hexsides):
        return frozenset()
    columns = {h: m.numbering.cell_of(h).column for h in m.hexes}
    first = min(columns.values())
    todo = [h for h, column in columns.items() if column == first]
    found = set(todo)
    while todo:
        here = todo.pop()
        fresh = [h for h in m.neighbours[here] if h not in found and "line" not in m.side(here, h)]
        found.update(fresh)
        todo += fresh
    return frozenset(found)


def _open(h: Hex, link: Link, deep: set[Hex]) -> bool:
    """Whether ZOC, melee, retreat and advance go over a side (R71): 6-2.a, 6-2.b, 10-1-6, 11-1-2(3), 11-3-6.a."""
    return "impassable" not in link.side and h not in deep and link.to not in deep


def _passes(h: Hex, link: Link, rivers: set[Hex]) -> bool:
    """Whether units move from a hex over a side: 7-4-2, 12-1(4)a, 12-1(6), 12-2(2)a."""
    if "impassable" in link.side:
        return False
    return bool(link.ways) or (h not in rivers and link.to not in rivers)


def _cost(link: Link, base: Mapping[Hex, str], chart: Chart) -> int:
    """The cost of a step: 7-2-2, 12-1(1), 12-1(2), 12-1(3)a."""
    if link.ways:
        return chart.terrain["road"].mp or 0  # also across a small river: 12-1(5)a, R74
    river = chart.sides["small_river"].mp if "small_river" in link.side else 0  # 12-2(1)a
    return (chart.terrain[base[link.to]].mp or 0) + (river or 0)


def _base(m: Map, defects: Defects) -> dict[Hex, str]:
    """The one terrain of each hex; a burial mound has that of the ground round it (12-1(4)b)."""
    first = {m.terrain[h]: h for h in reversed(m.hexes)}
    where, roads = f"map {m.name} terrain.legend", {road.kind for road in m.roads}
    known = {*RANK, *FLAGS, *roads}
    for feature in sorted({feature for features in first for feature in features} - known):
        right = nearest_and_all(feature, (*RANK, "mound", "star"))
        defects.wrong(where, f"{shown(feature)} isn't a terrain", right)
    ground = {features: features - {"victory_hex", *roads} for features in first}  # empty where it can't be read
    bare = [
        h for features, h in first.items() if ground[features] and not features & {*RANK, "mound"} and features <= known
    ]
    for h in bare[-1:]:
        defects.wrong(where, f"hex {m.label(h)} has no terrain", f"give it one of {', '.join(RANK)}")
    kinds = {features: next((kind for kind in RANK if kind in features), "flat") for features in first}  # R97
    return {h: kinds[m.terrain[h]] for h in m.hexes}


def _check_lines(m: Map, defects: Defects) -> None:
    """Hexsides and roads must be of kinds that the rules know, and no road may cross an impassable side."""
    for block, chains, known in (("hexsides", m.hexsides, sorted(LINES)), ("roads", m.roads, ["road"])):
        for chain in chains:
            kit.known(chain.kind, known, f"map {m.name} {block} {chain.name}.kind", defects)
    for (h, n), kinds in m.crossings():
        if "impassable" in kinds and m.road(h, n) and h < n:
            where = f"map {m.name} roads"
            defects.wrong(where, f"one crosses {m.label(h)}/{m.label(n)}", "the side is impassable")
