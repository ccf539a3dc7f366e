"""Who goes where: the Confederates for what scores, each by its best course, the Union to guard it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import permutations

from pbem.maps.hexes import Hex, distance
from pbem.records import NamedTuple
from pbem.rules.gcacw.aims import DAMAGE, FAR, NONE, STATION, Aim, aims, way_to
from pbem.rules.gcacw.board import CAVALRY, CONFEDERATE, UNION
from pbem.rules.gcacw.course import Course, Gait, best
from pbem.rules.gcacw.holds import closed
from pbem.rules.gcacw.leaders import in_radius, is_corps
from pbem.rules.gcacw.lone import choice
from pbem.rules.gcacw.state import MOST_FATIGUE, State
from pbem.rules.gcacw.victory import items
from pbem.rules.gcacw.zones import zone

__all__ = [
    "FOOT", "NEARER", "PACE", "Goal", "actions_left", "as_good", "as_held", "brings", "forces_easily", "forces_left",
    "goal_at", "goals", "most_points", "pace",
]  # fmt: skip

PACE = {CAVALRY: 16}
"""The half points that a march comes to, about, of which a step on a road takes two; of infantry:"""
FOOT = 10

GUARD = 16
"""The combat value, in half points, that the guard of a place should have at least."""

NEARER = 24.0
"""The half points of the enemy's way to a place that make it half as urgent to guard."""

SPUR, EASY_SPUR = 0.08, 0.02
"""The share of a course's worth that forced marches must bring besides, and where one costs next to nothing."""

CLEARLY = 1.03
"""How many times better than the plain choice of goals another must be, so that goals don't change with each march."""

RECOVERS, ALONE = 2, 5
"""The fatigue up to which the night mends all, and how far off the enemy is whom nobody has to fear until then."""

FEW = 4
"""So many units of infantry choose their goals in each order."""

HOPS = 8
"""How far off a corps leader is who goes to a unit to lead it (std-5.2-6)."""

SAVES = 1.5
"""How many times what an aim says a damaged station is worth to infantry that is sure to come."""

HELD, DRIVES, STORMS = 0.25, 2, 6
"""The share of an aim's worth, at least, where an enemy stands on it, and the times of his value that have it all: to
take it in the end, and to raid there.
"""


class Goal(NamedTuple):
    """What a unit goes for first, and what its whole course is worth.

    spared   what two actions less would cost of that
    spur     what forced marches would bring besides;  hurries: whether that is so much that the course has them
    force    how the next march is forced, where that is worked out;  rests: whether it does nothing more in this turn
    """

    aim: Aim
    worth: float
    spared: float = 0.0
    spur: float = 0.0
    hurries: bool = False
    force: str | None = None
    rests: bool = False


def goals(s: State, side: str) -> dict[str, Goal]:
    """Unit -> what it goes for; who has nothing to go for isn't in it."""
    key = ("goals", side)
    if key not in s.memo:
        s.memo[key] = _raiders(s) if side == CONFEDERATE else _guards(s)
    known: dict[str, Goal] = s.memo[key]
    return known


def goal_at(h: Hex, worth: float) -> Goal:
    """The goal of a unit of the Union, of either arm, that is wanted in a hex."""
    return Goal(Aim(h, worth, "", cavalry=True), worth)


