"""Leaders: command and its radius, transfers, and what becomes of one who is left alone (std-2.5, std-3.0, std-6.3)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from pbem.errors import Refusal
from pbem.maps.hexes import Hex, distance
from pbem.rules.gcacw.board import ARMY, CORPS
from pbem.rules.gcacw.orders import Join, Transfer
from pbem.rules.gcacw.state import State
from pbem.rules.gcacw.zones import near, zone
from pbem.rules.kit.asking import only
from pbem.rules.kit.standing import preferences
from pbem.rules.requests import Activity, Choose, Tell, Words

__all__ = [
    "FAR",
    "RADIUS",
    "alone",
    "command_in",
    "follows",
    "hops",
    "in_radius",
    "settle",
    "transfer",
    "transfers",
    "why_left_alone",
    "why_not_hop",
    "why_not_transfer",
]  # fmt: skip

RADIUS = 3  # std-2.5-1
FAR = 10  # std-3.0-2

JOIN = "join"
"""The keyword of the standing order that says to whom a leader goes who is left alone: `join U UNIT ...`."""


def command_in(s: State, leader: str, h: Hex) -> list[str]:
    """The combat units of a leader's command in a hex."""
    return [unit for unit in s.units_in(h, s.board.units[leader].side) if s.commands(leader, unit)]


def follows(s: State, leader: str, unit: str) -> bool:
    """Whether a leader may be with a unit and go along with it: of his command, or of the set-up (std-6.3-4)."""
    return s.commands(leader, unit) or (s.board.foreign.get(leader) == unit and leader not in s.joined)


def alone(s: State, leader: str) -> bool:
    """Whether no unit is left with a leader on the map that he may be with (std-6.3-1)."""
    return not any(follows(s, leader, unit) for unit in s.units_in(s.at[leader], s.board.units[leader].side))


def why_left_alone(
    s: State, unit: str, leaders: Iterable[str], but: str | None = None, keyword: str = "march"
) -> Refusal | None:
    """Why a unit can't leave its hex with these leaders: one who stays, `but` one, would be alone there (std-6.3-1).

    The `keyword` is that of the order by which it goes, "" where nobody can go along, as in a merging.
    """
    h, side = s.at[unit], s.board.units[unit].side
    others = [other for other in s.units_in(h, side) if other != unit]
    staying = [leader for leader in s.leaders_in(h, side) if leader not in leaders and leader != but]
    left = [leader for leader in staying if not any(follows(s, leader, other) for other in others)]
    if left:
        who, along = s.board.units[left[0]].name, [*leaders, *(one for one in left if follows(s, one, unit))]
        what = f"{who} would be left without a unit of his command in {s.board.place(h)}"
        if keyword and left[0] in along:
            return Refusal("std-6.3-1", f"{what}: write `{keyword} {unit} with {' '.join(along)}`")
        return Refusal("std-6.3-1", what)
    together = s.board.together
    if together is not None and unit == together[1] and s.at.get(together[0]) == h and together[0] not in leaders:
        return Refusal("13.3-sp2a", f"{s.board.units[together[0]].name} must stay with {s.board.units[unit].name}")
    return None


# --- ways of leaders --------------------------------------------------------------------------------------------


class _Spread:
    """The hexes to which ways lead from one that leaders and their orders take, farther and farther as it is asked
    (std-2.5-2, std-2.5-3, std-3.0-3). It is kept as long as nothing changes, and copied states share it.
    """

    def __init__(self, side: str, start: Hex, barred: frozenset[Hex]) -> None:
        self._side, self._barred, self._edge, self._far = side, barred, [start], 0
        self._found = {start: 0}

    def leads(self, s: State, most: int, to: Hex) -> bool:
        """Whether a way of so many hexes leads to one."""
        while to not in self._found and self._edge and self._far < most:
            self._farther(s)
        return self._found.get(to, most + 1) <= most

    def _farther(self, s: State) -> None:
        self._far += 1
        fresh = []
        for here in self._edge:
            for h in near(s, self._side, here, dry=True):
                if h not in self._found and h not in self._barred:
                    self._found[h] = self._far
                    fresh.append(h)
        self._edge = fresh


