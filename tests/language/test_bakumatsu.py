"""Games of bakumatsu are told in Japanese, event by event."""

from __future__ import annotations

import pytest

from language.latin import left_in_english

GAMES = ["satcho-holds", "shogunate-holds", "tabaruzaka-draw", "saigo-comes", "entry-by-move"]


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.usefixtures("japanese")
def test_every_event_of_a_stored_game_is_told_in_japanese(name: str) -> None:
    assert left_in_english("bakumatsu", name) == {}
