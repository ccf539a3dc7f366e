"""What the commands tell the players of gcacw, whose one entry is a plan for a whole turn."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from cli_player import Said, pbem_says
from matches import Match, scenario_of, write_home

from pbem.report.mail import mail_data, mail_text


class Desk:
    """Asuka, the Union, and ben, the Confederates, whose homes are made anew of a match for each command."""

    def __init__(self, root: Path, *entries: str, scenario: str = "cedar-mountain", number: int = 7) -> None:
        self.root, self.match, self.homes = root, Match(scenario_of(scenario), number), 0
        for text in entries:
            self.match.play(text)

    def says(self, name: str, *words: str, file: str | None = None) -> Said:
        """Let a player type a command, with an order file of these lines as its last word."""
        self.homes += 1
        home, orders = self.root / f"{name}-{self.homes}", self.root / "o.txt"
        write_home(self.match, name, home)
        if file is not None:
            orders.write_text(file)
        said = pbem_says("--home", str(home), *words, *([str(orders)] if file is not None else []))
        return Said(said.code, said.out.replace(f"{self.root}/", ""), said.err.replace(f"{self.root}/", ""))


@pytest.fixture
def ben(tmp_path: Path) -> Desk:
    """Ben is asked for his transfers on turn 1 of Cedar Mountain."""
    return Desk(tmp_path, "march buford S0223;")


# --- orders that name no place ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("order", "wrong"),
    [
        ("march ap-hill to", "`march ap-hill to`: no place stands behind `to`; write `march ap-hill to PLACE`"),
        (
            "march ap-hill to attack S0732",
            "`march ap-hill to attack S0732`: no place stands behind `to`; write `to PLACE`, or leave `to` out",
        ),
        ("march ap-hill S0932 attack", "no hex stands behind `attack`; write `attack HEX`"),
        ("march ap-hill to S0932 attack normal", "no hex stands behind `attack`; write `attack HEX normal`"),
    ],
)
def test_an_order_without_its_place_is_told_what_is_missing(ben: Desk, order: str, wrong: str) -> None:
    """`no place is called 'to'; it fits Todd's Tavern` was what `odds` said."""
    assert ben.says("ben", "odds", *order.split()).err == f"pbem: {wrong}\n"
    assert ben.says("ben", "check", file=order).err == f"pbem: o.txt, line 1: {wrong}\n"


def test_where_to_is_no_part_of_an_order_it_is_still_no_place(ben: Desk) -> None:
    for order in ("foo ap-hill to", "bridge gregg to"):
        assert "no place stands" not in ben.says("ben", "odds", *order.split()).err
    laid = ben.says("ben", "lay", "--for", "cycle", file="march ap-hill to")
    assert "line 1: `march ap-hill to`: no place" in laid.err


# --- orders laid for what is never asked ------------------------------------------------------------------------------

NOT_ASKED = "3 times played on as things stand, no orders are asked of me in it: these may never be sent"


def test_who_has_ended_his_turn_is_told_that_what_he_lays_for_its_cycle_may_never_be_sent(tmp_path: Path) -> None:
    desk = Desk(tmp_path, "done;")
    assert NOT_ASKED in desk.says("asuka", "lay", "--for", "cycle", file="pass").err
    assert NOT_ASKED not in desk.says("asuka", "lay", "--for", "transfer", file="done").err
    assert NOT_ASKED not in desk.says("ben", "lay", "--for", "cycle", file="pass").err


def test_what_is_laid_for_reinforcements_that_never_come_may_never_be_sent(ben: Desk) -> None:
    said = ben.says("ben", "lay", "--for", "reinforcements", file="done").err
    assert "are laid for turn 2, Confederate Reinforcements" in said
    assert NOT_ASKED in said


def test_where_the_other_side_alone_acts_orders_are_laid_for_the_cycle_behind_it(tmp_path: Path) -> None:
    """13.4-sp1: on turn 1 of Jackson's March the Union does nothing, and what bars it then doesn't on turn 2."""
    desk = Desk(tmp_path, scenario="jacksons-march")
    said = desk.says("asuka", "lay", "--for", "cycle", file="march ricketts N2028").err
    assert "are laid for turn 2, Action Cycle" in said
    said = desk.says("asuka", "lay", "--for", "cycle", file="march pope N2028").err
    assert "is a leader, no combat unit" in said


# --- what a unit does once in a turn ----------------------------------------------------------------------------------

ONE_WORK = "Gregg entrenches or builds a bridge, one of these in a turn"
MEND = "leave one of them out, or let conditions choose between them"


@pytest.mark.parametrize(("first", "second"), [("entrench gregg", "bridge gregg S0732"), ("entrench gregg",) * 2])
def test_of_two_works_of_a_unit_the_second_is_refused_before_its_phase(ben: Desk, first: str, second: str) -> None:
    wrong = f"line 2: `{second}`, behind `{first}` of line 1: {ONE_WORK}; {MEND} [std-9.0-3]"
    assert ben.says("ben", "check", file=f"{first}\n{second}\ndone").err == f"pbem: o.txt, {wrong}\n"
    assert wrong in ben.says("ben", "check", file=f"in recovery: {first}\nin recovery: {second}\ndone").err
    assert wrong in ben.says("ben", "lay", "--for", "recovery", file=f"{first}\n{second}\ndone").err


def test_a_work_that_is_refused_keeps_its_unit_from_no_other(ben: Desk) -> None:
    """The second line was blamed for the first, which is wrong itself."""
    lines = ben.says("ben", "check", file="bridge robertson S0732\nentrench robertson\ndone").err.splitlines()
    assert [line.partition(": ")[2].partition(" [")[0].partition(", ")[2] for line in lines] == [
        "line 1: `bridge robertson S0732`: Robertson is cavalry, and can't do it",
        "line 2: `entrench robertson`: Robertson is cavalry, and can't do it",
    ]
    for ask in (("check",), ("lay", "--for", "recovery")):
        said = ben.says("ben", *ask, file="bridge robertson S0732\nentrench robertson\ndone").err
        assert "is cavalry" in said
        assert "behind" not in said


@pytest.mark.parametrize(
    "orders",
    [
        "entrench gregg\nbridge winder S0732\ndone",
        "if weather dry then bridge gregg S0732\nentrench gregg\ndone",
        "entrench gregg\nif weather dry then bridge gregg S0732\ndone",
    ],
)
def test_works_of_two_units_and_those_between_which_a_condition_chooses_are_accepted(ben: Desk, orders: str) -> None:
    said = ben.says("ben", "check", file=orders)
    assert (said.code, "one of these in a turn" in said.err) == (0, False)


# --- plans that contradict each other ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("close action", "in cycle: march ap-hill S0932"),
        ("close recovery", "in recovery: entrench gregg"),
        ("in recovery: if weather dry then entrench gregg", "close recovery"),
    ],
)
def test_a_step_is_not_closed_and_planned_for_in_one_file(ben: Desk, first: str, second: str) -> None:
    why = "contradict each other: one plans for a step, one does nothing in it; leave one of them out"
    said = ben.says("ben", "check", file=f"{first}\n{second}\ndone")
    assert said.err == f"pbem: o.txt, line 2: `{second}` and `{first}` of line 1 {why}\n"


def test_a_plan_for_another_step_than_the_closed_one_is_none(ben: Desk) -> None:
    assert ben.says("ben", "check", file="close action\nin recovery: entrench gregg\ndone").code == 0
    maybe = "if weather rain then close recovery"
    assert ben.says("ben", "check", file=f"in recovery: entrench gregg\n{maybe}\ndone").code == 0


def test_orders_for_the_cycle_are_no_plan(ben: Desk) -> None:
    said = ben.says("ben", "check", file="in cycle: march ap-hill S0932")
    what = "`in cycle:` names a phase that both sides share, and plans are for phases of mine"
    assert said.err == f"pbem: o.txt, line 1: {what}; write what is ordered for it without `in`\n"


# --- what is barred for the turn --------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def paralysed(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    """The Union's command is paralysed on turn 6 of the campaign; asuka is asked for its reinforcements."""
    desk = Desk(tmp_path_factory.mktemp("paralysed"), scenario="rapidan-to-rappahannock", number=6)
    for _ in range(10):
        desk.match.play("done;" if desk.match.due()[0] == "orders" else "")
    assert desk.match.due() == ("orders", "asuka")
    state = desk.match.table.game.state
    assert (state.turn, state.paralysed) == (6, {"union"})
    return desk


