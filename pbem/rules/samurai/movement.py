"""Movement (movement, daimyos.1): moves of units and daimyos, which are refused and why, and carried out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias

from pbem.errors import Refusal
from pbem.rules.requests import Tell
from pbem.rules.samurai import straight
from pbem.rules.samurai.board import FACINGS, inches
from pbem.rules.samurai.daimyos import beside, comes, following, going, put_out, why_not_follow, why_not_go
from pbem.rules.samurai.geometry import Base, Point, outline, touches
from pbem.rules.samurai.orders import SIDES, Follow, Go, Move, order_words
from pbem.rules.samurai.paths import within
from pbem.rules.samurai.state import ENEMY, State, label

__all__ = [
    "MOVED", "TURNED", "Moving", "end_of", "leads", "move", "rest", "why_cut", "why_not", "why_not_kind",
    "why_not_unit", "why_unled",
]  # fmt: skip

Moving: TypeAlias = Move | Go | Follow
"""The orders of the movement step."""

TURNED, MOVED, FINISHED = "turned", "moved", "done"
"""What a unit has done in its movement step: only turned, only gone straight, all that it may."""


# --- legality ---------------------------------------------------------------------------------------------------------


def why_not_unit(s: State, side: str, unit: str, clause: str = "movement.1") -> Refusal | None:
    """Why a unit takes no orders at all, with the clause of what was ordered where it isn't on the table."""
    u = s.board.units[unit]
    if u.side == side and unit in s.at and unit not in s.routed:
        return None
    name = s.board.describe(unit)
    if u.side != side:
        return Refusal("turn_sequence.1", s.board.belongs(unit))
    if u.bannerman:
        return Refusal("definitions.4", f"{name} is a bannerman: he marks the end of a wing and does nothing else")
    if unit not in s.at:
        how = s.gone.get(unit)
        return Refusal(clause, s.board.left(unit, how) if how else s.board.does(unit, "isn't set up", "aren't set up"))
    return Refusal("morale_check.4", f"{name} are routed: they take no orders")


def why_not(s: State, side: str, order: Moving) -> Refusal | None:
    """Why a unit or daimyo can't make this move."""
    refusal = why_not_unit(s, side, order.unit) or _why_done(s, order) or why_not_kind(s, order)
    if refusal is not None:
        return refusal
    if isinstance(order, Move):
        return _why_not_move(s, order)
    return why_not_go(s, order) if isinstance(order, Go) else why_not_follow(s, order)


def _why_done(s: State, order: Moving) -> Refusal | None:
    """Why a unit or daimyo that has done something in this step can't make such a move any more."""
    done = s.moved.get(order.unit)
    if done is None:
        return None
    if s.board.units[order.unit].daimyo:
        return Refusal("movement.1", f"{s.board.describe(order.unit)} has moved")
    turn = isinstance(order, Move) and (order.first or order.last)
    if done in (FINISHED, MOVED) and (not isinstance(order, Move) or order.length or done == FINISHED or not turn):
        return Refusal("movement.1", f"{s.board.describe(order.unit)} have moved")
    if done == TURNED and turn:
        return Refusal("movement.3", f"{s.board.describe(order.unit)} have turned")
    return None


def why_not_kind(s: State, order: Moving) -> Refusal | None:
    """Why a unit or daimyo makes no such move wherever it stands: not of its kind, with two turns, too long."""
    daimyo, name = s.board.units[order.unit].daimyo, s.board.describe
    if not isinstance(order, Move):
        straight_on = "are no daimyo: they move straight, `move U INCHES`"
        return None if daimyo else Refusal("movement.6", f"{name(order.unit)} {straight_on}")
    if daimyo:
        return Refusal("movement.6", f"{name(order.unit)} goes to a place: write `move U to X Y` or `follow U V`")
    if order.first and order.last:
        return Refusal("movement.3", f"{name(order.unit)} may turn before they move or after, not both")
    if order.length > (most := straight.limit(s, order.unit, back=order.back)):
        far = f"{name(order.unit)} go {inches(most)} inches"
        return Refusal("movement.1", f"{far} back at most" if order.back else f"{far} at most")
    return None


