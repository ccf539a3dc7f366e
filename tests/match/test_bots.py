"""Bots: legal orders for whatever is due, from whoever is due."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest
from matches import Match, scenario_of
from rules.samurai.test_scenarios import doubled, wings_of
from toy.players import Duel

from pbem.errors import Refused
from pbem.match import bots
from pbem.match.bots import suggest, without_lapses
from pbem.match.chances import Steady, chance_answer
from pbem.match.check import check
from pbem.match.game import Game
from pbem.match.table import BARE
from pbem.rules import Board, Rules, State, rules_of
from pbem.rules.requests import Choose, Order, Tell
from pbem.scenario import Scenario, load_scenario

MakeDuel = Callable[..., Duel]


@pytest.mark.parametrize("bot", sorted(bots.BOTS))
@pytest.mark.parametrize("number", range(4))
@pytest.mark.parametrize("reactions", ["standing", "ask"])
def test_a_bot_plays_a_game_to_its_end_with_legal_orders(duel: MakeDuel, number: int, reactions: str, bot: str) -> None:
    game = duel(number, "long", reactions=reactions)
    chance = random.Random(number)
    for _ in range(100):
        name = game.due()
        if name is None:
            break
        before = game.view(name).dump()
        words = suggest(game.view(name), name, bot, chance)
        assert game.view(name).dump() == before
        text = "".join(f"{' '.join(order)};\n" for order in words)
        assert check(game.view(name), name, text, chance, 0).errors == []
        game.play(name, text)
    assert game.table.game.outcome is not None


def test_a_bot_is_the_same_for_the_same_chances(duel: MakeDuel) -> None:
    game = duel()
    first, again, other = (suggest(game.table, "anna", "random", random.Random(seed)) for seed in (1, 1, 2))
    assert first == again != other


@pytest.mark.parametrize("bot", ["random", "bold"])
@pytest.mark.parametrize("seed", range(4))
def test_a_plan_for_a_turn_ends_with_it(seed: int, bot: str) -> None:
    """What the next turn asks of the same kind isn't ordered along."""
    match = Match(scenario_of("cedar-mountain"), seed)
    for _ in range(6):
        what, name = match.due()
        words = [] if what in BARE or name is None else suggest(match.table, name, bot, Steady(seed))
        steps = [step for step in map(step_of, words) if step is not None]
        assert steps == sorted(steps), words
        text = "".join(f"{' '.join(order)};" for order in words)
        if words and name is not None:
            assert check(match.table, name, text, Steady(seed), 0).errors == []
        match.play(text)


def step_of(words: tuple[str, ...]) -> int | None:
    """The step of a turn of the Great Campaigns that an order is of."""
    first = {"place": 0, "transfer": 0, "entrench": 2, "bridge": 2, "close": None, "standing": None, "stop": None}
    return None if words[0] in ("strict", "done") else first.get(words[0], 1)


def test_a_bot_has_nothing_to_say_to_a_reveal(duel: MakeDuel) -> None:
    game = duel()
    game.play("anna", "move scout rear;")
    assert suggest(game.view("ben"), "ben", "random", random.Random(1)) == []


def test_a_bot_answers_when_it_is_asked(until: MakeDuel) -> None:
    game = until(
        lambda g: g.play("anna", "hit lancer; hit levy-1; rest;") and None,
        lambda g: g.tables["ben"].due().what == "react",
        reactions="ask",
    )
    found = {tuple(suggest(game.view("ben"), "ben", "random", random.Random(seed))[0]) for seed in range(20)}
    assert found <= {(word, unit) for word in ("flee", "stand") for unit in ("lancer", "levy-1")}
    assert len(found) == 2


def test_the_bold_bot_asks_the_system(until: MakeDuel) -> None:
    game = until(
        lambda g: g.play("anna", "hit lancer; hit levy-1; rest;") and None,
        lambda g: g.tables["ben"].due().what == "react",
        reactions="ask",
    )
    found = {suggest(game.view("ben"), "ben", "bold", random.Random(seed))[0][0] for seed in range(20)}
    assert found == {"stand"}


def test_a_bot_leaves_the_phase_open_after_its_most_orders(duel: MakeDuel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bots, "MOST_ORDERS", 1)
    game = duel()
    assert {len(suggest(game.table, "anna", "random", random.Random(seed))) for seed in range(20)} == {1}


def test_unknown_bots_and_players_who_are_not_due_are_refused(duel: MakeDuel) -> None:
    game = duel()
    with pytest.raises(Refused, match=r"no bot is called clever.*bold, random"):
        suggest(game.table, "anna", "clever", random.Random(1))
    with pytest.raises(Refused, match="nothing is due from ben; orders of anna are due"):
        suggest(game.table, "ben", "random", random.Random(1))
    for name in ("anna", "ben", "anna", "ben"):
        game.play(name, "rest;")
    with pytest.raises(Refused, match="the game is over"):
        suggest(game.table, "anna", "random", random.Random(1))


