"""Reads an army file: the counters of a side with their printed values (2.6, std-2.2-1, std-2.2-2)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pbem.errors import Defects, as_meant, shown, stands
from pbem.rules.gcacw.board import (
    ARMY,
    BRIGADE,
    CAVALRY,
    CONFEDERATE,
    CORPS,
    DIVISION,
    INFANTRY,
    LEADER,
    REGIMENT,
    UNION,
    Side,
    Unit,
)
from pbem.rules.gcacw.wording import WORDS
from pbem.rules.kit import scenario as kit

__all__ = ["COMMANDS", "read_army"]

FILE = ("army", "provenance", "units")
UNIT = ("id", "name", "short", "also", "size", "branch", "command", "army")
VALUES = {
    (LEADER, CORPS): ("tactical", "command-value"),
    (LEADER, ARMY): ("command-value",),
}
"""The values that the counters of a branch and size have (std-2.2-2); combat units have the two below."""
OF_UNITS = ("tactical", "artillery")

COMMANDS = {
    UNION: ("I", "II", "III", "IX", "II-AP", "III-AP", "V-AP", "VI-AP", "Kan"),
    CONFEDERATE: ("J", "L", "Cav"),
}
"""The corps of each side (2.6-1); who has none is independent."""

ARMIES = {UNION: ("AV", "AP"), CONFEDERATE: ("ANV",)}
"""The armies of each side (2.6-1, 13.0-6)."""

MOST = 9


def read_army(name: str, files: Mapping[str, Any], sides: Sequence[Side], defects: Defects) -> Iterator[Unit]:
    """The counters of an army file (2.6); its name is that of its side. Whatever is wrong goes into `defects`."""
    if name not in files:
        right = f"armies are: {', '.join(sorted(files))}"
        defects.wrong("scenario.armies", f"there is no army {shown(name)}", right)
        return
    where = f"army {name}"
    data = defects.keys(defects.block(files, name, "armies"), FILE, where)
    sources = defects.block(data, "provenance", where)
    for part in sources:
        defects.text(sources, part, f"{where}.provenance")
    side = kit.known(data.get("army"), [side.id for side in sides], f"{where}.army", defects)
    seen: set[str] = set()
    for place, given in defects.items(data, "units", where):
        unit = _unit(given, side if side in COMMANDS else UNION, place, defects)
        if unit.id in seen:
            defects.wrong(f"unit {unit.id}", "stands there twice", "give each counter its own id")
        seen.add(unit.id)
        yield unit


def _unit(given: Mapping[str, Any], side: str, where: str, defects: Defects) -> Unit:
    """A counter with its printed values (std-2.2-1, std-2.2-2)."""
    every = (*UNIT, *OF_UNITS, "command-value")
    named = defects.text(as_meant(given, every), "id", where)
    kit.check_id(named, where, "ap-hill", defects, WORDS)
    where = f"unit {named}"
    data = defects.keys(given, every, where)
    branch = kit.known(data.get("branch"), (INFANTRY, CAVALRY, LEADER), f"{where}.branch", defects)
    sizes = (CORPS, ARMY) if branch == LEADER else (DIVISION, BRIGADE, REGIMENT)
    size = kit.known(data.get("size"), sizes, f"{where}.size", defects)
    values = VALUES.get((branch, size), OF_UNITS)
    for key in {*every} - {*UNIT} - {*values}:
        if key in data:
            who = {(LEADER, CORPS): "a corps leader", (LEADER, ARMY): "an army leader"}.get((branch, size), "a unit")
            defects.wrong(f"{where}.{key}", f"{who} has none", "leave it out")
    found = {key: defects.number(data.get(key), f"{where}.{key}", 0, MOST) for key in values}
    name = defects.text(data, "name", where)
    return Unit(
        id=named,
        side=side,
        name=name,
        short=kit.short({"short": name, **data}, named, where, defects),
        branch=branch,
        size=size,
        command=_command(data, side, (branch, size), where, defects),
        army=kit.known(data.get("army"), ARMIES[side], f"{where}.army", defects),
        also=tuple(defects.words(data, "also", where)),
        tactical=found.get("tactical"),
        artillery=found.get("artillery", 0),
        command_value=found.get("command-value", 0),
    )


def _command(data: Mapping[str, Any], side: str, kind: tuple[str, str], where: str, defects: Defects) -> str:
    """The corps of a unit, or that which a corps leader leads; an army leader has none."""
    where = f"{where}.command"
    if kind == (LEADER, ARMY):
        if "command" in data:
            defects.wrong(where, stands(data["command"]), "an army leader has no corps: leave it out")
        return ""
    if kind == (LEADER, CORPS):
        return kit.known(data.get("command"), COMMANDS[side], where, defects)
    return kit.known(data.get("command", ""), (*COMMANDS[side], ""), where, defects)
