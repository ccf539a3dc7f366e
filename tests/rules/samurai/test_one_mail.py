"""A whole turn in one entry: orders of all steps, conditions behind dice, what is cut short, what is refused before."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable
from fractions import Fraction
from hashlib import sha256
from math import comb
from typing import Any

import pytest
from matches import Match
from rules.samurai.small_table import put, scenario_data

from pbem.errors import OrderError
from pbem.match import prospects
from pbem.match.certain import _certain as certain
from pbem.match.check import check
from pbem.match.comes import Comes
from pbem.match.course import Step
from pbem.match.exact import results
from pbem.match.faults import line_of
from pbem.match.form import form
from pbem.match.judged import judged, wrong
from pbem.match.orders import StopIf, read_parts
from pbem.match.prospects import Lapse, Stop
from pbem.match.remarks import _held as held
from pbem.match.remarks import of_orders
from pbem.match.table import Table
from pbem.report.odds import chances
from pbem.report.ordered import came_words
from pbem.report.telling import describe
from pbem.rules import samurai
from pbem.rules.requests import Choose, Draw, Roll
from pbem.scenario import Scenario
from pbem.wire.orderfile import parse_statements
from pbem.words import per_cent

RED = "asuka"


def begun(units: dict[str, str], broken: int = 100, **more: Any) -> Table:
    """A game by mail with these units on the table, at the beginning of Red's first turn."""
    data = scenario_data(units, broken=broken, **more)
    digest = sha256(repr(data).encode()).hexdigest()
    table = Match(Scenario("field", "samurai", "samurai/1", "A Field", data, digest), 1).table
    s = table.game.state
    for unit, text in units.items():
        put(s, unit, text)
    s.phase, s.opened, s.step = 2, True, "fire"
    table.course.game = type(table.game)(samurai, table.board, s, table.course._hear)
    table.course.resolve()
    return table


def play(table: Table, text: str, dice: Iterable[int]) -> list[Step]:
    """What happens when Red sends this entry, and these dice fall."""
    left = deque(dice)
    parts = check(table, RED, text, runs=0)
    assert parts.errors == []
    table.course.chancer = lambda request: (left.popleft(),)
    before = len(table.course.steps)
    table.course.decided = (3, b"")
    table.course.play("red", parts.parts, reaction=False)
    table.course.resolve()
    assert not left
    return table.course.steps[before:]


def told(steps: list[Step]) -> list[str]:
    """The names of what was told, but for losses."""
    return [step["what"] for step in steps if step["kind"] == "tell" and step["what"] not in ("loss", "phase")]


UNITS = {"bw-1": "10 10 north", "ro-1": "16 14 north", "sp-1": "22 10 north", "sp-13": "10 16 south",
         "ro-12": "16 18 south", "sp-14": "30 36 south"}  # fmt: skip


def test_one_entry_has_the_orders_of_all_steps() -> None:
    table = begun(UNITS)
    steps = play(table, "attack ro-1 at ro-12; move ro-1 7; fire bw-1 at sp-13; move sp-1 3; done;", [1, 1, 1, 1, 1, 1])
    assert told(steps) == ["declare", "fire", "move", "move", "attack"]
    assert isinstance(table.game.request, Choose)
    assert table.game.request.side == "black"


LED = {"bw-1": "20 10 north", "sp-11": "20 14 south 1", "sw-1": "20 10 north abreast", "dm-1": "23.5 10 north",
       "sp-14": "30 36 south"}  # fmt: skip


@pytest.mark.clause("daimyos.1")
def test_where_dice_part_a_daimyo_from_his_unit_all_is_done_as_it_was_ordered() -> None:
    """He has gone ahead to where his unit would come, had the enemy before it been killed (R145)."""
    text = "fire bw-1 at sp-11; move dm-1 to 23.5 16; move sw-1 6; done;"
    units = {**LED, "bw-1": "14 10 north-east"}
    for dice, y, parted in [([12, 1, 1], 1600, False), ([1, 1, 1], 1300, True)]:
        table = begun(units)
        steps = play(table, text, dice)
        assert (table.game.state.at["dm-1"].y, table.game.state.at["sw-1"].y) == (1600, y)
        parts = [step["facts"]["part"] for step in steps if step.get("what") == "drop"]
        assert parts == parted * ["a daimyo for sw-1"], "once, though the move of sw-1 doesn't join them either"
        assert not any(step["kind"] == "lapse" for step in steps)


def test_of_whom_dice_part_check_tells_once_at_the_order_that_does() -> None:
    """What comes behind it is all right: others who move, and others who leave their daimyo and are followed; or are
    not, whatever the dice."""
    units = {**LED, "bw-1": "14 10 north-east", "sp-1": "40 10 north", "sw-2": "50 10 north abreast",
             "dm-2": "50 9 north"}  # fmt: skip
    text = "fire bw-1 at sp-11;\nmove dm-1 to 23.5 16;\nmove sw-1 6;\nmove sp-1 2;\nmove sw-2 2;\nfollow dm-2 sw-2;"
    found = check(begun(units), RED, text)
    assert not found.errors
    assert [(lapse.line, lapse.without) for lapse in found.lapses] == [(2, "a daimyo for sw-1")]
    worse = check(begun(units), RED, text.replace("follow dm-2 sw-2", "move dm-2 to 55 3"))
    assert [(line_of(error), error.hint) for error in worse.errors] == [
        (6, "see to a daimyo for sw-2, or leave this out")
    ]


