"""Orders that were given ahead: what is left of one that has become illegal, and what can never be given."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from rules.field import Battle
from rules.gcacw.small_field import ADVANCED

from pbem.rules import gcacw
from pbem.rules.gcacw.orders import PASS, Close, March, Order
from pbem.rules.gcacw.state import State
from pbem.rules.requests import Choose

Field = Callable[..., State]
Fields = Callable[..., Battle]
Campaign = Callable[..., State]
OPEN = ". . . . . .\n" * 5
RAILS = {"turns": ["7"], "starts": ["0101"], "hexes": "5", "most": "16"}
RAIL: dict[str, Any] = {
    "scenario": {"advanced": {**ADVANCED, "rails": RAILS}, "stations": ["0101", "0301", "0401"]},
    "roads": {"railroad": "0101 0201 0301 0401 0501"},
    "turns": 15,
}


def left(s: State, side: str, text: str) -> tuple[str, list[str]] | None:
    """What is left of an order, in words, and whose parts were dropped."""
    order = gcacw.read_order(s.board, side, tuple(text.split()))
    found = gcacw.remainder(s, side, order)
    if found is None:
        return None
    rest, tells = found
    assert rest is not None
    assert gcacw.why_not(s, side, rest) is None
    assert {(tell.what, tell.facts["order"]) for tell in tells} == {("drop", text)}
    return " ".join(gcacw.order_words(s.board, rest)), [tell.facts["unit"] for tell in tells]


def test_a_march_goes_up_to_the_hex_that_the_enemy_has_taken(field: Field) -> None:
    s = field(OPEN, {"king": "0101 9", "hood": "0302 9"}, choice="union")
    assert left(s, "union", "march king 0201 0301 0302 0402") == ("march king 0201 0301", ["king"])
    assert left(s, "union", "march king 0201 0302 force attack 0403") == ("march king 0201 force", ["king"])
    s.put("hood", s.board.parse("0201"))
    assert left(s, "union", "march king 0201 0301") is None  # not a step is left
    assert left(s, "union", "march king 0102") is None  # it is legal


def test_a_march_to_and_fro_ends_before_the_first_step_that_cannot_be_made(field: Field) -> None:
    s = field(OPEN, {"king": "0101 9", "hood": "0505 9"}, choice="union")
    to_and_fro = "0201 0101 " * 4
    assert left(s, "union", f"march king {to_and_fro}0505 0504") == (f"march king {to_and_fro}".rstrip(), ["king"])
    s.put("hood", s.board.parse("0301"))
    found = left(s, "union", "march king 0201 0101 0201 0301 0201 attack 0301")
    assert found == ("march king 0201 0101 0201", ["king"])


@pytest.mark.clause("std-5.2-4")
def test_nothing_is_left_of_an_activation_whose_leader_goes_along_with_two(field: Field) -> None:
    units = {"jackson": "0101", "ap-hill": "0101 9", "winder": "0101 8", "king": "0505 9"}
    s = field(OPEN, units, choice="confederate")
    text = "activate jackson march ap-hill with jackson 0201 0302 0505 march winder{} 0102"
    assert left(s, "confederate", text.format(" with jackson")) is None
    assert left(s, "confederate", text.format("")) == (
        "activate jackson march ap-hill with jackson 0201 0302 march winder 0102",
        ["ap-hill"],
    )


def test_an_attack_on_nobody_is_left_out_and_the_march_is_made(field: Field) -> None:
    s = field(OPEN, {"king": "0101 9", "hood": "0505 9"}, choice="union")
    assert left(s, "union", "march king 0201 attack 0302") == ("march king 0201", ["king"])
    assert left(s, "union", "march king attack 0201") is None


def parts(s: State, side: str, text: str) -> list[str | None]:
    """What is told to be left out of an order, each the unit itself where it is None."""
    found = gcacw.remainder(s, side, gcacw.read_order(s.board, side, tuple(text.split())))
    assert found is not None
    return [tell.facts.get("part") for tell in found[1]]


def test_of_a_march_that_ends_sooner_the_rest_of_its_way_is_left_out_and_not_the_unit(field: Field) -> None:
    """`check` said that it went on without the unit."""
    units = {"jackson": "0101", "ap-hill": "0101 9", "winder": "0102 8 F4", "king": "0302 9", "hood": "0505 9"}
    s = field(OPEN, units, choice="union")
    s.put("hood", s.board.parse("0404"))
    assert parts(s, "union", "march king 0402 0403 0404") == ["the rest of king's way"]
    assert parts(s, "union", "march king 0402 attack 0501") == ["the attack of king"]
    s.choice = "confederate"
    text = "activate jackson march ap-hill with jackson 0201 0302 march winder 0103"
    assert parts(s, "confederate", text) == ["the rest of ap-hill's way", None]


def test_what_is_left_of_a_way_is_told_by_where_it_ends(field: Field) -> None:
    s = field(OPEN, {"king": "0302 9", "hood": "0505 9"}, choice="union")
    s.put("hood", s.board.parse("0404"))
    for text, end in (("march king 0402 0403 0404", "0403"), ("march king 0402 attack 0501", None)):
        found = gcacw.remainder(s, "union", gcacw.read_order(s.board, "union", tuple(text.split())))
        assert found is not None
        assert [tell.facts.get("end") for tell in found[1]] == [end]


def test_who_cannot_act_any_more_is_left_out_of_an_activation(field: Field) -> None:
    units = {"jackson": "0101", "ap-hill": "0101 9", "winder": "0102 8 F4", "gregg": "0101 4", "king": "0302 9"}
    s = field(OPEN, units, choice="confederate")
    text = "activate jackson march ap-hill 0201 0302 march winder 0103 march gregg"
    assert left(s, "confederate", text) == ("activate jackson march ap-hill 0201 march gregg", ["ap-hill", "winder"])
    alone = "activate jackson march ap-hill with jackson 0201 march winder 0103"
    assert left(s, "confederate", alone) == ("activate jackson march ap-hill with jackson 0201", ["winder"])
    assert left(s, "confederate", "activate jackson march winder 0103") is None
    assert left(s, "confederate", "assault jackson at 0302 by ap-hill winder") is None


def test_nothing_is_left_when_the_leader_cannot_lead(field: Field) -> None:
    units = {"jackson": "0101", "ap-hill": "0101 9", "winder": "0104 8", "king": "0302 9"}
    text = "activate jackson hop winder march winder with jackson 0203 0302"
    s = field(OPEN, units, choice="confederate")
    assert left(s, "confederate", text) == ("activate jackson hop winder march winder with jackson 0203", ["winder"])
    s.remove("winder")
    assert left(s, "confederate", text) is None
    s.remove("jackson")
    assert left(s, "confederate", "activate jackson march ap-hill 0201 0302") is None


LEADER = {"jackson": "0101", "ap-hill": "0101 9", "winder": "0101 8", "king": "0505 9"}


@pytest.mark.clause("std-6.3-1", "std-5.2-4")
def test_who_would_leave_the_leader_alone_stays_with_him_and_the_others_march(field: Field) -> None:
    """The whole activation lapsed when a third unit, which was to stay with him, had gone."""
    text = "activate jackson march ap-hill 0201 march winder 0102"
    s = field(OPEN, LEADER | {"ewell-a": "0101 9"}, choice="confederate")
    assert left(s, "confederate", text) is None, "it is legal: Ewell stays with him"
    s.put("ewell-a", s.board.parse("0303"))
    assert gcacw.why_not(s, "confederate", gcacw.read_order(s.board, "confederate", tuple(text.split()))) is not None
    assert left(s, "confederate", text) == ("activate jackson march ap-hill 0201", ["winder"])
    assert parts(s, "confederate", text) == [None]
    with_one = "activate jackson march ap-hill 0201 march winder with jackson 0102"
    assert left(s, "confederate", with_one) is None, "it is legal: he goes along"
    s.remove("winder")
    assert left(s, "confederate", "activate jackson march ap-hill 0201") is None, "nobody is left"


@pytest.mark.clause("std-6.3-1", "std-5.1-1")
def test_of_those_who_march_the_one_stays_who_can_in_the_hex_of_the_leader(field: Field) -> None:
    """The unit with which he was to go was driven off: it marches without him, and the other stays."""
    s = field(OPEN, LEADER, choice="confederate")
    s.put("ap-hill", s.board.parse("0102"))
    text = "activate jackson march ap-hill with jackson 0202 march winder 0201"
    assert left(s, "confederate", text) == ("activate jackson march ap-hill 0202", ["ap-hill", "winder"])
    assert parts(s, "confederate", text) == ["jackson", None]
    text = "activate jackson march ap-hill with jackson 0202 march winder"
    assert left(s, "confederate", text) == ("activate jackson march ap-hill 0202 march winder", ["ap-hill"])


@pytest.mark.clause("std-5.1-1", "std-6.3-1", "std-4.0-9")
def test_a_march_is_made_without_the_leader_who_cannot_go_along(field: Field) -> None:
    s = field(OPEN, LEADER, choice="confederate")
    text = "march ap-hill with jackson 0201"
    assert left(s, "confederate", text) is None, "it is legal"
    s.put("ap-hill", s.board.parse("0102"))
    assert left(s, "confederate", text) == ("march ap-hill 0201", ["ap-hill"])
    assert parts(s, "confederate", text) == ["jackson"]
    s.put("ap-hill", s.board.parse("0101"))
    s.remove("winder")
    assert left(s, "confederate", text) is None, "it is legal"
    assert left(s, "confederate", "march ap-hill 0201") is None, "Jackson would be alone"


def why(s: State, side: str, text: str) -> str:
    """The clause by which an order is refused as things stand; "" if it is legal."""
    refusal = gcacw.why_not(s, side, gcacw.read_order(s.board, side, tuple(text.split())))
    return "" if refusal is None else refusal.clause


@pytest.mark.clause("14.0-par3", "18.0-4", "std-5.1-12")
@pytest.mark.parametrize(("of", "clause"), [("paralysed", "14.0-par3"), ("panic", "18.0-4")])
def test_a_march_that_cannot_be_forced_any_more_is_made_as_it_is(field: Field, of: str, clause: str) -> None:
    units = {"mcdowell": "0101", "king": "0101 9", "ricketts": "0101 9", "hood": "0505 9"}
    s = field(OPEN, units, choice="union", scenario={"advanced": ADVANCED})
    alone, led = "march king 0201 0301 force{}", "activate mcdowell march king 0201 0301{} march ricketts"
    for text in (alone.format(""), alone.format(" route"), led.format(" force")):
        assert (why(s, "union", text), left(s, "union", text)) == ("", None), "it is legal"
    if of == "panic":
        s.panic = s.turn
    else:
        s.paralysed.add("union")
    for text in (alone.format(""), alone.format(" route")):
        assert why(s, "union", text) == clause, "who orders it now is told why not"
        assert left(s, "union", text) == ("march king 0201 0301", ["king"])
        assert parts(s, "union", text) == ["the forced march of king"]
    assert left(s, "union", led.format(" force")) == (led.format(""), ["king"])
    s.put("hood", s.board.parse("0301"))
    assert left(s, "union", alone.format("")) == ("march king 0201", ["king", "king"])
    assert parts(s, "union", alone.format("")) == ["the forced march of king", "the rest of king's way"]
    s.put("hood", s.board.parse("0201"))
    assert left(s, "union", alone.format("")) is None
    assert why(s, "union", alone.format("")) == "std-2.2-7", "it lapses as the enemy is there, forced or not"
    s.tire("king", 4)
    assert why(s, "union", alone.format("")) == "std-4.0-6"


@pytest.mark.clause("21.1-2", "21.1-3", "21.1-13")
def test_who_cannot_be_detached_any_more_is_left_out_and_the_march_is_made(field: Field) -> None:
    s = field(OPEN, {"king": "0101 4", "hood": "0505 9"}, choice="union", scenario={"advanced": ADVANCED})
    text = "march king 0201 0301 0401 detach union-sub-1 2 0201 union-sub-2 1 0301"
    assert left(s, "union", text) is None, "it is legal"
    s.put("hood", s.board.parse("0301"))
    short = "march king 0201 detach union-sub-1 2 0201"
    assert left(s, "union", text) == (short, ["king", "king"])
    assert parts(s, "union", text) == ["the rest of king's way", "union-sub-2"]
    s.put("hood", s.board.parse("0505"))
    s.manpower["king"] = 3  # both would leave nobody
    assert left(s, "union", text) == ("march king 0201 0301 0401 detach union-sub-1 2 0201", ["king"])
    s.manpower["king"] = 4
    s.put("union-sub-1", s.board.parse("0505"))
    s.manpower["union-sub-1"] = 1
    assert left(s, "union", text) == ("march king 0201 0301 0401 detach union-sub-2 1 0301", ["king"])
    assert left(s, "union", "march king detach union-sub-1 2") is None, "nothing is left to do"


@pytest.mark.clause("16.0-5", "16.0-8")
def test_by_rail_goes_up_to_where_the_line_is_shut(field: Field) -> None:
    s = field(OPEN, {"king": "0101 8", "hood": "0505 9"}, choice="union", turn=7, **RAIL)
    text = "rail king 0201 0301 0401 0501"
    assert left(s, "union", text) is None, "it is legal"
    s.put("hood", s.board.parse("0402"))
    assert left(s, "union", text) == ("rail king 0201 0301", ["king"]), "0401 is in its zone"
    assert parts(s, "union", text) == ["the rest of king's way"]
    s.put("hood", s.board.parse("0505"))
    s.station[s.board.parse("0301")] = 1
    assert left(s, "union", text) == ("rail king 0201", ["king"])
    s.put("hood", s.board.parse("0102"))
    assert left(s, "union", text) is None, "not a step is left"
    assert why(s, "union", text) == "16.0-5"
    s.put("hood", s.board.parse("0505"))
    s.hauled = 99
    assert left(s, "union", text) is None, "the railroad takes him no more"
    assert why(s, "union", text) == "16.0-8"


@pytest.mark.clause("16.0-1", "21.1-2", "21.1-3", "21.1-13")
def test_by_rail_goes_without_who_can_t_go_along_or_be_detached(field: Field) -> None:
    units = {"king": "0101 4", "mcdowell": "0105", "ricketts": "0105 8", "hood": "0505 9"}
    s = field(OPEN, units, choice="union", turn=7, **RAIL)
    assert left(s, "union", "rail king with mcdowell 0201 0301") == ("rail king 0201 0301", ["king"])
    assert parts(s, "union", "rail king with mcdowell 0201 0301") == ["mcdowell"]
    text = "rail king with mcdowell 0201 0301 0401 detach union-sub-1 2 union-sub-2 1 0401"
    s.station[s.board.parse("0401")] = 2
    assert left(s, "union", text) == ("rail king 0201 0301 detach union-sub-1 2", ["king"] * 3)
    assert parts(s, "union", text) == ["mcdowell", "the rest of king's way", "union-sub-2"]
    assert why(s, "union", text) == "16.0-5", "the first reason that is told is of the way"


def test_what_is_left_of_a_way_by_rail_is_carried_out_and_told(battle: Fields) -> None:
    b = battle(OPEN, {"king": "0101 8", "hood": "0505 9"}, choice="union", turn=7, **RAIL)
    b.state.station[b.state.board.parse("0301")] = 1
    found = gcacw.remainder(b.state, "union", b.order("rail king 0201 0301 0401"))
    assert found is not None
    (drop,) = found[1]
    assert drop.facts == {
        "unit": "king", "order": "rail king 0201 0301 0401", "part": "the rest of king's way", "end": "0201",
        "reason": "the station of 0301 is damaged or destroyed",
    }  # fmt: skip


@pytest.mark.clause("std-5.2-4", "std-7.7-1")
def test_who_marches_first_of_those_left_is_judged_so(field: Field) -> None:
    """The second of those named comes up first when the first can't act; the cavalry goes back before no step."""
    units = {"jackson": "0101", "ap-hill": "0101 9 F4", "winder": "0101 8", "bayard": "0201 3", "king": "0505 9"}
    s = field(OPEN, units, choice="confederate")
    text = "activate jackson march ap-hill 0102 march winder 0201 march winder 0102"
    assert left(s, "confederate", text) is None, "nobody is named twice"
    text = "activate jackson march ap-hill 0102 march winder 0201"
    assert left(s, "confederate", text) is None
    assert why(s, "confederate", "activate jackson march winder 0201") == "std-2.2-7"


