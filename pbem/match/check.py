"""Orders before they are signed: read, checked strictly up to the first possible roll, and played out beyond it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pbem.errors import OrderError
from pbem.match.ahead import Ahead, Reading
from pbem.match.certain import all_certain, as_ruled, beyond_dice, is_certain, is_forbidden
from pbem.match.comes import Came, Comes
from pbem.match.ends import counted, is_last_turn
from pbem.match.faults import (
    ERRORS_MAX,
    first_of,
    line_of,
    none_asked,
    not_in_react,
    spent_twice,
    too_large,
    wrong_standing,
)
from pbem.match.futures import SURE, all_looked_at, futures
from pbem.match.illegal import all_illegal, overtaken
from pbem.match.orders import Part, Say, order_of, read_parts, when, words_in
from pbem.match.phases import never_given, wrong_plans
from pbem.match.prospects import Ending, Lapse, give_or_take
from pbem.match.remarks import of_answers, of_dropped, of_futures, of_orders, of_what_is_sure
from pbem.match.table import BARE, Table
from pbem.match.typed import typed
from pbem.match.way import LOOKED
from pbem.records import NamedTuple
from pbem.rules.requests import Chance, Words
from pbem.wire.orderfile import as_typed, broken_comments, lines_of, talk_cut

__all__ = ["Checked", "check"]

RUNS = 100
"""Futures that are played out."""

WORDS = 400_000
"""Words of orders that are judged in all futures together: of very long orders fewer futures are played out."""

WAITING = 2
"""How often words of orders that wait already count in that: they make nothing certain."""

DOUBTFUL = 0.3
"""Share of the futures from which on a lapse is asked about before orders are signed."""


class Checked(NamedTuple):
    """Orders as read, with every error, the lapses beyond the first roll, ends of the game that follow, remarks.

    `readings` are those of what isn't written as it will be signed. `dropped` is the remark on plans that these orders
    drop, `dangers` those on what threatens behind them. `comes` has what each order with dice comes to, and where each
    move on a table ends: its line, its words. `replies` are answers as in Futures, of `played` futures.
    """

    parts: list[tuple[int, Part]]
    errors: list[OrderError]
    lapses: list[Lapse]
    endings: list[Ending]
    remarks: list[str]
    readings: list[Reading]
    dropped: str = ""
    comes: Sequence[tuple[int, Words, Came]] = ()
    dangers: Sequence[str] = ()
    replies: Mapping[bytes, int] = {}
    played: int = 0

    @property
    def doubts(self) -> list[str]:
        """What a player should be asked about before it is signed: orders that often or only lapse, or may lose it."""
        often = [str(lapse) for lapse in self.lapses if lapse.share >= DOUBTFUL or lapse.never]
        lost = [ending for ending in self.endings if ending.lost]
        return often + [str(end) for end in lost if end.words or not end.last or end.share == 1]


def check(table: Table, name: str, text: str, chance: Chance | None = None, runs: int = RUNS) -> Checked:
    """Would these orders be accepted from this player now? Raises Refused when no orders are due from him.

    Without a `chance` of its own the same orders find the same futures whenever they are checked in this position, as
    in the mail that brings them, and the throws by which the game may end are counted; with one only the futures that
    it brings are.
    """
    due = table.due_from(name)
    side = table.genesis.player(name).side
    statements, unreadable = typed(table.rules, table.board, text)
    ahead = Ahead(table, side)
    parts, errors = read_parts(table.rules, table.board, side, statements, ERRORS_MAX, ahead)
    readings = sorted([*ahead.readings, *_said(text, parts)])
    found = broken_comments(text, [(line_of(error), error) for error in [*unreadable, *errors]])
    if due.what in BARE:
        if parts:
            found.append(none_asked(due.what))
        return Checked(parts, found, [], [], [], readings)
    if due.what == "react":
        found += not_in_react(parts)
    found += too_large(parts)
    wrong = wrong_plans(table, side, parts)
    found += [*wrong.values(), *wrong_standing(table, parts)]
    illegal, left = all_illegal(table, side, [part for place, part in enumerate(parts) if place not in wrong])
    found += illegal
    never = overtaken(table, side, left) | never_given(table, side, left) if due.what != "react" else {}
    found += never.values()
    left = [part for place, part in enumerate(left) if place not in never]
    twice = spent_twice(table, side, parts, found)
    told = {line_of(error) for error in twice}
    found = [*(error for error in found if line_of(error) not in told), *twice]
    left = [part for part in left if part[0] not in told]
    lapses: list[Lapse] = []
    mine = words_in(parts) or 1
    least = max(1, min(SURE, WORDS // mine))
    alone = max(least, WORDS // mine)
    most = max(least, WORDS // (mine + WAITING * table.course.words()))
    if 0 < len(found) <= ERRORS_MAX and runs:
        beyond = futures(table, side, left, chance, min(runs, SURE, most), most)
        lapses, sure = beyond_dice(statements, parts, found, beyond)
        found += as_ruled(table, side, parts, sure)
    found = first_of(found)
    lines = lines_of(text) if found else []
    for error in found:
        error.what = as_typed(error.what, lines, line_of(error))
    remarks = of_orders(table, side, due, parts)
    dropped = of_dropped(table, side, parts)
    remarks += [dropped] if dropped else []
    if found or runs == 0:
        return Checked(parts, found, lapses, [], remarks, readings, dropped)
    fewer = min(runs, most)
    other = table.genesis.other(name)
    if (theirs := len(table.course.plans[other.side])) > LOOKED:
        remarks.append(f"of {theirs:,} plans of {other.name} only {LOOKED} that come are looked at, each once")
    ahead_of = futures(table, side, parts, chance, fewer, most)
    if fewer < runs and (ahead_of.played > 1 or fewer == 1):
        remarks.append(f"the orders are long: {fewer} of {runs} futures were looked at")
    comes = _comes(side, parts, ahead_of.comes)
    answers = [*ahead_of.comes.answered()]
    remarks += [*of_what_is_sure(comes), *of_futures(ahead_of), *of_answers(table, name, ahead_of), *ahead_of.dangers]
    ends = counted(table, side, parts, ahead_of.endings) if chance is None else ahead_of.endings
    ends = [ending._replace(last=is_last_turn(table)) for ending in ends]
    enough = ahead_of.played >= all_looked_at(min(runs, alone), alone)  # else long orders of the other side took some
    certain = [lapse for lapse in ahead_of.lapses if is_certain(lapse, ahead_of.played)]
    certain = [lapse for lapse in certain if enough or is_forbidden(table, side, parts, lapse)]
    if ahead_of.played > max(fewer, 1) and not certain:
        remarks.append(f"as something lapsed in all of {fewer} futures, {ahead_of.played} were looked at")
    found += as_ruled(table, side, parts, [*all_certain(statements, parts, certain, ahead_of.played)])
    found = first_of(found)
    lapses = [lapse for lapse in ahead_of.lapses if lapse not in certain]
    closing = table.rules.CLOSING  # dice that fall with it fall as well where the phase ends by itself
    to_tell = [one for one in comes if (one[2].rolled or one[2].ends) and one[1][-1] != closing]
    sampled = any(came.sampled for _, _, came in to_tell) or any(times < ahead_of.played for *_, times, _ in answers)
    if ahead_of.played > 1 and (lapses or sampled or any(end.about and end.share < 1 for end in ends)):
        remarks.append(give_or_take(ahead_of.played))
    checked = Checked(parts, found, lapses, ends, remarks, readings, dropped, to_tell, ahead_of.dangers)
    return checked._replace(replies=ahead_of.replies, played=ahead_of.played)


def _comes(side: str, parts: list[tuple[int, Part]], comes: Comes) -> list[tuple[int, Words, Came]]:
    """What each order comes to, planned or not."""
    acts = [(number, line, part, order_of(part)) for number, (line, part) in enumerate(parts, 1)]
    return [(line, (*when(part), *act.words), comes.came(side, number)) for number, line, part, act in acts if act]


def _said(text: str, parts: list[tuple[int, Part]]) -> list[Reading]:
    """What is said, as it will be signed, where it is cut or isn't what was typed; and why it ends where it does."""
    says = [(line, part) for line, part in parts if isinstance(part, Say)]
    cut, typed = (talk_cut(text), " ".join(text.split())) if says else ({}, "")
    return [
        Reading(line, ("say", *say.words), cut.get(line, ""))
        for line, say in says
        if line in cut or " ".join(say.words) not in typed
    ]
