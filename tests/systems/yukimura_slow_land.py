"""What is given in a battle of the Siege of Osaka, for the second reading: maps, units, scenario, tables.

It shares no code with pbem: it reads positions and scenario files itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import yaml

from systems.slow_map import Place, Side, around, place, rows_of, sides_of, steps_of

FOLDER = Path(__file__).parents[2] / "scenarios" / "yukimura"
SMALL = Path(__file__).parent / "perft" / "yukimura" / "field.yaml"
POINTS = {"flat": 1, "marsh": 2, "mountain": 2}
NO_WAY = 99


def steps_between(a: Place, b: Place) -> int:
    """Hexes from one place to another; half a row's step to the side comes with each step to another row."""
    if a[0] != b[0]:
        return NO_WAY
    up = abs(a[1] - b[1])
    aside = abs(2 * a[2] + (a[1] % 2 == 0) - 2 * b[2] - (b[1] % 2 == 0))
    return up + max(0, aside - up) // 2


# --- what is given -------------------------------------------------------------------------------------------------


class Land:
    """The maps as their files, or a position, have them."""

    def __init__(self) -> None:
        self.ground: dict[Place, str] = {}
        self.roads: set[Side] = set()
        self.sides: dict[str, set[Side]] = {"small_river": set(), "impassable": set(), "line": set()}
        self.entries: dict[str, list[Place]] = {}

    def add(self, cells: Iterable[tuple[Place, str]], legend: Mapping[str, Any], roads: Iterable[str],
            sides: Iterable[tuple[str, str]], prefix: str = "") -> None:  # fmt: skip
        """A map: letters and what they mean, chains of roads, kinds and chains of hexsides."""
        for here, cell in cells:
            if legend[cell]:
                ranked = [kind for kind in ("large_river", "mountain", "marsh") if kind in legend[cell]]
                self.ground[here] = ranked[0] if ranked else "flat"
        self.roads |= steps_of(roads, prefix)
        for kind, chain in sides:
            self.sides[kind] |= sides_of(chain, prefix)

    def near(self, here: Place) -> list[Place]:
        return [h for h in around(here) if h in self.ground]

    def passable(self, a: Place, b: Place) -> bool:
        """Whether a unit can go over a side: by road always, else no impassable side and no large river."""
        side = frozenset((a, b))
        if side in self.sides["impassable"]:
            return False
        return side in self.roads or "large_river" not in (self.ground[a], self.ground[b])

    def holds(self, here: Place) -> bool:
        """Whether a unit can ever be in a hex: a large river needs a road."""
        return self.ground[here] != "large_river" or bool(self.road_ends(here))

    def touch(self, a: Place, b: Place) -> bool:
        """Whether ZOC, hand-to-hand combat, retreat and advance go over a side: all but impassable ones."""
        return frozenset((a, b)) not in self.sides["impassable"] and self.holds(a) and self.holds(b)

    def price(self, a: Place, b: Place) -> int:
        """Points for the step from a to the adjacent b; more than anybody has where there is no way."""
        side = frozenset((a, b))
        if not self.passable(a, b):
            return NO_WAY
        return 1 if side in self.roads else POINTS[self.ground[b]] + (side in self.sides["small_river"])

    def road_ends(self, here: Place) -> list[Place]:
        return [h for h in self.near(here) if frozenset((here, h)) in self.roads]

    def edge(self, here: Place) -> bool:
        return any(h not in self.ground for h in around(here))

    def beyond_line(self) -> set[Place]:
        """All that can be reached from the west edge without crossing the line."""
        found: set[Place] = set()
        for m in {h[0] for h in self.ground}:
            mine = [h for h in self.ground if h[0] == m]
            if not any(a[0] == m for side in self.sides["line"] for a in side):
                continue
            todo = [h for h in mine if h[2] == 1]
            while todo:
                here = todo.pop()
                if here not in found:
                    found.add(here)
                    todo += [h for h in self.near(here) if frozenset((here, h)) not in self.sides["line"]]
        return found


class Given:
    """All that never changes in a battle."""

    def __init__(self) -> None:
        self.land = Land()
        self.units: dict[str, dict[str, Any]] = {}
        self.forces: dict[str, list[str]] = {}
        self.held: dict[str, dict[str, Any]] = {}
        self.arrivals: dict[str, dict[str, Any]] = {}
        self.victory: dict[str, Any] = {}
        self.turns = 12
        self.tables: dict[str, tuple[list[int], dict[int, list[str]]]] = {}

    def finish(self, scenario: Mapping[str, Any], home: Mapping[str, str]) -> Given:
        """The blocks of a scenario; `home` has the map of each force, "" when it may be any."""
        self.turns = int(scenario.get("turns", 12))
        self.held = {line["force"]: dict(line) for line in scenario.get("held", ())}
        for line in scenario.get("reinforcements", ()):
            gates = [h for h in self.land.entries.get(line["edge"], ()) if home.get(line["force"], "?") in ("?", h[0])]
            self.arrivals[line["force"]] = {**line, "hexes": gates}
        self.victory = dict(scenario.get("victory", {}))
        lines = any(flag(h.get("gate")) or int(h.get("die", 0)) for h in self.held.values())
        used = lines or bool(self.victory.get("west-of-line"))
        self.west = frozenset(self.land.beyond_line()) if used else frozenset()
        gates_open = [int(h["until"]) for h in self.held.values() if flag(h.get("gate"))]
        self.gate = max(gates_open, default=0)
        return self

    def side(self, unit: str) -> str:
        return str(self.units[unit]["side"])

    def cell(self, table: str, amount: int, shift: int, total: int) -> str:
        """The result for a strength or difference, some columns further, and a sum of two dice."""
        starts, rows = self.tables[table]
        column = 0
        while column + 1 < len(starts) and starts[column + 1] <= amount:
            column += 1
        return rows[total][max(0, min(len(starts) - 1, column + shift))]


