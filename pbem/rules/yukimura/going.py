"""Orders that name only where a unit shall go, `move U to HEX`: the cheapest legal way there as things are."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.errors import Refusal
from pbem.maps.hexes import Hex
from pbem.rules.kit.going import Going, first_legal, going
from pbem.rules.kit.words import unit_id
from pbem.rules.requests import Choose, Words
from pbem.rules.yukimura import movement
from pbem.rules.yukimura.board import Unit
from pbem.rules.yukimura.held import LINE, west_of_line
from pbem.rules.yukimura.movement_phase import ENTRY_COST, entry_hexes, free_entries
from pbem.rules.yukimura.orders import OFF, Advance, Displace, Enter, March, Move, Order, Path, Retreat
from pbem.rules.yukimura.state import State

__all__ = ["way"]

GOES = ("move", "march", "enter", "retreat", "displace", "advance")

NOT_NEXT = ("7-1-2", "7-4-2", "12-1(6)", "7-5-1(1)")
"""The clauses that refuse a single step, but not a way of several."""


def way(s: State, choose: Choose, words: Words) -> Order | None:
    """The order that words with `to HEX` mean now; None for words that go nowhere.

    `enter U [ENTRY] to HEX` comes on where it is cheapest, or at the hex named. Raises MalformedOrder, AmbiguousOrder,
    or IllegalOrder without a legal way.
    """
    told = going(words, (OFF,))
    if told is None or told.before[0] not in GOES:
        return None
    at = None
    if told.before[0] == "enter" and len(told.before) > 2 and told.before[-1][-1:].isdigit():
        at, told = s.board.parse(told.before[-1]), told._replace(before=told.before[:-1])
    unit = s.board.units[unit_id(s.board, told.unit, choose.side)]
    h = s.board.parse(told.place)
    orders = _orders(s, choose, told, unit, h, at)
    return first_legal(orders, choose.why_not, lambda: _why_none(s, choose, told, unit, h, at), words)


def _orders(s: State, choose: Choose, told: Going, unit: Unit, h: Hex, at: Hex | None) -> Iterator[Order]:
    """The orders that may be meant, the first that is legal first."""
    keyword, start, off = told.before[0], s.at.get(unit.id), bool(told.behind)
    if keyword == "enter":
        yield from _entries(s, unit, h, at)
    elif keyword in ("retreat", "displace", "advance"):
        yield from (order for order in choose.options() if _ends(order, unit.id, h))
    elif start is not None and movement.is_idle(s, unit.id):
        path = _path(s, unit, start, h, keyword, off=off)
        if path is not None:
            yield (Move if keyword == "move" else March)(unit.id, path, off)


def _path(s: State, unit: Unit, start: Hex, h: Hex, how: str, *, off: bool) -> Path | None:
    """The cheapest path to a hex, and `off` the map from there; None where there is none."""
    if off:
        return (movement.move_off if how == "move" else movement.march_off)(s, unit, start, h)
    if how == "march":
        return movement.march_destinations(s, unit, start).get(h)
    found = movement.move_destinations(s, unit, start).get(h)
    return None if found is None else found[1]


def _entries(s: State, unit: Unit, h: Hex, at: Hex | None) -> list[Enter]:
    """The entries of a waiting unit that end in a hex, by `at` or any hex where it may enter, the cheapest first."""
    if unit.id not in s.waiting.get(unit.force, ()):
        return []
    found = []
    for entry in free_entries(s, unit.force):
        if at not in (None, entry):
            continue
        ways = {**movement.move_destinations(s, unit, entry, ENTRY_COST), entry: (ENTRY_COST, ())}
        if h in ways:
            cost, path = ways[h]
            found.append((cost, (entry, *path)))
    return [Enter(unit.id, path) for _, path in sorted(found)]


def _ends(order: Order, unit: str, h: Hex) -> bool:
    """Whether an answer of a unit ends in a hex."""
    if isinstance(order, Displace):
        return order.unit == unit and order.at == h
    return isinstance(order, Retreat | Advance) and order.unit == unit and order.path[-1:] == (h,)


def _why_none(s: State, choose: Choose, told: Going, unit: Unit, h: Hex, at: Hex | None) -> Refusal:
    """Why a unit can't come to a hex."""
    keyword, start, place = told.before[0], s.at.get(unit.id), s.board.place(h)
    straight: dict[str, Order] = {
        "move": Move(unit.id, (h,)),
        "march": March(unit.id, (h,)),
        "retreat": Retreat(unit.id, (h,)),
        "displace": Displace(unit.id, h),
        "advance": Advance(unit.id, (h,)),
    }
    if keyword == "enter":
        return _why_no_entry(s, choose, unit, h, at)
    refusal = choose.why_not(straight[keyword])
    if keyword == "march" and start is not None and movement.on_no_road(s, start) and refusal:
        return refusal
    if start is None or keyword not in ("move", "march") or (refusal and refusal.clause not in NOT_NEXT):
        return refusal or Refusal("", f"{s.board.describe(unit.id)} can't end at {place}")
    other, name = s.stands[unit.side].get(h), s.board.describe(unit.id)
    if other == unit.id:
        return Refusal("7-1", f"{name} stands at {place} already")
    if other is not None and not told.behind:
        return Refusal("7-4-1.b", f"{place} is occupied by {s.board.describe(other)}")
    return _why_no_way(s, unit, start, h, keyword)