def _why_not_move(s: State, order: Move) -> Refusal | None:
    if order.first:
        turn_base = straight.turned(s, order.unit, order.first)
        why = straight.why_no_room(s, order.unit, turn_base, goes_on=bool(order.length))
        if why is not None:
            what = f"they would lie over {_under(s, order.unit, order.first)}" if why.reason == ENEMY else why.reason
            name = s.board.describe(order.unit)
            return Refusal(why.clause, f"{name} can't turn {order.first}: {what}" + _turns_else(s, order))
    if not order.length:
        return None
    return why_unled(s, order.unit) or why_cut(s, order)


def why_unled(s: State, unit: str) -> Refusal | None:
    """Why a unit of two stands that no daimyo leads, nor has led in this step, can't go anywhere."""
    if not s.doubled(unit) or unit in s.led or s.daimyos(unit):
        return None
    what = "have two stands and no daimyo: they may not move before one touches them"
    return Refusal("daimyos.1", f"{s.board.describe(unit)} {what}")


def _under(s: State, unit: str, way: str) -> str:
    return s.board.describe(s.by_id(s.over(straight.turned(s, unit, way), {unit}))[0])


def _turns_else(s: State, order: Move) -> str:
    """How a unit turns where its own daimyo is in the way; "" where anything else is, it can't go an inch either, or he
    is needed where he is."""
    b = straight.turned(s, order.unit, order.first)
    under, an_inch = s.over(b, {order.unit}), Move(order.unit, 100, last=order.first)
    if order.length or s.stopped(b) or len(under) != 1 or under[0] not in s.daimyos(order.unit) or under[0] in s.moved:
        return ""
    if s.moved.get(order.unit) or why_cut(s, an_inch) is not None or straight.run(s, an_inch).cut:
        return ""
    ends = beside(s, under[0], end_of(s, an_inch)[0])
    end = next((ends[where] for where in SIDES if comes(s, under[0], ends[where], order.unit)), None)
    if end is None or not all(touches(end, s.at[unit]) for unit in _needing(s, under[0]) if unit != order.unit):
        return ""
    by, back = (" ".join(order_words(s.board, way)) for way in (an_inch, Follow(under[0], order.unit)))
    instead = f"`{by}` turns them an inch ahead, and `{back}` brings him after them"
    return f"; {instead}"


def _needing(s: State, daimyo: str) -> list[str]:
    """The units of two stands that no other daimyo leads."""
    return [unit for unit in s.friends(daimyo) if s.doubled(unit) and s.daimyos(unit) == [daimyo]]


def why_cut(s: State, order: Move) -> Refusal | None:
    """Why a move that can be seen to be cut short is refused; one that an enemy ends is a charge."""
    found, name = straight.run(s, order), s.board.describe
    if found.cut and found.cut != ENEMY:
        if not found.steps:
            what = f"can't go {straight.heading(order)}: at once they meet {found.cut}"
            return Refusal(found.clause, f"{name(order.unit)} {what}")
        far = inches(straight.gone(s, order, found))
        return Refusal(found.clause, f"{name(order.unit)} come {far} inches far: they meet {found.cut}")
    _, left_out = straight.end_facing(s, order, found)
    if left_out and left_out.reason != ENEMY:
        return Refusal(left_out.clause, f"{name(order.unit)} can't turn {order.last} there: {left_out.reason}")
    return None


# --- carried out ------------------------------------------------------------------------------------------------------


def move(s: State, order: Moving) -> Iterator[Tell]:
    """Carry a move out and put enemy daimyos out of its way."""
    before, u = s.at[order.unit], s.board.units[order.unit]
    placed: dict[str, Base] = {}
    if isinstance(order, Move):
        end, placed, facts = _straight(s, order)
    else:
        end, facts = _to_place(s, order)
        s.moved = {**s.moved, order.unit: FINISHED}
    if end != before:
        s.put(order.unit, end)
    facts["path"] = [label(before), label(end)]
    facts["facing"], facts["was"], facts["stood"] = FACINGS[end.facing], FACINGS[before.facing], outline(before)
    if s.known.contacts[order.unit] and (found := _touched(s, order.unit)):
        facts["touches"] = found
    yield Tell("move", "movement.6" if u.daimyo else "movement.1", facts)
    if placed:
        yield from put_out(s, order.unit, placed)
    if u.daimyo or s.doubled(order.unit):
        leads(s, u.side)


def _touched(s: State, unit: str) -> list[str]:
    """Whom a unit touches: its enemies, its daimyos; of a daimyo those whom he leads."""
    return [*s.enemies(unit), *(s.friends(unit) if s.board.units[unit].daimyo else s.daimyos(unit))]


