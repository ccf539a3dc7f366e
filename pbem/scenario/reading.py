"""A scenario file and those that it names, read out of their bytes, and what is wrong with them and their frame."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from pbem.errors import BadScenario, Defect, as_meant, shown, stands, unknown_keys
from pbem.records import NamedTuple
from pbem.scenario.days import read_day
from pbem.wire.repair import clean, cut_at_fences

__all__ = ["Named", "Reading", "is_text", "parse"]

NO_MAPS = "none"
"""What stands in place of maps' names in a scenario that needs no map."""


class Reading(NamedTuple):
    """What could be read of a scenario and the files it names, and every defect of files and frame.

    `data` is a Scenario's, without the files that can't be read; `whole` when none is missing. `files` are those that
    could be read, "SYSTEM/PATH" -> bytes.
    """

    data: dict[str, Any]
    defects: tuple[Defect, ...]
    whole: bool
    files: dict[str, bytes]


def parse(file: Path, sources: Mapping[str, bytes], *, guess: bool = False) -> Reading:
    """The data of a scenario and of all the files it names, with the frame that all systems share checked.

    With `guess` an army of the scenario's own name is read also where none is named.
    """
    named = Named(file, sources)
    scenario = named.mapping(file.name)
    if scenario is None:
        return Reading({}, tuple(named.defects), False, {})
    named.frame(scenario)
    meant = as_meant(scenario, _KEYS)
    data = {"scenario": scenario, "maps": named.files(*named.maps(scenario, meant), "maps/")}
    if "armies" in meant:
        data["armies"] = named.files("armies", named.names(meant["armies"], "armies"), "armies/")
    elif guess and file.name in named.in_folder("armies/"):
        data["armies"] = named.files("armies", [file.stem], "armies/")
    tables = named.files("tables", named.tables(scenario, meant), "", "tables")
    data["tables"] = tables if isinstance(meant.get("tables"), list) else next(iter(tables.values()), {})
    return Reading(data, tuple(named.defects), named.whole, named.read)


def is_text(value: object) -> bool:
    """Whether this is a text, and not an empty one."""
    return isinstance(value, str) and value != ""


_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
_ONE_LINE = ("title", "short", "name", "date", "length")
NAME_MAX, TEXT_MAX, ROWS_MAX = 200, 5000, 50_000
"""Letters of what stands in a line, of any other text, and of the rows of a map."""


def _unprintable(data: object, key: str = "") -> Iterator[tuple[str, str, str]]:
    """What no mail or report can hold, wherever it stands: key, text and what would be right."""
    if isinstance(data, str):
        if key in _ONE_LINE and _CONTROL.search(data):  # in the Subject
            yield key, data, "write it in one line, without control characters"
        elif ("-----" in data or not data.isascii()) and cut_at_fences(clean(data)):
            yield key, data, "write it without a line that begins or ends a turn"
        most = NAME_MAX if key in _ONE_LINE else ROWS_MAX if key == "rows" else TEXT_MAX
        if len(data) > most:
            yield key, data, f"write it in {most:,} letters at most, it has {len(data):,}"
    for name, value in data.items() if isinstance(data, dict) else ():
        if len(name) > NAME_MAX:
            yield key, name, f"write a key of {NAME_MAX} letters at most"
            continue
        yield from _unprintable(value, name)
    for value in data if isinstance(data, list) else ():
        yield from _unprintable(value, key)


def _texts(value: object) -> bool:
    """Whether this is a mapping of texts."""
    return isinstance(value, dict) and all(isinstance(text, str) for text in value.values())


BRIEF = ("situation", "sides", "special", "victory", "sources", "provenance")
"""The headings of a scenario's `brief`."""


def _is_brief(value: object) -> bool:
    """Whether this is headings with a text, a list of texts or texts by name."""
    if not isinstance(value, dict):
        return False
    lists = [words for words in value.values() if isinstance(words, list)]
    return all(isinstance(words, str | list) or _texts(words) for words in value.values()) and all(
        isinstance(text, str) for words in lists for text in words
    )


