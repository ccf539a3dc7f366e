"""What may come of orders before they are signed: played out with random dice, how often they lapse or end the game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, TypeVar

from pbem.crypto.hashing import canonical_json, digest
from pbem.match.comes import Comes
from pbem.match.course import Step
from pbem.match.orders import Act, Part, Plan, StopIf, short_phase, statement_of
from pbem.match.table import Table
from pbem.match.take import imagine_on
from pbem.match.way import Answered, Chosen, Way, answered, answers_told, common_of, replied
from pbem.rules.requests import Answer, Chance, Choose, Danger, Draw, Roll, Words
from pbem.words import per_cent

if TYPE_CHECKING:
    from fractions import Fraction

__all__ = [
    "SURE", "Ending", "Futures", "Lapse", "Steady", "Stop", "Tally", "as_if_idle", "chance_answer", "chances_of",
    "futures", "give_or_take", "if_idle", "if_so", "lost", "order_of", "when",
]  # fmt: skip

T = TypeVar("T")

SURE = 20
"""Futures that must at least have been played out before what was so in all of them counts as certain."""

AGAIN = 3
"""How many times as many futures are looked at when an order has lapsed in all so far."""


FEW = 5
"""Futures in which an order must at least have lapsed before it is said that it is never carried out."""


class Lapse(NamedTuple):
    """An order that becomes illegal in some of the futures: its line, words, share of them (0 to 1), a reason.

    Where it goes on without a part of it, `without` names that. `never` says when it lapses if it is never carried out.
    Of several `reasons` it has the most frequent. `idle` names the other player where it comes behind what he decides,
    as if he did nothing then. `closes` is the plan that ends the phase where none of those for it is carried out.
    """

    line: int
    words: Words
    share: float
    clause: str
    reason: str
    without: str = ""
    never: str = ""
    idle: str = ""
    closes: str = ""
    reasons: int = 1

    def __str__(self) -> str:
        because = f"{self.reason}" + (f" [{self.clause}]" if self.clause else "")
        order = f"line {self.line}: `{' '.join(self.words)}`"
        what = f"goes on without {self.without}" if self.without else "lapses"
        what = "stops short" if self.without.startswith("the rest of ") else what
        always = f", {self.never}, and is never carried out" if self.never else ""
        closes = f"; `{self.closes}` then ends the phase, in which nothing is carried out" if self.closes else ""
        often = f"{_of_all(self.share)} of the futures{always}{if_idle(self.idle)}"
        return f"{order} {what} in {often}, as in: {because}{closes}"


class Ending(NamedTuple):
    """An end of the game that orders may bring, in which share of the futures (0 to 1), as a side sees it.

    It comes by the order of `words` on `line`; it comes otherwise, as at the end of a turn, where there are none, with
    the `last` turn whatever is ordered. The share is one of all futures that can be, or `about` so, where some of them
    were played out. `idle` is as in a Lapse. `chooser` names the other player where it comes only if he so answers what
    he is asked there; the share is then that of all futures in which he can. Where there are several `reasons` by one
    clause, as so many points lost, it has the most frequent.
    """

    side: str
    winner: str | None
    clause: str
    reason: str
    share: float
    line: int
    words: Words
    about: bool = True
    last: bool = False
    idle: str = ""
    chooser: str = ""
    reasons: int = 1

    @property
    def lost(self) -> bool:
        """Whether it is the side's defeat."""
        return self.winner not in (None, self.side)

    @property
    def note(self) -> str:
        """What is said of an order by which it comes, behind it."""
        verb = "lose" if self.lost else "win" if self.winner else "draw"
        if self.chooser:
            what = f"may {verb} the game ({self._share}{if_so(self.chooser)})"
        else:
            what = f"may {verb} the game ({self._share})" if self.share < 1 else f"{verb}s the game"
        return f"{what}{self._because}"

    def __str__(self) -> str:
        what = "is lost" if self.lost else "is won" if self.winner else "is drawn"
        by = f" by `{' '.join(self.words)}`" if self.words else ""
        place = f"line {self.line}: " if self.words and self.line else ""
        share = f"{self._share} of the futures{by}{if_so(self.chooser)}{if_idle(self.idle)}"
        return f"{place}the game {what} in {share}{self._because}"

    @property
    def _because(self) -> str:
        return f"{', as in' if self.reasons > 1 else ''}: {self.reason} [{self.clause}]"

    @property
    def _share(self) -> str:
        if not self.about:
            return per_cent(self.share, 1)
        return f"{'about ' if self.share < 1 else ''}{_of_all(self.share)}"


