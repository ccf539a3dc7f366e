"""A second reading of the Great Campaigns, slow and plain: steps, zones, radius, flanks, values, dice, ways of retreat.

Written from the clauses of the rulebook and of the series' standard rules (2.4 to 2.5, 3, 6, 7, 9 to 11) and sharing no
code with pbem. A place is (column, row), rows counted through both sheets; points and values are
fractions, never halves. Its tables are typed a second time.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from typing import Any

__all__ = ["Counter", "Country", "Field", "counter_of", "country_of", "field_of", "place"]

Place = tuple[int, int]
Path = tuple[Place, ...]

LETTERS = {
    ".": "clear",
    "o": "rolling",
    "w": "woods",
    "r": "rough",
    "h": "hill",
    "m": "mountain",
    "s": "swamp",
    "c": "city",
}
ENTER = {"clear": 3, "rolling": 4, "woods": 4, "rough": 5, "hill": 5, "mountain": 6, "swamp": 6, "city": 3}
ALONG = {"road": 1, "pike": 1, "railroad": 1, "trail": 2}
OVER = {"bridge": 0, "ford": 1, "ferry": 2, "dam": 0}
ROADS = {"road", "pike", "railroad"}
RIVERS = {"minor_river", "major_river"}
DISORGANISED = [0, Fraction(1, 2), 1, 2, 3, 3, 4, 5, 6, 6, 7, 8, 8, 9, 10, 10, 11, 12, 12, 13, 14, 14]
TIMES = [Fraction(1), Fraction(3, 2), Fraction(2), Fraction(2), Fraction(3)]
"""What the stages of entrenchment multiply: abatis and breastworks begun by half, a fort begun like breastworks."""

GUNS = {
    "clear": "-3 -2 0 1 2?1",
    "rolling": "-2 -1 0 1?0 1",
    "rough": "-1 0?-1 0 0 1?0",
    "hill": "-1 0?-1 0 0 1?0",
    "woods": "0 0 0 0 0",
    "city": "0 0 0 0 0",
    "mountain": "0 0 0 0 0",
    "swamp": "0 0 0 0 0",
}
"""By the defender's ground, for differences up to -4, 1, 4, 7 and more; 1?0: 1 with a die of 4 to 6, else 0."""


def place(number: str) -> Place:
    """Of a number such as 0203, N2426 or S2403: row 1 of S is row 24."""
    return int(number[-4:-2]), int(number[-2:]) + (23 if number[0] == "S" else 0)


def around(h: Place) -> list[Place]:
    """The six places round one: even columns stand half a hex further south."""
    c, r = h
    low = r if c % 2 == 0 else r - 1
    return [(c, r - 1), (c, r + 1), *((c + d, low + e) for d in (-1, 1) for e in (0, 1))]


def far(a: Place, b: Place) -> int:
    """Hexes from one to the other: first sideways, which also leads up or down, then straight."""
    (ca, ra), (cb, rb) = a, b
    ya, yb = 2 * ra + (ca % 2 == 0), 2 * rb + (cb % 2 == 0)
    sideways, up = abs(ca - cb), abs(ya - yb)
    return sideways + max(0, up - sideways) // 2


@dataclass
class Country:
    """The ground: terrain by place, and by the pair of places ways, water and crossings."""

    terrain: dict[Place, str] = field(default_factory=dict)
    ways: dict[frozenset[Place], set[str]] = field(default_factory=dict)
    water: dict[frozenset[Place], str] = field(default_factory=dict)
    climbs: set[tuple[Place, Place]] = field(default_factory=set)
    """Steps up a ridge."""


@dataclass
class Counter:
    """A counter and how it stands; leaders have no manpower."""

    id: str
    side: str
    branch: str
    size: str
    command: str
    army: str
    tactical: int
    artillery: int
    at: Place
    manpower: int = 0
    fatigue: int = 0
    disorganised: bool = False
    shaken: int = 0
    works: int = 0
    foreign: str = ""

    @property
    def leader(self) -> bool:
        return self.branch == "leader"

    @property
    def value(self) -> Fraction:
        """Its combat value (std-2.2-3)."""
        return Fraction(DISORGANISED[self.manpower] if self.disorganised else self.manpower)

    def commands(self, unit: Counter) -> bool:
        """Whether it leads a unit (std-6.3-1, std-6.3-3)."""
        if not self.leader or unit.leader or self.side != unit.side:
            return False
        return unit.army == self.army if self.size == "army" else bool(self.command) and unit.command == self.command


