"""The weights by which the computer player chooses, and the sets of them that it compares."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["BOLD", "Style", "styles"]


class Style(NamedTuple):
    """The weights of a rule of thumb; what dice may cost is counted in points.

    strike  what an attack counts that a unit comes to make in this turn
    fear    what those count that enemies can come to make in their next;  shy  the same of fire
    hope    what an attack counts that it could come to make in the next turn of its own;  aim  the same of fire
    press   points for each inch that it is nearer to the next enemy
    close   points for each inch that it is farther from the next friend, as a loss
    lead    points for each figure that a daimyo leads
    """

    strike: float = 1.0
    fear: float = 0.8
    shy: float = 0.2
    hope: float = 0.0
    aim: float = 0.7
    press: float = 0.1
    close: float = 0.2
    back: float = 0.0
    face: float = 0.8
    share: float = 0.1


BOLD = Style()


def styles() -> tuple[Style, ...]:
    """The rules of thumb, the best one first."""
    return (BOLD,)
