"""Marches: fatigue, allowance, extended marches, steps, zones, forced marches, the attack at the end (std-5.1).

A march is a generator over one unit's steps; leader activation lets several go one after another on one allowance.
"""

from __future__ import annotations

from collections.abc import Collection, Generator, Iterator, Sequence
from itertools import pairwise
from typing import TypeAlias

from pbem.errors import Refusal
from pbem.maps.hexes import Hex
from pbem.rules.gcacw.cavalry import cavalry_beside, evade
from pbem.rules.gcacw.combat import Fight, fight
from pbem.rules.gcacw.entering import entered, remove_bridge
from pbem.rules.gcacw.events import less
from pbem.rules.gcacw.ground import LINKS
from pbem.rules.gcacw.harm import disorganise, lose, tire
from pbem.rules.gcacw.leaders import go, meet, settle
from pbem.rules.gcacw.may_march import EXTENDED, before_attack, why_no_force, why_no_step, why_no_strike
from pbem.rules.gcacw.orders import ALWAYS, NEVER, ROUTE, March, Path, Rail
from pbem.rules.gcacw.state import MOST_FATIGUE, State
from pbem.rules.gcacw.substitutes import detach, not_detached
from pbem.rules.gcacw.tables import ATTACKS, Allowance
from pbem.rules.gcacw.zones import points, stacking, stops
from pbem.rules.requests import Activity, Answer, Request, Roll, Tell

__all__ = [
    "GONE_BACK", "Asked", "allowance", "attack_of", "carry_out", "detach_at", "move_on", "roll_allowance", "run",
    "strain", "strain_added", "tire_all", "way_cost",
]  # fmt: skip

Asked: TypeAlias = Generator[Request | Tell, Answer, bool]
"""A part of an activity that comes to yes or no."""

Rolled: TypeAlias = Generator[Request | Tell, Answer, int]
"""A part of an activity that comes to a number."""


# --- a march carried out -------------------------------------------------------------------------------------------


class _Marching:
    """How a march stands: points left in halves, whether the hex is in a zone that was entered in it, and what is over.

    `offered`: hexes of cavalry that were asked about this unit (std-7.7-1). `spared`: units that cost it no stacking.
    `start`: where what isn't told yet of it begins, `told`: how many of the hexes gone are.
    """

    __slots__ = ("forced", "gone", "left", "offered", "order", "over", "spared", "start", "through", "told")

    def __init__(self, order: March, left: int, spared: Collection[str], start: Hex) -> None:
        self.order, self.left, self.spared, self.start, self.told = order, left, spared, start, 0
        self.through = self.forced = self.over = False
        self.offered: set[Hex] = set()
        self.gone: list[Hex] = []


def carry_out(s: State, order: March) -> Activity:
    """One unit's march from its declaration on (std-5.1-4)."""
    yield from tire_all(s, [order.unit])
    left = yield from roll_allowance(s, [order.unit], allowance(s, order.unit))
    yield from run(s, order, left)


