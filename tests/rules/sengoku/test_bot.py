"""The computer player of sengoku: what it does in plain positions, and that all it does is legal."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from rules.sengoku.test_4_sequence import TEN

from pbem.rules.requests import Choose, Roll
from pbem.rules.sengoku import bot, changes, operation, outlook, sequence
from pbem.rules.sengoku.orders import (
    DEPLOYMENT,
    DONE,
    SITUATION,
    Accept,
    Assault,
    Attack,
    Battle,
    Besiege,
    Call,
    Close,
    Declare,
    FightOn,
    GiveBattle,
    GiveWay,
    Lift,
    Move,
    Place,
    Recover,
    Replenish,
)
from pbem.rules.sengoku.state import State
from pbem.rules.sengoku.weights import BOLD, STYLES, Style

Field = Callable[..., State]
ROWS = ". . . . . . . . . . . . . . . .\n" * 2


def advised(s: State, style: Style = BOLD, side: str = "hashiba") -> Any:
    """What the computer player orders in an operation phase, which is legal."""
    request = Choose(side, "operation", "4-1", "", lambda _: None, lambda: (), lambda _: DONE)
    order = bot.advise(s, request, Random(1), style)
    assert order == DONE or operation.why_not(s, side, order) is None
    return order


def test_it_besieges_what_it_can_and_storms_where_it_is_strong(field: Field) -> None:
    s = field(ROWS, {TEN: "0105"}, castles={"gifu": "0105 kobe 1"})
    assert advised(s) == Besiege("gifu", ("hb-01",), assault=True)
    assert advised(s, BOLD._replace(storm=99)) == Besiege("gifu", ("hb-01",))
    s.besiege("hb-01")
    assert advised(s) == Assault("gifu", ("hb-01",))
    s.durability["gifu"] = 3
    assert advised(s) == Call("gifu", "hb-01")
    s.called.add("gifu")
    assert advised(s, BOLD._replace(storm=99)) == DONE


def test_it_goes_to_the_castle_that_is_worth_most_for_its_way(field: Field) -> None:
    castles = {"gifu": "0101 kobe 1", "kanbe": "0110 kobe 1", "sone": "0116 inaba 1"}
    s = field(ROWS, {TEN: "0106", "hb-17": "0201"}, castles=castles)
    order = advised(s)
    assert (order.force, s.board.label[order.path[-1]]) == ("hb-01", "0110")
    assert advised(s, BOLD._replace(far=5)) == DONE
    s.hold("kanbe", None)
    order = advised(s)
    assert s.board.label[order.path[-1]] == "0101"
    s.form(("kb-01", "kb-03"), s.board.parse("0116"))
    s.besiege("kb-01")
    assert s.board.label[advised(s, BOLD._replace(relief=30)).path[-1]] == "0114"


def test_it_attacks_whom_it_is_ahead_of(field: Field) -> None:
    s = field(ROWS, {TEN: "0105", "sb-02 sb-04 sb-05": "0106"}, castles={"sone": "0105 inaba 1"})
    assert advised(s) == Attack("hb-01", ("sb-02",))
    assert not isinstance(advised(s, BOLD._replace(odds=5.0)), Attack)


def test_it_walls_itself_in_before_the_stronger_from_whom_it_can_t_go_away(field: Field) -> None:
    forces = {"hb-04": "0101", "sb-02 sb-04 sb-05 sb-06 sb-07": "0102", "sb-03 sb-08 sb-09 sb-10": "0201"}
    s = field(ROWS, forces, castles={"sone": "0101 inaba 1"}, stage=2)
    assert advised(s) == Move("hb-04", enter=True)
    assert advised(s, BOLD._replace(risk=99)) == DONE


def test_it_offers_battle_to_a_commander_in_chief_whom_it_outfights_with_who_stands_beside_it(field: Field) -> None:
    forces = {TEN: "0105", "hb-02 hb-09 hb-10": "0105", "sb-01 sb-04 sb-05 sb-06": "0106"}
    s = field(ROWS, forces)
    order = advised(s)
    assert isinstance(order, Battle)
    assert (order.force, order.target, order.others) == ("hb-01", "sb-01", ("hb-02",))
    assert isinstance(advised(s, BOLD._replace(battle=9)), Attack)


def test_it_mends_what_is_tired_and_worn(field: Field) -> None:
    castles, main = {"himeji": "0105 hashiba 3 4"}, {"hashiba": "himeji"}
    s = field(ROWS, {"hb-02 hb-04 hb-06": "0105 morale -2 reduced hb-04"}, castles=castles, main=main)
    assert advised(s) == Recover("hb-02")
    s.set_morale("hb-02", -1)
    assert advised(s) == Replenish("hb-02")
    s.reduced.clear()
    assert advised(s) == Replenish("hb-02", "himeji")
    s.durability["himeji"] = 6
    assert advised(s) == DONE


def test_it_deploys_and_enters_where_the_way_is_short(campaign: State) -> None:
    s = campaign
    orders: list[Any] = []
    s.declared.add("mori")
    while sequence.clock(s)[1] in ("deployment", "situation"):
        activity, answer = sequence.next_activity(s), None
        while True:
            try:
                request = activity.send(answer)
            except StopIteration:
                break
            answer = (1,) if isinstance(request, Roll) else None
            if isinstance(request, Choose):
                answer = bot.advise(s, request, Random(1))
                assert request.why_not(answer) is None
                orders.append(answer)
    assert orders[:2] == [Close(DEPLOYMENT), Close(DEPLOYMENT)]
    assert Declare("kobe") not in orders
    entered = [order for order in orders if isinstance(order, Place)]
    assert entered[0].units[0] == "mr-01"
    assert not s.waiting["mori"]
    assert len({order.at for order in entered}) == 1


def test_it_declares_an_army_when_it_would_lose_and_the_others_may_act(campaign: State) -> None:
    s = campaign

    def changed() -> Any:
        request = Choose("anti-hashiba", SITUATION, "36.7-3", "", lambda _: None, changing, lambda _: DONE)
        return bot.advise(s, request, Random(1))

    def changing() -> Any:
        return changes.options(s, "anti-hashiba")

    s.turn = 4
    assert changed() == Close(SITUATION)
    s.turn = 5
    assert changed() == Declare("kobe")
    s.left.add("sb-01")
    assert changed() == Close(SITUATION)


def test_forces_gather_before_a_castle_that_none_can_besiege_alone(field: Field) -> None:
    forces = {TEN: "0105", "hb-02 hb-16 hb-17 hb-18 hb-19": "0106"}
    castles = {"gifu": "0110 kobe 2"}
    s = field(ROWS, forces, castles=castles)
    assert isinstance(advised(s), Move)
    s.remove("hb-02")
    for unit in ("hb-16", "hb-17", "hb-18", "hb-19"):
        s.remove(unit)
    assert advised(s) == DONE


def test_a_worn_force_lifts_its_siege_and_leaves_the_enemies_beside_it(field: Field) -> None:
    castles = {"gifu": "0105 kobe 1", "sone": "0101 inaba 1"}
    s = field(ROWS, {TEN: "0105", "kb-01 kb-03": "0106"}, castles=castles)
    s.besiege("hb-01")
    s.reduced.update(s.forces["hb-01"])
    assert advised(s) == Lift("hb-01")
    s.lift("hb-01")
    order = advised(s)
    assert isinstance(order, Move)
    assert s.board.parse("0106") not in s.board.ground.near[order.path[-1]]
    assert not isinstance(advised(s, BOLD._replace(spent=1.1)), Move)


def test_who_wins_as_things_stand_hunts_with_a_greater_lead_alone(field: Field) -> None:
    s = field(ROWS, {"sb-02 sb-04 sb-05 sb-06 sb-07": "0105", "hb-02 hb-06 hb-07 hb-08": "0110"})
    assert advised(s, side="anti-hashiba") == DONE
    s.removed.update(dict.fromkeys(s.board.of_army["mori"], 1))
    assert s.board.label[advised(s, side="anti-hashiba").path[-1]] == "0109"


def test_besiegers_who_aren_t_needed_leave_for_another_castle(field: Field) -> None:
    castles = {"gifu": "0105 kobe 1", "kanbe": "0110 kobe 1"}
    s = field(ROWS, {TEN: "0105", "hb-02 hb-09 hb-10 hb-11 hb-12 hb-14": "0105"}, castles=castles)
    for force in ("hb-01", "hb-02"):
        s.besiege(force)
    besieges = BOLD._replace(storm=99)
    assert advised(s, besieges) == Lift("hb-01")
    s.hold("kanbe", None)
    assert advised(s, besieges) == DONE


def test_a_force_ends_its_inning_where_it_has_a_line(field: Field) -> None:
    """The nearest hexes to its aim are 9 points and more from the main castle's last relay."""
    castles, main = {"himeji": "0101 hashiba 1", "gifu": "0130 kobe 1"}, {"hashiba": "himeji"}
    s = field(". " * 30 + "\n" + ". " * 30, {TEN: "0113"}, castles=castles, main=main, stage=4)
    assert s.board.label[advised(s).path[-1]] == "0117"
    s.stage = 3
    assert s.board.label[advised(s).path[-1]] == "0121"


