"""Game: one pending request at a time; a fork, a dump and a replay of the answers are the same game at every point."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
import toy
from toy.players import any_answer, new_game
from toy.reading import ToyOrder

from pbem.errors import BadLog, IllegalAnswer
from pbem.match.game import Game
from pbem.rules.requests import Answer, Choose, Draw, Roll, Tell


def order(*words: str) -> ToyOrder:
    return ToyOrder(words)


def heard_game() -> tuple[Game, list[Tell]]:
    heard: list[Tell] = []
    plain = new_game()
    return Game.new(toy, plain.board, {"length": "short"}, heard.append), heard


def hit(game: Game) -> Game:
    """Carry a game to the question that a hit at the lancer asks."""
    game.apply(order("hit", "lancer"))
    game.apply((3, 4))
    return game


def test_new_game_asks_the_first_decision() -> None:
    game = new_game()
    assert isinstance(game.request, Choose)
    assert (game.request.side, game.request.kind) == ("red", "act")
    assert game.outcome is None


def test_an_order_leads_to_its_roll_and_the_roll_to_the_next_decision() -> None:
    game = new_game()
    game.apply(order("bet", "2"))
    assert game.request == Roll("bet", 1, 6)
    game.apply((4,))
    assert game.state.points == {"red": 5, "blue": 3}
    assert isinstance(game.request, Choose)


def test_a_reaction_is_asked_in_the_middle_and_dice_follow() -> None:
    game = hit(new_game())
    assert isinstance(game.request, Choose)
    assert (game.request.side, game.request.reaction, game.request.about) == ("blue", True, ("lancer",))
    game.apply(order("flee", "lancer"))
    assert game.request == Roll("flee/lancer", 1, 6)
    game.apply([1])
    assert "lancer" not in game.state.at


def test_a_draw_takes_counters_out_of_the_cup() -> None:
    game = new_game()
    game.apply(order("pull", "2"))
    assert isinstance(game.request, Draw)
    assert game.request.cup == ("dud", "dud", "gold", "gold", "gold", "star")
    game.apply(("star", "dud"))
    assert game.state.points["red"] == 5
    assert sorted(game.state.cup) == ["dud", "gold", "gold", "gold"]


@pytest.mark.parametrize(
    ("words", "clause"),
    [(("bet", "3"), "T2"), (("hit", "scout"), "T5"), (("move", "lancer", "rear"), "T4"), (("flee", "scout"), "T5")],
)
def test_an_illegal_order_names_its_clause_and_changes_nothing(words: tuple[str, ...], clause: str) -> None:
    game = new_game()
    game.apply(order("bet", "2"))
    game.apply((1,))
    before, request = game.dump(), game.request
    with pytest.raises(IllegalAnswer) as refused:
        game.apply(order(*words))
    assert refused.value.clause == clause
    assert game.dump() == before
    assert game.request is request
    game.apply(order("bet", "1"))  # its legal twin
    assert game.request == Roll("bet", 1, 6)


@pytest.mark.parametrize(
    "answer", [(3,), (3, 4, 5), (0, 4), (7, 1), (3.0, 4), (True, 4), ("3", "4"), 7, None, "34", order("rest")]
)
def test_dice_that_cannot_fall_are_refused(answer: Answer) -> None:
    game = new_game()
    game.apply(order("hit", "lancer"))
    before = game.dump()
    with pytest.raises(IllegalAnswer, match="not a roll"):
        game.apply(answer)
    assert game.dump() == before
    game.apply((6, 1))
    assert isinstance(game.request, Choose)


@pytest.mark.parametrize(
    "answer", [("star",), ("star", "star"), ("gold", "pearl"), ("gold", "gold", "gold"), (1, 2), ([], "dud"), None]
)
def test_counters_that_are_not_in_the_cup_are_refused(answer: Answer) -> None:
    game = new_game()
    game.apply(order("pull", "2"))
    before = game.dump()
    with pytest.raises(IllegalAnswer, match="not a draw"):
        game.apply(answer)
    assert game.dump() == before
    game.apply(("gold", "gold"))
    assert game.state.points["red"] == 5


def test_the_end_asks_nothing_and_takes_nothing() -> None:
    game = new_game()
    game.apply(order("bet", "3"))
    assert game.outcome is None
    game.apply((1,))
    assert game.request is None
    assert game.outcome is not None
    assert (game.outcome.winner, game.outcome.clause) == ("blue", "T7")
    over = game.dump()
    with pytest.raises(IllegalAnswer, match="over"):
        game.apply(order("rest"))
    assert game.fork().dump() == over == Game.load(toy, game.board, over).dump()
    assert game.fork().outcome == game.outcome


def test_things_told_are_heard_once_and_in_order() -> None:
    game, heard = heard_game()
    assert [(t.what, t.facts["phase"]) for t in heard] == [("phase", "red")]
    hit(game)
    game.apply(order("stand", "lancer"))
    game.apply((6, 6))
    assert [t.what for t in heard] == ["phase", "hit"]
    assert heard[-1].facts == {"unit": "lancer", "answer": "stand", "gone": True}


def test_running_again_is_silent() -> None:
    game, heard = heard_game()
    hit(game)
    before = list(heard)
    twin = game.fork()
    twin.apply(order("flee", "lancer"))
    twin.apply((1,))
    assert heard == before
    again: list[Tell] = []
    loaded = Game.load(toy, game.board, game.dump(), again.append)
    assert again == []
    loaded.apply(order("flee", "lancer"))
    loaded.apply((1,))
    assert [t.what for t in again] == ["hit"]


def test_a_fork_goes_its_own_way() -> None:
    game = hit(new_game())
    before = game.dump()
    twin = game.fork()
    twin.apply(order("flee", "lancer"))
    twin.apply((2,))
    assert game.dump() == before
    assert game.state.at["lancer"] == "front"
    assert twin.state.at["lancer"] == "rear"


def test_a_dump_of_another_edition_is_refused() -> None:
    game = new_game()
    with pytest.raises(BadLog, match="toy/0"):
        Game.load(toy, game.board, game.dump() | {"edition": "toy/0"})


def same(request: object) -> object:
    """A request as data: the functions of a Choose are made anew each time."""
    if isinstance(request, Choose):
        return request.side, request.kind, request.prompt, request.reaction, list(request.options())
    return request


@pytest.mark.parametrize("seed", range(6))
def test_fork_load_and_replay_are_the_same_game_at_every_node(seed: int) -> None:
    chance = random.Random(seed)
    game = new_game(length="long")
    answers: list[Answer] = []
    in_the_middle = 0
    while game.request is not None:
        dump: dict[str, Any] = json.loads(json.dumps(game.dump()))
        replayed = new_game(length="long")
        for answer in answers:
            replayed.apply(answer)
        for other in (game.fork(), Game.load(toy, game.board, dump), replayed):
            assert other.dump() == game.dump() == dump
            assert toy.dump(other.state) == toy.dump(game.state)
            assert same(other.request) == same(game.request)
        in_the_middle += bool(dump["answers"])
        answers.append(any_answer(game.request, chance))
        forked = game.fork()
        forked.apply(answers[-1])
        game.apply(answers[-1])
        assert forked.dump() == game.dump()
    assert in_the_middle > 0
    assert game.outcome is not None