def give_or_take(played: int) -> str:
    """How far such a number may be from the true share: two standard errors of a share of one half."""
    by = f"give or take about {round(played**0.5)} of {played}, two standard errors where half of them are so"
    return f"what is told of {played} futures played out comes of random dice: {by}, less towards none or all"


def if_idle(player: str) -> str:
    """What is said of what comes only behind decisions of a player who is taken to do nothing; "" for none."""
    return f", if {player} gives no orders in between" if player else ""


def as_if_idle(player: str) -> str:
    """The same of plans."""
    return f"plans are looked at as if {player} gave no orders in between"


def if_so(chooser: str) -> str:
    """What is said of what comes only by the answer of a player who is asked; "" for none."""
    return f", if {chooser} so chooses" if chooser else ""


def _of_all(share: float) -> str:
    """A share in whole percents, one too small for it with a digit behind the point."""
    return per_cent(share, 0 if share >= 0.01 else 1)


class Stop(NamedTuple):
    """A condition to stop: its line, in how many futures it came to its turn, and in how many it held then."""

    line: int
    part: Part
    tested: int
    held: int


_End: TypeAlias = tuple[str | None, str, str, int, str]
"""Winner, clause, reason, the place of the part by which it comes, -1 for none, and who is idle before it."""


def chance_answer(request: Roll | Draw, chance: Chance) -> Answer:
    """Dice or counters from a random generator, for looking ahead and for bots."""
    if isinstance(request, Roll):
        return tuple(1 + chance.randrange(request.sides) for _ in range(request.dice))
    cup = list(request.cup)
    return tuple(cup.pop(chance.randrange(len(cup))) for _ in range(request.count))


def lost(steps: Iterable[Step]) -> Iterator[Lapse]:
    """What became illegal of the entry that is looked at, orders and parts of them; the line is the part's number."""
    for step in steps:
        number = step.get("number", 0)
        if number and step["kind"] == "lapse":
            yield Lapse(number, tuple(step["words"]), 1, step["clause"], step["reason"])
        elif number and step["kind"] == "tell":  # a part of an order is dropped
            facts = step["facts"]
            part = facts.get("part") or facts.get("unit", "a part of it")
            yield Lapse(number, (facts["order"],), 1, step["clause"], facts["reason"], part)


def order_of(part: Part | None) -> Act | None:
    """The order that a part gives, planned or not; None for one that gives none."""
    inside = part.part if isinstance(part, Plan) else part
    return inside if isinstance(inside, Act) else None


def when(part: Part) -> Words:
    """The words that stand before those of a planned order: `in melee:`; none of another one."""
    return ("in", f"{part.phase}:") if isinstance(part, Plan) else ()


