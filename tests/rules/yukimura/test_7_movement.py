"""Rulebook 7: movement."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pbem.rules.yukimura.acting import enemy_zoc

ROWS = (". " * 12 + "\n") * 5
FAR = {"go-01": "0512"}
ROAD = ("0301 0302 0303 0304 0305 0306 0307 0308 0309 0310 0311",)


@pytest.mark.clause("7.a")
def test_no_unit_is_obliged_to_move(field: Callable[..., Any]) -> None:
    battle = field(ROWS, {"da-01": "0303", "da-02": "0305", **FAR}, phase="east-move")
    battle.do("done")
    assert battle.phase != "east-move"
    assert (battle.at("da-01"), battle.at("da-02")) == ("0303", "0305")


@pytest.mark.clause("7.a")
def test_any_number_of_units_may_move(field: Callable[..., Any]) -> None:
    battle = field(ROWS, {"da-01": "0303", "da-02": "0305", "da-03": "0101", **FAR}, phase="east-move", idle=True)
    battle.do("move da-01 0302")
    battle.do("move da-02 0304")
    assert battle.phase == "east-move"
    assert (battle.at("da-01"), battle.at("da-02"), battle.at("da-03")) == ("0302", "0304", "0101")


@pytest.mark.clause("7-1", "7-1-2")
def test_a_path_starts_beside_the_unit_and_goes_hex_by_hex(field: Callable[..., Any]) -> None:
    battle = field(ROWS, {"da-01": "0303 3-3-5", **FAR}, phase="east-move")
    assert battle.refused("move da-01 0305") == "7-1-2"
    assert battle.refused("move da-01 0304 0306") == "7-1-2"
    assert battle.refused("move da-01 0304 0303") == "7-1"
    assert battle.why_not("move da-01 0304 0204 0203 0304 0403") is None  # zigzag, one hex twice
    told = battle.do("move da-01 0203 0202 0302")
    assert told[0].facts["from"] == "0303"
    assert battle.at("da-01") == "0302"


@pytest.mark.clause("7-1-1.a")
def test_units_move_in_the_order_of_their_owner(field: Callable[..., Any]) -> None:
    battle = field(ROWS, {"da-01": "0303", "da-02": "0302", **FAR}, phase="east-move")
    assert battle.refused("move da-02 0303") == "7-4-1.b"
    battle.do("move da-01 0304")
    battle.do("move da-02 0303")
    assert battle.at("da-02") == "0303"


@pytest.mark.clause("7-1-1.b", "7-2.a")
@pytest.mark.parametrize("first", ["move da-01 0304", "march da-01 0304"])
def test_a_unit_moves_once_in_a_phase(field: Callable[..., Any], first: str) -> None:
    units = {"da-01": "0303 3-3-5", "da-02": "0101", **FAR}
    battle = field(ROWS, units, phase="east-move", roads=ROAD, idle=True)
    battle.do(first)
    assert battle.refused("move da-01 0305") == "7-2.a"
    assert battle.refused("march da-01 0305") == "7-2.a"
    assert battle.why_not("move da-02 0102") is None


@pytest.mark.clause("7-2.b", "2-2(5)")
def test_the_allowance_bounds_the_move(field: Callable[..., Any]) -> None:
    battle = field(ROWS, {"da-01": "0303 3-3-3", **FAR}, phase="east-move")
    assert battle.refused("move da-01 0304 0305 0306 0307") == "7-2.b"
    battle.do("move da-01 0304 0305 0306")
    assert battle.facts("move") == {
        "unit": "da-01",
        "from": "0303",
        "path": ["0304", "0305", "0306"],
        "how": "move",
        "cost": 3,
        "off": False,
    }


@pytest.mark.clause("7-2-1")
def test_points_are_not_saved_or_shared(field: Callable[..., Any]) -> None:
    battle = field(ROWS, {"da-01": "0303 3-3-3", "da-02": "0403 3-3-2", **FAR}, phase="east-move", idle=True)
    battle.do("move da-01 0304")
    assert battle.refused("move da-02 0404 0405 0406") == "7-2.b"
    while battle.phase != "east-move" or battle.state.turn == 1:
        battle.do("done")
    assert battle.refused("move da-01 0305 0306 0307 0308") == "7-2.b"
    assert battle.why_not("move da-01 0305 0306 0307") is None


@pytest.mark.clause("7-2-2")
def test_terrain_decides_what_a_hex_costs(field: Callable[..., Any]) -> None:
    rows = ". . w w . . . . . . .\n . . . . . . . . . . .\n"
    battle = field(rows, {"da-01": "0101 3-3-3", "go-01": "0211"}, phase="east-move")
    assert battle.why_not("move da-01 0102 0103") is None
    assert battle.refused("move da-01 0102 0103 0104") == "7-2.b"
    marsh = field(rows, {"da-01": "0102 3-3-3", "go-01": "0211"}, phase="east-move")
    assert marsh.refused("move da-01 0103 0104") == "7-2.b"


@pytest.mark.clause("7-3-1")
def test_a_unit_stops_in_enemy_zoc(field: Callable[..., Any]) -> None:
    battle = field(ROWS, {"da-01": "0301 3-3-5", "go-01": "0304"}, phase="east-move")
    assert battle.refused("move da-01 0302 0303 0302") == "7-3-1"
    assert battle.refused("move da-01 0302 0303 0203") == "7-3-1"
    battle.do("move da-01 0302 0303")
    assert battle.at("da-01") == "0303"


@pytest.mark.clause("7-3-2")
def test_a_unit_that_began_in_enemy_zoc_stays(field: Callable[..., Any]) -> None:
    units = {"da-01": "0101", "go-01": "0102", "da-02": "0301"}
    battle = field(ROWS, units, phase="east-move", roads=ROAD, entries={"west": "0301"})
    assert battle.is_("da-01", "pinned")
    for order in ("move da-01 0201", "move da-01 off", "march da-01 off"):
        assert battle.refused(order) == "7-3-2"
    assert battle.why_not("move da-02 0302") is None
    across = field(ROWS, units, phase="east-move", impassable=("0101/0102",))
    assert across.why_not("move da-01 0201") is None


@pytest.mark.clause("7-3-2", "7-3-2.b")
def test_the_test_is_made_when_the_phase_begins(field: Callable[..., Any]) -> None:
    battle = field(
        ROWS, {"da-01": "0303", "go-01": "0304", "da-02": "0101"}, phase="east-move", opened=False, idle=True
    )
    assert battle.state.pinned == {"da-01"}
    before = set(filter(enemy_zoc(battle.state, "east"), battle.board.label))
    battle.do("move da-02 0102")
    assert set(filter(enemy_zoc(battle.state, "east"), battle.board.label)) == before
    assert battle.refused("move da-01 0302") == "7-3-2"


@pytest.mark.clause("7-4-1.a", "7-4-1.b")
def test_a_unit_passes_through_friends_but_does_not_end_there(field: Callable[..., Any]) -> None:
    battle = field(ROWS, {"da-01": "0301", "da-02": "0302", "da-03": "0303", **FAR}, phase="east-move")
    assert battle.refused("move da-01 0302") == "7-4-1.b"
    assert battle.refused("move da-01 0302 0303") == "7-4-1.b"
    battle.do("move da-01 0302 0303 0304")
    assert battle.at("da-01") == "0304"


@pytest.mark.clause("7-4-1.b")
def test_a_friend_in_enemy_zoc_can_not_be_passed(field: Callable[..., Any]) -> None:
    units = {"da-01": "0301 3-3-5", "da-02": "0303", "go-01": "0304"}
    battle = field(ROWS, units, phase="east-move")
    assert battle.refused("move da-01 0302 0303") == "7-4-1.b"
    assert battle.refused("move da-01 0302 0303 0403") == "7-3-1"


@pytest.mark.clause("7-4-1.a")
def test_enemy_hexes_are_closed(field: Callable[..., Any]) -> None:
    """An enemy across an impassable side has no ZOC there, yet his hex can't be entered from anywhere (R72)."""
    units = {"da-01": "0301 3-3-5", "go-01": "0303"}
    battle = field(ROWS, units, phase="east-move")
    assert battle.refused("move da-01 0302 0303") == "7-3-1"
    shut = field(ROWS, {"da-01": "0302 3-3-5", "go-01": "0303"}, phase="east-move", impassable=("0303/0302",))
    assert shut.refused("move da-01 0303") == "7-4-2"


