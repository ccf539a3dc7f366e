"""The position behind orders that are not signed yet: as far as no dice are needed, and with dice at their best."""

from __future__ import annotations

from pbem.match.game import Game
from pbem.match.orders import Act, Condition, Part
from pbem.match.table import Table
from pbem.rules.requests import Choose, Draw, Order, Request, Roll, Words

__all__ = ["Carried"]

BETWEEN = 100
"""So many dice and decisions at most are looked through up to the next decision of a side."""


class Carried:
    """Carries a side's orders out one after another, each at the position that those before it leave.

    Left out of it are orders that need dice, those behind them that hang on a condition, and illegal ones. Who was
    ordered with dice before is taken to be where they lead at their best. What is here is to be read only.
    """

    def __init__(self, table: Table, side: str) -> None:
        self.rules, self.board, self.side = table.rules, table.board, side
        self.game = table.game.fork()
        """The position; its side is asked there, if it was at the table."""
        self.done: list[tuple[int, Act]] = []
        """The orders that were carried out, each with its line."""
        self.dice = 0
        """The line of the first order that needs dice."""
        self.open = False
        """Whether dice, or the other side, come between the orders so far and the next, whatever they bring."""
        self.best: Game | None = None
        """The position behind the orders with dice too, as these are at their best; None where there is none."""
        self.rolled: set[str] = set()
        """What the orders with dice name that are carried out there."""
        self.spent: set[str] = set()
        """What orders with dice name that can't be carried out there, or behind which nothing is asked any more."""
        self.over = False
        """Whether what is asked ends by itself with one of the orders, so that none is asked behind it."""
        self._other = next(player.side for player in table.genesis.players if player.side != side)
        self._met: Request | None = None

    def holds_in(self, game: Game, tests: tuple[Condition, ...]) -> bool:
        """Whether conditions hold in a position."""
        return all(self.rules.test(game.state, test.words) == test.expected for test in tests)

    def moved(self, words: Words) -> bool:
        """Whether a unit that an order names stands elsewhere where dice of orders that named it are at their best."""
        named = [word for word in words if word in self.rolled and word in self.rules.of_side(self.board)[self.side]]
        if self.best is None or not named:
            return False
        places = [
            {unit["id"]: unit.get("at") for unit in self.rules.situation(game.state)["units"] if unit["id"] in named}
            for game in (self.game, self.best)
        ]
        return places[0] != places[1]

    def go(self, line: int, part: Part) -> bool:
        """Carry an order out if it needs no dice and leaves the next decision to the same side; whether it has dice."""
        if not isinstance(part, Act) or not isinstance(self.game.request, Choose) or not self._holds(part.tests):
            return False
        self.end_steps(self.rules.step(part.order))
        if self.game.request.why_not(part.order) is not None:
            return False
        followed = self.best is not None and self._at_best(part.order)
        if self._apply(part.order):
            self.done.append((line, part))
            now = self.game.request
            return isinstance(now, Choose) and now.ends is not None and now.ends.begun
        if not isinstance(self._met, Choose) and self._met is not None:
            self.dice = self.dice or line
            if self.best is None:
                self.best = self.game.fork()
                followed = self._at_best(part.order)
            self.rolled.update(part.words)
            self.spent.update(() if followed else part.words)
            return True
        self.over = self.over or self._met is None or not self._met.reaction
        return False

    def _at_best(self, order: Order) -> bool:
        """Carry an order out where the dice are at their best, if it is legal there and its side is asked behind it."""
        assert self.best is not None  # noqa: S101
        if not isinstance(asked := self.best.request, Choose) or asked.why_not(order) is not None:
            return False
        ahead = self.best.fork()
        ahead.apply(order, legal=True)
        again = self._asked_again(ahead, asked.window)
        self.best = again or self.best
        return again is not None

    def end_steps(self, step: int) -> None:
        """End the steps before this one, as far as that needs no dice (requests.StepEnd)."""
        request = self.game.request
        while isinstance(request, Choose) and request.ends is not None and step > request.ends.step:
            if request.ends.begun or not self._apply(request.ends.order):
                return
            request = self.game.request

    def go_on(self) -> bool:
        """End the step that is asked, with dice at their best where it has some; whether a later one is asked then."""
        asked = self.game.request
        for _ in range(BETWEEN):
            now = self.game.request
            if not isinstance(now, Choose) or not isinstance(asked, Choose) or asked.ends is None:
                return False
            if now.ends is None or now.ends.step > asked.ends.step:
                return now is not asked
            if now.why_not(now.ends.order) is not None:
                return False
            if self.best is not None:
                self._at_best(now.ends.order)
            if now.ends.begun or not self._apply(now.ends.order):
                ahead = self.game.fork()
                ahead.apply(now.ends.order, legal=True)
                if (again := self._asked_again(ahead, now.window)) is None:
                    return False
                self.game, self.open = again, True
        return False

    def _apply(self, order: Order) -> bool:
        """Carry a legal order out; False, and nothing done, when it needs dice, or the side isn't asked again.

        What comes between its end and the next decision of the side is none of it: dice for the initiative, the other
        side's choice.
        """
        request, before = self.game.request, self.game.fork()
        self.game.apply(order, legal=True)
        self._met = self.game.request
        window = request.window if isinstance(request, Choose) else ""
        if self._asks(self._met, window):
            return True
        if self.game.begun_by is None and (again := self._asked_again(self.game, window)) is not None:
            self.game, self.open = again, True
            return True
        self.game = before
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
        return not tests or (not (self.dice or self.open) and self.holds_in(self.game, tests))
