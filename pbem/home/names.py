"""What games are called: a new one as its scenario, numbered where one is called so already; which a word means."""

from __future__ import annotations

import re
from collections.abc import Container, Mapping
from itertools import count
from typing import Protocol

from pbem.home.contact import CALLED

__all__ = ["free", "meant_by", "name_in"]

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


class Game(Protocol):
    """What a game is known by beside its name."""

    @property
    def id(self) -> str: ...
    def opponents(self) -> list[str]: ...


def meant_by(games: Mapping[str, Game], word: str) -> list[str]:
    """The games that a word may mean: the one of that name alone; else all whose name, id or opponent begins with it.

    A name is mine to give, what he calls himself is the opponent's. Letters may be large or small.
    """
    word = word.lower()
    if word in games:
        return [word]
    return [
        name
        for name, game in games.items()
        if game.id.startswith(word[: len(game.id)]) or any(one.startswith(word) for one in (name, *game.opponents()))
    ]
