"""The ground of a map as look-ups: what a step costs, where roads lead, where ZOC reaches, what covers a hex."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from pbem.errors import Defects, shown
from pbem.maps.hexes import ByHex, Hex, OnDemand, distance, pack
from pbem.maps.map import Link, Map
from pbem.records import NamedTuple
from pbem.rules.bakumatsu.tables import BARRIERS, Chart
from pbem.rules.kit import scenario as kit
from pbem.words import nearest_and_all

__all__ = ["ROAD_COST", "Ground", "Modifier", "read_ground"]

ROAD_COST = 1  # 8-1(2)3


class Modifier(NamedTuple):
    """Something that changes the dice, by how much, and by which clause."""

    what: str
    value: int
    clause: str = ""

    @property
    def told(self) -> dict[str, str | int]:
        """What an event tells of it."""
        return {"what": self.what, "value": self.value}


class Ground(NamedTuple):
    """Look-ups by hex; every hex of the map is a key.

    near[h]         the adjacent hexes in play
    cost[h][n]      movement points for the step from h to n; no entry where it is forbidden
    roads[h]        the hexes to which a road leads
    open_to[h]      the adjacent hexes not across a river or pond
    zoc[h]          the hexes that a unit in h controls, and those from which a unit controls h: it goes both ways
    cover_fire[h], cover_melee[h]            modifiers of the terrain in a target's hex
    across_fire[h][n], across_melee[h][n]    modifiers of the side between; no entry where there is none
    fire_from[h]    modifiers for a main firing unit in h: the mountain top's
    reach[r][h]     the other hexes within r of h, for each range of a gun or of a commander
    """

    near: Mapping[Hex, tuple[Hex, ...]]
    cost: ByHex[Mapping[Hex, int]]
    roads: ByHex[tuple[Hex, ...]]
    open_to: ByHex[tuple[Hex, ...]]
    zoc: ByHex[tuple[Hex, ...]]
    cover_fire: ByHex[tuple[Modifier, ...]]
    cover_melee: ByHex[tuple[Modifier, ...]]
    across_fire: ByHex[Mapping[Hex, tuple[Modifier, ...]]]
    across_melee: ByHex[Mapping[Hex, tuple[Modifier, ...]]]
    fire_from: ByHex[tuple[Modifier, ...]]
    reach: Mapping[int, ByHex[frozenset[Hex]]]


def read_ground(m: Map, chart: Chart, ranges: Collection[int], defects: Defects) -> Ground:
    """The ground of a map under a terrain chart; terrain that the chart doesn't know goes into `defects`."""
    first = {m.terrain[h]: h for h in reversed(m.hexes)}
    costs = {features: _entering(m, h, chart, defects) for features, h in first.items()}
    entering = {h: costs[m.terrain[h]] for h in m.hexes}
    kinds = set(m.terrain.values())
    cover = {by: {features: _cover(features, chart, by) for features in kinds} for by in ("fire", "melee", "fire_from")}
    _check_lines(m, chart, defects)
    open_to = OnDemand(_open_to, m.links)
    return Ground(
        near={h: m.neighbours[h] for h in m.hexes},
        cost=OnDemand(_costs, m.links, entering, chart),
        roads=OnDemand(_roads, m.links),
        open_to=open_to,
        zoc=OnDemand(_controls, open_to),  # 3-2(0), 3-2(2)
        cover_fire=OnDemand(_covers, cover["fire"], m.terrain),
        cover_melee=OnDemand(_covers, cover["melee"], m.terrain),
        across_fire=OnDemand(_across, m.links, chart, "fire"),
        across_melee=OnDemand(_across, m.links, chart, "melee"),
        fire_from=OnDemand(_covers, cover["fire_from"], m.terrain),
        reach={r: _reach(m, r) for r in sorted(set(ranges))},
    )


def _entering(m: Map, h: Hex, chart: Chart, defects: Defects) -> int:
    """The cost of entering a hex otherwise than by road: that of its one terrain with a cost (8-1(1)1, 8-1(1)2)."""
    effects = [chart.terrain[feature] for feature in m.terrain[h] if feature in chart.terrain]
    own = [effect.mp for effect in effects if effect.mp is not None]
    read = m.terrain[h] - {"road", "victory_hex"}
    if len(own) != 1 and read and read <= chart.terrain.keys():  # others are a defect already
        what = f"hex {m.label(h)}: {len(own)} of its terrains have a cost"
        defects.wrong(f"map {m.name} terrain.legend", what, "exactly one must")  # 2-1-2.3b
    return own[0] if len(own) == 1 else 1


