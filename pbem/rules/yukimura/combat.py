"""What fire and hand-to-hand combat share: who takes part, with what strength, and column shifts (rulebook 12; R96)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from pbem.errors import Refusal
from pbem.maps.hexes import Hex
from pbem.records import NamedTuple
from pbem.rules.kit.tables import ResultsTable
from pbem.rules.requests import Chance
from pbem.rules.yukimura.acting import why_never_act, why_not_act, why_not_on_map
from pbem.rules.yukimura.held import is_held
from pbem.rules.yukimura.orders import AdvancePlan, Fire, Melee, Path
from pbem.rules.yukimura.state import State

__all__ = [
    "Combat", "Group", "Shift", "able", "facts", "groups", "listed", "participants", "picked", "random_plans",
    "shifts", "strength", "targets", "why_never", "why_not", "why_not_enemy",
]  # fmt: skip

Group = tuple[str, ...]
"""Units that fire or attack together; the first is the one that an order names first."""


class Combat(NamedTuple):
    """What fire and hand-to-hand combat have each of its own when somebody asks who can fight whom.

    own              the clause by which units of one's own side take part
    twice            the refusal of a unit that is named twice, to be put behind its name
    why_not_target   why nobody of a side can fire at a unit, or attack it
    able             the units of a side that can do so to a target in a hex, by id
    why_unable       why a unit isn't one of them
    """

    own: str
    twice: Refusal
    why_not_target: Callable[[State, str, str], Refusal | None]
    able: Callable[[State, str, Hex], list[str]]
    why_unable: Callable[[State, str, str, str], Refusal]


def why_not(s: State, side: str, order: Fire | Melee, combat: Combat) -> Refusal | None:
    """Why an order is refused, whoever advances then: its target, its units one after another."""
    refusal = why_not_act(s, side, order.unit, combat.own) or combat.why_not_target(s, side, order.target)
    if refusal is not None:
        return refusal
    units, found = participants(order), combat.able(s, side, s.at[order.target])
    for i, unit in enumerate(units):
        if unit in units[:i]:
            return combat.twice._replace(reason=f"{s.board.describe(unit)} {combat.twice.reason}")
        if unit not in found:
            return combat.why_unable(s, side, unit, order.target)
    return None


def why_never(s: State, side: str, order: Fire | Melee, combat: Combat, enemy: str) -> Refusal | None:
    """Why nothing can come of an order whatever comes before: by its units, or its target (clause `enemy`)."""
    units = (why_never_act(s, side, unit, combat.own) for unit in participants(order))
    if (refusal := next(filter(None, units), None)) is not None:
        return refusal
    refusal = why_not_enemy(s, side, order.target, enemy)
    own_or_gone = s.board.units[order.target].side == side or order.target in s.removed or order.target in s.exited
    return refusal if own_or_gone else None


def why_not_enemy(s: State, side: str, target: str, clause: str) -> Refusal | None:
    """Why a target isn't an enemy unit on the map, as by this clause it must be."""
    if s.board.units[target].side == side:
        return Refusal(clause, f"{s.board.describe(target)} is one of your own units: name an enemy unit")
    return None if target in s.at else why_not_on_map(s, target, clause)


def able(s: State, side: str, around: Iterable[Hex], bar: Callable[[State, str], str]) -> list[str]:
    """The units of a side in these hexes that no clause bars, by id."""
    friends = s.stands[side]
    near = [friends[h] for h in around if h in friends]
    return sorted(unit for unit in near if not bar(s, unit)) if near else []


def targets(s: State, side: str, combat: Combat) -> Iterator[str]:
    """The enemy units at which somebody can fire, or whom somebody can attack, by hex."""
    friends, enemies, near = s.stands[side].keys(), s.stands[s.board.enemy[side]], s.board.ground.near
    faced = [h for h in enemies if not friends.isdisjoint(near[h])]  # 9.c, 10.a: nobody else is a target
    for h in sorted(faced, key=s.board.label.__getitem__):
        if combat.able(s, side, h) and combat.why_not_target(s, side, enemies[h]) is None:
            yield enemies[h]


