"""Campaigns of Shizugatake played at random and by an eager player: no dead end, and what always holds (P-1, P-6)."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator

import pytest

from pbem.maps.hexes import distance
from pbem.rules.requests import Choose, Roll, Tell
from pbem.rules.sengoku import battle, movement, operation, recovery, replenishment
from pbem.rules.sengoku.acting import able
from pbem.rules.sengoku.command import why_not_force
from pbem.rules.sengoku.orders import DONE, Move, Order
from pbem.rules.sengoku.sequence import FIRST, clock, next_activity
from pbem.rules.sengoku.state import State, copy, dump, load
from pbem.rules.sengoku.victory import outcome

Field = Callable[..., State]


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
    assert dump(load(s.board, kept)) == kept == dump(copy(s))


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


def played(s: State, player: str, seed: int, innings: int, every: int = 40) -> Counter[str]:
    """A campaign played up to an inning, or its end, looked at after each activity: how often each event was told.

    Of `every` so many questions all options are looked at.
    """
    chance, seen, last, asked = random.Random(seed), Counter[str](), clock(s)[0], 0
    while outcome(s) is None and s.turn <= innings:
        activity, answer = next_activity(s), None
        while True:
            try:
                request = activity.send(answer)
            except StopIteration:
                break
            answer = None
            if isinstance(request, Tell):
                seen[request.what] += 1
            elif isinstance(request, Roll):
                answer = tuple(chance.randint(1, request.sides) for _ in range(request.dice))
            elif isinstance(request, Choose):
                asked += 1
                if asked % every == 0:
                    options = list(request.options())
                    assert options, "a dead end"
                    assert [request.why_not(order) for order in options] == [None] * len(options)
                answer = PLAYERS[player](s, request, chance)
                assert request.why_not(answer) is None
        check(s)
        assert last <= s.turn
        last = s.turn
    return seen


@pytest.mark.parametrize(("player", "seed", "innings"), [("any answer", 1, 3), ("eager", 2, 3), ("eager", 3, 3)])
def test_a_campaign_has_no_dead_end_and_adds_up(campaign: State, player: str, seed: int, innings: int) -> None:
    seen = played(campaign, player, seed, innings)
    assert seen["move"] > 20 * innings
    if player == "eager":
        assert min(seen[what] for what in ("attack", "retreat", "remove", "shaken")) > 0


def test_an_eager_campaign_has_fights_and_sieges_to_its_end(campaign: State) -> None:
    seen = played(campaign, "eager", 4, 12)
    assert outcome(campaign) is not None
    expected = ("attack", "retreat", "pursuit", "besiege", "siege-check", "assault", "organise", "recover", "lifted")
    assert {what: seen[what] > 0 for what in expected} == dict.fromkeys(expected, True)


def test_a_small_campaign_is_looked_at_in_each_question(field: Field) -> None:
    castles = {"gifu": "0105 kobe 1", "sone": "0110 inaba 1"}
    ours = {"hb-01 hb-04 hb-06 hb-07 hb-08": "0105 besieging", "hb-02 hb-09 hb-10": "0106"}
    theirs = {"tk-01 tk-02": "0108", "sb-01 sb-02 sb-03 sb-04": "0112"}
    s = field(". " * 20 + "\n" + " ." * 20, {**ours, **theirs}, castles=castles, turn=11)
    s.phase = FIRST
    seen = played(s, "any answer", 3, 12, every=1)
    assert outcome(s) is not None
    assert min(seen["attack"], seen["siege-check"]) > 0
