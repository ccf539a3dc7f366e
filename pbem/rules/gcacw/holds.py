"""Who may neither act nor entrench, what frees him, and what is closed to whom (std-4.0-9, 13)."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.errors import Refusal
from pbem.maps.hexes import Hex, distance
from pbem.rules.gcacw.board import Hold
from pbem.rules.gcacw.state import State
from pbem.rules.requests import Tell

__all__ = ["closed", "free_by", "held", "one_sided", "why_closed", "why_held", "why_held_for_good"]


def _holding(s: State, unit: str) -> Hold | None:
    """The hold that keeps a counter now."""
    for hold in s.board.holds:
        if unit in hold.units and (s.turn < hold.until or not hold.until) and unit not in s.free:
            return hold
    return None


def held(s: State, unit: str) -> bool:
    """Whether a counter is held."""
    return _holding(s, unit) is not None or _why_left_out(s, unit) is not None


def why_held(s: State, unit: str) -> Refusal | None:
    """Why a counter may neither act nor entrench; None where it may."""
    who, hold = s.board.units[unit].name, _holding(s, unit)
    if hold is not None:
        return Refusal(hold.clause, f"{who} may neither act nor entrench {_until(s, hold)}")
    return _why_left_out(s, unit)


def why_held_for_good(s: State, unit: str) -> Refusal | None:
    """Why a counter may neither act nor entrench in all that is left of this turn, whatever the enemy does in it."""
    hold = _holding(s, unit)
    may_end = hold is not None and (hold.regions or hold.near or (hold.release and s.turn >= hold.since))
    return why_held(s, unit) if not may_end else _why_left_out(s, unit)


def _why_left_out(s: State, unit: str) -> Refusal | None:
    """Why a counter may neither act nor entrench that is none of those of a one-sided turn; a substitute is one if the
    unit is whose men it has (R294)."""
    only = s.board.one_sided.get(s.turn)
    if only is None or s.origin.get(unit, unit) in only.units:
        return None
    who = s.board.units[unit].name
    return Refusal(only.clause, f"{who} may neither act nor entrench in turn {s.turn}")


def _until(s: State, hold: Hold) -> str:
    """Until when a hold keeps a counter, in words."""
    frees = []
    if hold.until:
        frees.append(f"turn {hold.until}")
    if hold.regions:
        frees.append(f"an enemy has been in {' or '.join(sorted(hold.regions))}")
    if hold.near is not None:
        frees.append(f"an enemy has been within {hold.near[1]} hexes of {s.board.place(hold.near[0])}")
    if hold.release:
        frees.append(f"an enemy comes within {hold.release} hexes (from turn {hold.since} on)")
    return f"until {', or '.join(frees)}"


def one_sided(s: State) -> str | None:
    """The side that alone may act in this turn (std-4.0-12)."""
    only = s.board.one_sided.get(s.turn)
    return only.side if only is not None else None


def closed(s: State, unit: str) -> frozenset[Hex]:
    """The hexes that a counter may not enter (13.1-sp4, 13.3-sp5, 13.4-sp5, 13.5-sp3g)."""
    found = [ban.hexes for ban in s.board.bans if unit in ban.units and not _released(s, unit)]
    return frozenset().union(*found) if found else frozenset()


def _released(s: State, unit: str) -> bool:
    """Whether an enemy has come so near to a counter that nothing binds it any more (13.5-sp3).

    One who is freed as an enemy has entered a county, or come to a place, may act, and nothing else (22.1-sp3d1).
    """
    return unit in s.free and any(hold.release and unit in hold.units for hold in s.board.holds)


def why_closed(s: State, unit: str, h: Hex) -> Refusal | None:
    """Why a counter may not enter a hex; None where no special rule closes it."""
    for ban in s.board.bans:
        if unit in ban.units and h in ban.hexes and not _released(s, unit):
            return Refusal(ban.clause, f"{s.board.units[unit].name} may not enter {s.board.place(h)}")
    return None


def free_by(s: State, side: str, h: Hex) -> Iterator[Tell]:
    """Free those whom combat units of a side in a hex free: right after each step, retreat, advance, placing.

    Whom his turn had freed before is told of only where something was closed to him, too (13.5-sp3g).
    """
    board = s.board
    for hold in board.holds:
        if not (hold.regions or hold.near or (hold.release and s.turn >= hold.since)):
            continue
        for unit in sorted(hold.units - s.free):
            if board.units[unit].side != side and _frees(s, hold, unit, h):
                facts = {"unit": unit, "side": board.units[unit].side, "by": board.label[h]}
                was_held, was_closed = _holding(s, unit) is not None, bool(closed(s, unit))
                s.free.add(unit)
                s.memo.clear()
                if was_held:
                    yield Tell("freed", hold.clause, facts)
                elif was_closed and not closed(s, unit):
                    yield Tell("freed", hold.clause, facts | {"acted": True})


def _frees(s: State, hold: Hold, unit: str, h: Hex) -> bool:
    """Whether an enemy in a hex frees a held counter."""
    if hold.regions and s.board.map.region.get(h) in hold.regions:
        return True  # 13.2-sp2
    if hold.near is not None and distance(hold.near[0], h) <= hold.near[1]:
        return True  # 13.2-sp3
    there = s.at.get(unit)
    return bool(hold.release) and s.turn >= hold.since and there is not None and distance(there, h) <= hold.release
