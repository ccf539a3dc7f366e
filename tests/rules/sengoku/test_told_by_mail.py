"""What the mail of a campaign tells before it is opened: orders whose dice wait, their odds, and what came before."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from matches import Match, scenario_of

from pbem.cli.drafts import show_chances
from pbem.match.check import check
from pbem.match.form import form
from pbem.match.game import Game
from pbem.match.judged import judged
from pbem.match.orders import Act, Plan
from pbem.report.build import headline, text
from pbem.report.layout import Json
from pbem.report.mail import _together, mail_data, mail_html, mail_text
from pbem.report.odds import chances
from pbem.report.ordered import came_words, replied_words
from pbem.report.source import report_data
from pbem.report.telling import Teller
from pbem.rules.requests import Words
from pbem.rules.sengoku.harm import strength
from pbem.rules.sengoku.odds import tell_odds
from pbem.rules.sengoku.orders import Assault, Attack
from pbem.rules.sengoku.state import State

SCENARIO = scenario_of("shizugatake")


def in_state(match: Match, change: Callable[[State], None]) -> None:
    """Changes the state of a campaign in the anti-Hashiba side's stage 2."""
    course = match.table.course
    s = match.table.rules.copy(course.game.state)
    assert match.table.rules.clock(s) == (1, "anti-hashiba-stage-2")
    change(s)
    course.game = Game(match.table.rules, s.board, s)
    course.game.hear = course._hear


@pytest.fixture
def stage_2() -> Callable[[Callable[[State], None]], Match]:
    """Brings a campaign to the anti-Hashiba side's stage 2, asuka's, in a state that is changed by what is given."""

    def bring(change: Callable[[State], None]) -> Match:
        match = Match(SCENARIO, 1)
        for _ in range(4):
            match.play("" if match.table.seq == 1 else "done")
        assert match.due() == ("orders", "asuka")
        in_state(match, change)
        return match

    return bring


def before_nagahama(s: State) -> None:
    """Shibata Katsuie stands before Nagahama, and Hashiba Hideyoshi at it."""
    s.thawed.add("shibata")
    s.put("sb-01", s.board.parse("4412"))
    s.put("hb-01", s.board.parse("4413"))


def before_nagashima(s: State) -> None:
    """Kitabatake Nobuo stands in the swamp before Nagashima."""
    s.put("kt-05", s.board.parse("5218"))


def mailed(match: Match, orders: str) -> Json:
    """What the mail tells ben that has these orders."""
    match.play(orders)
    return mail_data(match.table, SCENARIO, "ben")


def told(data: Json) -> list[tuple[int, str, str]]:
    """The orders of a mail: number, words, odds."""
    (of,) = data["orders"]
    return [(item["number"], item["told"], item["odds"]) for item in of["items"]]


def news(data: Json) -> list[str]:
    """What a mail tells of what has happened."""
    return [item["told"] for group in data["news"] for action in group["actions"] for item in action["items"]]


def test_the_order_whose_dice_fall_first_is_told_with_its_odds(stage_2: Callable[..., Match]) -> None:
    data = mailed(stage_2(before_nagashima), "attack tk-01 at kt-05; done")
    (number, words, odds), last = told(data)
    assert (number, last[1]) == (1, "Then the phase ends.")
    assert words == "Takigawa Kazumasu (tk-01) at Nagashima (5119) attacks Kitabatake Nobuo (kt-05) in hex 5218"
    assert odds.startswith("strength 14, die -1 for the ground, -2 for the river, +3 for skill: no loss 16.7 %")
    assert not any("attack" in line for line in news(data))


def deployed() -> Match:
    """A campaign in which the anti-Hashiba side, asuka, deploys."""
    match = Match(SCENARIO, 1)
    for _ in range(2):
        match.play("" if match.table.seq == 1 else "done")
    assert match.due() == ("orders", "asuka")
    return match


def test_what_closes_a_step_that_ends_by_itself_is_no_order_of_a_mail() -> None:
    data = mailed(deployed(), "close deployment; declare kobe; close situation; move kb-01 5212; done")
    assert [words.split()[:2] for number, words, _ in told(data) if number] == [["The", "army"], ["Kobe", "Nobutaka"]]
    data = mailed(deployed(), "close deployment; close situation; move kb-01 5212; done")
    assert next((n, words) for n, words, _ in told(data)) == (1, "The situation change is over")


def test_the_mail_of_dice_alone_tells_how_it_stands(stage_2: Callable[..., Match]) -> None:
    match = stage_2(before_nagashima)
    match.play("attack tk-01 at kt-05; stop if gone tk-02")
    data = mail_data(match.table, SCENARIO, "ben")
    assert data["what"] == "your dice"
    before = "How it stands before the orders above and the dice of this mail"
    assert f"{before}:\n  The Hashiba side leads by " in mail_text(data)
    assert f"<h3>{before}</h3>" in mail_html(data, (), "")
    none = {**data, "orders": []}
    assert "How it stands before the dice of this mail:\n" in mail_text(none)


@pytest.mark.parametrize("what", ["lost a step at Gifu (5313).", "was killed at Gifu (5313)."])
def test_a_mail_joins_neighbouring_events_that_differ_only_in_the_unit(what: str) -> None:
    def told(unit: str, name: str, words: str, **more: Any) -> dict[str, Any]:
        item = {"kind": "tell", "what": "step", "facts": {"unit": unit}, "rolls": [], "fight": None}
        return {**item, "told": f"{name} {words}", **more}

    units = [
        {"id": "hb-01", "name": "Ashi"},
        {"id": "hb-02", "name": "Bo"},
        {"id": "hb-03", "name": "Go", "several": True},
    ]
    items = [told("hb-01", "Ashi", what), told("hb-02", "Bo (hb-02)", what), told("hb-02", "Bo", "lost a step at Ono.")]
    items += [
        told("hb-01", "Ashi", "fled, its die 3.", rolls=[{}]),
        told("hb-02", "Bo", "fled, its die 3.", rolls=[{}]),
    ]
    items += [told("hb-01", "Ashi", "went in and is shut up."), told("hb-02", "Bo", "went in and is shut up.")]
    (action,) = _together({"actions": [{"items": items}]}, units)["actions"]
    both = "were killed at Gifu (5313)." if "killed" in what else "each lost a step at Gifu (5313)."
    assert [item["told"] for item in action["items"]] == [
        f"Ashi and Bo (hb-02) {both}", *(item["told"] for item in items[2:]),
    ]  # fmt: skip


