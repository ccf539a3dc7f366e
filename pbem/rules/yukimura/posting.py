"""Where the computer player moves: the East towards its goals and to grips, Osaka into a line between it and them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from pbem.maps.hexes import Hex, distance
from pbem.rules.requests import Chance
from pbem.rules.yukimura import movement, movement_phase
from pbem.rules.yukimura.aims import (
    FAR,
    contact,
    course,
    detour,
    enemies_of,
    files,
    leaders,
    passes,
    plugs,
    way,
    within,
)
from pbem.rules.yukimura.board import EAST, Unit
from pbem.rules.yukimura.held import barred
from pbem.rules.yukimura.movement import march_destinations, move_destinations
from pbem.rules.yukimura.orders import DONE, Enter, March, Move, Order
from pbem.rules.yukimura.state import State
from pbem.rules.yukimura.weights import BOLD, Style, local

__all__ = ["Post", "foothold", "next_move"]

STAR, PLUG, GUARD, SCREEN, PRIZE = 40.0, 40.0, 20.0, 10.0, 60.0
"""What it is worth to stand in Komatsuyama, where one unit bars a ford or a road off the map, beside one's own
threatened leader, there where he can only be fired at, and beside the enemy's leader."""

DOOR = 100.0
"""What counts against a hex by which alone others of the side may still enter."""

STIR = 0.5
"""How much better another hex must be for a unit to move at all."""

BROKEN = 5
"""How much more than any other hex that counts a road off the map does."""

HAIL = 14
"""Hexes from a place within which units can be among those that stay with it."""

HOMELY, CLOSE = 8.0, 2
"""What each hex counts by which a unit is farther from the leader with whom it stays than this."""

ALERT, EARLY = 9, 14
"""Hexes from an enemy within which a leader wants guards, and a ford or a road off the map."""

OFFENCE = 3.0
"""What each movement point to the leaders of the East counts to Osaka."""

PACE = 3
"""Hexes that most units go in a turn."""

TOUCH = 2
"""Hexes from an enemy within which a unit may stand in the front."""

MOST = 24
"""Destinations of one unit that are looked at closely."""

NEAR, DANGER, MET = 2.0, 1.5, 5.0
"""What counts against a threat as the one to meet: hexes to it, its way to a goal, each friend that meets it."""


def next_move(s: State, side: str, chance: Chance, style: Style = BOLD) -> Order:
    """The next move or entry of a side, done when nobody wants to move any more.

    Units are asked in a fixed order, each once: those that stand in it before one that has moved have stayed.
    """
    order = files(s.board, side)
    first = max((i + 1 for i, unit in enumerate(order) if unit in s.moved), default=0)
    own = leaders(s.board, side)
    for unit in order[first:]:
        if unit in own:
            continue
        found = _best(s, s.board.units[unit], chance, style)
        if found is not None:
            return found
    return DONE


def _best(s: State, unit: Unit, chance: Chance, style: Style) -> Order | None:
    """The order that takes a unit to the best hex in reach; None when it stays or can't move."""
    start = s.at.get(unit.id)
    if start is None:
        found = list(_entries(s, unit))
        bar = -1e9
    elif movement.is_idle(s, unit.id):
        found = list(_moves(s, unit, start))
        bar = 0.0
    else:
        return None
    if not found:
        return None
    post = Post(s, unit, start or found[0][0], style)
    if start is not None:
        bar = post.worth(start) + STIR
    worth, _, order = max((post.worth(h), chance.random(), order) for h, order in _sieved(post, found))
    return order if worth > bar else None


def _sieved(post: Post, found: list[tuple[Hex, Order]]) -> list[tuple[Hex, Order]]:
    """The destinations worth looking at: those that decide, and the nearest to where one goes."""
    if len(found) <= MOST:
        return found
    return sorted(found, key=lambda each: (each[0] not in post.special, post.rough(each[0])))[:MOST]


def _moves(s: State, unit: Unit, start: Hex) -> Iterator[tuple[Hex, Order]]:
    moves, marches = move_destinations(s, unit, start), march_destinations(s, unit, start)
    yield from ((h, Move(unit.id, path)) for h, (_, path) in moves.items())
    yield from ((h, March(unit.id, path)) for h, path in marches.items() if h not in moves)


def _entries(s: State, unit: Unit) -> Iterator[tuple[Hex, Order]]:
    if unit.id not in s.waiting.get(unit.force, ()):
        return
    for entry in movement_phase.free_entries(s, unit.force):
        yield entry, Enter(unit.id, (entry,))
        ways = move_destinations(s, unit, entry, movement_phase.ENTRY_COST)
        yield from ((h, Enter(unit.id, (entry, *path))) for h, (_, path) in ways.items())


def foothold(s: State, h: Hex, style: Style) -> float:
    """What it is worth to drive an enemy from a hex that counts at the end; the more the later it is."""
    board = s.board
    if h in board.breakthrough:
        return BROKEN * style.ground
    if not style.ground or not (h == board.star or (board.west_needed and h in board.west)):
        return 0.0
    late = s.turn / board.turns
    return style.ground * late * late


