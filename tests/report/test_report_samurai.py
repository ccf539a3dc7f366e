"""What a report tells of a turn of a battle of miniatures: each event with the order that it came of, or by itself."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from matches import Match, scenario_of
from rules.samurai.test_one_mail import begun, play

from pbem.match.bots import suggest
from pbem.match.check import Checked, check
from pbem.match.comes import Came
from pbem.match.form import form
from pbem.match.table import Table
from pbem.report import build, mail, source
from pbem.report.asked import Asked, Foreseen
from pbem.report.ordered import came_words
from pbem.report.telling import Teller
from pbem.rules.requests import Choose
from pbem.rules.samurai.losses import least
from pbem.rules.samurai.state import Gone

from .test_report import loose
from .test_report_table import played

UNITS = {
    "bw-1": "30 20 north",
    "sp-1": "40 12 north 2 routed checked",
    "ro-1": "10 20 north",
    "ro-11": "30 28 south",
    "sw-11": "10 21 south abreast",
    "dm-11": "10 22 south",
}
PHASES = ("red-setup", "red-turn")
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
    assert fled == (
        "Unit sp-1 (sp-1) fled 7 inches south-east to the centre third, 7.1 inches from the Red edge (44.94 7.06), "
        "facing south-east."
    )
    assert attacked.startswith("2. Unit ro-1 (ro-1) attacked Unit sw-11 (sw-11): one figure killed.")
    assert unhurt == "Unit dm-11 (dm-11) was unhurt.risk of dm-11: 5 (mean 6.5)"


@pytest.mark.parametrize(("order", "words"), [
    ("move sp-1 left 1", "Unit sp-1 (sp-1) turn left and move 1 inch"),
    ("move sp-1 6.5 right", "Unit sp-1 (sp-1) move 6.5 inches and turn right"),
    ("back sp-1 2", "Unit sp-1 (sp-1) go back 2 inches"),
    ("move dm-11 to 12.5 8 north", "Unit dm-11 (dm-11) goes to 12.5 8, facing north"),
    ("move dm-11 to 12.5 8", "Unit dm-11 (dm-11) goes to 12.5 8"),
    ("follow dm-11 sw-11 left", "Unit dm-11 (dm-11) follows Unit sw-11 (sw-11), to their left"),
    ("follow dm-11 sw-11 behind", "Unit dm-11 (dm-11) follows Unit sw-11 (sw-11), behind them"),
    ("rally sp-1", "Unit sp-1 (sp-1) try to rally"),
    ("rally sp-1 by dm-11", "Unit sp-1 (sp-1) try to rally with Unit dm-11 (dm-11)"),
    ("rally sp-1 by dm-11 about", "Unit sp-1 (sp-1) try to rally with Unit dm-11 (dm-11), and turn about then"),
])  # fmt: skip
def test_an_order_that_waits_is_told_with_all_its_words(order: str, words: str) -> None:
    table = begun(UNITS)
    teller = Teller(table.rules.situation(table.game.state), None, None)
    assert teller.order(order.split()) == words


def test_a_daimyo_is_told_with_all_whom_he_touches() -> None:
    table = begun({**UNITS, "sp-11": "12.5 22 south"})
    data = build.build(source.report_input(table, scenario_of("skirmish"), None))
    assert {unit["id"]: unit["attached_to"] for unit in data["situation"]["units"] if unit["attached_to"]} == {
        "dm-11": ["sp-11", "sw-11"]
    }
    told = " ".join(build.text(data).split())
    assert "(10 22), with sp-11 and sw-11; Daimyo" in told
    assert told.count(", with ") == 1


@pytest.mark.parametrize(("figures", "stands"), [("3/1", "3 1"), ("3/0", None), ("0/3", None)])
def test_the_stands_of_a_unit_are_told_while_it_has_two(figures: str, stands: str | None) -> None:
    table = begun({**UNITS, "sw-11": f"10 21 south abreast {figures}"})
    units = table.rules.situation(table.game.state)["units"]
    assert [unit["extra"]["stands"] for unit in units if unit["id"] == "sw-11"] == [stands]


def test_the_score_counts_points_lost_out_of_all_of_an_army() -> None:
    table = begun(UNITS, broken=50)
    scores = [(False, "points lost (10 break it), 2 of 19"), (True, "points lost (10 break it), 19 of 19")]
    for ended, score in scores:
        if ended:
            for unit in ("bw-1", "sp-1", "ro-1"):
                table.game.state.remove(unit, Gone.KILLED, "combat.7")
        data = build.build(source.report_input(table, scenario_of("skirmish"), None))
        assert f"Red: {score} [army-break]." in build.text(data)
        assert f"Red: {score}" in re.sub("<[^>]*>", "", build.html(data))
        assert f"Red: {score}" in mail.mail_text(mail.mail_data(table, scenario_of("skirmish"), "asuka"))


@pytest.mark.parametrize(("more", "means"), [
    ({}, "; Unit sw-11 have no daimyo now, and can't go before one comes"),
    ({"sp-12": "12.5 22 south"}, "; Unit sp-12 (sp-12) and Unit sw-11 have no daimyo now, and Unit sw-11 "
                                 "can't go before one comes"),
    ({"dm-12": "6.5 21 south"}, ""),
    ({"sw-12": "10 23 south abreast routed"}, "; Unit sw-11 and Unit sw-12 (sw-12) have no daimyo now, and "
                                              "Unit sw-11 can't go before one comes"),
])  # fmt: skip
def test_the_death_of_a_daimyo_is_told_once_and_with_what_it_means(more: dict[str, str], means: str) -> None:
    table = begun(UNITS | more)
    play(table, ORDERS.format(""), [1, 1, 1, 12, 3, 4, 12, *[5] * ("dm-12" in more)])
    fell = [line for line in headlines(table) if "dm-11" in line]
    assert fell == [f"Unit dm-11 (dm-11) fell in the left third, 22 inches from the Red edge (10 22){means}."
                    "risk of dm-11: 12 (mean 6.5)"]  # fmt: skip
    given: dict[str, Any] = source.report_input(table, scenario_of("skirmish"), None)
    full = " ".join(build.text(build.build(given | {"steps": table.steps})).split()).partition("IN FULL")[2]
    assert "A die for Unit dm-11 (dm-11), whose unit took losses: 12. [risk/dm-11/1: 12] Unit dm-11 fell" in full


def test_who_flees_for_a_fire_is_told_with_it() -> None:
    table = begun({**UNITS, "sp-1": "40 12 north", "ro-11": "30 28 south 2"})
    play(table, ORDERS.format(""), [1, 12, 2, 12, 12, 3, 4, 5])
    fired, broke = headlines(table)[0].split("; ")[:2]
    assert fired == "1. Unit bw-1 (bw-1) fired at Unit ro-11 (ro-11): one figure killed"
    end = "the centre third, 13 inches from the Black edge (30 35), facing north"
    assert broke.startswith(f"Unit ro-11 broke and fled 7 inches north to {end}")


@pytest.mark.clause("morale_check.2")
def test_who_has_no_way_to_flee_is_told_to_stay() -> None:
    """An enemy stands close behind him: he turns about where he is."""
    table = begun({**UNITS, "sp-1": "40 12 north", "sp-2": "30 29.05 south", "ro-11": "30 28 south 2"})
    play(table, ORDERS.format(""), [1, 12, 2, 12, 12, 3, 4, 5])
    broke = headlines(table)[0].split("; ")[1]
    where = "in the centre third, 20 inches from the Black edge (30 28), facing north"
    assert broke.startswith(f"Unit ro-11 broke and had no way to flee, staying {where}")
    flee = next(step for step in table.steps if step.get("what") == "flee")
    given: dict[str, Any] = source.report_input(table, scenario_of("skirmish"), None)
    full = Teller(given["situation"]).tell(flee)[0]
    assert full == f"Unit ro-11 (ro-11) had no way to flee, staying {where}."


def test_a_lost_fire_is_told_by_itself() -> None:
    """The first fire kills the last figure; neither the second, which is lost, nor the third belongs to its fight."""
    units = {"bw-1": "30 20 north", "bw-2": "34 20 north", "gn-1": "60 20 north"}
    table = begun({**units, "ro-11": "30 28 south 1", "ro-12": "60 26 south", "sp-14": "80 44 south"})
    play(table, "fire bw-1 at ro-11; fire bw-2 at ro-11; fire gn-1 at ro-12; done;", [12, 1, 1, 1, 1, 1])
    killed, lost, missed = headlines(table)
    assert killed.startswith("1. Unit bw-1 (bw-1) fired at Unit ro-11 (ro-11): one figure killed")
    assert "bw-2" not in killed
    given: dict[str, Any] = source.report_input(table, scenario_of("skirmish"), None)
    full = build.text(build.build(given | {"steps": table.steps}))
    assert full.count("fire bw-") == 1, "the other was carried out"
    gone = 'Red: "fire bw-2 at ro-11": ro-11 Unit ro-11 have been killed [fire_combat'
    assert gone in " ".join(full.partition("LAPSED ORDERS")[2].split())
    assert lost == "The fire of Unit bw-2 (bw-2) was lost: ro-11 Unit ro-11 have been killed."
    assert "; Unit ro-11 were wiped out in the centre third, 20 inches from the Black edge (30 28)." in killed
    assert missed.startswith("2. Unit gn-1 (gn-1) fired at Unit ro-12 (ro-12): nobody fell.")


def test_a_declaration_and_a_fire_behind_it_are_two_items() -> None:
    table = begun({**UNITS, "bw-2": "60 20 north", "ro-12": "60 28 south"})
    play(table, "fire bw-1 at ro-11; fire bw-2 at ro-12; done;", [1] * 6)
    given: dict[str, Any] = source.report_input(table, scenario_of("skirmish"), None)
    news = build.build(given | {"steps": table.steps})["news"]
    items = [action["items"] for group in news for action in group["actions"]]
    whats = [[item["what"] for item in several] for several in items]
    assert whats[:4] == [["declare"], ["declare"], ["fire"], ["fire"]]


def test_a_lapsed_order_is_told_apart_from_the_fire_behind_it() -> None:
    table = begun(UNITS)
    steps = play(table, "fire bw-1 at ro-11; done;", [1] * 3)
    words = {"words": ["fire", "bw-1", "at", "sw-11"], "clause": "fire_combat.1", "reason": "bw-1 have declared"}
    lapse = {key: steps[0][key] for key in ("turn", "phase", "seq")} | {"kind": "lapse", "side": "red"} | words
    place = next(number for number, step in enumerate(table.steps) if step["kind"] == "roll")
    table.course.steps.insert(place, lapse)
    lapsed, fired, _ = headlines(table)
    assert lapsed == 'The order "fire bw-1 at sw-11" of Red lapsed: bw-1 have declared [fire_combat.1].'
    assert fired.startswith("1. Unit bw-1 (bw-1) fired at Unit ro-11 (ro-11): nobody fell.")


def test_what_is_left_out_of_an_order_is_told_with_it() -> None:
    units = {"bw-1": "10 10 north-east", "sp-1": "16 12 north", "sp-2": "16 17 north", "ro-1": "40 10 north"}
    table = begun({**units, "ro-12": "16 14 south 1", "sp-14": "30 36 south"})
    play(table, "fire bw-1 at ro-12; move ro-1 3; move sp-1 7; done;", [12, 12, 12])
    _, before, shortened = headlines(table)
    assert (
        before
        == "Unit ro-1 (ro-1) moved 3 inches to the centre third, 13 inches from the Red edge (40 13), facing north."
    )
    assert shortened.startswith("The order for Unit sp-1 (sp-1) was carried out as far as it could be: ")
    assert shortened.endswith(
        "; Unit sp-1 (sp-1) moved 4 inches to the left third, 16 inches from the Red edge (16 16), facing north."
    )


def test_what_waits_for_dice_is_told_where_nothing_else_has_happened() -> None:
    table = begun(UNITS)
    parts = check(table, "asuka", "fire bw-1 at ro-11; move ro-1 7; done;", runs=0).parts
    table.course.decided, table.course.chancer = (3, b""), lambda _: None
    table.course.play("red", parts, reaction=False)
    table.course.resolve()
    assert headlines(table) == ["Unit bw-1 (bw-1) declared fire at Unit ro-11 (ro-11): three dice, 8 or more kills."]
    given: dict[str, Any] = source.report_input(table, scenario_of("skirmish"), None)
    declared = next(step for step in given["steps"] if step.get("what") == "declare")
    told = Teller(given["situation"]).tell(declared)[0]
    rules, before = table.rules, begun(UNITS).game.state
    odds = rules.tell_odds(before, "red", rules.read_order(table.board, "red", ("fire", "bw-1", "at", "ro-11")))
    assert odds.startswith("3 dice, 8+: none 19.8 %, 1 killed 42.5 %, 2 killed 22.8 %, 2 killed and routs 7.6 %")
    assert told.endswith("three dice, 8 or more kills: none 19.8 %, 1 killed 42.5 %, 2 killed 30.4 %, 3 killed 7.2 %.")


def test_all_orders_that_wait_for_dice_are_told_to_who_waits() -> None:
    units = {**UNITS, "sp-12": "50 20 south", "sp-2": "50 19 north"}
    table = begun(units)
    parts = check(table, "asuka", "close move; attack ro-1 at sw-11; if gone ro-11 then attack sp-2 any; done;", runs=0)
    table.course.decided, table.course.chancer, table.reveal_due = (3, b""), lambda _: None, "ben"
    table.course.play("red", parts.parts, reaction=False)
    table.course.resolve()
    given: dict[str, Any] = source.report_input(table, scenario_of("skirmish"), None)
    assert given["notes"] == ["Red ordered, too, what waits for those dice: `if gone ro-11 then attack sp-2 any`."]
    assert source.report_input(table, scenario_of("skirmish"), "ben", unread=True)["notes"] == []
    table.reveal_due = None
    assert source.report_input(table, scenario_of("skirmish"), None)["notes"] == []


def test_of_fire_behind_another_at_the_same_target_it_is_told_on_what_its_chances_hang() -> None:
    """As `check` tells that it may be lost; one at another target has its own whatever comes before."""
    table = begun({**UNITS, "gn-1": "27 20 north", "bw-2": "60 20 north", "ro-12": "60 28 south"})
    text = "fire bw-1 at ro-11; fire bw-2 at ro-12; fire gn-1 at ro-11; done;"
    parts = check(table, "asuka", text, runs=0).parts
    table.course.decided, table.course.chancer = (3, b""), lambda _: None
    table.course.play("red", parts, reaction=False)
    table.course.resolve()
    given: dict[str, Any] = source.report_input(table, scenario_of("skirmish"), None)
    told = [Teller(given["situation"]).tell(step)[0] for step in given["steps"] if step.get("what") == "declare"]
    assert all(" declared fire at " in one for one in told)
    assert [one.partition(", if ")[2] for one in told] == [
        "",
        "",
        "the fire of Unit bw-1 (bw-1) before it kills nobody.",
    ]
    assert "2 killed 14.1 %, 3 killed 1.6 %, if " in told[2]


def mailed(table: Table, text: str) -> tuple[Checked, dict[str, Any]]:
    """What check tells of asuka's orders, and the mail that has them, whose dice wait."""
    checked = check(table, "asuka", text)
    table.seq, table.newest, table.reveal_due = 3, ("orders", "asuka"), "ben"
    table.last_by["asuka"] = 3
    table.course.decided, table.course.chancer = (3, b""), lambda _: None
    table.course.play("red", checked.parts, reaction=False)
    table.course.resolve()
    return checked, mail.mail_data(table, scenario_of("skirmish"), "ben")


