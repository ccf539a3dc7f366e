"""What remains of a fire or melee order when some of its supporters have become illegal."""

from __future__ import annotations

from dataclasses import replace

from pbem.rules.bakumatsu import fire, melee
from pbem.rules.bakumatsu.orders import Fire, Melee, Order, order_words
from pbem.rules.bakumatsu.state import State
from pbem.rules.requests import Tell

__all__ = ["remainder"]


def remainder(s: State, side: str, order: Order) -> tuple[Order, tuple[Tell, ...]] | None:
    """The order without the supporters that can't support now, and a `drop` for each of them (9-2(2)a, 10-2(2)a).

    For an order given before the dice fell. None when it isn't a fire or melee, when all its supporters are legal,
    and when it would be illegal without them too.
    """
    chapter = fire if isinstance(order, Fire) else melee
    if not isinstance(order, Fire | Melee) or chapter.why_not(s, side, replace(order, support=())) is not None:
        return None
    refused = {}
    for unit in order.support:
        reason = (
            fire.why_not_support(s, order, unit) if isinstance(order, Fire) else melee.why_not_support(s, order, unit)
        )
        if reason is not None:
            refused[unit] = reason
    if not refused:
        return None
    words = " ".join(order_words(s.board, order))
    told = tuple(
        Tell("drop", r.clause, {"unit": unit, "order": words, "reason": r.reason}) for unit, r in refused.items()
    )
    return replace(order, support=tuple(unit for unit in order.support if unit not in refused)), told
