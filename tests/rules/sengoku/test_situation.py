"""What reports are told of a campaign: forces by who leads them, castles as they stand, what scores."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from golden import ROOT
from jsonschema import Draft202012Validator

from pbem.rules.sengoku.sequence import PHASES
from pbem.rules.sengoku.situation import situation
from pbem.rules.sengoku.state import State
from pbem.rules.sengoku.victory import judge

Field = Callable[..., State]

ROWS = "\n".join(". " * 12 for _ in range(3))
CASTLES = {"gifu": "0205 kobe 4 7", "himeji": "0101 hashiba 3", "ono": "0302 nobody 1 0"}
FORCES = {
    "hb-01 hb-04 hb-06": "0101 shut-in acted",
    "hb-02 hb-07": "0205 besieging morale -1 reduced hb-07",
    "kb-01 kb-04": "0205 shut-in morale -2",
    "kb-02": "0301",
}
MAIN = {"hashiba": "himeji", "kobe": "gifu"}


def told(s: State) -> dict[str, Any]:
    """The situation, which fits its schema."""
    found = situation(s)
    schema = json.loads((ROOT / "docs" / "situation.schema.json").read_text("utf-8"))
    Draft202012Validator(schema).validate(found)
    return found


def one(things: list[dict[str, Any]], key: str) -> dict[str, Any]:
    """The one of these with that id or name."""
    return next(thing for thing in things if key in (thing.get("id"), thing.get("name")))


@pytest.fixture
def s(field: Field) -> State:
    return field(ROWS, FORCES, castles=CASTLES, main=MAIN)


def test_a_force_is_told_with_its_strength_its_morale_and_why_it_is_cut_off(s: State) -> None:
    found = told(s)["forces"]
    assert [force["id"] for force in found] == ["kb-01", "kb-02", "hb-01", "hb-02"]
    assert one(found, "hb-02") == {
        "id": "hb-02",
        "units": ["hb-02", "hb-07"],
        "extra": {"strength": 3, "morale": -1, "no line:": None},
    }
    cut = one(found, "kb-02")["extra"]
    assert (cut["morale"], cut["no line:"]) == (None, "an enemy is at 0205 Gifu, where lines of the Kobe begin")


def test_a_unit_is_told_with_its_states_and_who_leads_it(s: State) -> None:
    units = told(s)["units"]
    states = {name: one(units, name)["words"] for name in ("hb-01", "hb-02", "hb-07", "kb-01", "kb-02", "hb-03")}
    assert states == {
        "hb-01": ["shut in", "acted"],
        "hb-02": ["besieging"],
        "hb-07": ["reduced", "besieging"],
        "kb-01": ["shut in"],
        "kb-02": [],
        "hb-03": [],
    }
    assert [one(units, name)["attached_to"] for name in ("hb-02", "hb-07", "hb-03")] == [[], ["hb-02"], []]
    assert [one(units, name)["where"] for name in ("hb-07", "hb-03")] == ["map", "waiting"]
    assert (one(units, "hb-07")["values"]["strength"], one(units, "hb-06")["values"]["strength"]) == (1, 2)
    signs = {name: [badge["sign"] for badge in one(units, name)["badges"]] for name in ("hb-02", "hb-07", "kb-02")}
    assert signs == {"hb-02": ["-1", "S"], "hb-07": ["-1", "R", "S"], "kb-02": ["L"]}
    looks = {badge["sign"]: badge["look"] for badge in one(units, "hb-07")["badges"]}
    assert looks == {"-1": "disc", "R": "band", "S": "corner"}  # none hides another


def test_a_castle_is_told_with_its_owner_numbers_and_siege(s: State) -> None:
    places = told(s)["places"]
    gifu, himeji, ono = (one(places, name) for name in ("Gifu", "Himeji", "Ono"))
    assert gifu["extra"] == {"army": "Kobe", "level": 4, "durability": 7, "morale": -2, "room for": 50}
    assert (gifu["words"], gifu["besiegers"], gifu["inside"]) == (["besieged", "damaged"], ["hb-02"], ["kb-01"])
    assert (gifu["control"], himeji["control"], ono["control"]) == ("anti-hashiba", "hashiba", None)
    assert (himeji["words"], himeji["inside"], ono["words"]) == ([], ["hb-01"], ["abandoned"])
    shield = {"sign": "7", "title": "durability of a castle that is besieged or damaged"}
    assert [place.get("shield") for place in (gifu, himeji, ono)] == [shield, None, None]
    s.durability["gifu"] = 10
    assert one(told(s)["places"], "Gifu")["shield"]["sign"] == "10"  # besieged as it is
    s.lift("hb-02")
    assert "shield" not in one(told(s)["places"], "Gifu")


def test_a_castle_taken_and_what_it_answered_are_told(s: State) -> None:
    s.lift("hb-02")
    s.let_out("kb-01")
    s.hold("gifu", "hashiba")
    s.resist.add("himeji")
    places = told(s)["places"]
    assert one(places, "Gifu")["words"] == ["taken", "damaged"]
    assert one(places, "Himeji")["words"] == ["resists to the end"]


def test_the_lead_is_told_in_words_also_of_who_is_behind(s: State) -> None:
    assert told(s)["progress"][0]["told"] == (
        "The Anti-Hashiba side leads by 1 point if the campaign ended now; "
        "the Hashiba side needs a lead of 30 points to win"
    )
    s.remove("kb-02")
    assert told(s)["progress"][0]["told"] == (
        "The Hashiba side leads by 2 points if the campaign ended now; it needs a lead of 30 points to win"
    )
    assert [p["told"] for p in told(s)["progress"][1:4]] == [
        "no points if the campaign ended now", "1 general lost, minus 3 points", "3 enemy units shut in, 3 points",
    ]  # fmt: skip


def test_of_an_even_score_it_is_told_that_nobody_leads(s: State) -> None:
    """`leads by 0`, of a side that would lose by it."""
    s.let_out("kb-01")
    s.let_out("hb-01")
    words = (
        "The Hashiba side and the Anti-Hashiba side are even if the campaign ended now; "
        "the Hashiba side needs a lead of 30 points to win"
    )
    assert (told(s)["progress"][0]["count"], told(s)["progress"][0]["told"]) == (0, words)


def test_the_score_is_told_item_by_item_as_if_the_campaign_ended_now(s: State) -> None:
    s.remove("kb-02")
    assert [(p["side"], p["what"], p["count"], p["needed"]) for p in told(s)["progress"]] == [
        (None, "lead if the campaign ended now", 2, None),
        ("anti-hashiba", "points if the campaign ended now", 0, None),
        ("anti-hashiba", "1 general lost", -3, None),
        ("anti-hashiba", "3 enemy units shut in", 3, None),
        ("hashiba", "points if the campaign ended now", 2, None),
        ("hashiba", "2 enemy units shut in", 2, None),
        (None, "gone for good", 1, None),
    ]


def test_what_nobody_can_win_back_is_told_and_at_the_end_the_score_is_not_told_as_one_that_may_change(s: State) -> None:
    assert [p for p in told(s)["progress"] if p["what"] == "gone for good"] == []
    s.remove("kb-02")
    assert told(s)["progress"][-1]["told"] == "The Anti-Hashiba side has lost 3 points with its units"
    judge(s)
    found = [p["told"] for p in told(s)["progress"]]
    assert found[0] == "The Hashiba side led by 2 points at the end; it needed a lead of 30 points to win"
    assert (found[1], found[-1]) == ("no points at the end", "2 enemy units shut in, 2 points")


@pytest.mark.clause("2-1-3", "28-1-1", "28-2")
def test_inning_stage_phase_and_points_are_always_told(field: Field) -> None:
    for turn, stage in ((1, 1), (12, 4)):
        s = field(ROWS, FORCES, castles=CASTLES, turn=turn, stage=stage)
        s.phase = next(i for i, phase in enumerate(PHASES) if phase.kind == f"stage-{stage}" and phase.player == 1)
        found = told(s)
        assert (found["turn"], found["phase"]["id"]) == (turn, f"hashiba-stage-{stage}")
        assert found["phase"]["title"].endswith(f"stage {stage}")
        points = [item["count"] for item in found["progress"] if item["what"] == "points if the campaign ended now"]
        assert points == [3, 2]


def test_those_that_enter_may_come_once_their_army_has_begun_to_act(field: Field) -> None:
    s = field(ROWS, {"hb-01": "0101"}, castles=CASTLES, main=MAIN)
    sides = {side["id"]: (side["later"], len(side["ready"])) for side in told(s)["sides"]}
    assert sides["hashiba"][0] == 0
    assert sides["hashiba"][1] == len(s.board.of_side["hashiba"]) - 1