def test_a_mail_lists_fire_before_what_is_carried_out_after_it_with_the_odds_of_check() -> None:
    table = begun({**UNITS, "gn-1": "27 20 north"})
    text = "attack ro-1 at sw-11;\nmove bw-1 1;\nfire bw-1 at ro-11;\nfire gn-1 at ro-11;\ndone;"
    checked, data = mailed(table, text)
    told = [(item["number"], item["told"]) for item in data["orders"][0]["items"]]
    assert told == [
        (1, "Unit bw-1 (bw-1) fire at Unit ro-11 (ro-11)"),
        (2, "Unit gn-1 (gn-1) fire at Unit ro-11"),
        (3, "Unit bw-1 move 1 inch"),
        (4, "Unit ro-1 (ro-1) attack Unit sw-11 (sw-11)"),
        (0, "Then the turn ends."),
    ]
    odds = {words: came_words(came) for _, words, came in checked.comes}
    fires = [odds["fire", unit, "at", "ro-11"] for unit in ("bw-1", "gn-1")]
    assert [item["odds"] for item in data["orders"][0]["items"][:2]] == fires
    assert fires[0].startswith("3 dice, 8+: none 19.8 %")
    assert fires[1].startswith("3 dice, 10+, behind the fire of bw-1: none 35.9 %, "), "27/64, if it isn't lost"
    assert ", the shot is lost 14.8 %; both fires at ro-11 together: none 8.4 %, " in fires[1]
    assert "declared" not in str(data["news"])


