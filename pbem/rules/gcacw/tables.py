"""The tables of the series: combat chart, movement, extended marches, artillery, modifiers, works; read from data."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from typing import Any

from pbem.errors import Defects, stands
from pbem.records import NamedTuple
from pbem.rules.kit.tables import ResultsTable, number, read_results

__all__ = [
    "ATTACKS", "EARLY", "LATE", "PARALYSIS", "RAIN", "Allowance", "Attack", "Cell", "Event", "Length", "Strain",
    "Tables", "Weather", "cell_of", "read_tables",
]  # fmt: skip

KEYS = (
    "combat_defender", "combat_attacker", "disorganised", "movement", "allowance", "extended_march", "artillery",
    "modifiers", "retreats", "works", "bridges", "recovery", "rain", "events", "paralysis", "cycle_ends", "panic",
    "forage", "repair", "manpower",
)  # fmt: skip

ATTACKS = ("column", "hasty", "normal", "prepared")
"""The kinds of march attack, the cheapest first (std-7.1-2)."""

LINKS = ("road", "pike", "railroad", "trail")
TERRAIN = ("clear", "rolling", "woods", "rough", "hill", "mountain", "swamp", "city")
CROSSINGS = ("bridge", "ford", "ferry", "dam")
COMBAT_SIZES = ("division", "brigade", "regiment")
ARMIES = ("ANV", "AP", "AV")
MARCHERS = ("union infantry", "confederate infantry", "union cavalry", "confederate cavalry")
LED = ("union infantry", "confederate infantry", "confederate cavalry")
"""Who marches, and who can be activated by a leader: the Union's cavalry has none (std-5.1-2, std-5.2-2)."""
STAGES = ("breastworks-build", "breastworks", "fort-build", "fort")
CAPS = ("attacker", "defender", "half entrenched", "entrenched")
MODIFIERS = ("defender", "attacker", "ratio", "flank", "reductions", "cover", "refused", "attacks", "most")
BRANCHES = ("infantry", "cavalry")
MOST_MANPOWER = 21
DEFENDER = (
    "crossing", "mountain", "mountain from mountain", "hill", "hill from height", "creek", "ridge", "demoralised",
)  # fmt: skip
LETTERS = re.compile(r"-|([0-9]{0,2})([DFfE]?)([rRa]?)(\*?)")
RAIN, EARLY, LATE, PARALYSIS = EVENTS = ("rain", "early", "late", "paralysis")
"""What happens at random (14.0-table)."""
SIDES = ("union", "confederate")
KINDS = ("infantry division", "infantry brigade", "infantry regiment", "cavalry brigade", "cavalry regiment")
STRAIN = ("-", "D", "D1", "D2", "D3")
ADDED = tuple(map(str, range(-3, 3)))
ARTILLERY = (*ADDED, *(f"{high}/{low}" for high in ADDED for low in ADDED if high != low))
"""What artillery adds: always, or with a die of 4 to 6 and with one of 1 to 3 (std-7.3-3)."""
GROUND = ("clear", "rolling", "rough or hill", "woods, city or mountain", "swamp")
COLUMNS = ({"clear"}, {"rolling"}, {"rough", "hill"}, {"woods", "city", "mountain"}, {"swamp"})
"""The terrains of each column of the artillery table."""


class Cell(NamedTuple):
    """A cell of the combat chart: manpower lost, and letters, each there or not (std-7.5).

    state     D, F, f, E or nothing (std-7.5-4, std-7.5-5);  move: r, R or a, or nothing (std-7.5-7)
    panic     whether it has an asterisk (18.0-1)
    """

    loss: int
    state: str
    move: str
    panic: bool

    def __str__(self) -> str:
        """As printed."""
        return f"{self.loss or ''}{self.state}{self.move}{'*' if self.panic else ''}" or "-"


class Allowance(NamedTuple):
    """Dice, and points added to them; `less` go while the command is paralysed, to 1 at least (14.0-par1)."""

    dice: int
    more: int
    less: int = 0

    def points(self, total: int) -> int:
        """The points that a total of the dice brings."""
        return max(1, total + self.more - self.less)


class Attack(NamedTuple):
    """A kind of march attack: points to pay by branch, in halves, and what is added to the die (std-7.1-2, -3)."""

    points: Mapping[str, int]
    modifier: int


class Strain(NamedTuple):
    """What an extended march does: disorganised or not, and manpower lost besides (std-5.1-8)."""

    disorganised: bool
    loss: int


