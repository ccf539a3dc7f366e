"""What stands round events: the frames of reports, who chooses the language, and in which one a mail is told."""

from __future__ import annotations

import html
import io
import re
import runpy
import sys
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from golden import ROOT
from matches import scenario_of, signer
from systems.whole import table_of

from pbem.cli import choose_language
from pbem.desk.desk import terms_of
from pbem.errors import BadLog
from pbem.language import COMPLETE, ENGLISH, language, read_in, speak, spoken
from pbem.match.compose import sign_offer
from pbem.report import build as report
from pbem.report import source
from pbem.report.layout import clean_text, plain
from pbem.wire.bodies import Player, Terms, read_terms, terms_body
from pbem.wire.entry import build_entry, parse_entry

GAMES = {
    "bakumatsu": ("tabaruzaka", "tabaruzaka-draw"),
    "gcacw": ("to-bull-run", "asked"),
    "samurai": ("skirmish", "drawn"),
    "sengoku": ("shizugatake", "asked"),
    "yukimura": ("yao", "yao-draw"),
}
"""System -> a scenario, and one of its stored games."""

STAYS = re.compile(
    r"`[^`]*`|「[^」]*」|<code>.*?</code>|\b[a-z]{1,3}-?\d+\w*\b|\b[\w-]+/\d+\b|\[[^\]]*\]|\bpbem\b"
    r"|\b[0-9a-f]{4}\b", re.DOTALL,
)  # fmt: skip
"""What is typed, orders, ids, editions, clauses, labels of dice and sums of states."""

BLANK = "語"
"""What stands for each word of a system in a report."""

IDS = frozenset({"id", "side", "at", "where", "control", "units", "attached_to", "besiegers", "inside"})
"""Keys of ids, each of which has a number in its place."""

KEPT = frozenset({"system", "look", "good", "base"})
"""Other keys of what is no word."""


def blanked(value: Any, known: dict[str, str], key: str = "") -> Any:
    """A report's data with one and the same word for each that isn't of its frames."""
    if isinstance(value, dict):
        if key in ("values", "extra", "options"):
            names = {name: BLANK + known.setdefault(name, f"{len(known)}") for name in value}
            return {names[name]: blanked(each, known) for name, each in value.items()}
        return {name: blanked(each, known, name) for name, each in value.items()}
    if isinstance(value, list):
        return [blanked(each, known, key) for each in value]
    if not isinstance(value, str) or key in KEPT:
        return value
    return known.setdefault(value, f"i-{len(known)}") if key in IDS else value and BLANK


def words_of(told: str) -> list[str]:
    """English words in a text or page."""
    told = STAYS.sub("", re.sub(r"<(style|head)\b.*?</\1>", "", told, flags=re.DOTALL))
    return re.findall(r"[A-Za-z]{3,}", html.unescape(re.sub(r"<[^>]*>", " ", told)))


def typed_in(situation: dict[str, Any], options: Mapping[str, str]) -> re.Pattern[str]:
    """What is typed: ids of units behind their names, options with their values; and cells of combat charts."""
    ids = "|".join(re.escape(unit["id"]) for unit in situation["units"])
    chosen = "|".join(re.escape(f"{name} {value}") for name, value in options.items()) or "(?!)"
    return re.compile(
        rf"\((?:{ids})\)|(?<![\w-])(?:{chosen})(?![\w-])|(?<![A-Za-z])(?:ZOC|\d?DR\*?)(?![A-Za-z])|\b(?:asuka|ben)(?=の)"
    )


@pytest.fixture
def ready(monkeypatch: pytest.MonkeyPatch, catalogues: object) -> Iterator[None]:
    """Bakumatsu is whole in Japanese, and nothing else; the language is left again."""
    monkeypatch.setitem(COMPLETE, "ja", frozenset({"bakumatsu"}))
    yield
    speak(ENGLISH)


# --- reports ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("system", GAMES)
@pytest.mark.usefixtures("catalogues")
def test_no_english_word_is_in_the_frames_of_a_report(system: str) -> None:
    scenario, name = GAMES[system]
    data = source.report_data(table_of(system, name), scenario_of(scenario), "asuka", since=3)
    blank = blanked(data, {}) | {"charts": []}
    blank["situation"]["turn_title"] = BLANK
    with spoken("ja"):
        assert words_of(report.text(blank)) == []
        assert words_of(report.html(blank)) == []
    assert "WHAT HAPPENED" in report.text(blank), "which English has"
    assert '<html lang="en">' in report.html(blank)


@pytest.mark.parametrize("system", sorted(COMPLETE["ja"]))
@pytest.mark.usefixtures("japanese")
def test_no_english_word_is_in_a_whole_report_of_a_system_that_is_complete(system: str) -> None:
    scenario, name = GAMES[system]
    table = table_of(system, name)
    data = source.report_data(table, scenario_of(scenario), "asuka", since=3)
    typed = typed_in(table.rules.situation(table.game.state), dict(table.genesis.terms.options))
    options = set(re.findall(r"[A-Za-z]+", " ".join([*data["options"], *data["options"].values()])))
    pictureless = re.sub(r"<svg.*?</svg>", "", report.html(data), flags=re.DOTALL)
    for told in (report.text(data), pictureless):
        assert [word for word in words_of(typed.sub("", told)) if word not in ("asuka", "ben", "ZOC", *options)] == []


