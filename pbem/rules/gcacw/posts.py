"""Where the Union stands in a campaign: each unit where it makes most safe, in time; the weak out of the way."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, sqrt

from pbem.maps.hexes import Hex, distance
from pbem.records import NamedTuple
from pbem.rules.gcacw.aims import DAMAGE, FAR, STATION, aims, way_to
from pbem.rules.gcacw.board import CONFEDERATE, DESTROYED, UNION
from pbem.rules.gcacw.goals import FOOT, PACE, Goal, goal_at
from pbem.rules.gcacw.holds import closed, why_held
from pbem.rules.gcacw.state import State
from pbem.rules.gcacw.supply import fed_in
from pbem.rules.gcacw.victory import items
from pbem.rules.gcacw.ways import ways

__all__ = ["posts"]

SOON = 110
"""The half points of a way within which the enemy threatens a place."""

TWICE = 2.5
"""How many of the places that draw an enemy alike he threatens with all that he has."""

WARY, LEAST, MOST = 0.6, 12.0, 6.0
"""The share of the value that threatens a place which makes it half safe, what does at least, and a point at most."""

RISK = 30.0
"""The value that makes it as likely as not that a place is attacked."""

BESIDE, HELPS = 3, 0.35
"""How many hexes away a unit helps to hold another place, and how much of its value does."""

THEIRS, LATE, STILL = 13, 2.5, 0.35
"""The half points of an enemy's march, the marches by which who comes late is a third as likely in time, and how likely
he is at least, as the enemy has more to do than to come there.
"""

NEARER = 0.004
"""What a half point of a way less is worth."""

SPREAD = 0.5
"""The share of what the first station of a line brings that each of them is worth to guard."""

LITTLE = 0.02
"""What a unit must bring in a place for it to go there."""

PREY, CHASE = 1.5, 80
"""How many times the enemy's value a unit has that hunts him, and how far, in half points."""

WEAK, OUTDONE, NEAR, JOINS, GOES = 8, 4, 60, 20, 60
"""The value of who goes out of the way, of how many times that, how near; of those whom he joins, and how far off."""

HUNGER, A_MARCH = 8.0, 24
"""What a place must be worth for who guards it to starve there, and how far others go to be fed."""


class _Place(NamedTuple):
    """A place to guard or to take back, and what it is worth as likely as it is attacked.

    `threat` is the combat value that the enemy can soon bring there, `near` how far the nearest is; `enemy` the value
    of who stands there; `lost`: it is his, and infantry takes it back.
    """

    at: Hex
    worth: float
    points: float
    threat: float
    near: int
    enemy: int
    lost: bool


def posts(s: State) -> dict[str, Goal]:
    """The Union's goals."""
    free = [unit for unit in s.own(UNION) if why_held(s, unit) is None]
    fixed = [unit for unit in s.own(UNION) if unit not in free]
    found = _out_of_the_way(s, free)
    free = [unit for unit in free if unit not in found]
    found |= _posted(s, free, fixed)
    found |= _hunts(s, [unit for unit in free if unit not in found])
    return {unit: _fed(s, unit, goal) for unit, goal in found.items()}


def _posted(s: State, free: Sequence[str], fixed: Sequence[str]) -> dict[str, Goal]:
    """Who is free, one after another where he brings most beside those that are there or on their way."""
    places = _places(s)
    strength = [_strength(s, place, fixed) for place in places]
    near = [_near(places, n) for n in range(len(places))]
    left = {unit: [_in_time(s, unit, place) for place in places] for unit in free}
    value = {unit: _values(s, unit, places) for unit in free}
    gains: dict[str, list[float]] = {
        unit: [_gain(places, strength, near[n], left[unit][n], value[unit][n]) for n in range(len(places))]
        for unit in free
    }
    found: dict[str, Goal] = {}
    while gains and places:
        most = {unit: max(range(len(places)), key=gain.__getitem__) for unit, gain in gains.items()}
        unit = max(gains, key=lambda one: (gains[one][most[one]] / sqrt(s.value(one)), one))
        n = most[unit]
        if gains[unit][n] < LITTLE:
            break
        found[unit] = goal_at(places[n].at, places[n].points)
        for q, share in near[n]:
            strength[q] += share * value[unit][n]
        del gains[unit]
        changed = {m for m in range(len(places)) if not {q for q, _ in near[m]}.isdisjoint(q for q, _ in near[n])}
        for other, gain in gains.items():
            for m in changed:
                gain[m] = _gain(places, strength, near[m], left[other][m], value[other][m])
    return found


