"""Orders tried on copies of the state with all their dice: every course that they can take, up to a first combat."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

from pbem.records import NamedTuple
from pbem.rules.gcacw import actions, recovery
from pbem.rules.gcacw.orders import Activate, Bridge, March, Order
from pbem.rules.gcacw.state import State, copy
from pbem.rules.kit.throws import throws
from pbem.rules.requests import Activity, Answer, Choose, Roll, Standing, Tell

__all__ = ["Course", "courses"]

MOST = 180
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
    waiting = [_played(s, order, (), standing)]
    while waiting:
        now = waiting.pop()
        if now.roll is None:
            found.append(Course(now.share, tuple(now.told)))
        else:
            waiting += _on(s, order, now, now.roll, standing)
        if len(found) + len(waiting) > MOST:
            return None
    return found


class _Played(NamedTuple):
    """How far an order was played with some throws: its share, what was told, the roll that is wanted then."""

    thrown: Throws
    told: list[Tell]
    roll: Roll | None
    share: Fraction = Fraction(1)


def _on(s: State, order: Order, now: _Played, roll: Roll, standing: Standing | None) -> Iterator[_Played]:
    """One for each event that a roll can bring next; what a roll brings hangs on the sum of its dice."""
    sums = Counter(map(sum, throws(roll.dice, roll.sides)))
    ones = {sum(one): one for one in throws(roll.dice, roll.sides)}
    known: dict[str, _Played] = {}
    for total, times in sums.items():
        ahead = _played(s, order, (*now.thrown, ones[total]), standing)
        event = _alike(ahead.told[len(now.told) :])
        share = now.share * Fraction(times, sums.total())
        known[event] = known.get(event, ahead._replace(share=Fraction(0)))
        known[event] = known[event]._replace(share=known[event].share + share)
    yield from known.values()


def _alike(told: Sequence[Tell]) -> str:
    """The first of some events but for its dice."""
    for event in told:
        return repr([event.what, *((name, fact) for name, fact in event.facts.items() if name not in DICE)])
    return ""


def _played(s: State, order: Order, thrown: Throws, standing: Standing | None) -> _Played:
    """An order played with these throws up to a roll that is wanted, a combat's event, or its end."""
    activity, rest = _activity(copy(s), order), [*thrown]
    last = COMBAT if isinstance(order, March | Activate) and _goes(order) else {*COMBAT, "evade"}
    told: list[Tell] = []
    answer: Answer = None
    while True:
        try:
            request = activity.send(answer)
        except StopIteration:
            return _Played(thrown, told, None)
        answer = None
        if isinstance(request, Tell):
            told.append(request)
            if request.what == "fight" or (request.what == "evade" and "evade" in last):
                return _Played(thrown, told, None)
        elif isinstance(request, Choose):
            answer = _answer(request, standing or {})
        elif not isinstance(request, Roll):
            raise AssertionError(request)
        elif request.label.partition("/")[0] in last:
            answer = (1,) * request.dice  # the event has all by which its results are counted
        elif not rest:
            return _Played(thrown, told, request)
        else:
            answer = rest.pop(0)


def _goes(order: March | Activate) -> bool:
    """Whether anybody marches: who only attacks is through when the cavalry before him has gone back."""
    return isinstance(order, Activate) or bool(order.path)


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