def before_ueno(s: State) -> None:
    """Takigawa Kazumasu stands before Ueno, in which nobody is."""
    at = s.board.castles["ueno"].at
    for force in list(s.stands.get(at, ())):
        s.put(force, s.board.parse("4825"))
    s.put("tk-01", at)


def test_assaults_that_belong_to_a_siege_are_told_before_their_dice(stage_2: Callable[..., Match]) -> None:
    data = mailed(stage_2(before_ueno), "besiege ueno by tk-01 assault; done")
    (number, words, odds), _ = told(data)
    assert (number, words) == (1, "Takigawa Kazumasu (tk-01) besieges Ueno (4924) and assaults it")
    assert odds.startswith("interception strength 0, die +1 for the walls: no loss 66.7 %, 1 loss 33.3 %; assault ")
    assert not any("laid siege" in line for line in news(data))


def test_a_siege_without_dice_has_been_begun(stage_2: Callable[..., Match]) -> None:
    data = mailed(stage_2(before_ueno), "besiege ueno by tk-01")
    assert data["orders"] == []
    assert news(data)[-1] == "Takigawa Kazumasu (tk-01) laid siege to Ueno (4924)."


def test_what_an_attacked_side_has_answered_before_the_dice_is_told_as_it_came(stage_2: Callable[..., Match]) -> None:
    def change(s: State) -> None:
        s.put("hb-40", s.board.castles["kanbe"].at)
        s.put("kt-01", s.board.castles["kanbe"].at)
        s.besiege("kt-01")
        s.put("tk-01", s.board.parse("4823"))

    asked, lifts = stage_2(change), stage_2(change)
    lifts.table.course.standing["hashiba"] = [("lift", "any", "yes")]
    order = Attack("tk-01", ("kt-01",))
    before = asked.table.rules.copy(asked.table.game.state)
    before.lift("kt-01")  # before the dice: who isn't asked to is too weak for it
    for match, lifted in ((asked, False), (lifts, True)):
        data = mailed(match, "attack tk-01 at kt-01; done")
        (_, words, odds), _ = told(data)
        assert words == "Takigawa Kazumasu (tk-01) in hex 4823 attacks Tsugawa Yoshifuyu (kt-01) at Kanbe (4923)"
        assert odds.startswith(tell_odds(before, order))
        if lifted:
            assert (
                news(data)[0]
                == 'Standing order of the Hashiba side, "lift any yes": Tsugawa Yoshifuyu (kt-01) gives up the siege.'
            )


def test_the_form_says_that_a_siege_ends_before_the_dice_of_an_attack(stage_2: Callable[..., Match]) -> None:
    """It named the standing order by which it was given up, and the odds behind it, alone."""

    def change(s: State) -> None:
        s.put("hb-40", s.board.castles["kanbe"].at)
        s.put("kt-01", s.board.castles["kanbe"].at)
        s.put("tk-01", s.board.parse("4823"))

    def siege(s: State) -> None:
        change(s)
        s.besiege("kt-01")

    for besieged in (False, True):
        match = stage_2(siege if besieged else change)
        match.table.course.standing["hashiba"] = [("lift", "any", "yes")]
        text = " ".join(form(match.table, "asuka").replace("#", "").split())
        line = text.partition("attack tk-01 at kt-01;")[2].partition(" attack ")[0]
        assert ("ben's `lift any yes`: strength 14" in line) == besieged, line
        assert ("; 4923: its siege ends" in line) == besieged, line


@pytest.mark.clause("24-1-8", "24-1-8(no)")
@pytest.mark.parametrize(
    ("standing", "form_begins", "factor"),
    [
        (
            ["consent", "any", "no"],
            "ben's `consent any no`: declined, strength 22,",
            "declined, strength of the attack",
        ),
        (["consent", "any", "yes"], "ben's `consent any yes`: first round: strength 22:", "strength of the battle"),
        ([], "by default: declined, strength", "declined, strength of the attack"),
    ],
)
def test_form_and_odds_tell_of_a_battle_what_the_standing_orders_make_of_it(
    stage_2: Callable[..., Match], standing: list[str], form_begins: str, factor: str
) -> None:
    match = stage_2(before_nagahama)
    match.table.course.standing["hashiba"] = [tuple(standing)] * bool(standing)
    told = " ".join(form(match.table, "asuka").replace("#", "").split())
    assert f"battle sb-01 at hb-01 skirmish hb-01; {form_begins} " in told
    assert "if given" not in told
    found = chances(match.table, "anti-hashiba", ("battle", "sb-01", "at", "hb-01", "skirmish", "hb-01"))
    assert found.factors[0].what == factor
    assert not any("if declined" in one.what for one in found.factors)


def test_where_the_other_side_is_asked_the_form_tells_both_courses_of_a_battle() -> None:
    match = Match(SCENARIO, 1, reactions="ask")
    for _ in range(4):
        match.play("" if match.table.seq == 1 else "done")
    in_state(match, before_nagahama)
    told = " ".join(form(match.table, "asuka").replace("#", "").split())
    assert "battle sb-01 at hb-01 skirmish hb-01; if given, first round: strength 22: " in told
    assert "; if declined, strength 22," in told


