"""Reinforcements (rulebook 13, 15-1-5, 15-2-5, 15-2-7): who is received in a turn, and how a piece comes on."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.errors import Refusal
from pbem.rules.bakumatsu import movement, victory
from pbem.rules.bakumatsu.acting import why_not_on_map
from pbem.rules.bakumatsu.board import Unit
from pbem.rules.bakumatsu.commanders import why_not_stay
from pbem.rules.bakumatsu.orders import Enter, Order
from pbem.rules.bakumatsu.state import State
from pbem.rules.kit.ask import Steps
from pbem.rules.requests import Chance, Draw, Roll, Tell
from pbem.words import the

__all__ = ["can_enter", "carry_out", "options_of", "random_entry", "received", "why_not"]

FIRST_TURN = 1
STRONG = 7
"""Victory hexes with which the enemy brings on the commander kept aside (15-2-7-2(2)2)."""
ARRIVES = 4
"""The least that the die must show for him."""


def received(s: State, side: str) -> Steps:
    """What a side receives at the start of its recovery/movement phase: units, a commander, the one kept aside."""
    yield from _appearance_check(s, side)
    yield from _commander(s, side)
    yield from _kept_aside(s, side)


def _appearance_check(s: State, side: str) -> Steps:
    """The appearance check of a side whose track shows an R this turn, while units wait for it."""
    cup, whose, called = s.cups[side], s.board.side[side], s.calls.get(side, 0)
    if s.turn not in whose.reinforcement_turns or len(cup) <= called:  # 13-1(1), 13-1(3), 15-1-5(1)0, 15-1-5(2)
        return
    (die,) = yield Roll(f"reinforcement/{s.turn}", dice=1)  # 13-1(2)a, 15-2-5(1)0a
    if whose.chooses:
        number = max(die, whose.least) if s.turn == FIRST_TURN else die  # 15-2-5(1)1
        number = min(number, len(cup) - called)
        s.calls[side] = called + number  # 15-2-5(1)0b: who they are is said when they enter
        yield Tell("reinforcements", "15-2-5(1)0b", {"side": side, "die": die, "units": [], "number": number})
        return
    units = yield Draw(f"cup/{side}", cup, min(die, len(cup)))  # 13-1(2)b, 15-1-5(1)1
    s.cups[side] = tuple(unit for unit in cup if unit not in units)
    s.received[side] += tuple(units)
    yield Tell("reinforcements", "13-1(2)b", {"side": side, "die": die, "units": list(units)})


def _commander(s: State, side: str) -> Steps:
    """The commander whom a side draws in a turn for which its track shows an Lx1."""
    cup = s.commander_cups.get(side, ())
    if s.turn not in s.board.side[side].commander_turns or not cup:  # 15-2-7-2(2)1
        return
    (commander,) = yield Draw(f"commanders/{side}", cup, 1)
    s.commander_cups[side] = tuple(other for other in cup if other != commander)
    if not s.commander_cups[side]:
        del s.commander_cups[side]
    s.received[side] += (commander,)
    yield Tell("reinforcements", "15-2-7-2(2)1", {"side": side, "die": None, "units": [commander]})


def _kept_aside(s: State, side: str) -> Steps:
    """The die for the commander kept aside, while the enemy controls enough victory hexes."""
    commander, enemy = s.board.aside.get(side), s.board.enemy[side]
    if commander is None or commander in s.at or commander in s.removed or commander in s.received[side]:
        return
    if victory.held(s, enemy) < STRONG:  # 15-2-7-2(2)2
        return
    (die,) = yield Roll(f"arrival/{s.turn}", dice=1)
    if die >= ARRIVES:
        s.received[side] += (commander,)
    comes = [commander] if die >= ARRIVES else []
    facts = {"side": side, "die": die, "units": comes, "for": commander, "needed": ARRIVES}
    yield Tell("reinforcements", "15-2-7-2(2)2", facts)


# --- coming on --------------------------------------------------------------------------------------------------------


def can_enter(s: State, side: str) -> list[str]:
    """The pieces of a side that may come on now; none while its entry hex is blocked for them."""
    entry = s.board.side[side].entry
    found = s.may_come(side)
    if entry is None or not found:
        return []
    there = s.unit_in(entry)
    if there is None and not s.board.commanders[side]:  # 13-1(4)
        return found
    return [piece for piece in found if _blocked(s, s.board.units[piece]) is None]


def _blocked(s: State, unit: Unit) -> Refusal | None:
    """What keeps a piece out of its side's entry hex: a unit there, a commander if it is one, for him an enemy."""
    entry = s.board.side[unit.side].entry
    if entry is None:
        return Refusal("13-1(4)", f"{the(s.board.side[unit.side].title)} has no entry hex")
    other = s.unit_in(entry)
    if other is not None and (unit.command is None or s.board.units[other].side != unit.side):  # 13-1(4), 3-1(0)a
        return Refusal("13-1(4)", f"the entry hex {s.board.place(entry)} is occupied by {s.board.describe(other)}")
    return why_not_stay(s, unit, entry)  # 15-2-7-2(4)2a, 15-2-7-2(4)4b


