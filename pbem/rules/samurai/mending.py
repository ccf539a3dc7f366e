"""No move leaves a unit of two stands without a daimyo for good (daimyos.1): how they can be brought together again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain

from pbem.errors import Refusal
from pbem.records import NamedTuple
from pbem.rules.samurai import movement, straight
from pbem.rules.samurai.daimyos import around, beside_at, comes, unled
from pbem.rules.samurai.geometry import Base, overlap, spans, touches
from pbem.rules.samurai.movement import Moving
from pbem.rules.samurai.orders import SIDES, TURNS, Follow, Go, Move
from pbem.rules.samurai.paths import over, place, steps_of
from pbem.rules.samurai.state import State, copy

__all__ = [
    "joins",
    "left_alone",
    "may_reach",
    "mend",
    "mended_by",
    "steps_beside",
    "whom_it_forsakes",
    "whom_it_parts",
    "why_hopeless",
]

TRIES = 12
"""So many moves are tried, those behind others among them, to bring parted units and daimyos together (R145)."""


class Way(NamedTuple):
    """A move that may bring a unit and a daimyo together, and where its mover comes to stand by it."""

    order: Moving
    end: Base


class Joining(NamedTuple):
    """A move that may join a parted unit: whether it parts others, how many are alone behind it, who moves and who
    those are, the move; where a daimyo ends whom he would leave, if it is his."""

    parts: bool
    alone: int
    key: tuple[str, ...]
    order: Moving
    end: Base | None = None
    left: Sequence[str] = ()


class Lifted(NamedTuple):
    """A unit or daimyo whose move is judged: it stands at its end, not where the state has it; "" for nobody."""

    unit: str = ""
    end: Base | None = None


NOBODY = Lifted()


def why_hopeless(s: State, side: str, order: Moving) -> Refusal | None:
    """Why a move is refused after which a unit of two stands would be without a daimyo, and none could come to it.

    Where one still can the end of the step is refused until he does: so there always is a way to end it.
    """
    if not s.led or (order.anyway and s.dice):
        return None
    unit = whom_it_parts(s, side, order)
    return left_alone(s, unit) if unit else None


def whom_it_parts(s: State, side: str, order: Moving) -> str:
    """The unit of two stands that is without a daimyo behind a move, and to which none can come; "" for none."""
    alone, left = unled(s, side), _leaves(s, order.unit)
    if not alone and not left:
        return ""
    end, placed = movement.end_of(s, order)
    if not alone and end == s.at[order.unit]:
        return ""
    mover = Lifted(order.unit, end)
    now = _unled_after(s, side, alone, left, order.unit, end)
    if not now or (not placed and _each_his_own(s, side, now, mover) is not None):
        return ""
    if (placed or _may_be_joined(s, side, order, now[0], mover)) and mend(_after(s, order), side) is not None:
        return ""
    return next((unit for unit in now if unit not in alone), now[0])


def whom_it_forsakes(s: State, side: str, order: Moving) -> str:
    """The unit that it parts, but for those to whom no daimyo could come before it either; "" for none."""
    unit, alone = whom_it_parts(s, side, order), unled(s, side)
    if not unit or not alone or mend(s, side) is not None:
        return unit
    lost = [one for one in alone if mend(s, side, [other for other in alone if other != one]) is None]
    there = _after(s, order)
    new = [other for other in unled(there, side) if other not in lost]
    return new[0] if new and mend(there, side, lost) is None else ""


def left_alone(s: State, unit: str) -> Refusal:
    name = s.board.describe(unit)
    return Refusal("daimyos.1", f"{name} would be left without the daimyo that their two stands need")  # daimyos.1


def _leaves(s: State, unit: str) -> list[str]:
    """The units of two stands that a move may part from their daimyo: of a daimyo's those whom he alone leads."""
    if s.board.units[unit].daimyo:
        return _only(s, unit, NOBODY)
    return [unit] if unit in s.led else []


def _unled_after(s: State, side: str, alone: Sequence[str], left: Sequence[str], unit: str, end: Base) -> Sequence[str]:
    """The units of two stands without a daimyo behind a unit's move, of those who are now and those whom it leaves."""
    if s.board.units[unit].daimyo:
        return s.by_id(other for other in (*alone, *left) if not touches(end, s.at[other]))
    if not left:
        return alone
    stays = any(s.board.units[other].daimyo for other in s.touched(end, side, unit))
    return s.by_id({*alone, *left}.difference(left if stays else ()))


