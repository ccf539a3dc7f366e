"""Counts what may be answered in a position of Toba-Fushimi: the rulebook read a second time, by brute force.

It shares no code with pbem. It reads the scenario's files itself, walks every path step by step with the movement
points left in hand, and goes two answers deep. The words it makes are those of the order language, so that not only
numbers but the orders themselves can be compared.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from functools import lru_cache
from itertools import permutations, product
from pathlib import Path
from typing import Any

import yaml

from systems.slow_map import Place, Step, around, ends_of, number, place, rows_of, sides_of, steps_of

FOLDER = Path(__file__).parents[2] / "scenarios" / "bakumatsu"
FIRST, SECOND = "shogunate", "satcho"
PHASES = [("start", ""), ("move", FIRST), ("fire", SECOND), ("melee", FIRST), ("move", SECOND), ("fire", FIRST),
          ("melee", SECOND)]  # fmt: skip
POINTS = {"flat": 1, "wetland": 3, "hill": 2, "mountain": 3}
LETTERS = {".": "flat", "w": "wetland", "h": "hill", "m": "mountain", "t": "mountain", "c": "flat"}

Position = dict[str, Any]


class Country:
    """The map as its file has it."""

    def __init__(self) -> None:
        chart = yaml.safe_load((FOLDER / "maps" / "toba-fushimi.yaml").read_text("utf-8"))
        self.ground = {h: LETTERS[cell] for h, cell in rows_of(chart) if cell in LETTERS}
        self.roads = steps_of(chain["hexes"] for chain in chart["roads"]["chains"])
        self.water = {side: chain["kind"] for chain in chart["hexsides"]["chains"] for side in sides_of(chain["sides"])}
        self.areas = {area: sorted(map(place, text.split())) for area, text in chart["areas"]["hexes"].items()}

    def shut(self, a: Place, b: Place) -> bool:
        """Whether a river lies between (a pond fills its hexes on this map, and they aren't in play)."""
        return self.water.get(frozenset((a, b))) == "river"

    def price(self, a: Place, b: Place) -> int | None:
        """Points for the step from a to the adjacent b; None where there is no way."""
        if frozenset((a, b)) in self.roads:
            return 1
        if self.shut(a, b):
            return None
        return POINTS[self.ground[b]] + (self.water.get(frozenset((a, b))) == "stream")


@lru_cache(maxsize=1)
def country() -> Country:
    return Country()


def near(here: Place) -> list[Place]:
    """The places of the map round one."""
    return [h for h in around(here) if h in country().ground]


@lru_cache(maxsize=1)
def counters() -> dict[str, dict[str, Any]]:
    """The units as the scenario's file has them."""
    found = yaml.safe_load((FOLDER / "toba-fushimi.yaml").read_text("utf-8"))
    return {unit["id"]: unit for unit in found["units"]}


@lru_cache(maxsize=1)
def set_up_areas() -> dict[tuple[str, str], list[Place]]:
    """(side, code) -> the places where such units are set up."""
    found = yaml.safe_load((FOLDER / "toba-fushimi.yaml").read_text("utf-8"))
    return {(s["side"], s["code"]): [h for a in s["areas"] for h in country().areas[a]] for s in found["setup"]}


@lru_cache(maxsize=1)
def gate() -> Place:
    """Where the Shogunate's reinforcements enter."""
    return place(yaml.safe_load((FOLDER / "toba-fushimi.yaml").read_text("utf-8"))["sides"][0]["entry"])


@lru_cache(maxsize=4096)
def threatened(enemies: frozenset[Place]) -> frozenset[Place]:
    """Every place in the ZOC of these units."""
    land = country()
    return frozenset(
        h for e in enemies for h in (e, *around(e)) if h in land.ground and (h == e or not land.shut(e, h))
    )


def walk(start: Place, points: int, taken: frozenset[Place], enemies: frozenset[Place]) -> tuple[Place, int, Step]:
    """Normal movement; `taken` holds the other units."""
    land, zoc, full = country(), threatened(enemies), points - (start in threatened(enemies))

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


def march(start: Place, points: int, taken: frozenset[Place], enemies: frozenset[Place]) -> tuple[Place, int, Step]:
    """Road movement."""
    land, zoc = country(), threatened(enemies)

    def step(here: Place, left: int) -> Iterator[tuple[Place, int | None]]:
        for h in around(here) if left else ():
            if frozenset((here, h)) in land.roads and h not in taken and h not in zoc:
                yield h, left - 1

    return start, 0 if start in zoc else 2 * points, step


@lru_cache(maxsize=200_000)
def ends_by(how: Any, start: Place, points: int, taken: frozenset[Place], enemies: frozenset[Place]) -> set[Place]:
    """Where a walk or march may end."""
    return ends_of(*how(start, points, taken, enemies))


# --- positions -----------------------------------------------------------------------------------------------------


def read(position: Position) -> Position:
    """A position in which orders can be tried: units by side and place."""
    found = deepcopy(position)
    found["at"] = {unit: place(h) for unit, h in position["at"].items()}
    found["done"] = set(position.get("done", ()))
    found["disordered"] = set(position.get("disordered", ()))
    opening = position["phase"] == 1 and not position["opened"] and position["turn"] >= 2 and position["cup"]
    found["pending"] = ("dice", 1) if opening else None
    return settle(found)


def of(p: Position, side: str) -> dict[str, Place]:
    """The units of a side on the map."""
    return {unit: h for unit, h in p["at"].items() if counters()[unit]["side"] == side}


def foe(side: str) -> str:
    return SECOND if side == FIRST else FIRST


def answers(p: Position) -> list[tuple[str, ...]]:
    """Everything that can be answered now: orders in words, or dice and draws."""
    if p["pending"] is not None:
        kind, *what = p["pending"]
        if kind == "dice":
            return [tuple(map(str, dice)) for dice in product(range(1, 7), repeat=what[0])]
        return list(permutations(what[0], what[1]))
    kind, side = PHASES[p["phase"]]
    if kind == "start":
        return set_ups(p)
    orders = {"move": movements, "fire": fires, "melee": melees}[kind](p, side)
    return [*orders, ("done",)]


def set_ups(p: Position) -> list[tuple[str, ...]]:
    side = next(side for side in (FIRST, SECOND) if missing(p, side))
    taken = set(of(p, side).values())
    return [
        ("setup", unit, number(h))
        for unit in missing(p, side)
        for h in set_up_areas()[side, counters()[unit]["code"]]
        if h not in taken
    ]


def missing(p: Position, side: str) -> list[str]:
    """The units that the side has still to set up."""
    return [u for u, c in counters().items() if c["side"] == side and c["code"] != "R" and u not in p["at"]]


def movements(p: Position, side: str) -> list[tuple[str, ...]]:
    """For each unit its recovery, and each place it may come to, by foot or by road; the same for those who enter."""
    found: list[tuple[str, ...]] = []
    enemies = frozenset(of(p, foe(side)).values())
    for unit, here in of(p, side).items():
        if unit in p["done"]:
            continue
        if unit in p["disordered"]:
            found.append(("recover", unit))
        found += [("move", unit, end) for end in ends(p, unit, here, enemies, walk)]
        found += [("march", unit, end) for end in ends(p, unit, here, enemies, march)]
    if gate() not in p["at"].values() and side == FIRST:
        for unit in p["received"]:
            found.append(("enter", unit))
            found += [("enter", unit, "move", end) for end in ends(p, unit, gate(), enemies, walk)]
            found += [("enter", unit, "march", end) for end in ends(p, unit, gate(), enemies, march)]
    return found


def ends(p: Position, unit: str, start: Place, enemies: frozenset[Place], how: Any) -> list[str]:
    """Where a unit may come to, as numbers; only units within its reach can be in its way."""
    points = counters()[unit]["move"]
    reach = points if how is walk else 2 * points
    others = frozenset(h for u, h in p["at"].items() if u != unit and box(h, start) <= 2 * reach)
    close = frozenset(e for e in enemies if box(e, start) <= 2 * reach + 2)
    return [number(h) for h in ends_by(how, start, points, others, close)]


def box(a: Place, b: Place) -> int:
    """Rows and columns between two places: at most twice the hexes between them."""
    return abs(a[1] - b[1]) + abs(a[2] - b[2])


def fires(p: Position, side: str) -> list[tuple[str, ...]]:
    """Each shooter at each target, with none, the first, the first two ... of those who can support."""
    mine, theirs = of(p, side), of(p, foe(side))
    fit = {u for u in mine if u not in p["done"] | p["disordered"] and counters()[u].get("fire")}
    found: list[tuple[str, ...]] = []
    for unit in fit:
        reach = counters()[unit].get("range", 1)
        for target, there in theirs.items():
            gap = steps(mine[unit], there)
            spotted = any(there in around(h) for other, h in mine.items() if other != unit)
            if gap == 1 or (gap <= reach and spotted):
                helpers = sorted(u for u in fit if u != unit and there in around(mine[u]))
                found += [("fire", unit, "at", target, *helpers[:n]) for n in range(len(helpers) + 1)]
    return found


def melees(p: Position, side: str) -> list[tuple[str, ...]]:
    """Each attacker against each defender he can come at, with the same supporters, without and with advance."""
    mine, theirs = of(p, side), of(p, foe(side))
    fit = {u for u in mine if u not in p["done"] | p["disordered"] and counters()[u].get("melee")}
    found: list[tuple[str, ...]] = []
    for target, there in theirs.items():
        close = {u for u in fit if there in around(mine[u]) and not country().shut(mine[u], there)}
        for unit in close:
            helpers = sorted(close - {unit})
            for n in range(len(helpers) + 1):
                found += [("melee", unit, "at", target, *helpers[:n], *end) for end in ((), ("advance",))]
    return found


def steps(a: Place, b: Place) -> int:
    """Hexes from one place to another, by widening rings."""
    ring, seen, far = {a}, {a}, 0
    while b not in ring and far < 6:
        ring = {h for here in ring for h in around(here)} - seen
        seen |= ring
        far += 1
    return far


def after(p: Position, answer: tuple[str, ...]) -> Position:
    """The position behind an answer, as far as one more answer needs it."""
    q = {**p, "at": dict(p["at"]), "done": set(p["done"]), "disordered": set(p["disordered"]), "cup": list(p["cup"]),
         "received": list(p["received"])}  # fmt: skip
    if p["pending"] is not None:
        return after_chance(q, answer)
    match answer:
        case ("setup", unit, h):
            q["at"][unit] = place(h)
        case ("recover", _):
            q["pending"] = ("dice", 1)
            return q
        case ("fire" | "melee", *_):
            q["pending"] = ("dice", 2)
            return q
        case ("move" | "march", unit, h):
            q["at"][unit] = place(h)
            q["done"].add(unit)
            if counters()[unit].get("range"):
                q["disordered"].add(unit)
        case ("enter", unit, *rest):
            q["received"].remove(unit)
            q["at"][unit] = place(rest[-1]) if rest else gate()
            q["done"].add(unit)
            if counters()[unit].get("range") and rest:
                q["disordered"].add(unit)
        case ("done",):
            end_phase(q)
    return settle(q)


def after_chance(q: Position, answer: tuple[str, ...]) -> Position:
    """Only reinforcements are followed further: their die leads to a draw."""
    kind, *_ = q["pending"]
    if kind == "dice":
        q["pending"] = ("draw", list(q["cup"]), min(int(answer[0]), len(q["cup"])))
        return q
    q["pending"] = None
    q["cup"] = [u for u in q["cup"] if u not in answer]
    q["received"] += answer
    return settle(q)


def end_phase(q: Position) -> None:
    q["done"] = set()
    q["phase"] += 1
    if q["phase"] > 6:
        q["phase"], q["turn"] = 1, q["turn"] + 1
    if q["phase"] == 1 and q["turn"] >= 2 and q["cup"]:
        q["pending"] = ("dice", 1)


def settle(q: Position) -> Position:
    """Pass over phases in which nobody can do anything."""
    while q["pending"] is None:
        kind, side = PHASES[q["phase"]]
        if kind == "start":
            if missing(q, FIRST) or missing(q, SECOND):
                return q
        elif {"move": movements, "fire": fires, "melee": melees}[kind](q, side):
            return q
        end_phase(q)
    return q
