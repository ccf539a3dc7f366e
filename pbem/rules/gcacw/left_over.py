"""What is left of an action that was ordered ahead and has become illegal when its turn comes (rc-orders)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pbem.errors import Refusal
from pbem.rules.gcacw import activation, march, supply
from pbem.rules.gcacw.along import from_here
from pbem.rules.gcacw.orders import Activate, Forage, March, Order
from pbem.rules.gcacw.state import State
from pbem.rules.gcacw.wording import order_words
from pbem.rules.kit.ask import dropped
from pbem.rules.requests import Tell

__all__ = ["left_of"]


def left_of(s: State, side: str, order: Order) -> tuple[Order, tuple[Tell, ...]] | None:
    """The march as far as it can be gone, the activation of those who still can march, foraging by those who still can;
    None of all others.

    A way ends before the first hex that can't be entered, and then without the attack behind it; an attack is left out
    also when nobody is there any more. Who leads or takes part in an assault isn't left out: it is made whole or not.
    """
    if isinstance(order, March):
        there = from_here(s, order)
        if isinstance(there, Refusal) or (refusal := march.why_not(s, side, there)) is None:
            return None
        found = _beginning(s, side, there)
        if found is None or march.why_not(s, side, found) is not None:
            return None
        return found, _short(
            s, dropped(order_words(s.board, order), {order.unit: refusal}), {order.unit: (there, found)}
        )
    if isinstance(order, Forage):
        return _foraging(s, side, order)
    return _activation(s, side, order) if isinstance(order, Activate) else None


def _foraging(s: State, side: str, order: Forage) -> tuple[Order, tuple[Tell, ...]] | None:
    """Foraging by those named who can (20.4-1 to 20.4-3)."""
    found = {unit: supply.why_not_forage(s, side, unit) for unit in order.units}
    refused = {unit: refusal for unit, refusal in found.items() if refusal is not None}
    left = Forage(tuple(unit for unit in order.units if unit not in refused))
    if not refused or supply.why_not(s, side, left) is not None:
        return None
    return left, dropped(order_words(s.board, order), refused)


def _beginning(s: State, side: str, order: March, led: Activate | None = None) -> March | None:
    """The march along the longest beginning of its way whose steps can be made; None where that is no step.

    Whatever else may be against it is against each beginning alike.
    """
    if march.why_not_act(s, side, order.unit) is not None:
        return None
    steps, _ = march.way_open(s, order, led)
    return order._replace(path=order.path[:steps], strike=None, unbridge=None) if steps else None


def _activation(s: State, side: str, order: Activate) -> tuple[Order, tuple[Tell, ...]] | None:
    """The activation with the marches that are left, if its leader can lead them."""
    if activation.why_not_lead(s, side, order) is not None:
        return None
    marches: list[March] = []
    refused: dict[str, Refusal] = {}
    shorter: dict[str, tuple[March, March]] = {}
    for one in order.marches:
        there = from_here(s, one)
        if isinstance(there, Refusal):
            refused[one.unit] = there
            continue
        reason = activation.why_not_one(s, side, order, there)
        part = there if reason is None else _beginning(s, side, there, order)
        if part is not None and (reason is None or activation.why_not_one(s, side, order, part) is None):
            marches.append(part)
            shorter[one.unit] = there, part
        if reason is not None:
            refused[one.unit] = reason
    left = order._replace(marches=tuple(marches))
    if not refused or activation.why_not(s, side, left) is not None:
        return None
    return left, _short(s, dropped(order_words(s.board, order), refused), shorter)


def _short(s: State, tells: Iterable[Tell], shorter: Mapping[str, tuple[March, March]]) -> tuple[Tell, ...]:
    """The same, each of a unit that marches all the same with what of its march is dropped: `part`, and the `end` of a
    shorter way."""
    found = []
    for tell in tells:
        if (both := shorter.get(tell.facts["unit"])) is not None:
            ordered, left = both
            ends = f"the attack of {ordered.unit}" if ordered.strike is not None else f"the bridge of {ordered.unit}"
            cut = len(left.path) < len(ordered.path)
            part = f"the rest of {ordered.unit}'s way" if cut else ends
            end = {"end": s.board.label[left.path[-1]]} if cut else {}
            tell = tell._replace(facts=tell.facts | {"part": part} | end)
        found.append(tell)
    return tuple(found)
