"""What runs over a map: roads from hex to hex, rivers and shores from hexside to hexside."""

from __future__ import annotations

from pbem.maps.hexes import Hex
from pbem.records import NamedTuple

__all__ = ["Crossing", "Road"]


class Road(NamedTuple):
    """A named road: its hexes in order."""

    name: str
    kind: str
    hexes: tuple[Hex, ...]


class Crossing(NamedTuple):
    """A named river, stream or shore: its hexsides in order, each as the two hexes it parts."""

    name: str
    kind: str
    sides: tuple[tuple[Hex, Hex], ...]
