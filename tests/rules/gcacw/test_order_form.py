"""The order form: units by corps, where they come and whom they attack, leaders, works; true in random games."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

import pytest
from rules.gcacw.conftest import CAMPAIGNS, SCENARIOS
from yardstick import within

from pbem.match.chances import chance_answer
from pbem.match.game import Game
from pbem.rules import rules_of
from pbem.rules.gcacw import actions, leaders, recovery, substitutes, supply
from pbem.rules.gcacw.actions import going_along
from pbem.rules.gcacw.board import DESTROYED, Board
from pbem.rules.gcacw.brought import of_points
from pbem.rules.gcacw.odds import known_courses
from pbem.rules.gcacw.order_form import form
from pbem.rules.gcacw.orders import Activate, Assault, Bridge, Detach, Forage, Grand, March, Merge, Raid, Rail, Strike
from pbem.rules.gcacw.outreach import PAST, End, ends, kinds, marks
from pbem.rules.gcacw.sequence import next_activity
from pbem.rules.gcacw.situation import situation
from pbem.rules.gcacw.state import State
from pbem.rules.gcacw.tables import Allowance
from pbem.rules.requests import Choose, FormEntry

Field = Callable[..., State]
ROAD = {"road": "0101 0201 0301 0401 0501 0601"}
ROW = ". . . . . ."
RULES = rules_of("gcacw")


def decisions(board: Board, seed: int, every: int) -> Iterator[tuple[State, Choose]]:
    """Some decisions of a random game."""
    chance, number = random.Random(seed), 0
    game = Game.new(RULES, board, {}, lambda _: None)
    while (request := game.request) is not None:
        if isinstance(request, Choose):
            if number % every == 0:
                yield game.state, request
            number += 1
            game.apply(request.sample(chance))
        else:
            game.apply(chance_answer(request, chance))


def entries(s: State) -> dict[str, FormEntry]:
    """The entries of an action's form by the first word of their headings."""
    choose = next(iter(_asked(s)))
    return {entry.heading.split()[0]: entry for entry in form(s, choose)}


def _asked(s: State) -> Iterator[Choose]:
    """The question that a side is asked."""
    yield next(request for request in next_activity(s) if isinstance(request, Choose))  # type: ignore[union-attr]


# --- in random games --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [*SCENARIOS, *CAMPAIGNS])
def test_every_unit_is_in_the_form_and_every_order_of_it_is_legal(name: str, board_of: Callable[[str], Board]) -> None:
    board, seen, typed = board_of(name), set[str](), 0
    for s, choose in decisions(board, 3, 9):
        found = list(form(s, choose))
        if choose.reaction:
            continue
        seen.add(choose.kind)
        if choose.kind != "recovery":
            told = " ".join(part for entry in found for part in (entry.heading, *entry.notes))
            for unit in board.of_side[choose.side]:
                assert unit not in s.at or re.search(rf"\b{unit} {re.escape(board.units[unit].name)}", told), unit
        for entry in found:
            for words, _ in entry.orders:
                order = RULES.read_order(board, choose.side, words)
                if RULES.step(order) == STEP_OF.get(choose.kind, 0):
                    assert choose.why_not(order) is None, words
                if words in entry.typed and choose.kind == "action":
                    assert RULES.way(s, choose, entry.typed[words]) == order
                    typed += 1
    assert "action" in seen
    assert typed or name == "stuarts-raid"


STEP_OF = {"attachment": 1, "action": 2, "recovery": 3}
"""Kind of decision -> its step of the turn, of all others the first."""

JUDGES = dict(
    enumerate((leaders.why_not_transfer, substitutes.why_not_merge, actions.why_not, recovery.why_not_entrench))
)
"""Step of a turn -> why an order of it can't be given."""

