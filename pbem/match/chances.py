"""Dice for looking ahead, none of the game: random numbers that are the same in every run, for each future its own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar

from pbem.crypto.hashing import canonical_json, digest
from pbem.match.orders import statement_of
from pbem.match.table import Table
from pbem.rules.requests import Answer, Chance, Draw, Roll

__all__ = ["Steady", "chance_answer", "chances_of"]

T = TypeVar("T")


def chance_answer(request: Roll | Draw, chance: Chance) -> Answer:
    """Dice or counters from a random generator, for looking ahead and for bots."""
    if isinstance(request, Roll):
        return tuple(1 + chance.randrange(request.sides) for _ in range(request.dice))
    cup = list(request.cup)
    return tuple(cup.pop(chance.randrange(len(cup))) for _ in range(request.count))


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
