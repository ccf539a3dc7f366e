"""Orders tried on copies of the state with all their dice: every course that they can take, up to a first combat."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias

from pbem.rules.gcacw import actions, recovery
from pbem.rules.gcacw.orders import Bridge, Order
from pbem.rules.gcacw.state import State, copy
from pbem.rules.kit.throws import throws
from pbem.rules.requests import Activity, Answer, Choose, Roll, Standing, Tell

__all__ = ["Course", "courses"]

MOST = 600
"""So many courses are counted; of an order that has more none are told."""

COMBAT = frozenset({"artillery", "attack", "defence"})
"""The rolls of a combat, whose results are counted by the chart."""

DICE = frozenset({"die", "dice", "gun_die"})
"""The facts of an event that are dice."""

Throws: TypeAlias = tuple[tuple[int, ...], ...]


class Course(NamedTuple):
    """One way that an order can go: its share of all, and what is told of it up to the event of a first combat."""

    share: Fraction
    told: tuple[Tell, ...]

    def facts(self, what: str) -> list[dict[str, Any]]:
        """The facts of the events of a name, as they came."""
        return [told.facts for told in self.told if told.what == what]


def courses(s: State, order: Order, standing: Standing | None = None) -> list[Course] | None:
    """Every course of a legal action or bridge; None where there are too many. Standing orders answer, or the rules.

    Throws that the next event tells alike are one: the points of a march, an assault that comes about.
    """
    found: list[Course] = []
    waiting: list[tuple[Fraction, Throws]] = [(Fraction(1), ())]
    while waiting:
        share, thrown = waiting.pop()
        told, roll = _played(s, order, thrown, standing)
        if roll is None:
            found.append(Course(share, tuple(told)))
        else:
            waiting += [(share * part, (*thrown, one)) for one, part in _alike(s, order, thrown, roll, standing)]
        if len(found) + len(waiting) > MOST:
            return None
    return found


def _alike(
    s: State, order: Order, thrown: Throws, roll: Roll, standing: Standing | None
) -> Iterator[tuple[tuple[int, ...], Fraction]]:
    """A throw for each event that a roll can bring next, with its chance."""
    known: dict[str, tuple[tuple[int, ...], int]] = {}
    every = [*throws(roll.dice, roll.sides)]
    of_sum: dict[int, str] = {}
    for one in every:
        if sum(one) not in of_sum:  # what a roll brings hangs on the sum of its dice
            of_sum[sum(one)] = _next(s, order, (*thrown, one), standing)
        event = of_sum[sum(one)]
        known[event] = (known.get(event, (one, 0))[0], known.get(event, (one, 0))[1] + 1)
    for one, times in known.values():
        yield one, Fraction(times, len(every))


def _next(s: State, order: Order, thrown: Throws, standing: Standing | None) -> str:
    """The first event behind these throws, but for its dice."""
    seen = len(_played(s, order, thrown[:-1], standing)[0])
    told, _ = _played(s, order, thrown, standing, seen + 1)
    event = told[seen] if len(told) > seen else None
    return "" if event is None else repr([event.what, *((k, v) for k, v in event.facts.items() if k not in DICE)])


def _played(
    s: State, order: Order, thrown: Throws, standing: Standing | None, most: int = 0
) -> tuple[list[Tell], Roll | None]:
    """What is told with these throws, so many events at most, and the roll that is wanted then."""
    activity, rest = _activity(copy(s), order), [*thrown]
    told: list[Tell] = []
    answer: Answer = None
    while True:
        try:
            request = activity.send(answer)
        except StopIteration:
            return told, None
        answer = None
        if isinstance(request, Tell):
            told.append(request)
            if request.what == "fight" or len(told) == most:
                return told, None
        elif isinstance(request, Choose):
            answer = _answer(request, standing or {})
        elif not isinstance(request, Roll):
            raise AssertionError(request)
        elif request.label.partition("/")[0] in COMBAT:
            answer = (1,) * request.dice  # the event has all by which its results are counted
        elif not rest:
            return told, request
        else:
            answer = rest.pop(0)


def _activity(trial: State, order: Order) -> Activity:
    """What carries out an action or a bridge."""
    return recovery.build(trial, order) if isinstance(order, Bridge) else actions.carry_out(trial, "", order)


def _answer(request: Choose, standing: Standing) -> Answer:
    """What a side answers: by its standing orders, or as the rules have it."""
    answer = None if request.standing is None else request.standing(standing.get(request.side, ()))
    if answer is None:
        assert request.default is not None  # noqa: S101 a question in the midst of an action is a reaction
        answer = request.default()
    return answer
