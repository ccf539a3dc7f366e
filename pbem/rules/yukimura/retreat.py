"""Morale checks (rulebook 11), retreats and chain retreats (11-1, 11-2; R82, R84), up to the last marker."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Generator, Iterator, Sequence
from typing import Any, TypeAlias

from pbem.errors import Refusal
from pbem.maps.hexes import Hex, distance
from pbem.records import Record, made
from pbem.rules.kit import retreats
from pbem.rules.kit.ask import Steps
from pbem.rules.kit.retreats import Bar, legal_steps
from pbem.rules.kit.standing import preferences
from pbem.rules.requests import Answer, Choose, Request, Roll, Tell, Words
from pbem.rules.yukimura import victory
from pbem.rules.yukimura.acting import asked_refusal, enemy_zoc, stem
from pbem.rules.yukimura.orders import Displace, Order, Path, Retreat
from pbem.rules.yukimura.state import State

__all__ = [
    "REMOVED_AT", "Procedure", "check_value", "checks", "default_rank", "outs", "remove", "retreat", "steps", "ways",
    "why_not_displace", "why_not_retreat",
]  # fmt: skip

REMOVED_AT = 5
"""The value from which on a failed check removes the unit (11(3)b)."""

Checking: TypeAlias = Generator[Request | Tell, Answer, int]
"""A check: returns its value, 0 or less when it is passed."""


def check_value(morale: int | None, die: int, add: int) -> int:
    """The value of a check, 0 for a unit with an asterisk: die, plus the result's number, less morale."""
    return 0 if morale is None else die + add - morale  # 11(1), 11.b


def _check(s: State, unit_id: str, add: int, why: str) -> Checking:
    """Check the morale of one unit, by a die of its own (11.a); what a failure brings is left to the caller.

    `why` is fire, melee or chain.
    """
    unit = s.board.units[unit_id]
    if unit.morale is None:
        yield Tell("exempt", "11.b", {"unit": unit_id, "at": s.board.label[s.at[unit_id]], "why": why})
        return 0  # 11.b
    (die,) = yield Roll(stem("check", s, unit_id), dice=1)
    found = check_value(unit.morale, die, add)
    removed = found >= REMOVED_AT  # 11(3)b, R85
    facts = {
        "unit": unit_id,
        "at": s.board.label[s.at[unit_id]],
        "die": die,
        "add": add,
        "morale": unit.morale,
        "value": found,
        "why": why,
        "passed": found <= 0,  # 11(2)
        "retreat": found if 0 < found < REMOVED_AT else 0,  # 11(3)a
        "removed": removed,
    }
    if why == "chain":
        clause = "11-2-3.a" if found <= 0 else "11-2-3.b"
    else:
        clause = "11(2)" if found <= 0 else "11(3)b" if removed else "11(3)a"
    yield Tell("check", clause, facts)
    return found


# --- where a unit may retreat to, and which of its ways serves its owner best (11-1) ----------------------------------


Rank: TypeAlias = Callable[[Path], tuple[Any, ...]]
"""How good a way is; the least is the best."""


def _retreat_bar(s: State, side: str, threats: Collection[Hex]) -> Bar:
    """The clause that forbids a step of a side's retreat from the hexes `threats`, empty when it is legal.

    Friends and movement costs don't matter (11-1-2.a).
    """
    ground, enemies, shut = s.board.ground, s.stands[s.board.enemy[side]], enemy_zoc(s, side)

    def bar(here: Hex, h: Hex) -> str:
        if h not in ground.near[here]:
            return "11-1-2.a"
        if h not in ground.open_to[here]:
            return "11-1-2(3)"  # 11-1-2(4), R71
        if h in enemies:
            return "11-1-2(1)"
        if shut(h):
            return "11-1-2(2)"
        return "11-1-1" if any(distance(h, t) <= distance(here, t) for t in threats) else ""  # R82

    return bar


def steps(s: State, side: str, threats: Collection[Hex]) -> retreats.Steps:
    """The hexes to which a unit of a side may retreat from a hex by one step, by number."""
    legal, label = legal_steps(s.board.ground.near, _retreat_bar(s, side, threats)), s.board.label
    return lambda here: sorted(legal(here), key=label.__getitem__)


def outs(s: State, side: str, here: Hex) -> Sequence[Hex]:
    """The hexes to which a unit of a side may retreat from a hex by one step, whoever drives it."""
    return legal_steps(s.board.ground.near, _retreat_bar(s, side, ()))(here)


def ways(s: State, side: str, start: Hex, length: int, threats: Collection[Hex]) -> list[Path]:
    """Every way of exactly so many legal steps, by number; none when the retreat isn't possible (11-1-3)."""
    return list(retreats.ways(start, steps(s, side, threats), lambda path: len(path) == length))


