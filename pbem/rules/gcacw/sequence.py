"""The sequence of play: the phases of a turn as data, and the action cycle with its initiative (3.0, std-3, std-4)."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sequence
from enum import StrEnum

from pbem.errors import Refusal
from pbem.rules.gcacw import (
    actions,
    arrivals,
    events,
    leaders,
    may_march,
    panic,
    recovery,
    substitutes,
    supply,
    victory,
)
from pbem.rules.gcacw.board import CONFEDERATE, UNION, Board
from pbem.rules.gcacw.holds import one_sided
from pbem.rules.gcacw.orders import (
    ACTION,
    ATTACHMENT,
    DONE,
    PASS,
    RECOVERY,
    STEPS,
    TRANSFER,
    Bridge,
    Close,
    Done,
    Entrench,
    Forage,
    March,
    Merge,
    Order,
    Pass,
    Place,
    PutOff,
    Transfer,
    step_of,
)
from pbem.rules.gcacw.state import State
from pbem.rules.kit import ask, phases
from pbem.rules.kit.ask import OF_THE_PHASE, Chapter, Steps
from pbem.rules.kit.phases import Phase
from pbem.rules.requests import Activity, Answer, Chance, Cut, Request, Roll, StepEnd, Tell

__all__ = [
    "ADVANCED", "BASIC", "ENDS", "GIVEN", "TURN", "Kind", "clock", "eligible", "is_ahead", "next_activity", "phase_of",
    "phases_of", "remainder", "side_of", "why_not",
]  # fmt: skip

TURN = "turn"


class Kind(StrEnum):
    """What a phase is for; also the end of its id."""

    REINFORCEMENTS = "reinforcements"
    TRANSFER = "transfer"
    CYCLE = "cycle"
    RECOVERY = "recovery"
    EVENTS = "events"
    REPAIR = "repair"
    STATUS = "supply-status"
    ATTACHMENT = "attachment"
    EFFECTS = "supply-effects"


ARRIVING = (
    *(Phase(player, Kind.REINFORCEMENTS, "3.0-3", "Reinforcements") for player in (0, 1)),
    *(Phase(player, Kind.TRANSFER, "std-3.0-2", "Leader Transfer") for player in (0, 1)),  # std-3.0-4
)
ACTING = (
    Phase(None, Kind.CYCLE, "std-4.0-1", "Action Cycle"),
    *(Phase(player, Kind.RECOVERY, "std-8.0-1", "Recovery") for player in (0, 1)),
)

BASIC = (*ARRIVING, *ACTING)
"""A turn of the basic game (std-3.0-1, 3.0-2)."""

ADVANCED = (
    Phase(None, Kind.EVENTS, "14.0-1", "Random Events"),
    *ARRIVING,
    Phase(None, Kind.REPAIR, "3.0-4", "Supply Line Repair"),
    Phase(None, Kind.STATUS, "3.0-5", "Supply Status"),
    *(Phase(player, Kind.ATTACHMENT, "3.0-6", "Attachment") for player in (0, 1)),
    *ACTING,
    Phase(None, Kind.EFFECTS, "3.0-7", "Supply Effects"),
)
"""A turn of the advanced game (3.0-1)."""


def phases_of(board: Board) -> tuple[Phase, ...]:
    """The phases of a turn of the game that is played."""
    return BASIC if board.advanced is None else ADVANCED


def phase_of(s: State) -> Phase:
    """The phase that is played."""
    return phases_of(s.board)[s.phase]


def is_ahead(s: State, kind: Kind, side: str | None = None) -> bool:
    """Whether a phase of a side's, or of nobody's, is still to come in this turn."""
    player = None if side is None else [one.id for one in s.board.sides].index(side)
    kinds = [(phase.kind, phase.player) for phase in phases_of(s.board)]
    return s.phase < kinds.index((kind, player)) or (s.phase == kinds.index((kind, player)) and not s.opened)


def _comes(s: State, phase: Phase) -> bool:
    """Whether a phase comes in this turn (14.0-t1, 3.0-4, 3.0-5, 3.0-7)."""
    advanced = s.board.advanced
    if advanced is None:
        return True
    if phase.kind in (Kind.REPAIR, Kind.STATUS):
        return s.turn in advanced.supply
    return s.turn >= {Kind.EVENTS: 2, Kind.EFFECTS: advanced.effects}.get(Kind(phase.kind), 1)


LATE = 12
"""The turn from which on a cycle ends more often (15.0-2)."""

OFTEN_PASS, OFTEN_DONE = 0.1, 0.2
"""How likely a random side passes or ends a step though it could do something."""


# --- chapters: what each phase is played by ---------------------------------------------------------------------------


def _through(s: State, side: str) -> bool:
    """Whether a side does nothing more in this phase."""
    return side in s.through or side + " turn" in s.through


def _close(s: State, side: str, order: Order) -> Iterator[Tell]:
    """A side does nothing more in this phase, or in the turn."""
    s.through.add(side + " turn" if order == DONE else side)
    yield from ()


def _ends(order: Order, step: str) -> bool:
    return isinstance(order, Done) or order == Close(step)


def _why_elsewhere(s: State, order: Order, what: str) -> Refusal:
    """Why an order of another phase can't be given now: that is over, or comes later. Of an answer, `what` can be."""
    kinds = [kind for kind, given in GIVEN.items() if isinstance(order, given)]
    kinds += [Kind.CYCLE] if type(order) in actions.ACTIONS or isinstance(order, Pass) else []
    found = [phase for phase in phases_of(s.board) if phase.kind in kinds]
    if not found:
        return Refusal(OF_THE_PHASE, what)
    acts, title = kinds == [Kind.CYCLE], found[0].title
    if phase_of(s) == found[0] or s.phase < phases_of(s.board).index(found[0]):
        later = f"the phase for it, {title}, comes later in the turn"
        return Refusal(OF_THE_PHASE, "the action cycle comes later in the turn" if acts else later)
    if (barred := _why_barred(s, order)) is not None:
        return barred
    if acts:
        return Refusal("std-4.0-1", "the action cycle is over")
    return Refusal(OF_THE_PHASE, f"the phase for it, {title}, is over")


