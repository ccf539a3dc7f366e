"""Victory: the Confederate's points, line by line, and the level that they mean (13.0-3 and each scenario's list)."""

from __future__ import annotations

from collections.abc import Callable

from pbem.maps.hexes import Hex, distance
from pbem.records import NamedTuple
from pbem.rules.gcacw.board import CONFEDERATE, DAMAGED, DESTROYED, UNION, Level, Line, Victory
from pbem.rules.gcacw.orders import Order
from pbem.rules.gcacw.state import Ended, State
from pbem.rules.gcacw.zones import zone
from pbem.rules.requests import Outcome, Tell

__all__ = [
    "KINDS",
    "Item",
    "decisive",
    "items",
    "judge",
    "level_of",
    "may_shut_in",
    "outcome",
    "score",
    "struck",
    "total",
]


class Item(NamedTuple):
    """What a line of the list comes to now, and what brings it."""

    line: Line
    counted: int
    points: int


# --- what each kind of line counts ------------------------------------------------------------------------------------


def _infantry_in(s: State, line: Line) -> int:
    """Whether Confederate infantry is in one of the hexes (13.1-vp1)."""
    return int(any(s.board.units[u].infantry for h in line.hexes for u in s.units_in(h, CONFEDERATE)))


def _nearest(s: State, line: Line) -> int:
    """How far the nearest Confederate infantry is from the hex; 0 when it is in it (13.1-vp2, 13.1-vp2b)."""
    infantry = [u for u in s.own(CONFEDERATE) if s.board.units[u].infantry]
    return min((distance(s.at[u], line.hexes[0]) for u in infantry), default=99)


def _lost(s: State, line: Line) -> int:
    """The manpower that a side has lost in combat, retreat and cavalry retreat (13.1-vp3, 13.1-vp4)."""
    return s.lost[line.side]


def _few_lost(s: State, line: Line) -> int:
    """Whether a side has lost fewer points than that (13.1-vp5)."""
    return int(s.lost[line.side] < line.fewer)


def _routs(s: State, line: Line) -> int:
    """The R results against a side's infantry (13.2-vp7, 13.2-vp9)."""
    return s.routs[line.side]


def _control(s: State, line: Line) -> int:
    """Whether one of the objectives is the Confederate's, and none of the others (13.2-vp1, 13.2-vp2)."""
    held = {h for h in (*line.hexes, *line.unless) if s.board.label[h] in s.controlled}
    return int(not held.isdisjoint(line.hexes) and held.isdisjoint(line.unless))


STATIONS = {"stations": (DAMAGED, DESTROYED), "stations-damaged": (DAMAGED,), "stations-destroyed": (DESTROYED,)}
"""Kind of a line of stations -> the states of those that count."""


def struck(s: State, line: Line) -> list[Hex]:
    """The stations of a line that stand so that they count (13.2-vp5, 13.4-vp1, 13.5-vp4)."""
    return [h for h in line.hexes if s.station.get(h, 0) in STATIONS[line.kind]]


def _stations(s: State, line: Line) -> int:
    """How many of the stations stand so."""
    return len(struck(s, line))


def _near(s: State, line: Line) -> int:
    """How many Confederate infantry units of these sizes are in or beside one of the hexes, each once (13.4-vp2)."""
    units = [u for u in s.own(CONFEDERATE) if s.board.units[u].infantry and s.board.units[u].size in line.sizes]
    return sum(any(distance(s.at[u], h) <= 1 for h in line.hexes) for u in units)


def _all_near(s: State, line: Line) -> int:
    """Whether all these units are in or beside one of the hexes (13.4-vp3)."""
    return int(all(u in s.manpower and any(distance(s.at[u], h) <= 1 for h in line.hexes) for u in line.units))


def _unit_in(s: State, line: Line) -> int:
    """Whether a unit is in one of the hexes (13.3-vp3)."""
    return int(any(s.at.get(u) in line.hexes for u in line.units if u in s.manpower))


def _in_regions(s: State, line: Line) -> int:
    """How many Confederate infantry units of these sizes are in the counties (13.4-vp6)."""
    return len(_counting(s, line))


