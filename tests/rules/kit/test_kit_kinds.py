"""Kinds of orders: what is alike in two kinds is no one order, and an order without words of its own is one."""

from __future__ import annotations

from itertools import combinations
from typing import Any, NamedTuple, get_args

import pytest

from pbem.rules.bakumatsu import orders as bakumatsu
from pbem.rules.gcacw import orders as gcacw
from pbem.rules.kit.kinds import kind_of_order
from pbem.rules.samurai import orders as samurai
from pbem.rules.sengoku import orders as sengoku
from pbem.rules.yukimura import orders as yukimura


@kind_of_order
class Move(NamedTuple):
    """A move."""

    unit: str
    path: tuple[int, ...] = ()


@kind_of_order
class March(NamedTuple):
    """A march, with the same fields."""

    unit: str
    path: tuple[int, ...] = ()


@kind_of_order
class Done(NamedTuple):
    """An order without fields."""


def test_orders_of_one_kind_are_equal_by_their_fields() -> None:
    assert Move("a", (1,)) == Move("a", (1,)) != Move("a", (2,))
    assert len({Move("a"), Move("a"), Move("b")}) == 2
    assert Move("a") in [March("a"), Move("a")]


def test_orders_of_two_kinds_differ_though_their_fields_are_equal() -> None:
    assert Move("a") != March("a")
    assert not Move("a") == March("a")  # noqa: SIM201 both operators are asked
    assert Move("a") != ("a", ())  # nor is it what its words are
    assert len({Move("a"), March("a"), ("a", ())}) == 3
    assert (Move("a"),) != (March("a"),)


def test_an_order_without_fields_is_something() -> None:
    assert Done()
    assert Done() == Done() != ()


@pytest.mark.parametrize("system", [bakumatsu, gcacw, samurai, sengoku, yukimura])
def test_kinds_of_every_system_differ(system: Any) -> None:
    kinds = get_args(system.Order)
    for one, other in combinations(kinds, 2):
        if len(one._fields) == len(other._fields):
            given = ["x"] * len(one._fields)
            assert one(*given) != other(*given), (one, other)
    assert all(kind(*["x"] * len(kind._fields)) for kind in kinds)
