"""The data of a small scenario of the Siege of Osaka, as its files would have them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rules.field import map_data, options_data

from pbem.rules import yukimura
from pbem.rules.yukimura.state import OPTIONS

__all__ = ["small_field"]


def small_field(
    letters: Sequence[Sequence[str]],
    legend: Mapping[str, Any],
    forces: Sequence[Mapping[str, Any]],
    tables: Mapping[str, Any],
    *,
    roads: Sequence[str] = (),
    rivers: Sequence[str] = (),
    impassable: Sequence[str] = (),
    line: Sequence[str] = (),
    entries: Mapping[str, str] | None = None,
    held: Sequence[Mapping[str, Any]] = (),
    reinforcements: Sequence[Mapping[str, Any]] = (),
    victory: Mapping[str, Any] | None = None,
    turns: int = 12,
) -> dict[str, Any]:
    """What `yukimura.board` is given: a map of these letters, one army, a scenario with the rest."""
    sides = {"small_river": rivers, "impassable": impassable, "line": line}
    scenario = {
        "scenario": "field",
        "system": "yukimura",
        "edition": yukimura.EDITION,
        "title": "A small field",
        "maps": ["field"],
        "armies": ["field"],
        "turns": str(turns),
        "options": options_data(OPTIONS),
        "sides": [{"id": "east", "title": "Eastern Army"}, {"id": "osaka", "title": "Osaka Army"}],
        "held": [dict(entry) for entry in held],
        "reinforcements": [dict(entry) for entry in reinforcements],
        "victory": {"otherwise": "draw", **(victory or {})},
    }
    battlefield = map_data(letters, legend, roads, sides, entries=entries or {})
    army = {"army": "field", "map": "field", "provenance": {"units": "test"}, "forces": list(forces)}
    return {"scenario": scenario, "maps": {"field": battlefield}, "armies": {"field": army}, "tables": tables}
