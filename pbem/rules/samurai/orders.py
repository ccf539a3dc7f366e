"""Orders as frozen leaves; their words in the order language, written and read; conditions."""

from __future__ import annotations

import re
from typing import TypeAlias

from pbem.errors import MalformedOrder
from pbem.records import NamedTuple
from pbem.rules.kit import words as kit
from pbem.rules.kit.kinds import kind_of_order
from pbem.rules.requests import Words
from pbem.rules.samurai.board import FACINGS, Board, Unit, inches, read_inches
from pbem.rules.samurai.geometry import Base, Point
from pbem.rules.samurai.measures import check_numbers, facing, length
from pbem.rules.samurai.sight import open_inside
from pbem.rules.samurai.state import ABREAST, BEHIND, State, Step

__all__ = [
    "CLOSING", "DONE", "ENDS", "SIDES", "STATES", "TURNS", "USAGE", "WORDS", "Attack", "Done", "End", "Fire", "Follow",
    "Go", "Move", "Order", "Rally", "SetUp", "as_meant", "holds", "order_words", "read_order", "read_standing",
    "read_test", "step_of",
]  # fmt: skip

CLOSING = "done"
"""The order that ends a set-up, and a player's turn."""

STRAIGHT = "move U [left | right] INCHES [left | right]"
"""How a straight move is written."""

USAGE = {
    "setup": f"setup U X Y [FACING] [{ABREAST} | {BEHIND}]",
    "fire": "fire U at V",
    "move": f"{STRAIGHT} | move U to V | move DAIMYO to X Y [FACING]",
    "back": "back U [left | right] INCHES [left | right]",
    "turn": "turn U left | right",
    "halt": "halt U",
    "follow": "follow U V [behind | left | right]",
    "rally": "rally U [by W] [about]",
    "attack": "attack U at V [else W ...] | attack U any",
    "close": "close fire | move | rally",
    CLOSING: CLOSING,
}
"""Keyword -> how the order is written."""

LEFT, RIGHT = "left", "right"
TURNS = (LEFT, RIGHT)
"""The ways of a turn of 45 degrees (movement.3)."""

SIDES = (BEHIND, LEFT, RIGHT)
"""Where a daimyo follows a unit, in the order in which they are tried."""

SHAPES = (ABREAST, BEHIND)

BETWEEN = ("at", "to", "else", "any", "by", "about", *SIDES, *SHAPES[:1])
"""Words of orders that are no part of a name."""

UNIT_OF_LENGTH = ("in", "inch", "inches")
"""Words that may stand behind a length, or end it: `3 in`, `3in`."""

WORDS = kit.words_of(USAGE) | frozenset({*BETWEEN, *SHAPES, *FACINGS, *UNIT_OF_LENGTH})
"""Words of orders, none of which can be a unit's id."""

ANYWAY: tuple[Words, Words] = ((), ("anyway",))
"""The last word of an order, which nobody writes, if it isn't and if it is what dice leave (daimyos.1)."""

STATES = ("routed", "led", "touched", "lone", "moved", "half")
"""What `is U WORD` can ask: whether it flees, has a daimyo, touches an enemy, is a lone daimyo, has moved, has lost
half its figures."""


@kind_of_order
class SetUp(NamedTuple):
    """Put a unit, its stands abreast or one behind the other, on the table (daimyos.2, definitions.5a)."""

    unit: str
    x: int
    y: int
    facing: int
    shape: str = ABREAST


@kind_of_order
class Fire(NamedTuple):
    """Declare fire of a unit at an enemy (fire_combat.1)."""

    unit: str
    target: str


@kind_of_order
class Move(NamedTuple):
    """A move straight ahead, or back, by hundredths of an inch, with a turn first or last (movement.3); 0 for none.

    `anyway`, of this and the next two, as in an End.
    """

    unit: str
    length: int = 0
    back: bool = False
    first: str = ""
    last: str = ""
    anyway: bool = False


