"""The state of a battle: plain data over a Board, cheap to copy, dumped as JSON; and the changes rules make to it."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.maps.hexes import Hex
from pbem.records import NamedTuple, Record
from pbem.rules.bakumatsu.board import Board
from pbem.rules.kit import stacks
from pbem.rules.kit import state as kit
from pbem.rules.kit.options import chosen
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


class State(Record):
    """Where a battle stands.

    turn           from 1 on (2-2-3.1)
    phase          0 start, 1 to 6 the phases of the turn (2-2-3.2); `opened` once its beginning is done
    at             piece -> its hex, for the units and commanders on the map (2-1-1(0)a)
    stands         side -> hex -> combat unit, the same the other way round; a commander takes no room (15-2-7-2(4))
    disordered     units on their back side;  done: units with the phase's marker (2-2-3.3, 2-2-3.4a)
    cups           side -> reinforcements that wait, in ASCII order;  received: those that may enter (13-1)
    removed        piece -> the turn in which it was removed
    control        victory hex -> side; one that nobody has entered isn't in it (15-2-6(0)a)
    calls          side -> how many more units of its owner's choice it has received (15-2-5(1)0b)
    commander_cups side -> commanders who wait in the cup, in ASCII order (15-2-7-2(1))
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
    calls: dict[str, int]
    commander_cups: dict[str, tuple[str, ...]]

    def unit_in(self, h: Hex) -> str | None:
        """The unit in a hex."""
        return stacks.top(self.stands, h)

    def may_come(self, side: str) -> list[str]:
        """The pieces of a side that may enter as soon as its entry hex lets them."""
        board, whose = self.board, self.board.side[side]
        found = list(self.received[side])  # 13-1(4): who couldn't enter comes later
        if whose.chooses and self.calls.get(side):  # 15-2-5(1)0b
            hand = self.cups[side]
            found += [unit for unit in hand if not board.units[unit].artillery] or hand  # 15-2-5(1)2
        if whose.reorganises:  # 15-2-7-1(1)1a, but for commanders: 15-2-7-2(4)7
            found += [unit for unit in board.combat[side] if self.removed.get(unit, self.turn) < self.turn]
        return found

    def is_lost(self, unit: str) -> bool:
        """Whether a piece is off the map for good: removed, and not one that may come back."""
        printed = self.board.units[unit]
        returns = self.board.side[printed.side].reorganises and printed.command is None  # 15-2-7-1(1)1a, 15-2-7-2(4)7
        return unit in self.removed and not returns

    def put(self, unit: str, h: Hex) -> None:
        """Put a piece into a hex, from another or from off the map; a combat unit into one without another."""
        printed = self.board.units[unit]
        if printed.command is not None:
            self.at[unit] = h  # 15-2-7-2(4)1a
        else:
            stacks.put(self.at, self.stands[printed.side], unit, h, self.board.combat[printed.side])  # 3-1(0)a

    def remove(self, unit: str, why: str, clause: str) -> Tell:
        """Take a piece off the map, a combat unit that isn't reorganised and a commander for good."""
        side = self.board.units[unit].side
        h = stacks.lift(self.at, self.stands[side], unit, self.board.combat[side])
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
        stands=_stands(board, {}),
        disordered=set(),  # 2-2-1(1)1
        done=set(),
        cups=dict(board.start_cups),  # 4(3)b, 15-1-4(1)3
        received={side.id: () for side in board.sides},
        removed={},
        control=dict(board.control),
        ended=None,
        calls={},
        commander_cups={side: cup for side, cup in board.commander_cups.items() if cup},
    )


def _stands(board: Board, at: Mapping[str, Hex]) -> dict[str, dict[Hex, str]]:
    """Side -> hex -> combat unit."""
    return kit.stands(board, {unit: h for unit, h in at.items() if board.units[unit].command is None})


FIELDS = {
    "board": kit.BOARD,
    "options": kit.named(Options, tuple(OPTIONS)),
    "turn": kit.FIXED,
    "phase": kit.FIXED,
    "opened": kit.FIXED,
    "at": kit.PLACES,
    "stands": kit.STANDS._replace(made=lambda board, values: _stands(board, values["at"])),
    "disordered": kit.IDS,
    "done": kit.IDS,
    "cups": kit.LISTS,
    "received": kit.LISTS,
    "removed": kit.NUMBERS,
    "control": kit.HOLDERS,
    "ended": kit.listed(Ended),
    "calls": kit.NUMBERS._replace(spare={}),
    "commander_cups": kit.LISTS._replace(spare={}),
}
"""What each field is: how it is copied, dumped and loaded."""

copy = kit.copier(State, FIELDS)
dump = kit.dumper(FIELDS)
load = kit.loader(State, FIELDS)
