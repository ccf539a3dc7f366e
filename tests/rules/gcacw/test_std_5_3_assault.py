"""Corps assaults and grand assaults: who takes part, the dice before the combat, what they add (std-5.3, std-7.1)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from rules.gcacw.activities import asked, labels, run, told

from pbem.match.game import Game
from pbem.rules import gcacw, rules_of
from pbem.rules.gcacw import actions, assault
from pbem.rules.gcacw.orders import Assault, Evade, Grand
from pbem.rules.gcacw.state import State
from pbem.rules.requests import Choose, Roll, Tell

Field = Callable[..., State]

PLAIN = "\n".join([". " * 7] * 7)
AT = "0404"
"""The defender's hex; beside it are 0403, 0504, 0505, 0405, 0305 and 0304."""
CORPS = {"jackson": "0403", "ewell-b": "0403 8", "ap-hill": "0403 8", "king": "0404 8"}
ARMY = {
    **CORPS, "lee": "0403", "hood": "0403 8", "kemper": "0504 8", "wilcox": "0304 8", "longstreet": "0504",
}  # fmt: skip


def corps(s: State, *units: str, leader: str = "jackson", at: str = AT) -> Assault:
    return Assault(leader, s.board.parse(at), units)


def refused(s: State, order: Assault | Grand, side: str = "confederate") -> str:
    """The clause by which an assault is refused, "" when it is legal."""
    found = assault.why_not_grand(s, side, order) if isinstance(order, Grand) else assault.why_not(s, side, order)
    return found.clause if found is not None else ""


def grand(s: State, first: str, others: str, leader: str = "lee", chief: str = "jackson", at: str = AT) -> Grand:
    return Grand(leader, s.board.parse(at), chief, tuple(first.split()), tuple(others.split()))


def carried_out(s: State, order: Assault | Grand, *dice: int, answers: tuple[Any, ...] = ()) -> list[Any]:
    """What a legal assault brings; questions go by default."""
    side = s.board.units[order.leader].side
    assert refused(s, order, side) == ""
    activity = assault.grand(s, order) if isinstance(order, Grand) else assault.carry_out(s, order)
    return run(activity, dice, answers)


def modifiers_of(found: list[Any]) -> dict[str, int]:
    """What was added to the attacker's die by name."""
    (fight,) = told(found, "fight")
    return {name: points for of, name, points, _ in fight["modifiers"] if of == "attacker"}


# --- who takes part ---------------------------------------------------------------------------------------------------


@pytest.mark.clause("std-5.3-1")
def test_units_of_the_leaders_corps_alone(field: Field) -> None:
    s = field(PLAIN, ARMY)
    assert refused(s, corps(s, "ewell-b")) == refused(s, corps(s, "ewell-b", "ap-hill")) == ""
    assert refused(s, corps(s, "ewell-b", "hood")) == "std-5.3-1"
    assert refused(s, corps(s)) == refused(s, corps(s, "ewell-b", "ewell-b")) == "std-5.3-1"
    assert refused(s, corps(s, "hood", leader="lee")) == "std-5.3-1", "an army leader"
    assert refused(s, corps(s, "ewell-b", leader="king")) == "std-5.3-1"
    assert refused(s, corps(s, "ewell-b"), "union") == "std-5.3-1"


@pytest.mark.clause("std-5.3-2", "std-2.5-1")
def test_the_units_are_in_one_hex_beside_the_target_and_within_radius(field: Field) -> None:
    s = field(PLAIN, {**CORPS, "winder": "0304 8", "gregg": "0402 4"})
    assert refused(s, corps(s, "ewell-b", "winder")) == "std-5.3-2"
    assert refused(s, corps(s, "winder")) == "", "the leader stands elsewhere"
    assert refused(s, corps(s, "gregg")) == "std-5.3-2", "not adjacent"
    assert refused(s, corps(s, "ewell-b", at="0304")) == "std-5.3-2", "nobody is there"
    for start, expected in (("0401", ""), ("0701", "std-5.3-2")):
        s = field(PLAIN, {"king": "0404 8", "ewell-b": "0403 8", "jackson": start, "winder": f"{start} 3"})
        assert refused(s, corps(s, "ewell-b")) == expected


