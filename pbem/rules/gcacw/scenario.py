"""Reads a scenario and its armies (rulebook 2.6, 13) into a Board, and says everything wrong with them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pbem.errors import Defects, shown
from pbem.maps.hexes import Hex, distance
from pbem.records import made
from pbem.rules.gcacw.advanced_file import ends_of_pontoon, read_advanced, substitutes_of
from pbem.rules.gcacw.board import (
    CONFEDERATE,
    CORPS,
    EDITION,
    SYSTEM,
    UNION,
    Arrival,
    Ban,
    Board,
    Frozen,
    Hold,
    OneSided,
    Rail,
    Side,
    Start,
    Unit,
)
from pbem.rules.gcacw.counters import read_army
from pbem.rules.gcacw.ground import BARRIERS, read_ground
from pbem.rules.gcacw.levels import read_victory
from pbem.rules.gcacw.state import MOST_FATIGUE, OPTIONS
from pbem.rules.gcacw.tables import MOST_MANPOWER, Tables, read_tables
from pbem.rules.kit import scenario as kit
from pbem.rules.kit.reading import Reader

__all__ = ["EDITION", "SYSTEM", "board"]

KEYS = (
    "map", "sheet", "armies", "set-up", "stations", "depots", "objectives", "arrivals", "holds", "bans", "one-sided",
    "frozen", "rails", "without", "works", "first", "together", "foreign", "victory", "advanced",
)  # fmt: skip
"""What a scenario has besides the keys of every system."""
SIDE = ("id", "title", "short", "adjective")
START = ("unit", "at", "manpower", "fatigue", "artillery", "works")
ARRIVAL = ("id", "turn", "at", "else", "choice", "late", "together", "put-off", "clause", "units")
HOLD = ("units", "until", "regions", "near", "within", "release", "since", "clause")
BAN = (
    "units", "side", "columns-from", "columns-to", "rows-to", "round", "within", "hexes", "regions", "outside",
    "clause",
)  # fmt: skip
ONE_SIDED = ("turn", "side", "units", "no-zone", "no-leave", "not-over", "no-river", "clause")
FROZEN = ("units", "turns", "clause")
RAIL = ("units", "turn", "hexes", "clause")
WITHOUT = ("extended", "assault", "force")
BOUNDS = ("columns-from", "columns-to", "rows-to")
"""The columns and rows that a ban closes, as the sheet counts them."""
EVERY = "all"
MOST_GUNS = 9
FAR = 99


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
    """Reads a scenario's blocks over its map and armies; sides, counters and set-up first, for the others name them."""

    files: Mapping[str, Any]
    tables: Tables
    turns: int = 0
    sides: tuple[Side, ...] = ()
    units: dict[str, Unit] = made(default_factory=dict)

    def board(self, name: str) -> Board:
        """The whole of it."""
        self.turns = kit.turns(self.data, self.defects)
        self.defects.mails(self.data, "scenario")
        self.sides = tuple(self.read_sides())
        names = self.defects.words(self.data, "armies", "scenario")
        known = {unit.id: unit for army in names for unit in read_army(army, self.files, self.sides, self.defects)}
        starts = {one.unit: one for one in self.read_starts("set-up", known)}
        arrivals = {one.id: one for one in self.read_arrivals(known)}
        for named in substitutes_of(self):
            if (word := self.known(named, [*known], "scenario.advanced.substitutes")) and word not in self.units:
                self.units[word] = known[word]
        panic = self.defects.block(self.data.get("advanced") or {}, "panic", "scenario.advanced").get("replaced-by")
        if isinstance(panic, str) and panic in known:
            self.units.setdefault(panic, known[panic])
        ground = read_ground(self.map, self.tables, self.defects, ends_of_pontoon(self))
        first = self.either(self.data, "first", [side.id for side in self.sides], "scenario")
        without = self.defects.keys(self.data.get("without") or {}, WITHOUT, "scenario.without")
        self.check_places(starts, arrivals)
        self.check_names()
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
            units=self.units,
            of_side={side.id: tuple(u.id for u in self.units.values() if u.side == side.id) for side in self.sides},
            starts=starts,
            arrivals=arrivals,
            stations={h: self.map.place_names.get(h, "") for h in self.hexes(self.data, "stations", "scenario")},
            depots=frozenset(self.hexes(self.data, "depots", "scenario")),
            objectives=frozenset(self.hexes(self.data, "objectives", "scenario")),
            holds=tuple(self.read_holds()),
            bans=tuple(self.read_bans()),
            one_sided={rule.turn: rule for rule in self.read_one_sided()},
            frozen=tuple(self.read_frozen()),
            rails=tuple(self.read_rails()),
            no_extended=self.turns_in(without, "extended", "scenario.without"),
            no_assault=self.turns_in(without, "assault", "scenario.without"),
            no_force=self.turns_in(without, "force", "scenario.without"),
            no_works=kit.known(self.data.get("works", "yes"), ("no", "yes"), "scenario.works", self.defects) == "no",
            first=first,
            together=self.read_together(),
            foreign=self.read_foreign(),
            victory=read_victory(self, [*self.units], [side.id for side in self.sides]),
            advanced=read_advanced(self, self.units, [side.id for side in self.sides], self.turns),
            label=self.map.labels,
            numbers=self.numbers(),
            options=kit.options(self.data, OPTIONS, (), self.defects),
            reconstructed=kit.reconstructed(self.provenance(names)),
        )

    def numbers(self) -> dict[str, Hex]:
        """Each number of a hex, of either sheet (13.0-5, 22.0-2)."""
        return {number: h for h, number in self.map.labels.items()}

    # --- sides and counters

    def read_sides(self) -> Iterator[Side]:
        """The two sides, the Union first (std-3.0-4)."""
        found = []
        for where, given in self.defects.items(self.data, "sides", "scenario"):
            side = self.defects.keys(given, SIDE, where)
            named, title = (self.defects.text(side, key, where) for key in ("id", "title"))
            side = {"short": title, "adjective": title, **side}
            found.append(Side(named, title, *(self.defects.text(side, key, where) for key in ("short", "adjective"))))
        if [side.id for side in found] != [UNION, CONFEDERATE]:
            self.defects.wrong("scenario.sides", "aren't those of these rules", f"write {UNION}, then {CONFEDERATE}")
            found = [Side(UNION, *["Union"] * 3), Side(CONFEDERATE, "Confederates", "CSA", "Confederate")]
        yield from found

    # --- set-up and arrivals

    def read_starts(self, key: str, known: Mapping[str, Unit]) -> Iterator[Start]:
        """The counters of the set-up, each with its hex (13.0-1)."""
        for where, line in self.defects.items(self.data, key, "scenario"):
            given = self.defects.keys(line, START, where)
            h = kit.hex_at(self.map.parse, given.get("at"), f"{where}.at", self.defects)
            one = self.read_start(given, known, where, h)
            if one is not None:
                yield one

    def read_start(
        self, given: Mapping[str, Any], known: Mapping[str, Unit], where: str, h: Hex | None
    ) -> Start | None:
        """How one counter begins."""
        named = self.known(given.get("unit"), [*known], f"{where}.unit")
        if not named or h is None:
            return None
        if named in self.units:
            self.defects.wrong(f"{where}.unit", f"{named} stands there twice", "each counter begins once")
            return None
        unit = known[named]
        if "artillery" in given:  # 13.3-sp4
            unit = unit._replace(artillery=self.number(given, "artillery", where, MOST_GUNS))
        self.units[named] = unit
        manpower = 0
        if not unit.leader:
            manpower = self.defects.number(given.get("manpower"), f"{where}.manpower", 1, MOST_MANPOWER)  # 1.0-2
        elif "manpower" in given:
            self.defects.wrong(f"{where}.manpower", "a leader has none", "leave it out")  # std-2.2-1
        works = self.number(given, "works", where, len(self.tables.works) - 1)
        return Start(named, h, manpower, self.number(given, "fatigue", where, MOST_FATIGUE), works)

    def read_arrivals(self, known: Mapping[str, Unit]) -> Iterator[Arrival]:
        """Who comes later, and where (3.0-3); behind the last turn whom an event may bring early (14.0-early1)."""
        last = self.turns + ("advanced" in self.data)
        for where, given in self.lines("arrivals", ARRIVAL):
            named = self.defects.text(given, "id", where)
            kit.check_id(named, where, "v-corps", self.defects)
            h = kit.hex_at(self.map.parse, given.get("at"), f"{where}.at", self.defects)
            found = []
            for place, line in self.defects.items(given, "units", where):
                start = self.read_start(self.defects.keys(line, START, place), known, place, h)
                found += [start] if start is not None else []
            sides = {self.units[one.unit].side for one in found}
            if h is None or len(sides) != 1:
                self.defects.wrong(f"{where}.units", "are of no side, or of both", "name counters of one side")
                continue
            yield Arrival(
                id=named,
                side=sides.pop(),
                turn=self.defects.number(given.get("turn"), f"{where}.turn", 1, last),
                at=h,
                else_at=self.hexes(given, "else", where),
                starts=tuple(found),
                clause=self.defects.text(given, "clause", where),
                choice=kit.yes(given, "choice", where, self.defects),
                late=self.hexes(given, "late", where),
                together=tuple(self.defects.words(given, "together", where)),
                put_off=self.defects.text(given, "put-off", where) if "put-off" in given else "",
            )

    def check_places(self, starts: Mapping[str, Start], arrivals: Mapping[str, Arrival]) -> None:
        """No hex has counters of both sides, no leader is without a unit (std-2.2-7, std-6.3-1)."""
        foreign = self.data.get("foreign") or {}
        at: dict[Hex, str] = {}
        for one in starts.values():
            side = self.units[one.unit].side
            if at.setdefault(one.at, side) != side:
                what = f"the other side begins in {self.map.label(one.at)}, too"
                self.defects.wrong(f"scenario.set-up {one.unit}", what, "one side in a hex")
        groups = [[*starts.values()], *([*arrival.starts] for arrival in arrivals.values())]
        for group in groups:
            for one in group:
                leader = self.units[one.unit]
                with_him = [self.units[other.unit] for other in group if other.at == one.at]
                if leader.leader and one.unit not in foreign and not any(map(leader.commands, with_him)):
                    what = f"no unit of his command begins with {leader.name}"
                    self.defects.wrong(f"scenario.set-up {one.unit}", what, "put him with one of his units")

    def check_names(self) -> None:
        """No two counters in play have one name, and all who have a leader an allowance (13.0-7, std-5.2-2)."""
        leaders = [unit for unit in self.units.values() if unit.leader and unit.size == CORPS]
        names: dict[str, str] = {}
        for unit in self.units.values():
            if names.setdefault(unit.name, unit.id) != unit.id:
                what = f"{names[unit.name]} is called {shown(unit.name)}, too"
                self.defects.wrong(f"unit {unit.id}.name", what, "give each counter in play its own name")
            led = any(leader.commands(unit) for leader in leaders)
            if led and (unit.side, unit.branch) not in self.tables.activation:
                what = f"has a corps leader, and tables.allowance.activation has no {unit.side} {unit.branch}"
                self.defects.wrong(f"unit {unit.id}.command", what, "leave the command out")

    # --- special rules

    def named(self, given: Mapping[str, Any], where: str) -> frozenset[str]:
        """The counters under `units`, or all of the `side`, or all."""
        if given.get("units") == EVERY or "units" not in given:
            sides = [side.id for side in self.sides]
            side = self.known(given.get("side"), sides, f"{where}.side") if "side" in given else ""
            return frozenset(unit.id for unit in self.units.values() if side in ("", unit.side))
        return frozenset(self.all_known(given, "units", [*self.units], where))

    def turns_in(self, given: Mapping[str, Any], key: str, where: str) -> frozenset[int]:
        """The turns listed under a key."""
        words = self.defects.words(given, key, where)
        return frozenset(self.defects.number(word, f"{where}.{key}", 1, self.turns) for word in words)

    def read_holds(self) -> Iterator[Hold]:
        """Who may neither act nor entrench, and what frees him (std-4.0-9)."""
        for where, given in self.lines("holds", HOLD):
            near = kit.hex_at(self.map.parse, given["near"], f"{where}.near", self.defects) if "near" in given else None
            regions = self.defects.words(given, "regions", where)
            if not {"until", "regions", "near"}.intersection(given):
                self.defects.wrong(where, "holds for ever", "write `until: TURN`, `regions: [...]` or `near: HEX`")
            for one, other in (("near", "within"), ("within", "near"), ("since", "release")):
                if one in given and other not in given:
                    self.defects.wrong(f"{where}.{one}", f"means nothing without `{other}`", f"write `{other}:`, too")
            yield Hold(
                units=self.named(given, where),
                until=self.number(given, "until", where, FAR),
                regions=frozenset(self.known(name, self.map.regions, f"{where}.regions") for name in regions),
                near=(near, self.number(given, "within", where)) if near is not None else None,
                release=self.number(given, "release", where),
                since=self.number(given, "since", where),
                clause=self.defects.text(given, "clause", where),
            )

    def read_bans(self) -> Iterator[Ban]:
        """Which hexes are closed to whom (13.1-sp4, 13.3-sp5, 13.4-sp5, 13.5-sp3g)."""
        for where, given in self.lines("bans", BAN):
            before = len(self.defects.found)
            if "units" in given and "side" in given:
                self.defects.wrong(f"{where}.side", "stands beside `units`", "write one of the two")
            bounds = {key: self.number(given, key, where) for key in BOUNDS if key in given}
            hexes = {h for h in self.map.hexes if _closes(self.map.label(h), bounds)} if bounds else set()
            centres = self.hexes(given, "round", where)
            within = self.number(given, "within", where)
            hexes |= {h for centre in centres for h in self.map.hexes if distance(h, centre) <= within}
            if "regions" in given:  # of these counties alone
                inside = self.all_known(given, "regions", self.map.regions, where)
                hexes &= {h for name in inside for h in self.map.regions[name]}
            if "outside" in given:  # all but these counties
                inside = self.all_known(given, "outside", self.map.regions, where)
                hexes |= {*self.map.hexes} - {h for name in inside for h in self.map.regions[name]}
            hexes |= {*self.hexes(given, "hexes", where)}
            if not hexes and len(self.defects.found) == before:
                self.defects.wrong(where, "has no hexes", "write `columns-from`, `columns-to`, `rows-to` or `round`")
            yield Ban(self.named(given, where), frozenset(hexes), self.defects.text(given, "clause", where))

    def read_one_sided(self) -> Iterator[OneSided]:
        """In which turns one side alone acts (std-4.0-12)."""
        for where, given in self.lines("one-sided", ONE_SIDED):
            side = self.known(given.get("side"), [side.id for side in self.sides], f"{where}.side")
            yield OneSided(
                turn=self.defects.number(given.get("turn"), f"{where}.turn", 1, self.turns),
                side=side,
                units=frozenset(unit for unit in self.named(given, where) if self.units[unit].side == side),
                no_zoc=self.defects.text(given, "no-zone", where) if "no-zone" in given else "",
                clause=self.defects.text(given, "clause", where),
                no_leave=self.defects.text(given, "no-leave", where) if "no-leave" in given else "",
                shore=self.shore(given, where),
                no_river=self.defects.text(given, "no-river", where) if "not-over" in given else "",
            )

    def shore(self, given: Mapping[str, Any], where: str) -> frozenset[tuple[Hex, Hex]]:
        """The steps over the river under `not-over` (22.1-sp2c)."""
        if "not-over" not in given:
            return frozenset()
        name = self.known(given["not-over"], {crossing.name for crossing in self.map.hexsides}, f"{where}.not-over")
        sides = (side for crossing in self.map.hexsides if crossing.name == name for side in crossing.sides)
        return frozenset(step for a, b in sides for step in ((a, b), (b, a)))

    def read_frozen(self) -> Iterator[Frozen]:
        """Whose fatigue stays (std-8.0-5)."""
        for where, given in self.lines("frozen", FROZEN):
            turns = self.turns_in(given, "turns", where)
            yield Frozen(self.named(given, where), turns, self.defects.text(given, "clause", where))

    def read_rails(self) -> Iterator[Rail]:
        """Who may go by rail (13.5-sp3e1)."""
        for where, given in self.lines("rails", RAIL):
            yield Rail(
                units=self.named(given, where),
                turn=self.defects.number(given.get("turn"), f"{where}.turn", 1, self.turns),
                hexes=self.defects.number(given.get("hexes"), f"{where}.hexes", 1, FAR),
                clause=self.defects.text(given, "clause", where),
            )

    def read_foreign(self) -> dict[str, str]:
        """Leaders whom the set-up puts with a unit that isn't theirs (std-6.3-4)."""
        given = self.defects.block(self.data, "foreign", "scenario")
        return {
            self.known(leader, self.who(leader=True), "scenario.foreign"): self.known(
                unit, self.who(leader=False), f"scenario.foreign.{leader}"
            )
            for leader, unit in given.items()
        }

    def read_together(self) -> tuple[str, str] | None:
        """A leader and his unit that stay together (13.3-sp2a)."""
        if "together" not in self.data:
            return None
        where, named = "scenario.together", self.defects.words(self.data, "together", "scenario")
        if len(named) != len(("leader", "unit")):
            self.defects.wrong(where, f"has {len(named)} counters", "write `together: [LEADER, UNIT]`")
            return None
        leader = self.known(named[0], self.who(leader=True), where)
        return leader, self.known(named[1], self.who(leader=False), where)

    def who(self, *, leader: bool) -> list[str]:
        """The ids of all leaders, or of all combat units."""
        return [unit.id for unit in self.units.values() if unit.leader == leader]

    def provenance(self, names: Sequence[str]) -> Iterator[tuple[str, object]]:
        """Where the scenario, the armies and the map come from."""
        yield "scenario", self.data.get("provenance")
        for name in names:
            army = self.files.get(name)
            yield f"army {name}", army.get("provenance") if isinstance(army, Mapping) else None
        yield f"map {self.map.name}", self.map.provenance


def _closes(label: str, bounds: Mapping[str, int]) -> bool:
    """Whether a ban by columns and rows has the hex of this number."""
    column, row = int(label[-4:-2]), int(label[-2:])
    return (
        column >= bounds.get("columns-from", FAR + 1)
        or column <= bounds.get("columns-to", 0)
        or row <= bounds.get("rows-to", 0)
    )
