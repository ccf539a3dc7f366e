"""Every known attack has its test: the tables of the protocol, each row with the tests that show its answer."""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

MODULES = sorted(path.stem for path in Path(__file__).parent.glob("test_*.py") if path.stem != Path(__file__).stem)

Rows = dict[str, tuple[str, ...]]

DOCUMENTED: Rows = {
    "the owner of the secret looks for one that suits orders he can guess": (
        "test_grinding_the_secret_against_guessed_orders_gains_nothing",
        "test_grinding_the_secret_after_the_orders_are_known_is_refused",
        "test_every_nonce_of_a_player_differs_and_none_can_be_guessed_from_the_log",
        "test_a_new_chain_is_chosen_before_the_orders_that_it_rolls",
    ),
    "the author tries many orders until the dice suit him": (
        "test_re_rolling_by_changing_orders_gains_nothing",
        "test_looking_ahead_tells_the_mover_nothing",
    ),
    "choosing among several continuations of one seed": (
        "test_choosing_the_label_of_a_later_roll_gains_nothing",
        "test_choosing_among_six_labels_lifts_a_die_only_where_the_seed_goes_on",
        "test_the_seed_ends_with_orders_of_the_other_side",
        "test_the_seed_ends_with_an_answer_of_the_other_side",
    ),
    "several signatures or forms of one turn as free rerolls": (
        "test_other_signatures_of_one_turn_are_no_new_rolls",
        "test_another_valid_signature_of_the_same_text_is_the_same_turn",
    ),
    "copying the opponent's x_0": (
        "test_a_copied_anchor_leaves_the_mirror_without_a_single_reveal",
        "test_a_mirror_begun_later_echoes_nothing_either",
        "test_an_echo_fits_a_copied_anchor_where_the_chain_names_no_player",
        "test_a_mirror_of_all_that_names_a_player_is_refused",
    ),
    "one chain in two games: an offer accepted twice (mail, restore, two programs at once), a solo offer of a "
    "stranger whose player then takes your key and gnonce, a rekey to a key that is or was yours": (
        "test_a_stranger_s_solo_offer_is_refused",
        "test_a_stranger_s_solo_log_comes_in_by_no_door",
        "test_nobody_comes_into_a_solo_game_later",
        "test_her_program_signs_for_nobody_else",
        "test_roots_are_computed_only_for_chains_of_her_own_key_at_their_place",
        "test_a_second_game_of_her_offer_is_not_restored",
        "test_two_games_of_one_offer_have_nothing_in_common",
        "test_a_rekey_to_a_key_that_is_or_was_hers_is_refused",
        "test_her_recovery_key_is_nobody_s_key",
        "test_the_key_of_a_refused_substitute_was_never_in_force",
        "test_an_offer_is_accepted_once",
        "test_an_accept_ground_to_begin_a_game_that_is_called_as_another_one_is_refused",
        "test_an_offer_restored_from_a_backup_is_accepted_once_all_the_same",
        "test_an_offer_whose_game_is_lost_is_accepted_once_all_the_same",
    ),
    "a proof of possession used for something else: the opponent grants your key with a chain or a recovery "
    "key of his own, or makes himself a rekey to the key that you asked for, in the same entry number": (
        "test_a_rekey_to_a_key_without_its_owner_s_proof_is_refused",
        "test_a_proof_of_possession_holds_for_one_place_only",
        "test_the_word_that_she_has_lost_her_key_is_not_taken_by_her_program",
    ),
    "a request granted at another place than it was made for": (
        "test_a_request_is_granted_word_for_word_and_at_its_place_or_not_at_all",
    ),
    "a chain that has run out, or of one value: nobody can decide any more": (
        "test_the_last_value_without_an_anchor_is_refused",
        "test_the_last_value_of_a_chain_is_revealed_only_with_a_new_anchor",
        "test_the_last_value_comes_with_no_chain_of_somebody_else",
        "test_a_reveal_beyond_the_end_of_the_chain_is_refused",
    ),
    "choosing the opening: the accepter sends many accepts of one offer and goes on with the one whose first "
    "dice suit him": (
        "test_of_many_accepts_the_first_that_arrives_counts",
        "test_grinding_the_secret_against_guessed_orders_gains_nothing",
    ),
    "a move before both have chains: a draw, resign or recover as entry 2": (
        "test_an_agreement_as_entry_2_is_refused",
        "test_her_own_program_makes_no_agreement_before_entry_2",
        "test_what_she_asks_for_before_entry_2_waits_until_then",
        "test_begin_stands_in_entry_2_where_the_offerer_is_not_asked_and_nowhere_else",
        "test_begin_is_due_from_the_offerer_when_the_other_side_decides_first",
    ),
    "an older log or home given back to somebody: he reveals once more what he revealed behind its end": (
        "test_a_value_that_is_known_gives_any_dice_and_one_entry_is_all_that_it_serves",
        "test_behind_own_turns_that_come_back_by_mail_a_new_chain_begins",
    ),
    "two programs in one home: two `send`, two `open`": (
        "test_two_sends_on_a_slow_disk_sign_one_turn",
        "test_two_sends_at_natural_speed_sign_one_turn",
        "test_a_send_called_before_another_one_signed_is_refused_though_a_bot_has_answered",
        "test_a_send_while_the_mail_before_it_is_opened_comes_behind_it_or_not_at_all",
        "test_two_accepts_of_one_offer_opened_at_once_make_one_game",
        "test_two_games_of_one_offer_have_nothing_in_common",
        "test_a_restore_of_what_was_sent_elsewhere_while_other_orders_are_sent_leaves_one_turn",
    ),
    "a legal turn so large that the answer can't be mailed; a log made larger than programs read": (
        "test_a_flood_of_talk_is_refused_and_her_answer_never_too_long",
        "test_thousands_of_lapsing_orders_leave_her_an_answer",
    ),
    "a log filled so that it is full when you are due (then only resign is left, and a claim follows); twenty "
    "agreements in a row, the last a proposal that may then not even be refused": (
        "test_who_fills_his_share_of_the_log_closes_the_game_for_himself_alone",
        "test_an_answer_behind_the_20th_agreement_is_taken_and_a_21st_refused",
    ),
    "deadline put off by agreements; or: a proposal left unanswered until its author is late": (
        "test_who_may_claim",
        "test_a_claim_leaves_a_due_reveal_unmade_and_has_the_state_before_its_dice",
        "test_a_refused_proposal_is_not_made_again_before_its_author_decides",
    ),
    "a stranger's block, unsigned or badly signed, in the mailbox from which a game is restored; a zip with an "
    "unverified log or note": (
        "test_a_stranger_s_blocks_in_the_mailbox_change_nothing",
        "test_a_stranger_s_game_in_the_mailbox_changes_nothing",
        "test_an_unverified_longer_log_does_not_replace_a_good_one",
        "test_a_note_that_i_did_not_sign_is_not_restored",
    ),
    "a turn of another game or number played again": (
        "test_a_turn_replayed_into_another_game_is_refused",
        "test_a_turn_moved_into_another_game_by_its_words_is_refused",
        "test_a_turn_replayed_at_another_place_is_refused",
        "test_dice_of_one_game_are_not_those_of_another",
    ),
    "two entries with one number": (
        "test_equivocation_is_refused_and_proves_itself",
        "test_equivocation_before_the_answer_is_refused_too",
        "test_nobody_is_accused_with_what_he_did_not_sign",
        "test_the_program_signs_no_second_turn",
        "test_a_second_turn_from_before_a_rekey_is_evidence",
    ),
    'a key "lost" when the dice were seen, in a position where worse dice win, or with the answer chosen afterwards': (
        "test_who_lost_his_secret_answers_by_default_whatever_he_has_ordered",
        "test_the_worst_dice_lose_the_game_if_any_can_and_win_it_only_if_all_do",
        "test_of_dice_that_end_nothing_those_come_that_harm_most",
        "test_a_march_does_not_fall_short_of_the_attack_that_was_lost",
        "test_who_loses_his_key_is_himself_paralysed_by_the_random_event",
        "test_a_lost_key_ends_no_cycle_before_the_enemy_s_plan_is_carried_out",
        "test_a_lost_key_brings_no_orders_back_that_the_end_of_the_cycle_took",
        "test_who_loses_his_key_is_not_driven_onto_the_hex_that_wins",
        "test_where_no_other_hex_is_open_he_is_not_driven_at_all",
        "test_orders_that_lapse_behind_the_dice_are_gone_through_once_for_each_position",
        "test_nothing_is_copied_for_a_throw_of_which_one_answer_is_followed",
        "test_dice_of_initiative_that_bring_the_same_side_to_act_are_followed_once",
        "test_an_order_of_many_dice_that_harm_nobody_at_once_costs_no_search",
    ),
    "a skipped or false reveal": (
        "test_a_wrong_reveal_is_refused",
        "test_an_early_reveal_is_refused",
        "test_a_late_reveal_is_refused",
        "test_a_skipped_reveal_is_refused",
        "test_a_reveal_given_twice_is_refused",
        "test_a_reveal_beyond_the_end_of_the_chain_is_refused",
        "test_an_anchor_that_nobody_can_open_is_told_and_nothing_is_revealed",
        "test_who_cannot_open_his_own_anchor_is_due_for_ever",
    ),
    "another version of the rules": (
        "test_another_version_of_the_rules_is_refused_at_the_beginning",
        "test_an_engine_that_plays_otherwise_is_found_in_the_next_entry",
        "test_a_state_that_lies_is_refused",
    ),
}
"""The table of docs/protocol.md 3.5, word for word."""