def _only(s: State, daimyo: str, mover: Lifted) -> list[str]:
    """The units that a daimyo alone leads, but for the one that moves first."""
    led = [unit for unit in s.friends(daimyo) if unit in s.led and unit not in s.routed and unit != mover.unit]
    return [
        unit
        for unit in led
        if s.doubled(unit)
        and [other for other in s.daimyos(unit) if other != mover.unit] == [daimyo]
        and not (mover.end is not None and s.board.units[mover.unit].daimyo and touches(mover.end, s.at[unit]))
    ]


def _unmoved(s: State, side: str, mover: Lifted = NOBODY) -> list[str]:
    """A side's daimyos who haven't moved."""
    return [unit for unit in s.all_daimyos(side) if unit not in s.moved and unit != mover.unit]


def _after(s: State, order: Moving) -> State:
    """The state after a move."""
    ahead = copy(s)
    for _ in movement.move(ahead, order):
        pass
    return ahead


# --- who can be joined ------------------------------------------------------------------------------------------------


def mend(s: State, side: str, but: Sequence[str] = ()) -> tuple[Moving, ...] | None:
    """Moves after which each unit of two stands `but` these has a daimyo again: he comes to it, or it goes to him.

    None where none are found. From a state behind the first of those found the others are found too.
    """
    alone = [unit for unit in unled(s, side) if unit not in but]
    return _each_his_own(s, side, alone) or _found(s, side, alone, iter(range(TRIES)), but)


def mended_by(s: State, side: str, order: Moving) -> tuple[Moving, ...]:
    """The moves behind a legal one by which each unit of two stands that it parts has a daimyo again; () for none."""
    there = _after(s, order) if s.led else s
    return mend(there, side) or () if unled(there, side) else ()


def _each_his_own(s: State, side: str, units: Sequence[str], mover: Lifted = NOBODY) -> tuple[Moving, ...] | None:
    """How each of these units is followed by a daimyo of its own who leads nobody else, if that is plain to see."""
    taken, free = [mover.end] if mover.end is not None else [], _unmoved(s, side, mover)
    found: list[Moving] = []
    for unit in units:
        for daimyo, way in _followers(s, unit, free, units, mover):
            if not any(overlap(way.end, other) for other in taken):
                free.remove(daimyo)
                taken.append(way.end)
                found.append(way.order)
                break
        else:
            return None
    return tuple(found)


def _followers(
    s: State, unit: str, free: Sequence[str], units: Sequence[str], mover: Lifted
) -> Iterator[tuple[str, Way]]:
    """The daimyos who lead nobody but some of these units and can follow one of them, with each way to it."""
    b = _base(s, unit, mover)
    for daimyo in free:
        if may_reach(s, daimyo, b) and not _leads(s, daimyo, units, mover):
            for way in _ends(s, daimyo, unit, b, follow=True):
                if comes(s, daimyo, way.end, mover.unit):
                    yield daimyo, way


def _leads(s: State, daimyo: str, units: Sequence[str], mover: Lifted) -> bool:
    """Whether a daimyo leads anybody but some of these units, behind a move."""
    if not s.led.intersection(s.friends(daimyo)).issubset(units):
        return True
    if mover.end is None or mover.unit in units or not s.board.units[mover.unit].troops:
        return False
    return touches(mover.end, s.at[daimyo])


def _may_be_joined(s: State, side: str, order: Moving, unit: str, mover: Lifted) -> bool:
    """Whether, behind a move, a daimyo may still come to a unit, or it to one; it may turn out that none can."""
    if unit == mover.unit and mover.end is not None:
        turned = isinstance(order, Move) and not order.length
        if turned and any(_may_walk(s, mover.end, unit, ("",), s.at[other]) for other in s.all_daimyos(side)):
            return True
    elif _may_walk_to_one(s, side, unit, mover):
        return True
    return any(_may_join(s, daimyo, unit, mover) for daimyo in _unmoved(s, side, mover))


