"""Who may march, and why a march can't be ordered: fatigue, leaders, steps, the attack at its end (std-5.1)."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.errors import Refusal
from pbem.maps.hexes import Hex
from pbem.rules.gcacw.board import UNION, Board
from pbem.rules.gcacw.events import paralysed
from pbem.rules.gcacw.holds import why_closed, why_held
from pbem.rules.gcacw.leaders import follows, why_left_alone
from pbem.rules.gcacw.orders import NEVER, Activate, March, Path
from pbem.rules.gcacw.state import MOST_FATIGUE, State
from pbem.rules.gcacw.substitutes import why_not_detach
from pbem.rules.gcacw.zones import in_zone, why_closed_side

__all__ = [
    "EXTENDED",
    "before_attack",
    "way_open",
    "why_apart",
    "why_no_extended",
    "why_no_force",
    "why_no_step",
    "why_no_strike",
    "why_no_unbridge",
    "why_not",
    "why_not_act",
    "why_not_with",
]

EXTENDED = 3
"""The fatigue from which on a march to it, and nothing else, is an extended one (std-5.1-5, std-5.1-7, 13.1-sp1c)."""


# --- who may act --------------------------------------------------------------------------------------------------


def why_not_act(s: State, side: str, unit: str) -> Refusal | None:
    """Why a combat unit can't be chosen for any action (std-4.0-6, std-4.0-8, std-4.0-9)."""
    board = s.board
    if board.units[unit].side != side:
        return Refusal("std-4.0-3", f"{board.describe(unit)} isn't yours")
    if board.units[unit].leader:
        return Refusal("std-2.2-1", f"{board.describe(unit)} is a leader, no combat unit")
    if unit not in s.manpower:
        return Refusal("std-4.0-6", f"{board.units[unit].name} isn't on the map")
    if s.fatigue.get(unit, 0) >= MOST_FATIGUE:
        return Refusal("std-4.0-6", f"{board.units[unit].name} is at fatigue 4, and can't act")
    return why_held(s, unit)


def why_no_extended(s: State, unit: str) -> Refusal | None:
    """Why a march of a unit is barred because it would be an extended one (13.1-sp1a, 13.3-sp3)."""
    if s.turn in s.board.no_extended and s.fatigue.get(unit, 0) + 1 >= EXTENDED:
        clause = "13.3-sp3" if s.board.together is not None else "13.1-sp1a"
        return Refusal(clause, f"{s.board.units[unit].name} makes no extended march in turn {s.turn}")
    return None


# --- why a march can't be ordered ----------------------------------------------------------------------------------


def why_not(s: State, side: str, order: March, led: Activate | None = None) -> Refusal | None:
    """Why a march can't be ordered: unit, leaders, path and attack. Points aren't known yet (std-5.1-3).

    `led` is the activation of which it is a part: its leader is where he goes first.
    """
    refusal = why_not_act(s, side, order.unit) or why_no_extended(s, order.unit)
    if refusal is not None:
        return refusal
    led_by = led.leader if led is not None else None
    stays = any(one.at in (None, s.at[order.unit]) for one in order.detached)
    if order.path and not stays and (alone := why_left_alone(s, order.unit, order.leaders, led_by)) is not None:
        return alone
    refusal = way_open(s, order, led)[1] or why_no_strike(s, order) or why_no_unbridge(s, side, order)
    # what is left out of an order given ahead (left_over) is no reason as long as there is another
    refusal = refusal or why_not_with(s, order.unit, order.leaders, led) or why_not_detach(s, side, order)
    return why_no_force(s, side) if refusal is None and order.force != NEVER else refusal


def way_open(s: State, order: March, led: Activate | None = None) -> tuple[int, Refusal | None]:
    """How many steps of the way of a unit on the map can be made one after another, and why not the next.

    A step that the way makes again is judged once. Cavalry beside which the unit stands already goes back only if it is
    attacked, or comes up to one that marches before it in the same activation (std-7.7-1).
    """
    here, leaders = s.at[order.unit], tuple(dict.fromkeys(order.leaders))
    attacked = order.strike.at if order.strike is not None else None
    first = led is None or led.marches[:1] == (order,)
    able: set[tuple[Hex, Hex]] = set()
    for gone, h in enumerate(order.path):
        if (here, h) not in able:
            empties, asked = _may_empty(s, order.unit, h), gone > 0 or not first or order.path == (attacked,)
            refusal = _why_shut(s, order.unit, here, h, leaders) if empties else None
            if refusal is None and not (empties and asked):
                refusal = why_no_step(s, order.unit, here, h, leaders)
            if refusal is not None:
                return gone, refusal
            able.add((here, h))
        here = h
    return len(order.path), None


def _may_empty(s: State, unit: str, h: Hex) -> bool:
    """Whether a hex of enemy cavalry may be empty when infantry comes to it: the way may lead there (std-7.7-7)."""
    units, enemy = s.board.units, s.board.enemy[s.board.units[unit].side]
    there = s.units_in(h, enemy)
    return units[unit].infantry and bool(there) and all(units[other].cavalry for other in there)


def before_attack(order: March) -> Path:
    """The way up to the hex that is attacked: where it ends there, the unit enters once cavalry has gone back."""
    return order.path[:-1] if order.strike is not None and order.path[-1:] == (order.strike.at,) else order.path