def test_a_mail_tells_in_one_sentence_of_orders_by_which_units_go_alike_behind_dice() -> None:
    """Those that follow each other; one that touches somebody then is told alone, and so is one of another length."""
    more = {"gn-1": "27 20 north", "sp-2": "50 5 north", "sp-3": "56 5 north", "sp-12": "50 16.3 south"}
    table = begun({**UNITS, **more})
    moves = ["move gn-1 4", "move sp-3 4", "move sp-2 4", "move bw-1 4", "move ro-1 0.1"]
    checked, data = mailed(table, "\n".join(["fire bw-1 at ro-11", *moves, "done"]))
    assert checked.errors == []
    line = (
        "Orders 2 to 5. Four units move 4 inches, facing north: 24 inches from the Red edge gn-1 (27 24) and bw-1 (30 "
        "24) in the centre third; 9 inches from the Red edge sp-3 (56 9) and sp-2 (50 9) in the right third."
    )
    for made in (mail.mail_text(data), mail.mail_html(data, (), "")):
        words = " ".join(loose(made).split())
        assert line in words
        assert "Order 6. Unit ro-1 (ro-1) move 0.1 inches" in words


def test_different_odds_of_an_order_are_told_with_how_often_of_all_it_had_them() -> None:
    often = Counter({"3 dice, 9+: none 29.6 %": 41, "3 dice, 8+: none 19.8 %": 24})
    none: Counter[str] = Counter()
    came = Came(65, 100, "", often, "", True, False, Counter(none=65), {}, none, none, none, ())
    assert came_words(came) == (
        "carried out in 65 of 100 futures played out; in 41 of 100: 3 dice, 9+: none 29.6 %; "
        "in 24 of 100: 3 dice, 8+: none 19.8 %"
    )
    seldom = Counter({"3 dice, 9+: none 29.6 %": 53, "3 dice, 8+: none 19.8 %": 10, "2 dice, 9+: none 44.4 %": 2})
    assert came_words(came._replace(often=seldom)) == (
        "carried out in 65 of 100 futures played out; in 53 of 100: 3 dice, 9+: none 29.6 %; in 12 of 100: other odds"
    ), "each made the mail longer by as much as the most frequent"
    few = Counter({"": 53, "3 dice, 9+: none 29.6 %": 8, "3 dice, 8+: none 19.8 %": 4})
    came = came._replace(often=few)  # of most it isn't known which they had: it was told of none
    assert came_words(came) == "carried out in 65 of 100 futures played out; in one of them 3 dice, 9+: none 29.6 %"
    assert came_words(came._replace(often=Counter({"": 65}))) == "carried out in 65 of 100 futures played out"


