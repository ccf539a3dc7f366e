"""What may come of orders before they are signed: played out with random dice, how often they lapse or end the game."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from pbem.match.course import Chancer, Step
from pbem.match.orders import Act, Part
from pbem.match.table import Table
from pbem.match.take import imagine, imagine_on
from pbem.rules.requests import Answer, Chance, Choose, Draw, Roll, Words

if TYPE_CHECKING:
    from fractions import Fraction

__all__ = [
    "SURE", "Ending", "Lapse", "Steady", "Tally", "chance_answer", "common_of", "forked", "futures", "lost",
    "past_questions",
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
    """

    line: int
    words: Words
    share: float
    clause: str
    reason: str
    without: str = ""
    never: str = ""

    def __str__(self) -> str:
        because = f"{self.reason}" + (f" [{self.clause}]" if self.clause else "")
        order = f"line {self.line}: `{' '.join(self.words)}`"
        what = f"goes on without {self.without}" if self.without else "lapses"
        always = f", {self.never}, and is never carried out" if self.never else ""
        return f"{order} {what} in {_percent(self.share)} of the futures{always}, as in: {because}"


class Ending(NamedTuple):
    """An end of the game that orders may bring, in which share of the futures (0 to 1), as a side sees it.

    It comes by the order of `words` on `line`; it comes otherwise, as at the end of a turn, where there are none, with
    the `last` turn whatever is ordered. The share is one of all futures that can be, or `about` so, where some of them
    were played out.
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

    @property
    def lost(self) -> bool:
        """Whether it is the side's defeat."""
        return self.winner not in (None, self.side)

    @property
    def note(self) -> str:
        """What is said of an order by which it comes, behind it."""
        verb = "lose" if self.lost else "win" if self.winner else "draw"
        what = f"may {verb} the game ({self._share})" if self.share < 1 else f"{verb}s the game"
        return f"{what}: {self.reason} [{self.clause}]"

    def __str__(self) -> str:
        what = "is lost" if self.lost else "is won" if self.winner else "is drawn"
        by = f" by `{' '.join(self.words)}`" if self.words else ""
        place = f"line {self.line}: " if self.words and self.line else ""
        return f"{place}the game {what} in {self._share} of the futures{by}: {self.reason} [{self.clause}]"

    @property
    def _share(self) -> str:
        return f"{'about ' if self.about and self.share < 1 else ''}{_percent(self.share)}"


def _percent(share: float) -> str:
    """A share in whole percents, one too small for it with a digit behind the point."""
    return f"{share:.0%}" if share >= 0.01 else f"{max(share, 0.001):.1%}"


def chance_answer(request: Roll | Draw, chance: Chance) -> Answer:
    """Dice or counters from a random generator, for looking ahead and for bots."""
    if isinstance(request, Roll):
        return tuple(1 + chance.randrange(request.sides) for _ in range(request.dice))
    cup = list(request.cup)
    return tuple(cup.pop(chance.randrange(len(cup))) for _ in range(request.count))


def forked(table: Table) -> Table:
    """The table to imagine on; what is left of earlier entries, of either side, has the number 0 there."""
    ahead = table.fork()
    for queues in (ahead.course.queues, ahead.course.reactions, ahead.course.plans):
        queues.update({side: deque((0, part) for _, part in queue) for side, queue in queues.items()})
    return ahead


def lost(steps: Iterable[Step]) -> Iterator[Lapse]:
    """What became illegal of the entry that is looked at, orders and parts of them; the line is the part's number."""
    for step in steps:
        number = step.get("number", 0)
        if number and step["kind"] == "lapse":
            yield Lapse(number, tuple(step["words"]), 1, step["clause"], step["reason"])
        elif number and step["kind"] == "tell":  # a part of an order is dropped
            facts = step["facts"]
            part = facts.get("unit", "a part of it")
            yield Lapse(number, (facts["order"],), 1, step["clause"], facts["reason"], part)


def past_questions(ahead: Table, chancer: Chancer) -> bool:
    """Go on where somebody is asked, who answers as the rules would choose; whether anyone was."""
    asked = False
    while isinstance(request := ahead.game.request, Choose) and request.reaction and request.default is not None:
        asked = True
        ahead.game.apply(request.default())
        imagine_on(ahead, chancer)
    return asked


