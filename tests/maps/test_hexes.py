"""Hexes: packing, neighbours, distance and lines, over random hexes and against a slow search."""

from __future__ import annotations

from itertools import pairwise, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.maps.hexes import (
    Direction,
    Hex,
    OnDemand,
    are_adjacent,
    corner,
    direction,
    distance,
    line,
    neighbours,
    opposite,
    pack,
    step,
    unpack,
)

coordinates = st.integers(-60, 60)
hexes = st.builds(pack, coordinates, coordinates)


@given(st.integers(-2048, 2047), st.integers(-2048, 2047))
def test_packing_keeps_both_coordinates(q: int, r: int) -> None:
    assert unpack(pack(q, r)) == (q, r)


@given(hexes)
def test_six_neighbours_lie_one_step_off_and_know_the_way_back(h: Hex) -> None:
    around = neighbours(h)
    assert len(set(around)) == 6
    for d, n in zip(Direction, around, strict=True):
        assert step(h, d) == n
        assert direction(h, n) is d
        assert step(n, opposite(d)) == h
        assert distance(h, n) == 1


@pytest.mark.parametrize(
    ("d", "q", "r"),
    [
        (Direction.EAST, 1, 0),
        (Direction.NORTH_EAST, 1, -1),
        (Direction.NORTH_WEST, 0, -1),
        (Direction.WEST, -1, 0),
        (Direction.SOUTH_WEST, -1, 1),
        (Direction.SOUTH_EAST, 0, 1),
    ],
)
def test_the_directions_by_their_coordinates(d: Direction, q: int, r: int) -> None:
    assert unpack(step(pack(5, 7), d)) == (5 + q, 7 + r)


@given(hexes)
def test_consecutive_neighbours_adjoin_each_other(h: Hex) -> None:
    around = neighbours(h)
    for i in range(6):
        assert are_adjacent(around[i], around[i - 1])
        assert corner(h, around[i], around[i - 1]) == {h, around[i], around[i - 1]}
        assert not are_adjacent(around[i], around[i - 2])
        for three in permutations((h, around[i], around[i - 2])):
            assert corner(*three) is None


def test_a_hex_is_not_its_own_neighbour() -> None:
    h = pack(0, 0)
    assert not are_adjacent(h, h)
    assert direction(h, h) is None
    assert direction(h, pack(2, 0)) is None


def test_distance_agrees_with_a_flood_from_the_middle() -> None:
    start = pack(3, -2)
    steps, ring = {start: 0}, [start]
    for far in range(1, 8):
        ring = sorted({n for h in ring for n in neighbours(h)} - set(steps))
        steps.update(dict.fromkeys(ring, far))
    assert len(steps) == 1 + sum(6 * far for far in range(1, 8))
    assert all(distance(start, h) == far for h, far in steps.items())


@given(hexes, hexes, hexes)
def test_distance_is_a_metric(a: Hex, b: Hex, c: Hex) -> None:
    assert distance(a, b) == distance(b, a)
    assert (distance(a, b) == 0) == (a == b)
    assert distance(a, c) <= distance(a, b) + distance(b, c)


@given(hexes, hexes)
def test_a_line_is_a_shortest_path_and_the_same_both_ways(a: Hex, b: Hex) -> None:
    path = line(a, b)
    assert path[0] == a
    assert path[-1] == b
    assert len(path) == distance(a, b) + 1
    assert all(are_adjacent(x, y) for x, y in pairwise(path))
    assert line(b, a) == path[::-1]


def test_a_straight_line_stays_straight() -> None:
    assert line(pack(0, 0), pack(4, 0)) == tuple(pack(q, 0) for q in range(5))


def test_hexes_sort_from_north_to_south_and_west_to_east() -> None:
    assert sorted([pack(0, 1), pack(1, 0), pack(0, 0)]) == [pack(0, 0), pack(1, 0), pack(0, 1)]


def test_what_is_worked_out_on_demand_is_worked_out_once() -> None:
    asked: list[Hex] = []

    def work(h: Hex) -> int:
        asked.append(h)
        return {pack(0, 0): 1}[h]

    found = OnDemand(work)
    assert [found[pack(0, 0)], found[pack(0, 0)]] == [1, 1]
    assert asked == [pack(0, 0)]
    with pytest.raises(KeyError):
        found[pack(1, 0)]
