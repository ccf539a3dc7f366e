"""What may come of an order: an end of the game is told before it is sent, by who wins, how often, by which clause."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product

import pytest
from matches import parts_of, scenario_of

from pbem.match.check import check
from pbem.match.comes import Comes
from pbem.match.exact import endings
from pbem.match.form import form
from pbem.match.futures import Futures, futures
from pbem.match.game import Game
from pbem.match.prospects import Ending
from pbem.match.replay import replay
from pbem.match.table import Table
from pbem.match.take import imagine, peek
from pbem.report.asked import foreseen
from pbem.rules import yukimura
from pbem.rules.requests import Choose, Order, Roll, Words
from pbem.wire.turn import Turn, read_turns
from systems.test_reports import empty_table
from systems.whole import log_of


def before(system: str, name: str, number: int) -> tuple[Table, Turn]:
    """The table of a stored game as the author of an entry sees it before he sends it, and the entry."""
    turns = read_turns(log_of(system, name))
    table = replay("".join(turn.text for turn in turns[:number]), scenario_of).table
    assert table is not None
    reveal = turns[number].entry.reveal
    if reveal is not None:
        peek(table, bytes.fromhex(reveal[1]))
    return table, turns[number]


RETREAT = ("entry-by-retreat", 40, ("fire", "sg-19", "at", "sa-03", "with", "sg-23"))
ADVANCE = ("entry-by-advance", 45, ("melee", "sa-14", "at", "sg-28", "with", "sa-15", "advance"))


def ends(name: str, number: int, words: Words) -> list[Ending]:
    table, turn = before("bakumatsu", name, number)
    return endings(table, table.genesis.player(turn.entry.by).side, words)


def test_who_fires_at_a_unit_whose_retreat_leads_onto_his_entry_hex_may_lose_by_it() -> None:
    """Two dice decide: in 6 of 36 throws it retreats."""
    (ending,) = ends(*RETREAT)
    assert (ending.lost, ending.winner, ending.clause, ending.share) == (True, "satcho", "14(4)1", 6 / 36)
    assert ending.words == RETREAT[2]
    assert ending.note == (
        "may lose the game (16.7 %): sa-03 Satsuma Country Company No. 1 entered the entry hex 0106 Osaka road of "
        "the Former Shogunate [14(4)1]"
    )
    assert ends(*RETREAT) == [ending], "the same in every call"


def test_who_may_advance_onto_the_enemys_entry_hex_may_win_by_it() -> None:
    (ending,) = ends(*ADVANCE)
    assert (ending.lost, ending.winner, ending.clause, ending.share) == (False, "satcho", "14(4)1", 166 / 216)
    assert ends(*ADVANCE[:2], ADVANCE[2][:-1]) == [], "without `advance` he stays where he is"


@pytest.mark.parametrize(("name", "number", "words"), [RETREAT, ADVANCE])
def test_every_throw_is_counted(name: str, number: int, words: Words) -> None:
    table, turn = before("bakumatsu", name, number)
    order = table.rules.read_order(table.board, table.genesis.player(turn.entry.by).side, words)
    (ending,) = ends(name, number, words)
    assert ending.share == float(ended(table.game, order))
    assert not ending.about


@pytest.mark.parametrize(("name", "number", "words"), [RETREAT, ADVANCE])
def test_form_and_check_say_the_same(name: str, number: int, words: Words) -> None:
    table, turn = before("bakumatsu", name, number)
    by = turn.entry.by
    (ending,) = endings(table, table.genesis.player(by).side, words)
    text = " ".join(line.lstrip("# ") for line in form(table, by).splitlines())
    if ending.lost:
        assert ending.note in text
    else:  # the form has the attack without `advance`
        assert "with `advance` into 0106 Osaka road the game is won [14(4)1]" in text
    found = check(table, by, f"\n{' '.join(words)};\ndone;", random.Random(1))
    assert found.errors == []
    (told,) = found.endings
    assert (told.line, told.words, told.winner, told.clause) == (2, words, "satcho", "14(4)1")
    assert abs(told.share - ending.share) < 0.2
    assert str(told).startswith(f"line 2: I {'lose' if ending.lost else 'win'} the game in ")
    assert found.doubts == ([str(told)] if ending.lost else [])


def test_an_order_that_ends_nothing_is_silent() -> None:
    table, turn = before("bakumatsu", "entry-by-move", 4)
    side, request = table.genesis.player(turn.entry.by).side, table.game.request
    assert isinstance(request, Choose)
    chance = random.Random(1)
    for words in {table.rules.order_words(table.board, request.sample(chance)) for _ in range(20)} | {("done",)}:
        assert endings(table, side, words) == []


def test_a_game_that_ends_with_the_last_turn_ends_by_no_order() -> None:
    turns = read_turns(log_of("bakumatsu", "satcho-holds"))
    last = max(n for n, turn in enumerate(turns) if turn.entry.kind == "orders")
    table, turn = before("bakumatsu", "satcho-holds", last)
    side = table.genesis.player(turn.entry.by).side
    text = "".join(f"{statement}\n" for statement in turn.entry.body)
    parts = list(enumerate(parts_of(table, side, text), 1))
    _, found, played, *_ = futures(table, side, parts, random.Random(2), 30, 30)
    assert played >= 1
    assert sum(ending.share for ending in found) == pytest.approx(1)
    for ending in found:
        assert (ending.words, ending.line, ending.clause) == ((), 0, "14(4)2")
        assert str(ending).startswith(("I win the game in ", "I lose the game in ", "the game is drawn in "))


# --- every throw, of the first dice and of all that come of them ------------------------------------------------------


def ended(game: Game, answer: Order) -> Fraction:
    """The share of all throws in which an order ends the game: each die by itself, no two throws taken as one."""
    ahead = game.fork()
    ahead.apply(answer)
    while isinstance(request := ahead.request, Choose) and request.reaction:
        assert request.default is not None
        ahead.apply(request.default())
    if ahead.left is not game.left:
        return Fraction(ahead.rules.outcome(ahead.left) is not None)
    assert isinstance(request, Roll)
    throws = list(product(range(1, request.sides + 1), repeat=request.dice))
    return sum((ended(ahead, throw) for throw in throws), Fraction()) / len(throws)


def at_yao(*places: str, scenario: str = "yao", phase: int = 3, turn: int = 1) -> Table:
    """The East's first Combat Phase, or another, with units where `places` puts them; no others have moved."""
    table = empty_table("yukimura", scenario)
    table.course.begin()
    s = table.game.state
    for place in places:
        unit, number = place.split(":")
        s.put(unit, table.board.parse(number))
    s.phase, s.turn, s.opened, s.step = phase, turn, True, "fire"
    table.course.game, table.seq = Game(yukimura, table.board, s, table.course._hear), 5
    return table


