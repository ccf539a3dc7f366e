"""Positions of the Siege of Osaka for perft and random play: small fields written as JSON, and real scenarios.

A position is a dict. Of a scenario: {"scenario", "options"}. Of a small field:

    rows            letters of the hexes row by row, field.yaml explains them; even rows lie half a hex further east
    roads, rivers, impassable, line, entries      as a map file has them, each side or road a string
    units           id -> "SIDE BRANCH STRENGTH-MORALE-MOVE [command N] HEX|waiting"; the id's letters are its force
    turns, held, reinforcements, victory, options as in a scenario file
    turn, phase     where it begins, before the beginning of the phase; `crossed`: the East has been beyond the line

Both may have `answers`, orders in words and dice, which have been given already.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rules.yukimura.small_field import small_field

from pbem.match.game import Game
from pbem.rules import yukimura
from pbem.rules.kit.phases import phase_id
from pbem.rules.requests import Tell
from pbem.rules.yukimura.board import Board
from pbem.rules.yukimura.sequence import PHASES
from pbem.scenario import load_scenario
from systems.play_script import read
from systems.random_play import board_of
from systems.yukimura_slow_land import small_given

Position = Mapping[str, Any]


def game_at(p: Position, hear: Callable[[Tell], None] | None = None) -> Game:
    """The game in a position."""
    board = field_of(p) if "rows" in p else board_of(p["scenario"])
    state = yukimura.start(board, dict(p.get("options", {})))
    if "rows" in p:
        numbers = {phase_id(phase, board.sides): number for number, phase in enumerate(PHASES)}
        state.turn, state.phase, state.crossed = p["turn"], numbers[p["phase"]], bool(p.get("crossed"))
    game = Game(yukimura, board, state, hear)
    for answer in p.get("answers", ()):
        game.apply(read(game, answer.split()))
    return game


def field_of(p: Position) -> Board:
    """The board of a small field."""
    small, tables = small_given(), load_scenario("yao").data["tables"]
    named = {key: p[key] for key in PARTS if key in p}
    letters = [row.split() for row in p["rows"]]
    return yukimura.board(small_field(letters, small["legend"], _forces(p), {**tables, **small["tables"]}, **named))


PARTS = ("roads", "rivers", "impassable", "line", "entries", "held", "reinforcements", "victory", "turns")
"""What a position may say of a small field besides its hexes and units."""


def _forces(p: Position) -> list[dict[str, Any]]:
    forces: dict[str, dict[str, Any]] = {}
    for unit, text in p["units"].items():
        side, branch, values, *rest = text.split()
        strength, morale, move = values.split("-")
        force = unit.split("-")[0]
        data = {"id": unit, "name": unit, "short": unit, "branch": branch, "strength": strength, "morale": morale,
                "move": move}  # fmt: skip
        if rest[0] == "command":
            data |= {"commander": "yes", "command": rest[1]}
        if rest[-1] != "waiting":
            data["at"] = rest[-1]
        forces.setdefault(force, {"id": force, "side": side, "title": force, "men": "300", "units": []})
        forces[force]["units"].append(data)
    return list(forces.values())
