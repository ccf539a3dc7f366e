"""Mails, briefs, headlines and forms of campaigns are told in Japanese as wholes, with their dice and chances."""

from __future__ import annotations

import html
import re

import pytest
from matches import scenario_of
from systems.whole import table_of, wholes

from language.latin import latin
from language.test_mails import bare, headlines, joined, table_at
from pbem.match.table import Table
from pbem.report import build as report
from pbem.report import source
from pbem.report.brief import brief
from pbem.report.mail import few_lines, mail_data, mail_html, mail_text, subject
from pbem.scenario import load_scenario

pytestmark = pytest.mark.usefixtures("japanese")

MAILS = [
    ("sengoku", "asked", 5, "stages of moves, and a force is asked to act"),
    ("sengoku", "asked", 60, "points that nobody can win back"),
    ("sengoku", "siege-resigned", 20, "a siege"),
    ("sengoku", "hashiba-waits", 70, "dice of fights wait"),
    ("sengoku", "asked", -1, "the last inning is over"),
    ("gcacw", "asked", 20, "a march whose dice wait, and a cavalry's retreat is asked"),
    ("gcacw", "asked", 30, "an attack"),
    ("gcacw", "union-marginal", 4, "leaders are transferred"),
    ("gcacw", "union-marginal", -1, "a level of victory"),
    ("gcacw", "rappahannock-confederate-marginal", -1, "a campaign is over"),
]
"""A system, a stored game of it, and the entry whose mail is told, -1 for the last; what is in it."""

REPORTS = [
    ("sengoku", "siege-resigned"), ("sengoku", "hashiba-waits"), ("gcacw", "union-marginal"),
    ("gcacw", "rappahannock-confederate-marginal"),
]  # fmt: skip
"""Stored games whose last report is told as text and as page, with what happened `LATELY`."""

LATELY = 12
"""So many entries."""

STAYS = (
    r"orders-\d+\.txt|\b[NS]\d{4}\b|\[[^]]*\]|\(std-[\d.-]+\)|(?<![A-Za-z])\d*[DEFf]?[DRra]\b\*?"
    r"|\basuka|\bben|\bpbem/\d|\b[a-z]+/\d+\b|\b[0-9a-f]{4}\b|\bZOC|\b\dd6"
)
"""What there is in Latin letters beside ids: files, hexes, clauses, cells of combat charts, players, sums of states."""

OF_BRIEFS = (
    r"\((?:hashiba|anti-hashiba|union|confederate)\)|\bR\b|\b[a-z][a-z0-9-]+：|\(\d[\w.-]*\)"
    r"|\b(?:no|yes|stop|pass|minus|plus)(?=：|（)"
)
"""What briefs have: ids of sides, those who come later, options and their values."""


def english_in(told: str, table: Table, more: str = "(?!)") -> list[str]:
    """The English words that are left in a text, but for what is typed: ids of units, options and their values."""
    situation = table.rules.situation(table.game.state)
    ids = sorted((unit["id"] for unit in situation["units"]), key=len, reverse=True)
    options = [f"{name} {value}" for name, value in table.genesis.terms.options]
    typed = "|".join(map(re.escape, [*options, *ids]))
    told = re.sub(r"「[^」]*」|`[^`]*`", "", told)
    bare_of_ids = re.sub(rf"(?<![\w`-])(?:{typed})(?![\w-])", "", told, flags=re.ASCII)
    stays = f"{more}|{STAYS}"
    return [found for sentence in bare_of_ids.split("。") if (found := latin(sentence, stays, []))]


@pytest.mark.parametrize(("system", "name", "entry", "why"), MAILS)
def test_a_mail_of_a_campaign_is_told_in_japanese(system: str, name: str, entry: int, why: str) -> None:
    table = table_at(system, name, entry)
    reader = table.genesis.other(table.newest[1]).name
    data = mail_data(table, scenario_of(wholes(system)[name].scenario), reader)
    told = (subject(data), joined(mail_text(data)), bare(mail_html(data, (), "")), joined(few_lines(data)))
    assert [english_in(each, table) for each in told] == [[]] * 4, why


def since(table: Table) -> int:
    """The entry behind which news are told."""
    return max(1, table.seq - LATELY)


@pytest.mark.parametrize(("system", "name"), REPORTS)
def test_a_report_of_a_campaign_is_told_in_japanese(system: str, name: str) -> None:
    table = table_of(system, name)
    data = source.report_data(table, scenario_of(wholes(system)[name].scenario), "asuka", since=since(table))
    page = re.sub(r"<svg.*?</svg>|<head>.*?</head>", "", report.html(data), flags=re.DOTALL)
    page = re.sub(r"</(?:td|th|li|p|h\d|figcaption)>", "。", page)
    told = (joined(report.text(data)), html.unescape(bare(page)))
    assert [english_in(each, table) for each in told] == [[], []]


@pytest.mark.parametrize(("system", "name"), REPORTS)
def test_headlines_of_a_campaign_are_sentences_of_japanese(system: str, name: str) -> None:
    table = table_of(system, name)
    scenario = scenario_of(wholes(system)[name].scenario)
    told = headlines(
        report.build(source.report_input(table, scenario, "asuka", since(table)), source.direction_of(table))
    )
    assert len(told) > 10
    assert [line for line in told if english_in(line, table)] == []
    assert [line for line in told if line.startswith(("は", "、", "。"))] == []


@pytest.mark.parametrize(
    ("scenario", "system", "name"),
    [
        ("shizugatake", "sengoku", "asked"),
        ("cedar-mountain", "gcacw", "asked"),
        ("rapidan-to-rappahannock", "gcacw", "rappahannock-confederate-marginal"),
    ],
)
def test_a_brief_of_a_campaign_is_told_in_japanese(scenario: str, system: str, name: str) -> None:
    assert english_in(joined(brief(load_scenario(scenario))), table_of(system, name), OF_BRIEFS) == []