def _strength(s: State, place: _Place, fixed: Sequence[str]) -> float:
    """What those who can't go away hold a place with."""
    return float(sum(s.value(unit) * _behind(s, unit) for unit in fixed if s.at[unit] == place.at))


def _behind(s: State, unit: str) -> float:
    """How many times more a unit is worth behind its works."""
    return float(s.board.tables.works[s.works.get(unit, 0)])


def _near(places: Sequence[_Place], n: int) -> list[tuple[int, float]]:
    """The places that who is in one helps to hold, and how much of him does."""
    at = places[n].at
    shares = ((q, 1.0 if q == n else HELPS) for q in range(len(places)) if distance(at, places[q].at) <= BESIDE)
    return [(q, share) for q, share in shares if q == n or not places[q].lost]


def _values(s: State, unit: str, places: Sequence[_Place]) -> list[float]:
    """What a unit holds each place with."""
    value = s.value(unit)
    return [value * (_behind(s, unit) if s.at[unit] == place.at else 1.0) for place in places]


def _in_time(s: State, unit: str, place: _Place) -> tuple[float, int]:
    """How likely a unit is in a place before the enemy, or comes to drive him off; and the half points of its way."""
    far = way_to(s.board, place.at).get(s.at[unit], FAR)
    if far == FAR or place.at in closed(s, unit) or (place.lost and not s.board.units[unit].infantry):
        return 0.0, FAR
    marches = far / PACE.get(s.board.units[unit].branch, FOOT)
    late = marches - (2 * (s.board.turns - s.turn) + 1 if place.lost else place.near / THEIRS)
    chance = 1 / (1 + exp(max(-50.0, min(50.0, late / LATE))))
    return max(chance, STILL * (not place.lost and marches < 2 * (s.board.turns - s.turn) + 2)), far


def _gain(
    places: Sequence[_Place], strength: Sequence[float], near: Sequence[tuple[int, float]], way: tuple[float, int],
    value: float,
) -> float:  # fmt: skip
    """What a unit more brings in a place and those beside it."""
    chance, far = way
    if not chance:
        return 0.0
    gain = sum(
        places[q].worth * (_safe(places[q], strength[q] + share * value) - _safe(places[q], strength[q]))
        for q, share in near
    )
    return chance * gain * (1 - NEARER * min(far, 200))


def _safe(place: _Place, strength: float) -> float:
    """How safe so much strength makes a place."""
    needed = min(WARY * place.threat, MOST * place.points)
    square = (strength / max(LEAST, needed, PREY * place.enemy)) ** 2
    return square / (1 + square)


def _places(s: State) -> list[_Place]:
    """The places where the Confederates score, and those that are theirs."""
    worth = _worth(s)
    lost = {
        h: float(item.line.points)
        for item in items(s)
        if item.line.kind in ("control", "controls")
        for h in item.line.hexes
        if s.board.label[h] in s.controlled
    }
    points = {h: found + lost.get(h, 0) for h, found in worth.items()} | {h: lost[h] for h in lost if h not in worth}
    threats = _threats(s, points)
    found = [_place(s, h, points[h], threats[h], lost=h in lost) for h in points]
    return sorted(found, key=lambda place: s.board.order(place.at))


def _worth(s: State) -> dict[Hex, float]:
    """What each place is worth that the Confederates can still take or destroy.

    Of stations that bring much for the first all are guarded alike, as one that is open is enough for them.
    """
    most: dict[tuple[Hex, str], float] = {}
    for aim in aims(s):
        if aim.worth >= 1 and not aim.late and not aim.group.startswith(DAMAGE):
            most[aim.at, aim.group] = max(most.get((aim.at, aim.group), 0), aim.worth)
    for line in s.board.victory.lines:
        if (
            line.kind == "stations-destroyed"
            and line.steps
            and not any(s.station.get(h) == DESTROYED for h in line.hexes)
        ):
            first = max(points for least, points in line.steps if least <= 1)
            for h in line.hexes:
                key = (h, f"{STATION}{s.board.label[h]}")
                depot = sum(one.points for one in s.board.victory.lines if one.kind == "depots" and h in one.hexes)
                most[key] = SPREAD * first + depot * (s.board.label[h] in s.depots)
    worth: dict[Hex, float] = {}
    for (h, _), points in most.items():
        worth[h] = worth.get(h, 0) + points
    return worth


