"""A game of forces and strongholds in words: who leads whom with what strength, and how each castle stands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby

from pbem.language import also, clauses, listed, say, shown
from pbem.report.layout import Json, capital, count, in_both

__all__ = ["forces_told", "strongholds_at_first", "strongholds_told"]

Japanese = Mapping[str, str]


def forces_told(situation: Json, side: str, japanese: Japanese | None = None) -> Iterator[tuple[str, list[str]]]:
    """A side's forces by their places: each place, and phrases for who leads others there, then for who is alone."""
    tell = _Telling(situation, japanese or {})
    led = [force for force in situation["forces"] if tell.units[force["id"]]["side"] == side]
    led.sort(key=lambda force: (tell.units[force["id"]]["at"], force["id"]))
    for at, found in groupby(led, key=lambda force: str(tell.units[force["id"]]["at"])):
        here = list(found)
        yield tell.place(at), [*map(tell.force, tell.leading(here)), *tell.alone(here)]


def strongholds_told(situation: Json, japanese: Japanese | None = None) -> Iterator[str]:
    """The strongholds of each side and of nobody: first those of which something is to be told, then the others."""
    tell = _Telling(situation, japanese or {})
    sides, level = {side["id"]: side["title"] for side in situation["sides"]}, shown("level")
    for side, title in [*sides.items(), (None, say("Nobody"))]:
        held = [place for place in situation["places"] if "extra" in place and place["control"] == side]
        held.sort(key=lambda place: (-(place["extra"].get(level) or 0), place["name"] or ""))
        yield from (
            say("%(side)s: %(told)s", side=title, told=tell.stronghold(place)) for place in held if place["words"]
        )
        others = [tell.undamaged(place) for place in held if not place["words"]]
        if others:
            yield say("%(side)s, undamaged and not besieged: %(places)s", side=title, places=listed(others))


def strongholds_at_first(
    situation: Json, side: str | None, japanese: Japanese | None = None
) -> Iterator[tuple[str, list[str]]]:
    """A side's strongholds before play, None for nobody's, by army: each with its numbers and who begins there."""
    tell = _Telling(situation, japanese or {})
    held = [place for place in situation["places"] if "extra" in place and place["control"] == side]
    army_of, level = shown("army"), shown("level")
    held.sort(key=lambda place: (place["extra"].get(army_of) or "", -(place["extra"].get(level) or 0), place["at"]))
    for army, found in groupby(held, key=lambda place: place["extra"].get(army_of)):
        yield army or "", [tell.at_first(place) for place in found]


def _own(badge: Json) -> bool:
    """Whether a badge shows what is so of a unit by itself, not of its force: it lies across the counter."""
    return bool(badge["look"] == "band")


def _runs(ids: Iterable[str]) -> Iterator[str]:
    """Ids of units in the order of their armies, those that follow each other as one: `hb-01 to hb-30`."""
    numbered = [(found.rpartition("-")[0], int(found.rpartition("-")[2]), found) for found in ids]
    for _, run in groupby(enumerate(numbered), lambda one: (one[1][0], one[1][1] - one[0])):
        first, *others = [found for _, (_, _, found) in run]
        yield say("%(first)s to %(last)s", first=first, last=others[-1]) if others else first


