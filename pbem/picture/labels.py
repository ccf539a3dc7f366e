"""Names on the map, each where it covers least: no counter, hex number or other name."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import Any, Protocol

from pbem.maps.hexes import Hex
from pbem.maps.map import Crossing, Map
from pbem.picture.paper import NUMBER_SIZE, RADIUS, Box, Paper, Point, text, width_of
from pbem.records import NamedTuple

__all__ = ["Keep", "Name", "anew", "around", "draw_names", "placed_names"]

# Where the middle of a place name's baseline may lie, from the hex's centre: first choice first.
_ABOVE_AND_BELOW = ((0.0, 37.0), (0.0, 23.0), (0.0, -6.0), (0.0, 41.0), (0.0, -36.0))
_BESIDE = (6.0, 23.0, -10.0, 37.0, -23.0)
_FAR = (
    (0.0, 66.0),
    (0.0, 83.0),
    (0.0, -66.0),
)
_SHIFTS = (9.0, -9.0, 18.0, -18.0, 27.0, -27.0)
_LATER = 3.0  # so much worse is a spot than the one before it
_SQUARE = 60
_COSTS = {"mark": 8.0, "room": 0.12, "number": 4.0, "name": 16.0}
"""What it costs to cover so much of a counter or mark, of where one may come to lie, of a hex number, of a name."""


class Keep(Hashable, Protocol):
    """Keeps what is the same in many pictures: gives what was kept under a name and key, else the work's result."""

    def __call__(self, name: str, key: str, work: Callable[[], Any], /) -> Any: ...


def anew(_name: str, _key: str, work: Callable[[], Any], /) -> Any:
    """Keeps nothing."""
    return work()


class Style(NamedTuple):
    """How one kind of name is written."""

    size: float
    fill: str
    weight: str = "normal"
    slant: str = "normal"


_PLACE = Style(12, "#1c160a")
_VICTORY = Style(12.5, "#1c160a", weight="bold")
_RIVER = Style(12.5, "#1d4a73", slant="italic")
_LINE = Style(12.5, "#8a0f3c", weight="bold", slant="italic")
_AREA = Style(12.5, "#a01468", weight="bold")
_REGION = Style(19, "#7d2a55", weight="bold", slant="italic")


class Name(NamedTuple):
    """A name in its place: the middle of its baseline, and what it covers; `where` it stands in the map file."""

    where: str
    words: str
    style: Style
    at: Point
    box: Box


class _Printed(dict[tuple[int, int], list[tuple[str, Box]]]):
    """The numbers of hexes, and where counters may come to lie in them, in each square of the paper that is asked."""

    def __init__(self, board: Map, paper: Paper) -> None:
        self._board, self._paper = board, paper
        self._boxes: dict[Hex, tuple[tuple[str, Box], tuple[str, Box]]] = {}

    def __missing__(self, square: tuple[int, int]) -> list[tuple[str, Box]]:
        x, y = square
        left, top, right, bottom = x * _SQUARE, y * _SQUARE, (x + 1) * _SQUARE, (y + 1) * _SQUARE
        round_it = Box(left - RADIUS, top - RADIUS, right + RADIUS, bottom + RADIUS)
        board = self._board
        near = sorted([h for h in self._paper.centred(round_it) if h in board])
        found = self[square] = []
        for one in (0, 1):
            for item in [self._boxes.get(h) or self._of(h) for h in near]:
                a, b, c, d = item[one][1]
                if a < right and left <= c and b < bottom and top <= d:
                    found.append(item[one])
        return found

    def _of(self, h: Hex) -> tuple[tuple[str, Box], tuple[str, Box]]:
        """The number of a hex, and where a counter in it lies: no part of them is farther off than a corner."""
        number = around(self._paper.number_at(h), self._board.label(h), NUMBER_SIZE)
        found = self._boxes[h] = ("number", number), ("room", self._paper.room(h))
        return found


class _Taken:
    """What shouldn't be covered, in squares of the paper to be found quickly: what is printed, and what lies on it."""

    def __init__(self, limit: float, printed: Mapping[tuple[int, int], list[tuple[str, Box]]] | None = None) -> None:
        self.limit = limit
        self.printed = defaultdict(list) if printed is None else printed
        self.squares: dict[tuple[int, int], list[tuple[str, Box]]] = defaultdict(list)

    def take(self, kind: str, box: Box, *others: _Taken) -> None:
        """Cover this here, and in the same places of others."""
        item = (kind, box)
        for square in _squares(box):
            self.squares[square].append(item)
            for other in others:
                other.squares[square].append(item)

    def leave(self, kind: str, box: Box) -> None:
        for square in _squares(box):
            self.squares[square].remove((kind, box))

    def cost(self, box: Box) -> float:
        left, _, right, _ = box
        beyond = max(0.0, 4 - left) + max(0.0, right - self.limit)
        return 40 * beyond + sum([_COSTS[kind] * box.overlap(other) for kind, other in self._covered(box)])

    def holds(self, box: Box) -> bool:
        """Whether it covers anything."""
        return bool(self._covered(box))

    def _covered(self, box: Box) -> list[tuple[str, Box]]:
        """What a box lies over; compared here, as nearly all that is near isn't."""
        left, top, right, bottom = box
        found: list[tuple[str, Box]] = []
        for square in _squares(box):
            for item in chain(self.printed[square], self.squares.get(square, ())):
                a, b, c, d = item[1]
                if a < right and left < c and b < bottom and top < d and item not in found:
                    found.append(item)
        return found


