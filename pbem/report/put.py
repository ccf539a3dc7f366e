"""What a report is made of, put into the language in force: names as the scenario's list has them, sentences of rules.

It is the one place where English of rules and match becomes another language: behind it all is told in that one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.language import ENGLISH, language, shown
from pbem.report.layout import Json

__all__ = ["put", "put_situation", "put_step"]

NAMED = ("units", "places", "sides", "phases", "where")
"""Lists of a situation of things that have a name or title."""

TOLD = frozenset({"name", "title", "reason", "why", "text", "turn_title", "ground", "prompt"})
"""Facts that are words, whatever they are facts of; all others are numbers, ids and words of orders."""

OF_EVENTS = ("titles", "army", "way")
"""What else is words in the facts of events, a list's items, too: titles of armies, why a way back costs a step."""


def put(given: Json, names: Mapping[str, str]) -> Json:
    """A report's input in the language in force: its situation, its steps and what is due."""
    steps = [put_step(step, names) for step in given["steps"]]
    due = _put(given["due"], names)
    return {**given, "situation": put_situation(given["situation"], names), "steps": steps, "due": due}


def put_situation(situation: Json, names: Mapping[str, str]) -> Json:
    """A situation with its names and titles in the language in force; in English it is the same one."""
    if language() == ENGLISH:
        return situation
    lists = {key: [_put(thing, names) for thing in situation[key]] for key in NAMED if key in situation}
    phase = situation["phase"]
    return {**_put(situation, names), **lists, "phase": None if phase is None else _put(phase, names)}


def put_step(step: Json, names: Mapping[str, str]) -> Json:
    """A step of a log with what is told in it in the language in force; in English it is the same one."""
    if language() == ENGLISH:
        return step
    facts = step.get("facts")
    return {**_put(step, names), **({} if facts is None else {"facts": _put_facts(facts, names)})}


def _put_facts(facts: Json, names: Mapping[str, str]) -> Json:
    more: Json = {key: _all(facts[key], names) for key in OF_EVENTS if key in facts}
    if facts.get("modifiers"):
        more["modifiers"] = [{**each, "what": shown(each["what"], names)} for each in facts["modifiers"]]
    return {**_put(facts, names), **more}


def _put(thing: Json, names: Mapping[str, str]) -> Json:
    """A thing with those of its values that are words in the language in force."""
    return {key: _words(key, value, names) for key, value in thing.items()}


def _words(key: str, value: Any, names: Mapping[str, str]) -> Any:
    return shown(value, names) if key in TOLD and isinstance(value, str) else value


def _all(value: Any, names: Mapping[str, str]) -> Any:
    """Each string in the language in force."""
    if isinstance(value, list | tuple):
        return [_all(each, names) for each in value]
    return shown(value, names) if isinstance(value, str) else value