def test_it_is_told_where_a_move_ends_and_on_which_side_an_attack_falls() -> None:
    """As shares of the futures where dice decide it."""
    units = {**LED, "bw-1": "14 10 north-east", "ro-1": "40 14 north", "ro-12": "40 18 west"}
    text = "fire bw-1 at sp-11; move sw-1 6; follow dm-1 sw-1; move ro-1 right 1; attack ro-1 any; done;"
    found = {words[:2]: came for _, words, came in check(begun(units), RED, text.replace("right 1", "7")).comes}
    assert came_words(found["move", "ro-1"]) == (
        "ending in the centre third, 16 inches from the Red edge (40 16), facing north, touching ro-12"
    )
    assert came_words(found["attack", "ro-1"]).startswith("on the flank: 3 dice, 8+: none ")
    way = came_words(found["move", "sw-1"])
    assert way.startswith("of 100 futures played out: in 8")
    assert re.search(r"in 1[0-9] ending in the left third, 13 inches [^;]+, facing north, touching sp-11$", way)
    assert way.count(" ending in ") == 2
    assert came_words(found["follow", "dm-1"]).count(", touching sw-1") == 2
    found = {words[:2]: came for _, words, came in check(begun(units), RED, "move ro-1 right 1; done;").comes}
    assert came_words(found["move", "ro-1"]).endswith("(40.7 14.7), facing north-east")


@pytest.mark.parametrize(("at", "ends"), [
    ("40 16 south", "(40 15), facing north, touching ro-12, where they stood: they touch ro-12 already"),
    ("40 16.03 south", "(40 15.03), facing north, touching ro-12"),
])  # fmt: skip
def test_of_a_move_that_goes_nowhere_it_is_told_that_they_stay(at: str, ends: str) -> None:
    """It is a charge of no length (R138)."""
    table = begun({"ro-1": "40 15 north", "ro-12": at})
    found = {words: came for _, words, came in check(table, RED, "move ro-1 7; done;").comes}
    said = came_words(found["move", "ro-1", "7"])
    assert said.startswith("ending in the centre third, ")
    assert said.endswith(f" {ends}")


def test_what_stands_behind_a_refused_move_is_judged_as_if_it_werent_given() -> None:
    units = {"sp-1": "22 10 north", "ro-1": "22 14 north", "sp-14": "30 36 south"}
    found = check(begun(units), RED, "move sp-1 5;\nback sp-1 2;\nmove sp-1 3;\ndone;")
    assert [(line_of(error), error.what.partition(": ")[0]) for error in found.errors] == [
        (1, "`move sp-1 5`"),
        (3, "`move sp-1 3`"),
    ]
    assert "have moved" in found.errors[1].what


@pytest.mark.parametrize(("order", "why"), [
    ("move sp-1 7", ""),
    ("move sp-1 7.01", "sp-1 Unit sp-1 go 7 inches at most"),
    ("back sp-1 3.5", ""),
    ("back sp-1 3.51", "sp-1 Unit sp-1 go 3.5 inches back at most"),
    ("move sp-1 left 3 right", "sp-1 Unit sp-1 may turn before they move or after, not both"),
    ("follow sp-1 ro-1", "sp-1 Unit sp-1 are no daimyo: they move straight, `move U INCHES`"),
])  # fmt: skip
def test_a_move_that_its_unit_never_makes_is_no_plan(order: str, why: str) -> None:
    table = begun({"sp-1": "22 10 north", "ro-1": "32 14 north", "sp-14": "30 36 south"})
    words = samurai.read_order(table.board, "red", tuple(order.split()))
    refusal = samurai.why_never(table.game.state, "red", "red-turn", words)
    assert (refusal.reason if refusal is not None else "") == why


@pytest.mark.clause("daimyos.1")
def test_who_parts_them_whatever_the_dice_may_not_sign_it() -> None:
    found = check(begun({**LED, "bw-1": "14 10 north-east"}), RED, "fire bw-1 at sp-11; move dm-1 to 30 9; done;")
    (error,) = found.errors
    assert error.what.startswith("`move dm-1 to 30 9`: sw-1 Unit sw-1 would be left without ")


@pytest.mark.parametrize(("dice", "length"), [([12, 12, 1, 1], 700), ([1, 1, 1], 200)])
def test_conditions_are_tested_behind_the_dice(dice: list[int], length: int) -> None:
    """Fire is resolved before the first test of an order behind it, by whatever its outcome is."""
    table = begun(UNITS)
    play(
        table,
        "fire bw-1 at sp-13; if is sp-13 half then move sp-1 7; if not is sp-13 half then move sp-1 2; done;",
        dice,
    )
    assert table.game.state.at["sp-1"].y == 1000 + length


def test_a_stop_behind_fire_waits_for_its_dice() -> None:
    table = begun(UNITS)
    steps = play(table, "fire bw-1 at sp-13; stop if alive sp-13; move sp-1 7; done;", [1, 1, 1])
    assert told(steps) == ["declare", "fire"]
    (stop,) = [step for step in steps if step["kind"] == "stop"]
    assert stop["reason"] == "a stop condition holds"
    said = describe(stop, samurai.situation(table.game.state))
    assert said == "The rest of the orders of Red was dropped, as Unit sp-13 (sp-13) are alive."
    request = table.game.request
    assert isinstance(request, Choose)
    assert (request.side, request.kind) == ("red", "move")
    table = begun(UNITS)
    steps = play(table, "stop if gone sp-13; fire bw-1 at sp-13; done;", [1, 1, 1])  # before it nothing is awaited
    assert told(steps) == ["declare", "fire"]


@pytest.mark.parametrize(("attacks", "told"), [
    ("attack ro-1 at ro-12;\nattack sp-1 at sp-15",
     "is never reached: all that is asked is over before it"),
    ("attack ro-1 at ro-12", "holds in none of 100 futures: in one of them, for instance, sp-1 is at 30-14"),
])  # fmt: skip
def test_of_a_stop_that_no_turn_reaches_it_is_told(attacks: str, told: str) -> None:
    """Behind the last attack that can be, the turn is over."""
    units = {"ro-1": "16 14 north", "ro-12": "16 15 south", "sp-1": "30 14 north", "sp-15": "30 15 south"}
    remarks = check(begun(units), RED, f"{attacks};\nstop if gone sp-1;\ndone;").remarks
    assert [remark.partition("` ")[2] for remark in remarks if "`stop if" in remark] == [told]


