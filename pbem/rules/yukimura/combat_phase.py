"""The Combat Phase: fire, then hand-to-hand combat, one target after another (4-1(3), R81); Defensive Fire Phases."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.errors import Refusal
from pbem.rules.kit.ask import OF_THE_PHASE, Chapter, Steps
from pbem.rules.kit.standing import latest
from pbem.rules.requests import Chance, Words
from pbem.rules.yukimura import fire, melee
from pbem.rules.yukimura.acting import phase_refusal
from pbem.rules.yukimura.orders import DONE, Done, Fire, Melee, Order
from pbem.rules.yukimura.state import State

__all__ = ["CHAPTER", "DEFENCE"]

USUAL = "fire, melee or done"


def anyone(s: State, side: str) -> bool:
    """Whether anybody can still fire or attack."""
    return next(options(s, side)) != DONE


def why_not(s: State, side: str, order: Order) -> Refusal | None:
    """Why an order can't be given in this phase; a Defensive Fire Phase has no step."""
    match order:
        case Fire() if s.step == "melee":
            return Refusal(OF_THE_PHASE, "hand-to-hand combat has begun: all fire of a Combat Phase comes before it")
        case Fire():
            return fire.why_not(s, side, order)
        case Melee() if not s.step:
            return Refusal("10.a", "hand-to-hand combat is fought in one's own Combat Phase only")
        case Melee():
            return melee.why_not(s, side, order)
        case Done():
            return None  # 9-1-3, 10-1-3
    clause, usual = ("4.a", USUAL) if s.step else (OF_THE_PHASE, "fire or done")
    return phase_refusal(s, order, clause, usual)


def why_never(s: State, side: str, order: Order) -> Refusal | None:
    """Why an order can be given in no Combat Phase."""
    match order:
        case Fire():
            return fire.why_never(s, side, order)
        case Melee():
            return melee.why_never(s, side, order)
        case Done():
            return None
    return phase_refusal(s, order, "4.a", USUAL)


def carry_out(s: State, _: str, order: Fire | Melee) -> Steps:
    """A legal order and all that follows from it; the first hand-to-hand combat closes the fire step."""
    if isinstance(order, Fire):
        return fire.fire(s, order)
    s.step = "melee"  # 4-1(3)B, 4-1(6)B
    return melee.melee(s, order)


def options(s: State, side: str) -> Iterator[Order]:
    """Fires while their step lasts, hand-to-hand combats, done."""
    if s.step != "melee":
        yield from fire.options(s, side)
    if s.step:
        yield from melee.options(s, side)
    yield DONE


def sample(s: State, side: str, chance: Chance) -> Order:
    """A random order, mostly a fire as long as there is one."""
    if chance.random() < 0.05:
        return DONE
    found = fire.sample(s, side, chance) if s.step == "fire" and chance.random() < 0.8 else None
    return found or melee.sample(s, side, chance) or DONE


CHAPTER = Chapter(
    kind="combat",
    prompt=lambda s: "fire, fight hand-to-hand, or done" if s.step == "fire" else "fight hand-to-hand, or done",
    why_not=why_not,
    options=options,
    sample=sample,
    anyone=anyone,
    carry_out=carry_out,
    done=DONE,
    never=why_never,
)
"""One fire or hand-to-hand combat after another."""

# --- defensive fire: at those who have come near, asked of the side that isn't moving (4-1(2), 4-1(5)) ----------------


def best(s: State, side: str) -> Order:
    """The fire in the highest column, then at the lowest morale, in the lowest hex, with the fewest units (R100)."""
    return min(fire.options(s, side), key=lambda order: _rank(s, order), default=DONE)


def _rank(s: State, order: Fire) -> tuple[int, int, str, int]:
    morale = s.board.units[order.target].morale
    hardest = 99  # an asterisk: only a removal hurts it
    label = s.board.label[s.at[order.target]]
    return -fire.column(s, order), hardest if morale is None else morale, label, len(order.support)


def by_policy(s: State, side: str, orders: Sequence[Words]) -> Order | None:
    """The answer of the standing order for defensive fire."""
    match latest(orders, "defence"):
        case ("best",):
            return best(s, side)
        case ("none",):
            return DONE
    return None


def sample_fire(s: State, side: str, chance: Chance) -> Order:
    """A random fire; now and then done."""
    return (fire.sample(s, side, chance) if chance.random() < 0.95 else None) or DONE


DEFENCE = Chapter(
    kind="defence",
    prompt=lambda _: "fire, or done",
    why_not=why_not,
    options=options,
    sample=sample_fire,
    anyone=anyone,
    carry_out=carry_out,  # no advance: 11-3-2
    done=DONE,
    standing=by_policy,
    default=best,
    never=lambda *_: Refusal(OF_THE_PHASE, "defensive fire is an answer: `standing defence` gives it, no plan does"),
)
"""One defensive fire after another; by standing order or default the best one (R100)."""
