"""Reads typed words: orders, standing orders and conditions, with unique prefixes of ids and the nearest right word."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.errors import AmbiguousOrder, MalformedOrder
from pbem.rules.kit import words as kit
from pbem.rules.requests import Words
from pbem.rules.yukimura.board import Board
from pbem.rules.yukimura.conditions import STATES
from pbem.rules.yukimura.orders import (
    DONE,
    FEWER,
    USAGE,
    Advance,
    AdvancePlan,
    Beside,
    Displace,
    Enter,
    Fire,
    Hold,
    March,
    Melee,
    Move,
    Order,
    Path,
    Retreat,
)

__all__ = ["STANDING", "read_order", "read_standing", "read_test"]

STANDING = {
    "retreat": "retreat U|any HEX|DIRECTION ...",
    "advance": "advance U|any follow|enter|hold",
    "defence": "defence best|none",
}
"""Standing order -> how it is written."""

ADVANCES = ("follow", "enter", "hold")
DEFENCES = ("best", "none")
OFF = "off"


def read_order(board: Board, side: str, words: Words) -> Order:
    """An order from its words. Raises MalformedOrder or AmbiguousOrder."""
    match words:
        case ("done",):
            return DONE
        case ("beside", force, number):
            return Beside(_force(board, force), board.parse(number))
        case ("move" | "march" as keyword, unit, _, *_):
            off = words[-1] == OFF
            path = _path(board, words[2:-1] if off else words[2:])
            return (Move if keyword == "move" else March)(_unit(board, unit, side), path, off)
        case ("enter" | "retreat" as keyword, unit, _, *_):
            return (Enter if keyword == "enter" else Retreat)(_unit(board, unit, side), _path(board, words[2:]))
        case ("displace", unit, number):
            return Displace(_unit(board, unit, side), board.parse(number))
        case ("advance", unit, *_):
            return Advance(_unit(board, unit, side), _path(board, words[2:]))
        case ("hold", unit):
            return Hold(_unit(board, unit, side))
        case ("fire" | "melee", _, "at", _, *_):
            return _combat(board, side, words)
    raise kit.not_understood(words, USAGE, "order")


def read_standing(board: Board, side: str, words: Words) -> Words:
    """A standing order; U is a unit or `any`, and nothing behind it clears the order.

    `retreat U HEX-or-DIRECTION ...`, tried in the order written, for displacement too: a hex is where the retreat ends,
    a direction the way of its first step. `advance U follow|enter|hold`. `defence best|none`. Raises MalformedOrder or
    AmbiguousOrder.
    """
    match words:
        case ("retreat", unit, *ways):
            known = kit.directions(next(iter(board.maps.values())))
            found = (kit.way(word, known, board.number) for word in ways)
            return ("retreat", _own_or_any(board, unit, side), *found)
        case ("advance", unit) | ("advance", unit, _):
            policy = (kit.one_of(words[2], ADVANCES, "advance"),) if len(words) > 2 else ()
            return ("advance", _own_or_any(board, unit, side), *policy)
        case ("defence",):
            return words
        case ("defence", policy):
            return ("defence", kit.one_of(policy, DEFENCES, "defence"))
    raise kit.not_understood(words, STANDING, "standing order")


def read_test(board: Board, words: Words) -> Words:
    """A condition's words with full ids. Raises MalformedOrder or AmbiguousOrder."""
    return kit.read_test(words, lambda word: _unit(board, word, ""), board.number, board.side, STATES)


def _combat(board: Board, side: str, words: Words) -> Fire | Melee:
    """`fire|melee U at V [with W ... [or fewer]] [advance W [HEX ...]] ... [hold]`."""
    rest = list(words[4:])
    hold = rest[-1:] == ["hold"]
    if hold:
        del rest[-1]
    support, *advances = _split(rest, "advance")
    fewer = len(support) > len(FEWER) and tuple(support[-2:]) == FEWER
    if fewer:
        del support[-2:]
    if support == ["with"] or not all(advances):
        missing = "with" if support == ["with"] else "advance"
        raise MalformedOrder(f"no unit stands behind `{missing}`", hint=f"write `{USAGE[words[0]]}`")
    if support and support[0] != "with":
        raise MalformedOrder(f"`{' '.join(rest)}` can't stand behind the target", hint=f"write `{USAGE[words[0]]}`")
    plans = tuple(AdvancePlan(_unit(board, unit, side), _path(board, path)) for unit, *path in advances)
    if words[0] == "fire" and (len(plans) > 1 or any(plan.path for plan in plans)):
        hint = "write `advance W`; only one unit advances, into the target's hex"
        raise MalformedOrder("after fire one unit at most advances, by one hex", hint=hint)
    unit, target = _unit(board, words[1], side), _unit(board, words[3], board.enemy.get(side, ""))
    supporters = tuple(_unit(board, word, side) for word in support[1:])
    return (Fire if words[0] == "fire" else Melee)(unit, target, supporters, plans, hold, fewer)


def _split(words: list[str], at: str) -> list[list[str]]:
    """The words before the first `at`, then those behind each."""
    parts: list[list[str]] = [[]]
    for word in words:
        if word == at:
            parts.append([])
        else:
            parts[-1].append(word)
    return parts


def _unit(board: Board, word: str, side: str) -> str:
    """The unit meant by an id or its beginning; the units of `side` come first."""
    return kit.unit_id(word, board.units, board.of_side.get(side, ()), board.describe)


def _own_or_any(board: Board, word: str, side: str) -> str:
    """One of the side's own units, or `any`."""
    return kit.own_or_any(word, board.units, board.of_side.get(side, ()), board.describe)


def _force(board: Board, word: str) -> str:
    fits = [word] if word in board.forces else [force for force in board.forces if force.startswith(word)]
    if len(fits) > 1:
        raise AmbiguousOrder(f"`{word}` fits {len(fits)} forces", hint=f"write one of {', '.join(fits)}")
    return fits[0] if fits else kit.one_of(word, board.forces, "force")


def _path(board: Board, words: Sequence[str]) -> Path:
    return tuple(board.parse(number) for number in words)
