"""The report of a game on a table without hexes: places in words, with coordinates behind them."""

from __future__ import annotations

import random
import re
from functools import cache
from typing import Any

import pytest
from matches import Match, scenario_of

from pbem.match.bots import suggest
from pbem.match.chances import chance_answer
from pbem.match.genesis import Genesis, Player, Terms
from pbem.match.orders import Act
from pbem.match.table import Table
from pbem.picture.scene import draw
from pbem.report import build as report
from pbem.report.brief import brief
from pbem.report.pictured import page
from pbem.report.source import crop_files, crops, page_pictures, pictures, report_data, report_input
from pbem.report.telling import Names
from pbem.rules import rules_of
from pbem.rules.requests import Choose
from pbem.words import listed

from .test_report import validator


@cache
def played() -> Table:
    """A skirmish that bots have set up and begun, up to the end of the third turn."""
    rules, scenario, chance = rules_of("samurai"), scenario_of("skirmish"), random.Random(3)
    terms = Terms(rules.EDITION, "skirmish", scenario.digest, (), "standing")
    players = (Player("asuka", "red", b"key"), Player("ben", "black", b"key"))
    table = Table(Genesis(bytes(32), terms, players), rules, rules.board(scenario.data), bytes(32))
    table.course.chancer = lambda request: chance_answer(request, chance)
    table.course.begin()
    table.course.resolve()
    while table.game.state.turn < 4:
        request = table.game.request
        assert isinstance(request, Choose)
        table.seq += 1
        table.course.decided = (table.seq, b"")
        order = rules.advise(table.game.state, request, chance)
        act = Act(order, rules.order_words(table.board, order))
        table.course.play(request.side, [(1, act)], reaction=request.reaction)
        table.course.resolve()
    table.last_by["asuka"] = table.seq - 30
    return table


@pytest.fixture(scope="module")
def data() -> dict[str, Any]:
    return report_data(played(), scenario_of("skirmish"), "asuka")


def names() -> Names:
    table = played()
    return Names(table.rules.situation(table.game.state))


def test_the_data_fit_the_schemas(data: dict[str, Any]) -> None:
    validator("report.schema.json").validate(data)
    validator("situation.schema.json").validate(data["situation"])
    units = [unit for unit in data["situation"]["units"] if "base" in unit]
    assert len(units) == data["situation"]["sides"][0]["here"] + data["situation"]["sides"][1]["here"]
    broken = {**data["situation"]["table"], "width": 36.5}
    assert not validator("situation.schema.json").is_valid(data["situation"] | {"table": broken})


def test_where_rules_have_no_standing_orders_none_are_told(data: dict[str, Any]) -> None:
    assert data["standing"] == []
    assert "STANDING ORDERS" not in report.text(data)
    assert "Standing" not in report.html(data)
    given = {**data, "standing": [{"side": "red", "title": "Red Army", "orders": ["retreat any"]}]}
    assert "STANDING ORDERS IN FORCE\n\n  Red Army: retreat any.\n" in report.text(given)
    assert "<summary>Standing orders</summary>" in report.html(given)
    lapse = {"side": "red", "title": "Red Army", "order": ["halt"], "reason": "it is late", "clause": "", "line": 1}
    assert "<summary>Lapsed orders</summary>" in report.html({**data, "lapses": [lapse]})
    assert "<summary>Standing and lapsed orders</summary>" in report.html({**given, "lapses": [lapse]})


def test_dice_of_fire_and_attacks_count_for_who_rolls_them(data: dict[str, Any]) -> None:
    """Those of one fire or attack are told together."""
    fights = [step for step in played().steps if step["kind"] == "tell" and step["what"] in ("fire", "attack")]
    rolled = dict.fromkeys(("red", "black"), 0)
    for step in fights:
        rolled[played().board.units[step["facts"]["unit"]].side] += len(step["facts"]["dice"])
    found = [one for one in data["luck"] if one["kind"] in ("fire", "attack")]
    assert {side: sum(one["dice"] for one in found if one["side"] == side) for side in rolled} == rolled
    assert {one["side"] for one in data["luck_of_game"]} <= rolled.keys()
    for side in rolled:
        labels = [step["label"].split("/") for step in played().steps if step["kind"] == "roll"]
        fell = dict.fromkeys(kind for kind, unit, *_ in labels if played().board.units[unit].side == side)
        assert [one["kind"] for one in data["luck"] if one["side"] == side] == [*fell], "as they fell"
    several = next(step["facts"]["dice"] for step in fights if len(step["facts"]["dice"]) > 2)
    assert f"{listed(several)} (mean 6.5 each); expected" in " ".join(report.text(data).split())


