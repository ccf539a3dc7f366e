"""What lies beside a map: the track of turns, and the counters of the units that are still to come."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from html import escape
from typing import Any, Protocol

from pbem.language import also, say
from pbem.picture.arrows import PALER
from pbem.picture.counters import COUNTER, CounterView, colours_of, counter, tint_of
from pbem.picture.paper import Point, element, number, text, width_of
from pbem.picture.views import MarkView, Scene

__all__ = ["Tracked", "draw_beside", "draw_track", "track_of"]

_LEFT = 34.0
_INK = "#2a2416"
_BOX = 38.0  # of the track, wide and high
_STRIP = 17.0  # below it for the marks of a side, high
_MARK = 11.5
_STEP = COUNTER + 8  # from counter to counter
_SIZE = 15.0


def draw_beside(scene: Scene, top: float, width: float) -> tuple[list[str], float]:
    """The elements from `top` down, in lines of that width, and where they end; `top` itself where there is nothing.

    Groups of a side that have room beside each other lie so.
    """
    drawn, top = draw_track(scene, top, width)
    bottom, left, side = top, _LEFT, ""
    for words, units in scene.coming.items():
        wide = max(width_of(words, _SIZE), len(units) * _STEP)
        if units[0].side != side or left + wide > width - _LEFT:
            top, left, side = bottom, _LEFT, units[0].side
        drawn.append(text(Point(left, top + 34), words, _SIZE, fill=_INK))
        placed = list(_placed(units, Point(left, top + 46), width))
        drawn += [
            counter(u, at, colours_of(u.side, scene.sides), tint_of(u.formation, scene.formations)) for u, at in placed
        ]
        bottom, left = max(bottom, placed[-1][1].y + COUNTER / 2), left + wide + _LEFT
    return drawn, bottom


class Tracked(Protocol):
    """What the track of turns shows, on any ground."""

    @property
    def turn(self) -> int:
        """The turn of now."""

    @property
    def turns(self) -> int:
        """How many there are; 0 for no track."""

    @property
    def turn_title(self) -> str:
        """What a turn is called."""

    @property
    def sides(self) -> tuple[str, ...]:
        """The sides, in the order of their colours."""

    @property
    def track(self) -> tuple[MarkView, ...]:
        """The marks on the track."""

    def called(self, which: str) -> str:
        """What a side is called."""


def track_of(sides: Iterable[Mapping[str, Any]]) -> tuple[MarkView, ...]:
    """The marks on the track that a situation tells of its sides."""
    return tuple(
        MarkView(side["id"], mark["sign"], mark["title"], frozenset(mark["turns"]))
        for side in sides
        for mark in side.get("track", ())
    )


def draw_track(scene: Tracked, top: float, width: float) -> tuple[list[str], float]:
    """The track of turns from `top` down, in lines of that width, and where it ends; `top` itself without turns."""
    if not scene.turns:
        return [], top
    track = list(_track(scene, top + 24, width))
    return [element("g", [part for part, _ in track])], track[-1][1]


def _track(scene: Tracked, top: float, width: float) -> Iterator[tuple[str, float]]:
    """A box for each turn, that of now dark, those before it paler, and where its line ends.

    Below it is a strip for each side that has marks on the track.
    """
    sides = [side for side in scene.sides if any(mark.side == side for mark in scene.track)]
    high = _BOX + _STRIP * len(sides)
    yield text(Point(_LEFT, top + _BOX / 2 + 5), scene.turn_title, _SIZE, fill=_INK), top
    left = _LEFT + 12 * len(scene.turn_title)
    per_line = max(1, int((width - left - _LEFT) // _BOX))
    for turn in range(1, scene.turns + 1):
        line, place = divmod(turn - 1, per_line)
        x, y = left + place * _BOX, top + line * (high + 6)
        look = ("#2a2416", "#ffffff") if turn == scene.turn else ("#d9d3bd" if turn < scene.turn else "#ffffff", _INK)
        title = element("title", _turn_title(scene, turn))
        box = element("rect", x=number(x), y=number(y), width=_BOX, height=_BOX, fill=look[0], stroke=_INK)
        middle = Point(x + _BOX / 2, y + _BOX / 2 + 6)
        digits = text(middle, str(turn), 17, fill=look[1], font_weight="bold", text_anchor="middle")
        strips = [_strip(scene, side, turn, Point(x, y + _BOX + _STRIP * row)) for row, side in enumerate(sides)]
        yield element("g", [title + box + digits, *strips]), y + high


def _turn_title(scene: Tracked, turn: int) -> str:
    """What the box of a turn says."""
    if turn == scene.turn:
        return say("%(turn)s %(number)s, now", turn=scene.turn_title, number=turn)
    return say("%(turn)s %(number)s", turn=scene.turn_title, number=turn)


def _strip(scene: Tracked, side: str, turn: int, at: Point) -> str:
    """A side's marks of a turn on a strip of its colour; nothing in a turn without."""
    marks = [mark for mark in scene.track if mark.side == side and turn in mark.turns]
    if not marks:
        return ""
    colours = colours_of(side, scene.sides)
    told = also(also([mark.sign, mark.title]) for mark in marks)
    when, who = scene.turn_title, scene.called(side)
    words = say("%(turn)s %(number)s, %(side)s: %(marks)s", turn=when, number=turn, side=who, marks=told)
    title = element("title", escape(words))
    box = element("rect", x=number(at.x), y=number(at.y), width=_BOX, height=_STRIP, fill=colours.card, stroke=_INK)
    signs = " ".join(mark.sign for mark in marks)
    middle = at.by(_BOX / 2, _STRIP - 4.5)
    drawn = text(middle, signs, _MARK, fill=colours.ink, font_weight="bold", text_anchor="middle")
    return element("g", title + box + drawn, **({"opacity": PALER} if turn < scene.turn else {}))


def _placed(units: tuple[CounterView, ...], corner: Point, width: float) -> Iterator[tuple[CounterView, Point]]:
    """Each counter with its centre, line by line from a corner."""
    per_line = max(1, int((width - corner.x - _LEFT) // _STEP))
    for i, unit in enumerate(units):
        line, place = divmod(i, per_line)
        yield unit, corner.by(place * _STEP + COUNTER / 2, line * _STEP + COUNTER / 2)