@pytest.mark.parametrize(
    ("order", "why"),
    [
        (
            "march fairchild S4527 force",
            "nobody of this side can force march in turn 6: its command is paralysed [14.0-par3]",
        ),
        (
            "assault porter at S4921 by griffin morell",
            "the command is paralysed: nobody assaults in turn 6 [14.0-par4]",
        ),
    ],
)
def test_what_a_paralysis_bars_is_an_error_before_the_cycle(paralysed: Desk, order: str, why: str) -> None:
    """It was, but as `the other side is asked in this phase`, of the repair of the supply line."""
    for line in (order, f"if weather dry then {order}"):
        assert paralysed.says("asuka", "check", file=f"pass\n{line}").err == f"pbem: o.txt, line 2: `{line}`: {why}\n"
    assert paralysed.says("asuka", "check", file="pass\nmarch fairchild S4527").code == 0


# --- conditions that wait ---------------------------------------------------------------------------------------------

WATCHED = "As soon as an enemy is within 2 hexes of Winder (winder): what is left by then is dropped"


def test_equal_conditions_are_told_once_with_how_often_they_are_given(tmp_path: Path) -> None:
    watch = "stop whenever near winder 2;"
    stop, march = "stop if short winder;", "if near winder 2 then march lawton S0732;"
    orders = f"{watch}{watch}pass;stop whenever near gregg 2;{watch}\n"
    orders += f"march winder S0832;{stop}{march}{march}{stop}pass;pass;"
    desk = Desk(tmp_path, "march buford S0223;")
    checked = desk.says("ben", "check", file=orders).err
    assert checked.count(f"line 1: `{watch.removesuffix(';')}`") <= 1
    desk.match.play(orders)
    mail = " ".join(mail_text(mail_data(desk.match.table, scenario_of("cedar-mountain"), "asuka"), ()).split())
    desk.match.due()
    report = " ".join(desk.says("asuka", "report").out.split())
    for told in (mail, report):
        assert f"{WATCHED} (given three times)." in told
        assert told.count("As soon as an enemy is within 2 hexes of Winder") == 1
        assert "within 2 hexes of Gregg (gregg): what is left by then is dropped." in told
        assert "If an enemy is within 2 hexes of Winder: Lawton (lawton) marches" in told
        assert told.count("Lawton (lawton) marches") == 1
        assert "S0732 (given twice)" in told
        assert told.count("If the last march of Winder") == 2, "each stands where it is tested"


