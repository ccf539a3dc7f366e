"""Where a unit may retreat to: legal steps and ways (rulebook 11-1; R82), and which of them serves its owner best."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any, TypeAlias

from pbem.errors import Refusal
from pbem.maps.hexes import Hex, distance
from pbem.rules.kit import retreats
from pbem.rules.kit.retreats import Bar, Steps, legal_steps
from pbem.rules.kit.standing import preferences
from pbem.rules.requests import Words
from pbem.rules.yukimura.orders import Path
from pbem.rules.yukimura.state import State
from pbem.rules.yukimura.zoc import enemy_zoc

__all__ = ["Rank", "preferred", "retreat_bar", "steps", "ways", "why_not_way"]

Rank: TypeAlias = Callable[[Path], tuple[Any, ...]]
"""How good a way is; the least is the best."""


def retreat_bar(s: State, side: str, threats: Collection[Hex]) -> Bar:
    """The clause that forbids a step of a side's retreat from the hexes `threats`, empty when it is legal.

    Friends and movement costs don't matter (11-1-2.a).
    """
    ground, enemies, shut = s.board.ground, s.stands[s.board.enemy[side]], enemy_zoc(s, side)

    def bar(here: Hex, h: Hex) -> str:
        if h not in ground.near[here]:
            return "11-1-2.a"
        if h not in ground.open_to[here]:
            return "11-1-2(3)"  # 11-1-2(4), R71
        if h in enemies:
            return "11-1-2(1)"
        if shut(h):
            return "11-1-2(2)"
        return "11-1-1" if any(distance(h, t) <= distance(here, t) for t in threats) else ""  # R82

    return bar


def steps(s: State, side: str, threats: Collection[Hex]) -> Steps:
    """The hexes to which a unit of a side may retreat from a hex by one step, by number."""
    legal, label = legal_steps(s.board.ground.near, retreat_bar(s, side, threats)), s.board.label
    return lambda here: sorted(legal(here), key=label.__getitem__)


def ways(s: State, side: str, start: Hex, length: int, threats: Collection[Hex]) -> list[Path]:
    """Every way of exactly so many legal steps, by number; none when the retreat isn't possible (11-1-3)."""
    return list(retreats.ways(start, steps(s, side, threats), lambda path: len(path) == length))


def why_not_way(s: State, side: str, start: Hex, path: Path, threats: Collection[Hex]) -> Refusal | None:
    """Why a retreat can't take these steps, by the first reason."""
    board, bar = s.board, retreat_bar(s, side, threats)
    for here, h in zip((start, *path), path, strict=False):
        clause, place = bar(here, h), board.place(h)
        match clause:
            case "":
                continue
            case "11-1-2.a":
                reason = f"{board.place(here)} and {place} aren't adjacent"
            case "11-1-2(3)":
                return board.why_shut(here, h, clause)
            case "11-1-2(1)":
                reason = f"{place} is occupied by an enemy unit"
            case "11-1-2(2)":
                reason = f"{place} is in an enemy ZOC"
            case _:
                near = [board.label[t] for t in sorted(threats) if distance(h, t) <= distance(here, t)]
                reason = f"{place} is no farther from the enemy at {', '.join(near)} than {board.place(here)}"
        return Refusal(clause, reason)
    return None


def preferred(s: State, unit: str, orders: Sequence[Words], found: Sequence[Path], rank: Rank) -> Path | None:
    """The way by a unit's standing orders, tried in the order written; of several that fit the best by `rank`.

    A hex is where the way ends or, when none does, what it leads through; a direction is that of the first step,
    and as many later steps as possible take it, too.
    """
    label, start = s.board.label, s.at[unit]
    entered = {label[h] for path in found for h in path}

    def by_hex(word: str) -> Path | None:
        if word not in entered:
            return None
        ending = [path for path in found if label[path[-1]] == word]
        return min(ending or [path for path in found if word in (label[h] for h in path)], key=rank)

    def by_direction(word: str) -> Path | None:
        heading = [path for path in found if _heads(s, start, path[0], word)]
        return min(heading, key=lambda path: (-_straight(s, start, path, word), rank(path), path), default=None)

    return retreats.preferred(preferences(orders, "retreat", unit), by_hex, by_direction)


def _straight(s: State, start: Hex, path: Path, word: str) -> int:
    """How many steps of a way go in a direction."""
    return sum(_heads(s, a, b, word) for a, b in zip((start, *path), path, strict=False))


def _heads(s: State, a: Hex, b: Hex, word: str) -> bool:
    return s.board.map_of(a).direction(a, b) == word
