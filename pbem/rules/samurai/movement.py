"""Movement (movement, daimyos.1): straight moves with one turn, daimyos' ways; what stops them and what is refused."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from math import isqrt
from typing import Any, NamedTuple, TypeAlias

from pbem.errors import Refusal
from pbem.rules.requests import Tell
from pbem.rules.samurai.board import FACINGS, Board, inches
from pbem.rules.samurai.daimyos import following, going, pushed, put_out, why_not_follow, why_not_go
from pbem.rules.samurai.geometry import DIRECTIONS, Base, Point, outline, overlap, spans
from pbem.rules.samurai.orders import LEFT, Follow, Go, Move, order_words
from pbem.rules.samurai.paths import (
    Range,
    extra_steps,
    first_overlap,
    last_on_table,
    over,
    place,
    reach,
    steps_of,
    within,
)
from pbem.rules.samurai.state import ENEMY, State, label

__all__ = [
    "MOVED", "TURNED", "Moving", "Run", "end_facing", "end_of", "gone", "leads", "length_of", "limit", "move", "rest",
    "run", "straight", "turned", "why_no_room", "why_not", "why_not_unit",
]  # fmt: skip

Moving: TypeAlias = Move | Go | Follow
"""The orders of the movement step."""

OTHER = "an enemy not touched before"
"""What ends a move that would come to one (movement.5b)."""

TURNED, MOVED, FINISHED = "turned", "moved", "done"
"""What a unit has done in its movement step: only turned, only gone straight, all that it may."""


class Run(NamedTuple):
    """A straight move: where it ends, after how many steps of those ordered, what ends it, who is put out of its way.

    cut     "" where it goes as far as it was ordered, `enemy`, else what it would run into
    met     the enemies before whom it stops
    clause  by which it is cut: movement.1, movement.5b
    """

    end: Base
    steps: int
    ordered: int
    cut: str
    met: tuple[str, ...]
    placed: dict[str, Base]
    clause: str = "movement.1"


# --- questions --------------------------------------------------------------------------------------------------------


def limit(s: State, unit: str, *, back: bool) -> int:
    """How far a unit may go: back half as far."""
    most = s.board.units[unit].kind.move  # movement.4
    return most // 2 if back else most


def turned(s: State, unit: str, way: str) -> Base:
    """The base of a unit after a turn of 45 degrees about its centre (movement.3)."""
    if not way:
        return s.at[unit]
    places, key = s.known.found, ("turned", unit, way)
    if key not in places:
        b = s.at[unit]
        places[key] = s.size(unit).at(b.x, b.y, (b.facing + (-1 if way == LEFT else 1)) % 8)
    found: Base = places[key]
    return found


def straight(s: State, unit: str, b: Base, length: int, *, back: bool = False) -> Run:
    """The straight move of a base of a unit in its facing, or back, by hundredths of an inch."""
    places, key = s.known.found, ("straight", unit, b, length, back, s.met.get(unit))
    if key not in places:
        places[key] = _straight_run(s, unit, b, (b.facing + 4) % 8 if back else b.facing, length, places)
    found: Run = places[key]
    return found


@lru_cache(4096)
def _double(board: Board, b: Base, way: int) -> Sequence[Range]:
    """The steps after which a base lies over difficult ground: kept, as what lies on a table stays there all game."""
    return tuple(r for ground in board.slows if (r := over(b, way, ground)) is not None)


def _straight_run(s: State, unit: str, b: Base, way: int, length: int, places: dict[object, Any]) -> Run:
    steps = steps_of(length, way)
    ordered = reach(steps, _double(s.board, b, way))
    key = ("clear", unit, b, way)
    if ordered <= places.get(key, -1) and not s.met.get(unit):
        return Run(place(b, way, ordered), ordered, ordered, "", (), {})
    stuck: set[str] = set()
    while True:
        found, loose = _stop(s, unit, b, way, ordered, stuck)
        if not loose and not stuck and not s.met.get(unit):
            places[key] = found.steps  # as far and less far there is nothing in its way
        there = place(b, way, found.steps)
        under = [other for other in loose if overlap(there, s.at[other])]
        placed, who = pushed(s, unit, there, under) if under else ({}, None)
        if who is None:
            return Run(there, found.steps, ordered, found.cut, found.met, placed, found.clause)
        stuck.add(who)  # he is an obstacle after all


def _stop(s: State, unit: str, b: Base, way: int, ordered: int, stuck: Collection[str]) -> tuple[Run, list[str]]:
    """The last free step of a straight move, and what it stops before; the attached daimyos whom it doesn't heed."""
    board = s.board
    last = min(ordered, last_on_table(b, way, board.width, board.depth))
    stops: list[tuple[int, str, str]] = [] if last == ordered else [(last, "the edge of the table", "")]
    loose: list[str] = []
    side = board.units[unit].side
    for h, other in _ahead(s, unit, b, way, ordered):
        if h > ordered:
            continue
        u = board.units[other]
        if u.side != side and u.daimyo and other not in stuck and not s.lone(other):
            loose.append(other)  # daimyos.5
        else:
            stops.append((h - 1, board.describe(other) if u.side == side else ENEMY, other))
    if board.stops:
        walls = [piece for piece in board.pieces.values() if board.ground[piece.kind].stops]
        met = [(first_overlap(b, way, piece.base), piece) for piece in walls]
        stops += [(h - 1, piece.name, piece.id) for h, piece in met if h is not None and h <= ordered]
    if not stops and not s.met.get(unit):
        return Run(b, ordered, ordered, "", (), {}), loose
    steps = min((step for step, _, _ in stops), default=ordered)
    here = [(what, who) for step, what, who in stops if step == steps]
    enemies = tuple(s.by_id(who for what, who in here if what == ENEMY))
    cut = ENEMY if enemies else min((what for what, _ in here), default="")
    if s.met.get(unit):
        held = _hold_back(s, unit, b, way, steps)
        if held < steps:
            return Run(b, held, ordered, OTHER, (), {}, "movement.5b"), loose
    return Run(b, steps, ordered, cut, enemies, {}), loose


