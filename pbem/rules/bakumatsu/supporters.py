"""What remains of a fire or melee order when some of its supporters have become illegal."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from pbem.errors import Refusal
from pbem.requests import Tell
from pbem.rules.bakumatsu import fire, melee
from pbem.rules.bakumatsu.orders import Fire, Melee, Order, order_words
from pbem.rules.bakumatsu.state import State

__all__ = ["remainder"]


def remainder(s: State, side: str, order: Order) -> tuple[Order, tuple[Tell, ...]] | None:
    """The order without the supporters that can't support now, and a `drop` for each of them.

    None when the order is no fire or melee, when all its supporters are legal, or when it would be illegal without
    them too. For an order given before the dice fell: supporters drop out, the fire or melee goes on (9-2(2)a, 10-2(2)a).
    """
    match order:
        case Fire():
            refusal: Callable[[str], Refusal | None] = lambda unit: fire.why_not_support(s, order, unit)
            alone = fire.why_not(s, side, replace(order, support=()))
        case Melee():
            refusal = lambda unit: melee.why_not_support(s, order, unit)
            alone = melee.why_not(s, side, replace(order, support=()))
        case _:
            return None
    dropped = {unit: reason for unit in order.support if (reason := refusal(unit)) is not None}
    if alone is not None or not dropped:
        return None
    words = " ".join(order_words(s.board, order))
    told = [Tell("drop", r.clause, {"unit": unit, "order": words, "reason": r.reason}) for unit, r in dropped.items()]
    return replace(order, support=tuple(unit for unit in order.support if unit not in dropped)), tuple(told)
