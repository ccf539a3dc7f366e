"""What follows when units come and go, and how the battle ends (rulebook 14-1(6), 14-2(6), 14-3(9), 14-4(6))."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any

from pbem.maps.hexes import Hex, distance
from pbem.rules.kit.situation import progress as progress_of
from pbem.rules.requests import Outcome, Tell
from pbem.rules.yukimura import held
from pbem.rules.yukimura.board import EAST, OSAKA
from pbem.rules.yukimura.orders import Advance, Displace, Fire, March, Melee, Move, Order, Retreat
from pbem.rules.yukimura.state import Ended, State
from pbem.words import the

__all__ = ["beyond_line", "decisive", "judge", "moved", "outcome", "progress", "surrounding", "turn_ends"]


PUSHED = 5
"""Hexes within which a retreat may bring a friend on the way: 4 that the unit goes (11(3)), 1 for who makes room."""


def moved(s: State, unit: str, *, forced: bool, way: Sequence[Hex | None] = ()) -> Iterator[Tell]:
    """What follows when a unit has moved, been removed or left the map; the battle may be over then.

    `forced` is a retreat or displacement. `way` lists the hexes of its way, first the one that it left:
    None when it came from off the map.
    """
    board = s.board
    if s.ended is not None:
        return
    side, h = board.units[unit].side, s.at.get(unit)
    if board.star is not None and (h == board.star or board.star in way[1:]):
        yield from _take_star(s, side)
    if not s.crossed and not forced and side == EAST and board.west:
        yield from _cross(s, unit, way)
    leaders = board.collapse.get(side)
    if leaders and unit in leaders:
        start = board.units[unit].start
        if h != start or any(other != start for other in way):  # R92
            clause = "14-2(6)1" if side == EAST else "14-2(6)2"
            yield _end(s, Ended(board.enemy[side], clause, unit))


def decisive(s: State, order: Order) -> bool:
    """Whether an order may end the battle: a leader may leave the start hex by it, moving or in a retreat (14-2(6))."""
    leaders = [leader for side in s.board.collapse.values() for leader in side if leader in s.at]
    match order:
        case Move() | March():
            return order.unit in leaders
        case Fire() | Melee():
            return any(_may_rout(s, order, leader) for leader in leaders)
        case Retreat() | Displace() | Advance():
            return any(_may_bring_on(s, order.unit, leader, ()) for leader in leaders)
        case _:
            return False


def _may_rout(s: State, order: Fire | Melee, leader: str) -> bool:
    """Whether a fight may drive a leader out of his hex: one who takes part in it, or one behind those who do."""
    attackers, units = (order.unit, *order.support), s.board.units
    if leader in (order.target, *attackers):
        return True
    if units[leader].side == units[order.target].side:
        return _may_bring_on(s, order.target, leader, attackers)
    return isinstance(order, Melee) and any(_may_bring_on(s, unit, leader, (order.target,)) for unit in attackers)


def _may_bring_on(s: State, unit: str, leader: str, enemies: Iterable[str]) -> bool:
    """Whether a retreat of a unit before some enemies may bring on that of a leader.

    It may bring on others: of friends who stand in its way, and of those in theirs. Every step of all of them leads
    away from each of these enemies (11-1-1, R82), so a hex that is entered is as much farther from each of them as it
    is from the unit.
    """
    side = s.board.units[unit].side
    if unit not in s.at or s.board.units[leader].side != side:
        return False
    begin, goal, threats = s.at[unit], s.at[leader], [s.at[enemy] for enemy in enemies if enemy in s.at]

    def behind(h: Hex) -> bool:
        far = distance(begin, h)
        return all(distance(h, threat) - distance(begin, threat) >= far for threat in threats)

    near = new = {begin}
    behind_it = {h for h in s.stands[side] if behind(h)} if behind(goal) else set[Hex]()
    while new and goal not in near:
        new = {h for h in behind_it - near if any(distance(h, other) <= PUSHED for other in new)}
        near = near | new
    return goal in near


def _take_star(s: State, side: str) -> Iterator[Tell]:
    """The side whose unit was last in Komatsuyama controls it (14-4(6), R93)."""
    before, star = s.star_holder, s.board.star
    if star is not None and before != side:
        s.star_holder = side
        place = s.board.map_of(star).place_names.get(star)
        yield Tell("control", "14-4(6)", {"hex": s.board.label[star], "place": place, "side": side, "from": before})


def _cross(s: State, unit: str, way: Sequence[Hex | None]) -> Iterator[Tell]:
    """The first Eastern unit that goes west beyond the line by its own will (14-1(5)3b, R69)."""
    west = s.board.west
    for before, h in pairwise(way):
        if h in west and before not in west:  # also when it had been driven there and comes back
            s.crossed = True
            yield Tell("crossing", "14-1(5)3b", {"unit": unit, "at": s.board.label[h]})
            yield from held.on_crossing(s)
            return


def turn_ends(s: State) -> Iterator[Tell]:
    """The end of a turn: an Eastern unit in a western road hex has broken through (14-2(6)3)."""
    for h in sorted(s.board.breakthrough):
        if h in s.stands[EAST]:
            yield _end(s, Ended(EAST, "14-2(6)3", s.stands[EAST][h]))
            return


def judge(s: State) -> Tell:
    """End the game after its last turn (4.b)."""
    board = s.board
    if board.star is not None:
        return _end(s, Ended(s.star_holder, "14-4(6)"))
    west = beyond_line(s)
    if board.west_needed and west >= board.west_needed:
        return _end(s, Ended(EAST, "14-1(6)a", east=west))
    if board.superior_power:
        east, osaka = surrounding(s, EAST), surrounding(s, OSAKA)
        if east == osaka:
            return _end(s, Ended(None, "14-2(6)4c", east=east, osaka=osaka))
        return _end(s, Ended(EAST if east > osaka else OSAKA, "14-2(6)4a", east=east, osaka=osaka))
    clause = "14-3(9)c" if board.breakthrough else "14-1(6)b"
    return _end(s, Ended(board.otherwise, clause, east=west))


def beyond_line(s: State) -> int:
    """The number of Eastern units west of the line; those that left the map don't count (14-1(6)a, R91)."""
    return sum(h in s.board.west for h in s.stands[EAST])


