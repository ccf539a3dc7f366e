"""Bakumatsu, a second time and by brute force: the rulebook read anew, what may be answered and what comes of it.

It shares no code with pbem. It reads the scenario's files itself and walks every path step by step with the movement
points left in hand. The words it makes are those of the order language, of ways only where they end, so that not only
numbers but the orders themselves can be compared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from systems.slow_map import Place, Step, around, ends_of, number, place, rows_of, sides_of, steps_of

FOLDER = Path(__file__).parents[2] / "scenarios" / "bakumatsu"
TOBA = "toba-fushimi"
POINTS = {"flat": 1, "wetland": 3, "hill": 2, "mountain": 3}
LETTERS = {".": "flat", "w": "wetland", "h": "hill", "H": "hill", "m": "mountain", "t": "mountain", "c": "flat"}
TOPS = "Ht"
COVER = {"flat": (0, 0), "wetland": (0, -1), "hill": (-1, -1), "mountain": (-2, -2), "city": (-1, -1)}
"""What the terrain of the target's hex adds to the dice of fire and of melee."""

Words = tuple[str, ...]
Position = dict[str, Any]
Flow = Iterator[Any]


class Asked(NamedTuple):
    """What may be answered: so many dice, so many of a cup, or orders of a side, with what is done unasked."""

    dice: int = 0
    cup: Words = ()
    number: int = 0
    side: str = ""
    kind: str = ""
    listed: Callable[[], Iterable[Words]] = tuple
    default: Words = ()

    @property
    def orders(self) -> list[Words]:
        """All that may be ordered."""
        return list(self.listed())


class Over(Exception):
    """The battle is decided."""


# --- what is printed -----------------------------------------------------------------------------------------------


class Country:
    """A scenario's map, counters and track as their files have them."""

    def __init__(self, name: str) -> None:
        chart = yaml.safe_load((FOLDER / "maps" / f"{name}.yaml").read_text("utf-8"))
        self.letters = {h: cell for h, cell in rows_of(chart) if cell in LETTERS}
        self.ground = {h: LETTERS[cell] for h, cell in self.letters.items()}
        self.roads = steps_of(chain["hexes"] for chain in chart["roads"]["chains"])
        self.water = {side: chain["kind"] for chain in chart["hexsides"]["chains"] for side in sides_of(chain["sides"])}
        found = yaml.safe_load((FOLDER / f"{name}.yaml").read_text("utf-8"))
        areas = {
            area: sorted(map(place, text.split())) for area, text in chart.get("areas", {"hexes": {}})["hexes"].items()
        }
        self.areas = {(s["side"], s["code"]): [h for a in s["areas"] for h in areas[a]] for s in found.get("setup", ())}
        self.counters: dict[str, dict[str, Any]] = {unit["id"]: unit for unit in found["units"]}
        self.counters |= {c["id"]: {**c, "leads": True} for c in found.get("commanders", ())}
        self.sides = {side["id"]: side for side in found["sides"]}
        self.first, self.second = self.sides
        self.gates = {side: place(s["entry"]) for side, s in self.sides.items() if "entry" in s}
        self.control = {place(h): side for side, hexes in found["control"].items() for h in hexes}
        self.turns = found["turns"]
        one, two = self.first, self.second
        self.phases = [("start", ""), ("move", one), ("fire", two), ("melee", one), ("move", two), ("fire", one),
                       ("melee", two)]  # fmt: skip

    def shut(self, a: Place, b: Place) -> bool:
        """Whether a river lies between (a pond fills its hexes on these maps, and they aren't in play)."""
        return self.water.get(frozenset((a, b))) == "river"

    def price(self, a: Place, b: Place) -> int | None:
        """Points for the step from a to the adjacent b; None where there is no way."""
        if frozenset((a, b)) in self.roads:
            return 1
        if self.shut(a, b):
            return None
        return POINTS[self.ground[b]] + (self.water.get(frozenset((a, b))) == "stream")

    def near(self, here: Place) -> list[Place]:
        """The places of the map round one."""
        return [h for h in around(here) if h in self.ground]


@lru_cache(maxsize=4)
def country(name: str) -> Country:
    return Country(name)


