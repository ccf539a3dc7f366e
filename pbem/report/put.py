"""What a report is made of, put into the language in force: names as the scenario's list has them, sentences of rules.

It is the one place where English of rules and match becomes another language: behind it all is told in that one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from pbem.language import ENGLISH, language, shown
from pbem.maps.map import Map
from pbem.report.layout import Json
from pbem.scenario import japanese_names
from pbem.words import own

__all__ = [
    "drawn", "map_in_words", "put", "put_formation", "put_here", "put_situation", "put_step",
    "put_steps", "put_summary", "put_words",
]  # fmt: skip

TOLD = frozenset({"name", "title", "reason", "why", "text", "turn_title", "ground", "prompt"})
"""Facts that are words, whatever they are facts of; all others are numbers, ids and words of orders."""

OF_EVENTS = ("short", "level", "county", "home", "titles", "army", "way")
"""What else is words in the facts of events, a list's items, too: why a march ended, a level of victory, counties,
titles of armies, why a way back costs a step."""

OF_SITUATION = TOLD | {
    "command", "date", "goal", "many", "measure", "north", "note", "one", "place", "reconstructed", "short",
    "side_title", "south", "stronghold", "told", "what", "words",
}  # fmt: skip
"""What else is words in a situation and in what stands round it in a report, a list's items, too."""

NAMED_VALUES = frozenset({"values", "extra"})
"""Values with their names, which are words, too."""


WINGS = frozenset({"left", "centre", "right"})
"""Formations that have no title."""


def put(given: Json, names: Mapping[str, str]) -> Json:
    """A report's input in the language in force: its situation, its steps, what is due, and what stands round them."""
    steps = [put_step(step, names) for step in given["steps"]]
    own(*(player["name"] for player in given["players"]))
    players = [{**player, "side_title": shown(player["side_title"], names)} for player in given["players"]]
    round_it = {"scenario": _deep(given["scenario"], "scenario", names), "players": players}
    called = {unit["formation"]: unit["formation"] for unit in given["situation"]["units"]}
    formations = {id: shown(title, names) for id, title in {**called, **given.get("formations", {})}.items()}
    charts = [{key: _all(told, names) for key, told in chart.items()} for chart in given.get("charts", ())]
    due, situation = _put(given["due"], names), put_situation(given["situation"], names)
    more = {"formations": formations, "charts": charts, "due": due, "situation": situation, "steps": steps}
    return {**given, **round_it, **more}


def drawn(situation: Json, names: Mapping[str, str]) -> Json:
    """A situation as pictures take it, of which symbols are drawn: all else is in the language in force."""
    if language() == ENGLISH:
        return situation
    put_in = put_situation(situation, names)
    symbols = {unit["id"]: unit["symbol"] for unit in situation["units"]}
    return {**put_in, "units": [unit | {"symbol": symbols[unit["id"]]} for unit in put_in["units"]]}


def map_in_words(chart: Map, names: Mapping[str, str]) -> Map:
    """A map on which places and rivers have their names in the language in force; all else is the same."""
    told = {
        "title": shown(chart.title, names),
        "place_names": {h: shown(name, names) for h, name in chart.place_names.items()},
        "roads": tuple(road._replace(name=shown(road.name, names)) for road in chart.roads),
        "hexsides": tuple(course._replace(name=shown(course.name, names)) for course in chart.hexsides),
    }
    return Map(*(told.get(name, getattr(chart, name)) for name in Map._names))


def put_words(words: str, system: str) -> str:
    """An English sentence of rules or match in the language in force, with the names of a system's units and places."""
    return words if language() == ENGLISH else shown(words, _names_of(system))


def put_formation(id: str, titles: Mapping[str, str]) -> str:
    """What a formation is called: its title, else its id; of a battle of miniatures it is one of the wings."""
    title = titles.get(id, id)
    return title if language() == ENGLISH or title != id or id not in WINGS else shown(f"{id} wing")


_names_of = lru_cache(8)(japanese_names)
"""System -> name of a unit or place -> what it is in Japanese."""