def _why_barred(s: State, order: Order) -> Refusal | None:
    """What barred an order in its phase, which is over, and bars it now: who is due later, or in; who isn't together.

    A phase in which nobody can do anything is over without a question.
    """
    if isinstance(order, Place | PutOff) and order.arrival in s.board.arrivals:
        return arrivals.why_never(s, s.board.arrivals[order.arrival].side, order)
    if isinstance(order, Merge) and not s.row:  # nobody has acted: all stand as they stood then
        return substitutes.why_not_merge(s, s.board.units[order.unit].side, order)
    return None


def _why_not_place(s: State, side: str, order: Order) -> Refusal | None:
    if isinstance(order, Place):
        return arrivals.why_not(s, side, order)
    if isinstance(order, PutOff):
        return arrivals.why_not_put_off(s, side, order)
    return None if _ends(order, TRANSFER) else _why_elsewhere(s, order, "reinforcements are placed in this phase")


def _place(s: State, side: str, order: Order) -> Iterator[Tell]:
    """Place reinforcements; who says no more has those that are left placed at the first hexes (3.0-3)."""
    if isinstance(order, Place):
        yield from arrivals.place(s, order)
        return
    if isinstance(order, PutOff):
        yield from arrivals.put_off(s, order)
        return
    while found := arrivals.choices(s, side):
        yield from arrivals.place(s, found[0])
    yield from _close(s, side, order)


def _why_not_transfer(s: State, side: str, order: Order) -> Refusal | None:
    if isinstance(order, Transfer):
        return leaders.why_not_transfer(s, side, order)
    return None if _ends(order, TRANSFER) else _why_elsewhere(s, order, "leaders are transferred in this phase")


def _transfer(s: State, side: str, order: Order) -> Iterator[Tell]:
    return leaders.transfer(s, side, order) if isinstance(order, Transfer) else _close(s, side, order)


def _why_not_works(s: State, side: str, order: Entrench | Bridge | Forage) -> Refusal | None:
    """Why something of what recovery is for can't be done, whichever side is asked."""
    if isinstance(order, Forage):
        return supply.why_not(s, side, order)
    if isinstance(order, Bridge):
        return recovery.why_not_bridge(s, side, order)
    return recovery.why_not_entrench(s, side, order)


