"""The standing orders of the computer player of sengoku: what they say, when they change, and that they are legal."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import islice

import pytest

from pbem.desk.desk import terms_of
from pbem.match.bots import suggest
from pbem.match.check import check
from pbem.match.orders import Standing
from pbem.rules.kit.words import ANY
from pbem.rules.sengoku.answers import EVER, stance
from pbem.rules.sengoku.standing import STANDING, in_force, read_standing
from pbem.rules.sengoku.state import State
from pbem.scenario import load_scenario
from pbem.simulate.game import Run, begun, entries, sides_of

Field = Callable[..., State]
ROWS = ". . . . . . . . . . . . . . . .\n" * 2


def besides(s: State, side: str = "hashiba") -> list[tuple[str, ...]]:
    """What a side says of single forces, when all that it says of any is in force."""
    return stance(s, side, EVER)


def test_they_answer_for_any_force_what_the_other_side_can_ask(field: Field) -> None:
    s = field(ROWS, {"hb-01": "0101"})
    assert stance(s, "hashiba", []) == [*EVER]
    assert [read_standing(s.board, "hashiba", words) for words in EVER] == [*EVER]
    left_to_the_rules = {"lose", "demand", "traitors", "march-out"}
    assert {words[0] for words in EVER} == STANDING.keys() - left_to_the_rules
    assert besides(s) == []


@pytest.mark.clause("23-3", "23-4-5")
@pytest.mark.parametrize(
    ("own", "said"),
    [
        ("0101 reduced hb-01", [("give-way", "hb-01", "1+", "steps")]),  # each loss kills
        ("0101", [("give-way", "hb-01", "2+", "steps")]),  # so do two
        ("0101 morale -2", [("give-way", "hb-01", "2+", "steps")]),  # and he can go two hexes
        ("0101 morale -3", []),  # who goes back more than a hex scatters
        ("0103 reduced hb-01", []),  # nobody is beside him
    ],
)
def test_a_force_beside_enemies_says_from_how_many_losses_on_it_goes_back(
    field: Field, own: str, said: list[tuple[str, ...]]
) -> None:
    s = field(ROWS, {"hb-01": own, "sb-02": "0102" if own.startswith("0101") else "0105"})
    assert besides(s) == said


@pytest.mark.clause("18-3-1", "23-7")
def test_besiegers_beside_it_and_those_inside_its_hex_are_enemies_who_may_attack(field: Field) -> None:
    castles = {"gifu": "0102 hashiba 1", "sone": "0105 kobe 1"}
    for place, says in (("0101", True), ("0104", False), ("0105", True)):
        forces = {"hb-01": f"{place} reduced hb-01", "sb-02": "0102 besieging", "kb-01": "0105 shut-in"}
        assert bool(besides(field(ROWS, forces, castles=castles))) == says, place


@pytest.mark.clause("23-4-5", "10-1-2(unit)")
def test_a_shaken_force_of_many_rather_loses_steps_than_all(field: Field) -> None:
    many = "hb-01 hb-04 hb-06 hb-07"
    for morale, said in ((-1, "steps"), (0, "1+")):
        s = field(ROWS, {many: f"0101 morale {morale} reduced {many}", "sb-02": "0102"})
        assert said in besides(s)[0], "of four reduced units three die by three losses, and all of them scatter by four"


@pytest.mark.clause("24-1-1", "24-1-8")
def test_a_commander_in_chief_who_outfights_another_near_him_stands_in_his_battle(field: Field) -> None:
    many, others = "hb-01 hb-04 hb-06 hb-07 hb-08", "hb-02 hb-09 hb-10 hb-11 hb-12"
    cases = ((many, "sb-01", True), (others, "sb-01", False), (many, "sb-02", False), ("hb-01", "sb-01 sb-04", False))
    for own, chief, consents in cases:
        s = field(ROWS, {own: "0101", chief: "0105"})
        assert (("consent", own.split()[0], "yes") in besides(s)) == consents, (own, chief)


def test_nothing_is_said_twice_and_what_holds_no_more_is_ended(field: Field) -> None:
    s = field(ROWS, {"hb-01": "0101 reduced hb-01", "sb-02": "0102"})
    (given,) = besides(s)
    assert stance(s, "hashiba", [*EVER, given]) == []
    s.let_out("sb-02")
    s.put("sb-02", s.board.parse("0105"))
    assert stance(s, "hashiba", [*EVER, given]) == [given[:2]]
    assert in_force(s, [*EVER, given, given[:2]]) == [*EVER]
    lose = ("lose", "hb-01", "hb-01")  # a player's own order of another kind stays
    assert stance(s, "hashiba", [*EVER, lose]) == []


def test_the_bot_gives_them_once_and_they_can_be_signed() -> None:
    scenario = load_scenario("shizugatake")
    run = Run(scenario, terms_of(scenario, {}), ("bold", "bold"), 7)
    table, judged = begun(run), 0
    for _ in islice(entries(run, 1, table), 30):
        due = table.due()
        if due.what == "orders" and due.player is not None:
            orders = suggest(table, due.player, "bold", random.Random(5))
            told = check(table, due.player, "".join(f"{' '.join(words)};\n" for words in orders), runs=0)
            assert told.errors == []
            judged += any(isinstance(part, Standing) for _, part in told.parts)
    assert judged > 2
    for side, _ in sides_of(scenario):
        assert [words for words in table.course.standing[side] if words[1] == ANY] == [*EVER], "each once"