def country_of(data: Mapping[str, Any], rows: range | None = None) -> Country:
    """The ground of a map file's data, of a sheet's rows alone, the last of which only odd columns have."""
    found = Country()
    lines = [line.split() for line in data["terrain"]["rows"].splitlines()]
    for number, *letters in (line for line in lines if line and line[0].isdigit()):
        for column, letter in enumerate(letters, 1):
            if letter in LETTERS and (rows is None or int(number) in rows[: len(rows) - (column % 2 == 0)]):
                found.terrain[column, int(number)] = LETTERS[letter]
    for chain in data["roads"]["chains"]:
        for a, b in pairwise(map(place, chain["hexes"].split())):
            found.ways.setdefault(frozenset((a, b)), set()).add(chain["kind"])
    for chain in data["hexsides"]["chains"]:
        for pair in chain["sides"].split():
            if chain["kind"] == "ridge":
                foot, crest = map(place, pair.split("/"))
                found.climbs.add((foot, crest))
                continue
            between = frozenset(map(place, pair.split("/")))
            known = found.water.get(between, "creek")
            found.water[between] = max(known, chain["kind"], key=["creek", "minor_river", "major_river"].index)
    return found


# --- a position ------------------------------------------------------------------------------------------------------


@dataclass
class Field:
    """A position: the ground, the counters on the map, and the bridges that sides have built."""

    land: Country
    counters: list[Counter]
    bridges: dict[frozenset[Place], str] = field(default_factory=dict)

    # --- who stands where

    def here(self, h: Place, side: str = "") -> list[Counter]:
        """The counters in a hex, of a side."""
        return [c for c in self.counters if c.at == h and side in ("", c.side)]

    def units(self, h: Place, side: str) -> list[Counter]:
        """The combat units of a side in a hex."""
        return [c for c in self.here(h, side) if not c.leader]

    def foe(self, side: str) -> str:
        return "confederate" if side == "union" else "union"

    # --- steps: standard rules 6.1, 6.2

    def is_open(self, side: str, a: Place, b: Place) -> bool:
        """Whether a side can cross: no river without a crossing or a bridge of its own (std-6.1-7, std-10.0-4)."""
        between = frozenset((a, b))
        if self.land.water.get(between) not in RIVERS:
            return True
        return bool(self.land.ways.get(between, set()) & OVER.keys()) or self.bridges.get(between) == side

    def step(self, side: str, a: Place, b: Place) -> int | None:
        """The points of a step without who stands there; None where there is none."""
        if b not in around(a) or b not in self.land.terrain or not self.is_open(side, a, b):
            return None
        between = frozenset((a, b))
        ways, water = self.land.ways.get(between, set()), self.land.water.get(between, "")
        links = [ALONG[way] for way in ways if way in ALONG]
        points = min(links) if links else ENTER[self.land.terrain[b]]
        if water == "creek" and not ways & ROADS:
            points += 1
        points += (a, b) in self.land.climbs and not ways & ROADS  # up a ridge off the roads
        for crossing in ("bridge", "ford", "ferry", "dam"):
            if water in RIVERS and crossing in ways:
                return points + OVER[crossing]
        return points

    def crowd(self, side: str, h: Place, spared: Iterable[str] = ()) -> int:
        """What entering a hex costs for who is in it: 1 a division, 1/2 a brigade, rounded up (std-6.2-2)."""
        there = [c for c in self.units(h, side) if c.id not in spared]
        cost = sum({"division": Fraction(1), "brigade": Fraction(1, 2)}.get(c.size, Fraction(0)) for c in there)
        return -int(-cost // 1)

    # --- zones of control (std-2.4)

    def controls(self, side: str, a: Place, b: Place) -> bool:
        """Whether a combat unit of a side in one hex has its zone of control in the next."""
        if b not in self.land.terrain or not self.is_open(side, a, b):
            return False
        linked = bool(self.land.ways.get(frozenset((a, b)), set()) & ALONG.keys())
        return linked or not {self.land.terrain[a], self.land.terrain[b]} & {"swamp", "mountain"}

    def controllers(self, side: str, h: Place) -> set[Place]:
        """The hexes from which units of a side control a hex."""
        return {n for n in around(h) if self.units(n, side) and self.controls(side, n, h)}

    def weak(self, side: str, h: Place, against: Fraction) -> bool:
        """Whether a zone is restricted, where the option has that: five times its value and more (std-2.4-5)."""
        return against >= 5 * sum(c.value for c in self.units(h, side))

    def stops(self, unit: Counter, h: Place, *, all_zones: bool) -> bool:
        """Whether the enemy's zone of control in a hex stops a unit there (std-2.4-6, std-2.4-12)."""
        value = sum(c.value for c in self.units(h, unit.side) if c.id != unit.id) + unit.value
        foe = self.foe(unit.side)
        return any(all_zones or not self.weak(foe, n, value) for n in self.controllers(foe, h))

    def menaced(self, side: str, h: Place) -> bool:
        """Whether a hex is in any zone of the enemy's without a friendly combat unit (std-2.4-10)."""
        return bool(self.controllers(self.foe(side), h)) and not self.units(h, side)

    # --- leaders: standard rules 2.5, 3.0

    def reaches(self, leader: Counter, unit: Counter, most: int) -> bool:
        """Whether a way of so many hexes leads from a leader to a unit, off the enemy and his zones (std-3.0-3)."""
        todo, seen = deque([(leader.at, 0)]), {leader.at}
        while todo:
            here, gone = todo.popleft()
            if here == unit.at:
                return True
            for n in around(here) if gone < most else ():
                free = n in self.land.terrain and n not in seen and not self.here(n, self.foe(leader.side))
                if free and self.is_open(leader.side, here, n) and not self.menaced(leader.side, n):
                    seen.add(n)
                    todo.append((n, gone + 1))
        return False

    # --- combat (std-7.2 to 7.4, std-9, std-11)

    def values(self, attackers: Sequence[Counter], at: Place) -> tuple[Fraction, Fraction, Fraction]:
        """What the attackers and the defenders are worth, and the defenders with their works."""
        own = Fraction(0)
        for h in {c.at for c in attackers}:
            own += min(Fraction(70), sum(c.value for c in attackers if c.at == h))
        defenders = self.units(at, self.foe(attackers[0].side))
        whole = sum((c.value for c in defenders), Fraction(0))
        foot = [c for c in defenders if c.branch == "infantry"]
        dug = [c for c in foot if c.works >= 2]
        most = 130 if foot and len(dug) == len(foot) else 100 if foot and 2 * len(dug) >= len(foot) else 60
        counted = min(Fraction(most), whole)
        return own, counted, counted * sum(c.value * TIMES[c.works] for c in defenders) / whole

    def ratio(self, own: Fraction, behind: Fraction) -> int:
        """1:1 is 0, 2:1 is +1; 1:2 is -1; parts go to the defender; 5 at most (std-7.4-1, std-7.4-2)."""
        for times in range(6, 1, -1):
            if own >= times * behind:
                return times - 1
        if own >= behind:
            return 0
        return -next((less for less in range(1, 5) if own * (less + 1) >= behind), 5)

    def best(self, counters: Sequence[Counter]) -> int:
        """The best tactical value of units and of corps leaders stacked with one of theirs (std-7.4-3)."""
        found = [0 if c.shaken else c.tactical for c in counters]
        for leader in self.counters:
            with_him = [c for c in counters if c.at == leader.at and (leader.commands(c) or leader.foreign == c.id)]
            if leader.size == "corps" and with_him:
                found.append(leader.tactical)
        return max(found)

    def guns(self, attackers: Sequence[Counter], at: Place) -> tuple[int, str]:
        """The difference of the artillery, and what it adds with a high die and with a low one, or always."""
        defenders = self.units(at, self.foe(attackers[0].side))
        own = sum(c.artillery for c in attackers if not c.shaken)
        other = 0
        for c in defenders:
            if not c.shaken:
                other += c.artillery * TIMES[c.works] // 1
        difference = own - other
        row = 0 if difference <= -4 else 1 if difference <= 1 else 2 if difference <= 4 else 3 if difference <= 7 else 4
        cell = GUNS[self.land.terrain[at]].split()[row]
        if other == 0 and "-" in cell:
            cell = "0"  # no guns there, no harm
        return difference, cell

    def cover(self, side: str, at: Place, behind: Fraction) -> int:
        """The flank bonus of a side against a hex (std-7.4-12 to -14)."""
        basic = {5: 2, 6: 4}
        covered = less = 0
        for h in around(at):
            by = {c.id: c.value for c in self.units(h, side) if not c.shaken}
            for n in self.controllers(side, h) if h in self.land.terrain else ():
                by |= {c.id: c.value for c in self.units(n, side) if not c.shaken}
            enough = bool(by) and sum(by.values()) >= behind / 4
            foe = any(not c.shaken for c in self.units(h, self.foe(side)))
            if enough:
                covered, less = covered + 1, less + foe
            elif self.barred(side, at, h):
                covered, less = covered + 1, less + 1
        return max(0, basic.get(covered, 0) - min(3, less))

    def barred(self, side: str, at: Place, h: Place) -> bool:
        """Whether nobody gets from a hex to the next: off the map, wild ground without way, a river (std-7.4-12)."""
        if h not in self.land.terrain:
            return True
        between = frozenset((at, h))
        if self.land.terrain[h] in ("swamp", "mountain") and not self.land.ways.get(between, set()) & ALONG.keys():
            return True
        return not self.is_open(self.foe(side), at, h)  # a river; in rain also a creek off the roads

    def refusing(self, at: Place, side: str) -> list[str]:
        """The units of a side that can refuse the flanks of their hex: firm infantry, none of it worn out (R230)."""
        foot = [c for c in self.units(at, side) if c.branch == "infantry"]
        return [] if any(c.fatigue == 4 for c in foot) else sorted(c.id for c in foot if not c.shaken)

    def ground(self, side: str, origin: Place, at: Place) -> int:
        """The defender's modifiers of the ground between (standard rules 7.4-4 to 7.4-8)."""
        water = self.land.water.get(frozenset((origin, at)), "")
        found = 2 if water in RIVERS else 1 if water == "creek" else 0
        start, end = self.land.terrain[origin], self.land.terrain[at]
        down = (at, origin) in self.land.climbs
        found += 2 * ((origin, at) in self.land.climbs)
        if end == "mountain":
            found += 1 if start == "mountain" or down else 2
        if end == "hill" and start not in ("hill", "mountain") and not down:
            found += 1
        return found

    def dice(
        self, attackers: Sequence[Counter], at: Place, kind: str, commander: bool, refused: bool
    ) -> tuple[int, int]:
        """All that is added to both dice but for artillery."""
        side = attackers[0].side
        defenders = self.units(at, self.foe(side))
        own, _, behind = self.values(attackers, at)
        flanks = self.cover(side, at, behind)
        add = self.ratio(own, behind) + self.best(attackers) - self.best(defenders) + flanks
        add += {"assault": 1, "column": -3, "hasty": -1, "normal": 0, "prepared": 1}[kind] + commander
        other = min(self.ground(side, c.at, at) for c in attackers) + (-(-flanks // 2) if refused else 0)
        broken = sum(c.value for c in defenders if c.shaken == 2)
        return add, other - (2 * broken >= sum(c.value for c in defenders))

    # --- ways of retreat: standard rules 7.6

    def legal(self, side: str, gone: Path, barred: set[Place]) -> list[Place]:
        """The hexes to which a stack may step at all."""
        return [
            n
            for n in around(gone[-1])
            if n in self.land.terrain
            and n not in gone
            and n not in barred
            and self.is_open(side, gone[-1], n)
            and not self.here(n, self.foe(side))
        ]

    def onward(self, side: str, gone: Path, hexes: int, barred: set[Place]) -> Iterator[Path]:
        """Every way of so many more hexes, and those that find no other before."""
        steps = self.legal(side, gone, barred) if hexes else []
        if not steps:
            yield gone
        for n in steps:
            yield from self.onward(side, (*gone, n), hexes - 1, barred)

    def open_steps(self, side: str, gone: Path, hexes: int, least: int, barred: set[Place]) -> list[Place]:
        """The steps of a stack with so many hexes to go, blind alleys left out where there are others (std-7.6-8)."""
        steps = self.legal(side, gone, barred)
        ways = {n: [*self.onward(side, (*gone, n), hexes - 1, barred)] for n in steps}
        whole = len(gone) + hexes
        far_enough = [n for n in steps if any(len(w) == whole and far(w[-1], gone[0]) >= least for w in ways[n])]
        long_enough = [n for n in steps if any(len(w) == whole for w in ways[n])]
        longest = max((len(w) for n in steps for w in ways[n]), default=0)
        return far_enough or long_enough or [n for n in steps if max(map(len, ways[n])) == longest]

    def rank(self, side: str, a: Place, b: Place, away: Sequence[Place]) -> int:
        """The class of a step, 1 the best to 6 (std-7.6-2)."""
        farther = min(far(b, h) for h in away) > min(far(a, h) for h in away)
        linked = bool(self.land.ways.get(frozenset((a, b)), set()) & ALONG.keys())
        return (1 if farther and linked else 2 if farther else 3) + 3 * self.menaced(side, b)

    def default_way(
        self, side: str, start: Place, away: Sequence[Place], hexes: int, least: int, barred: set[Place]
    ) -> Path:
        """The way by default: the best class, then farther from the attackers, then the lower number."""
        gone: Path = (start,)
        for left in range(hexes, 0, -1):
            steps = self.open_steps(side, gone, left, least, barred)
            if not steps:
                break
            here = gone[-1]
            gone = (*gone, min(steps, key=lambda n: (self.rank(side, here, n, away), -min(far(n, h) for h in away), n)))
        return gone[1:]

    def may_retreat(self, side: str, path: Path, least: int, most: int, barred: set[Place]) -> bool:
        """Whether a way, its start first, may be gone when some length in the range is chosen."""
        return any(self._fits(side, path, hexes, least, barred) for hexes in range(least, most + 1))

    def _fits(self, side: str, path: Path, hexes: int, least: int, barred: set[Place]) -> bool:
        if not 1 < len(path) <= hexes + 1:
            return False
        for number in range(1, len(path)):
            left = hexes - number + 1
            if path[number] not in self.open_steps(side, path[:number], left, least, barred):
                return False
        return len(path) == hexes + 1 or not self.legal(side, path, barred)


# --- positions made ---------------------------------------------------------------------------------------------------


def counter_of(side: str, unit: Mapping[str, Any], at: Place, stands: Mapping[str, Any]) -> Counter:
    """A counter as its army's file prints it, in a hex, and how it stands there."""
    printed = {key: unit.get(key, "") for key in ("id", "branch", "size", "command", "army")}
    values = {key: int(unit.get(key, 0)) for key in ("tactical", "artillery")}
    return Counter(side=side, at=at, **printed, **values, **stands)


def field_of(
    land: Country, armies: Sequence[Mapping[str, Any]], state: Mapping[str, Any], foreign: Mapping[str, str]
) -> Field:
    """The position of a dumped state: who stands where and how."""
    found = []
    for army in armies:
        for unit in army["units"]:
            name = unit["id"]
            if name in state["at"]:
                stands = {
                    "manpower": state["manpower"].get(name, 0),
                    "fatigue": state["fatigue"].get(name, 0),
                    "disorganised": name in state["disorganised"],
                    "shaken": state["demoralised"].get(name, 0),
                    "works": state["works"].get(name, 0),
                    "foreign": "" if name in state["joined"] else foreign.get(name, ""),
                }
                found.append(counter_of(army["army"], unit, place(state["at"][name]), stands))
    bridges = {frozenset(map(place, pair.split("/"))): side for pair, side in state["bridges"].items()}
    return Field(land, found, bridges)
