"""Substitutes detached on the march and merged again (21.0 to 21.2)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from rules.field import Battle
from rules.gcacw.activities import run, told
from rules.gcacw.small_field import ADVANCED

from pbem.errors import Refusal
from pbem.rules.gcacw import assault, march, may_march, substitutes
from pbem.rules.gcacw.activation import carry_out as activate
from pbem.rules.gcacw.activation import why_not as why_not_activate
from pbem.rules.gcacw.harm import lose
from pbem.rules.gcacw.leaders import alone
from pbem.rules.gcacw.orders import Activate, Assault, Detach, Evade, March, Merge, Strike
from pbem.rules.gcacw.state import State

Field = Callable[..., State]
Fields = Callable[..., Battle]
Campaign = Callable[..., State]
NAME = "rapidan-to-manassas"
OPEN = "\n".join([". " * 8] * 5)
WAAGNER = {"unit": "waagner", "into": "infantry brigades and divisions", "clause": "21.2-u5"}
EVANS = {"unit": "evans", "command": "L", "clause": "21.2-c1"}
SUBS: dict[str, Any] = {"scenario": {"advanced": ADVANCED}, "turns": 15, "turn": 4}


def with_merging(*lines: dict[str, str]) -> dict[str, Any]:
    """SUBS with units that merge as substitutes do."""
    return SUBS | {"scenario": {"advanced": {**ADVANCED, "merging": [*lines]}}}


def clause(refusal: Refusal | None) -> str:
    return "" if refusal is None else refusal.clause


def detach(s: State, unit: str, *parts: tuple[Any, ...], way: str = "") -> str:
    """The clause by which a unit can't detach these parts on its way, "" when it can."""
    made = tuple(Detach(sub, number, s.board.parse(at[0]) if at else None) for sub, number, *at in parts)
    order = March(unit, tuple(map(s.board.parse, way.split())), detached=made)
    return clause(may_march.why_not(s, s.board.units[unit].side, order))


def marched(s: State, unit: str, *parts: tuple[Any, ...], way: str = "", dice: tuple[int, ...] = (6,)) -> list[Any]:
    """A unit's march with these parts left behind."""
    made = tuple(Detach(sub, number, s.board.parse(at[0]) if at else None) for sub, number, *at in parts)
    order = March(unit, tuple(map(s.board.parse, way.split())), detached=made)
    assert may_march.why_not(s, s.board.units[unit].side, order) is None
    return run(march.carry_out(s, order), dice)


def merging(s: State, unit: str, into: str, side: str = "") -> str:
    return clause(substitutes.why_not_merge(s, side or s.board.units[unit].side, Merge(unit, into)))


# --- how many there are (21.0) ----------------------------------------------------------------------------------------


@pytest.mark.clause("21.0-1")
def test_each_side_has_three_brigades_and_three_regiments(campaign: Campaign) -> None:
    s = campaign(NAME)
    assert s.board.advanced is not None
    for side, found in s.board.advanced.substitutes.items():
        kinds = sorted((s.board.units[sub].branch, s.board.units[sub].size) for sub in found)
        assert kinds == [("cavalry", "regiment")] * 3 + [("infantry", "brigade")] * 3
        assert {s.board.units[sub].side for sub in found} == {side}
        assert not any(sub in s.at for sub in found)


@pytest.mark.clause("21.0-1", "21.1-2")
def test_a_fourth_of_a_kind_cant_be_detached(field: Field) -> None:
    s = field(OPEN, {"ap-hill": "0101 18", "hood": "0801 8", "f-lee": "0805 3"}, **SUBS)
    parts = [(f"csa-sub-{n}", 2) for n in (1, 2, 3)]
    marched(s, "ap-hill", *parts)
    assert substitutes.free_substitutes(s, "hood") == []
    for n in (1, 2, 3):
        assert detach(s, "hood", (f"csa-sub-{n}", 1)) == "21.1-2"
        assert detach(s, "f-lee", (f"csa-cav-{n}", 1)) == ""


@pytest.mark.clause("21.0-2")
def test_who_merged_or_was_eliminated_can_be_used_again(field: Field) -> None:
    s = field(OPEN, {"ap-hill": "0101 16", "hood": "0801 8"}, **SUBS)
    marched(s, "ap-hill", ("csa-sub-1", 2), ("csa-sub-2", 2))
    assert detach(s, "hood", ("csa-sub-1", 1)) == detach(s, "hood", ("csa-sub-2", 1)) == "21.1-2"
    run(substitutes.merge(s, Merge("csa-sub-1", "ap-hill")))
    run(lose(s, "csa-sub-2", 2, "std-7.5-2", counted=True))
    assert detach(s, "hood", ("csa-sub-1", 1)) == detach(s, "hood", ("csa-sub-2", 1)) == ""
    marched(s, "hood", ("csa-sub-1", 1), ("csa-sub-2", 1))
    assert "csa-sub-1" in s.at
    assert "csa-sub-2" not in s.removed


