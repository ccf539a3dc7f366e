"""Retreat, rout and cavalry going back: which steps are open, what they cost, who surrenders (std-7.6, rc-retreat).

A step is *legal* when the stack may make it at all. It is *open* when as many hexes as were chosen can still be made
behind it, to an end far enough from the hex that was left; where no legal step is, the steps from which so many hexes
can be made are open, where none is, those with the longest way (std-7.6-8).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, partial
from typing import TypeAlias

from pbem.errors import Refusal
from pbem.maps.hexes import Hex, distance
from pbem.records import NamedTuple
from pbem.rules.gcacw.entering import entered
from pbem.rules.gcacw.harm import suffer
from pbem.rules.gcacw.holds import closed
from pbem.rules.gcacw.leaders import meet, settle
from pbem.rules.gcacw.orders import FallBack, Path
from pbem.rules.gcacw.state import State
from pbem.rules.gcacw.tables import Length
from pbem.rules.gcacw.zones import in_zone, links, near
from pbem.rules.kit.asking import only
from pbem.rules.kit.standing import preferences
from pbem.rules.requests import Activity, Choose, Tell, Words

__all__ = ["RETREAT", "Flight", "can_retreat", "default_way", "flight", "retreat", "ways", "why_not"]

RETREAT = "retreat"
"""The keyword of the standing order that says how far and where to: `retreat U|any N|HEX ...`."""

FARTHER, OFF_ROAD, NO_FARTHER, INTO_ZONE = 1, 2, 3, 3
"""The classes of a step; into an enemy zone of control each is so much worse (std-7.6-2)."""


class Flight(NamedTuple):
    """A stack that goes back: its counters and hex, from whom, how far; `why` is retreat, rout or cavalry."""

    side: str
    units: tuple[str, ...]
    start: Hex
    away: tuple[Hex, ...]
    length: Length
    why: str
    barred: frozenset[Hex]
    """Hexes closed to one of them."""


def flight(s: State, h: Hex, side: str, away: Sequence[Hex], why: str) -> Flight:
    """The flight of all counters of a side in a hex, leaders too (std-7.6-1)."""
    units = tuple(u for u in s.stands.get(h, ()) if s.board.units[u].side == side)
    barred = frozenset[Hex]().union(*(closed(s, unit) for unit in units))
    return Flight(side, units, h, tuple(away), s.board.tables.retreat[why], why, barred)


# --- steps ------------------------------------------------------------------------------------------------------------


def _legal(s: State, f: Flight, gone: Path) -> list[Hex]:
    """The hexes to which a stack that has gone these, its start first, may step at all (std-7.6-4)."""
    enemy = s.board.enemy[f.side]
    return [h for h in near(s, f.side, gone[-1]) if h not in gone and h not in f.barred and s.holder(h) != enemy]


def _far(f: Flight, h: Hex) -> int:
    """How far a hex is from the nearest attacking hex."""
    return min(distance(a, h) for a in f.away)


def _can_make(s: State, f: Flight, gone: Path, hexes: int, least: int) -> bool:
    """Whether so many more hexes can be made, to an end at least so far from the hex that was left."""
    if distance(f.start, gone[-1]) + hexes < least:
        return False
    if not hexes:
        return True
    return any(_can_make(s, f, (*gone, h), hexes - 1, least) for h in _legal(s, f, gone))


def _longest(s: State, f: Flight, gone: Path, most: int) -> int:
    """How many more hexes can be made, `most` at most."""
    best = 0
    for h in _legal(s, f, gone) if most else ():
        best = max(best, 1 + _longest(s, f, (*gone, h), most - 1))
        if best == most:
            break
    return best


def _open(s: State, f: Flight, gone: Path, hexes: int) -> list[Hex]:
    """The open steps of a stack with so many hexes still to go (std-7.6-8)."""
    legal = _legal(s, f, gone)
    for least in (f.length.least, 0):
        found = [h for h in legal if _can_make(s, f, (*gone, h), hexes - 1, least)]
        if found:
            return found
    reached = {h: _longest(s, f, (*gone, h), hexes - 1) for h in legal}
    return [h for h in legal if reached[h] == max(reached.values())]


def _class(s: State, f: Flight, here: Hex, h: Hex) -> int:
    """The class of a step, the lowest the best (std-7.6-2)."""
    found = NO_FARTHER if _far(f, h) <= _far(f, here) else FARTHER if links(s, here, h) else OFF_ROAD
    return found + (INTO_ZONE if in_zone(s, f.side, h, friends=True) else 0)


def _rank(s: State, f: Flight, here: Hex, h: Hex) -> tuple[int, int, tuple[int, int]]:
    """By what a step is chosen where its owner says nothing: class, distance, number."""
    return _class(s, f, here, h), -_far(f, h), s.board.order(h)


class _Step(NamedTuple):
    """What a step costs manpower for: a zone of control entered, a class that wasn't the best."""

    zone: bool
    worse: bool


