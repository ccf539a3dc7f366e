"""Orders before they are signed: every error with its line, and what may lapse once the dice have fallen."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import pytest
import toy
from toy.players import SIDES, Duel

import pbem.words
from pbem.cli.checking import checked_orders
from pbem.errors import AmbiguousOrder, IllegalOrder, MalformedOrder, OrderError, Refused
from pbem.match import check as draft
from pbem.match import futures as ahead
from pbem.match import take as taking
from pbem.match.chances import chance_answer
from pbem.match.check import Checked, check
from pbem.match.course import Course
from pbem.match.form import _order as lines_of
from pbem.match.form import form
from pbem.match.orders import read_parts
from pbem.match.prospects import Lapse, give_or_take
from pbem.match.tally import Tally
from pbem.report.mail import mail_data
from pbem.report.ordered import came_words
from pbem.rules.requests import Draw, Roll
from pbem.wire.entry import parse_entry
from pbem.wire.orderfile import parse_statements

MakeDuel = Callable[..., Duel]
IMAGINE_ON = taking.imagine_on
ACT = Course._act


class Faces:
    """A generator of chances that gives the same faces again and again."""

    def __init__(self, *faces: int) -> None:
        self.faces = faces
        self.at = 0

    def randrange(self, stop: int, /) -> int:
        self.at += 1
        return (self.faces[(self.at - 1) % len(self.faces)] - 1) % stop

    def random(self) -> float:
        raise AssertionError("not needed")

    def choice(self, seq: Sequence[Any], /) -> Any:
        return seq[self.randrange(len(seq))]


def checked(game: Duel, name: str, text: str, *faces: int, runs: int = 4) -> Checked:
    return check(game.view(name), name, text, Faces(*(faces or (1,))), runs)


def told(found: Checked) -> list[tuple[type[OrderError], str, str]]:
    return [(type(e), e.where, getattr(e, "clause", "")) for e in found.errors]


def test_good_orders_have_no_errors(duel: MakeDuel) -> None:
    found = checked(duel(), "anna", "# a plan\nmove sc rear;\nbet 1;\nrest;\n")
    assert (found.errors, found.lapses, found.remarks) == ([], [], [])
    assert [(line, part.words) for line, part in found.parts] == [  # type: ignore[union-attr]
        (2, ("move", "scout", "rear")),
        (3, ("bet", "1")),
        (4, ("rest",)),
    ]


def test_all_that_cannot_be_read_is_told_at_once_in_order_of_lines(duel: MakeDuel) -> None:
    found = checked(duel(), "anna", "dance;\nbet (1)\nhit levy;\nstop;\n;\nseq 3;\n;;")
    assert told(found) == [
        (MalformedOrder, "line 1", ""),
        (MalformedOrder, "line 2", ""),
        (AmbiguousOrder, "line 3", ""),
        (MalformedOrder, "line 4", ""),
        (MalformedOrder, "line 6", ""),
    ]


@pytest.mark.parametrize("begin", ["", "strict;"])
def test_before_the_first_roll_every_illegal_order_is_told_with_line_and_clause(duel: MakeDuel, begin: str) -> None:
    text = f"{begin}\nmove lancer rear;\nbet 4;\nmove scout rear;\nmove scout rear;\nhit scout;\npull 3;\nhit sc;\n"
    found = checked(duel(), "anna", text.replace("bet 4", "bet 3").replace("bet 3", "flee lancer"))
    assert told(found) == [
        (IllegalOrder, "line 2", "T4"),
        (IllegalOrder, "line 3", "T5"),
        (IllegalOrder, "line 5", "T4"),
        (IllegalOrder, "line 6", "T5"),
    ], "the roll of `pull` on line 7 ends the strict part"
    assert "`move scout rear`" in str(found.errors[2])
    assert [lapse.line for lapse in found.lapses] == [8], "behind it so few futures make nothing certain"


def test_a_part_of_an_order_that_would_be_dropped_is_told(duel: MakeDuel) -> None:
    found = checked(duel(), "anna", "move scout rear;\nmove scout guard-1 rear;\n")
    assert told(found) == [(IllegalOrder, "line 2", "T4")]
    assert "move scout rear" in str(found.errors[0])
    assert checked(duel(), "anna", "move scout rear;\nmove guard-1 guard-2 rear;\n").errors == []


def test_a_standing_order_of_a_unit_that_is_gone_is_an_error(duel: MakeDuel) -> None:
    game, text = duel(), "standing flee all;\nstanding stand scout;\nrest;"
    assert checked(game, "anna", text).errors == []
    game.view("anna").game.state.remove("scout")
    assert told(checked(game, "anna", text)) == [(IllegalOrder, "line 2", "T5")]


def test_an_order_behind_the_end_of_the_phase_is_told(duel: MakeDuel) -> None:
    moves = "move scout rear;\nmove guard-1 rear;\nmove guard-2 rear;\n"
    assert checked(duel(), "anna", moves).errors == []
    found = checked(duel(), "anna", moves + "bet 1;\n")
    assert told(found) == [(IllegalOrder, "line 4", "")]
    assert "the phase is over" in str(found.errors[0])


def test_conditions_and_stops_count_in_the_strict_part(duel: MakeDuel) -> None:
    assert checked(duel(), "anna", "if gone scout then move lancer rear;\nrest;").errors == []
    assert checked(duel(), "anna", "stop if alive scout;\nmove lancer rear;\nrest;").errors == []
    assert len(checked(duel(), "anna", "stop if gone scout;\nmove lancer rear;\nrest;").errors) == 1


@pytest.mark.parametrize(("faces", "share"), [((1,), 1.0), ((6,), 0.0), ((1, 6, 6), 0.5), ((6, 6, 6, 6, 1), 0.25)])
def test_beyond_the_first_roll_lapses_have_their_share(duel: MakeDuel, faces: tuple[int, ...], share: float) -> None:
    """Of three points two are lost on a low die: then the second bet of two can't be made."""
    found = checked(duel(), "anna", "bet 2;\n\nbet 2;\n", *faces)
    assert found.errors == []
    assert [(lapse.line, lapse.words, lapse.share, lapse.clause) for lapse in found.lapses] == (
        [(3, ("bet", "2"), share, "T2")] if share else []
    )
    assert all("1 points" in lapse.reason for lapse in found.lapses)


