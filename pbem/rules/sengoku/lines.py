"""Lines of communication: from the main castle over relays to a force, leg by leg (rulebook 11, 8-3; R158)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise

from pbem.errors import Refusal
from pbem.maps.hexes import ByHex, Hex, OnDemand
from pbem.records import NamedTuple
from pbem.rules.kit.going import FAR
from pbem.rules.requests import Tell
from pbem.rules.sengoku.acting import army_of, castle_side, friendly_castle, side_of
from pbem.rules.sengoku.areas import Area, area_of, far_from, hexes_in, within
from pbem.rules.sengoku.board import SWAMP, Board
from pbem.rules.sengoku.control import strong, weak
from pbem.rules.sengoku.harm import bury, shake
from pbem.rules.sengoku.state import State

__all__ = ["LEG", "MAIN_LEG", "barred", "in_line", "leg", "line_phase", "linked", "relays", "sources", "why_cut"]

MAIN_LEG, LEG = 16, 8
"""The points of a leg that begins in the main castle, and of one from any other castle or force (11-2-2)."""


def in_line(s: State, force: str) -> bool:
    """Whether a force has a line of communication to a main castle of its army now (11-1)."""
    h = s.board.ground.bit[s.at[force]]
    return bool(h & _spread(s, army_of(s, force), h))


def linked(s: State, army: str) -> Area:
    """The hexes with a force or castle of its side to which an army can set a line."""
    return _spread(s, army, 0)


def sources(s: State, army: str) -> Iterator[Hex]:
    """Where the lines of an army begin now: its main castles that its side holds, or an edge of the map (8-3-1)."""
    given = s.board.armies[army]
    for castle in given.main:  # 31-2(Maeda), 36.7-8
        if castle_side(s, castle) == given.side:  # 8-3-2, 8-3-2(regain)
            yield s.board.castles[castle].at
    yield from given.sources  # 31-2


def barred(s: State, side: str) -> Area:
    """The hexes into which no line of a side can lead, nor begin there, for what the enemy has and controls (11-1-3).

    The hex of an enemy castle is in strong control of the enemy, or besieged by units of this side.
    """
    found: Area | None = s.memo.get(("barred", side))
    if found is None:
        enemy = s.board.enemy[side]
        controlled = strong(s, enemy) | weak(s, enemy)  # 11-1-3(2), 11-1-3(3)
        opened = controlled & ~s.present[side]  # 11-1-4, 11-1-5
        found = s.memo["barred", side] = opened | s.in_the_open[enemy]  # 11-1-3(1)
    return found


def relays(s: State, side: str) -> Area:
    """The hexes with a castle or a force of a side, whose lines can go on from there, of any of its armies."""
    return s.present[side] | s.held[side]  # 11-1-1, 30-3


def _spread(s: State, army: str, enough: Area) -> Area:
    """The relays to which a line of an army leads, or some of them with a hex of `enough`, kept for a position."""
    known = ("linked", army)
    found: Area
    found, whole = s.memo.get(known, (0, False))
    if not (whole or found & enough):
        side = s.board.armies[army].side
        begin = area_of(s.board.ground.bit, sources(s, army)) & ~barred(s, side)
        found = found or _grouped(s, side, begin & relays(s, side))
        while not (whole or found & enough):
            more = _ahead(s, side, found) or _more(s, side, begin, MAIN_LEG, found)  # 11-1-2, 11-2-2(1)
            found, whole = found | _grouped(s, side, more), not more
        s.memo[known] = found, whole
    return found


class _Group(NamedTuple):
    """Relays from each of which lines lead to all the others; `edge`: those from which legs may lead farther."""

    relays: Area
    edge: Area


def _grouped(s: State, side: str, found: Area) -> Area:
    """Relays of a side with the groups in which they are, worked out once for a position, whichever army asks."""
    known, done = _groups(s, side), 0
    for group in known:
        if group.relays & found:
            done |= group.relays
    while todo := found & ~done:
        group = _joined(s.board, todo & -todo, barred(s, side), relays(s, side))
        known.append(group)
        done |= group.relays
    return done


def _groups(s: State, side: str) -> list[_Group]:
    """The groups of a side that are known for a position."""
    known: list[_Group] = s.memo.setdefault(("groups", side), [])
    return known


def _joined(board: Board, found: Area, shut: Area, anew: Area) -> _Group:
    """A relay and those to which legs lead from the cheapest ground where nothing near is shut.

    A leg costs the same both ways but for the ground at its ends: where one leads from the cheapest, one leads back.
    """
    hexes, low, legs = board.ground.grid.hexes, board.ground.leads["line"].enter[0][1], _leading(board, LEG)
    todo, wanted, edge = found, anew & ~(shut | found), 0
    while todo and wanted:
        relay = todo & -todo
        todo ^= relay
        near = legs[hexes[relay.bit_length() - 1]]
        if fresh := near & wanted:
            if relay & ~low or near & shut:
                edge |= relay
            else:
                found, todo, wanted = found | fresh, todo | fresh, wanted ^ fresh  # 11-2-2(2), 11-2-2(3)
    return _Group(found, edge)


def _ahead(s: State, side: str, found: Area) -> Area:
    """The relays of a side to which legs lead from others, worked out once for a position."""
    known = ("ahead", side, found)
    if known not in s.memo:
        edge = 0
        for group in _groups(s, side):
            edge |= group.edge & found
        s.memo[known] = _more(s, side, edge, LEG, found)
    ahead: Area = s.memo[known]
    return ahead


def _more(s: State, side: str, begin: Area, most: int, found: Area) -> Area:
    """The relays of a side, besides those found, to which legs lead from hexes; sought where ground leads to any."""
    shut = barred(s, side)
    wanted = relays(s, side) & ~(shut | found)
    for h in hexes_in(s.board.ground.grid, begin) if wanted else ():
        if _leading(s.board, most)[h] & wanted:
            return leg(s.board, begin, most, shut) & wanted
    return 0


@lru_cache(maxsize=1 << 3)
def _leading(board: Board, most: int) -> ByHex[Area]:
    """The hexes to which a leg leads from each hex if nothing is shut."""
    return OnDemand(lambda h: leg(board, board.ground.bit[h], most, 0))


def leg(board: Board, begin: Area, most: int, shut: Area) -> Area:
    """The hexes to which legs of `most` points lead from those of an area (11-2-1, 11-2-3, 11-1-3(4), 11-1-3(5))."""
    return within(board.ground.leads["line"], begin, most, shut)


# --- why a line is cut ------------------------------------------------------------------------------------------------


def why_cut(s: State, force: str) -> Refusal:
    """Why a force without a line has none: the leg that is too long, or where the enemy or the ground bars it.

    From where the leg ends, to the force or to a relay on the way to it, all would be well but for the enemy.
    """
    army, side = army_of(s, force), side_of(s, force)
    title, shut, to = s.board.armies[army].title, barred(s, side), s.at[force]
    begin = [*sources(s, army)]
    if not begin:
        return Refusal("8-3-2", f"the {title} have lost their main castle")
    bit, place = s.board.ground.bit, s.board.place
    opened = s.in_the_open[s.board.enemy[side]]
    if not area_of(bit, begin) & ~shut:
        start = place(begin[0])
        if opened & bit[begin[0]]:
            return Refusal("11-1-3(1)", f"an enemy is at {start}, where lines of the {title} begin")
        return Refusal("11-1-3(3)", f"the enemy controls {start}, where lines of the {title} begin")
    relayed = hexes_in(s.board.ground.grid, linked(s, army))
    ends = dict.fromkeys(relayed, LEG) | {h: MAIN_LEG for h in begin if not shut & bit[h]}
    before = [_before(s, side, linked(s, army), to, closed) for closed in (shut, 0)]
    for those in before:
        if (way := _nearest(s, army, ends, those, 0)) and _points(s, way) <= ends[way[0]]:
            h = next(h for h in way if shut & bit[h])
            clause = "11-1-3(1)" if opened & bit[h] else "11-1-3(3)"
            start = _relay(s, side, way[0])
            if way[-1] in (to, h):
                return Refusal(clause, f"the enemy bars the leg from {start} at {place(h)}")
            return Refusal(clause, f"the enemy bars the leg from {start} to {_relay(s, side, way[-1])} at {place(h)}")
    for those, closed in zip(before, (shut, 0), strict=True):
        if way := _nearest(s, army, ends, those, closed):
            end = place(to) if way[-1] == to else _relay(s, side, way[-1])
            leg = f"the leg from {_relay(s, side, way[0])} to {end} costs {_points(s, way)} points"
            return Refusal("11-2-2", f"{leg}, {ends[way[0]]} are the most")
    if s.board.ground.terrain[to] == SWAMP:
        return Refusal("11-1-3(5)", f"{place(to)} is swamp, through which no line from {place(begin[0])} leads")
    return Refusal("11-1-3(5)", f"no ground leads from {place(begin[0])} to {place(to)}")


def _relay(s: State, side: str, h: Hex) -> str:
    """A hex in which a leg begins or ends; without a castle of the side there with who stands in it: `4815 (kb-01)`."""
    forces = [force for force in s.stands.get(h, ()) if s.board.units[force].side == side]
    named = friendly_castle(s, h, side) is not None or not forces
    return s.board.place(h) if named else f"{s.board.place(h)} ({forces[0]})"


def _before(s: State, side: str, known: Area, to: Hex, shut: Area) -> list[Hex]:
    """A hex, and the relays besides those known from which legs over hexes that aren't shut lead to it or to others."""
    board, found = s.board, s.board.ground.bit[to]
    rest = [*hexes_in(board.ground.grid, relays(s, side) & ~(known | found | shut))]
    more = [to]
    while more:
        near = [h for h in rest if _leading(board, LEG)[h] & found]
        more = [h for h in near if not shut or leg(board, board.ground.bit[h], LEG, shut) & found]
        found |= area_of(board.ground.bit, more)
        rest = [h for h in rest if h not in more]
    return [to, *(h for h in hexes_in(board.ground.grid, found) if h != to)]


