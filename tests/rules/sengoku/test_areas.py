"""Areas as whole numbers are sets of hexes."""

from __future__ import annotations

import random

from pbem.maps.hexes import STEPS, Hex, pack
from pbem.rules.kit.reach import distances
from pbem.rules.sengoku.areas import area_of, far_from, grid_of, hexes_in, leads_of, rings, within

HEXES = [pack(q, r) for r in range(-3, 6) for q in range(-5, 9)]
GRID = grid_of(HEXES)


def test_areas_are_joined_and_cut_as_sets_are() -> None:
    chance = random.Random(1)
    for _ in range(50):
        a, b = ({*chance.sample(HEXES, chance.randrange(len(HEXES)))} for _ in range(2))
        ours, theirs = area_of(GRID.bit, a), area_of(GRID.bit, b)
        assert [*hexes_in(GRID, ours | theirs)] == sorted(a | b)
        assert {*hexes_in(GRID, ours & theirs)} == a & b
        assert {*hexes_in(GRID, ours & ~theirs)} == a - b
    assert not area_of(GRID.bit, ())


def test_ways_of_an_area_lead_as_far_as_their_points_and_around_what_is_shut() -> None:
    chance = random.Random(2)
    enter = {h: chance.randint(1, 4) for h in HEXES if chance.random() < 0.9}
    every = [(h, Hex(h + by)) for h in HEXES for by in STEPS if h + by in GRID.bit]
    closed, rivers = ({*chance.sample(every, 60)} for _ in range(2))
    leads = leads_of(GRID, enter, closed, rivers, 2)
    for most in range(9):
        shut, toll, begin = ({*chance.sample(HEXES, count)} for count in (30, 40, 2))
        far = dict.fromkeys(begin, 0)
        for _ in range(most):
            for h, n in every:
                if h in far and n in enter and n not in shut and (h, n) not in closed:
                    points = far[h] + enter[n] + 2 * ((h, n) in rivers) + (h in toll) + (n in toll)
                    if points <= most:
                        far[n] = min(points, far.get(n, points))
        areas = [area_of(GRID.bit, hexes) for hexes in (begin, shut, toll)]
        found = [[*hexes_in(GRID, ring)] for ring in rings(leads, areas[0], most, *areas[1:])]
        assert {h: points for points, ring in enumerate(found) for h in ring} == far
        without = rings(leads, areas[0], most, areas[1])
        assert within(leads, areas[0], most, areas[1]) == sum(without)


def test_it_is_as_far_from_places_that_begin_with_points_as_one_way_after_another_says() -> None:
    """Places with less to begin with may be shut, or be reached by a cheaper way from another."""
    chance = random.Random(3)
    enter = {h: chance.randint(1, 4) for h in HEXES if chance.random() < 0.9}
    every = [(h, Hex(h + by)) for h in HEXES for by in STEPS if h + by in GRID.bit]
    closed, rivers = ({*chance.sample(every, 60)} for _ in range(2))
    leads, cheaper = leads_of(GRID, enter, closed, rivers, 2), 0
    for many in (0, 1, 2, 5, 9, 30):
        shut = {*chance.sample(HEXES, 30)}
        begin = {h: -chance.choice((8, 16)) for h in chance.sample(HEXES, many)}
        into = {
            h: [
                (n, enter[n] + 2 * ((h, n) in rivers))
                for by in STEPS
                if (n := Hex(h + by)) in enter and n not in shut and (h, n) not in closed
            ]
            for h in HEXES
        }
        found = far_from(GRID, leads, begin, area_of(GRID.bit, shut))
        assert found == distances(begin, into.__getitem__)
        cheaper += sum(found[h] < points for h, points in begin.items())
    assert cheaper