HEX = r"\b(?:[NS][0-9]{4})\b"


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", [*SCENARIOS, *CAMPAIGNS])
def test_what_a_form_writes_of_whole_groups_of_orders_is_legal(
    name: str, seed: int, board_of: Callable[[str], Board]
) -> None:
    """Each order that its notes stand for, with each place and each unit that they name, as things stand."""
    written: dict[str, int] = {}
    for s, choose in decisions(board_of(name), 10 + seed, 13):
        if choose.reaction:
            continue
        for entry in form(s, choose):
            for note in entry.notes:
                for words in _stood_for(s, note):
                    written[words[0]] = written.get(words[0], 0) + 1
                    order = RULES.way(s, choose, words) or RULES.read_order(s.board, choose.side, words)
                    assert JUDGES[RULES.step(order)](s, choose.side, order) is None, (words, note)
            for words, _ in entry.orders:
                order = RULES.read_order(s.board, choose.side, words)
                if isinstance(order, March | Activate | Rail | Raid | Assault | Grand):
                    assert actions.why_not(s, choose.side, order) is None, words
                elif isinstance(order, Merge):
                    assert substitutes.why_not_merge(s, choose.side, order) is None, words
                elif isinstance(order, Forage):
                    assert supply.why_not(s, choose.side, order) is None, words
                elif isinstance(order, Bridge):
                    assert recovery.why_not_bridge(s, choose.side, order) is None, words
    assert written["march"]
    assert name == "stuarts-raid" or {"activate", "entrench"} <= {*written}


def _stood_for(s: State, note: str) -> Iterator[tuple[str, ...]]:
    """The orders for which a note stands."""
    for unit, told in re.findall(r"`march (\S+) to HEX`, [^:]*: (.*)", note):
        for at in re.findall(HEX, told):
            yield "march", unit, "to", at
    for written in re.findall(r"`(march \S+ to [NS0-9]+ attack [NS0-9]+)`", note):
        yield (*written.split(),)
    for leader, told in re.findall(r"`transfer (\S+) U` to (.*)", note):
        for unit in re.findall(rf"(\S+) at {HEX}", told):
            yield "transfer", leader, unit
    for told in re.findall(r"`entrench U` to [^:]*: (.*)", note):
        for unit in told.split(", "):
            yield "entrench", unit
    for leader in re.findall(r"`activate (\S+) march U", note):
        here, *hops = note.split("; `hop ")
        yield from _led_by(s, ("activate", leader), here.rpartition(": ")[2])
        for hop in hops:
            units, _, told = hop.partition("` first: ")
            for unit in units.split(" or "):
                yield from _led_by(s, ("activate", leader, "hop", unit), told)


def _led_by(s: State, words: tuple[str, ...], told: str) -> Iterator[tuple[str, ...]]:
    """Each unit that a leader activates, alone to a hex beside it, and all of them together."""
    several = re.findall(r" \(one of ([^)]*) `with (\S+)`, if all march\)", told)
    listed = [one.split() for one in re.sub(r" \([^)]*\)", "", told).split(", ")]
    side = s.board.units[listed[0][0]].side
    first = {unit: [one.path[0] for one in actions.marches(s, side, unit, 4) if one.path][:1] for unit, *_ in listed}
    marches = {unit: ["march", unit, *along, s.board.label[first[unit][0]]] for unit, *along in listed if first[unit]}
    for march in marches.values():
        yield (*words, *march)
    if len(marches) == len(listed) > 1:
        for units, leader in several:
            march = marches[units.split(" and ")[-1]]
            march[-1:-1] = [leader] if "with" in march else ["with", leader]
        yield (*words, *(word for march in marches.values() for word in march))


@pytest.mark.parametrize("name", SCENARIOS)
def test_the_places_of_a_unit_are_those_that_its_march_comes_to(name: str, board_of: Callable[[str], Board]) -> None:
    """Of a random end in reach: what is sure comes in every course, the share of all others is that of their points."""
    chance, checked = random.Random(5), 0
    for s, choose in decisions(board_of(name), 4, 40):
        if choose.kind != "action":
            continue
        for unit in s.own(choose.side):
            allowance = s.board.tables.march[choose.side, s.board.units[unit].branch]
            found = ends(s, unit, allowance)
            if not found:
                continue
            end = chance.choice(found)
            if PAST in marks(s, unit, end.path):
                continue
            order = March(unit, end.path, going_along(s, unit))
            assert choose.why_not(order) is None
            courses = known_courses(s, order)
            assert courses is not None
            arrives = sum(c.share for c in courses if any(not f["short"] for f in c.facts("march")))
            lost = sum(c.share for c in courses if not c.facts("march"))
            assert arrives >= _share(allowance, end) - lost
            assert arrives <= _share(allowance, end)
            checked += 1
    assert checked


def _share(allowance: Allowance, end: End) -> Fraction:
    """How likely dice bring so many points as a way costs."""
    return sum((share for points, share in of_points(allowance).items() if 2 * points >= end.points), Fraction(0))