@pytest.mark.parametrize(
    ("numbers", "words"), [((3, 12), "three dice, 12 kills: 1"), ((1, 9), "one die, 9 or more kills: 1")]
)
def test_a_number_that_only_the_highest_die_shows_stands_alone(numbers: tuple[int, int], words: str) -> None:
    dice, needed = numbers
    facts = {"unit": "ro-1", "target": "sw-11", "dice": [1] * dice, "needed": needed, "kills": 0, "result": "0"}
    told = Teller(begun(UNITS).rules.situation(begun(UNITS).game.state)).tell(step_of("attack", facts))[0]
    assert f": {words}" in told
    assert least(needed) == {12: "12", 9: "9+"}[needed]


@pytest.mark.parametrize(("order", "words"), [
    ("move sp-1 left 3", "turned left and moved 3 inches to the centre third, 14.1 inches from the Red edge (37.88 "
                         "14.12), facing north-west"),
    ("move sp-1 left 4", "turned left and moved 4 inches to the centre third, 14.8 inches from the Red edge (37.18 "
                         "14.82), facing north-west"),
    ("move sp-1 1 right", "moved 1 inch to the centre third, 13 inches from the Red edge (40 13) and turned right, "
                          "facing north-east"),
    ("back sp-1 3.5", "went back 3.5 inches to the centre third, 8.5 inches from the Red edge (40 8.5), facing north"),
    ("turn sp-1 left", "turned left, facing north-west"),
    ("halt sp-1", "stayed where they were"),
    ("move dm-1 to 48 6.5", "went 4.5 inches south to the right third, 6.5 inches from the Red edge (48 6.5), facing "
                            "north"),
    ("move dm-1 to 48 11 east", "stayed and turned to face east"),
    ("move dm-1 to 48 11", "stayed"),
    ("follow dm-2 sp-2", "stayed beside Unit sp-2 (sp-2)"),
    ("follow dm-3 sp-3", "stayed beside Unit sp-3 (sp-3) and turned to face north"),
    ("follow dm-1 sp-1 right", "followed Unit sp-1 (sp-1) and went 5.6 inches west to the centre third, 12 inches "
                               "from the Red edge (42.5 12), facing north"),
])  # fmt: skip
def test_how_far_and_where_to_somebody_went_is_told_in_few_words(order: str, words: str) -> None:
    still = {"sp-2": "20 12 north", "dm-2": "20 11 north", "sp-3": "60 12 north", "dm-3": "60 11 south"}
    table = begun({"sp-1": "40 12 north", "dm-1": "48 11 north", "ro-11": "10 40 south", **still})
    play(table, f"{order}; done;", [])
    unit = order.split()[1]
    assert headlines(table) == [f"Unit {unit} ({unit}) {words}."]


