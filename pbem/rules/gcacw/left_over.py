"""What is left of an action that was ordered ahead and has become illegal when its turn comes (rc-orders)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from pbem.errors import Refusal
from pbem.records import NamedTuple
from pbem.rules.gcacw import activation, may_march, railway, substitutes, supply
from pbem.rules.gcacw.along import from_here
from pbem.rules.gcacw.orders import NEVER, Activate, Forage, March, Order, Rail
from pbem.rules.gcacw.state import State
from pbem.rules.gcacw.wording import order_words
from pbem.rules.kit.ask import dropped
from pbem.rules.requests import Tell

__all__ = ["left_of"]


class _Part(NamedTuple):
    """A part of a march that can't be carried out any more: what it is called, why not, where the march ends by it."""

    name: str
    refusal: Refusal
    end: str = ""


Going = TypeVar("Going", March, Rail)
"""How a unit goes: both ways leave a part undone alike."""


class _Left(NamedTuple):
    """What is left of a march, and what is not."""

    march: March
    without: tuple[_Part, ...] = ()


def left_of(s: State, side: str, order: Order) -> tuple[Order, tuple[Tell, ...]] | None:
    """The march, by rail too, with what of it can be done, the activation of those who still can march, foraging by
    those who still can; None of all others.

    A way ends before the first hex that can't be entered, and then without the attack behind it; an attack is left out
    also when nobody is there any more. A march that can't be forced is made as it is, one with a leader who isn't there
    without him, and who can't be detached is not. Who leads or takes part in an assault isn't left out: it is made
    whole or not.
    """
    if isinstance(order, March):
        there = from_here(s, order)
        found = None if isinstance(there, Refusal) else _march(s, side, there)
        if found is None or not found.without:
            return None
        return found.march, _told(s, order, {order.unit: found.without})
    if isinstance(order, Rail):
        return _by_rail(s, side, order)
    if isinstance(order, Forage):
        return _foraging(s, side, order)
    return _activation(s, side, order) if isinstance(order, Activate) else None


def _told(s: State, order: Order, without: Mapping[str, tuple[_Part, ...]]) -> tuple[Tell, ...]:
    """A `drop` for each part of a unit's march: `part`, and the `end` of a shorter way."""
    words, found = " ".join(order_words(s.board, order)), list[Tell]()
    for unit, parts in without.items():
        for part in parts:
            facts = {"unit": unit, "order": words, "reason": part.refusal.reason, "part": part.name}
            found.append(Tell("drop", part.refusal.clause, facts | ({"end": part.end} if part.end else {})))
    return tuple(found)


def _foraging(s: State, side: str, order: Forage) -> tuple[Order, tuple[Tell, ...]] | None:
    """Foraging by those named who can (20.4-1 to 20.4-3)."""
    found = {unit: supply.why_not_forage(s, side, unit) for unit in order.units}
    refused = {unit: refusal for unit, refusal in found.items() if refusal is not None}
    left = Forage(tuple(unit for unit in order.units if unit not in refused))
    if not refused or supply.why_not(s, side, left) is not None:
        return None
    return left, dropped(order_words(s.board, order), refused)


# --- a march ----------------------------------------------------------------------------------------------------------


def _march(s: State, side: str, order: March, led: Activate | None = None) -> _Left | None:
    """The march without what can't be done of it; None where nothing is left, or all of it is barred.

    `led` is the activation of which it is a part.
    """
    if may_march.why_not(s, side, order, led) is None:
        return _Left(order)
    if may_march.why_not_act(s, side, order.unit) is not None:
        return None
    found, parts = order, list[_Part]()
    if found.force != NEVER and (refusal := may_march.why_no_force(s, side)) is not None:
        found = found._replace(force=NEVER)  # 14.0-par3, 18.0-4: the march itself is allowed
        parts.append(_Part(f"the forced march of {order.unit}", refusal))
    found, more = _with_whom(s, found, led)
    parts += more
    steps, refusal = may_march.way_open(s, found, led)
    if refusal is not None:
        if not steps:
            return None
        found, rest = _shorter(s, found, steps, refusal)
        found = found._replace(strike=None, unbridge=None)
        parts.append(rest)
    found, more = _at_its_end(s, side, found)
    parts += more
    if not found.path and found.only_goes:
        return None
    return _Left(found, tuple(parts)) if may_march.why_not(s, side, found, led) is None else None


