"""A second reading of the campaigns' chapters (14 to 22), slow and plain: events, rain, rails, supply, merging, points.

Written from the clauses of the rulebook and sharing no code with pbem; it looks at a state as it is dumped. Its lists
and tables are typed a second time. A place is (column, row) as in the second reading of the standard rules.
"""

from __future__ import annotations

from collections import Counter as Count
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from systems import gcacw_slow as slow
from systems.gcacw_slow import Counter, Country, Field, Place, place

__all__ = ["ARRIVALS", "COUNTIES", "LINES", "Camp", "Fed", "Wet", "camp_of", "counties_of", "country_of", "level"]

SIDES = ("union", "confederate")

COUNTIES = {
    "F": "Frederick", "K": "Clarke", "W": "Warren", "L": "Loudoun", "Y": "Montgomery", "Q": "Fauquier",
    "R": "Rappahannock", "C": "Culpeper", "M": "Madison", "P": "Prince William", "X": "Fairfax", "S": "Stafford",
    "O": "Orange", "V": "Spotsylvania", "A": "Caroline", "G": "King George",
}  # fmt: skip
"""The sixteen counties, by the letters of the map's file (20.3-2)."""

FORAGE = {
    "Caroline": (3, 6), "Clarke": (5, 5), "Culpeper": (3, 5), "Fairfax": (5, 3), "Fauquier": (4, 4),
    "Frederick": (5, 5), "King George": (4, 4), "Loudoun": (6, 5), "Madison": (3, 5), "Montgomery": (6, 4),
    "Orange": (3, 6), "Prince William": (4, 4), "Rappahannock": (3, 4), "Spotsylvania": (3, 5), "Stafford": (4, 4),
    "Warren": (4, 4),
}  # fmt: skip
"""What the Union and the Confederate find in a county (20.4-5)."""

HOME = ("Caroline", "Culpeper", "Madison", "Orange", "Spotsylvania")  # 20.3-c1
DEPOTS = "N5809 N5810 N0301 S4101 S5021"  # 20.1-1
RAIDED = "S1418 S2414 S2612 S3108 S3307 S3703 S4101 N4422 N4721 N5020 N5220 N5620 N5819 S5021"
OTHER_STATIONS = "S1128 S1916 N2930 N1615 S0832 S2403 N2018 N2518 N3421 N3220 N0214 N3502 N5214 S4426 S4328"
RAILHEADS = "N5814 N5819"  # 20.3-u5
RAIL_STARTS = "N4721 N5220 N5020 N5620 N5819"  # 16.0-2
RAIL_TURNS, RAIL_HEXES, RAIL_VALUE = (7, 8, 9), 35, 16  # 16.0-1, 16.0-4, 16.0-8
AUTOMATIC = ("fairchild", "harland", "in-3", "ny-6")  # 22.1-sp3b2, 22.1-sp3e2
CHATHAM = frozenset((place("S4328"), place("S4427")))  # 19.0-1

EVENTS: dict[int, tuple[str, Any]] = {
    2: ("rain", 2), 3: ("rain", 1), 4: ("early", "union"), 5: ("early", "confederate"), 6: ("late", "union"),
    7: ("early", "union"), 8: ("paralysis", "union"), 9: ("rain", 0), 10: ("early", "confederate"),
    11: ("late", "confederate"), 12: ("paralysis", "confederate"),
}  # fmt: skip
"""The table of random events (14.0-table)."""

SOUTH, SOUTH_EAST = "S0134 S0233 S0334 S0833", "S3033 S3534 S3734 S3934 S4233"
LATE_THREE = ("iii-corps", "hooker")

ARRIVALS = {
    "iii-corps": ("union", 6, "S5021"), "hooker": ("union", 7, "S5021"), "piatt": ("union", 7, "N5819"),
    "vi-corps-van": ("union", 9, "N5819"), "scammon": ("union", 9, "N5819"), "sturgis": ("union", 9, "N5819"),
    "ii-corps": ("union", 11, "N5816"), "vi-corps": ("union", 11, "N5818"), "moor": ("union", 12, "N5816"),
    "couch": ("union", 14, "N5819"), "pleasonton": ("union", 15, "N5819"), "ripley": ("confederate", 8, SOUTH),
    "hampton": ("confederate", 9, SOUTH), "mclaws": ("confederate", 10, SOUTH), "dh-hill": ("confederate", 10, SOUTH),
    "walker": ("confederate", 12, SOUTH),
}  # fmt: skip
"""Who comes: side, turn, hexes (22.1-re1, 22.1-re4, 22.2-1)."""