def _why_not_work(s: State, side: str, order: Order) -> Refusal | None:
    if isinstance(order, Entrench | Bridge | Forage):
        return _why_not_works(s, side, order)
    what = "units entrench and build bridges in this phase"
    return None if _ends(order, RECOVERY) else _why_elsewhere(s, order, what)


def _work(s: State, side: str, order: Order) -> Steps | Iterator[Tell]:
    if isinstance(order, Entrench):
        return recovery.entrench(s, order)
    if isinstance(order, Forage):
        return supply.forage(s, order)
    return recovery.build(s, order) if isinstance(order, Bridge) else _close(s, side, order)


def _works(s: State, side: str) -> Iterator[Order]:
    """All that a side can order in recovery: works, bridges, foraging."""
    yield from recovery.works(s, side)
    yield from supply.foragers(s, side)


def _why_not_merge(s: State, side: str, order: Order) -> Refusal | None:
    if isinstance(order, Merge):
        return substitutes.why_not_merge(s, side, order)
    return None if _ends(order, ATTACHMENT) else _why_elsewhere(s, order, "units merge in this phase")


def _merge(s: State, side: str, order: Order) -> Steps:
    """A merging; a leader who followed the unit that is gone goes to the nearest of his command (std-6.3-2)."""
    if isinstance(order, Merge):
        yield from substitutes.merge(s, order)
        yield from leaders.settle(s, [side])
    else:
        yield from _close(s, side, order)


def _sample(found: Iterable[Order], close: Order, chance: Chance) -> Order:
    """One of the orders at random, or the end of the step."""
    orders = [*found]
    return chance.choice(orders) if orders and chance.random() >= OFTEN_DONE else close


CHAPTERS: dict[str, Chapter[State]] = {
    Kind.REINFORCEMENTS: Chapter(
        kind=Kind.REINFORCEMENTS,
        prompt=lambda _: "place your reinforcements",
        why_not=_why_not_place,
        options=lambda s, side: iter((*arrivals.choices(s, side), *arrivals.puttings_off(s, side), Close(TRANSFER))),
        sample=lambda s, side, chance: chance.choice([*arrivals.choices(s, side), *arrivals.puttings_off(s, side)]),
        anyone=lambda s, side: bool(arrivals.choices(s, side)),
        carry_out=_place,
        once=True,
    ),
    Kind.TRANSFER: Chapter(
        kind=Kind.TRANSFER,
        prompt=lambda _: "transfer your leaders, or go on with your actions",
        why_not=_why_not_transfer,
        options=lambda s, side: iter((*leaders.transfers(s, side), Close(TRANSFER))),
        sample=lambda s, side, chance: _sample(leaders.transfers(s, side), Close(TRANSFER), chance),
        anyone=lambda s, side: next(leaders.transfers(s, side), None) is not None,
        carry_out=_transfer,
        once=True,
    ),
    Kind.RECOVERY: Chapter(
        kind=Kind.RECOVERY,
        prompt=lambda s: (
            "entrench and build bridges" if s.board.advanced is None else "entrench, build bridges, forage"
        ),
        why_not=_why_not_work,
        options=lambda s, side: iter((*_works(s, side), Close(RECOVERY))),
        sample=lambda s, side, chance: _sample(_works(s, side), Close(RECOVERY), chance),
        anyone=lambda s, side: any(recovery.matters(s, side, order) for order in _works(s, side)),
        carry_out=_work,
        once=True,
    ),
    Kind.ATTACHMENT: Chapter(
        kind=Kind.ATTACHMENT,
        prompt=lambda _: "merge substitutes into units",
        why_not=_why_not_merge,
        options=lambda s, side: iter((*substitutes.merges(s, side), Close(ATTACHMENT))),
        sample=lambda s, side, chance: _sample(substitutes.merges(s, side), Close(ATTACHMENT), chance),
        anyone=lambda s, side: next(substitutes.merges(s, side), None) is not None,
        carry_out=_merge,
        once=True,
    ),
}
"""Kind of phase -> what it is played by; the action cycle is below."""

GIVEN = {
    Kind.REINFORCEMENTS: Place | PutOff,
    Kind.TRANSFER: Transfer,
    Kind.ATTACHMENT: Merge,
    Kind.RECOVERY: Entrench | Bridge | Forage,
}
"""Kind of phase -> the orders that are given in it, besides its end."""

