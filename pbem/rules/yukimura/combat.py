"""What fire and hand-to-hand combat share: who takes part, with what strength, and column shifts (rulebook 12; R96)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from pbem.maps.hexes import Hex
from pbem.rules.requests import Chance
from pbem.rules.yukimura.held import is_held
from pbem.rules.yukimura.orders import AdvancePlan, Fire, Melee, Path
from pbem.rules.yukimura.state import State

__all__ = ["Group", "Shift", "groups", "participants", "random_group", "random_plans", "shifts", "strength"]

Group = tuple[str, ...]
"""Units that fire or attack together; the first is the one that an order names first."""


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


def random_group(units: Sequence[str], chance: Chance) -> Group:
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


# --- column shifts of both results tables by the ground (12; R96) -----------------------------------------------------


class Shift(NamedTuple):
    """Something that shifts the column, and by how many; to the left, below 0, in favour of the target."""

    what: str
    value: int


def shifts(s: State, attackers: Collection[Hex], target: Hex) -> tuple[Shift, ...]:
    """The shifts of a fire or hand-to-hand combat from these hexes against a hex; they add up (R96)."""
    ground, chart = s.board.ground, s.board.tables.chart
    found = []
    if target in ground.mountain:
        if ground.mountain.isdisjoint(attackers):
            found.append(Shift("target in mountain", -chart.terrain["mountain"].shift))  # 12-1(3)b
    elif ground.mountain.issuperset(attackers):
        found.append(Shift("all from mountain", chart.terrain["mountain"].shift))  # 12-1(3)b
    if all((h, target) in ground.small_river for h in attackers):
        found.append(Shift("all across small river", -chart.sides["small_river"].shift))  # 12-2(1)b
    return tuple(found)
