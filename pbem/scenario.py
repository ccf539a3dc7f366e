"""Scenario files: finds, reads and pins them; the only module that opens what stands under scenarios/.

    scenarios/SYSTEM/ID.yaml            a scenario; it names files of the kinds below
    scenarios/SYSTEM/maps/NAME.yaml     a map: `map: NAME`, `maps: [NAME, ...]` for a game on several, or `maps: none`
    scenarios/SYSTEM/armies/NAME.yaml   an order of battle that scenarios share: `armies: [NAME, ...]`, or no such key
    scenarios/SYSTEM/tables*.yaml       tables, shared by the scenarios of a system: `tables: NAME`, or by chapters
                                        `tables: [NAME, ...]`
    scenarios/SYSTEM/japanese.txt       names as they are written in Japan, which no game pins: `NAME = JAPANESE`

What the data mean is the business of the rule system; here they are strings in mappings and lists.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from pbem import resources
from pbem.crypto.hashing import canonical_json, digest, lp
from pbem.disk import open_regular
from pbem.errors import BadScenario, Defect, Storage, as_meant, counted, shown, stands, unknown_keys
from pbem.words import nearest

__all__ = [
    "Reading", "Scenario", "Summary", "japanese_names", "list_scenarios", "load_scenario", "read_scenario",
    "reconstructed", "sides_of", "summary", "systems",
]  # fmt: skip

NO_MAPS = "none"
"""What stands in place of maps' names in a scenario that needs no map."""

_TAG = "pbem-scenario/1"


class Scenario(NamedTuple):
    """A scenario with all it needs: `data` is {"scenario": {...}, "maps": {name: {...}}, "tables": {...}}.

    A scenario that names armies has "armies": {name: {...}} too; one whose tables are by chapters has "tables":
    {name: {...}}. Maps, armies and chapters stand in the order in which the scenario names them. Every scalar in `data`
    is a string. `digest` (64 hex digits) pins the data in a game's first log entry.
    """

    id: str
    system: str
    edition: str
    title: str
    data: dict[str, Any]
    digest: str


class Shelf(Protocol):
    """Where parsed scenarios are kept, by names, each under a key of all that it was made of."""

    def recall(self, name: str, key: str, /) -> Any:
        """The data that were kept under a name and this key; None when there are none, others, or not whole."""

    def keep(self, name: str, key: str, data: Any, /) -> None:
        """Keep data; where that can't be it only costs time."""


class Summary(NamedTuple):
    """A scenario in a list: its sides in playing order, its turns, and what in it no rulebook gives."""

    id: str
    system: str
    title: str
    sides: tuple[str, ...]
    turns: int
    reconstructed: tuple[str, ...]


def load_scenario(scenario_id: str, cache: Shelf | None = None) -> Scenario:
    """The scenario of that id.

    With a `cache` the parsed data are kept there, and a second call reads no YAML while the files are the same;
    a cache that is stale, broken or can't be written only costs time. Raises BadScenario for an unknown id and for
    every defect of the files, Storage when a file can't be read.
    """
    file = _find(scenario_id)
    sources = _sources(file)
    if cache is None:
        return _loaded(file, sources)
    name, key = f"scenario-{scenario_id}.json", _key(file, sources)
    data = cache.recall(name, key)
    with suppress(LookupError, TypeError):  # what was kept by somebody else
        return _scenario(data)
    scenario = _loaded(file, sources)
    cache.keep(name, key, scenario.data)
    return scenario


def list_scenarios(
    load: Callable[[str], Scenario] = load_scenario, refused: Callable[[BadScenario], None] | None = None
) -> list[Summary]:
    """All scenarios in order of system and id, each found by `load`. Raises Storage.

    One that can't be played raises BadScenario, or is left out and that error told to `refused`.
    """
    found = []
    for name in dict.fromkeys(file.stem for file in _files()):
        try:
            found.append(_summary(load(name)))
        except BadScenario as error:
            if refused is None:
                raise
            refused(error)
    return found


def systems() -> dict[str, str]:
    """Scenario id -> its system, by the names of the files, which aren't read."""
    return {file.stem: file.parent.name for file in _files()}


def sides_of(scenario_id: str) -> list[tuple[str, str]]:
    """Id and title of a scenario's sides, by its own file alone. Raises BadScenario for one that can't be read."""
    file = _find(scenario_id)
    scenario = _Named(file, {file.name: _read(file)}).mapping(file.name) or {}
    sides = scenario.get("sides")
    return [(side["id"], title) for side, title in zip(sides or (), _titles(sides), strict=False) if title]


def japanese_names(system: str) -> dict[str, str]:
    """Name of a scenario, unit or place of a system -> how it is written in Japan, as far as that is known.

    They are no part of a scenario's data, so they can be mended without another digest. Raises Storage.
    """
    file = resources.data_folder("scenarios") / system / "japanese.txt"
    if not file.is_file():
        return {}
    pairs = (line.partition(" = ") for line in _read(file).decode("utf-8", "replace").splitlines())
    return {name: written for name, _, written in pairs if written and not name.startswith("#")}