# --- detaching (21.1) -------------------------------------------------------------------------------------------------


@pytest.mark.clause("21.1-1", "21.1-13", "21.1-12")
@pytest.mark.parametrize(
    ("manpower", "part", "refused"), [(2, 1, ""), (1, 1, "21.1-13"), (9, 8, ""), (9, 9, "21.1-13")]
)
def test_the_unit_keeps_a_point_at_least(field: Field, manpower: int, part: int, refused: str) -> None:
    s = field(OPEN, {"ap-hill": f"0101 {manpower}", "hood": "0801 8"}, **SUBS)
    assert detach(s, "ap-hill", ("csa-sub-1", part)) == refused
    if not refused:
        marched(s, "ap-hill", ("csa-sub-1", part))
        assert (s.manpower["ap-hill"], s.manpower["csa-sub-1"]) == (manpower - part, part)


@pytest.mark.clause("21.1-13")
def test_several_parts_are_summed(field: Field) -> None:
    s = field(OPEN, {"ap-hill": "0101 9", "hood": "0801 8"}, **SUBS)
    assert detach(s, "ap-hill", ("csa-sub-1", 4), ("csa-sub-2", 4)) == ""
    assert detach(s, "ap-hill", ("csa-sub-1", 4), ("csa-sub-2", 5)) == "21.1-13"


@pytest.mark.clause("21.1-2")
def test_a_substitute_is_of_the_units_kind_and_side(field: Field) -> None:
    s = field(OPEN, {"ap-hill": "0101 9", "f-lee": "0805 3"}, **SUBS)
    assert detach(s, "ap-hill", ("csa-cav-1", 1)) == "21.1-2"
    assert detach(s, "f-lee", ("csa-sub-1", 1)) == "21.1-2"
    assert detach(s, "ap-hill", ("union-sub-1", 1)) == "21.1-2"
    assert detach(s, "ap-hill", ("f-lee", 1)) == "21.1-2"


@pytest.mark.clause("21.1-11")
@pytest.mark.parametrize(
    ("unit", "sub", "part", "refused"),
    [("ap-hill", "csa-sub-1", 9, ""), ("ap-hill", "csa-sub-1", 10, "21.1-11"), ("f-lee", "csa-cav-1", 2, ""),
     ("f-lee", "csa-cav-1", 3, "21.1-11"), ("ap-hill", "csa-sub-1", 0, "21.1-11")],
)  # fmt: skip
def test_a_substitute_has_nine_or_two_points_at_most(
    field: Field, unit: str, sub: str, part: int, refused: str
) -> None:
    s = field(OPEN, {"ap-hill": "0101 18", "f-lee": "0805 4"}, **SUBS)
    assert detach(s, unit, (sub, part)) == refused


@pytest.mark.clause("21.1-3", "21.1-1")
def test_it_is_left_where_the_march_begins_or_in_a_hex_of_it(field: Field) -> None:
    s = field(OPEN, {"ap-hill": "0101 18", "hood": "0801 8"}, roads={"road": "0101 0201 0301 0401"}, **SUBS)
    way = "0201 0301 0401"
    assert detach(s, "ap-hill", ("csa-sub-1", 2, "0501"), way=way) == "21.1-3"
    marched(s, "ap-hill", ("csa-sub-1", 2), ("csa-sub-2", 3, "0201"), ("csa-sub-3", 4, "0401"), way=way)
    assert [s.board.label[s.at[unit]] for unit in ("csa-sub-1", "csa-sub-2", "csa-sub-3", "ap-hill")] == [
        "0101", "0201", "0401", "0401",
    ]  # fmt: skip
    assert s.manpower["ap-hill"] == 9


@pytest.mark.clause("21.1-3")
def test_where_the_march_doesnt_come_nobody_is_left(field: Field) -> None:
    s = field(OPEN, {"ap-hill": "0101 18", "hood": "0801 8"}, **SUBS)
    marched(s, "ap-hill", ("csa-sub-1", 2, "0301"), way="0201 0301", dice=(2,))  # three points: one clear hex
    assert s.board.label[s.at["ap-hill"]] == "0201"
    assert "csa-sub-1" not in s.at
    assert s.manpower["ap-hill"] == 18