@kind_of_order
class Go(NamedTuple):
    """A daimyo's move to a place, into any facing; None keeps his own (movement.6)."""

    unit: str
    x: int
    y: int
    facing: int | None = None
    anyway: bool = False


@kind_of_order
class Follow(NamedTuple):
    """A daimyo's move to a place beside a friendly unit, behind it or to its left or right (movement.6)."""

    unit: str
    leader: str
    where: str = BEHIND
    anyway: bool = False


@kind_of_order
class Rally(NamedTuple):
    """A check by which a routed unit may return to battle, turning about when it does (rally.1); `by` a daimyo."""

    unit: str
    by: str = ""
    about: bool = False


@kind_of_order
class Attack(NamedTuple):
    """An attack at the first of these enemies that can be attacked; without any at whom it is easiest (combat.1)."""

    unit: str
    targets: tuple[str, ...] = ()


@kind_of_order
class End(NamedTuple):
    """The end of a step; `anyway`, which nobody orders, is what dice leave of it where a unit of two stands is without
    its daimyo then (daimyos.1)."""

    step: Step
    anyway: bool = False


@kind_of_order
class Done(NamedTuple):
    """Nothing more in this set-up or turn."""


DONE = Done()

Order: TypeAlias = SetUp | Fire | Move | Go | Follow | Rally | Attack | End | Done

ENDS = (Step.FIRE, Step.MOVE, Step.RALLY)
"""The steps that an order ends; the last one ends with the turn."""


def step_of(order: Order) -> int:
    """The step in which an order is carried out (turn_sequence.2, turn_sequence.3, turn_sequence.4)."""
    match order:
        case SetUp() | Fire():
            return 0
        case Move() | Go() | Follow():
            return 1
        case Rally():
            return 2
        case Attack():
            return 3
        case End(step):
            return ENDS.index(step)
        case Done():
            return 4


# --- written ----------------------------------------------------------------------------------------------------------


def order_words(board: Board, order: Order) -> Words:
    """The words of an order, with full ids."""
    match order:
        case SetUp(unit, x, y, ahead, shape):
            behind = (shape,) if board.units[unit].stands > 1 else ()
            return ("setup", unit, inches(x), inches(y), FACINGS[ahead], *behind)
        case Fire(unit, target):
            return ("fire", unit, "at", target)
        case Move():
            return _move_words(order)
        case Go(unit, x, y, way, anyway):
            facing = () if way is None else (FACINGS[way],)
            return ("move", unit, "to", inches(x), inches(y), *facing, *ANYWAY[anyway])
        case Follow(unit, leader, where, anyway):
            return ("follow", unit, leader, where, *ANYWAY[anyway])
        case Rally(unit, by, about):
            return ("rally", unit, *(("by", by) if by else ()), *(("about",) if about else ()))
        case Attack(unit, targets):
            if not targets:
                return ("attack", unit, "any")
            return ("attack", unit, "at", targets[0], *(word for other in targets[1:] for word in ("else", other)))
        case End(step, anyway):
            return ("close", str(step), *ANYWAY[anyway])
        case Done():
            return (CLOSING,)


def _move_words(order: Move) -> Words:
    anyway = ANYWAY[order.anyway]
    if order.length == 0:
        return ("turn", order.unit, order.first, *anyway) if order.first else ("halt", order.unit, *anyway)
    first, last = ((way,) if way else () for way in (order.first, order.last))
    return ("back" if order.back else "move", order.unit, *first, inches(order.length), *last, *anyway)


# --- read -------------------------------------------------------------------------------------------------------------


