"""Orders that the rules refuse before the first possible roll, each judged without those that are refused before it."""

from __future__ import annotations

from collections.abc import Iterable

from pbem.errors import IllegalOrder, OrderError
from pbem.match.orders import Part, Strict, order_of, when
from pbem.match.prospects import Lapse, lost
from pbem.match.table import Table
from pbem.match.take import imagine
from pbem.match.way import forked

__all__ = ["all_illegal", "is_told", "refusal"]

ROUNDS = 20
"""So often orders are judged anew without those that would go on without a part."""


def all_illegal(
    table: Table, side: str, parts: list[tuple[int, Part]]
) -> tuple[list[OrderError], list[tuple[int, Part]]]:
    """The orders that the rules refuse before the first possible roll, and the parts without them.

    One that would go on without a part of it isn't carried out at all: those behind it, and behind its dice, are judged
    as if it weren't given.
    """
    wrong: list[OrderError] = []
    for left in range(ROUNDS, 0, -1):
        found = _illegal(table, side, parts)
        first = next((place for place, lapse in enumerate(found, 1) if lapse.without), len(found))
        found = found[:first] if left > 1 else found
        wrong += [_error(parts, lapse) for lapse in found]
        lapsed = {lapse.line - 1 for lapse in found}
        parts = [part for place, part in enumerate(parts) if place not in lapsed]
        if not any(lapse.without for lapse in found):
            break
    return wrong, parts


def _illegal(table: Table, side: str, parts: list[tuple[int, Part]]) -> list[Lapse]:
    """What is refused up to the first possible roll, by the part's number; `strict` would hide all but the first."""
    ahead, found = forked(table), list[Lapse]()
    places = list(enumerate((part for _, part in parts), 1))
    imagine(ahead, side, [(place, part) for place, part in places if not isinstance(part, Strict)], lambda _: None)
    for lapse in lost(ahead.steps):
        if not is_told(lapse, places, tuple(map(refusal, found))):
            found.append(lapse)
    return found


def is_told(lapse: Lapse, parts: Iterable[tuple[int, Part]], told: Iterable[str]) -> bool:
    """Whether it is the end of the step before an order that lapses, and that has been told of another one."""
    return _of_itself(lapse, (part for line, part in parts if line == lapse.line)) and any(
        what.endswith(refusal(lapse)) for what in told
    )


def _of_itself(lapse: Lapse, given: Iterable[Part]) -> bool:
    """Whether it isn't one of the orders given that lapses, but the end of the step before them."""
    acts = [act for part in given if (act := order_of(part)) is not None]
    return not lapse.without and all(not act.tests and act.words != lapse.words for act in acts)


def _error(parts: list[tuple[int, Part]], lapse: Lapse) -> IllegalOrder:
    """The error of a part that is refused."""
    line, part = parts[lapse.line - 1]
    words = " ".join((*when(part), *lapse.words))
    if (act := order_of(part)) is not None and _of_itself(lapse, [part]):
        words = f"{' '.join((*when(part), *act.words))}` ends the step first, by `{words}"
    return IllegalOrder(refusal(lapse._replace(words=(words,))), f"line {line}", "", lapse.clause)


def refusal(lapse: Lapse) -> str:
    return f"`{' '.join(lapse.words)}`: {lapse.reason}"
