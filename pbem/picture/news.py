"""What happened, as a map or table shows it: moves, and fights with all who took part, numbered as in the game."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import takewhile
from typing import Any

from pbem.language import say, shown

__all__ = ["is_fight", "marks"]

Json = dict[str, Any]
_ATTACKS = frozenset({"melee", "attack", "fight", "attack-result"})
"""Fights in which one attacks another."""


def is_fight(step: Mapping[str, Any]) -> bool:
    """Whether a step of a report is a fight; its number in the game stands in it, in words as in pictures."""
    facts = step.get("facts", {})
    return step["kind"] == "tell" and "result" in facts and "at" in facts and bool(facts.get("from"))


def marks(steps: Iterable[Json], situation: Json) -> dict[str, list[Json]]:
    """What the map shows of the news.

    `moves` are {unit, side, path, old, title}, the hex left first; of a stronghold that changed hands the path is its
    hex `alone`. `fights` are {number, from, at, kind, target, result, old, title}, `from` being the hexes of all who
    took part, the main unit's first, `target` a unit or "". What the newest entry with anything to show brought about
    isn't `old`.
    """
    told = list(steps)
    sides = {unit["id"]: unit["side"] for unit in situation["units"]}
    stood = _stood(told, situation)
    moves: list[Json] = []
    fights: list[Json] = []
    for place, step in enumerate(told):
        facts = step.get("facts", {}) if step["kind"] == "tell" else {}
        if is_fight(step):
            sources = dict.fromkeys((*_sources(facts), *stood.get(place, ())))
            fight = {
                "number": step.get("fight", len(fights) + 1),
                "from": list(sources),
                "at": facts["at"],
                "kind": step["what"],
                "target": facts.get("target", ""),
            }
            fights.append(
                {
                    **fight,
                    "result": _result(told, place),
                    "old": step["seq"],
                    "title": _fought(facts, step["what"], situation),
                }
            )
        elif path := _path(facts):
            title = _went(step["what"], _unit(facts["unit"], situation), _place(path[-1], situation))
            move = {"unit": facts["unit"], "side": sides.get(facts["unit"], ""), "path": path}
            move |= {"stood": facts["stood"]} if "stood" in facts else {}
            moves.append({**move, "old": step["seq"], "title": title})
        elif step.get("what") == "control" and "army" in facts:
            title = say(
                "%(place)s passed to the %(army)s", place=_place(facts["at"], situation), army=shown(facts["army"])
            )
            move = {"unit": "", "side": facts["side"], "path": [facts["at"]], "alone": True}
            moves.append({**move, "old": step["seq"], "title": title})
    newest = max((mark["old"] for mark in (*moves, *fights)), default=0)
    for mark in (*moves, *fights):
        mark["old"] = mark["old"] < newest
    return {"moves": moves, "fights": fights}


def _sources(facts: Json) -> list[str]:
    """The hexes from which a fight is made, as far as its facts tell them: that of its unit, or those of all."""
    found = facts["from"]
    return [found] if isinstance(found, str) else found


def _result(steps: Sequence[Json], place: int) -> str:
    """The result of a fight; of one in rounds all losses that its attacker inflicted."""
    what, facts = steps[place]["what"], steps[place]["facts"]
    if "round" not in facts:
        return str(facts["result"])
    behind = takewhile(lambda step: not is_fight(step), steps[place + 1 :])
    later = [step["facts"] for step in behind if step["kind"] == "tell" and step["what"] == what]
    return str(facts["result"] + sum(one["result"] for one in later if one["unit"] == facts["unit"]))


def _path(facts: Json) -> list[str]:
    """The way of a unit that went, the hex left first; empty for anything else."""
    path = facts.get("path") or ([facts["to"]] if "to" in facts else [])
    start = facts.get("from")
    if "unit" not in facts or not path:
        return []
    whole = [*([start] if start and path[0] != start else []), *path]
    return whole if len(whole) > 1 else []


def _stood(steps: list[Json], situation: Json) -> dict[int, list[str]]:
    """Place of a fight among the steps -> where those stood who took part with the main unit.

    Told backwards from where the units are now.
    """
    at: dict[str, str | None] = {unit["id"]: unit["at"] for unit in situation["units"]}
    found = {}
    for place in range(len(steps) - 1, -1, -1):
        step = steps[place]
        facts = step.get("facts", {}) if step["kind"] == "tell" else {}
        unit = facts.get("unit")
        if is_fight(step):
            found[place] = [h for other in facts.get("with") or () if (h := at.get(other))]
        elif unit is not None and ("path" in facts or "to" in facts):
            group = facts.get("units", ())
            at.update(dict.fromkeys(group if unit in group else (unit,), facts.get("from")))
        elif unit is not None and at.get(unit) is None:
            at[unit] = facts.get("at")
    return found


def _fought(facts: Json, what: str, situation: Json) -> str:
    """`Saga (sa-09) attacked Kuwana 1st Company (sg-11) in hex 0512`; one other is named, of several how many."""
    place = _place(facts["at"], situation)
    inside = situation["ground"] and not _name(facts["at"], situation)
    where = say("in %(place)s", place=place) if inside else say("at %(place)s", place=place)
    if facts.get("unit") not in (unit["id"] for unit in situation["units"]):
        return say("%(fight)s %(at)s", fight=shown(what.replace("_", " ")), at=where)
    who = _together(facts, situation)
    if not facts.get("target"):
        if what == "assault":
            return say("%(unit)s assaulted the castle %(at)s", unit=who, at=where)
        return say("%(unit)s engaged %(at)s", unit=who, at=where)
    target = _unit(facts["target"], situation)
    if what == "fire":
        return say("%(unit)s fired at %(target)s %(at)s", unit=who, target=target, at=where)
    if what in _ATTACKS:
        return say("%(unit)s attacked %(target)s %(at)s", unit=who, target=target, at=where)
    if what == "battle-result":
        return say("%(unit)s gave battle to %(target)s %(at)s", unit=who, target=target, at=where)
    return say("%(unit)s engaged %(target)s %(at)s", unit=who, target=target, at=where)


def _together(facts: Json, situation: Json) -> str:
    """Who fought, with whom: one other is named, of several how many."""
    unit, others = _unit(facts["unit"], situation), facts.get("with") or ()
    if not others:
        return unit
    if len(others) == 1:
        return say("%(unit)s with %(other)s", unit=unit, other=_unit(others[0], situation))
    return say("%(unit)s with %(number)s others", unit=unit, number=len(others))


def _went(what: str, unit: str, place: str) -> str:
    """Who went where."""
    if what == "flee":
        return say("%(unit)s fled to %(place)s", unit=unit, place=place)
    return say("%(unit)s went to %(place)s", unit=unit, place=place)


def _unit(unit: str, situation: Json) -> str:
    """`Denshutai 1st Battalion (sg-02)`: what the report calls a unit at its first mention."""
    name = next((one["name"] for one in situation["units"] if one["id"] == unit), unit)
    return f"{name} ({unit})" if name != unit else unit


def _place(label: str, situation: Json) -> str:
    """`Akaike (1810)`, `hex 1812`, `31.5 12` on a table, whose picture has coordinates at its edges."""
    if situation.get("table"):
        from pbem.maps.tabletop import coordinates  # who plays on maps needs none of it

        return coordinates(label)
    name = _name(label, situation)
    if name:
        return f"{name} ({label})"
    return say("%(hex)s %(number)s", hex=situation["ground"], number=label).lstrip()


def _name(label: str, situation: Json) -> str | None:
    return next((place["name"] for place in situation["places"] if place["at"] == label), None)
