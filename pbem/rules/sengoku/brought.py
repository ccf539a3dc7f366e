"""What the die of an event may bring, and what changes it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from pbem.rules.fates import durability_words, losses_words
from pbem.rules.kit import throws
from pbem.rules.kit.throws import Shares
from pbem.rules.sengoku.battle import flees
from pbem.rules.sengoku.board import Board

__all__ = ["FACES", "NOTHING", "SHIFTS", "by_die", "chances", "incident_words", "shifts"]

FACES = range(1, 7)

SHIFTS = {
    "ground": "the ground", "river": "the river", "skill": "skill", "morale": "morale", "castle": "the castle",
    "always": "the walls", "level": "the level of the castle", "leader": "who leads inside",
    "refused": "an earlier refusal", "battles": "battles lost and won",
}  # fmt: skip
"""Fact of an event that changes its die -> what that is."""

ANSWERS = {
    "A": "resists to the end", "B": "refuses", "C": "no answer", "D": "opens", "E": "opens for one life",
    "F": "opens for two lives", "G": "half disband", "H": "all surrender",
}  # fmt: skip
"""Answer to a call -> what it is called (20-3)."""

FATES = {**ANSWERS, "D": "all march out", "E": "one dies", "F": "two die"}
"""Answer at a fall -> what becomes of those inside (21.0(3))."""

SIEGES = {"none": "nothing", "durability-1": "durability -1", "incident": "incident"}
INCIDENTS = {
    "traitor-2": "two traitors", "traitor-1": "a traitor", "durability-2": "durability -2",
    "durability-1": "durability -1", "castle-morale-1": "morale inside -1", "besieger-morale-1": "besiegers' morale -1",
}  # fmt: skip
OF_EMPTY = INCIDENTS | {
    "traitor-2": "durability -2", "traitor-1": "durability -1", "castle-morale-1": "morale of the castle -1",
}  # fmt: skip
"""What incidents bring a castle with nobody inside (18-2-2, R172)."""

NOTHING, RECOVERS, STAYS, BEGIN, WAIT = "nothing", "recovers", "stays as it is", "begin to act", "don't act yet"


def chances(b: Board, what: str, facts: Mapping[str, Any]) -> Shares:
    """What the die of an event told could have brought, each with its chance; none of an event without dice."""
    found = by_die(b, what, facts)
    return throws.shares(Counter(found), dict.fromkeys(found))


def by_die(b: Board, what: str, facts: Mapping[str, Any]) -> list[str]:
    """What each face of the die brings; nothing of an event without dice."""
    if "die" not in facts:
        return []
    add = sum(shifts(what, facts).values())
    return [found for die in FACES if (found := _brought(b, what, facts, die, die + add))]


def shifts(what: str, facts: Mapping[str, Any]) -> dict[str, int]:
    """What changes the die of an event, and by how much; `castle` is the place of a replenishment in others."""
    if what == "recover":
        return {}  # its morale is what the die has brought (26-1-2)
    return {shift: by for shift in SHIFTS if isinstance(by := facts.get(shift), int) and by}


def _brought(b: Board, what: str, facts: Mapping[str, Any], die: int, modified: int) -> str:
    """What a die brings, by itself and modified."""
    match what:
        case "attack-result" | "counterattack-result" | "battle-result" | "interception":
            loss = b.tables.loss(modified, facts["strength"])
            told = losses_words(loss.losses)
            return f"{told} with a unit eliminated" if loss.marked else told
        case "assault":
            return durability_words(b.tables.loss(modified, facts["strength"]).losses)
        case "siege-check":
            return SIEGES[b.tables.siege[facts["inside"] > facts["limit"]][die - 1]]
        case "incident":
            return incident_words({**facts, "result": b.tables.incident(modified)})
        case "call":
            return ANSWERS[b.tables.answer(modified, facts["durability"])]
        case "judged":
            return FATES[b.tables.answer(modified, 0)]
        case "replenish":
            return _restored(b, facts, modified)
        case "recover":
            return RECOVERS if die <= facts["needed"] else STAYS
        case "flight":
            return _fled(die, flees(die, facts["ways"]))
        case "begin":
            table = next(entering.table for entering in b.entering.values() if [*entering.armies] == facts["armies"])
            return BEGIN if b.tables.begins(table, modified, facts["against"]) else WAIT
        case "thaw":
            return BEGIN if die == facts["needed"] else WAIT
    return ""


def incident_words(facts: Mapping[str, Any]) -> str:
    """What the incident of an event told brings."""
    return (OF_EMPTY if facts.get("empty") else INCIDENTS)[facts["result"]]


def _fled(die: int, hexes: int) -> str:
    """What a die of a flight brings: hexes to go, of which a castle may spare some, and a step lost for each without a
    way (24-3-2).
    """
    lost = die - hexes
    steps = f"{lost} step{'s' * (lost > 1)} lost"
    back = f"{hexes} hex{'es' * (hexes > 1)} to go"
    return " and ".join([back] * bool(hexes) + [steps] * bool(lost))


def _restored(b: Board, facts: Mapping[str, Any], modified: int) -> str:
    """What a replenishment brings."""
    column = b.armies[b.units[facts["unit"]].army].column
    steps = b.tables.steps(column, facts["place"], modified)
    if not steps:
        return NOTHING
    if facts["castle"] is not None:
        return f"durability {steps:+d}"
    if steps > 0:
        return f"{steps} step{'s' * (steps > 1)} restored"
    return f"{-steps} step{'s' * (steps < -1)} deserted"
