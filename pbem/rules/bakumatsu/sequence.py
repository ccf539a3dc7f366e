"""The sequence of play (rulebook 5): the phases as data, their beginning and end, and the end of turn and game."""

from __future__ import annotations

from enum import StrEnum

from pbem.errors import Refusal
from pbem.rules.bakumatsu import fire, melee, recovery_movement, reinforcements, setup, victory
from pbem.rules.bakumatsu.orders import Order
from pbem.rules.bakumatsu.state import State
from pbem.rules.kit import ask, phases
from pbem.rules.kit.ask import Chapter
from pbem.rules.kit.phases import Phase
from pbem.rules.requests import Activity

__all__ = ["PHASES", "clock", "next_activity", "next_to_move", "side_of", "why_never", "why_not"]


class Kind(StrEnum):
    """What a phase is for; also the end of its id."""

    START = "start"
    MOVE = "move"
    FIRE = "fire"
    MELEE = "melee"


# fmt: off
PHASES = (
    Phase(None, Kind.START, "4(4)",  "Set-up", once=True),
    Phase(0,    Kind.MOVE,  "5-1.1", "Recovery/Movement Phase"),
    Phase(1,    Kind.FIRE,  "5-1.2", "Fire Phase"),
    Phase(0,    Kind.MELEE, "5-1.3", "Melee Phase"),
    Phase(1,    Kind.MOVE,  "5-2.4", "Recovery/Movement Phase"),
    Phase(0,    Kind.FIRE,  "5-2.5", "Fire Phase"),
    Phase(1,    Kind.MELEE, "5-2.6", "Melee Phase"),
)
# fmt: on
"""The start and the six phases of a turn, by the rulebook's numbers (5(0)a, 5-1(0), 5-2(0))."""

CHAPTERS: dict[str, Chapter[State]] = {
    Kind.START: setup.CHAPTER,
    Kind.MOVE: recovery_movement.CHAPTER,
    Kind.FIRE: fire.CHAPTER,
    Kind.MELEE: melee.CHAPTER,
}
"""Kind of phase -> what it is played by."""


def next_activity(s: State) -> Activity:
    """The next activity: a phase's beginning, one order, or the phase's end when nobody can act any more."""
    phase = PHASES[s.phase]
    return phases.run(s, phase, side_of(s), CHAPTERS[phase.kind], _begin, _end)


def why_not(s: State, side: str, order: Order) -> Refusal | None:
    """Why a side can't give an order in the phase as it stands."""
    phase = PHASES[s.phase]
    if side_of(s) != side:
        return Refusal(phase.clause, "it is a phase of the other side")
    return ask.why_not(s, side, phase.clause, CHAPTERS[phase.kind], order)


def why_never(s: State, side: str, phase: str, order: Order) -> Refusal | None:
    """Why a side can't give an order in a phase of its own, whatever comes before."""
    found = phases.named(PHASES, s.board.sides, phase)
    return ask.why_never(s, side, found.clause, CHAPTERS[found.kind], order) if found is not None else None


def clock(s: State) -> tuple[int, str]:
    """The turn and the id of the phase."""
    return s.turn, phases.phase_id(PHASES[s.phase], s.board.sides)


def side_of(s: State) -> str | None:
    """The side whose phase it is; in the set-up the one that has units to place."""
    player = PHASES[s.phase].player
    return setup.setting_up(s) if player is None else s.board.sides[player].id


def next_to_move(s: State, behind: int = 0) -> str | None:
    """The side whose recovery/movement phase it is, or whose is the next; None behind the last of the game.

    That of so many phases `behind` this one.
    """
    coming = (*PHASES[s.phase + behind :], *(PHASES if s.turn < s.board.turns else ()))
    players = (phase.player for phase in coming if phase.kind == Kind.MOVE)
    player = next(players, None)
    return None if player is None else s.board.sides[player].id


def _begin(s: State, phase: Phase, side: str | None) -> Activity:
    """What the beginning of a phase brings."""
    if phase.kind == Kind.MOVE and side is not None:
        yield from reinforcements.received(s, side)  # 13-1(2)a, 15-2-7-2(2)0


def _end(s: State) -> Activity:
    """The end of a phase, of the turn after the sixth, and of the game after the last turn."""
    s.done.clear()  # 6(5)b, 9-1(6), 10-1(7)
    if phases.next_phase(s, PHASES):  # 5(0)b
        return
    if not phases.next_turn(s, s.board.turns, first=1):  # 5-2(0)end
        yield victory.judge(s)  # 5-2(0)stop, 15-1-1(0)
