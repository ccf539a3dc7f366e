"""Where a unit comes by one march: for sure, on average, at best; and what it must know of the way."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from fractions import Fraction

from pbem.maps.hexes import Hex
from pbem.records import NamedTuple
from pbem.rules.gcacw.actions import going_along, ways
from pbem.rules.gcacw.board import CAVALRY, INFANTRY
from pbem.rules.gcacw.brought import of_points
from pbem.rules.gcacw.cavalry import cavalry_beside
from pbem.rules.gcacw.halves import half
from pbem.rules.gcacw.march import attack_of
from pbem.rules.gcacw.may_march import why_no_extended, why_not
from pbem.rules.gcacw.orders import March, Path
from pbem.rules.gcacw.state import State
from pbem.rules.gcacw.tables import ATTACKS, Allowance
from pbem.rules.gcacw.zones import stops
from pbem.words import per_cent

__all__ = ["End", "Range", "ends", "kinds", "marks", "places", "prices", "range_of"]


PAST = "past cavalry"
"""What is said of a way beside cavalry, which may go back and take points (std-7.7-3)."""


NONE = "none"


class Range(NamedTuple):
    """The points of an allowance, in halves: the fewest, the mean, the most."""

    least: int
    mean: int
    most: int


class End(NamedTuple):
    """A hex in reach of a unit with the half points of the way there."""

    at: Hex
    points: int
    path: Path


def range_of(allowance: Allowance) -> Range:
    """The points that an allowance brings, in halves."""
    found = of_points(allowance)
    return Range(2 * min(found), int(2 * sum(points * share for points, share in found.items())), 2 * max(found))


def ends(s: State, unit: str, allowance: Allowance) -> list[End]:
    """Every hex to which a unit can march at best, the nearest first."""
    leaders = going_along(s, unit)
    side = s.board.units[unit].side
    if why_no_extended(s, unit) is not None or why_not(s, side, March(unit, (), leaders)) is not None:
        return []
    found = ways(s, unit, range_of(allowance).most, leaders)
    first = next(iter(found.values()), None)
    if first is None or why_not(s, side, March(unit, first[1], leaders)) is not None:
        return []
    return [End(h, cost, path) for h, (cost, path) in found.items()]


def marks(s: State, unit: str, path: Path) -> list[str]:
    """What is to be known of a way: crossings, cavalry beside it that may take points, a zone of control at its end."""
    side, here = s.board.units[unit].side, s.at[unit]
    found, crossings = [], []
    for h in path:
        if s.board.ground.between[here][h].crossing not in ("", "bridge"):
            crossings.append(s.board.ground.between[here][h].crossing)
        elif s.bridge_between(here, h) is not None:
            crossings.append("built bridge")
        here = h
    if crossings:
        found.append(f"by {' and '.join(dict.fromkeys(crossings))}")
    if s.board.units[unit].infantry and any(cavalry_beside(s, side, h) for h in path[:-1]):
        found.append(PAST)
    if stops(s, unit, path[-1]):
        found.append("in a zone of control")
    return found


def places(s: State, unit: str, found: Iterable[End], points: Range) -> list[str]:
    """The places with a name among hexes in reach of a unit: for sure, on average, at best."""
    told: dict[int, list[str]] = {points.least: [], points.mean: [], points.most: []}
    for end in found:
        if end.at in s.board.map.place_names:
            marked = marks(s, unit, end.path)
            sure = end.points <= points.least and PAST not in marked
            until = points.least if sure else points.mean if end.points <= points.mean else points.most
            told[until].append(f"{s.board.place(end.at)} ({', '.join((str(half(end.points)), *marked))})")
    least, mean, most = ((half(until), ", ".join(those)) for until, those in told.items())
    ranked = (
        (least[1], f"for sure ({least[0]}) {least[1]}"),
        (mean[1], f"on average ({mean[0]}) {mean[1]}"),
        (most[1], f"at best ({most[0]}) {most[1]}"),
    )
    return [words for those, words in ranked if those]


def prices(s: State, branches: Collection[str]) -> str:
    """What each kind of march attack of these branches costs, and adds to the die (std-7.1-2, std-7.1-3)."""
    told = []
    for kind in ATTACKS:
        attack = s.board.tables.attacks[kind]
        points = dict.fromkeys(str(half(attack.points[branch])) for branch in (INFANTRY, CAVALRY) if branch in branches)
        first, *others = points
        cost = f"{kind} {first} ({attack.modifier:+d})"
        told.append(f"{kind} {first}, of cavalry {others[0]} ({attack.modifier:+d})" if others else cost)
    return ", ".join(told)


def kinds(s: State, unit: str, allowance: Allowance, spent: int) -> str:
    """How likely each kind of a unit's attack is behind a way of so many half points; "" where it is never paid for."""
    found: dict[str, Fraction] = {}
    for points, share in of_points(allowance).items():
        kind = attack_of(s, unit, 2 * points - spent, ATTACKS[0]) or NONE
        found[kind] = found.get(kind, Fraction(0)) + share
    if [*found] == [NONE]:
        return ""
    return ", ".join(f"{kind} {per_cent(found[kind], 0)}" for kind in (*reversed(ATTACKS), NONE) if kind in found)
