"""Who may act (rulebook 12, 4-1-3 to 4-1-5, 36.7), and what the scenario bars."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from rules.sengoku.small_field import numbers

from pbem.rules.sengoku import acting
from pbem.rules.sengoku.state import State

ROWS = ". . . .\n . . . ."
SNOW = {"armies": ["shibata", "maeda"], "until": "4", "die": "6", "clause": "36.7-2"}
KOBE = {"armies": ["kobe"], "declared": "kobe", "clause": "36.7-3"}
MINO = {"armies": ["inaba"], "declared": "kobe", "clause": "36.7-6"}


def refused(s: State, side: str, force: str) -> str:
    """The clause by which a force can't act."""
    refusal = acting.why_not_act(s, side, force)
    assert refusal is not None
    assert not acting.able(s, force) or s.board.units[force].side != side
    return refusal.clause


@pytest.mark.clause("4-1-3", "4-1-4", "4-1-5", "12-2-1", "12-2-2", "12-2-4", "12-2-5")
@pytest.mark.parametrize(
    ("stage", "clause", "able"),
    [
        (1, "", ("hb-17", "hb-04", "kt-05", "hb-01")),
        (2, "4-1-3", ("hb-04", "kt-05", "hb-01")),
        (3, "4-1-4", ("kt-05", "hb-01")),
        (4, "4-1-5", ("hb-01",)),
    ],
)
def test_a_force_acts_in_the_stages_up_to_its_leaders_power(
    field: Callable[..., State], stage: int, clause: str, able: tuple[str, ...]
) -> None:
    powers = {"hb-17": 1, "hb-04": 2, "kt-05 kt-17": 3, "hb-01": 4, "nj-01 hb-13": 2}
    s = field(ROWS, dict.fromkeys(powers, "0101"), stage=stage)
    assert {names: s.board.units[names.split()[0]].power for names in powers} == powers
    for names, power in powers.items():
        force = names.split()[0]
        assert acting.able(s, force) == (power >= stage)
        if power < stage:
            assert refused(s, "hashiba", force) == clause
    assert all(acting.able(s, force) for force in able)


@pytest.mark.clause("3.0(2)", "9.0")
def test_who_is_named_must_lead_a_force_that_has_not_acted(field: Callable[..., State]) -> None:
    s = field(ROWS, {"hb-02 hb-04": "0101", "hb-03 hb-06": "0102 acted", "sb-01": "0204"})
    assert acting.able(s, "hb-02")
    assert refused(s, "hashiba", "hb-04") == "9.0"
    assert refused(s, "hashiba", "hb-05") == "9.0"
    assert refused(s, "hashiba", "hb-03") == "12.0-2"
    assert refused(s, "hashiba", "sb-01") == "3.0(2)"
    s.acted.clear()
    assert acting.able(s, "hb-03")


@pytest.mark.clause("36.7-1", "36.7-3", "36.7-6")
def test_who_is_held_back_until_what(field: Callable[..., State]) -> None:
    forces = {"sb-01": "0101", "md-01": "0101", "kb-01": "0102", "tk-01": "0103", "ib-01": "0203", "hb-41": "0204"}
    s = field(ROWS, forces, scenario={"idle": [SNOW, KOBE, MINO]})
    assert [force for force in s.forces if acting.able(s, force)] == ["tk-01", "hb-41"]
    assert refused(s, "anti-hashiba", "sb-01") == "36.7-2"
    assert refused(s, "anti-hashiba", "kb-01") == "36.7-3"
    assert refused(s, "hashiba", "ib-01") == "36.7-6"
    s.thawed.add("shibata")
    assert acting.able(s, "sb-01")
    assert not acting.able(s, "md-01")
    s.thawed.clear()
    s.turn = 4
    assert not acting.able(s, "sb-01")
    s.turn = 5
    assert acting.able(s, "sb-01")
    assert not acting.able(s, "kb-01")
    s.declared.add("kobe")
    assert acting.able(s, "kb-01")
    assert acting.able(s, "ib-01")


CLOSED = {"side": "hashiba", "province": "Echizen", "left": ["shibata"], "clause": "36.7-4"}
ZONE = {"side": "hashiba", "round": "gifu", "within": "1", "declared": "kobe", "clause": "36.7-5"}
TRUCE = {"side": "hashiba", "armies": ["shibata"], "province": "Echizen", "clause": "36.7-7"}


def test_what_is_closed_and_what_opens_it(field: Callable[..., State]) -> None:
    s = field(
        ". . . . . .",
        {"sb-01": "0101"},
        castles={"gifu": "0106 kobe 4"},
        provinces={"Echizen": "0101 0102", "Mikawa": "0104"},
        scenario={"closed": [CLOSED, ZONE], "truces": [TRUCE], "outside": ["Mikawa"]},
    )

    def closed(side: str) -> list[str]:
        return sorted(numbers(s, acting.closed_to(s, side)))

    assert closed("hashiba") == ["0101", "0102", "0105", "0106"]
    assert closed("anti-hashiba") == []
    s.put("sb-01", s.board.parse("0103"))
    assert closed("hashiba") == ["0105", "0106"]
    s.declared.add("kobe")
    assert closed("hashiba") == []
    refusal = acting.why_closed(s, "hashiba", s.board.parse("0104"))
    assert refusal is not None
    assert refusal[:2] == ("36.1", "0104 is no part of the play area")


def test_who_can_not_be_attacked_yet(field: Callable[..., State]) -> None:
    forces = {"hb-01": "0103", "sb-01": "0102", "md-01": "0102"}
    s = field(". . .", forces, provinces={"Echizen": "0101 0102"}, scenario={"truces": [TRUCE]})
    refusal = acting.why_truce(s, "hb-01", ("md-01", "sb-01"))
    assert refusal is not None
    assert refusal.clause == "36.7-7"
    assert acting.why_truce(s, "hb-01", ("md-01",)) is None
    assert acting.why_truce(s, "sb-01", ("hb-01",)) is None
    s.attacked.add("shibata")
    assert acting.why_truce(s, "hb-01", ("sb-01",)) is None
    s.attacked.clear()
    s.put("hb-01", s.board.parse("0101"))
    s.put("sb-01", s.board.parse("0103"))
    s.put("sb-01", s.board.parse("0102"))
    assert acting.why_truce(s, "hb-01", ("sb-01",)) is None


def test_castles_as_they_are(field: Callable[..., State]) -> None:
    s = field(
        ROWS,
        {"hb-02 hb-04": "0102 besieging", "hb-05": "0102", "kb-01": "0102 shut-in", "sb-01": "0203"},
        castles={"gifu": "0102 kobe 2", "sone": "0101 inaba 0", "ono": "0203 nobody 1 0"},
    )
    h = s.board.parse("0102")
    assert acting.open_in(s, h, "hashiba") == ("hb-02", "hb-05")
    assert acting.open_in(s, h, "anti-hashiba") == ()
    assert acting.forces_inside(s, "gifu") == ("kb-01",)
    assert acting.besiegers(s, "gifu") == ("hb-02",)
    assert acting.besieged(s, "gifu")
    assert not acting.besieged(s, "sone")
    assert [acting.threshold(s.board, castle) for castle in ("gifu", "sone", "ono")] == [20, 10, 10]
    assert acting.live_castle(s, s.board.parse("0203")) is None
    assert acting.castle_side(s, "ono") is None
    assert acting.friendly_castle(s, h, "anti-hashiba") == "gifu"
    assert acting.friendly_castle(s, h, "hashiba") is None
