"""The weights by which the computer player chooses what its forces do, and the sets of them that it compares."""

from __future__ import annotations

from pbem.records import NamedTuple

__all__ = ["BOLD", "STYLES", "Style", "careful"]


class Style(NamedTuple):
    """The weights of a rule of thumb.

    odds      how many times its own losses, on the average, those must be that an attack brings
    battle    the same of a battle of commanders-in-chief, by the share of a side's steps
    prey      how many times as strong as enemies in the open those must be who go for them
    kill      how likely a fight with them costs them what they are worth
    hunt      the share of the risk on its way that a force counts that goes for enemies
    risk      the steps that a force may be likely to lose where it stands before it leaves or takes refuge
    far       what an action's points of the way to a hex take from its worth, in points of the score
    relief    what an own castle under siege is worth, in times its points
    storm     how many times what the interception costs an assault must bring
    spent     the share of units with one step from which on a force withdraws from enemies beside it
    patience  the durability from which on a castle is called to surrender, not assaulted
    tired     the lowered morale from which on a force recovers before it goes on
    """

    odds: float = 1.3
    battle: float = 2.0
    prey: float = 1.5
    kill: float = 0.5
    hunt: float = 0.3
    risk: float = 1.3
    far: float = 0.5
    relief: float = 1.5
    storm: float = 1.0
    spent: float = 0.7
    patience: int = 4
    tired: int = -2


BOLD = Style()
"""The best of them: besieges what is near and hunts who comes."""

WARY = BOLD._replace(odds=2.0, prey=2.0, tired=-1)
"""Attacks with a great lead alone."""

RUSH = BOLD._replace(odds=1.0, kill=0.2, far=0.2, storm=0.7)
"""Goes for great castles far away, and storms them."""

HOLD = BOLD._replace(relief=3.0, far=1.0)
"""Comes to the aid of its own castles first."""

STYLES = (BOLD, WARY, RUSH, HOLD)
"""The rules of thumb that are compared, the best one first."""


def careful(style: Style) -> Style:
    """How a side plays that wins as things stand: it hunts less, and counts all of the risk."""
    return style._replace(prey=1.5 * style.prey, kill=0.5 * style.kill, hunt=1.0)
