"""The order form: for each unit what it may do now, with orders to copy, modifiers, strength and odds."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import Any, TypeVar

from pbem.maps.hexes import Hex, distance
from pbem.rules.bakumatsu import fire, melee, movement, recovery_movement, retreat, setup
from pbem.rules.bakumatsu.acting import in_enemy_zoc
from pbem.rules.bakumatsu.commanders import met
from pbem.rules.bakumatsu.fire import fire_modifiers, fire_strength
from pbem.rules.bakumatsu.ground import Modifier
from pbem.rules.bakumatsu.melee import melee_modifiers, melee_strength, strength_difference
from pbem.rules.bakumatsu.odds import fire_odds, melee_odds, recovery_odds
from pbem.rules.bakumatsu.orders import (
    CLOSING,
    Enter,
    Fire,
    March,
    Melee,
    Move,
    Order,
    Recover,
    Retreat,
    SetUpUnit,
    order_words,
)
from pbem.rules.bakumatsu.state import State
from pbem.rules.bakumatsu.threats import dangers
from pbem.rules.fates import DISORDERED, RETREATS, odds, together
from pbem.rules.kit.form import EXAMPLES, Line, by_target, closing, counted, destinations, facing, idle
from pbem.rules.kit.throws import Shares
from pbem.rules.requests import Choose, FormEntry
from pbem.words import per_cent

__all__ = ["form", "tell_cost", "tell_odds"]

T = TypeVar("T", Fire, Melee)
G = TypeVar("G", bound=Move | March | Enter)


def form(s: State, choose: Choose) -> Iterator[FormEntry]:
    """The order form of a pending decision: who can do something, who can't, and the closing order where it is one."""
    if choose.kind == "retreat":
        yield _retreat_entry(s, choose.about[0])
        return
    if choose.kind == "move":
        for danger in dangers(s, choose.side, behind=1):
            yield FormEntry("As things stand", (), (f"{danger.what} [{danger.clause}]",))
    if choose.kind == "move" and s.calls.get(choose.side):
        yield _call(s, choose.side)
    entry, refused = _ENTRIES[choose.kind], {}
    pieces = s.board.of_side if choose.kind == "move" else s.board.combat
    for unit in pieces[choose.side]:
        found = entry(s, unit)
        if found.orders:
            yield found
        else:
            tried = map(choose.why_not, _tried(s, choose.kind, unit))
            refused[unit] = [refusal for refusal in tried if refusal is not None]
    yield from idle(s.board.describe, refused)
    if choose.kind != "setup":
        yield closing(CLOSING)


def _tried(s: State, kind: str, unit_id: str) -> list[Order]:
    """What a unit without orders would do first, by which it is told why it can't."""
    side, start = s.board.units[unit_id].side, s.at.get(unit_id)
    if kind == "setup":
        return [SetUpUnit(unit_id, s.board.map.hexes[0])]
    if kind == "move":
        if start is None:
            return [Enter(unit_id)]
        near = s.board.ground.near[start] if unit_id not in s.done else ()
        return [Move(unit_id, (h,)) for h in near] or [Move(unit_id, ())]
    enemies = s.stands[s.board.enemy[side]]
    nearest = min(enemies, key=lambda h: (0 if start is None else distance(start, h), h))
    return [(Fire if kind == "fire" else Melee)(unit_id, enemies[nearest])]


def tell_cost(s: State, order: Order) -> str:
    """What a legal order costs its unit: the points of a move, the hexes of a march; "" for others."""
    match order:
        case Move() | Enter(_, "move"):
            return counted(_cost(s, order), "point")
        case March() | Enter(_, "march"):
            return counted(len(order.path), "hex")
    return ""


def tell_odds(s: State, order: Order) -> str:
    """What a legal order's dice may bring, with strengths and modifiers; "" for an order without dice."""
    match order:
        case Recover():
            return f"recovers {per_cent(recovery_odds(s, order), 1)}"
        case Fire():
            told, found = _sum_of(fire_modifiers(s, order)), fire_odds(s, order)
            return f"strength {fire_strength(s, order)}{told}: {_becomes(s, order.target, found)}"
        case Melee():
            strengths = f"strength {melee_strength(s, order)} against {s.board.units[order.target].melee}"
            sums = f"difference {strength_difference(s, order):+d}{_sum_of(melee_modifiers(s, order))}"
            taken = met(s, s.board.units[order.unit], (s.at[order.target],)) if order.advance else []
            target = _becomes(s, order.target, melee_odds(s, order))
            fight = f"{strengths}, {sums}: target {target}"
            if taken:  # 15-2-7-2(4)6
                takes = " and ".join(taken)
                return f"{fight}; the attacker {DISORDERED}; who advances takes {takes} [15-2-7-2(4)6]"
            return f"{fight}; the attacker {DISORDERED}"  # 10-2(10)
    return ""


