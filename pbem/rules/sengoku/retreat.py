"""Retreat: the ways of a force that goes back, what they cost it, and refuge in castles (rulebook 23-4, P-7)."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from itertools import pairwise
from typing import Any, TypeAlias

from pbem.errors import Refusal
from pbem.maps.hexes import Hex, distance
from pbem.rules.kit.standing import preferences
from pbem.rules.requests import Answer, Choose, Request, Tell, Words
from pbem.rules.sengoku import harm
from pbem.rules.sengoku.acting import army_of, castle_side, friendly_castle, live_castle, open_in, side_of, why_closed
from pbem.rules.sengoku.asking import reaction
from pbem.rules.sengoku.board import IMPASSABLE, SWAMP
from pbem.rules.sengoku.casualties import suffer
from pbem.rules.sengoku.control import strong
from pbem.rules.sengoku.orders import Path, Retreat
from pbem.rules.sengoku.state import State
from pbem.rules.sengoku.tables import Loss

__all__ = ["LONGEST", "MOUNTAIN", "Gone", "costs", "retreat", "routes", "why_not"]

LONGEST = 4
"""The most hexes of a retreat (23-4-2)."""

MOUNTAIN = "mountain"
RETREAT = "retreat"
"""The keyword of the standing order that says where to: `retreat FORCE|any HEX|castle ...`, the first reached.

A hex with a castle in which the force may end its retreat on the way counts, `castle` is the best of them.
"""

REFUGE = "castle"

Gone: TypeAlias = Generator[Request | Tell, Answer, Path]
"""A part of an activity that comes to the hexes that a force has gone through, the one that it left first."""


# --- ways -------------------------------------------------------------------------------------------------------------


def routes(s: State, force: str, hexes: int, away: Hex) -> list[Retreat]:
    """The best way back for each end, the best of all first; empty where a force can't go back so many hexes.

    `away` is the hex of the attacker. A refuge comes first, then what costs few steps, the way home, low numbers.
    """
    ways = sorted(_ways(s, force, hexes, away), key=lambda way: _worth(s, way))
    best: dict[tuple[Hex, bool], Retreat] = {}
    for way in ways:
        best.setdefault((way.path[-1] if way.path else s.at[force], way.enter), way)
    return list(best.values())


def _ways(s: State, force: str, hexes: int, away: Hex) -> Iterator[Retreat]:
    """All legal ways of a force back by so many hexes, or into a castle before that."""
    start, side = s.at[force], side_of(s, force)

    def onward(path: Path) -> Iterator[Retreat]:
        here = path[-1] if path else start
        if friendly_castle(s, here, side) is not None:
            yield Retreat(force, path, enter=True)  # 23-4-6, 23-4-6(own hex)
        if len(path) < hexes:
            for n in s.board.ground.open_to[here]:
                if n not in path and n != start and _why_no_step(s, side, (here, n), away) is None:
                    yield from onward((*path, n))
        elif distance(away, here) > distance(away, start):  # 23-4-2
            yield Retreat(force, path)

    return onward(())


def _worth(s: State, way: Retreat) -> tuple[Any, ...]:
    """The order of ways: the least is the default (P-7 step 7)."""
    board, path = s.board, (s.at[way.force], *way.path)
    lost = sum(costs(s, side_of(s, way.force), step) for step in pairwise(path))
    homes = [board.castles[castle].at for castle in board.armies[army_of(s, way.force)].main]
    home = min((distance(path[-1], h) for h in homes), default=0)
    return not way.enter, lost, 0 if way.enter else home, [board.label[h] for h in way.path]


def _why_no_step(s: State, side: str, step: tuple[Hex, Hex], away: Hex) -> Refusal | None:
    """Why a side can't go back from a hex to the next."""
    here, to = step
    place = s.board.place(to)
    if to not in s.board.ground.near.get(here, ()):
        return Refusal("23-4-2", f"{place} isn't adjacent to {s.board.place(here)}")
    if to not in s.board.ground.open_to[here]:
        return Refusal("23-4-3(1)", f"a lake or the sea lies before {place}")
    if s.board.ground.terrain[to] == IMPASSABLE:
        return Refusal("23-4-3(2)", f"{place} is impassable mountain")
    if open_in(s, to, s.board.enemy[side]):
        return Refusal("23-4-3(3)", f"enemies stand in {place}")
    if refusal := why_closed(s, side, to):
        return refusal
    if distance(away, to) < distance(away, here):
        return Refusal("23-4-2", f"{place} is nearer to the attacker")
    return None


