"""A scenario file examined before anyone plays it: every defect and doubt of it and of the files it names, at once."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from pbem.audit.lines import Lines
from pbem.errors import BadScenario, Defect
from pbem.maps import check
from pbem.maps.map import Map
from pbem.picture.check import doubts as seen_badly
from pbem.rules import Rules, rules_of
from pbem.scenario import Reading, read_scenario, summary

__all__ = ["Finding", "examine"]

_LOCATED = 200  # findings whose line is looked for


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
    frame = [files.of_frame(defect) for defect in reading.defects]
    if not reading.data:
        return frame
    if not reading.whole:
        drawn = [Defect(f"map {name} {d.where}", d.what, d.right) for name, d in _map_defects(reading.data["maps"])]
        return [*frame, *files.located(drawn, refused=True)]
    defects, maps, units = _built(reading.data, file.absolute().parent.name)
    told = {word for defect in defects for word in re.findall("'[^' ]+'", defect.what)}
    doubts = [doubt for doubt in _doubts(maps) if told.isdisjoint(re.findall("'[^' ]+'", doubt.what))]  # each word once
    doubts += [*_without_source(reading.data), *_untold(reading.data["scenario"]), *_same_short(units)]
    missing = {key for defect in reading.defects for key in re.findall("^`([^`]+)`", defect.what)}
    return [
        *(one for one in frame if not _echo(one.what, defects)),
        *files.located([d for d in defects if d.where.removeprefix("scenario.") not in missing], refused=True),
        *files.located(doubts, refused=False),
    ]


def _echo(what: str, defects: Sequence[Defect]) -> bool:
    """Whether a defect of the frame is only what follows from one that the rules find: a key or side misspelt."""
    if what.startswith("`brief.sides."):
        return any(defect.where.startswith("scenario.sides") for defect in defects)
    key = re.match("`([^`]+)` is missing", what)
    places = [defect for defect in defects if re.fullmatch(r"scenario\.[^. ]+", defect.where)]
    return key is not None and any(defect.right.startswith(f"did you mean {key[1]}?") for defect in places)


def _built(data: dict[str, Any], system: str) -> tuple[list[Defect], Mapping[str, Map], list[dict[str, Any]]]:
    """What the rules of the files' system find wrong, the maps as far as they can be drawn, and the units.

    There are no units when something is wrong.
    """
    head = data["scenario"]
    try:
        rules: Rules = rules_of(system)
        board = rules.board(data)
        options = head.get("options", {})
        situation = rules.situation(rules.start(board, {name: o["default"] for name, o in options.items()}))
        summary(head, "scenario")
        return [], rules.maps(board), situation["units"]
    except BadScenario as error:
        found = error.defects or [Defect(error.where or "scenario", error.what, error.hint)]
        read = {name: Map.read(drawn) for name, drawn in data["maps"].items()}
        return list(found), {name: board for name, (board, wrong) in read.items() if board and not wrong}, []


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
    """Blocks that don't say where they come from; a map without is refused."""
    right = "write `provenance:`, for each block rulebook, reconstructed or fact: SOURCE"
    files = {"scenario": data["scenario"], **{f"army {name}": army for name, army in data.get("armies", {}).items()}}
    for where, head in files.items():
        if not head.get("provenance"):
            yield Defect(where, "has no provenance", right)
    chapters = data["tables"].values() if isinstance(data["scenario"].get("tables"), list) else [data["tables"]]
    for name, table in (item for chapter in chapters for item in chapter.items()):
        blocks = {f"tables.{name}": table} if isinstance(table, dict) else {}
        if isinstance(table, list):
            blocks = {f"tables.{name} {i}": line for i, line in enumerate(table, 1) if isinstance(line, dict)}
        for where, block in blocks.items():
            if not block.get("provenance"):
                yield Defect(where, "has no provenance", "write `provenance: rulebook | reconstructed | fact: SOURCE`")


def _untold(head: Mapping[str, Any]) -> Iterator[Defect]:
    """What a brief keeps from who begins to play."""
    brief = head.get("brief")
    for heading in ("situation", "victory"):
        if isinstance(brief, dict) and not brief.get(heading):
            yield Defect("scenario.brief", f"has no `{heading}`", f"write `{heading}: TEXT`")


def _same_short(units: Iterable[Mapping[str, Any]]) -> Iterator[Defect]:
    """Counters that can't be told apart."""
    first: dict[str, str] = {}
    for unit in units:
        other = first.setdefault(unit["short"], unit["id"])
        if other != unit["id"]:
            what = f"has the short name {unit['short']!r} of {other}"
            yield Defect(f"unit {unit['id']}", what, "give each unit a `short` of its own")


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
            path, line = self._place(defect.where) if i < _LOCATED else (self._where, 0)
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
