"""The conditions of the order language, judged on the state."""

from __future__ import annotations

from collections.abc import Callable

from pbem.rules.bakumatsu.state import State
from pbem.rules.kit import words as kit
from pbem.rules.requests import Words

__all__ = ["STATES", "holds"]

STATES: dict[str, Callable[[State, str], bool]] = {
    "disordered": lambda s, unit: unit in s.at and unit in s.disordered,
    "normal": lambda s, unit: unit in s.at and unit not in s.disordered,
    "artillery": lambda s, unit: s.board.units[unit].artillery,
    "received": lambda s, unit: any(unit in units for units in s.received.values()),
    "done": lambda s, unit: unit in s.done,
}
"""What `is U WORD` can ask -> whether it is true of a unit."""


def holds(s: State, words: Words) -> bool:
    """Whether a condition (as `read_test` gave it) holds now."""
    return kit.holds(
        words,
        gone=lambda unit: unit in s.removed,
        place=lambda unit: s.board.label[s.at[unit]] if unit in s.at else None,
        empty=lambda number: s.unit_in(s.board.parse(number)) is None,
        held=lambda number, side: _held(s, number, side),
        state=lambda unit, word: STATES[word](s, unit),
    )


def _held(s: State, number: str, side: str) -> bool:
    """Whether a side controls a victory hex, or stands in a hex."""
    h = s.board.parse(number)
    return s.control.get(h) == side or h in s.stands[side]
