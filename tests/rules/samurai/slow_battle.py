"""A second reading of the battle of miniatures: a referee who judges every order and plays it, without code of pbem.

He is told orders as words, and the dice as they are asked. Ways are walked step by step.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from math import isqrt
from typing import NamedTuple

from rules.samurai import slow_table as table
from rules.samurai.slow_table import AHEAD, WORDS, Rect, overlap, touch

Words = tuple[str, ...]
Die = Callable[[str, str], int]
"""The next die, by what it is for and whose it is."""

FAILS = {1: 9, 2: 10, 3: 11}
BESIDE = ("behind", "left", "right")
OUT = ((1, 0), (0, -1), (0, 1), (1, -1), (1, 1))
"""Where a daimyo is put: so often behind, so often to the right."""


class Troops(NamedTuple):
    """A type: class, class in attack, figures, width, depth, move, range, points of a figure."""

    rank: int
    attack: int
    figures: int
    width: int
    depth: int
    move: int
    reach: int
    points: int


TYPES = {
    "spear": Troops(1, 1, 4, 400, 100, 700, 0, 1),
    "gunner": Troops(1, 0, 3, 300, 100, 600, 800, 1),
    "ronin": Troops(2, 2, 3, 300, 100, 700, 0, 2),
    "sword": Troops(3, 3, 3, 300, 100, 600, 0, 3),
    "bow": Troops(3, 2, 3, 300, 100, 600, 1200, 3),
    "daimyo": Troops(3, 3, 1, 100, 100, 1200, 0, 5),
}

HIDES, DEEP, SLOWS, STOPS = {"wood", "hill", "building"}, {"wood", "hill"}, {"wood", "rough"}, {"building", "water"}


class Unit(NamedTuple):
    """A unit: its side, type, and how many stands it began with."""

    side: str
    kind: str
    stands: int

    @property
    def t(self) -> Troops:
        return TYPES[self.kind]

    @property
    def daimyo(self) -> bool:
        return self.kind == "daimyo"

    @property
    def figures(self) -> int:
        return self.stands * self.t.figures


class Illegal(Exception):
    """An order that can't be given."""


def by_id(unit: str) -> tuple[str, int]:
    letters, _, number = unit.rpartition("-")
    return letters, int(number)


def inches(word: str) -> int:
    return int(Fraction(word) * 100)


