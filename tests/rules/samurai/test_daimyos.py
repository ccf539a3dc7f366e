"""Daimyos: units of two stands need one, they may be killed with a unit or alone, and attack alone."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from rules.field import Battle
from rules.samurai.conftest import to

from pbem.errors import MalformedOrder
from pbem.rules.samurai import combat
from pbem.rules.samurai.daimyos import beside
from pbem.rules.samurai.orders import End, Move
from pbem.rules.samurai.state import Step

Table = Callable[..., Battle]
FAR = {"sp-9": "5 3 north", "sp-19": "67 45 south"}


@pytest.mark.clause("daimyos.1")
def test_a_unit_of_two_stands_isnt_left_without_a_daimyo(table: Table) -> None:
    units = {"sw-1": "36 10 north abreast", "dm-1": "36 9 north", **FAR}
    b = table(units)
    assert b.refused("move dm-1 to 46 9") == "daimyos.1"
    b.do("move sw-1 6")  # he may still follow
    assert b.refused("close move") == "daimyos.1"
    assert b.refused("done") == "daimyos.1"
    with pytest.raises(MalformedOrder):
        b.order("close move anyway")
    assert b.refused("move dm-1 to 40 9") == "daimyos.1"
    b.do("follow dm-1 sw-1")
    assert b.why_not("close move") is None
    b = table({**units, "sw-1": "36 10 north abreast 3/0"})  # one stand is lost
    assert b.why_not("move dm-1 to 40 9") is None


@pytest.mark.clause("daimyos.1")
def test_a_daimyo_may_go_first_and_his_unit_come_to_him(table: Table) -> None:
    b = table({"sw-1": "36 10 north abreast", "dm-1": "36 9 north", **FAR})
    b.do("move dm-1 to 39.5 16")
    assert b.refused("close move") == "daimyos.1"
    b.do("move sw-1 6")
    assert b.state.daimyos("sw-1") == ["dm-1"]
    assert b.why_not("close move") is None


@pytest.mark.clause("daimyos.1")
def test_another_daimyo_may_take_his_place(table: Table) -> None:
    b = table({"sw-1": "36 10 north abreast", "dm-1": "36 9 north", "dm-2": "30 10 north", **FAR})
    b.do("move dm-1 to 40 4")
    assert b.refused("close move") == "daimyos.1"
    assert b.refused("move dm-2 to 28 10") == "daimyos.1"
    b.do("follow dm-2 sw-1 left")
    assert b.why_not("close move") is None


@pytest.mark.clause("daimyos.1")
def test_nothing_is_ordered_after_which_no_daimyo_can_come(table: Table) -> None:
    """By no order at all a unit is left alone, not by those of others and not where dice have fallen before it."""
    units = {"sw-1": "36 10 north abreast", "dm-1": "36 9 north", "dm-2": "5 5 north", **FAR}
    for dice in (False, True):
        b = table(units)
        b.state.dice = dice
        assert b.refused("move dm-1 to 46 9") == "daimyos.1"  # the other one is too far
        b.do("move dm-1 to 39.5 16")  # the unit can still go to him
        assert b.refused("move sw-1 2") == "daimyos.1"
        assert b.refused("turn sw-1 left") == "daimyos.1"
        b.do("move sw-1 6")
        assert b.why_not("close move") is None
    b = table({"sw-1": "36 10 north abreast", "sw-2": "29 10 north abreast", "dm-1": "32.5 9 north", **FAR})
    b.do("move sw-1 6")
    b.do("move sw-2 6")
    assert b.refused("follow dm-1 sw-1 right") == "daimyos.1"  # both have him alone
    b.do("move dm-1 to 32.5 15")
    assert b.why_not("close move") is None


@pytest.mark.clause("daimyos.1")
def test_whoever_a_daimyo_leaves_must_be_able_to_follow_him(table: Table) -> None:
    """No chain of daimyos, each of whom leaves his unit to the next one."""
    units = {"sw-1": "10 10 north abreast", "dm-1": "10 9 north", "dm-2": "20 10 north", "dm-3": "33 10 north", **FAR}
    b = table({**units, "sw-2": "23.5 10 north abreast"})  # it would need dm-3, when dm-2 has gone to sw-1
    assert b.refused("move dm-1 to 3 11") == "daimyos.1"
    b = table({**units, "sw-2": "16.5 10 west abreast", "dm-2": "17.5 10 west"})  # it may follow dm-2 itself
    b.do("move dm-1 to 3 11")
    b.do("follow dm-2 sw-1 right")
    assert b.refused("close move") == "daimyos.1"
    b.do("move sw-2 2")
    assert b.why_not("close move") is None


@pytest.mark.clause("daimyos.1")
def test_after_dice_nothing_is_undone_but_the_unit_may_not_move(table: Table) -> None:
    units = {"sw-1": "36 10 north abreast", "dm-1": "60 9 north", **FAR}
    b = table(units)
    assert b.refused("move sw-1 2") == "daimyos.1"
    assert b.why_not("turn sw-1 left") is None
    assert b.why_not("close move") is None  # he didn't touch it in this step
    b = table({**units, "dm-1": "36 9 north"})
    b.do("move sw-1 6")
    b.state.dice = True
    assert b.refused("close move") == "daimyos.1"
    assert b.request.why_not(End(Step.MOVE, anyway=True)) is None
    left = b.rules.remainder(b.state, "red", b.order("close move"))
    assert left is not None
    assert b.rules.order_words(b.board, left[0]) == ("close", "move", "anyway")


@pytest.mark.clause("daimyos.1", "movement.6")
def test_after_dice_a_daimyo_goes_where_he_was_to_though_his_unit_doesnt_come(table: Table) -> None:
    """Another unit stands where his own was to go: he goes to the place all the same, and his own as far as it can."""
    units = {"sw-1": "36 10 north abreast", "dm-1": "36 9 north", "sp-1": "36 14 north", **FAR}
    order = "move dm-1 to 39.5 16"
    b = table(units)
    assert b.refused(order) == "daimyos.1"
    assert b.rules.remainder(b.state, "red", b.order(order)) is None
    b.state.dice = True
    assert b.refused(order) == "daimyos.1"  # he who knows the dice may not order it
    left, told = b.rules.remainder(b.state, "red", b.order(order)) or (None, ())
    assert left is not None
    assert b.rules.order_words(b.board, left) == (*order.split(), "anyway")
    assert [tell.facts["part"] for tell in told] == ["a daimyo for sw-1"]
    b.game.apply(left)
    assert (b.state.at["dm-1"].x, b.state.at["dm-1"].y) == (3950, 1600)
    short, _ = b.rules.remainder(b.state, "red", b.order("move sw-1 6")) or (None, ())
    assert short == Move("sw-1", 300, anyway=True)
    b.game.apply(short)
    assert b.state.at["sw-1"].y == 1300
    assert b.why_not("close move") is None
    with pytest.raises(MalformedOrder):
        b.order(f"{order} anyway")


@pytest.mark.clause("daimyos.2")
def test_at_set_up_each_unit_of_two_stands_has_a_daimyo(table: Table) -> None:
    b = table({"sw-1": "36 10 north abreast", "dm-1": "40 6 north", "sp-11": "60 40 south"}, phase="red-setup")
    assert b.refused("done") == "daimyos.2"
    refusal = b.why_not("done")
    assert refusal is not None
    assert refusal.reason.endswith("a daimyo must touch them, as `setup dm-1 36 9 north`")
    b.do("setup dm-1 36 9 north")
    assert b.why_not("done") is None


@pytest.mark.clause("movement.3", "daimyos.1")
@pytest.mark.parametrize("unit", ["36 10 north abreast", "36 10 north behind", "36 10 north-east abreast"])
def test_a_unit_whose_daimyo_is_in_the_way_of_its_turn_turns_an_inch_ahead(table: Table, unit: str) -> None:
    b = table({"sw-1": unit, "dm-1": "50 30 north", **FAR})
    b.state.put("dm-1", beside(b.state, "dm-1", b.state.at["sw-1"])["behind"])
    for way in ("left", "right"):
        refusal = b.why_not(f"turn sw-1 {way}")
        assert refusal is not None
        assert refusal.clause == "movement.3"
        told = f"; `move sw-1 1 {way}` turns them an inch ahead, and `follow dm-1 sw-1 behind` brings him after them"
        assert refusal.reason.endswith(told)
    b.do("move sw-1 1 left")
    b.do("follow dm-1 sw-1 behind")
    assert b.state.daimyos("sw-1") == ["dm-1"]
    b = table({"sw-1": "36 10 north abreast", "dm-1": "36 9 north", "sp-1": "36 11.5 north", **FAR})
    assert "an inch ahead" not in str(b.why_not("turn sw-1 left")), "a friend is in the way of that"


@pytest.mark.clause("movement.3", "daimyos.1")
@pytest.mark.parametrize(("swords", "named"), [("39.5 8.5 north abreast", False), ("39.5 8.5 north", True)])
def test_nobody_is_told_to_turn_by_a_daimyo_whom_two_stands_need(table: Table, swords: str, *, named: bool) -> None:
    """He stands behind spearmen and beside swordsmen: the hint is for whom he may leave."""
    b = table({"sp-1": "36 10 north", "dm-1": "36 9 north", "sw-1": swords, **FAR}, step="move")
    b.do("back sw-1 0.4")  # so that they can't go after him
    refusal = b.why_not("turn sp-1 left")
    assert refusal is not None
    assert ("`follow dm-1 sp-1 behind`" in refusal.reason) is named
    b.do("move sp-1 1 left")
    assert (b.why_not("follow dm-1 sp-1 behind") is None) is named


@pytest.mark.clause("daimyos.3")
@pytest.mark.parametrize(("die", "killed"), [(11, False), (12, True)])
def test_a_daimyo_whose_unit_takes_losses_may_die(table: Table, die: int, killed: bool) -> None:
    b = table({"sw-1": "36 20 north", "sp-11": "36 21 south", "dm-11": "36 22 south", **FAR}, step="attack")
    b.do("attack sw-1 at sp-11", 12, 1, 1, die)
    assert ("dm-11" in b.state.gone) is killed
    b = table({"sw-1": "36 20 north", "sp-11": "36 21 south", "dm-11": "36 22 south", **FAR}, step="attack")
    b.do("attack sw-1 at sp-11", 1, 1, 1)  # no losses: no die
    assert "risk" not in b.events()


@pytest.mark.clause("daimyos.3")
def test_fire_puts_daimyos_at_risk_too_and_a_wiped_out_unit(table: Table) -> None:
    b = table({"bw-1": "36 20 north", "sp-11": "36 26 south 1", "dm-11": "36 27 south", **FAR})
    b.do("fire bw-1 at sp-11")
    b.do("close fire", 12, 1, 1)
    assert b.state.at_risk == {"dm-11"}
    b.do("done", 12)
    assert b.state.gone == {"sp-11": "killed", "dm-11": "killed"}


@pytest.mark.clause("daimyos.4")
def test_each_daimyo_rolls_once_after_the_last_attack(table: Table) -> None:
    units = {"sw-1": "36 20 north", "sw-2": "31 20 north", "sp-11": "36 21 south", "sp-12": "31 21 south",
             "dm-11": "33.5 21 south", **FAR}  # fmt: skip
    b = table(units, step="attack")
    b.do("attack sw-1 at sp-11", 12, 1, 1)
    assert "risk" not in b.events()
    b.do("attack sw-2 at sp-12", 12, 1, 1, 3)
    assert b.events().count("risk") == 1
    assert b.state.at_risk == set()


@pytest.mark.clause("daimyos.5")
def test_a_daimyo_is_attacked_only_when_he_is_alone(table: Table) -> None:
    b = table(
        {"ro-1": "36 20 north", "dm-11": "36 21 south", "ro-2": "30 20 north", "sp-12": "30 21 south", **FAR},
        step="attack",
    )
    assert b.why_not("attack ro-1 at dm-11") is None
    b.do("attack ro-1 at dm-11", 10, 1, 1)  # as a samurai, one kill removes him, without a roll
    assert b.state.gone == {"dm-11": "killed"}
    assert b.facts("attack")["needed"] == 10
    for friend in ("36 22 south", "36 22 south routed"):
        b = table({"ro-1": "36 20 north", "dm-11": "36 21 south", "ro-2": "30 20 north", "sp-12": "30 21 south",
                   "sp-13": friend, **FAR}, step="attack")  # fmt: skip
        assert b.refused("attack ro-1 at dm-11") == "daimyos.5"
    b = table({"ro-1": "36 20 north", "dm-11": "36 21 south", "dm-12": "36 22 south", **FAR}, step="attack")
    assert b.why_not("attack ro-1 at dm-11") is None  # another daimyo is no unit


@pytest.mark.clause("daimyos.5")
def test_fire_hits_a_lone_daimyo_and_no_other(table: Table) -> None:
    units = {"bw-1": "36 20 north", "bw-9": "20 10 north", "sp-12": "20 15 south", "dm-11": "36 26 south", **FAR}
    b = table(units)
    b.do("fire bw-1 at dm-11")
    b.do("close fire", 9, 1, 1)
    assert b.state.gone == {"dm-11": "killed"}
    assert b.state.at_risk == set()
    b = table({**units, "sp-13": "36 27 south"})
    assert b.refused("fire bw-1 at dm-11") == "daimyos.5"


@pytest.mark.clause("daimyos.5")
def test_an_attack_on_him_behind_one_on_his_unit_is_judged_when_it_comes(table: Table) -> None:
    units = {"ro-1": "36 20 north", "ro-2": "32.5 21 east", "sp-11": "36 21 south 1", "dm-11": "38.5 21 south",
             "ro-3": "39.5 21 west", **FAR}  # fmt: skip
    b = table(units, step="attack")
    assert b.refused("attack ro-3 at dm-11") == "daimyos.5"
    b.do("attack ro-1 at sp-11", 12, 1, 1)
    to(b, "attack")
    assert b.why_not("attack ro-3 at dm-11") is None


@pytest.mark.clause("daimyos.6")
def test_a_daimyo_alone_attacks_as_one_samurai(table: Table) -> None:
    units = {"dm-1": "36 20 north", "ro-11": "36 21 south", "ro-2": "30 20 north", "sp-12": "30 21 south", **FAR}
    b = table(units, step="attack")
    found = combat.fight(b.state, "dm-1", "ro-11")
    assert (found.dice, found.needed) == (1, 8)
    assert b.why_not("attack dm-1 at ro-11") is None
    b = table({**units, "ro-11": "36 19 south"}, step="attack")  # all round; and on the rear
    assert b.why_not("attack dm-1 at ro-11") is None
    assert combat.fight(b.state, "dm-1", "ro-11").needed == 6
    b = table({**units, "dm-2": "35 20 north"}, step="attack")  # another daimyo gives no bonus
    assert combat.fight(b.state, "dm-1", "ro-11").needed == 8
    b = table({**units, "sp-3": "33.5 20 north"}, step="attack")
    assert b.refused("attack dm-1 at ro-11") == "daimyos.6"
