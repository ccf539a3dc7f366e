"""The state as plain JSON data for reports: counters as they show it, stations, what scores now."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from pbem.maps.hexes import Hex
from pbem.rules.gcacw import sequence
from pbem.rules.gcacw.board import CONFEDERATE, DESTROYED, LEADER, UNION, Side, Unit
from pbem.rules.gcacw.events import due_in
from pbem.rules.gcacw.halves import half
from pbem.rules.gcacw.holds import held
from pbem.rules.gcacw.in_force import in_force
from pbem.rules.gcacw.standing import STATES
from pbem.rules.gcacw.state import State
from pbem.rules.gcacw.substitutes import is_substitute
from pbem.rules.gcacw.victory import items, outcome, score, total
from pbem.rules.gcacw.wording import CLOSING
from pbem.rules.kit import situation as kit
from pbem.rules.kit.phases import phase_id, titles
from pbem.rules.kit.situation import Badge, Where

if TYPE_CHECKING:  # that the chances are counted exactly only the form needs
    from pbem.rules.kit.throws import Good

__all__ = ["GOOD", "TOLL", "WORKS", "situation"]

GOOD: Good = {
    "initiative": "high", "march": "high", "extended": "low", "evade": "high", "assault": "low", "joins": "low",
    "artillery": "high", "attack": "high", "defence": "high", "bridge": "low", "repair": "low", "forage": "low",
}  # fmt: skip
"""Stem of a roll's label -> which dice are good for whose they are; of `artillery` the attacker's.

Neither high nor low ones are of an event, of the end of a cycle, and of a leader in danger.
"""

TOLL: tuple[str, str, dict[str, str]] = ("manpower", "manpower", {"loss": "points", "remove": "points"})
"""What units lose before they are lost, one and several, and event -> its fact that says how much."""

WHERE = (
    Where("map", "on the map", listed=True),
    Where("waiting", "still to come", coming=True),
    Where("removed", "lost"),
    Where("out", "not in play"),
)

COLOURS = {UNION: "blue", CONFEDERATE: "butternut"}
"""Side -> the colour by which it is known."""

TOLD = ("unsupplied", "disorganised", "demoralised", "killed", "held")
"""The states that are told of a unit in a word."""

WORKS = ("", "breastworks begun", "breastworks", "fort begun", "fort")
"""Stage of entrenchment -> what it is called (std-9.0-2)."""

SEVERAL = (CONFEDERATE,)
"""The sides whose title is that of several: `Confederates have won`."""

ARMIES = {"ANV": "Army of Northern Virginia", "AV": "Army of Virginia", "AP": "Army of the Potomac"}
"""Army -> its name (2.6-1)."""

CORPS = {"Cav": "Cavalry", "J": "Jackson's corps", "L": "Longstreet's corps"}
"""Command -> what it is called, where that isn't a number."""


def situation(s: State) -> dict[str, Any]:
    """The situation; its schema is docs/situation.schema.json."""
    board = s.board
    return kit.situation(
        names=(board.system, board.scenario, board.title),
        time=(s.turn, board.turns),
        closing=CLOSING,
        ground="hex",
        phases=titles(sequence.phases_of(board), board.sides, {side.id: side.adjective for side in board.sides}),
        phase=phase_id(sequence.phase_of(s), board.sides),
        active=None if s.ended else sequence.side_of(s),
        where=WHERE,
        sides=[_side(s, side) for side in board.sides],
        units=[_unit(s, unit) for unit in board.units.values()],
        places=_places(s),
        progress=_progress(s),
        outcome=outcome(s),
        maps=[board.map.name],
        by_formation=True,
        in_force=in_force(s),
        reconstructed=board.reconstructed,
    )


def _side(s: State, side: Side) -> dict[str, Any]:
    """A side: whom it has lost, and who is still to come."""
    waiting = [one for one in s.board.arrivals.values() if one.id in s.waiting and one.side == side.id]
    lost = [u for u in s.board.of_side[side.id] if _where(s, u) == "removed" and not s.board.units[u].leader]
    later = sum(len(one.starts) for one in waiting if due_in(s, one) <= s.board.turns)
    return kit.side(side, lost=lost, later=later, colour=COLOURS[side.id], several=side.id in SEVERAL)


# --- units ------------------------------------------------------------------------------------------------------------


def formation(unit: Unit) -> str:
    """The corps of a unit, or its army where it is independent or leads it; two armies may have a III Corps."""
    if not unit.command:
        return ARMIES[unit.army]
    number, _, army = unit.command.partition("-")
    return CORPS.get(unit.command, f"{number} Corps, {ARMIES[army]}" if army else f"{number} Corps")


def _unit(s: State, unit: Unit) -> dict[str, Any]:
    h = s.at.get(unit.id)
    words = [word for word in TOLD if h is not None and STATES[word](s, unit.id)]
    return kit.unit(
        unit,
        formation=formation(s.command_of(unit.id)),
        symbol=f"{unit.size}-leader" if unit.leader else f"{unit.branch}-{unit.size}",
        values=_values(s, unit),
        where=_where(s, unit.id),
        at=None if h is None else s.board.label[h],
        place=None if h is None else s.board.map.place_names.get(h),
        words=words,
        badges=[*_badges(s, unit.id)] if h is not None else (),
        extra=_extra(s, unit),
        attached_to=_with(s, unit),
        command=f"{unit.size} leader" if unit.branch == LEADER else "",
        arrival=s.board.arrival_of(unit.id),
    )


