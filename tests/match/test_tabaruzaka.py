"""Orders for the battle of Tabaruzaka before they are signed: what is said of commanders, and of all that is wrong."""

from __future__ import annotations

import re
from functools import cache
from textwrap import wrap

import pytest
from matches import Match, scenario_of

from pbem.errors import IllegalOrder
from pbem.match.chances import Steady
from pbem.match.check import Checked, check
from pbem.match.form import form
from pbem.match.futures import futures
from pbem.match.game import Game
from pbem.match.judged import judged
from pbem.match.table import Table
from pbem.report.ordered import came_words
from pbem.rules import bakumatsu

MOVE, FIRE, MELEE = 1, 5, 3
"""The phases of the government."""


@cache
def begun() -> Match:
    """A game in which asuka, the government, is asked for the first orders."""
    match = Match(scenario_of("tabaruzaka"), 7)
    while match.due() != ("orders", "asuka"):
        match.play()
    return match


def standing(phase: int, places: str, turn: int = 3) -> Table:
    """A table in a phase of the government with these pieces on the map, `go-08:2017 go-01:2507:disordered`."""
    table = begun().table.fork()
    state = bakumatsu.start(table.board, {})
    for piece, number, *words in (word.split(":") for word in places.split()):
        side = table.board.units[piece].side
        for cups in (state.cups, state.commander_cups):
            cups[side] = tuple(other for other in cups[side] if other != piece)
        state.put(piece, table.board.parse(number))
        state.disordered.update([piece] if words else [])
    state.turn, state.phase, state.opened = turn, phase, True
    table.course.game = Game(bakumatsu, table.board, state, table.course._hear)
    assert table.due().player == "asuka"
    return table


def checked(table: Table, text: str) -> Checked:
    return check(table, "asuka", text)


def errors(found: Checked) -> list[tuple[str, str]]:
    return [(error.where, getattr(error, "clause", "")) for error in found.errors]


# --- a commander who is taken


@pytest.mark.clause("15-2-7-2(4)6")
def test_a_commander_who_can_be_taken_by_moving_is_named_in_the_form_and_by_the_check() -> None:
    table = standing(MOVE, "go-08:2017 sc-05:2019 gc-06:2017 go-01:2507")
    written = " ".join(form(table, "asuka").split())
    assert "# move go-08 to 2019; # 4 points, takes sc-05 [15-2-7-2(4)6]" in written
    assert written.count("takes sc-05") == 1, "a commander takes nobody, and go-01 is too far away"
    (remark,) = [remark for remark in checked(table, "move go-08 to 2019\ndone").remarks if "sc-05" in remark]
    assert remark.endswith("2019`: sc-05 is removed then [15-2-7-2(4)6]")
    assert "sc-05" not in str(checked(table, "move go-08 to 2018\ndone").remarks)


@pytest.mark.clause("15-2-6(0)b")
def test_a_victory_hex_of_nobody_is_named_in_the_form_but_not_to_a_commander() -> None:
    written = form(standing(MOVE, "go-08:2017 gc-06:2017 sg-01:0520"), "asuka")
    (unit, lord) = (
        next(part for part in written.split("\n\n") if part.startswith(f"# {p}")) for p in ("go-08", "gc-06")
    )
    assert "takes 2217 Toyooka bridge" in unit
    assert "takes" not in lord


@pytest.mark.clause("15-2-7-2(4)6", "10-2(9)a")
def test_a_commander_who_can_be_taken_by_an_advance_is_named_in_the_form_and_with_the_odds() -> None:
    table = standing(MELEE, "go-08:2018 sg-03:2019 sc-05:2019 go-01:2118")
    written = " ".join(form(table, "asuka").replace("\n#", "").split())
    assert "with `advance` into 2019 it takes sc-05 [15-2-7-2(4)6]" in written
    for order, takes in (("melee go-08 at sg-03 advance", True), ("melee go-08 at sg-03", False)):
        ((_, _, came),) = checked(table, f"{order}\ndone").comes
        assert ("; who advances takes sc-05 [15-2-7-2(4)6]" in came_words(came)) is takes
    away = standing(MELEE, "go-08:2018 sg-03:2019 sc-05:2020")
    assert "sc-05" not in form(away, "asuka")


