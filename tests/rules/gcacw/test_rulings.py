"""The rulings from R197 on of docs/rulings.md: which tests show each, and those that no chapter's tests show."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from rules.field import Battle
from rules.gcacw.activities import run, told
from rules.rulings import TESTS, numbers, shown, untested

from pbem.maps.hexes import distance
from pbem.rules import gcacw
from pbem.rules.gcacw import combat
from pbem.rules.gcacw.board import Board
from pbem.rules.gcacw.combat import Fight, modifiers
from pbem.rules.gcacw.entering import entered
from pbem.rules.gcacw.holds import closed, why_held
from pbem.rules.gcacw.leaders import FAR
from pbem.rules.gcacw.state import State
from pbem.rules.requests import Tell

Field = Callable[..., State]
Fields = Callable[..., Battle]

SHOWN = """
197  every_counter_has_its_printed_values
     what_is_reconstructed_is_marked_so
     every_cell_is_as_typed_twice
     works_transfers_and_placings_are_no_actions
198  words_of_the_tables_as_the_rules_read_them
     what_is_reconstructed_is_marked_so
     the_table_of_extended_marches
     the_defenders_ground_takes_from_artillery
     fatigue_recovers
199  places_that_the_rulebook_names_have_its_hexes
     what_is_reconstructed_is_marked_so
     the_half_hexes_of_the_north_edge_are_in_play
     beyond_the_sheet_in_play_is_off_the_map
     a_move_to_the_other_sheet_is_refused_in_a_basic_scenario
200  every_hex_in_play_is_of_one_of_sixteen_counties
     towns_stations_and_depots_lie_in_their_counties
     divisions_in_fairfax_county_cost_3
201  two_counters_of_williams_and_ewell_are_never_in_one_game
     the_spelling_of_the_counters_and_the_full_name_are_one_counter
202  chatham_is_an_ordinary_bridge_for_both_sides
203  every_throw_is_of_one_or_two_dice_and_none_is_of_the_advanced_game
     two_ones_end_no_cycle_of_the_basic_game
     a_basic_turn_has_four_phases_and_no_advanced_one
     a_star_of_the_chart_changes_nothing
204  when_the_winner_passes_the_other_acts_or_the_cycle_ends
     without_anyone_who_can_act_the_cycle_ends_without_dice
205  who_can_do_nothing_passes_by_himself_and_dice_are_rolled_still
     a_leader_makes_nobody_eligible
     on_a_turn_without_extended_marches_tired_units_are_not_eligible
206  in_a_one_sided_turn_the_first_pass_ends_the_cycle
     a_one_sided_cycle_ends_also_with_the_last_who_can_act
207  a_march_goes_up_to_the_hex_that_the_enemy_has_taken
     an_attack_on_nobody_is_left_out_and_the_march_is_made
     who_cannot_act_any_more_is_left_out_of_an_activation
     who_is_through_passes_whenever_he_is_asked
     nothing_is_left_when_the_leader_cannot_lead
     a_mail_tells_what_a_plan_watches_for_and_why_what_waits_lapses
208  evade
     lose
     retreat
     advance
     join
209  who_is_held_does_nothing_but_defends_and_is_no_member_of_anything
     a_held_leader_is_transferred_but_activates_nobody
     a_held_leader_counts_with_his_men
     the_held_don_t_entrench
     who_may_bridge_what
210  a_zone_is_restricted_against_five_times_its_value
     a_restricted_zone_stops_nobody_by_the_option_alone
     friends_in_the_hex_entered_count_with_the_marcher
     a_regiment_stops_a_brigade_and_no_division_but_counts_in_full_for_all_else
211  when_cavalry_goes_back_the_marcher_may_go_on
     one_step_leads_from_zone_to_zone_in_a_march
     from_zone_to_zone_off_the_road_disorganises_or_costs_manpower
212  the_radius_is_3_hexes_of_any_ground
     the_way_of_an_order_keeps_off_the_enemy_and_his_zones_without_friends
     the_radius_goes_over_no_river_without_a_crossing
     the_way_of_a_transfer_keeps_off_the_enemy_and_his_zones
     a_leader_goes_10_hexes_to_a_unit_of_his_command_once_a_turn