def test_where_more_futures_are_looked_at_than_asked_for_that_is_said(duel: MakeDuel) -> None:
    """The second bet lapses in twenty futures, and not in the next."""
    more = "as something lapsed in all of 20 futures, 21 were looked at"
    assert more in checked(duel(), "anna", "bet 2;\nbet 2;\n", *[1] * 20, 6, runs=20).remarks
    assert more not in checked(duel(), "anna", "bet 2;\nbet 2;\n", *[1] * 19, 6, runs=20).remarks


@pytest.mark.parametrize(("faces", "share"), [((1,), 1.0), ((6,), 0.0), ((1, 6, 6, 6), 0.25)])
def test_an_end_of_the_game_that_follows_is_told(duel: MakeDuel, faces: tuple[int, ...], share: float) -> None:
    """Who bets all his three points on a low die has nothing left."""
    found = checked(duel(), "anna", "bet 3;\n", *faces)
    some = f"{'about ' if share < 1 else ''}{100 * share:.0f} %"
    told = f"line 1: I lose the game in {some} of the futures by `bet 3`: red has nothing left [T7]"
    assert [str(ending) for ending in found.endings] == ([told] if share else [])
    assert found.doubts == ([told] if share else [])
    assert found.errors == []


@pytest.mark.parametrize(
    ("text", "line", "share"),
    [
        ("bet 3;\nrest;", 1, "50 %"),
        ("move scout rear;\nbet 3;", 2, "50 %"),  # what needs no dice changes nothing of it
        ("if alive scout then bet 3;\nrest;", 1, "50 %"),
        ("bet 1;\nbet 3;", 2, "about "),  # behind other dice
        ("hit lancer;\nif alive lancer then bet 3;", 2, "about "),
    ],
)
def test_the_share_of_what_is_counted_is_exact(duel: MakeDuel, text: str, line: int, share: str) -> None:
    game = duel()
    (ending,) = [one for one in check(game.view("anna"), "anna", text).endings if one.lost]
    assert (ending.line, ending.about) == (line, share == "about ")
    assert str(ending).startswith(f"line {line}: I lose the game in {share}")


def test_orders_on_one_line_have_shares_of_their_own(duel: MakeDuel) -> None:
    found = checked(duel(), "anna", "pull 1; hit lan; hit lan; hit lan; rest;", 1)
    assert [(lapse.line, lapse.words, lapse.share) for lapse in found.lapses] == [
        (1, ("hit", "lancer"), 1.0),
        (1, ("hit", "lancer"), 1.0),
    ]
    assert checked(duel(), "anna", "pull 1; hit lan; hit lan; hit lan; rest;", runs=0).lapses == []


