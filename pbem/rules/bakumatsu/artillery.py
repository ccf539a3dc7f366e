"""What is special about artillery (rulebook 12): fire at a distance; its end through fire and melee."""

from __future__ import annotations

from pbem.errors import Refusal
from pbem.maps.hexes import Hex, distance
from pbem.rules.bakumatsu.board import Unit
from pbem.rules.bakumatsu.state import State
from pbem.rules.requests import Tell

__all__ = ["distant_targets", "lost_to_fire", "lost_to_melee", "why_not_at_distance"]


def distant_targets(s: State, unit: Unit, start: Hex) -> list[Hex]:
    """The enemy hexes in range of artillery that a friend spots, in order."""
    enemies = s.stands[s.board.enemy[unit.side]]
    return [h for h in sorted(s.board.ground.reach[unit.range][start] & enemies.keys()) if _spotted(s, unit, h)]


def why_not_at_distance(s: State, unit: Unit, start: Hex, target: Hex) -> Refusal | None:
    """Why artillery can't fire at an enemy that isn't adjacent; units between don't matter (12(2)b)."""
    if target not in s.board.ground.reach[unit.range][start]:  # 2-2-1(2)6
        place, far = s.board.place(target), distance(start, target)
        return Refusal("12(2)a", f"{place} is {far} hexes away, {s.board.describe(unit.id)} has range {unit.range}")
    if not _spotted(s, unit, target):
        return Refusal(
            "12(2)a", f"no other unit of its side is adjacent to {s.board.place(target)} to spot for artillery"
        )
    return None


def lost_to_fire(s: State, unit: str) -> Tell:
    """Artillery that suffers D or DD."""
    return s.remove(unit, "artillery hit by fire", "12(3)")  # 12(3)


def lost_to_melee(s: State, unit: str) -> Tell:
    """Artillery that suffers Mx, whatever its morale."""
    return s.remove(unit, "artillery beaten in melee", "12(4)")  # 12(4)


def _spotted(s: State, unit: Unit, target: Hex) -> bool:
    """Whether a friend of the gun, other than itself, is adjacent to the target (over rivers too)."""
    friends = s.stands[unit.side]
    return any(friends.get(h, unit.id) != unit.id for h in s.board.ground.near[target])  # 12(2)a
