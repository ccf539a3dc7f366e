"""The state of a battle: plain data over a Board, cheap to copy, dumped as JSON; and the changes rules make to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from pbem.maps.hexes import Hex
from pbem.rules.bakumatsu.board import Board
from pbem.rules.kit import stacks
from pbem.rules.kit import state as kit
from pbem.rules.kit.scenario import chosen
from pbem.rules.requests import Tell

__all__ = ["OPTIONS", "Ended", "Options", "State", "copy", "dump", "load", "start"]


OPTIONS = {"mountain-top": ("dice", "strength"), "retreat-over-bridge": ("no", "yes")}
"""Option -> its values; a scenario has both."""


class Options(NamedTuple):
    """The scenario's options as chosen: what the mountain top adds to, and whether retreats may use bridges."""

    mountain_top: str
    retreat_over_bridge: str


class Ended(NamedTuple):
    """How a battle ended: the winner, the clause, and the unit that entered the entry hex (14(4)1)."""

    winner: str | None
    clause: str
    unit: str | None = None


@dataclass(slots=True)
class State:
    """Where a battle stands.

    turn           from 1 on (2-2-3.1)
    phase          0 start, 1 to 6 the phases of the turn (2-2-3.2); `opened` once its beginning is done
    at             unit -> its hex, for the units on the map (2-1-1(0)a)
    stands         side -> hex -> unit, the same the other way round
    disordered     units on their back side;  done: units with the phase's marker (2-2-3.3, 2-2-3.4a)
    cups           side -> reinforcements that wait, in ASCII order;  received: those that may enter (13-1)
    removed        unit -> the turn in which it was removed
    control        victory hex -> side
    """

    board: Board
    options: Options
    turn: int
    phase: int
    opened: bool
    at: dict[str, Hex]
    stands: dict[str, dict[Hex, str]]
    disordered: set[str]
    done: set[str]
    cups: dict[str, tuple[str, ...]]
    received: dict[str, tuple[str, ...]]
    removed: dict[str, int]
    control: dict[Hex, str]
    ended: Ended | None

    def unit_in(self, h: Hex) -> str | None:
        """The unit in a hex."""
        return stacks.top(self.stands, h)

    def put(self, unit: str, h: Hex) -> None:
        """Put a unit into a hex without another, from another hex or from off the map."""
        side = self.board.units[unit].side
        stacks.put(self.at, self.stands[side], unit, h, self.board.of_side[side])  # 3-1(0)a

    def remove(self, unit: str, why: str, clause: str) -> Tell:
        """Take a unit off the map for good."""
        side = self.board.units[unit].side
        h = stacks.lift(self.at, self.stands[side], unit, self.board.of_side[side])
        self.disordered.discard(unit)
        self.removed[unit] = self.turn
        return Tell("remove", clause, {"unit": unit, "at": self.board.label[h], "why": why})

    def disorder(self, unit: str, why: str, clause: str) -> Tell:
        """Turn a normal unit over to its back side."""
        self.disordered.add(unit)  # 2-2-1(1)2a
        return Tell("disorder", clause, {"unit": unit, "at": self.board.label[self.at[unit]], "why": why})


def start(board: Board, options: Mapping[str, str]) -> State:
    """The state before the first set-up. Raises BadScenario for an unknown option or value."""
    return State(
        board=board,
        options=Options(*chosen(OPTIONS, board.options, options, board.scenario)),
        turn=1,  # 4(4)
        phase=0,
        opened=False,
        at={},
        stands=kit.stands(board, {}),
        disordered=set(),  # 2-2-1(1)1
        done=set(),
        cups=dict(board.start_cups),  # 4(3)b, 15-1-4(1)3
        received={side.id: () for side in board.sides},
        removed={},
        control=dict(board.control),
        ended=None,
    )


FIELDS = {
    "board": kit.BOARD,
    "options": kit.named(Options, tuple(OPTIONS)),
    "turn": kit.FIXED,
    "phase": kit.FIXED,
    "opened": kit.FIXED,
    "at": kit.PLACES,
    "stands": kit.STANDS,
    "disordered": kit.IDS,
    "done": kit.IDS,
    "cups": kit.LISTS,
    "received": kit.LISTS,
    "removed": kit.NUMBERS,
    "control": kit.HOLDERS,
    "ended": kit.listed(Ended),
}
"""What each field is: how it is copied, dumped and loaded."""

copy = kit.copier(State, FIELDS)
dump = kit.dumper(FIELDS)
load = kit.loader(State, FIELDS)
