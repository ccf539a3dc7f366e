"""Commanders (rulebook 15-2-7-2): what they lend to units in range, where they can't stay, how they are lost."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from pbem.errors import Refusal
from pbem.maps.hexes import Hex, distance
from pbem.rules.bakumatsu.board import Command, Unit
from pbem.rules.bakumatsu.ground import Modifier
from pbem.rules.bakumatsu.orders import NO_ONE
from pbem.rules.bakumatsu.state import State
from pbem.rules.requests import Tell
from pbem.words import the

__all__ = ["attacking", "defending", "firing", "in_range", "lent", "lost", "met", "morale", "recovering", "taken",
           "told", "why_never_by", "why_not_by", "why_not_stay"]  # fmt: skip


def in_range(s: State, unit_id: str) -> list[Unit]:
    """The commanders who may help a unit on the map: of its side, not farther away than their range, by id."""
    units, here = s.board.units, s.at[unit_id]
    found = []
    for c in s.board.commanders[units[unit_id].side]:
        command, there = units[c].command, s.at.get(c)
        if command is not None and there is not None and distance(there, here) <= command.range:  # 15-2-7-2(3)2a
            found.append(units[c])
    return sorted(found)


def why_never_by(s: State, unit_id: str, by: str) -> Refusal | None:
    """Why the commander named in an order can't help the unit it is for any more, whatever comes before."""
    if by in ("", NO_ONE):
        return None
    named, name = s.board.units[by], s.board.describe(by)
    if named.command is None:
        return Refusal("15-2-7-2(3)2a", f"{name} is no commander")
    if named.side != s.board.units[unit_id].side:
        return Refusal("15-2-7-2(3)2a", f"{name} belongs to {the(s.board.side[named.side].title)}")
    if s.is_lost(by):
        return Refusal("15-2-7-2(3)2a", f"{name} isn't on the map: he was removed in turn {s.removed[by]}")
    return None


def why_not_by(s: State, unit_id: str, by: str) -> Refusal | None:
    """Why the commander named in an order can't help the unit it is for."""
    refusal, command = why_never_by(s, unit_id, by), s.board.units[by].command if by in s.board.units else None
    if refusal is not None or command is None:
        return refusal
    name, who = s.board.describe(by), s.board.describe(unit_id)
    if by not in s.at:
        return Refusal("15-2-7-2(3)2a", f"{name} isn't on the map")
    far = distance(s.at[by], s.at[unit_id])
    if far > command.range:
        return Refusal("15-2-7-2(3)2a", f"{name} is {far} hexes from {who}, his range is {command.range}")
    return None


# --- the one commander whose values count; the best for his player where none is named -------------------------------


def firing(s: State, unit_id: str, by: str) -> Unit | None:
    """Who adds his fire modifier to the fire of a unit."""
    return _one(s, unit_id, by, lambda command, _: command.fire)  # 15-2-7-2(3)3


def attacking(s: State, unit_id: str, by: str) -> Unit | None:
    """Who adds his melee modifier to the attack of a unit."""
    return _one(s, unit_id, by, lambda command, _: command.melee)  # 15-2-7-2(3)4a


def defending(s: State, unit_id: str) -> Unit | None:
    """Who helps a unit that is attacked, in the dice and in its morale check."""
    own = s.board.units[unit_id].morale
    return _one(s, unit_id, "", lambda command, morale: command.melee + max(0, morale - own))  # 15-2-7-2(3)4b


def recovering(s: State, unit_id: str, by: str) -> Unit | None:
    """By whose morale a unit recovers."""
    own = s.board.units[unit_id].morale
    return _one(s, unit_id, by, lambda _, morale: morale - own)  # 15-2-7-2(3)5


def _one(s: State, unit_id: str, by: str, worth: Callable[[Command, int], int]) -> Unit | None:
    """The commander named, else the one who is worth most, if anything; never two (15-2-7-2(3)2c)."""
    if by:
        return None if by == NO_ONE else s.board.units[by]
    best, most = None, 0
    for commander in in_range(s, unit_id):
        if commander.command is not None and worth(commander.command, commander.morale) > most:
            best, most = commander, worth(commander.command, commander.morale)
    return best


def lent(commander: Unit | None, kind: str, sign: int = 1) -> tuple[Modifier, ...]:
    """What a commander changes the dice by: his `fire` or `melee` modifier, subtracted for a defender."""
    value = 0 if commander is None else sign * getattr(commander.command, kind)
    clause = "15-2-7-2(3)3" if kind == "fire" else "15-2-7-2(3)4a" if sign > 0 else "15-2-7-2(3)4b"
    return () if commander is None or not value else (Modifier(commander.name, value, clause),)


def morale(unit: Unit, commander: Unit | None) -> int:
    """The morale with which a unit makes a check: its own, or that of its commander if it is better."""
    return unit.morale if commander is None else max(unit.morale, commander.morale)  # 15-2-7-2(3)5


def told(commander: Unit | None) -> dict[str, str]:
    """What an event tells of the commander who helped; nothing where there was none."""
    return {} if commander is None else {"by": commander.id}


# --- where commanders are ---------------------------------------------------------------------------------------------


def taken(s: State, unit: Unit) -> frozenset[Hex]:
    """The hexes in which a piece can't end its way for the commanders who are there; none for combat units."""
    if unit.command is None:
        return frozenset()
    others = (c for ids in s.board.commanders.values() for c in ids if c != unit.id)
    return frozenset(s.at[c] for c in others if c in s.at)  # 15-2-7-2(4)2a, 15-2-7-2(4)4b


def why_not_stay(s: State, unit: Unit, h: Hex) -> Refusal | None:
    """Why a piece can't end its way in a hex into which it may go."""
    if h not in taken(s, unit):
        return None
    other = next(c for c in s.board.units if c != unit.id and s.at.get(c) == h and s.board.units[c].command)
    clause = "15-2-7-2(4)2a" if s.board.units[other].side == unit.side else "15-2-7-2(4)4b"
    return Refusal(clause, f"{s.board.describe(other)} is in {s.board.place(h)}: no two commanders stay in a hex")


def lost(s: State, unit: str, h: Hex) -> list[Tell]:
    """The removal of the enemy commanders in a hex that a combat unit enters, in whatever way."""
    return [s.remove(c, f"{unit} entered his hex", "15-2-7-2(4)6") for c in met(s, s.board.units[unit], (h,))]


def met(s: State, unit: Unit, hexes: Iterable[Hex]) -> list[str]:
    """The enemy commanders in hexes that a piece enters, who are lost by it unless it is a commander, too."""
    enemies = s.board.commanders[s.board.enemy[unit.side]] if unit.command is None else ()
    return [c for h in hexes for c in enemies if s.at.get(c) == h] if enemies else []
