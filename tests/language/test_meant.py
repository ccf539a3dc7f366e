"""Sentences that were once taken for others: what Japanese says is what English says."""

from __future__ import annotations

import pytest

from pbem.cli.situation import _titles
from pbem.language import shown
from pbem.language.lines import closed_up
from pbem.report.terms import terms_text

NAMES = {"Tamakushi": "玉串"}

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
    "moved back to Tamakushi (2420) and retreats": "玉串 (2420)へ移され、退却",
    "moved back to Tamakushi (2420) and retreats 6.25 %": "玉串 (2420)へ移され、退却 6.25 %",
    "taro plays the Former Shogunate, ben plays Satsuma-Choshu.": "taroが旧幕府軍、benが薩長軍をプレイします。",
    "Mails to taro are told in the language ja.": "taroへのメールは言語 ja で書かれます。",
    "taro has named none: for a lost key only the opponent can let in a new one. Who accepts may name one.": (
        "taroは復旧鍵を指定していません。鍵を失えば、新しい鍵を認められるのは相手だけです。受ける人も指定できます。"
    ),
    "--game skirmish or --game yao": "`--game skirmish` または `--game yao`",
    "there are 2 games, and I am asked in none of them": "ゲームは2つあり、自分の番であるものはありません",
    "`pbem edit` opens what may be done in an editor, `pbem form -o orders-3.txt` only writes it": (
        "`pbem edit` は、今できることをエディターで開きます。`pbem form -o orders-3.txt` は書くだけです"
    ),
    "f-lee extended march: no effect 50 %, disorganised 50 %, never to S2727, 10 points away, force marches 100 %": (
        "f-lee：延長行軍：効果なし 50 %、混乱 50 %、S2727には届かない（移動力10必要）、強行軍 100 %"
    ),
    "line 3: `march f-lee S1` lapses in 61 % of the futures, if bold gives no orders in between, as in: tired": (
        "3行目：`march f-lee S1`は、boldが間に命令を出さなければ、試行の61 %で無効になります。例：疲労"
    ),
    "column 1-2, 1 to the left for woods, 1 to the right for disordered": ("1-2列、森により左へ1列、混乱により右へ1列"),
}


@pytest.mark.usefixtures("japanese")
@pytest.mark.parametrize("english", SENTENCES)
def test_a_sentence_is_not_taken_for_another(english: str) -> None:
    assert shown(english, NAMES) == SENTENCES[english]


@pytest.mark.usefixtures("japanese")
def test_an_option_stays_as_it_is_typed() -> None:
    meaning = "It is added to the dice, as the rulebook's example counts (9-2(4))."
    told = terms_text(
        [("option", f"The +2 for firing from a mountain top (mountain-top): dice. {meaning}")], "bakumatsu"
    )
    assert "（mountain-top）：dice。" in told


@pytest.mark.usefixtures("japanese")
def test_what_is_reconstructed_is_told_as_in_a_brief() -> None:
    sentence = "Sides: rulebook; the turns of R and Lx1 on the track and the entry hexes are reconstructed. More."
    told = "".join(terms_text([("reconstructed", sentence)], "bakumatsu").split())
    assert "シナリオの陣営：ルールブックによる。" in told


@pytest.mark.usefixtures("japanese")
def test_games_name_sides_by_their_titles() -> None:
    assert _titles("toba-fushimi") == {"shogunate": "旧幕府軍", "satcho": "薩長軍"}
    assert _titles("no-such-scenario") == {}


def test_english_games_name_sides_by_their_ids() -> None:
    assert _titles("toba-fushimi") == {}


def test_no_blank_stands_between_two_sentences() -> None:
    assert closed_up("敵が来ました。 味方は退却しました。 `done` と書く") == (
        "敵が来ました。味方は退却しました。 `done` と書く"
    )
