"""The recovery/movement phase (rulebook 6): unit by unit recovers (7), moves or comes as a reinforcement (13)."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.errors import Refusal
from pbem.rules.bakumatsu import movement, victory
from pbem.rules.bakumatsu.acting import phase_refusal, stem, why_never_act, why_not_act, why_not_on_map
from pbem.rules.bakumatsu.orders import DONE, Done, Enter, March, Move, Order, Recover
from pbem.rules.bakumatsu.state import State
from pbem.rules.kit.ask import Chapter, Steps
from pbem.rules.requests import Chance, Draw, Roll, Tell

__all__ = ["CHAPTER", "appearance_check", "options_of"]


def anyone(s: State, side: str) -> bool:
    """Whether any unit of the side can still recover, move or enter (6(5)a)."""
    if may_enter(s, side):
        return True
    units, disordered, done = s.board.units, s.disordered, s.done
    return any(
        unit not in done and (unit in disordered or movement.can_move(s, units[unit], h))
        for h, unit in s.stands[side].items()
    )


def why_not(s: State, side: str, order: Order) -> Refusal | None:
    """Why an order can't be given in this phase."""
    match order:
        case Move() | March():
            return movement.why_not(s, side, order)
        case Recover():
            return why_not_recover(s, side, order)
        case Enter():
            return why_not_enter(s, side, order)
        case Done():
            return None  # 6(4)b
    return phase_refusal(s, order, "5(0)a", "recover, move, march, enter or done")


def why_never(s: State, side: str, order: Order) -> Refusal | None:
    """Why an order can be given in no phase like this."""
    if isinstance(order, Move | March | Enter | Recover):
        return why_never_act(s, side, order.unit, owner="7(0)" if isinstance(order, Recover) else "8(0)")
    return why_not(s, side, order)


def carry_out(s: State, side: str, order: Recover | Enter | Move | March) -> Steps | Iterator[Tell]:
    """A legal order and all that follows from it."""
    if isinstance(order, Recover):
        return recover(s, order)
    if isinstance(order, Enter):
        return enter(s, side, order)
    return movement.carry_out(s, order)


def options(s: State, side: str) -> Iterator[Order]:
    """For each unit: recovery, and one way to each hex in reach; then done."""
    for unit in s.board.of_side[side]:
        if (unit in s.at and unit not in s.done) or unit in s.received[side]:
            yield from options_of(s, side, unit)
    yield DONE


def options_of(s: State, side: str, unit_id: str) -> Iterator[Order]:
    """The options of one unit that has not acted."""
    unit = s.board.units[unit_id]
    if unit_id in s.disordered:
        yield Recover(unit_id)
    start = s.at.get(unit_id)
    if start is not None:
        moves, marches = movement.move_destinations(s, unit, start), movement.march_destinations(s, unit, start)
        yield from (Move(unit_id, moves[h][1]) for h in sorted(moves))
        yield from (March(unit_id, marches[h]) for h in sorted(marches))
        return
    entry = s.board.side[side].entry
    if entry is not None and may_enter(s, side):
        moves, marches = movement.move_destinations(s, unit, entry), movement.march_destinations(s, unit, entry)
        yield Enter(unit_id)
        yield from (Enter(unit_id, "move", moves[h][1]) for h in sorted(moves))
        yield from (Enter(unit_id, "march", marches[h]) for h in sorted(marches))


def sample(s: State, side: str, chance: Chance) -> Order:
    """A random order: a random unit first, then what it does."""
    done, at = s.done, s.at
    idle = [unit for unit in s.board.of_side[side] if unit in at and unit not in done]
    waiting = s.received[side] if may_enter(s, side) else ()
    count = len(idle) + len(waiting)
    if chance.random() * (count + 12) < 1:
        return DONE
    for _ in range(3):
        i = int(chance.random() * count)
        order = (
            _random_act(s, idle[i], chance) if i < len(idle) else _random_entry(s, side, waiting[i - len(idle)], chance)
        )
        if order is not None:
            return order
    return DONE


def _random_act(s: State, unit_id: str, chance: Chance) -> Order | None:
    unit, start = s.board.units[unit_id], s.at[unit_id]
    if unit_id in s.disordered and chance.random() < 0.6:
        return Recover(unit_id)
    if s.board.ground.roads[start] and chance.random() < 0.3:
        path = movement.random_march(s, unit, start, chance)
        if path:
            return March(unit_id, path)
    path = movement.random_move(s, unit, start, chance)
    return Move(unit_id, path) if path else None


def _random_entry(s: State, side: str, unit_id: str, chance: Chance) -> Order:
    unit, entry = s.board.units[unit_id], s.board.side[side].entry
    how = chance.random()
    if entry is None or how < 0.1:
        return Enter(unit_id)
    if how < 0.5 and s.board.ground.roads[entry]:
        path = movement.random_march(s, unit, entry, chance)
        return Enter(unit_id, "march", path) if path else Enter(unit_id)
    path = movement.random_move(s, unit, entry, chance)
    return Enter(unit_id, "move", path) if path else Enter(unit_id)


# --- recovery (7) -----------------------------------------------------------------------------------------------------


def why_not_recover(s: State, side: str, order: Recover) -> Refusal | None:
    """Why a unit can't try to recover."""
    refusal = why_not_act(s, side, order.unit, owner="7(0)", marked="6(3)")  # 6(0), 7(3)
    if refusal is None and order.unit not in s.disordered:
        return Refusal("7(0)", f"{s.board.describe(order.unit)} is in normal state: only disordered units recover")
    return refusal


def recover(s: State, order: Recover) -> Steps:
    """A recovery check and its result."""
    unit = s.board.units[order.unit]
    (die,) = yield Roll(stem("recover", s, unit.id), dice=1)
    success = die <= unit.morale  # 7(1), 2-2-1(2)4
    if success:
        s.disordered.discard(unit.id)  # 7(2)a, 2-2-1(1)2d
    s.done.add(unit.id)  # 7(3)
    facts = {"unit": unit.id, "at": s.board.label[s.at[unit.id]], "die": die, "morale": unit.morale, "success": success}
    yield Tell("recover", "7(2)a" if success else "7(2)b", facts)  # 7(2)b


# --- reinforcements (13, 15-1-5, repeated in 15-1-7) ------------------------------------------------------------------


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


def why_not_enter(s: State, side: str, order: Enter) -> Refusal | None:
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


def enter(s: State, side: str, order: Enter) -> Iterator[Tell]:
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


CHAPTER = Chapter(
    kind="move",
    prompt=lambda _: "recover or move a unit, or done",
    why_not=why_not,
    options=options,
    sample=sample,
    anyone=anyone,
    carry_out=carry_out,
    done=DONE,
    never=why_never,
)
"""One unit after another recovers or moves (6(1), 6(2), 6(4)a)."""