@pytest.mark.parametrize(("order", "words"), [
    ("move sp-1 7", "moved 3.5 inches to the centre third, 15.5 inches from the Red edge (40 15.5), facing north, "
                    "touching Unit ro-11 (ro-11) and "
                    "Unit sp-11 (sp-11)"),
    ("move sp-1 3.49", "moved 3.49 inches to the centre third, 15.5 inches from the Red edge (40 15.49), facing "
                       "north, touching Unit ro-11 (ro-11) and "
                       "Unit sp-11 (sp-11)"),
    ("move sp-1 3.4", "moved 3.4 inches to the centre third, 15.4 inches from the Red edge (40 15.4), facing north"),
    ("move sp-2 7", "stayed where they were, touching Unit sp-13 (sp-13)"),
    ("back ro-1 1", "went back 1 inch to the left third, 15 inches from the Red edge (10 15), facing north, touching "
                    "Unit sp-12 (sp-12)"),
    ("move dm-1 to 45.5 12", "went 2.7 inches west to the centre third, 12 inches from the Red edge (45.5 12), "
                             "facing north, touching Unit gn-1 (gn-1)"),
    ("move dm-1 to 42.5 12", "went 5.6 inches west to the centre third, 12 inches from the Red edge (42.5 12), "
                             "facing north, touching Unit gn-1 (gn-1) and "
                             "Unit sp-1 (sp-1)"),
    ("move dm-1 to 47 11", "went 1 inch west to the centre third, 11 inches from the Red edge (47 11), facing north"),
    ("follow dm-1 sp-1 right", "followed Unit sp-1 (sp-1) and went 5.6 inches west to the centre third, 12 inches "
                               "from the Red edge (42.5 12), facing north, "
                               "touching Unit gn-1 (gn-1) and Unit sp-1"),
])  # fmt: skip
def test_whom_a_move_has_brought_in_touch_is_told(order: str, words: str) -> None:
    """All of them, also who hasn't stopped it, and of friends the daimyos and those whom they lead."""
    units = {"sp-1": "40 12 north", "gn-1": "44.5 13 north", "dm-1": "48 11 north", "ro-1": "10 16 north",
             "sp-2": "60 20 north"}  # fmt: skip
    enemies = {"sp-13": "60 21 south", "sp-11": "39 16.5 south", "ro-11": "42.5 16.5 south", "sp-12": "13.5 15 south"}
    table = begun(units | enemies)
    play(table, f"{order}; done;", [])
    unit = order.split()[1]
    assert headlines(table)[0] == f"Unit {unit} ({unit}) {words}."


