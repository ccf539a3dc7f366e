"""What a force risks in a hex: by whom it can be attacked, how often, before it can act again."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pbem.rules.sengoku import hazard
from pbem.rules.sengoku.hazard import cut_at, menace, outfights, weight
from pbem.rules.sengoku.state import State

Field = Callable[..., State]
ROWS = ". . . . . . . . . . . . . . . .\n" * 2

STRONG = "sb-02 sb-04 sb-05 sb-06 sb-07"
"""A force of the side that acts first, with action power 3."""


def risk(s: State, force: str, number: str, side: str = "hashiba") -> float:
    """The menace of a force in a hex."""
    return menace(s, side, force, s.board.parse(number), 1.3)


@pytest.mark.parametrize(("stage", "attacks"), [(1, 1), (2, 2), (3, 1)])
def test_who_stands_beside_it_attacks_until_it_can_act_again(field: Field, stage: int, attacks: int) -> None:
    """A unit of action power 2 acts in stage 1, then in stage 2, then in stage 1 of the next inning."""
    s = field(ROWS, {"hb-04": "0105", STRONG: "0106"}, stage=stage)
    once = risk(field(ROWS, {"hb-04": "0105", STRONG: "0106"}, stage=1), "hb-04", "0105")
    assert once > 1
    assert risk(s, "hb-04", "0105") == pytest.approx(attacks * once)


def test_who_comes_beside_it_attacks_once_less(field: Field) -> None:
    s = field(ROWS, {"hb-04": "0105", STRONG: "0109"}, stage=1)
    assert risk(s, "hb-04", "0105") == 0
    s.stage = 2
    assert risk(s, "hb-04", "0105") > 1
    assert risk(field(ROWS, {"hb-04": "0105", STRONG: "0115"}, stage=2), "hb-04", "0105") == 0


def test_the_side_that_acts_second_comes_in_the_same_stage(field: Field) -> None:
    s = field(ROWS, {"sb-04": "0105", "hb-01 hb-04 hb-06 hb-07": "0106"}, stage=1)
    assert risk(s, "sb-04", "0105", "anti-hashiba") > 1
    s.stage = 4
    assert risk(s, "sb-04", "0105", "anti-hashiba") > 1
    s = field(ROWS, {"sb-04": "0105", "hb-02 hb-06 hb-07 hb-08": "0106"}, values={"hb-02": {"power": "3"}}, stage=4)
    assert risk(s, "sb-04", "0105", "anti-hashiba") == 0


def test_enemies_who_are_weaker_or_shut_in_are_no_menace(field: Field) -> None:
    forces = {"hb-01 hb-06 hb-07 hb-08 hb-09 hb-10": "0105", "sb-04": "0106"}
    assert risk(field(ROWS, forces, stage=4), "hb-01", "0105") == 0
    castles = {"gifu": "0106 kobe 1"}
    assert risk(field(ROWS, {"hb-04": "0105", STRONG: "0106 shut-in"}, castles=castles, stage=2), "hb-04", "0105") == 0


@pytest.mark.parametrize(("beside", "more"), [({"sb-02 sb-05 sb-06": "0106"}, True), ({"hb-02 hb-09": "0105"}, False)])
def test_a_commander_in_chief_risks_a_battle_with_all_who_stand_with_another(
    field: Field, monkeypatch: pytest.MonkeyPatch, beside: dict[str, str], more: bool
) -> None:
    s = field(ROWS, {"hb-01 hb-04": "0105", "sb-01 sb-04": "0106", **beside})
    found = risk(s, "hb-01", "0105")
    monkeypatch.setattr(hazard, "BATTLE", 0)
    assert (found > risk(s, "hb-01", "0105")) == more


def test_a_line_is_looked_for_where_a_force_would_stand(field: Field) -> None:
    castles, main = {"himeji": "0101 hashiba 1"}, {"hashiba": "himeji"}
    s = field(". " * 30 + "\n" + ". " * 30, {"hb-04": "0110"}, castles=castles, main=main)
    assert not cut_at(s, "hb-04", s.board.parse("0110"))
    assert not cut_at(s, "hb-04", s.board.parse("0117"))
    assert cut_at(s, "hb-04", s.board.parse("0118"))
    assert s.board.label[s.at["hb-04"]] == "0110"


def test_a_force_weighs_by_strength_skill_and_morale(field: Field) -> None:
    s = field(ROWS, {"hb-02 hb-06": "0101", "hb-07": "0102"})
    assert weight(s, "hb-07") == 2
    assert weight(s, "hb-02") == pytest.approx(4 * 5 / 3)
    s.set_morale("hb-02", -2)
    assert weight(s, "hb-02") == 4
    assert outfights(s, ["hb-02"], ["hb-07"], 1)
    assert not outfights(s, ["hb-07"], ["hb-02"], 1)
