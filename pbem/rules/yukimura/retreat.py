"""Retreats and chain retreats (rulebook 11-1, 11-2; R84): one procedure from the failed checks to the last marker."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field

from pbem.errors import Refusal
from pbem.maps.hexes import Hex
from pbem.rules.kit.ask import Steps
from pbem.rules.requests import Choose, Tell
from pbem.rules.yukimura import victory
from pbem.rules.yukimura.acting import asked_refusal
from pbem.rules.yukimura.morale import REMOVED_AT, check
from pbem.rules.yukimura.orders import Displace, Order, Path, Retreat
from pbem.rules.yukimura.state import State
from pbem.rules.yukimura.ways import Rank, preferred, steps, ways, why_not_way

__all__ = ["Procedure", "checks", "default_rank", "remove", "retreat", "why_not_displace", "why_not_retreat"]


@dataclass(slots=True)
class Procedure:
    """A retreat procedure while it runs.

    threats   the hexes of those from whom all retreat, as they stood when the dice were rolled; fixed
    done      units that have retreated or chain-retreated (11-2-4)
    pending   units whose own failed check is still to be carried out: nobody marks them
    queue     units with a Chain Retreat marker, in the order in which they got it (11-2-1)
    trails    unit -> the hexes that it has entered, by retreat and displacement
    """

    threats: frozenset[Hex]
    done: set[str] = field(default_factory=set)
    pending: set[str] = field(default_factory=set)
    queue: deque[str] = field(default_factory=deque)
    trails: dict[str, Path] = field(default_factory=dict)

    def marks(self, s: State, unit: str) -> bool:
        """Whether a unit whose hex is entered gets a marker: 11.b, 11-2-4(1), 11-2-4(2)."""
        exempt = unit in self.done or unit in self.queue or unit in self.pending
        return not exempt and s.board.units[unit].morale is not None


def checks(s: State, p: Procedure, units: Sequence[str], add: int, why: str) -> Steps:
    """Check the morale of units, one by one; then carry out each failure with all that follows, in the same order."""
    failed: list[tuple[str, int]] = []
    for unit in units:
        value = yield from check(s, unit, add, why)
        if value > 0:
            failed.append((unit, value))
    p.pending.update(unit for unit, _ in failed)
    for unit, value in failed:
        p.pending.discard(unit)
        if unit in s.at:
            yield from _fail(s, p, unit, value, why)
            yield from _chain(s, p)
        if s.ended is not None:  # 14-2(6)1, 14-2(6)2
            return


def _chain(s: State, p: Procedure) -> Steps:
    """The checks of marked units, until no marker is left (11-2-2.a)."""
    while p.queue and s.ended is None:
        unit = p.queue.popleft()
        if unit in s.at and unit not in p.done:
            value = yield from check(s, unit, 0, "chain")  # 11-2-2.b
            if value > 0:  # 11-2-3.a
                yield from _fail(s, p, unit, value, "chain")  # 11-2-3.b, 11-2-4


def _fail(s: State, p: Procedure, unit: str, value: int, why: str) -> Steps:
    """What a failed check brings: retreat or removal."""
    if value >= REMOVED_AT:
        yield from remove(s, unit, f"failed its check by {value}", "11(3)b")  # 11(3)b, R85
    else:
        yield from retreat(s, p, unit, value, why)  # 11(3)a


def remove(s: State, unit: str, why: str, clause: str) -> Steps:
    """Take a unit off the map, with what follows from it for the end of the battle."""
    yield s.remove(unit, why, clause)
    yield from victory.moved(s, unit, forced=True)


def retreat(s: State, p: Procedure, unit_id: str, length: int, why: str) -> Steps:
    """Retreat a unit by exactly so many hexes, mark the friends whose hexes it enters, and clear its last hex."""
    unit, start = s.board.units[unit_id], s.at[unit_id]
    found = ways(s, unit.side, start, length, p.threats)
    if not found:
        yield from remove(s, unit_id, f"no way to retreat {length}", "11-1-3")  # 11-1-3
        return
    path = found[0]
    if len(found) > 1:
        order = yield _ask_retreat(s, p, unit_id, found)
        path = order.path
    friends = [s.stands[unit.side][h] for h in path if h in s.stands[unit.side]]
    told = _go(s, p, unit_id, path)
    label = s.board.label
    facts = {"unit": unit_id, "from": label[start], "path": [label[h] for h in path], "why": why}
    yield Tell("retreat", "11-2-3.b" if why == "chain" else "11(3)a", facts)
    p.done.add(unit_id)
    for friend in friends:
        yield from _mark(s, p, friend, unit_id)  # 11-2
    yield from told
    yield from _clear(s, p, unit_id)


def _go(s: State, p: Procedure, unit: str, path: Path) -> list[Tell]:
    """Put a unit at the end of a way; what that brings is returned."""
    way = (s.at[unit], *path)
    s.put(unit, path[-1])
    p.trails[unit] = (*p.trails.get(unit, ()), *path)
    return list(victory.moved(s, unit, forced=True, way=way))


def _mark(s: State, p: Procedure, friend: str, by: str) -> Iterator[Tell]:
    """Put a Chain Retreat marker on a friend whose hex was entered, unless it is exempt."""
    if p.marks(s, friend):
        p.queue.append(friend)  # 11-2-1
        yield Tell("mark", "11-2-1", {"unit": friend, "at": s.board.label[s.at[friend]], "by": by})


def _clear(s: State, p: Procedure, arrived: str) -> Steps:
    """Displace one of two units in a hex by one hex, again and again until no hex holds two (11-2-5.a).

    The unit that stood there makes room for the one that arrived, unless it has an asterisk (R84).
    """
    while s.ended is None and (friend := s.companion(arrived)) is not None:
        mover, other = (arrived, friend) if s.board.units[friend].morale is None else (friend, arrived)
        found = steps(s, s.board.units[mover].side, p.threats)(s.at[mover])
        if not found:  # nor are there any for the other unit, from the same hex
            yield from remove(s, arrived, f"no room beside {friend}", "11-2-5.a")
            return
        yield from _displace(s, p, mover, other, found)
        arrived = mover


def _displace(s: State, p: Procedure, unit_id: str, other: str, found: Sequence[Hex]) -> Steps:
    """Move a unit back by one hex out of a hex that it shares; it keeps its marker and isn't exempt by this."""
    side, start, h = s.board.units[unit_id].side, s.at[unit_id], found[0]
    if len(found) > 1:
        order = yield _ask_displace(s, p, unit_id, found)
        h = order.at
    friend = s.stands[side].get(h)
    told = _go(s, p, unit_id, (h,))
    label = s.board.label
    yield Tell("displace", "11-2-5.a", {"unit": unit_id, "from": label[start], "to": label[h], "other": other})
    if friend is not None:
        yield from _mark(s, p, friend, unit_id)  # 11-2-5.b
    yield from told


