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
    "never to S2727, 10 points away, force marches 100 %": "S2727には届かない（移動力10必要）、強行軍 100 %",
    "to S1623 50 %, never to S2727, 10 points away": "S1623まで50 %、S2727には届かない（移動力10必要）",
    "cavalry goes back before it 83.3 %": "騎兵が先に後退 83.3 %",
    "dr-jones to S1623 33.3 %, to S1624 50 %": "dr-jones：S1623まで33.3 %、S1624まで50 %",
    "f-lee to S1823 for sure": "f-lee：S1823まで確実",
    "comes to fatigue 1 37 times, disordered and comes to fatigue 4 36 times": (
        "疲労1になる37回、混乱して疲労4になる36回"
    ),
    "standing orders: lines 3 and 4 answer in none of 100 futures played out": (
        "常時命令：3、4行目は試行100回のどれでも何にも回答しません"
    ),
    "standing orders: lines 3 to 5 answer nothing before bold decides": (
        "常時命令：3～5行目はboldの次の決定の前には何にも回答しません"
    ),
    "line 3: `move sg-2 1412` lapses in 61 % of the futures, as in: sg-2 is disordered": (
        "3行目：`move sg-2 1412`は試行の61 %で無効になります。例：sg-2：混乱です"
    ),
    "then bold would answer `retreat`": "そのときboldは`retreat`と回答します",
    "`put` is no order": "`put` は命令ではありません",
    "there are: setup, done": "使えるもの：`setup, done`",
    "`fire` isn't an order of this phase: write melee or done": (
        "`fire` はこのフェイズの命令ではありません。使える命令：`melee or done`"
    ),
    "defence": "防御",
    "column 1-2, 1 to the left": "1-2列、左へ1列",
}


@pytest.mark.usefixtures("japanese")
@pytest.mark.parametrize("english", SENTENCES)
def test_a_sentence_is_not_taken_for_another(english: str) -> None:
    assert shown(english, NAMES) == SENTENCES[english]
