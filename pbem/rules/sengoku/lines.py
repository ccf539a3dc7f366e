"""Lines of communication: from the main castle over relays to a force, leg by leg (rulebook 11, 8-3; R158)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from heapq import heappop, heappush

from pbem.maps.hexes import Hex
from pbem.rules.sengoku.acting import army_of, castle_side, friendly_castle, open_in, side_of
from pbem.rules.sengoku.control import strong, weak
from pbem.rules.sengoku.state import State

__all__ = ["LEG", "MAIN_LEG", "in_line", "reached", "relays", "sources", "usable"]

MAIN_LEG, LEG = 16, 8
"""The points of a leg that begins in the main castle, and of one from any other castle or force (11-2-2)."""


def in_line(s: State, force: str) -> bool:
    """Whether a force has a line of communication to a main castle of its army now (11-1)."""
    return s.at[force] in reached(s, army_of(s, force))


def reached(s: State, army: str) -> Mapping[Hex, int]:
    """The hexes to which an army can set a line, each with the points that are left of the longest leg from there on.

    A hex with a relay has a whole leg left (11-1-2). Worked out once for a position.
    """
    found: Mapping[Hex, int] | None = s.memo.get(("reached", army))
    if found is None:
        found = s.memo["reached", army] = _spread(s, army)
    return found


def sources(s: State, army: str) -> Iterator[Hex]:
    """Where the lines of an army begin now: its main castles that its side holds, or an edge of the map (8-3-1)."""
    given = s.board.armies[army]
    for castle in given.main:  # 31-2(Maeda), 36.7-8
        if castle_side(s, castle) == given.side:  # 8-3-2, 8-3-2(regain)
            yield s.board.castles[castle].at
    yield from given.sources  # 31-2


def usable(s: State, side: str, h: Hex) -> bool:
    """Whether a line of a side can lead into a hex or begin there.

    The hex of an enemy castle is in strong control of the enemy, or besieged by units of this side.
    """
    board, enemy = s.board, s.board.enemy[side]
    if h in board.outside or board.tables.terrain[board.ground.terrain[h]].line is None:  # 11-1-3(5), 36.1
        return False
    if open_in(s, h, enemy):  # 11-1-3(1)
        return False
    if h in strong(s, enemy) or h in weak(s, enemy):  # 11-1-3(2), 11-1-3(3)
        return _has_force(s, side, h)  # 11-1-4, 11-1-5
    return True


def relays(s: State, side: str, h: Hex) -> bool:
    """Whether a line of any army of a side can go on from a hex: by a castle or a force there (11-1-1, 30-3)."""
    return friendly_castle(s, h, side) is not None or _has_force(s, side, h)


def _has_force(s: State, side: str, h: Hex) -> bool:
    """Whether a force of a side is in a hex, in the open or shut in."""
    return any(side_of(s, force) == side for force in s.stands.get(h, ()))


def _spread(s: State, army: str) -> dict[Hex, int]:
    """Points left in every hex to which a line of an army leads: the longest legs first, anew from each relay."""
    side, line = s.board.armies[army].side, s.board.ground.line
    open_to: dict[Hex, bool] = {}
    left = {h: MAIN_LEG for h in sources(s, army) if usable(s, side, h)}  # 11-2-2(1)
    queue = [(-points, h) for h, points in sorted(left.items())]
    while queue:
        points, here = heappop(queue)
        if -points < left[here]:
            continue
        for h, price in line[here].items():  # 11-2-3, 11-1-3(4)
            rest = -points - price
            if rest < 0 or rest <= left.get(h, -1):  # 11-2-1
                continue
            if h not in open_to:
                open_to[h] = usable(s, side, h)
            if not open_to[h]:
                continue
            if rest < LEG and relays(s, side, h):
                rest = LEG  # 11-1-2, 11-2-2(2), 11-2-2(3)
            if rest > left.get(h, -1):
                left[h] = rest
                heappush(queue, (-rest, h))
    return left
