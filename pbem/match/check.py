"""Orders before they are signed: read, checked strictly up to the first possible roll, and played out beyond it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from pbem.errors import IllegalOrder, MalformedOrder, OrderError
from pbem.match.ahead import Ahead, Reading
from pbem.match.comes import Came, Comes
from pbem.match.exact import endings
from pbem.match.futures import SURE, Futures, futures
from pbem.match.limits import why_too_large
from pbem.match.orders import (
    Act,
    Part,
    Plan,
    Say,
    Standing,
    Strict,
    in_steps,
    order_of,
    read_parts,
    statement_of,
    when,
    why_not_in_react,
)
from pbem.match.phases import wrong_plans
from pbem.match.prospects import Ending, Lapse, give_or_take, lost
from pbem.match.remarks import of_answers, of_dropped, of_futures, of_orders, of_what_is_sure
from pbem.match.table import BARE, Table
from pbem.match.take import imagine
from pbem.match.typed import typed
from pbem.match.way import LOOKED, behind, forked
from pbem.rules.requests import Chance, Choose, Draw, Roll, Words
from pbem.wire.entry import ENTRY_MAX
from pbem.wire.orderfile import as_typed, broken_comments, lines_of, talk_cut
from pbem.wire.statements import Statement

__all__ = ["ERRORS_MAX", "Checked", "all_illegal", "check", "line_of", "none_asked", "wrong_standing"]

RUNS = 100
"""Futures that are played out."""

ERRORS_MAX = 100
"""Errors after which no more orders are read: for each the nearest right word is sought."""

ROUNDS = 20
"""So often orders are judged anew without those that would go on without a part."""

WORDS = 400_000
"""Words of orders that are judged in all futures together: of very long orders fewer futures are played out."""

HEADER_MAX = 540
"""Bytes of the longest header; of ten statements."""

COUNTED = 40
"""Orders of which every throw is counted."""

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
        return often + [str(ending) for ending in self.endings if ending.lost and (ending.words or not ending.last)]


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
        found += _not_in_react(parts)
    found += _too_large(parts)
    wrong = wrong_plans(table, side, parts)
    found += [*wrong.values(), *wrong_standing(table, parts)]
    illegal, left = all_illegal(table, side, [part for place, part in enumerate(parts) if place not in wrong])
    found += illegal
    lapses: list[Lapse] = []
    most = max(1, WORDS // _words(parts))
    if 0 < len(found) <= ERRORS_MAX and runs:
        beyond = futures(table, side, left, chance, min(runs, SURE, most), most)
        lapses, sure = _beyond_dice(statements, parts, found, beyond)
        found += _as_ruled(table, side, parts, sure)
    found = _first_of(found)
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
    ends = _counted(table, side, parts, ahead_of.endings) if chance is None else ahead_of.endings
    ends = [ending._replace(last=_last_turn(table)) for ending in ends]
    certain = [lapse for lapse in ahead_of.lapses if _is_certain(lapse, ahead_of.played)]
    found += _as_ruled(table, side, parts, [*_all_certain(statements, parts, certain, ahead_of.played)])
    found = _first_of(found)
    lapses = [lapse for lapse in ahead_of.lapses if lapse not in certain]
    closing = table.rules.CLOSING  # dice that fall with it fall as well where the phase ends by itself
    to_tell = [one for one in comes if (one[2].rolled or one[2].ends) and one[1][-1] != closing]
    sampled = any(came.sampled for _, _, came in to_tell) or any(times < ahead_of.played for *_, times, _ in answers)
    if ahead_of.played > 1 and (lapses or sampled or any(end.about and end.share < 1 for end in ends)):
        remarks.append(give_or_take(ahead_of.played))
    told = Checked(parts, found, lapses, ends, remarks, readings, dropped, to_tell, ahead_of.dangers)
    return told._replace(replies=ahead_of.replies, played=ahead_of.played)


def _comes(side: str, parts: list[tuple[int, Part]], comes: Comes) -> list[tuple[int, Words, Came]]:
    """What each order comes to, planned or not."""
    acts = [(number, line, part, order_of(part)) for number, (line, part) in enumerate(parts, 1)]
    return [(line, (*when(part), *act.words), comes.came(side, number)) for number, line, part, act in acts if act]


def _is_certain(lapse: Lapse, played: int) -> bool:
    """Whether an order, or a part of it, lapses whatever the dice, and whatever the other player decides."""
    return lapse.share == 1 and played >= SURE and not lapse.idle


def _said(text: str, parts: list[tuple[int, Part]]) -> list[Reading]:
    """What is said, as it will be signed, where it is cut or isn't what was typed; and why it ends where it does."""
    says = [(line, part) for line, part in parts if isinstance(part, Say)]
    cut, typed = (talk_cut(text), " ".join(text.split())) if says else ({}, "")
    return [
        Reading(line, ("say", *say.words), cut.get(line, ""))
        for line, say in says
        if line in cut or " ".join(say.words) not in typed
    ]