class Tally:
    """What comes of orders in the futures so far: how often each lapses and why, and how the game ends."""

    def __init__(self, table: Table, side: str, parts: Sequence[tuple[int, Part]]) -> None:
        self.side, self.parts, self.played = side, parts, 0
        self.other = table.genesis.other(table.genesis.of_side(side).name).name
        self.closing = (table.rules.CLOSING,)
        request = table.game.request
        self.ending = type(request.ends.order) if isinstance(request, Choose) and request.ends is not None else None
        """What kind of order ends a step, which may have ended by itself."""
        self.lapsed: Counter[tuple[int, str]] = Counter()
        self.carried: set[int] = set()
        self.waiting: set[int] = set()
        self.asks = ""
        self.stopped: Counter[int] = Counter()
        self.tested: Counter[int] = Counter()
        """Conditions to stop: in how many futures each held, and came to its turn."""
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
    ) -> None:
        """Count one future, which is played out; `before` is what happened up to where the table was forked.

        `share` is how much it counts beside the others. From step `sure` on, if any, the other player was idle. The
        `choices` are the ends of the game that he could have chosen.
        """
        self.played, self.whole = self.played + 1, self.whole + share
        steps = [*before, *ahead.steps]
        self.answers.update(answered(steps))
        self.replies.update({canonical_json(list(group)) for group in replied(steps[:sure])})
        self.theirs.update({_why_lapsed(s) for s in steps[:sure] if s["kind"] == "lapse" and s["side"] != self.side})
        idle = "" if sure is None else self.other
        could = {(*c.outcome, self._ended_by(c.table, c.steps), idle) for c in choices}
        if (outcome := ahead.game.outcome) is not None:
            end = (*outcome, self._ended_by(ahead, steps), idle)
            self.ends[end] = self.ends.get(end, 0) + share
            could.add(end)
        for end in could:
            self.chosen[end] = self.chosen.get(end, 0) + share
        self.carried.update(
            step["number"] for step in steps if step["kind"] in ("order", "answer") and "number" in step
        )
        own = [step for step in steps if step["kind"] == "stop" and step["side"] == self.side]
        self.stopped.update(step["number"] for step in own if "number" in step)
        course = ahead.course
        self.tested.update(number for side, number in course.tested if side == self.side)
        for queue in (course.queues[self.side], course.reactions[self.side], course.plans[self.side]):
            self.waiting.update(number for number, _ in queue if ahead.game.request is not None)
        if isinstance(request := ahead.game.request, Choose) and course.plans[self.side]:
            who = "I am" if request.side == self.side else f"{self.other} is"
            self.asks = f"{who} asked ({request.kind})"
        later = [] if sure is None else steps[sure:]
        for lapse in (*lost(steps[:sure]), *(lapse._replace(idle=self.other) for lapse in lost(later))):
            self.lapsed[lapse.line, lapse.without] += 1
            self.why.setdefault((lapse.line, lapse.without), Counter())[lapse] += 1

    def look_out(self, ahead: Table) -> None:
        """Count what threatens where a future has led."""
        for danger in ahead.rules.dangers(ahead.game.state, self.side):
            self.threats.setdefault(danger.clause, Counter())[danger] += 1

    def dangers(self) -> Iterator[str]:
        """What threatens where the futures have led, each with its most frequent words."""
        for found in self.threats.values():
            ((danger, _),) = found.most_common(1)
            share = found.total() / self.played
            often = f"in {_of_all(share)} of the futures " if share < 1 else ""
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

    def unused(self) -> list[tuple[int, Part]]:
        """The orders that neither were carried out nor lapsed nor waited in any future."""
        told = self.carried | self.waiting | {number for number, _ in self.lapsed}
        parts = enumerate(self.parts, 1)
        return [(line, part) for number, (line, part) in parts if number not in told and self._is_order(part)]

    def stops(self) -> list[Stop]:
        """The conditions to stop that don't wait in any future, and don't hold in all of them."""
        found = [
            Stop(line, part, self.tested[number], self.stopped[number])
            for number, (line, part) in enumerate(self.parts, 1)
            if isinstance(part.part if isinstance(part, Plan) else part, StopIf) and number not in self.waiting
        ]
        return [stop for stop in found if stop.held < self.played]

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
        """Of each phase in which no plan but the closing order is carried out: the last that lapses -> that plan."""
        last: dict[str, int] = {}
        used: dict[str, list[Plan]] = {}
        for number, (_, part) in enumerate(self.parts, 1):
            if isinstance(part, Plan) and order_of(part) is not None:
                phase = short_phase(self.side, part.phase)
                if (number, "") in self.lapsed:
                    last[phase] = number
                if number in self.carried:
                    used.setdefault(phase, []).append(part)
        closing = {phase: plans[0] for phase, plans in used.items() if len(plans) == 1 and not self._is_order(plans[0])}
        return {last[phase]: str(statement_of(closing[phase])).removesuffix(";") for phase in last.keys() & closing}

    def _never(self, number: int, without: str, count: int) -> str:
        """When an order lapses that is carried out in no future; "" where that isn't so, or seldom seen."""
        if without or number in self.carried or not FEW <= count < self.played:
            return ""
        act = order_of(self.parts[number - 1][1])
        return "whenever its condition holds" if act is not None and act.tests else "whenever its turn comes"

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


