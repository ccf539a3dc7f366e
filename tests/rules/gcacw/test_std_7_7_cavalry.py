"""March attacks and cavalry that goes back before infantry (std-7.1, std-7.7)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from rules.field import Battle
from rules.gcacw.activities import asked, labels, run, told

from pbem.rules.gcacw import march, may_march
from pbem.rules.gcacw.march import attack_of
from pbem.rules.gcacw.orders import Evade, FallBack, March, Strike
from pbem.rules.gcacw.state import State

Field = Callable[..., State]
Fields = Callable[..., Battle]

PLAIN = "\n".join([". " * 9] * 9)


def marched(s: State, unit: str, *way: str, dice: tuple[int, ...], attack: str = "", least: str = "column",
            answers: tuple[Any, ...] = ()) -> list[Any]:  # fmt: skip
    """What a legal march brings."""
    path = tuple(map(s.board.parse, way))
    order = March(unit, path, strike=Strike(s.board.parse(attack), least) if attack else None)
    assert may_march.why_not(s, s.board.units[unit].side, order) is None
    return run(march.carry_out(s, order), dice, answers)


# --- march attacks (std-7.1) ------------------------------------------------------------------------------------------


@pytest.mark.clause("std-7.1-2")
@pytest.mark.parametrize(
    ("halves", "kind"),
    [(-1, None), (0, "column"), (1, "column"), (2, "hasty"), (3, "hasty"), (4, "normal"), (7, "normal"),
     (8, "prepared"), (24, "prepared")],
)  # fmt: skip
def test_the_kind_that_the_points_left_pay_for(field: Field, halves: int, kind: str | None) -> None:
    """R292: of infantry 0, 1, 2 and 4 points; who has none left attacks from the column of route."""
    s = field(PLAIN, {"king": "0404 8", "hood": "0405 8"})
    assert attack_of(s, "king", halves, "column") == kind
    assert attack_of(s, "king", halves, "normal") == (kind if kind in ("normal", "prepared") else None)


@pytest.mark.clause("std-7.1-2")
@pytest.mark.parametrize(
    ("halves", "kind"), [(-1, None), (0, "column"), (3, "column"), (4, "hasty"), (7, "hasty"), (8, "prepared")]
)
def test_cavalry_pays_more_for_its_attacks(field: Field, halves: int, kind: str | None) -> None:
    """R292: 0, 2, 4 and 4 points, so that it never attacks by the third kind for want of points."""
    s = field(PLAIN, {"buford": "0404 3", "hood": "0405 8"})
    assert attack_of(s, "buford", halves, "column") == kind
    assert attack_of(s, "buford", halves, "normal") == (kind if kind == "prepared" else None)


@pytest.mark.clause("std-7.1-1", "std-7.1-2", "std-7.4-15")
def test_a_march_attack_is_one_unit_s_and_may_come_without_a_step(field: Field) -> None:
    s = field(PLAIN, {"king": "0404 8", "ricketts": "0404 8", "hood": "0405 8"})
    found = marched(s, "king", dice=(2, 1, 6), attack="0405")
    (fight,) = told(found, "fight")
    assert (fight["unit"], fight["with"], fight["kind"]) == ("king", [], "normal")
    assert fight["values"] == [16, 16]
    assert s.fatigue["king"] == 4, "1 for the march, then the chart"
    assert "ricketts" not in s.fatigue


@pytest.mark.clause("std-7.1-2", "std-7.1-4")
def test_the_steps_are_paid_first_and_the_target_s_ground_not_at_all(field: Field) -> None:
    """R292: the points that the step takes are enough for an attack from the column of route."""
    rows = PLAIN.splitlines()
    rows[4] = ". . . m . . . . ."
    for die, kind in ((2, None), (3, "column"), (4, "hasty"), (5, "normal"), (6, "normal")):
        s = field("\n".join(rows), {"king": "0403 8", "hood": "0405 8"})
        found = marched(s, "king", "0404", dice=(die, 1, 6) if kind else (die,), attack="0405")
        assert [t["kind"] for t in told(found, "fight")] == ([kind] if kind else [])
        assert not told(found, "no-attack"), "who falls short is told so by his march"
        assert s.at["king"] == s.board.parse("0404" if kind else "0403"), "the attacker stays where he is"


@pytest.mark.clause("std-7.1-2")
def test_less_than_the_kind_that_was_ordered_isn_t_made(field: Field) -> None:
    s = field(PLAIN, {"king": "0404 8", "hood": "0405 8"})
    found = marched(s, "king", dice=(1,), attack="0405", least="normal")
    assert not told(found, "fight")
    assert [t["reason"] for t in told(found, "no-attack")] == ["the points don't suffice for the attack"]


@pytest.mark.clause("std-7.1-1", "std-7.1-5", "std-11.0-2")
def test_what_a_march_attack_needs(battle: Fields) -> None:
    units = {"king": "0404 8", "ricketts": "0303 8 demoralised 1", "hood": "0405 8", "kemper": "0402 8"}
    b = battle(PLAIN, units, choice="union")
    for words, clause in (
        ("march king attack 0405", ""),
        ("march king 0403 attack 0402", ""),
        ("march king attack 0402", "std-7.1-1"),
        ("march king attack 0403", "std-7.1-1"),
        ("march ricketts attack 0402", "std-11.0-2"),
        ("march ricketts 0203", ""),
    ):
        refusal = b.why_not(words)
        assert (refusal.clause if refusal is not None else "") == clause, words
    for roads, clause in (({}, "std-7.1-5"), ({"ferry": "0404 0405"}, "")):
        b = battle(PLAIN, units, choice="union", sides={"major_river": "0404/0405"}, roads=roads)
        refusal = b.why_not("march king attack 0405")
        assert (refusal.clause if refusal is not None else "") == clause


@pytest.mark.clause("std-7.1-4", "std-7.6-6")
def test_after_the_attack_the_march_is_over_but_for_the_advance(field: Field) -> None:
    s = field(PLAIN, {"king": "0404 16", "waagner": "0303 1", "va-2": "0405 1 F4"})
    found = marched(s, "king", dice=(6, 6, 1), attack="0405")
    assert told(found, "fight")[0]["kind"] == "prepared"
    assert s.at["king"] == s.board.parse("0405")
    assert not asked(found, "march")


# --- when cavalry is asked (std-7.7-1, -2, -7) ------------------------------------------------------------------------

HORSE = {"buford": "0505 3", "bayard": "0505 3"}
COMING = {"ewell-b": "0502 8"}
ROAD = {"road": "0501 0502 0503 0504"}
STAY, GO = Evade(made=False), Evade(made=True)


@pytest.mark.clause("std-7.7-1")
def test_cavalry_is_asked_when_infantry_comes_beside_it(field: Field) -> None:
    s = field(PLAIN, {**HORSE, **COMING}, roads=ROAD)
    found = marched(s, "ewell-b", "0503", dice=(1,))
    assert not asked(found), "two hexes away"
    found = marched(s, "ewell-b", "0504", dice=(1,), answers=(STAY,))
    (question,) = asked(found)
    assert (question.side, question.kind, question.about) == ("union", "evade", ("bayard", "buford"))


@pytest.mark.clause("std-7.7-1")
@pytest.mark.parametrize(
    ("units", "sides"),
    [
        ({"king": "0505 8"}, {}),
        ({}, {"minor_river": "0504/0505"}),
        ({"bayard": "0505 3 F4"}, {}),
    ],
)
def test_cavalry_with_infantry_behind_a_river_or_spent_is_not_asked(
    field: Field, units: dict[str, str], sides: dict[str, str]
) -> None:
    s = field(PLAIN, {**HORSE, **COMING, **units}, roads=ROAD, sides=sides)
    assert not asked(marched(s, "ewell-b", "0503", "0504", dice=(1,)))


@pytest.mark.clause("std-7.7-2")
def test_cavalry_is_not_asked_before_cavalry(field: Field) -> None:
    s = field(PLAIN, {**HORSE, "f-lee": "0502 3"}, roads=ROAD)
    assert not asked(marched(s, "f-lee", "0503", "0504", dice=(1, 1)))
    assert not asked(marched(s, "f-lee", dice=(1, 1, 1, 6), attack="0505"), "evade")


@pytest.mark.clause("std-7.7-1")
def test_once_for_each_unit_and_hex(field: Field) -> None:
    """Ewell is asked about once, on coming up; then he attacks. A second unit is asked about again."""
    units = {**HORSE, **COMING, "ap-hill": "0502 8"}
    s = field(PLAIN, units, roads=ROAD)
    found = marched(s, "ewell-b", "0503", "0504", dice=(6, 1, 6), attack="0505", answers=(STAY,))
    assert len(asked(found, "evade")) == 1
    assert told(found, "fight")
    s = field(PLAIN, units, roads=ROAD)
    marched(s, "ewell-b", "0503", "0504", dice=(1,), answers=(STAY,))
    assert len(asked(marched(s, "ap-hill", "0503", "0504", dice=(2,), answers=(STAY,)), "evade")) == 1


@pytest.mark.clause("std-7.7-1", "std-7.1-10")
def test_a_march_attack_asks_if_the_unit_stood_beside_before(field: Field) -> None:
    s = field(PLAIN, {**HORSE, "ewell-b": "0504 8"})
    found = marched(s, "ewell-b", dice=(5, 1, 6), attack="0505", answers=(STAY,))
    assert [r for r in labels(found) if not r.startswith("march")] == ["attack/0505", "defence/0505"]
    assert len(asked(found, "evade")) == 1


@pytest.mark.clause("std-7.7-1", "std-7.1-2")
def test_an_attack_that_isn_t_paid_for_asks_nobody(field: Field) -> None:
    s = field(PLAIN, {**HORSE, "ewell-b": "0504 8"})
    found = marched(s, "ewell-b", dice=(1,), attack="0505", least="prepared")
    assert not asked(found)
    assert told(found, "no-attack")


@pytest.mark.clause("std-7.7-1")
def test_several_hexes_are_asked_in_the_order_of_their_numbers(field: Field) -> None:
    s = field(PLAIN, {"buford": "0602 3", "bayard": "0402 3", "beardsley": "0601 3", "ewell-b": "0504 8"})
    found = marched(s, "ewell-b", "0503", dice=(5,), answers=(STAY, STAY))
    assert [q.about for q in asked(found)] == [("bayard",), ("buford",)]


@pytest.mark.clause("std-7.7-7", "std-7.6-4")
def test_without_a_way_back_cavalry_is_not_asked(field: Field) -> None:
    rows = "\n".join([". . . . ."] * 2 + ["- - . - -"] + ["- - . - -"] + ["- - - - -"])
    s = field(rows, {"buford": "0304 3", "ewell-b": "0302 8"})
    found = marched(s, "ewell-b", "0303", dice=(4, 1, 6), attack="0304")
    assert not asked(found, "evade")
    assert told(found, "fight")


@pytest.mark.clause("std-7.7-1")
@pytest.mark.parametrize(("manpower", "goes"), [(3, True), (4, False)])
def test_the_default_is_to_go_with_less_than_half_the_value(field: Field, manpower: int, goes: bool) -> None:
    s = field(PLAIN, {"buford": f"0505 {manpower}", "ewell-b": "0503 8"}, roads=ROAD)
    (question,) = asked(marched(s, "ewell-b", "0504", dice=(1,), answers=(STAY,)))
    assert question.default is not None
    assert question.default() == Evade(made=goes)


# --- what going back does (std-7.7-3 to -6) ---------------------------------------------------------------------------


@pytest.mark.clause("std-7.7-3", "std-7.7-4")
@pytest.mark.parametrize(
    ("marcher", "horse", "die", "lost"),
    [
        ("ewell-b", "buford", 6, 4), ("ewell-b", "buford", 4, 3), ("ewell-b", "buford", 1, 1),
        ("ewell-b", "me-1", 5, 3), ("gregg", "me-1", 5, 3), ("gregg", "me-1", 4, 2), ("gregg", "buford", 5, 2),
        ("gregg", "buford", 1, 0),
    ],
)  # fmt: skip
def test_the_marcher_loses_half_the_total(field: Field, marcher: str, horse: str, die: int, lost: int) -> None:
    s = field(PLAIN, {horse: "0505 3", marcher: "0503 8"}, roads=ROAD)
    found = marched(s, marcher, "0504", dice=(5, die), answers=(GO,))
    (evade,) = told(found, "evade")
    assert evade["points"] == lost
    assert told(found, "march")[0]["left"] == 2 * (5 + 1 - 1) - 2 * lost


@pytest.mark.clause("std-7.7-4")
def test_a_brigade_gets_1_more_only_against_regiments_alone(field: Field) -> None:
    s = field(PLAIN, {"me-1": "0505 1", "buford": "0505 2", "gregg": "0503 8"}, roads=ROAD)
    found = marched(s, "gregg", "0504", dice=(5, 5), answers=(GO,))
    assert told(found, "evade")[0]["add"] == 0


@pytest.mark.clause("std-7.7-3", "std-2.4-11", "std-2.4-6")
def test_the_stop_is_lifted_when_nobody_else_covers_the_hex(field: Field) -> None:
    """Example: a division with 5 points left comes beside a lone regiment, which goes back by a die of 4."""
    road = {"road": "0502 0503 0504 0505"}
    for other, end in (({}, "0505"), ({"king": "0603 8"}, "0504")):
        s = field(PLAIN, {"me-1": "0505 2", "ewell-b": "0503 8", **other}, roads=road)
        answers = (GO, FallBack((s.board.parse("0506"), s.board.parse("0507"))))
        found = marched(s, "ewell-b", "0504", "0505", dice=(5, 4), answers=answers)
        assert told(found, "evade")[0]["points"] == 3
        assert s.board.label[s.at["ewell-b"]] == end


@pytest.mark.clause("std-7.7-3")
def test_points_never_fall_below_0(field: Field) -> None:
    s = field(PLAIN, {"buford": "0505 3", "ewell-b": "0503 8"}, roads=ROAD)
    found = marched(s, "ewell-b", "0504", "0505", dice=(1, 6), answers=(GO,))
    (told_march,) = told(found, "march")
    assert (told_march["left"], told_march["short"]) == (0, "the points don't suffice")


@pytest.mark.clause("std-7.7-5")
def test_each_that_goes_tires_by_1_and_goes_2_to_4_hexes(field: Field) -> None:
    s = field(PLAIN, {"buford": "0505 3 F1", "bayard": "0505 3 F3", "ewell-b": "0503 8"}, roads=ROAD)
    found = marched(s, "ewell-b", "0504", dice=(1, 6), answers=(GO,))
    assert (s.fatigue["buford"], s.fatigue["bayard"]) == (2, 4)
    assert s.at["buford"] == s.at["bayard"]
    (question,) = asked(found, "retreat")
    assert {len(order.path) for order in question.options()} == {2, 3, 4}


@pytest.mark.clause("std-7.7-6", "13.1-vp3")
@pytest.mark.parametrize(("die", "words", "disorganised", "left"),
                         [(2, "", True, 3), (3, "", False, 3), (2, "disorganised", True, 2),
                          (3, "disorganised", True, 3)])  # fmt: skip
def test_a_total_of_2_disorganises_or_costs_a_point(
    field: Field, die: int, words: str, disorganised: bool, left: int
) -> None:
    s = field(PLAIN, {"buford": f"0505 3 {words}", "gregg": "0503 4"}, roads=ROAD)
    marched(s, "gregg", "0504", dice=(1, die), answers=(GO,))
    assert ("buford" in s.disorganised) == disorganised
    assert s.manpower["buford"] == left
    assert s.lost["union"] == 3 - left


@pytest.mark.clause("std-7.7-6", "std-6.3-2")
def test_leaders_of_cavalry_that_is_lost_on_going_leave_the_hex(field: Field) -> None:
    """Stuart's last men are lost by the die: he joins another unit, and the marcher may enter."""
    units = {"va-2": "0505 1 disorganised", "stuart": "0505", "robertson": "0909 2", "casey": "0503 3"}
    s = field(PLAIN, units, roads={"road": "0503 0504 0505"})
    found = marched(s, "casey", "0504", "0505", dice=(4, 1), answers=(GO,))
    assert "va-2" in s.removed
    assert s.board.label[s.at["stuart"]] == "0909"
    assert s.board.label[s.at["casey"]] == "0505"
    assert told(found, "relocated")


