"""The order form: for each target who can fire at or attack it, for each unit where it can go, with odds to compare."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from pbem.errors import Refusal
from pbem.maps.hexes import Hex, distance
from pbem.rules.fates import odds
from pbem.rules.kit.form import Line, by_target, closing, counted, destinations, facing, idle
from pbem.rules.requests import Choose, FormEntry, Words
from pbem.rules.yukimura import fire, melee, movement, movement_phase
from pbem.rules.yukimura.acting import in_enemy_zoc
from pbem.rules.yukimura.board import EAST
from pbem.rules.yukimura.combat import Shift, participants, shifts, strength
from pbem.rules.yukimura.odds import fire_odds, melee_odds
from pbem.rules.yukimura.orders import CLOSING, Advance, Enter, Fire, March, Melee, Move, Order, order_words
from pbem.rules.yukimura.state import State

__all__ = ["form", "tell_cost", "tell_odds"]

WINS = "wins if it is there at the end of the turn [14-2(6)3]"
"""What is said of a way to a hex where the East breaks through."""

IMPASSABLE = "10-1-6"
"""The clause by which a unit can't attack one that it may still fire at."""


def form(s: State, choose: Choose) -> Iterator[FormEntry]:
    """The order form of a pending decision; the closing order last where it is one."""
    yield from _ENTRIES[choose.kind](s, choose)
    if choose.kind in ("move", "defence", "combat"):
        yield closing(CLOSING)._replace(notes=tuple(_broken_through(s)))


def _broken_through(s: State) -> Iterator[str]:
    """How the turn ends the battle as things stand."""
    for h, unit in s.stands[EAST].items():
        if h in s.board.breakthrough:
            stays = f"{s.board.describe(unit)} is at {s.board.place(h)}"
            yield f"{stays}: with an Eastern unit there at the end of the turn the East has won [14-2(6)3]"  # 14-2(6)3


def _combat_entries(s: State, choose: Choose) -> Iterator[FormEntry]:
    """Each target: every fire at it, then every hand-to-hand combat with it, that is listed; then who takes no part."""
    fires = by_target(fire.options(s, choose.side)) if choose.kind == "defence" or s.step == "fire" else {}
    melees = by_target(melee.options(s, choose.side)) if choose.kind == "combat" else {}
    enemies = s.stands[s.board.enemy[choose.side]]
    able: set[str] = set()
    for h in sorted(enemies, key=lambda h: s.board.label[h]):
        target = enemies[h]
        orders: list[Fire | Melee] = [*fires.get(target, ()), *melees.get(target, ())]
        able.update(unit for order in orders for unit in participants(order))
        lines = [(order_words(s.board, order), tell_odds(s, order)) for order in orders]
        if lines:
            yield FormEntry(f"Against {_stands(s, target)}", tuple(lines), tuple(_combat_notes(choose, lines)))
    others = [unit for unit in s.board.of_side[choose.side] if unit not in able]
    yield from idle(s.board.describe, {unit: [_why_no_combat(s, choose, unit)] for unit in others})


def _why_no_combat(s: State, choose: Choose, unit: str) -> Refusal:
    """Why a unit can neither fire nor attack: what is said of the nearest enemy, of the unit itself before all else."""
    start, enemies = s.at.get(unit), s.stands[s.board.enemy[choose.side]]
    nearest = min(enemies, key=lambda h: (0 if start is None else distance(start, h), h))
    order: Order = (Fire if choose.kind == "defence" else Melee)(unit, enemies[nearest])
    found = choose.why_not(order)
    if found is not None and found.clause == IMPASSABLE and s.step == "fire":
        found = choose.why_not(Fire(unit, enemies[nearest]))
    assert found is not None  # noqa: S101 else it would be listed
    return found


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
    shifted, found = _column(column, shifts(s, order)), odds(fire_odds(s, order))
    return f"strength {strength(s, participants(order))}, {shifted}: {found}"


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
        same = next(iter(alike))
        attackers = f"the attacker {same}" if len(found.attackers) == 1 else f"each attacker {same}"
    else:
        several = {shares: "each of " * (len(units) > 1) + ", ".join(units) for shares, units in alike.items()}
        attackers = "; ".join(f"{units} {shares}" for shares, units in several.items())
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
    """Each unit that can move or enter; then the others, with why not."""
    refused = {}
    for unit in s.board.of_side[choose.side]:
        orders = list(movement_phase.options_of(s, choose.side, unit))
        if orders:
            yield _move_entry(s, unit, orders)
        else:
            tried = map(choose.why_not, _tried(s, unit))
            refused[unit] = [refusal for refusal in tried if refusal is not None]
    yield from idle(s.board.describe, refused)


def _tried(s: State, unit: str) -> list[Order]:
    """What a unit that goes nowhere would do first, by which it is told why it can't."""
    start, force = s.at.get(unit), s.board.units[unit].force
    if start is None:
        hexes = movement_phase.entry_hexes(s, force) if force in s.board.arrivals else ()
        return [Enter(unit, (h,)) for h in hexes] or [Enter(unit, ())]
    near = s.board.ground.near[start] if movement.is_idle(s, unit) else ()
    return [Move(unit, (h,)) for h in near] or [Move(unit, ())]