def _check_lines(m: Map, chart: Chart, defects: Defects) -> None:
    """Terrain, roads and hexsides must be in the terrain effects chart (2-1-2.3a)."""
    roads = {road.kind for road in m.roads}
    sides = {kind for _, found in m.crossings() for kind in found}
    terrain = {feature for features in m.terrain.values() for feature in features}
    for kind in sorted(terrain - roads - set(chart.terrain)):
        what = "lies on hexsides" if kind in chart.sides else "isn't in the terrain effects chart"
        defects.wrong(f"map {m.name} terrain.legend", f"{shown(kind)} {what}", nearest_and_all(kind, chart.terrain))
    for road in m.roads:
        kit.known(road.kind, ["road"], f"map {m.name} roads {road.name}.kind", defects)
    for kind in sorted(sides - set(chart.sides)):
        chain = next((chain.name for chain in m.hexsides if chain.kind == kind), "")
        what = f"{shown(kind)} isn't a hexside of the terrain effects chart"
        defects.wrong(f"map {m.name} hexsides {chain}".strip(), what, nearest_and_all(kind, chart.sides))


_Links = ByHex[tuple[Link, ...]]


def _open_to(links: _Links, h: Hex) -> tuple[Hex, ...]:
    return tuple(link.to for link in links[h] if not link.side & BARRIERS)


def _roads(links: _Links, h: Hex) -> tuple[Hex, ...]:
    return tuple(link.to for link in links[h] if link.ways)


def _controls(open_to: ByHex[tuple[Hex, ...]], h: Hex) -> tuple[Hex, ...]:
    return (h, *open_to[h])


def _covers(
    cover: Mapping[frozenset[str], tuple[Modifier, ...]], terrain: Mapping[Hex, frozenset[str]], h: Hex
) -> tuple[Modifier, ...]:
    return cover[terrain[h]]


def _costs(links: _Links, entering: Mapping[Hex, int], chart: Chart, h: Hex) -> dict[Hex, int]:
    costs = {}
    for link in links[h]:
        if link.ways:
            costs[link.to] = ROAD_COST  # 8-1(1)3, 8-1(2)3
        elif not link.side & BARRIERS:  # 8-1(2)2
            costs[link.to] = entering[link.to]  # 8-1(1)0
            if link.side:
                costs[link.to] += sum(chart.sides[kind].mp or 0 for kind in link.side & chart.sides.keys())  # 8-1(2)1
    return costs


COVER = {"fire": "9-2(4)1a", "melee": "10-2(5)b", "fire_from": "9-2(4)2"}
ACROSS = {"fire": "9-2(4)1b", "melee": "10-2(5)c"}
"""The clauses of the modifiers of the ground, in a hex and on its sides."""


def _cover(features: frozenset[str], chart: Chart, by: str) -> tuple[Modifier, ...]:
    found = [(f, getattr(chart.terrain[f], by)) for f in sorted(features) if f in chart.terrain]
    return tuple(Modifier(f.replace("_", " "), value, COVER[by]) for f, value in found if value)


def _across(links: _Links, chart: Chart, by: str, h: Hex) -> dict[Hex, tuple[Modifier, ...]]:
    found = {}
    for link in links[h]:
        if not link.side:
            continue
        modifiers = [(k, getattr(chart.sides[k], by)) for k in sorted(link.side) if k in chart.sides]
        if any(value for _, value in modifiers):
            told = [(f"{kind} hexside", value) for kind, value in modifiers if value]
            found[link.to] = tuple(Modifier(what, value, ACROSS[by]) for what, value in told)
    return found


def _reach(m: Map, r: int) -> ByHex[frozenset[Hex]]:
    """Hex -> the other hexes in play within a range."""
    centre = pack(0, 0)
    block = (pack(q, s) for q in range(-r, r + 1) for s in range(-r, r + 1))
    offsets = [other - centre for other in block if 0 < distance(centre, other) <= r]
    return OnDemand(_near, offsets, m.terrain)


def _near(offsets: Sequence[int], terrain: Collection[Hex], h: Hex) -> frozenset[Hex]:
    return frozenset(Hex(h + offset) for offset in offsets if h + offset in terrain)
