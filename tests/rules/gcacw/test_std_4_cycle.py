"""The action cycle: initiative, actions, who may act, passing, and how the cycle ends (std-4.0, 15.0)."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from rules.field import Battle
from rules.gcacw.activities import labels, play, told

from pbem.rules.gcacw.orders import PASS, March
from pbem.rules.gcacw.sequence import eligible
from pbem.rules.gcacw.state import State
from pbem.rules.requests import Roll

Field = Callable[..., State]
Fields = Callable[..., Battle]
OPEN = ". . . . . . . .\n" * 3
TWO = {"king": "0101 9", "hood": "0801 9"}


def whats(b: Battle, *names: str) -> list[str]:
    """Those of these events that the last order told."""
    return [what for what in b.events() if what in names]


@pytest.mark.clause("2.1-1", "std-4.0-2")
@pytest.mark.parametrize(
    ("union", "confederate", "winner"),
    [(4, 3, "union"), (3, 3, "confederate"), (3, 4, "confederate"), (1, 1, "confederate"), (6, 5, "union")],
)
def test_the_higher_die_has_the_initiative_and_ties_are_the_confederates(
    battle: Fields, union: int, confederate: int, winner: str
) -> None:
    b = battle(OPEN, TWO)
    assert isinstance(b.request, Roll)
    assert (b.request.label, b.request.dice, b.request.sides) == ("initiative/union", 1, 6)
    b.do("", union, confederate)
    assert (b.request.side, b.request.kind) == (winner, "action")
    assert b.facts("initiative")["dice"] == [union, confederate]


@pytest.mark.clause("std-4.0-1", "std-4.0-3")
def test_one_action_a_phase_and_dice_before_each(battle: Fields) -> None:
    b = battle(OPEN, TWO, choice="union")
    b.do("march king 0102", 3)
    assert isinstance(b.request, Roll)  # no second action without dice
    b.do("", 2, 5)
    assert b.request.side == "confederate"
    b.do("march hood 0802", 2)
    assert isinstance(b.request, Roll)
    assert b.state.cycle == 3


@pytest.mark.clause("std-4.0-4", "15.0-4", "chart-cycle")
def test_when_the_winner_passes_the_other_acts_or_the_cycle_ends(battle: Fields) -> None:
    b = battle(OPEN, TWO, choice="union")
    b.do("pass")
    assert (b.request.side, b.phase) == ("confederate", "cycle")  # without new dice
    b.do("march hood 0802", 2)
    assert isinstance(b.request, Roll)
    assert b.phase == "cycle"
    b.do("", 6, 1)
    b.do("pass")
    b.do("pass")
    assert whats(b, "pass", "cycle-ends") == ["pass", "cycle-ends"]
    assert [tell.clause for tell in b.told if tell.what == "cycle-ends"] == ["15.0-4"]
    assert b.phase == "union-recovery"


@pytest.mark.clause("15.0-5", "chart-cycle", "std-4.0-6")
def test_without_anyone_who_can_act_the_cycle_ends_without_dice(field: Field) -> None:
    s = field(OPEN, {"king": "0101 9 F4", "mcdowell": "0101", "hood": "0801 9 F4"}, turn=3)
    _, found = play(s)
    assert [tell.clause for tell in found if getattr(tell, "what", "") == "cycle-ends"] == ["15.0-5"]
    assert labels(found) == []
    for units in ({"king": "0101 9 F3", "hood": "0801 9 F4"}, {"king": "0101 9 F4", "hood": "0801 9 F0"}):
        s = field(OPEN, units)
        request, found = play(s, [])
        assert request is None
        assert labels(found) == ["initiative/union"]


@pytest.mark.clause("14.0-0", "chart-cycle", "std-4.0-11")
def test_two_ones_end_no_cycle_of_the_basic_game(battle: Fields) -> None:
    for turn in (1, 3, 5):
        b = battle(OPEN, TWO, turn=turn, turns=7)
        b.do("", 1, 1)
        assert (b.request.side, b.phase) == ("confederate", "cycle")


@pytest.mark.clause("std-4.0-11", "std-4.0-10")
def test_who_can_do_nothing_passes_by_himself_and_dice_are_rolled_still(battle: Fields) -> None:
    """As example 30: the Union wins, passes by itself, and the Confederate may act."""
    b = battle(OPEN, {"king": "0101 9 F4", "hood": "0801 9"})
    b.do("", 5, 2)
    assert b.request.side == "confederate"
    assert whats(b, "initiative", "pass") == ["initiative", "pass"]
    b.do("pass")
    assert b.phase == "confederate-recovery"
    b = battle(OPEN, {"king": "0101 9", "hood": "0801 9 F4"}, choice="union")
    b.do("pass")
    assert [(t.facts["side"], t.clause) for t in b.told if t.what == "pass"] == [
        ("union", "std-4.0-4"),
        ("confederate", "std-4.0-11"),
    ]
    assert b.phase == "union-recovery"


@pytest.mark.clause("std-4.0-4", "std-4.0-11")
@pytest.mark.parametrize(("fatigue", "clause"), [("", "std-4.0-4"), (" F4", "std-4.0-11")])
def test_who_said_that_he_is_done_passes_as_he_said_and_who_cannot_act_by_himself(
    battle: Fields, fatigue: str, clause: str
) -> None:
    """Both passes of one who was `done` were told by the clause of who can't act."""
    for dice in ((5, 2), (2, 5)):
        b = battle(OPEN, TWO | {"king": f"0101 9{fatigue}"}, choice="union")
        if not fatigue:
            b.do("done")
            b.do("march hood 0802", 2)
        else:
            b.do("pass")
            b.do("march hood 0802", 2)
        b.do("", *dice)
        if b.request.side == "confederate" and dice == (2, 5):
            b.do("pass")
        assert [(t.facts["side"], t.clause) for t in b.told if t.what == "pass" and t.facts["side"] == "union"] == [
            ("union", clause)
        ]