def test_of_a_stop_behind_strict_it_is_told_that_an_order_lapses_before_it() -> None:
    for cut, told in [
        ("an order lapsed under `strict`", "an order lapses before it, which is a stop under `strict`"),
        ("", "all that is asked is over before it"),
    ]:
        assert held(Stop(4, StopIf(()), 0, 0, frozenset({cut})), 100) == f"is never reached: {told}"


@pytest.mark.parametrize(("text", "right"), [
    ("move ro-1 left", "`move ro-1 left` has no inches; write `turn ro-1 left`, or how far behind it"),
    ("back ro-1 right", "`back ro-1 right` has no inches; write `turn ro-1 right`, or how far behind it"),
])  # fmt: skip
def test_who_only_turns_is_told_how(text: str, right: str) -> None:
    table = begun({"ro-1": "16 14 north", "ro-12": "60 40 south"})
    assert [str(error) for error in check(table, RED, text).errors] == [f"line 1: {right}"]
    assert not check(table, RED, text.replace("move", "turn").replace("back", "turn")).errors


def test_fire_is_resolved_at_the_end_of_an_entry() -> None:
    """All that an entry declares; more can't be declared behind its dice."""
    table = begun(UNITS)
    steps = play(table, "fire bw-1 at sp-13;", [1, 1, 1])
    assert told(steps) == ["declare", "fire"]
    request = table.game.request
    assert isinstance(request, Choose)
    assert request.kind == "move"


def test_an_entry_without_fire_waits_for_none() -> None:
    table = begun(UNITS)
    play(table, "move sp-1 3;", [])
    request = table.game.request
    assert isinstance(request, Choose)
    assert (request.side, request.kind) == ("red", "move")
    assert check(table, RED, "fire bw-1 at sp-13;", runs=0).errors != []


def test_a_move_that_dice_have_spoilt_goes_as_far_as_it_can() -> None:
    """The enemy before whom it would have ended is gone; behind him stands a friend."""
    units = {
        "bw-1": "10 10 north-east",
        "sp-1": "16 12 north",
        "ro-12": "16 14 south",
        "sp-2": "16 17 north",
        "sp-14": "30 36 south",
    }
    table = begun(units)
    table.game.state.leave("ro-12", (1,))
    steps = play(table, "fire bw-1 at ro-12; move sp-1 7; done;", [12, 12, 12])
    assert told(steps) == ["declare", "fire", "remove", "drop", "move"]
    (lost,) = prospects.lost(steps)
    assert (lost.words, lost.without, lost.clause) == (("move sp-1 7",), "the rest of their way", "movement.1")
    assert str(lost).startswith("line 1: `move sp-1 7` stops short in 100 % of the futures")
    assert table.game.state.at["sp-1"].y == 1600
    assert check(begun(units), RED, "move sp-1 7; done;", runs=0).errors == []  # a charge


def test_a_unit_whose_first_turn_is_spoilt_stays_where_it_is() -> None:
    """An enemy has fled to where its corner would swing: else it would go straight, where nobody sent it."""
    units = {"bw-1": "10 10 north", "ro-12": "10 15 south-west 2", "sp-1": "14.9 22 north", "sp-14": "30 36 south"}
    for orders in ("turn sp-1 left; move sp-1 4;", "move sp-1 left 4;"):
        table = begun(units)
        steps = play(table, f"fire bw-1 at ro-12; {orders} done;", [12, 1, 1, 12])
        assert told(steps)[:7] == ["declare", "fire", "check", "rout", "flee", "drop", "move"]
        assert next(prospects.lost(steps)).without == "their turn and their way"
        assert table.game.state.at["sp-1"] == table.game.state.size("sp-1").at(1490, 2200, 0)


def test_a_unit_of_two_stands_is_not_left_behind_by_orders() -> None:
    table = begun({"sw-1": "10 10 north abreast", "dm-1": "10 9 north", "sp-1": "22 10 north", "sp-14": "30 36 south"})
    for orders in ("move sw-1 6; done;", "move sw-1 6; attack sw-1 any;"):
        (error,) = check(table, RED, orders, runs=0).errors[:1]
        assert "without the daimyo" in error.what
    assert check(table, RED, "move sw-1 6; follow dm-1 sw-1; done;", runs=0).errors == []


ALONE = "sw-1 Unit sw-1 would be left without the daimyo that their two stands need"


@pytest.mark.parametrize(("text", "told"), [
    ("move sw-1 3;\nclose move;\ndone;", [(2, f"`close move`: {ALONE}")]),
    ("move sw-1 3;\nclose move;\nattack ro-1 any;\ndone;", [(2, f"`close move`: {ALONE}")]),
    ("move sw-1 3;\nattack ro-1 any;\ndone;",
     [(2, f"`attack ro-1 any` ends the step first, by `close move`: {ALONE}")]),
    ("move sw-1 3;\nfollow dm-1 sw-1;\nclose move;\nattack ro-1 any;\ndone;", []),
])  # fmt: skip
def test_the_end_of_a_step_is_refused_once(text: str, told: list[tuple[int, str]]) -> None:
    """A daimyo is left behind; whether the step's end is ordered or comes of itself, one line tells it."""
    units = {"sw-1": "36 10 north abreast", "dm-1": "36 9 north", "ro-1": "10 12 north", "ro-11": "10 13 south"}
    checked = check(begun(units), RED, text)
    assert [(line_of(error), error.what) for error in checked.errors] == told
    assert checked.lapses == []


def test_a_move_that_is_cut_short_for_sure_is_refused_as_it_was_written() -> None:
    table = begun({"sp-1": "16 12 north", "sp-2": "16 17 north", "sp-14": "30 36 south"})
    (error,) = check(table, RED, "move sp-1 7; done;", runs=0).errors
    assert error.what == "`move sp-1 7`: sp-1 Unit sp-1 come 4 inches far: they meet sp-2 Unit sp-2"


