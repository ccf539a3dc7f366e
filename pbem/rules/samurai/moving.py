"""The movement step: which moves are asked and listed, and that no unit of two stands is left without a daimyo."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.errors import Refusal
from pbem.rules.kit.ask import Chapter
from pbem.rules.requests import Chance
from pbem.rules.samurai import movement
from pbem.rules.samurai.combat import other_step
from pbem.rules.samurai.daimyos import around, following, follows, unled
from pbem.rules.samurai.geometry import Base, overlap, spans, touches
from pbem.rules.samurai.orders import DONE, SIDES, TURNS, Done, End, Follow, Go, Move, Order
from pbem.rules.samurai.paths import over, place, steps_of
from pbem.rules.samurai.state import ENEMY, State, Step, copy

__all__ = ["CHAPTER", "farthest", "mend", "movers", "options", "unled", "why_not"]

FINISHED = "done"

ASIDE = 50
"""Farther than by his limit and this a daimyo is never from a unit beside which he can come, in whatever facing."""

TRIES = 12
"""Random moves that are tried before the step is ended."""


def why_not(s: State, side: str, order: Order) -> Refusal | None:
    """Why a move, or the end of the step, is refused."""
    if isinstance(order, Move | Go | Follow):
        return movement.why_not(s, side, order) or _why_hopeless(s, side, order)
    if isinstance(order, Done) or (isinstance(order, End) and order.step == Step.MOVE):
        return _why_not_end(s, side, order)
    return other_step(order)


def _why_not_end(s: State, side: str, order: Done | End) -> Refusal | None:
    """Why the step can't end: a unit of two stands would be without a daimyo, and not because of dice."""
    alone = unled(s, side)
    if not alone or (isinstance(order, End) and order.anyway and s.dice):
        return None
    return _left_alone(s, alone[0])


def _left_alone(s: State, unit: str) -> Refusal:
    name = s.board.describe(unit)
    return Refusal("daimyos.1", f"{name} would be left without the daimyo that its two stands need")  # daimyos.1


def _why_hopeless(s: State, side: str, order: Move | Go | Follow) -> Refusal | None:
    """Why a move is refused after which a unit of two stands would be without a daimyo, and none could come to it.

    Where one still can the end of the step is refused until he does: so there always is a way to end it.
    """
    if not s.led:
        return None
    now = _unled_after(s, side, order)
    if not now or _still_led(s, side, order, now):
        return None
    if _may_come(s, side, order, now[0]) and mend(_after(s, order), side) is not None:
        return None
    alone = unled(s, side)
    return _left_alone(s, next((unit for unit in now if unit not in alone), now[0]))


def _unled_after(s: State, side: str, order: Move | Go | Follow) -> list[str]:
    """The units of two stands that are without a daimyo behind a legal move, and had one in this step."""
    alone, unit = unled(s, side), order.unit
    if s.board.units[unit].daimyo:
        led = s.led.intersection(s.friends(unit)) - s.routed
        left = [other for other in led if s.daimyos(other) == [unit]]
        if not alone and not left:
            return []
        end, _ = movement.end_of(s, order)
        return s.by_id(other for other in (*alone, *left) if not touches(end, s.at[other]))
    if unit not in s.led:
        return alone
    end, _ = movement.end_of(s, order)
    stays = any(s.board.units[other].daimyo for other in s.touched(end, side, unit))
    return s.by_id({*alone, unit} - ({unit} if stays else set()))


def _still_led(s: State, side: str, order: Move | Go | Follow, units: Sequence[str]) -> bool:
    """Whether it is plain that behind a move each of these units can be followed by a daimyo of its own.

    What it doesn't find plain is played out.
    """
    end, placed = movement.end_of(s, order)
    if placed:
        return False
    unmoved, busy, taken = _unmoved(s, side), {order.unit}, [end]
    for unit in units:
        for daimyo in unmoved:
            if daimyo in busy or not _may_leave(s, daimyo, units, order.unit, end):
                continue
            found = _beside_after(s, daimyo, unit, end if unit == order.unit else s.at[unit])
            if found is not None and not any(overlap(found, other) for other in taken):
                busy.add(daimyo)
                taken.append(found)
                break
        else:
            return False
    return True


def _may_leave(s: State, daimyo: str, units: Sequence[str], mover: str, end: Base) -> bool:
    """Whether a daimyo leads nobody but some of these units, behind a move to that end."""
    if not s.led.intersection(s.friends(daimyo)).issubset(units):
        return False
    return mover in units or not s.board.units[mover].troops or not touches(end, s.at[daimyo])


def _beside_after(s: State, daimyo: str, unit: str, b: Base) -> Base | None:
    """Where a daimyo comes to stand who follows a unit whose base lies there; None if he can't."""
    if not _may_reach(s, daimyo, b):
        return None
    order = Follow(daimyo, unit)
    found = following(s, order) if b == s.at[unit] else follows(s, order, b)
    return None if found is None else found[1]


