"""The fixed data of the advanced game: supply and depots, railways, pontoon bridge, substitutes, panic (14 to 21)."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.maps.hexes import Hex
from pbem.records import NamedTuple

__all__ = ["BY_ENTRY", "BY_RAID", "NEVER", "Advanced", "Depot", "Granted", "Merging", "Pontoon", "RailMoves"]

BY_RAID, BY_ENTRY, NEVER = "raid", "entry", "never"
"""What destroys a depot: a raid on its station, a Confederate unit that enters its hex, nothing (20.1-4 to 20.1-7)."""


class Depot(NamedTuple):
    """A Union depot: its hex, and what destroys it (20.1)."""

    at: Hex
    lost_by: str


class Granted(NamedTuple):
    """Units in supply without any test until the first supply status phase behind their first action (22.1-sp3b2)."""

    units: frozenset[str]
    clause: str


class RailMoves(NamedTuple):
    """How Union infantry goes by rail: in these turns, from these stations, how far, how much of it a turn (16.0).

    `most` is the combat value of all who go in one action cycle, in half points (16.0-8).
    """

    turns: frozenset[int]
    starts: frozenset[Hex]
    hexes: int
    most: int


class Pontoon(NamedTuple):
    """The bridge of one side that can be dismantled, and the river over which another may then be built (19.0)."""

    side: str
    ends: tuple[Hex, Hex]
    river: frozenset[tuple[Hex, Hex]]


class Merging(NamedTuple):
    """A unit that merges into these others as if it were a substitute (21.2-u0, 21.2-c0).

    `command`: also into the substitutes that came of a unit of this corps; "" where units alone are named.
    """

    units: frozenset[str]
    command: str
    clause: str


class Advanced(NamedTuple):
    """What a scenario of the advanced game has besides.

    supply        the turns with repair and supply status (3.0-4, 3.0-5);  effects: from which turn on units suffer
    home          the counties in which Confederates are in supply (20.3-c1)
    fed           how many of their units a depot feeds (20.3-c4)
    depots        by hex;  stations: hexes that feed the Union besides those that can be raided (20.3-u5)
    ends          where the railroads that feed the Union begin (20.3-u5)
    pontoon       None where there is no such bridge
    panic         the army leader who goes, and who comes for him (18.0-5); None where none does
    substitutes   side -> its substitutes' ids (21.0-1);  merging: unit -> into whom it may merge
    """

    supply: frozenset[int]
    effects: int
    home: frozenset[str]
    fed: int
    depots: Mapping[Hex, Depot]
    stations: frozenset[Hex]
    ends: frozenset[Hex]
    granted: tuple[Granted, ...]
    rails: RailMoves
    pontoon: Pontoon | None
    panic: tuple[str, str] | None
    substitutes: Mapping[str, tuple[str, ...]]
    merging: Mapping[str, Merging]