def test_behind_dice_that_change_nothing_it_is_refused_alike() -> None:
    units = {"sp-1": "16 12 north", "sp-2": "16 17 north", "bw-1": "40 10 north", "sp-14": "40 16 south"}
    (error,) = check(begun(units), RED, "fire bw-1 at sp-14;\nmove sp-1 7;\ndone;").errors
    assert error.what == "`move sp-1 7`: sp-1 Unit sp-1 come 4 inches far: they meet sp-2 Unit sp-2"


def test_an_error_that_comes_of_a_move_that_is_cut_short_says_so() -> None:
    units = {"sp-1": "16 12 north", "sp-2": "16 17 north", "bw-1": "40 10 north", "sp-14": "40 16 south",
             "sp-11": "16 20 south", "sp-12": "60 40 south"}  # fmt: skip
    text = "fire bw-1 at sp-14;\nmove sp-1 7;\nattack sp-1 at sp-11;\nattack sp-2 at sp-12;\ndone;"
    found = check(begun(units), RED, text).errors
    assert [(line_of(error), error.hint) for error in found] == [
        (2, ""),
        (3, "mend line 2 first"),
        (4, "leave it out"),
    ]


@pytest.mark.parametrize("first", ["fire bw-1 at sp-14", "fire bw-1 at sp-14;\nmove gn-1 7"])
def test_what_is_never_allowed_is_refused_for_that_behind_dice_too(first: str) -> None:
    """Nor is it told that a line before it is to be mended, which names the same unit."""
    units = {"gn-1": "16 12 north", "bw-1": "40 10 north", "sp-14": "40 16 south", "sp-11": "16 20 south"}
    *_, error = check(begun(units), RED, f"{first};\nattack gn-1 at sp-11;\ndone;").errors
    what = "`attack gn-1 at sp-11`: gn-1 Unit gn-1 may not attack hand-to-hand"
    assert (error.what, error.hint, error.clause) == (what, "", "combat.15")


def test_what_is_refused_for_several_reasons_is_told_with_the_most_frequent() -> None:
    lapse = Lapse(2, ("move", "sp-1", "7"), 1, "movement.1", "sp-1 meet sp-2: stop", "the rest of their way", reasons=2)
    told = "would go on without the rest of their way in every one of 400 futures, as in: sp-1 meet sp-2: stop"
    assert certain(lapse, 400).what == f"`move sp-1 7` {told}"
    assert certain(lapse._replace(reasons=1), 400).what == "`move sp-1 7`: sp-1 meet sp-2: stop"


def test_orders_are_refused_by_what_can_be_seen() -> None:
    table = begun({**UNITS, "sp-2": "22 14 north"})
    errors = check(
        table, RED, "fire sp-1 at sp-13; move sp-1 7; back ro-1 9; attack bw-1 at sp-13; done;", runs=0
    ).errors
    assert [getattr(error, "clause", "") for error in errors] == [
        "fire_combat.2",
        "movement.1",
        "movement.1",
        "turn_sequence.4",
    ]


def test_futures_are_played_out_over_all_steps() -> None:
    table = begun(UNITS)
    found = check(table, RED, "fire bw-1 at sp-13; move ro-1 7; attack ro-1 at ro-12 else sp-13; done;", runs=20)
    assert found.errors == []
    assert [words[0] for _, words, _ in found.comes] == ["fire", "attack"] or found.comes is not None


def test_an_end_of_the_game_for_several_numbers_of_points_is_one() -> None:
    units = {"sw-1": "10 10 north", "sp-11": "10 11 south", "sp-12": "30 30 south"}
    (ending,) = check(begun(units, broken=25), RED, "attack sw-1 at sp-11;").endings
    assert ending.reasons == 2
    assert "% of the futures, as in: Black is broken: it has lost " in str(ending)
    (ending,) = check(begun(units, broken=37), RED, "attack sw-1 at sp-11;").endings
    assert ending.reasons == 1
    assert ", as in" not in str(ending)


def test_odds_tell_an_end_of_the_game_once() -> None:
    units = {"sw-1": "10 10 north", "sp-11": "10 11 south", "sp-12": "30 30 south"}
    found = chances(begun(units, broken=25), "red", ("attack", "sw-1", "at", "sp-11"))
    over = [told for told in found.each if "broken" in told]
    assert over
    for told in over:
        assert told.count("broken") == told.count("[army-break]") == 1, told
        assert " The game is over: Red wins, Black is broken: it has lost " in told


def test_the_form_speaks_of_no_standing_orders() -> None:
    """There are none, for nobody is asked in the other's turn."""
    text = form(begun(UNITS), RED)
    assert "standing" not in text
    assert "stop if TEST;" in text


def test_nobody_is_asked_in_the_others_turn() -> None:
    table = begun(UNITS)
    play(table, "fire bw-1 at sp-13; move ro-1 7; attack ro-1 at ro-12; done;", [12, 12, 1, 12, 12, 12, 1, 12])
    sides = {step["side"] for step in table.course.steps if step["kind"] in ("order", "answer")}
    assert sides == {"red"}
    assert not isinstance(table.game.request, Roll | Draw)


def test_every_throw_of_declared_fire_and_of_a_later_attack_is_counted() -> None:
    """Fire is carried out with the end of its step, an attack after the steps between, which have no dice here."""
    units = {"bw-1": "10 10 north", "ro-1": "16 14 north", "sp-13": "10 16 south", "ro-12": "16 15 south"}
    for words, event, needed in (
        (("fire", "bw-1", "at", "sp-13"), "fire", 7),
        (("attack", "ro-1", "at", "ro-12"), "attack", 9),
    ):
        shares: dict[int, Fraction] = {}
        for result in results(begun(units), "red", words):
            (fight,) = [step["facts"] for step in result.steps if step.get("what") == event]
            shares[fight["kills"]] = shares.get(fight["kills"], Fraction(0)) + result.share
        hit = Fraction(13 - needed, 12)
        assert shares == {n: comb(3, n) * hit**n * (1 - hit) ** (3 - n) for n in range(4)}