@pytest.mark.parametrize("name", SCENARIOS)
def test_a_form_takes_a_second_at_most(name: str, board_of: Callable[[str], Board]) -> None:
    """With all odds that the page of a form asks for, from positions without anything worked out before."""
    for s, choose in decisions(board_of(name), 0, 60):
        fresh = RULES.copy(s)
        fresh.memo.clear()
        with within(60):
            for entry in form(fresh, choose):
                for words, note in entry.orders:
                    if note:
                        RULES.tell_odds(fresh, choose.side, RULES.read_order(s.board, choose.side, words))


# --- what it says -----------------------------------------------------------------------------------------------------


def test_a_unit_is_told_where_it_comes_for_sure_on_average_and_at_best(field: Field) -> None:
    places = {"Alder": "0201", "Birch": "0401", "Cedar": "0601"}
    s = field(ROW, {"hood": "0101 8"}, roads=ROAD, places=places, choice="confederate")
    entry = entries(s)["hood"]
    assert entry.heading == "hood Hood: value 8, fatigue 0, division, at 0101"
    assert entry.notes == (
        "`march hood to HEX`, 1d6+1 points, 2 to 7: for sure (2) 0201 Alder (1); on average (4 1/2) 0401 Birch (3); "
        "at best (7) 0601 Cedar (5)",
    )


def test_what_is_so_of_another_unit_is_told_once(field: Field) -> None:
    s = field(ROW, {"hood": "0101 8", "kemper": "0101 6"}, roads=ROAD, places={"Alder": "0201"}, choice="confederate")
    found = entries(s)
    assert found["hood"].notes[0].startswith("`march hood to HEX`, 1d6+1 points")
    assert found["kemper"].notes == ("`march kemper to HEX` comes to the same places for the same points as hood",)


def test_crossings_and_zones_stand_behind_a_place(field: Field) -> None:
    places = {"Alder": "0201", "Birch": "0301"}
    roads, sides = {"road": "0101 0201", "ford": "0101 0201"}, {"minor_river": "0101/0201"}
    s = field(ROW, {"hood": "0101 8", "king": "0401 8"}, roads=roads, sides=sides, places=places, choice="confederate")
    (told,) = (note for note in entries(s)["hood"].notes if "HEX" in note)
    assert "0201 Alder (2, by ford)" in told
    assert "0301 Birch (5, by ford, in a zone of control)" in told


@pytest.mark.clause("std-4.0-6", "std-5.1-5")
def test_who_cannot_act_is_told_with_the_reason(field: Field) -> None:
    units = {"hood": "0101 8 F4", "kemper": "0101 8 F4", "wilcox": "0101 8 F2", "longstreet": "0101"}
    found = entries(field(ROW, units, roads=ROAD, choice="confederate"))
    assert "hood" not in found
    told = found["Longstreet's"].notes
    assert "fatigue 4" in told[-1]
    assert told[-1].endswith("each is at fatigue 4, and can't act [std-4.0-6]")
    assert found["wilcox"].notes[0] == "its march is an extended one, to fatigue 3 [std-5.1-5]"
    assert told[0].startswith("longstreet Longstreet, leader, at 0101: `activate longstreet march U ... march U ...`")
    assert told[0].endswith(": wilcox")


@pytest.mark.clause("std-2.5-1", "std-5.2-6")
def test_a_leader_is_told_with_his_radius_and_his_hops(field: Field) -> None:
    row = ". . . . . . . ."
    units = {"longstreet": "0101", "hood": "0101 8", "kemper": "0401 8", "wilcox": "0801 8"}
    told = entries(field(row, units, choice="confederate"))["Longstreet's"].notes[0]
    assert ": hood with longstreet, kemper" in told
    assert "`hop kemper` first" not in told, "it adds nobody"
    assert told.endswith("`hop wilcox` first: wilcox with longstreet")


@pytest.mark.clause("std-6.3-1", "13.3-sp2a")
def test_a_leader_goes_along_with_whom_he_activates_where_he_would_be_left_alone(campaign: Field, field: Field) -> None:
    told = entries(campaign("stuarts-raid", turn=1, choice="confederate"))["Cavalry"].notes[0]
    assert told.endswith("`activate stuart march U ... march U ...`, 2d6+2 points, 4 to 14: f-lee with stuart")
    units = {
        "longstreet": "0101",
        "hood": "0101 8",
        "kemper": "0101 8",
        "wilcox": "0201 8",
        "lee": "0301",
        "evans": "0301 5",
    }
    told = entries(field(ROW, units, choice="confederate"))["Longstreet's"].notes[0]
    assert told.endswith(
        "3 to 8: hood, kemper, wilcox, evans with lee (one of hood and kemper `with longstreet`, if all march)"
    )


