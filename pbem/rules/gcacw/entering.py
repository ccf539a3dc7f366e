"""What the entering of a hex brings at once, by whatever movement: objectives, leaders, bridges, holds (rc-order)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.maps.hexes import Hex
from pbem.rules.gcacw.board import CONFEDERATE
from pbem.rules.gcacw.holds import free_by
from pbem.rules.gcacw.leaders import command_in
from pbem.rules.gcacw.state import State
from pbem.rules.requests import Tell

__all__ = ["entered", "remove_bridge"]

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
    s.joined |= {one for one in board.foreign if s.at.get(one) == h and command_in(s, one, h)}  # std-6.3-4
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
    yield Tell("bridge-removed", clause, {"hexside": hexside, "side": side})