KIMURA = ("ii-08:2809", "ii-09:2811", "ii-10:2910")
"""Three next to ki-01, one beyond the moat; his way is barred: if he fails his check he is removed, and all is over."""


CHOSOKABE = ("ii-08:0205", "ii-09:0306", "ii-10:0107")
"""Three next to ch-01, who are all in the open."""


def test_check_and_mail_play_out_the_same_futures() -> None:
    """Orders come to the same before they are signed and behind it, whatever the head of the log is then."""
    table = at_yao("ch-01:0206", *CHOSOKABE, "ch-02:0204")
    by = table.genesis.of_side("east").name
    found = check(table, by, "fire ii-08 at ch-02;\nfire ii-09 at ch-01;\nmelee ii-10 at ch-01;\ndone;")
    assert found.errors == []
    assert {came.carried for _, _, came in found.comes} > {100}, "an order lapses in some of them"
    imagine(table, "east", list(enumerate((part for _, part in found.parts), 1)), lambda _: None)
    table.head = bytes(32)
    comes = foreseen(table).comes
    assert comes is not None
    behind_dice = [(line, came) for line, _, came in found.comes[1:]]
    assert behind_dice
    for line, came in behind_dice:
        mailed = comes.came("east", line)
        assert (mailed.carried, mailed.fates, mailed.own) == (came.carried, came.fates, came.own)
    assert "give or take about 10 of 100" in found.remarks[-1]
    assert not any("give or take" in remark for remark in check(at_yao("ki-01:2810", *KIMURA), by, "done;").remarks)