@pytest.mark.clause("std-7.7-7")
def test_the_attack_on_the_emptied_hex_does_not_take_place(field: Field) -> None:
    s = field(PLAIN, {"buford": "0505 3", "ewell-b": "0504 8"})
    found = marched(s, "ewell-b", dice=(5, 1), attack="0505", answers=(GO,))
    assert labels(found) == ["march/ewell-b", "evade/0505"]
    assert not told(found, "fight")
    (none,) = told(found, "no-attack")
    assert none["reason"] == "the cavalry that was there has gone back before it"
    assert s.fatigue["ewell-b"] == 1


@pytest.mark.clause("std-7.7-7")
def test_an_attack_on_cavalry_that_went_back_on_the_way_is_told_as_that(field: Field) -> None:
    """It was told that no enemy is there, as of a hex that nobody had been in."""
    s = field(PLAIN, {"buford": "0505 3", "ewell-b": "0503 8"}, roads={"road": "0503 0504 0505"})
    found = marched(s, "ewell-b", "0504", dice=(5, 1), attack="0505", answers=(GO,))
    (none,) = told(found, "no-attack")
    assert none["reason"] == "the cavalry that was there has gone back before it"


@pytest.mark.clause("std-7.7-7")
def test_after_cavalry_has_gone_the_marcher_may_go_on_into_its_hex(field: Field) -> None:
    s = field(PLAIN, {"buford": "0505 3", "ewell-b": "0503 8"}, roads={"road": "0503 0504 0505"})
    marched(s, "ewell-b", "0504", "0505", dice=(4, 1), answers=(GO,))
    assert s.board.label[s.at["ewell-b"]] == "0505"
    s = field(PLAIN, {"buford": "0505 3", "ewell-b": "0503 8"}, roads={"road": "0503 0504 0505"})
    found = marched(s, "ewell-b", "0504", "0505", dice=(4,), answers=(STAY,))
    assert s.board.label[s.at["ewell-b"]] == "0504"
    assert told(found, "march")[0]["short"] == "the enemy is in 0505"