def surrounding(s: State, side: str) -> int:
    """The number of a side's units next to the enemy's leaders, each counted once (14-2(6)4b, R94)."""
    leaders = s.board.collapse.get(s.board.enemy[side], ())
    around = {n for leader in leaders if leader in s.at for n in s.board.ground.near[s.at[leader]]}
    return sum(h in around for h in s.stands[side])


def progress(s: State) -> list[dict[str, Any]]:
    """How far each side is on its way to victory, for reports; `needed` is None where no number decides."""
    board = s.board
    found: list[tuple[str, str, str, int, int | None]] = []
    if board.west_needed:
        found.append((EAST, "units west of the Ishikawa Line", "14-1(6)a", beyond_line(s), board.west_needed))
    if board.breakthrough:
        taken = len(board.breakthrough & s.stands[EAST].keys())
        found.append((EAST, "western road hexes occupied", "14-2(6)3", taken, 1))
    if board.superior_power:
        for side in (EAST, OSAKA):
            leaders = " and ".join(board.units[unit].name for unit in board.collapse.get(board.enemy[side], ()))
            found.append((side, f"units round {leaders}", "14-2(6)4b", surrounding(s, side), None))
    if board.star is not None:
        what = f"control of {board.place(board.star)}"
        found += [(side, what, "14-4(6)", int(s.star_holder == side), 1) for side in (EAST, OSAKA)]
    return [progress_of(*line) for line in found]


def outcome(s: State) -> Outcome | None:
    """How the game ended, in words; None while it goes on."""
    if s.ended is None:
        return None
    winner, clause = s.ended.winner, s.ended.clause
    return Outcome(winner, clause, _REASONS[clause](s, s.ended))


def _collapse(s: State, ended: Ended) -> str:
    unit = ended.unit or ""
    start = s.board.units[unit].start
    place = s.board.place(start) if start is not None else "its hex"
    loser = the(s.board.side[s.board.units[unit].side].title)
    return f"{s.board.describe(unit)} left the start hex {place}: {loser} collapses"


def _breakthrough(s: State, ended: Ended) -> str:
    unit = ended.unit or ""
    return f"{s.board.describe(unit)} holds {s.board.place(s.at[unit])} at the end of turn {s.turn}"


def _superior(s: State, ended: Ended) -> str:
    east, osaka = (the(s.board.side[side].title) for side in (EAST, OSAKA))
    return f"{ended.east} of {east} and {ended.osaka} of {osaka} stand next to the other side's leaders at the end"


def _west(s: State, ended: Ended) -> str:
    if not s.board.west_needed:
        return "the East has met none of its conditions at the end"
    units = "1 Eastern unit is" if ended.east == 1 else f"{ended.east} Eastern units are"
    return f"{units} west of the Ishikawa Line at the end, {s.board.west_needed} are needed"


def _star(s: State, ended: Ended) -> str:
    star = s.board.place(s.board.star) if s.board.star is not None else ""
    if ended.winner is None:
        return f"no unit ever stood in {star}"
    return f"{the(s.board.side[ended.winner].title)} controls {star} at the end"


_REASONS = {
    "14-2(6)1": _collapse,
    "14-2(6)2": _collapse,
    "14-2(6)3": _breakthrough,
    "14-2(6)4a": _superior,
    "14-2(6)4c": _superior,
    "14-1(6)a": _west,
    "14-1(6)b": _west,
    "14-3(9)c": _west,
    "14-4(6)": _star,
}


def _end(s: State, ended: Ended) -> Tell:
    s.ended = ended
    found = outcome(s)
    return Tell("end", ended.clause, found._asdict() if found else {})
