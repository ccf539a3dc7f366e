"""The best course of a side's only unit, exactly: over the dice of its marches, extended and forced ones among them.

Where nobody else can make up for it, all hangs on what one unit still comes to: whether it rests, where it goes first,
and whether it forces a march are weighed by the chance that its side wins.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache

from pbem.maps.hexes import Hex
from pbem.records import NamedTuple
from pbem.rules.gcacw.aims import Aim
from pbem.rules.gcacw.board import CAVALRY, CONFEDERATE, Board
from pbem.rules.gcacw.course import Gait, stops_on, way
from pbem.rules.gcacw.may_march import EXTENDED
from pbem.rules.gcacw.orders import ALWAYS, NEVER, ROUTE
from pbem.rules.gcacw.state import MOST_FATIGUE, State
from pbem.rules.gcacw.victory import level_of, total
from pbem.rules.kit.throws import by_sum

__all__ = ["Deed", "choice"]

WINS = 10.0
"""What a victory is worth besides the points of the score."""


class Stand(NamedTuple):
    """How a unit stands in its course; `done` are the groups of the aims that it has brought about."""

    at: Hex
    done: frozenset[str]
    turn: int
    fatigue: int
    men: int
    disorganised: bool


class Deed(NamedTuple):
    """What a unit does next: it goes for an aim, or brings it about where it stands; it rests where there is none.

    worth    of the whole course, in points;  spared: what two actions less would cost of that
    """

    worth: float
    aim: Aim | None = None
    force: str = NEVER
    spared: float = 0.0


def choice(s: State, unit: str, gait: Gait, able: tuple[Aim, ...]) -> Deed:
    """What the only unit of the Confederates does next; `gait` is that of a march that isn't forced."""
    here = s.at[unit]
    base = total(s) - sum(aim.worth for aim in able if aim.late and aim.at == here)
    search = _search(s.board, unit, s.army(unit), base, gait, able)
    stand = Stand(here, frozenset(), s.turn, s.fatigue.get(unit, 0), s.manpower[unit], unit in s.disorganised)
    return search.choice(stand)


@lru_cache(maxsize=64)
def _search(board: Board, unit: str, army: str, base: float, gait: Gait, able: tuple[Aim, ...]) -> _Search:
    return _Search(board, unit, army, base, gait, able)