def test_orders_that_were_passed_over_are_told_to_their_owner_alone(tmp_path: Path) -> None:
    near, far = "if near winder 2 then", "if not near winder 9 then"
    orders = f"{near} march gregg S0832;{near} march lawton S0732;{near} march lawton S0732;{far} march ap-hill S0932;"
    desk = Desk(tmp_path, "march buford S0223;", f"{orders} march winder S0832;")
    desk.match.play()
    mail = " ".join(mail_text(mail_data(desk.match.table, scenario_of("cedar-mountain"), "ben"), ()).split())
    for told in (mail, " ".join(desk.says("ben", "report").out.split())):
        assert (
            "Passed over, as `near winder 2` didn't hold when its turn came: `march gregg S0832`, `march lawton S0732` "
            "two times. Passed over, as `not near winder 9` didn't hold when its turn came: `march ap-hill S0932`."
        ) in told
    assert "Passed over" not in desk.says("asuka", "report").out
    course, before = desk.match.table.course, desk.match.table.course.passed
    phase = next(phase for phase in desk.match.table.rules.situation(course.game.state)["phases"] if phase["side"])
    course.passed = [one._replace(when=(1, phase["id"])) for one in before]
    told = " ".join(mail_text(mail_data(desk.match.table, scenario_of("cedar-mountain"), "ben"), ()).split())
    assert told.count(f"Passed over in turn 1, {phase['title']}, as `") == 2, "it stood under a later phase as if of it"
    course.passed = before
    desk.match.due()
    desk.match.play("pass;")
    assert "Passed over" not in desk.says("ben", "report", "--entry", "5").out, "it was told"


