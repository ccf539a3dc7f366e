"""What the words of an order name: its unit, its target, the places by which it is drawn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.language import ENGLISH, language, shown
from pbem.match.table import Table
from pbem.rules.requests import Words
from pbem.scenario import Scenario, japanese_names

__all__ = ["Naming", "names_of", "title_of"]


def names_of(table: Table) -> Mapping[str, str]:
    """Names of units and places in English -> in the language in force; none in English."""
    if language() == ENGLISH:
        return {}
    module: str = getattr(table.rules, "__name__", "")  # a system's rules are the package of its name
    return japanese_names(module.rpartition(".")[2])


def title_of(scenario: Scenario) -> str:
    """What a scenario is called in the language in force."""
    return scenario.title if language() == ENGLISH else shown(scenario.title, japanese_names(scenario.system))


class Naming:
    """The names of a game, for one side: units, places; and where units stand."""

    def __init__(self, table: Table, side: str) -> None:
        self._rules, self._put = table.rules, names_of(table)
        units = table.rules.of_side(table.board)
        self.own = frozenset(units[side])
        self.enemies = frozenset(unit for of, those in units.items() if of != side for unit in those)
        situation = table.rules.situation(table.game.state)
        self.names = {unit["id"]: unit["name"] for unit in situation["units"]}
        places = {place["at"]: place["name"] for place in situation["places"] if place.get("at")}
        self.labels = frozenset(m.label(h) for m in table.rules.maps(table.board).values() for h in m.hexes) | {*places}
        self.called = places

    def places(self, state: Any) -> dict[str, str]:
        """Unit -> the label of the place where it stands; those off the map are left out."""
        return {unit["id"]: unit["at"] for unit in self._rules.situation(state)["units"] if unit.get("at")}

    def actor(self, words: Words) -> str:
        """The unit to which an order is given: the first of the side that it names; "" for none."""
        return next((word for word in words[1:] if word in self.own), "")

    def target(self, words: Words) -> str:
        """Whom or where an order is aimed at: the first enemy unit that it names, else the last place; "" for none."""
        enemy = next((word for word in words[1:] if word in self.enemies), "")
        return enemy or next((word for word in reversed(words[1:]) if word in self.labels), "")

    def way(self, words: Words, now: dict[str, str]) -> tuple[str, ...]:
        """The places by which an order is drawn: from where its unit stands, over its first way, to its target."""
        start, end = self.run(words)
        there = [now[self.actor(words)]] if self.actor(words) in now else []
        aimed = [now[enemy] for enemy in words[1:] if enemy in self.enemies and enemy in now][:1]
        way = [*there, *words[start:end], *aimed]
        return tuple(label for place, label in enumerate(way) if place == 0 or way[place - 1] != label)

    def run(self, words: Words) -> tuple[int, int]:
        """Where the first way in an order begins and ends: places one behind another; (0, 0) for none."""
        start = next((place for place, word in enumerate(words) if place and word in self.labels), 0)
        end = start
        while start and end < len(words) and words[end] in self.labels:
            end += 1
        return start, end

    def told(self, word: str) -> str:
        """A unit or place with its name: `sg-07 Shinsengumi`, `2411 Kamitoba`."""
        name = self.shown(self.names.get(word) or self.called.get(word, ""))
        return f"{word} {name}" if name and name != word else word

    def shown(self, words: str) -> str:
        """A sentence of the rules in the language in force."""
        return shown(words, self._put)