RISKY = {"ro-1": "10 12 north", "bw-1": "30 12 north", "sw-11": "10 13 south abreast", "dm-11": "10 14 south"}


def risks(table: Table, words: str) -> list[str]:
    """What odds say of the end of the turn for daimyos."""
    s = table.game.state
    order = samurai.read_order(s.board, "red", tuple(words.split()))
    return [f"{what} {value}" for what, value, clause in samurai.factors(s, "red", order) if clause == "daimyos.3"]


@pytest.mark.clause("daimyos.3", "daimyos.4")
def test_odds_tell_what_the_end_of_the_turn_may_bring_a_daimyo() -> None:
    """Of three dice that kill on 11 a figure falls in 91 of 216, and a die of twelve then kills: 91 of 2592."""
    told = "if a figure of sw-11 falls, 12 at the end of the turn kills dm-11; in all: unhurt 96.5 %, killed 3.5 %"
    table = begun({**RISKY, "sw-1": "60 10 north"})
    assert risks(table, "attack ro-1 at sw-11") == [told]
    assert risks(table, "attack ro-1 any") == [told]
    table.game.state.at_risk |= {"dm-11"}
    assert risks(table, "attack ro-1 at sw-11") == [], "the die falls anyway"
    away = begun({**RISKY, "dm-11": "10 14.03 south"})
    assert risks(away, "attack ro-1 at sw-11") == []
    alone = begun({**RISKY, "sw-11": "50 40 south abreast", "dm-11": "10 13 south"})
    assert risks(alone, "attack ro-1 at dm-11") == []


def test_odds_of_fire_tell_it_too() -> None:
    table = begun({"bw-1": "10 10 north", "sw-11": "10 16 south abreast", "dm-11": "10 17 south"})
    (told,) = risks(table, "fire bw-1 at sw-11")
    assert told.endswith("in all: unhurt 94.1 %, killed 5.9 %")  # a figure falls in 19 of 27


@pytest.mark.clause("combat.8", "morale_check.2", "morale_check.5")
@pytest.mark.parametrize(("words", "last"), [
    ("attack ro-1 at sw-11", "3 killed and routs"),
    ("fire bw-1 at sp-11", "3 killed and routs"),
    ("fire bw-1 at sp-12", "3 killed and none left"),
    ("fire gn-1 at ro-12", "3 killed and none left"),
    ("attack sp-1 at dm-12", "killed"),
    ("attack sp-1 any", "killed"),
])  # fmt: skip
def test_the_odds_of_an_order_tell_all_that_becomes_of_its_target(words: str, last: str) -> None:
    """Who checks and may flee, off the table too; who has checked before or has none left doesn't."""
    more = {"sp-11": "30 22 south", "sp-12": "26 22 south 3 checked", "gn-1": "60 40 north", "ro-12": "60 46.5 south"}
    table = begun({**RISKY, **more, "sp-1": "45 12 north", "dm-12": "45 13 south"})
    order = samurai.read_order(table.board, "red", tuple(words.split()))
    told = samurai.tell_odds(table.game.state, "red", order).partition(": ")[2].partition(";")[0]
    (counted,) = chances(table, "red", tuple(words.split())).fates.values()
    assert {outcome: per_cent(share, 1) for outcome, share in counted.items()} == {
        " ".join(outcome): f"{share} %" for *outcome, share, _ in (one.split() for one in told.split(", "))
    }
    assert told.split(", ")[-1].startswith(f"{last} ")
    assert (" and flees off the table " in told) == ("ro-12" in words)


def test_check_tells_of_an_attack_what_may_befall_daimyos_and_of_one_at_a_daimyo_no_side() -> None:
    """Also of one behind others by which he is at risk already, in the same words in every future."""
    table = begun({**RISKY, "sp-1": "45 12 north", "dm-12": "45 13 south", "sp-13": "12 12 east", "ro-2": "13 13 west"})
    told = {
        " ".join(words): came_words(came)
        for _, words, came in check(table, RED, "attack ro-1 at sw-11;\nattack sp-1 at dm-12;").comes
    }
    risk = "; if a figure falls, 12 at the end of the turn kills dm-11 (3.5 % by this alone)"
    assert told["attack ro-1 at sw-11"].startswith("on the front: 3 dice, 11+: none 57.9 %")
    assert told["attack ro-1 at sw-11"].endswith(risk)
    assert told["attack sp-1 at dm-12"] == "4 dice, 11+: none 48.2 %, killed 51.8 %"


def test_names_of_several_words_are_typed_in_orders() -> None:
    """`Unit sp-1` is the name of sp-1 on the small table; the longest that calls a unit is the name."""
    table = begun(UNITS)
    for typed, meant in (
        ("fire Unit bw-1 at Unit sp-13", "fire bw-1 at sp-13"),
        ("move Unit sp-1 left 4", "move sp-1 left 4"),
        ("attack Unit ro-1 at Unit sp-13 else Unit ro-12", "attack ro-1 at sp-13 else ro-12"),
        ("setup Unit sp-1 18 9.5 north", "setup sp-1 18 9.5 north"),
    ):
        order = samurai.read_order(table.board, "red", tuple(typed.split()))
        assert samurai.order_words(table.board, order) == tuple(meant.split())
    with pytest.raises(OrderError):
        samurai.read_order(table.board, "red", ("move", "Unit", "sp-77", "4"))


def comes(units: dict[str, str], text: str) -> dict[str, str]:
    """Order -> what `check` tells that it may come to."""
    return {" ".join(words): came_words(came) for _, words, came in check(begun(units), RED, text).comes}


