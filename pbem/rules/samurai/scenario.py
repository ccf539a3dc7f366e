"""Reads a scenario, its tables and both army lists into a Board, and says everything that is wrong with them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from pbem.errors import Defects, shown, stands
from pbem.records import Record, made
from pbem.rules.kit import scenario as kit
from pbem.rules.samurai.board import (
    BANNERMAN,
    DAIMYO,
    EDITION,
    FACINGS,
    PLACES,
    SYSTEM,
    Board,
    Ground,
    Piece,
    Side,
    Tables,
    Type,
    Unit,
    Zone,
    by_number,
    edged,
    read_inches,
)
from pbem.rules.samurai.geometry import Size, on_table, overlap
from pbem.rules.samurai.orders import WORDS
from pbem.rules.samurai.room import why_no_room, why_unled
from pbem.words import nearest_and_all

__all__ = ["EDITION", "SYSTEM", "board"]

KEYS = ("maps", "armies", "table", "zone", "wings", "points", "terrain")
"""What a scenario has besides the keys of every system."""
TABLE = ("width", "depth")
TERRAIN = ("id", "name", "kind", "at", "size", "facing")
SIDE = ("id", "title", "short")
ARMY = ("army", "side", "title", "wings", "provenance")
UNIT = ("id", "type", "name", "short")
TYPE = ("title", "class", "attack", "figures", "width", "depth", "move", "range", "points")
TABLES = ("types", "dice", "morale", "victory")

SOURCE = "provenance"
"""The key under which each table says where it comes from."""

WINGS = ("left", "centre", "right")
"""The wings of an army as its owner sees them (definitions.3); a small battle has one."""

CLASSES = {"ashigaru": 1, "ronin": 2, "samurai": 3}
"""The classes in rising order (definitions.1)."""

NO_CLASS = "none"
"""Of a bannerman, and of who doesn't attack."""

GROUND = {
    "wood": Ground(hides=True, deep=True, slows=True, stops=False),
    "hill": Ground(hides=True, deep=True, slows=False, stops=False),
    "rough": Ground(hides=False, deep=False, slows=True, stops=False),
    "building": Ground(hides=True, deep=False, slows=False, stops=True),
    "water": Ground(hides=False, deep=False, slows=False, stops=True),
}
"""Kind of ground -> what it does (fire_combat.6)."""

LONGEST = 99999
"""The longest length that is read, in hundredths of an inch."""

TABLE_SIZES = (1200, 20000, 19800)
"""The least and the most width and depth of a table, and those with which one is read on that can't be read: so large
that what else there is has room on it."""

PREFIXES = {
    "spear": "sp",
    "gunner": "gn",
    "ronin": "ro",
    "sword": "sw",
    "bow": "bw",
    "daimyo": "dm",
    "bannerman": "bn",
}
"""How ids of a type begin; of others with its first two letters."""

STANDS = 2
"""The most stands of a unit."""

MOST_TERRAIN = 200
"""The most pieces of ground: each is held against each."""

BANNERMEN = 2
"""The ends of a wing, which they mark (definitions.4)."""


def board(data: Mapping[str, Any]) -> Board:
    """The board of a scenario, its `armies` by name and its `tables`. Raises BadScenario with every defect."""
    defects = Defects()
    name, scenario = kit.head(data, SYSTEM, EDITION, KEYS, defects)
    tables = read_tables(kit.tables(data, defects), defects)
    built = _Reader(scenario, defects.block(data, "armies", "data"), tables, defects).board(name)
    defects.raise_any(f"scenario {name}")
    return built


# --- tables -----------------------------------------------------------------------------------------------------------


def read_tables(data: Mapping[str, Any], defects: Defects) -> Tables:
    """The tables of the system: types of troops, the numbers of dice, what decides a battle."""
    data = defects.keys(data, TABLES, "tables")
    given = defects.block(data, "types", "tables")
    names = [name for name in given if name != SOURCE]
    types = {name: _type(name, defects.block(given, name, "tables.types"), defects) for name in names}
    for name in (DAIMYO, BANNERMAN):
        if name not in types:
            defects.wrong(f"tables.types.{name}", "is missing", "every army may have them")
    dice, fails, victory = (
        defects.keys(defects.block(data, name, "tables"), (*keys, SOURCE), f"tables.{name}")
        for name, keys in (("dice", ("kill", "risk")), ("morale", tuple(CLASSES)), ("victory", ("broken", "lead")))
    )
    return Tables(
        types,
        defects.number(dice.get("kill"), "tables.dice.kill", 2, 12),
        {rank: defects.number(fails.get(name), f"tables.morale.{name}", 2, 12) for name, rank in CLASSES.items()},
        defects.number(dice.get("risk"), "tables.dice.risk", 2, 13),
        defects.number(victory.get("broken"), "tables.victory.broken", 1, 100),
        defects.number(victory.get("lead"), "tables.victory.lead", 0, 100),
    )


