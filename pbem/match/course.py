"""The course of a game: carried on by queued orders, standing orders, defaults and the dice of the seed in force."""

from __future__ import annotations

import json
from collections import Counter, deque
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pbem.crypto import dice
from pbem.errors import MalformedOrder, Refusal
from pbem.match.codec import dumped, loaded
from pbem.match.game import Game
from pbem.match.genesis import Genesis
from pbem.match.orders import (
    Act,
    Condition,
    Part,
    Plan,
    Say,
    Standing,
    StopIf,
    Strict,
    in_steps,
    read_parts,
    short_phase,
    statement_of,
    words_in,
)
from pbem.records import NamedTuple
from pbem.rules import Board, Rules
from pbem.rules.requests import Answer, Choose, Draw, Roll, Tell, Words, dice_side
from pbem.wire.statements import Statement

__all__ = ["SPENT", "Chancer", "Course", "Queue", "Step"]

Chancer = Callable[[Roll | Draw], Answer | None]
"""Answers a chance, or None where it isn't known yet."""

Look = Callable[["Course"], None]
"""Is shown the course before each step is added: as it has come out of the steps so far."""

Queue = deque[tuple[int, Part]]
"""An entry's parts that wait for their turn, each with its line or statement number."""

Said = dict[str, list[tuple[int, Statement]]]
"""Side -> its queue in the words that it was given in."""

OVER = "the phase is over"
"""Why an order lapsed whose turn didn't come, though it could still have been given."""

PASSED = "the phase for which it was planned came no more in the {}"
"""Why a plan lapsed whose phase didn't come, with what a turn is called."""

IDLE = "nobody could do anything in the phase for which it was planned, so no orders were asked"
"""Why one lapsed whose phase came."""

PLANNED = "what was planned for this phase has taken its place"
"""Why one lapsed that was left of the same window, without a phase, when plans for it came to their turn."""

SPENT = (None, ())
"""What Rules.remainder says of the end of a step that has ended by itself."""

Step = dict[str, Any]
"""Something that happened, as JSON data: entry, turn, phase, kind, and what the kind calls for."""


PASSED_KEPT = 500
"""So many orders that were passed over are kept, to be told to their owner."""


class Passed(NamedTuple):
    """An order that was passed over: by which entry, behind how many steps, whose, its words, the test that failed; and
    when, as `Rules.clock` has it."""

    seq: int
    noted: int
    side: str
    order: str
    test: str
    when: tuple[int, str]


