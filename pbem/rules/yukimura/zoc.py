"""Zones of control (rulebook 6)."""

from __future__ import annotations

from collections.abc import Callable

from pbem.maps.hexes import Hex
from pbem.rules.yukimura.state import State

__all__ = ["enemy_zoc", "in_enemy_zoc", "zoc"]


def in_enemy_zoc(s: State, side: str, h: Hex) -> bool:
    """Whether an enemy of `side` controls the hex: any unit next to it to which it is open."""
    return enemy_zoc(s, side)(h)


def enemy_zoc(s: State, side: str) -> Callable[[Hex], bool]:
    """The question `in_enemy_zoc` for many hexes, as long as nobody moves."""
    enemies, open_to = s.stands[s.board.enemy[side]].keys(), s.board.ground.open_to
    return lambda h: not enemies.isdisjoint(open_to[h])  # 6.a, 6-1, 6-2.a, 6-2.b


def zoc(s: State, side: str) -> set[Hex]:
    """All hexes that the units of a side control."""
    open_to = s.board.ground.open_to
    return {h for at in s.stands[side] for h in open_to[at]}
