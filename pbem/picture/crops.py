"""Where on a map or table something happened: parts small enough that every number is read on a phone, each named."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Generic, TypeVar

from pbem.language import clauses, listed, say, shown
from pbem.maps.hexes import Hex
from pbem.picture.counters import card, placed
from pbem.picture.fights import FightMark, fight_marks, kept_clear
from pbem.picture.paper import MARGIN, RADIUS, Box, Paper, paper_of
from pbem.picture.views import FightView, MoveView, Scene
from pbem.records import NamedTuple

if TYPE_CHECKING:
    from pbem.picture.table.views import Battle, StrikeView, WayView

__all__ = ["HEIGHT", "SHARP", "WIDTH", "Crop", "Part", "cropped", "crops_of", "numbered"]

WIDTH, HEIGHT = 480.0, 560.0
"""The largest part, in picture units: as wide as a phone, hex numbers have 9 pixels there, values on counters 10."""
SHARP = 1.5
"""The zoom of a part of a map: sharp on screens with small pixels, too."""
_LEAST = (400.0, 340.0)  # the smallest one
_AROUND = 1.1 * RADIUS  # shown round the middle of a hex where something happened
_END = 3  # hexes of a way's end
_CLEAR = 2.0  # between a name and the edge
_TRIES = 3  # an edge that moves may cut another name
_NAMED = 2  # so many fights or moves are named one by one


_Ends = tuple[float, float]
"""Where something begins and ends in one direction."""


S = TypeVar("S", Scene, "Battle")


class Crop(NamedTuple, Generic[S]):
    """A part of a map or table: its title, where it lies on the picture, what it shows, the fights it is made for;
    others that it shows whole."""

    title: str
    window: Box
    scene: S
    fights: tuple[int, ...]
    also: tuple[int, ...] = ()

    @property
    def rank(self) -> tuple[bool, bool, int]:
        """Fights before moves, newer before older, more before fewer."""
        marks = (*self.scene.fights, *self.scene.moves)
        return bool(self.fights), not all(mark.old for mark in marks), len(marks)


class Part(NamedTuple):
    """What is to lie in one part, and the rectangle round it; `least` is what shows it whole without room around."""

    fights: tuple[FightView | StrikeView, ...]
    moves: tuple[MoveView | WayView, ...]
    box: Box
    least: Box | None = None

    def with_(self, other: Part) -> Part:
        return Part(self.fights + other.fights, self.moves + other.moves, self.box.union(other.box))


def crops_of(scene: Scene, names: Sequence[Box] = ()) -> list[Crop[Scene]]:
    """The parts of a map with fights or moves, those with the first fights first; the whole map if it is small.

    `names` are the rectangles of the names on the map: an edge that would cut one moves where there is room.
    """
    paper = paper_of(scene.board)
    cards: dict[Hex, Box] = {}  # all counters of a hex
    for unit, at in placed(scene.units, paper):
        cards[unit.at] = card(at).union(cards.get(unit.at, card(at)))
    there = list(placed(scene.units, paper))
    marks = fight_marks(scene.fights, [card(at) for _, at in there], paper, kept_clear(scene, paper, there))
    fights = [Part((mark.fight,), (), _of_fight(mark, cards, paper)) for mark in marks]
    ways = [move for move in scene.moves if len(move.path) > 1 or move.alone]
    moves = [Part((), (move,), _round(move.path[-_END:], cards, paper)) for move in ways]
    if not fights and not moves:
        return []
    frame = Box(0, paper.top - MARGIN, paper.width, paper.bottom + MARGIN)
    if paper.width <= WIDTH + 2 * MARGIN and paper.bottom <= HEIGHT + 2 * MARGIN:
        whole = Part(scene.fights, scene.moves, Box(0, paper.top, paper.width, paper.bottom))
        return [_crop(whole, (), frame, names, partial(_near, scene=scene, paper=paper), partial(_seen, scene, paper))]
    found = [*fights, *moves]
    return cropped(found, frame, names, partial(_near, scene=scene, paper=paper), partial(_seen, scene, paper))


def cropped(
    parts: Sequence[Part],
    frame: Box,
    names: Sequence[Box],
    near: Callable[[Box], str],
    within: Callable[[Box], S],
) -> list[Crop[S]]:
    """Windows for what is to be shown, as few as hold all of it, inside of a frame.

    `near` names the place of a rectangle, `within` what a window shows.
    """
    fights = [(fight, part.least or part.box) for part in parts for fight in part.fights]
    return [_crop(part, fights, frame, names, near, within) for part in _joined(parts, frame)]


def _seen(scene: Scene, paper: Paper, window: Box) -> Scene:
    """What of a scene lies in the hexes whose middles a window shows."""
    board, (left, top, right, bottom) = scene.board, window
    near = paper.centred(Box(left, top, right + 1, bottom + 1))
    return scene.within(
        frozenset(h for h in near if (h in board or h in board.water) and _inside(paper.centre(h), window))
    )


def _of_fight(mark: FightMark, cards: Mapping[Hex, Box], paper: Paper) -> Box:
    """The rectangle round those who took part, whom it hit, its mark and its number."""
    box = _round((*mark.fight.sources, mark.fight.target), cards, paper)
    for other in mark.signs():
        box = box.union(other)
    return box


def _round(hexes: Sequence[Hex], cards: Mapping[Hex, Box], paper: Paper) -> Box:
    """The rectangle round hexes and all counters in them."""
    boxes = [paper.hex_box(h, _AROUND) for h in hexes] + [cards[h] for h in hexes if h in cards]
    box = boxes[0]
    for other in boxes[1:]:
        box = box.union(other)
    return box


def _fits(box: Box) -> bool:
    return box.width <= WIDTH and box.height <= HEIGHT


def _joined(parts: Sequence[Part], frame: Box) -> list[Part]:
    """Each joined to the part whose window grows least, where one has room for all of it."""
    found: list[Part] = []
    for part in parts:
        places = [i for i, other in enumerate(found) if _fits(other.box.union(part.box))]
        if places:
            best = min(places, key=lambda i: _growth(found[i].box, part.box, frame))
            found[best] = found[best].with_(part)
        else:
            found.append(part)
    return found


def _growth(box: Box, other: Box, frame: Box) -> float:
    """How much larger a window becomes that shows another rectangle, too."""
    before, after = _window(box, frame), _window(box.union(other), frame)
    return after.width * after.height - before.width * before.height


def _crop(
    part: Part,
    fights: Sequence[tuple[FightView | StrikeView, Box]],
    frame: Box,
    names: Sequence[Box],
    near: Callable[[Box], str],
    within: Callable[[Box], S],
) -> Crop[S]:
    """One window; it names all of the `fights` that it shows whole."""
    window = _window(part.box, frame)
    for _ in range(_TRIES):
        for name in names:
            window = _past(window, part.box, name)
    also = tuple(fight for fight, box in fights if fight not in part.fights and window.union(box) == window)
    own, others = (tuple(fight.number for fight in found) for found in (part.fights, also))
    return Crop(_titled(part, also, near), window, within(window), own, others)


def _past(window: Box, needed: Box, name: Box) -> Box:
    """The window with its edges outside of a name that they cut: farther out, else farther in, else as they are."""
    left, top, right, bottom = window
    if name.bottom > top and name.top < bottom:
        left, right = _ends_past((left, right), (needed.left, needed.right), (name.left, name.right), WIDTH)
    if name.right > left and name.left < right:
        top, bottom = _ends_past((top, bottom), (needed.top, needed.bottom), (name.top, name.bottom), HEIGHT)
    return Box(left, top, right, bottom)


def _ends_past(span: _Ends, needed: _Ends, name: _Ends, most: float) -> _Ends:
    """The same for the two ends of the window in one direction, `most` from each other."""
    low, high = span
    before, behind = name[0] - _CLEAR, name[1] + _CLEAR
    if name[0] < low < name[1]:
        low = before if high - before <= most else behind if behind <= needed[0] else low
    if name[0] < high < name[1]:
        high = behind if behind - low <= most else before if before >= needed[1] else high
    return low, high


def _inside(point: tuple[float, float], box: Box) -> bool:
    return box.left <= point[0] <= box.right and box.top <= point[1] <= box.bottom


def _window(box: Box, frame: Box) -> Box:
    """The rectangle made as large as a part is at least, pushed into a frame."""
    left, right = _span(box.left, box.right, _LEAST[0], frame.left, frame.right)
    top, bottom = _span(box.top, box.bottom, _LEAST[1], frame.top, frame.bottom)
    return Box(left, top, right, bottom)


def _span(low: float, high: float, least: float, first: float, last: float) -> tuple[float, float]:
    more = max(0.0, least - (high - low)) / 2
    low, high = low - more, high + more
    push = max(0.0, first - low) - max(0.0, high - last)
    return max(first, low + push), min(last, high + push)


# --- names -------------------------------------------------------------------------------------------------------


def _titled(part: Part, also: Sequence[FightView | StrikeView], near: Callable[[Box], str]) -> str:
    """`fight 1: Saga attacks Kuwana at 0512`, `fights 2 to 5, near Yao`, `3 moves, near Yao; and fight 6`."""
    if not part.fights:
        named = [*dict.fromkeys(move.title for move in part.moves)]
        place = near(part.box)
        if len(named) <= _NAMED:
            moves = clauses(named)
        elif place:
            moves = say("%(number)s moves, %(near)s", number=len(part.moves), near=place)
        else:
            moves = say("%(number)s moves", number=len(part.moves))
        fights = numbered([fight.number for fight in also]) if also else ""
        return say("%(moves)s; and %(fights)s", moves=moves, fights=fights) if also else moves
    shown = sorted((*part.fights, *also), key=lambda fight: fight.number)
    numbers = numbered([fight.number for fight in shown])
    named = [*dict.fromkeys(fight.title for fight in shown)]
    if len(named) <= _NAMED:
        return say("%(fights)s: %(told)s", fights=numbers, told=clauses(named))
    place = near(part.box)
    return say("%(fights)s, %(near)s", fights=numbers, near=place) if place else numbers


def numbered(numbers: Sequence[int]) -> str:
    """`fight 3`, `fights 1 and 2`, `fights 1 to 4 and 7`."""
    runs: list[list[int]] = []
    for found in sorted(numbers):
        if runs and found == runs[-1][-1] + 1:
            runs[-1].append(found)
        else:
            runs.append([found])
    found = [
        word
        for run in runs
        for word in ([say("%(first)s to %(last)s", first=run[0], last=run[-1])] if len(run) > 2 else map(str, run))
    ]
    if len(numbers) > 1:
        return say("fights %(numbers)s", numbers=listed(found))
    return say("fight %(number)s", number=found[0])


def _near(box: Box, scene: Scene, paper: Paper) -> str:
    """`near Yao`: the named place nearest to the middle; "" on a map without."""
    middle = ((box.left + box.right) / 2, (box.top + box.bottom) / 2)
    places = scene.board.place_names
    if not places:
        return ""
    nearest = min(sorted(places), key=lambda h: math.dist(paper.centre(h), middle))
    return say("near %(place)s", place=shown(places[nearest], scene.names))
