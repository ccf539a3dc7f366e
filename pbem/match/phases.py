"""The phases of a side that come later in the turn: those that plans can name, and what is wrong with other plans."""

from __future__ import annotations

from pbem.errors import MalformedOrder
from pbem.match.orders import Part, Plan
from pbem.match.table import Table
from pbem.words import nearest

__all__ = ["later_phases", "not_later", "phase_titles"]


def later_phases(table: Table, side: str) -> dict[str, str]:
    """The phases of a side that come in this turn behind the one that it is: short name -> title."""
    situation = table.rules.situation(table.game.state)
    ids = [phase["id"] for phase in situation["phases"]]
    coming = situation["phases"][ids.index(situation["phase"]["id"]) + 1 :]
    return {phase["id"].removeprefix(f"{side}-"): phase["title"] for phase in coming if phase["side"] == side}


def phase_titles(table: Table, side: str) -> dict[str, str]:
    """The titles of the phases that a side's plans can name, by both names of each."""
    phases = table.rules.situation(table.game.state)["phases"]
    return {name: phase["title"] for phase in phases for name in (phase["id"].removeprefix(f"{side}-"), phase["id"])}


def not_later(table: Table, side: str, parts: list[tuple[int, Part]]) -> list[MalformedOrder]:
    """The plans whose phase doesn't come any more in this turn, or is none of the side's."""
    coming = later_phases(table, side)
    wrong = []
    for line, part in parts:
        if isinstance(part, Plan) and part.phase.removeprefix(f"{side}-") not in coming:
            what = f"`in {part.phase}:` names no phase of mine that comes later in this turn"
            wrong.append(MalformedOrder(what, f"line {line}", nearest(part.phase, list(coming)) if coming else ""))
    return wrong
