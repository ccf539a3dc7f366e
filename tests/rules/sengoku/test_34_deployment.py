"""Deployment (rulebook 3.0(4), 34.2, 36.4): who places what where, and what is placed by itself."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest
from rules.sengoku.activities import play

from pbem.rules.requests import Choose
from pbem.rules.sengoku import deployment, sequence
from pbem.rules.sengoku.board import Board, Deployment
from pbem.rules.sengoku.orders import DEPLOYMENT, DONE, Close, Declare, Place, Recover, step_of
from pbem.rules.sengoku.state import State, dump, load

CLOSE = Close(DEPLOYMENT)
DICE = [1, 1, 1]
"""Of the situation change of inning 1, with which nobody begins to act."""


def place(s: State, names: str, at: str, *, enter: bool = False) -> Place:
    """An order of units, the leader first, and a hex or castle."""
    return Place(tuple(names.split()), s.board.parse(at), enter)


def refused(s: State, order: Place, side: str = "hashiba") -> str:
    """The clause by which an order is refused, "" for a legal one."""
    refusal = sequence.why_not(s, side, order)
    return "" if refusal is None else refusal.clause


def asked(s: State) -> tuple[str, str]:
    """Whom the sequence asks next, and for what."""
    request, _ = play(s)
    assert isinstance(request, Choose)
    return request.side, request.kind


@pytest.mark.clause("36.4", "3.0(4)", "34.2(1)")
def test_the_hashiba_deploy_first_then_the_other_side_and_then_the_first_inning_begins(campaign: State) -> None:
    s = campaign
    assert asked(s) == ("hashiba", "deployment")
    assert refused(s, place(s, "sb-01", "4301"), "anti-hashiba") == "36.4"
    play(s, [place(s, "hb-01 hb-04", "1623"), CLOSE])
    assert asked(s) == ("anti-hashiba", "deployment")
    assert not any(s.board.units[unit].side == "anti-hashiba" for unit in s.leader)
    request, _ = play(s, [CLOSE], DICE)
    assert request is not None
    assert (sequence.clock(s), request.side) == ((1, "situation"), "anti-hashiba")
    placed = {*s.leader, *(unit for units in s.waiting.values() for unit in units)}
    assert placed == s.board.units.keys()
    pool = {unit for name in ("mori", "saika", "negoro") for unit in s.waiting[name]}
    assert pool == s.board.units.keys() - s.leader.keys()
    assert len(s.leader) + len(pool) == len(s.board.units)
    assert dump(load(s.board, dump(s))) == dump(s)


@pytest.mark.clause("34.2(2)")
def test_on_a_castle_units_are_placed_shut_in_or_not(campaign: State) -> None:
    s = campaign
    play(s)
    assert refused(s, place(s, "hb-01", "himeji")) == ""
    assert refused(s, place(s, "hb-01", "himeji", enter=True)) == ""
    assert refused(s, place(s, "kt-05", "5417")) == ""
    assert refused(s, place(s, "kt-05", "5417", enter=True)) == "34.2(2)"
    play(s, [place(s, "hb-01 hb-04", "himeji", enter=True), place(s, "hb-02", "himeji")])
    assert s.shut_in == {"hb-01"}
    assert s.at["hb-01"] == s.at["hb-02"] == s.board.parse("1623")


@pytest.mark.clause("34.2(3)", "9-1-1")
def test_units_of_a_hex_are_made_forces_by_the_rules_of_command(campaign: State) -> None:
    s = campaign
    play(s)
    boxes = " ".join(f"hb-{n:02}" for n in range(4, 14))
    assert refused(s, place(s, f"hb-01 {boxes}", "himeji")) == ""
    assert refused(s, place(s, f"hb-01 {boxes} hb-14", "himeji")) == "9-2-1"
    assert refused(s, place(s, "hb-04 hb-06", "himeji")) == "9-2"
    assert refused(s, place(s, "hb-02 hb-03", "himeji")) == "9-2-3"
    assert refused(s, place(s, "hb-01 hb-04 hb-04", "himeji")) == "9-1(all)"
    assert refused(s, place(s, "hb-01 sb-04", "himeji")) == "3.0(2)"
    play(s, [place(s, "hb-02 hb-04", "himeji"), place(s, "hb-03 hb-06", "himeji")])
    assert s.forces == {"hb-02": ("hb-02", "hb-04"), "hb-03": ("hb-03", "hb-06")}
    assert refused(s, place(s, "hb-01 hb-04", "himeji")) == "3.0(4)"


@pytest.mark.clause("36.4", "36.4(Owari)", "36.4(Takigawa)")
def test_each_unit_is_placed_where_its_deployment_says(campaign: State) -> None:
    s = campaign
    play(s)
    b = s.board
    assert refused(s, place(s, "hb-01", "1624")) == "36.4"
    assert refused(s, place(s, "kt-01", "5416")) == "36.4"  # he is of Matsusaka
    owari = [b.label[h] for h, province in b.province.items() if province == "Owari" and h in b.ground.terrain]
    clauses = {h: refused(s, place(s, "kt-05 kt-06", h)) for h in owari}
    assert [h for h, clause in clauses.items() if clause] == ["5414", "5514", "5315"]  # within 2 of Gifu
    assert {*clauses.values()} == {"", "36.7-5"}
    assert len(owari) == 55
    assert refused(s, place(s, "kt-05", "5313")) == "36.4"
    play(s, [CLOSE])
    for castle, clause in (("nagashima", ""), ("kameyama", ""), ("mine", ""), ("kuwana", ""), ("gifu", "36.4")):
        assert refused(s, place(s, "tk-01 tk-02", castle), "anti-hashiba") == clause
    assert refused(s, place(s, "mr-01", "0111"), "anti-hashiba") == "32.0"
    assert refused(s, place(s, "sk-01", "2434"), "anti-hashiba") == "36.7-9"


def test_nobody_is_placed_on_ground_where_nobody_stands_nor_with_enemies(field: Callable[..., State]) -> None:
    s = field(". A s r ~ .", {"sb-01": "0104", "hb-02": "0106"}, castles={"gifu": "0101 kobe 4"})
    h = {number: s.board.parse(number) for number in ("0101", "0102", "0103", "0104", "0106")}
    one = Deployment("gifu", "hashiba", ("hb-01",), (h["0106"], *h.values()), None, "")
    assert [s.board.label[found] for found in deployment.places(s, one)] == ["0101", "0103", "0106", "0106"]


@pytest.mark.clause("9-2-6", "30-1-2")
def test_what_nobody_places_stands_in_the_open_as_it_is_led_best(campaign: State) -> None:
    s = campaign
    play(s, [place(s, "hb-02 hb-04", "himeji", enter=True), CLOSE, CLOSE], DICE)
    assert s.forces["hb-02"] == ("hb-02", "hb-04")
    assert s.shut_in == {"hb-02"}
    assert s.forces["hb-01"] == ("hb-01", *(f"hb-{n:02}" for n in (6, 7, 8, 9, 10, 11, 12, 13, 14, 15)))
    assert {s.board.label[s.at[s.leader[f"kt-{n:02}"]]] for n in range(5, 18)} == {"5416"}  # Kiyosu, the highest
    assert {s.board.label[s.at[s.leader[f"tk-{n:02}"]]] for n in range(1, 9)} == {"5119"}
    for units in s.forces.values():
        assert deployment.why_not_force(s.board, units) is None
    assert s.leader["md-02"] != "md-02"


def test_a_unit_alone_or_without_a_free_box_leads_itself(shizugatake: Board) -> None:
    units = shizugatake.deployments["himeji"].units
    forces = deployment.grouped(shizugatake, units)
    assert sorted(unit for force in forces for unit in force) == sorted(units)
    assert deployment.grouped(shizugatake, ["hb-04", "hb-06"]) == [("hb-04",), ("hb-06",)]
    mixed = deployment.grouped(shizugatake, ["hb-01", "nw-01", "nw-02", "hb-04"])
    assert mixed == [("hb-01", "hb-04"), ("nw-01", "nw-02")]


def test_done_closes_a_deployment_and_orders_of_later_steps_are_refused(campaign: State) -> None:
    s = campaign
    play(s, [DONE])
    assert asked(s) == ("anti-hashiba", "deployment")
    for order in (Declare("kobe"), Recover("sb-01"), Close("situation")):
        refusal = sequence.why_not(s, "anti-hashiba", order)
        assert refusal is not None
        assert refusal.clause == "36.4"


def test_one_mail_has_deployment_declaration_and_first_stage(campaign: State) -> None:
    """Of the side that deploys last and acts first; the other is asked in windows of its own."""
    s = campaign
    first, _ = play(s)
    second, _ = play(s, [CLOSE])
    third, _ = play(s, [CLOSE], DICE)
    fourth, _ = play(s, [Close("situation")])
    assert first is not None and second is not None and third is not None and fourth is not None  # noqa: PT018
    assert [request.kind for request in (first, second, third, fourth)] == [
        "deployment", "deployment", "situation", "operation",
    ]  # fmt: skip
    assert second.window == third.window == fourth.window != first.window
    assert second.ends == (0, CLOSE, False)
    assert third.ends == (1, Close("situation"), False)
    assert fourth.ends is None
    fifth, _ = play(s, [DONE])
    assert fifth is not None
    assert fifth.side == "hashiba"
    assert fifth.window not in (first.window, second.window)
    assert [step_of(order) for order in (place(s, "tk-01", "mine"), Declare("kobe"), Recover("tk-01"), DONE)] == [
        0,
        1,
        2,
        3,
    ]


@pytest.mark.parametrize("seed", range(6))
def test_random_deployments_are_legal(campaign: State, seed: int) -> None:
    s, chance = campaign, Random(seed)
    side = deployment.deploying(s)
    while side is not None:
        listed = [*deployment.options(s, side)]
        order = deployment.sample(s, side, chance)
        for legal in (order, CLOSE, *chance.choices(listed, k=5)):
            assert deployment.why_not(s, side, legal) is None
        assert order in (*listed, CLOSE)
        [*deployment.carry_out(s, side, order)]
        side = deployment.deploying(s)
    assert not any(s.waiting[one.id] for one in s.board.deployments.values() if not one.enters)
