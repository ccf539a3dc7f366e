"""Scenario files: finds, reads and pins them; the only module that opens what stands under scenarios/.

    scenarios/SYSTEM/ID.yaml            a scenario; it names files of the kinds below
    scenarios/SYSTEM/maps/NAME.yaml     a map: `map: NAME`, or `maps: [NAME, ...]` for a game on several
    scenarios/SYSTEM/armies/NAME.yaml   an order of battle that scenarios share: `armies: [NAME, ...]`, or no such key
    scenarios/SYSTEM/tables*.yaml       tables, shared by the scenarios of a system: `tables: NAME`

What the data mean is the business of the rule system; here they are strings in mappings and lists.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from pbem.crypto.hashing import digest, lp
from pbem.errors import BadScenario, Storage
from pbem.home import gamelog
from pbem.words import nearest

__all__ = ["Scenario", "Summary", "data_folder", "list_scenarios", "load_scenario", "reconstructed"]

_TAG = "pbem-scenario/1"
_MAX_BYTES = 1 << 20  # as strictyaml has it, which isn't imported before it is needed


class Scenario(NamedTuple):
    """A scenario with all it needs: `data` is {"scenario": {...}, "maps": {name: {...}}, "tables": {...}}.

    A scenario that names armies has "armies": {name: {...}} too. Maps and armies stand in the order in which the
    scenario names them. Every scalar in `data` is a string. `digest` (64 hex digits) pins the data in a game's first
    log entry.
    """

    id: str
    system: str
    edition: str
    title: str
    data: dict[str, Any]
    digest: str


class Summary(NamedTuple):
    """A scenario in a list: its sides in playing order, its turns, and what in it no rulebook gives."""

    id: str
    system: str
    title: str
    sides: tuple[str, ...]
    turns: int
    reconstructed: tuple[str, ...]


def data_folder(kind: str) -> Path:
    """The folder `scenarios` or `templates`: inside the installed package, in a checkout beside it.

    Raises Storage when neither is there.
    """
    package = Path(__file__).resolve().parent
    installed = package / kind
    if installed.is_dir():
        return installed
    checkout = package.parent / kind
    if checkout.is_dir() and (package.parent / "pyproject.toml").is_file():
        return checkout
    raise Storage(f"the folder {kind} is missing", where=str(package), hint="install pbem again")


def load_scenario(scenario_id: str, cache: Path | None = None) -> Scenario:
    """The scenario of that id.

    With a folder `cache` the parsed data are kept there, and a second call reads no YAML while the files are the same;
    a cache that is stale, broken or can't be written only costs time. Raises BadScenario for an unknown id and for
    every defect of the files, Storage when a file can't be read.
    """
    file = _find(scenario_id)
    sources = _sources(file)
    if cache is None:
        return _scenario(_parse(file, sources))
    key = _key(file, sources)
    kept = cache / f"scenario-{scenario_id}.json"
    scenario = _recall(kept, key)
    if scenario is None:
        scenario = _scenario(_parse(file, sources))
        _keep(kept, key, scenario)
    return scenario


def list_scenarios(cache: Path | None = None) -> list[Summary]:
    """All scenarios in order of system and id; `cache` as in `load_scenario`. Raises BadScenario, Storage."""
    return [_summary(load_scenario(file.stem, cache)) for file in _files()]


def _files() -> list[Path]:
    return [
        file
        for file in sorted(data_folder("scenarios").glob("*/*.yaml"))
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
        with file.open("rb") as stream:
            return stream.read(_MAX_BYTES + 1)
    except OSError as problem:
        raise Storage(f"{file} can't be read ({problem.strerror})", hint="check the file") from None


# --- parsing


def _parse(file: Path, sources: Mapping[str, bytes]) -> dict[str, Any]:
    """The data of a scenario and of all the files it names, with the frame that all systems share checked."""
    system = file.parent.name
    where = f"{system}/{file.name}"
    scenario = _mapping(sources[file.name], where)
    for key in ("scenario", "system", "edition", "title", "tables"):
        if not isinstance(scenario.get(key), str) or not scenario[key]:
            raise BadScenario(f"`{key}` is missing", where=where, hint=f"write `{key}: TEXT`")
    for key, right in (("scenario", file.stem), ("system", system)):
        if scenario[key] != right:
            raise BadScenario(f"`{key}` is {scenario[key]!r}", where=where, hint=f"the file's place asks for {right}")
    if scenario["edition"].split("/")[0] != system:
        raise BadScenario(f"`edition` is {scenario['edition']!r}", where=where, hint=f"write {system}/NUMBER")
    named = _Named(system, where, sources)
    data = {"scenario": scenario, "maps": named.files(*_maps(scenario, where), "maps/")}
    if "armies" in scenario:
        data["armies"] = named.files("armies", _names(scenario["armies"], "armies", where), "armies/")
    (data["tables"],) = named.files("tables", [scenario["tables"]], "", "tables").values()
    return data


def _maps(scenario: Mapping[str, Any], where: str) -> tuple[str, list[str]]:
    """The key under which a scenario names its maps, `map` or `maps`, and their names."""
    if "map" in scenario and "maps" in scenario:
        raise BadScenario("`map` and `maps` both stand there", where=where, hint="keep one of them")
    if "maps" in scenario:
        return "maps", _names(scenario["maps"], "maps", where)
    if not isinstance(scenario.get("map"), str) or not scenario["map"]:
        raise BadScenario("`map` is missing", where=where, hint="write `map: NAME` or `maps: [NAME, NAME]`")
    return "map", [scenario["map"]]


def _names(value: object, key: str, where: str) -> list[str]:
    """A list of names, each named once."""
    if not isinstance(value, list) or not value or not all(isinstance(name, str) and name for name in value):
        raise BadScenario(f"`{key}` isn't a list of names", where=where, hint=f"write `{key}: [NAME, ...]`")
    twice = [name for name in dict.fromkeys(value) if value.count(name) > 1]
    if twice:
        raise BadScenario(f"`{key}` names {twice[0]} twice", where=where, hint="name it once")
    return value


class _Named(NamedTuple):
    """Finds the files that a scenario names among those of its system."""

    system: str
    where: str
    sources: Mapping[str, bytes]

    def files(self, key: str, names: list[str], folder: str, start: str = "") -> dict[str, dict[str, Any]]:
        """Name -> parsed file, of a folder ("" is the system's own) and beginning with `start`."""
        known = [name for name in self.sources if name.startswith(folder + start)]
        found = {}
        for name in names:
            path = f"{folder}{name}.yaml"
            if path not in known:
                hint = f"{self.system} has: " + (", ".join(known) or "none")
                what = f"`{key}` names {self.system}/{path}, which isn't there"
                raise BadScenario(what, where=self.where, hint=hint)
            found[name] = _mapping(self.sources[path], f"{self.system}/{path}")
        return found


def _mapping(source: bytes, where: str) -> dict[str, Any]:
    from pbem import strictyaml  # here, so that a cached scenario needs no YAML at all

    data = strictyaml.load(source, where)
    if not isinstance(data, dict):
        raise BadScenario("the file isn't a mapping", where=where, hint="write `KEY: VALUE` lines")
    return data


def _scenario(data: dict[str, Any]) -> Scenario:
    head = data["scenario"]
    return Scenario(head["scenario"], head["system"], head["edition"], head["title"], data, digest(_TAG, data))


# --- the list


def _summary(scenario: Scenario) -> Summary:
    head = scenario.data["scenario"]
    where = f"{scenario.system}/{scenario.id}"
    turns = head.get("turns")
    if not (isinstance(turns, str) and turns.isascii() and turns.isdigit() and len(turns) < 5):
        raise BadScenario(f"`turns` is {turns!r}", where=where, hint="write a number of turns")
    sides = tuple(_titles(head.get("sides")))
    if not sides:
        raise BadScenario("`sides` is missing", where=where, hint="write a list of sides with `id` and `title`")
    return Summary(scenario.id, scenario.system, scenario.title, sides, int(turns), tuple(reconstructed(head)))


def _titles(sides: object) -> Iterator[str]:
    for side in sides if isinstance(sides, list) else ():
        if isinstance(side, dict) and isinstance(side.get("title"), str):
            yield side["title"]


def reconstructed(head: Mapping[str, Any]) -> Iterator[str]:
    """The lines of a scenario's `provenance` (block: text) that say so."""
    provenance = head.get("provenance")
    for block, text in provenance.items() if isinstance(provenance, dict) else ():
        if "reconstructed" in text:
            yield f"{block}: {text}"


# --- the cache


def _key(file: Path, sources: Mapping[str, bytes]) -> str:
    """A hash of everything a scenario could be made of; so it is known before any file is parsed."""
    hashed = hashlib.sha256(lp(b"pbem-scenario-cache/1") + lp(file.as_posix().encode("utf-8", "surrogateescape")))
    for name, source in sources.items():
        hashed.update(lp(name.encode("utf-8", "surrogateescape")) + lp(source))
    return hashed.hexdigest()


def _recall(kept: Path, key: str) -> Scenario | None:
    """The scenario from a cache file; None when there is none, or it is of other files, or it isn't whole."""
    try:
        note = json.loads(kept.read_bytes())
        if note["key"] != key:
            return None
        scenario = _scenario(note["data"])
        return scenario if scenario.digest == note["digest"] else None
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return None


def _keep(kept: Path, key: str, scenario: Scenario) -> None:
    """Write the cache file in one step; a folder that can't be written leaves things as they are."""
    note = json.dumps({"key": key, "digest": scenario.digest, "data": scenario.data}, separators=(",", ":"))
    with suppress(Storage):
        gamelog.write_atomically(kept, note.encode("ascii"), 0o600, durable=False)
