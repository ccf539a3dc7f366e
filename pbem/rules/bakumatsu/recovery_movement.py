"""The recovery/movement phase (rulebook 6): unit by unit recovers (7), moves or comes as a reinforcement (13)."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.errors import Refusal
from pbem.rules.bakumatsu import commanders, movement, reinforcements
from pbem.rules.bakumatsu.acting import phase_refusal, stem, why_never_act, why_not_act
from pbem.rules.bakumatsu.orders import DONE, Done, Enter, March, Move, Order, Recover, order_words
from pbem.rules.bakumatsu.state import State
from pbem.rules.kit.ask import Chapter, Steps, dropped
from pbem.rules.requests import Chance, Roll, Tell

__all__ = ["CHAPTER", "options_of", "remainder"]


def anyone(s: State, side: str) -> bool:
    """Whether any unit of the side can still recover, move or enter (6(5)a)."""
    if reinforcements.can_enter(s, side):
        return True
    units, disordered, done = s.board.units, s.disordered, s.done
    if any(
        unit not in done and (unit in disordered or movement.can_move(s, units[unit], h))
        for h, unit in s.stands[side].items()
    ):
        return True
    leading = (c for c in s.board.commanders[side] if c in s.at and c not in done)
    return any(movement.can_move(s, units[c], s.at[c]) for c in leading)


def why_not(s: State, side: str, order: Order) -> Refusal | None:
    """Why an order can't be given in this phase."""
    match order:
        case Move() | March():
            return movement.why_not(s, side, order)
        case Recover():
            return why_not_recover(s, side, order)
        case Enter():
            return reinforcements.why_not(s, side, order)
        case Done():
            return None  # 6(4)b
    return phase_refusal(s, order, "5(0)a", "recover, move, march, enter or done")


def why_never(s: State, side: str, order: Order) -> Refusal | None:
    """Why an order can be given in no phase like this."""
    match order:
        case Move() | March() | Enter():
            return why_never_act(s, side, order.unit, owner="8(0)")
        case Recover():
            owner = why_never_act(s, side, order.unit, owner="7(0)")
            return owner or commanders.why_never_by(s, order.unit, order.by)
    return why_not(s, side, order)


def carry_out(s: State, side: str, order: Recover | Enter | Move | March) -> Steps | Iterator[Tell]:
    """A legal order and all that follows from it."""
    if isinstance(order, Recover):
        return recover(s, order)
    if isinstance(order, Enter):
        return reinforcements.carry_out(s, side, order)
    return movement.carry_out(s, order)


def options(s: State, side: str) -> Iterator[Order]:
    """For each unit: recovery, and one way to each hex in reach; then done."""
    for unit in s.board.of_side[side]:
        if unit not in s.at or unit not in s.done:
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
    yield from reinforcements.options_of(s, side, unit)


def sample(s: State, side: str, chance: Chance) -> Order:
    """A random order: a random unit first, then what it does."""
    done, at = s.done, s.at
    idle = [unit for unit in s.board.of_side[side] if unit in at and unit not in done]
    waiting = reinforcements.can_enter(s, side)
    count = len(idle) + len(waiting)
    if chance.random() * (count + 12) < 1:
        return DONE
    for _ in range(3):
        i = int(chance.random() * count)
        if i < len(idle):
            order = _random_act(s, idle[i], chance)
        else:
            order = reinforcements.random_entry(s, side, waiting[i - len(idle)], chance)
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


# --- recovery (7) -----------------------------------------------------------------------------------------------------


def why_not_recover(s: State, side: str, order: Recover) -> Refusal | None:
    """Why a unit can't try to recover."""
    refusal = why_not_act(s, side, order.unit, owner="7(0)", marked="6(3)")  # 6(0), 7(3)
    if refusal is None and order.unit not in s.disordered:
        return Refusal("7(0)", f"{s.board.describe(order.unit)} is in normal state: only disordered units recover")
    return refusal or commanders.why_not_by(s, order.unit, order.by)


def remainder(s: State, side: str, order: Recover) -> tuple[Recover, tuple[Tell, ...]] | None:
    """The recovery without a commander who can't help any more; None when he can, or it is illegal without him too."""
    plain, why = order._replace(by=""), commanders.why_not_by(s, order.unit, order.by) if order.unit in s.at else None
    if why is None or why_not_recover(s, side, plain) is not None:
        return None
    return plain, dropped(order_words(s.board, order), {order.by: why})


def recover(s: State, order: Recover) -> Steps:
    """A recovery check and its result."""
    unit = s.board.units[order.unit]
    (die,) = yield Roll(stem("recover", s, unit.id), dice=1)
    commander = commanders.recovering(s, unit.id, order.by)
    morale = commanders.morale(unit, commander)  # 15-2-7-2(3)5
    success = die <= morale  # 7(1), 2-2-1(2)4
    if success:
        s.disordered.discard(unit.id)  # 7(2)a, 2-2-1(1)2d
    s.done.add(unit.id)  # 7(3)
    facts = {"unit": unit.id, "at": s.board.label[s.at[unit.id]], "die": die, "morale": morale, "success": success}
    facts |= commanders.told(commander)
    yield Tell("recover", "7(2)a" if success else "7(2)b", facts)  # 7(2)b


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
