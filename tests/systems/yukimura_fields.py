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

import random
from collections import Counter
from collections.abc import Callable, Mapping
from itertools import pairwise
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
from systems.slow_map import Place, around, number
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


# --- random positions ----------------------------------------------------------------------------------------------

SIDES = {"go": "osaka", "ak": "osaka", "da": "east", "ii": "east"}
BRANCHES = ("foot", "rifle", "mounted", "mounted-rifle")


def random_field(chance: random.Random) -> dict[str, Any]:
    """A field with terrain, roads, rivers and a line, units, and any of what scenarios have."""
    p: dict[str, Any] = {"what": "random", "turns": chance.randrange(1, 4)}
    p["turn"] = chance.randrange(1, p["turns"] + 1)
    p["phase"] = chance.choice(
        ["east-move", "osaka-defence", "east-combat", "osaka-move", "east-defence", "osaka-combat"]
    )
    rows, columns = chance.choice([(5, 6), (6, 7), (7, 8)])
    cells = {("", r, c): chance.choices(".wm~o-", (20, 6, 6, 2, 2, 1))[0] for r in range(1, rows + 1)
             for c in range(1, columns + 1)}  # fmt: skip
    land = [h for h, letter in cells.items() if letter != "-"]
    near = {h: [n for n in around(h) if n in land] for h in land}
    roads = _roads(chance, land, near)
    joined = {frozenset(pair) for road in roads for pair in pairwise(road)}
    sides = sorted({(min(a, b), max(a, b)) for a in land for b in near[a]})
    p["roads"] = [" ".join(map(number, road)) for road in roads]
    p["rivers"] = [side(a, b) for a, b in sides if chance.random() < 0.12]
    p["impassable"] = [side(a, b) for a, b in sides if chance.random() < 0.08 and frozenset((a, b)) not in joined]
    spots = [h for h in land if cells[h] != "~" or any(h in pair for pair in joined)]
    p["units"] = _units(chance, spots)
    p["line"] = []
    if chance.random() < 0.5:
        last = chance.randrange(1, columns)
        p["line"] = [side(a, b) for a, b in sides if (a[2] <= last) != (b[2] <= last)]
    edge = [h for h in land if len(near[h]) < 6]
    gates = [h for h in edge if any(h in pair for pair in joined)] or edge
    p["entries"] = {
        "east": number(chance.choice(gates)),
        "south": " ".join(sorted({number(chance.choice(gates)), number(chance.choice(edge))})),
    }
    p["reinforcements"] = _reinforcements(chance, p)
    p["held"] = _held(chance, p)
    p["victory"] = _victory(chance, p["units"], bool(p["line"]), [number(h) for h in edge if h[2] == 1])
    if chance.random() < 0.2:
        star = chance.choice(spots)
        cells[star], p["victory"]["star"] = "*", number(star)
    p["rows"] = [" ".join(cells["", r, c] for c in range(1, columns + 1)) for r in range(1, rows + 1)]
    p["crossed"] = bool(p["line"]) and chance.random() < 0.3
    p["options"] = {
        "ishikawa-reading": chance.choice(["gate", "release"]),
        "command-range": chance.choice(["no", "yes"]),
        "command-freezes-movement": chance.choice(["no", "yes"]),
    }
    return p


def crowded_field(chance: random.Random) -> dict[str, Any]:
    """A few strong attackers at the east edge of an open field, and many shaky units in close order before them."""
    rows, columns = 6, 9
    cells = {("", r, c): chance.choices(".m", (9, 1))[0] for r in range(1, rows + 1) for c in range(1, columns + 1)}
    units: dict[str, str] = {}
    for h in [h for h in cells if 3 <= h[2] <= 7 and chance.random() < 0.75]:
        morale = chance.choice("1122223*")
        units[f"go-{len(units) + 1:02}"] = f"osaka {chance.choice(BRANCHES)} 1-{morale}-3 {number(h)}"
    for i, h in enumerate([h for h in cells if h[2] == 8 and chance.random() < 0.8], 1):
        values = f"{chance.randrange(3, 7)}-{chance.choice('234')}-3"
        units[f"da-{i:02}"] = f"east {chance.choice(BRANCHES)} {values} {number(h)}"
    if not any(unit.startswith("da") for unit in units):
        units["da-01"] = "east rifle 5-3-3 0308"
    return {
        "what": "crowded", "turns": 1, "turn": 1, "phase": "east-combat", "units": units,
        "rows": [" ".join(cells["", r, c] for c in range(1, columns + 1)) for r in range(1, rows + 1)],
    }  # fmt: skip


