"""Who may move is never in doubt: the states of a small game, all entries in each, against the rules written twice."""

from __future__ import annotations

import os
import random

import pytest
import tiny
from match import walk_model as model
from match.walker import Walk, start

DEEPER = float(os.environ.get("PBEM_WALK", "1"))
"""How many times as many states as usual."""

PROPOSALS = {f"{kind} {word}" for kind in ("draw", "undo", "substitute") for word in ("offer", "accept", "refuse")}
KINDS = {*model.BARE, *PROPOSALS, "rekey", "recover", "accept-rekey", "resign", "claim"}
DUE = {f"due {what}" for what in ("begin", "orders", "react", "reveal", "reply", "nothing")}


def walked(patch: pytest.MonkeyPatch, terms: list[model.Terms], most: int) -> set[str]:
    """A walk over games of these terms that begin in every way; what it has met."""
    walk = Walk(patch, terms[0].share)
    starts = [start(each, plan) for each in terms for plan in tiny.PLANS]
    count = walk.run(starts, int(most * DEEPER), random.Random(most))
    assert count == int(most * DEEPER), "there are more states"
    assert walk.tried > 100 * count
    assert walk.reached > 2 * count
    return set(walk.met)


def test_one_player_is_due_and_can_move_in_every_state(monkeypatch: pytest.MonkeyPatch) -> None:
    terms = [model.Terms(), model.Terms(forfeit=True), model.Terms(deadline=False)]
    assert walked(monkeypatch, terms, 2_400) == KINDS | DUE


def test_a_solo_game_goes_on_in_every_state(monkeypatch: pytest.MonkeyPatch) -> None:
    naming = {*(f"substitute {word}" for word in ("offer", "accept", "refuse")), "rekey", "recover", "accept-rekey"}
    assert walked(monkeypatch, [model.Terms(solo=True)], 500) == (KINDS | DUE) - naming


def test_a_full_share_of_the_log_leaves_an_answer_a_reveal_or_a_resign(monkeypatch: pytest.MonkeyPatch) -> None:
    """But for a proposal to who has used up even the share for answers."""
    terms = [model.Terms(share=(4, 6, 7))]
    assert walked(monkeypatch, terms, 900) == KINDS | DUE | {"full"}