def none_asked(bare: str) -> OrderError:
    """The error of orders where only a `begin` or a `reveal` is due."""
    return OrderError(
        f"only a {bare} is due, no orders are asked", "", "`pbem send -o turn.eml`, without any, sends it"
    )


def _certain(lapse: Lapse, played: int, wrong: Sequence[int] = ()) -> IllegalOrder:
    """The error of an order that lapses whatever the dice, or would go on without a part of it.

    It may come right with the `wrong` lines before it. A part that is always refused alike is told as before the dice.
    """
    then = f"would go on without {lapse.without}" if lapse.without else "lapses"
    less = f" without line{'s' * (len(wrong) > 1)} {', '.join(map(str, wrong))}" if wrong else ""
    why = f"{', as in' if lapse.reasons > 1 else ''}: {lapse.reason}"
    what = f"`{' '.join(lapse.words)}` {then} in every one of {played} futures{less}{why}"
    what = _refused(lapse) if lapse.without and lapse.reasons == 1 and not wrong else what
    leave = f"see to {lapse.without}, or leave this out" if lapse.without.startswith("a ") else ""
    leave = leave or f"leave {lapse.without or 'it'} out"
    mend = "" if ": " in lapse.reason else leave  # else the reason says what to do
    hint = f"mend {'those' if len(wrong) > 1 else 'that'} first" if wrong else mend
    return IllegalOrder(what, f"line {lapse.line}", hint, lapse.clause)


def _all_certain(
    statements: list[tuple[int, Statement]], parts: list[tuple[int, Part]], certain: Sequence[Lapse], played: int
) -> Iterator[IllegalOrder]:
    """The errors of orders that lapse whatever the dice; one may hang on one before it that would come short."""
    hangs = _hanging_on(statements, parts, {lapse.line for lapse in certain if lapse.without})
    for lapse in certain:
        error = _certain(lapse, played)
        error.hint = f"mend line {first[-1]} first" if (first := hangs(lapse)) else error.hint
        yield error


def _as_ruled(
    table: Table, side: str, parts: list[tuple[int, Part]], errors: Sequence[IllegalOrder]
) -> Iterator[IllegalOrder]:
    """The errors of orders that lapse whatever the dice; one for what is forbidden in any position is told as that."""
    state = table.game.state
    for error in errors:
        here = [part for line, part in parts if line == line_of(error) and isinstance(part, Act)]
        refusals = [table.rules.why_never(state, side, table.rules.clock(state)[1], act.order) for act in here]
        if len(refusals) == 1 and refusals[0] is not None and refusals[0].reason in error.what:
            what = f"`{str(statement_of(here[0])).removesuffix(';')}`: {refusals[0].reason}"
            yield IllegalOrder(what, error.where, "", refusals[0].clause)
        else:
            yield error


def _counted(table: Table, side: str, parts: list[tuple[int, Part]], found: list[Ending]) -> list[Ending]:
    """The ends that came in the futures, and those by which an order may lose as things stand, however seldom.

    Of the order whose dice fall first every throw is counted, as in the form; that is exact.
    """
    told = list(found)
    acts = [(line, part) for line, part in in_steps(table.rules, parts) if isinstance(part, Act)]
    known, there = _first_dice(table, side, parts)
    for line, act in acts[:COUNTED]:
        first = act is known
        for ending in endings(there if first else table, side, act.words):
            key = (line, act.words, ending.winner, ending.clause, ending.chooser)
            like = [place for place, e in enumerate(told) if (e.line, e.words, e.winner, e.clause, e.chooser) == key]
            if like and first:
                told[like[0]] = ending._replace(line=line)
            elif not like and ending.lost:
                told.append(ending._replace(line=line, about=ending.about or not first))
    return told


