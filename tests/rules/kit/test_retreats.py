"""Ways of retreat over a small made-up field: which steps are legal, every way to an end, and what is preferred."""

from __future__ import annotations

from itertools import pairwise, permutations

import pytest

from pbem.maps.hexes import Hex, are_adjacent, pack
from pbem.rules.kit.reach import Path
from pbem.rules.kit.retreats import legal_steps, preferred, ways

CELLS = [pack(column - row // 2, row) for row in range(4) for column in range(4)]
NEAR = {h: tuple(n for n in CELLS if are_adjacent(h, n)) for h in CELLS}
START, ENEMY, WALL = CELLS[5], CELLS[0], CELLS[6]


def bar(here: Hex, h: Hex) -> str:
    if not are_adjacent(here, h):
        return "far"
    if h == WALL:
        return "wall"
    return "beside the enemy" if h == ENEMY or are_adjacent(h, ENEMY) else ""


STEPS = legal_steps(NEAR, bar)


def every_way(length: int) -> set[Path]:
    """All ways of so many steps by trying all orders of all hexes."""
    found = set()
    for path in permutations([h for h in CELLS if h != START], length):
        if not any(bar(a, b) for a, b in pairwise((START, *path))):
            found.add(path)
    return found


def test_steps_are_those_that_nothing_forbids_in_their_order() -> None:
    assert {bar(START, h) for h in CELLS} == {"", "far", "wall", "beside the enemy"}
    for h in CELLS:
        assert STEPS(h) == [n for n in NEAR[h] if bar(h, n) == ""]
    assert WALL not in STEPS(START)


@pytest.mark.parametrize("length", [1, 2, 3, 4])
def test_every_way_of_a_length_is_found_once(length: int) -> None:
    found = list(ways(START, STEPS, lambda path: len(path) == length))
    assert len(found) == len(set(found))
    assert set(found) == every_way(length)
    assert found == sorted(found, key=lambda path: [NEAR[a].index(b) for a, b in pairwise((START, *path))])


def test_ways_end_where_they_first_may_and_are_made_one_by_one() -> None:
    free = {h for h in CELLS if h in (CELLS[9], CELLS[10], CELLS[15])}
    found = list(ways(START, STEPS, lambda path: path[-1] in free))
    assert {path[-1] for path in found} == free
    assert all(free.isdisjoint(path[:-1]) for path in found)
    asked: list[Hex] = []
    first = next(ways(START, lambda h: asked.append(h) or STEPS(h), lambda path: path[-1] in free))  # type: ignore[func-returns-value]
    assert first == found[0]
    assert len(asked) <= len(first)


def test_a_way_that_leads_nowhere_is_left_out_early() -> None:
    seen: list[Path] = []

    def leads_out(gone: Path) -> bool:
        seen.append(gone)
        return gone[-1] != CELLS[9]

    found = list(ways(START, STEPS, lambda path: len(path) == 3, leads_out))
    assert set(found) == {path for path in every_way(3) if CELLS[9] not in path[:-1]}
    assert all(gone[0] == START for gone in seen)


def test_there_may_be_no_way() -> None:
    assert not list(ways(ENEMY, STEPS, lambda path: len(path) == 1))
    assert not list(ways(START, STEPS, lambda _: False))


def test_the_first_word_that_fits_decides_a_number_or_a_direction() -> None:
    numbers = {"0101": (CELLS[1],), "0303": (CELLS[2], CELLS[3])}
    headings = {"north": (CELLS[4],), "up": None}
    assert preferred(("9999", "0303", "north"), numbers.get, headings.get) == numbers["0303"]
    assert preferred(("up", "north", "0101"), numbers.get, headings.get) == headings["north"]
    assert preferred(("9999", "up", "south"), numbers.get, headings.get) is None
    assert preferred((), numbers.get, headings.get) is None
