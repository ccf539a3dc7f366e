"""The Movement Phase (rulebook 4-1(1), 4-1(4)): unit by unit, move or enter, until the player is done."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.errors import Refusal
from pbem.rules.kit.ask import Chapter
from pbem.rules.requests import Chance, Tell
from pbem.rules.yukimura import movement, reinforcements
from pbem.rules.yukimura.acting import phase_refusal
from pbem.rules.yukimura.movement import (
    can_move,
    march_destinations,
    march_off,
    move_destinations,
    move_off,
    random_march,
    random_move,
)
from pbem.rules.yukimura.orders import DONE, Done, Enter, March, Move, Order
from pbem.rules.yukimura.state import State

__all__ = ["CHAPTER", "options_of"]


def anyone(s: State, side: str) -> bool:
    """Whether any unit of the side can still move or enter."""
    if next(reinforcements.entering(s, side), None) is not None:
        return True
    units = s.board.units
    return any(movement.is_idle(s, unit) and can_move(s, units[unit], h) for h, unit in s.stands[side].items())


def why_not(s: State, side: str, order: Order) -> Refusal | None:
    """Why an order can't be given in this phase."""
    match order:
        case Move() | March():
            return movement.why_not(s, side, order)
        case Enter():
            return reinforcements.why_not(s, side, order)
        case Done():
            return None  # 7.a
    return phase_refusal(s, order, "4.a", "move, march, enter or done")


def carry_out(s: State, _: str, order: Move | March | Enter) -> Iterator[Tell]:
    """A legal order and all that follows from it."""
    return reinforcements.carry_out(s, order) if isinstance(order, Enter) else movement.carry_out(s, order)


def options(s: State, side: str) -> Iterator[Order]:
    """For each unit one way to each hex in reach and off the map; then done."""
    for unit in s.board.of_side[side]:
        yield from options_of(s, side, unit)
    yield DONE


def options_of(s: State, _: str, unit_id: str) -> Iterator[Order]:
    """The options of one unit of a side; none when it can't move."""
    unit, start = s.board.units[unit_id], s.at.get(unit_id)
    if start is None:
        yield from _entries(s, unit_id)
    elif movement.is_idle(s, unit_id):
        moves, marches = move_destinations(s, unit, start), march_destinations(s, unit, start)
        yield from (Move(unit_id, moves[h][1]) for h in sorted(moves))
        yield from (March(unit_id, marches[h]) for h in sorted(marches))
        off = move_off(s, unit, start)
        by_road = march_off(s, unit, start) if off is None else None
        if off is not None:
            yield Move(unit_id, off, off=True)
        elif by_road is not None:
            yield March(unit_id, by_road, off=True)


def _entries(s: State, unit_id: str) -> Iterator[Order]:
    """The entries of a waiting unit: by each free entry hex, with one way to each hex in reach."""
    unit = s.board.units[unit_id]
    if unit_id not in s.waiting.get(unit.force, ()):
        return
    for entry in reinforcements.free_entries(s, unit.force):
        yield Enter(unit_id, (entry,))
        moves = move_destinations(s, unit, entry, reinforcements.ENTRY_COST)
        yield from (Enter(unit_id, (entry, *moves[h][1])) for h in sorted(moves))


def sample(s: State, side: str, chance: Chance) -> Order:
    """A random order: a random unit first, then what it does; leaders who would lose the battle by it seldom move."""
    if chance.random() * (len(s.stands[side]) + 12) < 1:
        return DONE
    waiting = list(reinforcements.entering(s, side))
    if waiting and chance.random() < 0.5:
        return _random_entry(s, waiting[int(chance.random() * len(waiting))], chance)
    units, leaders = s.board.of_side[side], s.board.collapse.get(side, ())
    turn, tries = int(chance.random() * len(units)), 4
    for unit in units[turn:] + units[:turn]:
        if unit not in s.at or not movement.is_idle(s, unit) or (unit in leaders and chance.random() < 0.998):
            continue
        order = _random_move(s, unit, chance)
        tries -= 1
        if order is not None:
            return order
        if not tries:
            break
    return DONE


def _random_move(s: State, unit_id: str, chance: Chance) -> Order | None:
    unit, start = s.board.units[unit_id], s.at[unit_id]
    if s.board.ground.roads[start] and chance.random() < 0.3:
        path = random_march(s, unit, start, chance)
        if path:
            return March(unit_id, path)
    if start in s.board.ground.edge and chance.random() < 0.02:
        return Move(unit_id, (), off=True)
    path = random_move(s, unit, start, chance)
    return Move(unit_id, path) if path else None


def _random_entry(s: State, unit_id: str, chance: Chance) -> Order:
    unit = s.board.units[unit_id]
    hexes = reinforcements.free_entries(s, unit.force)
    entry = hexes[int(chance.random() * len(hexes))]
    return Enter(unit_id, (entry, *random_move(s, unit, entry, chance, reinforcements.ENTRY_COST)))


CHAPTER = Chapter(
    kind="move",
    prompt=lambda _: "move a unit, or done",
    why_not=why_not,
    options=options,
    sample=sample,
    anyone=anyone,
    carry_out=carry_out,
    done=DONE,
)
"""One unit after another moves or enters (7.a, 7-1-1.a)."""
