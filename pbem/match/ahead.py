"""The position behind orders that aren't signed yet, as far as no dice are needed; by it `to HEX` becomes a way."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress

from pbem.errors import AmbiguousOrder, IllegalOrder, MalformedOrder
from pbem.match.game import Game
from pbem.match.orders import TO, Act, Condition, Part, Say, Strict, read_for, statement_of
from pbem.match.phases import why_not_later, why_not_planned
from pbem.match.table import Table
from pbem.match.way import asked_behind
from pbem.records import NamedTuple
from pbem.rules.requests import Choose, Draw, Order, Request, Roll, Words
from pbem.wire.statements import Statement

__all__ = ["Ahead", "Reading", "why_nowhere"]

BETWEEN = 100
"""So many dice and decisions at most are looked through up to the next decision of a side."""


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
        self._other = next(player.side for player in table.genesis.players if player.side != side)
        self._game: Game | None = None
        self._parts: list[tuple[int, Part]] = []
        self._futures: dict[tuple[int, int], list[Game]] = {}
        """How many parts, and the step of what is read behind them -> how it stands there in futures."""
        self._done: list[tuple[int, Act]] = []
        """The orders that were carried out, each with its line."""
        self._dice = 0
        """The line of the first order that needs dice."""
        self._open = False
        """Whether dice, or the other side, come between the orders so far and the next, whatever they bring."""
        self._best: Game | None = None
        """The position behind the orders with dice too, as these are at their best; None where there is none."""
        self._rolled: set[str] = set()
        """What the orders with dice name that are carried out there."""
        self._note = ""
        self._met: Request | None = None
        """What the newest order led to that was tried."""

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
        self._note = "from where the dice of the lines before it lead at best" if self._moved(written) else before
        return found

    def _before_dice(self, words: Words, written: Words) -> str:
        """By which position a way was found behind dice, and what another it would be where these are at their best."""
        told = f"by the position before the dice of line {self._dice}"
        found = None
        with suppress(AmbiguousOrder, MalformedOrder, IllegalOrder):
            found = self._meant(self._best, words) if self._best is not None else None
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
        if self._game is not None:
            self._go(line, part)

    def _way(self, words: Words, tests: tuple[Condition, ...]) -> Order | None:
        if self._game is None:
            self._game = self._table.game.fork()
            for line, part in self._parts:
                self._go(line, part)
        game, aim = self._game, None
        if TO in words[2:-1]:
            with suppress(AmbiguousOrder, MalformedOrder):
                aim = self.rules.toward(self.board, self.side, words)
                self._pass(self.rules.step(aim))
                game = self._game
                if self._best is not None and self._moved(self.rules.order_words(self.board, aim)):
                    game = self._best
        try:
            if aim is None or not (self._dice or self._open):
                return self._meant(game, words)
            return self._behind_dice(game, words, aim, tests)
        except IllegalOrder as error:
            if aim is not None and (gone := self._gone_behind(aim)):
                reason = error.what.partition("`: ")[2].removeprefix(STANDS).partition(NOWHERE)[0]
                error.what = f"`{' '.join(words)}`: behind {gone} {reason}"
            raise

    def _gone_behind(self, aim: Order) -> str:
        """The order carried out before by which a unit of another one is no more on the map, in words; "" for none."""
        assert self._game is not None  # noqa: S101
        before, now = (
            {unit["id"] for unit in self.rules.situation(game.state)["units"] if unit.get("at")}
            for game in (self._table.game, self._game)
        )
        gone = next((word for word in self.rules.order_words(self.board, aim)[1:] if word in before - now), "")
        done = [f"`{' '.join(act.words)}` of line {line}" for line, act in self._done if gone in act.words]
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
        if game is self._best and isinstance(request, Choose) and self._holds_in(game, tests):
            before = [part.order for _, part in self._parts if isinstance(part, Act)]
            with suppress(IllegalOrder):
                found = self.rules.onward(game.state, request, words, before)
        if found is not None:
            self._note = "from wherever on that way the dice of the lines before it lead"
        return found

    def _holds_in(self, game: Game, tests: tuple[Condition, ...]) -> bool:
        """Whether conditions hold in a position."""
        return all(self.rules.test(game.state, test.words) == test.expected for test in tests)

    def _serves(self, game: Game, found: Order, aim: Order, tests: tuple[Condition, ...]) -> bool:
        """Whether the order found in a position is for it: its conditions hold there, and it isn't there already."""
        if not self._holds_in(game, tests):
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

    def _moved(self, words: Words) -> bool:
        """Whether a unit that an order names stands elsewhere where dice of orders that named it are at their best."""
        named = [word for word in words if word in self._rolled and word in self.rules.of_side(self.board)[self.side]]
        if self._best is None or self._game is None or not named:
            return False
        places = [
            {unit["id"]: unit.get("at") for unit in self.rules.situation(game.state)["units"] if unit["id"] in named}
            for game in (self._game, self._best)
        ]
        return places[0] != places[1]

    def _go(self, line: int, part: Part) -> None:
        """Carry an order out if it needs no dice and leaves the next decision to the same side."""
        assert self._game is not None  # noqa: S101 made by the first way that was asked for
        if not isinstance(part, Act) or not isinstance(self._game.request, Choose) or not self._holds(part.tests):
            return
        self._pass(self.rules.step(part.order))
        if self._game.request.why_not(part.order) is not None:
            return
        if self._best is not None:
            self._at_best(part.order)
        if self._apply(part.order):
            self._done.append((line, part))
        elif not isinstance(self._met, Choose) and self._met is not None:
            self._dice = self._dice or line
            if self._best is None:
                self._best = self._game.fork()
                self._at_best(part.order)
            self._rolled.update(part.words)

    def _at_best(self, order: Order) -> None:
        """Carry an order out where the dice are at their best, if it is legal there and its side is asked behind it."""
        assert self._best is not None  # noqa: S101
        if isinstance(asked := self._best.request, Choose) and asked.why_not(order) is None:
            ahead = self._best.fork()
            ahead.apply(order, legal=True)
            self._best = self._asked_again(ahead, asked.window) or self._best

    def _pass(self, step: int) -> None:
        """End the steps before this one, as far as that needs no dice (requests.StepEnd)."""
        assert self._game is not None  # noqa: S101
        request = self._game.request
        while isinstance(request, Choose) and request.ends is not None and step > request.ends.step:
            if request.ends.begun or not self._apply(request.ends.order):
                return
            request = self._game.request

    def _apply(self, order: Order) -> bool:
        """Carry a legal order out; False, and nothing done, when it needs dice, or the side isn't asked again.

        What comes between its end and the next decision of the side is none of it: dice for the initiative, the other
        side's choice.
        """
        assert self._game is not None  # noqa: S101
        request, before = self._game.request, self._game.fork()
        self._game.apply(order, legal=True)
        self._met = self._game.request
        window = request.window if isinstance(request, Choose) else ""
        if self._asks(self._met, window):
            return True
        if self._game.begun_by is None and (again := self._asked_again(self._game, window)) is not None:
            self._game, self._open = again, True
            return True
        self._game = before
        return False

    def _asks(self, request: Request | None, window: str) -> bool:
        """Whether a request is the next decision of the side in a window."""
        return isinstance(request, Choose) and (request.side, request.window) == (self.side, window)

    def _asked_again(self, game: Game, window: str) -> Game | None:
        """A game at the next decision of the side in a window, if nobody else does anything and dice are at their best;
        None where none comes."""
        for _ in range(BETWEEN):
            request = game.request
            if request is None or self._asks(request, window):
                return game if request is not None else None
            if isinstance(request, Roll | Draw):
                game.apply(self.rules.worst(game.state, request, self._other))
            elif request.reaction:
                if request.default is None:
                    return None
                game.apply(request.default())
            elif request.side == self.side or (closing := self._closing(request)) is None:
                return None
            else:
                game.apply(closing, legal=True)
        return None

    def _closing(self, request: Choose) -> Order | None:
        """The order by which the side that is asked does nothing more; None where it has to do something."""
        closing = self.rules.read_order(self.board, request.side, (self.rules.CLOSING,))
        orders = [*([request.ends.order] if request.ends is not None else []), closing]
        return next((order for order in orders if request.why_not(order) is None), None)

    def _holds(self, tests: tuple[Condition, ...]) -> bool:
        """Whether an order's conditions hold for sure."""
        assert self._game is not None  # noqa: S101
        return not tests or (not (self._dice or self._open) and self._holds_in(self._game, tests))
