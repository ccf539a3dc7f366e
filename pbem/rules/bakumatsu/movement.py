"""Movement, normal and by road (rulebook 8): the check of a path, its cost, and the walk along it."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.errors import Refusal
from pbem.maps.hexes import Hex
from pbem.rules.bakumatsu import victory
from pbem.rules.bakumatsu.acting import why_not_act
from pbem.rules.bakumatsu.board import Unit
from pbem.rules.bakumatsu.orders import March, Move, Path
from pbem.rules.bakumatsu.state import State
from pbem.rules.bakumatsu.tables import BARRIERS
from pbem.rules.bakumatsu.zoc import in_enemy_zoc
from pbem.rules.requests import Tell

__all__ = [
    "ROAD_RATE",
    "carry_out",
    "is_free",
    "move_cost",
    "walk",
    "why_not",
    "why_not_march_path",
    "why_not_move_path",
]

ROAD_RATE = 2  # 8-2(1)


def why_not(s: State, side: str, order: Move | March) -> Refusal | None:
    """Why a unit on the map can't move along a path."""
    refusal = why_not_act(s, side, order.unit, owner="8(0)", marked="6(3)")  # 6(2), 8(5)
    if refusal is not None:
        return refusal
    unit, start = s.board.units[order.unit], s.at[order.unit]
    if isinstance(order, Move):
        return why_not_move_path(s, unit, start, order.path)
    return why_not_march_path(s, unit, start, order.path)


def why_not_move_path(s: State, unit: Unit, start: Hex, path: Path) -> Refusal | None:
    """Why a unit can't go along a path by normal movement (8-1); enemy ZOC restrict it (3-2(3)1)."""
    if not path:
        return Refusal("8(5)", "a move has at least one step")
    ground, cost = s.board.ground, 0
    zoc, enemies = ground.zoc, s.stands[s.board.enemy[unit.side]].keys()
    here, threatened, entered = start, not enemies.isdisjoint(zoc[start]), False
    if threatened:
        cost = 1  # 8-1(3)2
    for h in path:
        price = ground.cost[here].get(h)
        if price is None or not is_free(s, unit, h):
            return _why_not_step(s, here, h)
        if threatened:
            if entered:
                return Refusal("8-1(3)1", f"{s.board.place(here)} is in an enemy ZOC: the unit must stop there")
            if not enemies.isdisjoint(zoc[h]):
                reason = (
                    f"{s.board.label[here]} and {s.board.label[h]} are both in enemy ZOC: no direct step between them"
                )
                return Refusal("8-1(3)3", reason)  # 8-1(4)b
        cost += price
        here, threatened, entered = h, not enemies.isdisjoint(zoc[h]), True
    if cost > unit.move and len(path) > 1:  # 2-2-1(2)5, 8(2)b, 8-1(4)a
        return Refusal("8(2)a", f"the path costs {cost} movement points, {s.board.describe(unit.id)} has {unit.move}")
    return None


def why_not_march_path(s: State, unit: Unit, start: Hex, path: Path) -> Refusal | None:
    """Why a unit can't go along a path by road movement (8-2), the whole of it (8(3))."""
    if not path:
        return Refusal("8(5)", "a march has at least one step")
    roads = s.board.ground.roads
    if not roads[start]:
        return Refusal("8-2(2)a", f"{s.board.place(start)} is no road hex: use `move`")
    if in_enemy_zoc(s, unit.side, start):
        return Refusal("8-2(2)b", f"{s.board.place(start)} is in an enemy ZOC: use `move`")
    here = start
    for h in path:
        if h not in roads[here]:
            return Refusal("8-2(3)", f"no road leads from {s.board.label[here]} straight to {s.board.label[h]}")
        if not is_free(s, unit, h):
            return _why_not_step(s, here, h)
        if in_enemy_zoc(s, unit.side, h):
            return Refusal("8-2(5)", f"{s.board.place(h)} is in an enemy ZOC: road movement can't enter it")
        here = h
    if len(path) > ROAD_RATE * unit.move:
        most = f"{s.board.describe(unit.id)} marches {ROAD_RATE * unit.move} at most"
        return Refusal("8-2(1)", f"the march is {len(path)} hexes long, {most}")
    return None


def move_cost(s: State, unit: Unit, start: Hex, path: Path) -> int:
    """The movement points of a legal path by normal movement; never more than the unit has."""
    cost = 1 if in_enemy_zoc(s, unit.side, start) else 0  # 8-1(3)2
    for a, b in zip((start, *path), path, strict=False):
        cost += s.board.ground.cost[a][b]
    return min(cost, unit.move)  # 8-1(4)a


def carry_out(s: State, order: Move | March) -> Iterator[Tell]:
    """A legal move; the game may end on the way."""
    unit, start = s.board.units[order.unit], s.at[order.unit]
    how = "move" if isinstance(order, Move) else "march"
    yield from walk(s, unit, start, order.path, how)


def walk(s: State, unit: Unit, start: Hex, path: Path, how: str) -> Iterator[Tell]:
    """Walk from a hex, where the unit stands, along a path by `move` or `march`."""
    label = s.board.label
    cost = move_cost(s, unit, start, path) if how == "move" else len(path) / ROAD_RATE
    told, prizes = [], s.board.prizes
    for i, h in enumerate(path):
        if h in prizes:
            told += victory.enter(s, unit.id, h)
            if s.ended is not None:
                path = path[: i + 1]
                break
    s.put(unit.id, path[-1])
    s.done.add(unit.id)  # 6(3), 8(5)
    facts = {"unit": unit.id, "from": label[start], "path": [label[h] for h in path], "how": how, "cost": cost}
    yield Tell("move", "8-1(1)0" if how == "move" else "8-2(1)", facts)
    yield from told
    if unit.artillery and unit.id not in s.disordered and s.ended is None:
        yield s.disorder(unit.id, "artillery moved", "12(1)")  # 12(1)


def is_free(s: State, unit: Unit, h: Hex) -> bool:
    """Whether no other unit stands in the hex (3-1(0)a, 3-1(0)b, 8(4))."""
    return s.stands[unit.side].get(h, unit.id) == unit.id and h not in s.stands[s.board.enemy[unit.side]]


def _why_not_step(s: State, here: Hex, h: Hex) -> Refusal:
    """Why a step can't be taken at all, by its first reason."""
    place = s.board.place(h)
    if h not in s.board.ground.near[here]:
        return Refusal("8(1)", f"{s.board.label[here]} and {s.board.label[h]} aren't adjacent")
    if h not in s.board.ground.cost[here]:
        kind = " and ".join(sorted(s.board.map.side(here, h) & BARRIERS))
        return Refusal("8-1(2)2", f"a {kind} without a bridge lies between {s.board.label[here]} and {place}")
    other = s.unit_in(h)
    return Refusal("8(4)", f"{place} is occupied by {s.board.describe(other)}" if other else f"{place} is occupied")
