"""Who touches and hits whom and how far units go, in games, held against the second reading of the geometry."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations, islice

from matches import scenario_of
from rules.samurai import slow_geometry as slow

from pbem.match.futures import chance_answer
from pbem.match.game import Game
from pbem.rules import samurai
from pbem.rules.requests import Choose
from pbem.rules.samurai import fire, movement
from pbem.rules.samurai.board import Board
from pbem.rules.samurai.orders import Move
from pbem.rules.samurai.state import ENEMY, State

MORE = int(os.environ.get("PBEM_GEOMETRY", "1"))
"""How many times as many positions are looked at as in an ordinary run of the tests."""

SIGHT = {"wood": True, "hill": True, "building": False}
"""Ground that hides, and whether one sees an inch into it."""


@cache
def board(scenario: str) -> Board:
    """A board, made once."""
    return samurai.board(scenario_of(scenario).data)


def positions(kind: str, seed: int, every: int) -> Iterator[State]:
    """States of games in which such a decision is due: in the valley, half of the orders advised and half random."""
    chance = random.Random(seed)
    game = Game.new(samurai, board("wooded-valley"), {})
    while game.request is not None:
        if isinstance(game.request, Choose):
            if game.request.kind == kind and chance.randrange(every) == 0:
                yield game.state
            advised = chance.random() < 0.6
            order = samurai.advise(game.state, game.request, chance) if advised else game.request.sample(chance)
            game.apply(order)
        else:
            game.apply(chance_answer(game.request, chance))


def shape(s: State, unit: str) -> slow.Polygon:
    """The base of a unit, of both its stands if it has them."""
    kind, b = s.board.units[unit].kind, s.at[unit]
    left = sum(figures > 0 for figures in s.figures[unit])
    behind = left > 1 and s.shape[unit] == "behind"
    return slow.polygon(b.x, b.y, b.facing, kind.width, kind.depth, 1 if behind else left, left if behind else 1)


def stands(s: State, unit: str) -> list[tuple[int, slow.Polygon]]:
    """The stands of a unit: number, polygon; of two those on both sides of the middle, first the left or front one."""
    kind, b = s.board.units[unit].kind, s.at[unit]
    dx, dy = slow.AHEAD[b.facing]
    numbers = [number for number, figures in enumerate(s.figures[unit]) if figures]
    if len(numbers) == 1:
        return [(numbers[0], shape(s, unit))]
    diagonal = b.facing % 2 == 1
    if s.shape[unit] == "behind":
        step = slow.half(kind.depth, diagonal)
        off = [(step * dx, step * dy), (-step * dx, -step * dy)]
    else:
        step = slow.half(kind.width, diagonal)
        off = [(-step * dy, step * dx), (step * dy, -step * dx)]
    return [
        (number, slow.polygon(b.x + x, b.y + y, b.facing, kind.width, kind.depth))
        for number, (x, y) in zip(numbers, off, strict=True)
    ]


def between(a: slow.Place, b: slow.Place) -> slow.Place:
    return Fraction(a[0] + b[0], 2), Fraction(a[1] + b[1], 2)


def aimed(p: slow.Polygon) -> list[slow.Place]:
    """Where a stand can be hit: centre, corners, middles of the edges."""
    return [between(p[0], p[2]), *p, *(between(a, b) for a, b in slow.edges(p))]


def front(p: slow.Polygon, facing: int) -> slow.Place:
    """The middle of the front edge: the one that is farthest ahead."""
    dx, dy = slow.AHEAD[facing]
    return max((between(a, b) for a, b in slow.edges(p)), key=lambda q: q[0] * dx + q[1] * dy)


def hides(s: State, a: slow.Place, b: slow.Place) -> bool:
    """Whether ground hides a place from another."""
    for piece in s.board.pieces.values():
        if piece.kind not in SIGHT:
            continue
        off = (100, 71)[piece.base.facing % 2] if SIGHT[piece.kind] else 0
        inside = any(crosses(q, q, ground(s, piece.id)) for q in (a, b))
        less = off if inside else 0
        if min(piece.base.hw, piece.base.hd) > less and crosses(a, b, ground(s, piece.id, less)):
            return True
    return False


def ground(s: State, piece: str, less: int = 0) -> slow.Polygon:
    """A piece of ground, its half extents less so many."""
    base = s.board.pieces[piece].base
    dx, dy = slow.AHEAD[base.facing]
    w, d = base.hw - less, base.hd - less
    corners = ((1, 1), (-1, 1), (-1, -1), (1, -1))
    found = [(base.x + u * w * dy + v * d * dx, base.y - u * w * dx + v * d * dy) for u, v in corners]
    return list(found)


def hit(s: State, unit: str, stand: slow.Polygon, target: str) -> int | None:
    """The stand of a target that a stand can hit."""
    facing, reach = s.at[unit].facing, s.board.units[unit].kind.reach
    dx, dy = slow.AHEAD[facing]
    p = front(stand, facing)
    reached = [o for o in s.at if max(abs(s.at[o].x - p[0]), abs(s.at[o].y - p[1])) < reach + 400]
    if target not in reached:
        return None
    blockers = [q for o in reached if o not in (unit, target) and s.board.units[o].troops for _, q in stands(s, o)]
    for number, other in sorted(stands(s, target), key=lambda one: (s.figures[target][one[0]], one[0])):
        for q in aimed(other):
            x, y = q[0] - p[0], q[1] - p[1]
            ahead = x * dx + y * dy
            within = x * x + y * y <= reach * reach
            if not within or ahead <= 0 or 2 * ahead * ahead < (x * x + y * y) * (dx * dx + dy * dy):
                continue  # too far, or more than 45 degrees off: the cosine is less than half the root of two
            if not any(crosses(p, q, blocker) for blocker in blockers) and not hides(s, p, q):
                return number
    return None


def crosses(a: slow.Place, b: slow.Place, p: slow.Polygon) -> bool:
    """Whether a line enters a polygon, if it comes near it at all."""
    for i in (0, 1):
        low, high = min(a[i], b[i]), max(a[i], b[i])
        if high < min(q[i] for q in p) or low > max(q[i] for q in p):
            return False
    return slow.enters(a, b, p)


def near(a: slow.Polygon, b: slow.Polygon, reach: int) -> bool:
    """Whether two polygons may be that near."""
    return all(abs(a[0][i] - b[0][i]) < reach + 1500 for i in (0, 1))


def test_who_touches_whom() -> None:
    touched, seen = 0, 0
    for seed in range(MORE):
        for s in islice(positions("move", seed, 90), 3):
            shapes = {unit: shape(s, unit) for unit in s.at}
            seen += 1
            for one, other in combinations(s.at, 2):
                found = other in s.touching(one, s.board.units[other].side)
                assert found == (near(shapes[one], shapes[other], 0) and slow.touching(shapes[one], shapes[other]))
                assert not (near(shapes[one], shapes[other], 0) and slow.overlap(shapes[one], shapes[other]))
                touched += found
    assert seen == 3 * MORE
    assert touched > 10


def test_who_fires_at_whom() -> None:
    hits, judged = 0, 0
    for seed in range(MORE):
        for s in islice(positions("fire", 10 + seed, 5), 3):
            for unit in [unit for unit in s.at if s.board.units[unit].kind.reach]:
                for target in s.troops(s.board.enemy[s.board.units[unit].side]):
                    found = {shot.stand: shot.hit for shot in fire.shots(s, unit, target)}
                    wanted = {n: h for n, p in stands(s, unit) if (h := hit(s, unit, p, target)) is not None}
                    assert found == wanted, (unit, target)
                    hits += bool(wanted)
                    judged += 1
    assert judged > 300
    assert hits > 10


def test_how_far_units_go() -> None:
    """Step by step; without pushed daimyos, and for units that began the step in touch with nobody."""
    judged, cut, chance = 0, 0, random.Random(20)
    for seed in range(MORE):
        for s in islice(positions("move", 30 + seed, 60), 6):
            units = [unit for side in s.board.side for unit in s.troops(side) if unit not in s.met]
            for unit in chance.sample(units, min(2, len(units))):
                order = Move(unit, s.board.units[unit].kind.move // 3, back=chance.random() < 0.3)
                found = movement.run(s, order)
                if any(s.board.units[other].daimyo for other in s.at if other in found.placed) or found.placed:
                    continue
                judged += 1
                cut += found.cut == ENEMY
                assert found.steps == steps(s, order), (order, s.at[unit])
    assert judged > 4


def steps(s: State, order: Move) -> int:
    """The steps of a move, one after another."""
    unit, b = s.board.units[order.unit], s.at[order.unit]
    way = (b.facing + 4) % 8 if order.back else b.facing
    enemy = s.board.enemy[unit.side]
    loose = [o for o in s.on(enemy) if s.board.units[o].daimyo and not s.lone(o)]
    own = shape(s, order.unit)
    stops = [shape(s, o) for o in s.at if o != order.unit and o not in loose]
    stops += [ground(s, piece) for piece in s.board.pieces if s.board.pieces[piece].kind in ("building", "water")]
    slows = [ground(s, piece) for piece in s.board.pieces if s.board.pieces[piece].kind in ("wood", "rough")]
    left = sum(figures > 0 for figures in s.figures[order.unit])
    behind = left > 1 and s.shape[order.unit] == "behind"
    size = (1 if behind else left, left if behind else 1)

    def budget(cost: int) -> bool:
        return cost <= order.length if way % 2 == 0 else 2 * cost * cost <= order.length**2

    close = [[p for p in some if near(own, p, order.length)] for some in (stops, slows)]
    start = (b.x, b.y, b.facing, unit.kind.width, unit.kind.depth)
    return slow.walked(start, way, budget, *close, (s.board.width, s.board.depth), size)
