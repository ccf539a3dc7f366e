"""The computer player of gcacw: what it does in plain positions, and that all it does is legal and wins."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from pbem.match.chances import chance_answer
from pbem.match.game import Game
from pbem.rules import gcacw, rules_of
from pbem.rules.gcacw import aims, answers, bot, campaign, course, designs, goals, outlook, pace, sequence, strikes
from pbem.rules.gcacw.combat import ASSAULT, Fight, guns, modifiers, values
from pbem.rules.gcacw.orders import (
    ALWAYS,
    NEVER,
    PASS,
    ROUTE,
    Activate,
    Close,
    Entrench,
    Forage,
    March,
    Merge,
    Raid,
    Rail,
    Transfer,
)
from pbem.rules.gcacw.state import State, start
from pbem.rules.gcacw.tables import Allowance
from pbem.rules.gcacw.weights import BOLD, STYLES, last
from pbem.rules.gcacw.zones import zone
from pbem.rules.requests import Choose
from pbem.scenario import load_scenario

UNION, CONFEDERATE = "union", "confederate"
FIVE = ("cedar-mountain", "lee-vs-pope", "stuarts-raid", "jacksons-march", "to-bull-run")


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
        cycle = next(n for n, phase in enumerate(sequence.phases_of(s.board)) if phase.kind == "cycle")
        s.turn, s.phase, s.opened, s.cycle = turn, cycle, True, 1
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
    found = goals.goals(s, UNION)
    assert {s.board.label[goal.aim.at] for goal in found.values()} == {"S1418"}


# --- the campaigns ----------------------------------------------------------------------------------------------------


def aims_at(s: State, h: str) -> list[tuple[float, int]]:
    """What infantry may bring about at once in a hex, and the actions that it takes there."""
    return [
        (aim.worth, aim.actions) for aim in aims.aims(s) if aim.at == s.board.parse(h) and aim.infantry and not aim.late
    ]


def test_of_stations_that_score_by_steps_the_nearest_brings_the_first(battle: Any) -> None:
    """15 points for the first of the line to Manassas, 5 more for the second, 2 and 3 for the others (22.1-vp2)."""
    s = battle("rapidan-to-rappahannock", turn=3, ap_hill="N4319", reno="N5811")
    stations = ["N4422", "N4721", "N5220", "N5620"]
    assert [aims_at(s, h)[0][0] for h in stations] == [15, 5, 2, 3]
    s.station[s.board.parse("N4422")] = 2
    s.memo.clear()
    assert aims_at(s, "N4422") == []
    assert [aims_at(s, h)[0][0] for h in stations[1:]] == [5, 2, 3]


def test_a_depot_is_raided_or_entered_as_it_is_lost(battle: Any) -> None:
    """Aquia Creek by a raid, Winchester by whoever comes, those of Washington by nothing (20.1-4 to 20.1-7)."""
    s = battle("rapidan-to-rappahannock", turn=3, f_lee="S5021", reno="N5811")
    assert advised(s, CONFEDERATE) == Raid("f-lee")
    assert (6.0, 1) in aims_at(s, "S5021")
    assert (6, 0) in aims_at(s, "N0301")
    assert aims_at(s, "N5809") == []
    s.depots.clear()
    s.memo.clear()
    assert aims_at(s, "S5021") == [(3, 0)]
    assert advised(s, CONFEDERATE) != Raid("f-lee")


def test_each_town_of_several_scores_until_it_is_held(battle: Any) -> None:
    s = battle("rapidan-to-rappahannock", turn=3, ap_hill="S1421", reno="N5811")
    assert (3, 0) in aims_at(s, "S1418")
    s.controlled.add("S1418")
    s.memo.clear()
    assert (3, 0) not in aims_at(s, "S1418")
    assert (3, 0) in aims_at(s, "S2403")


def test_a_division_goes_to_the_counties_that_score_at_the_end(battle: Any) -> None:
    """With nothing else in its reach: Fairfax or Prince William for two points, not Loudoun for one (22.1-vp8)."""
    s = battle("rapidan-to-rappahannock", turn=8, ap_hill="N3221", reno="N5811")
    at = designs.designs(s, CONFEDERATE)["ap-hill"].aim.at
    assert s.board.map.region[at] in ("Fairfax", "Prince William")


def test_a_substitute_merges_back_unless_it_tires_its_unit(battle: Any) -> None:
    s = battle("rapidan-to-rappahannock", turn=3, csa_sub_1="S1421", ap_hill="S1421", reno="N5811")
    s.manpower["ap-hill"], s.manpower["csa-sub-1"] = 10, 2
    assert advised(s, CONFEDERATE, "attachment") == Merge("csa-sub-1", "ap-hill")
    s.fatigue["csa-sub-1"] = 1
    assert advised(s, CONFEDERATE, "attachment") == Close("attachment")
    s.fatigue["ap-hill"] = 1
    s.hungry.add("csa-sub-1")
    assert advised(s, CONFEDERATE, "attachment") == Close("attachment")


def test_all_who_want_for_supply_forage(battle: Any) -> None:
    s = battle("rapidan-to-rappahannock", turn=6, ap_hill="S2403", stuart="S2305", f_lee="S2305", reno="N5811")
    assert advised(s, CONFEDERATE, "recovery") == Close("recovery")
    s.hungry.update({"ap-hill", "f-lee"})
    order = advised(s, CONFEDERATE, "recovery")
    assert isinstance(order, Forage)
    assert {*order.units} == {"ap-hill", "f-lee"}
    s.fatigue["f-lee"] = 3
    assert advised(s, CONFEDERATE, "recovery") == Forage(("ap-hill",))


def test_it_goes_by_rail_where_that_saves_much_of_a_way(battle: Any) -> None:
    """From Alexandria to Manassas Junction on turn 7; on foot on turn 10, when no trains go (16.0)."""
    s = battle("rapidan-to-manassas", turn=7, ferrero="N5819", ap_hill="N4319")
    wanted = {"ferrero": goals.Goal(aims.Aim(s.board.parse("S4101"), 8.0, ""), 8.0)}
    order = campaign.by_rail(s, UNION, wanted)
    assert isinstance(order, Rail)
    assert sequence.why_not(s, UNION, order) is None
    way = aims.way_to(s.board, s.board.parse("S4101"))
    assert way[order.path[-1]] + 20 <= way[s.at["ferrero"]]
    s.turn = 10
    s.memo.clear()
    assert campaign.by_rail(s, UNION, wanted) is None


def test_the_pontoon_bridge_is_taken_away_before_the_enemy(battle: Any) -> None:
    s = battle("rapidan-to-manassas", turn=3, fairchild="S4427", hood="S4128")
    ends = s.board.advanced.pontoon.ends
    s.free.add("fairchild")
    order = advised(s, UNION)
    assert isinstance(order, March)
    assert order.unbridge == ends
    s.put("hood", s.board.parse("S3628"))
    assert getattr(advised(s, UNION), "unbridge", None) is None


def test_who_is_fed_does_not_leave_for_little_before_supply_is_looked_at(battle: Any) -> None:
    """On turn 5, as supply is looked at on turn 6: in Culpeper Confederates are in supply (20.3-c1)."""
    s = battle("rapidan-to-manassas", turn=5, ap_hill="S1418", hood="S2403", reno="N5811")
    far = aims.Aim(s.board.parse("N5017"), 1.0, "")
    little, much = goals.Goal(far, 1.0), goals.Goal(far, 12.0)
    assert campaign.stays_fed(s, "ap-hill", little)
    assert not campaign.stays_fed(s, "ap-hill", much)
    assert not campaign.stays_fed(s, "hood", little)
    s.turn = 6
    assert not campaign.stays_fed(s, "ap-hill", little)


# --- the way there and home -------------------------------------------------------------------------------------------


def test_marches_are_counted_over_all_throws() -> None:
    """Five steps of a road at one die: a six or a five does it at once, 1 and 1 to 1 and 3 take more than two."""
    found = pace.marches((2,) * 5, Allowance(1, 0))
    assert found[:3] == pytest.approx((0, 2 / 6, 1 - 2 / 6 - 6 / 36))
    assert sum(found) == pytest.approx(1)
    assert pace.marches((), Allowance(1, 0)) == (1.0,)
    assert pace.marches((2,) * 5, Allowance(1, 0), 4)[1] == pytest.approx(4 / 6)


def test_points_that_do_not_pay_for_a_step_are_lost() -> None:
    """Steps of five points each at one die and two: a 3 and more makes one, and never two at once."""
    assert pace.marches((10, 10), Allowance(1, 2))[:3] == pytest.approx((0, 0, 16 / 36))


def test_it_rides_home_when_the_stations_are_raided(battle: Any) -> None:
    s = battle("stuarts-raid", turn=3, stuart="S3307", f_lee="S3307", md_1="S1518")
    for h in ("S3307", "S3108"):
        s.station[s.board.parse(h)] = 1
    order = advised(s, CONFEDERATE)
    assert isinstance(order, Activate)
    goal = goals.goals(s, CONFEDERATE)["f-lee"]
    assert s.board.label[goal.aim.at] == "S1905"
    assert order.marches[0].path[-1] == goal.aim.at


def test_it_goes_home_only_as_long_as_it_can_come_there(battle: Any) -> None:
    """With one action left the dice can't bring it fifteen hexes but by a forced march."""
    s = battle("stuarts-raid", turn=3, stuart="S3307", f_lee="S3307", md_1="S1518")
    for h in ("S3307", "S3108"):
        s.station[s.board.parse(h)] = 1
    s.fatigue["f-lee"] = 3
    goal = goals.goals(s, CONFEDERATE)["f-lee"]
    assert goal.force == ROUTE
    assert bot._force(s, "f-lee", goal, (goal.aim.at,)) == ROUTE
    s.fatigue["f-lee"] = 4
    s.memo.clear()
    assert goals.goals(s, CONFEDERATE)["f-lee"].rests