@pytest.mark.clause("7-4-2", "12-2(2)a", "12-1(4)a")
def test_impassable_sides_are_not_crossed(field: Callable[..., Any]) -> None:
    battle = field(ROWS, {"da-01": "0302 3-3-3", **FAR}, phase="east-move", impassable=("0302/0303",))
    assert battle.refused("move da-01 0303") == "7-4-2"
    battle.do("move da-01 0202 0303")
    assert battle.at("da-01") == "0303"


# --- road movement


@pytest.mark.clause("7-5-1(1)")
def test_road_movement_keeps_to_the_road(field: Callable[..., Any]) -> None:
    units = {"da-01": "0202", "da-02": "0301", **FAR}
    battle = field(ROWS, units, phase="east-move", roads=(*ROAD, "0103 0203 0204"))
    assert battle.refused("march da-01 0303") == "7-5-1(1)"
    assert battle.refused("march da-02 0302 0303 0203") == "7-5-1(1)"  # a road there, but no road across the side
    battle.do("march da-02 0302 0303 0304")
    assert battle.at("da-02") == "0304"
    assert battle.facts("move")["how"] == "march"


@pytest.mark.clause("7-5-1(2)")
def test_road_movement_keeps_out_of_enemy_zoc(field: Callable[..., Any]) -> None:
    units = {"da-01": "0301 3-3-5", "go-01": "0407"}
    battle = field(ROWS, units, phase="east-move", roads=ROAD)
    assert battle.refused("march da-01 0302 0303 0304 0305 0306 0307") == "7-5-1(2)"
    assert battle.refused("march da-01 0302 0303 0304 0305 0306 0307 0308 0309") == "7-5-1(2)"
    near = field(ROWS, {"da-01": "0303 3-3-5", "go-01": "0407"}, phase="east-move", roads=ROAD)
    assert near.why_not("move da-01 0304 0305 0306 0307") is None
    battle.do("march da-01 0302 0303 0304 0305 0306")
    assert battle.at("da-01") == "0306"


