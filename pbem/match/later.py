"""Orders for a phase to come, judged as far as that can be: words, kinds, sides and names, wherever units stand."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

from pbem.errors import AmbiguousOrder, IllegalOrder, MalformedOrder, OrderError, Refusal
from pbem.match.ahead import why_nowhere
from pbem.match.chances import Steady
from pbem.match.check import check
from pbem.match.faults import ERRORS_MAX, line_of, spent_twice, wrong_standing
from pbem.match.orders import TO, Act, Condition, Part, Plan, read_parts, short_phase
from pbem.match.phases import phases_of
from pbem.match.table import Table
from pbem.match.typed import typed
from pbem.match.way import asked_in
from pbem.rules.requests import Choose, Order, Words
from pbem.wire.orderfile import as_typed, lines_of
from pbem.wire.statements import Statement

__all__ = ["TRIES", "asked_then", "never"]

TRIES = 3
"""So many futures are looked at to find whether a player is asked in a phase to come."""

Judge: TypeAlias = Callable[[str, Order], Refusal | None]
"""Why an order can't be given in a phase, by its id."""


def asked_then(table: Table, name: str, turn: int, phase: str) -> Table | None:
    """How it stands when a player is asked for orders in a phase to come, by its id, if nobody gives others than wait.

    None where he is asked in none of `TRIES` futures.
    """
    side = table.genesis.player(name).side
    found = (asked_in(table, side, turn, phase, Steady(number)) for number in range(TRIES))
    return next((there for there in found if there is not None), None)


def never(table: Table, name: str, phase: str, text: str, *, due: bool, turn: int = 0) -> list[OrderError]:
    """Why orders can't be sent in a phase of a player's, by its id, whatever comes before; none where they may be.

    Of a phase that is `due` now all is judged that stands before the first dice. Of one of a later `turn` than it is,
    what bars them now may be over by then: it counts where it would bar them then, too, as far as `asked_then` tells.
    """
    if due:
        errors = check(table, name, text, runs=0).errors
        return list(_once((error.what.partition("`: ")[2] or error.what, error) for error in errors))
    side = table.genesis.player(name).side
    statements, unreadable = typed(table.rules, table.board, text)
    later = _Later(table, side)
    _, errors = read_parts(table.rules, table.board, side, statements, ERRORS_MAX, later)
    found = [*unreadable, *errors]
    wrong = [*_all_wrong(table, side, phase, later.parts, _judge(table, name, turn, phase))]
    parts = [(line, part) for line, _, part in later.parts]
    found += [*_once(wrong), *spent_twice(table, side, parts, (error for _, error in wrong))]
    found += wrong_standing(table, parts)
    lines = lines_of(text) if found else []
    for error in found:
        error.what = as_typed(error.what, lines, line_of(error))
    return sorted(found, key=line_of)


def _judge(table: Table, name: str, turn: int, phase: str) -> Judge:
    """What tells why an order can't be given in a phase of a turn to come, 0 for the one that it is."""
    side, rules = table.genesis.player(name).side, table.rules
    later = turn > rules.clock(table.game.state)[0]
    then = asked_then(table, name, turn, phase) if later else None

    def of_one(phase: str, order: Order) -> Refusal | None:
        why = rules.why_never(table.game.state, side, phase, order)
        if why is None or why.elsewhere or not later:
            return why
        return rules.why_never(then.game.state, side, phase, order) if then is not None else None

    def judge(asked: str, order: Order) -> Refusal | None:
        why = of_one(asked, order)
        if asked != phase or why is None or not why.elsewhere:
            return why
        behind = [of_one(found, order) for found in _behind(table, name, turn, phase, order)]
        refusals = [refusal for refusal in behind if refusal is not None]
        return why if not behind else min(refusals, key=_elsewhere) if len(refusals) == len(behind) else None

    return judge


def _elsewhere(refusal: Refusal) -> bool:
    """Whether it is refused as it isn't given in that phase at all."""
    return refusal.elsewhere


def _behind(table: Table, name: str, turn: int, phase: str, order: Order) -> list[str]:
    """The ids of the phases behind one to come in which an order may stand that is sent in it, of a later step of it.

    None where a decision in it has no such steps, as far as `asked_then` tells.
    """
    side, ids = table.genesis.player(name).side, [found["id"] for found in phases_of(table)]
    there = asked_then(table, name, turn or table.rules.clock(table.game.state)[0], phase)
    asked = there.game.request if there is not None else None
    if not isinstance(asked, Choose) or asked.ends is None or table.rules.step(order) <= asked.ends.step:
        return []
    mine = {found["id"] for found in phases_of(table) if found["side"] in (side, None)}
    return [found for found in ids[ids.index(phase) + 1 :] if found in mine]


def _all_wrong(
    table: Table, side: str, phase: str, parts: Iterable[tuple[int, Statement, Part]], judge: Judge
) -> Iterator[tuple[str, OrderError]]:
    """Each part that can't be used in a phase: why not, and the error."""
    for line, statement, part in parts:
        words = str(statement).removesuffix(";")
        if (error := _wrong(table, side, phase, words, part, judge)) is not None:
            yield error.what.removeprefix(f"`{words}`"), error.inside(f"line {line}")


def _once(wrong: Iterable[tuple[str, OrderError]]) -> Iterator[OrderError]:
    """The first of the errors that say the same of several parts, with how many more it is so of."""
    alike: dict[str, list[OrderError]] = {}
    for why, error in wrong:
        alike.setdefault(why, []).append(error)
    for first, *others in alike.values():
        first.what += f"; the same is so of {len(others)} more" if others else ""
        yield first


class _Later:
    """Reads orders where no way is known: of one with `to` unit and place alone."""

    def __init__(self, table: Table, side: str) -> None:
        self.table, self.side = table, side
        self.parts: list[tuple[int, Statement, Part]] = []

    def read(self, words: Words, _: str, __: tuple[Condition, ...], /) -> Order:
        """An order, with `to` as far as it is known without a position. Raises OrderError."""
        rules, board = self.table.rules, self.table.board
        try:
            return rules.read_order(board, self.side, words)
        except (AmbiguousOrder, MalformedOrder):
            if (error := why_nowhere(self.table, self.side, words)) is not None:
                raise error from None
            if TO not in words[2:-1]:
                raise
        return rules.toward(board, self.side, words)

    def follow(self, line: int, statement: Statement, part: Part, /) -> None:
        """Keep what was read; nothing is carried out."""
        self.parts.append((line, statement, part))


def _wrong(table: Table, side: str, phase: str, words: str, part: Part, judge: Judge) -> OrderError | None:
    """Why a part can't be used in a phase, or a plan in it for another one; None where it may be."""
    if isinstance(part, Plan):
        ids = [found["id"] for found in phases_of(table)]
        later = {short_phase(side, found): found for found in ids[ids.index(phase) + 1 :]}
        planned = later.get(short_phase(side, part.phase))
        if planned is None:
            what = f"`in {part.phase}:` names no phase of mine that comes later in that {table.rules.TURN}"
            return MalformedOrder(what)
        return _wrong(table, side, planned, words, part.part, judge)
    if not isinstance(part, Act):
        return None
    why = judge(phase, part.order)
    return IllegalOrder(f"`{words}`: {why.reason}", clause=why.clause) if why is not None else None
