"""Rulebook 15, with 12, 11-3(3) and 36: movement."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from pbem.errors import MalformedOrder
from pbem.rules.requests import Tell
from pbem.rules.sengoku import movement
from pbem.rules.sengoku.acting import able, friendly_castle, open_in
from pbem.rules.sengoku.board import SOTAISHO
from pbem.rules.sengoku.command import why_not_force
from pbem.rules.sengoku.orders import Drop, Move
from pbem.rules.sengoku.scenario import board
from pbem.rules.sengoku.state import State, copy, dump, start

ROW = ". " * 14 + "\n"
ROWS = ROW * 5
HIMEJI: Mapping[str, Any] = {"castles": {"himeji": "0101 hashiba 3"}, "main": {"hashiba": "himeji"}}
FAR = {"kb-03": "0514"}


def move(s: State, force: str, way: str, *words: str, **drops: str) -> Move:
    """A move along hexes by their numbers; `at_0102="hb-04 hb-06"` leaves units behind."""
    parse = s.board.parse
    left = tuple(Drop(parse(at[3:]), tuple(units.split())) for at, units in drops.items())
    return Move(force, tuple(parse(h) for h in way.split()), "strategic" in words, "enter" in words, left)


def why(s: State, order: Move) -> str | None:
    """The clause by which a move is refused, after seeing that nothing changes by asking; None when it is legal."""
    before = dump(s)
    refusal = movement.why_not(s, s.board.units[order.force].side, order)
    assert dump(s) == before
    assert refusal is None or refusal.reason
    return None if refusal is None else refusal.clause


def do(s: State, order: Move) -> list[Tell]:
    """Carry out a legal move."""
    assert why(s, order) is None
    return list(movement.carry_out(s, order))


def at(s: State, force: str) -> str:
    """The number of a force's hex."""
    return s.board.label[s.at[force]]


@pytest.mark.clause("15.0", "15-1", "15-1-2", "12-1-2", "15-1-1")
def test_a_force_goes_hex_by_hex_and_has_acted(field: Callable[..., State]) -> None:
    s = field(ROWS, {"hb-02 hb-04": "0303", "hb-06": "0301"})
    assert why(s, move(s, "hb-02", "0305")) == "15-1-2"
    assert why(s, move(s, "hb-02", "0304 0306")) == "15-1-2"
    assert why(s, move(s, "hb-02", "0303")) == "15-1-2"
    assert why(s, move(s, "hb-02", "")) == "15-1"
    assert why(s, move(s, "hb-02", "0304 0204 0203 0202 0302 0402 0403")) is None  # any direction
    told = do(s, move(s, "hb-02", "0304 0204"))
    assert [(tell.what, tell.facts["from"], tell.facts["path"], tell.facts["cost"]) for tell in told] == [
        ("move", "0303", ["0304", "0204"], 2)
    ]
    assert (at(s, "hb-02"), s.forces["hb-02"]) == ("0204", ("hb-02", "hb-04"))
    assert s.acted == {"hb-02", "hb-04"}
    assert why(s, move(s, "hb-02", "0205")) == "12.0-2"
    assert why(s, move(s, "hb-06", "0302")) is None


@pytest.mark.clause("15-2-1")
def test_a_force_has_8_points(field: Callable[..., State]) -> None:
    s = field(ROWS, {"hb-04": "0301"})
    eight = "0302 0303 0304 0305 0306 0307 0308 0309"
    assert why(s, move(s, "hb-04", f"{eight} 0310")) == "15-2-1"
    assert do(s, move(s, "hb-04", eight))[0].facts["cost"] == 8


