"""Ways over a map: the cheapest, the shortest, a random one, and how far it is; over any costs and stops.

What a system says of its moves comes in as functions of hexes:

    near    hex -> the hexes that a step from it may lead to, all others out of the question
    step    (from, to) -> the points of the step, or the clause that forbids it; `to` may be any hex
    stops   hex -> whether who comes into it must stop there
    full    the hexes where a way can't end, though it may lead through them

Points are whole numbers, of halves where a system has half points.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping
from heapq import heappop, heappush
from typing import TypeAlias

from pbem.maps.hexes import ByHex, Hex
from pbem.rules.requests import Chance

__all__ = ["Near", "Path", "Step", "cheapest", "distances", "random_march", "random_way", "shortest"]

Path: TypeAlias = tuple[Hex, ...]
"""The hexes of a way without that in which it begins."""

Near: TypeAlias = ByHex[Iterable[Hex]]
Step: TypeAlias = Callable[[Hex, Hex], int | str]

FULL_STOP, MARCH_STOP = 0.2, 0.1
"""How likely a random way ends in a hex though it could go on: by points, by steps."""


def cheapest(
    start: Hex, most: int, near: Near, step: Step, stops: Callable[[Hex], bool], spent: int = 0, *, one: bool = False
) -> dict[Hex, tuple[int, Path]]:
    """Every hex in reach of `most` points with the cost and the path of the cheapest way there, nearest first.

    Of ways that cost the same the one with the lower hexes counts. `spent` points are gone before the first step.
    `one`: a single step is never too dear; it costs all points then, and such hexes stand last.
    """
    found: dict[Hex, tuple[int, Path]] = {}
    best: dict[Hex, tuple[int, Path]] = {}
    queue: list[tuple[int, Path]] = [(spent, ())]
    while queue:
        cost, path = heappop(queue)
        here = path[-1] if path else start
        if path:
            if here in found:
                continue
            found[here] = (cost, path)
            if stops(here):
                continue
        for h in near[here]:
            if h not in found and h != start:
                price = step(here, h)
                if not isinstance(price, str) and cost + price <= most:
                    way = (cost + price, (*path, h))
                    if h not in best or way < best[h]:
                        best[h] = way
                        heappush(queue, way)
    if one:
        for h in near[start]:
            if h not in found and not isinstance(step(start, h), str):
                found[h] = (most, (h,))
    return found


def shortest(start: Hex, most: int, near: Near, step: Step) -> dict[Hex, Path]:
    """Every hex in reach of `most` steps, whatever they cost, with the shortest way there, nearest first.

    Of ways as short as each other the one counts that `near` lists first.
    """
    found: dict[Hex, Path] = {}
    edge: list[tuple[Hex, Path]] = [(start, ())]
    for _ in range(most):
        fresh: list[tuple[Hex, Path]] = []
        for here, path in edge:
            for h in near[here]:
                if h not in found and h != start and not isinstance(step(here, h), str):
                    found[h] = (*path, h)
                    fresh.append((h, found[h]))
        edge = fresh
    return found


def random_way(
    start: Hex,
    most: int,
    near: Near,
    step: Step,
    stops: Callable[[Hex], bool],
    full: Container[Hex],
    chance: Chance,
    *,
    one: bool = False,
) -> Path:
    """A random way of at most `most` points that enters no hex twice; empty when the walk finds no hex to stay in.

    `one`: the first step is never too dear.
    """
    path, left, kept = [start], most, 1
    while True:
        here = path[-1]
        ways = list(near[here])
        turn = int(chance.random() * len(ways))
        for h in ways[turn:] + ways[:turn]:
            price = step(here, h) if h not in path else ""
            if isinstance(price, str) or (price > left and not (one and here == start)):
                continue
            if h not in full or not stops(h):
                break
        else:
            return tuple(path[1:kept])
        path.append(h)
        left -= price
        if h not in full:
            kept = len(path)
            if left <= 0 or chance.random() < FULL_STOP or stops(h):
                return tuple(path[1:])


def random_march(start: Hex, most: int, near: Near, step: Step, full: Container[Hex], chance: Chance) -> Path:
    """A random way of at most `most` steps that enters no hex twice; empty when the walk finds no hex to stay in."""
    path, kept = [start], 1
    while len(path) <= most:
        ways = [h for h in near[path[-1]] if h not in path and not isinstance(step(path[-1], h), str)]
        if not ways:
            break
        path.append(ways[int(chance.random() * len(ways))])
        if path[-1] not in full:
            kept = len(path)
            if chance.random() < MARCH_STOP:
                break
    return tuple(path[1:kept])


def distances(goals: Mapping[Hex, int], into: Callable[[Hex], Iterable[tuple[Hex, int]]]) -> dict[Hex, int]:
    """The points of the cheapest way from every hex to one of the goals; hexes without a way aren't in it.

    `goals` says what is to be paid in the end, 0 for a plain goal. `into` gives the hexes from which a step leads into
    a hex, with its points.
    """
    found = dict(goals)
    queue = sorted((far, h) for h, far in goals.items())
    while queue:
        far, here = heappop(queue)
        if far == found[here]:
            for h, price in into(here):
                if h not in found or far + price < found[h]:
                    found[h] = far + price
                    heappush(queue, (far + price, h))
    return found
