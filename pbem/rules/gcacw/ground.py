"""The ground of the map as look-ups: what hexsides are open, what a step costs, where zones of control reach (2, 6).

Movement points are whole numbers of halves everywhere (std-6.1-10). What hangs on bridges that were built in play is
asked of `steps`, not of these.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from pbem.errors import Defects, shown
from pbem.maps.hexes import ByHex, Hex, OnDemand
from pbem.maps.map import Link, Map
from pbem.records import NamedTuple
from pbem.rules.gcacw.tables import Tables
from pbem.words import nearest_and_all

__all__ = [
    "BARRIERS", "CREEK", "CROSSINGS", "FILLS", "LINKS", "MAJOR", "MINOR", "RIDGE", "RIVERS", "Ground", "Side",
    "read_ground",
]  # fmt: skip

CREEK, MINOR, MAJOR = "creek", "minor_river", "major_river"
RIVERS = frozenset({MINOR, MAJOR})
"""Hexsides that are passed at a crossing alone (std-6.1-7)."""

RIDGE = "ridge"
"""A hexside that is the slope of a ridge, written FOOT/CREST: up to the second of its hexes (std-2.3-1, std-6.1-9)."""

HEXSIDES = (CREEK, MINOR, MAJOR, RIDGE)
"""The kinds of hexside that the rules know (std-2.3-1)."""

BARRIERS = RIVERS
"""The hexside kinds that only a way of their own crosses, as the map's checks know it."""

BRIDGE, FORD = "bridge", "ford"
CROSSINGS = (BRIDGE, FORD, "ferry", "dam")
"""What leads over a river (std-2.3-1)."""

ROADS = ("road", "pike", "railroad")
LINKS = (*ROADS, "trail")
"""Ways that are followed at their own cost (std-6.1-5)."""

FILLS = ("clear", "rolling", "woods", "rough", "hill", "mountain", "swamp", "city")
"""The terrains of a hex (std-2.3-1)."""

CLOSED_TO_ZOC = frozenset({"swamp", "mountain"})
"""Terrain into and out of which a zone of control reaches along a link alone (std-2.4-3)."""


class Side(NamedTuple):
    """What lies between a hex and its neighbour `to`: water, the crossing over it, the links across, a ridge.

    `up` and `down`: whether the step to `to` goes up a ridge, or down one (std-6.1-9).
    """

    to: Hex
    water: str
    crossing: str
    links: frozenset[str]
    up: bool = False
    down: bool = False

    @property
    def open(self) -> bool:
        """Whether the hexside can be crossed as printed (std-6.1-7)."""
        return self.water not in RIVERS or self.crossing != ""

    @property
    def wet(self) -> bool:
        """Whether the hexside can be crossed in rain: rivers at bridges, creeks along ways (14.0-rain-riv1, -riv2)."""
        return self.crossing == BRIDGE if self.water in RIVERS else self.water != CREEK or self.road

    @property
    def road(self) -> bool:
        """Whether a road, a pike or a railroad crosses it."""
        return not self.links.isdisjoint(ROADS)


class Ground(NamedTuple):
    """Look-ups by hex.

    terrain[h]     one of FILLS;  near[h]: the adjacent hexes, whatever lies between
    sides[h]       what lies between h and each of them
    between[h]     the same by the adjacent hex
    open_to[h]     the hexes to which the hexside is open as printed
    cost[h]        to -> the half points of the step over an open hexside, dry, without stacking (std-6.1)
    zoc[h]         the hexes that a unit in h controls if the enemy is weak enough there (std-2.4-1, -2, -3)
    rail[h]        the hexes to which a railroad leads
    wet, wet_zoc   the costs and the controlled hexes in rain (14.0-rain-mv1, 14.0-rain-zoc)
    """

    terrain: Mapping[Hex, str]
    near: Mapping[Hex, tuple[Hex, ...]]
    sides: ByHex[tuple[Side, ...]]
    between: ByHex[Mapping[Hex, Side]]
    open_to: ByHex[tuple[Hex, ...]]
    cost: ByHex[Mapping[Hex, int]]
    zoc: ByHex[tuple[Hex, ...]]
    rail: ByHex[tuple[Hex, ...]]
    wet: ByHex[Mapping[Hex, int]]
    wet_zoc: ByHex[tuple[Hex, ...]]


def read_ground(m: Map, tables: Tables, defects: Defects, pontoon: Collection[Hex] = ()) -> Ground:
    """The ground of a map under the movement costs; what the rules don't know on it goes into `defects`.

    The bridge between the two hexes of a `pontoon` is none of the ground: it is built, and can be taken away (19.0-1).
    """
    terrain = _terrain(m, defects)
    for kind in sorted({crossing.kind for crossing in m.hexsides} - {*HEXSIDES, "line"}):
        where = f"map {m.name} hexsides"
        defects.wrong(where, f"{shown(kind)} is no hexside of these rules", nearest_and_all(kind, HEXSIDES))
    for kind in sorted({road.kind for road in m.roads} - {*LINKS, *CROSSINGS}):
        where = f"map {m.name} roads"
        defects.wrong(where, f"{shown(kind)} is no way of these rules", nearest_and_all(kind, (*LINKS, *CROSSINGS)))
    climbs = {step for crossing in m.hexsides if crossing.kind == RIDGE for step in crossing.sides}

    sides = OnDemand(_sides, m, climbs, pontoon)
    return Ground(
        terrain=terrain,
        near=m.neighbours,
        sides=sides,
        between=OnDemand(_between, sides),
        open_to=OnDemand(_open_to, sides),
        cost=OnDemand(_costs, sides, terrain, tables),
        zoc=OnDemand(_controls, sides, terrain),
        rail=OnDemand(_rail, sides),
        wet=OnDemand(_costs_in_rain, sides, terrain, tables),
        wet_zoc=OnDemand(_controls_in_rain, sides, terrain),
    )


