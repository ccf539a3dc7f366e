"""Order forms: what every system writes alike."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from string import ascii_letters
from typing import Protocol, TypeAlias, TypeVar

from pbem.errors import Refusal
from pbem.rules.requests import FormEntry, Words

__all__ = ["EXAMPLES", "Line", "by_target", "closing", "counted", "destinations", "facing", "idle"]

Line: TypeAlias = tuple[Words, str]
"""An order to copy, and a note on it."""

U = "\0"
"""What stands for the unit in a reason, so that those of several are compared."""

EXAMPLES = 6
"""How many moves of a unit are written out."""


class Aimed(Protocol):
    """An order against a unit."""

    @property
    def target(self) -> str: ...


A = TypeVar("A", bound=Aimed)
T = TypeVar("T")


def closing(order: str, what: str = "phase") -> FormEntry:
    """The last entry of a form: the order, of one word, that ends the phase, or `what` it is called."""
    return FormEntry(f"The {what}", (((order,), f"ends the {what}"),))


def idle(
    describe: Callable[[str], str], refused: Mapping[str, Sequence[Refusal]], each: str = "each ", it: str = "it"
) -> Iterator[FormEntry]:
    """The entry of the units that can do nothing now, each with why; those with the same reason stand together.

    `each` stands before what is said of several, `it` for a unit in it.
    """
    alike: dict[str, list[str]] = {}
    for unit, refusals in refused.items():
        name = describe(unit)
        whys = [f"{r.reason}{f' [{r.clause}]' if r.clause else ''}".replace(name, U) for r in refusals]
        alike.setdefault("; ".join(dict.fromkeys(whys)), []).append(unit)
    notes = []
    for why, units in alike.items():
        several = len(units) > 1
        if why.startswith(f"{U} "):  # what it is that the reason is said of stands before it
            why = (each if several else "") + why.removeprefix(f"{U} ")
        who = ", ".join(units) if several else describe(units[0])
        notes.append(f"{who}: {why.replace(U, 'any of them' if several else it)}")
    if notes:
        yield FormEntry("As things stand, nothing can be done with", (), tuple(notes))


def destinations(order: str, ends: Sequence[tuple[str, int]], unit: str) -> str:
    """Where `ORDER to HEX` leads: places with a name by what they cost, then the numbers of all others.

    `ends` are places as they are described (`2411 Kamitoba`), `unit` what is counted: point or hex.
    """
    named = sorted(((cost, place) for place, cost in ends if " " in place), key=lambda end: end[0])
    told = [", ".join(f"{place} ({counted(cost, unit)})" for cost, place in named)] if named else []
    others = _ranges(place for place, _ in ends if " " not in place)
    return f"`{order} to HEX`: {'; '.join(told + [' '.join(others)] * bool(others))}"


def _ranges(numbers: Iterable[str]) -> list[str]:
    """Hex numbers in order, those one after another as `2223-2226`."""
    found: list[list[str]] = []
    expected = ""
    for number in sorted(numbers):
        if number == expected:
            found[-1].append(number)
        else:
            found.append([number])
        digits = number.lstrip(ascii_letters)
        expected = number[: -len(digits)] + str(int(digits) + 1).zfill(len(digits))
    return [f"{run[0]}-{run[-1]}" if len(run) > 2 else " ".join(run) for run in found]


def facing(orders: Iterable[T], enemies: Callable[[T], Sequence[str]]) -> list[tuple[T, str]]:
    """Those moves of a list, the cheapest first, that end next to an enemy whom none before them faces; and whom."""
    found, seen = [], set[str]()
    for order in orders:
        near = sorted(enemies(order))
        if not seen.issuperset(near):
            found.append((order, f"faces {', '.join(near)}"))
            seen.update(near)
    return found[:EXAMPLES]


def counted(number: int, unit: str) -> str:
    """So many of something: `1 point`, `3 points`, `2 hexes`, `2 losses`."""
    return f"{number} {unit}" + ("" if number == 1 else "es" if unit.endswith(("x", "ss")) else "s")


def by_target(orders: Iterable[A]) -> dict[str, list[A]]:
    """Target -> the orders against it, as they come."""
    found: dict[str, list[A]] = {}
    for order in orders:
        found.setdefault(order.target, []).append(order)
    return found
