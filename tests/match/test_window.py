"""Windows: how long the orders of an entry live, and that a plan may last over the other side's actions."""

from __future__ import annotations

import random

import pytest
from toy.players import Duel, stored_and_gone_on

from pbem.errors import OrderError
from pbem.match.check import check
from pbem.match.orders import read_canonical, read_parts
from pbem.match.table import Table, state_hash
from pbem.scenario import Scenario, load_scenario
from pbem.wire.orderfile import parse_statements


@pytest.fixture
def mellay(toy_system: Scenario) -> Duel:
    """A game in which the sides give one order each by turns, in one window a turn."""
    return Duel(load_scenario("mellay"))


def told(table: Table, *kinds: str) -> list[str]:
    """The orders and what became of them, each with its side."""
    return [f"{s['side']} {' '.join(s.get('words', ['...']))}" for s in table.steps if s["kind"] in kinds]


def test_a_plan_lasts_over_the_others_actions(mellay: Duel) -> None:
    mellay.play("anna", "move guard-1 rear; move guard-2 rear; move scout rear;")
    assert mellay.due() == "ben", "one order each by turns"
    mellay.play("ben", "move lancer rear;")
    assert mellay.table.due()[:2] == ("reveal", "anna"), "her second order stands in her plan, no other is asked"
    mellay.play("anna")
    mellay.play("ben", "rest;")
    assert told(mellay.tables["anna"], "order") == [
        "red move guard-1 rear",
        "blue move lancer rear",
        "red move guard-2 rear",
        "blue rest",
        "red move scout rear",
    ]
    assert not told(mellay.tables["anna"], "lapse")


def test_a_plan_lapses_with_its_window(mellay: Duel) -> None:
    mellay.play("anna", "move guard-1 rear; move guard-2 rear; move scout rear; move guard-1 front; rest;")
    mellay.play("ben", "rest;")
    assert told(mellay.table, "lapse") == []
    mellay.play("anna")  # opens the die for the weather, behind which the next turn asks
    assert told(mellay.table, "lapse") == ["red move guard-1 front"]
    assert mellay.table.game.state.turn == 2


def test_without_such_a_window_orders_live_for_the_phase(toy_system: Scenario) -> None:
    game = Duel(toy_system)
    game.play("anna", "move guard-1 rear; move guard-2 rear; move scout rear; move guard-1 front;")
    assert told(game.table, "lapse") == ["red move guard-1 front"]
    game.play("ben", "rest;")
    assert told(game.table, "order")[-1] == "blue rest"


@pytest.mark.parametrize(("strict", "moved"), [("strict;", False), ("", True)])
def test_each_sides_orders_are_strict_or_not_for_themselves(mellay: Duel, strict: str, moved: bool) -> None:
    mellay.play("anna", f"{strict} move guard-1 rear; if at guard-1 rear then move guard-1 rear; move scout rear;")
    mellay.play("ben", "rest;")
    table = mellay.tables["anna"]
    assert told(table, "lapse") == ["red if at guard-1 rear then move guard-1 rear"]
    assert told(table, "stop") == ([] if moved else ["red ..."])
    assert table.game.state.at["scout"] == ("rear" if moved else "front")


def test_a_stop_that_is_watched_drops_a_plan_as_soon_as_it_holds(mellay: Duel) -> None:
    mellay.play("anna", "stop whenever at lancer rear; move guard-1 rear; move guard-2 rear; move scout rear;")
    mellay.play("ben", "move lancer rear;")
    table = mellay.tables["anna"]
    assert told(table, "order") == ["red move guard-1 rear", "blue move lancer rear"]
    assert [(s["side"], s["number"], s["dropped"]) for s in table.steps if s["kind"] == "stop"] == [("red", 1, 2)]
    assert mellay.due() == "anna", "she is asked anew"


@pytest.mark.parametrize("test", ["at lancer front", "not at lancer rear"])
def test_what_holds_when_it_is_given_is_watched_from_when_it_does_not(mellay: Duel, test: str) -> None:
    mellay.play("anna", f"stop whenever {test}; move guard-1 rear; move guard-2 rear; move scout rear;")
    mellay.play("ben", "move lancer rear;")
    assert told(mellay.tables["anna"], "stop") == []
    mellay.play("anna")
    mellay.play("ben", "move lancer front;")
    assert told(mellay.tables["anna"], "stop") == ["red ..."]
    assert told(mellay.tables["anna"], "order")[-1] == "blue move lancer front"


def test_what_is_watched_ends_with_the_window_and_with_new_orders(mellay: Duel) -> None:
    mellay.play("anna", "stop whenever at lancer rear; move guard-1 rear;")
    assert [len(watches) for watches in mellay.table.course.watches.values()] == [1, 0]
    mellay.play("ben", "move lancer rear;")
    assert told(mellay.tables["anna"], "stop") == [], "nothing waits: her next decision is hers anyway"
    assert not any(mellay.table.course.watches.values())


def test_an_entry_watches_thirty_tests_at_most(mellay: Duel) -> None:
    """Each is made before every decision of every future that is played out."""
    fifteen = f"stop whenever {' and '.join(['at lancer front'] * 15)};\n"
    assert check(mellay.table, "anna", 2 * fifteen, random.Random(1), runs=0).errors == []
    found = check(mellay.table, "anna", 3 * fifteen, random.Random(1), runs=0).errors
    assert [error.what for error in found] == ["the `stop whenever` of an entry have 30 tests at most together"]
    signed = [statement for _, statement in parse_statements(3 * fifteen)[0]]
    with pytest.raises(OrderError):
        read_canonical(mellay.table.rules, mellay.table.board, "red", signed)


def test_a_watched_stop_that_was_stored_goes_on(mellay: Duel) -> None:
    mellay.play("anna", "stop whenever at lancer rear; move guard-1 rear; move guard-2 rear;")
    table, again = stored_and_gone_on(mellay, "ben")
    assert again.course.watches == table.course.watches
    assert again.course.armed == table.course.armed
    assert any(again.course.armed.values())


def test_a_plan_that_was_stored_goes_on(mellay: Duel) -> None:
    mellay.play("anna", "strict; move guard-1 rear; move guard-2 rear; move guard-2 rear; move scout rear;")
    table, again = stored_and_gone_on(mellay, "ben")
    assert told(again, "order") == told(table, "order") != []


def test_the_system_names_the_order_that_closes(toy_system: Scenario) -> None:
    """The toy's word is `rest`; `done` is no word of it."""
    game = Duel(toy_system)
    statements, _ = parse_statements("rest;\nbet 1;\n")
    _, errors = read_parts(game.table.rules, game.table.board, "red", statements)
    assert ["stands behind the `rest` of line 1" in str(error) for error in errors] == [True]
    statements, _ = parse_statements("done;\n")
    _, errors = read_parts(game.table.rules, game.table.board, "red", statements)
    assert "`done` is no order" in str(errors[0])
    game.play("anna", "rest;")
    assert game.table.game.state.phase == "blue"


def test_a_state_with_a_float_in_it_has_no_hash(toy_system: Scenario) -> None:
    table = Duel(toy_system).table
    dump = table.game.dump()
    assert state_hash(dump) == table.state_hash()
    dump["checkpoint"]["points"]["red"] = 2.5
    with pytest.raises(TypeError, match=r"2\.5 is a float"):
        state_hash(dump)
