"""What a report tells of a turn of a battle of miniatures: each event with the order that it came of, or by itself."""

from __future__ import annotations

from typing import Any

import pytest
from matches import scenario_of
from rules.samurai.test_one_mail import begun, play

from pbem.match.check import check
from pbem.match.table import Table
from pbem.report import build, source
from pbem.report.telling import Teller

UNITS = {
    "bw-1": "30 20 north",
    "sp-1": "40 12 north 2 routed checked",
    "ro-1": "10 20 north",
    "ro-11": "30 28 south",
    "sw-11": "10 21 south abreast",
    "dm-11": "10 22 south",
}
ORDERS = "fire bw-1 at ro-11; {}attack ro-1 at sw-11; done;"


def headlines(table: Table) -> list[str]:
    """The headlines of the news, with the numbers of the fights in them."""
    given: dict[str, Any] = source.report_input(table, scenario_of("skirmish"), None)
    news = build.build(given | {"steps": table.steps})["news"]
    return [
        "".join(f"{fight}. " for fight in action["fights"]) + action["headline"] + "".join(action["dice"][-1:])
        for group in news
        for action in group["actions"]
        if action["headline"]
    ]


def test_who_flees_as_movement_begins_and_who_is_at_risk_as_the_turn_ends_is_told_by_itself() -> None:
    table = begun(UNITS)
    play(table, ORDERS.format(""), [1, 12, 2, 12, 3, 4, 5])
    fired, fled, attacked, unhurt = headlines(table)
    assert fired.startswith("1. Unit bw-1 (bw-1) fired at Unit ro-11 (ro-11): one figure killed.")
    assert fled == "Unit sp-1 (sp-1) fled 7 inches south-east to 44.94 7.06."
    assert attacked.startswith("2. Unit ro-1 (ro-1) attacked Unit sw-11 (sw-11): one figure killed.")
    assert unhurt == "Unit dm-11 (dm-11) was unhurt.risk of dm-11: 5 (mean 6.5)"


@pytest.mark.parametrize(("order", "words"), [
    ("move sp-1 left 1", "Unit sp-1 (sp-1) turns left and moves 1 inch"),
    ("move sp-1 6.5 right", "Unit sp-1 (sp-1) moves 6.5 inches and turns right"),
    ("back sp-1 2", "Unit sp-1 (sp-1) goes back 2 inches"),
    ("move dm-11 to 12.5 8 north", "Unit dm-11 (dm-11) goes to 12.5 8, facing north"),
    ("move dm-11 to 12.5 8", "Unit dm-11 (dm-11) goes to 12.5 8"),
])  # fmt: skip
def test_a_move_that_waits_is_told_with_its_inches(order: str, words: str) -> None:
    table = begun(UNITS)
    teller = Teller(table.rules.situation(table.game.state), None, None)
    assert teller.order(order.split()) == words


def test_who_flees_for_a_fire_is_told_with_it() -> None:
    table = begun({**UNITS, "sp-1": "40 12 north", "ro-11": "30 28 south 2"})
    play(table, ORDERS.format(""), [1, 12, 2, 12, 12, 3, 4, 5])
    fired, broke = headlines(table)[0].split("; ")[:2]
    assert fired == "1. Unit bw-1 (bw-1) fired at Unit ro-11 (ro-11): one figure killed"
    assert broke.startswith("Unit ro-11 broke and fled 7 inches north to 30 35.")


def test_what_is_left_out_of_an_order_is_told_with_it() -> None:
    units = {"bw-1": "10 10 north-east", "sp-1": "16 12 north", "sp-2": "16 17 north", "ro-1": "40 10 north"}
    table = begun({**units, "ro-12": "16 14 south 1", "sp-14": "30 36 south"})
    play(table, "fire bw-1 at ro-12; move ro-1 3; move sp-1 7; done;", [12, 12, 12])
    _, before, shortened = headlines(table)
    assert before == "Unit ro-1 (ro-1) moved 3 inches to 40 13."
    assert shortened.startswith("The order for Unit sp-1 (sp-1) was carried out as far as it could be: ")
    assert shortened.endswith("; Unit sp-1 (sp-1) moved 4 inches to 16 16.")


def test_what_waits_for_dice_is_told_where_nothing_else_has_happened() -> None:
    table = begun(UNITS)
    parts = check(table, "asuka", "fire bw-1 at ro-11; move ro-1 7; done;", runs=0).parts
    table.course.decided, table.course.chancer = (3, b""), lambda _: None
    table.course.play("red", parts, reaction=False)
    table.course.resolve()
    assert headlines(table) == ["Unit bw-1 (bw-1) declared fire at Unit ro-11 (ro-11): three dice, 8 or more kills."]


@pytest.mark.parametrize(("order", "words"), [
    ("move sp-1 left 3", "turned left and moved 3 inches to 37.88 14.12"),
    ("move sp-1 1 right", "moved 1 inch to 40 13 and turned right"),
    ("back sp-1 3.5", "went back 3.5 inches to 40 8.5"),
    ("turn sp-1 left", "turned left"),
    ("halt sp-1", "stayed"),
    ("move dm-1 to 48 6.5", "went 4.5 inches south to 48 6.5"),
    ("move dm-1 to 48 11 east", "stayed"),
    ("follow dm-1 sp-1 right", "followed Unit sp-1 (sp-1) and went 5.6 inches west to 42.5 12"),
])  # fmt: skip
def test_how_far_and_where_to_somebody_went_is_told_in_few_words(order: str, words: str) -> None:
    table = begun({"sp-1": "40 12 north", "dm-1": "48 11 north", "ro-11": "10 40 south"})
    play(table, f"{order}; done;", [])
    unit = order.split()[1]
    assert headlines(table) == [f"Unit {unit} ({unit}) {words}."]


def test_the_end_of_a_step_is_no_news() -> None:
    told = []
    for close in ("", "close move; "):
        table = begun({**UNITS, "sp-1": "40 12 north"})
        play(table, ORDERS.format(close), [1, 12, 2, 12, 3, 4, 5])
        told.append(headlines(table))
    assert told[0] == told[1]
    assert len(told[0]) == 3
