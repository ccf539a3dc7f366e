"""The ground of the maps as look-ups: what a step costs, where roads lead, what is open, where the edge is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from pbem.errors import Defects
from pbem.maps.hexes import Hex, neighbours
from pbem.maps.map import Link, Map
from pbem.rules.yukimura.tables import Chart

__all__ = ["BARRIERS", "Ground", "beyond_line", "read_ground"]

RANK = ("large_river", "mountain", "marsh", "flat")
"""The terrains of a hex; where it has two of them, the first counts (12-1.a, R102)."""

FLAGS = frozenset({"mound", "star", "road", "victory_hex"})
BARRIERS = frozenset({"impassable"})
SIDES = BARRIERS | {"small_river", "line"}


class Ground(NamedTuple):
    """Look-ups by hex over all maps, made once; every hex in play is a key.

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
    open_to: Mapping[Hex, tuple[Hex, ...]]
    cost: Mapping[Hex, Mapping[Hex, int]]
    roads: Mapping[Hex, tuple[Hex, ...]]
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
    links = {h: found for m in maps for h, found in m.links.items()}
    for m in maps:
        _check_lines(m, defects)
    deep = {h for h in rivers if not any(link.ways for link in links[h])}
    steps = {h: [n for n in links[h] if _passes(h, n, rivers)] for h in base}
    return Ground(
        near={h: tuple(n.to for n in links[h]) for h in base},
        open_to={h: tuple(n.to for n in links[h] if _open(h, n, deep)) for h in base},
        cost={h: {n.to: _cost(n, base, chart) for n in steps[h]} for h in base},
        roads={h: tuple(n.to for n in steps[h] if n.ways) for h in base},
        mountain=frozenset(h for h, kind in base.items() if kind == "mountain"),
        small_river=frozenset((h, n.to) for h in base for n in links[h] if "small_river" in n.side),
        edge=frozenset(h for m in maps for h in m.hexes if any(n not in m and n not in m.water for n in neighbours(h))),
        off_road=frozenset(h for m in maps for hexes in m.entries.values() for h in hexes),
    )


def beyond_line(m: Map) -> frozenset[Hex]:
    """The hexes west of the map's line: all that can be reached from its west edge without crossing it; none without.

    A line of hexsides leaves every hex on one side of it (R70).
    """
    if not any(crossing.kind == "line" for crossing in m.hexsides):
        return frozenset()
    first = min(m.numbering.cell_of(h).column for h in m.hexes)
    todo = [h for h in m.hexes if m.numbering.cell_of(h).column == first]
    found = set(todo)
    while todo:
        for link in m.links[todo.pop()]:
            if link.to not in found and "line" not in link.side:
                found.add(link.to)
                todo.append(link.to)
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
    found = {}
    for h in m.hexes:
        kinds = [kind for kind in RANK if kind in m.terrain[h]]
        found[h] = kinds[0] if kinds else "flat"  # R97
    for features in sorted(set(m.terrain.values()), key=sorted):
        where = f"map {m.name} hex {next(m.label(h) for h in m.hexes if m.terrain[h] == features)}"
        for feature in sorted(features - FLAGS - set(RANK)):
            defects.wrong(where, f"{feature!r} isn't a terrain", f"terrains are {', '.join(RANK)}, mound, star")
        if not features & {*RANK, "mound"}:
            defects.wrong(where, "has no terrain", f"give it one of {', '.join(RANK)}")
    return found


def _check_lines(m: Map, defects: Defects) -> None:
    """Hexsides and roads must be of kinds that the rules know, and no road may cross an impassable side."""
    for kind in sorted({crossing.kind for crossing in m.hexsides} - SIDES):
        defects.wrong(f"map {m.name} hexsides", f"{kind!r} isn't known", f"hexsides are {', '.join(sorted(SIDES))}")
    for kind in sorted({road.kind for road in m.roads} - {"road"}):
        defects.wrong(f"map {m.name} roads", f"{kind!r} isn't known", "roads are of the kind road")
    for h, links in m.links.items():
        for link in links:
            if link.ways and "impassable" in link.side and h < link.to:
                where = f"map {m.name} roads"
                defects.wrong(where, f"one crosses {m.label(h)}/{m.label(link.to)}", "the side is impassable")