SIGNATURES: Rows = {
    "SSHSIG of version 0": ("test_version_0_is_refused",),
    "bytes in the reserved field": ("test_the_reserved_field_must_be_empty",),
    "S + L in place of S": ("test_s_plus_l_is_refused",),
    "a key of small or mixed order": (
        "test_a_small_or_mixed_order_key_is_not_admitted",
        "test_a_rekey_to_such_a_key_is_refused",
        "test_the_neutral_key_would_sign_everything",
        "test_r_of_small_order_is_refused",
    ),
    "text or a second signature behind the end": (
        "test_junk_behind_the_end_is_refused",
        "test_a_second_signature_behind_the_first_is_refused",
        "test_a_second_signature_in_a_mail_signs_nothing",
    ),
    "a byte too many in a field, version 2": (
        "test_bytes_left_over_in_a_field_are_refused",
        "test_version_2_is_refused",
    ),
    "CRLF in the signature": ("test_crlf_and_text_around_are_repaired_before_the_check_and_refused_by_it",),
    "text or quote marks before the signature": (
        "test_crlf_and_text_around_are_repaired_before_the_check_and_refused_by_it",
    ),
    "a name that is a pattern or a list": ("test_a_name_that_ssh_keygen_takes_for_a_pattern_is_none",),
    "a form that only ssh-keygen refuses": ("test_what_ssh_keygen_makes_of_these_forms_is_no_help",),
}
"""Where ssh-keygen and the strict profile differ (protocol 1.2 and 1.3)."""

