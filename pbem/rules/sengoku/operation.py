"""The operation phase (rulebook 4-1-2, 12): force by force acts, in whichever order its owner likes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any

from pbem.errors import Refusal
from pbem.records import NamedTuple
from pbem.rules.kit.ask import OF_THE_PHASE, Chapter, Steps
from pbem.rules.requests import Activity, Chance, Choose, Tell
from pbem.rules.sengoku import (
    assault,
    battle,
    movement,
    organising,
    recovery,
    replenishment,
    siege,
    skirmish,
    surrender,
    talks,
)
from pbem.rules.sengoku.acting import able, castle_side, open_in, ready, why_never_act
from pbem.rules.sengoku.orders import (
    DONE,
    Assault,
    Attack,
    Battle,
    Besiege,
    Call,
    Done,
    Lift,
    Move,
    Offer,
    Order,
    Organise,
    Recover,
    Replenish,
)
from pbem.rules.sengoku.state import State
from pbem.rules.sengoku.wording import order_words

__all__ = ["attacks", "before_castle", "chapter", "given_to", "options_of"]


class _Action(NamedTuple):
    """What one kind of order is judged and carried out by."""

    why_not: Callable[[State, str, Any], Refusal | None]
    carry_out: Callable[[State, Any], Activity | Iterator[Tell]]


ACTIONS: dict[type, _Action] = {
    Move: _Action(movement.why_not, movement.carry_out),
    Attack: _Action(skirmish.why_not, skirmish.carry_out),
    Battle: _Action(battle.why_not, battle.carry_out),
    Besiege: _Action(siege.why_not_besiege, assault.carry_out),
    Assault: _Action(assault.why_not, assault.carry_out),
    Call: _Action(surrender.why_not, surrender.carry_out),
    Organise: _Action(organising.why_not, organising.carry_out),
    Replenish: _Action(replenishment.why_not, replenishment.carry_out),
    Recover: _Action(recovery.why_not, recovery.carry_out),
    Lift: _Action(siege.why_not_lift, siege.give_up),
    Offer: _Action(talks.why_not, talks.propose),
}
"""The five actions, and two that are none: the end of a siege, the offer of a castle (4-1-2(3-1), 18-3-1, 20-4)."""

OPERATION = "operation"
"""The kind of decision that a side is asked in an operation phase."""

OFTEN_DONE, OFTEN_TALK, OFTEN_FIGHT, OFTEN_MEND = 0.06, 0.1, 0.6, 0.25
"""How likely a random phase ends, a castle is offered, a force fights, and it recovers, replenishes or organises."""

TRIES = 4
"""Forces that are tried for a random order."""


def anyone(s: State, side: str) -> bool:
    """Whether any force can act, or anything be done that is no action (R190)."""
    return bool(ready(s, side)) or next(_no_action(s, side), None) is not None


def _no_action(s: State, side: str) -> Iterator[Order]:
    """What a side can do without a force that may act: lift sieges, offer castles (18-3-1, 20-4)."""
    yield from (Lift(force) for force in s.own_forces(side) if force in s.besieging)
    yield from talks.offers(s, side)


def why_not(s: State, side: str, order: Order) -> Refusal | None:
    """Why an order can't be given in this phase."""
    if isinstance(order, Done):
        return None  # 12.0-1
    action = ACTIONS.get(type(order))
    return _other() if action is None else action.why_not(s, side, order)


def why_never(stage: int, s: State, side: str, order: Order) -> Refusal | None:
    """Why an order can be given in no operation phase of a stage."""
    match order:
        case Done() | Offer():
            return None
        case Besiege(forces=forces) | Assault(forces=forces):
            actors = forces
        case Lift(force):
            return why_never_act(s, side, force, 0)  # 18-3-1
        case Move() | Attack() | Battle() | Call() | Organise() | Replenish() | Recover():
            actors = (order.force,)
        case _:
            return _other()
    refusal = next(filter(None, (why_never_act(s, side, force, stage) for force in actors)), None)
    return refusal or (battle.why_never(s, order) if isinstance(order, Battle) else None)


def _other() -> Refusal:
    return Refusal(OF_THE_PHASE, f"forces act in this phase: {', '.join(kind.__name__.lower() for kind in ACTIONS)}")


def carry_out(s: State, _: str, order: Order) -> Steps | Iterator[Tell]:
    """A legal order and all that follows from it."""
    return ACTIONS[type(order)].carry_out(s, order)


# --- what can be ordered ----------------------------------------------------------------------------------------------


