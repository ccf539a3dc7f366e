"""Reads a scenario and its armies (rulebook 3, 7, 8, 34, 36) into a Board, and says everything wrong with them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from pbem.errors import Defects, shown, stands
from pbem.maps.hexes import Hex, distance
from pbem.records import made
from pbem.rules.kit import scenario as kit
from pbem.rules.kit.reading import Reader
from pbem.rules.sengoku.areas import area_of, hexes_in
from pbem.rules.sengoku.armies import Roster, read_rosters
from pbem.rules.sengoku.board import (
    BARRIERS,
    EDITION,
    RANKS,
    SYSTEM,
    Army,
    Board,
    Bonus,
    Castle,
    Closed,
    Deployment,
    Entering,
    Ground,
    Idle,
    Side,
    Truce,
    Unit,
    Victory,
    read_ground,
)
from pbem.rules.sengoku.state import OPTIONS
from pbem.rules.sengoku.tables import LEVELS, Tables, read_tables

__all__ = ["EDITION", "SYSTEM", "board"]

KEYS = (
    "map", "armies", "groups", "castles", "outside", "first", "deployment", "entering", "idle", "closed", "truces",
    "victory",
)  # fmt: skip
"""What a scenario has besides the keys of every system."""
SIDE = ("id", "title", "short")
GROUP = ("army", "side", "follows", "main", "sources", "home")
CASTLE = ("id", "name", "at", "level", "durability", "owner")
DEPLOYMENT = ("id", "at", "province", "castles-of", "enters", "units")
ENTERING = ("id", "armies", "provinces", "table", "clause")
IDLE = ("armies", "until", "die", "declared", "clause")
CLOSED = ("side", "province", "round", "within", "left", "declared", "clause")
TRUCE = ("side", "armies", "province", "clause")
VICTORY = ("castles", "lost", "shut-in", "bonuses", "leader", "lead")
BONUS = ("side", "points", "unit", "province", "army", "clause")

FULL = 10
"""The durability of a castle at the start, and the most it can be (8-2-1)."""

BARE = ("swamp", "impassable_mountain")
"""Ground on which no castle stands, for no line could end there (11-1-3(5))."""


def board(data: Mapping[str, Any]) -> Board:
    """The board from `{"scenario": ..., "maps": {name: ...}, "armies": {name: ...}, "tables": ...}`.

    Scalars may be text or numbers. Raises BadScenario with every defect.
    """
    defects = Defects()
    name, scenario = kit.head(data, SYSTEM, EDITION, KEYS, defects)
    maps = kit.maps(data, kit.prefixes(scenario, defects), BARRIERS, defects, name)
    tables = read_tables(kit.tables(data, defects), defects)
    armies, only = defects.block(data, "armies", "data"), next(iter(maps.values()))
    built = _Scenario(scenario, only, defects, armies, tables).board(name)
    defects.raise_any(f"scenario {name}")
    return built


class _Scenario(Reader):
    """Reads a scenario's blocks over its map and armies; sides, armies and castles first, for the others name them."""

    files: Mapping[str, Any]
    tables: Tables
    turns: int = 0
    sides: tuple[Side, ...] = ()
    armies: dict[str, Army] = made(default_factory=dict)
    of_army: dict[str, tuple[Unit, ...]] = made(default_factory=dict)
    units: dict[str, Unit] = made(default_factory=dict)
    castles: dict[str, Castle] = made(default_factory=dict)

    def board(self, name: str) -> Board:
        self.turns = kit.turns(self.data, self.defects)
        self.defects.mails(self.data, "scenario")
        self.sides = self.read_sides()
        names = self.defects.words(self.data, "armies", "scenario")
        rosters = read_rosters(names, self.files, [*self.tables.replenishment], self.defects)
        self.armies = {army.id: army for army in self.read_groups(rosters)}
        self.of_army = {army: roster.units if army in self.armies else () for army, roster in rosters.items()}
        self.units = {
            unit.id: unit._replace(side=self.armies[army].side)
            for army, units in self.of_army.items()
            for unit in units
        }
        outside = self.hexes_of(self.defects.words(self.data, "outside", "scenario"), "scenario.outside")
        ground = read_ground(self.map, self.tables, outside, self.defects)
        self.castles = {castle.id: castle for castle in self.read_castles(ground)}
        self.check_main()
        deployed = [*self.read_deployments()]
        self.check_deployed(deployed)
        deployments = {deployment.id: deployment for deployment in deployed}
        closed, truces = tuple(self.read_closed(ground)), tuple(self.read_truces())
        self.check_room([one for one in deployments.values() if not one.enters], ground, {*outside}, closed)
        victory = self.read_victory()
        return Board(
            scenario=name,
            system=SYSTEM,
            title=self.defects.text(self.data, "title", "scenario"),
            turns=self.turns,
            map=self.map,
            ground=ground,
            tables=self.tables,
            sides=self.sides,
            side={side.id: side for side in self.sides},
            enemy={a.id: b.id for a, b in zip(self.sides, self.sides[::-1], strict=True)},
            armies=self.armies,
            units=self.units,
            of_side={side.id: tuple(u.id for u in self.units.values() if u.side == side.id) for side in self.sides},
            of_army={army: tuple(u.id for u in self.units.values() if u.army == army) for army in self.armies},
            castles=self.castles,
            castle_in={castle.at: castle.id for castle in self.castles.values()},
            province=self.map.region,
            outside=frozenset(outside),
            left_by=self.left_by(victory),
            deployments=deployments,
            entering={rule.id: rule for rule in self.read_entering()},
            idle=tuple(self.read_idle()),
            closed=closed,
            truces=truces,
            victory=victory,
            label=self.map.labels,
            numbers={number: h for h, number in self.map.labels.items()},
            options=kit.options(self.data, OPTIONS, (), self.defects),
            reconstructed=kit.reconstructed(self.provenance(names)),
        )

    # --- sides, armies, castles

    def read_sides(self) -> tuple[Side, ...]:
        """The two sides in the order of their operation phases (29.0, 36.3)."""
        found = []
        for where, given in self.defects.items(self.data, "sides", "scenario"):
            side = self.defects.keys(given, SIDE, where)
            named, title = (self.defects.text(side, key, where) for key in ("id", "title"))
            found.append(Side(named, title, self.defects.text({"short": title, **side}, "short", where), 1))
        if len({side.id for side in found}) != 2 or len(found) != 2:
            self.defects.wrong("scenario.sides", f"are {len(found)}", "write two, each with its own id")
            found = [Side("one", "One", "One", 1), Side("two", "Two", "Two", 1)]
        first = self.known(self.data.get("first"), [side.id for side in found], "scenario.first")
        return tuple(side._replace(deploys=int(side.id != first)) for side in found)  # 36.4

    def read_groups(self, rosters: Mapping[str, Roster]) -> Iterator[Army]:
        """The armies by the groups in which they are (7-1-1, 7-1-2, 30-1-1)."""
        sides, seen = [side.id for side in self.sides], set()
        for where, given in self.lines("groups", GROUP):
            named = self.known(given.get("army"), [*rosters], f"{where}.army")
            if not named or named in seen:
                if named:
                    self.defects.wrong(where, f"the army {named} stands there twice", "give each army one side")
                continue
            seen.add(named)
            yield Army(
                id=named,
                side=self.known(given.get("side"), sides, f"{where}.side") or sides[0],
                title=rosters[named].title,
                follows=self.either(given, "follows", [*rosters], where),
                main=tuple(self.defects.words(given, "main", where)),  # `check_main` looks at them
                sources=self.hexes(given, "sources", where),  # 31-2
                column=rosters[named].column,
                home=frozenset(self.all_known(given, "home", self.map.regions, where)),  # 33.0
            )
        for named in rosters:
            if named not in seen:
                self.defects.wrong("scenario.groups", f"the army {named} is missing", "write which side it is on")

    def check_main(self) -> None:
        """Each army follows one of its side, and has a main castle or an edge to come from (8-3, 31-2)."""
        for army in self.armies.values():
            where = f"scenario.groups {army.id}"
            for castle in army.main:
                self.known(castle, [*self.castles], f"{where}.main")
            if not army.main and not army.sources:
                self.defects.wrong(f"{where}.main", "is missing", "name its main castle, or hexes under `sources`")
            leads = self.armies.get(army.follows or army.id)
            if leads is None or leads.side != army.side or (army.follows and leads.follows):
                what = f"is {army.follows}, which is of the other side or follows itself another army"
                self.defects.wrong(f"{where}.follows", what, "name an army of the same side that follows none")  # 30-1

    def read_castles(self, ground: Ground) -> Iterator[Castle]:
        """The castle list (8-1, 34.2(1), 36.5)."""
        seen: dict[Hex, str] = {}
        for where, given in self.lines("castles", CASTLE):
            named = self.defects.text(given, "id", where)
            kit.check_id(named, where, "himeji", self.defects)
            name = self.defects.text(given, "name", where)
            h = kit.hex_at(self.map.parse, given.get("at"), f"{where}.at", self.defects)
            if h is None:
                continue
            if ground.terrain[h] in BARE:
                self.defects.wrong(f"{where}.at", f"{given['at']} is {ground.terrain[h]}", "no castle stands there")
            if named in seen.values():
                self.defects.wrong(where, f"the castle {named} stands there twice", "give each castle its own id")
            elif h in seen:
                self.defects.wrong(f"{where}.at", f"{seen[h]} stands in this hex", "one castle in a hex")
            seen.setdefault(h, named)
            if self.map.places.get(name) != h:
                right = f"give {self.map.label(h)} this name under `places` of the map"
                self.defects.wrong(f"{where}.name", f"{shown(name)} is no place of the map in this hex", right)
            yield Castle(
                id=named,
                name=name,
                at=h,
                level=self.number(given, "level", where, LEVELS[-1]),
                durability=self.defects.number(given.get("durability", FULL), f"{where}.durability", 0, FULL),
                owner=self.either(given, "owner", [*self.armies], where),
            )

    # --- deployment

    def read_deployments(self) -> Iterator[Deployment]:
        """Which units are deployed where (34.2(2), 36.4)."""
        rules = [str(line.get("id")) for _, line in self.lines("entering", ENTERING)]
        for where, line in self.defects.items(self.data, "deployment", "scenario"):
            given = self.defects.keys(line, DEPLOYMENT, where)
            named = self.defects.text(given, "id", where)
            kit.check_id(named, where, "himeji", self.defects)
            units = self.read_deployed(given, where)
            if not units:
                continue
            army = self.units[units[0]].army
            owner = self.either(given, "castles-of", [*self.armies], where)
            castles = tuple(castle.at for castle in self.castles.values() if castle.owner == owner) if owner else ()
            provinces = self.hexes_of(self.defects.words(given, "province", where), f"{where}.province")
            enters = self.either(given, "enters", rules, where) or ""
            hexes = (*self.hexes(given, "at", where), *castles, *provinces)
            hexes = hexes or (self.armies[army].sources if enters else ())
            if not hexes:
                self.defects.wrong(where, "has no hexes", "write `at`, `province`, `castles-of` or `enters`")
            yield Deployment(named, self.armies[army].side, units, hexes, owner, enters)

    def read_deployed(self, given: Mapping[str, Any], where: str) -> tuple[str, ...]:
        """The units of a line of the deployment; none where they aren't of one side.

        Where units of an army couldn't be read, which is told, those that aren't known may be of it.
        """
        before = len(self.defects.found)
        if all(self.of_army.values()):
            units = self.all_known(given, "units", [*self.units], where)
        else:
            units = tuple(unit for unit in self.defects.words(given, "units", where) if unit in self.units)
        if len({self.units[unit].side for unit in units}) == 1:
            return units
        if len(self.defects.found) == before and (units or all(self.of_army.values())):
            self.defects.wrong(f"{where}.units", "are of no side, or of both", "deploy each side by itself")
        return ()

    def check_deployed(self, deployments: Collection[Deployment]) -> None:
        """Every unit is deployed once (3.0(4)); not held against lines of which it isn't known whom they deploy."""
        lines = self.data.get("deployment")
        if not isinstance(lines, list) or len(deployments) < len(lines):
            return
        deployed = [unit for deployment in deployments for unit in deployment.units]
        for unit in self.units:
            if deployed.count(unit) != 1:
                what = f"is deployed {deployed.count(unit)} times"
                self.defects.wrong(f"unit {unit}", what, "name it once under `deployment`")

    def check_room(
        self, deployments: Sequence[Deployment], ground: Ground, outside: Collection[Hex], closed: Sequence[Closed]
    ) -> None:
        """Who is deployed before play finds a hex, wherever the other side stands (R191)."""
        chart = self.tables.terrain
        for one in deployments:
            shut = {h for rule in closed if rule.side == one.side for h in hexes_in(ground.grid, rule.hexes)}
            able = [h for h in one.hexes if h in ground.terrain and chart[ground.terrain[h]].tactical is not None]
            able = [h for h in able if h not in outside and h not in shut]
            others = {h for other in deployments if other.side != one.side for h in other.hexes}
            where, right = f"scenario.deployment {one.id}", "give it a hex where its side can stand at the start, alone"
            if one.hexes and not able:
                self.defects.wrong(where, f"{self.map.label(one.hexes[0])} can't be entered", right)
            elif able and others.issuperset(able):
                self.defects.wrong(where, f"the other side is deployed at {self.map.label(able[0])} too", right)

    # --- special rules and victory

    def read_entering(self) -> Iterator[Entering]:
        """Who begins to act by a roll (32.0, 36.7-9)."""
        for where, given in self.lines("entering", ENTERING):
            armies = self.all_known(given, "armies", [*self.armies], where)
            yield Entering(
                id=self.defects.text(given, "id", where),
                side=self.armies[armies[0]].side if armies else "",
                armies=armies,
                provinces=frozenset(self.all_known(given, "provinces", self.map.regions, where)),
                table=self.known(given.get("table"), [*self.tables.entering], f"{where}.table"),
                clause=self.defects.text(given, "clause", where),
            )

    def read_idle(self) -> Iterator[Idle]:
        """Who can't act, and what frees him (36.7-1, 36.7-2, 36.7-3, 36.7-6)."""
        for where, given in self.lines("idle", IDLE):
            yield Idle(
                armies=self.all_known(given, "armies", [*self.armies], where),
                until=self.number(given, "until", where, self.turns),
                die=self.number(given, "die", where, 6),
                declared=self.either(given, "declared", [*self.armies], where),
                clause=self.defects.text(given, "clause", where),
            )

    def read_closed(self, ground: Ground) -> Iterator[Closed]:
        """What a side can't enter, and what opens it (36.7-4, 36.7-5)."""
        for where, given in self.lines("closed", CLOSED):
            before = len(self.defects.found)
            hexes = {*self.hexes_of(self.defects.words(given, "province", where), f"{where}.province")}
            centre = self.either(given, "round", [*self.castles], where)
            if centre is not None:
                at, within = self.castles[centre].at, self.number(given, "within", where)
                hexes |= {h for h in self.map.hexes if distance(at, h) <= within}
            if not hexes and len(self.defects.found) == before:
                self.defects.wrong(where, "has no hexes", "write `province`, or `round` a castle and `within`")
            yield Closed(
                side=self.known(given.get("side"), [side.id for side in self.sides], f"{where}.side"),
                hexes=area_of(ground.bit, hexes & ground.bit.keys()),  # others are wrong on the map
                left=self.all_known(given, "left", [*self.armies], where),
                declared=self.either(given, "declared", [*self.armies], where),
                clause=self.defects.text(given, "clause", where),
            )

    def read_truces(self) -> Iterator[Truce]:
        """Whom a side can't attack where, until they come out or attack (36.7-7)."""
        for where, given in self.lines("truces", TRUCE):
            before = len(self.defects.found)
            side = self.known(given.get("side"), [side.id for side in self.sides], f"{where}.side")
            armies = self.all_known(given, "armies", [*self.armies], where)
            provinces = self.hexes_of(self.defects.words(given, "province", where), f"{where}.province")
            sound = len(self.defects.found) == before
            for key, found in (("armies", armies), ("province", provinces)):
                if sound and not found:
                    self.defects.wrong(f"{where}.{key}", stands(given.get(key)), f"write `{key}: [NAME, ...]`")
            for army in armies:
                if self.armies[army].side == side:
                    self.defects.wrong(f"{where}.armies", f"{army} is of the side {side}", "name armies of the enemy")
            yield Truce(side, armies, frozenset(provinces), self.defects.text(given, "clause", where))

    def read_victory(self) -> Victory:
        """What scores, and who wins by how much (36.6)."""
        where, sides = "scenario.victory", [side.id for side in self.sides]
        given = self.defects.keys(self.defects.block(self.data, "victory", "scenario"), VICTORY, where)
        castles = self.defects.words(given, "castles", where)
        if len(castles) != len(LEVELS):
            self.defects.wrong(f"{where}.castles", f"has {len(castles)} numbers", "write one for each level, 0 to 5")
        lost = self.defects.keys(self.defects.block(given, "lost", where), RANKS, f"{where}.lost")
        return Victory(
            castles=tuple(self.defects.number(points, f"{where}.castles") for points in castles),
            lost={rank: self.number(lost, name, f"{where}.lost") for name, rank in RANKS.items()},
            shut_in=self.number(given, "shut-in", where),
            bonuses=tuple(self.read_bonuses(given, sides)),
            leader=self.known(given.get("leader"), sides, f"{where}.leader"),
            lead=self.number(given, "lead", where),
        )

    def read_bonuses(self, victory: Mapping[str, Any], sides: Sequence[str]) -> Iterator[Bonus]:
        """Points for what the other side has never done (36.6(4))."""
        items = self.defects.items(victory, "bonuses", "scenario.victory") if victory.get("bonuses") else ()
        for where, data in items:
            given = self.defects.keys(data, BONUS, where)
            yield Bonus(
                side=self.known(given.get("side"), sides, f"{where}.side"),
                points=self.number(given, "points", where),
                unit=self.either(given, "unit", [*self.units], where),
                province=self.either(given, "province", self.map.regions, where),
                army=self.either(given, "army", [*self.armies], where),
                clause=self.defects.text(given, "clause", where),
            )

    def left_by(self, victory: Victory) -> dict[str, str]:
        """The units of which it matters whether they have left a province, and which (36.6(4a), 36.7-4, 36.7-7)."""
        found = {bonus.unit: bonus.province for bonus in victory.bonuses if bonus.unit and bonus.province}
        watched = [("left", line) for _, line in self.lines("closed", CLOSED)]
        watched += [("armies", line) for _, line in self.lines("truces", TRUCE)]
        for key, line in watched:
            armies, provinces = (self.defects.words(line, word, "scenario") for word in (key, "province"))
            for unit in self.units.values():
                if unit.army in armies and provinces:
                    found[unit.id] = provinces[0]
        return found

    def provenance(self, names: Sequence[str]) -> Iterator[tuple[str, object]]:
        """Where the scenario, the armies, the tables and the map come from."""
        yield "scenario", self.data.get("provenance")
        for name in names:
            army = self.files.get(name)
            yield f"army {name}", army.get("provenance") if isinstance(army, Mapping) else None
        yield f"map {self.map.name}", self.map.provenance
