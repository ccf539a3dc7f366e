"""How futures of a side's orders begin and go on: what is left of earlier entries, and where somebody is asked."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import takewhile
from typing import TypeAlias

from pbem.match.chances import Steady, chance_answer
from pbem.match.course import Chancer, Step
from pbem.match.game import Game
from pbem.match.orders import Act, Part, Plan, StopIf, short_phase
from pbem.match.phases import phases_of, plans_to_come
from pbem.match.table import Table
from pbem.match.take import imagine, imagine_on
from pbem.records import NamedTuple
from pbem.rules.requests import Answer, Chance, Choose, Draw, Order, Outcome, Roll, Words

__all__ = [
    "ANSWERS",
    "LOOKED",
    "NAMED",
    "Answered",
    "Chosen",
    "Way",
    "answered",
    "answers_told",
    "asked_behind",
    "asked_in",
    "behind",
    "common_of",
    "forked",
    "imagined",
    "likeliest",
    "replied",
]

LOOKED = 200
"""Plans of a side that are looked at in futures."""

ANSWERS = "who is asked something in these futures answers as the rules would choose"
"""What is taken for granted where a side is asked and no standing order answers."""

NAMED = 5
"""So many standing orders that answer, or answers with dice, are named."""

Answered: TypeAlias = tuple[str, str, Words]
"""A choice that is made for a side: whose it is, `standing` or `default`, and the words of the standing order."""


def behind(table: Table, side: str, parts: list[tuple[int, Part]]) -> Table:
    """How it stands behind parts of an entry of a side, up to their first dice; more of the entry is to come."""
    ahead = forked(table)
    ahead.course.going_on = True
    imagine(ahead, side, parts, lambda _: None)
    return ahead


def forked(table: Table) -> Table:
    """The table to imagine on; what is left of earlier entries, of either side, has the number 0 there.

    Of a side's plans so many are looked at: of more, those that come, each once, and the likeliest of them.
    """
    ahead = table.fork()
    for side, plans in ahead.course.plans.items():
        if len(plans) > LOOKED:
            once = [*dict.fromkeys(plans_to_come(table, side))]
            looked = set(likeliest(table, side, once)[:LOOKED] if len(once) > LOOKED else once)
            ahead.course.plans[side] = deque((0, plan) for plan in once if plan in looked)
    for queues in (ahead.course.queues, ahead.course.reactions, ahead.course.plans):
        queues.update({side: deque((0, part) for _, part in queue) for side, queue in queues.items()})
    return ahead


def likeliest(table: Table, side: str, plans: Sequence[Plan]) -> list[Plan]:
    """Plans of a side, those first that would be carried out if nobody did anything before their phase.

    Those follow that then have one thing against them, the test or the order; none is hidden behind hundreds that never
    come. Otherwise they stay in their order.
    """
    against = dict.fromkeys(plans, 3)
    ahead = table.fork()
    for queue in (ahead.course.queues, ahead.course.reactions, ahead.course.plans):
        for waiting in queue.values():
            waiting.clear()
    turn, seen = ahead.rules.clock(ahead.game.state)[0], set[str]()
    while isinstance(request := ahead.game.request, Choose):
        now, phase = ahead.rules.clock(ahead.game.state)
        if now != turn:
            break
        if request.side == side and not request.reaction and phase not in seen:
            seen.add(phase)
            for plan in plans:
                if plan.phase in (phase, short_phase(side, phase)):
                    against[plan] = _against(ahead, request, plan.part)
        if (answer := _idle(ahead, request)) is None:
            break
        ahead.game.apply(answer)
        imagine_on(ahead, lambda chance: ahead.rules.worst(ahead.game.state, chance, side))
    return sorted(plans, key=against.__getitem__)


def _idle(table: Table, request: Choose) -> Order | None:
    """The answer by which nobody does anything; None where something has to be done."""
    if request.reaction:
        return request.default() if request.default is not None else None
    closing = table.rules.read_order(table.board, request.side, (table.rules.CLOSING,))
    orders = [*([request.ends.order] if request.ends is not None else []), closing]
    return next((order for order in orders if request.why_not(order) is None), None)


def asked_in(table: Table, side: str, turn: int, phase: str, falls: Chance) -> Table | None:
    """How it stands when a side is asked for orders in a phase to come, by its id, if nobody gives others than wait.

    None if it isn't asked there, as these dice fall.
    """
    ahead, phases = forked(table), [one["id"] for one in phases_of(table)]

    def chancer(chance: Roll | Draw) -> Answer:
        return chance_answer(chance, falls)

    imagine_on(ahead, chancer)
    while isinstance(request := ahead.game.request, Choose):
        now, at = ahead.rules.clock(ahead.game.state)
        if (now, at) == (turn, phase) and request.side == side and not request.reaction:
            return ahead
        over = (now, phases.index(at)) > (turn, phases.index(phase))
        if over or (answer := _idle(ahead, request)) is None:
            return None
        ahead.game.apply(answer)
        imagine_on(ahead, chancer)
    return None


def asked_behind(table: Table, side: str, parts: Sequence[tuple[int, Part]], step: int, tries: int) -> Iterator[Game]:
    """How it stands in so many futures of parts of an entry when its side is asked for an order of a step behind them.

    Nobody gives other orders. Not those in which the side isn't asked in the same window, or the parts were dropped.
    """
    asked = table.game.request
    window = asked.window if isinstance(asked, Choose) else ""
    for number in range(tries):
        ahead, falls = forked(table), Steady(number)

        def chancer(chance: Roll | Draw, falls: Chance = falls) -> Answer:
            return chance_answer(chance, falls)

        ahead.course.going_on = True
        imagine(ahead, side, [(place, part) for place, (_, part) in enumerate(parts, 1)], chancer)
        if _comes_to(ahead, side, window, step, chancer):
            yield ahead.game


def _comes_to(ahead: Table, side: str, window: str, step: int, chancer: Chancer) -> bool:
    """Go on until a side is asked for an order of a step in a window; whether it is."""
    while isinstance(request := ahead.game.request, Choose):
        if any(found["kind"] == "stop" and found["side"] == side for found in ahead.steps):
            return False
        answer = _idle(ahead, request)
        if request.side == side and not request.reaction:
            if request.window != window:
                return False
            if request.ends is None or step <= request.ends.step:
                return True
            answer = None if request.ends.begun else answer
        if answer is None:
            return False
        ahead.game.apply(answer)
        imagine_on(ahead, chancer)
    return False


def _against(table: Table, request: Choose, part: Part) -> int:
    """How many things are against a part that is planned for the decision that is asked: its tests, its order."""
    tests = part.tests if isinstance(part, Act | StopIf) else ()
    fails = any(table.rules.test(table.game.state, test.words) != test.expected for test in tests)
    if not isinstance(part, Act):
        return int(fails)
    refused = request.why_not(part.order) is not None
    return fails + (refused and table.rules.remainder(table.game.state, request.side, part.order) is None)


class Chosen(NamedTuple):
    """An end of the game by an answer that the other side could give: how it ends, the table then, what happened."""

    outcome: Outcome
    table: Table
    steps: list[Step]


class Way:
    """How a future of one side's orders goes on where somebody is asked; `asked` and `idle` tell whether anyone was.

    Questions are answered as the rules would choose; `choices` has the ends of the game that come at once if the other
    side answers otherwise. As long as plans of the side wait, the other side gives its closing order wherever its
    orders are asked, as if it had none. As long as orders of the side wait in the same window for a later step, or it
    is asked in a phase of its own, it ends the step for which it is asked. With an order `alone` nothing is answered
    behind it.
    """

    def __init__(self, side: str, *, alone: bool = False) -> None:
        self.side, self.alone, self.asked, self.idle = side, alone, False, False
        self.choices: list[Chosen] = []
        self.first = ""
        """What the other side is first asked in this future before orders of the side that are left; "" for nothing."""
        self._shared: set[str] | None = None
        """The phases in which both sides act, once they were asked for."""

    def on(self, ahead: Table, chancer: Chancer) -> int | None:
        """Go on; at which of the steps the other side was first taken to do nothing, None for at none."""
        sure = None
        while isinstance(request := ahead.game.request, Choose):
            if self.alone and ahead.game.begun_by is None:
                break
            self.first = self.first or self._asked_before(ahead, request)
            if request.reaction and request.default is not None:
                self.asked = True
                default = request.default()
                if request.side != self.side:
                    self._look(ahead, [order for order in request.options() if order != default])
                ahead.game.apply(default)
            elif (closing := self._closing(ahead, request)) is not None:
                self.idle = True
                sure = len(ahead.steps) if sure is None else sure
                ahead.game.apply(closing, legal=True)
            else:
                break
            imagine_on(ahead, chancer)
        return sure

    def _asked_before(self, ahead: Table, request: Choose) -> str:
        """What the other side is asked before orders of the side that are left, but for ends of a step, or ""."""
        if request.reaction or request.side == self.side:
            return ""
        ends = type(request.ends.order) if request.ends is not None else None
        acts = (part for _, part in ahead.course.queues[self.side] if isinstance(part, Act))
        left = any(act.words != (ahead.rules.CLOSING,) and type(act.order) is not ends for act in acts)
        return request.kind if left else ""

    def _look(self, ahead: Table, answers: Iterable[Order]) -> None:
        """Take down those of the other side's answers that end the game before any dice or decision."""
        for answer in answers:
            if ahead.rules.decisive(ahead.game.state, answer):
                there = ahead.fork()
                there.game.apply(answer)
                imagine_on(there, lambda _: None)
                if (outcome := there.game.outcome) is not None:
                    self.choices.append(Chosen(outcome, there, [*ahead.steps, *there.steps]))

    def _closing(self, ahead: Table, request: Choose) -> Order | None:
        """The order by which the other side does nothing, where it is asked before plans or orders that wait are used,
        and may give it.
        """
        if request.reaction or request.side == self.side:
            return None
        if ahead.course.plans[self.side]:
            closing = ahead.rules.read_order(ahead.board, request.side, (ahead.rules.CLOSING,))
        elif request.ends is not None and self._waits_behind(ahead, request.window, request.ends.step):
            closing = request.ends.order
        else:
            return None
        return closing if request.why_not(closing) is None else None

    def _waits_behind(self, ahead: Table, window: str, step: int) -> bool:
        """Whether the next order of the side that waits in a window is of a later step, or for a phase of its own."""
        course = ahead.course
        acts = (part.order for _, part in course.queues[self.side] if isinstance(part, Act))
        first = next(acts, None)
        if first is None or course.laid.get(self.side) != window:
            return False
        return ahead.rules.step(first) > step or not self._is_shared(ahead)

    def _is_shared(self, ahead: Table) -> bool:
        """Whether both sides act in the phase that it is, so that an order of this step may come to its turn in it."""
        if self._shared is None:
            self._shared = {phase["id"] for phase in phases_of(ahead) if phase["side"] is None}
        return ahead.rules.clock(ahead.game.state)[1] in self._shared


