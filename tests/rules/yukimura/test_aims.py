"""What the computer player finds by short cuts is what the long way round finds: distances, threats, ways, bounds."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from pbem.maps.hexes import Hex, distance
from pbem.match.chances import chance_answer
from pbem.match.game import Game
from pbem.rules import rules_of
from pbem.rules.kit import reach
from pbem.rules.requests import Choose
from pbem.rules.yukimura import bot, meeting, movement, posting
from pbem.rules.yukimura.acting import enemy_zoc
from pbem.rules.yukimura.aims import FAR, contact, course, detour, distances, enemies_of, nearness, way
from pbem.rules.yukimura.board import EAST, OSAKA, Board
from pbem.rules.yukimura.state import State
from pbem.rules.yukimura.weights import Style, portfolio
from pbem.scenario import load_scenario

SCENARIOS = ("domyoji", "yao", "gotos-dream", "connected")


def board_of(scenario: str) -> Board:
    found = load_scenario(scenario)
    board: Board = rules_of(found.system).board(found.data)
    return board


def all_styles(board: Board, side: str) -> list[Style]:
    """The rules of thumb of a side for any phase."""
    return [*portfolio(board, side, fighting=False), *portfolio(board, side, fighting=True)]


def positions(board: Board, count: int) -> Iterator[tuple[State, str]]:
    """States in which a side is asked for a move, some orders apart, in a game of all rules of thumb."""
    rules, chance = rules_of("yukimura"), random.Random(board.scenario)
    game, asked = Game.new(rules, board, {}), 0
    while (request := game.request) is not None and asked < 7 * count:
        if not isinstance(request, Choose):
            game.apply(chance_answer(request, chance))
            continue
        if request.kind == "move":
            asked += 1
            if asked % 7 == 0:
                yield game.state, request.side
        style = chance.choice(all_styles(board, request.side))
        game.apply(bot.advise(game.state, request, chance, style), legal=True)


def plain(board: Board, to: Iterator[Hex] | frozenset[Hex], toll: dict[Hex, int]) -> dict[Hex, int]:
    """Points from every hex to the nearest of some, by the heap of the kit."""
    costs = board.ground.cost
    into = lambda here: [(h, costs[h][here] + toll.get(here, 0)) for h in costs[here]]  # noqa: E731
    found = reach.distances(dict.fromkeys(to, 0), into)
    return {h: found.get(h, FAR) for h in board.ground.near}


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_ways_to_goals_are_the_cheapest(scenario: str) -> None:
    board = board_of(scenario)
    for side in (EAST, OSAKA):
        ways = way(board, side)
        goals = frozenset(h for h, far in ways.items() if far == 0)
        assert ways == plain(board, goals, {})
        assert set(ways) == set(board.ground.near)


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_ways_round_enemies_are_the_cheapest_and_rings_count_hexes(scenario: str) -> None:
    board = board_of(scenario)
    for s, side in positions(board, 3):
        enemies = enemies_of(s, side)
        stuck = frozenset(sorted(s.stands[side])[:3])
        toll = dict.fromkeys(stuck, 2)
        for h in enemies:
            for n in board.ground.open_to[h]:
                toll[n] = toll.get(n, 0) + 1
        toll.update(dict.fromkeys(enemies, 4))
        goals = frozenset(h for h, far in way(board, side).items() if far == 0)
        assert detour(board, side, enemies, stuck) == plain(board, goals, toll)
        near = reach.distances(dict.fromkeys(enemies, 0), lambda h: [(n, 1) for n in board.ground.near[h]])
        assert contact(board, enemies) == {h: near.get(h, FAR) for h in board.ground.near}


def test_the_nearest_come_first_by_distance_and_hex() -> None:
    board = board_of("yao")
    to = next(iter(board.ground.near))
    places = nearness(board)[to]
    assert sorted(places, key=places.__getitem__) == sorted(places, key=lambda h: (distance(h, to), h))
    assert all(distances(board)[to][h] == distance(to, h) for h in places)


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_no_hex_is_worth_more_than_the_most_that_is_said_of_it(scenario: str) -> None:
    board, looked = board_of(scenario), 0
    for s, side in positions(board, 8):
        units = [board.units[unit] for unit in s.stands[side].values() if movement.is_idle(s, unit)]
        for unit, style in zip(units[::9], all_styles(board, side) * 40, strict=False):
            post = posting.Post(s, unit, s.at[unit.id], style)
            for h in movement.move_destinations(s, unit, s.at[unit.id]):
                assert post.most(h) >= post.worth(h)
                looked += post.most(h) < 1e9
    assert looked, "no hex far from all enemies: the test looks at nothing"


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_the_threat_to_meet_is_the_one_that_counts_least(scenario: str) -> None:
    board = board_of(scenario)
    ways, near = way(board, EAST), board.ground.near

    for s, _ in positions(board, 6):
        enemies = enemies_of(s, OSAKA)
        for here in list(s.stands[OSAKA])[::5]:

            def count(h: Hex, here: Hex = here, s: State = s) -> tuple[float, Hex]:
                around = {h, *near[h], *(m for n in near[h] for m in near[n])}
                met = sum(ways[n] <= ways[h] for n in around if n in s.stands[OSAKA] and n != here)
                far = min(distance(here, h), 2 + distance(here, course(board, EAST, h)[-1]))
                return 2.0 * far + 1.5 * ways[h] + 5.0 * met, h

            there = [h for h in enemies if h in board.map_of(here) and ways[h] < FAR]
            assert meeting._threat(s, here, enemies) == min(there, key=count, default=None)


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_what_is_kept_of_ways_in_reach_is_what_is_found_anew(scenario: str) -> None:
    board = board_of(scenario)
    for s, side in positions(board, 8):
        shut, enemies = enemy_zoc(s, side), s.stands[board.enemy[side]]
        west = board.west if side == EAST and s.turn < board.gate else frozenset()

        def step(here: Hex, h: Hex, enemies: dict[Hex, str] = enemies, west: frozenset[Hex] = west) -> int | str:
            barred = h in enemies or (h in west and here not in west)
            return "no" if barred else board.ground.cost[here][h]

        for h, unit in list(s.stands[side].items())[::6]:
            found = reach.cheapest(h, board.units[unit].move, board.ground.cost, step, shut)
            assert movement.ways(s, board.units[unit], h) == found


def test_an_enemy_who_comes_near_bars_a_way_that_was_open() -> None:
    board = board_of("yao")
    s, side = next(positions(board, 1))
    unit, path = next(
        (board.units[unit], path)
        for h, unit in s.stands[side].items()
        for _, path in movement.ways(s, board.units[unit], h).values()
        if len(path) == 2
    )
    start, far = s.at[unit.id], max(board.ground.near, key=lambda h: distance(h, s.at[unit.id]))
    enemy = board.of_side[board.enemy[side]][0]
    s.put(enemy, far)
    assert path[-1] in movement.ways(s, unit, start)
    s.put(enemy, path[-1])
    assert path[-1] not in movement.ways(s, unit, start)
