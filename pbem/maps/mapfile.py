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
    places:   {hexes: {Gokonomiya: "1122"}, signs: {castle: "1122"}}      one name a hex, one sign a place
    areas:    {hexes: {choshu: "1220 1221"}}     set-up areas
    victory:  {hexes: {satcho: "2411 1122"}}     by the side that holds them at the start, or nobody
    entries:  {hexes: {shogunate: "0106"}}       where reinforcements enter
    regions:  {called: province, legend: {H: Harima}, apart: Awaji, rows: ...}      in rows as the terrain has
                                 (regions.py); may be left out

Every block has `provenance:`. Hex numbers are quoted: YAML reads a bare 0622 as an octal number.

A hex may have several features, as [mountain, star]: the ground first, then what stands on it. What they mean is the
business of the rules; pictures know the ground flat, clear, plain, rolling, wetland, marsh, swamp, rough, hill,
woods, forest, mountain, mountain_top, impassable_mountain, city, town and large_river (a river as broad as a hex, in
play), the signs mound, star, castle, station and village, the hexsides pond, lake, sea, creek, stream, small_river,
minor_river, river, major_river, ridge, impassable and line, the ways trail, road, pike, railroad and highroad, and as
ways of two hexes the crossings bridge, ford and ferry.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations, pairwise

from pbem.errors import Defect, as_meant, shown, stands, unknown_keys
from pbem.maps.courses import Crossing, Road
from pbem.maps.hexes import Hex, are_adjacent, corner
from pbem.maps.numbering import KEYS as NUMBERING
from pbem.maps.numbering import Cell, Layout, Numbering
from pbem.maps.regions import KEYS as REGIONS
from pbem.maps.regions import Regions
from pbem.maps.rows import Ground
from pbem.records import NamedTuple, Record, made
from pbem.words import closest

__all__ = ["Drawing", "read"]


class Drawing(NamedTuple):
    """What a map file says, with numbers turned into hexes; only terrain and water tell which hexes exist.

    `cells` are those of all that are drawn; `numbers` has the number of each hex in play that can be named by it,
    `apart` the regions that may lie in pieces.
    Cut to a `sheet` (sheets.py), the prefix of its numbers, it has all hexes in play of the others `beyond` it.
    """

    name: str
    title: str
    scale: str
    numbering: Numbering
    provenance: dict[str, str]
    terrain: dict[Hex, frozenset[str]]
    cells: dict[Hex, Cell]
    numbers: dict[Hex, str]
    water: dict[Hex, str]
    roads: tuple[Road, ...]
    hexsides: tuple[Crossing, ...]
    places: dict[str, Hex]
    areas: dict[str, tuple[Hex, ...]]
    victory: dict[str, tuple[Hex, ...]]
    entries: dict[str, tuple[Hex, ...]]
    signs: dict[Hex, str]
    regions: dict[str, tuple[Hex, ...]]
    apart: frozenset[str]
    region_called: str
    sheet: str = ""
    beyond: frozenset[Hex] = frozenset()


_BLOCKS = {
    "numbering": NUMBERING,
    "terrain": ("provenance", "legend", "rows"),
    "roads": ("provenance", "chains"),
    "hexsides": ("provenance", "chains"),
    "places": ("provenance", "hexes", "signs"),
    "areas": ("provenance", "hexes"),
    "victory": ("provenance", "hexes"),
    "entries": ("provenance", "hexes"),
    "regions": REGIONS,
}
"""The blocks of a map file, and the keys of each."""
_LEFT_OUT = ("regions",)
"""Blocks that a file may be without."""
_TEXTS = ("map", "title", "layout")
_KEYS = (*_TEXTS, "scale", *_BLOCKS)
_LAYOUTS: dict[str, Layout] = {"pointy": "pointy", "flat": "flat"}


def read(data: object, prefix: str = "", aside: int = 0) -> tuple[Drawing | None, list[Defect]]:
    """The drawing of a map file's data and every defect found; no drawing when the data are no mapping.

    Where layout or numbering can't be read, the drawing is of those with which least is wrong. The hexes lie `aside`
    (an even number) hexes off; `prefix` stands before the numbers of the drawing, not before those in the file.
    """
    if not isinstance(data, Mapping):
        return None, [Defect("map file", "isn't a mapping", "start with `map: NAME`")]
    frame = _Reader(as_meant(data, _KEYS), [*unknown_keys(data, _KEYS, "")])
    drawn = []
    for numbering in frame.frame():
        reader = _Reader(frame.data, [*frame.defects])
        q, r = numbering.origin
        drawn.append((reader.drawing(numbering._replace(origin=(q + aside, r))), reader.defects))
    drawing, defects = min(drawn, key=lambda found: len(found[1]))
    sheets = tuple(sheet._replace(prefix=prefix + sheet.prefix) for sheet in drawing.numbering.sheets)
    numbers = {h: prefix + number for h, number in drawing.numbers.items()} if prefix else drawing.numbers
    return drawing._replace(numbering=drawing.numbering._replace(sheets=sheets), numbers=numbers), defects


