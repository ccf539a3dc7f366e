"""The sequence of play (turn_sequence): set-ups and turns as data, the steps of a turn, what remains of an order."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum

from pbem.errors import Refusal
from pbem.rules.kit import ask, phases
from pbem.rules.kit.ask import Chapter, Steps
from pbem.rules.kit.phases import Phase
from pbem.rules.requests import Activity, StepEnd, Tell
from pbem.rules.samurai import combat, fire, losses, movement, moving, rally, setup, victory
from pbem.rules.samurai.orders import ENDS, End, Order, SetUp, step_of
from pbem.rules.samurai.state import NO_UNITS, State, Step

__all__ = ["CHAPTERS", "PHASES", "clock", "next_activity", "remainder", "side_of", "why_never", "why_not"]


class Kind(StrEnum):
    """What a phase is for; also the end of its id."""

    SETUP = "setup"
    TURN = "turn"


# fmt: off
PHASES = (
    Phase(1, Kind.SETUP, "figures.7",       "Set-up", once=True),
    Phase(0, Kind.SETUP, "figures.7",       "Set-up", once=True),
    Phase(0, Kind.TURN,  "turn_sequence.1", "Turn"),
    Phase(1, Kind.TURN,  "turn_sequence.1", "Turn"),
)
# fmt: on
"""The other side sets up first, then the one that moves first; then they take turns (turn_sequence.1)."""

FIRST = 2
"""The phase with which every turn begins."""


CHAPTERS: dict[str, Chapter[State]] = {
    Step.FIRE: fire.CHAPTER,
    Step.MOVE: moving.CHAPTER,
    Step.RALLY: rally.CHAPTER,
    Step.ATTACK: combat.CHAPTER,
}
"""Step of a turn -> what it is played by."""


STEPS = (*Step,)

QUIET = (Step.MOVE, Step.RALLY, Step.ATTACK)
"""Steps whose end is without dice: one of them ends together with the step before it where nobody can act in it."""

STEP_ENDS: dict[str, StepEnd] = {step: StepEnd(number, End(step)) for number, step in enumerate(ENDS)}
"""Step -> the order that ends it; none of the last, which ends the turn."""


def next_activity(s: State) -> Activity:
    """The next activity: the beginning of a set-up or turn, one order, the end of a step when nobody can act in it."""
    phase = PHASES[s.phase]
    side = s.board.sides[phase.player or 0].id
    if not s.opened:
        yield Tell("phase", phase.clause, {"turn": s.turn, "phase": phases.phase_id(phase, s.board.sides)})
        s.opened, s.step = True, Step.FIRE if phase.kind == Kind.TURN else ""
        return
    if phase.kind == Kind.SETUP:
        if (yield from ask.ask(s, side, phase.clause, setup.CHAPTER, window(s, side))):
            s.opened = False
            s.phase += 1
    elif s.step == Step.END:
        yield from _end_turn(s)
    elif _is_over(s, side):
        yield from _end_step(s, side)
        while s.step in QUIET and _is_over(s, side):
            yield from _end_step(s, side)
    elif (yield from ask.ask(s, side, phase.clause, ASKED[s.step], window(s, side), _step_end(s))):
        s.closing = True


def _is_over(s: State, side: str) -> bool:
    """Whether a step of a turn ends: nobody can do anything in it, or wants to."""
    return s.closing or not CHAPTERS[s.step].anyone(s, side)


def window(s: State, side: str) -> str:
    """The time for which orders are given: a set-up, or a whole turn of a player's, so that one mail has all of it."""
    return f"{s.turn}/{s.phase}/{side}"


def _step_end(s: State) -> StepEnd | None:
    """The order that ends the step when an entry goes on with the next one; none of the last, which ends the turn."""
    end = STEP_ENDS.get(s.step)
    return end._replace(begun=True) if end is not None and s.fires else end


def _asked(step: str) -> Chapter[State]:
    """The chapter of a step as it is asked: orders of other steps refused, its end carried out."""
    now, chapter = STEPS.index(step), CHAPTERS.get(step, combat.CHAPTER)

    def why_not(s: State, side: str, order: Order) -> Refusal | None:
        return _why_not_in_step(s, side, order, now)

    def carry_out(s: State, side: str, order: Order) -> Steps | Iterator[Tell]:
        return _end_step(s, side) if isinstance(order, End) else chapter.carry_out(s, side, order)

    return chapter._replace(why_not=why_not, carry_out=carry_out, once=True)


