"""The pages of balance: each part is what its command prints, each ending one that the rules of its scenario know."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest
from golden import ROOT
from matches import scenario_of

from balance.tools import loaded
from pbem.desk.desk import terms_of
from pbem.match.bots import BOTS
from pbem.report.simulated import markdown
from pbem.rules import SYSTEMS
from pbem.scenario import systems
from pbem.simulate.game import Run, played, sides_of
from pbem.simulate.summary import summary

PAGES = {system: ROOT / "docs" / f"{system}-balance.md" for system in SYSTEMS}

ENDINGS = {
    "domyoji": {("east", "14-1(6)a"), ("osaka", "14-1(6)b")},
    "yao": {
        ("osaka", "14-2(6)1"), ("east", "14-2(6)2"), ("east", "14-2(6)3"), ("east", "14-2(6)4a"),
        ("osaka", "14-2(6)4a"), (None, "14-2(6)4c"),
    },
    "connected": {("east", "14-1(6)a"), ("east", "14-2(6)2"), ("east", "14-2(6)3"), ("osaka", "14-3(9)c")},
    "gotos-dream": {("east", "14-4(6)"), ("osaka", "14-4(6)")},
    "toba-fushimi": {("shogunate", "14(4)2"), ("satcho", "14(4)2"), ("satcho", "14(4)1")},
    "tabaruzaka": {
        ("government", "14(4)2"), ("saigo", "14(4)2"), ("government", "14(4)1"), ("saigo", "14(4)1"), (None, "14(4)2"),
    },
    **{
        battle: {(side, clause) for clause in ("army-break", "turn-limit") for side in ("red", "black", None)}
        for battle in ("skirmish", "pitched-battle", "wooded-valley")
    },
    "shizugatake": {("anti-hashiba", "36.6(win)"), ("hashiba", "36.6(win)")},
    "cedar-mountain": {("union", "13.1-vic"), ("confederate", "13.1-vic")},
    "lee-vs-pope": {("union", "13.2-vic"), ("confederate", "13.2-vic")},
    "stuarts-raid": {("union", "13.3-vic"), ("confederate", "13.3-vic")},
    "jacksons-march": {("union", "13.4-vic"), ("confederate", "13.4-vic")},
    "to-bull-run": {("union", "13.5-vic"), ("confederate", "13.5-vic")},
    "rapidan-to-rappahannock": {("union", "22.1-vic"), ("confederate", "22.1-vic")},
    "rapidan-to-manassas": {("union", "22.2-vic"), ("confederate", "22.2-vic")},
}  # fmt: skip
"""Scenario -> the endings that its rules know: who wins, by which clause."""

ENOUGH, HOPELESS, EVEN = 100, 0.15, 0.65
"""From how many games on shares are looked at; below which one a side is hopeless between bold players, and above which
none may be between steady ones."""

ONE_SIDED = {"cedar-mountain"}
"""Where bold bots leave a side less, as the page says: no value of a battle with a given set-up was changed for it."""


@pytest.fixture(scope="module")
def tool() -> ModuleType:
    """tools/balance.py."""
    return loaded("balance")


def parts(tool: ModuleType, system: str) -> list[re.Match[str]]:
    return list(tool.PART.finditer(PAGES[system].read_text("utf-8")))


@pytest.mark.parametrize("system", SYSTEMS)
def test_each_part_of_a_page_is_of_its_command(system: str, tool: ModuleType) -> None:
    assert PAGES[system].read_text("utf-8").count("    pbem simulate") == len(parts(tool, system))
    for part in parts(tool, system):
        _, _, scenario, *words = shlex.split(part["command"])
        said = dict(zip(words[::2], words[1::2], strict=True))
        assert {said["--first"], said["--second"]} <= set(BOTS)
        headline = f"{scenario}, {said['--first']} against {said['--second']}, {said['--games']} games"
        assert part["headline"] == headline
        assert f"Rules {scenario_of(scenario).edition}, seed {said['--seed']}." in " ".join(part["told"].split())


@pytest.mark.parametrize("system", SYSTEMS)
def test_each_scenario_is_played_boldly_and_at_random(system: str, tool: ModuleType) -> None:
    told = {part["headline"].rpartition(",")[0] for part in parts(tool, system)}
    for scenario in (name for name, of in systems().items() if of == system):
        assert {f"{scenario}, {bot} against {bot}" for bot in ("bold", "random")} <= told


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_ending_of_a_page_is_one_that_the_rules_know(system: str, tool: ModuleType) -> None:
    """And no side is hopeless, where that can be told."""
    for part in parts(tool, system):
        scenario, _, bots = part["headline"].rpartition(",")[0].partition(", ")
        titles = {title: side for side, title in sides_of(scenario_of(scenario))} | {"draw": None}
        rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in part["told"].splitlines() if "|" in line]
        endings = {(titles[row[0]], row[-4]) for row in rows if len(row) in (5, 6) and row[0] in titles}
        assert endings
        assert endings <= ENDINGS[scenario]
        shares = {row[0]: int(row[1]) for row in rows if len(row) == 4 and row[0] in titles}
        games = int(part["headline"].split()[-2])
        assert sum(shares.values()) == games
        fighting = [shares[title] / games for title in titles if title != "draw"]
        if games >= ENOUGH and bots == "bold against bold":
            assert (min(fighting) < HOPELESS) == (scenario in ONE_SIDED), scenario
        if games >= ENOUGH and bots == "steady against steady":
            assert max(fighting) <= EVEN, scenario


def test_the_tool_writes_a_part_in_its_place(tool: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[list[str], str]] = []
    scenario = scenario_of("yao")
    run = Run(scenario, terms_of(scenario, {}), ("random", "random"), 3)
    told = markdown(summary(run, 1, [played(run, 1)]))

    def printed(words: list[str], jobs: str) -> str:
        asked.append((words, jobs))
        return told

    monkeypatch.setattr(tool, "printed", printed)
    command = "pbem simulate yao --games 1 --first random --second random --seed 3"
    assert told.endswith(f"\n    {command}\n")
    page = f"# A page\n\n### Some words\n\nMore words.\n\n    {command}\n\n## More\n"
    once = tool.renewed(page, 0, None, "2", None)
    assert once == page.replace(f"    {command}\n", told)
    assert tool.renewed(once, 0, "5", "2", Path("games")) == once
    keep = f" --keep {Path('games', 'yao-random-random.jsonl')}"
    assert asked == [(command.split(), "2"), ((command.replace("--games 1", "--games 5") + keep).split(), "2")]
    twice = once + told
    assert [part["headline"] for part in tool.PART.finditer(twice)] == ["yao, random against random, 1 game"] * 2


def test_a_page_is_written_from_the_games_beside_it_without_any_being_played(tmp_path: Path, tool: ModuleType) -> None:
    """Those that are there count, whatever would be played."""
    page, games = tmp_path / "page.md", tmp_path / "games"
    command = "pbem simulate yao --games 1 --first random --second random --seed 3"
    page.write_text(f"    {command}\n")
    words = [sys.executable, str(ROOT / "tools" / "balance.py"), str(page)]
    subprocess.run(words, check=True)
    played_anew = page.read_text()
    games.mkdir()
    subprocess.run(words, check=True)
    assert page.read_text() == played_anew
    file = games / "yao-random-random.jsonl"
    told = file.read_text().splitlines()
    assert len(told) == 2
    file.write_text("\n".join([told[0], re.sub('"mails": [0-9]+', '"mails": 1234', told[1]), ""]))
    subprocess.run(words, check=True)
    assert "1234" in page.read_text()
    file.write_text(told[0].replace('"seed": 3', '"seed": 4') + "\n")
    assert subprocess.run(words, check=False).returncode == 1
    assert "1234" in page.read_text(), "it stays"


def test_no_two_commands_of_the_pages_keep_their_games_in_one_file(tool: ModuleType) -> None:
    commands = [shlex.split(part["command"]) for system in SYSTEMS for part in parts(tool, system)]
    files = [tuple(tool.kept(words, Path("games"))) for words in commands]
    assert len(set(files)) == len(files)


LONG = ("rapidan-to-manassas",)
"""Where a game of bold play takes a third of a minute."""


@pytest.mark.parametrize("scenario", ENDINGS)
def test_games_end_by_a_known_clause_in_time(scenario: str) -> None:
    loaded = scenario_of(scenario)
    second = "random" if scenario in LONG else "bold"
    game = played(Run(loaded, terms_of(loaded, {}, reactions="ask"), ("random", second), 1), 1)
    assert (game.winner, game.clause) in ENDINGS[scenario]
    assert game.turns <= int(loaded.data["scenario"]["turns"])


def test_every_scenario_has_its_endings() -> None:
    assert set(ENDINGS) == set(systems())