def test_strict_stops_after_the_roll(duel: MakeDuel) -> None:
    found = checked(duel(), "anna", "strict;\nbet 2;\nbet 2;\nbet 2;\n", 1)
    assert [lapse.line for lapse in found.lapses] == [3]


def test_the_others_reactions_are_played_out(duel: MakeDuel) -> None:
    """By the default the lancer stands; 6 and 6 remove it, so that nobody can hit it at the rear or front again."""
    text = "hit lancer;\nif alive lancer then hit lancer;\nrest;"
    assert checked(duel(), "anna", text, 6).lapses == []
    assert [lapse.line for lapse in checked(duel(), "anna", text, 3, 4).lapses] == [2]
    asked = checked(duel(reactions="ask"), "anna", text, 3, 4)
    assert [lapse.line for lapse in asked.lapses] == [2], "as if the lancer stood, which the rules would choose"
    chosen = "who is asked something in these futures answers as the rules would choose"
    assert asked.remarks == [chosen, give_or_take(4)]
    by_rules = "where no standing order of ben's answers in these futures, the rules choose for ben"
    assert checked(duel(), "anna", text, 3, 4).remarks == [by_rules, give_or_take(4)]


def test_the_dice_behind_a_question_are_told_in_check_and_mail_alike(duel: MakeDuel) -> None:
    """Of the mail's reader it is first asked what the hit lancer does."""
    game = duel(reactions="ask")
    found = check(game.view("anna"), "anna", "hit lancer; bet 1; rest;")
    odds = {" ".join(words): came_words(came) for _, words, came in found.comes}
    assert odds["bet 1"] == "wins 1 50 %, loses 1 50 %"
    game.play("anna", "hit lancer; bet 1; rest;")
    data = mail_data(game.tables["anna"], game.scenario, "ben")
    assert {item["told"]: item["odds"] for item in data["orders"][0]["items"]}["Bet 1"] == odds["bet 1"]
    assert data["sampled"].startswith("Who is asked something in these futures answers as the rules would choose. ")


@pytest.mark.parametrize(("order", "when"), [
    ("if gone lancer then hit lancer", "whenever its condition holds"),
    ("stop if alive lancer; hit lancer", "whenever its turn comes"),
    ("if gone lancer then hit levy-1", ""),
])  # fmt: skip
def test_an_order_that_lapses_whenever_its_turn_comes_is_never_carried_out(
    duel: MakeDuel, order: str, when: str
) -> None:
    """In few of the futures, for in most of them it is passed over; it is asked about all the same."""
    found = check(duel().view("anna"), "anna", f"hit lancer;\n{order};\nrest;")
    assert found.errors == []
    lapses = [lapse for lapse in found.lapses if lapse.never]
    assert [lapse.never for lapse in lapses] == ([when] if when else [])
    assert found.doubts == [str(lapse) for lapse in lapses]
    for lapse in lapses:
        assert 0 < lapse.share < draft.DOUBTFUL
        cited = order.removeprefix("stop if alive lancer; ")
        assert str(lapse).startswith(f"line 2: `{cited}` lapses in ")
        assert f"% of the futures, {when}, and is never carried out, as in: lancer is " in str(lapse)
        assert lapse.reason == "lancer is not at the front, or was hit at before"


@pytest.mark.parametrize(
    ("order", "reason", "never"),
    [
        ("hit scout", "", "whenever its turn comes"),
        ("hit scout", "nobody hits in a storm", ""),  # by then; another reason than now
        ("hit lancer", "nobody hits in a storm", ""),
    ],
)
def test_what_is_barred_now_is_told_to_be_never_carried_out_though_its_turn_seldom_comes(
    duel: MakeDuel, order: str, reason: str, never: str
) -> None:
    """It was told to lapse in 3 % of the futures, as it waits in the others."""
    table = duel().view("anna")
    statements, _ = parse_statements(f"{order};\n")
    parts, _ = read_parts(table.rules, table.board, "red", statements, 1)
    tally = Tally(table, "red", parts)
    refusal = toy.play.why_not(table.game.state, "red", parts[0][1].order)  # type: ignore[union-attr]
    lapse = Lapse(1, ("bet",), 1, "T2", reason or (refusal.reason if refusal is not None else ""))
    tally.played, tally.lapsed[1, ""], tally.why[1, ""] = 100, 3, Counter({lapse: 3})
    assert [lapse.never for lapse in tally.lapses()] == [never]


