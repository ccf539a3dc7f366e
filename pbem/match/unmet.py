"""Why a condition doesn't hold: what it asks of units and places, and how these stand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.match.orders import Condition
from pbem.words import listed, the

__all__ = ["said", "why_unmet"]

NAMED = 3
"""So many units are named that stand in a place."""


def said(test: Condition) -> str:
    """A condition as it is written, with its `not`."""
    return " ".join([*["not"] * (not test.expected), *test.words])


def why_unmet(situation: Mapping[str, Any], test: Condition) -> str:
    """How that stands of which a condition asks that doesn't hold in a situation; "" where it says so itself."""
    match test.words:
        case ("gone", unit):
            return _whereabouts(situation, unit)
        case ("alive", unit):
            return f"{unit} is lost" if test.expected else _whereabouts(situation, unit)
        case ("at", unit, _):
            return _whereabouts(situation, unit)
        case ("is", unit, _):
            return "" if _unit(situation, unit)["at"] else _whereabouts(situation, unit)
        case ("empty", at):
            return _there(situation, at)
        case (_, at, side) if any(side == one["id"] for one in situation["sides"]):
            return _holder(situation, at) or _there(situation, at)
        case (_, place) if any(place == one.get("id") for one in situation["places"]):
            return _holder(situation, place)
    return ""


def _unit(situation: Mapping[str, Any], unit: str) -> Mapping[str, Any]:
    found: Mapping[str, Any] = next(one for one in situation["units"] if one["id"] == unit)
    return found


def _whereabouts(situation: Mapping[str, Any], unit: str) -> str:
    """Where a unit is, or in which box it lies beside the map."""
    found = _unit(situation, unit)
    if found["at"]:
        return f"{unit} is at {found['at']}"
    box = next(where["title"] for where in situation["where"] if where["id"] == found["where"])
    return " ".join((unit, "is", box))  # each box is recognised by a sentence of its own


def _there(situation: Mapping[str, Any], at: str) -> str:
    """Who stands in a place."""
    units = [unit["id"] for unit in situation["units"] if unit["at"] == at]
    if not units:
        return f"nobody is at {at}"
    more = [f"{len(units) - NAMED} more"] if len(units) > NAMED else []
    named = listed([*units[:NAMED], *more])
    return f"{named} is at {at}" if len(units) == 1 else f"{named} are at {at}"


def _holder(situation: Mapping[str, Any], which: str) -> str:
    """Whose a place is that counts, which is named by where it is or by its id; "" of any other."""
    place = next((one for one in situation["places"] if which in (one["at"], one.get("id"))), None)
    if place is None or not (place["victory"] or place["control"]):
        return ""
    titles = {side["id"]: the(side["title"]) for side in situation["sides"]}
    return f"{place['name'] or place['at']} belongs to {titles.get(place['control'], 'nobody')}"
