"""Substitutes: part of a unit detached on its march, and merged into one again (21)."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.errors import Refusal
from pbem.rules.gcacw.leaders import why_left_alone
from pbem.rules.gcacw.orders import Detach, March, Merge, Rail
from pbem.rules.gcacw.state import State, enter
from pbem.rules.requests import Tell

__all__ = [
    "detach", "free_substitutes", "is_substitute", "merge", "merges", "most_of", "not_detached", "why_never_detach",
    "why_not_detach", "why_not_merge",
]  # fmt: skip


def is_substitute(s: State, unit: str) -> bool:
    """Whether a unit is one of the substitutes (21.0-1)."""
    advanced = s.board.advanced
    return advanced is not None and any(unit in found for found in advanced.substitutes.values())


def free_substitutes(s: State, unit: str) -> list[str]:
    """The substitutes of a unit's kind that aren't in play (21.0-1, 21.0-2, 21.1-2)."""
    advanced, units = s.board.advanced, s.board.units
    if advanced is None:
        return []
    own = advanced.substitutes[units[unit].side]
    return [sub for sub in own if sub not in s.at and units[sub].branch == units[unit].branch]


def most_of(s: State, substitute: str) -> int:
    """The manpower that a substitute has at most (21.1-11)."""
    one = s.board.units[substitute]
    return s.board.tables.manpower[one.branch, one.size]


def why_not_detach(s: State, side: str, order: March | Rail) -> Refusal | None:
    """Why a march can't detach what its order says (21.1-1, 21.1-2, 21.1-11, 21.1-13)."""
    if not order.detached:
        return None
    if (refusal := why_never_detach(s, side, order)) is not None:
        return refusal
    unit, name = order.unit, s.board.units[order.unit].name
    for one in order.detached:
        if one.substitute in s.at:
            return Refusal("21.1-2", f"{one.substitute} is in play")
        if one.at is not None and one.at != s.at[unit] and one.at not in order.path:
            return Refusal("21.1-3", f"{name} doesn't come to {s.board.place(one.at)}")
    total = sum(one.manpower for one in order.detached)
    if total >= s.manpower[unit]:
        return Refusal("21.1-13", f"{name} has {s.manpower[unit]} manpower, and keeps at least 1 of it")
    return None


def why_never_detach(s: State, side: str, order: March | Rail) -> Refusal | None:
    """Why no march can detach what an order says, wherever its unit stands (21.1-2, 21.1-11)."""
    if not order.detached:
        return None
    units, unit = s.board.units, order.unit
    if s.board.advanced is None:
        return Refusal("14.0-0", "nobody is detached in the basic game")
    name, seen = units[unit].name, set[str]()
    for one in order.detached:
        if one.substitute in seen:
            return Refusal("21.1-2", f"{one.substitute} stands there twice")
        seen.add(one.substitute)
        if one.substitute not in s.board.advanced.substitutes[side]:
            return Refusal("21.1-2", f"{one.substitute} is no substitute of yours")
        if units[one.substitute].branch != units[unit].branch:
            return Refusal("21.1-2", f"{one.substitute} is {units[one.substitute].branch}, and {name} isn't")
        if not 1 <= one.manpower <= most_of(s, one.substitute):
            what = f"{one.substitute} has 1 to {most_of(s, one.substitute)} manpower, not {one.manpower}"
            return Refusal("21.1-11", what)
    return None


def detach(s: State, unit: str, one: Detach, *, fatigue: int) -> Iterator[Tell]:
    """Put a substitute into the unit's hex, made of its men; where that can't be any more it is told why not (21.1)."""
    if unit not in s.manpower:
        return
    if one.substitute in s.at:
        yield from not_detached(s, unit, one, Refusal("21.1-2", "that is in play"))
        return
    if s.manpower[unit] <= one.manpower:
        what = f"it has {s.manpower[unit]} manpower left, and keeps at least 1 of it"
        yield from not_detached(s, unit, one, Refusal("21.1-13", what))
        return
    h, works, left = s.at[unit], s.works.get(unit, 0), s.manpower[unit] - one.manpower
    s.manpower[unit] = left
    enter(s, one.substitute, h, one.manpower, fatigue)  # 21.1-5, 21.1-7
    s.origin[one.substitute] = s.origin.get(unit, unit)  # 21.1-8
    if works:
        s.works[one.substitute] = works  # 21.1-6
    if unit in s.disorganised:
        s.disorganise(one.substitute)  # 21.1-12
    if unit in s.hungry and s.options.substitute_in_supply != "yes":
        s.hungry.add(one.substitute)  # 21.1-14
    if unit in s.demoralised:
        s.demoralise(one.substitute, s.demoralised[unit])
    facts = {"unit": unit, "substitute": one.substitute, "manpower": one.manpower, "left": left}
    yield Tell("detached", "21.1-3", facts | {"at": s.board.label[h]})


