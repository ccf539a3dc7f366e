"""Sieges: begun, joined and given up, and the check at the end of the owner's phase (rulebook 17, 18, 20-4)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from pbem.errors import Refusal
from pbem.rules.requests import Activity, Roll, Tell
from pbem.rules.sengoku import harm
from pbem.rules.sengoku.acting import (
    army_of,
    besieged,
    besiegers,
    castle_side,
    forces_inside,
    label_of,
    threshold,
    why_not_act,
    why_truce,
)
from pbem.rules.sengoku.castles import (
    Named,
    Naming,
    captor_of,
    castle_morale,
    damage,
    named,
    shake_castle,
    units_inside,
)
from pbem.rules.sengoku.orders import Besiege, Lift, Traitors
from pbem.rules.sengoku.state import State
from pbem.rules.sengoku.talks import agreed

__all__ = [
    "INCIDENT",
    "SIEGE",
    "begin",
    "check",
    "checks",
    "give_up",
    "why_not_besiege",
    "why_not_here",
    "why_not_lift",
]

SIEGE, INCIDENT = "siege", "incident"
"""The stems of the labels of the dice of a siege check."""

TRAITORS = {"traitor-1": 1, "traitor-2": 2}


# --- begun, joined, given up ------------------------------------------------------------------------------------------


def why_not_here(s: State, side: str, castle: str, forces: Sequence[str]) -> Refusal | None:
    """Why forces can't attack a castle: they can't act, aren't in its hex, or it isn't an enemy's (17.0)."""
    name = s.board.castles[castle].name
    if castle_side(s, castle) is None:
        return Refusal("21-1(1)", f"{name} is abandoned and can't be attacked")
    if castle_side(s, castle) == side:
        return Refusal("17.0", f"{name} is no castle of the enemy")
    if len(set(forces)) != len(forces) or not forces:
        return Refusal("17.0", "name each force that attacks once")
    for force in forces:
        if refusal := why_not_act(s, side, force):
            return refusal
        if s.at[force] != s.board.castles[castle].at or force in s.shut_in:
            return Refusal("17-1-1", f"{s.board.describe(force)} isn't before {name}, in its hex")
        if refusal := why_truce(s, force, forces_inside(s, castle)):
            return refusal
    return None


def why_not_besiege(s: State, side: str, order: Besiege) -> Refusal | None:
    """Why forces can't begin or join a siege now."""
    if refusal := why_not_here(s, side, order.castle, order.forces):
        return refusal
    if order.assault and order.castle in s.called:
        return Refusal("20-1-1", f"{s.board.castles[order.castle].name} was called to surrender in this phase")
    for force in order.forces:
        if force in s.besieging:
            return Refusal("18-1-4", f"{s.board.describe(force)} besieges it already")
    strong = harm.strength(s, {*order.forces, *besiegers(s, order.castle)})
    if strong < (needed := threshold(s.board, order.castle)):  # 18-1, 18-1-1, 18-1-2
        return Refusal("18-1", f"a strength of {needed} is needed to besiege it, they have {strong}")
    return None


def begin(s: State, order: Besiege) -> Iterator[Tell]:
    """Give forces the siege marker; that is their action, with the assault that may follow (18-1-1, 18-1-4)."""
    joined = besieged(s, order.castle)
    for force in order.forces:
        s.besiege(force)
        s.acted.update(s.forces[force])
        s.attacked.add(army_of(s, force))
    facts = {"at": label_of(s, order.castle), "units": list(order.forces), "joined": joined}
    yield Tell("besiege", "18-1-4" if joined else "18-1", facts)


def why_not_lift(s: State, side: str, order: Lift) -> Refusal | None:
    """Why a force can't give up a siege; it is no action, and a force that has acted may (18-3-1)."""
    name = s.board.describe(order.force)
    if s.board.units[order.force].side != side:
        return Refusal("3.0(2)", f"{name} is a unit of the enemy")
    if order.force not in s.besieging:
        return Refusal("18-3-1", f"{name} besieges no castle")
    return None


def give_up(s: State, order: Lift) -> Iterator[Tell]:
    """Take the siege marker off a force; the siege goes on while the others are strong enough (18-3-1)."""
    yield from harm.lift(s, [order.force], s.board.castle_in[s.at[order.force]])
    yield from harm.check_markers(s)


# --- the siege check --------------------------------------------------------------------------------------------------


def checks(s: State, side: str) -> Activity:
    """The siege checks of a side at the end of its phase, its castles by their hex (18-2, P-5)."""
    under_siege = {s.board.castle_in[s.at[force]] for force in s.besieging}
    for castle in sorted(under_siege, key=lambda castle: label_of(s, castle)):
        if castle_side(s, castle) == side and besieged(s, castle) and not (yield from agreed(s, castle)):
            yield from check(s, castle)


def check(s: State, castle: str) -> Activity:
    """One siege check: a die by the number of units inside, and on an incident another (18-2-1)."""
    place, level = label_of(s, castle), s.board.castles[castle].level
    inside = sum(len(s.forces[force]) for force in forces_inside(s, castle))
    (die,) = yield Roll(f"{SIEGE}/{place}", dice=1)
    result = s.board.tables.siege_result(die, inside, level)
    facts = {"at": place, "step": SIEGE, "side": castle_side(s, castle), "die": die, "inside": inside}
    yield Tell("siege-check", "18-2-1", {**facts, "limit": s.board.tables.limit[level], "result": result})
    if result == "durability-1":
        yield from damage(s, castle, 1, "18-2-1(2)", captor_of(s, castle))
    elif result == "incident":
        yield from _incident(s, castle)


def _incident(s: State, castle: str) -> Activity:
    """The incident of a siege by a die and the difference of morale (18-2-1(3))."""
    place, captor = label_of(s, castle), captor_of(s, castle)
    better = castle_morale(s, castle) - harm.morale_of(s, besiegers(s, castle))
    (die,) = yield Roll(f"{INCIDENT}/{place}", dice=1)
    result = s.board.tables.incident(die + better)
    inside = forces_inside(s, castle)
    facts = {"at": place, "side": castle_side(s, castle), "die": die, "morale": better, "result": result}
    yield Tell("incident", "18-2-1(3)", facts if inside else {**facts, "empty": True})
    if result in TRAITORS and inside:
        yield from _betrayed(s, castle, TRAITORS[result])
    elif result in TRAITORS or result.startswith("durability"):
        yield from damage(s, castle, int(result[-1]), "18-2-1(3)", captor)
    elif result == "castle-morale-1":
        yield from shake_castle(s, castle, "18-2-2", captor)
    else:
        for force in besiegers(s, castle):
            yield from harm.shake(s, force, 1, "18-2-1(3)")
    yield from harm.bury(s)


def _betrayed(s: State, castle: str, count: int) -> Activity:
    """Units inside are removed by treason; the castle does not fall by it (18-2-1(3), 25-2(surrender))."""
    for unit in (yield from _traitors(s, castle, count)):
        yield from harm.remove(s, unit, "18-2-1(3)", "betrayed")


def _traitors(s: State, castle: str, count: int) -> Named:
    """Ask the owner of those inside who is removed: by default the lowest ranks, then strength, then army file."""
    units, inside = s.board.units, units_inside(s, castle)
    inside.sort(key=lambda unit: (units[unit].rank, units[unit].front))
    prompt = f"name {count} of the units inside {s.board.castles[castle].name} that are lost by treason"
    question = Naming(units[inside[0]].side, "traitors", "18-2-1(3)", prompt, partial(Traitors, castle))
    return (yield from named(s, castle, question, inside, min(count, len(inside))))
