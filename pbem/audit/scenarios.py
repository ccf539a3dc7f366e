"""A scenario file examined before anyone plays it: every defect and doubt of it and of the files it names, at once."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from pbem.audit.lines import Lines
from pbem.errors import BadScenario, Defect, as_meant
from pbem.maps import check
from pbem.maps.map import Map
from pbem.picture.check import doubts as seen_badly
from pbem.records import NamedTuple
from pbem.rules import Rules, rules_of
from pbem.scenario import read_scenario, summary
from pbem.scenario.reading import Reading

__all__ = ["Finding", "examine"]

_LOCATED = 200  # findings whose line is looked for
_WORD = r"'[^' ]+'|\b[A-Z]*[0-9]{4}\b"
"""What a defect is about: a word of the file or a hex number."""


class Finding(NamedTuple):
    """One thing wrong: in which file and line (0: not known), at which place, what it is and what would be right.

    refused: a scenario with it is never loaded; without it can be played, but hardly as it was meant.
    """

    file: str
    line: int
    place: str
    what: str
    right: str
    refused: bool


def examine(file: Path) -> list[Finding]:
    """Everything wrong with a scenario file at any place on disk, its maps, armies and tables beside it.

    Raises Storage when it can't be read.
    """
    reading = read_scenario(file)
    where = f"{file.absolute().parent.name}/{file.name}"
    files = _Files(where, reading)
    return sorted(dict.fromkeys(_found(file, reading, files)), key=lambda one: (one.file, one.line))


def _found(file: Path, reading: Reading, files: _Files) -> list[Finding]:
    """What is wrong with a scenario that was read, in no order."""
    frame = [files.of_frame(defect) for defect in reading.defects]
    if not reading.data:
        return frame
    if not reading.whole:
        drawn = [Defect(f"map {name} {d.where}", d.what, d.right) for name, d in _map_defects(reading.data["maps"])]
        return [*frame, *files.located(drawn, refused=True)]
    defects, maps = _built(reading.data, file.absolute().parent.name)
    told = {word for defect in defects for word in re.findall(_WORD, defect.what)}
    doubts = [doubt for doubt in _doubts(maps) if told.isdisjoint(re.findall(_WORD, doubt.what))]  # each word once
    doubts += [doubt for doubt in _without_source(reading.data) if not _misspelt(doubt, defects)]
    doubts += [*_untold(reading.data["scenario"]), *_same_short(reading.data)]
    missing = {key for defect in reading.defects for key in re.findall("^`([^`]+)`", defect.what)}
    return [
        *(one for one in frame if not _echo(one.what, defects)),
        *files.located([d for d in defects if d.where.removeprefix("scenario.") not in missing], refused=True),
        *files.located(doubts, refused=False),
    ]


def _echo(what: str, defects: Sequence[Defect]) -> bool:
    """Whether a defect of the frame is only what follows from one that the rules find: a key or side misspelt."""
    if what.startswith("`brief.sides."):
        return any(re.fullmatch(r"scenario\.sides( [0-9]+\.id)?", defect.where) for defect in defects)
    key = re.match("`([^`]+)` is missing", what)
    places = [defect for defect in defects if re.fullmatch(r"scenario\.[^. ]+", defect.where)]
    return key is not None and any(re.match(rf"did you mean {key[1]}s?\?", defect.right) for defect in places)


def _misspelt(doubt: Defect, defects: Sequence[Defect]) -> bool:
    """Whether a block has no provenance only because its key, or that of the provenance, is misspelt."""
    block, _, key = doubt.where.rpartition(".")
    about = (key, "provenance") if block == "scenario" else ("provenance",)
    meant = {word for one in defects for word in re.findall(r"^did you mean ([\w-]+)\?", one.right)}
    return any(doubt.where == one.where for one in defects) or not meant.isdisjoint(about)


def _built(data: dict[str, Any], system: str) -> tuple[list[Defect], Mapping[str, Map]]:
    """What the rules of the files' system find wrong, and the maps that have no defect."""
    head = data["scenario"]
    try:
        rules: Rules = rules_of(system)
        board = rules.board(data)
        options = head.get("options", {})
        rules.situation(rules.start(board, {name: o["default"] for name, o in options.items()}))
        summary(head, "scenario")
        return [], rules.maps(board)
    except BadScenario as error:
        found = error.defects or [Defect(error.where or "scenario", error.what, error.hint)]
        read = {name: Map.read(drawn) for name, drawn in data["maps"].items()}
        return list(found), {name: board for name, (board, wrong) in read.items() if board and not wrong}


