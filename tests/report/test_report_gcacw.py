"""What reports say of the Great Campaigns: sentences and headlines of all events, initiative, orders that wait."""

from __future__ import annotations

import random
import re
from functools import cache
from typing import Any

import pytest
from golden import ROOT
from matches import Match, scenario_of
from rules.gcacw.activities import run

from pbem.errors import MalformedOrder
from pbem.match.chances import chance_answer
from pbem.match.genesis import Genesis, Player, Terms
from pbem.match.orders import Act, read_parts
from pbem.match.table import Table
from pbem.report import build as report
from pbem.report.asked import Asked, Foreseen, asked_words
from pbem.report.fitting import Limits, cut
from pbem.report.headlines import headlined, roll_of
from pbem.report.mail import mail_data, mail_text
from pbem.report.source import direction_of, report_input
from pbem.report.telling import Teller
from pbem.rules import rules_of
from pbem.rules.fates import fate
from pbem.rules.gcacw.harm import lose
from pbem.rules.gcacw.sequence import _events
from pbem.rules.gcacw.standing import CONDITIONS as CONDITIONS_OF_THE_RULES
from pbem.rules.gcacw.standing import STANDING, STATES
from pbem.rules.gcacw.tables import cell_of
from pbem.rules.gcacw.wording import USAGE
from pbem.rules.requests import Choose, Outcome, Tell, dice_side
from pbem.wire.orderfile import parse_statements
from pbem.wire.statements import Statement

BROKEN = r"\bNone\b|\bTrue\b|\bFalse\b|[{}<>]|  | ,| \.|\.\."
SCENARIOS = ("cedar-mountain", "lee-vs-pope", "stuarts-raid", "jacksons-march", "to-bull-run")
CAMPAIGNS = ("rapidan-to-rappahannock", "rapidan-to-manassas")
MOST = {"rapidan-to-manassas": 1200, "rapidan-to-rappahannock": 700}
FEW = 300
"""So many entries a random game has at most: of a campaign more, else."""


@cache
def board_of(scenario: str) -> Any:
    return rules_of("gcacw").board(scenario_of(scenario).data)


def empty_table(scenario: str) -> Table:
    rules, given = rules_of("gcacw"), scenario_of(scenario)
    first, second = (side["id"] for side in given.data["scenario"]["sides"])
    players = (Player("asuka", first, b"key"), Player("ben", second, b"key"))
    terms = Terms(rules.EDITION, scenario, given.digest, (), "standing")
    return Table(Genesis(bytes(32), terms, players), rules, board_of(scenario), bytes(32))


@cache
def played(scenario: str) -> Table:
    """A random game, every decision an entry."""
    chance, table = random.Random(f"{scenario} 1"), empty_table(scenario)
    table.course.chancer = lambda request: chance_answer(request, chance)
    table.course.begin()
    table.course.resolve()
    for number in range(2, MOST.get(scenario, FEW)):
        request = table.game.request
        if not isinstance(request, Choose):
            break
        order = request.sample(chance)
        table.seq, table.course.decided = number, (number, b"")
        act = Act(order, table.rules.order_words(table.board, order))
        table.course.play(request.side, [(1, act)], reaction=request.reaction)
        table.course.resolve()
    return table


@cache
def begun() -> Table:
    table = empty_table("cedar-mountain")
    table.course.begin()
    return table


def teller() -> Teller:
    table = begun()
    return Teller(table.rules.situation(table.game.state), direction_of(table), None)


def tell(what: str, facts: dict[str, Any], speaker: Teller | None = None) -> str:
    told, known = (speaker or teller()).tell({"kind": "tell", "what": what, "clause": "x", "facts": facts})
    assert known
    return told


# --- events --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scenario", [*SCENARIOS, *CAMPAIGNS])
def test_every_event_of_a_random_game_has_a_sentence(scenario: str) -> None:
    table = played(scenario)
    speaker = Teller(table.rules.situation(table.game.state), direction_of(table), None)
    told = set()
    for step in table.steps:
        if step["kind"] == "tell":
            told.add(step["what"])
            sentence, known = speaker.tell(step)
            assert known, step
            assert not re.search(BROKEN, sentence), sentence
            assert sentence[-1] == ".", sentence
    assert {"initiative", "pass", "march", "allowance"} <= told


def test_random_games_of_the_campaigns_bring_most_events_of_the_advanced_game() -> None:
    told = {step["what"] for scenario in CAMPAIGNS for step in played(scenario).steps if step["kind"] == "tell"}
    often = {"event", "rain", "no-arrivals", "moved-arrivals", "put-off", "cycle-roll", "detached", "merged"}
    assert told >= often | {"unsupplied", "rail"}


@pytest.mark.parametrize("scenario", CAMPAIGNS)
def test_headlines_of_the_campaigns_are_whole(scenario: str) -> None:
    table = played(scenario)
    data = report.build(report_input(table, scenario_of(scenario), None) | {"steps": table.steps})
    heads = [action["headline"] for group in data["news"] for action in group["actions"]]
    for told in heads:
        assert not re.search(r"\bNone\b|\bTrue\b|\bFalse\b|[{}<>]|  | [,;:]|\.[.;]|; ;|: ;|\. and ", told), told
    assert any(told.startswith("Rain to the end of turn ") for told in heads)
    assert any(re.search(r" detached .* with \d manpower", told) for told in heads)


def test_events_of_the_advanced_game_say_what_they_are_for() -> None:
    speaker = teller()
    assert tell("no-arrivals", {"side": "union", "kind": "early"}, speaker) == (
        "No reinforcements of the Union were due in the next turn: that has no effect."
    )
    assert "due in this turn" in tell("no-arrivals", {"side": "union", "kind": "late"}, speaker)
    assert "the command of the Union is paralysed" in tell(
        "event", {"dice": [4, 4], "kind": "paralysis", "side": "union"}, speaker
    )


def test_report_and_mail_tell_what_is_in_force(monkeypatch: pytest.MonkeyPatch) -> None:
    """The report also who is to come; of a game in which nothing is, neither says anything."""
    table = empty_table("rapidan-to-manassas")
    table.course.begin()
    for name, value in (("rain", 3), ("hungry", {"hood"})):
        monkeypatch.setattr(table.game.state, name, value)
    given = report_input(table, scenario_of("rapidan-to-manassas"), "asuka")
    told = " ".join(report.text(report.build(given)).partition("IN FORCE NOW")[2].partition("SCORE")[0].split())
    hood = "Confederates, out of supply: in Orange hood"
    assert told.startswith(f"It rains to the end of turn 3 [14.0-rain-now]. {hood} [20.3-0].")
    assert "Union, due in turn 6: " in told
    mailed = " ".join(mail_text(mail_data(table, scenario_of("rapidan-to-manassas"), "asuka")).split())
    assert f"In force as this is sent: it rains to the end of turn 3. {hood}." in mailed
    assert "due in turn" not in mailed
    plain = report.build(report_input(begun(), scenario_of("cedar-mountain"), "asuka"))
    assert ("IN FORCE NOW" in report.text(plain)) == ("in_force" in plain["situation"])


def test_dice_of_the_advanced_game_are_said_for_what_they_are() -> None:
    assert teller().dice(["event", "cycle", "leader/s1418", "repair/s1418"]) == (
        "the random event; whether the action cycle ends, as both dice for the initiative show 1; whether a leader is "
        "killed; the repair of "
        "Culpeper (S1418)"
    )
    assert teller().dice(["initiative/union", "initiative/confederate"]) == "the initiative"