def costs(s: State, side: str, step: tuple[Hex, Hex]) -> bool:
    """Whether a side loses a step by going back from a hex to the next, one whatever the reasons (23-4-4(max))."""
    to = step[1]
    castle = live_castle(s, to)
    return (
        bool(strong(s, s.board.enemy[side]) & s.board.ground.bit[to])  # 23-4-4(1)
        or (castle is not None and castle_side(s, castle) != side)  # 23-4-4(2)
        or step in s.board.ground.unbridged  # 23-4-4(3)
        or s.board.ground.terrain[to] in (MOUNTAIN, SWAMP)  # 23-4-4(4)
    )


def why_not(s: State, force: str, hexes: int, away: Hex, order: Retreat) -> Refusal | None:
    """Why a force can't go back so; `hexes` are those that it has to go."""
    start, side = s.at[force], side_of(s, force)
    if order.force != force:
        return Refusal("23-4-3", f"say where {s.board.describe(force)} retreats to")
    path = (start, *order.path)
    if len(set(path)) != len(path):
        return Refusal("23-4-2", "a force that retreats enters no hex twice")
    for step in pairwise(path):
        if refusal := _why_no_step(s, side, step, away):
            return refusal
    if order.enter and friendly_castle(s, path[-1], side) is None:
        return Refusal("23-4-6", f"{s.board.place(path[-1])} has no castle of its side")
    if len(order.path) > hexes or (len(order.path) < hexes and not order.enter):
        return Refusal("23-4-2", f"it retreats {hexes} hex{'es' * (hexes > 1)}")
    if not order.enter and distance(away, path[-1]) <= distance(away, start):
        return Refusal("23-4-2", f"{s.board.place(path[-1])} is no farther from the attacker")
    return None


# --- going back -------------------------------------------------------------------------------------------------------


def retreat(s: State, force: str, hexes: int, away: Hex, *, shaken: bool = True) -> Gone:
    """Let a force go back that has a way, as its owner says; it loses morale by the full number (23-4-5).

    Not `shaken`, its morale stays (24-2-5(retreat), 24-2-7).
    """
    found = routes(s, force, hexes, away)
    order = found[0]
    if len(found) > 1:
        order = yield _ask(s, force, hexes, away, found)
    gone: Path = (s.at[force],)
    if order.path and force in s.besieging:
        yield from harm.lift(s, [force], s.board.castle_in[gone[0]])
        yield from harm.check_markers(s)
    for h in order.path:
        gone = (*gone, h)
        yield from _step(s, force, (gone[-2], h))
        if force not in s.forces:
            return gone
    if shaken:
        yield from harm.shake(s, force, hexes, "23-4-6(morale)" if order.enter else "23-4-5")
    if order.enter and force in s.forces:
        s.shut(force)
        yield Tell("refuge", "23-4-6", {"unit": force, "at": s.board.label[gone[-1]]})
    return gone


def _step(s: State, force: str, step: tuple[Hex, Hex]) -> Generator[Request | Tell, Answer, None]:
    """One hex back, with the step that it may cost."""
    here, to = step
    cost = costs(s, side_of(s, force), step)
    s.put(force, to)
    yield Tell("retreat", "23-4-2", {"unit": force, "from": s.board.label[here], "to": s.board.label[to]})
    if cost:
        yield from suffer(s, [force], Loss(1, marked=False), "23-4-4")
        yield from harm.last_leave(s)


def _ask(s: State, force: str, hexes: int, away: Hex, found: Sequence[Retreat]) -> Choose:
    """Ask the owner which way a force goes back, freely for each (23-4-3)."""

    start = s.at[force]

    def standing(orders: Sequence[Words]) -> Retreat | None:
        ends: dict[str, Retreat] = {}
        for way in reversed(found):  # those into a castle come last, the best of all at the end
            end = s.board.label[(start, *way.path)[-1]]
            if way.enter:
                ends[REFUGE] = way
                ends.setdefault(end, way)
            else:
                ends[end] = way
        return next((ends[word] for word in preferences(orders, RETREAT, force) if word in ends), None)

    return reaction(
        side=side_of(s, force),
        kind=RETREAT,
        clause="23-4-3",
        prompt=f"say where {s.board.describe(force)} retreats to, {hexes} hex{'es' * (hexes > 1)}",
        options=found,
        why_not=lambda answer: why_not(s, force, hexes, away, answer),
        standing=standing,
        about=(force,),
    )
