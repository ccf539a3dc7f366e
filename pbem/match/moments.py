"""How a game stood between its steps: kept while its log is replayed."""

from __future__ import annotations

from typing import Any

from pbem.match.course import Course
from pbem.match.table import Table
from pbem.records import NamedTuple

__all__ = ["Moment", "Moments"]


class Moment(NamedTuple):
    """How a game stood behind some of its steps: its state, and how dice had fallen (as `Course.luck`)."""

    state: Any
    luck: dict[str, list[int]]


class Moments:
    """Looks on at a replay (`replay(..., look=Moments())`) and keeps how the game stood before each of its steps.

    What an undo takes back counts no more: other steps take its place.
    """

    def __init__(self) -> None:
        self._found: dict[int, Moment] = {}
        self._course: Course | None = None

    def __call__(self, table: Table) -> None:
        """Look on at the course of a table, which an undo may have changed for another."""
        if table.course is self._course:
            return
        if self._course is None:
            self._found[0] = _moment(table.course)
        self._course = table.course
        self._course.look = self._see

    def _see(self, course: Course) -> None:
        self._found[len(course.steps)] = _moment(course)

    def behind(self, steps: int, table: Table) -> Moment:
        """How it stood behind so many steps of the replayed table; behind all, how it stands now."""
        return self._found[steps] if steps < len(table.steps) else _moment(table.course)


def _moment(course: Course) -> Moment:
    return Moment(course.rules.copy(course.game.state), {kind: [*dice] for kind, dice in course.luck.items()})