@pytest.mark.clause("15-2-2", "15-2-3", "15-6(terrain)", "table-terrain")
@pytest.mark.parametrize(
    ("letter", "tactical", "strategic"),
    [(".", 1, 1), ("r", 2, 1), ("M", 4, 3), ("s", 4, "15-6(terrain)"), ("A", "15-6(terrain)", "15-6(terrain)")],
)
def test_ground_costs_by_kind_of_movement(
    field: Callable[..., State], letter: str, tactical: int | str, strategic: int | str
) -> None:
    s = field(f". {letter} . .\n", {"hb-04": "0101"}, **HIMEJI)
    for words, wanted in (((), tactical), (("strategic",), strategic)):
        order = move(s, "hb-04", "0102", *words)
        found = why(s, order) or movement.cost(s, order)
        assert found == wanted


@pytest.mark.clause("15-2-4")
def test_a_river_costs_1_more_and_a_bridge_spares_it(field: Callable[..., State]) -> None:
    for words in ((), ("strategic",)):
        s = field(ROW, {"hb-04": "0101"}, rivers=("0101/0102", "0102/0103"), bridges=("0102 0103",), **HIMEJI)
        assert movement.cost(s, move(s, "hb-04", "0102", *words)) == 2
        assert movement.cost(s, move(s, "hb-04", "0102 0103", *words)) == 3


@pytest.mark.clause("15-6-1")
def test_lakes_are_not_crossed_nor_the_sea_entered(field: Callable[..., State]) -> None:
    s = field(". . . ~\n . . . .\n", {"hb-04": "0102"}, lakes=("0101/0102",))
    assert why(s, move(s, "hb-04", "0101")) == "15-6-1"
    assert why(s, move(s, "hb-04", "0201 0101")) is None
    s = field("r s A .\n", {"hb-04": "0101"}, lakes=("0101/0102", "0102/0103"))
    assert why(s, move(s, "hb-04", "0102")) == "15-6-1"  # whatever lies beyond
    s.put("hb-04", s.board.parse("0102"))
    assert why(s, move(s, "hb-04", "0103")) == "15-6-1"
    s = field(". . . ~\n", {"hb-04": "0102"})
    with pytest.raises(MalformedOrder):
        s.board.parse("0104")


@pytest.mark.clause("15-3", "15-3-1", "5-1-2")
def test_strategic_movement_keeps_two_hexes_off_the_enemy(field: Callable[..., State]) -> None:
    for enemy in ({"forces": {"kb-03": "0306"}}, {"castles": {"gifu": "0306 kobe 4"}}):
        castles = {**HIMEJI["castles"], **enemy.get("castles", {})}
        s = field(ROWS, {"hb-04": "0302", **enemy.get("forces", {})}, castles=castles, main=HIMEJI["main"])
        assert why(s, move(s, "hb-04", "0303 0304", "strategic")) is None
        assert why(s, move(s, "hb-04", "0303 0304 0305", "strategic")) == "15-3-1"
        assert why(s, move(s, "hb-04", "0303 0304 0305")) is None
        assert why(s, move(s, "hb-04", "0303 0304 0204 0205 0105", "strategic")) == "15-3-1"  # past it
        assert why(s, move(s, "hb-04", "0303 0304 0204 0105", "strategic")) is None
        s.put("hb-04", s.board.parse("0305"))
        assert why(s, move(s, "hb-04", "0304", "strategic")) == "15-3-1"


@pytest.mark.clause("15-3-1", "5-2(1)")
def test_strategic_movement_counts_hexes_beyond_a_lake_and_enemies_shut_in(field: Callable[..., State]) -> None:
    """Ruling R159."""
    s = field(ROWS, {"hb-04": "0302", "kb-03": "0305"}, lakes=("0304/0305",), **HIMEJI)
    assert why(s, move(s, "hb-04", "0303 0304", "strategic")) == "15-3-1"
    assert why(s, move(s, "hb-04", "0303", "strategic")) is None
    s = field(ROWS, {"hb-04": "0302"}, castles={**HIMEJI["castles"], "gifu": "0305 nobody 4 0"}, main=HIMEJI["main"])
    assert why(s, move(s, "hb-04", "0303 0304", "strategic")) is None  # abandoned