class _Telling:
    """What forces and strongholds are told with: the units by their ids, and the names of places in both scripts."""

    def __init__(self, situation: Json, japanese: Japanese) -> None:
        self.units = {unit["id"]: unit for unit in situation["units"]}
        self._led = {force["id"]: force["units"] for force in situation.get("forces", ())}
        self._places = {place["at"]: place["name"] for place in situation["places"] if place["name"]}
        self._ground, self._japanese = situation["ground"], japanese

    def place(self, at: str) -> str:
        """`Himeji (1623)`, `hex 1624`."""
        if at in self._places:
            return f"{in_both(self._places[at], self._japanese)} ({at})"
        return say("%(hex)s %(number)s", hex=self._ground, number=at)

    def undamaged(self, place: Json) -> str:
        """`Gifu (5313) of level 4`."""
        level, told = place["extra"].get(shown("level")), self.place(place["at"])
        return told if level is None else say("%(place)s of level %(level)s", place=told, level=level)

    def at_first(self, place: Json) -> str:
        """`Himeji (1623), level 3, durability 10; 30 units begin there: hb-01 to hb-30`."""
        army = shown("army")
        numbers = [f"{key} {value}" for key, value in place["extra"].items() if value is not None and key != army]
        here = [unit["id"] for unit in self.units.values() if unit.get("code") == place["at"]]
        begin = count(len(here), "unit begins", "units begin")
        told = [say("%(units)s there, %(ids)s", units=begin, ids=listed(_runs(here)))] if here else []
        return clauses([also([self.place(place["at"]), *numbers]), *told])

    def leading(self, forces: Iterable[Json]) -> list[Json]:
        """The forces of which more is told than a name."""
        return [force for force in forces if len(force["units"]) > 1 or self._special(force)]

    def alone(self, forces: Iterable[Json]) -> Iterator[str]:
        """The units that are alone and of which nothing is told but their states, those of the same states together."""
        ones = [force for force in forces if len(force["units"]) == 1 and not self._special(force)]
        ones.sort(key=lambda force: (self.units[force["id"]]["words"], force["id"]))
        for words, found in groupby(ones, key=lambda force: list(self.units[force["id"]]["words"])):
            told = [f"{self._named(force['id'])} {self._row(force)}" for force in found]
            yield capital(say("%(states)s: %(units)s", states=also([say("alone"), *words]), units=listed(told)))

    def force(self, force: Json) -> str:
        """`Hashiba Hideyoshi (hb-01) 9-3-4, morale -1, shut in; with Asano Nagamasa (hb-04) reduced`.

        What is each unit's own, as `reduced`, is told of all or of each; why a force lacks something stands last.
        """
        leader, *others = force["units"]
        own = {badge["title"] for unit in force["units"] for badge in self.units[unit]["badges"] if _own(badge)}
        alike = {word for word in own if all(word in self.units[unit]["words"] for unit in force["units"])}
        words = [
            say("all %(state)s", state=w) if others and w in alike else
            say("himself %(state)s", state=w) if others and w in own - alike else w
            for w in self.units[leader]["words"]
        ]  # fmt: skip
        special = self._special(force)
        why = [told for told in special if ": " in told or "：" in told]
        told = [f"{self._named(leader)} {self._row(force)}", *(one for one in special if one not in why), *words, *why]
        known = {*self.units[leader]["words"]} - (own - alike)
        under = [self._named(unit, [w for w in self.units[unit]["words"] if w not in known]) for unit in others]
        return say("%(force)s; with %(units)s", force=also(told), units=listed(under)) if under else also(told)

    def stronghold(self, place: Json) -> str:
        """`Gifu (5313), army Kobe, level 4, durability 8; besieged by A (a-01); inside one unit, B (b-01)`."""
        numbers = [f"{key} {value}" for key, value in place["extra"].items() if value is not None]
        besieged = shown("besieged")
        words = [word for word in place["words"] if word != besieged or not place["besiegers"]]
        told = [also([self.place(place["at"]), *numbers, *words])]
        if place["besiegers"]:
            told.append(say("besieged by %(forces)s", forces=listed(map(self._named, place["besiegers"]))))
        if place["inside"]:
            units = count(sum(len(self._led[force]) for force in place["inside"]), "unit", "units")
            forces = listed(map(self._named, place["inside"]))
            told.append(say("inside %(units)s, %(forces)s", units=units, forces=forces))
        return clauses(told)

    def _special(self, force: Json) -> list[str]:
        """What is told of a force that no value of its leader's counter is."""
        values = self.units[force["id"]]["values"]
        return [f"{key} {value}" for key, value in force["extra"].items() if key not in values and value is not None]

    def _row(self, force: Json) -> str:
        """The values of the leader's counter, those of the whole force in their place: `9-3-4`."""
        values = self.units[force["id"]]["values"]
        return "-".join(str(force["extra"].get(key, value)) for key, value in values.items())

    def _named(self, unit: str, words: Iterable[str] = ()) -> str:
        """`Asano Nagamasa (hb-04) reduced`."""
        return " ".join([f"{in_both(self.units[unit]['name'], self._japanese)} ({unit})", *words])
