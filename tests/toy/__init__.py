"""A tiny rule system for the tests of the core: two sides, no map, dice, counters and a question to the other side.

A turn is a red phase and a blue one, each of at most three orders (clause T1):

    bet N         N points on a die of four or more (T2)
    pull N        N counters out of the cup: gold is a point, star two (T3)
    move U POST   one or more units to the front or the rear (T4)
    hit U         2d6 of seven or more: U's owner is asked to `flee U` or `stand U`, and dice follow (T5)
    rest          the end of the phase, or of the side's part in a melee

A phase has two steps: an entry's moves are carried out before its other orders (T1). In a scenario with `orders: melee`
one phase of nobody's takes the place of both: the sides give one order each by turns, red first, and what a side has
ordered lasts for the turn, over the other's actions (T9). With `orders: rounds` each side has
two phases in a turn (T11).

From the second turn on a turn begins with a phase of nobody's, a die for the weather; on a six nobody hits in that
turn (T6). Who has no points or no units left loses at once (T7); after the last turn points decide, with half a
point for who holds the front alone (T8). A leader goes with his unit, and is lost with it (T10).
"""

from __future__ import annotations

from pbem.rules.kit.going import onward
from pbem.rules.kit.phases import TURN
from pbem.rules.kit.phases import again as answered
from pbem.rules.kit.state import uncounted as harmed
from pbem.rules.kit.state import unspent as spends
from toy.play import (
    advise,
    chances,
    dangers,
    decisive,
    doubts,
    factors,
    form,
    in_force,
    maps,
    next_activity,
    of_side,
    options_of,
    outcome,
    prospect,
    remainder,
    stance,
    styles,
    tell_cost,
    tell_met,
    tell_odds,
    toward,
    usage,
    way,
    why_never,
    why_not,
    why_unanswered,
    worst,
)  # fmt: skip
from toy.reading import CONDITIONS, STANDING, WAYS, order_words, read_order, read_standing, read_test, step
from toy.situation import situation
from toy.state import CLOSING, EDITION, GOOD, SHUTTING, TOLL, board, clock, copy, dump, load, start
from toy.state import holds as test

__all__ = [
    "CLOSING",
    "CONDITIONS",
    "EDITION",
    "GOOD",
    "SHUTTING",
    "STANDING",
    "TOLL",
    "TURN",
    "WAYS",
    "advise",
    "answered",
    "board",
    "chances",
    "clock",
    "copy",
    "dangers",
    "decisive",
    "doubts",
    "dump",
    "factors",
    "form",
    "harmed",
    "in_force",
    "load",
    "maps",
    "next_activity",
    "of_side",
    "onward",
    "options_of",
    "order_words",
    "outcome",
    "prospect",
    "read_order",
    "read_standing",
    "read_test",
    "remainder",
    "situation",
    "spends",
    "stance",
    "start",
    "step",
    "styles",
    "tell_cost",
    "tell_met",
    "tell_odds",
    "test",
    "toward",
    "usage",
    "way",
    "why_never",
    "why_not",
    "why_unanswered",
    "worst",
]