def _by_rail(s: State, side: str, order: Rail) -> tuple[Order, tuple[Tell, ...]] | None:
    """The march by rail without what can't be done of it; None where nothing is left, or all of it is barred (16.0)."""
    if may_march.why_not_act(s, side, order.unit) is not None:
        return None
    found, parts = _with_whom(s, order)
    steps, refusal = railway.rails_open(s, found)
    if refusal is not None:
        if not steps:
            return None
        found, rest = _shorter(s, found, steps, refusal)
        parts.append(rest)
    found, more = _with_substitutes(s, side, found)
    parts += more
    able = parts and railway.why_not_rail(s, side, found) is None
    return (found, _told(s, order, {order.unit: tuple(parts)})) if able else None


def _with_whom(s: State, order: Going, led: Activate | None = None) -> tuple[Going, list[_Part]]:
    """A march without the leaders who can't go along."""
    refused = {leader: may_march.why_not_with(s, order.unit, [leader], led) for leader in order.leaders}
    parts = [_Part(leader, refusal) for leader, refusal in refused.items() if refusal is not None]
    gone = {part.name for part in parts}
    return order._replace(leaders=tuple(one for one in order.leaders if one not in gone)), parts


def _shorter(s: State, order: Going, steps: int, why: Refusal) -> tuple[Going, _Part]:
    """A march that ends behind so many steps of its way."""
    end = s.board.label[order.path[steps - 1]]
    return order._replace(path=order.path[:steps]), _Part(f"the rest of {order.unit}'s way", why, end)


def _at_its_end(s: State, side: str, order: March) -> tuple[March, list[_Part]]:
    """A march whose way is open without the attack and the bridge that can't be, nor who can't be detached."""
    found, parts = order, list[_Part]()
    if (refusal := may_march.why_no_strike(s, order)) is not None:
        found = found._replace(strike=None)
        parts.append(_Part(f"the attack of {order.unit}", refusal))
    if (refusal := may_march.why_no_unbridge(s, side, order)) is not None:
        found = found._replace(unbridge=None)
        parts.append(_Part(f"the bridge of {order.unit}", refusal))
    found, more = _with_substitutes(s, side, found)
    return found, parts + more


def _with_substitutes(s: State, side: str, order: Going) -> tuple[Going, list[_Part]]:
    """A march that detaches those who can be: the first named as long as somebody is left (21.1-13)."""
    kept: Going = order._replace(detached=())
    parts = list[_Part]()
    for one in order.detached:
        able = kept._replace(detached=(*kept.detached, one))
        if (refusal := substitutes.why_not_detach(s, side, able)) is None:
            kept = able
        else:
            parts.append(_Part(one.substitute, refusal))
    return kept, parts


# --- an activation ----------------------------------------------------------------------------------------------------


def _activation(s: State, side: str, order: Activate) -> tuple[Order, tuple[Tell, ...]] | None:
    """The activation with the marches that are left, if its leader can lead them.

    By whom a leader would be left alone stays with him, the last of them as they march (std-6.3-1).
    """
    units = [one.unit for one in order.marches]
    if activation.why_not_lead(s, side, order) is not None or len({*units}) < len(units):
        return None
    refused = dict[str, Refusal]()
    while True:
        found = _marches(s, side, order, refused)
        left = order._replace(marches=tuple(one.march for one in found.values()))
        alone = activation.left_alone_by(s, left)
        if alone is None:
            break
        leader, here = alone
        stays = next(one.unit for one in reversed(left.marches) if one.unit in here)
        refused[stays] = activation.would_be_alone(s, leader)
    if activation.why_not(s, side, left) is not None:
        return None
    words = order_words(s.board, order)
    tells = list[Tell]()
    for one in order.marches:
        if one.unit in refused:
            tells += dropped(words, {one.unit: refused[one.unit]})
        else:
            tells += _told(s, order, {one.unit: found[one.unit].without})
    return (left, tuple(tells)) if tells else None


def _marches(s: State, side: str, order: Activate, refused: dict[str, Refusal]) -> dict[str, _Left]:
    """What is left of each march of an activation but for those refused, to which others are added."""
    found = dict[str, _Left]()
    for one in order.marches:
        if one.unit in refused:
            continue
        there = from_here(s, one)
        if isinstance(there, Refusal):
            refused[one.unit] = there
            continue
        led = order._replace(marches=(*(kept.march for kept in found.values()), there))
        reason = activation.why_not_one(s, side, led, there)
        part = _march(s, side, there, led)
        able = part is not None and activation.why_not_one(s, side, led, part.march) is None
        if part is not None and able:
            found[one.unit] = part
        elif reason is not None:
            refused[one.unit] = reason
    return found
