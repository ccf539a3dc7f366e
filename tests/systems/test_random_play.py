"""Random play of Toba-Fushimi: nothing crashes, every answer offered is legal, what is near it is judged the same way
by check and engine, copies are equal, and the counters, hexes and markers add up at every step."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from matches import Chooser
from random_play import Play, check_copies, check_options, face, judge, moment, mutants, replayed, sampled
from whole_games import (
    ENTRY_HEX,
    answers_of,
    at_random,
    board,
    bold,
    guard,
    new_game,
    options_of,
    text_of,
)

from pbem.errors import IllegalAnswer
from pbem.rules import State
from pbem.rules.bakumatsu.orders import Done
from pbem.rules.requests import Choose, Draw, Roll, Tell

MOST_ANSWERS = 2500
KINDS = {"setup", "move", "fire", "melee", "retreat"}


PLAYERS: dict[str, tuple[Chooser, Chooser]] = {
    "sampled": (sampled, sampled),
    "any option": (at_random, at_random),
    "bold": (bold("1122"), bold("1209")),
    "run for the entry": (guard(ENTRY_HEX), bold(ENTRY_HEX)),
}
GAMES = [(name, seed) for name, count in zip(PLAYERS, (20, 6, 6, 6), strict=True) for seed in range(count)]


def start(players: str, seed: int) -> Play:
    """A game of these players, before its first decision."""

    def hear(tell: Tell) -> None:
        if tell.what == "phase" and begun:
            assert not begun[0].game.state.done, "a marker outlived its phase"

    begun: list[Play] = []
    choosers = dict(zip(("shogunate", "satcho"), PLAYERS[players], strict=True))
    begun.append(Play(new_game, choosers, random.Random(f"{players} {seed}"), MOST_ANSWERS, hear))
    return begun[0]


# --- invariants ----------------------------------------------------------------------------------------------------


def check_invariants(s: State, told: list[Tell]) -> None:
    """What holds between any two answers."""
    b = board()
    assert len(set(s.at.values())) == len(s.at), "two units in one hex"  # 3-1(0)a
    assert {h: u for units in s.stands.values() for h, u in units.items()} == {h: u for u, h in s.at.items()}
    assert all(b.units[u].side == side for side, units in s.stands.items() for u in units.values())
    waiting = [u for units in s.cups.values() for u in units]
    received = [u for units in s.received.values() for u in units]
    unplaced = [u for u in b.units if b.units[u].code != "R" and u not in s.at and u not in s.removed]
    everywhere = Counter([*s.at, *waiting, *received, *s.removed, *unplaced])
    assert everywhere == Counter(list(b.units)), "a counter is lost or there twice"
    assert everywhere.total() == 50
    assert not unplaced or s.phase == 0
    assert Counter(t.facts["unit"] for t in told if t.what == "remove") == Counter(list(s.removed))
    assert s.disordered <= s.at.keys()
    assert len(s.control) == 13
    assert set(s.control.values()) <= {"shogunate", "satcho"}
    assert all(s.control[h] == b.units[u].side for u, h in s.at.items() if h in s.control), "it stands there unnoticed"
    assert 1 <= s.turn <= 8
    assert 0 <= s.phase <= 6


def check_markers(s: State) -> None:
    """Markers lie on units of the phase's side only."""
    if s.phase:
        side = board().sides[(0, 0, 1, 0, 1, 0, 1)[s.phase]].id
        assert all(board().units[u].side == side for u in s.done)


@pytest.mark.parametrize(("players", "seed"), GAMES)
def test_a_random_game_runs_to_its_end(players: str, seed: int) -> None:
    play, clock = start(players, seed), (1, 0)
    for number, game in enumerate(play.nodes()):
        check_invariants(game.state, play.told)
        check_markers(game.state)
        now = (game.state.turn, game.state.phase)
        assert now >= clock, "the sequence of play runs backwards"
        clock = now
        request = game.request
        if isinstance(request, Choose):
            assert request.kind in KINDS
            assert request.clause
            assert next(iter(request.options()), None) is not None, "a dead end"
            assert request.why_not(request.sample(play.chance)) is None
            if number % 11 == seed % 11:
                check_options(game, request)
        elif request is not None:
            assert isinstance(request, Roll | Draw)
    outcome = play.game.outcome
    assert outcome is not None
    if outcome.clause == "14(4)2":
        assert clock == (8, 6)
        assert list(play.game.state.control.values()).count(outcome.winner) >= 7
    else:
        assert outcome[:2] == ("satcho", "14(4)1")
        assert board().map.parse(ENTRY_HEX) in play.game.state.stands["satcho"]
    assert [t.what for t in play.told].count("end") == 1
    assert play.told[-1].what == "end"
    with pytest.raises(IllegalAnswer):
        play.game.apply(Done())


# --- neighbours of legal orders ------------------------------------------------------------------------------------


def test_what_is_near_a_legal_order_is_judged_alike_by_check_and_engine() -> None:
    judged: Counter[tuple[str, bool]] = Counter()
    near = board().map.neighbours.__getitem__
    for players, seed in (("sampled", 101), ("any option", 102), ("bold", 103), ("bold", 104)):
        play = start(players, seed)
        for game in play.nodes():
            request = game.request
            if not isinstance(request, Choose) or (play.chance.randrange(3) and request.kind != "retreat"):
                continue
            for mutant in mutants(play.chance.choice(options_of(request)), board(), near, play.chance):
                judged[request.kind, judge(game, request, mutant)] += 1
    assert min(judged[kind, legal] for kind in KINDS for legal in (False, True)) >= 5, judged


@pytest.mark.parametrize(("players", "seed"), [("sampled", 201), ("bold", 202)])
def test_nothing_can_be_done_twice(players: str, seed: int) -> None:
    """An order given once more in the same phase is refused: its unit is marked, or has gone."""
    play = start(players, seed)
    kinds: Counter[str] = Counter()
    for game in play.nodes():
        request = game.request
        if not isinstance(request, Choose) or play.last is None or play.last[:4] != moment(game, request):
            continue
        order = play.last[4]
        refusal = request.why_not(order)
        assert refusal is not None, text_of(order)
        assert refusal.clause in ("6(3)", "9-1(4)a", "10-1(5)a", "15-1-4(0)", "13-2(1)", "11(0)"), refusal
        kinds[request.kind] += 1
    assert {"setup", "move", "fire"} <= set(kinds)


# --- copies --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "seed", "every"), [("sampled", 301, 1), ("bold", 302, 1), ("any option", 303, 23),
                                                        ("run for the entry", 304, 23)])  # fmt: skip
def test_fork_load_and_replay_are_equal_to_the_original(players: str, seed: int, every: int) -> None:
    play = start(players, seed)
    for number, game in enumerate(play.nodes()):
        if number % every and game.request is not None:
            continue
        check_copies(game, lambda: replayed(new_game, play.answers))


def test_a_fork_goes_its_own_way() -> None:
    play = start("bold", 401)
    for number, game in enumerate(play.nodes()):
        if number % 17 or game.request is None:
            continue
        before, twin = face(game), game.fork()
        for _ in range(5):
            if twin.request is not None:
                twin.apply(answers_of(twin.request, play.chance, sampled, twin.state))
        assert face(game) == before
        assert face(twin)[0] != before[0]
