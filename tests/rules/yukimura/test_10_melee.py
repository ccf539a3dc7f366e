"""Rulebook 10: hand-to-hand combat."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pbem.errors import MalformedOrder
from pbem.maps.hexes import distance

OPEN = """
. . . . . . .
 . . . . . . .
. . . . . . .
 . . . . . . .
. . . . . . .
 . . . . . . .
. . . . . . .
"""

# next to 0404 are 0403, 0405, 0304, 0305, 0504, 0505
PAIR = {"da-01": "0403 3-3-3", "da-02": "0304 4-3-3"}
TARGET = {"go-01": "0404 5-3-3"}


@pytest.mark.clause("10.a", "4-1(3)B", "4-1(6)B", "10.c")
@pytest.mark.parametrize(
    ("phase", "clause"),
    [
        ("east-move", "4.a"),
        ("osaka-defence", "10.a"),
        ("east-combat", None),
        ("osaka-move", "4.a"),
        ("east-defence", "10.a"),
        ("osaka-combat", "1-a"),
    ],
)
def test_only_in_the_own_combat_phase(field: Callable[..., Any], phase: str, clause: str | None) -> None:
    battle = field(OPEN, PAIR | TARGET, phase=phase, idle=True)
    refusal = battle.why_not("melee da-01 at go-01")
    assert (refusal and refusal.clause) == clause


@pytest.mark.clause("10.b", "10-1-1")
def test_targets_are_adjacent_enemies(field: Callable[..., Any]) -> None:
    units = {**PAIR, **TARGET, "go-02": "0405", "go-03": "removed", "da-03": "0505"}
    battle = field(OPEN, units, phase="east-combat", idle=True)
    assert battle.refused("melee da-01 at go-02") == "10.b"
    assert battle.refused("melee da-01 at da-02") == "10-1-1"
    assert battle.refused("melee da-01 at go-03") == "10-1-1"
    assert battle.refused("melee da-03 at go-02 with da-01") == "10.b"
    assert battle.why_not("melee da-01 at go-01 with da-03") is None  # attackers needn't be next to each other


@pytest.mark.clause("10-1")
@pytest.mark.parametrize("words", ["melee da-01", "melee da-01 at", "melee at go-01", "melee da-01 at go-01 with"])
def test_attackers_and_target_are_named(field: Callable[..., Any], words: str) -> None:
    battle = field(OPEN, PAIR | TARGET, phase="east-combat", idle=True)
    with pytest.raises(MalformedOrder):
        battle.order(words)
    assert battle.order("melee da-01 at go-01 with da-02").support == ("da-02",)


@pytest.mark.clause("10-1-2")
def test_a_unit_attacks_once_even_after_an_advance(field: Callable[..., Any]) -> None:
    units = {**PAIR, "go-01": "0404 1-3-3", "go-02": "0405"}
    battle = field(OPEN, units, phase="east-combat", idle=True)
    assert battle.refused("melee da-01 at go-01 with da-01") == "10-1-2"
    battle.do("melee da-02 at go-01 with da-01 advance da-01 hold", 6, 6)  # +6: DE
    assert battle.at("da-01") == "0404"
    assert battle.refused("melee da-01 at go-02") == "10-1-2"


@pytest.mark.clause("10-1-3")
def test_attacking_is_voluntary(field: Callable[..., Any]) -> None:
    battle = field(OPEN, PAIR | TARGET, phase="east-combat", idle=True)
    before = battle.state.at.copy()
    battle.do("done")
    assert battle.phase != "east-combat"
    assert battle.state.at == before


@pytest.mark.clause("10-1-4", "10-2", "10-3", "10.d")
def test_several_hexes_are_one_attack(field: Callable[..., Any]) -> None:
    battle = field(OPEN, PAIR | TARGET, phase="east-combat", idle=True)
    battle.do("melee da-01 at go-01 with da-02 hold", 4, 5, 1)  # +2, 9: D2, 1 + 2 - 3: passed
    facts = battle.facts("melee")
    assert (facts["strength"], facts["against"], facts["difference"]) == (7, 5, 2)
    assert (facts["column"], facts["total"], facts["result"]) == ("+2..+3", 9, "D2")
    assert list(facts)[5:] == ["dice", "strength", "against", "difference", "shifts", "column", "total", "result"]
    assert battle.refused("melee da-02 at go-01") == "10-1-5"


@pytest.mark.clause("10-2")
def test_a_lone_weak_attacker(field: Callable[..., Any]) -> None:
    battle = field(OPEN, {"da-01": "0403 2-3-3", **TARGET}, phase="east-combat", idle=True)
    battle.do("melee da-01 at go-01", 6, 6, 1)  # D1
    facts = battle.facts("melee")
    assert (facts["difference"], facts["column"], facts["result"]) == (-3, "-3..-2", "D1")


@pytest.mark.clause("10-1-5", "9-1-5")
def test_a_target_once_but_fire_counts_apart(field: Callable[..., Any]) -> None:
    """R78; also after the target retreated next to fresh attackers."""
    units = {
        "da-01": "0403 3-3-3 rifle", "da-02": "0304 5-3-3", "da-03": "0306 3-3-3", "go-01": "0404 3-3-3",
        "go-02": "0707",
    }  # fmt: skip
    battle = field(OPEN, units, phase="east-combat", idle=True)
    battle.do("fire da-01 at go-01", 1, 1)
    battle.do("melee da-02 at go-01 hold", 4, 4, 3)  # +2, 8: D1, 3 + 1 - 3 = 1
    assert battle.at("go-01") == "0505"
    battle.state.put("da-03", battle.hex("0506"))
    assert battle.refused("melee da-03 at go-01") == "10-1-5"


@pytest.mark.clause("10-1-6", "12-1(4)a", "12-2(2)b")
def test_impassable_sides_stop_melee_but_not_from_elsewhere(field: Callable[..., Any]) -> None:
    rows = "\n".join(" . . . o . . ." if i == 3 else line for i, line in enumerate(OPEN.strip().splitlines()))
    battle = field(rows, PAIR | TARGET, phase="east-combat", idle=True, impassable=["0403/0404"])
    assert battle.refused("melee da-01 at go-01") == "10-1-6"
    assert battle.refused("melee da-02 at go-01 with da-01") == "10-1-6"
    assert battle.why_not("melee da-02 at go-01") is None
    assert "melee da-01 at go-01" not in battle.options()
    assert "melee da-02 at go-01" in battle.options()


@pytest.mark.clause("10-1-6")
def test_a_ford_is_fought_for_over_every_side_of_the_river(field: Callable[..., Any]) -> None:
    """R71: only an impassable side bars hand-to-hand combat; who stands in the ford attacks over them, too."""
    rows = """
    . . . .
     . ~ . .
    . . . .
    """
    units = {"da-01": "0201", "da-02": "0302", "go-01": "0202 3-3-3", "go-02": "0304"}
    for closed in ([], ["0202/0302"]):
        battle = field(rows, units, phase="east-combat", idle=True, roads=["0201 0202 0203"], impassable=closed)
        assert battle.why_not("melee da-01 at go-01") is None
        orders = ("melee da-02 at go-01", "melee da-01 at go-01 with da-02")
        assert [o in battle.options() for o in orders] == [not closed] * 2
        if closed:
            assert [battle.refused(order) for order in orders] == ["10-1-6"] * 2
        else:
            assert [battle.why_not(order) for order in orders] == [None] * 2
    battle = field(rows, units, phase="osaka-combat", idle=True, roads=["0201 0202 0203"])
    assert battle.why_not("melee go-01 at da-02") is None


@pytest.mark.clause("10-3-1(AE)", "11.b")
def test_ae_removes_all_attackers_and_nobody_else(field: Callable[..., Any]) -> None:
    units = {"da-01": "0403 1-*-3", "da-02": "0304 1-3-3", "da-03": "0305 1-3-3", "go-01": "0404 6-3-3"}
    battle = field(OPEN, units, phase="east-combat", idle=True)
    battle.do("melee da-01 at go-01 with da-02 advance da-01", 1, 1)
    assert battle.events() == ["melee", "remove", "remove"]
    assert battle.at("da-01") is battle.at("da-02") is None
    assert battle.at("da-03") == "0305"
    assert battle.at("go-01") == "0404"  # R87


@pytest.mark.clause("10-3-1(A)", "11.a")
def test_a_makes_every_attacker_check_with_its_own_die(field: Callable[..., Any]) -> None:
    units = {"da-01": "0403 1-3-3", "da-02": "0304 1-3-3", "da-03": "0305 1-3-3", "go-01": "0404 5-1-3"}
    battle = field(OPEN, units, phase="east-combat", idle=True)
    told = battle.do("melee da-02 at go-01 with da-01", 4, 4, 1, 1)  # -3, 8: A1
    checks = [tell.facts for tell in told if tell.what == "check"]
    assert battle.facts("melee")["result"] == "A1"
    assert [(check["unit"], check["add"], check["passed"]) for check in checks] == [
        ("da-02", 1, True),
        ("da-01", 1, True),
    ]
    assert {check["at"] for check in checks} == {"0403", "0304"}


@pytest.mark.clause("10-3-1(A)")
def test_attackers_retreat_from_the_defender(field: Callable[..., Any]) -> None:
    units = {"da-01": "0403 1-3-3", "go-01": "0404 5-1-3"}
    battle = field(OPEN, units, phase="east-combat", idle=True)
    battle.do("melee da-01 at go-01", 4, 5, 4)  # -4, 9: A1; 4 + 1 - 3 = 2
    assert battle.request.side == "east"
    ends = {battle.hex(order.split()[-1]) for order in battle.options()}
    assert {distance(battle.hex("0404"), h) for h in ends} == {3}
    assert battle.refused("retreat da-01 0503 0603") == "11-1-1"


@pytest.mark.clause("10-3-1(B1).a", "10-3-1(B1).b")
def test_b1_the_defender_first_then_the_attackers(field: Callable[..., Any]) -> None:
    units = {"da-01": "0403 3-4-3", "da-02": "0304 3-4-3", "go-01": "0404 5-4-3"}
    battle = field(OPEN, units, phase="east-combat", idle=True)
    told = battle.do("melee da-01 at go-01 with da-02 hold", 2, 5, 3, 1, 2)  # +1, 7: B1
    checks = [tell.facts for tell in told if tell.what == "check"]
    assert battle.facts("melee")["result"] == "B1"
    assert [(check["unit"], check["add"]) for check in checks] == [("go-01", 1), ("da-01", 1), ("da-02", 1)]


@pytest.mark.clause("10-3-1(B1).b")
def test_b1_attackers_check_when_the_defender_is_gone(field: Callable[..., Any]) -> None:
    units = {"da-01": "0403 3-3-3", "go-01": "0404 2-1-3"}
    battle = field(OPEN, units, phase="east-combat", idle=True)
    told = battle.do("melee da-01 at go-01 hold", 2, 5, 5, 2)  # 5 + 1 - 1 = 5: removed
    assert [tell.what for tell in told] == ["melee", "check", "remove", "check"]
    assert battle.at("go-01") is None


@pytest.mark.clause("10-3-1(D)")
@pytest.mark.parametrize(("die", "what"), [(4, "retreat"), (5, "remove")])
def test_d_makes_the_defender_check(field: Callable[..., Any], die: int, what: str) -> None:
    rows = "\n".join(" " * (i % 2) + ". " * 12 for i in range(9))
    units = {"da-01": "0503 3-3-3", "go-01": "0504 3-3-3", "go-02": "0101"}
    battle = field(rows, units, phase="east-combat", idle=True)
    battle.do("melee da-01 at go-01 hold", 6, 6, die)  # 0, 12: D3
    check = battle.facts("check")
    assert (check["add"], check["value"]) == (3, die)
    if what == "remove":
        assert battle.at("go-01") is None
    else:
        battle.do("retreat go-01 0505 0506 0507 0508")
        assert battle.at("go-01") == "0508"
    assert battle.at("da-01") == "0503"


@pytest.mark.clause("10-3-1(DE)", "11.b")
@pytest.mark.parametrize("morale", ["3", "*"])
def test_de_removes_the_defender_at_once(field: Callable[..., Any], morale: str) -> None:
    units = {"da-01": "0403 9-3-3", "go-01": f"0404 3-{morale}-3"}
    battle = field(OPEN, units, phase="east-combat", idle=True)
    battle.do("melee da-01 at go-01 advance da-01", 6, 6)
    assert battle.events() == ["melee", "remove", "advance"]
    assert battle.at("da-01") == "0404"


@pytest.mark.clause("11.b", "10-3-1(D)", "10-3-1(A)")
def test_an_asterisk_never_checks_in_melee(field: Callable[..., Any]) -> None:
    battle = field(OPEN, {"da-01": "0403 3-*-3", "go-01": "0404 3-*-3"}, phase="east-combat", idle=True)
    battle.do("melee da-01 at go-01", 6, 6)  # D3
    assert battle.events() == ["melee", "exempt"]
    battle = field(OPEN, {"da-01": "0403 3-*-3", "go-01": "0404 3-*-3"}, phase="east-combat", idle=True)
    battle.do("melee da-01 at go-01", 1, 2)  # A4
    assert battle.events() == ["melee", "exempt"]


def test_options_are_legal_and_few(field: Callable[..., Any]) -> None:
    around = ["0403", "0405", "0304", "0305", "0504", "0505"]
    units = {f"da-0{i}": f"{h} {i}-3-3" for i, h in enumerate(around, 1)} | TARGET
    battle = field(OPEN, units, phase="east-combat")
    options = battle.options()
    assert len(options) == len(set(options)) == 6 + 5 + 1
    assert "melee da-06 at go-01 with da-05 da-04" in options
    assert all(battle.why_not(order) is None for order in options)