def test_an_asterisk_says_whether_it_brings_panic() -> None:
    facts: dict[str, Any] = {"unit": "winder", "with": [], "from": ["S1419"], "targets": ["crawford"], "at": "S1418"}
    facts |= {"values": [2, 2], "guns": [0, 0], "kind": "hasty", "modifiers": [], "dice": [1, 1], "difference": 0}
    facts |= {"side": "confederate", "own_result": "-", "result": "4DR*"}
    assert "*, nothing in the basic game)" in tell("fight", facts)
    assert "*, panic)" in tell("fight", {**facts, "panics": True})
    assert "*, no second panic)" in tell("fight", {**facts, "panics": False})
    assert "*, nothing to them)" in tell("fight", {**facts, "panics": False, "side": "union"})


def test_a_march_is_a_story_along_ways_and_places() -> None:
    path = ["S0932", "S0931", "S1030", "S1029", "S1129", "S1128"]
    facts: dict[str, Any] = {
        "unit": "ewell-a",
        "with": ["jackson"],
        "from": "S0832",
        "path": path,
        "along": "railroad",
        "left": 1,
    }
    told = tell("march", {**facts, "short": ""})
    assert told.startswith(
        "Ewell (ewell-a) marched with Jackson (jackson) along the railroad from Orange Court House (S0832), "
    )
    assert told.endswith("to Rapidan Station, S1128, 1/2 point left.")
    told = tell("march", {**facts, "left": 0, "short": "a zone of control stops it", "aim": "S1127"})
    assert told.endswith("no point left; short of hex S1127, as a zone of control stops it.")


def test_who_refuses_his_flanks_and_what_it_makes_up_for() -> None:
    facts: dict[str, Any] = {"unit": "winder", "side": "confederate", "at": "S0833", "bonus": 3, "adds": 2}
    assert tell("flanks-refused", {**facts, "units": ["ap-hill", "winder"]}) == (
        "A.P. Hill (ap-hill) and Winder (winder) refused the flanks of hex S0833, which makes up for 2 of the "
        "attackers' bonus of 3."
    )
    step = {"kind": "tell", "what": "fight", "clause": "std-7.5-1"}
    fight = {
        "unit": "williams-a", "side": "union", "with": [], "at": "S0833", "kind": "normal", "from": ["S0734"],
        "targets": ["winder"], "target": "winder", "values": [8, 16], "guns": [0, 0], "dice": [3, 3], "difference": -2,
        "modifiers": [["attacker", "flank", 3, "std-7.4-12"], ["defender", "refused", 2, "std-7.8-1"]],
        "result": "f", "own_result": "D", "whose": {},
    }  # fmt: skip
    told, _ = teller().tell({**step, "facts": fight})
    assert "The other side: die 3, plus 2 for refused flanks (std-7.8-1)." in told


def test_a_march_that_leads_back_is_told_by_where_it_turns() -> None:
    facts: dict[str, Any] = {"unit": "augur", "with": [], "from": "S0614", "along": "pike", "left": 0, "short": ""}
    there, back = ["S0715", "S0815"], ["S0715", "S0614"]

    def both(path: list[str], **more: str) -> tuple[str, str | None]:
        step = {"kind": "tell", "what": "march", "clause": "x", "known": True, "facts": {**facts, "path": path, **more}}
        return tell("march", step["facts"]), teller().head(step)

    told, head = both([*there, *back])
    assert told == (
        "Augur (augur) marched along the pike from Boston (S0614), two hexes south-east to Griffinsburg, S0815, and "
        "back, no point left."
    )
    assert head == "Augur (augur) marched from Boston (S0614) to Griffinsburg (S0815) and back"
    assert both([*there, "S0814", "S0714", "S0614"])[0].endswith("S0815, and back by another way, no point left.")
    told, head = both([*there, "S0715"], short="the points don't suffice", aim="S0614")
    assert told.endswith(
        "from Boston (S0614), two hexes south-east, then one hex north-west, to S0715, past Griffinsburg (S0815), no "
        "point left; short of the way back, as the points don't suffice."
    )
    assert head is not None
    assert head.endswith("to hex S0715, past Griffinsburg (S0815), short of the way back: the points don't suffice")
    assert both(there)[1] == "Augur (augur) marched from Boston (S0614) to Griffinsburg (S0815)"


def test_the_rules_tell_what_a_march_went_along() -> None:
    found = {step["facts"]["along"] for step in played("to-bull-run").steps if step.get("what") == "march"}
    assert found <= {"railroad", "pike", "road", "trail", "roads", "country", ""}
    assert {"country", ""} < found


def test_an_extended_march_tells_what_it_cost_who_was_disorganised() -> None:
    facts = {"unit": "f-lee", "die": 5, "add": -1, "army": "ANV", "disorganised": True, "loss": 0, "was": True}
    facts["manpower"] = 3
    assert "die 5, minus 1: disorganised already, it loses 1 manpower." in tell("extended", facts)
    assert "disorganised already, it loses 2 manpower." in tell("extended", facts | {"loss": 1})
    assert "it is disorganised and loses 1 manpower." in tell("extended", facts | {"loss": 1, "was": False})
    assert "no harm." in tell("extended", facts | {"disorganised": False})


def test_an_extended_march_costs_nobody_more_than_he_has() -> None:
    facts = {"unit": "f-lee", "die": 5, "add": -1, "army": "ANV", "disorganised": True, "loss": 2, "was": True}
    assert "disorganised already, it loses 3 manpower, all that it has." in tell("extended", facts | {"manpower": 3})
    assert "disorganised already, it loses 1 manpower, all that it has." in tell("extended", facts | {"manpower": 1})
    facts["was"] = False
    assert "it is disorganised and loses 1 manpower, all that it has." in tell("extended", facts | {"manpower": 1})


def test_a_fight_tells_each_modifier_with_its_clause_and_explains_its_letters() -> None:
    facts = {
        "unit": "ap-hill", "side": "confederate", "with": ["winder"], "at": "S1418", "kind": "assault",
        "from": ["S1419", "S1319"], "targets": ["crawford"], "target": "crawford", "gun_die": 5,
        "gun_points": [1, 0], "values": [53, 8],
        "modifiers": [["attacker", "ratio", 4, "std-7.4-1"], ["attacker", "assault", 1, "std-5.3-4"],
                      ["defender", "creek", 1, "std-7.4-8"]],
        "guns": [6, 1], "dice": [3, 5], "difference": 3, "own_result": "1Fa", "result": "2DR*",
    }  # fmt: skip
    told = tell("fight", facts)
    assert "A.P. Hill (ap-hill) and Winder (winder) assaulted Crawford (crawford) at Culpeper (S1418)" in told
    assert "combat value 26 1/2 against 4." in told
    works = tell("fight", facts | {"works": "8"})
    assert "combat value 26 1/2 against 4, behind works 8 for the ratio and the flanks (std-9.0-6)." in works
    assert "die 3, plus 4 for the ratio (std-7.4-1), plus 1 for an assault (std-5.3-4), plus 1 for artillery" in told
    assert "(difference plus 6, die 5, which brings plus 1 with 4 or more and nothing with less; std-7.3-3)." in told
    assert "The other side: die 5, plus 1 for the creek (std-7.4-8)." in told
    assert "attacker 1Fa (1 manpower lost; F, fatigue 4; a, an advance if the hex is left)" in told
    assert (
        "defender 2DR* (2 manpower lost; D, disorganised and fatigue 4; R, a rout; *, nothing in the basic game)."
        in told
    )