def _becomes(s: State, target: str, shares: Shares) -> str:
    """What becomes of a target, each with its chance; one that wasn't before is disordered when it must retreat."""
    retreats = RETREATS if target in s.disordered else together((DISORDERED, RETREATS))  # 9-2(5)3a, 10-2(8)1
    return odds({retreats if outcome == RETREATS else outcome: share for outcome, share in shares.items()})


def _heading(s: State, unit_id: str) -> str:
    """A unit, its values, where it stands and in what state."""
    unit, h = s.board.units[unit_id], s.at.get(unit_id)
    if h is None:
        return f"{s.board.describe(unit_id)} ({unit.values})"
    state = "disordered" if unit_id in s.disordered else "commander" if unit.command else "normal"
    told = f"{s.board.describe(unit_id)} ({unit.values}) at {s.board.place(h)}: {state}"
    return f"{told}, in enemy ZOC" if in_enemy_zoc(s, unit.side, h) else told


def _setup_entry(s: State, unit_id: str) -> FormEntry:
    """A hex for the unit, another for each of its code, so that the form as it stands is a set-up."""
    unit, heading = s.board.units[unit_id], _heading(s, unit_id)
    rule = s.board.set_up[unit.side].get(unit.code)
    if rule is None or unit_id in s.at:
        return FormEntry(heading, ())
    before = [u for u in setup.unplaced(s, unit.side) if s.board.units[u].code == unit.code].index(unit_id)
    hexes = [s.board.label[h] for h in setup.free_hexes(s, unit_id)]
    lines = ((("setup", unit_id, hexes[before]), ""),)
    return FormEntry(heading, lines, (f"{' or '.join(rule.areas)}: {' '.join(hexes)}",))


def _move_entry(s: State, unit_id: str) -> FormEntry:
    """Recovery, moves worth a line of their own, the longest march; and where moves and marches lead."""
    side = s.board.units[unit_id].side
    waits = unit_id in s.may_come(side)
    if unit_id in s.done or not (unit_id in s.at or waits):
        return FormEntry("", ())
    lines: list[Line] = []
    moves: list[Move | Enter] = []
    marches: list[March | Enter] = []
    for order in recovery_movement.options_of(s, side, unit_id):
        match order:
            case Recover():
                lines.append(_line(s, order, tell_odds(s, order)))
            case Move() | Enter(_, "move"):
                moves.append(order)
            case March() | Enter(_, "march"):
                marches.append(order)
            case Enter():
                lines.append(_line(s, order, "stays in the entry hex"))
    costs = {order: _cost(s, order) for order in moves}
    moves.sort(key=costs.__getitem__)
    best = _worthwhile(s, side, moves)
    shown: list[tuple[Move | March | Enter, str]] = [(o, f"{counted(costs[o], 'point')}, {why}") for o, why in best]
    far = _marches(s, side, marches, {order.path[-1] for order in moves})
    shown += [(o, f"{counted(len(o.path), 'hex')}, {why}") for o, why in far.items()]
    flips = s.board.units[unit_id].artillery and unit_id not in s.disordered
    then = ", disordered then [12(1)]" if flips else ""  # 12(1)
    going = [_line(s, order, note + then) for order, note in shown]
    typed = {words: (*words[: -len(o.path)], "to", words[-1]) for (words, _), (o, _) in zip(going, shown, strict=True)}
    notes = _move_notes(s, waits, costs, {order: len(order.path) for order in marches})
    if waits and s.board.side[side].chooses and (alike := _first_alike(s, unit_id)) != unit_id:
        return FormEntry(_heading(s, unit_id), tuple(lines), (f"as far as {alike} goes",))
    return FormEntry(_heading(s, unit_id), (*lines, *going), tuple(notes), typed)


def _first_alike(s: State, unit_id: str) -> str:
    """The first on the form of the pieces that may come on which goes exactly as far as this one."""
    units, waiting = s.board.units, s.may_come(s.board.units[unit_id].side)
    kind = units[unit_id].command is None, units[unit_id].move
    pieces = (u for u in s.board.of_side[units[unit_id].side] if u in waiting)
    return next(u for u in pieces if (units[u].command is None, units[u].move) == kind)


def _call(s: State, side: str) -> FormEntry:
    """How many units of its owner's choice may come on (15-2-5(1)0b)."""
    hand = s.cups[side]
    notes = ["choose by entering them, one after another; who doesn't come now may come later"]
    if any(s.board.units[unit].artillery for unit in hand):
        notes.append("guns come last, when all others of the hand have come on [15-2-5(1)2]")
    return FormEntry(f"{counted(s.calls[side], 'unit')} of {len(hand)} in hand may enter", (), tuple(notes))


def _move_notes(
    s: State, waits: bool, moves: Mapping[Move | Enter, int], marches: Mapping[March | Enter, int]
) -> Iterator[str]:
    """Where the moves and marches of a unit lead, each with its points or hexes; `waits`: behind the entry hex."""
    kinds: tuple[tuple[str, str, Mapping[Any, int]], ...] = (("move", "point", moves), ("march", "hex", marches))
    for how, what, ends in kinds:
        if ends:
            places = [(s.board.place(order.path[-1]), cost) for order, cost in ends.items()]
            yield destinations(f"enter U {how}" if waits else f"{how} U", places, what)


