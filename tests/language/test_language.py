"""Sentences in another language: none is missing, none has other values, English is as it was, and a game is told."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
from golden import ROOT
from systems.whole import table_of

from pbem.language import COMPLETE, ENGLISH, LANGUAGES, language, say, shown, speak, spoken
from pbem.language.lines import across, filled
from pbem.report import source
from pbem.report.layout import count, environment, fill
from pbem.report.put import put_situation, put_step
from pbem.report.telling import Teller
from pbem.scenario import japanese_names

babel = pytest.importorskip("babel")

VALUE = re.compile(r"%\((\w+)\)s")
OTHERS = [tag for tag in LANGUAGES if tag != ENGLISH]


@pytest.fixture(scope="module")
def catalogues() -> ModuleType:
    """The tool that takes sentences from the sources; it compiles the catalogues as they are now."""
    import importlib.util

    spec = importlib.util.spec_from_file_location("catalogues", ROOT / "tools" / "catalogues.py")
    assert spec is not None
    assert spec.loader is not None
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    found.compile_all()
    return found


@pytest.fixture
def japanese(catalogues: ModuleType) -> Iterator[None]:
    with spoken("ja"):
        yield


# --- the catalogues --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("tag", OTHERS)
def test_every_sentence_that_is_said_has_its_translation(catalogues: ModuleType, tag: str) -> None:
    held = catalogues.catalogue(catalogues.LOCALE / tag / "LC_MESSAGES" / "pbem.po")
    ids = {message.id for message in held if message.id}
    assert ids == set(catalogues.said()), "tools/catalogues.py --update takes the new ones"
    words = {message.id: message.string if isinstance(message.id, str) else message.string[0] for message in held}
    assert [id for id in ids if not words[id]] == []


@pytest.mark.parametrize("tag", OTHERS)
def test_every_sentence_that_is_heard_has_its_translation(catalogues: ModuleType, tag: str) -> None:
    heard = catalogues.catalogue(catalogues.LOCALE / tag / "LC_MESSAGES" / "heard.po")
    assert {message.id for message in heard if message.id} == set(catalogues.heard()), "--update takes the new ones"
    assert [message.id for message in heard if message.id and not message.string] == []


@pytest.mark.parametrize("tag", OTHERS)
def test_a_translation_has_the_values_of_its_sentence(catalogues: ModuleType, tag: str) -> None:
    for domain, whole in (("pbem", True), ("heard", False)):
        for message in catalogues.catalogue(catalogues.LOCALE / tag / "LC_MESSAGES" / f"{domain}.po"):
            if isinstance(message.id, str) and message.id and message.string:
                here, there = set(VALUE.findall(message.id)), set(VALUE.findall(message.string))
                assert (there == here) if whole else (there <= here), message.id


def test_what_is_heard_is_taken_from_whole_strings_and_f_strings_but_not_from_docstrings(
    catalogues: ModuleType,
) -> None:
    source = 'def f(u):\n    """No one says this."""\n    return f"{u.name} is {u.far} hexes away", "a word", "word"\n'
    assert sorted(told for _, told in catalogues.heard_in(source)) == ["%(name)s is %(far)s hexes away", "a word"]


# --- English ---------------------------------------------------------------------------------------------------------


def code_of(source: str) -> str:
    """What a template is compiled to."""
    env = environment()
    return str(env._generate(env._parse(source, None, None), None, None))


MARKED = '{{ _("die %(n)s", n=d) }} {% trans unit=u, at=h %}{{ unit }} moved to {{ at }}, 5 %.{% endtrans %}'


def test_in_english_a_marked_template_has_the_code_of_one_in_which_nothing_is_marked() -> None:
    assert code_of(MARKED) == code_of("die {{ d }} {{ u }} moved to {{ h }}, 5 %.")
    assert environment().from_string(MARKED).render(u="A", h="0101", d=3) == "die 3 A moved to 0101, 5 %."


def test_values_named_in_another_order_than_they_stand_are_refused() -> None:
    with pytest.raises(ValueError, match="another order"):
        code_of('{{ _("%(a)s and %(b)s", b=1, a=2) }}')


@pytest.mark.parametrize("path", sorted(ROOT.glob("templates/**/*.j2")), ids=lambda path: path.name)
def test_no_mark_is_left_in_english(path: Path) -> None:
    code = code_of(path.read_text("utf-8"))
    assert "gettext" not in code
    assert "call((undefined(name='_')" not in code


def test_a_language_is_left_again_and_an_unknown_one_is_none(catalogues: ModuleType) -> None:
    with spoken("ja"):
        assert language() == "ja"
        assert say("no units") == "ユニットなし"
    assert language() == ENGLISH
    assert say("no units") == "no units"
    with pytest.raises(Exception, match="catalogue"):
        speak("xx")
    assert language() == ENGLISH


# --- Japanese --------------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("japanese")
def test_numbers_have_figures_and_values_stand_where_japanese_has_them() -> None:
    assert count(2, "hex", "hexes") == "2ヘクス"
    assert count(0.5, "point", "points") == "0.5移動ポイント"
    assert say("%(unit)s was set up %(at)s.", unit="A", at="B") == "AをBに配置しました。"


@pytest.mark.usefixtures("japanese")
def test_an_english_sentence_is_recognised_with_its_values_or_stays_but_for_names() -> None:
    names = {"Akaike": "赤池"}
    assert shown("Akaike (1810) is occupied", names) == "赤池 (1810)には他のユニットがいます"
    assert shown("Akaike (1810) is on fire", names) == "赤池 (1810) is on fire"
    assert shown("fire with a unit, or done.") == "ユニットで射撃するか、終了する。"


def test_nothing_is_recognised_in_english() -> None:
    assert shown("fire with a unit, or done", {"fire": "火"}) == "fire with a unit, or done"


@pytest.mark.usefixtures("japanese")
def test_lines_count_wide_letters_twice_and_begin_with_no_full_stop() -> None:
    told = "伝習第一大隊 (sg-02) は赤池 (1810) を射撃しました：効果なし。" * 4
    lines = fill(told, "", "  ").split("\n")
    assert len(lines) > 2
    assert all(across(line) <= 76 for line in lines)
    assert max(map(across, lines)) > 72
    assert not any(line.strip()[0] in "。、）" for line in lines)
    assert filled("あ。" * 3, "", "", 2).split("\n") == ["あ。"] * 3, "it stays with its letter, where that is too wide"


@pytest.mark.parametrize("name", ["satcho-holds", "shogunate-holds", "tabaruzaka-draw", "saigo-comes", "entry-by-move"])
@pytest.mark.usefixtures("japanese")
def test_every_event_of_a_stored_game_is_told_in_japanese(name: str) -> None:
    """But for ids, what players are called, and orders, which stay ASCII."""
    table = table_of("bakumatsu", name)
    names = japanese_names("bakumatsu")
    situation = put_situation(table.rules.situation(table.game.state), names)
    teller = Teller(situation, source.direction_of(table))
    ours = {thing["name"] for thing in (*situation["units"], *situation["places"]) if thing["name"]}
    left: dict[str, str] = {}
    for step in table.steps:
        told, known = teller.tell(put_step(step, names))
        assert known, step
        if step["kind"] == "say":
            continue  # what players say stays as they wrote it
        bare = re.sub(r"「[^」]*」|既定の処理：.*|の決定：.*|の命令：.*|の常時命令.*|ダイス \S+、|\S+の抽選", "", told)
        for word in sorted(ours, key=len, reverse=True):
            bare = bare.replace(word, "")  # some have no name in Japanese
        bare = re.sub(r"\b[a-z]+-\d+\b|\bDD?\b|\bM\d?\b|\bZOC\b|\basuka\b|\bben\b|`[^`]*`", "", bare, flags=re.ASCII)
        if found := re.findall(r"[A-Za-z]{2,}(?: [A-Za-z]+)*", bare):
            left.setdefault(found[0], told)
    assert left == {}


def test_no_system_is_offered_that_is_not_wholly_told() -> None:
    """Reports, mails and briefs as wholes aren't marked yet: who asks for Japanese is told so."""
    assert not any(COMPLETE.values())