@pytest.mark.clause("14-2(6)2", "11-1-3")
@pytest.mark.parametrize(
    ("words", "share"),
    [
        ("fire ii-08 at ki-01", Fraction(4, 216)),
        ("fire ii-08 at ki-01 with ii-09 ii-10", Fraction(22, 216)),
        ("melee ii-08 at ki-01 with ii-09", Fraction(34, 216)),
    ],
)
def test_the_check_behind_the_first_dice_is_counted_too(words: str, share: Fraction) -> None:
    table, given = at_yao(*KIMURA), tuple(words.split())
    (ending,) = endings(table, "east", given)
    assert (ending.winner, ending.clause, ending.about) == ("east", "14-2(6)2", False)
    assert ending.share == float(share)
    assert ended(table.game, yukimura.read_order(table.board, "east", given)) == share
    removed = yukimura.tell_odds(table.game.state, "east", yukimura.read_order(table.board, "east", given))
    assert f"removed {float(share):.1%}".replace("%", " %") in removed


def test_where_more_futures_are_than_are_counted_the_share_is_about_so() -> None:
    """Three attackers may have to check, one after another; 39.4 % are removed."""
    table = at_yao(*CHOSOKABE, "ch-02:0301")
    (ending,) = endings(table, "east", ("melee", "ii-08", "at", "ch-01", "with", "ii-09", "ii-10"))
    assert ending.about
    assert abs(ending.share - 0.394) < 0.01
    assert "(about 39 %)" in ending.note


@pytest.mark.clause("14-2(6)1")
def test_who_attacks_with_a_leader_may_lose_by_it() -> None:
    """ii-01 may fail his check and retreat from his start hex; ii-06, who is no leader, attacks without that fear."""
    table = at_yao("ki-05:2025", "ii-06:2026")
    words = ("melee", "ii-01", "at", "ki-05")
    (ending,) = endings(table, "east", words)
    assert (ending.lost, ending.clause) == (True, "14-2(6)1")
    assert ending.share == float(ended(table.game, yukimura.read_order(table.board, "east", words)))
    assert endings(table, "east", ("melee", "ii-06", "at", "ki-05")) == []


@pytest.mark.clause("14-2(6)3")
@pytest.mark.parametrize(("exit", "turn", "asked"), [("2801", 1, True), ("2802", 1, False), ("2801", 12, True)])
def test_who_lets_the_turn_end_that_loses_the_game_is_asked_first(exit: str, turn: int, asked: bool) -> None:
    """No order of his brings it about; he is asked in the last turn, too, where his entry surely loses the game."""
    table = at_yao("ki-05:2025", f"ii-06:{exit}", phase=6, turn=turn)  # ki-05 could attack
    osaka = table.genesis.of_side("osaka").name
    text = " ".join(form(table, osaka).replace("#", " ").split())
    stays = (
        "ii-06 Ii mounted 3 is at 2801 Wakae road: with an Eastern unit there at the end of the turn the East has won"
    )
    assert (stays in text) is (exit == "2801")
    found = check(table, osaka, "done;")
    lost = [str(ending) for ending in found.endings if ending.clause == "14-2(6)3"]
    why = "ii-06 Ii mounted 3 holds 2801 Wakae road at the end of turn"
    assert lost == ([f"I lose the game in 100 % of the futures: {why} {turn} [14-2(6)3]"] if exit == "2801" else [])
    assert found.doubts == (lost if asked else [])


