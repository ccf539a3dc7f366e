"""Where a side's units are worth most, by the lines of the victory points: what to raid, to take, to hold, to guard."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from pbem.maps.hexes import Hex
from pbem.rules.gcacw.board import CONFEDERATE, DAMAGED, DESTROYED, Board, Line
from pbem.rules.gcacw.state import State
from pbem.rules.gcacw.victory import items
from pbem.rules.kit import reach

__all__ = ["FAR", "Aim", "aims", "way_to", "worth_of_loss", "worth_of_rout"]

FAR = 9999
"""The half points of a way that there isn't."""


class Aim(NamedTuple):
    """A hex where a unit may bring its side points.

    group    what scores once: when one unit has it, it is nothing to others; "" where each unit counts
    actions  those that it takes there: raids
    late     whether it counts only for who is there at the end
    cavalry  whether cavalry can do it;  infantry: whether it is anything to infantry
    sizes    who can, all where there are none;  units: the same
    """

    at: Hex
    worth: float
    group: str
    actions: int = 0
    late: bool = False
    cavalry: bool = False
    infantry: bool = True
    sizes: frozenset[str] = frozenset()
    units: tuple[str, ...] = ()


# --- ways -------------------------------------------------------------------------------------------------------------


NONE = frozenset[Hex]()


@lru_cache(maxsize=1 << 9)
def way_to(board: Board, at: Hex, enemies: frozenset[Hex] = NONE, barred: frozenset[Hex] = NONE) -> Mapping[Hex, int]:
    """The half points to a hex from every hex that a way leads from, about; enemies and their zones cost more."""
    ground = board.ground
    zones = {n for e in enemies for n in ground.zoc[e]}

    def into(h: Hex) -> Iterator[tuple[Hex, int]]:
        more = IN_THE_WAY if h in enemies else BESIDE if h in zones else 0
        for n in ground.near[h]:
            price = ground.cost[n].get(h)
            if price is not None and h not in barred:
                yield n, price + more

    return reach.distances({at: 0}, into)


IN_THE_WAY, BESIDE = 24, 12
"""What an enemy on the way costs, and his zone of control, in half points."""


# --- what scores for the Confederates ---------------------------------------------------------------------------------


HELPS = 0.3
"""The share of what destroying a station brings that it is worth to infantry if cavalry has damaged it."""


def _station_points(lines: Sequence[Line], h: Hex, becomes: int) -> float:
    """What the lines give for a station that stands so."""
    states = {"stations": (DAMAGED, DESTROYED), "stations-damaged": (DAMAGED,), "stations-destroyed": (DESTROYED,)}
    return sum(line.points for line in lines if h in line.hexes and becomes in states.get(line.kind, ()))


def _stations(s: State, lines: Sequence[Line]) -> Iterator[Aim]:
    """What raids bring: of infantry until a station is destroyed, of cavalry until it is damaged."""
    for h in s.board.stations:
        now = s.station.get(h, 0)
        have = _station_points(lines, h, now)
        depot = sum(line.points for line in lines if line.kind == "depots" and h in line.hexes)
        depot = depot if s.board.label[h] in s.depots else 0
        group = f"station {s.board.label[h]}"
        both = s.options.cavalry_destroys == "yes"
        for becomes, cavalry in ((DAMAGED, True), (DESTROYED, both)):
            brings = _station_points(lines, h, becomes) - have + depot
            if now < becomes and brings > 0:
                yield Aim(h, brings, group, becomes - now, cavalry=cavalry)
        saved = _station_points(lines, h, DESTROYED) - have
        if not now and not both and _station_points(lines, h, DAMAGED) <= have and saved > 0:
            yield Aim(h, HELPS * saved, f"damage {s.board.label[h]}", 1, cavalry=True, infantry=False)


def _aims_of(s: State, line: Line, number: int, counted: int) -> Iterator[Aim]:
    """The aims of one line but for stations."""
    group = f"line {number}"
    match line.kind:
        case "infantry-in":
            yield from (Aim(h, line.points, group, late=True) for h in line.hexes)
        case "nearest":
            yield Aim(line.hexes[0], max(points for _, points in line.steps), group, late=True)
        case "control" if not counted and not any(s.board.label[h] in s.controlled for h in line.unless):
            yield from (Aim(h, line.points, group) for h in line.hexes)
        case "near":
            near = {n for h in line.hexes for n in (h, *s.board.ground.near[h])}
            yield from (Aim(h, line.points, "", late=True, sizes=line.sizes) for h in sorted(near, key=s.board.order))
        case "unit-in":
            yield from (Aim(h, line.points, group, late=True, cavalry=True, units=line.units) for h in line.hexes)


def aims(s: State) -> list[Aim]:
    """All that the Confederates can still bring about by going somewhere."""
    key = ("aims",)
    if key not in s.memo:
        lines = s.board.victory.lines
        found = [*_stations(s, lines)]
        for number, item in enumerate(items(s)):
            found += _aims_of(s, item.line, number, item.counted)
        s.memo[key] = [aim for aim in found if aim.worth > 0]
    known: list[Aim] = s.memo[key]
    return known


def worth_of_loss(s: State, side: str, of: str) -> float:
    """What a point of manpower that a side `of` loses brings a side by the lines."""
    points = sum(line.points for line in s.board.victory.lines if line.kind == "lost" and line.side == of)
    return float(points if side == CONFEDERATE else -points)


def worth_of_rout(s: State, side: str, of: str) -> float:
    """What a rout of a side's infantry brings a side by the lines."""
    points = sum(item.line.points for item in items(s) if item.line.kind == "routs" and item.line.side == of)
    if of == CONFEDERATE and s.options.rout_of_confederates == "plus":
        points = abs(points)
    return float(points if side == CONFEDERATE else -points)
