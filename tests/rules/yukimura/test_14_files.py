"""Rulebook 14 on the scenario files: maps, turns, reinforcements, held forces, victory, as the rulebook has them."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.maps.hexes import distance
from pbem.match.game import Game
from pbem.rules import yukimura
from pbem.rules.yukimura.board import Board
from pbem.scenario import load_scenario

RESERVES = {
    "sakakibara": 10, "ogasawara": 8, "hoshina": 3, "suwa": 3, "sakai": 5, "sengoku": 5, "tadayoshi": 3, "yasunaga": 3,
    "naito": 3,
}  # fmt: skip
DOMYOJI_HELD = {"akashi": (10, 5, 0), "mori": (10, 7, 0), "sanada": (14, 10, 3)}
"""Force -> number of units, the turn of its release, the die that may free it earlier."""


def board_of(name: str) -> Board:
    return yukimura.board(load_scenario(name).data)


@pytest.fixture(scope="module")
def boards() -> dict[str, Board]:
    return {name: board_of(name) for name in ("domyoji", "yao", "connected", "gotos-dream")}


@pytest.mark.clause("14-1(2)", "14-2(2)", "14-3(2)", "14-4(1)-(4)")
@pytest.mark.parametrize("name", ["domyoji", "yao", "connected", "gotos-dream"])
def test_twelve_turns(boards: dict[str, Board], name: str) -> None:
    assert boards[name].turns == 12


@pytest.mark.clause("14-1(3)", "14-2(3)", "14-3(3)", "14-4(1)-(4)")
def test_units_start_as_their_army_file_has_it_and_nowhere_else(boards: dict[str, Board]) -> None:
    for name, board in boards.items():
        state = yukimura.start(board, {})
        assert {unit: state.at.get(unit) for unit in board.units} == {u.id: u.start for u in board.units.values()}
        kinds = {yukimura.clock(state)[1]}
        assert kinds == {"start" if name == "connected" else "east-move"}


@pytest.mark.clause("14-3(3)")
def test_the_connected_set_up_is_that_of_both_battles(boards: dict[str, Board]) -> None:
    connected, union = boards["connected"], {}
    for name, prefix in (("domyoji", "D"), ("yao", "Y")):
        board = boards[name]
        union |= {u.id: prefix + board.label[u.start] for u in board.units.values() if u.start is not None}
    assert {u.id: connected.label[u.start] for u in connected.units.values() if u.start is not None} == union


@pytest.mark.clause("14-1(4)1", "14-1(4)2", "14-3(4)", "14-4(1)-(4)")
@pytest.mark.parametrize("name", ["domyoji", "connected", "gotos-dream"])
def test_eastern_reinforcements(boards: dict[str, Board], name: str) -> None:
    board = boards[name]
    found = {f: (len(board.forces[f].units), a.turn, a.die) for f, a in board.arrivals.items() if a.side == "east"}
    assert found == {"date": (26, 1, 0), "tadateru": (18, 8, 0)}
    for force in found:
        for h in board.arrivals[force].hexes:
            m = board.map_of(h)
            assert m.name == "domyoji"
            row = [other for other in m.hexes if m.label(other)[-4:-2] == m.label(h)[-4:-2]]
            assert h == max(row)  # the eastern end of its row
            assert board.ground.roads[h]


@pytest.mark.clause("14-1(4)1")
def test_date_enters_by_an_eastern_road_alone(boards: dict[str, Board]) -> None:
    game = Game.new(yukimura, boards["domyoji"], {})
    board = boards["domyoji"]
    assert len(game.state.waiting["date"]) == 26

    def clause(words: str) -> str | None:
        assert game.request is not None
        refusal = game.request.why_not(yukimura.read_order(board, "east", tuple(words.split())))
        return None if refusal is None else refusal.clause

    east = board.label[board.arrivals["date"].hexes[0]]
    assert clause(f"enter da-01 {east}") is None
    assert clause("enter da-01 2001") == "14-1(4)1"  # a road over the western edge
    assert clause("enter da-01 1535") == "14-1(4)1"  # the eastern edge, no road
    assert clause(f"enter td-01 {east}") == "8.a"  # turn 8


@pytest.mark.clause("14-1(4)2")
def test_tadateru_enters_on_turn_8(boards: dict[str, Board]) -> None:
    board = boards["domyoji"]
    entry = board.label[board.arrivals["tadateru"].hexes[0]]
    for turn, legal in ((7, False), (8, True)):
        state = yukimura.start(board, {})
        state.turn = turn
        game = Game(yukimura, board, state)
        assert game.request is not None
        refusal = game.request.why_not(yukimura.read_order(board, "east", ("enter", "td-01", entry)))
        assert (refusal is None) is legal
        assert len(state.waiting["tadateru"]) == 18


@pytest.mark.clause("14-2(4)", "14-3(5)")
def test_nobody_enters_the_yao_map_from_the_east(boards: dict[str, Board]) -> None:
    yao = boards["yao"]
    assert yao.arrivals == {}
    assert yukimura.start(yao, {}).waiting == {}
    connected = boards["connected"]
    eastern = [h for arrival in connected.arrivals.values() if arrival.side == "east" for h in arrival.hexes]
    assert eastern
    assert all(connected.map_of(h).name == "domyoji" for h in eastern)
    state = yukimura.start(connected, {})
    state.phase, state.beside["hideyori"] = 1, connected.parse("D2001")
    game = Game(yukimura, connected, state)
    assert game.request is not None
    refused = game.request.why_not(yukimura.read_order(connected, "east", ("enter", "da-01", "Y0234")))
    assert refused is not None


@pytest.mark.clause("14-1(5)1", "14-1(5)2a", "14-1(5)3a", "14-3(7)")
@pytest.mark.parametrize("name", ["domyoji", "connected"])
def test_held_forces_of_domyoji(boards: dict[str, Board], name: str) -> None:
    board = boards[name]
    held = {f: rule for f, rule in board.held.items() if board.forces[f].side == "osaka"}
    assert {f: (len(board.forces[f].units), r.until, r.die) for f, r in held.items()} == DOMYOJI_HELD
    assert [f for f, rule in held.items() if rule.gate] == ["mori"]
    assert board.gate == 7


@pytest.mark.clause(
    "14-2(5)1", "14-2(5)2", "14-2(5)3", "14-2(5)4", "14-2(5)5", "14-2(5)6", "14-2(5)7", "14-2(5)8", "14-2(5)9"
)
@pytest.mark.parametrize("force", RESERVES)
def test_the_reserves_of_yao_never_move(boards: dict[str, Board], force: str) -> None:
    board = boards["yao"]
    units = board.forces[force].units
    assert len(units) == RESERVES[force]
    clause = f"14-2(5){list(RESERVES).index(force) + 1}"
    for turn in range(1, 13):
        state = yukimura.start(board, {})
        state.turn = turn
        game = Game(yukimura, board, state)
        for unit in units:
            h = state.at[unit]
            near = board.label[board.ground.open_to[h][0]]
            assert game.request is not None
            refusal = game.request.why_not(yukimura.read_order(board, "east", ("move", unit, near)))
            assert refusal is not None
            assert refusal.clause in (clause, "7-3-2")
            refusal = game.request.why_not(yukimura.read_order(board, "east", ("march", unit, near)))
            assert refusal is not None
    assert not {unit for unit in units if board.units[unit].side != "east"}


@pytest.mark.clause("14-2(5)1")
def test_no_other_force_is_held_at_yao(boards: dict[str, Board]) -> None:
    assert set(boards["yao"].held) == set(RESERVES)
    assert all(rule.until is None and not rule.die for rule in boards["yao"].held.values())


@pytest.mark.clause("14-3(8)")
def test_the_reserves_are_free_from_turn_8_in_the_connected_scenario(boards: dict[str, Board]) -> None:
    board = boards["connected"]
    held = {f: rule.until for f, rule in board.held.items() if board.forces[f].side == "east"}
    assert held == dict.fromkeys(RESERVES, 8)


@pytest.mark.clause("14-3(6)a", "14-3(6)b", "14-3(6)c")
def test_hideyori_may_be_put_beside_a_western_road_of_either_map(boards: dict[str, Board]) -> None:
    board = boards["connected"]
    arrival = board.arrivals["hideyori"]
    assert (arrival.side, arrival.turn, arrival.die, arrival.beside) == ("osaka", 8, 2, True)
    assert len(board.forces["hideyori"].units) == 10
    assert {board.map_of(h).name for h in arrival.hexes} == {"domyoji", "yao"}
    assert all(board.label[h].endswith("01") and board.ground.roads[h] for h in arrival.hexes)
    game = Game.new(yukimura, board, {})
    assert game.request is not None
    for number, legal in (("D2001", True), ("Y0201", True), ("Y2801", True), ("D2035", False), ("Y0301", False)):
        order = yukimura.read_order(board, "osaka", ("beside", "hideyori", number))
        assert (game.request.why_not(order) is None) is legal
    assert not set(board.forces["hideyori"].units) & game.state.at.keys()


@pytest.mark.clause("14-3(6)c")
def test_hideyori_enters_on_the_chosen_map_alone(boards: dict[str, Board]) -> None:
    board = boards["connected"]
    state = yukimura.start(board, {})
    state.beside["hideyori"] = board.parse("Y2801")
    state.turn, state.phase = 8, 4
    state.released.add("sanada")
    game = Game(yukimura, board, state)
    assert game.request.label == "arrival/hideyori"  # type: ignore[union-attr]
    game.apply((2,))
    for number, clause in (("Y2801", None), ("Y0201", "14-3(6)c"), ("D2001", "14-3(6)c")):
        refusal = game.request.why_not(yukimura.read_order(board, "osaka", ("enter", "hi-01", number)))  # type: ignore[union-attr]
        assert (None if refusal is None else refusal.clause) == clause


@pytest.mark.clause("14-1(6)a", "14-1(6)b", "14-3(9)a", "14-3(9)b", "14-3(9)c", "14-2(6)3", "14-4(6)")
def test_how_each_battle_is_won(boards: dict[str, Board]) -> None:
    def victory(name: str) -> dict[str, Any]:
        board = boards[name]
        return {
            "west": board.west_needed,
            "collapse": {side: set(units) for side, units in board.collapse.items()},
            "breakthrough": {board.label[h] for h in board.breakthrough},
            "superior": board.superior_power,
            "star": None if board.star is None else board.place(board.star),
            "otherwise": board.otherwise,
        }

    nothing: dict[str, Any] = {
        "west": 0, "collapse": {}, "breakthrough": set(), "superior": False, "star": None, "otherwise": None,
    }  # fmt: skip
    osaka = {"ki-01", "ch-01"}
    assert victory("domyoji") == {**nothing, "west": 10, "otherwise": "osaka"}
    both = {"east": {"ii-01", "to-01"}, "osaka": osaka}
    assert victory("yao") == {**nothing, "collapse": both, "breakthrough": {"0201", "2801"}, "superior": True}
    assert victory("connected") == {
        **nothing,
        "west": 10,
        "collapse": {"osaka": osaka},
        "breakthrough": {"Y0201", "Y2801"},
        "otherwise": "osaka",
    }
    assert victory("gotos-dream") == {**nothing, "star": "2022 Komatsuyama"}
    names = [boards["yao"].units[unit].name for unit in ("ii-01", "to-01", "ki-01", "ch-01")]
    assert names == ["Ii Naotaka", "Todo Takatora", "Kimura Shigenari", "Chosokabe Morichika"]


@pytest.mark.clause("14-1(6)a", "14-1(5)2b")
def test_the_line_parts_the_domyoji_map(boards: dict[str, Board]) -> None:
    board = boards["domyoji"]
    east = {unit.id for unit in board.units.values() if unit.side == "east" and unit.start in board.west}
    assert not east
    held = {unit.id for unit in board.units.values() if unit.force in DOMYOJI_HELD}
    assert all(board.units[unit].start in board.west for unit in held)
    assert board.parse("2001") in board.west
    assert board.parse("2022") not in board.west
    assert board.parse("2035") not in board.west


@pytest.mark.clause("14-4(1)-(4)", "14-4(5)")
def test_gotos_dream_is_domyoji_without_limits(boards: dict[str, Board]) -> None:
    dream, domyoji = boards["gotos-dream"], boards["domyoji"]
    assert list(dream.maps) == list(domyoji.maps)
    assert dream.units == domyoji.units
    assert dream.arrivals == domyoji.arrivals
    assert dream.held == {}
    assert dream.gate == 0
    game = Game.new(yukimura, dream, {})
    game.apply(yukimura.read_order(dream, "east", ("done",)))
    while yukimura.clock(game.state)[1] != "osaka-move":
        game.apply(yukimura.read_order(dream, game.request.side, ("done",)))  # type: ignore[union-attr]
    movers = {order.unit for order in game.request.options() if hasattr(order, "unit")}  # type: ignore[union-attr]
    assert {dream.units[unit].force for unit in movers} >= {"akashi", "mori", "sanada"}


@pytest.mark.clause("14-4(6)")
def test_goto_holds_komatsuyama_at_the_start(boards: dict[str, Board]) -> None:
    assert yukimura.start(boards["gotos-dream"], {}).star_holder == "osaka"


@pytest.mark.clause("14-3(1)")
def test_no_hex_of_one_map_is_near_a_hex_of_the_other(boards: dict[str, Board]) -> None:
    """Nothing passes from map to map (R95), and no range reaches across (R90)."""
    board = boards["connected"]
    first, second = board.maps.values()
    assert min(distance(a, b) for a in first.hexes[::7] for b in second.hexes[::7]) > 100
    for h in (*first.hexes, *second.hexes):
        assert all(board.map_of(n) is board.map_of(h) for n in board.ground.near[h])


@pytest.mark.parametrize("name", ["domyoji", "yao", "connected", "gotos-dream"])
def test_options_are_those_that_matter(boards: dict[str, Board], name: str) -> None:
    expected = {"command-range", "command-freezes-movement"}
    if name in ("domyoji", "connected"):
        expected.add("ishikawa-reading")
    board = boards[name]
    assert set(board.options) == expected
    defaults = {option: choice.default for option, choice in board.options.items()}
    assert defaults == {o: "gate" if o == "ishikawa-reading" else "no" for o in expected}
