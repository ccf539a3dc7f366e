"""The weights of rules of thumb, and the portfolio of them that a computer player compares."""

from __future__ import annotations

from pbem.records import NamedTuple

__all__ = ["BEST", "PORTFOLIO", "Style"]


class Style(NamedTuple):
    """The weights of a rule of thumb, most of them in movement points.

    press      what each movement point nearer to a goal counts
    crowd      by how much farther a goal counts for each friend who makes for it already
    storm      by how much farther than it is the enemy's entry hex counts: it is guarded, but wins the game
    guard      by how much farther a victory hex of one's own counts that an enemy is near to
    home       the same for one's own entry hex, the loss of which loses the game
    alert      hexes from an enemy within which a victory hex of one's own is a goal
    watch      the same for one's own entry hex
    keep       hexes from an enemy within which a unit doesn't leave a victory hex of its own
    cover      what each point of cover counts, with an enemy near
    together   what each friend beside a hex counts, up to two, with an enemy near
    hope       what the harm that a unit may do from a hex counts
    risk       what the harm that it may take there counts
    still      what it must gain to move at all
    odds       what an attack in melee must promise, in about the strength of a unit
    prize      what a victory hex that it may win counts in an attack, in the same
    aid        what each unit that supports it counts against a fire or a melee, in the same
    """

    press: float = 1.0
    crowd: float = 1.2
    storm: float = -0.6
    guard: float = 4.9
    home: float = -2.6
    alert: int = 5
    watch: int = 10
    keep: int = 1
    cover: float = 0.45
    together: float = -0.7
    hope: float = 0.43
    risk: float = 0.16
    still: float = 0.5
    odds: float = 2.1
    prize: float = 3.5
    aid: float = 0.39


BEST = Style()

WARY = BEST._replace(guard=-3.4, home=-3.0, alert=4, watch=11, keep=4, hope=3.5, risk=2.6, odds=1.3, prize=4.6)

PORTFOLIO = (BEST, WARY, BEST._replace(odds=0.8, prize=6.0), BEST._replace(keep=4))
"""The best one as a rule first; then wary of what it may lose, daring, and slow to leave the hexes that it holds. Left
out is what wins less often: to wait, to spread out, and all for the enemy's entry hex."""
