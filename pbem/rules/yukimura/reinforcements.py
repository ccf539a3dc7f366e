"""Reinforcements (rulebook 8): when a force may enter, and the entry of its units."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.errors import Refusal
from pbem.maps.hexes import Hex
from pbem.rules.kit.ask import Steps
from pbem.rules.requests import Roll, Tell
from pbem.rules.yukimura import victory
from pbem.rules.yukimura.acting import why_not_on_map
from pbem.rules.yukimura.movement import path_cost, why_not_path
from pbem.rules.yukimura.orders import Enter
from pbem.rules.yukimura.state import State

__all__ = ["ENTRY_COST", "appear", "carry_out", "entering", "entry_hexes", "free_entries", "why_not"]

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


def entering(s: State, side: str) -> Iterator[str]:
    """The units that can enter now, in order."""
    for force, units in s.waiting.items():
        if units and s.board.arrivals[force].side == side and free_entries(s, force):
            yield from units


def why_not(s: State, side: str, order: Enter) -> Refusal | None:
    """Why a reinforcement can't enter and go on from its entry hex."""
    board, unit = s.board, s.board.units[order.unit]
    name = board.describe(unit.id)
    if unit.side != side:
        return Refusal("1-a", f"{name} belongs to the {board.side[unit.side].title}")
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


def carry_out(s: State, order: Enter) -> Iterator[Tell]:
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