def imagined(table: Table, side: str, parts: Sequence[tuple[int, Part]]) -> Table:
    """How it stands behind an entry, up to the first chance or decision."""
    common = forked(table)
    imagine(common, side, [(place, part) for place, (_, part) in enumerate(parts, 1)], lambda _: None)
    return common


def common_of(table: Table, side: str, parts: Sequence[tuple[int, Part]], way: Way) -> tuple[Table, int | None]:
    """What all futures of an entry have in common, up to the first chance; and what `Way.on` tells of it."""
    common = imagined(table, side, parts)
    return common, way.on(common, lambda _: None)


def answered(steps: Iterable[Step]) -> Iterator[Answered]:
    """The choices that standing orders, or the rules for want of any, have made in what happened."""
    for step in steps:
        if step["kind"] == "answer" and step["how"] in ("standing", "default"):
            yield from ((step["side"], step["how"], tuple(words)) for words in step.get("by") or [()])


def replied(steps: Sequence[Step]) -> Iterator[tuple[Step, ...]]:
    """The answers that no order has drawn, as to an offer at the end of a phase: each with the events that followed."""
    for place, step in enumerate(steps):
        before = steps[place - 1].get("facts", {}) if place else {}
        if step["kind"] != "answer" or before.get("step") != step["words"][0]:
            continue
        came = takewhile(lambda s: s["kind"] in ("tell", "answer") and s.get("what") != "phase", steps[place + 1 :])
        alone = takewhile(lambda s: "step" not in s.get("facts", {}), came)
        yield (step, *(s for s in alone if s["kind"] == "tell"))


def answers_told(
    table: Table, side: str, found: Iterable[Answered], *, asked: bool, but: Collection[Words] = ()
) -> list[str]:
    """Who makes the choices in the futures of a side's orders; `asked` says that some are left to who is asked.

    Of the side's standing orders `but` it is told otherwise.
    """
    told = []
    made = {one for one in found if one[0] != side or one[1] != "standing" or one[2] not in but}
    for player in table.genesis.players:
        mine = player.side == side
        orders = sorted({words for of, how, words in made if of == player.side and how == "standing"})
        named = [f"`{' '.join(words)}`" for words in orders if words]
        more = [f"{len(named) - NAMED} more"] if len(named) > NAMED else []
        which = f": {', '.join([*named[:NAMED], *more])}" if named else ""
        his = f"{player.name}'s"
        if orders:
            told.append(f"{'my' if mine else his} standing orders answer in these futures{which}")
        if (player.side, "default", ()) in made:
            whose, whom = ("mine", "me") if mine else (his, player.name)
            told.append(f"where no standing order of {whose} answers in these futures, the rules choose for {whom}")
    return told + ([ANSWERS] if asked else [])