def test_every_cell_of_the_chart_is_explained() -> None:
    tables = scenario_of("cedar-mountain").data["tables"]
    facts: dict[str, Any] = {"unit": "winder", "with": [], "from": ["S1419"], "targets": ["crawford"]}
    facts |= {"values": [2, 2], "guns": [0, 0]}
    facts |= {"side": "confederate", "at": "S1418", "kind": "hasty", "modifiers": [], "dice": [1, 1], "difference": 0}
    speaker = teller()
    for table in ("combat_defender", "combat_attacker"):
        for row in tables[table]["rows_difference"].values():
            for result in map(str, row):
                cell = cell_of(result)
                told = tell("fight", {**facts, "own_result": "-", "result": str(cell)}, speaker).rpartition(
                    "defender "
                )[2]
                assert (told == "no effect.") == (str(cell) == "-")
                assert (f"{cell.loss} manpower lost" in told) == bool(cell.loss)
                assert ("; *, nothing in the basic game)" in told) == ("*" in result)
                for letter in filter(None, (cell.state, cell.move)):
                    assert re.search(rf"[(; ]{letter}, ", told), told


@pytest.mark.clause("std-8.0-1")
def test_both_sides_rest_at_once_behind_the_works_of_the_second() -> None:
    """Whose they are is said, as they stand under the recovery of one of them."""
    steps = [step for step in played("cedar-mountain").steps if step.get("what") in ("rested", "organised")]
    sides = begun().board.units
    assert {step["phase"] for step in steps} == {"confederate-recovery"}
    assert {sides[unit].side for step in steps for unit in step["facts"]["units"]} == {"union", "confederate"}
    assert all("both sides" in tell(step["what"], step["facts"]).lower() for step in steps)


def test_units_rest_in_one_sentence_a_kind() -> None:
    told = [step["facts"] for step in played("cedar-mountain").steps if step.get("what") == "rested"]
    assert told
    assert tell("rested", {"units": ["winder", "gregg"], "before": 2, "after": 0}) == (
        "Rest of both sides, from fatigue 2 to 0: Winder (winder) and Gregg (gregg)."
    )


# --- initiative ------------------------------------------------------------------------------------------------------


def test_what_opens_an_action_is_told_with_it() -> None:
    """Initiative and the passes behind it stand with the action that they lead to, the dice in one line."""
    table = played("cedar-mountain")
    data = report.build(report_input(table, scenario_of("cedar-mountain"), None) | {"steps": table.steps})
    actions = [action for group in data["news"] if group["phase"] == "cycle" for action in group["actions"]]
    kinds = [[item["what"] or item["kind"] for item in action["items"]] for action in actions]
    opened = [found for found in kinds if found[0] == "initiative"]
    assert len(opened) > 20
    assert all(set(found) - {"initiative", "pass"} for found in opened)
    assert not any({"initiative", "pass"} & {*found[2:]} for found in kinds if "cycle-ends" not in found)
    passed = next(action for action, found in zip(actions, kinds, strict=True) if found[:2] == ["initiative", "pass"])
    assert re.match(r"The (Union|Confederates) passed; ", passed["headline"])
    assert re.fullmatch(r"initiative: union \d, confederate \d", passed["dice"][0])


def test_a_campaign_ends_as_one() -> None:
    facts = {"winner": "union", "level": "Union marginal victory", "points": 40}
    for clause, what in (("22.2-vic", "campaign"), ("22.1-vic", "campaign"), ("13.1-vic", "battle")):
        told, _ = teller().tell({"kind": "tell", "what": "end", "clause": clause, "facts": facts})
        assert told == f"The {what} ended with a Confederate score of 40: Union marginal victory."


def test_a_supply_status_by_which_all_are_fed_is_one_line() -> None:
    assert headline(("all-supplied", {"damaged": []})) == "All in supply; no station to repair."
    station = {"damaged": ["S1916"]}
    assert headline(("all-supplied", station)) == (
        "All in supply; damaged still: the station of Brandy Station (S1916)."
    )


def headline(*events: tuple[str, dict[str, Any]], **clauses: str) -> str:
    """What is said in one line of what was told, by these clauses of events."""
    bare: dict[str, Any] = {"kind": "tell", "known": True, "fight": None, "rolls": [], "chances": []}
    items = [
        {**bare, "what": what, "clause": clauses.get(what, ""), "facts": facts, "told": tell(what, facts)}
        for what, facts in events
    ]
    ((told,),) = [
        group["actions"] for group in headlined([{"actions": [{"order": None, "items": items}]}], teller(), {})
    ]
    return str(told["headline"])


def test_of_a_unit_that_routs_with_a_leader_its_name_is_said_again() -> None:
    routs = {"unit": "winder", "units": ["winder", "jackson"], "why": "rout", "from": "S0833", "path": ["S0832"]}
    told = headline(("demoralised", {"unit": "winder", "level": 1}), ("retreat", routs))
    assert told == (
        "Winder (winder) was demoralised; Winder and Jackson (jackson) routed to Orange Court House (S0832)."
    )
    alone = headline(("demoralised", {"unit": "winder", "level": 1}), ("retreat", routs | {"units": ["winder"]}))
    assert alone == "Winder (winder) was demoralised and routed to Orange Court House (S0832)."


def test_a_whole_sentence_in_the_middle_of_a_headline_begins_small() -> None:
    passed = ("pass", {"side": "union", "cycle": 1, "opens": True})
    order = "activate jackson march winder S0832"
    dropped = ("drop", {"unit": "winder", "order": order, "reason": "it is held"})
    rest = f'f the order "{order}" the march of Winder (winder) was left out: it is held.'
    assert headline(passed, dropped) == f"The Union passed; o{rest}"
    assert headline(dropped) == f"O{rest}"


def test_the_dice_of_both_sides_count_for_whose_they_are() -> None:
    facts = {"side": "union", "whose": {"initiative/union": "union", "initiative/confederate": "confederate"}}
    assert dice_side("initiative/confederate/7", facts) == "confederate"
    facts = {"side": "union", "whose": {"attack": "union", "defence": "confederate"}}
    assert dice_side("defence/s1128/1", facts) == "confederate"
    assert dice_side("march/ewell-a/1", {"side": "union"}) == "union"
    assert dice_side("march/ewell-a/1", {"unit": "ewell-a"}) == ""
    table = played("cedar-mountain")
    often = dict.fromkeys(("union", "confederate"), 0)
    for key, (dice, _) in table.course.luck.items():
        turn, side, kind, _ = key.split(" ")
        often[side] += dice if kind == "initiative" else 0
        assert turn != "0"
    assert often["union"] == often["confederate"] > 20


def test_a_roll_is_named_by_who_rolls() -> None:
    item = {"facts": {"unit": "ewell-a", "side": "confederate"}, "fight": None}
    assert roll_of({"label": "march/ewell-a/2"}, item, {"ewell-a": "confederate"}) == "march of ewell-a"


def test_chances_stand_behind_dice_that_bring_something_else_than_their_sum() -> None:
    """Of points for a march nothing: each sum is so many points."""
    table = played("to-bull-run")
    data = report.build(report_input(table, scenario_of("to-bull-run"), "asuka", 0))
    lines = [line for group in data["news"] for action in group["actions"] for line in action["dice"]]
    marches = [line for line in lines if line.startswith("march of")]
    extended = [line for line in lines if line.startswith("extended of")]
    assert marches
    assert extended
    assert not any("expected" in line for line in marches)
    assert all("expected " in line for line in extended)


