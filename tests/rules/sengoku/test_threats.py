"""What threatens a side as things stand."""

from __future__ import annotations

from collections.abc import Callable

from pbem.rules.sengoku.state import Ended, State
from pbem.rules.sengoku.threats import dangers

Field = Callable[..., State]
PLAIN = ". . . . .\n . . . . .\n. . . . ."


def test_a_castle_that_may_fall_by_its_siege_check_is_a_danger_to_its_side_alone(field: Field) -> None:
    besieger = {"hb-01 hb-02 hb-03 hb-04 hb-05": "0203 besieging"}
    castles = {"gifu": "0203 kobe 1 1", "sone": "0101 hashiba 1"}
    s = field(PLAIN, besieger, castles=castles, main={"hashiba": "sone"})
    s.phase = 3
    assert [tuple(danger) for danger in dangers(s, "anti-hashiba")] == [
        ("Gifu may fall by its siege check behind your phase", "18-2")
    ]
    assert [*dangers(s, "hashiba")] == []
    s.phase = 4  # of the other side: the check behind the phase before has been made
    (danger,) = dangers(s, "anti-hashiba")
    assert danger.what == "Gifu may fall by its siege check behind your next phase"
    s.durability["gifu"] = 10
    assert [*dangers(s, "anti-hashiba")] == []


def test_forces_without_a_line_are_in_danger_unless_they_are_shut_in(field: Field) -> None:
    forces = {"hb-02": "0102", "hb-05": "0203 shut-in", "hb-03": "0105"}
    s = field(PLAIN, forces, castles={"gifu": "0203 hashiba 1", "sone": "0101 kobe 1"}, main={"hashiba": "sone"})
    (danger,) = dangers(s, "hashiba")
    assert danger.clause == "11-4-1"
    assert danger.what.endswith("lowers the morale of hb-02, hb-03")
    s.hold("sone", "hashiba")
    assert [*dangers(s, "hashiba")] == []
    s.hold("sone", "kobe")
    s.ended = Ended("hashiba", "36.6(win)")
    assert [*dangers(s, "hashiba")] == []