def test_outside_the_cycle_nothing_is_left_of_an_order(field: Field) -> None:
    s = field(OPEN, {"king": "0101 9", "hood": "0201 9"}, phase="union-recovery")
    assert gcacw.remainder(s, "union", March("king", (s.board.parse("0102"), s.board.parse("0201")))) is None
    for order, spent in ((Close("transfer"), True), (PASS, True), (Close("recovery"), False)):
        assert (gcacw.remainder(s, "union", order) == (None, ())) == spent


@pytest.mark.parametrize(
    ("phase", "spent"),
    [("events", ""), ("repair", "transfer"), ("supply-status", "transfer"), ("supply-effects", "transfer recovery")],
)
def test_in_a_phase_without_orders_the_steps_before_it_are_over(campaign: Campaign, phase: str, spent: str) -> None:
    s = campaign("rapidan-to-manassas", turn=6, phase=phase)
    for step in ("transfer", "recovery"):
        assert (gcacw.remainder(s, "confederate", Close(step)) == (None, ())) == (step in spent.split())


@pytest.mark.clause("std-4.0-4", "std-9.0-1")
def test_who_closes_his_actions_passes_and_is_asked_for_works(battle: Fields) -> None:
    b = battle(OPEN, {"king": "0101 9", "hood": "0505 9"}, choice="union")
    assert b.why_not("close action") is None
    b.do("close action")
    assert b.request.side == "confederate"
    b.do("march hood 0504", 3)
    b.do("", 6, 1)
    assert [tell.facts["side"] for tell in b.told if tell.what == "pass"] == ["union"]
    b.do("close action")
    assert (b.phase, b.request.side) == ("union-recovery", "union")
    assert b.refused("close action") == "std-8.0-1"


