"""Orders before they are signed: read, checked strictly up to the first possible roll, and played out beyond it."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from pbem.errors import IllegalOrder, MalformedOrder, OrderError
from pbem.match.ahead import Ahead, Reading
from pbem.match.course import Chancer, Step
from pbem.match.limits import why_too_large
from pbem.match.orders import Act, Part, Strict, read_parts, statement_of, why_not_in_react
from pbem.match.table import BARE, Due, Table
from pbem.match.take import imagine, imagine_on
from pbem.rules.requests import Answer, Chance, Choose, Draw, Roll, Words
from pbem.wire.blocks import ENTRY_MAX, parse_statements

__all__ = ["Checked", "Lapse", "chance_answer", "check"]

RUNS = 100
"""Futures that are played out."""

WORDS = 400_000
"""Words of orders that are judged in all futures together: of very long orders fewer futures are played out."""

HEADER_MAX = 540
"""Bytes of the longest header; of ten statements."""


class Lapse(NamedTuple):
    """An order that becomes illegal in some of the futures: its line, words, share of them (0 to 1), a reason.

    Where it goes on without a part of it, `without` names that.
    """

    line: int
    words: Words
    share: float
    clause: str
    reason: str
    without: str = ""


class Checked(NamedTuple):
    """Orders as read, with every error, the lapses beyond the first roll, ends of the game that follow, remarks.

    `readings` are those of what isn't written as it will be signed.
    """

    parts: list[tuple[int, Part]]
    errors: list[OrderError]
    lapses: list[Lapse]
    endings: list[str]
    remarks: list[str]
    readings: list[Reading]


def chance_answer(request: Roll | Draw, chance: Chance) -> Answer:
    """Dice or counters from a random generator, for looking ahead and for bots."""
    if isinstance(request, Roll):
        return tuple(1 + chance.randrange(request.sides) for _ in range(request.dice))
    cup = list(request.cup)
    return tuple(cup.pop(chance.randrange(len(cup))) for _ in range(request.count))


def check(table: Table, name: str, text: str, chance: Chance, runs: int = RUNS) -> Checked:
    """Would these orders be accepted from this player now? Raises Refused when no orders are due from him."""
    due = table.due_from(name)
    side = table.genesis.player(name).side
    statements, unreadable = parse_statements(text)
    ahead = Ahead(table, side)
    parts, errors = read_parts(table.rules, table.board, side, statements, reader=ahead)
    found: list[OrderError] = [*unreadable, *errors]
    if due.what in BARE:
        if parts:
            found.append(OrderError(f"only a {due.what} is due, no orders are asked", "", "send without orders"))
        return Checked(parts, found, [], [], [], ahead.readings)
    if due.what == "react":
        found += _not_in_react(parts)
    found += _too_large(parts)
    found += _illegal(table, side, parts)
    found.sort(key=_line)
    remarks = _remarks(table, side, due, parts)
    if found or runs == 0:
        return Checked(parts, found, [], [], remarks, ahead.readings)
    fewer = min(runs, max(1, WORDS // _words(parts)))
    if fewer < runs:
        remarks.append(f"the orders are long: {fewer} of {runs} futures were looked at")
    lapses, endings, asked = _futures(table, side, parts, chance, fewer)
    if asked:
        remarks.append("who is asked something in these futures answers as the rules would choose")
    return Checked(parts, found, lapses, endings, remarks, ahead.readings)


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


def _line(error: OrderError) -> int:
    digits = "".join(c if c.isdigit() else " " for c in error.where).split()
    return int(digits[0]) if digits else 0


def _not_in_react(parts: list[tuple[int, Part]]) -> list[OrderError]:
    """The parts that no react may hold."""
    refusals = ((line, why_not_in_react(part)) for line, part in parts)
    return [MalformedOrder(refusal, f"line {line}", "take it out") for line, refusal in refusals if refusal]


def _ahead(table: Table) -> Table:
    """The table to imagine on; what is left of earlier entries, of either side, has the number 0 there."""
    ahead = table.fork()
    for queues in (ahead.course.queues, ahead.course.reactions):
        queues.update({side: deque((0, part) for _, part in queue) for side, queue in queues.items()})
    return ahead


def _illegal(table: Table, side: str, parts: list[tuple[int, Part]]) -> list[OrderError]:
    """The orders that the rules refuse before the first possible roll; `strict` would hide all but the first."""
    ahead = _ahead(table)
    imagine(ahead, side, [(line, part) for line, part in parts if not isinstance(part, Strict)], lambda _: None)
    found: list[OrderError] = []
    for number, lapse in _lost(ahead.steps):
        about = f"`{' '.join(lapse.words)}`: {lapse.reason}"
        found.append(IllegalOrder(about, f"line {number}", clause=lapse.clause))
    return found


def _lost(steps: Iterable[Step]) -> Iterator[tuple[int, Lapse]]:
    """What became illegal of the entry that is looked at, orders and parts of them, with the number of each."""
    for step in steps:
        number = step.get("number", 0)
        if number and step["kind"] == "lapse":
            yield number, Lapse(number, tuple(step["words"]), 1, step["clause"], step["reason"])
        elif number and step["kind"] == "tell":  # a part of an order is dropped
            facts = step["facts"]
            part = facts.get("unit", "a part of it")
            yield number, Lapse(number, (facts["order"],), 1, step["clause"], facts["reason"], part)


def _futures(
    table: Table, side: str, parts: list[tuple[int, Part]], chance: Chance, runs: int
) -> tuple[list[Lapse], list[str], bool]:
    """How often each order lapses, and the game ends, when the entry is played out with random dice; is anyone asked?

    Several orders may stand on one line. Up to the first chance all futures are one, which is played once.
    """
    places = [(place, part) for place, (_, part) in enumerate(parts, 1)]
    common = _ahead(table)
    imagine(common, side, places, lambda _: None)
    asked = _past_questions(common, lambda _: None)
    if not isinstance(common.game.request, Roll | Draw):
        runs = 1
    counts: Counter[tuple[int, str]] = Counter()
    why: dict[tuple[int, str], Lapse] = {}
    ends: Counter[tuple[str | None, str]] = Counter()
    reasons: dict[tuple[str | None, str], str] = {}

    def chancer(request: Roll | Draw) -> Answer:
        return chance_answer(request, chance)

    for _ in range(runs):
        ahead = common.fork()
        imagine_on(ahead, chancer)
        asked |= _past_questions(ahead, chancer)
        if (outcome := ahead.game.outcome) is not None:
            ends[outcome.winner, outcome.clause] += 1
            reasons[outcome.winner, outcome.clause] = outcome.reason
        for number, lapse in _lost((*common.steps, *ahead.steps)):
            counts[number, lapse.without] += 1
            why[number, lapse.without] = lapse
    lapses = [why[at]._replace(line=parts[at[0] - 1][0], share=counts[at] / runs) for at in sorted(counts)]
    return lapses, [_ending(*end, reasons[end], count / runs) for end, count in ends.most_common()], asked


def _past_questions(ahead: Table, chancer: Chancer) -> bool:
    """Go on where somebody is asked, who answers as the rules would choose; whether anyone was."""
    asked = False
    while isinstance(request := ahead.game.request, Choose) and request.reaction and request.default is not None:
        asked = True
        ahead.game.apply(request.default())
        imagine_on(ahead, chancer)
    return asked


def _ending(winner: str | None, clause: str, reason: str, share: float) -> str:
    """An end of the game that orders may bring, and in how many of the futures."""
    return (
        f"the game ends in {share:.0%} of the futures, {f'won by {winner}' if winner else 'drawn'}: {reason} [{clause}]"
    )


def _remarks(table: Table, side: str, due: Due, parts: list[tuple[int, Part]]) -> list[str]:
    request = due.request
    if request is None or request.reaction:
        return []
    closing = (table.rules.CLOSING,)
    if request.why_not(table.rules.read_order(table.board, side, closing)) is not None:
        return []  # the phase ends by itself when all is in its place
    if not any(isinstance(part, Act) and part.words == closing for _, part in parts):
        return [f"there is no `{closing[0]};`: unless the phase ends by itself, the next decision in it is yours again"]
    return []
