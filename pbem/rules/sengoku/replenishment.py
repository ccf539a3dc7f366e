"""Replenishment: a commander restores steps of his force, or the durability of a castle (14, 31-1, 33.0; R160)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.errors import Refusal
from pbem.rules.requests import Activity, Roll, Tell
from pbem.rules.sengoku.acting import army_of, besieged, why_not_act
from pbem.rules.sengoku.castles import MOST_DURABILITY, damage, mend, restore
from pbem.rules.sengoku.casualties import suffer
from pbem.rules.sengoku.harm import bury
from pbem.rules.sengoku.lines import in_line, why_cut
from pbem.rules.sengoku.orders import Replenish
from pbem.rules.sengoku.state import State
from pbem.rules.sengoku.tables import Loss

__all__ = ["REPLENISHMENT", "carry_out", "options", "place_of", "why_not", "why_not_restored"]

REPLENISHMENT = "replenishment"
"""The stem of its die's label."""


def why_not(s: State, side: str, order: Replenish) -> Refusal | None:
    """Why a force can't replenish now."""
    return why_not_act(s, side, order.force) or why_not_restored(s, order, s.forces[order.force])


def why_not_restored(s: State, order: Replenish, units: Sequence[str]) -> Refusal | None:
    """Why a force that may act can't replenish itself, when these are its units, or a castle."""
    name = s.board.describe(order.force)
    if not s.board.units[order.force].commander:
        return Refusal("14-1-2", f"{name} is no commander and can't replenish")
    if order.force in s.under_superior:
        return Refusal("14-1-2(separated)", f"{name} was under a superior when this phase began")
    return _why_not_what(s, order, units) or _why_no_line(s, order)


def _why_not_what(s: State, order: Replenish, units: Sequence[str]) -> Refusal | None:
    """Why what an order names can't be restored."""
    return _why_not_units(s, order, units) if order.castle is None else _why_not_castle(s, order, order.castle)


def _why_not_units(s: State, order: Replenish, units: Sequence[str]) -> Refusal | None:
    """Why steps of these units, or of those that the order names, can't be restored."""
    for unit in order.units:
        if unit not in units:
            return Refusal("14-2-5", f"{s.board.describe(unit)} isn't in the force of {s.board.describe(order.force)}")
        if unit not in s.reduced or order.units.count(unit) > 1:
            return Refusal("14.0", f"{s.board.describe(unit)} hasn't lost so many steps")
    if s.reduced.isdisjoint(units):
        return Refusal("14.0", f"no unit of the force of {s.board.describe(order.force)} has lost a step")
    return None


def _why_not_castle(s: State, order: Replenish, castle: str) -> Refusal | None:
    """Why the durability of a castle can't be restored; one that is abandoned anybody may restore (21-1(2))."""
    name, army = s.board.castles[castle].name, army_of(s, order.force)
    if order.units:
        return Refusal("14-3", "either units are replenished or the castle, by one die")
    if s.at[order.force] != s.board.castles[castle].at:
        return Refusal("14-3-1", f"{s.board.describe(order.force)} isn't in the hex of {name}")
    if s.owner.get(castle, army) != army:
        return Refusal("14-3-2", f"{name} belongs to the {s.board.armies[s.owner[castle]].title}")
    if castle in s.replenished:
        return Refusal("14-3-3", f"{name} was replenished in this stage")
    if s.durability[castle] == MOST_DURABILITY:
        return Refusal("14.0", f"{name} has lost no durability")
    return None


def _why_no_line(s: State, order: Replenish) -> Refusal | None:
    """Why a force has no line to replenish by, where it needs one; shut in it is barred by a siege alone (16-5)."""
    match clause := _lacks(s, order):
        case "":
            return None
        case "11-4-2":
            reason = f"{s.board.describe(order.force)} has no line: {why_cut(s, order.force).reason}"
        case _:
            reason = f"{s.board.castles[s.board.castle_in[s.at[order.force]]].name} is besieged"
    return Refusal(clause, reason)


def _lacks(s: State, order: Replenish) -> str:
    """The clause by which a force can't replenish for want of a line; empty when it can."""
    castle = s.board.castle_in.get(s.at[order.force])
    if castle is not None and order.force in s.shut_in:
        if not besieged(s, castle):
            return ""  # 14-3-5(not besieged), 16-5(not besieged)
        return "16-5" if order.castle is None else "14-3-5"
    return "" if _destroyed(s, order) or in_line(s, order.force) else "11-4-2"


def _destroyed(s: State, order: Replenish) -> bool:
    """Whether the order is for an abandoned main castle of the commander's own army (31-1)."""
    return order.castle in s.board.armies[army_of(s, order.force)].main and order.castle not in s.owner


def options(s: State, force: str) -> Iterator[Replenish]:
    """What a force that may act can replenish."""
    castle = s.board.castle_in.get(s.at[force])
    orders = [Replenish(force), *([] if castle is None else [Replenish(force, castle)])]
    if s.board.units[force].commander and force not in s.under_superior:  # 14-1-2
        units = s.forces[force]
        yield from (order for order in orders if _why_not_what(s, order, units) is None and not _lacks(s, order))


def place_of(s: State, order: Replenish) -> str:
    """The column of the commander's table: own in the hex of a castle of his army, else other (14-2-2)."""
    army, h = s.board.armies[army_of(s, order.force)], s.at[order.force]
    if army.home:
        own = s.board.province.get(h) in army.home  # 33.0
    else:
        own = s.owner.get(s.board.castle_in.get(h, "")) == army.id or _destroyed(s, order)
    return "own" if own else "other"


def carry_out(s: State, order: Replenish) -> Activity:
    """A legal replenishment: one die for the force, or for the castle of its hex."""
    force, castle, place = order.force, order.castle, place_of(s, order)
    s.acted.update(s.forces[force])  # 14-1
    (die,) = yield Roll(f"{REPLENISHMENT}/{force}", dice=1)
    army, morale = s.board.armies[army_of(s, force)], s.morale.get(force, 0)
    result = s.board.tables.steps(army.column, place, die + morale)  # 14-2-1, 14-2-3
    facts = {"unit": force, "castle": castle, "die": die, "morale": morale, "place": place, "result": result}
    yield Tell("replenish", "14-2-2" if castle is None else "14-3", facts)
    if castle is not None:
        yield from _change(s, castle, result, army.id)
    elif result < 0:
        yield from suffer(s, [force], Loss(-result, marked=False), "14-2-4(neg)")
    else:
        yield from restore(s, force, result, order.units)  # 14-2-4, 14-2-6
    yield from bury(s)


def _change(s: State, castle: str, by: int, army: str) -> Activity:
    """Add a result to the durability of a castle, or take it; one without any has none to lose (14-3-4)."""
    s.replenished.add(castle)  # 14-3-3
    if by > 0:
        yield mend(s, castle, by, army)
    elif by and s.durability[castle]:
        yield from damage(s, castle, -by, "14-3-4", None)
