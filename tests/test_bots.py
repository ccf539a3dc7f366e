"""Bots: legal orders for whatever is due, from whoever is due."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from toy.players import Duel

from pbem import bots
from pbem.bots import suggest
from pbem.draft import check
from pbem.errors import Refused

MakeDuel = Callable[..., Duel]


@pytest.mark.parametrize("number", range(4))
@pytest.mark.parametrize("reactions", ["standing", "ask"])
def test_a_bot_plays_a_game_to_its_end_with_legal_orders(duel: MakeDuel, number: int, reactions: str) -> None:
    game = duel(number, "long", reactions=reactions)
    chance = random.Random(number)
    for _ in range(100):
        name = game.due()
        if name is None:
            break
        before = game.view(name).dump()
        words = suggest(game.view(name), name, "random", chance)
        assert game.view(name).dump() == before
        text = "".join(f"{' '.join(order)};\n" for order in words)
        assert check(game.view(name), name, text, chance, 0).errors == []
        game.play(name, text)
    assert game.table.game.outcome is not None


def test_a_bot_is_the_same_for_the_same_chances(duel: MakeDuel) -> None:
    game = duel()
    first, again, other = (suggest(game.table, "anna", "random", random.Random(seed)) for seed in (1, 1, 2))
    assert first == again != other


def test_a_bot_has_nothing_to_say_to_a_reveal(duel: MakeDuel) -> None:
    game = duel()
    game.play("anna", "move scout rear;")
    assert suggest(game.view("ben"), "ben", "random", random.Random(1)) == []


def test_a_bot_answers_when_it_is_asked(until: MakeDuel) -> None:
    game = until(
        lambda g: g.play("anna", "hit lancer; hit levy-1; done;") and None,
        lambda g: g.tables["ben"].due().what == "react",
        reactions="ask",
    )
    found = {tuple(suggest(game.view("ben"), "ben", "random", random.Random(seed))[0]) for seed in range(20)}
    assert found <= {(word, unit) for word in ("flee", "stand") for unit in ("lancer", "levy-1")}
    assert len(found) == 2


def test_a_bot_leaves_the_phase_open_after_its_most_orders(duel: MakeDuel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bots, "MOST_ORDERS", 1)
    game = duel()
    assert {len(suggest(game.table, "anna", "random", random.Random(seed))) for seed in range(20)} == {1}


def test_unknown_bots_and_players_who_are_not_due_are_refused(duel: MakeDuel) -> None:
    game = duel()
    with pytest.raises(Refused, match=r"no bot is called clever.*random"):
        suggest(game.table, "anna", "clever", random.Random(1))
    with pytest.raises(Refused, match="nothing is due from ben; orders of anna are due"):
        suggest(game.table, "ben", "random", random.Random(1))
    for name in ("anna", "ben", "anna", "ben"):
        game.play(name, "done;")
    with pytest.raises(Refused, match="the game is over"):
        suggest(game.table, "anna", "random", random.Random(1))
