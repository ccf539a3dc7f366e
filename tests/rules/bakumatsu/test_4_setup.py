"""Chapter 4 and 15-1-4, preparation and set-up, on the whole map of Toba-Fushimi."""

from __future__ import annotations

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from pbem.crypto.keys import FileSigner
from pbem.desk.desk import terms_of
from pbem.errors import BadLog, BadScenario, MalformedOrder
from pbem.maps.hexes import are_adjacent
from pbem.match.compose import sign_accept, sign_offer
from pbem.match.genesis import begin
from pbem.rules import bakumatsu
from pbem.scenario import load_scenario
from pbem.wire.entry import parse_entry
from pbem.wire.turn import Turn

CODES = [
    pytest.param("shogunate", "west", "shogunate-west", 7, marks=pytest.mark.clause("15-1-4(1)1")),
    pytest.param("shogunate", "east", "shogunate-east", 10, marks=pytest.mark.clause("15-1-4(1)2a")),
    pytest.param("satcho", "west", "satsuma-west", 6, marks=pytest.mark.clause("15-1-4(2)1")),
    pytest.param("satcho", "east", "satsuma-east", 6, marks=pytest.mark.clause("15-1-4(2)2")),
    pytest.param("satcho", "choshu", "choshu", 3, marks=pytest.mark.clause("15-1-4(2)3")),
    pytest.param("satcho", "tosa", "tosa", 2, marks=pytest.mark.clause("15-1-4(2)4")),
]
"""Side, deployment code, set-up area, number of units."""


@pytest.fixture(scope="module")
def board():
    """The board of the whole battle."""
    return bakumatsu.board(load_scenario("toba-fushimi").data)


@pytest.fixture
def toba(field, board):
    """The whole battle before its set-up, with the ways of a battle on a small field."""
    battle_type = type(field(".", {"sg-1": "0101 4-3-3-4"}, phase="shogunate-move"))
    return battle_type(board, bakumatsu.start(board, {}))


def area(board, name):
    """The numbers of the hexes of a set-up area, in the order of the map file."""
    return [board.label[h] for h in board.map.areas[name]]


def coded(board, side, code):
    """The units of a side with a deployment code."""
    return [unit.id for unit in board.units.values() if (unit.side, unit.code) == (side, code)]


def parts(board, name):
    """The connected parts of a set-up area, the larger first."""
    rest, found = set(board.map.areas[name]), []
    while rest:
        part, todo = set(), [min(rest)]
        while todo:
            h = todo.pop()
            part.add(h)
            todo += [n for n in rest - part if are_adjacent(h, n)]
        found.append(sorted(part))
        rest -= part
    return sorted(found, key=len, reverse=True)


def set_up(battle, *sides):
    """Place all units of these sides, each code in its area's hexes as they come."""
    for side, code, name, _ in (param.values for param in CODES):
        if side in sides:
            units = coded(battle.board, side, code)
            for unit, number in zip(units, area(battle.board, name), strict=False):
                battle.do(f"setup {unit} {number}")


# --- 4 preparing for play


@pytest.mark.clause("4(1)")
def test_a_game_needs_a_scenario_that_exists():
    for name in ("toba-fushimi", "tabaruzaka"):
        assert load_scenario(name).id == name
    with pytest.raises(BadScenario, match="kumamoto"):
        load_scenario("kumamoto")


@pytest.mark.clause("4(1)")
def test_a_battle_has_two_different_sides(field_data):
    data = field_data(". .", {"sg-1": "0101 4-3-3-4"})
    assert [side.id for side in bakumatsu.board(data).sides] == ["shogunate", "satcho"]
    data["scenario"]["sides"][1]["id"] = "shogunate"
    with pytest.raises(BadScenario, match=r"scenario\.sides"):
        bakumatsu.board(data)
    del data["scenario"]["sides"][1]
    with pytest.raises(BadScenario, match=r"scenario\.sides: there are 1"):
        bakumatsu.board(data)


@pytest.mark.clause("4(1)")
def test_each_side_has_one_player():
    def entry(name, side, offer=None):
        signer = FileSigner(Ed25519PrivateKey.from_private_bytes(name.encode().ljust(32, b".")))
        words = (signer, name, side, terms_of(load_scenario("toba-fushimi"), {}), name.encode().ljust(16, b"."))
        return sign_accept(Turn.of(offer), *words, bytes(16)).block if offer else sign_offer(*words).block

    offer = entry("anna", "shogunate")
    right, wrong = (parse_entry(entry("ben", side, offer).payload) for side in ("satcho", "shogunate"))
    players = begin(parse_entry(offer.payload), right, bytes(32)).players
    assert {player.side: player.name for player in players} == {"shogunate": "anna", "satcho": "ben"}
    with pytest.raises(BadLog, match="both players take the side shogunate"):
        begin(parse_entry(offer.payload), wrong, bytes(32))


