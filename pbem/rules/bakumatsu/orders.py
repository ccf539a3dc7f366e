"""Orders as frozen leaves; their words in the order language, written and read; standing orders and conditions."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from pbem.errors import AmbiguousOrder, MalformedOrder
from pbem.maps.hexes import Hex
from pbem.records import NamedTuple
from pbem.rules.bakumatsu.board import Board
from pbem.rules.bakumatsu.state import State
from pbem.rules.kit import words as kit
from pbem.rules.kit.kinds import kind_of_order
from pbem.rules.requests import Words

__all__ = [
    "CLOSING", "DONE", "NO_ONE", "STANDING", "STATES", "USAGE", "WAYS", "WORDS", "Done", "Enter", "Fire", "March",
    "Melee", "Move", "Order", "Path", "Recover", "Retreat", "SetUpUnit", "holds", "order_words", "read_order",
    "read_standing", "read_test", "usage",
]  # fmt: skip

Path: TypeAlias = tuple[Hex, ...]
"""The hexes entered one after another; the first hex, where the unit stands, is left out."""

IN_NAMES = (("recover",), ("fire",), ("melee",))
"""The orders in which all words are those of the order language or of names."""

NO_ONE = "none"
"""What an order names where no commander shall help."""

CLOSING = "done"
"""The order that ends a phase."""

USAGE = {
    "setup": "setup U HEX",
    "recover": "recover U",
    "move": "move U HEX [HEX ...]",
    "march": "march U HEX [HEX ...]",
    "enter": "enter U [move HEX ... | march HEX ...]",
    "fire": "fire U at V [with W ...]",
    "melee": "melee U at V [with W ...] [advance]",
    "retreat": "retreat U HEX [HEX ...]",
    CLOSING: CLOSING,
}
"""Keyword -> how the order is written."""

STANDING = {"retreat": "retreat U|any HEX|DIRECTION ..."}
"""Standing order -> how it is written."""

WORDS = kit.words_of(USAGE, STANDING)
"""Words of orders, none of which can be a unit's id."""

WAYS = {"move": "the cheapest way", "march": "the shortest way by road", "retreat": "a legal way there"}
"""Keyword -> what is said of the way found for an order with `to`."""


@kind_of_order
class SetUpUnit(NamedTuple):
    """Set a unit up in a hex (15-1-4)."""

    unit: str
    at: Hex


@kind_of_order
class Recover(NamedTuple):
    """Try to recover a disordered unit (7); `by` a commander named, "" the best there is (15-2-7-2(3)5)."""

    unit: str
    by: str = ""


@kind_of_order
class Move(NamedTuple):
    """Normal movement (8-1)."""

    unit: str
    path: Path


@kind_of_order
class March(NamedTuple):
    """Road movement (8-2)."""

    unit: str
    path: Path


@kind_of_order
class Enter(NamedTuple):
    """Bring a reinforcement onto its entry hex and let it go on from there (13-2); `how` is move, march or empty."""

    unit: str
    how: str = ""
    path: Path = ()


@kind_of_order
class Fire(NamedTuple):
    """Fire of a main firing unit, with supporting fire (9-2); `by` as in Recover (15-2-7-2(3)3)."""

    unit: str
    target: str
    support: tuple[str, ...] = ()
    by: str = ""


@kind_of_order
class Melee(NamedTuple):
    """A melee attack, with melee support; `advance` into the hex if it becomes empty (10-2); `by` as in Recover."""

    unit: str
    target: str
    support: tuple[str, ...] = ()
    advance: bool = False
    by: str = ""


@kind_of_order
class Retreat(NamedTuple):
    """The way a retreating unit takes (11)."""

    unit: str
    path: Path


@kind_of_order
class Done(NamedTuple):
    """Nothing more in this phase (6(4)b, 9-1(5), 10-1(6))."""


DONE = Done()

Order: TypeAlias = SetUpUnit | Recover | Move | March | Enter | Fire | Melee | Retreat | Done


def order_words(board: Board, order: Order) -> Words:
    """The words of an order, with full ids."""
    label = board.label
    match order:
        case SetUpUnit(unit, at):
            return ("setup", unit, label[at])
        case Recover(unit, by):
            return ("recover", unit, *_by_words(by))
        case Move(unit, path):
            return ("move", unit, *kit.numbers(label, path))
        case March(unit, path):
            return ("march", unit, *kit.numbers(label, path))
        case Enter(unit, how, path):
            return ("enter", unit, *((how, *kit.numbers(label, path)) if how else ()))
        case Fire(unit, target, support, by):
            return ("fire", unit, "at", target, *kit.with_words(support), *_by_words(by))
        case Melee(unit, target, support, advance, by):
            behind = (*_by_words(by), *(("advance",) if advance else ()))
            return ("melee", unit, "at", target, *kit.with_words(support), *behind)
        case Retreat(unit, path):
            return ("retreat", unit, *kit.numbers(label, path))
        case Done():
            return (CLOSING,)


def _by_words(by: str) -> Words:
    """The words for the commander named."""
    return ("by", by) if by else ()


# --- reading, with unique prefixes of ids and the nearest right word --------------------------------------------------