def _threats(s: State, points: dict[Hex, float]) -> dict[Hex, float]:
    """The value that threatens each place: each enemy is for what is near to him and worth much, and not everywhere."""
    threats = dict.fromkeys(points, 0.0)
    for enemy in s.own(CONFEDERATE):
        near = {h: max(0.0, 1 - way_to(s.board, h).get(s.at[enemy], FAR) / SOON) for h in points}
        draw = {h: sqrt(points[h]) * near[h] ** 2 for h in points}
        total = sum(draw.values())
        for h in points if total else ():
            threats[h] += s.value(enemy) * min(1.0, TWICE * draw[h] / total, 1.5 * near[h])
    return threats


def _place(s: State, h: Hex, points: float, threat: float, *, lost: bool) -> _Place:
    """A place as the enemy threatens it."""
    way = way_to(s.board, h)
    near = min((way.get(s.at[unit], FAR) for unit in s.own(CONFEDERATE)), default=FAR)
    worth = points if lost else points * (0.05 + threat / (RISK + threat))
    return _Place(h, worth, points, threat, near, s.value_in(h, CONFEDERATE), lost)


# --- who does something else ------------------------------------------------------------------------------------------


def _out_of_the_way(s: State, free: Sequence[str]) -> dict[str, Goal]:
    """The weak infantry before strong enemies joins who is stronger, as a panic is worth so much (18.0-1)."""
    if s.panic:
        return {}
    stacks = {s.at[unit] for unit in s.own(UNION)}
    safe = sorted((h for h in stacks if s.value_in(h, UNION) >= JOINS), key=s.board.order)
    found: dict[str, Goal] = {}
    for unit in free:
        h = s.at[unit]
        if not s.board.units[unit].infantry or s.value_in(h, UNION) * _behind(s, unit) > WEAK or not safe:
            continue
        way = way_to(s.board, h)
        strong = (e for e in s.own(CONFEDERATE) if s.value(e) >= OUTDONE * s.value(unit) and s.board.units[e].infantry)
        if any(way.get(s.at[e], FAR) <= NEAR for e in strong):
            own = ways(s, unit)
            to = min(safe, key=lambda at: (own.to(at), s.board.order(at)))
            if own.to(to) <= GOES and to not in closed(s, unit):
                found[unit] = goal_at(to, 1.0)
    return found


def _hunts(s: State, free: Sequence[str]) -> dict[str, Goal]:
    """Who is left over goes for the nearest enemies who are weak enough for it, wherever they are."""
    enemies = sorted({s.at[enemy] for enemy in s.own(CONFEDERATE)}, key=s.board.order)
    found: dict[str, Goal] = {}
    for unit in free:
        way, value = ways(s, unit), s.value(unit)
        able = [h for h in enemies if value >= PREY * s.value_in(h, CONFEDERATE) and way.to(h) < CHASE]
        if able:
            at = min(able, key=lambda h: (way.to(h), s.board.order(h)))
            found[unit] = goal_at(at, 1.0)
    return found


def _fed(s: State, unit: str, goal: Goal) -> Goal:
    """A unit's goal, or the nearest hex where it is fed, if it would want there when supply is looked at next turn."""
    advanced, region = s.board.advanced, s.board.map.region
    if advanced is None or s.turn + 1 not in advanced.supply or goal.worth >= HUNGER:
        return goal
    if fed_in(s, region.get(goal.aim.at, "")):
        return goal
    way, fed = ways(s, unit), {county for county in set(region.values()) if fed_in(s, county)}
    able = [(far, s.board.order(h), h) for far, h in way.within(A_MARCH) if region.get(h) in fed]
    return goal_at(min(able)[2], goal.worth) if able else goal
