"""Reads a scenario and its armies (rulebook 2-2, 3, 14) into a Board, and says everything that is wrong with them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from pbem.errors import Defects, shown
from pbem.maps.hexes import Hex
from pbem.maps.map import Map
from pbem.records import Record, made
from pbem.rules.kit import scenario as kit
from pbem.rules.yukimura.armies import read_armies
from pbem.rules.yukimura.board import (
    BARRIERS,
    EAST,
    EDITION,
    OSAKA,
    SYSTEM,
    Arrival,
    Board,
    Force,
    Held,
    Side,
    Unit,
    beyond_line,
    read_ground,
)
from pbem.rules.yukimura.state import OPTIONS
from pbem.rules.yukimura.tables import Tables, read_tables

__all__ = ["EDITION", "board"]

NEVER = "never"
DRAW = "draw"

KEYS = ("map", "maps", "prefixes", "armies", "held", "reinforcements", "victory")
"""What a scenario has besides the keys of every system."""
SIDE = ("id", "title", "short")
HELD = ("force", "until", "die", "gate", "clause")
REINFORCEMENTS = ("force", "turn", "edge", "beside", "die", "clause")
VICTORY = ("otherwise", "star", "breakthrough", "collapse", "west-of-line", "superior-power")
EDGES = ("east", "west", "north", "south")


def board(data: Mapping[str, Any]) -> Board:
    """The board from `{"scenario": ..., "maps": {name: ...}, "armies": {name: ...}, "tables": ...}`.

    Scalars may be text or numbers. Raises BadScenario with every defect.
    """
    defects = Defects()
    name, scenario = kit.head(data, SYSTEM, EDITION, KEYS, defects)
    prefixes = kit.prefixes(scenario, defects)
    maps = kit.maps(data, prefixes, BARRIERS, defects, name)  # 3(2)
    tables = read_tables(kit.tables(data, defects), defects)
    armies = defects.block(data, "armies", "data")
    built = _Reader(scenario, armies, maps, prefixes, defects).board(name, tables)
    defects.raise_any(f"scenario {name}")
    return built


class _Reader(Record):
    """Reads a scenario's blocks over its maps and armies; sides first, for the others name them."""

    data: Mapping[str, Any]
    armies: Mapping[str, Any]
    maps: Mapping[str, Map]
    prefixes: Mapping[str, str]
    defects: Defects
    turns: int = 0
    unknown: set[str] = made(default_factory=set)
    """Words for forces that there aren't."""
    forces: dict[str, Force] = made(default_factory=dict)
    units: dict[str, Unit] = made(default_factory=dict)

    def board(self, name: str, tables: Tables) -> Board:
        sides = self.sides()
        self.turns = kit.turns(self.data, self.defects)
        self.defects.mails(self.data, "scenario")
        names = self.defects.words(self.data, "armies", "scenario")
        if not names:
            self.defects.wrong("scenario.armies", "is missing", "write `armies: [NAME, ...]`")
            names = [*self.armies]
        self.forces, self.units, placed = read_armies(names, self.armies, self.maps, self.prefixes, self.defects)
        self.check_map_names()
        held, arrivals = self.held(), self.arrivals()
        self.check_places(placed, arrivals)
        self.check_names()
        block = self.defects.block(self.data, "victory", "scenario")
        victory = self.defects.keys(block, VICTORY, "scenario.victory")
        return Board(
            scenario=name,
            system=SYSTEM,
            title=self.defects.text(self.data, "title", "scenario"),
            turns=self.turns,
            maps=self.maps,
            ground=read_ground(self.maps.values(), tables.chart, self.defects),
            tables=tables,
            sides=sides,
            side={side.id: side for side in sides},
            enemy={EAST: OSAKA, OSAKA: EAST},
            units=self.units,
            of_side={side.id: tuple(u.id for u in self.units.values() if u.side == side.id) for side in sides},
            forces=self.forces,
            held=held,
            arrivals=arrivals,
            collapse=self.collapse(victory),
            breakthrough=frozenset(self.hexes(self.defects.words(victory, "breakthrough", "scenario.victory"))),
            superior_power=self.yes(victory, "superior-power", "scenario.victory"),
            west=self.west(victory, held),
            west_needed=self.defects.number(victory.get("west-of-line", 0), "scenario.victory.west-of-line"),
            gate=max((rule.until or 0 for rule in held.values() if rule.gate), default=0),
            star=self.star(victory),
            otherwise=self.otherwise(victory),
            label={h: number for m in self.maps.values() for h, number in m.labels.items()},
            numbers={number: h for m in self.maps.values() for h, number in m.labels.items()},
            options=kit.options(self.data, OPTIONS, (), self.defects),
            reconstructed=kit.reconstructed(self.provenance(names)),
        )

    def hexes(self, numbers: list[str], where: str = "scenario.victory") -> Iterator[Hex]:
        """The hexes with these numbers, written with the prefix of their map."""
        for number in numbers:
            found = [m for m in self.maps.values() if m.numbering.cell(number) is not None]
            parse = (found[0] if found else next(iter(self.maps.values()))).parse
            h = kit.hex_at(parse, number, where, self.defects)
            if h is not None:
                yield h

    def known(self, value: object, allowed: Sequence[str], where: str) -> str:
        return kit.known(value, allowed, where, self.defects)

    def yes(self, data: Mapping[str, Any], key: str, where: str) -> bool:
        return kit.yes(data, key, where, self.defects)

    def sides(self) -> tuple[Side, ...]:
        """The two sides in playing order, the Eastern Army first (1-a, 4-1)."""
        found = []
        for where, given in self.defects.items(self.data, "sides", "scenario"):
            side = self.defects.keys(given, SIDE, where)
            named, title = (self.defects.text(side, key, where) for key in ("id", "title"))
            found.append(Side(named, title, self.defects.text({"short": title, **side}, "short", where)))
        ids = [side.id for side in found]
        if ids != [EAST, OSAKA]:
            for i, named in enumerate(ids, 1):
                if named:
                    self.known(named, [EAST, OSAKA], f"scenario.sides {i}.id")
            if ids and set(ids) <= {EAST, OSAKA}:
                self.defects.wrong("scenario.sides", f"are {', then '.join(ids)}", f"write {EAST}, then {OSAKA}")
            return Side(EAST, "Eastern Army", "East"), Side(OSAKA, "Osaka Army", "Osaka")
        return tuple(found)

    def lines(self, key: str, keys: tuple[str, ...]) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
        """The lines of a block that may be missing, each with its place and the force it is about.

        The force is the nearest one when there is none with its name, and empty when none is near.
        """
        for where, given in self.defects.items(self.data, key, "scenario") if self.data.get(key) else ():
            line = self.defects.keys(given, keys, where)
            force = str(line.get("force"))
            if self.forces and force not in self.forces:
                self.unknown.add(force)
                force = self.known(line.get("force"), [*self.forces], f"{where}.force")
                yield where, force if force in self.forces else "", line
            else:
                yield f"scenario.{key} {force}", force, line

    def held(self) -> dict[str, Held]:
        """Who may not move, and until when (14-1(5), 14-2(5), 14-3(7), 14-3(8))."""
        found: dict[str, Held] = {}
        for where, force, line in self.lines("held", HELD):
            until = line.get("until")
            turn = None if until == NEVER else self.defects.number(until, f"{where}.until", 1, self.turns, NEVER)
            die = self.defects.number(line.get("die", 0), f"{where}.die", 0, 6)
            if force in found and where.endswith(f" {force}"):
                self.defects.wrong(where, "stands there twice", "hold each force once")
            found[force] = Held(turn, die, self.yes(line, "gate", where), str(line.get("clause", "14-1(5)")))
        return found

    def arrivals(self) -> dict[str, Arrival]:
        """Who comes when and where (14-1(4), 14-3(4), 14-3(6))."""
        found: dict[str, Arrival] = {}
        for where, force, line in self.lines("reinforcements", REINFORCEMENTS):
            edge = self.known(line.get("edge"), EDGES, f"{where}.edge")
            beside, own = self.yes(line, "beside", where), self.forces[force].map if force in self.forces else ""
            maps = [m for name, m in self.maps.items() if own in ("", name)]
            hexes = tuple(h for m in maps for h in m.entries.get(edge, ()))
            unread = any(re.match("map .* entries", one.where) for one in self.defects.found)
            if not hexes and maps and line.get("edge") in EDGES and not unread:
                self.defects.wrong(f"{where}.edge", f"no road leads over the {edge} edge", "see `entries` of the map")
            if force in self.forces and not own and not beside:
                self.defects.wrong(where, "its army belongs to no map", "write `beside: yes`, or `map:` in the army")
            if force in found and where.endswith(f" {force}"):
                self.defects.wrong(where, "stands there twice", "let each force come once")
            turn = self.defects.number(line.get("turn"), f"{where}.turn", 1, self.turns)
            die = self.defects.number(line.get("die", 0), f"{where}.die", 0, 6)
            clause = str(line.get("clause", "8.a"))
            side = self.forces[force].side if force in self.forces else ""
            found[force] = Arrival(side, turn, die, hexes, beside, clause)
        return found

    def check_places(self, placed: Collection[str], arrivals: Mapping[str, Arrival]) -> None:
        """Every unit stands on the map or belongs to a force that comes later, and no two in one hex (3(3), 5.a)."""
        stands: dict[Hex, str] = {}
        absent = self.forces.keys() - {self.units[unit].force for unit in placed} - arrivals.keys()
        for force in self.forces:
            if force in absent and "" not in arrivals and isinstance(self.data.get("reinforcements", []), list):
                right = "write `at` for its units, or a line for it under `reinforcements`"
                self.defects.wrong(f"army force {force}", "is neither on the map nor comes later", right)
        for unit in self.units.values():
            where = f"army unit {unit.id}"
            known = unit.id and unit.force in self.forces.keys() - absent
            if known and (unit.id in placed) == (unit.force in arrivals):
                what = "has a hex and is a reinforcement" if unit.id in placed else "has no hex"
                self.defects.wrong(where, what, "write `at` for units that start on the map, and for no others")
            if unit.start is not None:
                other = stands.setdefault(unit.start, unit.id)
                if other != unit.id:
                    self.defects.wrong(where, f"stands in the hex of {other}", "one unit stands in a hex")

    def check_names(self) -> None:
        """What is named for forces is named for those that there are."""
        titles = self.defects.block(self.data, "formations", "scenario") if self.forces else {}
        self.defects.keys({f: titles[f] for f in titles if f not in self.unknown}, self.forces, "scenario.formations")

    def check_map_names(self) -> None:
        """What the maps name for sides and edges is named for those that there are."""
        for m in self.maps.values():
            self.defects.keys(m.victory, (EAST, OSAKA), f"map {m.name} victory")
            self.defects.keys(m.entries, EDGES, f"map {m.name} entries")

    def collapse(self, victory: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
        """The leaders of each side whose leaving loses the battle, and round whom units are counted (14-2(6)1-4)."""
        leaders = self.defects.block(victory, "collapse", "scenario.victory") if self.units else {}
        found = {}
        for named in leaders:
            where = f"scenario.victory.collapse.{named}"
            side = self.known(named, [EAST, OSAKA], where)
            if side not in (EAST, OSAKA):
                continue
            found[side] = tuple(self.defects.words(leaders, named, "scenario.victory.collapse"))
            for unit in found[side]:
                if unit not in self.units or self.units[unit].side != side or not self.units[unit].commander:
                    self.defects.wrong(
                        where, f"{shown(unit)} isn't a commander of the side", "name commanders by their ids"
                    )
        return found

    def west(self, victory: Mapping[str, Any], held: Mapping[str, Held]) -> frozenset[Hex]:
        """The hexes west of the Ishikawa Line, where the scenario uses it."""
        if not victory.get("west-of-line") and not any(rule.gate or rule.die for rule in held.values()):
            return frozenset()
        found = frozenset(h for m in self.maps.values() for h in beyond_line(m))
        drawn = [side for m in self.maps.values() for c in m.hexsides if c.kind == "line" for side in c.sides]
        if not drawn or any((a in found) == (b in found) for a, b in drawn):
            what = "doesn't part the map" if drawn else "is missing"
            self.defects.wrong("map hexsides `line`", what, "draw the Ishikawa Line from edge to edge")
        return found

    def star(self, victory: Mapping[str, Any]) -> Hex | None:
        if victory.get("star") is None:
            return None
        number = self.defects.text(victory, "star", "scenario.victory")
        star = next(self.hexes([number] if number else [], "scenario.victory.star"), None)
        stars = {h for m in self.maps.values() for h in m.hexes if "star" in m.terrain[h]}
        told = [one for one in self.defects.found if re.match("map .* terrain", one.where)]
        if told and not stars:
            return star  # its letter is what can't be read
        if any(one.what.endswith(" hexes") for one in told):  # in a row that isn't whole a letter stands aside
            stars |= {h for m in self.maps.values() for n in stars if n in m for h in m.neighbours[n]}
        if star is not None and star not in stars:
            self.defects.wrong("scenario.victory.star", f"{victory['star']} has no star on the map", "name its hex")
        return star

    def otherwise(self, victory: Mapping[str, Any]) -> str | None:
        value = self.known(victory.get("otherwise"), [EAST, OSAKA, DRAW], "scenario.victory.otherwise")
        return None if value == DRAW else value

    def provenance(self, names: list[str]) -> Iterator[tuple[str, object]]:
        """Where the scenario, the armies and the maps come from."""
        yield "scenario", self.data.get("provenance")
        yield from ((f"army {name}", army.get("provenance")) for name, army in self.armies.items() if name in names)
        yield from ((f"map {m.name}", m.provenance) for m in self.maps.values())
