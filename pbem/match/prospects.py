"""What may come of orders, in words: an order that lapses, a condition to stop, an end of the game, its share."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pbem.match.course import Step
from pbem.match.orders import Part
from pbem.records import NamedTuple
from pbem.rules.requests import Words
from pbem.words import per_cent

__all__ = ["BEFORE", "Ending", "Lapse", "Stop", "as_if_idle", "give_or_take", "if_idle", "if_so", "lost", "of_all"]

BEFORE = {
    "": "all that is asked is over before it",
    "a stop condition holds": "another stop holds before it",
    "an order lapsed under `strict`": "an order lapses before it, which is a stop under `strict`",
    "the step can't end so": "the step before it can't end so, and the rest is dropped",
}
"""Why the rest of the orders was dropped, "" where it wasn't -> why a condition to stop isn't reached then."""


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
        closes = f"; `{self.closes}` then ends the phase, in which nothing is carried out" if self.closes else ""
        always = f", {self.never}, and is never carried out" if self.never else ""
        often = f"{of_all(self.share)} of the futures{always}{if_idle(self.idle)}"
        return f"{self._lapses} in {often}, as in: {self._because}{closes}"

    @property
    def beside_errors(self) -> str:
        """What is said of it while other lines are wrong, so without a share; "" of what may come right."""
        return f"{self._lapses} {self.never}, as in: {self._because}" if self.never else ""

    @property
    def _lapses(self) -> str:
        what = f"goes on without {self.without}" if self.without else "lapses"
        whose = self.without.removeprefix("the rest of ").removesuffix("'s way")
        if self.without.startswith("the rest of "):
            named = " " not in whose and whose not in " ".join(self.words).split()[:2]  # one of several who are led
            what = f"lets {whose} stop short" if named else "stops short"
        return f"line {self.line}: `{' '.join(self.words)}` {what}"

    @property
    def _because(self) -> str:
        return self.reason + (f" [{self.clause}]" if self.clause else "")


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
        what = "I lose the game" if self.lost else "I win the game" if self.winner else "the game is drawn"
        by = f" by `{' '.join(self.words)}`" if self.words else ""
        place = f"line {self.line}: " if self.words and self.line else ""
        share = f"{self._share} of the futures{by}{if_so(self.chooser)}{if_idle(self.idle)}"
        return f"{place}{what} in {share}{self._because}"

    @property
    def _because(self) -> str:
        return f"{', as in' if self.reasons > 1 else ''}: {self.reason} [{self.clause}]"

    @property
    def _share(self) -> str:
        if not self.about:
            return per_cent(self.share, 1)
        return f"{'about ' if self.share < 1 else ''}{of_all(self.share)}"


class Stop(NamedTuple):
    """A condition to stop: its line, in how many futures it came to its turn, and in how many it held then.

    `cut` has why the rest of the orders was dropped in some futures, and "" where in others it wasn't; `how` tells of
    one that never holds how that stands of which it asks. `before` has whose decision is asked in some of the futures
    while it is watched still; "" where it is in none.
    """

    line: int
    part: Part
    tested: int
    held: int
    cut: frozenset[str] = frozenset()
    how: str = ""
    before: str = ""


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


def give_or_take(played: int) -> str:
    """How far such a number may be from the true share: two standard errors of a share of one half."""
    by = f"give or take about {round(played**0.5)} of {played}, two standard errors where half of them are so"
    return f"what is told of {played} futures played out comes of random dice: {by}, less towards none or all"


def if_idle(player: str) -> str:
    """What is said of what comes only behind decisions of a player who is taken to do nothing; "" for none."""
    return f", if {player} gives no orders in between" if player else ""


def as_if_idle(player: str) -> str:
    """The same of all that comes behind these decisions."""
    return f"what comes behind {player}'s decisions is looked at as if {player} gave no orders in between"


def if_so(chooser: str) -> str:
    """What is said of what comes only by the answer of a player who is asked; "" for none."""
    return f", if {chooser} so chooses" if chooser else ""


def of_all(share: float) -> str:
    """A share in whole percents, one too small for it with a digit behind the point."""
    return per_cent(share, 0 if share >= 0.01 else 1)