ENDS = {
    Kind.REINFORCEMENTS: StepEnd(0, Close(TRANSFER)),
    Kind.TRANSFER: StepEnd(STEPS.index(TRANSFER), Close(TRANSFER)),
    Kind.ATTACHMENT: StepEnd(STEPS.index(ATTACHMENT), Close(ATTACHMENT)),
    Kind.CYCLE: StepEnd(STEPS.index(ACTION), PASS),
    Kind.RECOVERY: StepEnd(STEPS.index(RECOVERY), Close(RECOVERY)),
}
"""What ends a step of the turn when a side's orders go on with a later one; in the cycle it passes each time."""


STEP_ENDS = Close | Pass
"""The orders that end a step: made once, as thousands of orders may lapse."""


# --- the run of a turn ------------------------------------------------------------------------------------------------


def next_activity(s: State) -> Activity:
    """The next activity: a phase's beginning, one order, dice for initiative, or the phase's end."""
    phase = phase_of(s)
    if phase.kind == Kind.CYCLE:
        return _cycle(s)
    side = side_of(s)
    asked = None if side is None or _through(s, side) else side
    chapter = CHAPTERS.get(phase.kind, CHAPTERS[Kind.RECOVERY])  # nobody is asked for one that isn't there
    return phases.run(s, phase, asked, chapter, _begin, _end, window(s), ENDS.get(Kind(phase.kind)))


def _events(s: State) -> Activity:
    """What comes before all else in a turn: who follows a panic, then the random events (18.0-5, 14.0-1)."""
    yield from panic.replace(s)
    yield from events.happens(s)


BY_ITSELF = {
    Kind.EVENTS: _events,
    Kind.REPAIR: supply.repair,
    Kind.STATUS: supply.status,
    Kind.EFFECTS: supply.effects,
}
"""Kind of phase -> what happens in it without orders."""


def window(s: State) -> str:
    """The time for which orders are given: the turn, so that a plan lasts over what the other does (rc-orders)."""
    return f"{s.turn}"


def _begin(s: State, phase: Phase, _: str | None) -> Activity:
    """What the beginning of a phase brings: reinforcements that can come in at one hex alone do."""
    if phase.kind in BY_ITSELF:
        yield from BY_ITSELF[Kind(phase.kind)](s)
        return
    if phase.kind == Kind.REINFORCEMENTS and phase.player is not None:
        side = s.board.sides[phase.player].id
        for arrival in arrivals.due(s, side):
            if arrivals.held_up(s, arrival):
                yield from arrivals.put_off(s, PutOff(arrival.id))  # 22.1-re3
        for arrival in arrivals.due(s, side):
            hexes = arrivals.free_hexes(s, arrival)
            if len(hexes) == 1 and arrivals.why_not_put_off(s, side, PutOff(arrival.id)) is not None:
                yield from arrivals.place(s, Place(arrival.id, hexes[0]))
            elif not hexes:
                facts = {"units": [one.unit for one in arrival.starts], "side": arrival.side}
                yield Tell("arrival-waits", arrival.clause, facts)


def _end(s: State) -> Activity:
    """The end of a phase, behind the last also of the turn (std-8.0-1, 13.0-2, 13.0-3)."""
    phase = phase_of(s)
    if phase.kind == Kind.RECOVERY and phase.player == len(s.board.sides) - 1:
        yield from recovery.rest(s)
    s.through = {mark for mark in s.through if mark.endswith(" turn")}
    while phases.next_phase(s, phases_of(s.board)):
        if _comes(s, phase_of(s)):
            return
    for marks in (s.through, s.transferred, s.worked, s.marched, s.fights, s.shorts, s.foraged, s.paralysed):
        marks.clear()
    if s.board.advanced is not None:
        s.railed.clear()
    s.row, s.hauled = "", 0
    if not phases.next_turn(s, s.board.turns, 0):
        yield victory.judge(s)
    elif 0 < s.rain < s.turn:
        s.weather(0)


# --- the action cycle (std-4.0, rc-cycle) -----------------------------------------------------------------------------


def eligible(s: State, side: str) -> bool:
    """Whether a side acts in this cycle still: it can, and hasn't said that it is through."""
    return not _through(s, side) and _can_act(s, side)