@pytest.mark.clause("7-5-1(2)")
def test_road_movement_does_not_begin_in_enemy_zoc(field: Callable[..., Any]) -> None:
    battle = field(ROWS, {"da-01": "0301", "go-01": "0201"}, phase="east-move", roads=ROAD, idle=True)
    assert battle.refused("march da-01 0302") == "7-3-2"
    assert not [order for order in battle.options() if order.startswith("march da-01")]


@pytest.mark.clause("7-5-1(3)")
def test_the_other_limits_hold_in_road_movement(field: Callable[..., Any]) -> None:
    units = {"da-01": "0301", "da-02": "0303", "ho-01": "0305", **FAR}
    held = [{"force": "honda", "until": 5, "clause": "14-2(5)1"}]
    battle = field(ROWS, units, phase="east-move", roads=ROAD, held=held)
    assert battle.refused("march da-01 0302 0303") == "7-4-1.b"
    assert battle.refused("march ho-01 0306") == "14-2(5)1"
    assert battle.why_not("march da-01 0302 0303 0304") is None


@pytest.mark.clause("7-5-2")
@pytest.mark.parametrize("move", [2, 5])
def test_road_movement_goes_up_to_eight_hexes_whatever_the_allowance(field: Callable[..., Any], move: int) -> None:
    road = [f"03{column:02}" for column in range(2, 11)]
    battle = field(ROWS, {"da-01": f"0301 3-3-{move}", "go-01": "0512"}, phase="east-move", roads=ROAD)
    assert battle.refused(f"march da-01 {' '.join(road)}") == "7-5-2"
    battle.do(f"march da-01 {' '.join(road[:8])}")
    assert battle.at("da-01") == "0309"


# --- off the map


