"""Reads typed words: orders, standing orders and conditions, with unique prefixes of ids and the nearest right word."""

from __future__ import annotations

from pbem.errors import MalformedOrder
from pbem.rules.bakumatsu.board import Board
from pbem.rules.bakumatsu.conditions import STATES
from pbem.rules.bakumatsu.orders import (
    DONE,
    USAGE,
    Enter,
    Fire,
    March,
    Melee,
    Move,
    Order,
    Path,
    Recover,
    Retreat,
    SetUpUnit,
)
from pbem.rules.kit import words as kit
from pbem.rules.requests import Words

__all__ = ["read_order", "read_standing", "read_test"]


def read_order(board: Board, side: str, words: Words) -> Order:
    """An order from its words. Raises MalformedOrder or AmbiguousOrder."""
    match words:
        case ("done",):
            return DONE
        case ("setup", unit, number):
            return SetUpUnit(_unit(board, unit, side), board.parse(number))
        case ("recover", unit):
            return Recover(_unit(board, unit, side))
        case ("move", unit, _, *_):
            return Move(_unit(board, unit, side), _path(board, words[2:]))
        case ("march", unit, _, *_):
            return March(_unit(board, unit, side), _path(board, words[2:]))
        case ("retreat", unit, _, *_):
            return Retreat(_unit(board, unit, side), _path(board, words[2:]))
        case ("enter", unit):
            return Enter(_unit(board, unit, side))
        case ("enter", unit, "move" | "march", _, *_):
            return Enter(_unit(board, unit, side), words[2], _path(board, words[3:]))
        case ("fire", unit, "at", target, *rest):
            return Fire(_unit(board, unit, side), _target(board, target, side), _support(board, side, words, rest))
        case ("melee", unit, "at", target, *rest):
            advance = rest[-1:] == ["advance"]
            support = _support(board, side, words, rest[:-1] if advance else rest)
            return Melee(_unit(board, unit, side), _target(board, target, side), support, advance)
    raise kit.not_understood(words, USAGE, "order")


def read_standing(board: Board, side: str, words: Words) -> Words:
    """A standing order: `retreat U HEX-or-DIRECTION ...`, U a unit or `any`; nothing behind U clears it.

    They are tried in the order written, and the first that is permitted wins: a hex is where the retreat ends, a
    direction the way of its first step. Raises MalformedOrder or AmbiguousOrder.
    """
    usage = "retreat U|any HEX|DIRECTION ..."
    if len(words) < 2 or words[0] != "retreat":
        raise MalformedOrder(f"`{' '.join(words)}` is no standing order", hint=f"write `standing {usage}`")
    unit = kit.own_or_any(words[1], board.units, board.of_side.get(side, ()), board.describe)
    known = kit.directions(board.map)
    return ("retreat", unit, *(kit.way(word, known, board.number) for word in words[2:]))


def read_test(board: Board, words: Words) -> Words:
    """A condition's words with full ids. Raises MalformedOrder or AmbiguousOrder."""
    return kit.read_test(words, lambda word: _unit(board, word, ""), board.number, board.side, STATES)


def _unit(board: Board, word: str, side: str) -> str:
    """The unit meant by an id or its beginning; the units of `side` come first."""
    return kit.unit_id(word, board.units, board.of_side.get(side, ()), board.describe)


def _target(board: Board, word: str, side: str) -> str:
    return _unit(board, word, board.enemy.get(side, ""))


def _path(board: Board, words: Words) -> Path:
    return tuple(board.parse(number) for number in words)


def _support(board: Board, side: str, words: Words, rest: list[str]) -> tuple[str, ...]:
    if rest and (rest[0] != "with" or len(rest) == 1):
        raise MalformedOrder(f"`{' '.join(rest)}` can't stand behind the target", hint=f"write `{USAGE[words[0]]}`")
    return tuple(_unit(board, word, side) for word in rest[1:])
