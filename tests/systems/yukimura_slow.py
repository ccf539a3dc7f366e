"""Plays the Siege of Osaka by brute force: the rulebook read a second time, to be compared with the rules.

It shares no code with pbem, and has what is given from yukimura_slow_land. It finds ways by trying every step, and runs
through phases and procedures as one generator, which yields what may be answered and is sent the answer. The words it
makes are those of the order language; ways are known by where they end.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping
from itertools import pairwise, product
from typing import Any, NamedTuple

from systems.slow_map import Place, Step, around, ends_of, number, place
from systems.yukimura_slow_land import flag, given_by, steps_between, threatened

__all__ = ["Battle", "Words", "combat_words", "shortened"]

EAST, OSAKA = "east", "osaka"
FOE = {EAST: OSAKA, OSAKA: EAST}
PHASES = [("start", OSAKA), ("move", EAST), ("defence", OSAKA), ("combat", EAST), ("move", OSAKA), ("defence", EAST),
          ("combat", OSAKA)]  # fmt: skip
OFF = ("off the map", 0, 0)

Words = tuple[str, ...]
Steps = Generator["Asked", Any, Any]
Plans = list[tuple[str, list[Place]]]


class Asked(NamedTuple):
    """What may be answered: so many dice, or orders of a side in words, with their kind and what is done unasked."""

    dice: int
    side: str = ""
    kind: str = ""
    orders: tuple[Words, ...] = ()
    default: Words = ()


# --- where a battle stands -----------------------------------------------------------------------------------------


class Over(Exception):
    """The battle is decided."""


class Battle:
    """A battle as it is played; `asked` is what may be answered, None when it is over."""

    def __init__(self, p: Mapping[str, Any]) -> None:
        self.g = g = given_by(p)
        self.land = g.land
        chosen = {"ishikawa-reading": "gate", "command-range": "no", "command-freezes-movement": "no"}
        self.options = chosen | dict(p.get("options", {}))
        beside = any(flag(a.get("beside")) for a in g.arrivals.values())
        self.turn, self.phase = 1, 0 if beside else 1
        if "phase" in p:
            self.turn = p["turn"]
            self.phase = [*("start",), *(f"{side}-{kind}" for kind, side in PHASES[1:])].index(p["phase"])
        self.at: dict[str, Place] = {u: data["at"] for u, data in g.units.items() if data["at"] is not None}
        self.removed: set[str] = set()
        self.exited: set[str] = set()
        self.waiting = {force: list(g.forces[force]) for force in g.arrivals}
        self.arrived: set[str] = set()
        self.chosen_gate: dict[str, Place] = {}
        self.released: set[str] = set()
        self.crossed = bool(p.get("crossed"))
        star = g.victory.get("star")
        self.star = place(str(star)) if star is not None else None
        self.star_side = next((g.side(u) for u, h in self.at.items() if h == self.star), None)
        self.moved: set[str] = set()
        self.pinned: set[str] = set()
        self.fired: set[str] = set()
        self.fought: set[str] = set()
        self.shot: set[str] = set()
        self.attacked: set[str] = set()
        self.lost: set[str] = set()
        """Units out of command."""
        self.step = ""
        self.winner: str | None = None
        self.asked: Asked | None = None
        self.over = False
        self._game = self._play()
        self._next(None)
        for answer in p.get("answers", ()):
            self.apply(tuple(answer.split()))

    def apply(self, answer: Words) -> None:
        """An order in words (all of its way), or dice."""
        assert self.asked is not None
        self._next(tuple(int(word) for word in answer) if self.asked.dice else answer)

    def _next(self, answer: Any) -> None:
        try:
            self.asked = self._game.send(answer)
        except (StopIteration, Over):
            self.asked, self.over = None, True

    # --- what can be seen

    def seen(self) -> dict[str, Any]:
        """How it stands, as far as both readings say it."""
        return {
            "at": {unit: number(h) for unit, h in self.at.items()},
            "removed": self.removed,
            "exited": self.exited,
            "waiting": self.waiting,
            "time": (self.turn, self.crossed),
            "released": self.released,
            "star": self.star_side,
        }

    def unit_in(self, h: Place) -> str | None:
        return next((u for u, at in self.at.items() if at == h), None)

    def hexes(self, side: str) -> dict[Place, str]:
        return {h: u for u, h in self.at.items() if self.g.side(u) == side}

    def in_zoc_of(self, side: str, h: Place) -> bool:
        """Whether a hex is in the ZOC of the side."""
        return h in self.zoc(side)

    def zoc(self, side: str) -> frozenset[Place]:
        """Every hex in the ZOC of a side."""
        return threatened(self.land, frozenset(self.hexes(side)))

    def is_held(self, unit: str) -> bool:
        force = self.g.units[unit]["force"]
        return force in self.g.held and force not in self.released

    def shut(self, side: str, a: Place, b: Place) -> bool:
        """Whether the line forbids a step by one's own will."""
        closed = side == EAST and self.options["ishikawa-reading"] == "gate" and self.turn < self.g.gate
        return closed and b in self.g.west and a not in self.g.west

    def out_of_command(self, side: str) -> set[str]:
        if self.options["command-range"] == "no":
            return set()
        mine = [u for u in self.at if self.g.side(u) == side]
        leaders = [u for u in mine if self.g.units[u]["command"]]
        lost = set()
        for u in mine:
            own = [x for x in leaders if self.g.units[x]["force"] == self.g.units[u]["force"]] or leaders
            if u not in leaders:
                gaps = [self.g.units[x]["command"] - steps_between(self.at[x], self.at[u]) for x in own]
                if max(gaps, default=-1) < 0:
                    lost.add(u)
        return lost

    # --- what follows

    def _end(self, winner: str | None) -> None:
        self.winner = winner
        raise Over

    def _after(self, unit: str, way: list[Place], forced: bool) -> None:
        """Star, line and leaders after a unit has gone a way (its first hex first), or is gone (no way)."""
        side = self.g.side(unit)
        if self.star is not None and self.star in way[1:]:
            self.star_side = side
        west = any(b in self.g.west and a not in self.g.west for a, b in pairwise(way))
        if west and side == EAST and not forced and not self.crossed:
            self._cross()
        self._leader(unit, way)

    def _cross(self) -> None:
        self.crossed = True
        if self.options["ishikawa-reading"] == "release":
            self.released |= {force for force, line in self.g.held.items() if flag(line.get("gate"))}

    def _leader(self, unit: str, way: list[Place]) -> None:
        side = self.g.side(unit)
        leaders = self.g.victory.get("collapse", {}).get(side, ())
        start = self.g.units[unit]["at"]
        if unit in leaders and (unit not in self.at or any(h != start for h in way)):
            self._end(FOE[side])

    def _remove(self, unit: str) -> None:
        del self.at[unit]
        self.removed.add(unit)
        self._leader(unit, [])

    # --- the phases

    def _play(self) -> Steps:
        while True:
            kind, side = PHASES[self.phase]
            if kind == "start":
                yield from self._beside(side)
            elif kind == "move":
                yield from self._movement(side)
            elif kind == "defence":
                yield from self._orders(side, kind, self.fires)
            else:
                self.step, self.lost = "fire", self.out_of_command(side)
                yield from self._orders(side, kind, self.combats)
            for marks in (self.moved, self.pinned, self.fired, self.fought, self.shot, self.attacked, self.lost):
                marks.clear()
            self.step = ""
            self.phase += 1
            if self.phase == len(PHASES):
                self._turn_ends()
                self.turn, self.phase = self.turn + 1, 1

    def _beside(self, side: str) -> Steps:
        while True:
            left = [f for f, a in self.g.arrivals.items() if flag(a.get("beside")) and f not in self.chosen_gate]
            if not left:
                return
            orders = [("beside", force, number(h)) for force in left for h in self.g.arrivals[force]["hexes"]]
            _, force, h = yield Asked(0, side, "beside", tuple(orders))
            self.chosen_gate[force] = place(h)

    def _movement(self, side: str) -> Steps:
        if side == EAST:
            self.released |= {f for f, line in self.g.held.items() if str(line["until"]) != "never"
                              and int(line["until"]) <= self.turn}  # fmt: skip
        self.pinned = {u for u, h in self.at.items() if self.g.side(u) == side and self.in_zoc_of(FOE[side], h)}
        if self.options["command-freezes-movement"] == "yes":
            self.lost = self.out_of_command(side)
        for force, line in self.g.held.items():
            mine = self.g.side(self.g.forces[force][0]) == side
            if mine and int(line.get("die", 0)) and self.crossed and force not in self.released:
                (die,) = yield Asked(1)
                if die <= int(line["die"]):
                    self.released.add(force)
        for force, line in self.g.arrivals.items():
            late = self.g.side(self.g.forces[force][0]) == side and int(line["turn"]) <= self.turn
            if late and self.waiting[force] and force not in self.arrived:
                die = 0
                if int(line.get("die", 0)):
                    (die,) = yield Asked(1)
                if die <= int(line.get("die", 0)):
                    self.arrived.add(force)
        yield from self._orders(side, "move", self.movements)

    def _orders(self, side: str, kind: str, list_orders: Any) -> Steps:
        while True:
            orders = list_orders(side)
            if not orders:
                return
            default = self.best_fire(orders) if kind == "defence" else ()
            words = yield Asked(0, side, kind, (*orders, ("done",)), default)
            if words == ("done",):
                return
            if words[0] in ("move", "march", "enter"):
                self._move(words)
            else:
                yield from self._combat(words)

    def _turn_ends(self) -> None:
        v, east = self.g.victory, self.hexes(EAST)
        if any(place(str(h)) in east for h in v.get("breakthrough", ())):
            self._end(EAST)
        if self.turn < self.g.turns:
            return
        if self.star is not None:
            self._end(self.star_side)
        if v.get("west-of-line") and sum(h in self.g.west for h in east) >= int(v["west-of-line"]):
            self._end(EAST)
        if flag(v.get("superior-power")):
            counts = {}
            for side in (EAST, OSAKA):
                leaders = [self.at[u] for u in v.get("collapse", {}).get(FOE[side], ()) if u in self.at]
                counts[side] = sum(any(h in around(x) for x in leaders) for h in self.hexes(side))
            if counts[EAST] == counts[OSAKA]:
                self._end(None)
            self._end(EAST if counts[EAST] > counts[OSAKA] else OSAKA)
        self._end(None if v.get("otherwise", "draw") == "draw" else v["otherwise"])

    # --- movement

    def movements(self, side: str) -> list[Words]:
        found: list[Words] = []
        friends, walk, march = set(self.hexes(side)), self.walk(side), self.march(side)
        for unit, start in list(self.at.items()):
            stuck = unit in self.moved | self.pinned | self.lost or self.is_held(unit)
            if self.g.side(unit) != side or stuck:
                continue
            points = self.g.units[unit]["move"]
            found += [("move", unit, number(h)) for h in ends_of(start, points, walk) - friends]
            found += [("march", unit, number(h)) for h in ends_of(start, 8, march) - friends]
            open_edge = {
                h for h in ends_of(start, points - 1, walk) if self.land.edge(h) and not self.in_zoc_of(FOE[side], h)
            }
            if open_edge or (self.land.edge(start) and points >= 1):
                found.append(("move", unit, "off"))
            elif self.off_road(start) or any(self.off_road(h) for h in ends_of(start, 7, march)):
                found.append(("march", unit, "off"))
        for force, units in self.waiting.items():
            if force not in self.arrived or self.g.side(self.g.forces[force][0]) != side:
                continue
            gates = [self.chosen_gate[force]] if force in self.chosen_gate else self.g.arrivals[force]["hexes"]
            for unit, gate in product(units, [h for h in gates if self.unit_in(h) is None]):
                found.append(("enter", unit, number(gate)))
                if not self.in_zoc_of(FOE[side], gate):
                    ends = ends_of(gate, self.g.units[unit]["move"] - 1, walk)
                    found += [("enter", unit, number(gate), number(h)) for h in ends - friends]
        return found

    def off_road(self, h: Place) -> bool:
        return any(h in hexes for hexes in self.land.entries.values())

    def walk(self, side: str) -> Step:
        """Normal movement by points: it ends in a ZOC."""
        enemies, zoc = self.hexes(FOE[side]), self.zoc(FOE[side])

        def step(here: Place, left: int) -> Iterator[tuple[Place, int | None]]:
            for h in self.land.near(here):
                rest = left - self.land.price(here, h)
                if h not in enemies and rest >= 0 and not self.shut(side, here, h):
                    yield h, None if h in zoc else rest

        return step

    def march(self, side: str) -> Step:
        """Road movement by hexes, round every ZOC."""
        closed = {*self.hexes(FOE[side]), *self.zoc(FOE[side])}

        def step(here: Place, left: int) -> Iterator[tuple[Place, int | None]]:
            for h in self.land.road_ends(here) if left else ():
                if h not in closed and not self.shut(side, here, h):
                    yield h, left - 1

        return step

    def _move(self, words: Words) -> None:
        keyword, unit, *rest = words
        path = [place(word) for word in rest if word != "off"]
        way = [OFF if keyword == "enter" else self.at[unit], *path]
        self.moved.add(unit)
        if keyword == "enter":
            self.waiting[self.g.units[unit]["force"]].remove(unit)
        if rest[-1] == "off":
            del self.at[unit]
            self.exited.add(unit)
        else:
            self.at[unit] = path[-1]
        self._after(unit, way, forced=False)

    # --- combat

    def fires(self, side: str) -> list[Words]:
        """For each target each shooter alone, and the strongest two, three ... of all who can."""
        found: list[Words] = []
        for target, h in self.at.items():
            if self.g.side(target) == side or target in self.shot:
                continue
            fit = [
                u for u, at in self.at.items()
                if self.g.side(u) == side and at in around(h) and self.g.units[u]["rifle"]
                and u not in self.fired | self.fought and not (self.step and u in self.lost)
            ]  # fmt: skip
            found += [combat_words("fire", group, target) for group in self._groups(fit)]
        return found

    def best_fire(self, fires: list[Words]) -> Words:
        """The highest column, then the lowest morale, the lowest hex, the fewest units."""

        def rank(words: Words) -> tuple[Any, ...]:
            units, _, _ = parts_of(words)
            starts, _ = self.g.tables["firing"]
            strength = sum(self.g.units[u]["strength"] for u in units)
            plain = max([i for i, least in enumerate(starts) if least <= strength], default=0)
            column = max(0, min(len(starts) - 1, plain + self._shift(units, words[3])))
            morale = self.g.units[words[3]]["morale"]
            return -column, morale is None, morale or 0, number(self.at[words[3]]), len(units)

        return min(fires, key=rank)

    def melees(self, side: str) -> list[Words]:
        found: list[Words] = []
        for target, h in self.at.items():
            if self.g.side(target) == side or target in self.attacked:
                continue
            fit = [
                u for u, at in self.at.items()
                if self.g.side(u) == side and at in around(h) and self.land.touch(at, h)
                and u not in self.fired | self.fought | self.lost
            ]  # fmt: skip
            found += [combat_words("melee", group, target) for group in self._groups(fit)]
        return found

    def combats(self, side: str) -> list[Words]:
        return [*(self.fires(side) if self.step == "fire" else ()), *self.melees(side)]

    def _groups(self, fit: list[str]) -> list[list[str]]:
        best = sorted(fit, key=lambda u: (-self.g.units[u]["strength"], u))
        return [[u] for u in best] + [best[:n] for n in range(2, len(best) + 1)]

    def _shift(self, units: list[str], target: str) -> int:
        ground, there = self.land.ground, self.at[target]
        hills = [ground[self.at[u]] == "mountain" for u in units]
        shift = 0
        if ground[there] == "mountain" and not any(hills):
            shift -= 1
        if ground[there] != "mountain" and all(hills):
            shift += 1
        if all(frozenset((self.at[u], there)) in self.land.sides["small_river"] for u in units):
            shift -= 1
        return shift

    def _combat(self, words: Words) -> Steps:
        units, plans, hold = parts_of(words)
        target, there = words[3], self.at[words[3]]
        strength, shift = sum(self.g.units[u]["strength"] for u in units), self._shift(units, target)
        yield from (self._fire if words[0] == "fire" else self._melee)(
            units, plans, hold, target, there, strength, shift
        )

    def _fire(self, units: list[str], plans: Plans, hold: bool, target: str, there: Place, strength: int,
              shift: int) -> Steps:  # fmt: skip
        dice = yield Asked(2)
        self.fired |= set(units)
        self.shot.add(target)
        result = self.g.cell("firing", strength, shift, sum(dice))
        if result == "E":
            self._remove(target)
        elif result != "-":
            yield from self._checks(Procedure({self.at[u] for u in units}), [target], int(result))
        if self.step and self.at.get(target) != there:
            yield from self._advance_one(units, plans, hold, there)

    def _melee(self, units: list[str], plans: Plans, hold: bool, target: str, there: Place, strength: int,
               shift: int) -> Steps:  # fmt: skip
        self.step = "melee"
        dice = yield Asked(2)
        self.fought |= set(units)
        self.attacked.add(target)
        result = self.g.cell("hand_to_hand", strength - self.g.units[target]["strength"], shift, sum(dice))
        defence, attack = Procedure({self.at[u] for u in units}), Procedure({there})
        if result == "AE":
            for u in units:
                self._remove(u)
        elif result == "DE":
            self._remove(target)
        else:
            if result[0] in "DB":
                yield from self._checks(defence, [target], int(result[1]))
            if result[0] in "AB":
                yield from self._checks(attack, units, int(result[1]))
        if self.at.get(target) != there:
            left = [u for u in units if u in self.at and u not in attack.done]
            yield from self._advance_all(left, plans, hold, there, target, defence)

    # --- morale, retreats, chain retreats

    def _checks(self, p: Procedure, units: list[str], add: int) -> Steps:
        failed = []
        for u in units:
            if self.g.units[u]["morale"] is not None:
                (die,) = yield Asked(1)
                failed += [(u, die + add - self.g.units[u]["morale"])]
        failed = [(u, value) for u, value in failed if value > 0]
        p.own |= {u for u, _ in failed}
        for u, value in failed:
            p.own.discard(u)
            if u in self.at:
                yield from self._fail(p, u, value)
            while p.marked:
                v = p.marked.pop(0)
                if v in self.at and v not in p.done:
                    (die,) = yield Asked(1)
                    if die > self.g.units[v]["morale"]:
                        yield from self._fail(p, v, die - self.g.units[v]["morale"])

    def _fail(self, p: Procedure, unit: str, value: int) -> Steps:
        if value >= 5:
            self._remove(unit)
            return
        ways = list(self.retreats(p, unit, self.at[unit], value))
        if not ways:
            self._remove(unit)
            return
        way = ways[0]
        if len(ways) > 1:
            orders = tuple(("retreat", unit, *map(number, w)) for w in ways)
            best = min(ways, key=lambda w: self._retreat_rank(p, unit, w))
            words = yield Asked(0, self.g.side(unit), "retreat", orders, ("retreat", unit, *map(number, best)))
            way = [place(word) for word in words[2:]]
        for h in way:
            self._mark(p, unit, h)
        p.done.add(unit)
        self._go(p, unit, way)
        yield from self._unstack(p, unit)

    def _go(self, p: Procedure, unit: str, way: list[Place]) -> None:
        start = self.at[unit]
        self.at[unit] = way[-1]
        p.trails.setdefault(unit, []).extend(way)
        self._after(unit, [start, *way], forced=True)

    def _mark(self, p: Procedure, unit: str, h: Place) -> None:
        friend = next((u for u, at in self.at.items() if at == h and u != unit), None)
        exempt = [None, *p.done, *p.own, *p.marked]
        if friend not in exempt and self.g.units[friend]["morale"] is not None:
            p.marked.append(friend)

    def _retreat_rank(self, p: Procedure, unit: str, way: list[Place]) -> tuple[Any, ...]:
        """A free hex at the end, the fewest friends who will have to check, the fewest friends, the lowest numbers."""
        friends = [u for h in way for u, at in self.at.items() if at == h and u != unit]
        exempt = [*p.done, *p.own, *p.marked]
        shaken = [u for u in friends if u not in exempt and self.g.units[u]["morale"] is not None]
        return self.unit_in(way[-1]) not in (None, unit), len(shaken), len(friends), [number(h) for h in way]

    def _back(self, p: Procedure, unit: str, here: Place) -> list[Place]:
        """The hexes one legal step of a retreat away."""
        side = self.g.side(unit)
        enemies, zoc = self.hexes(FOE[side]), self.zoc(FOE[side])
        return sorted(
            h for h in self.land.near(here)
            if self.land.touch(here, h) and h not in enemies and h not in zoc
            and all(steps_between(h, t) > steps_between(here, t) for t in p.threats)
        )  # fmt: skip

    def retreats(self, p: Procedure, unit: str, here: Place, length: int) -> Iterator[list[Place]]:
        """Every way of exactly so many steps."""
        if length == 0:
            yield []
            return
        for h in self._back(p, unit, here):
            for rest in self.retreats(p, unit, h, length - 1):
                yield [h, *rest]

    def _unstack(self, p: Procedure, came: str) -> Steps:
        while True:
            other = next((u for u, h in self.at.items() if h == self.at[came] and u != came), None)
            if other is None:
                return
            able = [u for u in (other, came) if self.g.units[u]["morale"] is not None and self._back(p, u, self.at[u])]
            if not able:
                self._remove(came)
                return
            mover, hexes = able[0], self._back(p, able[0], self.at[able[0]])
            h = hexes[0]
            if len(hexes) > 1:
                orders = tuple(("displace", mover, number(x)) for x in hexes)
                best = min(hexes, key=lambda x: (self.unit_in(x) is not None, number(x)))
                words = yield Asked(0, self.g.side(mover), "displace", orders, ("displace", mover, number(best)))
                h = place(words[2])
            self._mark(p, mover, h)
            self._go(p, mover, [h])
            came = mover

    # --- advances

    def _into(self, unit: str, a: Place, b: Place) -> bool:
        """Whether an advance may take a step."""
        side = self.g.side(unit)
        return (
            b in self.land.near(a) and self.land.touch(a, b) and b not in self.hexes(FOE[side])
            and not self.shut(side, a, b)
        )  # fmt: skip

    def _advance_one(self, units: list[str], plans: list[Any], hold: bool, there: Place) -> Steps:
        """After fire: one of the firers, into the hex."""
        for u in [plans[0][0]] if plans else [] if hold else units:
            if self.is_held(u) or not self._into(u, self.at[u], there) or self.unit_in(there) is not None:
                continue
            words: Words = ("advance", u)
            if not plans:
                orders = (("hold", u), ("advance", u, number(there)))
                words = yield Asked(0, self.g.side(u), "advance", orders, ("hold", u))
            if words[0] == "advance":
                self._advance(u, [there])
                return

    def _advance_all(self, left: list[str], plans: list[Any], hold: bool, there: Place, target: str,
                     p: Procedure) -> Steps:  # fmt: skip
        pursuit = [there, *p.trails.get(target, ())] if target in self.at else None
        for u, path in plans:
            if u in left:
                self._as_planned(u, path, there, pursuit)
        for u in left if not hold else ():
            if u in [x for x, _ in plans]:
                continue
            ends = self.free_ends(u, there) if pursuit is None else self._pursuit(u, pursuit)
            if not ends:
                continue
            orders = (("hold", u), *(("advance", u, number(h)) for h in ends))
            words = yield Asked(0, self.g.side(u), "advance", orders, ("hold", u))
            if words[0] == "advance":
                self._as_planned(u, [place(word) for word in words[2:]], there, pursuit)

    def _as_planned(self, u: str, path: list[Place], there: Place, pursuit: list[Place] | None) -> None:
        """An advance named: in pursuit as far as it can but not beyond the hexes named; else exactly that way."""
        if self.is_held(u):
            return
        if pursuit is not None:
            open_way = self._pursuit(u, pursuit)
            if path:
                stop = max((i for i, h in enumerate(pursuit) if h in path), default=0)
                open_way = open_way[: stop + 1]
            if open_way:
                self._advance(u, open_way)
            return
        way = path or [there]
        fits = all(self._into(u, a, b) for a, b in pairwise([self.at[u], *way]))
        if fits and way[0] == there and len(way) <= 4 and self.unit_in(way[-1]) in (None, u):
            self._advance(u, way)

    def _pursuit(self, u: str, pursuit: list[Place]) -> list[Place]:
        """The hexes of a pursuit that a unit can reach, in order."""
        found, here = [], self.at[u]
        if self.is_held(u):
            return []
        for h in pursuit:
            if not self._into(u, here, h) or self.unit_in(h) is not None:
                break
            found.append(h)
            here = h
        return found

    def free_ends(self, u: str, there: Place) -> list[Place]:
        """Where an advance of up to four hexes may end, by every way."""
        if self.is_held(u) or not self._into(u, self.at[u], there):
            return []
        reached, ring = {there}, {there}
        for _ in range(3):
            ring = {b for a in ring for b in self.land.near(a) if self._into(u, a, b)}
            reached |= ring
        return [h for h in reached if self.unit_in(h) is None]

    def _advance(self, u: str, way: list[Place]) -> None:
        start = self.at[u]
        self.at[u] = way[-1]
        self._after(u, [start, *way], forced=False)


