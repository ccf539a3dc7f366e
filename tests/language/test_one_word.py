"""One thing has one word in Japanese, in all catalogues."""

from __future__ import annotations

import re

import pytest
from golden import ROOT

ONE = {
    "承諾": "受諾",
    "再構成": "復元",
    "規定": "既定",
    "地図付き": "マップ付き",
    "添えるメモ": "添え書き",
}
"""A word that isn't said -> what is said instead."""

CATALOGUES = sorted((ROOT / "locale" / "ja").glob("*/*.po"))


@pytest.mark.parametrize("word", ONE)
def test_a_word_is_said_nowhere_for_which_there_is_another(word: str) -> None:
    assert [path.name for path in CATALOGUES if word in path.read_text("utf-8")] == []


def test_units_of_bakumatsu_and_yukimura_are_never_told_to_fall_back_by_another_word() -> None:
    of_them = [path for path in CATALOGUES if re.match("bakumatsu|yukimura|briefs|match", path.name)]
    assert [path.name for path in of_them if "後退" in path.read_text("utf-8")] == []
