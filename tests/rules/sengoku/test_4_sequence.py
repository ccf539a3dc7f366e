"""The sequence of play (rulebook 4, 29): phases, stages, innings, and what each begins and ends with."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from rules.sengoku.activities import moments, play

from pbem.rules.kit.phases import titles
from pbem.rules.requests import Choose, StepEnd, Tell
from pbem.rules.sengoku import acting, sequence
from pbem.rules.sengoku.orders import DONE, Assault, Attack, Battle, Besiege, Call, Declare, Lift, Move, Offer, Recover
from pbem.rules.sengoku.state import State

Field = Callable[..., State]
ROWS = ". " * 20 + "\n" + " ." * 20
TEN = "hb-01 hb-04 hb-06 hb-07 hb-08"
"""A force of strength 11 with action power 4."""


def at(s: State, stage: int) -> State:
    """A campaign before the first side's phase of a stage."""
    s.phase = next(i for i, phase in enumerate(sequence.PHASES) if phase.kind == f"stage-{stage}")
    s.stage, s.opened = stage, False
    return s


def asked(request: Choose | None) -> str:
    """Whom a question is for."""
    assert request is not None
    return request.side


def refused(s: State, side: str, order: Any) -> str:
    """The clause by which an order is refused now, "" for a legal one."""
    refusal = sequence.why_not(s, side, order)
    return "" if refusal is None else refusal.clause


def of(found: list[Any], what: str) -> list[Tell]:
    """What was told of a kind."""
    return [tell for tell in found if isinstance(tell, Tell) and tell.what == what]


@pytest.mark.clause(
    "4.0-2", "4-1", "4-1-1(1)", "4-1-1(2)", "4-1-2(next)", "4-1-5(end)", "29.0(1)", "29.0(2)", "29.0(3)"
)
def test_an_inning_is_a_start_stage_and_four_stages_with_a_phase_of_each_side(field: Field) -> None:
    s = field(ROWS, {"hb-01": "0101", "sb-01": "0115", "tk-01": "0116"}, turn=2, stage=0)
    s.phase = sequence.FIRST
    seen: list[tuple[tuple[int, str], int]] = []
    while s.turn == 2:
        if not s.opened:
            seen.append((sequence.clock(s), s.stage))
        request, _ = play(s)
        assert request is not None
        seen.append((sequence.clock(s), s.stage))
        play(s, [DONE])
    every = [*dict.fromkeys(seen)]
    sides = ("anti-hashiba", "hashiba")
    stages = [((2, f"{side}-stage-{n}"), n) for n in (1, 2, 3, 4) for side in sides]
    assert every == [((2, "situation"), 0), *stages]
    assert sequence.clock(s) == (3, "anti-hashiba-stage-1")
    names = [title.id for title in titles(sequence.PHASES, s.board.sides)]
    assert names == ["deployment", "situation", "lines", *(f"{side}-stage-{n}" for n in (1, 2, 3, 4) for side in sides)]
    assert len({*names}) == len(names)


@pytest.mark.clause("4-1-1(2)", "29.0(1)")
def test_lines_are_checked_before_the_first_stage(field: Field) -> None:
    s = field(
        ROWS, {"hb-01": "0119", "hb-02": "0101"}, castles={"himeji": "0101 hashiba 3"}, main={"hashiba": "himeji"}
    )
    s.phase = sequence.FIRST
    _, found = play(s)
    whats = [(tell.what, tell.facts.get("phase", tell.facts.get("unit"))) for tell in found if isinstance(tell, Tell)]
    cut = whats.index(("shaken", "hb-01"))
    assert whats.index(("phase", "lines")) < cut < whats.index(("phase", "anti-hashiba-stage-1"))
    assert s.morale == {"hb-01": -1}


@pytest.mark.clause("4-1-2(3-1)", "12-1-2", "12.0-2", "12-2-3", "12.0-1")
def test_a_force_acts_once_in_a_phase_and_again_in_its_next(field: Field) -> None:
    s = at(field(ROWS, {"hb-01": "0105", "hb-02": "0106", "sb-01": "0115"}), 1)
    step = [Move("hb-01", (s.board.parse("0104"),)), Move("hb-01", (s.board.parse("0103"),))]
    request, _ = play(s, [DONE, step[0]])
    assert asked(request) == "hashiba"
    assert refused(s, "hashiba", step[1]) == "12.0-2"
    assert refused(s, "hashiba", Move("hb-02", (s.board.parse("0107"),))) == ""
    request, _ = play(s, [DONE])
    assert asked(request) == "anti-hashiba"
    assert not s.acted
    play(s, [DONE, step[1]])
    assert s.at["hb-01"] == s.board.parse("0103")


