"""A position of a campaign as the judge keeps it: counters, zones, ways of leaders, supply, retreats, flanks."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any

from systems.gcacw_judge_land import Hex, Land, Side, apart, around, hex_of, label_of

HALF = Fraction(1, 2)
FEEBLE = [0, HALF, 1, 2, 3, 3, 4, 5, 6, 6, 7, 8, 8, 9, 10, 10, 11, 12, 12, 13, 14, 14]
"""Combat value of the disorganised by manpower: std-2.2-3."""
WORKS = [Fraction(1), Fraction(3, 2), Fraction(2), Fraction(2), Fraction(3)]
"""What stages of works multiply: R292."""
OTHER = {"union": "confederate", "confederate": "union"}


class Camp:
    """Everything that is on the map or beside it."""

    def __init__(self, land: Land, scenario: Mapping[str, Any], armies: Iterable[Mapping[str, Any]]) -> None:
        self.land, self.scenario, self.advanced = land, scenario, scenario["advanced"]
        self.units = {u["id"]: {**u, "side": a["army"]} for a in armies for u in a["units"]}
        self.place = {u: n for n, u in enumerate(self.units)}
        self.substitutes = list(self.advanced["substitutes"])
        for u in self.units.values():
            u["leader"] = u["branch"] == "leader"
        self.at: dict[str, Hex] = {}
        self.men: dict[str, int] = {}
        self.fatigue: dict[str, int] = {}
        self.loose: set[str] = set()
        self.fear: dict[str, int] = {}
        self.works: dict[str, int] = {}
        self.hungry: set[str] = set()
        self.stations = {hex_of(label): 0 for label in scenario["stations"]}
        self.depots = {hex_of(d["at"]): d["lost-by"] for d in self.advanced["depots"]}
        self.all_depots = len(self.depots)
        self.control: set[Hex] = set()
        self.bridges: dict[Side, str] = {}
        self.chatham: Side = frozenset(map(hex_of, self.advanced["pontoon"]["between"]))
        self.bridges[self.chatham] = "union"  # 19.0-1
        self.pontoon_gone = 0  # the turn in which it was taken away last
        self.free: set[str] = set()
        self.acted: set[str] = set()
        self.fallen: set[str] = set()
        self.removed: set[str] = set()
        self.lost = {"union": 0, "confederate": 0}
        self.turn, self.rain_until, self.panic = 0, 0, 0
        self.paralysed: set[str] = set()
        self.waiting_leaders: set[str] = set()
        for one in scenario["set-up"]:
            self.at[one["unit"]] = hex_of(one["at"])
            if "manpower" in one:
                self.men[one["unit"]] = one["manpower"]
            if one.get("works"):
                self.works[one["unit"]] = one["works"]

    # --- counters ------------------------------------------------------------------------------------------------

    def side(self, unit: str) -> str:
        return self.units[unit]["side"]

    def fights(self, unit: str) -> bool:
        return not self.units[unit]["leader"]

    def foot(self, unit: str) -> bool:
        return self.units[unit]["branch"] == "infantry"

    def here(self, h: Hex, side: str | None = None) -> list[str]:
        return sorted((u for u, at in self.at.items() if at == h and side in (None, self.side(u))), key=self.rank)

    def rank(self, unit: str) -> tuple[int, int, str]:
        """Leaders as their army lists them, then units by id: the order in which things are told."""
        return (0, self.place[unit], "") if self.units[unit]["leader"] else (1, 0, unit)

    def men_here(self, h: Hex, side: str | None = None) -> list[str]:
        return [u for u in self.here(h, side) if self.fights(u)]

    def leaders_here(self, h: Hex, side: str) -> list[str]:
        return [u for u in self.here(h, side) if not self.fights(u)]

    def own(self, side: str) -> list[str]:
        return [u for u in self.at if self.side(u) == side and self.fights(u)]

    def value(self, unit: str) -> Fraction:
        return Fraction(FEEBLE[self.men[unit]] if unit in self.loose else self.men[unit])

    def values(self, units: Iterable[str]) -> Fraction:
        return sum(map(self.value, units), Fraction(0))

    def commands(self, leader: str, unit: str) -> bool:
        """Whether a unit is of a leader's corps, or of an army leader's army."""
        who, whom = self.units[leader], self.units[unit]
        if who["side"] != whom["side"] or not self.fights(unit):
            return False
        if who["size"] == "army":
            both = {"AV", "AP"} if leader == "mcclellan" else {who["army"]}  # 18.0-6
            return whom["army"] in both
        return bool(who.get("command")) and who["command"] == whom.get("command")

    def tactical(self, leader_or_unit: str) -> int:
        if self.fear.get(leader_or_unit):
            return 0  # std-11.0-2
        return max(self.units[leader_or_unit].get("tactical", 0) - (leader_or_unit in self.fallen), 0)  # 17.0-5

    def command_value(self, leader: str) -> int:
        return self.units[leader]["command-value"] - (leader in self.fallen)

    @property
    def rain(self) -> bool:
        return self.turn <= self.rain_until

    # --- holds and bans ------------------------------------------------------------------------------------------

    def held(self, unit: str) -> bool:
        """Whether a scenario's rule keeps a counter from acting: 22.1-sp2a, 22.1-sp3."""
        first = self.scenario["one-sided"][0]
        if self.turn == first["turn"] and unit not in first["units"] and unit not in self.substitutes:
            return True
        return any(
            unit in hold["units"] and unit not in self.free and self.turn < hold.get("until", 99)
            for hold in self.scenario["holds"]
        )

    def banned(self, unit: str, h: Hex) -> bool:
        """22.1-sp3a, 22.1-sp3d2, 20.1-6."""
        for ban in self.scenario["bans"]:
            if unit not in ban.get("units", [unit]) or self.side(unit) != ban.get("side", self.side(unit)):
                continue
            if not self.fights(unit):
                continue
            county, column = self.land.county[h], h[0]
            if "outside" in ban and county not in ban["outside"]:
                return True
            if column <= ban.get("columns-to", 0):
                return True
            if h in map(hex_of, ban.get("hexes", ())):
                return True
            if column >= ban.get("columns-from", 99) and county in ban["regions"]:
                return True
        return False

    # --- hexsides and zones --------------------------------------------------------------------------------------

    def crossed(self, side: str, a: Hex, b: Hex) -> str:
        mine = [s for s, owner in self.bridges.items() if owner == side]
        barred = [s for s, owner in self.bridges.items() if owner != side]
        if self.chatham not in self.bridges:
            barred.append(self.chatham)  # 19.0-5
        return self.land.crossed(a, b, mine, barred)

    def passable(self, side: str, a: Hex, b: Hex, rain: bool | None = None) -> bool:
        """Whether a hexside can be crossed or attacked over: std-6.1-7, std-7.1-5, 14.0-rain-riv1, -riv2, -att2."""
        how, wet = self.crossed(side, a, b), self.rain if rain is None else rain
        if how == "no" or (wet and how not in ("dry", "bridge")):
            return False
        return not (wet and self.land.washed(a, b))

    def reaches(self, side: str, a: Hex, b: Hex, rain: bool) -> bool:
        """Whether a zone reaches from one hex to the next: std-2.4-2, std-2.4-3, 14.0-rain-zoc."""
        how = self.crossed(side, a, b)
        if how == "no" or self.land.wild(a, b):
            return False
        return not (rain and (how == "ford" or self.land.washed(a, b)))

    def zone_by(self, side: str, h: Hex, rain: bool | None = None) -> list[str]:
        """The units of a side in whose zones a hex lies."""
        wet = self.rain if rain is None else rain
        return [u for n in self.land.near(h) if self.reaches(side, n, h, wet) for u in self.men_here(n, side)]

    def in_zone(self, h: Hex, of: str, rain: bool | None = None) -> bool:
        wet = self.rain if rain is None else rain
        return any(self.men_here(n, of) and self.reaches(of, n, h, wet) for n in self.land.near(h))

    # --- leaders' ways -------------------------------------------------------------------------------------------

    def led_within(self, leader: str, most: int) -> dict[Hex, int]:
        """How far hexes are by a leader's way: std-2.5-2, std-2.5-3, std-3.0-3; rain changes nothing: 14.0-rain-ldr."""
        side = self.side(leader)
        start = self.at[leader]
        far, edge = {start: 0}, [start]
        while edge:
            a = edge.pop(0)
            if far[a] == most:
                continue
            for b in self.land.near(a):
                if b in far or not self.passable(side, a, b, rain=False) or self.men_here(b, OTHER[side]):
                    continue
                if self.in_zone(b, OTHER[side], rain=False) and not self.men_here(b, side):
                    continue
                far[b] = far[a] + 1
                edge.append(b)
        return far

    def deserted(self, h: Hex, side: str, gone: Collection[str]) -> list[str]:
        """Leaders who would be left in a hex without a unit of theirs: std-6.3-1."""
        stay = [u for u in self.here(h, side) if u not in gone]
        return [
            leader for leader in stay
            if not self.fights(leader) and not any(self.commands(leader, u) for u in stay if self.fights(u))
        ]  # fmt: skip

    # --- supply --------------------------------------------------------------------------------------------------

    def fed_counties(self) -> set[str]:
        """Counties in which the Union is in supply: 20.3-u1, 20.3-u5, 20.3-u6."""
        hurt = {h for h, state in self.stations.items() if state}
        seen = {hex_of(label) for label in self.advanced["ends"]} - hurt
        edge = list(seen)
        while edge:
            for b in self.land.rails[edge.pop()] - seen - hurt:
                seen.add(b)
                edge.append(b)
        stations = {*self.stations, *map(hex_of, self.advanced["stations"])}
        return {self.land.county[h] for h in (stations & seen) - hurt} | {self.land.county[h] for h in self.depots}

    # --- retreats ------------------------------------------------------------------------------------------------

    def back_steps(self, units: Collection[str], side: str, way: list[Hex]) -> list[Hex]:
        """Legal steps of a retreat that has come along a way: std-7.6-4."""
        return [
            b for b in self.land.near(way[-1])
            if b not in way and self.passable(side, way[-1], b) and not self.men_here(b, OTHER[side])
            and not any(self.banned(u, b) for u in units)
        ]  # fmt: skip

    def longest(self, units: Collection[str], side: str, way: list[Hex], most: int) -> int:
        """How many more steps can be made, up to a number."""
        if most == 0:
            return 0
        best = 0
        for b in self.back_steps(units, side, way):
            best = max(best, 1 + self.longest(units, side, [*way, b], most - 1))
            if best == most:
                break
        return best

    def can_end_off(self, units: Collection[str], side: str, way: list[Hex], left: int, least: int) -> bool:
        """Whether so many steps more lead to an end at least so far from the hex left."""
        if left == 0:
            return apart(way[0], way[-1]) >= least
        if apart(way[0], way[-1]) + left < least:
            return False
        return any(self.can_end_off(units, side, [*way, b], left - 1, least) for b in self.back_steps(units, side, way))

    def open_steps(self, units: Collection[str], side: str, way: list[Hex], left: int, least: int) -> list[Hex]:
        """Steps that lead into no blind alley: std-7.6-8."""
        legal = self.back_steps(units, side, way)
        good = [b for b in legal if self.can_end_off(units, side, [*way, b], left - 1, least)]
        if good:
            return good
        reach = {b: self.longest(units, side, [*way, b], left - 1) for b in legal}
        return [b for b in legal if reach[b] == max(reach.values())]

    def step_class(self, side: str, a: Hex, b: Hex, foes: Collection[Hex]) -> int:
        """std-7.6-2."""
        farther = min(apart(b, f) for f in foes) > min(apart(a, f) for f in foes)
        kind = (1 if self.land.way(a, b) else 2) if farther else 3
        return kind + 3 * (self.in_zone(b, OTHER[side]) and not self.men_here(b, side))

    # --- flanks --------------------------------------------------------------------------------------------------

    def flanks(self, h: Hex, side: str, works_value: Fraction) -> int:
        """The attacker's bonus for covered hexes: std-7.4-12 to -14, R291."""
        covered = cut = 0
        for n in around(h):
            steady = [u for u in self.men_here(n, OTHER[side]) if not self.fear.get(u)] if n in self.land.ground else []
            if n in self.land.ground:
                force = {u for u in (*self.men_here(n, side), *self.zone_by(side, n)) if not self.fear.get(u)}
                strong = bool(force) and 4 * self.values(force) >= works_value
            else:
                strong = False
            if strong or self.shut(h, n, OTHER[side]):
                covered += 1
                cut += bool(steady) or not strong
        return max(0, {5: 2, 6: 4}.get(covered, 0) - min(cut, 3))

    def shut(self, h: Hex, n: Hex, side: str) -> bool:
        """Whether the ground or the map's edge covers a hex beside the defender's."""
        if n not in self.land.ground:
            return True
        if not self.land.way(h, n) and self.land.ground[n] in ("swamp", "mountain"):
            return True
        how = self.crossed(side, h, n)
        return how == "no" or (self.rain and (how == "ford" or self.land.washed(h, n)))

    # --- the state as plain data, to be compared --------------------------------------------------------------------

    def plain(self) -> Iterator[tuple[str, Any]]:
        yield "at", {u: label_of(h) for u, h in self.at.items()}
        yield "manpower", dict(self.men)
        yield "fatigue", {u: f for u, f in self.fatigue.items() if f}
        yield "disorganised", sorted(self.loose)
        yield "demoralised", {u: f for u, f in self.fear.items() if f}
        yield "works", {u: w for u, w in self.works.items() if w}
        yield "hungry", sorted(self.hungry)
        yield "station", {label_of(h): s for h, s in self.stations.items() if s}
        yield "depots", sorted(map(label_of, self.depots))
        yield "controlled", sorted(map(label_of, self.control))
        yield "lost", dict(self.lost)
        yield "free", sorted(self.free)
