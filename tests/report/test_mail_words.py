"""What a mail says in few words: of which turn its subject speaks, whose a die is, that a plan was dropped."""

from __future__ import annotations

import pytest
from matches import Match, scenario_of

from pbem.report import mail
from pbem.report.asked import Asked, Foreseen
from pbem.report.headlines import _expected, roll_of


@pytest.mark.parametrize(
    ("futures", "turn"),
    [
        (((Asked("reveal", "ben", turn=1), 3),), 1),
        (((Asked("reveal", "asuka", turn=2), 3), (Asked("orders", "ben", "move", turn=3), 1)), 3),
        (((Asked("reveal", "ben", turn=1), 3), (Asked("orders", "ben", "move", turn=2), 1)), 2),
        (((Asked("orders", "asuka", "move", turn=4), 1),), 4),
    ],
)
def test_a_subject_names_the_turn_in_which_the_reader_decides_or_in_which_it_comes(
    futures: tuple[tuple[Asked, int], ...], turn: int
) -> None:
    assert mail._when(Foreseen("ben", True, futures), "ben") == turn


def test_dice_that_the_sides_throw_for_themselves_are_told_with_the_side() -> None:
    facts = {"side": "union", "whose": {"initiative/union": "union", "initiative/confederate": "confederate"}}
    rolls = [{"label": f"initiative/{side}/1", "dice": [2], "sides": 6} for side in ("union", "confederate")]
    item = {"facts": facts, "fight": False, "rolls": rolls}
    assert [roll_of(roll, item, {}) for roll in rolls] == ["initiative of union", "initiative of confederate"]


@pytest.mark.parametrize(
    ("of", "told"),
    [
        (("no effect", "M3"), "expected no effect 50 %, M3 50 %"),
        (("defender f, attacker D", "no effect"), "expected defender f, attacker D 50 %; no effect 50 %"),
    ],
)
def test_results_of_several_words_are_parted_by_semicolons(of: tuple[str, ...], told: str) -> None:
    assert _expected({"what": what, "per_cent": "50 %"} for what in of) == told


def test_a_mail_of_one_screen_says_first_that_a_plan_was_dropped() -> None:
    scenario = scenario_of("cedar-mountain")
    match = Match(scenario, 7)
    match.play("march buford S0223;\nmarch me-1 S1625;")
    data = mail.mail_data(match.table, scenario, "ben")
    stop = {"kind": "stop", "what": None, "told": "The plan was dropped.", "rolls": [], "facts": {}}
    other = {"kind": "tell", "what": "tired", "told": "Somebody came to fatigue 1.", "rolls": [], "facts": {}}
    empty = {"dice": [], "fights": [], "order": None, "of": 1}
    ends = {**empty, "headline": "The plan was dropped; nothing.", "items": [stop, {**other, "told": "Nothing came."}]}
    actions = [{**empty, "headline": item["told"], "items": [item]} for item in (*[other] * 90, stop, *[other] * 90)]
    group = {**data["news"][0], "actions": [*actions, ends]}
    shown = mail._one_screen({**data, "news": [group]}, None)
    told = [item["told"] for action in shown["news"][0]["actions"] for item in action["items"]]
    assert shown["stops"] == ["The plan was dropped."] * 2
    assert not any("The plan was dropped." in words for words in told), "once is enough"
    assert len(told) < len(actions), "others are left out"
    for made in (mail.mail_text(shown), mail.mail_html(shown, (), "")):
        assert made.count("The plan was dropped.") == 2
        assert made.index("The plan was dropped.") < made.index(data["asked"].split(".")[0][:30])
