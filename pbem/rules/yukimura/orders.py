"""Orders as frozen leaves; their words in the order language, written and read; standing orders and conditions."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from pbem.errors import AmbiguousOrder, MalformedOrder
from pbem.maps.hexes import Hex
from pbem.records import NamedTuple
from pbem.rules.kit import words as kit
from pbem.rules.kit.kinds import kind_of_order
from pbem.rules.kit.words import numbers, with_words
from pbem.rules.requests import Words
from pbem.rules.yukimura.board import Board
from pbem.rules.yukimura.held import is_held
from pbem.rules.yukimura.state import State

__all__ = [
    "CLOSING", "DONE", "FEWER", "OFF", "STANDING", "STATES", "USAGE", "WAYS", "WORDS", "Advance", "AdvancePlan",
    "Beside", "Displace", "Done", "Enter", "Fire", "Hold", "March", "Melee", "Move", "Order", "Path", "Retreat",
    "holds", "order_words", "read_order", "read_standing", "read_test",
]  # fmt: skip

Path: TypeAlias = tuple[Hex, ...]
"""The hexes entered one after another; the first hex, where the unit stands, is left out."""

CLOSING = "done"
"""The order that ends a phase."""

USAGE = {
    "beside": "beside FORCE HEX",
    "move": "move U HEX [HEX ...] [off]",
    "march": "march U HEX [HEX ...] [off]",
    "enter": "enter U HEX [HEX ...]",
    "fire": "fire U at V [with W ... [or fewer]] [advance W | hold]",
    "melee": "melee U at V [with W ... [or fewer]] [advance W [HEX ...] ...] [hold]",
    "retreat": "retreat U HEX [HEX ...]",
    "displace": "displace U HEX",
    "advance": "advance U [HEX ...]",
    "hold": "hold U",
    CLOSING: CLOSING,
}
"""Keyword -> how the order is written."""

FEWER = ("or", "fewer")
"""Behind the units of a combat: it doesn't lapse when some of them can't take part any more (R81)."""


@kind_of_order
class Beside(NamedTuple):
    """Put a force beside the map, at a road over its west edge (14-3(6)a)."""

    force: str
    at: Hex


@kind_of_order
class Move(NamedTuple):
    """Normal movement; `off` the map from the last hex (7, 7-6)."""

    unit: str
    path: Path
    off: bool = False


@kind_of_order
class March(NamedTuple):
    """Road movement; `off` the map by a road over its edge (7-5)."""

    unit: str
    path: Path
    off: bool = False


@kind_of_order
class Enter(NamedTuple):
    """Bring a reinforcement on; the first hex of the path is the entry hex (8)."""

    unit: str
    path: Path


class AdvancePlan(NamedTuple):
    """Which unit advances after combat and where: no hexes after fire or for as far as it can (11-3)."""

    unit: str
    path: Path = ()


@kind_of_order
class Fire(NamedTuple):
    """Fire of one or more units at one target; who advances then, `hold` for nobody (else) (9).

    `fewer`: when some of the units can't take part any more, the others do (R81).
    """

    unit: str
    target: str
    support: tuple[str, ...] = ()
    advance: tuple[AdvancePlan, ...] = ()
    hold: bool = False
    fewer: bool = False


@kind_of_order
class Melee(NamedTuple):
    """Hand-to-hand combat of one or more units against one target; who advances then, `hold` for nobody (else) (10).

    `fewer`: when some of the units can't take part any more, the others do (R81).
    """

    unit: str
    target: str
    support: tuple[str, ...] = ()
    advance: tuple[AdvancePlan, ...] = ()
    hold: bool = False
    fewer: bool = False


@kind_of_order
class Retreat(NamedTuple):
    """The way a retreating unit takes (11-1)."""

    unit: str
    path: Path


@kind_of_order
class Displace(NamedTuple):
    """The hex into which one of two units in a hex is moved back (11-2-5)."""

    unit: str
    at: Hex


@kind_of_order
class Advance(NamedTuple):
    """The advance of one unit after combat (11-3)."""

    unit: str
    path: Path = ()


@kind_of_order
class Hold(NamedTuple):
    """No advance of a unit after combat (11-3-5.a)."""

    unit: str


@kind_of_order
class Done(NamedTuple):
    """Nothing more in this phase (7.a, 9-1-3, 10-1-3)."""


DONE = Done()

Order: TypeAlias = Beside | Move | March | Enter | Fire | Melee | Retreat | Displace | Advance | Hold | Done


def order_words(board: Board, order: Order) -> Words:
    """The words of an order, with full ids."""
    label = board.label
    match order:
        case Beside(force, at):
            return ("beside", force, label[at])
        case Move(unit, path, off):
            return ("move", unit, *numbers(label, path), *(("off",) if off else ()))
        case March(unit, path, off):
            return ("march", unit, *numbers(label, path), *(("off",) if off else ()))
        case Enter(unit, path):
            return ("enter", unit, *numbers(label, path))
        case Fire(unit, target):
            return ("fire", unit, "at", target, *_combat_words(board, order))
        case Melee(unit, target):
            return ("melee", unit, "at", target, *_combat_words(board, order))
        case Retreat(unit, path):
            return ("retreat", unit, *numbers(label, path))
        case Displace(unit, at):
            return ("displace", unit, label[at])
        case Advance(unit, path):
            return ("advance", unit, *numbers(label, path))
        case Hold(unit):
            return ("hold", unit)
        case Done():
            return (CLOSING,)


def _combat_words(board: Board, order: Fire | Melee) -> Words:
    """The words behind the target."""
    words = (*with_words(order.support), *(FEWER if order.fewer and order.support else ()))
    for unit, path in order.advance:
        words += ("advance", unit, *numbers(board.label, path))
    return (*words, "hold") if order.hold else words


# --- typed words, with unique prefixes of ids and the nearest right word ----------------------------------------------


STANDING = {
    "retreat": "retreat U|any HEX|DIRECTION ...",
    "advance": "advance U|any follow|enter|hold",
    "defence": "defence best|none",
}
"""Standing order -> how it is written."""

WORDS = kit.words_of(USAGE, STANDING)
"""Words of orders, none of which can be the id of a unit or force."""

CHEAPEST, LEGAL = "the cheapest way", "a legal way there"
WAYS = {
    "move": CHEAPEST,
    "enter": CHEAPEST,
    "march": "the shortest way by road",
    "retreat": LEGAL,
    "advance": LEGAL,
}
"""Keyword -> what is said of the way found for an order with `to`."""

ADVANCES = ("follow", "enter", "hold")
DEFENCES = ("best", "none")
OFF = "off"


def read_order(board: Board, side: str, words: Words) -> Order:
    """An order from its words. Raises MalformedOrder or AmbiguousOrder."""
    match words:
        case (word,) if word == CLOSING:
            return DONE
        case ("beside", force, number):
            return Beside(_force(board, force), board.parse(number))
        case ("move" | "march" as keyword, unit, _, *_):
            off = words[-1] == OFF
            path = kit.path(board, words[2:-1] if off else words[2:])
            return (Move if keyword == "move" else March)(kit.unit_id(board, unit, side), path, off)
        case ("enter" | "retreat" as keyword, unit, _, *_):
            path = kit.path(board, words[2:])
            return (Enter if keyword == "enter" else Retreat)(kit.unit_id(board, unit, side), path)
        case ("displace", unit, number):
            return Displace(kit.unit_id(board, unit, side), board.parse(number))
        case ("advance", unit, *_):
            return Advance(kit.unit_id(board, unit, side), kit.path(board, words[2:]))
        case ("hold", unit):
            return Hold(kit.unit_id(board, unit, side))
        case ("fire" | "melee", _, *_):
            fight = kit.whole_names(board, words)
            if len(fight) > 3 and fight[2] == "at":
                return _read_combat(board, side, fight)
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
            return ("retreat", kit.own_or_any(board, unit, side), *found)
        case ("advance", unit) | ("advance", unit, _):
            policy = (kit.one_of(words[2], ADVANCES, "advance"),) if len(words) > 2 else ()
            return ("advance", kit.own_or_any(board, unit, side), *policy)
        case ("defence",):
            return words
        case ("defence", policy):
            return ("defence", kit.one_of(policy, DEFENCES, "defence"))
    raise kit.not_understood(words, STANDING, "standing order")


def read_test(board: Board, words: Words) -> Words:
    """A condition's words with full ids. Raises MalformedOrder or AmbiguousOrder."""
    return kit.read_test(board, words, STATES)