213  mcdowell_begins_with_reynolds_and_goes_along_with_him
     once_with_a_unit_of_his_own_mcdowell_may_not_return
     who_only_passes_a_unit_of_his_own_has_not_joined_it
     mcdowell_is_his_own_corps_once_his_own_men_have_been_with_him
     mcdowell_counts_with_the_unit_of_his_set_up
     mcdowell_assaults_with_his_own_corps_alone
214  a_leader_left_without_a_unit_goes_to_the_nearest_of_his_command
     of_several_as_near_the_owner_chooses
     a_leader_who_left_the_map_comes_back_to_a_unit_of_his_command
     a_leader_comes_back_from_off_the_map_at_any_distance
215  the_radius_is_measured_once
     everyone_named_rolls_for_an_extended_march_when_his_turn_comes
     the_activation_goes_on_when_one_of_them_is_lost
     the_leader_goes_along_with_one_unit_that_starts_with_him_or_stays_with_one
216  an_assault_is_no_extended_march_unless_the_option_says_so
     fatigue_of_combat_brings_no_extended_march
     a_raid_is_made_in_a_zone_too_and_strains_nobody
     no_assault_of_turn_1_brings_a_unit_to_fatigue_3
217  a_forced_march_takes_points_and_disorganises_or_costs_manpower
     a_march_is_forced_when_the_next_step_is_too_dear_and_only_if_it_helps
     only_that_completes_the_route
     nobody_forces_in_a_zone_nor_the_last_disorganised_man
218  who_has_forced_his_march_attacks_in_his_next_action_alone
     the_attack_is_made_only_behind_the_whole_way
     the_kind_that_the_points_left_pay_for
     behind_a_step_from_zone_to_zone_any_kind_of_attack_is_made
219  units_in_the_hex_entered_cost_points_rounded_up
     stacking_is_paid_also_on_the_way
     who_started_in_one_hex_costs_the_others_of_the_activation_nothing
220  a_hex_is_entered_only_when_it_is_paid_in_full
     two_roads_without_a_link_between_them_are_no_way
221  infantry_destroys_a_station_by_two_raids_and_cavalry_damages_it
     a_raid_needs_a_confederate_unit_in_the_station_that_can_act
     no_station_is_raided_that_the_rulebook_does_not_name
     a_raid_is_made_in_a_zone_too_and_strains_nobody
222  a_march_attack_is_one_unit_s_and_may_come_without_a_step
     the_steps_are_paid_first_and_the_target_s_ground_not_at_all
     after_the_attack_the_march_is_over_but_for_the_advance
223  the_assault_number
     a_die_above_the_number_brings_fatigue_alone
     each_further_hex_joins_by_a_die_of_its_own
     the_first_hex_failing_ends_it
     units_of_the_corps_in_the_first_hex_are_of_the_first
224  lee_and_jackson_add_1_together
225  half_points_count_in_the_ratio_and_not_in_the_column
     columns_of_the_defender_drop_half_points
226  half_entrenched_count_100_all_entrenched_130
     the_cap_comes_before_the_factor_of_works
     works_count_for_the_ratio_alone
227  the_best_tactical_values_are_compared
     a_held_leader_counts_with_his_men
     the_demoralised_have_no_tactical_value
228  the_easiest_of_the_hexes_that_joined_counts
229  units_of_the_defenders_side_beside_him_take_from_the_bonus
     obstacles_cover_and_take_from_the_bonus
230  there_are_neither_refused_flanks_nor_overruns
     by_default_nobody_is_asked_to_refuse_his_flanks
     by_default_no_order_of_that_kind_is_accepted
     steady_infantry_is_asked_that_is_not_spent_and_only_of_a_bonus
     the_question_comes_before_the_dice_of_the_combat
     refused_flanks_make_up_for_half_the_bonus_rounded_up
     each_steady_infantry_unit_of_the_hex_gains_1_fatigue_and_no_other
     the_rules_refuse_where_2_is_made_up_for