def test_in_the_last_inning_it_leaves_castles_in_which_it_would_score_for_the_enemy(field: Field) -> None:
    castles = {"sone": "0105 inaba 1"}
    s = field(ROWS, {"hb-04": "0105 shut-in"}, castles=castles, turn=12, stage=2)
    assert advised(s) == Move("hb-04")
    s = field(ROWS, {"hb-04": "0105 shut-in"}, castles=castles, turn=11, stage=2)
    assert advised(s) == DONE
    s = field(ROWS, {"hb-04": "0105 shut-in", "sb-02 sb-04 sb-05": "0107"}, castles=castles, turn=12, stage=2)
    assert advised(s) == DONE


def reacted(s: State, options: list[Any], about: tuple[str, ...]) -> Any:
    """What the computer player of the Hashiba side answers to a question; the first option is the default."""
    return bot.advise(
        s,
        Choose(
            side="hashiba", kind="", clause="", prompt="", why_not=lambda _: None, options=lambda: iter(options),
            sample=lambda _: options[0], reaction=True, about=about, default=lambda: options[0],
        ),
        Random(1),
    )  # fmt: skip


def test_it_takes_castles_offered_and_goes_back_with_worn_forces_that_won_t_scatter_by_it(field: Field) -> None:
    s = field(ROWS, {"hb-02 hb-16": "0105", TEN: "0101", "kb-01 kb-03": "0106"})
    assert reacted(s, [Accept(made=False), Accept(made=True)], ("hb-02",)) == Accept(made=True)
    ways = [GiveWay(0), GiveWay(1), GiveWay(2)]
    assert reacted(s, ways, ("hb-02",)) == GiveWay(0)
    s.reduced.update(s.forces["hb-02"])
    assert reacted(s, ways, ("hb-02",)) == GiveWay(2)
    s.reduced.update(s.forces["hb-01"])
    s.set_morale("hb-01", -3)
    assert reacted(s, ways, ("hb-01",)) == GiveWay(0)


