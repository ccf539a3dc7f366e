"""Scenario files: finds, reads and pins them; the only module that opens what stands under scenarios/.

    scenarios/SYSTEM/ID.yaml            a scenario; it names files of the kinds below
    scenarios/SYSTEM/maps/NAME.yaml     a map: `map: NAME`, `maps: [NAME, ...]` for a game on several, or `maps: none`
    scenarios/SYSTEM/armies/NAME.yaml   an order of battle that scenarios share: `armies: [NAME, ...]`, or no such key
    scenarios/SYSTEM/tables*.yaml       tables, shared by the scenarios of a system: `tables: NAME`, or by chapters
                                        `tables: [NAME, ...]`
    scenarios/SYSTEM/japanese.txt       names as they are written in Japan, which no game pins: `NAME = JAPANESE`
    scenarios/SYSTEM/katakana.txt       names that aren't Japanese, likewise, for who reads Japanese alone

A player's own lie likewise in the folder `scenarios` of his home; what they name is looked for there first, then beside
those that come with the program. What the data mean is the business of the rule system; here they are strings in
mappings and lists.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from pbem import resources
from pbem.crypto.hashing import canonical_json, digest, lp
from pbem.disk import open_regular
from pbem.errors import BadScenario, Defect, Storage, counted, shown, stands
from pbem.records import NamedTuple
from pbem.words import closest, reconstructed

if TYPE_CHECKING:
    from pbem.scenario.reading import Reading

__all__ = [
    "Scenario", "Summary", "file_of", "japanese_names", "list_scenarios", "load_scenario", "mails", "names_beside",
    "read_scenario", "sides_of", "summary", "systems",
]  # fmt: skip

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


def load_scenario(scenario_id: str, cache: Shelf | None = None, own: Path | None = None) -> Scenario:
    """The scenario of that id, one of those that come with the program or of the player's folder `own`.

    With a `cache` the parsed data are kept there, and a second call reads no YAML while the files are the same;
    a cache that is stale, broken or can't be written only costs time. Raises BadScenario for an unknown id and for
    every defect of the files, Storage when a file can't be read.
    """
    file = file_of(scenario_id, own)
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
    load: Callable[[str], Scenario] = load_scenario,
    refused: Callable[[BadScenario], None] | None = None,
    own: Path | None = None,
) -> list[Summary]:
    """All scenarios in order of system and id, each found by `load`. Raises Storage.

    One that can't be played raises BadScenario, or is left out and that error told to `refused`.
    """
    found = []
    for name in dict.fromkeys(file.stem for file in _files(own)):
        try:
            found.append(_summary(load(name)))
        except BadScenario as error:
            if refused is None:
                raise
            refused(error)
    return found


def systems(own: Path | None = None) -> dict[str, str]:
    """Scenario id -> its system, by the names of the files, which aren't read."""
    return {file.stem: file.parent.name for file in _files(own)}


def sides_of(scenario_id: str, own: Path | None = None) -> list[tuple[str, str]]:
    """Id and title of a scenario's sides, by its own file alone. Raises BadScenario for one that can't be read."""
    from pbem.scenario.reading import Named

    file = file_of(scenario_id, own)
    scenario = Named(file, {file.name: _read(file)}).mapping(file.name) or {}
    sides = scenario.get("sides")
    return [(side["id"], title) for side, title in zip(sides or (), _titles(sides), strict=False) if title]


def japanese_names(system: str) -> dict[str, str]:
    """Name of a scenario, unit or place of a system -> how it is written in Japan, as far as that is known.

    They are no part of a scenario's data, so they can be mended without another digest. Raises Storage.
    """
    return names_beside(system) | _beside(system, "katakana.txt")


def names_beside(system: str) -> dict[str, str]:
    """Those of them that stand beside the English ones: a name that isn't Japanese says there nothing new.

    Raises Storage.
    """
    return _beside(system, "japanese.txt")


def mails(scenario: Scenario, reactions: str) -> tuple[int, int] | None:
    """How many mails games of bots with such reactions took, four in five of them; None where nobody has counted.

    What was counted anew stands beside the scenarios, as it is no part of what a digest pins. Raises Storage.
    """
    anew = _beside(scenario.system, "mails.txt").get(f"{scenario.id} {reactions}")
    counted = anew.split(" to ") if anew else scenario.data["scenario"].get("mails", {}).get(reactions)
    return (int(counted[0]), int(counted[1])) if counted else None


def _beside(system: str, name: str) -> dict[str, str]:
    """The lines `what = words` of a file beside the scenarios of a system, if there is one."""
    file = resources.data_folder("scenarios") / system / name
    if not file.is_file():
        return {}
    pairs = (line.partition(" = ") for line in _read(file).decode("utf-8", "replace").splitlines())
    return {what: words for what, _, words in pairs if words and not what.startswith("#")}