MERGE_MOST = {
    ("infantry", "division"): 18, ("infantry", "brigade"): 9, ("infantry", "regiment"): 2, ("cavalry", "brigade"): 4,
    ("cavalry", "regiment"): 2,
}  # fmt: skip
"""Branch and size -> manpower that a merging leaves at most (21.2-6)."""

FOOT_REGIMENTS = ("waagner", "purnell", "vt-9", "ny-60")  # 21.2-u5
HORSE_REGIMENTS = ("in-3", "ny-6", "va-2")  # 21.2-u4, 21.2-c2
BRIGADES = {
    "griffin": ("morell", "sykes", "reynolds"),  # 21.2-u1
    "taylor": ("slocum", "smith"),  # 21.2-u2
    "kimball": ("sedgwick", "richardson"),  # 21.2-u3
}

LINES = {
    "22.1-vp2": ("N4422 N4721 N5220 N5620", (0, 15, 20, 22, 25)),
    "22.1-vp4": ("S2414 S3307 S4101 S3703", (0, 10, 12, 14, 16)),
}
"""What destroyed stations bring."""

OBJECTIVES = "S1418 S2403 S4426 S5021 N0214 N0301 N3502"
"""Those that bring 3 each; Fairfax Court House and Falls Church bring more (22.1-vp3, -vp5, -vp7)."""

BANDS = {"rapidan-to-rappahannock": (80, 60, 40, 19, -1), "rapidan-to-manassas": (92, 70, 47, 24, 2)}
"""From how many points on each level is reached, the Confederate decisive first (22.1-vic, 22.2-vic)."""

TITLES = (
    "Confederate decisive victory", "Confederate substantial victory", "Confederate marginal victory",
    "Union marginal victory", "Union substantial victory", "Union decisive victory",
)  # fmt: skip


def level(scenario: str, total: int) -> str:
    """The level of victory of so many points."""
    found = 0
    for least in BANDS[scenario]:
        if total >= least:
            break
        found += 1
    return TITLES[found]


def substitute(name: str) -> bool:
    """Whether a counter is one of the twelve substitutes (21.0-1)."""
    army, *rest = name.split("-")
    return army in ("union", "csa") and rest[:1] in (["sub"], ["cav"])


# --- the ground -------------------------------------------------------------------------------------------------------


def country_of(data: Mapping[str, Any]) -> Country:
    """The ground of both sheets; Chatham's bridge is none of it, but one that stands there (19.0-1)."""
    found = slow.country_of(data)
    found.ways[CHATHAM] = found.ways.get(CHATHAM, set()) - {"bridge"}
    return found


def counties_of(data: Mapping[str, Any]) -> dict[Place, str]:
    """The county of each hex."""
    found = {}
    for row in data["regions"]["rows"].splitlines():
        number, *letters = row.split() or ["#"]
        if number.isdigit():
            found |= {(c, int(number)): COUNTIES[x] for c, x in enumerate(letters, 1) if x in COUNTIES}
    return found