def _counting(s: State, line: Line) -> list[str]:
    """Those units, without who is shut in where they must be free."""
    units = [u for u in s.own(CONFEDERATE) if s.board.units[u].infantry and s.board.units[u].size in line.sizes]
    inside = [u for u in units if s.board.map.region.get(s.at[u]) in line.regions]
    return [u for u in inside if not (line.free and _shut_in(s, s.at[u]))]


def may_shut_in(s: State, h: Hex) -> bool:
    """Whether a unit that counts as long as it isn't shut in stands beside a hex (22.1-vp10)."""
    near = s.board.ground.near[h]
    return any(s.at[u] in near for line in s.board.victory.lines if line.free for u in _counting(s, line))


def _shut_in(s: State, h: Hex) -> bool:
    """Whether each hex round one has the enemy's infantry or is in its zone of control (22.1-vp10)."""
    ground, infantry = s.board.ground, [u for u in s.own(UNION) if s.board.units[u].infantry]
    covered = {s.at[u] for u in infantry}
    sources = {*covered}
    covered |= {n for n, by in zone(s, UNION).items() if not sources.isdisjoint(by)}
    return len(ground.near[h]) == SIX and covered.issuperset(ground.near[h])


def _depots(s: State, line: Line) -> int:
    """How many of the depots are destroyed (13.5-vp12)."""
    return sum(s.board.label[h] not in s.depots for h in line.hexes)


def _panic(s: State, _: Line) -> int:
    """Whether there was a panic of the Union (22.1-vp1)."""
    return int(s.panic > 0)


def _controls(s: State, line: Line) -> int:
    """How many of the objectives are the Confederate's (22.1-vp7)."""
    return sum(s.board.label[h] in s.controlled for h in line.hexes)


SIX = 6
"""The hexes round one; off the map is nobody's (22.1-vp10)."""

KINDS: dict[str, Callable[[State, Line], int]] = {
    "infantry-in": _infantry_in,
    "nearest": _nearest,
    "lost": _lost,
    "few-lost": _few_lost,
    "routs": _routs,
    "control": _control,
    **dict.fromkeys(STATIONS, _stations),
    "near": _near,
    "all-near": _all_near,
    "unit-in": _unit_in,
    "in-regions": _in_regions,
    "depots": _depots,
    "panic": _panic,
    "controls": _controls,
}
"""Kind of a line -> what it counts."""


def _points(s: State, line: Line, count: int) -> int:
    """The points of a line that counts so many."""
    if line.steps:
        return next((points for least, points in reversed(line.steps) if count >= least), 0)
    points = line.points
    if line.kind == "routs" and line.side == CONFEDERATE and s.options.rout_of_confederates == "plus":
        points = abs(points)  # 13.2-vp9
    return points * count


def items(s: State) -> list[Item]:
    """Each line as the battle stands."""
    found = ((line, KINDS[line.kind](s, line)) for line in s.board.victory.lines)
    return [Item(line, count, _points(s, line, count)) for line, count in found]


def total(s: State) -> int:
    """The Confederate's points as the battle stands."""
    return sum(item.points for item in items(s))


def score(s: State) -> str:
    """The score in words: of a battle that goes on as things stand, and what it means."""
    points = total(s)
    title = level_of(s.board.victory, points).title
    if s.ended:
        return f"Confederate score of {points}, {title}"
    return f"Confederate score of {points} as things stand, {title}"


def level_of(victory: Victory, points: float) -> Level:
    """The level of victory that so many points mean."""
    levels = victory.levels
    return next((level for level in levels if level.least is None or points >= level.least), levels[-1])


def judge(s: State) -> Tell:
    """End the battle behind its last turn (13.0-3)."""
    points = total(s)
    level = level_of(s.board.victory, points)
    s.ended = Ended(level.side, level.title, points)
    facts = {"winner": level.side, "level": level.title, "points": points}
    return Tell("end", s.board.victory.clause, facts)


def outcome(s: State) -> Outcome | None:
    """How the battle ended; None while it goes on."""
    if s.ended is None:
        return None
    reason = f"a Confederate score of {s.ended.points}: {s.ended.level}"
    return Outcome(s.ended.winner, s.board.victory.clause, reason, s.ended.level)


def decisive(_: State, __: Order) -> bool:
    """Whether an order may end the game: none does, only the last turn's end (13.0-3)."""
    return False
