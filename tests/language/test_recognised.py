"""How English sentences are recognised: by the reading that leaves no word unknown, part by part, names as they are."""

from __future__ import annotations

from gettext import NullTranslations
from typing import cast

import pytest

from pbem.language.catalogue import Catalogue

HEARD = {
    "the enemy is in %(value)s": "%(value)sには敵がいます",
    "%(name)s isn't on the map": "%(name)sはマップ上にありません",
    "%(name)s is at fatigue %(number)s, and can't act": "%(name)sは疲労%(number)sで、行動できません",
    "%(name)s has %(left)s: write `%(keyword)s %(unit)s`": "%(name)sは%(left)sです。`%(keyword)s %(unit)s` と書く",
    "%(units)s in %(places)s": "%(places)sに%(units)s",
    "%(figure)s lost": "兵力%(figure)s損失",
    "to %(goal)s %(share)s": "%(goal)sまで %(share)s",
    "as far as %(places)s, each %(share)s": "%(places)sまで、各%(share)s",
    "it stays %(share)s": "とどまる %(share)s",
    "%(name)s isn't on the map: he waits": "%(name)sはマップ上にありません。待機中です",
    "march %(unit)s with %(along)s": "`march %(unit)s with %(along)s` と書く",
    "there is no %(mark)s": "%(mark)s がありません",
    "are disordered": "は混乱しています",
    "no effect": "効果なし", "tired": "疲労", "king": "王", "march": "行軍", "until noon": "正午まで", " or ": "または",
}  # fmt: skip

NAMES = {"Culpeper": "カルペパー", "Reno": "リノ師団", "Company 1, Left Wing": "左翼第1中隊", "Mt. Pisgah": "ピスガ山"}


@pytest.fixture
def catalogue() -> Catalogue:
    from gettext import GNUTranslations

    return Catalogue(cast("GNUTranslations", NullTranslations()), HEARD)


@pytest.mark.parametrize(
    ("english", "told"),
    [
        ("the enemy is in S1418 Culpeper", "S1418 カルペパーには敵がいます"),
        ("Reno isn't on the map.", "リノ師団はマップ上にありません。"),
        ("the enemy is in Mt. Pisgah", "ピスガ山には敵がいます"),
        ("the enemy is in Culpeper or Mt. Pisgah", "カルペパーまたはピスガ山には敵がいます"),
        # a list is read item by item, but a name in which a comma stands is one; so are ids
        ("no effect 50 %, 2 lost 33.3 %, tired 16.7 %", "効果なし 50 %、兵力2損失 33.3 %、疲労 16.7 %"),
        ("Company 1, Left Wing isn't on the map", "左翼第1中隊はマップ上にありません"),
        ("ap-hill, reno isn't on the map", "ap-hill、renoはマップ上にありません"),
        ("reno Reno isn't on the map", "reno リノ師団はマップ上にありません"),
        # a share or a figure is nothing else
        (
            "to S1418 50 %, as far as S1 or S2, each 25 %, it stays 0 %",
            "S1418まで 50 %、S1またはS2まで、各25 %、とどまる 0 %",
        ),
        ("tired, 2 lost", "疲労、兵力2損失"),
        # words of orders stay, and no value is cut from brackets
        ("Reno has 2 lost: write `march king`", "リノ師団は兵力2損失です。`march king` と書く"),
        ("tired (until noon), no effect (2)", "疲労（正午まで）、効果なし (2)"),
        # a clause behind a sentence, a subject before it
        ("the enemy is in Culpeper [8(4)]", "カルペパーには敵がいます [8(4)]"),
        ("Reno: is at fatigue 4, and can't act", "リノ師団：疲労4で、行動できません"),
        ("a-1, b-2: each is at fatigue 4, and can't act", "a-1、b-2：疲労4で、行動できません"),
        ("a-1, b-2: each isn't on the map: he waits", "a-1、b-2：マップ上にありません。待機中です"),
        # what is said of somebody, behind his name
        ("reno Reno are disordered", "reno リノ師団は混乱しています"),
        (
            "Reno are disordered; Culpeper isn't on the map",
            "リノ師団は混乱しています；カルペパーはマップ上にありません",
        ),
        # marks of mails stay; an order has no signs in it
        ("there is no -----END PBEM TURN-----", "-----END PBEM TURN----- がありません"),
        ("march reno with king; tired", "`march reno with king` と書く；疲労"),
        # a word that is nothing alone is no value
        ("each in which", "each in which"),
        # what isn't known stays, but for names
        ("Culpeper is on fire", "カルペパー is on fire"),
        ("the enemy is in Culpeper; Culpeper is on fire", "カルペパーには敵がいます；カルペパー is on fire"),
        ("write `march Reno`", "write `march Reno`"),
    ],
)
def test_a_sentence_is_read_as_it_was_meant(catalogue: Catalogue, english: str, told: str) -> None:
    assert catalogue.shown(english, NAMES) == told


def test_other_names_are_other_words(catalogue: Catalogue) -> None:
    assert catalogue.shown("the enemy is in Culpeper", NAMES) == "カルペパーには敵がいます"
    assert catalogue.shown("the enemy is in Culpeper", {}) == "Culpeperには敵がいます"


def test_only_patterns_with_the_words_of_a_sentence_are_tried(catalogue: Catalogue) -> None:
    assert [one.put for one in catalogue.patterns.of("the enemy is in Culpeper")] == [
        "%(value)sには敵がいます", "%(places)sに%(units)s",
    ]  # fmt: skip
    assert [*catalogue.patterns.of("what is this")] == []