def test_each_declared_fire_is_told_with_its_own_odds() -> None:
    """Both are resolved after all is declared; the second is lost if the first kills the target, or makes it run."""
    told = comes(UNITS | {"gn-1": "14 10 north"}, "fire bw-1 at sp-13; fire gn-1 at sp-13; done;")
    assert told["fire bw-1 at sp-13"].startswith("3 dice, 7+: none 12.5 %, 1 killed 37.5 %")
    behind, _, together = told["fire gn-1 at sp-13"].partition("; both fires at sp-13 together: ")
    assert behind.startswith("3 dice, 9+, behind the fire of bw-1: none 24.7 %, "), "8/27 of five in six"
    assert behind.endswith(", the shot is lost 16.7 %"), "half of the first fires bring a check, a third of those fail"
    assert together.startswith("none 3.7 %, "), "an eighth of 8/27"
    table = begun(UNITS | {"gn-1": "14 10 north"})
    steps = play(table, "fire bw-1 at sp-13;\nfire gn-1 at sp-13;\ndone;", [12, 12, 12, 12])
    counted = Comes(table)
    counted.count(steps)
    came = [counted.came("red", number) for number in (1, 2)]
    assert [(one.carried, one.fates) for one in came] == [(1, {"3 killed and routs": 1}), (0, {})]


VOLLEYS = {"bw-1": "10 10 north", "gn-1": "14 10 north", "bw-2": "18 10 north", "ro-12": "12 16 south"}


@pytest.mark.clause("fire_combat.1", "fire_combat.3", "combat.8")
@pytest.mark.parametrize("text", [
    "fire bw-1 at ro-12; fire gn-1 at ro-12",
    "fire gn-1 at ro-12; fire bw-1 at ro-12; fire bw-2 at ro-12",
    "fire bw-1 at sp-13; fire gn-1 at sp-13",
])  # fmt: skip
def test_odds_of_fires_at_one_target_are_those_of_every_throw(text: str) -> None:
    """Form, check, mail and odds reckon them from the numbers of dice alone; here each die is thrown."""
    units = VOLLEYS | {"sp-13": "15 15 south"} if "sp-13" in text else VOLLEYS
    table = begun(units)
    words, _, there, *_ = judged(table, RED, text)
    found = chances(there, "red", words)
    ((target, shares),) = found.fates.items()
    *_, told = comes(units, text + "; done;").values()
    assert {*told.partition(" together: ")[2].split(", ")} == {f"{what} {per_cent(n, 1)}" for what, n in shares.items()}
    assert found.results == {}, "a table's result is one of a single fight"
    (behind,) = [value for what, value, _ in found.factors if what.startswith("behind the fire of ")]
    assert behind in told
    assert target.endswith(f"({words[-1]})")


def test_odds_of_a_fire_tell_nothing_of_the_flights_before_the_movement_behind_it() -> None:
    table = begun(VOLLEYS | {"sp-1": "40 12 north 2 routed checked"})
    found = chances(table, "red", ("fire", "bw-1", "at", "ro-12"))
    assert len(found.each) == 5, "how many fall, and whether two make the others run"
    assert not any("sp-1" in told for told in found.each)


def test_odds_tell_figures_killed_once_where_the_fate_of_their_unit_tells_them_too() -> None:
    found = chances(begun(RISKY), "red", ("attack", "ro-1", "at", "sw-11"))
    assert sum(found.results.values()) == 1
    assert found.results_told == {}
    ((_, fates),) = found.fates.items()
    assert sum(fates.values()) == 1


def test_what_lapses_is_told_beside_errors_without_a_share_that_hangs_on_these() -> None:
    lapse = Lapse(3, ("move", "ro-1", "99"), 0.86, "movement.1", "they go 7 inches at most")
    assert lapse.beside_errors == ""
    never = lapse._replace(never="whenever its turn comes")
    told = "line 3: `move ro-1 99` lapses whenever its turn comes, as in: they go 7 inches at most [movement.1]"
    assert never.beside_errors == told
    assert " in 86 % of the futures, whenever its turn comes, and is never carried out, as in: " in str(never)


def test_a_fire_that_no_other_changes_has_the_same_odds_behind_it() -> None:
    units = VOLLEYS | {"sp-13": "17 16 south"}
    told = comes(units, "fire bw-1 at ro-12; fire bw-2 at sp-13; done;")
    assert told["fire bw-2 at sp-13"] == comes(units, "fire bw-2 at sp-13; done;")["fire bw-2 at sp-13"]


@pytest.mark.parametrize("at", ["at ro-12", "any", "at sp-13 else ro-12"])
def test_what_an_attack_brings_is_not_told_of_the_fire_of_the_same_unit_before_it(at: str) -> None:
    """Only attacks have a side, and each has its own dice, however its target is named."""
    units = {"bw-1": "20 10 north", "ro-12": "20 15 south", "sp-13": "60 40 south"}
    told = comes(units, f"fire bw-1 at ro-12; move bw-1 6; attack bw-1 {at}; done;")
    assert told["fire bw-1 at ro-12"].startswith("3 dice, 8+: none 19.8 %")
    assert " futures played out, there on the front: 3 dice, 9+: none in " in told[f"attack bw-1 {at}"]


@pytest.mark.parametrize(("left", "dice", "fate"), [(1, 0, "1 killed and none left"), (2, 1, "1 killed and routs")])
def test_a_unit_whose_last_figure_is_killed_has_none_left(left: int, dice: int, fate: str) -> None:
    table = begun(UNITS | {"sp-13": f"10 16 south {left}"})
    counted = Comes(table)
    counted.count(play(table, "fire bw-1 at sp-13;\ndone;", [12, 1, 1, *[12] * dice]))
    assert counted.came("red", 1).fates == {fate: 1}


