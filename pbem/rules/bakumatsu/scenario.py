"""Reads a scenario's data (rulebook 15) into a Board, and says everything that is wrong with them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from pbem.errors import Defects, as_meant, shown, stands
from pbem.maps.hexes import Hex
from pbem.maps.map import NOBODY, Map
from pbem.records import Record
from pbem.rules.bakumatsu.board import EDITION, SYSTEM, Board, Command, SetUp, Side, Unit
from pbem.rules.bakumatsu.ground import read_ground
from pbem.rules.bakumatsu.orders import WORDS
from pbem.rules.bakumatsu.state import OPTIONS
from pbem.rules.bakumatsu.tables import BARRIERS, Tables, read_tables
from pbem.rules.kit import scenario as kit

__all__ = ["EDITION", "board"]

VICTORY_HEXES = 13  # 14(0)
REINFORCEMENT = "R"  # 15-1-4(1)3

KEYS = ("map", "setup", "control", "units", "commanders")
"""What a scenario has besides the keys of every system."""
SIDE = ("id", "title", "short", "entry", "reinforcement-turns", "draw", "least", "commander-turns", "reorganises")
DRAWS = ("cup", "choice")
"""Who comes is drawn from a cup, or chosen by the owner (15-1-5(1)1, 15-2-5(1)0b)."""
UNIT = (
    "id", "side", "formation", "code", "name", "short", "symbol", "fire", "melee", "morale", "move", "range",
)  # fmt: skip
COMMANDER = ("id", "side", "name", "short", "range", "fire", "melee", "morale", "move", "aside")
SETUP = ("side", "code", "areas")
SYMBOLS = ("infantry", "swordsmen", "artillery")  # 2-2-1(2)


def board(data: Mapping[str, Any]) -> Board:
    """The board from `{"scenario": ..., "maps": {name: ...}, "tables": ...}`; scalars may be text or numbers.

    Raises BadScenario with every defect.
    """
    defects = Defects()
    name, scenario = kit.head(data, SYSTEM, EDITION, KEYS, defects)
    the_map = {defects.text(scenario, "map", "scenario"): ""}
    (m,) = kit.maps(data, the_map, BARRIERS, defects, name).values()  # 2-1(0), 15-1-2(0)
    tables = read_tables(kit.tables(data, defects), defects)
    built = _Reader(scenario, m, defects).board(name, tables)
    defects.raise_any(f"scenario {name}")
    return built


class _Reader(Record):
    """Reads a scenario's blocks over its map; sides first, for the others name them."""

    data: Mapping[str, Any]
    map: Map
    defects: Defects
    turns: int = 0

    def board(self, name: str, tables: Tables) -> Board:
        self.turns = kit.turns(self.data, self.defects)
        sides = self.sides()
        ids = [side.id for side in sides]
        self.defects.mails(self.data, "scenario")
        units = self.units(ids)
        combat = [*units.values()]
        leaders, aside = self.commanders(ids, units)
        units |= leaders
        set_up = self.set_up(ids, units)
        self.check_codes(sides, units, set_up)
        self.check_names(ids, units)
        control = self.control(ids)
        victory_hexes = frozenset(control)
        control = {h: side for h, side in control.items() if side != NOBODY}
        self.check_commanders(sides, units, aside)
        reach = {(u.command.range if u.command else u.range, u.move, u.move + 1) for u in units.values()}
        ranges = {far for each in reach for far in each} - {0}
        return Board(
            scenario=name,
            system=SYSTEM,
            title=self.defects.text(self.data, "title", "scenario"),
            turns=self.turns,
            map=self.map,
            ground=read_ground(self.map, tables.chart, ranges, self.defects),
            tables=tables,
            sides=tuple(sides),
            side={side.id: side for side in sides},
            enemy=dict(zip(ids, reversed(ids), strict=True)),
            units=units,
            of_side={side: tuple(u.id for u in units.values() if u.side == side) for side in ids},
            combat={side: tuple(u.id for u in combat if u.side == side) for side in ids},
            commanders={side: tuple(u.id for u in units.values() if u.side == side and u.command) for side in ids},
            set_up=set_up,
            start_cups={
                side: tuple(sorted(u.id for u in units.values() if u.side == side and u.code == REINFORCEMENT))
                for side in ids
            },
            commander_cups={
                side: tuple(sorted(u.id for u in units.values() if u.side == side and u.command and u.id not in aside))
                for side in ids
            },
            aside={units[c].side: c for c in aside},
            control=control,
            victory_hexes=victory_hexes,
            prizes=victory_hexes | {side.entry for side in sides if side.entry is not None},
            options=kit.options(self.data, OPTIONS, OPTIONS, self.defects),
            label=self.map.labels,
            reconstructed=kit.reconstructed([("scenario", self.data.get("provenance")), ("map", self.map.provenance)]),
        )

    def hex(self, number: object, where: str) -> Hex | None:
        return kit.hex_at(self.map.parse, number, where, self.defects)

    def known(self, value: object, allowed: Sequence[str], where: str) -> str:
        return kit.known(value, allowed, where, self.defects)

    def sides(self) -> list[Side]:
        """The two sides, the first player first (5-1(0), 15-1(0))."""
        found = []
        for where, given in self.defects.items(self.data, "sides", "scenario"):
            side = self.defects.keys(given, SIDE, where)
            title = self.defects.text(side, "title", where)
            turns = self.track(side, "reinforcement-turns", where)
            entry = self.entry(side, where)
            if entry is None and turns:
                self.defects.wrong(where, "has reinforcement turns but no entry hex", 'write `entry: "0106"`')
            reorganises = kit.yes(side, "reorganises", where, self.defects)
            if entry is None and reorganises:
                self.defects.wrong(where, "reorganises its lost units but has no entry hex", 'write `entry: "0106"`')
            if turns and side.get("draw") not in DRAWS:
                right = "write `draw: cup`, or `draw: choice` where the owner chooses who comes"
                self.defects.wrong(f"{where}.draw", stands(side.get("draw")), right)
            found.append(
                Side(
                    self.meant_by_units(self.defects.text(side, "id", where), f"{where}.id"),
                    title,
                    self.defects.text({"short": title, **side}, "short", where),
                    entry,
                    turns,
                    self.track(side, "commander-turns", where),
                    side.get("draw") == "choice",
                    self.defects.number(side.get("least", 0), f"{where}.least", 0, 6),
                    reorganises,
                )
            )
        if len({side.id for side in found}) != 2 or len(found) != 2:
            self.defects.wrong("scenario.sides", f"there are {len(found)}", "write two sides, the first player first")
        return found

    def track(self, side: Mapping[str, Any], key: str, where: str) -> frozenset[int]:
        """The turns that the track shows for a side (2-1-3)."""
        turns, place = self.defects.words(side, key, where), f"{where}.{key}"
        before = len(self.defects.found)
        numbers = [self.defects.number(turn, place, 1, self.turns) for turn in turns]
        if len(set(numbers)) < len(numbers) and len(self.defects.found) == before:
            self.defects.wrong(place, f"is {shown(turns)}", "name each turn once")
        return frozenset(numbers)

    def meant_by_units(self, side: str, where: str) -> str:
        """A side's id; where no unit is of it, but several of one that is no side, that one."""
        given, sides = self.data.get("units"), self.data.get("sides")
        units = Counter(str(u.get("side")) for u in given if isinstance(u, Mapping)) if isinstance(given, list) else {}
        ids = [str(s.get("id")) for s in sides if isinstance(s, Mapping)] if isinstance(sides, list) else []
        others = [other for other, count in units.items() if count > 1 and other not in ids]
        if not side or side in units or len(others) != 1:
            return side
        self.defects.wrong(where, f"is {shown(side)}, and no unit is of that side", f"did you mean {others[0]}?")
        return others[0]

    def entry(self, side: Mapping[str, Any], where: str) -> Hex | None:
        """A side's entry hex: the scenario's, else the map's."""
        own = str(side.get("id"))
        drawn = as_meant(self.map.entries, [own]).get(own, ())
        if side.get("entry") is None:
            return drawn[0] if drawn else None
        entry = self.hex(side["entry"], f"{where}.entry")
        if drawn and entry not in drawn:
            right = " ".join(map(self.map.label, drawn))
            self.defects.wrong(f"{where}.entry", f"is {side['entry']}, on the map {right}", "let both say the same")
        return entry

    def units(self, sides: list[str]) -> dict[str, Unit]:
        """The combat units of the scenario, and no others (4(2))."""
        found: dict[str, Unit] = {}
        for where, given in self.defects.items(self.data, "units", "scenario"):
            text = {"id": self.defects.text(as_meant(given, UNIT), "id", where)}
            if text["id"] and text["id"] in found:  # 2-2-1(2)1
                self.defects.wrong(f"{where} ({text['id']})", "stands there twice", "give each unit its own id")
            where = f"scenario unit {text['id']}" if text["id"] else where
            unit = self.defects.keys(given, UNIT, where)
            for key in ("side", "formation", "name", "code", "symbol"):
                text[key] = self.defects.text(unit, key, where)
            if text["side"]:
                text["side"] = self.known(text["side"], sides, f"{where}.side")  # 2-1-2.4
            if text["id"]:
                kit.check_id(text["id"], where, "sg-01", self.defects, WORDS)
            if text["symbol"] == "commander":  # 2-2(0), 2-2-2(0)
                self.defects.wrong(where, "is a commander", "commanders stand under `commanders`, with what they lend")
            elif text["symbol"]:
                text["symbol"] = self.known(text["symbol"], SYMBOLS, f"{where}.symbol")
            before = len(self.defects.found)
            number = {
                key: self.defects.number(unit.get(key) or (None if least else 0), f"{where}.{key}", least)
                for key, least in (("fire", 0), ("melee", 0), ("morale", 1), ("move", 1), ("range", 0))
            }
            odd = text["symbol"] in SYMBOLS and (text["symbol"] == "artillery") != (number["range"] > 0)
            if odd and len(self.defects.found) == before:  # 2-2-1(2)0
                self.defects.wrong(
                    where, f"is {text['symbol']} with range {number['range']}", "only artillery has a range"
                )
            found[text["id"]] = Unit(
                short=kit.short(unit, text["id"][: kit.SHORT], where, self.defects),
                **text,  # type: ignore[arg-type]  # keys of two types side by side
                **number,  # type: ignore[arg-type]
            )
        return found

    def commanders(self, sides: list[str], units: Mapping[str, Unit]) -> tuple[dict[str, Unit], list[str]]:
        """The commanders, by their names (15-2-7-2(3)1), and who of them is kept out of the cup (15-2-7-2(1)2).

        Few scenarios have any (2-2(0), 2-2-2(0)).
        """
        found: dict[str, Unit] = {}
        aside: list[str] = []
        for where, given in self.defects.items(self.data, "commanders", "scenario") if self.has("commanders") else ():
            name = self.defects.text(as_meant(given, COMMANDER), "id", where)
            if name in units or name in found:
                self.defects.wrong(f"{where} ({name})", "stands there twice", "give each commander his own id")
            where = f"scenario commander {name}" if name else where
            printed = self.defects.keys(given, COMMANDER, where)
            if name:
                kit.check_id(name, where, "gc-01", self.defects, WORDS)
            side = self.known(printed.get("side"), sides, f"{where}.side")
            lent, own = (
                [self.defects.number(printed.get(key), f"{where}.{key}", least, 9) for key in keys]
                for least, keys in ((0, ("range", "fire", "melee")), (1, ("morale", "move")))
            )
            aside += [name] if kit.yes(printed, "aside", where, self.defects) else []
            found[name] = Unit(
                id=name,
                side=side,
                formation="commanders",
                name=self.defects.text(printed, "name", where),
                short=kit.short(printed, name[: kit.SHORT], where, self.defects),
                code="commander",
                symbol="leader",
                fire=0,
                melee=0,
                morale=own[0],
                move=own[1],
                range=0,
                command=Command(*lent),
            )
        return found, aside

    def check_commanders(self, sides: list[Side], units: Mapping[str, Unit], aside: Sequence[str]) -> None:
        """A side with commanders has turns in which those are drawn whom it doesn't keep aside, and a hex to enter by.

        One at most is kept aside.
        """
        for side in sides:
            if sum(units[c].side == side.id for c in aside) > 1:
                self.defects.wrong("scenario.commanders", f"several of {side.id} are kept aside", "keep one aside")
            theirs = [unit.id for unit in units.values() if unit.command is not None and unit.side == side.id]
            drawn = [c for c in theirs if c not in aside]
            if (drawn and not side.commander_turns) or (theirs and side.entry is None):
                right = "write `commander-turns: [TURN, ...]` and `entry: HEX`"
                what = f"has commanders, {(drawn or theirs)[0]} first, who never come"
                self.defects.wrong(f"scenario side {side.id}", what, right)
            if side.commander_turns and not drawn:
                right = "leave them out, or write the commanders under `commanders`"
                self.defects.wrong(f"scenario side {side.id}", "has commander-turns but no commanders to draw", right)

    def has(self, block: str) -> bool:
        """Whether a block that may be left out is there."""
        return self.data.get(block) is not None

    def set_up(self, sides: list[str], units: Mapping[str, Unit]) -> dict[str, dict[str, SetUp]]:
        """Where the units of each code start (15-1-4(1)1, 15-1-4(1)2a, 15-1-4(1)2b, 15-1-4(2)1 to 15-1-4(2)4)."""
        found: dict[str, dict[str, SetUp]] = {side: {} for side in sides}
        starts = self.has("setup") or any(unit.code not in (REINFORCEMENT, "commander") for unit in units.values())
        for where, given in self.defects.items(self.data, "setup", "scenario") if starts else ():  # 15-2-4(0)
            line = self.defects.keys(given, SETUP, where)
            side = self.known(line.get("side"), sides, f"{where}.side")
            code = self.code(line, side, where, units)
            names = tuple(
                self.known(a, sorted(self.map.areas), f"{where}.areas")
                for a in self.defects.words(line, "areas", where)
            )
            hexes = frozenset(h for name in names for h in self.map.areas.get(name, ()))
            if code in found.get(side, {}):
                self.defects.wrong(where, f"sets up {side} {code} again", "write one line for each code of a side")
            found.setdefault(side, {})[code] = SetUp(side, code, names, hexes)
            count = sum(unit.side == side and unit.code == code for unit in units.values())
            read = names and self.map.areas.keys() >= {*names} and not self.unread("areas")
            if read and len(hexes) < count:  # 15-1-4(0)
                room = f"{len(hexes)} hex{'es' * (len(hexes) != 1)}"
                self.defects.wrong(where, f"{count} units in {room}", "one unit stands in a hex")
        for lines in found.values():
            self.check_room([*lines.values()], units)
        return found

    def code(self, line: Mapping[str, Any], side: str, where: str, units: Mapping[str, Unit]) -> str:
        """The code of a line of the set-up; where no unit has it, but several have one without a line, that one."""
        code = self.defects.text(line, "code", where)
        given = self.data.get("setup")
        lines = (
            [str(other.get("code")) for other in given if isinstance(other, Mapping)] if isinstance(given, list) else []
        )
        have = Counter(unit.code for unit in units.values() if unit.side == side and unit.command is None)
        others = [other for other, count in have.items() if count > 1 and other not in (*lines, REINFORCEMENT)]
        if not code or code in have or len(others) != 1:
            return code
        self.defects.wrong(f"{where}.code", f"is {shown(code)}, and no unit has it", f"did you mean {others[0]}?")
        return others[0]

    def check_room(self, lines: list[SetUp], units: Mapping[str, Unit]) -> None:
        """A side's lines that share areas have room for all their units together (15-1-4(0))."""
        counts = Counter((unit.side, unit.code) for unit in units.values())
        shared: list[tuple[set[Hex], list[SetUp]]] = []
        for line in lines:
            touching = [group for group in shared if group[0] & line.hexes]
            shared = [group for group in shared if group not in touching]
            hexes = set(line.hexes).union(*(group[0] for group in touching))
            shared.append((hexes, [*(other for group in touching for other in group[1]), line]))
        for hexes, group in shared:
            count = sum(counts[line.side, line.code] for line in group)
            if len(group) > 1 and len(hexes) < count:
                who = ", ".join(f"{line.side} {line.code}" for line in group)
                what = f"{count} units of {who} in {len(hexes)} hexes"
                self.defects.wrong("scenario.setup", what, "one unit stands in a hex")

    def check_codes(
        self, sides: list[Side], units: Mapping[str, Unit], set_up: Mapping[str, Mapping[str, SetUp]]
    ) -> None:
        """Every unit either starts in an area or comes as a reinforcement of a side that gets some."""
        sides_known = {side.id for side in sides}
        may_wait = {side.id for side in sides if side.reinforcement_turns}
        for unit in units.values():
            codes = [*set_up.get(unit.side, ()), *([REINFORCEMENT] if unit.side in may_wait else [])]
            if unit.code and unit.command is None and unit.side in sides_known:
                self.known(unit.code, codes, f"scenario unit {unit.id}.code")

    def check_names(self, sides: list[str], units: Mapping[str, Unit]) -> None:
        """What is named for formations and sides is named for those that there are."""
        used: dict[str, str] = {}
        for unit in units.values():
            used.setdefault(unit.formation, unit.id)
        titles = self.defects.block(self.data, "formations", "scenario")
        named = self.defects.keys(titles, used, "scenario.formations")
        for formation in used if titles else ():
            if formation and formation not in named:
                self.known(formation, [*titles], f"scenario unit {used[formation]}.formation")
        holders = [*sides, NOBODY]
        for block, hexes, known in (
            ("victory", self.map.victory, holders),
            ("entries", self.map.entries, sides),
        ):
            self.defects.keys(hexes, known, f"map {self.map.name} {block}")

    def control(self, sides: list[str]) -> dict[Hex, str]:
        found: dict[Hex, str] = {}
        held = self.defects.block(self.data, "control", "scenario")
        before = len(self.defects.found)
        for named in held:
            side = self.known(named, [*sides, NOBODY], f"scenario.control.{named}")
            for number in self.defects.words(held, named, "scenario.control"):
                h = self.hex(number, f"scenario.control.{named}")
                if h in found:
                    self.defects.wrong(f"scenario.control.{named}", f"{number} has a side already", "name it once")
                elif h is not None:
                    found[h] = side  # 14(1), 15-1-6(0)a, 15-1-6(0)b
        drawn = {h: side for side, hexes in self.map.victory.items() for h in hexes}
        unread = len(self.defects.found) > before or self.unread("victory")  # a hex that can't be read is nobody's
        if drawn and drawn != found and not unread:
            self.check_victory(found, drawn)
        elif len(found) != VICTORY_HEXES and not unread:  # 14(0)
            self.defects.wrong("scenario.control", f"has {len(found)} victory hexes", f"there are {VICTORY_HEXES}")
        return found

    def check_victory(self, found: Mapping[Hex, str], drawn: Mapping[Hex, str]) -> None:
        """The map's victory hexes are the scenario's; one defect for each side by whose name they differ."""
        differ: dict[str, list[str]] = {}
        for h in sorted(h for h in {*found, *drawn} if found.get(h) != drawn.get(h)):
            held = f"{self.map.label(h)} is {drawn.get(h, 'nobody')}'s, in the scenario {found.get(h, 'nobody')}'s"
            differ.setdefault(drawn.get(h) or found[h], []).append(held)
        for side, hexes in differ.items():
            where = f"map {self.map.name} victory"
            self.defects.wrong(f"{where} {side}", "; ".join(hexes), "let both say the same")

    def unread(self, block: str) -> bool:
        """Whether something in a block of the map can't be read."""
        return any(one.where.startswith(f"map {self.map.name} {block}") for one in self.defects.found)
