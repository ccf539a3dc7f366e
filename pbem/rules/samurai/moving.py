"""The movement step: which moves are asked and listed, and when it can end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar

from pbem.errors import Refusal
from pbem.rules.kit.ask import Chapter
from pbem.rules.requests import Chance, Tell
from pbem.rules.samurai import movement, routs, straight
from pbem.rules.samurai.combat import other_step
from pbem.rules.samurai.daimyos import following, unled, why_not_follow
from pbem.rules.samurai.geometry import Base
from pbem.rules.samurai.mending import left_alone, may_reach, mend, whom_it_forsakes, whom_it_parts, why_hopeless
from pbem.rules.samurai.movement import Moving
from pbem.rules.samurai.orders import DONE, SIDES, TURNS, Done, End, Follow, Go, Move, Order, order_words
from pbem.rules.samurai.state import ENEMY, State, Step

__all__ = ["CHAPTER", "begin", "farthest", "mend", "movers", "options", "rest", "unled", "why_not"]

T = TypeVar("T")

FINISHED = "done"

FIRST = ("", "", *TURNS)
"""The turns of a random move: half of these have none."""

TRIES = 40
"""So many units are drawn before the step is ended, among them those that have moved."""


def begin(s: State, side: str) -> Iterator[Tell]:
    """The beginning of the movement step: who touches whom, who is led; then the routed units flee."""
    s.met = {unit: tuple(found) for unit, found in s.engaged(side).items() if s.counts(unit)}  # movement.5a
    movement.leads(s, side)
    for unit in s.by_id(s.routed):  # morale_check.4
        if s.board.units[unit].side == side and unit in s.at:
            first, *others = routs.flee(s, unit, routs.direction(s, unit), "morale_check.4")
            yield first._replace(facts={**first.facts, "step": str(Step.MOVE)})
            yield from others


def why_not(s: State, side: str, order: Order) -> Refusal | None:
    """Why a move, or the end of the step, is refused."""
    if isinstance(order, Moving):
        return movement.why_not(s, side, order) or why_hopeless(s, side, order)
    if isinstance(order, Done) or (isinstance(order, End) and order.step == Step.MOVE):
        return _why_not_end(s, side, order)
    return other_step(order)


def _why_not_end(s: State, side: str, order: Done | End) -> Refusal | None:
    """Why the step can't end: a unit of two stands would be without a daimyo, who can be brought to it."""
    alone = unled(s, side)
    if not alone or (isinstance(order, End) and order.anyway and s.dice) or mend(s, side) is None:
        return None
    return left_alone(s, alone[0])


def rest(s: State, side: str, order: Moving | End) -> tuple[Order, tuple[Tell, ...]] | None:
    """What is left of a move that dice have made illegal: it goes as far as it can. Of such an end of the step, and of
    what is left of the move, also that which leaves a unit of two stands without a daimyo (R145): the first order that
    does tells it."""
    left, told = order, tuple[Tell, ...]()
    if isinstance(order, End):
        unit = to_tell = unled(s, side)[0] if _why_not_end(s, side, order) else ""
    else:
        left, told = movement.rest(s, side, order) or (order, ())
        unit = "" if movement.why_not(s, side, left) else whom_it_parts(s, side, left)
        to_tell = whom_it_forsakes(s, side, left) if unit else ""
    if not unit or not s.dice:
        return (left, told) if told else None
    return left._replace(anyway=True), (*told, *_parted(s, to_tell, order))


def _parted(s: State, unit: str, order: Moving | End) -> Iterator[Tell]:
    """What is told of an order that leaves a unit without a daimyo."""
    if unit:
        refusal, words = left_alone(s, unit), " ".join(order_words(s.board, order))
        facts = {"unit": unit, "order": words, "part": f"a daimyo for {unit}", "reason": refusal.reason}
        yield Tell("drop", refusal.clause, facts)


def why_never(s: State, side: str, order: Order) -> Refusal | None:
    """Why a move can never be ordered: for a unit that isn't the side's own, for a bannerman, beside an enemy; one that
    isn't of its kind, with two turns, or longer than its unit ever goes."""
    if not isinstance(order, Moving):
        return None
    u = s.board.units[order.unit]
    if u.side != side or u.bannerman:
        return movement.why_not_unit(s, side, order.unit)
    if isinstance(order, Follow) and s.board.units[order.leader].side != side:
        return why_not_follow(s, order)
    return movement.why_not_kind(s, order)


# --- what can be ordered ----------------------------------------------------------------------------------------------


def movers(s: State, side: str) -> list[str]:
    """The units and daimyos that may still do something in this step, by id."""
    routed, moved = s.routed, s.moved
    return [unit for unit in s.on(side) if unit not in routed and moved.get(unit) != FINISHED]


def _anyone(s: State, side: str) -> bool:
    routed, moved, finished = s.routed, s.moved, FINISHED
    for unit in s.on(side):  # noqa: SIM110 asked before each order, and a loop is the quickest
        if moved.get(unit) != finished and unit not in routed:
            return True
    return False


