"""The geometry by itself: the worked examples, the cases at each limit, and a second reading of it."""

from __future__ import annotations

import math
import os
import random
from fractions import Fraction

import pytest
from rules.samurai import slow_geometry as slow

from pbem.rules.samurai.geometry import (
    DIRECTIONS,
    Base,
    Contact,
    Point,
    Size,
    ahead,
    apart,
    corners,
    distance,
    flight,
    half,
    lie,
    middles,
    nearest_facing,
    on_table,
    overlap,
    point_distance,
    right,
    side_of,
    spans,
    stands_of,
    touches,
)
from pbem.rules.samurai.paths import (
    Range,
    extra_steps,
    first_overlap,
    free_places,
    last_on_table,
    line,
    line_over,
    line_stops,
    merged,
    over,
    place,
    reach,
    steps_of,
    steps_over,
    within,
)
from pbem.rules.samurai.sight import aim_points, blocks, fire_point, in_arc, in_range, thinned

MORE = int(os.environ.get("PBEM_GEOMETRY", "1"))
"""How many times as many random placements as in an ordinary run of the tests."""

STAND, SPEARS, DAIMYO = Size(300, 100), Size(400, 100), Size(100, 100)
ABREAST, BEHIND = Size(300, 100, abreast=2), Size(300, 100, behind=2)
SIZES = (STAND, SPEARS, DAIMYO, ABREAST, BEHIND)


def shape(b: Base, size: Size) -> slow.Polygon:
    """A base as the second reading has it."""
    return slow.polygon(b.x, b.y, b.facing, *size)


def some(chance: random.Random, spread: int) -> tuple[Base, Size]:
    """A base of any kind within so many hundredths of the middle of the table."""
    size = chance.choice(SIZES)
    at = chance.randrange(-spread, spread + 1), chance.randrange(-spread, spread + 1)
    return size.at(3600 + at[0], 2400 + at[1], chance.randrange(8)), size


# --- P-1 and P-2: facings, corners ------------------------------------------------------------------------------------


@pytest.mark.clause("figures.1", "figures.2", "figures.6", "movement.2")
def test_half_extents_are_rounded_once_in_odd_facings() -> None:
    assert [half(extent, odd=True) for extent in (100, 300, 400)] == [35, 106, 141]
    assert [half(extent, odd=False) for extent in (100, 300, 400)] == [50, 150, 200]
    for extent in range(2, 1200, 2):
        assert half(extent, odd=True) == slow.half(extent, True)
        assert half(extent, odd=True) == round(extent / math.sqrt(8))


def test_the_corners_of_the_worked_example() -> None:
    b = STAND.at(3600, 2400, 1)
    assert (ahead(b), right(b)) == ((35, 35), (106, -106))
    assert corners(b) == ((3741, 2329), (3671, 2259), (3459, 2471), (3529, 2541))
    assert middles(b) == ((3635, 2435), (3565, 2365), (3706, 2294), (3494, 2506))


def test_a_base_is_as_far_as_its_corners_on_all_four_axes() -> None:
    for size in SIZES:
        for facing in range(8):
            b = size.at(3600, 2400, facing)
            found = corners(b)
            assert sorted(found) == sorted((int(x), int(y)) for x, y in shape(b, size))
            values = (
                [x for x, _ in found],
                [y for _, y in found],
                [x + y for x, y in found],
                [x - y for x, y in found],
            )
            centre = (3600, 2400, 6000, 1200)
            assert spans(facing, b.hw, b.hd) == tuple(max(v) - c for v, c in zip(values, centre, strict=True))
            assert on_table(b, *(max(v) for v in values[:2]))
            assert not on_table(b, max(values[0]) - 1, max(values[1]))
            assert not on_table(b, max(values[0]), max(values[1]) - 1)


