"""The recovery/movement phase (rulebook 6): unit by unit, recover or move, until the player is done."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.errors import Refusal
from pbem.rules.bakumatsu import movement, recovery, reinforcements
from pbem.rules.bakumatsu.acting import phase_refusal
from pbem.rules.bakumatsu.orders import DONE, Done, Enter, March, Move, Order, Recover
from pbem.rules.bakumatsu.reach import can_move, march_destinations, move_destinations, random_march, random_move
from pbem.rules.bakumatsu.state import State
from pbem.rules.kit.ask import Chapter, Steps
from pbem.rules.requests import Chance, Tell

__all__ = ["CHAPTER", "options_of"]


def anyone(s: State, side: str) -> bool:
    """Whether any unit of the side can still recover, move or enter (6(5)a)."""
    if reinforcements.may_enter(s, side):
        return True
    units, disordered, done = s.board.units, s.disordered, s.done
    return any(
        unit not in done and (unit in disordered or can_move(s, units[unit], h)) for h, unit in s.stands[side].items()
    )


def why_not(s: State, side: str, order: Order) -> Refusal | None:
    """Why an order can't be given in this phase."""
    match order:
        case Move() | March():
            return movement.why_not(s, side, order)
        case Recover():
            return recovery.why_not(s, side, order)
        case Enter():
            return reinforcements.why_not(s, side, order)
        case Done():
            return None  # 6(4)b
    return phase_refusal(s, order, "5(0)a", "recover, move, march, enter or done")


def carry_out(s: State, side: str, order: Recover | Enter | Move | March) -> Steps | Iterator[Tell]:
    """A legal order and all that follows from it."""
    if isinstance(order, Recover):
        return recovery.recover(s, order)
    if isinstance(order, Enter):
        return reinforcements.carry_out(s, side, order)
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
        moves, marches = move_destinations(s, unit, start), march_destinations(s, unit, start)
        yield from (Move(unit_id, moves[h][1]) for h in sorted(moves))
        yield from (March(unit_id, marches[h]) for h in sorted(marches))
        return
    entry = s.board.side[side].entry
    if entry is not None and reinforcements.may_enter(s, side):
        moves, marches = move_destinations(s, unit, entry), march_destinations(s, unit, entry)
        yield Enter(unit_id)
        yield from (Enter(unit_id, "move", moves[h][1]) for h in sorted(moves))
        yield from (Enter(unit_id, "march", marches[h]) for h in sorted(marches))


def sample(s: State, side: str, chance: Chance) -> Order:
    """A random order: a random unit first, then what it does."""
    done, at = s.done, s.at
    idle = [unit for unit in s.board.of_side[side] if unit in at and unit not in done]
    waiting = s.received[side] if reinforcements.may_enter(s, side) else ()
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
        path = random_march(s, unit, start, chance)
        if path:
            return March(unit_id, path)
    path = random_move(s, unit, start, chance)
    return Move(unit_id, path) if path else None


def _random_entry(s: State, side: str, unit_id: str, chance: Chance) -> Order:
    unit, entry = s.board.units[unit_id], s.board.side[side].entry
    how = chance.random()
    if entry is None or how < 0.1:
        return Enter(unit_id)
    if how < 0.5 and s.board.ground.roads[entry]:
        path = random_march(s, unit, entry, chance)
        return Enter(unit_id, "march", path) if path else Enter(unit_id)
    path = random_move(s, unit, entry, chance)
    return Enter(unit_id, "move", path) if path else Enter(unit_id)


CHAPTER = Chapter(
    kind="move",
    prompt=lambda _: "recover or move a unit, or done",
    why_not=why_not,
    options=options,
    sample=sample,
    anyone=anyone,
    carry_out=carry_out,
    done=DONE,
)
"""One unit after another recovers or moves (6(1), 6(2), 6(4)a)."""
