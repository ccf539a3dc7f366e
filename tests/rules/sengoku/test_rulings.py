"""The rulings from R151 on of docs/rulings.md: which tests show each."""

from __future__ import annotations

from pathlib import Path

from rules.rulings import numbers, shown, untested

SHOWN = """
151  control_of_both_sides_overlaps_and_neither_cancels_the_other
     a_besieged_castle_controls_nothing_and_its_besiegers_do
     an_enemy_castles_hex_is_usable_with_a_friend_in_it
152  a_castle_costs_1_in_its_own_hex_alone
153  ground_costs_by_kind_of_movement
     lakes_are_not_crossed_nor_the_sea_entered
154  a_river_costs_1_more_and_a_bridge_spares_it
     lines_end_at_a_lake_and_pay_for_a_river
155  enemies_in_the_open_bar_a_hex_and_those_shut_in_do_not
     no_friend_comes_into_a_castle_with_enemies_around_it
156  a_friend_in_the_hex_spares_the_cost_but_not_the_mover_himself
     a_friend_shut_in_counts_too
     who_is_left_behind_is_a_friend_for_the_next_step
157  units_are_left_behind_on_the_way_and_have_acted
     units_are_left_behind_before_a_castles_door_and_behind_it
     a_commander_left_behind_may_lead_others_at_once
     a_garrison_is_left_in_the_castle
     a_besieger_lifts_the_siege_and_leaves_the_castles_control
158  a_castle_in_enemy_control_needs_a_garrison_to_begin_or_relay_a_line
     the_source_of_a_leg_is_not_charged_and_its_end_is
     a_main_castle_is_a_mere_relay_to_other_armies
159  strategic_movement_counts_hexes_beyond_a_lake_and_enemies_shut_in
     several_forces_of_a_side_share_a_castle
160  one_die_is_for_the_units_or_for_the_castle_of_the_hex
     the_own_castle_is_one_of_the_commanders_clan
     saika_replenish_by_the_column_of_kii_in_kii_alone
     the_abandoned_main_castle_alone_needs_no_line_and_counts_as_own
     an_abandoned_castle_is_his_who_restores_it
     a_result_below_0_loses_steps_as_the_owner_says
161  a_higher_rank_is_not_rearranged_by_a_lower_one
     open_forces_and_those_shut_in_are_not_mixed
     besiegers_join_besiegers_alone
     units_of_an_army_that_can_not_act_yet_stay_where_they_are
     who_changed_his_force_has_acted_and_who_only_gave_has_not
     a_separated_unit_keeps_the_morale_of_its_force
167  by_default_whole_units_are_reduced_before_any_is_eliminated_and_leaders_last
168  a_mark_eliminates_a_unit_even_beyond_the_number
     by_default_a_mark_costs_one_of_the_lowest_rank
     the_attacker_chooses_his_losses_and_by_a_mark_somebody_dies
169  with_a_commander_in_chief_his_clan_leaves_wherever_it_is_and_keeps_its_castles
     units_without_their_leader_are_forces_of_their_own_with_the_same_morale
170  an_assault_needs_a_siege_by_anybody_of_the_side
     who_began_a_siege_that_is_over_assaults_no_more
     several_besiege_together_and_others_join_each_by_its_action
171  a_check_counts_the_units_inside_against_the_limit
     an_incident_hangs_on_the_die_and_the_difference_of_morale
172  the_owner_names_traitors_and_without_a_garrison_durability_is_lost
173  the_highest_rank_inside_and_morale_change_the_interception
174  a_castle_that_falls_by_durability_is_judged_by_one_die_and_abandoned
     a_castle_falls_by_morale_when_nobody_is_left_in_it_and_keeps_its_durability
     the_strongest_besieger_is_the_captor_then_the_lower_id
175  the_answer_hangs_on_durability_commander_morale_and_refusal
176  a_surrender_removes_all_and_gives_half_of_their_steps_rounded_up
     the_besieger_names_who_is_removed_before_the_rest_marches_out
177  all_march_to_one_hex_with_a_friendly_unit_or_castle_and_normal_morale
     in_a_castle_under_siege_they_are_shut_up_at_once
180  the_last_hex_is_farther_and_none_is_nearer_than_the_one_before
     before_a_sortie_one_hex_is_enough_in_any_direction
     enemies_in_the_open_bar_a_hex_and_those_shut_in_cost_a_step
181  a_hex_costs_one_step_whatever_the_reasons_and_each_hex_its_own
     strong_control_of_the_enemy_costs_a_step_and_weak_control_none
     a_river_costs_a_step_and_a_bridge_spares_it
182  losses_are_steps_or_hexes_and_who_retreats_does_not_answer
     4_hexes_are_the_most_and_without_a_way_there_are_steps_alone
     all_forces_of_a_hex_have_the_same_ways_and_losses_leave_them
     an_army_without_a_main_castle_goes_back_towards_the_edge_by_which_it_came
183  it_ends_before_enemies_in_the_open_and_enters_where_all_are_shut_in
     those_shut_in_come_out_when_nobody_is_left_before_the_castle
     who_is_killed_where_he_stood_has_not_retreated_and_is_not_pursued
     who_dies_on_the_way_back_has_retreated
184  of_several_defenders_the_highest_rank_counts_and_of_one_rank_the_best
185  a_besieger_answers_with_half_its_strength_unless_it_lifts_the_siege
     a_sortie_attacks_in_its_hex_and_is_answered_with_full_strength
186  others_of_the_hex_join_the_attack_unless_they_have_acted
     neither_those_shut_in_nor_besiegers_attack
     an_army_that_is_held_back_joins_no_attack
     in_the_hex_of_a_castle_a_battle_needs_consent
     without_consent_the_attack_is_the_skirmish_that_the_order_allows
     an_abandoned_castle_asks_for_no_consent
187  the_best_commander_that_leads_counts_whatever_his_rank
     a_mark_eliminates_a_unit_in_a_battle_too
188  hexes_without_a_way_are_steps
     who_has_no_hex_to_part_loses_a_step
     nobody_stops_whose_forces_have_no_hex_to_go_to
     a_flight_costs_what_a_retreat_costs_and_finds_refuge
189  who_inflicted_more_by_the_table_may_stop
     if_both_are_spent_both_go_back_one_hex_and_nobody_has_lost
     after_so_many_rounds_both_part
190  who_has_no_force_that_can_act_is_not_asked
     without_a_force_that_can_act_a_siege_is_lifted_and_a_castle_offered
     a_siege_is_lifted_behind_the_last_force_that_can_act
191  what_nobody_places_stands_in_the_open_as_it_is_led_best
     nobody_is_placed_on_ground_where_nobody_stands_nor_with_enemies
     a_unit_alone_or_without_a_free_box_leads_itself
192  an_offer_accepted_opens_the_castle_and_no_check_is_made
     an_offer_refused_is_followed_by_the_check
     a_standing_order_accepts_by_the_number_removed
193  only_units_of_the_other_side_in_the_six_provinces_count_shut_in_or_not
194  who_has_begun_enters_at_its_hexes_as_its_side_likes
     who_enters_later_does_so_in_the_situation_change_of_a_later_inning
     saika_and_negoro_begin_together_by_one_die
195  the_shibata_act_in_snow_by_a_6_of_the_same_inning_alone
     the_kobe_act_from_their_declaration_on_and_free_mino
196  a_castle_of_the_enemys_scores_by_its_level
     each_enemy_unit_shut_in_scores_besieged_or_not
     the_hashiba_score_for_a_katsuie_at_home_and_kobe_who_never_began
     a_katsuie_who_dies_at_home_has_not_left
"""
"""Rulings and the tests that show them, without their `test_`."""


def test_the_tests_of_every_ruling_exist() -> None:
    assert untested(SHOWN, Path(__file__).parent.glob("test_*.py")) == []


def test_every_ruling_has_its_tests_and_none_is_doubled() -> None:
    found, given = numbers("## sengoku/1", "\n## ")
    assert found == sorted(found) == list(shown(SHOWN))
    assert given == len(found) > 0
