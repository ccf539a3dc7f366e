"""Cases that no example of a chapter shows, and that a slip in the rules would get wrong."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pbem.rules import yukimura
from pbem.rules.yukimura.orders import Enter, March, Move

LINE = ("0102/0103 0103/0202 0202/0203 0202/0303 0302/0303",)
"""The line on three rows, between the second hexes and the third."""

OPEN = """
. . . . . .
 . . . . . .
. . . . . .
"""

WEST = {"line": LINE, "victory": {"west-of-line": "3", "otherwise": "osaka"}, "idle": True}


# --- 14-1(5)3b: who has gone beyond the line -----------------------------------------------------------------------


@pytest.mark.clause("14-1(5)3b")
@pytest.mark.parametrize(("order", "crossed"), [
    ("move da-01 0203 0202 0201", True),  # driven there before, out and in again by its own will
    ("move da-01 0201", False),
    ("move da-01 0203 0204", False),
])  # fmt: skip
def test_a_unit_that_was_driven_west_crosses_when_it_comes_back(
    field: Callable[..., Any], order: str, crossed: bool
) -> None:
    battle = field(OPEN, {"da-01": "0202", "go-01": "0106"}, phase="east-move", **WEST)
    battle.do(order)
    assert battle.state.crossed == crossed
    assert ("crossing" in battle.events()) == crossed


@pytest.mark.clause("14-1(5)3b", "7-6-2")
def test_a_unit_that_was_driven_west_and_leaves_the_map_has_not_crossed(field: Callable[..., Any]) -> None:
    battle = field(OPEN, {"da-01": "0201", "go-01": "0106"}, phase="east-move", **WEST)
    battle.do("move da-01 off")
    assert battle.events()[:2] == ["move", "exit"]
    assert not battle.state.crossed


@pytest.mark.clause("14-1(5)3b", "8.a")
@pytest.mark.parametrize(("order", "crossed"), [
    ("enter da-01 0201", True),
    ("enter da-01 0201 0202", True),
    ("enter da-01 0206", False),
    ("enter da-01 0206 0205", False),
])  # fmt: skip
def test_who_enters_beyond_the_line_has_gone_there(field: Callable[..., Any], order: str, crossed: bool) -> None:
    battle = field(
        OPEN, {"da-01": "waiting", "go-01": "0304"}, phase="east-move", entries={"west": "0201 0206"},
        reinforcements=[{"force": "date", "turn": "1", "edge": "west"}], **WEST,
    )  # fmt: skip
    battle.do(order)
    assert battle.state.crossed == crossed


@pytest.mark.clause("14-4(6)", "8-1.a")
def test_who_enters_by_the_star_hex_and_goes_on_controls_it(field: Callable[..., Any]) -> None:
    battle = field(
        ". . .\n . . *\n. . .", {"da-01": "waiting", "go-01": "0101"}, phase="east-move", entries={"east": "0203"},
        reinforcements=[{"force": "date", "turn": "1", "edge": "east"}], victory={"star": "0203"}, idle=True,
    )  # fmt: skip
    battle.do("enter da-01 0203 0303")
    assert battle.state.star_holder == "east"


@pytest.mark.clause("8-1.a")
def test_an_entry_without_a_hex_is_refused(field: Callable[..., Any]) -> None:
    battle = field(
        OPEN, {"da-01": "waiting", "go-01": "0304"}, phase="east-move", entries={"east": "0206"},
        reinforcements=[{"force": "date", "turn": "1", "edge": "east"}], idle=True,
    )  # fmt: skip
    refusal = battle.request.why_not(Enter("da-01", ()))
    assert refusal is not None
    assert refusal.clause == "8-1.a"
    assert battle.why_not("enter da-01 0206") is None


# --- 14-3(6)a ------------------------------------------------------------------------------------------------------


@pytest.mark.clause("14-3(6)a")
def test_the_start_lasts_until_every_force_has_its_place(field: Callable[..., Any]) -> None:
    battle = field(
        OPEN, {"hi-01": "waiting", "sa-01": "waiting", "go-01": "0304", "da-01": "0306"}, phase="start", opened=False,
        entries={"west": "0101 0301"},
        reinforcements=[{"force": f, "turn": "8", "edge": "west", "beside": "yes"} for f in ("hideyori", "sanada")],
    )  # fmt: skip
    battle.do("beside hideyori 0101")
    assert battle.phase == "start"
    assert battle.refused("beside hideyori 0301") == "14-3(6)a"
    assert battle.refused("done") == "14-3(6)a"
    battle.do("beside sanada 0301")
    assert battle.phase == "east-move"


# --- what is left of an order --------------------------------------------------------------------------------------


@pytest.mark.clause("4.a", "10.a")
@pytest.mark.parametrize(
    ("phase", "kinds"),
    [("east-move", ()), ("osaka-move", ()), ("east-defence", ("fire",)), ("east-combat", ("fire", "melee"))],
)
def test_something_is_left_of_a_combat_in_its_phases_alone(
    field: Callable[..., Any], phase: str, kinds: tuple[str, ...]
) -> None:
    """R81: of fire in both phases of fire, of hand-to-hand combat in one's own Combat Phase."""
    units = {"da-01": "0203 rifle", "da-02": "0206 rifle", "go-01": "0202 rifle"}
    for text in ("fire da-01 at go-01 with da-02 or fewer", "melee da-01 at go-01 with da-02 or fewer"):
        battle = field(OPEN, units, phase=phase, idle=True)
        order = yukimura.read_order(battle.board, "east", tuple(text.split()))
        left, told = yukimura.remainder(battle.state, "east", order) or (None, ())
        assert (left is not None) == (text.split()[0] in kinds)
        if left is not None:
            assert yukimura.order_words(battle.board, left) == tuple(text.split()[:4])
            assert battle.request.why_not(left) is None
            assert [tell.facts["unit"] for tell in told] == ["da-02"]