@pytest.mark.clause("std-7.7-7")
def test_a_way_through_the_enemy_can_be_ordered_for_cavalry_alone(battle: Fields) -> None:
    for there, who, clause in (
        ("buford", "ewell-b", ""),
        ("king", "ewell-b", "std-2.2-7"),
        ("buford", "f-lee", "std-2.2-7"),
    ):
        b = battle(PLAIN, {there: "0505 3", who: "0503 8"}, choice="confederate")
        refusal = b.why_not(f"march {who} 0504 0505")
        assert (refusal.clause if refusal is not None else "") == clause
    b = battle(
        PLAIN, {"buford": "0505 3", "ewell-b": "0504 8"}, choice="confederate", sides={"minor_river": "0504/0505"}
    )
    refusal = b.why_not("march ewell-b 0505")
    assert refusal is not None
    assert refusal.clause == "std-6.1-7"


@pytest.mark.clause("std-7.7-1", "std-2.2-7")
def test_no_way_leads_through_cavalry_beside_which_the_marcher_stands_but_by_an_attack(battle: Fields) -> None:
    """It is asked when somebody comes up to it, or attacks it."""
    units = {"buford": "0505 3", "jackson": "0504", "ewell-b": "0504 8", "winder": "0504 8", "ap-hill": "0503 9"}
    b = battle(PLAIN, units, choice="confederate")
    led = "activate jackson march {} march {}"
    for order, clause in (
        ("march ewell-b 0505", "std-2.2-7"),
        ("march ewell-b 0505 0605", "std-2.2-7"),
        ("march ewell-b 0505 attack 0505", ""),
        ("march ap-hill 0504 0505", ""),
        (led.format("ewell-b with jackson 0505", "ap-hill 0504"), "std-2.2-7"),
        (led.format("ap-hill 0504", "ewell-b with jackson 0505"), ""),
    ):
        refusal = b.why_not(order)
        assert (refusal.clause if refusal is not None else "") == clause, order


