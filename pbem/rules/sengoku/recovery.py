"""Recovery: a force restores its lowered morale (rulebook 26)."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.errors import Refusal
from pbem.rules.requests import Activity, Roll, Tell
from pbem.rules.sengoku.acting import why_not_act
from pbem.rules.sengoku.board import BUSHO, SOTAISHO, TAISHO
from pbem.rules.sengoku.lines import in_line
from pbem.rules.sengoku.orders import Recover
from pbem.rules.sengoku.state import State

__all__ = ["NEEDED", "RECOVERY", "carry_out", "options", "why_not"]

RECOVERY = "recovery"
"""The stem of its die's label."""

NEEDED = {BUSHO: 2, TAISHO: 3, SOTAISHO: 4}
"""Rank of the leader -> the die, or less, by which a force without a line recovers (26-1-2)."""


def why_not(s: State, side: str, order: Recover) -> Refusal | None:
    """Why a force can't recover now."""
    refusal = why_not_act(s, side, order.force)
    if refusal is None and order.force not in s.morale:  # 26.0
        return Refusal("26.0", f"the morale of {s.board.describe(order.force)} isn't lowered")
    return refusal


def options(s: State, force: str) -> Iterator[Recover]:
    """The recovery of a force that may act, where it helps."""
    if force in s.morale:
        yield Recover(force)


def carry_out(s: State, order: Recover) -> Activity:
    """A legal recovery: by one with a line, shut in or not, by a die without it."""
    force, die = order.force, None
    lined = in_line(s, force)  # 26-1
    s.acted.update(s.forces[force])
    if not lined:
        (die,) = yield Roll(f"{RECOVERY}/{force}", dice=1)
    needed = NEEDED[s.board.units[force].rank]
    recovers = die is None or die <= needed  # 26-1-1, 26-1-2
    if recovers:
        s.set_morale(force, s.morale[force] + 1)
    facts = {"unit": force, "line": lined, "recovers": recovers, "morale": s.morale.get(force, 0)}
    yield Tell("recover", "26-1-1" if lined else "26-1-2", facts if lined else {**facts, "die": die, "needed": needed})
