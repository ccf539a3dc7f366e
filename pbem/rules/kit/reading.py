"""Reads the words of a scenario that name what there is: armies, castles, provinces, hexes."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from pbem.errors import Defects
from pbem.maps.hexes import Hex
from pbem.maps.map import Map
from pbem.records import Record
from pbem.rules.kit import scenario as kit

__all__ = ["Reader"]


class Reader(Record):
    """What names in a scenario's data are held against: its map, and what is allowed where they stand."""

    data: Mapping[str, Any]
    map: Map
    defects: Defects

    def known(self, value: object, allowed: Collection[str], where: str) -> str:
        """A name that must be one of those allowed; empty when nothing near it is."""
        word = kit.known(value, allowed, where, self.defects)
        return word if word in allowed else ""

    def all_known(self, data: Mapping[str, Any], key: str, allowed: Collection[str], where: str) -> tuple[str, ...]:
        """The names listed under a key, each of those allowed."""
        words = self.defects.words(data, key, where)
        return tuple(filter(None, [self.known(word, allowed, f"{where}.{key}") for word in words]))

    def either(self, data: Mapping[str, Any], key: str, allowed: Collection[str], where: str) -> str | None:
        """A name under a key that may be missing."""
        return (self.known(data[key], allowed, f"{where}.{key}") or None) if key in data else None

    def number(self, data: Mapping[str, Any], key: str, where: str, most: int = 99) -> int:
        """A whole number under a key, 0 where there is none."""
        return self.defects.number(data.get(key, 0), f"{where}.{key}", 0, most)

    def lines(self, key: str, keys: Sequence[str]) -> Iterator[tuple[str, Mapping[str, Any]]]:
        """The lines of a block that may be missing, each with its place."""
        for where, given in self.defects.items(self.data, key, "scenario") if self.data.get(key) else ():
            yield where, self.defects.keys(given, keys, where)

    def hexes(self, data: Mapping[str, Any], key: str, where: str) -> tuple[Hex, ...]:
        """The hexes with the numbers listed under a key."""
        words = self.defects.words(data, key, where)
        found = [kit.hex_at(self.map.parse, word, f"{where}.{key}", self.defects) for word in words]
        return tuple(h for h in found if h is not None)

    def hexes_of(self, provinces: Sequence[str], where: str) -> tuple[Hex, ...]:
        """The hexes of provinces (7-2)."""
        known = [self.known(name, self.map.regions, where) for name in provinces]
        return tuple(h for name in known if name for h in self.map.regions[name])
