"""The Movement Phase (rulebook 4-1(1), 7): unit by unit moves, or enters as a reinforcement (8), until one is done."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.errors import Refusal
from pbem.maps.hexes import Hex
from pbem.rules.kit.ask import Chapter, Steps
from pbem.rules.requests import Chance, Roll, Tell
from pbem.rules.yukimura import movement, victory
from pbem.rules.yukimura.acting import phase_refusal, why_never_act, why_not_on_map
from pbem.rules.yukimura.held import held_units
from pbem.rules.yukimura.movement import (
    can_move,
    march_destinations,
    march_off,
    move_destinations,
    move_off,
    path_cost,
    random_march,
    random_move,
    why_not_path,
)
from pbem.rules.yukimura.orders import DONE, Beside, Done, Enter, March, Move, Order
from pbem.rules.yukimura.state import State
from pbem.words import the

__all__ = [
    "CHAPTER", "ENTRY_COST", "PLACING", "appear", "entry_hexes", "free_entries", "options_of", "placing",
    "why_not_beside",
]  # fmt: skip


def anyone(s: State, side: str) -> bool:
    """Whether any unit of the side can still move or enter."""
    if next(_entering(s, side), None) is not None:
        return True
    units, still = s.board.units, held_units(s)
    there = ((h, unit) for h, unit in s.stands[side].items() if unit not in still)
    return any(movement.is_idle(s, unit) and can_move(s, units[unit], h) for h, unit in there)


def why_not(s: State, side: str, order: Order) -> Refusal | None:
    """Why an order can't be given in this phase."""
    match order:
        case Move() | March():
            return movement.why_not(s, side, order)
        case Enter():
            return _why_not_enter(s, side, order)
        case Done():
            return None  # 7.a
    return phase_refusal(s, order, "4.a", "move, march, enter or done")


def why_never(s: State, side: str, order: Order) -> Refusal | None:
    """Why an order can be given in no phase like this."""
    if isinstance(order, Move | March | Enter):
        return why_never_act(s, side, order.unit, "8.a" if isinstance(order, Enter) else "7-1")
    return why_not(s, side, order)


def carry_out(s: State, _: str, order: Move | March | Enter) -> Iterator[Tell]:
    """A legal order and all that follows from it."""
    return _enter(s, order) if isinstance(order, Enter) else movement.carry_out(s, order)


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
    for entry in free_entries(s, unit.force):
        yield Enter(unit_id, (entry,))
        moves = move_destinations(s, unit, entry, ENTRY_COST)
        yield from (Enter(unit_id, (entry, *moves[h][1])) for h in sorted(moves))


def sample(s: State, side: str, chance: Chance) -> Order:
    """A random order: a random unit first, then what it does; leaders who would lose the battle by it seldom move."""
    if chance.random() * (len(s.stands[side]) + 12) < 1:
        return DONE
    waiting = list(_entering(s, side))
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
    hexes = free_entries(s, unit.force)
    entry = hexes[int(chance.random() * len(hexes))]
    return Enter(unit_id, (entry, *random_move(s, unit, entry, chance, ENTRY_COST)))


CHAPTER = Chapter(
    kind="move",
    prompt=lambda _: "move a unit, or done",
    why_not=why_not,
    options=options,
    sample=sample,
    anyone=anyone,
    carry_out=carry_out,
    done=DONE,
    never=why_never,
)
"""One unit after another moves or enters (7.a, 7-1-1.a)."""


# --- reinforcements (8): when a force may enter, and the entry of its units -------------------------------------------


ENTRY_COST = 1  # 8-1.a, whatever the terrain of the hex


def appear(s: State, side: str) -> Steps:
    """The beginning of a Movement Phase: forces of this turn may enter, others if their die says so (8.a, 14-3(6)b)."""
    for force, arrival in s.board.arrivals.items():
        if arrival.side != side or arrival.turn > s.turn or force in s.arrived or not s.waiting[force]:
            continue
        die = None
        if arrival.die:
            (die,) = yield Roll(f"arrival/{force}", dice=1)
        if die is None or die <= arrival.die:
            s.arrived.add(force)  # 14-3(6)b, R95
        units = list(s.waiting[force]) if force in s.arrived else []
        facts = {"side": side, "force": force, "title": s.board.forces[force].title, "die": die, "units": units}
        yield Tell("reinforcements", arrival.clause, facts)


def entry_hexes(s: State, force: str) -> tuple[Hex, ...]:
    """The hexes by which a force enters (14-1(4)1, 14-3(6)c)."""
    arrival = s.board.arrivals[force]
    return (s.beside[force],) if arrival.beside and force in s.beside else arrival.hexes


def free_entries(s: State, force: str) -> list[Hex]:
    """Those of a force's entry hexes without a unit, if it may enter now (8-2, 8-3)."""
    return [h for h in entry_hexes(s, force) if s.unit_in(h) is None] if force in s.arrived else []


