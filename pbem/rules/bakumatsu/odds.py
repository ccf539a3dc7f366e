"""What may come of a fire, a melee or a recovery: exact chances by counting every throw of the dice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from itertools import product

from pbem.rules.bakumatsu.board import Unit
from pbem.rules.bakumatsu.fire import fire_modifiers, fire_strength
from pbem.rules.bakumatsu.melee import melee_modifiers, passes_check, strength_difference
from pbem.rules.bakumatsu.orders import Fire, Melee
from pbem.rules.bakumatsu.retreat import ways
from pbem.rules.bakumatsu.state import State

__all__ = ["fire_odds", "melee_odds", "recovery_odds"]

NO_EFFECT, DISORDERED, RETREATS, REMOVED = "no effect", "disordered", "retreats", "removed"
DIE = range(1, 7)


def recovery_odds(unit: Unit) -> Fraction:
    """The chance that a unit recovers."""
    return Fraction(sum(die <= unit.morale for die in DIE), 6)  # 7(1)


def fire_odds(s: State, order: Fire) -> dict[str, Fraction]:
    """What a legal fire does to its target, each with its chance; retreats that aren't possible are removals."""
    strength, modifier = fire_strength(s, order), sum(m.value for m in fire_modifiers(s, order))
    meaning = _fire_meaning(s, order.target)
    results = s.board.tables.fire
    return _shares(meaning[results.result(a + b + modifier, strength)] for a, b in product(DIE, DIE))


def melee_odds(s: State, order: Melee) -> dict[str, Fraction]:
    """What a legal melee does to the defender, each with its chance; retreats that aren't possible are removals."""
    difference, modifier = strength_difference(s, order), sum(m.value for m in melee_modifiers(s, order))
    unit, results = s.board.units[order.target], s.board.tables.melee
    failure = REMOVED if order.target in s.disordered else _retreat(s, unit)  # 10-2(8)1, 10-2(8)2
    outcomes = []
    for a, b, die in product(DIE, DIE, DIE):
        result = results.result(a + b + modifier, difference)
        if result == "-":
            outcomes.append(NO_EFFECT)
        elif unit.artillery:
            outcomes.append(REMOVED)  # 12(4)
        else:
            outcomes.append(NO_EFFECT if passes_check(unit, die, int(result[1:])) else failure)
    return _shares(outcomes)


def _fire_meaning(s: State, target: str) -> dict[str, str]:
    """Fire result -> what it means for the target as it is now."""
    unit = s.board.units[target]
    if unit.artillery:
        return {"-": NO_EFFECT, "D": REMOVED, "DD": REMOVED}  # 12(3)
    if target in s.disordered:
        return {"-": NO_EFFECT, "D": _retreat(s, unit), "DD": REMOVED}  # 9-2(5)2b, 9-2(5)3b
    return {"-": NO_EFFECT, "D": DISORDERED, "DD": _retreat(s, unit)}  # 9-2(5)2a, 9-2(5)3a


def _retreat(s: State, unit: Unit) -> str:
    """What a forced retreat means for a unit now (11(2))."""
    return RETREATS if ways(s, unit) else REMOVED


def _shares(outcomes: Iterable[str]) -> dict[str, Fraction]:
    counts = Counter(outcomes)
    order = (NO_EFFECT, DISORDERED, RETREATS, REMOVED)
    return {outcome: Fraction(counts[outcome], counts.total()) for outcome in order if counts[outcome]}