def test_each_of_two_attacks_is_told_with_its_own_odds() -> None:
    """At a weakened unit none kills more than are left; what the first leaves the second counts future by future."""
    units = {"sp-1": "34 20 north", "ro-1": "37.5 20 north", "sp-11": "36 21 south 3", "sp-12": "60 40 south"}
    told = comes(units, "attack sp-1 at sp-11; attack ro-1 at sp-11; done;")
    chances = (
        "none 19.8 %, 1 killed 26.3 %, 1 killed and routs 13.2 %, 2 killed 19.8 %, 2 killed and routs 9.9 %, 3 killed "
        "and none left 11.1 %"
    )
    assert told["attack sp-1 at sp-11"] == f"on the front: 4 dice, 9+: {chances}"
    assert "there on the front: 3 dice, 8+: none in " in told["attack ro-1 at sp-11"]
    assert "4 killed" not in told["attack ro-1 at sp-11"]
    told = comes(
        units | {"sp-2": "50 20 north", "ro-12": "50 21 south 1"}, "attack sp-1 at sp-11; attack sp-2 at ro-12; done;"
    )
    exact = "on the front: 4 dice, 10+: none 31.6 %, 1 killed and none left 68.4 %"
    assert told["attack sp-2 at ro-12"] == exact, "nobody else has attacked it"


@pytest.mark.parametrize("at", ["at ro-20", "any", "at ro-20 else ro-19"])
def test_behind_fire_of_the_turn_no_more_are_killed_than_are_left(at: str) -> None:
    units = {"ro-1": "60 40 north", "ro-19": "40 40 south", "gn-1": "10 10 north", "sp-13": "10 16 south"}
    far = comes(units | {"ro-20": "60 41 south 1"}, f"fire gn-1 at sp-13; attack ro-1 {at}; done;")
    assert far[f"attack ro-1 {at}"] == "on the front: 3 dice, 9+: none 29.6 %, 1 killed and none left 70.4 %"
    units["gn-1"] = "56 36 north-east"
    near = comes(units | {"ro-20": "60 41 south 2"}, f"fire gn-1 at ro-20; attack ro-1 {at}; done;")
    often, _, kills = near[f"attack ro-1 {at}"].partition(
        " of 100 futures played out, there on the front: 3 dice, 9+: "
    )
    shares = [share.rpartition(" in ") for share in kills.split(", ")]
    assert sum(int(number) for *_, number in shares) == int(often.removeprefix("carried out in "))
    assert {words.split()[0] for words, *_ in shares} == {"none", "1", "2"}


def test_what_happens_far_off_on_the_table_changes_no_odds() -> None:
    """Six fires at the other end of the table have more courses than are looked at; one beside the attack counts."""
    shooters = {f"bw-{n}": f"{6 * n} 10 north" for n in range(1, 7)}
    far = shooters | {f"sp-{n + 10}": f"{6 * n} 16 south" for n in range(1, 7)}
    units = far | {"ro-1": "60 40 north", "ro-20": "60 41 south"}
    orders = "".join(f"fire bw-{n} at sp-{n + 10};" for n in range(1, 7)) + "attack ro-1 at ro-20; done;"
    assert comes(units, orders)["attack ro-1 at ro-20"].startswith("on the front: 3 dice, 9+: none 29.6 %")
    near = comes(units | {"gn-1": "56 36 north-east"}, "fire gn-1 at ro-20; attack ro-1 at ro-20; done;")
    assert "futures played out" in near["attack ro-1 at ro-20"]


@pytest.mark.parametrize("at", ["at sp-16", "any", "at sp-15 else sp-16"])
def test_what_happens_beside_an_attack_takes_none_of_its_dice_and_shares(at: str) -> None:
    """Five attacks along the line have more courses than they can leave odds."""
    line = {f"sp-{n}": f"{6 * n} 20 north" for n in range(1, 7)}
    units = line | {f"sp-{n + 10}": f"{6 * n} 21 south" for n in range(1, 7)} | {"sp-19": "60 40 south"}
    orders = "".join(f"attack sp-{n} at sp-{n + 10};" for n in range(1, 6))
    told = comes(units, f"{orders}attack sp-6 {at}; done;")
    assert told[f"attack sp-6 {at}"].startswith("on the front: 4 dice, 9+: none 19.8 %, 1 killed 39.5 %")


def test_to_whom_nothing_happened_is_told_by_the_fight_at_them() -> None:
    """Whether who attacks them is shot at meanwhile, with another result or the same, makes no other words."""
    counted = Comes(begun(UNITS))
    order = {"kind": "order", "number": 1, "side": "red", "words": ["melee", "ro-1", "at", "sp-13"]}
    for answer in ("-", "D"):
        shot, fight = (("sp-13", "ro-1", answer), ("ro-1", "sp-13", "-"))
        facts = ({"unit": unit, "target": at, "result": result} for unit, at, result in (shot, fight))
        counted.count([order, *({"kind": "tell", "what": "melee", "facts": each} for each in facts)])
    assert counted.came("red", 1).fates == {"no effect": 2}


ODDS = {"ro-1": "40 10 north", "ro-12": "40 18 west", "gn-1": "10 10 north", "sp-13": "10 16 south",
        "bw-1": "35 15 north-east"}  # fmt: skip


def test_odds_of_an_attack_are_exact_behind_its_own_move() -> None:
    """Those before it are carried out, wherever they stand, as they would be in one mail."""
    table = begun(ODDS)
    for text in ("move ro-1 7; attack ro-1 at ro-12", "move ro-1 7;\nattack ro-1 at ro-12;\ndone;"):
        words, before, there, *_ = judged(table, RED, text)
        assert (words, before) == (("attack", "ro-1", "at", "ro-12"), [("move", "ro-1", "7")])
        found = chances(there, "red", words)
        assert found.at_random == 0
        assert sum(found.results.values()) == 1
        assert found.results["1 killed"] == Fraction(3 * 5 * 7**2, 12**3), "on the flank: 8 and more"
        assert found.factors
    assert table.game.state.at["ro-1"].y == 1000


