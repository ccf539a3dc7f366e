"""Where the computer player's units of Osaka go to bar the way: each to the threat that it meets, or to a ford."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from math import inf

from pbem.maps.hexes import ByHex, Hex, OnDemand, distance
from pbem.records import NamedTuple
from pbem.rules.yukimura import movement
from pbem.rules.yukimura.aims import FAR, contact, course, distances, plugs, way
from pbem.rules.yukimura.board import EAST, OSAKA, Board, Unit
from pbem.rules.yukimura.held import barred
from pbem.rules.yukimura.state import State

__all__ = ["EARLY", "meet", "stops"]

EARLY = 14
"""Hexes from an enemy within which a ford or a road off the map wants somebody to bar it."""

PACE = 3
"""Hexes that most units go in a turn."""

NEAR, DANGER, MET = 2.0, 1.5, 5.0
"""What counts against a threat as the one to meet: hexes to it, its way to a goal, each friend that meets it."""


class Threat(NamedTuple):
    """An enemy that is to be met: what its way to a goal counts, its hex, the goal, and where it is met from."""

    danger: float
    at: Hex
    goal: Hex
    places: frozenset[Hex]


def meet(s: State, unit: Unit, start: Hex, enemies: frozenset[Hex]) -> Hex | None:
    """Where a unit of Osaka goes to bar the way to the threat that it is the one to meet; None without one."""
    threat = _threat(s, start, enemies)
    if threat is None:
        return None
    plug = next((h for h in _open(s.board, enemies) if _bars(s, unit, start, h)), None)
    return plug if plug is not None else _meets(s, start, threat)


@lru_cache(maxsize=4)
def stops(board: Board) -> frozenset[Hex]:
    """The hexes where one unit bars a ford or a road off the map to the East."""
    return plugs(board) | board.breakthrough


def _threat(s: State, here: Hex, enemies: frozenset[Hex]) -> Hex | None:
    """The enemy that a unit goes to meet: near to it, near to the East's goals, and not met yet."""
    friends, least = s.stands[OSAKA], inf
    found: Hex | None = None
    for danger, h, goal, places in _threats(s.board, enemies)[s.board.map_of(here).name]:
        if danger > least:
            break
        count = NEAR * min(distance(here, h), 2 + distance(here, goal)) + danger
        if count <= least:
            met = sum(n in friends for n in places) - (here in places and here in friends)
            count += MET * met
            if found is None or (count, h) < (least, found):
                least, found = count, h
    return found


@lru_cache(maxsize=16)
def _threats(board: Board, enemies: frozenset[Hex]) -> Mapping[str, list[Threat]]:
    """The threats on each map, those with the shortest way to a goal first."""
    ways, places = way(board, EAST), _places(board)
    found = sorted(Threat(DANGER * ways[h], h, course(board, EAST, h)[-1], places[h]) for h in enemies if ways[h] < FAR)
    return {m.name: [threat for threat in found if threat.at in m] for m in board.maps.values()}


@lru_cache(maxsize=4)
def _places(board: Board) -> ByHex[frozenset[Hex]]:
    """The hexes at most two away from every hex and no farther from the East's goals: who stands there meets it."""
    near, ways = board.ground.near, way(board, EAST)

    def places(h: Hex) -> frozenset[Hex]:
        around = {h, *near[h], *(m for n in near[h] for m in near[n])}
        return frozenset(n for n in around if ways[n] <= ways[h])

    return OnDemand(places)


def _meets(s: State, start: Hex, threat: Hex) -> Hex:
    """The first hex on a threat's way to its goal where a unit can be before it."""
    ahead, ways = course(s.board, EAST, threat), way(s.board, EAST)
    shut = barred(s, EAST)
    rest = PACE * (s.board.gate - s.turn)
    for h in ahead[2:]:
        lead = ways[threat] - ways[h] + (rest if h in shut else 0)
        if distance(start, h) <= lead + 1:
            return h
    return ahead[-1]


@lru_cache(maxsize=16)
def _open(board: Board, enemies: frozenset[Hex]) -> list[Hex]:
    """The fords and roads to which an enemy may come soon."""
    near = contact(board, enemies)
    return [h for h in sorted(stops(board)) if h not in enemies and near[h] <= EARLY]


def _bars(s: State, unit: Unit, start: Hex, h: Hex) -> bool:
    """Whether a unit is the one to bar a ford or a road: too few do, and nobody free is there earlier."""
    friends, units, far = s.stands[OSAKA], s.board.units, distances(s.board)[h]
    if far[start] <= 1 or friends.get(start) != unit.id or not movement.is_idle(s, unit.id):
        return False
    if sum(n in friends for n in (h, *s.board.ground.near[h])) > 2:
        return False
    when = (far[start] / unit.move, unit.id)
    for at, other in friends.items():
        if far[at] > 1 and (far[at] / units[other].move, other) < when and movement.is_idle(s, other):
            return False
    return True
