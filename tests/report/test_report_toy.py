"""The report of a game that has no map, whose places, phases, states and ways to victory are words of its own."""

from __future__ import annotations

import json
from typing import Any

import pytest
from toy.players import Duel, parts_of, signer

from pbem.match.compose import sign_agreement
from pbem.match.form import form
from pbem.report import build as report
from pbem.report.brief import brief, scenario_pictures
from pbem.report.mail import mail_data
from pbem.report.ordered import plans
from pbem.report.source import pictures, report_data
from pbem.scenario import Scenario, load_scenario
from pbem.wire.bodies import proposal_body
from pbem.wire.turn import Turn

from .test_report import loose, validator


@pytest.fixture
def mellay(toy_system: Scenario) -> Duel:
    return Duel(load_scenario("mellay"))


def told(game: Duel, reader: str | None = "ben") -> dict[str, Any]:
    return report_data(game.tables["ben"], game.scenario, reader)


def lines(data: dict[str, Any]) -> str:
    return " ".join(report.text(data).split())


def test_the_data_fit_the_schemas(mellay: Duel) -> None:
    mellay.play("anna", "hit lancer;")
    mellay.play("ben", "rest;")
    data = told(mellay)
    validator("report.schema.json").validate(data)
    validator("situation.schema.json").validate(data["situation"])
    assert json.loads(json.dumps(data)) == data
    words = {where["id"] for where in data["situation"]["where"]}
    assert {unit["where"] for unit in data["situation"]["units"]} <= words


def test_standing_orders_in_force_are_those_that_can_still_answer(mellay: Duel) -> None:
    mellay.play("anna", "standing flee scout; standing flee all; standing stand all; standing stand scout; rest;")
    assert [side["orders"] for side in told(mellay)["standing"]] == [[], ["stand all", "stand scout"]]
    assert "STANDING ORDERS IN FORCE Blue: none. Red: stand all. Red: stand scout." in lines(told(mellay))
    mellay.tables["ben"].game.state.remove("scout")
    assert [side["orders"] for side in told(mellay)["standing"]] == [[], ["stand all"]]


def anna_reads(game: Duel) -> dict[str, Any]:
    return report_data(game.tables["anna"], game.scenario, "anna")


def test_news_are_told_from_the_readers_last_mail_on_a_bare_reveal_too(toy_system: Scenario) -> None:
    """They went back to her newest decision, and told again what she had read before her last mail."""
    game = Duel(toy_system)
    for name, orders in (("anna", "rest;"), ("ben", "bet 1;")):
        game.play(name, orders)
    assert "WHAT HAPPENED FROM YOUR ENTRY 2 ON " in lines(anna_reads(game))
    assert "Event bet: side Blue" in lines(anna_reads(game))
    assert Turn.of(game.play("anna")).entry.kind == "reveal"
    game.play("ben", "rest;")
    data = anna_reads(game)
    assert "WHAT HAPPENED FROM YOUR ENTRY 4 ON " in lines(data)
    assert "<h2>What happened from your entry 4 on</h2>" in report.html(data)
    assert "Event bet" not in lines(data)
    assert {step["seq"] for step in game.tables["anna"].steps if step["seq"] >= data["since"]} == {5}, "all is told"


def test_news_behind_an_agreement_are_told_from_the_mail_before_it_on(toy_system: Scenario) -> None:
    """What was read before a draw was offered is what is decided on when it is refused."""
    game = Duel(toy_system)
    for name, orders in (("anna", "rest;"), ("ben", "bet 1;"), ("anna", ""), ("ben", "rest;")):
        game.play(name, orders)
    for name, word in (("anna", "offer"), ("ben", "refuse")):
        body = proposal_body("draw", word)
        game.give(sign_agreement(game.view(name), name, signer(name), game.secrets[name], "draw", body).block)
    assert game.tables["anna"].mailed["anna"] == 6
    assert "WHAT HAPPENED FROM YOUR ENTRY 4 ON " in lines(anna_reads(game))