def test_a_base_lies_on_the_table_up_to_its_edges() -> None:
    assert on_table(STAND.at(150, 50, 0), 7200, 4800)
    assert not on_table(STAND.at(149, 50, 0), 7200, 4800)
    assert not on_table(STAND.at(150, 49, 0), 7200, 4800)
    assert on_table(STAND.at(141, 141, 1), 7200, 4800)
    assert not on_table(STAND.at(140, 141, 1), 7200, 4800)


# --- P-3 and P-4: overlap, distance, touch ----------------------------------------------------------------------------


@pytest.mark.clause("turn_sequence.4", "combat.1")
def test_bases_touch_at_two_hundredths_and_not_at_three() -> None:
    enemy = STAND.at(3600, 2400, 4)
    found = [(distance(enemy, STAND.at(3600, y, 0)), touches(enemy, STAND.at(3600, y, 0))) for y in (2300, 2298, 2297)]
    assert found == [(0, True), (8, True), (18, False)]
    assert not overlap(enemy, STAND.at(3600, 2300, 0))
    assert overlap(enemy, STAND.at(3600, 2301, 0))


def test_corners_touch_across_both_gaps() -> None:
    b = STAND.at(3600, 2400, 0)
    gaps = {(dx, dy): touches(b, STAND.at(3900 + dx, 2500 + dy, 0)) for dx in range(4) for dy in range(4)}
    assert {gap for gap, touching in gaps.items() if touching} == {(0, 0), (0, 1), (1, 0), (1, 1), (0, 2), (2, 0)}


def test_a_slanting_edge_touches_by_its_true_distance() -> None:
    b = STAND.at(3600, 2400, 0)  # front right corner at 3750, 2450
    found = []
    for off in range(6):
        other = STAND.at(3750 + 35 + off, 2450 + 35, 5)  # its front edge on the corner when off is 0
        found.append((distance(b, other), touches(b, other)))
    assert found == [(0, True), (1, True), (4, True), (9, False), (16, False), (25, False)]


def test_overlap_distance_and_touch_agree_with_the_second_reading() -> None:
    chance = random.Random(1)
    seen = {True: 0, False: 0}
    for _ in range(160 * MORE):
        (a, one), (b, other) = some(chance, 160), some(chance, 160)
        p, q = shape(a, one), shape(b, other)
        assert overlap(a, b) == overlap(b, a) == slow.overlap(p, q)
        assert Fraction(distance(a, b), 2) == slow.squared(p, q)
        assert apart(a, b) <= distance(a, b)
        assert touches(a, b) == slow.touching(p, q)
        corner = corners(a)[0]
        assert min(point_distance(q, b) for q in corners(a)) <= point_distance(corner, b)
        seen[overlap(a, b)] += 1
    assert min(seen.values()) > 30


def test_touch_agrees_with_the_second_reading_round_its_limit() -> None:
    chance = random.Random(2)
    near = 0
    for _ in range(90 * MORE):
        (a, one), (b, other) = some(chance, 150), some(chance, 400)
        way = chance.randrange(8)
        h = first_overlap(b, way, a)
        if h is None:
            continue
        for back in range(1, 5):
            there = place(b, way, h - back)
            assert touches(there, a) == slow.touching(shape(there, other), shape(a, one)), (a, there)
            near += not overlap(there, a)
    assert near > 30


# --- P-5: the side of contact -----------------------------------------------------------------------------------------


@pytest.mark.clause("definitions.6", "definitions.7", "definitions.8")
def test_each_edge_has_one_side() -> None:
    d = STAND.at(3600, 2400, 0)
    beside = {y: side_of(d, DAIMYO.at(3800, y, 0)) for y in range(2300, 2501)}
    # its middle of contact is that of what it shares with the edge from 2350 to 2450
    assert beside[2500] is Contact.FRONT  # by the front corner alone
    assert {beside[y] for y in range(2400, 2500)} == {Contact.FLANK}  # the middle itself too
    assert {beside[y] for y in range(2300, 2400)} == {Contact.REAR}
    along = {x: side_of(d, DAIMYO.at(x, 2500, 4)) for x in range(3400, 3801, 50)}
    assert set(along.values()) == {Contact.FRONT}
    assert {side_of(d, DAIMYO.at(x, 2300, 0)) for x in range(3400, 3801, 50)} == {Contact.REAR}


