"""The position behind orders that aren't signed yet, as far as no dice are needed; by it `to HEX` becomes a way."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress

from pbem.errors import AmbiguousOrder, IllegalOrder, MalformedOrder
from pbem.match.carried import Carried
from pbem.match.game import Game
from pbem.match.orders import TO, Act, Condition, Part, Say, Strict, read_for, statement_of
from pbem.match.phases import why_not_later, why_not_planned
from pbem.match.table import Table
from pbem.match.way import asked_behind
from pbem.records import NamedTuple
from pbem.rules.requests import Choose, Order, Words
from pbem.wire.statements import Statement

__all__ = ["Ahead", "Reading", "why_nowhere"]

TRIES = 20
"""So many futures are looked at for a way that isn't there as things stand, or at best."""

MOST_LOOKED = 20
"""Behind so many lines at most."""

STANDS, NOWHERE = "as things stand ", ", and in none"
"""How a reason is told that may change, and that it does so in no future."""


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


def why_nowhere(table: Table, side: str, words: Words) -> MalformedOrder | None:
    """Why an order with `to` as its last word leads nowhere; None for one that has a place, or has none so written."""
    if words[-1:] != (TO,) or len(words) < 3:
        return None
    there = next((unit["at"] for unit in table.rules.situation(table.game.state)["units"] if unit.get("at")), "")
    with suppress(AmbiguousOrder, MalformedOrder):
        table.rules.toward(table.board, side, (*words, there))
        said = " ".join(words)
        return MalformedOrder(f"`{said}`: no place stands behind `{TO}`", hint=f"write `{said} PLACE`")
    return None