def _why_no_entry(s: State, choose: Choose, unit: Unit, h: Hex, at: Hex | None) -> Refusal:
    """Why a unit can't come on, or can't go on to a hex from where it may."""
    named = [at] if at is not None else entry_hexes(s, unit.force) if unit.force in s.board.arrivals else ()
    refusals = {entry: choose.why_not(Enter(unit.id, (entry,))) for entry in named}
    entries = [entry for entry, refusal in refusals.items() if refusal is None]
    name, place, other = s.board.describe(unit.id), s.board.place(h), s.unit_in(h)
    if not entries:
        refusal = next(iter(refusals.values()), choose.why_not(Enter(unit.id, (h,))))
        return refusal or Refusal("", f"{name} can't end at {place}")
    if other is not None:
        return Refusal("7-4-1.b", f"{place} is occupied by {s.board.describe(other)}")
    costs = [cost for entry in entries if (cost := movement.cost_to(s, unit, entry, h, ENTRY_COST)) is not None]
    if costs:
        reason = f"the cheapest way to {place} costs {min(costs)} movement points, {name} has {unit.move}"
        return Refusal("7-2.b", reason)
    if any(movement.cost_to(s, unit, entry, h, ENTRY_COST, over_line=True) is not None for entry in entries):
        return Refusal(LINE, west_of_line(s, h))
    return Refusal("7-1-2", f"no way for {name} leads to {place}: other units, enemy ZOC or the ground bar it")


def _why_no_way(s: State, unit: Unit, start: Hex, h: Hex, how: str) -> Refusal:
    """Why no way of a unit that may go leads to a hex that is free of friends."""
    name, place = s.board.describe(unit.id), s.board.place(h)
    if how == "march":
        if movement.road_over_line(s, unit, start, h):
            return Refusal(LINE, west_of_line(s, h))
        most = movement.ROAD_RATE
        return Refusal("7-5-2", f"no road of {most} hexes at most, free of enemies and their ZOC, leads to {place}")
    cost = movement.cost_to(s, unit, start, h)
    if cost is None and movement.cost_to(s, unit, start, h, over_line=True) is not None:
        clause, why = LINE, west_of_line(s, h)
    elif cost is None:
        clause, why = "7-1-2", f"no way for {name} leads to {place}: other units, enemy ZOC or the ground bar it"
    else:
        clause = "7-2.b"
        why = f"the cheapest way to {place} costs {cost} movement points, {name} has {unit.move}"
    by_road = _path(s, unit, start, h, "march", off=False)
    return Refusal(clause, f"{why}: `march {unit.id} to {s.board.label[h]}` goes by road" if by_road else why)