ENVELOPE: Rows = {
    "the signature stripped": ("test_a_stripped_signature_leaves_no_turn", "test_an_unsigned_entry_stands_in_no_log"),
    "two payloads in one mail": (
        "test_two_payloads_in_one_mail_are_refused_by_name",
        "test_a_bad_copy_never_gets_into_the_log",
        "test_a_bad_copy_in_front_of_the_good_one_hides_nothing",
    ),
    "text before, behind and in the block": (
        "test_text_around_a_turn_is_not_read",
        "test_text_in_a_turn_is_refused",
        "test_text_in_a_turn_with_sums_that_fit_is_not_what_was_signed",
        "test_a_fence_in_a_turn_ends_nothing",
    ),
    "YAML that readers take in different ways": (
        "test_words_that_yaml_reads_as_something_else_are_words",
        "test_yaml_is_no_order",
        "test_data_that_yaml_readers_disagree_about_is_refused",
        "test_data_holds_words_only",
    ),
    "look-alikes, bidi controls, escape codes": (
        "test_look_alikes_and_escape_codes_are_named",
        "test_bidi_and_invisible_letters_change_no_turn",
        "test_escape_codes_and_bidi_of_a_mail_s_headers_are_not_shown",
        "test_nothing_of_html_can_be_said",
    ),
    "huge numbers": (
        "test_a_huge_or_odd_number_in_a_header_is_refused",
        "test_a_huge_or_odd_length_of_a_chain_is_refused",
        "test_a_count_that_lies_is_damage",
        "test_a_huge_or_odd_number_in_an_order_is_refused",
    ),
    "a time that lies": (
        "test_a_date_that_lies_changes_nothing",
        "test_a_time_in_a_claim_is_the_author_s_word_only",
        "test_a_claim_names_times_or_is_refused",
    ),
    "a key swapped in the mail": (
        "test_a_key_swapped_in_the_mail_is_refused",
        "test_a_key_named_in_a_turn_is_refused",
        "test_the_opponent_signs_for_nobody_but_himself",
        "test_the_sender_of_a_mail_is_nobody",
        "test_a_turn_by_nobody_in_the_game_is_refused",
    ),
    "a signature made for another purpose": (
        "test_a_signature_made_for_another_purpose_is_refused",
        "test_a_signature_relabelled_for_turns_is_refused",
        "test_a_turn_is_no_signature_for_anything_else",
    ),
    "text hidden by HTML": (
        "test_a_turn_hidden_from_the_eye_is_a_turn_all_the_same",
        "test_words_hidden_in_a_turn_are_found",
    ),
}
"""Attacks on the way from a mail to canonical bytes (protocol 2)."""

