"""Who goes where in a campaign: what brings most to who is sure to come there; where the Union can hold, and is fed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import exp, sqrt

from pbem.maps.hexes import Hex
from pbem.records import NamedTuple
from pbem.rules.gcacw import goals
from pbem.rules.gcacw.aims import FAR, Aim, aims, way_to
from pbem.rules.gcacw.board import CONFEDERATE, UNION
from pbem.rules.gcacw.goals import Goal
from pbem.rules.gcacw.holds import closed, why_held
from pbem.rules.gcacw.state import MOST_FATIGUE, State
from pbem.rules.gcacw.supply import fed_in
from pbem.rules.gcacw.victory import items
from pbem.rules.gcacw.ways import ways
from pbem.rules.kit.matching import best_matching

__all__ = ["designs"]

A_DAY = 2
"""The actions of a unit in a turn: so many as the night mends."""

SURE = 0.7
"""The share of its actions that a unit comes to, as cycles end early and rain makes marches short."""

WIDE = 0.5
"""How much the marches that a way takes lie apart, by the root of their number."""

NEARER = 0.01
"""What a half point of a way less is worth."""

NOTHING = -99.0
"""What is worth less than anything that a unit could do."""

LITTLE = 0.05
"""What an aim must bring for a unit to go there."""

SPUR = 0.5
"""What forced marches must bring at the end for a unit to lose men by them."""

WARY, HOPE, MOST_NEEDED = 0.6, 0.4, 90
"""The share of the enemy's value that should guard a place, the share of that without which nobody does, the most."""

MORE = 2
"""How many times what is needed stands in places where units are left over."""

PREY, CHASE = 1.5, 80
"""How many times the enemy's value a unit has that hunts him, and how far, in half points."""

SOON = 60
"""The half points of a way within which the enemy threatens a place."""

KEPT = 5.0
"""What a place must be worth for somebody to stay there whatever is wanted elsewhere."""

FORT = 3
"""The stage of works that nobody leaves."""

SURELY = 3
"""How many times more urgent it is to take a place back, which brings its points at once."""

HUNGER, A_MARCH = 8.0, 24
"""What a place must be worth for who guards it to starve there, and how far others go to be fed."""


def designs(s: State, side: str) -> dict[str, Goal]:
    """Unit -> what it goes for; in the basic game as battles have it."""
    if s.board.advanced is None:
        return goals.goals(s, side)
    key = ("designs", side)
    if key not in s.memo:
        s.memo[key] = _shared(s, side) if side == CONFEDERATE else _guards(s)
    known: dict[str, Goal] = s.memo[key]
    return known


class _Pair(NamedTuple):
    """An aim for a unit: what it brings less the way, and alone; what forced marches would, two actions less cost."""

    value: float
    worth: float
    aim: Aim
    spur: float
    spared: float


def _shared(s: State, side: str) -> dict[str, Goal]:
    """The goals that bring most together, no two the same thing.

    Ways count by their length: so who has gone a part of his has not less reason to go on than any other had to change.
    """
    pairs = {unit: _best_pairs(s, unit) for unit in s.own(side)}
    groups = sorted({group for found in pairs.values() for group in found} - {""})
    units = [unit for unit, found in pairs.items() if found]
    alone = [pairs[unit][""].value if "" in pairs[unit] else NOTHING for unit in units]
    table = [
        [*(pairs[unit][group].value if group in pairs[unit] else NOTHING for group in groups), *([worth] * len(units))]
        for unit, worth in zip(units, alone, strict=True)
    ]
    found: dict[str, Goal] = {}
    for unit, column in zip(units, best_matching(table), strict=True):
        pair = pairs[unit].get(groups[column] if column < len(groups) else "")
        if pair is not None:
            found[unit] = Goal(pair.aim, pair.worth, pair.spared, pair.spur, pair.spur > SPUR)
    return found


