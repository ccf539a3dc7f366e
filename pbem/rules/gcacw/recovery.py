"""Recovery: works and bridges, then fatigue, organisation and demoralisation (std-8, std-9, std-10, rc-recovery)."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.errors import Refusal
from pbem.rules.gcacw.board import UNION
from pbem.rules.gcacw.entering import is_major, river
from pbem.rules.gcacw.ground import MINOR, RIVERS
from pbem.rules.gcacw.holds import why_held
from pbem.rules.gcacw.orders import Bridge, Entrench, Forage, Order
from pbem.rules.gcacw.state import State
from pbem.rules.gcacw.victory import may_shut_in
from pbem.rules.gcacw.zones import in_zone
from pbem.rules.requests import Activity, Roll, Tell

__all__ = [
    "BRIDGES",
    "RESTED",
    "build",
    "entrench",
    "is_idle",
    "is_last",
    "matters",
    "rest",
    "why_not_bridge",
    "why_not_entrench",
    "why_rain_bars",
    "why_unable",
    "works",
]

RESTED = 2
"""The fatigue up to which a unit works, and recovers from demoralisation (std-8.0-4, std-9.0-1)."""

BRIDGES = 3
"""The bridges that a side can have on the map (rc-bridge)."""


def _why_not_work(s: State, side: str, unit: str, clause: str) -> Refusal | None:
    """Why a unit can neither entrench nor bridge (std-9.0-1, std-10.0-1)."""
    if s.board.units[unit].side != side or unit not in s.manpower:
        return Refusal(clause, f"{s.board.describe(unit)} is no combat unit of yours on the map")
    return why_unable(s, unit, clause) or why_held(s, unit)


def why_unable(s: State, unit: str, clause: str) -> Refusal | None:
    """Why a combat unit can do no work, or no more, in this turn, in which nobody recovers before it."""
    name = s.board.units[unit].name
    if not s.board.units[unit].infantry:
        return Refusal(clause, f"{name} is cavalry, and can't do it")
    if unit in s.demoralised:
        return Refusal(clause, f"{name} is demoralised, and can't do it")
    if s.fatigue.get(unit, 0) > RESTED:
        return Refusal(clause, f"{name} is at fatigue {s.fatigue[unit]}: {RESTED} at most can do it")
    if unit in s.foraged:
        return Refusal("20.4-2", f"{name} has foraged in this recovery")
    if unit in s.worked:
        return Refusal("std-9.0-3", f"{name} has done its work in this recovery")
    return None


def why_not_entrench(s: State, side: str, order: Entrench) -> Refusal | None:
    """Why a unit can't entrench."""
    if s.board.no_works:
        return Refusal("13.3-sp6", "nobody entrenches in this scenario")
    refusal = _why_not_work(s, side, order.unit, "std-9.0-1")
    if refusal is None and s.works.get(order.unit, 0) == len(s.board.tables.works) - 1:
        refusal = Refusal("std-9.0-2", f"{s.board.units[order.unit].name} is in a complete fort")
    return refusal


def why_not_bridge(s: State, side: str, order: Bridge) -> Refusal | None:
    """Why a unit can't try to build a bridge (std-10.0-1, std-10.0-3)."""
    if (refusal := _why_not_work(s, side, order.unit, "std-10.0-1") or why_rain_bars(s)) is not None:
        return refusal
    board, here = s.board, s.at[order.unit]
    between = board.ground.between[here].get(order.to)
    place = board.place(order.to)
    if between is not None and (here, order.to) in river(s):
        if (refusal := _why_not_pontoon(s, side)) is not None:
            return refusal
    elif between is None or between.water != MINOR:
        return Refusal("std-10.0-1", f"no minor river is between {board.units[order.unit].name} and {place}")
    if between.open or s.bridge_between(here, order.to) is not None:
        return Refusal("std-10.0-1", f"the river before {place} has a crossing")
    enemy = board.enemy[side]
    if s.units_in(order.to, enemy) or in_zone(s, side, order.to):
        return Refusal("std-10.0-3", f"{place} is the enemy's, or in his zone of control")
    major = (here, order.to) in river(s)
    if not major and sum(owner == side and not is_major(s, at) for at, owner in s.bridges.items()) >= BRIDGES:
        return Refusal("std-10.0-1", f"a side has {BRIDGES} bridges at most")
    return None


def why_rain_bars(s: State) -> Refusal | None:
    """Why nobody builds a bridge in this turn (14.0-rain-br)."""
    return Refusal("14.0-rain-br", "nobody builds a bridge in rain") if s.raining else None


