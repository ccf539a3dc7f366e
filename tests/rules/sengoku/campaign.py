"""What always holds of a campaign, and its players at random: who fights where he can, and whatever the rules draw."""

from __future__ import annotations

import random
from collections.abc import Iterator

from pbem.maps.hexes import distance
from pbem.rules.requests import Choose
from pbem.rules.sengoku import battle, movement, operation, recovery, replenishment
from pbem.rules.sengoku.acting import able
from pbem.rules.sengoku.command import why_not_force
from pbem.rules.sengoku.orders import DONE, Move, Order
from pbem.rules.sengoku.state import State, copy, dump, load

__all__ = ["PLAYERS", "check"]


# --- what always holds between two activities -------------------------------------------------------------------------


def check(s: State) -> None:
    """What holds of every state between two activities."""
    check_units(s)
    for force in s.shut_in:
        castle = s.board.castle_in[s.at[force]]
        assert s.board.armies[s.owner[castle]].side == s.board.units[force].side
        assert castle not in s.castle_morale
    for castle, durability in s.durability.items():
        assert 0 <= durability <= 10
        assert (castle in s.owner) is (durability > 0)
        check_siege(s, castle)
    for h, forces in s.stands.items():
        assert len({s.board.units[force].side for force in forces if force not in s.shut_in}) <= 1
        assert h not in s.board.outside
    assert all(-4 <= morale <= -1 for morale in (*s.morale.values(), *s.castle_morale.values()))
    kept = dump(s)
    again = load(s.board, kept)
    assert dump(again) == kept == dump(copy(s))
    for name in ("leader", "stands", "present", "in_the_open", "held"):
        assert getattr(again, name) == getattr(s, name), name


def check_units(s: State) -> None:
    """Each unit is in one place: in a force, waiting, or lost; and forces are as command allows."""
    units = [unit for force in s.forces.values() for unit in force]
    waiting = [unit for some in s.waiting.values() for unit in some]
    gone = set(s.board.units) - {*units, *waiting}
    assert len({*units, *waiting}) == len(units) + len(waiting)
    assert gone >= set(s.removed)
    assert not {*units, *waiting} & set(s.removed)
    assert s.reduced <= set(units)
    assert s.leader == {unit: force for force, group in s.forces.items() for unit in group}
    assert set(s.forces) == set(s.at) == {force for forces in s.stands.values() for force in forces}
    assert set(s.morale) | s.shut_in | s.besieging <= set(s.forces)
    for force, group in s.forces.items():
        assert group[0] == force
        assert why_not_force(s.board, group) is None


def check_siege(s: State, castle: str) -> None:
    """Besiegers are enemies in the open, strong enough together."""
    at = s.board.castles[castle].at
    marked = [force for force in s.stands.get(at, ()) if force in s.besieging]
    if not marked:
        return
    units = [s.board.units[unit] for force in marked for unit in s.forces[force]]
    strength = sum(unit.back if unit.id in s.reduced else unit.front for unit in units)
    assert strength >= 10 * max(s.board.castles[castle].level, 1)
    assert {unit.side for unit in units} == {s.board.enemy[s.board.armies[s.owner[castle]].side]}
    assert not s.shut_in & set(marked)


# --- players ----------------------------------------------------------------------------------------------------------


def eager(s: State, request: Choose, chance: random.Random) -> Order:
    """Fights where it can, gathers, and makes for the next enemy: commanders-in-chief for each other."""
    ready = [force for force in s.own_forces(request.side) if able(s, force)]
    if request.kind != "operation" or not ready or chance.random() < 0.02:
        return DONE if request.kind == "operation" and not ready else request.sample(chance)
    force = chance.choice(ready)
    fights = list(fights_of(s, request.side, force))
    if fights and chance.random() < 0.85:
        return chance.choice(fights)
    mending = [*recovery.options(s, force), *replenishment.options(s, force)]
    if mending and chance.random() < 0.3:
        return chance.choice(mending)
    drawn = [movement.sample(s, force, chance) for _ in range(6)]
    moves = [order for order in drawn if isinstance(order, Move) and order.path]
    if force in s.besieging or not moves or chance.random() < 0.2:
        return request.sample(chance)
    goal = goal_of(s, request.side, force)
    return min(moves, key=lambda order: distance(order.path[-1], goal))


def fights_of(s: State, side: str, force: str) -> Iterator[Order]:
    """What a force can do to the enemy."""
    yield from battle.options(s, force)
    yield from operation.attacks(s, side, force)
    yield from operation.before_castle(s, side, force)


def goal_of(s: State, side: str, force: str) -> int:
    """Where the enemy is whom a force seeks."""
    here, rank, enemy = s.at[force], s.board.units[force].rank, s.board.enemy[side]
    foes = s.own_forces(enemy)
    chiefs = [s.at[foe] for foe in foes if rank == s.board.units[foe].rank == 3]
    castles = [s.board.castles[castle].at for castle, army in s.owner.items() if s.board.armies[army].side == enemy]
    return min(chiefs or [*(s.at[foe] for foe in foes), *castles], key=lambda h: distance(h, here), default=here)


def any_answer(s: State, request: Choose, chance: random.Random) -> Order:
    """What the rules draw."""
    return request.sample(chance)


PLAYERS = {"eager": eager, "any answer": any_answer}
