"""Sentences in another language: none is missing, none has other values, English is as it was, and a game is told."""

from __future__ import annotations

import re
from pathlib import Path
from types import ModuleType

import pytest
from golden import ROOT

from pbem.language import ENGLISH, LANGUAGES, language, say, shown, speak, spoken
from pbem.language.lines import across, filled
from pbem.report.layout import count, environment, fill

VALUE = re.compile(r"%\((\w+)\)s")
OTHERS = [tag for tag in LANGUAGES if tag != ENGLISH]


# --- the catalogues --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("domain", ["said", "heard"])
@pytest.mark.parametrize("tag", OTHERS)
def test_every_sentence_has_its_translation_and_none_is_kept_that_is_told_no_more(
    catalogues: ModuleType, tag: str, domain: str
) -> None:
    wanted = {part: set(sentences) for part, sentences in catalogues.wanted(domain).items() if sentences}
    held = catalogues.catalogues(tag, domain)
    ids = {part: {message.id for message in each if message.id} for part, each in held.items()}
    assert ids == wanted, "tools/catalogues.py --update takes the new ones"
    words = [(m.id, m.string if isinstance(m.id, str) else m.string[0]) for each in held.values() for m in each if m.id]
    assert [id for id, string in words if not string] == []


@pytest.mark.parametrize("domain", ["said", "heard"])
@pytest.mark.parametrize("tag", OTHERS)
def test_a_translation_has_the_values_of_its_sentence(catalogues: ModuleType, tag: str, domain: str) -> None:
    for message in (message for each in catalogues.catalogues(tag, domain).values() for message in each):
        if isinstance(message.id, str) and message.id and message.string:
            here, there = set(VALUE.findall(message.id)), set(VALUE.findall(message.string))
            assert (there == here) if domain == "said" else (there <= here), message.id


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