# --- the real systems


SIDES = {
    "yao": ("east", "osaka"),
    "gotos-dream": ("east", "osaka"),
    "domyoji": ("east", "osaka"),
    "toba-fushimi": ("shogunate", "satcho"),
}

Pick = Callable[[Rules, State, Choose, random.Random], Order]


def bold(rules: Rules, state: State, request: Choose, chance: random.Random) -> Order:
    return rules.advise(state, request, chance)


def at_random(_: Rules, __: State, request: Choose, chance: random.Random) -> Order:
    return request.sample(chance)


def board_of(scenario: str) -> tuple[Rules, Board]:
    found = load_scenario(scenario)
    rules = rules_of(found.system)
    return rules, rules.board(found.data)


def played(scenario: str, seed: int, pick: dict[str, Pick]) -> tuple[Game, list[Tell]]:
    """A game to its end; each side's orders are picked so. The engine refuses what isn't legal."""
    rules, board = board_of(scenario)
    told: list[Tell] = []
    chance = random.Random(seed)
    game = Game.new(rules, board, {}, told.append)
    while (request := game.request) is not None:
        if isinstance(request, Choose):
            game.apply(pick[request.side](rules, game.state, request, chance))
        else:
            game.apply(chance_answer(request, chance))
    return game, told


@pytest.mark.parametrize(("scenario", "side"), [(name, side) for name, sides in SIDES.items() for side in sides])
def test_the_bold_bot_beats_the_random_one(scenario: str, side: str) -> None:
    pick = dict.fromkeys(SIDES[scenario], at_random) | {side: bold}
    winners = [played(scenario, seed, pick)[0].outcome for seed in range(2)]
    assert [outcome.winner for outcome in winners if outcome is not None] == [side, side]


def test_the_bold_bot_never_moves_who_would_lose_the_battle_by_it() -> None:
    for seed in range(3):
        _, told = played("yao", seed, dict.fromkeys(SIDES["yao"], bold))
        gone = {tell.facts["unit"] for tell in told if tell.what in ("move", "advance", "exit")}
        assert gone, "somebody moves"
        assert not gone & {"ii-01", "to-01", "ki-01", "ch-01"}


class Spy(random.Random):
    """Whims that remember among what the last choice was."""

    def choice(self, seq: Any) -> Any:
        self.seen = list(seq)
        return super().choice(seq)


@pytest.mark.parametrize(("scenario", "turns", "most"), [("toba-fushimi", 3, {1, 2, 3}), ("tabaruzaka", 2, {1, 2, 11})])
def test_no_option_of_movement_that_the_bold_bot_leaves_out_is_as_good_as_the_best(
    scenario: str, turns: int, most: set[int]
) -> None:
    from pbem.rules.bakumatsu.bot import _keeps, _move

    rules, board = board_of(scenario)
    chance, counts = Spy(3), set()
    game = Game.new(rules, board, {})
    while (request := game.request) is not None and game.state.turn <= turns:
        if not isinstance(request, Choose):
            game.apply(chance_answer(request, chance))
            continue
        order = rules.advise(game.state, request, chance)
        if request.kind == "move":
            s, side, rank = game.state, request.side, _move(game.state, request.side)
            held = [unit for unit in s.stands[side].values() if _keeps(s, side, unit) and unit not in s.disordered]
            listed = [each for each in request.options() if getattr(each, "unit", "") not in held]
            best = max(map(rank, listed))
            assert chance.seen == sorted((each for each in listed if rank(each) == best), key=repr)
            counts.add(len(chance.seen))
        game.apply(order)
    assert most <= counts, "sometimes several are the best"


def test_advice_changes_nothing_and_is_the_same_for_the_same_chances() -> None:
    for scenario in SIDES:
        rules, board = board_of(scenario)
        chance = random.Random(1)
        game = Game.new(rules, board, {})
        for _ in range(60):
            request = game.request
            if isinstance(request, Choose):
                before = game.dump()
                seeds = [random.Random(7) for _ in range(2)]
                first, again = (rules.advise(game.state, request, seed) for seed in seeds)
                assert first == again
                assert request.why_not(first) is None
                assert game.dump() == before
                game.apply(first)
            elif request is not None:
                game.apply(chance_answer(request, chance))