def test_each_of_several_fights_of_one_order_is_told_by_itself() -> None:
    """As of fires that were declared one after another and are resolved together."""
    given = report_input(played(), scenario_of("skirmish"), "asuka")
    steps = [step for step in given["steps"] if step["kind"] != "order" or step["words"][0] != "attack"]
    assert len(steps) < len(given["steps"]) - 3
    found = report.build({**given, "steps": steps})
    fights = [action["fights"] for group in found["news"] for action in group["actions"] if action["fights"]]
    assert fights == [[number] for number in range(1, len(fights) + 1)]
    assert len(fights) > 4


def test_each_unit_stands_in_words_with_coordinates_behind_them(data: dict[str, Any]) -> None:
    told = " ".join(report.text(data).split())
    sides = "UNITS Left and right are as seen from the Red edge; in brackets are the inches from the left edge and from"
    assert f"{sides} the Red edge. Red Army" in told
    for unit in data["situation"]["units"]:
        if "base" in unit:
            assert unit["place"].split(", ")[0] in ("left third", "centre third", "right third")
            assert "facing" in unit["place"]
            where = f"{unit['name']} ({unit['id']}): {unit['place']} ({unit['at'].replace('-', ' ')})"
            assert where in told
            assert data["situation"]["table"]["kinds"][unit["symbol"]] in told


def test_units_stand_in_the_order_of_their_army(data: dict[str, Any]) -> None:
    ids = [unit["id"] for unit in data["situation"]["units"] if unit["side"] == "red"]
    assert ids == [unit.id for unit in played().board.units.values() if unit.side == "red"]


def test_nobody_has_lost_what_is_still_to_be_set_up() -> None:
    rules, board = played().rules, played().board
    begun = rules.situation(rules.start(board, {}))
    lost = [one for one in begun["progress"] if "lost" in one["what"]]
    assert [one["count"] for one in lost] == [0, 0]


def test_places_of_events_are_told_in_words() -> None:
    assert names().place("8-14.5") == "the left third, 14.5 inches from the Red edge (8 14.5)"
    assert names().at("8-14.5") == "in the left third, 14.5 inches from the Red edge (8 14.5)"
    assert names().spot("8-14.5") == ("in the left third, 14.5 inches from the Red edge", "8 14.5")
    assert names().spot("sp-1") is None
    went = names().way("8-14.5", ["8-21"])
    assert went == "6.5 inches north to the left third, 19 inches from the Black edge (8 21)"
    assert names().way("8-14.5", ["8-14.5"]) == "to the left third, 14.5 inches from the Red edge (8 14.5)"


def test_of_a_name_that_both_sides_have_it_is_told_whose_it_is() -> None:
    table = played()
    situation = table.rules.situation(table.game.state)
    red, another = (unit for unit in situation["units"] if unit["side"] == "red" and unit["id"] in ("sp-1", "sp-2"))
    black = next(unit for unit in situation["units"] if unit["side"] == "black")
    for names_of, first, then in (
        (("Spearmen", "Guards", "Spearmen"), "Red's Spearmen (sp-1)", "Red's Spearmen"),
        (("Spearmen", "Guards", "Others"), "Spearmen (sp-1)", "Spearmen"),
        (("Spearmen", "Spearmen", "Spearmen"), "Red's Spearmen (sp-1)", "Red's Spearmen (sp-1)"),
    ):
        red["name"], another["name"], black["name"] = names_of
        known = Names(situation)
        assert [known.unit("sp-1"), known.unit("sp-1")] == [first, then]
    assert known.unit(black["id"]) == f"Black's Spearmen ({black['id']})"


def test_the_page_has_the_table_its_parts_and_their_key(data: dict[str, Any]) -> None:
    table, scenario = played(), scenario_of("skirmish")
    drawn = pictures(table, scenario, "asuka")
    assert [(picture.name, picture.title) for picture in drawn] == [("table", "The table")]
    told = page(data, drawn, crops(table, scenario, "asuka", windows=True, since=data["since"]))
    assert "<summary>The whole table</summary>" in told
    assert told.count('<use href="#map-table"/>') == told.count('<figure class="part">') - 1 > 0
    assert "What the signs mean" in told


