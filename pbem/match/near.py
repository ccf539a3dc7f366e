"""What happens near the units and the target of an order in futures played out, so far as it may change its odds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from pbem.maps.tabletop import table_of
from pbem.match.course import Step
from pbem.match.table import Table

__all__ = ["OF_DICE", "OPEN", "Near"]

NEAR = 5
"""What happens within so many hexes of an order's units and of its target may change its odds: retreats, ZOC, range."""

NEAR_ON_TABLE = 800
"""The same on a table, in hundredths of its measure: a base so far from both ends of a line of sight isn't on it."""

TALK = frozenset({"phase", "check"})
"""Events that change nothing on the map."""

OPEN = frozenset({"any", "else"})
"""Words of an order that is at one of several units: at which is found when it is carried out."""

OPENS = "opens"
"""The fact of an event that says who may act next, and changes nothing else."""

OF_DICE = frozenset({"dice", "die", "total", "value"})
"""Facts of an event that say how dice fell; what they bring stands in the others, and in the state."""


class Near:
    """Where units stand as the futures begin, and what happens near them."""

    def __init__(self, table: Table) -> None:
        situation = table.rules.situation(table.game.state)
        self.at: dict[str, str | None] = {unit["id"]: unit["at"] for unit in situation["units"]}
        self.led: dict[str, list[str]] = {unit["id"]: unit["attached_to"] for unit in situation["units"]}
        self.places: dict[str, str] = {place["id"]: place["at"] for place in situation["places"] if "id" in place}
        self.maps = list(table.rules.maps(table.board).values())
        self.table = table_of(situation)
        self.grounds: list[Any] = self.maps if self.table is None else [*self.maps, self.table]
        self.found: dict[str, Any] = {}

    def came(self, words: Iterable[str], steps: Iterable[Step]) -> frozenset[str]:
        """What has happened to an order's units, or near them and their target, so far as it may count for its dice."""
        named = set(words)
        places, own = list(self._places(named)) if self._goes_by_place(named) else [], self._own(named)
        found = set()
        for step in steps:
            if step["kind"] == "tell" and step["what"] not in TALK and not {"result", OPENS} & step["facts"].keys():
                things = [word for word in _strings(step["facts"]) if word in self.at or self._place(word) is not None]
                if self._is_near(set(things), own, places):
                    found.add(" ".join([step["what"], *things, *_numbers(step["facts"])]))
        return frozenset(found)

    def _goes_by_place(self, named: set[str]) -> bool:
        """Whether an order names a hex or a spot, or is at one of several units; else its own units count."""
        spots = any(word not in self.at and self._place(word) is not None for word in named)
        return spots or "at" in named or not named.isdisjoint(OPEN)

    def _own(self, named: set[str]) -> set[str]:
        """The units that an order names and those led by them; the places that it names by an id, and who is there."""
        places = {at for place, at in self.places.items() if place in named}
        units = {unit for unit, led in self.led.items() if unit in named or not named.isdisjoint(led)}
        return units | places | {unit for unit, at in self.at.items() if at in places}

    def _is_near(self, found: set[str], own: set[str], places: Sequence[Any]) -> bool:
        """Whether what an event names is an order's own, or near its places; all is where there are none.

        So is what names nothing, as a panic.
        """
        if found & own or not (self.grounds and found):
            return True
        return any(self._near(a, b) for a in self._places(found) for b in places)

    def _near(self, a: Any, b: Any) -> bool:
        if self.maps:
            return self.maps[0].distance(a, b) <= NEAR
        return bool(max(abs(a.x - b.x), abs(a.y - b.y)) <= NEAR_ON_TABLE)

    def _places(self, words: Iterable[str]) -> Iterator[Any]:
        """The places that are named, and those where units that are named stand."""
        for word in words:
            if (place := self._place(self.at.get(word) or word)) is not None:
                yield place

    def _place(self, label: str) -> Any:
        """The hex of a label, or the spot on a table; None for what is none."""
        if label not in self.found:
            found = (ground.find(label) for ground in self.grounds)
            self.found[label] = next((place for place in found if place is not None), None)
        return self.found[label]


def _numbers(facts: Mapping[str, Any]) -> list[str]:
    """What the facts of an event count, but for the dice by which it came: steps left, morale, durability."""
    return [f"{name} {fact}" for name, fact in facts.items() if type(fact) is int and name not in OF_DICE]


def _strings(fact: Any) -> Iterator[str]:
    """Every string in the facts of an event."""
    if isinstance(fact, str):
        yield fact
    elif isinstance(fact, dict):
        for value in fact.values():
            yield from _strings(value)
    elif isinstance(fact, list | tuple):
        for value in fact:
            yield from _strings(value)
