"""Orders as frozen leaves, each with the chapter that carries it out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from pbem.maps.hexes import Hex

__all__ = ["Demand", "Drop", "MarchOut", "Move", "Path", "Recover"]

Path: TypeAlias = tuple[Hex, ...]
"""The hexes entered one after another; the first hex, where the force stands, is left out."""


@dataclass(frozen=True, slots=True)
class Demand:
    """The units inside a castle that its besieger has removed when it opens (20-3(E))."""

    castle: str
    units: tuple[str, ...]


class Drop(NamedTuple):
    """Units left behind in a hex of a way: a commander named first leads the others, else each is alone (15-5)."""

    at: Hex
    units: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MarchOut:
    """All units inside a castle that has opened go to one hex (20-3-2)."""

    castle: str
    to: Hex


@dataclass(frozen=True, slots=True)
class Move:
    """A force goes along a path, out of the castle in which it is shut up first, into one at the end (15, 16).

    `strategic`: by the lower points (15-3); `enter`: it shuts itself up in the castle of its last hex (16.0).
    """

    force: str
    path: Path = ()
    strategic: bool = False
    enter: bool = False
    drops: tuple[Drop, ...] = ()


@dataclass(frozen=True, slots=True)
class Recover:
    """A force restores its morale (26)."""

    force: str
