"""The conditions of the order language, judged on the state."""

from __future__ import annotations

from pbem.rules.requests import Words
from pbem.rules.yukimura.held import is_held
from pbem.rules.yukimura.state import State

__all__ = ["holds"]


def holds(s: State, words: Words) -> bool:
    """Whether a condition (as `read_test` gave it) holds now."""
    match words:
        case ("gone", unit):
            return unit in s.removed or unit in s.exited
        case ("alive", unit):
            return unit not in s.removed and unit not in s.exited
        case ("at", unit, number):
            return unit in s.at and s.board.label[s.at[unit]] == number
        case ("empty", number):
            return s.unit_in(s.board.parse(number)) is None
        case ("held", number, side):
            return s.board.parse(number) in s.stands[side]
        case ("is", unit, word):
            return _is(s, unit, word)
    raise AssertionError(words)


def _is(s: State, unit: str, word: str) -> bool:
    printed = s.board.units[unit]
    match word:
        case "rifle":
            return printed.rifle
        case "mounted":
            return printed.mounted
        case "commander":
            return printed.commander
        case "held":
            return is_held(s, unit)
        case "pinned":
            return unit in s.pinned
        case "fired":
            return unit in s.fired
    return unit in s.exited
