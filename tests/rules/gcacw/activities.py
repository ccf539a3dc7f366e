"""Activities of the rules of the Great Campaigns run by tests, with scripted dice and answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pbem.rules.gcacw.combat import Fight, guns, modifiers
from pbem.rules.gcacw.sequence import next_activity
from pbem.rules.gcacw.state import State
from pbem.rules.gcacw.victory import outcome
from pbem.rules.requests import Activity, Choose, Roll, Tell

__all__ = ["asked", "labels", "play", "run", "told"]


def run(activity: Activity, dice: Sequence[int] = (), answers: Sequence[Any] = ()) -> list[Any]:
    """What an activity yields: its rolls are answered by these dice, its questions by these answers, "" by default.

    Questions for which no answer is left are answered by default. Fails when a die or an answer is left over, a die is
    missing, or an answer isn't legal.
    """
    found, rolls, words, answer = list[Any](), list(dice), list[Any](answers), None
    try:
        while True:
            request: Any = activity.send(answer)
            found.append(request)
            answer = None
            if isinstance(request, Roll):
                assert len(rolls) >= request.dice, request
                answer = tuple(rolls.pop(0) for _ in range(request.dice))
            elif isinstance(request, Choose):
                given = words.pop(0) if words else ""
                answer = request.default() if given == "" and request.default is not None else given
                assert request.why_not(answer) is None, request.why_not(answer)
    except StopIteration:
        assert not rolls, rolls
        assert not words, words
        return found


def play(s: State, orders: Sequence[Any] = (), dice: Sequence[int] = ()) -> tuple[Choose | None, list[Any]]:
    """The sequence of play up to the question behind these orders, or the end: that question, and all before it.

    Questions that have a default are answered by it. Fails when an order isn't legal or dice don't come out even. It
    stops at a roll for which no die is left, as it came: None.
    """
    left, rolls, found = list(orders), list(dice), list[Any]()
    while outcome(s) is None:
        activity, answer = next_activity(s), None
        while True:
            try:
                request: Any = activity.send(answer)
            except StopIteration:
                break
            answer = None
            if isinstance(request, Roll):
                if not rolls and not left:
                    return None, [*found, request]
                answer = tuple(rolls.pop(0) for _ in range(request.dice))
            elif isinstance(request, Choose) and request.default is not None:
                answer = request.default()
            elif isinstance(request, Choose):
                if not left:
                    assert not rolls, rolls
                    return request, found
                answer = left.pop(0)
                assert request.why_not(answer) is None, request.why_not(answer)
            found.append(request)
    assert not left, left
    assert not rolls, rolls
    return None, found


def told(found: Sequence[Any], what: str) -> list[Mapping[str, Any]]:
    """The facts of the events of a name."""
    return [f.facts for f in found if isinstance(f, Tell) and f.what == what]


def asked(found: Sequence[Any], kind: str = "") -> list[Choose]:
    """The questions of a kind, or all."""
    return [f for f in found if isinstance(f, Choose) and kind in ("", f.kind)]


def labels(found: Sequence[Any]) -> list[str]:
    """What was rolled, as it came."""
    return [f.label for f in found if isinstance(f, Roll)]


def level(s: State, f: Fight, difference: int) -> tuple[int, ...]:
    """Dice that come to a difference; where artillery hangs on a die of its own, it is 1."""
    add = sum(m.points if m.of == "attacker" else -m.points for m in modifiers(s, f))
    found = guns(s, f)
    wanted = difference - add - found.otherwise
    assert -5 <= wanted <= 5
    return (*[1] * found.by_die, 1 + max(wanted, 0), 1 + max(-wanted, 0))
