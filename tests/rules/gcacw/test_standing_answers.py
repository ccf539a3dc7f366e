"""What standing orders answer while the other side acts: going back, losses, ways, advances, leaders (rc-reactions)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from rules.gcacw.activities import asked, run

from pbem.rules.gcacw import harm, retreat
from pbem.rules.gcacw.advance import advance
from pbem.rules.gcacw.cavalry import evade
from pbem.rules.gcacw.combat import Fight
from pbem.rules.gcacw.leaders import settle
from pbem.rules.gcacw.orders import Advance, Evade, FallBack, Join, Losses
from pbem.rules.gcacw.retreat import flight
from pbem.rules.gcacw.standing import read_standing
from pbem.rules.gcacw.state import State
from pbem.rules.requests import Choose

Field = Callable[..., State]

WIDE = "\n".join([". " * 9] * 9)


def answer(s: State, question: Choose, *orders: str) -> Any:
    """What these standing orders, the latest last, answer; None where they say nothing. It must be legal."""
    assert question.standing is not None
    read = [read_standing(s.board, question.side, tuple(order.split())) for order in orders]
    found = question.standing(read)
    assert found is None or question.why_not(found) is None
    return found


def question_of(activity: Any, *dice: int) -> Choose:
    """The first question of an activity."""
    return asked(run(activity, dice))[0]


@pytest.mark.clause("std-7.7-1")
def test_evade(field: Field) -> None:
    s = field(WIDE, {"buford": "0505 6", "ewell-b": "0504 8", "bayard": "0909 1"})
    question = question_of(evade(s, s.at["buford"], ["ewell-b"], [s.at["ewell-b"]]))
    assert question.default is not None
    assert question.default() == Evade(made=False)
    assert {*question.options()} == {Evade(made=False), Evade(made=True)}
    for orders, expected in (
        (("evade buford yes",), Evade(made=True)),
        (("evade any yes",), Evade(made=True)),
        (("evade any yes", "evade buford no"), Evade(made=False)),
        (("evade bayard yes",), None),
        ((), None),
    ):
        assert answer(s, question, *orders) == expected, orders


@pytest.mark.clause("std-7.5-3")
def test_lose(field: Field) -> None:
    s = field(WIDE, {"king": "0505 8", "ricketts": "0505 8", "hooker": "0505 2", "buford": "0909 1"})
    activity: Any = harm.suffer(s, ["hooker", "king", "ricketts"], 3, "std-7.5-2")
    question = next(activity)
    assert answer(s, question, "lose king ricketts") == Losses(("ricketts",) * 3)
    assert answer(s, question, "lose any hooker king") == Losses(("hooker", "king", "king")), "the last man stays"
    assert answer(s, question, "lose king buford") is None
    assert answer(s, question) is None


@pytest.mark.clause("std-7.6-2", "std-7.5-7")
def test_retreat(field: Field) -> None:
    s = field(WIDE, {"king": "0505 8", "ewell-b": "0504 8", "buford": "0909 1"})
    f = flight(s, s.board.parse("0505"), "union", [s.board.parse("0504")], "retreat")
    activity: Any = retreat.retreat(s, f, "std-7.5-7")
    question = next(activity)

    def ends(*orders: str) -> tuple[int, str] | None:
        found: FallBack | None = answer(s, question, *orders)
        return None if found is None else (len(found.path), s.board.label[found.path[-1]])

    for order, hexes in (("retreat king 3", 3), ("retreat any 6", 4), ("retreat any 2", 2)):
        assert ends(order) == (hexes, s.board.label[retreat.default_way(s, f, hexes)[-1]]), "within its length"
    assert ends("retreat king 4 0509") == (4, "0509")
    assert ends("retreat king 2 0509") == (2, "0507")
    assert ends("retreat king 0705") is not None
    assert ends("retreat buford 3") is None
    assert ends() is None
    f = flight(s, s.board.parse("0505"), "union", [s.board.parse("0504")], "rout")
    question = next(retreat.retreat(s, f, "std-7.5-7"))
    for order, hexes in (("retreat any 2", 4), ("retreat any 5", 5)):
        assert ends(order) == (hexes, s.board.label[retreat.default_way(s, f, hexes)[-1]]), "within that of a rout"


@pytest.mark.clause("std-7.6-6")
def test_advance(field: Field) -> None:
    for king, stays in (("0909 1", False), ("0506 21", True)):
        s = field(WIDE, {"ewell-b": "0504 8", "ap-hill": "0504 8", "hood": "0101 8", "king": king})
        activity: Any = advance(s, Fight("confederate", s.board.parse("0505"), ("ap-hill", "ewell-b"), "normal"))
        question = next(activity)
        every, nobody = Advance(("ap-hill", "ewell-b")), Advance(())
        assert answer(s, question, "advance any yes") == every
        assert answer(s, question, "advance any no") == nobody
        assert answer(s, question, "advance any able") == (nobody if stays else every)
        assert answer(s, question, "advance any no", "advance ewell-b yes") == Advance(("ewell-b",))
        assert answer(s, question, "advance hood yes") is None


@pytest.mark.clause("std-6.3-2")
def test_join(field: Field) -> None:
    units = {"jackson": "0505", "winder": "0505 2", "gregg": "0305 3", "lawton": "0705 3", "ewell-b": "0909 8"}
    s = field(WIDE, {**units, "king": "0101 1"})
    s.remove("winder")
    activity: Any = settle(s, ["confederate"])
    question = next(activity)
    assert answer(s, question, "join jackson lawton") == Join("jackson", "lawton")
    assert answer(s, question, "join jackson ewell-b gregg") == Join("jackson", "gregg")
    assert answer(s, question, "join jackson ewell-b") is None
