"""Targets: caches of games, scenarios and pictures."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

from systems.bakumatsu_players import board, scenario

from fuzz.mutation import Choices, edited
from fuzz.target import Target, log_of, scratch_folder, scripts
from pbem.errors import PbemError
from pbem.home.cache import Cache, recall, seal
from pbem.home.checkpoint import KEY
from pbem.home.folders import Folder, Home
from pbem.match.table import Table
from pbem.picture import svg as drawing
from pbem.report.source import Drawn
from pbem.scenario import load_scenario

__all__ = ["TARGETS"]


def cache_file(folder: Folder) -> Path:
    """Where a game's table is cached."""
    return folder.home.cache / "games" / f"{folder.id}.json"


@cache
def _cached() -> tuple[Folder, str, Table, bytes]:
    """A game's folder, the text of its log, its table, and the bytes of its cache."""
    home = Home(scratch_folder() / "home")
    text = log_of("asked", 9).decode()
    folder = Folder(home, "games", "0123456789abcdef")
    table = folder.table(text)
    return folder, text, table, cache_file(folder).read_bytes()


def _read_cache(data: bytes) -> None:
    """A cache file of any bytes: the table is that of the log, whatever they are."""
    folder, text, table, _ = _cached()
    cache_file(folder).write_bytes(data)
    assert folder.table(text).state_hash() == table.state_hash()


def _read_sealed_cache(data: bytes) -> None:
    """A cache edited as the bytes say, and sealed again: what can't be a table is done without."""
    folder, text, _, whole = _cached()
    stored = json.loads(whole.partition(b"\n")[2])
    chance = Choices(data)
    edited(stored[chance.choice(["table", "table", "genesis"])], chance, numbers=True)
    kept = json.dumps(stored).encode("ascii")
    cache_file(folder).write_bytes(seal(KEY, kept) + b"\n" + kept)
    assert recall(cache_file(folder), KEY) is not None
    folder.table(text)


@cache
def _scenario_cache() -> tuple[Path, bytes]:
    folder = scratch_folder() / "scenarios"
    load_scenario("toba-fushimi", Cache(folder))
    (file,) = folder.iterdir()
    return file, file.read_bytes()


def _read_scenario_cache(data: bytes) -> None:
    """A scenario's cache file of any bytes: the scenario is that of its files."""
    file, _ = _scenario_cache()
    file.write_bytes(data)
    assert load_scenario("toba-fushimi", Cache(file.parent)).digest == scenario().digest


@cache
def _ground_cache() -> tuple[Path, bytes, drawing.Printed]:
    folder = scratch_folder() / "pictures"
    ground = Drawn("toba-fushimi", scenario().digest, folder).ground(board().map)
    (file,) = folder.iterdir()
    return file, file.read_bytes(), ground


def _read_ground_cache(data: bytes) -> None:
    """A map's cache file of any bytes: its ground is the one that is drawn."""
    file, _, ground = _ground_cache()
    file.write_bytes(data)
    assert Drawn("toba-fushimi", scenario().digest, file.parent).ground(board().map) == ground


JSON_WORDS = (
    b"null", b"[", b"]", b"{", b"}", b'"', b":", b",", b"1e999", b"NaN", b"-Infinity", b"[" * 3000, b'{"a":' * 3000,
)  # fmt: skip


TARGETS = {
    "cache": Target(_read_cache, PbemError, lambda: [_cached()[3]], JSON_WORDS, 40),
    "sealed-cache": Target(_read_sealed_cache, PbemError, scripts, (), 40),
    "ground-cache": Target(_read_ground_cache, PbemError, lambda: [_ground_cache()[1]], JSON_WORDS, 15),
    "scenario-cache": Target(_read_scenario_cache, PbemError, lambda: [_scenario_cache()[1]], JSON_WORDS, 15),
}
