"""Areas as whole numbers are sets of hexes."""

from __future__ import annotations

import random

from pbem.maps.hexes import STEPS, Hex, pack
from pbem.rules.sengoku.areas import area_of, grid_of, hexes_in, leads_of, within

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
    steps = {h: {Hex(h + by): chance.randint(1, 4) for by in STEPS if h + by in GRID.bit} for h in HEXES}
    leads = leads_of(GRID, steps)
    for most in range(9):
        shut = {*chance.sample(HEXES, 30)}
        begin = {*chance.sample(HEXES, 2)}
        far = dict.fromkeys(begin, 0)
        for _ in range(most):
            for h, points in [*far.items()]:
                for n, price in steps[h].items():
                    if n not in shut and points + price <= min(most, far.get(n, most + 1)):
                        far[n] = points + price
        found = within(leads, area_of(GRID.bit, begin), most, area_of(GRID.bit, shut))
        assert {*hexes_in(GRID, found)} == {*far}
