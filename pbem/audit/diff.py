"""Where two logs of one game part: the first entry, statement and step that differ, and whether each log verifies."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import zip_longest

from pbem.errors import PbemError
from pbem.match.course import Step
from pbem.match.replay import replay
from pbem.match.table import Table
from pbem.records import NamedTuple
from pbem.scenario import Scenario
from pbem.wire.entry import Entry
from pbem.wire.turn import Turn, read_turns

__all__ = ["Contrast", "Difference", "Judged", "Parting", "contrast", "difference"]


class Contrast(NamedTuple):
    """The first statement in which two entries differ: its number, and how each has it."""

    number: int
    first: str
    second: str


class Parting(NamedTuple):
    """The first step that went another way: its place in both lists of steps, "" and None where a log has no more."""

    number: int
    first: Step | None
    second: Step | None


class Judged(NamedTuple):
    """A log replayed as far as it is good: its table (None before an accept), the error that ended it, its entries."""

    table: Table | None
    fault: PbemError | None
    entries: int


class Difference(NamedTuple):
    """How two logs differ. `number` is the first entry that isn't the same in both, or their length.

    `what` is equal, longer (one goes on where the other ends), signature (the same words, signed in another form) or
    entry. `entries` are both entries of that number, None where a log ends.
    """

    what: str
    number: int
    entries: tuple[Entry | None, Entry | None]
    contrast: Contrast | None
    logs: tuple[Judged, Judged]
    parting: Parting | None


def difference(first: str, second: str, load: Callable[[str], Scenario], names: tuple[str, str]) -> Difference:
    """Compare two logs, given as their texts and what to call them. Raises Damaged or BadLog for one that isn't a log.

    Both are replayed: a log that doesn't verify says so in its `Judged`, and is compared all the same.
    """
    one, two = (read_turns(text, f"{name},") for text, name in zip((first, second), names, strict=True))
    what, number = _first_difference(one, two)
    checked = _checked(first, len(one), load)
    logs = (checked, checked) if first == second else (checked, _checked(second, len(two), load))
    both = (_entry(one, number), _entry(two, number))
    if what != "entry" or both[0] is None or both[1] is None:
        return Difference(what, number, both, None, logs, None)
    return Difference(what, number, both, contrast(both[0].payload, both[1].payload), logs, _parting(*logs))


def _first_difference(one: Sequence[Turn], two: Sequence[Turn]) -> tuple[str, int]:
    shared = min(len(one), len(two))
    for number in range(shared):
        if one[number].payload != two[number].payload:
            return "entry", number
    armor = next((number for number in range(shared) if one[number].block.armor != two[number].block.armor), None)
    if armor is not None:
        return "signature", armor
    return ("equal" if len(one) == len(two) else "longer"), shared


def _entry(turns: Sequence[Turn], number: int) -> Entry | None:
    return turns[number].entry if number < len(turns) else None


def contrast(first: bytes, second: bytes) -> Contrast | None:
    """The first statement that differs between two entries' canonical bytes; None when they are the same."""
    pairs = zip_longest(first.decode("ascii").splitlines(), second.decode("ascii").splitlines(), fillvalue="")
    return next((Contrast(number, a, b) for number, (a, b) in enumerate(pairs, 1) if a != b), None)


def _checked(text: str, count: int, load: Callable[[str], Scenario]) -> Judged:
    """A log replayed as far as it is good."""
    reached = 1

    def watch(number: int, _: int) -> None:
        nonlocal reached
        reached = number

    try:
        return Judged(replay(text, load, watch=watch).table, None, count)
    except PbemError as fault:
        if reached < 2:
            return Judged(None, fault, count)
        return Judged(replay(text, load, until=reached - 1).table, fault, count)


def _parting(first: Judged, second: Judged) -> Parting | None:
    """The first step that differs, of all that both logs tell; None when every step is the same."""
    if first.table is None or second.table is None:
        return None
    pairs = enumerate(zip_longest(first.table.steps, second.table.steps))
    return next((Parting(number, a, b) for number, (a, b) in pairs if a != b), None)
