"""Components, numbers of hexes and set-ups (1.0, 2, 13.0, 22.0): what the shipped files say."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from rules.field import Battle
from rules.gcacw.activities import play
from rules.gcacw.conftest import SCENARIOS

from pbem.errors import AmbiguousOrder, MalformedOrder
from pbem.match.game import Game
from pbem.rules import gcacw
from pbem.rules.gcacw.board import Board
from pbem.rules.gcacw.orders import DONE
from pbem.rules.gcacw.state import State
from pbem.rules.gcacw.wording import read_order
from pbem.rules.requests import Choose, Roll
from pbem.scenario import load_scenario

Boards = Callable[[str], Board]
Campaign = Callable[..., State]
Fields = Callable[..., Battle]

VALUES = {
    "sigel": "2-4", "pope": "--4", "banks": "3-5", "reno": "3-6", "mcdowell": "3-5", "porter": "3-6",
    "heintzelman": "3-6", "sumner": "3-6", "franklin": "3-6", "buford": "1-0", "bayard": "1-0", "beardsley": "1-0",
    "scammon": "1-0", "moor": "1-2", "whipple": "1-1", "sturgis": "1-1", "casey": "1-1", "ri-1": "0-0", "me-1": "0-0",
    "ny-6": "0-0", "in-3": "0-0", "md-1": "0-0", "ny-4": "0-0", "waagner": "1-1", "schurz": "1-3", "schenck": "1-2",
    "steinwehr": "1-1", "milroy": "1-1", "augur": "2-4", "williams-a": "2-2", "greene": "2-4", "williams-b": "2-4",
    "crawford": "1-2", "richardson": "2-4", "sedgwick": "2-2", "kimball": "1-0", "ricketts": "2-3", "king": "2-4",
    "kearny": "2-3", "hooker": "2-4", "ferrero": "2-2", "stevens": "2-2", "parke": "1-4", "reynolds": "2-4",
    "morell": "2-4", "sykes": "2-4", "piatt": "1-0", "slocum": "2-4", "smith": "2-3", "taylor": "1-0",
    "jackson": "4-7", "stuart": "3-6", "lee": "--5", "longstreet": "4-6", "robertson": "2-1", "f-lee": "2-1",
    "hampton": "2-1", "va-2": "1-0", "ap-hill": "3-4", "ewell-a": "3-2", "winder": "3-2", "taliaferro": "3-4",
    "ewell-b": "3-3", "gregg": "2-0", "lawton": "2-0", "dr-jones": "3-2", "wilcox": "3-2", "kemper": "3-2",
    "hood": "3-2", "anderson": "3-4", "mclaws": "3-4", "dh-hill": "3-3", "walker": "3-2", "evans": "3-1",
    "ripley": "3-1",
}  # fmt: skip
"""Counter -> tactical value and artillery, of leaders command value; typed a second time."""

SPELT = {
    "anderson": "Andersn",
    "heintzelman": "Heintzelmn",
    "longstreet": "Lngstreet",
    "mcdowell": "McDowl",
    "richardson": "Richrdson",
    "sedgwick": "Sedgwck",
    "steinwehr": "Steinwhr",
    "taliaferro": "Taliafero",
    "williams-b": "William",
}
"""Counter -> how the rulebook's counters spell it; McClellan, Pleasonton and Purnell Legion aren't in these battles."""

TURNS = {"cedar-mountain": 3, "lee-vs-pope": 5, "stuarts-raid": 3, "jacksons-march": 3, "to-bull-run": 7}
DATES = {
    "cedar-mountain": "8 to 10 August 1862",
    "lee-vs-pope": "18 to 22 August 1862",
    "stuarts-raid": "22 to 24 August 1862",
    "jacksons-march": "26 to 28 August 1862",
    "to-bull-run": "25 to 31 August 1862",
}
TIRED = {
    "jacksons-march": {"morell", "ewell-b", "ap-hill", "taliaferro"},
    "to-bull-run": {
        "dr-jones", "hood", "wilcox", "kemper", "evans", "anderson", "buford", "reynolds", "ricketts", "king", "bayard",
        "beardsley", "schenck", "steinwehr", "milroy", "schurz", "greene", "williams-b",
    },
}  # fmt: skip
"""Scenario -> who begins at fatigue 2."""


# --- counters ---------------------------------------------------------------------------------------------------------


@pytest.mark.clause("std-2.2-2", "2.6-1", "13.0-7")
def test_every_counter_has_its_printed_values(board_of: Boards) -> None:
    for name in SCENARIOS:
        for unit in board_of(name).units.values():
            printed = "2-0" if (name, unit.id) == ("stuarts-raid", "f-lee") else VALUES[unit.id]  # 13.3-sp4
            assert unit.values == printed
            assert (unit.tactical is None) == (unit.size == "army")
    assert {unit for name in SCENARIOS for unit in board_of(name).units} == {*VALUES}


@pytest.mark.clause("std-2.2-1", "1.0-1", "1.0-2")
def test_leaders_have_no_manpower_and_units_one_at_least(board_of: Boards, campaign: Campaign) -> None:
    for name in SCENARIOS:
        b, s = board_of(name), campaign(name)
        for unit in b.units.values():
            sizes = ("corps", "army") if unit.leader else ("division", "brigade", "regiment")
            assert unit.size in sizes
            if unit.id in s.at:
                assert (s.manpower.get(unit.id, 0) >= 1) == (not unit.leader)


@pytest.mark.clause("1.0-2", "std-7.5-2")
def test_who_has_no_manpower_left_is_off_the_map(campaign: Campaign) -> None:
    s = campaign("lee-vs-pope")
    assert s.lose("va-2", 3, counted=False) == 1
    assert "va-2" not in s.at
    assert "va-2" not in s.manpower
    assert s.removed == {"va-2": 1}
    assert s.lose("hood", 7, counted=False) == 7
    assert s.manpower["hood"] == 1


@pytest.mark.clause("std-2.2-1")
def test_no_leader_is_named_where_a_unit_is_needed(game: Fields) -> None:
    b = game("cedar-mountain", turn=2, choice="union")
    assert b.refused("march banks S0814") == "std-2.2-1"
    assert b.refused("raid banks") == "std-2.2-1"
    assert b.refused("activate banks march pope") == "std-2.2-1"
    b = game("cedar-mountain", phase="union-recovery")
    b.do("")
    assert b.refused("entrench banks") == "std-9.0-1"


@pytest.mark.clause("2.6-2")
def test_the_spelling_of_the_counters_and_the_full_name_are_one_counter(board_of: Boards) -> None:
    b = board_of("to-bull-run")
    for unit, spelt in SPELT.items():
        side = b.units[unit].side
        for called in (unit, b.units[unit].name, spelt, spelt.lower(), b.units[unit].short.lower()):
            order = read_order(b, side, ("march", called.lower(), "N2227"))
            assert order == read_order(b, side, ("march", unit, "N2227")), called
    with pytest.raises(MalformedOrder) as caught:
        read_order(b, "confederate", ("march", "lngstret", "N2227"))
    assert "longstreet" in str(caught.value)


@pytest.mark.clause("2.6-2")
@pytest.mark.parametrize(
    ("words", "unit"),
    [
        ("a.p. hill", "ap-hill"),
        ("A.P. Hill", "ap-hill"),
        ("ap hill", "ap-hill"),
        ("D.R. Jones", "dr-jones"),
        ("jones", "dr-jones"),
        ("f. lee", "f-lee"),
        ("F. Lee", "f-lee"),
        ("2 va", "va-2"),
        ("lee", "lee"),
        ("ewell", "ewell-b"),
        ("talia", "taliaferro"),
    ],
)
def test_names_of_several_words_are_read(board_of: Boards, words: str, unit: str) -> None:
    b = board_of("to-bull-run")
    typed = ("march", *words.lower().split(), "N1829")
    assert read_order(b, "confederate", typed) == read_order(b, "confederate", ("march", unit, "N1829"))


def test_a_word_that_fits_several_is_told_with_all(board_of: Boards) -> None:
    with pytest.raises(AmbiguousOrder) as caught:
        read_order(board_of("to-bull-run"), "confederate", ("march", "hill", "N1829"))
    assert "ap-hill" in str(caught.value)
    assert "dh-hill" in str(caught.value)


@pytest.mark.clause("13.0-6", "2.6-1")
def test_union_counters_are_of_the_army_of_virginia_unless_the_set_up_says_otherwise(board_of: Boards) -> None:
    b = board_of("to-bull-run")
    army = {unit.id: unit.army for unit in b.units.values()}
    assert {army[unit] for unit in ("reno", "stevens", "ferrero", "king", "buford", "waagner")} == {"AV"}
    assert {army[unit] for unit in ("porter", "morell", "sykes", "kearny", "franklin", "sumner", "taylor")} == {"AP"}
    assert {unit.army for unit in b.units.values() if unit.side == "confederate"} == {"ANV"}


@pytest.mark.clause("13.0-7")
def test_two_counters_of_williams_and_ewell_are_never_in_one_game(board_of: Boards) -> None:
    for name in SCENARIOS:
        ids = {unit for unit in board_of(name).units if unit.startswith(("williams", "ewell"))}
        expected = {"cedar-mountain": {"williams-a", "ewell-a"}, "stuarts-raid": set[str]()}
        assert ids == expected.get(name, {"williams-b", "ewell-b"})


# --- set-up -----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("13.0-1", "13.4-su1", "13.5-sp3b", "13.5-sp4a")
def test_every_unit_begins_rested_and_organised_but_for_those_named(campaign: Campaign) -> None:
    for name in SCENARIOS:
        s = campaign(name)
        assert s.fatigue == dict.fromkeys(TIRED.get(name, ()), 2)
        assert (s.disorganised, s.demoralised, s.works) == (set(), {}, {})


@pytest.mark.clause("13.0-2", "13.1-map", "13.2-map", "13.3-map", "13.4-map", "13.5-map", "1.0-1")
@pytest.mark.parametrize("name", SCENARIOS)
def test_a_turn_is_a_day_and_no_turn_follows_the_last(campaign: Campaign, board_of: Boards, name: str) -> None:
    turns = TURNS[name]
    assert board_of(name).turns == turns
    date = load_scenario(name).data["scenario"]["date"]
    assert date == DATES[name]
    first, last = (int(word) for word in date.split()[:3:2])
    assert last - first + 1 == turns
    s = campaign(name, turn=turns, phase="confederate-recovery")
    request, _ = play(s, [DONE] if not s.board.no_works else [])
    assert request is None
    assert s.ended is not None
    assert s.turn == turns


@pytest.mark.clause("13.0-3")
def test_nobody_wins_before_the_last_turn_is_over(campaign: Campaign) -> None:
    s = campaign("cedar-mountain", {"ap-hill": "S1418", "crawford": "S1415"}, turn=2, phase="confederate-recovery")
    play(s, [DONE])
    assert (s.ended, s.turn) == (None, 3)
    s = campaign("cedar-mountain", {"ap-hill": "S1418", "crawford": "S1415"}, turn=3, phase="confederate-recovery")
    play(s, [DONE])
    assert s.ended is not None
    assert (s.ended.points, s.ended.winner) == (6, "confederate")  # 8 for Culpeper, 2 for the Union's few losses


# --- hexes ------------------------------------------------------------------------------------------------------------


@pytest.mark.clause("13.0-4", "13.1-map", "13.2-map", "13.3-map", "13.4-map", "13.5-map")
def test_the_basic_battles_are_on_one_sheet_each(board_of: Boards) -> None:
    for name, sheet in zip(SCENARIOS, "SSSNN", strict=True):
        b = board_of(name)
        assert {number[0] for number in b.label.values()} == {sheet}
        other = "N0101" if sheet == "S" else "S0130"
        with pytest.raises(MalformedOrder) as caught:
            b.parse(other)
        assert "is only on sheet" in str(caught.value)


@pytest.mark.clause("13.0-5")
def test_a_number_has_the_letter_of_its_sheet(board_of: Boards) -> None:
    """With example 7."""
    b = board_of("cedar-mountain")
    assert b.place(b.parse("S0108")) == "S0108 Sperryville"
    assert b.parse("0108") == b.parse("S0108") == b.parse("sperryville")  # one sheet is in play
    assert b.place(b.parse("s1418")) == "S1418 Culpeper"


@pytest.mark.clause("22.0-2", "13.0-5")
@pytest.mark.parametrize(("south", "north"), [("S4101", "N4124"), ("S2403", "N2426"), ("S3108", "N3131")])
def test_a_hex_of_both_sheets_has_two_names(board_of: Boards, south: str, north: str) -> None:
    """With example 8: 23 rows lie between them."""
    for name in ("lee-vs-pope", "to-bull-run"):
        b = board_of(name)
        assert b.parse(south) == b.parse(north)
        assert b.label[b.parse(south)] == (south if name == "lee-vs-pope" else north)
    assert int(north[3:]) - int(south[3:]) == 23


@pytest.mark.clause("22.0-3")
def test_the_half_hexes_of_the_north_edge_are_in_play(board_of: Boards) -> None:
    b = board_of("cedar-mountain")
    labels = set(b.label.values())
    assert {"S0101", "S5701", "S0134", "S0201"} <= labels
    assert "S0234" not in labels
    assert len(labels) > 1800
    assert len(b.ground.near[b.parse("S0101")]) == 2  # S0102 and S0201


@pytest.mark.clause("19.0-0")
def test_chatham_is_an_ordinary_bridge_for_both_sides(game: Fields, board_of: Boards) -> None:
    b = board_of("lee-vs-pope")
    step = (b.parse("S4427"), b.parse("S4328"))
    between = b.ground.between[step[0]][step[1]]
    assert (between.crossing, between.water) == ("bridge", "major_river")
    g = game("lee-vs-pope", turn=3, choice="union")
    g.state.free.update(("parke", "in-3"))
    assert g.why_not("march parke S4427 S4328") is None
    assert g.refused("march parke S4427 unbridge S4427 S4328") == "std-10.0-4"  # nobody built it
    g = game("lee-vs-pope", {"hood": "S4329", "in-3": "S5020"}, turn=3, choice="confederate")
    assert g.why_not("march hood S4328 S4427") is None


@pytest.mark.clause("2.1-1", "std-12.0-1", "14.0-0", "3.0-2")
@pytest.mark.parametrize("name", SCENARIOS)
def test_every_throw_is_of_one_or_two_dice_and_none_is_of_the_advanced_game(campaign: Campaign, name: str) -> None:
    kinds, chance = set(), random.Random(name)
    s = campaign(name, phase="union-reinforcements", opened=False)
    game = Game(gcacw, s.board, s, lambda _: None)
    while (request := game.request) is not None:
        if isinstance(request, Choose):
            game.apply(request.sample(chance))
        else:
            assert isinstance(request, Roll)
            assert (request.sides, request.dice in (1, 2)) == (6, True)
            kinds.add(request.label.split("/")[0])
            game.apply(tuple(chance.randrange(6) + 1 for _ in range(request.dice)))
    combat = {"evade", "assault", "joins", "artillery", "attack", "defence"}
    assert kinds <= {"initiative", "march", "extended", "bridge", *combat}  # no weather, events, leaders lost, forage
    assert {"initiative", "march", "extended"} <= kinds
