"""A campaign by mail: what one mail may have, which orders are read ahead, and which wait in plans."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from matches import Match, planned, scenario_of, statements

from pbem.errors import BadScenario, IllegalOrder
from pbem.match.check import Checked, check
from pbem.match.comes import Comes
from pbem.match.form import form
from pbem.match.game import Game
from pbem.match.judged import judged
from pbem.report.odds import chances
from pbem.rules.fates import fought
from pbem.rules.requests import Choose
from pbem.rules.sengoku import deployment
from pbem.scenario import load_scenario


@pytest.fixture
def begun() -> Callable[..., Match]:
    """Begins a campaign: asuka is the anti-Hashiba side, ben the Hashiba."""
    scenario = scenario_of("shizugatake")

    def begin(number: int = 1) -> Match:
        match = Match(scenario, number)
        match.play()  # the offer is asuka's, and ben deploys first
        return match

    return begin


def test_the_form_has_all_conditions_in_one_list(begun: Callable[..., Match]) -> None:
    told = " ".join(form(begun().table, "ben").replace("#", "").split())
    assert "Tests: gone U, alive U, at U HEX, empty HEX, held HEX SIDE, is U WORD, fallen CASTLE; with `not`" in told


def test_no_order_of_the_form_is_broken_between_at_and_its_place(begun: Callable[..., Match]) -> None:
    lines = form(begun().table, "ben").splitlines()
    assert not [line for line in lines if line.endswith(" at,")]
    assert "#   at 1623;" in lines


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("attack hb-41 at Gifu", "forces are placed now, and the other side places its own before any of them acts"),
        ("attack hb-41 at kb-01", "forces are placed now, and the other side places its own before any of them acts"),
        ("place tk-01 at 5416", "tk-01 Takigawa Kazumasu is a unit of the enemy"),
        ("place kt-05 at 4413", "kt-05 Kitabatake Nobuo is placed in Owari, not at 4413 Nagahama"),
        ("place hb-31 at 4413", "hb-31 Miyabe Keijun is placed at 0911 Tottori, not at 4413 Nagahama"),
    ],
)
def test_orders_in_a_deployment_are_refused_for_what_is_so(begun: Callable[..., Match], text: str, why: str) -> None:
    (error,) = checked(begun(), text).errors
    assert why in str(error)
    assert "[36.4]" in str(error) or "enemy" in why


def test_the_hexes_of_a_deployment_are_named(begun: Callable[..., Match]) -> None:
    match = begun()
    match.play("done")
    (error,) = checked(match, "place tk-01 at 5416").errors
    assert "is placed at 5119 Nagashima or 4723 Kameyama or 4822 Mine or 5120 Kuwana, not at 5416" in str(error)


def orders(match: Match) -> list[str]:
    """The orders carried out, each with its side."""
    return [f"{step['side']} {' '.join(step['words'])}" for step in match.table.steps if step["kind"] == "order"]


def lapsed(match: Match) -> list[str]:
    """The orders that lapsed, with the reason."""
    return [f"{' '.join(step['words'])}: {step['reason']}" for step in match.table.steps if step["kind"] == "lapse"]


def checked(match: Match, text: str) -> Checked:
    """What `check` says of orders of the player who is due."""
    _, name = match.due()
    assert name is not None
    return check(match.table, name, text, random.Random(1), 3)


@pytest.mark.clause("3.0(1)")
def test_no_game_begins_without_its_scenario(begun: Callable[..., Match]) -> None:
    with pytest.raises(BadScenario, match="no scenario is called 'sekigahara'"):
        load_scenario("sekigahara")
    assert begun().genesis.terms.scenario == "shizugatake"


FIRST = """place tk-01 tk-02 tk-03 at Nagashima
place tk-04 at Kameyama enter
declare kobe
move tk-01 5019
in stage-2: move tk-01 5119
in stage-2: done
done
"""


def test_one_mail_has_the_deployment_a_declaration_and_the_first_stage(begun: Callable[..., Match]) -> None:
    match = begun()
    assert match.due() == ("orders", "ben")
    match.play("done")
    assert match.due() == ("orders", "asuka")
    match.play(FIRST)
    assert lapsed(match) == []
    assert match.due() == ("orders", "ben")
    assert match.table.rules.clock(match.table.game.state) == (1, "hashiba-stage-1")
    given = [words for words in orders(match) if words.startswith("anti")]
    assert given == [
        "anti-hashiba place tk-01 tk-02 tk-03 at 5119",
        "anti-hashiba place tk-04 at 4723 enter",
        "anti-hashiba declare kobe",
        "anti-hashiba move tk-01 5019",
        "anti-hashiba done",
    ]
    match.play("done")
    assert match.table.rules.clock(match.table.game.state) == (1, "hashiba-stage-2")
    assert [words for words in orders(match) if words.startswith("anti")][-2:] == [
        "anti-hashiba move tk-01 5119", "anti-hashiba done",
    ]  # fmt: skip


def test_what_befalls_those_inside_a_castle_counts_for_the_odds_of_its_assault(begun: Callable[..., Match]) -> None:
    match = begun()
    match.play("close deployment")
    match.play("close deployment")
    known = Comes(match.table)
    shaken = {"kind": "tell", "what": "shaken", "clause": "", "facts": {"unit": "ib-01", "by": 1, "morale": -2}}
    assert known._near.came(("assault", "sone", "by", "kb-01"), [shaken])
    assert not known._near.came(("assault", "gifu", "by", "kb-01"), [shaken]), "who is elsewhere doesn't count"


def test_a_plan_for_the_first_stage_is_taken_up_in_the_window_of_its_own_mail(begun: Callable[..., Match]) -> None:
    match = begun()
    match.play("done")
    match.play("close deployment\nclose situation\nin stage-1: move tk-01 5019\nin stage-1: done")
    assert match.due() == ("orders", "ben")
    assert lapsed(match) == []
    assert "anti-hashiba move tk-01 5019" in orders(match)


def test_the_end_of_a_step_that_has_ended_by_itself_is_no_error(begun: Callable[..., Match]) -> None:
    match = begun()
    text = "".join(f"place {' '.join(units)} at {h}\n" for units, h in placed(match, "hashiba"))
    assert checked(match, text + "close deployment").errors == []
    (error,) = checked(match, text + "declare kobe").errors
    assert "the other side places its own before any of them acts [36.4]" in str(error)
    match.play(text + "close deployment")
    assert lapsed(match) == []
    assert match.due() == ("orders", "asuka")
    text = "close deployment\ndeclare kobe\nclose situation\nstrict\nmove tk-01 5019\n"
    assert checked(match, text + "done").errors == []
    match.play(text + "done")
    assert match.due() == ("orders", "ben")
    match.play("strict\nmove hb-02 1624\ndone")  # with which the dice of the situation change fall
    assert lapsed(match) == []
    given = [words for words in orders(match) if words.startswith("anti")]
    assert given[-3:] == ["anti-hashiba declare kobe", "anti-hashiba move tk-01 5019", "anti-hashiba done"]
    for step in ("deployment", "situation"):
        (error,) = checked(match, f"close {step}").errors  # it isn't of this window
        assert "forces act in this phase" in str(error)


def test_what_is_played_or_over_in_the_mail_itself_needs_no_remark(begun: Callable[..., Match]) -> None:
    match = begun()
    match.play("done")
    plans = "in stage-2: move tk-01 5119\nin stage-2: done"
    found = checked(match, f"declare kobe\nclose situation\nmove tk-01 5019\ndone\n{plans}")
    assert found.errors == []
    assert not any("stage-1" in remark or "close situation" in remark for remark in found.remarks)
    found = checked(match, f"declare kobe\nclose situation\nmove tk-01 5019\n{plans}")
    assert any("my phase stage-1 comes before stage-2" in remark for remark in found.remarks)
    found = checked(match, "done\nin stage-3: move tk-01 5019")
    assert any("my phase stage-2 comes before stage-3" in remark for remark in found.remarks)


def test_a_reason_that_says_what_to_do_is_no_reason_to_leave_the_order_out(begun: Callable[..., Match]) -> None:
    match = begun()
    match.play("done")
    (error,) = checked_in_many(match, "move tk-01 4817").errors
    assert "aren't adjacent: name every hex of the way" in str(error)
    assert "leave it out" not in str(error)
    (error,) = checked_in_many(match, "assault ueno by tk-01").errors
    assert "leave it out" in str(error)


def checked_in_many(match: Match, text: str) -> Checked:
    """What `check` says in so many futures that what is so in all of them is certain."""
    return check(match.table, "asuka", text, random.Random(1), 20)


def placed(match: Match, side: str) -> list[tuple[tuple[str, ...], str]]:
    """Every force of a side as it is led best, and where it stands if nobody says where."""
    s = match.table.game.state
    return [
        (units, s.board.label[deployment.usual(s, one)])
        for one in deployment.placing(s, side)
        for units in deployment.grouped(s.board, s.waiting[one.id])
    ]


def test_ways_of_the_first_stage_are_read_behind_the_deployment_of_the_same_mail(begun: Callable[..., Match]) -> None:
    match = begun()
    (error,) = checked(match, "close deployment\nmove hb-01 to Hyogo").errors
    assert "the other side places its own before any of them acts [36.4]" in str(error)
    match.play("done")
    found = checked(match, "place tk-01 tk-02 at Kameyama\nmove tk-01 to Mine\ndone")
    assert found.errors == []
    assert [reading.words for reading in found.readings] == [
        ("place", "tk-01", "tk-02", "at", "4723"),
        ("move", "tk-01", "4822"),
    ]
    found = checked(match, "place tk-01 tk-02 at Kameyama\norganise tk-01 leaves tk-02")
    assert found.readings[-1].words == ("organise", "tk-01", "as", "tk-01", "and", "tk-02")
    (error,) = checked(match, "close deployment\nmove tk-01 to Kitanosho").errors
    assert "movement points, tk-01 Takigawa Kazumasu has" in str(error)
    (error,) = checked(match, "move kb-01 to 5414").errors
    assert "the Kobe can't act until the Kobe have declared that they act" in str(error)
    found = checked(match, "declare kobe\nmove kb-01 to 5414")
    assert (found.errors, found.lapses) == ([], [])


def test_behind_the_dice_of_the_situation_change_a_mail_ends_the_steps_of_itself(begun: Callable[..., Match]) -> None:
    match = begun()
    match.play("done")
    match.play("close deployment")
    assert match.due()[1] == "ben"  # his secret opens the dice
    match.play()
    assert match.due() == ("orders", "asuka")
    found = checked(match, "move tk-01 to 5018\nmove tk-01 to 5119\ndone")
    assert "has acted in this phase" in str(found.errors[0])
    found = checked(match, "declare kobe\nmove tk-01 to 5018\nattack kb-01 at 5012\ndone")
    assert ["isn't adjacent" in str(error) for error in found.errors] == [True]  # Kobe acts, but at Gifu
    assert [reading.words for reading in found.readings] == [("attack", "kb-01", "at", "ib-01")]
    match.play("\n".join(" ".join(words) for words in [("move", "tk-01", "5019"), ("done",)]))
    assert lapsed(match) == []
    assert match.due() == ("orders", "ben")
    assert match.table.game.state.declared == set()


@pytest.mark.parametrize("lifts", [True, False])
def test_a_siege_is_lifted_behind_the_last_force_that_can_act(begun: Callable[..., Match], lifts: bool) -> None:
    match = begun()
    match.play("done")
    match.play("done")
    match.play("done")
    match.play("done")
    s = match.table.rules.copy(match.table.game.state)
    assert match.table.rules.clock(s) == (1, "hashiba-stage-2")
    s.put("tt-01", s.board.castles["mine"].at)
    s.besiege("tt-01")
    s.acted.update(unit for unit in s.leader if unit != "od-01")
    match.table.course.game = Game(match.table.rules, s.board, s)
    match.table.course.game.hear = match.table.course._hear
    lift = "lift tt-01\n" if lifts else ""
    assert checked(match, f"move od-01 4824\n{lift}done").errors == []
    match.play(f"move od-01 4824\n{lift}")
    assert lapsed(match) == []
    assert ("hashiba lift tt-01" in orders(match)) == lifts
    assert match.due() == ("orders", "asuka")  # without a force that can act nobody is asked for more


def test_odds_of_an_order_behind_the_situation_change_tell_of_the_order(begun: Callable[..., Match]) -> None:
    match = begun()
    match.play("done")
    match.play("close deployment")
    match.play()
    request = match.table.game.request
    assert isinstance(request, Choose)
    assert request.kind == "situation"
    (told,) = chances(match.table, "anti-hashiba", ("move", "tk-01", "5019")).each
    assert told == "Takigawa Kazumasu (tk-01) moves from Nagashima (5119) to hex 5019."


@pytest.mark.parametrize("order", ["attack tk-01 at kt-12", "move tk-01 5120", "recover tk-01", "declare kobe"])
def test_what_comes_behind_the_dice_of_a_deployment_has_no_odds_yet(begun: Callable[..., Match], order: str) -> None:
    """It crashed, as nobody stands on the map yet, or told of the deployment."""
    match = begun()
    match.play("done")
    with pytest.raises(IllegalOrder, match="dice fall between the deployment, asked now, and it"):
        judged(match.table, "asuka", order)
    assert judged(match.table, "asuka", "place tk-01 at 5119").there is match.table
    match.play("close deployment")
    match.due()
    match.play()
    assert match.due() == ("orders", "asuka")
    assert judged(match.table, "asuka", "move tk-01 5120").words == ("move", "tk-01", "5120")


@pytest.mark.parametrize(("losses", "words"), [(0, "no loss"), (1, "1 loss"), (2, "2 losses")])
def test_a_number_of_losses_is_the_result_of_a_fight(losses: int, words: str) -> None:
    assert fought({"result": losses}) == words
    assert fought({"result": "1"}) == "check +1"  # of a table of another system


def test_bots_with_the_defaults_send_one_mail_a_phase(begun: Callable[..., Match]) -> None:
    match, chance, asked = begun(), random.Random(3), []
    rules = match.table.rules
    while True:
        what, name = match.due()
        turn, phase = rules.clock(match.table.game.state)
        if turn > 1 or name is None:
            break
        assert what == "orders", "no secret goes alone"
        asked.append(phase)
        side = match.sides[name]
        match.play(statements(planned(match.table, side, rules.advise, chance)))
    stages = [f"{side}-stage-{n}" for n in (1, 2, 3, 4) for side in ("anti-hashiba", "hashiba")]
    assert asked == ["deployment", "deployment", *stages[1:]]
