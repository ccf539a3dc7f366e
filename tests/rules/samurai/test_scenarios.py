"""The scenarios that come with pbem, and army lists as players write them: all that is wrong is told at once."""

from __future__ import annotations

import copy
import random
import re
from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

import pytest
from matches import Match, scenario_of
from rules.samurai.small_table import scenario_data

from pbem.errors import BadScenario, MalformedOrder
from pbem.match.bots import try_set_up
from pbem.match.game import Game
from pbem.match.orders import read_canonical
from pbem.rules import samurai
from pbem.rules.requests import Choose
from pbem.rules.samurai import bot, setup
from pbem.rules.samurai.geometry import Size
from pbem.rules.samurai.orders import DONE, USAGE, SetUp
from pbem.rules.samurai.scenario import GROUND
from pbem.scenario import Scenario
from pbem.wire.statements import Statement


def defects(data: dict[str, Any]) -> list[str]:
    """Every defect of a scenario's data."""
    with pytest.raises(BadScenario) as caught:
        samurai.board(data)
    return [str(defect) for defect in caught.value.defects]


def army(*units: dict[str, Any]) -> dict[str, Any]:
    """A scenario whose red army has these units besides one of spearmen."""
    data = scenario_data({"sp-1": "off", "sp-11": "off"})
    data["armies"]["red-army"]["wings"]["centre"] += units
    return data


@pytest.mark.parametrize(
    ("scenario", "wings", "points", "units"),
    [("skirmish", 1, 49, 14), ("pitched-battle", 3, 147, 42), ("wooded-valley", 3, 147, 42)],
)
def test_the_scenarios_are_as_their_pages_say(scenario: str, wings: int, points: int, units: int) -> None:
    b = samurai.board(scenario_of(scenario).data)
    assert [side.id for side in b.sides] == ["red", "black"]
    assert {len(zones) for zones in b.zones.values()} == {wings}
    assert {b.points[side] for side in b.side} == {points}
    assert sum(not unit.bannerman for unit in b.units.values()) == units
    assert sum(unit.bannerman for unit in b.units.values()) == 4 * wings
    assert {kind.move for kind in b.tables.types.values()} == {0, 600, 700, 1200}
    assert b.reconstructed[0].startswith("scenario: armies, table, zone, points")


@pytest.mark.parametrize("scenario", ["skirmish", "pitched-battle", "wooded-valley"])
def test_the_line_up_is_legal_order_by_order(scenario: str) -> None:
    b = samurai.board(scenario_of(scenario).data)
    game = Game.new(samurai, b, {})
    for side in ("black", "red"):
        orders = list(setup.suggested(game.state, side))
        assert len(orders) == len(setup.of_army(game.state, side))
        for order in orders:
            game.apply(order)
        assert game.request.why_not(samurai.read_order(b, side, ("done",))) is None
        game.apply(samurai.read_order(b, side, ("done",)))
    assert samurai.clock(game.state) == (1, "red-turn")


def test_the_valley_has_every_kind_of_ground() -> None:
    b = samurai.board(scenario_of("wooded-valley").data)
    assert {piece.kind for piece in b.pieces.values()} == set(GROUND)
    assert b.pieces["bamboo"].base == Size(800, 800).at(5400, 2500, 1)
    assert (len(b.stops), len(b.slows), len(b.hides)) == (2, 3, 4)


@pytest.mark.clause("definitions.5a", "daimyos.1")
def test_a_list_may_not_break_the_rules_and_is_told_all_at_once() -> None:
    data = army(
        {"id": "sw-1", "type": ["sword", "bow"]},
        {"id": "sw-2", "type": ["sword", "sword", "sword"]},
        {"id": "sp-1", "type": "spear"},
        {"id": "ro-1", "type": "ronni"},
        {"id": "bn-1", "type": "bannerman"},
        {"id": "4x", "type": "gunner", "colour": "red"},
        {"id": "gn-" + "9" * 5000, "type": "gunner"},
    )
    found = "\n".join(defects(data))
    for told in (
        "mixes sword and bow; all stands of a unit are of one type",
        "names 3 stands; write one type for each stand, 2 at most",
        "'sp-1' is used already",
        "'ronni' is no type; did you mean ronin?",
        "has 1 bannerman; they mark both ends of a wing",
        "'4x' can't stand in an order",
        "9999 ... can't stand in an order",
        "is no key that is known here",
        "has no daimyo for its units of two stands, sw-1, sw-2",
    ):
        assert told in found, found


