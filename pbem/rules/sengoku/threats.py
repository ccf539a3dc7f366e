"""What threatens a side as things stand: castles that may fall by their siege check, forces without a line."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.rules.requests import Danger
from pbem.rules.sengoku.acting import besieged, castle_side
from pbem.rules.sengoku.lines import in_line
from pbem.rules.sengoku.odds import FALLS, siege_odds
from pbem.rules.sengoku.sequence import side_of
from pbem.rules.sengoku.state import State

__all__ = ["dangers"]


def dangers(s: State, side: str) -> Iterator[Danger]:
    """What may befall a side: one danger for all its castles, one for all its forces."""
    if s.ended is not None:
        return
    castles = [castle for castle in s.board.castles.values() if castle_side(s, castle.id) == side]
    may_fall = [castle.name for castle in castles if besieged(s, castle.id) and FALLS in siege_odds(s, castle.id)]
    if may_fall:
        checks = "its siege check" if len(may_fall) == 1 else "their siege checks"
        phase = "phase" if side_of(s) == side else "next phase"
        yield Danger(f"{', '.join(may_fall)} may fall by {checks} behind your {phase}", "18-2")
    cut = [force for force in s.own_forces(side) if force not in s.shut_in and not in_line(s, force)]  # 11-1-6
    if cut:
        yield Danger(
            f"without a line of communication the next line phase lowers the morale of {', '.join(cut)}", "11-4-1"
        )
