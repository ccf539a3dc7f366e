"""How the whole games of the Siege of Osaka end: each way of each scenario; and those with all that is asked."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from matches import Match, replayed, scenario_of

from pbem.match.table import Table
from pbem.rules import State
from pbem.rules.yukimura.board import EAST, OSAKA
from systems import whole
from systems.whole import log_of, tells
from systems.yukimura_games import FORD, star_side


def table_of(name: str) -> Table:
    """The table of a log; not to be changed."""
    return whole.table_of("yukimura", name)


def last_told(name: str) -> list[tuple[Any, ...]]:
    """What happened last, with turn, phase and the unit it happened to."""
    told = [step for step in table_of(name).steps if step["kind"] == "tell"]
    assert told[-1]["what"] == "end"
    return [(t["what"], t["turn"], t["phase"], t["facts"].get("unit")) for t in told]


def state_of(name: str) -> State:
    """How a game stands at its end."""
    return table_of(name).game.state


def reason(name: str) -> str:
    """Why a game ended, in words."""
    outcome = table_of(name).outcome
    assert outcome is not None
    return outcome.reason


def in_the_west(name: str) -> int:
    """The Eastern units beyond the Ishikawa Line: the first fifteen columns and what the line leaves to them."""
    s = state_of(name)
    return sum(h in s.board.west for unit, h in s.at.items() if s.board.units[unit].side == EAST)


@pytest.mark.clause("14-1(6)a")
@pytest.mark.clause("14-1(6)b")
@pytest.mark.clause("4.b")
def test_ten_units_beyond_the_line_decide_at_the_end_and_not_before() -> None:
    for name, least, most in (("domyoji-east", 10, 15), ("domyoji-osaka", 0, 9)):
        assert last_told(name)[-1][:3] == ("end", 12, "osaka-combat")
        assert least <= in_the_west(name) <= most
        assert reason(name).startswith(f"{in_the_west(name)} Eastern units are west of the Ishikawa Line")
    early = [t["in"] for t in tells(table_of("domyoji-east"), "move") if t["path"][-1] == FORD]
    assert min(early) < 12


@pytest.mark.clause("14-1(5)3a")
@pytest.mark.clause("14-1(5)3b")
def test_sanada_is_freed_by_turn_10_or_by_a_die_once_the_line_is_crossed() -> None:
    east = [(t["in"], t["die"], t["released"]) for t in tells(table_of("domyoji-east"), "release") if t["needed"]]
    (crossed,) = tells(table_of("domyoji-east"), "crossing")
    assert east[-1] == (east[-1][0], min(die for _, die, _ in east), True)
    assert [turn for turn, _, _ in east] == list(range(crossed["in"], crossed["in"] + len(east)))
    assert all(released == (die <= 3) for _, die, released in east)
    osaka = table_of("domyoji-osaka")
    assert not tells(osaka, "crossing")
    free = [(t["force"], t["in"], t["phase"], t["die"]) for t in tells(osaka, "release")]
    assert free == [(force, turn, "east-move", None) for force, turn in (("akashi", 5), ("mori", 7), ("sanada", 10))]


@pytest.mark.clause("14-1(5)2b")
def test_the_line_is_shut_until_turn_7_or_opens_with_the_first_crossing() -> None:
    (shut,), (open_,) = (tells(table_of(name), "crossing") for name in ("domyoji-east", "connected-west"))
    assert shut["in"] == 7 > open_["in"]
    mori = {
        name: next(t["in"] for t in tells(table_of(name), "release") if t["force"] == "mori")
        for name in ("domyoji-east", "connected-west")
    }
    assert mori == {"domyoji-east": 7, "connected-west": open_["in"]}


@pytest.mark.clause("14-2(6)1")
@pytest.mark.parametrize(("way", "leader"), [("move", "ii-01"), ("retreat", "to-01"), ("remove", "to-01")])
def test_the_east_collapses_when_a_leader_leaves_his_hex_in_any_way(way: str, leader: str) -> None:
    name = f"yao-east-collapses-by-{ {'remove': 'removal'}.get(way, way) }"
    told = last_told(name)
    assert (told[-2][0], told[-2][3]) == (way, leader)
    assert told[-1][1] < 12
    assert reason(name).startswith(leader)
    if way == "retreat":
        s = state_of(name)
        assert s.at[leader] != s.board.units[leader].start


@pytest.mark.clause("14-2(6)2")
@pytest.mark.parametrize("name", ["yao-osaka-collapses", "connected-osaka-collapses"])
def test_osaka_collapses_when_a_leader_is_driven_from_his_hex(name: str) -> None:
    told = last_told(name)
    assert told[-2][0] in ("retreat", "remove")
    assert told[-2][3] == "ch-01"
    assert "Osaka Army collapses" in reason(name)


@pytest.mark.clause("14-3(9)b")
def test_in_the_connected_scenario_the_eastern_leaders_may_go() -> None:
    """The same move that loses the Battle of Yao."""
    match = Match(scenario_of("connected"), 0)
    match.play()
    match.play("beside hideyori Y2801;")
    match.play("move ii-01 Y2025;")
    assert [step["what"] for step in match.table.steps if step["kind"] == "tell"][-1] == "move"
    assert match.due()[0] != "nothing"


@pytest.mark.clause("14-2(6)3")
@pytest.mark.clause("14-3(9)a")
@pytest.mark.parametrize(
    ("name", "number"),
    [("yao-breakthrough-0201", "0201"), ("yao-breakthrough-2801", "2801"), ("connected-breakthrough", "Y0201")],
)
def test_a_unit_in_a_western_road_hex_wins_at_the_end_of_the_turn(name: str, number: str) -> None:
    table, s = table_of(name), state_of(name)
    unit = s.unit_in(s.board.parse(number))
    assert unit is not None
    arrived = [t for t in tells(table, "move") if t["path"][-1] == number]
    assert [(t["unit"], t["in"], t["phase"]) for t in arrived] == [(unit, s.turn, "east-move")]
    assert last_told(name)[-1][:3] == ("end", s.turn, "osaka-combat")
    assert f"{unit} " in reason(name)
    assert s.turn < 12


@pytest.mark.clause("14-2(6)4a")
@pytest.mark.clause("14-2(6)4c")
@pytest.mark.parametrize(("name", "winner"), [("yao-superior-east", 1), ("yao-superior-osaka", -1), ("yao-draw", 0)])
def test_who_has_more_units_round_the_leaders_is_superior(name: str, winner: int) -> None:
    s = state_of(name)
    around = {}
    for side, leaders in ((EAST, ("ki-01", "ch-01")), (OSAKA, ("ii-01", "to-01"))):
        near = {n for leader in leaders for n in s.board.maps["yao"].neighbours[s.at[leader]]}
        around[side] = sum(h in near for unit, h in s.at.items() if s.board.units[unit].side == side)
    assert max(around.values()) > 0
    assert (around[EAST] > around[OSAKA]) - (around[EAST] < around[OSAKA]) == winner
    assert reason(name).startswith(f"{around[EAST]} of the Eastern Army and {around[OSAKA]} of the Osaka Army")
    assert last_told(name)[-1][:3] == ("end", 12, "osaka-combat")


@pytest.mark.clause("14-3(9)")
def test_each_condition_alone_wins_the_connected_scenario() -> None:
    """In each game one of the three is fulfilled, in the last none."""
    met = {}
    for name in ("connected-west", "connected-osaka-collapses", "connected-breakthrough", "connected-osaka"):
        s = state_of(name)
        gone = [u for u in ("ki-01", "ch-01") if s.at.get(u) != s.board.units[u].start]
        through = [h for h in ("Y0201", "Y2801") if s.board.parse(h) in s.stands[EAST]]
        met[name] = (in_the_west(name) >= 10, bool(gone), bool(through))
    assert met == {
        "connected-west": (True, False, False),
        "connected-osaka-collapses": (False, True, False),
        "connected-breakthrough": (False, False, True),
        "connected-osaka": (False, False, False),
    }


@pytest.mark.clause("14-3(6)a")
@pytest.mark.clause("14-3(6)b")
@pytest.mark.clause("14-3(6)c")
def test_hideyori_comes_by_a_die_where_he_was_put() -> None:
    table = table_of("connected-osaka")
    (put,) = tells(table, "beside")
    assert (put["at"], put["phase"], len(put["units"])) == ("Y2801", "start", 10)
    dice = [(t["in"], t["die"], len(t["units"])) for t in tells(table, "reinforcements") if t["force"] == "hideyori"]
    assert [turn for turn, _, _ in dice] == list(range(8, 8 + len(dice)))
    assert [units for _, _, units in dice] == [10 if die <= 2 else 0 for _, die, _ in dice]
    entered = [t for t in tells(table, "move") if t["how"] == "enter" and t["unit"].startswith("hi-")]
    assert {(t["path"][0], t["in"] >= dice[-1][0]) for t in entered} == {("Y2801", True)}


@pytest.mark.clause("14-4(6)")
@pytest.mark.parametrize(
    ("name", "winner", "stands"),
    [("dream-osaka", OSAKA, OSAKA), ("dream-east", EAST, EAST), ("dream-empty", EAST, None)],
)
def test_who_was_last_on_komatsuyama_holds_it(name: str, winner: str, stands: str | None) -> None:
    control = [(t["from"], t["side"]) for t in tells(table_of(name), "control")]
    outcome = table_of(name).outcome
    assert outcome is not None
    assert (star_side(state_of(name)), outcome.winner) == (stands, winner)
    assert (control[-1][1] if control else OSAKA) == winner
    if winner == EAST:
        assert control[0] == (OSAKA, EAST)


def test_a_game_may_be_given_up() -> None:
    table = table_of("yao-resigned")
    assert table.game.outcome is None
    found = replayed(log_of("yukimura", "yao-resigned"))
    _, last, _ = found.turns[-1]
    assert last.kind == "resign"
    assert table.outcome is not None
    assert table.outcome.winner == table.genesis.other(last.by).side


# --- everything that is asked --------------------------------------------------------------------------------------


def answers_of(name: str) -> list[dict[str, Any]]:
    """What was answered on the other side's turn."""
    return [step for step in table_of(name).steps if step["kind"] == "answer"]


