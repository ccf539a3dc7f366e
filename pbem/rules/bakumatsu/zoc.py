"""Stacking and zones of control (rulebook 3)."""

from __future__ import annotations

from pbem.maps.hexes import Hex
from pbem.rules.bakumatsu.state import State

__all__ = ["in_enemy_zoc"]


def in_enemy_zoc(s: State, side: str, h: Hex) -> bool:
    """Whether an enemy of `side` controls the hex: it stands in it, or next to it and not across a river or pond."""
    return not s.stands[s.board.enemy[side]].keys().isdisjoint(s.board.ground.zoc[h])  # 3-2(0), 3-2(1), 3-2(2)
