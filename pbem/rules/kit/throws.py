"""Throws of dice: all of them counted, exact chances, and the throw that is worst for a side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import groupby, product
from typing import TYPE_CHECKING, Literal, TypeAlias, TypeVar

from pbem.rules.requests import Draw, Roll

if TYPE_CHECKING:
    from fractions import Fraction

__all__ = ["Good", "Shares", "by_sum", "runs", "shares", "throws", "worst"]

T = TypeVar("T")

Shares: TypeAlias = "dict[str, Fraction]"
"""Outcome -> its chance; outcomes that can't be are left out."""

Good: TypeAlias = Mapping[str, Literal["high", "low"]]
"""Stem of a roll's label -> which dice are good for the side whose unit acts, checks or comes."""


def throws(dice: int, sides: int = 6) -> Iterator[tuple[int, ...]]:
    """Every throw of some dice."""
    return product(range(1, sides + 1), repeat=dice)


def by_sum(outcome: Callable[[int], T], dice: int = 2, sides: int = 6) -> Counter[T]:
    """Outcome -> how many throws bring it, where the sum of the dice decides."""
    found: Counter[T] = Counter()
    for total, times in Counter(map(sum, throws(dice, sides))).items():
        found[outcome(total)] += times
    return found


def shares(found: Counter[str], outcomes: Iterable[str]) -> Shares:
    """The chances of these outcomes, in this order."""
    from fractions import Fraction  # imported where used: most commands tell no odds

    return {outcome: Fraction(found[outcome], found.total()) for outcome in outcomes if found[outcome]}


def runs(results: Iterable[int], outcome: Callable[[int], str]) -> str:
    """What rising results of dice bring: `no effect (2 to 5), D (6 to 9), DD (10 to 12)`."""
    found = [(what, [*those]) for what, those in groupby(results, outcome)]
    return ", ".join(f"{what} ({those[0]}{f' to {those[-1]}' * (len(those) > 1)})" for what, those in found)


def worst(
    request: Roll | Draw, side: str, owner: str | None, good: Good, worth: Callable[[str], int] = lambda _: 0
) -> tuple[int, ...] | tuple[str, ...]:
    """The answer to a pending chance that is worst for `side`: lowest or highest dice, weakest or best counters.

    `owner` is the side whose unit acts, checks or comes; `worth` says how much a counter adds to it.
    """
    own = owner == side
    if isinstance(request, Draw):
        ranked = sorted(request.cup, key=lambda counter: (worth(counter), counter), reverse=not own)
        return tuple(ranked[: request.count])
    high = good[request.label.split("/")[0]] == "high"
    return (1 if high == own else request.sides,) * request.dice
