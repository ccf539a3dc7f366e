"""Calls to surrender (rulebook 20)."""

from __future__ import annotations

from pbem.errors import Refusal
from pbem.rules.requests import Activity, Roll, Tell
from pbem.rules.sengoku.acting import label_of
from pbem.rules.sengoku.castles import castle_morale, leader_modifier, opened, units_inside
from pbem.rules.sengoku.harm import bury
from pbem.rules.sengoku.orders import Call
from pbem.rules.sengoku.siege import why_not_here
from pbem.rules.sengoku.state import State

__all__ = ["CALL", "carry_out", "why_not"]

CALL = "call"
"""The stem of the label of its die."""

REFUSED = -1  # 20-3(B)
RESIST, REFUSE, SILENT = "A", "B", "C"


def why_not(s: State, side: str, order: Call) -> Refusal | None:
    """Why a force can't call on a castle to surrender now."""
    if refusal := why_not_here(s, side, order.castle, [order.force]):
        return refusal
    name, castle = s.board.describe(order.force), s.board.castles[order.castle].name
    if order.force not in s.besieging:
        return Refusal("17-1-5", f"{name} doesn't besiege {castle}")
    if not s.board.units[order.force].commander:
        return Refusal("20-1", f"{name} is no commander")
    if order.castle in s.assaulted:
        return Refusal("20-1-1", f"{castle} was assaulted in this phase")
    if order.castle in s.called:
        return Refusal("20-1-2", f"{castle} was called to surrender in this phase")
    if order.castle in s.resist:
        return Refusal("20-3(A)", f"{castle} resists to the end")
    return None


def carry_out(s: State, order: Call) -> Activity:
    """A legal call: the die and its modifiers in the row of the durability, and what the castle answers (20-2)."""
    castle, force = order.castle, order.force
    place = label_of(s, castle)
    s.acted.update(s.forces[force])
    s.called.add(castle)
    leader, refused = leader_modifier(s, castle), REFUSED if castle in s.refuse else 0
    better = s.morale.get(force, 0) - castle_morale(s, castle)  # 20-2-1(3)
    (die,) = yield Roll(f"{CALL}/{place}", dice=1)
    answer = s.board.tables.answer(die + leader + better + refused, s.durability[castle])
    facts = {"unit": force, "at": place, "die": die, "leader": leader, "morale": better, "refused": refused}
    facts |= {"durability": s.durability[castle], "inside": len(units_inside(s, castle)), "answer": answer}
    yield Tell("call", "20-2", facts)
    if answer == RESIST:
        s.resist.add(castle)
    elif answer == REFUSE:
        s.refuse.add(castle)
    elif answer != SILENT:
        yield from opened(s, castle, force, answer)
        yield from bury(s)