def _map_defects(maps: Mapping[str, Any]) -> Iterator[tuple[str, Defect]]:
    """The defects of maps of hexes, which need no other file to be seen."""
    for name, drawn in maps.items():
        if "terrain" in drawn:
            for defect in Map.read(drawn)[1]:
                yield name, defect


def _doubts(maps: Mapping[str, Map]) -> Iterator[Defect]:
    for name, board in maps.items():
        for doubt in (*check.doubts(board), *seen_badly(board)):
            yield doubt._replace(where=f"map {name} {doubt.where}")


def _without_source(data: Mapping[str, Any]) -> Iterator[Defect]:
    """Blocks that don't say where they come from."""
    scenario = data["scenario"]
    armies = {f"army {name}": army for name, army in data.get("armies", {}).items()}
    for where, head in {"scenario": scenario, **armies}.items():
        if not head.get("provenance"):
            right = "write `provenance:`, for each block rulebook, reconstructed or fact: SOURCE"
            yield Defect(where, "has no provenance", right)
    yield from _untold_blocks(scenario)
    right = "write `provenance: rulebook | reconstructed | fact: SOURCE`"
    for name, drawn in data["maps"].items():
        for key, block in drawn.items():  # one that isn't there is a defect
            if isinstance(block, dict) and isinstance(block.get("provenance"), str) and not block["provenance"].strip():
                yield Defect(f"map {name} {key}.provenance", "is empty", right)
    chapters = data["tables"].values() if isinstance(scenario.get("tables"), list) else [data["tables"]]
    for name, table in (item for chapter in chapters for item in chapter.items()):
        blocks = {f"tables.{name}": table} if isinstance(table, dict) else {}
        if blocks and all(isinstance(one, dict) for one in table.values()):  # several tables under one name
            blocks = {f"tables.{name}.{key}": one for key, one in table.items()}
        if isinstance(table, list):
            blocks = {f"tables.{name} {i}": line for i, line in enumerate(table, 1) if isinstance(line, dict)}
        for where, block in blocks.items():
            if not str(block.get("provenance", "")).strip():
                yield Defect(where, "has no provenance", right)


_ELSEWHERE = ("map", "maps", "prefixes", "armies", "tables", "options", "formations", "brief", "provenance")
"""Keys of a scenario with what other files, the rules or the brief's own sources say."""


def _untold_blocks(head: Mapping[str, Any]) -> Iterator[Defect]:
    """The blocks of a scenario that its provenance leaves out, and its empty lines."""
    sources = head.get("provenance")
    if not sources or not isinstance(sources, dict):
        return
    for key, text in sources.items():
        if isinstance(text, str) and not text.strip():
            yield Defect(f"scenario.provenance.{key}", "is empty", "write rulebook, reconstructed or fact: SOURCE")
    for key, block in head.items():
        if key not in (*_ELSEWHERE, *sources) and isinstance(block, dict | list) and block:
            right = f"write `{key}: rulebook | reconstructed | fact: SOURCE` under `provenance:`"
            yield Defect(f"scenario.{key}", "has no provenance", right)


def _untold(head: Mapping[str, Any]) -> Iterator[Defect]:
    """What a brief keeps from who begins to play."""
    brief = head.get("brief")
    for heading in ("situation", "victory"):
        if isinstance(brief, dict) and not brief.get(heading):
            yield Defect("scenario.brief", f"has no `{heading}`", f"write `{heading}: TEXT`")


