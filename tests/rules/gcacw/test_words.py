"""The order language of the system: orders, standing orders and conditions, written and read."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pbem.errors import AmbiguousOrder, MalformedOrder
from pbem.rules import gcacw
from pbem.rules.gcacw.board import Board
from pbem.rules.gcacw.standing import CONDITIONS, STATES
from pbem.rules.gcacw.state import State
from pbem.rules.gcacw.wording import USAGE, WORDS

Boards = Callable[[str], Board]
Campaign = Callable[..., State]

ORDERS = [
    "place ripley at N1633",
    "transfer longstreet kemper",
    "march ap-hill",
    "march ap-hill N1630 N1529",
    "march ap-hill with jackson N1630",
    "march ap-hill with jackson",
    "march hood with longstreet lee N1830 force",
    "march hood N1830 force route",
    "march hood N1830 attack N1929",
    "march hood attack N1929 prepared",
    "march hood with lee N1830 force attack N1929 hasty unbridge N1830 N1831",
    "activate jackson march ap-hill N1630 march ewell-b",
    "activate jackson hop ewell-b march ap-hill N1630 attack N1529 normal march ewell-b with jackson N1529 force",
    "assault jackson at N1529 by ap-hill ewell-b",
    "grand lee at N1529 under longstreet by hood kemper and ap-hill evans",
    "raid hood",
    "pass",
    "entrench wilcox",
    "bridge wilcox N1529",
    "put-off ripley",
    "merge csa-sub-1 into hood",
    "march hood N1820 detach csa-sub-1 3 csa-sub-2 2 N1820",
    "march hood N1820 attack N1919 detach csa-sub-1 3",
    "forage hood",
    "forage hood evans",
    "fall jackson",
    "feed hood evans",
    "close transfer",
    "close attachment",
    "close action",
    "close recovery",
    "evade yes",
    "evade no",
    "refuse yes",
    "refuse no",
    "retreat N1630 N1529",
    "lose evans hood hood",
    "advance ap-hill",
    "advance none",
    "join jackson ap-hill",
    "done",
]


@pytest.fixture
def board(board_of: Boards, request: pytest.FixtureRequest) -> Board:
    """The board of a battle; where a substitute is named, that of a campaign, without names of a second sheet."""
    text = request.node.callspec.params.get("text", "") if hasattr(request.node, "callspec") else ""
    return board_of("rapidan-to-manassas" if "csa-sub" in text else "to-bull-run")


def read(board: Board, text: str, side: str = "confederate") -> object:
    return gcacw.read_order(board, side, tuple(text.split()))


@pytest.mark.parametrize("text", ORDERS)
def test_orders_survive_their_words(board: Board, text: str) -> None:
    order = read(board, text)
    words = gcacw.order_words(board, order)
    assert " ".join(words) == text
    assert gcacw.read_order(board, "confederate", words) == order


def test_an_order_by_rail_survives_its_words(board: Board) -> None:
    for text in ("rail taylor N5521 N5420", "rail taylor with franklin N5521"):
        order = read(board, text, "union")
        assert " ".join(gcacw.order_words(board, order)) == text
    for text in ("rail taylor", "rail taylor N5521 force", "rail taylor N5521 attack N5420"):
        with pytest.raises(MalformedOrder):
            read(board, text, "union")


def test_every_keyword_is_one_of_the_orders_tried() -> None:
    assert {text.split()[0] for text in ORDERS} | {"rail"} == {*USAGE}
    assert {*USAGE} <= WORDS


@pytest.mark.parametrize(
    ("text", "means"),
    [
        ("march hood with lngstreet warrenton_junction", "march hood with longstreet N3131"),
        ("march a.p. hill with jackson bull run bridge", "march ap-hill with jackson N4422"),
        ("march hood manassas junction force attack white plains hasty", "march hood N4124 force attack N2518 hasty"),
        ("assault jackson at fairfax station by a.p. hill ewell", "assault jackson at N5020 by ap-hill ewell-b"),
        ("activate jackson hop ewell march a.p. hill hay market", "activate jackson hop ewell-b march ap-hill N3220"),
        ("march d.r. jones S3108", "march dr-jones N3131"),
        ("march d.r. jones 3131", "march dr-jones N3131"),
        ("place ripley at n1633", "place ripley at N1633"),
    ],
)
def test_units_and_places_are_read_by_whatever_they_are_called(board: Board, text: str, means: str) -> None:
    assert read(board, text) == read(board, means)


@pytest.mark.parametrize("name", ["iii-corps", "kearny", "Heintzelman", "hooker"])
def test_reinforcements_are_read_by_the_name_of_any_of_them(board_of: Boards, name: str) -> None:
    """`put-off kearny` was refused: `kearny` is no arrival."""
    board = board_of("rapidan-to-manassas")
    means = "hooker" if name == "hooker" else "iii-corps"
    for words in (("put-off", name), ("place", name, "at", "S5021")):
        order = gcacw.read_order(board, "union", words)
        assert gcacw.order_words(board, order) == (words[0], means, *words[2:]), "what is signed has the arrival's id"
    with pytest.raises(MalformedOrder, match="`king` is no arrival"):
        gcacw.read_order(board, "union", ("put-off", "king"))


@pytest.mark.parametrize(
    ("text", "what", "hint"),
    [
        ("marsh hood N1830", "`marsh` is no order", "did you mean `march"),
        ("march hoood N1830", "no unit is called `hoood`", "the nearest is hood Hood"),
        ("march", "`march` can't be read", "write `march U"),
        ("march hood with evans N1830", "`evans` is no leader", "write `march U"),
        ("march hood N1830 force hard", "`hard` can't stand behind `force`", "write `force` or `force route`"),
        ("march hood attack", "no hex stands behind `attack`", "write `attack HEX`"),
        ("march hood attack N1830 norml", "`norml` is no kind of march attack", "the nearest is `normal`"),
        ("march hood unbridge N1830", "can't be read", "write `march U"),
        ("march hood force N1830 force", "`force` stands there twice", "write `march U"),
        ("march hood N1830 with lee N1831", "the way stands in two places", "write `march U"),
        ("close retreat", "`retreat` is no step that an order closes", ""),
        ("place riply at N1633", "`riply` is no arrival", "the nearest is `ripley`"),
        ("activate jackson", "can't be read", "write `activate LEADER"),
        ("activate jackson jump ewell-b march ap-hill", "`jump` can't stand there", "write `activate LEADER"),
        ("activate jackson march ap-hill march", "no unit stands behind `march`", "write `activate LEADER"),
        ("assault jackson at N1529", "can't be read", "write `assault LEADER"),
        ("grand lee at N1529 under longstreet by hood", "can't be read", "write `grand LEADER"),
        ("grand lee at N1529 under longstreet by and hood", "can't be read", "write `grand LEADER"),
        ("evade maybe", "can't be read", "write `evade yes|no`"),
        ("lose", "can't be read", "write `lose U ...`"),
        ("retreat", "can't be read", "write `retreat HEX ...`"),
        ("march hood N9999", "'N9999' isn't a hex number", ""),
        ("march hood attack Buford", "`Buford` is a counter, and a hex is wanted", "the hex in which Buford stands"),
        ("march hood N1830 and N1831", "`and` isn't a hex number", ""),
        ("march hood S0130", "is only on sheet S", ""),
        ("flank hood", "`flank` is no order", ""),
    ],
)
def test_what_cannot_be_read_is_told_with_what_would_be_right(board: Board, text: str, what: str, hint: str) -> None:
    with pytest.raises(MalformedOrder) as caught:
        read(board, text)
    assert what in str(caught.value)
    assert hint in str(caught.value.hint)


def test_a_word_that_calls_several_is_told_with_all(board: Board) -> None:
    with pytest.raises(AmbiguousOrder) as caught:
        read(board, "march s N1830", "union")
    assert "fits" in str(caught.value)


# --- standing orders --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "means"),
    [
        ("evade any yes", "evade any yes"),
        ("evade f. lee no", "evade f-lee no"),
        ("lose any evans hood", "lose any evans hood"),
        ("lose a.p. hill ewell", "lose ap-hill ewell-b"),
        ("retreat any 3", "retreat any 3"),
        ("retreat hood 2 N1633", "retreat hood 2 N1633"),
        ("retreat hood bull run bridge", "retreat hood N4422"),
        ("advance any able", "advance any able"),
        ("join jackson ap-hill ewell", "join jackson ap-hill ewell-b"),
        ("evade any", "evade any"),
        ("join lngstreet", "join longstreet"),
    ],
)
def test_standing_orders_are_read_with_full_ids(board: Board, text: str, means: str) -> None:
    words = gcacw.read_standing(board, "confederate", tuple(text.split()))
    assert " ".join(words) == means
    assert gcacw.read_standing(board, "confederate", words) == words


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("evade", "can't be read"),
        ("flee any yes", "`flee` is no standing order"),
        ("evade any perhaps", "`perhaps` can't stand there"),
        ("evade any yes no", "`no` is too much"),
        ("advance any brave", "`brave` can't stand there"),
        ("retreat any 3 N1633 N1634", "is too much"),
        ("retreat any 9", "`9` is no number from 2 to 6, the hexes of a retreat"),
        ("retreat any 1", "`1` is no number from 2 to 6"),
        ("retreat any 0", "`0` is no number from 2 to 6"),
        ("retreat hood 77 N1633", "`77` is no number from 2 to 6"),
        ("retreat any 7", "`7` is no number from 2 to 6"),
        ("retreat king 2", "isn't yours"),
        ("lose any king", "king King is no combat unit of yours"),
        ("lose any jackson", "jackson Jackson is no combat unit of yours"),
        ("join hood ap-hill", "`hood` is no leader"),
        ("join any ap-hill", "`any` is no leader"),
    ],
)
def test_a_wrong_standing_order_is_told(board: Board, text: str, what: str) -> None:
    with pytest.raises(MalformedOrder) as caught:
        gcacw.read_standing(board, "confederate", tuple(text.split()))
    assert what in str(caught.value)
    assert caught.value.hint


def test_a_standing_order_for_who_is_lost_answers_nothing_but_a_leader_may_come_back(campaign: Campaign) -> None:
    s = campaign("to-bull-run")
    orders = [("evade", "f-lee", "no"), ("join", "jackson", "ap-hill"), ("retreat", "hood", "3")]
    assert gcacw.in_force(s, orders) == orders
    for unit in ("f-lee", "jackson"):
        s.remove(unit)
    assert gcacw.in_force(s, orders) == orders[1:]
    refusal = gcacw.why_unanswered(s, orders[0])
    assert refusal is not None
    assert refusal.reason == "f-lee F. Lee was lost in turn 1"
    assert gcacw.why_unanswered(s, orders[1]) is None
    assert gcacw.why_unanswered(s, ("evade", "f-lee")) is None  # it ends the order


# --- conditions -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "means"),
    [
        ("gone hood", "gone hood"),
        ("alive a.p. hill", "alive ap-hill"),
        ("at a.p. hill bull run bridge", "at ap-hill N4422"),
        ("empty S3108", "empty N3131"),
        ("held manassas junction union", "held N4124 union"),
        ("is hood held", "is hood held"),
        ("near hood 2", "near hood 2"),
        ("tired f. lee 3", "tired f-lee 3"),
        ("short hood", "short hood"),
        ("row union 02", "row union 2"),
        ("fought warrenton junction", "fought N3131"),
    ],
)
def test_conditions_are_read_with_full_ids(board: Board, text: str, means: str) -> None:
    words = gcacw.read_test(board, tuple(text.split()))
    assert " ".join(words) == means
    assert gcacw.read_test(board, words) == words


@pytest.mark.parametrize(
    "text",
    [
        "near hood",
        "near hood x",
        "near hood 100",
        "row",
        "row 2",
        "row union -1",
        "row lee 2",
        "short",
        "fought",
        "is hood tall",
        "was hood",
        "",
    ],
)
def test_a_wrong_condition_is_told(board: Board, text: str) -> None:
    with pytest.raises(MalformedOrder) as caught:
        gcacw.read_test(board, tuple(text.split()))
    assert caught.value.hint


def test_what_conditions_mean(campaign: Campaign) -> None:
    s = campaign("to-bull-run", {"hood": "N1828 8 F2 disorganised works 1"}, turn=2, choice="confederate")

    def holds(text: str) -> bool:
        return gcacw.test(s, gcacw.read_test(s.board, tuple(text.split())))

    assert [holds(f"tired hood {n}") for n in (1, 2, 3)] == [True, True, False]
    assert [holds(f"near va-2 {n}") for n in (1, 99)] == [False, True]
    assert holds("near ricketts 1")  # Robertson and Hood are beside him
    assert not holds("short hood")
    s.shorts.add("hood")
    assert holds("short hood")
    assert not holds("row union 1")
    s.row = "union 2"
    for s.choice in ("confederate", "union"):  # whoever decides
        assert [holds(f"row union {n}") for n in (1, 2, 3)] == [True, True, False]
        assert not holds("row confederate 1")
    assert not holds("fought N1829")
    s.fights.add("N1829")
    assert holds("fought N1829")
    assert holds("held N1829 confederate")
    assert not holds("held N4422 union")
    assert holds("empty N4422")
    assert holds("at hood N1828")
    states = {word: holds(f"is hood {word}") for word in STATES}
    assert states == {"disorganised": True, "demoralised": False, "held": False, "zone": True, "entrenched": True} | {
        "unsupplied": False,
        "killed": False,
    }
    s.demoralise("hood", 1)
    assert holds("is hood demoralised")
    assert holds("is kearny held")
    s.remove("hood")
    assert (holds("gone hood"), holds("alive hood"), holds("is hood zone"), holds("tired hood 0")) == (
        True,
        *[False] * 3,
    )
    assert not holds("near hood 9")


def test_conditions_are_those_of_the_kit_and_eight_more() -> None:
    basic = {"gone", "alive", "at", "empty", "held", "is", "near", "tired", "short", "row", "fought"}
    assert {*CONDITIONS} == basic | {"weather", "panic", "paralysed"}