@pytest.mark.clause("std-6.1-1", "std-7.1-1")
@pytest.mark.parametrize("text", ["march king 0201 0402 0302", "march king 0201 0301 attack 0505"])
def test_a_gap_in_a_way_is_worded_alike_now_and_beforehand(field: Field, text: str) -> None:
    s = field(OPEN, {"king": "0101 9", "hood": "0505 9"}, choice="union")
    order = gcacw.read_order(s.board, "union", tuple(text.split()))
    now, never = gcacw.why_not(s, "union", order), gcacw.why_never(s, "union", "cycle", order)
    assert now == never
    assert now is not None
    assert "isn't adjacent to" in now.reason


@pytest.mark.clause("3.0-3")
def test_reinforcements_that_nobody_places_come_to_the_first_hex(game: Fields) -> None:
    for closing in ("close transfer", "done"):
        b = game("to-bull-run", {"va-2": "N2734"}, turn=3, phase="union-reinforcements", opened=False)
        b.do("")
        b.do(closing)
        assert b.at("porter") == "N2934"
        assert b.state.waiting.isdisjoint({"v-corps"})


@pytest.mark.parametrize(
    ("phase", "text", "never"),
    [
        ("union-reinforcements", "place v-corps at N2734", False),
        ("union-reinforcements", "transfer pope king", True),
        ("confederate-reinforcements", "place v-corps at N2734", True),
        ("union-transfer", "transfer pope king", False),
        ("union-transfer", "transfer lee hood", True),
        ("union-transfer", "close transfer", False),
        ("union-transfer", "close recovery", True),
        ("union-transfer", "march king", True),
        ("confederate-transfer", "transfer pope king", True),
        ("cycle", "march king", False),
        ("cycle", "march waagner", True),
        ("cycle", "activate mcdowell march king", False),
        ("cycle", "activate pope march king", True),
        ("cycle", "entrench king", True),
        ("cycle", "close action", False),
        ("cycle", "pass", False),
        ("union-recovery", "entrench king", False),
        ("union-recovery", "bridge hood N1830", True),
        ("union-recovery", "done", False),
        ("nowhere", "march king", False),
    ],
)
def test_what_can_never_be_given_in_a_phase(campaign: Callable[..., State], phase: str, text: str, never: bool) -> None:
    s = campaign("to-bull-run", turn=3)
    s.remove("waagner")
    order: Order = gcacw.read_order(s.board, "union", tuple(text.split()))
    assert (gcacw.why_never(s, "union", phase, order) is not None) == never


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("march buford S0125 S0126 S0127 S0228", "S0228 isn't adjacent to S0127"),
        ("march buford along S0125 S0127", "S0127 isn't adjacent to S0125"),
        ("activate sigel march schurz with sigel S0208 S0310", "S0310 isn't adjacent to S0208"),
        ("march augur S0715 S0714 attack S0628", "S0628 Twyman's Mill isn't adjacent to S0714"),
        (
            "march bayard S0826 S0825 attack S0825",
            "the way leads into S0825, which is attacked: end it beside that hex",
        ),
        ("march buford S0125 S0126 S0127 S0227", ""),
        ("march buford S0728 attack S0628", ""),  # it may stand beside it by then
        ("march augur attack S0628", ""),
    ],
)
def test_a_way_with_a_gap_is_refused_wherever_it_begins(campaign: Callable[..., State], text: str, reason: str) -> None:
    """It was taken, and the march ended before the gap without a word before it was signed."""
    s = campaign("cedar-mountain", turn=2, phase="union-transfer")
    found = gcacw.why_never(s, "union", "cycle", gcacw.read_order(s.board, "union", tuple(text.split())))
    assert (found.reason if found is not None else "") == reason


