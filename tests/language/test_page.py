"""The page of `pbem table` and its replay in Japanese: each sentence that scripts mark, each word of the pages."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from types import ModuleType

import pytest
from babel.messages.extract import extract
from golden import ROOT
from matches import scenario_of
from page.positions import asked, listed, of_game, opening, sheet_of

from pbem.language import spoken
from pbem.page.app import SCRIPTS
from pbem.page.guard import Guard, keyless
from pbem.page.seen import _places, pictured, spots_of, units_at
from pbem.report.put import put_situation
from pbem.report.replayed import SCRIPTS as REPLAY
from pbem.report.scripts import marked, page, translations
from pbem.scenario import japanese_names

ALL = sorted({*SCRIPTS, *REPLAY})

STAYS = r"`[^`]*`|\b(?:pbem|Shift|Enter|Alt|Delete|Escape|Backspace|Home|End|Page Up|Page Down|JSON|ID|MB)\b"
"""What a page has in Latin letters in Japanese, too: commands, keys of a keyboard."""

READ = frozenset({"aria-label", "title", "placeholder", "alt", "label"})
"""Attributes that a reader is told."""


class Words(HTMLParser):
    """All that a page tells, to the eye or to a screen reader."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.told: list[str] = []
        self._inside: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.told += [value or "" for name, value in attrs if name in READ]
        if tag in ("script", "style", "code", "kbd"):
            self._inside.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if self._inside[-1:] == [tag]:
            self._inside.pop()

    def handle_data(self, data: str) -> None:
        if not self._inside and data.strip():
            self.told.append(data.strip())


def english(told: str) -> list[str]:
    """The words of a text that are English."""
    return re.findall(r"[A-Za-z]{2,}", re.sub(STAYS, "", told, flags=re.ASCII))


def script(name: str) -> Path:
    return ROOT / "templates" / name


# --- scripts ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ALL)
def test_the_page_finds_the_same_sentences_in_a_script_as_the_catalogue(name: str) -> None:
    with script(name).open("rb") as file:
        extracted = [message for _, message, *_ in extract("javascript", file, {"_": None})]
    assert marked(script(name).read_text("utf-8")) == extracted


@pytest.mark.parametrize("name", ALL)
def test_a_script_has_no_sentence_that_is_not_marked(name: str) -> None:
    source = re.sub(r"(?m)//.*$", "", script(name).read_text("utf-8"))
    bare = re.sub(r'\b_\("(?:[^"\\]|\\.)*"', "_(", source)
    quoted = re.findall(r"\"([^\"\n]*)\"|`([^`]*)`", bare)
    words = [re.sub(r"\$\{[^}]*\}", " ", one) for pair in quoted for one in pair]
    assert [one for one in words if re.search(r"[A-Z][a-z]+ [a-z]+|[a-z]+ [a-z]+ [a-z]+[.!?]$", one)] == []


@pytest.mark.parametrize("name", ALL)
def test_a_marked_sentence_is_given_the_values_that_it_names(name: str) -> None:
    """As far as they are written out."""
    source = script(name).read_text("utf-8")
    for literal, values in re.findall(r'\b_\(("(?:[^"\\]|\\.)*"), \{ ([^{}]*) \}\)', source):
        given = {part.split(":")[0].strip() for part in re.sub(r"\([^()]*\)|\[[^]]*\]", "", values).split(",")}
        assert given == {*re.findall(r"%\((\w+)\)s", literal)}, literal


@pytest.mark.usefixtures("japanese")
def test_every_sentence_that_scripts_mark_comes_with_the_page_in_japanese() -> None:
    for scripts in (sorted(SCRIPTS), REPLAY):
        told = json.loads(translations(scripts))
        assert {*told} == {sentence for name in scripts for sentence in marked(script(name).read_text("utf-8"))}
        assert {sentence: words for sentence, words in told.items() if english(re.sub(r"%\(\w+\)s", "", words))} == {}
        assert len({*told.values()}) > len(told) * 0.9


def test_in_english_the_page_carries_no_sentence() -> None:
    assert translations(sorted(SCRIPTS)) == ""
    found = page("table.html.j2", {}, sorted(SCRIPTS))
    assert 'id="sentences"' not in found
    assert '<html lang="en">' in found


@pytest.mark.usefixtures("japanese")
def test_a_translation_can_not_end_the_data_in_which_it_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pbem.report.scripts.said", lambda _sentence: "</script><b>")
    assert "<" not in translations(["table.js"])
    assert "</script><b>" in json.loads(translations(["table.js"])).values()


