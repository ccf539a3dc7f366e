"""How many marches a way takes: the chance of each number, exactly over all throws of the allowance."""

from __future__ import annotations

from functools import lru_cache

from pbem.rules.gcacw.tables import Allowance
from pbem.rules.kit.throws import by_sum

__all__ = ["MOST", "marches"]

MOST = 17
"""So many marches are counted at most: what a unit can do in a battle of seven turns."""


@lru_cache(maxsize=1 << 13)
def marches(
    prices: tuple[int, ...], allowance: Allowance, more: int = 0, stops: tuple[int, ...] = ()
) -> tuple[float, ...]:
    """The chances that steps of such half points take 0, 1, 2 ... marches; what is left to 1 takes more than MOST.

    Each march has its dice, and `more` half points besides. Points that don't pay for the next step are lost, and those
    that are left behind as many steps as `stops` says.
    """
    end = len(prices)
    throws = by_sum(lambda total: 2 * (total + allowance.more) + more, allowance.dice)
    shares = {points: times / throws.total() for points, times in throws.items()}
    ends = [next((stop for stop in stops if stop > start), end) for start in range(end)]
    comes = [{points: _come(prices[: ends[start]], start, points) for points in shares} for start in range(end)]
    now = [0.0] * end + [1.0]
    found = [now[0]]
    while len(found) <= MOST and sum(found) < 1 - 1e-9:
        now = [sum(share * now[comes[start][points]] for points, share in shares.items()) for start in range(end)]
        now.append(0.0)
        found.append(now[0])
    return tuple(found)


def _come(prices: tuple[int, ...], start: int, points: int) -> int:
    """How far a march with so many half points comes, in steps."""
    here = start
    while here < len(prices) and prices[here] <= points:
        points -= prices[here]
        here += 1
    return here
