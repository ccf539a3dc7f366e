"""Retreats against a slow reading of their own, on random positions: ways, refuge, steps and morale (23-4)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import pytest
from rules.sengoku.activities import run
from rules.sengoku.positions import ENEMY, Cell, Position
from yardstick import within

from pbem.rules.sengoku.orders import Retreat
from pbem.rules.sengoku.retreat import can_retreat, retreat, routes, why_dear
from pbem.rules.sengoku.state import State, copy

Field = Callable[..., State]


class Fate(NamedTuple):
    """What becomes of a unit of two steps that went back: None where it is lost."""

    cell: Cell
    steps: int
    morale: int
    shut_in: bool


class Back:
    """What one unit of a position can do that goes back before an attacker: a slow reading of P-7, steps 4 to 7."""

    def __init__(self, position: Position, unit: str, away: Cell) -> None:
        self.p, self.unit, self.away = position, unit, away
        self.start = position.forces[unit][0]
        enemy = ENEMY[position.of(unit)]
        foes = [found for other, found in position.forces.items() if position.of(other) == enemy]
        self.barred = {at for at, word in foes if word != "shut-in"}
        self.held = position.control(enemy)[0]
        live = [(at, position.owns(owner)) for at, owner in position.castles.values() if owner != "nobody"]
        self.refuges = {at for at, side in live if side != enemy}
        self.hostile = {at for at, side in live if side == enemy}

    def far(self, cell: Cell) -> int:
        """How far a cell is from the attacker; even rows lie half a cell further east."""
        (r, c), (row, column) = self.away, cell
        down = abs(r - row)
        across = abs(2 * c + (r % 2 == 0) - 2 * column - (row % 2 == 0))
        return down + max(0, across - down) // 2

    def ways(self, hexes: int) -> Iterator[tuple[tuple[Cell, ...], bool]]:
        """All cells of each way, the first too, and whether it ends in a castle (23-4-2, 23-4-3, 23-4-6)."""
        paths: list[tuple[Cell, ...]] = [(self.start,)]
        for path in paths:
            if path[-1] in self.refuges:
                yield path, True
            if len(path) > hexes:
                if self.far(path[-1]) > self.far(self.start):
                    yield path, False
                continue
            for cell in self.p.near(path[-1]):
                lake = self.p.between(path[-1], cell) == "lake" or self.p.letter[cell] in "~A"
                nearer = self.far(cell) < self.far(path[-1])
                if not lake and not nearer and cell not in path and cell not in self.barred:
                    paths.append((*path, cell))

    def costs(self, here: Cell, to: Cell) -> bool:
        """Whether a step is lost from a cell to the next (23-4-4)."""
        river = self.p.between(here, to) == "river"
        return to in self.held or to in self.hostile or river or self.p.letter[to] in "Ms"

    def price(self, path: tuple[Cell, ...]) -> int:
        """The steps that a way costs."""
        return sum(self.costs(path[i], path[i + 1]) for i in range(len(path) - 1))

    def ends(self, hexes: int) -> dict[tuple[str, bool], int]:
        """Each end of a retreat of so many hexes, by number and refuge, with the fewest steps that it costs."""
        found: dict[tuple[str, bool], int] = {}
        for path, enter in self.ways(hexes):
            end = (self.p.numbers({path[-1]})[0], enter)
            found[end] = min(found.get(end, 9), self.price(path))
        return found

    def fate(self, path: tuple[Cell, ...], hexes: int, enter: bool) -> Fate | None:
        """What becomes of the unit on a way: a unit of two steps, of normal morale (23-4-5, 23-4-6(morale))."""
        return None if self.price(path) > 1 else Fate(path[-1], 2 - self.price(path), -hexes, enter)


def fights(position: Position) -> Iterator[Back]:
    """Each unit in the open of a position, before an attacker in each cell around it and in its own (23-7)."""
    for unit, (cell, word) in position.forces.items():
        if word != "shut-in":
            yield from (Back(position, unit, away) for away in (cell, *position.near(cell)) if away in position.land)


def cells(s: State, force: str, order: Retreat) -> list[str]:
    """The numbers of the hexes of a way, the first too."""
    return [s.board.label[h] for h in (s.at[force], *order.path)]


@pytest.mark.parametrize("seed", range(12))
def test_ways_back_are_those_of_the_slow_reading(field: Field, seed: int) -> None:
    position = Position(field, seed)
    s = position.state
    for back in fights(position):
        away = s.board.parse(position.numbers({back.away})[0])
        for hexes in (1, 2, 3):
            found = {}
            for order in routes(s, back.unit, hexes, away):
                hs = (s.at[back.unit], *order.path)
                paid = sum(why_dear(s, position.of(back.unit), (hs[i], hs[i + 1])) != "" for i in range(len(hs) - 1))
                found[cells(s, back.unit, order)[-1], order.enter] = paid
            assert found == back.ends(hexes), (back.unit, back.away, hexes)
            assert can_retreat(s, back.unit, hexes, away) is bool(found)


@pytest.mark.parametrize("seed", range(12))
def test_who_goes_back_ends_as_in_the_slow_reading(field: Field, seed: int) -> None:
    position = Position(field, seed)
    for back in fights(position):
        unit = back.unit
        for path, enter in sorted(back.ways(2))[::3]:
            s = copy(position.state)
            hs = [s.board.parse(number) for cell in path for number in position.numbers({cell})]
            away = s.board.parse(position.numbers({back.away})[0])
            answers = [Retreat(unit, tuple(hs[1:]), enter)] if len(routes(s, unit, 2, away)) > 1 else []
            if not answers and routes(s, unit, 2, away)[0].path != tuple(hs[1:]):
                continue  # nobody is asked, and it goes another way
            run(retreat(s, unit, 2, away), [], answers)
            fate = back.fate(path, 2, enter)
            assert (unit in s.removed) is (fate is None)
            if fate is not None:
                found = (s.board.label[s.at[unit]], 2 - (unit in s.reduced), s.morale[unit], unit in s.shut_in)
                assert found == (position.numbers({fate.cell})[0], *fate[1:])


def test_the_random_positions_have_ways_of_every_kind(field: Field) -> None:
    every = [back for seed in range(12) for back in fights(Position(field, seed))]
    ends = [end for back in every for end in back.ends(2).items()]
    assert sum(enter for (_, enter), _ in ends) > 100
    assert sum(paid == 2 for _, paid in ends) > 100
    assert sum(not back.ends(2) for back in every) > 3


def test_all_forces_of_a_hex_find_their_ways_back_in_little_more_time_than_one(campaign: State) -> None:
    s = campaign
    h, away = s.board.parse("4412"), s.board.parse("4411")
    for unit in s.board.of_side["hashiba"]:
        s.form((unit,), h)
    with within(6):
        found = [routes(s, unit, 4, away) for unit in s.forces]
    assert len(found) > 100
    assert {len(ways) for ways in found} == {44}