def test_manpower_lost_is_a_fate() -> None:
    assert fate("loss", {"unit": "winder", "points": 2, "left": 6}) == "2 manpower lost"


# --- orders that wait --------------------------------------------------------------------------------------------


ORDERS = {
    "march ap-hill with jackson S0932 S0931 attack S1030 hasty": (
        "A.P. Hill (ap-hill) marches with Jackson (jackson) from Orange Court House (S0832), one hex north-east, then "
        "one hex north, to S0931, then attacks hex S1030 (hasty or better) if it comes so far"
    ),
    "march winder attack S0832": "Winder (winder) stays in hex S0833, then attacks Orange Court House (S0832)",
    "march winder S0832 force route": (
        "Winder (winder) marches from hex S0833, one hex north to Orange Court House, S0832, by a forced march if that "
        "brings it there"
    ),
    "march winder S0832 S0833": (
        "Winder (winder) marches from hex S0833, one hex north to Orange Court House, S0832, and back"
    ),
    "march winder S0931": "Winder (winder) marches from hex S0833 to S0931",  # not the next hex: what was left
    "assault jackson at S1418 by winder ap-hill": (
        "Jackson (jackson) assaults Culpeper (S1418) with Winder (winder) and A.P. Hill (ap-hill)"
    ),
    "raid robertson": "Robertson (robertson) raids the station at Twyman's Mill (S0628)",
    "transfer pope augur": "Pope (pope) goes over to Augur (augur) at Boston (S0614)",
    "entrench milroy": "Milroy (milroy) entrenches",
    "pass": "one action phase is passed",
    "close action": "no more actions are ordered in this turn",
}


@pytest.mark.parametrize("words", ORDERS)
def test_orders_that_wait_are_told_as_orders(words: str) -> None:
    assert teller().order(words.split()) == ORDERS[words]


def test_every_keyword_of_an_order_has_words_of_its_own() -> None:
    speaker = teller()
    assert [word for word in USAGE if word != "done" and speaker.macro(f"do_{word}") is None] == []
    examples = {
        "activate": "activate jackson hop winder march winder S0832 march ap-hill S0931",
        "grand": "grand jackson at S1418 under jackson by winder and ap-hill",
        "rail": "rail crawford S1419", "place": "place sigel at S0108", "bridge": "bridge milroy S0309",
        "evade": "evade yes", "refuse": "refuse yes", "lose": "lose winder winder", "retreat": "retreat S0832 S0931",
        "advance": "advance none", "join": "join jackson winder",
    }  # fmt: skip
    for words in examples.values():
        told = teller().order(words.split())
        assert not re.search(BROKEN, told), told
        assert words.split()[0] not in told.split()[:1]
    told = speaker.order(examples["retreat"].split())
    assert told == "the way back leads two hexes to hex S0931", "a rout is longer than a standing order may say"


def test_who_stays_behind_of_a_unit_that_goes_by_rail_is_no_leader_and_no_hex_of_the_way() -> None:
    """The substitute was told to go along, and the way to lead by `detach` and its manpower."""
    table = Match(scenario_of("rapidan-to-rappahannock"), 7).table
    speaker = Teller(table.rules.situation(table.game.state), direction_of(table), None)
    told = speaker.order(
        ["rail", "casey", "with", "pope", "N5720", "N5620", "detach", "union-sub-3", "2", "union-sub-1", "1", "N5720"]
    )
    assert told == (
        "Casey (casey) goes with Pope (pope) by rail from 6-Mile Post (N5819), two hexes south-west to Springfield "
        "Station, N5620; it detaches Union Substitute 3 (union-sub-3) with 2 manpower and Union Substitute 1 "
        "(union-sub-1) with 1 manpower in hex N5720"
    )


def test_who_comes_in_is_named_whatever_orders_call_them() -> None:
    """`The reinforcements dh-hill come in in hex S0833`, said the report."""
    table = Match(scenario_of("rapidan-to-manassas"), 7).table
    speaker = Teller(table.rules.situation(table.game.state), direction_of(table), None)
    assert speaker.order(["place", "dh-hill", "at", "S0833"]) == "D.H. Hill (dh-hill) comes in at hex S0833"
    told = speaker.order(["place", "iii-corps", "at", "S5021"])
    assert told == "Heintzelman (heintzelman) and Kearny (kearny) come in at Aquia Creek Station (S5021)"
    assert speaker.order(["put-off", "iii-corps"]) == "Heintzelman and Kearny are put off by a turn"
    assert speaker.order(["put-off", "walker"]) == "Walker (walker) is put off by a turn"


def test_where_a_unit_stands_behind_a_march_is_not_told() -> None:
    """It may have ended short."""
    speaker = teller()
    part = {"does": "order", "tests": []}
    assert "from" in speaker.part({**part, "words": ["march", "winder", "S0832"]})
    assert speaker.part({**part, "words": ["march", "winder", "S0931"]}).startswith("Winder marches to S0931")
    told = speaker.part({**part, "words": ["march", "winder", "S0932", "S0931"]})
    assert told.startswith("Winder marches to hex S0932, then one hex north to S0931")


CONDITIONS = {
    "near winder 3": ("an enemy is within 3 hexes of Winder (winder)", "no enemy is within 3 hexes of Winder (winder)"),
    "near winder 1": ("an enemy is within 1 hex of Winder (winder)", "no enemy is within 1 hex of Winder (winder)"),
    "tired winder 3": ("the fatigue of Winder (winder) is 3 or more", "the fatigue of Winder (winder) is less than 3"),
    "short winder": (
        "the last march of Winder (winder) in this turn ended short",
        "the last march of Winder (winder) in this turn didn't end short",
    ),
    "row union 1": ("the Union acted 1 time in a row", "the Union didn't act 1 time in a row"),
    "row union 2": ("the Union acted 2 times in a row", "the Union didn't act 2 times in a row"),
    "fought S1418": (
        "there was a combat at Culpeper (S1418) in this turn", "there was no combat at Culpeper (S1418) in this turn",
    ),
    "weather rain": ("it rains in this turn", "it doesn't rain in this turn"),
    "weather dry": ("it doesn't rain in this turn", "it rains in this turn"),
    "panic union": ("the Union is in panic", "the Union isn't in panic"),
    "paralysed confederate": (
        "the command of the Confederates is paralysed in this turn",
        "the command of the Confederates is not paralysed in this turn",
    ),
    "gone winder": ("Winder (winder) is gone", "Winder (winder) is not gone"),
}  # fmt: skip


@pytest.mark.parametrize("words", CONDITIONS)
def test_conditions_are_told_in_words(words: str) -> None:
    assert tuple(teller().condition(words.split(), expected) for expected in (True, False)) == CONDITIONS[words]


@pytest.mark.parametrize(
    ("order", "more", "told"),
    [
        (
            "march winder S0832",
            {"part": "the rest of winder's way", "end": "S0832"},
            'The order "march winder S0832" was cut short, to end at Orange Court House (S0832) at the latest: it is '
            "held.",
        ),
        (
            "march winder S0832",
            {"part": "the attack of winder"},
            'The order "march winder S0832" was made without the attack of Winder (winder): it is held.',
        ),
        (
            "march winder with jackson S0832",
            {"part": "jackson"},
            'The order "march winder with jackson S0832" was made without Jackson (jackson): it is held.',
        ),
        (
            "rail winder S0832 S0831",
            {"part": "the rest of winder's way", "end": "S0832"},
            'The order "rail winder S0832 S0831" was cut short, to end at Orange Court House (S0832) at the latest: it '
            "is held.",
        ),
        (
            "activate jackson march winder S0832",
            {},
            'Of the order "activate jackson march winder S0832" the march of Winder (winder) was left out: it is held.',
        ),
        (
            "activate jackson march winder S0832",
            {"part": "the rest of winder's way", "end": "S0832"},
            'Of the order "activate jackson march winder S0832" the march of Winder (winder) was cut short, to end at '
            "Orange Court House (S0832) at the latest: it is held.",
        ),
    ],
)
def test_an_order_of_which_a_part_is_left_is_told_by_what_becomes_of_it(
    order: str, more: dict[str, str], told: str
) -> None:
    assert tell("drop", {"unit": "winder", "order": order, "reason": "it is held", **more}) == told


