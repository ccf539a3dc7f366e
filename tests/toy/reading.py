"""The toy's orders in words: unique prefixes of ids are accepted."""

from __future__ import annotations

from typing import NamedTuple

from pbem.errors import AmbiguousOrder, MalformedOrder
from pbem.rules.requests import Words
from toy.state import POSTS, SIDES, UNITS, Board


class ToyOrder(NamedTuple):
    """An order in full words."""

    words: Words


def read_order(_: Board, __: str, words: Words) -> ToyOrder:
    """An order from its words."""
    match words:
        case ("rest",):
            return ToyOrder(words)
        case ("bet" | "pull" as keyword, number):
            if number not in ("1", "2", "3"):
                raise MalformedOrder(f"`{number}` is no number to {keyword}", hint="1 to 3")
            return ToyOrder(words)
        case ("move", _, _, *_):
            return ToyOrder(("move", *map(_unit, words[1:-1]), _one(words[-1], POSTS)))
        case ("hit" | "flee" | "stand" as keyword, unit):
            return ToyOrder((keyword, _unit(unit)))
        case _:
            raise MalformedOrder(f"`{' '.join(words)}` is no order", hint="bet, pull, move, hit, flee, stand, rest")


def order_words(_: Board, order: ToyOrder) -> Words:
    """The words of an order."""
    return order.words


def step(order: ToyOrder) -> int:
    """The step of the phase: moving is the first one."""
    return 0 if order.words[0] == "move" else 1


STANDING = {"flee": "flee U|all", "stand": "stand U|all"}
CONDITIONS = {"gone": "gone U", "alive": "alive U", "at": "at U HEX", "empty": "empty HEX", "held": "held HEX SIDE",
              "is": "is U WORD"}  # fmt: skip
WAYS: dict[str, str] = {}


def read_standing(_: Board, __: str, words: Words) -> Words:
    """A standing order: `flee U`, `stand U`, or `all` in place of U."""
    match words:
        case ("flee" | "stand" as keyword, unit):
            return (keyword, unit if unit == "all" else _unit(unit))
        case _:
            raise MalformedOrder(f"`{' '.join(words)}` is no standing order", hint="flee U, stand U; U or all")


def read_test(_: Board, words: Words) -> Words:
    """A condition's words."""
    match words:
        case ("gone" | "alive" as keyword, unit):
            return (keyword, _unit(unit))
        case ("at", unit, post):
            return ("at", _unit(unit), _one(post, POSTS))
        case ("empty", post):
            return ("empty", _one(post, POSTS))
        case ("held", post, side):
            return ("held", _one(post, POSTS), _one(side, SIDES))
        case (keyword, unit, word):
            return (keyword, _unit(unit), _one(word, ("ready", "shaken")))
    raise MalformedOrder(f"`{' '.join(words)}` is no condition")


def _unit(word: str) -> str:
    return _one(word, tuple(UNITS))


def _one(word: str, known: tuple[str, ...]) -> str:
    found = [name for name in known if name == word] or [name for name in known if name.startswith(word)]
    if len(found) > 1:
        raise AmbiguousOrder(f"`{word}` fits more than one", hint=" or ".join(found))
    if not found:
        raise MalformedOrder(f"`{word}` is not known", hint=", ".join(known))
    return found[0]
