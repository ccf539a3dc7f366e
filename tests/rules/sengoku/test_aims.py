"""Where the forces of the computer player are worth most: castles by what they score, enemies by what they stake."""

from __future__ import annotations

from collections.abc import Callable

from rules.sengoku.test_4_sequence import TEN

from pbem.rules.sengoku.aims import aims, stake
from pbem.rules.sengoku.state import State
from pbem.rules.sengoku.weights import BOLD

Field = Callable[..., State]
ROWS = ". . . . . . . . . . . . . . . .\n" * 2

TWELVE = "hb-02 hb-09 hb-10 hb-11 hb-12 hb-14"
"""A force of strength 12 with action power 4."""


def sent(s: State, side: str = "hashiba") -> dict[str, str]:
    """Force -> the number of the hex that it goes to."""
    return {force: s.board.label[h] for force, h in aims(s, side, BOLD).items()}


def test_no_more_go_to_a_castle_than_its_siege_needs(field: Field) -> None:
    castles = {"gifu": "0105 kobe 1", "kanbe": "0112 kobe 1"}
    s = field(ROWS, {TEN: "0101", TWELVE: "0102"}, castles=castles)
    assert sent(s) == {"hb-02": "0105", "hb-01": "0112"}
    s = field(ROWS, {TEN: "0101", TWELVE: "0102"}, castles={"gifu": "0105 kobe 2"})
    assert sent(s) == {"hb-01": "0105", "hb-02": "0105"}
    s = field(ROWS, {TEN: "0101", TWELVE: "0102"}, castles={"gifu": "0105 kobe 3"})
    assert sent(s) == {}


def test_a_castle_that_can_t_fall_in_time_is_worth_what_is_shut_in_alone(field: Field) -> None:
    castles = {"gifu": "0105 kobe 1", "kanbe": "0112 kobe 0"}
    s = field(ROWS, {TWELVE: "0108", "kb-03": "0112 shut-in"}, castles=castles, turn=12, stage=2)
    assert sent(s) == {"hb-02": "0112"}
    s = field(ROWS, {TWELVE: "0108", "kb-03": "0112 shut-in"}, castles=castles)
    assert sent(s) == {"hb-02": "0105"}


def test_enemies_are_hunted_by_as_many_as_are_stronger(field: Field) -> None:
    s = field(ROWS, {TEN: "0101", TWELVE: "0102", "sb-02 sb-04 sb-05": "0112"})
    assert sent(s) == {"hb-02": "0112"}
    s = field(ROWS, {TEN: "0101", TWELVE: "0102", "sb-02 sb-04 sb-05 sb-06 sb-07": "0112"})
    assert sent(s) == {"hb-01": "0112", "hb-02": "0112"}
    s = field(ROWS, {TEN: "0101", TWELVE: "0102", "sb-02 sb-04 sb-05 sb-06 sb-07 sb-08 sb-09 sb-10 sb-11": "0112"})
    assert sent(s) == {}


def test_who_is_weak_shut_in_by_enemies_or_held_back_goes_nowhere(field: Field) -> None:
    castles = {"gifu": "0105 kobe 0", "sone": "0112 inaba 1"}
    s = field(ROWS, {"hb-02 hb-09 hb-10 hb-11 hb-12": "0112 shut-in"}, castles=castles)
    assert sent(s) == {"hb-02": "0105"}
    s.form(("sb-02", "sb-04"), s.board.parse("0112"))
    assert sent(s) == {}


def test_a_commander_in_chief_stakes_all_of_his_house(field: Field) -> None:
    s = field(ROWS, {"sb-01 sb-04": "0101", "sb-02 sb-05": "0110", "md-01": "0112"})
    assert stake(s, "sb-02") == 3 + 1
    assert stake(s, "sb-01") == 5 + 1 + 3 + 1
    assert stake(s, "md-01") == 3
