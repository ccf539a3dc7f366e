"""The computer player of gcacw in the campaigns: its ways, its goals, what it holds and leaves, whom it detaches."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from pbem.rules.gcacw import answers, bot, campaign, sequence, strikes, supply
from pbem.rules.gcacw.combat import ASSAULT, Fight
from pbem.rules.gcacw.course import stay
from pbem.rules.gcacw.designs import designs
from pbem.rules.gcacw.detachments import left_behind
from pbem.rules.gcacw.goals import Goal
from pbem.rules.gcacw.orders import PASS, Activate, Detach, March, Merge, Path, Place, PutOff
from pbem.rules.gcacw.state import State
from pbem.rules.gcacw.ways import ways
from pbem.rules.gcacw.weights import BOLD
from pbem.rules.requests import Choose

UNION, CONFEDERATE = "union", "confederate"

Alone = Callable[..., State]


@pytest.fixture
def alone(campaign: Callable[..., State]) -> Alone:
    """The state of a campaign in its action cycle with these counters alone, none held: `alone(3, hood="S1727 8")`."""

    def made(turn: int, name: str = "rapidan-to-rappahannock", **units: str) -> State:
        said = {unit.replace("_", "-"): text for unit, text in units.items()}
        s = campaign(name, said, turn=turn)
        for unit in {*s.at} - {*said}:
            s.remove(unit)
        s.free.update(said)
        s.memo.clear()
        return s

    return made


def advised(s: State, side: str) -> Any:
    """What the computer player orders, which is legal."""
    s.choice = side
    request = Choose(side, "action", "std-4.0-3", "", lambda _: None, lambda: (), lambda _: PASS)
    order = bot.advise(s, request, Random(1))
    assert sequence.why_not(s, side, order) is None
    return order


def aim_of(s: State, unit: str) -> str:
    """Where a unit goes."""
    goal = designs(s, s.board.units[unit].side).get(unit)
    return "" if goal is None else s.board.label[goal.aim.at]


def path(s: State, *hexes: str) -> Path:
    return tuple(map(s.board.parse, hexes))


# --- ways -------------------------------------------------------------------------------------------------------------


def test_a_way_goes_round_an_enemy_who_stops_and_over_one_who_does_not(alone: Alone) -> None:
    s = alone(3, ap_hill="S2414 18", king="S2910 18")
    h, past = s.board.parse("S3108"), s.board.parse("S2910")
    straight = ways(alone(3, ap_hill="S2414 18", king="N5811 18"), "ap-hill").path(h)
    assert past in straight
    assert past not in ways(s, "ap-hill").path(h)
    weak = alone(3, ap_hill="S2414 18", buford="S2910 1")
    assert past in ways(weak, "ap-hill").path(h)


def test_in_rain_a_way_keeps_off_fords_where_a_bridge_is_not_far(alone: Alone) -> None:
    s = alone(3, ap_hill="S2314 18", king="N5811 18")
    ground = s.board.ground

    def fords() -> list[str]:
        way = (s.at["ap-hill"], *ways(s, "ap-hill").path(s.board.parse("S1914")))
        return [s.board.label[h] for here, h in pairwise(way) if not ground.between[here][h].wet]

    assert len(fords()) == 1
    s.weather(4)
    assert fords() == []


def test_a_march_is_ordered_along_the_way_that_its_goal_was_chosen_by(alone: Alone) -> None:
    s = alone(3, ap_hill="S2424 18", king="S1418 18", reno="N5811")
    order = advised(s, CONFEDERATE)
    assert isinstance(order, March)
    goal = designs(s, CONFEDERATE)["ap-hill"].aim.at
    assert ways(s, "ap-hill").path(goal)[: len(order.path)] == order.path


# --- the Confederates -------------------------------------------------------------------------------------------------


def test_what_brings_most_is_for_the_nearest_who_keeps_it(alone: Alone) -> None:
    """The first station of the line to Manassas brings ten; who is nearer takes it, and has it still on the way."""
    s = alone(5, ap_hill="S3515 18", hood="S3427 8", king="N5811 18")
    station = aim_of(s, "ap-hill")
    assert s.board.parse(station) in s.board.stations
    assert aim_of(s, "hood") != station
    for h in ways(s, "ap-hill").path(s.board.parse(station))[:9]:
        s.put("ap-hill", h)
        assert aim_of(s, "ap-hill") == station


def test_the_nearer_one_leaves_an_aim_to_who_comes_to_nothing_else(alone: Alone) -> None:
    """A.P. Hill goes on to Manassas Junction, which Hood is less sure to reach: so both bring most (22.1-vp4, -vp6)."""
    s = alone(7, ap_hill="S3512 18", king="N5811 18")
    assert aim_of(s, "ap-hill") == "S3307"
    s = alone(7, ap_hill="S3512 18", hood="S3515 8", king="N5811 18")
    assert (aim_of(s, "hood"), aim_of(s, "ap-hill")) == ("S3307", "S4101")


def test_a_weak_regiment_is_a_prey_until_there_was_a_panic(alone: Alone) -> None:
    """An attack on it may bring fifteen (18.0-1, 22.1-vp1)."""
    s = alone(3, ap_hill="S1520 18", ny_60="S1618 1", king="N5811 18")
    s.controlled.update(("S1418", "S2403"))
    s.station[s.board.parse("S2414")] = 2
    s.memo.clear()
    assert aim_of(s, "ap-hill") == "S1618"
    s.panic = 1
    s.memo.clear()
    assert aim_of(s, "ap-hill") not in ("", "S1618")


def test_only_infantry_counts_in_a_county_at_the_end(alone: Alone) -> None:
    """A division in Prince William brings two; neither a brigade nor cavalry brings anything (22.1-vp8)."""
    s = alone(7, hood="S3905 8", evans="S3905 5", robertson="S3905 2")
    assert [stay(s.board, unit, s.at[unit]) for unit in ("hood", "evans", "robertson")] == [2, 0, 0]


def test_nobody_goes_for_a_place_whose_garrison_he_does_not_drive_off(alone: Alone) -> None:
    """A brigade leaves Culpeper before a division in it, and takes it when it is empty."""
    s = alone(3, evans="S1420 5", king="S1418 18")
    assert aim_of(s, "evans") not in ("", "S1418")
    s = alone(3, evans="S1420 5", king="N5811 18")
    assert aim_of(s, "evans") == "S1418"


def test_a_division_goes_at_least_to_a_county_that_scores_and_stays_there(alone: Alone) -> None:
    """Where nothing else is left: two points in Prince William, wherever it stands there (22.1-vp8)."""

    def left(at: str) -> State:
        s = alone(7, hood=f"{at} 8", king="N5811 18")
        s.station.update(dict.fromkeys(s.board.stations, 2))
        s.depots.clear()
        s.controlled.update(s.board.label[h] for h in s.board.objectives)
        s.memo.clear()
        return s

    s = left("S3513")
    assert s.board.map.region[s.board.parse(aim_of(s, "hood"))] == "Prince William"
    assert aim_of(left("S3905"), "hood") == "S3905"


WING = {"longstreet": "S1727", "dr_jones": "S1727 14", "kemper": "S2326 10", "hood": "S2326 8", "wilcox": "S2426 9"}


def test_a_corps_leader_goes_first_to_whom_he_leads_most_from(alone: Alone) -> None:
    """He leads three by one action, and goes on with them (std-5.2-6)."""
    s = alone(3, king="N5811 18", **WING)
    order = advised(s, CONFEDERATE)
    assert isinstance(order, Activate)
    assert (order.leader, order.hop) == ("longstreet", "hood")
    assert {one.unit for one in order.marches} == {"hood", "kemper", "wilcox"}
    assert [one.unit for one in order.marches if "longstreet" in one.leaders] == ["hood"]


def test_a_leader_who_would_be_left_alone_goes_with_those_who_are_led(alone: Alone) -> None:
    s = alone(3, lee="S2326", king="N5811 18", **{unit: at for unit, at in WING.items() if unit != "wilcox"})
    order = advised(s, CONFEDERATE)
    assert isinstance(order, Activate)
    assert [one.leaders for one in order.marches] == [("longstreet", "lee"), ()]


def test_who_is_tired_goes_on_while_his_time_is_short(alone: Alone) -> None:
    """Seven turns are left in the long campaign, two in the short one."""
    short = alone(7, hood="S3512 8 F2", king="N5811 18")
    assert isinstance(advised(short, CONFEDERATE), March)
    short.disorganise("hood")
    assert advised(short, CONFEDERATE) == PASS
    long = alone(7, "rapidan-to-manassas", hood="S3512 8 F2", king="N5811 18")
    assert advised(long, CONFEDERATE) == PASS


def test_a_small_attack_waits_behind_the_marches(alone: Alone) -> None:
    """A cycle may end behind any action: what brings little comes last."""
    s = alone(6, ap_hill="S3515 18", hood="S1419 8", schurz="S1418 9")
    order = advised(s, CONFEDERATE)
    assert isinstance(order, March)
    assert order.strike is None


# --- the Union --------------------------------------------------------------------------------------------------------


def test_a_place_that_cannot_be_held_is_left(alone: Alone) -> None:
    """Schurz alone falls back from Manassas Junction before Lee's army, and holds it against a brigade."""
    army = {"ap_hill": "S3604 18", "taliaferro": "S3604 14", "ewell_b": "S3604 14", "dr_jones": "S3603 14"}
    s = alone(9, "rapidan-to-manassas", schurz="S4101 7", **army)
    assert aim_of(s, "schurz") not in ("", "S4101")
    s = alone(9, "rapidan-to-manassas", schurz="S4101 7", evans="S3604 5")
    assert aim_of(s, "schurz") == "S4101"