@pytest.mark.clause("4-1", "3.0(2)", "4-1-3", "4-1-4", "4-1-5")
def test_only_the_side_whose_phase_it_is_acts_with_forces_of_enough_power(field: Field) -> None:
    forces = {"hb-01": "0105", "kt-05": "0106", "hb-04": "0107", "sb-01": "0115"}
    for stage, able in ((1, 3), (2, 3), (3, 2), (4, 1)):
        s = at(field(ROWS, forces), stage)
        go = {force: Move(force, (s.board.parse("0204"),)) for force in ("hb-01", "kt-05", "hb-04")}
        play(s)
        assert refused(s, "hashiba", go["hb-01"]) == "4-1-2(3-1)"
        play(s, [DONE])
        clauses = [refused(s, "hashiba", Move(force, (to,))) for force, to in zip(go, hexes(s), strict=True)]
        assert clauses == [""] * able + [f"4-1-{stage + 1}"] * (3 - able)
        assert refused(s, "hashiba", Move("sb-01", hexes(s)[:1])) == "3.0(2)"


def hexes(s: State) -> tuple[int, ...]:
    """Hexes next to 0105, 0106 and 0107."""
    return tuple(s.board.parse(text) for text in ("0104", "0205", "0206"))


@pytest.mark.clause("4-1-2(next)")
def test_who_has_no_force_that_can_act_is_not_asked(field: Field) -> None:
    forces = {TEN: "0105 besieging", "hb-02": "0110", "kb-02": "0112"}
    s = at(field(ROWS, forces, castles={"gifu": "0105 kobe 1"}), 3)
    request, _ = play(s, [], [6])
    assert (asked(request), s.stage) == ("hashiba", 3)
    assert request is not None
    assert request.ends is None
    s = at(field(ROWS, {"hb-04 hb-06": "0110", "kb-02": "0112"}), 3)
    request, found = play(s)
    assert (asked(request), s.turn, s.stage) == ("anti-hashiba", 2, 1)
    assert [tell.facts["phase"] for tell in of(found, "phase")][:2] == ["anti-hashiba-stage-3", "hashiba-stage-3"]


@pytest.mark.clause("18-3-1", "20-4")
def test_without_a_force_that_can_act_a_siege_is_lifted_and_a_castle_offered(field: Field) -> None:
    slow = "hb-03 hb-04 hb-06 hb-07 hb-08"  # of action power 3
    forces = {slow: "0105 besieging", "kb-02": "0105 shut-in"}
    s = at(field(ROWS, forces, castles={"gifu": "0105 kobe 1"}), 4)
    request, _ = play(s)
    assert asked(request) == "anti-hashiba"  # his men are shut up in a castle that he may offer
    assert request is not None
    assert request.ends == StepEnd(3, DONE, begun=True)  # given by itself where his mail says nothing
    assert request.why_not(Offer("gifu", ())) is None
    request, _ = play(s, [DONE], [6])
    assert asked(request) == "hashiba"
    assert request is not None
    assert request.ends == StepEnd(3, DONE, begun=True)
    assert {*request.options()} == {Lift("hb-03"), DONE}
    refused = request.why_not(Recover("hb-03"))
    assert refused is not None
    request, _ = play(s, [Lift("hb-03")])
    assert s.besieging == set()
    assert (asked(request), s.turn) == ("anti-hashiba", 2)  # nothing is left to do


@pytest.mark.clause("4-1-2(3-2)", "4-1-2(next)", "18-2")
def test_sieges_of_a_side_are_checked_at_the_end_of_its_own_phase(field: Field) -> None:
    castles = {"gifu": "0105 kobe 1", "gamo": "0110 gamo 1", "kanbe": "0112 kobe 1", "sone": "0115 inaba 1"}
    foes = "sb-01 sb-04 sb-05 sb-06 sb-07 sb-08"
    s = field(ROWS, {TEN: "0105 besieging", foes: "0110 besieging", "hb-02": "0201", "tk-01": "0220"}, castles=castles)
    request, found = play(at(s, 1))
    assert (asked(request), of(found, "siege-check")) == ("anti-hashiba", [])
    request, found = play(s, [DONE], [2])
    assert [tell.facts["at"] for tell in of(found, "siege-check")] == ["0105"]
    assert (asked(request), s.durability["gifu"], s.stage) == ("hashiba", 9, 1)
    request, found = play(s, [DONE], [5])
    assert [tell.facts["at"] for tell in of(found, "siege-check")] == ["0110"]
    assert (asked(request), s.stage) == ("anti-hashiba", 2)