231  letters_raise_fatigue
     the_disorganised_lose_nothing_more_by_d
232  the_owner_says_who_loses
     nobody_is_eliminated_while_another_has_two_points
     ties_are_broken_by_the_unit_s_id
233  the_effects_come_in_their_order
     an_advance_needs_an_a_and_an_empty_hex
234  a_rout_counts_once_if_infantry_defended
     losses_of_combat_and_surrender_score
235  the_end_is_the_least_distance_away_where_it_can_be
     the_classes_of_steps
     a_worse_class_costs_a_point
     a_blind_alley_isn_t_entered_while_there_is_room_elsewhere
     of_alleys_that_are_all_too_short_the_longest_is_open
     ties_go_to_the_farther_hex_then_to_the_lower_number
236  zones_of_control_cost_a_point_in_a_retreat_two_in_a_rout
     without_a_first_step_the_stack_surrenders
     in_a_pocket_the_stack_stops_without_further_loss
     with_the_last_man_the_way_ends_and_leaders_go_from_there
237  the_ban_holds_for_marches_retreats_and_advances
     neither_by_march_nor_by_retreat_or_advance
     the_union_keeps_east_of_column_18
     hexes_closed_to_one_of_the_stack_are_closed_to_all
     a_retreat_with_closed_hexes_alone_is_none
238  any_who_attacked_may_enter_the_emptied_hex
     an_advance_enters_as_a_march_does
     leaders_go_along_where_their_owner_says_or_nobody_stays
     the_default_is_to_enter_unless_the_enemy_beside_is_stronger
239  cavalry_with_infantry_behind_a_river_or_spent_is_not_asked
     once_for_each_unit_and_hex
     without_a_way_back_cavalry_is_not_asked
     an_attack_that_isn_t_paid_for_asks_nobody
     the_default_is_to_go_with_less_than_half_the_value
240  the_marcher_loses_half_the_total
     a_brigade_gets_1_more_only_against_regiments_alone
     a_total_of_2_disorganises_or_costs_a_point
     the_attack_on_the_emptied_hex_does_not_take_place
     after_cavalry_has_gone_the_marcher_may_go_on_into_its_hex
     a_march_that_attacks_the_hex_where_it_ends_enters_it_when_cavalry_goes
     cavalry_that_goes_back_leaves_an_assault_without_a_target
241  fatigue_recovers
     who_comes_to_fatigue_0_is_organised_again
     demoralisation_falls_by_a_step_of_the_rested
242  who_may_entrench
     who_may_bridge_what
     one_piece_of_work_in_a_recovery
     works_transfers_and_placings_are_no_actions
243  works_count_for_the_ratio_alone
     each_recovery_adds_a_stage_up_to_a_complete_fort
244  a_side_has_three_bridges_at_most_and_none_over_another
     a_built_bridge_serves_its_owner_alone
     a_built_bridge_opens_a_flank_to_its_owner_alone
     a_zone_goes_over_a_built_bridge_for_its_owner_alone
     the_owner_removes_the_bridge_that_he_names_where_his_unit_comes_by
     an_enemy_of_value_5_at_an_end_removes_it
     two_of_value_4_don_t_add_up
245  frozen_markers_skip_the_step
     a_fight_may_raise_what_is_frozen
     the_starred_units_keep_their_fatigue_in_turn_1
     morells_fatigue_stays_until_turn_3
246  the_nearest_infantry_scores_by_its_distance
     infantry_in_culpeper_scores_8_and_no_distance
247  control_of_the_railroad
     40_points_leave_those_for_damage
248  routs_of_infantry
249  parke_and_3_in_wait_for_a_confederate_in_spotsylvania_or_stafford
     6_ny_waits_for_a_confederate_within_4_hexes_of_its_first_hex
     a_confederate_within_2_hexes_frees_a_counter_from_turn_2_on
     an_arrival_frees_too
     a_march_and_a_retreat_turn_objectives_too
     leaders_turn_no_objective
     who_stands_near_frees_nobody_nor_does_a_leader
