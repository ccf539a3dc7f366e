"""The package as the engine asks it: all that `Rules` has, and a campaign of the computer player begun."""

from __future__ import annotations

from random import Random

import pytest

from pbem.match.game import Game
from pbem.rules import Rules, sengoku
from pbem.rules.requests import Choose, Roll
from pbem.rules.sengoku.board import Board, Unit
from pbem.rules.sengoku.orders import Declare, Recover
from pbem.rules.sengoku.state import State


def test_the_package_offers_all_that_the_engine_asks() -> None:
    asked = {name for name in dir(Rules) if not name.startswith("_")} | Rules.__annotations__.keys()
    assert asked == {*sengoku.__all__}
    assert all(hasattr(sengoku, name) for name in asked)


@pytest.mark.clause("2-1-3", "28-1-1")
def test_a_campaign_is_begun_with_its_form_situation_and_words(shizugatake: Board) -> None:
    chance, game, forms = Random(4), Game.new(sengoku, shizugatake, {}), 0
    while game.request is not None and game.state.turn < 2:
        request = game.request
        if isinstance(request, Choose):
            order = sengoku.advise(game.state, request, chance)
            assert sengoku.read_order(game.board, request.side, sengoku.order_words(game.board, order)) == order
            if forms < 6 and not request.reaction and not game.state.acted:
                forms += 1
                told = sengoku.situation(game.state)
                assert (told["turn"], told["phase"]["id"]) == sengoku.clock(game.state)
                assert {"hashiba", "anti-hashiba", None} == {
                    item["side"] for item in told["progress"]
                }  # None: the lead
                for entry in sengoku.form(game.state, request):
                    orders = [sengoku.read_order(game.board, request.side, words) for words, _ in entry.orders]
                    step = request.ends.step if request.ends is not None else 9
                    assert all(request.why_not(one) is None or sengoku.step(one) > step for one in orders)
            game.apply(order)
        else:
            assert isinstance(request, Roll)
            assert request.label.split("/")[0] in sengoku.GOOD
            game.apply(tuple(chance.randrange(request.sides) + 1 for _ in range(request.dice)))
    assert (game.state.turn, forms) == (2, 6)
    assert sengoku.dump(sengoku.load(game.board, sengoku.dump(game.state))) == sengoku.dump(game.state)


@pytest.mark.parametrize(
    ("label", "side", "worst"),
    [
        ("attack/1623", "hashiba", 1), ("attack/1623", "anti-hashiba", 6), ("counterattack/1623", "hashiba", 6),
        ("interception/5313", "hashiba", 6), ("assault/5313", "hashiba", 1), ("call/5313", "hashiba", 1),
        ("siege/1623", "hashiba", 1), ("siege/5313", "hashiba", 6), ("incident/1623", "hashiba", 1),
        ("fall/5313", "hashiba", 1), ("fall/1623", "hashiba", 6), ("begin/mori", "hashiba", 6),
        ("thaw/shibata", "anti-hashiba", 1), ("battle/sb-01", "hashiba", 6), ("flight/hb-01", "hashiba", 6),
        ("recovery/hb-01", "hashiba", 6), ("replenishment/hb-01", "hashiba", 1),
    ],
)  # fmt: skip
def test_the_worst_die_is_low_or_high_by_whose_it_is(campaign: State, label: str, side: str, worst: int) -> None:
    s = campaign
    s.phase, s.stage = 4, 1  # the Hashiba's
    assert sengoku.clock(s) == (1, "hashiba-stage-1")
    assert sengoku.worst(s, Roll(label, dice=1), side) == (worst,)


def test_in_the_last_inning_any_order_may_end_the_campaign(campaign: State) -> None:
    s = campaign
    s.turn = 11
    assert not sengoku.decisive(s, Recover("hb-01"))
    s.turn = 12
    assert sengoku.decisive(s, Declare("kobe"))
    assert sengoku.remainder(s, "hashiba", Recover("hb-01")) is None


def test_the_map_is_that_of_kinai_and_the_best_style_comes_first(shizugatake: Board) -> None:
    assert [*sengoku.maps(shizugatake)] == ["kinai"]
    start = sengoku.start(shizugatake, {})
    assert sengoku.styles(start, "hashiba")[0] == sengoku.styles(start, "anti-hashiba")[0]
    assert sengoku.toward(shizugatake, "hashiba", ("move", "hb-01", "to", "1622")).path


@pytest.mark.clause("2-2-1(7)")
def test_how_many_men_a_unit_stands_for_is_counted_nowhere() -> None:
    values = {"rank", "front", "back", "modifier", "power", "boxes"}
    assert {*Unit._fields} == {"id", "side", "army", "name", "short", *values}
