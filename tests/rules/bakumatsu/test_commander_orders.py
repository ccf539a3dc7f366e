"""Orders, conditions, odds, the form and stored states of battles with commanders and with units that are chosen."""

from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction
from itertools import product

import pytest

from pbem.errors import AmbiguousOrder, IllegalOrder, MalformedOrder
from pbem.rules import bakumatsu
from pbem.rules.bakumatsu.odds import fire_odds, melee_odds, recovery_odds, worst
from pbem.rules.bakumatsu.orders import Enter, Fire, Melee, Recover
from pbem.rules.requests import Draw, Roll

FLAT = """
    . . . . . . .
     . . . . . . .
    . . . . . . .
     . . . . . . .
    . . . . . . .
"""
ROW = ". . . . . . . . . ."
LORD = "2/+1/+1/5/6"
SIX = range(1, 7)


@pytest.fixture
def battle(field):
    """A bit of everything, in the movement phase of a side that chooses who comes."""
    units = {
        "sg-1": "0201 4-4-3-4 disordered",
        "sg-2": "cup 4-3-3-4",
        "sg-3": "cup 4-3-3-5",
        "sg-4": "cup 5-x-3-3 range 3",
        "sg-5": "removed 4-3-3-4 since 1",
        "sg-6": "removed 4-3-3-4 since 3",
        "sgc-1": f"0302 {LORD}",
        "sgc-2": f"cup {LORD}",
        "sgc-3": f"received {LORD}",
        "sgc-4": f"removed {LORD} since 1",
        "sgc-5": f"setup {LORD} aside",
        "sa-1": "0306 4-4-3-4",
        "sac-1": f"0306 {LORD}",
    }
    made = field(
        FLAT, units, phase="shogunate-move", turn=3, opened=False, entry="0101", lx={"shogunate": (7,)}, idle=True,
        control={"nobody": "0107", "satcho": "0507"}, chooses="shogunate", reorganises="shogunate",
    )  # fmt: skip
    made.do("", 1)
    return made


def read(battle, side, text):
    return bakumatsu.read_order(battle.board, side, tuple(text.split()))


def clause(refusal):
    return None if refusal is None else refusal.clause


# --- orders: read, written, read again


@pytest.mark.clause("15-2-7-2(3)2c")
@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("recover sg-1", Recover("sg-1")),
        ("recover sg-1 by sgc-1", Recover("sg-1", "sgc-1")),
        ("recover sg-1 by none", Recover("sg-1", "none")),
        ("fire sg-1 at sa-1", Fire("sg-1", "sa-1")),
        ("fire sg-1 at sa-1 by sgc-1", Fire("sg-1", "sa-1", (), "sgc-1")),
        ("fire sg-1 at sa-1 by none", Fire("sg-1", "sa-1", (), "none")),
        ("fire sg-1 at sa-1 with sg-2 sg-3 by sgc-1", Fire("sg-1", "sa-1", ("sg-2", "sg-3"), "sgc-1")),
        ("melee sg-1 at sa-1 by sgc-1", Melee("sg-1", "sa-1", (), by="sgc-1")),
        ("melee sg-1 at sa-1 by none advance", Melee("sg-1", "sa-1", (), advance=True, by="none")),
        ("melee sg-1 at sa-1 with sg-2 by sgc-1 advance", Melee("sg-1", "sa-1", ("sg-2",), advance=True, by="sgc-1")),
        ("melee sg-1 at sa-1 with sg-2 advance", Melee("sg-1", "sa-1", ("sg-2",), advance=True)),
    ],
)
def test_an_order_that_names_a_commander_is_read_and_written_back(battle, text, order):
    assert read(battle, "shogunate", text) == order
    assert " ".join(bakumatsu.order_words(battle.board, order)) == text


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("fire sg-1 at sa-1 by Lord_sgc-1", Fire("sg-1", "sa-1", (), "sgc-1")),
        ("recover sg-1 by sgc-5", Recover("sg-1", "sgc-5")),
        ("enter sgc-3", None),
    ],
)
def test_a_commander_is_called_as_a_unit_is(battle, text, order):
    assert read(battle, "shogunate", text) == (order or read(battle, "shogunate", "enter sgc-3"))