@pytest.mark.parametrize(("change", "told"), [
    (lambda d: d["scenario"].update(points="3"), "army red-army.wings: count 4 points; 3 are the most in this "
     "scenario: take 1 away"),
    (lambda d: d["scenario"].update(wings=["left", "right"]), "write `wings: [left, centre, right]`"),
    (lambda d: d["scenario"].update(zone="25"), "reaches beyond the middle of the table"),
    (lambda d: d["scenario"].update(table={"width": "72"}), "scenario.table.depth: is missing; write inches from 12"),
    (lambda d: d["scenario"].update(armies=["red-army"]), "names 1 lists"),
    (lambda d: d["armies"]["black-army"].update(side="red"), "have none of black"),
    (lambda d: d["armies"]["black-army"]["wings"].update(left=[]), "is no key that is known here"),
    (lambda d: d["armies"]["red-army"]["wings"].clear(), "wings.centre: is missing"),
    (lambda d: d["scenario"].update(sides=[{"id": "red", "title": "Red"}]), "are 1, not two"),
    (lambda d: d["scenario"].update(options={"rain": {"title": "Rain"}}), "isn't an option of these rules"),
    (lambda d: d["tables"]["types"]["bow"].update(move="6.123"), "tables.types.bow.move: is '6.123'; write inches"),
    (lambda d: d["tables"]["types"]["bow"].update({"class": "samurais"}), "is 'samurais'"),
    (lambda d: d["tables"]["types"]["bow"].update({"class": "none"}), "tables.types.bow.class: is 'none'"),
    (lambda d: d["tables"]["types"]["bannerman"].update({"class": "samurai"}), "types.bannerman.class: is 'samurai'"),
    (lambda d: d["tables"]["types"].pop("daimyo"), "tables.types.daimyo: is missing"),
    (lambda d: d["tables"]["dice"].update(kill="13"), "tables.dice.kill"),
])  # fmt: skip
def test_what_is_wrong_is_told_with_what_would_be_right(change: Callable[[dict[str, Any]], object], told: str) -> None:
    data = copy.deepcopy(scenario_data({"sp-1": "off", "sp-11": "off"}))
    samurai.board(data)
    change(data)
    assert any(told in defect for defect in defects(data)), defects(data)


def test_of_two_lists_of_one_side_nothing_is_summed_up() -> None:
    """Nor of a list in which a unit can't be read."""
    data = scenario_data({"sw-1": "off", "sw-11": "off"})
    data["scenario"]["points"] = "10"
    data["armies"]["black-army"]["side"] = "red"
    assert defects(data) == ["scenario.armies: have none of black; write `side: black` in one list"]
    data["armies"]["black-army"]["side"] = "blak"
    assert [defect.partition(": ")[0] for defect in defects(data)] == ["scenario.armies", "army black-army.side"]
    data = army({"id": "sp-2", "type": ["spear", "spear", "spear"]})
    data["scenario"]["points"] = "4"
    assert not any("points" in defect for defect in defects(data))


@pytest.mark.parametrize(("unit", "example"), [
    ({"id": "else", "type": "bow"}, "bw-2"),
    ({"id": "4", "type": ["sword", "sword"]}, "sw-1"),
    ({"id": "else", "type": "spears"}, "sp-2"),
])  # fmt: skip
def test_the_example_of_an_id_is_one_that_its_type_may_have_and_nobody_has(unit: dict[str, Any], example: str) -> None:
    data = army({"id": "bw-1", "type": "bow"}, unit)
    assert any(f"as in {example}" in defect for defect in defects(data))