def _ask_retreat(s: State, p: Procedure, unit: str, found: Sequence[Path]) -> Choose:
    """Ask the owner for the way (11-1): by standing order, else by the ruling (R83)."""
    rank = default_rank(s, p, s.board.units[unit].side)
    best = min(found, key=rank)

    def standing(orders: Sequence[tuple[str, ...]]) -> Retreat | None:
        path = preferred(s, unit, orders, found, rank)
        return None if path is None else Retreat(unit, path)

    return Choose(
        side=s.board.units[unit].side,
        kind="retreat",
        clause="11-1",
        prompt=f"retreat {s.board.describe(unit)} from {s.board.place(s.at[unit])} by {_hexes(len(best))}",
        why_not=lambda order: why_not_retreat(s, unit, len(best), p.threats, order),
        options=lambda: (Retreat(unit, path) for path in sorted(found, key=lambda path: path != best)),
        sample=lambda chance: Retreat(unit, chance.choice(found)),
        reaction=True,
        about=(unit,),
        standing=standing,
        default=lambda: Retreat(unit, best),
    )


def _ask_displace(s: State, p: Procedure, unit: str, found: Sequence[Hex]) -> Choose:
    """Ask the owner into which hex a unit is displaced: by standing order, else an empty one (R83)."""
    friends, label = s.stands[s.board.units[unit].side], s.board.label
    paths = [(h,) for h in found]
    best = min(found, key=lambda h: (h in friends, label[h]))

    def standing(orders: Sequence[tuple[str, ...]]) -> Displace | None:
        path = preferred(s, unit, orders, paths, lambda path: (path[0] in friends, label[path[0]]))
        return None if path is None else Displace(unit, path[0])

    return Choose(
        side=s.board.units[unit].side,
        kind="displace",
        clause="11-2-5.a",
        prompt=f"move {s.board.describe(unit)} back by 1 hex from {s.board.place(s.at[unit])}, which holds two units",
        why_not=lambda order: why_not_displace(s, unit, p.threats, order),
        options=lambda: (Displace(unit, h) for h in sorted(found, key=lambda h: h != best)),
        sample=lambda chance: Displace(unit, chance.choice(found)),
        reaction=True,
        about=(unit,),
        standing=standing,
        default=lambda: Displace(unit, best),
    )


def default_rank(s: State, p: Procedure, side: str) -> Rank:
    """The ruling's order of ways: a free end, fewest marks, fewest friends entered, then the lowest numbers (R83)."""
    friends, label = s.stands[side], s.board.label

    def rank(path: Path) -> tuple[bool, int, int, tuple[str, ...]]:
        entered = [friends[h] for h in path if h in friends]
        marked = sum(p.marks(s, friend) for friend in entered)
        return path[-1] in friends, marked, len(entered), tuple(label[h] for h in path)

    return rank


def why_not_retreat(s: State, unit: str, length: int, threats: Collection[Hex], order: Order) -> Refusal | None:
    """Why a unit can't retreat along a path."""
    if not isinstance(order, Retreat) or order.unit != unit:
        return asked_refusal(s, order, "11-1", unit, f"`retreat {unit} HEX ...`")
    if len(order.path) != length:
        return Refusal("11(3)a", f"{s.board.describe(unit)} retreats exactly {_hexes(length)}, not {len(order.path)}")
    return why_not_way(s, s.board.units[unit].side, s.at[unit], order.path, threats)


def why_not_displace(s: State, unit: str, threats: Collection[Hex], order: Order) -> Refusal | None:
    """Why a unit can't be displaced into a hex."""
    if not isinstance(order, Displace) or order.unit != unit:
        return asked_refusal(s, order, "11-2-5.a", unit, f"`displace {unit} HEX`")
    return why_not_way(s, s.board.units[unit].side, s.at[unit], (order.at,), threats)


def _hexes(number: int) -> str:
    return "1 hex" if number == 1 else f"{number} hexes"