DICE: Rows = {
    "the secret ground against orders that can be guessed": (
        "test_grinding_the_secret_against_guessed_orders_gains_nothing",
    ),
    "the label of a later roll chosen": (
        "test_choosing_the_label_of_a_later_roll_gains_nothing",
        "test_choosing_among_six_labels_lifts_a_die_only_where_the_seed_goes_on",
    ),
    "all attacks of a phase on one seed": (
        "test_all_attacks_of_a_phase_on_one_seed_are_known_only_to_who_cannot_choose",
    ),
    "a seed for each signature": ("test_other_signatures_of_one_turn_are_no_new_rolls",),
    "a second turn after the reveal is seen": (
        "test_equivocation_is_refused_and_proves_itself",
        "test_equivocation_towards_two_audiences_shows_in_the_answer",
    ),
    "the other's anchor copied": ("test_a_copied_anchor_leaves_the_mirror_without_a_single_reveal",),
    "`my disk died`": (
        "test_a_free_roll_for_a_lost_secret_is_worth_three_quarters_of_a_point",
        "test_an_abort_gets_no_other_roll",
        "test_a_disk_that_died_is_no_excuse",
        "test_a_silent_player_loses_the_game_under_a_deadline",
    ),
    "undo to roll again": ("test_undo_to_roll_again_needs_both_and_never_repeats_a_value",),
    "a restored backup that answers twice": (
        "test_a_restored_backup_that_answers_twice_gains_nothing",
        "test_a_restored_backup_answers_with_the_same_bytes_to_the_same_orders",
        "test_a_log_put_back_while_the_note_stays_signs_nothing_new",
        "test_nobody_accuses_himself_when_his_own_mail_brings_a_turn_back",
    ),
    "the bias of a remainder": (
        "test_mod_bias_is_43_to_42_and_thrown_away",
        "test_long_rows_of_dice_are_even_and_a_bare_remainder_shows",
    ),
    "a signature of the root got by a trick": (
        "test_a_root_asked_for_through_the_turn_namespace_is_another",
        "test_no_signature_for_the_root_is_ever_given_out",
        "test_the_root_message_is_no_turn",
    ),
    "another engine": (
        "test_another_engine_is_refused_by_name",
        "test_another_version_of_the_protocol_is_refused_by_name",
        "test_an_accept_changes_no_term",
        "test_an_engine_that_plays_otherwise_is_found_in_the_next_entry",
    ),
}
"""Attacks on the dice (protocol 3)."""

GOALS: Rows = {
    "nobody predicts a roll that he still influences": (
        "test_looking_ahead_tells_the_mover_nothing",
        "test_looking_ahead_gains_where_dice_come_from_the_movers_own_secret",
        "test_who_looked_ahead_by_a_copy_of_the_game_sees_no_dice",
        "test_no_reveal_is_computed_before_the_entry_it_answers_is_stored",
        "test_no_reveal_is_made_for_an_entry_that_could_not_be_stored",
        "test_an_answer_that_overtakes_its_turn_is_refused",
    ),
    "nobody biases a roll but by refusing to go on": (
        "test_re_rolling_by_changing_orders_gains_nothing",
        "test_an_abort_gets_no_other_roll",
        "test_whatever_comes_with_the_reveal_has_the_same_dice",
    ),
    "the log shows who refused": (
        "test_an_abort_gets_no_other_roll",
        "test_a_copied_anchor_leaves_the_mirror_without_a_single_reveal",
    ),
    "log and keys restore every roll": ("test_a_disk_that_died_is_no_excuse",),
    "a lost secret costs": ("test_a_free_roll_for_a_lost_secret_is_worth_three_quarters_of_a_point",),
}
"""What the dice are for (protocol 3.1)."""