@pytest.mark.clause("24-1-8", "24-1-8(no)")
@pytest.mark.parametrize(
    ("standing", "begins"),
    [("no", "declined, strength 22, die -2 for the river: "), ("yes", "first round: strength 22: enemy ")],
)
def test_a_battle_that_needs_consent_is_told_as_the_standing_order_answers(
    stage_2: Callable[..., Match], standing: str, begins: str
) -> None:
    """Check and mail told the first round of a battle that `consent any no` was sure to decline."""
    match = stage_2(before_nagahama)
    match.table.course.standing["hashiba"] = [("consent", "any", standing)]
    text = f"battle sb-01 at hb-01 skirmish hb-01; done; say {standing}"  # no entry like the other: futures are kept
    assert came_words(check(match.table, "asuka", text).comes[0][-1]).startswith(begins)
    data = mailed(match, text)
    (_, words, odds), *_ = told(data)
    assert "or else attacks Hashiba Hideyoshi" in words
    assert odds.startswith(begins)
    assert "if given" not in odds
    ends = re.findall(r"[sh]b-01 (?:is beaten|breaks off) in (\d+)", odds)
    assert (sum(map(int, ends)) > 80) == (standing == "yes")  # in others both part


@pytest.mark.clause("23-4-6")
@pytest.mark.parametrize(("standing", "inside"), [("refuge", True), ("steps", False)])
def test_a_refuge_is_told_of_who_is_attacked_at_a_castle(
    stage_2: Callable[..., Match], standing: str, *, inside: bool
) -> None:
    match = stage_2(before_kiyosu)
    match.table.course.standing["hashiba"] = [("give-way", "any", standing), ("retreat", "any", "castle")]
    told = came_words(check(match.table, "asuka", "attack tk-01 at kt-05; done").comes[0][-1])
    assert told.count("takes refuge in the castle") == inside  # once: the odds tell it
    became = chances(match.table, "anti-hashiba", ("attack", "tk-01", "at", "kt-05")).fates
    assert ("takes refuge in the castle" in became.get("Kitabatake Nobuo (kt-05)", {})) == inside


def before_kiyosu(s: State) -> None:
    """Kitabatake Nobuo stands before the castle of Kiyosu, and Takigawa Kazumasu beside him."""
    at = s.board.castles["kiyosu"].at
    s.let_out("kt-05")
    s.put("kt-05", at)
    s.put("tk-01", s.board.ground.open_to[at][0])


@pytest.mark.clause("23-4-6")
@pytest.mark.parametrize(
    ("standing", "refuge"),
    [
        ("2+", "with 2 or 3 losses (66.7 %) takes refuge in the castle; else (33.3 %) counterattack, of these "),
        ("refuge", "with each of these takes refuge in the castle"),
        ("steps", ""),
    ],
)
def test_form_and_check_reckon_alike_with_a_standing_order_behind_the_first_die(
    stage_2: Callable[..., Match], standing: str, refuge: str
) -> None:
    match = stage_2(before_kiyosu)
    match.table.course.standing["hashiba"] = [("counter", "any", "yes"), ("give-way", "any", standing)]
    text = " ".join(form(match.table, "asuka").replace("#", "").split())
    _, _, behind = text.partition("attack tk-01 at kt-05; ")
    odds = came_words(check(match.table, "asuka", "attack tk-01 at kt-05; done").comes[0][-1])
    told = f"ben's `give-way any {standing}`: " if refuge else ""
    assert behind.startswith(told + odds.partition("; of 100 futures")[0])
    assert refuge in odds
    assert odds.count("takes refuge") == bool(refuge), "told once"


def test_the_form_names_no_standing_order_of_the_side_that_is_not_asked(stage_2: Callable[..., Match]) -> None:
    """Where both sides had laid the same, it named the attacker's, too."""
    match = stage_2(before_kiyosu)
    words = ("give-way", "any", "2+")
    match.table.course.standing.update({"hashiba": [words], "anti-hashiba": [words]})
    text = " ".join(form(match.table, "asuka").replace("#", "").split())
    _, _, behind = text.partition("attack tk-01 at kt-05; ")
    assert behind.startswith("ben's `give-way any 2+`: ")


@pytest.mark.clause("11-4-1")
def test_a_line_phase_tells_those_together_who_fall_to_the_same_morale(stage_2: Callable[..., Match]) -> None:
    """A wall of sentences that differed in the unit alone."""
    match = stage_2(before_kiyosu)
    situation = match.table.rules.situation(match.table.game.state)
    teller = Teller(situation)
    when = {"seq": 1, "turn": 2, "phase": "lines"}
    steps = [
        {**when, "kind": "tell", "what": "shaken", "clause": "11-4-1", "facts": {"unit": unit, "by": 1, "morale": -1}}
        for unit in ("kt-01", "kt-05", "kt-07")
    ]
    named = "Tsugawa Yoshifuyu (kt-01), Kitabatake Nobuo (kt-05) and Okada Shigetaka (kt-07)"
    assert headline(steps, teller) == f"Each of {named} fell to morale minus 1."
    assert headline(steps[:2], teller).count("fell to morale minus 1") == 2, "two are told one by one"
    items = [{**step, "told": teller.tell(step)[0], "rolls": [], "fight": None} for step in steps]
    ((item,),) = [
        action["items"] for action in _together({"actions": [{"items": items}]}, situation["units"])["actions"]
    ]
    assert re.sub(r" \(kt-0\d\)", "", item["told"]) == (
        "Tsugawa Yoshifuyu, Kitabatake Nobuo and Okada Shigetaka each fell by 1 to morale minus 1."
    )


def test_odds_of_a_deployment_tell_all_that_is_placed() -> None:
    """Of the only future all but what stood behind its last colon was left out."""
    match = Match(SCENARIO, 1)
    match.play("")
    (told,) = chances(match.table, "hashiba", ("close", "deployment")).each
    assert told.startswith("Hashiba side, Hashiba, set up: Hashiba Hideyoshi (hb-01) and 10 more at Himeji (1623)")
    assert "Ukita Tadaie (uk-01) and 8 more at Okayama (0326), strength 18" in told
    assert "  " not in told