@pytest.mark.parametrize(
    "word", sorted({word for words in USAGE.values() for word in re.findall("[a-z]{2,}", words)} - {"of", "daimyo"})
)
def test_no_unit_is_called_by_a_word_of_orders(word: str) -> None:
    """`attack sp-1 at else` was read as `attack sp-1 any`."""
    for called in (word, word.title()):
        told = f"army red-army.wings.centre 2.id: '{called}' is a word of orders; give it another id, as in sw-1"
        assert defects(army({"id": called, "type": "sword"})) == [told]
    samurai.board(army({"id": f"{word}-1", "type": "sword"}))


@pytest.mark.parametrize("words", ["attack sp-1 at else", "attack sp-1 at else else"])
def test_an_attack_at_nobody_is_none_at_anybody(words: str) -> None:
    board = samurai.board(scenario_data({"sp-1": "off", "sp-11": "off"}))
    with pytest.raises(MalformedOrder, match=r"can't be read; write `attack U at V \[else W ...\]"):
        samurai.read_order(board, "red", tuple(words.split()))


@pytest.mark.parametrize(("piece", "told"), [
    ({"id": "wood", "kind": "wod"}, "is 'wod'"),
    ({"id": "wood", "at": "1 1"}, "doesn't lie wholly on the table"),
    ({"id": "north"}, "'north' is used already"),
    ({"id": "wood", "size": "0.5 4"}, "write width and depth"),
    ({"id": "wood", "facing": "30"}, "terrain 1.facing"),
    ({"id": "wood", "at": "20"}, "write two numbers of inches"),
    ({"id": "wood", "name": ""}, "terrain 1.name"),
])  # fmt: skip
def test_ground_is_read_strictly(piece: dict[str, str], told: str) -> None:
    good = {"id": "wood", "kind": "wood", "name": "A Wood", "at": "20 24", "size": "4 4"}
    data = scenario_data({"sp-1": "off", "sp-11": "off"})
    data["scenario"]["terrain"] = [good]
    samurai.board(data)
    data["scenario"]["terrain"] = [{**good, **piece}]
    assert any(told in defect for defect in defects(data)), defects(data)


def test_nothing_lies_in_ground_that_cant_be_entered() -> None:
    data = scenario_data({"sp-1": "off", "sp-11": "off"})
    pond = {"id": "pond", "kind": "water", "name": "A Pond", "at": "20 24", "size": "4 4"}
    data["scenario"]["terrain"] = [pond, {"id": "wood", "kind": "wood", "name": "A Wood", "at": "23 24", "size": "4 4"}]
    assert any("lies over pond" in defect for defect in defects(data))
    data["scenario"]["terrain"][1]["at"] = "24 24"  # beside it
    samurai.board(data)


def test_too_many_pieces_of_ground_are_refused_without_holding_each_against_each() -> None:
    piece = {"kind": "wood", "at": "30 24", "size": "2 2"}
    data = scenario_data({"sp-1": "off", "sp-11": "off"}, terrain=[{**piece, "id": f"wood-{n}"} for n in range(4000)])
    assert defects(data) == ["scenario.terrain: lists 4000 pieces; 200 are the most"]


@pytest.mark.parametrize(("word", "what"), [("1.50", "the number 1.50"), ("007", "the number 007")])
def test_a_signed_number_that_is_too_long_is_called_so(word: str, what: str) -> None:
    board = samurai.board(scenario_data({"sp-1": "off", "sp-11": "off"}))
    with pytest.raises(MalformedOrder, match=what):
        read_canonical(samurai, board, "red", [Statement("move", ("sp-1", word))])
    with pytest.raises(MalformedOrder, match="isn't written in full; in full it is `fire sp-1 at sp-11`"):
        read_canonical(samurai, board, "red", [Statement("fire", ("sp-1", "at", "11"))])


@pytest.mark.parametrize(("words", "why"), [
    ("attack sp-1 at sp-11 else sp-11", "has more words than it needs; in full it is `attack sp-1 at sp-11`"),
    ("setup sp-1 18 6", "isn't written in full; in full it is `setup sp-1 18 6 north`"),
])  # fmt: skip
def test_a_signed_order_of_too_many_words_or_too_few_is_called_so(words: str, why: str) -> None:
    board = samurai.board(scenario_data({"sp-1": "off", "sp-11": "off"}))
    keyword, *tokens = words.split()
    with pytest.raises(MalformedOrder, match=why):
        read_canonical(samurai, board, "red", [Statement(keyword, tuple(tokens))])
    keyword, *tokens = why.split("`")[1].split()
    read_canonical(samurai, board, "red", [Statement(keyword, tuple(tokens))])