def test_the_same_orders_in_the_same_position_find_the_same_futures(duel: MakeDuel) -> None:
    """What `check` prints is what `send` asks about, however the file is laid out; for other orders they are others.

    What the log holds beside the position, as signatures, doesn't count.
    """
    game = duel()
    text = "bet 2; bet 2; rest;"
    shares = [lapse.share for lapse in check(game.view("anna"), "anna", text).lapses]
    assert shares
    laid_out = "# mine\n\n" + text.replace("; ", ";\n")
    place = SimpleNamespace(table=game.view("anna"), me="anna")
    assert [lapse.share for lapse in checked_orders(None, place, None, laid_out).lapses] == shares  # type: ignore[arg-type]
    other = game.view("anna").fork()
    other.head = bytes(32)
    tried = ((game.view("anna"), text), (other, text), (other, f"{text} say well;"), (other, f"{text} bet 1;"))
    found = [[lapse.share for lapse in check(table, "anna", orders).lapses][: len(shares)] for table, orders in tried]
    assert found[:3] == [shares] * 3
    assert found[3] != shares


def test_without_done_there_is_a_remark(duel: MakeDuel) -> None:
    assert "there is no `rest;`" in checked(duel(), "anna", "bet 1;").remarks[0]
    assert checked(duel(), "anna", "bet 1; if gone scout then rest;").remarks == []
    assert checked(duel(), "anna", "").remarks


def test_nothing_is_checked_that_is_not_due(duel: MakeDuel) -> None:
    game = duel()
    with pytest.raises(Refused, match="nothing is due from ben"):
        checked(game, "ben", "rest;")
    with pytest.raises(Refused, match="nothing is due from ben"):
        form(game.view("ben"), "ben")
    for name in ("anna", "ben", "anna", "ben"):
        game.play(name, "rest;")
    with pytest.raises(Refused, match="the game is over"):
        checked(game, "anna", "rest;")
    with pytest.raises(Refused, match="the game is over"):
        form(game.view("anna"), "anna")


def test_a_bare_reveal_takes_no_orders(duel: MakeDuel) -> None:
    game = duel()
    game.play("anna", "move scout rear;")
    assert checked(game, "ben", "# nothing\n").errors == []
    found = checked(game, "ben", "say hello;")
    assert "only a reveal is due" in str(found.errors[0])
    assert "Only a reveal is due" in form(game.view("ben"), "ben")


def test_answers_are_checked(until: MakeDuel) -> None:
    game = until(
        lambda g: g.play("anna", "hit lancer; rest;") and None,
        lambda g: g.tables["ben"].due().what == "react",
        reactions="ask",
    )
    good = checked(game, "ben", "say ow;\nstanding flee all;\nflee lan;")
    assert (good.errors, good.remarks) == ([], ["standing orders: line 2 answers in none of 4 futures played out"])
    wrong = checked(game, "ben", "strict;\nflee lancer;\nstop if gone lancer;\n")
    assert told(wrong) == [(MalformedOrder, "line 1", ""), (MalformedOrder, "line 3", "")]
    illegal = checked(game, "ben", "flee levy-1;\nbet 1;\nstand lancer;")
    assert told(illegal) == [(IllegalOrder, "line 1", "T5"), (IllegalOrder, "line 2", "T5")]


def test_left_over_answers_are_no_error_of_the_next_orders(until: MakeDuel) -> None:
    def begin(game: Duel) -> None:
        game.play("anna", "hit lancer; rest;")
        if game.tables["ben"].due().what == "react":
            game.play("ben", "flee lancer; flee levy-1;")
            game.play("anna")

    game = until(begin, lambda g: len(g.blocks) == 5 and g.due() == "ben", reactions="ask")
    assert checked(game, "ben", "rest;").errors == []


