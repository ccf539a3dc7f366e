"""Rulebook 11, with 8-3, 30-3 and 31-2: lines of communication."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from rules.sengoku.small_field import numbers

from pbem.rules.sengoku.lines import MAIN_LEG, barred, in_line, leg, line_phase, linked, why_cut
from pbem.rules.sengoku.scenario import board
from pbem.rules.sengoku.state import State, start

ROW = ". " * 40 + "\n"
MAIN = {"himeji": "0101 hashiba 3"}
FROM_HIMEJI = {"hashiba": "himeji"}


@pytest.fixture
def line(field: Callable[..., State]) -> Callable[..., bool]:
    """Whether hb-04, at a place, has a line from Himeji at 0101."""

    def ask(rows: str, at: str, forces: Mapping[str, str] | None = None, **more: Any) -> bool:
        castles = MAIN | more.pop("castles", {})
        s = field(rows, {"hb-04": at, **(forces or {})}, castles=castles, main=FROM_HIMEJI, **more)
        return in_line(s, "hb-04")

    return ask


@pytest.mark.clause("11.0", "11-1", "11-2-2(1)", "11-2", "11-2-1")
@pytest.mark.parametrize(("at", "found"), [("0101", True), ("0102", True), ("0117", True), ("0118", False)])
def test_a_leg_from_the_main_castle_has_16_points(line: Callable[..., bool], at: str, found: bool) -> None:
    assert line(ROW, at) == found


@pytest.mark.clause("11-2-2(2)", "11-1")
@pytest.mark.parametrize(("at", "found"), [("0125", True), ("0126", False)])
def test_a_leg_from_another_castle_has_8_points(line: Callable[..., bool], at: str, found: bool) -> None:
    assert line(ROW, at, castles={"miki": "0117 hashiba 2"}) == found
    assert not line(ROW, at, castles={"miki": "0118 hashiba 2"})


@pytest.mark.clause("11-2-2(3)")
@pytest.mark.parametrize(("at", "found"), [("0125", True), ("0126", False)])
def test_a_leg_from_a_force_has_8_points(line: Callable[..., bool], at: str, found: bool) -> None:
    assert line(ROW, at, {"hb-06": "0117"}) == found


@pytest.mark.clause("11-1-2", "11-2")
def test_any_number_of_relays_each_leg_within_its_limit(line: Callable[..., bool]) -> None:
    chain = {"hb-06": "0117", "hb-07": "0121", "hb-08": "0123", "hb-09": "0124", "hb-10": "0132"}
    assert line(ROW, "0140", chain)
    assert not line(ROW, "0140", {**chain, "hb-10": "0131"})
    assert not line(ROW, "0140", {**chain, "hb-06": "0118", "hb-07": "0122"})  # not rooted in the main castle


@pytest.mark.clause("11-1-1", "30-3")
def test_castles_and_forces_of_all_the_side_are_relays(line: Callable[..., bool]) -> None:
    for owner in ("hashiba", "niwa", "kitabatake"):
        assert line(ROW, "0125", castles={"miki": f"0117 {owner} 2"})
    assert line(ROW, "0125", {"kt-05": "0117"})
    assert not line(ROW, "0125", castles={"miki": "0117 nobody 2 0"})
    assert not line(ROW, "0125", castles={"miki": "0117 kobe 2"})
    assert not line(ROW, "0125", {"kb-03": "0117"})


@pytest.mark.clause("11-1-3(1)", "11-1-3(3)")
def test_no_line_through_enemies_and_their_control(line: Callable[..., bool]) -> None:
    rows = (". " * 8 + "\n") * 5
    assert line(rows, "0107")
    assert not line(". " * 8, "0107", {"kb-03": "0104"})
    assert line(rows, "0107", {"kb-03": "0104"})  # round it, by the fourth row
    assert not line(rows, "0107", {"kb-03": "0104", "kb-04": "0404"})


@pytest.mark.clause("5-1-1(1)", "11-1-3(3)")
def test_a_line_passes_a_hex_further_off(line: Callable[..., bool]) -> None:
    rows = (". " * 8 + "\n") * 3
    assert not line(rows, "0107", {"kb-03": "0204"})
    rows = (". " * 8 + "\n") * 4
    assert line(rows, "0107", {"kb-03": "0404"})


@pytest.mark.clause("5-1-2", "11-1-3(2)", "11-1-3(3)", "11-1-5")
def test_weak_control_blocks_lines_and_a_friend_opens_the_hex(line: Callable[..., bool]) -> None:
    rows = ". . . . . . . .\n - - . - - - - -\n"
    beside = {"gifu": "0203 kobe 4"}
    assert not line(rows, "0107", castles=beside)
    assert not line(rows, "0107", {"hb-06": "0103"}, castles=beside)
    assert line(rows, "0107", {"hb-06": "0103", "hb-07": "0104"}, castles=beside)
    assert line(rows, "0107", castles={"gifu": "0203 nobody 4 0"})
    assert line(rows, "0107", castles={"gifu": "0203 ikeda 4"})


@pytest.mark.clause("11-1-4", "11-1-3(2)", "5-4-3")
def test_an_enemy_castles_hex_is_usable_with_a_friend_in_it(line: Callable[..., bool]) -> None:
    castle = {"gifu": "0104 kobe 4"}
    assert not line(". " * 8, "0107", castles=castle)
    assert not line(". " * 8, "0107", {"hb-06": "0104"}, castles=castle)  # its weak control still blocks 0103
    assert line(". " * 8, "0107", {"hb-06": "0104 besieging", "kb-03": "0104 shut-in"}, castles=castle)
    assert line(". " * 8, "0104", {"hb-06": "0103"}, castles=castle)


@pytest.mark.clause("11-1-5")
def test_the_force_itself_opens_its_hex_in_enemy_control(line: Callable[..., bool]) -> None:
    assert line(". " * 8, "0105", {"kb-03": "0106"})
    assert not line(". " * 8, "0105", {"kb-03": "0106", "kb-04": "0104"})
    assert not line(". " * 8, "0105", {"kb-03": "0107 besieging", "kb-04": "0103"})


@pytest.mark.clause("11-1-3(4)", "11-2-3")
def test_lines_end_at_a_lake_and_pay_for_a_river(line: Callable[..., bool]) -> None:
    assert not line(ROW, "0105", lakes=("0102/0103",))
    assert line(ROW, "0117", rivers=())
    assert not line(ROW, "0117", rivers=("0102/0103",))
    assert line(ROW, "0116", rivers=("0102/0103",))
    assert line(ROW, "0117", rivers=("0102/0103",), bridges=("0102 0103",))


@pytest.mark.clause("11-1-3(5)", "11-2-3", "table-terrain")
@pytest.mark.parametrize(
    ("letter", "last"), [(".", "0117"), ("r", "0117"), ("M", "0115"), ("s", "0102"), ("A", "0102"), ("~", "0102")]
)
def test_what_ground_costs_a_line(line: Callable[..., bool], letter: str, last: str) -> None:
    rows = f". . {letter} " + ". " * 30
    assert line(rows, last)
    beyond = f"01{int(last[2:]) + 1:02}" if last != "0102" else "0104"
    assert not line(rows, beyond)


@pytest.mark.clause("11-2-1", "11-2-3")
def test_the_source_of_a_leg_is_not_charged_and_its_end_is(line: Callable[..., bool]) -> None:
    assert line("M " + ". " * 20, "0117")
    assert line(". " * 14 + "M . . .", "0115")  # 13 + 3
    assert not line(". " * 15 + "M . . .", "0116")  # 14 + 3


@pytest.mark.clause("8-3-1", "11-1-5", "11-1-3(3)")
def test_a_castle_in_enemy_control_needs_a_garrison_to_begin_or_relay_a_line(field: Callable[..., State]) -> None:
    """Ruling R158."""

    def ask(**forces: str) -> bool:
        given = {name.replace("_", "-"): text for name, text in forces.items()}
        rows = ". . . . . .\n. . . . . .\n"
        s = field(rows, {"hb-04": "0106", **given}, castles=MAIN, main=FROM_HIMEJI)
        return in_line(s, "hb-04")

    assert ask()
    assert not ask(kb_03="0201")
    assert ask(kb_03="0201", hb_06="0101", hb_07="0102")
    assert ask(kb_03="0201", hb_06="0101 shut-in", hb_07="0102")


@pytest.mark.clause("8-3-2", "8-3-2(regain)")
def test_a_lost_main_castle_gives_no_line_till_it_is_friendly_again(field: Callable[..., State]) -> None:
    s = field(". . . .", {"hb-04": "0104"}, castles=MAIN, main=FROM_HIMEJI)
    assert in_line(s, "hb-04")
    s.hold("himeji", None)
    assert not in_line(s, "hb-04")
    s.hold("himeji", "kobe")
    assert not in_line(s, "hb-04")
    s.hold("himeji", "niwa")
    assert in_line(s, "hb-04")


@pytest.mark.clause("36.7-8", "8-3")
def test_who_has_two_main_castles_keeps_his_lines_with_one(field: Callable[..., State]) -> None:
    castles = {"kiyosu": "0101 kitabatake 3", "matsusaka": "0108 kitabatake 2"}
    s = field(". " * 10, {"kt-05": "0105"}, castles=castles, main={"kitabatake": "kiyosu matsusaka"})
    for lost in ("kiyosu", "matsusaka"):
        assert in_line(s, "kt-05")
        s.hold(lost, None)
    assert not in_line(s, "kt-05")


@pytest.mark.clause("31-2", "11-2-2(1)")
def test_an_edge_hex_is_a_source_unless_the_enemy_controls_it(field: Callable[..., State]) -> None:
    def ask(at: str, **forces: str) -> bool:
        given = {name.replace("_", "-"): text for name, text in forces.items()}
        return in_line(field(ROW, {"mr-03": at, **given}, sources={"mori": "0101"}), "mr-03")

    assert ask("0117")
    assert not ask("0118")
    assert not ask("0117", hb_04="0102")
    assert ask("0101", hb_04="0102")


@pytest.mark.clause("8-3-1", "11-2-2(1)", "30-3")
def test_a_main_castle_is_a_mere_relay_to_other_armies(field: Callable[..., State]) -> None:
    castles = {"kiyosu": "0101 kitabatake 3", "himeji": "0109 hashiba 3"}
    main = {"kitabatake": "kiyosu", "hashiba": "himeji"}
    s = field(ROW, {"hb-04": "0118", "kt-05": "0118"}, castles=castles, main=main)
    assert in_line(s, "hb-04")  # 9 points of 16
    assert not in_line(s, "kt-05")  # 9 points of 8


@pytest.mark.clause("11-3-2", "11-1")
def test_lines_are_those_of_the_moment(field: Callable[..., State]) -> None:
    s = field(". " * 8, {"hb-04": "0107", "kb-03": "0104"}, castles=MAIN, main=FROM_HIMEJI)
    assert not in_line(s, "hb-04")
    s.remove("kb-03")
    assert in_line(s, "hb-04")
    s.form(("kb-04",), s.board.parse("0104"))
    assert not in_line(s, "hb-04")


@pytest.mark.clause("11-2-1")
def test_a_line_leads_as_far_as_the_last_leg(field: Callable[..., State]) -> None:
    for at, far in (("0125", {"0125"}), ("0126", set())):
        s = field(ROW, {"hb-06": "0117", "hb-04": at}, castles=MAIN, main=FROM_HIMEJI)
        assert numbers(s, linked(s, "hashiba")) == {"0101", "0117"} | far


@pytest.mark.clause("11-1", "11-2-2(1)", "11-2-2(2)", "11-1-3(1)", "11-1-3(3)", "11-1-3(5)", "8-3-2")
def test_why_a_line_is_cut_is_told(field: Callable[..., State]) -> None:
    def why(rows: str, at: str, forces: Mapping[str, str] | None = None, **castles: str) -> tuple[str, str] | None:
        s = field(rows, {"hb-04": at, **(forces or {})}, castles=MAIN | castles, main=FROM_HIMEJI)
        return None if in_line(s, "hb-04") else why_cut(s, "hb-04")[:2]

    assert why(ROW, "0120") == ("11-2-2", "the leg from 0101 Himeji to 0120 costs 19 points, 16 are the most")
    long = "the leg from 0117 Miki to 0126 costs 9 points, 8 are the most"
    assert why(ROW, "0126", miki="0117 niwa 1") == ("11-2-2", long)
    enemy = ("11-1-3(1)", "the enemy bars the leg from 0101 Himeji at 0105")
    assert why(". " * 9, "0108", {"kb-03": "0105", "hb-06": "0104"}) == enemy
    control = ("11-1-3(3)", "the enemy bars the leg from 0101 Himeji at 0104")
    assert why(". " * 9, "0108", {"kb-03": "0105"}) == control
    assert why(". " * 9, "0108", gifu="0105 kobe 1") == control
    round_about = "\n".join([". " * 18, " ." + " A" * 16 + " .", ". " * 18])
    assert why(round_about, "0114", {"kb-03": "0105"}) == control  # not that the other way costs more than 16
    assert why(". . s . .", "0105") == ("11-1-3(5)", "no ground leads from 0101 Himeji to 0105")
    assert why(". . s . .", "0103") == ("11-1-3(5)", "0103 is swamp, through which no line from 0101 Himeji leads")
    assert why(". . . .", "0104", himeji="0101 kobe 3") == ("8-3-2", "the Hashiba have lost their main castle")
    assert why(ROW, "0120", {"hb-06": "0114"}) is None
    apart = ("11-2-2", "the leg from 0101 Himeji to 0119 (hb-06) costs 18 points, 16 are the most")
    assert why(ROW, "0124", {"hb-06": "0119"}) == apart  # not the leg from there, which is short enough
    assert why(ROW, "0124", {"hb-06": "0119", "kb-03": "0122"}) == apart  # nor where an enemy bars that
    relayed = ("11-1-3(3)", "the enemy bars the leg from 0101 Himeji to 0114 (hb-06) at 0109")
    assert why(ROW, "0120", {"hb-06": "0114", "kb-03": "0110"}) == relayed  # not that 0120 is too far from Himeji
    assert why(ROW, "0120", {"hb-06": "0110", "hb-07": "0114", "kb-03": "0112"}) == (
        "11-1-3(3)", "the enemy bars the leg from 0110 (hb-06) to 0114 (hb-07) at 0111"
    )  # fmt: skip
    begin = "the enemy controls 0101 Himeji, where lines of the Hashiba begin"
    assert why(". . . .", "0104", {"kb-03": "0102"}) == ("11-1-3(3)", begin)
    before = ("11-1-3(1)", "an enemy is at 0101 Himeji, where lines of the Hashiba begin")
    assert why(". . . .", "0104", {"hb-06": "0101 shut-in", "kb-03": "0101"}) == before  # not for what he controls
    assert why(". . . .", "0104", {"hb-06": "0101 shut-in", "kb-03": "0102"}) == (
        "11-1-3(1)", "the enemy bars the leg from 0101 Himeji at 0102"
    )  # fmt: skip


# --- the line of communication phase ----------------------------------------------------------------------------------


@pytest.mark.clause("11-4-1", "11-3(1)", "11-3-1", "10-1-1(1)", "10-1-4")
def test_every_force_of_both_sides_without_a_line_loses_morale(field: Callable[..., State]) -> None:
    forces = {
        "hb-04": "0109",
        "hb-06": "0117",
        "hb-02 hb-07": "0130 morale -2",
        "kb-03": "0139",
        "kb-04": "0132",
    }
    castles = {**MAIN, "gifu": "0140 kobe 1"}
    s = field(ROW, forces, castles=castles, main={**FROM_HIMEJI, "kobe": "gifu"})
    told = list(line_phase(s))
    assert s.morale == {"hb-02": -3}  # the others have lines
    assert [(tell.what, tell.clause, tell.facts["unit"]) for tell in told] == [("shaken", "11-4-1", "hb-02")]
    s.hold("gifu", None)
    s.put("hb-04", s.board.parse("0135"))
    list(line_phase(s))
    assert s.morale == {"hb-02": -4, "hb-04": -1, "kb-03": -1, "kb-04": -1}


@pytest.mark.clause("11-4-1", "10-1-2(unit)", "25-2")
def test_all_lines_are_looked_at_before_any_force_is_removed(field: Callable[..., State]) -> None:
    forces = {"kb-03": "0104 morale -4", "hb-04": "0107"}
    s = field(". " * 8 + "\n", forces, castles=MAIN, main=FROM_HIMEJI)
    assert not in_line(s, "hb-04")
    list(line_phase(s))
    assert (s.removed, s.morale) == ({"kb-03": 1}, {"hb-04": -1})  # who cut the line has gone too late
    assert in_line(s, "hb-04")


@pytest.mark.clause("11-4-1", "25-2")
def test_a_commander_in_chief_lost_for_want_of_a_line_takes_his_clan_with_him(field: Callable[..., State]) -> None:
    s = field(ROW, {"hb-01 hb-04": "0140 morale -4", "hb-06": "0105", "nw-02": "0106"}, castles=MAIN, main=FROM_HIMEJI)
    list(line_phase(s))
    assert set(s.removed) == {"hb-01", "hb-04", "hb-06"}
    assert set(s.forces) == {"nw-02"}


@pytest.mark.clause("11-1-6", "16-4", "11.0")
def test_forces_shut_in_need_no_line(field: Callable[..., State]) -> None:
    castles = {**MAIN, "miki": "0130 hashiba 2"}
    s = field(ROW, {"hb-04": "0130 shut-in", "hb-06": "0130"}, castles=castles, main=FROM_HIMEJI)
    list(line_phase(s))
    assert s.morale == {"hb-06": -1}
    assert not in_line(s, "hb-04")
    assert s.owner["miki"] == "hashiba"
    assert s.castle_morale == {}


# --- the shipped campaign ---------------------------------------------------------------------------------------------


@pytest.mark.clause("31-2(Maeda)", "31-2", "8-3")
def test_the_shipped_armies_begin_in_line_but_for_one(shipped: Mapping[str, Any]) -> None:
    s = start(board(shipped), {})
    for deployment in s.board.deployments.values():
        for unit in deployment.units:
            s.form((unit,), deployment.hexes[0])
    cut = [unit for unit in s.board.units if not in_line(s, unit)]
    assert cut == ["hb-40"]  # in Ueno, between the castles of Ise
    edge = s.board.parse("4301")
    for army in ("shibata", "maeda", "kanamori"):
        assert "4301" in numbers(s, linked(s, army))
    assert {"4309", "4311"} <= numbers(s, leg(s.board, s.board.ground.bit[edge], MAIN_LEG, barred(s, "anti-hashiba")))
    s.put("hb-40", s.board.parse("4311"))
    assert in_line(s, "hb-40")
