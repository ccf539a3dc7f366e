"""The state of a battle: plain data over a Board, cheap to copy, dumped as JSON; and the changes rules make to it."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.maps.hexes import Hex
from pbem.records import NamedTuple, Record
from pbem.rules.kit import stacks
from pbem.rules.kit import state as kit
from pbem.rules.kit.options import chosen
from pbem.rules.requests import Tell
from pbem.rules.yukimura.board import Board

__all__ = ["OPTIONS", "Ended", "Options", "State", "copy", "dump", "load", "start"]

OPTIONS = {
    "ishikawa-reading": ("gate", "release"),
    "command-range": ("no", "yes"),
    "command-freezes-movement": ("no", "yes"),
}
"""Option -> its values, the default first; a scenario lists those that matter in it."""


class Options(NamedTuple):
    """The options as chosen: the reading of 14-1(5)2, and the command range of 13."""

    ishikawa_reading: str
    command_range: str
    command_freezes_movement: str


class Ended(NamedTuple):
    """How a battle ended: the winner, the clause, and the unit or the counts that decided it."""

    winner: str | None
    clause: str
    unit: str | None = None
    east: int = 0
    osaka: int = 0


class State(Record):
    """Where a battle stands.

    turn            from 1 on (3(4))
    phase           0 start (only where a force is placed beside the map), 1 to 6 the phases of the turn (4-1);
                    `opened` once its beginning is done
    step            "fire" or "melee" in a Combat Phase, else empty; the first melee closes the fire step (4-1(3))
    at              unit -> its hex, for the units on the map
    stands          side -> hex -> unit, the same the other way round; of two in a hex the one that came last
    moved           units that moved or entered in this Movement Phase (7-2.a)
    pinned          units that stood in enemy ZOC when this Movement Phase began (7-3-2)
    fired, fought   units that fired, fought hand-to-hand in this phase;  shot_at, attacked: their targets
    out_of_command  units that `out_of_command(s, side)` found when this phase began (13-1(3))
    released        held forces that may move (14-1(5));  crossed: an Eastern unit has gone beyond the line (14-1(5)3b)
    waiting         force -> its units beside the map, in the order of the army file
    arrived         forces whose waiting units may enter;  beside: force -> the entry hex its owner chose (14-3(6)a)
    exited, removed unit -> the turn in which it left the map, was removed
    star_holder     side whose unit was in the star hex last (14-4(6))
    """

    board: Board
    options: Options
    turn: int
    phase: int
    opened: bool
    step: str
    at: dict[str, Hex]
    stands: dict[str, dict[Hex, str]]
    moved: set[str]
    pinned: set[str]
    fired: set[str]
    fought: set[str]
    shot_at: set[str]
    attacked: set[str]
    out_of_command: set[str]
    released: set[str]
    crossed: bool
    waiting: dict[str, tuple[str, ...]]
    arrived: set[str]
    beside: dict[str, Hex]
    exited: dict[str, int]
    removed: dict[str, int]
    star_holder: str | None
    ended: Ended | None

    def unit_in(self, h: Hex) -> str | None:
        """The unit in a hex; of two the one that came last."""
        return stacks.top(self.stands, h)

    def companion(self, unit: str) -> str | None:
        """The other unit in a unit's hex; only inside a retreat procedure is there one (11-2-5.a)."""
        return next((other for other in stacks.units_in(self.at, self.at[unit]) if other != unit), None)

    def put(self, unit: str, h: Hex) -> None:
        """Put a unit into a hex, from another hex or from off the map; a friend there stays where it is."""
        side = self.board.units[unit].side
        stacks.put(self.at, self.stands[side], unit, h, self.board.of_side[side])

    def remove(self, unit: str, why: str, clause: str) -> Tell:
        """Take a unit off the map for good."""
        h = self._take(unit)
        self.removed[unit] = self.turn
        return Tell("remove", clause, {"unit": unit, "at": self.board.label[h], "why": why})

    def leave(self, unit: str, last: Hex | None = None) -> Tell:
        """Let a unit leave the map over its edge, from its hex or the `last` of its way; it never returns."""
        h = self._take(unit)
        self.exited[unit] = self.turn  # 7-6-2
        return Tell("exit", "7-6.a", {"unit": unit, "at": self.board.label[last or h]})

    def _take(self, unit: str) -> Hex:
        """Lift a unit from its hex; a friend in the same hex stands there alone again."""
        side = self.board.units[unit].side
        return stacks.lift(self.at, self.stands[side], unit, self.board.of_side[side])


def start(board: Board, options: Mapping[str, str]) -> State:
    """The state before the first phase, all units set up (3(3)). Raises BadScenario for an unknown option or value."""
    at = {unit.id: unit.start for unit in board.units.values() if unit.start is not None}
    star = next((board.units[unit].side for unit, h in at.items() if h == board.star), None)
    return State(
        board=board,
        options=Options(*chosen(OPTIONS, board.options, options, board.scenario)),
        turn=1,  # 3(4)
        phase=0 if any(arrival.beside for arrival in board.arrivals.values()) else 1,
        opened=False,
        step="",
        at=at,
        stands=kit.stands(board, at),
        moved=set(),
        pinned=set(),
        fired=set(),
        fought=set(),
        shot_at=set(),
        attacked=set(),
        out_of_command=set(),
        released=set(),
        crossed=False,
        waiting={name: board.forces[name].units for name in board.arrivals},
        arrived=set(),
        beside={},
        exited={},
        removed={},
        star_holder=star,
        ended=None,
    )


FIELDS = {
    "board": kit.BOARD,
    "options": kit.named(Options, tuple(OPTIONS)),
    "turn": kit.FIXED,
    "phase": kit.FIXED,
    "opened": kit.FIXED,
    "step": kit.FIXED,
    "at": kit.PLACES,
    "stands": kit.STANDS,
    "moved": kit.IDS,
    "pinned": kit.IDS,
    "fired": kit.IDS,
    "fought": kit.IDS,
    "shot_at": kit.IDS,
    "attacked": kit.IDS,
    "out_of_command": kit.IDS,
    "released": kit.IDS,
    "crossed": kit.FIXED,
    "waiting": kit.LISTS,
    "arrived": kit.IDS,
    "beside": kit.PLACES,
    "exited": kit.NUMBERS,
    "removed": kit.NUMBERS,
    "star_holder": kit.FIXED,
    "ended": kit.listed(Ended),
}
"""What each field is: how it is copied, dumped and loaded."""

copy = kit.copier(State, FIELDS)
dump = kit.dumper(FIELDS)
load = kit.loader(State, FIELDS)