def read_order(board: Board, side: str, words: Words) -> Order:
    """An order from its words. Raises MalformedOrder or AmbiguousOrder."""
    match kit.whole_names(board, words) if words[:1] in IN_NAMES else words:
        case (word,) if word == CLOSING:
            return DONE
        case ("setup", unit, number):
            return SetUpUnit(_fighter(board, unit, side), board.parse(number))
        case ("recover", unit, *rest) if len(rest) in (0, 2):
            (), by = _behind(board, side, words, rest)
            return Recover(_fighter(board, unit, side), by)
        case ("move", unit, _, *_):
            return Move(kit.unit_id(board, unit, side), kit.path(board, words[2:]))
        case ("march", unit, _, *_):
            return March(kit.unit_id(board, unit, side), kit.path(board, words[2:]))
        case ("retreat", unit, _, *_):
            return Retreat(_fighter(board, unit, side), kit.path(board, words[2:]))
        case ("enter", unit):
            return Enter(kit.unit_id(board, unit, side))
        case ("enter", unit, "move" | "march", _, *_):
            return Enter(kit.unit_id(board, unit, side), words[2], kit.path(board, words[3:]))
        case ("fire", unit, "at", target, *rest):
            support, by = _behind(board, side, words, rest)
            return Fire(_fighter(board, unit, side), _target(board, target, side), support, by)
        case ("melee", unit, "at", target, *rest):
            advance = rest[-1:] == ["advance"]
            support, by = _behind(board, side, words, rest[:-1] if advance else rest)
            return Melee(_fighter(board, unit, side), _target(board, target, side), support, advance, by)
    raise kit.not_understood(words, usage(board), "order")


def read_standing(board: Board, side: str, words: Words) -> Words:
    """A standing order: `retreat U HEX-or-DIRECTION ...`, U a unit or `any`; nothing behind U clears it.

    They are tried in the order written, and the first that is permitted wins: a hex is where the retreat ends, a
    direction the way of its first step. Raises MalformedOrder or AmbiguousOrder.
    """
    if len(words) < 2 or words[0] != "retreat":
        raise MalformedOrder(
            f"`{' '.join(words)}` is no standing order", hint=f"write `standing {STANDING['retreat']}`"
        )
    unit = kit.own_or_any(board, words[1], side, board.combat.get(side, ()))
    known = kit.directions(board.map)
    return ("retreat", unit, *(kit.way(word, known, board.number) for word in words[2:]))


def _fighter(board: Board, word: str, side: str) -> str:
    """The unit that a word means where no commander can be meant: he neither fights nor retreats nor recovers."""
    return kit.unit_id(board, word, side, board.combat.get(side, ()))


def _target(board: Board, word: str, side: str) -> str:
    """The enemy unit that is meant; of a place, which only the position fills, it is said that it is one."""
    try:
        return _fighter(board, word, board.enemy.get(side, ""))
    except MalformedOrder:
        try:
            place = board.place(board.parse(word))
        except (MalformedOrder, AmbiguousOrder):
            place = ""
        if not place:
            raise
        raise MalformedOrder(f"`{word}` is a place, {place}", hint="write the unit that is to be there") from None


def _behind(board: Board, side: str, words: Words, rest: list[str]) -> tuple[tuple[str, ...], str]:
    """The supporters and the commander that stand behind the unit or target: `with W ... by C`."""
    led = any(board.commanders.values())
    by = rest[-1] if led and rest[-2:-1] == ["by"] else ""
    left = rest[:-2] if by else rest
    if left and (left[0] != "with" or len(left) == 1 or words[0] == "recover"):
        what = "unit" if words[0] == "recover" else "target"
        how = usage(board)[words[0]]
        raise MalformedOrder(f"`{' '.join(rest)}` can't stand behind the {what}", hint=f"write `{how}`")
    by = by if by in ("", NO_ONE) else kit.unit_id(board, by, side, board.commanders.get(side, ()))
    return tuple(_fighter(board, word, side) for word in left[1:]), by


def usage(board: Board) -> dict[str, str]:
    """How orders are written, in a battle with commanders or without."""
    if not any(board.commanders.values()):
        return USAGE
    behind = {key: f"{USAGE[key]} [by C | by {NO_ONE}]" for key in ("recover", "fire")}
    return {**USAGE, **behind, "melee": USAGE["melee"].replace(" [advance]", f" [by C | by {NO_ONE}] [advance]")}


# --- conditions -------------------------------------------------------------------------------------------------------


STATES: dict[str, Callable[[State, str], bool]] = {
    "disordered": lambda s, unit: unit in s.at and unit in s.disordered,
    "normal": lambda s, unit: unit in s.at and unit not in s.disordered,
    "artillery": lambda s, unit: s.board.units[unit].artillery,
    "received": lambda s, unit: unit in s.may_come(s.board.units[unit].side),
    "done": lambda s, unit: unit in s.done,
}
"""What `is U WORD` can ask -> whether it is true of a unit."""


def read_test(board: Board, words: Words) -> Words:
    """A condition's words with full ids. Raises MalformedOrder or AmbiguousOrder."""
    return kit.read_test(board, words, STATES)


def holds(s: State, words: Words) -> bool:
    """Whether a condition (as `read_test` gave it) holds now."""
    return kit.holds(
        words,
        gone=lambda unit: unit in s.removed,
        place=lambda unit: s.board.label[s.at[unit]] if unit in s.at else None,
        empty=lambda number: s.unit_in(s.board.parse(number)) is None,
        held=lambda number, side: _held(s, number, side),
        state=lambda unit, word: STATES[word](s, unit),
    )


def _held(s: State, number: str, side: str) -> bool:
    """Whether a side controls a victory hex, or stands in a hex."""
    h = s.board.parse(number)
    return s.control.get(h) == side or h in s.stands[side]
