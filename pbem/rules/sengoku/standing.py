"""Standing orders and conditions: their words, read; which are still in force; and whether a condition holds."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from pbem.errors import MalformedOrder, Refusal
from pbem.rules.kit import standing as kit_standing
from pbem.rules.kit import words as kit
from pbem.rules.kit.words import ANY
from pbem.rules.requests import Words
from pbem.rules.sengoku.acting import castle_side, live_castle
from pbem.rules.sengoku.board import Board
from pbem.rules.sengoku.lines import in_line
from pbem.rules.sengoku.naming import Names, castle_id
from pbem.rules.sengoku.state import State
from pbem.rules.sengoku.wording import BETWEEN, USAGE, as_meant
from pbem.words import ALIKE, closest

__all__ = [
    "SENSIBLE", "STANDING", "STATES", "WORDS", "holds", "in_force", "read_standing", "read_test", "why_unanswered",
]  # fmt: skip

STANDING = {
    "lose": "lose FORCE|any U ...",
    "give-way": "give-way FORCE|any steps|retreat|refuge|N+ ...",
    "retreat": "retreat FORCE|any castle|HEX ...",
    "counter": "counter FORCE|any yes|no",
    "lift": "lift FORCE|any yes|no|if-half-hurts",
    "pursue": "pursue FORCE|any far|N",
    "consent": "consent FORCE|any yes|no",
    "join": "join FORCE|any yes|no",
    "fight-on": "fight-on FORCE|any N",
    "advance": "advance FORCE|any yes|no",
    "accept": "accept CASTLE|any N",
    "demand": "demand CASTLE|any U ...",
    "traitors": "traitors CASTLE|any U ...",
    "march-out": "march-out CASTLE|any HEX ...",
}
"""Standing order -> how it is written."""

WORDS = kit.words_of(USAGE, STANDING).union(BETWEEN)
"""Words of orders, none of which can be the id of a unit or army."""

SENSIBLE: tuple[Words, ...] = (
    ("give-way", ANY, "refuge", "4+", "steps"),
    ("retreat", ANY, "castle"),
    ("counter", ANY, "yes"),
    ("lift", ANY, "if-half-hurts"),
    ("pursue", ANY, "0"),
    ("consent", ANY, "no"),
    ("join", ANY, "yes"),
    ("fight-on", ANY, "60"),
    ("advance", ANY, "no"),
    ("accept", ANY, "2"),
)
"""Standing orders to begin with, one mail of which answers whatever the other's phase can ask; who is lost, whom
traitors take and where those inside march is left to the rules."""

POLICIES: dict[str, tuple[tuple[str, ...], str]] = {
    "give-way": (("steps", "retreat", "refuge"), r"[1-9][0-9]?\+"),
    "counter": (("yes", "no"), ""),
    "lift": (("yes", "no", "if-half-hurts"), ""),
    "pursue": (("far",), "[0-9]"),
    "consent": (("yes", "no"), ""),
    "join": (("yes", "no"), ""),
    "fight-on": ((), "[1-9]?[0-9]|100"),
    "advance": (("yes", "no"), ""),
    "accept": ((), "[1-9]?[0-9]"),
}
"""Keyword -> the words that may stand behind whom it is about, and a pattern of others."""

NUMBERS = {"give-way": "1 to 99", "pursue": "0 to 9", "fight-on": "0 to 100", "accept": "0 to 99"}
"""Keyword -> which numbers the pattern takes."""

REFUGE = "castle"
AT_CASTLES = ("accept", "demand", "traitors", "march-out")
"""Those that are about a castle."""


def read_standing(board: Board, side: str, words: Words) -> Words:
    """A standing order with full ids; nothing behind the one that it is about clears it.

    Raises MalformedOrder or AmbiguousOrder.
    """
    if len(words) < 2 or words[0] not in STANDING:
        raise kit.not_understood(words, STANDING, "standing order")
    names, (keyword, who, *rest) = Names(board, side), as_meant(board, words)
    if keyword not in AT_CASTLES:
        about = kit.own_or_any(board, who, side)
    elif who == ANY:
        about = ANY
    else:
        about, rest = names.castle_first([who, *rest])
    if keyword in POLICIES:
        return (keyword, about, *_policy(words, rest))
    read: dict[str, Callable[[str], str]] = {
        "lose": names.mine,
        "retreat": lambda word: word if word == REFUGE else _hex(board, word),
        "demand": lambda word: names.enemies([word])[0],
        "traitors": names.mine,
        "march-out": board.number,
    }
    return (keyword, about, *map(read[keyword], rest))


def _hex(board: Board, word: str) -> str:
    """The number of a hex, of which a word that is none may be meant for `castle`."""
    try:
        return board.number(word)
    except MalformedOrder as error:
        error.hint = f"did you mean `{REFUGE}`?" if closest(word, [REFUGE], ALIKE) else error.hint
        raise


def _policy(words: Words, rest: Sequence[str]) -> Sequence[str]:
    """What stands behind whom an order is about: one word, of some orders several, by preference."""
    known, pattern = POLICIES[words[0]]
    if len(rest) > 1 and not STANDING[words[0]].endswith("..."):
        raise MalformedOrder(f"`{rest[1]}` is too much", hint=f"write `{STANDING[words[0]]}`")
    for word in rest:
        if word not in known and not re.fullmatch(pattern, word):
            most = f", N from {NUMBERS[words[0]]}" if words[0] in NUMBERS else ""
            raise MalformedOrder(f"`{word}` can't stand there", hint=f"write `{STANDING[words[0]]}`{most}")
    return rest


def in_force(s: State, orders: Sequence[Words]) -> list[Words]:
    """The standing orders (latest last) that can still answer something."""
    return kit_standing.in_force(orders, lambda who: who in s.removed)


def why_unanswered(s: State, words: Words) -> Refusal | None:
    """Why a standing order can never answer anything: it is for a unit that is lost."""
    return kit_standing.why_unanswered(words, lambda who: _why_lost(s, who))


def _why_lost(s: State, who: str) -> Refusal | None:
    """Why nothing is asked about a unit any more; None of a castle."""
    if who not in s.removed:
        return None
    return Refusal("25-1", f"{s.board.describe(who)} was lost in inning {s.removed[who]}")


# --- conditions -------------------------------------------------------------------------------------------------------


FALLEN = "fallen"

CONDITIONS = {**kit.CONDITIONS, FALLEN: "fallen CASTLE"}
"""Condition -> how it is written."""

STATES: dict[str, Callable[[State, str], bool]] = {
    "leader": lambda s, unit: s.leader[unit] == unit,
    "reduced": lambda s, unit: unit in s.reduced,
    "shaken": lambda s, unit: s.leader[unit] in s.morale,
    "shut-in": lambda s, unit: s.leader[unit] in s.shut_in,
    "besieging": lambda s, unit: s.leader[unit] in s.besieging,
    "acted": lambda s, unit: unit in s.acted,
    "supplied": lambda s, unit: in_line(s, s.leader[unit]),
}
"""What `is U WORD` can ask -> whether it is true of a unit on the map."""


def read_test(board: Board, words: Words) -> Words:
    """A condition's words with full ids. Raises MalformedOrder or AmbiguousOrder."""
    if words[:1] == (FALLEN,) and len(words) == 2:
        return (FALLEN, castle_id(board, words[1]))
    return kit.read_test(board, words, STATES)


def holds(s: State, words: Words) -> bool:
    """Whether a condition (as `read_test` gave it) holds now.

    `fallen CASTLE`: it isn't any more its owner's side's of the start. A hex with a castle is held by the side whose it
    is, any other by the side that alone has forces there.
    """
    if words[0] == FALLEN:
        return _fallen(s, words[1])
    return kit.holds(
        words,
        gone=lambda unit: unit in s.removed,
        place=lambda unit: s.board.label[s.at[s.leader[unit]]] if unit in s.leader else None,
        empty=lambda number: s.board.parse(number) not in s.stands,
        held=lambda number, side: _held(s, number, side),
        state=lambda unit, word: unit in s.leader and STATES[word](s, unit),
    )


def _fallen(s: State, castle: str) -> bool:
    """Whether a castle is the other side's, or nobody's, that had an owner when play began."""
    owner = s.board.castles[castle].owner
    return owner is not None and castle_side(s, castle) != s.board.armies[owner].side


def _held(s: State, number: str, side: str) -> bool:
    """Whether a side holds a hex."""
    h = s.board.parse(number)
    castle = live_castle(s, h)
    if castle is not None:
        return castle_side(s, castle) == side
    return {s.board.units[force].side for force in s.stands.get(h, ())} == {side}
