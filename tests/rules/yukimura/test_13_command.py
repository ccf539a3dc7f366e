"""Rulebook 13: the optional command range."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pbem.rules.yukimura.acting import in_command, out_of_command

ROW = ". " * 16
"""One row of hexes, 16 long."""

ON = {"command-range": "yes"}


def begun(field: Callable[..., Any], units: dict[str, str], phase: str = "east-combat", **more: Any) -> Any:
    """A battle on one row at the beginning of a phase."""
    return field(ROW, units, phase=phase, opened=False, idle=True, options=ON, **more)


@pytest.mark.clause("13-1", "13-1(3)a")
@pytest.mark.parametrize("option", ["no", "yes"])
def test_the_rule_is_on_or_off_for_the_whole_game(field: Callable[..., Any], option: str) -> None:
    units = {"da-01": "0101 command 3", "da-02": "0105 3-6-3", "go-01": "0106 3-6-3"}
    battle = field(ROW, units, phase="east-combat", opened=False, idle=True, options={"command-range": option})
    if option == "yes":
        assert battle.refused("melee da-02 at go-01") == "13-1(3)a"
        assert "melee da-02 at go-01" not in battle.options()
    else:
        assert battle.why_not("melee da-02 at go-01") is None


@pytest.mark.clause("13-1(1)a", "13-1(1)b", "13-1(1)c", "13-1(2)a")
@pytest.mark.parametrize("reach", [3, 5, 10])
def test_the_range_is_counted_in_hexes(field: Callable[..., Any], reach: int) -> None:
    units = {"da-01": f"0101 command {reach}", "da-02": f"01{1 + reach:02} 3-3-3", "da-03": f"01{2 + reach:02} 3-3-3"}
    battle = begun(field, {**units, "go-01": "0116"})
    assert in_command(battle.state, "da-02")
    assert not in_command(battle.state, "da-03")
    assert in_command(battle.state, "da-01")
    assert "da-03" in battle.state.out_of_command
    assert "da-02" not in battle.state.out_of_command


@pytest.mark.clause("13-1(2)a")
def test_the_leader_of_the_own_force_counts_while_he_lives(field: Callable[..., Any]) -> None:
    """R90."""
    units = {"da-01": "0101 command 3", "da-02": "0108", "mi-01": "0107 command 5", "go-01": "0116"}
    battle = begun(field, units)
    s = battle.state
    assert not in_command(s, "da-02")  # Mizuno doesn't command Date's units
    s.remove("da-01", "", "")
    assert in_command(s, "da-02")  # but serves when Date is gone
    s.put("da-02", battle.hex("0113"))
    assert not in_command(s, "da-02")
    s.remove("mi-01", "", "")
    assert not in_command(s, "da-02")


@pytest.mark.clause("13-1(2)b")
def test_the_enemy_does_not_matter(field: Callable[..., Any]) -> None:
    units = {"da-01": "0101 command 5", "da-02": "0105", "go-01": "0103 command 3", "go-02": "0104", "go-03": "0116"}
    battle = begun(field, units)
    assert in_command(battle.state, "da-02")  # enemies between don't hinder
    assert out_of_command(battle.state, "osaka") == {"go-03"}
    assert not {"go-03", "go-01"} & battle.state.out_of_command  # an Eastern phase: the East alone was looked at


@pytest.mark.clause("13-1(3)a")
def test_out_of_range_neither_fire_nor_melee_when_the_phase_began_so(field: Callable[..., Any]) -> None:
    units = {"da-01": "0101 command 3", "da-02": "0105 3-6-3 rifle", "da-03": "0104 3-6-3 rifle", "go-01": "0106 3-6-3"}
    battle = begun(field, units)
    assert battle.refused("fire da-02 at go-01") == "13-1(3)a"
    assert battle.refused("melee da-02 at go-01") == "13-1(3)a"
    battle.state.put("da-01", battle.hex("0103"))
    assert battle.refused("fire da-02 at go-01") == "13-1(3)a"  # looked at when the phase began
    battle = begun(field, {**units, "da-01": "0102 command 3"})
    assert battle.why_not("fire da-02 at go-01") is None
    assert battle.why_not("melee da-02 at go-01") is None


@pytest.mark.clause("13-1(3)b")
def test_out_of_range_no_advance_but_movement(field: Callable[..., Any]) -> None:
    """R88: who can't take part can't advance; the Movement Phase isn't touched."""
    units = {"da-01": "0101 command 3", "da-02": "0105 9-6-3", "da-03": "0107 9-3-3", "go-01": "0106 1-3-3"}
    battle = begun(field, units)
    assert battle.refused("melee da-02 at go-01 advance da-02") == "13-1(3)a"
    battle = begun(field, {"da-01": "0101 command 3", "da-02": "0107", "go-01": "0116"}, phase="east-move")
    assert battle.why_not("move da-02 0108") is None


@pytest.mark.clause("13-1(3)b")
def test_the_option_that_freezes_movement_too(field: Callable[..., Any]) -> None:
    units = {"da-01": "0101 command 3", "da-02": "0105", "da-03": "0103", "go-01": "0116"}
    options = {**ON, "command-freezes-movement": "yes"}
    battle = field(ROW, units, phase="east-move", opened=False, idle=True, options=options)
    assert battle.refused("move da-02 0106") == "13-1(3)b"
    assert battle.why_not("move da-03 0104") is None


@pytest.mark.clause("13-1(3)c")
def test_defensive_fire_knows_no_range(field: Callable[..., Any]) -> None:
    units = {"da-01": "0101 command 3", "da-02": "0105 3-3-3 rifle", "go-01": "0106"}
    battle = begun(field, units, phase="east-defence")
    assert battle.why_not("fire da-02 at go-01") is None
    assert battle.request.default() != battle.order("done")