@dataclass
class Wet(Field):
    """A field in rain: fords, ferries and dams are closed, and creeks off the roads; steps cost more (14.0-rain)."""

    def is_open(self, side: str, a: Place, b: Place) -> bool:
        between = frozenset((a, b))
        ways, water = self.land.ways.get(between, set()), self.land.water.get(between, "")
        if water in slow.RIVERS:
            return "bridge" in ways or self.bridges.get(between) == side  # 14.0-rain-riv1
        return water != "creek" or bool(ways & slow.ROADS)  # 14.0-rain-riv2

    def step(self, side: str, a: Place, b: Place) -> Fraction | None:
        if b not in slow.around(a) or b not in self.land.terrain or not self.is_open(side, a, b):
            return None
        ways = self.land.ways.get(frozenset((a, b)), set())
        along = {"road": Fraction(2), "railroad": Fraction(2), "pike": Fraction(3, 2)}  # 14.0-rain-mv1, -mv2
        prices = [along[way] for way in ways if way in along]
        if "trail" in ways:
            prices.append(Fraction(3))  # 14.0-rain-mv3: one more without road, pike or railroad
        kind = self.land.terrain[b]
        off = Fraction(slow.ENTER[kind] + (kind not in ("clear", "city")))
        uphill = (a, b) in self.land.climbs and not ways & slow.ROADS
        return min(prices, default=off) + uphill

    def controls(self, side: str, a: Place, b: Place) -> bool:
        between = frozenset((a, b))
        ways, water = self.land.ways.get(between, set()), self.land.water.get(between, "")
        bridged = "bridge" in ways or self.bridges.get(between) == side
        ford = "ford" in ways and not bridged
        if ford or (water == "creek" and not ways & slow.ROADS):
            return False  # 14.0-rain-zoc
        return Field.controls(self.dry(), side, a, b)

    def reaches(self, leader: Counter, unit: Counter, most: int) -> bool:
        return self.dry().reaches(leader, unit, most)  # 14.0-rain-ldr

    def dry(self) -> Field:
        """The same field without the rain."""
        return Field(self.land, self.counters, self.bridges)

    def ground(self, side: str, origin: Place, at: Place) -> int:
        creek = self.land.water.get(frozenset((origin, at))) == "creek"
        return self.dry().ground(side, origin, at) + creek  # 14.0-rain-att3: 2 in place of 1


# --- a position -------------------------------------------------------------------------------------------------------


@dataclass
class Fed:
    """Who is in supply in a status phase: by which way; `depots`: those of whom a depot feeds two alone."""

    how: dict[str, str]
    depots: dict[str, list[str]]


