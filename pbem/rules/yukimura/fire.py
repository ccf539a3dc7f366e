"""Firing: who fires at whom, with what strength, and what comes of it (rulebook 9)."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.errors import Refusal
from pbem.maps.hexes import Hex
from pbem.rules.kit.ask import Steps
from pbem.rules.requests import Chance, Roll, Tell
from pbem.rules.yukimura import advance
from pbem.rules.yukimura.acting import stem, why_not_act, why_not_on_map
from pbem.rules.yukimura.combat import Shift, groups, participants, random_group, random_plans, shifts, strength
from pbem.rules.yukimura.orders import Fire
from pbem.rules.yukimura.retreat import Procedure, checks, remove
from pbem.rules.yukimura.state import State

__all__ = [
    "column", "fire", "fire_shifts", "firers", "options", "sample", "targets", "why_not", "why_not_firer",
    "why_not_target",
]  # fmt: skip

BARS = {
    "9.b": "has no rifles: only riflemen and mounted riflemen fire",
    "9-1-2": "has fired: each unit fires once in a phase",
    "9-1-7.b": "has fought hand-to-hand in this phase and can't fire",
    "13-1(3)a": "was out of command range when the phase began and can't fire",
}
"""What a unit is told that a clause keeps from firing."""


def why_not(s: State, side: str, order: Fire) -> Refusal | None:
    """Why a fire is refused: its target, its units one after another, its advance."""
    refusal = why_not_act(s, side, order.unit, "9.a") or why_not_target(s, side, order.target)
    if refusal is not None:
        return refusal
    units = participants(order)
    for i, unit in enumerate(units):
        if unit in units[:i]:
            return Refusal("9-1-2", f"{s.board.describe(unit)} is named twice: each unit fires once")
        refusal = why_not_firer(s, side, unit, order.target)
        if refusal is not None:
            return refusal
    return advance.why_not_plans(s, order)


def why_not_target(s: State, side: str, target: str) -> Refusal | None:
    """Why nobody of a side can fire at a target."""
    name = s.board.describe(target)
    if s.board.units[target].side == side:
        return Refusal("9-1-1", f"{name} is one of your own units: name an enemy unit")
    if target not in s.at:
        return why_not_on_map(s, target, "9-1-1")
    if target in s.shot_at:
        when = "this phase" if s.step else "this Defensive Fire Phase"
        return Refusal("9-1-5", f"{name} has been fired at in {when}: each unit is a target once")
    return None


def why_not_firer(s: State, side: str, unit: str, target: str) -> Refusal | None:
    """Why a unit can't fire, or take part in a fire, at a target on the map."""
    refusal = why_not_act(s, side, unit, "9.a")
    if refusal is not None:
        return refusal
    name = s.board.describe(unit)
    clause = _bar(s, unit)
    if clause:
        return Refusal(clause, f"{name} {BARS[clause]}")
    if s.at[target] not in s.board.ground.near[s.at[unit]]:  # impassable sides don't hinder: 9-1-6
        return Refusal("9.c", f"{name} isn't adjacent to {s.board.describe(target)} at {s.board.place(s.at[target])}")
    return None


def targets(s: State, side: str) -> Iterator[str]:
    """The enemy units at which somebody can fire, by hex."""
    enemies = s.stands[s.board.enemy[side]]
    for h in sorted(enemies, key=lambda h: s.board.label[h]):
        if enemies[h] not in s.shot_at and firers(s, side, h):
            yield enemies[h]


def firers(s: State, side: str, h: Hex) -> list[str]:
    """The units of a side that can fire at a hex with a target, by id."""
    friends = s.stands[side]
    near = [friends[n] for n in s.board.ground.near[h] if n in friends]
    return sorted(unit for unit in near if not _bar(s, unit)) if near else []


def fire_shifts(s: State, order: Fire) -> tuple[Shift, ...]:
    """The column shifts of a fire."""
    return shifts(s, [s.at[unit] for unit in participants(order)], s.at[order.target])


def column(s: State, order: Fire) -> int:
    """The column of the Firing Results Table in which a fire is resolved."""
    shift = sum(shift.value for shift in fire_shifts(s, order))
    return s.board.tables.firing.column(strength(s, participants(order)), shift)  # 9-2.a


def fire(s: State, order: Fire) -> Steps:
    """Resolve a legal fire at one target (9.d); in a Combat Phase one unit may advance then."""
    target, units, at = order.target, participants(order), s.at[order.target]
    dice = yield Roll(stem("fire", s, target))  # 9-1-4, 9-2.a
    table, where = s.board.tables.firing, column(s, order)
    result = table.cell(sum(dice), where)
    facts = {
        "unit": order.unit,
        "with": list(order.support),
        "target": target,
        "from": s.board.label[s.at[order.unit]],
        "at": s.board.label[at],
        "dice": list(dice),
        "strength": strength(s, units),
        "shifts": [shift._asdict() for shift in fire_shifts(s, order)],
        "column": table.headings[where],
        "total": sum(dice),
        "result": result,
    }
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
    for target in targets(s, side):
        for unit, *support in groups(s, firers(s, side, s.at[target])):
            yield Fire(unit, target, tuple(support))


def sample(s: State, side: str, chance: Chance) -> Fire | None:
    """A random fire; None when there is none."""
    found = list(targets(s, side))
    if not found:
        return None
    target = chance.choice(found)
    units = random_group(firers(s, side, s.at[target]), chance)
    plans = random_plans(s, units, (), chance)[:1] if s.step else ()
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