@pytest.mark.clause("std-7.7-7", "std-7.7-1")
def test_a_march_that_attacks_the_hex_where_it_ends_enters_it_when_cavalry_goes(field: Field) -> None:
    units, roads = {"buford": "0505 3", "ewell-b": "0504 8"}, {"road": "0504 0505"}
    s = field(PLAIN, units, roads=roads)
    found = marched(s, "ewell-b", "0505", dice=(5, 1), attack="0505", answers=(GO,))
    assert s.board.label[s.at["ewell-b"]] == "0505"
    assert [t["path"] for t in told(found, "march")] == [[], ["0505"]]
    assert not told(found, "fight")
    assert "ewell-b" not in s.shorts
    s = field(PLAIN, units, roads=roads)
    found = marched(s, "ewell-b", "0505", dice=(5, 1, 6), attack="0505", answers=(STAY,))
    assert told(found, "fight")
    s = field(PLAIN, units)
    found = marched(s, "ewell-b", "0505", dice=(1, 2), attack="0505", answers=(GO,))
    assert told(found, "march")[-1]["short"] == "the points don't suffice"
    assert "ewell-b" in s.shorts


@pytest.mark.clause("std-7.7-7", "std-7.1-2")
def test_such_a_march_falls_short_when_its_points_don_t_lead_into_the_emptied_hex(field: Field) -> None:
    s = field(PLAIN, {"buford": "0505 3", "ewell-b": "0503 8"}, roads={"road": "0503 0504"})
    found = marched(s, "ewell-b", "0504", "0505", dice=(2, 1), attack="0505", answers=(GO,))
    assert [(t["path"], t["short"]) for t in told(found, "march")] == [(["0504"], "the points don't suffice")]
    assert not told(found, "no-attack")
    assert "ewell-b" in s.shorts


@pytest.mark.clause("std-7.7-7")
def test_such_a_march_enters_when_cavalry_has_gone_on_its_coming_up(field: Field) -> None:
    s = field(PLAIN, {"buford": "0505 3", "ewell-b": "0503 8"}, roads={"road": "0503 0504 0505"})
    found = marched(s, "ewell-b", "0504", "0505", dice=(5, 1), attack="0505", answers=(GO,))
    assert s.board.label[s.at["ewell-b"]] == "0505"
    assert [t["path"] for t in told(found, "march")] == [["0504", "0505"]]
    assert not told(found, "no-attack")