def test_of_long_orders_fewer_futures_are_looked_at_and_that_is_said(
    duel: MakeDuel, monkeypatch: pytest.MonkeyPatch
) -> None:
    forks = []
    orders = "pull 1; hit lan; hit lan; rest;"  # seven words
    for module in (ahead, taking):
        monkeypatch.setattr(module, "imagine_on", lambda *args: forks.append(args) or IMAGINE_ON(*args))
    assert checked(duel(), "anna", orders, runs=9).remarks == [give_or_take(9)]
    assert len(forks) == 2 + 9  # to find what is illegal before the first roll, and what all futures share
    forks.clear()
    monkeypatch.setattr(draft, "WORDS", 7 * 3)
    found = checked(duel(), "anna", orders, runs=9)
    assert found.remarks == ["the orders are long: 3 of 9 futures were looked at", give_or_take(3)]
    assert len(forks) == 2 + 3
    assert {lapse.share * 3 for lapse in found.lapses} <= {1.0, 2.0, 3.0}
    monkeypatch.setattr(draft, "WORDS", 1)
    assert "1 of 9" in checked(duel(), "anna", orders, runs=9).remarks[0], "one is looked at in any case"


@pytest.mark.parametrize(("orders", "futures"), [("move sc rear; rest;", 1), ("move sc rear; bet 2; rest;", 9)])
def test_what_all_futures_share_is_played_once(
    duel: MakeDuel, monkeypatch: pytest.MonkeyPatch, orders: str, futures: int
) -> None:
    """Up to the first roll, which a move doesn't ask for."""
    judged, forks = [], []
    for module in (ahead, taking):
        monkeypatch.setattr(module, "imagine_on", lambda *args: forks.append(args) or IMAGINE_ON(*args))
    monkeypatch.setattr(Course, "_act", lambda *args: judged.append(args[-1].words) or ACT(*args))
    found = checked(duel(), "anna", orders, 6, runs=9)
    assert (found.errors, found.lapses, found.endings) == ([], [], [])
    assert len(forks) == 2 + futures
    assert judged.count(("move", "scout", "rear")) == 2
    assert judged.count(("rest",)) == (2 if futures == 1 else futures)


def test_an_order_is_judged_once_when_its_turn_comes(duel: MakeDuel, monkeypatch: pytest.MonkeyPatch) -> None:
    judged = []
    why_not = toy.play.why_not
    monkeypatch.setattr(toy.play, "why_not", lambda s, side, o: judged.append(o.words) or why_not(s, side, o))
    assert checked(duel(), "anna", "move sc rear; rest;", runs=0).errors == []
    assert [words for words in judged if words[0] == "move"] == [("move", "scout", "rear")]
    assert told(checked(duel(), "anna", "move sc rear; move sc rear; rest;", runs=0)) == [
        (IllegalOrder, "line 1", "T4")
    ]


def test_a_bare_begin_takes_no_orders(duel: MakeDuel, monkeypatch: pytest.MonkeyPatch) -> None:
    start = toy.start

    def started(b: Any, options: Any) -> Any:
        state = start(b, options)
        state.phase = "blue"
        return state

    monkeypatch.setattr("toy.start", started)
    game = duel()
    assert checked(game, "anna", "# nothing\n").errors == []
    assert "only a begin is due" in str(checked(game, "anna", "say hello;").errors[0])
    assert "Only a begin is due: `pbem send -o turn.eml`, without orders, sends it" in form(game.view("anna"), "anna")
    with pytest.raises(Refused, match="nothing is due from ben; `begin` of anna is due"):
        checked(game, "ben", "rest;")


@pytest.mark.parametrize("react", [False, True])
def test_talk_that_is_too_long_to_be_taken_is_told_before_it_is_signed(until: MakeDuel, react: bool) -> None:
    def begin(game: Duel) -> None:
        if react:
            game.play("anna", "hit lancer; rest;")

    game = until(begin, lambda g: not react or g.tables["ben"].due().what == "react", reactions="ask")
    name, words = ("ben", "flee lancer;") if react else ("anna", "rest;")
    line = "say " + "x" * 75 + ";\n"  # 81 bytes
    for last, fits in (("x" * 40, True), ("x" * 41, False)):
        text = line * 50 + f"say {last};\n{words}"
        found = checked(game, name, text)
        if fits:
            assert found.errors == []
            assert parse_entry(game.sign(name, text).payload).by == name
            continue
        assert ["4097 bytes, 4096 at most" in str(error) for error in found.errors] == [True]


def test_checking_changes_nothing(duel: MakeDuel) -> None:
    game = duel()
    before = game.table.dump()
    check(game.table, "anna", "bet 1; hit lancer; hit levy-1; rest;", random.Random(1))
    assert game.table.dump() == before


