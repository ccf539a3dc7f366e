"""The rules of the Siege of Osaka and the second reading of its rulebook play the same games on random fields.

At every node the same must be asked of the same side, the same options offered, and every unit stand in the same hex.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from pbem.match.check import chance_answer
from pbem.match.game import Game
from pbem.rules import yukimura
from pbem.rules.requests import Choose, Roll
from systems import yukimura_slow as slow
from systems.game_tree import number_of_answers
from systems.test_perft import game_at as perft_game
from systems.test_perft import position
from systems.yukimura_fields import FIRING, HAND_TO_HAND, LEGEND, Position, game_at
from systems.yukimura_random_fields import crowded_field, random_field

TABLES = {"firing": FIRING, "hand_to_hand": HAND_TO_HAND}
MOST = 150
"""Answers of a game that are compared."""


def given_by(p: Position) -> slow.Given:
    """What the second reading knows of a position."""
    return slow.given_by(p, TABLES, LEGEND)


def words_of(game: Game, answer: Any) -> slow.Words:
    return yukimura.order_words(game.board, answer) if isinstance(game.request, Choose) else tuple(map(str, answer))


def compare_states(game: Game, battle: slow.Battle) -> None:
    s, label = game.state, game.board.label
    assert {unit: label[h] for unit, h in s.at.items()} == {u: slow.number(h) for u, h in battle.at.items()}
    assert set(s.removed) == battle.removed
    assert set(s.exited) == battle.exited
    assert {force: list(units) for force, units in s.waiting.items()} == battle.waiting
    assert (s.turn, s.crossed, s.released, s.star_holder) == (
        battle.turn, battle.crossed, battle.released, battle.star_side,
    )  # fmt: skip


def compare_requests(game: Game, battle: slow.Battle) -> None:
    request, asked = game.request, battle.asked
    assert asked is not None
    if isinstance(request, Roll):
        assert (request.dice, request.sides) == (asked.dice, 6)
        return
    assert isinstance(request, Choose)
    assert (request.side, request.kind) == (asked.side, asked.kind)
    offered = sorted(slow.shortened(yukimura.order_words(game.board, order)) for order in request.options())
    assert offered == sorted(asked.orders)
    default = () if request.default is None else yukimura.order_words(game.board, request.default())
    assert default == asked.default


def walk(p: Position, chance: random.Random, phase_only: bool) -> Counter[str]:
    """Play a position in both readings until it is over, by options and by samples; returns what was asked."""
    game, battle = game_at(p), slow.Battle(given_by(p), p)
    kinds: Counter[str] = Counter()
    begun, gone = game.state.phase, list[str]()
    try:
        while (request := game.request) is not None and len(gone) < MOST:
            if phase_only and game.state.phase != begun:
                return kinds
            compare_states(game, battle)
            compare_requests(game, battle)
            if isinstance(request, Choose):
                kinds[request.kind] += 1
                options = list(request.options())
                answer = chance.choice(options) if chance.random() < 0.5 else request.sample(chance)
            else:
                answer = chance_answer(request, chance)
            words = words_of(game, answer)
            gone.append(" ".join(words))
            game.apply(answer)
            battle.apply(words)
        compare_states(game, battle)
        if game.request is None:
            assert battle.over
            assert game.outcome is not None
            assert game.outcome.winner == battle.winner
    except AssertionError as error:
        raise AssertionError(f"{error}\nin {p}\nafter {gone}") from error
    return kinds


@pytest.mark.parametrize("make", [random_field, crowded_field])
def test_both_readings_play_the_same_games(make: Callable[[random.Random], dict[str, Any]]) -> None:
    kinds: Counter[str] = Counter()
    for seed in range(180 if make is random_field else 90):
        chance = random.Random(f"{make.__name__} {seed}")
        kinds += walk(make(chance), chance, phase_only=make is crowded_field)
    wanted = ("beside", "move", "defence", "combat", "retreat", "advance") if make is random_field else (
        "combat", "retreat", "displace", "advance",
    )  # fmt: skip
    assert all(kinds[kind] >= 30 for kind in wanted), kinds


def test_a_difference_is_noticed() -> None:
    """A unit's points, a friend's morale, a cell of a table that the readings see differently part their games."""
    noticed = 0
    for seed in range(12):
        p = crowded_field(random.Random(seed))
        shaken = {unit: text.replace("-2-", "-3-") for unit, text in p["units"].items()}
        game, battle = game_at(p), slow.Battle(given_by({**p, "units": shaken}), p)
        chance = random.Random(seed)
        try:
            for _ in range(40):
                compare_states(game, battle)
                if game.request is None:
                    break
                compare_requests(game, battle)
                answer = (
                    game.request.sample(chance)
                    if isinstance(game.request, Choose)
                    else chance_answer(game.request, chance)
                )
                words = words_of(game, answer)
                game.apply(answer)
                battle.apply(words)
        except AssertionError:
            noticed += 1
    assert noticed >= 6


# --- ways, one by one ----------------------------------------------------------------------------------------------


def test_the_ways_that_the_rules_permit_are_those_of_brute_force() -> None:
    """Every way that brute force finds is accepted; every other that is one step longer than such a way is refused."""
    judged: Counter[tuple[str, bool]] = Counter()
    for seed in range(60):
        chance = random.Random(f"ways {seed}")
        p = {**random_field(chance), "phase": chance.choice(["east-move", "osaka-move"])}
        game, battle = game_at(p), slow.Battle(given_by(p), p)
        if not isinstance(game.request, Choose) or game.request.kind != "move":
            continue
        side = game.request.side
        free = {order[1] for order in battle.movements(side)} & battle.at.keys()
        for unit in sorted(free)[:3]:
            start, points = battle.at[unit], battle.g.units[unit]["move"]
            for keyword, walks in (
                ("move", battle.all_walks(side, start, min(points, 4))),
                ("march", battle.all_marches(side, start, 8)),
            ):
                if keyword == "move" and points > 4:
                    continue
                judge_ways(game, battle, unit, keyword, [tuple(way) for way in walks], judged)
    assert min(judged[keyword, legal] for keyword in ("move", "march") for legal in (False, True)) >= 300, judged


def judge_ways(
    game: Game, battle: slow.Battle, unit: str, keyword: str, found: list[tuple[slow.Place, ...]], judged: Counter[Any]
) -> None:
    request, start = game.request, battle.at[unit]
    assert isinstance(request, Choose)
    others = {h for u, h in battle.at.items() if u != unit}
    legal = {way for way in found if way[-1] not in others and way[-1] != start}
    longer = {(*way, h) for way in [(), *found] for h in slow.around((start, *way)[-1])} - legal
    for way in [*sorted(legal), *(way for way in sorted(longer) if all(h in battle.land.ground for h in way))]:
        words = (keyword, unit, *map(slow.number, way))
        refusal = request.why_not(yukimura.read_order(game.board, request.side, words))
        assert (refusal is None) == (way in legal), (words, refusal)
        judged[keyword, refusal is None] += 1


# --- groups, one by one --------------------------------------------------------------------------------------------


def test_the_groups_that_the_rules_permit_are_those_of_brute_force() -> None:
    """Any pair or three of a side's units against any enemy unit: accepted when each of them alone may take part."""
    judged: Counter[tuple[str, bool]] = Counter()
    for seed in range(110):
        chance = random.Random(f"groups {seed}")
        p = {**random_field(chance), "phase": chance.choice(["east-combat", "osaka-combat"])}
        game, battle = game_at(p), slow.Battle(given_by(p), p)
        request = game.request
        if not isinstance(request, Choose) or request.kind != "combat":
            continue
        alone = {(words[0], words[1], words[3]) for words in battle.combats(request.side) if len(words) == 4}
        mine = [u for u in battle.at if battle.g.side(u) == request.side]
        foes = [u for u in battle.at if battle.g.side(u) != request.side]
        for _ in range(40):
            keyword, target = chance.choice(["fire", "melee"]), chance.choice(foes)
            units = chance.sample(mine, min(len(mine), chance.randrange(1, 4)))
            words = slow.combat_words(keyword, units, target)
            refusal = request.why_not(yukimura.read_order(game.board, request.side, words))
            assert (refusal is None) == all((keyword, u, target) in alone for u in units), (words, refusal)
            judged[keyword, refusal is None] += 1
    assert min(judged[keyword, legal] for keyword in ("fire", "melee") for legal in (False, True)) >= 20, judged


# --- counts --------------------------------------------------------------------------------------------------------


def test_counts_that_are_known_by_hand() -> None:
    """Two gates for one force; then 36 throws of two dice."""
    assert position("yukimura", "beside")["nodes"][0] == 2
    game = perft_game("yukimura", "fire")
    assert isinstance(game.request, Choose)
    alone = [order for order in game.request.options() if len(words_of(game, order)) == 4]
    game.apply(alone[0])
    assert number_of_answers(game.request) == 36