def test_an_order_left_over_is_told_under_the_heading_of_its_phase(toy_system: Scenario) -> None:
    game = Duel(toy_system)
    game.play("anna", "move scout rear; move guard-1 rear; move guard-2 rear; bet 1; rest;")
    red, *later = told(game)["news"]
    assert (red["phase"], red["actions"][-1]["items"][0]["kind"]) == ("red", "lapse")
    kinds = {item["kind"] for group in later for action in group["actions"] for item in action["items"]}
    assert later, "blue's has begun"
    assert "lapse" not in kinds


def test_a_mail_says_of_an_order_that_it_is_never_carried_out_and_what_a_lapse_drops(toy_system: Scenario) -> None:
    """It was announced like the others; `strict` wasn't told at all."""
    game = Duel(toy_system)
    game.play("anna", "strict; bet 2; if gone guard-1 then bet 1; bet 2; strict; hit scout; rest;")
    ((side,),) = [mail_data(game.tables["anna"], game.scenario, "ben")["orders"]]
    drops, none = (
        "From here on the first order that lapses drops the rest.",
        "carried out in none of 100 futures played out",
    )
    odds = "wins 2 50 %, loses 2 50 %"
    assert [(item["number"], item["told"], item["odds"].partition(" (")[0]) for item in side["items"]] == [
        (0, drops, ""),
        (1, "Bet 2", odds),
        (2, "If Guard-1 (guard-1) is gone: bet 1", none),
        (3, "Bet 2", f"carried out in 55 of 100 futures played out, there {odds}"),  # it lapses where the first is lost
        (0, drops, ""),
        (4, "Scout (scout) at the Front Line (front): hit", none),
        (0, "Then the phase ends.", ""),
    ]
    assert side["items"][2]["odds"] == f"{none} (`gone guard-1` doesn't hold when its turn comes)"
    assert side["items"][5]["odds"].endswith(" [T5])")


@pytest.mark.parametrize(("orders", "shown"), [("rest;", []), ("bet 1; rest;", ["Bet 1", "Then the phase ends."])])
def test_an_end_of_a_phase_before_which_nothing_waits_is_not_told(
    toy_system: Scenario, orders: str, shown: list[str]
) -> None:
    """Where nobody can act any more the phase is over before its `done` is read."""
    game = Duel(toy_system)
    table = game.tables["anna"]
    table.course.queues["red"].extend(enumerate(parts_of(table, "red", orders), 1))
    found = mail_data(table, game.scenario, "ben")["orders"]
    assert [item["told"] for side in found for item in side["items"]] == shown


def test_a_mail_that_is_answered_in_the_next_turn_says_so(toy_system: Scenario) -> None:
    """Its subject named turn 2, its text turn 1 alone."""
    game = Duel(load_scenario("rounds"))
    for player, orders in (("anna", "rest;"), ("ben", "rest;"), ("anna", "rest;")):
        game.play(player, orders)
    data = mail_data(game.tables["anna"], game.scenario, "ben")
    assert (data["then"], "You decide it in" in data["asked"]) == (1, False)
    game.play("ben", "bet 1; rest;")
    data = mail_data(game.tables["ben"], game.scenario, "anna")
    assert (data["situation"]["turn"], data["then"]) == (1, 2)
    assert data["asked"].endswith("red acts. You decide it in turn 2.")
    assert data["falls"] == ["Dice fall for: weather"]


def test_that_a_phase_which_comes_no_more_shall_end_is_not_told(toy_system: Scenario) -> None:
    game = Duel(load_scenario("rounds"))
    table = game.tables["anna"]
    planned = parts_of(table, "red", "in zz: bet 1; in zz: rest;")
    table.course.plans["red"].extend(enumerate(planned, 1))
    assert [plan["order"] for plan in plans(table, "red")] == ["in zz: bet 1"]


def test_which_dice_are_good_the_rules_say(mellay: Duel) -> None:
    mellay.play("anna", "bet 1;")
    mellay.play("ben", "rest;")
    data = told(mellay, "anna")
    assert {row["kind"]: row["good"] for row in data["luck"]} == {"bet": "high"}
    assert "the mean is 3.5, give or take 1.7. High is good." in lines(data)


