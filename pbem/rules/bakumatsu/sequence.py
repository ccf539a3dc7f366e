"""The sequence of play (rulebook 5): the phases as data, their beginning and end, and the end of turn and game."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import NamedTuple

from pbem.rules.bakumatsu import fire, melee, recovery_movement, reinforcements, setup, victory
from pbem.rules.bakumatsu.acting import Acting
from pbem.rules.bakumatsu.board import Board
from pbem.rules.bakumatsu.state import State
from pbem.rules.requests import Activity, Tell

__all__ = ["PHASES", "Kind", "Phase", "next_activity", "phase_id", "phase_title", "side_of"]


class Kind(StrEnum):
    """What a phase is for; also the end of its id."""

    START = "start"
    MOVE = "move"
    FIRE = "fire"
    MELEE = "melee"


class Phase(NamedTuple):
    """A phase: whose it is (0 the first player, 1 the second), what it is for, its clause and title."""

    player: int
    kind: Kind
    clause: str
    title: str


# fmt: off
PHASES = (
    Phase(0, Kind.START, "4(4)",  "Set-up"),
    Phase(0, Kind.MOVE,  "5-1.1", "Recovery/Movement Phase"),
    Phase(1, Kind.FIRE,  "5-1.2", "Fire Phase"),
    Phase(0, Kind.MELEE, "5-1.3", "Melee Phase"),
    Phase(1, Kind.MOVE,  "5-2.4", "Recovery/Movement Phase"),
    Phase(0, Kind.FIRE,  "5-2.5", "Fire Phase"),
    Phase(1, Kind.MELEE, "5-2.6", "Melee Phase"),
)
# fmt: on
"""The start and the six phases of a turn, by the rulebook's numbers (5(0)a, 5-1(0), 5-2(0))."""

CHAPTERS: dict[Kind, tuple[Callable[[State, str], bool], Callable[[State, str, str], Acting]]] = {
    Kind.MOVE: (recovery_movement.anyone, recovery_movement.ask),
    Kind.FIRE: (fire.anyone, fire.ask),
    Kind.MELEE: (melee.anyone, melee.ask),
}
"""Kind of phase -> whether anyone can act in it, and the activity that asks for the next order."""


def next_activity(s: State) -> Activity:
    """The next activity: a phase's beginning, one order, or the phase's end when nobody can act any more."""
    phase = PHASES[s.phase]
    side = s.board.sides[phase.player].id
    if not s.opened:
        yield from _open(s, phase, side)
    elif phase.kind is Kind.START:
        yield from _set_up(s, phase)
    else:
        anyone, ask = CHAPTERS[phase.kind]
        done = not anyone(s, side) or (yield from ask(s, side, phase.clause))
        if done:
            yield from _close(s)


def side_of(s: State) -> str | None:
    """The side whose phase it is; in the set-up the one that has units to place."""
    phase = PHASES[s.phase]
    return setup.setting_up(s) if phase.kind is Kind.START else s.board.sides[phase.player].id


def phase_id(board: Board, number: int) -> str:
    """The id of a phase, `start` or `shogunate-move`."""
    phase = PHASES[number]
    return phase.kind.value if phase.kind is Kind.START else f"{board.sides[phase.player].id}-{phase.kind}"


def phase_title(board: Board, number: int) -> str:
    """The title of a phase, `Former Shogunate Recovery/Movement Phase`."""
    phase = PHASES[number]
    return phase.title if phase.kind is Kind.START else f"{board.sides[phase.player].title} {phase.title}"


def _open(s: State, phase: Phase, side: str) -> Activity:
    """The beginning of a phase."""
    yield Tell("phase", phase.clause, {"turn": s.turn, "phase": phase_id(s.board, s.phase)})
    if phase.kind is Kind.MOVE:
        yield from reinforcements.appearance_check(s, side)  # 13-1(2)a
    s.opened = True


def _set_up(s: State, phase: Phase) -> Activity:
    """The place of one unit, or the end of the set-up."""
    side = setup.setting_up(s)
    if side is None:
        yield from _close(s)
    else:
        yield from setup.ask(s, side, phase.clause)


def _close(s: State) -> Activity:
    """The end of a phase, of the turn after the sixth, and of the game after the last turn."""
    s.done.clear()  # 6(5)b, 9-1(6), 10-1(7)
    s.opened = False
    if s.phase < len(PHASES) - 1:
        s.phase += 1  # 5(0)b
    elif s.turn < s.board.turns:
        s.turn, s.phase = s.turn + 1, 1  # 5-2(0)end
    else:
        yield victory.judge(s)  # 5-2(0)stop, 15-1-1(0)