LOG: Rows = {
    "a log rewritten from the middle": (
        "test_a_log_rewritten_from_the_middle_by_its_own_author_is_refused",
        "test_a_log_rewritten_with_all_that_follows_needs_the_other_s_key",
    ),
    "a log rewritten at its end": ("test_a_log_rewritten_at_its_end_has_another_head_and_is_evidence",),
    "a log cut or lengthened": ("test_a_log_with_an_entry_cut_out_or_doubled_is_refused",),
    "a move out of turn": ("test_a_turn_out_of_turn_is_refused",),
    "a claim against an answer that came": ("test_a_claim_against_a_turn_that_is_there_is_refused",),
    "an old key used after a rekey": ("test_the_old_key_signs_nothing_after_a_rekey",),
    "an anchor where none may stand, or none where one must": (
        "test_an_anchor_where_none_may_stand_is_refused",
        "test_an_anchor_that_is_missing_is_refused",
    ),
    "a forger who deviates in nothing": ("test_the_forger_makes_the_honest_block_when_nothing_deviates",),
}
"""Attacks on the log (protocol 4), and the check that the cheater's own tools are good."""

RESTORE: Rows = {
    "a stranger's block, unsigned or badly signed, in the mailbox": (
        "test_a_stranger_s_blocks_in_the_mailbox_change_nothing",
        "test_a_stranger_s_game_in_the_mailbox_changes_nothing",
        "test_two_turns_that_the_opponent_did_sign_are_told",
    ),
    "a stranger's accept of the same offer": (
        "test_a_stranger_s_accept_changes_nothing",
        "test_where_nothing_tells_which_accept_counts_it_is_asked",
        "test_two_games_of_one_offer_in_which_i_signed_are_both_refused",
    ),
    "the opponent's word that my key is lost": ("test_the_word_that_i_have_lost_my_key_does_not_take_my_game",),
    "a log that is cut off": ("test_recover_says_which_head_to_compare",),
    "a log in a zip that nobody verified": (
        "test_an_unverified_longer_log_does_not_replace_a_good_one",
        "test_a_longer_log_that_is_right_replaces_the_shorter_one",
        "test_a_log_under_another_game_s_name_is_not_restored",
        "test_another_form_of_a_signature_makes_no_other_log",
    ),
    "a note of what was never signed": (
        "test_a_note_that_i_did_not_sign_is_not_restored",
        "test_a_note_that_i_did_sign_is_kept_however_far_ahead_it_is",
        "test_a_note_is_not_judged_without_a_key",
    ),
    "other files in a zip": (
        "test_offers_accepts_and_keys_of_a_zip_are_verified",
        "test_a_name_that_no_home_folder_has_is_not_written",
    ),
    "laid orders, notes and addresses of the opponent's in a zip": (
        "test_no_laid_orders_come_out_of_somebody_else_s_backup",
        "test_how_my_mails_leave_comes_out_of_my_own_backup_alone",
        "test_what_only_looks_like_my_key_makes_no_backup_mine",
        "test_my_own_backup_brings_everything_back_and_tells_the_address",
        "test_a_game_that_is_not_here_comes_with_its_address_told",
    ),
    "a second game of one offer": (
        "test_a_second_game_of_one_offer_is_refused",
        "test_a_second_game_is_refused_where_only_the_note_of_the_first_is_left",
        "test_two_games_of_one_offer_in_one_zip_are_refused",
    ),
    "a zip that bursts": (
        "test_a_zip_that_bursts_is_unpacked_no_further_than_the_limit",
        "test_a_zip_up_to_the_limit_is_unpacked",
        "test_a_way_of_packing_that_can_t_be_unpacked_in_pieces_is_refused",
        "test_members_are_counted_before_the_directory_is_read",
        "test_no_more_of_a_file_is_read_than_a_zip_may_have",
        "test_no_backup_is_made_that_could_not_be_restored",
    ),
    "what stays behind of a strange backup": (
        "test_a_key_that_can_t_sign_is_not_restored_and_my_own_backup_comes_in_behind_it",
        "test_an_encrypted_key_is_restored",
        "test_a_damaged_log_goes_when_the_game_has_come_whole",
        "test_a_damaged_log_with_a_turn_that_the_log_lacks_stays",
        "test_thousands_of_files_that_do_not_count_are_told_in_a_few_lines_and_twenty_damaged_logs_kept",
        "test_names_too_long_for_a_file_stop_no_restore",
    ),
    "a kill in the middle": ("test_a_kill_between_any_two_writes_is_mended_by_the_same_command",),
}
"""Attacks on restore and recover (protocol 4.5, 7)."""

