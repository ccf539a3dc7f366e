"""The sequence of play (rulebook 4, 29): the phases of an inning as data, their beginning and end."""

from __future__ import annotations

from enum import StrEnum

from pbem.errors import Refusal
from pbem.rules.kit import ask, phases
from pbem.rules.kit.ask import Chapter
from pbem.rules.kit.phases import Phase
from pbem.rules.requests import Activity, StepEnd, Tell
from pbem.rules.sengoku import changes, deployment, operation, siege, victory
from pbem.rules.sengoku.acting import ready
from pbem.rules.sengoku.lines import line_phase
from pbem.rules.sengoku.orders import DEPLOYMENT, DONE, SITUATION, STEPS, Close, Order, step_of
from pbem.rules.sengoku.state import State, copy

__all__ = ["PHASES", "TURN", "at_first_stage", "clock", "next_activity", "remainder", "side_of", "why_never", "why_not"]

TURN = "inning"
"""What the rulebook calls a turn (4.0-1)."""


class Kind(StrEnum):
    """What a phase is for; also the end of its id."""

    DEPLOYMENT = DEPLOYMENT
    SITUATION = SITUATION
    LINES = "lines"
    STAGE_1 = "stage-1"
    STAGE_2 = "stage-2"
    STAGE_3 = "stage-3"
    STAGE_4 = "stage-4"


STAGES = (Kind.STAGE_1, Kind.STAGE_2, Kind.STAGE_3, Kind.STAGE_4)  # 4.0-2

PHASES = (
    Phase(None, Kind.DEPLOYMENT, "36.4", "Deployment", once=True),
    Phase(None, Kind.SITUATION, "4-1-1(1)", "Situation Change Phase"),
    Phase(None, Kind.LINES, "4-1-1(2)", "Line of Communication Phase"),
    *(
        Phase(player, kind, "4-1-2(3-1)", f"Operation Phase, stage {stage}")
        for stage, kind in enumerate(STAGES, 1)
        for player in (0, 1)  # 29.0(2), 29.0(3)
    ),
)
"""The deployment; the start stage of an inning, then in each of its four stages a phase of each side (4-1-2(next))."""

FIRST = 1
"""The phase with which every inning begins (4-1-5(end))."""

CHAPTERS: dict[str, Chapter[State]] = {
    Kind.DEPLOYMENT: deployment.CHAPTER,
    Kind.SITUATION: changes.CHAPTER,
    **{kind: operation.chapter(stage) for stage, kind in enumerate(STAGES, 1)},
}
"""Kind of phase -> what it is played by; in the line of communication phase nobody is asked anything."""

ENDS: dict[str, StepEnd] = {step: StepEnd(number, Close(step)) for number, step in enumerate(STEPS)}
"""Kind of phase that is a step before the first stage -> what ends it."""


def next_activity(s: State) -> Activity:
    """The next activity: a phase's beginning, one order, or the phase's end when nobody can act any more."""
    phase, side = PHASES[s.phase], side_of(s)
    chapter = CHAPTERS.get(phase.kind, changes.CHAPTER)
    ends = ENDS.get(phase.kind) or _end_of_idle(s, side)
    return phases.run(s, phase, side, chapter, _begin, _end, window(s, side), ends)


def _end_of_idle(s: State, side: str | None) -> StepEnd | None:
    """What ends an operation phase in which no force can act, when orders neither lift a siege nor offer a castle."""
    idle = side is not None and not ready(s, side)
    return StepEnd(step_of(DONE), DONE, begun=True) if idle else None  # R190


def window(s: State, side: str | None) -> str:
    """The time for which a side gives orders: a phase, but all that the first one is asked up to its first stage."""
    first = side == s.board.sides[0].id and s.board.sides[0].deploys > 0
    before = PHASES[s.phase].kind == Kind.DEPLOYMENT and not first
    return f"{s.turn}/{0 if before else max(s.stage, 1)}/{side}"


