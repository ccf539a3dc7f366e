"""Whether a wing can have room to set up: ground to stand on, place for each base, and for all that they measure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.rules.samurai.board import Unit, Zone, inches
from pbem.rules.samurai.geometry import Base, spans

__all__ = ["why_no_room"]


def why_no_room(units: Sequence[Unit], zone: Zone, stops: Sequence[Base]) -> Iterator[str]:
    """Why units can't all set up in a zone with such ground in it that can't be entered.

    What isn't told may be so all the same: how bases could lie beside one another isn't tried.
    """
    wide, deep = zone.east - zone.west, zone.north - zone.south
    if any(_covers(piece, zone) for piece in stops):
        yield "sets up where nobody can stand"
        return
    room = f"{inches(wide)} by {inches(deep)} inches"
    for u in units:
        x, y = u.kind.width, u.kind.depth
        if not _fits(x * u.stands, y, wide, deep) and not _fits(x, y * u.stands, wide, deep):
            yield f"has no room for {u.id} in {room}"
    if sum(u.stands * u.kind.width * u.kind.depth for u in units) > wide * deep:
        yield f"has no room for {len(units)} units and daimyos in {room}"


def _covers(piece: Base, zone: Zone) -> bool:
    """Whether a piece of ground lies under all corners of a zone."""
    wide, deep, s, t = spans(piece.facing, piece.hw, piece.hd)
    found = [(x - piece.x, y - piece.y) for x in (zone.west, zone.east) for y in (zone.south, zone.north)]
    slanting = piece.facing % 2 == 1
    return all(
        abs(x) <= wide and abs(y) <= deep and (not slanting or (abs(x + y) <= s and abs(x - y) <= t)) for x, y in found
    )


def _fits(x: int, y: int, wide: int, deep: int) -> bool:
    """Whether a rectangle may lie in a zone in some of the eight facings."""
    slanting = (x + y) ** 2 <= 2 * min(wide, deep) ** 2
    return (x <= wide and y <= deep) or (y <= wide and x <= deep) or slanting
