"""The order language of the Siege of Osaka for the tests: any orders, and the words that may occur."""

from __future__ import annotations

from functools import cache

from hypothesis import strategies as st

from pbem.rules.requests import Order
from pbem.rules.yukimura.conditions import STATES
from pbem.rules.yukimura.orders import (
    DONE,
    USAGE,
    Advance,
    AdvancePlan,
    Beside,
    Displace,
    Enter,
    Fire,
    Hold,
    March,
    Melee,
    Move,
    Retreat,
)
from pbem.rules.yukimura.reading import STANDING
from systems.yukimura_fields import board_of

__all__ = ["ORDER_WORDS", "STANDING_WORDS", "STEPS", "USAGE", "orders"]

STANDING_WORDS = tuple(STANDING)
STEPS = {"done": 2, "melee": 1}
ORDER_WORDS = (*STANDING, *STATES, "advance", "hold", "off", "any", "or", "fewer", "follow", "enter", "best",
               "none", "east", "osaka", "D0000", "Y9999", "D20", "2022", "d2022", "go-", "ki-0", "d", "goto",
               "hideyori")  # fmt: skip


@cache
def orders(side: str) -> st.SearchStrategy[Order]:
    """Orders of a side, legal or not, of any kind."""
    board = board_of({"scenario": "connected"})
    hexes = st.sampled_from(sorted(board.label))
    paths = st.lists(hexes, min_size=1, max_size=6).map(tuple)
    mine, foes = (st.sampled_from(board.of_side[of]) for of in (side, board.enemy[side]))
    many = st.lists(mine, max_size=4).map(tuple)
    some = st.lists(mine, min_size=1, max_size=4).map(tuple)
    plan = st.builds(AdvancePlan, mine, st.just(()) | paths)
    follower = st.lists(st.builds(AdvancePlan, mine, st.just(())), max_size=1).map(tuple)
    return st.one_of(
            st.builds(Beside, st.sampled_from(sorted(board.forces)), hexes),
            st.builds(Move, mine, paths, st.booleans()) | st.builds(Move, mine, st.just(()), st.just(True)),
            st.builds(March, mine, paths, st.booleans()) | st.builds(March, mine, st.just(()), st.just(True)),
            st.builds(Enter, mine, paths),
            st.builds(Fire, mine, foes, many, follower, st.booleans()),
            st.builds(Fire, mine, foes, some, follower, st.booleans(), st.just(True)),
            st.builds(Melee, mine, foes, many, st.lists(plan, max_size=3).map(tuple), st.booleans()),
            st.builds(Melee, mine, foes, some, st.lists(plan, max_size=3).map(tuple), st.booleans(), st.just(True)),
            st.builds(Retreat, mine, paths),
            st.builds(Displace, mine, hexes),
            st.builds(Advance, mine, st.just(()) | paths),
            st.builds(Hold, mine),
            st.just(DONE),
    )  # fmt: skip