def needs(s: State, unit: str, here: Hex, at: Hex) -> int:
    """How many marches a way takes, about."""
    far = way_to(s.board, at, NONE, closed(s, unit)).get(here, FAR)
    pace = PACE.get(s.board.units[unit].branch, FOOT)
    return -(-far // pace)


# --- what a unit can do still -----------------------------------------------------------------------------------------


def actions_left(s: State, unit: str) -> int:
    """How many actions a unit has until the end: up to fatigue 4, and what each night mends."""
    return MOST_FATIGUE - s.fatigue.get(unit, 0) + 2 * (s.board.turns - s.turn)


def forces_left(s: State, unit: str) -> int:
    """How many marches a unit can force: one disorganises it, each further one costs it a point (std-5.1-11, -13)."""
    return s.manpower[unit] - (unit in s.disorganised)


def pace(s: State, unit: str, *, forced: bool) -> float:
    """The half points that a march of a unit comes to on the average."""
    gait = _gait(s, unit, int(forced))
    return 7 * gait.allowance.dice + 2 * gait.allowance.more + gait.more


def most_points(s: State, unit: str) -> int:
    """The half points that a march of a unit can come to at most, if it is forced."""
    gait = _gait(s, unit, 1)
    return 2 * (6 * gait.allowance.dice + gait.allowance.more) + gait.more


def _gait(s: State, unit: str, forces: int) -> Gait:
    """How a unit marches: under a corps leader near it where it has one; forced, if it can be so often."""
    one, tables = s.board.units[unit], s.board.tables
    kind = (one.side, one.branch)
    chiefs = (x for x in s.leaders(one.side) if is_corps(s, x) and s.board.units[x].commands(one))
    led = kind in tables.activation and any(_leads(s, x, unit) for x in chiefs)
    allowance = (tables.activation if led else tables.march)[kind]
    forced, barred = tables.forced[one.branch] if forces else 0, closed(s, unit)
    if s.board.advanced is not None or s.turn < s.board.turns:
        return Gait(allowance, forced, barred)  # until then the enemy goes elsewhere
    enemy = s.board.enemy[one.side]
    enemies = frozenset(s.at[other] for other in s.own(enemy))
    return Gait(allowance, forced, barred, enemies, frozenset(zone(s, enemy)))


def _leads(s: State, chief: str, unit: str) -> bool:
    """Whether a corps leader can lead a unit; in a campaign he goes to it first where he must."""
    return in_radius(s, chief, unit) or (s.board.advanced is not None and distance(s.at[chief], s.at[unit]) <= HOPS)


# --- the Confederates -------------------------------------------------------------------------------------------------


def _raiders(s: State) -> dict[str, Goal]:
    """The Confederates' goals: who chooses first takes what scores once; of some orders of choice the best together."""
    able = {unit: [aim for aim in aims(s) if brings(s, unit, aim)] for unit in s.own(CONFEDERATE)}
    if len(able) == 1 and has_one_unit(s, CONFEDERATE):
        return _alone(s, *able.popitem())
    able = {unit: [as_held(s, unit, aim) for aim in found] for unit, found in able.items() if found}
    able = _helping(s, able)
    far = {unit: min(needs(s, unit, s.at[unit], aim.at) for aim in found) for unit, found in able.items()}
    slow = {unit: sum(needs(s, unit, s.at[unit], aim.at) for aim in found) for unit, found in able.items()}
    orders = [sorted(able, key=lambda unit: (far[unit], unit)), sorted(able, key=lambda unit: (slow[unit], unit))]
    orders += [order[::-1] for order in orders]
    orders += _mixed(s, orders[0])
    shared = [_shared(s, order, able)[0] for order in orders]
    worth = [sum(goal.worth for goal in found.values()) for found in shared]
    most = max(range(len(shared)), key=worth.__getitem__)
    return shared[most if worth[most] > CLEARLY * worth[0] else 0]


def has_one_unit(s: State, side: str) -> bool:
    """Whether a side has a single combat unit in the whole battle."""
    return sum(not s.board.units[one].leader for one in s.board.of_side[side]) == 1


def _alone(s: State, unit: str, able: Sequence[Aim]) -> dict[str, Goal]:
    """The goal of the only unit, whose course is worked out exactly; where the enemy stands nothing is gone for."""
    open_to = tuple(aim for aim in able if s.holder(aim.at) != UNION)
    found = choice(s, unit, _gait(s, unit, 0), open_to)
    here = next((aim for aim in able if aim.late and aim.at == s.at[unit]), Aim(s.at[unit], 0.0, ""))
    goal = Goal(found.aim or here, found.worth, found.spared, force=found.force, rests=found.aim is None)
    return {unit: goal} if able else {}


def _mixed(s: State, order: Sequence[str]) -> list[list[str]]:
    """The orders of choice that differ from one in who of the infantry comes before whom, where these are few."""
    foot = [unit for unit in order if s.board.units[unit].infantry]
    others = [unit for unit in order if not s.board.units[unit].infantry]
    return [[*others, *one] for one in permutations(foot)] if len(foot) <= FEW else []


def _helping(s: State, able: Mapping[str, Sequence[Aim]]) -> dict[str, list[Aim]]:
    """The same, but what damages a station is worth more where infantry will come there, and nothing elsewhere."""
    foot = [unit for unit in able if s.board.units[unit].infantry]
    taken = _shared(s, foot, able)[1]
    worth = {group.replace(STATION, DAMAGE): SAVES for group in taken if group.startswith(STATION)}

    def helps(aim: Aim) -> Aim:
        return aim._replace(worth=aim.worth * worth.get(aim.group, 0)) if aim.group.startswith(DAMAGE) else aim

    helped = {unit: [aim for aim in map(helps, found) if aim.worth > 0] for unit, found in able.items()}
    return {unit: found for unit, found in helped.items() if found}


def _shared(s: State, order: Sequence[str], able: Mapping[str, Sequence[Aim]]) -> tuple[dict[str, Goal], set[str]]:
    """The goals of units that choose in this order, and the groups of all aims on their courses."""
    found: dict[str, Goal] = {}
    taken: set[str] = set()
    for unit in order:
        left, forces = actions_left(s, unit), forces_left(s, unit)
        free = tuple(aim for aim in able[unit] if aim.group not in taken)
        course, forced = (_course(s, unit, left, most, free) for most in (0, forces))
        spur = forced.worth - course.worth
        hurries = spur > (EASY_SPUR if forces_easily(s, unit) else SPUR) * abs(forced.worth)
        course, forces = (forced, forces) if hurries else (course, 0)
        if not course.aims:
            continue
        spared = course.worth - _course(s, unit, max(0, left - 2), forces, free).worth
        found[unit] = Goal(course.aims[0], course.worth, spared, spur, hurries)
        taken.update(aim.group for aim in course.aims if aim.group)
    return found, taken


def forces_easily(s: State, unit: str) -> bool:
    """Whether a forced march costs next to nothing: in the last turn, and where the night mends it before a fight."""
    if s.turn == s.board.turns:
        return True
    if unit in s.disorganised or s.fatigue.get(unit, 0) >= RECOVERS:
        return False
    enemies = s.own(s.board.enemy[s.board.units[unit].side])
    return all(distance(s.at[unit], s.at[enemy]) > ALONE for enemy in enemies)


def _course(s: State, unit: str, left: int, forces: int, able: tuple[Aim, ...]) -> Course:
    return best(s.board, unit, s.at[unit], left, _gait(s, unit, forces), able)


def brings(s: State, unit: str, aim: Aim) -> bool:
    """Whether a unit can bring an aim about."""
    one = s.board.units[unit]
    if aim.units:
        return unit in aim.units
    if not (aim.cavalry if one.cavalry else aim.infantry) or (aim.sizes and one.size not in aim.sizes):
        return False
    return aim.at not in closed(s, unit)


def as_good(s: State, unit: str, goal: Goal) -> set[Hex]:
    """The hexes in which a unit has at the end as much as where it goes."""
    if not goal.aim.late or s.board.units[unit].side != CONFEDERATE:
        return {goal.aim.at}
    alike = (aim for aim in aims(s) if aim.late and aim.group == goal.aim.group and brings(s, unit, aim))
    return {goal.aim.at, *(aim.at for aim in alike if aim.worth >= goal.aim.worth and s.holder(aim.at) != UNION)}


def as_held(s: State, unit: str, aim: Aim) -> Aim:
    """An aim as it is worth to a unit: less where an enemy stands on it who isn't weak, as he must be driven off."""
    enemy = s.value_in(aim.at, s.board.enemy[s.board.units[unit].side])
    if not enemy:
        return aim
    share = min(1.0, max(HELD, s.value(unit) / ((STORMS if aim.actions else DRIVES) * enemy)))
    return aim._replace(worth=aim.worth * share, actions=aim.actions + 1)


# --- the Union --------------------------------------------------------------------------------------------------------


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
                found[unit] = goal_at(h, worth)
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
