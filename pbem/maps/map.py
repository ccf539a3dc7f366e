"""A map: its hexes, terrain, hexsides, roads, places and areas, built once from a map file's data."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from typing import TYPE_CHECKING

from pbem.errors import BadScenario, Defect, MalformedOrder, counted
from pbem.maps.courses import Crossing, Road
from pbem.maps.hexes import ByHex, Hex, OnDemand, are_adjacent, direction, distance, neighbours
from pbem.maps.numbering import Layout, Numbering
from pbem.records import Fixed, NamedTuple

if TYPE_CHECKING:
    from pbem.maps.mapfile import Drawing

__all__ = ["Crossing", "Hex", "Link", "Map", "Road"]

_NONE: frozenset[str] = frozenset()
_APART = 256  # from one map of a game to the next, in hexes; even, as a grid's origin must be
_MOST_SHIFT = 6
_WORDS: dict[Layout, tuple[str, ...]] = {
    "pointy": ("east", "north-east", "north-west", "west", "south-west", "south-east"),
    "flat": ("south-east", "north-east", "north", "north-west", "south-west", "south"),
}


class Link(NamedTuple):
    """The way from a hex to one neighbour: the kinds of the side between and of the roads across it."""

    to: Hex
    side: frozenset[str]
    ways: frozenset[str]


NOBODY = "nobody"
"""Whose the victory hexes are that no side holds at the start."""


class Map(Fixed):
    """Hexes in play with all that lies in and between them; look-ups only, nothing changes after it is built.

    terrain[h]     features of the hex: those of its letter, the kinds of its roads, "victory_hex"
    neighbours[h]  the adjacent hexes in play, anticlockwise from the east (from the south-east when flat)
    links[h]       the same with what lies between, looked up only
    water[h]       kind of each hex of open water; such hexes aren't in play and no neighbours of anything
    victory[side]  the victory hexes a side holds at the start;  entries[side]  where its reinforcements enter
    signs[h]       what stands at the place of the hex, "castle";  regions[name]  its hexes, region[h]  whose the hex is
    apart          the regions that may lie in pieces, or where no way leads;  region_called  what one of them is
    barred         the hexside kinds that only a road crosses, as the rules have it
    labels[h]      the printed number of each hex in play;  numbered[n]  the hex of a number, if no two have one
    sheet, beyond  for a game on one sheet of several: its prefix, and the hexes in play of the others; else nothing
    """

    name: str
    title: str
    numbering: Numbering
    hexes: tuple[Hex, ...]
    terrain: Mapping[Hex, frozenset[str]]
    neighbours: Mapping[Hex, tuple[Hex, ...]]
    links: ByHex[tuple[Link, ...]]
    water: Mapping[Hex, str]
    places: Mapping[str, Hex]
    place_names: Mapping[Hex, str]
    areas: Mapping[str, tuple[Hex, ...]]
    victory: Mapping[str, tuple[Hex, ...]]
    entries: Mapping[str, tuple[Hex, ...]]
    signs: Mapping[Hex, str]
    regions: Mapping[str, tuple[Hex, ...]]
    region: Mapping[Hex, str]
    apart: frozenset[str]
    region_called: str
    roads: tuple[Road, ...]
    hexsides: tuple[Crossing, ...]
    scale: str
    provenance: Mapping[str, str]
    barred: frozenset[str]
    labels: Mapping[Hex, str]
    numbered: Mapping[str, Hex]
    sheet: str
    beyond: frozenset[Hex]
    _sides: Mapping[tuple[Hex, Hex], frozenset[str]]
    _ways: Mapping[tuple[Hex, Hex], frozenset[str]]

    def __repr__(self) -> str:
        """Short, for tracebacks."""
        return f"<Map {self.name}, {len(self.hexes)} hexes>"

    def __contains__(self, h: object) -> bool:
        """True when the hex is in play."""
        return h in self.terrain

    @property
    def held(self) -> dict[Hex, str | None]:
        """Victory hex -> the side that holds it at the start, None for nobody."""
        return {h: None if side == NOBODY else side for side, hexes in self.victory.items() for h in hexes}

    @property
    def layout(self) -> Layout:
        """Pointy (rows of hexes) or flat (columns of hexes)."""
        return self.numbering.layout

    def side(self, a: Hex, b: Hex) -> frozenset[str]:
        """The kinds of the hexside between two adjacent hexes, {"river"}; empty for open ground."""
        return self._sides.get((a, b), _NONE)

    def crossings(self) -> Iterator[tuple[tuple[Hex, Hex], frozenset[str]]]:
        """Each step between hexes in play that crosses a hexside, and the kinds of the side."""
        return ((step, kinds) for step, kinds in self._sides.items() if self.terrain.keys() >= set(step))

    def ways(self, a: Hex, b: Hex) -> frozenset[str]:
        """The kinds of road that cross the side between two hexes, {"road"}, {"pike", "railroad"}."""
        return self._ways.get((a, b), _NONE)

    def road(self, a: Hex, b: Hex) -> bool:
        """True when a road of any kind leads from a straight to b."""
        return (a, b) in self._ways

    def label(self, h: Hex) -> str:
        """The printed number of a hex, "2411"."""
        return self.labels.get(h) or self.numbering.label(h)

    def find(self, text: str) -> Hex | None:
        """The hex in play with this printed number, None where this map has none."""
        if text in self.numbered:
            return self.numbered[text]
        cell = self.numbering.cell(text)  # as a sheet has it that doesn't name the hex
        h = None if cell is None else self.numbering.hex_at(cell)
        return h if h in self.terrain else None

    def parse(self, text: str, where: str = "") -> Hex:
        """The hex in play with this printed number; MalformedOrder names the nearest right one."""
        if text in self.numbered:
            return self.numbered[text]
        cell = self.numbering.cell(text)
        if cell is None:
            raise MalformedOrder(f"{text!r} isn't a hex number of {self.title}", where, self._numbers())
        h = self.numbering.hex_at(cell)
        if h in self.terrain:
            return h
        kind = f"is open water ({self.water[h]})" if h in self.water else "isn't on the map"
        if h in self.beyond:
            other = next(sheet for sheet in self.numbering.sheets if self.numbering.has(sheet, cell))
            kind = f"is only on sheet {other.prefix}, and this game is played on sheet {self.sheet} alone"
        nearest = min(self.hexes, key=lambda other: (distance(h, other), other))
        raise MalformedOrder(f"hex {text} {kind}", where, f"the nearest hex in play is {self.label(nearest)}")

    def _numbers(self) -> str:
        first, last = self.label(self.hexes[0]), self.label(self.hexes[-1])
        return f"numbers are {self.numbering.pattern()}, such as {first} or {last}"

    def direction(self, a: Hex, b: Hex) -> str:
        """The word for the way from a to the adjacent hex b, "north-east"; empty when they aren't adjacent."""
        d = direction(a, b)
        return "" if d is None else _WORDS[self.layout][d]

    def describe(self, h: Hex) -> str:
        """The number, with the name of the place where it has one: "1122 Gokonomiya"."""
        name = self.place_names.get(h)
        return f"{self.label(h)} {name}" if name else self.label(h)

    @staticmethod
    def distance(a: Hex, b: Hex) -> int:
        """Steps from a to b over open ground."""
        return distance(a, b)

    @classmethod
    def from_data(
        cls, data: object, prefix: str = "", shift: int = 0, barred: Collection[str] = (), sheet: str = ""
    ) -> Map:
        """The map of an already parsed map file, as `read` reads it; BadScenario lists every defect."""
        board, defects = cls.read(data, prefix, shift, barred, sheet)
        if board is None or defects:
            name = data.get("map", "?") if isinstance(data, Mapping) else "?"
            raise BadScenario(counted(defects), f"map {name}", defects=defects)
        return board

    @classmethod
    def read(
        cls, data: object, prefix: str = "", shift: int = 0, barred: Collection[str] = (), sheet: str = ""
    ) -> tuple[Map | None, list[Defect]]:
        """The map of an already parsed map file (format: mapfile.py) and every defect of it.

        With defects it is what could be read, None where no hex could; it serves to read on, not to play on. `barred`
        are the hexside kinds that only a road crosses.

        For a game on several maps: the numbers in the file stand as they are, but the map writes and reads them with
        `prefix` in front ("D2022"; A to Z, six letters at most), and its hexes lie `shift` (-6 to 6) times 256 hexes
        aside, out of reach of the other maps' hexes.

        For a game on one `sheet` of the map, named by the prefix of its numbers, only that sheet is there.
        """
        if re.fullmatch("[A-Z]{0,6}", prefix) is None:
            return None, [Defect("prefix", f"{prefix!r} can't stand before hex numbers", "one to six letters A to Z")]
        if abs(shift) > _MOST_SHIFT:
            return None, [
                Defect("place", f"no room for a map {shift} places aside", f"-{_MOST_SHIFT} to {_MOST_SHIFT}")
            ]
        from pbem.maps.mapfile import read  # a board that is kept needs no reading

        drawing, defects = read(data, prefix, shift * _APART)
        if sheet and drawing:
            from pbem.maps.sheets import cut

            drawing, wrong = cut(drawing, prefix + sheet)
            defects += wrong
        return (cls._built(drawing, frozenset(barred)) if drawing and drawing.terrain else None), defects

    @classmethod
    def _built(cls, d: Drawing, barred: frozenset[str]) -> Map:
        sides, ways = _between(d)
        hexes = tuple(sorted(d.terrain))
        near = {h: tuple([n for n in neighbours(h) if n in d.terrain]) for h in d.terrain}
        labels = {h: d.numbers.get(h) or d.numbering.label(h) for h in hexes}
        numbered = {number: h for h, number in d.numbers.items()}
        return cls(
            name=d.name,
            title=d.title,
            numbering=d.numbering,
            hexes=hexes,
            terrain=_features(d),
            neighbours=near,
            links=OnDemand(_links, near, sides, ways),
            water=d.water,
            places=d.places,
            place_names={h: name for name, h in d.places.items()},
            areas=d.areas,
            victory=d.victory,
            entries=d.entries,
            signs=d.signs,
            regions=d.regions,
            region={h: name for name, hexes in d.regions.items() for h in hexes},
            apart=d.apart,
            region_called=d.region_called,
            roads=d.roads,
            hexsides=d.hexsides,
            scale=d.scale,
            provenance=d.provenance,
            barred=barred,
            labels=labels,
            numbered=numbered if len(numbered) == len(d.numbers) else {},
            sheet=d.sheet,
            beyond=d.beyond,
            _sides=sides,
            _ways=ways,
        )


