"""Small fields for the tests of the Sengoku rules, and the shipped scenario."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from rules.field import letters_of
from rules.sengoku.small_field import small_field

from pbem import strictyaml
from pbem.resources import data_folder
from pbem.rules.sengoku.board import Board
from pbem.rules.sengoku.scenario import board
from pbem.rules.sengoku.state import State, start

DRAFT = data_folder("scenarios") / "sengoku" / "draft"


def read(name: str) -> Any:
    """The data of a file of the system."""
    return strictyaml.load((DRAFT / name).read_bytes(), name)


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

    def build(rows: str, castles: Mapping[str, str] | None = None, **more: Any) -> dict[str, Any]:
        letters = letters_of(rows)
        letters += [[], ["."]]  # the spare hex
        width = max(map(len, letters))
        filled = [[*row, *["-"] * (width - len(row))] for row in letters]
        return small_field(filled, shipped, castles or {}, f"{len(letters):02}01", **more)

    return build


@pytest.fixture
def field(field_data: Callable[..., dict[str, Any]]) -> Callable[..., State]:
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

    def build(
        rows: str,
        forces: Mapping[str, str] | None = None,
        *,
        turn: int = 1,
        stage: int = 1,
        options: Mapping[str, str] | None = None,
        **more: Any,
    ) -> State:
        s = start(board(field_data(rows, **more)), options or {})
        s.turn, s.stage = turn, stage
        for names, text in (forces or {}).items():
            _place(s, tuple(names.split()), text.split())
        s.left.clear()
        return s

    return build


def _place(s: State, units: tuple[str, ...], words: list[str]) -> None:
    """Put a force where its text says and in the state it says."""
    s.waiting = {name: tuple(u for u in waiting if u not in units) for name, waiting in s.waiting.items()}
    force = s.form(units, s.board.parse(words[0]))
    if "shut-in" in words:
        s.shut(force)
    if "besieging" in words:
        s.besiege(force)
    if "morale" in words:
        s.set_morale(force, int(words[words.index("morale") + 1]))
    if "reduced" in words:
        s.reduced.update(word for word in words if word in units)
    if "acted" in words:
        s.acted.update(units)
    if "under-superior" in words:
        s.under_superior.update(units)