def _may_come(s: State, side: str, order: Move | Go | Follow, unit: str) -> bool:
    """Whether, behind a move, a daimyo who hasn't moved stands near enough to a unit, or it may still go to one."""
    end, _ = movement.end_of(s, order)
    b = end if unit == order.unit else s.at[unit]
    if any(daimyo != order.unit and _may_reach(s, daimyo, b) for daimyo in _unmoved(s, side)):
        return True
    if unit == order.unit:
        return isinstance(order, Move) and not order.length
    return s.moved.get(unit) in (None, movement.TURNED)


def _unmoved(s: State, side: str) -> list[str]:
    return [unit for unit in s.on(side) if s.board.units[unit].daimyo and unit not in s.moved]


def _after(s: State, order: Move | Go | Follow) -> State:
    """The state after a move."""
    ahead = copy(s)
    for _ in movement.move(ahead, order):
        pass
    return ahead


def mend(s: State, side: str) -> tuple[Move | Go | Follow, ...] | None:
    """Moves after which each unit of two stands has a daimyo again: he comes to it, or it goes to him; None if none."""
    alone, seen = unled(s, side), set[tuple[str, ...]]()
    if not alone:
        return ()
    for order in _mending(s, side, alone[0]):
        if movement.why_not(s, side, order) is not None:
            continue
        now = _unled_after(s, side, order)
        key = (order.unit, *now)
        if alone[0] in now or key in seen:
            continue
        if (rest := mend(_after(s, order), side)) is not None:
            return (order, *rest)
        if set(now) < set(alone):  # of units that he leaves some may come to him, in one place and not in another
            seen.add(key)
    return None


def _mending(s: State, side: str, unit: str) -> Iterator[Move | Go | Follow]:
    """The moves that may bring a unit and a daimyo together: of the unit, and of one who hasn't moved."""
    unmoved = [daimyo for daimyo in _unmoved(s, side) if _may_reach(s, daimyo, s.at[unit])]
    yield from (Follow(daimyo, unit) for daimyo in unmoved)
    yield from _coming(s, side, unit)
    for daimyo in unmoved:
        at, most = s.at[daimyo], s.board.units[daimyo].kind.move
        near = (b for b in around(s, daimyo, s.at[unit]) if (b.x - at.x) ** 2 + (b.y - at.y) ** 2 <= most * most)
        yield from (Go(daimyo, b.x, b.y, b.facing) for b in near if s.free(b, {daimyo}))


def _may_reach(s: State, daimyo: str, leader: Base) -> bool:
    """Whether a daimyo stands near enough to a unit's base to come beside it, if nothing is in his way."""
    most, b = s.board.units[daimyo].kind.move + ASIDE, s.at[daimyo]
    (x, y, _, _), (wide, deep, _, _) = spans(b.facing, b.hw, b.hd), spans(leader.facing, leader.hw, leader.hd)
    return abs(b.x - leader.x) <= most + x + wide and abs(b.y - leader.y) <= most + y + deep