def test_a_way_into_what_the_scenario_closes_is_refused_before_its_turn(
    campaign: Callable[..., State],
) -> None:
    s = campaign("cedar-mountain", turn=2, phase="union-transfer")
    for unit, clause in (("lawton", "13.1-sp4"), ("winder", "")):
        order = gcacw.read_order(s.board, "confederate", ("march", unit, "S0832", "S0932"))
        found = gcacw.why_never(s, "confederate", "cycle", order)
        assert (found.clause if found is not None else "") == clause


@pytest.mark.parametrize(
    ("turn", "phase", "hungry", "text", "reason"),
    [
        (4, "union-transfer", "", "forage king", "King is in supply"),
        (4, "cycle", "hatch", "forage king", "King is in supply"),
        (4, "cycle", "king", "forage king", ""),
        (6, "union-transfer", "", "forage king", ""),  # supply is judged before the cycle
        (6, "cycle", "", "forage king", "King is in supply"),
        (4, "union-transfer", "union-sub-1", "forage king", ""),  # which may merge into it
        (4, "cycle", "union-sub-1", "forage king", "King is in supply"),
        (4, "cycle", "king", "forage union-sub-1", ""),  # which may be lost, and be detached from King
        (4, "cycle", "union-sub-1", "forage union-sub-1", ""),
    ],
)
@pytest.mark.clause("20.4-3")
def test_who_is_in_supply_for_the_turn_can_never_forage(
    campaign: Callable[..., State], turn: int, phase: str, hungry: str, text: str, reason: str
) -> None:
    """It was told to lapse in so many of the futures, as if it could be done in others."""
    s = campaign("rapidan-to-manassas", {"union-sub-1": "S1518 2", "king": "S1518"}, turn=turn, phase=phase)
    s.hungry |= {hungry} - {""}
    found = gcacw.why_never(s, "union", "union-recovery", gcacw.read_order(s.board, "union", tuple(text.split())))
    assert (found.reason if found is not None else "") == reason


