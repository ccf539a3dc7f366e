"""The words of orders, written and read: units, leaders and hexes by whatever they are called."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.errors import MalformedOrder
from pbem.maps.hexes import Hex
from pbem.rules.gcacw.board import Board
from pbem.rules.gcacw.orders import (
    ACTION,
    ALWAYS,
    ATTACHMENT,
    DONE,
    NEVER,
    PASS,
    RECOVERY,
    ROUTE,
    STEPS,
    Activate,
    Advance,
    Assault,
    Bridge,
    Close,
    Detach,
    Done,
    Entrench,
    Evade,
    FallBack,
    Fallen,
    Feed,
    Forage,
    Grand,
    Join,
    Losses,
    March,
    Merge,
    Order,
    Pass,
    Place,
    PutOff,
    Raid,
    Rail,
    Refuse,
    Strike,
    Transfer,
)
from pbem.rules.gcacw.tables import ATTACKS
from pbem.rules.kit import words as kit
from pbem.rules.kit.asking import NO, YES
from pbem.rules.kit.words import numbers
from pbem.rules.requests import Words

__all__ = ["BETWEEN", "CLOSING", "SHUTTING", "USAGE", "WORDS", "as_meant", "order_words", "read_order", "whole_places"]

WAYS = {"march": "the cheapest way", "activate": "the cheapest ways", "rail": "along the railroad"}
"""Keyword -> what is said of the way found for an order with `to`."""

CLOSING = "done"

SHUTTING: frozenset[Words] = frozenset({("close", ATTACHMENT), ("close", ACTION), ("close", RECOVERY)})
"""Not that of transfers: reinforcements and transfers are two phases of one step, and it ends one of them."""

USAGE = {
    "place": "place ARRIVAL at HEX",
    "put-off": "put-off ARRIVAL",
    "transfer": "transfer LEADER U",
    "merge": "merge U into U",
    "march": "march U [with LEADER ...] [[along] HEX ...] [force [route]] [attack HEX [KIND]] [unbridge HEX HEX]"
    " [detach SUBSTITUTE N [HEX] ...]",
    "rail": "rail U [with LEADER ...] HEX ... [detach SUBSTITUTE N [HEX] ...]",
    "activate": "activate LEADER [hop U] march U ... [march U ...]",
    "assault": "assault LEADER at HEX by U ...",
    "grand": "grand LEADER at HEX under LEADER by U ... and U ...",
    "raid": "raid U",
    "pass": "pass",
    "entrench": "entrench U",
    "forage": "forage U ...",
    "bridge": "bridge U HEX",
    "close": f"close {'|'.join(STEPS)}",
    "evade": "evade yes|no",
    "refuse": "refuse yes|no",
    "retreat": "retreat HEX ...",
    "lose": "lose U ...",
    "advance": "advance U ... | none",
    "join": "join LEADER U",
    "fall": "fall LEADER",
    "feed": "feed U ...",
    CLOSING: CLOSING,
}
"""Keyword -> how the order is written; KIND is column, hasty, normal or prepared."""

WITH, HOP, MARCH, ALONG, FORCE, ATTACK = "with", "hop", "march", "along", "force", "attack"
UNBRIDGE, DETACH = "unbridge", "detach"
AT, BY, UNDER, AND, NONE, INTO = "at", "by", "under", "and", "none", "into"
PARTS = (WITH, ALONG, FORCE, ATTACK, UNBRIDGE, DETACH)
"""Words that begin a part of a march behind its unit and way."""

BETWEEN = (*PARTS, HOP, MARCH, ROUTE, AT, BY, UNDER, AND, NONE, INTO, *ATTACKS, "to")
"""Words of orders that are no part of a name."""

PLACE_WORDS = 4
"""Words that the name of a place has at most."""

WORDS = kit.words_of(USAGE).union(BETWEEN, ATTACKS)
"""Words of orders, none of which can be the id of a counter."""


# --- written ----------------------------------------------------------------------------------------------------------


def order_words(board: Board, order: Order) -> Words:
    """The words of an order, with full ids."""
    label = board.label
    match order:
        case Done():
            return (CLOSING,)
        case Pass():
            return ("pass",)
        case Close(step):
            return ("close", step)
        case Place(arrival, at):
            return ("place", arrival, AT, label[at])
        case PutOff(arrival):
            return ("put-off", arrival)
        case Transfer(leader, unit):
            return ("transfer", leader, unit)
        case Merge(unit, into):
            return ("merge", unit, INTO, into)
        case Forage(units):
            return ("forage", *units)
        case Entrench(unit):
            return ("entrench", unit)
        case Bridge(unit, to):
            return ("bridge", unit, label[to])
    return _action_words(board, order)


def _action_words(board: Board, order: Order) -> Words:
    """The words of an action."""
    label = board.label
    match order:
        case March():
            return _march_words(board, order)
        case Rail(unit, path, leaders, detached):
            words = ("rail", unit, *kit.with_words(leaders), *numbers(label, path))
            return words + _detached_words(board, detached)
        case Activate(leader, marches, hop):
            parts = [word for one in marches for word in _march_words(board, one)]
            return ("activate", leader, *(() if hop is None else (HOP, hop)), *parts)
        case Assault(leader, at, units):
            return ("assault", leader, AT, label[at], BY, *units)
        case Grand(leader, at, chief, first, others):
            return ("grand", leader, AT, label[at], UNDER, chief, BY, *first, AND, *others)
        case Raid(unit):
            return ("raid", unit)
    return _answer_words(board, order)


def _answer_words(board: Board, order: Order) -> Words:
    """The words of an answer."""
    match order:
        case Evade(made):
            return ("evade", YES if made else NO)
        case Refuse(made):
            return ("refuse", YES if made else NO)
        case FallBack(path):
            return ("retreat", *numbers(board.label, path))
        case Losses(units):
            return ("lose", *units)
        case Advance(units):
            return ("advance", *(units or (NONE,)))
        case Join(leader, unit):
            return ("join", leader, unit)
        case Fallen(leader):
            return ("fall", leader)
        case Feed(units):
            return ("feed", *units)
    raise AssertionError(order)


def _march_words(board: Board, order: March) -> Words:
    label = board.label
    along = (ALONG,) if order.along else ()
    words = (MARCH, order.unit, *kit.with_words(order.leaders), *along, *numbers(label, order.path))
    words += {NEVER: (), ROUTE: (FORCE, ROUTE), ALWAYS: (FORCE,)}[order.force]
    if order.strike is not None:
        least = () if order.strike.least == ATTACKS[0] else (order.strike.least,)
        words += (ATTACK, label[order.strike.at], *least)
    if order.unbridge is not None:
        words += (UNBRIDGE, *numbers(label, order.unbridge))
    return words + _detached_words(board, order.detached)


def _detached_words(board: Board, detached: Sequence[Detach]) -> Words:
    """`detach SUBSTITUTE N [HEX] ...`; nothing where nobody is left behind."""
    words: Words = (DETACH,) if detached else ()
    for one in detached:
        words += (one.substitute, str(one.manpower), *(() if one.at is None else (board.label[one.at],)))
    return words


# --- read -------------------------------------------------------------------------------------------------------------


def read_order(board: Board, side: str, words: Words) -> Order:
    """An order from its words. Raises MalformedOrder or AmbiguousOrder."""
    words = as_meant(board, words)

    def own(word: str) -> str:
        return kit.unit_id(board, word, side)

    match words:
        case (word,) if word == CLOSING:
            return DONE
        case ("pass",):
            return PASS
        case ("close", step):
            return Close(kit.one_of(step, STEPS, "step that an order closes"))
        case ("place", arrival, "at", where):
            return Place(_arrival(board, side, arrival), board.parse(where))
        case ("put-off", arrival):
            return PutOff(_arrival(board, side, arrival))
        case ("merge", who, "into", unit):
            return Merge(own(who), own(unit))
        case ("forage", *units) if units:
            return Forage(tuple(map(own, units)))
        case ("transfer", who, unit):
            return Transfer(own(who), own(unit))
        case ("entrench", who):
            return Entrench(own(who))
        case ("bridge", who, where):
            return Bridge(own(who), board.parse(where))
    return _read_action(board, side, words) or _read_answer(board, side, words)


def _arrival(board: Board, side: str, word: str) -> str:
    """An arrival by its id, or by a unit of it."""
    if word not in board.arrivals:
        comes = [start.unit for one in board.arrivals.values() if one.side == side for start in one.starts]
        try:
            unit = kit.unit_id(board, word, side, comes)
        except MalformedOrder:
            unit = ""
        word = board.arrival_of(unit) or word
    return kit.one_of(word, board.arrivals, "arrival")


def _read_action(board: Board, side: str, words: Words) -> Order | None:
    """An action from its words; None for others."""

    def own(word: str) -> str:
        return kit.unit_id(board, word, side)

    match words:
        case ("march", who, *rest):
            return _march(board, side, words, own(who), rest)
        case ("rail", who, *rest) if rest:
            plain = _march(board, side, words, own(who), rest)
            if plain != March(plain.unit, plain.path, plain.leaders, detached=plain.detached):
                raise kit.not_understood(words, USAGE, "order")
            return Rail(plain.unit, plain.path, plain.leaders, plain.detached)
        case ("activate", who, *rest) if MARCH in rest:
            return _activate(board, side, words, own(who), rest)
        case ("assault", who, "at", where, "by", *units) if units:
            return Assault(own(who), board.parse(where), tuple(map(own, units)))
        case ("grand", who, "at", where, "under", chief, "by", *units) if AND in units[1:-1]:
            at = units.index(AND)
            first, others = tuple(map(own, units[:at])), tuple(map(own, units[at + 1 :]))
            return Grand(own(who), board.parse(where), own(chief), first, others)
        case ("raid", who):
            return Raid(own(who))
    return None


def _read_answer(board: Board, side: str, words: Words) -> Order:
    """An answer to a question from its words."""

    def own(word: str) -> str:
        return kit.unit_id(board, word, side)

    match words:
        case ("evade", "yes" | "no" as word):
            return Evade(word == YES)
        case ("refuse", "yes" | "no" as word):
            return Refuse(word == YES)
        case ("retreat", *path) if path:
            return FallBack(kit.path(board, path))
        case ("lose", *units) if units:
            return Losses(tuple(sorted(map(own, units))))
        case ("advance", *units) if units:
            return Advance(() if units == [NONE] else tuple(map(own, units)))
        case ("join", who, unit):
            return Join(own(who), own(unit))
        case ("fall", who):
            return Fallen(own(who))
        case ("feed", *units) if units:
            return Feed(tuple(map(own, units)))
    raise kit.not_understood(words, USAGE, "order")


def as_meant(board: Board, words: Words) -> Words:
    """The words of an order with each name of several words as one."""
    known = (board.units, board.numbers, board.arrivals)
    if all(word in BETWEEN or any(word in names or word.upper() in names for names in known) for word in words[1:]):
        return words
    return whole_places(board, kit.whole_names(board, words, BETWEEN))


def whole_places(board: Board, words: Words) -> Words:
    """The words with each name of a place of several words as one: `bull run bridge`."""
    names = {kit.plain_name(name) for name in board.map.places if len(name.split()) > 1}
    found, rest = [words[0]], list(words[1:])
    while rest:
        ends = range(min(len(rest), PLACE_WORDS), 1, -1)
        end = next((end for end in ends if kit.plain_name("".join(rest[:end])) in names), 1)
        found.append("_".join(rest[:end]))
        del rest[:end]
    return tuple(found)


def _march(board: Board, side: str, words: Words, unit: str, rest: Sequence[str]) -> March:
    """A march from the words behind its unit; the leaders who go along end where the hexes begin."""
    found: dict[str, list[str]] = {"": []}
    part = found[""]
    for word in rest:
        if word in PARTS:
            if word in found:
                raise MalformedOrder(f"`{word}` stands there twice", hint=f"write `{USAGE[MARCH]}`")
            part = found.setdefault(word, [])
        else:
            part.append(word)
    leaders, way = _with(board, side, found.get(WITH, []))
    if sum(map(bool, (way, found[""], ALONG in found))) > 1:
        raise MalformedOrder("the way stands in two places", hint=f"write `{USAGE[MARCH]}`")
    return March(
        unit,
        _along(board, found[ALONG]) if ALONG in found else kit.path(board, found[""] or way),
        leaders,
        _force(found.get(FORCE)),
        _strike(board, words, found.get(ATTACK)),
        _bridge(board, words, found.get(UNBRIDGE)),
        _detached(board, side, words, found.get(DETACH)),
        ALONG in found,
    )


def _along(board: Board, words: Sequence[str]) -> tuple[Hex, ...]:
    """A way that is gone on along: each hex once, so that it is plain what is left of it behind one."""
    path = kit.path(board, words)
    if not path:
        raise MalformedOrder(f"no hex stands behind `{ALONG}`", hint=f"write `{MARCH} U {ALONG} HEX HEX`")
    twice = next((h for place, h in enumerate(path) if h in path[:place]), None)
    if twice is not None:
        what = f"{board.label[twice]} stands twice behind `{ALONG}`: which one is meant where the unit stands in it?"
        raise MalformedOrder(what, hint="name each hex once, and let a second march go back")
    return path


def _with(board: Board, side: str, words: Sequence[str]) -> tuple[tuple[str, ...], list[str]]:
    """The leaders at the beginning of words, and the hexes behind them."""
    end = 0
    while end < len(words) and words[end].upper() not in board.numbers:
        try:
            unit = kit.unit_id(board, words[end], side)
        except MalformedOrder:
            break
        if not board.units[unit].leader:
            break
        end += 1
    if words and not end:
        raise MalformedOrder(f"`{words[0]}` is no leader", hint=f"write `{USAGE[MARCH]}`")
    return tuple(kit.unit_id(board, word, side) for word in words[:end]), [*words[end:]]


def _force(words: Sequence[str] | None) -> str:
    """When the march is forced."""
    if words is None:
        return NEVER
    if words not in ([], [ROUTE]):
        raise MalformedOrder(f"`{words[0]}` can't stand behind `force`", hint="write `force` or `force route`")
    return ROUTE if words else ALWAYS


def _strike(board: Board, words: Words, behind: Sequence[str] | None) -> Strike | None:
    """`HEX [KIND]`."""
    if behind is None:
        return None
    if not behind or behind[0] in ATTACKS:
        said = " ".join((ATTACK, "HEX", *behind))
        raise MalformedOrder(f"no hex stands behind `{ATTACK}`", hint=f"write `{said}`")
    if len(behind) > 2:
        raise kit.not_understood(words, USAGE, "order")
    kind = kit.one_of(behind[1], ATTACKS, "kind of march attack") if len(behind) > 1 else ATTACKS[0]
    return Strike(board.parse(behind[0]), kind)


def _bridge(board: Board, words: Words, behind: Sequence[str] | None) -> tuple[Hex, Hex] | None:
    """`HEX HEX`."""
    if behind is None:
        return None
    if len(behind) != 2:
        raise kit.not_understood(words, USAGE, "order")
    return board.parse(behind[0]), board.parse(behind[1])


def _detached(board: Board, side: str, words: Words, behind: Sequence[str] | None) -> tuple[Detach, ...]:
    """`SUBSTITUTE N [HEX] ...`."""
    rest, found = [*(behind or ())], []
    if behind == []:
        raise kit.not_understood(words, USAGE, "order")
    while rest:
        who, number, *rest = (*rest, "")[: max(2, len(rest))]
        if not (number.isdecimal() and number.isascii() and len(number) < 3):
            raise kit.not_understood(words, USAGE, "order")
        where = rest.pop(0) if rest and rest[0].upper() in board.numbers else None
        at = None if where is None else board.parse(where)
        found.append(Detach(kit.unit_id(board, who, side), int(number), at))
    return tuple(found)


def _activate(board: Board, side: str, words: Words, leader: str, rest: Sequence[str]) -> Activate:
    """`[hop U] march U ... [march U ...]`."""
    at = rest.index(MARCH)
    before, parts = rest[:at], _split(rest[at + 1 :], MARCH)
    if before and (len(before) != 2 or before[0] != HOP):
        raise MalformedOrder(f"`{before[0]}` can't stand there", hint=f"write `{USAGE['activate']}`")
    if not all(parts):
        raise MalformedOrder("no unit stands behind `march`", hint=f"write `{USAGE['activate']}`")
    marches = tuple(_march(board, side, words, kit.unit_id(board, who, side), more) for who, *more in parts)
    return Activate(leader, marches, kit.unit_id(board, before[1], side) if before else None)


def _split(words: Sequence[str], at: str) -> list[list[str]]:
    """The words between each `at`."""
    parts: list[list[str]] = [[]]
    for word in words:
        if word == at:
            parts.append([])
        else:
            parts[-1].append(word)
    return parts