def _coming(s: State, side: str, unit: str) -> Iterator[Move]:
    """The moves of a unit to where it first touches a daimyo of its own, if nothing is in its way."""
    done = s.moved.get(unit)
    if done not in (None, movement.TURNED):
        return
    daimyos = [s.at[other] for other in s.on(side) if s.board.units[other].daimyo]
    move = s.board.units[unit].kind.move
    for first in ("", *TURNS) if done is None else ("",):
        b = movement.turned(s, unit, first)
        for back, most in ((False, move), (True, move // 2)):
            way = (b.facing + 4) % 8 if back else b.facing
            steps = {_steps_beside(b, way, steps_of(most, way), daimyo) for daimyo in daimyos} - {None}
            for n in sorted(step for step in steps if step is not None):
                length = movement.length_of(s, b, way, n)
                yield Move(unit, length, back and length > 0, first)


def _steps_beside(b: Base, way: int, most: int, other: Base) -> int | None:
    """After how many steps, of so many at most, a base first touches another one; None if it never does."""
    near = over(b, way, other._replace(hw=other.hw + 2, hd=other.hd + 2))
    if near is None:
        return None
    tries = range(max(near.low, 0), min(near.high, most) + 1)
    return next((j for j in tries if touches(place(b, way, j), other)), None)


def why_never(s: State, side: str, order: Order) -> Refusal | None:
    """Why a move can never be ordered: for a unit that isn't the side's own, or for a bannerman."""
    if not isinstance(order, Move | Go | Follow):
        return None
    u = s.board.units[order.unit]
    return movement.why_not_unit(s, side, order.unit) if u.side != side or u.bannerman else None


# --- what can be ordered ----------------------------------------------------------------------------------------------


def movers(s: State, side: str) -> list[str]:
    """The units and daimyos that may still do something in this step, by id."""
    return list(_movers(s, side))


def _movers(s: State, side: str) -> Iterator[str]:
    at, routed, moved = s.at, s.routed, s.moved
    for unit in s.board.of_side[side]:
        if unit in at and unit not in routed and moved.get(unit) != FINISHED:
            yield unit


def farthest(s: State, unit: str, first: str = "", *, back: bool = False) -> Move | None:
    """The farthest move of a unit after a turn, or without one; None where it can't go at all."""
    kind = s.board.units[unit].kind
    order = Move(unit, kind.move // 2 if back else kind.move, back, first)
    if first and movement.why_no_room(s, unit, movement.turned(s, unit, first), goes_on=True):
        return None
    found = movement.run(s, order)
    if found.cut and found.cut != ENEMY:
        order = Move(unit, movement.gone(s, order, found), back, first)
    return order if found.steps and order.length else None


def options(s: State, side: str) -> Iterator[Order]:
    """Of each unit the farthest move in each heading, with a last turn too, back, and turns; of each daimyo the places
    beside units; the end of the step and of the turn, or what brings them nearer."""
    mending = (mend(s, side) or ())[:1]
    for unit in movers(s, side):
        daimyo = s.board.units[unit].daimyo
        listed: Iterator[Move | Follow] = _daimyo_options(s, side, unit) if daimyo else _unit_options(s, unit)
        found = dict.fromkeys((*listed, *(order for order in mending if order.unit == unit)))
        yield from (order for order in found if why_not(s, side, order) is None)
    ends: tuple[Done | End, ...] = (End(Step.MOVE), DONE)
    yield from (end for end in ends if why_not(s, side, end) is None)


def _unit_options(s: State, unit: str) -> Iterator[Move]:
    for first in ("", *TURNS):
        if first:
            yield Move(unit, first=first)
        order = farthest(s, unit, first)
        if order is not None:
            yield order
            if not first:
                yield from (Move(unit, order.length, last=last) for last in TURNS)
    back = farthest(s, unit, back=True)
    if back is not None:
        yield back


def _daimyo_options(s: State, side: str, unit: str) -> Iterator[Follow]:
    for leader in s.troops(side):
        order = Follow(unit, leader)
        found = following(s, order)
        if found is not None:
            yield Follow(unit, leader, found[0])


def sample(s: State, side: str, chance: Chance) -> Order:
    """A random move of any length, seldom none; daimyos mostly keep to units of two stands."""
    found = movers(s, side)
    for _ in range(TRIES if found and chance.randrange(16) else 0):
        unit = chance.choice(found)
        order = _random_way(s, side, unit, chance) if s.board.units[unit].daimyo else _random_move(s, unit, chance)
        if why_not(s, side, order) is None:
            return order
    return next(iter(mend(s, side) or ()), End(Step.MOVE))


def _random_move(s: State, unit: str, chance: Chance) -> Move:
    """A random move, as a rule one that nothing but an enemy cuts short."""
    turn = chance.choice(("", "", *TURNS)) if unit not in s.moved else ""
    turn = "" if turn and movement.why_no_room(s, unit, movement.turned(s, unit, turn)) else turn
    if s.moved.get(unit) == movement.MOVED or chance.randrange(8) == 0:
        return Move(unit, first=turn or TURNS[0])
    back = chance.randrange(8) == 0
    first, last = (turn, "") if chance.randrange(2) else ("", turn)
    most = farthest(s, unit, first, back=back)
    if most is None:
        return Move(unit, first=turn)
    length = chance.choice((most.length, most.length, 1 + chance.randrange(most.length)))
    return Move(unit, length, back, first, last)


def _random_way(s: State, side: str, unit: str, chance: Chance) -> Go | Follow:
    led = [other for other in s.troops(side) if s.doubled(other)]
    if led and chance.randrange(4):
        return Follow(unit, chance.choice(led), chance.choice(SIDES))
    reach = s.board.units[unit].kind.move * 7 // 10
    x, y = (at - reach + chance.randrange(2 * reach + 1) for at in (s.at[unit].x, s.at[unit].y))
    return Go(unit, max(x, 0), max(y, 0), chance.randrange(8))


CHAPTER = Chapter(
    kind=str(Step.MOVE),
    prompt=lambda _: "move units and daimyos, and give the later orders of the turn",
    why_not=why_not,
    options=options,
    sample=sample,
    anyone=lambda s, side: next(_movers(s, side), None) is not None,
    carry_out=lambda s, _, order: movement.move(s, order),
    never=why_never,
    done=DONE,
)
"""One move after another (turn_sequence.2)."""
