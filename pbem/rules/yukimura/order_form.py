"""The order form: for each target who can fire at or attack it, for each unit where it can go, with odds to compare."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from pbem.rules.kit.form import EXAMPLES, Line, by_target, closing, odds
from pbem.rules.requests import Choose, FormEntry
from pbem.rules.yukimura import fire, melee, movement_phase
from pbem.rules.yukimura.acting import in_enemy_zoc
from pbem.rules.yukimura.combat import Shift, participants, shifts, strength
from pbem.rules.yukimura.odds import fire_odds, melee_odds
from pbem.rules.yukimura.orders import CLOSING, Advance, Enter, Fire, March, Melee, Move, Order, order_words
from pbem.rules.yukimura.state import State

__all__ = ["form", "tell_odds"]


def form(s: State, choose: Choose) -> Iterator[FormEntry]:
    """The order form of a pending decision; the closing order last where it is one."""
    yield from _ENTRIES[choose.kind](s, choose)
    if choose.kind in ("move", "defence", "combat"):
        yield closing(CLOSING)


def _combat_entries(s: State, choose: Choose) -> Iterator[FormEntry]:
    """Each target: every fire at it, then every hand-to-hand combat with it, that is listed."""
    fires = by_target(fire.options(s, choose.side)) if choose.kind == "defence" or s.step == "fire" else {}
    melees = by_target(melee.options(s, choose.side)) if choose.kind == "combat" else {}
    enemies = s.stands[s.board.enemy[choose.side]]
    for h in sorted(enemies, key=lambda h: s.board.label[h]):
        target = enemies[h]
        orders: list[Fire | Melee] = [*fires.get(target, ()), *melees.get(target, ())]
        lines = [(order_words(s.board, order), tell_odds(s, order)) for order in orders]
        if lines:
            yield FormEntry(f"Against {_stands(s, target)}", tuple(lines), tuple(_combat_notes(choose, lines)))


def _combat_notes(choose: Choose, lines: Sequence[Line]) -> list[str]:
    """How to say that fewer may do, and who advances; nobody does after defensive fire."""
    words = {line[0][0] for line in lines}
    notes = []
    if any("with" in line[0] for line in lines):
        notes.append("several units: add `or fewer` behind them, or the order lapses when one can't take part any more")
    if choose.kind == "defence":
        return notes
    if "fire" in words:
        notes.append("after fire: add `advance U` for one unit to follow into the hex, `hold` for none")
    if "melee" in words:
        notes.append(
            "after hand-to-hand combat: add `advance U` for each unit to follow, or `advance U HEX ...` with the "
            "hexes that it may go, the target's first; `hold` keeps the others"
        )
    return notes


def tell_odds(s: State, order: Order) -> str:
    """What a legal order's dice may bring, with strengths and column; "" for an order without dice."""
    if isinstance(order, Fire):
        return _fire_odds(s, order)
    return _melee_odds(s, order) if isinstance(order, Melee) else ""


def _fire_odds(s: State, order: Fire) -> str:
    """The strength of a fire, its column and odds."""
    column = s.board.tables.firing.headings[fire.column(s, order)]
    sums = f"strength {strength(s, participants(order))}, {_column(column, shifts(s, order))}"
    return f"{sums}: {odds(fire_odds(s, order))}"


def _melee_odds(s: State, order: Melee) -> str:
    """The difference of a hand-to-hand combat, its column and odds; attackers with the same ones are told together."""
    column = s.board.tables.hand_to_hand.headings[melee.column(s, order)]
    strengths = f"strength {strength(s, participants(order))} against {s.board.units[order.target].strength}"
    by = melee.difference(s, order)
    sums = f"difference {f'{by:+d}' if by else 0}, {_column(column, shifts(s, order))}"
    found = melee_odds(s, order)
    alike: dict[str, list[str]] = {}
    for unit, shares in found.attackers.items():
        alike.setdefault(odds(shares), []).append(unit)
    if len(alike) == 1:
        who = "the attacker" if len(found.attackers) == 1 else "each attacker"
        attackers = f"{who} {next(iter(alike))}"
    else:
        attackers = "; ".join(f"{', '.join(units)} {shares}" for shares, units in alike.items())
    return f"{strengths}, {sums}: target {odds(found.target)}; {attackers}"