@pytest.mark.parametrize(("text", "why"), [
    ("attack ro-1 at ro-12;", "`attack ro-1 at ro-12`: ro-1 Unit ro-1 don't touch"),
    ("move ro-1 7; attack ro-1 at sp-13;",
     "behind `move ro-1 7`: `attack ro-1 at sp-13`: ro-1 Unit ro-1 don't touch"),
    ("move ro-1 8; attack ro-1 at ro-12;", "line 1: `move ro-1 8`: "),
    ("fire gn-1 at sp-13; move ro-1 7; attack ro-1 at ro-12;", "`attack ro-1 at ro-12`: dice fall before it"),
    ("fire gn-1 at sp-13; move ro-1 7;", "`move ro-1 7`: dice fall before it"),
    ("if gone gn-1 then move ro-1 7; attack ro-1 at ro-12;", "one order is asked, behind others or alone"),
    ("move ro-1 7; done; attack ro-1 at ro-12;", "stands behind the `done` of line 1"),
])  # fmt: skip
def test_odds_behind_others_are_refused_where_these_have_dice_or_cant_be_given(text: str, why: str) -> None:
    with pytest.raises(OrderError) as caught:
        judged(begun(ODDS), RED, text)
    assert why in str(caught.value)
    assert str(caught.value).startswith("line 1: behind ") == why.startswith("behind ")


def test_all_that_is_wrong_with_orders_is_told_each_behind_those_that_are_right() -> None:
    table = begun(ODDS)
    text = "move gn-1 1;\nmove ro-1 8;\nattack ro-1 at ro-12;\nattack gn-1 at sp-13;"
    found = [str(error) for error in wrong(table, RED, text)]
    assert [what.split(":")[0] for what in found] == ["line 2", "line 3", "line 4"]
    assert [" behind `move gn-1 1`: " in what for what in found] == [True, True, True]
    assert not any("move ro-1 8`: `attack" in what for what in found), "that isn't carried out"
    assert wrong(table, RED, "move ro-1 7;\nattack ro-1 at ro-12;") == []


@pytest.mark.parametrize(("phase", "side", "before"), [
    (0, "black", "before he decides what comes between"),
    (1, "red", "at once"),
])  # fmt: skip
def test_before_what_the_first_turn_is_read_is_told_where_something_comes_between(
    phase: int, side: str, before: str
) -> None:
    table = begun({"sp-1": "20 10 north", "sp-13": "20 40 south"})
    s = table.game.state
    s.phase, s.opened, s.step = phase, False, ""
    table.course.game = type(table.game)(samurai, table.board, s, table.course._hear)
    table.course.resolve()
    statements, _ = parse_statements("in turn: done;")
    parts, _ = read_parts(table.rules, table.board, side, statements)
    remarks = of_orders(table, side, table.due(), parts)
    assert remarks[0] == f"what stands behind `in PHASE:` goes out now: my opponent reads it {before}"


MILL = {"kind": "building", "size": "3 3", "facing": "north"}
GROUND = [
    {**MILL, "id": "mill", "name": "The Mill", "at": "30 31"},
    {**MILL, "id": "pond", "name": "The Mill Pond", "at": "42 17"},
    {**MILL, "id": "shrine-hill", "name": "Shrine Hill", "at": "50 24"},
    {**MILL, "id": "hut-1", "name": "A Hut", "at": "10 24"},
    {**MILL, "id": "hut-2", "name": "A Hut", "at": "20 24"},
]


@pytest.mark.parametrize(("typed", "place"), [
    ('"The Mill Pond"', "pond"),
    ('"mill pond"', "pond"),
    ("Mill", "mill"),
    ('"the mill"', "mill"),
    ('"Shrine Hill"', "shrine-hill"),
    ("shrine-hill", "shrine-hill"),
    ("hut-2", "hut-2"),
    ("west", "west"),
])  # fmt: skip
def test_pieces_of_ground_are_called_by_their_names(typed: str, place: str) -> None:
    table = begun({"sp-1": "20 10 north", "sp-13": "20 40 south"}, terrain=GROUND)
    for test in ("at sp-1 {}", "empty {}", "held {} black"):
        checked = check(table, RED, f"if {test.format(typed)} then move sp-1 4; done;", runs=0)
        assert checked.errors == []
        assert [str(test) for _, part in checked.parts for test in getattr(part, "tests", ()) if place in test.words]


@pytest.mark.parametrize(("typed", "why"), [
    ('"The Mill Pnd"', "did you mean pond?"),
    ('"The Shrine Hil"', "did you mean shrine-hill?"),
    ("wset", "did you mean west?"),
    ('"A Hut"', "write one of hut-1, hut-2"),
    ("zzzzz", "there are: west, centre, east, south, north, mill, pond, shrine-hill, hut-1, hut-2"),
])  # fmt: skip
def test_of_another_name_of_ground_the_nearest_is_told(typed: str, why: str) -> None:
    table = begun({"sp-1": "20 10 north", "sp-13": "20 40 south"}, terrain=GROUND)
    (error,) = check(table, RED, f"if empty {typed} then move sp-1 4; done;", runs=0).errors
    assert error.hint == why


@pytest.mark.parametrize(("fired", "less"), [("bw-3", ""), ("sp-1", " without line 1")])
def test_a_length_is_no_unit_of_a_wrong_line_before(fired: str, less: str) -> None:
    """`move sp-1 3` was said to hang on what is wrong with a fire of bw-3."""
    units = {"bw-3": "60 10 north", "gn-1": "20 20 north", "ro-11": "20 26 south", "sp-1": "40 10 north",
             "ro-1": "40 12 north"}  # fmt: skip
    found = check(begun(units), RED, f"fire {fired} at ro-11\nfire gn-1 at ro-11\nmove sp-1 3\ndone")
    told = {line_of(error): str(error) for error in found.errors}
    assert list(told) == [1, 3]
    assert re.findall(" without line [0-9]+", told[3]) == [less] * bool(less)
    assert ("mend that first" in told[3]) == bool(less)