def why_not(s: State, side: str, order: Order) -> Refusal | None:
    """Why a side can't give an order in the phase as it stands."""
    phase = PHASES[s.phase]
    if side_of(s) != side and phase.kind not in STEPS:
        return Refusal(phase.clause, "it is a phase of the other side")
    refusal = ask.why_not(s, side, phase.clause, CHAPTERS[phase.kind], order)
    return refusal or (Refusal(phase.clause, "nothing is asked of this side any more") if side_of(s) != side else None)


def why_never(s: State, side: str, phase: str, order: Order) -> Refusal | None:
    """Why a side can't give an order in a phase of its own, whatever comes before."""
    found = phases.named(PHASES, s.board.sides, phase)
    if found is None or found.kind not in CHAPTERS:
        return None
    return ask.why_never(s, side, found.clause, CHAPTERS[found.kind], order)


def clock(s: State) -> tuple[int, str]:
    """The inning and the id of the phase."""
    return s.turn, phases.phase_id(PHASES[s.phase], s.board.sides)


def side_of(s: State) -> str | None:
    """The side whose phase it is; in the deployment and the situation change the one that is asked."""
    phase = PHASES[s.phase]
    if phase.player is not None:
        return s.board.sides[phase.player].id
    if phase.kind == Kind.DEPLOYMENT:
        return deployment.deploying(s)
    return changes.changing(s) if phase.kind == Kind.SITUATION else None


def remainder(s: State, side: str, order: Order) -> tuple[None, tuple[Tell, ...]] | None:
    """Nothing: an order is carried out whole or not at all (P-5). The end of a step that is over has been."""
    kind = PHASES[s.phase].kind
    mine = kind in STEPS or (kind == Kind.STAGE_1 and side == s.board.sides[0].id)
    over = mine and isinstance(order, Close) and (order.step == SITUATION or s.turn == 1)
    return (None, ()) if over else None


def at_first_stage(s: State) -> State:
    """How it will stand in the first stage if a situation change brings nothing more; in other phases the state itself.

    Forces without a line have lost morale then, which counts for the dice (4-1-1(2), 11-3).
    """
    if PHASES[s.phase].kind != Kind.SITUATION:
        return s
    ahead = copy(s)
    for ahead.phase in (s.phase + 1, s.phase + 2):
        for _ in _begin(ahead, PHASES[ahead.phase], ahead.board.sides[0].id):
            pass
    ahead.stage = 1
    return ahead


def _begin(s: State, phase: Phase, side: str | None) -> Activity:
    """What the beginning of a phase brings."""
    if phase.kind == Kind.SITUATION:
        yield from changes.roll(s)
    if phase.kind == Kind.LINES:
        yield from line_phase(s)
    if phase.player is not None and side is not None:
        s.under_superior = {unit for unit in _led(s, side) if s.board.units[unit].commander}  # 13-1-2, 14-1-2


def _led(s: State, side: str) -> list[str]:
    """The units of a side that are under a commander."""
    return [unit for force in s.own_forces(side) for unit in s.forces[force][1:]]


def _end(s: State) -> Activity:
    """The end of a phase: the siege checks of its side, then of the stage, the inning and the campaign."""
    side = side_of(s)
    if PHASES[s.phase].player is not None and side is not None:
        yield from siege.checks(s, side)  # 4-1-2(3-2)
    s.stands = dict(s.stands)  # one from which many hexes are gone takes ten times as long to copy
    s.offers.clear()
    for marks in (s.acted, s.under_superior, s.assaulted, s.called, s.declined, s.passed):  # 12-1-2
        marks.clear()
    if not phases.next_phase(s, PHASES) and not phases.next_turn(s, s.board.turns, FIRST):  # 4-1-5(end)
        yield victory.judge(s)  # 4.0-1, 36.2
        return
    kind = PHASES[s.phase].kind
    stage = STAGES.index(kind) + 1 if kind in STAGES else 0
    if stage != s.stage:
        s.replenished.clear()  # 14-3-3
    s.stage = stage
