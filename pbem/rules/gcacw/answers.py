"""The standing orders of the computer player: sensible answers to all that the other side's actions can ask."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.rules.gcacw.board import CONFEDERATE
from pbem.rules.gcacw.leaders import is_corps
from pbem.rules.gcacw.panic import FALL
from pbem.rules.gcacw.state import State
from pbem.rules.kit.words import ANY
from pbem.rules.requests import Words

__all__ = ["stance"]

EVER: tuple[Words, ...] = (
    ("evade", ANY, "yes"),
    ("advance", ANY, "able"),
)
"""What it does everywhere; who loses manpower, whom a leader joins and whom a depot feeds is left to the rules."""

TWO = 2
"""So many leaders there must be for one of them to be chosen."""


def stance(s: State, side: str, orders: Sequence[Words]) -> list[Words]:
    """The standing orders that a side gives now, besides those in force among its `orders`."""
    return [words for words in (*EVER, *_fallen(s, side)) if words not in orders]


def _fallen(s: State, side: str) -> list[Words]:
    """Of equal leaders the one is killed who leads the fewest men (17.0-3)."""
    leaders = [leader for leader in s.leaders(side) if is_corps(s, leader) and leader not in s.killed]
    if s.board.advanced is None or side != CONFEDERATE or len(leaders) < TWO:
        return []
    men = {leader: sum(s.manpower[unit] for unit in s.own(side) if s.commands(leader, unit)) for leader in leaders}
    return [(FALL, ANY, *sorted(leaders, key=lambda leader: (men[leader], leader)))]
