"""Games of samurai are told in Japanese, event by event, and so is what its rules say to who gives orders."""

from __future__ import annotations

import pytest
from systems import samurai

from language.heard import left_of_rules
from language.latin import left_in_english, left_of_headlines

GAMES = ["red-breaks-black", "rallied", "beyond-the-middle", "drawn", "clearly-ahead"]
PLAYED = [("skirmish", "advised", 11), ("wooded-valley", "advised", 13), ("skirmish", "sampled", 12)]

CLAUSES = r"\[[a-z_]+\.\d+[a-z]?\]"
"""Numbers of clauses, which stay."""


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.usefixtures("japanese")
def test_every_event_of_a_stored_game_is_told_in_japanese(name: str) -> None:
    assert left_in_english("samurai", name, CLAUSES) == {}


@pytest.mark.parametrize("name", GAMES[:2])
@pytest.mark.usefixtures("japanese")
def test_every_headline_and_order_is_told_in_japanese(name: str) -> None:
    assert left_of_headlines("samurai", name) == {}


@pytest.mark.usefixtures("japanese")
def test_forms_prompts_and_refusals_are_told_in_japanese() -> None:
    assert left_of_rules(samurai, "samurai", PLAYED, every=60) == {}