def test_a_game_in_which_the_players_ask_each_other() -> None:
    found = replayed(log_of("yukimura", "asked"))
    assert found.genesis is not None
    assert found.genesis.terms.reactions == "ask"
    answers = answers_of("asked")
    assert {step["how"] for step in answers} == {"react"}
    assert {step["words"][0] for step in answers} >= {"fire", "retreat", "displace", "advance"}
    reacts = [entry for _, entry, _ in found.turns if entry.kind == "react"]
    assert {entry.by for entry in reacts} == {"asuka", "ben"}
    words = {(statement.keyword, *statement.tokens) for entry in reacts for statement in entry.body}
    for step in answers:
        assert tuple(step["words"]) in words, "an answer that nobody wrote"
    fires = {step["seq"] for step in answers if step["words"][0] == "fire"}
    rolled = {s["seq"] for s in table_of("asked").steps if s["kind"] == "roll" and s["label"].startswith("fire/")}
    assert fires <= rolled, "the dice of a defensive fire belong to the react that ordered it"


def test_a_game_with_standing_orders_for_everything() -> None:
    answers = answers_of("standing")
    how = Counter((step["words"][0], step["how"]) for step in answers)
    for keyword in ("fire", "retreat", "displace", "advance"):
        assert how[keyword, "standing"] > 0, keyword
    assert not [entry for _, entry, _ in replayed(log_of("yukimura", "standing")).turns if entry.kind == "react"]