def put_situation(situation: Json, names: Mapping[str, str]) -> Json:
    """A situation with its names, titles and words in the language in force; in English it is the same one."""
    if language() == ENGLISH:
        return situation
    found: Json = {key: _deep(value, key, names) for key, value in situation.items() if key != "phase"}
    found.setdefault("turn_title", shown("turn"))
    phase, kinds = situation["phase"], (situation.get("table") or {}).get("kinds", {})
    found["phase"] = None if phase is None else _put(phase, names)
    called = {unit["id"]: unit["name"] for unit in found["units"]}
    for unit in found["units"]:
        unit |= {} if unit["symbol"] in kinds else {"symbol": shown(unit["symbol"], names)}
        unit |= {"attached": [called[one] for one in unit["attached_to"]]} if unit.get("attached_to") else {}
    if found.get("by_formation"):
        for unit in found["units"]:
            unit["formation"] = shown(unit["formation"], names)
    if kinds:
        found["table"]["kinds"] = {symbol: shown(what, names) for symbol, what in kinds.items()}
    return found


def put_summary(data: Json, names: Mapping[str, str]) -> Json:
    """What many games came to (pbem.simulate.summary), with its words in the language in force."""
    sides = [
        {**side, "title": shown(side["title"], names), "leaders": shown(side["leaders"])} for side in data["sides"]
    ]
    endings = [
        {**ending, **{key: shown(ending[key], names) for key in ("title", "level", "reason")}}
        for ending in data["endings"]
    ]
    return {**data, "title": shown(data["title"], names), "sides": sides, "endings": endings}


def put_here(situation: Json) -> Json:
    """A situation, with the names of its own system."""
    return situation if language() == ENGLISH else put_situation(situation, _names_of(situation["system"]))


def put_steps(steps: Iterable[Json], system: str) -> list[Json]:
    """Steps of a log of a game of a system in the language in force."""
    return [*steps] if language() == ENGLISH else [put_step(step, _names_of(system)) for step in steps]


def put_step(step: Json, names: Mapping[str, str]) -> Json:
    """A step of a log with what is told in it in the language in force; in English it is the same one.

    What a player says stays as he wrote it.
    """
    if language() == ENGLISH or step["kind"] == "say":
        return step
    facts = step.get("facts")
    return {**_put(step, names), **({} if facts is None else {"facts": _put_facts(facts, names)})}


def _put_facts(facts: Json, names: Mapping[str, str]) -> Json:
    more: Json = {key: _all(facts[key], names) for key in OF_EVENTS if key in facts}
    if facts.get("modifiers"):
        more["modifiers"] = [
            {**each, "what": shown(each["what"], names)} if isinstance(each, dict) else each
            for each in facts["modifiers"]
        ]
    if "chances" in facts:
        more["chances"] = [{**chance, "per_cent": shown(chance["per_cent"])} for chance in facts["chances"]]
    if "counties" in facts:
        more["counties"] = {shown(county, names): units for county, units in facts["counties"].items()}
    return {**_put(facts, names), **more}


def _put(thing: Json, names: Mapping[str, str]) -> Json:
    """A thing with those of its values that are words in the language in force."""
    return {
        key: shown(value, names) if key in TOLD and isinstance(value, str) else value for key, value in thing.items()
    }


def _deep(value: Any, key: str, names: Mapping[str, str]) -> Any:
    """What stands at a key of a situation, with all words in it in the language in force."""
    if isinstance(value, dict):
        if key in NAMED_VALUES:
            return {shown(name, names): _all(each, names) for name, each in value.items()}
        return {name: _deep(each, name, names) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_deep(each, key, names) for each in value]
    return shown(value, names) if key in OF_SITUATION and isinstance(value, str) else value


def _all(value: Any, names: Mapping[str, str]) -> Any:
    """Each string in the language in force."""
    if isinstance(value, list | tuple):
        return [_all(each, names) for each in value]
    return shown(value, names) if isinstance(value, str) else value
