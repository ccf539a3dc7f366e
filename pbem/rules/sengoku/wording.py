"""The words of orders, written and read: forces, castles and hexes by whatever they are called."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pbem.errors import MalformedOrder
from pbem.rules.kit import words as kit
from pbem.rules.kit.asking import NO, YES
from pbem.rules.kit.words import numbers
from pbem.rules.requests import Words
from pbem.rules.sengoku.board import Board
from pbem.rules.sengoku.naming import Names, castle_id
from pbem.rules.sengoku.orders import (
    DONE,
    STEPS,
    Accept,
    Advance,
    Assault,
    Attack,
    Battle,
    Besiege,
    Call,
    Close,
    Counterattack,
    Declare,
    Demand,
    Done,
    Drop,
    FightOn,
    GiveBattle,
    GiveWay,
    Lift,
    LiftAttacked,
    Losses,
    MarchOut,
    Move,
    Offer,
    Order,
    Organise,
    Place,
    Pursue,
    Recover,
    Replenish,
    Retreat,
    Traitors,
)

__all__ = ["BETWEEN", "CLOSING", "USAGE", "as_meant", "order_words", "read_order"]

WAYS = {"move": "the cheapest way", "retreat": "a legal way there", "pursue": "along the way of the retreat"}
"""Keyword -> what is said of the way found for an order with `to`."""

CLOSING = "done"
"""The order that ends an operation phase."""

USAGE = {
    "place": "place U ... at HEX [enter]",
    "declare": "declare ARMY",
    "close": f"close {' | '.join(STEPS)}",
    "move": "move FORCE HEX ... [strategic] [enter] [leave U ... at HEX] | move FORCE out | move FORCE enter",
    "attack": "attack FORCE at V ...",
    "battle": "battle FORCE at V [with FORCE ...] [until N] [skirmish V ...]",
    "besiege": "besiege CASTLE by FORCE ... [assault]",
    "assault": "assault CASTLE by FORCE ...",
    "call": "call CASTLE by FORCE",
    "lift": "lift FORCE",
    "organise": "organise FORCE as U ... [and U ...] [replenish [castle CASTLE | U ...]]",
    "replenish": "replenish FORCE [castle CASTLE | U ...]",
    "recover": "recover FORCE",
    "offer": "offer CASTLE U ... | none",
    "lose": "lose U ...",
    "give-way": "give-way HEXES",
    "retreat": "retreat FORCE HEX ... [enter] | retreat FORCE enter",
    "counter": "counter yes | no",
    "lift-attacked": "lift-attacked FORCE ... | none",
    "give-battle": "give-battle FORCE ... | none",
    "fight-on": "fight-on yes | no",
    "advance": "advance FORCE ... | none",
    "pursue": "pursue FORCE HEX ... | stay",
    "accept": "accept yes | no",
    "demand": "demand CASTLE U ...",
    "traitors": "traitors CASTLE U ...",
    "march-out": "march-out CASTLE HEX",
    CLOSING: CLOSING,
}
"""Keyword -> how the order is written."""

AT, BY, AS, AND, WITH, CASTLE, REPLENISH = "at", "by", "as", "and", "with", "castle", "replenish"
UNTIL, SKIRMISH, TAKES, LEAVES = "until", "skirmish", "takes", "leaves"
STRATEGIC, ENTER, LEAVE, OUT, ASSAULT, STAY, NONE = "strategic", "enter", "leave", "out", "assault", "stay", "none"

HOW = (STRATEGIC, ENTER, OUT)
"""Words that say how a force moves."""

BETWEEN = (
    *HOW, AT, BY, AS, AND, WITH, UNTIL, SKIRMISH, CASTLE, REPLENISH, LEAVE, ASSAULT, STAY, NONE, YES, NO,
    TAKES, LEAVES, "to",
)  # fmt: skip
"""Words of orders that are no part of a name."""

WHOLE = 100

FORCES: dict[str, type[LiftAttacked | GiveBattle | Advance]] = {
    "lift-attacked": LiftAttacked,
    "give-battle": GiveBattle,
    "advance": Advance,
}
"""Keyword -> the answer that names forces, or none."""

POLAR: dict[str, type[Counterattack | FightOn | Accept]] = {
    "counter": Counterattack,
    "fight-on": FightOn,
    "accept": Accept,
}
"""Keyword -> the answer that is yes or no."""


# --- written ----------------------------------------------------------------------------------------------------------


def order_words(board: Board, order: Order) -> Words:
    """The words of an order, with full ids."""
    match order:
        case Done():
            return (CLOSING,)
        case Place(units, at, enter):
            return ("place", *units, AT, board.label[at], *_flag(ENTER, said=enter))
        case Declare(army):
            return ("declare", army)
        case Close(step):
            return ("close", step)
        case Move():
            return _move_words(board, order)
        case Organise(force, groups, replenish):
            groups_words = tuple(word for group in groups for word in (AND, *group))[1:]
            restored = () if replenish is None else (REPLENISH, *_restored(replenish))
            return ("organise", force, AS, *groups_words, *restored)
        case Replenish(force):
            return (REPLENISH, force, *_restored(order))
        case Recover(force):
            return ("recover", force)
        case Lift(force):
            return ("lift", force)
        case _:
            return _attack_words(board, order)


def _attack_words(board: Board, order: Order) -> Words:
    """The words of what is done to enemies and their castles, and of answers."""
    match order:
        case Attack(force, targets):
            return ("attack", force, AT, *targets)
        case Battle(force, target, others, until, skirmish):
            more = ((WITH, others), (UNTIL, () if until is None else (str(until),)), (SKIRMISH, skirmish))
            return ("battle", force, AT, target, *(w for word, behind in more if behind for w in (word, *behind)))
        case Besiege(castle, forces, assault):
            return ("besiege", castle, BY, *forces, *_flag(ASSAULT, said=assault))
        case Assault(castle, forces):
            return (ASSAULT, castle, BY, *forces)
        case Call(castle, force):
            return ("call", castle, BY, force)
        case Offer(castle, units):
            return ("offer", castle, *(units or (NONE,)))
        case _:
            return _answer_words(board, order)


def _answer_words(board: Board, order: Order) -> Words:
    """The words of an answer."""
    match order:
        case Losses(units):
            return ("lose", *units)
        case GiveWay(hexes):
            return ("give-way", str(hexes))
        case Retreat(force, path, enter):
            return ("retreat", force, *numbers(board.label, path), *_flag(ENTER, said=enter))
        case Counterattack(made) | FightOn(made) | Accept(made):
            return (next(word for word, kind in POLAR.items() if isinstance(order, kind)), YES if made else NO)
        case LiftAttacked(forces) | GiveBattle(forces) | Advance(forces):
            return (next(word for word, kind in FORCES.items() if isinstance(order, kind)), *(forces or (NONE,)))
        case Pursue(force, path):
            return ("pursue", force, *(numbers(board.label, path) or (STAY,)))
        case Demand(castle, units):
            return ("demand", castle, *units)
        case Traitors(castle, units):
            return ("traitors", castle, *units)
        case MarchOut(castle, to):
            return ("march-out", castle, board.label[to])
    raise AssertionError(order)


def _flag(word: str, *, said: bool) -> Words:
    return (word,) if said else ()


def _move_words(board: Board, order: Move) -> Words:
    label = board.label
    words = ("move", order.force, *numbers(label, order.path), *_flag(OUT, said=not order.path and not order.enter))
    words += (*_flag(STRATEGIC, said=order.strategic), *_flag(ENTER, said=order.enter))
    for at, units in order.drops:
        words += (LEAVE, *units, AT, label[at])
    return words


def _restored(order: Replenish) -> Words:
    """The words behind the force that replenishes."""
    return (*(() if order.castle is None else (CASTLE, order.castle)), *order.units)


# --- read -------------------------------------------------------------------------------------------------------------


def read_order(board: Board, side: str, words: Words) -> Order:
    """An order from its words. Raises MalformedOrder or AmbiguousOrder."""
    names, words = Names(board, side), as_meant(board, words)
    match words:
        case (word,) if word == CLOSING:
            return DONE
        case ("move", who, *rest) if rest:
            return _move(names, words, names.own(who), rest)
        case ("organise", who, "as", *rest) if rest:
            return _organise(names, words, names.own(who), rest)
        case ("replenish", who, *rest):
            return _replenish(names, words, names.own(who), rest)
        case ("recover", who):
            return Recover(names.own(who))
        case ("lift", who):
            return Lift(names.own(who))
        case ("attack", who, "at", *targets) if targets:
            return Attack(names.own(who), names.enemies(targets))
        case ("battle", who, "at", target, *rest):
            return _battle(names, words, names.own(who), names.enemies([target])[0], rest)
        case ("besiege" | "assault" | "call", *rest) if BY in rest[1:-1]:
            return _at_castle(names, words, rest)
    return _read_before(names, words) or _read_answer(names, words)


def _read_before(names: Names, words: Words) -> Place | Declare | Close | Offer | None:
    """What is no action of forces: deployment, declarations, the offer of a castle; None for other words."""
    match words:
        case ("place", *rest) if AT in rest[1:-1]:
            return _place(names, words, rest)
        case ("declare", army):
            return Declare(kit.one_of(army, names.board.armies, "army"))
        case ("close", step):
            return Close(kit.one_of(step, STEPS, "step that an order closes"))
        case ("offer", *rest) if len(rest) > 1:
            castle, units = names.castle_first(rest)
            if units:
                return Offer(castle, () if units == [NONE] else names.owns(units))
    return None


def _read_answer(names: Names, words: Words) -> Order:
    """An answer to a question from its words."""
    match words:
        case ("lose", *units) if units:
            return Losses(names.owns(units))
        case ("give-way", hexes) if re.fullmatch("[0-9]{1,2}", hexes):
            return GiveWay(int(hexes))
        case ("retreat", who, *rest) if rest:
            enter = rest[-1] == ENTER
            return Retreat(names.own(who), kit.path(names.board, rest[:-1] if enter else rest), enter)
        case ("counter" | "fight-on" | "accept" as keyword, "yes" | "no" as word):
            return POLAR[keyword](word == YES)
        case ("lift-attacked" | "give-battle" | "advance" as keyword, *forces) if forces:
            return FORCES[keyword](() if forces == [NONE] else names.owns(forces))
        case ("pursue", who, *path) if path:
            return Pursue(names.own(who), () if path == [STAY] else kit.path(names.board, path))
        case ("demand" | "traitors" | "march-out" as keyword, *rest) if len(rest) > 1:
            castle, behind = names.castle_first(rest)
            if behind and keyword == "demand":
                return Demand(castle, names.enemies(behind))
            if behind and keyword == "traitors":
                return Traitors(castle, names.owns(behind))
            if len(behind) == 1:
                return MarchOut(castle, names.board.parse(behind[0]))
    raise kit.not_understood(words, USAGE, "order")


def as_meant(board: Board, words: Words) -> Words:
    """The words of an order with each name of several words as one."""
    known = (board.units, board.castles, board.numbers)
    if all(word in BETWEEN or any(word in names for names in known) for word in words[1:]):
        return words
    return kit.whole_names(board, words, BETWEEN)


def _missing(words: Words, what: str, at: str) -> MalformedOrder:
    """The error for a word behind which something is missing."""
    return MalformedOrder(f"no {what} stands behind `{at}`", hint=f"write `{USAGE[words[0]]}`")


def _place(names: Names, words: Words, rest: Sequence[str]) -> Place:
    """`U ... at HEX [enter]`."""
    enter = rest[-1] == ENTER
    *units, at, number = rest[:-1] if enter else rest
    if at != AT or not units:
        raise kit.not_understood(words, USAGE, "order")
    return Place(names.owns(units), names.board.parse(number), enter)


def _move(names: Names, words: Words, force: str, rest: list[str]) -> Move:
    """A move from the words behind the force: its way, then how it goes and whom it leaves behind."""
    end = next((i for i, word in enumerate(rest) if word in (*HOW, LEAVE)), len(rest))
    path, flags = kit.path(names.board, rest[:end]), {word for word in rest[end:] if word in HOW}
    wrong, *left = _split([word for word in rest[end:] if word not in HOW], LEAVE)
    if wrong or (OUT in flags and (path or ENTER in flags)) or not (path or flags & {OUT, ENTER}):
        told = f"`{wrong[0]}` can't stand there" if wrong else "that is no way"
        raise MalformedOrder(told, hint=f"write `{USAGE['move']}`")
    return Move(force, path, STRATEGIC in flags, ENTER in flags, tuple(_drop(names, words, part) for part in left))


def _drop(names: Names, words: Words, part: list[str]) -> Drop:
    """`U ... at HEX`."""
    if len(part) < 3 or part[-2] != AT:
        raise _missing(words, "`U ... at HEX`", LEAVE)
    return Drop(names.board.parse(part[-1]), names.owns(part[:-2]))


def _organise(names: Names, words: Words, force: str, rest: list[str]) -> Organise:
    """`U ... [and U ...] ... [replenish ...]`."""
    groups, *restored = _split(rest, REPLENISH, 1)
    forces = tuple(names.owns(group) for group in _split(groups, AND))
    if not all(forces):
        raise _missing(words, "unit", AND if len(forces) > 1 else AS)
    return Organise(force, forces, _replenish(names, words, force, restored[0]) if restored else None)


def _replenish(names: Names, words: Words, force: str, rest: list[str]) -> Replenish:
    """`[castle CASTLE] [U ...]`."""
    if rest[:1] != [CASTLE]:
        return Replenish(force, None, names.owns(rest))
    if len(rest) == 1:
        raise _missing(words, "castle", CASTLE)
    castle, units = names.castle_first(rest[1:])
    return Replenish(force, castle, names.owns(units))


def _battle(names: Names, words: Words, force: str, target: str, rest: Sequence[str]) -> Battle:
    """`[with FORCE ...] [until N] [skirmish V ...]`, in any order."""
    found: dict[str, list[str]] = {}
    parts = found.setdefault("", [])
    for word in rest:
        if word in (WITH, UNTIL, SKIRMISH):
            parts = found.setdefault(word, [])
        else:
            parts.append(word)
    if found.pop(""):
        raise MalformedOrder(f"`{rest[0]}` can't stand behind the target", hint=f"write `{USAGE['battle']}`")
    empty = next((word for word, behind in found.items() if not behind), "")
    if empty:
        raise _missing(words, "number" if empty == UNTIL else "force", empty)
    until = found.get(UNTIL)
    if until is not None and not (len(until) == 1 and until[0].isdecimal() and int(until[0]) <= WHOLE):
        what = f"`{' '.join(until)}` is no share of a hundred units"
        raise MalformedOrder(what, hint="write `until 50` to stop when half of them are lost or reduced")
    others, skirmish = names.owns(found.get(WITH, ())), names.enemies(found.get(SKIRMISH, ()))
    return Battle(force, target, others, None if until is None else int(until[0]), skirmish)


def _at_castle(names: Names, words: Words, rest: Sequence[str]) -> Besiege | Assault | Call:
    """`CASTLE by FORCE ...`, of a siege with `assault` behind it."""
    at = rest.index(BY, 1)
    castle, forces = castle_id(names.board, "_".join(rest[:at])), [*rest[at + 1 :]]
    assault = words[0] == "besiege" and forces[-1] == ASSAULT
    if assault:
        del forces[-1]
    if not forces:
        raise _missing(words, "force", BY)
    if words[0] == "call":
        if len(forces) > 1:
            raise MalformedOrder("one force calls on a castle", hint=f"write `{USAGE['call']}`")
        return Call(castle, names.own(forces[0]))
    units = names.owns(forces)
    return Besiege(castle, units, assault) if words[0] == "besiege" else Assault(castle, units)


def _split(words: Sequence[str], at: str, most: int = -1) -> list[list[str]]:
    """The words before the first `at`, then those behind each; `most` parts behind at most."""
    parts: list[list[str]] = [[]]
    for word in words:
        if word == at and len(parts) - 1 != most:
            parts.append([])
        else:
            parts[-1].append(word)
    return parts