def test_a_suggestion_leaves_out_what_lapses_nearly_always() -> None:
    """Shibata's snow melts on a 6 alone: marches of his, made for a future in which it has, aren't suggested."""
    match = Match(scenario_of("shizugatake"), 1)
    match.play("")
    match.play("done")
    assert match.due() == ("orders", "asuka")
    suggested = (suggest(match.table, "asuka", "bold", random.Random(seed)) for seed in range(40))
    made = next(made for made in suggested if any(words[1:2] == ("sb-01",) for words in made))
    kept = without_lapses(match.table, "asuka", made, random.Random(1))
    assert [words[1] for words in kept if words[0] == "move"] == ["tk-01"]
    assert without_lapses(match.table, "asuka", kept, random.Random(2)) == kept
    assert without_lapses(match.table, "asuka", [], random.Random(2)) == []


def test_a_suggested_set_up_has_one_place_for_each_unit() -> None:
    """Bots put a unit elsewhere where no daimyo could come to it: the last place alone is suggested."""
    data = wings_of(f"dm-1 {doubled(6)}")
    match = Match(Scenario("field", "samurai", "samurai/1", "A Field", data, "5" * 64), 1)
    match.play()
    match.play("setup sp-11 36 42; done")
    made = next(
        made
        for seed in range(20)
        if len(made := suggest(match.table, match.due()[1], "random", random.Random(seed))) > 8
    )
    kept = without_lapses(match.table, match.due()[1], made, random.Random(1))
    assert len({words[1] for words in made[:-1]}) == len(kept) - 1 == 7
    assert set(kept) <= set(made)
    assert check(match.table, match.due()[1], "".join(f"{' '.join(words)}\n" for words in kept)).errors == []


def test_of_a_plan_for_a_whole_turn_what_hangs_on_dice_is_left_for_another_entry() -> None:
    """With other dice all of it can be given as well, and its owner is asked again."""
    match = Match(scenario_of("cedar-mountain"), 1)
    orders = suggest(match.table, "asuka", "bold", Steady(1))
    marching = [words for words in orders if words[0] in ("march", "activate")]
    assert len(marching) > 3
    assert ("done",) not in orders
    assert suggest(match.table, "asuka", "random", Steady(1))[-1] == ("done",)
    match.play("".join(f"{' '.join(words)};" for words in orders))
    while match.due() != ("orders", "asuka"):
        match.play("done;" if match.due()[0] == "orders" else "")
    lapsed = [step["words"] for step in match.table.steps if step["kind"] == "lapse"]
    assert len(lapsed) <= len(marching) // 4
    assert match.table.rules.clock(match.table.game.state) == (1, "cycle")


def test_the_end_of_a_step_that_is_over_with_other_dice_is_no_reason_to_be_asked_again() -> None:
    """There the turn has ended: no pass is wanted, and what else is ordered can't be given."""
    match = Match(scenario_of("cedar-mountain"), 1)
    while match.table.rules.clock(match.table.game.state)[0] == 1:
        match.play("done;" if match.due()[0] == "orders" else "")
    rules, board = match.table.rules, match.table.board
    passes = rules.read_order(board, "confederate", ("pass",))
    for text, closes, given in (("pass", True, True), ("pass", False, False), ("march robertson S0727", False, False)):
        order = rules.read_order(board, "confederate", tuple(text.split()))
        found = bots._given(match.table, "confederate", "1", order, Steady(1), lambda _, __: passes, closes=closes)
        assert found == given


def test_a_turn_is_not_closed_where_more_would_be_done_with_other_dice_in_a_step_before() -> None:
    """Where the cycle ended by chance there may be actions in another future, behind which recovery comes."""
    match = Match(scenario_of("cedar-mountain"), 1)
    table, side = match.table, "union"
    closing = table.rules.read_order(table.board, side, ("close", "recovery"))
    march = table.rules.read_order(table.board, side, ("march", "milroy", "S0311"))

    def given(*, acts: bool) -> bool:
        def pick(_: Any, request: Choose) -> Any:
            assert request.ends is not None
            return march if acts and request.kind == "action" else request.ends.order

        return bots._given(table.fork(), side, "1", closing, Steady(1), pick, closes=True)

    assert given(acts=False)
    assert not given(acts=True)


def test_a_plan_that_ends_a_turn_is_thought_anew_where_it_does_not_come_so() -> None:
    """It is strict, and stops where a march to an aim ends elsewhere than it did when it was made."""
    match = Match(scenario_of("stuarts-raid"), 1)
    plans = []
    while match.due()[1] is not None:
        what, name = match.due()
        orders = [] if what in BARE else suggest(match.table, str(name), "bold", Steady(len(match.blocks)))
        plans.append(orders)
        match.play("".join(f"{' '.join(words)};" for words in orders))
    stops = [words for orders in plans for words in orders if words[0] == "stop"]
    assert stops
    assert {words[-1] for words in stops} == {"f-lee"}
    for orders in plans:
        said = [words for words in orders if words[0] != "standing"]
        assert (("strict",) in said) == (said[-1:] == [("done",)] and len(said) > 1)
        assert all(behind[0] != "stop" for behind in said[-1:])