Steps: TypeAlias = tuple[_Step, ...]


def _cost(s: State, f: Flight, step: _Step) -> int:
    """The manpower that a step costs (std-7.6-2, std-7.6-3)."""
    return f.length.zone * step.zone + s.board.tables.override * step.worse


def _steps(s: State, f: Flight, path: Path, hexes: int) -> Steps | Refusal:
    """What the steps of a way cost manpower for that is chosen so long, or why it can't be gone."""
    found: Steps = ()
    gone: Path = (f.start,)
    for h in path:
        steps = _open(s, f, gone, hexes - len(gone) + 1)
        if h not in steps:
            return _why_no_step(s, f, gone, h)
        worse = _class(s, f, gone[-1], h) > min(_class(s, f, gone[-1], n) for n in steps)
        found = (*found, _Step(in_zone(s, f.side, h, friends=True), worse))
        gone = (*gone, h)
    if len(path) < hexes and _legal(s, f, gone):
        return Refusal("std-7.5-7", f"{hexes} hexes are to be gone, and the way has {len(path)}")
    return found


def _why_no_step(s: State, f: Flight, gone: Path, h: Hex) -> Refusal:
    """Why a step isn't open."""
    place = s.board.place(h)
    if h not in s.board.ground.near[gone[-1]]:
        return Refusal("std-7.6-1", f"{place} isn't adjacent to {s.board.place(gone[-1])}")
    if h not in _legal(s, f, gone):
        return Refusal("std-7.6-4", f"the stack can't retreat to {place}")
    return Refusal("std-7.6-8", f"from {place} the hexes that are to be gone can't be made")


def _judged(s: State, f: Flight, path: Path) -> Steps | Refusal:
    """What the steps of a way cost, as the cheapest length has it that fits, or why it can't be gone."""
    if not path:
        return Refusal("std-7.5-7", "name the hexes of the way")
    if len(path) > f.length.most:
        return Refusal("std-7.5-7", f"{f.length.least} to {f.length.most} hexes are gone, not {len(path)}")
    if len(set(path)) < len(path) or f.start in path:
        return Refusal("std-7.6-8", "no hex is entered twice")
    judged = [_steps(s, f, path, hexes) for hexes in range(max(f.length.least, len(path)), f.length.most + 1)]
    able = [steps for steps in judged if not isinstance(steps, Refusal)]
    return min(able, key=lambda steps: sum(_cost(s, f, step) for step in steps)) if able else judged[0]


def can_retreat(s: State, f: Flight) -> bool:
    """Whether the stack has a first step; without one it surrenders (std-7.6-4)."""
    return bool(_legal(s, f, (f.start,)))


def default_way(s: State, f: Flight, hexes: int) -> Path:
    """The way that is gone where its owner says nothing but how far: at each step the first by class (rc-retreat)."""
    gone: Path = (f.start,)
    for left in range(hexes, 0, -1):
        steps = _open(s, f, gone, left)
        if not steps:
            break
        gone = (*gone, min(steps, key=lambda h: _rank(s, f, gone[-1], h)))
    return gone[1:]


def ways(s: State, f: Flight) -> list[Path]:
    """A way for each end and length without a step that isn't of the best class, the default first."""
    found: dict[tuple[int, Hex], Path] = {}
    for hexes in range(f.length.least, f.length.most + 1):
        for path in _best_ways(s, f, (f.start,), hexes):
            found.setdefault((hexes, path[-1]), path)
    first = default_way(s, f, f.length.least)
    return [*dict.fromkeys([first, *found.values()])] if first else []


def _best_ways(s: State, f: Flight, gone: Path, hexes: int) -> Iterator[Path]:
    """The ways of so many hexes whose steps are all of the best class."""
    steps = sorted(_open(s, f, gone, hexes), key=lambda h: _rank(s, f, gone[-1], h)) if hexes else []
    if not steps:
        if len(gone) > 1:
            yield gone[1:]
        return
    best = _class(s, f, gone[-1], steps[0])
    for h in steps:
        if _class(s, f, gone[-1], h) == best:
            yield from _best_ways(s, f, (*gone, h), hexes - 1)


def why_not(s: State, f: Flight, order: FallBack) -> Refusal | None:
    """Why a stack can't go back so."""
    found = _judged(s, f, order.path)
    return found if isinstance(found, Refusal) else None