def test_a_page_has_the_same_pictures_as_whole_maps_and_parts_asked_for_one_by_one() -> None:
    match = Match(scenario_of("toba-fushimi"), 1)
    for _ in range(4):
        player = match.due()[1]
        assert player is not None
        match.play("".join(f"{' '.join(order)};" for order in suggest(match.table, player, "bold", random.Random(1))))
    for table, reader in ((played(), "asuka"), (match.table, None)):
        scenario = scenario_of(table.genesis.terms.scenario)
        given = report_input(table, scenario, reader, 0)
        maps, parts = page_pictures(table, scenario, given)
        assert maps == pictures(table, scenario, reader, since=0)
        assert parts == crops(table, scenario, reader, windows=True, since=0)
        assert maps
    assert given["situation"] == report_input(table, scenario, None, 0, before=given)["situation"]


@pytest.mark.parametrize("name", ["skirmish", "pitched-battle"])
def test_ids_of_the_whole_table_have_nine_pixels_on_any_screen(name: str) -> None:
    """The page shows the whole table, and scrolls it as large as that when asked; those of daimyos, a figure wide, are
    as large."""
    scenario = scenario_of(name)
    match = Match(scenario, 0)
    while not all(unit.id in match.table.game.state.at for unit in match.table.board.units.values() if unit.kind.move):
        player = match.due()[1]
        assert player is not None
        match.play("".join(f"{' '.join(order)};" for order in suggest(match.table, player, "bold", random.Random(1))))
    (drawn,) = pictures(match.table, scenario, "asuka")
    told = page(report_data(match.table, scenario, "asuka"), [drawn], [])
    least, wide = re.search(r'style="--least: (\d+)px"', told), re.search(r'<svg\b[^>]* width="(\d+)"', drawn.svg)
    assert least is not None
    assert wide is not None
    (large,) = re.findall(r'<input type="checkbox" id="([^"]+)"><label for="\1">', told)
    assert told.index(f'id="{large}"') < told.index(drawn.svg[drawn.svg.index("<svg") :][:200])
    assert set(re.findall(r"([^\n{}]*) \{ [^{}]*min-width: var\(--least", told)) == {".map input:checked ~ div svg"}
    sizes = re.findall(r'font-size="([\d.]+)"[^>]*>([a-z]{2}-\d+)</text>', drawn.svg)
    assert {"dm-1", "sp-1"} <= {unit for _, unit in sizes}
    small = {unit: float(size) * int(least[1]) / int(wide[1]) for size, unit in sizes}
    assert min(small.values()) >= 9, small


def test_how_far_units_fire_and_move_is_drawn_for_those_asked_for() -> None:
    table, scenario = played(), scenario_of("skirmish")
    archers = [unit.id for unit in table.board.units.values() if unit.kind.reach and unit.id in table.game.state.at]
    (plain,), (drawn,) = pictures(table, scenario, "asuka"), pictures(table, scenario, "asuka", reach=archers[:1])
    assert "range and arc of fire" not in plain.svg
    assert drawn.svg.count("<title>fires ") == 1
    assert drawn.svg.count("<title>moves ") == 3
    assert drawn.svg.count("<title>back ") == 1


def test_the_mail_has_its_pictures() -> None:
    pytest.importorskip("resvg_py")
    files, left = crop_files(played(), scenario_of("skirmish"), "asuka", 400_000)
    assert not left
    assert [name for name, _, _ in files][-1] == "key"
    assert all(picture.startswith(b"\x89PNG") for _, _, picture in files)


def test_a_move_leaves_its_ghost(data: dict[str, Any]) -> None:
    table = played()
    moves = [s for s in table.steps if s["kind"] == "tell" and s["what"] == "move" and s["facts"]["path"][1:]]
    assert all(len(step["facts"]["stood"]) == 4 for step in moves)
    situation = table.rules.situation(table.game.state)
    (drawn,) = draw({}, {"situation": situation, "steps": moves[-3:], "scenario": {"title": ""}})
    assert drawn.svg.count('fill-opacity="0.45"') >= 3


def test_a_brief_tells_no_places_that_units_have_not_and_no_class_of_bannermen() -> None:
    told = brief(scenario_of("skirmish"))
    assert "Values: class-figures-move, x for none.\n" in told
    assert "bn-1 x-1-0" in told
    assert "sp-1 1-4-7" in told
    assert "x for none; then where the unit begins" in brief(scenario_of("yao"))