@pytest.mark.parametrize(("order", "words"), [
    ("move dm-1 to 48 20", "stayed, touching Unit sp-11 (sp-11); an enemy stood in his way"),
    ("move dm-1 to 44 20", "stayed, touching Unit sp-11 (sp-11); an enemy stood in his way"),
    ("move dm-1 to 40 11", "went 8 inches west to the centre third, 11 inches from the Red edge (40 11), facing north"),
    ("move dm-2 to 60 20", "went 4 inches north to the right third, 15 inches from the Red edge (60 15), facing "
                           "north, touching Unit sp-12 (sp-12); an enemy "
                           "stood in his way"),
    ("move dm-2 to 60 15", "went 4 inches north to the right third, 15 inches from the Red edge (60 15), facing "
                           "north, touching Unit sp-12 (sp-12)"),
])  # fmt: skip
def test_of_a_daimyo_who_comes_less_far_it_is_told_that_an_enemy_bars_his_way(order: str, words: str) -> None:
    units = {"dm-1": "48 11 north", "dm-2": "60 11 north", "sp-1": "10 10 north"}
    table = begun({**units, "sp-11": "48 12 south", "sp-12": "60 16 south"})
    play(table, f"{order}; done;", [])
    unit = order.split()[1]
    assert headlines(table)[0] == f"Unit {unit} ({unit}) {words}."