def test_behind_dice_check_and_mail_say_what_a_move_takes() -> None:
    """The mail by the words for what an order that waits comes to."""
    table = standing(MOVE, "go-08:2017 sc-05:2019 go-01:2507:disordered")
    found = checked(table, "recover go-01\nmove go-08 to 2019\ndone")
    assert [came_words(came) for _, words, came in found.comes] == ["recovers 83.3 %"]
    assert any("sc-05 is removed then" in remark for remark in found.remarks)
    comes = futures(table, "government", found.parts, Steady(1), 5, 5).comes
    assert came_words(comes.came("government", 2)) == "sc-05 is removed then [15-2-7-2(4)6]"


# --- all errors at once

FIRES = "go-08:2018 go-01:2119 sg-03:2019 go-02:2507 gc-01:2507 sg-20:1111"


def test_a_wrong_commander_or_supporter_hides_no_error_behind_the_dice_of_its_order() -> None:
    table = standing(FIRE, FIRES)
    text = "fire go-01 at sg-03 {}\nfire go-02 at sg-20\nfire go-02 at sg-03\nfire go-08 at sg-03 with go-02\ndone"
    known = [("line 2", "9-1(1)a"), ("line 3", "9-1(1)a")]
    assert errors(checked(table, text.format("")))[:2] == known
    for wrong, clause in (("by gc-01", "15-2-7-2(3)2a"), ("with go-02", "9-2(2)a")):
        found = errors(checked(table, text.format(wrong)))
        assert found[0] == ("line 1", clause)
        assert found[-1] == ("line 4", "9-2(2)a")


def test_what_names_a_unit_of_a_wrong_order_is_not_judged_behind_it() -> None:
    """Whether go-08 stands beside sg-03 then hangs on the order that is wrong."""
    table = standing(MOVE, "go-08:2017 sg-03:2020 go-02:2507")
    plans = "done\nin melee: melee go-08 at sg-03\nin melee: melee go-02 at sg-03"
    for wrong in ("move go-08 to 3301", "move 8 to 2507"):
        found = checked(table, f"{wrong}\n{plans}")
        assert [where for where, _ in errors(found)] == ["line 1"]
        assert [lapse.line for lapse in found.lapses] == [4], "the other plan is warned of all the same"


def test_what_names_a_unit_of_a_wrong_order_behind_dice_is_told_with_that_line() -> None:
    """All errors at once: of its own phase, however the line before it is mended; lines behind it change nothing."""
    table = standing(FIRE, FIRES)
    text = "fire go-01 at sg-03\nfire go-02 at sg-20 {}\nfire go-02 at sg-03\nfire go-01 at sg-03\nfire go-01 at\ndone"
    found = {error.where: str(error) for error in checked(table, text.format("with go-77")).errors}
    assert list(found) == ["line 2", "line 3", "line 4", "line 5"]
    assert "futures without line 2, as in: sg-03 " in found["line 3"], "it retreats to one of two hexes"
    assert "; mend that first [" in found["line 3"]
    assert "without line" not in found["line 4"]


# --- why no road is open


@pytest.mark.clause("8-2(3)", "8-2(5)", "8(4)")
@pytest.mark.parametrize(
    ("places", "why", "clause"),
    [
        ("go-02:2507", "go-02 Imperial Guard 1st Regiment, II stands in 2507 Konoha on the road", "8(4)"),
        ("sg-03:2507", "2506 on the road to 2508 is in the ZOC of sg-03 1st Battalion, company 3", "8-2(5)"),
        ("sg-03:2508", "2508 is occupied by sg-03", "8(4)"),
        ("sg-03:2509", "2508 is in the ZOC of sg-03 1st Battalion, company 3", "8-2(5)"),
    ],
)
def test_who_bars_the_road_is_named(places: str, why: str, clause: str) -> None:
    (error,) = checked(standing(MOVE, f"go-01:2403 {places}"), "march go-01 to 2508\ndone").errors
    assert why in error.what
    assert error.what.endswith(": let it go first") is places.startswith("go")
    assert error.clause == clause  # type: ignore[attr-defined]


def test_a_hex_on_no_road_is_called_so() -> None:
    (error,) = checked(standing(MOVE, "go-01:2403"), "march go-01 to 2604\ndone").errors
    assert error.what.endswith(": 2604 is on no road")


# --- who fights whom, as it is typed