@pytest.mark.parametrize(
    ("text", "full"),
    [
        ("fire 1 at 1 with 2 by 1", "fire sg-1 at sa-1 with sg-2 by sgc-1"),
        ("melee 1 at 1 with 2 by 1 advance", "melee sg-1 at sa-1 with sg-2 by sgc-1 advance"),
        ("recover 1 by 1", "recover sg-1 by sgc-1"),
        ("retreat 1 0202", "retreat sg-1 0202"),
    ],
)
def test_a_number_means_the_unit_where_no_commander_can_be_meant_and_him_where_no_unit_can(battle, text, full):
    order = read(battle, "shogunate", text)
    assert " ".join(bakumatsu.order_words(battle.board, order)) == full


def test_standing_orders_are_for_units_not_for_their_commanders(battle):
    assert bakumatsu.read_standing(battle.board, "shogunate", ("retreat", "1", "0202")) == ("retreat", "sg-1", "0202")


@pytest.mark.parametrize(
    ("text", "full"),
    [
        ("enter 2", "enter sg-2"),  # sgc-2 is in the cup
        ("enter 5 move 0102", "enter sg-5 move 0102"),  # sgc-5 is kept aside
        ("enter Lord", "enter sgc-3"),
        ("enter Lord to 0101", "enter sgc-3"),
        ("move Lord 0202", "move sgc-1 0202"),
    ],
)
def test_whom_a_move_or_an_entry_can_mean_the_position_tells(battle, text, full):
    order = bakumatsu.way(battle.state, battle.request, tuple(text.split()))
    assert " ".join(bakumatsu.order_words(battle.board, order)) == full


@pytest.mark.parametrize(
    "text",
    [
        "enter 3",  # one may come on, the other was received
        "enter 3 to 0101",
        "move 1 0202",
        "move 1 to 0202",
        "march 2 0202",  # neither is on the map
    ],
)
def test_where_it_leaves_both_they_are_refused(battle, text):
    number = text.split()[1]
    with pytest.raises(AmbiguousOrder) as caught:
        bakumatsu.way(battle.state, battle.request, tuple(text.split()))
    assert caught.value.hint == f"write one of sg-{number} (Unit sg-{number}), sgc-{number} (Lord sgc-{number})"


@pytest.mark.parametrize("text", ["move 1 0202", "march 1 0202", "enter 1"])
def test_where_both_can_be_meant_a_number_is_refused_with_both(battle, text):
    with pytest.raises(AmbiguousOrder) as caught:
        read(battle, "shogunate", text)
    names = {unit: battle.board.units[unit].name for unit in ("sg-1", "sgc-1")}
    assert caught.value.hint == "write one of " + ", ".join(f"{unit} ({name})" for unit, name in names.items())


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("fire sg-1 at sa-1 by", "fire U at V [with W ...] [by C | by none]"),
        ("fire sg-1 at sa-1 by sgc-1 with sg-2", "fire U at V [with W ...] [by C | by none]"),
        ("fire sg-1 at sa-1 by sgc-1 sgc-2", "fire U at V [with W ...] [by C | by none]"),
        ("fire sg-1 at sa-1 sgc-1", "fire U at V [with W ...] [by C | by none]"),
        ("melee sg-1 at sa-1 advance by sgc-1", "melee U at V [with W ...] [by C | by none] [advance]"),
        ("melee sg-1 at sa-1 with by sgc-1", "melee U at V [with W ...] [by C | by none] [advance]"),
        ("recover sg-1 with sgc-1", "recover U [by C | by none]"),
        ("recover sg-1 by", "recover U"),
        ("recover sg-1 by sgc-1 sgc-2", "recover U"),
        ("recover sg-1 by nobody", ""),
    ],
)
def test_words_that_cannot_stand_there_are_refused_with_what_would_be_right(battle, text, hint):
    with pytest.raises(MalformedOrder) as caught:
        read(battle, "shogunate", text)
    assert hint in caught.value.hint


def test_where_there_are_no_commanders_the_usage_names_none(field):
    battle = field(ROW, {"sg-1": "0101 4-4-3-4", "sa-1": "0102 4-4-3-4"}, phase="shogunate-fire")
    for text in ("fire sg-1 at sa-1 by none", "recover sg-1 by none", "melee sg-1 at sa-1 by none advance"):
        with pytest.raises(MalformedOrder) as caught:
            read(battle, "shogunate", text)
        assert "by C" not in caught.value.hint


# --- conditions


