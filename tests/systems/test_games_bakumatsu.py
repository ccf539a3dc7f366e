"""How the whole games of Toba-Fushimi end, and what two of them hold."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from matches import replayed

from systems.bakumatsu_games import STOPS, ended
from systems.bakumatsu_players import ENTRY_HEX, board
from systems.whole import log_of, table_of


def events(name: str) -> list[dict[str, Any]]:
    """What a game told, from the first to the last."""
    table = table_of("bakumatsu", name)
    assert table.due().what == "nothing"
    return [step for step in table.steps if step["kind"] == "tell"]


@pytest.mark.clause("14(4)2")
@pytest.mark.parametrize(("name", "winner"), [("shogunate-holds", "shogunate"), ("satcho-holds", "satcho")])
def test_who_holds_seven_hexes_at_the_end_wins(name: str, winner: str) -> None:
    told = events(name)
    table = table_of("bakumatsu", name)
    assert (told[-1]["what"], told[-1]["turn"], told[-1]["phase"]) == ("end", 8, "satcho-melee")
    assert ended(table)[:2] == (winner, "14(4)2")
    held = Counter(table.game.state.control.values())
    assert held[winner] >= 7 > held[board().enemy[winner]]


@pytest.mark.clause("14(4)1")
@pytest.mark.parametrize(
    ("name", "way"), [("entry-by-move", "move"), ("entry-by-advance", "advance"), ("entry-by-retreat", "retreat")]
)
def test_who_enters_the_entry_hex_wins_at_once(name: str, way: str) -> None:
    told = events(name)
    table = table_of("bakumatsu", name)
    assert [t["what"] for t in told[-2:]] == ["control", "end"]
    entered = next(t for t in reversed(told) if t["what"] in ("move", "advance", "retreat"))
    assert entered["what"] == way
    assert (entered["facts"].get("path") or [entered["facts"]["to"]])[-1] == ENTRY_HEX
    assert ended(table)[:2] == ("satcho", "14(4)1")
    assert entered["facts"]["unit"] in ended(table).reason
    others = [t["facts"] for t in told if t is not entered and t["facts"].get("unit", "").startswith("sa")]
    assert not any(ENTRY_HEX in (f.get("path") or [f.get("to")]) for f in others), "somebody was there before"


def test_a_game_in_which_the_players_ask_each_other() -> None:
    found = replayed(log_of("bakumatsu", "asked"))
    assert found.genesis is not None
    assert found.table is not None
    assert found.genesis.terms.reactions == "ask"
    kinds = Counter(entry.kind for _, entry, _ in found.turns)
    assert kinds["react"] >= 6
    assert {entry.by for _, entry, _ in found.turns if entry.kind == "react"} == {"asuka", "ben"}
    answers = [step for step in found.table.steps if step["kind"] == "answer"]
    assert {step["how"] for step in answers} == {"react"}
    assert len(answers) > kinds["react"], "one react answers more than one question"


def test_a_game_with_every_kind_of_statement() -> None:
    found = replayed(log_of("bakumatsu", "all-words"))
    assert found.table is not None
    steps = found.table.steps
    written = Counter(statement.keyword for _, entry, _ in found.turns[2:] for statement in entry.body)
    assert {"if", "stop", "strict", "standing", "say", "done", "move", "fire", "melee"} <= set(written)
    answers = Counter(step["how"] for step in steps if step["kind"] == "answer")
    assert answers["standing"] >= 1
    assert answers["default"] >= 1
    assert {step["reason"] for step in steps if step["kind"] == "stop"} >= STOPS
    lapses = [step for step in steps if step["kind"] == "lapse"]
    assert any(step["clause"] for step in lapses)
    assert any(step["kind"] == "tell" and step["what"] == "drop" for step in steps)
    assert written["if"] >= 20