@pytest.mark.clause("std-4.0-5", "std-4.0-3", "std-7.8-1", "std-7.6-7")
def test_works_transfers_and_placings_are_no_actions(battle: Fields) -> None:
    b = battle(
        OPEN, TWO | {"mcdowell": "0101", "ricketts": "0103 9"}, choice="union", sides={"minor_river": "0101/0102"}
    )
    for order in ("entrench king", "bridge king 0102", "transfer mcdowell ricketts", "evade yes"):
        assert b.refused(order) == "std-4.0-3"
    kinds = {order.split()[0] for order in b.options()}
    assert kinds == {"march", "activate", "pass", "done"}  # no flanks are refused, and nobody is overrun
    b = battle(OPEN, TWO, choice="union", sides={"minor_river": "0101/0102"}, phase="union-recovery")
    b.do("")
    assert b.options() == ["entrench king", "bridge king 0102", "close recovery"]


@pytest.mark.clause("std-4.0-6", "std-4.0-7", "std-4.0-8")
def test_a_unit_acts_while_its_fatigue_is_below_4_and_gains_1_each_time(battle: Fields) -> None:
    b = battle(OPEN, TWO, choice="union")
    for fatigue in (1, 2, 3, 4):
        assert b.why_not("march king") is None
        # no effect of an extended march comes with a 1
        b.do("march king", *((6,) if fatigue < 3 else (6, 1)))
        assert b.state.fatigue["king"] == fatigue
        b.do("", 6, 1)
        if fatigue < 4:
            assert b.request.side == "union"
    assert b.request.side == "confederate"  # the Union passes by itself
    refusal = b.rules.why_not(b.state, "union", March("king"))
    assert refusal is None or refusal.clause == "std-4.0-1"
    b.state.choice = "union"
    assert b.rules.why_not(b.state, "union", March("king")).clause == "std-4.0-6"


@pytest.mark.clause("std-4.0-6")
def test_who_is_off_the_map_is_told_by_its_name(battle: Fields) -> None:
    """It was told by its id and name, which a report that calls it both already said twice."""
    b = battle(OPEN, TWO, choice="union")
    b.state.remove("king")
    refusal = b.rules.why_not(b.state, "union", March("king"))
    assert (refusal.clause, refusal.reason) == ("std-4.0-6", f"{b.board.units['king'].name} isn't on the map")


@pytest.mark.clause("std-4.0-7")
def test_a_pass_tires_nobody(battle: Fields) -> None:
    b = battle(OPEN, TWO, choice="union")
    b.do("pass")
    assert b.state.fatigue == {}


@pytest.mark.clause("std-4.0-3")
def test_a_side_orders_its_own_units_alone(battle: Fields) -> None:
    b = battle(OPEN, TWO, choice="union")
    assert b.rules.why_not(b.state, "union", March("hood")).clause == "std-4.0-3"
    assert b.rules.why_not(b.state, "confederate", March("hood")).clause == "std-4.0-1"
    assert b.rules.why_never(b.state, "union", "cycle", March("hood")).clause == "std-4.0-3"
    assert b.rules.why_never(b.state, "union", "cycle", March("king")) is None


@pytest.mark.clause("std-4.0-10", "13.1-sp1a")
def test_on_a_turn_without_extended_marches_tired_units_are_not_eligible(field: Field) -> None:
    without = {"without": {"extended": ["1"], "assault": ["1"], "force": ["1"]}, "stations": ["0101", "0801"]}
    for units, turn, able in (
        ({"king": "0102 9 F2"}, 1, False),
        ({"king": "0101 9 F2"}, 1, False),  # in a station: the Union raids none
        ({"king": "0102 9 F1"}, 1, True),
        ({"king": "0102 9 F2"}, 2, True),
        ({"hood": "0802 9 F2"}, 1, False),
        ({"hood": "0801 9 F2"}, 1, True),  # it may raid
        ({"hood": "0801 9 F4"}, 1, False),
    ):
        s = field(OPEN, units, turn=turn, scenario=without)
        side = s.board.units[next(iter(units))].side
        assert eligible(s, side) == able, units
    s = field(OPEN, {"hood": "0801 9 F2"}, scenario=without)
    s.station[s.board.parse("0801")] = 2
    assert not eligible(s, "confederate")  # nothing is left to destroy