@pytest.mark.clause("18-2")
def test_odds_of_an_order_without_dice_name_those_of_the_end_of_the_phase(stage_2: Callable[..., Match]) -> None:
    """They said nothing of the siege checks that `done` brings, unless it was written behind the order."""

    def change(s: State) -> None:
        s.put("hb-35", s.board.castles["kanbe"].at)
        s.besiege("hb-35")

    table = stage_2(change).table
    found = judged(table, "asuka", "move tk-08 5019")
    assert (found.words[0], found.left_out, found.closes) == ("move", (), ("done",))
    found = judged(table, "asuka", "move tk-08 5019; done")
    assert (found.words[0], found.left_out, found.closes) == ("move", ("done",), ())
    assert judged(table, "asuka", "done").closes == ()
    assert judged(stage_2(before_ueno).table, "asuka", "move tk-08 5019").closes == ()  # no castle is besieged


@pytest.mark.clause("23-6-3", "23-3-1")
def test_odds_name_what_is_lost_to_a_counterattack_and_when_neither_side_loses_anything(
    stage_2: Callable[..., Match],
) -> None:
    match = stage_2(before_nagahama)
    found = chances(match.table, "anti-hashiba", ("attack", "sb-01", "at", "hb-01"))
    ours, theirs = (
        {word for unit, shares in found.fates.items() if f"({army}-" in unit for word in shares if "step" in word}
        for army in ("sb", "hb")
    )
    assert ours == {"loses a step to the counterattack"}
    assert theirs == {"loses a step"}
    alone = stage_2(before_nagashima)
    for force in ("tk-01", "kt-05"):
        alone.table.game.state.part(force, alone.table.game.state.forces[force][1:])
    found = chances(alone.table, "anti-hashiba", ("attack", "tk-01", "at", "kt-05"))
    harmed = [share for told, share in found.each.items() if "step" in told or "killed" in told]
    assert found.fights == {"neither side loses anything": 1 - sum(harmed)}
    assert 0 < sum(harmed) < 1


@pytest.mark.clause("19-2-4(2)")
def test_odds_name_what_is_lost_to_an_interception(stage_2: Callable[..., Match]) -> None:
    found = chances(stage_2(before_ueno).table, "anti-hashiba", ("besiege", "ueno", "by", "tk-01", "assault"))
    assert {word for shares in found.fates.values() for word in shares} == {"loses a step to the interception"}
    assert found.fights["neither side loses anything"] == Fraction(2, 3) * found.results["nothing"]


@pytest.mark.clause("24-2-7", "24-2-6")
def test_a_battle_that_nobody_wins_is_counted(stage_2: Callable[..., Match]) -> None:
    def change(s: State) -> None:
        before_nagahama(s)
        for force, at in (("sb-01", "4411"), ("hb-01", "4412")):
            s.part(force, s.forces[force][1:])
            s.put(force, s.board.parse(at))
            s.reduce(force)

    match = stage_2(change)
    found = chances(match.table, "anti-hashiba", ("battle", "sb-01", "at", "hb-01"))
    assert found.fights.keys() >= {"both sides part without result"}
    told = came_words(check(match.table, "asuka", "battle sb-01 at hb-01; done").comes[0][-1])
    assert re.search(r"both sides part without result in \d+", told)


@pytest.mark.clause("20-4")
def test_odds_tell_an_offer_as_one_that_is_answered_later(stage_2: Callable[..., Match]) -> None:
    def change(s: State) -> None:
        at = s.board.castles["gifu"].at
        for force in list(s.stands[at]):
            s.shut(force)
        for force in ("hb-41", "kt-05"):
            s.put(force, at)
            s.besiege(force)

    found = chances(stage_2(change).table, "anti-hashiba", ("offer", "gifu", "none"))
    assert [*found.each] == [
        "Those inside Gifu (5313) offer to open it and march out; the besieger answers when the phase ends."
    ]


@pytest.mark.clause("20-4")
@pytest.mark.parametrize(
    ("standing", "units", "answers", "told", "plan"),
    [
        ([("accept", "any", "1")], "kb-02", "standing order `accept any 1` answers",
         "The besieger of Gifu (5313) accepts the offer; Saito Toshitaka (kb-02) is lost in the surrender; ",
         "carried out in none of 100 futures played out (Gifu is no castle of the enemy [17.0])"),
        ([("accept", "any", "1")], "none", "standing order `accept any 1` answers",
         "The besieger of Gifu (5313) refuses the offer", "carried out in "),
        ([], "kb-02", "", "The besieger of Gifu (5313) refuses the offer", "carried out in "),
    ],
)  # fmt: skip
def test_check_and_mail_tell_how_a_standing_order_answers_an_offer_and_which_plan_lapses_by_it(
    stage_2: Callable[..., Match], standing: list[Words], units: str, answers: str, told: str, plan: str
) -> None:
    def change(s: State) -> None:
        at = s.board.castles["gifu"].at
        for force in list(s.stands[at]):
            s.shut(force)
        for force in ("hb-41", "kt-05"):
            s.put(force, at)
            s.besiege(force)
        s.declared.add("kobe")
        s.set_morale("kb-01", -1)

    match = stage_2(change)
    course = match.table.course
    course.standing["hashiba"] = standing
    words = ("call", "gifu", "by", "kt-05")
    act = Act(match.table.rules.read_order(match.table.board, "hashiba", words), words)
    course.plans["hashiba"], course.planned["hashiba"] = deque([(1, Plan("stage-2", act))]), (1, "hashiba-stage-1")
    text = f"offer gifu {units}; recover kb-01; done"
    found = check(match.table, "asuka", text)
    accepted = "accepts" in told
    lapses = (
        "`call gifu by kt-05`, which ben has planned, is not carried out then: Gifu is no castle of the enemy [17.0]"
    )
    assert (lapses in found.remarks) == accepted
    teller = Teller(match.table.rules.situation(match.table.game.state))
    (said,) = replied_words(match.table, found.replies, found.played, "asuka", "my", teller)
    assert said.startswith(
        f"ben's {answers}: {told}" if answers else f"the rules answer, for want of ben's standing orders: {told}"
    )
    mail = mailed(match, text)["falls"]
    assert mail[0].startswith(
        f"Your {answers}: {told}" if answers else f"The rules answer, for want of your standing orders: {told}"
    )
    (called,) = [line for line in mail if line.startswith("Of your plan: ")]
    assert called.split("surrender: ")[1].startswith(plan)
    assert ("carried out in none" in called) == accepted


