"""Random play for the tests of any rules: a game that choosers play, neighbours of legal orders, equal copies."""

from __future__ import annotations

import json
import os
import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from heapq import heappop, heappush
from types import ModuleType
from typing import Any, NamedTuple

import pytest
from matches import Chooser, scenario_of

from pbem.errors import IllegalAnswer
from pbem.maps.hexes import Hex
from pbem.match.chances import chance_answer
from pbem.match.game import Game
from pbem.rules import Board, State, rules_of
from pbem.rules.kit.reach import Near
from pbem.rules.requests import Choose, Order, Tell

MORE = int(os.environ.get("PBEM_RANDOM_GAMES", "1"))
"""How many times as many random games are played as in an ordinary run of the tests."""

NewGame = Callable[[Callable[[Tell], None] | None], Game]
"""Makes a game before its first decision."""


def sampled(state: State, request: Choose, chance: random.Random) -> Order:
    """What the rules themselves draw at random."""
    return request.sample(chance)


class Play:
    """A game played to its end, one answer at a time; `told` holds everything it told.

    `most` bounds the number of answers; `hear` listens, too.
    """

    def __init__(
        self,
        new_game: NewGame,
        choosers: Mapping[str, Chooser],
        chance: random.Random,
        most: int,
        hear: Callable[[Tell], None] | None = None,
    ) -> None:
        self.told: list[Tell] = []
        self.chance, self.choosers, self.most, self.hear = chance, choosers, most, hear
        self.answers: list[Any] = []
        self.last: tuple[int, int, str, str, Order] | None = None
        """The newest decision: turn, phase, side, kind, order."""
        self.game = new_game(self._hear)

    def _hear(self, tell: Tell) -> None:
        if self.hear is not None:
            self.hear(tell)
        self.told.append(tell)

    def nodes(self) -> Iterator[Game]:
        """The game before each answer, and once more when it is over."""
        while (request := self.game.request) is not None:
            yield self.game
            if isinstance(request, Choose):
                answer = self.choosers[request.side](self.game.state, request, self.chance)
                assert request.why_not(answer) is None, words_of(self.game, answer)
                self.last = (*moment(self.game, request), answer)
            else:
                answer = chance_answer(request, self.chance)
            self.answers.append(answer)
            self.game.apply(answer)
            assert len(self.answers) < self.most
        yield self.game


class RandomGame(NamedTuple):
    """A play, what makes its game anew, and a check of what must hold between any two answers."""

    play: Play
    new_game: NewGame
    check: Callable[[Game], None]


@cache
def board_of(scenario_id: str) -> Board:
    """The board of a scenario, made once."""
    scenario = scenario_of(scenario_id)
    return rules_of(scenario.system).board(scenario.data)


def random_game(adapter: ModuleType, scenario: str, players: str, seed: int) -> RandomGame:
    """A game of the adapter's players, before its first decision, with its watch."""
    board, given = board_of(scenario), scenario_of(scenario)
    options = adapter.options_for(board, seed)
    watch = adapter.Watch(board, options)

    def new_game(hear: Callable[[Tell], None] | None = None) -> Game:
        if hasattr(adapter, "begun"):
            game: Game = adapter.begun(board, options, players, hear)
            return game
        return Game.new(rules_of(given.system), board, options, hear)

    sides = [side["id"] for side in given.data["scenario"]["sides"]]
    choosers = dict(zip(sides, map(adapter.player, adapter.PLAYERS[players][:2]), strict=True))
    most = board.turns * adapter.ACTS * len(board.units) + 100
    play = Play(new_game, choosers, random.Random(f"{scenario} {players} {seed}"), most, watch.hear)
    return RandomGame(play, new_game, watch.check)


