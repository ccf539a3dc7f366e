"""How futures of a side's orders begin and go on: what is left of earlier entries, and where somebody is asked."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import NamedTuple

from pbem.match.course import Chancer, Step
from pbem.match.orders import Part
from pbem.match.phases import plans_to_come
from pbem.match.table import Table
from pbem.match.take import imagine, imagine_on
from pbem.rules.requests import Choose, Order, Outcome

__all__ = ["LOOKED", "Chosen", "Way", "common_of", "forked"]

LOOKED = 200
"""Plans of a side that are looked at in futures."""


def forked(table: Table) -> Table:
    """The table to imagine on; what is left of earlier entries, of either side, has the number 0 there.

    Of a side's plans so many are looked at: of more, those that come, each once.
    """
    ahead = table.fork()
    for side, plans in ahead.course.plans.items():
        if len(plans) > LOOKED:
            once = dict.fromkeys(plans_to_come(table, side))
            ahead.course.plans[side] = deque((0, plan) for plan in islice(once, LOOKED))
    for queues in (ahead.course.queues, ahead.course.reactions, ahead.course.plans):
        queues.update({side: deque((0, part) for _, part in queue) for side, queue in queues.items()})
    return ahead


class Chosen(NamedTuple):
    """An end of the game by an answer that the other side could give: how it ends, the table then, what happened."""

    outcome: Outcome
    table: Table
    steps: list[Step]


class Way:
    """How a future of one side's orders goes on where somebody is asked; `asked` and `idle` tell whether anyone was.

    Questions are answered as the rules would choose; `choices` has the ends of the game that come at once if the other
    side answers otherwise. As long as plans of the side wait, the other side gives its closing order wherever its
    orders are asked, as if it did nothing.
    """

    def __init__(self, side: str) -> None:
        self.side, self.asked, self.idle = side, False, False
        self.choices: list[Chosen] = []

    def on(self, ahead: Table, chancer: Chancer) -> int | None:
        """Go on; at which of the steps the other side was first taken to do nothing, None for at none."""
        sure = None
        while isinstance(request := ahead.game.request, Choose):
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
        """The other side's closing order, where it is asked before plans that wait are used, and may give it."""
        if request.reaction or request.side == self.side or not ahead.course.plans[self.side]:
            return None
        closing = ahead.rules.read_order(ahead.board, request.side, (ahead.rules.CLOSING,))
        return closing if request.why_not(closing) is None else None


def common_of(table: Table, side: str, parts: Sequence[tuple[int, Part]], way: Way) -> tuple[Table, int | None]:
    """What all futures of an entry have in common, up to the first chance; and what `Way.on` tells of it."""
    common = forked(table)
    imagine(common, side, [(place, part) for place, (_, part) in enumerate(parts, 1)], lambda _: None)
    return common, way.on(common, lambda _: None)
