"""What reports say of what holds for the time being: weather, panic, supply, rails, arrivals, who is in play."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from rules.gcacw.conftest import CAMPAIGNS

from pbem.errors import MalformedOrder, Refusal
from pbem.rules.gcacw import panic
from pbem.rules.gcacw.arrivals import put_off
from pbem.rules.gcacw.orders import Detach, Merge, PutOff
from pbem.rules.gcacw.situation import situation
from pbem.rules.gcacw.standing import holds, read_standing, read_test, why_unanswered
from pbem.rules.gcacw.state import State
from pbem.rules.gcacw.substitutes import detach, merge
from pbem.rules.gcacw.supply import wanting

Campaign = Callable[..., State]
LONG = CAMPAIGNS[1]


def clause_of(refusal: Refusal | None) -> str:
    return "" if refusal is None else refusal.clause


def told(s: State) -> dict[str, str]:
    """What holds now -> its clause."""
    return {held["told"]: held["clause"] for held in situation(s).get("in_force", [])}


def unit(s: State, name: str) -> dict[str, Any]:
    return next(one for one in situation(s)["units"] if one["id"] == name)


def test_rain_and_paralysis_are_told_while_they_last(campaign: Campaign) -> None:
    s = campaign(LONG, turn=4)
    assert not any("rain" in what or "paralysed" in what for what in told(s))
    s.weather(5)
    s.paralysed.add("union")
    assert told(s)["it rains to the end of turn 5"] == "14.0-rain-now"
    assert "Union: the command is paralysed in this turn; marches have fewer points, 2 for infantry, 4 for cavalry" in (
        ", ".join(told(s))
    )
    s.turn = 5
    assert "it rains in this turn" in told(s)
    s.turn = 6
    assert not any("rain" in what for what in told(s))


def test_panic_is_told_and_who_takes_over_when(campaign: Campaign) -> None:
    s = campaign(LONG, turn=4)
    assert unit(s, "mcclellan")["where"] == "out"
    s.panic = 4
    assert "McClellan takes over from Pope at the beginning of turn 6" in told(s)
    assert any(what.startswith("Union: in panic to the end of turn 5") for what in told(s))
    s.turn = 6
    [*_] = panic.replace(s)
    assert (unit(s, "mcclellan")["where"], unit(s, "pope")["where"]) == ("map", "out")
    assert not any("takes over" in what or "in panic" in what for what in told(s))


def test_who_is_out_of_supply_has_a_word_a_badge_and_a_line(campaign: Campaign) -> None:
    s = campaign(LONG, turn=7)
    s.hungry |= {"king", "hood"}
    assert {"Union, out of supply: in Culpeper king", "Confederates, out of supply: in Orange hood"} < {*told(s)}
    assert unit(s, "king")["words"] == ["unsupplied"]
    assert [badge["sign"] for badge in unit(s, "king")["badges"]] == ["S"]
    assert holds(s, read_test(s.board, ("is", "king", "unsupplied")))
    assert not holds(s, read_test(s.board, ("is", "ricketts", "unsupplied")))
    s.works["king"] = 2
    assert [badge["sign"] for badge in unit(s, "king")["badges"]] == ["ES"]


@pytest.mark.parametrize(
    ("turn", "phase", "when", "was"),
    [
        (4, "action", "next in turn 6", 0),
        (5, "action", "next in turn 6", 0),
        (6, "repair", "in this turn, before anybody acts", 0),
        (6, "action", "next in turn 11", 6),
        (12, "action", "", 11),
    ],
)
def test_when_supply_is_judged_next(turn: int, phase: str, when: str, was: int, campaign: Campaign) -> None:
    s = campaign(LONG, turn=turn, **({"phase": "repair"} if phase == "repair" else {}))
    found = [what for what in told(s) if "judged" in what]
    before = [f"nobody is out of supply, which was judged in turn {was}"] * bool(was)
    after = [f"who is in supply is judged {when}"] * bool(when)
    assert found == before + after
    assert any("as things stand" in what for what in told(s)) == (turn in (5, 6) and was == 0), "when it is near"
    s.hungry.add("king")
    assert not any("nobody is out of supply" in what for what in told(s))


def test_who_would_be_out_of_supply_is_told_before_it_is_judged(campaign: Campaign) -> None:
    s = campaign(LONG, turn=6, phase="repair")
    assert wanting(s, "confederate") == []
    s.put("hood", s.board.parse("S3108"))
    assert wanting(s, "confederate") == ["hood"], "no county of theirs, and no depot"
    assert "Confederates, out of supply then as things stand: in Fauquier hood" in told(s)


def test_the_railroad_tells_what_it_still_takes(campaign: Campaign) -> None:
    s = campaign(LONG, turn=7)
    assert "Union: the railroad takes combat value 16 more in this turn" in told(s)
    s.hauled = 13
    assert "Union: the railroad takes combat value 9 1/2 more in this turn" in told(s)
    s.turn = 10
    assert not any("railroad" in what for what in told(s))


def test_the_pontoon_bridge_stands_or_does_not(campaign: Campaign) -> None:
    s = campaign(LONG)
    ends = "between S4328 Fredericksburg and S4427"
    assert told(s)[f"Union: a pontoon bridge {ends}"] == "19.0-1"
    assert [place["sign"]["sign"] for place in situation(s)["places"] if place["at"] == "S4328"] == ["B"]
    s.unbuild(s.board.hexside(*s.board.advanced.pontoon.ends))  # type: ignore[union-attr]
    assert f"the pontoon bridge {ends} is dismantled" in told(s)
    assert not any("sign" in place for place in situation(s)["places"] if place["at"] == "S4328")


def test_a_killed_leader_has_the_values_of_his_substitute(campaign: Campaign) -> None:
    s = campaign(LONG)
    before = unit(s, "jackson")["values"]
    s.killed.add("jackson")
    after = unit(s, "jackson")["values"]
    assert [before[key] - after[key] for key in ("tactical", "command")] == [1, 1]
    assert unit(s, "jackson")["words"][:1] == ["killed"]
    line = f"Jackson was killed: his substitute has tactical value {after['tactical']} and command value"
    assert any(what.startswith(line) for what in told(s))


@pytest.mark.clause("std-11.0-2", "std-7.3-2")
def test_a_demoralised_unit_is_told_with_the_values_that_count(campaign: Campaign) -> None:
    s = campaign(LONG)
    before = unit(s, "king")["values"]
    assert before["tactical"] > 0
    assert before["artillery"] > 0
    s.demoralise("king", 1)
    assert unit(s, "king")["values"] == before | {"tactical": 0, "artillery": 0}
    s.demoralise("king", 0)
    assert unit(s, "king")["values"] == before


def test_substitutes_and_merged_units_are_neither_lost_nor_to_come(campaign: Campaign) -> None:
    s = campaign(LONG, turn=5)
    assert unit(s, "csa-sub-1")["where"] == "out"
    [*_] = detach(s, "ap-hill", Detach("csa-sub-1", 4), fatigue=0)
    made = unit(s, "csa-sub-1")
    assert (made["where"], made["formation"], made["extra"]["detached from"]) == ("map", "Jackson's corps", "A.P. Hill")
    s.remove("csa-sub-1")
    assert unit(s, "csa-sub-1")["where"] == "out"
    s.put("griffin", s.at["morell"])
    [*_] = merge(s, Merge("griffin", "morell"))
    assert unit(s, "griffin")["where"] == "out"
    assert all(not side["lost"] for side in situation(s)["sides"])
    assert holds(s, ("gone", "griffin"))


def test_arrivals_are_told_with_the_turn_and_hexes_of_now(campaign: Campaign) -> None:
    s = campaign(LONG, turn=6)
    mine = [what for what in told(s) if "(hooker)" in what]
    assert len(mine) == 1
    assert mine[0].startswith("Union, due in turn 7: ")
    assert mine[0].endswith("; may be put off by a turn, to N5819 6-Mile Post")
    s.turn = 7
    [*_] = put_off(s, PutOff("hooker"))
    mine = [what for what in told(s) if "(hooker)" in what]
    assert mine[0].startswith("Union, due in turn 8: ")
    assert mine[0].endswith("at N5819 6-Mile Post, put off")


def test_who_comes_in_together_is_told_with_the_id_that_orders_have(campaign: Campaign) -> None:
    """The report named Heintzelman and Kearny, and `put-off` wanted `iii-corps`."""
    (mine,) = [what for what in told(campaign(LONG, turn=5)) if "(kearny)" in what]
    names = "Heintzelman (heintzelman) and Kearny (kearny), together `iii-corps`"
    assert mine.startswith(f"Union, due in turn 6: {names}, at S5021 Aquia Creek Station; ")


def test_nobody_is_put_off_to_a_turn_that_never_comes(campaign: Campaign) -> None:
    s = campaign(LONG, turn=7)
    s.waiting = {"iii-corps", "hooker"}
    assert any("may be put off" in what for what in told(s))
    s.turn = s.board.turns
    s.due |= dict.fromkeys(s.waiting, s.turn)
    assert not any("may be put off" in what for what in told(s))


def test_conditions_ask_for_weather_panic_and_paralysis(campaign: Campaign) -> None:
    s = campaign(LONG, turn=4)
    words = ("weather rain", "weather dry", "panic union", "paralysed union", "paralysed confederate")

    def now() -> list[bool]:
        return [holds(s, read_test(s.board, tuple(text.split()))) for text in words]

    assert now() == [False, True, False, False, False]
    s.rain, s.panic = 4, 3
    s.paralysed.add("confederate")
    assert now() == [True, False, True, False, True]


def test_standing_orders_say_whom_a_depot_feeds_and_who_falls(campaign: Campaign) -> None:
    s = campaign(LONG)

    def read(text: str, side: str = "confederate") -> tuple[str, ...]:
        return read_standing(s.board, side, tuple(text.split()))

    assert read("feed any hood kemper") == ("feed", "any", "hood", "kemper")
    assert read("fall any longstreet jackson") == ("fall", "any", "longstreet", "jackson")
    for text in ("feed hood kemper", "feed any jackson", "fall any hood", "fall any pope"):
        with pytest.raises(MalformedOrder):
            read(text)
    assert why_unanswered(s, read("feed any hood")) is None
    assert clause_of(why_unanswered(s, read("feed any king", "union"))) == "20.3-c4"
    assert clause_of(why_unanswered(s, read("fall any pope", "union"))) == "17.0-3"
    basic = campaign("to-bull-run")
    assert clause_of(why_unanswered(basic, ("feed", "any", "hood"))) == "14.0-0"


def test_men_left_behind_and_taken_in_are_not_called_lost(campaign: Campaign) -> None:
    s = campaign(LONG, turn=4)
    one = next(u for u in s.own("union") if s.board.units[u].branch == "infantry" and s.manpower[u] > 4)
    left = next(u for u in s.board.advanced.substitutes["union"] if s.board.units[u].branch == "infantry")
    first = s.manpower[one]
    assert unit(s, one)["extra"]["began with"] is None
    [*_] = detach(s, one, Detach(left, 2), fatigue=0)
    told = unit(s, one)["extra"]
    assert (told["manpower"], told["began with"], "lost" in told) == (first - 2, first, False)
    [*_] = merge(s, Merge(left, one))
    assert unit(s, one)["extra"]["began with"] is None