@pytest.mark.clause("4(2)")
def test_units_of_another_battle_cannot_be_set_up(toba):
    with pytest.raises(MalformedOrder, match="gov-01"):
        toba.order("setup gov-01 1209")
    assert toba.why_not("setup sg-01 1209") is None


@pytest.mark.clause("4(3)a", "15-1-4(0)")
def test_the_set_up_is_over_when_all_units_stand_and_not_before(toba):
    assert toba.refused("done") == "15-1-4(0)"
    set_up(toba, "shogunate")
    assert (toba.phase, toba.request.side) == ("start", "satcho")
    assert toba.refused("done") == "15-1-4(0)"
    set_up(toba, "satcho")
    assert toba.phase == "shogunate-move"
    assert len(toba.state.stands["shogunate"]) == 17
    assert len(toba.state.stands["satcho"]) == 17
    assert all(toba.words(unit) - {"artillery"} == {"normal"} for unit in toba.state.at)


@pytest.mark.clause("4(3)b", "15-1-4(1)3")
def test_reinforcements_are_not_set_up_but_wait_together_in_a_cup(toba, board):
    waiting = coded(board, "shogunate", "R")
    assert len(waiting) == 16
    assert list(toba.state.cups["shogunate"]) == sorted(waiting)
    assert toba.state.cups["satcho"] == ()
    for unit in waiting:
        assert toba.refused(f"setup {unit} 1209") == "4(3)b"
        assert toba.at(unit) is None
    assert not any(word in waiting for order in toba.options() for word in order.split())
    set_up(toba, "shogunate", "satcho")
    assert list(toba.state.cups["shogunate"]) == sorted(waiting)
    assert toba.phase == "shogunate-move"


@pytest.mark.clause("4(4)")
def test_the_markers_stand_on_turn_1_and_start(toba):
    assert bakumatsu.clock(toba.state) == (1, "start")
    set_up(toba, "shogunate", "satcho")
    assert bakumatsu.clock(toba.state) == (1, "shogunate-move")
    assert (toba.request.side, toba.request.kind, toba.request.clause) == ("shogunate", "move", "5-1.1")


@pytest.mark.clause("4(4)", "5(0)a")
@pytest.mark.parametrize("order", ["move sg-01 1309", "recover sg-01", "fire sg-01 at sa-01", "enter sg-18"])
def test_nothing_but_set_up_happens_at_the_start(toba, order):
    toba.do("setup sg-01 1209")
    assert toba.refused(order) == "5(0)a"


# --- 15-1-4 initial deployment


@pytest.mark.clause("15-1-4(1)0", "15-1-4(2)0")
def test_the_former_shogunate_sets_up_first_and_openly(toba):
    """R12: set-up is neither hidden nor simultaneous."""
    assert toba.request.side == "shogunate"
    assert toba.refused("setup sa-01 2011") == "15-1-4(1)0"
    for unit, number in zip(coded(toba.board, "shogunate", "west"), area(toba.board, "shogunate-west"), strict=False):
        assert toba.do(f"setup {unit} {number}")[0].facts == {"unit": unit, "at": number}
        assert toba.request.side == "shogunate"
    set_up_east = zip(coded(toba.board, "shogunate", "east"), area(toba.board, "shogunate-east"), strict=False)
    for unit, number in set_up_east:
        assert toba.request.side == "shogunate"
        toba.do(f"setup {unit} {number}")
    assert toba.request.side == "satcho"
    assert toba.why_not("setup sa-01 2011") is None
    assert toba.refused("setup sg-18 1810") == "15-1-4(1)0"
    told = {unit["id"]: unit["at"] for unit in bakumatsu.situation(toba.state)["units"]}
    assert told["sg-01"] == "1209"


@pytest.mark.clause("2-2-1(2)7", "15-1-4(0)")
@pytest.mark.parametrize(("side", "code", "name", "count"), CODES)
def test_units_of_a_code_stand_in_their_area_and_nowhere_else(toba, side, code, name, count):
    if side == "satcho":
        set_up(toba, "shogunate")
    units, hexes = coded(toba.board, side, code), area(toba.board, name)
    assert len(units) == count
    assert len(hexes) >= count
    for number in hexes:
        assert toba.why_not(f"setup {units[0]} {number}") is None
    for number in toba.board.label.values():
        if number not in hexes:
            assert toba.why_not(f"setup {units[0]} {number}").clause == "2-2-1(2)7"
    for unit, number in zip(units, hexes, strict=False):
        toba.do(f"setup {unit} {number}")
    assert [toba.at(unit) for unit in units] == hexes[:count]
    offered = [order for order in toba.options() if any(unit in order.split() for unit in units)]
    assert offered == []


