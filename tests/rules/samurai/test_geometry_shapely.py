"""The geometry held against shapely on random placements, those within the rounding of a limit left out."""

from __future__ import annotations

import os
import random

from shapely import LineString, Polygon
from shapely.geometry import Point as Dot

from pbem.rules.samurai.geometry import Base, Point, Size, corners, distance, on_table, overlap, point_distance, touches
from pbem.rules.samurai.paths import first_overlap, place
from pbem.rules.samurai.sight import blocks

MORE = int(os.environ.get("PBEM_GEOMETRY", "1"))
"""How many times as many random placements as in an ordinary run of the tests."""

SIZES = (Size(300, 100), Size(400, 100), Size(100, 100), Size(300, 100, abreast=2), Size(300, 100, behind=2))
NEAR = 1e-6


def some(chance: random.Random, spread: int) -> Base:
    """A base of any kind round the middle of the table."""
    x, y = (chance.randrange(-spread, spread + 1) for _ in range(2))
    return chance.choice(SIZES).at(3600 + x, 2400 + y, chance.randrange(8))


def shape(b: Base) -> Polygon:
    return Polygon(corners(b))


def test_overlap_distance_and_touch() -> None:
    chance, found = random.Random(21), [0, 0]
    for _ in range(1500 * MORE):
        a, b = some(chance, 250), some(chance, 250)
        p, q = shape(a), shape(b)
        shared, apart = p.intersection(q).area, p.distance(q)
        if not NEAR < shared < 1:
            assert overlap(a, b) == (shared >= 1)
        assert abs((distance(a, b) / 2) ** 0.5 - apart) < NEAR
        if abs(apart - 2) > NEAR:
            assert touches(a, b) == (apart < 2)
        corner = corners(a)[chance.randrange(4)]
        assert abs((point_distance(corner, b) / 2) ** 0.5 - q.distance(Dot(corner))) < NEAR
        found[overlap(a, b)] += 1
    assert min(found) > 150 * MORE


def test_lines_of_sight() -> None:
    chance, found = random.Random(22), [0, 0]
    for _ in range(1500 * MORE):
        b = some(chance, 150)
        p, q = (Point(3600 + chance.randrange(-900, 901), 2400 + chance.randrange(-900, 901)) for _ in range(2))
        inside = LineString([p, q]).intersection(shape(b)).length if p != q else 0.0
        deep = LineString([p, q]).intersection(shape(b).buffer(-0.01)).length if p != q else 0.0
        if (inside > NEAR) == (deep > NEAR):
            assert blocks(p, q, b) == (deep > NEAR)
            found[deep > NEAR] += 1
    assert min(found) > 150 * MORE


def test_the_strip_that_a_base_sweeps_is_free_up_to_the_first_overlap() -> None:
    chance, met = random.Random(23), 0
    for _ in range(800 * MORE):
        a, b = some(chance, 700), some(chance, 200)
        way = chance.randrange(8)
        if overlap(a, b):
            continue
        h = first_overlap(a, way, b)
        upto = (h or 1001) - 1
        strip = Polygon([*corners(a), *corners(place(a, way, upto))]).convex_hull
        assert strip.intersection(shape(b)).area < 400  # a sliver beside a slanting edge, less than a step wide
        if h is not None:
            assert shape(place(a, way, h)).intersection(shape(b)).area > 0
            assert shape(place(a, way, upto)).distance(shape(b)) < 2**0.5 + NEAR
            met += 1
    assert met > 80 * MORE


def test_the_edge_of_the_table() -> None:
    table, chance = Polygon([(0, 0), (7200, 0), (7200, 4800), (0, 4800)]), random.Random(24)
    for _ in range(300 * MORE):
        x, y = (
            chance.choice((0, 7200)) + chance.randrange(-400, 401),
            chance.choice((0, 4800)) + chance.randrange(-400, 401),
        )
        b = chance.choice(SIZES).at(x, y, chance.randrange(8))
        assert on_table(b, 7200, 4800) == table.covers(shape(b))