@pytest.mark.clause("21.1-2", "21.1-3", "21.1-13")
def test_who_is_not_detached_when_it_comes_to_that_is_told(field: Field) -> None:
    """Nothing was told where the march didn't come so far, its men were lost, or another had taken the counter."""
    s = field(OPEN, {"ap-hill": "0101 18", "hood": "0801 8"}, **SUBS)
    found = marched(s, "ap-hill", ("csa-sub-1", 2), ("csa-sub-2", 2, "0301"), way="0201 0301", dice=(2,))
    facts = {"unit": "ap-hill", "substitute": "csa-sub-2", "manpower": 2, "at": "0301"}
    assert told(found, "no-detachment") == [facts | {"reason": "it didn't come there"}]
    assert [one["substitute"] for one in told(found, "detached")] == ["csa-sub-1"]
    s = field(OPEN, {"ap-hill": "0101 18", "hood": "0801 8"}, **SUBS)
    found = marched(s, "ap-hill", ("csa-sub-1", 2), ("csa-sub-2", 2, "0301"), way="0201 0301", dice=(6,))
    assert not told(found, "no-detachment")
    assert {"csa-sub-1", "csa-sub-2"} <= {*s.at}


@pytest.mark.clause("21.1-13", "std-5.1-8")
@pytest.mark.parametrize(("die", "left"), [(1, 2), (5, 1)])
def test_whose_men_are_lost_on_an_extended_march_is_not_detached(field: Field, die: int, left: int) -> None:
    s = field(OPEN, {"ap-hill": "0101 2 F2 disorganised", "hood": "0801 8"}, **SUBS)
    found = marched(s, "ap-hill", ("csa-sub-1", 1), dice=(6, die))
    assert [one["reason"] for one in told(found, "no-detachment")] == (
        ["it has 1 manpower left, and keeps at least 1 of it"] * (left == 1)
    )
    assert ("csa-sub-1" in s.at) == (left == 2)


@pytest.mark.clause("21.1-2", "std-5.2-1")
def test_of_two_who_march_together_the_first_takes_the_substitute(field: Field) -> None:
    s = field(OPEN, {"ap-hill": "0101 9", "winder": "0101 9", "jackson": "0101", "hood": "0801 8"}, **SUBS)
    parts = [March(unit, (), detached=(Detach("csa-sub-1", 2),)) for unit in ("ap-hill", "winder")]
    order = Activate("jackson", tuple(parts))
    assert why_not_activate(s, "confederate", order) is None
    found = run(activate(s, order), (6,))
    assert [(one["unit"], one["reason"]) for one in told(found, "no-detachment")] == [("winder", "that is in play")]
    assert (s.manpower["ap-hill"], s.manpower["winder"]) == (7, 9)


@pytest.mark.clause("std-7.7-7", "21.1-3")
@pytest.mark.parametrize("goes", [True, False])
def test_it_is_left_in_the_hex_that_cavalry_has_left_before_the_attack(field: Field, goes: bool) -> None:
    """Who entered the hex of cavalry that went back left nobody there."""
    s = field(OPEN, {"ap-hill": "0101 18", "bayard": "0201 3", "hood": "0801 8"}, **SUBS)
    at = s.board.parse("0201")
    order = March("ap-hill", (at,), strike=Strike(at), detached=(Detach("csa-sub-1", 2, at),))
    assert may_march.why_not(s, "confederate", order) is None
    found = run(march.carry_out(s, order), (6, 1) if goes else (6, 3, 3), (Evade(goes),))
    assert (s.at.get("csa-sub-1") == at) == goes
    assert len(told(found, "no-detachment")) == (not goes)


@pytest.mark.clause("21.1-4")
def test_a_substitute_acts_as_any_unit(battle: Fields) -> None:
    b = battle(OPEN, {"ap-hill": "0101 18", "king": "0805 9"}, choice="confederate", **SUBS)
    b.do("march ap-hill detach csa-sub-1 4", 6)
    b.do("", 1, 6)
    b.do("march csa-sub-1 0102", 6)
    assert b.at("csa-sub-1") == "0102"
    assert b.state.fatigue["csa-sub-1"] == 1


