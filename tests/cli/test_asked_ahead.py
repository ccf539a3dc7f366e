"""What commands tell of answers that are given ahead: in how many futures they are used, and by what was answered."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from cli_player import Said, pbem_says
from matches import Match, scenario_of, statements, write_home

from pbem.match.bots import suggest
from pbem.match.check import check
from pbem.match.orders import statement_of
from pbem.match.table import BARE
from pbem.rules.requests import Choose

CAMPAIGN = scenario_of("shizugatake")

BEFORE = ("", "close deployment", "close deployment; close situation; done", "move kt-05 to 5218; done")

Says = Callable[..., Said]


def play(match: Match, text: str) -> None:
    """What is due, as it would be typed; mails without orders go first where they are due."""
    while match.due()[0] == "reveal":
        match.play()
    _, name = match.due()
    assert name is not None
    checked = check(match.table, name, text, runs=0)
    assert not checked.errors
    match.play("\n".join(str(statement_of(part)) for _, part in checked.parts))


def attacked(number: int, standing: str = "") -> Match:
    """A campaign in which ben's Kitabatake Nobuo has attacked asuka's Takigawa Akimasu at Nagashima; reactions are
    asked, but for what asuka's `standing` orders answer."""
    match = Match(CAMPAIGN, number, reactions="ask")
    for text in (*BEFORE, f"{standing} done", "attack kt-05 at tk-08; done"):
        play(match, text)
    while match.due()[0] == "reveal":
        match.play()
    return match


@pytest.fixture
def at_home(tmp_path: Path) -> Callable[[Match, str], Says]:
    """Puts a game into a player's home, and lets him type commands there; `orders` are the text of a file."""

    def at(match: Match, name: str) -> Says:
        write_home(match, name, tmp_path / name)
        typed = tmp_path / "orders.txt"

        def says(*words: str, orders: str = "") -> Said:
            typed.write_text(orders)
            return pbem_says("--home", str(tmp_path / name), *(str(typed) if w == "FILE" else w for w in words))

        return says

    return at


LOSS, NO_LOSS = 3, 1
"""Games in which the attack inflicts one loss, or none."""


def test_check_says_which_answers_are_used_and_which_nobody_asks_for(at_home: Callable[..., Says]) -> None:
    says = at_home(attacked(LOSS), "asuka")
    orders = "give-way 1\nretreat tk-08 enter\npursue tk-08 stay\nstanding counter any yes"
    told = says("check", "FILE", orders=orders).err
    assert "answers: lines 1 and 2 are used for sure, line 3 isn't used before I decide and is then dropped" in told
    assert "standing orders: line 4 answers nothing before I decide" in told
    assert "futures" not in told


def test_check_counts_how_often_standing_orders_answer(at_home: Callable[..., Says]) -> None:
    match = Match(CAMPAIGN, LOSS, reactions="ask")
    away = "close deployment; close situation; move tk-01 5019 5020 4921 4922 4923; done"
    for text in (*BEFORE[:2], away, BEFORE[3], "standing give-way any retreat; standing retreat any 5018; done"):
        play(match, text)
    while match.due()[0] == "reveal":
        match.play()
    says = at_home(match, "ben")
    orders = "attack kt-05 at tk-08\nstanding pursue any 0\nstanding accept any 2\nstanding lose any kt-06\ndone"
    told = says("check", "FILE", orders=orders)
    found = re.search(r"line 1: .*, 1 loss ([0-9]+)", " ".join(told.out.split()))
    often = re.search(
        r"standing orders: line 2 answers in ([0-9]+) of 100 futures played out, lines 3 and 4 ", told.err
    )
    assert found is not None
    assert often is not None
    assert abs(int(often[1]) - int(found[1])) <= 15
    assert "lines 3 and 4 answer in none of them\n" in told.err
    told = says("check", "FILE", orders="standing lose any kt-06\nstanding lose any kt-07\ndone")
    sentence = (
        "line 2 answers nothing before asuka decides, line 1 answers nothing at all, as a later line takes its place"
    )
    assert f"standing orders: {sentence}\n" in told.err


def test_a_report_says_when_several_answers_can_go_in_one_mail(at_home: Callable[..., Says]) -> None:
    told = " ".join(at_home(attacked(LOSS), "asuka")("report").out.split())
    more = "More may be asked of you behind it: several answers can go in one mail, in the order in which they will be"
    assert re.search(
        r"of 1 loss of tk-\d\d [\w ]+, attacked by kt-05 [\w ]+, say how many are to be hexes of retreat", told
    )
    assert f"are to be hexes of retreat [23-3]. {more} asked." in told


def test_a_report_of_the_last_question_says_nothing_of_several(at_home: Callable[..., Says]) -> None:
    says = at_home(attacked(NO_LOSS), "asuka")
    told = " ".join(says("report").out.split())
    assert "say whether tk-08 Takigawa Akimasu counterattacks kt-05 Kitabatake Nobuo [23-6]. WHAT HAPPENED" in told
    assert json.loads(says("report", "--json").out)["due"]["several"] is False


@pytest.mark.parametrize("name", ["asuka", "ben"])
def test_a_report_names_the_standing_orders_that_have_answered(at_home: Callable[..., Says], name: str) -> None:
    match = attacked(2, "standing give-way any steps; standing lose any tk-08; standing counter tk-08 no;")
    if name == "ben":
        match.play("done")
    told = " ".join(at_home(match, name)("report").out.split())
    news, _, full = told.partition(" SCORE ")
    orders = '"give-way any steps" and "counter tk-08 no"'
    assert f"by the standing orders {orders} of the Anti-Hashiba side" in news
    assert 'Standing order of the Anti-Hashiba side, "give-way any steps": ' in full


def retreating() -> Match:
    """Yao with reactions that are asked: asuka is asked where a unit retreats, before dice of the same attack fall."""
    match, chance = Match(scenario_of("yao"), 1, reactions="ask"), random.Random(1)
    while (due := match.due())[0] != "react" or match.table.rules.clock(match.table.game.state)[1] != "osaka-combat":
        name = due[1]
        assert name is not None
        orders = suggest(match.table, name, "bold", chance, lambda *_: None) if due[0] not in BARE else ()
        match.play(statements(words for words in orders if words[0] != "standing"))
    return match


def test_answers_of_yukimura_go_as_its_page_says(at_home: Callable[..., Says]) -> None:
    """One that doesn't fit the question whose turn it is is refused; behind dice it is passed over."""
    match = retreating()
    says, request = at_home(match, "asuka"), match.table.game.request
    assert isinstance(request, Choose)
    assert request.kind == "retreat"
    words = match.table.rules.order_words(match.table.board, next(iter(request.options())))
    told = says("check", "FILE", orders=f"hold {words[1]}\n{' '.join(words)}")
    assert told.code == 1
    assert "line 1: `hold " in told.err
    told = says("check", "FILE", orders=f"{' '.join(words)}\nstanding retreat any west\ndone")
    assert told.code == 0
    assert "answers: " not in told.err
    assert re.search("line 3: `done` lapses in [0-9]+ % of the futures", " ".join(told.out.split()))
