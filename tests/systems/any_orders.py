"""Orders of a side at random, legal or not, for hypothesis: of a system's order classes, each field by what it is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, get_args, get_type_hints

from hypothesis import strategies as st

from pbem.maps.hexes import Hex
from pbem.rules import Board
from pbem.rules.bakumatsu.orders import NO_ONE
from pbem.rules.requests import Order

__all__ = ["any_orders"]


def any_orders(board: Board, union: Any, side: str, readable: Callable[[Order], bool]) -> st.SearchStrategy[Order]:
    """Orders of all classes of a union; `readable` leaves out those that no words can say."""
    return st.one_of(*(_made(board, kind, side) for kind in get_args(union))).filter(readable)


def _made(board: Board, kind: Any, side: str) -> st.SearchStrategy[Any]:
    hints = get_type_hints(kind)
    return st.builds(kind, **{name: _values(board, name, hints[name], side) for name in kind._fields})


def _values(board: Board, name: str, hint: Any, side: str) -> st.SearchStrategy[Any]:
    """Values for a field: hexes and flags by its type, names by its own."""
    hexes = st.sampled_from(sorted(board.label))
    if hint is bool:
        return st.booleans()
    if hint is Hex:
        return hexes
    if hint == tuple[Hex, ...]:
        return st.lists(hexes, max_size=6).map(tuple)
    units = {"unit": side, "support": side, "target": board.enemy[side]}
    if name in units:
        some = st.sampled_from(board.of_side[units[name]])
        return some if hint is str else st.lists(some, max_size=4).map(tuple)
    if name == "force":
        return st.sampled_from(sorted(board.forces))
    if name == "by":
        leaders = board.commanders[side]
        return st.sampled_from(("", NO_ONE, *leaders) if leaders else ("",))
    if name == "how":
        return st.sampled_from(("", "move", "march"))
    return st.lists(_made(board, get_args(hint)[0], side), max_size=3).map(tuple)