def steps_of(length: int, way: int) -> int:
    """How many steps so many hundredths are."""
    return length if way % 2 == 0 else isqrt(length * length // 2)


class Battle:
    """A battle as the referee has it."""

    def __init__(self, units: Mapping[str, Unit], size: tuple[int, int], ground: Iterable[tuple[str, Rect]], turns: int,
                 broken: int, sides: tuple[str, str]) -> None:  # fmt: skip
        self.units, self.size, self.ground, self.turns, self.broken = units, size, list(ground), turns, broken
        self.sides = sides
        self.at: dict[str, Rect] = {}
        self.left = {u: [unit.t.figures] * unit.stands for u, unit in units.items()}
        self.behind: set[str] = set()
        self.routed, self.checked, self.led = set[str](), set[str](), set[str]()
        self.shot, self.tried, self.fought, self.risk = set[str](), set[str](), set[str](), set[str]()
        self.gone: dict[str, str] = {}
        self.fires: list[tuple[str, str]] = []
        self.met: dict[str, set[str]] = {}
        self.moved: dict[str, str] = {}
        self.turn, self.side, self.step = 1, sides[0], "fire"
        self.over: tuple[str | None, str] | None = None

    # --- who and where -----------------------------------------------------------------------------------------------

    def other(self, side: str) -> str:
        return self.sides[1 - self.sides.index(side)]

    def on(self, side: str, *, troops: bool = False) -> list[str]:
        found = (u for u in self.at if self.units[u].side == side and not (troops and self.units[u].daimyo))
        return sorted(found, key=by_id)

    def standing(self, unit: str) -> list[int]:
        return [i for i, figures in enumerate(self.left[unit]) if figures]

    def base(self, unit: str, x: int, y: int, facing: int) -> Rect:
        """The base of a unit anywhere, of both its stands if it has them."""
        t, both = self.units[unit].t, len(self.standing(unit)) == 2
        w, d = table.half(t.width, facing), table.half(t.depth, facing)
        behind = unit in self.behind
        return Rect(x, y, facing, w * (1 + (both and not behind)), d * (1 + (both and behind)))

    def stands(self, unit: str) -> list[tuple[int, Rect]]:
        b, alive = self.at[unit], self.standing(unit)
        if len(alive) == 1:
            return [(alive[0], b)]
        t = self.units[unit].t
        one = Rect(b.x, b.y, b.facing, table.half(t.width, b.facing), table.half(t.depth, b.facing))
        x, y = one.front if unit in self.behind else (-one.right[0], -one.right[1])
        return [(0, one.at(b.x + x, b.y + y)), (1, one.at(b.x - x, b.y - y))]

    def two(self, unit: str) -> bool:
        return len(self.left[unit]) == 2 and all(self.left[unit])

    def friends(self, daimyo: str) -> list[str]:
        own = self.on(self.units[daimyo].side, troops=True)
        return [u for u in own if touch(self.at[u], self.at[daimyo])]

    def lone(self, unit: str) -> bool:
        return self.units[unit].daimyo and not self.friends(unit)

    def daimyos(self, unit: str) -> list[str]:
        own = (u for u in self.on(self.units[unit].side) if self.units[u].daimyo and u != unit)
        return [u for u in own if touch(self.at[u], self.at[unit])]

    def counts(self, unit: str) -> bool:
        return not self.units[unit].daimyo or self.lone(unit)

    def foes(self, b: Rect, side: str) -> list[str]:
        """The enemies whom a base of a side touches: units, and daimyos who are alone."""
        return [u for u in self.on(self.other(side)) if touch(b, self.at[u]) and self.counts(u)]

    def own(self, side: str, unit: str) -> None:
        if unit not in self.at or self.units[unit].side != side or unit in self.routed:
            raise Illegal("not a unit that obeys")

    # --- room --------------------------------------------------------------------------------------------------------

    def on_table(self, b: Rect) -> bool:
        return min(b.low) >= 0 and b.high[0] <= self.size[0] and b.high[1] <= self.size[1]

    def kinds(self, kinds: set[str]) -> list[Rect]:
        return [b for kind, b in self.ground if kind in kinds]

    def free(self, b: Rect, but: Iterable[str] = (), more: Iterable[Rect] = ()) -> bool:
        others = [o for u, o in self.at.items() if u not in but]
        return self.on_table(b) and not any(overlap(b, o) for o in (*self.kinds(STOPS), *others, *more))

    def paid(self, b: Rect, way: int, length: int) -> int:
        """How many steps a base may go by its limit, those over difficult ground counted twice."""
        budget, slow, n = steps_of(length, way), self.kinds(SLOWS), 0
        while slow:
            budget -= 2 if any(overlap(b.going(way, n + 1), o) for o in slow) else 1
            if budget < 0:
                return n
            n += 1
        return budget

    def push(self, mover: str, end: Rect, under: Iterable[str]) -> tuple[dict[str, Rect], str | None]:
        """Where daimyos go who are in the way of an enemy's end, or the one who can't."""
        placed: dict[str, Rect] = {}
        for daimyo in sorted(under, key=by_id):
            places = (b for u in self.friends(daimyo) for b in self.out(daimyo, self.at[u]))
            but = {mover, daimyo, *placed}
            found = next((b for b in places if self.free(b, but, [end, *placed.values()])), None)
            if found is None:
                return {}, daimyo
            placed[daimyo] = found
        return placed, None

    def out(self, daimyo: str, leader: Rect, places: Iterable[tuple[int, int]] = OUT) -> Iterable[Rect]:
        """A daimyo's base beside a unit, in its facing."""
        own = self.base(daimyo, 0, 0, leader.facing)
        back, aside = (
            (leader.front[i] + own.front[i] for i in (0, 1)),
            (leader.right[i] + own.right[i] for i in (0, 1)),
        )
        (bx, by), (rx, ry) = back, aside
        for behind, right in places:
            yield own.at(leader.x - behind * bx + right * rx, leader.y - behind * by + right * ry)

    # --- fire --------------------------------------------------------------------------------------------------------

    def shots(self, unit: str, target: str) -> list[tuple[int, int]]:
        """The stands that can fire: dice, and the stand that they hit, the weaker of two."""
        found = []
        for number, stand in self.stands(unit):
            muzzle = stand.x + stand.front[0], stand.y + stand.front[1]
            for hit, other in sorted(self.stands(target), key=lambda one: (self.left[target][one[0]], one[0])):
                if any(self.sees(unit, target, stand.facing, muzzle, aim) for aim in other.aims()):
                    found.append((self.left[unit][number], hit))
                    break
        return found

    def sees(self, unit: str, target: str, facing: int, muzzle: table.Place, aim: table.Place) -> bool:
        """Whether an aim point is in range, within 45 degrees and in sight."""
        x, y = aim[0] - muzzle[0], aim[1] - muzzle[1]
        dx, dy = AHEAD[facing]
        along, square = x * dx + y * dy, x * x + y * y
        if square > self.units[unit].t.reach ** 2 or along <= 0 or 2 * along * along < square * (dx * dx + dy * dy):
            return False
        for kind, b in self.ground:
            less = 0
            if kind in DEEP and (b.holds(muzzle) or b.holds(aim)):
                less = 71 if b.facing % 2 else 100
                if min(b.hw, b.hd) <= less:
                    continue
            if kind in HIDES and table.crosses(muzzle, aim, b, less):
                return False
        others = (u for u in self.at if u not in (unit, target) and not self.units[u].daimyo)
        return not any(table.crosses(muzzle, aim, b) for u in others for _, b in self.stands(u))

    def can_fire(self, side: str, unit: str, target: str) -> bool:
        """Whether fire can be declared, or still be resolved."""
        if unit not in self.at or self.units[unit].side != side or unit in self.routed:
            return False
        if not self.units[unit].t.reach or self.foes(self.at[unit], side):
            return False
        if target not in self.at or self.units[target].side == side:
            return False
        return (not self.units[target].daimyo or self.lone(target)) and bool(self.shots(unit, target))

    def resolve_fire(self, die: Die) -> None:
        for unit, target in self.fires:
            if self.can_fire(self.side, unit, target):
                needed = 9 - (self.units[unit].t.rank - self.units[target].t.rank)
                kills = [0, 0]
                for dice, hit in self.shots(unit, target):
                    kills[hit] += sum(die("fire", unit) >= needed for _ in range(dice))
                self.lose(target, kills, die)
        self.fires = []

    # --- moves -------------------------------------------------------------------------------------------------------

    def obeys(self, unit: str, b: Rect) -> bool:
        """Who touched enemies as the step began touches no other."""
        return unit not in self.met or set(self.foes(b, self.units[unit].side)) <= self.met[unit]

    def straight(self, unit: str, b: Rect, way: int, length: int) -> tuple[Rect, bool, str, dict[str, Rect]]:
        """Where a base comes step by step: its end, whether that is as far as ordered, what stops it, who is pushed."""
        side, n = self.units[unit].side, self.paid(b, way, length)
        strip, stuck = table.box([b, b.going(way, n)]), set[str]()
        beside = [u for u in self.at if u != unit and table.near(self.at[u], strip)]
        walls = [o for o in self.kinds(STOPS) if table.near(o, strip)]
        while True:
            loose = [
                u for u in self.on(self.other(side)) if self.units[u].daimyo and not self.lone(u) and u not in stuck
            ]
            enemies = [self.at[u] for u in beside if self.units[u].side != side and u not in loose]
            friends = [self.at[u] for u in beside if self.units[u].side == side] + walls
            j, why = 0, ""
            while j < n and not why:
                there = b.going(way, j + 1)
                if any(overlap(there, o) for o in enemies):
                    why = "enemy"
                elif not self.on_table(there) or any(overlap(there, o) for o in friends):
                    why = "friend"
                else:
                    j += 1
            while j > 0 and not self.obeys(unit, b.going(way, j)):
                j, why = j - 1, "other enemy"
            end = b.going(way, j)
            placed, bad = self.push(unit, end, [u for u in loose if overlap(end, self.at[u])])
            if bad is None:
                return end, j == n, why, placed
            stuck.add(bad)

    def turned(self, unit: str, b: Rect, way: str) -> Rect:
        return self.base(unit, b.x, b.y, (b.facing + {"left": -1, "right": 1}[way]) % 8) if way else b

    def move(self, side: str, words: Words) -> tuple[Rect, dict[str, Rect], str]:
        """A unit's move, turn or halt: its end, who is pushed, what it has done with it."""
        unit, back, length, first, last = _move(words)
        self.own(side, unit)
        done = self.moved.get(unit, "")
        again = bool(done) and (done == "done" or bool(last) or (bool(length) if done == "moved" else bool(first)))
        if self.units[unit].daimyo or again or (first and last) or (done == "moved" and not first):
            raise Illegal("it has moved, or can't move so")
        b = self.turned(unit, self.at[unit], first)
        if first and not (self.free(b, {unit}) and (length or self.obeys(unit, b))):
            raise Illegal("no room to turn")
        if not length:
            return b, {}, "turned" if first and not done else "done"
        if length > self.units[unit].t.move // (2 if back else 1):
            raise Illegal("too far")
        if self.two(unit) and unit not in self.led and not self.daimyos(unit):
            raise Illegal("without its daimyo")
        end, whole, why, placed = self.straight(unit, b, (b.facing + 4) % 8 if back else b.facing, length)
        if why not in ("", "enemy"):
            raise Illegal(f"stopped by {why}")
        if last and whole:
            end = self.last_turn(unit, end, last, placed)
        return end, placed, "done" if first or last or done or why else "moved"

    def last_turn(self, unit: str, end: Rect, way: str, placed: dict[str, Rect]) -> Rect:
        """The end after the last turn, or without it where an enemy is in its way."""
        b, side = self.turned(unit, end, way), self.units[unit].side
        others = {**{u: o for u, o in self.at.items() if u != unit}, **placed}
        under = {self.units[u].side for u, o in others.items() if overlap(b, o)}
        if not self.on_table(b) or side in under or any(overlap(b, o) for o in self.kinds(STOPS)):
            raise Illegal("no room to turn at the end")
        if not under and not self.obeys(unit, b):
            raise Illegal("it would turn to another enemy")
        return end if under else b

    def line(self, b: Rect, x: int, y: int) -> list[Rect]:
        """A daimyo's way to a place, one after another."""
        n = max(abs(x - b.x), abs(y - b.y)) or 1
        return [b.at(b.x + _rounded(j * (x - b.x), n), b.y + _rounded(j * (y - b.y), n)) for j in range(n + 1)]

    def within(self, unit: str, line: list[Rect]) -> bool:
        """Whether a daimyo's limit is enough, difficult ground counted twice."""
        b, end, n = line[0], line[-1], len(line) - 1
        double = sum(any(overlap(there, o) for o in self.kinds(SLOWS)) for there in line[1:])
        square = (end.x - b.x) ** 2 + (end.y - b.y) ** 2
        return square * (n + double) ** 2 <= self.units[unit].t.move ** 2 * n * n

    def may_go(self, side: str, unit: str) -> Rect:
        self.own(side, unit)
        if not self.units[unit].daimyo or unit in self.moved:
            raise Illegal("no daimyo who may move")
        return self.at[unit]

    def go(self, side: str, unit: str, x: int, y: int, facing: int | None) -> Rect:
        """A daimyo's way to a place."""
        b = self.may_go(side, unit)
        line, facing = self.line(b, x, y), b.facing if facing is None else facing
        if not self.within(unit, line):
            raise Illegal("too far")
        enemies, whole = [self.at[u] for u in self.on(self.other(side))], len(line) - 1
        stops = [[any(overlap(there, o) for o in some) for there in line[1:]] for some in (enemies, self.kinds(STOPS))]
        last = next((j for j, found in enumerate(zip(*stops, strict=True)) if any(found)), whole)
        charged, held = last < whole and stops[0][last], False
        lawful = charged or (last == whole and self.under_enemy(unit, x, y, facing))
        for way in dict.fromkeys((facing, b.facing)):
            for j in range(last, -1, -1):
                there = self.base(unit, line[j].x, line[j].y, way)
                if self.free(there, {unit}):
                    if self.obeys(unit, there):
                        if (j, way) != (whole, facing) and (held or not lawful):
                            raise Illegal("he doesn't come there")
                        return there
                    held = held or charged
        if not charged:
            raise Illegal("he doesn't come there")
        return b

    def under_enemy(self, unit: str, x: int, y: int, facing: int) -> bool:
        """Whether nothing but enemies lies where a daimyo would stand."""
        b, side = self.base(unit, x, y, facing), self.units[unit].side
        under = {self.units[u].side for u, o in self.at.items() if u != unit and overlap(b, o)}
        return self.on_table(b) and not any(overlap(b, o) for o in self.kinds(STOPS)) and under == {self.other(side)}

    def follow(self, side: str, unit: str, leader: str, where: str) -> Rect:
        """The first free place beside a unit that a daimyo can reach."""
        b = self.may_go(side, unit)
        if leader not in self.at or self.units[leader].side != side or self.units[leader].daimyo:
            raise Illegal("nobody to follow")
        walls = [*self.kinds(STOPS), *(self.at[u] for u in self.on(self.other(side)))]
        beside = dict(zip(BESIDE, self.out(unit, self.at[leader], OUT[:3]), strict=True))
        for name in dict.fromkeys((where, *BESIDE)):
            there = beside[name]
            if self.free(there, {unit}) and self.obeys(unit, there):
                line = self.line(b, there.x, there.y)
                clear = not any(overlap(o, wall) for o in line[1:] for wall in walls)
                if clear and self.within(unit, line):
                    return there
        raise Illegal("no place beside it")

    def note_led(self) -> None:
        self.led |= {u for u in self.on(self.side, troops=True) if self.two(u) and self.daimyos(u)}

    def unled(self) -> list[str]:
        """Units of two stands that have parted from their daimyo."""
        own = self.on(self.side, troops=True)
        return [u for u in own if u in self.led and u not in self.routed and self.two(u) and not self.daimyos(u)]

    # --- routs -------------------------------------------------------------------------------------------------------

    def flee(self, unit: str, facing: int) -> None:
        """A whole move in a facing, to the first free place from there on, else back; or off the table."""
        side = self.units[unit].side
        b = self.base(unit, self.at[unit].x, self.at[unit].y, facing)
        loose = [u for u in self.on(self.other(side)) if self.units[u].daimyo and not self.lone(u)]
        walls = [*self.kinds(STOPS), *(self.at[u] for u in self.on(self.other(side)) if u not in loose)]
        strip = table.box([b, b.going(facing, max(self.size) + 1000)])
        walls = [o for o in walls if table.near(o, strip)]
        far = range(1, max(self.size) + 1000) if walls else ()
        met = next((j for j in far if any(overlap(b.going(facing, j), o) for o in walls)), None)
        cap = None if met is None else max(met - 11, 0)
        n = self.paid(b, facing, self.units[unit].t.move)
        n = n if cap is None else min(n, cap)
        if not self.on_table(b.going(facing, n)):
            self.take_off(unit, "fled")
            return
        last = n
        while (cap is None or last < cap) and self.on_table(b.going(facing, last + 1)):
            last += 1
        for j in (*range(n, last + 1), *range(n - 1, -1, -1)):
            there = b.going(facing, j)
            under = [u for u, o in self.at.items() if u != unit and overlap(there, o)]
            room = self.on_table(there) and not any(overlap(there, o) for o in self.kinds(STOPS))
            if room and all(u in loose for u in under):
                placed, bad = self.push(unit, there, under)
                if bad is None:
                    self.at |= {unit: there, **placed}
                    return

    def away(self, unit: str) -> int:
        """The facing that leads most away from the nearest enemy."""
        side, b = self.units[unit].side, self.at[unit]
        enemies = [u for u in self.on(self.other(side)) if self.counts(u)]
        if not enemies:
            return 4 if side == self.sides[0] else 0
        closest = self.at[min(enemies, key=lambda u: (table.squared(b, self.at[u]), by_id(u)))]
        x, y = table.nearest((b.x, b.y), closest)
        return table.towards(b.x - x, b.y - y)

    def take_off(self, unit: str, how: str) -> None:
        del self.at[unit]
        self.gone[unit] = how
        for marks in (self.routed, self.led, self.risk):
            marks.discard(unit)

    # --- losses, attacks ---------------------------------------------------------------------------------------------

    def lose(self, unit: str, kills: list[int], die: Die) -> None:
        """Kills by stand; what is left over goes to the other one. Then the check, and the rout."""
        figures = self.left[unit]
        taken = [min(kills[i], n) for i, n in enumerate(figures)]
        for i, n in enumerate(figures):
            taken[i] += min(sum(kills) - sum(taken), n - taken[i])
        if not sum(taken):
            return
        if not self.units[unit].daimyo:
            self.risk |= set(self.daimyos(unit))
        stands = dict(self.stands(unit))
        self.left[unit] = [n - less for n, less in zip(figures, taken, strict=True)]
        alive = self.standing(unit)
        if not alive:
            self.take_off(unit, "killed")
            return
        if len(alive) < len(stands):
            self.at[unit] = stands[alive[0]]
            self.behind.discard(unit)
        if unit not in self.checked and 2 * sum(self.left[unit]) <= self.units[unit].figures:
            self.checked.add(unit)
            if die("morale", unit) >= FAILS[self.units[unit].t.rank]:
                self.routed.add(unit)
                self.flee(unit, (self.at[unit].facing + 4) % 8)

    def can_attack(self, side: str, unit: str, target: str) -> bool:
        if unit not in self.at or self.units[unit].side != side or unit in self.routed or unit in self.fought:
            return False
        if not self.units[unit].t.attack or not self.counts(unit):
            return False
        if target not in self.at or self.units[target].side == side or not self.counts(target):
            return False
        a, b = self.at[unit], self.at[target]
        return touch(a, b) and (self.units[unit].daimyo or table.side(a, b) == "front")

    def needed(self, unit: str, target: str) -> int:
        own, foe = self.units[unit], self.units[target]
        attacker = own.t.attack + (not own.daimyo and bool(self.daimyos(unit)))
        defender = foe.t.rank + (not foe.daimyo and bool(self.daimyos(target)))
        if not foe.daimyo:
            attacker += {"front": 0, "flank": 1, "rear": 2}[table.side(self.at[target], self.at[unit])]
        return 9 - (attacker - defender)

    def easiest(self, side: str, unit: str) -> str | None:
        found = [u for u in self.on(self.other(side)) if self.can_attack(side, unit, u)]
        return min(found, key=lambda u: (self.needed(unit, u), by_id(u)), default=None)

    def attack(self, unit: str, target: str, die: Die) -> None:
        needed, kills = self.needed(unit, target), [0, 0]
        touched = [i for i, b in self.stands(target) if touch(b, self.at[unit])] or self.standing(target)
        hit = min(touched, key=lambda i: (self.left[target][i], i))
        kills[hit] = sum(die("attack", unit) >= needed for _ in range(sum(self.left[unit])))
        self.fought.add(unit)
        self.lose(target, kills, die)

    # --- orders ------------------------------------------------------------------------------------------------------

    def refuses(self, words: Words) -> bool:
        """Whether an order can't be given in the step that it is."""
        side, step = self.side, self.step
        try:
            match words:
                case ("fire", unit, "at", target):
                    return step != "fire" or unit in self.shot or not self.can_fire(side, unit, target)
                case ("rally", unit, *rest):
                    own = unit in self.routed and self.units[unit].side == side and unit not in self.tried
                    by = {rest[1]} if "by" in rest else None
                    found = set(self.daimyos(unit)) if own else set()
                    return step != "rally" or not (found if by is None else found & by)
                case ("attack", unit, *rest):
                    named = [word for word in rest if word in self.units] or self.on(self.other(side))
                    return step != "attack" or not any(self.can_attack(side, unit, u) for u in named)
                case _:
                    if step == "move":
                        self.gone_to(side, words)
                    return step != "move"
        except Illegal:
            return True

    def gone_to(self, side: str, words: Words) -> tuple[Rect, dict[str, Rect], str]:
        """Where a move leads, who is pushed, what the unit has done. Raises Illegal."""
        match words:
            case ("follow", unit, leader, where):
                return self.follow(side, unit, leader, where), {}, "done"
            case ("move", unit, "to", x, y, *facing):
                way = WORDS.index(facing[0]) if facing else None
                return self.go(side, unit, inches(x), inches(y), way), {}, "done"
        return self.move(side, words)

    def play(self, words: Words, die: Die) -> None:
        """Carry out an order that is legal."""
        match words:
            case ("fire", unit, "at", target):
                self.fires.append((unit, target))
                self.shot.add(unit)
            case ("rally", unit, *rest):
                self.tried.add(unit)
                if die("rally", unit) >= FAILS[self.units[unit].t.rank]:
                    self.take_off(unit, "dispersed")
                    return
                self.routed.discard(unit)
                b = self.at[unit]
                if "about" in rest:
                    self.at[unit] = self.base(unit, b.x, b.y, (b.facing + 4) % 8)
            case ("attack", unit, *rest):
                named = [word for word in rest if word in self.units]
                found = (u for u in named if self.can_attack(self.side, unit, u))
                target = next(found, None) if named else self.easiest(self.side, unit)
                assert target is not None
                self.attack(unit, target, die)
            case _:
                end, placed, done = self.gone_to(self.side, words)
                self.at |= {words[1]: end, **placed}
                self.moved[words[1]] = done
                self.note_led()

    # --- the turn ----------------------------------------------------------------------------------------------------

    def idle(self) -> bool:
        """Whether nobody can do anything in this step, so that it ends by itself."""
        own, foes = self.on(self.side), self.on(self.other(self.side))
        match self.step:
            case "fire":
                return not self.fires and not any(self.can_fire(self.side, u, v) for u in own for v in foes)
            case "move":
                return all(u in self.routed or self.moved.get(u) == "done" for u in own)
            case "rally":
                return not any(u in self.routed and u not in self.tried and self.daimyos(u) for u in own)
        return not any(self.can_attack(self.side, u, v) for u in own for v in foes)

    def end_step(self, die: Die) -> None:
        """End the step; with the last one the turn."""
        match self.step:
            case "fire":
                self.resolve_fire(die)
                self.moved, self.led, self.step = {}, set(), "move"
                own = [u for u in self.on(self.side) if self.counts(u)]
                self.met = {u: set(found) for u in own if (found := self.foes(self.at[u], self.side))}
                self.note_led()
                for unit in sorted(self.routed, key=by_id):
                    if self.units[unit].side == self.side:
                        self.flee(unit, self.away(unit))
            case "move":
                self.moved, self.met, self.led, self.step = {}, {}, set(), "rally"
            case "rally":
                self.step = "attack"
            case "attack":
                self.end_turn(die)

    def end_turn(self, die: Die) -> None:
        for daimyo in sorted(self.risk & self.at.keys(), key=by_id):
            if die("risk", daimyo) >= 12:
                self.left[daimyo] = [0]
                self.take_off(daimyo, "killed")
        self.risk, self.shot, self.tried, self.fought = set(), set(), set(), set()
        self.over = self.verdict()
        if self.over is None:
            self.turn += self.side == self.sides[1]
            self.side, self.step = self.other(self.side), "fire"

    def lost(self, side: str) -> Fraction:
        """The share of its points that a side has lost."""
        own = [u for u in self.units if self.units[u].side == side]
        left = sum(sum(self.left[u]) * self.units[u].t.points for u in own if u in self.at)
        return 1 - Fraction(left, sum(self.units[u].figures * self.units[u].t.points for u in own))

    def beyond(self, side: str) -> int:
        """The points of unrouted troops beyond the middle."""
        first = side == self.sides[0]
        own = [u for u in self.on(side, troops=True) if u not in self.routed]
        there = [u for u in own if (2 * self.at[u].y > self.size[1] if first else 2 * self.at[u].y < self.size[1])]
        return sum(sum(self.left[u]) * self.units[u].t.points for u in there)

    def verdict(self) -> tuple[str | None, str] | None:
        """Who has won and by what, at the end of a player's turn."""
        lost = {side: self.lost(side) for side in self.sides}
        hopeless = {side: all(u in self.routed for u in self.on(side)) for side in self.sides}
        broken = [side for side in self.sides if 100 * lost[side] >= self.broken or hopeless[side]]
        if broken:
            least = min(lost[side] for side in self.sides)
            best = [side for side in self.sides if side not in broken or (len(broken) == 2 and lost[side] == least)]
            return (best[0] if len(best) == 1 else None), "army-break"
        if self.side == self.sides[0] or self.turn < self.turns:
            return None
        lead = lost[self.sides[1]] - lost[self.sides[0]]
        if abs(lead) < Fraction(1, 10):
            lead = Fraction(self.beyond(self.sides[0]) - self.beyond(self.sides[1]))
        winner = None if lead == 0 else self.sides[0] if lead > 0 else self.sides[1]
        return winner, "turn-limit"


def _rounded(product: int, n: int) -> int:
    return (2 * product + n) // (2 * n)


def _move(words: Words) -> tuple[str, bool, int, str, str]:
    """Unit, whether back, length, first and last turn."""
    keyword, unit, *rest = words
    if keyword == "turn":
        return unit, False, 0, rest[0], ""
    if keyword == "halt":
        return unit, False, 0, "", ""
    first = rest.pop(0) if rest[0] in ("left", "right") else ""
    return unit, keyword == "back", inches(rest[0]), first, rest[1] if rest[1:] else ""
