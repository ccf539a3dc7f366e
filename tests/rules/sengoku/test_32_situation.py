"""The situation change (rulebook 32, 33, 36.7): who begins to act by a die, who by a declaration, and who enters."""

from __future__ import annotations

from typing import Any

import pytest
from rules.sengoku.activities import play, run

from pbem.rules.requests import Choose, Roll, Tell
from pbem.rules.sengoku import changes, sequence
from pbem.rules.sengoku.acting import able, why_not_act
from pbem.rules.sengoku.orders import DONE, SITUATION, Close, Declare, Move, Place
from pbem.rules.sengoku.state import State

CLOSE = Close(SITUATION)


def mustered(s: State, province: str, strength: int) -> State:
    """The campaign with so much strength of the Hashiba in a province, in units of 2 and one reduced to 1, if odd."""
    b = s.board
    h = min(h for h, name in b.province.items() if name == province and b.ground.terrain.get(h) == "plain")
    units = [unit for unit in b.of_army["hashiba"] if (b.units[unit].front, b.units[unit].back) == (2, 1)]
    for unit in units[: (strength + 1) // 2]:
        s.form((unit,), h)
    if strength % 2:
        s.reduced.add(units[0])
    return s


def rolled(s: State, *dice: int) -> dict[str, dict[str, Any]]:
    """What the dice of an inning come to: of each event by its first army."""
    found = run(changes.roll(s), dice)
    return {tell.facts["armies"][0]: dict(tell.facts) for tell in found if isinstance(tell, Tell)}


def at_situation(s: State, turn: int = 1) -> State:
    """The campaign, deployed by itself, before the situation change of an inning."""
    play(s, [DONE])
    run_deployment(s)
    s.turn = turn
    return s


def run_deployment(s: State) -> None:
    """End the deployment of the second side, without going on."""
    while sequence.clock(s)[1] == "deployment":
        activity, answer = sequence.next_activity(s), None
        while True:
            try:
                request = activity.send(answer)
            except StopIteration:
                break
            answer = DONE if isinstance(request, Choose) else None


@pytest.mark.clause("32.0", "32-1(1)", "32-1(2)")
@pytest.mark.parametrize(
    ("strength", "die", "begins"),
    [(36, 3, True), (36, 2, False), (37, 3, False), (40, 4, True), (42, 4, True), (43, 4, False), (43, 5, True),
     (49, 5, True), (50, 5, False), (50, 6, True), (56, 6, True), (57, 6, False)],
)  # fmt: skip
def test_the_mori_begin_by_a_die_against_the_strength_in_chugoku(
    campaign: State, strength: int, die: int, begins: bool
) -> None:
    s = mustered(campaign, "Harima", strength)
    found = rolled(s, die, 1, 1)["mori"]
    assert (found["against"], found["begins"], "mori" in s.declared) == (strength, begins, begins)


@pytest.mark.clause("32-1(1)")
def test_only_units_of_the_other_side_in_the_six_provinces_count_shut_in_or_not(campaign: State) -> None:
    s = campaign
    b, places = s.board, {"hb-01": "Harima", "uk-01": "Bizen", "hb-02": "Tajima", "hb-03": "Settsu", "sb-01": "Inaba"}
    for unit, province in places.items():
        s.form((unit,), min(h for h, name in b.province.items() if name == province and h in b.ground.terrain))
    rule, front = b.entering["mori"], {unit: b.units[unit].front for unit in places}
    assert changes.opposing(s, rule) == front["hb-01"] + front["uk-01"]
    s.reduced.add("hb-01")
    assert changes.opposing(s, rule) == b.units["hb-01"].back + front["uk-01"]
    s.put("hb-01", b.castles["himeji"].at)
    s.shut("hb-01")
    assert changes.opposing(s, rule) == b.units["hb-01"].back + front["uk-01"]


@pytest.mark.clause("32-1(mod)", "24-2-7")
@pytest.mark.parametrize(("balance", "die", "begins"), [(1, 6, True), (0, 6, False), (2, 5, True), (-1, 6, False)])
def test_battles_lost_and_won_change_the_die(campaign: State, balance: int, die: int, begins: bool) -> None:
    s = mustered(campaign, "Harima", 60)
    s.balance = balance
    found = rolled(s, die, 1, 1)["mori"]
    assert (found["battles"], found["begins"]) == (balance, begins)


@pytest.mark.clause("36.7-9", "36.7-9(units)")
@pytest.mark.parametrize(("strength", "die", "begins"), [(20, 6, True), (25, 6, False), (19, 5, False), (18, 5, True)])
def test_saika_and_negoro_begin_together_by_one_die(campaign: State, strength: int, die: int, begins: bool) -> None:
    s = mustered(campaign, "Settsu", strength)
    rolls = [request for request in run(changes.roll(s), [1, die, 1]) if isinstance(request, Roll)]
    assert [roll.label for roll in rolls] == ["begin/mori", "begin/saika-negoro", "thaw/shibata"]
    assert ("saika-negoro" in s.declared) == begins
    assert len([*s.waiting["saika"], *s.waiting["negoro"]]) == 20


@pytest.mark.clause("32.0", "36.7-9", "36.7-2")
def test_who_has_begun_rolls_no_more(campaign: State) -> None:
    s = campaign
    assert len(rolled(s, 6, 6, 6)) == 3
    assert {*rolled(s, 1)} == {"shibata"}
    s.turn = 5
    assert rolled(s) == {}
    assert s.declared == {"mori", "saika-negoro"}


@pytest.mark.clause("36.7-1", "36.7-2")
def test_the_shibata_act_in_snow_by_a_6_of_the_same_inning_alone(campaign: State) -> None:
    s = at_situation(campaign)
    s.stage = 1
    for turn, die, acts in ((1, 5, False), (2, 6, True), (3, 5, False), (4, 6, True), (5, None, True)):
        s.turn = turn
        rolled(s, *[1, 1], *[die] if die is not None else [])
        for force in ("sb-01", "md-01", "kn-01"):
            refusal = why_not_act(s, "anti-hashiba", s.leader[force])
            assert (refusal is None) == acts
            assert acts or (refusal is not None and refusal.clause == "36.7-2")
    assert able(s, "tk-01")


@pytest.mark.clause("36.7-3", "36.7-6", "36.7-1")
def test_the_kobe_act_from_their_declaration_on_and_free_mino(campaign: State) -> None:
    s = at_situation(campaign)
    request, _ = play(s, [], [1, 1, 1])
    assert request is not None
    s.stage = 1
    assert not able(s, "kb-01")
    assert not able(s, "ib-01")
    _, found = play(s, [Declare("kobe")])
    assert Tell("declare", "36.7-3", {"side": "anti-hashiba", "army": "Kobe"}) in found
    assert s.stage == 1
    assert sequence.clock(s) == (1, "anti-hashiba-stage-1")  # nothing is left to change
    assert able(s, "kb-01")
    assert able(s, "ib-01")
    assert changes.changing(s) is None
    refusal = changes.why_not(s, "anti-hashiba", Declare("kobe"))
    assert refusal is not None
    assert refusal.clause == "36.7-3"


@pytest.mark.clause("36.7-3")
def test_only_its_own_side_declares_an_army_and_only_one_that_may(campaign: State) -> None:
    s = at_situation(campaign)
    play(s, [], [1, 1, 1])
    for side, army, clause in (
        ("anti-hashiba", "kobe", ""),
        ("anti-hashiba", "shibata", "36.7-3"),
        ("anti-hashiba", "takigawa", "36.7-3"),
        ("hashiba", "kobe", "3.0(2)"),
    ):
        refusal = changes.why_not(s, side, Declare(army))
        assert (refusal.clause if refusal else "") == clause
    request, _ = play(s, [CLOSE])
    assert request is not None
    assert (request.kind, s.declared) == ("operation", set())


@pytest.mark.clause("31-2", "32.0", "32-2", "36.7-9(units)")
def test_who_has_begun_enters_at_its_hexes_as_its_side_likes(campaign: State) -> None:
    s = at_situation(campaign)
    b = s.board
    request, _ = play(s, [], [6, 1, 1])  # 57 and more stand in Chugoku
    assert "mori" not in s.declared
    s.declared.add("mori")

    def why(names: str, at: str, *, enter: bool = False) -> str:
        refusal = sequence.why_not(s, "anti-hashiba", Place(tuple(names.split()), b.parse(at), enter))
        return "" if refusal is None else refusal.clause

    assert request is not None
    assert why("mr-01 mr-04", "0120") == ""
    assert why("mr-01", "0220") == "36.4"
    assert why("mr-01", "0113") == "31-2"  # Nanjo units are in Iwakura
    assert why("mr-01", "0126") == ""  # Takamatsu is empty
    assert why("mr-01", "0126", enter=True) == "34.2(2)"
    assert why("sk-01", "2434") == "36.7-9"
    play(s, [Place(("mr-01", "mr-04"), b.parse("0120"))])
    assert sequence.clock(s) == (1, "situation")
    play(s, [CLOSE, DONE])
    assert len(s.waiting["mori"]) == 32  # the rest may enter later
    assert why("mr-02", "0120") == "4-1-2(3-1)"


@pytest.mark.clause("32.0")
def test_who_enters_later_does_so_in_the_situation_change_of_a_later_inning(campaign: State) -> None:
    s = at_situation(campaign, turn=6)
    s.declared |= {"mori", "kobe"}
    request, found = play(s, [], [1])
    assert request is not None
    assert (request.side, request.kind) == ("anti-hashiba", "situation")
    assert len([one for one in found if isinstance(one, Roll)]) == 1  # for Saika and Negoro
    assert request.why_not(Declare("kobe")) is not None
    assert request.why_not(Place(("mr-01",), s.board.parse("0120"))) is None
    for names in ("mori", "saika", "negoro"):
        s.waiting[names] = ()
    assert changes.changing(s) is None


def test_dice_come_first_then_lines_with_the_entries_in_place(campaign: State) -> None:
    s = at_situation(campaign, turn=6)
    s.declared |= {"mori", "kobe"}
    play(s, [], [1])
    _, found = play(s, [Place(("mr-01",), s.board.parse("0120")), CLOSE])
    whats = [tell.facts.get("phase", tell.what) for tell in found if isinstance(tell, Tell)]
    assert whats[:2] == ["enter", "lines"]
    assert "mr-01" not in s.morale
    go = Move("mr-01", (s.board.parse("0220"),))
    assert sequence.why_not(s, "anti-hashiba", go) is None


def test_in_a_situation_change_nothing_else_is_ordered(campaign: State) -> None:
    s = at_situation(campaign)
    play(s, [], [1, 1, 1])
    for order, clause in ((Move("tk-01"), "4-1-1(1)"), (Close("deployment"), "4-1-1(1)"), (CLOSE, ""), (DONE, "")):
        refusal = sequence.why_not(s, "anti-hashiba", order)
        assert (refusal.clause if refusal else "") == clause
        never = sequence.why_never(s, "anti-hashiba", "situation", order)
        assert (never.clause if never else "") == clause


@pytest.mark.parametrize("seed", range(5))
def test_random_changes_are_legal(campaign: State, seed: int) -> None:
    from random import Random

    chance, s = Random(seed), at_situation(campaign)
    s.declared |= {"mori", "saika-negoro"}
    side = changes.changing(s)
    while side is not None:
        listed = [*changes.options(s, side)]
        order = changes.sample(s, side, chance)
        for legal in (order, CLOSE, *chance.choices(listed, k=5)):
            assert changes.why_not(s, side, legal) is None
        [*changes.carry_out(s, side, order)]
        side = changes.changing(s)
    assert s.passed == {"anti-hashiba"}