# --- carried out ------------------------------------------------------------------------------------------------------


def retreat(s: State, f: Flight, clause: str, before: Sequence[str] = ()) -> Activity:
    """Let a stack go back as its owner says, or surrender where it has no first step.

    `before` are the enemies who come up or attack where it goes of its own will.
    """
    if not can_retreat(s, f):
        yield from _surrender(s, f)
        return
    path = default_way(s, f, f.length.least)
    if len(_open(s, f, (f.start,), f.length.least)) > 1 or len(ways(s, f)) > 1:
        path = (yield _ask(s, f, path, clause)).path
    yield from _go(s, f, path, clause, before)


def _surrender(s: State, f: Flight) -> Activity:
    """Take a stack off the map that has no way back; its manpower counts as lost in retreat (std-7.6-4)."""
    facts = {"at": s.board.label[f.start], "units": [u for u in f.units if u in s.manpower], "side": f.side}
    yield Tell("surrender", "std-7.6-4", facts)
    for unit in f.units:
        if unit in s.manpower:
            points = s.lose(unit, s.manpower[unit], counted=True)
            yield Tell("remove", "std-7.6-4", {"unit": unit, "at": s.board.label[f.start], "points": points})
    yield from settle(s, [f.side])


def _go(s: State, f: Flight, path: Path, clause: str, before: Sequence[str]) -> Activity:
    """Move a stack along its way, and let it pay for it: zones of control, and steps against the order of classes."""
    steps = _judged(s, f, path)
    assert not isinstance(steps, Refusal)  # noqa: S101 the way is an option or an answer that was judged
    path, label = path[: _lasts(s, f, steps)], s.board.label
    facts = {"unit": f.units[0], "units": list(f.units), "side": f.side, "why": f.why}
    facts |= {"before": [*before]} if before else {}
    yield Tell("retreat", clause, facts | {"from": label[f.start], "path": [label[h] for h in path]})
    for h, step in zip(path, steps, strict=False):
        for unit in f.units:
            if unit in s.at:
                s.put(unit, h)
        yield from entered(s, f.units, h)  # 13.2-sp5b, 13.5-sp3, std-10.0-4
        if step.zone:
            yield from suffer(s, f.units, f.length.zone, "std-7.6-3")
        if step.worse:
            yield from suffer(s, f.units, s.board.tables.override, "std-7.6-2")
    meet(s, f.side)
    yield from settle(s, [f.side])


def _lasts(s: State, f: Flight, steps: Steps) -> int:
    """How many steps a stack makes: with its last manpower the way ends."""
    left = sum(s.manpower.get(unit, 0) for unit in f.units)
    for made, step in enumerate(steps, 1):
        left -= _cost(s, f, step)
        if left <= 0:
            return made
    return len(steps)


def _ask(s: State, f: Flight, first: Path, clause: str) -> Choose:
    """Ask the owner of a stack how far and where it goes, by default the `first` way (R3)."""
    options = cache(partial(ways, s, f))  # seldom looked at, and dear
    name = s.board.units[f.units[0]].name
    prompt = f"say how {name} goes back from {s.board.place(f.start)}, {f.length.least} to {f.length.most} hexes"

    def standing(orders: Sequence[Words]) -> FallBack | None:
        words = next((found for unit in f.units if (found := preferences(orders, RETREAT, unit))), ())
        return _preferred(s, f, options(), words) if words else None

    return Choose(
        side=f.side,
        kind=RETREAT,
        clause=clause,
        prompt=prompt,
        why_not=only(FallBack, clause, prompt, lambda order: why_not(s, f, order)),
        options=lambda: map(FallBack, options()),
        sample=lambda chance: FallBack(chance.choice(options())),
        reaction=True,
        about=f.units,
        standing=standing,
        default=lambda: FallBack(first),
    )


def _preferred(s: State, f: Flight, options: Sequence[Path], words: Words) -> FallBack | None:
    """The way of standing orders: of so many hexes, to that end or the nearest to it."""
    lengths = [int(word) for word in words if word.isdigit() and len(word) == 1]
    goals = [s.board.parse(word) for word in words if not (word.isdigit() and len(word) == 1)]
    if not lengths and not goals:
        return None
    wanted = min(max(lengths[0], f.length.least), f.length.most) if lengths else 0
    fits = [path for path in options if not wanted or len(path) == wanted] or [*options]
    if not goals:
        first = default_way(s, f, wanted)
        return FallBack(first if first in fits else fits[0])
    return FallBack(min(fits, key=lambda path: distance(goals[0], path[-1])))
