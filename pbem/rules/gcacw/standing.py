"""Standing orders and conditions: their words, read; which are still in force; and whether a condition holds."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pbem.errors import MalformedOrder, Refusal
from pbem.maps.hexes import distance
from pbem.rules.gcacw.advance import ABLE
from pbem.rules.gcacw.board import CONFEDERATE, UNION, Board
from pbem.rules.gcacw.holds import held
from pbem.rules.gcacw.panic import FALL
from pbem.rules.gcacw.state import State
from pbem.rules.gcacw.supply import FEED
from pbem.rules.gcacw.wording import whole_places
from pbem.rules.gcacw.zones import in_zone
from pbem.rules.kit import standing as kit_standing
from pbem.rules.kit import words as kit
from pbem.rules.kit.asking import NO, YES
from pbem.rules.kit.words import ANY
from pbem.rules.requests import Words

__all__ = ["CONDITIONS", "STANDING", "STATES", "holds", "in_force", "read_standing", "read_test", "why_unanswered"]

STANDING = {
    "evade": "evade U|any yes|no",
    "refuse": "refuse U|any yes|no",
    "lose": "lose U|any U ...",
    "retreat": "retreat U|any [N] [HEX]",
    "advance": "advance U|any yes|no|able",
    "join": "join LEADER U ...",
    FEED: "feed any U ...",
    FALL: "fall any LEADER ...",
}
"""Standing order -> how it is written."""

POLICIES = {"evade": (YES, NO), "refuse": (YES, NO), "advance": (YES, NO, ABLE)}

NEAR, TIRED, SHORT, ROW, FOUGHT = "near", "tired", "short", "row", "fought"
WEATHER, IN_PANIC, PARALYSED = "weather", "panic", "paralysed"
RAIN, DRY = "rain", "dry"

CONDITIONS = {
    **kit.CONDITIONS,
    NEAR: "near U N",
    TIRED: "tired U N",
    SHORT: "short U",
    ROW: "row SIDE N",
    FOUGHT: "fought HEX",
    WEATHER: "weather rain|dry",
    IN_PANIC: "panic SIDE",
    PARALYSED: "paralysed SIDE",
}
"""Condition -> how it is written.

An enemy is within N hexes of U; its fatigue is N or more; its last march of this turn ended short; SIDE has acted N
times in a row; there was a combat at HEX in this turn; it rains in this turn, or doesn't; SIDE is in panic, or its
command paralysed, in this turn.
"""

OWN = frozenset(CONDITIONS.keys() - kit.CONDITIONS.keys())
"""Those that these rules have besides the conditions of all."""

STATES: dict[str, Callable[[State, str], bool]] = {
    "disorganised": lambda s, unit: unit in s.disorganised,
    "demoralised": lambda s, unit: unit in s.demoralised,
    "unsupplied": lambda s, unit: unit in s.hungry,
    "killed": lambda s, unit: unit in s.killed,
    "held": held,
    "zone": lambda s, unit: in_zone(s, s.board.units[unit].side, s.at[unit]),
    "entrenched": lambda s, unit: unit in s.works,
}
"""What `is U WORD` can ask -> whether it is true of a counter on the map."""

MOST = 99

SHORTEST = 3
"""So many digits a hex's number has at least; fewer are the hexes of a retreat."""


def read_standing(board: Board, side: str, words: Words) -> Words:
    """A standing order with full ids; nothing behind the one that it is about clears it."""
    if len(words) < 2 or words[0] not in STANDING:
        raise kit.not_understood(words, STANDING, "standing order")
    keyword, who, *rest = whole_places(board, kit.whole_names(board, words))
    if keyword in (FEED, FALL):
        return _chosen(board, side, (keyword, who, *rest))
    about = kit.own_or_any(board, who, side)
    if keyword in POLICIES:
        for word in rest:
            if word not in POLICIES[keyword]:
                raise MalformedOrder(f"`{word}` can't stand there", hint=f"write `{STANDING[keyword]}`")
        if len(rest) > 1:
            raise MalformedOrder(f"`{rest[1]}` is too much", hint=f"write `{STANDING[keyword]}`")
        return (keyword, about, *rest)
    if keyword == "retreat":
        return (keyword, about, *_way(board, rest))
    if keyword == "join" and (about == ANY or not board.units[about].leader):
        raise MalformedOrder(f"`{who}` is no leader", hint=f"write `{STANDING[keyword]}`")
    return (keyword, about, *(_own(board, side, word) for word in rest))


def _chosen(board: Board, side: str, words: Words) -> Words:
    """Whom a depot feeds, or which leader is killed, the first of those that there are (20.3-c4, 17.0-3)."""
    keyword, who, *rest = words
    if who != ANY:
        raise MalformedOrder(f"`{who}` can't stand there", hint=f"write `{STANDING[keyword]}`")
    if keyword == FEED:
        return (keyword, ANY, *(_own(board, side, word) for word in rest))
    found = [kit.unit_id(board, word, side) for word in rest]
    for leader in found:
        if board.units[leader].side != side or not board.units[leader].leader:
            raise MalformedOrder(f"{board.describe(leader)} is no leader of yours", hint="name leaders of your own")
    return (keyword, ANY, *found)


def _own(board: Board, side: str, word: str) -> str:
    """One of the side's own combat units."""
    unit = kit.unit_id(board, word, side)
    if board.units[unit].side != side or board.units[unit].leader:
        raise MalformedOrder(f"{board.describe(unit)} is no combat unit of yours", hint="name units of your own")
    return unit