def _first_dice(table: Table, side: str, parts: list[tuple[int, Part]]) -> tuple[Act | None, Table]:
    """The order whose dice fall first, whatever comes, and where it is given; None where several are declared first."""
    if isinstance(asked := table.game.request, Choose) and asked.reaction:
        first = next((part for _, part in parts if isinstance(part, Act)), None)
        return (first if first is not None and not first.tests else None), table
    ahead, places = forked(table), [(place, part) for place, (_, part) in enumerate(parts, 1)]
    imagine(ahead, side, places, lambda _: None)
    given = [step["number"] for step in ahead.steps if step["kind"] == "order" and step["number"]]
    request, ordered = ahead.game.request, [number for number, _ in in_steps(table.rules, places)]
    if not given or not isinstance(request, Roll | Draw):
        return None, table
    number = given[0] if isinstance(request, Roll) and request.of is not None else given[-1]
    act = places[number - 1][1]
    before = set(ordered[: ordered.index(number)])
    there = behind(table, side, [part for part in places if part[0] in before])
    asked = there.game.request
    legal = isinstance(act, Act) and isinstance(asked, Choose) and asked.why_not(act.order) is None
    return (act, there) if legal and isinstance(act, Act) else (None, table)


def _last_turn(table: Table) -> bool:
    """Whether it is the turn with which the game ends in any case."""
    situation = table.rules.situation(table.game.state)
    return bool(situation["turn"] >= situation["turns"])


def _words(parts: list[tuple[int, Part]]) -> int:
    """How many words the parts have."""
    return sum(1 + len(statement_of(part).tokens) for _, part in parts) or 1


def _too_large(parts: list[tuple[int, Part]]) -> list[OrderError]:
    """What keeps orders that can be read from standing in one entry (protocol 7)."""
    body = [statement_of(part) for _, part in parts]
    sums = (len(body) + 10 + 7) // 8
    size = sum(len(str(statement)) + 1 for statement in body) + HEADER_MAX + len("end 4999;\n") + 7 * sums
    wrong = [f"the entry would have about {size} bytes, {ENTRY_MAX} at most"] if size > ENTRY_MAX else []
    wrong += [large] if (large := why_too_large(body, agreement=False)) else []
    return [OrderError(what, "", "leave something out, or send it in a later entry") for what in wrong]


def wrong_standing(table: Table, parts: list[tuple[int, Part]]) -> Iterator[IllegalOrder]:
    """The errors of standing orders that can never answer anything."""
    for line, part in parts:
        why = table.rules.why_unanswered(table.game.state, part.words) if isinstance(part, Standing) else None
        if why is not None:
            what = f"`{str(statement_of(part)).removesuffix(';')}` can never answer anything: {why.reason}"
            yield IllegalOrder(what, f"line {line}", "leave it out", why.clause)


def line_of(error: OrderError) -> int:
    """The line of an order file that an error names; 0 for none."""
    digits = "".join(c if c.isdigit() else " " for c in error.where).split()
    return int(digits[0]) if digits else 0


def _first_of(errors: Iterable[OrderError]) -> list[OrderError]:
    """The errors in the order of their lines; of very many the first, and behind them how many there are."""
    found = sorted(errors, key=line_of)
    more = len(found) - ERRORS_MAX
    if more <= 1:
        return found
    what = f"too many errors; {more:,} more are left out"
    return [*found[:ERRORS_MAX], OrderError(what, found[ERRORS_MAX].where, "mend the first ones, then try again")]


def _not_in_react(parts: list[tuple[int, Part]]) -> list[OrderError]:
    """The parts that no react may hold."""
    refusals = ((line, why_not_in_react(part)) for line, part in parts)
    return [MalformedOrder(refusal, f"line {line}", "take it out") for line, refusal in refusals if refusal]


def all_illegal(
    table: Table, side: str, parts: list[tuple[int, Part]]
) -> tuple[list[OrderError], list[tuple[int, Part]]]:
    """The orders that the rules refuse before the first possible roll, and the parts without them.

    One that would go on without a part of it isn't carried out at all: those behind it, and behind its dice, are judged
    as if it weren't given.
    """
    wrong: list[OrderError] = []
    for left in range(ROUNDS, 0, -1):
        found = _illegal(table, side, parts)
        first = next((place for place, lapse in enumerate(found, 1) if lapse.without), len(found))
        found = found[:first] if left > 1 else found
        wrong += [_error(parts, lapse) for lapse in found]
        lapsed = {lapse.line - 1 for lapse in found}
        parts = [part for place, part in enumerate(parts) if place not in lapsed]
        if not any(lapse.without for lapse in found):
            break
    return wrong, parts


def _illegal(table: Table, side: str, parts: list[tuple[int, Part]]) -> list[Lapse]:
    """What is refused up to the first possible roll, by the part's number; `strict` would hide all but the first."""
    ahead, found = forked(table), list[Lapse]()
    places = list(enumerate((part for _, part in parts), 1))
    imagine(ahead, side, [(place, part) for place, part in places if not isinstance(part, Strict)], lambda _: None)
    for lapse in lost(ahead.steps):
        if not _is_told(lapse, places, tuple(map(_refused, found))):
            found.append(lapse)
    return found