def _ahead(s: State, unit: str, b: Base, way: int, steps: int) -> list[tuple[int, str]]:
    """After how many steps a base first lies over whom, for so many and for all that its unit may go at once."""
    steps = max(steps, steps_of(s.board.units[unit].kind.move, way))
    places, key = s.known.found, ("ahead", unit, b, way, steps)
    if key not in places:
        dx, dy = steps * DIRECTIONS[way][0], steps * DIRECTIONS[way][1]
        x, y, _, _ = spans(b.facing, b.hw, b.hd)
        near = s.near(b.x - x + min(dx, 0), b.x + x + max(dx, 0), b.y - y + min(dy, 0), b.y + y + max(dy, 0))
        met = ((first_overlap(b, way, o), other) for other, o in near if other != unit)
        places[key] = [(h, other) for h, other in met if h is not None]
    found: list[tuple[int, str]] = places[key]
    return found


def _hold_back(s: State, unit: str, b: Base, way: int, steps: int) -> int:
    """The last step at which a unit touches no enemies but those that it touched as the movement step began."""
    while steps > 0 and not s.obeys(unit, place(b, way, steps)):
        steps -= 1
    return steps


def run(s: State, order: Move) -> Run:
    """What a move comes to, but for its last turn; only asked where the first one is possible."""
    return straight(s, order.unit, turned(s, order.unit, order.first), order.length, back=order.back)


def end_facing(s: State, order: Move, found: Run) -> tuple[Base, Refusal | None]:
    """The base at the end of a move with its last turn, and why the turn is left out; None where it isn't."""
    if not order.last:
        return found.end, None
    if found.steps < found.ordered:
        return found.end, Refusal(found.clause, ENEMY if found.cut == ENEMY else "the move is cut short")
    way = (found.end.facing + (-1 if order.last == LEFT else 1)) % 8
    b = s.size(order.unit).at(found.end.x, found.end.y, way)
    return (b, None) if (why := why_no_room(s, order.unit, b, found.placed)) is None else (found.end, why)


def why_no_room(
    s: State, unit: str, b: Base, placed: dict[str, Base] | None = None, *, goes_on: bool = False
) -> Refusal | None:
    """Why a unit can't turn so that its base lies there, ENEMY where one does; of one that `goes_on` its end counts."""
    why: Refusal | None
    if placed:
        why = _why_no_room(s, unit, b, placed)
    else:
        places, key = s.known.found, ("room", unit, b)
        if key not in places:
            places[key] = _why_no_room(s, unit, b, {})
        why = places[key]
    if why is not None or goes_on or s.obeys(unit, b):
        return why
    return Refusal("movement.5b", f"they would touch {OTHER}")


def _why_no_room(s: State, unit: str, b: Base, placed: dict[str, Base]) -> Refusal | None:
    """Why a unit's base can't lie there: over something, or not on the table."""
    if s.stopped(b):
        return Refusal("movement.3", "there is no room on the table for that")
    under = [*s.over(b, {unit, *placed}), *(who for who, o in placed.items() if overlap(b, o))]
    if not under:
        return None
    side = s.board.units[unit].side
    friends = s.by_id(other for other in under if s.board.units[other].side == side)
    return Refusal("movement.3", f"they would lie over {s.board.describe(friends[0])}" if friends else ENEMY)


