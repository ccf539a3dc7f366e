"""The list as the page shows it: each statement where it stands, with what `check` says of it, and what comes then."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from toy.players import Duel

from page.positions import GAMES, asked, by_bot, listed, of_game, opening, sheet_of
from pbem.match.check import check
from pbem.match.orders import statement_of
from pbem.match.table import Table
from pbem.page.listing import Listing
from pbem.page.sheet import Sheet

MakeDuel = Callable[..., Duel]

MIXED = """# the plan
move sc rear; bet 9; # two in a line
if gone la then pull 1;
juggle 3
standing flee all;
say hello;
stop if gone sc;
  bet 1,
rest;
"""
"""Statements of most kinds for the toy, some wrong: its `bet` has numbers up to 3, nobody juggles."""


@pytest.fixture
def sheet(duel: MakeDuel) -> Sheet:
    """The first player's of a duel before anybody has ordered anything."""
    return Sheet(duel().view("anna"), "anna")


def faults(found: Listing) -> list[tuple[str, str, str, str]]:
    """What is wrong with the list, at all and with each statement; the first of each."""
    wrong = [(item.why, item.right, item.clause) for item in found.items if item.state == "wrong"]
    return sorted([("item", *one) for one in wrong] + [("list", f.what, f.right, f.clause) for f in found.errors])


def test_each_statement_has_its_lines_its_kind_and_its_state(sheet: Sheet) -> None:
    found = sheet.listing(MIXED)
    assert [(item.number, item.first, item.last, item.kind, item.state) for item in found.items] == [
        (1, 2, 2, "order", "good"),
        (2, 2, 2, "order", "wrong"),
        (3, 3, 3, "if", "good"),
        (4, 4, 4, "order", "wrong"),
        (5, 5, 5, "standing", "good"),
        (6, 6, 6, "say", "good"),
        (7, 7, 7, "stop", "good"),
        (8, 8, 8, "order", "good"),
        (9, 9, 9, "order", "good"),
    ]
    assert [item.text for item in found.items][:4] == ["move sc rear", "bet 9", "if gone la then pull 1", "juggle 3"]
    assert found.items[0].words == "move scout rear"
    assert found.closed


def test_a_statement_is_wrong_for_what_check_says_of_it(sheet: Sheet) -> None:
    errors = check(sheet.table, "anna", MIXED, runs=0).errors
    assert faults(sheet.listing(MIXED)) == sorted(("item", e.what, e.hint, getattr(e, "clause", "")) for e in errors)
    assert len(errors) == 2


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("bet 1; bet 9; rest;", [2]),
        ("bet 9; bet 1; bet 9;", [1, 3]),
        ("juggle; move sc rear; bet 1,", [1, 3]),  # cut off
        ("move sc rear; move sc rear; hit sc", [2, 3]),
        ("bet 1; rest; bet 2", [3]),  # behind the order that closes
    ],
)
def test_of_several_in_a_line_the_right_one_is_wrong(sheet: Sheet, text: str, wrong: list[int]) -> None:
    found = sheet.listing(text)
    assert [item.number for item in found.items if item.state == "wrong"] == wrong
    errors = check(sheet.table, "anna", text, runs=0).errors
    assert faults(found) == sorted(("item", e.what, e.hint, getattr(e, "clause", "")) for e in errors)


def test_what_is_wrong_with_no_statement_is_told_of_the_list(sheet: Sheet) -> None:
    many = "juggle 3;\n" * 120
    found = sheet.listing(many)
    assert [fault.what for fault in found.errors] == ["too many errors; from here on nothing is read"]
    assert {item.state for item in found.items} == {"wrong", "unread"}


def test_what_comes_behind_the_list_is_told(sheet: Sheet) -> None:
    empty, rolled, closed = (sheet.listing(text) for text in ("", "bet 1;", "rest;"))
    assert (empty.asked is not None, empty.comes) == (True, "")
    assert (rolled.asked is not None, rolled.comes) == (True, "Behind these orders dice fall.")
    assert (closed.asked, closed.comes, closed.closed) == (None, "Behind these orders ben decides.", True)


def test_who_stands_elsewhere_behind_the_list_is_told(sheet: Sheet) -> None:
    assert sheet.listing("").units == ()
    found = sheet.listing("move sc rear;")
    assert ("scout", "rear") in found.units
    assert sheet.listing("move sc rear; rest;").units == found.units


def test_an_order_has_dice_or_none(sheet: Sheet) -> None:
    found = sheet.listing("move sc rear;\nbet 1;\nhit la;\nif gone sc then bet 1;")
    assert [item.dice for item in found.items] == [False, True, True, False]


def test_where_only_a_reveal_is_due_the_list_says_so(duel: MakeDuel) -> None:
    game = duel()
    game.play("anna", "bet 1;\nrest;\n")
    table = game.view("ben")
    if table.due().what == "reveal" and table.due().player == "ben":
        found = Sheet(table, "ben").listing("")
        assert (found.items, found.asked, "without orders" in found.comes) == ((), None, True)


@pytest.mark.parametrize(("system", "name"), GAMES)
def test_what_a_bot_orders_is_good_and_signed_as_it_is_listed(system: str, name: str) -> None:
    for table in of_game(system, name):
        orders = by_bot(table)
        found = sheet_of(table).listing(listed([*orders, table.rules.CLOSING]))
        assert [item.state for item in found.items] == ["good"] * (len(orders) + 1)
        parts = check(table, asked(table)[0], listed(orders), runs=0).parts
        assert [item.words for item in found.items[:-1]] == [str(statement_of(p)).removesuffix(";") for _, p in parts]
        assert (found.closed, found.asked) == (True, None)


@pytest.mark.parametrize(("system", "name"), GAMES)
def test_the_same_errors_as_check_in_every_game(system: str, name: str) -> None:
    """Each order of a bot given twice, and one of the enemy's units."""
    for table in of_game(system, name)[:1]:
        orders = [order for order in by_bot(table) for _ in range(2)]
        sheet = sheet_of(table)
        enemy = min(sheet.naming.enemies)
        own = {word for order in orders for word in order.split() if word in sheet.naming.own}
        orders += [" ".join(enemy if word in own else word for word in orders[0].split())] if own else []
        found, errors = sheet.listing(listed(orders)), check(table, asked(table)[0], listed(orders), runs=0).errors
        told = sorted((f.what, f.where) for fs in sheet._read(listed(orders)).faults.values() for f in fs)
        assert sorted([*told, *((f.what, f.where) for f in found.errors)]) == sorted((e.what, e.where) for e in errors)


def test_behind_a_move_an_order_is_drawn_from_where_it_leads() -> None:
    table = of_game("bakumatsu", "satcho-holds")[0]
    sheet = sheet_of(table)
    options = {unit: sheet._options("", None).given_to(unit) for unit in sorted(sheet.naming.own)}
    unit, move = next((unit, one.words) for unit, those in options.items() for one in those if one.words[0] == "move")
    first = " ".join(move)
    items = sheet.listing(f"{first};\nin melee: melee {unit} at {min(sheet.naming.enemies)};\n").items
    assert items[0].way[-1] == move[-1]
    assert items[1].way[0] == move[-1]


def test_units_are_drawn_from_where_they_stand() -> None:
    table: Table = opening("yukimura", "yao")
    sheet = sheet_of(table)
    at = sheet.naming.places(table.game.state)
    order = next(order for order in by_bot(table) if len(order.split()) > 3)
    (item,) = sheet.listing(listed([order])).items
    assert (item.unit, item.way) == (order.split()[1], (at[order.split()[1]], *order.split()[2:]))
