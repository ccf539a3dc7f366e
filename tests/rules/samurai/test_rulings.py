"""The rulings R118 to R150 of docs/rulings.md: which test shows each."""

from __future__ import annotations

from pathlib import Path

from rules.rulings import numbers, shown, untested

SHOWN = """
118  the_steps_run_in_their_order
119  players_take_alternate_turns
     losses_count_for_the_next_attack
120  nobody_is_asked_in_the_others_turn
     one_entry_has_the_orders_of_all_steps
121  an_attack_names_enemies_by_preference
     a_move_that_dice_have_spoilt_goes_as_far_as_it_can
     a_unit_whose_first_turn_is_spoilt_stays_where_it_is
122  each_type_has_its_stand
     dice_are_twelve_sided_and_losses_stay_on_the_stand
123  bases_touch_at_two_hundredths_and_not_at_three
     half_extents_are_rounded_once_in_odd_facings
     range_reaches_to_its_last_hundredth
124  each_edge_has_one_side
     a_whole_side_edge_is_flank
     on_a_slanting_edge_the_corner_counts
125  two_stands_are_set_up_as_one_base
     two_stands_move_as_one_body
     a_unit_is_of_one_type
126  an_army_has_three_wings
     wings_are_about_equal
     each_wing_sets_up_in_its_third_as_its_side_sees_it
127  fire_is_declared_before_any_die_falls
     fire_is_resolved_in_the_order_of_the_list
128  of_aim_points_one_and_the_same_must_have_all
     each_stand_of_a_unit_fires_for_itself
     the_arc_is_45_degrees_to_either_side
129  a_third_stand_across_the_line_hides_the_target
     ground_across_the_line_hides_the_target
     one_sees_an_inch_deep_into_a_wood
130  a_unit_in_contact_doesnt_fire
     contact_that_comes_of_other_fire_stops_it_too
131  fire_is_a_die_a_figure_and_classes_count
     fire_knows_neither_flank_nor_rear_nor_daimyos
132  classes_count_a_point_a_step
     bonuses_of_different_kinds_add_up
     daimyos_raise_the_class_of_all_they_touch
133  attacks_are_voluntary_and_one_a_turn
134  the_stand_in_contact_takes_the_losses_and_the_other_what_is_left_over
     of_two_stands_in_sight_the_weaker_is_hit
135  bowmen_attack_as_ronin
136  half_the_figures_or_fewer_call_for_a_check
     the_check_is_made_once_in_the_game
     two_stands_check_later
137  one_turn_of_45_degrees_first_or_last
     a_unit_in_contact_may_move_away
     turn_and_move_may_be_two_orders
138  a_charge_ends_in_contact
     a_move_that_can_be_seen_to_be_cut_is_refused
     passing_beside_a_base_doesnt_stop
139  a_unit_in_contact_may_not_touch_another_enemy
     the_same_enemy_may_be_touched_again
     a_mere_turn_obeys_too
140  a_unit_that_fails_turns_about_and_flees_at_once
     routers_flee_in_each_movement_step_without_orders
141  a_router_turns_away_from_the_nearest_point_of_the_closest_enemy
     a_router_passes_friends_and_stops_short_of_enemies
     without_enemies_a_router_makes_for_its_own_edge
142  a_routed_unit_doesnt_attack_and_is_attacked_as_before
     a_daimyo_stays_when_his_unit_flees
143  one_try_a_turn_and_only_by_order
     a_unit_that_fails_is_removed
144  a_unit_that_passes_obeys_again_and_may_turn_about
145  a_unit_of_two_stands_isnt_left_without_a_daimyo
     nothing_is_ordered_after_which_no_daimyo_can_come
     after_dice_nothing_is_undone_but_the_unit_may_not_move
     another_daimyo_may_take_his_place
     whoever_a_daimyo_leaves_must_be_able_to_follow_him
     behind_each_move_on_a_crowded_table_the_step_can_be_ended
146  a_daimyo_whose_unit_takes_losses_may_die
     fire_puts_daimyos_at_risk_too_and_a_wiped_out_unit
     each_daimyo_rolls_once_after_the_last_attack
147  an_enemy_pushes_an_attached_daimyo_aside
     a_daimyo_who_can_be_put_nowhere_is_an_obstacle
148  a_daimyo_is_attacked_only_when_he_is_alone
     fire_hits_a_lone_daimyo_and_no_other
     a_daimyo_alone_attacks_as_one_samurai
     an_attack_on_him_behind_one_on_his_unit_is_judged_when_it_comes
149  daimyos_go_in_any_direction_into_any_facing
     daimyos_pass_friends_and_not_enemies
     a_lone_daimyo_in_contact_may_leave_and_touch_no_other
150  each_type_has_its_limit
     the_scenarios_are_as_their_pages_say
"""
"""Rulings and the tests that show them, without their `test_`."""


def test_the_tests_of_every_ruling_exist() -> None:
    assert untested(SHOWN, Path(__file__).parent.glob("test_*.py")) == []


def test_every_ruling_has_its_tests_and_none_is_doubled() -> None:
    found, given = numbers("## samurai/1", "\n## ")
    assert found == list(range(118, 151)) == list(shown(SHOWN))
    assert given == len(found)
