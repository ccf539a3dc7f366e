"""Random play of every system: nothing crashes, no game gets stuck, every answer offered is legal, what is near it is
judged the same way by check and engine, copies are equal, and what the system's adapter asks adds up at every step."""

from __future__ import annotations

from collections import Counter
from itertools import product
from typing import Any

import pytest

from pbem.errors import IllegalAnswer
from pbem.match.chances import chance_answer
from pbem.match.course import SPENT
from pbem.match.game import Game
from pbem.rules.requests import Choose, Draw, Roll
from systems import random_play
from systems.adapters import ALL
from systems.random_play import (
    MORE,
    RandomGame,
    check_copies,
    check_options,
    face,
    judge,
    moment,
    replayed,
    sampled,
    words_of,
)


def random_game(system: str, scenario: str, players: str, seed: int) -> RandomGame:
    return random_play.random_game(ALL[system], scenario, players, seed)


def listed(name: str) -> list[tuple[Any, ...]]:
    """The games of a list of each adapter, each with its system."""
    return [(system, *game) for system, adapter in ALL.items() for game in getattr(adapter, name)]


EVERY_SYSTEM = pytest.mark.parametrize("system", ALL)


RANDOM_GAMES = [
    (system, scenario, players, seed)
    for system, adapter in ALL.items()
    for scenario, (players, (*_, count)) in product(adapter.SCENARIOS, adapter.PLAYERS.items())
    for seed in range(min(count, getattr(adapter, "FEW", {}).get(scenario, count)) * MORE)
]


@pytest.mark.parametrize(("system", "scenario", "players", "seed"), RANDOM_GAMES)
def test_a_random_game_runs_to_its_end(system: str, scenario: str, players: str, seed: int) -> None:
    adapter, (play, _, check) = ALL[system], random_game(system, scenario, players, seed)
    clock = (1, 0)
    for number, game in enumerate(play.nodes()):
        check(game)
        turn, phase = game.rules.clock(game.state)
        now = (turn, list(adapter.PHASES).index(phase))
        assert now >= clock, "the sequence of play runs backwards"
        clock = now
        request = game.request
        if isinstance(request, Choose):
            assert request.kind in adapter.KINDS
            assert request.clause
            assert next(iter(request.options()), None) is not None, "a dead end"
            assert request.why_not(request.sample(play.chance)) is None
            if adapter.looks_closely(request, number + seed):
                check_options(game, request)
        elif request is not None:
            assert isinstance(request, Roll | Draw)
    assert play.game.outcome is not None
    assert play.game.outcome.reason
    if "end" in adapter.EVENTS:
        assert [t.what for t in play.told].count("end") == 1
        assert play.told[-1].what == "end"
    game = play.game
    adapter.check_end(game.state, game.outcome)
    side = next(iter(game.board.enemy))
    with pytest.raises(IllegalAnswer):
        game.apply(game.rules.read_order(game.board, side, (game.rules.CLOSING,)))


@EVERY_SYSTEM
def test_the_games_show_every_kind_of_request_and_event(system: str) -> None:
    kinds, events = set[str](), set[str]()
    for game in ALL[system].SHOWING:
        play = random_game(system, *game).play
        kinds |= {node.request.kind for node in play.nodes() if isinstance(node.request, Choose)}
        events |= {tell.what for tell in play.told}
    assert kinds == ALL[system].KINDS
    assert events >= ALL[system].EVENTS, ALL[system].EVENTS - events


