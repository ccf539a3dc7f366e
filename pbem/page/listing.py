"""The list of orders as the page shows it: each statement of the text where it stands, read and judged by `check`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from pbem.errors import OrderError, PbemError
from pbem.language import say
from pbem.match.check import Checked, check
from pbem.match.faults import line_of
from pbem.match.orders import Act, Part, Plan, Say, Standing, StopIf, Strict, in_steps, order_of, statement_of
from pbem.match.table import BARE, Table
from pbem.match.way import behind, imagined
from pbem.page.naming import Naming
from pbem.page.standing import stands
from pbem.records import NamedTuple
from pbem.rules.requests import Choose, Draw, Request, Roll, Words
from pbem.wire.pieces import Piece, pieces

__all__ = ["Asked", "Fault", "Item", "Listing", "Read", "listing", "read"]


class Fault(NamedTuple):
    """What is wrong: what, where, what would be right, and the clause of the rules; "" for each that there isn't."""

    what: str
    where: str = ""
    right: str = ""
    clause: str = ""

    @classmethod
    def of(cls, error: PbemError) -> Fault:
        """The fault that an error tells."""
        return cls(error.what, error.where, error.hint, getattr(error, "clause", ""))


class Asked(NamedTuple):
    """A decision that is asked: of which side, its kind, what is asked in words, the clause."""

    side: str
    kind: str
    prompt: str
    clause: str


class Read(NamedTuple):
    """A text read: its statements, for each what it means, None where it can't be read, and all that is wrong.

    `faults` has what is wrong of each by its number from 1, `others` what is wrong of none of them.
    """

    pieces: tuple[Piece, ...]
    parts: tuple[Part | None, ...]
    faults: dict[int, tuple[Fault, ...]]
    others: tuple[Fault, ...]

    def good(self, before: int = 0) -> list[tuple[int, Part]]:
        """The parts with which nothing is wrong, each with its number; of one that isn't 0 only those before it."""
        numbered = enumerate(self.parts[: before - 1] if before else self.parts, 1)
        return [(number, part) for number, part in numbered if part is not None and number not in self.faults]


class Item(NamedTuple):
    """A statement of the list.

    number, first, last     its number and its lines, from 1
    text, words             as it is typed, in one line; as it will be signed, as it is typed where it can't be read
    kind                    order, if, stop, standing, say, plan or strict
    state                   good, wrong (why, by which clause, what would be right), or unread: reading ended before it
    way                     the labels of places by which it is drawn, from where its unit stands to its target
    dice                    whether dice fall for it, as far as that is known: not of plans, nor behind conditions
    unit                    the unit to which it is given, "" for none
    """

    number: int
    first: int
    last: int
    text: str
    words: str
    kind: str
    state: str
    why: str = ""
    clause: str = ""
    right: str = ""
    way: tuple[str, ...] = ()
    dice: bool = False
    unit: str = ""


class Listing(NamedTuple):
    """The whole list: its statements, what is wrong besides, and how it stands behind them.

    asked       the decision in which the next order would be given; None behind a closed list, and where none is due
    comes       what comes before it, or in its place, in a sentence; "" for nothing
    closed      whether the order that closes stands in the list
    units       those that stand elsewhere behind the list than now: id and label, "" for off the map
    state       the state of the rules there, to be drawn; never to be changed
    """

    items: tuple[Item, ...]
    errors: tuple[Fault, ...]
    asked: Asked | None
    comes: str
    closed: bool
    units: tuple[tuple[str, str], ...]
    state: Any


# --- reading ----------------------------------------------------------------------------------------------------------


def read(table: Table, name: str, text: str) -> Read:
    """Read a text as orders of a player now. Raises Refused when no orders are due from him."""
    cut = pieces(text)
    checked = check(table, name, text, runs=0)
    alone = _one_by_one(table, name, text, cut) if len({piece.line for piece in cut}) < len(cut) else None
    at = {piece.line: number for number, piece in enumerate(cut, 1)}
    parts: list[Part | None] = [None] * len(cut)
    for line, part in alone.parts if alone is not None else checked.parts:
        parts[(line if alone is not None else at[line]) - 1] = part
    faults: dict[int, tuple[Fault, ...]] = {}
    others: list[Fault] = []
    for error in checked.errors:
        number = _number(text, cut, alone, error, faults)
        if number == 0 or "nothing is read" in error.what:
            others.append(Fault.of(error))
        else:
            faults[number] = (*faults.get(number, ()), Fault.of(error))
    return Read(tuple(cut), tuple(parts), faults, tuple(others))


def _one_by_one(table: Table, name: str, text: str, cut: Sequence[Piece]) -> Checked:
    """What `check` tells of the statements where each has a line of its own, whose number is theirs."""
    return check(table, name, "\n".join(f";{piece.typed(text)};" for piece in cut), runs=0)


