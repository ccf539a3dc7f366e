"""An error in lines of another language than English."""

from __future__ import annotations

import re
from collections.abc import Callable

from pbem.errors import BadScenario, PbemError

__all__ = ["lines_of"]

Put = Callable[[str], str]
"""What puts an English sentence into the language in force."""

PATH = re.compile(r"[/\\]|\.\w+$|^units ")
"""What tells that words are the name of a file, or a key in it."""

COLON, STOP = "\N{FULLWIDTH COLON}", "\N{IDEOGRAPHIC FULL STOP}"

ENDS = (STOP, "\N{FULLWIDTH QUESTION MARK}", "?")
"""With these a sentence ends by itself."""


def lines_of(error: PbemError, about: str, put: Put) -> list[str]:
    """An error and its hint in a line, and one for each defect of a list; `about` stands before it, in English."""
    defects = isinstance(error, BadScenario)
    what = error.what.partition("\n")[0] if defects else error.what
    clause = getattr(error, "clause", "")
    first = _joined(error.where, what, error.hint, put) + (f" [{clause}]" if clause else "")
    before = about.removesuffix(": ")
    return [f"{put(before)}{COLON}{first}" if before else first, *_defects(error, put)]


def _defects(error: PbemError, put: Put) -> list[str]:
    """The defects of a scenario, and how many more there are than are listed."""
    if not isinstance(error, BadScenario):
        return []
    pairs = zip(error.lines, error.defects, strict=False)
    return [f"  {_joined(*one, put) if str(one) == line else put(line)}" for line, one in pairs]


def _joined(where: str, what: str, right: str, put: Put) -> str:
    """Where something is wrong, what it is, what would be right."""
    place = ", ".join(part if PATH.search(part) else put(part) for part in where.split(", "))
    told = put(what)
    stop = "" if not right or told.endswith(ENDS) else STOP
    return (f"{place}{COLON}" if place else "") + told + stop + (put(right) if right else "")