@pytest.mark.clause("11-3-2", "9.d")
def test_an_advance_behind_defensive_fire_is_not_only_left_out(field: Callable[..., Any]) -> None:
    """It has not become illegal, it never was legal: such an order lapses, with `or fewer` or without."""
    units = {"da-01": "0203 rifle", "da-02": "0206 rifle", "go-01": "0202 rifle"}
    for few in ("", " or fewer"):
        battle = field(OPEN, units, phase="east-defence", idle=True)
        order = battle.order(f"fire da-01 at go-01 with da-02{few} advance da-01")
        assert yukimura.remainder(battle.state, "east", order) is None


# --- what a refusal says -------------------------------------------------------------------------------------------


@pytest.mark.clause("8.a", "7-1")
def test_a_unit_that_may_enter_is_told_how(field: Callable[..., Any]) -> None:
    battle = field(
        OPEN, {"da-01": "waiting", "td-01": "waiting", "mi-01": "0303", "go-01": "0306"}, phase="east-move",
        entries={"east": "0206"}, idle=True,
        reinforcements=[{"force": "date", "turn": "1", "edge": "east"},
                        {"force": "tadateru", "turn": "8", "edge": "east"}],
    )  # fmt: skip
    may, later = battle.why_not("move da-01 0205"), battle.why_not("move td-01 0205")
    assert may.clause == later.clause == "8.a"
    assert "enter da-01 HEX" in may.reason
    assert "turn 8" in later.reason
    nowhere = battle.request.why_not(Move("mi-01", ()))
    assert (nowhere.clause, "at least one step" in nowhere.reason) == ("7-1", True)


@pytest.mark.clause("7-4-1.a")
def test_an_enemys_hex_is_refused_as_occupied(field: Callable[..., Any]) -> None:
    battle = field(OPEN, {"da-01": "0202", "go-01": "0204", "mi-01": "0303"}, phase="east-move", idle=True)
    refusal = battle.why_not("move da-01 0203 0204")
    assert refusal is not None  # the enemy's ZOC comes first
    assert refusal.clause == "7-3-1"
    river = field(OPEN, {"da-01": "0202", "go-01": "0203", "mi-01": "0306"}, phase="east-move", idle=True)
    river.state.pinned.clear()
    assert river.refused("move da-01 0203") == "7-4-1.a"
    assert "go-01" in river.why_not("move da-01 0203").reason


# --- 11-2-5: what a displacement brings ----------------------------------------------------------------------------


@pytest.mark.clause("11-2-5.a", "14-4(6)")
def test_a_displacement_into_the_star_hex_is_told(field: Callable[..., Any]) -> None:
    units = {"da-01": "0103", "go-01": "0104 3-1-3", "go-02": "0105"}
    battle = field(". . . . . * . .", units, phase="east-combat", victory={"star": "0106"}, idle=True)
    events = [tell.what for tell in battle.do("melee da-01 at go-01 hold", 4, 5, 1, 2)]
    assert (battle.at("go-01"), battle.at("go-02")) == ("0105", "0106")
    assert events[events.index("displace") + 1] == "control"
    assert battle.state.star_holder == "osaka"


@pytest.mark.clause("7-5-1(1)", "7-6.a")
def test_a_march_may_lead_off_the_map_at_once_but_not_nowhere(field: Callable[..., Any]) -> None:
    battle = field(
        OPEN, {"da-01": "0206", "da-02": "0106", "go-01": "0101"}, phase="east-move", roads=["0205 0206"],
        entries={"east": "0206"}, idle=True,
    )  # fmt: skip
    assert battle.why_not("march da-01 off") is None
    assert battle.refused("march da-02 off") == "7-5-1(1)"
    nowhere = battle.request.why_not(March("da-01", ()))
    assert (nowhere.clause, "at least one step" in nowhere.reason) == ("7-1", True)
    battle.do("march da-01 off")
    assert "da-01" in battle.state.exited


@pytest.mark.clause("8.a")
def test_a_unit_on_the_map_cannot_enter_again(field: Callable[..., Any]) -> None:
    battle = field(
        OPEN, {"da-01": "waiting", "da-02": "waiting", "go-01": "0101"}, phase="east-move", entries={"east": "0206"},
        reinforcements=[{"force": "date", "turn": "1", "edge": "east"}], idle=True,
    )  # fmt: skip
    battle.do("enter da-01 0206 0306")
    refusal = battle.why_not("enter da-01 0206")
    assert refusal.clause == "8.a"
    assert "on the map already, at 0306" in refusal.reason
    assert battle.why_not("enter da-02 0206") is None