PROGRAMS: Rows = {
    "a program that doesn't let go": (
        "test_who_comes_second_waits_and_then_names_the_holder",
        "test_who_is_killed_holds_nothing",
        "test_a_program_takes_its_own_lock_again",
        "test_an_odd_holder_file_is_no_error",
    ),
    "what a command does while another is at work": (
        "test_a_command_says_who_is_at_work",
        "test_games_says_who_is_at_work",
        "test_the_holder_is_told_by_command_and_time",
        "test_the_key_is_loaded_and_its_passphrase_asked_for_before_the_lock",
        "test_no_lock_is_held_while_a_fingerprint_is_compared",
    ),
    "where no lock can be": (
        "test_a_home_that_isn_t_there_stays_so",
        "test_a_home_that_can_t_be_written_is_looked_at_without_a_lock",
        "test_no_backup_holds_the_lock_and_none_restores_it",
    ),
}
"""Two programs in one home folder (protocol 4.5)."""

FLOODS: Rows = {
    "many mails with no good signature": ("test_mails_that_come_early_open_the_game_once",),
    "turns that contradict nothing, as evidence": ("test_decoys_take_no_evidence_away",),
    "an old secret revealed once more behind a restore": (
        "test_behind_a_restore_no_entry_reveals_an_old_value_without_a_new_chain",
    ),
    "undos and answers to them by the thousand": (
        "test_only_undos_that_were_accepted_are_remembered",
        "test_many_variants_of_one_entry_are_tried_a_few_times",
    ),
    "thousands of moves that part a unit from its daimyo; a row of daimyos each of whom could help the next": (
        "test_a_chain_of_daimyos_costs_no_more_than_a_few_tries",
        "test_hopeless_orders_of_daimyos_are_judged_without_playing_them_out",
    ),
    "a zip whose list of files bursts": ("test_a_manifest_that_bursts_is_refused",),
    "a file that a disk has emptied": ("test_an_empty_log_of_another_game_is_no_hindrance",),
}
"""Much that is merely mailed or given (protocol 7)."""

PLANS: Rows = {
    "plans hidden behind hundreds that never come": (
        "test_a_plan_that_comes_is_not_hidden_among_hundreds_that_never_do",
    ),
    "a plan by who owns the secret of its dice": (
        "test_who_lays_a_plan_knows_none_of_its_dice",
        "test_a_plan_whose_dice_are_known_is_not_taken_back",
        "test_a_plan_is_not_passed_over_by_who_laid_it",
        "test_a_new_plan_has_a_new_seed",
    ),
    "an answer to a plan that was read": (
        "test_who_reads_a_plan_knows_none_of_its_dice",
        "test_a_plan_is_laid_by_its_author_alone",
    ),
    "a cycle over which the plans of both sides last, and who lays second, sees its dice first or keeps them back": (
        "test_while_neither_plan_stops_the_whole_cycle_runs_under_one_seed",
        "test_who_lays_second_knows_both_plans_and_no_die_of_either",
        "test_who_sees_the_dice_first_can_do_nothing_but_reveal",
        "test_who_withholds_the_reveal_loses_by_a_claim",
        "test_who_withholds_his_plan_loses_by_a_claim",
    ),
}
"""Orders for later phases, laid before them (protocol 3.4)."""

CAMPAIGNS: Rows = {
    "legal orders that no report can tell, so that they and the answer to them can't be mailed": (
        "test_a_force_that_only_goes_into_its_castle_is_told_by_all_reports",
    ),
    "a file of mine that is damaged, for which a mail or the opponent is blamed": (
        "test_a_damaged_log_of_mine_is_never_laid_to_the_mail",
        "test_a_damaged_note_of_what_was_signed_bars_signing_and_says_why",
    ),
}
"""Campaigns of months by mail: what must never bring them to a stand."""

