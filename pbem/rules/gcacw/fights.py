"""A combat that is under way, as all that follow from it know it."""

from __future__ import annotations

from pbem.maps.hexes import Hex
from pbem.records import NamedTuple

__all__ = ["Fight"]


class Fight(NamedTuple):
    """Who attacks which hex, how, whether Lee or Jackson leads (std-7.1-8), and whether its flanks are refused."""

    side: str
    at: Hex
    units: tuple[str, ...]
    kind: str
    commander: bool = False
    refused: bool = False
