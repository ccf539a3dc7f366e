"""Hand-to-hand combat (rulebook 10)."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.errors import Refusal
from pbem.maps.hexes import Hex
from pbem.rules.kit.ask import Steps
from pbem.rules.requests import Chance, Roll, Tell
from pbem.rules.yukimura import advance, combat
from pbem.rules.yukimura.acting import stem, why_not_act
from pbem.rules.yukimura.combat import Combat, participants, shifts, strength
from pbem.rules.yukimura.orders import Melee
from pbem.rules.yukimura.retreat import Procedure, checks, remove
from pbem.rules.yukimura.state import State

__all__ = ["MELEE", "attackers", "column", "difference", "melee", "options", "sample", "why_never", "why_not"]

BARS = {
    "10-1-2": "has attacked: each unit attacks once in a phase",
    "9-1-7.a": "has fired in this phase and can't fight hand-to-hand",
    "13-1(3)a": "was out of command range when the phase began and can't attack",
}
"""What a unit is told that a clause keeps from attacking."""


def why_not(s: State, side: str, order: Melee) -> Refusal | None:
    """Why a hand-to-hand combat is refused: its target, its units one after another, its advances."""
    return combat.why_not(s, side, order, MELEE) or advance.why_not_plans(s, order)


def why_never(s: State, side: str, order: Melee) -> Refusal | None:
    """Why a hand-to-hand combat can come of nothing, whatever comes before."""
    return combat.why_never(s, side, order, MELEE, enemy="10-1-1")


def why_not_target(s: State, side: str, target: str) -> Refusal | None:
    """Why nobody of a side can attack a target."""
    refusal = combat.why_not_enemy(s, side, target, "10-1-1")
    if refusal is None and target in s.attacked:
        reason = f"{s.board.describe(target)} has been attacked in this phase: each unit is a target once"
        return Refusal("10-1-5", reason)
    return refusal


def attackers(s: State, side: str, h: Hex) -> list[str]:
    """The units of a side that can attack a hex with a target, by id."""
    return combat.able(s, side, s.board.ground.open_to[h], _bar)  # 10.b, 10-1-6


def why_no_attacker(s: State, side: str, unit: str, target: str) -> Refusal:
    """Why a unit isn't one of those that can attack a target on the map."""
    refusal = why_not_act(s, side, unit, "10.a")
    if refusal is not None:
        return refusal
    name, h, clause = s.board.describe(unit), s.at[target], _bar(s, unit)
    if clause:
        return Refusal(clause, f"{name} {BARS[clause]}")
    if h not in s.board.ground.near[s.at[unit]]:
        return Refusal("10.b", f"{name} isn't adjacent to {s.board.describe(target)} at {s.board.place(h)}")
    return Refusal("10-1-6", f"the side between {name} and {s.board.place(h)} is impassable")  # 12-1(4)a, 12-2(2)b


MELEE = Combat(
    "10.a", Refusal("10-1-2", "is named twice: each unit attacks once"), why_not_target, attackers, why_no_attacker
)
"""Who can attack whom."""


def difference(s: State, order: Melee) -> int:
    """The attackers' summed strength less the defender's (10-2)."""
    return strength(s, participants(order)) - s.board.units[order.target].strength


def column(s: State, order: Melee) -> int:
    """The column of the Hand-to-Hand Combat Results Table in which a combat is resolved (R80)."""
    shift = sum(shift.value for shift in shifts(s, order))
    return s.board.tables.hand_to_hand.column(difference(s, order), shift)  # 10-3


def melee(s: State, order: Melee) -> Steps:
    """Resolve a legal hand-to-hand combat against one unit (10.d); the attackers may advance then."""
    target, units, at = order.target, participants(order), s.at[order.target]
    dice = yield Roll(stem("melee", s, target))  # 10-1-4, 10-3
    against, by = s.board.units[target].strength, difference(s, order)
    table = s.board.tables.hand_to_hand
    facts = combat.facts(s, order, dice, table, column(s, order), against=against, difference=by)
    defence = Procedure(frozenset(s.at[unit] for unit in units))
    attack = Procedure(frozenset({at}))
    s.fought.update(units)  # 10-1-2
    s.attacked.add(target)  # 10-1-5
    yield Tell("melee", "10-3", facts)
    yield from _apply(s, order, facts["result"], defence, attack)
    if s.ended is None and s.at.get(target) != at:  # 11-3.b
        yield from advance.after_melee(s, order, at, defence.trails.get(target, ()), attack.done)


def _apply(s: State, order: Melee, result: str, defence: Procedure, attack: Procedure) -> Steps:
    """The result of a hand-to-hand combat on both sides; nobody advances for the defender (R87)."""
    units = participants(order)
    if result == "AE":
        for unit in units:
            yield from remove(s, unit, "hand-to-hand combat", "10-3-1(AE)")  # 10-3-1(AE)
            if s.ended is not None:
                return
    elif result == "DE":
        yield from remove(s, order.target, "hand-to-hand combat", "10-3-1(DE)")  # 10-3-1(DE)
    else:
        add = int(result[1])
        if result[0] in "BD":
            yield from checks(s, defence, (order.target,), add, "melee")  # 10-3-1(B1).b, 10-3-1(D)
        if result[0] in "AB" and s.ended is None:
            yield from checks(s, attack, units, add, "melee")  # 10-3-1(A), 10-3-1(B1).a


def options(s: State, side: str) -> Iterator[Melee]:
    """For each target the attack of each unit alone, of the strongest two, three ... and of all."""
    return (Melee(unit, target, tuple(support)) for target, (unit, *support) in combat.listed(s, side, MELEE))


def sample(s: State, side: str, chance: Chance) -> Melee | None:
    """A random hand-to-hand combat; None when there is none."""
    found = combat.picked(s, side, MELEE, chance)
    if found is None:
        return None
    target, units = found
    plans = combat.random_plans(s, units, (s.at[target],), chance)
    return Melee(units[0], target, units[1:], plans, chance.random() < 0.3)


def _bar(s: State, unit: str) -> str:
    """The clause that keeps a unit on the map from attacking whomever; empty when none does."""
    if unit in s.fought:
        return "10-1-2"
    if unit in s.fired:
        return "9-1-7.a"  # 10-1-7
    return "13-1(3)a" if unit in s.out_of_command else ""
