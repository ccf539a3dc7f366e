"""Command: which units make a force, led by a commander with boxes for them (rulebook 9)."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.errors import Refusal
from pbem.rules.kit.form import counted
from pbem.rules.sengoku.board import BUSHO, SOTAISHO, TAISHO, Board, Unit

__all__ = ["CALLED", "LOST_WORDS", "rank_words", "why_not_force"]

CALLED = {
    SOTAISHO: ("commander-in-chief", "commanders-in-chief"),
    TAISHO: ("general", "generals"),
    BUSHO: ("military commander", "military commanders"),
}
"""Rank -> what one and several of it are called."""

LOST_WORDS = {
    SOTAISHO: ("commander-in-chief lost", "commanders-in-chief lost"),
    TAISHO: ("general lost", "generals lost"),
    BUSHO: ("military commander lost", "military commanders lost"),
}
"""Rank -> what is told, behind their number, of one and of several that are lost."""


def why_not_force(board: Board, units: Sequence[str]) -> Refusal | None:
    """Why these units, the leader first, can't be one force; a unit alone always is one (9-1(1))."""
    leader, *others = (board.units[unit] for unit in units)
    if not others:
        return None
    if not leader.commander:  # 9-2
        return Refusal("9-2", f"{board.describe(leader.id)} is no commander and leads nobody")
    if len(others) > leader.boxes:  # 9-2-1, 9-2-2
        who, boxes = board.describe(leader.id), leader.boxes
        return Refusal("9-2-1", f"{len(others)} units are too many for {who}, who has {boxes} command boxes")
    for unit in others:
        if unit.rank >= leader.rank:  # 9-2-3
            return Refusal("9-2-3", f"{board.describe(unit.id)} isn't of lower rank than {board.describe(leader.id)}")
        if not board.led_by(unit.army, leader.army):  # 9-2-6, 30-1-2
            army = board.armies[unit.army].title
            name = board.describe(leader.id)
            return Refusal("9-2-6", f"{board.describe(unit.id)} of the {army} can't be under {name}")
    return None


def rank_words(unit: Unit) -> str:
    """`general with 8 boxes`, `military commander`."""
    called = CALLED[unit.rank][0]
    return " with ".join([called, counted(unit.boxes, "box")]) if unit.commander else called
