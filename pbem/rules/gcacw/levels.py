"""Reads what scores in a scenario, and what the total means (13.0-3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from pbem.errors import stands
from pbem.rules.gcacw.board import UNION, Level, Line, Victory
from pbem.rules.gcacw.tables import COMBAT_SIZES
from pbem.rules.gcacw.victory import KINDS
from pbem.rules.kit import scenario as kit
from pbem.rules.kit.reading import Reader
from pbem.rules.kit.tables import number

__all__ = ["NEEDS", "read_victory"]

VICTORY = ("clause", "lines", "levels")
LINE = ("clause", "kind", "points", "hexes", "unless", "units", "sizes", "regions", "side", "fewer", "steps", "free")
LEVEL = ("title", "side", "least")
FAR = 99

NEEDS: Mapping[str, tuple[str, ...]] = {
    "infantry-in": ("hexes",),
    "nearest": ("hexes", "steps"),
    "lost": ("side",),
    "few-lost": ("side", "fewer"),
    "routs": ("side",),
    "control": ("hexes",),
    "stations": ("hexes",),
    "stations-damaged": ("hexes",),
    "stations-destroyed": ("hexes",),
    "near": ("hexes", "sizes"),
    "all-near": ("hexes", "units"),
    "unit-in": ("hexes", "units"),
    "in-regions": ("regions", "sizes"),
    "depots": ("hexes",),
    "panic": (),
    "controls": ("hexes",),
}
"""Kind of a line -> what it counts, which has to stand in it; `points`, too, where it has no `steps`."""

MAY = {"control": ("unless",), "in-regions": ("free",)}
"""Kind of a line -> what may stand in it besides."""


def read_victory(reader: Reader, units: Sequence[str], sides: Sequence[str]) -> Victory:
    """The block `victory` of a scenario with these counters and sides."""
    where, defects = "scenario.victory", reader.defects
    given = defects.keys(defects.block(reader.data, "victory", "scenario"), VICTORY, where)
    lines = tuple(_line(reader, line, units, sides, place) for place, line in defects.items(given, "lines", where))
    levels = tuple(_level(reader, line, sides, place) for place, line in defects.items(given, "levels", where))
    bounds = [level.least for level in levels]
    falling = all(a is not None and (b is None or a > b) for a, b in pairwise(bounds))
    if not levels or bounds[-1] is not None or not falling:
        right = "write them from the highest `least` down; the last has none"
        defects.wrong(f"{where}.levels", "don't follow each other", right)
        levels = levels or (Level("", UNION, None),)
    return Victory(lines, levels, defects.text(given, "clause", where))


def _line(reader: Reader, data: Mapping[str, Any], units: Sequence[str], sides: Sequence[str], where: str) -> Line:
    """A line of the list."""
    defects = reader.defects
    given = defects.keys(data, LINE, where)
    kind = kit.known(given.get("kind"), [*KINDS], f"{where}.kind", defects)
    _check(reader, given, kind, where)
    steps = defects.block(given, "steps", where)
    return Line(
        clause=defects.text(given, "clause", where),
        kind=kind,
        points=number({"points": 0, **given}, "points", where, defects, -FAR, ()) or 0,
        hexes=reader.hexes(given, "hexes", where),
        unless=reader.hexes(given, "unless", where),
        units=reader.all_known(given, "units", units, where),
        sizes=frozenset(reader.all_known(given, "sizes", COMBAT_SIZES, where)),
        regions=frozenset(reader.all_known(given, "regions", reader.map.regions, where)),
        side=reader.known(given["side"], sides, f"{where}.side") if "side" in given else "",
        fewer=reader.number(given, "fewer", where),
        free=kit.yes(given, "free", where, defects),
        steps=tuple(
            sorted(
                (defects.number(least, f"{where}.steps"), defects.number(points, f"{where}.steps {least}"))
                for least, points in steps.items()
            )
        ),
    )


def _check(reader: Reader, given: Mapping[str, Any], kind: str, where: str) -> None:
    """Note what a line of a kind lacks, and what it has that counts for nothing."""
    needed = (*NEEDS.get(kind, ()), *(() if "steps" in given else ("points",)))
    for key in needed:
        if given.get(key) in (None, "", [], {}):
            reader.defects.wrong(f"{where}.{key}", stands(given.get(key)), f"a line of the kind `{kind}` needs it")
    allowed = {"clause", "kind", "points", "steps", *needed, *MAY.get(kind, ())}
    for key in given if kind in NEEDS else ():
        if key not in allowed:
            reader.defects.wrong(f"{where}.{key}", f"counts for nothing in a line of the kind `{kind}`", "leave it out")


def _level(reader: Reader, data: Mapping[str, Any], sides: Sequence[str], where: str) -> Level:
    """A level of victory."""
    given = reader.defects.keys(data, LEVEL, where)
    least = number(given, "least", where, reader.defects, -FAR, ()) if "least" in given else None
    side = reader.known(given.get("side"), sides, f"{where}.side")
    return Level(reader.defects.text(given, "title", where), side or UNION, least)