def _read_combat(board: Board, side: str, words: Words) -> Fire | Melee:
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
    plans = tuple(AdvancePlan(kit.unit_id(board, unit, side), kit.path(board, path)) for unit, *path in advances)
    if words[0] == "fire" and (len(plans) > 1 or any(plan.path for plan in plans)):
        hint = "write `advance W`; only one unit advances, into the target's hex"
        raise MalformedOrder("after fire one unit at most advances, by one hex", hint=hint)
    unit, target = kit.unit_id(board, words[1], side), kit.unit_id(board, words[3], board.enemy.get(side, ""))
    supporters = tuple(kit.unit_id(board, word, side) for word in support[1:])
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


def _force(board: Board, word: str) -> str:
    fits = [word] if word in board.forces else [force for force in board.forces if force.startswith(word)]
    if len(fits) > 1:
        raise AmbiguousOrder(f"`{word}` fits {len(fits)} forces", hint=f"write one of {', '.join(fits)}")
    return fits[0] if fits else kit.one_of(word, board.forces, "force")


# --- conditions, judged on the state ----------------------------------------------------------------------------------


STATES: dict[str, Callable[[State, str], bool]] = {
    "rifle": lambda s, unit: s.board.units[unit].rifle,
    "mounted": lambda s, unit: s.board.units[unit].mounted,
    "held": is_held,
    "pinned": lambda s, unit: unit in s.pinned,
    "fired": lambda s, unit: unit in s.fired,
    "exited": lambda s, unit: unit in s.exited,
    "commander": lambda s, unit: s.board.units[unit].commander,
}
"""What `is U WORD` can ask -> whether it is true of a unit."""


def holds(s: State, words: Words) -> bool:
    """Whether a condition (as `read_test` gave it) holds now."""
    return kit.holds(
        words,
        gone=lambda unit: unit in s.removed or unit in s.exited,
        place=lambda unit: s.board.label[s.at[unit]] if unit in s.at else None,
        empty=lambda number: s.unit_in(s.board.parse(number)) is None,
        held=lambda number, side: s.board.parse(number) in s.stands[side],
        state=lambda unit, word: STATES[word](s, unit),
    )
