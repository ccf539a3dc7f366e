"""Checks of a built map: whether roads and rivers hang together, areas are large enough and no ground is cut off."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from itertools import combinations, pairwise

from pbem.maps.hexes import Hex, are_adjacent, corner, neighbours
from pbem.maps.map import Map
from pbem.maps.mapfile import Crossing, Defect

__all__ = ["check", "reachable"]


def check(
    board: Map,
    *,
    terrain: Collection[str] | None = None,
    sides: Collection[str] | None = None,
    barred: Collection[str] = (),
    sizes: Mapping[str, int] | None = None,
) -> list[Defect]:
    """Everything on the map that can't be right; an empty list when all is well.

    terrain, sides: the features and hexside kinds that the system's terrain chart knows (None: not checked);
    barred: hexside kinds that only a road crosses; sizes: how many hexes each area must have at least.
    """
    return [
        *_broken_roads(board),
        *_broken_hexsides(board),
        *_unknown_words(board, terrain, sides),
        *_cut_off(board, barred),
        *_areas(board, sizes or {}),
        *_held_twice(board),
        *_inner_entries(board),
    ]


def reachable(board: Map, start: Hex, barred: Collection[str] = ()) -> frozenset[Hex]:
    """The hexes that can be reached step by step, barred sides crossed on roads only."""
    shut = frozenset(barred)
    found, todo = {start}, [start]
    while todo:
        for link in board.links[todo.pop()]:
            if link.to not in found and (link.ways or not link.side & shut):
                found.add(link.to)
                todo.append(link.to)
    return frozenset(found)


def _broken_roads(board: Map) -> Iterator[Defect]:
    for road in board.roads:
        where = f"roads {road.name}"
        if len(road.hexes) < 2:
            yield Defect(where, "has fewer than two hexes", "a road joins at least two hexes")
        for a, b in pairwise(road.hexes):
            if not are_adjacent(a, b):
                yield Defect(
                    where, f"gap between {board.label(a)} and {board.label(b)}", "each hex adjoins the one before"
                )


def _broken_hexsides(board: Map) -> Iterator[Defect]:
    for crossing in board.hexsides:
        where = f"hexsides {crossing.name}"
        for (before, after), corner_found in zip(pairwise(crossing.sides), _corners(crossing), strict=True):
            if corner_found is None:
                yield Defect(
                    where, f"gap between {_side(board, before)} and {_side(board, after)}", "sides join end to end"
                )
        for (one, two), side in zip(pairwise(_corners(crossing)), crossing.sides[1:], strict=False):
            if one is not None and one == two:
                yield Defect(where, f"forks at {_side(board, side)}", "write the branch as a chain of its own")


def _corners(crossing: Crossing) -> list[frozenset[Hex] | None]:
    """The vertex at which each side joins the next; None for a gap."""
    corners = []
    for before, after in pairwise(crossing.sides):
        meet = sorted({*before, *after})
        corners.append(corner(*meet) if len(meet) == 3 else None)
    return corners


def _side(board: Map, side: tuple[Hex, Hex]) -> str:
    return f"{board.label(side[0])}/{board.label(side[1])}"


def _unknown_words(board: Map, terrain: Collection[str] | None, sides: Collection[str] | None) -> Iterator[Defect]:
    used = sorted({feature for features in board.terrain.values() for feature in features})
    for word in used if terrain is not None else ():
        if word not in (terrain or ()):
            right = "it lies on hexsides" if word in (sides or ()) else f"known are {', '.join(sorted(terrain or ()))}"
            yield Defect("terrain.legend", f"{word!r} isn't hex terrain of this game", right)
    for crossing in board.hexsides if sides is not None else ():
        if crossing.kind not in (sides or ()):
            right = (
                "it fills hexes" if crossing.kind in (terrain or ()) else f"known are {', '.join(sorted(sides or ()))}"
            )
            yield Defect(f"hexsides {crossing.name}", f"{crossing.kind!r} isn't a hexside of this game", right)


def _cut_off(board: Map, barred: Collection[str]) -> Iterator[Defect]:
    """Ground that can't be reached from the main body, whose largest piece counts as that."""
    rest, pieces = set(board.hexes), []
    while rest:
        piece = reachable(board, min(rest), barred)
        pieces.append(piece)
        rest -= piece
    for piece in sorted(pieces, key=lambda p: (-len(p), min(p)))[1:]:
        numbers = " ".join(board.label(h) for h in sorted(piece))
        yield Defect("terrain.rows", f"no way leads to {numbers}", "lead a road there or take them out of play")


def _areas(board: Map, sizes: Mapping[str, int]) -> Iterator[Defect]:
    for name, least in sizes.items():
        have = len(board.areas.get(name, ()))
        if have < least:
            yield Defect(f"areas {name}", f"has {have} hexes", f"{least} units start there, one a hex")
    for (one, hexes), (two, others) in combinations(board.areas.items(), 2):
        for h in sorted(set(hexes) & set(others)):
            yield Defect(f"areas {two}", f"hex {board.label(h)} belongs to {one} too", "give each hex to one area")


def _held_twice(board: Map) -> Iterator[Defect]:
    for (one, hexes), (two, others) in combinations(board.victory.items(), 2):
        for h in sorted(set(hexes) & set(others)):
            yield Defect(
                f"victory {two}", f"hex {board.label(h)} is held by {one} too", "one side holds it at the start"
            )


def _inner_entries(board: Map) -> Iterator[Defect]:
    for name, hexes in board.entries.items():
        for h in hexes:
            if all(n in board or n in board.water for n in neighbours(h)):
                yield Defect(f"entries {name}", f"hex {board.label(h)} lies inside the map", "enter at the map's edge")
