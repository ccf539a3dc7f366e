"""Why no way leads where an order with `to` names a place: the reason that is so, as `check` tells it."""

from __future__ import annotations

import pytest
from systems.test_reports import empty_table

from pbem.errors import OrderError
from pbem.match.check import check
from pbem.match.game import Game
from pbem.match.orders import Act
from pbem.match.table import Table
from pbem.rules import yukimura


def east_moves(scenario: str, turn: int, places: str = "", arrived: str = "") -> Table:
    """The East's Movement Phase of a turn, with units where `places` puts them and one force that may enter."""
    table = empty_table("yukimura", scenario)
    table.course.begin()
    s = table.game.state
    for place in places.split():
        unit, number = place.split(":")
        s.put(unit, table.board.parse(number))
    s.turn, s.phase, s.opened = turn, 1, True
    s.arrived |= {arrived} if arrived else set()
    table.course.game, table.seq = Game(yukimura, table.board, s, table.course._hear), 5
    return table


def refused(table: Table, order: str) -> tuple[str, str]:
    """The clause and the reason by which an order is refused."""
    (error,) = check(table, "asuka", order, runs=0).errors
    assert isinstance(error, OrderError)
    return getattr(error, "clause", ""), error.what.partition(": ")[2]


def read(table: Table, order: str) -> tuple[str, ...]:
    """The words that an order is signed with."""
    found = check(table, "asuka", order, runs=0)
    assert found.errors == []
    ((_, part),) = found.parts
    assert isinstance(part, Act)
    return part.words


@pytest.mark.clause("7-5-1(1)")
def test_who_stands_on_no_road_is_told_so() -> None:
    table = east_moves("yao", 1)
    assert refused(table, "march to-01 to 0217") == ("7-5-1(1)", "0218 is no road hex: use `move`")
    assert read(table, "move to-01 to 0217") == ("move", "to-01", "0217")


LINE = "mi-04:2117 mi-05:2118"


@pytest.mark.clause("14-1(5)2b")
@pytest.mark.parametrize(
    ("order", "place"),
    [("move mi-05 to 2116", "2116"), ("move mi-04 to 2115", "2115"), ("march mi-05 to 2116", "2116"),
     ("march mi-04 to 2015", "2015"), ("move mi-04 2116", "2116")],
)  # fmt: skip
def test_where_the_line_alone_bars_the_way_it_is_named(order: str, place: str) -> None:
    """From turn 5 on the way is open."""
    clause, why = refused(east_moves("domyoji", 3, LINE), order)
    assert clause == "14-1(5)2b"
    assert why.startswith(place)
    assert "is west of the Ishikawa Line: the East may cross it from turn " in why


@pytest.mark.clause("8-1.a", "7-2.b")
def test_a_reinforcement_is_told_what_the_way_costs() -> None:
    table = east_moves("domyoji", 5, arrived="date")
    clause, why = refused(table, "enter da-4 to kokubu")
    assert clause == "7-2.b"
    assert why.startswith("the cheapest way to 2030 Kokubu costs ")
    assert why.endswith(" movement points, da-04 Date mounted 1 has 5")
    assert read(table, "enter da-4 to 2033")[:2] == ("enter", "da-04")
    clause, why = refused(table, "enter da-4 2030 to 2033")
    assert why.startswith("da-04")
    assert "enters at" in why


def test_the_players_words_are_repeated_as_he_typed_them() -> None:
    (error,) = check(east_moves("yao", 1), "asuka", "March  TO-01 to 0217", runs=0).errors
    assert error.what.startswith("`March  TO-01 to 0217`: ")