@pytest.mark.clause("21.1-5", "21.1-7")
@pytest.mark.parametrize(("before", "dice"), [(0, (6,)), (1, (6,)), (2, (6, 1)), (3, (6, 1))])
def test_in_the_first_hex_it_is_as_fresh_as_the_unit_was_later_as_it_is(
    field: Field, before: int, dice: tuple[int, ...]
) -> None:
    s = field(OPEN, {"ap-hill": f"0101 18 F{before}", "hood": "0801 8"}, **SUBS)
    marched(s, "ap-hill", ("csa-sub-1", 2), ("csa-sub-2", 2, "0201"), way="0201", dice=dice)
    assert s.fatigue.get("csa-sub-1", 0) == before
    assert s.fatigue.get("csa-sub-2", 0) == s.fatigue["ap-hill"] == before + 1


@pytest.mark.clause("21.1-6", "21.1-7")
@pytest.mark.parametrize("works", [0, 2, 4])
def test_in_the_first_hex_it_stays_behind_the_works(field: Field, works: int) -> None:
    s = field(OPEN, {"ap-hill": f"0101 18 works {works}", "hood": "0801 8"}, **SUBS)
    marched(s, "ap-hill", ("csa-sub-1", 2), ("csa-sub-2", 2, "0201"), way="0201")
    assert s.works == ({"csa-sub-1": works} if works else {})


@pytest.mark.clause("21.1-8", "21.1-9")
def test_it_is_of_the_corps_that_detached_it(field: Field) -> None:
    units = {"ap-hill": "0101 18", "jackson": "0101", "longstreet": "0102", "hood": "0102 8", "king": "0202 9"}
    s = field(OPEN, units, **SUBS)
    marched(s, "ap-hill", ("csa-sub-1", 4))
    assert s.commands("jackson", "csa-sub-1")
    assert not s.commands("longstreet", "csa-sub-1")
    led = Activate("jackson", (March("csa-sub-1", ()),))
    assert clause(why_not_activate(s, "confederate", led)) == ""
    assert clause(why_not_activate(s, "confederate", led.__class__("longstreet", led.marches))) == "std-5.2-1"
    at = s.board.parse("0202")
    assert clause(assault.why_not(s, "confederate", Assault("jackson", at, ("csa-sub-1",)))) in ("", "std-5.3-2")
    assert clause(assault.why_not(s, "confederate", Assault("longstreet", at, ("csa-sub-1",)))) in (
        "std-5.3-1", "std-5.3-2",
    )  # fmt: skip


@pytest.mark.clause("21.1-8")
def test_one_detached_from_a_substitute_is_of_the_first_corps(field: Field) -> None:
    s = field(OPEN, {"ap-hill": "0101 18", "jackson": "0101", "king": "0805 9"}, **SUBS)
    marched(s, "ap-hill", ("csa-sub-1", 4))
    marched(s, "csa-sub-1", ("csa-sub-2", 2))
    assert s.origin == {"csa-sub-1": "ap-hill", "csa-sub-2": "ap-hill"}
    assert s.commands("jackson", "csa-sub-2")


@pytest.mark.clause("21.1-9")
def test_it_may_go_away_and_merge_into_another_corps(field: Field) -> None:
    s = field(OPEN, {"ap-hill": "0101 16", "jackson": "0101", "hood": "0302 8", "king": "0805 9"}, **SUBS)
    marched(s, "ap-hill", ("csa-sub-1", 4))
    s.put("csa-sub-1", s.board.parse("0302"))
    assert merging(s, "csa-sub-1", "hood") == ""


@pytest.mark.clause("21.1-10")
def test_it_has_no_artillery(campaign: Campaign) -> None:
    s = campaign(NAME)
    assert s.board.advanced is not None
    found = [sub for subs in s.board.advanced.substitutes.values() for sub in subs]
    assert {s.board.units[sub].artillery for sub in found} == {0}


@pytest.mark.clause("21.1-12", "21.1-14")
@pytest.mark.parametrize("state", ["", "disorganised", "demoralised 1", "demoralised 2"])
def test_it_is_as_orderly_and_steady_as_the_unit(field: Field, state: str) -> None:
    s = field(OPEN, {"ap-hill": f"0101 18 {state}", "hood": "0801 8"}, **SUBS)
    marched(s, "ap-hill", ("csa-sub-1", 5))
    for unit in ("ap-hill", "csa-sub-1"):
        assert (unit in s.disorganised) == (state == "disorganised")
        assert s.demoralised.get(unit, 0) == (int(state[-1]) if state.startswith("demoralised") else 0)


@pytest.mark.clause("21.1-14")
@pytest.mark.parametrize(
    ("option", "hungry", "found"), [("no", True, True), ("no", False, False), ("yes", True, False)]
)
def test_it_is_in_supply_if_the_unit_is(field: Field, option: str, hungry: bool, found: bool) -> None:
    s = field(OPEN, {"ap-hill": "0101 18", "hood": "0801 8"}, options={"substitute-in-supply": option}, **SUBS)
    s.hungry = {"ap-hill"} if hungry else set()
    marched(s, "ap-hill", ("csa-sub-1", 5))
    assert ("csa-sub-1" in s.hungry) == found


