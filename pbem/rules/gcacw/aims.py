"""Where a side's units are worth most, by the lines of the victory points: what to raid, to take, to hold, to guard."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from pbem.maps.hexes import Hex
from pbem.rules.gcacw.board import CAVALRY, CONFEDERATE, DAMAGED, DESTROYED, UNION, Board, Line
from pbem.rules.gcacw.holds import closed
from pbem.rules.gcacw.state import MOST_FATIGUE, State
from pbem.rules.gcacw.victory import items
from pbem.rules.kit import reach

__all__ = [
    "FAR",
    "Aim",
    "Goal",
    "actions_left",
    "aims",
    "goals",
    "likely",
    "needs",
    "way_to",
    "worth_of_loss",
    "worth_of_rout",
]

FAR = 9999
"""The half points of a way that there isn't."""

PACE = {CAVALRY: 16}
"""The half points that a march comes to, about, of which a step on a road takes two; of infantry:"""
FOOT = 10

LIKELY = {-2: 0.1, -1: 0.35, 0: 0.8}
"""How likely an aim is reached by how many actions more there are than it needs; with more than that surely."""
SELDOM = 0.02

SOONER = 0.02
"""What an action less is worth."""

LEISURE = 9
"""The slack of who guards: he may be late, and comes all the same."""

GUARD = 16
"""The combat value, in half points, that the guard of a place should have at least."""

NEARER = 24.0
"""The half points of the enemy's way to a place that make it half as urgent to guard."""


class Aim(NamedTuple):
    """A hex where a unit may bring its side points.

    group    what scores once: when one unit has it, it is nothing to others; "" where each unit counts
    actions  those that it takes there: raids
    late     whether it counts only for who is there at the end
    cavalry  whether cavalry can do it;  sizes, units: who can, all where there are none
    """

    at: Hex
    worth: float
    group: str
    actions: int = 0
    late: bool = False
    cavalry: bool = False
    sizes: frozenset[str] = frozenset()
    units: tuple[str, ...] = ()


class Goal(NamedTuple):
    """What a unit goes for first, what its whole course is worth, and how many actions more there are than it needs."""

    aim: Aim
    worth: float
    slack: int


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


IN_THE_WAY, BESIDE = 24, 6
"""What an enemy on the way costs, and his zone of control, in half points."""


# --- what scores for the Confederates ---------------------------------------------------------------------------------


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
            yield from (Aim(h, line.points, "", late=True, sizes=line.sizes) for h in line.hexes)
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


# --- who goes where ---------------------------------------------------------------------------------------------------


def actions_left(s: State, unit: str) -> int:
    """How many actions a unit has until the end: up to fatigue 4, and what each night mends."""
    return MOST_FATIGUE - s.fatigue.get(unit, 0) + 2 * (s.board.turns - s.turn)


def goals(s: State, side: str) -> dict[str, Goal]:
    """Unit -> what it goes for; who has nothing to go for isn't in it."""
    key = ("goals", side)
    if key not in s.memo:
        s.memo[key] = _raiders(s) if side == CONFEDERATE else _guards(s)
    known: dict[str, Goal] = s.memo[key]
    return known


def _able(s: State, unit: str, aim: Aim) -> bool:
    """Whether a unit can bring an aim about."""
    one = s.board.units[unit]
    if aim.units:
        return unit in aim.units
    if (one.cavalry and not aim.cavalry) or (aim.sizes and one.size not in aim.sizes):
        return False
    return aim.at not in closed(s, unit)