def why_not_with(s: State, unit: str, leaders: Sequence[str], led: Activate | None = None) -> Refusal | None:
    """Why leaders can't go along with a unit (rc-march 1)."""
    for leader in leaders:
        name = s.board.units[leader].name
        if not s.board.units[leader].leader:
            return Refusal("std-5.1-1", f"{s.board.describe(leader)} is no leader: units march one by one")
        hop = led.hop if led is not None and led.leader == leader else None
        if (s.at.get(leader) if hop is None else s.at[hop]) != s.at[unit]:
            return Refusal("std-5.1-1", f"{name} isn't with {s.board.units[unit].name}")
        if not follows(s, leader, unit):
            return Refusal("std-6.3-1", f"{s.board.units[unit].name} isn't of {name}'s command")
        if s.board.together is not None and leader == s.board.together[0] and unit != s.board.together[1]:
            return Refusal("13.3-sp2a", f"{name} must stay with {s.board.units[s.board.together[1]].name}")
        if (refusal := why_held(s, leader)) is not None:
            return refusal
    return None


def why_no_force(s: State, side: str) -> Refusal | None:
    """Why a side can force no march in this turn (std-5.1-12, 14.0-par3, 18.0-4)."""
    if s.turn in s.board.no_force:
        clause = "13.3-sp3" if s.board.together is not None else "13.1-sp2"
        return Refusal(clause, f"nobody force marches in turn {s.turn}")
    what = f"nobody of this side can force march in turn {s.turn}"
    if paralysed(s, side):
        return Refusal("14.0-par3", f"{what}: its command is paralysed")
    if s.panicking and side == UNION:
        return Refusal("18.0-4", f"{what}: the Union is in panic")
    return None


def why_no_step(s: State, unit: str, here: Hex, h: Hex, leaders: Sequence[str] = ()) -> Refusal | None:
    """Why a step can't be made whatever points there are: adjacent, open, no enemy, not closed (rc-march 6)."""
    board, side = s.board, s.board.units[unit].side
    if h in board.ground.near[here] and s.holder(h) == board.enemy[side]:
        return Refusal("std-2.2-7", f"the enemy is in {board.place(h)}")
    return _why_shut(s, unit, here, h, leaders)


def _why_shut(s: State, unit: str, here: Hex, h: Hex, leaders: Sequence[str] = ()) -> Refusal | None:
    """Why a step can't be made whoever is in the hex."""
    board, side = s.board, s.board.units[unit].side
    place = board.place(h)
    if h == here == s.at.get(unit):
        return Refusal("std-6.1-1", f"{board.units[unit].name} stands in {place} already")
    if (gap := why_apart(board, here, h)) is not None:
        name = board.units[unit].name
        return gap._replace(reason=f"{gap.reason}, where {name} stands") if here == s.at.get(unit) else gap
    if (shut := why_closed_side(s, side, here, h)) is not None:
        return shut
    only = board.one_sided.get(s.turn)
    if only is not None and only.no_zoc and in_zone(s, side, h):
        return Refusal(only.no_zoc, f"{place} is in a zone of control of the enemy, closed in turn {s.turn}")
    if only is not None and (refusal := _why_not_begin(s, unit, here, h)) is not None:
        return refusal
    found = (why_closed(s, one, h) for one in (unit, *leaders))
    return next((refusal for refusal in found if refusal is not None), None)


def why_apart(board: Board, here: Hex, h: Hex, clause: str = "std-6.1-1") -> Refusal | None:
    """Why nobody steps from a hex to another, or attacks from it there, by the clause: it isn't adjacent."""
    if h in board.ground.near[here]:
        return None
    return Refusal(clause, f"{board.place(h)} isn't adjacent to {board.place(here)}")


def _why_not_begin(s: State, unit: str, here: Hex, h: Hex) -> Refusal | None:
    """Why a step can't be made in a one-sided turn: out of an enemy's zone, or over a river (22.1-sp2b, 22.1-sp2c)."""
    only, side = s.board.one_sided[s.turn], s.board.units[unit].side
    if only.no_leave and s.options.leave_zone_turn_1 == "no" and in_zone(s, side, here):
        return Refusal(only.no_leave, f"{s.board.units[unit].name} is in a zone of control, and stays in turn {s.turn}")
    if (here, h) in only.shore:
        return Refusal(only.no_river, f"nobody crosses the river to {s.board.place(h)} in turn {s.turn}")
    return None


def why_no_strike(s: State, order: March, end: Hex | None = None) -> Refusal | None:
    """Why the attack can't be made from where a march ends, or leads (std-7.1-1, std-7.1-5, std-11.0-2)."""
    strike = order.strike
    if strike is None:
        return None
    end = [s.at[order.unit], *before_attack(order)][-1] if end is None else end
    side = s.board.units[order.unit].side
    if order.unit in s.demoralised:
        return Refusal("std-11.0-2", f"{s.board.units[order.unit].name} is demoralised, and can't attack")
    if (gap := why_apart(s.board, end, strike.at, "std-7.1-1")) is not None:
        return gap
    if (shut := why_closed_side(s, side, end, strike.at, attack=True)) is not None:
        return shut
    if not s.units_in(strike.at, s.board.enemy[side]):
        return Refusal("std-7.1-1", f"no enemy is in {s.board.place(strike.at)}")
    return None


def why_no_unbridge(s: State, side: str, order: March) -> Refusal | None:
    """Why a march can't remove a bridge: its owner's unit comes to one of its ends (std-10.0-4)."""
    if order.unbridge is None:
        return None
    a, b = order.unbridge
    if s.bridge_between(a, b) != side:
        return Refusal("std-10.0-4", f"no bridge of yours is between {s.board.place(a)} and {s.board.place(b)}")
    if not {a, b}.intersection((s.at[order.unit], *order.path)):
        return Refusal("std-10.0-4", f"{s.board.units[order.unit].name} doesn't come to the bridge")
    return None
