"""The computer player of samurai: what each weight turns, whom it shoots at and attacks, where its daimyos stand."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

import pytest
from rules.samurai.small_table import state_with

from pbem.match.chances import chance_answer
from pbem.match.game import Game
from pbem.match.genesis import rules_and_board
from pbem.rules import samurai
from pbem.rules.requests import Choose
from pbem.rules.samurai import bot, leading, posting, setup
from pbem.rules.samurai.orders import Attack, Fire, Go, Move, SetUp
from pbem.rules.samurai.outlook import prospect
from pbem.rules.samurai.weights import BOLD, STYLES, Style
from pbem.scenario import load_scenario

NOTHING = Style(fear=0.0, shy=0.0, aim=0.0, press=0.0, face=0.0, close=0.0)
"""All weights off: only an attack in this turn counts."""

ON = NOTHING._replace(press=0.1, face=0.2)
"""On to the enemy, facing him."""


def move(units: Mapping[str, str], style: Style, **more: Any) -> Move | None:
    """The first move of Red's."""
    return posting.next_move(state_with(units, step="move", **more), "red", style)


def asked(units: Mapping[str, str], step: str) -> Any:
    """What the bot answers in a step of Red's turn."""
    game = Game(samurai, (s := state_with(units, step=step)).board, s)
    assert isinstance(game.request, Choose)
    assert game.request.kind == step
    return bot.advise(game.state, game.request, random.Random(1))


# --- weights ----------------------------------------------------------------------------------------------------------


def test_fear_keeps_a_unit_out_of_reach() -> None:
    units = {"ro-1": "36 12 north", "sp-11": "36 24 south"}
    bold, shy = (move(units, ON._replace(fear=fear)) for fear in (0.0, 1.0))
    assert bold is not None
    assert shy is not None
    assert bold.length == 700
    assert shy.length == 300  # of the 11 inches between them the spearmen come 7


def test_what_an_enemy_can_do_elsewhere_is_no_reason_to_stay_away() -> None:
    units = {"ro-1": "36 12 north", "sp-11": "36 24 south"}
    careful = ON._replace(fear=1.0)
    near = {**units, "sw-1": "33 18 north"}  # he can attack the swordsmen already, and would rather
    assert move({**near, "sw-1": "33 6 north"}, careful) != (found := move(near, careful))
    state = state_with(near, step="move")
    state.moved = {"sw-1": "done"}
    assert posting.next_move(state, "red", careful) == Move("ro-1", 700)
    assert found is not None


def test_shy_keeps_a_unit_out_of_fire() -> None:
    units = {"sp-1": "36 9 north", "bw-11": "36 28 south"}
    bold, shy = (move(units, ON._replace(shy=shy)) for shy in (0.0, 1.0))
    assert bold == Move("sp-1", 700)
    assert shy == Move("sp-1", 600)  # the bowmen see as far as 15.5, the middle of the spearmen comes to 15


def test_aim_brings_shooters_into_range() -> None:
    units = {"bw-1": "36 9 north", "sp-11": "36 25 south"}
    assert move(units, NOTHING) is None
    found = move(units, NOTHING._replace(aim=1.0))
    assert found is not None
    assert found.length >= 350


def test_press_brings_a_unit_nearer() -> None:
    units = {"sp-1": "36 9 north", "sp-11": "36 28 south"}
    assert move(units, NOTHING) is None
    assert move(units, ON) == Move("sp-1", 700)


def test_face_turns_a_unit_to_the_enemy() -> None:
    units = {"sp-1": "36 9 east", "sp-11": "36 28 south"}
    assert move(units, NOTHING) is None
    found = move(units, NOTHING._replace(face=0.1))
    assert found is not None
    assert "left" in (found.first, found.last)


def test_close_keeps_a_unit_with_its_friends() -> None:
    units = {"sp-1": "36 12 north", "sp-2": "32 7 north", "ro-11": "36 28 south"}
    alone = {unit: text for unit, text in units.items() if unit != "sp-2"}
    style = ON._replace(close=0.5)
    assert move(alone, style) == Move("sp-1", 700)
    assert move(units, style) == Move("sp-1", 350, back=True)


def test_each_style_has_weights_of_its_own() -> None:
    assert STYLES[0] == BOLD
    assert len(set(STYLES)) == len(STYLES) <= 4
    s = state_with({})
    assert samurai.styles(s, "red") == samurai.styles(s, "black") == STYLES


# --- moves ------------------------------------------------------------------------------------------------------------


def test_a_unit_comes_to_attack() -> None:
    units = {"sw-1": "36 19 north", "sp-11": "36 24 south"}
    assert move(units, NOTHING) == Move("sw-1", 600)
    assert move({**units, "sp-11": "36 28 south"}, NOTHING) is None


def test_a_flank_is_rather_attacked_than_a_front() -> None:
    units = {"ro-1": "36 19 north", "ro-11": "36 24 south", "ro-12": "32.5 24 west"}
    found = move(units, NOTHING)
    assert found is not None
    assert found.first == "left"


def test_far_from_the_enemy_a_wing_goes_as_fast_as_its_slowest() -> None:
    units = {"sp-1": "36 4 north", "sw-1": "30 4 north", "sp-11": "36 44 south"}
    assert move(units, BOLD) == Move("sp-1", 600)