@pytest.mark.clause("std-5.3-3", "std-5.3-6", "std-4.0-6", "std-4.0-9")
def test_fatigue_4_the_demoralised_and_the_held_keep_out(field: Field) -> None:
    for words, clause in (("F3", ""), ("F4", "std-4.0-6"), ("demoralised 1", "std-5.3-6"), ("disorganised", "")):
        s = field(PLAIN, {**CORPS, "ewell-b": f"0403 8 {words}"})
        assert refused(s, corps(s, "ewell-b", "ap-hill")) == clause
    for unit in ("ewell-b", "jackson"):
        s = field(PLAIN, CORPS, scenario={"holds": [{"units": [unit], "until": "2", "clause": "13.1-sp3"}]})
        assert refused(s, corps(s, "ewell-b")) == "13.1-sp3"
        s.turn = 2
        assert refused(s, corps(s, "ewell-b")) == ""


@pytest.mark.clause("std-7.1-5")
def test_assaults_need_a_hexside_that_can_be_crossed(field: Field) -> None:
    for roads, owner, expected in (({}, "", "std-7.1-5"), ({"bridge": "0403 0404"}, "", ""), ({}, "confederate", ""),
                                   ({}, "union", "std-7.1-5")):  # fmt: skip
        s = field(PLAIN, CORPS, sides={"minor_river": "0403/0404"}, roads=roads)
        if owner:
            s.build("0403/0404", owner)
        assert refused(s, corps(s, "ewell-b")) == expected


@pytest.mark.clause("13.1-sp1b")
def test_in_turn_1_of_cedar_mountain_nobody_assaults_to_fatigue_3(campaign: Callable[..., State]) -> None:
    units = {"jackson": "S0829", "ewell-a": "S0829 8", "bayard": "S0828 1"}
    for fatigue, turn, clause in ((1, 1, ""), (2, 1, "13.1-sp1b"), (2, 2, "")):
        s = campaign("cedar-mountain", {**units, "ewell-a": f"S0829 8 F{fatigue}"}, turn=turn)
        assert refused(s, corps(s, "ewell-a", at="S0828")) == clause


# --- the dice before the combat ---------------------------------------------------------------------------------------


@pytest.mark.clause("std-5.3-5")
@pytest.mark.parametrize(
    ("leader", "units", "number"),
    [("jackson", 1, 7), ("jackson", 2, 6), ("jackson", 8, 1), ("sigel", 1, 4), ("sigel", 2, 3), ("sigel", 9, 1)],
)
def test_the_assault_number(field: Field, leader: str, units: int, number: int) -> None:
    s = field(PLAIN, {**CORPS, "sigel": "0404", "schurz": "0404 6"})
    assert assault.assault_number(s, leader, units) == number


@pytest.mark.clause("std-5.3-5", "std-5.3-3", "std-4.0-7")
def test_a_die_above_the_number_brings_fatigue_alone(field: Field) -> None:
    units = {"sigel": "0403", "schurz": "0403 6 F2", "milroy": "0403 3", "hood": "0404 8"}
    s = field(PLAIN, units)
    found = carried_out(s, corps(s, "schurz", "milroy", leader="sigel"), 4)
    assert labels(found) == ["assault/sigel"]
    assert not told(found, "fight")
    assert s.fatigue == {"schurz": 3, "milroy": 1}
    assert told(found, "assault-roll")[0]["number"] == 3
    s = field(PLAIN, units)
    found = carried_out(s, corps(s, "schurz", "milroy", leader="sigel"), 3, 1, 6)
    assert told(found, "fight")


@pytest.mark.clause("std-5.3-3")
def test_an_assault_is_no_extended_march_unless_the_option_says_so(field: Field) -> None:
    tired = {**CORPS, "ewell-b": "0403 8 F2", "ap-hill": "0403 8"}
    s = field(PLAIN, tired)
    assert "extended/ewell-b" not in labels(carried_out(s, corps(s, "ewell-b", "ap-hill"), 1, 1, 6))
    s = field(PLAIN, tired, options={"assault-strain": "yes"})
    found = carried_out(s, corps(s, "ewell-b", "ap-hill"), 5, 1, 1, 6)
    assert labels(found)[:2] == ["extended/ewell-b", "assault/jackson"]
    (fight,) = told(found, "fight")
    assert fight["values"][0] == 2 * 6 + 2 * 8, "disorganised by its roll"


