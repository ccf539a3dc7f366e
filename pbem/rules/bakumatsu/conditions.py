"""The conditions of the order language, judged on the state."""

from __future__ import annotations

from pbem.rules.bakumatsu.state import State
from pbem.rules.requests import Words

__all__ = ["holds"]


def holds(s: State, words: Words) -> bool:
    """Whether a condition (as `read_test` gave it) holds now."""
    match words:
        case ("gone", unit):
            return unit in s.removed
        case ("alive", unit):
            return unit not in s.removed
        case ("at", unit, number):
            return unit in s.at and s.board.label[s.at[unit]] == number
        case ("empty", number):
            return s.unit_in(s.board.map.parse(number)) is None
        case ("held", number, side):
            h = s.board.map.parse(number)
            return s.control.get(h) == side or h in s.stands[side]
        case ("is", unit, word):
            return _is(s, unit, word)
    raise AssertionError(words)


def _is(s: State, unit: str, word: str) -> bool:
    if word == "artillery":
        return s.board.units[unit].artillery
    if word == "received":
        return any(unit in units for units in s.received.values())
    if word == "done":
        return unit in s.done
    return unit in s.at and (unit in s.disordered) == (word == "disordered")
