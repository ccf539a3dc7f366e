"""What is wrong with orders that nobody needs to play out: too many, of the wrong kind; errors by their lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pbem.errors import IllegalOrder, MalformedOrder, OrderError
from pbem.match.limits import why_too_large
from pbem.match.orders import Part, Plan, Standing, order_of, short_phase, statement_of, why_not_in_react
from pbem.match.table import Table
from pbem.wire.entry import ENTRY_MAX

__all__ = [
    "ERRORS_MAX", "first_of", "line_of", "none_asked", "not_in_react", "spent_twice", "too_large",
    "wrong_standing",
]  # fmt: skip

ERRORS_MAX = 100
"""Errors after which no more orders are read: for each the nearest right word is sought."""

HEADER_MAX = 540
"""Bytes of the longest header; of ten statements."""


def line_of(error: OrderError) -> int:
    """The line of an order file that an error names; 0 for none."""
    digits = "".join(c if c.isdigit() else " " for c in error.where).split()
    return int(digits[0]) if digits else 0


def first_of(errors: Iterable[OrderError]) -> list[OrderError]:
    """The errors in the order of their lines; of very many the first, and behind them how many there are."""
    found = sorted(errors, key=line_of)
    more = len(found) - ERRORS_MAX
    if more <= 1:
        return found
    what = f"too many errors; {more:,} more are left out"
    return [*found[:ERRORS_MAX], OrderError(what, found[ERRORS_MAX].where, "mend the first ones, then try again")]


def none_asked(bare: str) -> OrderError:
    """The error of orders where only a `begin` or a `reveal` is due."""
    return OrderError(
        f"only a {bare} is due, no orders are asked", "", "`pbem send -o turn.eml`, without any, sends it"
    )


def not_in_react(parts: list[tuple[int, Part]]) -> list[OrderError]:
    """The parts that no react may hold."""
    refusals = ((line, why_not_in_react(part)) for line, part in parts)
    return [MalformedOrder(refusal, f"line {line}", "take it out") for line, refusal in refusals if refusal]


def too_large(parts: list[tuple[int, Part]]) -> list[OrderError]:
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


def spent_twice(
    table: Table, side: str, parts: Iterable[tuple[int, Part]], found: Iterable[OrderError]
) -> list[IllegalOrder]:
    """The errors of orders that take what another one of their phase has taken, and there is once a turn.

    One on a line that was `found` wrong takes nothing. Of orders with conditions these may choose.
    """
    refused = {line_of(error) for error in found}
    spent: dict[str, dict[str, tuple[int, str]]] = {}
    wrong: list[IllegalOrder] = []
    for number, part in parts:
        act = order_of(part)
        if act is None or act.tests:
            continue
        words, phase = " ".join(act.words), short_phase(side, part.phase) if isinstance(part, Plan) else ""
        takes, taken = table.rules.spends(table.board, act.order), spent.setdefault(phase, {})
        if (twice := next((what for what in takes if what in taken), None)) is None:
            taken.update(dict.fromkeys(takes if number not in refused else (), (number, words)))
            continue
        (line, other), why = taken[twice], takes[twice]
        what = f"`{words}`, behind `{other}` of line {line}: {why.reason}"
        hint = "leave one of them out, or let conditions choose between them"
        wrong.append(IllegalOrder(what, f"line {number}", hint, why.clause))
    return wrong
