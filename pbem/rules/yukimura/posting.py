"""Where the computer player moves: the East towards its goals and to grips, Osaka into a line between it and them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from math import inf

from pbem.maps.hexes import ByHex, Hex, OnDemand, distance
from pbem.rules.requests import Chance
from pbem.rules.yukimura import movement, movement_phase
from pbem.rules.yukimura.aims import (
    FAR,
    Ways,
    contact,
    detour,
    enemies_of,
    files,
    leaders,
    nearness,
    passes,
    way,
)
from pbem.rules.yukimura.board import EAST, Board, Unit
from pbem.rules.yukimura.held import NOWHERE
from pbem.rules.yukimura.meeting import EARLY, meet, stops
from pbem.rules.yukimura.movement import move_destinations, roads, ways
from pbem.rules.yukimura.orders import DONE, Enter, March, Move, Order, Path
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

ALERT = 9
"""Hexes from an enemy within which a leader wants guards."""

OFFENCE = 3.0
"""What each movement point to the leaders of the East counts to Osaka."""

ORDERED = 5.0
"""More than a place in the line is worth to Osaka away from the enemy: mountain, friends before it, rivers."""

TOUCH = 2
"""Hexes from an enemy within which a unit may stand in the front."""

MOST = 24
"""Destinations of one unit that are looked at closely."""

Goal = tuple[Hex, type[Move | March | Enter], Path]
"""A hex in reach, and the order with its path that leads there."""


def next_move(s: State, side: str, chance: Chance, style: Style = BOLD) -> Order:
    """The next move or entry of a side, done when nobody wants to move any more.

    Units are asked in a fixed order, each once: those that stand in it before one that has moved have stayed.
    """
    order = files(s.board, side)
    first = max(map(order.__getitem__, s.moved), default=-1) + 1
    own = leaders(s.board, side)
    for unit in list(order)[first:]:
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
        found = _entries(s, unit)
        bar = -1e9
    elif movement.is_idle(s, unit.id):
        found = _moves(s, unit, start)
        bar = 0.0
    else:
        return None
    if not found:
        return None
    post = Post(s, unit, start or found[0][0], style)
    if start is not None:
        bar = post.worth(start) + STIR
    best, pick = (bar, 1.0), None
    for goal in _sieved(post, found):
        luck = chance.random()
        if post.most(goal[0]) >= best[0] and (each := (post.worth(goal[0]), luck)) > best:
            best, pick = each, goal
    return None if pick is None else pick[1](unit.id, pick[2])


def _sieved(post: Post, found: list[Goal]) -> list[Goal]:
    """The destinations worth looking at: those that decide, and the nearest to where one goes."""
    return found if len(found) <= MOST else sorted(found, key=post.rough)[:MOST]


def _moves(s: State, unit: Unit, start: Hex) -> list[Goal]:
    friends, on_foot, by_road = s.stands[unit.side], ways(s, unit, start), roads(s, unit, start)
    found: list[Goal] = [(h, Move, path) for h, (_, path) in on_foot.items() if h not in friends]
    if by_road:
        found += [(h, March, path) for h, path in by_road.items() if h not in on_foot and h not in friends]
    return found


def _entries(s: State, unit: Unit) -> list[Goal]:
    found: list[Goal] = []
    if unit.force not in s.arrived or unit.id not in s.waiting[unit.force]:
        return found
    for entry in movement_phase.free_entries(s, unit.force):
        found.append((entry, Enter, (entry,)))
        onward = move_destinations(s, unit, entry, movement_phase.ENTRY_COST)
        found += [(h, Enter, (entry, *path)) for h, (_, path) in onward.items()]
    return found


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
        board, side = s.board, unit.side
        enemies, own = enemies_of(s, side), leaders(board, side)
        self.s, self.unit, self.start, self.style = s, unit, start, local(board, style, start)
        self.friends, self.enemies = s.stands[side], s.stands[board.enemy[side]]
        self.near = contact(board, enemies)
        self.goal = way(board, side)
        self.way = self.goal if side != EAST else self._detour(enemies)
        self.ground, self.rivers = board.ground, _rivers(board)
        self.plugs = stops(board) if side != EAST else NOWHERE
        self.passes = passes(board) if self.style.ford else NOWHERE
        self.meet = None if side == EAST else meet(s, unit, start, enemies)
        self.prizes = [s.at[u] for u in leaders(board, board.enemy[side]) if u in s.at]
        self.special = _special(board, side)
        self.wards = [s.at[u] for u in own if u in s.at]
        self.home = self._home() if self.style.home or self.style.gate else None
        alert = self.home not in board.breakthrough  # who keeps a road is no guard
        self.guarded = [ward for ward in self.wards if self.near[ward] <= ALERT] if alert else []
        self.beside = {h for ward in self.guarded for h in self.ground.near[ward]}
        self.doors = self._doors() if s.beside else NOWHERE
        self.coming: dict[Hex, int] = {}

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
        if h in self.passes:
            total -= style.ford
        if h in self.plugs and self.near[h] <= EARLY:
            total += PLUG
        if h in self.doors:
            total -= DOOR
        return total + style.guard * self._guard(h)

    def most(self, h: Hex) -> float:
        """More than it can be worth to stand in a hex, or as much, found with little work."""
        if self.near[h] <= TOUCH or h in self.special or h in self.beside:
            return inf
        if self.unit.side == EAST:
            return -4.0 * self.style.ahead * self.way[h]
        return 0.0 if self.meet is None else ORDERED - 2.0 * self.style.ahead * distance(h, self.meet)

    def rough(self, goal: Goal) -> int:
        """How far a destination is from where the unit goes; those that decide come before all others."""
        h, far = goal[0], 0
        if self.unit.side == EAST:
            far = self.way[h]
        elif self.meet is not None:
            far = distance(h, self.meet)
        return far - FAR * FAR if h in self.special else far

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
        rivers = sum(self.near[n] < near for n in self.rivers[h])
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
            friends, units = self.friends, self.s.board.units
            free = (m == self.start or m not in friends for m in self.ground.open_to[n] if m not in self.enemies)
            room = sum(free) - 1
            there = (
                (units[friends[h]], far) for h, far in _around(self.s.board)[n] if h in friends and h != self.start
            )
            able = [unit.strength for unit, far in there if far <= unit.move and movement.is_idle(self.s, unit.id)]
            self.coming[n] = sum(sorted(able, reverse=True)[: max(0, room)])
        return self.coming[n]

    def _front(self, h: Hex) -> int:
        """The hexes beside a hex that no other friend holds and that an enemy holds or has beside him."""
        return sum(self.near[m] < TOUCH and (m == self.start or m not in self.friends) for m in self.ground.open_to[h])

    def _guard(self, h: Hex) -> float:
        """What a guard is worth where one's own threatened leader can be attacked or fired at, while there are few."""
        for ward in self.guarded:
            if h in self.ground.near[ward]:
                attack = self.ground.open_to[ward]
                if h in attack:
                    return GUARD if self._others(attack) < self.style.guards else 0.0
                fire = [n for n in self.ground.near[ward] if n not in attack]  # 9-1-6
                return SCREEN if self._others(fire) < self.style.screen else 0.0
        return 0.0

    def _others(self, hexes: Iterable[Hex]) -> int:
        """The other friends in some hexes."""
        found = 0
        for n in hexes:
            if n in self.friends and n != self.start:
                found += 1
        return found

    def _home(self) -> Hex | None:
        """What this unit stays with as one of those nearest to it: a road, a leader, Komatsuyama; or None."""
        roads = sorted(self.s.board.breakthrough) if self.unit.side != EAST else []
        for places, units in ((roads, self.style.gate), (self.wards or self._hill(), self.style.home)):
            for place in places:
                if distance(self.start, place) <= HAIL and self._is_among(units, place):
                    return place
        return None

    def _hill(self) -> list[Hex]:
        return [self.s.board.star] if self.s.board.star is not None else []

    def _is_among(self, units: int, place: Hex) -> bool:
        """Whether this unit is one of so many that are the nearest to a place; leaders don't count."""
        far = nearness(self.s.board)[place]
        here, nearer = far[self.start], 0
        for h in self.friends:
            if far[h] < here and h not in self.wards:
                nearer += 1
                if nearer == units:
                    return False
        return units > 0

    def _doors(self) -> frozenset[Hex]:
        """The hexes by which others of this side may enter now, and by which alone (14-3(6)c)."""
        s, side = self.s, self.unit.side
        may = [force for force in s.beside if force in s.arrived and s.board.arrivals[force].side == side]
        return frozenset(s.beside[force] for force in may if set(s.waiting[force]) - {self.unit.id})

    def _detour(self, enemies: frozenset[Hex]) -> Ways:
        """The East's ways round what stands fast in this phase."""
        at = self.s.at
        return detour(self.s.board, EAST, enemies, frozenset(at[unit] for unit in self.s.pinned if unit in at))


@lru_cache(maxsize=4)
def _special(board: Board, side: str) -> frozenset[Hex]:
    """The hexes that a unit of a side never leaves out of account."""
    found = board.breakthrough | {h for h in (board.star,) if h is not None}
    return found if side == EAST else found | stops(board)


@lru_cache(maxsize=4)
def _rivers(board: Board) -> Mapping[Hex, tuple[Hex, ...]]:
    """For every hex those beside it from which a small river is crossed."""
    near, rivers = board.ground.near, board.ground.small_river
    return {h: tuple(n for n in near[h] if (n, h) in rivers) for h in near}


@lru_cache(maxsize=4)
def _around(board: Board) -> ByHex[list[tuple[Hex, int]]]:
    """For every hex those not beside it from which a unit may come beside it in a phase, and how far they are."""
    most = max(unit.move for unit in board.units.values())
    return OnDemand(lambda n: [(h, far) for h in board.ground.near if 1 < (far := distance(h, n)) <= most])