class Length(NamedTuple):
    """How far a retreat goes, and what each enemy zone of control entered costs (std-7.5-7, std-7.6-3)."""

    least: int
    most: int
    zone: int


class Event(NamedTuple):
    """A random event: rain, with the turns that it lasts beyond this one, or what befalls a side (14.0-table)."""

    kind: str
    side: str
    turns: int


class Weather(NamedTuple):
    """What rain does: points of a step, the attacker's die, the defender's behind a creek (14.0)."""

    link: Mapping[str, int]
    terrain: Mapping[str, int]
    attacker: int
    creek: int


class Tables(NamedTuple):
    """All tables; points of movement and combat values are whole numbers of halves.

    disorganised       manpower -> combat value;  link, terrain, crossing, creek, ridge: points of a step
    stacking           size -> points that a unit of it costs who enters its hex
    march, activation  (side, branch) -> its allowance; none where it has none;  forced: branch -> points
    attacks            kind -> its points and modifier
    flank              covered hexes -> bonus;  reductions: what they take from it at most;  cover: so many times their
                       value must those who cover a hex reach the defender's
    refused            bonus -> what the defender gets who refuses his flanks
    most               the combat value that counts at most, by `attacker`, `defender`, `half entrenched`, `entrenched`
    retreat            retreat, rout, cavalry -> its length
    works              what each stage of entrenchment multiplies, none first

    Of the advanced game:

    events             the sum of two dice -> what happens (14.0-table);  paralysis: branch -> points less (14.0-par1)
    cycle_ends         from which turn on, the die up to which a cycle ends behind two ones (15.0-1, 15.0-2)
    panic              what panic adds to the Union's die (18.0-3)
    forage             county -> side -> its forage value (20.4-5);  repair: the die up to which a station is whole
    manpower           branch and size -> the most after merging (21.2-6)
    """

    defender: ResultsTable
    attacker: ResultsTable
    disorganised: tuple[int, ...]
    link: Mapping[str, int]
    terrain: Mapping[str, int]
    crossing: Mapping[str, int]
    creek: int
    ridge: int
    stacking: Mapping[str, int]
    march: Mapping[tuple[str, str], Allowance]
    activation: Mapping[tuple[str, str], Allowance]
    forced: Mapping[str, int]
    extended: ResultsTable
    at_four: int
    mounted: int
    artillery: ResultsTable
    defence: Mapping[str, int]
    assault: int
    commander: int
    ratio: int
    flank: Mapping[int, int]
    reductions: int
    cover: int
    refused: Mapping[int, int]
    attacks: Mapping[str, Attack]
    most: Mapping[str, int]
    retreat: Mapping[str, Length]
    override: int
    works: tuple[Fraction, ...]
    bridge: Mapping[str, int]
    rest: tuple[int, ...]
    rain: Weather
    events: Mapping[int, Event]
    paralysis: Mapping[str, int]
    cycle_ends: tuple[tuple[int, int], ...]
    panic: int
    forage: Mapping[str, Mapping[str, int]]
    repair: int
    manpower: Mapping[tuple[str, str], int]

    def cycle_end(self, turn: int) -> int:
        """The die up to which a cycle ends at once in a turn behind two ones; 0 where it never does (15.0-0)."""
        return next((die for first, die in reversed(self.cycle_ends) if turn >= first), 0)

    def result(self, side: str, difference: int, value: int) -> Cell:
        """The cell of the chart: of `attacker` or `defender`, by the difference and a combat value in halves."""
        table = self.attacker if side == "attacker" else self.defender
        return cell_of(table.result(difference, value // 2))  # std-7.5-1: a half point is dropped

    def strain(self, army: str, die: int) -> Strain:
        """What an extended march does by the modified die (std-5.1-8)."""
        cell = self.extended.cell(die, ARMIES.index(army))
        return Strain(cell != "-", int(cell[1:] or 0))

    def guns(self, difference: int, terrain: str) -> tuple[int, int]:
        """The artillery modifier by the difference and the defender's terrain, with a high die and with a low one."""
        cell = self.artillery.cell(difference, next(n for n, kinds in enumerate(COLUMNS) if terrain in kinds))
        high, _, low = cell.partition("/")
        return int(high), int(low or high)


def cell_of(text: str) -> Cell:
    """A cell of the combat chart as it is written."""
    found = LETTERS.fullmatch(text)
    if found is None or text == "-":
        return Cell(0, "", "", panic=False)
    return Cell(int(found[1] or 0), found[2], found[3], panic=found[4] != "")


def read_tables(data: Mapping[str, Any], defects: Defects) -> Tables:
    """The tables of a tables file; whatever is wrong with them goes into `defects`."""
    return _Reader(defects.keys(data, KEYS, "tables"), defects).tables()


class _Reader:
    """Reads block by block."""

    def __init__(self, data: Mapping[str, Any], defects: Defects) -> None:
        self.data, self.defects = data, defects

    def tables(self) -> Tables:
        """All of them."""
        movement = self.block("movement", ("links", "terrain", "crossings", "creek", "ridge", "stacking"))
        allowance = self.block("allowance", ("march", "activation", "forced"))
        extended = self.block("extended_march", ("columns_army", "rows_die", "modifiers"))
        strain = self.numbers(extended, "modifiers", ("fatigue 4", "cavalry"), "extended_march")
        modifiers = self.block("modifiers", MODIFIERS)
        attacker = self.numbers(modifiers, "attacker", ("assault", "commander"), "modifiers")
        retreats = self.block("retreats", ("retreat", "rout", "cavalry", "override"))
        bridges, recovery = self.block("bridges", ("union", "confederate")), self.block("recovery", ("fatigue",))
        return Tables(
            defender=self.chart("combat_defender"),
            attacker=self.chart("combat_attacker"),
            disorganised=self.values(),
            link=self.halves(movement, "links", LINKS, "movement"),
            terrain=self.halves(movement, "terrain", TERRAIN, "movement"),
            crossing=self.halves(movement, "crossings", CROSSINGS, "movement"),
            creek=self.half(movement.get("creek"), "tables.movement.creek"),
            ridge=self.half(movement.get("ridge"), "tables.movement.ridge"),
            stacking=self.halves(movement, "stacking", COMBAT_SIZES, "movement"),
            march=self.allowances(allowance, "march", MARCHERS),
            activation=self.allowances(allowance, "activation", LED),
            forced=self.halves(allowance, "forced", ("infantry", "cavalry"), "allowance"),
            extended=self.by_words("extended_march", "columns_army", ARMIES, STRAIN, ("modifiers",)),
            at_four=strain["fatigue 4"],
            mounted=strain["cavalry"],
            artillery=self.by_words("artillery", "columns_terrain", GROUND, ARTILLERY),
            defence=self.numbers(modifiers, "defender", DEFENDER, "modifiers"),
            assault=attacker["assault"],
            commander=attacker["commander"],
            ratio=self.defects.number(modifiers.get("ratio"), "tables.modifiers.ratio", 0, 9),
            flank=self.by_number(modifiers, "flank", ("5", "6")),
            reductions=self.defects.number(modifiers.get("reductions"), "tables.modifiers.reductions", 0, 6),
            cover=self.defects.number(modifiers.get("cover"), "tables.modifiers.cover", 1, 9),
            refused=self.by_number(modifiers, "refused", ("1", "2", "3", "4")),
            attacks=self.attacks(modifiers),
            most=self.caps(modifiers),
            retreat={name: self.length(retreats, name) for name in ("retreat", "rout", "cavalry")},
            override=self.defects.number(retreats.get("override"), "tables.retreats.override", 0, 9),
            works=self.works(),
            bridge={
                side: self.defects.number(bridges.get(side), f"tables.bridges.{side}", 0, 6)
                for side in ("union", "confederate")
            },
            rest=self.rest(recovery),
            rain=self.weather(),
            events=self.events(),
            paralysis=self.halves(self.block("paralysis", ("points",)), "points", ("infantry", "cavalry"), "paralysis"),
            cycle_ends=self.cycle_ends(),
            panic=self.die("panic"),
            forage=self.forage(),
            repair=self.die("repair"),
            manpower={
                (branch, size): most
                for name, most in self.numbers(self.block("manpower", ("most",)), "most", KINDS, "manpower").items()
                for branch, size in [name.split()]
            },
        )

    def die(self, name: str) -> int:
        """The number in a block that has one."""
        return number(self.block(name, ("die",)), "die", f"tables.{name}", self.defects, blanks=()) or 0

    def weather(self) -> Weather:
        """What rain does (14.0-rain-att1, -att3, -mv1 to -mv3)."""
        block = self.block("rain", ("links", "terrain", "attacker", "creek"))
        return Weather(
            link=self.halves(block, "links", LINKS, "rain"),
            terrain=self.halves(block, "terrain", TERRAIN, "rain"),
            attacker=number(block, "attacker", "tables.rain", self.defects, -9, ()) or 0,
            creek=number(block, "creek", "tables.rain", self.defects, blanks=()) or 0,
        )

    def events(self) -> dict[int, Event]:
        """What each sum of two dice brings: `rain now`, `rain now+2`, `early union`, `paralysis confederate`."""
        names, found = [str(n) for n in range(2, 13)], {}
        block = self.block("events", names)
        known = [f"{kind} {side}" for kind in (EARLY, LATE, PARALYSIS) for side in SIDES]
        for name in names:
            match = re.fullmatch(r"rain now(?:\+([12]))?", str(block.get(name)))
            if match is not None:
                found[int(name)] = Event(RAIN, "", int(match[1] or 0))
            elif block.get(name) in known:
                kind, side = str(block[name]).split()
                found[int(name)] = Event(kind, side, 0)
            else:
                right = f"write rain now, rain now+1, rain now+2 or one of {', '.join(known)}"
                self.defects.wrong(f"tables.events.{name}", stands(block.get(name)), right)
        return found

    def cycle_ends(self) -> tuple[tuple[int, int], ...]:
        """From which turn on a cycle ends by which die (15.0-1, 15.0-2)."""
        where, block = "tables.cycle_ends", self.defects.block(self.data, "cycle_ends", "tables")
        turns = [key for key in block if key != "provenance"]
        pairs = (
            (self.defects.number(turn, where, 1, 99), self.defects.number(block[turn], f"{where}.{turn}", 0, 6))
            for turn in turns
        )
        return tuple(sorted(pairs))

    def forage(self) -> dict[str, dict[str, int]]:
        """County -> the forage value of each side (20.4-5, chart-forage)."""
        block, found = self.defects.block(self.data, "forage", "tables"), {}
        for county in block:
            if county != "provenance":
                values = self.numbers(block, county, SIDES, "forage")
                found[county] = {side: values[side] for side in SIDES}
        return found

    def block(self, name: str, keys: Sequence[str]) -> Mapping[str, Any]:
        """A block of the file with these keys."""
        return self.defects.keys(self.defects.block(self.data, name, "tables"), (*keys, "provenance"), f"tables.{name}")

    def chart(self, name: str) -> ResultsTable:
        """A half of the combat chart; each cell is one that can be read."""
        block = self.defects.block(self.data, name, "tables")
        rows = list(self.defects.block(block, "rows_difference", f"tables.{name}").values())
        cells = {str(cell) for row in rows if isinstance(row, list) for cell in row}
        known = [cell for cell in sorted(cells) if LETTERS.fullmatch(cell)] or ["-"]
        return read_results(block, f"tables.{name}", ("rows_difference", "columns_value"), known, self.defects)

    def by_words(
        self, name: str, columns: str, headings: Sequence[str], results: Collection[str], more: Sequence[str] = ()
    ) -> ResultsTable:
        """A table by numbers down and words across, whose columns are then 0, 1, 2 ..."""
        where, block = f"tables.{name}", self.defects.block(self.data, name, "tables")
        if self.defects.words(block, columns, where) != [*headings]:
            self.defects.wrong(f"{where}.{columns}", stands(block.get(columns)), f"write [{', '.join(headings)}]")
        rows = next((key for key in block if key.startswith("rows_")), "rows_die")
        numbered = [*map(str, range(len(headings) - 1)), f"{len(headings) - 1}+"]
        plain = {key: value for key, value in block.items() if key not in more} | {columns: numbered}
        return read_results(plain, where, (rows, columns), results, self.defects)

    def numbers(self, block: Mapping[str, Any], key: str, names: Sequence[str], inside: str) -> dict[str, int]:
        """A number for each of these names."""
        where = f"tables.{inside}.{key}"
        given = self.defects.keys(self.defects.block(block, key, f"tables.{inside}"), names, where)
        return {name: number(given, name, where, self.defects, blanks=()) or 0 for name in names}

    def by_number(self, block: Mapping[str, Any], key: str, names: Sequence[str]) -> dict[int, int]:
        """Of the modifiers a number for each of these numbers."""
        return {int(n): points for n, points in self.numbers(block, key, names, "modifiers").items()}

    def halves(self, block: Mapping[str, Any], key: str, names: Sequence[str], inside: str) -> dict[str, int]:
        """Points for each of these names, in halves."""
        where = f"tables.{inside}.{key}"
        given = self.defects.keys(self.defects.block(block, key, f"tables.{inside}"), names, where)
        return {name: self.half(given.get(name), f"{where}.{name}") for name in names}

    def half(self, value: object, where: str) -> int:
        """Points, in halves: `3`, `1/2`, `1 1/2`."""
        match = re.fullmatch(r"([0-9]{1,2})(?: (1/2))?|1/2", str(value))
        if match is None:
            self.defects.wrong(where, stands(value), "write points such as 3, 1/2 or 1 1/2")
            return 0
        return 2 * int(match[1] or 0) + (str(value).endswith("1/2"))

    def values(self) -> tuple[int, ...]:
        """Combat values of disorganised units by manpower, in halves; 0 manpower has none (std-2.2-3)."""
        block = self.block("disorganised", ("values",))
        names = [str(n) for n in range(1, MOST_MANPOWER + 1)]
        return (0, *self.halves(block, "values", names, "disorganised").values())

    def allowances(self, block: Mapping[str, Any], key: str, names: Sequence[str]) -> dict[tuple[str, str], Allowance]:
        """Dice and more by side and branch, for each of these: `1d6+1`."""
        where, found = f"tables.allowance.{key}", {}
        given = self.defects.keys(self.defects.block(block, key, "tables.allowance"), MARCHERS, where)
        for name in dict.fromkeys((*names, *given)):
            side, _, branch = name.partition(" ")
            match = re.fullmatch(r"([1-2])d6(?:\+([0-9]))?", str(given.get(name)))
            if match is None:
                self.defects.wrong(f"{where}.{name}", stands(given.get(name)), "write one or two dice, as 1d6+1")
            else:
                found[side, branch] = Allowance(int(match[1]), int(match[2] or 0))
        return found

    def attacks(self, block: Mapping[str, Any]) -> dict[str, Attack]:
        """What each kind of march attack costs, and what it adds (std-7.1-2, std-7.1-3)."""
        where = "tables.modifiers.attacks"
        given = self.defects.keys(self.defects.block(block, "attacks", "tables.modifiers"), ATTACKS, where)
        found = {}
        for kind in ATTACKS:
            line = self.defects.keys(self.defects.block(given, kind, where), ("points", "modifier"), f"{where}.{kind}")
            add = number(line, "modifier", f"{where}.{kind}", self.defects, blanks=()) or 0
            found[kind] = Attack(self.halves(line, "points", BRANCHES, f"modifiers.attacks.{kind}"), add)
        return found

    def caps(self, block: Mapping[str, Any]) -> dict[str, int]:
        """The combat values that count at most, in halves (std-7.2-1, std-7.2-2)."""
        where = "tables.modifiers.most"
        given = self.defects.keys(self.defects.block(block, "most", "tables.modifiers"), CAPS, where)
        return {name: 2 * self.defects.number(given.get(name), f"{where}.{name}", 1, 999) for name in CAPS}

    def length(self, block: Mapping[str, Any], name: str) -> Length:
        """The hexes of a retreat, and what a zone of control costs."""
        return Length(**self.numbers(block, name, Length._fields, "retreats"))

    def works(self) -> tuple[Fraction, ...]:
        """What each stage multiplies, none first (std-9.0-2, std-9.0-7)."""
        block = self.block("works", ("stages", "times"))
        if self.defects.words(block, "stages", "tables.works") != [*STAGES]:
            self.defects.wrong("tables.works.stages", stands(block.get("stages")), f"write [{', '.join(STAGES)}]")
        times = self.defects.words(block, "times", "tables.works")
        if len(times) != len(STAGES):
            self.defects.wrong("tables.works.times", f"has {len(times)} numbers", f"write {len(STAGES)}")
        found = [self.half(word, "tables.works.times") for word in times]
        if min(found, default=2) < 2:
            self.defects.wrong("tables.works.times", f"has {', '.join(times)}", "write 1 or more for each stage")
        return (Fraction(1), *(Fraction(halves, 2) for halves in found))

    def rest(self, block: Mapping[str, Any]) -> tuple[int, ...]:
        """What recovery makes of each fatigue, 0 to 4 (std-8.0-2)."""
        words = self.defects.words(block, "fatigue", "tables.recovery")
        if len(words) != 5:
            self.defects.wrong("tables.recovery.fatigue", f"has {len(words)} numbers", "write five, for 0 to 4")
            return (0, 0, 0, 0, 0)
        return tuple(self.defects.number(word, "tables.recovery.fatigue", 0, 4) for word in words)
