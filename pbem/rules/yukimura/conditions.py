"""The conditions of the order language, judged on the state."""

from __future__ import annotations

from collections.abc import Callable

from pbem.rules.kit import words as kit
from pbem.rules.requests import Words
from pbem.rules.yukimura.held import is_held
from pbem.rules.yukimura.state import State

__all__ = ["STATES", "holds"]

STATES: dict[str, Callable[[State, str], bool]] = {
    "rifle": lambda s, unit: s.board.units[unit].rifle,
    "mounted": lambda s, unit: s.board.units[unit].mounted,
    "held": is_held,
    "pinned": lambda s, unit: unit in s.pinned,
    "fired": lambda s, unit: unit in s.fired,
    "exited": lambda s, unit: unit in s.exited,
    "commander": lambda s, unit: s.board.units[unit].commander,
}
"""What `is U WORD` can ask -> whether it is true of a unit."""


def holds(s: State, words: Words) -> bool:
    """Whether a condition (as `read_test` gave it) holds now."""
    return kit.holds(
        words,
        gone=lambda unit: unit in s.removed or unit in s.exited,
        place=lambda unit: s.board.label[s.at[unit]] if unit in s.at else None,
        empty=lambda number: s.unit_in(s.board.parse(number)) is None,
        held=lambda number, side: s.board.parse(number) in s.stands[side],
        state=lambda unit, word: STATES[word](s, unit),
    )
