"""Column shifts of both results tables by the ground (rulebook 12; R96)."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from pbem.maps.hexes import Hex
from pbem.rules.yukimura.state import State

__all__ = ["Shift", "shifts"]


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
