"""Standing orders for what the other side's actions ask: retreats, advances, defensive fire (R83, R100).

Of two orders for the same the later one counts; one that ends behind its unit clears the earlier one.
"""

from __future__ import annotations

from collections.abc import Sequence

from pbem.rules.requests import Words

__all__ = ["advance_policy", "defence_policy", "preferences"]


def preferences(orders: Sequence[Words], unit: str) -> Words:
    """The hexes and directions by preference for a unit's retreat (latest order last): its own, then those for any.

    Each stands in it once: what doesn't fit at first doesn't fit later.
    """
    latest = {words[1]: words for words in orders if words[:1] == ("retreat",)}
    return tuple(dict.fromkeys((*latest.get(unit, ())[2:], *latest.get("any", ())[2:])))


def advance_policy(orders: Sequence[Words], unit: str) -> str | None:
    """Whether a unit shall `follow`, `enter` or `hold` after combat: its own order, else that for any."""
    latest = {words[1]: words[2:] for words in orders if words[:1] == ("advance",)}
    return next(iter(latest.get(unit) or latest.get("any") or ()), None)


def defence_policy(orders: Sequence[Words]) -> str | None:
    """Defensive fire by policy, `best` or `none`."""
    latest = next((words[1:] for words in reversed(orders) if words[:1] == ("defence",)), ())
    return next(iter(latest), None)