def _retreat_entries(s: State, choose: Choose) -> Iterator[FormEntry]:
    """Every way of a retreat or displacement, what the rules would choose first."""
    first = choose.default() if choose.default is not None else None
    notes = {first: "as the rules would choose"}
    lines = [(order_words(s.board, order), notes.get(order, "")) for order in choose.options()]
    yield FormEntry(f"{_heading(s, choose.about[0])}: {choose.prompt}", tuple(lines))


def _advance_entries(s: State, choose: Choose) -> Iterator[FormEntry]:
    """Every end of an advance; `hold` first, which is what the rules would choose."""
    lines = [(order_words(s.board, order), _advance_note(s, choose, order)) for order in choose.options()]
    yield FormEntry(_heading(s, choose.about[0]), tuple(lines))


def _advance_note(s: State, choose: Choose, order: Order) -> str:
    if not isinstance(order, Advance):
        return "stays; as the rules would choose"
    return "into enemy ZOC" if in_enemy_zoc(s, choose.side, order.path[-1]) else ""


def _beside_entries(s: State, choose: Choose) -> Iterator[FormEntry]:
    """Every place beside the map."""
    lines = [(order_words(s.board, order), "") for order in choose.options()]
    yield FormEntry("Beside the map", tuple(lines), ("one of these",))


def _move_entries(s: State, choose: Choose) -> Iterator[FormEntry]:
    """Each unit that can move or enter."""
    for unit in s.board.of_side[choose.side]:
        orders = list(movement_phase.options_of(s, choose.side, unit))
        if orders:
            lines = _move_lines(s, choose.side, orders)
            yield FormEntry(_heading(s, unit), tuple(lines), tuple(_move_notes(s, unit, orders)))


def _move_lines(s: State, side: str, orders: Sequence[Order]) -> list[Line]:
    """Moves next to the enemy, or any one when there are none; the longest march; the way off the map."""
    goes = [order for order in orders if isinstance(order, Move | Enter) and not _off(order)]
    near = [order for order in goes if in_enemy_zoc(s, side, order.path[-1])]
    lines = [(order_words(s.board, order), "into enemy ZOC") for order in near[:EXAMPLES]]
    lines = lines or [(order_words(s.board, order), "for example") for order in goes[:1]]
    marches = [order for order in orders if isinstance(order, March) and not order.off]
    if marches:
        longest = max(marches, key=lambda order: len(order.path))
        lines.append((order_words(s.board, longest), "the longest march"))
    return lines + [(order_words(s.board, order), "leaves the map for good") for order in orders if _off(order)]


def _off(order: Order) -> bool:
    return isinstance(order, Move | March) and order.off


def _move_notes(s: State, unit: str, orders: Sequence[Order]) -> list[str]:
    """The numbers of all hexes in reach; and what a leader's move would cost."""
    label, notes = s.board.label, []
    for what, kind in (("moves to", Move), ("marches to", March), ("enters as far as", Enter)):
        ends = [label[order.path[-1]] for order in orders if isinstance(order, kind) and not _off(order)]
        if ends:
            notes.append(f"{what} {' '.join(dict.fromkeys(ends))}")
    if unit in s.board.collapse.get(s.board.units[unit].side, ()):
        notes.append("leaving its start hex loses the battle at once")  # 14-2(6)1, 14-2(6)2, R92
    return notes


def _heading(s: State, unit_id: str) -> str:
    """A unit, its values, where it stands, on what ground and under what threat."""
    unit, h = s.board.units[unit_id], s.at.get(unit_id)
    threat = ", in enemy ZOC" if h is not None and in_enemy_zoc(s, unit.side, h) else ""
    return _stands(s, unit_id) + threat


def _stands(s: State, unit_id: str) -> str:
    """A unit, its values, where it stands and on what ground."""
    unit, h = s.board.units[unit_id], s.at.get(unit_id)
    name = f"{s.board.describe(unit_id)} ({unit.branch}, {unit.values})"
    if h is None:
        return f"{name}, beside the map"
    return f"{name} at {s.board.place(h)}{', mountain' if h in s.board.ground.mountain else ''}"


def _column(heading: str, found: Sequence[Shift]) -> str:
    """The column, and what has shifted it."""
    moved = "".join(f", {abs(x.value)} to the {'left' if x.value < 0 else 'right'} for {x.what}" for x in found)
    return f"column {heading}{moved}"


_ENTRIES: dict[str, Callable[[State, Choose], Iterator[FormEntry]]] = {
    "beside": _beside_entries,
    "move": _move_entries,
    "combat": _combat_entries,
    "defence": _combat_entries,
    "retreat": _retreat_entries,
    "displace": _retreat_entries,
    "advance": _advance_entries,
}
