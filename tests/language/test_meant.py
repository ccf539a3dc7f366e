"""Sentences that were once taken for others: what Japanese says is what English says."""

from __future__ import annotations

import pytest

from pbem.language import shown

NAMES = {"S1623 Mt. Solon": "S1623 ソロン山"}

SENTENCES = {
    "bold has answered; entry 3 is in my log": "boldが応答しました。自分のログにはエントリー3があります",
    "bold has answered; entries 3 and 4 are in my log": "boldが応答しました。自分のログにはエントリー3と4があります",
    "bold has answered; entries 3 to 5 are in my log": "boldが応答しました。自分のログにはエントリー3～5があります",
    "there is no `done;`: unless the phase ends by itself, the next decision in it is yours again": (
        "`done;`がありません。フェイズが自然に終わらない限り、そのフェイズの次の決定は再びあなたのものです"
    ),
}


@pytest.mark.usefixtures("japanese")
@pytest.mark.parametrize("english", SENTENCES)
def test_a_sentence_is_not_taken_for_another(english: str) -> None:
    assert shown(english, NAMES) == SENTENCES[english]
