"""Reinforcements: the appearance check, the draw, and their entry (rulebook 13, 15-1-5, repeated in 15-1-7)."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.errors import Refusal
from pbem.rules.bakumatsu import movement, victory
from pbem.rules.bakumatsu.acting import why_not_on_map
from pbem.rules.bakumatsu.orders import Enter
from pbem.rules.bakumatsu.state import State
from pbem.rules.kit.ask import Steps
from pbem.rules.requests import Draw, Roll, Tell

__all__ = ["appearance_check", "carry_out", "may_enter", "why_not"]


def appearance_check(s: State, side: str) -> Steps:
    """The appearance check of a side whose track shows an R this turn, while units wait for it."""
    cup = s.cups[side]
    if s.turn not in s.board.side[side].reinforcement_turns or not cup:  # 13-1(1), 13-1(3), 15-1-5(1)0, 15-1-5(2)
        return
    (die,) = yield Roll(f"reinforcement/{s.turn}", dice=1)  # 13-1(2)a
    units = yield Draw(f"cup/{side}", cup, min(die, len(cup)))  # 13-1(2)b, 15-1-5(1)1
    s.cups[side] = tuple(unit for unit in cup if unit not in units)
    s.received[side] += tuple(units)
    yield Tell("reinforcements", "13-1(2)b", {"side": side, "die": die, "units": list(units)})


def may_enter(s: State, side: str) -> bool:
    """Whether a side has received units and its entry hex is free."""
    entry = s.board.side[side].entry
    return bool(s.received[side]) and entry is not None and s.unit_in(entry) is None  # 13-1(4)


def why_not(s: State, side: str, order: Enter) -> Refusal | None:
    """Why a reinforcement can't enter and go on from the entry hex."""
    unit, entry = s.board.units[order.unit], s.board.side[side].entry
    name = s.board.describe(unit.id)
    if unit.side != side:
        return Refusal("8(0)", f"{name} belongs to {s.board.side[unit.side].title}")
    if unit.id in s.at:
        return Refusal("13-2(1)", f"{name} is on the map already, at {s.board.place(s.at[unit.id])}")
    if entry is None or unit.id not in s.received[side]:
        return why_not_on_map(s, unit.id)
    other = s.unit_in(entry)
    if other is not None:  # 13-1(4), 3-1(0)a
        return Refusal("13-1(4)", f"the entry hex {s.board.place(entry)} is occupied by {s.board.describe(other)}")
    if order.how == "move":
        return movement.why_not_move_path(s, unit, entry, order.path)  # 13-2(2)b
    if order.how == "march":
        return movement.why_not_march_path(s, unit, entry, order.path)
    return None


def carry_out(s: State, side: str, order: Enter) -> Iterator[Tell]:
    """Put a reinforcement onto the entry hex and let it go on."""
    unit, entry = s.board.units[order.unit], s.board.side[side].entry
    if entry is None:
        raise AssertionError(f"{side} has no entry hex")  # why_not has refused the order
    s.received[side] = tuple(other for other in s.received[side] if other != unit.id)
    s.put(unit.id, entry)  # 13-2(2)a, 15-1-5(1)2
    s.done.add(unit.id)  # 6(3); from now on a unit like any other: 13-2(3)
    label = s.board.label[entry]
    yield Tell("move", "13-2(2)a", {"unit": unit.id, "from": None, "path": [label], "how": "enter", "cost": 0})
    yield from victory.enter(s, unit.id, entry)
    if order.how:
        yield from movement.walk(s, unit, entry, order.path, order.how)  # 13-2(2)b
