"""Activities of the Sengoku rules run by tests, with scripted dice and answers."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pbem.rules.requests import Activity, Choose, Roll, Tell
from pbem.rules.sengoku.scenario import board
from pbem.rules.sengoku.sequence import next_activity
from pbem.rules.sengoku.state import State, start
from pbem.rules.sengoku.victory import outcome

__all__ = ["asked", "moments", "play", "rolls", "run", "told"]


def run(
    activity: Activity, dice: Sequence[int] = (), answers: Sequence[Any] | Mapping[str, Sequence[Any]] = ()
) -> list[Any]:
    """What an activity yields: its rolls are answered by these dice, its questions by these answers, "" by default.

    With answers by the kind of the question, all that aren't named or left are answered by default. Fails when a die
    or an answer is left over or missing, or when an answer isn't legal.
    """
    found, rolls, answer = [], list(dice), None
    named = {kind: list(given) for kind, given in answers.items()} if isinstance(answers, Mapping) else None
    words = [] if isinstance(answers, Mapping) else list(answers)
    try:
        while True:
            request: Roll | Choose | Tell | Any = activity.send(answer)
            found.append(request)
            answer = None
            if isinstance(request, Roll):
                answer = (rolls.pop(0),)
            elif isinstance(request, Choose):
                given = words if named is None else named.get(request.kind) or [""]
                answer = given.pop(0)
                if answer == "":
                    assert request.default is not None
                    answer = request.default()
                assert request.why_not(answer) is None
    except StopIteration:
        assert not rolls
        assert not words
        assert not any((named or {}).values())
        return found


def play(s: State, orders: Sequence[Any] = (), dice: Sequence[int] = ()) -> tuple[Choose | None, list[Any]]:
    """The sequence of play up to the question behind these orders, or the end: that question, and all before it.

    Questions that have a default are answered by it. Fails when an order isn't legal or dice don't come out even.
    """
    left, rolls, found = list(orders), list(dice), []
    while outcome(s) is None:
        activity, answer = next_activity(s), None
        while True:
            try:
                request: Roll | Choose | Tell | Any = activity.send(answer)
            except StopIteration:
                break
            answer = None
            if isinstance(request, Roll):
                answer = (rolls.pop(0),)
            elif isinstance(request, Choose) and request.default is not None:
                answer = request.default()
            elif isinstance(request, Choose):
                if not left:
                    assert not rolls
                    return request, found
                answer = left.pop(0)
                assert request.why_not(answer) is None, request.why_not(answer)
            found.append(request)
    assert not left
    assert not rolls
    return None, found


def told(found: Sequence[Any], what: str) -> list[Mapping[str, Any]]:
    """The facts of the events of a name."""
    return [f.facts for f in found if isinstance(f, Tell) and f.what == what]


def asked(found: Sequence[Any], kind: str) -> list[Choose]:
    """The questions of a kind."""
    return [f for f in found if isinstance(f, Choose) and f.kind == kind]


def moments(
    shipped: Mapping[str, Any], seed: int, every: int, *, reactions: bool = False
) -> Iterator[tuple[State, Choose]]:
    """Every so many decisions of a random campaign, and with `reactions` every question to the other side."""
    number = 0
    for s, request, _ in _requests(shipped, seed):
        if isinstance(request, Choose):
            number += 1
            if number % every == 0 or (reactions and request.reaction):
                yield s, request


def rolls(shipped: Mapping[str, Any], seed: int) -> Iterator[tuple[State, Roll, list[Tell]]]:
    """Every roll of a random campaign, and what was told before it since the roll before."""
    told: list[Tell] = []
    for s, request, events in _requests(shipped, seed):
        told += events
        if isinstance(request, Roll):
            yield s, request, told
            told = []


def _requests(shipped: Mapping[str, Any], seed: int) -> Iterator[tuple[State, Roll | Choose, list[Tell]]]:
    """Every request of a random campaign, and what was told before it since the one before."""
    s, chance, told = start(board(shipped), {}), random.Random(seed), list[Tell]()
    while s.ended is None:
        activity, answer = next_activity(s), None
        try:
            while True:
                request: Any = activity.send(answer)
                answer = None
                if isinstance(request, Tell):
                    told.append(request)
                    continue
                yield s, request, told
                told = []
                answer = (chance.randrange(6) + 1,) if isinstance(request, Roll) else request.sample(chance)
        except StopIteration:
            continue