@pytest.mark.parametrize(
    ("words", "right"),
    [
        ("at sgc-1 0302", True),
        ("at sgc-2 0302", False),
        ("alive sgc-1", True),
        ("alive sgc-2", True),
        ("gone sgc-4", True),
        ("gone sgc-1", False),
        ("gone sg-5", True),  # until it comes back
        ("empty 0302", True),  # of combat units: nobody's way is barred
        ("empty 0306", False),
        ("held 0107 shogunate", False),  # nobody's
        ("held 0107 satcho", False),
        ("held 0507 satcho", True),
        ("is sg-2 received", True),  # may be chosen
        ("is sg-4 received", False),  # a gun, the last to come
        ("is sg-5 received", True),
        ("is sg-6 received", False),
        ("is sgc-2 received", False),
        ("is sgc-3 received", True),
        ("is sgc-4 received", False),
        ("is sgc-5 received", False),
        ("is sgc-1 normal", True),
        ("is sgc-1 disordered", False),
        ("is sgc-1 artillery", False),
        ("is sgc-1 done", False),
    ],
)
def test_a_condition_holds_or_not(battle, words, right):
    assert bakumatsu.test(battle.state, bakumatsu.read_test(battle.board, tuple(words.split()))) is right


def test_a_unit_that_came_back_is_no_longer_gone(battle):
    battle.do("enter sg-5")
    assert not bakumatsu.test(battle.state, ("gone", "sg-5"))
    assert bakumatsu.test(battle.state, ("at", "sg-5", "0101"))


# --- states: copied, stored, loaded


def test_a_state_with_commanders_and_calls_is_stored_and_loaded(battle):
    dump = bakumatsu.dump(battle.state)
    assert dump["calls"] == {"shogunate": 1}
    assert dump["commander_cups"] == {"shogunate": ["sgc-2"]}
    loaded = bakumatsu.load(battle.board, json.loads(json.dumps(dump)))
    assert bakumatsu.dump(loaded) == dump
    assert loaded.stands == battle.state.stands
    assert not any("c" in unit for side in loaded.stands.values() for unit in side.values())
    assert loaded.control == battle.state.control
    assert loaded.may_come("shogunate") == battle.state.may_come("shogunate") == ["sgc-3", "sg-2", "sg-3", "sg-5"]
    assert bakumatsu.situation(loaded) == bakumatsu.situation(battle.state)


def test_a_copy_goes_its_own_way(battle):
    before = bakumatsu.dump(battle.state)
    game = battle.game.fork()
    for order in ("enter sg-2 move 0102", "enter sgc-3", "move sgc-1 0303"):
        game.apply(read(battle, "shogunate", order))
    assert bakumatsu.dump(battle.state) == before
    after = bakumatsu.dump(game.state)
    assert "calls" not in after  # none is left
    assert (battle.at("sg-2"), battle.at("sgc-1"), battle.state.calls) == (None, "0302", {"shogunate": 1})


def test_where_there_are_none_nothing_of_them_is_stored(field):
    battle = field(ROW, {"sg-1": "0101 4-4-3-4"}, phase="shogunate-move")
    assert not {"calls", "commander_cups"} & bakumatsu.dump(battle.state).keys()
    assert bakumatsu.load(battle.board, bakumatsu.dump(battle.state)).calls == {}


# --- the situation


@pytest.mark.clause("15-2-5(1)0b", "15-2-7-1(1)2")
def test_the_situation_counts_who_may_be_chosen_beside_those_who_were_received(battle):
    """Three in hand, of whom one may come, one in the cup; a commander received, and a unit that comes back."""
    (side, other) = bakumatsu.situation(battle.state)["sides"]
    assert (side["later"], side["choice"], side["ready"]) == (3, 1, ["sgc-3", "sg-5"])
    assert side["leaders"] == {"one": "commander", "many": "commanders", "later": 1, "here": 1, "lost": 1}
    assert "choice" not in other
    assert (other["leaders"]["later"], other["leaders"]["here"]) == (0, 1)
    battle.do("enter sg-2 move 0102")
    (side, _) = bakumatsu.situation(battle.state)["sides"]
    assert (side["later"], "choice" in side, side["ready"]) == (3, False, ["sgc-3", "sg-5"])


# --- odds