@pytest.mark.clause("21.1-1")
def test_units_of_an_activation_detach_as_well(battle: Fields) -> None:
    units = {"ap-hill": "0101 18", "jackson": "0101", "king": "0805 9"}
    b = battle(OPEN, units, choice="confederate", **SUBS)
    b.do("activate jackson march ap-hill with jackson 0102 detach csa-sub-1 4 csa-sub-2 3 0102", 6)
    assert (b.at("csa-sub-1"), b.at("csa-sub-2"), b.at("ap-hill")) == ("0101", "0102", "0102")


@pytest.mark.clause("21.1-1")
def test_a_leader_stays_with_who_is_left(battle: Fields) -> None:
    b = battle(OPEN, {"ap-hill": "0101 18", "jackson": "0101", "king": "0805 9"}, choice="confederate", **SUBS)
    assert b.refused("march ap-hill 0102") == "std-6.3-1"
    b.do("march ap-hill 0102 detach csa-sub-1 4", 6)
    assert (b.at("jackson"), b.at("csa-sub-1"), b.at("ap-hill")) == ("0101", "0101", "0102")


@pytest.mark.clause("21.1-3", "21.1-8", "std-6.3-1", "std-5.2-4")
@pytest.mark.parametrize(
    ("order", "refused"),
    [
        ("march ap-hill 0102 detach csa-sub-1 2", ""),
        ("activate jackson march ap-hill 0102 detach csa-sub-1 2", ""),
        ("activate jackson march ap-hill 0102 detach csa-sub-1 2 0101", ""),
        ("activate jackson march ap-hill 0102 detach csa-sub-1 2 0102", "std-6.3-1"),
        ("activate jackson march ap-hill 0102", "std-6.3-1"),
        # the substitute is detached by the first who names it, and that isn't here
        ("activate jackson march winder detach csa-sub-1 2 march ap-hill 0102 detach csa-sub-1 2", "std-6.3-1"),
        ("activate jackson march winder detach csa-sub-1 2 march ap-hill 0102 detach csa-sub-2 2", ""),
        ("activate jackson hop winder march winder 0104 detach csa-sub-1 2", ""),
        ("activate jackson hop winder march winder 0104", "std-6.3-1"),
    ],
)
def test_a_substitute_left_with_the_leader_is_company_for_him(battle: Fields, order: str, refused: str) -> None:
    units = {"jackson": "0101", "ap-hill": "0101 9", "winder": "0103 9", "king": "0505 9"}
    b = battle(OPEN, units, choice="confederate", scenario={"advanced": ADVANCED})
    if refused:
        assert b.refused(order) == refused
        return
    b.do(order, 6)
    assert b.at("jackson") == ("0103" if "hop" in order else "0101")
    assert not alone(b.state, "jackson")


def test_nobody_is_detached_in_the_basic_game(campaign: Campaign) -> None:
    s = campaign("cedar-mountain")
    unit = s.own("confederate")[0]
    order = March(unit, (), detached=(Detach(unit, 1),))
    assert clause(substitutes.why_not_detach(s, "confederate", order)) == "14.0-0"
    assert clause(substitutes.why_not_merge(s, "confederate", Merge(unit, unit))) == "14.0-0"


# --- merging (21.2) ---------------------------------------------------------------------------------------------------

MORE = {"ap-hill": "0101 9", "csa-sub-1": "0101 4", "hood": "0101 8", "csa-cav-1": "0101 1", "f-lee": "0101 2"}


def subs(field: Field, units: dict[str, str], **more: Any) -> State:
    """A field on which substitutes stand, too."""
    plain = {unit: text for unit, text in units.items() if "-sub-" not in unit and "-cav-" not in unit}
    s = field(OPEN, plain, **(SUBS | more))
    for unit, text in units.items():
        if "-sub-" in unit or "-cav-" in unit:
            h, manpower, *states = text.split()
            s.put(unit, s.board.parse(h))
            s.manpower[unit] = int(manpower)
            s.origin[unit] = "ap-hill"
            for state in states:
                if state.startswith("F"):
                    s.fatigue[unit] = int(state[1:])
                if state == "disorganised":
                    s.disorganised.add(unit)
                if state.startswith("works"):
                    s.works[unit] = int(state[5:])
    return s


