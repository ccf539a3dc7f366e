"""Orders that lapse behind the dice: whether that is certain, what is said then, on which wrong line it may hang."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from pbem.errors import IllegalOrder, OrderError
from pbem.match.faults import line_of
from pbem.match.futures import SURE, Futures
from pbem.match.illegal import is_told, refusal
from pbem.match.orders import Act, Part, Plan, statement_of
from pbem.match.prospects import Lapse
from pbem.match.table import Table
from pbem.records import NamedTuple
from pbem.wire.statements import Statement

__all__ = ["all_certain", "as_ruled", "beyond_dice", "is_certain", "is_forbidden"]


def beyond_dice(
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
        if is_told(lapse, parts, told) or (wrong and _is_planned(parts, lapse)):
            continue
        if is_certain(lapse, beyond.played):
            certain.append(_certain(lapse, beyond.played, wrong))
        elif not wrong:
            lapses.append(lapse)
    return lapses, certain


def is_certain(lapse: Lapse, played: int) -> bool:
    """Whether an order, or a part of it, lapses whatever the dice, and whatever the other player decides."""
    return lapse.share == 1 and played >= SURE and not lapse.idle


def is_forbidden(table: Table, side: str, parts: list[tuple[int, Part]], lapse: Lapse) -> bool:
    """Whether an order lapses for what forbids it in any position, however few futures show it."""
    here = [part for line, part in parts if line == lapse.line and isinstance(part, Act)]
    state, phase = table.game.state, table.rules.clock(table.game.state)[1]
    refusals = [table.rules.why_never(state, side, phase, act.order) for act in here]
    return any(refusal is not None and refusal.reason == lapse.reason for refusal in refusals)


def _certain(lapse: Lapse, played: int, wrong: Sequence[int] = ()) -> IllegalOrder:
    """The error of an order that lapses whatever the dice, or would go on without a part of it.

    It may come right with the `wrong` lines before it. A part that is always refused alike is told as before the dice.
    """
    then = f"would go on without {lapse.without}" if lapse.without else "lapses"
    less = f" without line{'s' * (len(wrong) > 1)} {', '.join(map(str, wrong))}" if wrong else ""
    why = f"{', as in' if lapse.reasons > 1 else ''}: {lapse.reason}"
    what = f"`{' '.join(lapse.words)}` {then} in every one of {played} futures{less}{why}"
    what = refusal(lapse) if lapse.without and lapse.reasons == 1 and not wrong else what
    leave = f"see to {lapse.without}, or leave this out" if lapse.without.startswith("a ") else ""
    leave = leave or f"leave {lapse.without or 'it'} out"
    mend = "" if ": " in lapse.reason else leave  # else the reason says what to do
    hint = f"mend {'those' if len(wrong) > 1 else 'that'} first" if wrong else mend
    return IllegalOrder(what, f"line {lapse.line}", hint, lapse.clause)


def all_certain(
    statements: list[tuple[int, Statement]], parts: list[tuple[int, Part]], certain: Sequence[Lapse], played: int
) -> Iterator[IllegalOrder]:
    """The errors of orders that lapse whatever the dice; one may hang on one before it that would come short."""
    hangs = _hanging_on(statements, parts, {lapse.line for lapse in certain if lapse.without})
    for lapse in certain:
        error = _certain(lapse, played)
        error.hint = f"mend line {first[-1]} first" if (first := hangs(lapse)) else error.hint
        yield error


def as_ruled(
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