# --- a plan that is used up -------------------------------------------------------------------------------------------

USED_UP = "All that you ordered for now is used up, so you are asked anew."


def told(desk: Desk, reader: str) -> list[str]:
    """What a player is told by the mail of the newest entry and by his report."""
    mail = mail_text(mail_data(desk.match.table, scenario_of("cedar-mountain"), reader), ())
    return [" ".join(words.split()) for words in (mail, desk.says(reader, "report").out)]


@pytest.mark.parametrize(
    ("orders", "to"),
    [
        ("march winder S0832;march lawton S0732;", "ben"),
        ("march winder S0832;", ""),  # who gives one order knows that it is all
        ("march winder S0832;stop if not short winder;march lawton S0732;", ""),  # it was dropped, as is told
        ("march winder S0832;march lawton S0732;march gregg S0832;pass;pass;pass;pass;pass;", "asuka"),
    ],
)
def test_a_plan_that_is_used_up_is_told_to_who_is_asked_again(tmp_path: Path, orders: str, to: str) -> None:
    desk = Desk(tmp_path, "march buford S0223;pass;pass;pass;pass;pass;pass;", orders)
    while desk.match.due()[0] == "reveal":
        desk.match.play()
    assert desk.match.due() == ("orders", to or "ben")
    for reader in ("asuka", "ben"):
        assert [USED_UP in words for words in told(desk, reader)] == [reader == to] * 2


# --- an attack from which cavalry went back ---------------------------------------------------------------------------


@pytest.mark.parametrize(("stop", "home"), [("", True), ("stop if not fought S1128;", False)])
def test_a_plan_whose_enemy_went_back_says_so_and_what_it_did_next(tmp_path: Path, stop: str, home: bool) -> None:
    hill = "march ap-hill with jackson"
    plan = f"{hill} S0932 S0931 S1030 S1029 S1129 attack S1128; {stop} {hill} S1029 S1030; pass;"
    desk = Desk(tmp_path, "standing evade any yes; pass;pass;pass;pass;pass;pass;", plan, number=1 if home else 4)
    while desk.match.due()[1] == "asuka":
        desk.match.play("pass;pass;" if desk.match.due()[0] == "orders" else "")
    report = " ".join(desk.says("ben", "report").out.split())
    assert (
        "A.P. Hill didn't attack at Rapidan Station (S1128): the cavalry that was there has gone back before it."
    ) in report
    assert ("A.P. Hill marched with Jackson from hex S1129 to hex S1030." in report) == home
    assert ("The rest of the orders of the Confederates was dropped" in report) != home


def test_the_parts_of_a_page_show_the_news_alone_not_what_i_moved_before(tmp_path: Path) -> None:
    """A part of the map had my own transfer of before for its title, which the text left out."""
    entries = ("transfer banks ny-60;\nmerge vt-9 into white;\ndone;", "transfer lee ap-hill;\ndone;")
    desk = Desk(tmp_path, *entries, scenario="rapidan-to-rappahannock")
    text = desk.says("asuka", "report")
    assert "Lee (lee) went over to A.P. Hill" in text.out
    assert "Banks (banks) went over" not in text.out
    page = desk.says("asuka", "report", "--format", "html").out
    titles = re.findall(r'<figcaption aria-hidden="true">([^<]*)', page)
    assert any("Lee (lee) went to" in title for title in titles)
    assert not any("Banks" in title for title in titles)