def options(s: State, side: str) -> Iterator[Order]:
    """The options of each force, then done."""
    for force in s.own_forces(side):
        yield from options_of(s, side, force)
    yield from talks.offers(s, side)
    yield DONE


def options_of(s: State, side: str, force: str) -> Iterator[Order]:
    """What a force of a side can do, its fights first."""
    if force in s.besieging:
        yield Lift(force)
    if able(s, force):
        yield from battle.options(s, force)
        yield from attacks(s, side, force)
        yield from before_castle(s, side, force)
        yield from _mending(s, force)
        yield from movement.options(s, force)


def given_to(s: State, choose: Choose, unit: str) -> Iterator[Order]:
    """Those of a decision's options that are given to a force, or name a unit first; "" for those that name none."""
    orders: Iterable[Order] = choose.options() if choose.kind != OPERATION else (*talks.offers(s, choose.side), DONE)
    if choose.kind == OPERATION and unit in s.own_forces(choose.side):
        yield from options_of(s, choose.side, unit)
    own = frozenset(s.board.of_side[choose.side])
    for order in orders:
        if next((word for word in order_words(s.board, order)[1:] if word in own), "") == unit:
            yield order


def _mending(s: State, force: str) -> Iterator[Order]:
    """What a force that may act can restore, and how it can organise."""
    yield from recovery.options(s, force)
    yield from replenishment.options(s, force)
    yield from organising.options(s, force)


def attacks(s: State, side: str, force: str) -> Iterator[Attack]:
    """The attacks of a force that may act: on all enemies of a hex, and on each of several."""
    here, enemy, ground = s.at[force], s.board.enemy[side], s.board.ground
    there = s.in_the_open[enemy]
    if not (ground.bit[here] if force in s.shut_in else ground.beside[here]) & there:
        return
    for h in (here,) if force in s.shut_in else ground.open_to[here]:
        if not ground.bit[h] & there:
            continue
        targets = open_in(s, h, enemy)
        groups = [targets, *((target,) for target in targets if len(targets) > 1)]
        orders = [Attack(force, group) for group in groups if group]
        yield from (order for order in orders if skirmish.why_not(s, side, order) is None)


def before_castle(s: State, side: str, force: str) -> Iterator[Order]:
    """What a force that may act can do against the castle of its hex: alone, or with all who may act there."""
    h = s.at[force]
    castle = s.board.castle_in.get(h)
    if castle is None or castle_side(s, castle) != s.board.enemy[side] or force in s.shut_in:
        return
    yield from _legal(s, side, [Call(castle, force)])
    others = tuple(other for other in open_in(s, h, side) if other != force and able(s, other))
    for forces in ((force,), (force, *others))[: 1 + bool(others)]:
        free = tuple(other for other in forces if other not in s.besieging)
        orders: list[Order] = [Besiege(castle, free), Besiege(castle, free, assault=True), Assault(castle, forces)]
        yield from _legal(s, side, orders)


def _legal(s: State, side: str, orders: Sequence[Order]) -> Iterator[Order]:
    """Those of these orders that are legal."""
    return (order for order in orders if why_not(s, side, order) is None)


def sample(s: State, side: str, chance: Chance) -> Order:
    """A random order: a random force first, then what it does."""
    forces = ready(s, side)
    if not forces or chance.random() < OFTEN_DONE:
        return DONE
    if chance.random() < OFTEN_TALK and (proposed := [*talks.offers(s, side)]):
        return chance.choice(proposed)
    for _ in range(TRIES):
        order = _random(s, side, chance.choice(forces), chance)
        if order is not None:
            return order
    return DONE


def _random(s: State, side: str, force: str, chance: Chance) -> Order | None:
    """A random order of a force that may act, if the tries find one."""
    fights = [*battle.options(s, force), *attacks(s, side, force), *before_castle(s, side, force)]
    if fights and chance.random() < OFTEN_FIGHT:
        return chance.choice(fights)
    if chance.random() < OFTEN_MEND and (found := [*_mending(s, force)]):
        return chance.choice(found)
    if force in s.besieging and chance.random() < OFTEN_MEND:
        return Lift(force)
    return movement.sample(s, force, chance)


def chapter(stage: int) -> Chapter[State]:
    """What the operation phases of a stage are played by."""
    return Chapter(
        kind=OPERATION,
        prompt=lambda _: "let a force act, or done",
        why_not=why_not,
        options=options,
        sample=sample,
        anyone=anyone,
        carry_out=carry_out,
        done=DONE,
        never=partial(why_never, stage),
        once=True,
    )
