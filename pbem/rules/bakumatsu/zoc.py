"""Stacking and zones of control (rulebook 3)."""

from __future__ import annotations

from collections.abc import Callable

from pbem.maps.hexes import Hex
from pbem.rules.bakumatsu.state import State

__all__ = ["enemy_zoc", "in_enemy_zoc"]


def in_enemy_zoc(s: State, side: str, h: Hex) -> bool:
    """Whether an enemy of `side` controls the hex: it stands in it, or next to it and not across a river or pond."""
    return enemy_zoc(s, side)(h)


def enemy_zoc(s: State, side: str) -> Callable[[Hex], bool]:
    """The question `in_enemy_zoc` for many hexes, as long as nobody moves."""
    board = s.board
    enemies, zoc = s.stands[board.enemy[side]].keys(), board.ground.zoc
    return lambda h: not enemies.isdisjoint(zoc[h])  # 3-2(0), 3-2(1), 3-2(2)
