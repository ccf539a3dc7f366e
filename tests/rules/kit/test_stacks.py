"""Stacks: any number of units in one place, each side's top one known."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pbem.maps.hexes import Hex
from pbem.rules.kit.stacks import by_side, lift, put, top, units_in

RED, BLUE = ("r1", "r2", "r3"), ("b1", "b2")
SIDE = {**dict.fromkeys(RED, "red"), **dict.fromkeys(BLUE, "blue")}


def test_the_unit_that_came_last_is_on_top() -> None:
    at: dict[str, str] = {}
    tops: dict[str, str] = {}
    for unit in ("r1", "r2", "r3"):
        put(at, tops, unit, "hill", RED)
    assert units_in(at, "hill") == ("r1", "r2", "r3")
    assert tops == {"hill": "r3"}
    assert lift(at, tops, "r2", RED) == "hill"
    assert tops == {"hill": "r3"}, "it was not on top"
    put(at, tops, "r3", "wood", RED)
    assert tops == {"hill": "r1", "wood": "r3"}
    assert lift(at, tops, "r1", RED) == "hill"
    assert tops == {"wood": "r3"}
    assert units_in(at, "hill") == ()


def test_who_comes_back_stands_on_top() -> None:
    at, tops = {"r1": "hill", "r2": "hill"}, {"hill": "r2"}
    put(at, tops, "r1", "hill", RED)
    assert (units_in(at, "hill"), tops) == (("r2", "r1"), {"hill": "r1"})


def test_an_enemy_in_the_same_place_is_nobodys_mate() -> None:
    """Besiegers and besieged share a place."""
    at = {"b1": "castle", "r1": "castle", "b2": "castle"}
    found = by_side(("red", "blue"), SIDE.__getitem__, at)
    assert found == {"red": {"castle": "r1"}, "blue": {"castle": "b2"}}
    lift(at, found["red"], "r1", RED)
    assert found == {"red": {}, "blue": {"castle": "b2"}}
    lift(at, found["blue"], "b2", BLUE)
    assert found["blue"] == {"castle": "b1"}


def test_the_top_unit_of_either_side() -> None:
    found = {"red": {"hill": "r1"}, "blue": {"ford": "b1"}}
    assert [top(found, place) for place in ("hill", "ford", "wood")] == ["r1", "b1", None]


@given(st.lists(st.tuples(st.sampled_from(sorted(SIDE)), st.sampled_from(["hill", "wood", None])), max_size=40))
def test_tops_are_what_a_fresh_look_finds(moves: list[tuple[str, str | None]]) -> None:
    at: dict[str, str] = {}
    kept: dict[str, dict[str, str]] = {"red": {}, "blue": {}}
    mates = {"red": RED, "blue": BLUE}
    for unit, place in moves:
        side = SIDE[unit]
        if place is not None:
            put(at, kept[side], unit, place, mates[side])
        elif unit in at:
            lift(at, kept[side], unit, mates[side])
        assert kept == by_side(kept, SIDE.__getitem__, at)


def test_units_stand_by_side_and_of_two_in_a_hex_the_later_one() -> None:
    at = {"owl": Hex(4), "fox": Hex(2), "bat": Hex(4)}
    sides = {"owl": "birds", "fox": "beasts", "bat": "birds"}
    found = by_side(("birds", "beasts", "fish"), sides.__getitem__, at)
    assert found == {"birds": {Hex(4): "bat"}, "beasts": {Hex(2): "fox"}, "fish": {}}
