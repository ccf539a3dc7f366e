"""Hexsides as they are open to a side now, zones of control, and what a step costs (std-2.4, std-6.1, std-6.2).

Every zone stops who enters it, whatever the values. By the option `restricted-zones pass` one is *restricted* against
an enemy of five times its hex's combat value or more, and stops nobody (std-2.4-5, std-2.4-12, R210).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from pbem.errors import Refusal
from pbem.maps.hexes import Hex
from pbem.rules.gcacw.ground import CREEK, FORD, controls_over
from pbem.rules.gcacw.state import State

__all__ = [
    "FEW", "in_zone", "is_open", "links", "near", "points", "restricted", "stacking", "stops", "value_of",
    "why_closed_side", "zone",
]  # fmt: skip

FEW = 5
"""So many times its value makes a hex's zone of control restricted, by the option (std-2.4-5)."""

Zone: TypeAlias = Mapping[Hex, tuple[Hex, ...]]


def is_open(s: State, side: str, a: Hex, b: Hex) -> bool:
    """Whether a side can cross the hexside between two adjacent hexes; a built bridge serves its owner (std-10.0-4).

    In rain fords and creeks without way are closed (14.0-rain-riv1, -riv2, -att2).
    """
    between = s.board.ground.between[a][b]
    return (between.wet if s.raining else between.open) or s.bridge_between(a, b) == side


def why_closed_side(s: State, side: str, a: Hex, b: Hex, *, attack: bool = False) -> Refusal | None:
    """Why a side can't cross the hexside between two adjacent hexes, or attack over it: its river, or the rain."""
    if is_open(s, side, a, b):
        return None
    between, those = s.board.ground.between[a][b], f"between {s.board.place(a)} and {s.board.place(b)}"
    if not between.open:
        return Refusal("std-7.1-5" if attack else "std-6.1-7", f"the river {those} has no crossing")
    if between.water == CREEK and attack:
        told = f"it rains, and nobody attacks over the creek {those}, which no road, pike or railroad crosses"
        return Refusal("14.0-rain-att2", told)
    if between.water == CREEK:
        told = f"it rains, and nobody crosses the creek {those}, which no road, pike or railroad crosses"
        return Refusal("14.0-rain-riv2", told)
    if attack:
        told = f"it rains, and nobody attacks over the river {those}, which has a {between.crossing} there, no bridge"
        return Refusal("14.0-rain-att2" if between.crossing == FORD else "14.0-rain-riv1", told)
    told = f"it rains, and nobody crosses the river {those}, which has a {between.crossing} there, no bridge"
    return Refusal("14.0-rain-riv1", told)


def _bridged(s: State) -> frozenset[Hex]:
    """The hexes at which somebody has built a bridge."""
    if "bridged" not in s.memo:
        s.memo["bridged"] = frozenset(s.board.parse(end) for hexside in s.bridges for end in hexside.split("/"))
    known: frozenset[Hex] = s.memo["bridged"]
    return known


def near(s: State, side: str, h: Hex, *, dry: bool = False) -> tuple[Hex, ...]:
    """The hexes to which a side can cross from one; `dry`: as if it didn't rain (14.0-rain-ldr)."""
    ground, raining = s.board.ground, s.raining and not dry
    if not raining and (not s.bridges or h not in _bridged(s)):
        return ground.open_to[h]
    if raining:
        return tuple(n for n in ground.near[h] if is_open(s, side, h, n))
    return tuple(n for n in ground.near[h] if ground.between[h][n].open or s.bridge_between(h, n) == side)


def links(s: State, a: Hex, b: Hex) -> frozenset[str]:
    """The ways that lead from a hex to the next one (std-6.1-5)."""
    return s.board.ground.between[a][b].links


def points(s: State, side: str, a: Hex, b: Hex) -> int | None:
    """The half points of a step without stacking; None where a side can't make it."""
    found = (s.board.ground.wet if s.raining else s.board.ground.cost)[a].get(b)
    if found is None and s.bridge_between(a, b) == side:
        tables, between = s.board.tables, s.board.ground.between[a][b]
        link, terrain = (tables.rain.link, tables.rain.terrain) if s.raining else (tables.link, tables.terrain)
        ground = terrain[s.board.ground.terrain[b]]
        climb = tables.ridge if between.up and not between.road else 0  # std-6.1-9
        return climb + min((link[kind] for kind in between.links), default=ground)
    return found


def stacking(s: State, side: str, h: Hex, spared: Iterable[str] = ()) -> int:
    """The half points that a side's units in a hex cost who enters it, but for those spared (std-6.2-1, std-6.2-2)."""
    here = [unit for unit in s.units_in(h, side) if unit not in spared] if h in s.stands else []
    cost = sum(s.board.tables.stacking[s.board.units[unit].size] for unit in here)
    return cost + cost % 2  # rounded up to a whole point


def zone(s: State, side: str, *, dry: bool = False) -> Zone:
    """Each hex in a zone of control of a side's units -> the hexes from which they control it, whole or restricted.

    `dry`: as if it didn't rain, as transfers and the radius of leaders take it (14.0-rain-ldr).
    """
    rain = s.raining and not dry
    key = side + " dry" if dry and s.raining else side
    known = s.zones.get(key)
    if known is None:
        found: dict[Hex, tuple[Hex, ...]] = {}
        for h in {s.at[unit] for unit in s.own(side)}:  # std-2.4-4: leaders and depots have none
            for n in _controlled(s, side, h, rain=rain):
                found[n] = (*found.get(n, ()), h)
        s.zones[key] = known = found
    return known


def _controlled(s: State, side: str, h: Hex, *, rain: bool) -> Iterable[Hex]:
    """The hexes that units of a side in a hex control (std-2.4-2, std-2.4-3, 14.0-rain-zoc)."""
    ground = s.board.ground
    found = ground.wet_zoc[h] if rain else ground.zoc[h]
    if not s.bridges or h not in _bridged(s):
        return found
    over = (b for b in ground.sides[h] if s.bridge_between(h, b.to) == side and b.to not in found)
    return (*found, *(b.to for b in over if controls_over(ground.terrain, h, b)))


def in_zone(s: State, side: str, h: Hex, *, friends: bool = False) -> bool:
    """Whether a hex is in any zone of control of the enemy of a side, as retreats, radius and transfers take it.

    With `friends` a combat unit of the side in the hex cancels it (std-2.4-10).
    """
    return h in zone(s, s.board.enemy[side]) and not (friends and s.units_in(h, side))


def value_of(s: State, h: Hex, side: str) -> int:
    """The combat value of a side's units in a hex, in half points; kept as long as nothing changes."""
    key = ("value", h, side)
    if key not in s.memo:
        s.memo[key] = s.value_in(h, side)
    found: int = s.memo[key]
    return found


def restricted(s: State, h: Hex, side: str, against: int) -> bool:
    """Whether the zone of a side's hex is restricted against an enemy hex of so much value, in half points."""
    return against >= FEW * value_of(s, h, side)  # std-2.4-5


def stops(s: State, unit: str, h: Hex) -> bool:
    """Whether a unit that is in a hex, or enters it, is in an enemy's zone of control that stops movement (std-2.4-6).

    By the option `restricted-zones pass` friends in that hex count with it (std-2.4-12).
    """
    side = s.board.units[unit].side
    enemy = s.board.enemy[side]
    controlling = zone(s, enemy).get(h)
    if not controlling:
        return False
    if s.options.restricted_zones == "stop":
        return True
    against = s.value_in(h, side) + (0 if s.at.get(unit) == h else s.value(unit))
    return any(not restricted(s, e, enemy, against) for e in controlling)