def end_of(s: State, order: Moving) -> tuple[Base, dict[str, Base]]:
    """Where a legal move ends, and who is put out of its way."""
    if isinstance(order, Move):
        found = straight.run(s, order)
        return straight.end_facing(s, order, found)[0], found.placed
    return _to_place(s, order)[0], {}


def _straight(s: State, order: Move) -> tuple[Base, dict[str, Base], dict[str, Any]]:
    """Where a straight move ends, who is put out of its way, and what is told of it."""
    found = straight.run(s, order)
    end, left_out = straight.end_facing(s, order, found)
    far = 0 if not found.steps else straight.gone(s, order, found) if found.cut else order.length
    last = "" if left_out else order.last
    facts: dict[str, Any] = {"unit": order.unit, "far": inches(far), "back": order.back}
    facts["first"], facts["last"] = order.first, last
    if found.steps and (slow := straight.slowed(s, order, found)):
        facts["ground"] = inches(slow)
    if found.met:
        facts["met"] = list(found.met)
    if left_out:
        facts |= {"turn": order.last, "left_out": True}
    if found.cut:
        facts["cut"] = True
    s.moved = {**s.moved, order.unit: _mark(s, order, found.cut)}
    return end, found.placed, facts


def _to_place(s: State, order: Go | Follow) -> tuple[Base, dict[str, Any]]:
    """Where a daimyo ends, and what is told of it."""
    if isinstance(order, Go):
        end, cut = going(s, order)
        return end, {"unit": order.unit, "cut": True} if cut else {"unit": order.unit}
    where = following(s, order)
    return s.at[order.unit] if where is None else where[1], {"unit": order.unit, "follows": order.leader}


def _mark(s: State, order: Move, cut: str) -> str:
    """What a unit has done with this move: it may still turn, or still go straight."""
    if not order.length:
        return FINISHED if s.moved.get(order.unit) or not order.first else TURNED
    whole = order.first or order.last or s.moved.get(order.unit) or cut
    return FINISHED if whole else MOVED


def leads(s: State, side: str) -> None:
    """Note the units of two stands that a daimyo touches now (daimyos.1)."""
    s.led |= s.known.doubled & s.escorted(side)


def rest(s: State, side: str, order: Moving) -> tuple[Moving, tuple[Tell, ...]] | None:
    """What is left of a move that dice have made illegal: as far as it can go, without the last turn; none without
    its first turn, without which it would go elsewhere."""
    if why_not_unit(s, side, order.unit) is not None or isinstance(order, Follow):
        return None
    if isinstance(order, Go):
        return _rest_of_way(s, order)
    left, part = order, ""
    turn = straight.turned(s, order.unit, order.first)
    if order.first and straight.why_no_room(s, order.unit, turn, goes_on=bool(order.length)):
        left, part = Move(order.unit), "their turn and their way"
    elif order.length:
        found = straight.run(s, order)
        if found.cut and found.cut != ENEMY:
            far, part = straight.gone(s, order, found), "the rest of their way" if found.steps else "their way"
            left = Move(order.unit, far, order.back and found.steps > 0, order.first)
        elif straight.end_facing(s, order, found)[1]:
            left, part = Move(order.unit, order.length, order.back, order.first), "their last turn"
    refusal = why_not(s, side, order)
    if left == order or refusal is None or why_not(s, side, left) is not None:
        return None
    return left, (_shortened(s, order, refusal, part),)


def _rest_of_way(s: State, order: Go) -> tuple[Go, tuple[Tell, ...]] | None:
    """A daimyo's way as far as he can go."""
    refusal = why_not_go(s, order)
    if refusal is None or not within(
        s.at[order.unit], Point(order.x, order.y), s.board.units[order.unit].kind.move, s.board.slows
    ):
        return None
    end, _ = going(s, order)
    left = Go(order.unit, end.x, end.y, end.facing)
    if (end.x, end.y) == (s.at[order.unit].x, s.at[order.unit].y) or why_not_go(s, left) is not None:
        return None
    return left, (_shortened(s, order, refusal, "the rest of his way"),)


def _shortened(s: State, order: Move | Go, refusal: Refusal, part: str) -> Tell:
    facts = {"unit": order.unit, "order": " ".join(order_words(s.board, order)), "part": part}
    return Tell("drop", refusal.clause, facts | {"reason": refusal.reason})
