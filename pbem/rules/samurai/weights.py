"""The weights by which the computer player chooses places, and the sets of them that it compares."""

from __future__ import annotations

from pbem.records import NamedTuple

__all__ = ["BOLD", "STYLES", "Style"]


class Style(NamedTuple):
    """The weights of a rule of thumb; the unit is a point that the dice of an attack in this turn may cost the enemy.

    fear    a point that enemies may cost a unit by an attack in their next turn, beyond what they could do elsewhere
    shy     the same by fire
    aim     a point that its fire may cost them in the next turn of its own
    press   an inch nearer to the next enemy
    face    each 45 degrees by which it faces elsewhere than towards him
    close   an inch farther from the next friend
    """

    fear: float = 0.2
    shy: float = 0.2
    aim: float = 0.7
    press: float = 0.1
    face: float = 0.8
    close: float = 0.2


BOLD = Style()
"""The best of them: holds its line out of reach as long as that costs little, then strikes together."""

WAIT = BOLD._replace(fear=0.8)
"""Lets the enemy come."""

RUSH = BOLD._replace(press=0.4)
"""Goes to meet him."""

SHOOT = BOLD._replace(fear=0.4, shy=0.0, aim=1.5, press=0.02)
"""Stays where it can shoot."""

STYLES = (BOLD, WAIT, RUSH, SHOOT)
"""The rules of thumb that are compared, the best one first."""