@pytest.mark.clause("15-3-2", "11-3(3)", "11-3-2", "11-4-2")
def test_strategic_movement_needs_a_line_at_the_start(field: Callable[..., State]) -> None:
    s = field(ROW, {"hb-04": "0109", "kb-03": "0105"}, **HIMEJI)
    assert why(s, move(s, "hb-04", "0110", "strategic")) == "15-3-2"
    assert why(s, move(s, "hb-04", "0110")) is None  # tactical movement remains
    s.remove("kb-03")
    assert why(s, move(s, "hb-04", "0110", "strategic")) is None


@pytest.mark.clause("15-3-3", "10-2(4)", "15-6-3")
@pytest.mark.parametrize("morale", [0, -1, -3, -4])
def test_lowered_morale_takes_points_and_forbids_strategic_movement(field: Callable[..., State], morale: int) -> None:
    s = field(ROW, {"hb-04": f"0101 morale {morale}"}, **HIMEJI)
    assert movement.points_of(s, "hb-04") == 8 + morale
    way = [f"01{i:02}" for i in range(2, 10 + morale)]
    assert why(s, move(s, "hb-04", " ".join(way))) is None
    beyond = f"01{10 + morale:02}"
    assert why(s, move(s, "hb-04", " ".join([*way, beyond]))) == ("15-6-3" if morale else "15-2-1")
    assert why(s, move(s, "hb-04", "0102", "strategic")) == ("15-3-3" if morale else None)


@pytest.mark.clause("15-4-1", "15-4-3", "15-4-5", "5-1-1(2)")
def test_enemy_control_costs_1_to_enter_and_1_to_leave(field: Callable[..., State]) -> None:
    s = field(ROWS, {"hb-04": "0304", "kb-03": "0307"})
    price = {way: movement.cost(s, move(s, "hb-04", way)) for way in ("0305", "0305 0306", "0305 0306 0305")}
    assert price == {"0305": 1, "0305 0306": 3, "0305 0306 0305": 5}
    s.put("hb-04", s.board.parse("0306"))
    assert movement.cost(s, move(s, "hb-04", "0206")) == 3  # from control to control
    assert movement.cost(s, move(s, "hb-04", "0305")) == 2


@pytest.mark.clause("15-4-1", "15-2-4", "15-4-5")
def test_the_costs_of_a_step_add_up(field: Callable[..., State]) -> None:
    s = field(". r .\n", {"hb-04": "0101", "kb-03": "0103"}, rivers=("0101/0102",))
    assert movement.cost(s, move(s, "hb-04", "0102")) == 4
    s = field(". M M .\n - . - -\n", {"hb-04": "0102", "kb-03": "0104", "kb-04": "0202"})
    assert movement.cost(s, move(s, "hb-04", "0103")) == 6


@pytest.mark.clause("15-4-4")
def test_without_points_to_leave_control_a_force_goes_no_further(field: Callable[..., State]) -> None:
    s = field(ROW, {"hb-04": "0101", "kb-03": "0108"})
    way = "0102 0103 0104 0105 0106 0107"
    assert movement.cost(s, move(s, "hb-04", way)) == 7
    assert why(s, move(s, "hb-04", way)) is None
    assert why(s, move(s, "hb-04", f"{way} 0106")) == "15-2-1"


@pytest.mark.clause("15-4-2", "5-1-2", "15-4-1", "table-terrain")
def test_a_castle_costs_1_in_its_own_hex_alone(field: Callable[..., State]) -> None:
    """Ruling R152."""
    s = field(ROWS, {"hb-04": "0304"}, castles={"gifu": "0306 kobe 4"})
    assert movement.cost(s, move(s, "hb-04", "0305")) == 1
    assert movement.cost(s, move(s, "hb-04", "0305 0306")) == 3
    assert movement.cost(s, move(s, "hb-04", "0305 0306 0307")) == 5
    s.form(("hb-06",), s.board.parse("0306"))
    assert movement.cost(s, move(s, "hb-04", "0305 0306 0307")) == 3  # a friend is there
    s.besiege("hb-06")
    assert movement.cost(s, move(s, "hb-04", "0305 0306 0307")) == 3


