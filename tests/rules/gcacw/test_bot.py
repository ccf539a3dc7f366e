"""The computer player of gcacw: what it does in plain positions, and that all it does is legal and wins."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from pbem.match.chances import chance_answer
from pbem.match.game import Game
from pbem.rules import gcacw, rules_of
from pbem.rules.gcacw import aims, answers, bot, outlook, sequence, strikes
from pbem.rules.gcacw.combat import ASSAULT, Fight, guns, modifiers, values
from pbem.rules.gcacw.orders import PASS, Activate, Close, Entrench, March, Raid, Transfer
from pbem.rules.gcacw.state import State, start
from pbem.rules.gcacw.weights import BOLD, STYLES, last
from pbem.rules.requests import Choose
from pbem.scenario import load_scenario

UNION, CONFEDERATE = "union", "confederate"
FIVE = ("cedar-mountain", "lee-vs-pope", "stuarts-raid", "jacksons-march", "to-bull-run")
CYCLE = next(n for n, phase in enumerate(sequence.BASIC) if phase.kind == "cycle")


@pytest.fixture
def battle() -> Any:
    """The state of a scenario in its action cycle, with some counters elsewhere, all others taken off the map."""

    def made(scenario: str, turn: int = 1, **at: str) -> State:
        s = start(gcacw.board(load_scenario(scenario).data), {})
        for unit in [*s.at]:
            if unit.replace("-", "_") not in at:
                s.remove(unit)
        for unit, h in at.items():
            s.put(unit.replace("_", "-"), s.board.parse(h))
        s.turn, s.phase, s.opened, s.cycle = turn, CYCLE, True, 1
        s.memo.clear()
        return s

    return made


def advised(s: State, side: str, kind: str = "action", style: Any = BOLD) -> Any:
    """What the computer player orders, which is legal."""
    s.choice = side
    request = Choose(side, kind, "std-4.0-3", "", lambda _: None, lambda: (), lambda _: PASS)
    order = bot.advise(s, request, Random(1), style)
    assert kind != "action" or sequence.why_not(s, side, order) is None
    return order


def test_it_raids_the_station_where_it_is(battle: Any) -> None:
    s = battle("stuarts-raid", turn=2, stuart="S3307", f_lee="S3307", md_1="S2109")
    assert advised(s, CONFEDERATE) == Raid("f-lee")
    s.station[s.board.parse("S3307")] = 1
    s.memo.clear()
    assert advised(s, CONFEDERATE) != Raid("f-lee")


def test_a_corps_goes_under_its_leader_towards_what_scores(battle: Any) -> None:
    s = battle("cedar-mountain", jackson="S0832", ap_hill="S0832", winder="S0833", crawford="S1418")
    order = advised(s, CONFEDERATE)
    assert isinstance(order, Activate)
    assert order.leader == "jackson"
    assert {one.unit for one in order.marches} == {"ap-hill", "winder"}
    goal = aims.way_to(s.board, s.board.parse("S1418"))
    assert all(goal[one.path[-1]] < goal[s.at[one.unit]] for one in order.marches)


def test_without_its_leader_a_unit_marches_alone(battle: Any) -> None:
    s = battle("cedar-mountain", ap_hill="S0832", crawford="S1418")
    assert isinstance(advised(s, CONFEDERATE), March)


def test_who_is_tired_rests_until_the_last_turn(battle: Any) -> None:
    s = battle("cedar-mountain", turn=2, ap_hill="S0832", crawford="S1418")
    s.fatigue["ap-hill"] = 2
    assert advised(s, CONFEDERATE) == PASS
    s.turn = 3
    assert isinstance(advised(s, CONFEDERATE), March)


def test_who_is_where_he_scores_stays(battle: Any) -> None:
    s = battle("cedar-mountain", turn=3, ap_hill="S1418", crawford="S0108")
    assert advised(s, CONFEDERATE) == PASS


def test_it_attacks_who_is_weak_and_leaves_who_is_strong(battle: Any) -> None:
    s = battle("cedar-mountain", turn=2, ap_hill="S1419", crawford="S1418")
    order = advised(s, CONFEDERATE)
    assert isinstance(order, March)
    assert order.strike is not None
    s.manpower["ap-hill"], s.manpower["crawford"] = 4, 21
    s.memo.clear()
    assert getattr(advised(s, CONFEDERATE), "strike", None) is None


def test_a_guard_goes_to_what_the_enemy_makes_for(battle: Any) -> None:
    s = battle("cedar-mountain", ap_hill="S0832", williams_a="S0815", milroy="S0310")
    order = advised(s, UNION)
    assert isinstance(order, March)
    found = aims.goals(s, UNION)
    assert {s.board.label[goal.aim.at] for goal in found.values()} == {"S1418"}


def test_it_entrenches_a_guard_with_the_enemy_near(battle: Any) -> None:
    s = battle("cedar-mountain", ap_hill="S1421", crawford="S1418")
    assert advised(s, UNION, "recovery") == Entrench("crawford")
    s.put("ap-hill", s.board.parse("S0832"))
    assert advised(s, UNION, "recovery") == Close("recovery")


def test_a_leader_goes_to_where_most_of_his_corps_is(battle: Any) -> None:
    s = battle("cedar-mountain", jackson="S0632", lawton="S0632", ap_hill="S0826", winder="S0826")
    order = advised(s, CONFEDERATE, "transfer")
    assert isinstance(order, Transfer)
    assert s.at[order.unit] == s.board.parse("S0826")


def test_what_an_attack_brings_is_the_mean_over_all_throws_of_the_chart(battle: Any) -> None:
    """An attacker who can't lose anything that scores and a defender who can't retreat: only losses are counted."""
    s = battle("cedar-mountain", turn=2, jackson="S1419", ap_hill="S1419", crawford="S1418")
    fight = Fight(CONFEDERATE, s.board.parse("S1418"), ("ap-hill",), ASSAULT)
    plain = BOLD._replace(blood=0.0, order=0.0, ground=0.0, prize=0.0)
    found = strikes.expected(s, fight, plain)
    mods = sum(m.points if m.of == "attacker" else -m.points for m in modifiers(s, fight))
    odds, total = values(s, fight), 0
    for own in range(1, 7):
        for other in range(1, 7):
            attacker = s.board.tables.result("attacker", own - other + mods, odds.attacker)
            defender = s.board.tables.result("defender", own - other + mods, odds.defender)
            total += min(4, defender.loss) - attacker.loss
    assert guns(s, fight).points == 0
    assert found == pytest.approx(total / 36)


def test_in_the_last_turn_nothing_counts_but_the_score() -> None:
    assert last(BOLD).order == 0
    assert last(BOLD).nerve < BOLD.nerve


def test_it_says_once_what_it_does_everywhere(battle: Any) -> None:
    s = battle("cedar-mountain", ap_hill="S0832")
    said = answers.stance(s, UNION, [])
    assert ("evade", "any", "yes") in said
    assert answers.stance(s, UNION, said) == []


@pytest.mark.parametrize("scenario", FIVE)
@pytest.mark.parametrize("style", STYLES)
def test_whatever_it_orders_is_legal(scenario: str, style: Any) -> None:
    """Its orders are asked before the engine refuses any, in the first two turns."""
    game = Game.new(rules_of("gcacw"), gcacw.board(load_scenario(scenario).data), {}, lambda _: None)
    chance = Random(3)
    while (request := game.request) is not None and game.state.turn < 3:
        if isinstance(request, Choose):
            order = gcacw.advise(game.state, request, chance, style)
            assert request.why_not(order) is None
            game.apply(order)
        else:
            game.apply(chance_answer(request, chance))


@pytest.mark.parametrize("scenario", FIVE)
def test_advice_changes_nothing(scenario: str) -> None:
    game = Game.new(rules_of("gcacw"), gcacw.board(load_scenario(scenario).data), {}, lambda _: None)
    chance = Random(5)
    for _ in range(40):
        request, before = game.request, gcacw.dump(game.state)
        if isinstance(request, Choose):
            order = gcacw.advise(game.state, request, chance)
            assert gcacw.dump(game.state) == before
            game.apply(order)
        else:
            assert request is not None
            game.apply(chance_answer(request, chance))


def test_a_prospect_grows_with_the_points(battle: Any) -> None:
    s = battle("stuarts-raid", turn=3, stuart="S3307", f_lee="S3307", md_1="S2109")
    early = outlook.prospect(s, CONFEDERATE)
    assert early + outlook.prospect(s, UNION) == pytest.approx(1)
    for h in ("S3307", "S3108"):
        s.station[s.board.parse(h)] = 1
    s.lost[UNION] = 1
    s.memo.clear()
    assert outlook.prospect(s, CONFEDERATE) > max(early, 0.5)