def not_detached(s: State, unit: str, one: Detach, why: Refusal) -> Iterator[Tell]:
    """Tell that a unit leaves somebody out whom its order would have it detach, at the hex where it would have been."""
    at = s.board.label[s.at[unit] if one.at is None else one.at]
    facts = {"unit": unit, "substitute": one.substitute, "manpower": one.manpower, "at": at, "reason": why.reason}
    yield Tell("no-detachment", why.clause, facts)


# --- merging (21.2) ----------------------------------------------------------------------------------------------


def why_not_merge(s: State, side: str, order: Merge) -> Refusal | None:
    """Why a unit can't merge into another (21.2-1, 21.2-6, 21.2-u0, 21.2-c0, std-6.3-1)."""
    board, advanced = s.board, s.board.advanced
    one, other = board.units[order.unit], board.units[order.into]
    if advanced is None:
        return Refusal("14.0-0", "nobody merges in the basic game")
    for unit in (order.unit, order.into):
        if board.units[unit].side != side or unit not in s.manpower:
            return Refusal("21.2-1", f"{board.describe(unit)} is no combat unit of yours on the map")
    if order.unit == order.into:
        return Refusal("21.2-1", f"{one.name} can't merge into itself")
    if one.branch != other.branch:
        return Refusal("21.2-1", f"{one.name} is {one.branch}, and {other.name} isn't")
    if s.at[order.unit] != s.at[order.into]:
        return Refusal("21.2-1", f"{one.name} isn't in the hex of {other.name}")
    if not is_substitute(s, order.unit):
        merging = advanced.merging.get(order.unit)
        if merging is None:
            return Refusal("21.2-1", f"{one.name} is no substitute, and merges into none")
        of_corps = merging.command != "" and s.command_of(order.into).command == merging.command  # 21.1-8
        if order.into not in merging.units and not of_corps:
            return Refusal(merging.clause, f"{one.name} can't merge into {other.name}")
    most = board.tables.manpower[other.branch, other.size]
    total = s.manpower[order.unit] + s.manpower[order.into]
    if total > most:
        return Refusal("21.2-6", f"{other.name} has {most} manpower at most, and would have {total}")
    return why_left_alone(s, order.unit, (), keyword="")  # std-6.3-1, R293


def merges(s: State, side: str) -> Iterator[Merge]:
    """The mergings that a side can order."""
    advanced = s.board.advanced
    if advanced is None:
        return
    for unit in s.own(side):
        if unit in advanced.merging or unit in advanced.substitutes[side]:
            orders = (Merge(unit, other) for other in s.units_in(s.at[unit], side))
            yield from (order for order in orders if why_not_merge(s, side, order) is None)


def merge(s: State, order: Merge) -> Iterator[Tell]:
    """Merge the whole of a unit into another (21.2-2 to -5, 21.2-7, 21.2-8)."""
    unit, into = order.unit, order.into
    more, had = s.manpower[unit], s.manpower[into]
    substitute = is_substitute(s, unit)
    s.manpower[into] = had + more
    if more > had:  # 21.2-3
        (s.disorganise if unit in s.disorganised else s.organise)(into)
    s.tire(into, max(s.fatigue.get(unit, 0), s.fatigue.get(into, 0)))  # 21.2-4
    s.demoralise(into, max(s.demoralised.get(unit, 0), s.demoralised.get(into, 0)))
    if unit in s.hungry:
        s.hungry.add(into)
    s.remove(unit)
    del s.removed[unit]
    if not substitute:
        s.merged[unit] = into  # 21.2-u0, 21.2-c0
    facts = {"unit": unit, "into": into, "manpower": s.manpower[into], "at": s.board.label[s.at[into]]}
    advanced = s.board.advanced
    clause = "21.2-2" if substitute or advanced is None else advanced.merging[unit].clause
    yield Tell("merged", clause, facts)
