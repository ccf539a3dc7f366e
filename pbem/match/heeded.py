"""Answers given ahead, standing orders too: which are used before anybody decides; whether several are asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice, pairwise

from pbem.match.chances import chance_answer, chances_of
from pbem.match.course import Step
from pbem.match.orders import Act, Part, Standing, statement_of
from pbem.match.table import Table
from pbem.match.take import imagine, imagine_on
from pbem.match.way import forked
from pbem.rules.requests import Choose, Words
from pbem.words import listed

__all__ = ["Heeded", "asked_again"]

TRIES = 30
"""Futures of a question that are looked at for another one behind it."""

STANDING, ANSWER = "standing orders", "answers"

VERBS = {
    STANDING: (("answers", "answers nothing"), ("answer", "answer nothing")),
    ANSWER: (("is used", "isn't used"), ("are used", "aren't used")),
}
"""What is said of one of a kind and of several: that it answers something, and that it doesn't."""


class Heeded:
    """Counts in how many futures of an entry each standing order and answer in it answers something.

    What happened before any dice, and before anybody was taken to decide something, is sure.
    """

    def __init__(self, table: Table, side: str, parts: Sequence[tuple[int, Part]], common: Table) -> None:
        """`common` is what all futures begin with, up to the first dice or decision."""
        asked = table.game.request
        kinds: dict[type, str] = {Standing: STANDING}
        kinds |= {Act: ANSWER} if isinstance(asked, Choose) and asked.reaction else {}
        numbered = [(number, line, part) for number, (line, part) in enumerate(parts, 1)]
        self.given = {n: (line, kinds[type(part)]) for n, line, part in numbered if type(part) in kinds}
        """Number in the entry -> its line, and what it is; standing orders that clear others are none."""
        self._on = Counter(line for line, _ in parts)
        self._said = {n: str(statement_of(part)).removesuffix(";") for n, _, part in numbered if n in self.given}
        self._words: dict[Words, int] = {}
        for number, _, part in numbered:
            if isinstance(part, Standing):
                self._words[part.words] = number  # of several alike the last one counts
        self._side, self.played, self.times = side, 0, Counter[int]()
        self.replaced = self._why_not_in_force(table, common)
        self.sure = self._in(common.steps)
        request = common.game.request
        self.decides = "anybody"
        """Who decides next, where that is known."""
        if isinstance(request, Choose):
            by = table.genesis.of_side(request.side).name
            self.decides = "I" if request.side == side else by
        self.over = request is None

    def _why_not_in_force(self, table: Table, common: Table) -> set[int]:
        """The standing orders that others behind them replace; those that clear others are struck out."""
        rules, s = table.rules, common.game.state
        numbers = {number: words for words, number in self._words.items()}
        for number in [n for n, (_, kind) in self.given.items() if kind == STANDING]:
            if number not in numbers or not rules.in_force(s, [tuple(numbers[number])]):
                del self.given[number]
        laid = {tuple(words) for words in rules.in_force(s, common.course.standing[self._side])}
        return {n for n, (_, kind) in self.given.items() if kind == STANDING and tuple(numbers[n]) not in laid}

    def _in(self, steps: Iterable[Step]) -> set[int]:
        """Those that answer something in what happened."""
        answers = [step for step in steps if step["kind"] == "answer" and step["side"] == self._side]
        used = {self._words.get(tuple(words), 0) for step in answers for words in step.get("by", ())}
        return (used | {step.get("number", 0) for step in answers}) & self.given.keys()

    def count(self, steps: Iterable[Step]) -> None:
        """Count a future by what happened in it."""
        self.played += 1
        self.times.update(self._in(steps))

    def words(self) -> set[Words]:
        """The standing orders in the entry, in words."""
        return set(self._words)

    def told(self, *, known: bool, but: Iterable[int] = ()) -> Iterator[str]:
        """What is said of them, those of each kind in a sentence; of the lines `but` it is said otherwise.

        Nothing is said of the only answer, which is that to what is asked.

        `known` says that nothing was thrown or taken for granted: what answers nothing then surely doesn't.
        """
        for kind in (ANSWER, STANDING):
            lines = {n: line for n, (line, what) in self.given.items() if what == kind and line not in {*but}}
            if lines and not (kind == ANSWER and len(lines) == 1 and self.sure >= lines.keys()):
                yield self._sentence(kind, lines, known=known)

    def _sentence(self, kind: str, lines: Mapping[int, int], *, known: bool) -> str:
        """The sentence about those of one kind, by their numbers and lines."""

        def clause(numbers: Collection[int], often: str, *, does: bool = True) -> str:
            return f"{self._named(numbers)} {VERBS[kind][len(numbers) > 1][not does]} {often}"

        open_ = [n for n in lines if n not in self.sure | self.replaced]
        told = [clause(sure, "for sure")] if (sure := [n for n in lines if n in self.sure]) else []
        one = "the one future that is played out"
        counted = sorted({self.times[n] for n in open_} - {0}, reverse=True)
        for times in counted:
            share = one if self.played == 1 else f"{'all' if times == self.played else f'{times} of'} {self.played}"
            often = f"in {share}{' futures played out' * (self.played > 1 and times == counted[0])}"
            told.append(clause([n for n in open_ if self.times[n] == times], often))
        if none := [n for n in open_ if not self.times[n]]:
            if known:
                end = "the game is over" if self.over else f"{self.decides} decide{'s' * (self.decides != 'I')}"
                dropped = f" and {'is' if len(none) == 1 else 'are'} then dropped" * (kind == ANSWER and not self.over)
                told.append(clause(none, f"before {end}{dropped}", does=False))
            elif self.played == 1:
                told.append(clause(none, f"in {one}", does=False))
            else:
                told.append(clause(none, f"in none of {'them' if counted else f'{self.played} futures played out'}"))
        if replaced := [n for n in lines if n in self.replaced]:
            told.append(clause(replaced, "at all, as a later line takes its place", does=False))
        return f"{kind}: {', '.join(told)}"

    def _named(self, numbers: Iterable[int]) -> str:
        """Some of them by their lines; those that share one with others by their words."""
        alone = sorted(line for n in numbers if self._on[line := self.given[n][0]] == 1)
        others = [f"`{self._said[n]}`" for n in numbers if self._on[self.given[n][0]] > 1]
        return listed([*([_lines(alone)] if alone else []), *others])


def _lines(found: Sequence[int]) -> str:
    """`line 3`, `lines 3 to 5 and 9`."""
    runs: list[list[int]] = [[found[0], found[0]]]
    for before, line in pairwise(found):
        if line == before + 1:
            runs[-1][1] = line
        else:
            runs.append([line, line])
    told = [str(a) if a == b else f"{a} {'and' if b == a + 1 and len(runs) == 1 else 'to'} {b}" for a, b in runs]
    return f"line{'s' * (len(found) > 1)} {listed(told)}"


def asked_again(table: Table) -> bool:
    """Whether the side that is asked what it does in another's orders is asked once more in one of some futures.

    Answers that wait are used there, so that one mail may answer both. False where no question is asked.
    """
    first = table.game.request
    if not isinstance(first, Choose) or not first.reaction:
        return False
    for chance in islice(chances_of(table), TRIES):
        ahead = forked(table)
        answer = first.sample(chance)
        act = Act(answer, table.rules.order_words(table.board, answer))
        chancer = partial(chance_answer, chance=chance)
        imagine(ahead, first.side, [(1, act)], chancer)
        while isinstance(request := ahead.game.request, Choose) and request.reaction:
            if request.side == first.side:
                return True
            ahead.game.apply(request.sample(chance))
            imagine_on(ahead, chancer)
    return False