@pytest.mark.clause("definitions.7", "combat.9", "combat.10")
def test_a_whole_side_edge_is_flank() -> None:
    target, attacker = STAND.at(3600, 2400, 4), STAND.at(3800, 2400, 6)
    assert touches(target, attacker)
    assert side_of(target, attacker) is Contact.FLANK
    assert side_of(attacker, target) is Contact.FRONT


@pytest.mark.clause("definitions.6", "definitions.8")
def test_on_a_slanting_edge_the_corner_counts() -> None:
    d = STAND.at(3600, 2400, 0)
    front = STAND.at(3750 + 35, 2450 + 35, 5)
    rear = STAND.at(3750 + 35, 2350 - 35, 7)
    assert side_of(d, front) is Contact.FRONT
    assert side_of(d, rear) is Contact.REAR
    for way in range(8):  # the same in every facing
        turned = STAND.at(3600, 2400, way)
        for corner, contact in zip(
            corners(turned), (Contact.FRONT, Contact.REAR, Contact.REAR, Contact.FRONT), strict=True
        ):
            out = DIRECTIONS.index(((corner.x > 3600) - (corner.x < 3600), (corner.y > 2400) - (corner.y < 2400)))
            if way % 2 == 0:
                other = STAND.at(corner.x + 35 * DIRECTIONS[out][0], corner.y + 35 * DIRECTIONS[out][1], (out + 4) % 8)
                assert touches(turned, other)
                assert side_of(turned, other) is contact


@pytest.mark.clause("definitions.6", "definitions.7", "definitions.8")
def test_the_side_is_that_of_the_angle_to_the_middle_of_the_contact() -> None:
    """On parallel edges, in the target's own axes scaled to a square, by angles as the rulebook has them."""
    chance, found = random.Random(3), dict.fromkeys(Contact, 0)
    for _ in range(2000 * MORE):
        d, _ = some(chance, 100)
        size, turn = chance.choice(SIZES), 2 * chance.randrange(4)
        a = size.at(0, 0, (d.facing + turn) % 8)
        wide, deep = (a.hw, a.hd) if turn % 4 == 0 else (a.hd, a.hw)
        edge = chance.randrange(4)
        if edge % 2 == 0:
            u, v = chance.randint(-d.hw - wide, d.hw + wide), (d.hd + deep) * (1 - edge)
        else:
            u, v = (d.hw + wide) * (2 - edge), chance.randint(-d.hd - deep, d.hd + deep)
        dx, dy = DIRECTIONS[d.facing]
        a = a._replace(x=d.x + u * dy + v * dx, y=d.y - u * dx + v * dy)
        assert touches(a, d)
        middle_u = Fraction(max(-d.hw, u - wide) + min(d.hw, u + wide), 2 * d.hw)
        middle_v = Fraction(max(-d.hd, v - deep) + min(d.hd, v + deep), 2 * d.hd)
        angle = math.degrees(math.atan2(abs(middle_u), middle_v))
        side = Contact.FRONT if angle <= 45 else Contact.FLANK if angle <= 90 else Contact.REAR
        assert side_of(d, a) is side, (d, a, angle)
        found[side] += 1
    assert min(found.values()) > 150


# --- P-6: straight moves ----------------------------------------------------------------------------------------------


@pytest.mark.clause("movement.1")
def test_the_charge_of_the_worked_example() -> None:
    ronin, enemy = STAND.at(3300, 1900, 1), STAND.at(3600, 2400, 4)
    assert steps_of(700, 1) == 494
    assert steps_of(438, 1) == 309
    assert first_overlap(ronin, 1, enemy) == 310
    there = place(ronin, 1, 309)
    assert (there.x, there.y) == (3609, 2209)
    assert corners(there)[3] == (3538, 2350)
    assert (side_of(enemy, there), side_of(there, enemy)) == (Contact.FRONT, Contact.FRONT)
    assert touches(there, enemy)