@pytest.mark.clause("21.2-1", "21.2-2", "3.0-6")
def test_a_substitute_merges_into_a_unit_of_its_kind_in_its_hex(field: Field) -> None:
    s = subs(field, MORE | {"wilcox": "0102 9", "king": "0805 9"})
    assert merging(s, "csa-sub-1", "hood") == ""  # of another corps
    assert merging(s, "csa-sub-1", "wilcox") == "21.2-1"  # another hex
    assert merging(s, "csa-sub-1", "f-lee") == "21.2-1"  # cavalry
    assert merging(s, "csa-cav-1", "f-lee") == ""
    assert merging(s, "csa-sub-1", "csa-sub-1") == "21.2-1"
    assert merging(s, "ap-hill", "hood") == "21.2-1"  # no substitute
    assert merging(s, "csa-sub-1", "hood", side="union") == "21.2-1"
    run(substitutes.merge(s, Merge("csa-sub-1", "hood")))
    assert s.manpower["hood"] == 12
    assert "csa-sub-1" not in s.at
    assert "csa-sub-1" not in s.manpower


@pytest.mark.clause("3.0-6")
def test_units_merge_in_the_attachment_phase(battle: Fields) -> None:
    b = battle(OPEN, {"ap-hill": "0101 16", "king": "0805 9"}, choice="confederate", **SUBS)
    b.do("march ap-hill detach csa-sub-1 4", 6)
    b.do("", 1, 6)
    assert b.why_not("merge csa-sub-1 into ap-hill") is not None
    b.do("done")
    while b.phase == "cycle":
        b.do("done", 3, 4)
    while b.phase != "confederate-attachment":
        b.do({"transfer": "close transfer"}.get(b.phase.split("-")[1], "done"))
    assert (b.request.side, b.state.turn) == ("confederate", 5)
    b.do("merge csa-sub-1 into ap-hill")
    assert b.state.manpower["ap-hill"] == 16


@pytest.mark.clause("3.0-6", "21.2-1")
def test_who_could_not_merge_is_told_why_once_the_phase_is_over(battle: Fields) -> None:
    """`the phase for it is over` stood there, which nobody had been asked in."""
    units = {"ap-hill": "0101 16", "csa-sub-1": "0201 2", "king": "0805 9"}
    b = battle(OPEN, units, choice="confederate", **SUBS)
    apart = b.why_not("merge csa-sub-1 into ap-hill")
    assert apart is not None
    assert (apart.clause, apart.reason.split()[-1]) == ("21.2-1", "Hill")
    b.do("march csa-sub-1 0301", 6)
    b.do("", 1, 6)
    over = b.why_not("merge csa-sub-1 into ap-hill")  # and now it is over in truth
    assert over is not None
    assert "is over" in over.reason


@pytest.mark.clause("21.2-1", "std-6.3-1")
def test_nobody_merges_away_from_a_leader_who_would_be_alone(battle: Fields) -> None:
    """He was put with the nearest of his command, however far; in the transfer phase before he can go there."""
    units = {"sigel": "0101", "schurz": "0101 7", "ricketts": "0101 9", "hood": "0805 9"}
    b = battle(OPEN, units, choice="union", **SUBS)
    b.do("march schurz 0201 detach union-sub-1 2", 6)
    assert b.state.at["sigel"] == b.state.at["union-sub-1"]
    b.do("", 6, 1)
    b.do("done")
    while b.phase == "cycle":
        b.do("done", 3, 4)
    alone = substitutes.why_not_merge(b.state, "union", Merge("union-sub-1", "ricketts"))
    assert alone is not None
    assert (alone.clause, alone.reason.split()[0]) == ("std-6.3-1", "Sigel")
    assert "march" not in alone.reason, "nobody goes along in a merging"
    while b.phase != "union-transfer":
        b.do("done")
    b.do("transfer sigel schurz")
    while b.phase != "union-attachment":
        b.do({"transfer": "close transfer"}.get(b.phase.split("-")[1], "done"))
    b.do("merge union-sub-1 into ricketts")
    assert b.state.at["sigel"] == b.state.at["schurz"]


@pytest.mark.clause("21.2-2", "21.2-3")
@pytest.mark.parametrize(
    ("sub", "unit", "disorganised"),
    [
        ("4 disorganised", "9", False),
        ("4", "9 disorganised", True),
        ("6 disorganised", "5", True),
        ("6", "5 disorganised", False),
        ("5 disorganised", "5", False),
    ],
)
def test_the_marker_is_the_units_unless_the_substitute_has_more(
    field: Field, sub: str, unit: str, disorganised: bool
) -> None:
    s = subs(field, {"ap-hill": f"0101 {unit}", "csa-sub-1": f"0101 {sub}", "king": "0805 9"})
    run(substitutes.merge(s, Merge("csa-sub-1", "ap-hill")))
    assert s.disorganised == ({"ap-hill"} if disorganised else set())


