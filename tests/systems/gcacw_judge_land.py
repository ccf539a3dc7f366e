"""The ground of the campaigns for the judge: hexes, hexsides, ways and zones, read from the map's data alone."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from math import ceil
from typing import Any

Hex = tuple[int, int]
"""Column and row; rows are counted through both sheets, 1 to 57."""
Side = frozenset[Hex]

SHIFT = 23
"""Row 1 of the south sheet lies on row 24 of the north one: 22.0-2."""
WAYS = {"road", "pike", "railroad"}
GROUND = {"clear": 3, "rolling": 4, "woods": 4, "rough": 5, "hill": 5, "mountain": 6, "swamp": 6, "city": 3}
CROSS = {"dry": 0, "bridge": 0, "dam": 0, "ford": 1, "ferry": 2}


def hex_of(label: str) -> Hex:
    """S1418 or N1441."""
    column, row = int(label[1:3]), int(label[3:])
    return column, row + (SHIFT if label[0] == "S" else 0)


def label_of(h: Hex) -> str:
    """A hex of both sheets is called by its southern number: 22.0-2."""
    column, row = h
    return f"S{column:02}{row - SHIFT:02}" if row > SHIFT else f"N{column:02}{row:02}"


def around(h: Hex) -> list[Hex]:
    """The six hexes round one, on the map or not: odd columns stand half a hex further north."""
    column, row = h
    low = row if column % 2 == 0 else row - 1
    return [(column, row - 1), (column, row + 1), *((column + d, r) for d in (-1, 1) for r in (low, low + 1))]


def apart(a: Hex, b: Hex) -> int:
    """How many hexes one is from the other."""

    def cube(h: Hex) -> tuple[int, int]:
        column, row = h
        return column, row - (column + (column & 1)) // 2

    (qa, ra), (qb, rb) = cube(a), cube(b)
    dq, dr = qa - qb, ra - rb
    return max(abs(dq), abs(dr), abs(dq + dr))


def rows_of(block: Mapping[str, Any]) -> Iterator[tuple[Hex, str]]:
    for line in block["rows"].splitlines():
        if line.strip() and not line.lstrip().startswith("#"):
            number, *letters = line.split()
            yield from (((column, int(number)), letter) for column, letter in enumerate(letters, 1))


class Land:
    """What lies where."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        legend = data["terrain"]["legend"]
        self.ground = {
            h: legend[c][0] for h, c in rows_of(data["terrain"]) if isinstance(legend[c], list)
        }  # water and what is beyond it isn't in play
        self.county = {h: data["regions"]["legend"].get(c, "") for h, c in rows_of(data["regions"])}
        self.ways: dict[Side, set[str]] = defaultdict(set)
        self.crossing: dict[Side, str] = {}
        for chain in data["roads"]["chains"]:
            hexes = [hex_of(label) for label in chain["hexes"].split()]
            for pair in pairwise(hexes):
                if chain["kind"] in (*WAYS, "trail"):
                    self.ways[frozenset(pair)].add(chain["kind"])
                else:
                    self.crossing[frozenset(pair)] = chain["kind"]
        self.water: dict[Side, tuple[str, str]] = {}
        self.creeks: set[Side] = set()
        for chain in data["hexsides"]["chains"]:
            for pair in re.split(r"\s+", chain["sides"].strip()):
                side = frozenset(hex_of(label) for label in pair.split("/"))
                if chain["kind"] == "creek":
                    self.creeks.add(side)
                else:
                    self.water[side] = (chain["kind"], chain["name"])

    def near(self, h: Hex) -> list[Hex]:
        return [n for n in around(h) if n in self.ground]

    def way(self, a: Hex, b: Hex) -> set[str]:
        return self.ways.get(frozenset((a, b)), set())

    @cached_property
    def rails(self) -> dict[Hex, set[Hex]]:
        found: dict[Hex, set[Hex]] = defaultdict(set)
        for side, kinds in self.ways.items():
            if "railroad" in kinds:
                a, b = side
                found[a].add(b)
                found[b].add(a)
        return found

    def crossed(self, a: Hex, b: Hex, bridges: Iterable[Side], barred: Iterable[Side]) -> str:
        """How the river between is crossed: dry, its crossing, or `no`; barred bridges are the enemy's."""
        side = frozenset((a, b))
        if side not in self.water:
            return "dry"
        if side in barred:
            return "no"
        return "bridge" if side in bridges else self.crossing.get(side, "no")

    # --- what a step costs, in points: std-6.1, 14.0 in rain -----------------------------------------------------

    def toll(self, a: Hex, b: Hex, crossed: str, rain: bool) -> Fraction:
        """Points for entering b from a over an open side, without stacking."""
        kinds = self.way(a, b)
        if kinds:
            wet = {"road": Fraction(2), "railroad": Fraction(2), "pike": Fraction(3, 2), "trail": Fraction(3)}
            dry = {"trail": Fraction(2)}
            cost = min(wet[k] if rain else dry.get(k, Fraction(1)) for k in kinds)  # std-6.1-2, 14.0-rain-mv1, -mv2
        else:
            ground = self.ground[b]
            cost = Fraction(GROUND[ground])  # std-6.1-3, std-6.1-4
            cost += rain and ground not in ("clear", "city")  # 14.0-rain-mv3
        if not kinds & WAYS and frozenset((a, b)) in self.creeks:
            cost += 1  # std-6.1-6
        return cost + CROSS[crossed]  # std-6.1-8

    def wild(self, a: Hex, b: Hex) -> bool:
        """Whether swamp or mountain without a way parts two hexes for zones: std-2.4-3."""
        return not self.way(a, b) and not {self.ground[a], self.ground[b]}.isdisjoint(("swamp", "mountain"))

    def washed(self, a: Hex, b: Hex) -> bool:
        """A creek without road, pike or railroad."""
        return frozenset((a, b)) in self.creeks and not self.way(a, b) & WAYS


def stacking(sizes: Iterable[str]) -> int:
    """Points for entering a hex with friends: std-6.2-2."""
    return ceil(sum({"division": Fraction(1), "brigade": Fraction(1, 2)}.get(size, Fraction(0)) for size in sizes))
