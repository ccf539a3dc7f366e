"""About how likely a side is to win, by what decides the scenario: the measure of the computer player's play-outs."""

from __future__ import annotations

from collections.abc import Mapping
from math import exp

from pbem.maps.hexes import distance
from pbem.rules.yukimura.aims import way
from pbem.rules.yukimura.board import EAST, OSAKA
from pbem.rules.yukimura.state import State
from pbem.rules.yukimura.victory import beyond_line
from pbem.rules.yukimura.weights import decided_by

__all__ = ["prospect"]

LEAD, FAR_OFF = 5, 40
"""The units of the East that are nearest to its goals, and the points beyond which it is no matter how far one is."""

ROUND, CLOSE, MANY = 3, 3, 6
"""Hexes from Komatsuyama, and from a leader, within which units count; how many beside a leader count at most."""

FITTED: Mapping[str, Mapping[str, float]] = {
    "star": {"one": 0.6, "late": -0.3, "lead": 0.6, "first": -1.5, "first late": -1.1, "star": 0.7, "round": 4.9},
    "line": {"one": 0.7, "late": -4.2, "lead": 8.4, "first": -2.0, "first late": -1.8, "west": 1.1, "west late": 5.0},
    "duel": {"one": -5.3, "lead": 11.9, "beset": 0.5, "close": 0.05, "besetting": -2.1, "closing": -0.6},
    "shield": {"one": 1.1, "late": -4.7, "lead": 8.6, "first": -2.6, "beset": 0.2, "close": 0.2, "west late": 4.2},
}
"""What decides -> feature -> its weight in the logarithm of the odds of the East.

Fitted to the ends of the turns of some hundred games of the best rules of thumb against the bold one and each other.
"""


def prospect(s: State, side: str) -> float:
    """About how likely a side is to win, from 0 to 1."""
    fitted, found = FITTED[decided_by(s.board)], _features(s)
    z = sum(weight * found[name] for name, weight in fitted.items())
    east = 1 / (1 + exp(-z))
    return east if side == EAST else 1 - east


def _features(s: State) -> dict[str, float]:
    """What a position is judged by, as seen by the East.

    late                the share of the turns that are over
    lead                by how much the East is stronger, as a share of all
    first, first late   points from its foremost units to its goals, in tens; the same, counted by `late`
    star, round         late: who holds Komatsuyama; by how many more units the East is near to it, as a share
    west, west late     late: units beyond the line, as a share of those needed, from -1 on; the same by `late` squared
    beset, close        enemies next to Osaka's leaders, and close to them
    besetting, closing  the same of those of the East
    """
    board, late, ways = s.board, s.turn / s.board.turns, way(s.board, EAST)
    east, osaka = (sum(board.units[u].strength + 1 for u in _there(s, side)) for side in (EAST, OSAKA))
    foremost = sorted(min(ways[h], FAR_OFF) for h in s.stands[EAST])[:LEAD]
    first = sum(foremost) / max(1, len(foremost)) / 10
    west = (beyond_line(s) - board.west_needed) / board.west_needed if board.west_needed else 0.0
    holder = 0 if s.star_holder is None else 1 if s.star_holder == EAST else -1
    return {
        "one": 1.0,
        "late": late,
        "lead": (east - osaka) / max(1, east + osaka),
        "first": first,
        "first late": first * late,
        "star": holder * late,
        "round": _round(s) * late,
        "west": west * late,
        "west late": west * late * late * late,
        "beset": _beset(s, OSAKA, 1),
        "close": _beset(s, OSAKA, CLOSE),
        "besetting": _beset(s, EAST, 1),
        "closing": _beset(s, EAST, CLOSE),
    }


def _round(s: State) -> float:
    """By how many more units the East is near to Komatsuyama, as a share of all there; 0 where it decides nothing."""
    star = s.board.star
    if star is None:
        return 0.0
    east, osaka = (sum(distance(star, h) <= ROUND for h in s.stands[side]) for side in (EAST, OSAKA))
    return (east - osaka) / (east + osaka + 2)


def _beset(s: State, side: str, far: int) -> int:
    """The enemies so near to the leaders whose leaving loses the battle for a side, some for each at most."""
    enemies = s.stands[s.board.enemy[side]]
    at = [s.at[leader] for leader in s.board.collapse.get(side, ()) if leader in s.at]
    return sum(min(MANY, sum(distance(here, h) <= far for h in enemies)) for here in at)


def _there(s: State, side: str) -> list[str]:
    """The units of a side on the map and those that are still to come."""
    found = [*s.at, *(unit for force in s.waiting.values() for unit in force)]
    return [unit for unit in found if s.board.units[unit].side == side]
