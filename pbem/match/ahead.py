"""The position behind orders that aren't signed yet, as far as no dice are needed; by it `to HEX` becomes a way."""

from __future__ import annotations

from contextlib import suppress
from typing import NamedTuple

from pbem.errors import AmbiguousOrder, IllegalOrder, MalformedOrder
from pbem.match.game import Game
from pbem.match.orders import TO, Act, Condition, Part, Say, Strict, read_for, statement_of
from pbem.match.phases import why_not_later, why_not_planned
from pbem.match.table import Table
from pbem.rules.requests import Choose, Order, Request, Words
from pbem.wire.statements import Statement

__all__ = ["Ahead", "Reading"]


class Reading(NamedTuple):
    """How a statement was read that isn't written as it will be signed: its line, the words to be signed, a note."""

    line: int
    words: Words
    note: str

    def __str__(self) -> str:
        return f"line {self.line} is read as `{' '.join(self.words)}`" + (f", {self.note}" if self.note else "")


def _without_to(statement: Statement) -> Words:
    """The words of a statement but `to`: before a single hex it tells nothing."""
    return tuple(word for word in (statement.keyword, *statement.tokens) if word != "to")


class Ahead:
    """Reads a side's orders one after another, each at the position that those before it leave.

    Left out of it are orders that need dice, those behind them that hang on a condition, and illegal ones. No game is
    played before the first order that asks for a way.
    """

    def __init__(self, table: Table, side: str) -> None:
        self.rules, self.board, self.side = table.rules, table.board, side
        self.readings: list[Reading] = []
        self._table = table
        self._game: Game | None = None
        self._before: list[tuple[int, Part]] = []
        self._dice = 0
        """The line of the first order that needs dice."""
        self._note = ""
        self._met: Request | None = None
        """What the newest order led to that was tried."""

    def read(self, words: Words, phase: str = "") -> Order:
        """The order that words mean here, or in the phase for which it is planned. Raises OrderError."""
        self._note = ""
        if phase:
            return self._planned(words, phase)
        try:
            return self.rules.read_order(self.board, self.side, words)
        except (AmbiguousOrder, MalformedOrder):
            found = self._way(words)
            if found is None:
                raise
        written = self.rules.order_words(self.board, found)
        way = next((self.rules.WAYS[word] for word in written if word in self.rules.WAYS), "")
        between = any(word not in words for word in written[2:-1])
        self._note = f"by the position before the dice of line {self._dice}" if self._dice else way if between else ""
        return found

    def _planned(self, words: Words, phase: str) -> Order:
        """An order of a plan; of one with `to` it is said first why its phase never comes or never has it."""
        if TO in words[2:-1]:
            if (error := why_not_later(self._table, self.side, phase)) is not None:
                raise error
            with suppress(AmbiguousOrder, MalformedOrder):
                order = self.rules.toward(self.board, self.side, words)
                if (why := why_not_planned(self._table, self.side, phase, order)) is not None:
                    raise IllegalOrder(f"`in {phase}: {' '.join(words)}`: {why.reason}", clause=why.clause)
        return read_for(self.rules, self.board, self.side, words, phase)

    def follow(self, line: int, statement: Statement, part: Part) -> None:
        """Go on behind a part that was read from a statement."""
        written = statement_of(part)
        if _without_to(written) != _without_to(statement) and not isinstance(part, Say | Strict):
            self.readings.append(Reading(line, (written.keyword, *written.tokens), self._note))
        self._note = ""
        if self._game is None:
            self._before.append((line, part))
        else:
            self._go(line, part)

    def _way(self, words: Words) -> Order | None:
        if self._game is None:
            self._game = self._table.game.fork()
            for line, part in self._before:
                self._go(line, part)
        if TO in words[2:-1]:
            with suppress(AmbiguousOrder, MalformedOrder):
                self._pass(self.rules.step(self.rules.toward(self.board, self.side, words)))
        request = self._game.request
        return self.rules.way(self._game.state, request, words) if isinstance(request, Choose) else None

    def _go(self, line: int, part: Part) -> None:
        """Carry an order out if it needs no dice and leaves the next decision to the same side."""
        assert self._game is not None  # noqa: S101 made by the first way that was asked for
        if not isinstance(part, Act) or not isinstance(self._game.request, Choose) or not self._holds(part.tests):
            return
        self._pass(self.rules.step(part.order))
        if self._game.request.why_not(part.order) is None and not self._apply(part.order):
            self._dice = self._dice or (0 if isinstance(self._met, Choose) or self._met is None else line)

    def _pass(self, step: int) -> None:
        """End the steps before this one, as far as that needs no dice (requests.StepEnd)."""
        assert self._game is not None  # noqa: S101
        request = self._game.request
        while isinstance(request, Choose) and request.ends is not None and step > request.ends.step:
            if request.ends.begun or not self._apply(request.ends.order):
                return
            request = self._game.request

    def _apply(self, order: Order) -> bool:
        """Carry a legal order out; False, and nothing done, when it does not leave the next decision to the side."""
        assert self._game is not None  # noqa: S101
        request, before = self._game.request, self._game.fork()
        self._game.apply(order, legal=True)
        self._met = self._game.request
        window = request.window if isinstance(request, Choose) else ""
        if isinstance(self._met, Choose) and (self._met.side, self._met.window) == (self.side, window):
            return True
        self._game = before
        return False

    def _holds(self, tests: tuple[Condition, ...]) -> bool:
        """Whether an order's conditions hold for sure."""
        assert self._game is not None  # noqa: S101
        state = self._game.state
        return not tests or (
            not self._dice and all(self.rules.test(state, test.words) == test.expected for test in tests)
        )