@pytest.mark.clause("13.3-sp6")
@pytest.mark.parametrize(("name", "told"), [("stuarts-raid", False), ("cedar-mountain", True)])
def test_works_are_spoken_of_where_there_are_any(campaign: Field, name: str, told: bool) -> None:
    s = campaign(name, turn=2, choice="confederate")
    text = " ".join(note for entry in form(s, next(_asked(s))) for note in entry.notes)
    assert ("works" in text) == ("entrench U" in text) == told


@pytest.mark.clause("13.1-sp1a", "13.3-sp3")
@pytest.mark.parametrize(("turn", "told"), [(1, "activates nobody from here"), (2, "f-lee with stuart")])
def test_who_may_not_march_so_tired_is_activated_by_nobody(campaign: Field, turn: int, told: str) -> None:
    s = campaign("stuarts-raid", {"f-lee": "S1913 3 F2"}, turn=turn, choice="confederate")
    found = entries(s)
    assert found["Cavalry"].notes[0].endswith(told)
    refused = "F. Lee makes no extended march in turn 1 [13.3-sp3]"
    assert (found["f-lee"].notes == (refused,)) == (turn == 1)


@pytest.mark.clause("std-7.1-2")
def test_attacks_from_the_hex_and_after_a_march(field: Field) -> None:
    units = {"hood": "0101 8", "king": "0201 4", "kemper": "0102 8", "ricketts": "0501 4"}
    found = entries(field(f"{ROW}\n{ROW}", units, roads=ROAD, choice="confederate"))
    ((words, note), *_) = found["hood"].orders
    assert words == ("march", "hood", "attack", "0201")
    assert note.startswith("king, value 4; 1d6+1 points, 2 to 7: attack prepared 66.7 %"), "whom it attacks"
    assert any(words[-1] == "0201" for words, _ in found["kemper"].orders)
    s = field(ROW, {"hood": "0101 8"})
    assert kinds(s, "hood", Allowance(1, 0), 6) == "normal 33 %, hasty 17 %, column 17 %, none 33 %"
    assert kinds(s, "hood", Allowance(1, 0), 10) == "hasty 17 %, column 17 %, none 67 %"
    assert kinds(s, "hood", Allowance(1, 0), 12) == "column 17 %, none 83 %"
    assert kinds(s, "hood", Allowance(1, 0), 14) == ""
    s = field(ROW, {"f-lee": "0101 3"})
    assert kinds(s, "f-lee", Allowance(1, 0), 6) == "hasty 33 %, column 33 %, none 33 %"


def test_assaults_of_a_leader_are_told_with_their_numbers(field: Field) -> None:
    units = {"jackson": "0201", "ap-hill": "0201 10", "winder": "0201 4", "king": "0301 6"}
    entry = entries(field(ROW, units, roads=ROAD, choice="confederate"))["Jackson's"]
    ((words, note),) = entry.orders
    assert words == ("assault", "jackson", "at", "0301", "by", "ap-hill", "winder")
    assert note.startswith("king, value 6; assault number 6: comes about for sure; enemy ")


@pytest.mark.clause("std-5.4-1")
def test_the_stations_that_can_be_raided_are_told_and_why_no_other_can(campaign: Field) -> None:
    """Of stations that only feed nothing was said, in a refusal that there is none."""
    s = campaign("rapidan-to-manassas", {"hood": "S1916 8", "kemper": "S1418 8"}, turn=4, choice="confederate")
    s.station[s.board.parse("S1418")] = DESTROYED
    found = entries(s)
    (told,) = [note for note in _plan_of(s) if note.startswith("`raid U`")]
    assert "S1418 Culpeper (destroyed), S2414 Rappahannock Station," in told
    assert "Brandy" not in told
    assert any(
        "no `raid`: S1916 Brandy Station can't be raided: only stations that the rulebook names can [std-5.4-1]" in note
        for note in found["hood"].notes
    )
    assert "no `raid`: the station of S1418 Culpeper is destroyed [std-5.4-1]" in found["kemper"].notes
    assert not any(note.startswith("`raid U`") for note in _plan_of(campaign("lee-vs-pope", choice="union")))


def _plan_of(s: State) -> tuple[str, ...]:
    """The notes at the head of a form."""
    return next(iter(form(s, next(_asked(s))))).notes