@pytest.mark.parametrize("rain", [3, 4])
@pytest.mark.clause("14.0-rain-br")
def test_nobody_can_build_a_bridge_in_what_is_left_of_a_turn_with_rain(
    campaign: Callable[..., State], rain: int
) -> None:
    s = campaign("rapidan-to-manassas", turn=4, phase="cycle")
    s.weather(rain)
    order = gcacw.read_order(s.board, "union", ("bridge", "king", "S1518"))
    found = gcacw.why_never(s, "union", "union-recovery", order)
    assert (found.clause if found is not None else "") == ("14.0-rain-br" if rain == 4 else "")


@pytest.mark.clause("22.1-re2")
def test_nobody_is_put_off_to_a_turn_that_never_comes_by_order(campaign: Callable[..., State]) -> None:
    """It was accepted; a program that signs it all the same has it carried out."""
    s = campaign("rapidan-to-manassas", turn=7, phase="union-reinforcements")
    order = gcacw.read_order(s.board, "union", ("put-off", "hooker"))
    assert gcacw.why_never(s, "union", "union-reinforcements", order) is None
    s.turn = s.due["hooker"] = s.board.turns
    found = gcacw.why_never(s, "union", "union-reinforcements", order)
    assert found is not None
    assert (found.clause, found.reason) == ("22.1-re2", "turn 15 is the last: hooker would never come")
    assert gcacw.why_not(s, "union", order) is None


