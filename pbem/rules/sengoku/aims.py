"""Where the forces of a side are worth most: castles that they besiege and relieve, enemies whom they hunt."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import lru_cache

from pbem.maps.hexes import Hex
from pbem.records import NamedTuple
from pbem.rules.sengoku.acting import besiegers, castle_side, closed_to, forces_inside, open_in, threshold, why_idle
from pbem.rules.sengoku.areas import hexes_in, rings
from pbem.rules.sengoku.board import SOTAISHO, Board
from pbem.rules.sengoku.castles import MOST_DURABILITY
from pbem.rules.sengoku.harm import strength
from pbem.rules.sengoku.hazard import weight
from pbem.rules.sengoku.state import State
from pbem.rules.sengoku.weights import Style

__all__ = ["FAR", "aims", "stake", "way_to"]

FAR = 10_000
"""Farther than any way."""

WEAK, SWIFT = 4, 4
"""A force of less strength stays where it is, as a garrison; the action power of leaders who act in every stage."""

MARGIN = 1.2
"""So many times the strength that a siege needs go there if they can."""

PACE, LEG = 6, 8
"""The points by which an action brings a force nearer, about, and those that weights count ways in."""

INNINGS = 4.0
"""How long a castle of full durability stands a siege, about."""


class _Offer(NamedTuple):
    """What going to a hex is worth for a strength of 1, the number of the hex, and who would go there."""

    rate: float
    label: str
    at: Hex
    group: Sequence[str]


def aims(s: State, side: str, style: Style) -> Mapping[str, Hex]:
    """Force -> the hex that it goes to or stays in, worked out once for a position; the others have none."""
    key = ("aims", side, style, _moment(s))
    found: dict[str, Hex] | None = s.memo.get(key)
    if found is None:
        found = s.memo[key] = _share_out(s, side, style)
    return found


def _moment(s: State) -> Hashable:
    """What the worth of places hangs on besides where the pieces stand: time, morale, walls, who has begun to act."""
    return s.turn, s.phase, *(frozenset(found) for found in (s.morale.items(), s.durability.items(), s.declared))


def _share_out(s: State, side: str, style: Style) -> dict[str, Hex]:
    """The aims of all forces: besiegers who are needed stay, the others go where they are worth most."""
    castles = [castle for castle in s.owner if castle_side(s, castle) == s.board.enemy[side]]
    given = {force: s.at[force] for castle in castles for force in _kept(s, castle)}
    free = [force for force in s.own_forces(side) if force not in given and _free(s, side, force)]
    ends = [h for h in _ends(s, side) if h not in given.values()]
    offers = [offer for h in ends if (offer := _offer(s, side, h, free, style))]
    while offers and (best := max(offers)).rate > 0:
        given.update(dict.fromkeys(best.group, best.at))
        free = [force for force in free if force not in best.group]
        others = [offer for offer in offers if offer.at != best.at]
        anew = [
            offer if set(offer.group).isdisjoint(best.group) else _offer(s, side, offer.at, free, style)
            for offer in others
        ]
        offers = [offer for offer in anew if offer]
    return given


def _kept(s: State, castle: str) -> Sequence[str]:
    """The besiegers of a castle who must stay: the strongest leave first."""
    return _spared(
        sorted(besiegers(s, castle), key=lambda force: (strength(s, [force]), force)),
        lambda force: strength(s, [force]),
        MARGIN * threshold(s.board, castle),
    )


def _spared(forces: Sequence[str], worth: Callable[[str], float], needed: float) -> list[str]:
    """Forces without those who aren't needed, the last first."""
    kept, left = list(forces), sum(map(worth, forces))
    for force in reversed(forces):
        if left - worth(force) >= needed:
            kept.remove(force)
            left -= worth(force)
    return kept


def _free(s: State, side: str, force: str) -> bool:
    """Whether a force can be sent: strong enough, no guard, and neither held back nor shut in by enemies."""
    if strength(s, [force]) < WEAK or why_idle(s, s.board.units[force].army) or _guards(s, side, force):
        return False
    return force not in s.shut_in or not open_in(s, s.at[force], s.board.enemy[side])


def _ends(s: State, side: str) -> list[Hex]:
    """The hexes that a side may send forces to: with enemies in the open, with castles of theirs."""
    bit, closed = s.board.ground.bit, closed_to(s, side)
    castles = [s.board.castles[castle].at for castle in s.owner if castle_side(s, castle) == s.board.enemy[side]]
    enemies = [h for h in s.stands if open_in(s, h, s.board.enemy[side])]
    return [h for h in dict.fromkeys((*castles, *enemies)) if not closed & bit[h]]