@lru_cache(maxsize=1)
def tables() -> dict[str, Any]:
    """The results tables: what -> (columns, rows)."""
    found = yaml.safe_load((FOLDER / "tables.yaml").read_text("utf-8"))
    return {what: found[f"{what}_results_table"]["rows_modified_2d6"] for what in ("fire", "melee")}


def cell(what: str, total: int, column: int) -> str:
    """The result of a total of the dice; columns are counted from the left, those beyond are the last."""
    rows = tables()[what]
    row = rows["<=1"] if total <= 1 else rows[">=13"] if total >= 13 else rows[str(total)]
    return str(row[min(max(column, 0), len(row) - 1)])


def gap(a: Place, b: Place) -> int:
    """Hexes from one place to another: each row crossed brings half a hex sideways for nothing."""
    rows = abs(a[1] - b[1])
    halves = abs(2 * a[2] + (a[1] % 2 == 0) - 2 * b[2] - (b[1] % 2 == 0))
    return rows + max(0, halves - rows) // 2


# --- ways ----------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def threatened(name: str, enemies: frozenset[Place]) -> frozenset[Place]:
    """Every place in the ZOC of these units."""
    land = country(name)
    return frozenset(
        h for e in enemies for h in (e, *around(e)) if h in land.ground and (h == e or not land.shut(e, h))
    )


def walk(
    name: str, start: Place, points: int, taken: frozenset[Place], enemies: frozenset[Place]
) -> tuple[Place, int, Step]:
    """Normal movement; `taken` holds the units that are in the way."""
    land, zoc = country(name), threatened(name, enemies)
    full = points - (start in zoc)

    def step(here: Place, left: int) -> Iterator[tuple[Place, int | None]]:
        for h in around(here):
            price = land.price(here, h) if h in land.ground and h not in taken else None
            if price is None or (here in zoc and h in zoc):
                continue
            if price <= left:
                yield h, None if h in zoc else left - price
            elif left == full:
                yield h, None  # too dear, but one hex is always allowed

    return start, full, step


def march(
    name: str, start: Place, points: int, taken: frozenset[Place], enemies: frozenset[Place]
) -> tuple[Place, int, Step]:
    """Road movement."""
    land, zoc = country(name), threatened(name, enemies)

    def step(here: Place, left: int) -> Iterator[tuple[Place, int | None]]:
        for h in around(here) if left else ():
            if frozenset((here, h)) in land.roads and h not in taken and h not in zoc:
                yield h, left - 1

    return start, 0 if start in zoc else 2 * points, step


WAYS = {"move": walk, "march": march}


@lru_cache(maxsize=200_000)
def ends_by(
    how: str, name: str, start: Place, points: int, taken: frozenset[Place], enemies: frozenset[Place]
) -> set[Place]:
    """Where a walk or march may end."""
    return ends_of(*WAYS[how](name, start, points, taken, enemies))


def shortened(words: Words) -> Words:
    """An answer in words, of a way only the end, of supporters only who."""
    if words[0] in ("move", "march", "retreat"):
        return (*words[:2], words[-1])
    if words[0] == "enter" and len(words) > 2:
        return (*words[:3], words[-1])
    return tuple(word for word in words if word != "with")


# --- a battle that is played ---------------------------------------------------------------------------------------


