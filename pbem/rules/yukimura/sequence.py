"""The sequence of play (rulebook 4): the phases as data, their beginning and end; what remains of an order in them."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum

from pbem.errors import Refusal
from pbem.rules.kit import ask, phases
from pbem.rules.kit.ask import Chapter, dropped
from pbem.rules.kit.phases import Phase
from pbem.rules.requests import Activity, Tell
from pbem.rules.yukimura import advance, combat_phase, held, movement_phase, victory
from pbem.rules.yukimura.acting import in_enemy_zoc, out_of_command
from pbem.rules.yukimura.combat import participants
from pbem.rules.yukimura.fire import FIRE
from pbem.rules.yukimura.melee import MELEE
from pbem.rules.yukimura.orders import AdvancePlan, Fire, Melee, Order, order_words
from pbem.rules.yukimura.state import State

__all__ = ["PHASES", "answered", "clock", "next_activity", "remainder", "side_of", "why_never", "why_not"]


class Kind(StrEnum):
    """What a phase is for; also the end of its id."""

    START = "start"
    MOVE = "move"
    DEFENCE = "defence"
    COMBAT = "combat"


# fmt: off
PHASES = (
    Phase(None, Kind.START,   "14-3(6)a", "Set-up", once=True),
    Phase(0,    Kind.MOVE,    "4-1(1)",   "Movement Phase"),
    Phase(1,    Kind.DEFENCE, "4-1(2)",   "Defensive Fire Phase"),
    Phase(0,    Kind.COMBAT,  "4-1(3)",   "Combat Phase"),
    Phase(1,    Kind.MOVE,    "4-1(4)",   "Movement Phase"),
    Phase(0,    Kind.DEFENCE, "4-1(5)",   "Defensive Fire Phase"),
    Phase(1,    Kind.COMBAT,  "4-1(6)",   "Combat Phase"),
)
# fmt: on
"""The start and the six phases of a turn, by the rulebook's numbers (4.a)."""

CHAPTERS: dict[str, Chapter[State]] = {
    Kind.START: movement_phase.PLACING,
    Kind.MOVE: movement_phase.CHAPTER,
    Kind.DEFENCE: combat_phase.DEFENCE,
    Kind.COMBAT: combat_phase.CHAPTER,
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


def answered(now: tuple[int, str]) -> tuple[int, str]:
    """When the other side has had its turn: as the Movement Phase begins of the side whose Combat or Movement this is.

    Where a Combat Phase ends, one's own next Movement Phase is no answer to it any more.
    """
    turn, phase = now
    return turn + 1, phase.replace(Kind.COMBAT, Kind.MOVE)


def side_of(s: State) -> str | None:
    """The side whose phase it is; in the set-up the one that has forces to place."""
    player = PHASES[s.phase].player
    return movement_phase.placing(s) if player is None else s.board.sides[player].id


def _begin(s: State, phase: Phase, side: str | None) -> Activity:
    """What the beginning of a phase brings."""
    if side is None:
        return
    if phase.kind == Kind.MOVE:
        if s.phase == 1:
            yield from held.turn_begins(s)
        s.pinned = {unit for h, unit in s.stands[side].items() if in_enemy_zoc(s, side, h)}  # 7-3-2, 7-3-2.b
        if s.options.command_freezes_movement == "yes":
            s.out_of_command = out_of_command(s, side)  # R88
        yield from held.roll_for_release(s, side)  # 14-1(5)3b
        yield from movement_phase.appear(s, side)  # 4-1(1)A, 4-1(4)A
    if phase.kind == Kind.COMBAT:
        s.step = "fire"  # 4-1(3)A, 4-1(6)A
        s.out_of_command = out_of_command(s, side)  # 13-1(3)a


def _end(s: State) -> Activity:
    """The end of a phase, of the turn after the sixth, and of the game after the last turn."""
    yield from _unstack(s)
    for marks in (s.moved, s.pinned, s.fired, s.fought, s.shot_at, s.attacked, s.out_of_command):
        marks.clear()
    s.step = ""
    if s.ended is not None or phases.next_phase(s, PHASES):  # 4.a
        return
    yield from victory.turn_ends(s)
    if s.ended is None and not phases.next_turn(s, s.board.turns, first=1):  # 4-1.end
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


# --- what remains of a fire or hand-to-hand combat when some of its units or advances have become illegal -------------


def remainder(s: State, side: str, order: Order) -> tuple[Order, tuple[Tell, ...]] | None:
    """The order with what is legal of it now, and a `drop` for each unit or advance that isn't (R81).

    For an order given before the dice fell. Advances may be left out, units only if it says `or fewer`; they are alike,
    so when the first is lost the next one stands first. None when the order lapses: it isn't a fire or hand-to-hand
    combat, nothing is to be dropped, or nothing would remain that is legal in this phase.
    """
    if not isinstance(order, Fire | Melee):
        return None
    combat = FIRE if isinstance(order, Fire) else MELEE
    if combat.why_not_target(s, side, order.target) is not None:
        return None
    able = combat.able(s, side, s.at[order.target])
    units = tuple(unit for unit in participants(order) if unit in able)
    refused = {u: combat.why_unable(s, side, u, order.target) for u in participants(order) if u not in able}
    if not units or (refused and not order.fewer):
        return None
    left = order._replace(unit=units[0], support=units[1:], advance=(), fewer=order.fewer and len(units) > 1)
    plans: list[AdvancePlan] = []
    for plan in order.advance:
        reason = advance.why_not_plan(s, left, plan)
        if reason is None:
            plans.append(plan)
        else:
            refused.setdefault(plan.unit, reason)
    left = left._replace(advance=tuple(plans))
    if not refused or CHAPTERS[PHASES[s.phase].kind].why_not(s, side, left) is not None:
        return None
    return left, dropped(order_words(s.board, order), refused)
