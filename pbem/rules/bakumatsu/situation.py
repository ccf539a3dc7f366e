"""The state as plain JSON data for reports; hexes by their numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pbem.rules.bakumatsu import sequence
from pbem.rules.bakumatsu.board import Unit
from pbem.rules.bakumatsu.orders import CLOSING
from pbem.rules.bakumatsu.state import State
from pbem.rules.bakumatsu.victory import NEEDED, held, outcome
from pbem.rules.kit import situation as kit
from pbem.rules.kit.phases import titles
from pbem.rules.kit.situation import Badge, Where

if TYPE_CHECKING:  # that the chances are counted exactly only the form needs
    from pbem.rules.kit.throws import Good

__all__ = ["GOOD", "situation"]

GOOD: Good = {"fire": "high", "melee": "high", "reinforcement": "high", "recover": "low", "check": "low"}
"""Stem of a roll's label -> which dice are good for the side whose unit acts or checks."""

WHERE = (
    Where("map", "on the map", listed=True),
    Where("received", "received and waiting to enter", listed=True, coming=True),
    Where("waiting", "in the reinforcement cup", coming=True),
    Where("removed", "removed"),
    Where("off", "not set up yet"),
)
BADGES = {"disordered": Badge("D", "disordered", "band")}


def situation(s: State) -> dict[str, Any]:
    """The situation; its schema is docs/situation.schema.json."""
    board, (turn, phase) = s.board, sequence.clock(s)
    return kit.situation(
        names=(board.system, board.scenario, board.title),
        time=(turn, board.turns),
        closing=CLOSING,
        ground="hex",
        phases=titles(sequence.PHASES, board.sides),
        phase=phase,
        active=None if s.ended else sequence.side_of(s),
        where=WHERE,
        sides=[
            kit.side(
                side,
                lost=[unit for unit in board.of_side[side.id] if unit in s.removed],
                later=len(s.cups[side.id]),
                ready=s.received[side.id],
            )
            for side in board.sides
        ],
        units=[_unit(s, unit) for unit in board.units.values()],
        places=_places(s),
        progress=kit.held_places(
            [(side.id, held(s, side.id)) for side in board.sides],
            ("victory hex", "victory hexes"),
            "14(4)2",
            len(s.control),
            NEEDED,
            f"To win at the end of the last turn, {NEEDED} are needed.",
        ),
        outcome=outcome(s),
        maps=[board.map.name],
        reconstructed=board.reconstructed,
    )


def _unit(s: State, unit: Unit) -> dict[str, Any]:
    h = s.at.get(unit.id)
    words = [word for word, units in (("disordered", s.disordered), ("done", s.done)) if unit.id in units]
    return kit.unit(
        unit,
        formation=unit.formation,
        symbol=unit.symbol,
        values={"fire": unit.fire or None, "melee": unit.melee or None, "morale": unit.morale, "move": unit.move},
        extra={"range": unit.range or None},
        where=_where(s, unit),
        at=None if h is None else s.board.label[h],
        place=None if h is None else s.board.map.place_names.get(h),
        words=words,
        badges=[BADGES[word] for word in words if word in BADGES],
    ) | {"code": unit.code}


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
    names = board.map.place_names
    return [
        kit.place(board.label[h], names.get(h), victory=h in s.control, entry=entry.get(h), control=s.control.get(h))
        for h in sorted({*names, *s.control, *entry})
    ]