def _is_day(value: object) -> bool:
    """Whether this is a day, written as 1862-08-19."""
    return read_day(value) is not None


_MAY_STAND: dict[str, tuple[Callable[[object], bool], str, str]] = {
    "date": (is_text, "a text", "date: TEXT"),
    "first-day": (_is_day, "a day", "first-day: 1862-08-19"),
    "length": (is_text, "a text", "length: TEXT"),
    "formations": (_texts, "texts by name", "formations: {NAME: TITLE, ...}"),
    "provenance": (_texts, "texts by name", "provenance: {BLOCK: TEXT, ...}"),
    "brief": (_is_brief, "texts under headings", "brief: {situation: TEXT, sides: {SIDE: TEXT}, special: [TEXT, ...]}"),
}
"""Keys that a scenario of any system may have, and what stands under them."""


_KEYS = (
    "scenario", "system", "edition", "title", "map", "maps", "armies", "tables", "turns", "mails", "options", "sides",
    *_MAY_STAND,
)  # fmt: skip
"""Keys of a scenario by which a misspelt one is understood."""


class Named:
    """Reads a scenario file and those of its system that it names; collects defects on the way."""

    def __init__(self, file: Path, sources: Mapping[str, bytes]) -> None:
        self.file = file
        self.system = file.parent.name
        self.where = f"{self.system}/{file.name}"
        self.sources = sources
        self.defects: list[Defect] = []
        self.whole = True
        self.read: dict[str, bytes] = {}

    def wrong(self, what: str, right: str) -> None:
        """Note a defect of the scenario file."""
        self.defects.append(Defect(self.where, what, right))

    def frame(self, scenario: Mapping[str, Any]) -> None:
        """The keys that every scenario has."""
        for key in ("scenario", "system", "edition", "title"):
            if not is_text(scenario.get(key)):
                self.wrong(f"`{key}` {stands(scenario.get(key))}", f"write `{key}: TEXT`")
        if not re.fullmatch("[a-z0-9][a-z0-9-]{0,79}", self.file.stem):
            self.wrong(f"`scenario` can't be {shown(self.file.stem)}", "name the file with small letters, digits and -")
        for key, right in (("scenario", self.file.stem), ("system", self.system)):
            if is_text(scenario.get(key)) and scenario[key] != right:
                self.wrong(f"`{key}` is {shown(scenario[key])}", f"the file's place asks for {right}")
        edition = scenario.get("edition")
        if isinstance(edition, str) and edition and edition.split("/")[0] != self.system:
            self.wrong(f"`edition` is {shown(edition)}", f"write {self.system}/NUMBER")
        for key, (fits, what, right) in _MAY_STAND.items():
            if key in scenario and not fits(scenario[key]):
                self.wrong(f"`{key}` isn't {what}", f"write `{right}`")
        self.brief(as_meant(scenario, _KEYS))

    def brief(self, scenario: Mapping[str, Any]) -> None:
        """The headings of the brief, and the sides to which it speaks."""
        brief, sides = scenario.get("brief"), scenario.get("sides")
        if not isinstance(brief, dict):
            return
        wrong = [*unknown_keys(brief, BRIEF, "brief")]
        ids: list[Any] = [side.get("id") for side in sides if isinstance(side, dict)] if isinstance(sides, list) else []
        if isinstance(brief.get("sides"), dict) and ids and all(map(is_text, ids)):
            wrong += unknown_keys(brief["sides"], ids, "brief.sides")
        for defect in wrong:
            self.wrong(f"`{defect.where}` {defect.what}", defect.right)

    def maps(self, scenario: dict[str, Any], meant: Mapping[str, Any]) -> tuple[str, list[str]]:
        """The key under which a scenario names its maps, `map` or `maps`, and their names.

        `meant` is the scenario with its misspelt keys understood. Where none names a map the likeliest is read on with.
        """
        if "map" in scenario and "maps" in scenario:
            self.wrong("`map` and `maps` both stand there", "keep one of them")
        if scenario.get("maps") == NO_MAPS:
            return "maps", []
        if "maps" in scenario:
            return "maps", self.names(scenario["maps"], "maps")
        if is_text(scenario.get("map")):
            return "map", [scenario["map"]]
        right = "write `map: NAME` or `maps: [NAME, NAME]`; `maps: none` if it needs none"
        self.wrong(f"`map` {stands(scenario.get('map'))}", right)
        found = meant.get("maps") or meant.get("map") or self.likeliest("maps/")
        names = self.names(found, "map") if found else []
        if names and "map" not in meant and "maps" not in meant:
            scenario["map"] = names[0]
        self.whole = self.whole and bool(names)
        return "map", names

    def likeliest(self, folder: str) -> str:
        """A file of a folder that nothing names: that of the scenario's own name, else the only one; empty for none."""
        there = self.in_folder(folder)
        found = self.file.name if self.file.name in there else there[0] if len(there) == 1 else ""
        return found.removesuffix(".yaml")

    def in_folder(self, folder: str) -> list[str]:
        """The names of the files of a folder."""
        return [name.removeprefix(folder) for name in self.sources if name.startswith(folder)]

    def tables(self, scenario: dict[str, Any], meant: Mapping[str, Any]) -> list[str]:
        """The names of a scenario's tables: of one file, or of one for each chapter."""
        if isinstance(meant.get("tables"), list):
            return self.names(meant["tables"], "tables")
        if not is_text(scenario.get("tables")):
            self.wrong(f"`tables` {stands(scenario.get('tables'))}", "write `tables: NAME`")
        found = meant.get("tables")
        return [found] if isinstance(found, str) and found else ["tables"] if "tables.yaml" in self.sources else []

    def names(self, value: object, key: str) -> list[str]:
        """A list of names, or a text of them, each named once."""
        value = value.split() if isinstance(value, str) else value
        if not isinstance(value, list) or not value or not all(map(is_text, value)):
            self.wrong(f"`{key}` isn't a list of names", f"write `{key}: [NAME, ...]`")
            self.whole = False
            return []
        names = list(dict.fromkeys(value))
        for twice in [name for name in names if value.count(name) > 1]:
            self.wrong(f"`{key}` names {shown(twice)[1:-1]} twice", "name it once")
        return names

    def files(self, key: str, names: list[str], folder: str, start: str = "") -> dict[str, dict[str, Any]]:
        """Name -> parsed file, of a folder ("" is the system's own) and beginning with `start`."""
        known = [name for name in self.sources if name.startswith(folder + start)]
        found = {}
        for name in names:
            path = f"{folder}{name}.yaml"
            if path not in known:
                hint = f"{self.system} has: {', '.join(known) or 'none'}"
                self.wrong(f"`{key}` names {self.system}/{shown(path)[1:-1]}, which isn't there", hint)
            data = self.mapping(path) if path in known else None
            if data is None:
                self.whole = False
            else:
                found[name] = data
        return found

    def mapping(self, path: str) -> dict[str, Any] | None:
        """A parsed file; None, and a defect, when it is no mapping or can't be read."""
        where = f"{self.system}/{path}"
        try:
            data = json.loads(_parsed(self.sources[path], where))
        except BadScenario as error:
            self.defects.append(Defect(error.where, error.what, error.hint))
            return None
        if isinstance(data, dict):
            self.read[where] = self.sources[path]
            self.defects += [
                Defect(where, f"`{key}` is {shown(words)}", right) for key, words, right in _unprintable(data)
            ]
            return data
        self.defects.append(Defect(where, "the file isn't a mapping", "write `KEY: VALUE` lines"))
        return None


@lru_cache(64)
def _parsed(source: bytes, where: str) -> str:
    """A YAML file as JSON, parsed once though several scenarios name it. Raises BadScenario."""
    from pbem import strictyaml  # here, so that a cached scenario needs no YAML at all

    return json.dumps(strictyaml.load(source, where))
