"""What fights bring on the average, and what a force risks in a hex until it can act again."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from pbem.maps.hexes import Hex, distance
from pbem.rules.sengoku import movement, skirmish
from pbem.rules.sengoku.acting import open_in, why_idle
from pbem.rules.sengoku.areas import Area, area_of, touched
from pbem.rules.sengoku.board import RIVER, SOTAISHO, Board
from pbem.rules.sengoku.harm import morale_of, steps, strength
from pbem.rules.sengoku.lines import in_line
from pbem.rules.sengoku.orders import Attack
from pbem.rules.sengoku.state import State, copy

__all__ = ["ahead", "cut_at", "last_action", "losses", "menace", "outfights", "weight"]

FACES = range(1, 7)

LEAST = 0.5
"""Losses on the average that an attack must bring."""

BATTLE, EVEN = 2.0, 1.5
"""The steps more that a commander-in-chief risks beside one who outfights him so many times."""


# --- fights -----------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=1 << 12)
def losses(board: Board, own: int, shift: int) -> float:
    """The losses that a strength brings on the average, with a shift of the die."""
    return sum(board.tables.loss(die + shift, own).losses for die in FACES) / len(FACES)


def _exchange(s: State, force: str, targets: Sequence[str], away: Hex | None, at: Hex) -> tuple[float, float]:
    """The losses that an attack into a hex brings, and those of its answer; without `away` over no river."""
    chart, ground = s.board.tables.terrain, s.board.ground
    here, river = chart[ground.terrain[at]], away is not None and (away, at) in ground.river
    better = skirmish.skill(s, [force]) - skirmish.skill(s, targets) + morale_of(s, [force]) - morale_of(s, targets)
    own, theirs = strength(s, [force]), strength(s, targets)
    brought = losses(s.board, own, better + here.attack + river * chart[RIVER].attack)
    left = max(0.0, 1 - brought / steps(s, [unit for target in targets for unit in s.forces[target]]))
    shift = river * chart[RIVER].counterattack + here.counterattack - better
    return brought, losses(s.board, round(theirs * left), shift)


def ahead(s: State, order: Attack, odds: float) -> float:
    """By how many losses an attack is better than it must be: those that it brings less those of the answer."""
    brought, answer = _exchange(s, order.force, order.targets, s.at[order.force], s.at[order.targets[0]])
    return brought - odds * answer if brought >= LEAST else 0


def outfights(s: State, ours: Sequence[str], theirs: Sequence[str], odds: float) -> bool:
    """Whether forces lose a smaller part of their steps in a round of a battle than those whom they would meet."""
    skill = skirmish.skill(s, ours) - skirmish.skill(s, theirs) + morale_of(s, ours) - morale_of(s, theirs)
    brought, suffered = losses(s.board, strength(s, ours), skill), losses(s.board, strength(s, theirs), -skill)
    numbers = [steps(s, [unit for force in forces for unit in s.forces[force]]) for forces in (theirs, ours)]
    return brought / numbers[0] >= odds * suffered / numbers[1]


def weight(s: State, force: str) -> float:
    """What a force is worth in fights: 3 more for skill and morale double what a strength brings, about."""
    return strength(s, [force]) * max(1, 3 + skirmish.skill(s, [force]) + s.morale.get(force, 0)) / 3


# --- risks ------------------------------------------------------------------------------------------------------------


def menace(s: State, side: str, force: str, h: Hex, odds: float) -> float:
    """The steps that a force is likely to lose in a hex, more than it takes, before it can act again.

    Who stands beside it attacks in each of his phases, who can come beside it in all but the first.
    """
    found, near = 0.0, s.board.ground.open_to[h]
    for enemy in _hunters(s, side):
        at = s.at[enemy]
        if distance(at, h) > movement.POINTS + 1:
            continue
        beside, phases = at in near, _phases(s, enemy, force)
        attacks = phases if beside else phases - 1
        if attacks > 0 and (beside or _grasp(s, enemy) & s.board.ground.bit[h]):
            brought, answer = _exchange(s, enemy, [force], at if beside else None, h)
            found += (brought - answer if brought >= max(LEAST, odds * answer) else 0) * attacks
            found += BATTLE * attacks * _outfought(s, force, enemy, h)
    return found


def _outfought(s: State, force: str, enemy: str, h: Hex) -> bool:
    """Whether a commander-in-chief would lose a battle in a hex against another and those who stand with him."""
    if {s.board.units[force].rank, s.board.units[enemy].rank} != {SOTAISHO}:
        return False
    beside = open_in(s, h, s.board.units[force].side)
    theirs = open_in(s, s.at[enemy], s.board.units[enemy].side)
    return outfights(s, theirs, tuple(dict.fromkeys((force, *beside))), EVEN)


def _hunters(s: State, side: str) -> list[str]:
    """The enemies of a side who may attack its forces, worked out once for a position."""
    key = ("hunters", side, s.turn, len(s.declared))
    found: list[str] | None = s.memo.get(key)
    if found is None:
        enemies = s.own_forces(s.board.enemy[side])
        found = [e for e in enemies if e not in s.shut_in and why_idle(s, s.board.units[e].army) is None]
        s.memo[key] = found
    return found


def _grasp(s: State, force: str) -> Area:
    """The hexes into which a force could attack when it has moved once, worked out once for a position."""
    key = ("grasp", force, s.morale.get(force), len(s.declared))
    found: Area | None = s.memo.get(key)
    if found is None:
        reach = movement.in_reach(s, force, strategic=False)
        found = s.memo[key] = touched(s.board.ground.leads["near"], area_of(s.board.ground.bit, reach.cost))
    return found


def _phases(s: State, enemy: str, force: str) -> int:
    """In how many phases an enemy can act before a force can act again; the first side acts first in each stage."""
    power, first = s.board.units[enemy].power, s.board.units[enemy].side == s.board.sides[0].id
    if last_action(s, force):
        return max(0, power - s.stage + (not first)) + first
    return int(power >= s.stage + first)


def last_action(s: State, force: str) -> bool:
    """Whether a force can't act in a later stage of this inning."""
    return s.board.units[force].power <= s.stage


def cut_at(s: State, force: str, h: Hex) -> bool:
    """Whether a force would have no line of communication in a hex, as all others stand."""
    if h == s.at[force]:
        return not in_line(s, force)
    there = copy(s)
    there.let_out(force)
    there.put(force, h)
    return not in_line(there, force)