class Battle:
    """A battle from a position on: what is `asked`, and what comes of an answer that is applied."""

    def __init__(self, p: Position) -> None:
        self.name = p.get("scenario", TOBA)
        self.land = land = country(self.name)
        self.counters = {u: {**c, **p.get("values", {}).get(u, {})} for u, c in land.counters.items()}
        self.foe = {land.first: land.second, land.second: land.first}
        self.at = {unit: place(h) for unit, h in p["at"].items()}
        self.turn, self.phase, self.opened = p["turn"], p["phase"], p["opened"]
        self.disordered, self.done = set(p["disordered"]), set(p["done"])
        self.hand = {side: sorted(p.get("hand", {land.first: p.get("cup", ())}).get(side, ())) for side in self.foe}
        self.calls = {side: p.get("calls", {}).get(side, 0) for side in self.foe}
        self.received = {side: [u for u in p["received"] if self.side(u) == side] for side in self.foe}
        self.cups = {side: sorted(p.get("cups", {}).get(side, ())) for side in self.foe}
        self.removed: dict[str, int] = dict(p.get("lost", {}))
        given = {place(h): side for h, side in p.get("control", {}).items()}
        self.control = {h: side for h, side in (land.control | given).items() if side in self.foe}
        self.winner: str | None = None
        self.told: list[tuple[Any, ...]] = []
        self.flow = self.play()
        self.asked: Asked | None = next(self.flow, None)

    def apply(self, words: Words) -> None:
        """Answer what is asked."""
        try:
            self.asked = self.flow.send(words)  # type: ignore[attr-defined]
        except StopIteration:
            self.asked = None

    def seen(self) -> dict[str, Any]:
        """How it stands, as far as both readings say it."""
        return {
            "at": {unit: number(h) for unit, h in self.at.items()},
            "disordered": self.disordered,
            "removed": self.removed,
            "waiting": (self.hand, self.calls, {side: set(units) for side, units in self.received.items()}, self.cups),
            "control": {number(h): side for h, side in self.control.items()},
            "time": (self.turn, self.phase),
        }

    # who is where

    def side(self, unit: str) -> str:
        return str(self.counters[unit]["side"])

    def leads(self, unit: str) -> bool:
        """Whether a piece is a commander."""
        return "leads" in self.counters[unit]

    def units(self, side: str) -> dict[str, Place]:
        """The combat units of a side on the map."""
        return {u: h for u, h in self.at.items() if self.side(u) == side and not self.leads(u)}

    def leaders(self, side: str) -> dict[str, Place]:
        """Its commanders there."""
        return {u: h for u, h in self.at.items() if self.side(u) == side and self.leads(u)}

    # the sequence of play

    def play(self) -> Flow:
        """From phase to phase, until it is over."""
        try:
            if self.phase == 0:
                yield from self.set_up()
                self.next_phase()
            while True:
                kind, side = self.land.phases[self.phase]
                if kind == "move" and not self.opened:
                    yield from self.arrivals(side)
                self.opened = True
                yield from self.acts(kind, side)
                self.next_phase()
        except Over:
            return

    def next_phase(self) -> None:
        self.done.clear()
        self.opened = False
        if (self.turn, self.phase) == (self.land.turns, 6):
            held = list(self.control.values())
            self.winner = next((side for side in self.foe if held.count(side) >= 7), None)
            raise Over
        self.turn, self.phase = (self.turn, self.phase + 1) if self.phase < 6 else (self.turn + 1, 1)

    def set_up(self) -> Flow:
        for side in self.foe:
            units = [
                u for u, c in self.counters.items() if (side, c.get("code")) in self.land.areas and c["side"] == side
            ]
            while missing := [u for u in units if u not in self.at]:
                words = yield Asked(side=side, kind="setup", listed=partial(self.set_ups, side, missing))
                self.at[words[1]] = place(words[2])

    def set_ups(self, side: str, missing: list[str]) -> Iterator[Words]:
        for unit in missing:
            for h in self.land.areas[side, self.counters[unit]["code"]]:
                if h not in self.at.values():
                    yield "setup", unit, number(h)

    def arrivals(self, side: str) -> Flow:
        """The die for units, the draw of a commander, the die for him who is kept aside."""
        track, waiting = self.land.sides[side], len(self.hand[side]) - self.calls[side]
        if self.turn in track.get("reinforcement-turns", ()) and waiting:
            (die,) = yield Asked(dice=1)
            if track["draw"] == "choice":
                self.calls[side] += min(waiting, max(int(die), 3 if self.turn == 1 else 1))
            else:
                drawn = yield Asked(cup=tuple(self.hand[side]), number=min(int(die), waiting))
                self.hand[side] = [u for u in self.hand[side] if u not in drawn]
                self.received[side] += drawn
        if self.turn in track.get("commander-turns", ()) and self.cups[side]:
            (drawn,) = yield Asked(cup=tuple(self.cups[side]), number=1)
            self.cups[side].remove(drawn)
            self.received[side].append(drawn)
        aside = next((u for u, c in self.counters.items() if c.get("aside") and c["side"] == side), None)
        known = {*self.at, *self.removed, *self.received[side]}
        if aside and aside not in known and list(self.control.values()).count(self.foe[side]) >= 7:
            (die,) = yield Asked(dice=1)
            if int(die) >= 4:
                self.received[side].append(aside)

    def acts(self, kind: str, side: str) -> Flow:
        """One order after another, as long as any can be given."""
        given = {"move": self.movements, "fire": self.fires, "melee": self.melees}[kind]
        while next(given(side), None) is not None:
            words = yield Asked(side=side, kind=kind, listed=lambda: (*given(side), ("done",)))
            match words[0]:
                case "done":
                    return
                case "move" | "march":
                    self.goes(words[1], words[2:])
                case "enter":
                    self.enter(words)
                case "recover":
                    yield from self.recover(words)
                case "fire":
                    yield from self.fire(words)
                case _:
                    yield from self.melee(words)

    # movement, and who comes on

    def movements(self, side: str) -> Iterator[Words]:
        """For each piece its recovery, and each place it may come to, by foot or by road; the same for who enters."""
        for unit, here in self.at.items():
            if self.side(unit) == side and unit not in self.done:
                yield from [("recover", unit)] if unit in self.disordered else []
                yield from ((how, unit, number(h)) for how in WAYS for h in self.ends(how, unit, here))
        for unit in self.comers(side):
            gate = self.land.gates[side]
            yield "enter", unit
            yield from (("enter", unit, how, number(h)) for how in WAYS for h in self.ends(how, unit, gate))

    def ends(self, how: str, unit: str, start: Place) -> list[Place]:
        """Where a piece may come to; only units within its reach can be in its way."""
        taken, enemies, points = self.in_the_way(unit, start)
        return [h for h in ends_by(how, self.name, start, points, taken, enemies) if self.may_stay(unit, h)]

    def in_the_way(self, unit: str, start: Place) -> tuple[frozenset[Place], frozenset[Place], int]:
        """Units that bar a piece, enemies, its points; of all only those whom it might meet."""
        side, points = self.side(unit), int(self.counters[unit]["move"])
        foes = self.units(self.foe[side])
        others = foes if self.leads(unit) else {**foes, **self.units(side)}
        taken = frozenset(h for u, h in others.items() if u != unit and gap(h, start) <= 2 * points)
        return taken, frozenset(h for h in foes.values() if gap(h, start) <= 2 * points + 1), points

    def may_stay(self, unit: str, h: Place) -> bool:
        """Whether a piece may end its way in a hex: of two commanders only one."""
        return not (
            self.leads(unit) and any(u != unit and self.leads(u) and there == h for u, there in self.at.items())
        )

    def comers(self, side: str) -> list[str]:
        """The pieces that may enter now: received, called from the hand, lost in an earlier turn and reorganised."""
        found = list(self.received[side])
        if self.calls[side]:
            men = [u for u in self.hand[side] if "range" not in self.counters[u]]
            found += men or self.hand[side]
        if self.land.sides[side].get("reorganises"):
            lost = [u for u, turn in self.removed.items() if self.side(u) == side and turn < self.turn]
            found += [u for u in lost if not self.leads(u)]
        gate = self.land.gates.get(side)
        there = [u for u, h in self.at.items() if h == gate]
        full = any(not self.leads(u) for u in there)
        shut = any(self.leads(u) or self.side(u) != side for u in there)
        return [u for u in found if not (shut if self.leads(u) else full)]

    def enter(self, words: Words) -> None:
        unit, side = words[1], self.side(words[1])
        if unit in self.received[side]:
            self.received[side].remove(unit)
        elif unit in self.removed:
            del self.removed[unit]
        else:
            self.hand[side].remove(unit)
            self.calls[side] -= 1
        self.comes_into(unit, self.land.gates[side])
        self.done.add(unit)
        if len(words) > 2:
            self.goes(unit, words[3:])

    def goes(self, unit: str, path: Words) -> None:
        """A way, and a gun that moved."""
        self.done.add(unit)
        for h in path:
            self.comes_into(unit, place(h))
        if "range" in self.counters[unit] and not self.leads(unit):
            self.disordered.add(unit)

    def comes_into(self, unit: str, h: Place) -> None:
        """What follows when a piece comes into a hex."""
        side = self.side(unit)
        self.at[unit] = h
        if self.leads(unit):
            return
        for leader, there in self.leaders(self.foe[side]).items():
            if there == h:
                self.lose(leader)
        if h in self.land.control:
            self.control[h] = side
        if h == self.land.gates.get(self.foe[side]):
            self.winner = side
            raise Over

    def lose(self, unit: str) -> None:
        del self.at[unit]
        self.disordered.discard(unit)
        self.removed[unit] = self.turn

    # commanders

    def helper(self, unit: str, by: str, worth: Callable[[dict[str, Any]], int]) -> dict[str, Any]:
        """What the commander who helps has to lend: he who is named, else the best within his own range."""
        nobody = {"fire": 0, "melee": 0, "morale": 0}
        if by:
            return nobody if by == "none" else self.counters[by]
        near = [self.counters[c] for c in sorted(self.leaders(self.side(unit))) if self.reaches(c, unit)]
        best = max(near, key=worth, default=nobody)  # of equal ones the first
        return best if best is not nobody and worth(best) > 0 else nobody

    def reaches(self, leader: str, unit: str) -> bool:
        """Whether a commander on the map may help a unit there."""
        return gap(self.at[leader], self.at[unit]) <= self.counters[leader]["range"]

    def recover(self, words: Words) -> Flow:
        unit = words[1]
        (die,) = yield Asked(dice=1)
        best = self.helper(unit, words[3] if len(words) > 2 else "", lambda c: c["morale"])
        morale = max(self.counters[unit]["morale"], best["morale"])
        self.told.append(("recover", morale, int(die) <= morale))
        if int(die) <= morale:
            self.disordered.discard(unit)
        self.done.add(unit)

    # fire and melee

    def fit(self, side: str, strength: str) -> dict[str, Place]:
        """The units that may take part."""
        found = self.units(side)
        return {
            u: h for u, h in found.items() if u not in self.done | self.disordered and self.counters[u].get(strength)
        }

    def fires(self, side: str) -> Iterator[Words]:
        """Each shooter at each target, with none, the first, the first two ... of those who can support."""
        mine, fit = self.units(side), self.fit(side, "fire")
        for unit, here in fit.items():
            reach = self.counters[unit].get("range", 1)
            for target, there in self.units(self.foe[side]).items():
                spotted = any(gap(h, there) == 1 for other, h in mine.items() if other != unit)
                if gap(here, there) == 1 or (gap(here, there) <= reach and spotted):
                    helpers = sorted(u for u, h in fit.items() if u != unit and gap(h, there) == 1)
                    yield from (("fire", unit, "at", target, *helpers[:n]) for n in range(len(helpers) + 1))

    def melees(self, side: str) -> Iterator[Words]:
        """Each attacker against each defender he can come at, with the same supporters, without and with advance."""
        fit = self.fit(side, "melee")
        for target, there in self.units(self.foe[side]).items():
            close = {u for u, h in fit.items() if gap(h, there) == 1 and not self.land.shut(h, there)}
            for unit in close:
                helpers = sorted(close - {unit})
                for n in range(len(helpers) + 1):
                    yield from (("melee", unit, "at", target, *helpers[:n], *end) for end in ((), ("advance",)))

    def cover(self, target: str, column: int) -> int:
        """What the terrain of a target's hex adds, of fire (0) or melee (1)."""
        h = self.at[target]
        return COVER[self.land.ground[h]][column] + (COVER["city"][column] if self.land.letters[h] == "c" else 0)

    def fire(self, words: Words) -> Flow:
        unit, target, support, by, _ = parts(words)
        dice = yield Asked(dice=2)
        water = self.land.water.get(frozenset((self.at[unit], self.at[target])))
        total = sum(map(int, dice)) + self.cover(target, 0) - (water == "river")
        total += 2 * (self.land.letters[self.at[unit]] in TOPS)
        total += self.helper(unit, by, lambda c: c["fire"])["fire"]
        result = cell("fire", total, self.counters[unit]["fire"] + len(support) - 1)
        self.told.append(("fire", total, result))
        self.done |= {unit, *support}
        if result == "-":
            return
        if "range" in self.counters[target] or (result == "DD" and target in self.disordered):
            self.lose(target)
        elif result == "D" and target not in self.disordered:
            self.disordered.add(target)
        else:
            self.disordered.add(target)
            yield from self.retreat(target)

    def melee(self, words: Words) -> Flow:
        unit, target, support, by, advance = parts(words)
        dice = yield Asked(dice=2)
        there = self.at[target]
        own = self.counters[target]["morale"]
        aid = self.helper(target, "", lambda c: c["melee"] + max(0, c["morale"] - own))
        water = self.land.water.get(frozenset((self.at[unit], there)))
        total = sum(map(int, dice)) + self.cover(target, 1) - (water == "stream")
        total += self.helper(unit, by, lambda c: c["melee"])["melee"] - aid["melee"]
        lead = self.counters[unit]["melee"] + len(support) - self.counters[target].get("melee", 0)
        result = cell("melee", total, lead + 4)
        self.told.append(("melee", total, result))
        if result != "-":
            yield from self.stand(target, int(result[1:]), max(own, aid["morale"]))
        if advance and there not in {**self.units(self.side(unit)), **self.units(self.side(target))}.values():
            self.comes_into(unit, there)
        self.disordered.add(unit)
        self.done |= {unit, *support}

    def stand(self, target: str, add: int, morale: int) -> Flow:
        """A check of morale; guns make none."""
        if "range" in self.counters[target]:
            self.lose(target)
            return
        (die,) = yield Asked(dice=1)
        self.told.append(("check", morale, int(die) + add <= morale))
        if int(die) + add <= morale:
            return
        if target in self.disordered:
            self.lose(target)
        else:
            self.disordered.add(target)
            yield from self.retreat(target)

    # retreat

    def retreat(self, unit: str) -> Flow:
        """Over friends to the first free hex."""
        found = list(self.retreats(unit, [self.at[unit]]))
        if not found:
            self.lose(unit)
            return
        path = found[0]
        if len(found) > 1:
            said = min(found, key=lambda path: self.rank(unit, path))
            ends = {("retreat", unit, number(path[-1])) for path in found}
            default = ("retreat", unit, *map(number, said))
            words = yield Asked(side=self.side(unit), kind="retreat", listed=lambda: ends, default=default)
            path = [place(h) for h in words[2:]]
        over = [u for h in path[:-1] for u, there in self.units(self.side(unit)).items() if there == h]
        for friend in over:
            if friend in self.disordered:
                self.lose(friend)
            else:
                self.disordered.add(friend)
        self.comes_into(unit, path[-1])

    def retreats(self, unit: str, gone: list[Place]) -> Iterator[list[Place]]:
        """Every way that ends in the first hex without a friend."""
        foes = frozenset(self.units(self.foe[self.side(unit)]).values())
        friends = {h for u, h in self.units(self.side(unit)).items() if u != unit}
        for h in self.land.near(gone[-1]):
            if h in threatened(self.name, foes) or h in gone or self.land.shut(gone[-1], h):
                continue
            if h in friends:
                yield from self.retreats(unit, [*gone, h])
            else:
                yield [*gone[1:], h]

    def rank(self, unit: str, path: list[Place]) -> tuple[Any, ...]:
        """Short, few friends lost, far from the enemy, near home, low numbers."""
        side, end = self.side(unit), path[-1]
        lost = sum(h in path[:-1] and u in self.disordered for u, h in self.units(side).items())
        near = min((gap(end, h) for h in self.units(self.foe[side]).values()), default=0)
        home = gap(end, self.land.gates[side]) if side in self.land.gates else 0
        return len(path), lost, -near, home, number(end), [number(h) for h in path]


def parts(words: Words) -> tuple[str, str, Words, str, bool]:
    """Who, at whom, with whom, commanded by whom, and whether he follows."""
    rest = words[4:-1] if words[-1] == "advance" else words[4:]
    by = rest[-1] if rest[-2:-1] == ("by",) else ""
    return words[1], words[3], rest[1:-2] if by else rest[1:], by, words[-1] == "advance"
