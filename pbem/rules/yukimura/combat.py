"""The Combat Phase: first fire, then hand-to-hand combat, one target after another (4-1(3), 4-1(6), R81)."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.errors import Refusal
from pbem.rules.requests import Chance, Choose
from pbem.rules.yukimura import fire, melee
from pbem.rules.yukimura.acting import Acting, phase_refusal
from pbem.rules.yukimura.orders import DONE, Done, Fire, Melee, Order
from pbem.rules.yukimura.state import State

__all__ = ["anyone", "ask", "options", "sample", "why_not"]


def ask(s: State, side: str, clause: str) -> Acting:
    """Ask for the next fire or hand-to-hand combat and resolve it; the first of the latter closes the fire step."""
    order = yield Choose(
        side=side,
        kind="combat",
        clause=clause,
        prompt=f"{'fire, ' if s.step == 'fire' else ''}fight hand-to-hand, or done",
        why_not=lambda order: why_not(s, side, order, clause),
        options=lambda: options(s, side),
        sample=lambda chance: sample(s, side, chance),
    )
    if isinstance(order, Fire):
        yield from fire.fire(s, order)
    elif isinstance(order, Melee):
        s.step = "melee"  # 4-1(3)B, 4-1(6)B
        yield from melee.melee(s, order)
    return isinstance(order, Done)


def anyone(s: State, side: str) -> bool:
    """Whether anybody can still fire or attack."""
    return next(options(s, side)) != DONE


def why_not(s: State, side: str, order: Order, clause: str) -> Refusal | None:
    """Why an order can't be given in this phase."""
    match order:
        case Fire() if s.step == "melee":
            return Refusal(clause, "hand-to-hand combat has begun: all fire of a Combat Phase comes before it")
        case Fire():
            return fire.why_not(s, side, order)
        case Melee():
            return melee.why_not(s, side, order)
        case Done():
            return None  # 9-1-3, 10-1-3
    return phase_refusal(s, order, "4.a", "fire, melee or done")


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
