"""What remains of a fire or hand-to-hand combat when some of its units or advances have become illegal."""

from __future__ import annotations

from dataclasses import replace

from pbem.errors import Refusal
from pbem.rules.requests import Tell
from pbem.rules.yukimura import advance, fire, melee
from pbem.rules.yukimura.combat import participants
from pbem.rules.yukimura.orders import AdvancePlan, Fire, Melee, Order, order_words
from pbem.rules.yukimura.sequence import why_not
from pbem.rules.yukimura.state import State

__all__ = ["remainder"]


def remainder(s: State, side: str, order: Order) -> tuple[Order, tuple[Tell, ...]] | None:
    """The order with what is legal of it now, and a `drop` for each unit or advance that isn't (R81).

    For an order given before the dice fell. Advances may be left out, units only if it says `or fewer`; they are alike,
    so when the first is lost the next one stands first. None when the order lapses: it isn't a fire or hand-to-hand
    combat, nothing is to be dropped, or nothing would remain that is legal in this phase.
    """
    if not isinstance(order, Fire | Melee):
        return None
    chapter = fire if isinstance(order, Fire) else melee
    if chapter.why_not_target(s, side, order.target) is not None:
        return None
    refused = {unit: reason for unit in participants(order) if (reason := _why_not(s, side, order, unit)) is not None}
    units = tuple(unit for unit in participants(order) if unit not in refused)
    if not units or (refused and not order.fewer):
        return None
    left = replace(order, unit=units[0], support=units[1:], advance=(), fewer=order.fewer and len(units) > 1)
    plans: list[AdvancePlan] = []
    for plan in order.advance:
        reason = advance.why_not_plan(s, left, plan)
        if reason is None:
            plans.append(plan)
        else:
            refused.setdefault(plan.unit, reason)
    left = replace(left, advance=tuple(plans))
    if not refused or why_not(s, side, left) is not None:
        return None
    words = " ".join(order_words(s.board, order))
    return left, tuple(
        Tell("drop", r.clause, {"unit": unit, "order": words, "reason": r.reason}) for unit, r in refused.items()
    )


def _why_not(s: State, side: str, order: Fire | Melee, unit: str) -> Refusal | None:
    """Why a unit can't take part in an order against a legal target."""
    if isinstance(order, Fire):
        return fire.why_not_firer(s, side, unit, order.target)
    return melee.why_not_attacker(s, side, unit, order.target)
