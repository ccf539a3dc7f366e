"""Orders that say only where to: `move U to V` brings a unit to an enemy or a friend by the shortest way."""

from __future__ import annotations

from pbem.errors import IllegalOrder, MalformedOrder
from pbem.rules.kit.words import unit_id
from pbem.rules.requests import Choose, Order, Words
from pbem.rules.samurai import movement, moving
from pbem.rules.samurai.board import read_inches
from pbem.rules.samurai.geometry import touches
from pbem.rules.samurai.orders import TURNS, Follow, Move
from pbem.rules.samurai.paths import first_overlap
from pbem.rules.samurai.state import State

__all__ = ["way"]


def way(s: State, choose: Choose, words: Words) -> Order | None:
    """The order that words with `to` mean at a pending decision, None for words that go nowhere.

    A unit goes straight ahead if it comes into touch so, else after the turn after which it does soonest; a daimyo goes
    beside a friend. Raises MalformedOrder, AmbiguousOrder, and IllegalOrder where no way is legal.
    """
    match words:
        case ("move", who, "to", target) if read_inches(target) is None:
            unit = unit_id(s.board, who, choose.side)
            other = unit_id(s.board, target, s.board.enemy[choose.side])
        case _:
            return None
    if s.board.units[unit].daimyo:
        return _checked(s, choose, Follow(unit, other), words)
    if unit not in s.at or other not in s.at:
        raise MalformedOrder(f"`{' '.join(words)}`: one of them isn't on the table", hint="name two units in play")
    name, whom = s.board.describe(unit), s.board.describe(other)
    if touches(s.at[unit], s.at[other]):
        hint = "write how far and where it goes, as `move U left 3;` or `back U 2;`"
        raise IllegalOrder(f"`{' '.join(words)}`: {name} touches {whom} already", hint=hint, clause="movement.1")
    found = [order for first in ("", *TURNS) if (order := _towards(s, choose, unit, other, first)) is not None]
    if not found:
        what = f"`{' '.join(words)}`: {name} comes into touch with {whom} in none of its three headings"
        raise IllegalOrder(what, clause="movement.3")
    return min(found, key=lambda order: (order.first != "", order.length))


def _towards(s: State, choose: Choose, unit: str, other: str, first: str) -> Move | None:
    """The shortest move in one heading that ends in touch with another unit."""
    b = movement.turned(s, unit, first)
    if first and movement.why_no_room(s, unit, b, goes_on=True):
        return None
    h = first_overlap(b, b.facing, s.at[other])
    if h is None:
        return None
    most = Move(unit, s.board.units[unit].kind.move, first=first)
    found = movement.run(s, most)
    if not touches(found.end, s.at[other]) or found.steps == 0:
        return None
    order = Move(unit, movement.gone(s, most, found), first=first)
    return order if moving.why_not(s, choose.side, order) is None else None


def _checked(s: State, choose: Choose, order: Follow, words: Words) -> Follow:
    refusal = moving.why_not(s, choose.side, order)
    if refusal is None:
        return order
    raise IllegalOrder(f"`{' '.join(words)}`: {refusal.reason}", clause=refusal.clause)