PAGE: Rows = {
    "another page of the same browser": (
        "test_a_name_that_was_bound_anew_to_this_machine_is_not_served",
        "test_another_page_can_ask_nothing_though_the_browser_sends_the_cookie",
        "test_the_cookie_that_another_port_was_sent_reads_and_signs_nothing",
        "test_no_page_of_another_site_can_hold_it_in_a_frame_or_read_it",
    ),
    "somebody else on this machine": (
        "test_without_the_link_nobody_gets_in",
        "test_a_link_that_others_may_have_read_where_the_browser_was_started_opens_once",
        "test_what_another_server_of_this_machine_gave_opens_nothing",
    ),
    "a script in what the opponent writes, or in a scenario": (
        "test_a_script_in_a_note_is_text_and_no_part_of_the_page",
        "test_a_script_in_a_scenario_s_titles_and_names_stays_text",
        "test_a_player_s_name_that_is_no_name_never_comes_into_a_game",
    ),
    "a mail, orders or a question too large or too deep": (
        "test_a_mail_of_two_megabytes_is_read_and_one_of_three_is_not",
        "test_huge_orders_are_refused_and_many_are_judged",
        "test_what_is_no_question_is_refused_in_words",
        "test_a_field_of_another_kind_is_refused_by_its_name",
    ),
    "a question that names a file or a command": (
        "test_an_id_is_compared_and_never_made_a_path_or_a_word_of_a_command",
        "test_no_word_of_a_question_becomes_another_command",
    ),
    "two tabs, two pages, or a page and the command line at once": (
        "test_of_two_tabs_that_send_at_once_one_signs_and_the_other_is_told",
        "test_two_servers_of_one_home_sign_one_entry_too",
        "test_what_the_command_line_has_sent_meanwhile_is_found_by_the_command_itself",
        "test_a_second_tab_does_not_write_over_what_the_first_has_typed",
        "test_of_two_tabs_that_write_at_once_one_is_kept_and_the_other_is_told",
        "test_what_is_signed_is_whole_though_the_server_is_killed_meanwhile",
        "test_of_a_send_that_was_killed_behind_its_signature_the_entry_is_told_and_no_file_that_is_not_there",
    ),
    "an error of the program that tells of it": ("test_an_error_of_the_program_tells_the_page_nothing_of_it",),
}
"""The page of `pbem table` (docs/table.md)."""

TABLES = (DOCUMENTED, SIGNATURES, ENVELOPE, DICE, GOALS, LOG, RESTORE, PROGRAMS, FLOODS, PLANS, CAMPAIGNS, PAGE)
ROWS = [(name, tests) for table in TABLES for name, tests in table.items()]


def modules() -> list[ModuleType]:
    """The modules of attacks."""
    return [importlib.import_module(f"attacks.{name}") for name in MODULES]


def found() -> dict[str, Callable[..., None]]:
    """Every test of an attack, by name."""
    return {
        name: thing for module in modules() for name, thing in vars(module).items() if re.fullmatch(r"test_\w+", name)
    }


@pytest.mark.parametrize(("row", "tests"), ROWS, ids=[name for name, _ in ROWS])
def test_every_row_has_its_tests(row: str, tests: tuple[str, ...]) -> None:
    assert tests, f"nothing tests: {row}"
    assert [name for name in tests if not callable(found().get(name))] == []


def test_every_test_stands_in_a_row() -> None:
    named = {name for _, tests in ROWS for name in tests}
    assert sorted(found().keys() - named) == []


def test_no_test_hides_another_of_its_name() -> None:
    here = Path(__file__).parent
    names = [
        name for module in MODULES for name in re.findall(r"(?m)^def (test_\w+)", (here / f"{module}.py").read_text())
    ]
    assert sorted(names) == sorted(found())


def test_the_table_of_the_protocol_has_a_row_for_each_attack() -> None:
    text = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text("utf-8")
    chapter = text.split("### 3.5 ", 1)[1].split("\n### ", 1)[0]
    rows = re.findall(r"(?m)^\| (.+?) \| .+ \|$", chapter)
    assert rows[0] == "attack"
    assert [row for row in rows[1:] if not row.startswith("---")] == list(DOCUMENTED)