class _Reader(Record):
    """Walks through the file's blocks once and collects defects on the way."""

    data: Mapping[str, object]
    defects: list[Defect] = made(default_factory=list)
    ground: Ground = made(init=False)

    def wrong(self, where: str, what: str, right: str) -> None:
        self.defects.append(Defect(where, what, right))

    def frame(self) -> list[Numbering]:
        """The keys every file has, and the numberings that may be meant, on which all else depends."""
        for key in _TEXTS:
            if not isinstance(self.data.get(key), str):
                self.wrong(key, "is missing", f"write `{key}: TEXT`")
        for key, keys in _BLOCKS.items():
            given = self.data.get(key)
            if given is None and key in _LEFT_OUT:
                continue
            if not isinstance(given, Mapping):
                self.wrong(key, "the block is missing", f"write `{key}:` with `provenance:` and its entries")
                continue
            self.defects += unknown_keys(given, keys, key)
            if not isinstance(self.block(key).get("provenance"), str):
                self.wrong(key, "has no provenance", "write `provenance: rulebook | reconstructed | fact: SOURCE`")
        layout = str(self.data.get("layout"))
        if layout not in _LAYOUTS and isinstance(self.data.get("layout"), str):
            self.wrong("layout", stands(self.data.get("layout")), "write pointy or flat")
        known = layout in _LAYOUTS
        likely = [layout] if known else sorted(_LAYOUTS, key=(closest(layout, _LAYOUTS) or "pointy").__ne__)
        block = self.block("numbering")
        read = [Numbering.from_data(_LAYOUTS[name], block) for name in likely]
        self.defects += read[0][1] if block else []
        return [numbering for numberings, _ in read for numbering in numberings]

    def block(self, key: str) -> Mapping[str, object]:
        """A block as it was probably meant."""
        value = self.data.get(key)
        return as_meant(value, _BLOCKS[key]) if isinstance(value, Mapping) else {}

    def drawing(self, numbering: Numbering) -> Drawing:
        """All blocks; terrain first, for the others name its hexes."""
        elsewhere = str([self.data.get(key) for key in _BLOCKS if key not in ("numbering", "terrain")])
        self.ground = Ground(numbering, elsewhere, self.defects)
        self.ground.read(self.block("terrain"))
        drawing = Drawing(
            name=str(self.data.get("map")),
            title=str(self.data.get("title")),
            scale=str(self.data.get("scale", "")),
            numbering=numbering,
            provenance={key: str(self.block(key).get("provenance")) for key in _BLOCKS if key in self.data},
            terrain=self.ground.terrain,
            cells=self.ground.cells,
            numbers=self.ground.numbers,
            water=self.ground.water,
            roads=tuple(self._roads(numbering)),
            hexsides=tuple(self._hexsides(numbering)),
            places=self._places(numbering),
            areas=self._hex_lists("areas", numbering),
            victory=self._victory(numbering),
            entries=self._hex_lists("entries", numbering),
            signs={},
            regions={},
            apart=frozenset(),
            region_called="",
        )
        signs, regions = self._signs(numbering, drawing.places), self._regions()
        hexes = {name: tuple(hexes) for name, hexes in regions.hexes.items()}
        return drawing._replace(signs=signs, regions=hexes, apart=regions.apart, region_called=regions.called)

    # hex numbers

    def _hex(self, numbering: Numbering, text: object, where: str, *, in_play: bool = True) -> Hex | None:
        if not isinstance(text, str):
            self.wrong(where, f"the hex number {shown(text)} isn't text", "put it in quotes")
            return None
        h = self.ground.called.get(text)
        if h is None and (cell := numbering.cell(text)) is not None:
            h = numbering.hex_at(cell)
        if h is None or h not in self.ground.cells:
            self.wrong(where, f"there is no hex {shown(text)}", f"numbers are {numbering.pattern()}")
            return None
        if in_play and h not in self.ground.terrain:
            what = f"hex {text} is {self.ground.water.get(h, 'out of play')}"
            self.wrong(where, what, "name a hex that units can enter")
            return None
        return h

    def _hexes(self, numbering: Numbering, text: object, where: str) -> tuple[Hex, ...]:
        if not isinstance(text, str | list):
            example = " ".join(sorted(self.ground.numbers.values())[:2])
            self.wrong(where, stands(text), f"write the numbers of hexes: {example!r}")
            return ()
        found = [self._hex(numbering, number, where) for number in _words(text)]
        known = tuple(h for h in found if h is not None)
        self._once(known, numbering, where)
        return known

    def _once(self, hexes: Sequence[Hex], numbering: Numbering, where: str) -> None:
        for h in sorted(h for h, times in Counter(hexes).items() if times > 1):
            self.wrong(where, f"hex {numbering.label(h)} stands there twice", "name it once")

    # blocks

    def _chains(self, key: str, what: str) -> list[tuple[str, str, object, str]]:
        """Name, kind (empty when it is missing), text and place in the file of each chain of a block."""
        chains = self.block(key).get("chains", [])
        good = []
        for i, chain in enumerate(chains if isinstance(chains, list) else [chains], 1):
            where, keys = f"{key}.chains {i}", ("name", "kind", what)
            if isinstance(chain, Mapping):
                self.defects += unknown_keys(chain, keys, where)
                chain = as_meant(chain, keys)
                missing = [key for key in keys if not isinstance(chain.get(key), str | list if key == what else str)]
                for name in missing:
                    self.wrong(f"{where}.{name}", stands(chain.get(name)), f"write `{name}: TEXT`")
                if what not in missing:
                    place = where if "name" in missing else f"{key} {chain['name']}"
                    kind = "" if "kind" in missing else str(chain["kind"])
                    good.append((str(chain.get("name")), kind, chain[what], place))
            else:
                self.wrong(where, stands(chain), f"write {{name: NAME, kind: KIND, {what}: NUMBERS}}")
        return good

    def _roads(self, numbering: Numbering) -> list[Road]:
        roads = []
        for name, kind, text, where in self._chains("roads", "hexes"):
            numbers = [str(number) for number in _words(text)]
            hexes = [self._hex(numbering, number, where) for number in numbers]
            if len(numbers) < 2:
                self.wrong(where, "has fewer than two hexes", "a road joins at least two hexes")
            gaps = [bool(a and b and a != b and not are_adjacent(a, b)) for a, b in pairwise(hexes)]
            alone = self._gaps(gaps, numbers, where, "each hex adjoins the one before")
            known = [h for i, h in enumerate(hexes) if h is not None and i not in alone]
            self._once(known, numbering, where)
            roads += [Road(name, kind, tuple(known))] if kind else []
        return roads

    def _gaps(self, gaps: list[bool], named: list[str], where: str, right: str) -> set[int]:
        """Note the gaps of a chain, each behind the link of its number; the links that have one on both sides, from 0.

        Such a link is one mistake.
        """
        alone = {i for i in range(1, len(gaps)) if gaps[i - 1] and gaps[i]}
        for i, gap in enumerate(gaps):
            if i in alone:
                self.wrong(where, f"gap before and behind {named[i]}", right)
            elif gap and i + 1 not in alone:
                self.wrong(where, f"gap between {named[i]} and {named[i + 1]}", right)
        return alone

    def _hexsides(self, numbering: Numbering) -> list[Crossing]:
        crossings = []
        for name, kind, text, where in self._chains("hexsides", "sides"):
            pairs = [str(pair) for pair in _words(text)]
            sides = [self._side(numbering, pair, where) for pair in pairs]
            if not pairs:
                self.wrong(where, "has no sides", "write the two hexes that each side parts: 0622/0522")
            self._unbroken_course(sides, pairs, where)
            crossings += [Crossing(name, kind, tuple(s for s in sides if s is not None))] if kind else []
        return crossings

    def _unbroken_course(self, sides: list[tuple[Hex, Hex] | None], pairs: list[str], where: str) -> None:
        """A river goes from side to side by common corners, and on from another corner than it came to."""
        met = [_corner(a, b) if a and b else frozenset[Hex]() for a, b in pairwise(sides)]
        gaps = [corner is None for corner in met]
        self._gaps(gaps, pairs, where, "sides join end to end")
        for i, (before, after) in enumerate(pairwise(met), 1):
            if after and after == before and not any(gaps[i - 1 : i + 2]):
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

    def _signs(self, numbering: Numbering, places: Mapping[str, Hex]) -> dict[Hex, str]:
        """What stands at a place, one sign each."""
        given, signs = self.block("places").get("signs", {}), dict[Hex, str]()
        if not isinstance(given, Mapping):
            self.wrong("places.signs", "isn't a mapping", 'write `signs: {castle: "0101"}`')
            return signs
        for sign, text in given.items():
            where = f"places.signs {sign}"
            for h in self._hexes(numbering, text, where):
                if h not in places.values():
                    self.wrong(where, f"hex {numbering.label(h)} has no name", "name the place under `hexes`")
                if signs.setdefault(h, str(sign)) != sign:
                    self.wrong(where, f"hex {numbering.label(h)} has the sign {signs[h]} already", "give it one sign")
        return signs

    def _regions(self) -> Regions:
        sound = not any(defect.where.startswith("terrain") for defect in self.defects)
        regions = Regions(self.ground, self.defects, sound)
        if block := self.block("regions"):
            regions.read(block)
        return regions

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


def _words(value: object) -> list[object]:
    """The words of a text, or of a list of them."""
    return [*value] if isinstance(value, list) else [*str(value).split()]


def _corner(before: tuple[Hex, Hex], after: tuple[Hex, Hex]) -> frozenset[Hex] | None:
    """The vertex at which a side joins the next; None for a gap."""
    meet = {*before, *after}
    return corner(*meet) if len(meet) == 3 else None
