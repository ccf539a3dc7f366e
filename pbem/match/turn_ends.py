"""How a game stood at the end of each of its turns: kept while its log is replayed."""

from __future__ import annotations

from collections.abc import Callable

from pbem.match.game import Game
from pbem.match.table import Table
from pbem.rules import Situation
from pbem.rules.requests import Tell

__all__ = ["TurnEnds"]


class TurnEnds:
    """Looks on at a replay (`replay(..., look=TurnEnds())`) and keeps the situation at the end of each turn.

    A turn ends when the first event of a later one is told. What an undo takes back counts no more: the turn then ends
    again, and a table that is in a turn has not come to its end.
    """

    def __init__(self) -> None:
        self._found: dict[int, Situation] = {}
        self._turn = 0
        self._heard: Game | None = None

    def __call__(self, table: Table) -> None:
        """Listen to the game of a table, which an undo may have changed for another."""
        game = table.game
        if game is self._heard:
            return
        now, _ = table.rules.clock(game.state)
        if self._heard is None:
            self._found[0] = _situation(game)
        self._heard, self._turn = game, now
        game.hear = self._listening(game, game.hear)

    def _listening(self, game: Game, hear: Callable[[Tell], None] | None) -> Callable[[Tell], None]:
        """What hears the events of a game in place of who has heard them, and passes them on."""

        def heard(tell: Tell) -> None:
            now, _ = game.rules.clock(game.state)
            if now > self._turn:
                situation = _situation(game)
                self._found |= dict.fromkeys(range(self._turn, now), situation)
                self._turn = now
            if hear is not None:
                hear(tell)

        return heard

    def of(self, table: Table) -> dict[int, Situation]:
        """Turn -> the situation at its end, of the replayed table; the first, 0, is that before the first entry.

        The last is the situation as it is now, in the turn that goes on or in which the game has ended.
        """
        now, _ = table.rules.clock(table.game.state)
        found = {turn: situation for turn, situation in sorted(self._found.items()) if turn < now}
        return found | {now: _situation(table.game)}


def _situation(game: Game) -> Situation:
    """The situation of a copy, so that nothing that is worked out for it stays with the game."""
    return game.rules.situation(game.rules.copy(game.state))