# --- legality ---------------------------------------------------------------------------------------------------------


def why_not_unit(s: State, side: str, unit: str) -> Refusal | None:
    """Why a unit can't be ordered to move at all."""
    u = s.board.units[unit]
    if u.side == side and unit in s.at and unit not in s.routed:
        return None
    name = s.board.describe(unit)
    if u.side != side:
        return Refusal("turn_sequence.1", s.board.belongs(unit))
    if u.bannerman:
        return Refusal("definitions.4", f"{name} is a bannerman: he marks the end of a wing and does nothing else")
    if unit not in s.at:
        gone = unit in s.gone
        return Refusal(
            "movement.1", s.board.left(unit) if gone else s.board.does(unit, "isn't set up", "aren't set up")
        )
    return Refusal("morale_check.4", f"{name} are routed: they take no orders")


def why_not(s: State, side: str, order: Moving) -> Refusal | None:
    """Why a unit or daimyo can't make this move."""
    refusal = why_not_unit(s, side, order.unit)
    if refusal is not None:
        return refusal
    name = s.board.describe(order.unit)
    done = s.moved.get(order.unit, "")
    if s.board.units[order.unit].daimyo:
        if done:
            return Refusal("movement.1", f"{name} has moved")
        if isinstance(order, Move):
            return Refusal("movement.6", f"{name} goes to a place: write `move U to X Y` or `follow U V`")
        return why_not_go(s, order) if isinstance(order, Go) else why_not_follow(s, order)
    if isinstance(order, Move):
        return _why_not_move(s, order, done, name)
    return Refusal("movement.6", f"{name} are no daimyo: they move straight, `move U INCHES`")


def _why_not_move(s: State, order: Move, done: str, name: str) -> Refusal | None:
    turn = order.first or order.last
    if done in (FINISHED, MOVED) and (order.length or done == FINISHED or not turn):
        return Refusal("movement.1", f"{name} have moved")
    if done == TURNED and turn:
        return Refusal("movement.3", f"{name} have turned")
    if order.first and order.last:
        return Refusal("movement.3", f"{name} may turn before they move or after, not both")
    turn_base = turned(s, order.unit, order.first)
    if order.first and (why := why_no_room(s, order.unit, turn_base, goes_on=bool(order.length))):
        under = why.reason == ENEMY
        what = f"they would lie over {_under(s, order.unit, order.first)}" if under else why.reason
        return Refusal(why.clause, f"{name} can't turn {order.first}: {what}")
    if not order.length:
        return None
    if order.length > (most := limit(s, order.unit, back=order.back)):
        back = " back" if order.back else ""
        return Refusal("movement.1", f"{name} go {inches(most)} inches{back} at most")
    if s.doubled(order.unit) and order.unit not in s.led and not s.daimyos(order.unit):
        return Refusal("daimyos.1", f"{name} have two stands and no daimyo: they may not move before one touches them")
    return _why_cut(s, order, name)


def _under(s: State, unit: str, way: str) -> str:
    return s.board.describe(s.by_id(s.over(turned(s, unit, way), {unit}))[0])


def _why_cut(s: State, order: Move, name: str) -> Refusal | None:
    """Why a move that can be seen to be cut short is refused; one that an enemy ends is a charge."""
    found = run(s, order)
    if found.cut and found.cut != ENEMY:
        if not found.steps:
            return Refusal(found.clause, f"{name} can't go {heading(order)}: they meet {found.cut} at once")
        far = inches(gone(s, order, found))
        return Refusal(found.clause, f"{name} come {far} inches far: then they meet {found.cut}")
    _, left_out = end_facing(s, order, found)
    if left_out and left_out.reason != ENEMY:
        return Refusal(left_out.clause, f"{name} can't turn {order.last} there: {left_out.reason}")
    return None


def heading(order: Move) -> str:
    """Whether a move goes ahead or back, in a word."""
    return "back" if order.back else "ahead"


def gone(s: State, order: Move, found: Run) -> int:
    """The least length to order for so many steps, those in difficult ground counted twice."""
    return length_of(s, *_begun(s, order), found.steps)


def length_of(s: State, b: Base, way: int, steps: int) -> int:
    """The least length of so many steps of a base, those in difficult ground counted twice."""
    return _length(way, steps + extra_steps(steps, _double(s.board, b, way)))


