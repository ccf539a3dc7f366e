"""Where a side stands behind orders of its list: in the step that is asked, and in later ones of the same window."""

from __future__ import annotations

from collections import deque

from pbem.match.carried import Carried
from pbem.match.game import Game
from pbem.match.orders import Act, Part, in_steps
from pbem.match.table import BARE, Table
from pbem.records import NamedTuple
from pbem.rules.requests import Choose

__all__ = ["Stand", "Stands", "stands"]


class Stand(NamedTuple):
    """A position in which a side is asked: behind its orders that need no dice.

    `best` is that behind those that do, too, as their dice are at their best, `rolled` what these orders name, `spent`
    what those of them name that can't be followed there. `dice` is the number of the first of them, 0 for none; `sure`
    says that no dice, and nobody's decision, lie between.
    """

    game: Game
    best: Game | None = None
    rolled: frozenset[str] = frozenset()
    spent: frozenset[str] = frozenset()
    dice: int = 0
    sure: bool = True


class Stands(NamedTuple):
    """The positions in which orders can be added, step by step; that behind the last order; the numbers of those with
    dice.
    """

    all: tuple[Stand, ...]
    here: Stand
    dice: set[int]


def stands(table: Table, side: str, parts: list[tuple[int, Part]]) -> Stands:
    """Where a side stands behind numbered parts of its entry, each in its step.

    No position where no orders are due, or none are asked any more behind one of these.
    """
    closing = (table.rules.CLOSING,)
    carried = Carried(table, side)
    if table.due().what in BARE:
        return Stands((), Stand(carried.game), set())
    left = deque(
        (number, part)
        for number, part in in_steps(table.rules, parts)
        if not (isinstance(part, Act) and part.words == closing)
    )
    found: list[Stand] = []
    here, dice = 0, set[int]()
    while isinstance(asked := carried.game.request, Choose) and asked.side == side:
        step = asked.ends.step if asked.ends is not None else None
        while left and (step is None or _step(table, left[0][1]) <= step):
            number, part = left.popleft()
            if carried.go(number, part):
                dice.add(number)
            here = len(found)
            if carried.over:
                return Stands((), _stand(carried), dice)
        now = carried.game.request
        if isinstance(now, Choose) and now.side == side:
            found.append(_stand(carried))
        if step is None or not carried.go_on():
            break
    first = _stand(carried) if not found else found[here]
    return Stands(tuple(found), first, dice)


def _stand(carried: Carried) -> Stand:
    best = carried.best.fork() if carried.best is not None else None
    sure = not (carried.dice or carried.open)
    return Stand(carried.game.fork(), best, frozenset(carried.rolled), frozenset(carried.spent), carried.dice, sure)


def _step(table: Table, part: Part) -> int:
    return table.rules.step(part.order) if isinstance(part, Act) else 0
