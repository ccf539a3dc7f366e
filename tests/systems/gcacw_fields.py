"""Positions of the Great Campaigns for perft, playthroughs and random play: battles, small fields, entries held.

A position is a dict. Of a scenario: {"scenario"}, with `options`, and with `units` that stand elsewhere than in its
set-up. Of a small field: `rows`, `units`, `roads`, `sides`, `regions`, `choice`, `phase`, `turn` as the builder of
fields for the tests of the rules has them (tests/rules/gcacw/conftest.py). Both may have `answers`, orders in words and
dice, which have been given already.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from matches import scenario_of
from rules.gcacw.small_field import place, state_on

from pbem.match.game import Game
from pbem.rules import gcacw
from pbem.rules.gcacw.board import Board
from pbem.rules.gcacw.state import State
from pbem.rules.requests import Tell
from systems.play_script import read
from systems.random_play import board_of

__all__ = ["HELD", "begun", "game_at"]

HELD = {
    "to-bull-run": (6, {"schurz": "N1633", "hood": "N2734"}),
    "rapidan-to-rappahannock": (6, {"jackson": "S4101", "ap-hill": "S4101", "ewell-b": "S4101", "f-lee": "S4101",
                                    "longstreet": "S4101", "wilcox": "S4101", "king": "S4001", "mcdowell": "S4001",
                                    "ricketts": "S4102", "schurz": "S4201"}),
}  # fmt: skip
"""Scenario -> from which turn on it is played, and who stands where the other side's reinforcements come in, so that it
must choose another hex, or where they are fed by a depot of the enemy's, two leaders in danger among them.
"""

ALONE = ("scenario", "options", "answers", "what", "depth", "nodes", "every")
"""What else a position may have that says nothing of a field."""


def begun(b: Board, options: Mapping[str, str], players: str, hear: Callable[[Tell], None] | None = None) -> Game:
    """A whole game; or the last turns of one in which units stand in each other's way."""
    return Game(gcacw, b, _begun(b, options, players), hear)


def _begun(b: Board, options: Mapping[str, str], players: str) -> State:
    s = gcacw.start(b, options)
    if players == "entries held":
        s.turn, units = HELD[b.scenario]
        for unit, number in units.items():
            s.put(unit, b.parse(number))
    return s


def game_at(p: Mapping[str, Any], hear: Callable[[Tell], None] | None = None) -> Game:
    """The game in a position."""
    game = Game(gcacw, (s := _state(p)).board, s, hear)
    for answer in p.get("answers", ()):
        game.apply(read(game, answer.split()))
    return game


def _state(p: Mapping[str, Any]) -> State:
    if "scenario" not in p:
        more = {key: value for key, value in p.items() if key not in (*ALONE, "rows", "units")}
        return state_on(_shipped(), "\n".join(p["rows"]), p["units"], options=p.get("options"), **more)
    s = gcacw.start(board_of(p["scenario"]), p.get("options", {}))
    more = {key: p[key] for key in ("choice", "phase", "turn") if key in p}
    return place(s, p.get("units", {}), **more) if "units" in p or more else s


@cache
def _shipped() -> Mapping[str, Any]:
    """The data of the first scenario, with its armies and tables."""
    return scenario_of("cedar-mountain").data
