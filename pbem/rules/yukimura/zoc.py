"""Zones of control (rulebook 6)."""

from __future__ import annotations

from pbem.maps.hexes import Hex
from pbem.rules.yukimura.state import State

__all__ = ["in_enemy_zoc", "zoc"]


def in_enemy_zoc(s: State, side: str, h: Hex) -> bool:
    """Whether an enemy of `side` controls the hex: any unit next to it from which a unit could move there."""
    return not s.stands[s.board.enemy[side]].keys().isdisjoint(s.board.ground.open_to[h])  # 6.a, 6-1, 6-2.a, 6-2.b


def zoc(s: State, side: str) -> set[Hex]:
    """All hexes that the units of a side control."""
    open_to = s.board.ground.open_to
    return {h for at in s.stands[side] for h in open_to[at]}
