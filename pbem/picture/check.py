"""What a picture of a map would show badly: names over each other or off the paper, words that have no look."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations

from pbem.errors import Defect
from pbem.maps.map import Map
from pbem.picture.labels import Name, around, placed_names
from pbem.picture.lines import SIDE_KINDS, WAY_KINDS
from pbem.picture.paper import MARGIN, NUMBER_SIZE, Box, Paper, width_of
from pbem.picture.svg import TITLE_SIZE
from pbem.picture.terrain import FEATURES, SIGNS

__all__ = ["doubts"]

_SEEN = 0.1  # of the smaller one: less of an overlap isn't seen


def doubts(board: Map) -> list[Defect]:
    """Everything on the map as printed, without counters, that a reader would stumble over."""
    paper = Paper(board)
    names = placed_names(board, paper, [], board.held, areas=True)
    return [*_title(board, paper), *_beyond(names, paper), *_covered(board, names, paper), *_plain(board)]


def _title(board: Map, paper: Paper) -> Iterator[Defect]:
    if width_of(board.title, TITLE_SIZE) > paper.width - 2 * MARGIN:
        yield Defect("title", "is wider than the map", "write a shorter one")


def _beyond(names: list[Name], paper: Paper) -> Iterator[Defect]:
    for name in names:
        if name.box.left < 0 or name.box.right > paper.width or name.box.top < 0:
            yield Defect(name.where, "the name reaches beyond the paper", "write a shorter one")


def _covered(board: Map, names: list[Name], paper: Paper) -> Iterator[Defect]:
    """Names over names, and over hex numbers."""
    for one, other in combinations(names, 2):
        if _covers(one.box, other.box):
            yield Defect(other.where, f"the name covers that of {one.where}", "write shorter ones, or leave one out")
    for name in names:
        numbers = [h for h in board.hexes if _covers(name.box, around(paper.number_at(h), board.label(h), NUMBER_SIZE))]
        if numbers:
            covered = " ".join(map(board.label, numbers))
            yield Defect(name.where, f"the name covers the hex number {covered}", "write a shorter one")


def _covers(one: Box, other: Box) -> bool:
    smaller = min((box.right - box.left) * (box.bottom - box.top) for box in (one, other))
    return one.overlap(other) > _SEEN * smaller


def _plain(board: Map) -> Iterator[Defect]:
    """Words that the picture draws like something else, for it doesn't know them."""
    used: Mapping[str, tuple[set[str], frozenset[str]]] = {
        "terrain.legend": ({word for features in board.terrain.values() for word in features}, FEATURES),
        "hexsides": ({course.kind for course in board.hexsides}, SIDE_KINDS),
        "places.signs": ({*board.signs.values()}, frozenset(SIGNS)),
        "roads": ({road.kind for road in board.roads}, WAY_KINDS),
    }
    for where, (words, known) in used.items():
        for word in sorted(words - known - {road.kind for road in board.roads if where == "terrain.legend"}):
            yield Defect(where, f"pictures have no look for {word!r}", f"they know {', '.join(sorted(known))}")