def slowed(s: State, order: Move, found: Run) -> int:
    """The length on the table of a move that difficult ground makes longer than that to order; 0 of any other."""
    if not s.board.slows:
        return 0
    b, way = _begun(s, order)
    return _length(way, found.steps) if extra_steps(found.steps, _double(s.board, b, way)) else 0


def _begun(s: State, order: Move) -> tuple[Base, int]:
    """How a unit stands as it goes, and in which direction."""
    b = turned(s, order.unit, order.first)
    return b, (b.facing + 4) % 8 if order.back else b.facing


def _length(way: int, steps: int) -> int:
    return steps if way % 2 == 0 or steps == 0 else isqrt(2 * steps * steps - 1) + 1


# --- carried out ------------------------------------------------------------------------------------------------------


def move(s: State, order: Moving) -> Iterator[Tell]:
    """Carry a move out and put enemy daimyos out of its way."""
    before, u = s.at[order.unit], s.board.units[order.unit]
    placed: dict[str, Base] = {}
    if isinstance(order, Move):
        end, placed, facts = _straight(s, order)
    else:
        end, facts = _to_place(s, order)
        s.moved[order.unit] = FINISHED
    s.put(order.unit, end)
    facts |= {"path": [label(before), label(end)], "facing": FACINGS[end.facing], "was": FACINGS[before.facing]}
    facts["stood"] = outline(before)
    yield Tell("move", "movement.6" if u.daimyo else "movement.1", {"unit": order.unit, **facts})
    if placed:
        yield from put_out(s, order.unit, placed)
    if u.daimyo or s.doubled(order.unit):
        leads(s, u.side)


def end_of(s: State, order: Moving) -> tuple[Base, dict[str, Base]]:
    """Where a legal move ends, and who is put out of its way."""
    if isinstance(order, Move):
        found = run(s, order)
        return end_facing(s, order, found)[0], found.placed
    return _to_place(s, order)[0], {}


def _straight(s: State, order: Move) -> tuple[Base, dict[str, Base], dict[str, Any]]:
    """Where a straight move ends, who is put out of its way, and what is told of it."""
    found = run(s, order)
    end, left_out = end_facing(s, order, found)
    far = 0 if not found.steps else gone(s, order, found) if found.cut else order.length
    facts: dict[str, Any] = {"far": inches(far), "back": order.back}
    facts |= {"first": order.first, "last": "" if left_out else order.last}
    facts |= {"ground": inches(slow)} if (slow := slowed(s, order, found)) else {}
    facts |= {"met": list(found.met)} if found.met else {}
    facts |= {"turn": order.last, "left_out": True} if left_out else {}
    facts |= {"cut": True} if found.cut else {}
    s.moved[order.unit] = _mark(s, order, found.cut)
    return end, found.placed, facts


def _to_place(s: State, order: Go | Follow) -> tuple[Base, dict[str, Any]]:
    """Where a daimyo ends, and what is told of it."""
    if isinstance(order, Go):
        end, cut = going(s, order)
        return end, {"cut": True} if cut else {}
    where = following(s, order)
    return s.at[order.unit] if where is None else where[1], {"follows": order.leader}


def _mark(s: State, order: Move, cut: str) -> str:
    """What a unit has done with this move: it may still turn, or still go straight."""
    if not order.length:
        return FINISHED if s.moved.get(order.unit) or not order.first else TURNED
    whole = order.first or order.last or s.moved.get(order.unit) or cut
    return FINISHED if whole else MOVED


def leads(s: State, side: str) -> None:
    """Note the units of two stands that a daimyo touches now (daimyos.1)."""
    doubled = s.known.doubled
    for daimyo in s.all_daimyos(side):
        s.led |= doubled.intersection(s.friends(daimyo))


def rest(s: State, side: str, order: Moving) -> tuple[Moving, tuple[Tell, ...]] | None:
    """What is left of a move that dice have made illegal: as far as it can go, without the last turn; none without
    its first turn, without which it would go elsewhere."""
    if why_not_unit(s, side, order.unit) is not None or isinstance(order, Follow):
        return None
    if isinstance(order, Go):
        return _rest_of_way(s, order)
    left, part = order, ""
    turn = turned(s, order.unit, order.first)
    if order.first and why_no_room(s, order.unit, turn, goes_on=bool(order.length)):
        left, part = Move(order.unit), "their turn and their way"
    elif order.length:
        found = run(s, order)
        if found.cut and found.cut != ENEMY:
            left, part = Move(order.unit, gone(s, order, found), order.back, order.first), "the rest of their way"
            left = left if found.steps else Move(order.unit, first=order.first)
        elif end_facing(s, order, found)[1]:
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
