"""A combat that is under way, as all that follow from it know it."""

from __future__ import annotations

from typing import NamedTuple

from pbem.maps.hexes import Hex

__all__ = ["Fight"]


class Fight(NamedTuple):
    """Who attacks which hex, how, whether Lee or Jackson leads (std-7.1-8), and whether its flanks are refused."""

    side: str
    at: Hex
    units: tuple[str, ...]
    kind: str
    commander: bool = False
    refused: bool = False
