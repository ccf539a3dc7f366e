"""The order language of the system: orders as words, officers, castles and hexes by whatever they are called."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from rules.sengoku.activities import moments

from pbem.errors import AmbiguousOrder, MalformedOrder
from pbem.match.orders import read_parts, statement_of
from pbem.rules import sengoku
from pbem.rules.requests import Words
from pbem.rules.sengoku.board import Board
from pbem.rules.sengoku.naming import castle_id
from pbem.rules.sengoku.orders import Drop, Move, Organise, Replenish
from pbem.rules.sengoku.scenario import board as board_of
from pbem.rules.sengoku.standing import SENSIBLE, STANDING, holds, in_force, read_standing, read_test, why_unanswered
from pbem.rules.sengoku.state import State
from pbem.rules.sengoku.wording import USAGE, order_words, read_order
from pbem.wire.orderfile import parse_statements


@pytest.fixture(scope="module")
def board(shipped: Mapping[str, Any]) -> Board:
    return board_of(shipped)


ORDERS = [
    "place hb-01 at 1623",
    "place hb-01 hb-04 hb-06 at 1623 enter",
    "declare mori",
    "close deployment",
    "close situation",
    "move hb-01 1622 1722",
    "move hb-01 1622 strategic",
    "move hb-01 1622 1623 enter",
    "move hb-01 1622 strategic enter leave hb-02 hb-05 at 1622 leave hb-07 at 1623",
    "move hb-01 out",
    "move hb-01 out strategic",
    "move hb-01 enter",
    "move hb-01 enter leave hb-02 at 1623",
    "attack hb-01 at sb-01",
    "attack hb-01 at sb-01 sb-02",
    "battle hb-01 at sb-01",
    "battle hb-01 at sb-01 with hb-02 hb-05 until 50 skirmish sb-01 sb-02",
    "battle hb-01 at sb-01 until 0",
    "battle hb-01 at sb-01 until 100",
    "give-battle sb-01 sb-02",
    "give-battle none",
    "fight-on yes",
    "fight-on no",
    "advance hb-01",
    "advance none",
    "besiege gifu by hb-01 hb-02",
    "besiege gifu by hb-01 assault",
    "assault kameyama-tamba by tk-01 tk-02",
    "call gifu by hb-01",
    "lift hb-01",
    "organise hb-01 as hb-01 hb-04 and hb-05",
    "organise hb-01 as hb-01 replenish",
    "organise hb-01 as hb-01 and hb-05 hb-06 replenish hb-01 hb-04",
    "organise hb-01 as hb-01 hb-04 replenish castle himeji",
    "replenish hb-01",
    "replenish hb-01 hb-04 hb-05",
    "replenish hb-01 castle himeji",
    "replenish hb-01 castle himeji hb-04",
    "recover hb-01",
    "lose hb-04 hb-04 hb-05",
    "give-way 0",
    "give-way 4",
    "retreat hb-01 1622 1722",
    "retreat hb-01 1622 enter",
    "retreat hb-01 enter",
    "counter yes",
    "counter no",
    "lift-attacked none",
    "lift-attacked hb-01 hb-02",
    "pursue hb-01 stay",
    "pursue hb-01 1622 1722",
    "offer himeji hb-04 hb-05",
    "offer himeji none",
    "accept yes",
    "accept no",
    "demand gifu kb-01 kb-02",
    "traitors himeji hb-04",
    "march-out himeji 3126",
    "done",
]


@pytest.mark.parametrize("text", ORDERS)
def test_orders_survive_their_words(board: Board, text: str) -> None:
    order = read_order(board, "hashiba", tuple(text.split()))
    assert " ".join(order_words(board, order)) == text
    assert text.isascii()


def test_every_kind_of_order_is_among_them() -> None:
    assert {text.split()[0] for text in ORDERS} == USAGE.keys()


@pytest.mark.parametrize(
    ("text", "full"),
    [
        ("place Hashiba Hideyoshi Asano Nagamasa at Himeji enter", "place hb-01 hb-04 at 1623 enter"),
        ("move hideyoshi 1622", "move hb-01 1622"),
        ("move Hashiba Hideyoshi 1622 strategic", "move hb-01 1622 strategic"),
        ("move hb-01 Himeji enter", "move hb-01 1623 enter"),
        ("move hb-01 kameyama-tamba", "move hb-01 3220"),
        ("move hb-01 1622 leave Asano Nagamasa at 1622 enter", "move hb-01 1622 enter leave hb-04 at 1622"),
        ("attack hb-01 at Shibata Katsuie", "attack hb-01 at sb-01"),
        ("besiege Gifu by Hashiba Hideyoshi Hashiba Hidenaga assault", "besiege gifu by hb-01 hb-02 assault"),
        ("besiege kameyama of tamba by hb-01", "besiege kameyama-tamba by hb-01"),
        ("besiege Kameyama_of_Tamba by hb-01", "besiege kameyama-tamba by hb-01"),
        ("besiege kiyo by hb-01", "besiege kiyosu by hb-01"),
        ("call 5313 by hb-01", "call gifu by hb-01"),
        ("demand kameyama of tamba Shibata Katsuie", "demand kameyama-tamba sb-01"),
        ("demand gifu nobutaka", "demand gifu kb-01"),
        ("march-out gifu Kiyosu", "march-out gifu 5416"),
        ("organise hb-01 as hb-01 asano nagamasa and hb-05", "organise hb-01 as hb-01 hb-04 and hb-05"),
    ],
)
def test_officers_castles_and_hexes_are_called_as_players_call_them(board: Board, text: str, full: str) -> None:
    assert " ".join(order_words(board, read_order(board, "hashiba", tuple(text.split())))) == full


def test_words_stand_for_the_fields_of_their_orders(board: Board) -> None:
    def read(text: str) -> Any:
        return read_order(board, "hashiba", tuple(text.split()))

    h, other = board.parse("1622"), board.parse("1623")
    assert read("move hb-01 1622 strategic enter") == Move("hb-01", (h,), strategic=True, enter=True)
    assert read("move hb-01 1622 leave hb-02 hb-05 at 1623") == Move(
        "hb-01", (h,), drops=(Drop(other, ("hb-02", "hb-05")),)
    )
    assert read("organise hb-01 as hb-01 and hb-05 hb-06 replenish hb-05") == Organise(
        "hb-01", (("hb-01",), ("hb-05", "hb-06")), Replenish("hb-01", None, ("hb-05",))
    )


@pytest.mark.parametrize(
    ("text", "why", "hint"),
    [
        ("", "is no order", "there are: place"),
        ("mvoe hb-01 1622", "`mvoe` is no order", "move FORCE HEX"),
        ("place hb-01 1623", "can't be read", "place U ... at HEX"),
        ("place at 1623", "can't be read", "place U ... at HEX"),
        ("place hb-01 at 1623 1624", "can't be read", "place U ... at HEX"),
        ("declare nobody", "`nobody` is no army", "the nearest is"),
        ("close lines", "`lines` is no step", "situation"),
        ("move hb-01", "can't be read", "move FORCE HEX"),
        ("move hb-01 strategic", "that is no way", "move FORCE out"),
        ("move hb-01 1622 out", "that is no way", "move FORCE out"),
        ("move hb-01 out enter", "that is no way", "move FORCE enter"),
        ("move hb-01 1622 enter 1623", "`1623` can't stand there", "move FORCE HEX"),
        ("move hb-01 1622 leave", "no `U ... at HEX` stands behind `leave`", "leave U ... at HEX"),
        ("move hb-01 1622 leave hb-02", "no `U ... at HEX` stands behind `leave`", "leave U ... at HEX"),
        ("move hb-01 9999", "9999", ""),
        ("move hb-99 1622", "no unit is called `hb-99`", "ids are hb-01 to hb-41"),
        ("attack hb-01 sb-01", "can't be read", "attack FORCE at V ..."),
        ("battle hb-01", "can't be read", "battle FORCE at V"),
        ("battle hb-01 at sb-01 sb-02", "`sb-02` can't stand behind the target", "battle FORCE at V"),
        ("battle hb-01 at sb-01 with", "no force stands behind `with`", "battle FORCE at V"),
        ("battle hb-01 at sb-01 until", "no number stands behind `until`", "battle FORCE at V"),
        ("battle hb-01 at sb-01 until 101", "`101` is no share", "until 50"),
        ("battle hb-01 at sb-01 until half", "`half` is no share", "until 50"),
        ("give-battle", "can't be read", "give-battle FORCE ... | none"),
        ("besiege gifu", "can't be read", "besiege CASTLE by FORCE"),
        ("besiege by hb-01", "can't be read", "besiege CASTLE by FORCE"),
        ("besiege gifu by assault", "no force stands behind `by`", "besiege CASTLE by FORCE"),
        ("besiege gifi by hb-01", "no castle is called `gifi`", "the nearest is `gifu`"),
        ("besiege xx by hb-01", "no castle is called `xx`", "castles are such as `himeji`"),
        ("call gifu by hb-01 hb-02", "one force calls on a castle", "call CASTLE by FORCE"),
        ("lift hb-01 hb-02", "can't be read", "lift FORCE"),
        ("organise hb-01 as hb-01 and", "no unit stands behind `and`", "organise FORCE as U"),
        ("organise hb-01 as replenish", "no unit stands behind `as`", "organise FORCE as U"),
        ("organise hb-01 hb-02", "can't be read", "organise FORCE as U"),
        ("replenish hb-01 castle", "no castle stands behind `castle`", "replenish FORCE"),
        ("give-way four", "can't be read", "give-way HEXES"),
        ("counter maybe", "can't be read", "counter yes | no"),
        ("march-out gifu", "can't be read", "march-out CASTLE HEX"),
        ("march-out gifu 5416 5417", "can't be read", "march-out CASTLE HEX"),
        ("demand gifu", "can't be read", "demand CASTLE U"),
        ("done now", "can't be read", "done"),
    ],
)
def test_words_that_make_no_order_are_refused_with_what_would_be_right(
    board: Board, text: str, why: str, hint: str
) -> None:
    with pytest.raises(MalformedOrder) as caught:
        read_order(board, "hashiba", tuple(text.split()))
    assert why in str(caught.value)
    assert hint in (caught.value.hint or "")


def test_words_that_fit_several_are_refused_with_all_of_them(board: Board) -> None:
    with pytest.raises(AmbiguousOrder, match="fits 2 castles") as caught:
        castle_id(board, "kam")
    assert "kameyama, kameyama-tamba" in (caught.value.hint or "")
    assert castle_id(board, "kameyama") == "kameyama"
    with pytest.raises(AmbiguousOrder):
        read_order(board, "hashiba", ("recover", "hashiba"))


# --- standing orders --------------------------------------------------------------------------------------------------


STANDING_ORDERS = [
    "lose any hb-04 hb-05",
    "lose hb-01 hb-04",
    "lose any",
    "give-way any steps",
    "give-way hb-01 retreat",
    "give-way any refuge",
    "give-way any 3+",
    "give-way any refuge 4+ steps",
    "retreat any castle 1622",
    "retreat hb-01 1622",
    "counter any yes",
    "counter hb-01 no",
    "lift any if-half-hurts",
    "lift hb-01 yes",
    "pursue any far",
    "pursue hb-01 2",
    "consent any yes",
    "join hb-02 no",
    "fight-on any 0",
    "fight-on hb-01 100",
    "advance any yes",
    "accept any 2",
    "accept gifu 0",
    "demand any sb-01",
    "demand gifu kb-01 kb-02",
    "traitors himeji hb-04",
    "march-out any 3126",
    "march-out himeji 3126 1622",
    "march-out himeji",
]


@pytest.mark.parametrize("text", STANDING_ORDERS)
def test_standing_orders_survive_their_words(board: Board, text: str) -> None:
    assert " ".join(read_standing(board, "hashiba", tuple(text.split()))) == text


def test_every_kind_of_standing_order_is_among_them() -> None:
    assert {text.split()[0] for text in STANDING_ORDERS} == STANDING.keys()


@pytest.mark.parametrize(
    ("text", "full"),
    [
        ("lose Hashiba Hideyoshi Asano Nagamasa", "lose hb-01 hb-04"),
        ("retreat hideyoshi Himeji castle", "retreat hb-01 1623 castle"),
        ("demand kameyama of tamba Shibata Katsuie", "demand kameyama-tamba sb-01"),
        ("march-out 1623 Osaka", "march-out himeji 3126"),
    ],
)
def test_standing_orders_call_things_as_players_do(board: Board, text: str, full: str) -> None:
    assert " ".join(read_standing(board, "hashiba", tuple(text.split()))) == full


@pytest.mark.parametrize(
    ("text", "why", "hint"),
    [
        ("stand any", "is no standing order", "there are: lose"),
        ("counter", "can't be read", "counter FORCE|any yes|no"),
        ("counter any maybe", "`maybe` can't stand there", "counter FORCE|any yes|no"),
        ("counter any yes no", "`no` is too much", "counter FORCE|any yes|no"),
        ("counter sb-01 yes", "isn't yours", "your own units"),
        ("lose any hb-04 sb-01", "sb-01 Shibata Katsuie isn't yours", "your own"),
        ("traitors gifu sb-01", "isn't yours", "your own"),
        ("give-way any 0+", "`0+` can't stand there", "N+"),
        ("give-way any 3", "`3` can't stand there", "N+"),
        ("fight-on any 101", "`101` can't stand there", "fight-on FORCE|any N`, N from 0 to 100"),
        ("pursue any 12", "`12` can't stand there", "far|N`, N from 0 to 9"),
        ("retreat any 9999", "9999", ""),
        ("retreat any castel", "castel", "did you mean `castle`?"),
        ("accept any 100", "`100` can't stand there", "N from 0 to 99"),
        ("demand gifi kb-01", "no castle is called `gifi`", "the nearest is `gifu`"),
    ],
)
def test_other_standing_orders_are_refused_with_what_would_be_right(
    board: Board, text: str, why: str, hint: str
) -> None:
    with pytest.raises(MalformedOrder) as caught:
        read_standing(board, "hashiba", tuple(text.split()))
    assert why in str(caught.value)
    assert hint in (caught.value.hint or "")


def test_the_set_to_begin_with_is_read_and_stands_in_the_players_page(board: Board) -> None:
    page = (Path(__file__).parents[3] / "docs" / "sengoku.md").read_text("utf-8")
    for words in SENSIBLE:
        assert read_standing(board, "hashiba", words) == words
        assert f"    standing {' '.join(words)};\n" in page


def test_the_set_to_begin_with_answers_the_questions_of_whole_campaigns(shipped: Mapping[str, Any]) -> None:
    """Where it leaves one, the rules answer: nothing waits for a mail in the other side's phase."""
    answered, left = set(), set()
    for _, request in moments(shipped, 5, 10**6, reactions=True):
        assert request.standing is not None
        assert request.default is not None
        found = request.standing(list(SENSIBLE))
        (left if found is None else answered).add(request.kind)
        assert request.why_not(request.default() if found is None else found) is None
    assert answered >= {"counter", "give-way"}
    assert left <= {"losses", "traitors", "demand", "march-out", "retreat"}