def _files() -> list[Path]:
    return [
        file
        for file in sorted(resources.data_folder("scenarios").glob("*/*.yaml"))
        if not file.name.startswith("tables") and file.is_file()
    ]


def _find(scenario_id: str) -> Path:
    """The file of a scenario, by comparing names: an id from a log is never made into a path."""
    found = [file for file in _files() if file.stem == scenario_id]
    if len(found) == 1:
        return found[0]
    if found:
        systems = " and ".join(file.parent.name for file in found)
        raise BadScenario(f"{systems} both have a scenario {scenario_id}", hint="rename one of them")
    known = [file.stem for file in _files()]
    meant = nearest(scenario_id, known, "do you mean {}?", 0.4)
    raise BadScenario(f"no scenario is called {scenario_id[:60]!r}", hint=meant)


def _sources(file: Path) -> dict[str, bytes]:
    """Everything that a scenario file could name, and itself: path inside the system's folder -> bytes.

    Each file is read once, so that what is hashed for the cache is what is parsed.
    """
    folder = file.parent
    files = [file, *folder.glob("tables*.yaml")]
    for kind in ("maps", "armies"):
        files += (folder / kind).glob("*.yaml")
    return {source.relative_to(folder).as_posix(): _read(source) for source in sorted(files) if source.is_file()}


def _read(file: Path) -> bytes:
    """A file's bytes, one more than allowed at most."""
    try:
        with open_regular(file) as stream:
            return stream.read(resources.MAX_BYTES + 1)
    except OSError as problem:
        raise Storage(f"{file} can't be read ({problem.strerror})", hint="check the file") from None


# --- parsing


class Reading(NamedTuple):
    """What could be read of a scenario and the files it names, and every defect of files and frame.

    `data` is a Scenario's, without the files that can't be read; `whole` when none is missing. `files` are those that
    could be read, "SYSTEM/PATH" -> bytes.
    """

    data: dict[str, Any]
    defects: tuple[Defect, ...]
    whole: bool
    files: dict[str, bytes]


def read_scenario(file: Path) -> Reading:
    """The scenario file at any place on disk, with its maps, armies and tables beside it. Raises Storage."""
    own = {file.name: _read(file)}
    file = file.absolute()
    reading = _parse(file, {**own, **_sources(file)}, guess=True)
    where = f"{file.parent.name}/{file.name}"
    folders = {file.parent.parent, resources.data_folder("scenarios")}
    others = {other.parent.name for folder in folders for other in folder.glob(f"*/{file.name}")} - {file.parent.name}
    twins = [
        Defect(where, f"{system} has a scenario {shown(file.stem)} too", "rename one of them")
        for system in sorted(others)
    ]
    return reading._replace(defects=(*reading.defects, *twins))


def _loaded(file: Path, sources: Mapping[str, bytes]) -> Scenario:
    data, defects, *_ = _parse(file, sources)
    if len(defects) == 1:
        raise BadScenario(defects[0].what, defects[0].where, defects[0].right)
    if defects:
        raise BadScenario(counted(defects), f"{file.parent.name}/{file.name}", defects=defects)
    return _scenario(data)


def _parse(file: Path, sources: Mapping[str, bytes], *, guess: bool = False) -> Reading:
    """The data of a scenario and of all the files it names, with the frame that all systems share checked.

    With `guess` an army of the scenario's own name is read also where none is named.
    """
    named = _Named(file, sources)
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


def _is_text(value: object) -> bool:
    return isinstance(value, str) and value != ""


_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_ONE_LINE = ("title", "name", "date", "length")


def _unprintable(data: object) -> Iterator[tuple[str, str]]:
    """What is printed in one line, such as the Subject of a mail, and can't be: key and text, wherever it stands."""
    for key, value in data.items() if isinstance(data, dict) else ():
        if key in _ONE_LINE and isinstance(value, str) and _CONTROL.search(value):
            yield key, value
        yield from _unprintable(value)
    for value in data if isinstance(data, list) else ():
        yield from _unprintable(value)


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


