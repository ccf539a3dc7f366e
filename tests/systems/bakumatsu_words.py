"""The order language of Toba-Fushimi for the tests: any orders, and the words that may occur."""

from __future__ import annotations

from functools import cache

from hypothesis import strategies as st

from pbem.rules.bakumatsu.orders import (
    DONE,
    STATES,
    USAGE,
    Enter,
    Fire,
    March,
    Melee,
    Move,
    Recover,
    Retreat,
    SetUpUnit,
)
from pbem.rules.requests import Order
from systems.bakumatsu_players import board

__all__ = ["ORDER_WORDS", "STANDING_WORDS", "STEPS", "USAGE", "orders"]

STANDING_WORDS = ("retreat",)
STEPS: dict[str, int] = {}
ORDER_WORDS = (*STATES, "any", "move", "march", "advance", "shogunate", "satcho", "north-east", "west", "south-west",
               "sg-", "sa-0", "s", "1413")  # fmt: skip


@cache
def orders(side: str) -> st.SearchStrategy[Order]:
    """Orders of a side, legal or not, of any kind."""
    hexes = st.sampled_from(sorted(board().label))
    paths = st.lists(hexes, min_size=1, max_size=6).map(tuple)
    mine, foes = (st.sampled_from(board().of_side[of]) for of in (side, board().enemy[side]))
    many = st.lists(mine, max_size=4).map(tuple)
    return st.one_of(
        st.builds(SetUpUnit, mine, hexes),
        st.builds(Recover, mine),
        st.builds(Move, mine, paths),
        st.builds(March, mine, paths),
        st.builds(Enter, mine) | st.builds(Enter, mine, st.sampled_from(("move", "march")), paths),
        st.builds(Fire, mine, foes, many),
        st.builds(Melee, mine, foes, many, st.booleans()),
        st.builds(Retreat, mine, paths),
        st.just(DONE),
    )