def _same_short(data: Mapping[str, Any]) -> Iterator[Defect]:
    """Counters that can't be told apart."""
    forces = [force for army in data.get("armies", {}).values() for force in _listed(army, "forces")]
    first: dict[str, str] = {}
    for unit in (unit for holder in (data["scenario"], *forces) for unit in _listed(holder, "units")):
        named, short = unit.get("id"), unit.get("short")
        if isinstance(named, str) and isinstance(short, str) and first.setdefault(short, named) != named:
            what = f"has the short name {short!r} of {first[short]}"
            yield Defect(f"unit {named}", what, "give each unit a `short` of its own")


def _listed(data: Mapping[str, Any], key: str) -> list[Mapping[str, Any]]:
    """The mappings of what should be a list of them, under a key or one that was probably meant by it."""
    value = as_meant(data, [key]).get(key)
    return [item for item in value if isinstance(item, Mapping)] if isinstance(value, list) else []


# --- where it stands


def _tables(names: object, system: str) -> dict[str, str]:
    """The files of a scenario's tables, by the words for them: one file, or one for each chapter."""
    if isinstance(names, list):
        return {f"tables.{name}": f"{system}/{name}.yaml" for name in names}
    return {"tables": f"{system}/{names}.yaml"}


class _Files:
    """The files of a scenario, by the words with which a defect's place in the data begins."""

    def __init__(self, where: str, reading: Reading) -> None:
        self._where = where
        system = where.split("/")[0]
        named = {
            **{f"map {name}": f"{system}/maps/{name}.yaml" for name in reading.data.get("maps", {})},
            **{f"maps.{name}": f"{system}/maps/{name}.yaml" for name in reading.data.get("maps", {})},
            **{f"army {name}": f"{system}/armies/{name}.yaml" for name in reading.data.get("armies", {})},
            **{f"armies.{name}": f"{system}/armies/{name}.yaml" for name in reading.data.get("armies", {})},
            **_tables(reading.data.get("scenario", {}).get("tables"), system),
            "scenario": where,
        }
        self._named = {start: path for start, path in named.items() if path in reading.files}
        self._texts = reading.files
        self._lines: dict[str, Lines] = {}

    def of_frame(self, defect: Defect) -> Finding:
        """A defect of a file as such, whose line is in its `where`, or that of the key it names."""
        path, _, line = defect.where.partition(", line ")
        key = re.match("`([^`]+)`", defect.what)
        if not line and key and path in self._named.values():
            lines = self._lines_of(path)
            found = lines.find(key[1]) if lines.key(key[1].split(".")[0]) else 0
            return Finding(path, found, "", defect.what, defect.right, True)
        return Finding(path, int(line or 0), "", defect.what, defect.right, True)

    def located(self, defects: Iterable[Defect], *, refused: bool) -> Iterator[Finding]:
        """Each defect of the data with its file and line."""
        for i, defect in enumerate(defects):
            place = defect.where
            if place.endswith("terrain.legend"):  # the letter of which the ground was said
                place += " " + " ".join(re.findall("^'([^']+)'", defect.what))
            path, line = self._place(place) if i < _LOCATED else (self._where, 0)
            yield Finding(path, line, defect.where, defect.what, defect.right, refused)

    def _place(self, place: str) -> tuple[str, int]:
        for start, path in self._named.items():
            if place == start or place.startswith((f"{start} ", f"{start}.")):
                return path, self._line(path, place[len(start) :])
        kind = place.split(" ")[0]
        near = [path for start, path in self._named.items() if start.startswith(f"{kind} ")]
        if kind == "map" and near:  # the only one, or one of them
            return near[0], self._line(near[0], place[len(kind) :])
        if kind in ("army", "force", "unit"):  # in that file in which the force or unit stands
            armies = [path for start, path in self._named.items() if start.startswith("army ")]
            called = re.sub(r"[. ].*", "", re.sub("^(army )?(force |unit )?", "", place))
            path = next((path for path in armies if self._lines_of(path).named(called)), self._where)
            return path, self._line(path, place.removeprefix("army "))
        for path in self._named.values():
            if line := self._line(path, place):
                return path, line
        return self._where, 0

    def _line(self, path: str, place: str) -> int:
        return self._lines_of(path).find(place)

    def _lines_of(self, path: str) -> Lines:
        if path not in self._lines:
            self._lines[path] = Lines(self._texts[path].decode("utf-8"))
        return self._lines[path]
