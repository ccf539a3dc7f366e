"""The worked examples of the basic game: which tests show each, and those that no chapter's tests show."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from rules.field import Battle
from rules.gcacw.activities import run
from rules.rulings import shown, untested

from pbem.rules.gcacw import recovery
from pbem.rules.gcacw.combat import Fight, values
from pbem.rules.gcacw.orders import Entrench
from pbem.rules.gcacw.state import State

Field = Callable[..., State]
Fields = Callable[..., Battle]

ADVANCED = {*range(1, 7), *range(14, 17)}
"""Examples of the advanced game alone: random end of a cycle, foraging, rails, its own score and reinforcements."""

SHOWN = """
7    a_number_has_the_letter_of_its_sheet
8    a_hex_of_both_sheets_has_two_names
9    gregg_and_lawton_keep_to_the_south_west
     gregg_in_cedar_mountain_retreats_to_no_closed_hex
10   three_divisions_at_the_towns
11   the_union_keeps_east_of_column_18
12   casey_and_whipple_keep_east_of_column_49_until_they_are_freed
13   on_turn_1_the_confederates_act_alone
     on_turn_1_jackson_acts_alone
17   the_ratio_gives_parts_to_the_defender
18   the_marcher_loses_half_the_total
19   a_disorganised_unit_has_the_value_of_the_table_and_halves_are_kept
     half_points_count_in_the_ratio_and_not_in_the_column
20   dr_retreats_2_to_4_and_a_rout_4_to_6_demoralised
21   nobody_stands_behind_abatis
22   artillery_is_summed_up_on_both_sides
23   of_all_36_throws_at_modifier_0_ten_move_the_defender_and_three_rout_him
24   a_blind_alley_isn_t_entered_while_there_is_room_elsewhere
     in_a_pocket_the_stack_stops_without_further_loss
25   example_25_of_a_march_past_an_enemy
26   the_stop_is_lifted_when_nobody_else_covers_the_hex
27   half_points_count_in_the_ratio_and_not_in_the_column
28   f_lee_damages_catlett_s_station_and_ewell_destroys_bull_run_bridge
29   an_assault_adds_1_and_jackson_1_more
     lee_and_jackson_add_1_together
30   who_can_do_nothing_passes_by_himself_and_dice_are_rolled_still
"""
"""Example -> its tests, without their `test_`; 30, of an advanced scenario, is shown as the basic game has it."""


def test_every_example_has_its_tests() -> None:
    assert untested(SHOWN, Path(__file__).parent.glob("test_*.py")) == []
    assert sorted({*shown(SHOWN), *ADVANCED}) == [*range(1, 31)]
    assert ADVANCED.isdisjoint(shown(SHOWN))


@pytest.mark.clause("std-9.0-7", "std-9.0-2")
def test_nobody_stands_behind_abatis(field: Field) -> None:
    """Example 21: 10 behind abatis would be 15, and are so where breastworks are being built; then 20, 20 and 30."""
    s = field(". . .\n. . .\n. . .\n", {"king": "0202 10", "hood": "0201 8"})
    f, found = Fight("confederate", s.at["king"], ("hood",), "normal"), []
    for _ in range(4):
        s.worked.clear()
        run(recovery.entrench(s, Entrench("king")))
        found.append(values(s, f).entrenched / 2)
    assert found == [15, 20, 20, 30]
    s.worked.clear()
    refusal = recovery.why_not_entrench(s, "union", Entrench("king"))
    assert refusal is not None
    assert refusal.clause == "std-9.0-2"


@pytest.mark.clause("std-5.4-1")
def test_f_lee_damages_catlett_s_station_and_ewell_destroys_bull_run_bridge(game: Fields) -> None:
    """Example 28."""
    for name, units, unit, states in (
        ("stuarts-raid", {"f-lee": "S3307", "stuart": "S3307"}, "f-lee", [1]),
        ("jacksons-march", {"ewell-b": "N4422 14 F0"}, "ewell-b", [1, 2]),
    ):
        b = game(name, units, turn=2, choice="confederate")
        for state in states:
            b.do(f"raid {unit}")
            assert b.state.station[b.state.at[unit]] == state
            b.do("", 1, 6)
        assert b.refused(f"raid {unit}") == "std-5.4-1"