@pytest.mark.clause("std-5.3-3", "std-5.3-5")
def test_who_is_lost_by_strain_takes_no_part(field: Field) -> None:
    """The last man disorganised of a unit falls out; who is left assaults, and nobody at all ends it."""
    units = {**CORPS, "ewell-b": "0403 1 F2 disorganised"}
    s = field(PLAIN, units, options={"assault-strain": "yes"})
    found = carried_out(s, corps(s, "ewell-b", "ap-hill"), 6, 6, 1, 6)
    assert told(found, "assault-roll")[0]["number"] == 7, "one unit is left"
    assert told(found, "fight")[0]["with"] == []
    s = field(PLAIN, units, options={"assault-strain": "yes"})
    found = carried_out(s, corps(s, "ewell-b"), 6)
    assert labels(found) == ["extended/ewell-b"]
    s = field(PLAIN, {**ARMY, "kemper": "0504 1 F3 disorganised"}, options={"assault-strain": "yes"})
    found = carried_out(s, grand(s, "ewell-b", "kemper wilcox"), 6, 1, 5, 1, 6)
    assert labels(found) == [
        "extended/kemper",
        "assault/jackson",
        "joins/0304",
        "attack/0404",
        "defence/0404",
    ]


@pytest.mark.clause("std-5.3-4", "std-7.1-8")
def test_an_assault_adds_1_and_jackson_1_more(field: Field) -> None:
    """Example: a corps assault led by Jackson."""
    s = field(PLAIN, CORPS)
    added = modifiers_of(carried_out(s, corps(s, "ewell-b"), 1, 1, 6))
    assert (added["assault"], added["commander"]) == (1, 1)
    s = field(PLAIN, {"longstreet": "0403", "hood": "0403 8", "king": "0404 8"})
    added = modifiers_of(carried_out(s, corps(s, "hood", leader="longstreet"), 1, 1, 6))
    assert added["assault"] == 1
    assert "commander" not in added


# --- grand assaults ---------------------------------------------------------------------------------------------------


@pytest.mark.clause("std-7.1-6")
def test_an_army_leader_brings_hexes_and_corps_together(field: Field) -> None:
    s = field(PLAIN, ARMY)
    assert refused(s, grand(s, "ewell-b ap-hill", "hood kemper wilcox")) == ""
    assert refused(s, grand(s, "ewell-b", "kemper", leader="longstreet")) == "std-7.1-6"
    assert refused(s, grand(s, "ewell-b", "")) == "std-7.1-6"
    assert refused(s, grand(s, "ewell-b", "kemper kemper")) == "std-7.1-6"
    assert refused(s, grand(s, "ewell-b hood", "kemper")) == "std-5.3-1", "the first hex is one corps"
    assert refused(s, grand(s, "ewell-b", "kemper", chief="lee")) == "std-7.1-7"
    assert refused(s, grand(s, "kemper", "ewell-b", chief="longstreet")) == ""


@pytest.mark.clause("std-7.1-7")
def test_units_of_the_corps_in_the_first_hex_are_of_the_first(field: Field) -> None:
    s = field(PLAIN, ARMY)
    assert refused(s, grand(s, "ewell-b", "ap-hill kemper")) == "std-7.1-7"
    assert refused(s, grand(s, "ewell-b ap-hill", "kemper")) == ""
    assert refused(s, grand(s, "ewell-b", "hood")) == "", "of another corps: a further group"


@pytest.mark.clause("std-7.1-6", "std-4.0-9", "std-6.3-2", "std-5.3-2")
def test_both_leaders_must_be_able_to_lead_and_the_target_be_there(field: Field) -> None:
    s = field(PLAIN, ARMY)
    assert refused(s, grand(s, "ewell-b", "kemper", at="0304")) == "std-5.3-2"
    assert refused(s, grand(s, "ewell-b", "kemper", leader="king")) == "std-5.3-1"
    assert refused(s, grand(s, "ewell-b", "kemper"), "union") == "std-5.3-1"
    for leader in ("lee", "jackson"):
        s = field(PLAIN, ARMY, scenario={"holds": [{"units": [leader], "until": "2", "clause": "13.5-sp4b"}]})
        assert refused(s, grand(s, "ewell-b", "kemper")) == "13.5-sp4b"
        s = field(PLAIN, ARMY)
        s.remove(leader)
        assert refused(s, grand(s, "ewell-b", "kemper")) == "std-6.3-2"