def _best_pairs(s: State, unit: str) -> dict[str, _Pair]:
    """What scores once -> the best of its aims for a unit; "" for what it brings whoever does so besides."""
    found: dict[str, _Pair] = {}
    for pair in _pairs(s, unit):
        if pair.worth > LITTLE and (pair.aim.group not in found or pair.value > found[pair.aim.group].value):
            found[pair.aim.group] = pair
    return found


def _pairs(s: State, unit: str) -> Iterator[_Pair]:
    """A unit with each aim that it can bring about and comes to in time, if all goes well."""
    way, left = ways(s, unit), _left(s, unit)
    plain, forced = goals.pace(s, unit, forced=False), goals.pace(s, unit, forced=True)
    for aim in aims(s):
        far = way.to(aim.at)
        if far == FAR or not goals.brings(s, unit, aim):
            continue
        aim = goals.as_held(s, unit, aim)
        worth, spurred = (aim.worth * _chance(left - aim.actions, far / pace) for pace in (plain, forced))
        spared = worth - aim.worth * _chance(left - aim.actions - A_DAY, far / plain)
        yield _Pair(worth - NEARER * far, worth, aim, spurred - worth, spared)


def _left(s: State, unit: str) -> float:
    """How many actions a unit comes to until the end."""
    tired, days = s.fatigue.get(unit, 0), s.board.turns - s.turn
    if not days:
        return MOST_FATIGUE - tired
    return max(0, A_DAY - tired) + SURE * (A_DAY * (days - 1) + MOST_FATIGUE)


def _chance(left: float, marches: float) -> float:
    """How likely so many actions are enough for a way of so many marches."""
    return 1 / (1 + exp(min(50, (marches - left) / (WIDE * sqrt(1 + marches)))))


# --- the Union --------------------------------------------------------------------------------------------------------


class _Place(NamedTuple):
    """A place to guard or to take back: how urgent it is, what it is worth, and what is needed there.

    `threat` is the combat value that the enemy can soon bring there; `lost`: it is his, and infantry takes it back.
    """

    at: Hex
    urgency: float
    worth: float
    threat: float
    lost: bool


def _guards(s: State) -> dict[str, Goal]:
    """The Union's goals: the most urgent places first, each with as much as holds it, or with nobody."""
    free = [unit for unit in s.own(UNION) if why_held(s, unit) is None and s.works.get(unit, 0) < FORT]
    fixed = [unit for unit in s.own(UNION) if unit not in free]
    found: dict[str, Goal] = {}
    places = _places(s)
    threatened = [place for place in places if place.threat > 0 or place.lost]
    for place in threatened:
        if (keeper := _keeper(s, place, free)) is not None:
            found[keeper] = Goal(Aim(place.at, place.worth, "", cavalry=True), place.worth)
            free.remove(keeper)
    for often in range(MORE + 1):
        _post(s, threatened, free, fixed, found, often)
    for unit, goal in _hunts(s, free).items():
        found[unit] = goal
        free.remove(unit)
    _post(s, places, free, fixed, found, 1)
    return {unit: _fed(s, unit, goal) for unit, goal in found.items()}


def _hunts(s: State, free: Sequence[str]) -> dict[str, Goal]:
    """Who is left over goes for the nearest enemies who are weak enough for it, wherever they are."""
    enemies = sorted({s.at[enemy] for enemy in s.own(CONFEDERATE)}, key=s.board.order)
    found: dict[str, Goal] = {}
    for unit in free:
        way, value = ways(s, unit), s.value(unit)
        able = [h for h in enemies if value >= PREY * s.value_in(h, CONFEDERATE) and way.to(h) < CHASE]
        if able:
            at = min(able, key=lambda h: (way.to(h), s.board.order(h)))
            found[unit] = Goal(Aim(at, 1.0, "", cavalry=True), 1.0)
    return found


def _keeper(s: State, place: _Place, free: Sequence[str]) -> str | None:
    """The weakest infantry in a place of worth that may keep it: it stays, whatever is wanted elsewhere."""
    there = [unit for unit in free if s.at[unit] == place.at and s.board.units[unit].infantry]
    able = [unit for unit in there if s.value(unit) >= HOPE * WARY * place.threat]
    return min(able, key=lambda unit: (s.value(unit), unit)) if able and place.worth >= KEPT else None


