"""Retreat: the ways of a force that goes back, what they cost it, and refuge in castles (rulebook 23-4, P-7)."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any, TypeAlias

from pbem.errors import Refusal
from pbem.maps.hexes import Hex, distance
from pbem.records import NamedTuple
from pbem.rules.kit.asking import reaction
from pbem.rules.kit.form import counted
from pbem.rules.kit.standing import preferences
from pbem.rules.requests import Answer, Choose, Request, Tell, Words
from pbem.rules.sengoku import harm
from pbem.rules.sengoku.acting import army_of, closed_to, friendly_castle, open_in, side_of, why_closed
from pbem.rules.sengoku.areas import Area
from pbem.rules.sengoku.board import IMPASSABLE, SWAMP, Board
from pbem.rules.sengoku.casualties import suffer
from pbem.rules.sengoku.control import strong
from pbem.rules.sengoku.orders import Counterattack, Path, Retreat
from pbem.rules.sengoku.state import LEAST_MORALE, State
from pbem.rules.sengoku.tables import Loss
from pbem.words import listed

__all__ = [
    "LONGEST", "MOUNTAIN", "UNASKED", "Gone", "can_retreat", "retreat", "routes", "way_words", "why_dear", "why_not",
]  # fmt: skip

LONGEST = 4
"""The most hexes of a retreat (23-4-2)."""

MOUNTAIN = "mountain"
RETREAT = "retreat"
"""The keyword of the standing order that says where to: `retreat FORCE|any HEX|castle ...`, the first reached.

A hex with a castle in which the force may end its retreat on the way counts, `castle` is the best of them.
"""

REFUGE = "castle"

UNASKED: Mapping[type, Refusal] = {Counterattack: Refusal("23-6", "a force that retreats makes no counterattack")}
"""What nobody is asked any more who goes back."""

Gone: TypeAlias = Generator[Request | Tell, Answer, Path]
"""A part of an activity that comes to the hexes that a force has gone through, the one that it left first."""


# --- ways -------------------------------------------------------------------------------------------------------------


class _Field(NamedTuple):
    """What ways back depend on besides where they begin: hexes that bar them, that cost a step, with a castle of ours.

    All forces of a side in a hex have the same ways, and have them until one of these changes.
    """

    board: Board
    barred: Area
    dear: Area
    refuges: Area


class _Way(NamedTuple):
    """A way back: the steps that it costs, the numbers of its hexes, which decide between equals, and these."""

    lost: int
    labels: tuple[str, ...] = ()
    path: Path = ()


def routes(s: State, force: str, hexes: int, away: Hex) -> list[Retreat]:
    """The best way back for each end, the best of all first; empty where a force can't go back so many hexes.

    `away` is the hex of the attacker. A refuge comes first, then what costs few steps, the way home, low numbers.
    """
    board, start = s.board, s.at[force]
    army = board.armies[army_of(s, force)]
    homes = [*(board.castles[castle].at for castle in army.main), *army.sources]  # 8-3, 31-2

    def worth(end: tuple[Hex, bool]) -> tuple[Any, ...]:
        way, enter = found[end], end[1]
        home = 0 if enter else min((distance(end[0], h) for h in homes), default=0)
        return not enter, way.lost, home, way.labels  # the least is the default (P-7 step 7)

    found = _ends(_field(s, side_of(s, force)), start, away, hexes)
    return [Retreat(force, found[end].path, end[1]) for end in sorted(found, key=worth)]


def can_retreat(s: State, force: str, hexes: int, away: Hex) -> bool:
    """Whether a force, and so each of its side in its hex, has a way back of so many hexes, as `routes` tells them."""
    return bool(_ends(_field(s, side_of(s, force)), s.at[force], away, hexes))


def _field(s: State, side: str) -> _Field:
    """The field as it is for a side that goes back."""
    return _Field(s.board, closed_to(s, side) | s.in_the_open[s.board.enemy[side]], _dear(s, side), s.held[side])


@lru_cache(maxsize=1 << 6)
def _ends(field: _Field, start: Hex, away: Hex, hexes: int) -> Mapping[tuple[Hex, bool], _Way]:
    """Each end of a way of so many hexes, or into a castle before that, and the best way there."""
    best: dict[tuple[Hex, bool], _Way] = {}
    for length in range(hexes + 1):
        for way in _ways(field, start, away, length):
            here = way.path[-1] if way.path else start
            if field.refuges & field.board.ground.bit[here]:  # 23-4-6, 23-4-6(own hex)
                best[here, True] = min(way, best.get((here, True), way))
            if length == hexes and distance(away, here) > distance(away, start):  # 23-4-2
                best[here, False] = min(way, best.get((here, False), way))
    return best


@lru_cache(maxsize=1 << 6)
def _ways(field: _Field, start: Hex, away: Hex, hexes: int) -> Sequence[_Way]:
    """All ways of so many hexes that a side can go; why it can't go others, `_why_no_step` tells."""
    if not hexes:
        return [_Way(0)]
    board, ground, found = field.board, field.board.ground, []
    for lost, labels, path in _ways(field, start, away, hexes - 1):
        here = path[-1] if path else start
        far = distance(away, here)
        for n in ground.open_to[here]:
            shut = field.barred & ground.bit[n] or n in board.outside or ground.terrain[n] == IMPASSABLE
            if not shut and n != start and n not in path and distance(away, n) >= far:
                cost = _is_dear(board, field.dear, (here, n))
                found.append(_Way(lost + cost, (*labels, board.label[n]), (*path, n)))
    return found


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


