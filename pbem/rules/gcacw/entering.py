"""What the entering of a hex brings at once, by whatever movement: objectives, leaders, bridges, holds (rc-order)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.maps.hexes import Hex
from pbem.rules.gcacw.advanced import BY_ENTRY
from pbem.rules.gcacw.board import CONFEDERATE
from pbem.rules.gcacw.holds import free_by
from pbem.rules.gcacw.state import State
from pbem.rules.requests import Tell

__all__ = ["destroy_depot", "entered", "is_major", "remove_bridge", "river"]

STRONG = 10
"""The combat value, in half points, from which on a unit that comes to its end has an enemy's bridge removed."""


def entered(s: State, units: Sequence[str], h: Hex) -> Iterator[Tell]:
    """What it brings that combat units of one side have entered a hex."""
    units = [unit for unit in units if unit in s.manpower]
    if not units:
        return
    board, side, place = s.board, s.board.units[units[0]].side, s.board.label[h]
    infantry = any(board.units[unit].infantry for unit in units)
    if h in board.objectives and infantry and (place in s.controlled) != (side == CONFEDERATE):
        if side == CONFEDERATE:
            s.controlled.add(place)  # 13.2-sp5b; it stays when he leaves (13.2-sp5c)
        else:
            s.controlled.discard(place)  # 13.2-sp5d
        yield Tell("control", "13.2-sp5b" if side == CONFEDERATE else "13.2-sp5d", {"at": place, "side": side})
    if side == CONFEDERATE and place in s.depots and board.advanced is not None:
        yield from destroy_depot(s, h, units[0], BY_ENTRY)  # 20.1-7
    for unit in units:
        if s.value(unit) >= STRONG:
            yield from _remove_bridges(s, h, board.enemy[side], "std-10.0-4")
    yield from free_by(s, side, h)


def _remove_bridges(s: State, h: Hex, side: str, clause: str) -> Iterator[Tell]:
    """Remove the bridges that a side has built at a hex."""
    for hexside in sorted(name for name, owner in s.bridges.items() if owner == side):
        if s.board.label[h] in hexside.split("/"):
            yield from remove_bridge(s, hexside, clause)


def remove_bridge(s: State, hexside: str, clause: str) -> Iterator[Tell]:
    """Remove the bridge that was built over a hexside."""
    side = s.bridges[hexside]
    s.unbuild(hexside)
    if s.board.advanced is not None and is_major(s, hexside):
        s.dismantled, clause = s.turn, "19.0-5"
    yield Tell("bridge-removed", clause, {"hexside": hexside, "side": side})


def river(s: State) -> frozenset[tuple[Hex, Hex]]:
    """The steps over the river over which a bridge may be built once the pontoon bridge is gone (19.0-8)."""
    advanced = s.board.advanced
    return advanced.pontoon.river if advanced is not None and advanced.pontoon is not None else frozenset()


def is_major(s: State, hexside: str) -> bool:
    """Whether a hexside is one of the river over which the pontoon bridge lies (19.0-6, 19.0-8)."""
    a, b = map(s.board.parse, hexside.split("/"))
    return (a, b) in river(s)


def destroy_depot(s: State, h: Hex, unit: str, how: str) -> Iterator[Tell]:
    """Take the depot of a hex away, if that destroys it: in the basic game a raid always does (20.1-4, 20.1-7)."""
    advanced, place = s.board.advanced, s.board.label[h]
    if place not in s.depots or (advanced is not None and advanced.depots[h].lost_by != how):
        return
    s.depots.discard(place)
    clause = "20.1-7" if how == BY_ENTRY else "20.1-4" if advanced is not None else "13.5-sp5b"
    yield Tell("depot-destroyed", clause, {"at": place, "unit": unit})