def _leads(s: State, side: str, start: Hex, most: int, to: Hex) -> bool:
    """Whether a way of so many hexes leads from one to another."""
    key = ("spread", side, start)
    if key not in s.memo:
        s.memo[key] = _Spread(side, start, _barred(s, side))
    found: _Spread = s.memo[key]
    return found.leads(s, most, to)


def _barred(s: State, side: str) -> frozenset[Hex]:
    """The hexes into which such ways of a side don't lead: the enemy's, and his zones of control without friends."""
    key = ("barred", side)
    if key not in s.memo:
        enemy = s.board.enemy[side]
        held = {s.at[unit] for unit in s.board.of_side[enemy] if unit in s.at}
        s.memo[key] = held.union(h for h in zone(s, enemy, dry=True) if not s.units_in(h, side))
    known: frozenset[Hex] = s.memo[key]
    return known


def in_radius(s: State, leader: str, unit: str, start: Hex | None = None) -> bool:
    """Whether a unit is within a leader's command radius, of his hex or another one (std-2.5)."""
    side, here = s.board.units[leader].side, s.at[leader] if start is None else start
    there = s.at[unit]
    return distance(here, there) <= RADIUS and _leads(s, side, here, RADIUS, there)


def why_not_hop(s: State, leader: str, unit: str) -> Refusal | None:
    """Why a leader can't go to a unit, as in a transfer (std-3.0-2, std-3.0-3)."""
    board, (one, other) = s.board, (s.board.units[leader], s.board.units[unit])
    if leader not in s.at:
        return Refusal("std-6.3-2", f"{one.name} isn't on the map")
    if unit not in s.manpower:
        return Refusal("std-3.0-2", f"{board.describe(unit)} is no combat unit on the map")
    if not s.commands(leader, unit):
        return Refusal("std-3.0-2", f"{other.name} isn't of {one.name}'s command")
    if board.together is not None and leader == board.together[0] and unit != board.together[1]:
        return Refusal("13.3-sp2a", f"{one.name} must stay with {board.units[board.together[1]].name}")
    if not _leads(s, one.side, s.at[leader], FAR, s.at[unit]):
        what = f"{one.name} has no way of {FAR} hexes to {other.name} that keeps off the enemy and his zones of control"
        return Refusal("std-3.0-3", what)
    return None


def hops(s: State, leader: str) -> list[str]:
    """The units to which a leader can go from his hex, one for each hex, but for those with him."""
    one, here, able = s.board.units[leader], s.at[leader], dict[Hex, str]()
    for unit in s.own(one.side):
        if s.at[unit] == here or not s.commands(leader, unit) or distance(here, s.at[unit]) > FAR:
            continue
        if s.at[unit] not in able and why_not_hop(s, leader, unit) is None:
            able[s.at[unit]] = unit
    return [*able.values()]


# --- the leader transfer phase (std-3.0-2) -----------------------------------------------------------------------


def why_not_transfer(s: State, side: str, order: Transfer) -> Refusal | None:
    """Why a leader can't be transferred to a unit; a hold doesn't keep him (std-4.0-9)."""
    leader = s.board.units[order.leader]
    if leader.side != side or not leader.leader:
        return Refusal("std-3.0-2", f"{s.board.describe(order.leader)} is no leader of yours")
    if order.leader in s.transferred:
        return Refusal("std-3.0-2", f"{leader.name} has been transferred in this turn")
    if s.replaced and order.leader == s.replaced[0]:
        who = s.board.units[s.replaced[1]].name
        return Refusal("18.0-5", f"{leader.name} is gone for good: {who} has come for him")
    if order.leader not in s.at:
        if order.leader not in s.removed:
            return Refusal("std-3.0-2", f"{leader.name} hasn't come yet")
        able = [unit for unit in s.own(side) if s.commands(order.leader, unit)]
        if order.unit in able:
            return None  # std-6.3-2: he comes back with a unit of his command
        return Refusal("std-6.3-2", f"{leader.name} comes back to a unit of his command alone")
    refusal = why_not_hop(s, order.leader, order.unit)
    if refusal is None and s.at[order.unit] == s.at[order.leader]:
        return Refusal("std-3.0-2", f"{leader.name} is with {s.board.units[order.unit].name} already")
    return refusal


