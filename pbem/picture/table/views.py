"""What a picture of a table shows, as plain data: units, moves, fires and attacks, in picture units."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.maps.tabletop import Tabletop
from pbem.picture.paper import Box, Point
from pbem.picture.table.figures import BaseView
from pbem.picture.views import MarkView
from pbem.records import NamedTuple

__all__ = ["Battle", "StrikeView", "WayView"]


class WayView(NamedTuple):
    """A move: the points from the first to the last, the base as it stood at first; an old one is drawn paler."""

    path: tuple[Point, ...]
    stood: tuple[Point, ...]
    side: str
    old: bool = False
    title: str = ""


class StrikeView(NamedTuple):
    """A fire or attack from the middle of one base or several, the main one first, at the middle of another.

    result is the word to print, number the fight's in the report, 0 for none; an old one is drawn paler; whom is
    the id of its target.
    """

    sources: tuple[Point, ...]
    target: Point
    kind: str
    result: str
    number: int = 0
    old: bool = False
    title: str = ""
    whom: str = ""


class Battle(NamedTuple):
    """A table with all that stands on it.

    sides fixes the looks of the sides, titles are what the key calls them; areas outlines where units set up; the
    track beside the table shows this turn of so many; coming are the units still to be set up, by whose they are;
    shown, none for all, are the units whose reach is drawn; window is what the key explains, None for all; japanese are
    names as they are written in Japan.
    """

    table: Tabletop
    sides: tuple[str, ...] = ()
    units: tuple[BaseView, ...] = ()
    moves: tuple[WayView, ...] = ()
    fights: tuple[StrikeView, ...] = ()
    areas: bool = False
    titles: Mapping[str, str] = {}
    turn: int = 0
    turns: int = 0
    turn_title: str = "turn"
    coming: Mapping[str, tuple[str, ...]] = {}
    track: tuple[MarkView, ...] = ()
    window: Box | None = None
    japanese: Mapping[str, str] = {}

    def within(self, window: Box) -> Battle:
        """The same with only what lies in a window."""
        return self._replace(
            units=tuple(u for u in self.units if any(_holds(window, stand.middle) for stand in u.stands)),
            moves=tuple(move for move in self.moves if any(_holds(window, at) for at in move.path)),
            fights=tuple(fight for fight in self.fights if _holds(window, fight.target)),
            window=window,
        )

    def called(self, side: str) -> str:
        """What a side is called."""
        return self.titles.get(side, side)


def _holds(box: Box, at: Point) -> bool:
    return box.left <= at.x <= box.right and box.top <= at.y <= box.bottom
