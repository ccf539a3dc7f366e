"""Small battles of miniatures for the tests of the samurai rules, begun in the middle of a turn, with scripted dice."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

import pytest
from rules.field import Battle

from pbem import strictyaml
from pbem.resources import data_folder
from pbem.rules import samurai
from pbem.rules.samurai.board import FACINGS, read_inches
from pbem.rules.samurai.state import ABREAST, BEHIND, State

TYPES = {
    "sp": "spear",
    "gn": "gunner",
    "ro": "ronin",
    "sw": "sword",
    "bw": "bow",
    "dm": "daimyo",
    "bn": "bannerman",
}
"""The beginning of a unit's id -> its type; units from number 11 on are Black's."""

PHASES = {"black-setup": 0, "red-setup": 1, "red-turn": 2, "black-turn": 3}


@cache
def tables() -> Mapping[str, Any]:
    """The tables of the system, as data."""
    return strictyaml.load((data_folder("scenarios") / "samurai" / "tables.yaml").read_bytes(), "tables")


def side_of(unit: str) -> str:
    """The side of a unit by its number."""
    return "black" if int(unit.split("-")[1]) > 10 else "red"


def scenario_data(
    units: Mapping[str, str],
    *,
    width: str = "72",
    depth: str = "48",
    terrain: Sequence[Mapping[str, str]] = (),
    turns: int = 12,
    broken: int = 100,
) -> dict[str, Any]:
    """The data of a scenario with these units, each army one wing."""
    armies: dict[str, dict[str, Any]] = {}
    for side in ("red", "black"):
        own = {unit: text for unit, text in units.items() if side_of(unit) == side}
        own = own or {"sp-1" if side == "red" else "sp-99": "off"}
        doubled = any(ABREAST in text or BEHIND in text for text in own.values())
        if doubled and not any(unit.startswith("dm") for unit in own):
            own = {**own, "dm-10" if side == "red" else "dm-20": "off"}
        wing = [{"id": unit, "type": _types(unit, text), "name": f"Unit {unit}"} for unit, text in own.items()]
        armies[f"{side}-army"] = {"army": f"{side}-army", "side": side, "wings": {"centre": wing}}
    numbers = copy.deepcopy(dict(tables()))
    numbers["victory"] = {**numbers["victory"], "broken": str(broken)}
    scenario: dict[str, Any] = {
        "scenario": "field",
        "system": "samurai",
        "edition": "samurai/1",
        "title": "A Field",
        "maps": "none",
        "armies": [*armies],
        "tables": "tables",
        "turns": str(turns),
        "table": {"width": width, "depth": depth},
        "zone": "12",
        "wings": ["centre"],
        "points": "999",
        "sides": [{"id": "red", "title": "Red"}, {"id": "black", "title": "Black"}],
    }
    if terrain:
        scenario["terrain"] = [{"name": piece["id"].title(), **piece} for piece in terrain]
    return {"scenario": scenario, "armies": armies, "tables": numbers}


def _types(unit: str, text: str) -> list[str]:
    return [TYPES[unit.split("-")[0]]] * (2 if ABREAST in text or BEHIND in text else 1)


@pytest.fixture
def table() -> Callable[..., Battle]:
    """The builder of a battle.

    table(
        {
            "ro-1": "33 19 north-east",                 where the centre is, and the facing; Black's from number 11 on
            "sw-1": "30 12 north abreast 3/1",          two stands, abreast or behind; figures left
            "sp-11": "36 24 south routed",              state words: routed, checked
            "bn-1": "off",                              not on the table
        },
        phase="red-turn", step="fire", turn=1, turns=12, broken=100,
        width="72", depth="48", terrain=[{"id": "wood", "kind": "wood", "at": "30 24", "size": "6 6"}],
    )

    The step ends of itself where nobody can do anything in it.
    """

    def build(
        units: Mapping[str, str], *, phase: str = "red-turn", step: str = "fire", turn: int = 1, **more: Any
    ) -> Battle:
        board = samurai.board(scenario_data(units, **more))
        state = samurai.start(board, {})
        for unit, text in units.items():
            put(state, unit, text)
        state.turn, state.phase, state.opened = turn, PHASES[phase], True
        state.step = step if phase.endswith("turn") else ""
        return Battle(samurai, board, state, ())

    return build


def put(s: State, unit: str, text: str) -> None:
    """Put a unit where its text says and in the state it says."""
    words = text.split()
    if words[0] == "off":
        return
    u = s.board.units[unit]
    shape = next((word for word in words if word in (ABREAST, BEHIND)), ABREAST)
    if u.stands > 1:
        s.shape[unit] = shape
    figures = next((word for word in words[2:] if word.replace("/", "").isdigit()), None)
    if figures is not None:
        s.figures[unit] = tuple(int(number) for number in figures.split("/"))
    x, y = (read_inches(word) for word in words[:2])
    assert x is not None
    assert y is not None
    s.at[unit] = s.size(unit).at(x, y, FACINGS.index(words[2]))
    for word in ("routed", "checked"):
        if word in words:
            getattr(s, word).add(unit)


def where(b: Battle, unit: str) -> tuple[int, int, str]:
    """Where a unit stands in hundredths, and its facing."""
    found = b.state.at[unit]
    return found.x, found.y, FACINGS[found.facing]


def to(b: Battle, step: str) -> None:
    """Go on to a step of the turn, if it isn't that already, without dice."""
    while b.request.kind != step:
        b.do(f"close {b.request.kind}")
