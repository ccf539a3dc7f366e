"""Random positions of the Sengoku rules, and slow readings of them that share no code with the program."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import TypeAlias

from pbem.rules.sengoku.state import State

__all__ = ["ENEMY", "FILLS", "MAIN", "Cell", "Position"]

Cell: TypeAlias = tuple[int, int]
"""Row and column, from 1 on."""

ROWS, COLUMNS = 9, 14
FILLS = {".": 1, "r": 1, "M": 3}
"""Letters that a line and strategic movement can lead into, with the points."""

TACTICAL = {".": 1, "r": 2, "M": 4, "s": 4}
"""Letters that a force can enter, with the points."""

MAIN = {"hashiba": ("castle-1", "castle-2"), "kitabatake": ("castle-3",), "kobe": ("castle-0",)}
"""The main castles; other armies have none."""

ENEMY = {"hashiba": "anti-hashiba", "anti-hashiba": "hashiba"}
ARMIES = {"hb": "hashiba", "kt": "kitabatake", "kb": "kobe"}


class Position:
    """A random field by cells (row, column), drawn apart from the maps of the program; and the state made of it."""

    def __init__(self, field: Callable[..., State], seed: int) -> None:
        chance = random.Random(seed)
        self.cells = [(row, column) for row in range(1, ROWS + 1) for column in range(1, COLUMNS + 1)]
        self.letter = {cell: chance.choice(".....rrMMsA~") for cell in self.cells}
        self.land = [cell for cell in self.cells if self.letter[cell] != "~"]
        sides = [(a, b) for a in self.land for b in self.near(a) if a < b and b in self.land]
        self.side = {pair: chance.choice(("river", "lake", "bridged")) for pair in chance.sample(sides, 60)}
        ground = [cell for cell in self.land if self.letter[cell] not in "sA"]
        owners = ("hashiba", "niwa", "kitabatake", "kobe", "takigawa", "nobody")
        self.castles = {
            f"castle-{i}": (cell, "kobe" if i == 0 else chance.choice(owners))
            for i, cell in enumerate(chance.sample(ground, 9))
        }
        self.forces = dict(self.placed(chance))
        self.held = {side: set().union(*self.control(side)) for side in ("hashiba", "anti-hashiba")}
        self.state = self.built(field)

    def near(self, cell: Cell) -> list[Cell]:
        """The six cells around one; even rows lie half a cell further east."""
        row, column = cell
        west = column - (row % 2)
        around = [(row, column - 1), (row, column + 1)]
        around += [(other, c) for other in (row - 1, row + 1) for c in (west, west + 1)]
        return [cell for cell in around if 1 <= cell[0] <= ROWS and 1 <= cell[1] <= COLUMNS]

    def between(self, a: Cell, b: Cell) -> str:
        """What lies on the side of two cells."""
        return self.side.get((min(a, b), max(a, b)), "")

    def placed(self, chance: random.Random) -> Iterator[tuple[str, tuple[Cell, str]]]:
        """Units with their cell and word; open units of one side alone in a cell."""
        taken: dict[Cell, str] = {}
        where = dict(self.castles.values())
        for unit in ("hb-04", "hb-06", "hb-07", "hb-08", "nw-02", "kt-06", "kb-03", "kb-04", "kb-05", "tk-02", "tk-03"):
            cell = chance.choice(chance.choice(([cell for cell, _ in self.castles.values()], self.land)))
            owner = where.get(cell, "nobody")
            if owner != "nobody" and self.owns(owner) == self.of(unit) and chance.random() < 0.6:
                yield unit, (cell, "shut-in")
            elif self.letter[cell] != "A" and taken.setdefault(cell, self.of(unit)) == self.of(unit):
                against = owner != "nobody" and self.owns(owner) != self.of(unit)
                yield unit, (cell, "besieging" if against and chance.random() < 0.5 else "")

    def of(self, unit: str) -> str:
        """The side of a unit."""
        return "anti-hashiba" if unit[:2] in ("kb", "tk") else "hashiba"

    def owns(self, army: str) -> str:
        """The side of an army."""
        return "anti-hashiba" if army in ("kobe", "takigawa") else "hashiba"

    def built(self, field: Callable[..., State]) -> State:
        """The state on a field of the program."""

        def number(cell: Cell) -> str:
            return f"{cell[0]:02}{cell[1]:02}"

        rows = "".join(
            " ".join(self.letter[row, c] for c in range(1, COLUMNS + 1)) + "\n" for row in range(1, ROWS + 1)
        )
        sides = {
            kind: tuple(f"{number(a)}/{number(b)}" for (a, b), found in self.side.items() if found in found_as)
            for kind, found_as in (("rivers", ("river", "bridged")), ("lakes", ("lake",)))
        }
        return field(
            rows,
            {unit: f"{number(cell)} {word}" for unit, (cell, word) in self.forces.items()},
            castles={name: f"{number(cell)} {owner} 2" for name, (cell, owner) in self.castles.items()},
            bridges=tuple(f"{number(a)} {number(b)}" for (a, b), found in self.side.items() if found == "bridged"),
            main={army: " ".join(names) for army, names in MAIN.items()},
            **sides,
        )

    # --- the slow readings

    def besieged(self, name: str) -> bool:
        """Whether a unit carries the siege marker in a castle's cell."""
        return any((self.castles[name][0], "besieging") == found for found in self.forces.values())

    def control(self, side: str) -> tuple[set[Cell], set[Cell]]:
        """P-2: strong and weak control, cell by cell."""

        def touched(cell: Cell, centre: Cell) -> bool:
            if self.letter[cell] == "s":
                return False
            return cell == centre or (cell in self.near(centre) and self.between(cell, centre) != "lake")

        units = [cell for unit, (cell, word) in self.forces.items() if word != "shut-in" and self.of(unit) == side]
        castles = [
            cell
            for name, (cell, owner) in self.castles.items()
            if owner != "nobody" and self.owns(owner) == side and not self.besieged(name)
        ]
        held = {cell for cell in self.land if cell in castles or any(touched(cell, unit) for unit in units)}
        return held, {cell for cell in self.land if any(touched(cell, castle) for castle in castles)} - held

    def usable(self, side: str, cell: Cell) -> bool:
        """P-3: whether a line of a side may lead into a cell."""
        enemy = ENEMY[side]
        there = [(self.of(unit), word) for unit, (at, word) in self.forces.items() if at == cell]
        if self.letter[cell] not in FILLS or any(of == enemy and word != "shut-in" for of, word in there):
            return False
        castle = next((owner for at, owner in self.castles.values() if at == cell and owner != "nobody"), None)
        if castle is not None and self.owns(castle) == enemy and not any(of == side for of, _ in there):
            return False
        return cell not in self.held[enemy] or any(of == side for of, _ in there)

    def leg(self, usable: set[Cell], start: Cell, limit: int) -> set[Cell]:
        """P-3: the usable cells within a leg, by rounds of Bellman and Ford."""
        far = {start: 0}
        for _ in range(limit):
            for cell, points in list(far.items()):
                for other in self.near(cell):
                    if other in usable and self.between(cell, other) != "lake":
                        price = points + FILLS[self.letter[other]] + (self.between(cell, other) == "river")
                        if price <= limit and price < far.get(other, limit + 1):
                            far[other] = price
        return set(far)

    def relays(self, side: str) -> set[Cell]:
        """P-3: the cells from which lines of a side go on."""
        castles = {cell for cell, owner in self.castles.values() if owner != "nobody" and self.owns(owner) == side}
        return castles | {cell for unit, (cell, _) in self.forces.items() if self.of(unit) == side}

    def lines(self, army: str) -> set[Cell]:
        """P-3: the cells to which an army can set a line, relay by relay."""
        side = self.owns(army)
        owned = [self.castles[name] for name in MAIN.get(army, ())]
        begin = [cell for cell, owner in owned if owner != "nobody" and self.owns(owner) == side]
        relays = self.relays(side)
        usable = {cell for cell in self.land if self.usable(side, cell)}
        found: set[Cell] = set()
        for cell in begin:
            if cell in usable:
                found |= self.leg(usable, cell, 16)
        queue, done = [cell for cell in relays if cell in found], set()
        while queue:
            cell = queue.pop()
            if cell not in done:
                done.add(cell)
                fresh = self.leg(usable, cell, 8)
                found |= fresh
                queue += [relay for relay in relays if relay in fresh]
        return found

    def ways(self, unit: str, *, strategic: bool) -> dict[Cell, int]:
        """P-4: the cells that a unit can reach, with the points, by rounds of Bellman and Ford."""
        start, word = self.forces[unit]
        enemy, letters = ENEMY[self.of(unit)], FILLS if strategic else TACTICAL
        others = {at for other, (at, _) in self.forces.items() if other != unit and self.of(other) == self.of(unit)}
        open_enemies = {at for e, (at, inside) in self.forces.items() if self.of(e) == enemy and inside != "shut-in"}
        self.forces[unit] = (start, "" if word == "besieging" else word)  # the siege is lifted before the first step
        held = self.control(enemy)[0] - others
        self.forces[unit] = (start, word)
        alarmed = self.alarmed(enemy) if strategic else set()
        if word == "shut-in" and start in open_enemies:
            return {}
        if strategic and (start in alarmed or start not in self.lines(ARMIES.get(unit[:2], ""))):
            return {}
        far = {start: int(word == "shut-in")}
        for _ in range(8):
            for cell, points in list(far.items()):
                for other in self.near(cell):
                    if self.letter[other] not in letters or self.between(cell, other) == "lake":
                        continue
                    price = letters[self.letter[other]] + (self.between(cell, other) == "river")
                    price += points + (cell in held) + (other in held)
                    if other not in open_enemies | alarmed and price <= min(8, far.get(other, 9) - 1):
                        far[other] = price
        del far[start]
        return far

    def alarmed(self, enemy: str) -> set[Cell]:
        """P-4: the cells with enemies or their castles, or next to them."""
        there = {at for unit, (at, _) in self.forces.items() if self.of(unit) == enemy}
        there |= {at for at, owner in self.castles.values() if owner != "nobody" and self.owns(owner) == enemy}
        return there | {cell for at in there for cell in self.near(at)}

    def numbers(self, cells: set[Cell]) -> list[str]:
        """The numbers of cells."""
        return sorted(f"{row:02}{column:02}" for row, column in cells)