def read_order(board: Board, side: str, words: Words) -> Order:
    """An order from its words; units by whatever they are called. Raises MalformedOrder or AmbiguousOrder."""
    unit, words = _Units(board, side), as_meant(board, words)
    if "else" in words[2:] and words[0] != "attack":
        raise MalformedOrder("only `attack` has an `else`", hint="give the other order behind `if not TEST then`")
    if words[:1] in (("setup",), ("move",), ("back",)):
        placed = words[0] == "setup" or words[2:3] == ("to",)
        check_numbers(words[2:], 2 if placed else 1, "" if placed else _to_place(board, unit, words))
    match words:
        case ("setup", who, x, y, *rest):
            return _set_up(board, board.units[unit.own(who)], x, y, rest)
        case ("fire", who, "at", target):
            return Fire(unit.own(who), unit.enemy(target))
        case ("move", who, "to", x, y, *rest) if len(rest) < 2:
            return _go(board, unit.own(who), x, y, rest)
        case ("move" | "back" as keyword, who, *rest) if rest:
            return _move(unit.own(who), keyword == "back", rest, words)
        case ("turn", who, way):
            return Move(unit.own(who), first=kit.one_of(way, TURNS, "turn"))
        case ("halt", who):
            return Move(unit.own(who))
        case ("follow", who, leader, *rest) if len(rest) < 2:
            return Follow(unit.own(who), unit.own(leader), kit.one_of(rest[0], SIDES, "side") if rest else BEHIND)
        case ("close", step):
            return End(Step(kit.one_of(step, ENDS, "step that an order ends")))
    if words == (CLOSING,):
        return DONE
    return _read_fight(unit, words)


def _to_place(board: Board, unit: _Units, words: Words) -> str:
    """What a daimyo's move to a place would be that lacks its `to`; "" for another order."""
    numbers = [word for word in words[2:] if read_inches(word) is not None]
    if words[0] != "move" or len(numbers) != 2 or not board.units[unit.own(words[1])].daimyo:
        return ""
    return f"write `move {words[1]} to {' '.join(words[2:])}`"


def as_meant(board: Board, words: Words) -> Words:
    """The words of an order with each name of several words as one, and inches as bare numbers."""
    if not any(word in UNIT_OF_LENGTH or _strange(board, word) for word in words[1:]):
        return words
    pairs = zip(("", *words), words, strict=False)
    found = [word for before, word in pairs if word not in UNIT_OF_LENGTH or read_inches(before) is None]
    bare = tuple(re.sub(f"(?<=[0-9])({'|'.join(UNIT_OF_LENGTH)})$", "", word) for word in found)
    return kit.whole_names(board, bare, BETWEEN)


def _strange(board: Board, word: str) -> bool:
    """Whether a word is neither an id nor a word of orders nor a length, but perhaps a part of a name."""
    return word not in board.units and word not in BETWEEN and word not in FACINGS and read_inches(word) is None


def _read_fight(unit: _Units, words: Words) -> Order:
    """A rally or an attack from its words."""
    match words:
        case ("rally", who, *rest) if rest in ([], ["about"]):
            return Rally(unit.own(who), about=bool(rest))
        case ("rally", who, "by", by, *rest) if rest in ([], ["about"]):
            return Rally(unit.own(who), unit.own(by), bool(rest))
        case ("attack", who, "any"):
            return Attack(unit.own(who))
        case ("attack", who, "at", *targets) if targets:
            found = tuple(unit.enemy(word.rstrip(",")) for word in targets if word != "else")
            if found:
                return Attack(unit.own(who), tuple(dict.fromkeys(found)))
    raise kit.not_understood(words, USAGE, "order")


class _Units:
    """Reads units, those of a side first or those of its enemy."""

    def __init__(self, board: Board, side: str) -> None:
        self.board, self.side = board, side

    def own(self, word: str) -> str:
        """A unit, of the own ones first."""
        return kit.unit_id(self.board, word, self.side)

    def enemy(self, word: str) -> str:
        """A unit, of the enemy's first."""
        return kit.unit_id(self.board, word, self.board.enemy.get(self.side, ""))