class _Search:
    """The search for a course; what a stand is worth is worked out once."""

    def __init__(self, board: Board, unit: str, army: str, base: float, gait: Gait, able: tuple[Aim, ...]) -> None:
        self._board, self._army, self._base, self._gait = board, army, base, gait
        self._branch = board.units[unit].branch
        self._late = {aim.at: aim for aim in able if aim.late}
        self._once = [aim for aim in able if not aim.late]
        throws = by_sum(lambda total: 2 * (total + gait.allowance.more), gait.allowance.dice)
        self._points = [(points, times / throws.total()) for points, times in throws.items()]
        self.worth = cache(self._best_worth)
        self._way = cache(self._steps)

    def choice(self, stand: Stand) -> Deed:
        """What is best, and what it would cost to be more tired by two actions."""
        worth, _, found, force = max(self._options(stand), key=lambda option: option[:2])
        tired = self.worth(stand._replace(fatigue=min(MOST_FATIGUE, stand.fatigue + 2)))
        return Deed(worth, found, force, worth - tired)

    def _best_worth(self, stand: Stand) -> float:
        return max(option[0] for option in self._options(stand))

    def _options(self, stand: Stand) -> Iterator[tuple[float, int, Aim | None, str]]:
        """What a unit can do: its worth, its place among what is as good, the aim, and how the march is forced."""
        yield self._rested(stand), 0, None, NEVER
        for aim in self._once:
            if aim.group in stand.done:
                continue
            if aim.at == stand.at and stand.fatigue + aim.actions <= MOST_FATIGUE:
                done = stand._replace(done=stand.done | {aim.group}, fatigue=stand.fatigue + aim.actions)
                yield self.worth(done), 1, aim, NEVER
            elif aim.at != stand.at:
                yield from self._marches(stand, aim)
        for aim in self._late.values():
            if aim.at != stand.at:
                yield from self._marches(stand, aim)

    def _rested(self, stand: Stand) -> float:
        """What a stand comes to if it rests until the next turn, or the end."""
        if stand.turn == self._board.turns:
            late = self._late.get(stand.at)
            return self._score(stand.done, late.worth if late is not None else 0)
        tired = self._board.tables.rest[stand.fatigue]
        night = stand._replace(turn=stand.turn + 1, fatigue=tired, disorganised=stand.disorganised and tired > 0)
        return self.worth(night)

    def _score(self, done: frozenset[str], more: float = 0) -> float:
        """The points of the end, and what it is worth to win by them."""
        points = self._base + more + sum(aim.worth for aim in self._once if aim.group in done)
        return points + WINS * (level_of(self._board.victory, points).side == CONFEDERATE)

    def _marches(self, stand: Stand, aim: Aim) -> Iterator[tuple[float, int, Aim, str]]:
        """The marches towards an aim: as they are, forced where that brings it there, and forced where it can be."""
        extended = stand.fatigue + 1 >= EXTENDED
        if stand.fatigue >= MOST_FATIGUE or (extended and stand.turn in self._board.no_extended):
            return
        steps = self._way(stand.at, aim.at)
        if not steps:
            return
        strained = [*self._strained(stand)] if extended else [(stand, 1.0)]
        for force in (NEVER,) if stand.turn in self._board.no_force else (NEVER, ROUTE, ALWAYS):
            ends = (
                (self._ended(one, steps, points, force), chance * share)
                for one, chance in strained
                for points, share in self._points
            )
            yield sum(self._or_lost(end) * share for end, share in ends), -len(force), aim, force

    def _or_lost(self, stand: Stand) -> float:
        return self.worth(stand) if stand.men > 0 else self._score(stand.done)

    def _strained(self, stand: Stand) -> Iterator[tuple[Stand, float]]:
        """The roll of an extended march (std-5.1-5 to -9)."""
        tables = self._board.tables
        add = tables.at_four * (stand.fatigue + 1 == MOST_FATIGUE) + tables.mounted * (self._branch == CAVALRY)
        for found, times in by_sum(lambda die: tables.strain(self._army, die + add), 1).items():
            price = found.loss + (found.disorganised and stand.disorganised)
            disorganised = stand.disorganised or found.disorganised
            yield stand._replace(men=stand.men - price, disorganised=disorganised), times / 6

    def _steps(self, here: Hex, at: Hex) -> tuple[tuple[int, Hex, bool], ...]:
        """The steps of a way: half points, hex, and whether a zone stops the march there."""
        gait = self._gait
        steps = way(self._board, here, at, gait.barred, gait.enemies)
        if steps is None:
            return ()
        stops = set(stops_on(steps, gait.stops))
        return tuple((price, h, number in stops) for number, (price, h) in enumerate(steps, 1))

    def _ended(self, stand: Stand, steps: tuple[tuple[int, Hex, bool], ...], left: int, force: str) -> Stand:
        """Where a march ends with so many half points (std-5.1-11, std-5.1-13)."""
        more = self._board.tables.forced[self._branch]
        able = force != NEVER and not (stand.men == 1 and stand.disorganised)
        here, rest = stand.at, sum(price for price, _, _ in steps)
        for price, h, stops in steps:
            if price > left:
                if not able or (rest if force == ROUTE else price) > left + more:
                    break
                able, left = False, left + more
                stand = stand._replace(men=stand.men - stand.disorganised, disorganised=True)
            here, left, rest = h, left - price, rest - price
            if stops:
                break
        return stand._replace(at=here, fatigue=stand.fatigue + 1)