def _move_entry(s: State, unit: str, orders: Sequence[Order]) -> FormEntry:
    """Moves next to the enemy, or any one when there are none; the longest march; the way off the map."""
    off = [order for order in orders if isinstance(order, Move | March) and order.off]
    goes = _cheapest(s, (order for order in orders if isinstance(order, Move | Enter) and order not in off))
    marches = [order for order in orders if isinstance(order, March) and not order.off]
    enemies, open_to = s.stands[s.board.enemy[s.board.units[unit].side]], s.board.ground.open_to
    near = facing(goes, lambda order: [enemies[h] for h in open_to[order.path[-1]] if h in enemies])
    near = near or [(order, "for example") for order in list(goes)[:1]]
    won = {order.path[-1]: order for order in (*marches, *goes) if _exits(s, order)}.values()
    near = [*((o, WINS) for o in goes if o in won), *((o, why) for o, why in near if o not in won)]
    shown: list[tuple[Move | March | Enter, str]] = [(o, f"{counted(goes[o], 'point')}, {why}") for o, why in near]
    if marches:
        longest = max(marches, key=lambda order: len(order.path))
        best = {longest: "the longest march"} | {order: WINS for order in marches if order in won}
        shown += [(order, f"{counted(len(order.path), 'hex')}, {why}") for order, why in best.items()]
    shown += [(order, "leaves the map for good") for order in off]
    notes = _move_notes(s, unit, goes, {order: len(order.path) for order in marches})
    lines = [(order_words(s.board, order), note) for order, note in shown]
    typed = {words: _short(words, order) for (words, _), (order, _) in zip(lines, shown, strict=True)}
    return FormEntry(_heading(s, unit), tuple(lines), tuple(notes), typed)


def _exits(s: State, order: Move | March | Enter) -> bool:
    """Whether an Eastern unit ends in a hex that wins at the end of the turn (14-2(6)3)."""
    return s.board.units[order.unit].side == EAST and order.path[-1] in s.board.breakthrough


def _cheapest(s: State, orders: Iterable[Move | Enter]) -> dict[Move | Enter, int]:
    """Of the moves or entries of a unit the cheapest one to each hex with its points, in order of them."""
    costs = {order: _cost(s, order) for order in orders}
    best: dict[Hex, Move | Enter] = {}
    for order in sorted(costs, key=lambda order: (costs[order], order.path)):
        best.setdefault(order.path[-1], order)
    return {order: costs[order] for order in best.values()}


def tell_cost(s: State, order: Order) -> str:
    """What a legal order costs its unit: the points of a move or an entry, the hexes of a march; "" for others."""
    match order:
        case Move():
            return counted(movement.cost(s, order), "point")
        case Enter():
            return counted(_cost(s, order), "point")
        case March():
            return counted(movement.cost(s, order), "hex")
    return ""


def _cost(s: State, order: Move | Enter) -> int:
    """The movement points of a move on the map, or of an entry."""
    if isinstance(order, Enter):
        return movement_phase.ENTRY_COST + movement.path_cost(s, order.path[0], order.path[1:])
    return movement.path_cost(s, s.at[order.unit], order.path)


def _short(words: Words, order: Move | March | Enter) -> Words:
    """The words of an order that name only where it ends."""
    if len(order.path) <= isinstance(order, Enter):  # nothing is left out
        return words
    return (*words[:2], "to", *words[1 + len(order.path) :])


def _move_notes(s: State, unit: str, goes: Mapping[Move | Enter, int], marches: Mapping[March, int]) -> Iterator[str]:
    """Where moves and marches lead; and what a leader's move would cost."""
    kinds: tuple[tuple[str, str, Mapping[Any, int]], ...] = (
        ("move" if unit in s.at else "enter", "point", goes), ("march", "hex", marches),
    )  # fmt: skip
    for how, what, ends in kinds:
        if ends:
            places = [(s.board.place(order.path[-1]), cost) for order, cost in ends.items()]
            yield destinations(f"{how} U", places, what)
    if unit in s.board.collapse.get(s.board.units[unit].side, ()):
        yield "leaving its start hex loses the battle at once"  # 14-2(6)1, 14-2(6)2, R92


def _heading(s: State, unit_id: str) -> str:
    """A unit, its values, where it stands, on what ground and under what threat."""
    unit, h = s.board.units[unit_id], s.at.get(unit_id)
    told = _stands(s, unit_id)
    return f"{told}, in enemy ZOC" if h is not None and in_enemy_zoc(s, unit.side, h) else told


def _stands(s: State, unit_id: str) -> str:
    """A unit, its values, where it stands and on what ground."""
    unit, h = s.board.units[unit_id], s.at.get(unit_id)
    name = f"{s.board.describe(unit_id)} ({unit.branch}, {unit.values})"
    if h is None:
        return f"{name}, beside the map"
    place = s.board.place(h)
    return f"{name} at {place}, mountain" if h in s.board.ground.mountain else f"{name} at {place}"


def _column(heading: str, found: Sequence[Shift]) -> str:
    """The column, and what has shifted it."""
    moved = (f"{abs(x.value)} to the {'left' if x.value < 0 else 'right'} for {x.what}" for x in found)
    return ", ".join([f"column {heading}", *moved])


_ENTRIES: dict[str, Callable[[State, Choose], Iterator[FormEntry]]] = {
    "beside": _beside_entries,
    "move": _move_entries,
    "combat": _combat_entries,
    "defence": _combat_entries,
    "retreat": _retreat_entries,
    "displace": _retreat_entries,
    "advance": _advance_entries,
}
