"""Where the pieces of a side stand best, by the weights of a rule of thumb: goals shared out, cover, hope and risk."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache

from pbem.maps.hexes import Hex
from pbem.records import NamedTuple
from pbem.rules.bakumatsu.board import Board, Unit
from pbem.rules.bakumatsu.bot import FAR, far_from, goals_of
from pbem.rules.bakumatsu.ground import Modifier
from pbem.rules.bakumatsu.state import State
from pbem.rules.bakumatsu.style import Style
from pbem.rules.kit.reach import distances

__all__ = ["Goal", "Posts", "rings"]

NEAR = 3
"""Hexes from an enemy within which cover and company count, and within which a friend needs his commander."""

TAKEN, LAST = 1.0, 10.0
"""What it counts to end in a hex to be won, and by how much more in the last turn, in movement points."""

EXPOSED = 3.0
"""What is counted against guns beside an enemy, and against a commander alone within two hexes of one."""

BACK = 0.3
"""What a friend who isn't near the enemy counts for a commander, against one who is."""


class Goal(NamedTuple):
    """A hex to make for: the movement points to it from every hex, and by how much farther than it is it counts."""

    far: Mapping[Hex, int]
    more: float


class Posts:
    """How good hexes are for the pieces of a side to stand in, as long as nobody moves."""

    def __init__(self, s: State, side: str, style: Style) -> None:
        self.s, self.side, self.style = s, side, style
        self.friends, self.enemies = s.stands[side], s.stands[s.board.enemy[side]]
        self.near = rings(s.board, frozenset(self.enemies))
        self.last = s.turn == s.board.turns
        self.open = goals_of(s, side)
        self.goals = self._goals()
        self.bound = self._bound()
        load = Counter(self.bound.values())
        self.shared = [goal._replace(more=goal.more + style.crowd * load[n]) for n, goal in enumerate(self.goals)]
        self.own = [goal._replace(more=goal.more + style.crowd * (load[n] - 1)) for n, goal in enumerate(self.goals)]
        self.known: dict[Hex, float] = {}
        self.led: dict[int, Mapping[Hex, float]] = {}

    def _goals(self) -> list[Goal]:
        """The hexes to win, the enemy's entry hex, and one's own that are in danger."""
        s, side, style, near = self.s, self.side, self.style, self.near
        own, theirs = s.board.side[side].entry, s.board.side[s.board.enemy[side]].entry
        more = dict.fromkeys(self.open, 0.0)
        if theirs is not None:
            more[theirs] = style.storm
        more |= {h: style.guard for h, holder in s.control.items() if holder == side and near[h] <= style.alert}
        if own is not None:
            more.pop(own, None)
            if near[own] <= style.watch:
                more[own] = style.home
        return [Goal(far_from(s.board, frozenset((h,)), None), each) for h, each in sorted(more.items())]

    def _bound(self) -> dict[str, int]:
        """Friend -> the number of the goal that he makes for: who is nearest to one chooses first."""
        load, found = [0] * len(self.goals), {}
        nearest = ((min((goal.far[h] for goal in self.goals), default=0), unit, h) for h, unit in self.friends.items())
        for _, unit, h in sorted(nearest) if self.goals else ():
            costs = [each.far[h] + each.more + self.style.crowd * n for each, n in zip(self.goals, load, strict=True)]
            found[unit] = costs.index(min(costs))
            load[found[unit]] += 1
        return found

    def off(self, unit: str, h: Hex) -> float:
        """The movement points from a hex to the nearest goal, as goals count for a unit: those farther to which others
        go; 0 without any."""
        if h not in self.known:
            self.known[h] = min([far[h] + more for far, more in self.shared], default=0.0)
        if (own := self.bound.get(unit)) is None:
            return self.known[h]
        far, more = self.own[own]
        return min(self.known[h], far[h] + more)

    def stays(self, unit: Unit) -> bool:
        """Whether a unit doesn't leave the victory hex in which it stands."""
        h = self.s.at[unit.id]
        if unit.command is not None or self.s.control.get(h) != self.side:
            return False
        own = self.s.board.side[self.side].entry
        return self.near[h] <= (self.style.watch if h == own else self.style.keep)

    def worth(self, unit: Unit, h: Hex) -> float:
        """What it is worth for a combat unit to stand in a hex."""
        style, near, ground = self.style, self.near[h], self.s.board.ground
        total = (TAKEN + LAST * self.last) * (h in self.open)
        total -= style.press * self.off(unit.id, h)
        if self.last or near > NEAR:
            return total
        start = self.s.at.get(unit.id)
        total -= style.cover * _sum(ground.cover_fire[h])
        total += style.together * min(2, sum(n in self.friends and n != start for n in ground.near[h]))
        if near > 1:
            return total
        return (
            total - EXPOSED
            if unit.artillery
            else total + style.hope * self._hope(unit, h) - style.risk * self._risk(unit, h)
        )

    def _hope(self, unit: Unit, h: Hex) -> float:
        """The harm that a unit may do from a hex beside enemies, to the one to whom it may do the most."""
        units, ground, start = self.s.board.units, self.s.board.ground, self.s.at.get(unit.id)
        found = [0.0]
        for n in ground.open_to[h]:
            if (enemy := self.enemies.get(n)) is not None:
                beside = [self.friends[k] for k in ground.open_to[n] if k in self.friends and k not in (start, h)]
                lead = unit.melee + sum(k not in self.s.disordered for k in beside) - units[enemy].melee
                shot = max(0.0, unit.fire + _sum(ground.cover_fire[n])) / 8
                found.append((lead + 3 + _sum(ground.cover_melee[n])) / 6 + 0.7 * (enemy in self.s.disordered) + shot)
        return max(found)

    def _risk(self, unit: Unit, h: Hex) -> float:
        """The harm that a unit may take in a hex beside enemies: by their fire together, and by the best sword."""
        units, ground = self.s.board.units, self.s.board.ground
        beside = [self.enemies[n] for n in ground.near[h] if n in self.enemies]
        guns = [units[enemy].fire for enemy in beside if enemy not in self.s.disordered]
        shot = max(guns, default=0) + max(0, len(guns) - 1) * 0.5 + _sum(ground.cover_fire[h])
        lead = max((units[enemy].melee for enemy in beside), default=0) - unit.melee + 3
        return max(0.0, shot) / 6 + max(0, lead + _sum(ground.cover_melee[h])) / 6

    def leads(self, unit: Unit, h: Hex) -> float:
        """What it is worth for a commander to be in a hex: friends in range, those near the enemy above all."""
        command, near = unit.command, self.near[h]
        reach = 0 if command is None else command.range
        if reach not in self.led:
            self.led[reach] = self._in_range(reach)
        alone = 0.0 if near > 4 else -0.5 if near > 2 else -EXPOSED
        return self.led[reach].get(h, 0.0) + (0.5 if h in self.friends else alone) - 0.01 * near

    def _in_range(self, reach: int) -> Mapping[Hex, float]:
        """Hex -> what the friends in a commander's range count together."""
        found: dict[Hex, float] = {}
        for there in self.friends:
            for h in (there, *self.s.board.ground.reach[reach][there]):
                found[h] = found.get(h, 0.0) + (1.0 if self.near[there] <= NEAR else BACK)
        return found


def _sum(modifiers: Sequence[Modifier]) -> int:
    return sum([m.value for m in modifiers])


@lru_cache(maxsize=64)
def rings(board: Board, start: frozenset[Hex]) -> Mapping[Hex, int]:
    """Hexes from every hex to the nearest of these."""
    near = board.ground.near
    found = distances(dict.fromkeys(start, 0), lambda here: ((h, 1) for h in near[here]))
    return {h: found.get(h, FAR) for h in near}
