"""What is said of orders where futures end with a decision of the other player: nothing of what comes behind it."""

from __future__ import annotations

import re

from matches import Match, scenario_of

from pbem.match.check import check
from pbem.report.asked import asked_words, foreseen


def remarks(*lines: str) -> list[str]:
    """What is remarked on orders of the Confederates in Cedar Mountain, behind two marches of the Union."""
    match = Match(scenario_of("cedar-mountain"), 7)
    match.play("march buford S0223;\nmarch me-1 S1625;")
    players = {player.side: player.name for player in match.table.genesis.players}
    found = check(match.table, players["confederate"], "\n".join(lines))
    assert not found.errors, found.errors[0]
    return [remark.replace(players["union"], "OTHER") for remark in found.remarks]


def test_of_what_is_watched_still_it_is_said_before_whose_decision_it_does_not_hold() -> None:
    """It was said that it held in none of 100 futures: all of them ended where the Union had to decide."""
    watch = "stop whenever near winder 2"
    assert f"line 1: `{watch}` doesn't hold before OTHER decides" in remarks(
        watch, "march winder S0832", "pass", "march winder S0932"
    )


def test_where_the_other_player_can_end_the_phase_behind_my_pass_it_is_said() -> None:
    plan = ["march winder S0832", "pass", "march winder S0932"]
    warned = r"in \d+ of 100 futures OTHER can end the phase by `pass`, before orders of mine that are left for it: .*"
    assert [remark for remark in remarks(*plan) if re.fullmatch(warned, remark)]
    assert not [remark for remark in remarks(*plan[:2]) if "end the phase" in remark], "nothing is left for it"


def test_of_orders_that_wait_where_the_other_player_is_asked_it_is_said_in_how_many_futures() -> None:
    """`carried out in 48 of 100 futures` stood there alone, of a march that nothing could keep from its turn."""
    match = Match(scenario_of("cedar-mountain"), 7)
    (union,) = (player.name for player in match.table.genesis.players if player.side == "union")
    other = match.table.genesis.other(union).name
    lines = ["march crawford S1319 S1320 S1220", "stop if short crawford", "march augur S0715", "done"]
    found = check(match.table, union, "\n".join(lines))
    waits = rf"in (\d+) of 100 futures {other} is asked \(action\) before orders of mine that are left: .* carried out"
    (told,) = (seen for remark in found.remarks if (seen := re.fullmatch(waits, remark)))
    stops = [remark for remark in found.remarks if remark.startswith("line 2: `stop if short crawford` holds in ")]
    assert len(stops) == 1, "it was told of no stop that waited in one of the futures"
    assert 0 < int(told[1]) < 100
    found = check(match.table, union, "\n".join([*lines[:1], "done"]))
    (alone,) = (seen for remark in found.remarks if (seen := re.fullmatch(waits, remark)))
    (came,) = (came for _, _, came in found.comes)
    assert came.carried + int(alone[1]) == 100, "in the others it waits"


def test_of_orders_that_wait_in_some_of_these_it_is_said_as_in_the_mail_what_he_is_asked_first() -> None:
    """They were told by where futures ended: in the mail he was asked for an action, here in most for his recovery."""
    lines = ["march winder S0832", "march ap-hill S0932", "entrench lawton", "done"]
    (told,) = (remark for remark in remarks(*lines) if "is asked" in remark)
    said = r"in 100 of 100 futures OTHER is asked \(action\) before orders of mine that are left: in (\d+) of these .*"
    match = Match(scenario_of("cedar-mountain"), 7)
    match.play("march buford S0223;\nmarch me-1 S1625;")
    match.play(";\n".join(lines) + ";")
    mail = asked_words(match.table, foreseen(match.table))
    assert (seen := re.fullmatch(said, told)) is not None
    assert 0 < int(seen[1]) < 100
    assert "in all of 100 futures played out, it holds the orders of asuka (action)" in mail


def test_a_recovery_of_mine_that_comes_behind_the_other_players_is_not_ended_with_his() -> None:
    """It was said that his `close recovery` made my works lapse, which come in a phase of my own behind it."""
    match = Match(scenario_of("cedar-mountain"), 7)
    match.play("march buford S0223;\nmarch me-1 S1625;\nclose action;")
    (own,) = (player.name for player in match.table.genesis.players if player.side == "confederate")
    found = check(match.table, own, "close action\nentrench winder")
    assert not found.errors
    assert not [remark for remark in found.remarks if "end the phase" in remark]


def test_what_a_plan_takes_the_place_of_lapses_and_isnt_silently_dropped() -> None:
    match = Match(scenario_of("cedar-mountain"), 7)
    (union,) = (player.name for player in match.table.genesis.players if player.side == "union")
    lines = ["entrench crawford", "in recovery: entrench milroy", "in recovery: done"]
    why = "what was planned for this phase has taken its place"
    found = check(match.table, union, "\n".join(lines))
    assert [(lapse.line, lapse.share, lapse.reason) for lapse in found.lapses] == [(1, 1, why)]
    assert len(found.doubts) == 1, "it is asked about"
    assert not check(match.table, union, "\n".join([f"in recovery: {lines[0]}", *lines[1:]])).lapses


def test_what_is_left_of_a_step_before_has_no_plan_in_its_place() -> None:
    """It was said that what was planned for the phase had taken the place of a march whose cycle was over."""
    match = Match(scenario_of("cedar-mountain"), 7)
    (union,) = (player.name for player in match.table.genesis.players if player.side == "union")
    lines = ["if alive crawford then close action", "march crawford S1319", "in recovery: entrench milroy"]
    found = check(match.table, union, "\n".join([*lines, "in recovery: done"]))
    told = [(lapse.line, lapse.reason, lapse.clause) for lapse in found.lapses if lapse.line == 2]
    assert told == [(2, "the action cycle is over", "std-4.0-1")]


def wrong(*lines: str) -> list[str]:
    """The errors of orders of the Confederates in Cedar Mountain at its beginning of the cycle."""
    match = Match(scenario_of("cedar-mountain"), 7)
    match.play("march buford S0223;\nmarch me-1 S1625;")
    players = {player.side: player.name for player in match.table.genesis.players}
    return [str(error) for error in check(match.table, players["confederate"], "\n".join(lines)).errors]


def test_an_order_behind_the_one_that_ends_its_step_for_good_is_told_to_stand_there() -> None:
    """It was said that the other side was asked, or that it could end the phase before."""
    march = "march winder S0832"
    said = f"`{march}` stands behind the `close action` of line 1; move it up"
    assert wrong("close action", march, march) == [f"line {line}: {said}" for line in (2, 3)]
    assert wrong("in recovery: close recovery", "in recovery: entrench winder") == [
        "line 2: `in recovery: entrench winder` stands behind the `close recovery` of line 1; move it up"
    ]
    assert wrong(march, "close action", "entrench winder", "close recovery") == []
    assert wrong("if near winder 1 then close action", march) == [], "it may not come to that"