def test_a_daimyo_goes_where_he_leads_two() -> None:
    units = {"sw-1": "30 12 north abreast", "ro-1": "34.5 12 north", "dm-1": "30 8 north", "sp-11": "36 30 south"}
    state = state_with(units, step="move")
    found = leading.next_lead(state, "red")
    assert isinstance(found, Go)
    there = state.size("dm-1").at(found.x, found.y, 0)
    assert state.touched(there, "red", "dm-1") == ["ro-1", "sw-1"]


def test_a_daimyo_stands_in_nobodys_way() -> None:
    units = {"sw-1": "30 12 north abreast", "dm-1": "30 13 north", "sp-11": "36 30 south"}
    state = state_with(units, step="move")
    found = leading.next_lead(state, "red")
    assert isinstance(found, Go)
    assert found.y < 1200


def test_a_daimyo_without_need_of_him_goes_to_who_runs() -> None:
    units = {"sw-1": "30 12 south routed", "sp-1": "36 12 north", "dm-1": "36 11 north", "sp-11": "36 40 south"}
    state = state_with(units, step="move")
    found = leading.next_lead(state, "red")
    assert isinstance(found, Go)
    there = state.size("dm-1").at(found.x, found.y, found.facing or 0)
    assert "sw-1" in state.touched(there, "red", "dm-1")


# --- fire, attacks, set-up --------------------------------------------------------------------------------------------


def test_fire_is_at_whom_it_costs_most() -> None:
    units = {"bw-1": "36 12 north", "sp-11": "33 20 south", "sw-11": "38 20 south"}
    assert asked(units, "fire") == Fire("bw-1", "sw-11")
    assert asked({**units, "sw-11": "38 40 south"}, "fire") == Fire("bw-1", "sp-11")


def test_fire_is_not_at_whom_others_have_shot_down() -> None:
    units = {"bw-1": "36 12 north", "bw-2": "32 12 north", "ro-11": "34 20 south 1", "sp-11": "38 20 south"}
    state = state_with(units, step="fire")
    state.fires, state.shot = (("bw-1", "ro-11"),), frozenset({"bw-1"})
    game = Game(samurai, state.board, state)
    assert isinstance(game.request, Choose)
    assert bot.advise(game.state, game.request, random.Random(1)).target == "sp-11"
    state.fires = (("bw-1", "sp-11"),)


def test_an_attack_names_whom_else_it_may_be_at() -> None:
    units = {"ro-1": "36 20 north", "ro-11": "34.5 21 south", "sw-11": "37.6 21 south"}
    assert asked(units, "attack") == Attack("ro-1", ("sw-11", "ro-11"))


def test_a_line_stands_as_deep_as_chance_wills() -> None:
    depths = set()
    for seed in range(6):
        game, chance = Game.new(*rules_and_board(load_scenario("skirmish")), {}), random.Random(seed)
        while isinstance(game.request, Choose) and game.request.kind == "setup" and game.request.side == "black":
            game.apply(bot.advise(game.state, game.request, chance))
        front = {game.state.at[unit].y for unit in game.state.troops("black")}
        assert len(front) == 1
        depths |= front
    assert len(depths) > 2


def test_a_line_passes_over_no_free_place() -> None:
    """Whoever is set up stands as near to the middle of his row as he may: nearer all is taken, there it is not."""
    game, chance = Game.new(*rules_and_board(load_scenario("skirmish")), {}), random.Random(3)
    zone = game.state.board.zones["black"]["centre"]
    middle, seen = (zone.west + zone.east) // 2, 0
    while isinstance(game.request, Choose) and game.request.kind == "setup" and game.request.side == "black":
        order = bot.advise(game.state, game.request, chance)
        if isinstance(order, SetUp) and game.state.board.units[order.unit].troops:
            off, request = abs(order.x - middle), game.request
            nearer = [middle + sign * step for step in range(0, off, setup.GAP) for sign in (-1, 1)]
            assert all(request.why_not(order._replace(x=x)) is not None for x in nearer)
            assert request.why_not(order) is None
            seen += bool(nearer)
        game.apply(order)
    assert seen > 3


# --- whole games ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("side", ["red", "black"])
def test_bold_beats_random(side: str) -> None:
    won = 0
    for seed in range(9000, 9006):
        game, chance = Game.new(*rules_and_board(load_scenario("skirmish")), {}), random.Random(seed)
        while (request := game.request) is not None:
            if not isinstance(request, Choose):
                game.apply(chance_answer(request, chance))
            elif request.side == side:
                game.apply(samurai.advise(game.state, request, chance))
            else:
                game.apply(request.sample(chance))
        won += game.outcome is not None and game.outcome.winner == side
    assert won >= 5


def test_a_lead_and_the_turn_make_a_side_likelier_to_win() -> None:
    units = {"sp-1": "36 9 north", "sp-11": "36 28 south"}
    even, ahead, behind = (
        prospect(state_with(units | more), "red") for more in ({}, {"sp-11": "36 28 south 2"}, {"sp-1": "36 9 north 2"})
    )
    assert behind < 0.5 < even < ahead < 1
    assert prospect(state_with(units), "black") == pytest.approx(1 - even)