def _why_not_way(s: State, side: str, start: Hex, path: Path, threats: Collection[Hex]) -> Refusal | None:
    """Why a retreat can't take these steps, by the first reason."""
    board, bar = s.board, _retreat_bar(s, side, threats)
    for here, h in zip((start, *path), path, strict=False):
        clause, place = bar(here, h), board.place(h)
        match clause:
            case "":
                continue
            case "11-1-2.a":
                reason = f"{board.place(here)} and {place} aren't adjacent"
            case "11-1-2(3)":
                return board.why_shut(here, h, clause)
            case "11-1-2(1)":
                reason = f"{place} is occupied by an enemy unit"
            case "11-1-2(2)":
                reason = f"{place} is in an enemy ZOC"
            case _:
                near = [board.label[t] for t in sorted(threats) if distance(h, t) <= distance(here, t)]
                reason = f"{place} is no farther from the enemy at {', '.join(near)} than {board.place(here)}"
        return Refusal(clause, reason)
    return None


def _preferred(s: State, unit: str, orders: Sequence[Words], found: Sequence[Path], rank: Rank) -> Path | None:
    """The way by a unit's standing orders, tried in the order written; of several that fit the best by `rank`.

    A hex is where the way ends or, when none does, what it leads through; a direction is that of the first step,
    and as many later steps as possible take it, too.
    """
    label, start = s.board.label, s.at[unit]
    entered = {label[h] for path in found for h in path}

    def by_hex(word: str) -> Path | None:
        if word not in entered:
            return None
        ending = [path for path in found if label[path[-1]] == word]
        return min(ending or [path for path in found if word in (label[h] for h in path)], key=rank)

    def by_direction(word: str) -> Path | None:
        heading = [path for path in found if _heads(s, start, path[0], word)]
        return min(heading, key=lambda path: (-_straight(s, start, path, word), rank(path), path), default=None)

    return retreats.preferred(preferences(orders, "retreat", unit), by_hex, by_direction)


def _straight(s: State, start: Hex, path: Path, word: str) -> int:
    """How many steps of a way go in a direction."""
    return sum(_heads(s, a, b, word) for a, b in zip((start, *path), path, strict=False))


def _heads(s: State, a: Hex, b: Hex, word: str) -> bool:
    return s.board.map_of(a).direction(a, b) == word


# --- the procedure (11-1, 11-2) ---------------------------------------------------------------------------------------


class Procedure(Record):
    """A retreat procedure while it runs.

    threats   the hexes of those from whom all retreat, as they stood when the dice were rolled; fixed
    done      units that have retreated or chain-retreated (11-2-4)
    pending   units whose own failed check is still to be carried out: nobody marks them
    queue     units with a Chain Retreat marker, in the order in which they got it (11-2-1)
    trails    unit -> the hexes that it has entered, by retreat and displacement
    """

    threats: frozenset[Hex]
    done: set[str] = made(default_factory=set)
    pending: set[str] = made(default_factory=set)
    queue: deque[str] = made(default_factory=deque)
    trails: dict[str, Path] = made(default_factory=dict)

    def marks(self, s: State, unit: str) -> bool:
        """Whether a unit whose hex is entered gets a marker: 11.b, 11-2-4(1), 11-2-4(2)."""
        exempt = unit in self.done or unit in self.queue or unit in self.pending
        return not exempt and s.board.units[unit].morale is not None


def checks(s: State, p: Procedure, units: Sequence[str], add: int, why: str) -> Steps:
    """Check the morale of units, one by one; then carry out each failure with all that follows, in the same order."""
    failed: list[tuple[str, int]] = []
    for unit in units:
        value = yield from _check(s, unit, add, why)
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
            value = yield from _check(s, unit, 0, "chain")  # 11-2-2.b
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
        path = _preferred(s, unit, orders, found, rank)
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
        path = _preferred(s, unit, orders, paths, lambda path: (path[0] in friends, label[path[0]]))
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
        heeds=("retreat",),
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
    return _why_not_way(s, s.board.units[unit].side, s.at[unit], order.path, threats)


def why_not_displace(s: State, unit: str, threats: Collection[Hex], order: Order) -> Refusal | None:
    """Why a unit can't be displaced into a hex."""
    if not isinstance(order, Displace) or order.unit != unit:
        return asked_refusal(s, order, "11-2-5.a", unit, f"`displace {unit} HEX`")
    return _why_not_way(s, s.board.units[unit].side, s.at[unit], (order.at,), threats)


def _hexes(number: int) -> str:
    return "1 hex" if number == 1 else f"{number} hexes"