def test_that_a_march_was_cut_short_is_told_behind_it(match: Match) -> None:
    given = report_input(match.table, scenario_of("cedar-mountain"), None)
    at = {"turn": 1, "phase": "cycle", "seq": 9}
    words = ["march", "bayard", "S0925", "S0924"]
    facts = {"unit": "bayard", "order": " ".join(words), "reason": "it is held", "part": "the rest of bayard's way"}
    march = {"unit": "bayard", "with": [], "from": "S0825", "path": ["S0925"], "along": "", "left": 0, "short": ""}
    told = (("drop", {**facts, "end": "S0925"}), ("march", march), ("pass", {"side": "union"}))
    tells = [{"kind": "tell", "clause": "x", "what": what, "facts": of, **at} for what, of in told]
    order = {"kind": "order", "side": "union", "words": words[:3], **at}
    ends = {"kind": "order", "side": "union", "words": ["pass"], **at}
    steps = [tells[0], order, tells[1], ends, tells[2]]
    data = report.build({**given, "steps": steps}, direction_of(match.table))
    (group,) = data["news"]
    assert [[item["what"] for item in action["items"]] for action in group["actions"]] == [["march", "drop"], ["pass"]]


def test_why_a_plan_was_dropped_is_told_in_words_of_the_rules() -> None:
    tests = [
        {"words": ["near", "winder", "3"], "expected": True},
        {"words": ["row", "confederate", "2"], "expected": False},
    ]
    step = {"kind": "stop", "side": "union", "reason": "a stop condition holds", "dropped": 2, "tests": tests}
    told, known = teller().tell(step)
    assert known
    assert told == (
        "The rest of the orders of the Union was dropped, as an enemy is within 3 hexes of Winder (winder) and "
        "the Confederates didn't act 2 times in a row."
    )
    told, _ = teller().tell({"kind": "stop", "side": "union", "reason": "an order lapsed under `strict`", "dropped": 2})
    assert told == "The rest of the orders of the Union was dropped: an order lapsed under `strict`."


@pytest.mark.parametrize(
    ("dropped", "said"),
    [
        (1, "One answer of the Union wasn't needed: nobody asked for it."),
        (2, "Two answers of the Union weren't needed: nobody asked for them."),
    ],
)
def test_answers_that_nobody_asked_for_arent_told_as_if_the_plan_were_dropped(dropped: int, said: str) -> None:
    """`The rest of the orders of Union was dropped` stood there, while all that it had planned went on."""
    reason = "nobody asked for the other answers"
    step = {"kind": "stop", "side": "union", "reason": reason, "dropped": dropped, "answers": True}
    assert teller().tell(step)[0] == said


# --- plans over the whole turn ---------------------------------------------------------------------------------------


PLAN = (
    "stop whenever near bayard 2;\n"
    "march bayard S0925 S0924 S1023 S1022 S1122 S1221 S1220 S1320 S1319 S1418;\n"
    "if not near crawford 3 then march crawford S1319 S1320;\n"
    "march williams-a with pope sigel S0816;\n"
    "entrench crawford;\n"
    "done;\n"
)


@pytest.fixture
def match() -> Match:
    """A signed game in which the Union has given a plan for its turn, and the Confederates are asked."""
    found = Match(scenario_of("cedar-mountain"), 1)
    found.play(PLAN)
    assert found.due() == ("orders", "ben")
    return found


def test_a_report_tells_what_of_a_plan_waits(match: Match) -> None:
    given = report_input(match.table, scenario_of("cedar-mountain"), None)
    data = report.build(given, direction_of(match.table))
    (union, confederate) = data["left"]
    assert confederate["orders"] == []
    assert [one["order"] for one in union["orders"]] == [line.removesuffix(";") for line in PLAN.splitlines()]
    told = [one["told"] for one in union["orders"]]
    assert told[0] == ("As soon as an enemy is within 2 hexes of Bayard (bayard): what is left by then is dropped.")
    assert told[1] == "Bayard marches from hex S0825, ten hexes to Culpeper, S1418, past Cedar Mountain (S1022)"
    assert told[-1] == "then nothing more is done in this turn: whenever it is asked the side passes."
    text = report.text(data)
    assert "ORDERS THAT WAIT" in text
    assert "Union: Crawford entrenches." in text
    assert data["situation"]["units"]
    few = cut(data, Limits(2, 20, 2, 20))
    assert len(few["left"][0]["orders"]) == 2
    assert few["more"]["left"] == 4


def test_a_report_without_orders_that_wait_says_nothing_of_them() -> None:
    data = report.build(report_input(begun(), scenario_of("cedar-mountain"), None))
    assert "left" not in data
    assert "ORDERS THAT WAIT" not in report.text(data)


def test_a_mail_tells_what_a_plan_watches_for_and_why_what_waits_lapses(match: Match) -> None:
    """An order that lapses in some futures, and still waits in the others, is told as such."""
    match.play("march robertson S0728;\nmarch gregg S0732;\nstop if short gregg;\nmarch lawton S0732;\ndone;\n")
    table = match.table
    data = mail_data(table, scenario_of("cedar-mountain"), "asuka")
    (of_ben, of_asuka) = data["orders"]
    assert of_asuka["items"][0]["told"].startswith("As soon as an enemy is within 2 hexes of Bayard (bayard): what is")
    lapses = next(item for item in of_asuka["items"] if item["told"].startswith("Williams"))
    assert re.fullmatch(
        r"lapses in \d+ of 100 futures played out \(.*\[std-6\.3-1\]\), else not before ben decides", lapses["odds"]
    )
    assert of_ben["items"][-1]["told"].startswith("Then nothing more is done in this turn")
    assert "Orders of asuka (Union); the dice fall when you open this mail" in mail_text(data).replace("\n", " ")


def test_stations_depots_and_objectives_are_told_with_their_state() -> None:
    table = empty_table("lee-vs-pope")
    table.course.begin()
    state = table.game.state
    station, objective = min(state.board.stations), min(state.board.objectives)
    state.station[station] = 2
    state.controlled.add(state.board.label[objective])
    data = report.build(report_input(table, scenario_of("lee-vs-pope"), None))
    told = " ".join(report.text(data).partition("PLACES")[2].partition("STANDING")[0].split())
    assert re.search(rf"{state.board.label[station]}: [^.]*station destroyed\.", told)
    assert f"{state.board.label[objective]}: an objective, of the Confederates" in told
    assert f"{state.board.label[max(state.board.objectives)]}: an objective, taken by nobody" in told
    assert "an objective, of the Confederates" in report.html(data)