@pytest.mark.clause("15-4-6")
def test_a_friend_in_the_hex_spares_the_cost_but_not_the_mover_himself(field: Callable[..., State]) -> None:
    """Ruling R156."""
    s = field(ROWS, {"hb-04": "0305", "hb-06": "0301", "kb-03": "0307", "kt-06": "0302"})
    assert movement.cost(s, move(s, "hb-04", "0306 0305")) == 4
    s.put("kt-06", s.board.parse("0306"))
    assert movement.cost(s, move(s, "hb-04", "0306 0305")) == 2
    s.put("hb-04", s.board.parse("0306"))
    assert movement.cost(s, move(s, "hb-04", "0305")) == 1
    s.put("kt-06", s.board.parse("0302"))
    assert movement.cost(s, move(s, "hb-04", "0305")) == 2


@pytest.mark.clause("15-4-6")
def test_a_friend_shut_in_counts_too(field: Callable[..., State]) -> None:
    """Ruling R156."""
    s = field(ROWS, {"hb-04": "0305", "kb-03": "0307"}, castles={"miki": "0306 hashiba 2"})
    assert movement.cost(s, move(s, "hb-04", "0306")) == 2
    s.form(("hb-06",), s.board.parse("0306"))
    s.shut("hb-06")
    assert movement.cost(s, move(s, "hb-04", "0306")) == 1


@pytest.mark.clause("15-6-2", "15-6-2(shut-in)")
def test_enemies_in_the_open_bar_a_hex_and_those_shut_in_do_not(field: Callable[..., State]) -> None:
    """Ruling R155."""
    s = field(ROWS, {"hb-04": "0305", "kb-03": "0306", "kb-04": "0306 shut-in"}, castles={"gifu": "0306 kobe 4"})
    assert why(s, move(s, "hb-04", "0306")) == "15-6-2"
    assert why(s, move(s, "hb-04", "0306 0307")) == "15-6-2"
    s.shut("kb-03")
    assert why(s, move(s, "hb-04", "0306")) is None
    assert why(s, move(s, "hb-04", "0306 0307")) is None


@pytest.mark.clause("36.1", "36.7-4", "36.7-5")
def test_hexes_that_the_scenario_bars(field: Callable[..., State]) -> None:
    provinces = {"Mikawa": "0303", "Echizen": "0305", "Owari": "0101", "Shima": "0514"}
    closed = [{"side": "hashiba", "province": "Echizen", "left": ["shibata"], "clause": "36.7-4"}]
    more: Any = {"provinces": provinces, "scenario": {"outside": ["Mikawa", "Shima"], "closed": closed}}
    s = field(ROWS, {"hb-04": "0304", "sb-04": "0306"}, **more)
    assert why(s, move(s, "hb-04", "0303")) == "36.1"
    assert why(s, move(s, "hb-04", "0305")) == "36.7-4"
    assert why(s, move(s, "sb-04", "0305")) is None
    s.left.add("sb-04")
    assert why(s, move(s, "hb-04", "0305")) is None