def _number(
    text: str, cut: Sequence[Piece], alone: Checked | None, error: OrderError, faults: dict[int, tuple[Fault, ...]]
) -> int:
    """The number of the statement that an error is about; 0 for none.

    Where several stand in its line it is that of which the same is said when each has a line of its own.
    """
    there = [number for number, piece in enumerate(cut, 1) if piece.line == line_of(error)]
    if len(there) < 2 or alone is None:
        return there[0] if there else 0
    wrong = {line_of(one): _said(one) for one in reversed(alone.errors)}
    alike = [number for number in there if wrong.get(number) == _said(error)]
    cut_off = [number for number in there if number not in wrong and cut[number - 1].typed(text).endswith(",")]
    left = [number for number in (*alike, *cut_off, *there) if number not in faults]
    return left[0] if left else there[-1]


def _said(error: OrderError) -> str:
    """What an error says, whatever lines it names."""
    return re.sub("line [0-9]+", "line", error.what)


# --- the list ---------------------------------------------------------------------------------------------------------


def listing(table: Table, name: str, text: str, found: Read, naming: Naming) -> Listing:
    """The list of a text that was read so."""
    side = table.genesis.player(name).side
    closing = (table.rules.CLOSING,)
    good = found.good()
    closed = any(isinstance(part, Act) and part.words == closing and not part.tests for _, part in good)
    there = stands(table, side, good)
    now, after = naming.places(table.game.state), naming.places(there.here.game.state)
    ways = _ways(table, found, naming, now)
    items = tuple(_item(text, number, found, naming, there.dice, ways) for number in range(1, len(found.pieces) + 1))
    request = there.here.game.request
    asked = isinstance(request, Choose) and request.side == side and not closed and bool(there.all)
    moved = tuple((unit, after.get(unit, "")) for unit in sorted({*now, *after}) if now.get(unit) != after.get(unit))
    comes = _comes(table, name, side, good, closed=closed)
    found_asked = asked_of(request) if asked and isinstance(request, Choose) else None
    return Listing(items, found.others, found_asked, comes, closed, moved, there.here.game.state)


def asked_of(request: Choose) -> Asked:
    """A decision as it is told."""
    return Asked(request.side, request.kind, request.prompt, request.clause)


def _comes(table: Table, name: str, side: str, parts: list[tuple[int, Part]], *, closed: bool) -> str:
    """What comes behind a list before its side is asked again, in a sentence; "" for nothing."""
    due = table.due_from(name)
    if due.what in BARE:
        if due.what == "begin":
            return say("Only a begin is due: it is sent without orders.")
        return say("Only a reveal is due: it is sent without orders.")
    ahead = imagined(table, side, parts) if closed else behind(table, side, parts)
    request = ahead.game.request
    if not closed and isinstance(request, Choose) and request.side == side:
        return ""
    return _next(table, request, side)


def _next(table: Table, request: Request | None, side: str) -> str:
    if request is None:
        return say("Behind these orders the game ends.")
    if isinstance(request, Roll):
        return say("Behind these orders dice fall.")
    if isinstance(request, Draw):
        return say("Behind these orders counters are drawn.")
    if request.side == side:
        return say("Behind these orders I decide next.")
    return say("Behind these orders %(player)s decides.", player=table.genesis.of_side(request.side).name)


KINDS: dict[type, str] = {StopIf: "stop", Standing: "standing", Say: "say", Plan: "plan", Strict: "strict"}


def _ways(table: Table, found: Read, naming: Naming, now: dict[str, str]) -> dict[int, tuple[str, ...]]:
    """The way of each order, from where good ones before it, step by step, have brought its unit."""
    acts = {number: act for number, part in enumerate(found.parts, 1) if (act := order_of(part)) is not None}
    ways, stood = {number: naming.way(act.words, now) for number, act in acts.items()}, dict(now)
    for number, _ in in_steps(table.rules, found.good()):
        if (act := acts.get(number)) is None:
            continue
        ways[number] = naming.way(act.words, stood)
        _, end = naming.run(act.words)
        if end and naming.target(act.words) == act.words[end - 1] and (unit := naming.actor(act.words)):
            stood[unit] = act.words[end - 1]
    return ways


def _item(
    text: str, number: int, found: Read, naming: Naming, dice: set[int], ways: dict[int, tuple[str, ...]]
) -> Item:
    piece, part, faults = found.pieces[number - 1], found.parts[number - 1], found.faults.get(number, ())
    typed = piece.typed(text)
    if part is None:
        kind, words = _kind(typed), typed
    else:
        kind = KINDS.get(type(part)) or ("if" if isinstance(part, Act) and part.tests else "order")
        words = str(statement_of(part)).removesuffix(";")
    act = order_of(part)
    item = Item(number, piece.first, piece.last, typed, words, kind, "unread" if part is None else "good")
    if act is not None:
        item = item._replace(unit=naming.actor(act.words), way=ways[number], dice=number in dice)
    if faults:
        item = item._replace(state="wrong", why=faults[0].what, clause=faults[0].clause, right=faults[0].right)
    return item


def _kind(typed: str) -> str:
    """What a statement that can't be read seems to be, by its first word."""
    first = typed.split(" ", 1)[0].lower()
    return {"in": "plan"}.get(first, first if first in ("if", "stop", "standing", "say", "strict") else "order")


def act_words(part: Part | None) -> Words:
    """The words of the order that a part gives; () for none."""
    act = order_of(part)
    return act.words if act is not None else ()
