"""Combat: who attacks whom, dice, classes, daimyos, flank and rear, losses, the check at half strength."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from rules.field import Battle

from pbem.rules.samurai import combat
from pbem.rules.samurai.losses import split

Table = Callable[..., Battle]
FAR = {"sp-9": "5 3 north", "sp-19": "67 45 south"}
PLACES = {"front": "36 21 south", "rear": "36 21 north", "flank": "36.5 21.5 east"}


def needed(b: Battle, unit: str, target: str) -> int:
    """The least die that kills."""
    return combat.fight(b.state, unit, target).needed


@pytest.mark.clause("combat.1")
def test_attacks_are_voluntary_and_one_a_turn(table: Table) -> None:
    b = table({"ro-1": "36 20 north", "ro-2": "30 20 north", "sp-11": "36 21 south", "sp-12": "30 21 south", **FAR},
              step="attack")  # fmt: skip
    b.do("attack ro-1 at sp-11", 1, 1, 1)
    assert b.refused("attack ro-1 at sp-11") == "combat.1"
    b.do("done")
    assert b.state.figures["sp-12"] == (4,)


@pytest.mark.clause("combat.2", "combat.7")
def test_each_figure_that_is_left_rolls(table: Table) -> None:
    b = table({"sp-1": "36 20 north 3", "ro-2": "30 20 north", "ro-11": "36 21 south", "ro-12": "30 21 south", **FAR},
              step="attack")  # fmt: skip
    assert combat.fight(b.state, "sp-1", "ro-11").dice == 3
    b.do("attack sp-1 at ro-11", 12, 9, 1)
    assert b.state.figures["ro-11"] == (2,)
    b.do("done")
    assert combat.fight(b.state, "ro-11", "sp-1").dice == 2  # in the same battle's next turn two roll


@pytest.mark.clause("combat.3")
def test_nine_kills_in_the_same_class(table: Table) -> None:
    for die, kills in ((8, 0), (9, 1)):
        b = table({"ro-1": "36 20 north", "ro-11": "36 21 south", **FAR}, step="attack")
        b.do("attack ro-1 at ro-11", die, 1, 1)
        assert b.facts("attack")["kills"] == kills


@pytest.mark.clause("combat.5")
@pytest.mark.parametrize(("unit", "target", "least"), [
    ("sw-1", "sp-11", 7), ("sp-1", "sw-11", 11), ("ro-1", "sw-11", 10), ("ro-1", "sp-11", 8), ("sp-1", "ro-11", 10),
    ("sw-1", "ro-11", 8), ("sw-1", "bw-11", 9), ("sw-1", "gn-11", 7), ("sp-1", "gn-11", 9),
])  # fmt: skip
def test_classes_count_a_point_a_step(table: Table, unit: str, target: str, least: int) -> None:
    b = table({unit: "36 20 north", target: "36 21 south", **FAR}, step="attack")
    assert needed(b, unit, target) == least


@pytest.mark.clause("combat.4", "combat.6")
def test_daimyos_raise_the_class_of_all_they_touch(table: Table) -> None:
    units = {"sp-1": "36 20 north", "sp-2": "31 20 north", "sp-11": "36 21 south", "sp-12": "31 21 south", **FAR}
    assert needed(table(units, step="attack"), "sp-1", "sp-11") == 9
    b = table({**units, "dm-1": "33.5 20 north"}, step="attack")  # between both
    assert (needed(b, "sp-1", "sp-11"), needed(b, "sp-2", "sp-12")) == (8, 8)
    b = table({**units, "dm-1": "33.5 20 north", "dm-2": "36 19 north"}, step="attack")  # a second one adds nothing
    assert needed(b, "sp-1", "sp-11") == 8
    b = table({**units, "dm-11": "36 22 south"}, step="attack")
    assert (needed(b, "sp-1", "sp-11"), needed(b, "sp-2", "sp-12")) == (10, 9)
    b = table({**units, "dm-11": "38.5 19 south", "dm-1": "36 18.97 north"}, step="attack")
    assert needed(b, "sp-1", "sp-11") == 9  # the enemy's and one who doesn't touch raise nothing


@pytest.mark.clause("combat.7")
def test_losses_count_for_the_next_attack(table: Table) -> None:
    b = table({"ro-1": "36 20 north", "ro-2": "36 22 south", "sp-11": "36 21 south 1", **FAR}, step="attack")
    b.do("attack ro-1 at sp-11", 12, 1, 1)
    assert b.state.gone == {"sp-11": "killed"}
    assert b.request.side == "black"  # nobody is left for ro-2


@pytest.mark.clause("combat.8")
@pytest.mark.parametrize(
    ("unit", "kills", "checks"), [("sp-11", 1, False), ("sp-11", 2, True), ("ro-11", 1, False), ("ro-11", 2, True)]
)
def test_half_the_figures_or_fewer_call_for_a_check(table: Table, unit: str, kills: int, checks: bool) -> None:
    b = table({"sw-1": "36 20 north", unit: "36 21 south", **FAR}, step="attack")
    b.do("attack sw-1 at " + unit, *[12] * kills, *[1] * (3 - kills), *([1] if checks else []))
    assert ("check" in b.events()) is checks


@pytest.mark.clause("combat.2", "combat.7")
def test_no_more_figures_fall_than_there_are(table: Table) -> None:
    units = {"sw-1": "36 20 north", "ro-11": "36 21 south 2"}
    b = table({**units, **FAR}, step="attack")
    told = b.rules.tell_odds(b.state, "red", b.order("attack sw-1 at ro-11"))
    assert told == (
        "3 dice, 8+: none 19.8 %, 1 killed 31.9 %, 1 killed and routs 10.6 %, 2 killed and none left 37.6 %"
    )
    b.do("attack sw-1 at ro-11", 12, 12, 12)
    facts = b.facts("attack")
    assert (facts["kills"], facts["result"], b.state.gone["ro-11"]) == (2, "2", "killed")
    assert [*b.rules.chances(b.board, "attack", facts)] == ["none", "1 killed", "2 killed"]
    b = table({"sp-1": "36 20 north", "sp-11": "36 21 south", "dm-11": "36 22 south", **FAR}, step="attack")
    b.do("attack sp-1 at sp-11", 1, 1, 1, 1)
    assert len(b.rules.chances(b.board, "attack", b.facts("attack"))) == 5
    b = table({"sp-1": "36 20 north", "dm-11": "36 21 south", **FAR}, step="attack")
    told = b.rules.tell_odds(b.state, "red", b.order("attack sp-1 at dm-11"))
    assert told == "4 dice, 11+: none 48.2 %, killed 51.8 %"


@pytest.mark.clause("combat.8", "daimyos.1")
def test_two_stands_check_later(table: Table) -> None:
    for kills, checks in ((2, False), (3, True)):
        b = table({"sw-1": "36 20 north", "ro-11": "36 21 south abreast", "dm-11": "36 22 south", **FAR}, step="attack")
        b.do("attack sw-1 at ro-11", *[12] * kills, *[1] * (3 - kills), *([1] if checks else []), 1)
        assert ("check" in b.events()) is checks


@pytest.mark.clause("combat.8")
def test_the_check_is_made_once_in_the_game(table: Table) -> None:
    b = table({"sw-1": "36 20 north", "sp-11": "36 21 south 2 checked", **FAR}, step="attack")
    b.do("attack sw-1 at sp-11", 12, 1, 1)
    assert "check" not in b.events()
    b = table({"sw-1": "36 20 north", "sp-11": "36 21 south 2", **FAR}, step="attack")
    b.do("attack sw-1 at sp-11", 12, 12, 1)  # gone at once: none
    assert b.events() == ["attack", "loss", "remove", "phase"]


@pytest.mark.clause("combat.9", "definitions.6")
def test_a_unit_attacks_only_to_its_front(table: Table) -> None:
    b = table({"ro-1": "36 20 north", "ro-2": "30 20 north", "sp-12": "30 21 south",
               "sp-11": "38 20 west", "sp-13": "36 19 north", **FAR}, step="attack")  # fmt: skip
    assert b.state.enemies("ro-1") == ["sp-11", "sp-13"]
    assert b.refused("attack ro-1 at sp-11") == "combat.9"  # on its flank
    assert b.refused("attack ro-1 at sp-13") == "combat.9"  # in its rear
    assert b.refused("attack ro-1 any") == "combat.1"
    assert b.why_not("attack ro-2 at sp-12") is None


@pytest.mark.clause("combat.10", "combat.11", "definitions.7", "definitions.8")
@pytest.mark.parametrize(
    ("place", "least"), [("36 21 south", 9), ("36 21 north", 7), ("36 22 east", 8), ("36 22 west", 8)]
)
def test_flank_and_rear_raise_the_attackers_class(table: Table, place: str, least: int) -> None:
    b = table({"ro-1": "36 20 north", "ro-11": place, **FAR}, step="attack")
    assert needed(b, "ro-1", "ro-11") == least


@pytest.mark.clause("combat.11", "combat.6")
def test_bonuses_of_different_kinds_add_up(table: Table) -> None:
    """The worked example: swordsmen with a daimyo at the rear of spearmen with one, 5 and more."""
    b = table(
        {"sw-1": "36 20 north", "dm-1": "36 19 north", "sp-11": "36 21 north", "dm-11": "36 22 north", **FAR},
        step="attack",
    )
    assert needed(b, "sw-1", "sp-11") == 5
    told = [factor.clause for factor in combat.factors(b.state, "sw-1", "sp-11")]
    assert told == ["combat.2", "combat.3", "combat.5", "combat.5", "combat.6", "combat.6", "combat.11", "combat.5"]


@pytest.mark.clause("combat.12", "combat.13")
def test_fire_knows_neither_flank_nor_rear_nor_daimyos(table: Table) -> None:
    for place in ("36 26 south", "36 26 north", "36 26 east"):
        b = table({"bw-1": "36 20 north", "sw-11": place, "dm-1": "36 19 north", "dm-11": "36 28 south", **FAR})
        b.do("fire bw-1 at sw-11")
        b.do("close fire", 8, 9, 1)
        assert (b.facts("fire")["needed"], b.facts("fire")["kills"]) == (9, 1)


@pytest.mark.clause("combat.14")
def test_bowmen_attack_as_ronin(table: Table) -> None:
    b = table({"bw-1": "36 20 north", "sw-11": "36 21 south", **FAR}, step="attack")
    assert needed(b, "bw-1", "sw-11") == 10
    assert needed(b, "sw-11", "bw-1") == 9  # attacked they are samurai


@pytest.mark.clause("combat.15")
def test_gunners_dont_attack(table: Table) -> None:
    b = table(
        {"gn-1": "36 20 north", "ro-2": "30 20 north", "sp-11": "36 21 south", "sp-12": "30 21 south", **FAR},
        step="attack",
    )
    assert b.refused("attack gn-1 at sp-11") == "combat.15"
    assert needed(b, "sp-11", "gn-1") == 9


@pytest.mark.clause("combat.1", "turn_sequence.4")
def test_an_attack_names_enemies_by_preference(table: Table) -> None:
    units = {"ro-1": "36 20 north", "sp-11": "37.5 21 south", "sw-12": "34 21 south", "ro-13": "60 20 south", **FAR}
    b = table(units, step="attack")
    assert b.refused("attack ro-1 at ro-13") == "turn_sequence.4"
    assert b.why_not("attack ro-1 at ro-13 else sp-11") is None
    b.do("attack ro-1 at ro-13, else sw-12 else sp-11", 1, 1, 1)
    assert b.facts("attack")["target"] == "sw-12"
    b = table(units, step="attack")
    b.do("attack ro-1 any", 1, 1, 1)
    assert b.facts("attack")["target"] == "sp-11"  # easier to kill


@pytest.mark.clause("combat.7", "combat.8", "morale_check.1")
def test_the_worked_example_of_four_spearmen_against_ronin(table: Table) -> None:
    b = table({"sp-1": "36 20 north", "ro-11": "36 21 south", **FAR}, step="attack")
    b.do("attack sp-1 at ro-11", 12, 10, 9, 3, 9)
    assert (b.facts("attack")["needed"], b.facts("attack")["kills"]) == (10, 2)
    assert b.state.figures["ro-11"] == (1,)
    assert b.facts("check") == {"unit": "ro-11", "at": "36-21", "die": 9, "fails": 10, "success": True}


@pytest.mark.clause("combat.7", "daimyos.1")
def test_the_stand_in_contact_takes_the_losses_and_the_other_what_is_left_over(table: Table) -> None:
    units = {"sw-1": "33.5 20 north", "ro-11": "36 21 south abreast", "dm-11": "36 22 south", **FAR}
    b = table(units, step="attack")
    assert combat.stand_hit(b.state, "sw-1", "ro-11") == 1  # it faces south: the second stand is the one to the west
    b.do("attack sw-1 at ro-11", 12, 12, 12, 1, 1)  # a check, then the daimyo
    assert b.state.figures["ro-11"] == (3, 0)
    assert b.state.at["ro-11"] == b.state.size("ro-11").at(3750, 2100, 4)  # the other one where it stands
    assert split((3, 3), (0, 5)) == (2, 3)
    assert split((3,), (5, 0)) == (3,)
    both = table({**units, "sw-1": "36 20 north", "ro-11": "36 21 south abreast 3/2"}, step="attack")
    assert combat.stand_hit(both.state, "sw-1", "ro-11") == 1  # of both the one with fewer figures
