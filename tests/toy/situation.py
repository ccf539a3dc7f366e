"""The toy's state as plain JSON data for reports; it has no map, and its places are words."""

from __future__ import annotations

from typing import Any

from pbem.rules.kit import situation as kit
from pbem.rules.kit.situation import Badge, PhaseTitle, Where
from toy.play import to_act
from toy.state import CLOSING, LATE, LEADERS, POSTS, SIDES, UNITS, State, score

WHERE = (Where("field", "in the field", listed=True), Where("gone", "gone"))
PHASES = {
    "weather": PhaseTitle("weather", None, "The Weather", "T6"),
    "red": PhaseTitle("red", "red", "Red's Orders", "T1"),
    "blue": PhaseTitle("blue", "blue", "Blue's Orders", "T1"),
    "red-late": PhaseTitle("red-late", "red", "Red's Late Orders", "T11"),
    "blue-late": PhaseTitle("blue-late", "blue", "Blue's Late Orders", "T11"),
    "melee": PhaseTitle("melee", None, "The Melee", "T9"),
}


class _Named:
    """What the frame asks of a unit or a side."""

    def __init__(self, id: str, title: str, side: str = "") -> None:
        self.id, self.title, self.name, self.short, self.side = id, title, title, id[:8], side


def situation(s: State) -> dict[str, Any]:
    """The state for reports."""
    units = {**UNITS, **{leader: UNITS[unit] for leader, unit in LEADERS.items()}}
    return kit.situation(
        names=("toy", s.board.scenario, s.board.title),
        time=(s.turn, s.turns),
        closing=CLOSING,
        ground="",
        phases=[phase for phase in PHASES.values() if s.board.orders == "rounds" or phase.id not in LATE],
        phase=s.phase,
        active=None if s.ended or s.phase == "weather" else to_act(s),
        where=WHERE,
        sides=[
            kit.side(
                _Named(side, s.board.titles[side]),
                lost=[unit for unit, owner in units.items() if owner == side and s.place_of(unit) is None],
            )
            for side in SIDES
        ],
        units=[_unit(s, unit, side) for unit, side in units.items()],
        places=[kit.place("front", "the Front Line"), kit.place("rear")],
        progress=[
            *(kit.progress(side, "points", "T8", max(0, score(s, side)), halves=True) for side in SIDES),
            kit.progress(None, "counters drawn", "T3", len(s.board.cup) - len(s.cup), len(s.board.cup)),
        ],
        outcome=s.ended,
        maps=[],
        reconstructed=[],
    )


def _unit(s: State, unit: str, side: str) -> dict[str, Any]:
    at = s.place_of(unit)
    holder = LEADERS.get(unit)
    shaken = unit in s.shaken
    return kit.unit(
        _Named(unit, unit.title(), side),
        formation="",
        symbol="leader" if holder else "infantry",
        values={} if holder else {"nerve": 9},
        extra={} if holder else {"hit": "once" if unit in s.hit else None},
        where="gone" if at is None else "field",
        at=at,
        place="the Front Line" if at == POSTS[0] else None,
        words=["shaken"] if shaken else [],
        badges=[Badge("S", "shaken", "band")] if shaken else [],
        attached_to=(holder,) if holder and at is not None else (),
    )
