"""How likely a side is to win, judged by what stands on the map."""

from __future__ import annotations

from math import exp

from pbem.rules.bakumatsu.bot import how_far
from pbem.rules.bakumatsu.posts import rings
from pbem.rules.bakumatsu.state import State
from pbem.rules.bakumatsu.victory import held

__all__ = ["prospect"]

SHAKY = 2
"""Hexes from which an enemy is about to take a victory hex that nobody is nearer to."""


def prospect(s: State, side: str) -> float:
    """About how likely a side is to win: by victory hexes, the more the later it is, by those of them that an enemy is
    about to take, by strength on the map and by the ways to what is to be won.

    The numbers fit 290 games of the rules of thumb best (logistic regression); where the best one plays itself they
    tell more than the hexes and the strength alone.
    """
    enemy, late = s.board.enemy[side], s.turn / s.board.turns
    hexes = held(s, side) - held(s, enemy)
    mine, theirs = (_strength(s, each) for each in (side, enemy))
    lead = (mine - theirs) / max(1.0, mine + theirs)
    nearer = _off(s, enemy) - _off(s, side)
    shaky = _shaky(s, side) - _shaky(s, enemy)
    return 1 / (1 + exp(-(0.45 * late + 0.54 * late**3) * hexes + 0.69 * late * shaky - 2.65 * lead - 0.11 * nearer))


def _shaky(s: State, side: str) -> int:
    """How many victory hexes a side holds to which an enemy within two hexes is nearer than any of its own units."""
    own, theirs = (rings(s.board, frozenset(s.stands[each])) for each in (side, s.board.enemy[side]))
    return sum(holder == side and theirs[h] <= SHAKY and theirs[h] < own[h] for h, holder in s.control.items())


def _off(s: State, side: str) -> float:
    """How far a side's units are from its goals, on the average; beyond a turn or two it doesn't matter how far."""
    ways, units = how_far(s, side), s.stands[side]
    return sum(min(ways[h], 20) for h in units) / max(1, len(units))


def _strength(s: State, side: str) -> float:
    """The strength of a side on the map, units in disorder for less."""
    units = s.board.units
    return sum(
        (units[u].fire + units[u].melee + 2 * units[u].artillery) * (0.6 if u in s.disordered else 1.0)
        for u in s.stands[side].values()
    )