def test_the_plan_of_a_turn_and_works_are_told(field: Field) -> None:
    s = field(ROW, {"hood": "0101 8", "longstreet": "0101", "kemper": "0501 8"}, choice="confederate")
    found = list(form(s, next(_asked(s))))
    assert found[0].heading == "The turn in one mail"
    text = " ".join(found[0].notes)
    for word in ("`pass`", "`done`", "`stop if short U`", "`stop whenever near U 2`", "`row SIDE N`", "column 0 (-3)"):
        assert word in text
    assert "column 0 (-3), hasty 1, of cavalry 2 (-1), normal 2, of cavalry 4 (+0), prepared 4 (+1)" in text
    assert "`stop if not fought HEX` behind a march that attacks" in text
    works = next(entry for entry in found if entry.heading.startswith("Works"))
    assert works.notes == ("`entrench U` to breastworks begun: hood, kemper",)
    assert found[-1].orders[-1][0] == ("done",)


@pytest.mark.parametrize(
    ("phase", "said"),
    [
        ("confederate-transfer", "transfers, actions and works may stand in one mail"),
        ("cycle", "actions and works may stand in one mail"),
        ("confederate-recovery", "all works may stand in one mail"),
    ],
)
def test_what_one_mail_can_still_have_is_told_as_the_turn_goes(field: Field, phase: str, said: str) -> None:
    """In recovery the form said that transfers and actions may stand in the mail, and how a march is stopped."""
    units = {"hood": "0101 8", "longstreet": "0101", "kemper": "0501 8"}
    s = field(ROW, units, roads=ROAD, **({"choice": "confederate"} if phase == "cycle" else {"phase": phase}))
    notes = next(iter(form(s, next(_asked(s))))).notes
    assert notes[0].startswith(said)
    assert any("`activate LEADER`" in note for note in notes) == (phase != "confederate-recovery")
    assert any("`stop if short U`" in note for note in notes) == (phase != "confederate-recovery")
    assert notes[-1].startswith("tests of these rules")


@pytest.mark.clause("std-3.0-2")
def test_transfers_and_the_actions_behind_them_are_in_one_form(field: Field) -> None:
    units = {"hood": "0101 8", "longstreet": "0101", "kemper": "0501 8"}
    s = field(ROW, units, roads=ROAD, phase="confederate-transfer")
    found = {entry.heading: entry for entry in form(s, next(_asked(s)))}
    (note,) = found["Leader transfers, once each in a turn"].notes
    assert note == "longstreet Longstreet, leader, at 0101: `transfer longstreet U` to kemper at 0501"
    assert any(heading.startswith("hood Hood") for heading in found)


def test_a_question_is_told_with_its_answers(field: Field) -> None:
    """Cavalry before infantry: that which the rules would choose first."""
    s = field(f"{ROW}\n{ROW}", {"hood": "0101 18", "bayard": "0201 1"}, roads=ROAD, choice="confederate")
    activity: Any = actions.carry_out(s, "", March("hood", (), strike=Strike(s.board.parse("0201"))))
    request, answer = None, None
    while not isinstance(request, Choose):
        request = activity.send(answer)
        answer = (6,) if type(request).__name__ == "Roll" else None
    (entry,) = form(s, request)
    assert [(words, note) for words, note in entry.orders] == [
        (("evade", "yes"), "as the rules would choose"), (("evade", "no"), "")
    ]  # fmt: skip
    assert entry.notes == ("bayard Bayard: value 1, fatigue 0, cavalry, at 0201 in a zone of control",)


# --- the advanced game ------------------------------------------------------------------------------------------------


LONG = CAMPAIGNS[1]


def campaign_form(s: State) -> dict[str, FormEntry]:
    """The entries of a form in a campaign by their headings, up to a comma."""
    choose = next(iter(_asked(s)))
    return {entry.heading.partition(",")[0].partition(":")[0]: entry for entry in form(s, choose)}


def test_reinforcements_can_be_placed_or_put_off(campaign: Field) -> None:
    s = campaign(LONG, turn=7, phase="union-reinforcements")
    (entry,) = [one for head, one in _headed(s).items() if "hooker" in head]
    assert [words[0] for words, _ in entry.orders] == ["place", "put-off"]
    assert entry.orders[1][1].startswith("in turn 8 at N5819 6-Mile Post")
    s.turn = s.due["hooker"] = s.board.turns  # a turn later there is none
    (entry,) = [one for head, one in _headed(s).items() if "hooker" in head]
    assert {words[0] for words, _ in entry.orders} == {"place"}


