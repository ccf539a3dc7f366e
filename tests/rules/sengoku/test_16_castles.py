"""Rulebook 16: into castles and out of them."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from rules.sengoku.test_15_movement import FAR, ROWS, at, do, move, why

from pbem.rules.sengoku import movement
from pbem.rules.sengoku.acting import forces_inside
from pbem.rules.sengoku.state import State

MIKI = {"miki": "0303 hashiba 2"}


@pytest.mark.clause("16.0", "16-1-3", "16-1-4", "8.0")
@pytest.mark.parametrize(
    ("owner", "clause"), [("hashiba", None), ("kitabatake", None), ("kobe", "16.0"), ("nobody", "16.0")]
)
def test_a_force_shuts_itself_up_in_a_castle_of_its_side(
    field: Callable[..., State], owner: str, clause: str | None
) -> None:
    castles = {"miki": f"0303 {owner} 2" + (" 0" if owner == "nobody" else "")}
    s = field(ROWS, {"hb-02 hb-04": "0303", "hb-06": "0303"}, castles=castles)
    assert why(s, move(s, "hb-02", "", "enter")) == clause
    if clause is None:
        assert do(s, move(s, "hb-02", "", "enter"))[0].facts["into"] == "miki"
        assert forces_inside(s, "miki") == ("hb-02",)  # hb-06 stays in the open
        assert s.acted == {"hb-02", "hb-04"}


@pytest.mark.clause("16.0", "16-1-3")
def test_nobody_is_shut_up_where_no_castle_is_or_twice(field: Callable[..., State]) -> None:
    s = field(ROWS, {"hb-04": "0305", "hb-06": "0303 shut-in"}, castles=MIKI)
    assert why(s, move(s, "hb-04", "", "enter")) == "16.0"
    assert why(s, move(s, "hb-04", "0306", "enter")) == "16.0"
    assert why(s, move(s, "hb-06", "", "enter")) == "16.0"


@pytest.mark.clause("16-1-1")
@pytest.mark.parametrize(("start", "clause"), [("0310", None), ("0311", "16-1-1"), ("0312", "15-2-1")])
def test_entering_costs_1_point(field: Callable[..., State], start: str, clause: str | None) -> None:
    s = field(ROWS, {"hb-04": start}, castles=MIKI)
    way = [f"03{i:02}" for i in range(int(start[2:]) - 1, 2, -1)]
    assert movement.cost(s, move(s, "hb-04", " ".join(way), "enter")) == len(way) + 1
    assert why(s, move(s, "hb-04", " ".join(way), "enter")) == clause
    if clause == "16-1-1":
        assert why(s, move(s, "hb-04", " ".join(way))) is None


@pytest.mark.clause("16-1-2")
def test_several_forces_of_a_side_share_a_castle(field: Callable[..., State]) -> None:
    """Ruling R159."""
    s = field(ROWS, {"hb-04": "0303 shut-in", "kt-06": "0304", "nw-02": "0302"}, castles=MIKI)
    for force in ("kt-06", "nw-02"):
        do(s, move(s, force, "0303", "enter"))
    assert forces_inside(s, "miki") == ("hb-04", "kt-06", "nw-02")


@pytest.mark.clause("16-3", "15-6-2(shut-in)")
def test_leaving_costs_1_point_and_takes_the_marker_off(field: Callable[..., State]) -> None:
    s = field(ROWS, {"hb-04": "0303 shut-in"}, castles=MIKI)
    seven = "0304 0305 0306 0307 0308 0309 0310"
    assert why(s, move(s, "hb-04", f"{seven} 0311")) == "15-2-1"
    told = do(s, move(s, "hb-04", seven))
    assert (told[0].facts["cost"], told[0].facts["out-of"]) == (8, "miki")
    assert (at(s, "hb-04"), s.shut_in) == ("0310", set())


@pytest.mark.clause("16-3")
def test_a_force_may_only_leave(field: Callable[..., State]) -> None:
    s = field(ROWS, {"hb-04": "0303 shut-in"}, castles=MIKI)
    assert movement.cost(s, move(s, "hb-04", "")) == 1
    do(s, move(s, "hb-04", ""))
    assert (at(s, "hb-04"), s.shut_in, s.acted) == ("0303", set(), {"hb-04"})


@pytest.mark.clause("16-3-1")
@pytest.mark.parametrize(("enemy", "clause"), [("0303 besieging", "16-3-1"), ("0303", "16-3-1"), ("0304", None)])
def test_one_enemy_in_the_hex_keeps_a_force_in(field: Callable[..., State], enemy: str, clause: str | None) -> None:
    s = field(ROWS, {"hb-04": "0303 shut-in", "kb-03": enemy}, castles=MIKI)
    assert why(s, move(s, "hb-04", "")) == clause
    assert why(s, move(s, "hb-04", "0302")) == clause
    assert bool(list(movement.options(s, "hb-04"))) == (clause is None)


@pytest.mark.clause("16-3", "15-3")
def test_out_of_one_castle_strategically_into_another(field: Callable[..., State]) -> None:
    castles = {**MIKI, "himeji": "0309 hashiba 3"}
    s = field(ROWS, {"hb-04": "0303 shut-in", **FAR}, castles=castles, main={"hashiba": "himeji"})
    way = "0304 0305 0306 0307 0308 0309"
    assert movement.cost(s, move(s, "hb-04", way, "strategic", "enter")) == 8
    do(s, move(s, "hb-04", way, "strategic", "enter"))
    assert forces_inside(s, "himeji") == ("hb-04",)
    assert forces_inside(s, "miki") == ()


@pytest.mark.clause("15-5", "16-1-3")
def test_a_garrison_is_left_in_the_castle(field: Callable[..., State]) -> None:
    """Ruling R157."""
    s = field(ROWS, {"hb-02 hb-04 hb-06": "0303 shut-in morale -1"}, castles=MIKI)
    do(s, move(s, "hb-02", "0304 0303", at_0303="hb-04", at_0304="hb-06"))
    assert forces_inside(s, "miki") == ("hb-04",)
    assert (at(s, "hb-02"), at(s, "hb-06")) == ("0303", "0304")
    assert s.morale == {"hb-02": -1, "hb-04": -1, "hb-06": -1}


@pytest.mark.clause("15-5", "16-1-1", "16-3")
def test_units_are_left_behind_before_a_castles_door_and_behind_it(field: Callable[..., State]) -> None:
    """Ruling R157."""
    s = field(ROWS, {"hb-02 hb-04 hb-06": "0303"}, castles=MIKI)
    do(s, move(s, "hb-02", "", "enter", at_0303="hb-04"))
    assert (forces_inside(s, "miki"), at(s, "hb-04")) == (("hb-02",), "0303")
    s = field(ROWS, {"hb-02 hb-04 hb-06": "0303 shut-in"}, castles=MIKI)
    do(s, move(s, "hb-02", "", at_0303="hb-04"))
    assert (forces_inside(s, "miki"), at(s, "hb-02")) == (("hb-04",), "0303")
    s = field(ROWS, {"hb-02 hb-04 hb-06": "0304"}, castles=MIKI)
    assert why(s, move(s, "hb-02", "0303", at_0303="hb-04")) == "15-5"  # the force ends there itself
    do(s, move(s, "hb-02", "0303", "enter", at_0303="hb-04"))
    assert (forces_inside(s, "miki"), at(s, "hb-04"), s.acted) == (("hb-02",), "0303", {"hb-02", "hb-04", "hb-06"})


@pytest.mark.clause("16.0", "15-6-2")
def test_no_friend_comes_into_a_castle_with_enemies_around_it(field: Callable[..., State]) -> None:
    """Ruling R155."""
    s = field(ROWS, {"hb-04": "0304", "hb-06": "0303 shut-in", "kb-03": "0303 besieging"}, castles=MIKI)
    assert why(s, move(s, "hb-04", "0303", "enter")) == "15-6-2"
    s.remove("kb-03")
    assert why(s, move(s, "hb-04", "0303", "enter")) is None


@pytest.mark.clause("10-4", "16-1-3")
def test_the_castles_own_morale_is_dropped_when_a_force_comes_in(field: Callable[..., State]) -> None:
    s = field(ROWS, {"hb-04": "0303"}, castles=MIKI)
    s.set_castle_morale("miki", -2)
    do(s, move(s, "hb-04", "", "enter"))
    assert (s.castle_morale, s.morale) == ({}, {})
