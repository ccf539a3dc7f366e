"""Reads what the scenarios of all systems have: head, maps, options, provenance; what is wrong goes into `defects`."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

from pbem import words
from pbem.errors import BadScenario, Defects, PbemError, as_meant, shown, stands
from pbem.maps.hexes import Hex
from pbem.maps.map import Map
from pbem.rules.kit.options import Choice
from pbem.words import ALIKE, closest, nearest_and_all

__all__ = [
    "check_id", "head", "hex_at", "known", "maps", "options", "prefixes", "reconstructed", "short",
    "tables", "turns", "yes",
]  # fmt: skip

KEYS = (
    "scenario", "system", "edition", "title", "date", "first-day", "length", "tables", "turns", "mails", "options",
    "sides", "formations", "brief", "provenance",
)  # fmt: skip
"""The keys that the scenarios of every system have."""

ID = re.compile(r"[a-z][a-z0-9-]{0,15}")  # orders are read in small letters
"""The id of a unit or force: a word of the order language."""

SHORT = 8
MOST_TURNS = 99
NONE = "none"
"""What stands in place of maps' names where none is needed."""


def head(
    data: Mapping[str, Any], system: str, edition: str, keys: Sequence[str], defects: Defects
) -> tuple[str, Mapping[str, Any]]:
    """The name of a scenario of this system and edition, and its blocks: those of every system and those `keys`."""
    scenario = defects.keys(defects.block(data, "scenario", "data"), (*KEYS, *keys), "scenario")
    for key, right in (("system", system), ("edition", edition)):
        if str(scenario.get(key)) != right:
            defects.wrong(f"scenario.{key}", stands(scenario.get(key)), f"these rules are {right}")
    sources = defects.block(scenario, "provenance", "scenario")
    defects.keys(sources, dict.fromkeys((*KEYS, *keys, "map", "maps")), "scenario.provenance")
    return defects.text(scenario, "scenario", "scenario"), scenario


def turns(scenario: Mapping[str, Any], defects: Defects) -> int:
    """The turns of a scenario; as many as there can be when that can't be read, so that every turn is one of them."""
    before = len(defects.found)
    number = defects.number(scenario.get("turns"), "scenario.turns", 1, MOST_TURNS)
    return number if len(defects.found) == before else MOST_TURNS


def known(value: object, allowed: Collection[str], where: str, defects: Defects) -> str:
    """A word, which must be one of those allowed; the nearest of them, if there is one, when it isn't."""
    if str(value) in allowed:
        return str(value)
    defects.wrong(where, stands(value), nearest_and_all(str(value or ""), allowed))
    return closest(str(value or ""), allowed, ALIKE) or str(value)


def short(data: Mapping[str, Any], default: str, where: str, defects: Defects) -> str:
    """The name on a unit's counter."""
    word = data.get("short", default)
    if len(str(word)) > SHORT or not str(word).isascii() or isinstance(word, list | Mapping):
        defects.wrong(f"{where}.short", stands(word), f"write up to {SHORT} plain letters")
    return str(word)


def yes(data: Mapping[str, Any], key: str, where: str, defects: Defects) -> bool:
    """Whether `yes` stands under a key; `no` when it isn't there."""
    return known(data.get(key, "no"), ("no", "yes"), f"{where}.{key}", defects) == "yes"


def check_id(word: str, where: str, example: str, defects: Defects, taken: Collection[str] = ()) -> None:
    """Note an id that can't be a word of the order language, or is one already: one of those `taken`."""
    if word.lower() in taken:
        defects.wrong(where, f"{shown(word)} is a word of orders", f"give it another id, as in {example}")
    elif not ID.fullmatch(word):
        right = f"write a small letter, then small letters, digits and -, 16 at most, as in {example}"
        defects.wrong(where, f"{shown(word)} can't stand in an order", right)


def hex_at(parse: Callable[[str], Hex], number: object, where: str, defects: Defects) -> Hex | None:
    """The hex with a number; None when there is none."""
    if isinstance(number, list | Mapping):
        defects.wrong(where, stands(number), "write the number of one hex")
        return None
    try:
        return parse(str(number))
    except PbemError as error:
        defects.wrong(where, error.what, error.hint)
        return None


# --- maps -------------------------------------------------------------------------------------------------------------


def prefixes(scenario: Mapping[str, Any], defects: Defects) -> dict[str, str]:
    """The maps of a scenario, each with the prefix of its hex numbers; a single map has none."""
    if scenario.get("maps") == NONE:
        defects.wrong("scenario.maps", "is none", "these rules need a map: write `maps: [NAME]`, and maps/NAME.yaml")
        return {}
    names = defects.words(scenario, "maps", "scenario") or defects.words(scenario, "map", "scenario")
    given = defects.block(scenario, "prefixes", "scenario")
    if len(names) > 1:
        given = defects.keys(given, names, "scenario.prefixes")
    if len(names) < 2:
        if given:
            defects.wrong("scenario.prefixes", "a single map has none", "leave them out")
        return dict.fromkeys(names, "")
    found = {name: str(given.get(name, "")) for name in names}
    if len(set(found.values())) < len(names) or not all(p.isascii() and p.isupper() for p in found.values()):
        what = f"are {shown(found)}" if given else "is missing"
        defects.wrong("scenario.prefixes", what, "give each map a capital letter of its own")
    return found