def _way(board: Board, rest: Sequence[str]) -> Words:
    """`[N] [HEX]`: how many hexes, and towards which; so many as some retreat or rout may have (std-7.5-7)."""
    length = rest[:1] if rest and rest[0].isdecimal() and len(rest[0]) < SHORTEST else []
    lengths = board.tables.retreat.values()
    least, most = min(one.least for one in lengths), max(one.most for one in lengths)
    if length and (not length[0].isascii() or str(int(length[0])) != length[0] or not least <= int(length[0]) <= most):
        few, many = board.tables.retreat["retreat"], board.tables.retreat["rout"]
        hint = f"write {few.least} to {few.most} for a retreat, {many.least} to {many.most} for a rout"
        raise MalformedOrder(f"`{length[0]}` is no number from {least} to {most}, the hexes of a retreat", hint=hint)
    where = rest[len(length) :]
    if len(where) > 1:
        raise MalformedOrder(f"`{where[1]}` is too much", hint=f"write `{STANDING['retreat']}`")
    return (*length, *map(board.number, where))


def in_force(s: State, orders: Sequence[Words]) -> list[Words]:
    """The standing orders (latest last) that can still answer something."""
    return kit_standing.in_force(orders, lambda who: who in s.removed and not s.board.units[who].leader)


def why_unanswered(s: State, words: Words) -> Refusal | None:
    """Why a standing order can never answer anything: it is for a unit that is lost, or for what isn't asked here."""
    if words[0] == "refuse" and len(words) > 2 and s.options.flanks_refused == "no":
        return Refusal("std-7.8-1", "nobody refuses his flanks in this game, as its option `flanks-refused no` says")
    if words[0] in (FEED, FALL) and len(words) > 2:
        return _why_unasked(s, words)
    return kit_standing.why_unanswered(words, lambda who: _why_lost(s, who))


def _why_unasked(s: State, words: Words) -> Refusal | None:
    """Why nobody asks whom a depot feeds or which leader is killed: in the basic game, and of the Union."""
    fed = words[0] == FEED
    if s.board.advanced is None:
        what = "nobody is fed at depots in the basic game" if fed else "nobody is killed in the basic game"
        return Refusal("14.0-0", what)
    if s.board.units[words[2]].side != CONFEDERATE:
        if fed:
            return Refusal("20.3-c4", "the Confederates alone are asked who is fed at depots")
        return Refusal("17.0-3", "the Confederates alone are asked who is killed")
    return None


def _why_lost(s: State, who: str) -> Refusal | None:
    """Why nothing is asked about a unit any more; a leader may come back (std-6.3-2)."""
    if who not in s.removed or s.board.units[who].leader:
        return None
    return Refusal("std-7.5-2", f"{s.board.describe(who)} was lost in turn {s.removed[who]}")


# --- conditions -------------------------------------------------------------------------------------------------------


def read_test(board: Board, words: Words) -> Words:
    """A condition's words with full ids. Raises MalformedOrder or AmbiguousOrder."""
    words = whole_places(board, kit.whole_names(board, words)) if words else words
    if words[:1] and words[0] in OWN:
        return _read_own(board, words)
    return kit.read_test(board, words, STATES)


def _read_own(board: Board, words: Words) -> Words:
    """A condition that these rules have besides those of all."""
    match words:
        case ("near" | "tired" as keyword, who, number):
            return (keyword, kit.unit_id(board, who), _number(number, CONDITIONS[keyword]))
        case ("short", who):
            return (SHORT, kit.unit_id(board, who))
        case ("row", side, number):
            return (ROW, kit.one_of(side, board.side, "side"), _number(number, CONDITIONS[ROW]))
        case ("fought", where):
            return (FOUGHT, board.number(where))
        case ("weather", what):
            return (WEATHER, kit.one_of(what, (RAIN, DRY), "weather"))
        case ("panic" | "paralysed" as keyword, side):
            return (keyword, kit.one_of(side, board.side, "side"))
    raise kit.not_understood(words, CONDITIONS, "condition")


def _number(word: str, usage: str) -> str:
    """A number from 0 to 99."""
    if not (word.isdecimal() and word.isascii() and int(word) <= MOST):
        raise MalformedOrder(f"`{word}` is no number from 0 to {MOST}", hint=f"write `{usage}`")
    return str(int(word))


def holds(s: State, words: Words) -> bool:
    """Whether a condition (as `read_test` gave it) holds now."""
    if words[0] in OWN:
        return _own_holds(s, words)
    return kit.holds(
        words,
        gone=lambda unit: unit in s.removed or unit in s.merged,
        place=lambda unit: s.board.label[s.at[unit]] if unit in s.at else None,
        empty=lambda number: s.board.parse(number) not in s.stands,
        held=lambda number, side: s.holder(s.board.parse(number)) == side,
        state=lambda unit, word: unit in s.at and STATES[word](s, unit),
    )


def _own_holds(s: State, words: Words) -> bool:
    """Whether a condition holds that these rules have besides those of all."""
    match words:
        case ("near", unit, number):
            enemy = s.board.enemy[s.board.units[unit].side]
            return unit in s.at and any(distance(s.at[unit], s.at[e]) <= int(number) for e in s.own(enemy))
        case ("tired", unit, number):
            return unit in s.manpower and s.fatigue.get(unit, 0) >= int(number)
        case ("short", unit):
            return unit in s.shorts
        case ("row", side, number):
            last, _, often = s.row.partition(" ")
            return last == side and int(often) >= int(number)
        case ("fought", where):
            return where in s.fights
        case ("weather", what):
            return s.raining == (what == RAIN)
        case ("panic", side):
            return s.panicking and side == UNION
        case ("paralysed", side):
            return side in s.paralysed
    raise AssertionError(words)
