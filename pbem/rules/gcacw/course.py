"""The best course of a unit: which aims one after another bring most on the average, by the dice of its marches."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache

from pbem.maps.hexes import Hex
from pbem.records import NamedTuple
from pbem.rules.gcacw.aims import FAR, NONE, Aim, besides, way_to
from pbem.rules.gcacw.board import Board
from pbem.rules.gcacw.pace import marches
from pbem.rules.gcacw.tables import Allowance

__all__ = ["Course", "Gait", "best", "stay", "stops_on", "way"]

SOONER = 0.02
"""What an action less is worth."""

DEPTH = 2
"""The aims that count at once, of those that a unit goes for one after another, as far as is thought."""

TWO = 2
"""The hexes of zones that a march may lead through one behind the other (std-2.4-7)."""

MANY = 6
"""So many of them are thought of, the likeliest that bring most."""


class Gait(NamedTuple):
    """How a unit marches: its allowance, half points besides, the hexes that are closed to it.

    enemies  those round whom it goes;  stops: the hexes that stop it
    """

    allowance: Allowance
    more: int
    barred: frozenset[Hex]
    enemies: frozenset[Hex] = NONE
    stops: frozenset[Hex] = NONE


class Course(NamedTuple):
    """What a course brings on the average, and its aims in their order."""

    worth: float
    aims: tuple[Aim, ...]


@lru_cache(maxsize=1 << 14)
def way(
    board: Board, here: Hex, at: Hex, barred: frozenset[Hex], enemies: frozenset[Hex] = NONE
) -> tuple[tuple[int, Hex], ...] | None:
    """The steps of the cheapest way to a hex round the enemies, each with its half points; None where there is none."""
    field, cost = way_to(board, at, enemies, barred), board.ground.cost
    if here not in field:
        return None
    steps = []
    while here != at:
        dear = ((field.get(h, FAR) + price + besides(board, enemies, h), h, price) for h, price in cost[here].items())
        _, h, price = min(dear)
        steps.append((price, h))
        here = h
    return tuple(steps)


@lru_cache(maxsize=1 << 12)
def best(board: Board, unit: str, here: Hex, left: int, gait: Gait, able: tuple[Aim, ...]) -> Course:
    """The best course of a unit with so many actions: up to DEPTH aims that count at once, then one for the end."""
    return _Search(board, unit, gait, able, here, left).found(here, left, frozenset())


class _Search:
    """The search for a course; what is left to do in a hex with so many actions is worked out once."""

    def __init__(self, board: Board, unit: str, gait: Gait, able: tuple[Aim, ...], here: Hex, left: int) -> None:
        self._board, self._unit, self._gait = board, unit, gait
        self._ends: dict[Hex, list[Aim]] = {}
        self._spreads: dict[tuple[Hex, Hex], tuple[float, ...]] = {}
        self._late = [(aim, aim.worth + stay(board, unit, aim.at)) for aim in able if aim.late]
        once = [aim for aim in able if not aim.late]
        once.sort(key=lambda aim: -aim.worth * self._chance(here, aim, left))
        self._once = once[:MANY]
        self._known: dict[tuple[Hex, int, frozenset[str]], Course] = {}

    def found(self, here: Hex, left: int, done: frozenset[str]) -> Course:
        """The best from a hex on, when the aims of some groups have been brought about."""
        key = (here, left, done)
        if key not in self._known:
            stays = stay(self._board, self._unit, here)
            courses = [Course(stays, ())]
            courses += (self._at_the_end(here, left, aim, stays) for aim in self._nearest(here))
            if len(done) < DEPTH:
                courses += (self._over(here, left, aim, done, stays) for aim in self._once if aim.group not in done)
            self._known[key] = max(courses, key=lambda course: course.worth)
        return self._known[key]

    def _nearest(self, here: Hex) -> Iterable[Aim]:
        """Of the aims that count at the end and bring the same the nearest."""
        if here in self._ends:
            return self._ends[here]
        found: dict[float, tuple[int, Aim]] = {}
        for aim, worth in self._late:
            far = way_to(self._board, aim.at, NONE, self._gait.barred).get(here, FAR)
            if far < FAR and (worth not in found or far < found[worth][0]):
                found[worth] = (far, aim)
        self._ends[here] = [aim for _, aim in found.values()]
        return self._ends[here]

    def _spread(self, here: Hex, aim: Aim) -> tuple[float, ...]:
        """The chance that it takes so many marches to an aim."""
        key = (here, aim.at)
        if key not in self._spreads:
            self._spreads[key] = self._paced(here, aim.at)
        return self._spreads[key]

    def _paced(self, here: Hex, at: Hex) -> tuple[float, ...]:
        """The chance that it takes so many marches to a hex, each of which ends where an enemy's zone stops it."""
        gait = self._gait
        steps = way(self._board, here, at, gait.barred)
        if steps is not None and not gait.stops.isdisjoint(h for _, h in steps):
            steps = way(self._board, here, at, gait.barred, gait.enemies)
        if steps is None:
            return ()
        return marches(tuple(price for price, _ in steps), gait.allowance, gait.more, stops_on(steps, gait.stops))

    def _chance(self, here: Hex, aim: Aim, left: int) -> float:
        """The chance that an aim is brought about with so many actions."""
        return sum(self._spread(here, aim)[: max(0, left - aim.actions + 1)])

    def _at_the_end(self, here: Hex, left: int, aim: Aim, stays: float) -> Course:
        """The course to an aim that counts at the end."""
        able = [*enumerate(self._spread(here, aim)[: left + 1])]
        chance = sum(share for _, share in able)
        cost = SOONER * sum(share * number for number, share in able)
        there = aim.worth + stay(self._board, self._unit, aim.at)
        return Course(chance * there + (1 - chance) * stays - cost, (aim,))

    def _over(self, here: Hex, left: int, aim: Aim, done: frozenset[str], stays: float) -> Course:
        """The course over an aim that counts at once."""
        worth, missing, most = 0.0, 1.0, 0.0
        aims: tuple[Aim, ...] = ()
        for number, share in enumerate(self._spread(here, aim)):
            rest = left - number - aim.actions
            if rest < 0:
                break
            on = self.found(aim.at, rest, done | {aim.group}) if share else Course(0.0, ())
            worth += share * (aim.worth - SOONER * (number + aim.actions) + on.worth)
            missing -= share
            if share > most:
                most, aims = share, on.aims
        return Course(worth + missing * stays, (aim, *aims))


def stops_on(steps: Sequence[tuple[int, Hex]], zones: Collection[Hex]) -> tuple[int, ...]:
    """The numbers of the steps behind which a march ends in a zone, but for one that leads on from zone to zone."""
    inside = [*(h in zones for _, h in steps), False]
    found: list[int] = []
    entered = 0
    for number, then in enumerate(inside[1:], 1):
        entered = entered + 1 if inside[number - 1] else 0
        if entered and (entered == TWO or not then):
            found.append(number)
            entered = 0
    return tuple(found)


def stay(board: Board, unit: str, h: Hex) -> float:
    """What it brings that a unit is in a hex at the end."""
    one = board.units[unit]
    return sum(
        line.points
        for line in board.victory.lines
        if line.kind == "in-regions"
        and one.infantry
        and one.size in line.sizes
        and board.map.region.get(h) in line.regions
    )
