"""Objectives, the depot, every line of the victory points and every border of the bands (rulebook 13)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from rules.field import Battle
from rules.gcacw.activities import run, told
from rules.gcacw.conftest import CAMPAIGNS, SCENARIOS

from pbem.maps.hexes import distance
from pbem.rules import gcacw
from pbem.rules.gcacw import harm, march, may_march, raid, scoring, victory
from pbem.rules.gcacw.board import DAMAGED, DESTROYED, Board
from pbem.rules.gcacw.entering import entered
from pbem.rules.gcacw.orders import March, Raid
from pbem.rules.gcacw.state import State

Campaign = Callable[..., State]
Boards = Callable[[str], Board]


def points(s: State, clause: str) -> int:
    """What the lines of a clause come to now."""
    found = [item for item in victory.items(s) if item.line.clause == clause]
    assert found, clause
    return sum(item.points for item in found)


def scored(s: State) -> dict[str, int]:
    """Clause -> points, of all that score now."""
    return {clause: n for clause in {i.line.clause for i in victory.items(s)} if (n := points(s, clause))}


def stations(s: State, state: int, *labels: str) -> None:
    """Let stations stand so."""
    s.station.update({s.board.parse(label): state for label in labels})


def bands(s: State, *borders: tuple[int, str]) -> None:
    """Each number of points means its level, and the side that it is a victory of."""
    for number, title in borders:
        words = {"CSA": "Confederate", "Union": "Union"}
        side, _, rank = title.partition(" ")
        found = victory.level_of(s.board.victory, number)
        assert found.title == f"{words[side]} {rank} victory", number
        assert found.side == {"CSA": "confederate", "Union": "union"}[side]


def gone(s: State, *units: str) -> State:
    """The state without these."""
    for unit in units:
        s.remove(unit)
    return s


def confederates(s: State) -> list[str]:
    """Combat units of the Confederates on the map."""
    return s.own("confederate")


# --- all --------------------------------------------------------------------------------------------------------------


@pytest.mark.clause("13.0-3")
def test_the_winner_is_told_behind_the_last_turn_alone(game: Callable[..., Battle]) -> None:
    for turn in (2, 3):
        b = game("cedar-mountain", turn=turn, choice="union")
        b.do("done")
        b.do("done")
        assert (b.outcome is not None) == (turn == 3)
    assert b.outcome is not None
    assert b.outcome.winner == victory.level_of(b.state.board.victory, victory.total(b.state)).side
    assert b.outcome.clause == "13.1-vic"
    assert gcacw.outcome(b.state) == b.outcome


@pytest.mark.clause("13.1-vp3", "13.1-vp4", "13.2-vp6", "13.2-vp8", "13.3-vp4", "13.4-vp5", "13.5-vp10")
@pytest.mark.parametrize(
    ("scenario", "unit", "clause", "each"),
    [
        ("cedar-mountain", "ricketts", "13.1-vp3", 1), ("cedar-mountain", "ewell-a", "13.1-vp4", -1),
        ("lee-vs-pope", "ricketts", "13.2-vp6", 2), ("lee-vs-pope", "hood", "13.2-vp8", -2),
        ("stuarts-raid", "md-1", "13.3-vp4", 1), ("stuarts-raid", "f-lee", "13.3-vp4", -1),
        ("jacksons-march", "king", "13.4-vp5", 1), ("jacksons-march", "ap-hill", "13.4-vp5", -1),
        ("to-bull-run", "king", "13.5-vp10", 1), ("to-bull-run", "hood", "13.5-vp10", -1),
    ],
)  # fmt: skip
def test_manpower_lost_in_fights_scores_and_on_marches_not(
    campaign: Campaign, scenario: str, unit: str, clause: str, each: int
) -> None:
    s = campaign(scenario, turn=2)
    s.manpower[unit] = 12
    before = points(s, clause)
    run(harm.suffer(s, [unit], 3, "std-7.5-2"))
    assert points(s, clause) - before == 3 * each
    run(harm.lose(s, unit, 2, "std-5.1-8", counted=False))
    s.tire(unit, 4)
    run(march.strain(s, unit), [6])
    s.disorganise(unit)
    run(harm.disorganise(s, unit, "std-2.4-9", price=True))
    assert points(s, clause) - before == 3 * each


@pytest.mark.clause("13.3-vp4")
def test_losses_of_both_sides_cancel(campaign: Campaign) -> None:
    s = campaign("stuarts-raid")
    s.lost = {"union": 1, "confederate": 1}
    assert points(s, "13.3-vp4") == 0
    s.lost = {"union": 3, "confederate": 1}
    assert points(s, "13.3-vp4") == 2


def test_every_line_is_told_with_its_points(board_of: Boards, campaign: Campaign) -> None:
    for name in (*SCENARIOS, *CAMPAIGNS):
        s = campaign(name)
        for item in victory.items(s):
            assert scoring.told(s, item).startswith(f"{item.points:+d} for ")
        assert victory.total(s) == sum(item.points for item in victory.items(s))


@pytest.mark.parametrize(
    ("lost", "found"),
    [
        (1, "Confederate score of 1 as things stand, Union decisive victory"),
        (-1, "Confederate score of -1 as things stand, Union decisive victory"),
        (8, "Confederate score of 8 as things stand, Confederate substantial victory"),
    ],
)
def test_the_score_is_told_as_it_stands_and_at_the_end_as_it_is(campaign: Campaign, lost: int, found: str) -> None:
    s = campaign("stuarts-raid")
    s.lost = {"union": max(lost, 0), "confederate": max(-lost, 0)}
    assert victory.score(s) == found
    victory.judge(s)
    assert victory.score(s) == found.replace(" as things stand", "")
    ended = victory.outcome(s)
    assert ended is not None
    assert ended.reason == f"a {victory.score(s)}".replace(", ", ": ")


def test_stations_that_score_are_named(campaign: Campaign) -> None:
    def told_of(s: State, clause: str) -> str:
        return next(scoring.told(s, item) for item in victory.items(s) if item.line.clause == clause)

    s = campaign("stuarts-raid")
    assert told_of(s, "13.3-vp1") == "+0 for no station damaged or destroyed"
    s.station = {s.board.parse(place): DAMAGED for place in ("S3307", "S3108")}
    catlett, warrenton = (told_of(s, clause) for clause in ("13.3-vp1", "13.3-vp2"))
    assert catlett == "+3 for the station S3307 Catlett's Station damaged or destroyed"
    assert warrenton == "+3 for the station S3108 Warrenton Junction damaged or destroyed"
    s = campaign("to-bull-run")
    s.station = {s.board.parse("N4422"): DESTROYED, s.board.parse("N5020"): DESTROYED, s.board.parse("N5220"): DAMAGED}
    assert told_of(s, "13.5-vp1") == "+20 for the stations N4422 Bull Run Bridge and N5020 Fairfax Station destroyed"
    assert told_of(s, "13.5-vp4").startswith("+6 for the station N5220 ")


# --- Cedar Mountain ---------------------------------------------------------------------------------------------------


@pytest.mark.clause("13.1-vp1", "13.1-vp2c")
def test_infantry_in_culpeper_scores_8_and_no_distance(campaign: Campaign) -> None:
    s = campaign("cedar-mountain", {"crawford": "S0101 4", "ewell-a": "S1418 8", "winder": "S1419 8"})
    assert (points(s, "13.1-vp1"), points(s, "13.1-vp2")) == (8, 0)
    s.put("ewell-a", s.board.parse("S0333"))
    assert (points(s, "13.1-vp1"), points(s, "13.1-vp2")) == (0, 5), "Winder beside it"
    s = campaign("cedar-mountain", {"crawford": "S0101 4", "robertson": "S1418 3", "jackson": "S1418"})
    assert points(s, "13.1-vp1") == 0, "cavalry and a leader"


@pytest.mark.clause("13.1-vp2", "13.1-vp2b")
@pytest.mark.parametrize(("far", "expected"), [(1, 5), (2, 4), (3, 4), (4, 3), (5, 3), (6, 2), (7, 2), (8, 1), (9, 1),
                                               (10, 0), (13, 0)])  # fmt: skip
def test_the_nearest_infantry_scores_by_its_distance(campaign: Campaign, far: int, expected: int) -> None:
    s = campaign("cedar-mountain")
    culpeper = s.board.parse("S1418")
    spot = next(h for h in sorted(s.board.ground.near) if distance(h, culpeper) == far and h not in s.stands)
    gone(s, *(unit for unit in confederates(s) if unit not in ("ewell-a", "winder", "robertson")))
    s.put("robertson", next(h for h in s.board.ground.near[culpeper] if h not in s.stands))
    s.put("ewell-a", spot)
    s.put("winder", spot)
    assert points(s, "13.1-vp2") == expected, "once, cavalry nearer or not"
    assert points(s, "13.1-vp1") == 0


@pytest.mark.clause("13.1-vp2")
def test_without_infantry_no_distance_scores(campaign: Campaign) -> None:
    s = campaign("cedar-mountain")
    gone(s, *(unit for unit in confederates(s) if s.board.units[unit].infantry))
    assert points(s, "13.1-vp2") == points(s, "13.1-vp1") == 0


@pytest.mark.clause("13.1-vp5", "13.1-vp3")
@pytest.mark.parametrize(("lost", "total"), [(0, -2), (1, -1), (2, 2), (3, 3)])
def test_few_union_losses_take_2(campaign: Campaign, lost: int, total: int) -> None:
    s = campaign("cedar-mountain")
    s.lost["union"] = lost
    assert points(s, "13.1-vp3") + points(s, "13.1-vp5") == total


@pytest.mark.clause("13.1-vic")
def test_the_bands_of_cedar_mountain(campaign: Campaign) -> None:
    bands(campaign("cedar-mountain"), (30, "CSA decisive"), (7, "CSA decisive"), (6, "CSA substantial"),
          (5, "CSA substantial"), (4, "CSA marginal"), (3, "CSA marginal"), (2, "Union marginal"),
          (1, "Union marginal"), (0, "Union substantial"), (-1, "Union substantial"), (-2, "Union decisive"),
          (-30, "Union decisive"))  # fmt: skip


# --- Lee vs. Pope -----------------------------------------------------------------------------------------------------

OBJECTIVES = ["S1418", "S2403", "S2414", "S2612", "S3108", "S3307", "S3703", "S4101"]


@pytest.mark.clause("13.2-sp5a")
def test_eight_hexes_start_as_objectives_of_nobody(campaign: Campaign, board_of: Boards) -> None:
    s = campaign("lee-vs-pope")
    assert sorted(s.board.label[h] for h in s.board.objectives) == OBJECTIVES
    assert not s.controlled
    for name in ("cedar-mountain", "stuarts-raid", "jacksons-march", "to-bull-run"):
        assert not board_of(name).objectives


@pytest.mark.clause("13.2-sp5b", "13.2-sp5c", "13.2-sp5d")
def test_infantry_flips_an_objective_and_it_stays_so(campaign: Campaign) -> None:
    s = campaign("lee-vs-pope")
    h = s.board.parse("S2414")

    def enters(unit: str) -> bool:
        s.put(unit, h)
        found = run(entered(s, [unit], h))
        s.put(unit, s.board.parse("S0101"))
        return bool(told(found, "control"))

    for unit, flips, controlled in (
        ("king", False, False), ("f-lee", False, False), ("hood", True, True), ("hood", False, True),
        ("buford", False, True), ("king", True, False), ("king", False, False), ("hood", True, True),
    ):  # fmt: skip
        assert enters(unit) == flips, unit
        assert ("S2414" in s.controlled) == controlled, unit
    assert not run(entered(s, ["hood"], s.board.parse("S2413")))


@pytest.mark.clause("13.2-sp5b")
def test_a_march_through_an_objective_flips_it(campaign: Campaign) -> None:
    s = campaign("lee-vs-pope")
    way = ("S3208", "S3108", "S3008")
    s.put("hood", s.board.parse(way[0]))
    s.fatigue.pop("hood", None)
    for h in s.board.ground.near[s.board.parse("S3108")]:
        gone(s, *s.units_in(h, "union"))
    path = tuple(map(s.board.parse, way[1:]))
    assert may_march.why_not(s, "confederate", March("hood", path)) is None
    run(march.carry_out(s, March("hood", path)), [6])
    assert s.controlled == {"S3108"}


@pytest.mark.clause("13.2-vp1", "13.2-vp1b", "13.2-vp2")
@pytest.mark.parametrize(
    ("controlled", "forty", "seventeen"),
    [
        ("", 0, 0), ("S3703", 40, 0), ("S4101", 40, 0), ("S3703 S4101", 40, 0), ("S3703 S2414", 40, 0),
        ("S2414", 0, 17),
        ("S2612", 0, 17), ("S3108", 0, 17), ("S3307", 0, 17), ("S2414 S2612 S3108 S3307", 0, 17),
        ("S2414 S4101", 40, 0), ("S2403", 0, 0), ("S1418", 0, 0),
    ],
)  # fmt: skip
def test_control_of_the_railroad(campaign: Campaign, controlled: str, forty: int, seventeen: int) -> None:
    s = campaign("lee-vs-pope")
    s.controlled.update(controlled.split())
    assert (points(s, "13.2-vp1"), points(s, "13.2-vp2")) == (forty, seventeen)


@pytest.mark.clause("13.2-vp1b", "13.2-vp5")
def test_40_points_leave_those_for_damage(campaign: Campaign) -> None:
    s = campaign("lee-vs-pope")
    s.controlled.update({"S3703", "S2414"})
    stations(s, DAMAGED, "S2414")
    assert scored(s) == {"13.2-vp1": 40, "13.2-vp5": 3}


@pytest.mark.clause("13.2-vp3", "13.2-vp4")
def test_warrenton_and_culpeper(campaign: Campaign) -> None:
    for label, clause, expected in (("S2403", "13.2-vp3", 15), ("S1418", "13.2-vp4", 3)):
        s = campaign("lee-vs-pope")
        assert points(s, clause) == 0
        s.controlled.add(label)
        assert scored(s) == {clause: expected}


@pytest.mark.clause("13.2-vp5")
def test_damage_at_seven_stations(campaign: Campaign) -> None:
    s = campaign("lee-vs-pope")
    stations(s, DAMAGED, "S2612")
    stations(s, DESTROYED, "S3108")
    assert points(s, "13.2-vp5") == 6
    stations(s, DAMAGED, "S2403")
    assert points(s, "13.2-vp5") == 6, "Warrenton is none of them"
    stations(s, DAMAGED, *(set(OBJECTIVES) - {"S2403"}))
    assert points(s, "13.2-vp5") == 21


@pytest.mark.clause("13.2-vp7", "13.2-vp9")
def test_routs_of_infantry(campaign: Campaign) -> None:
    for option, expected in (("minus", -2), ("plus", 2)):
        s = campaign("lee-vs-pope", options={"rout-of-confederates": option})
        s.routs = {"union": 2, "confederate": 1}
        assert points(s, "13.2-vp7") == 4
        assert points(s, "13.2-vp9") == expected, "2 as printed, -2 as it must be meant"


@pytest.mark.clause("13.2-vic")
def test_the_bands_of_lee_vs_pope(campaign: Campaign) -> None:
    bands(campaign("lee-vs-pope"), (86, "CSA decisive"), (85, "CSA substantial"), (60, "CSA substantial"),
          (59, "CSA marginal"), (34, "CSA marginal"), (33, "Union marginal"), (9, "Union marginal"),
          (8, "Union substantial"), (-16, "Union substantial"), (-17, "Union decisive"))  # fmt: skip


# --- Stuart's raid ----------------------------------------------------------------------------------------------------


@pytest.mark.clause("13.3-vp1", "13.3-vp2")
@pytest.mark.parametrize(("label", "clause"), [("S3307", "13.3-vp1"), ("S3108", "13.3-vp2")])
def test_damage_by_stuart(campaign: Campaign, label: str, clause: str) -> None:
    for state, expected in ((0, 0), (DAMAGED, 3), (DESTROYED, 3)):
        s = campaign("stuarts-raid")
        stations(s, state, label)
        assert scored(s) == ({clause: expected} if expected else {})


@pytest.mark.clause("13.3-vp3")
@pytest.mark.parametrize(("label", "expected"), [("S1905", 2), ("S2007", 2), ("S1906", 0), ("S2006", 0)])
def test_f_lee_ends_beyond_the_river(campaign: Campaign, label: str, expected: int) -> None:
    s = campaign("stuarts-raid")
    h = s.board.parse(label)
    gone(s, *s.units_in(h, "union"))
    s.put("f-lee", h)
    assert points(s, "13.3-vp3") == expected
    gone(s, "f-lee")
    s.put("stuart", h)
    assert points(s, "13.3-vp3") == 0, "not his leader"


@pytest.mark.clause("13.3-vic")
def test_the_bands_of_stuart_s_raid(campaign: Campaign) -> None:
    bands(campaign("stuarts-raid"), (10, "CSA decisive"), (9, "CSA substantial"), (8, "CSA substantial"),
          (7, "CSA marginal"), (6, "Union marginal"), (5, "Union substantial"), (4, "Union substantial"),
          (3, "Union decisive"))  # fmt: skip


# --- Jackson's march --------------------------------------------------------------------------------------------------

THREE = ("ewell-b", "ap-hill", "taliaferro")
TOWNS = ("N3720", "N3421", "N3220")


def around(s: State, *labels: str) -> set[str]:
    """The numbers of these hexes and of all beside them."""
    hexes = [s.board.parse(label) for label in labels]
    return {s.board.label[h] for h in s.board.ground.near if any(distance(h, town) <= 1 for town in hexes)}


@pytest.mark.clause("13.4-vp1", "13.4-vp4")
def test_stations_of_jackson_s_march(campaign: Campaign) -> None:
    for label in ("N4422", "N4124", "N3726"):
        for state, expected in ((DAMAGED, {}), (DESTROYED, {"13.4-vp1": 3})):
            s = campaign("jacksons-march")
            stations(s, state, label)
            assert scored(s) == expected
    for label in ("N4721", "N5020", "N5220"):
        for state in (DAMAGED, DESTROYED):
            s = campaign("jacksons-march")
            stations(s, state, label)
            assert scored(s) == {"13.4-vp4": 1}
    s = campaign("jacksons-march")
    stations(s, DESTROYED, "N5620", "N3131")
    assert not scored(s)


@pytest.mark.clause("13.4-vp2", "13.4-vp3")
def test_three_divisions_at_the_towns(campaign: Campaign) -> None:
    """Example: two for each, one more for all three."""
    for count, expected in ((0, {}), (1, {"13.4-vp2": 2}), (2, {"13.4-vp2": 4}), (3, {"13.4-vp2": 6, "13.4-vp3": 1})):
        s = campaign("jacksons-march", dict(zip(THREE[:count], ("N3720", "N3421", "N3219"), strict=False)))
        assert scored(s) == expected
    s = campaign("jacksons-march", {"f-lee": "N3720", "va-2": "N3421"})
    assert not scored(s), "cavalry"
    s = campaign("jacksons-march", dict.fromkeys(THREE, "N3720"))
    gone(s, "ewell-b")
    assert scored(s) == {"13.4-vp2": 4}, "the bonus asks for all three"


@pytest.mark.clause("13.4-vp2")
def test_in_or_beside_a_town_and_once_for_a_division(campaign: Campaign) -> None:
    s = campaign("jacksons-march")
    near = around(s, *TOWNS)
    both = around(s, "N3421") & around(s, "N3220")
    assert both
    for label in sorted(near | around(s, *near)):
        s.put("ewell-b", s.board.parse(label))
        fairfax = s.board.map.region.get(s.board.parse(label)) == "Fairfax"
        assert points(s, "13.4-vp2") == (2 if label in near else 0), label
        assert points(s, "13.4-vp6") == (-3 if fairfax else 0)


@pytest.mark.clause("13.4-vp6")
def test_divisions_in_fairfax_county_cost_3(campaign: Campaign) -> None:
    for units, expected in (
        ({"ewell-b": "N4318"}, -3), ({"ewell-b": "N3720"}, 0), ({"f-lee": "N4318"}, 0),
        ({"ewell-b": "N4318", "ap-hill": "N4318"}, -6),
    ):  # fmt: skip
        assert points(campaign("jacksons-march", units), "13.4-vp6") == expected


@pytest.mark.clause("13.4-vic")
def test_the_bands_of_jackson_s_march(campaign: Campaign) -> None:
    bands(campaign("jacksons-march"), (18, "CSA decisive"), (17, "CSA substantial"), (15, "CSA substantial"),
          (14, "CSA marginal"), (11, "CSA marginal"), (10, "Union marginal"), (8, "Union marginal"),
          (7, "Union substantial"), (5, "Union substantial"), (4, "Union decisive"))  # fmt: skip


# --- to Bull Run ------------------------------------------------------------------------------------------------------

RAIL = {
    ("N4422", "N4721", "N5020", "N5220", "N5620"): ("13.5-vp1", 10, "13.5-vp4", 6),
    ("N3726", "N4124"): ("13.5-vp2", 8, "13.5-vp5", 5),
    ("N3131", "N3330"): ("13.5-vp3", 6, "13.5-vp6", 3),
}
AREAS = {
    ("N3220", "N3421", "N3720"): ("13.5-vp7", 2),
    ("N4124", "N4422", "N3726", "N4318"): ("13.5-vp8", 4),
    ("N4721", "N5020", "N5220", "N5620"): ("13.5-vp9", 6),
}


@pytest.mark.clause("13.5-vp1", "13.5-vp2", "13.5-vp3", "13.5-vp4", "13.5-vp5", "13.5-vp6")
def test_stations_to_bull_run(campaign: Campaign) -> None:
    for labels, (destroyed, more, damaged, less) in RAIL.items():
        for label in labels:
            s = campaign("to-bull-run")
            stations(s, DAMAGED, label)
            assert scored(s) == {damaged: less}
            stations(s, DESTROYED, label)
            assert scored(s) == {destroyed: more}
        stations(s, DESTROYED, *labels)
        assert scored(s) == {destroyed: more * len(labels)}
        stations(s, DAMAGED, labels[0])
        assert scored(s) == {destroyed: more * (len(labels) - 1), damaged: less}
    s = campaign("to-bull-run")
    stations(s, DESTROYED, "N5819")
    assert not scored(s)


@pytest.mark.clause("13.5-vp7", "13.5-vp8", "13.5-vp9")
def test_infantry_in_or_beside_the_places_scores_once(campaign: Campaign) -> None:
    s = campaign("to-bull-run")
    areas = [around(s, *labels) for labels in AREAS]
    assert all(not one & other for i, one in enumerate(areas) for other in areas[:i]), "no hex scores twice"
    for area, (clause, each) in zip(areas, AREAS.values(), strict=True):
        edge = around(s, *area) - area
        for label in sorted(area | edge):
            s.put("evans", s.board.parse(label))
            assert points(s, clause) == (each if label in area else 0), label
        inside = sorted(area)[0]
        found = campaign("to-bull-run", {"evans": inside, "hood": inside, "f-lee": inside, "lee": inside})
        assert scored(found) == {clause: 2 * each}, "a brigade and a division; no cavalry, no leader"


@pytest.mark.clause("13.5-vp10")
def test_mixed_losses_to_bull_run(campaign: Campaign) -> None:
    s = campaign("to-bull-run")
    for unit, fought, marched in (("king", 5, 2), ("hood", 3, 2)):
        run(harm.suffer(s, [unit], fought, "std-7.5-2"))
        run(harm.lose(s, unit, marched, "std-5.1-8", counted=False))
    assert scored(s) == {"13.5-vp10": 2}


@pytest.mark.clause("13.5-vp11")
def test_routs_to_bull_run(campaign: Campaign) -> None:
    s = campaign("to-bull-run")
    s.routs = {"union": 3, "confederate": 1}
    assert scored(s) == {"13.5-vp11": 2}


@pytest.mark.clause("13.5-vic")
def test_the_bands_to_bull_run(campaign: Campaign) -> None:
    bands(campaign("to-bull-run"), (92, "CSA decisive"), (91, "CSA substantial"), (70, "CSA substantial"),
          (69, "CSA marginal"), (47, "CSA marginal"), (46, "Union marginal"), (24, "Union marginal"),
          (23, "Union substantial"), (2, "Union substantial"), (1, "Union decisive"))  # fmt: skip


# --- the depot (13.5-sp5) ---------------------------------------------------------------------------------------------


@pytest.mark.clause("13.5-sp5a")
def test_confederates_enter_the_depot_s_hex_when_no_union_unit_is_there(campaign: Campaign) -> None:
    for units, clause in (({}, ""), ({"waagner": "N4124"}, "std-2.2-7")):
        s = campaign("to-bull-run", {"ewell-b": "N4024", **units}, turn=2)
        assert s.depots == {"N4124"}
        found = may_march.why_not(s, "confederate", March("ewell-b", (s.board.parse("N4124"),)))
        assert (found.clause if found is not None else "") == clause


@pytest.mark.clause("13.5-sp5b", "13.5-vp12")
@pytest.mark.parametrize("unit", ["ewell-b", "va-2"])
def test_a_raid_on_manassas_junction_destroys_the_depot(campaign: Campaign, unit: str) -> None:
    s = campaign("to-bull-run", {unit: "N4124"}, turn=2)
    assert points(s, "13.5-vp12") == 0
    found = run(raid.carry_out(s, Raid(unit)))
    assert told(found, "depot-destroyed")
    assert not s.depots
    assert points(s, "13.5-vp12") == 3
    s.station.clear()
    assert points(s, "13.5-vp12") == 3, "whatever becomes of the station"
    s = campaign("to-bull-run", {unit: "N3726"}, turn=2)
    run(raid.carry_out(s, Raid(unit)))
    assert s.depots == {"N4124"}, "a raid elsewhere"


@pytest.mark.clause("13.5-sp5c")
def test_a_depot_is_no_unit(campaign: Campaign) -> None:
    from pbem.errors import MalformedOrder
    from pbem.rules.gcacw.zones import zone

    s = campaign("to-bull-run", turn=2)
    h = s.board.parse("N4124")
    assert s.holder(h) is None
    assert not s.units_in(h, "union")
    assert not any(h in by for by in zone(s, "union").values())
    for words in (("march", "depot", "N4123"), ("entrench", "depot")):
        with pytest.raises(MalformedOrder):
            gcacw.read_order(s.board, "union", words)


def test_the_kinds_of_lines_are_all_in_use(board_of: Boards) -> None:
    used: set[Any] = set()
    for name in (*SCENARIOS, *CAMPAIGNS):
        used |= {line.kind for line in board_of(name).victory.lines}
    assert used == set(victory.KINDS)
