"""What a new game is called: as its scenario, numbered where one is called so already."""

from __future__ import annotations

import re
from collections.abc import Container
from itertools import count

from pbem.home.contact import CALLED

__all__ = ["free", "name_in"]

LETTERS = 24
"""Letters of a scenario's id in a name: a number may follow them."""


def name_in(scenario: str) -> str:
    """A scenario's id as a name for a game."""
    name = re.sub("[^a-z0-9-]+", "-", scenario.lower())[:LETTERS]
    return name if re.fullmatch(CALLED, name) else f"game-{name}"


def free(name: str, taken: Container[str]) -> str:
    """The name, numbered where it is taken already."""
    numbered = (name if number == 1 else f"{name}-{number}" for number in count(1))
    return next(found for found in numbered if found not in taken)
