"""Reads the officers of a scenario: armies and their units with the values printed on the counters (2-2-1, 7-1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pbem.errors import Defects, as_meant, shown, stands
from pbem.records import NamedTuple
from pbem.rules.kit import scenario as kit
from pbem.rules.sengoku.board import BUSHO, RANKS, Unit
from pbem.rules.sengoku.standing import WORDS

__all__ = ["Roster", "read_rosters"]

FILE = ("army", "provenance", "armies")
ARMY = ("id", "title", "column", "units")
UNIT = ("id", "name", "short", "rank", "front", "back", "modifier", "power", "boxes")


class Roster(NamedTuple):
    """An army as its file has it: title, column of the replenishment table, units; their side is still empty."""

    title: str
    column: str
    units: tuple[Unit, ...]


def read_rosters(
    names: Sequence[str], files: Mapping[str, Any], columns: Sequence[str], defects: Defects
) -> dict[str, Roster]:
    """The armies of the named files, by their ids, in order; what is wrong with them goes into `defects`."""
    found: dict[str, Roster] = {}
    seen: set[str] = set()  # ids and names of units
    for name in names:
        if name not in files:
            right = f"armies are: {', '.join(sorted(files))}"
            defects.wrong("scenario.armies", f"there is no army {shown(name)}", right)
            continue
        where = f"army {name}"
        data = defects.keys(defects.block(files, name, "armies"), FILE, where)
        sources = defects.block(data, "provenance", where)
        for part in sources:
            defects.text(sources, part, f"{where}.provenance")
        if data.get("army") != name:
            defects.wrong(f"{where}.army", stands(data.get("army")), f"the file's name asks for {name}")
        for place, given in defects.items(data, "armies", where):
            army = defects.keys(given, ARMY, place)
            named = _id(army, place, "hashiba", defects)
            if named in found:
                defects.wrong(place, f"the army {shown(named)} stands there twice", "give each army its own id")
            title = defects.text(army, "title", place)
            column = kit.known(army.get("column"), columns, f"{place}.column", defects)
            units = [_unit(unit, named, line, defects) for line, unit in defects.items(army, "units", place)]
            _check_names(units, seen, defects)
            found[named] = Roster(title, column, tuple(units))
    return found


def _id(data: Mapping[str, Any], where: str, example: str, defects: Defects) -> str:
    """The id of an army or unit."""
    named = defects.text(data, "id", where)
    if named:
        kit.check_id(named, where, example, defects, WORDS)
    return named


def _check_names(units: Sequence[Unit], seen: set[str], defects: Defects) -> None:
    """No id and no name stands there twice; of an officer who has several counters one is in play (2-2-1(1), 30-2)."""
    for unit in units:
        if unit.id and unit.id in seen:
            defects.wrong(f"unit {unit.id}", "stands there twice", "give each unit its own id")
        if unit.name and unit.name in seen:
            defects.wrong(f"unit {unit.id}.name", f"{shown(unit.name)} stands there twice", "number them, or take one")
        seen |= {unit.id, unit.name}


def _unit(given: Mapping[str, Any], army: str, where: str, defects: Defects) -> Unit:
    named = _id(as_meant(given, UNIT), where, "hb-01", defects)
    where = f"unit {named}" if named else where
    data = defects.keys(given, UNIT, where)
    rank = RANKS.get(kit.known(data.get("rank"), [*RANKS], f"{where}.rank", defects), BUSHO)
    front = defects.number(data.get("front"), f"{where}.front", 1, 9)
    before = len(defects.found)
    boxes = defects.number(data.get("boxes", 0), f"{where}.boxes", 0, 20)
    if len(defects.found) == before and (boxes > 0) != (rank > BUSHO):
        right = "only taisho and sotaisho have some, and each of them has"
        defects.wrong(f"{where}.boxes", stands(data.get("boxes")), right)  # 2-2-1(5), 9-2-1
    return Unit(
        id=named,
        side="",
        army=army,
        name=defects.text(data, "name", where),
        short=kit.short(data, named, where, defects),
        rank=rank,
        front=front,  # 2-2-1(2)
        back=defects.number(data.get("back"), f"{where}.back", 1, front),
        modifier=defects.number(data.get("modifier"), f"{where}.modifier", 0, 9),  # 2-2-1(3)
        power=defects.number(data.get("power"), f"{where}.power", 1, 4),  # 2-2-1(4)
        boxes=boxes,
    )
