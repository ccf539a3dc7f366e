"""Leader activation: a corps leader's units march one after another on one allowance (std-5.2, rc-activation)."""

from __future__ import annotations

from collections.abc import Collection

from pbem.errors import Refusal
from pbem.maps.hexes import Hex
from pbem.rules.gcacw import march, may_march
from pbem.rules.gcacw.holds import why_held
from pbem.rules.gcacw.leaders import follows, go, in_radius, is_corps, settle, why_not_hop
from pbem.rules.gcacw.orders import Activate, March
from pbem.rules.gcacw.state import State
from pbem.rules.requests import Activity, Tell

__all__ = [
    "carry_out", "led_from", "left_alone", "left_alone_by", "why_not", "why_not_lead", "why_not_one", "would_be_alone",
]  # fmt: skip


def led_from(s: State, order: Activate) -> Hex:
    """The hex from which the leader activates: his own, or that to which he goes first (std-5.2-6)."""
    return s.at[order.leader] if order.hop is None else s.at[order.hop]


def why_not(s: State, side: str, order: Activate) -> Refusal | None:
    """Why a leader can't be activated so."""
    if (refusal := why_not_lead(s, side, order)) is not None:
        return refusal
    units = [one.unit for one in order.marches]
    if not units or len({*units}) < len(units):
        return Refusal("std-5.2-5", "name at least one unit, each once")
    found = (why_not_one(s, side, order, one) for one in order.marches)
    return next((refusal for refusal in found if refusal is not None), None) or _why_left_alone(s, order)


def why_not_lead(s: State, side: str, order: Activate) -> Refusal | None:
    """Why a leader can't lead anybody, or go first where the order says."""
    leader = s.board.units[order.leader]
    if leader.side != side or not leader.leader:
        return Refusal("std-5.2-1", f"{s.board.describe(order.leader)} is no leader of yours")
    if not is_corps(s, order.leader):
        return Refusal("std-5.2-3", f"{leader.name} is an army leader, and activates nobody")
    if order.leader not in s.at:
        return Refusal("std-6.3-2", f"{leader.name} isn't on the map")
    if (refusal := why_held(s, order.leader)) is not None:
        return refusal
    if order.hop is not None and (refusal := why_not_hop(s, order.leader, order.hop)) is not None:
        return Refusal("std-5.2-6", refusal.reason)
    if sum(order.leader in one.leaders for one in order.marches) > 1:
        return Refusal("std-5.2-4", f"{leader.name} goes along with one unit")
    return None


def _why_left_alone(s: State, order: Activate) -> Refusal | None:
    """Why a leader can't stay where he is when all that is ordered has marched away (std-5.2-4, std-6.3-1)."""
    found = left_alone_by(s, order)
    if found is None:
        return None
    (leader, units), refusal = found, would_be_alone(s, found[0])
    one = next(one for one in order.marches if one.unit in units)
    words = f"march {one.unit} with {' '.join((*one.leaders, leader))}"
    return refusal._replace(reason=f"{refusal.reason}: let him go along with one, as by `{words}`")


def would_be_alone(s: State, leader: str) -> Refusal:
    """Why somebody has to stay with a leader (std-6.3-1)."""
    return Refusal("std-6.3-1", f"{s.board.units[leader].name} would be left without a unit of his command")


def left_alone_by(s: State, order: Activate) -> tuple[str, list[str]] | None:
    """The first leader who goes along with nobody when all who are with him march away, and these; None for none.

    Who detaches a substitute where his march begins leaves him company of the same corps (21.1-3, 21.1-8).
    """
    gone = {one.unit for one in order.marches if one.path} - _leave_a_part(s, order)
    along = {leader for one in order.marches if one.path for leader in one.leaders}
    found = left_alone(s, order.leader, led_from(s, order), gone)
    return next(((leader, units) for leader, units in found.items() if leader not in along), None)


def _leave_a_part(s: State, order: Activate) -> set[str]:
    """The units who leave a substitute in the hex where they stand; one is detached by the first who names it."""
    leave, named = set[str](), set[str]()
    for one in order.marches:
        for part in one.detached:
            if part.at in (None, s.at[one.unit]) and part.substitute not in named:
                leave.add(one.unit)
            named.add(part.substitute)
    return leave


def left_alone(s: State, active: str, start: Hex, gone: Collection[str]) -> dict[str, list[str]]:
    """Each leader whose units in his hex would all have gone, with these; the active one activates from `start`."""
    side, found = s.board.units[active].side, {}
    for leader in s.leaders(side):
        h = start if leader == active else s.at[leader]
        here = [unit for unit in s.units_in(h, side) if follows(s, leader, unit)]
        if here and {*here} <= {*gone}:
            found[leader] = here
    return found


def why_not_one(s: State, side: str, order: Activate, one: March) -> Refusal | None:
    """Why a unit can't be one of those named."""
    leader = s.board.units[order.leader]
    if (refusal := may_march.why_not_act(s, side, one.unit)) is not None:
        return refusal
    if not s.commands(order.leader, one.unit):
        return Refusal("std-5.2-1", f"{s.board.units[one.unit].name} isn't of {leader.name}'s command")
    if not in_radius(s, order.leader, one.unit, led_from(s, order)):
        return Refusal("std-2.5-1", f"{s.board.units[one.unit].name} isn't within {leader.name}'s command radius")
    return may_march.why_not(s, side, one, led=order)


def carry_out(s: State, order: Activate) -> Activity:
    """Activate a leader: he goes to a unit, one roll for all, then march after march."""
    side = s.board.units[order.leader].side
    label = s.board.label
    facts = {"unit": order.leader, "side": side, "units": [one.unit for one in order.marches]}
    if order.hop is not None:
        facts |= {"from": label[s.at[order.leader]], "to": label[s.at[order.hop]]}
        yield from go(s, order.leader, s.at[order.hop])
    yield Tell("activate", "std-5.2-1", facts)
    units = [one.unit for one in order.marches]
    yield from march.tire_all(s, units)  # std-5.2-5
    start = {unit: s.at[unit] for unit in units}
    left = yield from march.roll_allowance(s, units, march.allowance(s, units[0], led=True))
    for one in order.marches:
        mates = [unit for unit in units if start[unit] == start[one.unit]]  # std-6.2-3
        yield from march.run(s, one, left, mates)
    yield from settle(s, [side])
