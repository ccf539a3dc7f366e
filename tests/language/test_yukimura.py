"""Games of yukimura are told in Japanese, event by event, and so is what its rules say to who gives orders."""

from __future__ import annotations

import pytest
from systems import yukimura

from language.heard import left_of_rules
from language.latin import left_in_english, left_of_headlines

GAMES = [
    "domyoji-osaka",
    "dream-east",
    "connected-west",
    "yao-breakthrough-0201",
    "yao-east-collapses-by-removal",
    "asked",
]
PLAYED = [("yao", "fierce", 12), ("connected", "fierce", 11), ("domyoji", "sampled", 22)]

RESULTS = r"\b[ABD]E\b"
"""What the tables bring, as printed."""


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.usefixtures("japanese")
def test_every_event_of_a_stored_game_is_told_in_japanese(name: str) -> None:
    assert left_in_english("yukimura", name, RESULTS) == {}


@pytest.mark.parametrize("name", GAMES[2:4])
@pytest.mark.usefixtures("japanese")
def test_every_headline_and_order_is_told_in_japanese(name: str) -> None:
    assert left_of_headlines("yukimura", name, RESULTS) == {}


@pytest.mark.usefixtures("japanese")
def test_forms_prompts_and_refusals_are_told_in_japanese() -> None:
    assert left_of_rules(yukimura, "yukimura", PLAYED, every=500, stays=RESULTS) == {}