def transfers(s: State, side: str) -> Iterator[Transfer]:
    """The transfers that a side can make."""
    for leader in s.board.of_side[side]:
        if s.board.units[leader].leader and leader not in s.transferred:
            if leader in s.at:
                yield from (Transfer(leader, unit) for unit in hops(s, leader))
            elif leader in s.removed:
                orders = (Transfer(leader, unit) for unit in s.own(side))
                yield from (order for order in orders if why_not_transfer(s, side, order) is None)


def transfer(s: State, _: str, order: Transfer) -> Iterator[Tell]:
    """Move a leader to a unit of his command."""
    start = s.at.get(order.leader)
    yield from go(s, order.leader, s.at[order.unit])
    s.transferred.add(order.leader)
    facts = {"unit": order.leader, "to": s.board.label[s.at[order.unit]], "with": order.unit}
    yield Tell("transfer", "std-3.0-2", facts | ({} if start is None else {"from": s.board.label[start]}))


def go(s: State, leader: str, h: Hex) -> Iterator[Tell]:
    """Put a leader into a hex; one who has been with a unit of his own isn't of the set-up's any more (std-6.3-4)."""
    s.put(leader, h)
    s.removed.pop(leader, None)
    if command_in(s, leader, h):
        s.joined.add(leader)
    yield from ()


def meet(s: State, side: str) -> None:
    """Where a side's units have come to the end of a way: leaders who stand with units of their own there now have
    joined them (std-6.3-4). Who has only passed them on it, or been passed by them, hasn't.
    """
    theirs = {one for one in s.board.foreign if one in s.at and s.board.units[one].side == side}
    s.joined |= {one for one in theirs if command_in(s, one, s.at[one])}


# --- who is left alone (std-6.3-2) --------------------------------------------------------------------------------


def settle(s: State, sides: Sequence[str]) -> Activity:
    """Place each leader who is left without a unit with the nearest of his command; without any he leaves the map."""
    for side in sides:
        for leader in s.leaders(side):
            if alone(s, leader):
                yield from _settle(s, side, leader)


def _settle(s: State, side: str, leader: str) -> Activity:
    """Place one leader."""
    board, start = s.board, s.at[leader]
    able = [unit for unit in s.own(side) if s.commands(leader, unit)]
    if not able:
        s.remove(leader)
        yield Tell("leader-off", "std-6.3-2", {"unit": leader, "at": board.label[start]})
        return
    able.sort(key=lambda unit: (distance(start, s.at[unit]), board.order(s.at[unit]), unit))
    nearest = [unit for unit in able if distance(start, s.at[unit]) == distance(start, s.at[able[0]])]
    order = Join(leader, nearest[0])
    if len({s.at[unit] for unit in nearest}) > 1:
        order = yield _ask(s, side, leader, nearest)
    to = s.at[order.unit]
    yield from go(s, leader, to)
    facts = {"unit": leader, "from": board.label[start], "to": board.label[to], "with": order.unit}
    yield Tell("relocated", "std-6.3-2", facts)


def _ask(s: State, side: str, leader: str, nearest: Sequence[str]) -> Choose:
    """Ask to which of the nearest units a leader goes (R6)."""
    prompt = f"say which unit {s.board.units[leader].name} joins"

    def why_not(order: Join) -> Refusal | None:
        if order.leader == leader and order.unit in nearest:
            return None
        return Refusal("std-6.3-2", f"{s.board.units[leader].name} joins one of the nearest: {', '.join(nearest)}")

    def standing(orders: Sequence[Words]) -> Join | None:
        wanted = [unit for unit in preferences(orders, JOIN, leader) if unit in nearest]
        return Join(leader, wanted[0]) if wanted else None

    return Choose(
        side=side,
        kind="join",
        clause="std-6.3-2",
        prompt=prompt,
        why_not=only(Join, "std-6.3-2", prompt, why_not),
        options=lambda: (Join(leader, unit) for unit in nearest),
        sample=lambda chance: Join(leader, chance.choice(nearest)),
        reaction=True,
        about=(leader,),
        standing=standing,
        default=lambda: Join(leader, nearest[0]),
    )


def is_corps(s: State, leader: str) -> bool:
    """Whether a counter is a corps leader."""
    return s.board.units[leader].leader and s.board.units[leader].size == CORPS


def is_army(s: State, leader: str) -> bool:
    """Whether a counter is an army leader."""
    return s.board.units[leader].leader and s.board.units[leader].size == ARMY
