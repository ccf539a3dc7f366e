"""Every answer to a request, and the number of nodes so many answers deep.

A node is a game after so many answers. Decisions count by their options, chances by all distinct results: a roll of two
dice has 36, a draw as many as there are orders of the counters drawn.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from itertools import permutations, product
from typing import Any

from pbem.match.game import Game
from pbem.rules.requests import Draw, Request, Roll, Words


def answers(request: Request) -> Iterable[Any]:
    """Every answer to a request."""
    if isinstance(request, Roll):
        return product(range(1, request.sides + 1), repeat=request.dice)
    if isinstance(request, Draw):
        return permutations(request.cup, request.count)
    return request.options()


def number_of_answers(request: Request | None) -> int:
    if request is None:
        return 0
    if isinstance(request, Roll):
        return int(request.sides**request.dice)
    if isinstance(request, Draw):
        return math.perm(len(request.cup), request.count)
    return sum(1 for _ in request.options())


def nodes(game: Game, depth: int) -> int:
    """The number of games `depth` answers from here; one that is over leads nowhere."""
    if depth == 1 or game.request is None:
        return number_of_answers(game.request)
    total = 0
    for answer in answers(game.request):
        twin = game.fork()
        twin.apply(answer)
        total += nodes(twin, depth - 1)
    return total


class Again:
    """A position in a second reading that plays on; every question plays it through again."""

    def __init__(self, second: Callable[[Any], Any], p: Any) -> None:
        self.second, self.p = second, p

    def answers(self, *gone: Words) -> list[Words]:
        """Everything that may be answered behind some answers."""
        battle = self.second(self.p)
        for words in gone:
            battle.apply(words)
        asked = battle.asked
        if asked is None:
            return []
        if getattr(asked, "cup", ()):
            return list(permutations(asked.cup, asked.number))
        return (
            [tuple(map(str, dice)) for dice in product(range(1, 7), repeat=asked.dice)]
            if asked.dice
            else [*asked.orders]
        )
