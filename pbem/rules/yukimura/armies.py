"""Reads army files (rulebook 2-2): forces and their units as printed on the counters, with their start hexes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pbem.errors import Defects
from pbem.maps.hexes import Hex
from pbem.maps.map import Map
from pbem.rules.kit import scenario as kit
from pbem.rules.yukimura.board import EAST, OSAKA, Force, Unit

__all__ = ["BRANCHES", "read_armies"]

BRANCHES = ("mounted", "mounted-rifle", "rifle", "foot")  # 2-2(2), 17-2
RANGES = (10, 5, 3)  # 13-1(1)a, 13-1(1)b, 13-1(1)c
ASTERISK = "*"
SHORT = 8


def read_armies(
    names: Sequence[str],
    armies: Mapping[str, Any],
    maps: Mapping[str, Map],
    prefixes: Mapping[str, str],
    defects: Defects,
) -> tuple[dict[str, Force], dict[str, Unit]]:
    """The forces and units of the named armies, in their order; what is wrong with them goes into `defects`."""
    forces: dict[str, Force] = {}
    units: dict[str, Unit] = {}
    for name in names:
        army, where = defects.block(armies, name, "armies"), f"army {name}"
        if name not in armies:
            defects.wrong("scenario.armies", f"there is no army {name!r}", f"armies are: {', '.join(sorted(armies))}")
            continue
        own = str(army.get("map") or "")
        if own and own not in maps:
            defects.wrong(f"{where}.map", f"{own!r} isn't a map of the scenario", f"maps are {', '.join(maps)}")
        for place, data in defects.items(army, "forces", where):
            force = _force(data, own, place, defects)
            if force.id in forces:
                defects.wrong(place, f"the force {force.id!r} stands there twice", "give each force its own id")
            forces[force.id] = force
            for unit in _units(data, force, maps.get(own), prefixes.get(own, ""), defects):
                if unit.id in units:
                    defects.wrong(f"unit {unit.id}", "stands there twice", "give each unit its own id")
                units[unit.id] = unit
    return forces, units


def _force(data: Mapping[str, Any], own_map: str, where: str, defects: Defects) -> Force:
    text = {key: defects.text(data, key, where) for key in ("id", "side", "title")}
    kit.known(text["side"], (EAST, OSAKA), f"{where}.side", defects)
    kit.check_id(text["id"], f"{where}.id", "goto", defects)
    units = data.get("units")
    ids = tuple(str(u.get("id")) for u in units if isinstance(u, Mapping)) if isinstance(units, list) else ()
    return Force(text["id"], text["side"], text["title"], ids, own_map)  # 2-2(1)B


def _units(data: Mapping[str, Any], force: Force, own_map: Map | None, prefix: str, defects: Defects) -> list[Unit]:
    return [
        _unit(unit, force, own_map, prefix, where, defects)
        for where, unit in defects.items(data, "units", f"force {force.id}")
    ]


def _unit(
    data: Mapping[str, Any], force: Force, own_map: Map | None, prefix: str, where: str, defects: Defects
) -> Unit:
    text = {key: defects.text(data, key, where) for key in ("id", "name", "branch")}
    where = f"unit {text['id']}"
    kit.check_id(text["id"], where, "go-01", defects)
    kit.known(text["branch"], BRANCHES, f"{where}.branch", defects)
    commander = kit.yes(data, "commander", where, defects)
    command = defects.number(data.get("command", 0), f"{where}.command")
    if command not in (RANGES if commander else (0,)):
        right = f"commanders have one of {RANGES}" if commander else "only commanders have a range"
        defects.wrong(f"{where}.command", f"is {command}", right)  # 2-2(1)A, 13-1(1)a
    morale = str(data.get("morale"))
    short = str(data.get("short", text["id"]))
    if len(short) > SHORT or not short.isascii():
        defects.wrong(f"{where}.short", f"is {short!r}", f"write up to {SHORT} plain letters")
    return Unit(
        id=text["id"],
        side=force.side,
        force=force.id,
        name=text["name"],
        short=short,
        branch=text["branch"],
        commander=commander,
        strength=defects.number(data.get("strength"), f"{where}.strength", 1, 9),  # 2-2(3)
        morale=None if morale == ASTERISK else defects.number(morale, f"{where}.morale", 1, 9),  # 2-2(4)
        move=defects.number(data.get("move"), f"{where}.move", 1, 9),  # 2-2(5)
        command=command,
        start=_start(data.get("at"), own_map, prefix, f"{where}.at", defects),
    )


def _start(number: object, own_map: Map | None, prefix: str, where: str, defects: Defects) -> Hex | None:
    """The hex printed for a unit; None for one that starts off the map (2-1-2, 3(3))."""
    if number is None:
        return None
    if own_map is None:
        defects.wrong(where, f"is {number!r}, but the army has no map", "write `map: NAME` in the army file")
        return None
    return kit.hex_at(own_map.parse, f"{prefix}{number}", where, defects)
