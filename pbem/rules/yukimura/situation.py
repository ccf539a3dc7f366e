"""The state as plain JSON data for reports; hexes by their numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pbem.maps.hexes import Hex
from pbem.rules.kit import situation as kit
from pbem.rules.kit.phases import phase_id, titles
from pbem.rules.kit.situation import Badge, Goal, Where
from pbem.rules.yukimura import sequence
from pbem.rules.yukimura.board import EAST, Side, Unit
from pbem.rules.yukimura.held import is_held
from pbem.rules.yukimura.movement_phase import entry_hexes
from pbem.rules.yukimura.orders import CLOSING
from pbem.rules.yukimura.state import State
from pbem.rules.yukimura.victory import outcome, progress
from pbem.words import the

if TYPE_CHECKING:  # that the chances are counted exactly only the form needs
    from pbem.rules.kit.throws import Good

__all__ = ["GOOD", "situation"]

GOOD: Good = {"fire": "high", "melee": "high", "check": "low", "release": "low", "arrival": "low"}
"""Stem of a roll's label -> which dice are good for the side whose unit acts or checks, or whose force waits."""

WHERE = (
    Where("map", "on the map", listed=True),
    Where("exited", "off the map by its edge", listed=True),
    Where("waiting", "beside the map", coming=True),
    Where("removed", "removed"),
    Where("off", "with no part in the battle"),
)
BADGES = {
    "commander": Badge("*", "commander", "star"),
    "pinned": Badge("P", "pinned"),
    "held": Badge("H", "held"),
    "out-of-command": Badge("O", "out-of-command"),
    "fired": Badge("F", "fired"),
}


def situation(s: State) -> dict[str, Any]:
    """The situation; its schema is docs/situation.schema.json."""
    board = s.board
    return kit.situation(
        names=(board.system, board.scenario, board.title),
        time=(s.turn, board.turns),
        closing=CLOSING,
        ground="hex",
        phases=titles(sequence.PHASES, board.sides),
        phase=phase_id(sequence.PHASES[s.phase], board.sides),
        active=None if s.ended else sequence.side_of(s),
        where=WHERE,
        sides=[_side(s, side) for side in board.sides],
        units=[_unit(s, unit) for unit in board.units.values()],
        places=_places(s),
        progress=[*_star(s), *progress(s)],
        outcome=outcome(s),
        maps=board.maps,
        reconstructed=board.reconstructed,
    )


def _side(s: State, side: Side) -> dict[str, Any]:
    own = {force: units for force, units in s.waiting.items() if s.board.forces[force].side == side.id}
    return kit.side(
        side,
        lost=[unit for unit in s.board.of_side[side.id] if unit in s.removed],
        later=sum(len(units) for force, units in own.items() if force not in s.arrived),
        ready=[unit for force, units in own.items() if force in s.arrived for unit in units],
    )


def _star(s: State) -> list[dict[str, Any]]:
    """Who holds the star hex, where there is one."""
    if s.board.star is None:
        return []
    holds = [(side.id, int(s.star_holder == side.id)) for side in s.board.sides]
    return kit.held_places(holds, ("victory hex", "victory hexes"), "14-4(6)", 1, None, None)


def _unit(s: State, unit: Unit) -> dict[str, Any]:
    h = s.at.get(unit.id)
    words = _words(s, unit)
    return kit.unit(
        unit,
        formation=unit.force,
        symbol=unit.branch,
        values={
            "strength": unit.strength,
            "morale": "*" if unit.morale is None else unit.morale,
            "move": unit.move,
        },
        where=_where(s, unit.id),
        at=None if h is None else s.board.label[h],
        place=None if h is None else s.board.map_of(h).place_names.get(h),
        words=words,
        badges=[badge for word, badge in BADGES.items() if word in words],
    )


def _words(s: State, unit: Unit) -> list[str]:
    marks = (
        ("held", is_held(s, unit.id)),
        ("pinned", unit.id in s.pinned),
        ("moved", unit.id in s.moved),
        ("fired", unit.id in s.fired),
        ("fought", unit.id in s.fought),
        ("out-of-command", unit.id in s.out_of_command),
        ("commander", unit.commander),
    )
    return [word for word, marked in marks if marked]


def _where(s: State, unit: str) -> str:
    for word, units in (("map", s.at), ("removed", s.removed), ("exited", s.exited)):
        if unit in units:
            return word
    return "waiting" if unit in s.waiting.get(s.board.units[unit].force, ()) else "off"


def _places(s: State) -> list[dict[str, Any]]:
    """Every named hex, entry hex and hex that decides the game, in the order of the maps."""
    board = s.board
    names = {h: name for m in board.maps.values() for h, name in m.place_names.items()}
    entry = {h: arrival.side for force, arrival in board.arrivals.items() for h in entry_hexes(s, force)}
    goals = _goals(s)
    stars = {board.star} if board.star is not None else set()
    return [
        kit.place(
            board.label[h],
            names.get(h),
            victory=h == board.star,
            entry=entry.get(h),
            control=s.star_holder if h == board.star else None,
            goal=goals.get(h),
        )
        for h in sorted({*names, *entry, *goals, *stars})
    ]


def _goals(s: State) -> dict[Hex, Goal]:
    """Western road hexes, and where the commanders start who must not leave."""
    board = s.board
    titles = {side.id: the(side.title) for side in board.sides}
    found = {h: Goal(EAST, "reach", f"{titles[EAST]} wins here at the end of a turn") for h in board.breakthrough}
    for side, leaders in board.collapse.items():
        goal = Goal(side, "keep", f"{titles[side]} loses when its commander leaves here")
        found |= {h: goal for unit in leaders if (h := board.units[unit].start) is not None}
    return found