def played(battle, order, becomes, dice):
    """What every throw of so many dice leads to, as the game itself resolves it; `becomes` sees the dice not thrown."""
    found = Counter()
    for throw in product(SIX, repeat=dice):
        game = battle.game.fork()
        game.apply(battle.order(order))
        left = list(throw)
        while isinstance(game.request, Roll):
            game.apply(tuple(left.pop(0) for _ in range(game.request.dice)))
        found[becomes(game, left)] += 1
    return {outcome: Fraction(count, 6**dice) for outcome, count in found.items()}


@pytest.mark.clause("15-2-7-2(3)5", "7(1)")
@pytest.mark.parametrize("by", ["", " by none", " by sgc-1", " by sgc-2"])
@pytest.mark.parametrize("own", [2, 4, 6])
def test_the_odds_of_a_recovery_by_a_commander(field, own, by):
    units = {"sg-1": f"0101 4-4-{own}-4 disordered", "sgc-1": "0102 1/0/0/3/6", "sgc-2": "0103 2/0/0/5/6"}
    battle = field(ROW, units, phase="shogunate-move", idle=True)
    order = f"recover sg-1{by}"
    right = played(battle, order, lambda game, _: "sg-1" not in game.state.disordered, 1)[True]
    assert recovery_odds(battle.state, battle.order(order)) == right
    morale = {"": max(own, 5), " by none": own, " by sgc-1": max(own, 3), " by sgc-2": max(own, 5)}[by]
    assert right == Fraction(min(morale, 6), 6)
    assert bakumatsu.tell_odds(battle.state, "", battle.order(order)).startswith("recovers ")


@pytest.mark.clause("15-2-7-2(3)3", "9-2(5)0a")
@pytest.mark.parametrize("by", ["", " by none", " by sgc-1", " by sgc-2"])
@pytest.mark.parametrize("state", ["", " disordered"])
def test_the_odds_of_a_fire_by_a_commander(field, by, state):
    units = {
        "sg-1": "0302 4-4-3-4",
        "sa-1": f"0303 4-4-3-4{state}",
        "sgc-1": "0301 1/+1/0/5/6",
        "sgc-2": "0201 1/+2/0/5/6",
    }
    battle = field(FLAT, {**units, "sac-1": "0303 2/+2/+2/6/6"}, phase="shogunate-fire", idle=True)
    order = f"fire sg-1 at sa-1{by}"

    def becomes(game, _):
        if game.request.kind == "retreat":
            return "retreats"
        if "sa-1" in game.state.removed:
            return "removed"
        return "disordered" if not state and "sa-1" in game.state.disordered else "no effect"

    assert fire_odds(battle.state, battle.order(order)) == played(battle, order, becomes, 2)
    named = {"": "+2 Lord sgc-2", " by sgc-1": "+1 Lord sgc-1", " by sgc-2": "+2 Lord sgc-2"}
    assert (named.get(by, "Lord") in bakumatsu.tell_odds(battle.state, "", battle.order(order))) is (by in named)


@pytest.mark.clause("15-2-7-2(3)4c", "15-2-7-2(3)5", "10-2(7)")
@pytest.mark.parametrize("by", ["", " by none"])
@pytest.mark.parametrize("defender", [None, "2/0/+1/6/6", "2/0/0/5/6", "2/+2/+2/1/6"])
def test_the_odds_of_a_melee_with_commanders_on_both_sides(field, by, defender):
    units = {"sg-1": "0302 4-6-3-4", "sa-1": "0303 4-4-3-4 disordered", "sgc-1": "0301 1/0/+2/5/6"}
    units |= {"sac-1": f"0304 {defender}"} if defender else {}
    battle = field(FLAT, units, phase="shogunate-melee", idle=True)
    order = f"melee sg-1 at sa-1{by}"

    def becomes(game, left):
        unharmed = "no effect" if left else "stands"  # without a check; 10-2(8)0
        return "removed" if "sa-1" in game.state.removed else unharmed

    # a throw with an unused die counts six times, as it should
    assert melee_odds(battle.state, battle.order(order)) == played(battle, order, becomes, 3)
    told = bakumatsu.tell_odds(battle.state, "", battle.order(order))
    assert ("+2 Lord sgc-1" in told) is (by == "")
    assert ("Lord sac-1" in told) is (defender in ("2/0/+1/6/6", "2/+2/+2/1/6"))


