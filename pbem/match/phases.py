"""The phases of a turn: those of a side that plans can name, and what is wrong with other plans."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from pbem.errors import IllegalOrder, MalformedOrder, OrderError, Refusal
from pbem.match.orders import Act, Part, Plan, short_phase, statement_of
from pbem.match.table import Table
from pbem.rules.requests import Choose, Order
from pbem.words import nearest

__all__ = [
    "later_phases", "never_given", "never_left", "phase_titles", "phases_of", "plans_to_come", "plans_told",
    "still_to_come", "why_not_later", "why_not_planned", "wrong_plans",
]  # fmt: skip


PLANS_TOLD = 5
"""So many plans are named."""


def phases_of(table: Table) -> list[dict[str, Any]]:
    """The phases of a turn in their order, as the situation tells them."""
    phases: list[dict[str, Any]] = table.rules.situation(table.game.state)["phases"]
    return phases


def later_phases(table: Table, side: str) -> dict[str, str]:
    """The phases for which a side may plan, which come in this turn behind the one that it is: short name -> title."""
    rules, closing = table.rules, (table.rules.CLOSING,)
    done = rules.read_order(table.board, side, closing)
    return {
        name: phase["title"]
        for name, phase in _coming(table, side).items()
        if rules.why_never(table.game.state, side, phase["id"], done) is None
    }


def _coming(table: Table, side: str) -> dict[str, dict[str, Any]]:
    """A side's phases that come in this turn behind the one that it is, by short name, also those of answers alone."""
    phases, (_, now) = phases_of(table), table.rules.clock(table.game.state)
    coming = phases[[phase["id"] for phase in phases].index(now) + 1 :]
    return {short_phase(side, phase["id"]): phase for phase in coming if phase["side"] == side}


def still_to_come(table: Table, side: str) -> set[str]:
    """The phases, by both names of each, in which a plan of the side can still be used in this turn.

    That which has begun is one of them as long as the side was asked for no order in it.
    """
    request, now = table.game.request, table.rules.clock(table.game.state)
    if table.course.planned.get(side, (0, ""))[0] != now[0]:
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


def plans_told(table: Table, side: str, but: Iterable[str] = ()) -> str:
    """A side's plans whose phase is still to come, as they are signed, the first of them, but for some; "" for none.

    What is planned twice is told once.
    """
    said = dict.fromkeys(str(statement_of(plan)) for plan in plans_to_come(table, side))
    found = [words for words in said if words not in but]
    more = f" and {len(found) - PLANS_TOLD:,} more" if len(found) > PLANS_TOLD else ""
    return " ".join(found[:PLANS_TOLD]).removesuffix(";") + more


def why_not_later(table: Table, side: str, phase: str) -> MalformedOrder | None:
    """Why a plan is for no phase: none of that name comes any more in this turn, or it is none of the side's."""
    return _why_not_one_of(table, _coming(table, side), side, phase)


def why_not_planned(table: Table, side: str, phase: str, order: Order) -> Refusal | None:
    """Why an order can't be given in a later phase of a side's in this turn, whatever comes before."""
    return _why_never(table, side, _coming(table, side), phase, order)


def _why_never(table: Table, side: str, coming: dict[str, dict[str, Any]], phase: str, order: Order) -> Refusal | None:
    """The same, where the side's phases to come are known."""
    return table.rules.why_never(table.game.state, side, coming[short_phase(side, phase)]["id"], order)


def wrong_plans(table: Table, side: str, parts: list[tuple[int, Part]]) -> dict[int, OrderError]:
    """The plans that can't be used whatever happens, by their place among the parts, from 0, each with its error.

    Their phase doesn't come, or it never has such an order.
    """
    plans = [(place, line, part) for place, (line, part) in enumerate(parts) if isinstance(part, Plan)]
    coming = _coming(table, side) if plans else {}
    wrong: dict[int, OrderError] = {}
    for place, line, plan in plans:
        if (error := _why_not_one_of(table, coming, side, plan.phase)) is not None:
            wrong[place] = error.inside(f"line {line}")
        elif (
            isinstance(plan.part, Act)
            and (why := _why_never(table, side, coming, plan.phase, plan.part.order)) is not None
        ):
            what = f"`{str(statement_of(plan)).removesuffix(';')}`: {why.reason}"
            wrong[place] = IllegalOrder(what, f"line {line}", "", why.clause)
    return wrong


def never_given(table: Table, side: str, parts: list[tuple[int, Part]]) -> dict[int, OrderError]:
    """The orders that can be given in no phase that is left of the turn, by their place from 0, each with its error.

    Each is told as that phase refuses it which has orders of its kind. Only those of a decision with later steps: of
    others futures tell; nor one with conditions that may keep it from coming to its turn in this step.
    """
    rules, asked = table.rules, table.game.request
    if not isinstance(asked, Choose) or asked.ends is None:
        return {}
    acts = [
        (place, line, part)
        for place, (line, part) in enumerate(parts)
        if isinstance(part, Act) and rules.step(part.order) >= asked.ends.step + bool(part.tests)
    ]
    judge = never_left(table, side)
    wrong: dict[int, OrderError] = {}
    for place, line, act in acts:
        if (why := judge(act.order)) is not None:
            what = f"`{str(statement_of(act)).removesuffix(';')}`: {why.reason}"
            wrong[place] = IllegalOrder(what, f"line {line}", "", why.clause)
    return wrong


def never_left(table: Table, side: str) -> Callable[[Order], Refusal | None]:
    """What tells why an order can be given in no phase that is left of the turn, the one that it is among them.

    It is refused as that phase does it which has orders of its kind; None where a phase may have it.
    """
    rules, state, phases = table.rules, table.game.state, phases_of(table)
    now = [phase["id"] for phase in phases].index(rules.clock(state)[1])
    left = [phase["id"] for phase in phases[now:] if phase["side"] in (side, None)]

    def why(order: Order) -> Refusal | None:
        if not left:
            return Refusal("", f"no phase is left of the {rules.TURN} in which it could be given")
        found = [rules.why_never(state, side, phase, order) for phase in left]
        refusals = [refusal for refusal in found if refusal is not None]
        if not refusals or len(refusals) < len(found):
            return None
        return min(refusals, key=lambda refusal: refusal.elsewhere)

    return why


def _why_not_one_of(table: Table, coming: dict[str, dict[str, Any]], side: str, phase: str) -> MalformedOrder | None:
    if short_phase(side, phase) in coming:
        return None
    what = f"`in {phase}:` names no phase of mine that comes later in this {table.rules.TURN}"
    if _goes_without(table, phase):
        what = f"`in {phase}:` names a phase that both sides share, and plans are for phases of mine"
        return MalformedOrder(what, "", "write what is ordered for it without `in`")
    known = {short_phase(side, found["id"]) for found in phases_of(table)}
    over = short_phase(side, phase) in known  # no slip of the pen, to which another phase would be the nearest
    told = f"there are: {', '.join(coming)}" if over else nearest(phase, list(coming))
    return MalformedOrder(what, "", told if coming else "")


def _goes_without(table: Table, phase: str) -> bool:
    """Whether a phase is one that comes still, which both sides share, and whose orders an entry has in their step."""
    request, (_, now) = table.game.request, table.rules.clock(table.game.state)
    ids = {found["id"]: found["side"] for found in phases_of(table) if not found.get("once")}
    coming = list(ids)[list(ids).index(now) :] if now in ids else []
    return isinstance(request, Choose) and request.ends is not None and phase in coming and ids[phase] is None
