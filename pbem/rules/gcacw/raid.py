"""Station raids: Confederates damage and destroy stations of the railroads (std-5.4, rc-raid)."""

from __future__ import annotations

from pbem.errors import Refusal
from pbem.maps.hexes import Hex
from pbem.rules.gcacw import march, may_march
from pbem.rules.gcacw.advanced import BY_RAID
from pbem.rules.gcacw.board import CONFEDERATE, DAMAGED, DESTROYED
from pbem.rules.gcacw.entering import destroy_depot
from pbem.rules.gcacw.orders import Raid
from pbem.rules.gcacw.state import State
from pbem.rules.requests import Activity, Tell

__all__ = ["carry_out", "is_by_rail", "why_not"]


def why_not(s: State, side: str, order: Raid) -> Refusal | None:
    """Why a unit can't raid."""
    refusal = may_march.why_not_act(s, side, order.unit)
    if refusal is not None:
        return refusal
    if side != CONFEDERATE:
        return Refusal("std-5.4-1", "the Union raids no stations")
    h = s.at[order.unit]
    if h not in s.board.stations:
        what = f"{s.board.place(h)} has no station to raid"
        if is_by_rail(s, h):
            what = f"{s.board.place(h)} can't be raided: only stations that the rulebook names can"
        return Refusal("std-5.4-1", what)
    if _becomes(s, order.unit) is None:
        what = f"the station of {s.board.place(h)} is damaged, and cavalry can't destroy it"
        if s.station[h] == DESTROYED:
            what = f"the station of {s.board.place(h)} is destroyed"
        return Refusal("std-5.4-1", what)
    return None


def is_by_rail(s: State, h: Hex) -> bool:
    """Whether a hex has a station, or a name and a railroad, so that it looks like one on the map."""
    return h in s.board.stations or (h in s.board.map.place_names and bool(s.board.ground.rail[h]))


def _becomes(s: State, unit: str) -> int | None:
    """How the station of a unit's hex stands after its raid; None where that changes nothing."""
    now = s.station.get(s.at[unit], 0)
    most = DESTROYED if s.board.units[unit].infantry or s.options.cavalry_destroys == "yes" else DAMAGED
    return now + 1 if now < most else None


def carry_out(s: State, order: Raid) -> Activity:
    """A raid: it always succeeds, also beside the enemy, and destroys a depot in the hex (std-5.4-2, 13.5-sp5b)."""
    yield from march.tire_all(s, [order.unit])
    h, becomes = s.at[order.unit], _becomes(s, order.unit)
    assert becomes is not None  # noqa: S101 it is legal
    s.station[h] = becomes
    place = s.board.label[h]
    facts = {"unit": order.unit, "at": place, "station": s.board.stations[h], "destroyed": becomes == DESTROYED}
    yield Tell("raid", "std-5.4-1", facts)
    yield from destroy_depot(s, h, order.unit, BY_RAID)