@lru_cache(maxsize=64)
def threatened(land: Land, hexes: frozenset[Place]) -> frozenset[Place]:
    """All hexes in the ZOC of a unit in one of these."""
    return frozenset(n for h in hexes for n in land.near(h) if land.touch(h, n))


def flag(value: object) -> bool:
    return value in (True, "yes")


def starts_of(headings: Iterable[object]) -> list[int]:
    """Where each column begins, from headings such as `1-2`, `<=-3`, `-2..-1`, `0`, `13+`, `>=+5`."""
    found = []
    for heading in map(str, headings):
        text = heading.removeprefix("<=").removeprefix(">=").split("..")[0].removesuffix("+")
        found.append(int(text if text[0] in "+-" else text.split("-")[0]))
    return found


def given_by(p: Mapping[str, Any]) -> Given:
    """What a position gives: a small field with the tables and letters of small fields, or a scenario's files."""
    if "scenario" in p:
        return scenario_given(p["scenario"])
    g = Given()
    add_tables(g, small_given()["tables"])
    cells = [(("", i, j), cell) for i, row in enumerate(p["rows"], 1) for j, cell in enumerate(row.split(), 1)]
    kinds = (("small_river", "rivers"), ("impassable", "impassable"), ("line", "line"))
    sides = [(kind, chain) for kind, key in kinds for chain in p.get(key, ())]
    g.land.add(cells, small_given()["legend"], p.get("roads", ()), sides)
    g.land.entries = {edge: [place(word) for word in words.split()] for edge, words in p.get("entries", {}).items()}
    for unit, text in p["units"].items():
        side, branch, values, *rest = text.split()
        strength, morale, move = values.split("-")
        command = int(rest[1]) if rest[0] == "command" else 0
        at = None if rest[-1] == "waiting" else rest[-1]
        add_unit(g, unit, unit.split("-")[0], side, branch, strength, morale, move, command, at)
    return g.finish(p, {})


@lru_cache(maxsize=4)
def scenario_given(name: str) -> Given:
    g, scenario = Given(), yaml.safe_load((FOLDER / f"{name}.yaml").read_text("utf-8"))
    prefixes = scenario.get("prefixes", {})
    home = {}
    for chart_name in scenario["maps"]:
        chart = yaml.safe_load((FOLDER / "maps" / f"{chart_name}.yaml").read_text("utf-8"))
        prefix = prefixes.get(chart_name, "")
        sides = [(chain["kind"], chain["sides"]) for chain in chart["hexsides"]["chains"]]
        roads = [chain["hexes"] for chain in chart["roads"]["chains"]]
        g.land.add(rows_of(chart, prefix), chart["terrain"]["legend"], roads, sides, prefix)
        for edge, words in chart["entries"]["hexes"].items():
            g.land.entries.setdefault(edge, []).extend(place(prefix + word) for word in words.split())
    for army_name in scenario["armies"]:
        army = yaml.safe_load((FOLDER / "armies" / f"{army_name}.yaml").read_text("utf-8"))
        prefix = prefixes.get(army.get("map"), "")
        for force in army["forces"]:
            if army.get("map"):
                home[force["id"]] = prefix
            for u in force["units"]:
                at = prefix + str(u["at"]) if "at" in u else None
                add_unit(g, u["id"], force["id"], force["side"], u["branch"], u["strength"], u["morale"], u["move"],
                         u.get("command", 0), at)  # fmt: skip
    add_tables(g, yaml.safe_load((FOLDER / "tables.yaml").read_text("utf-8")))
    return g.finish(scenario, home)


def add_tables(g: Given, found: Mapping[str, Any]) -> None:
    for table, key in (("firing", "columns_combat_strength"), ("hand_to_hand", "columns_strength_difference")):
        block = found[f"{table}_results_table"]
        rows = {int(row): [str(cell) for cell in cells] for row, cells in block["rows_2d6"].items()}
        g.tables[table] = (starts_of(block[key]), rows)


@lru_cache(maxsize=1)
def small_given() -> dict[str, Any]:
    """The letters and tables of small fields."""
    found: dict[str, Any] = yaml.safe_load(SMALL.read_text("ascii"))
    return found


def add_unit(g: Given, unit: str, force: str, side: str, branch: str, strength: Any, morale: Any, move: Any,
             command: Any, at: str | None) -> None:  # fmt: skip
    g.forces.setdefault(force, []).append(unit)
    g.units[unit] = {
        "force": force, "side": side, "rifle": branch in ("rifle", "mounted-rifle"), "strength": int(strength),
        "morale": None if str(morale) == "*" else int(morale), "move": int(move), "command": int(command),
        "at": None if at is None else place(at),
    }  # fmt: skip
