"""Days of the calendar, Gregorian throughout: read as `1862-08-19`, counted on, told as `19 August 1862`."""

from __future__ import annotations

import re
from calendar import monthrange

from pbem.records import NamedTuple

__all__ = ["Day", "read_day"]

_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip


class Day(NamedTuple):
    """A day; months and days count from 1."""

    year: int
    month: int
    day: int

    def after(self, days: int) -> Day:
        """The day so many days later."""
        year, month, day = self.year, self.month, self.day + days
        while day > (last := monthrange(year, month)[1]):
            year, month, day = year + month // 12, month % 12 + 1, day - last
        return Day(year, month, day)

    def __str__(self) -> str:
        """`19 August 1862`."""
        return f"{self.day} {_MONTHS[self.month - 1]} {self.year}"


def read_day(text: object) -> Day | None:
    """A day as it is written, `1862-08-19`; None for what is none."""
    found = re.fullmatch(r"([1-9][0-9]{3})-([0-9]{2})-([0-9]{2})", text) if isinstance(text, str) else None
    if found is None:
        return None
    year, month, day = map(int, found.groups())
    return Day(year, month, day) if 1 <= month <= 12 and 1 <= day <= monthrange(year, month)[1] else None
