"""What the second readings have in common: places as (map, row, column), and the lines of a map file.

It shares no code with pbem.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import pairwise
from typing import Any

__all__ = [
    "Place", "Side", "Step", "around", "ends_of", "every_way", "number", "place", "rows_of", "sides_of", "steps_of",
]  # fmt: skip

Place = tuple[str, int, int]
"""The map's letter, if it has one, row and column."""

Side = frozenset[Place]
"""The two places on both sides of it."""

Step = Callable[[Place, int], Iterable[tuple[Place, int | None]]]
"""(place, what is left) -> the places that can be entered and what is left there; None where the way ends."""


def place(number: str) -> Place:
    """Map, row and column of a number such as 0812 or D2022."""
    return number[:-4], int(number[-4:-2]), int(number[-2:])


def number(here: Place) -> str:
    return f"{here[0]}{here[1]:02d}{here[2]:02d}"


@lru_cache(maxsize=20_000)
def around(here: Place) -> tuple[Place, ...]:
    """The six places round one: even rows stand half a hex further east."""
    m, row, column = here
    left = column if row % 2 == 0 else column - 1
    sides = [(m, row, column - 1), (m, row, column + 1)]
    return (*sides, *((m, r, c) for r in (row - 1, row + 1) for c in (left, left + 1)))


def rows_of(chart: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[Place, str]]:
    """The letters of a map file, each with its place."""
    for line in chart["terrain"]["rows"].splitlines():
        row, *cells = line.split()
        if row.isdigit():
            yield from (((prefix, int(row), column), cell) for column, cell in enumerate(cells, 1))


def steps_of(chains: Iterable[str], prefix: str = "") -> set[Side]:
    """The steps along roads that are lists of numbers."""
    return {frozenset(pair) for chain in chains for pair in pairwise(place(prefix + word) for word in chain.split())}


def sides_of(chain: str, prefix: str = "") -> set[Side]:
    """The hexsides of a list such as `0101/0102 0102/0203`."""
    return {frozenset(place(prefix + word) for word in side.split("/")) for side in chain.split()}


# --- ways by brute force -------------------------------------------------------------------------------------------


def every_way(start: Place, left: int, step: Step) -> Iterator[list[Place]]:
    """Every way, loops and returns included, wherever it stops."""

    def onward(path: list[Place], left: int) -> Iterator[list[Place]]:
        for h, rest in step(path[-1], left):
            yield [*path[1:], h]
            if rest is not None:
                yield from onward([*path, h], rest)

    yield from onward([start], left)


def ends_of(start: Place, left: int, step: Step) -> set[Place]:
    """Where `every_way` may stop but in the start, by the places and what is left there that can come up."""
    ends: set[Place] = set()
    seen, todo = set[tuple[Place, int]](), [(start, left)]
    while todo:
        for h, rest in step(*todo.pop()):
            ends.add(h)
            if rest is not None and (h, rest) not in seen:
                seen.add((h, rest))
                todo.append((h, rest))
    return ends - {start}