@pytest.mark.clause("14-2(6)3")
def test_the_form_shows_the_way_to_where_a_turn_is_won() -> None:
    table = at_yao("ii-06:2804", phase=1)
    (entry,) = [e for e in yukimura.form(table.game.state, table.game.request) if e.heading.startswith("ii-06")]
    notes = [(entry.typed[words], note) for words, note in entry.orders]
    assert (("move", "ii-06", "to", "2801"), "3 points, wins if it is there at the end of the turn [14-2(6)3]") in notes
    assert [words for words, note in notes if "wins" in note] == [("move", "ii-06", "to", "2801")]
    others = [e for e in yukimura.form(table.game.state, table.game.request) if not e.heading.startswith("ii-06")]
    assert not any("wins" in note for entry in others for _, note in entry.orders)


def test_the_check_says_of_the_first_order_what_the_form_says_and_leaves_out_no_loss_that_is_rare(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = at_yao("ki-05:2025", "ii-06:2026")
    (ending,) = endings(table, "east", ("melee", "ii-01", "at", "ki-05", "with", "ii-06"))
    assert (ending.lost, ending.share, ending.about) == (True, 49 / 216, False)
    text, name = f"\n{' '.join(ending.words)};\ndone;", table.genesis.of_side("east").name
    assert check(table, name, text).endings == [ending._replace(line=2)]
    assert str(check(table, name, text, random.Random(1)).endings[0]).startswith("line 2: I lose the game in about ")
    monkeypatch.setattr(
        "pbem.match.check.futures", lambda *_: Futures([], [], 100, [], [], "", Comes(table))
    )  # none of them saw it
    assert check(table, name, text).doubts == [str(ending._replace(line=2))]
    sure = check(table, name, text.replace("melee", "if alive ii-01 then melee", 1))
    assert sure.doubts == [str(ending._replace(line=2))], "it is carried out whatever comes"


@pytest.mark.parametrize(
    ("scenario", "places", "words", "decisive"),
    [
        ("yao", (), "move ki-01 2811", True),
        ("yao", (), "move ki-02 2717", False),
        ("yao", KIMURA, "fire ii-08 at ki-01", True),
        ("domyoji", ("mi-02:1510", "go-06:1509"), "melee mi-02 at go-06", False),
        ("connected", ("mi-02:D1510", "go-06:D1509"), "melee mi-02 at go-06", False),
        ("connected", ("ki-01:D1508", "go-06:D1509", "mi-02:D1510"), "melee mi-02 at go-06", True),
        ("connected", ("ki-01:D1511", "go-06:D1509", "mi-02:D1510"), "melee mi-02 at go-06", False),
        ("connected", ("ki-01:D1504", "go-06:D1509", "mi-02:D1510"), "melee mi-02 at go-06", True),
        ("connected", ("ki-01:D1503", "go-06:D1509", "mi-02:D1510"), "melee mi-02 at go-06", False),
        ("connected", ("ki-01:D1503", "go-07:D1507", "go-06:D1509", "mi-02:D1510"), "melee mi-02 at go-06", True),
        ("connected", ("ki-01:D1508", "go-06:D1509", "mi-02:D1510"), "fire mi-02 at go-06", True),
        ("yao", ("ii-01:2612", "ii-02:2613", "ki-02:2614"), "melee ii-02 at ki-02", True),
        ("yao", ("ii-01:2612", "ii-02:2613", "ki-02:2614"), "fire ii-02 at ki-02", False),
    ],
)
def test_only_what_may_end_the_battle_is_played_ahead(
    scenario: str, places: tuple[str, ...], words: str, decisive: bool
) -> None:
    table = at_yao(*places, scenario=scenario)
    order = yukimura.read_order(table.board, "east", tuple(words.split()))
    assert yukimura.decisive(table.game.state, order) == decisive