def _cost(s: State, order: Move | Enter) -> int:
    """The movement points of a move, or of one behind the entry hex."""
    unit = s.board.units[order.unit]
    start = s.at.get(order.unit, s.board.side[unit.side].entry)
    assert start is not None  # noqa: S101 who has no entry hex enters nowhere
    return movement.move_cost(s, unit, start, order.path)


def _worthwhile(s: State, side: str, moves: list[Move | Enter]) -> list[tuple[Move | Enter, str]]:
    """The moves that take something, and those next to enemy units; any one when there are none of these."""
    found = _taking(s, side, moves)
    enemies, zoc = s.stands[s.board.enemy[side]], s.board.ground.zoc
    others = [order for order in moves if order not in found]
    told = [*found.items(), *facing(others, lambda o: [enemies[h] for h in zoc[o.path[-1]] if h in enemies])]
    return told[:EXAMPLES] or [(order, "for example") for order in moves[:1]]


def _taking(s: State, side: str, orders: Iterable[G]) -> dict[G, str]:
    """Of ways, the cheapest first, those that take what none before them takes, and what: the victory hex at the end
    that isn't the side's, enemy commanders on the way."""
    found, seen = {}, set[str]()
    for order in orders:
        end, unit = order.path[-1], s.board.units[order.unit]
        prize = end in s.board.victory_hexes and s.control.get(end) != side and unit.command is None  # 2-2-1(0)
        takes = [s.board.place(end)] * prize + [f"{c} [15-2-7-2(4)6]" for c in met(s, unit, order.path)]  # 15-2-7-2(4)6
        if not seen.issuperset(takes):
            found[order] = f"takes {' and '.join(takes)}"
            seen.update(takes)
    return found


def _marches(s: State, side: str, marches: list[March | Enter], reached: Collection[Hex]) -> dict[March | Enter, str]:
    """The longest march, and those that take what isn't `reached` otherwise."""
    taking = _taking(s, side, (order for order in marches if order.path[-1] not in reached))
    longest = [max(marches, key=lambda order: len(order.path))] if marches else []
    return dict.fromkeys(longest, "the longest march") | taking


def _fire_entry(s: State, unit_id: str) -> FormEntry:
    """Each target: without and with all supporters."""
    fires = _extremes(fire.options_of(s, unit_id) if unit_id in s.at else ())
    return FormEntry(_heading(s, unit_id), tuple(_line(s, order, tell_odds(s, order)) for order in fires))


def _melee_entry(s: State, unit_id: str) -> FormEntry:
    """Each defender: without and with all supporters."""
    plain = (order for order in (melee.options_of(s, unit_id) if unit_id in s.at else ()) if not order.advance)
    lines = tuple(_line(s, order, tell_odds(s, order)) for order in _extremes(plain))
    notes = ["add `advance` to follow into the hex if it becomes empty"]
    prize = s.board.side[s.board.enemy[s.board.units[unit_id].side]].entry
    targets = {s.at[words[3]] for words, _ in lines}
    if prize is not None and prize in targets:
        notes.append(f"with `advance` into {s.board.place(prize)} the game is won [14(4)1]")  # 14(4)1
    led = met(s, s.board.units[unit_id], sorted(targets))  # 15-2-7-2(4)6
    notes += [f"with `advance` into {s.board.place(s.at[c])} it takes {c} [15-2-7-2(4)6]" for c in led]
    return FormEntry(_heading(s, unit_id), lines, tuple(notes))


def _retreat_entry(s: State, unit_id: str) -> FormEntry:
    """Every hex where the retreat may end, what the rules would choose first."""
    unit = s.board.units[unit_id]
    first = retreat.default(s, unit)
    others = [Retreat(unit_id, path) for path in retreat.ways(s, unit).values() if path != first.path]
    lines = [_line(s, first, "as the rules would choose"), *(_line(s, order, "") for order in others)]
    return FormEntry(f"{_heading(s, unit_id)}: must retreat", tuple(lines))


def _extremes(orders: Iterable[T]) -> list[T]:
    """Of the orders of a unit, which for each target come with more and more supporters: the first and the last."""
    return [order for same in by_target(orders).values() for order in (same[:1] + same[-1:] if len(same) > 1 else same)]


def _line(s: State, order: Order, note: str) -> Line:
    return order_words(s.board, order), note


def _sum_of(modifiers: Iterable[Modifier]) -> str:
    return "".join(f", {m.value:+d} {m.what}" for m in modifiers)


_ENTRIES: dict[str, Callable[[State, str], FormEntry]] = {
    "setup": _setup_entry,
    "move": _move_entry,
    "fire": _fire_entry,
    "melee": _melee_entry,
}
"""Kind of decision -> the entry of a unit, without orders where it can do nothing."""
