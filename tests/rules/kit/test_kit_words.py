"""The words that every system reads alike, with the units and rooms of a made-up house."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import pytest

from pbem.errors import AmbiguousOrder, MalformedOrder
from pbem.maps.hexes import Hex
from pbem.rules.kit.words import (
    CONDITIONS,
    holds,
    not_understood,
    numbers,
    one_of,
    own_or_any,
    path,
    place_called,
    read_test,
    unit_id,
    way,
    with_words,
)


class Pet(NamedTuple):
    """A unit: its side and what it is called."""

    side: str
    name: str = ""
    short: str = ""


UNITS = {
    "cat-1": Pet("cats", "Tom the Elder", "Tom"),
    "cat-2": Pet("cats", "Tom the Younger, a tabby", "T.2"),
    "dog-1": Pet("dogs", "Rex", "Rex"),
}
CATS, DOGS = ("cat-1", "cat-2"), ("dog-1",)
ROOMS = {"k1": "kitchen-1", "y1": "yard-1"}
STATES = ("asleep", "awake")


class House(NamedTuple):
    """Who lives in it, and its rooms, with numbers as if they were hexes."""

    units: Mapping[str, Pet] = UNITS
    of_side: Mapping[str, tuple[str, ...]] = {"cats": CATS, "dogs": DOGS}
    side: Mapping[str, str] = {"cats": "the cats", "dogs": "the dogs"}
    people: bool = False

    def describe(self, unit: str) -> str:
        return f"{unit} of the {self.units[unit].side}"

    def number(self, word: str) -> str:
        if word not in ROOMS:
            raise MalformedOrder(f"`{word}` is no room")
        return ROOMS[word]

    def parse(self, number: str) -> Hex:
        return Hex(int(number[1:]))


HOUSE = House()
room = HOUSE.number


def read(text: str) -> tuple[str, ...]:
    return read_test(HOUSE, tuple(text.split()), STATES)


def refused(kind: type[MalformedOrder | AmbiguousOrder], call: Callable[..., Any], *given: object) -> str:
    with pytest.raises(kind) as caught:
        call(*given)
    return f"{caught.value.what}; {caught.value.hint}"


def test_a_beginning_stands_for_the_only_unit_that_has_it_and_those_named_first_come_first() -> None:
    assert unit_id(HOUSE, "dog") == "dog-1"
    assert unit_id(HOUSE, "dog", "cats") == "dog-1"
    assert unit_id(HOUSE, "cat-2") == "cat-2"
    assert unit_id(HOUSE, "", "dogs") == "dog-1"
    assert refused(AmbiguousOrder, unit_id, HOUSE, "cat") == (
        "`cat` fits 2 units; write one of cat-1 (Tom the Elder), cat-2 (Tom the Younger, a tabby)"
    )
    assert refused(AmbiguousOrder, unit_id, HOUSE, "", "mice") == (
        "`` fits 3 units; write one of cat-1 (Tom the Elder), cat-2 (Tom the Younger, a tabby), dog-1 (Rex)"
    )
    assert refused(MalformedOrder, unit_id, HOUSE, "dogg") == (
        "no unit is called `dogg`; the nearest is dog-1 of the dogs"
    )
    pack = House({f"dog-{n}": Pet("dogs") for n in range(1, 13)})
    assert refused(MalformedOrder, unit_id, pack, "dog-13") == ("no unit is called `dog-13`; ids are dog-1 to dog-12")
    few = House({f"dog-{n}": Pet("dogs") for n in (2, 4)})
    assert refused(MalformedOrder, unit_id, few, "dog-3") == ("no unit is called `dog-3`; ids are dog-2, dog-4")
    crowd = House({f"u{n}": Pet("crowd") for n in range(9)})
    assert refused(AmbiguousOrder, unit_id, crowd, "u") == (
        "`u` fits 9 units; write one of u0, u1, u2, u3, u4, u5, u6, u7, u8"
    )


MANY = House(
    {
        "in-01": Pet("cats", "1st Infantry", "1R"),
        "in-02": Pet("cats", "2nd Infantry", "2R"),
        "in-10": Pet("cats", "10th Infantry, guns", "Guns"),
        "la-01": Pet("cats", "Lancers", "Lan"),
        "la-03": Pet("cats", "Lancers of the Guard", "Guard"),
        "en-02": Pet("dogs", "2nd Enemy", "2R"),
        "en-04": Pet("dogs", "Guardians", "Gu"),
    },
    {"cats": ("in-01", "in-02", "in-10", "la-01", "la-03"), "dogs": ("en-02", "en-04")},
)


@pytest.mark.parametrize(
    ("word", "unit"),
    [
        ("in-1", "in-01"),  # a number comes before the beginning of in-10
        ("in2", "in-02"),
        ("in-001", "in-01"),
        ("2", "in-02"),  # one's own before the enemy's en-02
        ("3", "la-03"),
        ("4", "en-04"),  # nobody of one's own
        ("10", "in-10"),
        ("la-0", ("la-01", "la-03")),
        ("1", ("in-01", "la-01")),
        ("lancers", "la-01"),  # a whole name, though another begins with it
        ("lanc", ("la-01", "la-03")),
        ("lan", "la-01"),
        ("guard", "la-03"),
        ("guar", "la-03"),  # one's own before the enemy's Guardians
        ("guardi", "en-04"),
        ("1st_infantry", "in-01"),
        ("2nd", "in-02"),
        ("infantry", ("in-01", "in-02", "in-10")),
        ("2r", "in-02"),
        ("10th_infantry_guns", "in-10"),
        ("guns", "in-10"),
        ("gu", "en-04"),
    ],
)
def test_a_unit_has_many_names_and_what_fits_several_is_refused_with_all_of_them(
    word: str, unit: str | tuple[str, ...]
) -> None:
    if isinstance(unit, str):
        assert unit_id(MANY, word, "cats") == unit
        return
    named = [f"{one} ({MANY.units[one].name})" for one in unit]
    told = f"`{word}` fits {len(unit)} units; write one of {', '.join(named)}"
    assert refused(AmbiguousOrder, unit_id, MANY, word, "cats") == told


FAMILY = MANY._replace(
    units={"he-1": Pet("cats", "Kobe Nobutaka", "Nobutaka"), "he-2": Pet("cats", "Kobe Masatake", "Kobe")},
    of_side={"cats": ("he-1", "he-2")},
)


def test_a_family_is_of_all_who_bear_the_name_and_a_formation_of_its_chief() -> None:
    assert unit_id(FAMILY, "kobe", "cats") == "he-2"
    people = FAMILY._replace(people=True)
    assert refused(AmbiguousOrder, unit_id, people, "kobe", "cats") == (
        "`kobe` fits 2 units; write one of he-1 (Kobe Nobutaka), he-2 (Kobe Masatake)"
    )
    assert unit_id(people, "kobe_masatake", "cats") == "he-2"
    assert unit_id(people, "nobutaka", "cats") == "he-1"


@pytest.mark.parametrize(
    ("word", "among", "unit"),
    [
        ("1", ("in-01", "in-02"), "in-01"),
        ("1", ("la-01", "la-03"), "la-01"),
        ("lanc", ("la-03", "in-01"), "la-03"),
        ("3", ("in-01", "in-02"), "la-03"),  # none of those: the rules say why he can't
        ("4", ("in-01", "in-02"), "en-04"),
        ("la-01", ("in-01",), "la-01"),
    ],
)
def test_whom_an_order_can_only_mean_comes_before_all_others(word: str, among: tuple[str, ...], unit: str) -> None:
    assert unit_id(MANY, word, "cats", among) == unit


def test_what_fits_several_of_those_whom_an_order_can_mean_is_refused_with_these() -> None:
    assert refused(AmbiguousOrder, unit_id, MANY, "1", "cats", ("in-01", "la-01", "en-02")) == (
        "`1` fits 2 units; write one of in-01 (1st Infantry), la-01 (Lancers)"
    )


@pytest.mark.parametrize(
    ("word", "near"),
    [
        ("lancrs", "the nearest is la-01 of the cats"),
        ("infantrie", "the nearest is in-01 of the cats"),
        ("gurdians", "the nearest is en-04 of the dogs"),
        ("in-7", "ids are in-01, in-02, in-10"),
        ("xyzzy", "ids are such as in-01"),
        ("li", "ids are such as in-01"),  # too short for the beginning of a name
    ],
)
def test_the_nearest_unit_is_looked_for_among_names_too(word: str, near: str) -> None:
    assert refused(MalformedOrder, unit_id, MANY, word, "cats") == f"no unit is called `{word}`; {near}"


class Paper(NamedTuple):
    """A map, as far as its places go."""

    places: Mapping[str, Hex]

    def describe(self, h: Hex) -> str:
        return f"{h:04}"


SHEETS: Any = (
    Paper({"Yao": Hex(214), "Wakae": Hex(2811), "Wakae castle": Hex(2913), "Magistrate's office": Hex(922)}),
    Paper({"Yaomi": Hex(7), "The Ford": Hex(8), "Ford": Hex(9)}),
)


@pytest.mark.parametrize(
    ("word", "place"),
    [
        ("yao", 214),
        ("YAO", 214),
        ("wakae", 2811),
        ("wakae_castle", 2913),
        ("magistrates_office", 922),
        ("mag", 922),
        ("ford", 9),
        ("theford", 8),
        ("0922", None),
    ],
)
def test_a_place_is_called_by_its_name(word: str, place: int | None) -> None:
    assert place_called(SHEETS, word) == place


def test_a_name_that_fits_several_places_is_refused_with_all_of_them() -> None:
    assert refused(AmbiguousOrder, place_called, SHEETS, "waka") == ("`waka` fits 2 places; write one of 2811, 2913")
    assert refused(MalformedOrder, place_called, SHEETS, "wakaee") == (
        "no place is called `wakaee`; the nearest is 2811"
    )
    for short, fits in (("ya", "0214 and 0007"), ("wa", "2811 and 2913")):
        assert refused(MalformedOrder, place_called, SHEETS, short) == (
            f"no place is called `{short}`; 3 letters of its name are needed at least; it fits {fits}"
        )
    assert refused(MalformedOrder, place_called, SHEETS, "yaa") == "no place is called `yaa`; the nearest is 0214"


def test_a_standing_order_is_for_one_of_ones_own_units_or_any() -> None:
    assert own_or_any(HOUSE, "any", "cats") == "any"
    assert own_or_any(HOUSE, "cat-2", "cats") == "cat-2"
    assert refused(MalformedOrder, own_or_any, HOUSE, "dog", "cats") == (
        "dog-1 of the dogs isn't yours; give standing orders to your own units"
    )


def test_a_way_is_a_direction_or_a_place_and_only_what_ends_in_a_digit_is_one() -> None:
    assert way("north", ("north", "south"), room) == "north"
    assert way("k1", ("north", "south"), room) == "kitchen-1"
    assert refused(MalformedOrder, way, "x9", ("north", "south"), room) == "`x9` is no room; "
    assert refused(MalformedOrder, way, "nort", ("north", "south"), room) == (
        "`nort` is neither a hex nor a direction; the nearest is `north`"
    )
    assert refused(MalformedOrder, way, "home", ("north", "south"), room) == (
        "`home` is neither a hex nor a direction; directions are: north, south"
    )


def test_a_word_is_one_of_those_known() -> None:
    assert one_of("awake", STATES, "state") == "awake"
    assert (
        refused(MalformedOrder, one_of, "awakened", STATES, "state") == "`awakened` is no state; the nearest is `awake`"
    )
    assert refused(MalformedOrder, one_of, "xyz", STATES, "state") == "`xyz` is no state; there are: asleep, awake"
    assert refused(MalformedOrder, one_of, "xyz", (), "state") == "`xyz` is no state; there is none"


@pytest.mark.parametrize(
    ("words", "right"),
    [
        (("move", "cat-1"), "`move cat-1` can't be read; write `move U ROOM`"),
        (("mowe", "cat-1"), "`mowe` is no order; did you mean `move U ROOM`?"),
        (("sing",), "`sing` is no order; there are: move, done"),
        ((), "`` is no order; there are: move, done"),
    ],
)
def test_words_that_are_not_understood_come_back_with_how_they_are_used(words: tuple[str, ...], right: str) -> None:
    error = not_understood(words, {"move": "move U ROOM", "done": "done"}, "order")
    assert f"{error.what}; {error.hint}" == right


def test_paths_and_supporters_as_words() -> None:
    here, there = Hex(0), Hex(1)
    assert numbers({here: "h0", there: "h1"}, (there, here)) == ("h1", "h0")
    assert path(HOUSE, ("h1", "h0")) == (there, here)
    assert with_words(CATS) == ("with", "cat-1", "cat-2")
    assert with_words(()) == ()


@pytest.mark.parametrize(
    ("text", "full"),
    [
        ("gone dog", "gone dog-1"),
        ("alive cat-1", "alive cat-1"),
        ("at dog k1", "at dog-1 kitchen-1"),
        ("empty y1", "empty yard-1"),
        ("held k1 cats", "held kitchen-1 cats"),
        ("is dog asleep", "is dog-1 asleep"),
    ],
)
def test_a_condition_is_read_with_full_words(text: str, full: str) -> None:
    assert read(text) == tuple(full.split())
    assert text.split()[0] in CONDITIONS


@pytest.mark.parametrize(
    ("text", "kind", "right"),
    [
        (
            "gone cat",
            AmbiguousOrder,
            "`cat` fits 2 units; write one of cat-1 (Tom the Elder), cat-2 (Tom the Younger, a tabby)",
        ),
        ("at dog cellar", MalformedOrder, "`cellar` is no room; "),
        ("held k1 mice", MalformedOrder, "`mice` is no side; there are: cats, dogs"),
        ("is dog awakened", MalformedOrder, "`awakened` is no word for a unit's state; the nearest is `awake`"),
        ("is dog", MalformedOrder, "`is dog` can't be read; write `is U WORD`"),
        ("holds k1 dogs", MalformedOrder, "`holds` is no condition; did you mean `held HEX SIDE`?"),
    ],
)
def test_what_is_no_condition_is_refused(text: str, kind: type[MalformedOrder], right: str) -> None:
    assert refused(kind, read, text) == right


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("gone dog-1", True),
        ("gone cat-1", False),
        ("alive dog-1", False),
        ("alive cat-1", True),
        ("at cat-1 kitchen-1", True),
        ("at cat-1 yard-1", False),
        ("at dog-1 kitchen-1", False),
        ("empty kitchen-1", False),
        ("empty yard-1", True),
        ("held kitchen-1 cats", True),
        ("held kitchen-1 dogs", False),
        ("held yard-1 cats", False),
        ("is cat-2 asleep", True),
        ("is cat-2 awake", False),
    ],
)
def test_a_condition_holds_by_what_the_system_says_of_units_and_places(text: str, right: bool) -> None:
    at = {"cat-1": "kitchen-1", "cat-2": "kitchen-1"}
    found = holds(
        tuple(text.split()),
        gone=lambda unit: unit not in at,
        place=at.get,
        empty=lambda place: place not in at.values(),
        held=lambda place, side: {UNITS[unit].side for unit in at if at[unit] == place} == {side},
        state=lambda unit, word: (unit == "cat-2") == (word == "asleep"),
    )
    assert found is right


class Spelt(NamedTuple):
    """A unit with other spellings of its name."""

    side: str
    name: str
    short: str
    also: tuple[str, ...]


def test_a_unit_answers_to_the_other_spellings_of_its_name() -> None:
    house = House(
        {"gen-1": Spelt("cats", "Longstreet", "Longstr.", ("Lngstreet", "Pnell Leg")), "gen-2": Pet("cats", "Long")}
    )
    for word in ("Lngstreet", "lngstreet", "pnell_leg", "longstreet"):
        assert unit_id(house, word) == "gen-1"
    assert unit_id(house, "long") == "gen-2"
    assert "gen-1" in refused(MalformedOrder, unit_id, house, "lngstret")
