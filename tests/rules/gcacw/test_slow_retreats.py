"""Retreats against a second, slow reading: every way is listed first, and judged afterwards (std-7.6-2, std-7.6-8)."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from itertools import pairwise

import pytest

from pbem.errors import Refusal
from pbem.maps.hexes import Hex, distance
from pbem.rules.gcacw.orders import FallBack
from pbem.rules.gcacw.retreat import Flight, default_way, flight, ways, why_not
from pbem.rules.gcacw.state import State

Field = Callable[..., State]
Way = tuple[Hex, ...]

FOES = ("hood", "kemper", "wilcox", "anderson")
GOES = {"retreat": (2, 4), "rout": (4, 6)}


def somewhere(field: Field, chance: random.Random) -> State:
    """A random piece of ground with holes, roads and rivers; the stack in the middle, an attacker north of it."""
    rows = [["-" if chance.random() < 0.35 else "." for _ in range(7)] for _ in range(7)]
    for number in ("0404", "0403"):
        rows[int(number[2:]) - 1][int(number[:2]) - 1] = "."
    text = "\n".join(" ".join(row) for row in rows)
    free = [f"{j + 1:02}{i + 1:02}" for i, row in enumerate(rows) for j, cell in enumerate(row) if cell == "."]
    others = [label for label in free if label not in ("0404", "0403")]
    units = {"king": "0404 8", "ewell-b": "0403 8"}
    units |= {unit: f"{h} 8" for unit, h in zip(FOES[: chance.randrange(4)], chance.sample(others, 3), strict=False)}
    bare = field(text, units)
    label, near = bare.board.label, bare.board.ground.near
    pairs = sorted({tuple(sorted((label[a], label[b]))) for a, found in near.items() for b in found})
    rivers = ["/".join(pair) for pair in pairs if chance.random() < 0.15]
    roads = [" ".join(pair) for pair in pairs if chance.random() < 0.3 and "/".join(pair) not in rivers]
    return field(text, units, sides={"minor_river": rivers} if rivers else {}, roads={"road": roads} if roads else {})


def goes_to(s: State, way: Way) -> list[Hex]:
    """Where a stack that has gone this way, its start first, can step."""
    return [
        side.to
        for side in s.board.ground.sides[way[-1]]
        if side.open and side.to not in way and all(s.board.units[u].side == "union" for u in s.stands.get(side.to, ()))
    ]


def all_ways(s: State, way: Way, hexes: int) -> Iterator[Way]:
    """Every way of so many hexes at most that can be gone, each prefix of one too."""
    yield way
    for h in goes_to(s, way) if hexes else ():
        yield from all_ways(s, (*way, h), hexes - 1)


def open_steps(s: State, way: Way, hexes: int, least: int) -> set[Hex]:
    """The open steps of a stack that has gone this way and has so many hexes to go."""
    longer = [one for one in all_ways(s, way, hexes) if len(one) > len(way)]
    whole = [one for one in longer if len(one) == len(way) + hexes]
    far = [one for one in whole if distance(way[0], one[-1]) >= least]
    best = far or whole or [one for one in longer if len(one) == max(map(len, longer))]
    return {one[len(way)] for one in best}


def klass(s: State, here: Hex, h: Hex, foe: Hex) -> int:
    """The class of a step by the words of std-7.6-2."""
    farther = distance(foe, h) > distance(foe, here)
    linked = bool(s.board.ground.between[here][h].links)
    beside = any(side.open and "confederate" in {s.board.units[u].side for u in s.stands.get(side.to, ())}
                 for side in s.board.ground.sides[h])  # fmt: skip
    friend = any(u in s.manpower and s.board.units[u].side == "union" for u in s.stands.get(h, ()))
    return (1 if farther and linked else 2 if farther else 3) + (3 if beside and not friend else 0)


def fits(s: State, way: Way, hexes: int, least: int) -> bool:
    """Whether a way, its start first, can be gone by who has chosen so many hexes."""
    made = [way[: i + 1] for i in range(len(way) - 1)]
    stepped = all(b in open_steps(s, one, hexes - len(one) + 1, least) for one, b in zip(made, way[1:], strict=True))
    return stepped and (len(way) == hexes + 1 or not goes_to(s, way))


@pytest.mark.clause("std-7.6-2", "std-7.6-4", "std-7.6-5", "std-7.6-8")
@pytest.mark.parametrize("seed", range(24))
def test_ways_are_those_of_the_slow_reading(field: Field, seed: int) -> None:
    chance = random.Random(seed)
    s = somewhere(field, chance)
    start, foe = s.board.parse("0404"), s.board.parse("0403")
    why = chance.choice(["retreat", "retreat", "rout"])
    least, most = GOES[why]
    f: Flight = flight(s, start, "union", [foe], why)
    if not goes_to(s, (start,)):
        assert ways(s, f) == []
        return
    legal = [way for way in all_ways(s, (start,), most) if len(way) > 1]
    for way in chance.sample(legal, min(len(legal), 40)):
        expected = any(fits(s, way, hexes, least) for hexes in range(max(least, len(way) - 1), most + 1))
        assert (not isinstance(why_not(s, f, FallBack(way[1:])), Refusal)) == expected, [s.board.label[h] for h in way]
    way = (start, *default_way(s, f, least))
    for i, (here, h) in enumerate(pairwise(way)):
        steps = open_steps(s, way[: i + 1], least - i, least)
        assert h == min(steps, key=lambda n: (klass(s, here, n, foe), -distance(foe, n), s.board.order(n)))
    assert len(way) == least + 1 or not goes_to(s, way)
