"""Orders that say only where to: `move U to V` brings a unit to an enemy or a friend by the shortest way."""

from __future__ import annotations

from pbem.errors import IllegalOrder, MalformedOrder
from pbem.rules.kit.words import unit_id
from pbem.rules.requests import Choose, Words
from pbem.rules.samurai import moving, straight
from pbem.rules.samurai.board import Board, inches, read_inches
from pbem.rules.samurai.geometry import touches
from pbem.rules.samurai.orders import TURNS, Follow, Move, Order, as_meant, read_order
from pbem.rules.samurai.paths import first_overlap
from pbem.rules.samurai.state import State

__all__ = ["toward", "way"]


def way(s: State, choose: Choose, words: Words) -> Order | None:
    """The order that words with `to` mean at a pending decision, None for words that go nowhere.

    A unit goes straight ahead if it comes into touch so, else after the turn after which it does soonest; a daimyo goes
    beside a friend. Raises MalformedOrder, AmbiguousOrder, and IllegalOrder where no way is legal.
    """
    named = _named(s.board, choose.side, words)
    if named is None:
        return None
    unit, other = named
    if s.board.units[unit].daimyo:
        return _checked(s, choose, Follow(unit, other), words)
    if unit not in s.at or other not in s.at:
        raise MalformedOrder(f"`{' '.join(words)}`: one of them isn't on the table", hint="name two units in play")
    name, whom = s.board.describe(unit), s.board.describe(other)
    if touches(s.at[unit], s.at[other]):
        hint = "write how far and where they go, as `move U left 3;` or `back U 2;`"
        raise IllegalOrder(f"`{' '.join(words)}`: {name} touch {whom} already", hint=hint, clause="movement.1")
    found = [order for first in ("", *TURNS) if (order := _towards(s, choose, unit, other, first)) is not None]
    if not found:
        what = f"`{' '.join(words)}`: {name} come into touch with {whom} in none of their three headings"
        raise IllegalOrder(f"{what} within {inches(s.board.units[unit].kind.move)} inches", clause="movement.3")
    return min(found, key=lambda order: (order.first != "", order.length))


def toward(board: Board, side: str, words: Words) -> Order:
    """An order for the unit that words with `to` name, wherever it stands: a daimyo follows, another moves.

    Raises MalformedOrder or AmbiguousOrder.
    """
    named = _named(board, side, words)
    if named is None:
        return read_order(board, side, words)
    unit, other = named
    return Follow(unit, other) if board.units[unit].daimyo else Move(unit, board.units[unit].kind.move)


def _named(board: Board, side: str, words: Words) -> tuple[str, str] | None:
    """The unit that shall go, and whom to: of a daimyo a friend rather than an enemy; None for other words.

    Raises MalformedOrder or AmbiguousOrder.
    """
    match as_meant(board, words):
        case ("move", who, "to", target) if read_inches(target) is None:
            unit = unit_id(board, who, side)
            return unit, unit_id(board, target, side if board.units[unit].daimyo else board.enemy[side])
    return None


def _towards(s: State, choose: Choose, unit: str, other: str, first: str) -> Move | None:
    """The shortest move in one heading that ends in touch with another unit."""
    b = straight.turned(s, unit, first)
    if first and straight.why_no_room(s, unit, b, goes_on=True):
        return None
    h = first_overlap(b, b.facing, s.at[other])
    if h is None:
        return None
    most = Move(unit, s.board.units[unit].kind.move, first=first)
    found = straight.run(s, most)
    if not touches(found.end, s.at[other]) or found.steps == 0:
        return None
    order = Move(unit, straight.gone(s, most, found), first=first)
    return order if moving.why_not(s, choose.side, order) is None else None


def _checked(s: State, choose: Choose, order: Follow, words: Words) -> Follow:
    refusal = moving.why_not(s, choose.side, order)
    if refusal is None:
        return order
    raise IllegalOrder(f"`{' '.join(words)}`: {refusal.reason}", clause=refusal.clause)
