"""Reads the armies of a scenario: forces and their units as printed on the counters, with their start hexes (2-2)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from pbem.errors import Defects, as_meant, shown, stands
from pbem.maps.hexes import Hex
from pbem.maps.map import Map
from pbem.rules.kit import scenario as kit
from pbem.rules.yukimura.board import EAST, OSAKA, Force, Unit
from pbem.rules.yukimura.orders import WORDS

__all__ = ["BRANCHES", "read_armies"]

BRANCHES = ("mounted", "mounted-rifle", "rifle", "foot")  # 2-2(2), 17-2
RANGES = (10, 5, 3)  # 13-1(1)a, 13-1(1)b, 13-1(1)c
ASTERISK = "*"

ARMY = ("army", "map", "provenance", "forces")
FORCE = ("id", "side", "title", "men", "units")
UNIT = ("id", "name", "short", "branch", "commander", "strength", "morale", "move", "command", "at")


def read_armies(
    names: Sequence[str],
    armies: Mapping[str, Any],
    maps: Mapping[str, Map],
    prefixes: Mapping[str, str],
    defects: Defects,
) -> tuple[dict[str, Force], dict[str, Unit], set[str]]:
    """The forces and units of the named armies, in their order, and the ids of the units that have a hex.

    What is wrong with them goes into `defects`; there are no forces when one lacks its id or has that of another, for
    nobody knows then which one is meant elsewhere.
    """
    forces: dict[str, Force] = {}
    units: dict[str, Unit] = {}
    placed: set[str] = set()
    nameless = False
    for name in names:
        if name not in armies:
            right = f"armies are: {', '.join(sorted(armies))}"
            defects.wrong("scenario.armies", f"there is no army {shown(name)}", right)
            continue
        where = f"army {name}"
        army = defects.keys(defects.block(armies, name, "armies"), ARMY, where)
        own = _own_map(army, name, prefixes, defects)
        for place, given in defects.items(army, "forces", where):
            data = defects.keys(given, FORCE, place)
            force = _force(data, own, place, defects)
            nameless = nameless or not force.id or force.id in forces
            if force.id and force.id in forces:
                defects.wrong(place, f"the force {shown(force.id)} stands there twice", "give each force its own id")
            forces[force.id] = force
            for line, unread in defects.items(data, "units", f"force {force.id}" if force.id else place):
                item = as_meant(unread, UNIT)
                unit = _unit(unread, force, maps.get(own), prefixes.get(own, ""), line, defects)
                if unit.id and unit.id in units:
                    defects.wrong(f"{line} ({unit.id})", "stands there twice", "give each unit its own id")
                units[unit.id] = unit
                placed |= {unit.id} if item.get("at") is not None else set()
    return {} if nameless else forces, units, placed


def _own_map(army: Mapping[str, Any], name: str, maps: Collection[str], defects: Defects) -> str:
    """The map on which an army stands or comes on, empty for none; and the frame of its file."""
    where = f"army {name}"
    sources = defects.block(army, "provenance", where)
    for part in sources:
        defects.text(sources, part, f"{where}.provenance")
    if army.get("army") != name:
        defects.wrong(f"{where}.army", stands(army.get("army")), f"the file's name asks for {name}")
    own = str(army.get("map") or "")
    if own and own not in maps:
        right = f"maps are {', '.join(maps)}"
        defects.wrong(f"{where}.map", f"{shown(own)} isn't a map of the scenario", right)
    units = [unit for force in _mappings(army.get("forces")) for unit in _mappings(force.get("units"))]
    if not own and any("at" in unit for unit in units):
        defects.wrong(f"{where}.map", "is missing", "write `map: NAME`, on which its units stand")
    return own


def _mappings(value: object) -> list[Mapping[str, Any]]:
    """The mappings of what should be a list of them."""
    return [item for item in value if isinstance(item, Mapping)] if isinstance(value, list) else []


def _force(data: Mapping[str, Any], own_map: str, where: str, defects: Defects) -> Force:
    text = {key: defects.text(data, key, where) for key in ("id", "side", "title")}
    if text["side"]:
        text["side"] = kit.known(text["side"], (EAST, OSAKA), f"{where}.side", defects)
    if text["id"]:
        kit.check_id(text["id"], f"{where}.id", "goto", defects, WORDS)
    ids = tuple(str(unit.get("id")) for unit in _mappings(data.get("units")))
    return Force(text["id"], text["side"], text["title"], ids, own_map)  # 2-2(1)B


def _unit(
    given: Mapping[str, Any], force: Force, own_map: Map | None, prefix: str, where: str, defects: Defects
) -> Unit:
    text = {"id": defects.text(as_meant(given, UNIT), "id", where)}
    where = f"unit {text['id']}" if text["id"] else where
    data = defects.keys(given, UNIT, where)
    text |= {key: defects.text(data, key, where) for key in ("name", "branch")}
    if text["id"]:
        kit.check_id(text["id"], where, "go-01", defects, WORDS)
    if text["branch"]:
        kit.known(text["branch"], BRANCHES, f"{where}.branch", defects)
    commander = kit.yes(data, "commander", where, defects)
    before = len(defects.found)
    command = defects.number(data.get("command", 0), f"{where}.command")
    if len(defects.found) == before and command not in (RANGES if commander else (0,)):
        right = "write 10, 5 or 3" if commander else "write `commander: yes`, or leave it out: others have no range"
        defects.wrong(f"{where}.command", stands(data.get("command")), right)  # 2-2(1)A, 13-1(1)a
    morale, number = data.get("morale"), defects.number
    return Unit(
        id=text["id"],
        side=force.side,
        force=force.id,
        name=text["name"],
        short=kit.short(data, text["id"], where, defects),
        branch=text["branch"],
        commander=commander,
        strength=number(data.get("strength"), f"{where}.strength", 1, 9),  # 2-2(3)
        morale=None if morale == ASTERISK else number(morale, f"{where}.morale", 1, 9, f'"{ASTERISK}"'),  # 2-2(4)
        move=number(data.get("move"), f"{where}.move", 1, 9),  # 2-2(5)
        command=command,
        start=_start(data.get("at"), own_map, prefix, f"{where}.at", defects),
    )


def _start(number: object, own_map: Map | None, prefix: str, where: str, defects: Defects) -> Hex | None:
    """The hex printed for a unit; None for one that starts off the map (2-1-2, 3(3))."""
    if number is None or own_map is None:
        return None
    return kit.hex_at(lambda text: own_map.parse(prefix + text), number, where, defects)