@pytest.mark.clause("15-2-7-2(3)5", "10-2(7)")
@pytest.mark.parametrize(("die", "share"), [(5, Fraction(5, 6)), (3, Fraction(3, 6))])
def test_what_had_to_be_expected_of_a_check_counts_the_commanders_morale(battle, die, share):
    facts = {"unit": "sg-1", "die": 1, "add": 0, "morale": die, "passed": True}
    assert bakumatsu.chances(battle.board, "check", facts)["stands"] == share


# --- the worst that may come


@pytest.mark.clause("15-2-7-2(2)1", "15-2-7-2(2)2")
def test_the_worst_that_may_come_for_a_side(at):
    """Of dice and draws that are for Saigo's Army: the lowest for it, the highest for the Government."""
    battle = at(2, 4)
    battle.state.control = {}
    requests = {
        Roll("reinforcement/2", 1): ((1,), (6,)),
        Roll("arrival/2", 1): ((1,), (6,)),
        Draw("commanders/saigo", ("sc-01", "sc-02", "sc-03", "sc-04", "sc-05"), 1): (("sc-05",), ("sc-02",)),
    }
    for request, (own, other) in requests.items():
        assert worst(battle.state, request, "saigo") == own
        assert len(worst(battle.state, request, "government")) == 1
        if isinstance(request, Roll):
            assert worst(battle.state, request, "government") == other


# --- the form


def entries(battle):
    return {entry.heading.split(" (")[0]: entry for entry in bakumatsu.form(battle.state, battle.request)}


@pytest.mark.clause("15-2-5(1)0b")
def test_the_form_says_how_many_may_be_chosen_and_from_whom(battle):
    found = entries(battle)
    assert next(iter(found)) == "1 unit of 3 in hand may enter"
    assert found["1 unit of 3 in hand may enter"].notes[1].startswith("guns come last")  # sg-4 is in hand, too
    assert "choose" in found["1 unit of 3 in hand may enter"].notes[0]
    for unit in ("sg-2 Unit sg-2", "sg-3 Unit sg-3", "sg-5 Unit sg-5", "sgc-3 Lord sgc-3"):
        assert found[unit].orders[0] == (("enter", unit.split()[0]), "stays in the entry hex")
    assert found["sg-5 Unit sg-5"].notes == ("as far as sg-2 goes",)  # the same allowance
    assert found["sg-3 Unit sg-3"].notes[0].startswith("`enter U move to HEX`")
    battle.do("enter sg-2 move 0102")
    assert not any("in hand" in heading for heading in entries(battle))


@pytest.mark.clause("15-2-7-1(1)1a")
def test_the_form_refers_to_units_above_alone(field):
    """Who is chosen from hand may enter before those who come back stand on the form, and the other way round."""
    units = {"sg-1": "removed 4-3-3-4 since 1", "sg-2": "cup 4-3-3-4", "sg-3": "removed 4-3-3-4 since 1"}
    battle = field(
        FLAT, units, phase="shogunate-move", turn=3, opened=False, entry="0101", idle=True,
        chooses="shogunate", reorganises="shogunate",
    )  # fmt: skip
    battle.do("", 1)
    found = entries(battle)
    assert found["sg-1 Unit sg-1"].notes[0].startswith("`enter U move to HEX`")
    assert [found[f"{unit} Unit {unit}"].notes for unit in ("sg-2", "sg-3")] == [("as far as sg-1 goes",)] * 2


@pytest.mark.clause("15-2-5(1)2", "15-2-7-1(1)1a", "15-2-7-2(4)7", "15-2-7-2(1)2", "15-2-7-2(2)1")
def test_the_form_says_why_others_do_not_come(battle):
    notes = "\n".join(entries(battle)["As things stand, nothing can be done with"].notes)
    for line in (
        "sg-4 Unit sg-4: is artillery: the 2 units in hand that aren't must come on before [15-2-5(1)2]",
        "sg-6 Unit sg-6: was removed in this turn: it comes back from the next on [15-2-7-1(1)1a]",
        "sgc-2 Lord sgc-2: isn't on the map: he waits in the cup of commanders [15-2-7-2(2)1]",
        "sgc-4 Lord sgc-4: was removed in turn 1: no commander comes back [15-2-7-2(4)7]",
        "sgc-5 Lord sgc-5: isn't on the map: he is kept aside until a die brings him [15-2-7-2(1)2]",
    ):
        assert line in notes


