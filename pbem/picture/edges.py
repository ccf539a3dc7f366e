"""Names at the edges of a part of a map: moved inside, left out where that can't be; none is cut."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from pbem.picture.counters import card, placed
from pbem.picture.labels import Name, around
from pbem.picture.paper import NUMBER_SIZE, Box, Paper
from pbem.picture.views import Scene

__all__ = ["names_within"]

_CLEAR = 2.0  # between a name and the edge
_RIM = 6.0  # so much of something else it may cover


def names_within(names: Sequence[Name], window: Box, scene: Scene, paper: Paper) -> list[Name | None]:
    """Each name as a part of the map shows it, None where it shows none.

    One that the edge would cut is moved by half of its length or its height at most, so that it still tells its place,
    and covers no counter, hex number or other name.
    """
    whole = [name if window.union(name.box) == window else None for name in names]
    taken = [*_printed(scene, window, paper), *(name.box for name in whole if name is not None)]
    for i, name in enumerate(names):
        if whole[i] is None and name.box.overlap(window) > 0:
            moved = _inside(name, window)
            if moved is not None and all(moved.box.overlap(other) <= _RIM for other in taken):
                whole[i] = moved
                taken.append(moved.box)
    return whole


def _inside(name: Name, window: Box) -> Name | None:
    """The name moved into a window; None where that is too far."""
    left, top, right, bottom = name.box
    x = max(0.0, window.left + _CLEAR - left) - max(0.0, right + _CLEAR - window.right)
    y = max(0.0, window.top + _CLEAR - top) - max(0.0, bottom + _CLEAR - window.bottom)
    if abs(x) > name.box.width / 2 or abs(y) > name.box.height:
        return None
    return name._replace(at=name.at.by(x, y), box=Box(left + x, top + y, right + x, bottom + y))


def _printed(scene: Scene, window: Box, paper: Paper) -> Iterator[Box]:
    """The counters and hex numbers in a window."""
    yield from _shown((card(at) for _, at in placed(scene.units, paper)), window)
    numbers = (h for h in paper.centred(window) if h in scene.board.hexes)
    yield from (around(paper.number_at(h), scene.board.label(h), NUMBER_SIZE) for h in numbers)


def _shown(boxes: Iterable[Box], window: Box) -> Iterator[Box]:
    return (box for box in boxes if box.overlap(window) > 0)
