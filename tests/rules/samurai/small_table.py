"""Small battles of miniatures: the data of a scenario with some units, and the state with them on the table."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

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


def state_with(
    units: Mapping[str, str], *, phase: str = "red-turn", step: str = "fire", turn: int = 1, **more: Any
) -> State:
    """A state begun in the middle of a turn; `more` goes to scenario_data."""
    state = samurai.start(samurai.board(scenario_data(units, **more)), {})
    for unit, text in units.items():
        put(state, unit, text)
    state.turn, state.phase, state.opened = turn, PHASES[phase], True
    state.step = step if phase.endswith("turn") else ""
    return state


def put(s: State, unit: str, text: str) -> None:
    """Put a unit where its text says and in the state it says."""
    words = text.split()
    if words[0] == "off":
        return
    u = s.board.units[unit]
    shape = next((word for word in words if word in (ABREAST, BEHIND)), ABREAST)
    if u.stands > 1:
        s.arrange(unit, shape)
    figures = next((word for word in words[2:] if word.replace("/", "").isdigit()), None)
    if figures is not None:
        s.leave(unit, tuple(int(number) for number in figures.split("/")))
    x, y = (read_inches(word) for word in words[:2])
    assert x is not None
    assert y is not None
    s.put(unit, s.size(unit).at(x, y, FACINGS.index(words[2])))
    for word in ("routed", "checked"):
        if word in words:
            setattr(s, word, getattr(s, word) | {unit})
