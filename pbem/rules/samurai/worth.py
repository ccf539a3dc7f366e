"""What dice are worth to the computer player: the points that a fire or an attack may cost its target."""

from __future__ import annotations

from functools import lru_cache
from math import comb

from pbem.rules.samurai.losses import DIE
from pbem.rules.samurai.state import State

__all__ = ["against", "blow"]

RUN = 0.6
"""The share of what runs that is lost for good."""


@lru_cache(1 << 14)
def _toll(dice: int, needed: int, left: int, falls: int, fails: int, points: int) -> float:
    """The points that a target loses on the average by so many dice that kill with a number.

    It has so many figures `left`, each of so many points; it checks when it `falls` by so many (0: never), and runs
    with a die that `fails`.
    """
    hit = max(0, min(DIE, DIE + 1 - needed)) / DIE
    runs = RUN * (DIE + 1 - fails) / DIE
    total = 0.0
    for kills in range(1, dice + 1):
        dead = min(kills, left)
        lost = dead + (runs * (left - dead) if falls and dead >= falls else 0.0)
        total += comb(dice, kills) * hit**kills * (1 - hit) ** (dice - kills) * lost
    return points * total


def against(s: State, target: str, dice: int, rank: int, *, led: bool, dead: int = 0) -> float:
    """The points that dice of a class may cost a target, `led` or not, of which so many figures are as good as dead."""
    u, tables = s.board.units[target], s.board.tables
    left = max(1, s.left(target) - dead)
    falls = max(0, left - u.figures // 2) if u.troops and target not in s.checked else 0
    needed = tables.kill - (rank - u.kind.rank - (led and u.troops))
    return _toll(dice, needed, left, falls, tables.fails[u.kind.rank], u.kind.points)


def blow(s: State, unit: str, target: str, bonus: int, *, led: bool, dead: int = 0) -> float:
    """The points that an attack may cost its target, raised by so much for its side; the attacker `led` or not."""
    u, other = s.board.units[unit], s.board.units[target]
    rank = u.kind.attack + (bonus if other.troops else 0) + (led and u.troops)
    return against(s, target, s.left(unit), rank, led=bool(s.daimyos(target)), dead=dead)