def test_the_more_threatens_a_place_the_more_hold_it_as_long_as_it_can_be_held(alone: Alone) -> None:
    union = {"schenck": "S2414 9", "schurz": "S2414 7", "stevens": "S2414 8", "greene": "S2414 9", "milroy": "S2414 3"}

    def there(**army: str) -> int:
        s = alone(3, **union, **army)
        return sum(aim_of(s, unit) == "S2414" for unit in union)

    few, two = there(evans="S2418 3"), there(ap_hill="S2418 18", hood="S2418 8")
    assert 0 < few < two
    assert there(ap_hill="S2418 18", taliaferro="S2418 14", ewell_b="S2418 14", dr_jones="S2418 14") < few


def test_the_stations_of_a_line_are_guarded_alike_until_one_is_destroyed(alone: Alone) -> None:
    """One that is open brings the Confederates the fifteen of the first: each has somebody near (22.1-vp2)."""
    line = ("N4422", "N4721", "N5220", "N5620")
    union = {"king": "N4721 18", "ricketts": "N4721 18", "kearny": "N4721 13", "hooker": "N4721 14"}
    s = alone(8, whipple="N5715 2", **union, ap_hill="S3307 18", hood="S3307 8")
    guarded = {aim_of(s, unit) for unit in union}.intersection(line)
    s.station.update({s.board.parse(h): 2 for h in line[:3]})
    s.memo.clear()
    assert len({aim_of(s, unit) for unit in union}.intersection(line)) < len(guarded)