@pytest.mark.clause("std-7.1-7", "std-6.3-3")
def test_the_army_leader_is_within_3_hexes_of_his_own(field: Field) -> None:
    for start, expected in (("0401", ""), ("0302", ""), ("0101", "std-7.1-7")):
        s = field(PLAIN, {**ARMY, "lee": start, "anderson": f"{start} 8"})
        assert refused(s, grand(s, "ewell-b", "hood")) == expected
    s = field(PLAIN, {"pope": "0403", "sigel": "0403", "schurz": "0403 8", "porter": "0504", "sykes": "0504 8",
                      "king": "0504 8", "hood": "0404 8"})  # fmt: skip
    assert refused(s, grand(s, "schurz", "king", leader="pope", chief="sigel"), "union") == ""
    assert refused(s, grand(s, "schurz", "sykes", leader="pope", chief="sigel"), "union") == "std-6.3-3"


@pytest.mark.clause("std-7.1-7", "std-4.0-6", "std-5.3-6", "std-7.1-5")
def test_each_of_the_further_units_must_be_able_to_attack(field: Field) -> None:
    for words, clause in (("F4", "std-4.0-6"), ("demoralised 1", "std-5.3-6"), ("F3", "")):
        s = field(PLAIN, {**ARMY, "kemper": f"0504 8 {words}"})
        assert refused(s, grand(s, "ewell-b", "kemper")) == clause
    s = field(PLAIN, ARMY, sides={"minor_river": "0404/0504"})
    assert refused(s, grand(s, "ewell-b", "kemper")) == "std-7.1-5"


@pytest.mark.clause("std-7.1-7", "std-7.1-10")
def test_each_further_hex_joins_by_a_die_of_its_own(field: Field) -> None:
    """Lee: 5. The hexes roll in the order of their numbers; all named tire, also who doesn't join."""
    s = field(PLAIN, ARMY)
    found = carried_out(s, grand(s, "ewell-b", "kemper hood wilcox"), 6, 6, 5, 1, 1, 6)
    assert labels(found) == ["assault/jackson", "joins/0304", "joins/0403", "joins/0504", "attack/0404", "defence/0404"]
    assert [(t["units"], t["made"], t["number"]) for t in told(found, "joins")] == [
        (["wilcox"], False, 5), (["hood"], True, 5), (["kemper"], True, 5),
    ]  # fmt: skip
    (fight,) = told(found, "fight")
    assert {fight["unit"], *fight["with"]} == {"ewell-b", "hood", "kemper"}
    assert fight["values"][0] == 2 * 24
    assert s.fatigue["wilcox"] == 1
    assert fight["from"] == ["0403", "0504"], "retreats go from the hexes that joined"


@pytest.mark.clause("std-7.1-7")
def test_the_first_hex_failing_ends_it(field: Field) -> None:
    units = {"pope": "0403", "sigel": "0403", "schurz": "0403 6", "king": "0504 8", "hood": "0404 8"}
    s = field(PLAIN, units)
    found = carried_out(s, grand(s, "schurz", "king", leader="pope", chief="sigel"), 5)
    assert labels(found) == ["assault/sigel"]
    assert not told(found, "fight")
    assert s.fatigue == {"schurz": 1, "king": 1}


@pytest.mark.clause("std-7.1-8")
def test_lee_and_jackson_add_1_together(field: Field) -> None:
    """Example: a grand assault by Lee with Jackson's hex first."""
    s = field(PLAIN, ARMY)
    added = modifiers_of(carried_out(s, grand(s, "ewell-b", "kemper"), 1, 1, 1, 6))
    assert (added["assault"], added["commander"]) == (1, 1)
    s = field(PLAIN, ARMY)
    added = modifiers_of(carried_out(s, grand(s, "kemper", "wilcox", chief="longstreet"), 1, 1, 1, 6))
    assert (added["assault"], added["commander"]) == (1, 1), "Lee alone"
    units = {"pope": "0403", "sigel": "0403", "schurz": "0403 6", "king": "0504 8", "hood": "0404 8"}
    s = field(PLAIN, units)
    added = modifiers_of(carried_out(s, grand(s, "schurz", "king", leader="pope", chief="sigel"), 1, 1, 1, 6))
    assert "commander" not in added


@pytest.mark.clause("std-7.1-10", "std-7.1-9", "std-7.3-3")
def test_the_dice_come_in_their_order(field: Field) -> None:
    """Cavalry that stays isn't rolled for; artillery's die comes behind those of the assault."""
    rows = "\n".join([". " * 7] * 3 + [". . . r . . ."] + [". " * 7] * 3)
    units = {**ARMY, "buford": "0404 3", "bayard": "0404 3", "ap-hill": "0403 8", "ewell-b": "0403 8"}
    del units["king"]
    units |= {"mclaws": "0504 8", "kemper": "0504 8"}
    s = field(rows, units)
    found = carried_out(s, grand(s, "ewell-b ap-hill", "mclaws"), 1, 1, 4, 1, 6, answers=(Evade(made=False),))
    assert labels(found) == ["assault/jackson", "joins/0504", "artillery/0404", "attack/0404", "defence/0404"]
    names = [r.what if isinstance(r, Tell) else r.label if isinstance(r, Roll) else r.kind for r in found]
    assert names[0] == "assault"
    assert names.index("evade") < names.index("assault/jackson")