def _where(s: State, unit: str) -> str:
    """Where a counter is: one that is only used now and then, or never again, is neither lost nor to come (21, 18.0-5).

    That is a substitute, one merged for good, and the army leader before he takes over, or once another has.
    """
    advanced = s.board.advanced
    if unit in s.at:
        return "map"
    changes = advanced is not None and advanced.panic is not None and unit in advanced.panic
    if unit in s.merged or is_substitute(s, unit) or (changes and unit not in s.board.starts) or _gone(s, unit):
        return "out"
    return "removed" if unit in s.removed else "waiting"


def _gone(s: State, unit: str) -> bool:
    """Whether an army leader has gone in panic (18.0-5)."""
    return s.replaced is not None and unit == s.replaced[0]


def _values(s: State, unit: Unit) -> dict[str, int | str | None]:
    """What counts as things stand: of a unit its combat value, tactical and artillery value, of a leader his two.

    The last two are 0 of a demoralised unit (std-11.0-2, std-7.3-2).
    """
    if unit.leader:
        tactical = None if unit.tactical is None else s.tactical(unit.id)
        return {"tactical": tactical, "command": s.command_value(unit.id)}
    value = half(s.value(unit.id)) if unit.id in s.manpower else None
    shaken = unit.id in s.demoralised
    tactical, artillery = (0 if shaken else printed for printed in (unit.tactical, unit.artillery))
    return {"combat value": value, "tactical": tactical, "artillery": artillery}


def _extra(s: State, unit: Unit) -> dict[str, int | str | None]:
    """What players keep on paper beside the counters."""
    if unit.id not in s.manpower:
        return {}
    return {
        "fatigue": s.fatigue.get(unit.id, 0),
        "manpower": s.manpower[unit.id],
        **_changed(s, unit.id),
        "demoralised": s.demoralised.get(unit.id),
        "works": WORKS[s.works.get(unit.id, 0)] or None,
    } | ({"detached from": s.board.units[s.origin[unit.id]].name} if unit.id in s.origin else {})


def _changed(s: State, unit: str) -> dict[str, int | None]:
    """What a unit has lost; in a campaign, where it leaves men behind and takes others in, with how many it began."""
    first, now = _first(s, unit), s.manpower[unit]
    if s.board.advanced is None:
        return {"lost": first - now or None}
    return {"began with": first if first != now else None}


def _first(s: State, unit: str) -> int:
    """The manpower with which a unit began or came."""
    arriving = (start for arrival in s.board.arrivals.values() for start in arrival.starts)
    begins = (start for start in (*s.board.starts.values(), *arriving) if start.unit == unit)
    return next((start.manpower for start in begins), s.manpower[unit])


def _badges(s: State, unit: str) -> Iterator[Badge]:
    """What a counter shows besides its values, the most important first."""
    if unit in s.demoralised:
        yield Badge("M" * s.demoralised[unit], f"demoralised {s.demoralised[unit]}")
    if unit in s.killed:
        yield Badge("K", "killed, a substitute leads")
    if unit in s.disorganised:
        yield Badge("D", "disorganised", "stripes")
    told = [("E", WORKS[s.works[unit]])] if s.works.get(unit) else []
    told += [("S", "out of supply")] if unit in s.hungry else []
    if told:
        yield Badge("".join(sign for sign, _ in told), ", ".join(title for _, title in told), "corner")
    if held(s, unit):
        yield Badge("H", "may not act yet")


def _with(s: State, unit: Unit) -> tuple[str, ...]:
    """The units of his command in a leader's hex."""
    h = s.at.get(unit.id)
    if not unit.leader or h is None:
        return ()
    return tuple(other for other in s.units_in(h, unit.side) if s.commands(unit.id, other))


# --- places and score -------------------------------------------------------------------------------------------------


def _places(s: State) -> list[dict[str, Any]]:
    """Every hex with a name, a station or an objective, in the order of the map."""
    board = s.board
    hexes = {*board.map.place_names, *board.stations, *board.objectives, *board.depots}
    bridged = {board.parse(at.split("/")[0]) for at in s.bridges}
    return [_place(s, h) for h in sorted(hexes | bridged)]


def _place(s: State, h: Hex) -> dict[str, Any]:
    board, place = s.board, s.board.label[h]
    name = board.map.place_names.get(h)
    control = CONFEDERATE if place in s.controlled else None
    return kit.place(place, name, victory=h in board.objectives, control=control, sign=_sign(s, h))


def _sign(s: State, h: Hex) -> tuple[str, str] | None:
    """What lies on a hex for the state of its station, a depot that still stands there, a bridge that begins there."""
    if (station := s.station.get(h)) is not None:
        return ("X", "station destroyed") if station == DESTROYED else ("/", "station damaged")
    place = s.board.label[h]
    if place in s.depots:
        return "D", "Union depot"
    return ("B", "end of a built bridge") if any(at.split("/")[0] == place for at in s.bridges) else None


def _progress(s: State) -> Iterator[dict[str, Any]]:
    """The Confederate's points as the battle stands, each line of the list, and what they mean (13.0-3)."""
    from pbem.rules.gcacw.scoring import short, told  # in words only reports need it

    yield kit.progress(None, "points", s.board.victory.clause, total(s), told=score(s), short="Confederate score")
    for item in items(s):
        if item.points:
            line, words = item.line, told(s, item)
            yield kit.progress(None, "points", line.clause, item.points, told=words, part=True, short=short(s, line))