def test_a_weak_regiment_joins_the_strong_before_the_enemy(alone: Alone) -> None:
    """So that it brings no panic (18.0-1), and is merged there (21.2-u5); behind the panic it guards as others do."""
    s = alone(3, purnell="S2612 1", king="S2414 18", ap_hill="S1916 18")
    assert aim_of(s, "purnell") == "S2414"
    s.put("purnell", s.board.parse("S2414"))
    s.manpower["king"] = 16
    assert campaign.merging(s, UNION) == Merge("purnell", "king")
    s.put("purnell", s.board.parse("S2612"))
    s.panic = 1
    s.memo.clear()
    assert aim_of(s, "purnell") != "S2414"


def test_what_is_worth_most_marches_first(alone: Alone) -> None:
    """A cycle may end behind any action: two divisions go before a brigade (15.0-1)."""
    s = alone(8, whipple="N5811 2", king="N4221 18", ricketts="N4221 18", mcdowell="N4221", ap_hill="S4101 18")
    order = advised(s, UNION)
    assert isinstance(order, Activate)
    assert {one.unit for one in order.marches} == {"king", "ricketts"}


def test_each_place_has_somebody_before_one_has_many(alone: Alone) -> None:
    """A brigade keeps Falls Church, which brings twelve, though the stations beside it want more as well."""
    s = alone(8, whipple="N5715 2", casey="N5620 3", king="N5017 18", dr_jones="N4422 9 disorganised")
    assert aim_of(s, "whipple") == "N5715"


def test_infantry_takes_back_what_the_enemy_has_left(alone: Alone) -> None:
    s = alone(7, schurz="S2305 7", buford="S2404 3", hood="S0832 8")
    assert aim_of(s, "schurz") != "S2403"
    s.controlled.add("S2403")
    s.memo.clear()
    assert aim_of(s, "schurz") == "S2403"
    assert aim_of(s, "buford") != "S2403"


