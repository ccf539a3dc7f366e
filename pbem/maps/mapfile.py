"""The map file's format: reads its parsed YAML into a Drawing, and says everything that is wrong with it.

    map: toba-fushimi            title: Toba-Fushimi            scale: 205 m a hex
    layout: pointy | flat        numbering: {...}               (numbering.py)
    terrain:
      legend: {".": [flat], "^": [hill], "~": {water: pond}, "-": {}}       {} = no hex there
      rows: |                    a line a row, north at the top: the row's number, then a letter a hex, columns from
        23 . . ^ ^               the west, separated by blanks; half-shifted rows of a pointy map stand one blank
        22  . . ^ ^              further right, so that the letters lie as the hexes do. Lines starting with # are
                                 skipped.
    roads:    {chains: [{name: Toba road, kind: road, hexes: "0106 0206 0307"}]}     each hex next to the one before
    hexsides: {chains: [{name: Uji, kind: river, sides: "0622/0522 0622/0523"}]}     a side = the two hexes it parts;
                                 each side continues the one before; a river written in one go has no gap. The kind
                                 `line` is a border that counts for the rules and stops nobody
    places:   {hexes: {Gokonomiya: "1122"}}      one name a hex
    areas:    {hexes: {choshu: "1220 1221"}}     set-up areas
    victory:  {hexes: {satcho: "2411 1122"}}     by the side that holds them at the start
    entries:  {hexes: {shogunate: "0106"}}       where reinforcements enter

Every block has `provenance:`. Hex numbers are quoted: YAML reads a bare 0622 as an octal number.

A hex may have several features, as [mountain, star]: the ground first, then what stands on it. What they mean is the
business of the rules; pictures know the ground flat, clear, plain, wetland, marsh, swamp, hill, rough, woods, forest,
mountain, mountain_top, city, town and large_river (a river as broad as a hex, in play), the signs mound and star,
the hexsides pond, stream, small_river, river, impassable and line, the ways trail, road, pike and railroad.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import combinations, pairwise
from typing import NamedTuple

from pbem.errors import Defect, shown, stands, unknown_keys
from pbem.maps.hexes import Hex, are_adjacent, corner
from pbem.maps.numbering import NUMBER, Cell, Layout, Numbering

__all__ = ["Crossing", "Drawing", "Road", "read"]


class Road(NamedTuple):
    """A named road: its hexes in order."""

    name: str
    kind: str
    hexes: tuple[Hex, ...]


class Crossing(NamedTuple):
    """A named river, stream or shore: its hexsides in order, each as the two hexes it parts."""

    name: str
    kind: str
    sides: tuple[tuple[Hex, Hex], ...]


class Drawing(NamedTuple):
    """What a map file says, with numbers turned into hexes; only terrain and water tell which hexes exist.

    `numbers` has the number of each hex in play that can be named by it.
    """

    name: str
    title: str
    scale: str
    numbering: Numbering
    provenance: dict[str, str]
    terrain: dict[Hex, frozenset[str]]
    numbers: dict[Hex, str]
    water: dict[Hex, str]
    roads: tuple[Road, ...]
    hexsides: tuple[Crossing, ...]
    places: dict[str, Hex]
    areas: dict[str, tuple[Hex, ...]]
    victory: dict[str, tuple[Hex, ...]]
    entries: dict[str, tuple[Hex, ...]]


HEXES_MAX = 20_000

_BLOCKS = {
    "numbering": (),  # numbering.py
    "terrain": ("provenance", "legend", "rows"),
    "roads": ("provenance", "chains"),
    "hexsides": ("provenance", "chains"),
    "places": ("provenance", "hexes"),
    "areas": ("provenance", "hexes"),
    "victory": ("provenance", "hexes"),
    "entries": ("provenance", "hexes"),
}
"""The blocks of a map file, and the keys of each."""
_TEXTS = ("map", "title", "layout")
_LAYOUTS: dict[str, Layout] = {"pointy": "pointy", "flat": "flat"}


def read(data: object, prefix: str = "", aside: int = 0) -> tuple[Drawing | None, list[Defect]]:
    """The drawing of a map file's data and every defect found; no drawing when the frame itself is broken.

    The hexes lie `aside` (an even number) hexes off; `prefix` stands before the numbers of the drawing, not before
    those in the file.
    """
    if not isinstance(data, Mapping):
        return None, [Defect("map file", "isn't a mapping", "start with `map: NAME`")]
    reader = _Reader(data)
    numbering = reader.frame()
    if numbering is None:
        return None, reader.defects
    q, r = numbering.origin
    drawing = reader.drawing(numbering._replace(origin=(q + aside, r)))
    sheets = tuple(sheet._replace(prefix=prefix + sheet.prefix) for sheet in numbering.sheets)
    numbers = {h: prefix + number for h, number in drawing.numbers.items()} if prefix else drawing.numbers
    return drawing._replace(numbering=drawing.numbering._replace(sheets=sheets), numbers=numbers), reader.defects


@dataclass(slots=True, eq=False, repr=False)
class _Reader:
    """Walks through the file's blocks once and collects defects on the way."""

    data: Mapping[str, object]
    defects: list[Defect] = field(default_factory=list)
    terrain: dict[Hex, frozenset[str]] = field(default_factory=dict)
    numbers: dict[Hex, str] = field(default_factory=dict)
    water: dict[Hex, str] = field(default_factory=dict)
    cells: set[Hex] = field(default_factory=set)
    left_out: int = 0
    """How many rows stand in front of one that the file leaves out; 0: none is left out."""
    told: set[str] = field(default_factory=set)
    """Letters of the terrain that mean nothing, and of which that was said."""

    def wrong(self, where: str, what: str, right: str) -> None:
        self.defects.append(Defect(where, what, right))

    def frame(self) -> Numbering | None:
        """The keys every file has, and the numbering on which all else depends."""
        for key in _TEXTS:
            if not isinstance(self.data.get(key), str):
                self.wrong(key, "is missing", f"write `{key}: TEXT`")
        known = (*_TEXTS, "scale", *_BLOCKS)
        self.defects += unknown_keys(self.data, known, "")
        for key, keys in _BLOCKS.items():
            if key != "numbering":
                self.defects += unknown_keys(self.block(key), keys, key)
            if not isinstance(self.data.get(key), Mapping):
                self.wrong(key, "the block is missing", f"write `{key}:` with `provenance:` and its entries")
            elif not isinstance(self.block(key).get("provenance"), str):
                self.wrong(key, "has no provenance", "write `provenance: rulebook | reconstructed | fact: SOURCE`")
        layout = _LAYOUTS.get(str(self.data.get("layout")))
        if layout is None:
            self.wrong("layout", stands(self.data.get("layout")), "write pointy or flat")
            return None
        numbering = Numbering.from_data(layout, self.block("numbering"))
        if isinstance(numbering, list):
            self.defects += numbering
            return None
        return numbering

    def block(self, key: str) -> Mapping[str, object]:
        value = self.data.get(key)
        return value if isinstance(value, Mapping) else {}

    def drawing(self, numbering: Numbering) -> Drawing:
        """All blocks; terrain first, for the others name its hexes."""
        self._terrain(numbering)
        self._in_play(numbering)
        return Drawing(
            name=str(self.data.get("map")),
            title=str(self.data.get("title")),
            scale=str(self.data.get("scale", "")),
            numbering=numbering,
            provenance={key: str(self.block(key).get("provenance")) for key in _BLOCKS},
            terrain=self.terrain,
            numbers=self.numbers,
            water=self.water,
            roads=tuple(self._roads(numbering)),
            hexsides=tuple(self._hexsides(numbering)),
            places=self._places(numbering),
            areas=self._hex_lists("areas", numbering),
            victory=self._victory(numbering),
            entries=self._hex_lists("entries", numbering),
        )

    # terrain

    def _terrain(self, numbering: Numbering) -> None:
        block = self.block("terrain")
        legend = self._legend(block.get("legend"))
        rows = block.get("rows")
        lines = [s for s in rows.splitlines() if s.strip() and s.strip()[0] != "#"] if isinstance(rows, str) else []
        if not lines:
            self.wrong("terrain.rows", "no rows", "write `rows: |` and a line of letters for each row of hexes")
            return
        if (count := sum(len(s.split()) - 1 for s in lines)) > HEXES_MAX:
            self.wrong("terrain.rows", f"{count} hexes", f"a map has {HEXES_MAX} at most")
            return
        lines = self._complete(numbering, lines)
        labels = self._labels(numbering, lines)
        self._check_rows(numbering, lines, labels)
        for i, (row, text) in enumerate(zip(labels, lines, strict=True), 1):
            letters, where = text.split()[1:], self._line(i)
            ends = (Cell(row, 1), Cell(row, len(letters)))
            if any(numbering.cell_of(numbering.hex_at(cell)) != cell for cell in ends):
                self.wrong(where, "lies too far out", "2,000 hexes aside are the most; mind origin and offsets")
                return
            for column, letter in enumerate(letters, 1):
                self._letter(numbering.hex_at(Cell(row, column)), letter, legend, f"{where} hex {column}")

    def _complete(self, numbering: Numbering, lines: list[str]) -> list[str]:
        """The lines of the rows, one that was left out between two others put in as the one behind it is."""
        down, named = -1 if numbering.rows_from_south else 1, [text.split()[0] for text in lines]
        if not all(re.fullmatch("[0-9]{2,4}", name) for name in named):
            return lines
        steps = [(int(b) - int(a)) * down for a, b in pairwise(named)]
        if sorted(steps) != [*[1] * (len(steps) - 1), 2] or not self._lie_as_named(numbering, lines, steps.index(2)):
            return lines
        self.left_out = steps.index(2) + 1
        behind, label = lines[self.left_out], f"{int(named[self.left_out]) - down:02}"
        start = _start(behind)
        rows = [Cell(int(name), 1) for name in (named[self.left_out], label)]
        if numbering.layout == "pointy":
            start += numbering.is_shifted(rows[1]) - numbering.is_shifted(rows[0])
        self.wrong(self._line(self.left_out + 2), f"row {label} is missing in front of it", "write a line for each row")
        return [*lines[: self.left_out], label.ljust(start) + " ".join(behind.split()[1:]), *lines[self.left_out :]]

    def _lie_as_named(self, numbering: Numbering, lines: list[str], gap: int) -> bool:
        """Whether the rows lie as their numbers say; in a flat map, where all lie alike, the gap is far from its edges.

        Otherwise the first or last row has a wrong number.
        """
        if numbering.layout == "flat":
            return 0 < gap < len(lines) - 2
        shifted = [numbering.is_shifted(Cell(int(text.split()[0]), 1)) for text in lines]
        return len({_start(text) - shift for text, shift in zip(lines, shifted, strict=True)}) == 1

    def _line(self, i: int) -> str:
        """The place of the i-th row, counted as the file has them."""
        return f"terrain.rows line {i - 1 if self.left_out and i > self.left_out else i}"

    def _labels(self, numbering: Numbering, lines: list[str]) -> list[int]:
        """The number of each row, counted as most of the rows say."""
        down, named = -1 if numbering.rows_from_south else 1, [text.split()[0] for text in lines]
        read = [int(name) - i * down for i, name in enumerate(named) if re.fullmatch("[0-9]{1,4}", name)]
        first = _most(read) if read else 0
        labels = [first + i * down for i in range(len(lines))]
        for i, (label, name) in enumerate(zip(labels, named, strict=True), 1):
            if name != f"{label:02}":
                self.wrong(self._line(i), f"is labelled {shown(name)}", f"the row here is {label:02}")
        return labels

    def _check_rows(self, numbering: Numbering, lines: list[str], labels: list[int]) -> None:
        """Each row is as long as most are, and lies as the map lies."""
        counts = [len(text.split()) - 1 for text in lines]
        starts = [_start(text) for text in lines]
        shifts = [numbering.layout == "pointy" and numbering.is_shifted(Cell(row, 1)) for row in labels]
        width, left = _most(counts), _most([at - shift for at, shift in zip(starts, shifts, strict=True)])
        for i, (count, at, shift) in enumerate(zip(counts, starts, shifts, strict=True), 1):
            where = self._line(i)
            if count != width:
                self.wrong(where, f"has {count} hexes", f"the rows have {width}")
            if at - shift != left and lines[i - 1].split()[0] == f"{labels[i - 1]:02}":
                what = f"its first letter stands at column {at + 1}"
                self.wrong(where, what, f"move it by {left + shift - at:+d}")

    def _in_play(self, numbering: Numbering) -> None:
        """Some hex must be in play, and each must have a number by which orders can name it."""
        if not self.terrain and not self.defects:
            self.wrong("terrain.rows", "no hex is in play", "draw ground that units can enter")
        labels = {h: numbering.label(h) for h in self.terrain}
        self.numbers = {h: label for h, label in labels.items() if NUMBER.fullmatch(label)}
        nameless = [label for h, label in labels.items() if h not in self.numbers]
        if nameless:
            what = f"{len(nameless)} hexes have no number, as the one at {nameless[0]}"
            self.wrong("terrain.rows", what, f"numbers are {numbering.pattern()}")

    def _legend(self, legend: object) -> dict[str, frozenset[str] | str | None]:
        """Letter -> features, or the kind of water, or None for no hex."""
        read: dict[str, frozenset[str] | str | None] = {}
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

    def _letter(self, h: Hex, letter: str, legend: dict[str, frozenset[str] | str | None], where: str) -> None:
        self.cells.add(h)
        if letter not in legend and letter not in self.told:
            self.wrong(where, f"the letter {shown(letter)} isn't in the legend", f"letters are {' '.join(legend)}")
            self.told.add(letter)
        ground = next((features for features in legend.values() if isinstance(features, frozenset)), frozenset())
        means = legend.get(letter, ground)  # some ground, so that one mistake is one defect
        if isinstance(means, str):
            self.water[h] = means
        elif means is not None:
            self.terrain[h] = means

    # hex numbers

    def _hex(self, numbering: Numbering, text: object, where: str, *, in_play: bool = True) -> Hex | None:
        if not isinstance(text, str):
            self.wrong(where, f"the hex number {shown(text)} isn't text", "put it in quotes")
            return None
        cell = numbering.cell(text)
        h = None if cell is None else numbering.hex_at(cell)
        if h is None or h not in self.cells:
            self.wrong(where, f"there is no hex {shown(text)}", f"numbers are {numbering.pattern()}")
            return None
        if in_play and h not in self.terrain:
            self.wrong(where, f"hex {text} is {self.water.get(h, 'out of play')}", "name a hex that units can enter")
            return None
        return h

    def _hexes(self, numbering: Numbering, text: object, where: str) -> tuple[Hex, ...]:
        if not isinstance(text, str | list):
            example = " ".join(sorted(self.numbers.values())[:2])
            self.wrong(where, stands(text), f"write the numbers of hexes: {example!r}")
            return ()
        found = [self._hex(numbering, number, where) for number in _words(text)]
        known = tuple(h for h in found if h is not None)
        for h in sorted(h for h, times in Counter(known).items() if times > 1):
            self.wrong(where, f"hex {numbering.label(h)} stands there twice", "name it once")
        return known

    # blocks

    def _chains(self, key: str, what: str) -> list[tuple[str, str, object, str]]:
        """Name, kind, text and place in the file of each chain of a block."""
        chains = self.block(key).get("chains", [])
        good = []
        for i, chain in enumerate(chains if isinstance(chains, list) else [chains], 1):
            where, keys = f"{key}.chains {i}", ("name", "kind", what)
            if isinstance(chain, Mapping):
                self.defects += unknown_keys(chain, keys, where)
                missing = [key for key in keys if not isinstance(chain.get(key), str | list if key == what else str)]
                for name in missing:
                    self.wrong(f"{where}.{name}", stands(chain.get(name)), f"write `{name}: TEXT`")
            if not isinstance(chain, Mapping):
                self.wrong(where, stands(chain), f"write {{name: NAME, kind: KIND, {what}: NUMBERS}}")
            elif not missing:
                good.append((str(chain["name"]), str(chain["kind"]), chain[what], f"{key} {chain['name']}"))
        return good

    def _roads(self, numbering: Numbering) -> list[Road]:
        roads = []
        for name, kind, text, where in self._chains("roads", "hexes"):
            known = len(self.defects)
            roads.append(Road(name, kind, self._hexes(numbering, text, where)))
            if len(self.defects) == known:  # a hex that can't be read is gap enough
                self._unbroken_road(roads[-1].hexes, numbering, where)
        return roads

    def _unbroken_road(self, hexes: tuple[Hex, ...], numbering: Numbering, where: str) -> None:
        if len(hexes) < 2:
            self.wrong(where, "has fewer than two hexes", "a road joins at least two hexes")
        for a, b in pairwise(hexes):
            if not are_adjacent(a, b):
                gap = f"gap between {numbering.label(a)} and {numbering.label(b)}"
                self.wrong(where, gap, "each hex adjoins the one before")

    def _hexsides(self, numbering: Numbering) -> list[Crossing]:
        crossings = []
        for name, kind, text, where in self._chains("hexsides", "sides"):
            pairs, known = [str(pair) for pair in _words(text)], len(self.defects)
            sides = [self._side(numbering, pair, where) for pair in pairs]
            crossings.append(Crossing(name, kind, tuple(s for s in sides if s is not None)))
            if len(self.defects) == known:
                self._unbroken_course(crossings[-1].sides, pairs, where)
        return crossings

    def _unbroken_course(self, sides: tuple[tuple[Hex, Hex], ...], pairs: list[str], where: str) -> None:
        """A river goes from side to side by common corners, and on from another corner than it came to."""
        if not sides:
            self.wrong(where, "has no sides", "write the two hexes that each side parts: 0622/0522")
        corners = [_corner(before, after) for before, after in pairwise(sides)]
        for i, met in enumerate(corners):
            if met is None:
                self.wrong(where, f"gap between {pairs[i]} and {pairs[i + 1]}", "sides join end to end")
            elif i and met == corners[i - 1]:
                self.wrong(where, f"forks at {pairs[i]}", "write the branch as a chain of its own")

    def _side(self, numbering: Numbering, text: str, where: str) -> tuple[Hex, Hex] | None:
        numbers = text.split("/")
        if len(numbers) != 2:
            self.wrong(where, f"{shown(text)} isn't a hexside", "write the two hexes it parts: 0622/0522")
            return None
        a, b = (self._hex(numbering, number, where, in_play=False) for number in numbers)
        if a is None or b is None:
            return None
        if not are_adjacent(a, b):
            self.wrong(where, f"{text}: the two hexes aren't adjacent", "name two hexes that share the side")
            return None
        return a, b

    def _mapping(self, key: str) -> Mapping[object, object]:
        hexes = self.block(key).get("hexes", {})
        if isinstance(hexes, Mapping):
            return hexes
        self.wrong(f"{key}.hexes", "isn't a mapping", 'write `hexes: {NAME: "0101"}`')
        return {}

    def _places(self, numbering: Numbering) -> dict[str, Hex]:
        places: dict[str, Hex] = {}
        named: set[Hex] = set()
        for name, number in self._mapping("places").items():
            h = self._hex(numbering, number, f"places {name}")
            if h in named:
                self.wrong(f"places {name}", f"hex {number} has a name already", "give each hex one name")
            elif h is not None:
                places[str(name)] = h
                named.add(h)
        return places

    def _victory(self, numbering: Numbering) -> dict[str, tuple[Hex, ...]]:
        """The victory hexes by side, each held by one."""
        victory = self._hex_lists("victory", numbering)
        for (one, hexes), (two, others) in combinations(victory.items(), 2):
            for h in sorted(set(hexes) & set(others)):
                what = f"hex {numbering.label(h)} is held by {one} too"
                self.wrong(f"victory {two}", what, "one side holds it at the start")
        return victory

    def _hex_lists(self, key: str, numbering: Numbering) -> dict[str, tuple[Hex, ...]]:
        return {str(name): self._hexes(numbering, text, f"{key} {name}") for name, text in self._mapping(key).items()}


def _start(row: str) -> int:
    """The column of a row's first letter, behind its number."""
    return len(row) - len(row[len(row.split()[0]) :].lstrip())


def _words(value: object) -> list[object]:
    """The words of a text, or of a list of them."""
    return [*value] if isinstance(value, list) else [*str(value).split()]


def _most(numbers: list[int]) -> int:
    """The number that is there most often; of several the first one."""
    return Counter(numbers).most_common(1)[0][0]


def _corner(before: tuple[Hex, Hex], after: tuple[Hex, Hex]) -> frozenset[Hex] | None:
    """The vertex at which a side joins the next; None for a gap."""
    meet = {*before, *after}
    return corner(*meet) if len(meet) == 3 else None
