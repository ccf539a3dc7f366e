"""Where a unit may retreat to: legal steps and ways (rulebook 11-1; R82), and which of them serves its owner best."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any, TypeAlias

from pbem.errors import Refusal
from pbem.maps.hexes import Hex, distance
from pbem.rules.kit.standing import preferences
from pbem.rules.requests import Words
from pbem.rules.yukimura.orders import Path
from pbem.rules.yukimura.state import State
from pbem.rules.yukimura.zoc import in_enemy_zoc

__all__ = ["Rank", "preferred", "steps", "ways", "why_not_step"]

Rank: TypeAlias = Callable[[Path], tuple[Any, ...]]
"""How good a way is; the least is the best."""


def steps(s: State, side: str, h: Hex, threats: Collection[Hex]) -> list[Hex]:
    """The hexes to which a unit of a side may retreat from a hex by one step, by number.

    Friends and movement costs don't matter (11-1-2.a). `threats` are the hexes of those from whom it retreats.
    """
    enemies, label = s.stands[s.board.enemy[side]], s.board.label
    far = [(t, distance(h, t)) for t in threats]
    found = [
        n
        for n in s.board.ground.open_to[h]  # 11-1-2(3), 11-1-2(4), R71
        if n not in enemies  # 11-1-2(1)
        and all(distance(n, t) > d for t, d in far)  # 11-1-1, R82
        and not in_enemy_zoc(s, side, n)  # 11-1-2(2)
    ]
    return sorted(found, key=lambda n: label[n])


def ways(s: State, side: str, start: Hex, length: int, threats: Collection[Hex]) -> list[Path]:
    """Every way of exactly so many legal steps, by number; none when the retreat isn't possible (11-1-3)."""
    return list(_ways(s, side, (start,), length, threats))


def _ways(s: State, side: str, gone: Path, left: int, threats: Collection[Hex]) -> Iterator[Path]:
    if not left:
        yield gone[1:]
        return
    for h in steps(s, side, gone[-1], threats):
        yield from _ways(s, side, (*gone, h), left - 1, threats)


def why_not_step(s: State, side: str, here: Hex, h: Hex, threats: Collection[Hex]) -> Refusal | None:
    """Why a retreat can't take a step, by its first reason."""
    board, place = s.board, s.board.place(h)
    if h not in board.ground.near[here]:
        return Refusal("11-1-2.a", f"{board.place(here)} and {place} aren't adjacent")
    if h not in board.ground.open_to[here]:
        return board.why_shut(here, h, "11-1-2(3)")
    if h in s.stands[board.enemy[side]]:
        return Refusal("11-1-2(1)", f"{place} is occupied by an enemy unit")
    if in_enemy_zoc(s, side, h):
        return Refusal("11-1-2(2)", f"{place} is in an enemy ZOC")
    near = [board.label[t] for t in sorted(threats) if distance(h, t) <= distance(here, t)]
    if near:
        return Refusal("11-1-1", f"{place} is no farther from the enemy at {', '.join(near)} than {board.place(here)}")
    return None


def preferred(s: State, unit: str, orders: Sequence[Words], found: Sequence[Path], rank: Rank) -> Path | None:
    """The way by a unit's standing orders, tried in the order written; of several that fit the best by `rank`.

    A hex is where the way ends or, when none does, what it leads through; a direction is that of the first step,
    and as many later steps as possible take it, too.
    """
    label, start = s.board.label, s.at[unit]
    entered = {label[h] for path in found for h in path}
    for word in preferences(orders, "retreat", unit):
        if word in entered:
            ending = [path for path in found if label[path[-1]] == word]
            return min(ending or [path for path in found if word in (label[h] for h in path)], key=rank)
        heading = [] if word[-1:].isdigit() else [path for path in found if _heads(s, start, path[0], word)]
        if heading:
            return min((-_straight(s, start, path, word), rank(path), path) for path in heading)[2]
    return None


def _straight(s: State, start: Hex, path: Path, word: str) -> int:
    """How many steps of a way go in a direction."""
    return sum(_heads(s, a, b, word) for a, b in zip((start, *path), path, strict=False))


def _heads(s: State, a: Hex, b: Hex, word: str) -> bool:
    return s.board.map_of(a).direction(a, b) == word