# --- pages ------------------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("japanese")
@pytest.mark.parametrize("name", ["table.html.j2", "table-enter.html.j2"])
def test_a_page_tells_nothing_in_english(name: str) -> None:
    found = page(name, {"key": "", "to": ""}, sorted(SCRIPTS))
    assert '<html lang="ja">' in found
    told = Words(found).told
    assert len(told) > (60 if name == "table.html.j2" else 1)
    assert [one for one in told if english(one)] == []


def test_a_page_is_told_apart_from_one_in_japanese(catalogues: ModuleType) -> None:
    with spoken("ja"):
        there = Words(page("table.html.j2", {}, ())).told
    here = Words(page("table.html.j2", {}, ())).told
    assert len(here) == len(there)
    assert len([one for one in here if english(one)]) > 60


@pytest.mark.usefixtures("japanese")
def test_the_door_refuses_in_japanese() -> None:
    guard = Guard(8000, "token", "secret", "once", "key")
    home, cookies = {"Host": "127.0.0.1:8000"}, {guard.cookie: "secret"}
    said = [
        guard.why_not("GET", {}, {}, first=False),
        guard.why_not("PUT", home, cookies, first=False),
        guard.why_not("GET", home, {}, first=False),
        guard.why_not("GET", {**home, "Sec-Fetch-Site": "cross-site"}, cookies, first=False),
        guard.why_not("POST", home, cookies, first=False),
        guard.why_not("POST", {**home, "X-Pbem": "key"}, cookies, first=False),
        keyless(),
    ]
    assert all(said)
    assert [one for one in said if english(one)] == []


# --- a game -----------------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("japanese")
def test_a_set_up_is_told_in_japanese() -> None:
    sheet = sheet_of(opening("bakumatsu", "toba-fushimi"))
    unit = next(unit for unit in sorted(sheet.naming.own) if sheet.choices("", unit=unit).choices)
    first = sheet.choices("", unit=unit).choices[0]
    other = next(unit for unit in sorted(sheet.naming.enemies))
    told = [
        sheet.choices("", unit=unit).told,
        sheet.choices("", unit=other).told,
        sheet.choices("").told,
        first.told,
        sheet.to_place(""),
        sheet.to_place(f"{first.words};"),
    ]
    assert all(told)
    words = {one for sentence in told for one in english(re.sub(r"\b[a-z]+-\d+\b", "", sentence, flags=re.ASCII))}
    assert words == {"setup"}, "the word of an order stays"
    assert sheet.to_place("") != sheet.to_place(f"{first.words};")


@pytest.mark.usefixtures("japanese")
@pytest.mark.parametrize(
    ("system", "name"),
    [("bakumatsu", "satcho-holds"), ("gcacw", "confederate-marginal"), ("sengoku", "hashiba-waits"),
     ("yukimura", "connected-osaka")],
)  # fmt: skip
def test_the_grounds_of_places_are_told_in_japanese(system: str, name: str) -> None:
    table = of_game(system, name)[0]
    names = japanese_names(system)
    situation = put_situation(table.rules.situation(table.game.state), names)
    places = _places(spots_of(table, situation), {**situation, "places": []}, names)
    grounds = {ground for place in places.values() for ground in place["told"].split("\u3001")[1:]}
    assert len(grounds) > 3
    assert [ground for ground in grounds if english(ground)] == []


@pytest.mark.usefixtures("japanese")
def test_units_and_what_comes_behind_their_orders_are_told_in_japanese() -> None:
    table = of_game("bakumatsu", "satcho-holds")[0]
    names, sheet = japanese_names("bakumatsu"), sheet_of(table)
    situation = table.rules.situation(table.game.state)
    called = {unit["id"]: unit["name"] for unit in situation["units"]}
    units = units_at(table, situation, spots_of(table, situation), asked(table)[0])
    told = [unit["told"] for unit in units if called[unit["id"]] in names]
    assert len(told) > 20
    bare = [re.sub(r"\([a-z]+-\d+\)", "", one) for one in told]
    assert [one for one in bare if english(one)] == []
    assert english(sheet.listing(listed(["done"])).comes) in ([], ["asuka"], ["ben"])


def test_places_and_counters_on_the_pictures_of_the_page_have_japanese_names() -> None:
    table = opening("bakumatsu", "toba-fushimi")
    scenario = scenario_of("toba-fushimi")
    with spoken("ja"):
        sheets = pictured(table, scenario, [], table.rules.situation(table.game.state), None)
    told = "".join(piece for sheet in sheets for piece in sheet.drawn())
    assert "上鳥羽" in told
    assert "Kamitoba" not in told
