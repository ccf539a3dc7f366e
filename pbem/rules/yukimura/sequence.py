"""The sequence of play (rulebook 4): the phases as data, their beginning and end, and the end of turn and game."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import StrEnum
from typing import NamedTuple

from pbem.rules.requests import Activity, Tell
from pbem.rules.yukimura import beside, combat, command, defence, held, movement_phase, reinforcements, victory
from pbem.rules.yukimura.acting import Acting
from pbem.rules.yukimura.board import Board
from pbem.rules.yukimura.state import State
from pbem.rules.yukimura.zoc import in_enemy_zoc

__all__ = ["PHASES", "Kind", "Phase", "next_activity", "phase_id", "phase_title", "side_of"]


class Kind(StrEnum):
    """What a phase is for; also the end of its id."""

    START = "start"
    MOVE = "move"
    DEFENCE = "defence"
    COMBAT = "combat"


class Phase(NamedTuple):
    """A phase: whose it is (0 the Eastern Army, 1 the Osaka Army), what it is for, its clause and title."""

    player: int
    kind: Kind
    clause: str
    title: str


# fmt: off
PHASES = (
    Phase(1, Kind.START,   "14-3(6)a", "Set-up"),
    Phase(0, Kind.MOVE,    "4-1(1)",   "Movement Phase"),
    Phase(1, Kind.DEFENCE, "4-1(2)",   "Defensive Fire Phase"),
    Phase(0, Kind.COMBAT,  "4-1(3)",   "Combat Phase"),
    Phase(1, Kind.MOVE,    "4-1(4)",   "Movement Phase"),
    Phase(0, Kind.DEFENCE, "4-1(5)",   "Defensive Fire Phase"),
    Phase(1, Kind.COMBAT,  "4-1(6)",   "Combat Phase"),
)
# fmt: on
"""The start and the six phases of a turn, by the rulebook's numbers (4.a)."""

CHAPTERS: dict[Kind, tuple[Callable[[State, str], bool], Callable[[State, str, str], Acting]]] = {
    Kind.START: (lambda s, side: bool(beside.unplaced(s, side)), beside.ask),
    Kind.MOVE: (movement_phase.anyone, movement_phase.ask),
    Kind.DEFENCE: (defence.anyone, defence.ask),
    Kind.COMBAT: (combat.anyone, combat.ask),
}
"""Kind of phase -> whether anyone can act in it, and the activity that asks for the next order."""


def next_activity(s: State) -> Activity:
    """The next activity: a phase's beginning, one order, or the phase's end when nobody can act any more."""
    phase = PHASES[s.phase]
    side = s.board.sides[phase.player].id
    if not s.opened:
        yield from _open(s, phase, side)
        return
    anyone, ask = CHAPTERS[phase.kind]
    done = not anyone(s, side) or (yield from ask(s, side, phase.clause))
    if done and s.ended is None:
        yield from _close(s)


def side_of(s: State) -> str:
    """The side whose phase it is."""
    return s.board.sides[PHASES[s.phase].player].id


def phase_id(board: Board, number: int) -> str:
    """The id of a phase, `start` or `osaka-defence`."""
    phase = PHASES[number]
    return phase.kind.value if phase.kind is Kind.START else f"{board.sides[phase.player].id}-{phase.kind}"


def phase_title(board: Board, number: int) -> str:
    """The title of a phase, `Osaka Army Defensive Fire Phase`."""
    phase = PHASES[number]
    return phase.title if phase.kind is Kind.START else f"{board.sides[phase.player].title} {phase.title}"


def _open(s: State, phase: Phase, side: str) -> Activity:
    """The beginning of a phase."""
    yield Tell("phase", phase.clause, {"turn": s.turn, "phase": phase_id(s.board, s.phase)})
    if phase.kind is Kind.MOVE:
        if s.phase == 1:
            yield from held.turn_begins(s)
        s.pinned = {unit for h, unit in s.stands[side].items() if in_enemy_zoc(s, side, h)}  # 7-3-2, 7-3-2.b
        if s.options.command_freezes_movement == "yes":
            s.out_of_command = command.out_of_command(s, side)  # R88
        yield from held.roll_for_release(s, side)  # 14-1(5)3b
        yield from reinforcements.appear(s, side)  # 4-1(1)A, 4-1(4)A
    if phase.kind is Kind.COMBAT:
        s.step = "fire"  # 4-1(3)A, 4-1(6)A
        s.out_of_command = command.out_of_command(s, side)  # 13-1(3)a
    s.opened = True


def _close(s: State) -> Activity:
    """The end of a phase, of the turn after the sixth, and of the game after the last turn."""
    yield from _unstack(s)
    for marks in (s.moved, s.pinned, s.fired, s.fought, s.shot_at, s.attacked, s.out_of_command):
        marks.clear()
    s.step, s.opened = "", False
    if s.ended is not None:
        return
    if s.phase < len(PHASES) - 1:
        s.phase += 1  # 4.a
        return
    yield from victory.turn_ends(s)
    if s.ended is None and s.turn < s.board.turns:
        s.turn, s.phase = s.turn + 1, 1  # 4-1.end
    elif s.ended is None:
        yield victory.judge(s)  # 4.b


def _unstack(s: State) -> Iterator[Tell]:
    """Remove of two units in a hex the one that came last; no legal order leads there (5.b, 5.c, R73)."""
    if len(s.at) == sum(map(len, s.stands.values())):
        return
    for unit in [unit for unit, h in s.at.items() if s.stands[s.board.units[unit].side][h] != unit]:
        late = s.stands[s.board.units[unit].side][s.at[unit]]
        if late != unit:
            yield s.remove(late, f"two units in one hex, with {unit}", "5.c")
            yield from victory.moved(s, late, forced=True)