def test_steps_of_a_diagonal_are_no_longer_than_the_length() -> None:
    for length in range(0, 1201, 7):
        n = steps_of(length, 3)
        assert 2 * n * n <= length * length < 2 * (n + 1) ** 2
        assert steps_of(length, 2) == length


def test_the_closed_form_is_what_stepping_finds() -> None:
    chance, met = random.Random(4), 0
    for _ in range(120 * MORE):
        (a, _), (b, _) = some(chance, 700), some(chance, 200)
        way = chance.randrange(8)
        stepped = [j for j in range(-800, 801) if overlap(place(a, way, j), b)]
        found = over(a, way, b)
        inside = None if found is None else (max(found.low, -800), min(found.high, 800))
        assert (None if not stepped else (stepped[0], stepped[-1])) == (
            None if inside is None or inside[0] > inside[1] else inside
        )
        later = [j for j in stepped if j >= 1]
        h = first_overlap(a, way, b)
        assert h == (later[0] if later else None) or (h or 0) > 800
        steps = chance.randrange(800)
        near = [j for j in stepped if 1 <= j <= steps]
        assert steps_over(a, way, 1, steps, [("b", *lie(b))]) == ([(near[0], near[-1], "b")] if near else [])
        met += bool(later)
    assert met > 10


def test_the_last_place_on_the_table_is_what_stepping_finds() -> None:
    chance = random.Random(5)
    for _ in range(200 * MORE):
        a, _ = some(chance, 300)
        way, table = chance.randrange(8), (4300, 3000)
        last = last_on_table(a, way, *table)
        stepped = -1
        while on_table(place(a, way, stepped + 1), *table):
            stepped += 1
            if last < 0:
                break
        assert last == stepped or (last < 0) == (not on_table(a, *table))


def test_steps_in_difficult_ground_count_twice() -> None:
    wood = Size(200, 200).at(3600, 2600, 0)  # from y 2500 to 2700
    b = STAND.at(3600, 2350, 0)
    ground = over(b, 0, wood)
    assert ground == Range(101, 399)  # its front is over it from the first step past 2500
    assert reach(100, [ground]) == 100
    assert [reach(n, [ground]) for n in (101, 102, 103, 104)] == [100, 101, 101, 102]
    assert reach(698, [ground]) == 399
    assert reach(699, [ground]) == 400
    assert extra_steps(399, [ground]) == 299


def test_the_reach_is_what_stepping_finds() -> None:
    chance = random.Random(6)
    for _ in range(500 * MORE):
        found = [
            Range(low := chance.randrange(-50, 80), low + chance.randrange(60)) for _ in range(chance.randrange(4))
        ]
        budget, done, cost = chance.randrange(150), 0, 0
        while True:
            slow_step = any(r.low <= done + 1 <= r.high for r in found)
            if cost + 1 + slow_step > budget:
                break
            cost, done = cost + 1 + slow_step, done + 1
        assert reach(budget, merged(found)) == done, (found, budget)
        assert extra_steps(done, merged(found)) == cost - done


