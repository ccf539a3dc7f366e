"""The rulings R68 to R102 of docs/rulings.md: which test shows each, and those that no chapter's tests show."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from rules.rulings import TESTS, numbers, shown, untested

from pbem.rules import yukimura
from pbem.scenario import load_scenario

SHOWN = """
68   the_east_may_not_cross_the_line_before_turn_7
     an_advance_may_not_cross_before_turn_7
     a_forced_retreat_may_cross_and_is_no_crossing
     under_the_other_reading_a_crossing_frees_mori
69   a_failed_die_is_rolled_again_next_turn_and_success_is_for_good
     the_crossing_is_remembered
70   the_line_parts_the_map_in_two_with_the_river_east_of_it
71   zoc_goes_into_a_river_hex_with_a_road_over_every_side
     who_passes_a_ford_stops_beside_an_enemy_on_the_bank
     a_ford_is_fought_for_over_every_side_of_the_river
     a_retreat_goes_over_every_side_of_a_river_hex_with_a_road
     an_advance_goes_over_every_side_of_a_river_hex_with_a_road
     a_large_river_is_entered_along_a_road_alone
72   enemy_hexes_are_closed
     not_into_an_enemy_hex
     an_advance_stops_before_an_enemy
73   at_most_one_unit_stands_in_a_hex
     of_two_units_in_a_hex_the_later_one_is_removed_when_the_phase_closes
74   a_march_leaves_by_a_road_over_the_edge_as_one_of_eight
     a_road_over_a_small_river_is_a_bridge
     an_entry_is_the_move_of_the_phase
75   road_movement_keeps_out_of_enemy_zoc
     road_movement_does_not_begin_in_enemy_zoc
76   a_small_river_costs_1_more
77   reinforcements_enter_between_other_moves_and_on_later_turns
     a_reinforcement_may_enter_enemy_zoc_and_stops_there
78   a_target_once_but_fire_counts_apart
     defensive_fire_counts_apart_from_the_combat_phase
79   in_combat_all_fire_comes_before_melee_and_only_the_phasing_side_attacks
     orders_are_sorted_into_the_steps_of_the_phase
80   several_hexes_are_one_attack
     d_makes_the_defender_check
81   one_target_after_another_on_the_board_as_it_is_then
     a_combat_of_several_lapses_when_one_cannot_take_part
     the_remainder_of_three_says_or_fewer_again
     an_advance_that_cannot_be_is_only_left_out
     something_is_left_of_a_combat_in_its_phases_alone
82   every_step_leads_away_from_every_attacker
     encirclement_removes
     attackers_retreat_from_the_defender
83   the_owner_chooses_by_order_standing_order_or_default
     the_default_way_disturbs_the_fewest
     the_owner_chooses_the_hex_of_a_displacement
84   a_shared_hex_is_cleared_before_the_checks
     a_unit_that_retreated_makes_room_without_a_check
     the_other_unit_steps_when_the_first_can_not
     the_arriving_unit_is_removed_when_neither_can_step
     an_asterisk_is_neither_marked_nor_displaced
     attackers_that_fail_together_have_one_common_done
     step_2_the_foot_unit_goes_1_hex_before_any_chain_check
     step_4_the_riflemen_make_room_without_a_check
     step_5_the_foot_unit_still_checks_and_stays
85   a_chain_check_can_remove
86   after_fire_one_unit_into_the_vacated_hex
     after_fire_that_removes_no_free_advance
87   ae_removes_all_attackers_and_nobody_else
88   out_of_range_no_advance_but_movement
     the_option_that_freezes_movement_too
89   a_held_unit_fires_fights_and_retreats_but_does_not_advance
     held_units_fight_but_do_not_advance
90   the_leader_of_the_own_force_counts_while_he_lives
     the_range_is_counted_in_hexes
91   units_that_left_the_map_do_not_count
     removal_exit_and_advance_of_a_leader_lose_the_battle
92   a_leader_who_moves_loses_the_battle_at_once
     a_leader_who_falls_back_loses_the_battle_in_mid_phase
     removal_exit_and_advance_of_a_leader_lose_the_battle
93   who_stands_on_komatsuyama_at_the_end_wins
     an_empty_komatsuyama_belongs_to_who_was_in_it_last
