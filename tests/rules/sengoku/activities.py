"""Activities of the Sengoku rules run by tests, with scripted dice and answers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pbem.rules.requests import Activity, Choose, Roll, Tell

__all__ = ["run"]


def run(activity: Activity, dice: Sequence[int] = (), answers: Sequence[Any] = ()) -> list[Any]:
    """What an activity yields: its rolls are answered by these dice, its questions by these answers, "" by default.

    Fails when one is left over or missing, or when an answer isn't legal.
    """
    found, rolls, words, answer = [], list(dice), list(answers), None
    try:
        while True:
            request: Roll | Choose | Tell | Any = activity.send(answer)
            found.append(request)
            answer = None
            if isinstance(request, Roll):
                answer = (rolls.pop(0),)
            elif isinstance(request, Choose):
                answer = words.pop(0)
                if answer == "":
                    assert request.default is not None
                    answer = request.default()
                assert request.why_not(answer) is None
    except StopIteration:
        assert not rolls
        assert not words
        return found
