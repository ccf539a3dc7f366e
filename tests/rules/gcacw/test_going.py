"""Orders that only the position makes plain: `march U to PLACE`, also when led and by rail; `retreat to PLACE`."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from rules.field import Battle

from pbem.errors import IllegalOrder
from pbem.rules import gcacw

Fields = Callable[..., Battle]
ROWS = ". . . . . .\n" * 5
ROAD = {"road": "0101 0102 0202 0303 0302 0301"}
"""A road that goes round a hill: from 0101 to 0301 it is 5 hexes, straight 2."""


def way(b: Battle, text: str) -> str | None:
    """The words of the order that these mean now."""
    order = gcacw.way(b.state, b.request, tuple(text.split()))
    return None if order is None else " ".join(gcacw.order_words(b.board, order))


def test_the_cheapest_way_is_filled_in(battle: Fields) -> None:
    b = battle(". h . . . .\n" + ". . . . . .\n" * 4, {"king": "0101 9"}, choice="union", roads=ROAD)
    assert way(b, "march king to 0301") == "march king 0102 0202 0303 0302 0301"
    assert way(b, "march king to 0201") == "march king 0201"  # there is no cheaper way
    b = battle(ROWS, {"king": "0202 9"}, choice="union", roads={"road": "0202 0102 0101 0201"})
    assert way(b, "march king to 0201") == "march king 0201"  # 3 points, as round by the road


def test_also_to_the_next_hex_where_the_road_goes_round(battle: Fields) -> None:
    b = battle("m . .\n. . .", {"king": "0102 9"}, choice="union", roads={"road": "0102 0201 0101"})
    assert way(b, "march king to 0101") == "march king 0201 0101"
    assert way(b, "march king 0101 to 0201") == "march king 0101 0201"  # steps that are named stay
    assert way(b, "march king to 0201 0101") == "march king 0201 0101"
    with pytest.raises(
        IllegalOrder, match="King stands in 0102 already: a march that leads nowhere would cost"
    ) as found:
        way(b, "march king to 0102")
    assert found.value.clause == "std-4.0-7"
    assert way(b, "march king to 0102 unbridge 0101 0102") == "march king unbridge 0101 0102", "it has something to do"


def test_the_other_parts_of_a_march_stay(battle: Fields) -> None:
    units = {"king": "0101 9", "ricketts": "0101 9", "mcdowell": "0101", "hood": "0401 9"}
    b = battle(ROWS, units, choice="union", roads=ROAD)
    text = "march king with mcdowell to 0202 force attack 0303 hasty"
    assert way(b, text) == "march king with mcdowell 0102 0202 force attack 0303 hasty"
    assert way(b, "march king to 0202 unbridge 0101 0102") == "march king 0102 0202 unbridge 0101 0102"


def test_a_leader_who_would_stay_alone_goes_along(battle: Fields) -> None:
    b = battle(ROWS, {"king": "0101 9", "mcdowell": "0101"}, choice="union", roads=ROAD)
    assert way(b, "march king to 0202") == "march king with mcdowell 0102 0202"


def test_a_way_keeps_off_zones_that_would_stop_it(battle: Fields) -> None:
    road = {"road": "0103 0203 0303 0403"}
    b = battle(ROWS, {"king": "0103 9", "hood": "0302 9"}, choice="union", roads=road)
    found = way(b, "march king to 0404")
    assert found is not None
    zone = {"0202", "0201", "0303", "0402", "0401", "0301"}
    assert not zone & {*found.split()}
    b = battle(". . . .\n", {"king": "0101 9", "hood": "0301 9"}, choice="union")
    assert way(b, "march king to 0201") == "march king 0201"  # into a zone at its end
    with pytest.raises(IllegalOrder) as caught:
        way(b, "march king to 0401")
    assert caught.value.clause == "std-6.1-1"
    assert "no way leads to 0401" in str(caught.value)
    b = battle(". . . . .\n. . . . .\n", {"king": "0101 9", "va-2": "0301 1", "hood": "0302 9"}, choice="union")
    with pytest.raises(IllegalOrder):
        way(b, "march king to 0501")


def test_where_zones_are_all_around_the_way_leads_through_them(battle: Fields) -> None:
    b = battle(". . . .\n. . . .", {"king": "0101 9", "hood": "0302 9"}, choice="union")
    found = way(b, "march king to 0401")
    assert found == "march king 0201 0301 0401"


def test_each_unit_of_an_activation_has_its_own_way(battle: Fields) -> None:
    units = {"jackson": "0101", "ap-hill": "0101 9", "winder": "0101 8", "gregg": "0101 4", "king": "0605 1"}
    b = battle(ROWS, units, choice="confederate", roads=ROAD)
    text = "activate jackson march ap-hill to 0303 march winder 0201 march gregg with jackson to 0202 force"
    assert way(b, text) == (
        "activate jackson march ap-hill 0102 0202 0303 march winder 0201 march gregg with jackson 0102 0202 force"
    )
    assert way(b, "activate jackson march ap-hill 0102") is None  # nothing is to be filled in


def test_by_rail_along_the_railroad(game: Fields) -> None:
    b = game("to-bull-run", turn=3, choice="union")
    assert way(b, "rail taylor to burke's station") == "rail taylor N5521 N5420 N5321 N5220"
    assert b.why_not("rail taylor N5521 N5420 N5321 N5220") is None
    assert way(b, "rail taylor N5521 to N5321") == "rail taylor N5521 N5420 N5321"
    with pytest.raises(IllegalOrder) as caught:
        way(b, "rail taylor to N5619")
    assert "no way leads to N5619" in str(caught.value)
    with pytest.raises(IllegalOrder, match="Taylor stands in N5620 Springfield Station already"):
        way(b, f"rail taylor to {b.board.label[b.state.at['taylor']]}")


def test_a_retreat_to_a_hex_is_one_of_the_ways_that_end_there(battle: Fields) -> None:
    b = battle(ROWS, {"ny-6": "0203 1", "evans": "0205 4"}, choice="confederate")
    b.do("march evans 0204", 6)
    b.do("evade yes", 3)
    assert b.request.kind == "retreat"
    ends = {option.split()[-1] for option in b.options()}
    for end in ends:
        found = way(b, f"retreat to {end}")
        assert found is not None
        assert found.split()[-1] == end
        assert b.why_not(found) is None
    with pytest.raises(IllegalOrder) as caught:
        way(b, "retreat to 0605")
    assert "no way back leads to 0605" in str(caught.value)


def test_other_orders_have_no_way(battle: Fields) -> None:
    b = battle(ROWS, {"king": "0101 9"}, choice="union")
    for text in ("pass", "march king 0102", "done", "march king to"):
        assert way(b, text) is None


def test_an_order_to_a_place_is_judged_before_its_time_as_one_of_a_step(battle: Fields) -> None:
    b = battle(ROWS, {"king": "0101 9"}, choice="union")
    order = gcacw.toward(b.board, "union", ("march", "king", "to", "0505"))
    assert gcacw.order_words(b.board, order) == ("march", "king", "0505")