@pytest.mark.usefixtures("japanese")
def test_japanese_letters_stay_what_they_are_and_in_english_they_go() -> None:
    assert plain({"told": "赤池（1810）"}) == {"told": "赤池（1810）"}
    assert clean_text("赤池（1810）：－－－－\N{ZERO WIDTH SPACE}") == "赤池（1810）：--"
    with spoken(ENGLISH):
        assert plain({"told": "赤池 A"}) == {"told": "?? A"}


# --- who chooses -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "environment", "tag"),
    [
        (["--lang", "ja", "games"], {}, "ja"),
        (["--lang=ja", "games"], {"PBEM_LANG": "en"}, "ja"),
        (["--lang", "en", "games"], {"PBEM_LANG": "ja", "LANG": "ja_JP.UTF-8"}, "en"),
        (["games", "--lang", "ja"], {}, "en"),
        ([], {"PBEM_LANG": "ja"}, "ja"),
        ([], {"PBEM_LANG": "en", "LC_ALL": "ja_JP.UTF-8"}, "en"),
        ([], {"PBEM_LANG": "xx"}, "en"),
        ([], {"LANG": "ja_JP.UTF-8"}, "ja"),
        ([], {"LANG": "ja_JP.UTF-8", "LC_MESSAGES": "C"}, "en"),
        ([], {"LANG": "C", "LC_MESSAGES": "de_DE", "LC_ALL": "ja"}, "ja"),
        ([], {"LANG": "jam_JM"}, "en"),
        ([], {}, "en"),
    ],
)
@pytest.mark.usefixtures("ready")
def test_the_language_is_that_of_the_option_else_of_the_variable_else_of_the_locale(
    arguments: list[str], environment: dict[str, str], tag: str
) -> None:
    speak(ENGLISH)
    choose_language(arguments, environment)
    assert language() == tag


@pytest.mark.usefixtures("ready")
def test_where_letters_can_not_be_shown_it_is_said_in_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for encoding, tag, lines in (("ascii", "en", 1), ("cp932", "ja", 0), ("utf-8", "ja", 0)):
        monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BytesIO(), encoding=encoding))
        choose_language(["--lang", "ja"], {})
        assert (language(), capsys.readouterr().err.count("\n")) == (tag, lines), encoding


@pytest.mark.usefixtures("ready")
def test_a_game_that_is_not_told_in_the_language_is_told_in_english(capsys: pytest.CaptureFixture[str]) -> None:
    from pbem.cli.speaking import tell_in

    speak("ja")
    tell_in(scenario_of("tabaruzaka"))
    assert (language(), capsys.readouterr().err) == ("ja", "")
    tell_in(scenario_of("yao"))
    assert language() == ENGLISH
    assert capsys.readouterr().err.count("\n") == 1


# --- what a player reads ---------------------------------------------------------------------------------------------


def offer(reads: str) -> bytes:
    """The payload of an offer."""
    terms = terms_of(scenario_of("yao"), {})
    return sign_offer(signer("asuka"), "asuka", "west", terms, bytes(16), reads=reads).block.payload


def test_an_offer_says_which_language_is_read_but_for_english() -> None:
    player, _ = read_terms(parse_entry(offer("ja")))
    assert player.reads == "ja"
    assert b"reads ja;" in offer("ja")
    assert read_terms(parse_entry(offer("")))[0].reads == ""
    assert b"reads" not in offer("")


@pytest.mark.parametrize(("tag", "known"), [("ja", True), ("pt-BR", True), ("JA", False), ("japanese", False)])
def test_a_tag_that_this_program_does_not_know_is_none_that_is_wrong(tag: str, known: bool) -> None:
    player = Player("asuka", "west", signer("asuka").pub_blob, reads=tag)
    terms = Terms("yukimura/2", "yao", "0" * 64)
    entry = build_entry(kind="offer", seq=0, by="asuka", nonce="0" * 32, body=terms_body(player, terms))
    if known:
        assert read_terms(entry)[0].reads == tag
    else:
        with pytest.raises(BadLog, match="language"):
            read_terms(entry)


def test_the_second_verifier_knows_what_a_player_reads() -> None:
    found = runpy.run_path(str(ROOT / "tools" / "audit.py"))["GENESIS"]
    for tag in ("ja", "pt-BR", ""):
        body = b"".join(offer(tag).partition(b"side ")[1:]).decode("ascii").partition("end ")[0]
        assert re.fullmatch(found, body), tag
    assert not re.fullmatch(found, body.replace("rules ", "reads JA;\nrules "))


@pytest.mark.usefixtures("ready")
def test_who_reads_a_language_is_told_in_it_where_the_system_has_it() -> None:
    assert read_in("ja", "bakumatsu") == "ja"
    assert [read_in("ja", "yukimura"), read_in("", "bakumatsu"), read_in("pt-BR", "bakumatsu")] == [ENGLISH] * 3