@pytest.mark.clause("12-1-2", "14-3-3", "20-1-1", "20-1-2", "13-1-2", "14-1-2")
def test_what_is_noted_for_a_phase_or_a_stage_ends_with_it(field: Field) -> None:
    castles = {"gifu": "0105 kobe 1"}
    s = field(ROWS, {TEN: "0105 besieging", "hb-02 hb-05 hb-09": "0110", "tk-01": "0120"}, castles=castles)
    request, _ = play(at(s, 1), [DONE], [6])
    assert asked(request) == "hashiba"
    assert s.under_superior == {"hb-05"}
    s.replenished.add("gifu")
    play(s, [Call("gifu", "hb-01")], [3])
    assert (s.called, s.acted) == ({"gifu"}, {*TEN.split()})
    request, _ = play(s, [DONE])
    assert (asked(request), s.stage) == ("anti-hashiba", 2)
    assert (s.called, s.acted, s.under_superior, s.replenished) == (set(), set(), set(), set())
    s.replenished.add("gifu")
    play(s, [DONE], [6])
    assert s.replenished == {"gifu"}  # the same stage
    play(s, [Assault("gifu", ("hb-01",)), DONE], [1, 1])
    assert (s.assaulted, s.replenished) == (set(), set())


@pytest.mark.clause("4.0-1", "36.2", "4-1-5(end)")
def test_the_campaign_ends_with_the_last_stage_of_the_last_inning(field: Field) -> None:
    for turn, over in ((11, False), (12, True)):
        s = at(field(ROWS, {"hb-01": "0105", "tk-01": "0115"}, turn=turn), 4)
        request, found = play(s, [DONE, DONE])
        assert (request is None, bool(of(found, "end"))) == (over, over)
        assert (s.ended is not None, s.turn) == (over, 12)


@pytest.mark.clause("18-3-1", "4-1-3", "3.0(2)", "24-1-1")
def test_what_can_never_be_ordered_in_a_phase_is_told_at_once(field: Field) -> None:
    s = field(ROWS, {"hb-01": "0105", "hb-04": "0107", "sb-01": "0115"}, castles={"gifu": "0105 kobe 1"})
    s.remove("hb-04")

    def never(order: Any, phase: str = "hashiba-stage-3") -> str:
        refusal = sequence.why_never(s, "hashiba", phase, order)
        return "" if refusal is None else refusal.clause

    assert never(Recover("hb-01")) == ""
    assert never(Recover("sb-01")) == "3.0(2)"
    assert never(Recover("hb-04")) == "9.0"
    assert (never(Attack("hb-06", ("sb-01",))), never(Attack("hb-06", ("sb-01",)), "hashiba-stage-2")) == ("4-1-4", "")
    assert never(Besiege("gifu", ("hb-01", "hb-06"))) == "4-1-4"
    assert never(Lift("hb-06")) == ""
    assert never(Battle("hb-01", "sb-01")) == ""
    assert (never(Battle("hb-06", "sb-01"), "hashiba-stage-2"), never(Battle("hb-01", "sb-04"))) == ("24-1-1", "24-1-1")
    assert never(Declare("kobe")) == "4-1-2(3-1)"
    assert never(DONE) == ""
    assert sequence.why_never(s, "hashiba", "nowhere", DONE) is None


def test_what_is_drawn_in_a_random_campaign_is_legal_and_who_can_act_has_no_reason_not_to(
    shipped: Mapping[str, Any],
) -> None:
    chance, drawn = random.Random(1), 0
    for s, request in moments(shipped, 6, 9):
        if request.reaction:
            continue
        orders = [request.sample(chance) for _ in range(4)]
        assert [sequence.why_not(s, request.side, order) for order in orders] == [None] * len(orders)
        drawn += sum(order != DONE for order in orders)
        for force in s.own_forces(request.side):
            assert acting.able(s, force) == (acting.why_not_act(s, request.side, force) is None)
    assert drawn > 150
