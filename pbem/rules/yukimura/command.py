"""Command range, an optional rule (rulebook 13)."""

from __future__ import annotations

from pbem.maps.hexes import distance
from pbem.rules.yukimura.state import State

__all__ = ["in_command", "out_of_command"]


def out_of_command(s: State, side: str) -> set[str]:
    """The units of a side on the map that no leader of theirs reaches now; none when the rule isn't in use (13-1)."""
    if s.options.command_range != "yes":
        return set()
    return {unit for unit in s.board.of_side[side] if unit in s.at and not in_command(s, unit)}


def in_command(s: State, unit_id: str) -> bool:
    """Whether a unit on the map is in the command range of a leader of its force (13-1(2)a, 13-1(3)).

    Leaders are always in command. When the force has no leader on the map, any friendly leader serves (R90). Nobody
    commands on another map.
    """
    board, unit = s.board, s.board.units[unit_id]
    if unit.commander:
        return True
    leaders = [other for other in board.of_side[unit.side] if other in s.at and board.units[other].commander]
    leaders = [other for other in leaders if board.units[other].force == unit.force] or leaders
    here = s.at[unit_id]
    near = [other for other in leaders if distance(s.at[other], here) <= board.units[other].command]  # 13-1(1)
    return any(board.map_of(s.at[other]) is board.map_of(here) for other in near)