def test_who_is_left_over_hunts_the_weak(alone: Alone) -> None:
    """Cavalry takes no town back; where nothing else is left it goes for a regiment, and for no brigade."""
    s = alone(9, "rapidan-to-manassas", buford="S2403 3", va_2="S2110 1")
    s.station.update(dict.fromkeys(s.board.stations, 2))
    s.depots.clear()
    s.controlled.update(s.board.label[h] for h in s.board.objectives)
    s.memo.clear()
    assert aim_of(s, "buford") == "S2110"
    s.manpower["va-2"] = 4
    s.memo.clear()
    assert aim_of(s, "buford") == ""


def test_the_union_is_where_it_is_fed_when_supply_is_looked_at(alone: Alone) -> None:
    """On turn 6: with the station at Bull Run destroyed Fauquier and Culpeper feed nobody (20.3-u5)."""
    union = {"king": "S3108 18", "schenck": "S2711 9", "milroy": "S2403 3", "schurz": "S2810 7"}

    def goes_hungry(turn: int) -> list[str]:
        s = alone(turn, hood="S2418 8", **union)
        s.station.update({s.board.parse(h): 2 for h in ("N4422", "S2414")})
        s.memo.clear()
        region = s.board.map.region
        return [unit for unit, goal in designs(s, UNION).items() if not supply.fed_in(s, region[goal.aim.at])]

    assert goes_hungry(4)
    assert goes_hungry(5) == []


def test_works_keep_who_is_behind_them(alone: Alone) -> None:
    """A brigade that is worth three times as much there stays in Fairfax Court House, else it is in Falls Church."""
    s = alone(7, "rapidan-to-manassas", schenck="N5017 9 works 4", ap_hill="S4101 18")
    assert aim_of(s, "schenck") == "N5017"
    s.works.clear()
    s.memo.clear()
    assert aim_of(s, "schenck") == "N5715"


# --- detachments and reinforcements -----------------------------------------------------------------------------------


def test_a_division_leaves_somebody_to_destroy_a_station_that_it_passes(alone: Alone) -> None:
    s = alone(6, ap_hill="S3108 18", king="N5811 18")
    way = ways(s, "ap-hill").path(s.board.parse("S4101"))
    wanted = {"ap-hill": Goal(designs(s, CONFEDERATE)["ap-hill"].aim._replace(at=s.board.parse("S4101")), 6.0)}
    passed = [h for h in way[:-1] if h in s.board.stations]
    found = left_behind(s, "ap-hill", way, wanted)
    assert [s.board.label[h] for h in passed] == ["S3307", "S3703"]
    assert found == (Detach("csa-sub-1", 1, passed[0]),)
    wanted["hood"] = wanted["ap-hill"]._replace(aim=wanted["ap-hill"].aim._replace(at=passed[0]))
    assert left_behind(s, "ap-hill", way, wanted) == ()
    s.manpower["ap-hill"] = 6
    assert left_behind(s, "ap-hill", way, wanted) == ()


def test_a_garrison_stays_in_a_depot_before_cavalry(alone: Alone) -> None:
    s = alone(4, king="S4101 18", f_lee="S3709 2")
    wanted: dict[str, Goal] = {}
    assert left_behind(s, "king", path(s, "N4223"), wanted) == (Detach("union-sub-1", 2, None),)
    s.put("f-lee", s.board.parse("S1727"))
    assert left_behind(s, "king", path(s, "N4223"), wanted) == ()


def test_no_garrison_stays_before_infantry_while_it_may_bring_a_panic(alone: Alone) -> None:
    s = alone(4, king="S4101 18", hood="S3709 8")
    assert left_behind(s, "king", path(s, "N4223"), {}) == ()
    s.panic = 3
    s.memo.clear()
    assert left_behind(s, "king", path(s, "N4223"), {}) == (Detach("union-sub-1", 2, None),)


def test_who_is_pressed_leaves_his_supply_before_it_is_looked_at(alone: Alone) -> None:
    """On turn 5 of the short campaign; in the long one there is time to be fed on turn 6 (20.3-c1)."""
    goal = Goal(designs(alone(5, hood="S2326 8", king="N5811 18"), CONFEDERATE)["hood"].aim, 3.0)
    s = alone(5, hood="S2326 8", king="N5811 18")
    assert campaign.stays_fed(s, "hood", goal)
    assert not campaign.stays_fed(s, "hood", goal._replace(spared=1.0))


