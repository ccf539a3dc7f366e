"""The Combat Phase: first fire, then hand-to-hand combat, one target after another (4-1(3), 4-1(6), R81)."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.errors import Refusal
from pbem.rules.kit.ask import OF_THE_PHASE, Chapter, Steps
from pbem.rules.requests import Chance
from pbem.rules.yukimura import fire, melee
from pbem.rules.yukimura.acting import phase_refusal
from pbem.rules.yukimura.orders import DONE, Done, Fire, Melee, Order
from pbem.rules.yukimura.state import State

__all__ = ["CHAPTER"]


def anyone(s: State, side: str) -> bool:
    """Whether anybody can still fire or attack."""
    return next(options(s, side)) != DONE


def why_not(s: State, side: str, order: Order) -> Refusal | None:
    """Why an order can't be given in this phase."""
    match order:
        case Fire() if s.step == "melee":
            return Refusal(OF_THE_PHASE, "hand-to-hand combat has begun: all fire of a Combat Phase comes before it")
        case Fire():
            return fire.why_not(s, side, order)
        case Melee():
            return melee.why_not(s, side, order)
        case Done():
            return None  # 9-1-3, 10-1-3
    return phase_refusal(s, order, "4.a", "fire, melee or done")


def carry_out(s: State, _: str, order: Fire | Melee) -> Steps:
    """A legal order and all that follows from it; the first hand-to-hand combat closes the fire step."""
    if isinstance(order, Fire):
        return fire.fire(s, order)
    s.step = "melee"  # 4-1(3)B, 4-1(6)B
    return melee.melee(s, order)


def options(s: State, side: str) -> Iterator[Order]:
    """Fires while their step lasts, hand-to-hand combats, done."""
    if s.step == "fire":
        yield from fire.options(s, side)
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
    prompt=lambda s: f"{'fire, ' if s.step == 'fire' else ''}fight hand-to-hand, or done",
    why_not=why_not,
    options=options,
    sample=sample,
    anyone=anyone,
    carry_out=carry_out,
    done=DONE,
)
"""One fire or hand-to-hand combat after another."""