@pytest.mark.parametrize(
    ("side", "won"), [("confederate", "the Confederates have won"), ("union", "the Union has won")]
)
def test_who_has_won_is_told_by_a_title_of_one_or_of_several(side: str, won: str) -> None:
    end = Outcome(side, "13.3-vic", "a Confederate score of 1: Union decisive victory")
    ahead = Foreseen("asuka", True, ((Asked("nothing", None, "", "", end), 1),))
    assert f"the game is over, {won}: a Confederate score of 1: Union" in asked_words(begun(), ahead)
    given = report_input(begun(), scenario_of("cedar-mountain"), None)
    given["situation"]["outcome"] = end._asdict()
    assert report.text(report.build(given)).startswith(f"The game is over. T{won[1:]}: a Confederate score of 1: Union")
    speaker = teller()
    speaker.names.ahead = True
    passes = speaker.head({"kind": "tell", "what": "pass", "known": True, "facts": {"side": side}})
    assert passes == ("the Confederates pass" if side == "confederate" else "the Union passes")


def test_the_order_of_battle_keeps_what_a_player_keeps_on_paper() -> None:
    """Fatigue, manpower and what of it was lost, whatever by, works, and how the unit stands."""
    table = empty_table("cedar-mountain")
    table.course.begin()
    s = table.game.state
    list(lose(s, "crawford", 1, "std-5.1-8", counted=False))
    s.tire("crawford", 3)
    s.disorganise("crawford")
    s.demoralise("crawford", 2)
    s.works["milroy"] = 2
    told = " ".join(report.text(report.build(report_input(table, scenario_of("cedar-mountain"), None))).split())
    assert (
        "S1418 Culpeper, Crawford (crawford), disorganised, demoralised; infantry-brigade, combat value 2, tactical 0, "
        "artillery 0, fatigue 3, manpower 3, lost 1, demoralised 2."
    ) in told
    assert "artillery 1, fatigue 0, manpower 4, works breastworks." in told
    assert "Banks (banks), with williams-a; corps-leader, tactical 3, command 5." in told


# --- the players' page -----------------------------------------------------------------------------------------------


PAGE = (ROOT / "docs" / "gcacw.md").read_text("utf-8")
SOURCES = (ROOT / "docs" / "gcacw-sources.md").read_text("utf-8")


def examples() -> list[str]:
    """The orders that the page shows: as blocks, and in its tables and lines."""
    blocks = [line.strip() for line in PAGE.splitlines() if line.startswith("    ") and line.endswith(";")]
    return blocks + [shown for shown in re.findall(r"`([^`]+;)`", PAGE) if not re.search(r"[A-Z]{2}|\bU\b", shown)]


@pytest.mark.parametrize("text", dict.fromkeys(examples()))
def test_an_example_of_the_page_can_be_read(text: str) -> None:
    found, wrong = parse_statements(text)
    assert wrong == []
    read = [
        reads(scenario, side, found)
        for scenario in ("cedar-mountain", "to-bull-run", "rapidan-to-manassas")
        for side in ("union", "confederate")
    ]
    assert True in read


def reads(scenario: str, side: str, found: list[tuple[int, Statement]]) -> bool:
    """Whether a side may write that in a scenario, wherever a way with `to` leads."""
    rules, board = rules_of("gcacw"), board_of(scenario)
    ((_, statement),) = found
    if "to" in statement.tokens and statement.keyword == "march":
        try:
            return bool(rules.toward(board, side, (statement.keyword, *statement.tokens)))
        except MalformedOrder:
            return False
    parts, errors = read_parts(rules, board, side, found)
    return len(parts) == 1 and not errors


def test_the_page_has_every_order_word_condition_and_option() -> None:
    for word in USAGE:
        assert re.search(rf"`{word}\b", PAGE), word
    for word in CONDITIONS_OF_THE_RULES:
        assert re.search(rf"^\| `{word} ", PAGE, re.MULTILINE), word
    for word in STANDING:
        assert f"`standing {word} " in PAGE, word
    for word in STATES:
        assert f"`is U {word}`" in PAGE, word
    for scenario in SCENARIOS:
        for option in scenario_of(scenario).data["scenario"].get("options", {}):
            assert f"| `{option}` |" in PAGE, option


@pytest.mark.parametrize("page", ["gcacw.md", "rules-gcacw.md"])
def test_the_pages_tell_whom_the_last_recovery_asks(page: str) -> None:
    (told,) = [
        part for part in (ROOT / "docs" / page).read_text("utf-8").split("\n\n") if "nobody is asked for works" in part
    ]
    assert "(22.1-vp10)" in told
    assert "last turn" in told


def test_the_page_tells_where_the_rules_come_from() -> None:
    """So many clauses of each origin as the last line of its table adds up."""
    rows = [
        line.split("|")[2:6]
        for line in SOURCES.partition("| rulebook |")[2].partition("\n\n")[0].splitlines()
        if line.startswith("| ")
    ]
    rows = [row for row in rows if "---" not in row[0]]
    counts = [[int(cell.strip() or 0) for cell in row] for row in rows]
    *chapters, together = counts
    assert [sum(column) for column in zip(*chapters, strict=True)] == together
    assert sum(together) == 479
    assert len(chapters) == 15


def test_orders_that_lapse_for_one_reason_are_told_as_one(match: Match) -> None:
    given = report_input(match.table, scenario_of("cedar-mountain"), None)
    at = {"turn": 1, "phase": "union-recovery", "seq": 9, "kind": "lapse", "side": "union", "clause": "std-4.0-1"}
    over = at | {"reason": "the action cycle is over"}
    ways = (["march", "bayard", "S0925"], ["activate", "banks", "march", "king", "S0925"])
    other = at | {"reason": "it is held", "clause": "", "words": ["entrench", "king"]}
    data = report.build({**given, "steps": [*({**over, "words": words} for words in ways), other]})
    told = [item["told"] for group in data["news"] for action in group["actions"] for item in action["items"]]
    assert told == [
        'Two orders of the Union lapsed: the action cycle is over [std-4.0-1]: "march bayard", "activate banks".',
        'The order "entrench king" of the Union lapsed: it is held.',
    ]
    assert len(data["lapses"]) == 3, "the list of lapsed orders has each with all its words"
    assert [lapse.get("alone", False) for lapse in data["lapses"]] == [False, False, True]
    listed = report.text(data).partition("LAPSED ORDERS")[2].partition("\n\nTHE ")[0]
    assert ("march bayard S0925" in listed, "entrench king" in listed) == (True, False), "what is told isn't told twice"
    page = report.html(data).partition("<h3>Lapsed</h3>")[2].partition("</ul>")[0]
    assert ("march bayard S0925" in page, "entrench king" in page) == (True, False)
    data = report.build(
        {**given, "steps": [{**over, "words": ["march", "king", h]} for h in ("S0925", "S0926")] + [other]}
    )
    told = [item["told"] for group in data["news"] for action in group["actions"] for item in action["items"]]
    assert told[0].endswith(': "march king S0925", "march king S0926".'), "by all words where two don't tell them apart"
    many = [["march", unit, h] for h in ("S0925", "S0926") for unit in ("king", "bayard", "milroy", "sigel", "banks")]
    many += [["march", "king", "S0927"], ["raid", "king"], ["raid", "bayard"], ["raid", "milroy"]]
    data = report.build({**given, "steps": [{**over, "words": words} for words in many]})
    (told,) = [item["told"] for group in data["news"] for action in group["actions"] for item in action["items"]]
    assert told == (
        '14 orders of the Union lapsed: the action cycle is over [std-4.0-1]: "march king" (three times), '
        '"march bayard" (twice), "march milroy" (twice), "march sigel" (twice), "march banks" (twice), '
        '"raid king", "raid bayard", "raid milroy".'
    ), "many stood one by one where their first words don't tell them apart"
    alike = [["march", "king", h] for h in map("S09{:02}".format, range(10, 30))]
    crowd = report.build({**given, "steps": [{**over, "words": words} for words in alike]})
    assert sum(len(group["actions"]) for group in crowd["news"]) == len(alike), "`march king` alone says nothing"
    assert "march banks S0926" in report.text(data).partition("LAPSED ORDERS")[2], "the list has all their words"
    data = report.build({**given, "steps": [other]})
    assert "LAPSED ORDERS" not in report.text(data)
    assert "<h3>Lapsed</h3>" not in report.html(data)