_Sides = ByHex[tuple[Side, ...]]
_Terrain = Mapping[Hex, str]


def _sides(m: Map, climbs: Collection[tuple[Hex, Hex]], pontoon: Collection[Hex], h: Hex) -> tuple[Side, ...]:
    """What lies between a hex and each neighbour; `climbs` are the steps up a ridge."""
    found = (_side(link, (h, link.to) in climbs, (link.to, h) in climbs) for link in m.links[h])
    if h not in pontoon:
        return tuple(found)
    return tuple(side._replace(crossing="") if side.to in pontoon else side for side in found)


def _between(sides: _Sides, h: Hex) -> dict[Hex, Side]:
    return {side.to: side for side in sides[h]}


def _open_to(sides: _Sides, h: Hex) -> tuple[Hex, ...]:
    return tuple(side.to for side in sides[h] if side.open)


def _costs(sides: _Sides, terrain: _Terrain, tables: Tables, h: Hex) -> dict[Hex, int]:
    return {side.to: _cost(side, terrain[side.to], tables) for side in sides[h] if side.open}


def _costs_in_rain(sides: _Sides, terrain: _Terrain, tables: Tables, h: Hex) -> dict[Hex, int]:
    return {side.to: _cost_in_rain(side, terrain[side.to], tables) for side in sides[h] if side.wet}


def _controls(sides: _Sides, terrain: _Terrain, h: Hex) -> tuple[Hex, ...]:
    return tuple(side.to for side in sides[h] if side.open and controls_over(terrain, h, side))


def _controls_in_rain(sides: _Sides, terrain: _Terrain, h: Hex) -> tuple[Hex, ...]:
    return tuple(side.to for side in sides[h] if controls_in_rain(terrain, h, side))


def _rail(sides: _Sides, h: Hex) -> tuple[Hex, ...]:
    return tuple(side.to for side in sides[h] if "railroad" in side.links)


def controls_over(terrain: Mapping[Hex, str], h: Hex, side: Side) -> bool:
    """Whether a zone of control passes an open hexside: into and out of swamp and mountain along links (std-2.4-3)."""
    return bool(side.links) or CLOSED_TO_ZOC.isdisjoint((terrain[h], terrain[side.to]))


def controls_in_rain(terrain: Mapping[Hex, str], h: Hex, side: Side) -> bool:
    """Whether a zone of control passes a hexside in rain: over no ford, nor a creek without way (14.0-rain-zoc)."""
    shut = side.crossing == FORD or (side.water == CREEK and not side.road)
    return side.open and not shut and controls_over(terrain, h, side)


def _side(link: Link, up: bool, down: bool) -> Side:
    """What lies between two hexes, of what the map says."""
    water = next((kind for kind in (MAJOR, MINOR, CREEK) if kind in link.side), "")
    crossing = next((kind for kind in CROSSINGS if kind in link.ways), "")
    return Side(link.to, water, crossing, link.ways.intersection(LINKS), up, down)


def _cost(side: Side, terrain: str, tables: Tables) -> int:
    """The half points of a step over an open hexside, dry as it always is (std-6.1-2 to std-6.1-9, std-12.0-1)."""
    linked = [tables.link[kind] for kind in LINKS if kind in side.links]
    points = min(linked) if linked else tables.terrain[terrain]
    points += tables.ridge if side.up and not side.road else 0  # std-6.1-9
    if side.water in RIVERS:
        return points + tables.crossing[side.crossing]  # std-6.1-8
    return points + (tables.creek if side.water == CREEK and not side.road else 0)  # std-6.1-6


def _cost_in_rain(side: Side, terrain: str, tables: Tables) -> int:
    """The half points of a step in rain over a hexside that is open then (14.0-rain-mv1 to -mv3)."""
    linked = [tables.rain.link[kind] for kind in LINKS if kind in side.links]
    points = min(linked) if linked else tables.rain.terrain[terrain]
    points += tables.ridge if side.up and not side.road else 0  # std-6.1-9
    return points + (tables.crossing[side.crossing] if side.water in RIVERS else 0)


def _terrain(m: Map, defects: Defects) -> dict[Hex, str]:
    """The one terrain of each hex."""
    ways = {road.kind for road in m.roads}
    kinds: dict[frozenset[str], str] = {}
    for h in m.hexes:
        features = m.terrain[h] - ways
        if features not in kinds:
            fills: Iterable[str] = [kind for kind in FILLS if kind in features]
            kinds[features] = next(iter(fills), FILLS[0])
            if len(features) != 1 or not features <= {*FILLS}:
                what = f"hex {m.label(h)} is {', '.join(sorted(features)) or 'nothing'}"
                defects.wrong(f"map {m.name} terrain", what, f"each hex is one of {', '.join(FILLS)}")
    return {h: kinds[m.terrain[h] - ways] for h in m.hexes}
