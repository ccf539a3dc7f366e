"""A game as pictures that follow one another: what is drawn on its maps or its table, each piece of it once."""

from __future__ import annotations

from pbem.picture.paper import Box
from pbem.picture.scene import Sheet
from pbem.records import NamedTuple

__all__ = ["Film", "Reel"]


class Reel(NamedTuple):
    """The pictures of one map or table: its name, title and rectangle, and for each picture its pieces, by number."""

    name: str
    title: str
    box: Box
    pictures: list[list[int]]


class Film:
    """Takes the pictures of a game, one of each of its maps behind the other.

    `pieces` are the texts of SVG that all of them are put together from, in the order in which they came first.
    """

    def __init__(self) -> None:
        self.reels: dict[str, Reel] = {}
        self._numbers: dict[str, int] = {}

    @property
    def pieces(self) -> list[str]:
        """Each piece once; its place is its number."""
        return list(self._numbers)

    def take(self, sheet: Sheet) -> bool:
        """Take the next picture of a map or table. Whether anything is drawn that wasn't on the one before."""
        reel = self.reels.setdefault(sheet.name, Reel(sheet.name, sheet.title, sheet.box, []))
        picture = [self._numbers.setdefault(piece, len(self._numbers)) for piece in sheet.drawn() if piece]
        before = reel.pictures[-1] if reel.pictures else []
        reel.pictures.append(picture)
        return not {*picture} <= {*before}