def _entering(s: State, side: str) -> Iterator[str]:
    """The units that can enter now, in order."""
    for force, units in s.waiting.items():
        if units and s.board.arrivals[force].side == side and free_entries(s, force):
            yield from units


def _why_not_enter(s: State, side: str, order: Enter) -> Refusal | None:
    """Why a reinforcement can't enter and go on from its entry hex."""
    board, unit = s.board, s.board.units[order.unit]
    name = board.describe(unit.id)
    if unit.side != side:
        return Refusal("1-a", f"{name} belongs to {the(board.side[unit.side].title)}")
    if unit.id in s.at:
        return Refusal("8.a", f"{name} is on the map already, at {board.place(s.at[unit.id])}")
    if unit.force not in s.arrived or unit.id not in s.waiting[unit.force]:
        return why_not_on_map(s, unit.id, "8.a")
    if not order.path:
        return Refusal("8-1.a", f"name the hex by which {name} enters")
    allowed, entry = entry_hexes(s, unit.force), order.path[0]
    if entry not in allowed:
        places = " or ".join(map(board.place, allowed))
        return Refusal(board.arrivals[unit.force].clause, f"{name} enters at {places}, not at {board.place(entry)}")
    other = s.unit_in(entry)
    if other is not None:
        return Refusal("8-2", f"the entry hex {board.place(entry)} is occupied by {board.describe(other)}")
    return why_not_path(s, unit, entry, order.path[1:], entering=ENTRY_COST)  # 8-1.a, 8-1.b


def _enter(s: State, order: Enter) -> Iterator[Tell]:
    """Bring a reinforcement on; an entry counts as its move in this phase."""
    unit, path, label = order.unit, order.path, s.board.label
    force = s.board.units[unit].force
    s.waiting[force] = tuple(other for other in s.waiting[force] if other != unit)
    s.put(unit, path[-1])
    s.moved.add(unit)
    cost = ENTRY_COST + path_cost(s, path[0], path[1:])
    facts = {"unit": unit, "from": None, "path": [label[h] for h in path], "how": "enter", "cost": cost, "off": False}
    yield Tell("move", "8-1.a", facts)
    yield from victory.moved(s, unit, forced=False, way=(None, *path))


# --- the start of the connected scenario: a force is put beside the map, where it will enter (14-3(6)a) ---------------


BESIDE = "14-3(6)a"


def placing(s: State) -> str | None:
    """The side that has forces to put beside the map; None when all have their place."""
    return next((side.id for side in s.board.sides if _unplaced(s, side.id)), None)


def _unplaced(s: State, side: str) -> list[str]:
    """The forces that a side still has to put beside the map."""
    arrivals = s.board.arrivals
    return [force for force, a in arrivals.items() if a.beside and a.side == side and force not in s.beside]


def why_not_beside(s: State, side: str, order: Order) -> Refusal | None:
    """Why a force can't be put beside a hex."""
    board = s.board
    if isinstance(order, Done):
        return Refusal(BESIDE, f"first put the force of {board.forces[_unplaced(s, side)[0]].title} beside the map")
    if not isinstance(order, Beside):
        return phase_refusal(s, order, BESIDE, "beside")
    force = board.forces[order.force]
    if force.side != side:
        return Refusal("1-a", f"the force of {force.title} belongs to {the(board.side[force.side].title)}")
    if force.id not in _unplaced(s, side):
        return Refusal(BESIDE, f"the force of {force.title} isn't put beside the map, or has its place already")
    if order.at not in board.arrivals[force.id].hexes:
        places = " or ".join(map(board.place, board.arrivals[force.id].hexes))
        return Refusal(BESIDE, f"no road leads over the west edge at {board.place(order.at)}: write {places}")
    return None


def _places(s: State, side: str) -> Iterator[Order]:
    """Every place for every force."""
    for force in _unplaced(s, side):
        yield from (Beside(force, h) for h in s.board.arrivals[force].hexes)


def _random_place(s: State, side: str, chance: Chance) -> Order:
    """A random place for a random force."""
    force = chance.choice(_unplaced(s, side))
    return Beside(force, chance.choice(s.board.arrivals[force].hexes))


def put_beside(s: State, side: str, order: Beside) -> Steps:
    """Put a force beside the map."""
    s.beside[order.force] = order.at
    units = list(s.waiting[order.force])
    title, at = s.board.forces[order.force].title, s.board.label[order.at]
    facts = {"force": order.force, "title": title, "side": side, "at": at, "units": units}
    yield Tell("beside", BESIDE, facts)


PLACING = Chapter(
    kind="beside",
    prompt=lambda _: "put a force beside the map, at a road over its west edge",
    why_not=why_not_beside,
    options=_places,
    sample=_random_place,
    anyone=lambda *_: True,  # who has none left is not asked
    carry_out=put_beside,
)
"""The place of one force after another; not done before all have one."""
