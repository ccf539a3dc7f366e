"""Orders that only the position makes plain: `move U to HEX`, `fire U at HEX`, `move 4` where two have that number."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from pbem.errors import AmbiguousOrder, IllegalOrder, MalformedOrder, Refusal
from pbem.maps.hexes import Hex
from pbem.rules.bakumatsu import movement
from pbem.rules.bakumatsu.board import Unit
from pbem.rules.bakumatsu.commanders import why_not_stay
from pbem.rules.bakumatsu.orders import CLOSING, USAGE, Enter, March, Move, Order, Retreat, SetUpUnit, read_order
from pbem.rules.bakumatsu.state import State
from pbem.rules.kit import reach
from pbem.rules.kit.going import FAR, TO, Going, first_legal, going
from pbem.rules.kit.words import BETWEEN, not_understood, unit_id
from pbem.rules.requests import Choose, Words

__all__ = ["way"]

OF_KIND = {
    "setup": ("setup",),
    "move": ("recover", "move", "march", "enter", CLOSING),
    "fire": ("fire", CLOSING),
    "melee": ("melee", CLOSING),
    "retreat": ("retreat",),
}
"""Kind of decision -> the orders that it knows."""

GOES = ("setup", "move", "march", "enter", "retreat")

NOT_NEXT = ("8(1)", "8-1(2)2", "8-2(3)")
"""The clauses that refuse a single step, but not a way of several."""


def way(s: State, choose: Choose, words: Words) -> Order | None:
    """The order that words with `to HEX`, or of which the position tells whom they mean, mean now; None for others.

    A fight may be ordered at the place where the enemy stands.

    `enter U to HEX` goes by `move`, else by `march`. Raises MalformedOrder, AmbiguousOrder, or IllegalOrder without a
    legal way.
    """
    told = going(words)
    if words[0] not in USAGE:
        raise not_understood(words, {word: USAGE[word] for word in OF_KIND[choose.kind]}, "order")
    if words[0] in ("fire", "melee"):
        return _at_place(s, choose, words)
    if words[0] not in GOES or len(words) < 2 or (told is None and words[1] in (TO, *s.board.units)):
        return None
    if told is None:
        unit_there = unit_id(s.board, words[1], choose.side, _goers(s, choose.side, words[0]))
        return read_order(s.board, choose.side, (words[0], unit_there, *words[2:]))
    how = ""
    if told.before[0] == "enter" and told.before[-1] in ("move", "march"):
        how, told = told.before[-1], told._replace(before=told.before[:-1])
    unit = s.board.units[unit_id(s.board, told.unit, choose.side, _goers(s, choose.side, words[0]))]
    h = s.board.parse(told.place)
    orders = _orders(s, choose, told, unit, h, how)
    return first_legal(orders, choose.why_not, lambda: _why_none(s, choose, told, unit, h, how), words)


def _at_place(s: State, choose: Choose, words: Words) -> Order | None:
    """The fight that words mean which name the place where the target stands; None for others."""
    at = words.index("at") + 1 if "at" in words else len(words)
    end = next((i for i in range(at, len(words)) if words[i] in BETWEEN), len(words))
    try:
        h = s.board.parse("_".join(words[at:end]))
    except (AmbiguousOrder, MalformedOrder):
        return None
    target = s.stands[s.board.enemy[choose.side]].get(h)
    if target is None:
        raise IllegalOrder(f"`{' '.join(words)}`: no enemy unit stands in {s.board.place(h)}")
    return read_order(s.board, choose.side, (*words[:at], target, *words[end:]))


def _goers(s: State, side: str, keyword: str) -> Collection[str]:
    """The pieces of a side that such an order can mean as things are."""
    if keyword in ("move", "march"):
        return s.at
    return s.may_come(side) if keyword == "enter" else s.board.combat[side]


def _orders(s: State, choose: Choose, told: Going, unit: Unit, h: Hex, how: str) -> Iterator[Order]:
    """The orders that may be meant, the first that is legal first."""
    start, entry = s.at.get(unit.id), s.board.side[unit.side].entry
    match told.before[0]:
        case "setup":
            yield SetUpUnit(unit.id, h)
        case "retreat":
            yield from (o for o in choose.options() if isinstance(o, Retreat) and o.unit == unit.id and o.path[-1] == h)
        case "enter" if entry is not None:
            yield from [Enter(unit.id)] if h == entry else []
            for by in ("move", "march") if not how else (how,):
                yield from (Enter(unit.id, by, path) for path in _paths(s, unit, entry, h, by))
        case "move" | "march" as by if start is not None:
            kind = Move if by == "move" else March
            yield from (kind(unit.id, path) for path in _paths(s, unit, start, h, by))


def _paths(s: State, unit: Unit, start: Hex, h: Hex, how: str) -> list[tuple[Hex, ...]]:
    """The cheapest path to a hex, if there is one."""
    if how == "march":
        marches = movement.march_destinations(s, unit, start)
        return [marches[h]] if h in marches else []
    moves = movement.move_destinations(s, unit, start)
    return [moves[h][1]] if h in moves else []


def _why_none(s: State, choose: Choose, told: Going, unit: Unit, h: Hex, how: str) -> Refusal:
    """Why a unit can't come to a hex."""
    keyword, start = told.before[0], s.at.get(unit.id)
    if keyword == "enter":
        start, how = s.board.side[unit.side].entry, how or "move"
        refusal = choose.why_not(Enter(unit.id)) or choose.why_not(Enter(unit.id, how, (h,)))
    else:
        how = keyword
        straight = {"setup": SetUpUnit(unit.id, h), "retreat": Retreat(unit.id, (h,)), "march": March(unit.id, (h,))}
        refusal = choose.why_not(straight.get(keyword, Move(unit.id, (h,))))
    if start is None or keyword in ("setup", "retreat") or (refusal and refusal.clause not in NOT_NEXT):
        return refusal or Refusal("", f"no retreat of {s.board.describe(unit.id)} ends at {s.board.place(h)}")
    return _why_no_way(s, unit, start, h, how)