@pytest.mark.clause("15-1-4(0)", "3-1(0)a")
def test_one_unit_in_a_setup_hex_and_one_place_for_a_unit(toba):
    toba.do("setup sg-01 1209")
    assert toba.refused("setup sg-02 1209") == "15-1-4(0)"
    assert toba.refused("setup sg-01 1309") == "15-1-4(0)"
    assert "setup sg-02 1209" not in toba.options()
    assert "setup sg-02 1309" in toba.options()


@pytest.mark.clause("15-1-4(1)2b")
def test_the_eastern_area_of_the_former_shogunate_is_in_two_parts(board):
    assert len(parts(board, "shogunate-east")) == 2
    for name in ("shogunate-west", "satsuma-west", "satsuma-east", "choshu", "tosa"):
        assert len(parts(board, name)) == 1


@pytest.mark.clause("15-1-4(1)2b")
@pytest.mark.parametrize("first", [5, 6, 4, 10])
def test_the_ten_eastern_units_are_split_freely_over_the_two_parts(toba, first):
    one, two = parts(toba.board, "shogunate-east")
    places = [toba.board.label[h] for h in one[:first] + two[: 10 - first]]
    assert len(places) == 10
    units = coded(toba.board, "shogunate", "east")
    for unit, number in zip(units, places, strict=True):
        toba.do(f"setup {unit} {number}")
    assert [toba.at(unit) for unit in units] == places


@pytest.mark.clause("15-1-4(2)3", "15-1-4(2)4", "2-1-2.4")
def test_choshu_and_tosa_are_told_apart(toba, board):
    set_up(toba, "shogunate")
    (choshu, *_), (tosa, *_) = coded(board, "satcho", "choshu"), coded(board, "satcho", "tosa")
    assert (board.units[choshu].formation, board.units[tosa].formation) == ("choshu", "tosa")
    assert toba.refused(f"setup {choshu} {area(board, 'tosa')[0]}") == "2-2-1(2)7"
    assert toba.refused(f"setup {tosa} {area(board, 'choshu')[0]}") == "2-2-1(2)7"


@pytest.mark.clause("2-2-1(2)7", "15-1-4(0)")
def test_an_area_too_small_for_its_units_and_an_unknown_code_are_refused(field_data):
    units = {"sg-1": "0101 4-3-3-4", "sg-2": "0102 4-3-3-4"}
    bakumatsu.board(field_data(". . .", units, areas={"shogunate-west": "0101 0102"}))
    with pytest.raises(BadScenario, match=r"2 units in 1 hex\b"):
        bakumatsu.board(field_data(". . .", units, areas={"shogunate-west": "0101"}))
    data = field_data(". . .", units)
    data["scenario"]["units"][1]["code"] = "north"
    with pytest.raises(BadScenario, match=r"sg-2\.code: is 'north'"):
        bakumatsu.board(data)


@pytest.mark.clause("15-1-4(1)3", "15-1-5(2)")
def test_a_side_without_reinforcement_turns_has_no_units_of_code_r(field_data):
    data = field_data(". . .", {"sg-1": "cup 4-3-3-4", "sa-1": "0101 4-3-3-4"})
    assert bakumatsu.board(data).start_cups == {"shogunate": ("sg-1",), "satcho": ()}
    data["scenario"]["units"][1]["code"] = "R"
    with pytest.raises(BadScenario, match=r"sa-1\.code: is 'R'"):
        bakumatsu.board(data)


@pytest.mark.clause("15-1-4(0)")
@pytest.mark.parametrize(("east", "fits"), [("0102 0103", True), ("0101 0102", False), ("0103 0104", True)])
def test_codes_that_share_an_area_have_room_for_all_their_units(field_data, east, fits):
    units = {unit: f"{at} 4-4-3-4" for unit, at in (("sg-1", "0101"), ("sg-2", "0102"), ("sg-3", "0103"))}
    data = field_data(". . . . .", units, areas={"shogunate-west": "0101 0102", "shogunate-east": east})
    data["scenario"]["setup"].append({"side": "shogunate", "code": "east", "areas": ["shogunate-east"]})
    data["scenario"]["units"][2]["code"] = "east"
    if fits:
        assert len(bakumatsu.board(data).set_up["shogunate"]) == 2
        return
    with pytest.raises(BadScenario, match=r"setup: 3 units of shogunate west, shogunate east in 2 hexes; one unit"):
        bakumatsu.board(data)


@pytest.mark.clause("15-1-4(0)")
def test_a_code_is_set_up_by_one_line(field_data):
    data = field_data(". . . .", {"sg-1": "0101 4-4-3-4"})
    data["scenario"]["setup"].append(dict(data["scenario"]["setup"][0]))
    with pytest.raises(BadScenario, match=r"scenario\.setup 3: sets up shogunate west again; write one line"):
        bakumatsu.board(data)
