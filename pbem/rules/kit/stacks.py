"""Units where they stand, any number in one place: which place each has, and each side's top unit of each place.

`at` is unit -> place, in the order in which they came; `tops` is place -> the unit of one side that came there last.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping
from typing import TypeVar

__all__ = ["by_side", "lift", "put", "top", "units_in"]

P = TypeVar("P")


def put(at: dict[str, P], tops: dict[P, str], unit: str, place: P, mates: Container[str]) -> None:
    """Put a unit on top of those in a place, from another place or from off the map; `mates` are its side's units."""
    if unit in at:
        lift(at, tops, unit, mates)
    at[unit] = place
    tops[place] = unit


def lift(at: dict[str, P], tops: dict[P, str], unit: str, mates: Container[str]) -> P:
    """Take a unit from its place, and tell which; of those that stay the one that came last is on top."""
    place = at.pop(unit)
    if tops.get(place) == unit:
        del tops[place]
        if place in at.values():  # seldom: most units stand alone
            left = [other for other, where in at.items() if where == place and other in mates]
            tops.update((place, other) for other in left[-1:])
    return place


def units_in(at: Mapping[str, P], place: P) -> tuple[str, ...]:
    """The units in a place, the top one last."""
    return tuple(unit for unit, where in at.items() if where == place)


def top(stands: Mapping[str, Mapping[P, str]], place: P) -> str | None:
    """The top unit in a place where not both sides are, the only one if one stands alone."""
    return next((tops[place] for tops in stands.values() if place in tops), None)


def by_side(sides: Iterable[str], side_of: Callable[[str], str], at: Mapping[str, P]) -> dict[str, dict[P, str]]:
    """Side -> its tops, by where each unit is: of several in a place the one that comes last."""
    found: dict[str, dict[P, str]] = {side: {} for side in sides}
    for unit, place in at.items():
        found[side_of(unit)][place] = unit
    return found