def test_places_are_words_and_no_hex_is_named(mellay: Duel) -> None:
    mellay.play("anna", "move guard-1 rear;")
    text = lines(told(mellay))
    assert "rear Guard-1 (guard-1); infantry, nerve 9." in text
    assert "front the Front Line, Guard-2 (guard-2)" in text
    assert "Red, four units in the field." in text
    assert "hex" not in text.casefold()
    names = report.Teller(told(mellay)["situation"], None, None).names
    assert (names.at("front"), names.at("rear")) == ("at the Front Line (front)", "at rear")


def test_a_leader_has_no_values_and_goes_with_his_unit(mellay: Duel) -> None:
    mellay.play("anna", "move guard-1 rear;")
    data = told(mellay)
    marshal = next(unit for unit in data["situation"]["units"] if unit["id"] == "marshal")
    assert (marshal["at"], marshal["attached_to"], marshal["values"]) == ("rear", ["guard-1"], {})
    assert "rear Marshal (marshal), with guard-1; leader." in lines(data)
    assert ", with guard-1; <span" in loose(report.html(data)).replace("\n", " ")


def test_what_is_counted_for_victory_is_told_in_halves(mellay: Duel) -> None:
    mellay.play("anna", "move guard-1 rear;")
    assert "Red: points, 3 [T8]." in lines(told(mellay))
    for unit in ("lancer", "levy-1", "levy-2"):
        mellay.play("ben", f"move {unit} rear;")
        mellay.play("anna", "rest;" if unit == "lancer" else "")
    text = lines(told(mellay))
    assert "Red: points, 3 1/2 [T8]." in text
    assert "counters drawn, 0 of 6 [T3]." in text
    assert "SCORE" in text
    assert "victory hex" not in text.casefold()
    assert told(mellay)["victory"] is None


def test_phases_of_nobody_have_a_title_and_no_side(mellay: Duel) -> None:
    mellay.play("anna", "rest;")
    mellay.play("ben", "rest;")
    mellay.play("anna")
    data = told(mellay)
    assert [(group["phase"], group["side"]) for group in data["news"]] == [
        ("melee", None),
        ("weather", None),
        ("melee", None),
    ]
    assert data["news"][1]["title"] == "Turn 2, The Weather"
    assert data["title"] == "Turn 2 of 2, The Melee"


def test_a_phase_of_a_sides_is_its_own(toy_system: Scenario) -> None:
    game = Duel(toy_system)
    game.play("anna", "bet 1; rest;")
    assert [group["side"] for group in told(game)["news"]] == ["red", "blue"]


@pytest.mark.parametrize(("orders", "nothing"), [("move guard-1 rear; rest;", False), ("rest;", True)])
def test_of_a_phase_that_is_only_ended_it_is_told_that_nothing_was_done(
    mellay: Duel, orders: str, nothing: bool
) -> None:
    mellay.play("anna", orders)
    assert ("Nothing was done." in lines(told(mellay))) == nothing


def test_a_state_is_a_badge_and_a_word(mellay: Duel) -> None:
    mellay.play("anna", "move guard-1 rear;")
    mellay.tables["ben"].game.state.shaken.append("lancer")
    lancer = next(unit for unit in told(mellay)["situation"]["units"] if unit["id"] == "lancer")
    assert lancer["badges"] == [{"sign": "S", "title": "shaken", "look": "band"}]
    assert "Lancer (lancer), shaken; infantry" in lines(told(mellay))


def test_the_brief_and_the_form_need_no_map(mellay: Duel) -> None:
    text = brief(mellay.scenario)
    assert "Values: nerve, x for none" in text
    assert "    marshal   front Marshal" in text
    assert scenario_pictures(mellay.scenario) == []
    assert pictures(mellay.table, mellay.scenario) == []
    asked = form(mellay.view("anna"), "anna")
    assert "# Turn 1 of 2, The Melee" in asked
    assert "at U PLACE, empty PLACE, held PLACE SIDE" in asked
