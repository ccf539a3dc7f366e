"""Orders tried on a copy of the state: with given dice, and as standing orders answer, or else the rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from pbem.records import NamedTuple
from pbem.rules.requests import Activity, Answer, Choose, Standing, Tell
from pbem.rules.sengoku import operation
from pbem.rules.sengoku.battle import CONSENT
from pbem.rules.sengoku.orders import Order
from pbem.rules.sengoku.state import State, copy

__all__ = ["Tried", "played", "tried"]


class Tried(NamedTuple):
    """An order tried: what is told of it, and the state to which it has come."""

    told: list[Tell]
    state: State


def tried(s: State, order: Order, dice: Sequence[int], standing: Standing | None = None) -> Tried:
    """A legal order with these dice, until another is wanted; nothing for the end of a phase, an answer, a placing."""
    if type(order) not in operation.ACTIONS:
        return Tried([], s)
    trial = copy(s)
    return Tried([*played(operation.carry_out(trial, "", order), dice, standing)], trial)


def played(steps: Activity | Iterable[Tell], dice: Sequence[int], standing: Standing | None = None) -> Iterator[Tell]:
    """What steps tell with these dice, until another die is wanted."""

    def activity() -> Activity:
        yield from steps

    rest, answer, running = [*dice], None, activity()
    while True:
        try:
            request = running.send(answer)
        except StopIteration:
            return
        answer = None
        if isinstance(request, Tell):
            yield request
        elif isinstance(request, Choose):
            answer = _answer(request, standing or {})
        elif not rest:
            return
        else:
            answer = (rest.pop(0),)


def _answer(request: Choose, standing: Standing) -> Answer:
    """What a side answers; to a battle that is offered yes, as the battle's own odds are wanted."""
    answer = None if request.standing is None else request.standing(standing.get(request.side, ()))
    if answer is None:
        assert request.default is not None  # noqa: S101 a question in the midst of an order is a reaction
        answer = request.default()
    if request.kind == CONSENT and not answer.forces:
        answer = next(option for option in request.options() if option.forces)
    return answer