def _why_not_in_step(s: State, side: str, order: Order, now: int) -> Refusal | None:
    """Why a side can't give an order in a step; of one for an earlier step what it lacks, else that this is over."""
    own = step_of(order)
    if own < now and not (isinstance(order, End) and now == len(CHAPTERS)):
        over = Refusal(combat.sequence_clause(order), "that step of the turn is over")
        return CHAPTERS[STEPS[own]].why_not(s, side, order) or over
    return CHAPTERS[STEPS[min(now, len(CHAPTERS) - 1)]].why_not(s, side, order)


ASKED: dict[str, Chapter[State]] = {step: _asked(step) for step in STEPS}
"""Step -> its chapter as it is asked."""


def _end_step(s: State, side: str) -> Steps:
    """The end of a step: declared fire is resolved, routers flee before the others move."""
    match s.step:
        case Step.FIRE:
            yield from fire.resolve(s)  # fire_combat.1
            yield from moving.begin(s, side)
            s.step = Step.MOVE
        case Step.MOVE:
            s.moved, s.met, s.led = {}, {}, NO_UNITS
            s.step = Step.RALLY
        case Step.RALLY:
            s.step = Step.ATTACK
        case Step.ATTACK:
            s.step = Step.END


def _end_turn(s: State) -> Steps:
    """The end of a player's turn: dice for daimyos, a broken army, and after the last turn the points."""
    yield from losses.risk(s)  # daimyos.4
    s.shot = s.tried = s.fought = NO_UNITS
    s.opened, s.closing, s.dice, s.step = False, False, False, ""
    end = victory.turn_ends(s)
    if end is None and not phases.next_phase(s, PHASES) and not phases.next_turn(s, s.board.turns, first=FIRST):
        end = victory.judge(s)
    if end is not None:
        yield end


def why_not(s: State, side: str, order: Order) -> Refusal | None:
    """Why a side can't give an order in the phase as it stands."""
    phase = PHASES[s.phase]
    if side_of(s) != side:
        return Refusal("turn_sequence.1", "it is the other side's turn")  # turn_sequence.1
    chapter = setup.CHAPTER if phase.kind == Kind.SETUP else ASKED[_step_now(s, side)]
    return ask.why_not(s, side, phase.clause, chapter, order)


def _step_now(s: State, side: str) -> str:
    """The step of a turn for which orders are asked: those in which nobody can do anything pass by themselves."""
    left = STEPS[STEPS.index(Step(s.step)) :]
    found: str = next(step for step in left if step == Step.END or CHAPTERS[step].anyone(s, side))
    return found


def why_never(s: State, side: str, phase: str, order: Order) -> Refusal | None:
    """Why a side can't give an order in a phase of its own, whatever comes before."""
    found = phases.named(PHASES, s.board.sides, phase)
    if found is None:
        return None
    if found.kind == Kind.SETUP:
        return ask.why_never(s, side, found.clause, setup.CHAPTER, order)
    if isinstance(order, SetUp):
        return combat.other_step(order)._replace(clause=found.clause)
    refusals = (ask.why_never(s, side, found.clause, chapter, order) for chapter in CHAPTERS.values())
    return next((refusal for refusal in refusals if refusal is not None), None)


def clock(s: State) -> tuple[int, str]:
    """The turn and the id of the phase."""
    return s.turn, phases.phase_id(PHASES[s.phase], s.board.sides)


def side_of(s: State) -> str:
    """The side whose phase it is."""
    return s.board.sides[PHASES[s.phase].player or 0].id


def remainder(s: State, side: str, order: Order) -> tuple[Order, tuple[Tell, ...]] | None:
    """What is left of an order that dice have made illegal: a move as far as it goes, the end of the movement step."""
    if PHASES[s.phase].kind != Kind.TURN or s.step != Step.MOVE or side_of(s) != side:
        return None
    return moving.rest(s, side, order) if isinstance(order, movement.Moving) or order == End(Step.MOVE) else None
