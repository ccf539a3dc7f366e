"""The ground of a map file: rows of letters, each letter a hex by the legend, and what is wrong with them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from itertools import pairwise, product, starmap

from pbem.errors import Defect, shown, stands, unknown_keys
from pbem.maps.hexes import Hex
from pbem.maps.numbering import NUMBER, Cell, Numbering
from pbem.records import Record, made

__all__ = ["HEXES_MAX", "Ground"]

HEXES_MAX = 20_000
_FIELD = range(1, 100)
"""The rows and columns of the ground of a map whose own can't be read."""
_Legend = dict[str, frozenset[str] | str | None]
"""Letter -> features, or the kind of water, or None for no hex."""


class Ground(Record):
    """The hexes of a map, read from its rows; `cells` are those of all that are drawn, `numbers` of those in play.

    `defects` grow on the way; `elsewhere` is what the other blocks say, which name hexes.
    """

    numbering: Numbering
    elsewhere: str
    defects: list[Defect]
    terrain: dict[Hex, frozenset[str]] = made(default_factory=dict)
    numbers: dict[Hex, str] = made(default_factory=dict)
    water: dict[Hex, str] = made(default_factory=dict)
    cells: dict[Hex, Cell] = made(default_factory=dict)
    called: dict[str, Hex] = made(default_factory=dict)
    """The number by which the map calls a hex -> that hex, of all that are drawn; none where two have one number."""
    left_out: int = 0
    """How many rows stand in front of one that the file leaves out; 0: none is left out."""
    told: set[str] = made(default_factory=set)
    """Letters of the terrain that mean nothing, and of which that was said."""

    def wrong(self, where: str, what: str, right: str) -> None:
        """Note a defect."""
        self.defects.append(Defect(where, what, right))

    def read(self, block: Mapping[str, object]) -> None:
        """The block `terrain`; where there is none, or no hex in play, some ground, so that one mistake is one."""
        if block:
            self._rows(block)
        self._in_play()

    def _rows(self, block: Mapping[str, object]) -> None:
        legend = self._legend(block.get("legend"))
        rows = block.get("rows")
        lines = [s for s in rows.splitlines() if s.strip() and s.strip()[0] != "#"] if isinstance(rows, str) else []
        if not lines:
            self.wrong("terrain.rows", "no rows", "write `rows: |` and a line of letters for each row of hexes")
            return
        if (count := sum(len(s.split()) - 1 for s in lines)) > HEXES_MAX:
            self.wrong("terrain.rows", f"{count} hexes", f"a map has {HEXES_MAX} at most")
            return
        lines = self._complete(lines)
        labels = self._labels(lines)
        width = self._check_rows(lines, labels)
        for i, (row, text) in enumerate(zip(labels, lines, strict=True), 1):
            letters, where = text.split()[1:], self._line(i)
            ends = (Cell(row, 1), Cell(row, len(letters)))
            if any(self.numbering.cell_of(self.numbering.hex_at(cell)) != cell for cell in ends):
                self.wrong(where, "lies too far out", "2,000 hexes aside are the most; mind origin and offsets")
                self.cells.clear()
                return
            letters += [""] * (width - len(letters))  # some ground, so that one mistake is one defect
            self._row(row, letters, legend, where)
        numbers = [(number, h) for h, cell in self.cells.items() if (number := self.numbering.number(cell))]
        called = dict(numbers)
        self.called = called if len(called) == len(numbers) else {}
        self._ends(labels, width, legend)

    def _ends(self, labels: list[int], width: int, legend: _Legend) -> None:
        """A row is left out in front of the first or behind the last when several of its hexes are named."""
        down = -1 if self.numbering.rows_from_south else 1
        ends = ((1, labels[0] - down, "in front of"), (len(labels), labels[-1] + down, "behind"))
        named = self._named()
        for i, row, side in ends:
            if sum(cell.row == row and 1 <= cell.column <= width for cell in named) > 1:
                self.wrong(self._line(i), f"row {row:02} is missing {side} it", "write a line for each row")
                self._row(row, [""] * width, legend, "")

    def _complete(self, lines: list[str]) -> list[str]:
        """The lines of the rows, one that was left out between two others put in as the one behind it is."""
        down, named = -1 if self.numbering.rows_from_south else 1, [text.split()[0] for text in lines]
        if not all(re.fullmatch("[0-9]{2,4}", name) for name in named):
            return lines
        steps = [(int(b) - int(a)) * down for a, b in pairwise(named)]
        if sorted(steps) != [*[1] * (len(steps) - 1), 2] or not self._lie_as_named(lines, steps.index(2)):
            return lines
        self.left_out = steps.index(2) + 1
        behind, label = lines[self.left_out], f"{int(named[self.left_out]) - down:02}"
        start = _start(behind)
        rows = [Cell(int(name), 1) for name in (named[self.left_out], label)]
        if self.numbering.layout == "pointy":
            start += self.numbering.is_shifted(rows[1]) - self.numbering.is_shifted(rows[0])
        self.wrong(self._line(self.left_out + 2), f"row {label} is missing in front of it", "write a line for each row")
        return [*lines[: self.left_out], label.ljust(start) + " ".join(behind.split()[1:]), *lines[self.left_out :]]

    def _lie_as_named(self, lines: list[str], gap: int) -> bool:
        """Whether the rows lie as their numbers say; in a flat map, where all lie alike, the gap is far from its edges.

        Otherwise the first or last row has a wrong number.
        """
        if self.numbering.layout == "flat":
            return 0 < gap < len(lines) - 2
        shifted = [self.numbering.is_shifted(Cell(int(text.split()[0]), 1)) for text in lines]
        return len({_start(text) - shift for text, shift in zip(lines, shifted, strict=True)}) == 1

    def _line(self, i: int) -> str:
        """The place of the i-th row, counted as the file has them."""
        return f"terrain.rows line {i - 1 if self.left_out and i > self.left_out else i}"

    def _labels(self, lines: list[str]) -> list[int]:
        """The number of each row, counted as most of the rows say."""
        down, named = -1 if self.numbering.rows_from_south else 1, [text.split()[0] for text in lines]
        read = [int(name) - i * down for i, name in enumerate(named) if re.fullmatch("[0-9]{1,4}", name)]
        first = _most(read) if read else 0
        labels = [first + i * down for i in range(len(lines))]
        for i, (label, name) in enumerate(zip(labels, named, strict=True), 1):
            if name != f"{label:02}":
                self.wrong(self._line(i), f"is labelled {shown(name)}", f"the row here is {label:02}")
        return labels

    def _check_rows(self, lines: list[str], labels: list[int]) -> int:
        """Each row is as long as most are, and lies as the map lies; how long they are."""
        counts = [len(text.split()) - 1 for text in lines]
        starts = [_start(text) for text in lines]
        shifts = [self.numbering.layout == "pointy" and self.numbering.is_shifted(Cell(row, 1)) for row in labels]
        width, left = _most(counts), _most([at - shift for at, shift in zip(starts, shifts, strict=True)])
        for i, (count, at, shift) in enumerate(zip(counts, starts, shifts, strict=True), 1):
            where = self._line(i)
            if count != width:
                self.wrong(where, f"has {count} hexes", f"the rows have {width}")
            if at - shift != left and lines[i - 1].split()[0] == f"{labels[i - 1]:02}":
                what = f"its first letter stands at column {at + 1}"
                self.wrong(where, what, f"move it by {left + shift - at:+d}")
        return width

    def _named(self) -> set[Cell]:
        """The cells that the other blocks name where nothing is drawn; some of those that are drawn, too."""
        words = set(re.findall(r"\b[A-Za-z]*[0-9]{4}\b", self.elsewhere)) - self.called.keys()
        return {cell for word in words if (cell := self.numbering.cell(word)) is not None}

    def _in_play(self) -> None:
        """Some hex must be in play, and each must have a number by which orders can name it."""
        if self.cells and not self.terrain:
            self.wrong("terrain.rows", "no hex is in play", "draw ground that units can enter")
        if not self.cells or not self.terrain:  # some ground, so that one mistake is one defect
            some = {self.numbering.hex_at(cell): cell for cell in starmap(Cell, product(_FIELD, _FIELD))}
            self.terrain = dict.fromkeys(some, frozenset())
            self.cells |= some
        numbers = {h: number for number, h in self.called.items()}
        labels = {h: numbers.get(h) or self.numbering.label_of(self.cells[h]) for h in self.terrain}
        self.numbers = {h: label for h, label in labels.items() if NUMBER.fullmatch(label)}
        nameless = [label for h, label in labels.items() if h not in self.numbers]
        if nameless:
            what = f"{len(nameless)} hexes have no number, as the one at {nameless[0]}"
            self.wrong("terrain.rows", what, f"numbers are {self.numbering.pattern()}")

    def _legend(self, legend: object) -> _Legend:
        """Letter -> features, or the kind of water, or None for no hex."""
        read: _Legend = {}
        if not isinstance(legend, Mapping):
            self.wrong("terrain.legend", "is missing", 'write `legend: {".": [flat]}`')
            return read
        for letter, means in legend.items():
            if isinstance(means, list) and means and all(isinstance(m, str) for m in means):
                read[str(letter)] = frozenset(means)
            elif isinstance(means, Mapping) and (
                "water" not in means or (means["water"] and isinstance(means["water"], str))
            ):
                read[str(letter)] = means.get("water")
                self.defects += unknown_keys(means, ("water",), f"terrain.legend {shown(letter)}")
            else:
                self.wrong(f"terrain.legend {shown(letter)}", stands(means), "write [flat], {water: pond} or {}")
                self.told.add(str(letter))
                read |= {str(letter): frozenset({means})} if means and isinstance(means, str) else {}
        return read

    def _row(self, row: int, letters: list[str], legend: _Legend, where: str) -> None:
        ground = next((features for features in legend.values() if isinstance(features, frozenset)), frozenset())
        for column, (h, letter) in enumerate(zip(self.numbering.row(row, len(letters)), letters, strict=True), 1):
            self.cells[h] = Cell(row, column)
            means = legend.get(letter, ground)  # some ground, so that one mistake is one defect
            if means is ground and letter and letter not in legend and letter not in self.told:
                what = f"the letter {shown(letter)} isn't in the legend"
                self.wrong(f"{where} hex {column}", what, f"letters are {' '.join(legend)}")
                self.told.add(letter)
            if isinstance(means, str):
                self.water[h] = means
            elif means is not None:
                self.terrain[h] = means


def _start(row: str) -> int:
    """The column of a row's first letter, behind its number."""
    return len(row) - len(row[len(row.split()[0]) :].lstrip())


def _most(numbers: list[int]) -> int:
    """The number that is there most often; of several the first one."""
    return Counter(numbers).most_common(1)[0][0]