_MAY_STAND: dict[str, tuple[Callable[[object], bool], str, str]] = {
    "date": (_is_text, "a text", "date: TEXT"),
    "length": (_is_text, "a text", "length: TEXT"),
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


class _Named:
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
            if not _is_text(scenario.get(key)):
                self.wrong(f"`{key}` {stands(scenario.get(key))}", f"write `{key}: TEXT`")
        if not re.fullmatch("[a-z0-9][a-z0-9-]{0,79}", self.file.stem):
            self.wrong(f"`scenario` can't be {shown(self.file.stem)}", "name the file with small letters, digits and -")
        for key, right in (("scenario", self.file.stem), ("system", self.system)):
            if _is_text(scenario.get(key)) and scenario[key] != right:
                self.wrong(f"`{key}` is {shown(scenario[key])}", f"the file's place asks for {right}")
        edition = scenario.get("edition")
        if isinstance(edition, str) and edition and edition.split("/")[0] != self.system:
            self.wrong(f"`edition` is {shown(edition)}", f"write {self.system}/NUMBER")
        for key, (fits, what, right) in _MAY_STAND.items():
            if key in scenario and not fits(scenario[key]):
                self.wrong(f"`{key}` isn't {what}", f"write `{right}`")
        for key, words in _unprintable(scenario):
            self.wrong(f"`{key}` is {shown(words)}", "write it in one line, without control characters")
        self.brief(as_meant(scenario, _KEYS))

    def brief(self, scenario: Mapping[str, Any]) -> None:
        """The headings of the brief, and the sides to which it speaks."""
        brief, sides = scenario.get("brief"), scenario.get("sides")
        if not isinstance(brief, dict):
            return
        wrong = [*unknown_keys(brief, BRIEF, "brief")]
        ids: list[Any] = [side.get("id") for side in sides if isinstance(side, dict)] if isinstance(sides, list) else []
        if isinstance(brief.get("sides"), dict) and ids and all(map(_is_text, ids)):
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
        if _is_text(scenario.get("map")):
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
        if not _is_text(scenario.get("tables")):
            self.wrong(f"`tables` {stands(scenario.get('tables'))}", "write `tables: NAME`")
        found = meant.get("tables")
        return [found] if isinstance(found, str) and found else ["tables"] if "tables.yaml" in self.sources else []

    def names(self, value: object, key: str) -> list[str]:
        """A list of names, or a text of them, each named once."""
        value = value.split() if isinstance(value, str) else value
        if not isinstance(value, list) or not value or not all(map(_is_text, value)):
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
                hint = f"{self.system} has: " + (", ".join(known) or "none")
                self.wrong(f"`{key}` names {self.system}/{shown(path)[1:-1]}, which isn't there", hint)
            data = self.mapping(path) if path in known else None
            if data is None:
                self.whole = False
            else:
                found[name] = data
        return found

    def mapping(self, path: str) -> dict[str, Any] | None:
        """A parsed file; None, and a defect, when it is no mapping or can't be read."""
        from pbem import strictyaml  # here, so that a cached scenario needs no YAML at all

        where = f"{self.system}/{path}"
        try:
            data = strictyaml.load(self.sources[path], where)
        except BadScenario as error:
            self.defects.append(Defect(error.where, error.what, error.hint))
            return None
        if isinstance(data, dict):
            self.read[where] = self.sources[path]
            return data
        self.defects.append(Defect(where, "the file isn't a mapping", "write `KEY: VALUE` lines"))
        return None


def _scenario(data: dict[str, Any]) -> Scenario:
    head = data["scenario"]
    return Scenario(
        head["scenario"], head["system"], head["edition"], head["title"], data, digest(_TAG, canonical_json(data))
    )


# --- the list


def _summary(scenario: Scenario) -> Summary:
    head = scenario.data["scenario"]
    turns, sides = summary(head, f"{scenario.system}/{scenario.id}")
    return Summary(scenario.id, scenario.system, scenario.title, sides, turns, tuple(reconstructed(head)))


def summary(head: Mapping[str, Any], where: str) -> tuple[int, tuple[str, ...]]:
    """The turns of a scenario and the titles of its sides. Raises BadScenario, at `where`."""
    turns = head.get("turns")
    if not (isinstance(turns, str) and turns.isascii() and turns.isdigit() and len(turns) < 5):
        raise BadScenario(f"`turns` {stands(turns)}", where=where, hint="write a number of turns")
    sides = tuple(_titles(head.get("sides")))
    if not all(sides) or not sides:
        what = "`sides` is missing" if not sides else "a side has no `id` or no `title`"
        raise BadScenario(what, where=where, hint="write a list of sides with `id` and `title`")
    return int(turns), sides


def _titles(sides: object) -> Iterator[str]:
    """The title of each side, empty for one that lacks its title or id."""
    for side in sides if isinstance(sides, list) else ():
        whole = isinstance(side, dict) and _is_text(side.get("id")) and _is_text(side.get("title"))
        yield side["title"] if whole else ""


def reconstructed(head: Mapping[str, Any]) -> Iterator[str]:
    """The lines of a scenario's `provenance` (block: text) that say so."""
    for block, text in head.get("provenance", {}).items():
        if "reconstructed" in text:
            yield f"{block}: {text}"


# --- the cache


def _key(file: Path, sources: Mapping[str, bytes]) -> str:
    """A hash of everything a scenario could be made of; so it is known before any file is parsed."""
    hashed = hashlib.sha256(lp(b"pbem-scenario-cache/1") + lp(file.as_posix().encode("utf-8", "surrogateescape")))
    for name, source in sources.items():
        hashed.update(lp(name.encode("utf-8", "surrogateescape")) + lp(source))
    return hashed.hexdigest()