def _why_no_way(s: State, unit: Unit, start: Hex, h: Hex, how: str) -> Refusal:
    """Why no way of a unit that may go leads to a hex."""
    name, place, other = s.board.describe(unit.id), s.board.place(h), s.unit_in(h)
    if s.at.get(unit.id) == h:
        return Refusal("8(5)", f"{name} stands at {place} already")
    if other is not None and (unit.command is None or s.board.units[other].side != unit.side):
        return Refusal("8(4)", f"{place} is occupied by {s.board.describe(other)}")
    there = why_not_stay(s, unit, h)
    if there is not None:
        return there
    by_road = bool(_paths(s, unit, start, h, "march"))
    if how == "march":
        step = movement.by_road(s, unit, start)
        far = {} if isinstance(step, str) else reach.shortest(start, FAR, s.board.ground.roads, step)
        if h not in far:
            return _why_no_road(s, unit, start, h)
        most = movement.ROAD_RATE * unit.move
        return Refusal("8-2(1)", f"the road to {place} is {len(far[h])} hexes long, {name} marches {most} at most")
    step, stops, spent = movement.on_foot(s, unit, start)
    found = reach.cheapest(start, FAR, s.board.ground.cost, step, stops, spent).get(h)
    if found is None:
        clause, why = "8-1", f"no way for {name} leads to {place}: other units, enemy ZOC or the ground bar it"
    else:
        clause = "8(2)a"
        why = f"the cheapest way to {place} costs {found[0]} movement points, {name} has {unit.move}"
    return Refusal(clause, f"{why}: `march {unit.id} to {s.board.label[h]}` goes by road" if by_road else why)


def _why_no_road(s: State, unit: Unit, start: Hex, h: Hex) -> Refusal:
    """Why no road is open to a hex: there is none, or who bars the shortest."""
    roads, place, step = s.board.ground.roads, s.board.place, movement.by_road(s, unit, start)
    if not roads[h]:
        return Refusal("8-2(3)", f"{place(h)} is on no road")
    path = reach.shortest(start, FAR, roads, lambda *_: 1).get(h)
    if path is None or isinstance(step, str):
        return Refusal("8-2(3)", f"no road leads from {place(start)} to {place(h)}")
    at, clause = next(
        (b, why) for a, b in zip((start, *path), path, strict=False) if isinstance(why := step(a, b), str)
    )
    other, enemies = s.unit_in(at), s.stands[s.board.enemy[unit.side]]
    there = f"{place(at)} on the road to {place(h)}" if at != h else place(h)
    if clause == "8-2(5)":
        whose = next(enemies[near] for near in s.board.ground.zoc[at] if near in enemies)
        return Refusal(clause, f"{there} is in the ZOC of {s.board.describe(whose)}")
    name, own = s.board.describe(other or ""), other is not None and s.board.units[other].side == unit.side
    stands = f"{name} stands in {there}"
    return Refusal(clause, f"{stands}: let it go first" if own and other not in s.done else stands)
