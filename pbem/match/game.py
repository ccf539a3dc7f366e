"""The engine: a game is a checkpoint and the answers since; the rules ask, the caller answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from pbem.errors import BadLog, IllegalAnswer
from pbem.rules import Board, Rules, State
from pbem.rules.requests import Activity, Answer, Choose, Draw, Outcome, Request, Roll, Tell

__all__ = ["Game"]


class Game:
    """A game in progress (architecture: generators inside, a reducer outside).

    `request` is the pending Roll, Draw or Choose, None when the game is over; `state` is read-only for callers;
    `apply` answers the request. `hear` is called with each Tell as it happens; re-runs by `fork` and `load` are silent.
    `left` is the state in which the newest order left the game, before what came of itself then, as a phase's end; None
    as long as none was carried out. It is read-only, too; `dump` doesn't hold it. `hashed` is the hash of the
    dump as its owner has found it: "" again behind each answer, as nothing else changes the game.
    """

    __slots__ = (
        "_activity",
        "_answers",
        "_checkpoint",
        "_ordered",
        "board",
        "hashed",
        "hear",
        "left",
        "request",
        "rules",
        "state",
    )

    request: Request | None

    def __init__(
        self,
        rules: Rules,
        board: Board,
        state: State,
        hear: Callable[[Tell], None] | None = None,
        checkpoint: State | None = None,
    ) -> None:
        """A game at a state; who has a copy of it that nobody changes gives that as the checkpoint."""
        self.rules = rules
        self.board = board
        self.state = state
        self.hear = hear
        self.hashed = ""
        self.left: State | None = None
        self._ordered = False
        self._next_activity(checkpoint)

    @classmethod
    def new(
        cls, rules: Rules, board: Board, options: Mapping[str, str], hear: Callable[[Tell], None] | None = None
    ) -> Game:
        """A game before its first decision."""
        return cls(rules, board, rules.start(board, options), hear)

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, or None while it goes on."""
        return self.rules.outcome(self.state) if self.request is None else None

    def apply(self, answer: Answer, *, legal: bool = False) -> None:
        """Answer the pending request. Raises IllegalAnswer (with the clause), changing nothing, when it doesn't fit.

        An order is `legal` when the request's `why_not` has just said so; then it isn't asked again.
        """
        request = self.request
        if request is None:
            raise IllegalAnswer("the game is over", hint="no answer is asked")
        if isinstance(request, Choose):
            refusal = None if legal else request.why_not(answer)
            if refusal is not None:
                raise IllegalAnswer(refusal.reason, clause=refusal.clause)
            self._ordered = self._ordered or not request.reaction
        else:
            answer = _checked_chance(request, answer)
        self._answers.append(answer)
        self._run(answer)

    def fork(self) -> Game:
        """An independent game at the same point."""
        twin = Game(self.rules, self.board, self.rules.copy(self._checkpoint), checkpoint=self._checkpoint)
        twin._replay(self._answers)
        twin.left, twin._ordered = self.left, self._ordered
        return twin

    @property
    def just_given(self) -> Any:
        """The order whose first dice are asked for; None of later dice, and of those that come by themselves."""
        return self.begun_by if not any(isinstance(answer, _Dice | _Drawn) for answer in self._answers) else None

    @property
    def answered(self) -> bool:
        """Whether anything was answered, or fell, behind the answer with which what is under way was begun."""
        return len(self._answers) > 1

    @property
    def begun_by(self) -> Any:
        """The order with which what is under way was begun; None of what has come by itself, or waits for an order."""
        first = self._answers[0] if self._answers else None
        return None if isinstance(first, _Dice | _Drawn) else first

    def before(self) -> Game:
        """An independent game as it was before what is under way was begun."""
        return Game(self.rules, self.board, self.rules.copy(self._checkpoint))

    def dump(self) -> dict[str, Any]:
        """The game as JSON data: rules edition, checkpoint and the answers since."""
        return {
            "edition": self.rules.EDITION,
            "checkpoint": self.rules.dump(self._checkpoint),
            "answers": [self._answer_out(answer) for answer in self._answers],
        }

    @classmethod
    def load(
        cls, rules: Rules, board: Board, dump: Mapping[str, Any], hear: Callable[[Tell], None] | None = None
    ) -> Game:
        """The game from `dump`. Raises BadLog when the dump is of another rules edition."""
        if dump["edition"] != rules.EDITION:
            raise BadLog(f"the game is of rules edition {dump['edition']}", hint=f"this program plays {rules.EDITION}")
        game = cls(rules, board, rules.load(board, dump["checkpoint"]))
        game._replay([game._answer_in(answer) for answer in dump["answers"]])
        game.hear = hear
        return game

    def _next_activity(self, checkpoint: State | None = None) -> None:
        """Take a checkpoint and start the next activity, until a request is pending or the game is over."""
        while True:
            self._answers: list[Answer] = []
            if self.rules.outcome(self.state) is not None:
                self.request = None
                self._checkpoint = self.state
                self._leave()
                return
            self._checkpoint, checkpoint = checkpoint or self.rules.copy(self.state), None
            self._leave()
            self._activity: Activity = self.rules.next_activity(self.state)
            if self._ask(None):
                return

    def _leave(self) -> None:
        if self._ordered:
            self.left, self._ordered = self._checkpoint, False

    def _run(self, answer: Answer) -> None:
        self.hashed = ""
        if not self._ask(answer):
            self._next_activity()

    def _ask(self, answer: Answer) -> bool:
        """Send one answer into the activity; True when it asks again, False when it is finished."""
        send = self._activity.send
        try:
            asked = send(answer)
            while isinstance(asked, Tell):
                if self.hear is not None:
                    self.hear(asked)
                asked = send(None)
        except StopIteration:
            return False
        self.request = asked
        return True

    def _replay(self, answers: list[Answer]) -> None:
        for answer in answers:
            self._ordered = self._ordered or (isinstance(self.request, Choose) and not self.request.reaction)
            self._answers.append(answer)
            self._run(answer)

    def _answer_out(self, answer: Answer) -> Any:
        if isinstance(answer, _Dice):
            return {"roll": list(answer)}
        if isinstance(answer, _Drawn):
            return {"draw": list(answer)}
        return {"order": list(self.rules.order_words(self.board, answer))}

    def _answer_in(self, answer: Mapping[str, Any]) -> Answer:
        if "roll" in answer:
            return _Dice(answer["roll"])
        if "draw" in answer:
            return _Drawn(answer["draw"])
        request = self.request
        side = request.side if isinstance(request, Choose) else ""
        return self.rules.read_order(self.board, side, tuple(answer["order"]))


class _Dice(tuple[int, ...]):
    """The answer to a Roll, told apart from orders."""

    __slots__ = ()


class _Drawn(tuple[str, ...]):
    """The answer to a Draw, told apart from orders."""

    __slots__ = ()


def _checked_chance(request: Roll | Draw, answer: Answer) -> Answer:
    """The answer to a chance node in its own type. Raises IllegalAnswer when it can't come from these dice or cup."""
    found = tuple(answer) if isinstance(answer, list | tuple) else ()
    if isinstance(request, Roll):
        if len(found) != request.dice or not all(type(d) is int and 1 <= d <= request.sides for d in found):
            raise IllegalAnswer(f"{answer!r} is not a roll", hint=f"{request.dice}d{request.sides} is asked")
        return _Dice(found)
    words = all(isinstance(counter, str) for counter in found)
    if len(found) != request.count or not words or Counter(found) - Counter(request.cup):
        raise IllegalAnswer(f"{answer!r} is not a draw", hint=f"{request.count} counters of the cup are asked")
    return _Drawn(found)
