"""The weights by which the computer player chooses, and the sets of them that it compares, by what wins a scenario."""

from __future__ import annotations

from functools import lru_cache

from pbem.maps.hexes import Hex
from pbem.records import NamedTuple
from pbem.rules.yukimura.aims import lined
from pbem.rules.yukimura.board import EAST, OSAKA, Board
from pbem.rules.yukimura.state import State

__all__ = ["BOLD", "Style", "decided_by", "local", "portfolio", "styles"]


class Style(NamedTuple):
    """The weights of a rule of thumb; those that stand here are the bold player's.

    ahead, crowd, clash, guard, offence   how much more what they are called after counts than with the bold player
    losses   the same of a side's own losses in an attack;  worth  what a hand-to-hand combat must promise
    guards   units beside a threatened leader that are enough;  screen  the same where he can only be fired at
    home, gate   units that stay near to each of one's own leaders or to Komatsuyama, to each road off the map that is
             one's to keep
    hope     the share that counts of the strength which may still come to bear on an enemy in this phase
    front    what each hex is worth from which an enemy could attack; below 0 units shun the front
    ground   what it is worth in the last turn to drive an enemy from Komatsuyama or a hex beyond the line, and at any
             time five times as much from a road off the map
    ford     what it counts against a hex that it is a ford or a bridge, from which one retreats along the road alone
    line     the weights on the map with the Ishikawa Line, where they are others
    """

    ahead: float = 1.0
    crowd: float = 1.0
    clash: float = 1.0
    guard: float = 1.0
    offence: float = 1.0
    losses: float = 1.0
    worth: float = 0.5
    guards: int = 3
    screen: int = 0
    home: int = 0
    gate: int = 0
    hope: float = 0.0
    front: float = 0.0
    ground: float = 0.0
    ford: float = 0.0
    line: Style | None = None


def local(board: Board, style: Style, h: Hex) -> Style:
    """The weights of a rule of thumb on the map of a hex."""
    return style.line if style.line is not None and h in lined(board) else style


BOLD = Style()

KILL = BOLD._replace(clash=3.0, hope=0.7)
"""The East where either side has leaders to lose: to grips wherever many can come."""

RACE = BOLD._replace(hope=0.5)
"""The East where it has no leader to lose and a road to win by: to grips where many can come, but on."""

CROSS = KILL._replace(ahead=1.5, losses=0.3, worth=0.0, ground=15.0)
"""The East where units beyond the line count: to grips as well, but on, and losses don't matter."""

CLIMB = BOLD._replace(clash=4.0, hope=0.5, losses=0.3, worth=0.0, ground=20.0)
"""The East where Komatsuyama is to be taken: all combats that promise anything, there above all."""

DUEL = BOLD._replace(home=6, gate=2)
"""Osaka where either side has leaders to lose: many stay with them, and two keep each road off the map."""

BANK = BOLD._replace(front=2.0, losses=2.0, ground=15.0)
"""Osaka where the line is to be held: on the bank, and no combats that cost much but those with who has crossed."""

SHIELD = BOLD._replace(
    home=10, gate=3, guards=2, screen=4, ground=20.0, hope=0.7, clash=2.0, ford=40.0, line=BANK._replace(front=1.0)
)
"""Osaka where its own leaders alone matter: most stay with them, stand where they could be fired at, and fall upon
whoever comes near; where there is a line too, others hold its bank."""

HOLD = BOLD._replace(home=6, ground=20.0)
"""Osaka where Komatsuyama is to be kept: some stay on it and around."""


BEST = {
    "star": {EAST: CLIMB, OSAKA: HOLD},
    "line": {EAST: CROSS, OSAKA: BANK},
    "duel": {EAST: KILL, OSAKA: DUEL},
    "shield": {EAST: RACE, OSAKA: SHIELD},
}
"""What decides a scenario, and for each side the best rule of thumb there."""


def decided_by(board: Board) -> str:
    """What decides a scenario: Komatsuyama, the line, the leaders of both sides or of Osaka alone."""
    if board.star is not None:
        return "star"
    if not board.collapse:
        return "line"
    return "duel" if EAST in board.collapse else "shield"


def styles(s: State, side: str) -> tuple[Style, ...]:
    """The rules of thumb by which a side may play a phase: the best, one that dares more, one that is careful.

    Who is careful waits in a Movement Phase, and spares its own in combat.
    """
    return portfolio(s.board, side, fighting=bool(s.step))


@lru_cache(maxsize=32)
def portfolio(board: Board, side: str, *, fighting: bool) -> tuple[Style, ...]:
    """The rules of thumb of a side for a phase in which it fights, or moves.

    Where it has weights for the line, they alone vary: who dares more, or less, with a leader to shield loses him.
    Where the line alone decides, nobody waits: what that costs shows turns later than a play-out looks.
    """
    decided = decided_by(board)
    best = BEST[decided][side]
    if best.line is not None:
        return tuple(best._replace(line=line) for line in _variants(best.line, fighting))
    found = _variants(best, fighting)
    return found if fighting or decided != "line" else found[:-1]


def _variants(best: Style, fighting: bool) -> tuple[Style, ...]:
    daring = best._replace(losses=best.losses / 4, worth=best.worth - 1.0, clash=best.clash * 2)
    if fighting:
        return best, daring, best._replace(losses=best.losses * 3, worth=best.worth + 1.5)
    return best, daring, best._replace(ahead=0.3, clash=best.clash / 3, guards=best.guards + 1, home=best.home + 3)
