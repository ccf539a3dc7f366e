"""The state as plain JSON data for reports; hexes by their numbers."""

from __future__ import annotations

from typing import Any

from pbem.rules.bakumatsu import sequence
from pbem.rules.bakumatsu.board import Side, Unit
from pbem.rules.bakumatsu.state import State
from pbem.rules.bakumatsu.victory import NEEDED, held, outcome
from pbem.rules.kit.phases import phase_id, phase_title

__all__ = ["situation"]


def situation(s: State) -> dict[str, Any]:
    """The situation; its schema is docs/situation.schema.json."""
    board, phase = s.board, sequence.PHASES[s.phase]
    return {
        "system": board.system,
        "scenario": board.scenario,
        "title": board.title,
        "turn": s.turn,
        "turns": board.turns,
        "phase": {
            "id": phase_id(phase, board.sides),
            "title": phase_title(phase, board.sides),
            "clause": phase.clause,
        },
        "active": None if s.ended else sequence.side_of(s),
        "sides": [_side(s, side) for side in board.sides],
        "units": [_unit(s, unit) for unit in board.units.values()],
        "places": _places(s),
        "needed": NEEDED,
        "progress": [],  # the victory hexes are all there is to count
        "outcome": None if (ended := outcome(s)) is None else ended._asdict(),
        "maps": [board.map.name],
        "reconstructed": list(board.reconstructed),
    }


def _side(s: State, side: Side) -> dict[str, Any]:
    return {
        "id": side.id,
        "title": side.title,
        "victory_hexes": held(s, side.id),
        "on_map": len(s.stands[side.id]),
        "waiting": len(s.cups[side.id]),
        "received": list(s.received[side.id]),
        "removed": [unit for unit in s.board.of_side[side.id] if unit in s.removed],
    }


def _unit(s: State, unit: Unit) -> dict[str, Any]:
    h = s.at.get(unit.id)
    words = [word for word, units in (("disordered", s.disordered), ("done", s.done)) if unit.id in units]
    return {
        "id": unit.id,
        "name": unit.name,
        "short": unit.short,
        "side": unit.side,
        "formation": unit.formation,
        "symbol": unit.symbol,
        "code": unit.code,
        "values": {
            "fire": unit.fire or None,
            "melee": unit.melee or None,
            "morale": unit.morale,
            "move": unit.move,
            "range": unit.range or None,
        },
        "where": _where(s, unit),
        "at": None if h is None else s.board.label[h],
        "place": None if h is None else s.board.map.place_names.get(h),
        "words": words,
    }


def _where(s: State, unit: Unit) -> str:
    if unit.id in s.at:
        return "map"
    if unit.id in s.removed:
        return "removed"
    if unit.id in s.received[unit.side]:
        return "received"
    return "waiting" if unit.id in s.cups[unit.side] else "off"


def _places(s: State) -> list[dict[str, Any]]:
    """Every named, victory and entry hex, in the order of the map."""
    board = s.board
    entry = {side.entry: side.id for side in board.sides if side.entry is not None}
    named = sorted({*board.map.place_names, *s.control, *entry})
    return [
        {
            "name": board.map.place_names.get(h),
            "at": board.label[h],
            "victory": h in s.control,
            "entry": entry.get(h),
            "control": s.control.get(h),
        }
        for h in named
    ]
