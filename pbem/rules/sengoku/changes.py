"""The situation change phase (rulebook 4-1-1(1), 32, 36.7): dice that let armies act, declarations, who enters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.errors import Refusal
from pbem.rules.kit.ask import OF_THE_PHASE, Chapter, Steps
from pbem.rules.requests import Activity, Chance, Roll, Tell
from pbem.rules.sengoku import deployment
from pbem.rules.sengoku.board import Entering
from pbem.rules.sengoku.harm import strength
from pbem.rules.sengoku.orders import SITUATION, Close, Declare, Done, Order, Place
from pbem.rules.sengoku.state import State

__all__ = ["BEGIN", "CHAPTER", "THAW", "changing", "opposing", "roll"]

BEGIN, THAW = "begin", "thaw"
"""The stems of the labels of the dice by which armies begin to act, and act in this inning."""

OFTEN_DECLARE, OFTEN_ENTER = 0.3, 0.8
"""How likely an army declares itself in a random inning, and one force more enters, where they can."""


# --- the dice ---------------------------------------------------------------------------------------------------------


def roll(s: State) -> Activity:
    """The dice of an inning: who begins to act for good, then who acts in this inning alone (P-5)."""
    s.thawed.clear()
    for entering in s.board.entering.values():
        if entering.id not in s.declared:
            yield from _roll_begin(s, entering)
    for rule in s.board.idle:
        if rule.die and s.turn <= rule.until:  # 36.7-2
            (die,) = yield Roll(f"{THAW}/{rule.armies[0]}", dice=1)
            if die == rule.die:
                s.thawed.update(rule.armies)
            side = s.board.armies[rule.armies[0]].side
            facts = {"side": side, **_named(s, rule.armies), "die": die, "needed": rule.die}
            yield Tell("thaw", rule.clause, {**facts, "acts": die == rule.die})


def _roll_begin(s: State, entering: Entering) -> Activity:
    """The die by which armies begin to act, against the enemy's strength in their provinces (32-1(2), 36.7-9)."""
    against, balance = opposing(s, entering), _balance(s, entering)
    (die,) = yield Roll(f"{BEGIN}/{entering.id}", dice=1)
    begins = s.board.tables.begins(entering.table, die + balance, against)
    if begins:
        s.declared.add(entering.id)  # 32.0
    facts = {"side": entering.side, **_named(s, entering.armies), "die": die, "battles": balance}
    yield Tell("begin", entering.clause, {**facts, "against": against, "begins": begins})


def _named(s: State, armies: Sequence[str]) -> dict[str, list[str]]:
    """Armies as facts: their ids, and what they are called."""
    return {"armies": list(armies), "titles": [s.board.armies[army].title for army in armies]}


def opposing(s: State, entering: Entering) -> int:
    """The strength of the other side's units in the provinces that count, shut in or not (32-1(1))."""
    forces = s.own_forces(s.board.enemy[entering.side])
    return strength(s, [force for force in forces if s.board.province.get(s.at[force]) in entering.provinces])


def _balance(s: State, entering: Entering) -> int:
    """What the battles so far add to the die: 1 for each that the other side has lost, less those won (32-1(mod))."""
    return -s.balance if s.board.side[entering.side].deploys == 0 else s.balance


# --- declarations and entries -----------------------------------------------------------------------------------------


def changing(s: State) -> str | None:
    """The side that has something to declare or to place, the one that acts first last; None when nobody has."""
    sides = [side.id for side in reversed(s.board.sides) if side.id not in s.passed]
    return next((side for side in sides if next(options(s, side)) != Close(SITUATION)), None)


def _declarable(s: State, side: str) -> Iterator[str]:
    """The armies of a side that may declare now that they begin to act (36.7-3)."""
    for rule in s.board.idle:
        army = rule.declared
        if army in rule.armies and army not in s.declared and s.board.armies[army].side == side:
            yield army


def why_not(s: State, side: str, order: Order) -> Refusal | None:
    """Why an order can't be given in the situation change."""
    match order:
        case Place():
            return deployment.why_not_place(s, side, order)
        case Declare(army):
            if army in _declarable(s, side):
                return None
            title, owner = s.board.armies[army].title, s.board.armies[army].side
            if owner != side:
                return Refusal("3.0(2)", f"the {title} are of the other side")
            return Refusal("36.7-3", f"the {title} begin to act by no declaration of yours, or have begun")
    if isinstance(order, Done) or order == Close(SITUATION):
        return None
    return Refusal(OF_THE_PHASE, "the situation changes first: `declare`, `place`, or `close situation`")


def why_never(s: State, side: str, order: Order) -> Refusal | None:
    """Why an order can be given in no situation change."""
    return why_not(s, side, order) if not isinstance(order, Place) else None


def carry_out(s: State, side: str, order: Order) -> Steps | Iterator[Tell]:
    """A declaration, an entry, or the end of a side's situation change."""
    match order:
        case Place():
            return deployment.setup(s, order, enters=True)
        case Declare(army):
            s.declared.add(army)
            return iter([Tell("declare", "36.7-3", {"side": side, "army": s.board.armies[army].title})])
    s.passed.add(side)
    return iter(())


def options(s: State, side: str) -> Iterator[Order]:
    """What a side can declare, where its forces can enter, and the end."""
    yield from (Declare(army) for army in _declarable(s, side))
    yield from deployment.options_of(s, side, s.declared)
    yield Close(SITUATION)


def sample(s: State, side: str, chance: Chance) -> Order:
    """A random declaration or entry, or the end."""
    armies = [*_declarable(s, side)]
    if armies and chance.random() < OFTEN_DECLARE:
        return Declare(chance.choice(armies))
    order = deployment.random_place(s, side, chance, s.declared) if chance.random() < OFTEN_ENTER else None
    return Close(SITUATION) if order is None else order


CHAPTER = Chapter(
    kind=SITUATION,
    prompt=lambda _: "declare armies, place who enters; then let forces act in stage 1, or done",
    why_not=why_not,
    options=options,
    sample=sample,
    anyone=lambda *_: True,  # who has nothing to change is not asked
    carry_out=carry_out,
    never=why_never,
)
"""What a side changes before an inning begins."""