@pytest.mark.clause("15-2-5(1)2")
def test_before_a_gun_the_last_unit_that_is_none_is_named(battle):
    battle.state.calls["shogunate"] = 2
    battle.do("enter sg-2 move 0102")
    refusal = bakumatsu.why_not(battle.state, "shogunate", Enter("sg-4"))
    assert refusal.reason == "sg-4 Unit sg-4 is artillery: sg-3 Unit sg-3 must come on before"


@pytest.mark.clause("15-2-7-2(4)0", "15-2-7-2(2)0")
def test_the_form_lists_commanders_where_they_move_and_nowhere_else(battle):
    found = entries(battle)
    assert found["sgc-1 Lord sgc-1"].heading == (
        "sgc-1 Lord sgc-1 (range 2, fire +1, melee +1, morale 5, move 6) at 0302: commander"
    )
    assert any(words[:2] == ("move", "sgc-1") for words, _ in found["sgc-1 Lord sgc-1"].orders)
    battle.do("done")
    while battle.phase != "shogunate-fire":
        battle.do("done")
    assert not any("sgc" in heading for heading in entries(battle))


def test_every_order_of_the_form_is_legal(battle):
    for entry in bakumatsu.form(battle.state, battle.request):
        for words, _ in entry.orders:
            assert battle.why_not(" ".join(words)) is None, words


@pytest.mark.clause("15-2-7-2(3)3")
def test_the_form_of_a_fire_names_the_commander_with_his_modifier(field):
    units = {"sg-1": "0101 4-4-3-4", "sa-1": "0102 4-4-3-4", "sgc-1": f"0101 {LORD}"}
    battle = field(ROW, units, phase="shogunate-fire", idle=True)
    ((words, note),) = entries(battle)["sg-1 Unit sg-1"].orders
    assert (words, "strength 4, +1 Lord sgc-1: " in note) == (("fire", "sg-1", "at", "sa-1"), True)


# --- `to HEX`


@pytest.mark.clause("15-2-7-2(4)1b", "15-2-7-2(4)2b", "15-2-7-2(2)0")
@pytest.mark.parametrize(
    ("words", "meant"),
    [
        ("move sgc-1 to 0104", "move sgc-1 0102 0103 0104"),  # through sg-1 and sgc-2
        ("march sgc-1 to 0104", "march sgc-1 0102 0103 0104"),
        ("move sgc-1 to 0102", "move sgc-1 0102"),  # with sg-1
        ("enter sgc-3 to 0205", "enter sgc-3"),
        ("enter sgc-3 to 0206", "enter sgc-3 move 0206"),
    ],
)
def test_the_way_of_a_commander_to_a_hex(field, words, meant):
    battle = crowded(field)
    order = bakumatsu.way(battle.state, battle.request, tuple(words.split()))
    assert " ".join(bakumatsu.order_words(battle.board, order)) == meant


@pytest.mark.clause("15-2-7-2(4)2a", "15-2-7-2(4)4b", "15-2-7-2(4)0")
@pytest.mark.parametrize(
    ("words", "refused"),
    [
        ("move sgc-1 to 0103", "15-2-7-2(4)2a"),
        ("march sgc-1 to 0103", "15-2-7-2(4)2a"),
        ("move sgc-1 to 0106", "15-2-7-2(4)4b"),
        ("move sgc-1 to 0109", "8(4)"),
        ("move sgc-1 to 0101", "8(5)"),
        ("enter sgc-3 to 0106", "15-2-7-2(4)4b"),
        ("move sgc-1 to 0209", "8-1"),
        ("enter sgc-4 to 0206", "15-2-7-2(2)1"),
    ],
)
def test_why_no_way_of_a_commander_leads_to_a_hex(field, words, refused):
    battle = crowded(field)
    with pytest.raises(IllegalOrder) as caught:
        bakumatsu.way(battle.state, battle.request, tuple(words.split()))
    assert caught.value.clause == refused


def crowded(field):
    """A row of friends, commanders and enemies, and an entry hex below it."""
    units = {
        "sgc-1": f"0101 {LORD}",
        "sg-1": "0102 4-4-3-4",
        "sgc-2": f"0103 {LORD}",
        "sac-1": f"0106 {LORD}",
        "sgc-3": f"received {LORD}",
        "sgc-4": f"cup {LORD}",
        "sa-1": "0109 4-4-3-4",
    }
    rows = ". . . . . . . . . .\n - - - - . . - - . -"
    return field(rows, units, phase="shogunate-move", entry="0205", roads=("0101 0102 0103 0104",), idle=True)
