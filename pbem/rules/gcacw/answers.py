"""The standing orders of the computer player: sensible answers to all that the other side's actions can ask."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.rules.gcacw.state import State
from pbem.rules.kit.words import ANY
from pbem.rules.requests import Words

__all__ = ["stance"]

EVER: tuple[Words, ...] = (
    ("evade", ANY, "yes"),
    ("advance", ANY, "able"),
)
"""What it does everywhere; who loses manpower and whom a leader joins is left to the rules."""


def stance(_: State, __: str, orders: Sequence[Words]) -> list[Words]:
    """The standing orders that a side gives now, besides those in force among its `orders`."""
    return [words for words in EVER if words not in orders]