def test_ways_are_those_of_the_second_reading() -> None:
    chance, cut = random.Random(7), 0
    table = (4200, 3000)
    for _ in range(9 * MORE):
        size = chance.choice(SIZES)
        b = size.at(3600 + chance.randrange(-60, 61), 2400 + chance.randrange(-60, 61), chance.randrange(8))
        placed = [some(chance, 300) for _ in range(3)]
        placed = [(other, kind) for other, kind in placed if not overlap(b, other)]
        stops, grounds = placed[:1], placed[1:]
        way = chance.choice((b.facing, (b.facing + 4) % 8))
        length = chance.randrange(40, 250)
        n = min(
            reach(steps_of(length, way), merged(r for g, _ in grounds if (r := over(b, way, g)) is not None)),
            last_on_table(b, way, *table),
            *(h - 1 for s, _ in stops if (h := first_overlap(b, way, s)) is not None),
        )
        shapes = [[shape(other, kind) for other, kind in group] for group in (stops, grounds)]

        def budget(cost: int, way: int = way, length: int = length) -> bool:
            return cost <= length if way % 2 == 0 else 2 * cost * cost <= length * length

        start = (b.x, b.y, b.facing, size.width, size.depth)
        assert n == slow.walked(start, way, budget, *shapes, table, size[2:])
        cut += n < steps_of(length, way)
    assert cut > 2


# --- P-7: a daimyo's line ---------------------------------------------------------------------------------------------


@pytest.mark.clause("movement.6")
def test_the_line_of_places_is_the_nearest_whole_numbers() -> None:
    start, end = Point(1000, 1000), Point(1007, 996)
    assert [line(start, end, j) for j in range(8)] == [
        (1000, 1000), (1001, 999), (1002, 999), (1003, 998), (1004, 998), (1005, 997), (1006, 997), (1007, 996),
    ]  # fmt: skip
    assert line(start, start, 0) == start
    chance = random.Random(8)
    for _ in range(200 * MORE):
        end = Point(chance.randrange(0, 2000), chance.randrange(0, 2000))
        n = max(abs(end.x - 1000), abs(end.y - 1000))
        for j in {0, n, chance.randrange(n + 1)}:
            x, y = line(start, end, j)
            assert 2 * abs((x - 1000) * n - j * (end.x - 1000)) <= n
            assert 2 * abs((y - 1000) * n - j * (end.y - 1000)) <= n


def test_a_daimyo_stops_before_the_first_place_that_lies_over_something() -> None:
    chance, stopped = random.Random(9), 0
    for _ in range(80 * MORE):
        b = DAIMYO.at(3600, 2400, chance.randrange(8))
        obstacles = [some(chance, 500)[0] for _ in range(2)]
        end = Point(3600 + chance.randrange(-500, 501), 2400 + chance.randrange(-500, 501))
        n = max(abs(end.x - 3600), abs(end.y - 2400))
        steps = [b._replace(x=p.x, y=p.y) for p in (line(Point(3600, 2400), end, j) for j in range(1, n + 1))]
        free = next((j for j, there in enumerate(steps) if any(overlap(there, o) for o in obstacles)), n)
        assert line_stops(b, end, obstacles) == free
        stopped += free < n
        twice = sum(any(overlap(there, o) for o in obstacles) for there in steps)
        length = math.dist((0, 0), (end.x - 3600, end.y - 2400)) * (n + twice) / n if n else 0
        for limit in (math.floor(length) - 1, math.ceil(length) + 1):
            assert within(b, end, max(limit, 0), obstacles) == (max(limit, 0) >= length)
    assert stopped > 15


def test_the_places_over_something_and_the_free_ones_are_those_of_the_line() -> None:
    chance, under, none = random.Random(10), 0, 0
    for _ in range(80 * MORE):
        b, obstacles = DAIMYO.at(3600, 2400, chance.randrange(8)), [some(chance, 300)[0] for _ in range(3)]
        far = chance.choice((3, 30, 300))
        end = Point(3600 + chance.randrange(-far, far + 1), 2400 + chance.randrange(-far, far + 1))
        n = max(abs(end.x - 3600), abs(end.y - 2400))
        way = [b._replace(x=p.x, y=p.y) for p in (line(Point(3600, 2400), end, j) for j in range(n + 1))]
        for o in obstacles:
            found = line_over(b, end, o)
            assert [j for j in range(n + 1) if overlap(way[j], o)] == (
                [*range(found[0], found[1] + 1)] if found else []
            )
            under += found is not None
        last, width, depth = chance.randrange(n + 1), 3600 + chance.randrange(300), 2400 + chance.randrange(300)
        room = [on_table(there, width, depth) and not any(overlap(there, o) for o in obstacles) for there in way]
        free = list(free_places(b, end, last, obstacles, width, depth))
        assert free == [j for j in range(last, -1, -1) if room[j]]
        none += not free
    assert min(under, none, 80 * MORE - none) > 15