def test_a_lost_leader_may_come_back_before_his_order(campaign: Callable[..., State]) -> None:
    s = campaign("to-bull-run", turn=3)
    s.remove("pope")
    order = gcacw.read_order(
        s.board, "union", ("grand", "pope", "at", "N1829", "under", "sigel", "by", "schenck", "and", "king")
    )
    assert gcacw.why_never(s, "union", "cycle", order) is None
    assert gcacw.why_not(s, "union", order) is not None


@pytest.mark.clause("20.4-1", "20.4-8")
def test_those_forage_who_can(campaign: Campaign) -> None:
    """Named ahead, each tries for himself; one who has come to fatigue 4 meanwhile takes no other's food."""
    s = campaign("rapidan-to-manassas", turn=7, phase="union-recovery")
    s.hungry |= {"king", "ricketts", "schurz"}
    s.tire("ricketts", 4)
    assert left(s, "union", "forage king ricketts schurz") == ("forage king schurz", ["ricketts"])
    assert left(s, "union", "forage king schurz") is None  # it is legal
    assert left(s, "union", "forage ricketts") is None  # nobody is left


def test_an_action_that_the_end_of_the_cycle_has_overtaken_lapses_for_that_reason(campaign: Campaign) -> None:
    s = campaign("rapidan-to-rappahannock", turn=3, phase="union-recovery")
    refusal = gcacw.why_not(s, "union", gcacw.read_order(s.board, "union", ("march", "king", "S1419")))
    assert refusal is not None
    assert (refusal.reason, refusal.clause) == ("the action cycle is over", "std-4.0-1")
    works = gcacw.read_order(s.board, "union", ("entrench", "king"))
    assert gcacw.why_not(s, "union", works) is None


