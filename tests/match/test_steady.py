"""The steady bot: plans compared by play-outs with common dice; the usual one is left for a sure gain alone."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from pbem.match import steady
from pbem.match.chances import chance_answer
from pbem.match.game import Game
from pbem.match.steady import chosen
from pbem.rules import rules_of
from pbem.rules.requests import Choose, Draw, Roll
from pbem.scenario import load_scenario


def begun(scenario: str, kind: str) -> Game:
    """A game before the first decision of a kind."""
    found = load_scenario(scenario)
    rules = rules_of(found.system)
    game, chance = Game.new(rules, rules.board(found.data), {}), random.Random(1)
    while not isinstance(request := game.request, Choose) or request.kind != kind:
        assert request is not None
        choose = isinstance(request, Choose)
        game.apply(rules.advise(game.state, request, chance) if choose else chance_answer(request, chance))
    return game


@pytest.fixture(scope="module")
def fire() -> Game:
    return begun("toba-fushimi", "fire")


def judged(monkeypatch: pytest.MonkeyPatch, worth: Callable[[int, int], float]) -> list[tuple[int, int]]:
    """Let plans be worth this, by their number and that of the round; the play-outs that are asked for."""
    asked: list[tuple[int, int]] = []

    def played(game: Game, side: str, style: Any, seed: int, _known: dict[str, float]) -> float:
        plan = game.rules.styles(game.state, side).index(style)
        asked.append((plan, seed))
        return worth(plan, seed)

    monkeypatch.setattr(steady, "_played_out", played)
    return asked


def style_of(game: Game, seed: int = 0) -> int:
    assert isinstance(game.request, Choose)
    side = game.request.side
    return list(game.rules.styles(game.state, side)).index(chosen(game, side, seed))


def test_a_plan_is_taken_that_is_surely_better(fire: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    judged(monkeypatch, lambda plan, number: 0.4 + 0.01 * (number % 3) * (plan == 2) + 0.1 * (plan == 2))
    assert style_of(fire) == 2


def test_the_usual_one_stays_within_two_standard_errors(fire: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    judged(monkeypatch, lambda plan, number: 0.5 + (plan == 2) * (0.1 + (0.4 if number % 2 else -0.4)))
    assert style_of(fire) == 0


def test_plans_that_come_to_the_same_or_to_worse_are_dropped_early(fire: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = judged(monkeypatch, lambda plan, number: 0.5 + 0.01 * (number % 2) - 0.2 * (plan == 3))
    assert style_of(fire) == 0
    assert {plan: sum(plan == each for each, _ in asked) for plan in (1, 2, 3)} == {1: 2, 2: 2, 3: steady.FEW}


def test_all_plans_meet_the_same_dice_and_the_game_is_left_as_it_is(fire: Game) -> None:
    before = fire.dump()
    first, again = steady._Dice(7), steady._Dice(7)
    again.answer(Roll("fire/1405"))
    rolls = [
        first.answer(Roll("melee/1405")),
        first.answer(Roll("melee/1405")),
        first.answer(Draw("cup", ("a", "b"), 1)),
    ]
    assert rolls == [
        again.answer(Roll("melee/1405")),
        again.answer(Roll("melee/1405")),
        again.answer(Draw("cup", ("a", "b"), 1)),
    ]
    faces = {steady._Dice(seed).answer(Roll("fire/1405", 1))[0] for seed in range(60)}
    assert faces == {1, 2, 3, 4, 5, 6}
    assert style_of(fire, 5) == style_of(fire, 5)
    assert fire.dump() == before


@pytest.mark.parametrize("kind", ["fire", "move"])
def test_what_comes_of_the_same_position_by_the_same_dice_is_played_out_once(fire: Game, kind: str) -> None:
    game = fire if kind == "fire" else begun("toba-fushimi", "move")
    assert isinstance(game.request, Choose)
    side, known = game.request.side, dict[str, float]()
    styles = list(game.rules.styles(game.state, side))
    found = [steady._played_out(game, side, style, 3, known) for style in styles]
    assert found == [steady._played_out(game, side, style, 3, {}) for style in styles]
    assert (len(known) == 1) is (kind == "fire"), "all fire at the same, and move in different ways"
    known = dict.fromkeys(known, 2.0)
    assert [steady._played_out(game, side, style, 3, known) for style in styles] == [2.0] * len(styles)


@pytest.mark.parametrize("scenario", ["toba-fushimi", "yao", "gotos-dream"])
def test_the_prospects_of_both_sides_are_one_together(scenario: str) -> None:
    game = begun(scenario, "move")
    shares = [game.rules.prospect(game.state, side.id) for side in game.board.sides]
    assert sum(shares) == pytest.approx(1)
    assert all(0 < share < 1 for share in shares)


@pytest.mark.parametrize(
    ("scenario", "now", "answered"),
    [
        ("yao", (3, "osaka-combat"), (4, "osaka-move")),
        ("yao", (3, "east-move"), (4, "east-move")),
        ("toba-fushimi", (3, "satcho-melee"), (4, "satcho-melee")),
    ],
)
def test_a_plan_is_judged_as_the_other_side_has_answered(
    scenario: str, now: tuple[int, str], answered: tuple[int, str]
) -> None:
    assert rules_of(load_scenario(scenario).system).answered(now) == answered


def test_a_play_out_of_combat_stops_before_ones_own_next_move(monkeypatch: pytest.MonkeyPatch) -> None:
    game, seen = begun("yao", "combat"), list[tuple[int, str]]()
    judge = game.rules.prospect

    def told(state: Any, side: str) -> float:
        seen.append(game.rules.clock(state))
        return float(judge(state, side))

    monkeypatch.setattr(game.rules, "prospect", told)
    chosen(game, "east", 1)
    assert set(seen) == {(2, "east-move")}
