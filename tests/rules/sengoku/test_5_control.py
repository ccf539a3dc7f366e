"""Rulebook 5 and 6: control areas, stacks."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from rules.sengoku.small_field import numbers

from pbem.rules.sengoku.control import strong, weak
from pbem.rules.sengoku.state import State

ROWS = (". " * 7 + "\n") * 5
AROUND = {"0302", "0304", "0202", "0203", "0402", "0403"}
"""The hexes around 0303."""


def controlled(s: State, side: str) -> tuple[set[str], set[str]]:
    """What a side controls strongly and weakly."""
    return numbers(s, strong(s, side)), numbers(s, weak(s, side))


@pytest.mark.clause("5.0", "5-1-1")
def test_a_unit_controls_its_hex_and_the_six_around_it(field: Callable[..., State]) -> None:
    s = field(ROWS, {"hb-04": "0303"})
    assert controlled(s, "hashiba") == ({"0303", *AROUND}, set())
    assert controlled(s, "anti-hashiba") == (set(), set())


@pytest.mark.clause("5-1-1", "5-1-2")
def test_a_castle_alone_controls_its_hex_strongly_and_those_around_it_weakly(field: Callable[..., State]) -> None:
    s = field(ROWS, castles={"gifu": "0303 kobe 4"})
    assert controlled(s, "anti-hashiba") == ({"0303"}, AROUND)
    assert controlled(s, "hashiba") == (set(), set())


@pytest.mark.clause("5-1-1", "21-1(1)")
def test_an_abandoned_castle_controls_nothing(field: Callable[..., State]) -> None:
    s = field(ROWS, castles={"gifu": "0303 nobody 4 0"})
    assert controlled(s, "anti-hashiba") == (set(), set())
    s.hold("gifu", "kobe")
    assert controlled(s, "anti-hashiba") == ({"0303"}, AROUND)


@pytest.mark.clause("5-2(1)")
@pytest.mark.parametrize("sides", [{"lakes": ("0303/0304",)}, {"rivers": ("0303/0304",)}])
def test_control_ends_at_a_lake_and_not_at_a_river(field: Callable[..., State], sides: dict[str, tuple[str]]) -> None:
    beyond = {"0304"} if "rivers" in sides else set()
    s = field(ROWS, {"hb-04": "0303"}, **sides)
    assert controlled(s, "hashiba") == ({"0303", *AROUND - {"0304"}, *beyond}, set())
    castle = field(ROWS, castles={"gifu": "0303 kobe 4"}, **sides)
    assert controlled(castle, "anti-hashiba") == ({"0303"}, AROUND - {"0304"} | beyond)


@pytest.mark.clause("5-2(2)")
def test_swamp_and_sea_are_never_controlled_and_peaks_are(field: Callable[..., State]) -> None:
    s = field(". . . .\n . s ~ .\n. A . s\n", {"hb-04": "0302", "hb-06": "0304"})
    assert controlled(s, "hashiba") == ({"0201", "0301", "0302", "0303", "0204"}, set())


@pytest.mark.clause("5-3-2")
def test_where_castle_and_unit_overlap_the_unit_counts(field: Callable[..., State]) -> None:
    s = field(ROWS, {"kb-03": "0305"}, castles={"gifu": "0303 kobe 4"})
    assert controlled(s, "anti-hashiba")[1] == AROUND - {"0304"}
    assert "0304" in controlled(s, "anti-hashiba")[0]


@pytest.mark.clause("5-3-3", "5-3-3(shut-in)")
@pytest.mark.parametrize("word", ["", "shut-in"])
def test_a_unit_in_its_castles_hex_counts_unless_it_is_shut_in(field: Callable[..., State], word: str) -> None:
    s = field(ROWS, {"kb-03": f"0303 {word}"}, castles={"gifu": "0303 kobe 4"})
    wanted = ({"0303"}, AROUND) if word else ({"0303", *AROUND}, set())
    assert controlled(s, "anti-hashiba") == wanted


@pytest.mark.clause("5-4-1")
def test_control_of_both_sides_overlaps_and_neither_cancels_the_other(field: Callable[..., State]) -> None:
    s = field(ROWS, {"kb-03": "0303", "hb-04": "0305"})
    for side in ("hashiba", "anti-hashiba"):
        assert "0304" in controlled(s, side)[0]
    s.put("hb-04", s.board.parse("0304"))
    assert {"0303", "0304"} <= controlled(s, "hashiba")[0] & controlled(s, "anti-hashiba")[0]


@pytest.mark.clause("5-4-3", "5-1-2")
def test_a_besieged_castle_controls_nothing_and_its_besiegers_do(field: Callable[..., State]) -> None:
    """Ruling R151."""
    s = field(ROWS, {"hb-04": "0303", "kb-03": "0303 shut-in"}, castles={"gifu": "0303 kobe 4"})
    assert controlled(s, "anti-hashiba") == ({"0303"}, AROUND)
    s.besiege("hb-04")
    assert controlled(s, "anti-hashiba") == (set(), set())
    assert controlled(s, "hashiba") == ({"0303", *AROUND}, set())


@pytest.mark.clause("5.0")
def test_control_is_worked_out_anew_when_a_piece_has_changed(field: Callable[..., State]) -> None:
    s = field(ROWS, {"kb-03": "0303"}, castles={"gifu": "0303 kobe 4"})
    before = controlled(s, "anti-hashiba")
    s.shut("kb-03")
    assert controlled(s, "anti-hashiba") != before
    s.let_out("kb-03")
    assert controlled(s, "anti-hashiba") == before
    s.hold("gifu", None)
    s.remove("kb-03")
    assert controlled(s, "anti-hashiba") == (set(), set())


@pytest.mark.clause("6-1", "6-1(separate)")
def test_any_number_of_forces_in_a_hex_control_no_more_than_one(field: Callable[..., State]) -> None:
    many = {f"hb-{i:02}": "0303" for i in range(1, 31)}
    s = field(ROWS, many)
    assert len(s.stands[s.board.parse("0303")]) == len(s.forces) == 30
    assert controlled(s, "hashiba") == ({"0303", *AROUND}, set())
