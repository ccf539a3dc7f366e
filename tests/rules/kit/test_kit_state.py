"""Copying, dumping and loading by a table of fields, with a made-up state that has one field of each kind."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import pytest

from pbem.maps.hexes import Hex
from pbem.rules.bakumatsu import state as bakumatsu
from pbem.rules.kit.state import (
    BOARD,
    FIXED,
    HOLDERS,
    IDS,
    LISTS,
    NUMBERS,
    PLACES,
    STANDS,
    copier,
    dumper,
    listed,
    loader,
    named,
    stands,
)
from pbem.rules.yukimura import state as yukimura


class Animal(NamedTuple):
    side: str


class Board:
    label: Mapping[Hex, str] = {Hex(4): "0104", Hex(2): "0102"}
    side = ("birds", "beasts", "fish")
    units: Mapping[str, Animal] = {"owl": Animal("birds"), "bat": Animal("beasts"), "fox": Animal("beasts")}

    def parse(self, number: str) -> Hex:
        return Hex(int(number[-1]))


class Weather(NamedTuple):
    sky: str
    wind: int


@dataclass(slots=True)
class State:
    board: Board
    options: Weather
    day: int = 1
    awake: set[str] = field(default_factory=lambda: {"owl", "bat"})
    legs: dict[str, int] = field(default_factory=lambda: {"owl": 2, "bat": 4})
    nests: dict[str, tuple[str, ...]] = field(default_factory=lambda: {"oak": ("owl", "bat"), "ash": ()})
    at: dict[str, Hex] = field(default_factory=lambda: {"owl": Hex(4), "bat": Hex(2)})
    owner: dict[Hex, str] = field(default_factory=lambda: {Hex(4): "owl", Hex(2): "bat"})
    stands: dict[str, dict[Hex, str]] = field(
        default_factory=lambda: {"birds": {Hex(4): "owl"}, "beasts": {Hex(2): "bat"}, "fish": {}}
    )
    ended: Weather | None = None


TABLE = {
    "board": BOARD,
    "options": named(Weather, ("the-sky", "the-wind")),
    "day": FIXED,
    "awake": IDS,
    "legs": NUMBERS,
    "nests": LISTS,
    "at": PLACES,
    "owner": HOLDERS,
    "stands": STANDS,
    "ended": listed(Weather),
}
dump, load = dumper(TABLE), loader(State, TABLE)
DUMP = {
    "options": {"the-sky": "grey", "the-wind": 3},
    "day": 1,
    "awake": ["bat", "owl"],
    "legs": {"bat": 4, "owl": 2},
    "nests": {"oak": ["owl", "bat"], "ash": []},
    "at": {"bat": "0102", "owl": "0104"},
    "owner": {"0102": "bat", "0104": "owl"},
    "ended": None,
}
STATE_AND_TABLE = [(bakumatsu.State, bakumatsu.FIELDS), (yukimura.State, yukimura.FIELDS)]


@pytest.fixture
def state() -> State:
    return State(Board(), Weather("grey", 3))


def test_a_dump_is_sorted_json_with_hexes_by_their_numbers(state: State) -> None:
    assert dump(state) == DUMP
    assert json.dumps(dump(state)) == json.dumps(DUMP)


def test_loading_is_the_inverse_of_dumping(state: State) -> None:
    state.ended = Weather("clear", 0)
    data = json.loads(json.dumps(dump(state)))
    assert data["ended"] == ["clear", 0]
    assert load(state.board, data) == state


def test_what_is_empty_may_be_left_out_of_a_dump_and_comes_back_as_it_was(state: State) -> None:
    table = TABLE | {
        "day": FIXED._replace(spare=0),
        "awake": IDS._replace(spare=()),
        "legs": NUMBERS._replace(spare=()),
    }
    state.day, state.awake, state.legs = 0, set(), {}
    data = dumper(table)(state)
    assert not {"day", "awake", "legs"} & {*data}
    assert loader(State, table)(state.board, data) == state


def test_a_copy_is_equal_and_independent_and_shares_what_never_changes(state: State) -> None:
    before = dump(state)
    twin = copier(State, TABLE)(state)
    assert twin == state
    assert twin.board is state.board
    twin.day += 1
    twin.awake.add("fox")
    twin.legs["fox"] = 4
    twin.nests["oak"] = ()
    twin.at["fox"] = Hex(2)
    twin.owner[Hex(2)] = "fox"
    twin.stands["birds"][Hex(2)] = "bat"
    assert dump(state) == before
    assert state.stands == {"birds": {Hex(4): "owl"}, "beasts": {Hex(2): "bat"}, "fish": {}}


def test_of_two_units_in_a_place_the_one_named_last_stands_on_top() -> None:
    at = {"fox": Hex(2), "owl": Hex(2), "bat": Hex(2)}
    assert stands(Board(), at) == {"birds": {Hex(2): "owl"}, "beasts": {Hex(2): "bat"}, "fish": {}}


def test_a_table_that_lacks_a_field_makes_no_copier() -> None:
    with pytest.raises(KeyError, match="day"):
        copier(State, {name: what for name, what in TABLE.items() if name != "day"})


@pytest.mark.parametrize(("kind", "table"), STATE_AND_TABLE)
def test_the_table_of_a_system_has_the_fields_of_its_state_and_no_others(kind: Any, table: dict[str, Any]) -> None:
    assert list(table) == list(kind.__slots__)