@pytest.mark.clause("19-2-4(2)")
def test_a_plan_has_the_odds_of_each_course_that_things_may_take(stage_2: Callable[..., Match]) -> None:
    """They were those of one future: whoever is led and loses a step was no loss of the force that is ordered."""
    match = stage_2(before_ueno)
    s = match.table.rules.copy(match.table.game.state)
    s.besiege("tk-01")
    order = Assault("ueno", ("tk-01",))
    whole = tell_odds(s, order)
    s.reduced.add(s.forces["tk-01"][-1])
    hurt = tell_odds(s, order)
    assert hurt != whole
    found = check(match.table, "asuka", "besiege ueno by tk-01 assault; done; in stage-3: assault ueno by tk-01")
    told = came_words(found.comes[-1][-1])
    assert told.startswith("carried out in all 100 futures played out; ")
    (times,) = [
        int(part.split()[1]) for part in re.findall(r"in \d+ of 100: interception[^;]*;[^;]*", told) if hurt in part
    ]
    assert 20 <= times <= 50  # the interception costs a step at each third throw
    assert any(whole in part for part in told.split("; in "))
    assert found.remarks[-1].startswith("what is told of 100 futures played out comes of random dice")


def test_odds_of_a_plan_that_differ_in_a_number_before_their_shares_are_told_once(
    stage_2: Callable[..., Match],
) -> None:
    """A strength of 13 has the shares of 14; one of 12 has others."""

    def change(s: State) -> None:
        s.put("hb-01", s.board.parse("5219"))
        s.put("kt-01", s.board.parse("5120"))

    text = "attack tk-01 at hb-01; done; in stage-3: attack tk-01 at kt-01"
    found = came_words(check(stage_2(change).table, "asuka", text).comes[-1][-1])
    groups = re.findall(r"in (\d+) of 100: (strength [^,]*), die -2 for the river, \+2 for skill: ", found)
    assert [strength for _, strength in groups] == ["strength 13 or 14", "strength 12"]
    assert sum(int(times) for times, _ in groups) == 100


@pytest.mark.clause("23-4-6", "23-6")
def test_check_and_mail_reckon_with_the_refuge_that_a_standing_order_takes(stage_2: Callable[..., Match]) -> None:
    match = stage_2(before_kiyosu)
    match.table.course.standing["hashiba"] = [("give-way", "any", "2+")]
    odds = mailed_odds(match, "attack tk-01 at kt-05; done")
    assert "; with 2 or 3 losses (66.7 %) takes refuge in the castle; else (33.3 %) counterattack, of these no " in odds


def mailed_odds(match: Match, text: str) -> str:
    """The odds of the first order, told alike by check and mail."""
    told_by_check = came_words(check(match.table, "asuka", text).comes[0][-1])
    (_, __, odds), *___ = told(mailed(match, text))
    assert odds == told_by_check
    return odds


def test_a_plan_whose_forces_nothing_befalls_has_its_odds_alone(stage_2: Callable[..., Match]) -> None:
    match = stage_2(before_nagashima)
    found = check(match.table, "asuka", "done; in stage-3: attack tk-01 at kt-05")
    assert came_words(found.comes[-1][-1]).startswith(tell_odds(match.table.game.state, Attack("tk-01", ("kt-05",))))
    assert not re.search(r"in \d+ strength", came_words(found.comes[-1][-1]))


@pytest.mark.parametrize(
    ("move", "where"),
    [
        ("", " at Nagashima (5119)"),
        ("move tk-08 5019 5018", " in hex 5018"),
        ("if empty 5019 then move tk-08 5019", ""),
    ],
)
def test_a_plan_names_the_place_to_which_its_force_goes_before(
    stage_2: Callable[..., Match], move: str, where: str
) -> None:
    plan = "in stage-3: attack tk-08 at kt-12; in stage-4: move tk-08 5119"
    data = mailed(stage_2(before_ueno), f"besiege ueno by tk-01 assault; {move or 'say wait'}; done; {plan}")
    (attacks, goes) = [words for _, words, _ in told(data) if "planned" in words.lower()]
    assert f": Takigawa Akimasu{'' if move else ' (tk-08)'}{where} attacks Iida Masaie (kt-12)" in attacks
    assert ("from" in goes) == (where != "")


@pytest.mark.clause("19-3-1(1)", "19-2-4(2)", "18-3-2")
def test_odds_of_a_siege_with_its_assaults_tell_of_the_castle_of_losses_and_of_the_end_of_the_siege(
    stage_2: Callable[..., Match],
) -> None:
    """They were `1 loss`, of what wasn't said."""
    match = stage_2(before_ueno)
    found = chances(match.table, "anti-hashiba", ("besiege", "ueno", "by", "tk-01", "assault"))
    assert found.results.keys() == {"nothing", "durability -1", "durability -2", "durability -3"}
    assert sum(found.results.values()) == 1
    (fates,) = found.fates.values()
    assert fates == {"loses a step to the interception": Fraction(1, 3)}

    def barely(s: State) -> None:
        before_ueno(s)
        while strength(s, ["tk-01"]) > 10:  # with which Ueno can just be besieged
            s.part("tk-01", s.forces["tk-01"][-1:])

    match = stage_2(barely)
    found = chances(match.table, "anti-hashiba", ("besiege", "ueno", "by", "tk-01", "assault"))
    assert found.fates["Ueno (4924)"] == {"its siege ends": Fraction(1, 3)}


