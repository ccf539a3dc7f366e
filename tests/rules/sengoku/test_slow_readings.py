"""Control areas, lines and ways against slow readings of their own, on random positions (5, 11, 15, 16)."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from rules.sengoku.positions import FILLS, MAIN, Cell, Position
from rules.sengoku.small_field import numbers

from pbem.rules.sengoku.control import strong, weak
from pbem.rules.sengoku.lines import LEG, MAIN_LEG, barred, in_line, leg, linked, why_cut
from pbem.rules.sengoku.movement import cost, destinations
from pbem.rules.sengoku.orders import Move
from pbem.rules.sengoku.state import State


@pytest.mark.parametrize("seed", range(25))
def test_control_and_lines_are_those_of_the_slow_readings(field: Callable[..., State], seed: int) -> None:
    position = Position(field, seed)
    s = position.state
    for side in ("hashiba", "anti-hashiba"):
        ours = [sorted(numbers(s, area)) for area in (strong(s, side), weak(s, side))]
        assert ours == [position.numbers(area) for area in position.control(side)]
    for army in MAIN:
        side = position.owns(army)
        relays = position.relays(side)
        leads = position.numbers(position.lines(army) & relays)
        for force in s.own_forces(side):
            if s.board.units[force].army == army:
                assert in_line(s, force) is (s.board.label[s.at[force]] in leads), force
        assert sorted(numbers(s, linked(s, army))) == leads, army
        usable = {cell for cell in position.land if position.usable(side, cell)}
        for cell in relays & usable:
            h = s.board.parse(position.numbers({cell})[0])
            for most in (LEG, MAIN_LEG):
                ours = sorted(numbers(s, leg(s.board, s.board.ground.bit[h], most, barred(s, side))))
                assert ours == position.numbers(position.leg(usable, cell, most))


def leads(position: Position, begin: set[Cell], cells: set[Cell]) -> set[Cell]:
    """The relays of Hashiba's side to which legs over these cells lead from relays of it."""
    found, more = set(begin), set(begin)
    while more:
        reached = set[Cell]().union(*(position.leg(cells, cell, LEG) for cell in more))
        more = (reached & position.relays("hashiba")) - found
        found |= more
    return found


NAMED = re.compile(r"the leg from (\d{4})\D*(?:\(\w\w-\d\d\))?(?: to (\d{4})[^0-9]*(?:\(\w\w-\d\d\))?)?"
                   r"(?: at (\d{4}).*| costs (\d+) points, (\d+) are the most)")  # fmt: skip


@pytest.mark.parametrize("seed", range(60))
def test_the_leg_that_is_named_is_the_one_that_breaks_a_line(field: Callable[..., State], seed: int) -> None:
    position = Position(field, seed)
    s = position.state
    ground = {cell for cell in position.land if position.letter[cell] in FILLS}
    usable = {cell for cell in ground if position.usable("hashiba", cell)}
    lined = position.lines("hashiba") & position.relays("hashiba")
    main = {cell for name in MAIN["hashiba"] for cell, owner in [position.castles[name]] if owner[0] != "k"}
    for force in s.own_forces("hashiba"):
        there, why = position.forces[force][0], "" if in_line(s, force) else why_cut(s, force).reason
        if s.board.units[force].army != "hashiba" or not (found := NAMED.search(why)):
            continue
        begin, end, barred_at, costs, most = found.groups()
        start, to = cell_of(begin), cell_of(end) if end else there
        assert start in lined
        assert to not in lined
        assert there in leads(position, {to}, ground)
        free = leads(position, lined | set().union(*(position.leg(ground, cell, MAIN_LEG) for cell in main & lined)),
                     ground)  # fmt: skip
        assert (barred_at is not None) == (there in free & position.relays("hashiba")), why
        if barred_at is not None:
            limit = MAIN_LEG if start in main else LEG
            assert to in position.leg(ground, start, limit)
            assert to not in position.leg(usable, start, limit)
            assert cell_of(barred_at) not in usable
        else:
            assert int(most) == (MAIN_LEG if start in main else LEG) < int(costs)
            cells = usable if to in position.leg(usable, start, 99) else ground
            assert to in position.leg(cells, start, int(costs))
            assert to not in position.leg(cells, start, int(costs) - 1)


def cell_of(number: str) -> Cell:
    """The cell of a hex."""
    return int(number[:2]), int(number[2:])


@pytest.mark.parametrize("seed", range(25))
def test_ways_are_those_of_the_slow_reading(field: Callable[..., State], seed: int) -> None:
    position = Position(field, seed)
    s = position.state
    for unit in position.forces:
        for strategic in (False, True):
            found = destinations(s, unit, strategic=strategic)
            ours = {s.board.label[h]: points for h, (points, _) in found.items()}
            slow = position.ways(unit, strategic=strategic)
            assert ours == {position.numbers({cell})[0]: points for cell, points in slow.items()}, unit


@pytest.mark.parametrize("seed", range(8))
def test_of_ways_that_cost_the_same_the_one_with_the_lower_hexes_is_told(
    field: Callable[..., State], seed: int
) -> None:
    position = Position(field, seed)
    s = position.state
    for unit in position.forces:
        for strategic in (False, True):
            found = destinations(s, unit, strategic=strategic)
            assert [*found.values()] == sorted(found.values())
            for h, (points, path) in found.items():
                others = [(*found[n][1], h) for n in s.board.map.neighbours[h] if n in found and found[n][0] < points]
                same = [way for way in others if cost(s, Move(unit, way, strategic)) == points]
                assert path == min([path, *same])


def test_the_random_positions_have_lines_and_strategic_ways(field: Callable[..., State]) -> None:
    positions = [Position(field, seed) for seed in range(25)]
    assert sum(len(position.lines(army)) for position in positions for army in MAIN) > 500
    every = [(position, unit) for position in positions for unit in position.forces]
    assert sum(bool(position.ways(unit, strategic=True)) for position, unit in every) > 10
    assert sum(word != "" for position in positions for _, word in position.forces.values()) > 50
