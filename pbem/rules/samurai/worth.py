"""What dice are worth to the computer player: the points that a fire or an attack may cost its target."""

from __future__ import annotations

from functools import lru_cache
from math import comb

from pbem.rules.samurai.geometry import Contact
from pbem.rules.samurai.losses import DIE
from pbem.rules.samurai.state import State

__all__ = ["BONUS", "RUN", "blow", "shot", "toll"]

BONUS = {Contact.FRONT: 0, Contact.FLANK: 1, Contact.REAR: 2}
"""Side of the target -> what its attacker's class is raised by (combat.10, combat.11)."""

RUN = 0.6
"""The share of what runs that is lost for good."""


@lru_cache(1 << 14)
def toll(dice: int, needed: int, left: int, falls: int, fails: int, points: int) -> float:
    """The points that a target loses on the average by so many dice that kill with a number.

    It has so many figures `left`, each of so many points; it checks when it `falls` by so many (0: never), and runs
    with a die that `fails`.
    """
    hit = max(0, min(DIE, DIE + 1 - needed)) / DIE
    runs = RUN * (DIE + 1 - fails) / DIE
    sum_of = 0.0
    for kills in range(1, dice + 1):
        dead = min(kills, left)
        lost = dead + (runs * (left - dead) if falls and dead >= falls else 0.0)
        sum_of += comb(dice, kills) * hit**kills * (1 - hit) ** (dice - kills) * lost
    return points * sum_of


def against(s: State, target: str, dice: int, rank: int, *, led: bool, dead: int = 0) -> float:
    """The points that dice of a class may cost a target of which so many figures are as good as dead."""
    u, tables = s.board.units[target], s.board.tables
    left = max(1, s.left(target) - dead)
    falls = 0
    if u.troops and target not in s.checked and target not in s.routed:
        falls = max(0, left - u.figures // 2)
    needed = tables.kill - (rank - u.kind.rank - (led and u.troops))
    return toll(dice, needed, left, falls, tables.fails[u.kind.rank], u.kind.points)


def blow(s: State, unit: str, target: str, bonus: int, *, led: bool, dead: int = 0) -> float:
    """The points that an attack may cost its target, raised by the side that is touched; the attacker `led` or not."""
    u, other = s.board.units[unit], s.board.units[target]
    if not u.kind.attack:
        return 0.0
    rank = u.kind.attack + (0 if other.daimyo else bonus) + (led and u.troops)
    return against(s, target, s.left(unit), rank, led=other.troops and bool(s.daimyos(target)), dead=dead)


def shot(s: State, unit: str, target: str, dice: int, dead: int = 0) -> float:
    """The points that fire with so many dice may cost its target."""
    return against(s, target, dice, s.board.units[unit].kind.rank, led=False, dead=dead)
