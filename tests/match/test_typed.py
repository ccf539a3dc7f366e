"""Names as they are written in Japan, in order files: those that are known become Latin before anything is signed."""

from __future__ import annotations

import pytest
from matches import Match, scenario_of

from pbem.match.check import check
from pbem.match.judged import judged
from pbem.match.later import never
from pbem.match.orders import statement_of
from pbem.match.typed import typed
from pbem.wire.orderfile import LATIN


def match_of(scenario: str) -> Match:
    """A game that has just begun: ben sets up first in sengoku, asuka in bakumatsu."""
    match = Match(scenario_of(scenario), 1)
    match.play()
    return match


def read(scenario: str, text: str) -> tuple[list[str], list[str]]:
    """What is signed of an order file of whoever is due, and what is wrong with it."""
    match = match_of(scenario)
    name = match.due()[1]
    assert name is not None
    found = check(match.table, name, text, runs=0)
    return [str(statement_of(part)) for _, part in found.parts], [str(error) for error in found.errors]


@pytest.mark.parametrize("name", ["北畠信雄", "「北畠信雄」", "'北畠信雄'", '"北畠 信雄"', "kt-05"])
def test_an_officer_and_a_castle_may_be_named_as_in_japan(name: str) -> None:
    assert read("shizugatake", f"place {name} kt-06 at 清洲。") == (["place kt-05 kt-06 at 5416;"], [])


def test_conditions_plans_and_standing_orders_may_name_so() -> None:
    signed, wrong = read(
        "shizugatake", "if fallen 岐阜 then done; standing pursue 北畠信雄 2; in stage-2: besiege 岐阜 by 北畠信雄"
    )
    assert signed == [
        "if fallen gifu then done;",
        "standing pursue kt-05 2;",
        "in stage-2: besiege gifu by kt-05;",
    ]
    assert wrong == []


def test_other_systems_and_orders_to_be_asked_about_or_laid_have_them_as_well() -> None:
    rules = match_of("toba-fushimi").table.rules
    assert [str(one) for _, one in typed(rules, "place 新選組 at 竹田")[0]] == ["place shinsengumi at takeda;"]
    match = match_of("shizugatake")
    assert judged(match.table, "ben", "place 北畠信雄 at 清洲").words[:2] == ("place", "kt-05")
    phase = "hashiba-stage-2"
    assert never(match.table, "ben", phase, "recover 北畠信雄", due=False) == []
    assert [*map(str, never(match.table, "ben", phase, "recover 滝川一益", due=False))] != []


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("place 織田信長 at 5416", f"line 1: `織田信長` is written in Japanese letters; {LATIN}"),
        (
            "place kt-05 at 「亀山」",
            "line 1: `亀山` is how 2 names are written; write one of Kameyama, Kameyama of Tamba",
        ),
        ("place kt-05 at 木葉", f"line 1: `木葉` is written in Japanese letters; {LATIN}"),  # of another system
    ],
)
def test_what_is_no_known_name_or_that_of_several_is_refused(text: str, why: str) -> None:
    assert read("shizugatake", text) == ([], [why])


def test_what_is_said_stays_as_it_is() -> None:
    signed, wrong = read("shizugatake", "say 北畠信雄")
    assert signed == []
    assert "what is signed is ASCII" in wrong[0]
