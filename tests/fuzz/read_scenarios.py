"""Targets: YAML, maps and scenarios."""

from __future__ import annotations

import copy
import json
from contextlib import suppress
from functools import cache
from typing import Any

from systems.bakumatsu_players import rules, scenario

from fuzz.mutation import Choices, edited
from fuzz.target import Target, scripts, told
from pbem import strictyaml
from pbem.errors import BadScenario, OrderError
from pbem.maps.check import doubts
from pbem.maps.map import Map
from pbem.resources import data_folder

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
    return [strictyaml.load(SMALL_MAP, "small"), scenario().data["maps"]["toba-fushimi"]]


def _build_board(data: bytes) -> None:
    """A scenario's data, edited as the bytes say."""
    chance = Choices(data)
    tree = copy.deepcopy(scenario().data)
    part = chance.choice(["scenario", "tables", "maps", "scenario", "tables"])
    edited(tree if chance.randrange(16) == 0 else tree[part], chance, numbers=bool(chance.randrange(2)))
    built = rules().board(tree)
    state = rules().start(built, {})
    json.dumps(rules().situation(state))


TARGETS = {
    "yaml": Target(_load_yaml, BadScenario, _yaml_seeds, YAML_WORDS, 500),
    "map-file": Target(_read_map_file, BadScenario, lambda: [SMALL_MAP], YAML_WORDS, 300),
    "map": Target(_build_map, BadScenario, scripts, (), 300),
    "board": Target(_build_board, BadScenario, scripts, (), 60),
}
