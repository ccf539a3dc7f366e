"""What a report is made of, put into the language in force: names as the scenario's list has them, sentences of rules.

It is the one place where English of rules and match becomes another language: behind it all is told in that one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from pbem.language import ENGLISH, language, shown
from pbem.report.layout import Json
from pbem.scenario import japanese_names

__all__ = ["put", "put_here", "put_kind", "put_situation", "put_step", "put_steps", "put_words"]

NAMED = ("units", "places", "sides", "phases", "where")
"""Lists of a situation of things that have a name or title."""

TOLD = frozenset({"name", "title", "reason", "why", "text", "turn_title", "ground", "prompt"})
"""Facts that are words, whatever they are facts of; all others are numbers, ids and words of orders."""


ASKED = "asked: "
"""What the kind of what is asked stands behind where it is recognised."""


def put(given: Json, names: Mapping[str, str]) -> Json:
    """A report's input in the language in force: its situation, its steps and what is due."""
    steps = [put_step(step, names) for step in given["steps"]]
    due = _put(given["due"], names)
    return {**given, "situation": put_situation(given["situation"], names), "steps": steps, "due": due}


def put_words(words: str, system: str) -> str:
    """An English sentence of rules or match in the language in force, with the names of a system's units and places."""
    return words if language() == ENGLISH else shown(words, _names_of(system))


def put_kind(kind: str) -> str:
    """What is asked, by its kind: there are words that mean something else elsewhere, as `move`."""
    return kind if language() == ENGLISH else shown(f"{ASKED}{kind}").removeprefix(ASKED)


_names_of = lru_cache(8)(japanese_names)
"""System -> name of a unit or place -> what it is in Japanese."""


def put_situation(situation: Json, names: Mapping[str, str]) -> Json:
    """A situation with its names and titles in the language in force; in English it is the same one."""
    if language() == ENGLISH:
        return situation
    lists = {key: [_put(thing, names) for thing in situation[key]] for key in NAMED if key in situation}
    phase = situation["phase"]
    return {**_put(situation, names), **lists, "phase": None if phase is None else _put(phase, names)}


def put_here(situation: Json) -> Json:
    """A situation, with the names of its own system."""
    return situation if language() == ENGLISH else put_situation(situation, _names_of(situation["system"]))


def put_steps(steps: Iterable[Json], system: str) -> list[Json]:
    """Steps of a log of a game of a system in the language in force."""
    return [*steps] if language() == ENGLISH else [put_step(step, _names_of(system)) for step in steps]


def put_step(step: Json, names: Mapping[str, str]) -> Json:
    """A step of a log with what is told in it in the language in force; in English it is the same one."""
    if language() == ENGLISH:
        return step
    facts = step.get("facts")
    return {**_put(step, names), **({} if facts is None else {"facts": _put_facts(facts, names)})}


def _put_facts(facts: Json, names: Mapping[str, str]) -> Json:
    modifiers = facts.get("modifiers")
    more = [{**each, "what": shown(each["what"], names)} for each in modifiers] if modifiers else modifiers
    return {**_put(facts, names), **({} if modifiers is None else {"modifiers": more})}


def _put(thing: Json, names: Mapping[str, str]) -> Json:
    """A thing with those of its values that are words in the language in force."""
    return {key: _words(key, value, names) for key, value in thing.items()}


def _words(key: str, value: Any, names: Mapping[str, str]) -> Any:
    return shown(value, names) if key in TOLD and isinstance(value, str) else value
