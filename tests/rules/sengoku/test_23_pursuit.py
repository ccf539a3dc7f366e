"""Pursuit of those that went back (rulebook 23-5)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from rules.sengoku.activities import run

from pbem.maps.hexes import Hex
from pbem.rules.requests import Choose
from pbem.rules.sengoku.orders import Pursue
from pbem.rules.sengoku.pursuit import pursue, reach
from pbem.rules.sengoku.state import State

Field = Callable[..., State]
PLAIN = """
. . . . . . .
 . . . . . . .
. . . . . . .
"""


def hexes(s: State, text: str) -> tuple[Hex, ...]:
    """Hexes by number."""
    return tuple(map(s.board.parse, text.split()))


def reached(s: State, text: str) -> str:
    """How far hb-01 can follow along a way, by number."""
    return " ".join(s.board.label[h] for h in reach(s, "hb-01", hexes(s, text)))


def asked(found: list[Any]) -> Choose:
    """The one question."""
    (question,) = (f for f in found if isinstance(f, Choose))
    return question


@pytest.mark.clause("23-5", "23-5-1", "23-5-2", "22-1-6")
def test_the_attacker_may_follow_along_the_way_or_stay(field: Field) -> None:
    s = field(PLAIN, {"hb-01 hb-04": "0102", "sb-02": "0105"})
    question = asked(run(pursue(s, "hb-01", [hexes(s, "0103 0104 0105")]), [], [""]))
    assert s.board.label[s.at["hb-01"]] == "0102"  # by default he stays
    assert question.side == "hashiba"
    assert set(question.options()) == {
        Pursue("hb-01"),
        Pursue("hb-01", hexes(s, "0103")),
        Pursue("hb-01", hexes(s, "0103 0104")),
    }
    for path in ("0203", "0104", "0103 0104 0105"):
        refusal = question.why_not(Pursue("hb-01", hexes(s, path)))
        assert refusal is not None
        assert refusal.clause == "23-5-2"
    assert question.why_not(Pursue("hb-04", hexes(s, "0103"))) is not None
    run(pursue(s, "hb-01", [hexes(s, "0103 0104 0105")]), [], [Pursue("hb-01", hexes(s, "0103 0104"))])
    assert s.board.label[s.at["hb-01"]] == "0104"


@pytest.mark.clause("23-5-1")
def test_a_standing_order_says_how_far(field: Field) -> None:
    s = field(PLAIN, {"hb-01": "0102", "sb-02": "0106", "sb-03": "0203"})
    ways = [hexes(s, "0103 0203"), hexes(s, "0103 0104 0105 0106")]
    standing = asked(run(pursue(s, "hb-01", ways), [], [""])).standing
    assert standing is not None
    assert standing([("pursue", "hb-01", "far")]) == Pursue("hb-01", hexes(s, "0103 0104 0105"))
    assert standing([("pursue", "any", "1")]) == Pursue("hb-01", hexes(s, "0103"))
    assert standing([("pursue", "hb-01", "0"), ("pursue", "any", "far")]) == Pursue("hb-01")
    assert standing([("pursue", "hb-02", "far")]) is None


@pytest.mark.clause("23-5-3", "23-5-4")
def test_it_ends_before_enemies_in_the_open_and_enters_where_all_are_shut_in(field: Field) -> None:
    castles = {"gifu": "0104 shibata 1"}
    s = field(PLAIN, {"hb-01": "0102", "sb-02": "0104 shut-in"}, castles=castles)
    assert reached(s, "0103 0104") == "0103 0104"
    s = field(PLAIN, {"hb-01": "0102", "sb-02": "0104 shut-in", "sb-03": "0104"}, castles=castles)
    assert reached(s, "0103 0104") == "0103"
    s = field(PLAIN, {"hb-01": "0102", "sb-02": "0104", "sb-03": "0103"})
    assert reached(s, "0103 0104") == ""
    assert run(pursue(s, "hb-01", [hexes(s, "0103 0104")])) == []  # nothing to ask


@pytest.mark.clause("36.7-4")
def test_what_is_closed_ends_it(field: Field) -> None:
    closed = [{"side": "hashiba", "province": "Echizen", "left": ["shibata"], "clause": "36.7-4"}]
    provinces = {"Echizen": "0104 0105"}
    s = field(PLAIN, {"hb-01": "0102", "sb-02": "0106"}, provinces=provinces, scenario={"closed": closed})
    assert reached(s, "0103 0104 0105 0106") == "0103"


@pytest.mark.clause("23-5", "23-7")
def test_those_shut_in_come_out_when_nobody_is_left_before_the_castle(field: Field) -> None:
    castles = {"gifu": "0103 hashiba 1"}
    s = field(PLAIN, {"hb-01": "0103 shut-in", "sb-02": "0106", "sb-03": "0103"}, castles=castles)
    assert reached(s, "0103 0104 0105") == ""
    s = field(PLAIN, {"hb-01": "0103 shut-in", "sb-02": "0106"}, castles=castles)
    run(pursue(s, "hb-01", [hexes(s, "0103 0104 0105 0106")]), [], [Pursue("hb-01", hexes(s, "0103"))])
    assert (s.board.label[s.at["hb-01"]], s.shut_in) == ("0103", set())
    s = field(PLAIN, {"hb-01": "0103 shut-in", "sb-02": "0106"}, castles=castles)
    run(pursue(s, "hb-01", [hexes(s, "0103 0104 0105 0106")]), [], [Pursue("hb-01", hexes(s, "0103 0104"))])
    assert (s.board.label[s.at["hb-01"]], s.shut_in) == ("0104", set())