def farthest(s: State, unit: str, first: str = "", *, back: bool = False) -> Move | None:
    """The farthest move of a unit after a turn, or without one; None where it can't go at all."""
    turned = straight.turned(s, unit, first)
    if first and straight.why_no_room(s, unit, turned, goes_on=True):
        return None
    length = _farthest(s, unit, turned, back)
    return Move(unit, length, back, first) if length else None


def _farthest(s: State, unit: str, b: Base, back: bool) -> int:
    """How far a unit can go at most whose base lies there after its first turn; 0 where it can't go at all."""
    most = straight.limit(s, unit, back=back)
    found = straight.go(s, unit, b, most, back=back)
    if found.steps and found.cut and found.cut != ENEMY:
        return straight.length_of(s, b, (b.facing + 4) % 8 if back else b.facing, found.steps)
    return most if found.steps else 0


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
    """A random move of any length, seldom none; who is parted is mostly brought together before anything else is done.

    What can't be done is seldom drawn, as it is dear to find out.
    """
    parted = unled(s, side) if s.led else None
    if parted and chance.random() < 3 / 4 and (mending := mend(s, side)):
        return mending[0]
    on, units, moved, routed, random = s.on(side), s.board.units, s.moved, s.routed, chance.random
    number, finished = len(on), FINISHED
    for _ in range(TRIES if random() < 15 / 16 else 0):
        unit = on[int(random() * number)]  # most that are drawn have moved, and `_drawn` takes twice as long
        if moved.get(unit) == finished or unit in routed:
            continue
        if units[unit].daimyo:
            way = _random_way(s, side, unit, chance)
            if why_not(s, side, way) is None:
                return way
        elif (order := _random_move(s, unit, chance)) is not None:
            may_part = parted or unit in s.led
            if not may_part or why_hopeless(s, side, order) is None:
                return order
    return next(iter(mend(s, side) or ()), End(Step.MOVE))


def _drawn(some: Sequence[T], chance: Chance) -> T:
    """One of some: `choice` of a random generator takes three times as long."""
    return some[int(chance.random() * len(some))]


def _random_move(s: State, unit: str, chance: Chance) -> Move | None:
    """A random move that `movement.why_not` allows, one that nothing but an enemy cuts short; seldom None."""
    done = s.moved.get(unit)
    if done == movement.MOVED:
        way = _drawn(TURNS, chance)
        return Move(unit, first=way) if straight.has_room(s, unit, straight.turned(s, unit, way)) else None
    if unit in s.led and not _is_followed(s, unit) and chance.random() < 7 / 8:
        return Move(unit)
    turn = "" if done else _drawn(FIRST, chance)
    turned = straight.turned(s, unit, turn) if turn else s.at[unit]
    if turn and not straight.has_room(s, unit, turned):
        turn, turned = "", s.at[unit]
    if chance.random() < 1 / 8:
        return Move(unit, first=turn)
    back = chance.random() < 1 / 8
    first, last = (turn, "") if chance.random() < 1 / 2 else ("", turn)
    most = _farthest(s, unit, turned if first else s.at[unit], back)
    if not most:
        return Move(unit, first=turn)
    length = most if chance.random() < 2 / 3 else 1 + int(chance.random() * most)
    if movement.why_unled(s, unit) is not None:
        return None
    order = Move(unit, length, back, first, last)
    return order if not (last or s.met.get(unit)) or movement.why_cut(s, order) is None else None


def _is_followed(s: State, unit: str) -> bool:
    """Whether a daimyo who touches a unit may go after it and leaves no other one of two stands."""
    return any(daimyo not in s.moved and not _leads_more(s, daimyo, unit) for daimyo in s.daimyos(unit))


def _leads_more(s: State, daimyo: str, but: str = "") -> bool:
    """Whether a daimyo touches units of two stands that he leads, but for one."""
    return any(other in s.led and other != but for other in s.friends(daimyo))


def _random_way(s: State, side: str, unit: str, chance: Chance) -> Go | Follow:
    doubled, b = s.known.doubled, s.at[unit]
    led = [other for other in s.troops(side) if other in doubled and may_reach(s, unit, s.at[other])]
    if led and chance.random() < 3 / 4:
        return Follow(unit, _drawn(led, chance), _drawn(SIDES, chance))
    if _leads_more(s, unit) and chance.random() < 7 / 8:
        return Go(unit, b.x, b.y)
    reach = s.board.units[unit].kind.move * 7 // 10
    x, y = (at - reach + int(chance.random() * (2 * reach + 1)) for at in (b.x, b.y))
    return Go(unit, max(x, 0), max(y, 0), int(chance.random() * 8))


CHAPTER = Chapter(
    kind=str(Step.MOVE),
    prompt=lambda _: "move units and daimyos, and give the later orders of the turn",
    why_not=why_not,
    options=options,
    sample=sample,
    anyone=_anyone,
    carry_out=lambda s, _, order: movement.move(s, order),
    never=why_never,
    done=DONE,
)
"""One move after another (turn_sequence.2)."""
