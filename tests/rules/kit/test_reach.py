"""Ways over a small made-up field: prices, stops, ties, full hexes, and hexes to which there is no way."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

from pbem.maps.hexes import Hex, are_adjacent, pack
from pbem.rules.kit.reach import cheapest, distances, random_march, random_way, shortest

FIELD = """
    . . 3 . .
     . # 3 . .
    . . . ! .
     . . 9 . #
    o # . # .
"""
"""A dot costs 1, a digit itself, # is shut; ! stops who comes into it; o is an island: nobody leaves or enters it."""

CELLS = {
    pack(column - row // 2, row): sign
    for row, line in enumerate(FIELD.strip().splitlines())
    for column, sign in enumerate(line.split())
}
NEAR = {h: tuple(sorted(n for n in CELLS if are_adjacent(h, n))) for h in CELLS}
HOME, STOP, ISLAND = pack(0, 0), pack(2, 2), pack(-2, 4)


def cell(row: int, column: int) -> Hex:
    return pack(column - row // 2, row)


def step(here: Hex, h: Hex) -> int | str:
    """A price, or the name of what forbids the step."""
    if not are_adjacent(here, h):
        return "far"
    if ISLAND in (here, h):
        return "water"
    return {"#": "shut", ".": 1, "!": 1}.get(CELLS[h]) or int(CELLS[h])


def stops(h: Hex) -> bool:
    return h == STOP


def walks(start: Hex, points: int) -> dict[Hex, tuple[int, tuple[Hex, ...]]]:
    """The cheapest way to every hex by trying all ways that enter no hex twice."""
    found: dict[Hex, tuple[int, tuple[Hex, ...]]] = {}
    todo: list[tuple[int, tuple[Hex, ...]]] = [(0, (start,))]
    while todo:
        cost, path = todo.pop()
        if len(path) > 1:
            found[path[-1]] = min(found.get(path[-1], (cost, path[1:])), (cost, path[1:]))
        if len(path) == 1 or not stops(path[-1]):
            prices = {n: step(path[-1], n) for n in NEAR[path[-1]] if n not in path}
            todo += [(cost + p, (*path, n)) for n, p in prices.items() if isinstance(p, int) and cost + p <= points]
    return found


@pytest.mark.parametrize("points", [0, 1, 2, 3, 5, 8])
@pytest.mark.parametrize("start", [HOME, STOP, cell(3, 1), ISLAND])
def test_the_cheapest_ways_are_those_that_trying_finds(start: Hex, points: int) -> None:
    found = cheapest(start, points, NEAR, step, stops)
    assert found == walks(start, points)
    assert list(found.values()) == sorted(found.values()), "nearest first, of equals the lower hexes"


def test_points_that_are_gone_and_halves_count_alike() -> None:
    assert cheapest(HOME, 5, NEAR, step, stops, 2).keys() == walks(HOME, 3).keys()

    def halves(here: Hex, h: Hex) -> int | str:
        price = step(here, h)
        return price if isinstance(price, str) else 2 * price

    doubled = {h: (2 * cost, path) for h, (cost, path) in walks(HOME, 4).items()}
    assert cheapest(HOME, 9, NEAR, halves, stops) == doubled


def test_a_stop_ends_every_way_but_not_one_that_begins_there() -> None:
    assert STOP in cheapest(HOME, 9, NEAR, step, stops)
    assert all(STOP not in path[:-1] for _, path in cheapest(HOME, 9, NEAR, step, stops).values())
    assert len(cheapest(STOP, 1, NEAR, step, stops)) == 4


def test_one_step_is_never_too_dear_where_the_rules_say_so() -> None:
    start, dear, shut = cell(3, 1), cell(3, 2), cell(4, 1)
    assert dear not in cheapest(start, 2, NEAR, step, stops)
    found = cheapest(start, 2, NEAR, step, stops, one=True)
    assert found[dear] == (2, (dear,))
    assert list(found)[-1] == dear
    assert shut not in found
    assert cheapest(start, 9, NEAR, step, stops, one=True)[dear] == (9, (dear,))


def test_the_shortest_way_counts_steps_not_points() -> None:
    found = shortest(HOME, 4, NEAR, step)
    assert found[cell(0, 2)] == (cell(0, 1), cell(0, 2))
    counted = cheapest(HOME, 4, NEAR, lambda a, b: 1 if isinstance(step(a, b), int) else "shut", lambda _: False)
    assert {h: len(path) for h, path in found.items()} == {h: cost for h, (cost, _) in counted.items()}
    assert [len(path) for path in found.values()] == sorted(len(path) for path in found.values())
    assert ISLAND not in shortest(HOME, 99, NEAR, step)
    assert not shortest(HOME, 0, NEAR, step)


def test_of_two_shortest_ways_that_counts_which_stands_first() -> None:
    start, end, one, other = cell(2, 0), cell(3, 1), cell(2, 1), cell(3, 0)
    for first, second in ((one, other), (other, one)):
        near = {h: (first, second, *n) if h == start else n for h, n in NEAR.items()}
        assert shortest(start, 2, near, step)[end] == (first, end)


@pytest.mark.parametrize("one", [False, True])
def test_random_ways_are_legal_and_end_only_where_there_is_room(one: bool) -> None:
    chance, full, ended = random.Random(7), {cell(0, 1), cell(1, 0), STOP}, set()
    for _ in range(400):
        path = random_way(HOME, 6, NEAR, step, stops, full, chance, one=one)
        prices = [step(a, b) for a, b in pairwise((HOME, *path))]
        assert all(isinstance(price, int) for price in prices)
        assert sum(int(price) for price in prices) <= 6 or (one and len(path) == 1)
        assert len({HOME, *path}) == len(path) + 1
        assert not path or path[-1] not in full
        assert STOP not in path, "it is full, and nobody goes on from it"
        ended.add(path[-1] if path else HOME)
    assert len(ended) > 5
    assert random_way(ISLAND, 6, NEAR, step, stops, (), chance, one=one) == ()
    assert random_way(HOME, 0, NEAR, step, stops, (), chance) == ()
    assert len(random_way(HOME, 0, NEAR, step, stops, (), chance, one=True)) == 1


def test_random_marches_count_steps() -> None:
    chance, full = random.Random(7), {cell(0, 1), cell(1, 0)}
    paths = [random_march(HOME, 3, NEAR, step, full, chance) for _ in range(300)]
    assert {len(path) for path in paths} == {2, 3}
    for path in paths:
        assert all(isinstance(step(a, b), int) for a, b in pairwise((HOME, *path)))
        assert path[-1] not in full
    assert random_march(ISLAND, 3, NEAR, step, (), chance) == ()


def into(h: Hex) -> list[tuple[Hex, int]]:
    prices: list[tuple[Hex, int | str]] = [(n, step(n, h)) for n in NEAR[h]]
    return [(n, price) for n, price in prices if isinstance(price, int)]


def test_distances_are_the_costs_of_the_cheapest_ways_to_a_goal() -> None:
    goal = cell(2, 3)
    found = distances({goal: 0}, into)
    for h in CELLS:
        way = cheapest(h, 99, NEAR, step, lambda _: False).get(goal)
        assert found.get(h) == (0 if h == goal else way and way[0]), "hexes without a way are not in it"
    assert ISLAND not in found


def test_a_goal_may_count_as_farther_than_it_is() -> None:
    near, dear = cell(0, 0), cell(4, 4)
    plain, found = distances({near: 0, dear: 0}, into), distances({near: 0, dear: 3}, into)
    alone, other = distances({near: 0}, into), distances({dear: 3}, into)
    assert plain != found
    assert all(found[h] == min(alone.get(h, 999), other.get(h, 999)) for h in found)