def side(a: Place, b: Place) -> str:
    return f"{number(a)}/{number(b)}"


def _roads(chance: random.Random, land: list[Place], near: dict[Place, list[Place]]) -> list[list[Place]]:
    roads = []
    for _ in range(chance.randrange(4)):
        road = [chance.choice(land)]
        for _ in range(chance.randrange(2, 11)):
            onward = [h for h in near[road[-1]] if h not in road]
            if not onward:
                break
            road.append(chance.choice(onward))
        roads += [road] if len(road) > 1 else []
    return roads


def _units(chance: random.Random, spots: list[Place]) -> dict[str, str]:
    units: dict[str, str] = {}
    count: Counter[str] = Counter()
    for h in chance.sample(spots, min(chance.randrange(4, 13), len(spots) - 4)):
        force = chance.choice(list(SIDES))
        count[force] += 1
        command = f"command {chance.choice([3, 5])} " if chance.random() < 0.25 else ""
        values = f"{chance.randrange(1, 7)}-{chance.choice('1122334*')}-{chance.randrange(1, 6)}"
        units[f"{force}-{count[force]:02}"] = f"{SIDES[force]} {chance.choice(BRANCHES)} {values} {command}{number(h)}"
    return units


def _reinforcements(chance: random.Random, p: dict[str, Any]) -> list[dict[str, str]]:
    found = []
    turn = str(min(chance.randrange(1, 3), p["turns"]))
    if chance.random() < 0.5:
        p["units"] |= {"td-01": "east rifle 3-3-3 waiting", "td-02": "east foot 3-2-2 waiting"}
        found.append({"force": "td", "turn": turn, "edge": "east", "die": chance.choice("003")})
    if chance.random() < 0.4:
        p["units"] |= {"hi-01": "osaka rifle 3-3-3 waiting", "hi-02": "osaka mounted 3-2-5 waiting"}
        found.append({"force": "hi", "turn": turn, "edge": "south", "die": "4", "beside": "yes"})
        if p["turn"] == 1 and chance.random() < 0.8:
            p["phase"] = "start"
    return found


def _held(chance: random.Random, p: dict[str, Any]) -> list[dict[str, str]]:
    found = []
    for force in ("go", "ak", "da", "td"):
        if not any(unit.startswith(force) for unit in p["units"]) or chance.random() < 0.7:
            continue
        until = chance.choice(["2", "3", "never"])
        line = {"force": force, "until": "never" if until > str(p["turns"]) else until}
        if p["line"] and chance.random() < 0.5:
            line["die"] = "3"
        if p["line"] and chance.random() < 0.5 and line["until"] != "never":
            line["gate"] = "yes"
        found.append(line)
    return found


def _victory(chance: random.Random, units: dict[str, str], line: bool, west: list[str]) -> dict[str, Any]:
    found: dict[str, Any] = {"otherwise": chance.choice(["draw", "osaka"])}
    if line and chance.random() < 0.6:
        found["west-of-line"] = "2"
    leaders = {
        name: [u for u, text in units.items() if text.startswith(name) and "command" in text][:1]
        for name in ("east", "osaka")
    }
    leaders = {name: some for name, some in leaders.items() if some}
    if leaders and chance.random() < 0.4:
        found["collapse"] = leaders
        found["superior-power"] = chance.choice(["no", "yes"])
    if west and chance.random() < 0.2:
        found["breakthrough"] = [chance.choice(west)]
    return found