def _set_up(board: Board, unit: Unit, x: str, y: str, rest: list[str]) -> SetUp:
    shape = rest.pop() if rest and rest[-1] in SHAPES else ABREAST
    if len(rest) > 1:
        raise MalformedOrder(f"`{rest[1]}` is too much", hint=f"write `{USAGE['setup']}`")
    ahead = board.side[unit.side].ahead
    if unit.stands == 1:
        shape = ABREAST
    return SetUp(unit.id, length(x), length(y), facing(rest[0]) if rest else ahead, shape)


def _go(board: Board, unit: str, x: str, y: str, rest: list[str]) -> Go:
    if not board.units[unit].daimyo:
        what = board.does(unit, "goes straight", "go straight")
        raise MalformedOrder(what, hint=f"write `{STRAIGHT}`")
    return Go(unit, length(x), length(y), facing(rest[0]) if rest else None)


def _move(unit: str, back: bool, rest: list[str], words: Words) -> Move:
    """A move from the words behind the unit: a turn, a length, a turn."""
    first = rest.pop(0) if rest[0] in TURNS else ""
    if not rest:
        what = f"`{' '.join(words)}` has no inches"
        raise MalformedOrder(what, hint=f"write `turn {unit} {first}`, or how far behind it")
    last = rest.pop() if rest[-1] in TURNS else ""
    if len(rest) != 1:
        raise kit.not_understood(words, USAGE, "order")
    far = length(rest[0])
    if far == 0:
        raise MalformedOrder("a move of 0 inches is none", hint=f"write `{USAGE['turn']}` or `{USAGE['halt']}`")
    return Move(unit, far, back, first, last)


def read_standing(_: Board, __: str, words: Words) -> Words:
    """No standing order: nobody is asked anything in the other's turn. Raises MalformedOrder."""
    raise MalformedOrder(
        f"`standing {' '.join(words)}` has no meaning in these rules",
        hint="nobody is asked in the other's turn: losses, routs and pushed daimyos follow the rules",
    )


# --- conditions -------------------------------------------------------------------------------------------------------


def read_test(board: Board, words: Words) -> Words:
    """A condition's words with full ids and places. Raises MalformedOrder or AmbiguousOrder."""
    return kit.read_test(board, words, STATES)


def holds(s: State, words: Words) -> bool:
    """Whether a condition (as `read_test` gave it) holds."""
    match words:
        case ("gone", unit):
            return unit in s.gone
        case ("alive", unit):
            return unit not in s.gone
        case ("at", unit, place):
            return unit in s.at and _lies_in(s, s.at[unit], place)
        case ("empty", place):
            return not any(_lies_in(s, b, place) for b in s.at.values())
        case ("held", place, side):
            here = {s.board.units[unit].side for unit, b in s.at.items() if _lies_in(s, b, place)}
            return here == {side}
        case ("is", unit, word):
            return _is(s, unit, word)
    raise AssertionError(words)


def _lies_in(s: State, b: Base, place: str) -> bool:
    """Whether the centre of a base lies in a third or half of the table, or in a piece of ground."""
    board = s.board
    match place:
        case "west":
            return 3 * b.x < board.width
        case "east":
            return 3 * b.x > 2 * board.width
        case "centre":
            return board.width <= 3 * b.x <= 2 * board.width
        case "south":
            return 2 * b.y < board.depth
        case "north":
            return 2 * b.y > board.depth
    return open_inside(Point(b.x, b.y), board.pieces[place].base)


def _is(s: State, unit: str, word: str) -> bool:
    if unit not in s.at:
        return False
    match word:
        case "routed":
            return unit in s.routed
        case "led":
            return s.board.units[unit].troops and bool(s.daimyos(unit))
        case "touched":
            return bool(s.enemies(unit))
        case "lone":
            return s.lone(unit)
        case "moved":
            return unit in s.moved
    return 2 * s.left(unit) <= s.board.units[unit].figures and s.board.units[unit].troops