def maps(
    data: Mapping[str, Any], named: Mapping[str, str], barred: Collection[str], defects: Defects, scenario: str
) -> dict[str, Map]:
    """The maps named, with the prefixes of their numbers; several lie far from each other.

    A single one is cut to the `sheet` that a scenario names, where the rules know that key. Raises BadScenario with
    every defect so far when there is none.
    """
    given, found = defects.block(data, "maps", "data"), {}
    sheet = _sheet(defects.block(data, "scenario", "data"), named, defects)
    for i, (name, prefix) in enumerate(named.items()):
        if not name:  # the key is missing, as was told
            continue
        if name not in given:
            right = f"maps are: {', '.join(sorted(given)) or 'none'}"
            defects.wrong(f"scenario.{'maps' if len(named) > 1 else 'map'}", f"there is no map {shown(name)}", right)
            continue
        m, wrong = Map.read(given[name], prefix, i, barred=barred, sheet=sheet)
        for defect in wrong:
            if defect.where == "sheet":
                defects.wrong("scenario.sheet", defect.what, defect.right)
            else:
                defects.take(f"map {name}", [defect])
        if m is None:
            continue
        if m.name != name:
            defects.wrong(f"map {name}.map", f"is {shown(m.name)}", f"the file's name asks for {name}")
        found[name] = m
    if not found:
        defects.raise_any(f"scenario {scenario}")
        raise BadScenario("no map", f"scenario {scenario}", "write `map: NAME` or `maps: [NAME, ...]`")
    return found


def _sheet(scenario: Mapping[str, Any], named: Collection[str], defects: Defects) -> str:
    """The sheet that a scenario is played on; empty where it is played on whole maps."""
    sheet = scenario.get("sheet", "")
    if "sheet" in scenario and (not isinstance(sheet, str) or not sheet):
        defects.wrong(
            "scenario.sheet", stands(sheet), "write the letters before the numbers of one sheet, or leave it out"
        )
    elif sheet and len(named) > 1:
        defects.wrong("scenario.sheet", f"is {shown(sheet)}, and there are several maps", "name one map, or no sheet")
    else:
        return str(sheet)
    return ""


# --- tables -----------------------------------------------------------------------------------------------------------


def tables(data: Mapping[str, Any], defects: Defects) -> Mapping[str, Any]:
    """The tables of a scenario whose rules have them in one file."""
    found = defects.block(data, "tables", "data")
    named = defects.block(data, "scenario", "data").get("tables")
    if not isinstance(named, list):
        return found
    defects.wrong("scenario.tables", f"is {shown(named)}", "these rules have them in one file: write `tables: NAME`")
    return defects.block(found, str(named[0]), "tables") if named else found


# --- options ----------------------------------------------------------------------------------------------------------


def options(
    scenario: Mapping[str, Any], rules: Mapping[str, Sequence[str]], needed: Iterable[str], defects: Defects
) -> dict[str, Choice]:
    """The options of a scenario: of those that the `rules` have, with their values; the `needed` can't be left out."""
    found: dict[str, Choice] = {}
    given = defects.block(scenario, "options", "scenario")
    for name in given:
        option, where = defects.block(given, name, "scenario.options"), f"scenario.options.{name}"
        if name not in rules:
            defects.wrong(where, "isn't an option of these rules", nearest_and_all(name, rules))
        meant = name if name in rules else closest(name, [other for other in rules if other not in given], ALIKE)
        if option or not isinstance(given[name], str | list):
            found[meant or name] = _choice(option, where, rules.get(meant or name, ()), defects)
    missing = [name for name in needed if name not in found and name not in given]
    strangers = [name for name in found if name not in rules]
    for name in missing if len(missing) > len(strangers) else ():  # else they are what is missing
        defects.wrong(f"scenario.options.{name}", "is missing", f"values are {', '.join(rules[name])}")
    return found


def _choice(option: Mapping[str, Any], where: str, rules: Sequence[str], defects: Defects) -> Choice:
    """An option that has a title, the values of the rules, and for each of them a sentence on what it means.

    Without `rules`, for an option that they don't have, its own values are right.
    """
    option = defects.keys(option, ("title", "default", "values", "means"), where)
    defects.text(option, "title", where)
    before = len(defects.found)
    values = defects.words(option, "values", where)
    if rules and sorted(values) != sorted(rules) and len(defects.found) == before:
        what = f"are {shown(values)}" if values else stands(option.get("values"))
        defects.wrong(f"{where}.values", what, f"values are {', '.join(rules)}")
    right = [value for value in rules or values if value in values or not values]
    either = [*dict.fromkeys((*rules, *values))]
    if not option.get("means"):
        defects.wrong(f"{where}.means", stands(option.get("means")), "write `means: {VALUE: TEXT, ...}`")
    elif given := defects.block(option, "means", where):
        for value in (value for value in given if value not in either):
            defects.wrong(f"{where}.means.{value}", "isn't a value of the option", nearest_and_all(value, either))
        for value in right:
            defects.text(as_meant(given, either), value, f"{where}.means")
    return Choice(known(option.get("default"), either, f"{where}.default", defects), tuple(values))


# --- provenance -------------------------------------------------------------------------------------------------------


def reconstructed(blocks: Iterable[tuple[str, object]]) -> tuple[str, ...]:
    """What no source gives, as the `provenance` of these parts says it: (what the part is, its block)."""
    return tuple(
        line for what, block in blocks if isinstance(block, Mapping) for line in words.reconstructed(block, what)
    )