@pytest.mark.parametrize(("table", "told"), [
    ({"width": "10000", "depth": "48"}, ["table.width: is '10000'; write inches from 12 to 200, as 12 or 12.6"]),
    ({"width": "72", "depth": "200.02"}, [
        "table.depth: is '200.02'; write inches from 12 to 200, as 12 or 12.52: half of it is needed",
    ]),
    ({"width": "11", "depth": "deep"}, [
        "table.width: is '11'; write inches from 12 to 200, as 12 or 12.6",
        "table.depth: is 'deep'; write inches from 12 to 200, as 12 or 12.52: half of it is needed",
    ]),
])  # fmt: skip
@pytest.mark.parametrize("zone", ["12", "24"])
def test_of_a_table_that_cant_be_read_only_that_is_told(table: dict[str, str], told: list[str], zone: str) -> None:
    data = scenario_data({"sp-1": "off", "sp-11": "off"})
    data["scenario"] |= {"table": {"width": "12.6", "depth": "200"}, "zone": zone}
    samurai.board(data)
    data["scenario"]["table"] = table
    assert defects(data) == [f"scenario.{line}" for line in told]


@pytest.mark.parametrize(
    ("terrain", "table", "units", "what"),
    [
        ({"at": "36 24", "size": "72 48"}, {}, {}, "sets up where nobody can stand"),
        ({"at": "36 24", "size": "200 200", "facing": "north-east"}, {}, {}, "sets up where nobody can stand"),
        ({}, {"width": "99"}, {}, "has no room for sp-1 in 72 by 12 inches"),
        ({}, {"width": "70", "depth": "9"}, {"sp-2": "off", "sp-3": "off"}, "has no room for 3 units and daimyos"),
    ],
)
def test_a_wing_without_room_to_set_up_is_a_defect(
    terrain: dict[str, str], table: dict[str, str], units: dict[str, str], what: str
) -> None:
    piece = [{"id": "sea-1", "kind": "water", **terrain}] if terrain else []
    data = scenario_data({"sp-1": "off", "sp-11": "off", **units}, terrain=piece)
    data["tables"]["types"]["spear"].update(table)
    assert any(defect.startswith("the centre wing of red") and what in defect for defect in defects(data))


def wings_of(*wings: str) -> dict[str, Any]:
    """A scenario whose red wings have these units and daimyos; who has a `!` behind his id has two stands."""
    data = scenario_data({"sp-1": "off", "sp-11": "off"})
    names = ("left", "centre", "right") if len(wings) == 3 else ("centre",)
    data["scenario"]["wings"] = list(names)
    types = {"sw": "sword", "dm": "daimyo"}
    data["armies"]["red-army"]["wings"] = {
        wing: [
            {"id": word.strip("!"), "type": [types[word[:2]]] * (2 if word.endswith("!") else 1)}
            for word in own.split()
        ]
        for wing, own in zip(names, wings, strict=True)
    }
    black = (("left", "sp-11"), ("centre", "sp-12"), ("right", "sp-13")) if len(wings) == 3 else (("centre", "sp-11"),)
    data["armies"]["black-army"]["wings"] = {wing: [{"id": unit, "type": "spear"}] for wing, unit in black}
    return data


def doubled(number: int) -> str:
    """So many units of two stands."""
    return " ".join(f"sw-{n}!" for n in range(20, 20 + number))


