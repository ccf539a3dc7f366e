"""Whether an army can be set up: ground to stand on, place for all, and daimyos where units of two stands need them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.rules.samurai.board import Unit, Zone, inches
from pbem.rules.samurai.geometry import Base, spans

__all__ = ["why_no_room", "why_unled"]

SLACK = 10
"""By so many hundredths a stand counts as narrower: bases that touch may be a little apart, or a little off (P-2)."""

BROAD = 390
"""A daimyo as broad may touch units of three wings: each is 4 inches wide at least."""


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


def why_unled(units: Sequence[Unit], wings: Sequence[str]) -> str | None:
    """Why a daimyo can't touch each unit of two stands of an army, whose wings set up side by side in this order.

    What isn't told may be so all the same: how bases could lie beside one another isn't tried.
    """
    doubled, daimyos = [u for u in units if u.stands > 1], [u for u in units if u.daimyo]
    if not doubled or not daimyos:
        return None
    most = _most_led(doubled, daimyos[0])
    if len(doubled) > most * len(daimyos):
        has = "1 daimyo" if len(daimyos) == 1 else f"{len(daimyos)} daimyos"
        return f"has {has} for {len(doubled)} units of two stands, and {most} at most can touch one"  # daimyos.2
    if len(wings) == 1 or daimyos[0].kind.width + daimyos[0].kind.depth >= BROAD:
        return None
    has_own = {wing: sum(u.wing == wing for u in daimyos) for wing in wings}
    lacks = {wing: -(-sum(u.wing == wing for u in doubled) // most) - has_own[wing] for wing in (wings[0], wings[-1])}
    short = [wing for wing, number in lacks.items() if number > 0]
    if sum(lacks[wing] for wing in short) <= has_own[wings[1]]:  # each of whom stands at one end of it
        return None
    ids = ", ".join(u.id for u in doubled if u.wing in short)
    return f"has too few daimyos in the {' and '.join(short)} wing or the one beside it for units of two stands, {ids}"


def _most_led(doubled: Sequence[Unit], daimyo: Unit) -> int:
    """No more units of two stands than that can touch a daimyo.

    Each takes up the width of a stand at least of the line round him from which he is half that width away.
    """
    least = min(min(u.kind.width, u.kind.depth) for u in doubled)
    return (2 * (daimyo.kind.width + daimyo.kind.depth) + 4 * least) // (least - SLACK)


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