def test_it_forces_marches_where_its_time_is_short(battle: Any) -> None:
    s = battle("jacksons-march", turn=2, jackson="N2518", ap_hill="N2418", ewell_b="N2518", kearny="N2930")
    goal = goals.goals(s, CONFEDERATE)["ap-hill"]
    assert goal.spur > 0
    assert bot._force(s, "ap-hill", goal._replace(hurries=True), (s.at["ewell-b"],)) == ALWAYS
    assert bot._force(s, "ap-hill", goal._replace(hurries=False), (s.at["ewell-b"],)) == NEVER
    assert bot._force(s, "ap-hill", goal._replace(spur=0.0), (goal.aim.at,)) == NEVER


def test_who_is_strong_forces_a_march_also_where_it_may_not_come_to_its_aim(battle: Any) -> None:
    """A forced march costs a division of 18 points next to nothing, and a brigade of two much."""
    s = battle("jacksons-march", turn=3, ap_hill="N3822", f_lee="N3822", kearny="N2930")
    for unit, how in (("ap-hill", ALWAYS), ("f-lee", ROUTE)):
        goal = goals.goals(s, CONFEDERATE)[unit]._replace(spur=1.0, hurries=True)
        assert bot._force(s, unit, goal, (goal.aim.at,)) == how


def test_who_is_beside_a_station_raids_it_and_who_has_come_past_another_raids_that(battle: Any) -> None:
    """Taliaferro stays where he scores, Hill goes to Manassas, which cavalry has damaged, Ewell to Bristoe."""
    at = {"jackson": "N3625", "ewell_b": "N3625", "ap_hill": "N3622", "taliaferro": "N3121", "kearny": "N2930"}
    s = battle("jacksons-march", turn=3, **at)
    s.station[s.board.parse("N4124")] = 1
    s.fatigue.clear()
    found = goals.goals(s, CONFEDERATE)
    assert s.board.label[found["ap-hill"].aim.at] == "N4124"
    assert s.board.label[found["ewell-b"].aim.at] == "N3726"
    assert found["taliaferro"].aim.at == s.at["taliaferro"]