def why_dear(s: State, side: str, step: tuple[Hex, Hex]) -> str:
    """For what a side loses a step by going back from a hex to the next, "" where it loses none.

    It loses one, whatever the reasons (23-4-4(max)).
    E.g. `entering 5120 Kuwana, an enemy castle and in enemy control`.
    """
    board, to, enemy = s.board, step[1], s.board.enemy[side]
    terrain = board.ground.terrain[to]
    reasons = [
        *["an enemy castle"] * bool(s.held[enemy] & board.ground.bit[to]),  # 23-4-4(2)
        *["in enemy control"] * bool(strong(s, enemy) & board.ground.bit[to]),  # 23-4-4(1)
        *["across a river"] * (step in board.ground.unbridged),  # 23-4-4(3)
        *[terrain] * (terrain in (MOUNTAIN, SWAMP)),  # 23-4-4(4)
    ]
    return f"entering {board.place(to)}, {listed(reasons)}" if reasons else ""


def way_words(s: State, order: Retreat) -> str:
    """What a way back costs a force: how many steps, and for which hexes; whether it ends in a castle."""
    side, path = side_of(s, order.force), (s.at[order.force], *order.path)
    whys = [why for step in pairwise(path) if (why := why_dear(s, side, step))]
    lost = f"costs {counted(len(whys), 'step')}: {'; '.join(whys)}" if whys else "costs no step"
    return f"into the castle, {lost}" if order.enter else lost


def fall_words(s: State, force: str, hexes: int) -> str:
    """What becomes of the morale of a force behind its retreat, which is told before it is lowered (23-4-5)."""
    morale = s.morale.get(force, 0) - hexes
    if morale < LEAST_MORALE:
        return f"behind it its morale falls below {LEAST_MORALE}, and it is removed"
    return f"behind it its morale falls by {hexes}, to {morale}"


def _dear(s: State, side: str) -> Area:
    """The hexes that cost a side a step for the enemy in or around them."""
    enemy = s.board.enemy[side]
    return strong(s, enemy) | s.held[enemy]  # 23-4-4(1), 23-4-4(2)


def _is_dear(board: Board, dear: Area, step: tuple[Hex, Hex]) -> bool:
    """Whether a step costs one for the enemy or for the ground."""
    return (
        bool(dear & board.ground.bit[step[1]])
        or step in board.ground.unbridged  # 23-4-4(3)
        or board.ground.terrain[step[1]] in (MOUNTAIN, SWAMP)  # 23-4-4(4)
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
        order = yield _ask(s, force, hexes, away, found, shaken=shaken)
    gone: Path = (s.at[force],)
    if order.path and force in s.besieging:
        yield from harm.lift(s, [force], s.board.castle_in[gone[0]])
        yield from harm.check_markers(s)
    fall = fall_words(s, force, hexes) if shaken else ""
    for h in order.path:
        gone = (*gone, h)
        yield from _step(s, force, (gone[-2], h), fall)
        if force not in s.forces:
            return gone
    if shaken:
        yield from harm.shake(s, force, hexes, "23-4-6(morale)" if order.enter else "23-4-5")
    if order.enter and force in s.forces:
        s.shut(force)
        yield Tell("refuge", "23-4-6", {"unit": force, "at": s.board.label[gone[-1]]})
    return gone


def _step(s: State, force: str, step: tuple[Hex, Hex], fall: str) -> Generator[Request | Tell, Answer, None]:
    """One hex back, with the step that it may cost; `fall` is what becomes of its morale then."""
    here, to = step
    why = why_dear(s, side_of(s, force), step)
    s.put(force, to)
    yield Tell("retreat", "23-4-2", {"unit": force, "from": s.board.label[here], "to": s.board.label[to]})
    if why:
        then = f"; {fall}" if fall else ""
        yield from suffer(s, [force], Loss(1, marked=False), "23-4-4", why, then, UNASKED)
        yield from harm.last_leave(s)


def _ask(s: State, force: str, hexes: int, away: Hex, found: Sequence[Retreat], *, shaken: bool) -> Choose:
    """Ask the owner which way a force goes back, freely for each (23-4-3).

    Who is removed whichever it is is asked as well, for his enemy may pursue along it (23-5-2).
    """
    start = s.at[force]
    fall = ""
    if shaken:
        fall = f"; {fall_words(s, force, hexes)}"
        if s.morale.get(force, 0) - hexes < LEAST_MORALE:
            fall += ", so that the way matters only for who follows along it"

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
        prompt=f"say where {s.board.describe(force)} retreats to, {counted(hexes, 'hex')}{fall}",
        options=found,
        why_not=lambda answer: why_not(s, force, hexes, away, answer),
        standing=standing,
        about=(force,),
        unasked=UNASKED,
    )
