"""The regions of a map file: rows of letters over those of its ground, each letter a region by the legend."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping

from pbem.errors import Defect, shown, stands
from pbem.maps.hexes import Hex
from pbem.maps.rows import Ground
from pbem.records import Record, made

__all__ = ["KEYS", "Regions"]

KEYS = ("provenance", "called", "legend", "apart", "rows")
"""The keys of a block of regions."""

_NONE = "."
"""The letter of a hex that is of no region."""


class Regions(Record):
    """The regions of a map by name, each with its hexes in the order of the rows; `apart` are those in pieces.

    One of them is `called` a province, if the file has no other word.

    Every hex in play is of one region, no other hex is. `defects` grow on the way; where the ground itself is wrong,
    `sound` is no, and the rows aren't held to it.
    """

    ground: Ground
    defects: list[Defect]
    sound: bool
    hexes: dict[str, list[Hex]] = made(default_factory=dict)
    apart: frozenset[str] = frozenset()
    called: str = "province"
    of: dict[Hex, str] = made(default_factory=dict)
    """Whose each hex is; empty where that is wrong and was said."""
    told: set[str] = made(default_factory=set)
    """Letters that mean nothing, and of which that was said."""

    def wrong(self, where: str, what: str, right: str) -> None:
        """Note a defect."""
        self.defects.append(Defect(f"regions.{where}", what, right))

    def read(self, block: Mapping[str, object]) -> None:
        """The block `regions`, as it was probably meant."""
        self._called(block.get("called", self.called))
        legend = self._legend(block.get("legend"))
        self._apart(block.get("apart", ""), [*legend.values()])
        rows = block.get("rows")
        lines = [s for s in rows.splitlines() if s.strip() and s.strip()[0] != "#"] if isinstance(rows, str) else []
        if not lines:
            self.wrong("rows", "no rows", "write `rows: |` and a line of letters for each row of the terrain")
            return
        widths = Counter(cell.row for cell in self.ground.cells.values())
        drawn = [self._row(line, f"rows line {i}", legend, widths) for i, line in enumerate(lines, 1)]
        for row, times in sorted(Counter(row for row in drawn if row is not None).items()):
            if times > 1:
                self.wrong("rows", f"row {row:02} stands there {times} times", "write it once")
        if self.sound:
            self._complete(sorted(widths.keys() - {*drawn}), {*legend.values()})

    def _called(self, word: object) -> None:
        if isinstance(word, str) and re.fullmatch("[a-z][a-z -]{1,19}", word):
            self.called = word
        else:
            self.wrong("called", stands(word), "write what one region is called in small letters: province, county")

    def _legend(self, legend: object) -> dict[str, str]:
        """Letter -> the name of its region."""
        read: dict[str, str] = {}
        if not isinstance(legend, Mapping):
            self.wrong("legend", "is missing", "write `legend: {H: Harima}`")
            return read
        for letter, name in legend.items():
            where, known = f"legend {shown(letter)}", len(self.defects)
            if letter == _NONE:
                self.wrong("legend", f"{_NONE} stands there", f"{_NONE} is a hex of no region; take another letter")
            elif not isinstance(name, str) or not name:
                self.wrong(where, stands(name), "write the name of a region")
            elif name in read.values():
                self.wrong(where, f"{shown(name)} has a letter already", "give it one letter")
            else:
                read[str(letter)] = name
            self.told |= {str(letter)} if len(self.defects) > known else set()
        return read

    def _apart(self, names: object, known: list[str]) -> None:
        """The regions in pieces, or where no way leads."""
        listed = names if isinstance(names, list) else str(names).split()
        for name in listed:
            if name not in known:
                self.wrong("apart", f"there is no region {shown(name)}", f"regions are {', '.join(known)}")
        self.apart = frozenset(map(str, listed)) & {*known}

    def _row(self, line: str, where: str, legend: Mapping[str, str], widths: Mapping[int, int]) -> int | None:
        """The number of a row whose letters are read; None where it has none of the terrain's."""
        label, *letters = line.split()
        if not re.fullmatch("[0-9]{1,4}", label) or (self.sound and int(label) not in widths):
            self.wrong(where, f"is labelled {shown(label)}", "write the number of a row of the terrain")
            return None
        row = int(label)
        if self.sound and len(letters) != widths[row]:
            self.wrong(where, f"has {len(letters)} hexes", f"row {label} of the terrain has {widths[row]}")
        letters += [""] * (widths[row] - len(letters))  # no region, so that one mistake is one defect
        for column, (h, letter) in enumerate(
            zip(self.ground.numbering.row(row, len(letters)), letters, strict=True), 1
        ):
            if letter in legend:
                self.hexes.setdefault(legend[letter], []).append(h)
            elif letter and letter != _NONE and letter not in self.told:
                self.told.add(letter)
                use = " ".join((*legend, _NONE))
                self.wrong(f"{where} hex {column}", f"{shown(letter)} isn't in the legend", f"use {use}")
            if letter != _NONE:
                self.of[h] = legend.get(letter, "")
        return row

    def _complete(self, left_out: list[int], names: set[str]) -> None:
        """Each row of the terrain is there, each hex in play has a region, and each region hexes in play."""
        for row in left_out:
            self.wrong("rows", f"row {row:02} is missing", "write a line for each row of the terrain")
        at, cells = self.ground.numbering, self.ground.cells
        bare = [h for h in self.ground.terrain if h not in self.of and cells[h].row not in left_out]
        if bare:
            numbers = " ".join(at.label(h) for h in sorted(bare)[:10])
            self.wrong("rows", f"{len(bare)} hexes in play have no region: {numbers}", "give each hex in play one")
        for h, name in self.of.items():
            if name and h in cells and h not in self.ground.terrain:
                what = f"hex {at.label(h)} of {name} is {self.ground.water.get(h, 'out of play')}"
                self.wrong("rows", what, f"write {_NONE} there")
        for name in sorted(names - {*self.hexes}):
            self.wrong("legend", f"no hex is of {name}", "draw it, or take it out of the legend")