def listed(s: State, side: str, combat: Combat) -> Iterator[tuple[str, Group]]:
    """Each target with each unit alone, with the strongest two, three ... and with all."""
    for target in targets(s, side, combat):
        for group in groups(s, combat.able(s, side, s.at[target])):
            yield target, group


def picked(s: State, side: str, combat: Combat, chance: Chance) -> tuple[str, Group] | None:
    """A random target with a random group; None when there is none."""
    found = list(targets(s, side, combat))
    if not found:
        return None
    target = chance.choice(found)
    return target, _random_group(combat.able(s, side, s.at[target]), chance)


def participants(order: Fire | Melee) -> Group:
    """The units that fire or attack, in the order in which they are named."""
    return (order.unit, *order.support)


def strength(s: State, units: Group) -> int:
    """The summed Combat Strength (9-2.a, 10-2)."""
    return sum(s.board.units[unit].strength for unit in units)


def groups(s: State, units: Sequence[str]) -> list[Group]:
    """Each unit alone; then the strongest two, three ... up to all."""
    strongest = sorted(units, key=lambda unit: (-s.board.units[unit].strength, unit))
    return [(unit,) for unit in strongest] + [tuple(strongest[:count]) for count in range(2, len(strongest) + 1)]


def _random_group(units: Sequence[str], chance: Chance) -> Group:
    """Some of the units, at least one, in random order."""
    left = list(units)
    picked = [left.pop(chance.randrange(len(left)))]
    while left and chance.random() < 0.6:
        picked.append(left.pop(chance.randrange(len(left))))
    return tuple(picked)


def random_plans(s: State, units: Group, path: Path, chance: Chance) -> tuple[AdvancePlan, ...]:
    """Advances for some of the units that may, as far as they can or only so far."""
    planned = [unit for unit in units if chance.random() < 0.5 and not is_held(s, unit)]
    return tuple(AdvancePlan(unit, path if chance.random() < 0.3 else ()) for unit in planned)


def facts(
    s: State, order: Fire | Melee, dice: Sequence[int], table: ResultsTable, column: int, **more: int
) -> dict[str, Any]:
    """What is told of a fire or hand-to-hand combat, with the result by these dice in a column of its table."""
    return {
        "unit": order.unit,
        "with": list(order.support),
        "target": order.target,
        "from": s.board.label[s.at[order.unit]],
        "at": s.board.label[s.at[order.target]],
        "dice": list(dice),
        "strength": strength(s, participants(order)),
        **more,
        "shifts": [{"what": shift.what, "value": shift.value} for shift in shifts(s, order)],
        "column": table.headings[column],
        "total": sum(dice),
        "result": table.cell(sum(dice), column),
    }


# --- column shifts of both results tables by the ground (12; R96) -----------------------------------------------------


class Shift(NamedTuple):
    """Something that shifts the column, by how many, and its clause; to the left, below 0, in favour of the target."""

    what: str
    value: int
    clause: str


def shifts(s: State, order: Fire | Melee) -> tuple[Shift, ...]:
    """The column shifts of a fire or hand-to-hand combat; they add up (R96)."""
    ground, chart = s.board.ground, s.board.tables.chart
    attackers, target = [s.at[unit] for unit in participants(order)], s.at[order.target]
    found = []
    if target in ground.mountain:
        if ground.mountain.isdisjoint(attackers):
            found.append(Shift("target in mountain", -chart.terrain["mountain"].shift, "12-1(3)b"))
    elif ground.mountain.issuperset(attackers):
        found.append(Shift("all from mountain", chart.terrain["mountain"].shift, "12-1(3)b"))
    if all((h, target) in ground.small_river for h in attackers):
        found.append(Shift("all across small river", -chart.sides["small_river"].shift, "12-2(1)b"))
    return tuple(found)
