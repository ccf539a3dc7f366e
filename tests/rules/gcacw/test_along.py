"""Marches along a way: what is left of it where the unit stands, and how `to` behind dice becomes one."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from matches import Match, scenario_of
from rules.field import Battle
from rules.gcacw.activities import run

from pbem.errors import MalformedOrder, Refusal
from pbem.match.check import check
from pbem.match.orders import order_of
from pbem.report.layout import clean
from pbem.report.telling import Teller
from pbem.rules import gcacw
from pbem.rules.gcacw import actions
from pbem.rules.gcacw.along import from_there
from pbem.rules.gcacw.orders import Order
from pbem.rules.gcacw.state import State
from pbem.rules.requests import Words

Field = Callable[..., State]
Fields = Callable[..., Battle]
OPEN = ". . . . . .\n" * 5
WAY = "0102 0202 0303 0302 0301"
UNITS = {"king": "0101 9", "ricketts": "0101 9", "mcdowell": "0101", "hood": "0605 9"}


def order_in(s: State, text: str) -> Order:
    """The Union's order of these words; they are those that are signed."""
    order = gcacw.read_order(s.board, "union", tuple(text.split()))
    assert gcacw.order_words(s.board, order) == tuple(text.split())
    return order


def left(s: State, text: str) -> str:
    """The order with the hexes that are left of its ways, in words; or why it can't be given."""
    found = from_there(s, order_in(s, text))
    return found.reason if isinstance(found, Refusal) else " ".join(gcacw.order_words(s.board, found))


def test_a_march_along_a_way_goes_what_is_left_of_it(field: Field) -> None:
    s = field(OPEN, UNITS, choice="union")
    order = f"march king along {WAY}"
    assert left(s, order) == f"march king {WAY}", "it stands beside the first hex"
    s.put("king", s.board.parse("0303"))
    assert left(s, order) == "march king 0302 0301"
    assert left(s, f"{order} force attack 0401") == "march king 0302 0301 force attack 0401"
    assert gcacw.why_not(s, "union", order_in(s, order)) is None
    s.put("king", s.board.parse("0302"))
    assert left(s, order) == "march king 0301"


def test_who_is_off_the_way_or_at_its_end_stays(field: Field) -> None:
    s = field(OPEN, UNITS, choice="union")
    order = f"march king along {WAY}"
    s.put("king", s.board.parse("0504"))
    assert left(s, order) == "King stands in 0504, neither on that way nor beside its first hex"
    assert gcacw.remainder(s, "union", order_in(s, order)) is None
    s.put("king", s.board.parse("0301"))
    assert left(s, order) == "King stands at the end of that way already"
    refusal = gcacw.why_not(s, "union", order_in(s, order))
    assert refusal is not None
    assert refusal.clause == "std-5.1-1"
    assert left(s, f"{order} attack 0401") == "march king attack 0401", "there is an attack left to make"


def test_it_is_carried_out_as_a_march_of_those_hexes(field: Field) -> None:
    s = field(OPEN, UNITS, choice="union")
    s.put("king", s.board.parse("0202"))
    twin = gcacw.copy(s)
    for one, text in ((s, f"march king along {WAY}"), (twin, "march king 0303 0302 0301")):
        run(actions.carry_out(one, "union", order_in(one, text)), (5,))
    assert gcacw.dump(s) == gcacw.dump(twin)
    assert s.board.label[s.at["king"]] == "0303"


def test_those_led_go_on_each_from_where_it_stands(field: Field) -> None:
    s = field(OPEN, UNITS, choice="union")
    s.put("ricketts", s.board.parse("0202"))
    order = f"activate mcdowell march king with mcdowell along {WAY} march ricketts along {WAY}"
    assert left(s, order) == f"activate mcdowell march king with mcdowell {WAY} march ricketts 0303 0302 0301"
    s.put("ricketts", s.board.parse("0301"))
    assert left(s, order) == "Ricketts stands at the end of that way already"
    rest = gcacw.remainder(s, "union", order_in(s, order))
    assert rest is not None
    assert rest[0] is not None
    assert " ".join(gcacw.order_words(s.board, rest[0])) == f"activate mcdowell march king with mcdowell {WAY}"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("march king along", "no hex stands behind `along`"),
        ("march king 0102 along 0202", "the way stands in two places"),
        ("march king with mcdowell 0102 along 0202", "the way stands in two places"),
        ("march king along 0102 0202 0102", "0102 stands twice behind `along`: which one is meant"),
    ],
)
def test_a_way_that_leaves_open_what_is_left_of_it_is_refused(field: Field, text: str, why: str) -> None:
    s = field(OPEN, UNITS, choice="union")
    with pytest.raises(MalformedOrder, match="^" + why.replace("?", "[?]")):
        gcacw.read_order(s.board, "union", tuple(text.split()))


def signed(*lines: str) -> list[Words]:
    """The orders of the Union's first mail of Lee vs. Pope that these lines are read as."""
    match = Match(scenario_of("lee-vs-pope"), 7)
    found = check(match.table, "asuka", "\n".join(lines), runs=0)
    assert not found.errors, found.errors
    return [act.words for _, part in found.parts if (act := order_of(part)) is not None]


def test_to_behind_the_dice_of_a_march_goes_on_along_its_way() -> None:
    first, second, third = signed("march king to S1413", "march king to S1413", "march king to S1418")
    assert second == ("march", "king", "along", *first[2:]), "nobody knows where the first one ends"
    assert third[:3] == ("march", "king", "along")
    assert third[3:] == ("S1416", "S1417", "S1418"), "a hex stands once: it is the way back from where it is at best"
    assert "along" not in signed("march king to S1413", "march ricketts to S1413")[1], "no dice have moved him"


def test_a_mail_tells_that_it_goes_on_from_wherever_it_stands(field: Field) -> None:
    s = field(OPEN, UNITS, choice="union")
    teller = Teller(clean(gcacw.situation(s)))
    told = teller.order(tuple(f"march king with mcdowell along {WAY} force".split()))
    assert told.startswith("King (king) marches on with McDowell")
    assert "along the way from hex 0102 to hex 0301, from where it stands on it then, by a forced march" in told