@pytest.mark.clause("18-2")
@pytest.mark.parametrize("sieges", [2, 1, 0])
def test_odds_of_what_ends_the_phase_tell_its_siege_checks_and_those_before_it_name_them(
    stage_2: Callable[..., Match], capsys: pytest.CaptureFixture[str], sieges: int
) -> None:
    """Of several checks nothing was told: none is a fight, so that nothing could be told together."""

    def change(s: State) -> None:
        for castle, besiegers in [("kanbe", ("hb-40", "kt-01")), ("mine", ("hb-01",))][:sieges]:
            for force in besiegers:
                s.put(force, s.board.castles[castle].at)
                s.besiege(force)

    match = stage_2(change)
    left_out = ("done",) if sieges else ()
    assert judged(match.table, "asuka", "move tk-08 5019; done").left_out == left_out
    assert judged(match.table, "asuka", "move tk-08 5019").left_out == ()
    show_chances(chances(match.table, "anti-hashiba", ("done",)), ("done",), each=False)
    told = capsys.readouterr().out
    assert ("Siege of Kanbe" in told) == (sieges > 0)
    assert ("Siege of Mine" in told) == (sieges > 1)


def test_the_dice_at_the_end_of_a_phase_are_none_of_its_closing_order(stage_2: Callable[..., Match]) -> None:
    """`done` was told to be carried out in some of the futures: in the others the phase had ended by itself."""

    def change(s: State) -> None:
        for force in ("hb-40", "kt-01"):
            s.put(force, s.board.castles["kanbe"].at)
            s.besiege(force)

    match = stage_2(change)
    found = check(match.table, "asuka", "move tk-08 5019; done")
    assert any(step["what"] == "siege-check" for step in ended(match) if step["kind"] == "tell")
    assert [words for _, words, _ in found.comes if words[-1] == "done"] == []


def ended(match: Match) -> list[Json]:
    """What has happened when asuka has ended her phase, and ben's mail has opened the dice."""
    match.play("done")
    match.due()
    return match.table.steps


def test_an_order_that_names_no_force_first_begins_with_a_capital(stage_2: Callable[..., Match]) -> None:
    def change(s: State) -> None:
        before_ueno(s)
        for force in ("hb-40", "kt-01"):
            s.put(force, s.board.castles["kameyama"].at)
            s.besiege(force)

    (_, (number, words, _), last) = told(
        mailed(stage_2(change), "besiege ueno by tk-01 assault; offer kameyama none; done")
    )
    assert (number, words) == (2, "Those inside Kameyama (4723) offer to open it and march out")
    assert last[1] == "Then the phase ends."


def test_dice_that_no_order_brings_are_named(stage_2: Callable[..., Match]) -> None:
    """A mail said that the dice fall when it is opened, and of none what for."""

    def besieged(s: State) -> None:
        s.put("gm-01", s.board.parse("4723"))
        s.besiege("gm-01")

    data = mailed(stage_2(besieged), "done")
    checks, *incidents = data["falls"]
    assert checks.startswith("Dice fall for: siege check of Kameyama (4723)")
    assert all(
        re.match(r"Dice fall in \d+ of 100 futures played out for: incident of Kameyama", one) for one in incidents
    )
    assert mailed(stage_2(before_nagashima), "attack tk-01 at kt-05; done")["falls"] == []


@pytest.mark.clause("18-3-2")
@pytest.mark.parametrize("order", ["lift tk-01", "move tk-01 4824"])
def test_of_who_gives_up_a_siege_it_is_told_that_it_ends(stage_2: Callable[..., Match], order: str) -> None:
    """Neither `check` nor the mail said so of it, but the form alone."""

    def besieged(s: State) -> None:
        s.put("tk-01", s.board.castles["ueno"].at)
        s.besiege("tk-01")

    def joined(s: State) -> None:
        besieged(s)
        s.thawed.add("shibata")
        s.put("sb-01", s.board.castles["ueno"].at)
        s.besiege("sb-01")

    for change, ends in ((besieged, True), (joined, False)):  # the other goes on with it
        match = stage_2(change)
        found = check(match.table, "asuka", f"{order}; done")
        assert not found.errors
        words = "4924: its siege ends then [18-3-2]"
        assert any(remark.endswith(f"`{order}`: {words}") for remark in found.remarks) == ends, found.remarks

    data = mailed(stage_2(besieged), f"{order}; done")
    ended = news(data)
    if order.startswith("lift"):
        assert ended[0] == "Takigawa Kazumasu (tk-01) gave up the siege."
        (action, *_), *_ = (group["actions"] for group in data["news"])
        assert action["headline"] == "Takigawa Kazumasu (tk-01) gave up the siege; the siege of Ueno (4924) is over."
    assert any(told.startswith("The siege of Ueno (4924) is over") for told in ended)

    def fought_before(s: State) -> None:
        before_nagahama(s)
        besieged(s)

    _, (__, ___, odds), *____ = told(mailed(stage_2(fought_before), f"attack sb-01 at hb-01; {order}; done"))
    assert odds == words


def test_dice_of_a_situation_change_are_told_by_what_they_decide(stage_2: Callable[..., Match]) -> None:
    """`begin of Mori and Saika Negoro; thaw of Shibata` was what a mail said of them."""
    match = stage_2(before_nagashima)
    teller = Teller(mailed(match, "done")["situation"])
    assert teller.dice(["begin/mori", "begin/saika-negoro", "thaw/shibata"]) == (
        "whether the Mori, and the Saika and Negoro, begin to act; whether the Shibata act in this inning"
    )


