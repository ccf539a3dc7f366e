"""Orders whose phase is over behind others of their file are refused; what lies behind the other's phase is seen."""

from __future__ import annotations

from matches import Match, scenario_of
from rules.gcacw.small_field import place

from pbem.match.check import Checked, check
from pbem.match.game import Game
from pbem.rules import gcacw
from pbem.rules.gcacw.state import start
from pbem.rules.requests import Choose


def checked(turn: int, phase: str, *lines: str, waiting: str = "", put_off: str = "", runs: int = 20) -> Checked:
    """Orders at the beginning of a phase of the campaign; all who were due before are in, but for those who wait."""
    match = Match(scenario_of("rapidan-to-manassas"), 7)
    table = match.table
    s = place(start(table.board, {}), {}, turn=turn, phase=phase, opened=False)
    s.waiting = {one.id for one in table.board.arrivals.values() if one.turn >= turn or one.id in waiting.split()}
    s.put_off |= set(put_off.split())
    table.course.game, table.seq = Game(gcacw, table.board, s, table.course._hear), 5
    table.course.resolve()
    table.steps.clear()
    request = table.game.request
    assert isinstance(request, Choose)
    return check(table, table.genesis.of_side(request.side).name, "\n".join(lines), runs=runs)


ARRIVALS = "confederate-reinforcements"


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
