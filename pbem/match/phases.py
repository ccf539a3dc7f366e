"""The phases of a turn: those of a side that plans can name, and what is wrong with other plans."""

from __future__ import annotations

from typing import Any

from pbem.errors import MalformedOrder
from pbem.match.orders import Part, Plan, short_phase
from pbem.match.table import Table
from pbem.rules.requests import Choose
from pbem.words import nearest

__all__ = ["later_phases", "not_later", "phase_titles", "phases_of", "plans_to_come", "still_to_come"]


def phases_of(table: Table) -> list[dict[str, Any]]:
    """The phases of a turn in their order, as the situation tells them."""
    phases: list[dict[str, Any]] = table.rules.situation(table.game.state)["phases"]
    return phases


def later_phases(table: Table, side: str) -> dict[str, str]:
    """The phases of a side that come in this turn behind the one that it is: short name -> title."""
    phases, (_, now) = phases_of(table), table.rules.clock(table.game.state)
    coming = phases[[phase["id"] for phase in phases].index(now) + 1 :]
    return {short_phase(side, phase["id"]): phase["title"] for phase in coming if phase["side"] == side}


def still_to_come(table: Table, side: str) -> set[str]:
    """The phases, by both names of each, in which a plan of the side can still be used in this turn.

    That which has begun is one of them as long as the side was asked for no order in it.
    """
    request, now = table.game.request, table.rules.clock(table.game.state)
    if table.course.planned.get(side) != now[0]:
        return set()
    asked = any(
        step["kind"] == "order" and step["side"] == side and (step["turn"], step["phase"]) == now
        for step in table.steps
    )
    coming = set(later_phases(table, side))
    if not asked and not isinstance(request, Choose):
        coming |= {short_phase(side, p["id"]) for p in phases_of(table) if (p["side"], p["id"]) == (side, now[1])}
    return coming | {p["id"] for p in phases_of(table) if short_phase(side, p["id"]) in coming}


def phase_titles(table: Table, side: str) -> dict[str, str]:
    """The titles of the phases that a side's plans can name, by both names of each."""
    titles = {phase["id"]: phase["title"] for phase in phases_of(table)}
    return {name: title for phase, title in titles.items() for name in (short_phase(side, phase), phase)}


def plans_to_come(table: Table, side: str) -> list[Plan]:
    """A side's plans whose phase is still to come in this turn; those that have passed unused lapse with it."""
    plans = [part for _, part in table.course.plans[side] if isinstance(part, Plan)]
    coming = still_to_come(table, side) if plans and table.outcome is None else ()
    return [plan for plan in plans if plan.phase in coming]


def not_later(table: Table, side: str, parts: list[tuple[int, Part]]) -> list[MalformedOrder]:
    """The plans whose phase doesn't come any more in this turn, or is none of the side's."""
    plans = [(line, part.phase) for line, part in parts if isinstance(part, Plan)]
    coming = later_phases(table, side) if plans else {}
    wrong = []
    for line, phase in plans:
        if short_phase(side, phase) not in coming:
            what = f"`in {phase}:` names no phase of mine that comes later in this turn"
            wrong.append(MalformedOrder(what, f"line {line}", nearest(phase, list(coming)) if coming else ""))
    return wrong