class Course:
    """A game and what carries it on; stops where a chance is not known or a decision is not given.

    What is annotated here is what `dump` keeps beside the game and the queues.
    """

    decided: tuple[int, bytes] | None = None
    """Number and hash of the newest begin, orders or react entry: the one that the seed is bound to."""
    seed: bytes | None = None
    adverse: str | None = None
    """The side whose secret is lost: in place of the seed, every chance falls as is worst for it, and what it is asked
    by the other's orders is answered by default.
    """
    labels: Counter[str]
    """Stem -> how many rolls of this seed have it."""
    standing: dict[str, list[Words]]
    posted: list[Words]
    """The standing orders that the newest decision has given."""
    cleared: list[Words]
    """Those of its standing orders that end earlier ones."""
    laid: dict[str, str]
    """Side -> the window that its queue is for."""
    planned: dict[str, tuple[int, str]]
    """Side -> the turn that its plans are for, and the phase in which they were made."""
    strict: set[str]
    """The sides for whose orders in force the first lapse is a stop."""
    fallen: list[tuple[str, int, int, int]]
    """Rolls that nothing told has come of yet: kind, sides, dice, their sum."""
    armed: dict[str, set[int]]
    """Side -> its `stop whenever` by number, those whose condition hasn't held at some moment since they were given."""
    noted: int = 0
    """So many steps there were."""
    passed: list[Passed]
    """The newest orders with conditions that didn't hold when their turn came."""
    fights: int = 0
    """So many fights there were, those that an undo took back too; each bears its number, for both players the same."""
    luck: dict[str, list[int]]
    """`TURN SIDE KIND SIDES` -> how many dice of that kind fell for a side, `-` for none, and their sum."""

    def __init__(self, genesis: Genesis, rules: Rules, board: Board) -> None:
        self.game: Game
        self.genesis = genesis
        self.rules = rules
        self.board = board
        self.queues: dict[str, Queue] = {p.side: deque() for p in genesis.players}
        self.reactions: dict[str, Queue] = {p.side: deque() for p in genesis.players}
        self.plans: dict[str, Queue] = {p.side: deque() for p in genesis.players}
        self.watches: dict[str, Queue] = {p.side: deque() for p in genesis.players}
        self.standing = {p.side: [] for p in genesis.players}
        self.labels, self.laid, self.planned, self.strict = Counter(), {}, {}, set()
        self.posted, self.cleared = [], []
        self.armed = {p.side: set() for p in genesis.players}
        self.fallen, self.luck, self.passed = [], {}, []
        self._sides: dict[str, str] = {}
        self.steps: list[Step] = []
        self.tested: set[tuple[str, int]] = set()
        """The stops that came to their turn: side and number."""
        self.unmet: dict[tuple[str, int], Condition] = {}
        """Orders and stops by side and number -> the condition that didn't hold when their turn came."""
        self.dropped: dict[tuple[str, int], tuple[str, tuple[Condition, ...]]] = {}
        """What was dropped by side and number -> why, and the tests of the stop that held."""
        self.chancer: Chancer = self._seeded
        self.look: Look | None = None
        self.going_on = False
        """Whether more orders come behind a queue that has run out, so that nothing in a step is ended by that."""

    def begin(self) -> None:
        """Begin the game, up to its first request."""
        told: list[Tell] = []
        self.game = Game.new(self.rules, self.board, dict(self.genesis.terms.options), told.append)
        self.game.hear = self._hear
        for tell in told:
            self._hear(tell)

    def bind(self, decided: tuple[int, bytes] | None) -> None:
        """A decision counts from now on, by its entry's number and hash: the dice are those of a seed of its own."""
        self.decided, self.seed, self.adverse = decided, None, None
        self.labels.clear()

    def play(self, side: str, parts: list[tuple[int, Part]], *, reaction: bool) -> None:
        """Lay an entry's parts ready, its plans in place of all plans; standing orders and talk take effect at once."""
        queue = self.reactions[side] if reaction else self.queues[side]
        queue.clear()
        given = [part.words for _, part in parts if isinstance(part, Standing)]
        self.posted = [words for words in given if self.rules.in_force(self.game.state, [words])]
        self.cleared = [words for words in given if words not in self.posted]
        if any(isinstance(plan, Plan) and isinstance(plan.part, Act) for _, plan in self.plans[side]):
            new = "an answer takes" if reaction else "new orders take"
            self._stop(side, self.plans[side], f"{new} the place of what was planned")
        self._forget(side)
        self.plans[side].clear()
        self.planned[side] = self.rules.clock(self.game.state)
        if not reaction:
            self._watch_no_more(side)
            request = self.game.request
            self.laid[side] = request.window if isinstance(request, Choose) else ""
            self.strict.discard(side)
            for reacting, left_over in self.reactions.items():
                if any(isinstance(part, Act) and part.words != (self.rules.CLOSING,) for _, part in left_over):
                    self._stop(reacting, left_over, "nobody asked for the other answers", answers=True)
                left_over.clear()
        for number, part in parts if reaction else in_steps(self.rules, parts):
            match part:
                case Standing(words):
                    self.standing[side] = [*self.standing[side], words][-200:]
                case Say(words):
                    self.note("say", player=self.genesis.of_side(side).name, text=" ".join(words))
                case Plan():
                    self.plans[side].append((number, part))
                case StopIf(_, True):
                    self.watches[side].append((number, part))
                case _:
                    queue.append((number, part))

    def resolve(self, *, orders: bool = True) -> None:
        """Carry the game on until a chance is not known or a decision is not given; or only up to the next order."""
        while (request := self.game.request) is not None:
            if isinstance(request, Choose):
                if not (self._react(request) if request.reaction else orders and self._order(request)):
                    return
            elif not self._chance(request):
                return

    def _chance(self, request: Roll | Draw) -> bool:
        answer = self.chancer(request)
        if answer is None:
            return False
        if isinstance(request, Roll):
            step: Step = {"dice": request.dice, "sides": request.sides, "result": list(answer)}
        else:
            step = {"cup": list(request.cup), "count": request.count, "result": list(answer)}
        step |= {"adverse": self.adverse} if self.adverse is not None else {}
        self.note("roll" if isinstance(request, Roll) else "draw", label=self._label(request), **step)
        self.labels[request.label] += 1
        if isinstance(request, Roll) and self.adverse is None:
            self.fallen.append((request.label, request.sides, request.dice, sum(answer)))
        self.game.apply(answer)
        return True

    def _label(self, request: Roll | Draw) -> str:
        """The roll's name, unique within the seed: its stem and the count of that stem."""
        return f"{request.label}/{self.labels[request.label] + 1}"

    def _seeded(self, request: Roll | Draw) -> Answer | None:
        if self.adverse is not None:
            from pbem.match.adverse import worst  # hardly ever is a secret lost

            return worst(self, request, self.adverse)
        if self.seed is None:
            return None
        if isinstance(request, Roll):
            return dice.roll(self.seed, self._label(request), request.dice, request.sides)
        return dice.draw(self.seed, self._label(request), list(request.cup), request.count)

    def _order(self, request: Choose) -> bool:
        """Answer a decision from its side's queue; False when the queue has nothing for it."""
        for side, queue in self.queues.items():
            if self.laid.get(side) != request.window:
                self._drop(side, queue)
                self._watch_no_more(side)
        self._watch()
        self._take_up(request)
        queue = self.queues[request.side]
        while (passes := self._passes(request, queue)) or queue:
            if passes:
                return self._end_step(request, queue)
            number, part = queue.popleft()
            match part:
                case Strict():
                    self.strict.add(request.side)
                    while queue and isinstance(queue[0][1], Strict):  # once is enough
                        queue.popleft()
                case StopIf(tests):
                    self.tested.add((request.side, number))
                    if self._hold(tests):
                        said = [test._asdict() for test in tests]
                        self._stop(request.side, queue, "a stop condition holds", number=number, tests=said)
                    else:
                        self._note_unmet(request.side, number, tests)
                case Act(_, words, tests):
                    if tests and not self._hold(tests):
                        self._pass_over(request.side, number, words, tests)
                    elif self._act(request, queue, number, part):
                        return True
        return False

    def words(self) -> int:
        """How many words the orders and answers that wait have, with what is watched, of both sides; not the plans."""
        waiting = (*self.queues.values(), *self.reactions.values(), *self.watches.values())
        return sum(map(words_in, waiting))

    def _pass_over(self, side: str, number: int, words: Words, tests: tuple[Condition, ...]) -> None:
        """Pass an order over whose conditions don't hold now."""
        from pbem.match.unmet import said

        self._note_unmet(side, number, tests)
        seq = self.decided[0] if self.decided else 1  # as `note` has it
        now, test = self.rules.clock(self.game.state), said(self.unmet[side, number])
        self.passed.append(Passed(seq, self.noted, side, " ".join(words), test, now))
        del self.passed[:-PASSED_KEPT]

    def _note_unmet(self, side: str, number: int, tests: tuple[Condition, ...]) -> None:
        """Note which of some conditions doesn't hold now, the first of them."""
        self.unmet[side, number] = next(test for test in tests if not self._hold((test,)))

    def _watch(self) -> None:
        """Drop the orders of a side whose `stop whenever` has come to hold; what held all the time doesn't count."""
        for side, watches in self.watches.items():
            for number, part in watches:
                assert isinstance(part, StopIf)  # noqa: S101 nothing else is watched
                if not self._hold(part.tests):
                    self.armed[side].add(number)
                elif number in self.armed[side]:
                    said = [test._asdict() for test in part.tests]
                    self._watch_no_more(side)
                    if self.queues[side]:
                        self._stop(side, self.queues[side], "a stop condition holds", number=number, tests=said)
                    break

    def _forget(self, side: str) -> None:
        """Forget what became of a side's orders before: those of its next entry have the same numbers."""
        self.tested = {known for known in self.tested if known[0] != side}
        self.unmet = {known: test for known, test in self.unmet.items() if known[0] != side}
        self.dropped = {known: why for known, why in self.dropped.items() if known[0] != side}

    def _watch_no_more(self, side: str) -> None:
        """Forget what a side has watched."""
        self.watches[side].clear()
        self.armed[side].clear()

    def _passes(self, request: Choose, queue: Queue) -> bool:
        """Whether a queue goes on behind the step in which its side is asked, or leaves what was begun in it."""
        if request.ends is None:
            return False
        coming = queue[0][1] if queue else None
        if isinstance(coming, Strict):
            coming = next((part for _, part in queue if not isinstance(part, Strict)), None)
        if isinstance(coming, Act):
            return self.rules.step(coming.order) > request.ends.step
        return request.ends.begun and not (coming is None and self.going_on)

    def _end_step(self, request: Choose, queue: Queue) -> bool:
        """End the step in which a side is asked; where that can't be the rest of its orders is dropped."""
        assert request.ends is not None  # noqa: S101 the step is passed
        order = request.ends.order
        number = queue[0][0] if queue else 0
        left = self._left_of(request, number, Act(order, self.rules.order_words(self.board, order)))
        if left is None:
            self._stop(request.side, queue, "the step can't end so")
            return False
        self.game.apply(left.order, legal=True)
        return True

    def _take_up(self, request: Choose) -> None:
        """Lay ready what a side has planned for the phase in which it is asked; plans of a turn that is over lapse."""
        if not any(self.plans.values()):
            return
        turn, phase = self.rules.clock(self.game.state)
        for side, plans in self.plans.items():
            if plans and self.planned[side][0] != turn:
                self._pass(side, plans)
        side, plans = request.side, self.plans[request.side]
        if not plans or (self.laid.get(side) == request.window and self.planned[side][1] == phase):
            return
        names = (phase, short_phase(side, phase))
        taken = [(n, plan.part) for n, plan in plans if isinstance(plan, Plan) and plan.phase in names]
        if taken:
            self.plans[side] = deque((n, p) for n, p in plans if isinstance(p, Plan) and p.phase not in names)
            self._watch_no_more(side)
            watched = [(n, part) for n, part in taken if isinstance(part, StopIf) and part.whenever]
            self.watches[side].extend(watched)
            self.tested.update((side, number) for number, _ in watched)
            self._drop(side, self.queues[side], PLANNED, request)
            self.queues[side] = deque(in_steps(self.rules, [one for one in taken if one not in watched]))
            self.laid[side] = request.window
            self.strict.discard(side)

    def _pass(self, side: str, plans: Queue) -> None:
        """Let a side's plans of a turn that is over lapse."""
        phases = [phase["id"] for phase in self.rules.situation(self.game.state)["phases"]]
        came = phases[phases.index(self.planned[side][1]) + 1 :]
        names = {name for phase in came for name in (phase, short_phase(side, phase))}
        passed = PASSED.format(self.rules.TURN)
        for number, plan in plans:
            if isinstance(plan, Plan):
                self._drop(side, deque([(number, plan.part)]), IDLE if plan.phase in names else passed)
        plans.clear()

    def _act(self, request: Choose, queue: Queue, number: int, act: Act) -> bool:
        """Carry out one order, or what is left of it, or let it lapse; False when it lapsed."""
        before, left = self.noted, self._left_of(request, number, act)
        if left is None:
            if request.side in self.strict and self.noted > before:
                self._stop(request.side, queue, "an order lapsed under `strict`")
            return False
        ends = request.ends is not None and left.order == request.ends.order
        self.note("order", side=request.side, number=number, words=list(left.words), **{"ends": True} if ends else {})
        self.game.apply(left.order, legal=True)
        if left.words == (self.rules.CLOSING,):
            queue.clear()
            self.strict.discard(request.side)
        return True

    def _left_of(self, request: Choose, number: int, act: Act) -> Act | None:
        """An order that is legal when its turn comes, or what is left of it; None when nothing is.

        It has lapsed then, unless it ends a step that has ended by itself.
        """
        refusal = request.why_not(act.order)
        if refusal is None:
            return act
        rest = self.rules.remainder(self.game.state, request.side, act.order)
        if rest == SPENT:
            return None
        if rest is None or request.why_not(rest[0]) is not None:
            self._lapse(request.side, number, act, refusal)
            return None
        for tell in rest[1]:
            self.note("tell", what=tell.what, clause=tell.clause, facts=tell.facts, number=number)
        return Act(rest[0], self.rules.order_words(self.board, rest[0]))

    def _lapse(self, side: str, number: int, act: Act, why: Refusal, **when: Any) -> None:
        """Note an order that has become illegal when its turn came, with its conditions; `when` is a turn and phase
        other than those of now."""
        words = list(act.words)
        if act.tests:
            said = statement_of(act)
            words = [said.keyword, *said.tokens]
        self.note("lapse", side=side, number=number, words=words, reason=why.reason, clause=why.clause, **when)

    def _drop(self, side: str, queue: Queue, why: str = "", asked: Choose | None = None) -> None:
        """Let a side's left-over orders lapse when their window is closed, for the reason `why` if there is one; else
        they are told with the newest order, in whose phase they would have been carried out.

        Those of a step that is over where it is `asked` lapse for what bars them then.
        """
        newest = next((s for s in reversed(self.steps) if s["kind"] == "order"), None) if queue and not why else None
        when = {key: newest[key] for key in ("turn", "phase")} if newest else {}
        while queue:
            number, part = queue.popleft()
            if not isinstance(part, Act) or part.words == (self.rules.CLOSING,) or not self._hold(part.tests):
                continue
            left = self.game.left
            if left is None or self.rules.remainder(left, side, part.order) != SPENT:
                over = self._why_behind(asked, part) if asked is not None else None
                over = over or (Refusal("", why) if why else self.why_over(side, part))
                self._lapse(side, number, part, over, **when)

    def _why_behind(self, asked: Choose, act: Act) -> Refusal | None:
        """Why an order can't be given where its side is asked, if its step is over there."""
        over = asked.ends is not None and self.rules.step(act.order) < asked.ends.step
        return asked.why_not(act.order) if over else None

    def why_over(self, side: str, act: Act) -> Refusal:
        """Why an order of a phase that is over couldn't be given any more when the phase ended."""
        left = self.game.left
        refusal = self.rules.why_not(left, side, act.order) if left is not None else None
        return refusal or Refusal("", OVER)

    def _stop(self, side: str, queue: Queue, reason: str, **more: Any) -> None:
        parts = [part.part if isinstance(part, Plan) else part for _, part in queue]
        tests = tuple(Condition(**test) for test in more.get("tests", ()))
        self.dropped.update(dict.fromkeys(((side, number) for number, _ in queue), (reason, tests)))
        dropped = sum(isinstance(part, Act) for part in parts)
        queue.clear()
        if queue is self.queues[side]:
            self.strict.discard(side)
        self.note("stop", side=side, reason=reason, dropped=dropped, **more)

    def _hold(self, tests: tuple[Any, ...]) -> bool:
        return all(self.rules.test(self.game.state, test.words) == test.expected for test in tests)

    def _react(self, request: Choose) -> bool:
        """Answer what the other side's action asks: by a react entry, a standing order or the default.

        Who has lost the secret of the dice has seen them, perhaps, and known all that comes of losing it: the default.
        """
        if self.adverse == request.side and request.default is not None:
            return self._answer(request, request.default(), "default", adverse=self.adverse)  # protocol 4.4
        queue = self.reactions[request.side]
        while queue:
            number, part = queue.popleft()
            if isinstance(part, Act) and not self._hold(part.tests):
                self._pass_over(request.side, number, part.words, part.tests)
            elif isinstance(part, Act):
                left = self._left_of(request, number, part)
                if left is not None:
                    return self._answer(request, left.order, "react", legal=True, number=number)
        if request.standing is not None:
            order = request.standing(self.standing[request.side])
            if order is not None:
                return self._answer(request, order, "standing", by=self._used(request, request.standing, order))
        if request.default is not None and self.genesis.terms.reactions == "standing":
            laid = self._in_force(request)
            tried = sum(self._is_about(request, words) for words in laid)
            return self._answer(request, request.default(), "default", tried=tried, laid=len(laid))
        return False

    def _in_force(self, request: Choose) -> list[Words]:
        """The side's standing orders, those about whom it is asked first."""
        orders = self.rules.in_force(self.game.state, self.standing[request.side])
        return sorted(orders, key=lambda words: set(words[1:2]).isdisjoint(request.about))

    def _is_about(self, request: Choose, words: Words) -> bool:
        """Whether a standing order is one that could have answered: of that kind, and about no other unit."""
        unit = words[1] if len(words) > 1 else ""
        return words[0] in (request.heeds or (request.kind,)) and (unit in request.about or not self._side_of(unit))

    def _used(self, request: Choose, standing: Callable[[Sequence[Words]], Any], order: Any) -> list[list[str]]:
        """The standing order that gave this answer: by itself it gives the same; else those that all are needed."""
        needed = self._in_force(request)
        alone = next((words for words in needed if len(needed) == 1 or standing([words]) == order), None)
        for words in reversed(needed) if alone is None else ():
            fewer = [other for other in needed if other != words]
            needed = fewer if standing(fewer) == order else needed
        return [list(words) for words in (needed if alone is None else [alone])]

    def _answer(self, request: Choose, order: Any, how: str, *, legal: bool = False, **more: Any) -> bool:
        words = list(self.rules.order_words(self.board, order))
        self.note("answer", side=request.side, about=list(request.about), how=how, words=words, **more)
        self.game.apply(order, legal=legal)
        return True

    def _hear(self, tell: Tell) -> None:
        step = self.note("tell", what=tell.what, clause=tell.clause, facts=tell.facts)
        if "result" in tell.facts and "at" in tell.facts and tell.facts.get("from"):
            self.fights += 1
            step["fight"] = self.fights
        if self.fallen and tell.what != "phase":
            unit_side = self._side_of(tell.facts.get("unit"))
            for label, sides, dice, total in self.fallen:
                side, kind = dice_side(label, tell.facts) or unit_side or "-", label.split("/")[0]
                counted = self.luck.setdefault(f"{step['turn']} {side} {kind} {sides}", [0, 0])
                counted[:] = counted[0] + dice, counted[1] + total
            self.fallen.clear()

    def _side_of(self, unit: str | None) -> str:
        """The side of a unit, for which its dice count; "" for none."""
        if not self._sides:
            self._sides.update((unit, side) for side, units in self.rules.of_side(self.board).items() for unit in units)
        return self._sides.get(unit or "", "")

    def note(self, kind: str, **facts: Any) -> Step:
        """Add a step: what happened, by which entry, in which turn and phase."""
        turn, phase = self.rules.clock(self.game.state)
        number = self.decided[0] if self.decided else 1  # the accept
        step: Step = {"seq": number, "turn": turn, "phase": phase, "kind": kind, **facts}
        if self.look is not None:
            self.look(self)
        self.steps.append(step)
        self.noted += 1
        return step

    # --- copies ----------------------------------------------------------------------------------------------------

    def fork(self) -> Course:
        """An independent course at the same point, without the steps so far; chances come from the seed."""
        twin = Course(self.genesis, self.rules, self.board)
        twin.decided, twin.seed, twin.adverse, twin.strict = self.decided, self.seed, self.adverse, set(self.strict)
        twin.labels, twin.fallen, twin.fights = self.labels.copy(), list(self.fallen), self.fights
        twin.noted, twin.passed = self.noted, list(self.passed)
        twin.luck, twin._sides = {kind: list(dice) for kind, dice in self.luck.items()}, self._sides
        twin.queues = {side: queue.copy() for side, queue in self.queues.items()}
        twin.reactions = {side: queue.copy() for side, queue in self.reactions.items()}
        twin.watches = {side: watches.copy() for side, watches in self.watches.items()}
        twin.armed = {side: set(numbers) for side, numbers in self.armed.items()}
        twin.plans, twin.planned = {side: plans.copy() for side, plans in self.plans.items()}, dict(self.planned)
        twin.standing = {side: list(orders) for side, orders in self.standing.items()}
        twin.posted, twin.cleared = list(self.posted), list(self.cleared)
        twin.laid, twin.tested, twin.unmet = dict(self.laid), set(self.tested), dict(self.unmet)
        twin.dropped = dict(self.dropped)
        twin.game = self.game.fork()
        twin.game.hear = twin._hear
        return twin

    def position(self) -> str:
        """What tells this course from others that were forked at the same point and went on by other dice alone."""
        waiting = [
            [len(queue) for queue in kind.values()] for kind in (self.queues, self.reactions, self.plans, self.watches)
        ]
        return json.dumps([self.game.dump(), waiting], sort_keys=True)

    def dump(self) -> dict[str, Any]:
        """The course as JSON data, but for the steps; `load` gives it back."""
        queues = {"queues": _said(self.queues), "reactions": _said(self.reactions), "plans": _said(self.plans)}
        queues |= {"watches": _said(self.watches)}
        left = self.rules.dump(self.game.left) if self.game.left is not None else None
        return {**dumped(self), **queues, "game": self.game.dump(), "left": left}

    @classmethod
    def load(cls, genesis: Genesis, rules: Rules, board: Board, dump: Mapping[str, Any]) -> Course:
        """The course from `dump`. Raises ValueError, LookupError or PbemError for what is none."""
        kept = dict(dump)
        course = cls(genesis, rules, board)
        course.game = Game.load(rules, board, kept.pop("game"), course._hear)
        left = kept.pop("left")
        course.game.left = None if left is None else rules.load(board, left)
        course.queues, course.reactions = course._read(kept.pop("queues")), course._read(kept.pop("reactions"))
        course.plans, course.watches = course._read(kept.pop("plans")), course._read(kept.pop("watches"))
        vars(course).update(loaded(Course, kept))
        return course

    def _read(self, said: Any) -> dict[str, Queue]:
        queues: dict[str, Queue] = {}
        for side, statements in loaded(Said, said).items():
            parts, errors = read_parts(self.rules, self.board, side, statements)
            if errors:
                raise MalformedOrder("the cached orders can't be read", hint="delete the cache")
            queues[side] = deque(parts)
        return queues


def _said(queues: Mapping[str, Queue]) -> Any:
    return dumped({side: [(number, statement_of(part)) for number, part in queues[side]] for side in queues})