@pytest.mark.parametrize(("enemies", "stands"), [("sb-01 sb-04", True), ("sb-01 sb-04 sb-05 sb-06 sb-07 sb-08", False)])
def test_it_consents_to_a_battle_in_which_it_is_ahead(field: Field, enemies: str, stands: bool) -> None:
    s = field(ROWS, {TEN: "0105", enemies: "0106"}, castles={"sone": "0105 inaba 1"})
    answers = [GiveBattle(()), GiveBattle(("hb-01",))]
    assert reacted(s, answers, ("hb-01",)) == answers[stands]


@pytest.mark.parametrize(("enemies", "on"), [("sb-01 sb-04", True), ("sb-01 sb-04 sb-05 sb-06 sb-07 sb-08", False)])
def test_it_fights_on_in_a_battle_while_it_loses_less(field: Field, enemies: str, on: bool) -> None:
    s = field(ROWS, {TEN: "0105", enemies: "0106"})
    assert reacted(s, [FightOn(made=True), FightOn(made=False)], ("hb-01",)) == FightOn(made=on)


@pytest.mark.parametrize("style", STYLES)
def test_whatever_it_orders_in_two_innings_is_legal(campaign: State, style: Style) -> None:
    s, chance, asked = campaign, Random(2), 0
    while s.turn < 2:
        activity, answer = sequence.next_activity(s), None
        while True:
            try:
                request: Any = activity.send(answer)
            except StopIteration:
                break
            answer = None
            if isinstance(request, Choose):
                answer = bot.advise(s, request, chance, style)
                asked += 1
                assert request.why_not(answer) is None
            elif isinstance(request, Roll):
                answer = tuple(chance.randrange(6) + 1 for _ in range(request.dice))
    assert asked > 30


def test_a_prospect_grows_with_the_score_and_more_so_late(campaign: State) -> None:
    s = campaign
    early = outlook.prospect(s, "hashiba")
    assert 0.5 < early < 0.7
    assert early + outlook.prospect(s, "anti-hashiba") == pytest.approx(1)
    s.turn = 12
    assert outlook.prospect(s, "hashiba") > 0.9
    s.declared.add("kobe")
    s.left.add("sb-01")
    assert outlook.prospect(s, "hashiba") < 0.1