@pytest.mark.parametrize(
    ("phase", "text", "reason"),
    [
        ("union-recovery", "march king S1419", "the action cycle is over"),
        ("union-recovery", "activate banks march king S1419", "the action cycle is over"),
        ("union-recovery", "transfer pope king", "the phase for it, Leader Transfer, is over"),
        (
            "union-recovery",
            "merge union-sub-1 into king",
            "union-sub-1 Union Substitute 1 is no combat unit of yours on the map",
        ),
        ("union-transfer", "march king S1419", "the action cycle comes later in the turn"),
        ("union-transfer", "entrench king", "the phase for it, Recovery, comes later in the turn"),
        ("union-attachment", "forage king", "the phase for it, Recovery, comes later in the turn"),
        ("cycle", "entrench king", "the phase for it, Recovery, comes later in the turn"),
        ("cycle", "transfer pope king", "the phase for it, Leader Transfer, is over"),
        ("cycle", "retreat S1419", "units and leaders act in the action cycle, or a side passes"),
    ],
)
def test_an_order_of_another_phase_lapses_for_that_reason(
    campaign: Campaign, phase: str, text: str, reason: str
) -> None:
    """It was told that units entrench and build bridges in this phase: what another order could do is no reason."""
    s = campaign("rapidan-to-rappahannock", turn=3, phase=phase, choice="union")
    order = gcacw.read_order(s.board, "union", tuple(text.split()))
    activity = gcacw.next_activity(s)
    request = next(one for one in activity if isinstance(one, Choose))
    refusals = [gcacw.why_not(s, "union", order), request.why_not(order)]
    assert [refusal and refusal.reason for refusal in refusals] == [reason, reason]