class Post:
    """How good hexes are for one unit to stand in, as things are."""

    def __init__(self, s: State, unit: Unit, start: Hex, style: Style = BOLD) -> None:
        self.s, self.unit, self.start, self.style = s, unit, start, local(s.board, style, start)
        self.friends, self.enemies = s.stands[unit.side], s.stands[s.board.enemy[unit.side]]
        self.near = contact(s.board, enemies_of(s, unit.side))
        self.way = way(s.board, EAST) if unit.side != EAST else self._detour()
        self.goal = way(s.board, unit.side)
        self.ground = s.board.ground
        self.plugs = plugs(s.board) | s.board.breakthrough if unit.side != EAST else frozenset()
        self.meet = None if unit.side == EAST else self._meet()
        self.prizes = [s.at[u] for u in leaders(s.board, s.board.enemy[unit.side]) if u in s.at]
        self.special = self.plugs | {h for h in (s.board.star, *s.board.breakthrough) if h is not None}
        self.wards = [s.at[u] for u in leaders(s.board, unit.side) if u in s.at]
        self.hill = [s.board.star] if s.board.star is not None else []
        self.home = self._home() if self.style.home or self.style.gate else None
        self.doors = self._doors()
        self.coming: dict[Hex, int] = {}
        self.idle: list[tuple[Hex, Unit]] | None = None

    def worth(self, h: Hex) -> float:
        """What it is worth to stand in a hex."""
        style = self.style
        total = self._ahead(h) if self.unit.side == EAST else self._between(h)
        if self.near[h] == 1:
            total += style.clash * self._clash(h)
        if self.near[h] <= TOUCH and style.front:
            total += style.front * self._front(h)
        if self.home is not None:
            total -= HOMELY * max(0, distance(h, self.home) - CLOSE)
        if h == self.s.board.star:
            total += STAR
        if style.ford and h in passes(self.s.board):
            total -= style.ford
        if h in self.plugs and self.near[h] <= EARLY:
            total += PLUG
        if h in self.doors:
            total -= DOOR
        return total + style.guard * self._guard(h)

    def rough(self, h: Hex) -> float:
        """How far a hex is from where the unit goes; the least is the best."""
        if self.unit.side == EAST:
            return self.way[h]
        return 0 if self.meet is None else distance(h, self.meet)

    def _ahead(self, h: Hex) -> float:
        """For the East: the nearer to a goal the better, and not in a heap."""
        return -4.0 * self.style.ahead * self.way[h] - 0.3 * self.style.crowd * self._crowd(h)

    def _between(self, h: Hex) -> float:
        """For Osaka: before the nearest threat, on its way to its goal, in a line with others behind."""
        near = self.near[h]
        if self.meet is None:
            return 0.0
        total = -2.0 * self.style.ahead * distance(h, self.meet)
        total -= OFFENCE * self.style.offence * min(self.goal[h], FAR if self.prizes else 0)
        total += 2.0 * (near == 2) + 1.0 * (h in self.ground.mountain)
        total -= 0.8 * self.style.crowd * max(0, self._crowd(h) - 2)
        if near > 2 and any(self.near[n] < near for n in self.ground.near[h] if n in self.friends):
            total += 1.5
        rivers = sum((n, h) in self.ground.small_river for n in self.ground.near[h] if self.near[n] < near)
        return total + 0.8 * min(2, rivers)

    def _crowd(self, h: Hex) -> int:
        return self._others(self.ground.near[h])

    def _clash(self, h: Hex) -> float:
        """What contact is worth: the strength that can be brought to bear, the ways of retreat it closes."""
        found, guns, around = -9.0, 0, 0
        for n in self.ground.open_to[h]:
            enemy = self.enemies.get(n)
            if enemy is None:
                continue
            around += 1
            guns += self.s.board.units[enemy].rifle
            found = max(found, self._against(h, n, enemy))
        return found - 1.0 * guns - 0.5 * around

    def _against(self, h: Hex, n: Hex, enemy: str) -> float:
        ground, units = self.ground, self.s.board.units
        strength, shut = float(self.unit.strength), 0
        for m in ground.open_to[n]:
            friend = self.friends.get(m)
            if friend is not None and m != self.start:
                strength += units[friend].strength
        if self.style.hope:
            strength += self.style.hope * self._to_come(n)
        lead = strength - units[enemy].strength
        worth = 2.0 * max(-3, min(6, lead))
        for m in ground.open_to[n]:
            if m not in self.enemies and m in ground.open_to[h] and m not in self.friends:
                shut += 1
        worth += 0.5 * shut
        if n in ground.mountain and h not in ground.mountain:
            worth -= 2.0
        worth += foothold(self.s, n, self.style) / 2
        if n in self.prizes:
            worth += PRIZE if lead > 0 else PRIZE / 4
        return worth

    def _to_come(self, n: Hex) -> int:
        """The strength of friends that may still come beside a hex in this phase, as far as there is room."""
        if n not in self.coming:
            taken = self.friends.keys() - {self.start} | self.enemies.keys()
            room = sum(m not in taken for m in self.ground.open_to[n]) - 1
            far = sorted((u.strength for h, u in self._idle() if 1 < distance(h, n) <= u.move), reverse=True)
            self.coming[n] = sum(far[: max(0, room)])
        return self.coming[n]

    def _idle(self) -> list[tuple[Hex, Unit]]:
        """The other friends that haven't moved and can, with their hexes."""
        if self.idle is None:
            others = [(h, unit) for h, unit in self.friends.items() if h != self.start]
            self.idle = [(h, self.s.board.units[unit]) for h, unit in others if movement.is_idle(self.s, unit)]
        return self.idle

    def _front(self, h: Hex) -> int:
        """The hexes beside a hex that no other friend holds and that an enemy holds or has beside him."""
        return sum(self.near[m] < TOUCH and (m == self.start or m not in self.friends) for m in self.ground.open_to[h])

    def _guard(self, h: Hex) -> float:
        """What a guard is worth where one's own threatened leader can be attacked or fired at, while there are few.

        Who keeps a road is no guard.
        """
        if self.home in self.s.board.breakthrough:
            return 0.0
        for ward in self.wards:
            if self.near[ward] <= ALERT and h in self.ground.near[ward]:
                attack = self.ground.open_to[ward]
                if h in attack:
                    return GUARD if self._others(attack) < self.style.guards else 0.0
                fire = [n for n in self.ground.near[ward] if n not in attack]  # 9-1-6
                return SCREEN if self._others(fire) < self.style.screen else 0.0
        return 0.0

    def _others(self, hexes: Iterable[Hex]) -> int:
        """The other friends in some hexes."""
        return sum(n in self.friends and n != self.start for n in hexes)

    def _home(self) -> Hex | None:
        """What this unit stays with as one of those nearest to it: a road, a leader, Komatsuyama; or None."""
        roads = sorted(self.s.board.breakthrough) if self.unit.side != EAST else []
        for places, units in ((roads, self.style.gate), (self.wards or self.hill, self.style.home)):
            for place in places:
                far = distance(self.start, place)
                nearer = sum(h not in self.wards and (distance(h, place), h) < (far, self.start) for h in self.friends)
                if far <= HAIL and nearer < units:
                    return place
        return None

    def _doors(self) -> frozenset[Hex]:
        """The hexes by which others of this side may enter now, and by which alone (14-3(6)c)."""
        s, side = self.s, self.unit.side
        may = [force for force in s.beside if force in s.arrived and s.board.arrivals[force].side == side]
        return frozenset(s.beside[force] for force in may if set(s.waiting[force]) - {self.unit.id})

    def _detour(self) -> Mapping[Hex, int]:
        """The East's ways round what stands fast in this phase."""
        stuck = frozenset(h for unit, h in self.s.at.items() if unit in self.s.pinned)
        return detour(self.s.board, EAST, enemies_of(self.s, EAST), stuck)

    def _meet(self) -> Hex | None:
        """Where this unit of Osaka goes to bar the way to the threat that it is the one to meet; None without one."""
        threat = self._threat()
        if threat is None:
            return None
        plug = next((h for h in sorted(self.plugs) if self._bars(h)), None)
        return plug if plug is not None else self._meets(threat)

    def _meets(self, threat: Hex) -> Hex:
        """The first hex on a threat's way to its goal where this unit can be before it."""
        ahead = course(self.s.board, EAST, threat)
        shut = barred(self.s, EAST)
        rest = PACE * (self.s.board.gate - self.s.turn)
        for h in ahead[2:]:
            lead = self.way[threat] - self.way[h] + (rest if h in shut else 0)
            if distance(self.start, h) <= lead + 1:
                return h
        return ahead[-1]

    def _bars(self, h: Hex) -> bool:
        """Whether this unit is the one to bar a ford: too few do, an enemy may come, nobody free is there earlier."""
        if h in self.enemies or self.near[h] > EARLY or sum(n in self.friends for n in (h, *self.ground.near[h])) > 2:
            return False
        units = self.s.board.units
        free = [(distance(at, h) / units[unit].move, unit) for at, unit in self.friends.items() if self._free(at, h)]
        return (distance(self.start, h) / self.unit.move, self.unit.id) == min(free, default=None)

    def _free(self, at: Hex, h: Hex) -> bool:
        """Whether the friend in a hex could go to bar a ford, and isn't there already."""
        return distance(at, h) > 1 and movement.is_idle(self.s, self.friends[at])

    def _threat(self) -> Hex | None:
        """The enemy that this unit of Osaka goes to meet: near to it, near to the East's goals, and not met yet."""
        here, ways, others = self.start, self.way, self.friends.keys() - {self.start}
        near, around = self.s.board.map_of(here), within(self.s.board)

        def rank(h: Hex) -> tuple[float, Hex]:
            met = sum(ways[n] <= ways[h] for n in around[h] & others)
            far = min(distance(here, h), 2 + distance(here, course(self.s.board, EAST, h)[-1]))
            return NEAR * far + DANGER * ways[h] + MET * met, h

        return min((h for h in self.enemies if h in near and ways[h] < FAR), key=rank, default=None)
