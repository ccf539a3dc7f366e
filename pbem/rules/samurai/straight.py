"""Straight moves of units, with a turn first or last: how far they come, what they stop before, why they can't turn."""

from __future__ import annotations

from collections.abc import Collection
from math import isqrt
from typing import Any

from pbem.errors import Refusal
from pbem.records import NamedTuple
from pbem.rules.samurai.daimyos import barrier, pushed, stranger
from pbem.rules.samurai.geometry import Base, overlap, spans, swept
from pbem.rules.samurai.ground import ahead
from pbem.rules.samurai.known import TOUCHING
from pbem.rules.samurai.orders import LEFT, Move
from pbem.rules.samurai.paths import extra_steps, last_on_table, place, reach, steps_of
from pbem.rules.samurai.state import ENEMY, State

__all__ = [
    "Run", "begun", "end_facing", "go", "gone", "has_room", "heading", "length_of", "limit", "run", "slowed", "turned",
    "why_no_room",
]  # fmt: skip


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


UNKNOWN = Refusal("", "")
"""What is found where nobody has looked yet whether there is room."""


def limit(s: State, unit: str, *, back: bool) -> int:
    """How far a unit may go: back half as far."""
    most = s.board.units[unit].kind.move  # movement.4
    return most // 2 if back else most


def turned(s: State, unit: str, way: str) -> Base:
    """The base of a unit after a turn of 45 degrees about its centre (movement.3)."""
    if not way:
        return s.at[unit]
    places, key = s.known.found, ("turned", unit, way)
    found: Base | None = places.get(key)
    if found is None:
        b = s.at[unit]
        places[key] = found = s.size(unit).at(b.x, b.y, (b.facing + (-1 if way == LEFT else 1)) % 8)
    return found


def go(s: State, unit: str, b: Base, length: int, *, back: bool = False) -> Run:
    """The straight move of a base of a unit in its facing, or back, by hundredths of an inch."""
    if not length:
        return Run(b, 0, 0, "", (), {})
    places, key = s.known.found, ("straight", unit, b, length, back, s.met.get(unit))
    found: Run | None = places.get(key)
    if found is None:
        places[key] = found = _straight_run(s, unit, b, (b.facing + 4) % 8 if back else b.facing, length, places)
    return found


def _straight_run(s: State, unit: str, b: Base, way: int, length: int, places: dict[object, Any]) -> Run:
    steps = steps_of(length, way)
    ordered = reach(steps, ahead(s.board, b, way).double) if s.board.slows else steps
    free, key = not s.met.get(unit), ("clear", unit, b, way)
    if free and ordered <= places.get(key, -1):
        return Run(place(b, way, ordered), ordered, ordered, "", (), {})
    stuck: set[str] = set()
    while True:
        found, loose = _stop(s, unit, b, way, ordered, stuck)
        if not loose:
            if free and not stuck:
                places[key] = found.steps  # as far and less far there is nothing in its way
            return found
        under = [other for other in loose if overlap(found.end, s.at[other])]
        placed, who = pushed(s, unit, found.end, under) if under else ({}, None)
        if who is None:
            return found._replace(placed=placed)
        stuck.add(who)  # he is an obstacle after all


def _stop(s: State, unit: str, b: Base, way: int, ordered: int, stuck: Collection[str]) -> tuple[Run, list[str]]:
    """The last free step of a straight move, and what it stops before; the attached daimyos whom it doesn't heed."""
    board = s.board
    side = board.units[unit].side
    stops: list[tuple[int, str, str]] = []
    loose: list[str] = []
    within = west, east, south, north = swept(b, way, ordered)
    if west < 0 or east > board.width or south < 0 or north > board.depth:
        stops.append((last_on_table(b, way, board.width, board.depth), "the edge of the table", ""))
    for h, other in s.known.ahead(unit, b, way, ordered, within):
        u = board.units[other]
        if u.side == side:
            stops.append((h - 1, board.describe(other), other))
        elif u.daimyo and other not in stuck and not s.lone(other):
            loose.append(other)  # daimyos.5
        else:
            stops.append((h - 1, ENEMY, other))
    if board.walls and (walls := ahead(board, b, way).walls):
        stops += [(h - 1, piece.name, piece.id) for h, piece in walls if h <= ordered]
    steps, cut = ordered, ""
    enemies: tuple[str, ...] = ()
    if stops:
        steps = min(stops)[0]
        here = [(what, who) for step, what, who in stops if step == steps]
        enemies = tuple(s.by_id([who for what, who in here if what == ENEMY]))
        cut = ENEMY if enemies else min(here)[0]
    if s.met.get(unit):
        held = _hold_back(s, unit, b, way, steps)
        if held < steps:
            other = stranger(s, unit, place(b, way, held + 1))
            return Run(place(b, way, held), held, ordered, other, (), {}, "movement.5b"), loose
    return Run(place(b, way, steps), steps, ordered, cut, enemies, {}), loose