def _guards(s: State, side: str, force: str) -> bool:
    """Whether enemies who wait would come sooner if a force left; who is swift never stays for it (32-1(2))."""
    units, province = s.board.units, s.board.province
    if units[force].power >= SWIFT:
        return False
    for entering in s.board.entering.values():
        here = province.get(s.at[force]) in entering.provinces
        if here and entering.side != side and entering.id not in s.declared:
            others = [f for f in s.own_forces(side) if f != force and units[f].power < SWIFT]
            stay = [f for f in others if province.get(s.at[f]) in entering.provinces]
            if strength(s, stay) < s.board.tables.entering[entering.table].columns[-1]:
                return True
    return False


# --- what going somewhere is worth ------------------------------------------------------------------------------------


def _offer(s: State, side: str, at: Hex, free: Sequence[str], style: Style) -> _Offer | None:
    """What comes of sending the nearest of these forces who are enough; None where they aren't."""
    way, worth, least, wanted = way_to(s.board, at), *_scale(s, side, at, free, style)
    group: list[str] = []
    sent = 0.0
    for force in sorted(free, key=lambda force: (way.get(s.at[force], FAR), force)):
        if sent < wanted and s.at[force] in way:
            group.append(force)
            sent += worth[force]
    if sent < least:
        return None
    group = _spared(group, worth.__getitem__, min(sent, wanted))
    own = strength(s, group)
    far = sum(way[s.at[force]] * strength(s, [force]) for force in group) / own
    innings = max(way[s.at[force]] / PACE / s.board.units[force].power for force in group)
    left = s.board.turns + 1 - s.turn - s.stage / 4 - innings
    points = _points(s, side, at, left, style) if left > 0 else 0
    return _Offer((points - style.far * far / LEG) / own, s.board.label[at], at, group)


def _scale(s: State, side: str, at: Hex, free: Sequence[str], style: Style) -> tuple[Mapping[str, float], float, float]:
    """What each force counts for in a hex, how much is needed, and how much goes there if there is as much.

    For a siege it is strength, against enemies in the open their weight.
    """
    castle = s.board.castle_in.get(at)
    if castle is not None and castle_side(s, castle) == s.board.enemy[side]:
        needed = threshold(s.board, castle)
        return {force: strength(s, [force]) for force in free}, needed, MARGIN * needed
    prey = style.prey * sum(weight(s, enemy) for enemy in open_in(s, at, s.board.enemy[side]))
    return {force: weight(s, force) for force in free}, prey, prey


def _points(s: State, side: str, at: Hex, innings: float, style: Style) -> float:
    """The points that may come of going to a hex, so many innings before the end."""
    castle = s.board.castle_in.get(at)
    held = None if castle is None else castle_side(s, castle)
    if castle is None or held is None:
        return _prize(s, side, at, style)
    worth = s.board.victory.castles[s.board.castles[castle].level]
    inside = sum(len(s.forces[force]) for force in forces_inside(s, castle))
    if held == side:
        return _prize(s, side, at, style) + style.relief * (worth + inside) * bool(besiegers(s, castle))
    return inside + worth * min(1.0, innings / INNINGS * MOST_DURABILITY / max(1, s.durability[castle]))


def _prize(s: State, side: str, at: Hex, style: Style) -> float:
    """The points that a fight with the enemies of a hex may bring."""
    return style.kill * sum(stake(s, enemy) for enemy in open_in(s, at, s.board.enemy[side]))


def stake(s: State, force: str) -> float:
    """The points that a force costs its side if it is lost, all of a house with its commander-in-chief (25-2)."""
    units, gone = s.board.units, set(s.forces[force])
    if units[force].rank == SOTAISHO:
        gone.update(filter(s.leader.__contains__, s.board.of_army[units[force].army]))
    return sum(s.board.victory.lost[units[unit].rank] for unit in gone)


@lru_cache(maxsize=1 << 11)
def way_to(board: Board, at: Hex) -> Mapping[Hex, int]:
    """The movement points to a hex from every hex that a way leads from, about: whoever stands on the way."""
    grid = board.ground.grid
    found = rings(board.ground.leads["tactical"], board.ground.bit[at], FAR)
    return {h: far for far, ring in enumerate(found) for h in hexes_in(grid, ring)}
