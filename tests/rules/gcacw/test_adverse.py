"""How badly a side stands, by which the dice of a lost secret are judged (protocol 4.4, 4.10)."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from rules.gcacw.activities import run

from pbem.rules import gcacw
from pbem.rules.gcacw import harm, victory
from pbem.rules.gcacw.state import State

Campaign = Callable[..., State]

SIDES = ("union", "confederate")


def harmed(s: State) -> list[tuple[int, ...]]:
    """How badly the sides stand."""
    return [gcacw.harmed(s, side) for side in SIDES]


def test_the_points_of_the_enemy_come_first_as_they_stand(campaign: Campaign) -> None:
    s = campaign("cedar-mountain")
    points = victory.total(s)
    assert harmed(s) == [(points, 0, 0), (-points, 0, 0)]
    run(harm.lose(s, "winder", 2, "std-7.5-2", counted=True))
    assert victory.total(s) < points, "losses in combat score"
    assert [found[0] for found in harmed(s)] == [victory.total(s), -victory.total(s)]


@pytest.mark.parametrize("counted", [True, False])
def test_then_the_manpower_lost_in_all_less_the_enemy_s(campaign: Campaign, counted: bool) -> None:
    s = campaign("cedar-mountain")
    run(harm.lose(s, "winder", 2, "std-7.5-2", counted=counted))
    assert [found[1] for found in harmed(s)] == [-2, 2]
    whole = s.manpower["ri-1"]
    run(harm.lose(s, "ri-1", whole, "std-7.5-2", counted=counted))
    assert "ri-1" in s.removed
    assert [found[1] for found in harmed(s)] == [whole - 2, 2 - whole]


def test_who_has_come_counts_from_then_on(campaign: Campaign) -> None:
    s = campaign("to-bull-run")
    assert s.waiting
    assert [found[1] for found in harmed(s)] == [0, 0]
    for arrival in [s.board.arrivals[name] for name in sorted(s.waiting)]:
        s.waiting.discard(arrival.id)
        for one in arrival.starts:
            s.put(one.unit, arrival.at)
            if one.manpower:
                s.manpower[one.unit] = one.manpower
        assert [found[1] for found in harmed(s)] == [0, 0], arrival.id


def test_then_the_marks_less_the_enemy_s(campaign: Campaign) -> None:
    s = campaign("cedar-mountain")
    s.disorganise("winder")
    s.tire("winder", 3)
    s.demoralise("ap-hill", 2)
    s.tire("ri-1", 1)
    assert [found[2] for found in harmed(s)] == [1 - 6, 6 - 1]
