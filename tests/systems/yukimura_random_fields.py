"""Random small positions of the Siege of Osaka, in the form that yukimura_fields explains."""

from __future__ import annotations

import random
from collections import Counter
from itertools import pairwise
from typing import Any

from systems.yukimura_slow_land import Place, around, number

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
    turn = str(chance.randrange(1, 3))
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
        line = {"force": force, "until": chance.choice(["2", "3", "never"])}
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
