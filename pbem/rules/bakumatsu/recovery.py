"""Recovery of disordered units (rulebook 7)."""

from __future__ import annotations

from pbem.errors import Refusal
from pbem.rules.bakumatsu.acting import stem, why_not_act
from pbem.rules.bakumatsu.orders import Recover
from pbem.rules.bakumatsu.state import State
from pbem.rules.kit.ask import Steps
from pbem.rules.requests import Roll, Tell

__all__ = ["recover", "why_not"]


def why_not(s: State, side: str, order: Recover) -> Refusal | None:
    """Why a unit can't try to recover."""
    refusal = why_not_act(s, side, order.unit, owner="7(0)", marked="6(3)")  # 6(0), 7(3)
    if refusal is None and order.unit not in s.disordered:
        return Refusal("7(0)", f"{s.board.describe(order.unit)} is in normal state: only disordered units recover")
    return refusal


def recover(s: State, order: Recover) -> Steps:
    """A recovery check and its result."""
    unit = s.board.units[order.unit]
    (die,) = yield Roll(stem("recover", s, unit.id), dice=1)
    success = die <= unit.morale  # 7(1), 2-2-1(2)4
    if success:
        s.disordered.discard(unit.id)  # 7(2)a, 2-2-1(1)2d
    s.done.add(unit.id)  # 7(3)
    facts = {"unit": unit.id, "at": s.board.label[s.at[unit.id]], "die": die, "morale": unit.morale, "success": success}
    yield Tell("recover", "7(2)a" if success else "7(2)b", facts)  # 7(2)b
