"""What threatens a side as things stand: regiments before strong infantry, stacks without a way back, objectives."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.maps.hexes import Hex, distance
from pbem.rules.gcacw import raid
from pbem.rules.gcacw.board import CONFEDERATE, REGIMENT, UNION
from pbem.rules.gcacw.brought import of_points
from pbem.rules.gcacw.holds import held
from pbem.rules.gcacw.march import allowance
from pbem.rules.gcacw.orders import Raid
from pbem.rules.gcacw.outreach import PAST, ends, marks
from pbem.rules.gcacw.retreat import can_retreat, flight
from pbem.rules.gcacw.state import MOST_FATIGUE, State
from pbem.rules.gcacw.tables import Allowance
from pbem.rules.gcacw.zones import is_open
from pbem.rules.requests import Danger
from pbem.words import listed

__all__ = ["dangers"]

STRONGER = 3
"""So many times its value beside it is a danger for a hex (std-7.4-1)."""


def dangers(s: State, side: str) -> Iterator[Danger]:
    """What may befall a side before it can prevent it, one danger of each clause for all its hexes."""
    if s.ended is not None:
        return
    before = {h: hexes for h in _hexes(s, side) if (hexes := _attackers(s, side, h))}
    shut = [h for h in before if not can_retreat(s, flight(s, h, side, before[h], "retreat"))]
    if shut:
        who = " and ".join(_who(s, side, h) for h in shut)
        yield Danger(f"{who} would surrender if driven back: no way is open", "std-7.6-4")
    weak = [h for h in before if h not in shut and _outmatched(s, side, h, before[h])]
    if weak:
        told = " and ".join(_who(s, side, h) for h in weak)
        yield Danger(f"{STRONGER} times the value or more stands ready to attack {told}", "std-7.4-1")
    yield from _hunger(s, side)
    if side == UNION:
        yield from _objectives(s)
        yield from _raids(s)


def _hunger(s: State, side: str) -> Iterator[Danger]:
    """What want of supply does at the end of the turn, to who isn't supplied until then (20.5-3, 20.5-5)."""
    advanced = s.board.advanced
    if advanced is None or s.turn < advanced.effects:
        return
    wanting = [unit for unit in s.own(side) if unit in s.hungry]
    tired = [unit for unit in wanting if s.board.tables.rest[s.fatigue.get(unit, 0)]]  # all rest before: 20.5-4
    if lose := [unit for unit in tired if unit in s.disorganised and s.manpower[unit] > 1]:
        yield Danger(_costs(_named(s, lose), several=len(lose) > 1), "20.5-3")
    if scatter := [unit for unit in wanting if unit not in s.disorganised]:
        who = _named(s, scatter)
        told = f"want of supply disorganises {who} at the end of the turn without foraging with success"
        yield Danger(told, "20.5-5")


def _costs(who: str, *, several: bool) -> str:
    if several:
        return (
            f"want of supply costs {who} a point of manpower each at the end of the turn without foraging with success"
        )
    return f"want of supply costs {who} a point of manpower at the end of the turn without foraging with success"


def _named(s: State, units: Sequence[str]) -> str:
    return listed([f"{s.board.units[unit].name} ({unit})" for unit in units])


def _hexes(s: State, side: str) -> list[Hex]:
    """The hexes of a side's combat units, in order."""
    return sorted({s.at[unit] for unit in s.own(side)}, key=s.board.order)


def _attackers(s: State, side: str, h: Hex) -> list[Hex]:
    """The adjacent hexes with enemy infantry that can attack a hex now."""
    enemy = s.board.enemy[side]
    found = (n for n in s.board.ground.near[h] if s.holder(n) == enemy and is_open(s, enemy, n, h))
    return [n for n in found if _ready(s, n, enemy)]


def _ready(s: State, h: Hex, side: str) -> list[str]:
    """The infantry of a hex that may act and attack."""
    units = [unit for unit in s.units_in(h, side) if s.board.units[unit].infantry and unit not in s.demoralised]
    return [unit for unit in units if s.fatigue.get(unit, 0) < MOST_FATIGUE and not held(s, unit)]


def _outmatched(s: State, side: str, h: Hex, hexes: list[Hex]) -> bool:
    enemy = s.board.enemy[side]
    strongest = max(sum(map(s.value, _ready(s, n, enemy))) for n in hexes)
    return strongest >= STRONGER * s.value_in(h, side)


def _who(s: State, side: str, h: Hex) -> str:
    """The units of a hex, and where it is: `me-1 (regiment) at S1624`."""
    units = s.units_in(h, side)
    ids, hex_place = ", ".join(units), s.board.place(h)
    if len(units) == 1 and s.board.units[units[0]].size == REGIMENT:
        return f"{ids} (a lone regiment) at {hex_place}"
    return f"{ids} at {hex_place}"


def _objectives(s: State) -> Iterator[Danger]:
    """Hexes that score once Confederate infantry is in them, and that it can reach by one march whatever the dice."""
    for line in s.board.victory.lines:
        if line.kind not in ("infantry-in", "control") or line.points <= 0:
            continue
        free = [h for h in line.hexes if s.holder(h) is None and s.board.label[h] not in s.controlled]
        reached = {h: unit for unit in _infantry(s) if free for h in _sure(s, unit, free)}
        if reached:
            told = " and ".join(f"{s.board.place(h)} ({unit})" for h, unit in reached.items())
            yield Danger(f"one march of infantry, whatever its dice, reaches {told}", line.clause)


def _infantry(s: State) -> list[str]:
    return [unit for unit in s.own(CONFEDERATE) if s.board.units[unit].infantry]


def _sure(s: State, unit: str, hexes: list[Hex]) -> list[Hex]:
    """Those of some hexes to which a unit comes with the fewest points that its dice bring."""
    least = min(of_points(allowance(s, unit)))
    if all(distance(s.at[unit], h) > least for h in hexes):
        return []
    found = ends(s, unit, Allowance(0, least))
    return [end.at for end in found if end.at in hexes and PAST not in marks(s, unit, end.path)]


def _raids(s: State) -> Iterator[Danger]:
    """The stations that Confederate units can raid from where they stand, each with all of these (std-5.4-1)."""
    found: dict[Hex, list[str]] = {}
    for unit in s.own(CONFEDERATE):
        if raid.why_not(s, CONFEDERATE, Raid(unit)) is None:
            found.setdefault(s.at[unit], []).append(unit)
    if found:
        told = " and ".join(f"{s.board.place(h)} ({', '.join(units)})" for h, units in found.items())
        yield Danger(f"a raid, which needs no die, can damage the station of {told}", "std-5.4-1")