@pytest.mark.parametrize(("order", "words"), [
    ("move sp-1 7", "moved 4.75 inches (7 counted, over slow ground) to the centre third, 16.8 inches from the Red "
                    "edge, in Wood (40 16.75), facing north"),
    ("move sp-1 2.5", "moved 2.5 inches to the centre third, 14.5 inches from the Red edge (40 14.5), facing north"),
    ("move sp-1 3.5", "moved 3 inches (3.5 counted, over slow ground) to the centre third, 15 inches from the Red "
                      "edge (40 15), facing north"),
])  # fmt: skip
def test_over_slow_ground_the_inches_on_the_table_are_told_and_those_counted(order: str, words: str) -> None:
    wood = [{"id": "wood", "kind": "wood", "at": "40 20", "size": "8 10"}]  # from y 15 on
    units = {"sp-1": "40 12 north", "dm-1": "48 11 north", "ro-11": "10 40 south"}
    table = begun(units, terrain=wood)
    steps = play(table, f"{order}; done;", [])
    assert headlines(table) == [f"Unit sp-1 (sp-1) {words}."]
    given = Teller(table.rules.situation(table.game.state))
    moved = next(step for step in steps if step.get("what") == "move")
    assert given.tell(moved)[0].startswith(f"Unit sp-1 (sp-1) {words.partition(' to ')[0]} to ")


@pytest.mark.parametrize(("facing", "told"), [
    (
        "north",
        "Red, up, set up facing north: 12 inches from the Red edge sp-1 (40 12) in the centre third, sw-1 (20 12, "
        "behind) in the left third.",
    ),
    (
        "north-east",
        "Red, up, set up: 12 inches from the Red edge sp-1 (40 12) in the centre third, facing north, sw-1 (20 12, "
        "behind) in the left third, facing north-east.",
    ),
])  # fmt: skip
def test_a_set_up_is_told_with_its_facings_and_where_units_stand_at_last(facing: str, told: str) -> None:
    table = begun({"sp-1": "40 12 north", "sw-1": "20 12 north", "ro-11": "10 40 south"})
    teller = Teller(table.rules.situation(table.game.state))
    names = {teller.names.formation["sp-1"]: "up"}
    again = ("sp-1", "30-6", "south", {}), ("sp-1", "40-12", "north", {})
    posts = (*again, ("sw-1", "20-12", facing, {"shape": "behind"}))
    steps = [step_of("setup", {"unit": u, "at": at, "facing": way, **more}) for u, at, way, more in posts]
    given: dict[str, Any] = source.report_input(table, scenario_of("skirmish"), None)
    news = build.build(given | {"steps": steps, "formations": names})["news"]
    assert [action["headline"] for action in news[0]["actions"]] == [told, "", ""]
    assert teller.tell(steps[2])[0].endswith(f"facing {facing}, behind.")


def test_what_ends_with_done_is_called_as_its_title_does() -> None:
    """A turn has no phases, and a set-up is one of its own."""
    teller = Teller(begun(UNITS).rules.situation(begun(UNITS).game.state))
    ended = [teller.tell({"kind": "order", "side": "red", "words": ["done"], "phase": p})[0] for p in PHASES]
    assert ended == ["Red ended the set-up.", "Red ended the turn."]
    assert "# done;                                   # ends the turn" in form(begun(UNITS), "asuka")


def test_the_end_of_a_step_is_no_news() -> None:
    told = []
    for close in ("", "close move; "):
        table = begun({**UNITS, "sp-1": "40 12 north"})
        play(table, ORDERS.format(close), [1, 12, 2, 12, 3, 4, 5])
        told.append(headlines(table))
    assert told[0] == told[1]
    assert len(told[0]) == 3


SINGULAR = re.compile(
    r"(?:Spearmen \d|Gunners|Ronin|Swordsmen|Bowmen)(?: \([a-z]+-\d+\))? (\w+s|isn't|doesn't)\b|\b(?:it|its)\b"
)
"""A verb in the singular behind a name in the plural, and what else is said of one thing."""

OF_ONE = re.compile("(?:Daimyo|Banner [12])(?: [(][a-z]+-[0-9]+[)])? (?:are|were|have|go|attack|follow|stay|touch)\\b")