def test_reinforcements_are_put_off_where_more_is_near_a_day_later(campaign: Callable[..., State]) -> None:
    """Ripley, when nothing is left at Culpeper and on the way to Manassas; never in the last turn (22.1-re5)."""

    def placed(name: str, *destroyed: str) -> Any:
        s = campaign(name, turn=8, phase="confederate-reinforcements")
        s.station.update({s.board.parse(h): 2 for h in destroyed})
        s.controlled.update(("S1418", "N5017", "N5715") if destroyed else ())
        chapter = sequence.CHAPTERS["reinforcements"]
        request = Choose(
            CONFEDERATE,
            "reinforcements",
            "3.0-3",
            "",
            lambda _: None,
            lambda: chapter.options(s, CONFEDERATE),
            lambda _: PASS,
        )
        return bot.advise(s, request, Random(1))

    stations = ("S2414", "S3307", "S3703", "S4101", "N4422", "N4721", "N5220", "N5620")
    assert isinstance(placed("rapidan-to-manassas"), Place)
    assert placed("rapidan-to-manassas", *stations) == PutOff("ripley")
    assert isinstance(placed("rapidan-to-rappahannock", *stations), Place)


def test_the_union_puts_off_who_would_come_where_enough_are(campaign: Callable[..., State]) -> None:
    """Heintzelman's divisions come to Alexandria a day later, unless Aquia Creek is empty (22.1-re2)."""
    s = campaign("rapidan-to-manassas", {"morell": "S5021 7"}, turn=6, phase="union-reinforcements")
    there, later = Place("iii-corps", s.board.parse("S5021")), PutOff("iii-corps")
    assert campaign_worth(s, later) > campaign_worth(s, there)
    for unit in s.units_in(s.board.parse("S5021"), UNION):
        s.put(unit, s.board.parse("S1418"))
    s.memo.clear()
    assert campaign_worth(s, later) < campaign_worth(s, there)


def campaign_worth(s: State, order: Place | PutOff) -> float:
    """What it brings that reinforcements come there, or later."""
    return bot.campaign.worth_of_arrival(s, order)


def test_of_equal_leaders_the_one_falls_who_leads_fewest(alone: Alone) -> None:
    s = alone(3, jackson="S1420", longstreet="S1420", ap_hill="S1420 18", hood="S1420 8", king="N5811 18")
    assert ("fall", "any", "longstreet", "jackson") in answers.stance(s, CONFEDERATE, [])
    s.manpower["ap-hill"] = 4
    said = answers.stance(s, CONFEDERATE, [])
    assert ("fall", "any", "jackson", "longstreet") in said
    assert answers.stance(s, CONFEDERATE, said) == []
    assert [words for words in answers.stance(s, UNION, []) if words[0] == "fall"] == []


# --- attacks ----------------------------------------------------------------------------------------------------------


def brings(s: State, attacker: str, at: str) -> float:
    """What an assault of a unit brings on the average."""
    side = s.board.units[attacker].side
    return strikes.expected(s, Fight(side, s.board.parse(at), (attacker,), ASSAULT), BOLD)


def test_a_panic_is_worth_its_points_while_there_was_none(alone: Alone) -> None:
    """15 points by each cell with an asterisk: an attack that may bring one is worth more (18.0-1, 22.1-vp1)."""
    s = alone(3, jackson="S1420", ap_hill="S1420 18", milroy="S1419 3")
    before = brings(s, "ap-hill", "S1419")
    s.panic = 1
    s.memo.clear()
    assert brings(s, "ap-hill", "S1419") < before - 1


def test_a_paralysed_side_attacks_with_fewer_points(alone: Alone) -> None:
    """A march of infantry has two points less, and so a worse kind of attack at its end, or none (14.0-par1)."""
    s = alone(3, king="S1420 18", hood="S1418 2")

    def worths() -> dict[Path, float]:
        found = strikes.attacks(s, UNION, BOLD, {}, lambda *_: 0.0)
        return {one.order.path: one.worth for one in found if isinstance(one.order, March)}

    fresh, along = worths(), path(s, "S1419")
    s.paralysed.add(UNION)
    s.memo.clear()
    slow = worths()
    assert len(slow) < len(fresh)
    assert slow[along] < fresh[along]


def test_infantry_chases_no_cavalry_for_nothing(alone: Alone) -> None:
    """Where cavalry stands in the way of what scores it is driven off (std-7.7-1)."""
    s = alone(3, dr_jones="S2929 14", in_3="S2828 1", king="N5811 18")
    at = s.at["in-3"]
    assert [*strikes.attacks(s, CONFEDERATE, BOLD, {}, lambda *_: 0.0)] == []
    assert [*strikes.attacks(s, CONFEDERATE, BOLD, {at: 3.0}, lambda *_: 0.0)]