def needs(s: State, unit: str, here: Hex, at: Hex) -> int:
    """How many marches a way takes, about."""
    far = way_to(s.board, at, NONE, closed(s, unit)).get(here, FAR)
    pace = PACE.get(s.board.units[unit].branch, FOOT)
    return -(-far // pace)


def likely(slack: int) -> float:
    return 1.0 if slack > 0 else LIKELY.get(slack, SELDOM)


def _stay(s: State, unit: str, h: Hex) -> float:
    """What it costs that a unit is in a hex at the end."""
    one = s.board.units[unit]
    return sum(
        line.points
        for line in s.board.victory.lines
        if line.kind == "in-regions"
        and one.infantry
        and one.size in line.sizes
        and s.board.map.region.get(h) in line.regions
    )


class _Course(NamedTuple):
    """A way over one aim to the next and what it brings."""

    worth: float
    aims: tuple[Aim, ...]
    slack: int


def _best(s: State, unit: str, here: Hex, left: int, able: Sequence[Aim], depth: int) -> _Course:
    """The best course of a unit: up to `depth` aims that count at once, then one for the end."""
    best = _Course(_stay(s, unit, here), (), left)
    for aim in able:
        need = needs(s, unit, here, aim.at) + aim.actions
        slack = left - need
        if slack < -2:
            continue
        if aim.late:
            found = _Course(aim.worth * likely(slack) + _stay(s, unit, aim.at) - SOONER * need, (aim,), slack)
        elif depth:
            others = [a for a in able if a.group != aim.group]
            rest = _best(s, unit, aim.at, slack, others, depth - 1)
            found = _Course(aim.worth * likely(slack) - SOONER * need + rest.worth, (aim, *rest.aims), rest.slack)
        else:
            continue
        best = max(best, found, key=lambda course: course.worth)
    return best


DEPTH = 2
"""The aims that a unit goes for one after another, as far as is thought."""


def _raiders(s: State) -> dict[str, Goal]:
    """The Confederates' goals: who is nearest to something chooses first; what scores once is taken then."""
    every = aims(s)
    found: dict[str, Goal] = {}
    taken: set[str] = set()

    def nearest(unit: str) -> tuple[int, str]:
        return min((needs(s, unit, s.at[unit], aim.at) for aim in every if _able(s, unit, aim)), default=FAR), unit

    for unit in sorted(s.own(CONFEDERATE), key=nearest):
        able = [aim for aim in every if aim.group not in taken and _able(s, unit, aim)]
        course = _best(s, unit, s.at[unit], actions_left(s, unit), able, DEPTH)
        if not course.aims:
            continue
        found[unit] = Goal(course.aims[0], course.worth, course.slack)
        taken.update(aim.group for aim in course.aims if aim.group)
    return found


def _guards(s: State) -> dict[str, Goal]:
    """The Union's goals: places where the Confederates score, the most urgent first, each with a guard."""
    urgent = _urgent(s)
    found: dict[str, Goal] = {}
    free = [*s.own(UNION)]
    while free and urgent:
        before = len(free)
        for h, worth in urgent:
            strength = 0
            while free and strength < GUARD:
                unit = min(free, key=lambda one: (needs(s, one, s.at[one], h), -s.value(one), one))
                if h in closed(s, unit) or way_to(s.board, h).get(s.at[unit], FAR) == FAR:
                    break
                free.remove(unit)
                found[unit] = Goal(Aim(h, worth, "", cavalry=True), worth, LEISURE)
                strength += s.value(unit)
        if len(free) == before:
            break
    return found


def _urgent(s: State) -> list[tuple[Hex, float]]:
    """Places that the Union has to guard or to take back, the most urgent first."""
    worth: dict[Hex, float] = {}
    for aim in aims(s):
        worth[aim.at] = worth.get(aim.at, 0) + aim.worth
    for item in items(s):
        if item.line.kind == "control" and item.counted:
            for h in item.line.hexes:
                if s.board.label[h] in s.controlled:
                    worth[h] = worth.get(h, 0) + item.line.points

    def urgency(h: Hex) -> float:
        far = way_to(s.board, h)
        nearest = min((far.get(s.at[unit], FAR) for unit in s.own(CONFEDERATE)), default=FAR)
        return worth[h] / (1 + nearest / NEARER)

    found = [(h, urgency(h)) for h in worth]
    return sorted(found, key=lambda one: (-one[1], s.board.order(one[0])))