@pytest.mark.clause("movement.6")
def test_a_daimyo_goes_his_whole_limit_in_any_direction() -> None:
    b = DAIMYO.at(1000, 1000, 0)
    assert within(b, Point(1720, 1960), 1200, [])  # 7.2 and 9.6 inches: 12 exactly
    assert not within(b, Point(1720, 1961), 1200, [])
    assert within(b, Point(1000, 1000), 0, [])


# --- P-8 and P-9: fire ------------------------------------------------------------------------------------------------


@pytest.mark.clause("fire_combat.4", "fire_combat.5")
def test_the_corner_of_the_worked_example_is_hit() -> None:
    p = fire_point(STAND.at(3600, 1000, 0))
    spears = SPEARS.at(4000, 1850, 4)
    assert p == (3600, 1050)
    points = aim_points(spears)
    assert not in_range(p, points[0], 800)
    assert points[2] == (3800, 1900)
    corner = Point(3800, 1800)
    assert corner in points
    assert in_range(p, corner, 800)
    assert in_arc(p, corner, 0)


@pytest.mark.clause("fire_combat.4")
def test_ranges_reach_as_far_as_they_say() -> None:
    p = Point(0, 0)
    for most in (800, 1200):
        assert in_range(p, Point(0, most), most)
        assert not in_range(p, Point(0, most + 1), most)
        assert in_range(p, Point(most * 3 // 5, most * 4 // 5), most)
        assert not in_range(p, Point(most * 3 // 5 + 1, most * 4 // 5), most)


@pytest.mark.clause("fire_combat.5")
def test_the_arc_has_its_limits() -> None:
    p = Point(1000, 1000)
    for facing, (dx, dy) in enumerate(DIRECTIONS):
        left, right_ = DIRECTIONS[(facing - 1) % 8], DIRECTIONS[(facing + 1) % 8]
        for to in (left, right_, (dx, dy)):
            assert in_arc(p, Point(1000 + 100 * to[0], 1000 + 100 * to[1]), facing)
        off = [(100 * d[0] - dx, 100 * d[1] - dy) for d in (left, right_)]  # a little behind each limit
        assert not any(in_arc(p, Point(1000 + x, 1000 + y), facing) for x, y in off)
        assert not in_arc(p, Point(1000 - dx, 1000 - dy), facing)
        assert not in_arc(p, p, facing)


@pytest.mark.clause("fire_combat.6")
def test_a_line_along_an_edge_or_through_a_corner_is_free() -> None:
    b = STAND.at(3600, 2400, 0)  # 3450 to 3750, 2350 to 2450
    assert not blocks(Point(3000, 2450), Point(4200, 2450), b)
    assert blocks(Point(3000, 2449), Point(4200, 2449), b)
    assert not blocks(Point(3350, 2350), Point(3550, 2550), b)  # through its front left corner
    assert blocks(Point(3351, 2350), Point(3551, 2550), b)
    assert not blocks(Point(3600, 2000), Point(3600, 2350), b)  # ends on the edge
    assert blocks(Point(3600, 2000), Point(3600, 2351), b)
    assert blocks(Point(3590, 2400), Point(3600, 2400), b)  # wholly inside


def test_what_blocks_is_what_the_second_reading_says() -> None:
    chance, found = random.Random(10), [0, 0]
    for _ in range(500 * MORE):
        b, size = some(chance, 100)
        p, q = (Point(3600 + chance.randrange(-500, 501), 2400 + chance.randrange(-500, 501)) for _ in range(2))
        if chance.random() < 0.5:
            q = chance.choice((*corners(b), *middles(b)))  # the cases at the limit
        blocked = blocks(p, q, b)
        ends = [(Fraction(a.x), Fraction(a.y)) for a in (p, q)]
        assert p == q or blocked == slow.enters(*ends, shape(b, size))
        found[blocked] += 1
    assert min(found) > 60


def test_one_sees_an_inch_deep_into_a_wood() -> None:
    wood = Size(1000, 800).at(3600, 2400, 0)
    outside, edge, inside = Point(3600, 1500), Point(3600, 2000), Point(3600, 2001)
    assert thinned(outside, Point(3600, 3000), wood) == wood
    assert thinned(outside, edge, wood) == wood
    assert thinned(outside, inside, wood) == Base(3600, 2400, 0, 400, 300)
    assert not blocks(outside, Point(3600, 2100), thinned(outside, Point(3600, 2100), wood) or wood)
    assert blocks(outside, Point(3600, 2101), thinned(outside, Point(3600, 2101), wood) or wood)
    assert thinned(outside, Point(3600, 2400), Size(300, 200).at(3600, 2400, 0)) is None
    assert thinned(outside, Point(3600, 2400), Size(1000, 800).at(3600, 2400, 1)) == Base(3600, 2400, 1, 283, 212)


# --- P-10 and P-11: rout, two stands ----------------------------------------------------------------------------------


@pytest.mark.clause("morale_check.4")
def test_the_direction_of_flight_is_the_nearest_of_eight() -> None:
    assert [nearest_facing(*g) for g in ((100, 242), (100, 241), (41, 100), (42, 100))] == [0, 1, 0, 1]
    for degrees in range(0, 360, 3):
        g = round(100000 * math.sin(math.radians(degrees))), round(100000 * math.cos(math.radians(degrees)))
        assert nearest_facing(*g) == round(degrees / 45) % 8


def test_flight_is_away_from_the_nearest_point_of_the_enemy() -> None:
    chance = random.Random(11)
    for _ in range(300 * MORE):
        (b, _), (e, size) = some(chance, 500), some(chance, 200)
        if overlap(b, e):
            continue
        centre = (Fraction(b.x), Fraction(b.y))
        nearest = None
        for one, other in slow.edges(shape(e, size)):
            dx, dy = other[0] - one[0], other[1] - one[1]
            share = ((centre[0] - one[0]) * dx + (centre[1] - one[1]) * dy) / (dx * dx + dy * dy)
            share = min(max(share, Fraction(0)), Fraction(1))
            point = (one[0] + share * dx, one[1] + share * dy)
            off = (point[0] - centre[0]) ** 2 + (point[1] - centre[1]) ** 2
            nearest = min(nearest or (off, point), (off, point))
        assert nearest is not None
        g = centre[0] - nearest[1][0], centre[1] - nearest[1][1]
        angle = math.degrees(math.atan2(g[0], g[1])) % 360
        assert flight(b, e) == round(angle / 45) % 8


@pytest.mark.clause("definitions.5a", "definitions.5b")
def test_two_stands_fill_the_base_of_their_unit_in_every_facing() -> None:
    for size in (ABREAST, BEHIND):
        for facing in range(8):
            unit = size.at(3600, 2400, facing)
            first, second = stands_of(unit, size)
            assert not overlap(first, second)
            assert distance(first, second) == 0
            both = shape(unit, size)
            parts = [shape(stand, Size(300, 100)) for stand in (first, second)]
            assert sum(map(slow.area, parts)) == slow.area(both)
            assert all(slow.area(slow.common(part, both)) == slow.area(part) for part in parts)
    assert [b.x for b in stands_of(ABREAST.at(3600, 2400, 0), ABREAST)] == [3450, 3750]
    assert [b.y for b in stands_of(BEHIND.at(3600, 2400, 0), BEHIND)] == [2450, 2350]