def _type(name: str, data: Mapping[str, Any], defects: Defects) -> Type:
    where = f"tables.types.{name}"
    data = defects.keys(data, TYPE, where)
    ranks = (NO_CLASS,) if name == BANNERMAN else tuple(CLASSES)  # definitions.4
    rank = kit.known(data.get("class"), ranks, f"{where}.class", defects)
    attack = kit.known(data.get("attack", rank), (*CLASSES, NO_CLASS), f"{where}.attack", defects)
    return Type(
        id=name,
        title=defects.text(data, "title", where),
        rank=CLASSES.get(rank, int(name != BANNERMAN)),
        attack=CLASSES.get(attack, 0),
        figures=defects.number(data.get("figures"), f"{where}.figures", 1, 9),
        width=_length(data.get("width"), f"{where}.width", defects, even=True),
        depth=_length(data.get("depth"), f"{where}.depth", defects, even=True),
        move=_length(data.get("move"), f"{where}.move", defects, least=0),
        reach=_length(data.get("range", 0), f"{where}.range", defects, least=0),
        points=defects.number(data.get("points"), f"{where}.points", 0, 99),
    )


def _length(
    value: object,
    where: str,
    defects: Defects,
    *,
    least: int = 100,
    most: int = LONGEST,
    even: bool = False,
    else_: int = 100,
) -> int:
    """A number of inches in hundredths, or else this to read on with; an even one where half of it is needed."""
    found = read_inches(str(value))
    if found is None or not least <= found <= most or (even and found % 2):
        whole = max(least // 100, 6)
        examples = f"{whole} or {whole}.52: half of it is needed" if even else f"{whole} or {whole}.6"
        defects.wrong(where, stands(value), f"write inches from {least // 100} to {most // 100}, as {examples}")
        return else_
    return found


# --- the scenario -----------------------------------------------------------------------------------------------------


class _Reader(Record):
    """Reads a scenario's blocks; sides and wings first, for the others name them."""

    data: Mapping[str, Any]
    armies: Mapping[str, Any]
    tables: Tables
    defects: Defects
    wings: tuple[str, ...] = ()
    sides: tuple[Side, ...] = ()
    units: dict[str, Unit] = made(default_factory=dict)
    unread: set[str] = made(default_factory=set)
    """The sides with a unit whose stands can't be told, so that nothing can be summed up."""

    def board(self, name: str) -> Board:
        self.sides = self.read_sides()
        self.wings = self.read_wings()
        width, depth, zone = self.size()
        pieces = self.terrain(width, depth)
        self.read_armies()
        for side in filter(self.list_of, self.sides):
            for wing, part in self.zones(side, width, depth, zone).items():
                own = [u for u in self.units.values() if (u.side, u.wing, u.bannerman) == (side.id, wing, False)]
                for what in why_no_room(own, part, [p.base for p in pieces.values() if GROUND[p.kind].stops]):
                    self.defects.wrong(f"the {wing} wing of {side.id}", what, "give it room to set up")
        self.defects.mails(self.data, "scenario")
        sources = [("scenario", self.data.get("provenance"))]
        sources += [(f"army {army}", block.get("provenance")) for army, block in self.armies.items()]
        ids = sorted(self.units, key=by_number)
        of_side = {
            side.id: [self.units[unit] for unit in ids if self.units[unit].side == side.id] for side in self.sides
        }
        return Board(
            scenario=name,
            system=SYSTEM,
            title=self.defects.text(self.data, "title", "scenario"),
            turns=kit.turns(self.data, self.defects),
            width=width,
            depth=depth,
            ground=GROUND,
            pieces=pieces,
            tables=self.tables,
            sides=self.sides,
            side={side.id: side for side in self.sides},
            enemy={one.id: other.id for one, other in (self.sides, self.sides[::-1])},
            units=self.units,
            of_side={side: [u.id for u in own] for side, own in of_side.items()},
            daimyos_of={side: [u.id for u in own if u.daimyo] for side, own in of_side.items()},
            troops_of={side: [u.id for u in own if u.troops] for side, own in of_side.items()},
            points={side: sum(u.figures * u.kind.points for u in own) for side, own in of_side.items()},
            order={unit: number for number, unit in enumerate(ids)},
            zones={side.id: self.zones(side, width, depth, zone) for side in self.sides},
            options=kit.options(self.data, {}, (), self.defects),
            reconstructed=kit.reconstructed(sources),
            barriers=tuple(edged(p) for p in pieces.values() if GROUND[p.kind].stops or GROUND[p.kind].slows),
            walls=tuple(edged(p) for p in pieces.values() if GROUND[p.kind].stops),
            stops=tuple(p.base for p in pieces.values() if GROUND[p.kind].stops),
            slows=tuple(p.base for p in pieces.values() if GROUND[p.kind].slows),
            hides=tuple((p.base, GROUND[p.kind].deep) for p in pieces.values() if GROUND[p.kind].hides),
            farthest=max((u.kind.move for u in self.units.values() if u.troops), default=0),
            largest=1 + max((u.stands * (u.kind.width + u.kind.depth) // 2 for u in self.units.values()), default=0),
            label={place: place for place in (*PLACES, *pieces)},
        )

    def read_sides(self) -> tuple[Side, ...]:
        """The two sides, the one that moves first first."""
        found = []
        for number, (where, data) in enumerate(self.defects.items(self.data, "sides", "scenario")):
            data = self.defects.keys(data, SIDE, where)
            side, title = (self.defects.text(data, key, where) for key in ("id", "title"))
            found.append(Side(side, title, str(data.get("short", title)), 0 if number == 0 else 4))
        if len({side.id for side in found}) != 2 or len(found) != 2:
            right = "name the one that moves first, from the south edge, then the other"
            self.defects.wrong("scenario.sides", f"are {len(found)}, not two with ids of their own", right)
            found = [Side("red", "Red", "Red", 0), Side("black", "Black", "Black", 4)]
        return tuple(found)

    def read_wings(self) -> tuple[str, ...]:
        """The wings of each army from its own left to its right: three, or one in a small battle."""
        found = tuple(self.defects.words(self.data, "wings", "scenario"))
        if found not in (WINGS, WINGS[1:2]):
            right = "write `wings: [left, centre, right]`, or `wings: [centre]` for a small battle"
            self.defects.wrong("scenario.wings", stands(self.data.get("wings")), right)  # definitions.3
            return WINGS
        return found

    def size(self) -> tuple[int, int, int]:
        """Width and depth of the table, and how deep the armies set up."""
        table = self.defects.keys(self.defects.block(self.data, "table", "scenario"), TABLE, "scenario.table")
        least, most, else_ = TABLE_SIZES
        width = _length(table.get("width"), "scenario.table.width", self.defects, least=least, most=most, else_=else_)
        depth = _length(
            table.get("depth"), "scenario.table.depth", self.defects, least=least, most=most, even=True, else_=else_
        )
        zone = _length(self.data.get("zone"), "scenario.zone", self.defects, least=200, most=most, else_=depth // 2)
        if 2 * zone > depth:
            self.defects.wrong(
                "scenario.zone", "reaches beyond the middle of the table", "leave room between the armies"
            )
        if width % len(self.wings or WINGS):
            self.defects.wrong(
                "scenario.table.width", "has no thirds in hundredths", "write a width that three divides"
            )
        return width, depth, zone

    def zones(self, side: Side, width: int, depth: int, zone: int) -> dict[str, Zone]:
        """Where each wing sets up, from the side's own left to its right."""
        part = width // len(self.wings)
        south, north = (0, zone) if side.ahead == 0 else (depth - zone, depth)
        wings = self.wings if side.ahead == 0 else self.wings[::-1]
        return {wing: Zone(part * i, part * (i + 1), south, north) for i, wing in enumerate(wings)}

    def terrain(self, width: int, depth: int) -> dict[str, Piece]:
        """The pieces of ground; none where the key isn't there."""
        found: dict[str, Piece] = {}
        listed = list(self.defects.items(self.data, "terrain", "scenario")) if "terrain" in self.data else []
        if len(listed) > MOST_TERRAIN:
            self.defects.wrong("scenario.terrain", f"lists {len(listed)} pieces", f"{MOST_TERRAIN} are the most")
        for where, data in listed[:MOST_TERRAIN]:
            data = self.defects.keys(data, TERRAIN, where)
            piece = self.piece(data, where, (width // 2, depth // 2))
            if piece.id in found or piece.id in PLACES:
                self.defects.wrong(f"{where}.id", f"{shown(piece.id)} is used already", "give it an id of its own")
            if not on_table(piece.base, width, depth):
                self.defects.wrong(where, "doesn't lie wholly on the table", f"it is {width // 100} by {depth // 100}")
            for other in found.values():
                if overlap(other.base, piece.base) and GROUND[other.kind].stops != GROUND[piece.kind].stops:
                    self.defects.wrong(where, f"lies over {other.id}", "nothing lies in what can't be entered")
            found[piece.id] = piece
        return found

    def piece(self, data: Mapping[str, Any], where: str, middle: tuple[int, int]) -> Piece:
        """One piece of ground; in the middle of the table where its place can't be read."""
        ident = self.defects.text(data, "id", where)
        kit.check_id(ident, f"{where}.id", "wood-1", self.defects)
        kind = kit.known(data.get("kind"), tuple(GROUND), f"{where}.kind", self.defects)
        at, size = self.pair(data, "at", where, middle), self.pair(data, "size", where, (200, 200))
        if any(extent % 2 or extent < 100 for extent in size):
            self.defects.wrong(f"{where}.size", stands(data.get("size")), "write width and depth, 1 at least")
            size = (200, 200)
        facing = kit.known(data.get("facing", FACINGS[0]), FACINGS, f"{where}.facing", self.defects)
        turned = FACINGS.index(facing) if facing in FACINGS else 0
        kind = kind if kind in GROUND else "wood"
        return Piece(ident, self.defects.text(data, "name", where), kind, Size(*size).at(*at, turned))

    def pair(self, data: Mapping[str, Any], key: str, where: str, else_: tuple[int, int]) -> tuple[int, int]:
        """Two numbers of inches, or else these to read on with."""
        found = [read_inches(word) for word in self.defects.words(data, key, where)]
        if len(found) == 2 and found[0] is not None and found[1] is not None:
            return found[0], found[1]
        self.defects.wrong(f"{where}.{key}", stands(data.get(key)), f'write two numbers of inches, `{key}: "20 24"`')
        return else_

    # --- armies -------------------------------------------------------------------------------------------------------

    def read_armies(self) -> None:
        """Both army lists, each of a side."""
        names = self.defects.words(self.data, "armies", "scenario")
        if len(names) != 2:
            self.defects.wrong("scenario.armies", f"names {len(names)} lists", "write `armies: [NAME, NAME]`")
        led = {self.side_of(name) for name in names}
        for side in self.sides:
            if len(names) == 2 and side.id not in led and all(name in self.armies for name in names):
                self.defects.wrong("scenario.armies", f"have none of {side.id}", f"write `side: {side.id}` in one list")
        for name in names:
            if name in self.armies:
                self.army(name, self.armies[name])
        for side in filter(self.list_of, self.sides):
            self.check_army(side.id, f"army {self.list_of(side)}")

    def list_of(self, side: Side) -> str:
        """The only list of a side; "" where it has none, or two that can't be told apart."""
        lists = [name for name in self.armies if self.side_of(name) == side.id]
        return lists[0] if len(lists) == 1 else ""

    def side_of(self, name: str) -> str:
        """The side whose list it is."""
        return str(self.armies.get(name, {}).get("side", "")) if isinstance(self.armies.get(name, {}), Mapping) else ""

    def army(self, name: str, data: Mapping[str, Any]) -> None:
        """One army list: its wings, each with its units."""
        where = f"army {name}"
        data = self.defects.keys(data, ARMY, where)
        if data.get("army") != name:
            self.defects.wrong(f"{where}.army", stands(data.get("army")), f"the file's name asks for {name}")
        side = kit.known(data.get("side"), [side.id for side in self.sides], f"{where}.side", self.defects)
        wings = self.defects.block(data, "wings", where)
        for wing in [wing for wing in self.wings if wing not in wings]:
            self.defects.wrong(f"{where}.wings.{wing}", "is missing", f"wings are: {', '.join(self.wings)}")
        wings = self.defects.keys(wings, self.wings, f"{where}.wings")  # definitions.3
        for wing in wings:
            for place, item in self.defects.items(wings, wing, f"{where}.wings"):
                self.unit(side, wing, self.defects.keys(item, UNIT, place), place)

    def unit(self, side: str, wing: str, data: Mapping[str, Any], where: str) -> None:
        """A unit of one or two stands, all of one type."""
        ident = self.defects.text(data, "id", where)
        types = self.defects.words(data, "type", where)
        kit.check_id(ident, f"{where}.id", self.free_id(types), self.defects, WORDS)
        if ident in self.units:
            right = "an id stands once in both armies: give one of them another number"
            self.defects.wrong(f"{where}.id", f"{shown(ident)} is used already", right)
        for word in types:
            if word not in self.tables.types:
                self.defects.wrong(
                    f"{where}.type", f"{shown(word)} is no type", nearest_and_all(word, self.tables.types)
                )
        known = [self.tables.types[word] for word in types if word in self.tables.types]
        if len(set(types)) > 1:
            right = f"all stands of a unit are of one type: `type: [{types[0]}, {types[0]}]`"
            self.defects.wrong(f"{where}.type", f"mixes {' and '.join(dict.fromkeys(types))}", right)  # definitions.5a
        most = 1 if known and known[0].id in (DAIMYO, BANNERMAN) else STANDS
        if not 1 <= len(types) <= most:
            self.defects.wrong(
                f"{where}.type", f"names {len(types)} stands", f"write one type for each stand, {most} at most"
            )
        if not known or len(known) != len(types) or len(set(types)) > 1 or len(types) > most:
            self.unread.add(side)
        if not known:
            return
        name = str(data.get("name", f"{known[0].title} {by_number(ident)[2]}".strip()))
        short = kit.short(data, ident[:8], where, self.defects)
        what = known[0].id
        roles = (what not in (DAIMYO, BANNERMAN), what == DAIMYO, what == BANNERMAN)
        self.units[ident] = Unit(ident, side, wing, known[0], min(max(len(types), 1), STANDS), name, short, *roles)

    def free_id(self, types: list[str]) -> str:
        """An id as units of these types have, `bw-2`, that stands in neither list."""
        kind = next((word for word in types if word in self.tables.types), "spear")
        start, number = PREFIXES.get(kind, kind[:2]), 1
        taken = {str(unit.get("id")) for army in self.armies.values() for unit in _mappings(army)}
        while f"{start}-{number}" in taken:
            number += 1
        return f"{start}-{number}"

    def check_army(self, side: str, where: str) -> None:
        """What the rules and the scenario ask of an army as a whole."""
        own = [unit for unit in self.units.values() if unit.side == side]
        if not any(unit.troops for unit in own):
            self.defects.wrong(where, "has no troops", "an army needs a unit at least")
            return
        doubled = [unit.id for unit in own if unit.stands > 1]
        if doubled and not any(unit.daimyo for unit in own):
            what = f"has no daimyo for its units of two stands, {', '.join(doubled)}"
            self.defects.wrong(where, what, "give it one, or make units of one stand of them")  # daimyos.1, daimyos.2
        unled = why_unled(own, self.wings)
        if unled is not None:
            self.defects.wrong(where, unled, "add daimyos who can touch them, or make units of one stand of some")
        if side not in self.unread:
            self.check_sums(own, f"{where}.wings")
        for wing in self.wings:
            banners = [unit.id for unit in own if unit.wing == wing and unit.bannerman]
            if len(banners) not in (0, BANNERMEN):
                what = f"has {len(banners)} bannermen" if len(banners) > 1 else "has 1 bannerman"
                self.defects.wrong(f"{where}.wings.{wing}", what, "they mark both ends of a wing: two, or none")

    def check_sums(self, own: Sequence[Unit], where: str) -> None:
        """The points of an army, and the figures of its wings beside each other."""
        most = self.defects.number(self.data.get("points"), "scenario.points", 1, 999)
        points = sum(unit.figures * unit.kind.points for unit in own)
        if points > most:
            right = f"{most} are the most in this scenario: take {points - most} away"
            self.defects.wrong(where, f"count {points} points", right)
        figures = {wing: sum(u.figures for u in own if u.wing == wing and u.troops) for wing in self.wings}
        if 4 * max(figures.values()) > 5 * min(figures.values()):
            told = ", ".join(f"{wing} {number}" for wing, number in figures.items())
            right = "make them about equal, the greatest no more than a quarter above the least"
            self.defects.wrong(where, f"have unequal figures: {told}", right)  # figures.7


def _mappings(data: object) -> Iterator[Mapping[str, Any]]:
    """Every mapping inside of data, and themselves if they are one."""
    inside: Iterable[object] = data if isinstance(data, list) else ()
    if isinstance(data, Mapping):
        yield data
        inside = data.values()
    for item in inside:
        yield from _mappings(item)
