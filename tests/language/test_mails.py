"""Mails, headlines and briefs as wholes are told in Japanese."""

from __future__ import annotations

import html
import re
from functools import cache

import pytest
from matches import replayed, scenario_of
from systems.whole import log_of, table_of, wholes

from language.latin import latin
from pbem.match.table import Table
from pbem.report import source
from pbem.report.brief import accept_text, brief, offer_text
from pbem.report.build import build
from pbem.report.build import html as report_html
from pbem.report.build import text as report_text
from pbem.report.layout import Json
from pbem.report.mail import few_lines, mail_data, mail_html, mail_text, subject
from pbem.report.terms import Party
from pbem.scenario import japanese_names, load_scenario

pytestmark = pytest.mark.usefixtures("japanese")

MAILS = [
    ("bakumatsu", "satcho-holds", 0, "an offer is accepted"),
    ("bakumatsu", "satcho-holds", 28, "a reveal is asked"),
    ("bakumatsu", "satcho-holds", 39, "a turn is asked"),
    ("bakumatsu", "satcho-holds", 20, "dice wait"),
    ("bakumatsu", "tabaruzaka-draw", 1, "dice fall for reinforcements and commanders"),
    ("bakumatsu", "saigo-comes", 30, "commanders are met"),
    ("bakumatsu", "saigo-comes", -1, "the game is over"),
    ("yukimura", "domyoji-east", 17, "dice fall for a release"),
    ("yukimura", "yao-superior-east", 9, "dice wait"),
    ("yukimura", "yao-east-collapses-by-retreat", 7, "a retreat came by default"),
    ("yukimura", "standing", 2, "standing orders answered"),
    ("yukimura", "connected-west", -1, "the game is over"),
    ("samurai", "rallied", 0, "an offer is accepted"),
    ("samurai", "rallied", 9, "a turn with fire and attacks waits for dice"),
    ("samurai", "rallied", 11, "chances are under a tenth of a per cent"),
    ("samurai", "rallied", 17, "attacks are asked"),
    ("samurai", "red-breaks-black", -1, "the game is over"),
]
"""A system, a stored game of it, and the entry whose mail is told, -1 for the last; why that one."""

STAYS = r"orders-\d+\.txt|\[[a-z_-]+(?:\.\d+)?[a-z]?\]"
"""What mails have in Latin letters beside ids: names of files, numbers of clauses."""

OF_OPTIONS = (r"\b(?:no|yes|gate|release|dice|strength)\b", r"\b[ABD]E\b", r"\bpbem \d\S*", r"\b[0-9a-f]{4}\b")
"""What stands in a report beside names of options: their values, results of tables, the version, the hash."""

OF_BRIEFS = (
    r"\bLx1\b|\((?:shogunate|satcho|government|saigo|east|osaka|red|black)\)"
    r"|\b(?:mountain-top|retreat-over-bridge|ishikawa-reading|command-range|command-freezes-movement)："
    r"|\b(?:dice|strength|no|yes|gate|release)(?:：|（既定）)"
)
"""What briefs have: a mark on a track, ids of sides, options and their values."""


@cache
def table_at(system: str, name: str, entry: int) -> Table:
    """The table of a stored game behind an entry."""
    blocks = re.split(r"(?m)^(?=-----BEGIN PBEM)", log_of(system, name))  # an offer and an accept come first
    table = replayed("".join(blocks[: entry + 3] if entry >= 0 else blocks)).table
    assert table is not None
    return table


def english_in(told: str, table: Table, stays: str = STAYS) -> str:
    """The first English words that are left, but for names that have none in Japanese."""
    situation = table.rules.situation(table.game.state)
    japanese = japanese_names(situation["system"])
    told = re.sub(r'"[^"]*"', "", told)  # orders that have lapsed
    named = {thing["name"] or "" for thing in (*situation["units"], *situation["places"])} - {""}
    for ours in sorted({*named, *(_put(name, japanese) for name in named)}, key=len)[::-1]:
        told = re.sub(r"\s*".join(map(re.escape, ours)), "", told) if not ours.isascii() or " " in ours else told
    return next(filter(None, (latin(sentence, stays, [*named]) for sentence in told.split("。"))), "")


def _put(name: str, japanese: dict[str, str]) -> str:
    for english in sorted(japanese, key=len)[::-1]:
        name = name.replace(english, japanese[english])
    return name


def bare(page: str) -> str:
    """The words of a page; commands in it stand between backticks."""
    page = re.sub(r"<(pre|style)\b.*?</\1>", "", page, flags=re.DOTALL)
    return html.unescape(re.sub(r"<[^>]*>", "", re.sub(r"<code>(.*?)</code>", r"`\1`", page)))