def test_what_a_unit_lost_at_once_is_one_sum() -> None:
    def lost(unit: str, points: int, left: int) -> tuple[str, dict[str, Any]]:
        return "loss", {"unit": unit, "points": points, "left": left, "counted": True}

    assert headline(lost("winder", 1, 8), lost("winder", 1, 7)) == "Winder (winder) lost 2 manpower."
    both = headline(lost("winder", 1, 8), lost("crawford", 2, 7), lost("winder", 1, 7), lost("crawford", 1, 6))
    assert both == "Winder (winder) lost 2 manpower; Crawford (crawford) lost 3 manpower."
    between = ("tired", {"unit": "winder", "fatigue": 4})
    apart = headline(lost("winder", 1, 8), between, lost("winder", 1, 7))
    assert apart == "Winder (winder) lost 1 manpower, came to fatigue 4 and lost 1 manpower."


def items_of(*events: tuple[str, str, dict[str, Any]]) -> tuple[str, list[str]]:
    """The headline, and the whole sentences, of an action that is nothing but these events: what, clause, facts."""
    at = {"turn": 1, "phase": "cycle", "seq": 9}
    steps = [{"kind": "tell", "what": what, "clause": clause, "facts": facts, **at} for what, clause, facts in events]
    given = report_input(begun(), scenario_of("cedar-mountain"), None)
    data = report.build({**given, "steps": steps}, direction_of(begun()))
    ((action,),) = [group["actions"] for group in data["news"]]
    return action["headline"], [item["told"] for item in action["items"]]


def test_what_an_extended_march_cost_who_was_disorganised_already_is_told_once() -> None:
    """It read `Augur lost 1 manpower and has 5 left. Augur lost 1 manpower and has 4 left.`"""

    def lost(points: int, left: int, *, counted: bool = False, unit: str = "augur") -> dict[str, Any]:
        return {"unit": unit, "points": points, "left": left, "counted": counted}

    price, table = ("loss", "std-5.1-9", lost(1, 7)), ("loss", "std-5.1-8", lost(2, 5))
    assert items_of(price, table) == (
        "Augur (augur) lost 3 manpower.",
        ["Augur (augur) lost 3 manpower and has 5 left; it counts in no score."],
    )
    fought = ("loss", "std-7.5-2", lost(1, 4, counted=True))
    head, told = items_of(price, table, fought)
    assert head == "Augur (augur) lost 4 manpower."
    assert told[1:] == ["Augur lost 1 manpower and has 4 left."], "what counts is told apart"
    other = ("loss", "std-5.1-8", lost(1, 3, unit="crawford"))
    assert items_of(price, other)[1] == [
        "Augur (augur) lost 1 manpower and has 7 left; it counts in no score.",
        "Crawford (crawford) lost 1 manpower and has 3 left; it counts in no score.",
    ]


@pytest.mark.parametrize(
    ("clause", "why", "head"),
    [
        ("std-7.6-3", " by an enemy zone of control on its way back", True),
        ("std-7.6-2", " by a step back for which there was a better one", True),
        ("std-7.6-4", ", as it had no way of retreat", False),
        ("std-7.5-2", " by the losses of the combat", False),
        ("std-2.4-8", " by going from zone to zone off the road", False),
    ],
)
def test_why_a_unit_was_eliminated_is_told(clause: str, why: str, head: bool) -> None:
    """Of one that routed into zones of control it was told alone that it was eliminated."""
    told = items_of(("remove", clause, {"unit": "augur", "at": "S1418"}))
    assert told == (
        f"Augur (augur) was eliminated{why if head else ''}.",
        [f"Augur (augur) was eliminated at Culpeper (S1418){why}."],
    )


def test_every_clause_by_which_units_lose_manpower_says_how_one_was_eliminated() -> None:
    code = "".join(path.read_text("utf-8") for path in (ROOT / "pbem/rules/gcacw").glob("*.py"))
    calls = re.findall(r"\b(?:suffer|lose|disorganise)\(s, [^\n]*?\"([^\"]+)\", (?:price=True|counted=False)", code)
    calls += re.findall(r"\bsuffer\(s, [^\n]*\"([^\"]+)\"\)", code)
    assert {"std-5.1-8", "std-5.1-11", "std-7.5-2", "std-7.6-2", "std-7.7-6"} <= {*calls}
    for clause in {*calls} - {"20.5-3"}:  # which takes nobody's last manpower (20.5-4)
        _, (told,) = items_of(("remove", clause, {"unit": "augur", "at": ""}))
        assert re.search("eliminated (by|as) ", told), clause


def test_what_came_of_going_off_the_road_is_no_part_of_a_sum() -> None:
    """It read `lost 2 manpower by going from zone to zone off the road`, of which 1 was the extended march's."""
    march = ("loss", "std-5.1-8", {"unit": "augur", "points": 1, "left": 7, "counted": False})
    step = ("loss", "std-2.4-8", {"unit": "augur", "points": 1, "left": 6, "counted": False})
    head, told = items_of(march, step)
    assert head == "Augur (augur) lost 1 manpower and lost 1 manpower by going from zone to zone off the road."
    assert len(told) == 2


def test_who_takes_over_is_told_apart_from_the_random_event() -> None:
    """`McClellan took over from Pope; No reinforcements ...` was one sentence."""
    table = empty_table("rapidan-to-manassas")
    table.course.begin()
    state = table.game.state
    state.panic, state.turn = 1, 3
    at = {"turn": 3, "phase": "events", "seq": 9}
    given = report_input(table, scenario_of("rapidan-to-manassas"), None)
    requests = run(_events(state), (1, 6))
    tells = [
        {"kind": "tell", "what": one.what, "clause": one.clause, "facts": {**one.facts}, **at}
        for one in requests
        if isinstance(one, Tell)
    ]
    data = report.build({**given, "steps": tells})
    heads = [action["headline"] for group in data["news"] for action in group["actions"]]
    assert heads[0].startswith("McClellan (mcclellan) took over from Pope (pope)")
    assert heads[1].startswith("Reinforcements of the Union come early by a random event; ")
    assert len(heads) == 2


def test_a_sentence_of_an_event_without_a_headline_begins_small_in_the_middle() -> None:
    facts = {"unit": "jackson", "at": "S0832", "reason": "the cavalry has gone"}
    told = headline(("pass", {"side": "union", "cycle": 1}), ("no-assault", facts))
    assert told.startswith("The Union passed; the assault of Jackson (jackson) on "), told


def test_cavalry_that_went_back_is_told_behind_the_march_before_which_it_went() -> None:
    march = {"unit": "crawford", "with": [], "from": "S0830", "path": ["S0829"], "along": "", "left": 0, "short": ""}
    cavalry = {"unit": "robertson", "units": ["robertson", "jackson"], "side": "confederate", "why": "cavalry"}
    back = ("retreat", cavalry | {"from": "S0828", "path": ["S0827", "S0826"], "before": ["crawford"]})
    told = headline(
        ("activate", {"unit": "banks", "units": ["crawford"], "side": "union"}),
        back,
        ("march", march),
        retreat="std-7.7-5",
    )
    assert told == (
        "Banks (banks) activated Crawford (crawford); Crawford marched from hex S0830 to hex S0829; Robertson "
        "(robertson) and Jackson (jackson) went back before Crawford to hex S0826."
    )
    assert (
        headline(back, retreat="std-7.7-5")
        == "Robertson (robertson) and Jackson (jackson) went back before Crawford (crawford) to hex S0826."
    )