def _can_act(s: State, side: str) -> bool:
    """Whether a side can act in this cycle at all (std-4.0-10, std-4.0-12)."""
    only = one_sided(s)
    return (only is None or only == side) and any(actions.can_act(s, unit) for unit in s.own(side))


def _cycle(s: State) -> Activity:
    """The next activity of the cycle: its beginning, the initiative, a choice of the side that may act."""
    if not s.opened:
        yield Tell("phase", "std-4.0-1", {"turn": s.turn, "phase": Kind.CYCLE.value})
        s.opened, s.cycle, s.choice, s.passed = True, 1, None, False
        return
    if s.choice is None:
        yield from _initiative(s)
        return
    side = s.choice
    chapter = Chapter(
        kind=actions.DECISION,
        prompt=lambda _: "order an action or pass",
        why_not=_why_not_act,
        options=actions.options,
        sample=actions.sample,
        anyone=lambda *_: True,
        carry_out=_act,
        done=PASS,
        never=actions.why_never,
        once=True,
    )
    passes = yield from ask.ask(s, side, "std-4.0-3", chapter, window(s), ENDS[Kind.CYCLE])
    if passes or _through(s, side):
        yield from _pass(s, side)
    else:
        s.choice, s.passed, s.cycle = None, False, s.cycle + 1  # std-4.0-3


def _why_not_act(s: State, side: str, order: Order) -> Refusal | None:
    """Why an order can't be given in the action cycle."""
    refusal = actions.why_not(s, side, order)
    return _why_elsewhere(s, order, refusal.reason) if refusal and refusal.clause == OF_THE_PHASE else refusal


def _act(s: State, side: str, order: Order) -> Steps | Iterator[Tell]:
    """An action, or the end of the cycle, or of the turn, for the side."""
    if isinstance(order, Done | Close):
        return _close(s, side, order)
    last, _, often = s.row.partition(" ")
    s.row = f"{side} {int(often) + 1 if last == side else 1}"
    return actions.carry_out(s, side, order)


def _initiative(s: State) -> Activity:
    """Who may act first in an action phase (std-4.0-2, std-4.0-11, 13.2-sp1)."""
    able = [side for side in (UNION, CONFEDERATE) if eligible(s, side)]
    only = one_sided(s)
    if not able:  # who is through would pass
        yield from _over(s, "15.0-4" if any(_can_act(s, side) for side in s.board.side) else "15.0-5")
        return
    if only is not None:
        s.choice = only  # std-4.0-12
        return
    if s.turn == 1 and s.cycle == 1 and s.board.first is not None:
        winner = s.board.first
        yield Tell("initiative", "13.2-sp1", {"side": winner, "cycle": s.cycle, "opens": True})
    else:
        cut = _cut(s, able)
        (union,) = yield Roll("initiative/union", 1, cut=cut)
        s.thrown = (union,)
        (confederate,) = yield Roll("initiative/confederate", 1, cut=cut)
        s.thrown = ()
        winner = UNION if union > confederate else CONFEDERATE  # 15.0-3: two ones are the Confederate's
        if union == confederate == 1 and s.board.advanced is not None and (yield from _ends_by_chance(s, cut)):
            yield from _over(s, "15.0-2" if s.turn >= LATE else "15.0-1")
            return
        facts: dict[str, object] = {"side": winner, "cycle": s.cycle, "dice": [union, confederate]}
        facts |= {"whose": {f"initiative/{side}": side for side in (UNION, CONFEDERATE)}, "opens": True}
        yield Tell("initiative", "std-4.0-2", facts)
    s.choice, s.passed = winner, False
    if winner not in able:
        yield from _pass(s, winner)


def _cut(s: State, able: Sequence[str]) -> Cut | None:
    """The orders that ones end with the cycle: actions; of sides that act in it no more none (15.0-1)."""
    if s.board.advanced is None or not s.board.tables.cycle_end(s.turn):
        return None
    through = tuple(side for side in s.board.side if side not in able)
    return Cut((1,), window(s), through, actions.acts, actions.fights)


