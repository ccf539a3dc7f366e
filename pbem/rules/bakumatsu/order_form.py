"""The order form: for each unit what it may do now, with orders to copy, modifiers, strength and odds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from pbem.rules.bakumatsu import fire, melee, recovery_movement, retreat, setup
from pbem.rules.bakumatsu.acting import in_enemy_zoc
from pbem.rules.bakumatsu.fire import fire_modifiers, fire_strength
from pbem.rules.bakumatsu.ground import Modifier
from pbem.rules.bakumatsu.melee import melee_modifiers, melee_strength, strength_difference
from pbem.rules.bakumatsu.odds import fire_odds, melee_odds, recovery_odds
from pbem.rules.bakumatsu.orders import CLOSING, Enter, Fire, March, Melee, Move, Order, Recover, Retreat, order_words
from pbem.rules.bakumatsu.state import State
from pbem.rules.kit.form import EXAMPLES, Line, by_target, closing, odds, per_cent
from pbem.rules.requests import Choose, FormEntry

__all__ = ["form", "tell_odds"]

T = TypeVar("T", Fire, Melee)


def form(s: State, choose: Choose) -> Iterator[FormEntry]:
    """The order form of a pending decision; the closing order last where it is one."""
    if choose.kind == "retreat":
        yield _retreat_entry(s, choose.about[0])
        return
    lines = _LINES[choose.kind]
    for unit in s.board.of_side[choose.side]:
        if choose.kind == "setup" and unit in s.at:
            continue
        found, notes = lines(s, unit)
        if found or notes:
            yield FormEntry(_heading(s, unit), tuple(found), tuple(notes))
    if choose.kind != "setup":
        yield closing(CLOSING)


def tell_odds(s: State, order: Order) -> str:
    """What a legal order's dice may bring, with strengths and modifiers; "" for an order without dice."""
    match order:
        case Recover(unit):
            return f"recovers {per_cent(recovery_odds(s.board.units[unit]))}"
        case Fire():
            return f"strength {fire_strength(s, order)}{_sum_of(fire_modifiers(s, order))}: {odds(fire_odds(s, order))}"
        case Melee():
            strengths = f"strength {melee_strength(s, order)} against {s.board.units[order.target].melee}"
            sums = f"difference {strength_difference(s, order):+d}{_sum_of(melee_modifiers(s, order))}"
            return f"{strengths}, {sums}: {odds(melee_odds(s, order))}"
    return ""


def _heading(s: State, unit_id: str) -> str:
    """A unit, its values, where it stands and in what state."""
    unit, h = s.board.units[unit_id], s.at.get(unit_id)
    if h is None:
        return f"{s.board.describe(unit_id)} ({unit.values})"
    state = "disordered" if unit_id in s.disordered else "normal"
    threat = ", in enemy ZOC" if in_enemy_zoc(s, unit.side, h) else ""
    return f"{s.board.describe(unit_id)} ({unit.values}) at {s.board.place(h)}: {state}{threat}"


def _setup_lines(s: State, unit_id: str) -> tuple[list[Line], list[str]]:
    """A hex for the unit, another for each of its code, so that the form as it stands is a set-up."""
    unit = s.board.units[unit_id]
    rule = s.board.set_up[unit.side].get(unit.code)
    if rule is None:
        return [], []
    before = [u for u in setup.unplaced(s, unit.side) if s.board.units[u].code == unit.code].index(unit_id)
    hexes = [s.board.label[h] for h in setup.free_hexes(s, unit_id)]
    return [(("setup", unit_id, hexes[before]), "")], [f"{' or '.join(rule.areas)}: {' '.join(hexes)}"]


def _move_lines(s: State, unit_id: str) -> tuple[list[Line], list[str]]:
    """Recovery, moves worth a line of their own, the longest march; and the numbers of all hexes in reach."""
    side = s.board.units[unit_id].side
    if unit_id in s.done or not (unit_id in s.at or unit_id in s.received[side]):
        return [], []
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
    lines += _worthwhile(s, side, moves)
    if marches:
        lines.append(_line(s, max(marches, key=lambda order: len(order.path)), "the longest march"))
    ends = (("moves to", moves), ("marches to", marches))
    notes = [f"{what} {' '.join(s.board.label[o.path[-1]] for o in orders)}" for what, orders in ends if orders]
    if not lines and unit_id in s.received[side]:
        notes.append("waits: the entry hex is occupied")
    return lines, notes


def _worthwhile(s: State, side: str, moves: list[Move | Enter]) -> list[Line]:
    """The moves to victory hexes of the enemy and next to his units; any one when there are none of these."""
    found = []
    for order in moves:
        h = order.path[-1]
        if s.control.get(h, side) != side:
            found.append(_line(s, order, f"takes {s.board.place(h)}"))
        elif in_enemy_zoc(s, side, h):
            found.append(_line(s, order, "into enemy ZOC"))
    found.sort(key=lambda line: line[1] == "into enemy ZOC")
    return found[:EXAMPLES] or [_line(s, order, "for example") for order in moves[:1]]


def _fire_lines(s: State, unit_id: str) -> tuple[list[Line], list[str]]:
    """Each target: without and with all supporters."""
    fires = _extremes(fire.options_of(s, unit_id) if unit_id in s.at else ())
    return [_line(s, order, tell_odds(s, order)) for order in fires], []


def _melee_lines(s: State, unit_id: str) -> tuple[list[Line], list[str]]:
    """Each defender: without and with all supporters."""
    plain = (order for order in (melee.options_of(s, unit_id) if unit_id in s.at else ()) if not order.advance)
    lines = [_line(s, order, tell_odds(s, order)) for order in _extremes(plain)]
    if not lines:
        return [], []
    notes = ["add `advance` to follow into the hex if it becomes empty"]
    prize = s.board.side[s.board.enemy[s.board.units[unit_id].side]].entry
    if any(s.at[words[3]] == prize for words, _ in lines) and prize is not None:
        notes.append(f"with `advance` into {s.board.place(prize)} the game is won [14(4)1]")  # 14(4)1
    return lines, notes


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


_LINES: dict[str, Callable[[State, str], tuple[list[Line], list[str]]]] = {
    "setup": _setup_lines,
    "move": _move_lines,
    "fire": _fire_lines,
    "melee": _melee_lines,
}
