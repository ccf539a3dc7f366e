"""What a step costs (std-6.1): links, terrain, creeks, crossings, ridges; stacking (std-6.2)."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest
from rules.field import Battle

from pbem.rules.gcacw import may_march
from pbem.rules.gcacw.orders import March
from pbem.rules.gcacw.state import State
from pbem.rules.gcacw.zones import points, stacking

Field = Callable[..., State]
Fields = Callable[..., Battle]

TERRAIN = {".": 3, "o": 4, "w": 4, "r": 5, "h": 5, "m": 6, "s": 6, "c": 3}
"""Letter -> points, typed a second time."""
LINKS = {"road": 1, "pike": 1, "railroad": 1, "trail": 2}


def cost(
    field: Field, letter: str = ".", roads: Mapping[str, str] | None = None, sides: Mapping[str, str] | None = None
) -> int | None:
    """The points of the step from 0101 to 0102, in halves; None where there is none."""
    s = field(f". .\n{letter} .\n. .", {"king": "0101 9"}, roads=roads or {}, sides=sides or {})
    return points(s, "union", s.board.parse("0101"), s.board.parse("0102"))


@pytest.mark.clause("std-6.1-1", "std-6.1-2", "std-6.1-3", "std-6.1-4")
@pytest.mark.parametrize("letter", TERRAIN)
def test_a_hex_is_entered_only_when_it_is_paid_in_full(battle: Fields, field: Field, letter: str) -> None:
    need = TERRAIN[letter]
    assert cost(field, letter) == 2 * need
    for die in (need - 1, need):
        b = battle(f". {letter} .\n. . .", {"king": "0101 18"}, choice="union")
        b.do("march king 0201", die)
        assert b.at("king") == ("0201" if die == need else "0101")


@pytest.mark.clause("std-6.1-2", "std-6.1-4", "std-6.1-5", "std-6.1-10")
@pytest.mark.parametrize("letter", [".", "m", "s"])
def test_a_link_is_followed_at_its_own_cost_whatever_the_ground(field: Field, letter: str) -> None:
    for kind, need in LINKS.items():
        found = cost(field, letter, {kind: "0101 0102"})
        assert (found, type(found)) == (2 * need, int)
    assert cost(field, letter, {"trail": "0101 0102", "road": "0101 0102"}) == 2


@pytest.mark.clause("std-6.1-2")
def test_three_points_are_three_hexes_of_road_or_one_of_clear_ground(battle: Fields) -> None:
    rows = ". . . .\n. . . ."
    for roads, ends in (({"road": "0101 0201 0301 0401"}, "0401"), ({}, "0201")):
        b = battle(rows, {"king": "0101 18"}, choice="union", roads=roads)
        b.do("march king 0201 0301 0401", 3)
        assert b.at("king") == ends


@pytest.mark.clause("std-6.1-5")
def test_two_roads_without_a_link_between_them_are_no_way(field: Field) -> None:
    s = field(". .\n. .\n. .", {"king": "0101 9"}, roads={"road": ["0101 0201", "0102 0202"]})
    assert points(s, "union", s.board.parse("0101"), s.board.parse("0102")) == 6
    assert points(s, "union", s.board.parse("0101"), s.board.parse("0201")) == 2


@pytest.mark.clause("std-6.1-6")
def test_a_creek_costs_a_point_off_the_road(field: Field) -> None:
    creek = {"creek": "0101/0102"}
    assert cost(field, ".", {}, creek) == 2 * 4
    for kind, need in (("road", 1), ("pike", 1), ("railroad", 1), ("trail", 3)):
        assert cost(field, ".", {kind: "0101 0102"}, creek) == 2 * need


@pytest.mark.clause("std-6.1-7", "std-6.1-8")
@pytest.mark.parametrize("river", ["minor_river", "major_river"])
def test_rivers_are_crossed_at_a_crossing_alone(field: Field, river: str) -> None:
    water = {river: "0101/0102"}
    assert cost(field, ".", {}, water) is None
    for kind, more in (("bridge", 0), ("ford", 1), ("ferry", 2), ("dam", 0)):
        assert cost(field, ".", {kind: "0101 0102"}, water) == 2 * (3 + more)
        assert cost(field, "m", {kind: "0101 0102", "road": "0101 0102"}, water) == 2 * (1 + more)


@pytest.mark.clause("std-6.1-7")
def test_no_order_leads_over_an_uncrossed_river_but_by_a_bridge_of_ones_own(field: Field) -> None:
    s = field(". .\n. .\n. .", {"king": "0101 9", "hood": "0203 8"}, sides={"minor_river": "0101/0102"})
    a, b = s.board.parse("0101"), s.board.parse("0102")
    refusal = may_march.why_not(s, "union", March("king", (b,)))
    assert refusal is not None
    assert refusal.clause == "std-6.1-7"
    s.build("0101/0102", "union")
    assert may_march.why_not(s, "union", March("king", (b,))) is None
    assert points(s, "union", a, b) == 6
    assert points(s, "confederate", a, b) is None  # std-10.0-4


@pytest.mark.clause("std-6.1-9", "std-2.3-1")
def test_a_ridge_costs_a_point_up_off_the_road(field: Field) -> None:
    up, down = {"ridge": "0101/0102"}, {"ridge": "0102/0101"}
    assert (cost(field, ".", {}, up), cost(field, ".", {}, down)) == (2 * 4, 2 * 3)
    for kind in ("road", "pike", "railroad"):
        assert cost(field, ".", {kind: "0101 0102"}, up) == 2
    assert cost(field, ".", {"trail": "0101 0102"}, up) == 2 * 3


# --- stacking ---------------------------------------------------------------------------------------------------------


@pytest.mark.clause("std-6.2-1", "std-6.2-2")
@pytest.mark.parametrize(
    ("here", "more"),
    [
        ({}, 0),
        ({"king": "0102 9"}, 1),
        ({"milroy": "0102 3"}, 1),
        ({"milroy": "0102 3", "crawford": "0102 4"}, 1),
        ({"king": "0102 9", "milroy": "0102 3"}, 2),
        ({"king": "0102 9", "milroy": "0102 3", "crawford": "0102 4"}, 2),
        ({"waagner": "0102 1", "ny-6": "0102 1"}, 0),
        ({"mcdowell": "0102", "king": "0102 9"}, 1),
        ({"king": "0102 9", "augur": "0102 9", "greene": "0102 9", "schurz": "0102 9", "schenck": "0102 9"}, 5),
    ],
)
def test_units_in_the_hex_entered_cost_points_rounded_up(field: Field, here: dict[str, str], more: int) -> None:
    s = field(". .\n. .\n. .", {"ricketts": "0101 9", **here})
    assert stacking(s, "union", s.board.parse("0102")) == 2 * more
    assert stacking(s, "confederate", s.board.parse("0102")) == 0


@pytest.mark.clause("std-6.2-2", "13.5-sp5c")
def test_stacking_is_paid_also_on_the_way(battle: Fields) -> None:
    rows = ". . . .\n. . . ."
    road = {"road": "0101 0201 0301 0401"}
    for more, ends in (({}, "0401"), ({"king": "0201 9"}, "0301"), ({"ny-6": "0201 1"}, "0401")):
        b = battle(rows, {"ricketts": "0101 9", **more}, choice="union", roads=road, scenario={"depots": ["0301"]})
        b.do("march ricketts 0201 0301 0401", 3)
        assert b.at("ricketts") == ends


@pytest.mark.clause("std-6.2-1")
def test_any_number_of_units_may_be_in_a_hex(battle: Fields) -> None:
    nine = ("king", "waagner", "ny-6", "md-1", "ri-1", "me-1", "ny-4", "in-3", "milroy")
    units = dict.fromkeys(nine, "0201 1")
    b = battle(". . .\n. . .", {"ricketts": "0101 9", **units}, choice="union", roads={"road": "0101 0201"})
    b.do("march ricketts 0201", 3)  # 1, and 2 for a division and a brigade
    assert b.at("ricketts") == "0201"
    assert len(b.state.stands[b.hex("0201")]) == 10


def test_a_march_to_where_a_unit_stands_is_refused_as_that(battle: Fields) -> None:
    """It was said of such a hex that it isn't adjacent to itself."""
    b = battle(". .\n. .", {"king": "0101 9"}, choice="union")
    for way, reason in (("0101", "King stands in 0101 already"), ("0102 0102", "0102 isn't adjacent to 0102")):
        refusal = b.why_not(f"march king {way}")
        assert refusal is not None
        assert (refusal.clause, refusal.reason) == ("std-6.1-1", reason)
    assert b.why_not("march king 0102 0101") is None
