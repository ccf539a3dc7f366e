"""Random play of Toba-Fushimi: nothing crashes, every answer offered is legal, what is near it is judged the same way
by check and engine, copies are equal, and the counters, hexes and markers add up at every step."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import fields, replace
from typing import Any

import pytest
from whole_games import (
    ENTRY_HEX,
    Chooser,
    answers_of,
    at_random,
    board,
    bold,
    guard,
    new_game,
    options_of,
    rules,
    text_of,
)

from pbem.draft import chance_answer
from pbem.errors import IllegalAnswer
from pbem.game import Game
from pbem.requests import Choose, Draw, Order, Roll, Tell
from pbem.rules import State
from pbem.rules.bakumatsu.orders import Done

MOST_ANSWERS = 2500
KINDS = {"setup", "move", "fire", "melee", "retreat"}


def sampled(state: State, request: Choose, chance: random.Random) -> Order:
    """What the rules themselves draw at random."""
    return request.sample(chance)


PLAYERS: dict[str, tuple[Chooser, Chooser]] = {
    "sampled": (sampled, sampled),
    "any option": (at_random, at_random),
    "bold": (bold("1122"), bold("1209")),
    "run for the entry": (guard(ENTRY_HEX), bold(ENTRY_HEX)),
}
GAMES = [(name, seed) for name, count in zip(PLAYERS, (20, 6, 6, 6), strict=True) for seed in range(count)]


class Play:
    """A game played to its end, one answer at a time; `told` holds everything it told."""

    def __init__(self, players: str, seed: int) -> None:
        self.told: list[Tell] = []
        self.chance = random.Random(f"{players} {seed}")
        self.choosers = dict(zip(("shogunate", "satcho"), PLAYERS[players], strict=True))
        self.answers: list[Any] = []
        self.last: tuple[int, int, str, str, Order] | None = None
        """The newest decision: turn, phase, side, kind, order."""
        self.game = new_game()
        self.game.hear = self._hear

    def _hear(self, tell: Tell) -> None:
        if tell.what == "phase":
            assert not self.game.state.done, "a marker outlived its phase"
        self.told.append(tell)

    def nodes(self) -> Iterator[Game]:
        """The game before each answer, and once more when it is over."""
        while (request := self.game.request) is not None:
            yield self.game
            if isinstance(request, Choose):
                answer = self.choosers[request.side](self.game.state, request, self.chance)
                assert request.why_not(answer) is None, text_of(answer)
                self.last = (*moment(self.game, request), answer)
            else:
                answer = chance_answer(request, self.chance)
            self.answers.append(answer)
            self.game.apply(answer)
            assert len(self.answers) < MOST_ANSWERS
        yield self.game


def moment(game: Game, request: Choose) -> tuple[int, int, str, str]:
    """When a decision is asked, of whom, and what for."""
    return game.state.turn, game.state.phase, request.side, request.kind


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
    play, clock = Play(players, seed), (1, 0)
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


def check_options(game: Game, request: Choose) -> None:
    """Every option is accepted by the check, none is listed twice, and each survives its words."""
    options = list(request.options())
    assert len(set(options)) == len(options)
    for order in options:
        assert request.why_not(order) is None, text_of(order)
        words = rules().order_words(board(), order)
        assert rules().read_order(board(), request.side, words) == order


# --- neighbours of legal orders ------------------------------------------------------------------------------------


def mutants(order: Order, chance: random.Random) -> Iterator[Order]:
    """Orders that differ in one thing: another unit, the enemy's, a hex off by one, a word more or less."""
    units, near = board().units, board().map.neighbours
    for field in fields(order):
        value = getattr(order, field.name)
        if field.name in ("unit", "target"):
            side = units[value].side
            for some in (board().of_side[side], board().of_side[board().enemy[side]]):
                yield replace(order, **{field.name: chance.choice(some)})
        elif field.name == "at":
            yield replace(order, at=chance.choice(near[value]))
        elif field.name == "path" and value:
            off = chance.choice(near[value[-1]])
            for path in ((*value[:-1], off), (*value, off), value[1:], value[::-1], (), (value[-1], *value)):
                yield replace(order, path=path)
        elif field.name == "support":
            other = chance.choice(list(units))
            for support in ((*value, other), (*value, order.unit), (*value, *value), value[1:]):
                yield replace(order, support=support)
        elif field.name == "how":
            yield replace(order, how="march" if value == "move" else "move")
        elif field.name == "advance":
            yield replace(order, advance=not value)


def test_what_is_near_a_legal_order_is_judged_alike_by_check_and_engine() -> None:
    judged: Counter[tuple[str, bool]] = Counter()
    for players, seed in (("sampled", 101), ("any option", 102), ("bold", 103), ("bold", 104)):
        play = Play(players, seed)
        for game in play.nodes():
            request = game.request
            if not isinstance(request, Choose) or (play.chance.randrange(3) and request.kind != "retreat"):
                continue
            for mutant in mutants(play.chance.choice(options_of(request)), play.chance):
                judged[request.kind, judge(game, request, mutant)] += 1
    assert min(judged[kind, legal] for kind in KINDS for legal in (False, True)) >= 5, judged


def judge(game: Game, request: Choose, order: Order) -> bool:
    """Whether an order is legal: by the check, and by what the engine does with it."""
    refusal, twin = request.why_not(order), game.fork()
    if refusal is None:
        twin.apply(order)
        return True
    assert refusal.clause
    assert refusal.reason
    before = twin.dump()
    with pytest.raises(IllegalAnswer) as caught:
        twin.apply(order)
    assert caught.value.clause == refusal.clause
    assert caught.value.what == refusal.reason
    assert twin.dump() == before
    return False


@pytest.mark.parametrize(("players", "seed"), [("sampled", 201), ("bold", 202)])
def test_nothing_can_be_done_twice(players: str, seed: int) -> None:
    """An order given once more in the same phase is refused: its unit is marked, or has gone."""
    play = Play(players, seed)
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


def face(game: Game) -> tuple[Any, ...]:
    """All that a caller can see of a game."""
    request = game.request
    if isinstance(request, Choose):
        seen: tuple[Any, ...] = (request.side, request.kind, request.clause, request.prompt, request.about,
                                 list(request.options()))  # fmt: skip
    else:
        seen = (request,)
    return (game.dump(), seen, game.outcome, rules().situation(game.state))


def replayed(answers: list[Any]) -> Game:
    game = new_game()
    for answer in answers:
        game.apply(answer)
    return game


@pytest.mark.parametrize(("players", "seed", "every"), [("sampled", 301, 1), ("bold", 302, 1), ("any option", 303, 23),
                                                        ("run for the entry", 304, 23)])  # fmt: skip
def test_fork_load_and_replay_are_equal_to_the_original(players: str, seed: int, every: int) -> None:
    play = Play(players, seed)
    for number, game in enumerate(play.nodes()):
        if number % every and game.request is not None:
            continue
        seen = face(game)
        stored = json.loads(json.dumps(game.dump()))
        assert face(game.fork()) == seen
        assert face(Game.load(rules(), board(), stored)) == seen
        assert face(replayed(play.answers)) == seen
        assert face(game) == seen, "copying changed the original"


def test_a_fork_goes_its_own_way() -> None:
    play = Play("bold", 401)
    for number, game in enumerate(play.nodes()):
        if number % 17 or game.request is None:
            continue
        before, twin = face(game), game.fork()
        for _ in range(5):
            if twin.request is not None:
                twin.apply(answers_of(twin.request, play.chance, sampled, twin.state))
        assert face(game) == before
        assert face(twin)[0] != before[0]
