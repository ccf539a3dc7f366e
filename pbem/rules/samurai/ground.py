"""The ground before a base that goes straight: where it goes slower, and what it can't go over."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from pbem.records import NamedTuple
from pbem.rules.samurai.board import Board, Edged, Piece
from pbem.rules.samurai.geometry import Base, swept
from pbem.rules.samurai.paths import Range, merged, steps_over

__all__ = ["Ahead", "ahead", "near_by"]


class Ahead(NamedTuple):
    """The steps after which a base lies over difficult ground, which count `double`; the pieces that can't be entered
    over which it would come to lie, each with the first step at which it would."""

    double: Sequence[Range]
    walls: Sequence[tuple[int, Piece]]


NOTHING = Ahead((), ())


def near_by(pieces: Iterable[Edged], west: int, east: int, south: int, north: int) -> list[Edged]:
    """Those pieces of ground which may lie in part in a rectangle."""
    return [piece for piece in pieces if piece[0] < east and piece[1] > west and piece[2] < north and piece[3] > south]


@lru_cache(4096)
def ahead(board: Board, b: Base, way: int) -> Ahead:
    """What lies before a base in the direction of a facing as far as any unit goes: kept, as it stays so all game."""
    most = board.farthest
    west, east, south, north = swept(b, way, most)
    near = near_by(board.barriers, west, east, south, north)
    if not near:
        return NOTHING
    found = steps_over(b, way, 1, most, [(edged.piece, *edged.lies) for edged in near])
    slow = [Range(low, high) for low, high, piece in found if board.ground[piece.kind].slows]
    return Ahead(merged(slow), [(low, piece) for low, _, piece in found if board.ground[piece.kind].stops])