@EVERY_SYSTEM
def test_what_is_near_a_legal_order_is_judged_alike_by_check_and_engine(system: str) -> None:
    adapter, judged = ALL[system], Counter[tuple[str, bool]]()
    for listed_game in adapter.NEAR:
        play = random_game(system, *listed_game).play
        for game in play.nodes():
            request = game.request
            if not isinstance(request, Choose) or play.chance.randrange(adapter.RARE.get(request.kind, 1)):
                continue
            for order in adapter.neighbours(adapter.legal_order(request, play.chance), game.board, play.chance):
                judged[request.kind, judge(game, request, order)] += 1
                left = game.rules.remainder(game.state, request.side, order)
                if left not in (None, SPENT):
                    refusal, rest = request.why_not(order), request.why_not(left[0])
                    # of what answers another question no part is an answer: it lapses whole
                    other = refusal is not None and refusal.reason.startswith("it doesn't answer the question")
                    assert rest == (refusal if other else None), (words_of(game, order), left)
    assert min(judged[kind, legal] for kind in adapter.KINDS - adapter.SELDOM for legal in (False, True)) >= 5, judged


@pytest.mark.parametrize(("system", "scenario", "players", "seed"), listed("AGAIN"))
def test_nothing_can_be_done_twice(system: str, scenario: str, players: str, seed: int) -> None:
    """An order given once more in the same phase is refused: its unit is marked, or has gone."""
    adapter, play = ALL[system], random_game(system, scenario, players, seed).play
    kinds, clauses = set[str](), set[str]()
    for game in play.nodes():
        request = game.request
        if not isinstance(request, Choose) or play.last is None or play.last[:4] != moment(game, request):
            continue
        order = play.last[4]
        if request.kind in adapter.REPEATABLE or words_of(game, order) == game.rules.CLOSING:
            continue
        refusal = request.why_not(order)
        assert refusal is not None, words_of(game, order)
        kinds.add(request.kind)
        clauses.add(refusal.clause)
    assert kinds >= adapter.REPEATED
    assert clauses <= adapter.REFUSED_AGAIN


# --- copies --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("system", "scenario", "players", "seed", "every"), listed("COPIES"))
def test_fork_load_and_replay_are_equal_to_the_original(
    system: str, scenario: str, players: str, seed: int, every: int
) -> None:
    """Each answer is put into words and read again on its way into the replayed game."""
    play, new_game, _ = random_game(system, scenario, players, seed)
    twin, given = new_game(None), 0

    def replay() -> Game:
        nonlocal given
        for answer in play.answers[given:]:
            twin.apply(reread(twin, answer))
        given = len(play.answers)
        return twin

    for number, game in enumerate(play.nodes()):
        inside = isinstance(game.request, Choose) and game.request.kind not in ALL[system].BETWEEN
        if number % every == 0 or inside or game.request is None:
            check_copies(game, replay)
    check_copies(play.game, lambda: replayed(new_game, play.answers))


def reread(game: Game, answer: Any) -> Any:
    if not isinstance(game.request, Choose):
        return answer
    return game.rules.read_order(game.board, game.request.side, game.rules.order_words(game.board, answer))


@EVERY_SYSTEM
def test_a_fork_goes_its_own_way(system: str) -> None:
    play = random_game(system, *ALL[system].SHOWING[-1]).play
    for number, game in enumerate(play.nodes()):
        if number % 17 or game.request is None:
            continue
        before, twin = face(game), game.fork()
        for _ in range(5):
            request = twin.request
            if isinstance(request, Choose):
                twin.apply(sampled(twin.state, request, play.chance))
            elif request is not None:
                twin.apply(chance_answer(request, play.chance))
        assert face(game) == before
        assert face(twin)[0] != before[0]


@EVERY_SYSTEM
def test_a_dump_has_what_the_rules_name_and_nothing_of_what_goes_on(system: str) -> None:
    """What most scenarios don't have is dumped where it isn't empty."""
    adapter, seen = ALL[system], set[str]()
    spare: set[str] = getattr(adapter, "SPARE", set())
    for showing in adapter.SHOWING:
        for game in random_game(system, *showing).play.nodes():
            found = game.rules.dump(game.state)
            assert found.keys() - spare == adapter.STATE
            assert {key for key in spare if getattr(game.state, key)} == found.keys() & spare
            seen |= found.keys()
    assert seen == adapter.STATE | spare