def _is_told(lapse: Lapse, parts: Iterable[tuple[int, Part]], told: Iterable[str]) -> bool:
    """Whether it is the end of the step before an order that lapses, and that has been told of another one."""
    return _of_itself(lapse, (part for line, part in parts if line == lapse.line)) and any(
        what.endswith(_refused(lapse)) for what in told
    )


def _of_itself(lapse: Lapse, given: Iterable[Part]) -> bool:
    """Whether it isn't one of the orders given that lapses, but the end of the step before them."""
    acts = [act for part in given if (act := order_of(part)) is not None]
    return not lapse.without and all(not act.tests and act.words != lapse.words for act in acts)


def _error(parts: list[tuple[int, Part]], lapse: Lapse) -> IllegalOrder:
    """The error of a part that is refused."""
    line, part = parts[lapse.line - 1]
    words = " ".join((*when(part), *lapse.words))
    if (act := order_of(part)) is not None and _of_itself(lapse, [part]):
        words = f"{' '.join((*when(part), *act.words))}` ends the step first, by `{words}"
    return IllegalOrder(_refused(lapse._replace(words=(words,))), f"line {line}", "", lapse.clause)


def _refused(lapse: Lapse) -> str:
    return f"`{' '.join(lapse.words)}`: {lapse.reason}"


def _beyond_dice(
    statements: list[tuple[int, Statement]], parts: list[tuple[int, Part]], found: Sequence[OrderError], beyond: Futures
) -> tuple[list[Lapse], list[IllegalOrder]]:
    """What is wrong behind the dice of orders without those found wrong: what may lapse, and what does for certain.

    What may hang on a wrong line before it isn't told of plans, nor where it is no more than likely.
    """
    told = tuple(error.what for error in found)
    hangs = _hanging_on(statements, parts, {line_of(error) for error in found})
    lapses, certain = list[Lapse](), list[IllegalOrder]()
    for lapse in beyond.lapses:
        wrong = hangs(lapse)
        if _is_told(lapse, parts, told) or (wrong and _is_planned(parts, lapse)):
            continue
        if _is_certain(lapse, beyond.played):
            certain.append(_certain(lapse, beyond.played, wrong))
        elif not wrong:
            lapses.append(lapse)
    return lapses, certain


def _is_planned(parts: Sequence[tuple[int, Part]], lapse: Lapse) -> bool:
    """Whether it is a plan that lapses."""
    return any(line == lapse.line and isinstance(part, Plan) for line, part in parts)


def _hanging_on(
    statements: list[tuple[int, Statement]], parts: list[tuple[int, Part]], wrong: Iterable[int]
) -> Callable[[Lapse], list[int]]:
    """What tells of a lapse the wrong lines that it may hang on: they come before it and name what it names."""
    named = {line: _named(statements, parts, line) for line in sorted(wrong)}

    def hangs(lapse: Lapse) -> list[int]:
        own, planned = _named(statements, parts, lapse.line), _is_planned(parts, lapse)
        return [line for line, names in named.items() if (planned or line < lapse.line) and names.meets(own)]

    return hangs


class _Named(NamedTuple):
    """Units and places that a line names: words with a number or a capital, bare numbers, the numbers of ids."""

    words: frozenset[str]
    bare: frozenset[str]
    numbers: frozenset[str]

    def meets(self, other: _Named) -> bool:
        """Whether both may name the same: a bare number is that of any id."""
        return bool(self.words & other.words or self.bare & other.numbers or other.bare & self.numbers)


def _named(statements: Iterable[tuple[int, Statement]], parts: list[tuple[int, Part]], at: int) -> _Named:
    """What is named on a line as it will be signed, else as typed: there a bare number may be that of an id."""
    read = [statement_of(part) for line, part in parts if line == at]
    shown = read or [statement for line, statement in statements if line == at]
    tokens = (word for statement in shown for word in statement.tokens if not (read and _is_length(word)))
    words = frozenset(word for word in tokens if any(c.isdigit() or c.isupper() for c in word))
    numbers = {word: re.sub("^.*?0*(?=[0-9]+$)", "", word) for word in words if word[-1:].isdigit()}
    bare = frozenset(number for word, number in numbers.items() if word.isdigit() and not read)
    return _Named(words, bare, frozenset(numbers.values()))


def _is_length(word: str) -> bool:
    """Whether it is a bare number that is too short for a place."""
    return len(word) < 4 and word.isdigit()
