"""Hand-to-hand combat (rulebook 10)."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.errors import Refusal
from pbem.maps.hexes import Hex
from pbem.rules.kit.ask import Steps
from pbem.rules.requests import Chance, Roll, Tell
from pbem.rules.yukimura import advance
from pbem.rules.yukimura.acting import stem, why_not_act, why_not_on_map
from pbem.rules.yukimura.combat import Shift, groups, participants, random_group, random_plans, shifts, strength
from pbem.rules.yukimura.orders import Melee
from pbem.rules.yukimura.retreat import Procedure, checks, remove
from pbem.rules.yukimura.state import State

__all__ = [
    "attackers", "column", "difference", "melee", "melee_shifts", "options", "sample", "targets", "why_not",
    "why_not_attacker", "why_not_target",
]  # fmt: skip

BARS = {
    "10-1-2": "has attacked: each unit attacks once in a phase",
    "9-1-7.a": "has fired in this phase and can't fight hand-to-hand",
    "13-1(3)a": "was out of command range when the phase began and can't attack",
}
"""What a unit is told that a clause keeps from attacking."""


def why_not(s: State, side: str, order: Melee) -> Refusal | None:
    """Why a hand-to-hand combat is refused: its target, its units one after another, its advances."""
    refusal = why_not_act(s, side, order.unit, "10.a") or why_not_target(s, side, order.target)
    if refusal is not None:
        return refusal
    units = participants(order)
    for i, unit in enumerate(units):
        if unit in units[:i]:
            return Refusal("10-1-2", f"{s.board.describe(unit)} is named twice: each unit attacks once")
        refusal = why_not_attacker(s, side, unit, order.target)
        if refusal is not None:
            return refusal
    return advance.why_not_plans(s, order)


def why_not_target(s: State, side: str, target: str) -> Refusal | None:
    """Why nobody of a side can attack a target."""
    name = s.board.describe(target)
    if s.board.units[target].side == side:
        return Refusal("10-1-1", f"{name} is one of your own units: name an enemy unit")
    if target not in s.at:
        return why_not_on_map(s, target, "10-1-1")
    if target in s.attacked:
        return Refusal("10-1-5", f"{name} has been attacked in this phase: each unit is a target once")
    return None


def why_not_attacker(s: State, side: str, unit: str, target: str) -> Refusal | None:
    """Why a unit can't attack, or take part in an attack on, a target on the map."""
    refusal = why_not_act(s, side, unit, "10.a")
    if refusal is not None:
        return refusal
    name, h = s.board.describe(unit), s.at[target]
    clause = _bar(s, unit)
    if clause:
        return Refusal(clause, f"{name} {BARS[clause]}")
    if h not in s.board.ground.near[s.at[unit]]:
        return Refusal("10.b", f"{name} isn't adjacent to {s.board.describe(target)} at {s.board.place(h)}")
    if h not in s.board.ground.open_to[s.at[unit]]:  # 12-1(4)a, 12-2(2)b
        return Refusal("10-1-6", f"the side between {name} and {s.board.place(h)} is impassable")
    return None


def targets(s: State, side: str) -> Iterator[str]:
    """The enemy units that somebody can attack, by hex."""
    enemies = s.stands[s.board.enemy[side]]
    for h in sorted(enemies, key=lambda h: s.board.label[h]):
        if enemies[h] not in s.attacked and attackers(s, side, h):
            yield enemies[h]


def attackers(s: State, side: str, h: Hex) -> list[str]:
    """The units of a side that can attack a hex with a target, by id."""
    friends = s.stands[side]
    near = [friends[n] for n in s.board.ground.open_to[h] if n in friends]
    return sorted(unit for unit in near if not _bar(s, unit)) if near else []


def difference(s: State, order: Melee) -> int:
    """The attackers' summed strength less the defender's (10-2)."""
    return strength(s, participants(order)) - s.board.units[order.target].strength


def melee_shifts(s: State, order: Melee) -> tuple[Shift, ...]:
    """The column shifts of a hand-to-hand combat."""
    return shifts(s, [s.at[unit] for unit in participants(order)], s.at[order.target])


def column(s: State, order: Melee) -> int:
    """The column of the Hand-to-Hand Combat Results Table in which a combat is resolved (R80)."""
    shift = sum(shift.value for shift in melee_shifts(s, order))
    return s.board.tables.hand_to_hand.column(difference(s, order), shift)  # 10-3


def melee(s: State, order: Melee) -> Steps:
    """Resolve a legal hand-to-hand combat against one unit (10.d); the attackers may advance then."""
    target, units, at = order.target, participants(order), s.at[order.target]
    dice = yield Roll(stem("melee", s, target))  # 10-1-4, 10-3
    table, where = s.board.tables.hand_to_hand, column(s, order)
    result = table.cell(sum(dice), where)
    facts = {
        "unit": order.unit,
        "with": list(order.support),
        "target": target,
        "from": s.board.label[s.at[order.unit]],
        "at": s.board.label[at],
        "dice": list(dice),
        "strength": strength(s, units),
        "against": s.board.units[target].strength,
        "difference": difference(s, order),
        "shifts": [shift._asdict() for shift in melee_shifts(s, order)],
        "column": table.headings[where],
        "total": sum(dice),
        "result": result,
    }
    defence = Procedure(frozenset(s.at[unit] for unit in units))
    attack = Procedure(frozenset({at}))
    s.fought.update(units)  # 10-1-2
    s.attacked.add(target)  # 10-1-5
    yield Tell("melee", "10-3", facts)
    yield from _apply(s, order, result, defence, attack)
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
    for target in targets(s, side):
        for unit, *support in groups(s, attackers(s, side, s.at[target])):
            yield Melee(unit, target, tuple(support))


def sample(s: State, side: str, chance: Chance) -> Melee | None:
    """A random hand-to-hand combat; None when there is none."""
    found = list(targets(s, side))
    if not found:
        return None
    target = chance.choice(found)
    units = random_group(attackers(s, side, s.at[target]), chance)
    plans = random_plans(s, units, (s.at[target],), chance)
    return Melee(units[0], target, units[1:], plans, chance.random() < 0.3)


def _bar(s: State, unit: str) -> str:
    """The clause that keeps a unit on the map from attacking whomever; empty when none does."""
    if unit in s.fought:
        return "10-1-2"
    if unit in s.fired:
        return "9-1-7.a"  # 10-1-7
    return "13-1(3)a" if unit in s.out_of_command else ""
