"""Ways of retreat: legal steps, ways made of them, and the way that standing orders prefer.

What a system says of its retreats comes in as functions of hexes:

    near    hex -> the hexes that a step from it may lead to, all others out of the question
    bar     (from, to) -> the clause that forbids the step, empty when it is legal; `to` may be any hex
    steps   hex -> the hexes to which the next step may lead
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

from pbem.maps.hexes import Hex
from pbem.rules.kit.reach import Near, Path
from pbem.rules.requests import Words

__all__ = ["Bar", "Steps", "legal_steps", "preferred", "ways"]

Bar: TypeAlias = Callable[[Hex, Hex], str]
Steps: TypeAlias = Callable[[Hex], Sequence[Hex]]


def legal_steps(near: Near, bar: Bar) -> Steps:
    """The steps that nothing forbids, in the order of `near`."""
    return lambda here: [h for h in near[here] if not bar(here, h)]


def ways(
    start: Hex, steps: Steps, ends: Callable[[Path], bool], leads_out: Callable[[Path], bool] | None = None
) -> Iterator[Path]:
    """Every way to where it `ends` that enters no hex twice; lazily, in the order of the steps.

    `leads_out` says of a way, its start included, whether it is worth going on.
    """
    yield from _onward((start,), steps, ends, leads_out)


def _onward(
    gone: Path, steps: Steps, ends: Callable[[Path], bool], leads_out: Callable[[Path], bool] | None
) -> Iterator[Path]:
    for h in steps(gone[-1]):
        if h not in gone:
            path = (*gone[1:], h)
            if ends(path):
                yield path
            elif leads_out is None or leads_out((*gone, h)):
                yield from _onward((*gone, h), steps, ends, leads_out)


def preferred(
    words: Words, by_hex: Callable[[str], Path | None], by_direction: Callable[[str], Path | None]
) -> Path | None:
    """The way of the first word, the number of a hex or a direction, for which there is one."""
    found = (by_hex(word) if word[-1:].isdigit() else by_direction(word) for word in words)
    return next((path for path in found if path), None)
