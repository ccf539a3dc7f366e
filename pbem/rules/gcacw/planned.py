"""Why an order that is planned for a phase can never be given in it, whatever comes before in the turn (rc-orders)."""

from __future__ import annotations

from pbem.errors import Refusal
from pbem.rules.gcacw import actions, events, never, recovery, supply
from pbem.rules.gcacw.holds import one_sided
from pbem.rules.gcacw.orders import Done, Forage, Merge, Order
from pbem.rules.gcacw.sequence import ENDS, GIVEN, Kind, is_ahead, phase_of, phases_of
from pbem.rules.gcacw.state import State
from pbem.rules.gcacw.substitutes import is_substitute
from pbem.rules.gcacw.wording import CLOSING
from pbem.rules.kit import phases
from pbem.rules.kit.phases import Phase

__all__ = ["why_never"]


def why_never(s: State, side: str, phase: str, order: Order) -> Refusal | None:
    """Why a side can't give an order in a phase, whatever comes before."""
    found = phases.named(phases_of(s.board), s.board.sides, phase)
    if found is None:
        return None
    if found.kind == Kind.CYCLE:
        refusal = actions.why_never(s, side, order)
        return refusal if refusal is not None and refusal.elsewhere else _why_not_asked(s, side, found) or refusal
    if found.player is None:
        return Refusal(found.clause, "nobody is asked for orders in this phase", elsewhere=True)
    if s.board.sides[found.player].id != side:
        return Refusal(found.clause, "the other side is asked in this phase")
    if isinstance(order, Merge) and s.board.advanced is None:
        return Refusal("14.0-0", "nobody merges in the basic game")
    if not (isinstance(order, GIVEN[Kind(found.kind)] | Done) or order == ENDS[Kind(found.kind)].order):
        return Refusal(found.clause, "such an order isn't given in this phase", elsewhere=True)
    if found.kind == Kind.RECOVERY and recovery.is_idle(s, side, order):
        return Refusal(
            found.clause, f"turn {s.turn} is the last: the score can't hang on it, and nobody is asked for it"
        )
    refusal = _why_not_asked(s, side, found) or never.why_never(s, side, order)
    if refusal is None and isinstance(order, Forage):
        return next(filter(None, (_why_fed(s, side, unit) for unit in order.units)), None)
    return refusal


def _why_not_asked(s: State, side: str, phase: Phase) -> Refusal | None:
    """Why a side is asked for nothing in a phase of its own, or the cycle, any more in this turn."""
    if side + " turn" in s.through:
        return Refusal(phase.clause, f"`{CLOSING}` was given: nothing more is asked in turn {s.turn}")
    if side in s.through and phase == phase_of(s):
        return Refusal(phase.clause, f"it was closed: nothing more is asked in it in turn {s.turn}")
    if phase.kind == Kind.CYCLE and one_sided(s) not in (side, None):
        return Refusal(s.board.one_sided[s.turn].clause, f"the other side alone acts in turn {s.turn}")
    known = phase_of(s).kind != Kind.EVENTS  # which may change when they are due
    if (
        phase.kind == Kind.REINFORCEMENTS
        and known
        and not any(
            arrival.side == side and arrival.id in s.waiting and events.due_in(s, arrival) <= s.turn
            for arrival in s.board.arrivals.values()
        )
    ):
        return Refusal(phase.clause, f"no reinforcements are due in turn {s.turn}")
    return None


def _why_fed(s: State, side: str, unit: str) -> Refusal | None:
    """Why a unit has no need to forage any more in this turn, or is too tired or has worked to do so (20.4).

    Out of supply it comes in this turn only where that is judged, by a merging, or detached from who is (21.1-14).
    """
    if unit not in s.manpower or (unit not in s.hungry and _may_hunger(s, side, unit)):
        return None
    return supply.why_not_forage(s, side, unit)


def _may_hunger(s: State, side: str, unit: str) -> bool:
    """Whether a unit on the map may come out of supply before the recovery of this turn."""
    advanced = s.board.advanced
    if advanced is not None and s.turn in advanced.supply and is_ahead(s, Kind.STATUS):
        return True
    if is_substitute(s, unit):
        return any(other in s.hungry for other in s.own(side))
    return is_ahead(s, Kind.CYCLE) and any(other in s.hungry for other in s.units_in(s.at[unit], side))