def _hold_back(s: State, unit: str, b: Base, way: int, steps: int) -> int:
    """The last step at which a unit touches no enemies but those that it touched as the movement step began."""
    if not _strangers_near(s, unit, b, place(b, way, steps)):
        return steps
    while steps > 0 and not s.obeys(unit, place(b, way, steps)):
        steps -= 1
    return steps


def _strangers_near(s: State, unit: str, start: Base, end: Base) -> bool:
    """Whether any enemy whom it didn't touch then may be touched on a unit's way between two places."""
    x, y, _, _ = spans(start.facing, start.hw, start.hd)
    west, east = min(start.x, end.x) - x - TOUCHING, max(start.x, end.x) + x + TOUCHING
    south, north = min(start.y, end.y) - y - TOUCHING, max(start.y, end.y) + y + TOUCHING
    enemy, met = s.board.enemy[s.board.units[unit].side], s.met.get(unit, ())
    return any(s.board.units[o].side == enemy and o not in met for o, _ in s.near(west, east, south, north))


def run(s: State, order: Move) -> Run:
    """What a move comes to, but for its last turn; only asked where the first one is possible."""
    return go(s, order.unit, turned(s, order.unit, order.first), order.length, back=order.back)


def end_facing(s: State, order: Move, found: Run) -> tuple[Base, Refusal | None]:
    """The base at the end of a move with its last turn, and why the turn is left out; None where it isn't."""
    if not order.last:
        return found.end, None
    if found.steps < found.ordered:
        return found.end, Refusal(found.clause, ENEMY if found.cut == ENEMY else "the move is cut short")
    way = (found.end.facing + (-1 if order.last == LEFT else 1)) % 8
    b = s.size(order.unit).at(found.end.x, found.end.y, way)
    return (b, None) if (why := why_no_room(s, order.unit, b, found.placed)) is None else (found.end, why)


def has_room(s: State, unit: str, b: Base) -> bool:
    """Whether a unit can turn so that its base lies there and stays so: `why_no_room` without the reason."""
    return s.free(b, (unit,)) and (unit not in s.met or s.obeys(unit, b))


def why_no_room(
    s: State, unit: str, b: Base, placed: dict[str, Base] | None = None, *, goes_on: bool = False
) -> Refusal | None:
    """Why a unit can't turn so that its base lies there, ENEMY where one does; of one that `goes_on` its end counts."""
    why: Refusal | None
    if placed:
        why = _why_no_room(s, unit, b, placed)
    else:
        places, key = s.known.found, ("room", unit, b)
        why = places.get(key, UNKNOWN)
        if why is UNKNOWN:
            places[key] = why = _why_no_room(s, unit, b, {})
    if why is not None or goes_on or unit not in s.met or s.obeys(unit, b):
        return why
    return Refusal("movement.5b", f"they would touch {stranger(s, unit, b)}")


def _why_no_room(s: State, unit: str, b: Base, placed: dict[str, Base]) -> Refusal | None:
    """Why a unit's base can't lie there: over something, or not on the table."""
    if s.stopped(b):
        return Refusal("movement.3", f"they would lie over {barrier(s, b)}")
    under = s.over(b, {unit, *placed} if placed else (unit,))
    if placed:
        under += (who for who, o in placed.items() if overlap(b, o))
    if not under:
        return None
    side = s.board.units[unit].side
    friends = s.by_id(other for other in under if s.board.units[other].side == side)
    return Refusal("movement.3", f"they would lie over {s.board.describe(friends[0])}" if friends else ENEMY)


# --- lengths ----------------------------------------------------------------------------------------------------------


def heading(order: Move) -> str:
    """Whether a move goes ahead or back, in a word."""
    return "back" if order.back else "ahead"


def gone(s: State, order: Move, found: Run) -> int:
    """The least length to order for so many steps, those in difficult ground counted twice."""
    return length_of(s, *begun(s, order), found.steps)


def length_of(s: State, b: Base, way: int, steps: int) -> int:
    """The least length of so many steps of a base, those in difficult ground counted twice."""
    return _length(way, steps + (extra_steps(steps, ahead(s.board, b, way).double) if s.board.slows else 0))


def slowed(s: State, order: Move, found: Run) -> int:
    """The length on the table of a move that difficult ground makes longer than that to order; 0 of any other."""
    if not s.board.slows:
        return 0
    b, way = begun(s, order)
    return _length(way, found.steps) if extra_steps(found.steps, ahead(s.board, b, way).double) else 0


def begun(s: State, order: Move) -> tuple[Base, int]:
    """How a unit stands as it goes, and in which direction."""
    b = turned(s, order.unit, order.first)
    return b, (b.facing + 4) % 8 if order.back else b.facing


def _length(way: int, steps: int) -> int:
    return steps if way % 2 == 0 or steps == 0 else isqrt(2 * steps * steps - 1) + 1
