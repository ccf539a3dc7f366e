"""Victory (rulebook 36.6): what scores, item by item, and the lead that wins."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from rules.sengoku.activities import run

from pbem.rules.requests import Tell
from pbem.rules.sengoku import harm, victory
from pbem.rules.sengoku.state import State, dump, load

Field = Callable[..., State]
ROWS = ". . . . . .\n . . . . . ."
CASTLES = {
    "gifu": "0101 kobe 4", "kanbe": "0102 kobe 1", "ono": "0103 kanamori 0", "fuchu": "0104 maeda 2",
    "kitanosho": "0105 shibata 3", "sone": "0106 inaba 5",
}  # fmt: skip


def points(s: State, side: str = "hashiba") -> dict[str, int]:
    """Clause -> the points of a side by it."""
    found: dict[str, int] = {}
    for item in victory.score(s):
        if item.side == side:
            found[item.clause] = found.get(item.clause, 0) + item.points
    assert sum(found.values()) == victory.total(s, side)
    return found


@pytest.mark.clause("36.6(1)", "21-1(3)", "8-1")
@pytest.mark.parametrize(
    ("castle", "worth"), [("ono", 1), ("kanbe", 2), ("fuchu", 3), ("kitanosho", 5), ("gifu", 10), ("sone", 10)]
)
def test_a_castle_of_the_enemys_scores_by_its_level(field: Field, castle: str, worth: int) -> None:
    s = field(ROWS, castles=CASTLES)
    side, army = ("anti-hashiba", "kobe") if castle == "sone" else ("hashiba", "kitabatake")
    assert points(s, side) == {}
    s.hold(castle, army)
    assert points(s, side) == {"36.6(1)": worth}
    assert points(s, s.board.enemy[side]) == {}
    s.hold(castle, None)
    assert points(s, side) == {}


@pytest.mark.clause("36.6(1)")
def test_an_own_castle_retaken_scores_nothing_nor_one_that_was_nobodys(field: Field) -> None:
    s = field(ROWS, castles={"gifu": "0101 kobe 4", "hida": "0102 nobody 2 0"})
    s.hold("gifu", "hashiba")
    s.hold("gifu", "takigawa")
    s.hold("hida", "hashiba")
    assert victory.score(s) == []


@pytest.mark.clause("36.6(2)", "28-2")
def test_units_lost_cost_by_rank(field: Field) -> None:
    s = field(ROWS, {"hb-01 hb-04": "0101", "hb-02": "0102", "hb-06": "0103", "sb-04": "0201"})
    for unit, lost in (("hb-06", -1), ("hb-04", -2), ("hb-02", -5)):
        s.remove(unit)
        assert points(s) == {"36.6(2)": lost}
    s.remove("sb-04")
    assert points(s, "anti-hashiba") == {"36.6(2)": -1}
    assert points(s) == {"36.6(2)": -5}


@pytest.mark.clause("36.6(2)", "25-2")
def test_a_clan_that_leaves_with_its_chief_counts_as_lost_but_not_those_that_never_came(field: Field) -> None:
    s = field(ROWS, {"hb-01": "0101", "hb-02 hb-04": "0102", "nw-01": "0103"})
    s.remove("hb-01")
    run(harm.bury(s))
    assert points(s) == {"36.6(2)": -5 - 3 - 1}
    assert [item.what for item in victory.score(s)] == [
        "1 commander-in-chief lost", "1 general lost", "1 military commander lost",
    ]  # fmt: skip


@pytest.mark.clause("36.6(3)")
def test_each_enemy_unit_shut_in_scores_besieged_or_not(field: Field) -> None:
    forces = {"kb-01 kb-03": "0101 shut-in", "kb-02": "0102", "hb-02 hb-04 hb-06": "0106 shut-in"}
    s = field(ROWS, forces, castles=CASTLES)
    assert points(s) == {"36.6(3)": 2}
    assert points(s, "anti-hashiba") == {"36.6(3)": 3}
    s.let_out("kb-01")
    assert points(s) == {}


@pytest.mark.clause("36.6(4a)", "36.6(4b)")
def test_the_hashiba_score_for_a_katsuie_at_home_and_kobe_who_never_began(campaign: State) -> None:
    s = campaign
    b = s.board
    assert points(s) == {"36.6(4a)": 40, "36.6(4b)": 10}
    assert points(s, "anti-hashiba") == {}
    s.form(("sb-02",), b.parse("4301"))
    s.form(("sb-01",), b.parse("4301"))
    s.put("sb-02", b.parse("4413"))
    assert b.province[b.parse("4413")] != "Echizen"
    assert points(s)["36.6(4a)"] == 40  # he himself must leave
    s.put("sb-01", b.parse("4413"))
    s.put("sb-01", b.parse("4301"))
    assert points(s) == {"36.6(4b)": 10}
    s.turn = 12
    s.declared.add("kobe")
    assert points(s) == {}


def test_a_katsuie_who_dies_at_home_has_not_left(campaign: State) -> None:
    s = campaign
    s.form(("sb-01",), s.board.parse("4301"))
    s.remove("sb-01")
    assert points(s)["36.6(4a)"] == 40


@pytest.mark.clause("36.6(win)")
@pytest.mark.parametrize(("losses", "winner"), [(20, "hashiba"), (21, "anti-hashiba")])
def test_the_hashiba_win_with_30_points_more(campaign: State, losses: int, winner: str) -> None:
    s = campaign
    for unit in [unit.id for unit in s.board.units.values() if unit.side == "hashiba" and unit.rank == 1][:losses]:
        s.form((unit,), s.board.parse("1623"))
        s.remove(unit)
    assert victory.total(s, "hashiba") == 50 - losses
    told = victory.judge(s)
    found = victory.outcome(s)
    assert found is not None
    assert (found.winner, found.clause) == (winner, "36.6(win)")
    assert told == Tell("end", "36.6(win)", found._asdict())
    assert f"{50 - losses} points of the Hashiba side" in found.reason
    assert victory.outcome(load(s.board, dump(s))) == found


def test_the_campaign_goes_on_without_a_commander_in_chief(field: Field) -> None:
    s = field(ROWS, {"hb-01": "0101"})
    s.remove("hb-01")
    run(harm.bury(s))
    assert victory.outcome(s) is None