@pytest.mark.parametrize(
    ("typed", "order"),
    [
        ("melee go-08 at sg-03 by Nozu Shizuo advance", "melee go-08 at sg-03 by gc-01 advance"),
        ("melee go-08 at 1st Battalion, company 3 with go-17", "melee go-08 at sg-03 with go-17"),
        ("melee 8th Regiment, II at 3 with Police sword corps A 18", "melee go-08 at sg-03 with go-17 go-18"),
        (
            "melee 8th Regiment II at 2019 with Police sword corps A Police sword corps B",
            "melee go-08 at sg-03 with go-17 go-18",
        ),
        ("melee 8 at 2019 advance", "melee go-08 at sg-03 advance"),
    ],
)
def test_names_of_several_words_and_places_are_read_in_fights(typed: str, order: str) -> None:
    places = "go-08:2018 go-17:2119 go-18:2020 gc-01:2018 sg-03:2019"
    found = checked(standing(MELEE, places), typed)
    assert [" ".join(part.words) for _, part in found.parts] == [order]  # type: ignore[union-attr]
    assert found.errors == []


def test_a_place_without_an_enemy_or_in_a_plan_is_no_target() -> None:
    table = standing(MELEE, "go-08:2018 sg-03:2019 go-01:2118")
    assert "no enemy unit stands in 2118" in checked(table, "melee go-08 at 2118").errors[0].what
    (error,) = checked(standing(MOVE, "go-08:2018 sg-03:2019"), "done\nin melee: melee go-08 at 2119").errors
    assert (error.what, error.hint) == ("`2119` is a place, 2119 Ichi-no-saka", "write the unit that is to be there")
    (error,) = checked(table, "melee go-08 at Imperial Guard 1st Regiment").errors
    assert "`Imperial Guard 1st Regiment` fits 2 units" in error.what


@pytest.mark.parametrize(
    ("typed", "hint"),
    [
        ("advance", "it stands in `melee U at V [with W ...] [advance]`"),
        ("comes go-08", "there are: recover, move, march, enter, done"),
        ("On Sunday ben wrote", "there are: recover, move, march, enter, done"),
        ("Dear Ben", "there are: recover, move, march, enter, done"),
        ("moev go-08 2018", "did you mean `move U HEX [HEX ...]`?"),
        ("ove go-08 2018", "did you mean `move U HEX [HEX ...]`?"),
    ],
)
def test_a_word_that_is_no_order_is_taken_for_none_that_it_is_not_like(typed: str, hint: str) -> None:
    table = standing(MELEE, "go-08:2018 sg-03:2019") if typed == "advance" else standing(MOVE, "go-08:2017")
    (error,) = checked(table, typed).errors
    assert error.hint == hint


def test_the_form_says_how_standing_orders_are_written_and_what_counts_without_one() -> None:
    written = " ".join(form(standing(MOVE, "go-08:2017"), "asuka").replace("\n#", "").split())
    assert "asks me: `retreat U|any HEX|DIRECTION ...`; where none answers, the rules choose" in written


def test_odds_of_an_order_for_a_later_phase_say_where_they_are_told() -> None:
    table = standing(MOVE, "go-08:2018 sg-03:2019")
    with pytest.raises(IllegalOrder) as caught:
        judged(table, "asuka", "melee 8 at 3 advance")
    plan = "done; in melee: melee go-08 at sg-03 advance"
    assert caught.value.hint == f"`pbem check` tells what is known of it as a plan, `{plan}`"
    ((line, words, came),) = check(table, "asuka", plan).comes
    assert (line, words[:3], came.carried) == (1, ("in", "melee:", "melee"), came.played)
    assert "no effect" in came.odds, "the pointer is true"
    with pytest.raises(IllegalOrder) as caught:
        judged(table, "asuka", "move 8 to 2501")
    assert caught.value.hint == ""


# --- comments that were broken


def test_a_form_in_shorter_lines_has_one_error_that_says_so() -> None:
    table = standing(FIRE, FIRES)
    lines = [part for line in form(table, "asuka").splitlines() for part in wrap(line, 60) or [""]]
    found = errors(checked(table, "\n".join([*lines, "fire go-08 at sg-03"])))
    (error, *others) = checked(table, "\n".join([*lines, "fire go-08 at sg-03"])).errors
    assert re.fullmatch("[0-9]+ lines, 6, 8, 11, 14 ..., aren't orders but the rest of comments", error.what)
    assert len(others) == len(found) - 1 < 3


@pytest.mark.parametrize(("line", "asked"), [("  +3 hill: no effect", True), ("fier go-08 at sg-03", False)])
def test_one_line_below_a_comment_is_asked_about(line: str, asked: bool) -> None:
    (error,) = checked(standing(FIRE, FIRES), f"# fire go-08 at sg-03;\n{line}").errors
    assert error.hint.endswith("is it the rest of a comment? put a # before it") is asked