@pytest.mark.clause("15-5", "15-5-1", "13-2-4", "9-1-2")
def test_units_are_left_behind_on_the_way_and_have_acted(field: Callable[..., State]) -> None:
    """Ruling R157."""
    s = field(ROWS, {"hb-02 hb-04 hb-06 hb-07": "0301 morale -1"})
    order = move(s, "hb-02", "0302 0303 0304", at_0301="hb-07", at_0302="hb-04 hb-06")
    assert movement.cost(s, order) == movement.cost(s, move(s, "hb-02", "0302 0303 0304")) == 3
    told = do(s, order)
    assert [tell.what for tell in told] == ["move", "left-behind", "left-behind"]
    assert {unit: at(s, unit) for unit in s.forces} == {
        "hb-02": "0304", "hb-07": "0301", "hb-04": "0302", "hb-06": "0302",
    }  # fmt: skip
    assert all(s.forces[unit] == (unit,) and s.morale[unit] == -1 for unit in s.forces)
    assert s.acted == {"hb-02", "hb-04", "hb-06", "hb-07"}
    assert why(s, move(s, "hb-04", "0303")) == "12.0-2"


@pytest.mark.clause("15-5", "9-2-3", "9-2-1", "9-2-4")
def test_a_commander_left_behind_may_lead_others_at_once(field: Callable[..., State]) -> None:
    """Ruling R157."""
    units = "hb-01 hb-02 hb-03 hb-04 hb-06"
    s = field(ROWS, {units: "0301"}, values={"hb-02": {"boxes": "1"}})
    assert s.board.units["hb-01"].rank == SOTAISHO
    assert why(s, move(s, "hb-01", "0302 0303", at_0302="hb-02 hb-03")) == "9-2-3"
    assert why(s, move(s, "hb-01", "0302 0303", at_0302="hb-02 hb-04 hb-06")) == "9-2-1"
    do(s, move(s, "hb-01", "0302 0303", at_0302="hb-02 hb-04"))
    assert s.forces == {"hb-01": ("hb-01", "hb-03", "hb-06"), "hb-02": ("hb-02", "hb-04")}
    assert (at(s, "hb-02"), s.acted >= {"hb-02", "hb-04"}) == ("0302", True)


@pytest.mark.clause("15-5", "15-5-2")
def test_who_can_not_be_left_behind_and_nobody_is_picked_up(field: Callable[..., State]) -> None:
    s = field(ROWS, {"hb-02 hb-04 hb-06": "0301", "hb-07": "0302"})
    way = "0302 0303"
    assert why(s, move(s, "hb-02", way, at_0302="hb-02")) == "15-5"  # the leader
    assert why(s, move(s, "hb-02", way, at_0302="hb-07")) == "15-5"  # of another force
    assert why(s, move(s, "hb-02", way, at_0303="hb-04")) == "15-5"  # the last hex
    assert why(s, move(s, "hb-02", way, at_0305="hb-04")) == "15-5"  # not on the way
    assert why(s, move(s, "hb-02", way, at_0301="hb-04", at_0302="hb-04")) == "15-5"
    assert why(s, move(s, "hb-02", way, at_0301="hb-04", at_0302="hb-06")) is None  # the last one too
    do(s, move(s, "hb-02", way))
    assert s.forces["hb-02"] == ("hb-02", "hb-04", "hb-06")
    assert at(s, "hb-07") == "0302"


@pytest.mark.clause("15-4-6", "15-5")
def test_who_is_left_behind_is_a_friend_for_the_next_step(field: Callable[..., State]) -> None:
    s = field(ROWS, {"hb-02 hb-04": "0304", "kb-03": "0306"})
    assert movement.cost(s, move(s, "hb-02", "0305 0304")) == 4
    assert movement.cost(s, move(s, "hb-02", "0305 0304", at_0305="hb-04")) == 3
    s.put("hb-02", s.board.parse("0305"))
    assert movement.cost(s, move(s, "hb-02", "0304", at_0305="hb-04")) == 1
    assert movement.cost(s, move(s, "hb-02", "0304")) == 2


@pytest.mark.clause("15-4-3", "18-1-1")
def test_a_besieger_lifts_the_siege_and_leaves_the_castles_control(field: Callable[..., State]) -> None:
    """Ruling R157."""
    s = field(ROWS, {"hb-02 hb-04": "0304 besieging"}, castles={"gifu": "0304 kobe 0"})
    assert movement.cost(s, move(s, "hb-02", "0305")) == 2
    assert movement.cost(s, move(s, "hb-02", "0305", at_0304="hb-04")) == 1
    do(s, move(s, "hb-02", "0305", at_0304="hb-04"))
    assert (at(s, "hb-04"), s.besieging) == ("0304", set())


