"""Reads what a scenario of the advanced game has besides: the block `advanced` (14 to 22)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pbem.maps.hexes import Hex
from pbem.rules.gcacw.advanced import (
    BY_ENTRY,
    BY_RAID,
    NEVER,
    Advanced,
    Depot,
    Granted,
    Merging,
    Pontoon,
    RailMoves,
)
from pbem.rules.gcacw.board import ARMY, BRIGADE, CAVALRY, DIVISION, INFANTRY, REGIMENT, Unit
from pbem.rules.kit import scenario as kit
from pbem.rules.kit.reading import Reader

__all__ = ["ends_of_pontoon", "read_advanced", "substitutes_of"]

ADVANCED = (
    "supply", "effects", "home", "fed", "depots", "stations", "ends", "granted", "rails", "pontoon", "panic",
    "substitutes", "merging",
)  # fmt: skip
DEPOT = ("at", "lost-by")
GRANTED = ("units", "clause")
RAILS = ("turns", "starts", "hexes", "most")
PONTOON = ("side", "between", "river")
PANIC = ("leader", "replaced-by")
MERGING = ("unit", "into", "command", "clause")
INTO = {
    "cavalry brigades": (CAVALRY, (BRIGADE,)),
    "infantry brigades and divisions": (INFANTRY, (BRIGADE, DIVISION)),
}
"""Kinds of units into which others may merge (21.2-u4, 21.2-u5)."""
A_SIDE = 6
"""The substitutes of a side, three infantry brigades and three cavalry regiments (21.0-1)."""
FAR = 99
PLACE = "scenario.advanced"


def _block(reader: Reader) -> Mapping[str, Any]:
    return reader.defects.keys(reader.defects.block(reader.data, "advanced", "scenario"), ADVANCED, PLACE)


def ends_of_pontoon(reader: Reader) -> tuple[Hex, ...]:
    """The two hexes between which the pontoon bridge lies; none in the basic game (19.0-1)."""
    return reader.hexes(reader.defects.block(_quiet(reader), "pontoon", PLACE), "between", f"{PLACE}.pontoon")


def substitutes_of(reader: Reader) -> list[str]:
    """The ids of the substitutes, as they are written (21.0-1)."""
    return reader.defects.words(_quiet(reader), "substitutes", PLACE)


def _quiet(reader: Reader) -> Mapping[str, Any]:
    """The block, without noting its unknown keys once more."""
    block = reader.data.get("advanced")
    return block if isinstance(block, Mapping) else {}


def read_advanced(reader: Reader, units: Mapping[str, Unit], sides: Sequence[str], turns: int) -> Advanced | None:
    """The block of a scenario with these counters and sides; None where it has none (3.0-2)."""
    if "advanced" not in reader.data:
        return None
    data, defects = _block(reader), reader.defects
    return Advanced(
        supply=_turns(reader, data, "supply", turns, PLACE),
        effects=defects.number(data.get("effects"), f"{PLACE}.effects", 1, FAR),
        home=frozenset(reader.all_known(data, "home", reader.map.regions, PLACE)),
        fed=defects.number(data.get("fed"), f"{PLACE}.fed", 0, FAR),
        depots={depot.at: depot for depot in _depots(reader, data)},
        stations=frozenset(reader.hexes(data, "stations", PLACE)),
        ends=frozenset(reader.hexes(data, "ends", PLACE)),
        granted=tuple(_granted(reader, data, units)),
        rails=_rails(reader, data, turns),
        pontoon=_pontoon(reader, data, sides) if "pontoon" in data else None,
        panic=_panic(reader, data, units) if "panic" in data else None,
        substitutes={side: _substitutes(reader, data, units, side) for side in sides},
        merging=_merging(reader, data, units),
    )


def _turns(reader: Reader, data: Mapping[str, Any], key: str, most: int, where: str) -> frozenset[int]:
    words = reader.defects.words(data, key, where)
    return frozenset(reader.defects.number(word, f"{where}.{key}", 1, FAR) for word in words) & {*range(1, most + 1)}


def _depots(reader: Reader, data: Mapping[str, Any]) -> list[Depot]:
    """The depots, each with what destroys it (20.1)."""
    found = []
    for where, line in reader.defects.items(data, "depots", PLACE) if data.get("depots") else ():
        given = reader.defects.keys(line, DEPOT, where)
        at = kit.hex_at(reader.map.parse, given.get("at"), f"{where}.at", reader.defects)
        lost_by = reader.known(given.get("lost-by"), (BY_RAID, BY_ENTRY, NEVER), f"{where}.lost-by")
        if at is not None:
            found.append(Depot(at, lost_by or NEVER))
    return found


def _granted(reader: Reader, data: Mapping[str, Any], units: Mapping[str, Unit]) -> list[Granted]:
    """Who is in supply until he has acted (22.1-sp3b2, 22.1-sp3e2)."""
    found = []
    for where, line in reader.defects.items(data, "granted", PLACE) if data.get("granted") else ():
        given = reader.defects.keys(line, GRANTED, where)
        named = frozenset(reader.all_known(given, "units", [*units], where))
        found.append(Granted(named, reader.defects.text(given, "clause", where)))
    return found


def _rails(reader: Reader, data: Mapping[str, Any], turns: int) -> RailMoves:
    """Who goes by rail, when and from where (16.0)."""
    where = f"{PLACE}.rails"
    given = reader.defects.keys(reader.defects.block(data, "rails", PLACE), RAILS, where)
    return RailMoves(
        turns=_turns(reader, given, "turns", turns, where),
        starts=frozenset(reader.hexes(given, "starts", where)),
        hexes=reader.defects.number(given.get("hexes"), f"{where}.hexes", 1, FAR),
        most=2 * reader.defects.number(given.get("most"), f"{where}.most", 1, FAR),
    )


def _pontoon(reader: Reader, data: Mapping[str, Any], sides: Sequence[str]) -> Pontoon:
    """The pontoon bridge, and over which river another one may be built (19.0)."""
    where, defects = f"{PLACE}.pontoon", reader.defects
    given = defects.keys(defects.block(data, "pontoon", PLACE), PONTOON, where)
    ends, name = reader.hexes(given, "between", where), defects.text(given, "river", where)
    if len(ends) != 2 or ends[1] not in reader.map.neighbours.get(ends[0], ()):
        defects.wrong(f"{where}.between", "aren't two adjacent hexes", "write `between: [HEX, HEX]`")
        ends = (ends or (next(iter(reader.map.hexes)),)) * 2
    major = [c for c in reader.map.hexsides if c.name == name and c.kind == "major_river"]
    if not major:
        defects.wrong(f"{where}.river", f"{name} is no major river of the map", "name one")
    steps = {step for crossing in major for a, b in crossing.sides for step in ((a, b), (b, a))}
    return Pontoon(reader.known(given.get("side"), sides, f"{where}.side"), (ends[0], ends[1]), frozenset(steps))


def _panic(reader: Reader, data: Mapping[str, Any], units: Mapping[str, Unit]) -> tuple[str, str]:
    """The army leader who goes in panic, and who comes for him (18.0-5)."""
    where = f"{PLACE}.panic"
    given = reader.defects.keys(reader.defects.block(data, "panic", PLACE), PANIC, where)
    chiefs = [unit.id for unit in units.values() if unit.leader and unit.size == ARMY]
    return (
        reader.known(given.get("leader"), chiefs, f"{where}.leader"),
        reader.known(given.get("replaced-by"), chiefs, f"{where}.replaced-by"),
    )


def _substitutes(reader: Reader, data: Mapping[str, Any], units: Mapping[str, Unit], side: str) -> tuple[str, ...]:
    """A side's substitutes, infantry brigades and cavalry regiments (21.0-1)."""
    where = f"{PLACE}.substitutes"
    named = reader.defects.words(data, "substitutes", PLACE)
    found = tuple(word for word in named if word in units and units[word].side == side)
    kinds = {(units[word].branch, units[word].size) for word in found}
    if len(found) != A_SIDE or kinds != {(INFANTRY, BRIGADE), (CAVALRY, REGIMENT)}:
        right = "name three infantry brigades and three cavalry regiments of each side"
        reader.defects.wrong(where, f"{side} has {len(found)}: {', '.join(found)}", right)
    return found


def _merging(reader: Reader, data: Mapping[str, Any], units: Mapping[str, Unit]) -> dict[str, Merging]:
    """Who merges into whom as a substitute does: units, all of a corps, or all of a kind (21.2-u1 to -u5, -c1, -c2)."""
    found = {}
    for where, line in reader.defects.items(data, "merging", PLACE) if data.get("merging") else ():
        given = reader.defects.keys(line, MERGING, where)
        unit = reader.known(given.get("unit"), [*units], f"{where}.unit")
        if not unit:
            continue
        own = [other for other in units.values() if other.side == units[unit].side and not other.leader]
        into = given.get("into")
        if isinstance(into, str) and into in INTO:
            branch, sizes = INTO[into]
            named = {other.id for other in own if other.branch == branch and other.size in sizes}
        elif "command" in given:
            alike = (units[unit].branch, str(given["command"]))
            named = {other.id for other in own if (other.branch, other.command) == alike}
        else:
            named = {*reader.all_known(given, "into", [other.id for other in own], where)}
        command = str(given.get("command", ""))
        found[unit] = Merging(frozenset(named - {unit}), command, reader.defects.text(given, "clause", where))
    return found