def _files(own: Path | None) -> list[Path]:
    folders = [resources.data_folder("scenarios"), *([own] if own is not None else [])]
    return [
        file
        for file in sorted((file for folder in folders for file in folder.glob("*/*.yaml")), key=lambda f: f.parts[-2:])
        if not file.name.startswith("tables") and file.is_file()
    ]


def file_of(scenario_id: str, own: Path | None = None) -> Path:
    """The file of a scenario, by comparing names: an id from a log is never made into a path. Raises BadScenario."""
    files = _files(own)
    found = [file for file in files if file.stem == scenario_id]
    if len(found) == 1:
        return found[0]
    if found:
        mine = next((file for file in found if own is not None and own in file.parents), None)
        systems = " and ".join(file.parent.name for file in found if file != mine)
        what = f"{systems} and my own folder both have" if mine else f"{systems} both have"
        hint = f"rename {mine}" if mine else "rename one of them"
        raise BadScenario(f"{what} a scenario {scenario_id}", hint=hint)
    known = [file.stem for file in files]
    near = closest(scenario_id, known, 0.4)
    meant = f"do you mean {near}?" if near else "`pbem scenarios` lists all"
    raise BadScenario(f"no scenario is called {scenario_id[:60]!r}", hint=meant)


def _sources(file: Path) -> dict[str, bytes]:
    """Everything that a scenario file could name, and itself: path inside the system's folder -> bytes.

    What isn't beside it is looked for beside those of the program. Each file is read once, so that what is hashed for
    the cache is what is parsed.
    """
    named = {file.name: file}
    for folder in (file.parent, resources.data_folder("scenarios") / file.parent.name):
        for pattern in ("tables*.yaml", "maps/*.yaml", "armies/*.yaml"):
            for source in folder.glob(pattern):
                named.setdefault(source.relative_to(folder).as_posix(), source)
    return {name: _read(named[name]) for name in sorted(named) if named[name].is_file()}


def _read(file: Path) -> bytes:
    """A file's bytes, one more than allowed at most."""
    try:
        with open_regular(file) as stream:
            return stream.read(resources.MAX_BYTES + 1)
    except OSError as problem:
        raise Storage(f"{file} can't be read ({problem.strerror})", hint="check the file") from None


# --- reading


def read_scenario(file: Path) -> Reading:
    """The scenario file at any place on disk, with its maps, armies and tables beside it. Raises Storage."""
    from pbem.scenario.reading import parse

    own = {file.name: _read(file)}
    file = file.absolute()
    reading = parse(file, {**own, **_sources(file)}, guess=True)
    where = f"{file.parent.name}/{file.name}"
    folders = {file.parent.parent, resources.data_folder("scenarios")}
    others = {other.parent.name for folder in folders for other in folder.glob(f"*/{file.name}")} - {file.parent.name}
    twins = [
        Defect(where, f"{system} has a scenario {shown(file.stem)} too", "rename one of them")
        for system in sorted(others)
    ]
    return reading._replace(defects=(*reading.defects, *twins))


def _loaded(file: Path, sources: Mapping[str, bytes]) -> Scenario:
    from pbem.scenario.reading import parse  # imported where used: what is kept needs no reading

    data, defects, *_ = parse(file, sources)
    if len(defects) == 1:
        raise BadScenario(defects[0].what, defects[0].where, defects[0].right)
    if defects:
        raise BadScenario(counted(defects), f"{file.parent.name}/{file.name}", defects=defects)
    return _scenario(data)


def _scenario(data: dict[str, Any]) -> Scenario:
    head = data["scenario"]
    return Scenario(
        head["scenario"], head["system"], head["edition"], head["title"], data, digest(_TAG, canonical_json(data))
    )


# --- the list


def _summary(scenario: Scenario) -> Summary:
    head = scenario.data["scenario"]
    turns, sides = summary(head, f"{scenario.system}/{scenario.id}")
    blocks = reconstructed(head.get("provenance", {}))
    return Summary(scenario.id, scenario.system, scenario.title, sides, turns, tuple(blocks))


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
    from pbem.scenario.reading import is_text

    for side in sides if isinstance(sides, list) else ():
        whole = isinstance(side, dict) and is_text(side.get("id")) and is_text(side.get("title"))
        yield side["title"] if whole else ""


# --- the cache


def _key(file: Path, sources: Mapping[str, bytes]) -> str:
    """A hash of everything a scenario could be made of; so it is known before any file is parsed."""
    hashed = hashlib.sha256(lp(b"pbem-scenario-cache/1") + lp(file.as_posix().encode("utf-8", "surrogateescape")))
    for name, source in sources.items():
        hashed.update(lp(name.encode("utf-8", "surrogateescape")) + lp(source))
    return hashed.hexdigest()
