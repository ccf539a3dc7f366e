"""What the second readings have in common: places as (map, row, column), and the lines of a map file.

It shares no code with pbem.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import pairwise
from typing import Any

__all__ = ["Place", "Side", "around", "number", "place", "rows_of", "sides_of", "steps_of"]

Place = tuple[str, int, int]
"""The map's letter, if it has one, row and column."""

Side = frozenset[Place]
"""The two places on both sides of it."""


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
