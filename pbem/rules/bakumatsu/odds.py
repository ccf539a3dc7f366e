"""Dice: exact chances of a fire, a melee and a recovery by counting every throw; those that are worst for a side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any

from pbem.rules.bakumatsu import commanders
from pbem.rules.bakumatsu.board import Board, Unit
from pbem.rules.bakumatsu.fire import fire_modifiers, fire_strength
from pbem.rules.bakumatsu.ground import Modifier
from pbem.rules.bakumatsu.melee import melee_modifiers, passes_check, strength_difference
from pbem.rules.bakumatsu.orders import Fire, Melee, Order, Recover
from pbem.rules.bakumatsu.retreat import has_way
from pbem.rules.bakumatsu.sequence import side_of
from pbem.rules.bakumatsu.situation import GOOD
from pbem.rules.bakumatsu.state import State
from pbem.rules.fates import DISORDERED, NO_EFFECT, REMOVED, RETREATS, STANDS, result_words
from pbem.rules.kit import throws
from pbem.rules.kit.tables import ResultsTable
from pbem.rules.kit.throws import Shares, by_sum, shares
from pbem.rules.requests import Draw, Factor, Roll

__all__ = ["chances", "factors", "fire_odds", "melee_odds", "recovery_odds", "worst"]

OUTCOMES = (NO_EFFECT, STANDS, DISORDERED, RETREATS, REMOVED)


def recovery_odds(s: State, order: Recover) -> Fraction:
    """The chance that a unit recovers."""
    unit = s.board.units[order.unit]
    morale = commanders.morale(unit, commanders.recovering(s, unit.id, order.by))
    return Fraction(by_sum(lambda die: die <= morale, dice=1)[True], 6)  # 7(1)


def fire_odds(s: State, order: Fire) -> Shares:
    """What a legal fire does to its target, each with its chance; retreats that aren't possible are removals."""
    strength, modifier = fire_strength(s, order), sum(m.value for m in fire_modifiers(s, order))
    return _fire_shares(s.board.tables.fire, strength, modifier, tuple(_fire_meaning(s, order.target).items()))


@lru_cache(maxsize=4096)
def _fire_shares(results: ResultsTable, strength: int, modifier: int, meaning: tuple[tuple[str, str], ...]) -> Shares:
    means = dict(meaning)
    return shares(by_sum(lambda total: means[results.result(total + modifier, strength)]), OUTCOMES)


def melee_odds(s: State, order: Melee) -> Shares:
    """What a legal melee does to the defender, each with its chance; retreats that aren't possible are removals."""
    difference, modifier = strength_difference(s, order), sum(m.value for m in melee_modifiers(s, order))
    unit = s.board.units[order.target]
    morale = commanders.morale(unit, commanders.defending(s, unit.id))
    failure = REMOVED if order.target in s.disordered else _retreat(s, unit)  # 10-2(8)1, 10-2(8)2
    return _melee_shares(s.board.tables.melee, unit.artillery, morale, difference, modifier, failure)


@lru_cache(maxsize=4096)
def _melee_shares(
    results: ResultsTable, artillery: bool, morale: int, difference: int, modifier: int, failure: str
) -> Shares:
    found: Counter[str] = Counter()
    for a, b, die in throws.throws(3):
        result = results.result(a + b + modifier, difference)
        if result == "-":
            found[NO_EFFECT] += 1  # 10-2(6)1
        elif artillery:
            found[REMOVED] += 1  # 12(4)
        else:
            found[STANDS if passes_check(morale, die, int(result[1:])) else failure] += 1  # 10-2(8)0
    return shares(found, OUTCOMES)


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
    return RETREATS if has_way(s, unit) else REMOVED


def factors(s: State, order: Order) -> Iterator[Factor]:
    """What decides what a legal order's dice mean, one by one."""
    units, label = s.board.units, s.board.describe
    match order:
        case Recover(unit):
            yield from _morale(s, unit, commanders.recovering(s, unit, order.by), "7(1)")
        case Fire():
            yield Factor(f"fire strength of {label(order.unit)}", f"{units[order.unit].fire:+d}", "9-2(3)")
            yield from _support(s, order, "9-2(3)")
            if s.options.mountain_top == "strength":  # 9-2(4)2, read as it is worded
                tops = s.board.ground.fire_from[s.at[order.unit]]
                yield from (Factor(f"strength from {m.what}", f"{m.value:+d}", m.clause) for m in tops)
            yield from _of_dice(found := fire_modifiers(s, order))
            strength = fire_strength(s, order)
            yield _of_table(s.board.tables.fire, f"fire strength {strength}", strength, found, "9-2(5)0a")
            yield from _of_target(s, order.target, by_fire=True)
        case Melee():
            yield Factor(f"melee strength of {label(order.unit)}", f"{units[order.unit].melee:+d}", "10-2(3)")
            yield from _support(s, order, "10-2(3)")
            yield Factor(f"melee strength of {label(order.target)}", f"-{units[order.target].melee}", "10-2(4)")
            yield from _of_dice(found := melee_modifiers(s, order))
            by = strength_difference(s, order)
            yield _of_table(s.board.tables.melee, f"strength difference {by:+d}", by, found, "10-2(6)0")
            if not units[order.target].artillery:
                yield from _morale(s, order.target, commanders.defending(s, order.target), "10-2(7)")
            yield from _of_target(s, order.target, by_fire=False)


