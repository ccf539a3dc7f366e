"""Orders that name only where a unit shall go, `ORDER U to PLACE`: their words, and why there is no way."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from pbem.errors import AmbiguousOrder, IllegalOrder, MalformedOrder, Refusal
from pbem.records import NamedTuple
from pbem.rules.requests import Choose, Order, Words

__all__ = ["FAR", "TO", "Going", "first_legal", "going", "one_step", "onward"]

TO = "to"

FAR = 10_000
"""More points than any way costs."""

T = TypeVar("T")


class Going(NamedTuple):
    """The words before `to`, the place behind it as one word, and the words of those known that stand behind it."""

    before: Words
    place: str
    behind: Words

    @property
    def unit(self) -> str:
        """What stands between the keyword and `to`, as one word: a unit, its name perhaps of several words."""
        return "_".join(self.before[1:])


def going(words: Words, known: Iterable[str] = ()) -> Going | None:
    """The parts of an order with `to`; None for one without it. `known` are words that may stand behind the place."""
    if TO not in words[2:-1]:
        return None
    at = words.index(TO, 2)
    end = len(words)
    while end > at + 2 and words[end - 1] in known:
        end -= 1
    return Going(words[:at], "_".join(words[at + 1 : end]), words[end:])


def onward(_: object, __: Choose, ___: Words, ____: Sequence[Order]) -> Order | None:
    """Rules.onward of a system whose ways are all gone as they are signed."""
    return None


def one_step(read: Callable[[Words], T], words: Words) -> T:
    """The order that words with `to` would mean if one step led there. Raises what `read` raises."""
    at = words.index(TO, 2)
    try:
        return read(words[:at] + words[at + 1 :])
    except (AmbiguousOrder, MalformedOrder):
        return read((words[0], "_".join(words[1:at]), "_".join(words[at + 1 :])))  # names of several words


def first_legal(
    orders: Iterable[T], why_not: Callable[[Order], Refusal | None], why_none: Callable[[], Refusal], words: Words
) -> T:
    """The first of these orders that is legal. Raises IllegalOrder with `why_none` where none is."""
    for order in orders:
        if why_not(order) is None:
            return order
    refusal = why_none()
    raise IllegalOrder(f"`{' '.join(words)}`: {refusal.reason}", clause=refusal.clause)
