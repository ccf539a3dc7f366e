"""Who goes where in a campaign: the Confederates each for what brings most to who is sure to come there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import exp, sqrt

from pbem.maps.hexes import Hex
from pbem.records import NamedTuple
from pbem.rules.gcacw import goals
from pbem.rules.gcacw.aims import FAR, Aim, aims, way_to, worth_of_panic
from pbem.rules.gcacw.board import CONFEDERATE, UNION
from pbem.rules.gcacw.course import stay
from pbem.rules.gcacw.goals import Goal
from pbem.rules.gcacw.posts import posts
from pbem.rules.gcacw.state import MOST_FATIGUE, State
from pbem.rules.gcacw.ways import ways
from pbem.rules.kit.matching import best_matching

__all__ = ["designs"]

A_DAY = 2
"""The actions of a unit in a turn: so many as the night mends."""

SURE = 0.7
"""The share of its actions that a unit comes to, as cycles end early and rain makes marches short."""

WET = 0.4
"""The share of its actions that rain costs a unit, as its marches are short then."""

WIDE = 0.5
"""How much the marches that a way takes lie apart, by the root of their number."""

NEARER = 0.06
"""What a half point of a way less is worth."""

NOTHING = -99.0
"""What is worth less than anything that a unit could do."""

LITTLE = 0.05
"""What an aim must bring for a unit to go there."""

SPUR, A_MAN = 0.3, 0.05
"""What forced marches must bring at the end for a unit to lose men by them, and besides for each of them."""

BEYOND = 0.4
"""The share of what a unit could bring about from an aim on that counts for it, as others go there as well."""

HOPELESS = 0.6
"""The share of the value of an enemy on an aim that a unit must have for it to go there."""

EASY, PANICS = 4, 0.25
"""How many times the value of weak infantry a unit has that goes for it, and how likely that brings a panic."""

CHASE = 20
"""How far a unit goes for weak infantry, in half points."""


def designs(s: State, side: str) -> dict[str, Goal]:
    """Unit -> what it goes for; in the basic game as battles have it."""
    if s.board.advanced is None:
        return goals.goals(s, side)
    key = ("designs", side)
    if key not in s.memo:
        s.memo[key] = _shared(s, side) if side == CONFEDERATE else posts(s)
    known: dict[str, Goal] = s.memo[key]
    return known


class _Pair(NamedTuple):
    """An aim for a unit: what it brings less the way, and alone; what forced marches would, two actions less cost."""

    value: float
    worth: float
    aim: Aim
    spur: float
    spared: float
    hurries: bool


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
            found[unit] = Goal(pair.aim, pair.worth, pair.spared, pair.spur, pair.hurries)
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
    able = [_as_held(s, unit, aim) for aim in aims(s) if goals.brings(s, unit, aim)]
    able += _prey(s, unit)
    once = [aim for aim in able if aim.group]
    for aim in able:
        far = way.to(aim.at)
        if far == FAR:
            continue
        rest = left - aim.actions
        worth, spurred = (aim.worth * _chance(rest, far / pace) for pace in (plain, forced))
        spared = worth - aim.worth * _chance(rest - A_DAY, far / plain)
        value = worth - NEARER * far
        if aim.group:
            value += stay(s.board, unit, aim.at) + BEYOND * _beyond(s, aim, once, rest - far / plain, plain)
        spur = spurred - worth
        yield _Pair(value, worth, aim, spur, spared, spur > SPUR + A_MAN * far / forced)


def _as_held(s: State, unit: str, aim: Aim) -> Aim:
    """An aim as it is worth to a unit: nothing where an enemy stands on it whom it doesn't drive off."""
    enemy = s.value_in(aim.at, UNION) * _works(s, aim.at)
    hopeless = s.value(unit) < HOPELESS * enemy
    return aim._replace(worth=0.0) if hopeless else goals.as_held(s, unit, aim)


def _beyond(s: State, aim: Aim, once: Sequence[Aim], rest: float, pace: float) -> float:
    """What a unit could bring about from an aim on, in the actions that are left then, if nobody else did."""
    if rest <= 0:
        return 0.0
    total = 0.0
    for other in once:
        if other.group != aim.group and other.at != aim.at:
            marches = way_to(s.board, other.at).get(aim.at, FAR) / pace
            if marches < rest + 1:
                total += other.worth * _chance(rest - other.actions, marches)
    return total


def _prey(s: State, unit: str) -> list[Aim]:
    """Weak infantry of the Union whom a unit may drive into the panic of his side (18.0-1)."""
    panic = worth_of_panic(s)
    if not panic or not s.board.units[unit].infantry:
        return []
    value = s.value(unit)
    way = ways(s, unit)
    weak = {s.at[other] for other in s.own(UNION) if s.board.units[other].infantry}
    weak = {h for h in weak if way.to(h) <= CHASE and value >= EASY * s.value_in(h, UNION) * _works(s, h)}
    return [Aim(h, PANICS * panic, "panic", 1) for h in sorted(weak, key=s.board.order)]


def _works(s: State, h: Hex) -> int:
    """How many times stronger works make who stands in a hex, about."""
    return 1 + max((s.works.get(other, 0) > 1 for other in s.units_in(h, UNION)), default=False)


def _left(s: State, unit: str) -> float:
    """How many actions a unit comes to until the end."""
    tired, days = s.fatigue.get(unit, 0), s.board.turns - s.turn
    if not days:
        return (1 - WET * s.raining) * (MOST_FATIGUE - tired)
    wet = min(days, s.rain - s.turn) if s.raining else 0
    return max(0, A_DAY - tired) + SURE * (A_DAY * (days - 1) + MOST_FATIGUE) - WET * A_DAY * wet


def _chance(left: float, marches: float) -> float:
    """How likely so many actions are enough for a way of so many marches."""
    return 1 / (1 + exp(min(50, (marches - left) / (WIDE * sqrt(1 + marches)))))