def sentences(table: Table, words: list[list[str]]) -> Iterator[str]:
    """Everything that is said of a position: the form, what refuses these orders, what waits and is foreseen."""
    request, rules = table.game.request, table.rules
    assert isinstance(request, Choose)
    for entry in rules.form(table.game.state, request):
        yield from (entry.heading, *entry.notes, *(note for _, note in entry.orders))
    teller = Teller(rules.situation(table.game.state))
    for said in words:
        order = rules.read_order(table.board, request.side, tuple(said))
        refusal = request.why_not(order)
        yield refusal.reason if refusal else ""
        yield teller.order(said)
        yield from (
            what for what, _, _ in (rules.factors(table.game.state, request.side, order) if not refusal else ())
        )


def test_units_of_several_are_spoken_of_in_the_plural_and_daimyos_in_the_singular() -> None:
    table, heard, tried = played(), list[str](), list[list[str]]()
    teller = Teller(table.rules.situation(table.game.state))
    for ahead in (False, True):
        teller.names.ahead = ahead
        for step in table.steps:
            heard.append(teller.tell(step)[0])
            if step["kind"] == "tell":
                item = {"what": step["what"], "facts": step["facts"], "known": True}
                heard.append(teller.head(item) or "")
            elif step["kind"] == "order":
                tried.append(step["words"])
    heard += sentences(table, tried)
    assert len(set(heard)) > 300
    assert [said for said in heard if SINGULAR.search(said) or OF_ONE.search(said)] == []
    one = {"unit": "gn-1", "at": "1-1", "figures": 2, "left": 1, "why": "killed", "facing": "north", "reason": "x"}
    told = {what: teller.tell(step_of(what, one))[0] for what in ("setup", "loss", "remove")}
    assert [word in told[what] for what, word in (("setup", "were"), ("loss", "have"), ("remove", "are"))] == [True] * 3
    told = {what: teller.tell(step_of(what, one | {"unit": "dm-1"}))[0] for what in ("setup", "loss", "remove")}
    assert [word in told[what] for what, word in (("setup", "was"), ("loss", "has"), ("remove", "is"))] == [True] * 3


@pytest.mark.parametrize(("first", "phase", "what"), [
    ("fire", "turn", "your turn"), ("attack", "turn", "your turn"), ("setup", "setup", "your set-up"),
])  # fmt: skip
def test_a_mail_is_about_the_whole_turn_whatever_step_is_asked_first(
    first: str, phase: str, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    kinds = [first] if phase == "setup" else [first, "move"]
    ahead = Foreseen("ben", True, tuple((Asked("orders", "ben", kind, phase=phase), 50) for kind in kinds))
    monkeypatch.setattr(mail, "foreseen", lambda *_, **__: ahead)
    scenario = scenario_of("skirmish")
    match = Match(scenario, 0)
    match.play()
    for reader, about in (("ben", what), ("asuka", what.replace("your", "ben's"))):
        assert mail.mail_data(match.table, scenario, reader)["what"] == about


def test_the_subject_of_a_mail_names_turns() -> None:
    scenario = scenario_of("skirmish")
    match = Match(scenario, 0)
    for about in ("your set-up", "your set-up", "your dice", "your turn"):
        name = match.due()[1]
        match.play(
            "".join(f"{' '.join(order)};" for order in suggest(match.table, str(name), "bold", random.Random(1)))
        )
        reader = match.genesis.other(str(name)).name
        data = mail.mail_data(match.table, scenario, reader)
        assert mail.subject(data) == f"A Skirmish, turn 1: {about} ({name}, entry {match.table.seq})"


def step_of(what: str, facts: dict[str, Any]) -> dict[str, Any]:
    return {"seq": 3, "turn": 1, "phase": "red-turn", "kind": "tell", "what": what, "clause": "1", "facts": facts}


def test_daimyos_who_are_lost_are_counted_apart_from_units() -> None:
    """A daimyo is no unit (definitions.2)."""
    table = begun({**UNITS, "sp-14": "80 44 south"})
    for unit in ("ro-11", "dm-11"):
        table.game.state.remove(unit, Gone.KILLED, "combat.7")
    given: dict[str, Any] = source.report_input(table, scenario_of("skirmish"), None)
    text = " ".join(build.text(build.build(given)).split())
    assert "Lost for good: Red none; Black one unit and one daimyo." in text
    assert "Black, two units on the table." in text