@pytest.mark.clause("21.2-4")
@pytest.mark.parametrize(("sub", "unit", "after"), [("F1", "F3", 3), ("F3", "F1", 3), ("F2", "F2", 2), ("F0", "F0", 0)])
def test_the_higher_fatigue_stays(field: Field, sub: str, unit: str, after: int) -> None:
    s = subs(field, {"ap-hill": f"0101 9 {unit}", "csa-sub-1": f"0101 4 {sub}", "king": "0805 9"})
    run(substitutes.merge(s, Merge("csa-sub-1", "ap-hill")))
    assert s.fatigue.get("ap-hill", 0) == after


@pytest.mark.clause("21.2-4")
def test_want_and_fear_stay_too(field: Field) -> None:
    s = subs(field, {"ap-hill": "0101 9", "csa-sub-1": "0101 4", "king": "0805 9"})
    s.hungry = {"csa-sub-1"}
    s.demoralised = {"csa-sub-1": 2}
    run(substitutes.merge(s, Merge("csa-sub-1", "ap-hill")))
    assert (s.hungry, s.demoralised) == ({"ap-hill"}, {"ap-hill": 2})


@pytest.mark.clause("21.2-5")
def test_the_whole_of_it_merges(battle: Fields) -> None:
    b = battle(OPEN, {"ap-hill": "0101 9", "king": "0805 9"}, choice="confederate", **SUBS)
    with pytest.raises(Exception, match="merge"):
        b.order("merge csa-sub-1 2 into ap-hill")
    assert b.order("merge csa-sub-1 into ap-hill") == Merge("csa-sub-1", "ap-hill")


@pytest.mark.clause("21.2-6")
@pytest.mark.parametrize(
    ("into", "has", "sub", "number", "refused"),
    [
        ("ap-hill", 14, "csa-sub-1", 4, ""),
        ("ap-hill", 15, "csa-sub-1", 4, "21.2-6"),
        ("evans", 5, "csa-sub-1", 4, ""),
        ("evans", 6, "csa-sub-1", 4, "21.2-6"),
        ("f-lee", 2, "csa-cav-1", 2, ""),
        ("f-lee", 3, "csa-cav-1", 2, "21.2-6"),
        ("va-2", 1, "csa-cav-1", 1, ""),
        ("va-2", 1, "csa-cav-1", 2, "21.2-6"),
        ("csa-sub-2", 5, "csa-sub-1", 4, ""),
        ("csa-sub-2", 6, "csa-sub-1", 4, "21.2-6"),
    ],
)
def test_no_unit_grows_beyond_its_kind(field: Field, into: str, has: int, sub: str, number: int, refused: str) -> None:
    s = subs(field, {into: f"0101 {has}", sub: f"0101 {number}", "hood": "0805 8"})
    assert merging(s, sub, into) == refused


@pytest.mark.clause("21.2-6")
@pytest.mark.parametrize(("has", "refused"), [(1, ""), (2, "21.2-6")])
def test_an_infantry_regiment_has_two_points_at_most(field: Field, has: int, refused: str) -> None:
    s = subs(field, {"waagner": f"0101 {has}", "union-sub-1": "0101 1", "hood": "0805 8"})
    assert merging(s, "union-sub-1", "waagner") == refused


@pytest.mark.clause("21.2-7", "21.2-8")
@pytest.mark.parametrize(("sub", "unit", "after"), [(2, 0, 0), (0, 4, 4), (2, 4, 4), (4, 2, 2), (0, 0, 0)])
def test_the_works_are_the_units(field: Field, sub: int, unit: int, after: int) -> None:
    s = subs(field, {"ap-hill": f"0101 9 works {unit}", "csa-sub-1": f"0101 4 works{sub}", "king": "0805 9"})
    run(substitutes.merge(s, Merge("csa-sub-1", "ap-hill")))
    assert s.works.get("ap-hill", 0) == after


# --- units that merge as substitutes (21.2-u0 to -c2) -----------------------------------------------------------------