class Tally:
    """What comes of orders in the futures so far: how often each lapses and why, and how the game ends."""

    def __init__(self, side: str, parts: list[tuple[int, Part]]) -> None:
        self.side, self.parts, self.played = side, parts, 0
        self.lapsed: Counter[tuple[int, str]] = Counter()
        self.carried: set[int] = set()
        self.why: dict[tuple[int, str], Counter[Lapse]] = {}
        self.ends: dict[tuple[str | None, str, str, int], Fraction | int] = {}
        self.whole: Fraction | int = 0
        self.about = True

    def count(self, ahead: Table, before: Sequence[Step], share: Fraction | int = 1) -> None:
        """Count one future, which is played out; `before` is what happened up to where the table was forked.

        `share` is how much it counts beside the others.
        """
        self.played, self.whole = self.played + 1, self.whole + share
        steps = [*before, *ahead.steps]
        if (outcome := ahead.game.outcome) is not None:
            end = (*outcome, self._ended_by(ahead, steps))
            self.ends[end] = self.ends.get(end, 0) + share
        self.carried.update(
            step["number"] for step in steps if step["kind"] in ("order", "answer") and "number" in step
        )
        for lapse in lost(steps):
            self.lapsed[lapse.line, lapse.without] += 1
            self.why.setdefault((lapse.line, lapse.without), Counter())[lapse] += 1

    def none_left(self) -> bool:
        """Whether an order has lapsed in every future so far."""
        return any(count == self.played and not without for (_, without), count in self.lapsed.items())

    def _ended_by(self, ahead: Table, steps: Sequence[Step]) -> int:
        """Which part ended the game, -1 for none: the order by which it was over before anything else came."""
        left = ahead.game.left
        if left is None or ahead.rules.outcome(left) is None:
            return -1
        own = [s for s in steps if (s["kind"] == "order" or s.get("how") == "react") and s["side"] == self.side]
        words = tuple(own[-1]["words"][:2]) if own else ()
        acts = [(place, part) for place, (_, part) in enumerate(self.parts) if isinstance(part, Act)]
        fits = [place for place, part in acts if part.words[:2] == words and words != (ahead.rules.CLOSING,)]
        return fits[-1] if fits else -1

    def lapses(self) -> list[Lapse]:
        """The orders that lapse or go on without a part, each with the reason that is most frequent."""
        found = []
        for at, count in sorted(self.lapsed.items()):
            ((most, _),) = self.why[at].most_common(1)
            line, never = self.parts[at[0] - 1][0], self._never(*at, count)
            found.append(most._replace(line=line, share=count / self.played, never=never))
        return found

    def _never(self, number: int, without: str, count: int) -> str:
        """When an order lapses that is carried out in no future; "" where that isn't so, or seldom seen."""
        if without or number in self.carried or not FEW <= count < self.played:
            return ""
        part = self.parts[number - 1][1]
        return "whenever its condition holds" if isinstance(part, Act) and part.tests else "whenever its turn comes"

    def endings(self) -> list[Ending]:
        """The ends of the game, the most frequent first."""
        found = []
        for (winner, clause, reason, place), count in sorted(self.ends.items(), key=lambda end: -end[1]):
            line, part = self.parts[place] if place >= 0 else (0, None)
            words = part.words if isinstance(part, Act) else ()
            share = float(count / self.whole)
            found.append(Ending(self.side, winner, clause, reason, share, line, words, self.about))
        return found


def futures(
    table: Table, side: str, parts: list[tuple[int, Part]], chance: Chance, runs: int
) -> tuple[list[Lapse], list[Ending], int, bool]:
    """How often each order lapses, and the game ends, when the entry is played out with random dice; in how many runs.

    Last, whether anyone is asked. Several orders may stand on one line. Up to the first chance all futures are one,
    which is played once. Of what has lapsed in all of them more are looked at.
    """
    common, asked = common_of(table, side, parts)
    if not isinstance(common.game.request, Roll | Draw):
        runs = 1
    tally = Tally(side, parts)

    def chancer(request: Roll | Draw) -> Answer:
        return chance_answer(request, chance)

    while tally.played < runs or (SURE <= runs <= tally.played < (1 + AGAIN) * runs and tally.none_left()):
        ahead = common.fork()
        imagine_on(ahead, chancer)
        asked |= past_questions(ahead, chancer)
        tally.count(ahead, common.steps)
    return tally.lapses(), tally.endings(), tally.played, asked


def common_of(table: Table, side: str, parts: Sequence[tuple[int, Part]]) -> tuple[Table, bool]:
    """What all futures of an entry have in common, up to the first chance; and whether anyone is asked there."""
    common = forked(table)
    imagine(common, side, [(place, part) for place, (_, part) in enumerate(parts, 1)], lambda _: None)
    return common, past_questions(common, lambda _: None)


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
