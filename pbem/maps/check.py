"""Doubts about a map that can be read: ground cut off, regions in pieces, areas that overlap, entries without a way."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from functools import partial
from itertools import combinations

from pbem.errors import Defect
from pbem.maps.hexes import Hex, neighbours
from pbem.maps.map import Map

__all__ = ["doubts", "reachable"]


def doubts(board: Map) -> list[Defect]:
    """Everything on the map that is hardly meant, though it can be played; what contradicts itself is never built."""
    return [*_cut_off(board), *_regions(board), *_areas(board), *_entries(board)]


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


def _cut_off(board: Map) -> Iterator[Defect]:
    """Ground that can't be reached from the main body, whose largest piece counts as that; none of regions apart."""
    for piece in _pieces(board.hexes, lambda h: reachable(board, h, board.barred))[1:]:
        if not all(board.region.get(h) in board.apart for h in piece) and not _goes_on(board, piece):
            numbers = " ".join(board.label(h) for h in sorted(piece))
            yield Defect("terrain.rows", f"no way leads to {numbers}", "lead a road there or take them out of play")


def _regions(board: Map) -> Iterator[Defect]:
    """Regions in pieces, whatever lies between, that aren't said to be apart."""
    for name, hexes in board.regions.items():
        own = frozenset(hexes) & {*board.hexes}
        for piece in _pieces(own, partial(_adjoining, own=own))[1:] if name not in board.apart else ():
            if _goes_on(board, piece):
                continue
            numbers = " ".join(board.label(h) for h in sorted(piece))
            yield Defect("regions.rows", f"{numbers} of {name} lie apart", f"join them, or write `apart: [{name}]`")


def _goes_on(board: Map, piece: Iterable[Hex]) -> bool:
    """Whether ground goes on beyond the edge of the sheet that a map is cut to, where its pieces may hang together."""
    return any(n in board.beyond for h in piece for n in neighbours(h))


def _adjoining(start: Hex, *, own: Collection[Hex]) -> frozenset[Hex]:
    """The hexes of an area that hang together with one of it."""
    found, todo = {start}, [start]
    while todo:
        new = {n for n in neighbours(todo.pop()) if n in own} - found
        found |= new
        todo += new
    return frozenset(found)


def _pieces(hexes: Iterable[Hex], together: Callable[[Hex], frozenset[Hex]]) -> list[frozenset[Hex]]:
    """The pieces that an area falls into, the largest first."""
    rest, pieces = set(hexes), []
    while rest:
        piece = together(min(rest))
        pieces.append(piece)
        rest -= piece
    return sorted(pieces, key=lambda p: (-len(p), min(p)))


def _areas(board: Map) -> Iterator[Defect]:
    for (one, hexes), (two, others) in combinations(board.areas.items(), 2):
        for h in sorted(set(hexes) & set(others)):
            yield Defect(f"areas {two}", f"hex {board.label(h)} belongs to {one} too", "give each hex to one area")


def _entries(board: Map) -> Iterator[Defect]:
    """Entries inside the map, at another edge than the one that they are called by, or at that one where no road is."""
    on_road = {h for road in board.roads for h in road.hexes}
    for name, hexes in board.entries.items():
        for h in hexes:
            if all(n in board or n in board.water for n in neighbours(h)):
                yield Defect(f"entries {name}", f"hex {board.label(h)} lies inside the map", "enter at the map's edge")
            elif name not in _EDGES:
                continue
            elif not _at_edge(board, h, name):
                yield Defect(f"entries {name}", f"hex {board.label(h)} isn't at the {name} edge", "name a hex there")
            elif h not in on_road:
                yield Defect(f"entries {name}", f"no road leads to hex {board.label(h)}", "enter where a road does")


_EDGES = {"north": (0, 1), "south": (0, -1), "east": (1, 0), "west": (-1, 0)}
"""Which way an edge lies: columns to the east, rows to the north."""


def _at_edge(board: Map, h: Hex, edge: str) -> bool:
    """Whether no ground lies further that way in the hex's own row or column."""
    east, north = _EDGES[edge]
    row, column = _row_and_column(board, h)
    cells = [_row_and_column(board, other) for other in board.hexes]
    if east:
        return all((c - column) * east <= 0 for r, c in cells if r == row)
    return all((r - row) * north <= 0 for r, c in cells if c == column)


def _row_and_column(board: Map, h: Hex) -> tuple[int, int]:
    """The row, counted to the north, and the column, to the east."""
    row, column = board.numbering.cell_of(h)
    return (row if board.numbering.rows_from_south else -row), column
