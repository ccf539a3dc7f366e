"""The weights by which the computer player chooses what its units do, and the sets of them that it compares."""

from __future__ import annotations

from pbem.records import NamedTuple

__all__ = ["BOLD", "STYLES", "Style", "last"]


class Style(NamedTuple):
    """The weights of a rule of thumb; worth is in points of the score.

    blood     what a point of manpower is worth besides what it scores
    order     what a point of manpower is worth that is disorganised
    ground    what it is worth to drive an enemy out of a hex, and twice that to rout him
    nerve     what an attack must bring on the average for each unit that takes part
    prize     the share of an aim's worth that the retreat of the enemy on it brings
    strain    what an extended march must bring
    watch     how many hexes away the enemy is when a plan is dropped because he comes near
    """

    blood: float = 0.3
    order: float = 0.05
    ground: float = 0.4
    nerve: float = 0.25
    prize: float = 0.5
    strain: float = 0.4
    watch: int = 2


BOLD = Style()
"""The best of them: goes for what scores, and attacks where it is ahead."""

WARY = BOLD._replace(nerve=1.0, blood=0.5)
"""Attacks with a great lead alone."""

FIERCE = BOLD._replace(nerve=0.0, blood=0.1, prize=0.8)
"""Attacks wherever it doesn't lose more."""

STYLES = (BOLD, WARY, FIERCE)
"""The rules of thumb that are compared, the best one first."""


def last(style: Style) -> Style:
    """How a side attacks in the last turn, behind which nothing counts but the score."""
    return style._replace(blood=style.blood / 4, order=0.0, ground=style.ground / 4, nerve=style.nerve / 4)