def check_counters(s: State, *off: Iterable[str], alone: bool = True) -> None:
    """Every counter is once on the map or among those off it, `alone` in its hex; who stands where is said alike."""
    b, found = s.board, Counter([*s.at, *(unit for units in off for unit in units)])
    assert found == Counter(list(b.units)), "a counter is lost or there twice"
    assert all(s.at[u] == h for units in s.stands.values() for h, u in units.items())
    assert all(b.units[u].side == side for side, units in s.stands.items() for u in units.values())
    if alone:
        assert sum(map(len, s.stands.values())) == len(s.at) == len(set(s.at.values())), "two units in one hex"


def moment(game: Game, request: Choose) -> tuple[int, int, str, str]:
    """When a decision is asked, of whom, and what for."""
    return game.state.turn, game.state.phase, request.side, request.kind


def words_of(game: Game, order: Order) -> str:
    """An order in its words."""
    return " ".join(game.rules.order_words(game.board, order))


def far_from(
    goals: Iterable[Hex], hexes: Iterable[Hex], near: Near, price: Callable[[Hex, Hex], int | None]
) -> dict[Hex, int]:
    """Points from every hex to the nearest goal, by what a step costs from one hex to the next; else very many."""
    found: dict[Hex, int] = {}
    queue = [(0, goal) for goal in goals]
    while queue:
        cost, here = heappop(queue)
        if here in found:
            continue
        found[here] = cost
        for h in near[here]:
            points = price(h, here)
            if points is not None:
                heappush(queue, (cost + points, h))
    return {h: found.get(h, 9999) for h in hexes}


# --- options and neighbours of legal orders ------------------------------------------------------------------------


def check_options(game: Game, request: Choose) -> None:
    """Every option is accepted by the check, none is listed twice, and each survives its words."""
    options = list(request.options())
    assert len(set(options)) == len(options)
    for order in options:
        assert request.why_not(order) is None, words_of(game, order)
        words = game.rules.order_words(game.board, order)
        assert game.rules.read_order(game.board, request.side, words) == order


def mutants(order: Order, board: Any, near: Callable[[Hex], Sequence[Hex]], chance: random.Random) -> Iterator[Order]:
    """Orders that differ in one thing: another unit, the enemy's, a hex off by one, a word more or less."""
    units = board.units
    for name in order._fields:
        value = getattr(order, name)
        if name in ("unit", "target"):
            side = units[value].side
            for some in (board.of_side[side], board.of_side[board.enemy[side]]):
                yield order._replace(**{name: chance.choice(some)})
        elif name == "at":
            yield order._replace(at=chance.choice(near(value)))
        elif name == "path" and value:
            off = chance.choice(near(value[-1]))
            for path in ((*value[:-1], off), (*value, off), value[1:], value[::-1], (), (value[-1], *value)):
                yield order._replace(path=path)
        elif name == "support":
            other = chance.choice(list(units))
            for support in ((*value, other), (*value, order.unit), (*value, *value), value[1:]):
                yield order._replace(support=support)
        elif name == "how":
            yield order._replace(how="march" if value == "move" else "move")
        elif isinstance(value, bool):
            yield order._replace(**{name: not value})


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


# --- copies --------------------------------------------------------------------------------------------------------


def face(game: Game) -> tuple[Any, ...]:
    """All that a caller can see of a game."""
    request = game.request
    if isinstance(request, Choose):
        seen: tuple[Any, ...] = (request.side, request.kind, request.clause, request.prompt, request.about,
                                 list(request.options()))  # fmt: skip
    else:
        seen = (request,)
    return (game.dump(), seen, game.outcome, game.rules.situation(game.state))


def replayed(new_game: NewGame, answers: Sequence[Any]) -> Game:
    game = new_game(None)
    for answer in answers:
        game.apply(answer)
    return game


def check_copies(game: Game, replay: Callable[[], Game]) -> None:
    """A fork, the stored game and one played again from its answers are equal to the original."""
    seen = face(game)
    stored = json.loads(json.dumps(game.dump()))
    assert face(game.fork()) == seen
    assert face(Game.load(game.rules, game.board, stored)) == seen
    assert face(replay()) == seen
    assert game.dump() == seen[0], "copying changed the original"
