"""Positions of campaigns for perft, playthroughs and random play: small fields, and Shizugatake in its last inning.

A position is a dict. Of the scenario: {"scenario"}, before its deployment, with `late` in its last inning. Of a small
field:

    rows                        letters of the hexes, the first row its even one; small_field.py explains them
    forces, castles, more       as the builder of fields for the tests of the rules has them
    turn, phase                 where it begins, before the beginning of the phase

Both may have `answers`, orders in words and dice, which have been given already.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from matches import scenario_of
from rules.sengoku.small_field import state_on

from pbem.match.game import Game
from pbem.rules import sengoku
from pbem.rules.kit.phases import phase_id
from pbem.rules.requests import Tell
from pbem.rules.sengoku import deployment
from pbem.rules.sengoku.board import Board
from pbem.rules.sengoku.sequence import FIRST, PHASES
from pbem.rules.sengoku.state import State
from systems.play_script import read
from systems.random_play import board_of

__all__ = ["game_at", "last_inning", "late"]

LATE = {
    "hb-01": "4412", "hb-02": "4312", "sb-01": "4411", "sb-02": "4311", "kt-05": "5314",
    "hb-35": "4723", "gm-01": "4723", "tk-01": "4723", "tk-08": "4822",
    "sb-03": "4015", "md-01": "4015", "nw-01": "4015",
}  # fmt: skip
"""Forces that have gone from where they were deployed: to Shizugatake, before Gifu, to Kameyama and Omizo."""

INSIDE, BEFORE = ("tk-01", "nw-01"), ("hb-35", "gm-01", "sb-03", "md-01")
"""Those of them that are shut up in a castle, and that besiege one; both are about to fall."""


def late(b: Board, options: Mapping[str, str], hear: Callable[[Tell], None] | None = None) -> Game:
    """The scenario at the beginning of its last inning: two commanders-in-chief in contact, two sieges, an attack."""
    return Game(sengoku, b, _late(b, options), hear)


def _late(b: Board, options: Mapping[str, str]) -> State:
    s = sengoku.start(b, options)
    for side in sorted(b.sides, key=lambda side: side.deploys):
        for _ in deployment.close(s, side.id):
            pass
    for force, number in LATE.items():
        s.put(force, b.parse(number))
    for force in INSIDE:
        s.shut(force)
        s.set_morale(force, -4)
        s.durability[b.castle_in[s.at[force]]] = 4
    for force in BEFORE:
        s.besiege(force)
    s.turn, s.phase = b.turns, FIRST
    return s


def last_inning(b: Board, options: Mapping[str, str], hear: Callable[[Tell], None] | None = None) -> Game:
    """The scenario before its deployment, but that there is one inning."""
    s = sengoku.start(b, options)
    s.turn = b.turns
    return Game(sengoku, b, s, hear)


def game_at(p: Mapping[str, Any], hear: Callable[[Tell], None] | None = None) -> Game:
    """The game in a position."""
    game = _begun(p, hear)
    for answer in p.get("answers", ()):
        game.apply(read(game, answer.split()))
    return game


def _begun(p: Mapping[str, Any], hear: Callable[[Tell], None] | None) -> Game:
    if "scenario" in p:
        b = board_of(p["scenario"])
        return late(b, {}, hear) if "late" in p else Game.new(sengoku, b, {}, hear)
    s = state_on(_shipped(), "\n".join(p["rows"]), p["forces"], castles=p.get("castles", {}), **p.get("more", {}))
    s.turn = p["turn"]
    s.phase = next(number for number, phase in enumerate(PHASES) if phase_id(phase, s.board.sides) == p["phase"])
    s.stage = int(p["phase"][-1]) if p["phase"][-1].isdecimal() else 0
    return Game(sengoku, s.board, s, hear)


@cache
def _shipped() -> Mapping[str, Any]:
    """The data of the scenario."""
    return scenario_of("shizugatake").data
