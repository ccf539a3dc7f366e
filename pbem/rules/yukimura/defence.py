"""The Defensive Fire Phase: fire at those who have come near, asked of the side that isn't moving (4-1(2), 4-1(5))."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.errors import Refusal
from pbem.rules.kit.ask import OF_THE_PHASE, Chapter
from pbem.rules.kit.standing import latest
from pbem.rules.requests import Chance, Words
from pbem.rules.yukimura import fire
from pbem.rules.yukimura.acting import phase_refusal
from pbem.rules.yukimura.orders import DONE, Done, Fire, Melee, Order
from pbem.rules.yukimura.state import State

__all__ = ["CHAPTER"]


def anyone(s: State, side: str) -> bool:
    """Whether anybody can still fire."""
    return next(fire.targets(s, side), None) is not None


def why_not(s: State, side: str, order: Order) -> Refusal | None:
    """Why an order can't be given in this phase."""
    match order:
        case Fire():
            return fire.why_not(s, side, order)
        case Melee():
            return Refusal("10.a", "hand-to-hand combat is fought in one's own Combat Phase only")
        case Done():
            return None  # 9-1-3
    return phase_refusal(s, order, OF_THE_PHASE, "fire or done")


def best(s: State, side: str) -> Order:
    """The fire in the highest column, then at the lowest morale, in the lowest hex, with the fewest units (R100)."""
    return min(fire.options(s, side), key=lambda order: _rank(s, order), default=DONE)


def _rank(s: State, order: Fire) -> tuple[int, int, str, int]:
    morale = s.board.units[order.target].morale
    hardest = 99  # an asterisk: only a removal hurts it
    label = s.board.label[s.at[order.target]]
    return -fire.column(s, order), hardest if morale is None else morale, label, len(order.support)


def options(s: State, side: str) -> Iterator[Order]:
    """Fires at each target, then done."""
    yield from fire.options(s, side)
    yield DONE


def sample(s: State, side: str, chance: Chance) -> Order:
    """A random fire; now and then done."""
    return (fire.sample(s, side, chance) if chance.random() < 0.95 else None) or DONE


def by_policy(s: State, side: str, orders: Sequence[Words]) -> Order | None:
    """The answer of the standing order for defensive fire."""
    match latest(orders, "defence"):
        case ("best",):
            return best(s, side)
        case ("none",):
            return DONE
    return None


CHAPTER = Chapter(
    kind="defence",
    prompt=lambda _: "fire, or done",
    why_not=why_not,
    options=options,
    sample=sample,
    anyone=anyone,
    carry_out=lambda s, _, order: fire.fire(s, order),  # no advance: 11-3-2
    done=DONE,
    standing=by_policy,
    default=best,
)
"""One defensive fire after another; by standing order or default the best one (R100)."""
