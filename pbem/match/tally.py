"""The futures of orders, counted: how often each order lapses and why, what nobody carries out, how the game ends."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeAlias

from pbem.crypto.hashing import canonical_json
from pbem.match.course import Course, Step
from pbem.match.orders import Act, Condition, Part, Plan, StopIf, order_of, short_phase, statement_of, when
from pbem.match.prospects import BEFORE, Ending, Lapse, Stop, lost, of_all
from pbem.match.table import Table
from pbem.match.unmet import said, why_unmet
from pbem.match.way import Answered, Chosen, answered, replied
from pbem.rules.requests import Choose, Danger, Order, Words
from pbem.words import listed

if TYPE_CHECKING:
    from fractions import Fraction

    from pbem.match.game import Game

__all__ = ["Tally"]

FEW = 5
"""Futures in which an order must at least have lapsed before it is said that it is never carried out, but of one that
is barred now as well."""

_End: TypeAlias = tuple[str | None, str, str, int, str]
"""Winner, clause, reason, the place of the part by which it comes, -1 for none, and who is idle before it."""


class Tally:
    """What comes of orders in the futures so far: how often each lapses and why, and how the game ends."""

    def __init__(self, table: Table, side: str, parts: Sequence[tuple[int, Part]]) -> None:
        self.table, self.side, self.parts, self.played = table, side, parts, 0
        self.other = table.genesis.other(table.genesis.of_side(side).name).name
        self.closing = (table.rules.CLOSING,)
        request = table.game.request
        self.ending = type(request.ends.order) if isinstance(request, Choose) and request.ends is not None else None
        """What kind of order ends a step, which may have ended by itself."""
        self.lapsed: Counter[tuple[int, str]] = Counter()
        self.carried: set[int] = set()
        self.planned = self._planned()
        self.bare: Counter[int] = Counter()
        """In how many futures an order lapsed, and of what is planned for its phase only the end was carried out."""
        self.waiting: set[int] = set()
        self.asks = ""
        self.watched: dict[int, str] = {}
        """Conditions that are watched still where a future ends: whose decision is asked there."""
        self.ended: Counter[Words] = Counter()
        """In how many futures the other player can end the phase by which order, where they end, with orders left."""
        self.first: Counter[str] = Counter()
        """In how many futures the other player is first asked what before orders of mine that are left."""
        self.held_up: dict[str, Counter[str]] = {}
        """What he is first asked -> in how many of these he is asked what where they end, before orders of mine."""
        self.stopped: Counter[int] = Counter()
        self.tested: Counter[int] = Counter()
        """Conditions to stop: in how many futures each held, and came to its turn."""
        self.unmet: dict[int, Counter[Condition]] = {}
        """Orders and stops whose conditions didn't hold: in how many futures which of them."""
        self.dropped: dict[int, Counter[str]] = {}
        """Orders that were dropped: in how many futures why."""
        self.cut: set[str] = set()
        """Why the rest of the orders was dropped in some futures; "" where it wasn't in all of them."""
        self.why: dict[tuple[int, str], Counter[Lapse]] = {}
        self.ends: dict[_End, Fraction | int] = {}
        self.chosen: dict[_End, Fraction | int] = {}
        self.whole: Fraction | int = 0
        self.about = True
        self.threats: dict[str, Counter[Danger]] = {}
        self.answers: set[Answered] = set()
        self.replies: Counter[bytes] = Counter()
        self.theirs: Counter[tuple[Words, str]] = Counter()
        """Planned orders of the other player that lapse, each with its reason: in how many futures."""

    def count(
        self,
        ahead: Table,
        before: Sequence[Step],
        share: Fraction | int = 1,
        sure: int | None = None,
        choices: Iterable[Chosen] = (),
        first: str = "",
    ) -> None:
        """Count one future, which is played out; `before` is what happened up to where the table was forked.

        `share` is how much it counts beside the others. From step `sure` on, if any, the other player was idle. The
        `choices` are the ends of the game that he could have chosen; `first` is what he was asked first, as in Way.
        """
        self.played, self.whole = self.played + 1, self.whole + share
        self.first.update([first] if first else [])
        steps = [*before, *ahead.steps]
        self.answers.update(answered(steps))
        self.replies.update({canonical_json(list(group)) for group in replied(steps[:sure])})
        self.theirs.update({_why_lapsed(s) for s in steps[:sure] if s["kind"] == "lapse" and s["side"] != self.side})
        idle = "" if sure is None else self.other
        could = {(*c.outcome[:3], self._ended_by(c.table, c.steps), idle) for c in choices}
        if (outcome := ahead.game.outcome) is not None:
            end = (*outcome[:3], self._ended_by(ahead, steps), idle)
            self.ends[end] = self.ends.get(end, 0) + share
            could.add(end)
        for end in could:
            self.chosen[end] = self.chosen.get(end, 0) + share
        carried = {step["number"] for step in steps if step["kind"] in ("order", "answer") and "number" in step}
        self.carried |= carried
        own = [step for step in steps if step["kind"] == "stop" and step["side"] == self.side]
        self.stopped.update(step["number"] for step in own if "number" in step)
        self.cut |= {step["reason"] for step in own} or {""}
        course = ahead.course
        self._note_unused(course)
        for queue in (course.queues[self.side], course.reactions[self.side], course.plans[self.side]):
            self.waiting.update(number for number, _ in queue if ahead.game.request is not None)
        if isinstance(request := ahead.game.request, Choose) and course.queues[self.side]:
            whose = "I" if request.side == self.side else self.other
            self.watched.update(dict.fromkeys((number for number, _ in course.watches[self.side]), whose))
            if whose != "I" and any(self._is_order(part) for _, part in course.queues[self.side]):
                self.held_up.setdefault(first or request.kind, Counter())[request.kind] += 1
            self._look_at_end(ahead, request)
        if isinstance(request, Choose) and course.plans[self.side]:
            who = "I am" if request.side == self.side else f"{self.other} is"
            self.asks = f"{who} asked ({request.kind})"
        later = [] if sure is None else steps[sure:]
        dropped = [*lost(steps[:sure]), *(lapse._replace(idle=self.other) for lapse in lost(later))]
        gone = {lapse.line for lapse in dropped if not lapse.without}
        for closing, orders in self.planned.values() if gone else ():
            if closing in carried and not carried & orders:
                self.bare.update(gone & orders)
        for lapse in dropped:
            self.lapsed[lapse.line, lapse.without] += 1
            self.why.setdefault((lapse.line, lapse.without), Counter())[lapse] += 1

    def _note_unused(self, course: Course) -> None:
        """Count which stops came to their turn in a future, which conditions didn't hold then, and what was dropped."""
        self.tested.update(number for side, number in course.tested if side == self.side)
        for (side, number), test in course.unmet.items():
            if side == self.side:
                self.unmet.setdefault(number, Counter())[test] += 1
        for (side, number), (reason, tests) in course.dropped.items():
            if side == self.side:
                stop = " and ".join(map(said, tests))
                why = f"the stop `{stop}` holds before it" if tests else BEFORE.get(reason, "")
                self.dropped.setdefault(number, Counter())[why] += 1

    def _look_at_end(self, ahead: Table, request: Choose) -> None:
        """Count whether the other player can end the phase at his decision before orders of mine that wait for it."""
        rules, ends = ahead.rules, request.ends
        waiting = [part.order for _, part in ahead.course.queues[self.side] if isinstance(part, Act)]
        if request.side == self.side or request.reaction or ends is None or request.why_not(ends.order) is not None:
            return
        if not any(rules.step(order) == ends.step and type(order) is not self.ending for order in waiting):
            return
        there, now = ahead.game.fork(), rules.clock(ahead.game.state)
        there.apply(ends.order, legal=True)
        if rules.clock(there.state) != now and not self._has_own_turn(there, ends.step):
            self.ended[rules.order_words(ahead.board, ends.order)] += 1

    def _has_own_turn(self, there: Game, step: int) -> bool:
        """Whether the phase that follows is one of mine for orders of the same step, as a recovery of each side."""
        request = there.request
        if not isinstance(request, Choose) or request.side != self.side or request.reaction:
            return False
        return request.ends is not None and request.ends.step == step

    def may_end(self) -> Iterator[str]:
        """That the other player can end the phase before orders that wait for it."""
        for words, times in self.ended.items():
            often = f"in {times} of {self.played} futures " if self.played > 1 else ""
            what = f"{self.other} can end the phase by `{' '.join(words)}`"
            yield f"{often}{what}, before orders of mine that are left for it: they lapse then"

    def waits(self) -> Iterator[str]:
        """That the other player is asked before orders of mine which were carried out in other futures alone."""
        if not self.carried & self.waiting:
            return
        for first, kinds in self.held_up.items():
            asked = max(self.first[first], kinds.total())
            what = f"in {asked} of {self.played} futures {self.other} is asked ({first}) before orders of mine that are"
            times = [f"in {often}{f' ({kind})' * (kind != first)}" for kind, often in kinds.items()]
            some = "" if kinds == {first: asked} else f"{listed(times)} of these "
            wait = f"{some}they wait for him{'' if some else ' there'}"
            yield f"{what} left: {wait}, and aren't counted as carried out"

    def look_out(self, ahead: Table) -> None:
        """Count what threatens where a future has led."""
        for danger in ahead.rules.dangers(ahead.game.state, self.side):
            self.threats.setdefault(danger.clause, Counter())[danger] += 1

    def dangers(self) -> Iterator[str]:
        """What threatens where the futures have led, each with its most frequent words."""
        for found in self.threats.values():
            ((danger, _),) = found.most_common(1)
            share = found.total() / self.played
            often = f"in {of_all(share)} of the futures " if share < 1 else ""
            yield f"{often}{danger.what} [{danger.clause}]"

    def theirs_lapsed(self) -> Iterator[str]:
        """The planned orders of the other player that lapse in every future."""
        for (words, why), times in self.theirs.items():
            if times == self.played:
                yield f"`{' '.join(words)}`, which {self.other} has planned, is not carried out then: {why}"

    def none_left(self) -> bool:
        """Whether an order, or a part, has lapsed in every future so far, whatever the other player decides."""
        always = (at for at, count in self.lapsed.items() if count == self.played)
        return any(not self._idle(at) for at in always)

    def unused(self, last: Table) -> list[tuple[int, Part, str]]:
        """The orders that neither were carried out nor lapsed nor waited in any future, each with why; `last` is where
        one of the futures has led."""
        told = self.carried | self.waiting | {number for number, _ in self.lapsed}
        parts = enumerate(self.parts, 1)
        found = [(number, line, part) for number, (line, part) in parts if number not in told and self._is_order(part)]
        return [(line, part, self._why_unused(number, last)) for number, line, part in found]

    def _why_unused(self, number: int, last: Table) -> str:
        """Why an order was carried out in no future: the conditions that didn't hold, and how it stands in the last, or
        by what it was dropped."""
        if not (unmet := self.unmet.get(number)):
            why = next((why for why, _ in self.dropped.get(number, Counter()).most_common(1)), "")
            return f"it is dropped, as {why}" if why else ""
        tests = " or ".join(f"`{said(test)}`" for test, _ in unmet.most_common())
        return "; ".join(filter(None, [f"{tests} doesn't hold when its turn comes", self._stands(number, last)]))

    def _stands(self, number: int, last: Table) -> str:
        """How that stands in the last future of which the condition asks that most often didn't hold."""
        ((test, _),), rules, s = self.unmet[number].most_common(1), last.rules, last.game.state
        if rules.test(s, test.words) == test.expected or not (how := why_unmet(rules.situation(s), test)):
            return ""
        return f"{'in one of them, for instance, ' if self.played > 1 else ''}{how}"

    def stops(self, last: Table) -> list[Stop]:
        """The conditions to stop that don't wait in any future, and don't hold in all of them."""

        def how(number: int) -> str:
            return self._stands(number, last) if number in self.unmet and not self.stopped[number] else ""

        found = [
            Stop(
                line,
                part,
                self._tested(part, number),
                self.stopped[number],
                frozenset(self.cut),
                how(number),
                self.watched.get(number, ""),
            )
            for number, (line, part) in enumerate(self.parts, 1)
            if isinstance(part.part if isinstance(part, Plan) else part, StopIf)
            and (number not in self.waiting or self.stopped[number])
        ]
        return [stop for stop in found if stop.held < self.played]

    def _tested(self, part: Part, number: int) -> int:
        """In how many futures a condition to stop came to its turn; one that is watched does in all."""
        return self.played if isinstance(part, StopIf) and part.whenever else self.tested[number]

    def behind(self) -> list[tuple[int, Part]]:
        """The planned orders that waited in a future and neither were carried out nor lapsed in any."""
        told = self.carried | {number for number, _ in self.lapsed}
        found = [self.parts[number - 1] for number in sorted(self.waiting - told - {0})]
        return [(line, part) for line, part in found if isinstance(part, Plan) and self._is_order(part)]

    def _is_order(self, part: Part) -> bool:
        act = order_of(part)
        return act is not None and act.words != self.closing and type(act.order) is not self.ending

    def _idle(self, at: tuple[int, str]) -> str:
        return next((lapse.idle for lapse in self.why[at] if lapse.idle), "")

    def _ended_by(self, ahead: Table, steps: Sequence[Step]) -> int:
        """Which part ended the game, -1 for none: the order by which it was over before anything else came."""
        left = ahead.game.left
        if left is None or ahead.rules.outcome(left) is None:
            return -1
        own = [s for s in steps if (s["kind"] == "order" or s.get("how") == "react") and s["side"] == self.side]
        words = tuple(own[-1]["words"][:2]) if own else ()
        acts = ((place, order_of(part)) for place, (_, part) in enumerate(self.parts))
        fits = [place for place, act in acts if act and act.words[:2] == words and words != self.closing]
        return fits[-1] if fits else -1

    def lapses(self) -> list[Lapse]:
        """The orders that lapse or go on without a part, each with the reason that is most frequent."""
        found, closing = [], self._closing_plans()
        for at, count in sorted(self.lapsed.items()):
            ((most, _),) = self.why[at].most_common(1)
            (line, part), never = self.parts[at[0] - 1], self._never(*at, count)
            lapse = most._replace(line=line, share=count / self.played, never=never, idle=self._idle(at))
            lapse = lapse._replace(reasons=len(self.why[at]))
            if isinstance(part, Plan) and not lapse.without:
                lapse = lapse._replace(words=(*when(part), *lapse.words), closes=closing.get(at[0], ""))
            found.append(lapse)
        return found

    def _closing_plans(self) -> dict[int, str]:
        """The last order planned for a phase that lapses only where nothing but its end is carried out -> that end."""
        found = {}
        for closing, orders in self.planned.values():
            sure = [number for number in orders if 0 < self.bare[number] == self.lapsed[number, ""]]
            if sure:
                found[max(sure)] = str(statement_of(self.parts[closing - 1][1])).removesuffix(";")
        return found

    def _planned(self) -> dict[str, tuple[int, set[int]]]:
        """Each phase for which its end is planned: the number of that part, and those of the other orders."""
        plans = [(number, part) for number, (_, part) in enumerate(self.parts, 1) if isinstance(part, Plan)]
        of_phase: dict[str, tuple[list[int], set[int]]] = {}
        for number, part in plans:
            ends, orders = of_phase.setdefault(short_phase(self.side, part.phase), ([], set()))
            if self._is_order(part):
                orders.add(number)
            elif order_of(part) is not None:
                ends.append(number)
        return {phase: (ends[-1], orders) for phase, (ends, orders) in of_phase.items() if ends}

    def _never(self, number: int, without: str, count: int) -> str:
        """When an order lapses that no future carries out; "" where that isn't so, or is seldom seen and not so now."""
        act = order_of(self.parts[number - 1][1])
        if without or number in self.carried or count == self.played:
            return ""
        if count < FEW and not (act is not None and self._is_barred(act.order, number)):
            return ""
        return "whenever its condition holds" if act is not None and act.tests else "whenever its turn comes"

    def _is_barred(self, order: Order, number: int) -> bool:
        """Whether what an order has lapsed for bars it as things stand, too."""
        refusal = self.table.rules.why_not(self.table.game.state, self.side, order)
        return refusal is not None and {lapse.reason for lapse in self.why[number, ""]} == {refusal.reason}

    def endings(self) -> list[Ending]:
        """The ends of the game, the most frequent first; then those that the other player could choose oftener."""
        more = {end: count for end, count in self.chosen.items() if count > self.ends.get(end, 0)}
        return [*self._ranked(self.ends, ""), *self._ranked(more, self.other)]

    def _ranked(self, ends: dict[_End, Fraction | int], chooser: str) -> Iterator[Ending]:
        alike: dict[tuple[str | None, str, int, str], dict[str, Fraction | int]] = {}
        for (winner, clause, reason, place, idle), count in ends.items():
            alike.setdefault((winner, clause, place, idle), {})[reason] = count
        for (winner, clause, place, idle), counts in sorted(alike.items(), key=lambda end: -sum(end[1].values())):
            line, part = self.parts[place] if place >= 0 else (0, None)
            act, share = order_of(part), float(sum(counts.values()) / self.whole)
            words, reason = act.words if act is not None else (), max(counts, key=lambda reason: counts[reason])
            told = Ending(self.side, winner, clause, reason, share, line, words, self.about, idle=idle, chooser=chooser)
            yield told._replace(reasons=len(counts))


def _why_lapsed(step: Step) -> tuple[Words, str]:
    """The words of an order that has lapsed, and why."""
    return tuple(step["words"]), f"{step['reason']}" + (f" [{step['clause']}]" if step["clause"] else "")