def _of_table(table: ResultsTable, what: str, number: int, modifiers: Iterable[Modifier], clause: str) -> Factor:
    """The line of a table, by the dice as they are thrown."""
    brings = table.by_throw(table.column(number), sum(m.value for m in modifiers))
    return Factor(f"dice thrown at {what} bring", brings, clause)


def _of_target(s: State, target: str, *, by_fire: bool) -> Iterator[Factor]:
    """What of a target decides what results mean for it: a gun, its disorder, no way to retreat."""
    unit, label = s.board.units[target], s.board.describe(target)
    if unit.artillery:
        meaning = ("D and DD remove it", "12(3)") if by_fire else ("any M removes it", "12(4)")
        yield Factor(f"{label} is a gun:", *meaning)
        return
    disordered = target in s.disordered
    if disordered:
        by_melee = ("a failed check removes it", "10-2(8)2")
        meaning = ("D makes it retreat, DD removes it", "9-2(5)2b, 9-2(5)3b") if by_fire else by_melee
        yield Factor(f"{label} is disordered:", *meaning)
    if (by_fire or not disordered) and not has_way(s, unit):
        yield Factor(f"{label} has no way to retreat:", "it would be removed", "11(2)")


def _morale(s: State, unit: str, commander: Unit | None, clause: str) -> Iterator[Factor]:
    """A unit's morale, or that of the commander who is better."""
    own = s.board.units[unit].morale
    if commander is None or commander.morale <= own:
        yield Factor(f"morale of {s.board.describe(unit)}", str(own), clause)
    else:
        yield Factor(f"morale of {s.board.describe(commander.id)}", str(commander.morale), "15-2-7-2(3)5")


def _support(s: State, order: Fire | Melee, clause: str) -> Iterator[Factor]:
    yield from (Factor(f"support of {s.board.describe(unit)}", "+1", clause) for unit in order.support)


def _of_dice(modifiers: Iterable[Modifier]) -> Iterator[Factor]:
    yield from (Factor(f"dice: {m.what}", f"{m.value:+d}", m.clause) for m in modifiers)


# --- what had to be expected ------------------------------------------------------------------------------------------


def chances(b: Board, what: str, facts: Mapping[str, Any]) -> Shares:
    """What the dice of an event told could have brought, each with its chance; none of an event without dice."""
    match what:
        case "fire":
            return _results(b.tables.fire, facts, facts["strength"])  # 9-2(5)0a
        case "melee":
            return _results(b.tables.melee, facts, facts["difference"])  # 10-2(6)0
        case "check":
            passed = by_sum(lambda die: die + facts["add"] <= facts["morale"], dice=1)  # 10-2(7)
            return shares(Counter({STANDS: passed[True], "breaks": passed[False]}), (STANDS, "breaks"))
        case "recover":
            found = by_sum(lambda die: die <= facts["morale"], dice=1)  # 7(1)
            words = ("recovers", "stays disordered")
            return shares(Counter(dict(zip(words, (found[True], found[False]), strict=True))), words)
    return {}


def _results(table: ResultsTable, facts: Mapping[str, Any], number: int) -> Shares:
    """The results of two dice, in the order in which rising totals bring them."""
    modifier = sum(m["value"] for m in facts["modifiers"])
    found = by_sum(lambda total: result_words(table.result(total + modifier, number)))
    return shares(found, found)


# --- the worst that may come, for a game in which a side's secret is lost ---------------------------------------------


def worst(s: State, request: Roll | Draw, side: str) -> tuple[int, ...] | tuple[str, ...]:
    """The answer to a pending chance that is worst for `side`: lowest or highest dice, weakest or best units."""
    return throws.worst(request, side, _owner(s, request.label), GOOD, lambda unit: _worth(s, unit))


def _owner(s: State, label: str) -> str | None:
    """The side whose unit acts or checks: whose phase it is, but for checks its enemy."""
    side = side_of(s)
    return s.board.enemy[side] if side is not None and label.startswith("check/") else side


def _worth(s: State, unit: str) -> int:
    """How much a unit adds to its side: the sum of what is printed on it."""
    printed = s.board.units[unit]
    lent = sum(printed.command) if printed.command is not None else 0
    return printed.fire + printed.melee + printed.morale + printed.move + printed.range + lent
