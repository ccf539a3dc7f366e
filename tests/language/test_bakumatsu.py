"""Games of bakumatsu are told in Japanese, event by event, and so is what its rules say to who gives orders."""

from __future__ import annotations

import pytest
from systems import bakumatsu

from language.heard import left_of_rules
from language.latin import left_in_english, left_of_headlines

GAMES = ["satcho-holds", "shogunate-holds", "tabaruzaka-draw", "saigo-comes", "entry-by-move"]
PLAYED = [("toba-fushimi", "bold", 103), ("tabaruzaka", "bold", 105), ("toba-fushimi", "any option", 102)]


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.usefixtures("japanese")
def test_every_event_of_a_stored_game_is_told_in_japanese(name: str) -> None:
    assert left_in_english("bakumatsu", name) == {}


@pytest.mark.parametrize("name", GAMES[2:4])
@pytest.mark.usefixtures("japanese")
def test_every_headline_and_order_is_told_in_japanese(name: str) -> None:
    assert left_of_headlines("bakumatsu", name) == {}


@pytest.mark.usefixtures("japanese")
def test_forms_prompts_and_refusals_are_told_in_japanese() -> None:
    assert left_of_rules(bakumatsu, "bakumatsu", PLAYED, every=90) == {}