def _may_join(s: State, daimyo: str, unit: str, mover: Lifted) -> bool:
    """Whether a daimyo may come to a unit, and whom he leaves may go to him there."""
    b = _base(s, unit, mover)
    if not may_reach(s, daimyo, b):
        return False
    left = _only(s, daimyo, mover)
    if any(not _is_near(s, other, s.at[other], b, 4 * sum(s.at[daimyo][3:])) for other in left):
        return False
    for way in _all_ways(s, daimyo, unit, mover):
        if (mover.end is None or not overlap(way.end, mover.end)) and _follow_him(s, left, way.end):
            return True
    return False


def _follow_him(s: State, left: Sequence[str], end: Base) -> bool:
    """Whether all whom a daimyo leaves may go straight to him, if nothing is in their way."""
    return all(touches(end, s.at[unit]) or _may_walk(s, s.at[unit], unit, _turns(s, unit), end) for unit in left)


def _found(
    s: State, side: str, alone: Sequence[str], tries: Iterator[int], but: Sequence[str] = ()
) -> tuple[Moving, ...] | None:
    """Moves each of which joins the first of the parted units, and leaves alone none but those who may follow."""
    if not alone:
        return ()
    seen = set[tuple[str, ...]]()
    for joining in _joining(s, side, alone):
        if joining.key in seen or not _can_be_tried(s, joining):
            continue
        if next(tries, None) is None:
            return None
        order = joining.order
        if isinstance(order, Move) and movement.why_not(s, side, order) is not None:
            continue
        ahead = _after(s, order)
        still = [unit for unit in unled(ahead, side) if unit not in but]
        if alone[0] in still:
            continue
        if (rest := _found(ahead, side, still, tries, but)) is not None:
            return (order, *rest)
        seen.add(joining.key)
    return None


def _joining(s: State, side: str, alone: Sequence[str]) -> Iterator[Joining]:
    """Moves that would join the first of these units, behind which the fewest are alone first.

    Those behind which nobody is alone are told as they are found: as a rule one of the first will do.
    """
    unit, later = alone[0], list[Joining]()
    b = s.at[unit]
    daimyos = [(other, _only(s, other, NOBODY)) for other in _unmoved(s, side) if may_reach(s, other, b)]
    follow = (_brought(s, alone, left, way) for other, left in daimyos for way in _ends(s, other, unit, b, follow=True))
    coming = (Joining(False, len(alone) - 1, (unit,), order) for order in _coming(s, side, unit))
    all_round = (
        _brought(s, alone, left, way) for other, left in daimyos for way in _ends(s, other, unit, b, follow=False)
    )
    for joining in chain(follow, coming, all_round):
        if joining.alone == 0:
            yield joining
        else:
            later.append(joining)
    yield from sorted(later, key=lambda joining: joining[:2])


def _brought(s: State, alone: Sequence[str], left: Sequence[str], way: Way) -> Joining:
    """What a daimyo's way to a parted unit comes to, who leaves some whom he alone leads."""
    order, end = way
    new = [other for other in left if not touches(end, s.at[other])]
    now = [other for other in alone if not touches(end, s.at[other])]
    where = (str(end),) if new else ()  # they may come to him in one place and not in another
    return Joining(bool(new), len(new) + len(now), (order.unit, *now, *new, *where), order, end, new)


def _can_be_tried(s: State, joining: Joining) -> bool:
    """Whether a daimyo can go there, and whom he leaves may go to him then; of a unit's move that isn't asked here."""
    end = joining.end
    return end is None or (comes(s, joining.order.unit, end) and _follow_him(s, joining.left, end))


# --- ways -------------------------------------------------------------------------------------------------------------


def joins(s: State, daimyo: str, unit: str) -> Iterator[Moving]:
    """The orders by which a daimyo comes to touch a unit: to its places beside first, then all round."""
    return (way.order for way in _all_ways(s, daimyo, unit, NOBODY))


def _all_ways(s: State, daimyo: str, unit: str, mover: Lifted) -> Iterator[Way]:
    return (way for follow in (True, False) for way in _ways(s, daimyo, unit, mover, follow=follow))


def _ways(s: State, daimyo: str, unit: str, mover: Lifted, *, follow: bool) -> Iterator[Way]:
    """A daimyo's ways to a unit, beside it or all round, if another one has moved, whose end they don't heed."""
    ends = _ends(s, daimyo, unit, _base(s, unit, mover), follow=follow)
    return (way for way in ends if comes(s, daimyo, way.end, mover.unit))