def test_a_headline_names_the_places_on_the_way() -> None:
    """It was told that one retreated to a hex and that the enemy took a town, not that the way led past it."""
    back = {"unit": "crawford", "units": ["crawford"], "side": "union", "why": "retreat", "from": "S1419"}
    assert headline(
        ("retreat", back | {"path": ["S1418", "S1318"]}), ("control", {"side": "confederate", "at": "S1418"})
    ) == ("Crawford (crawford) retreated to hex S1318, past Culpeper (S1418); the Confederates took Culpeper (S1418).")
    assert headline(("retreat", back | {"path": ["S1418"]})) == "Crawford (crawford) retreated to Culpeper (S1418)."
    march = {"unit": "crawford", "with": [], "from": "S1419", "along": "", "left": 0, "short": ""}
    told = headline(("march", march | {"path": ["S1418", "S1318"]}))
    assert told == "Crawford (crawford) marched from hex S1419 to hex S1318, past Culpeper (S1418)."


def test_what_both_dice_for_the_initiative_brought_is_said_in_words() -> None:
    facts = {"die": 4, "number": 2, "cycle": 3, "ends": False}
    assert headline(("cycle-roll", facts)) == (
        "The action cycle went on, though both dice for the initiative showed 1."
    )
    said = teller().dice(["cycle", "initiative/union", "initiative/confederate"])
    assert said == "whether the action cycle ends, as both dice for the initiative show 1; the initiative"


def test_who_is_out_of_supply_is_told_with_county_and_reason() -> None:
    union = {
        "side": "union",
        "units": ["crawford", "augur"],
        "counties": {"Culpeper": ["crawford"], "Madison": ["augur"]},
    }
    assert tell("unsupplied", {**union, "again": False}) == (
        "Out of supply, with no depot in the county and no railroad open to it: in Culpeper Crawford (crawford); in "
        "Madison Augur (augur)."
    )
    south = {
        "side": "confederate",
        "units": ["winder"],
        "counties": {"Fauquier": ["winder"]},
        "home": ["Madison", "Orange"],
    }
    assert headline(("unsupplied", {**south, "again": True})) == (
        "Still out of supply, outside of Madison and Orange: in Fauquier Winder (winder)."
    )


@pytest.mark.parametrize(
    ("words", "how", "told"),
    [
        (["advance", "none"], {"how": "default"}, "nobody advances, as the enemy beside the hex is stronger."),
        (["advance", "crawford"], {"how": "default"}, "Crawford (crawford) advances."),
        (["advance", "none"], {"how": "standing", "by": [["advance", "any", "able"]]},
         "nobody advances, as the enemy beside the hex is stronger."),
        (["advance", "none"], {"how": "standing", "by": [["advance", "any", "no"]]}, "nobody advances."),
        (["advance", "none"], {"how": "asked"}, "nobody advances."),
        (["evade", "yes"], {"how": "default"},
         "the cavalry goes back, as it has less than half the combat value of who comes up."),
        (["evade", "no"], {"how": "default"},
         "the cavalry stays, as it has half the combat value of who comes up or more."),
        (["evade", "no"], {"how": "default", "adverse": True}, "the cavalry stays."),
    ],
)  # fmt: skip
def test_an_answer_by_default_is_told_with_its_reason(words: list[str], how: dict[str, Any], told: str) -> None:
    step = {"kind": "answer", "side": "union", "words": words, "about": [], **how}
    assert teller().tell(step)[0].partition(": ")[2].endswith(told)


def test_of_an_order_of_which_parts_are_left_out_the_words_are_told_once() -> None:
    order = "activate jackson march winder S0832 march ap-hill S0832"
    drops = [("drop", {"unit": unit, "order": order, "reason": "it is held"}) for unit in ("winder", "ap-hill")]
    assert headline(*drops) == (
        f'Of the order "{order}" the march of Winder (winder) was left out: it is held; the march of A.P. Hill '
        "(ap-hill) was left out: it is held."
    )


def test_a_cycle_that_the_dice_have_ended_is_told_as_that() -> None:
    told, _ = teller().tell({"kind": "tell", "what": "cycle-ends", "facts": {"cycle": 4, "early": True}})
    assert told == "The action cycle ended early, as the dice had it: what was ordered for it still isn't carried out."
    assert tell("cycle-ends", {"cycle": 4}) == "The action cycle ended."
    assert headline(("cycle-ends", {"cycle": 4, "early": True})) == "The action cycle ended early."


def test_a_headline_tells_the_march_before_what_it_took() -> None:
    march = {"unit": "winder", "with": [], "from": "S0833", "path": ["S0832"], "along": "", "left": 0, "short": ""}
    told = headline(("control", {"side": "confederate", "at": "S0832", "unit": "winder"}), ("march", march))
    assert re.fullmatch(r"Winder .* marched from hex S0833 to .*; .* took .*[.]", told), told


def test_a_random_event_has_a_name_where_it_has_no_effect() -> None:
    facts = {"kind": "early", "side": "union"}
    told = headline(("event", {**facts, "dice": [1, 2]}), ("no-arrivals", facts))
    assert told == (
        "Reinforcements of the Union come early by a random event; none were due in the next turn, so that has no "
        "effect."
    )


def test_the_mail_that_shows_the_dice_says_first_what_was_ordered() -> None:
    """The news began with `The march of Ricketts and King: die 6`: that McDowell activated them stood nowhere."""
    scenario = scenario_of("rapidan-to-rappahannock")
    match = Match(scenario, 7)
    match.play("activate mcdowell march ricketts S1518 S1617 march king S1518 S1617;\ndone;\n")
    match.play("done;\n")
    waits = mail_text(mail_data(match.table, scenario, "asuka"))
    assert "McDowell (mcdowell) activated" not in waits, "it is told as an order as long as its dice wait"
    match.due()
    match.play("done;\n")
    news = mail_data(match.table, scenario, "ben")["news"][0]["actions"]
    assert news[0]["items"][0]["told"].startswith("McDowell (mcdowell) activated Ricketts (ricketts)")
    told = " ".join(item["told"] for action in news for item in action["items"])
    assert told.count("activated") == 1


def test_a_rest_that_the_headline_tells_whole_is_not_told_again_with_the_dice() -> None:
    """The long list of who rested came twice, word for word, though what is told whole shouldn't come again."""
    scenario = scenario_of("rapidan-to-rappahannock")
    match = Match(scenario, 7)
    match.play("activate mcdowell march ricketts S1518 S1617 march king S1518 S1617;\ndone;\n")
    match.play("done;\n")
    match.due()
    match.play("done;\n")
    data = report.build(report_input(match.table, scenario, None, 2), direction_of(match.table))
    text = " ".join(report.text(data).split())
    above, full = text.split("THE NEWS IN FULL")
    rest = "Rest of both sides, from fatigue 1 to 0: Ricketts (ricketts)"
    assert (above.count(rest), full.count("Rest of")) == (1, 0)
    assert "King" in full, "marches are told with all their numbers"
    assert "What is told whole above isn't told again." in full
