"""Morale checks (rulebook 11)."""

from __future__ import annotations

from collections.abc import Generator
from typing import TypeAlias

from pbem.rules.requests import Answer, Request, Roll, Tell
from pbem.rules.yukimura.acting import stem
from pbem.rules.yukimura.board import Unit
from pbem.rules.yukimura.state import State

__all__ = ["REMOVED_AT", "Checking", "check", "value"]

REMOVED_AT = 5
"""The value from which on a failed check removes the unit (11(3)b)."""

Checking: TypeAlias = Generator[Request | Tell, Answer, int]
"""A check: returns its value, 0 or less when it is passed."""


def value(unit: Unit, die: int, add: int) -> int:
    """The value of a check, 0 or less for a unit with an asterisk: die, plus the result's number, less morale."""
    return 0 if unit.morale is None else die + add - unit.morale  # 11(1), 11.b


def check(s: State, unit_id: str, add: int, why: str) -> Checking:
    """Check the morale of one unit, by a die of its own (11.a); what a failure brings is left to the caller.

    `why` is fire, melee or chain.
    """
    unit = s.board.units[unit_id]
    if unit.morale is None:
        yield Tell("exempt", "11.b", {"unit": unit_id, "at": s.board.label[s.at[unit_id]], "why": why})
        return 0  # 11.b
    (die,) = yield Roll(stem("check", s, unit_id), dice=1)
    found = value(unit, die, add)
    removed = found >= REMOVED_AT  # 11(3)b, R85
    facts = {
        "unit": unit_id,
        "at": s.board.label[s.at[unit_id]],
        "die": die,
        "add": add,
        "morale": unit.morale,
        "value": found,
        "why": why,
        "passed": found <= 0,  # 11(2)
        "retreat": found if 0 < found < REMOVED_AT else 0,  # 11(3)a
        "removed": removed,
    }
    if why == "chain":
        clause = "11-2-3.a" if found <= 0 else "11-2-3.b"
    else:
        clause = "11(2)" if found <= 0 else "11(3)b" if removed else "11(3)a"
    yield Tell("check", clause, facts)
    return found