250  the_raiders_keep_off_the_rappahannock
     on_turn_1_f_lee_makes_neither_extended_nor_forced_marches
251  damage_by_stuart
     stations_of_jackson_s_march
     stations_to_bull_run
252  casey_and_whipple_keep_east_of_column_49_until_they_are_freed
     the_starred_units_keep_their_fatigue_in_turn_1
253  on_turn_1_jackson_enters_no_zone_of_control
254  taylor_goes_once_by_rail_as_its_first_march_of_turn_3
     by_rail_35_hexes_at_most_and_by_railroad_alone
     by_rail_to_fatigue_3_is_an_extended_march
255  while_confederates_are_there_it_comes_together_to_one_of_four_hexes
     who_finds_no_hex_waits_and_comes_when_one_is_free
     longstreets_rear_comes_to_n1633_or_to_one_of_four_hexes
     reinforcements_that_nobody_places_come_to_the_first_hex
256  in_or_beside_a_town_and_once_for_a_division
     infantry_in_or_beside_the_places_scores_once
257  early_brings_the_next_turns_arrivals_of_the_side
     late_puts_this_turns_arrivals_of_the_side_off
258  rain_in_rain_has_no_effect_and_other_events_have
     rain_lasts_for_this_turn_or_one_or_two_more
259  rain_takes_from_the_attackers_die_and_makes_creeks_worse
260  who_was_put_off_comes_in_the_next_reinforcement_phase
     once_the_first_has_come_the_others_follow_him
     or_a_turn_later_further_east_each_by_himself
261  behind_two_ones_a_die_may_end_the_cycle
     no_die_of_the_cycle_is_rolled_where_nobody_can_act
262  the_railroad_takes_16_points_in_a_cycle
     the_next_turn_counts_anew
     a_leader_goes_along_by_rail
263  an_attackers_leader_is_in_danger_with_units_of_his_command
     behind_two_ones_an_even_die_kills
264  the_best_of_several_is_killed_and_of_equals_he_who_is_named
265  who_follows_leads_with_lower_values
266  a_starred_result_on_the_union_begins_the_panic_once
     no_star_and_a_star_on_the_confederate_begin_none
267  mcclellan_comes_before_the_random_event
     without_pope_he_comes_to_the_northernmost_of_his_own_army
268  confederates_dont_cross_it
     another_bridge_may_be_built_over_the_rappahannock_in_a_later_turn
     no_bridge_is_built_over_another_major_river
269  the_union_takes_it_away_on_a_march
     it_is_taken_away_when_the_strong_enemy_comes
270  five_depots_are_on_the_map
271  confederates_dont_enter_the_defences_of_washington
272  the_depot_of_winchester_falls_to_whoever_enters
273  no_station_is_repaired_that_the_confederate_holds_or_controls
274  a_station_feeds_its_county_by_whole_rails
     no_station_is_raided_that_the_rulebook_does_not_name
275  the_status_may_eliminate
     want_takes_manpower_of_the_disorganised_then_order_of_the_others
     manpower_lost_in_combat_scores_for_the_other
276  the_rested_forage
277  the_hungry_find_no_order
     want_takes_manpower_of_the_disorganised_then_order_of_the_others
278  units_of_an_activation_detach_as_well
     by_rail_a_part_is_left_in_the_first_hex_or_one_on_the_way
279  it_is_as_orderly_and_steady_as_the_unit
     it_is_in_supply_if_the_unit_is
280  the_marker_is_the_units_unless_the_substitute_has_more
     want_and_fear_stay_too
281  the_set_up_is_as_typed
     each_side_has_three_brigades_and_three_regiments
282  towns_score_by_control
     infantry_turns_objectives
283  on_turn_1_popes_army_and_griffin_act_alone
284  on_turn_1_no_zone_of_control_is_entered_nor_left
285  until_they_have_acted_they_are_in_supply
286  if_the_confederate_has_aquia_creek_they_must
287  confederates_come_in_at_one_of_four_hexes
     or_a_turn_later_further_east_each_by_himself
