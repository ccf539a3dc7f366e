"""What the scenarios of all systems have in common, with a made-up one about a picnic."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from pbem.errors import BadScenario, Defects, MalformedOrder
from pbem.maps.hexes import Hex
from pbem.rules.kit.options import Choice, chosen
from pbem.rules.kit.scenario import (
    check_id,
    head,
    hex_at,
    known,
    maps,
    options,
    prefixes,
    reconstructed,
    short,
    turns,
    yes,
)
from pbem.scenario import load_scenario

RULES = {"weather": ("rain", "sun"), "wasps": ("no", "yes")}
SUN = {"title": "Weather", "values": "rain sun", "means": {"rain": "It rains.", "sun": "It shines."}, "default": "sun"}
OFFERED = {"weather": Choice("sun", ("rain", "sun"))}


def found(defects: Defects) -> list[str]:
    return [str(defect) for defect in defects.found]


def of_options(given: dict[str, Any], needed: tuple[str, ...] = ()) -> tuple[dict[str, Choice], list[str]]:
    defects = Defects()
    return options({"options": given}, RULES, needed, defects), found(defects)


def test_the_head_names_the_scenario_and_must_be_of_the_system_and_edition() -> None:
    defects = Defects()
    data = {"scenario": {"scenario": "meadow", "system": "picnic", "edition": "picnic/2"}}
    assert head(data, "picnic", "picnic/2", (), defects) == ("meadow", data["scenario"])
    assert not defects.found
    head(data, "picnic", "picnic/3", (), defects)
    head(data, "party", "picnic/2", (), defects)
    assert found(defects) == [
        "scenario.edition: is 'picnic/2'; these rules are picnic/3",
        "scenario.system: is 'picnic'; these rules are party",
    ]


def test_a_scenario_has_the_keys_of_every_system_and_those_of_its_own() -> None:
    frame = {"scenario": "meadow", "system": "picnic", "edition": "picnic/2"}
    data, defects = {"scenario": {**frame, "lenght": "a day", "wasps": "many", "date": "May"}}, Defects()
    head(data, "picnic", "picnic/2", ("wasps", "basket"), defects)
    (told,) = found(defects)
    assert told.startswith("scenario.lenght: is no key that is known here; did you mean length? known are scenario, ")
    assert told.endswith(", provenance, wasps, basket")
    data = {"scenario": {**frame, "provenance": {"wasps": "made up", "map": "made up", "bascet": "made up"}}}
    defects = Defects()
    head(data, "picnic", "picnic/2", ("wasps", "basket"), defects)
    (told,) = found(defects)
    assert told.startswith("scenario.provenance.bascet: is no key that is known here; did you mean basket? known are ")


def test_turns_that_can_not_be_read_are_as_many_as_there_can_be() -> None:
    defects = Defects()
    assert turns({"turns": "4"}, defects) == 4
    assert not defects.found
    assert [turns(data, defects) for data in ({}, {"turns": "four"}, {"turns": "100"})] == [99, 99, 99]
    assert found(defects) == [
        "scenario.turns: is missing; write a whole number from 1 to 99",
        "scenario.turns: is 'four'; write a whole number from 1 to 99",
        "scenario.turns: is '100'; write a whole number from 1 to 99",
    ]


def test_the_name_on_a_counter_is_short() -> None:
    defects = Defects()
    assert [short(data, "ant-1", "guest", defects) for data in ({}, {"short": "Ant"})] == ["ant-1", "Ant"]
    assert not defects.found
    for word in ("Great ant", "F\u00f6hn", ["Ant"]):
        short({"short": word}, "ant-1", "guest", defects)
    assert found(defects) == [
        "guest.short: is 'Great ant'; write up to 8 plain letters",
        "guest.short: is 'F\u00f6hn'; write up to 8 plain letters",
        "guest.short: is [Ant]; write up to 8 plain letters",
    ]


def test_a_word_must_be_known_and_no_stands_where_nothing_is_said() -> None:
    defects = Defects()
    assert known("rain", ("rain", "sun"), "sky", defects) == "rain"
    assert [yes({"wasps": word}, "wasps", "field", defects) for word in ("yes", "no")] == [True, False]
    assert not yes({}, "wasps", "field", defects)
    assert not defects.found
    known("snow", ("rain", "sun"), "sky", defects)
    known("ran", ("rain", "sun"), "sky", defects)
    known(None, ("rain", "sun"), "sky", defects)
    yes({"wasps": "many"}, "wasps", "field", defects)
    assert found(defects) == [
        "sky: is 'snow'; known are rain, sun",
        "sky: is 'ran'; did you mean rain? known are rain, sun",
        "sky: is missing; known are rain, sun",
        "field.wasps: is 'many'; known are no, yes",
    ]


@pytest.mark.parametrize(
    ("word", "right"),
    [
        ("ant-1", True),
        ("a", True),
        ("A", False),
        ("ANT-1", False),
        ("a" * 16, True),
        ("a" * 17, False),
        ("1-ant", False),
        ("ant_1", False),
        ("", False),
    ],
)
def test_an_id_is_a_short_word_of_small_letters_digits_and_hyphens(word: str, right: bool) -> None:
    defects = Defects()
    check_id(word, "guest 1", "ant-1", defects)
    told = f"guest 1: {word!r} can't stand in an order"
    mend = "write a small letter, then small letters, digits and -, 16 at most, as in ant-1"
    assert found(defects) == ([] if right else [f"{told}; {mend}"])


def test_a_hex_that_is_not_there_is_a_defect() -> None:
    def parse(number: str) -> Hex:
        if number != "0101":
            raise MalformedOrder(f"hex {number} isn't there", hint="write 0101")
        return Hex(7)

    defects = Defects()
    assert hex_at(parse, "0101", "blanket", defects) == Hex(7)
    assert hex_at(parse, 9, "blanket", defects) is None
    assert found(defects) == ["blanket: hex 9 isn't there; write 0101"]


def test_several_maps_have_prefixes_of_their_own_and_a_single_one_has_none() -> None:
    defects = Defects()
    assert prefixes({"map": "yard"}, defects) == {"yard": ""}
    both = {"maps": ["yard", "lane"], "prefixes": {"yard": "Y", "lane": "L"}}
    assert prefixes(both, defects) == {"yard": "Y", "lane": "L"}
    assert not defects.found
    for wrong in ({"yard": "Y", "lane": "Y"}, {"yard": "Y"}, {"yard": "y", "lane": "L"}):
        prefixes({**both, "prefixes": wrong}, defects)
    assert found(defects) == [
        f"scenario.prefixes: are {{yard: {yard}, lane: {lane}}}; give each map a capital letter of its own"
        for yard, lane in (("Y", "Y"), ("Y", ""), ("y", "L"))
    ]
    prefixes({**both, "prefixes": {"yard": "Y", "lane": "L", "field": "F"}}, defects)
    assert found(defects)[3:] == ["scenario.prefixes.field: is no key that is known here; known are yard, lane"]


def test_rules_that_need_a_map_say_so() -> None:
    defects = Defects()
    assert prefixes({"maps": "none"}, defects) == {}
    right = "these rules need a map: write `maps: [NAME]`, and maps/NAME.yaml"
    assert found(defects) == [f"scenario.maps: is none; {right}"]


def test_maps_are_read_by_their_names_far_from_each_other() -> None:
    data, defects = load_scenario("connected").data, Defects()
    read = maps(data, {"domyoji": "D", "yao": "Y"}, (), defects, "meadow")
    assert list(read) == ["domyoji", "yao"]
    assert read["yao"].label(read["yao"].hexes[0]).startswith("Y")
    assert not set(read["yao"].hexes) & set(read["domyoji"].hexes)
    assert list(maps(data, {"yao": ""}, (), defects, "meadow")) == ["yao"]
    assert not defects.found


def test_a_map_is_cut_to_the_sheet_that_a_scenario_names() -> None:
    chart = copy.deepcopy(load_scenario("yao").data["maps"]["yao"])
    chart["numbering"]["sheets"] = [{"prefix": ""}, {"prefix": "E", "rows": [20, 30]}]
    given, defects = {"maps": {"yao": chart}}, Defects()
    read = maps({**given, "scenario": {"sheet": "E"}}, {"yao": ""}, (), defects, "meadow")["yao"]
    assert {int(label[1:3]) for label in read.labels.values()} == {*range(20, 31)}
    assert read.sheet == "E"
    assert maps({**given, "scenario": {}}, {"yao": ""}, (), defects, "meadow")["yao"].sheet == ""
    assert not defects.found


@pytest.mark.parametrize(
    ("sheet", "told"),
    [
        ("S", "scenario.sheet: there is no sheet 'S'; the map has no sheets: leave it out"),
        ("", "scenario.sheet: is empty; write the letters before the numbers of one sheet, or leave it out"),
        (["N", "S"], "scenario.sheet: is [N, S]; write the letters before the numbers of one sheet, or leave it out"),
    ],
)
def test_a_sheet_that_is_none_is_a_defect(sheet: object, told: str) -> None:
    data, defects = load_scenario("yao").data, Defects()
    maps({**data, "scenario": {"sheet": sheet}}, {"yao": ""}, (), defects, "meadow")
    assert found(defects) == [told]


def test_a_sheet_of_several_maps_is_a_defect() -> None:
    data, defects = load_scenario("connected").data, Defects()
    maps({**data, "scenario": {"sheet": "D"}}, {"domyoji": "D", "yao": "Y"}, (), defects, "meadow")
    assert found(defects) == ["scenario.sheet: is 'D', and there are several maps; name one map, or no sheet"]


def test_a_map_that_is_not_there_or_is_another_is_a_defect() -> None:
    data, defects = load_scenario("connected").data, Defects()
    maps(data, {"domyoji": "D", "moon": "M"}, (), defects, "meadow")
    maps({"maps": {"moon": data["maps"]["yao"]}}, {"moon": ""}, (), defects, "meadow")
    assert found(defects) == [
        "scenario.maps: there is no map 'moon'; maps are: domyoji, yao",
        "map moon.map: is 'yao'; the file's name asks for moon",
    ]


def test_without_any_map_there_is_no_scenario() -> None:
    with pytest.raises(BadScenario, match="there is no map 'moon'; maps are: none"):
        maps({"maps": {}}, {"moon": ""}, (), Defects(), "meadow")
    with pytest.raises(BadScenario, match="no map"):
        maps({"maps": {}}, {}, (), Defects(), "meadow")


def test_a_scenario_offers_some_options_of_the_rules() -> None:
    assert of_options({"weather": SUN}) == (OFFERED, [])
    assert of_options({}) == ({}, [])


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"weather": {**SUN, "default": "snow"}}, "scenario.options.weather.default: is 'snow'; known are rain, sun"),
        ({"snacks": SUN}, "scenario.options.snacks: isn't an option of these rules; known are weather, wasps"),
        ({"wasps": SUN}, "scenario.options.wasps.values: are [rain, sun]; values are no, yes"),
        (
            {"weather": {**SUN, "values": ["rain", "sun", "sun"]}},
            "scenario.options.weather.values: are [rain, sun, sun]; values are rain, sun",
        ),
    ],
)
def test_an_option_that_the_rules_do_not_have_so_is_a_defect(given: dict[str, Any], told: str) -> None:
    assert of_options(given)[1] == [told]


def test_an_option_that_is_needed_can_not_be_left_out() -> None:
    assert of_options({"weather": SUN}, ("weather", "wasps"))[1] == [
        "scenario.options.wasps: is missing; values are no, yes"
    ]


def test_what_is_chosen_comes_first_then_the_scenarios_default_then_the_rules_first() -> None:
    assert chosen(RULES, OFFERED, {"weather": "rain"}, "meadow") == ["rain", "no"]
    assert chosen(RULES, OFFERED, {}, "meadow") == ["sun", "no"]
    assert chosen(RULES, {}, {}, "meadow") == ["rain", "no"]


@pytest.mark.parametrize(
    ("offered", "given", "told"),
    [
        (OFFERED, {"wasps": "yes"}, "scenario meadow: 'wasps' isn't an option; options are: weather"),
        ({}, {"wasps": "yes"}, "scenario meadow: 'wasps' isn't an option; options are: none"),
        (OFFERED, {"weather": "fog"}, "scenario meadow: option weather can't be 'fog'; values are: rain, sun"),
    ],
)
def test_a_choice_that_is_not_offered_is_refused(offered: dict[str, Choice], given: dict[str, str], told: str) -> None:
    with pytest.raises(BadScenario) as caught:
        chosen(RULES, offered, given, "meadow")
    assert str(caught.value) == told


def test_what_is_reconstructed_is_told_with_where_it_stands() -> None:
    blocks = [("scenario", {"rain": "from the diary", "wasps": "reconstructed"}), ("map", None), ("map", {"x": 1})]
    assert reconstructed(blocks) == ("scenario: wasps",)
