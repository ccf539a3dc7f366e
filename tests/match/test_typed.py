"""Names as they are written in Japan, in order files: those that are known become Latin before anything is signed."""

from __future__ import annotations

import pytest
from matches import Match, scenario_of

from pbem.match.check import check
from pbem.match.judged import judged
from pbem.match.later import never
from pbem.match.orders import statement_of
from pbem.match.typed import typed
from pbem.scenario import japanese_names
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
    table = match_of("toba-fushimi").table
    named = [str(one) for _, one in typed(table.rules, table.board, "place 新選組 at 竹田")[0]]
    shinsengumi = next(unit for unit, called in table.board.units.items() if called.name == "Shinsengumi")
    assert named == [f"place {shinsengumi} at {table.board.number('takeda')};"]
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
            "line 1: `亀山` is how 2 names are written; write one of 3220 (Kameyama of Tamba), 4723 (Kameyama)",
        ),
        ("place kt-05 at 柴田", f"line 1: `柴田` is written in Japanese letters; {LATIN}"),  # of a family, not of one
        ("place kt-05 at 木葉", f"line 1: `木葉` is written in Japanese letters; {LATIN}"),  # of another system
    ],
)
def test_what_is_no_known_name_or_that_of_several_is_refused(text: str, why: str) -> None:
    assert read("shizugatake", text) == ([], [why])


def test_the_name_of_a_place_is_that_of_no_unit_whose_name_begins_so() -> None:
    """大野 is the castle of Ono, no part of 小野木 (Onogi) or 大野 in Latin letters."""
    assert read("shizugatake", "if empty 大野 then done")[1] == []
    signed, wrong = read("shizugatake", "if alive 大野 then done")
    assert signed == []
    assert "no unit is called `4802`" in wrong[0]


def test_a_name_that_either_side_has_is_ones_own() -> None:
    assert read("skirmish", "setup 槍組一番 6 3 south")[0] == ["setup sp-3 6 3 south;"]  # black's


def test_what_a_unit_is_named_in_an_army_list_is_not_taken_for_another() -> None:
    """A second unit that is named so in Japanese makes it that of two, one of them in either army."""
    table = match_of("skirmish").table
    written = japanese_names("samurai")["Spearmen 1"]
    named = {"sp-2": table.board.units["sp-2"]._replace(name=written)}
    _, wrong = typed(table.rules, table.board._replace(units={**table.board.units, **named}), f"move {written} 6")
    assert [*map(str, wrong)] == [
        f"line 1: `{written}` is how 2 names are written; write one of Spearmen 1, sp-2 ({written})"
    ]
    others = {unit: it._replace(name="Pikes") for unit, it in table.board.units.items() if it.name == "Spearmen 1"}
    board = table.board._replace(units={**table.board.units, **others, **named})
    assert [str(one) for _, one in typed(table.rules, board, f"move {written} 6")[0]] == ["move sp-2 6;"]


def test_what_is_said_stays_as_it_is() -> None:
    signed, wrong = read("shizugatake", "say 北畠信雄")
    assert signed == []
    assert "what is signed is ASCII" in wrong[0]