def allowance(s: State, unit: str, *, led: bool = False) -> Allowance:
    """The dice of a unit's march, or of an activation in which it marches, as things stand (std-5.1-2, std-5.2-2)."""
    table = s.board.tables.activation if led else s.board.tables.march
    return table[_kind(s, unit)]._replace(less=less(s, unit) // 2)  # 14.0-par1, 14.0-par2


def _kind(s: State, unit: str) -> tuple[str, str]:
    return s.board.units[unit].side, s.board.units[unit].branch


def tire_all(s: State, units: Sequence[str]) -> Iterator[Tell]:
    """The fatigue of an action, 1 for each unit that takes part (std-4.0-7)."""
    for unit in units:
        s.acted |= {unit} if _is_granted(s, unit) else set()
        yield from tire(s, unit, s.fatigue.get(unit, 0) + 1, "std-4.0-7")


def _is_granted(s: State, unit: str) -> bool:
    """Whether a unit is one of those in supply until their first action (22.1-sp3b2)."""
    return s.board.advanced is not None and any(unit in one.units for one in s.board.advanced.granted)


def roll_allowance(s: State, units: Sequence[str], found: Allowance) -> Rolled:
    """Roll the points of a march or an activation; in halves (std-5.1-2, std-5.2-2)."""
    dice = yield Roll(f"march/{units[0]}", found.dice)
    total = found.points(sum(dice))
    facts: dict[str, object] = {"unit": units[0], "units": [*units], "side": s.board.units[units[0]].side}
    facts |= {"less": found.less} if found.less else {}
    yield Tell("allowance", "std-5.1-2", facts | {"dice": [*dice], "add": found.more, "points": total})
    return 2 * total


def run(s: State, order: March, left: int, spared: Collection[str] = ()) -> Activity:
    """A march once its points are known: an extended march's roll, the steps, an attack."""
    if order.unit not in s.manpower:
        return  # std-5.2-7
    s.marched.add(order.unit)
    if s.fatigue.get(order.unit, 0) >= EXTENDED:  # std-5.1-5, std-5.1-6
        yield from strain(s, order.unit)
        yield from settle(s, [s.board.units[order.unit].side])
    if order.unit not in s.manpower:
        return  # std-5.1-15
    start, short = s.at[order.unit], ""
    m = _Marching(order, left, spared, start)
    yield from detach_at(s, order, None)
    for h in order.path:
        if len(m.gone) == len(before_attack(order)) and s.holder(h) == s.board.enemy[_kind(s, order.unit)[0]]:
            break  # it is attacked, and entered if cavalry goes back
        short = yield from _step(s, m, h)
        if short or order.unit not in s.manpower:
            break
        if h not in m.gone[:-1]:
            yield from detach_at(s, order, h)
    if order.unit in s.manpower:
        yield from _unbridge(s, m, start)
        for leader in order.leaders:
            yield from go(s, leader, s.at[order.unit])
        meet(s, s.board.units[order.unit].side)
        arrived = len(m.gone) >= len(before_attack(order)) and not short
        (s.shorts.discard if arrived else s.shorts.add)(order.unit)
        yield from _told(s, m, short)
        if arrived and order.strike is not None and s.at[order.unit] != order.strike.at:
            yield from _strike(s, m)
        yield from _not_come(s, order, (start, *m.gone))


def detach_at(s: State, order: March | Rail, h: Hex | None) -> Iterator[Tell]:
    """Detach those whom the order leaves in a hex of the way, None where it begins (21.1-3, 21.1-5, 21.1-7)."""
    for one in order.detached:
        if one.at == h or (h is None and one.at == s.at.get(order.unit)):
            fatigue = s.fatigue.get(order.unit, 0) - (h is None)
            yield from detach(s, order.unit, one, fatigue=fatigue)


def _not_come(s: State, order: March, been: Path) -> Iterator[Tell]:
    """Tell whom a unit hasn't detached as it didn't come to his hex (21.1-3)."""
    for one in order.detached if order.unit in s.manpower else ():
        if one.at is not None and one.at not in been:
            yield from not_detached(s, order.unit, one, Refusal("21.1-3", "it didn't come there"))


def _told(s: State, m: _Marching, short: str, *, lost: bool = False) -> Iterator[Tell]:
    """Tell the march as it came out, what isn't told of it yet; `lost` where its last step costs the last manpower."""
    label, gone = s.board.label, m.gone[m.told :]
    facts = {"unit": m.order.unit, "with": [*m.order.leaders], "from": label[m.start], "path": [label[h] for h in gone]}
    facts |= {"along": _along(s, [m.start, *gone])}
    more = {"left": m.left, "short": short} | ({"aim": label[m.order.path[-1]]} if short else {})
    m.start, m.told = [m.start, *gone][-1], len(m.gone)
    yield Tell("march", "std-5.1-1", facts | more | ({"lost": True} if lost else {}))


def _along(s: State, way: Sequence[Hex]) -> str:
    """What leads all along a way: a kind of it, `roads` of several, `country` where no step follows one, or ""."""
    steps = [s.board.ground.between[a][b].links for a, b in pairwise(way)]
    if not steps:
        return ""
    alike = next((kind for kind in LINKS if all(kind in links for links in steps)), "")
    return alike or ("roads" if all(steps) else "" if any(steps) else "country")


def strain(s: State, unit: str) -> Activity:
    """The roll of an extended march (std-5.1-5, -6, -8, -9)."""
    tables = s.board.tables
    (die,) = yield Roll(f"extended/{unit}", 1)
    add = strain_added(s, unit, s.fatigue[unit])
    found = tables.strain(s.army(unit), die + add)
    facts = {"unit": unit, "die": die, "add": add, "army": s.army(unit), "was": unit in s.disorganised}
    facts |= {"manpower": s.manpower[unit]}
    yield Tell("extended", "std-5.1-8", facts | {"disorganised": found.disorganised, "loss": found.loss})
    if found.disorganised:
        yield from disorganise(s, unit, "std-5.1-9", price=True)
    yield from lose(s, unit, found.loss, "std-5.1-8", counted=False)  # std-5.1-10


def strain_added(s: State, unit: str, fatigue: int) -> int:
    """What is added to the die of an extended march to this fatigue (std-5.1-6, std-5.1-8)."""
    tables = s.board.tables
    return tables.at_four * (fatigue == MOST_FATIGUE) + tables.mounted * s.board.units[unit].cavalry


def _step(s: State, m: _Marching, h: Hex) -> Generator[Request | Tell, Answer, str]:
    """One step of a march; why it ends before the step, "" where it was made."""
    unit, here = m.order.unit, s.at[m.order.unit]
    side = s.board.units[unit].side
    if m.over:
        return "it went from zone to zone off the road"  # std-2.4-8
    if (refusal := why_no_step(s, unit, here, h, m.order.leaders)) is not None:
        return refusal.reason
    stopped = stops(s, unit, here)  # std-2.4-11: as things stand now
    zone_step = stopped and stops(s, unit, h)
    if m.gone and stopped and not zone_step:
        return "a zone of control stops it"  # std-2.4-6
    if zone_step and m.through:
        return "it may go from zone of control to zone of control only once in a march"  # std-2.4-7
    price = (points(s, side, here, h) or 0) + stacking(s, side, h, (unit, *m.spared))
    if price > m.left:
        if not _forces(s, m, here, price):
            return "the points don't suffice"
        yield from _force(s, m)
        if unit not in s.manpower:
            return ""
        if price > m.left:
            return "the points don't suffice"
    m.left -= price
    m.gone.append(h)
    move_on(s, m.order, h)
    if zone_step:
        yield from _from_zone_to_zone(s, m, here, h)
    if unit in s.manpower:
        yield from entered(s, [unit], h)
        yield from _come_up(s, m)
    return ""


def _from_zone_to_zone(s: State, m: _Marching, here: Hex, h: Hex) -> Activity:
    """What comes of a step from zone to zone: it is the only one, off the road also the last, and dear (std-2.4-7)."""
    m.through, unit = True, m.order.unit
    if s.board.ground.between[here][h].road:
        return
    if s.manpower[unit] == 1 and unit in s.disorganised:
        yield from _told(s, m, "", lost=True)  # std-5.1-15
    yield from disorganise(s, unit, "std-2.4-8", price=True)  # std-2.4-9
    yield from settle(s, [s.board.units[unit].side])
    m.over = True  # std-2.4-8


def move_on(s: State, order: March | Rail, h: Hex) -> None:
    """Move the unit and those who go along into a hex."""
    for one in (order.unit, *order.leaders):
        s.put(one, h)


def _forces(s: State, m: _Marching, here: Hex, price: int) -> bool:
    """Whether the march is forced now: ordered, once, outside of zones, and not by the last man (std-5.1-11, -13)."""
    unit = m.order.unit
    if m.forced or m.order.force == NEVER or stops(s, unit, here):
        return False
    last = s.manpower[unit] == 1 and unit in s.disorganised
    if last or why_no_force(s, s.board.units[unit].side) is not None:
        return False
    more = s.board.tables.forced[s.board.units[unit].branch]
    if m.order.force == ROUTE:
        return way_cost(s, unit, here, m.order.path[len(m.gone) :], m.spared) <= m.left + more
    return m.order.force == ALWAYS and price <= m.left + more


def way_cost(s: State, unit: str, start: Hex, path: Sequence[Hex], spared: Collection[str] = ()) -> int:
    """The half points that a way costs a unit as things stand (std-6.1, std-6.2)."""
    side, total, here = s.board.units[unit].side, 0, start
    for h in path:
        total += (points(s, side, here, h) or 0) + stacking(s, side, h, (unit, *spared))
        here = h
    return total


def _force(s: State, m: _Marching) -> Activity:
    """Take the points of a forced march, and pay for them."""
    more = s.board.tables.forced[s.board.units[m.order.unit].branch]
    m.forced = True
    m.left += more
    yield Tell("forced", "std-5.1-11", {"unit": m.order.unit, "points": more // 2})
    yield from disorganise(s, m.order.unit, "std-5.1-11", price=True)
    yield from settle(s, [s.board.units[m.order.unit].side])


def _come_up(s: State, m: _Marching) -> Activity:
    """Ask cavalry beside the marcher whether it goes back, hex by hex (std-7.7-1)."""
    unit = m.order.unit
    side = s.board.units[unit].side
    for h in cavalry_beside(s, side, s.at[unit]) if s.board.units[unit].infantry else ():
        if h not in m.offered:
            m.offered.add(h)
            yield from _offer(s, m, h)


def _offer(s: State, m: _Marching, h: Hex) -> Asked:
    """Ask the cavalry of a hex; whether it went. The marcher loses points by it (std-7.7-3)."""
    taken = yield from evade(s, h, [m.order.unit], [s.at[m.order.unit]])
    if taken is not None:
        m.left = max(0, m.left - taken)
    return taken is not None


def attack_of(s: State, unit: str, left: int, least: str) -> str | None:
    """The best kind of march attack that so many half points of a unit pay for, `least` or better (std-7.1-2)."""
    attacks, branch = s.board.tables.attacks, s.board.units[unit].branch
    able = [kind for kind in ATTACKS[ATTACKS.index(least) :] if attacks[kind].points[branch] <= left]
    return able[-1] if able else None


GONE_BACK = Refusal("std-7.7-7", "the cavalry that was there has gone back before it")
"""Why an attack isn't made on a hex that cavalry has left before it."""


def _strike(s: State, m: _Marching) -> Activity:
    """The attack at the end of a march (std-7.1)."""
    unit, strike = m.order.unit, m.order.strike
    assert strike is not None  # noqa: S101 the caller has one
    board, side, at = s.board, s.board.units[unit].side, strike.at
    refusal = Refusal("std-5.1-14", "it has force marched") if m.forced else why_no_strike(s, m.order, s.at[unit])
    kind = attack_of(s, unit, m.left, strike.least)
    if refusal is None and kind is not None and at in cavalry_beside(s, side, s.at[unit]) and at not in m.offered:
        m.offered.add(at)
        if (yield from _offer(s, m, at)):
            yield from _follow(s, m, at)
            if s.at.get(unit) == at or unit not in s.manpower:
                return
            refusal = GONE_BACK
    if refusal is not None and at in m.offered and not s.units_in(at, board.enemy[side]):
        refusal = GONE_BACK
    if refusal is None and kind is None:
        refusal = Refusal("std-7.1-2", "the points don't suffice for the attack")
    if refusal is not None or kind is None:
        facts = {"unit": unit, "at": board.label[at], "reason": refusal.reason if refusal else ""}
        yield Tell("no-attack", refusal.clause if refusal else "std-7.1-2", facts)
        return
    m.left -= board.tables.attacks[kind].points[board.units[unit].branch]
    yield from fight(s, Fight(side, at, (unit,), kind))


def _follow(s: State, m: _Marching, at: Hex) -> Activity:
    """Let the marcher enter the hex that cavalry has left before its attack, if its way leads there (std-7.7-7)."""
    if m.order.path[-1:] != (at,) or m.over:
        return
    short = yield from _step(s, m, at)
    if m.order.unit in s.manpower:
        (s.shorts.add if short else s.shorts.discard)(m.order.unit)
        if not short:
            yield from detach_at(s, m.order, at)
        yield from _told(s, m, short)


def _unbridge(s: State, m: _Marching, start: Hex) -> Iterator[Tell]:
    """Remove the bridge that the order names, if the unit has been at one of its ends (std-10.0-4)."""
    ends = m.order.unbridge
    if ends is not None and not {start, *m.gone}.isdisjoint(ends):
        yield from remove_bridge(s, s.board.hexside(*ends), "std-10.0-4")