def _why_not_pontoon(s: State, side: str) -> Refusal | None:
    """Why a side can't build a bridge over that river now (19.0-6 to 19.0-12)."""
    pontoon = s.board.advanced.pontoon if s.board.advanced is not None else None
    if pontoon is None or side != pontoon.side:
        return Refusal("19.0-12", "you build no bridge over a major river")
    if any(is_major(s, at) for at in s.bridges):
        return Refusal("19.0-9", "a bridge over the major river is there: one at a time")
    if s.turn == s.dismantled:
        return Refusal("19.0-7", "the bridge was taken away in this turn: build another in a later one")
    return None


def works(s: State, side: str) -> Iterator[Entrench | Bridge]:
    """All that a side can order in this step."""
    ground = s.board.ground
    for unit in s.own(side):
        if _why_not_work(s, side, unit, "std-9.0-1") is not None:
            continue
        if why_not_entrench(s, side, Entrench(unit)) is None:
            yield Entrench(unit)
        here = s.at[unit]
        for h in ground.near[here]:
            if ground.between[here][h].water in RIVERS and why_not_bridge(s, side, Bridge(unit, h)) is None:
                yield Bridge(unit, h)


def is_idle(s: State, side: str, order: Order) -> bool:
    """Whether what recovery is for can't change the score of a campaign in its last turn, whatever comes before.

    The score is counted next: works keep nobody off any more, and want of supply costs no unit (20.5-4, 20.5-7) nor
    anything that counts (22.1-vp11). A bridge of the Union may matter, over which its zones of control go (22.1-vp10).
    """
    return (
        is_last(s)
        and isinstance(order, Entrench | Bridge | Forage)
        and (side != UNION or not isinstance(order, Bridge))
    )


def matters(s: State, side: str, order: Order) -> bool:
    """Whether the score can hang on what is ordered in recovery now; before the last turn of a campaign it always can.

    On a bridge it can where that leads to a hex round a division that counts unless it is shut in (22.1-vp10).
    """
    return not is_last(s) or (side == UNION and isinstance(order, Bridge) and may_shut_in(s, order.to))


def is_last(s: State) -> bool:
    """Whether a campaign is in its last turn, behind which its score is counted."""
    return s.board.advanced is not None and s.turn == s.board.turns


def entrench(s: State, order: Entrench) -> Iterator[Tell]:
    """One stage more (std-9.0-2)."""
    s.works[order.unit] = s.works.get(order.unit, 0) + 1
    s.worked.add(order.unit)
    s.memo.clear()
    yield Tell("entrench", "std-9.0-2", {"unit": order.unit, "stage": s.works[order.unit]})


def build(s: State, order: Bridge) -> Activity:
    """Try to build a bridge (std-10.0-2)."""
    side, here = s.board.units[order.unit].side, s.at[order.unit]
    (die,) = yield Roll(f"bridge/{order.unit}", 1)
    number = s.board.tables.bridge[side]
    s.worked.add(order.unit)
    if die <= number:
        s.build(s.board.hexside(here, order.to), side)
    facts = {"unit": order.unit, "hexside": s.board.hexside(here, order.to), "die": die, "number": number}
    yield Tell("bridge", "std-10.0-2", facts | {"made": die <= number})


# --- step 3 -----------------------------------------------------------------------------------------------------------


REST = "rest"
"""The last step of a turn, in which all recover (std-8.0-1)."""


def rest(s: State) -> Iterator[Tell]:
    """All units recover (std-8.0-2 to -5)."""
    frozen = {u for rule in s.board.frozen if s.turn in rule.turns for u in rule.units}
    rested: dict[tuple[int, int], list[str]] = {}
    organised: list[str] = []
    for unit in (*s.own(UNION), *s.own(s.board.enemy[UNION])):
        if unit in frozen:
            continue  # std-8.0-5
        before = s.fatigue.get(unit, 0)
        after = s.board.tables.rest[before]
        if unit in s.demoralised and before <= RESTED:
            s.demoralise(unit, s.demoralised[unit] - 1)  # std-8.0-4
            yield Tell("steadied", "std-8.0-4", {"unit": unit, "level": s.demoralised.get(unit, 0), "step": REST})
        s.tire(unit, after)
        if after != before:
            rested.setdefault((before, after), []).append(unit)
        if unit in s.disorganised and not after and unit not in s.hungry:  # 20.5-2
            s.organise(unit)  # std-8.0-3
            organised.append(unit)
    for (before, after), units in sorted(rested.items()):
        yield Tell("rested", "std-8.0-2", {"units": units, "before": before, "after": after, "step": REST})
    if organised:
        yield Tell("organised", "std-8.0-3", {"units": organised, "step": REST})