94   more_units_round_the_enemys_leaders_win
     units_round_other_commanders_and_across_impassable_sides
95   hideyori_enters_by_the_chosen_road_alone
     no_way_leads_from_map_to_map
96   mountain_shifts_both_tables_for_the_side_alone_in_it
     shifts_add_up_and_stop_at_the_end
97   a_burial_mound_is_closed_by_its_sides_alone
     impassable_sides_do_not_hinder_fire
98   two_tadakiras_no_tadanao
     commanders_are_the_persons_of_the_rulebook
99   what_no_source_gives_is_marked
100  defensive_fire_is_a_reaction_with_a_policy
     the_best_fire_goes_on_until_nobody_can
101  no_advance_when_another_enemy_has_come_into_the_vacated_hex
102  of_two_terrains_in_a_hex_the_harder_counts
"""
"""Rulings and the tests that show them, without their `test_`."""


def test_the_tests_of_every_ruling_exist() -> None:
    assert (
        untested(SHOWN, [*Path(__file__).parent.glob("test_*.py"), *(TESTS / "maps").glob("test_yukimura_*.py")]) == []
    )


def test_every_ruling_has_its_tests_and_none_is_doubled() -> None:
    found, given = numbers("## yukimura/2", "## samurai/1")
    assert found == list(range(68, 103)) == list(shown(SHOWN))
    assert given == len(found)


@pytest.mark.clause("8.a", "8-2", "4-1(1)A")
def test_reinforcements_enter_between_other_moves_and_on_later_turns(field: Callable[..., Any]) -> None:
    """Ruling R77."""
    date = {"reinforcements": [{"force": "date", "turn": 3, "edge": "east"}], "entries": {"east": "0106"}}
    units = {"ho-01": "0101", "ho-02": "0206", "go-01": "0301", "da-01": "waiting", "da-02": "waiting"}
    rows = ". . . . . .\n" * 3
    battle = field(rows, units, phase="east-move", turn=4, **date)
    battle.do("enter da-01 0106 0105")
    assert battle.at("da-01") == "0105"
    assert battle.refused("enter da-02 0206") == "8.a"
    battle.do("move ho-02 0306")
    battle.do("enter da-02 0106")
    assert battle.at("da-02") == "0106"
    early = field(rows, units, phase="east-move", turn=2, **date)
    assert early.refused("enter da-01 0106") == "8.a"


@pytest.mark.clause("14-3(6)c", "7-6-2")
def test_no_way_leads_from_map_to_map() -> None:
    """Ruling R95."""
    board = yukimura.board(load_scenario("connected").data)
    assert len(board.maps) == 2
    for h, near in board.ground.near.items():
        assert all(board.map_of(n) is board.map_of(h) for n in near)
        assert set(board.ground.cost[h]) | set(board.ground.roads[h]) <= set(near)
    domyoji, yao = (set(chart.hexes) for chart in board.maps.values())
    assert domyoji.isdisjoint(yao)


@pytest.mark.clause("17-4")
def test_two_tadakiras_no_tadanao() -> None:
    """Ruling R98."""
    board = yukimura.board(load_scenario("connected").data)
    found = {unit.force: unit.command for unit in board.units.values() if unit.name == "Matsudaira Tadakira"}
    assert found == {"todo": 3, "tadaaki": 5}
    names = " ".join(unit.name for unit in board.units.values())
    assert "Tadanao" not in names
    assert "Naomasa" not in names


@pytest.mark.clause("2-1-4", "14-2(6)3")
@pytest.mark.parametrize("name", ["domyoji", "yao", "connected", "gotos-dream"])
def test_what_no_source_gives_is_marked(name: str) -> None:
    """Ruling R99."""
    data = load_scenario(name).data
    board = yukimura.board(data)
    for table in ("firing_results_table", "hand_to_hand_results_table"):
        assert data["tables"][table]["provenance"] == "reconstructed"
    heads = "; ".join(line if re.match(r"\w+: ", line) else line.partition(": ")[0] for line in board.reconstructed)
    for what in ("tables", "maps?", "values"):
        assert re.search(rf"scenario:? {what}\b|army \w+ {what}\b", heads), what
    assert {board.label[h][-4:] for h in board.breakthrough} <= {"0201", "2801"}