def _ends_by_chance(s: State, cut: Cut | None) -> Generator[Request | Tell, Answer, bool]:
    """Whether the cycle ends at once: behind two ones a die says so, from turn 3 on (15.0-0 to 15.0-2)."""
    number = s.board.tables.cycle_end(s.turn)
    if not number:
        return False
    (die,) = yield Roll("cycle", 1, settled=True, cut=cut)
    facts = {"die": die, "number": number, "cycle": s.cycle}
    yield Tell("cycle-roll", "15.0-1", facts | {"ends": die <= number, "opens": True})
    return bool(die <= number)


def _pass(s: State, side: str) -> Activity:
    """A side passes; the other may act, or the cycle ends (std-4.0-4, 15.0-4, std-4.0-12)."""
    other = s.board.enemy[side]
    yield _passes(s, side)
    if one_sided(s) is not None or s.passed:
        yield from _over(s, "15.0-4")
    elif not eligible(s, other):
        yield _passes(s, other)
        yield from _over(s, "15.0-4")
    else:
        s.choice, s.passed = other, True


def _passes(s: State, side: str) -> Tell:
    """That a side passes: by itself where it can't act (std-4.0-11), else as it says or has said for the whole turn."""
    clause = "std-4.0-4" if _can_act(s, side) else "std-4.0-11"
    return Tell("pass", clause, {"side": side, "cycle": s.cycle, "opens": True})


def _over(s: State, clause: str) -> Activity:
    """The end of the cycle."""
    early = {"early": True} if clause in ("15.0-1", "15.0-2") else {}
    yield Tell("cycle-ends", clause, {"cycle": s.cycle} | early)
    s.opened, s.cycle, s.choice, s.passed = False, 0, None, False
    yield from _end(s)


# --- what the protocol asks -------------------------------------------------------------------------------------------


def side_of(s: State) -> str | None:
    """The side whose phase it is, in the cycle the one that may act; None while dice decide that."""
    phase = phase_of(s)
    return s.choice if phase.player is None else s.board.sides[phase.player].id


def clock(s: State) -> tuple[int, str]:
    """The turn and the id of the phase."""
    return s.turn, phases.phase_id(phase_of(s), s.board.sides)


def why_not(s: State, side: str, order: Order) -> Refusal | None:
    """Why a side can't give an order in the phase as it stands."""
    phase = phase_of(s)
    if side_of(s) not in (side, None):
        found = _barred(s, side, order) or _why_no_work(s, side, order)
        return found or Refusal(phase.clause, "the other side is asked")
    if phase.kind == Kind.CYCLE:
        return _why_not_act(s, side, order)
    return ask.why_not(s, side, phase.clause, CHAPTERS[phase.kind], order)


def _why_no_work(s: State, side: str, order: Order) -> Refusal | None:
    """Why an order couldn't be given in the recovery of the other side if this one were asked: before both rest nothing
    that speaks against works changes but what the other side builds. Of orders that could be given, None."""
    if phase_of(s).kind != Kind.RECOVERY:
        return None
    if isinstance(order, Entrench | Bridge | Forage):
        return _why_not_works(s, side, order)
    return _why_elsewhere(s, order, "") if type(order) in actions.ACTIONS else None


def _barred(s: State, side: str, order: Order) -> Refusal | None:
    """Why a side couldn't give an order in this turn if it were asked: works and marches that the scenario bars."""
    found = None
    if isinstance(order, Entrench):
        found = recovery.why_not_entrench(s, side, order)
    elif isinstance(order, March) and order.unit in s.at:
        found = may_march.why_no_extended(s, order.unit)
    special = found is not None and found.clause.startswith(("13.", "22."))  # the special rules of the scenarios
    return found if special else None


def _step(s: State) -> int:
    """The step of the turn that is played; in a phase in which none is, the next."""
    found = (ENDS.get(Kind(phase.kind)) for phase in phases_of(s.board)[s.phase :])
    return next((end.step for end in found if end is not None), len(STEPS))


def remainder(s: State, side: str, order: Order) -> tuple[Order | None, tuple[Tell, ...]] | None:
    """What is left of an order that has become illegal. The end of a step that is over has been given."""
    if isinstance(order, STEP_ENDS) and step_of(order) < _step(s):
        return None, ()
    kind = Kind.RECOVERY if isinstance(order, Forage) else Kind.CYCLE
    if phase_of(s).kind != kind:
        return None
    from pbem.rules.gcacw.left_over import left_of  # only an entry whose side is asked again leaves anything

    return left_of(s, side, order)