class Procedure:
    """A retreat procedure: from whom, who is done, whose own failure is to come, who is marked, by which hexes."""

    def __init__(self, threats: set[Place]) -> None:
        self.threats = threats
        self.done: set[str] = set()
        self.own: set[str] = set()
        self.marked: list[str] = []
        self.trails: dict[str, list[Place]] = {}


def parts_of(words: Words) -> tuple[list[str], Plans, bool]:
    """Of a fire or hand-to-hand combat who takes part, the advances named, and whether the others hold."""
    units, plans, mode = [words[1]], list[tuple[str, list[Place]]](), ""
    for word in words[4:]:
        if word in ("with", "or", "advance", "hold"):
            mode = word
        elif mode == "or":
            assert word == "fewer"
        elif mode == "with":
            units.append(word)
        elif mode == "advance":
            plans.append((word, []))
            mode = "path"
        else:
            plans[-1][1].append(place(word))
    return units, plans, words[-1] == "hold"


def combat_words(keyword: str, group: list[str], target: str) -> Words:
    first, *rest = group
    return (keyword, first, "at", target, *(("with", *rest) if rest else ()))


def shortened(words: Words) -> Words:
    """An order of which a way counts by where it ends."""
    if words[0] in ("move", "march"):
        return (*words[:2], words[-1])
    if words[0] == "enter":
        return words if len(words) == 3 else (*words[:3], words[-1])
    if words[0] == "advance":
        return (*words[:2], words[-1])
    return words