@pytest.mark.clause("18-3", "18-3-2")
def test_a_siege_ends_when_too_few_besiegers_are_left(field: Callable[..., State]) -> None:
    def siege(strength: str) -> State:
        forces = {"hb-02": "0304 besieging", "hb-04": "0304 besieging"}
        values = {"hb-04": {"front": strength}, "hb-02": {"front": "9"}}
        s = field(ROWS, forces, castles={"gifu": "0304 kobe 0"}, values=values)
        s.set_castle_morale("gifu", -2)
        return s

    s = siege("9")
    do(s, move(s, "hb-02", "0305"))  # 9 of 10
    assert (s.besieging, s.castle_morale) == (set(), {})
    s = siege("9")
    s.form(("hb-06",), s.board.parse("0304"))
    s.besiege("hb-06")  # 11 of 10
    told = do(s, move(s, "hb-02", "0305"))
    assert (s.besieging, s.castle_morale) == ({"hb-04", "hb-06"}, {"gifu": -2})
    assert [tell.what for tell in told] == ["move"]


def reach(s: State, force: str) -> set[tuple[str, int, bool]]:
    """Where a force can come, with the points, tactically and strategically."""
    return {
        (s.board.label[h], points, strategic)
        for strategic in (False, True)
        for h, (points, _) in movement.destinations(s, force, strategic=strategic).items()
    }


def slow_reach(s: State, force: str) -> set[tuple[str, int, bool]]:
    """The same by asking of every way, hex by hex, whether it is legal."""
    found: dict[tuple[str, bool], int] = {}
    for strategic in (False, True):
        edge = [Move(force, (), strategic)]
        for _ in range(movement.POINTS):
            ways = [Move(force, (*m.path, h), strategic) for m in edge for h in s.board.map.neighbours[end(s, m)]]
            edge = []
            for order in ways:
                key = (s.board.label[order.path[-1]], strategic)
                if why(s, order) is None and movement.cost(s, order) < found.get(key, 99):
                    found[key] = movement.cost(s, order)
                    edge.append(order)
    start = at(s, force)
    return {(label, points, strategic) for (label, strategic), points in found.items() if label != start}


def end(s: State, order: Move) -> Any:
    """The last hex of a move."""
    return (s.at[order.force], *order.path)[-1]


@pytest.mark.clause("15-1-2", "15-2-1", "15-4-5")
@pytest.mark.parametrize("seed", range(6))
def test_destinations_are_all_the_ends_of_legal_ways(field: Callable[..., State], seed: int) -> None:
    chance = random.Random(seed)
    rows = "\n".join(" ".join(chance.choice("....rMs") for _ in range(7)) for _ in range(6))
    rows = "." + rows[1:]
    spots = {"hb-04": "0303", "kb-03": "0306", "hb-06": f"0{chance.randint(1, 6)}02", "kb-04": "0601"}
    s = field(rows, {unit: place for unit, place in spots.items() if place != "0303" or unit == "hb-04"}, **HIMEJI)
    assert reach(s, "hb-04") == slow_reach(s, "hb-04")