def _post(
    s: State, places: Sequence[_Place], free: list[str], fixed: Sequence[str], found: dict[str, Goal], often: int
) -> None:
    """Post who is free in places, as far as so many times what is needed isn't on its way yet; 0: just enough."""
    for place in places:
        there = sum(s.value(unit) for unit in fixed if s.at[unit] == place.at)
        there += sum(s.value(unit) for unit, goal in found.items() if goal.aim.at == place.at)
        for unit in _guard(s, place, free, _needed(place, often), there):
            found[unit] = Goal(Aim(place.at, place.worth, "", cavalry=True), place.worth)
            free.remove(unit)


def _needed(place: _Place, often: int) -> float:
    """The combat value that should stand in a place, in half points."""
    enough = max(1, min(MOST_NEEDED, WARY * place.threat))
    return max(often * goals.GUARD, often * enough) if often else enough


def _guard(s: State, place: _Place, free: Sequence[str], needed: float, there: int) -> list[str]:
    """Who guards a place beside so much that is there, of those who are free; nobody where they are too few for it."""
    found: list[str] = []
    strength, enemy = there, PREY * s.value_in(place.at, CONFEDERATE)
    order = sorted(free, key=lambda unit: (goals.needs(s, unit, s.at[unit], place.at), -s.value(unit), unit))
    for unit in order:
        if strength >= max(needed, enemy):
            break
        if (place.lost and not s.board.units[unit].infantry) or place.at in closed(s, unit):
            continue
        if way_to(s.board, place.at).get(s.at[unit], FAR) < FAR:
            found.append(unit)
            strength += s.value(unit)
    return found if strength >= max(enemy, HOPE * WARY * place.threat) else []


def _places(s: State) -> list[_Place]:
    """The places where the Confederates score, and those that are theirs, the most urgent first."""
    worth: dict[Hex, float] = {}
    for aim in aims(s):
        if aim.worth >= 1:
            worth[aim.at] = worth.get(aim.at, 0) + aim.worth
    lost = {
        h: float(item.line.points)
        for item in items(s)
        if item.line.kind in ("control", "controls")
        for h in item.line.hexes
        if s.board.label[h] in s.controlled
    }
    found = [_place(s, h, points, lost=False) for h, points in worth.items()]
    found += [_place(s, h, points, lost=True) for h, points in lost.items()]
    return sorted(found, key=lambda place: (-place.urgency, s.board.order(place.at)))


def _place(s: State, h: Hex, worth: float, *, lost: bool) -> _Place:
    """A place as the enemy threatens it."""
    way = way_to(s.board, h)
    enemies = [(way.get(s.at[unit], FAR), s.value(unit)) for unit in s.own(CONFEDERATE)]
    nearest = min((way.get(s.at[unit], FAR) for unit in s.own(UNION if lost else CONFEDERATE)), default=FAR)
    threat = sum(value * (1 - far / SOON) for far, value in enemies if far < SOON)
    urgency = (SURELY if lost else 1) * worth / (1 + nearest / goals.NEARER)
    return _Place(h, urgency, worth, threat, lost)


def _fed(s: State, unit: str, goal: Goal) -> Goal:
    """A unit's goal, or the nearest hex where it is fed, if it would want there when supply is looked at next turn."""
    advanced, region = s.board.advanced, s.board.map.region
    if advanced is None or s.turn + 1 not in advanced.supply or goal.worth >= HUNGER:
        return goal
    if fed_in(s, region.get(goal.aim.at, "")):
        return goal
    way, fed = ways(s, unit), {county for county in set(region.values()) if fed_in(s, county)}
    able = [(far, s.board.order(h), h) for far, h in way.within(A_MARCH) if region.get(h) in fed]
    return Goal(Aim(min(able)[2], goal.worth, "", cavalry=True), goal.worth) if able else goal
