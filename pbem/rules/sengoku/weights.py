"""The weights by which the computer player chooses what its forces do, and the sets of them that it compares."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["BOLD", "STYLES", "Style"]


class Style(NamedTuple):
    """The weights of a rule of thumb.

    odds      how many times its own losses, on the average, those must be that an attack brings
    far       what each hex of the way to a castle takes from its worth, in points of the score
    relief    what an own castle under siege is worth, in times its points
    storm     how many times the losses of the interception an assault must take from the durability
    spent     the share of units with one step from which on a force withdraws from enemies beside it
    risk      how many times as strong as a force with its neighbours the enemies beside it may be
    patience  the durability from which on a castle is called to surrender, not assaulted
    tired     the lowered morale from which on a force recovers before it goes on
    """

    odds: float = 1.3
    far: float = 0.25
    relief: float = 1.5
    storm: float = 1.5
    spent: float = 0.7
    risk: float = 1.3
    patience: int = 4
    tired: int = -2


BOLD = Style()
"""The best of them: takes what is near and stands against who comes."""

WARY = BOLD._replace(odds=2.0, tired=-1)
"""Attacks with a great lead alone."""

RUSH = BOLD._replace(odds=1.0, far=0.1, storm=1.0)
"""Goes for great castles far away, and storms them."""

HOLD = BOLD._replace(relief=3.0, far=0.5)
"""Comes to the aid of its own castles first."""

STYLES = (BOLD, WARY, RUSH, HOLD)
"""The rules of thumb that are compared, the best one first."""
