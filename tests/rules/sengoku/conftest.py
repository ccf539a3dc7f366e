"""Small fields for the tests of the Sengoku rules, and the shipped scenario."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import pytest
from rules.sengoku.small_field import data_on, state_on

from pbem import strictyaml
from pbem.resources import data_folder
from pbem.rules.sengoku.board import Board
from pbem.rules.sengoku.scenario import board
from pbem.rules.sengoku.state import State, start

DATA = data_folder("scenarios") / "sengoku"


def read(name: str) -> Any:
    """The data of a file of the system."""
    return strictyaml.load((DATA / name).read_bytes(), name)


@pytest.fixture(scope="session")
def shipped() -> Mapping[str, Any]:
    """The shipped scenario with its map, armies and tables, as data."""
    armies = {name: read(f"armies/{name}.yaml") for name in ("hashiba", "anti-hashiba")}
    maps = {"kinai": read("maps/kinai.yaml")}
    return {"scenario": read("shizugatake.yaml"), "maps": maps, "armies": armies, "tables": read("tables.yaml")}


@pytest.fixture(scope="session")
def shizugatake(shipped: Mapping[str, Any]) -> Board:
    """The board of the shipped scenario."""
    return board(shipped)


@pytest.fixture
def campaign(shizugatake: Board) -> State:
    """The shipped scenario before its deployment."""
    return start(shizugatake, {})


@pytest.fixture
def field_data(shipped: Mapping[str, Any]) -> Callable[..., dict[str, Any]]:
    """The builder of a small campaign's data; the arguments are `field`'s but for the forces."""
    return partial(data_on, shipped)


@pytest.fixture
def field(shipped: Mapping[str, Any]) -> Callable[..., State]:
    """The builder of a state on a small field, on which all officers wait but those named.

    field(
        '''
        . . M          rows of letters (LEGEND), half-shifted rows as they come: even rows lie further east
         . s .
        ''',
        {
            "hb-01 hb-04 hb-06": "0101",                leader and units under him, in a hex
            "sb-02": "0203 shut-in",                    state words: shut-in, besieging, acted, under-superior
            "sb-03 sb-04": "0203 morale -2",            lowered morale
            "hb-02 hb-07": "0102 reduced hb-07",        units on their back
        },
        castles={"gifu": "0203 kobe 4", "sone": "0101 inaba 0 3", "ono": "0102 nobody 1 0"},
                                                        hex, owner, level and durability (10)
        rivers=("0101/0201",), lakes=(), bridges=("0101 0201",),
        provinces={"Echizen": "0101 0102"},
        main={"kobe": "gifu"}, sources={"mori": "0101"}, where lines begin; of other armies off the field
        values={"hb-04": {"front": "9"}},               other values of officers
        scenario={"closed": [...]},                     blocks of the scenario file
        turn=1, stage=1,
        options={"assault-without-siege": "yes"},
    )
    """
    return partial(state_on, shipped)
