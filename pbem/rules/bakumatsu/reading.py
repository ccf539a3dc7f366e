"""Reads typed words: orders, standing orders and conditions, with unique prefixes of ids and the nearest right word."""

from __future__ import annotations

from pbem.errors import MalformedOrder, closest, not_understood, one_of, whole_id
from pbem.maps.hexes import neighbours
from pbem.rules.bakumatsu.board import Board
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
from pbem.rules.requests import Words

__all__ = ["CONDITIONS", "STATE_WORDS", "directions", "read_order", "read_standing", "read_test"]

CONDITIONS = {
    "gone": "gone U",
    "alive": "alive U",
    "at": "at U HEX",
    "empty": "empty HEX",
    "held": "held HEX SIDE",
    "is": "is U WORD",
}
"""Condition -> how it is written."""

STATE_WORDS = ("disordered", "normal", "artillery", "received", "done")
"""What `is U WORD` can ask."""


def read_order(board: Board, side: str, words: Words) -> Order:
    """An order from its words. Raises MalformedOrder or AmbiguousOrder."""
    match words:
        case ("done",):
            return DONE
        case ("setup", unit, number):
            return SetUpUnit(_unit(board, unit, side), board.map.parse(number))
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
    raise not_understood(words, USAGE, "order")


def read_standing(board: Board, side: str, words: Words) -> Words:
    """A standing order: `retreat U HEX-or-DIRECTION ...`, U a unit or `any`; nothing behind U clears it.

    They are tried in the order written, and the first that is permitted wins: a hex is where the retreat ends, a
    direction the way of its first step. Raises MalformedOrder or AmbiguousOrder.
    """
    usage = "retreat U|any HEX|DIRECTION ..."
    if len(words) < 2 or words[0] != "retreat":
        raise MalformedOrder(f"`{' '.join(words)}` is no standing order", hint=f"write `standing {usage}`")
    unit = "any" if words[1] == "any" else _unit(board, words[1], side)
    if unit != "any" and board.units[unit].side != side:
        raise MalformedOrder(f"{board.describe(unit)} isn't yours", hint="give standing orders to your own units")
    ways = directions(board)
    return ("retreat", unit, *(w if w in ways else _standing_hex(board, w, ways) for w in words[2:]))


def read_test(board: Board, words: Words) -> Words:
    """A condition's words with full ids. Raises MalformedOrder or AmbiguousOrder."""
    match words:
        case ("gone" | "alive", unit):
            return (words[0], _unit(board, unit, ""))
        case ("at", unit, number):
            return ("at", _unit(board, unit, ""), _label(board, number))
        case ("empty", number):
            return ("empty", _label(board, number))
        case ("held", number, side):
            return ("held", _label(board, number), one_of(side, board.side, "side"))
        case ("is", unit, word):
            return ("is", _unit(board, unit, ""), one_of(word, STATE_WORDS, "word for a unit's state"))
    raise not_understood(words, CONDITIONS, "condition")


def directions(board: Board) -> tuple[str, ...]:
    """The words for the six directions on this map."""
    h = board.map.hexes[0]
    return tuple(board.map.direction(h, n) for n in neighbours(h))


def _unit(board: Board, word: str, side: str) -> str:
    """The unit meant by an id or its beginning; the units of `side` come first."""
    return whole_id(word, board.units, board.of_side.get(side, ()), board.describe)


def _target(board: Board, word: str, side: str) -> str:
    return _unit(board, word, board.enemy.get(side, ""))


def _path(board: Board, words: Words) -> Path:
    return tuple(board.map.parse(number) for number in words)


def _support(board: Board, side: str, words: Words, rest: list[str]) -> tuple[str, ...]:
    if rest and (rest[0] != "with" or len(rest) == 1):
        raise MalformedOrder(f"`{' '.join(rest)}` can't stand behind the target", hint=f"write `{USAGE[words[0]]}`")
    return tuple(_unit(board, word, side) for word in rest[1:])


def _label(board: Board, number: str) -> str:
    return board.label[board.map.parse(number)]


def _standing_hex(board: Board, word: str, ways: tuple[str, ...]) -> str:
    if not word[-1:].isdigit():
        near = closest(word, ways, 0.5)
        hint = f"the nearest is `{near[0]}`" if near else f"directions are: {', '.join(ways)}"
        raise MalformedOrder(f"`{word}` is neither a hex nor a direction", hint=hint)
    return _label(board, word)