@pytest.mark.parametrize("number", range(3))
def test_what_is_checked_without_an_error_does_not_lapse_before_the_first_roll(duel: MakeDuel, number: int) -> None:
    """Random words: those that pass are signed and taken, those that don't would have lapsed."""
    chance = random.Random(number)
    game = duel(number, "long")
    options = [
        "bet 1;",
        "bet 2;",
        "pull 1;",
        "move scout rear;",
        "move lancer rear;",
        "hit lancer;",
        "hit scout;",
        "rest;",
    ]
    passed = failed = 0
    while (name := game.due()) is not None:
        text = "\n".join(chance.choices(options, k=chance.randrange(1, 4)))
        if game.view(name).due().what == "reveal":
            text = ""
        found = check(game.view(name), name, text, chance, 5)
        if found.errors:
            failed += 1
            continue
        passed += 1
        seen = len(game.tables[name].steps)
        game.play(name, text)
        for step in game.tables[name].steps[seen:]:
            if step["kind"] == "roll":
                break
            assert step["kind"] != "lapse"
    assert passed >= 3
    assert failed >= 3


def test_random_chances_fit_their_request() -> None:
    chance = random.Random(0)
    for _ in range(50):
        assert all(1 <= die <= 10 for die in chance_answer(Roll("x", 3, 10), chance))
        drawn = chance_answer(Draw("x", ("a", "a", "b"), 2), chance)
        assert sorted(drawn) in (["a", "a"], ["a", "b"])


@pytest.mark.parametrize("units", range(1, 40))
def test_an_order_of_the_form_that_is_too_long_for_a_line_goes_on_in_the_next(units: int) -> None:
    order = "melee ii-01 at ki-01 with " + " ".join(f"ii-{number:02}" for number in range(units)) + " or fewer;"
    for note, below in (("", 0), ("strength 3", 1)):
        lines = lines_of(order, note)
        assert all(len(line) <= 78 for line in lines)
        typed = lines[: len(lines) - (below if len(lines) > 1 else 0)]
        text = "\n".join(line.removeprefix("#") for line in typed)
        found, wrong = parse_statements(text)
        assert (wrong, [str(statement) for _, statement in found]) == ([], [order])
        if len(typed) > 1:
            assert parse_statements(text.splitlines()[0])[1], "who leaves the rest out is told so"


def test_every_order_of_the_form_is_legal(duel: MakeDuel) -> None:
    game = duel()
    game.play("anna", "standing stand all; rest;")
    game.play("ben", "rest;")
    text = form(game.view("anna"), "anna")
    lines = text.splitlines()
    assert lines[0] == "# A Duel of Counters"
    assert lines[1].startswith("# Turn 2 of ")
    assert any("in force: standing stand all" in line for line in lines)
    assert all(line.startswith("#") or not line for line in lines), "nothing is ordered before a # is taken away"
    assert checked(game, "anna", text).parts == []
    wide = pairwise([*lines, ""])  # a note that doesn't fit beside its order stands below it
    orders = [line[2:] for line, below in wide if "# as printed" in line or below.startswith("#     as printed; may")]
    assert len(orders) >= 10
    for order in orders:
        found = checked(game, "anna", order)
        assert found.errors == []
        assert len(found.parts) == 1


@pytest.mark.parametrize("name", SIDES)
def test_the_kind_that_is_checked_is_the_kind_that_is_signed(duel: MakeDuel, name: str) -> None:
    game = duel()
    while game.due() != name:
        game.play(game.due() or "", "rest;")
    assert checked(game, name, "rest;").errors == []
    assert parse_entry(game.sign(name, "rest;").payload).kind == "orders"


def test_behind_a_hundred_errors_no_more_orders_are_read(duel: MakeDuel, monkeypatch: pytest.MonkeyPatch) -> None:
    """For each of 4,990 unknown units the nearest was sought: 18 seconds."""
    sought: list[str] = []
    real = pbem.words.closest
    monkeypatch.setattr(pbem.words, "closest", lambda word, *more: (sought.append(word), real(word, *more))[1])
    text = "".join(f"move {'unheard-of-' * 5}{number} to rear;\n" for number in range(4990))
    found = checked(duel(), "anna", text)
    assert len(found.errors) == 101
    assert str(found.errors[-1]).startswith("line 101: too many errors; from here on nothing is read")
    assert len(sought) <= 300
