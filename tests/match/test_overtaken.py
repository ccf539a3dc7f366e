"""Orders whose phase is over behind others of their file are refused; what lies behind the other's phase is seen."""

from __future__ import annotations

import pytest
from matches import Match, scenario_of
from rules.gcacw.small_field import place

from pbem.match.check import Checked, check
from pbem.match.game import Game
from pbem.rules import gcacw
from pbem.rules.gcacw.state import start
from pbem.rules.requests import Choose


def checked(turn: int, phase: str, *lines: str, waiting: str = "", put_off: str = "", stack: str = "") -> Checked:
    """Orders at the beginning of a phase of the campaign; all who were due before are in, but for those who wait.

    The units of the `stack` stand together.
    """
    match = Match(scenario_of("rapidan-to-manassas"), 7)
    table = match.table
    s = place(start(table.board, {}), {}, turn=turn, phase=phase, opened=False)
    for unit in stack.split():
        s.put(unit, table.board.parse("S1518"))
        s.manpower.setdefault(unit, 4)
    s.waiting = {one.id for one in table.board.arrivals.values() if one.turn >= turn or one.id in waiting.split()}
    s.put_off |= set(put_off.split())
    table.course.game, table.seq = Game(gcacw, table.board, s, table.course._hear), 5
    table.course.resolve()
    table.steps.clear()
    request = table.game.request
    assert isinstance(request, Choose)
    return check(table, table.genesis.of_side(request.side).name, "\n".join(lines), runs=20)


def refused(*given: str | int, waiting: str = "", put_off: str = "") -> list[str]:
    """What is refused there."""
    turn, phase, *lines = given
    found = checked(int(turn), str(phase), *map(str, lines), waiting=waiting, put_off=put_off)
    return [str(error) for error in found.errors]


ARRIVALS = "confederate-reinforcements"


@pytest.mark.parametrize(
    ("lines", "error"),
    [
        (["put-off ripley", "place ripley at S0833"], "ripley has been put off, and comes in turn 9 [22.1-re5]"),
        (["place ripley at S0833", "place ripley at S0134"], "ripley has come in [3.0-3]"),
        (["place ripley at S0833", "put-off ripley", "done"], "ripley has come in [3.0-3]"),
    ],
)
def test_reinforcements_behind_the_last_decision_of_their_phase_are_refused(lines: list[str], error: str) -> None:
    """They were signed and told to the other player as orders to come."""
    assert refused(8, ARRIVALS, *lines) == [f"line 2: `{lines[1]}`: {error}"]
    assert refused(8, ARRIVALS, lines[0], "done") == []


def test_so_they_are_when_several_are_due() -> None:
    lines = ["place ripley at S3734", "put-off hampton", "place mclaws at S0833", "put-off dh-hill"]
    late = ["place dh-hill at S0833", "place ripley at S4233", "put-off mclaws", "done"]
    assert refused(10, ARRIVALS, *lines, *late, waiting="ripley hampton", put_off="ripley") == [
        "line 5: `place dh-hill at S0833`: dh-hill has been put off, and comes in turn 11 [22.1-re5]",
        "line 6: `place ripley at S4233`: ripley has come in [3.0-3]",
        "line 7: `put-off mclaws`: mclaws has come in [3.0-3]",
    ]


def test_transfers_and_mergings_behind_the_end_of_their_phase_are_to_be_moved_up() -> None:
    """It was said that the other player could end the phase by `close transfer`, before orders of mine."""
    lines = ["close transfer", "transfer pope stevens", "close attachment", "merge griffin into morell", "done"]
    assert refused(1, "union-transfer", *lines) == [
        "line 2: `transfer pope stevens` stands behind the `close transfer` of line 1; move it up",
        "line 4: `merge griffin into morell` stands behind the `close attachment` of line 3; move it up",
    ]
    assert refused(1, "union-transfer", lines[1], lines[0], "done") == []


def test_the_end_of_reinforcements_is_none_of_transfers() -> None:
    """Both are of one step."""
    transfer, end = "transfer lee anderson", "close transfer"
    assert refused(8, ARRIVALS, end, transfer, "done") == []
    said = f"`{transfer}` stands behind the `{end}` of line 2; move it up"
    assert refused(8, ARRIVALS, end, end, transfer, "done") == [f"line 3: {said}"]
    assert refused(8, ARRIVALS, "place ripley at S0833", end, transfer, "done") == [f"line 3: {said}"]
    arrival = "if near ripley 2 then place ripley at S0833"
    assert refused(8, ARRIVALS, end, arrival) == [
        f"line 2: `{arrival}` stands behind the `{end}` of line 1; move it up"
    ]


def test_behind_the_other_players_transfers_a_transfer_of_mine_is_looked_at_as_if_he_gave_none() -> None:
    """Of the reinforcements of the Union all was seen behind his transfers, of those of the Confederates nothing."""
    lines = ["place walker at S0833", "transfer longstreet walker", "march walker S0832", "done"]
    found = checked(12, ARRIVALS, *lines)
    assert not found.errors
    assert [(lapse.line, lapse.share, lapse.clause) for lapse in found.lapses] == [(2, 1, "std-3.0-3")]
    assert "if asuka gives no orders in between" in str(found.lapses[0])
    assert "what comes behind asuka's decisions is looked at as if asuka gave no orders in between" in found.remarks
    ((line, _, came),) = found.comes
    assert (line, came.carried > 0) == (3, True)


def test_a_way_for_a_unit_that_has_merged_is_said_to_stand_behind_that() -> None:
    """It was said that as things stand it isn't on the map, where it is."""
    lines = ["merge griffin into morell", "march griffin to Falmouth", "done"]
    (error,) = checked(6, "union-transfer", *lines, stack="griffin morell").errors
    assert str(error) == (
        "line 2: `march griffin to Falmouth`: behind `merge griffin into morell` of line 1 Griffin isn't on the map "
        "[std-4.0-6]"
    )
