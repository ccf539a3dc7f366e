"""Positions of the Siege of Osaka for perft and random play: small fields written as JSON, and real scenarios.

A position is a dict. Of a scenario: {"scenario", "options"}. Of a small field:

    rows            letters of the hexes row by row, `LEGEND` explains them; even rows lie half a hex further east
    roads, rivers, impassable, line, entries      as a map file has them, each side or road a string
    units           id -> "SIDE BRANCH STRENGTH-MORALE-MOVE [command N] HEX|waiting"; the id's letters are its force
    turns, held, reinforcements, victory, options as in a scenario file
    turn, phase     where it begins, before the beginning of the phase; `crossed`: the East has been beyond the line

Both may have `answers`, orders in words and dice, which have been given already.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

from rules.field import map_data, options_data

from pbem.match.game import Game
from pbem.rules import yukimura
from pbem.rules.kit.phases import phase_id
from pbem.rules.requests import Choose, Tell
from pbem.rules.yukimura.board import Board
from pbem.rules.yukimura.sequence import PHASES
from pbem.rules.yukimura.state import OPTIONS
from pbem.scenario import load_scenario

LEGEND = {
    ".": ["flat"], "w": ["marsh"], "m": ["mountain"], "~": ["large_river"], "o": ["flat", "mound"],
    "*": ["mountain", "star"], "-": {},
}  # fmt: skip

FIRING = """
      1-2 3-4 5-6 7-8 9+
  2     -   -   -   -  0
  3     -   -   -   0  1
  4     -   -   0   1  1
  5     -   0   1   1  2
  6     -   0   1   2  2
  7     0   1   1   2  3
  8     0   1   2   3  3
  9     1   2   2   3  4
 10     1   2   3   4  4
 11     2   3   4   4  E
 12     3   4   E   E  E
"""
HAND_TO_HAND = """
     <=-3 -2..-1   0 +1..+2 +3..+4 >=+5
  2    AE     AE  A4     A3     A2   A1
  3    AE     A4  A3     A2     A1   B1
  4    A4     A3  A2     A1     B1   D1
  5    A3     A2  A1     B1     D1   D1
  6    A2     A1  B1     D1     D1   D2
  7    A1     B1  B1     D1     D2   D3
  8    A1     B1  D1     D2     D3   D3
  9    B1     D1  D2     D3     D3   D4
 10    B1     D1  D2     D3     D4   D4
 11    D1     D2  D3     D4     D4   DE
 12    D2     D3  D4     D4     DE   DE
"""
"""The tables of the small fields: the first row has the columns, the first column the sum of the dice."""

Position = Mapping[str, Any]


def split_table(text: str) -> tuple[list[str], dict[str, list[str]]]:
    """The columns' headings, and sum of the dice -> the cells."""
    first, *rest = [line.split() for line in text.strip().splitlines()]
    return first, {row: cells for row, *cells in rest}


def game_at(p: Position, hear: Callable[[Tell], None] | None = None) -> Game:
    """The game in a position."""
    board = board_of(p)
    state = yukimura.start(board, dict(p.get("options", {})))
    if "rows" in p:
        numbers = {phase_id(phase, board.sides): number for number, phase in enumerate(PHASES)}
        state.turn, state.phase, state.crossed = p["turn"], numbers[p["phase"]], bool(p.get("crossed"))
    game = Game(yukimura, board, state, hear)
    for answer in p.get("answers", ()):
        game.apply(read_answer(game, answer))
    return game


def read_answer(game: Game, words: str) -> Any:
    """An answer to the pending request: an order in words, or dice."""
    if isinstance(game.request, Choose):
        return yukimura.read_order(game.board, game.request.side, tuple(words.split()))
    return tuple(int(word) for word in words.split())


def board_of(p: Position) -> Board:
    """The board of a position; one for each scenario."""
    if "rows" in p:
        return yukimura.board(field_data(p))
    return _scenario_board(p["scenario"])


@lru_cache(maxsize=4)
def _scenario_board(name: str) -> Board:
    return yukimura.board(load_scenario(name).data)


def field_data(p: Position) -> dict[str, Any]:
    """What `yukimura.board` needs to know of a small field."""
    army = {"army": "field", "map": "field", "provenance": {"units": "test"}, "forces": _forces(p)}
    scenario = {
        "scenario": "field",
        "system": "yukimura",
        "edition": yukimura.EDITION,
        "title": "A small field",
        "maps": ["field"],
        "armies": ["field"],
        "turns": str(p.get("turns", 12)),
        "options": options_data(OPTIONS),
        "sides": [{"id": "east", "title": "Eastern Army"}, {"id": "osaka", "title": "Osaka Army"}],
        "held": p.get("held", []),
        "reinforcements": p.get("reinforcements", []),
        "victory": {"otherwise": "draw", **p.get("victory", {})},
    }
    sides = {"small_river": p.get("rivers", ()), "impassable": p.get("impassable", ()), "line": p.get("line", ())}
    letters = [row.split() for row in p["rows"]]
    drawn = map_data(letters, LEGEND, p.get("roads", ()), sides, entries=p.get("entries", {}))
    return {"scenario": scenario, "maps": {"field": drawn}, "armies": {"field": army}, "tables": _tables()}


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


@lru_cache(maxsize=1)
def _tables() -> dict[str, Any]:
    found: dict[str, Any] = dict(load_scenario("yao").data["tables"])
    for name, key, text in (
        ("firing_results_table", "columns_combat_strength", FIRING),
        ("hand_to_hand_results_table", "columns_strength_difference", HAND_TO_HAND),
    ):
        headings, rows = split_table(text)
        found[name] = {"provenance": "test", key: headings, "rows_2d6": rows}
    return found