class Ahead:
    """Reads a side's orders one after another, each at the position that those before it leave.

    Left out of it are orders that need dice, those behind them that hang on a condition, and illegal ones. Who was
    ordered with dice before is taken to be where they lead at their best. No game is played before the first order that
    asks for a way.
    """

    def __init__(self, table: Table, side: str) -> None:
        self.rules, self.board, self.side = table.rules, table.board, side
        self.readings: list[Reading] = []
        self._table = table
        self._carried: Carried | None = None
        """The position behind what was followed; None before the first way that was asked for."""
        self._parts: list[tuple[int, Part]] = []
        self._futures: dict[tuple[int, int], list[Game]] = {}
        """How many parts, and the step of what is read behind them -> how it stands there in futures."""
        self._note = ""

    def read(self, words: Words, phase: str = "", tests: tuple[Condition, ...] = ()) -> Order:
        """The order that words mean here, or in the phase for which it is planned, behind conditions.

        Raises OrderError.
        """
        self._note = ""
        if phase:
            return self._planned(words, phase)
        try:
            return self.rules.read_order(self.board, self.side, words)
        except (AmbiguousOrder, MalformedOrder):
            if (error := why_nowhere(self._table, self.side, words)) is not None:
                raise error from None
            found = self._way(words, tests)
            if found is None:
                raise
        if self._note:
            return found
        written = self.rules.order_words(self.board, found)
        way = next((self.rules.WAYS[word] for word in written if word in self.rules.WAYS), "")
        between = any(word not in words for word in written[2:-1])
        before = self._before_dice(words, written) if self._dice else way if between else ""
        self._note = (
            "from where the dice of the lines before it lead at best" if self.carried().moved(written) else before
        )
        return found

    def _before_dice(self, words: Words, written: Words) -> str:
        """By which position a way was found behind dice, and what another it would be where these are at their best."""
        told, best, found = f"by the position before the dice of line {self._dice}", self.carried().best, None
        with suppress(AmbiguousOrder, MalformedOrder, IllegalOrder):
            found = self._meant(best, words) if best is not None else None
        other = self.rules.order_words(self.board, found) if found is not None else written
        return told if other == written else f"{told}; where these are at their best it would be `{' '.join(other)}`"

    def _planned(self, words: Words, phase: str) -> Order:
        """An order of a plan; of one with `to` it is said first why its phase never comes or never has it."""
        if (error := why_nowhere(self._table, self.side, words)) is not None:
            raise error
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
        self._parts.append((line, part))
        if self._carried is not None:
            self._carried.go(line, part)

    def carried(self) -> Carried:
        """The position behind the parts followed so far."""
        if self._carried is None:
            self._carried = Carried(self._table, self.side)
            for line, part in self._parts:
                self._carried.go(line, part)
        return self._carried

    @property
    def _dice(self) -> int:
        """The line of the first order that needs dice, as far as anybody has looked; 0 for none."""
        return self._carried.dice if self._carried is not None else 0

    def _way(self, words: Words, tests: tuple[Condition, ...]) -> Order | None:
        carried = self.carried()
        game, aim = carried.game, None
        if TO in words[2:-1]:
            with suppress(AmbiguousOrder, MalformedOrder):
                aim = self.rules.toward(self.board, self.side, words)
                carried.end_steps(self.rules.step(aim))
                game = carried.game
                if carried.best is not None and carried.moved(self.rules.order_words(self.board, aim)):
                    game = carried.best
        try:
            if aim is None or not (carried.dice or carried.open):
                return self._meant(game, words)
            return self._behind_dice(game, words, aim, tests)
        except IllegalOrder as error:
            if aim is not None and (gone := self._gone_behind(aim)):
                reason = error.what.partition("`: ")[2].removeprefix(STANDS).partition(NOWHERE)[0]
                error.what = f"`{' '.join(words)}`: behind {gone} {reason}"
            raise

    def _gone_behind(self, aim: Order) -> str:
        """The order carried out before by which a unit of another one is no more on the map, in words; "" for none."""
        before, now = (
            {unit["id"] for unit in self.rules.situation(game.state)["units"] if unit.get("at")}
            for game in (self._table.game, self.carried().game)
        )
        gone = next((word for word in self.rules.order_words(self.board, aim)[1:] if word in before - now), "")
        done = [f"`{' '.join(act.words)}` of line {line}" for line, act in self.carried().done if gone in act.words]
        return done[-1] if done else ""

    def _behind_dice(self, game: Game, words: Words, aim: Order, tests: tuple[Condition, ...]) -> Order | None:
        """The order that words mean in a position that may be another by then, or else in futures.

        Raises IllegalOrder with how things stand where it has no way in either.
        """
        if (onward := self._onward(game, words, tests)) is not None:
            return onward
        try:
            found = self._meant(game, words)
        except IllegalOrder as error:
            if (other := self._in_futures(words, aim, tests)) is not None:
                return other
            looked = len(self._futures.get((len(self._parts), self.rules.step(aim)), ()))
            error.what = error.what.replace("`: ", f"`: {STANDS}", 1)
            error.what += f"{NOWHERE} of {looked} futures played out a way leads there" * bool(looked)
            raise
        if found is not None and not self._serves(game, found, aim, tests):
            found = self._in_futures(words, aim, tests) or found
        return found

    def _meant(self, game: Game, words: Words) -> Order | None:
        """The order that words mean where a side is asked; None where it isn't, or for words of no such order."""
        request = game.request
        return self.rules.way(game.state, request, words) if isinstance(request, Choose) else None

    def _onward(self, game: Game, words: Words, tests: tuple[Condition, ...]) -> Order | None:
        """The order that words mean wherever the dice before it leave its units; None where there is no such order."""
        request, found = game.request, None
        if game is self.carried().best and isinstance(request, Choose) and self.carried().holds_in(game, tests):
            before = [part.order for _, part in self._parts if isinstance(part, Act)]
            with suppress(IllegalOrder):
                found = self.rules.onward(game.state, request, words, before)
        if found is not None:
            self._note = "from wherever on that way the dice of the lines before it lead"
        return found

    def _serves(self, game: Game, found: Order, aim: Order, tests: tuple[Condition, ...]) -> bool:
        """Whether the order found in a position is for it: its conditions hold there, and it isn't there already."""
        if not self.carried().holds_in(game, tests):
            return False
        written = self.rules.order_words(self.board, found)
        wanted = self.rules.order_words(self.board, aim) if written[0] in self.rules.WAYS else ()
        return all(word in written for word in wanted)

    def _in_futures(self, words: Words, aim: Order, tests: tuple[Condition, ...]) -> Order | None:
        """The order that words mean in most of the futures of the lines before them where they serve; None for none."""
        step, key = self.rules.step(aim), (len(self._parts), self.rules.step(aim))
        if key not in self._futures and len(self._futures) < MOST_LOOKED:
            self._futures[key] = [*asked_behind(self._table, self.side, self._parts, step, TRIES)]
        often: Counter[Words] = Counter()
        for game in self._futures.get(key, ()):
            with suppress(IllegalOrder):
                found = self._meant(game, words)
                if found is not None and self._serves(game, found, aim, tests):
                    often[self.rules.order_words(self.board, found)] += 1
        if not often:
            return None
        (most, times) = often.most_common(1)[0]
        behind = f" behind the dice of line {self._dice}" if self._dice else ""
        self._note = f"the way there in {times} of {TRIES} futures{behind}"
        return self.rules.read_order(self.board, self.side, most)
