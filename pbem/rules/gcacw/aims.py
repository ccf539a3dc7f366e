"""Where a side's units are worth most, by the lines of the victory points: what to raid, to take, to hold, to guard."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from pbem.maps.hexes import Hex
from pbem.records import NamedTuple
from pbem.rules.gcacw.advanced import BY_ENTRY, BY_RAID
from pbem.rules.gcacw.board import CONFEDERATE, DAMAGED, DESTROYED, Board, Line
from pbem.rules.gcacw.state import State
from pbem.rules.gcacw.victory import items
from pbem.rules.kit import reach

__all__ = [
    "DAMAGE", "FAR", "STATION", "Aim", "aims", "besides", "way_to", "worth_of_loss", "worth_of_panic", "worth_of_rout",
]  # fmt: skip

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

    def into(h: Hex) -> Iterator[tuple[Hex, int]]:
        more = besides(board, enemies, h)
        for n in ground.near[h]:
            price = ground.cost[n].get(h)
            if price is not None and h not in barred:
                yield n, price + more

    return reach.distances({at: 0}, into)


def besides(board: Board, enemies: frozenset[Hex], h: Hex) -> int:
    """What it costs more to enter a hex, in half points, as it is an enemy's or in his zone of control."""
    return IN_THE_WAY if h in enemies else BESIDE if h in _beside(board, enemies) else 0


@lru_cache(maxsize=1 << 7)
def _beside(board: Board, enemies: frozenset[Hex]) -> frozenset[Hex]:
    """The hexes that enemies control from theirs."""
    return frozenset(n for e in enemies for n in board.ground.zoc[e])


IN_THE_WAY, BESIDE = 24, 12
"""What an enemy on the way costs, and his zone of control, in half points."""


# --- what scores for the Confederates ---------------------------------------------------------------------------------


HELPS = 0.3
"""The share of what destroying a station brings that it is worth to infantry if cavalry has damaged it."""

DAMAGE = "damage "
"""Begins the group of what that brings; of what raids bring besides:"""
STATION = "station "


STANDS: Mapping[str, tuple[int, ...]] = {
    "stations": (DAMAGED, DESTROYED),
    "stations-damaged": (DAMAGED,),
    "stations-destroyed": (DESTROYED,),
}
"""Kind of a line -> how stations stand that it counts."""


def _station_points(s: State, lines: Sequence[Line], h: Hex, becomes: int) -> float:
    """What the lines give for a station that stands so."""
    return sum(_step(s, line, h) for line in lines if h in line.hexes and becomes in STANDS.get(line.kind, ()))


def _step(s: State, line: Line, h: Hex) -> float:
    """What a line gives for a station: where it gives less for each further one, the most for the nearest to infantry.

    A station that counts already gives nothing then, as nothing can be had of it any more.
    """
    if not line.steps:
        return line.points
    counts = STANDS[line.kind]
    struck = sum(s.station.get(other, 0) in counts for other in line.hexes)
    if s.station.get(h, 0) in counts:
        return 0.0
    infantry = [s.at[unit] for unit in s.own(CONFEDERATE) if s.board.units[unit].infantry]

    def far(other: Hex) -> tuple[int, tuple[int, int]]:
        way = way_to(s.board, other)
        return min((way.get(at, FAR) for at in infantry), default=FAR), s.board.order(other)

    left = [other for other in line.hexes if s.station.get(other, 0) not in counts]
    before = struck + sum(far(other) < far(h) for other in left)
    return float(_points(line, before + 1) - _points(line, before))


def _points(line: Line, count: int) -> int:
    """What a line with steps gives for so many."""
    return max((points for least, points in line.steps if least <= count), default=0)


def _stations(s: State, lines: Sequence[Line]) -> Iterator[Aim]:
    """What raids bring: of infantry until a station is destroyed, of cavalry until it is damaged."""
    for h in s.board.stations:
        now = s.station.get(h, 0)
        if now == DESTROYED:
            continue
        have = _station_points(s, lines, h, now)
        depot = _depot_points(s, lines, h, BY_RAID)
        group = f"{STATION}{s.board.label[h]}"
        both = s.options.cavalry_destroys == "yes"
        for becomes, cavalry in ((DAMAGED, True), (DESTROYED, both)):
            brings = _station_points(s, lines, h, becomes) - have + depot
            if now < becomes and brings > 0:
                yield Aim(h, brings, group, becomes - now, cavalry=cavalry)
        saved = _station_points(s, lines, h, DESTROYED) - have
        if not now and not both and _station_points(s, lines, h, DAMAGED) <= have and saved > 0:
            yield Aim(h, HELPS * saved, f"{DAMAGE}{s.board.label[h]}", 1, cavalry=True, infantry=False)


def _depot_points(s: State, lines: Sequence[Line], h: Hex, how: str) -> float:
    """What the lines give for the depot of a hex, if it is destroyed in that way: in the basic game by a raid."""
    advanced = s.board.advanced
    by = BY_RAID if advanced is None else advanced.depots[h].lost_by if h in advanced.depots else ""
    if by != how or s.board.label[h] not in s.depots:
        return 0.0
    return float(sum(line.points for line in lines if line.kind == "depots" and h in line.hexes))


@lru_cache(maxsize=16)
def _towns(board: Board, regions: frozenset[str]) -> tuple[Hex, ...]:
    """The named places of some counties."""
    found = [h for h in board.map.place_names if board.map.region.get(h) in regions]
    return tuple(sorted(found, key=board.order))


def _inside(s: State, regions: frozenset[str]) -> list[Hex]:
    """The hexes of some counties in which Confederate infantry stands, which needn't go to a town there."""
    found = {s.at[unit] for unit in s.own(CONFEDERATE) if s.board.units[unit].infantry}
    return sorted((h for h in found if s.board.map.region.get(h) in regions), key=s.board.order)


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
        case "controls":
            wanted = (h for h in line.hexes if s.board.label[h] not in s.controlled)
            yield from (Aim(h, line.points, f"{group} {s.board.label[h]}") for h in wanted)
        case "depots":
            wanted = (h for h in line.hexes if _depot_points(s, (line,), h, BY_ENTRY))
            yield from (Aim(h, line.points, f"{group} {s.board.label[h]}", cavalry=True) for h in wanted)
        case "in-regions" if s.board.advanced is not None:
            hexes = dict.fromkeys((*_towns(s.board, line.regions), *_inside(s, line.regions)))
            yield from (Aim(h, line.points, "", late=True, sizes=line.sizes) for h in hexes)
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
    points = sum(line.points for line in s.board.victory.lines if line.kind == "routs" and line.side == of)
    if of == CONFEDERATE and s.options.rout_of_confederates == "plus":
        points = abs(points)
    return float(points if side == CONFEDERATE else -points)


def worth_of_panic(s: State) -> float:
    """What the Union's panic brings the Confederates by the lines; nothing once it has begun (18.0-1, 18.0-2)."""
    able = s.board.advanced is not None and not s.panic
    return float(sum(line.points for line in s.board.victory.lines if line.kind == "panic")) if able else 0.0
