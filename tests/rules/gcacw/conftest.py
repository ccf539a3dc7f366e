"""Small battlefields for the tests of the Great Campaigns, the shipped battles, and games with scripted dice."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import Any

import pytest
from rules.field import Battle
from rules.gcacw.small_field import data_on, place, state_on

from pbem.rules import gcacw
from pbem.rules.gcacw.board import Board
from pbem.rules.gcacw.scenario import board
from pbem.rules.gcacw.state import State, start
from pbem.scenario import load_scenario

SCENARIOS = ("cedar-mountain", "lee-vs-pope", "stuarts-raid", "jacksons-march", "to-bull-run")
"""The basic game, in the order of its chapters."""

CAMPAIGNS = ("rapidan-to-rappahannock", "rapidan-to-manassas")
"""The advanced game."""

LATER = ("initiative/",)
"""The rolls behind an action, which a test need not answer."""


@cache
def _board(name: str) -> Board:
    """The board of a shipped scenario, made once."""
    return board(load_scenario(name).data)


@pytest.fixture(scope="session")
def shipped() -> Mapping[str, Any]:
    """The data of the first scenario, with its map, armies and tables."""
    data: Mapping[str, Any] = load_scenario("cedar-mountain").data
    return data


@pytest.fixture(scope="session")
def board_of() -> Callable[[str], Board]:
    """The board of a shipped scenario by its name."""
    return _board


@pytest.fixture
def campaign() -> Callable[..., State]:
    """The builder of a state of a shipped scenario: `campaign("lee-vs-pope", {"hood": "S2414"}, turn=2, choice=...)`.

    Counters that are named stand where their text says, as for `field`; all others as the set-up has them.
    """

    def build(
        name: str, units: Mapping[str, str] | None = None, options: Mapping[str, str] | None = None, **more: Any
    ) -> State:
        return place(start(_board(name), options or {}), units or {}, **more)

    return build


@pytest.fixture
def field_data(shipped: Mapping[str, Any]) -> Callable[..., dict[str, Any]]:
    """The builder of a small battle's data; the arguments are those of `field` that a scenario has."""
    return partial(data_on, shipped)


@pytest.fixture
def field(shipped: Mapping[str, Any]) -> Callable[..., State]:
    """The builder of a state on a small field, with real counters (armies/*.yaml), whose values they have.

    field(
        '''
        . . m          rows of letters (small_field.LEGEND): hex 0302 is the third of row 2; columns stand upright,
        . w .          even ones half a hex further south
        ''',
        {
            "hood": "0101 8",                           hex and manpower; leaders have none
            "longstreet": "0101",
            "king": "0302 18 F2 disorganised demoralised 1 works 2",        state words
        },
        roads={"road": "0101 0201", "ford": ["0101 0102", "0102 0103"]},    by kind: a chain, or several; crossings, too
        sides={"minor_river": "0101/0201", "creek": [...]},
        regions={"Stafford": "0101 0102"}, places={"Culpeper": "0101"},
        turn=1, turns=3,
        choice="union",                                 who orders an action; None: the dice decide
        phase="cycle",                                  or "union-transfer" ...; begun already, unless opened=False
        scenario={"holds": [...]},                      blocks of the scenario file
        options={"restricted-zones": "stop"},
    )
    """
    return partial(state_on, shipped)


@pytest.fixture
def battle(field: Callable[..., State]) -> Callable[..., Battle]:
    """The builder of a game on such a field, with orders in words: `battle(rows, units, choice="union")`."""

    def build(*given: Any, **more: Any) -> Battle:
        s = field(*given, **more)
        return Battle(gcacw, s.board, s, LATER)

    return build


@pytest.fixture
def game(campaign: Callable[..., State]) -> Callable[..., Battle]:
    """The builder of a game of a shipped scenario, begun as `campaign` has it."""

    def build(*given: Any, **more: Any) -> Battle:
        s = campaign(*given, **more)
        return Battle(gcacw, s.board, s, LATER)

    return build