@pytest.mark.clause("std-7.7-7", "std-7.7-1", "std-7.1-10")
def test_cavalry_that_goes_back_leaves_an_assault_without_a_target(field: Field) -> None:
    for order in ("corps", "grand"):
        s = field(PLAIN, {**{k: v for k, v in ARMY.items() if k != "king"}, "buford": "0404 3"})
        what = corps(s, "ewell-b") if order == "corps" else grand(s, "ewell-b", "kemper")
        found = carried_out(s, what, 6, answers=(Evade(made=True),))
        assert labels(found) == ["evade/0404"]
        assert len(asked(found, "evade")) == 1
        assert not told(found, "fight")
        assert [one["at"] for one in told(found, "no-assault")] == [AT], "that it isn't made is told, with its reason"
        assert s.fatigue["ewell-b"] == 1
        assert s.holder(s.board.parse(AT)) is None


@pytest.mark.clause("std-7.7-2")
def test_cavalry_isn_t_asked_before_an_assault_with_cavalry(field: Field) -> None:
    units = {"stuart": "0403", "f-lee": "0403 3", "ewell-b": "0504 8", "jackson": "0504", "lee": "0504"}
    s = field(PLAIN, {**units, "buford": "0404 3"})
    assert not asked(carried_out(s, corps(s, "f-lee", leader="stuart"), 1, 1, 6), "evade")
    s = field(PLAIN, {**units, "buford": "0404 3"})
    assert not asked(carried_out(s, grand(s, "ewell-b", "f-lee"), 1, 1, 1, 6), "evade")
    s = field(PLAIN, {**units, "buford": "0404 3"})
    assert asked(carried_out(s, corps(s, "ewell-b"), 1, answers=(Evade(made=True),)), "evade")
    s = field(PLAIN, {**units, "buford": "0404 3"})
    stays = carried_out(s, corps(s, "ewell-b"), 6, 3, 3, answers=(Evade(made=False),))
    assert (len(told(stays, "no-assault")), [one["made"] for one in told(stays, "assault-roll")]) == (0, [True])


# --- which are listed -------------------------------------------------------------------------------------------------

LONGSTREET = ("anderson", "dh-hill", "dr-jones", "evans", "hood", "kemper", "mclaws", "ripley", "walker", "wilcox")


def stacked(field: Field, units: int) -> State:
    """So many units of Longstreet's in a hex beside the enemy, with him and Lee, and one of Jackson's in the next."""
    others = {"jackson": "0304", "ap-hill": "0304 8", "longstreet": "0403", "lee": "0403", "king": "0404 8"}
    return field(PLAIN, others | dict.fromkeys(LONGSTREET[:units], "0403 2"), choice="confederate")


@pytest.mark.parametrize(("units", "listed"), [(5, 31), (6, 63), (7, 7 + 21 + 7 + 1), (10, 10 + 45 + 10 + 1)])
def test_of_many_units_of_a_hex_not_every_group_is_listed(field: Field, units: int, listed: int) -> None:
    s = stacked(field, units)
    found = [*actions.assaults(s, "confederate", "longstreet")]
    assert len({*found}) == len(found) == listed
    assert all(refused(s, order) == "" for order in found)
    sizes = {len(order.units) for order in found if isinstance(order, Assault)}
    assert {1, 2, units - 1, units} <= sizes
    half = corps(s, *LONGSTREET[:4], leader="longstreet")
    assert refused(s, half) == "", "what isn't listed is as legal"
    assert (half in found) == (units <= 6)
    assert len([*actions.assaults(s, "confederate", "lee")]) == listed + 1, (
        "behind each of them all others, and A.P. Hill"
    )


def test_the_form_tells_the_largest_assault_of_many(field: Field) -> None:
    s = stacked(field, 10)
    request = Game(rules_of("gcacw"), s.board, s).request
    assert isinstance(request, Choose)
    lines = [" ".join(words) for entry in gcacw.form(s, request) for words, _ in entry.orders]
    assert f"assault longstreet at {AT} by {' '.join(LONGSTREET)}" in lines