_Kinds = dict[tuple[Hex, Hex], frozenset[str]]
"""Step -> the kinds of what lies there."""


def _links(near: Mapping[Hex, tuple[Hex, ...]], sides: _Kinds, ways: _Kinds, h: Hex) -> tuple[Link, ...]:
    """The ways from a hex to its neighbours."""
    return tuple([Link(n, sides.get((h, n), _NONE), ways.get((h, n), _NONE)) for n in near[h]])


def _features(d: Drawing) -> dict[Hex, frozenset[str]]:
    more: dict[Hex, set[str]] = {}
    for road in d.roads:
        for h in road.hexes:
            more.setdefault(h, set()).add(road.kind)
    for held in d.victory.values():
        for h in held:
            more.setdefault(h, set()).add("victory_hex")
    return d.terrain | {h: d.terrain[h] | found for h, found in more.items() if h in d.terrain}


def _between(d: Drawing) -> tuple[_Kinds, _Kinds]:
    """The kinds of each side and of the roads across it, both ways round; shores are sides too."""
    sides: _Kinds = {}
    ways: _Kinds = {}
    for h, kind in d.water.items():
        for n in neighbours(h):
            if n in d.terrain:
                _add(sides, h, n, frozenset({kind}))
    for crossing in d.hexsides:
        kinds = frozenset({crossing.kind})
        for a, b in crossing.sides:
            _add(sides, a, b, kinds)
    for road in d.roads:
        kinds = frozenset({road.kind})
        for a, b in zip(road.hexes, road.hexes[1:], strict=False):
            if are_adjacent(a, b):  # a gap is a defect of the file
                _add(ways, a, b, kinds)
    return sides, ways


def _add(found: _Kinds, a: Hex, b: Hex, kinds: frozenset[str]) -> None:
    found[a, b] = found[b, a] = found[a, b] | kinds if (a, b) in found else kinds
