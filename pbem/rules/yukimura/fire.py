"""Firing: who fires at whom, with what strength, and what comes of it (rulebook 9)."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.errors import Refusal
from pbem.maps.hexes import Hex
from pbem.rules.kit.ask import Steps
from pbem.rules.requests import Chance, Roll, Tell
from pbem.rules.yukimura import advance, combat
from pbem.rules.yukimura.acting import stem, why_not_act
from pbem.rules.yukimura.combat import Combat, participants, shifts, strength
from pbem.rules.yukimura.orders import Fire
from pbem.rules.yukimura.retreat import Procedure, checks, remove
from pbem.rules.yukimura.state import State

__all__ = ["FIRE", "column", "fire", "firers", "options", "sample", "why_never", "why_not"]

BARS = {
    "9.b": "has no rifles: only riflemen and mounted riflemen fire",
    "9-1-2": "has fired: each unit fires once in a phase",
    "9-1-7.b": "has fought hand-to-hand in this phase and can't fire",
    "13-1(3)a": "was out of command range when the phase began and can't fire",
}
"""What a unit is told that a clause keeps from firing."""


def why_not(s: State, side: str, order: Fire) -> Refusal | None:
    """Why a fire is refused: its target, its units one after another, its advance."""
    return combat.why_not(s, side, order, FIRE) or advance.why_not_plans(s, order)


def why_never(s: State, side: str, order: Fire) -> Refusal | None:
    """Why a fire can come of nothing, whatever comes before."""
    refusal = combat.why_never(s, side, order, FIRE, enemy="9-1-1")
    unarmed = (unit for unit in participants(order) if not s.board.units[unit].rifle)
    if refusal is None and (unit := next(unarmed, None)) is not None:
        return Refusal("9.b", f"{s.board.describe(unit)} {BARS['9.b']}")
    return refusal


def why_not_target(s: State, side: str, target: str) -> Refusal | None:
    """Why nobody of a side can fire at a target."""
    refusal = combat.why_not_enemy(s, side, target, "9-1-1")
    if refusal is None and target in s.shot_at:
        when = "this phase" if s.step else "this Defensive Fire Phase"
        reason = f"{s.board.describe(target)} has been fired at in {when}: each unit is a target once"
        return Refusal("9-1-5", reason)
    return refusal


def firers(s: State, side: str, h: Hex) -> list[str]:
    """The units of a side that can fire at a hex with a target, by id."""
    return combat.able(s, side, s.board.ground.near[h], _bar)  # 9.c; impassable sides don't hinder: 9-1-6


def why_no_firer(s: State, side: str, unit: str, target: str) -> Refusal:
    """Why a unit isn't one of those that can fire at a target on the map."""
    refusal = why_not_act(s, side, unit, "9.a")
    if refusal is not None:
        return refusal
    name, clause = s.board.describe(unit), _bar(s, unit)
    if clause:
        return Refusal(clause, f"{name} {BARS[clause]}")
    return Refusal("9.c", f"{name} isn't adjacent to {s.board.describe(target)} at {s.board.place(s.at[target])}")


FIRE = Combat("9.a", Refusal("9-1-2", "is named twice: each unit fires once"), why_not_target, firers, why_no_firer)
"""Who can fire at whom."""


def column(s: State, order: Fire) -> int:
    """The column of the Firing Results Table in which a fire is resolved."""
    shift = sum(shift.value for shift in shifts(s, order))
    return s.board.tables.firing.column(strength(s, participants(order)), shift)  # 9-2.a


def fire(s: State, order: Fire) -> Steps:
    """Resolve a legal fire at one target (9.d); in a Combat Phase one unit may advance then."""
    target, units, at = order.target, participants(order), s.at[order.target]
    dice = yield Roll(stem("fire", s, target))  # 9-1-4, 9-2.a
    facts = combat.facts(s, order, dice, s.board.tables.firing, column(s, order))
    result = facts["result"]
    p = Procedure(frozenset(s.at[unit] for unit in units))
    s.fired.update(units)  # 9-1-2
    s.shot_at.add(target)  # 9-1-5
    yield Tell("fire", "9-2.a", facts)
    if result == "E":
        yield from remove(s, target, "fire", "9-2-1(E)")  # 9-2-1(E)
    elif result != "-":  # 9-2-1(-)
        yield from checks(s, p, (target,), int(result), "fire")  # 9-2-1(0-4), 9-2.b
    if s.ended is None and s.step and s.at.get(target) != at:  # 11-3-2, 11-3.b
        yield from advance.after_fire(s, order, at)


def options(s: State, side: str) -> Iterator[Fire]:
    """For each target the fire of each unit alone, of the strongest two, three ... and of all."""
    return (Fire(unit, target, tuple(support)) for target, (unit, *support) in combat.listed(s, side, FIRE))


def sample(s: State, side: str, chance: Chance) -> Fire | None:
    """A random fire; None when there is none."""
    found = combat.picked(s, side, FIRE, chance)
    if found is None:
        return None
    target, units = found
    plans = combat.random_plans(s, units, (), chance)[:1] if s.step else ()
    return Fire(units[0], target, units[1:], plans, chance.random() < 0.3)


def _bar(s: State, unit: str) -> str:
    """The clause that keeps a unit on the map from firing at whomever; empty when none does."""
    if not s.board.units[unit].rifle:
        return "9.b"
    if unit in s.fired:
        return "9-1-2"
    if unit in s.fought:
        return "9-1-7.b"
    return "13-1(3)a" if s.step and unit in s.out_of_command else ""  # no effect on defensive fire: 13-1(3)c