@dataclass
class Camp:
    """A position of a campaign: the field, the counties, and the rest of a state as it is dumped."""

    field: Field
    county: Mapping[Place, str]
    state: Mapping[str, Any]

    # --- what the state says

    def all(self, name: str) -> set[str]:
        """The ids of a list of the dump."""
        return set(self.state.get(name, ()))

    def marks(self, name: str) -> dict[str, Any]:
        """A mapping of the dump."""
        return dict(self.state.get(name, {}))

    @property
    def turn(self) -> int:
        return int(self.state["turn"])

    @property
    def units(self) -> dict[str, Counter]:
        """The combat units on the map, by id."""
        return {c.id: c for c in self.field.counters if not c.leader}

    def own(self, side: str) -> list[Counter]:
        return [c for c in self.units.values() if c.side == side]

    def home(self, c: Counter) -> str:
        """The county in which a counter stands."""
        return self.county[c.at]

    def hurt(self) -> dict[Place, int]:
        """The stations that are damaged, 1, or destroyed, 2."""
        return {place(label): how for label, how in self.marks("station").items()}

    def wet(self) -> bool:
        """Whether it rains (14.0-rain-now)."""
        return self.turn <= int(self.state.get("rain", 0))

    def held_by(self, side: str, label: str) -> bool:
        return any(c.side == side for c in self.field.counters if c.at == place(label))

    # --- random events: clauses 14.0

    def happens(self, dice: Sequence[int]) -> tuple[int, set[str], dict[str, int]]:
        """Until when it rains, who is paralysed and when each arrival is due behind an event."""
        kind, what = EVENTS[sum(dice)]
        rain, ill, due = int(self.state.get("rain", 0)), self.all("paralysed"), self.due()
        if kind == "rain" and not self.wet():
            rain = self.turn + what
        if kind == "paralysis":
            ill = ill | {str(what)}
        for name, turn in due.items():
            if name in self.all("waiting") and ARRIVALS[name][0] == what:
                due[name] += (kind == "late" and turn == self.turn) - (kind == "early" and turn == self.turn + 1)
        return rain, ill, due

    def due(self) -> dict[str, int]:
        """When each arrival is due as things stand."""
        moved = self.marks("due")
        return {name: moved.get(name, turn) for name, (_, turn, _) in ARRIVALS.items() if name in self.all("waiting")}

    def force(self, side: str) -> bool:
        """Whether a side may force marches (14.0-par3, 18.0-4)."""
        return side not in self.all("paralysed") and not (side == "union" and self.panicking())

    def panicking(self) -> bool:
        """Whether it is the turn of the panic or the next one (18.0-3)."""
        began = int(self.state.get("panic", 0))
        return began > 0 and began <= self.turn <= began + 1

    def points(self, side: str, branch: str, dice: Sequence[int], led: bool) -> int:
        """The points of a march (std-5.1-2, std-5.2-2, 14.0-par1, 14.0-par2)."""
        more = led * (2 if side == "confederate" else 1)
        if branch == "infantry" and side == "confederate" and not led:
            more = 1
        less = (2 if branch == "infantry" else 4) if side in self.all("paralysed") else 0
        return max(1, sum(dice) + more - less)

    # --- arrivals: clauses 22.1-re

    def placed(self, side: str) -> tuple[set[tuple[str, str]], set[str]]:
        """Where a side's arrivals that are due may come in, and which of them may be put off."""
        spots, off = set(), set()
        enemy = self.field.foe(side)
        for name, turn in self.due().items():
            if ARRIVALS[name][0] != side or turn > self.turn:
                continue
            late = name in self.all("put_off")
            hexes = ARRIVALS[name][2]
            if late:
                hexes = SOUTH_EAST if side == "confederate" else "N5819"  # 22.1-re5, 22.1-re2
            spots |= {(name, label) for label in hexes.split() if not self.held_by(enemy, label)}
            whole = all(other in self.all("waiting") for other in LATE_THREE)
            if not late and (side == "confederate" or (name in LATE_THREE and whole)):
                off.add(name)
        return spots, off

    def must_wait(self, name: str) -> bool:
        """Whether one of the three that come to Aquia Creek must come in at 6-Mile Post (22.1-re3)."""
        taken = self.held_by("confederate", "S5021") or "S5021" in self.all("controlled")
        return name in LATE_THREE and name not in self.all("put_off") and taken

    def delayed(self, name: str) -> dict[str, int]:
        """When those come who are put off: by one turn from when they come now, the three together (22.1-re2, -re5)."""
        due = self.due()
        found = {name: max(due[name], self.turn) + 1}
        if name in LATE_THREE:
            found |= {other: due[other] + 1 for other in LATE_THREE if other != name}
        return found

    # --- supply: chapter 20

    def standing(self) -> list[Place]:
        """The depots that are there."""
        return [place(label) for label in sorted(self.all("depots"))]

    def by_rail(self, station: Place) -> bool:
        """Whether whole railroad leads from a whole station to Upton's Hill or 6-Mile Post (20.3-u5, 20.3-u6)."""
        hurt, ends = self.hurt(), [place(label) for label in RAILHEADS.split()]
        seen, todo = {station}, [station]
        while todo:
            h = todo.pop()
            if h in hurt:
                continue
            if h in ends:
                return True
            for n in slow.around(h):
                if n not in seen and "railroad" in self.field.land.ways.get(frozenset((h, n)), ()):
                    seen.add(n)
                    todo.append(n)
        return False

    def fed_counties(self) -> set[str]:
        """The counties in which the Union is in supply (20.3-u1 to -u7)."""
        stations = [place(label) for label in f"{RAIDED} {OTHER_STATIONS}".split()]
        return {self.county[h] for h in [*self.standing(), *filter(self.by_rail, stations)]}

    def feeds(self) -> Fed:
        """Who is in supply (20.3)."""
        how: dict[str, str] = {}
        rich = self.fed_counties()
        acted = self.all("acted")
        for c in self.own("union"):
            free = c.id in AUTOMATIC and c.id not in acted
            how[c.id] = "free" if free else "county" if self.home(c) in rich else ""
        shared: dict[str, list[str]] = {}
        for c in self.own("confederate"):
            how[c.id] = "county" if self.home(c) in HOME else ""
            if not how[c.id] and c.at in self.standing():
                shared.setdefault(str(c.at), []).append(c.id)
        return Fed(how, shared)

    def first_fed(self, ids: Iterable[str]) -> list[str]:
        """The two whom a depot feeds by default: who have most men, then by id (20.3-c4)."""
        found = list(ids)
        found.sort()
        found.sort(key=lambda name: self.units[name].manpower, reverse=True)
        return found[:2]

    def judged(self, fed: Mapping[str, str]) -> tuple[set[str], dict[str, int], set[str]]:
        """Who is out of supply, everybody's manpower and who is disorganised behind a status phase (20.3)."""
        was = self.all("hungry")
        out, men, loose = set(), {}, set()
        for name, c in self.units.items():
            left, broken = c.manpower, c.disorganised
            if not fed[name]:
                out.add(name)
                if name in was:  # 20.3-c3, 20.3-u10
                    left, broken = left - 1, True
            if left == 0:  # 20.3-6
                out.discard(name)
                continue
            men[name] = left
            if broken:
                loose.add(name)
        return out, men, loose

    def starved(self) -> tuple[dict[str, int], set[str]]:
        """Manpower and order behind the supply effects (20.5-3 to -7)."""
        men = {name: c.manpower for name, c in self.units.items()}
        loose = {name for name, c in self.units.items() if c.disorganised}
        for name in self.all("hungry"):
            c = self.units[name]
            if not c.disorganised:
                loose.add(name)
            elif c.fatigue > 0:
                men[name] = max(1, men[name] - 1)
        return men, loose

    def rested(self) -> tuple[dict[str, int], set[str], dict[str, int]]:
        """Fatigue, order and fear behind the last step of recovery (std-8.0-2 to -4, 20.5-2)."""
        tired = {name: {3: 1, 4: 2}.get(c.fatigue, 0) for name, c in self.units.items()}
        hungry = self.all("hungry")
        loose = {name for name, c in self.units.items() if c.disorganised and (tired[name] or name in hungry)}
        fear = {name: c.shaken - (c.shaken > 0 and c.fatigue <= 2) for name, c in self.units.items()}
        return {n: t for n, t in tired.items() if t}, loose, {n: f for n, f in fear.items() if f}

    def foragers(self, side: str) -> set[str]:
        """Who may forage (20.4-1 to -3, 20.4-8)."""
        busy = self.all("worked") | self.all("foraged")
        return {c.id for c in self.own(side) if c.id in self.all("hungry") and c.fatigue <= 2} - busy

    def finds(self, name: str, die: int, spread: bool) -> bool:
        """Whether a unit's die, with fatigue and perhaps dispersal, finds food (20.4-5, 20.4-6, 20.4-opt, -opt2)."""
        c = self.units[name]
        add = 0
        if spread and c.branch == "infantry":
            tried = [self.units[other] for other in self.all("foraged") if other in self.units]
            near = [o for o in tried if o.side == c.side and o.branch == "infantry" and slow.far(o.at, c.at) <= 1]
            add = len(near)
        return die + c.fatigue + add <= FORAGE[self.home(c)][SIDES.index(c.side)]

    def mended(self) -> list[Place]:
        """The stations for which the Union rolls in the repair phase, in the order of the dice (20.2-1, 20.2-2)."""
        found = []
        for h, how in self.hurt().items():
            there = self.field.units(h, "confederate")
            if how == 1 and not there and not self.field.controllers("confederate", h):
                found.append(h)
        return sorted(found)

    # --- who may act, and where: clauses 22.1-sp

    def freed(self, entered: Iterable[Place]) -> set[str]:
        """Who is held no more as Confederate units have come into these hexes (22.1-sp3b, -sp3d1, -sp3e1)."""
        hexes = set(entered)
        counties = {self.county[h] for h in hexes}
        found = set()
        if counties & {"Spotsylvania", "Stafford"}:
            found |= {"fairchild", "harland", "in-3", "ny-6"}
        if any(slow.far(h, place("S2820")) <= 4 for h in hexes):
            found |= {"ny-6"}
        return found | ({"waagner", "casey", "whipple"} if "Fairfax" in counties else set())

    def held(self, name: str, freed: Iterable[str]) -> bool:
        """Whether a counter may neither act nor entrench in this turn."""
        if self.turn == 1:  # 22.1-sp1, 22.1-sp2a; a substitute as the unit whose men it has
            side, name = self.side_of(name), self.marks("origin").get(name, name)
            begun = self.marks("set-up").get(name)
            south = begun is not None and self.county[place(begun)] in ("Culpeper", "Madison") and name != "ny-6"
            return not (name == "griffin" or (south and side == "union"))
        until = {"reynolds": 3, "porter": 4, "morell": 4, "sykes": 5, "waagner": 8, "casey": 8, "whipple": 8}
        late = self.turn < until.get(name, 0)
        return (late or name in AUTOMATIC) and name not in set(freed)

    def side_of(self, name: str) -> str:
        return next(c.side for c in self.field.counters if c.id == name)

    def shut(self, name: str, h: Place) -> bool:
        """Whether a counter may never enter a hex (20.1-6, 22.1-sp3a, 22.1-sp3d2)."""
        if name in ("white", "vt-9"):
            return self.county[h] not in ("Frederick", "Clarke", "Warren")
        if name in ("casey", "whipple"):
            return h[0] <= 49
        if self.side_of(name) == "union":
            return False
        return h in (place("N5809"), place("N5810")) or (self.county[h] == "Montgomery" and h[0] >= 54)

    # --- railroads: chapter 16

    def may_rail(self, name: str, gone: Mapping[str, Fraction]) -> bool:
        """Whether a unit that can act may go by rail now, when those have gone in this cycle (16.0-1, -2, -8, -9)."""
        c = self.units[name]
        if c.side != "union" or c.branch != "infantry" or self.turn not in RAIL_TURNS:
            return False
        more = Fraction(0) if name in gone else c.value
        return c.at in map(place, RAIL_STARTS.split()) and sum(gone.values()) + more <= RAIL_VALUE

    def railed_to(self, name: str, all_zones: bool) -> set[Place]:
        """The hexes to which a unit can go by rail (16.0-4 to -6)."""
        c, hurt = self.units[name], self.hurt()
        found, edge = {c.at}, {c.at}
        for _ in range(RAIL_HEXES):
            steps = {n for h in edge for n in slow.around(h) if self._rails(h, n)} - found
            edge = {
                n
                for n in steps
                if n not in hurt
                and not self.field.here(n, "confederate")
                and not self.field.stops(c, n, all_zones=all_zones)
                and not self.shut(name, n)
            }
            found |= edge
        return found - {c.at}

    def _rails(self, a: Place, b: Place) -> bool:
        return "railroad" in self.field.land.ways.get(frozenset((a, b)), ())

    # --- panic and leaders: chapters 17, 18

    def who_comes(self) -> set[Place]:
        """Where McClellan comes in for Pope; several where the northernmost hexes are as far north (18.0-5)."""
        pope = [c.at for c in self.field.counters if c.id == "pope"]
        if pope:
            return set(pope)
        units = [c for c in self.own("union") if c.army == "AP"] or self.own("union")
        north = min((2 * c.at[1] + (c.at[0] % 2 == 0) for c in units), default=0)
        return {c.at for c in units if 2 * c.at[1] + (c.at[0] % 2 == 0) == north}

    def mortal(self, side: str, attackers: Sequence[str], at: Place) -> set[str]:
        """The Confederate corps leaders one of whom two ones may kill (17.0-1, 17.0-3, 17.0-4, 17.0-6)."""
        found = []
        for leader in self.field.counters:
            if leader.side != "confederate" or leader.size != "corps" or leader.id in self.all("killed"):
                continue
            led = [self.units[name] for name in attackers if leader.commands(self.units[name])]
            if leader.at == at if side == "union" else leader.at in [c.at for c in led]:
                found.append(leader)
        best = max((leader.tactical for leader in found), default=0)
        return {leader.id for leader in found if leader.tactical == best}

    # --- substitutes: chapter 21

    def may_detach(self, name: str, parts: Sequence[tuple[str, int]]) -> bool:
        """Whether a unit may leave so many men as these substitutes where it begins (21.0, 21.1-1, -2, -11, -13)."""
        c = self.units[name]
        army = "union" if c.side == "union" else "csa"
        kind = "sub" if c.branch == "infantry" else "cav"
        most = 9 if c.branch == "infantry" else 2
        for sub, men in parts:
            if sub not in {f"{army}-{kind}-{n}" for n in (1, 2, 3)} or sub in self.units or not 1 <= men <= most:
                return False
        twice = Count(sub for sub, _ in parts).most_common(1)[0][1] > 1
        return not twice and sum(men for _, men in parts) < c.manpower

    def merges(self, side: str) -> set[tuple[str, str]]:
        """Who may merge into whom (21.2)."""
        return {(a.id, b.id) for a in self.own(side) for b in self.own(side) if self.may_merge(a, b)}

    def may_merge(self, a: Counter, b: Counter) -> bool:
        """Whether the first may merge into the second (21.2-1, 21.2-6, 21.2-u0 to -c2)."""
        if a.id == b.id or a.at != b.at or a.branch != b.branch:
            return False
        if a.manpower + b.manpower > MERGE_MOST[b.branch, b.size] or self.leaves_alone(a):
            return False
        if substitute(a.id):
            return True
        if a.id in FOOT_REGIMENTS:
            return b.size in ("brigade", "division")
        if a.id in HORSE_REGIMENTS:
            return b.size == "brigade"
        if a.id == "evans":
            return b.command == "L"
        return b.id in BRIGADES.get(a.id, ())

    def leaves_alone(self, unit: Counter) -> bool:
        """Whether a leader in its hex would have no unit of his command there without it (std-6.3-1)."""
        there = [c for c in self.field.counters if c.at == unit.at and c.side == unit.side]
        with_him = {c.id: [u.id for u in there if c.commands(u) or c.foreign == u.id] for c in there if c.leader}
        return any({*led} <= {unit.id} for led in with_him.values())

    def merged(self, one: str, other: str) -> dict[str, Any]:
        """How the receiver of a merging stands behind it (21.2-2 to -8)."""
        a, b = self.units[one], self.units[other]
        hungry = self.all("hungry")
        return {
            "manpower": a.manpower + b.manpower,
            "disorganised": a.disorganised if a.manpower > b.manpower else b.disorganised,
            "fatigue": max(a.fatigue, b.fatigue),
            "shaken": max(a.shaken, b.shaken),
            "works": b.works,
            "hungry": one in hungry or other in hungry,
        }

    # --- victory: clauses 22.1-vp, 22.2-vic

    def score(self) -> dict[str, int]:
        """The points of each item at the moment."""
        hurt, taken = self.hurt(), self.all("controlled")
        lost = self.marks("lost")
        found = {"22.1-vp1": 15 * (int(self.state.get("panic", 0)) > 0)}
        for clause, (labels, steps) in LINES.items():
            found[clause] = steps[sum(hurt.get(place(label)) == 2 for label in labels.split())]
        found["22.1-vp3"] = 12 * ("N5715" in taken)
        found["22.1-vp5"] = 8 * ("N5017" in taken)
        found["22.1-vp6"] = 6 * sum(label not in self.all("depots") for label in DEPOTS.split())
        found["22.1-vp7"] = 3 * sum(label in taken for label in OBJECTIVES.split())
        found["22.1-vp8"] = 2 * self.divisions("Fairfax", "Prince William")
        found["22.1-vp9"] = self.divisions("Loudoun", "Clarke", "Frederick")
        found["22.1-vp11"] = lost["union"] - lost["confederate"]
        return found

    def divisions(self, *counties: str) -> int:
        """The Confederate infantry divisions in counties that aren't shut in (22.1-vp8, -vp9, -vp10)."""
        found = [c for c in self.own("confederate") if (c.branch, c.size) == ("infantry", "division")]
        return sum(self.home(c) in counties and not self.shut_in(c.at) for c in found)

    def shut_in(self, h: Place) -> bool:
        """Whether the six hexes round one hold Union infantry or are in its zones of control (22.1-vp10)."""
        foot = [c.at for c in self.own("union") if c.branch == "infantry"]
        return all(n in foot or any(n in slow.around(f) and self.field.controls("union", f, n) for f in foot)
                   for n in slow.around(h))  # fmt: skip


def camp_of(
    land: Country,
    counties: Mapping[Place, str],
    armies: Sequence[Mapping[str, Any]],
    dumped: Mapping[str, Any],
) -> Camp:
    """The position of a dumped state; substitutes are of the corps and army of whom they come (21.1-8)."""
    field = slow.field_of(land, armies, dumped, {})
    printed = {unit["id"]: unit for army in armies for unit in army["units"]}
    killed = set(dumped.get("killed", ()))
    for c in field.counters:
        if c.id in dumped.get("origin", {}):
            source = printed[dumped["origin"][c.id]]
            c.command, c.army = source.get("command", ""), source.get("army", "")
        if c.id in killed:
            c.tactical = max(1, c.tactical - 1)  # 17.0-5
    camp = Camp(field, counties, dumped)
    if camp.wet():
        camp.field = Wet(field.land, field.counters, field.bridges)
    return camp
