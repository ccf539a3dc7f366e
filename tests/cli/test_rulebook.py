"""The rules on a terminal: folded to its width, and paged where they are too long for it."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import click
import pytest
from cli_player import World, pbem_says

LINES = 24


class Terminal:
    """A terminal of so many columns; what it was shown page by page."""

    def __init__(self, patches: pytest.MonkeyPatch, columns: int) -> None:
        self.paged: list[str] = []
        patches.setattr(shutil, "get_terminal_size", lambda *_, **__: os.terminal_size((columns, LINES)))
        patches.setattr("pbem.cli.rulebook.at_terminal", lambda: True)
        patches.setattr(click, "echo_via_pager", self.paged.append)

    def says(self, *words: str) -> str:
        said = pbem_says("rules", *words)
        assert (said.code, said.err) == (0, "")
        return said.out


@pytest.fixture(autouse=True)
def _nobody_s_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PBEM_HOME", str(tmp_path / "home"))


def two_games(root: Path, scenario: str, side: str) -> World:
    """Ben has accepted two offers of asuka, who hasn't opened his mails: of toba-fushimi and of another scenario."""
    world = World(root, "accepted")
    world.does("asuka", "offer", scenario, "--side", side, "--name", "asuka", "-o", world.path("o.eml"))
    world.does("ben", "accept", world.path("o.eml"), "--yes", "--name", "ben", "-o", world.path("a.eml"))
    return world


def test_of_several_games_the_rules_are_those_of_the_one_in_which_i_am_asked(
    tmp_path: Path,
) -> None:
    world = two_games(tmp_path, "yao", "osaka")
    line = world.refused("ben", "rules")
    assert line.startswith(
        "there are 2 games, and I am asked in none of them; `pbem rules bakumatsu` or `pbem rules yuk"
    )
    assert line.endswith("`pbem rules yukimura` shows them; of a game: --game toba-fushimi or --game yao")
    world.does("asuka", "open", "--quiet", world.path("accept.eml"), world.path("a.eml"))
    world.does("asuka", "send", "--game", "yao", "-o", world.path("2.eml"))
    for words in ((), ("melee",)):
        said = world.says("asuka", "rules", *words)
        assert "of 2 games it is toba-fushimi, the only one in which I am asked" in said.err
        assert (said.code, "Melee results table" in said.out) == (0, True)
    assert "SIEGE OF OSAKA" in world.does("asuka", "rules", "--game", "yao")


def test_of_several_games_of_one_scenario_the_rules_are_those_of_all(tmp_path: Path) -> None:
    world = two_games(tmp_path, "toba-fushimi", "shogunate")
    assert world.does("ben", "rules", "melee").startswith("MELEE (10)")


def widest(text: str) -> int:
    return max(map(len, text.splitlines()))


def test_a_long_page_is_paged_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal(monkeypatch, 90)
    assert terminal.says("yukimura") == ""
    (page,) = terminal.paged
    assert page.startswith("SIEGE OF OSAKA: THE RULES IN SHORT\n")
    assert 80 < widest(page) < 90


def test_a_short_part_is_shown_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal(monkeypatch, 50)
    assert widest(terminal.says("yukimura", "7-5")) < 50
    assert terminal.paged == []


def test_a_very_wide_terminal_isn_t_used_up(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal(monkeypatch, 300)
    terminal.says("bakumatsu")
    assert 90 < widest(terminal.paged[0]) <= 100


def test_elsewhere_it_is_written_in_80_columns() -> None:
    said = pbem_says("rules", "bakumatsu")
    assert widest(said.out) < 80
    assert said.out.splitlines()[-1].strip()


def test_the_clauses_of_refusals_bring_their_sentence_and_of_others_it_is_said_what_comes() -> None:
    for clause, said in (
        ("9.c", "fire at an enemy in an adjacent hex"),
        ("10.b", "against an enemy in an adjacent hex"),
    ):
        found = pbem_says("rules", "yao", clause)
        assert (found.code, found.err) == (0, "")
        assert said in " ".join(found.out.split())
        assert found.out.count("\n\n") == 1, "the heading and one paragraph"
    found = pbem_says("rules", "yao", "9-1-1-7")
    told = "9-1-1-7 isn't named by itself in the rules in short; this is what they say of 9-1-1"
    assert (found.code, found.err) == (0, f"pbem: {told}\n")
    assert pbem_says("rules", "yao", "9-1-1").out == found.out


def test_a_headings_clauses_are_left_as_they_are_cited() -> None:
    """It was `COMBAT (STD-7)`, which no clause is called."""
    shown = pbem_says("rules", "gcacw", "std-7.8").out
    assert "COMBAT (std-7)" in shown