def _headed(s: State) -> dict[str, FormEntry]:
    return {entry.heading: entry for entry in form(s, next(iter(_asked(s))))}


def test_mergings_are_told_with_the_manpower_of_both(campaign: Field) -> None:
    s = campaign(LONG, {"griffin": "S5021"}, turn=5, phase="union-attachment")
    entry = campaign_form(s)["Mergings"]
    assert ("merge", "griffin", "into", "morell") in [words for words, _ in entry.orders]
    told = dict(entry.orders)["merge", "griffin", "into", "morell"]
    assert told == f"manpower {s.manpower['morell']} and {s.manpower['griffin']}, for good"


def test_substitutes_that_are_free_are_told_with_their_limits(campaign: Field) -> None:
    s = campaign(LONG, turn=5, choice="confederate")
    notes = campaign_form(s)["Substitutes"].notes
    assert notes[1] == "infantry: csa-sub-1, csa-sub-2, csa-sub-3, 9 manpower at most each"
    [*_] = substitutes.detach(s, "ap-hill", Detach("csa-sub-2", 4), fatigue=0)
    assert campaign_form(s)["Substitutes"].notes[1].startswith("infantry: csa-sub-1, csa-sub-3, 9")


@pytest.mark.clause("21.1-8")
def test_a_substitute_stands_with_the_corps_of_its_unit_as_in_reports(campaign: Field) -> None:
    """It stood with the army, behind all corps."""
    s = campaign("rapidan-to-manassas", turn=4, choice="union")
    [*_] = substitutes.detach(s, "king", Detach("union-sub-1", 2), fatigue=0)
    corps = {unit["id"]: unit["formation"] for unit in situation(s)["units"]}
    told = [head.split()[0] for head in campaign_form(s)]
    inside = [unit for unit in told if corps.get(unit) == corps["king"]]
    assert "union-sub-1" in inside
    assert inside == told[told.index(inside[0]) :][: len(inside)]


def test_who_can_forage_is_told_with_its_chance(campaign: Field) -> None:
    s = campaign(LONG, {"hood": "N5017"}, turn=7, choice="confederate")
    assert "Foraging at the end of the turn" not in campaign_form(s)
    s.hungry |= {"hood", "kemper"}
    s.fatigue |= {"hood": 1, "kemper": 3}
    assert campaign_form(s)["Foraging at the end of the turn"].orders == (
        (("forage", "hood"), "in supply 33.3 %, nothing found 66.7 %"),  # 20.4-5: 3 in Fairfax
    )


def test_a_form_in_paralysis_tells_the_points_that_are_left(campaign: Field) -> None:
    s = campaign(LONG, turn=5, choice="confederate")
    s.paralysed.add("confederate")
    told = " ".join(note for entry in form(s, next(iter(_asked(s)))) for note in entry.notes)
    assert "1d6+1-2 points, 1 to 5" in told
    assert "1d6+1 points" not in told


@pytest.mark.clause("14.0-rain-now", "14.0-par1", "18.0-3")
@pytest.mark.parametrize("phase", ["cycle", "union-recovery"])
def test_a_form_says_first_that_it_rains_and_who_is_paralysed_or_in_panic(campaign: Field, phase: str) -> None:
    s = campaign(LONG, turn=5, phase=phase, **({"choice": "union"} if phase == "cycle" else {}))
    dry = _plan_of(s)
    s.weather(5)
    s.paralysed.add("confederate")
    s.panic = 4
    added = _plan_of(s)[: -len(dry)]
    assert added[0] == "it rains in this turn [14.0-rain-now]"
    assert added[1].startswith("Confederates: the command is paralysed in this turn; ")
    assert added[2].startswith("Union: in panic to the end of turn 5; ")


def test_who_stands_at_the_pontoon_bridge_may_take_it_away(campaign: Field) -> None:
    s = campaign(LONG, {"ricketts": "S4427"}, turn=5, choice="union")
    told = [note for note in _headed(s)[_heading(s, "ricketts")].notes if "unbridge" in note]
    assert told == [
        "`march ricketts unbridge S4427 S4328`: takes the bridge to S4328 Fredericksburg away; so may a march that "
        "comes there"
    ]


def _heading(s: State, unit: str) -> str:
    return next(head for head in _headed(s) if head.startswith(f"{unit} "))
