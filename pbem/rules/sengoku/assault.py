"""Assaults: the castle's interception first, then the assault on its durability (rulebook 19)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pbem.errors import Refusal
from pbem.rules.fates import DURABILITY
from pbem.rules.requests import Activity, Roll, Tell
from pbem.rules.sengoku import harm
from pbem.rules.sengoku.acting import army_of, besieged, castle_side, forces_inside, label_of, skill_of
from pbem.rules.sengoku.castles import castle_morale, damage, units_inside
from pbem.rules.sengoku.casualties import suffer
from pbem.rules.sengoku.orders import Assault, Besiege
from pbem.rules.sengoku.siege import begin, why_not_here
from pbem.rules.sengoku.state import State

__all__ = ["ASSAULT", "INTERCEPTION", "assaults", "carry_out", "skill_inside", "why_not"]

ASSAULT, INTERCEPTION = "assault", "interception"
"""The stems of the labels of the dice."""

ALWAYS = 1  # 19-2-5(1)


def why_not(s: State, side: str, order: Assault) -> Refusal | None:
    """Why forces can't assault a castle now."""
    if refusal := why_not_here(s, side, order.castle, order.forces):
        return refusal
    name = s.board.castles[order.castle].name
    if order.castle in s.called:
        return Refusal("20-1-1", f"{name} was called to surrender in this phase")
    return None if _open_to_assault(s, order.castle) else Refusal("17-1-5", f"{name} isn't besieged")


def _open_to_assault(s: State, castle: str) -> bool:
    """Whether a castle can be assaulted: it is under siege, or needn't be by the option (17-1-5)."""
    return besieged(s, castle) or s.options.assault_without_siege == "yes"


def carry_out(s: State, order: Assault | Besiege) -> Activity:
    """A legal assault, or a siege with the assaults that belong to the same action (17-1-2)."""
    if isinstance(order, Besiege):
        yield from begin(s, order)
        if not order.assault:
            return
    yield from assaults(s, order.castle, order.forces)


def assaults(s: State, castle: str, forces: Sequence[str]) -> Activity:
    """The assaults of forces, one after another (19-1-1).

    A force that finds no castle under siege any more drops out; it has acted only if it has begun the siege.
    """
    for n, force in enumerate(forces):
        if force in s.forces and castle in s.owner and _open_to_assault(s, castle):  # 17-1-5
            s.acted.update(s.forces[force])
            s.attacked.add(army_of(s, force))
            s.assaulted.add(castle)
            yield from _assault(s, castle, force, {"step": force} if n else {})
            yield from harm.bury(s)


def _assault(s: State, castle: str, force: str, step: Mapping[str, str]) -> Activity:
    """One assault: interception, its losses, then the assault by those who are left (19-1-3).

    `step` is told with the first event, where an assault before it belongs to the same order.
    """
    yield from _intercepted(s, castle, force, step)
    if force not in s.forces:
        return  # 19-3
    board, place = s.board, label_of(s, castle)
    level, strength = board.castles[castle].level, harm.strength(s, [force])
    ground = board.tables.terrain[board.ground.terrain[board.castles[castle].at]].assault  # 19-3-2(2)
    better = s.morale.get(force, 0) - castle_morale(s, castle)  # 19-3-2(3)
    (die,) = yield Roll(f"{ASSAULT}/{place}", dice=1)
    lost = board.tables.loss(die - level + ground + better, strength).losses  # 19-3-2(1); marks don't count
    facts = {"unit": force, "from": place, "at": place, "strength": strength, "die": die, "level": -level}
    facts |= {"ground": ground, "morale": better, "result": lost, "of": DURABILITY}
    yield Tell("assault", "19-3-1(1)", facts)
    if lost:
        yield from damage(s, castle, lost, "19-3-1(2)", force)


def _intercepted(s: State, castle: str, force: str, step: Mapping[str, str]) -> Activity:
    """The interception by all inside together, with strength 0 by nobody; its losses are taken at once (19-2)."""
    place, strength = label_of(s, castle), harm.strength(s, forces_inside(s, castle))
    better = castle_morale(s, castle) - s.morale.get(force, 0)  # 19-2-5(3)
    skill = skill_inside(s, castle)
    (die,) = yield Roll(f"{INTERCEPTION}/{place}", dice=1)
    loss = s.board.tables.loss(die + ALWAYS + skill + better, strength)
    facts = {"unit": force, "at": place, "side": castle_side(s, castle), "strength": strength, "die": die}
    facts |= {"always": ALWAYS, "skill": skill, "morale": better, "result": loss.losses, "marked": loss.marked}
    yield Tell("interception", "19-2-4(1)", {**facts, **step})
    yield from suffer(s, [force], loss, "19-2-4(2)")
    yield from harm.last_leave(s)
    yield from harm.check_markers(s)


def skill_inside(s: State, castle: str) -> int:
    """The field modifier that counts of those inside a castle, 0 with nobody (19-2-5(2))."""
    return skill_of(s, units_inside(s, castle))