def test_cavalry_saves_infantry_a_raid_before_it_raids_what_scores_one_point(battle: Any) -> None:
    s = battle("jacksons-march", turn=2, va_2="N4124", ap_hill="N2921", ewell_b="N3021", kearny="N2930")
    s.station[s.board.parse("N4124")] = 1
    assert s.board.label[goals.goals(s, CONFEDERATE)["va-2"].aim.at] == "N3726"


def test_points_are_lost_where_a_march_is_stopped() -> None:
    """Behind the second of five steps on a road at one die a march ends: the other three take a second one."""
    assert pace.marches((2,) * 5, Allowance(1, 0), 0, (2,))[:3] == pytest.approx((0, 0, 5 / 6 * 4 / 6))
    assert pace.marches((2,) * 5, Allowance(1, 0), 0, (5,)) == pace.marches((2,) * 5, Allowance(1, 0))


def test_a_march_leads_from_one_zone_into_another_and_ends_there(battle: Any) -> None:
    s = battle("stuarts-raid", turn=3, f_lee="S2304", ny_4="S2305")
    steps = [(2, s.board.parse(h)) for h in ("S2203", "S2104", "S2004", "S1905")]
    zones = [h for _, h in steps]
    assert course.stops_on(steps, []) == ()
    assert course.stops_on(steps, zones[1:2]) == (2,)
    assert course.stops_on(steps, zones[1:3]) == (3,)
    assert course.stops_on(steps, zones) == (2, 4)