@pytest.mark.clause("7-6.a", "7-6-1")
def test_leaving_the_map_costs_a_point_and_needs_the_edge(field: Callable[..., Any]) -> None:
    battle = field(ROWS, {"da-01": "0303 3-3-3", "da-02": "0304 3-3-3", **FAR}, phase="east-move")
    assert battle.refused("move da-01 off") == "7-6.a"
    assert battle.refused("move da-01 0302 off") == "7-6.a"
    assert battle.refused("move da-02 0303 0302 0301 off") == "7-6-1"
    assert battle.why_not("move da-02 0303 0302 0301") is None
    battle.do("move da-01 0302 0301 off")
    assert battle.at("da-01") is None
    assert battle.state.exited == {"da-01": 1}
    assert battle.events()[:2] == ["move", "exit"]
    assert battle.facts("exit") == {"unit": "da-01", "at": "0301"}
    assert (battle.facts("move")["cost"], battle.facts("move")["off"]) == (3, True)


@pytest.mark.clause("7-6.a")
def test_a_unit_leaves_through_a_friend_but_not_out_of_enemy_zoc(field: Callable[..., Any]) -> None:
    units = {"da-01": "0302 3-3-3", "da-02": "0301", "da-03": "0103", "go-01": "0105"}
    battle = field(ROWS, units, phase="east-move")
    assert battle.refused("move da-03 0104 off") == "7-3-1"
    battle.do("move da-01 0301 off")
    assert battle.at("da-02") == "0301"
    assert battle.state.unit_in(battle.hex("0301")) == "da-02"
    assert "da-01" in battle.state.exited


@pytest.mark.clause("7-6.a", "7-5-2")
def test_a_march_leaves_by_a_road_over_the_edge_as_one_of_eight(field: Callable[..., Any]) -> None:
    """Leaving counts as one of the eight hexes, and only where a road leads over the edge (R74)."""
    units = {"da-01": "0308", "da-02": "0309", "go-01": "0512"}
    back = [f"03{column:02}" for column in range(7, 0, -1)]
    battle = field(ROWS, units, phase="east-move", roads=ROAD, entries={"west": "0301"})
    assert battle.refused(f"march da-02 0308 {' '.join(back)} off") == "7-5-2"
    assert battle.refused("march da-01 0307 off") == "7-5-1(1)"
    battle.do(f"march da-01 {' '.join(back)} off")
    assert "da-01" in battle.state.exited
    blind = field(ROWS, units, phase="east-move", roads=ROAD)
    assert blind.refused(f"march da-01 {' '.join(back)} off") == "7-5-1(1)"


@pytest.mark.clause("7-6-2")
def test_a_unit_off_the_map_never_returns(field: Callable[..., Any]) -> None:
    battle = field(ROWS, {"da-01": "0301", "da-02": "0103", **FAR}, phase="east-move", idle=True)
    battle.do("move da-01 off")
    for order in ("move da-01 0301", "march da-01 0301", "enter da-01 0301"):
        assert battle.refused(order) == "7-6-2"
    assert battle.is_("da-01", "exited")
    assert "da-01" not in battle.state.removed
    assert not battle.is_("da-02", "exited")


# --- what the game offers


def test_every_offered_move_is_legal_and_no_hex_in_reach_is_missing(field: Callable[..., Any]) -> None:
    rows = ". w . m . . . . . . . .\n . . w . . ~ . . . . . .\n. . . . w . . . . . . .\n"
    units = {"da-01": "0102 3-3-3", "da-02": "0202", "da-03": "0307 3-3-5", "go-01": "0209", "go-02": "0104"}
    battle = field(
        rows,
        units,
        phase="east-move",
        roads=("0301 0302 0303 0304 0305 0306 0307",),
        rivers=("0102/0103 0102/0202",),
        entries={"west": "0301"},
        idle=True,
    )
    offered = battle.options()
    assert len(offered) == len(set(offered))
    assert all(battle.why_not(order) is None for order in offered)
    ends = {order.split()[-1] for order in offered if order.startswith("move da-01")}
    assert ends == reachable(battle, "da-01", 3) | {"off"}


def reachable(battle: Any, unit: str, steps: int) -> set[str]:
    """The ends of all legal paths of up to so many steps, found by trying every path."""
    board, ends = battle.board, set()
    paths: list[tuple[Any, ...]] = [(battle.state.at[unit],)]
    for _ in range(steps):
        paths = [(*path, n) for path in paths for n in board.ground.near[path[-1]]]
        for path in paths:
            words = " ".join(board.label[h] for h in path[1:])
            if battle.why_not(f"move {unit} {words}") is None:
                ends.add(board.label[path[-1]])
    return ends