def fought_out(stage_2: Callable[..., Match], standing: list[Words]) -> Json:
    """The mail behind a battle of Katsuie and Hideyoshi that was fought to its end."""
    match = stage_2(before_nagahama)
    match.table.course.standing["hashiba"] = [("consent", "any", "yes"), *standing]
    match.play("battle sb-01 at hb-01; done")
    match.play("done")
    return mail_data(match.table, SCENARIO, "asuka")


def test_a_mail_tells_each_round_of_a_battle_in_a_paragraph_and_each_loss_once(stage_2: Callable[..., Match]) -> None:
    """It was one paragraph of 45 lines, and each loss stood there twice: as answered by default, and as it came."""
    data = fought_out(stage_2, [])
    text = mail_text(data)
    rounds = re.findall(r"^ +(?:Fight 1\. )?Round (\d+) of the battle, Shibata Katsuie", text, re.M)
    assert rounds == [str(number) for number in range(1, len(rounds) + 1)]
    assert len(rounds) > 1
    assert mail_html(data, (), "").count("<br>Round ") == len(rounds) - 1
    whole = " ".join(text.split())
    assert "loses a step" not in whole
    assert "The Hashiba side had no standing order for this; by default: Asano Nagamasa (hb-04)" in whole
    assert len(re.findall(r"lost a step|was killed|were killed", whole)) >= len(rounds)


def test_losses_by_standing_order_are_told_once(stage_2: Callable[..., Match]) -> None:
    data = fought_out(stage_2, [("lose", "any", "hb-13", "hb-14")])
    words = " ".join(mail_text(data).split())
    assert 'Standing order of the Hashiba side, "lose any hb-13 hb-14": Kuroda Yoshitaka (hb-13) lost a step' in words
    assert 'Standing order of the Hashiba side, "lose any hb-13 hb-14": Kuroda Yoshitaka (hb-13) loses' not in words


def heading(data: Json) -> list[str]:
    """The line above the score in a mail."""
    return re.findall(r"^How it stands.*(?:\n.*)?:$", mail_text(data), re.M)


def opened(s: State) -> None:
    """Kanbe is besieged by Hideyoshi, who takes any castle that is offered; Takigawa is in it, with six others."""
    at = s.board.castles["kanbe"].at
    for force in list(s.stands.get(at, ())):
        s.put(force, s.board.parse("4825"))
    s.put("hb-01", at)
    s.put("tk-01", at)
    s.shut("tk-01")
    s.besiege("hb-01")


def test_a_mail_tells_the_score_behind_what_surely_changes_it(stage_2: Callable[..., Match]) -> None:
    """It told 46 points before an offer that was sure to be accepted, and cost a castle and a unit."""
    match = stage_2(opened)
    match.table.course.standing["hashiba"] = [("accept", "any", "1")]
    data = mailed(match, "attack tk-01 at hb-01; offer kanbe tk-07; done")
    (words,) = heading(data)
    told = "How it stands after the orders above and the dice of this mail, in all of 100 futures played out:"
    assert " ".join(words.split()) == told
    match.play("done")
    assert data["progress"] == mail_data(match.table, SCENARIO, "asuka")["progress"]


def test_a_mail_tells_no_score_that_surely_changes_in_ways_that_differ(stage_2: Callable[..., Match]) -> None:
    def hunted(s: State) -> None:
        before_nagahama(s)
        for unit in s.forces["hb-01"]:
            s.reduced.add(unit)

    match = stage_2(hunted)
    match.table.course.standing["hashiba"] = [("consent", "any", "yes")]
    data = mailed(match, "battle sb-01 at hb-01; done")
    assert heading(data) == []
    assert data["progress"] == []


def test_a_mail_tells_the_score_of_now_where_it_may_stay(stage_2: Callable[..., Match]) -> None:
    data = mailed(stage_2(before_nagashima), "attack tk-01 at kt-05; done")
    assert heading(data) == ["How it stands before the orders above and the dice of this mail:"]


def test_a_mail_says_why_a_plan_is_carried_out_in_no_future(stage_2: Callable[..., Match]) -> None:
    """Only `check` did, and the mail in which the plan has its turn."""
    data = mailed(stage_2(before_nagashima), "done; in stage-3: besiege ueno by tk-01; in stage-3: done")
    told_of = [(words, odds) for _, words, odds in told(data) if "besieges Ueno" in words]
    assert told_of == [
        (
            "Plan 1. Takigawa Kazumasu (tk-01) besieges Ueno (4924)",
            "never carried out (tk-01 Takigawa Kazumasu isn't before Ueno, in its hex [17-1-1])",
        )
    ]


def test_a_sortie_is_called_so_before_its_dice(stage_2: Callable[..., Match]) -> None:
    (_, words, _), _ = told(mailed(stage_2(opened), "attack tk-01 at hb-01; done"))
    assert words == "Takigawa Kazumasu (tk-01) at Kanbe (4923) makes a sortie and attacks Hashiba Hideyoshi (hb-01)"


def test_a_mail_tells_a_retreat_over_several_hexes_in_one_sentence(stage_2: Callable[..., Match]) -> None:
    """`Katsuie went back one hex north-west to 4312. Katsuie went back one hex north-west to 4211.` was told of it."""

    def change(s: State) -> None:
        before_nagahama(s)
        for other in ("md-01", "sb-02"):
            s.put(other, s.board.parse("4412"))

    match = stage_2(change)
    match.table.course.standing["hashiba"] = [("consent", "any", "yes")]
    match.play("battle sb-01 at hb-01 until 60 skirmish hb-01; done")
    match.play("done")
    words = " ".join(mail_text(mail_data(match.table, SCENARIO, "asuka")).split())
    assert re.search(r"went back (?:\w+ hex(?:es)? [a-z-]+, then )+one hex [a-z-]+, to \S", words)
    assert not re.search(r"(\w+ \w+) went back [^.]*\. \1 went back", words)