288  towns_score_by_control
289  a_division_that_is_shut_in_scores_nothing
290  what_the_total_means
291  who_covers_a_hex_is_worth_a_quarter_of_the_defender
     3_against_15_give_no_bonus
     those_who_cover_a_hex_count_together
     five_covered_hexes_give_2_six_give_4
     obstacles_cover_and_take_from_the_bonus
     ground_and_the_edge_of_the_map_cover
292  the_kind_that_the_points_left_pay_for
     cavalry_pays_more_for_its_attacks
     the_defenders_ground_takes_from_artillery
     only_guns_of_the_defender_keep_an_attack_down
     a_cell_with_two_figures_asks_for_one_more_die
     works_multiply_the_defenders_artillery_dropped_for_each_unit
     works_leave_the_attackers_artillery_alone
     nobody_stands_behind_abatis
293  nobody_merges_away_from_a_leader_who_would_be_alone
294  on_turn_1_popes_army_and_griffin_act_alone
295  the_last_turn_may_bring_who_is_due_behind_it
296  the_last_turn_may_bring_who_is_due_behind_it
"""
"""Rulings and the tests that show them, without their `test_`."""

WIDE = "\n".join([". " * 9] * 12)


def test_the_tests_of_every_ruling_exist() -> None:
    elsewhere = [*(TESTS / "maps").glob("test_gcacw_*.py"), TESTS / "report" / "test_report_gcacw.py"]
    assert untested(SHOWN, [*Path(__file__).parent.glob("test_*.py"), *elsewhere]) == []


def test_every_ruling_has_its_tests_and_none_is_doubled() -> None:
    found, given = numbers("## gcacw/1", "\n## ")
    assert found == sorted(found) == list(shown(SHOWN))
    assert given == len(found) > 0


# --- what no other test shows -----------------------------------------------------------------------------------------


def test_what_is_reconstructed_is_marked_so(shipped: Mapping[str, Any], board_of: Callable[[str], Board]) -> None:
    """R197 to R199: set-ups, tables and the map."""
    marked = {name for name, block in shipped["tables"].items() if "reconstructed" in block["provenance"]}
    assert marked >= {"disorganised", "movement", "extended_march", "artillery", "bridges", "recovery"}
    assert {"combat_attacker", "combat_defender", "works"}.isdisjoint(marked)
    for name, units in (("lee-vs-pope", "Parke, 3 IN and Reynolds"), ("to-bull-run", "Casey")):
        listed = board_of(name).reconstructed
        assert any(one.startswith("scenario set-up:") and f"{units} reconstructed" in one for one in listed)
        assert any(one.startswith("map virginia terrain:") for one in listed)


@pytest.mark.clause("18.0-1", "14.0-0", "std-7.5-1")
def test_a_star_of_the_chart_changes_nothing(field: Field) -> None:
    """R203: the Union is routed as by a result without a star, and nothing more."""
    s = field(WIDE, {"hooker": "0506 8", "hood": "0505 18", "anderson": "0505 18"})
    f = Fight("confederate", s.board.parse("0506"), ("hood", "anderson"), "prepared")
    base = sum(m.points if m.of == "attacker" else -m.points for m in modifiers(s, f)) + combat.guns(s, f).otherwise
    found = run(combat.fight(s, f), (*[1] * combat.guns(s, f).by_die, 6, max(1, 6 + base - 8)))
    (fight,) = told(found, "fight")
    assert (fight["difference"], fight["result"]) == (8, "3DR*")
    whats = {request.what for request in found if isinstance(request, Tell)}
    assert whats == {"fight", "loss", "disorganised", "tired", "demoralised", "retreat", "advance"}
    assert (s.manpower["hooker"], s.demoralised["hooker"], s.routs["union"]) == (5, 1, 1)


@pytest.mark.clause("std-6.3-4", "std-5.3-1")
def test_mcdowell_assaults_with_his_own_corps_alone(battle: Fields) -> None:
    """R213: nor does Reynolds, of another corps, assault under him."""
    units = {"mcdowell": "0101", "reynolds": "0101 9", "king": "0102 9", "hood": "0201 9"}
    b = battle(WIDE, units, choice="union", scenario={"foreign": {"mcdowell": "reynolds"}})
    assert b.refused("assault mcdowell at 0201 by reynolds") == "std-5.3-1"
    assert b.why_not("assault mcdowell at 0201 by king") is None


@pytest.mark.clause("std-6.3-2")
def test_a_leader_comes_back_from_off_the_map_at_any_distance(field: Field) -> None:
    """R214: to whichever unit of his his owner likes, and not by himself."""
    units = {"mcdowell": "0101", "king": "0101 9", "ricketts": "0912 9", "hood": "0505 8"}
    for order, ends in (("transfer mcdowell ricketts", "0912"), ("close transfer", None)):
        s = field(WIDE, units, phase="union-transfer")
        assert distance(s.at["mcdowell"], s.at["ricketts"]) > FAR
        s.remove("mcdowell")
        b = Battle(gcacw, s.board, s, ("initiative/",))
        b.do(order)
        assert b.state.at.get("mcdowell") == (None if ends is None else b.hex(ends))


@pytest.mark.clause("std-7.1-2", "std-7.1-3", "std-2.4-8")
@pytest.mark.parametrize(("die", "kind"), [(2, "column"), (3, "hasty"), (4, "normal"), (6, "prepared")])
def test_behind_a_step_from_zone_to_zone_any_kind_of_attack_is_made(battle: Fields, die: int, kind: str) -> None:
    """R218: Hood goes from one hex beside King to the next, along a trail, is disorganised by it and attacks him."""
    units = {"king": "0203 8", "hood": "0104 8"}
    b = battle(WIDE, units, roads={"trail": "0104 0103"}, choice="confederate")
    b.do("march hood 0103 attack 0203", die - 1, 1, 6)
    assert b.at("hood") == "0103"
    assert b.facts("disorganised")["unit"] == "hood"
    assert b.facts("fight")["kind"] == kind


@pytest.mark.clause("std-5.4-1")
def test_no_station_is_raided_that_the_rulebook_does_not_name(game: Fields) -> None:
    """R221: White Plains lies on the railroad, too."""
    for label, clause in (("N2518", "std-5.4-1"), ("N3131", "")):
        b = game("to-bull-run", {"va-2": label}, turn=2, choice="confederate")
        assert b.board.ground.rail[b.hex(label)]
        refusal = b.why_not("raid va-2")
        assert (refusal.clause if refusal is not None else "") == clause


@pytest.mark.clause("13.5-sp3", "13.5-sp3g", "13.2-sp2")
def test_who_stands_near_frees_nobody_nor_does_a_leader(campaign: Field) -> None:
    """R249 and R252: a Confederate unit frees by coming; behind the turn of its hold it frees Casey of his limit."""
    s = campaign("to-bull-run", {"va-2": "N1630"}, turn=2)
    beside = next(h for h in s.board.ground.near[s.at["kearny"]] if h not in s.stands)
    s.put("va-2", beside)
    assert why_held(s, "kearny") is not None
    assert list(entered(s, ["jackson"], beside)) == []
    assert why_held(s, "kearny") is not None
    list(entered(s, ["va-2"], beside))
    assert why_held(s, "kearny") is None
    s = campaign("to-bull-run", turn=6)
    assert why_held(s, "casey") is None
    assert closed(s, "casey") != frozenset()
    h = next(h for h in s.board.map.hexes if distance(h, s.at["casey"]) == 2 and h not in s.stands)
    s.put("va-2", h)
    list(entered(s, ["va-2"], h))
    assert closed(s, "casey") == frozenset()
    s = campaign("lee-vs-pope")
    h = next(h for h in s.board.map.regions["Spotsylvania"] if h not in s.stands)
    assert list(entered(s, ["longstreet"], h)) == []
    assert why_held(s, "parke") is not None