def _ends(s: State, daimyo: str, unit: str, b: Base, *, follow: bool) -> Iterable[Way]:
    """Where a daimyo touches a unit whose base lies there, whether he can come to it or not."""
    if follow:
        return (Way(Follow(daimyo, unit, where), beside_at(s, daimyo, b, where)) for where in SIDES)
    places, key = s.known.found, ("ends", daimyo, unit, b)
    if key not in places:
        known = [beside_at(s, daimyo, b, where) for where in SIDES]
        ends = (end for end in around(s.size(daimyo), b) if end not in known)
        places[key] = [Way(Go(daimyo, end.x, end.y, end.facing), end) for end in ends]
    found: list[Way] = places[key]
    return found


def _base(s: State, unit: str, mover: Lifted) -> Base:
    """Where a unit stands when one has moved."""
    return mover.end if unit == mover.unit and mover.end is not None else s.at[unit]


def may_reach(s: State, daimyo: str, leader: Base) -> bool:
    """Whether a daimyo stands near enough to a unit's base to come beside it, if nothing is in his way."""
    return _is_near(s, daimyo, s.at[daimyo], leader, 0)


def _is_near(s: State, unit: str, b: Base, other: Base, more: int) -> bool:
    """Whether a unit or daimyo whose base lies there may come so near to another base, in whatever facing."""
    most = s.board.units[unit].kind.move + 2 * (b.hw + b.hd) + more
    wide, deep, _, _ = spans(other.facing, other.hw, other.hd)
    return abs(b.x - other.x) <= most + wide and abs(b.y - other.y) <= most + deep


def _turns(s: State, unit: str) -> tuple[str, ...]:
    """The first turns with which a unit may still go: "" for none."""
    done = s.moved.get(unit)
    if done is None:
        return ("", *TURNS)
    return ("",) if done == movement.TURNED else ()


def _may_walk_to_one(s: State, side: str, unit: str, mover: Lifted) -> bool:
    """Whether a unit may go straight to a daimyo of its own, if nothing is in its way, when another has moved."""
    places, turns = s.known.found, _turns(s, unit)
    key = ("walks", unit, turns)
    if key not in places:
        places[key] = {other for other in s.all_daimyos(side) if _may_walk(s, s.at[unit], unit, turns, s.at[other])}
    if places[key] - {mover.unit}:
        return True
    if mover.end is None or not s.board.units[mover.unit].daimyo:
        return False
    return _may_walk(s, s.at[unit], unit, turns, mover.end)


def _may_walk(s: State, b: Base, unit: str, turns: Sequence[str], to: Base) -> bool:
    """Whether a unit whose base lies there may go straight to another base, if nothing is in its way."""
    return _is_near(s, unit, b, to, 0) and any(
        steps_beside(at, way, most, to) is not None for _, _, at, way, most in _headings(s, b, unit, turns)
    )


def _headings(s: State, b: Base, unit: str, turns: Sequence[str]) -> Iterator[tuple[str, bool, Base, int, int]]:
    """How a unit may go straight: the first turn, whether back, its base, the direction, the most steps."""
    move = s.board.units[unit].kind.move
    for first in turns:
        at = straight.turned(s, unit, first) if first else b
        yield first, False, at, at.facing, steps_of(move, at.facing)
        yield first, True, at, (at.facing + 4) % 8, steps_of(move // 2, at.facing)


def _coming(s: State, side: str, unit: str) -> Iterator[Move]:
    """The moves of a unit to where it first touches a daimyo of its own, if nothing is in its way."""
    daimyos = [s.at[other] for other in s.all_daimyos(side)]
    for first, back, b, way, most in _headings(s, s.at[unit], unit, _turns(s, unit)):
        steps = {steps_beside(b, way, most, daimyo) for daimyo in daimyos}
        for n in sorted(step for step in steps if step is not None):
            length = straight.length_of(s, b, way, n)
            yield Move(unit, length, back and length > 0, first)


@lru_cache(4096)
def steps_beside(b: Base, way: int, most: int, other: Base) -> int | None:
    """After how many steps, of so many at most, a base first touches another one; None if it never does.

    Kept, as it hangs on nothing else, and parted units stand where they are while others move.
    """
    near = over(b, way, Base(other.x, other.y, other.facing, other.hw + 2, other.hd + 2))
    if near is None:
        return None
    tries = range(max(near.low, 0), min(near.high, most) + 1)
    return next((j for j in tries if touches(place(b, way, j), other)), None)