def why_not(s: State, side: str, order: Enter) -> Refusal | None:
    """Why a piece can't enter and go on from the entry hex."""
    unit, entry = s.board.units[order.unit], s.board.side[side].entry
    name = s.board.describe(unit.id)
    if unit.side != side:
        return Refusal("8(0)", f"{name} belongs to {the(s.board.side[unit.side].title)}")
    if unit.id in s.at:
        return Refusal("13-2(1)", f"{name} is on the map already, at {s.board.place(s.at[unit.id])}")
    if entry is None or unit.id not in s.may_come(side):
        return _why_not_yet(s, unit)
    blocked = _blocked(s, unit)
    if blocked is not None:
        return blocked
    if order.how == "move":
        return movement.why_not_move_path(s, unit, entry, order.path)  # 13-2(2)b
    if order.how == "march":
        return movement.why_not_march_path(s, unit, entry, order.path)
    return None


def _why_not_yet(s: State, unit: Unit) -> Refusal:
    """Why a piece off the map doesn't come on in this phase."""
    name, whose = s.board.describe(unit.id), s.board.side[unit.side]
    if whose.chooses and unit.id in s.cups[unit.side]:
        if not s.calls.get(unit.side):
            return Refusal("15-2-5(1)0b", f"{name} waits: {whose.title} may bring no more units on this turn")
        before = [other for other in s.cups[unit.side] if not s.board.units[other].artillery]
        who = s.board.describe(before[0]) if len(before) == 1 else f"the {len(before)} units in hand that aren't"
        return Refusal("15-2-5(1)2", f"{name} is artillery: {who} must come on before")
    if whose.reorganises and unit.id in s.removed:
        if unit.command is not None:
            return Refusal("15-2-7-2(4)7", f"{name} was removed in turn {s.removed[unit.id]}: no commander comes back")
        return Refusal("15-2-7-1(1)1a", f"{name} was removed in this turn: it comes back from the next on")
    return why_not_on_map(s, unit.id)


def carry_out(s: State, side: str, order: Enter) -> Iterator[Tell]:
    """Put a piece onto the entry hex and let it go on."""
    unit, entry = s.board.units[order.unit], s.board.side[side].entry
    if entry is None:
        raise AssertionError(f"{side} has no entry hex")  # why_not has refused the order
    _leave_pool(s, side, unit.id)
    s.put(unit.id, entry)  # 13-2(2)a, 15-1-5(1)2, 15-2-5(1)3
    s.done.add(unit.id)  # 6(3); from now on a unit like any other: 13-2(3)
    label = s.board.label[entry]
    yield Tell("move", "13-2(2)a", {"unit": unit.id, "from": None, "path": [label], "how": "enter", "cost": 0})
    if unit.command is None:
        yield from victory.enter(s, unit.id, entry)
    if order.how:
        yield from movement.walk(s, unit, entry, order.path, order.how)  # 13-2(2)b


def _leave_pool(s: State, side: str, unit: str) -> None:
    """Take a piece that comes on from where it waited."""
    if unit in s.received[side]:
        s.received[side] = tuple(other for other in s.received[side] if other != unit)
    elif unit in s.removed:
        del s.removed[unit]  # 15-2-7-1(1)2: it uses up no call
    else:
        s.cups[side] = tuple(other for other in s.cups[side] if other != unit)
        s.calls[side] -= 1
        if not s.calls[side]:
            del s.calls[side]


def options_of(s: State, side: str, unit: Unit) -> Iterator[Enter]:
    """The ways in which a piece that may come on can do so."""
    entry = s.board.side[side].entry
    if entry is not None and unit.id in s.may_come(side) and _blocked(s, unit) is None:
        moves, marches = movement.move_destinations(s, unit, entry), movement.march_destinations(s, unit, entry)
        yield Enter(unit.id)
        yield from (Enter(unit.id, "move", moves[h][1]) for h in sorted(moves))
        yield from (Enter(unit.id, "march", marches[h]) for h in sorted(marches))


def random_entry(s: State, side: str, unit_id: str, chance: Chance) -> Order:
    """A random way in which a piece that may come on does so."""
    unit, entry = s.board.units[unit_id], s.board.side[side].entry
    how = chance.random()
    if entry is None or how < 0.1:
        return Enter(unit_id)
    if how < 0.5 and s.board.ground.roads[entry]:
        path = movement.random_march(s, unit, entry, chance)
        return Enter(unit_id, "march", path) if path else Enter(unit_id)
    path = movement.random_move(s, unit, entry, chance)
    return Enter(unit_id, "move", path) if path else Enter(unit_id)
