"""What many games come to, told: golden text, a table of the games, a page that holds nothing from outside."""

from __future__ import annotations

import csv
import io
import re
import shlex
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import click
import pytest
from golden import golden
from matches import scenario_of

from pbem.cli import pbem
from pbem.cli.written import _KINDS
from pbem.desk.desk import terms_of
from pbem.report.simulated import command, markdown, page, table, text
from pbem.simulate.game import Played, Run
from pbem.simulate.summary import summary

HERE = Path(__file__).parent


@pytest.fixture
def data() -> dict[str, Any]:
    """Twelve games that were never played."""
    scenario = scenario_of("yao")
    run = Run(scenario, terms_of(scenario, {"command-range": "yes"}, reactions="ask"), ("bold", "random"), 7)
    games = [
        Played(
            number, (None, "east", "osaka")[number % 3], f"14-2(6){number % 3}", "Todo | <Takatora> left",
            1 + number % 4, 20 + number, 15 + number,
            {"east": [number % 2] * (1 + number % 4), "osaka": [0] * (1 + number % 4)},
        )
        for number in range(1, 13)
    ]  # fmt: skip
    return summary(run, 13, games)


def test_the_text_is_the_golden_one(data: dict[str, Any]) -> None:
    """`PBEM_REGENERATE=1 pytest tests/report` writes it anew."""
    golden(HERE / "simulated.txt", text(data, 79))
    assert all(len(line) < 80 for line in text(data, 79).split("\n") if "pbem simulate" not in line)


def test_a_title_is_words_alone_in_markdown(data: dict[str, Any]) -> None:
    """On a terminal it is as it was given."""
    data["sides"][0]["title"] = "<img src=x> *East* ![a](http://b) `c` & d"
    told = markdown(data)
    assert "&lt;img src=x&gt; \\*East\\* !\\[a](http://b) \\`c\\` &amp; d" in told
    assert "<" not in told
    assert "<img src=x> " in text(data, 79)


def test_the_command_plays_the_same_games(data: dict[str, Any]) -> None:
    words = shlex.split(command(data))
    assert words[:3] == ["pbem", "simulate", "yao"]
    simulate = pbem.get_command(click.Context(pbem), "simulate")
    assert simulate is not None
    typed = simulate.make_context("simulate", words[2:]).params
    assert (typed["games"], typed["first"], typed["second"], typed["seed"]) == (13, "bold", "random", 7)
    assert (typed["reactions"], typed["options"]) == ("ask", ("command-range=yes",))
    assert command(data) in markdown(data)
    assert "--reactions" not in command(data | {"reactions": "standing"})


def test_a_line_for_each_game(data: dict[str, Any]) -> None:
    rows = list(csv.DictReader(io.StringIO(table(data))))
    assert len(rows) == 12
    assert rows[0] == {
        "game": "1", "winner": "east", "clause": "14-2(6)1", "turns": "2", "mails": "21", "orders": "16",
        "lost-east": "2", "lost-osaka": "0",
    }  # fmt: skip
    assert [row["winner"] for row in rows[:3]] == ["east", "osaka", ""]


class Page(HTMLParser):
    """The tags and words of a page."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words = ""
        self.feed(source)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.words += data


def test_the_page_holds_all_numbers_and_nothing_from_outside(data: dict[str, Any]) -> None:
    source = page(data)
    made = Page(source)
    names = [tag for tag, _ in made.tags]
    assert not {"script", "link", "iframe", "img"} & set(names)
    assert not re.search(r"(src|href)=|url\(|@import| on[a-z]+=", source)
    assert names.count("svg") == 5
    assert "Todo | <Takatora> left" in made.words
    for number in ("14-2(6)2", "33.3 %", "Eastern Army", "Only 12 of 13 games were played"):
        assert number in made.words
    titled = re.findall(r'<svg [^>]*role="img"[^>]*><title>([^<]+)</title>', source)
    assert len(titled) == 5
    assert titled[0].startswith("Shares of wins with their intervals: Eastern Army, bold 33.3 %")
    classes = {name for _, attrs in made.tags for name in (attrs.get("class") or "").split()}
    style = source[source.index("<style>") : source.index("</style>")]
    assert all(f".{name}" in style for name in classes - {"name", "bar"})


def test_what_was_written_may_be_written_over(data: dict[str, Any]) -> None:
    for kind, made in (("html", page(data)), ("csv", table(data)), ("md", markdown(data))):
        assert re.match(_KINDS[kind][1], made.encode("utf-8")[:4096]), kind
        assert not any(re.match(_KINDS[other][1], made.encode("utf-8")[:4096]) for other in {*_KINDS} - {kind})


def test_games_without_a_draw_show_none(data: dict[str, Any]) -> None:
    assert "Draw:" in page(data)
    assert "Draw:" not in page(data | {"draws": {**data["draws"], "wins": 0}})