def test_standing_orders_of_lost_units_are_in_force_no_more(field: Callable[..., State]) -> None:
    s = field(". . .", {"hb-01 hb-04": "0101", "hb-02": "0102"})
    orders: list[Words] = [("counter", "any", "yes"), ("counter", "hb-02", "no"), ("demand", "gifu", "kb-01")]
    assert in_force(s, orders) == orders
    assert why_unanswered(s, orders[1]) is None
    s.remove("hb-02")
    assert in_force(s, orders) == [orders[0], orders[2]]
    refusal = why_unanswered(s, orders[1])
    assert refusal is not None
    assert "was lost in inning 1" in refusal.reason
    assert [why_unanswered(s, orders[i]) for i in (0, 2)] == [None, None]
    assert in_force(s, [*orders, ("counter", "any")]) == [orders[2]]


# --- conditions -------------------------------------------------------------------------------------------------------


def test_conditions(field: Callable[..., State]) -> None:
    s = field(
        ". . . .\n . . . .",
        {
            "hb-01 hb-04": "0101 reduced hb-04", "kb-01": "0102 shut-in", "hb-02 hb-05": "0102 besieging",
            "sb-02": "0203 morale -1 acted", "hb-08": "0103",
        },
        castles={"gifu": "0102 kobe 1", "sone": "0103 inaba 0 3", "ono": "0201 nobody 1 0"},
        main={"hashiba": "sone"},
    )  # fmt: skip
    s.form(("hb-06",), s.board.parse("0104"))
    s.remove("hb-06")
    s.hold("sone", "kobe")

    def test(text: str) -> bool:
        return holds(s, read_test(s.board, tuple(text.split())))

    for true in (
        "gone hb-06", "alive hb-01", "at hb-04 0101", "at kb-01 gifu", "empty 0204", "held 0101 hashiba",
        "held gifu anti-hashiba", "fallen sone", "held 0203 anti-hashiba", "is hb-01 leader", "is hb-04 reduced",
        "is sb-02 shaken", "is sb-02 acted", "is kb-01 shut-in", "is hb-05 besieging", "held sone anti-hashiba",
    ):  # fmt: skip
        assert test(true), true
    for false in (
        "gone hb-01", "alive hb-06", "at hb-04 0102", "at hb-06 0104", "empty 0101", "held 0101 anti-hashiba",
        "held gifu hashiba", "held ono hashiba", "fallen gifu", "fallen ono", "is hb-04 leader", "is hb-01 reduced",
        "is hb-01 shaken", "is hb-01 acted", "is hb-01 shut-in", "is hb-01 besieging", "is hb-08 supplied",
        "is hb-06 reduced", "held sone hashiba", "held 0204 hashiba",
    ):  # fmt: skip
        assert not test(false), false
    s.hold("sone", "hashiba")
    assert test("is hb-08 supplied")
    assert not test("fallen sone")
    s.hold("sone", None)
    assert test("fallen sone")
    for wrong in (
        "is hb-01 disordered",
        "held 0101 nobody",
        "at hb-01",
        "gone xx",
        "maybe hb-01",
        "fallen",
        "fallen xx",
    ):
        with pytest.raises(MalformedOrder):
            test(wrong)


def test_a_fallen_castle_may_be_the_condition_of_an_order(board: Board) -> None:
    statements, _ = parse_statements("if fallen Gifu and not held kiyosu anti-hashiba then move hideyoshi 1622;")
    ((_, part),), errors = read_parts(sengoku, board, "hashiba", statements)
    assert errors == []
    assert str(statement_of(part)) == "if fallen gifu and not held 5416 anti-hashiba then move hb-01 1622;"


def test_whoever_names_none_is_told_of_all_conditions(board: Board) -> None:
    statements, _ = parse_statements("if near hb-01 then done")
    _, (error,) = read_parts(sengoku, board, "hashiba", statements)
    there = "gone, alive, at, empty, held, is, fallen, perhaps behind `not`"
    assert str(error) == f"line 1: `near` is no condition; there are: {there}"