def joined(text: str) -> str:
    """A text without its line breaks."""
    return re.sub(r"\s*\n\s*", " ", re.sub(r"(?<=[^\x00-\x7f])\s*\n\s*(?=[^\x00-\x7f])", "", text))


@pytest.mark.parametrize(("system", "name", "entry", "why"), MAILS)
def test_a_mail_is_told_in_japanese(system: str, name: str, entry: int, why: str) -> None:
    table = table_at(system, name, entry)
    reader = table.genesis.other(table.newest[1]).name
    data = mail_data(table, scenario_of(wholes(system)[name].scenario), reader)
    told = (subject(data), joined(mail_text(data)), bare(mail_html(data, (), "")), joined(few_lines(data)))
    assert [english_in(each, table) for each in told] == [""] * 4, why


def headlines(data: Json) -> list[str]:
    """All that headlines say."""
    actions = [action for group in data["news"] for action in group["actions"]]
    return [line for each in actions for line in (each["headline"], *each["dice"], *each["answers"])]


@pytest.mark.parametrize(("system", "name"), [("bakumatsu", "satcho-holds"), ("bakumatsu", "saigo-comes")])
def test_the_headlines_of_a_game_are_sentences_of_japanese(system: str, name: str) -> None:
    table = table_of(system, name)
    scenario = scenario_of(wholes(system)[name].scenario)
    data = build(source.report_input(table, scenario, "asuka", 1), source.direction_of(table))
    told = headlines(data)
    assert len(told) > 20
    assert [line for line in told if english_in(line, table)] == []
    assert [line for line in told if "は" in line and line.startswith(("は", "、"))] == []


def test_of_one_unit_the_next_sentence_leaves_out_who_it_is() -> None:
    table = table_of("bakumatsu", "saigo-comes")
    data = build(source.report_input(table, scenario_of("tabaruzaka"), "asuka", 1), source.direction_of(table))
    told = " ".join(headlines(data))
    assert re.search(r"からマップに登場しました。[^。は]+まで道路移動しました。", told)


BRIEFS = {
    "toba-fushimi": ("bakumatsu", "satcho-holds"),
    "tabaruzaka": ("bakumatsu", "saigo-comes"),
    "yao": ("yukimura", "yao-draw"),
    "domyoji": ("yukimura", "domyoji-east"),
    "connected": ("yukimura", "connected-west"),
    "gotos-dream": ("yukimura", "dream-east"),
    "skirmish": ("samurai", "drawn"),
    "wooded-valley": ("samurai", "rallied"),
}
"""Scenario -> its system, and a stored game, of whose situation the names are."""


@pytest.mark.parametrize("scenario", BRIEFS)
def test_a_brief_is_told_in_japanese(scenario: str) -> None:
    told = joined(brief(load_scenario(scenario)))
    assert english_in(told, table_of(*BRIEFS[scenario]), OF_BRIEFS) == ""


REPORTS = [
    ("bakumatsu", "shogunate-holds"),
    ("bakumatsu", "tabaruzaka-draw"),
    ("yukimura", "yao-superior-east"),
    ("yukimura", "domyoji-osaka"),
    ("yukimura", "asked"),
    ("samurai", "red-breaks-black"),
    ("samurai", "black-breaks-red"),
    ("samurai", "beyond-the-middle"),
]
"""A system, and a stored game of it, whose report from its first entry on is told, as text and as a page."""


@pytest.mark.parametrize(("system", "name"), REPORTS)
def test_a_whole_report_is_told_in_japanese(system: str, name: str) -> None:
    table, scenario = table_of(system, name), scenario_of(wholes(system)[name].scenario)
    data = source.report_data(table, scenario, "asuka", since=1)
    stays = "|".join(
        [STAYS, r"\[[^\]]*: [^\]]*\]", rf"{system}/\d+", *scenario.data["scenario"].get("options", ()), *OF_OPTIONS]
    )
    page = re.sub(r"<(svg|head|script)\b.*?</\1>", "", report_html(data), flags=re.DOTALL)
    page = re.sub(r"(?<=</t[dh]>)", " ", page)  # columns of charts
    assert [english_in(joined(told), table, stays) for told in (report_text(data), bare(page))] == ["", ""]


def test_the_battle_of_an_offer_and_of_its_accept_has_its_japanese_name() -> None:
    genesis, scenario = table_at("bakumatsu", "satcho-holds", 0).genesis, scenario_of("toba-fushimi")
    offerer, accepter = map(Party.of, genesis.players)
    for told in (
        offer_text(scenario, genesis.terms, offerer),
        accept_text(scenario, genesis.terms, offerer, accepter),
    ):
        assert "鳥羽・伏見の戦い" in told
        assert "The Battle" not in told
