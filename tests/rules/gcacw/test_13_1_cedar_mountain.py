"""The special rules of Cedar Mountain (13.1)."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from rules.field import Battle
from rules.gcacw.activities import labels, level, run, told

from pbem.rules.gcacw import march, may_march
from pbem.rules.gcacw.advance import advance
from pbem.rules.gcacw.cavalry import evade
from pbem.rules.gcacw.combat import Fight, fight
from pbem.rules.gcacw.holds import closed
from pbem.rules.gcacw.orders import Advance, Evade, March
from pbem.rules.gcacw.retreat import can_retreat, flight, ways
from pbem.rules.gcacw.state import State

Campaign = Callable[..., State]
Fields = Callable[..., Battle]
NAME = "cedar-mountain"


@pytest.mark.clause("13.1-sp1a", "std-5.1-5")
def test_no_march_of_turn_1_is_an_extended_one(game: Fields) -> None:
    for turn, clause in ((1, "13.1-sp1a"), (2, "")):
        b = game(NAME, {"winder": "S0833 8 F2", "schurz": "S0108 6 F2"}, turn=turn, choice="confederate")
        refusal = b.why_not("march winder S0832")
        assert (refusal.clause if refusal else "") == clause
        b = game(NAME, {"schurz": "S0108 6 F2"}, turn=turn, choice="union")
        refusal = b.why_not("activate sigel march schurz with sigel S0109")
        assert (refusal.clause if refusal else "") == clause
    b = game(NAME, {"winder": "S0833 8 F1"}, choice="confederate")
    b.do("march winder S0832", 6)
    assert b.state.fatigue["winder"] == 2
    b = game(NAME, {"winder": "S0833 8 F2"}, turn=2, choice="confederate")
    b.do("march winder S0832", 6, 1)
    assert "extended" in b.events()


@pytest.mark.clause("13.1-sp1b")
def test_no_assault_of_turn_1_brings_a_unit_to_fatigue_3(game: Fields) -> None:
    where = {"ap-hill": "S1417", "jackson": "S1417", "winder": "S1417"}
    for turn, fatigue, clause in ((1, 2, "13.1-sp1b"), (1, 1, ""), (2, 2, ""), (1, 3, "13.1-sp1b")):
        units = {**where, "ap-hill": f"S1417 18 F{fatigue}", "winder": "S1417 8"}
        b = game(NAME, units, turn=turn, choice="confederate")
        refusal = b.why_not("assault jackson at S1418 by winder ap-hill")
        assert (refusal.clause if refusal else "") == clause
        assert b.why_not("assault jackson at S1418 by winder") is None


@pytest.mark.clause("13.1-sp1b", "std-7.1-7")
def test_nor_in_a_further_hex_of_a_grand_assault(game: Fields) -> None:
    for fatigue, clause in ((2, "13.1-sp1b"), (1, "")):
        units = {
            "pope": "S0815",
            "banks": "S0815",
            "williams-a": "S0815 4",
            "augur": f"S0715 8 F{fatigue}",
            "winder": "S0814",
        }
        b = game(NAME, units, choice="union")
        refusal = b.why_not("grand pope at S0814 under banks by williams-a and augur")
        assert (refusal.clause if refusal else "") == clause


@pytest.mark.clause("13.1-sp1c", "std-5.1-7")
def test_fatigue_of_combat_brings_no_extended_march(campaign: Campaign) -> None:
    """An F raises Winder to 4, and going back Robertson; by a march to 3, which turn 2 allows, Winder rolls."""
    s = campaign(NAME, {"winder": "S0833 8 F1", "robertson": "S0628 3 F3"}, choice="union")
    s.put("augur", s.board.parse("S0734"))
    f = Fight("union", s.at["winder"], ("augur",), "normal")
    found = run(fight(s, f), level(s, f, -1))
    assert told(found, "fight")[0]["result"] == "F"
    assert (s.fatigue["winder"], "winder" in s.disorganised) == (4, False)
    assert not any(label.startswith("extended") for label in labels(found))
    s.put("augur", s.board.parse("S0627"))
    found = run(evade(s, s.at["robertson"], ["augur"], [s.at["augur"]]), [3], [Evade(made=True)])
    assert s.fatigue["robertson"] == 4
    assert labels(found) == ["evade/s0628"]
    s = campaign(NAME, {"winder": "S0833 8 F2"}, turn=2, choice="confederate")
    assert labels(run(march.carry_out(s, March("winder")), (6, 1))) == ["march/winder", "extended/winder"]


@pytest.mark.clause("13.1-sp2", "std-5.1-12")
def test_nobody_force_marches_on_turn_1(game: Fields) -> None:
    for turn, clause in ((1, "13.1-sp2"), (2, "")):
        for side, order in (("confederate", "march winder S0832 force"), ("union", "march crawford S1417 force route")):
            b = game(NAME, turn=turn, choice=side)
            refusal = b.why_not(order)
            assert (refusal.clause if refusal else "") == clause


@pytest.mark.clause("13.1-sp3", "std-4.0-9")
def test_ricketts_does_nothing_on_turn_1(game: Fields) -> None:
    for turn, clause in ((1, "13.1-sp3"), (2, "")):
        b = game(NAME, turn=turn, choice="union")
        refusal = b.why_not("march ricketts S1416")
        assert (refusal.clause if refusal else "") == clause
        b = game(NAME, turn=turn, phase="union-recovery")
        b.do("")
        refusal = b.why_not("entrench ricketts")
        assert (refusal.clause if refusal else "") == clause
        assert b.why_not("entrench crawford") is None


@pytest.mark.clause("13.1-sp4")
def test_gregg_and_lawton_keep_to_the_south_west(campaign: Campaign) -> None:
    """With example 9."""
    s = campaign(NAME)
    for unit in ("gregg", "lawton"):
        barred = {s.board.label[h] for h in closed(s, unit)}
        assert {"S0932", "S0920", "S0624", "S0101"} <= barred
        assert not {"S0832", "S0625", "S0534"} & barred
        every = {label for label in s.board.label.values() if int(label[1:3]) >= 9 or int(label[3:]) <= 24}
        assert barred == every
    assert closed(s, "winder") == frozenset()


@pytest.mark.clause("13.1-sp4", "std-7.6-4", "std-7.6-6")
def test_the_ban_holds_for_marches_retreats_and_advances(game: Fields, campaign: Campaign) -> None:
    b = game(NAME, {"gregg": "S0833"}, choice="confederate")
    assert b.why_not("march gregg S0832") is None
    assert b.refused("march gregg S0832 S0932") == "13.1-sp4"
    assert b.why_not("march winder S0832 S0932") is None
    b = game(NAME, {"gregg": "S0325"}, choice="confederate")
    assert b.refused("march gregg S0324") == "13.1-sp4"
    s = campaign(NAME, {"gregg": "S0325", "augur": "S0326"})
    f = flight(s, s.at["gregg"], "confederate", [s.at["augur"]], "retreat")
    assert can_retreat(s, f)
    barred = closed(s, "gregg")
    assert not any(barred.intersection(path) for path in ways(s, f))
    s = campaign(NAME, {"gregg": "S0325", "winder": "S0325"})
    won = Fight("confederate", s.board.parse("S0324"), ("gregg", "winder"), "column")
    (question,) = [one for one in run(advance(s, won)) if hasattr(one, "why_not")]
    assert question.why_not(Advance(("gregg",))).clause == "13.1-sp4"
    assert question.why_not(Advance(("winder",))) is None
    assert (s.board.label[s.at["gregg"]], s.board.label[s.at["winder"]]) == ("S0325", "S0324")


@pytest.mark.clause("13.1-sp4", "std-7.6-4")
def test_who_has_barred_hexes_alone_behind_him_cannot_retreat(campaign: Campaign) -> None:
    s = campaign(NAME, {"gregg": "S0833"})
    h = s.at["gregg"]
    free = [n for n in s.board.ground.open_to[h] if n not in closed(s, "gregg")]
    enemies = s.own("union")[: len(free)]
    for unit, n in zip(enemies, free, strict=True):
        s.put(unit, n)
    s.put("winder", s.board.parse("S0534"))
    for unit in ("ap-hill", "jackson", "ewell-a"):
        s.put(unit, s.board.parse("S0534"))
    assert not can_retreat(s, flight(s, h, "confederate", [s.at[enemies[0]]], "retreat"))
    assert can_retreat(s, flight(s, s.at["winder"], "confederate", [s.at[enemies[0]]], "retreat"))


def test_a_march_that_was_planned_is_judged_when_it_comes(campaign: Campaign) -> None:
    s = campaign(NAME, {"winder": "S0833 8 F2"})
    assert may_march.why_no_extended(s, "winder") is not None
    s.turn = 2
    assert may_march.why_no_extended(s, "winder") is None
    assert may_march.why_not(s, "confederate", March("winder")) is None