@pytest.mark.clause("daimyos.2", "definitions.3")
@pytest.mark.parametrize(("legal", "illegal", "told"), [
    (("sw-1!", "sw-2 sw-3 dm-1", "sw-4 sw-5"), ("sw-1! dm-1", "sw-2 sw-3", "sw-4!"),
     "in the right wing or the one beside it for units of two stands, sw-4"),
    (("sw-1!", "sw-2 sw-3 dm-1 dm-2", "sw-4!"), ("sw-1!", "sw-2 sw-3 dm-1", "sw-4!"),
     "in the left and right wing or the one beside it for units of two stands, sw-1, sw-4"),
    (("sw-1! dm-1", "sw-2 sw-3 dm-2", "sw-4!"), ("sw-1!", "sw-2 sw-3", "sw-4! dm-1 dm-2"),
     "in the left wing or the one beside it for units of two stands, sw-1"),
    (("sw-1 sw-2", "sw-3!", "sw-4 sw-5 dm-1"), ("sw-1!", "sw-3!", "sw-4! dm-1"), "in the left wing"),
    ((f"dm-1 {doubled(8)}",), (f"dm-1 {doubled(9)}",),
     "has 1 daimyo for 9 units of two stands, and 8 at most can touch one"),
    ((f"dm-1 dm-2 {doubled(16)}",), (f"dm-1 dm-2 {doubled(17)}",), "has 2 daimyos for 17 units"),
])  # fmt: skip
def test_an_army_whose_units_of_two_stands_no_daimyo_can_touch_is_a_defect(
    legal: tuple[str, ...], illegal: tuple[str, ...], told: str
) -> None:
    samurai.board(wings_of(*legal))
    found = defects(wings_of(*illegal))
    assert [defect for defect in found if defect.startswith("army red-army: ") and told in defect] == found


def test_who_finds_no_place_is_told_so() -> None:
    """By its measure it would have room, beside the others it has none."""
    units = dict.fromkeys(("sp-1", "sp-2", "sp-3"), "off")
    data = scenario_data({**units, "sp-11": "off"})
    data["tables"]["types"]["spear"].update({"width": "38", "depth": "6"})
    game = Game.new(samurai, samurai.board(data), {})
    game.apply(SetUp("sp-11", 3600, 4200, 4))
    game.apply(DONE)
    game.apply(SetUp("sp-1", 3600, 600, 0))  # beside it there is room for none
    request = game.request
    assert isinstance(request, Choose)
    with pytest.raises(BadScenario, match="no place is left for sp-2"):
        request.sample(random.Random(1))


def set_up_by(player: str, *wings: str) -> int:
    """How many orders the set-up of such an army takes a bot, or chance."""
    game, chance, orders = Game.new(samurai, samurai.board(wings_of(*wings)), {}), random.Random(1), 0
    while isinstance(request := game.request, Choose) and request.kind == "setup":
        order = bot.advise(game.state, request, chance) if player == "bold" else request.sample(chance)
        game.apply(order)
        orders += 1
        assert orders < 100, "it goes on and on"
    return orders


@pytest.mark.clause("daimyos.2")
@pytest.mark.parametrize("player", ["bold", "random"])
@pytest.mark.parametrize("wings", [
    (f"dm-1 {doubled(6)}",),
    (f"dm-1 dm-2 {doubled(12)}",),
    ("sw-1!", "sw-2! dm-1", "sw-4 sw-5"),
    ("sw-1!", "sw-2! dm-1 dm-2", "sw-4!"),
])  # fmt: skip
def test_a_daimyo_is_set_up_where_several_units_of_two_stands_can_touch_him(
    player: str, wings: tuple[str, ...]
) -> None:
    units = sum(len(own.split()) for own in wings)
    assert set_up_by(player, *wings) > units + len(wings) + 2  # behind the last place the end, and Black's set-up


@pytest.mark.clause("daimyos.2")
@pytest.mark.parametrize("player", ["bold", "random"])
def test_a_set_up_for_which_no_place_is_found_comes_to_an_end(player: str) -> None:
    """By number the daimyo could do; seven bases as broad as these don't go round him."""
    with pytest.raises(BadScenario, match="no place is found where a daimyo touches sw-2"):
        set_up_by(player, f"dm-1 {doubled(7)}")


@pytest.mark.parametrize(("units", "goes"), [(6, True), (7, False)])
def test_a_set_up_can_be_tried_before_a_game_is_begun(units: int, goes: bool) -> None:
    data = wings_of(f"dm-1 {doubled(units)}")
    table = Match(Scenario("field", "samurai", "samurai/1", "A Field", data, f"{units}" * 64), 1).table
    with nullcontext() if goes else pytest.raises(BadScenario, match="no place is found where a daimyo touches"):
        try_set_up(table)
    assert not table.game.state.at
