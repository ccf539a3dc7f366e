"""Marches by rail: who may, how far, where the line is shut, and how they are made (13.5-sp3e, 16.0)."""

from __future__ import annotations

from pbem.errors import Refusal
from pbem.maps.hexes import Hex
from pbem.rules.gcacw.advanced import RailMoves
from pbem.rules.gcacw.board import UNION
from pbem.rules.gcacw.entering import entered
from pbem.rules.gcacw.halves import half
from pbem.rules.gcacw.leaders import go, meet, settle, why_left_alone
from pbem.rules.gcacw.march import detach_at, move_on, strain, tire_all
from pbem.rules.gcacw.may_march import EXTENDED, why_no_step, why_not_act, why_not_with
from pbem.rules.gcacw.orders import Rail
from pbem.rules.gcacw.state import State
from pbem.rules.gcacw.substitutes import why_not_detach
from pbem.rules.gcacw.zones import stops, zone
from pbem.rules.requests import Activity, Tell
from pbem.words import listed

__all__ = ["go_by_rail", "rails_open", "why_no_rail", "why_no_rail_step", "why_not_rail"]


def why_not_rail(s: State, side: str, order: Rail) -> Refusal | None:
    """Why a unit can't go by rail (13.5-sp3e1, 13.5-sp3e2)."""
    if (refusal := why_not_act(s, side, order.unit) or why_no_rail(s, order.unit)) is not None:
        return refusal
    if s.board.advanced is not None and s.at[order.unit] not in s.board.advanced.rails.starts:
        starts = sorted(s.board.advanced.rails.starts, key=s.board.order)
        where, here = listed(map(s.board.place, starts), "or"), s.board.place(s.at[order.unit])
        what = f"{s.board.units[order.unit].name} goes by rail only from {where}, and stands in {here}"
        return Refusal("16.0-2", what)
    most, clause = _rail_hexes(s, order.unit)
    if len(order.path) > most:
        return Refusal(clause, f"{most} hexes at most, and the way has {len(order.path)}")
    if not order.path:
        return Refusal(RAIL_HEXES[s.board.advanced is not None], "name the hexes of the way")
    # what is left out of an order given ahead (left_over) is no reason as long as there is another
    refusal = rails_open(s, order)[1] or why_not_with(s, order.unit, order.leaders) or why_not_detach(s, side, order)
    stays = any(one.at in (None, s.at[order.unit]) for one in order.detached)
    return why_left_alone(s, order.unit, order.leaders, keyword="rail") if refusal is None and not stays else refusal


def rails_open(s: State, order: Rail) -> tuple[int, Refusal | None]:
    """How many steps of the way of a unit on the map can be made one after another, and why not the next."""
    here = s.at[order.unit]
    for gone, h in enumerate(order.path):
        refusal = why_no_rail_step(s, order.unit, here, h) or why_no_step(s, order.unit, here, h, order.leaders)
        if refusal is not None:
            return gone, refusal
        here = h
    return len(order.path), None


RAIL_HEXES, RAIL_SHUT = ("13.5-sp3e2", "16.0-6"), ("13.5-sp3e2", "16.0-5")
"""The clauses of the ways by rail, of the basic and the advanced game: along railroads, and what closes them."""


def _rail_hexes(s: State, unit: str) -> tuple[int, str]:
    """How many hexes a unit may go by rail, and the clause that says so."""
    if s.board.advanced is not None:
        return s.board.advanced.rails.hexes, "16.0-4"
    return next(rail.hexes for rail in s.board.rails if unit in rail.units), "13.5-sp3e2"


def why_no_rail(s: State, unit: str) -> Refusal | None:
    """Why a unit doesn't go by rail in this turn, or no more (13.5-sp3e1, 16.0-1, 16.0-8)."""
    if s.board.advanced is not None:
        return _why_no_hauling(s, s.board.advanced.rails, unit)
    name, rail = s.board.units[unit].name, next((rail for rail in s.board.rails if unit in rail.units), None)
    if rail is None:
        told = listed([f"{', '.join(sorted(rail.units))} in turn {rail.turn}" for rail in s.board.rails])
        what = f"{name} can't go by rail, but {told}" if s.board.rails else "nobody goes by rail in this scenario"
        return Refusal("13.5-sp3e1", what)
    if s.turn != rail.turn or unit in s.railed or unit in s.marched:
        return Refusal(rail.clause, f"{name} goes by rail once, as the first march of turn {rail.turn}")
    return None


def _why_no_hauling(s: State, rails: RailMoves, unit: str) -> Refusal | None:
    """Why a unit of the advanced game doesn't go by rail in this turn, or no more (16.0-1, 16.0-8)."""
    one = s.board.units[unit]
    if not rails.turns:
        return Refusal("16.0-1", "nobody goes by rail in this scenario")
    turns = listed([str(turn) for turn in sorted(rails.turns)])
    if one.side != UNION or not one.infantry:
        what = f"{one.name} is {one.branch}: only Union infantry goes by rail, in turns {turns}"
        if one.side != UNION:
            what = f"{one.name} is Confederate: only Union infantry goes by rail, in turns {turns}"
        return Refusal("16.0-1", what)
    if s.turn not in rails.turns:
        return Refusal("16.0-1", f"{one.name} goes by rail in turns {turns} only")
    if unit in s.manpower and unit not in s.railed and s.hauled + s.value(unit) > rails.most:
        left, own = map(half, (rails.most - s.hauled, s.value(unit)))
        what = f"the railroad takes {left} points of combat value more in this turn, and {one.name} has {own}"
        return Refusal("16.0-8", what)
    return None


def why_no_rail_step(s: State, unit: str, here: Hex, h: Hex) -> Refusal | None:
    """Why a step by rail can't be made; in the advanced game a restricted zone of control bars none (16.0-5)."""
    place, advanced = s.board.place(h), s.board.advanced is not None
    enemy = s.board.enemy[s.board.units[unit].side]
    if h not in s.board.ground.rail[here]:
        return Refusal(RAIL_HEXES[advanced], f"no railroad leads from {s.board.place(here)} to {place}")
    if stops(s, unit, h) if advanced else h in zone(s, enemy):
        return Refusal(RAIL_SHUT[advanced], f"{place} is in a zone of control of the enemy")
    if s.station.get(h):
        return Refusal(RAIL_SHUT[advanced], f"the station of {place} is damaged or destroyed")
    return None


def go_by_rail(s: State, order: Rail) -> Activity:
    """Move a unit by rail, with leaders: fatigue, an extended march's roll, no dice for points."""
    yield from tire_all(s, [order.unit])
    if s.board.advanced is not None and order.unit not in s.railed:
        s.hauled += s.value(order.unit)  # 16.0-8: who goes twice counts once
    s.railed.add(order.unit)
    s.marched.add(order.unit)
    if s.fatigue.get(order.unit, 0) >= EXTENDED:
        yield from strain(s, order.unit)
        yield from settle(s, [s.board.units[order.unit].side])
    if order.unit not in s.manpower:
        return
    start = s.at[order.unit]
    yield from detach_at(s, order, None)
    for h in order.path:
        move_on(s, order, h)
        yield from entered(s, [order.unit], h)
        yield from detach_at(s, order, h)
    for leader in order.leaders:
        yield from go(s, leader, s.at[order.unit])
    meet(s, s.board.units[order.unit].side)
    label = s.board.label
    facts = {"unit": order.unit, "with": [*order.leaders], "from": label[start], "path": [label[h] for h in order.path]}
    yield Tell("rail", "16.0-4" if s.board.advanced is not None else "13.5-sp3e2", facts)