class Futures(NamedTuple):
    """What may come of orders: lapses, ends of the game, how many futures were played out, who makes the choices there.

    `unused` are the orders, each with its line, that are carried out in none, without a lapse; none are named where the
    futures are too few. `idle` names the other player where he decides between the orders and plans behind them, and is
    taken to do nothing then. `comes` tells what each order comes to, `dangers` what threatens behind all of them.
    `behind` are plans behind a decision with which futures end, `asks` who is asked it. `stops` are the conditions to
    stop that don't hold in all futures. `replies` are the answers of `replied`, as canonical JSON, each with the number
    of futures in which it came, `theirs` the orders of the other player that surely lapse.
    """

    lapses: list[Lapse]
    endings: list[Ending]
    played: int
    answers: list[str]
    unused: list[tuple[int, Part]]
    idle: str
    comes: Comes
    dangers: Sequence[str] = ()
    behind: Sequence[tuple[int, Part]] = ()
    asks: str = ""
    stops: Sequence[Stop] = ()
    replies: Mapping[bytes, int] = {}
    theirs: Sequence[str] = ()


def _why_lapsed(step: Step) -> tuple[Words, str]:
    """The words of an order that has lapsed, and why."""
    return tuple(step["words"]), f"{step['reason']}" + (f" [{step['clause']}]" if step["clause"] else "")


def futures(
    table: Table, side: str, parts: list[tuple[int, Part]], chance: Chance | None, runs: int, most: int
) -> Futures:
    """What comes of an entry when it is played out with random dice, in so many runs; by its `chances_of`, or a chance.

    Several orders may stand on one line. Up to the first chance all futures are one, which is played once. Of what has
    lapsed in all of them more are looked at, `most` of all.
    """
    way = Way(side)
    common, sure = common_of(table, side, parts, way)
    dice = isinstance(common.game.request, Roll | Draw)
    runs = runs if dice else 1
    tally, comes = Tally(table, side, parts), Comes(common)
    ahead, before, chances = common, way.choices, chances_of(common)
    falls: Chance = chance or Steady(0)

    def chancer(request: Roll | Draw) -> Answer:
        comes.look(ahead, common.steps)
        return chance_answer(request, falls)

    again = min(most, (1 + AGAIN) * runs)
    while tally.played < runs or (SURE <= runs <= tally.played < again and tally.none_left()):
        ahead, way.choices, falls = common.fork(), [], chance or next(chances)
        imagine_on(ahead, chancer)
        later = way.on(ahead, chancer)
        if sure is None and later is not None:
            later += len(common.steps)
        choices = [*before, *(c._replace(steps=[*common.steps, *c.steps]) for c in way.choices)]
        tally.count(ahead, common.steps, sure=later if sure is None else sure, choices=choices)
        tally.look_out(ahead)
        comes.count([*common.steps, *ahead.steps])
    enough = not dice or tally.played >= SURE
    unused, stops = (tally.unused(), tally.stops()) if enough else ([], [])
    idle = tally.other if way.idle else ""
    answers = answers_told(table, side, tally.answers, asked=way.asked)
    lapses, ends, dangers = tally.lapses(), tally.endings(), [*tally.dangers()]
    found = Futures(
        lapses, ends, tally.played, answers, unused, idle, comes, dangers, tally.behind(), tally.asks, stops
    )
    return found._replace(replies=tally.replies, theirs=[*tally.theirs_lapsed()])


def chances_of(table: Table) -> Iterator[Steady]:
    """Random numbers of one future after another, by the position that waits for dice and by what is ordered in it.

    Nothing else counts, so that the futures of orders are the same before they are signed and after; and no secret
    does, so that no die of the game comes of them.
    """
    course = table.course
    waiting = (queue for of in (course.queues, course.reactions, course.plans) for _, queue in sorted(of.items()))
    said = [[str(statement_of(part)) for _, part in queue] for queue in waiting]
    base = digest("pbem-futures/1", canonical_json({"game": course.game.dump(), "said": said}))
    number = 0
    while True:
        yield Steady(int(digest("pbem-future/2", canonical_json([base, number]))[:16], 16))
        number += 1


class Steady:
    """Random numbers that are the same in every run of every Python, by Knuth's linear congruence; none are dice."""

    def __init__(self, number: int) -> None:
        self.state = number

    def randrange(self, stop: int, /) -> int:
        """A number from 0 to below `stop`."""
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self.state >> 33) % stop

    def random(self) -> float:
        """A number from 0 to below 1."""
        return self.randrange(1 << 24) / (1 << 24)

    def choice(self, seq: Sequence[T], /) -> T:
        """One of a list."""
        return seq[self.randrange(len(seq))]