class _Wanted(NamedTuple):
    """A name with the spots where it may lie, earlier ones are better."""

    where: str
    words: str
    style: Style
    spots: Callable[[], Iterable[Point]]
    telling: Callable[[], Callable[[Point], bool]] | None = None

    def shifted(self) -> _Wanted:
        """The same with spots a little to the side, too: what lies in the way may cover no more than one end."""
        return self._replace(spots=self._also_aside)

    def _also_aside(self) -> Iterator[Point]:
        spots = list(self.spots())
        yield from spots
        tells = self.telling() if self.telling else None
        yield from filter(tells, (spot.by(x, 0) for spot in spots for x in _SHIFTS))

    def at(self, taken: _Taken) -> Name:
        """The name at the spot that costs least."""
        best, least = Point(0, 0), math.inf
        for late, spot in enumerate(self.spots()):
            if least <= _LATER * late:
                break
            if (cost := taken.cost(self.box(spot)) + _LATER * late) < least:
                best, least = spot, cost
        return self.put(best)

    def put(self, at: Point) -> Name:
        """The name there."""
        return Name(self.where, self.words, self.style, at, self.box(at))

    def box(self, at: Point) -> Box:
        return around(at, self.words, self.style.size, bold=self.style.weight == "bold")


def _squares(box: Box) -> list[tuple[int, int]]:
    """The squares of the paper that a box touches."""
    left, top, right, bottom = box
    down = range(int(top // _SQUARE), int(bottom // _SQUARE) + 1)
    return [(x, y) for x in range(int(left // _SQUARE), int(right // _SQUARE) + 1) for y in down]


def draw_names(names: Iterable[Name]) -> Iterator[str]:
    """Names of places, rivers, lines and areas, where `placed_names` put them."""
    for name in names:
        look = {"font_weight": name.style.weight, "font_style": name.style.slant, "text_anchor": "middle"}
        yield text(name.at, name.words, name.style.size, halo="#fffdf2", fill=name.style.fill, **look)


def placed_names(
    board: Map,
    paper: Paper,
    marks: Sequence[Box],
    held: Mapping[Hex, str | None],
    *,
    areas: bool,
    printed: Sequence[Box] = (),
    ringed: Collection[Hex] = (),
    keep: Keep = anew,
) -> list[Name]:
    """Each name where it covers least of what is printed; only if a counter or mark lies there it goes elsewhere.

    So names stay where they are from picture to picture. Victory hexes are placed first, and in bold. `printed` is
    what else lies on the map in each of its pictures, `ringed` hexes have a ring of another kind; no place's name
    is nearer to another place or ring than to its own. `keep` keeps where each lies without counters and marks.
    """
    wanted = list(_wanted(board, paper, held, ringed, areas=areas))
    key = repr((sorted(held), [*map(tuple, printed)], sorted(ringed), areas))
    work = partial(_first, wanted, board, paper, printed)
    places = keep(f"{board.name}-names", key, work)
    if not _are_places(places, len(wanted)):  # whoever kept that
        places = work()
    names = [one.put(Point(*at)) for one, at in zip(wanted, places, strict=True)]
    taken, covered = _bare(board, paper, printed), _Taken(0)
    for name in names:
        taken.take("name", name.box)
    for box in marks:
        taken.take("mark", box, covered)
    for i, (one, name) in enumerate(zip(wanted, names, strict=True)):
        if covered.holds(name.box):
            taken.leave("name", name.box)
            names[i] = one.at(taken)
            if covered.holds(names[i].box):
                names[i] = one.shifted().at(taken)
            taken.take("name", names[i].box)
    return names


def _bare(board: Map, paper: Paper, printed: Iterable[Box]) -> _Taken:
    """What is covered of a map without names, counters and marks."""
    taken = _Taken(paper.width - 4, _Printed(board, paper))
    for box in printed:
        taken.take("mark", box)
    return taken


def _first(wanted: Iterable[_Wanted], board: Map, paper: Paper, printed: Iterable[Box]) -> list[list[float]]:
    """Where each name lies, x and y, as long as there are no counters and marks."""
    taken, places = _bare(board, paper, printed), []
    for one in wanted:
        name = one.at(taken)
        taken.take("name", name.box)
        places.append([*name.at])
    return places


def _are_places(data: Any, count: int) -> bool:
    """Whether data are so many places."""
    numbers = {int, float}
    return (
        isinstance(data, list)
        and len(data) == count
        and all(isinstance(at, list) and len(at) == 2 and {*map(type, at)} <= numbers for at in data)
    )


def _wanted(
    board: Map, paper: Paper, held: Mapping[Hex, str | None], ringed: Collection[Hex], *, areas: bool
) -> Iterator[_Wanted]:
    marked = [paper.centre(h) for h in {**board.place_names, **held, **dict.fromkeys(ringed)}]
    telling = held.keys() | board.signs.keys()
    for h in sorted(board.place_names, key=lambda h: (h not in telling, h)):
        name, style = board.place_names[h], _VICTORY if h in telling else _PLACE
        spots = partial(_spots_of_place, paper.centre(h), name, style.size)
        tells = partial(_telling, paper.centre(h), name, style, marked)
        yield _Wanted(f"places {name}", name, style, partial(_such, tells, spots), tells)
    for name, hexes in sorted(board.areas.items()) if areas else ():
        places = [paper.centre(h).by(0, y) for y in (6.0, 23.0, -6.0) for h in hexes]
        if places:
            yield _Wanted(f"areas {name}", name, _AREA, partial(iter, places))
    for name, hexes in board.regions.items():
        yield _Wanted(f"regions {name}", name, _REGION, partial(_spots_of_region, paper, hexes))
    for course in board.hexsides:
        style = _LINE if course.kind == "line" else _RIVER
        if course.sides and course.kind != "impassable":  # a moat has the name of what stands in it
            along = partial(_spots_of_river, paper, course, style.size)
            yield _Wanted(f"hexsides {course.name}", course.name, style, along)


def _such(telling: Callable[[], Callable[[Point], bool]], spots: Callable[[], list[Point]]) -> Iterator[Point]:
    return filter(telling(), spots())


def _telling(centre: Point, name: str, style: Style, marked: Sequence[Point]) -> Callable[[Point], bool]:
    """What tells of a spot for a place's name whether it is nearer to this place than to each other one marked."""
    spots = _spots_of_place(centre, name, style.size)
    reach = 2 * max(math.dist(spot, centre) for spot in spots) + style.size  # none beyond is nearer to any of them
    others = [other for other in marked if 0 < math.dist(other, centre) <= reach]
    return partial(_tells, centre=centre, others=others, style=style)


def _tells(spot: Point, centre: Point, others: Iterable[Point], style: Style) -> bool:
    """Whether the middle of a name there is nearer to its own place than to each other one."""
    middle = spot.by(0, -0.3 * style.size)
    far = math.dist(middle, centre)
    return all(math.dist(middle, other) > far for other in others)


def _spots_of_place(centre: Point, name: str, size: float) -> list[Point]:
    aside = width_of(name, size) / 2 + 27
    beside = [(x, y) for y in _BESIDE for x in (aside, -aside)]
    return [centre.by(x, y) for x, y in (*_ABOVE_AND_BELOW, *beside, *_FAR)]


def _spots_of_region(paper: Paper, hexes: Iterable[Hex]) -> list[Point]:
    """Across a hex between its number and those of its neighbours, from the middle of the region outwards."""
    centres = [paper.centre(h) for h in hexes]
    middle = Point(sum(p.x for p in centres) / len(centres), sum(p.y for p in centres) / len(centres))
    return [p.by(0, -1) for p in sorted(centres, key=lambda p: (round(math.dist(p, middle), 1), p))]


def _spots_of_river(paper: Paper, course: Crossing, size: float) -> Iterator[Point]:
    """Beside or below the course, from its middle towards both ends."""
    middles = [_middle(paper.side(a, b)) for a, b in course.sides]
    aside = width_of(course.name, size) / 2 + 0.7 * RADIUS
    nearest = sorted(range(len(middles)), key=lambda i: abs(2 * i - len(middles)))
    beside = [(x, y) for y in (5.0, 20.0, -10.0, 35.0, -25.0) for x in (aside, -aside)]
    offsets = (*beside[:2], (0.0, 28.0), (0.0, -18.0), *beside[2:], (0.0, 43.0), (0.0, -33.0))
    return (middles[i].by(x, y) for x, y in offsets for i in nearest[: 2 + len(nearest) // 2])


def _middle(ends: tuple[Point, Point]) -> Point:
    return ends[0].towards(ends[1], 0.5)


def around(at: Point, words: str, size: float, *, bold: bool = False) -> Box:
    """What a line of text covers."""
    half = width_of(words, size, bold=bold) / 2
    return Box(at.x - half, at.y - 0.8 * size, at.x + half, at.y + 0.2 * size)