def test_it_goes_round_the_zone_that_would_stop_it(battle: Any) -> None:
    """From beside the regiment the road leads past it; who goes over the fields comes home with a good throw."""
    s = battle("stuarts-raid", turn=3, stuart="S2304", f_lee="S2304", ny_4="S2305", md_1="S1518")
    for h in ("S3307", "S3108"):
        s.station[s.board.parse(h)] = 1
    order = bot._go(s, CONFEDERATE)
    assert isinstance(order, Activate)
    path = order.marches[0].path
    assert path[-1] == s.board.parse("S1905")
    assert zone(s, UNION).keys().isdisjoint(path)


def test_who_comes_by_another_place_that_is_as_good_stays_there(battle: Any) -> None:
    """A regiment bars the road to Waterloo, and the way round it leads over White Sulphur Springs."""
    s = battle("stuarts-raid", turn=3, stuart="S2304", f_lee="S2304", ny_4="S2004", md_1="S1518")
    for h in ("S3307", "S3108"):
        s.station[s.board.parse(h)] = 1
    goal = goals.goals(s, CONFEDERATE)["f-lee"]
    home = [s.board.parse(h) for h in ("S1905", "S2007")]
    assert goals.as_good(s, "f-lee", goal) == {*home}
    path = bot._path(s, "f-lee", goal, ("stuart",))
    assert [h for h in path if h in home] == [*path[-1:]] == [home[1]]
    s.put("ny-4", home[1])
    s.memo.clear()
    assert goals.as_good(s, "f-lee", goals.goals(s, CONFEDERATE)["f-lee"]) == {home[0]}


def test_a_way_is_ordered_as_far_as_the_best_throw_comes(battle: Any) -> None:
    s = battle("stuarts-raid", turn=2, stuart="S1913", f_lee="S1913", md_1="S1518")
    order = advised(s, CONFEDERATE)
    assert len(order.marches[0].path) >= 14


def test_beside_a_place_is_as_good_as_in_it_where_that_scores(battle: Any) -> None:
    s = battle("jacksons-march", turn=3, ap_hill="N3522", kearny="N2930")
    for h in ("N3726", "N4124", "N4422"):
        s.station[s.board.parse(h)] = 2
    s.fatigue["ap-hill"] = 3
    assert goals.goals(s, CONFEDERATE)["ap-hill"].aim.at == s.at["ap-hill"]
    assert advised(s, CONFEDERATE) == PASS


def test_cavalry_damages_the_stations_that_infantry_is_to_destroy(battle: Any) -> None:
    s = battle("jacksons-march", turn=2, va_2="N3726", ap_hill="N3522", kearny="N2930")
    assert advised(s, CONFEDERATE) == Raid("va-2")
    s.station[s.board.parse("N3726")] = 1
    s.memo.clear()
    assert advised(s, CONFEDERATE) != Raid("va-2")


def test_who_is_weak_rather_goes_where_no_enemy_stands(battle: Any) -> None:
    s = battle("jacksons-march", turn=3, robertson="N4820", scammon="N5020", taylor="N5220")
    assert goals.goals(s, CONFEDERATE)["robertson"].aim.at == s.board.parse("N4721")


def test_it_does_not_leave_its_aim_behind_an_enemy_in_the_last_turn(battle: Any) -> None:
    """An advance would bring it out of the hex that scores."""
    s = battle("stuarts-raid", turn=3, stuart="S1905", f_lee="S1905", md_1="S2005")
    for h in ("S3307", "S3108"):
        s.station[s.board.parse(h)] = 1
    assert advised(s, CONFEDERATE) == PASS


def test_it_doubts_a_plan_whose_march_ends_elsewhere(battle: Any) -> None:
    """The conditions are those that don't hold in the future for which it was made."""
    s = battle("stuarts-raid", turn=3, stuart="S3307", f_lee="S3307", md_1="S1518")
    s.put("f-lee", s.board.parse("S3108"))
    order = Activate("stuart", (March("f-lee", (s.board.parse("S3108"),)),))
    assert bot.doubts(s, CONFEDERATE, order) == [("short", "f-lee")]
    s.shorts.add("f-lee")
    assert bot.doubts(s, CONFEDERATE, order) == [("not", "short", "f-lee")]
    s.fatigue["f-lee"] = 4
    assert bot.doubts(s, CONFEDERATE, order) == []
    assert bot.doubts(s, CONFEDERATE, PASS) == []


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


@pytest.mark.parametrize(
    ("scenario", "style"),
    [*((scenario, style) for scenario in FIVE for style in STYLES), ("rapidan-to-rappahannock", BOLD)],
)
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