def test_of_several_that_are_attacked_each_is_told_where_it_goes(stage_2: Callable[..., Match]) -> None:
    """Only the first of them was."""

    def change(s: State) -> None:
        before_nagahama(s)
        for force in ("hb-35", "nw-01"):
            s.put(force, s.board.parse("4512"))

    match = stage_2(change)
    match.table.course.standing["hashiba"] = [("give-way", "any", "retreat"), ("retreat", "any", "castle")]
    odds = mailed_odds(match, "attack sb-01 at hb-35 nw-01; done")
    both = [
        re.findall(rf"{force} retreats to 4413 and takes refuge in the castle in (\d+)", odds)
        for force in ("hb-35", "nw-01")
    ]
    assert both[0] == both[1]
    assert len(both[0]) == 1


def test_a_mail_tells_which_standing_orders_are_given_and_cleared(stage_2: Callable[..., Match]) -> None:
    match = stage_2(before_nagahama)
    attack = "attack sb-01 at hb-01;"
    first = mailed(match, f"{attack} standing give-way sb-01 1+ steps; standing counter any no")
    (of,) = first["orders"]
    number, words, _ = told(first)[-1]
    assert (number, words) == (0, "Standing orders given: `give-way sb-01 1+ steps`, `counter any no`")
    assert of["items"][0]["number"] == 1
    page = re.sub("</?nobr>", "", mail_html(first, (), ""))
    assert "Standing orders given: <code>give-way sb-01 1+ steps</code>, <code>counter any no</code>." in page
    match.play()  # ben's secret
    second = mailed(match, "standing give-way sb-01; standing counter any yes")
    words = "Standing orders given: `counter any yes`; cleared: `give-way sb-01`"
    assert [item["told"] for of in second["orders"] for item in of["items"]] == [words]
    assert words in " ".join(mail_text(second).split())
    match.play()
    assert not any("Standing" in item["told"] for of in mailed(match, "done")["orders"] for item in of["items"])


def test_form_and_mail_of_a_question_say_that_several_answers_can_go_in_one_mail() -> None:
    match = Match(SCENARIO, 1, reactions="ask")
    for _ in range(4):
        match.play("" if match.table.seq == 1 else "done")
    in_state(match, before_nagahama)
    words = "in the order in which they will be asked."
    assert words not in form(match.table, "asuka")
    data = mailed(match, "attack sb-01 at hb-01")
    assert data["answers"]
    assert any(line.endswith(words) for line in data["how"])
    while match.due()[0] == "reveal":
        match.play()
    what, name = match.due()
    assert what == "react"
    told = " ".join(form(match.table, name).replace("#", "").split())
    assert f"Several answers may stand here, {words}" in told


def test_standing_orders_that_answer_together_are_all_named(stage_2: Callable[..., Match]) -> None:
    """Who joins a battle is one answer for all forces of the hex: here each stays out by an order of its own."""

    def beside(s: State) -> None:
        for force, at in {"hb-01": "4414", "hb-02": "4414", "hb-03": "4414", "sb-01": "4415"}.items():
            s.put(force, s.board.parse(at))
        s.thawed.add("shibata")

    match = stage_2(beside)
    given = ("join hb-02 no", "join hb-03 no", "counter any yes", "fight-on any 0")
    match.table.course.standing["hashiba"] = [tuple(words.split()) for words in given]
    match.play("battle sb-01 at hb-01; done")
    while match.due()[0] == "reveal":
        match.play()
    (joined,) = (step["by"] for step in match.table.steps if step.get("words", [])[:1] == ["give-battle"])
    assert [" ".join(words) for words in joined] == ["join hb-02 no", "join hb-03 no"]
    page = " ".join(text(report_data(match.table, SCENARIO, "ben")).split())
    assert 'by the standing orders "join hb-02 no", "join hb-03 no" and "fight-on any 0" of the Hashiba side' in page
    assert 'Standing orders of the Hashiba side, "join hb-02 no" and "join hb-03 no": ' in page


def test_a_planned_condition_to_stop_that_is_watched_is_reached_with_its_phase(
    stage_2: Callable[[Callable[[State], None]], Match],
) -> None:
    """`stop whenever` behind `in PHASE:` was told as never reached, though it was watched all through the phase."""
    table = stage_2(lambda _: None).table
    twice = ("strict", "move tk-01 5118", "move tk-01 5117")
    for planned, told in (
        (("stop whenever gone kt-05", "move tk-01 5118"), "`in stage-3: stop whenever gone kt-05` never holds"),
        (
            (*twice, "stop if gone kt-05"),
            "`in stage-3: stop if gone kt-05` is never reached: ",
        ),
    ):
        text = "; ".join(["done", *(f"in stage-3: {order}" for order in (*planned, "done"))])
        (said,) = [remark for remark in check(table, "asuka", text).remarks if "gone kt-05" in remark]
        assert told in said


@pytest.mark.clause("18-3", "17-1-5")
def test_a_phase_that_ends_without_anything_where_what_is_planned_lapses_is_told(stage_2: Callable[..., Match]) -> None:
    """It was told only where nothing was carried out in any future, not where the siege ends in a third of them."""

    def weak(s: State) -> None:
        before_ueno(s)
        for unit in s.forces["tk-01"][1:]:
            if strength(s, ("tk-01",)) > 10:
                s.reduced.add(unit)

    table = stage_2(weak).table
    assert strength(table.game.state, ("tk-01",)) == 10
    text = "besiege ueno by tk-01 assault; done; in stage-3: assault ueno by tk-01; {}in stage-3: done"
    ends = "; `in stage-3: done` then ends the phase, in which nothing is carried out"
    (lapse,) = check(table, "asuka", text.format("")).lapses
    assert 0.15 < lapse.share < 0.55
    assert str(lapse).endswith(ends)
    assault, move = check(table, "asuka", text.format("in stage-3: move tk-01 4923; ")).lapses
    assert not any(str(lapse).endswith(ends) for lapse in (assault, move)), "one of both is carried out"
