"""Targets: YAML, maps and scenarios."""

from __future__ import annotations

import copy
import json
import re
import shutil
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from fuzz.mutation import Choices, edited
from fuzz.target import Target, scratch_folder, scripts, told
from pbem import strictyaml
from pbem.audit.scenarios import examine
from pbem.errors import BadScenario, OrderError
from pbem.maps.check import doubts
from pbem.maps.map import Map
from pbem.resources import data_folder
from pbem.rules import SYSTEMS, Rules, rules_of
from pbem.scenario import list_scenarios, load_scenario, read_scenario

__all__ = ["TARGETS"]

SMALL_MAP = b"""map: small
title: Small
layout: pointy
scale: none
numbering: {first: row, rows: from south, shifted: even, provenance: reconstructed}
terrain:
  provenance: reconstructed
  legend: {".": [flat], "^": [hill], "~": {water: pond}, "-": {}}
  rows: |
    03 . ^ .
    02  . ~ .
    01 . - .
roads: {provenance: reconstructed, chains: [{name: Long road, kind: road, hexes: "0101 0201 0301"}]}
hexsides: {provenance: reconstructed, chains: [{name: Brook, kind: river, sides: "0301/0302 0302/0201"}]}
places: {provenance: reconstructed, hexes: {Ford: "0302"}}
areas: {provenance: reconstructed, hexes: {west: "0101 0201"}}
victory: {provenance: reconstructed, hexes: {satcho: "0302"}}
entries: {provenance: reconstructed, hexes: {shogunate: "0101"}}
"""
YAML = b"""# a comment
a: 'quoted ''twice'''
"b": "\\u00e9 \\x41 \\
  folded"
c: [x, {y: z}, []]
d: |
  literal
   lines
e: >-
  folded
  lines
? f
: - g
  - {h: , i: {}}
"""
YAML_WORDS = (
    b"&a ", b"*a", b"!!int ", b"!<x> ", b"%YAML 1.1\n---\n", b"%TAG ! x\n", b"---\n", b"...\n", b"<<: ", b"? ", b": ",
    b"- ", b"|\n", b">2-\n", b"\"\\U00110000\"", b"\"\\ud800\"", b"[", b"]", b"{", b"}", b"# ", b"'", b'"', b"\n  ",
    b"\t", b"a: b\n",
)  # fmt: skip


def _load_yaml(data: bytes) -> None:
    try:
        found = strictyaml.load(data, "file.yaml")
    except BadScenario as error:
        told(error)
        raise
    open_: list[Any] = [found]
    while open_:
        node = open_.pop()
        assert isinstance(node, str | list | dict)
        open_ += node.values() if isinstance(node, dict) else node if isinstance(node, list) else []


def _yaml_seeds() -> list[bytes]:
    tables = (data_folder("scenarios") / "bakumatsu" / "tables.yaml").read_bytes()
    return [YAML, SMALL_MAP, tables[:1500]]


def _read_map_file(data: bytes) -> None:
    """A map file of any bytes."""
    _use_map(Map.from_data(strictyaml.load(data, "map.yaml")))


def _build_map(data: bytes) -> None:
    """A map's data, edited as the bytes say."""
    chance = Choices(data)
    tree = copy.deepcopy(_maps()[chance.randrange(2)])
    edited(tree, chance, numbers=True)
    _use_map(Map.from_data(tree))


def _use_map(board: Map) -> None:
    doubts(board)
    for h in board.hexes:
        assert board.parse(board.label(h)) == h
    for text in ("0101", "9999", "x"):
        with suppress(OrderError):
            board.parse(text)


@cache
def _maps() -> list[Any]:
    return [strictyaml.load(SMALL_MAP, "small"), load_scenario("toba-fushimi").data["maps"]["toba-fushimi"]]


def _build_board(data: bytes) -> None:
    """A scenario's data, of any system, edited as the bytes say."""
    chance = Choices(data)
    tree = copy.deepcopy(_scenarios()[chance.randrange(len(_scenarios()))])
    part = chance.choice(["scenario", *tree])
    edited(tree if chance.randrange(16) == 0 else tree[part], chance, numbers=bool(chance.randrange(2)))
    _begin(rules_of(system_of(tree)), tree)


def system_of(tree: dict[str, Any]) -> str:
    """The system of a scenario's data, whatever has become of them."""
    head = tree.get("scenario")
    found = head.get("system") if isinstance(head, dict) else None
    return found if isinstance(found, str) else "none"


def _begin(rules: Rules, data: dict[str, Any]) -> None:
    """Play as far as the first situation. Raises BadScenario."""
    json.dumps(rules.situation(rules.start(rules.board(data), {})))


@cache
def _scenarios() -> list[dict[str, Any]]:
    """One of each system."""
    first = {summary.system: summary.id for summary in list_scenarios()}
    return [load_scenario(name).data for name in first.values()]


PAGE = Path(__file__).parents[2] / "docs" / "adding-a-scenario.md"


@cache
def _page_files() -> dict[str, bytes]:
    """The files of the scenarios that docs/adding-a-scenario.md makes."""
    found = re.findall(r"File `scenarios/([^`]+)`:\n\n```yaml\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    return {name: text.encode() for name, text in found}


def _file_seeds() -> list[bytes]:
    """Each of the files, its number in front."""
    return [bytes([number]) + text for number, text in enumerate(_page_files().values())]


def _examine_files(data: bytes) -> None:
    """A scenario with one of its files of any bytes: every defect is told, and without one it can be played."""
    folder, files = scratch_folder() / "examined", _page_files()
    if not folder.exists():
        for system in SYSTEMS:
            shutil.copytree(data_folder("scenarios") / system, folder / system)
    changed = list(files)[(data[0] if data else 0) % len(files)]
    for name, text in files.items():
        (folder / name).write_bytes(data[1:] if name == changed else text)
    system = changed.split("/")[0]
    head = next(name for name in files if name.count("/") == 1 and name.startswith(system))
    found = examine(folder / head)
    for one in found:
        assert one.what
        assert 0 <= one.line <= data.count(b"\n") + 200
    if not [one for one in found if one.refused]:
        _begin(rules_of(system), read_scenario(folder / head).data)


TARGETS = {
    "yaml": Target(_load_yaml, BadScenario, _yaml_seeds, YAML_WORDS, 500),
    "map-file": Target(_read_map_file, BadScenario, lambda: [SMALL_MAP], YAML_WORDS, 300),
    "map": Target(_build_map, BadScenario, scripts, (), 300),
    "board": Target(_build_board, BadScenario, scripts, (), 60),
    "scenario-files": Target(_examine_files, BadScenario, _file_seeds, YAML_WORDS, 100),
}