def _points(s: State, way: Sequence[Hex]) -> int:
    """What a leg costs."""
    return sum(s.board.ground.line[a][b] for a, b in pairwise(way))


def _nearest(s: State, army: str, ends: Mapping[Hex, int], those: Sequence[Hex], shut: Area) -> list[Hex]:
    """The way over hexes that aren't shut by the leg that is least too long, from the end of an army's line.

    It leads to one of several hexes, of legs that are alike to the first of them; empty where none leads there.
    """
    line, over = s.board.ground.line, {h: -leg for h, leg in ends.items()}
    far = _far(s, army, over, shut)
    way = [min(reached, key=far.__getitem__)] if (reached := [h for h in those if h in far]) else []
    while way and far[way[-1]] != over.get(way[-1]):
        here = way[-1]
        near = s.board.ground.near[here]
        way.append(next(h for h in near if h in far and far[h] + line[h].get(here, FAR) == far[here]))
    return way[::-1]


def _far(s: State, army: str, over: Mapping[Hex, int], shut: Area) -> Mapping[Hex, int]:
    """The points of the legs of an army to all hexes, what they may cost taken off, worked out once for a position."""
    found: Mapping[Hex, int] | None = s.memo.get(("far", army, shut))
    if found is None:
        ground = s.board.ground
        found = s.memo["far", army, shut] = far_from(ground.grid, ground.leads["line"], over, shut)
    return found


# --- the line of communication phase ----------------------------------------------------------------------------------


def line_phase(s: State) -> Iterator[Tell]:
    """Lower the morale of every open force of both sides that has no line, as all of them stand (11-3(1), 11-3-1)."""
    every = [force for side in s.board.sides for force in s.own_forces(side.id)]
    cut = [force for force in every if force not in s.shut_in and not in_line(s, force)]  # 11-1-6, 16-4
    for force in cut:
        yield from shake(s, force, 1, "11-4-1")
    yield from bury(s)