@pytest.mark.clause("21.2-u0", "21.2-c0")
def test_who_merged_is_gone_for_good(field: Field) -> None:
    s = field(
        OPEN,
        {"waagner": "0101 1", "king": "0101 9", "hood": "0801 8", "evans": "0801 5"},
        **with_merging(WAAGNER, EVANS),
    )
    run(substitutes.merge(s, Merge("waagner", "king")))
    run(substitutes.merge(s, Merge("evans", "hood")))
    assert s.merged == {"waagner": "king", "evans": "hood"}
    assert (s.manpower["king"], s.manpower["hood"]) == (10, 13)
    assert s.removed == {}  # not lost
    assert clause(substitutes.why_not_detach(s, "union", March("king", detached=(Detach("waagner", 1),)))) == "21.1-2"


def merges_of(s: State, unit: str) -> set[str]:
    """Into whom a unit merges, all of its side put into one hex with a point each."""
    own = s.board.combat_units(s.board.units[unit].side)
    subs_ = {sub for found in s.board.advanced.substitutes.values() for sub in found} if s.board.advanced else set()
    here = s.board.parse("S1418")
    for other in own:
        if other not in subs_:
            s.put(other, here)
            s.manpower[other] = 1
    return {other for other in own if other in s.at and merging(s, unit, other) == ""}


@pytest.mark.clause("21.2-u1", "21.2-u2", "21.2-u3", "21.2-u4", "21.2-u5", "21.2-c1", "21.2-c2")
@pytest.mark.parametrize(
    ("unit", "into"),
    [
        ("griffin", {"morell", "sykes", "reynolds"}),
        ("taylor", {"slocum", "smith"}),
        ("kimball", {"sedgwick", "richardson"}),
        ("in-3", {"buford", "bayard", "beardsley", "pleasonton"}),
        ("ny-6", {"buford", "bayard", "beardsley", "pleasonton"}),
        ("evans", {"dr-jones", "wilcox", "kemper", "hood", "anderson", "ripley", "mclaws", "dh-hill", "walker"}),
        ("va-2", {"robertson", "f-lee", "hampton"}),
        ("king", set()),
        ("ap-hill", set()),
    ],
)
def test_some_merge_into_these_as_if_they_were_substitutes(campaign: Campaign, unit: str, into: set[str]) -> None:
    assert merges_of(campaign(NAME), unit) == into


@pytest.mark.clause("21.2-u5")
@pytest.mark.parametrize("unit", ["waagner", "purnell", "vt-9", "ny-60"])
def test_four_regiments_merge_into_any_brigade_or_division_of_infantry(campaign: Campaign, unit: str) -> None:
    s = campaign(NAME)
    found = merges_of(s, unit)
    own = [s.board.units[other] for other in s.own("union")]
    assert found == {one.id for one in own if one.infantry and one.size in ("brigade", "division")}
    assert {"vt-9", "waagner", "buford"}.isdisjoint(found)


@pytest.mark.clause("21.2-c1", "21.1-8")
def test_evans_merges_into_a_part_of_any_unit_of_longstreets_corps(field: Field) -> None:
    units = {"evans": "0101 5", "csa-sub-1": "0101 4", "hood": "0805 8", "ap-hill": "0805 9"}
    s = subs(field, units, **with_merging(EVANS))
    assert merging(s, "evans", "csa-sub-1") == "21.2-c1"  # of A.P. Hill's men
    for origin in ("hood", "evans"):
        s.origin["csa-sub-1"] = origin
        assert merging(s, "evans", "csa-sub-1") == ""


@pytest.mark.clause("21.2-u1", "21.2-u4", "21.2-c2")
@pytest.mark.parametrize(
    ("unit", "sub", "origin", "why"),
    [
        ("griffin", "union-sub-1", "morell", "21.2-u1"),
        ("in-3", "union-cav-1", "buford", "21.2-u4"),
        ("va-2", "csa-cav-1", "f-lee", "21.2-c2"),
    ],
)
def test_who_merges_into_some_units_merges_into_no_part_of_them(
    campaign: Campaign, unit: str, sub: str, origin: str, why: str
) -> None:
    s = campaign(NAME)
    for one in (origin, sub):
        s.put(one, s.at[unit])
        s.manpower[one], s.manpower[unit] = 1, 1
    s.origin[sub] = origin
    assert (merging(s, unit, origin), merging(s, unit, sub)) == ("", why)


def test_what_is_told(field: Field) -> None:
    s = subs(field, {"ap-hill": "0101 9", "csa-sub-1": "0101 4", "king": "0805 9"})
    found = run(substitutes.merge(s, Merge("csa-sub-1", "ap-hill")))
    assert told(found, "merged") == [{"unit": "csa-sub-1", "into": "ap-hill", "manpower": 13, "at": "0101"}]