@pytest.mark.clause("std-4.0-10")
def test_a_leader_makes_nobody_eligible(field: Field) -> None:
    s = field(OPEN, {"king": "0101 9 F4", "mcdowell": "0101", "hood": "0801 9 F4", "longstreet": "0801"})
    assert not eligible(s, "union")
    assert not eligible(s, "confederate")


@pytest.mark.clause("std-4.0-9")
def test_who_is_held_does_nothing_but_defends_and_is_no_member_of_anything(battle: Fields) -> None:
    units = {"mcdowell": "0101", "king": "0101 9", "ricketts": "0101 9", "hood": "0201 9", "pope": "0101"}
    holds = [{"units": ["king"], "until": "2", "clause": "13.1-sp3"}]
    b = battle(OPEN, units, choice="union", scenario={"holds": holds})
    for order in (
        "march king 0102",
        "activate mcdowell march king",
        "activate mcdowell march ricketts march king",
        "assault mcdowell at 0201 by ricketts king",
    ):
        assert b.refused(order) == "13.1-sp3"
    assert b.why_not("assault mcdowell at 0201 by ricketts") is None
    holds = [{"units": ["mcdowell"], "until": "2", "clause": "13.1-sp3"}]
    b = battle(OPEN, units, choice="union", scenario={"holds": holds})
    assert b.refused("march king with mcdowell 0102") == "13.1-sp3"  # nor goes he along
    assert b.refused("activate mcdowell march king") == "13.1-sp3"
    assert b.refused("assault mcdowell at 0201 by ricketts") == "13.1-sp3"
    assert b.why_not("march king 0102") is None
    holds = [{"units": ["king"], "until": "2", "clause": "13.1-sp3"}]
    b = battle(OPEN, units, phase="union-recovery", scenario={"holds": holds})
    b.do("")
    assert b.refused("entrench king") == "13.1-sp3"
    assert b.why_not("entrench ricketts") is None
    b = battle(OPEN, {"king": "0101 9", "hood": "0201 9"}, choice="confederate", scenario={"holds": holds})
    b.do("march hood attack 0101 column", 6, 3, 3)
    assert "fight" in b.events()  # he fights


@pytest.mark.clause("std-4.0-12")
def test_in_a_one_sided_turn_the_first_pass_ends_the_cycle(battle: Fields) -> None:
    alone = {"one-sided": [{"turn": "1", "side": "confederate", "units": "all", "clause": "13.4-sp1"}]}
    b = battle(OPEN, TWO, scenario=alone, opened=False)
    b.do("")
    assert b.request.side == "confederate"
    assert "initiative" not in b.events()
    b.do("march hood 0802", 6)
    assert (b.request.side, b.request.kind) == ("confederate", "action")  # again, without dice
    b.do("pass")
    assert [tell.clause for tell in b.told if tell.what == "cycle-ends"] == ["15.0-4"]
    assert b.phase == "confederate-recovery"  # the Union neither acts nor entrenches
    assert b.rules.why_not(b.state, "union", March("king")) is not None


@pytest.mark.clause("std-4.0-12", "15.0-5")
def test_a_one_sided_cycle_ends_also_with_the_last_who_can_act(battle: Fields) -> None:
    alone = {"one-sided": [{"turn": "1", "side": "confederate", "units": "all", "clause": "13.4-sp1"}]}
    b = battle(OPEN, TWO | {"hood": "0801 9 F3"}, scenario=alone, opened=False)
    b.do("")
    b.do("march hood", 6, 1)
    assert [tell.clause for tell in b.told if tell.what == "cycle-ends"] == ["15.0-5"]


@pytest.mark.clause("std-4.0-4", "15.0-4")
def test_who_is_through_passes_whenever_he_is_asked(battle: Fields) -> None:
    b = battle(OPEN, TWO, choice="union")
    b.do("done")
    assert b.request.side == "confederate"
    b.do("march hood 0802", 4)
    b.do("", 6, 1)
    assert whats(b, "initiative", "pass") == ["initiative", "pass"]
    assert b.request.side == "confederate"
    b.do("done")
    assert [tell.clause for tell in b.told if tell.what == "cycle-ends"] == ["15.0-4"]  # both could act
    assert b.state.turn == 2  # nobody entrenches any more


def test_a_pass_is_told_with_the_number_of_its_phase(field: Field) -> None:
    s = field(OPEN, TWO, choice="union")
    _, found = play(s, [PASS, PASS])
    assert [facts["cycle"] for facts in told(found, "pass")] == [1, 1]