@pytest.mark.parametrize("seed", range(4))
def test_every_move_offered_or_drawn_is_legal(field: Callable[..., State], seed: int) -> None:
    chance = random.Random(seed)
    castles = {"himeji": "0101 hashiba 3", "miki": "0304 niwa 1", "gifu": "0508 kobe 2", "sone": "0307 kobe 1"}
    letters = [[chance.choice("....rMs") for _ in range(14)] for _ in range(5)]
    for castle in castles.values():
        letters[int(castle[:2]) - 1][int(castle[2:4]) - 1] = "."
    rows = "\n".join(map(" ".join, letters))
    forces = {
        "hb-02 hb-04 hb-06 hb-03": "0304 shut-in",
        "hb-08": "0101",
        "kb-03": "0508 shut-in",
        "hb-09": "0508 besieging",
    }
    s = field(rows, forces, castles=castles, main={"hashiba": "himeji", "kobe": "gifu"})
    seen = set()
    for force in list(s.forces):
        offered = list(movement.options(s, force))
        drawn = [order for _ in range(150) if (order := movement.sample(s, force, chance))]
        assert len(set(offered)) == len(offered)
        for order in {*offered, *drawn}:
            assert why(s, order) is None, order
            after = copy(s)
            list(movement.carry_out(after, order))
            assert end(s, order) == after.at[force]
            seen |= {(name, bool(getattr(order, name))) for name in ("path", "strategic", "enter", "drops")}
        if force == "kb-03":
            assert not offered
            assert not drawn
    assert len(seen) == 8


@pytest.fixture
def campaign(shipped: Mapping[str, Any]) -> State:
    """The shipped campaign with nobody on the map, and nothing closed."""
    s = start(board(shipped), {})
    s.declared.add("kobe")
    s.left.add("sb-01")
    s.stage = 1
    return s


@pytest.mark.clause("15-2-1", "15-2-3", "table-terrain")
@pytest.mark.parametrize(("begin", "goal", "phases"), [("4301", "4311", (3, 2)), ("5313", "4413", (3, 2))])
def test_how_many_phases_it_is_between_castles(
    campaign: State, monkeypatch: pytest.MonkeyPatch, begin: str, goal: str, phases: tuple[int, int]
) -> None:
    """As it was counted when the map was drawn."""
    s = campaign
    monkeypatch.setattr(movement, "in_line", lambda *_: True)
    for castle in s.board.castles:
        s.hold(castle, None)
    s.form(("hb-04",), s.board.parse(begin))

    def count(strategic: bool) -> int:
        reached, edge, found = {s.board.parse(begin)}, {s.board.parse(begin)}, 0
        while s.board.parse(goal) not in reached:
            ends = set()
            for h in edge:
                s.put("hb-04", h)
                ends |= set(movement.destinations(s, "hb-04", strategic=strategic))
            edge, reached, found = ends - reached, reached | ends, found + 1
        return found

    assert (count(strategic=False), count(strategic=True)) == phases


@pytest.mark.clause("9-1(all)", "9-1-1", "6-1(separate)", "15-6-2")
def test_random_marches_over_the_map_leave_every_piece_where_it_may_be(campaign: State) -> None:
    s, chance = campaign, random.Random(7)
    s.thawed.update(("shibata", "maeda", "kanamori"))
    for deployment in s.board.deployments.values():
        if not deployment.enters:
            first, *others = deployment.units
            leads = why_not_force(s.board, deployment.units) is None
            for units in [deployment.units] if leads else [(first,), *((unit,) for unit in others)]:
                s.form(units, chance.choice(deployment.hexes))
    on_map = set(s.leader)
    strategic = 0
    for _ in range(4):
        for side in s.board.enemy:
            s.acted.clear()
            for force in s.own_forces(side):
                order = movement.sample(s, force, chance) if able(s, force) else None
                if order is not None:
                    assert why(s, order) is None
                    list(movement.carry_out(s, order))
                    strategic += order.strategic
    assert strategic > 10
    assert set(s.leader) == on_map == {unit for units in s.forces.values() for unit in units}
    assert sum(map(len, s.forces.values())) == len(on_map)
    assert all(why_not_force(s.board, units) is None for units in s.forces.values())
    for h in s.stands:
        assert not (open_in(s, h, "hashiba") and open_in(s, h, "anti-hashiba"))
    for force in s.shut_in:
        assert friendly_castle(s, s.at[force], s.board.units[force].side)
