"""A ledger of a game of the Siege of Osaka, kept from what is told alone; whatever can't have been is an error.

It knows the counters and the maps, and no rule but what it checks.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

from pbem.maps.hexes import distance
from pbem.match.game import Game
from pbem.rules.requests import Choose, Tell
from pbem.rules.yukimura.board import EAST, Board
from pbem.rules.yukimura.state import OPTIONS
from systems.random_play import check_counters

BETWEEN = {"beside", "move", "defence", "combat"}
"""Kinds of decision that are asked outside of a combat."""


class Ledger:
    """Where every counter is by what was told, and who has done what in the phase."""

    def __init__(self, board: Board, options: dict[str, str]) -> None:
        self.board, self.options = board, {name: values[0] for name, values in OPTIONS.items()} | options
        label = board.label
        self.at = {u.id: label[u.start] for u in board.units.values() if u.start is not None}
        self.gone: dict[str, str] = {}
        """Unit -> exited or removed."""
        self.free: set[str] = set()
        """Held forces that have been released."""
        self.may_enter: set[str] = set()
        self.crossed = False
        self.star = next((board.units[u].side for u, h in self.at.items() if board.star and h == label[board.star]), "")
        self.deep = {h for m in board.maps.values() for h in m.hexes if "large_river" in m.terrain[h]}
        self.deep -= {
            h for h in self.deep if any(link.ways for m in board.maps.values() if h in m for link in m.links[h])
        }
        self.beside: dict[str, set[str]] = {}
        """Hex -> the adjacent ones to which its side is open, as far as they were asked for."""
        self.marked: set[str] = set()
        self.over = False
        self.phase, self.turn, self.kind, self.side = "", 0, "", ""
        self._phase_begins()

    def _phase_begins(self) -> None:
        self.moved: set[str] = set()
        self.fired: set[str] = set()
        self.fought: set[str] = set()
        self.shot_at: set[str] = set()
        self.attacked: set[str] = set()
        zoc = self._zoc(self.side) if self.kind == "move" else set()
        self.pinned = {u for u, h in self.at.items() if h in zoc and self.board.units[u].side == self.side}
        self._combat_begins((), "", "")

    def _combat_begins(self, units: tuple[str, ...], target: str, vacated: str) -> None:
        """What belongs to one fire or hand-to-hand combat."""
        self.units, self.target, self.vacated = units, target, vacated
        self.done: set[str] = set()
        self.trail: list[str] = []
        self.due: dict[str, int] = {}
        """Unit -> by how many hexes it must retreat."""

    def hear(self, tell: Tell) -> None:
        """Take what was told into the ledger."""
        assert tell.clause
        assert not self.over, f"{tell} after the end"
        keeper: Callable[[dict[str, Any]], None] = getattr(self, f"_on_{tell.what}")
        keeper(tell.facts)

    # --- looking things up

    def hexes(self, side: str) -> set[str]:
        return {h for u, h in self.at.items() if self.board.units[u].side == side}

    def _near(self, number: str) -> set[str]:
        return {self.board.label[n] for n in self.board.ground.near[self.board.numbers[number]]}

    def _open(self, a: str, b: str) -> bool:
        """Whether all but movement may go over a side: not an impassable one, no deep river on either side."""
        here, h = self.board.numbers[a], self.board.numbers[b]
        return self.deep.isdisjoint((here, h)) and "impassable" not in self.board.map_of(h).side(here, h)

    def _passable(self, a: str, b: str) -> bool:
        """Whether a unit may move over a side: out of and into a river hex by its road alone."""
        here, h = self.board.numbers[a], self.board.numbers[b]
        m = self.board.map_of(h)
        wet = any("large_river" in m.terrain[x] for x in (here, h))
        road = any(link.ways for link in m.links[here] if link.to == h)
        return self._open(a, b) and (road or not wet)

    def _zoc(self, side: str) -> set[str]:
        """The hexes in the ZOC of a side's enemies."""
        return set[str]().union(*map(self._beside, self.hexes(self.board.enemy[side])))

    def _beside(self, number: str) -> set[str]:
        """The adjacent hexes to which a hex is open."""
        if number not in self.beside:
            self.beside[number] = {n for n in self._near(number) if self._open(number, n)}
        return self.beside[number]

    def _held(self, unit: str) -> bool:
        force = self.board.units[unit].force
        return force in self.board.held and force not in self.free

    def _beyond(self, number: str) -> bool:
        return self.board.numbers[number] in self.board.west

    def _way(self, unit: str, way: list[str], *, own_will: bool, moves: bool = False) -> None:
        """Every step of a way leads to an adjacent open hex without an enemy; and who may cross the line."""
        passes = self._passable if moves else self._open
        enemies = self.hexes(self.board.enemy[self.board.units[unit].side])
        for a, b in pairwise(way):
            assert b in self._near(a), (unit, way)
            assert passes(a, b), (unit, way)
        assert enemies.isdisjoint(way[1:]), (unit, way)
        east = self.board.units[unit].side == EAST
        over = [b for a, b in pairwise(way) if self._beyond(b) and not self._beyond(a)]
        if own_will and over and east and self.options["ishikawa-reading"] == "gate":
            assert self.turn >= self.board.gate, f"{unit} crosses the line in turn {self.turn}"
        if self.board.star is not None and self.board.label[self.board.star] in way[1:]:
            self.star = self.board.units[unit].side

    # --- what is told

    def _on_phase(self, facts: dict[str, Any]) -> None:
        assert not self.marked, "a chain marker outlived its combat"
        assert len(set(self.at.values())) == len(self.at), "two units in one hex"
        assert (facts["turn"], facts["phase"]) != (self.turn, self.phase)
        self.turn, self.phase = facts["turn"], facts["phase"]
        side, _, kind = self.phase.partition("-")
        self.side, self.kind = (side, kind) if kind else ("osaka", side)
        self._phase_begins()

    def _on_beside(self, facts: dict[str, Any]) -> None:
        assert self.kind == "start"
        assert self.board.numbers[facts["at"]] in self.board.ground.off_road

    def _on_release(self, facts: dict[str, Any]) -> None:
        rule = self.board.held[facts["force"]]
        if facts["die"] is not None:
            assert self.crossed
            assert facts["released"] == (facts["die"] <= rule.die == facts["needed"])
        elif not (rule.gate and self.crossed and self.options["ishikawa-reading"] == "release"):
            assert rule.until is not None
            assert self.turn >= rule.until
        assert facts["force"] not in self.free
        self.free |= {facts["force"]} if facts["released"] else set()

    def _on_reinforcements(self, facts: dict[str, Any]) -> None:
        rule = self.board.arrivals[facts["force"]]
        assert self.kind == "move"
        assert rule.turn <= self.turn
        assert bool(facts["units"]) == (facts["die"] is None or facts["die"] <= rule.die)
        self.may_enter |= set(facts["units"])

    def _on_move(self, facts: dict[str, Any]) -> None:
        unit, path, how = facts["unit"], facts["path"], facts["how"]
        printed = self.board.units[unit]
        assert (self.kind, self.side) == ("move", printed.side)
        assert unit not in self.moved, "it moves twice"
        self.moved.add(unit)
        if how == "enter":
            assert unit in self.may_enter
            assert unit not in {*self.at, *self.gone}
            assert path[0] not in self.at.values()
            way = path
            if self.board.star is not None and path[0] == self.board.label[self.board.star]:
                self.star = printed.side
        else:
            assert unit not in self.pinned, "it began in an enemy ZOC"
            assert not self._held(unit)
            assert facts["from"] == self.at.pop(unit)
            way = [facts["from"], *path]
        self._way(unit, way, own_will=True, moves=True)
        zoc = self._zoc(printed.side)
        assert zoc.isdisjoint(path[: None if how == "march" or facts["off"] else -1]), (unit, path)
        assert facts["cost"] <= (8 if how == "march" else printed.move)
        assert facts["cost"] >= len(path) + facts["off"]
        if facts["off"]:
            assert self.board.numbers[way[-1]] in self.board.ground.edge
            self.at[unit] = way[-1]
        else:
            assert path[-1] not in self.at.values()
            self.at[unit] = path[-1]

    def _on_exit(self, facts: dict[str, Any]) -> None:
        assert self.at.pop(facts["unit"]) == facts["at"]
        self.gone[facts["unit"]] = "exited"

    def _on_crossing(self, facts: dict[str, Any]) -> None:
        assert not self.crossed
        assert self.board.units[facts["unit"]].side == EAST
        assert self._beyond(facts["at"])
        self.crossed = True

    def _on_control(self, facts: dict[str, Any]) -> None:
        assert facts["side"] == self.star != facts["from"]

    def _on_fire(self, facts: dict[str, Any]) -> None:
        assert self.kind in ("defence", "combat")
        assert not self.fought, "fire after hand-to-hand combat"
        table = self.board.tables.firing
        units = self._joined(facts, self.fired, self.shot_at)
        assert all(self.board.units[u].rifle for u in units)
        assert facts["result"] == table.cells[facts["total"] - 2][table.headings.index(facts["column"])]

    def _on_melee(self, facts: dict[str, Any]) -> None:
        assert self.kind == "combat"
        table = self.board.tables.hand_to_hand
        units = self._joined(facts, self.fought, self.attacked)
        assert self.fired.isdisjoint(units)
        assert all(self._open(self.at[u], facts["at"]) for u in units)
        assert facts["difference"] == facts["strength"] - self.board.units[facts["target"]].strength
        assert facts["result"] == table.cells[facts["total"] - 2][table.headings.index(facts["column"])]

    def _joined(self, facts: dict[str, Any], acted: set[str], aimed_at: set[str]) -> tuple[str, ...]:
        """The units of a fire or combat, who have not done such a thing before; the target neither."""
        assert not self.marked, "a chain marker outlived its combat"
        units, target = (facts["unit"], *facts["with"]), facts["target"]
        assert len(set(units)) == len(units)
        assert acted.isdisjoint(units), "it acts twice"
        assert target not in aimed_at, "it is a target twice"
        assert facts["at"] == self.at[target]
        assert facts["from"] == self.at[facts["unit"]]
        for unit in units:
            assert self.board.units[unit].side == self.side != self.board.units[target].side
            assert facts["at"] in self._near(self.at[unit])
        assert facts["strength"] == sum(self.board.units[u].strength for u in units)
        assert facts["total"] == sum(facts["dice"])
        acted |= set(units)
        aimed_at.add(target)
        self._combat_begins(units, target, facts["at"])
        return units

    def _on_check(self, facts: dict[str, Any]) -> None:
        unit, morale = facts["unit"], self.board.units[facts["unit"]].morale
        assert morale is not None
        assert facts["value"] == facts["die"] + facts["add"] - morale
        assert facts["passed"] == (facts["value"] <= 0)
        assert facts["removed"] == (facts["value"] >= 5)
        if facts["why"] == "chain":
            assert facts["add"] == 0
            self.marked.remove(unit)
        else:
            assert unit == self.target or unit in self.units
        assert facts["at"] == self.at[unit]
        if facts["retreat"]:
            self.due[unit] = facts["retreat"]

    def _on_exempt(self, facts: dict[str, Any]) -> None:
        assert self.board.units[facts["unit"]].morale is None
        assert facts["unit"] == self.target or facts["unit"] in self.units
        assert facts["at"] == self.at[facts["unit"]]

    def _on_mark(self, facts: dict[str, Any]) -> None:
        unit = facts["unit"]
        assert unit not in {*self.marked, *self.done}
        assert self.board.units[unit].morale is not None
        assert self.board.units[unit].side == self.board.units[facts["by"]].side
        self.marked.add(unit)

    def _on_retreat(self, facts: dict[str, Any]) -> None:
        unit = facts["unit"]
        assert unit not in self.done, "it retreats twice"
        assert len(facts["path"]) == self.due.pop(unit)
        self.done.add(unit)
        self._back(unit, facts["from"], facts["path"])

    def _on_displace(self, facts: dict[str, Any]) -> None:
        assert self.at[facts["other"]] == facts["from"]
        self._back(facts["unit"], facts["from"], [facts["to"]])

    def _back(self, unit: str, start: str, path: list[str]) -> None:
        """A retreat leads away from those who fired or attacked, and out of every enemy ZOC."""
        assert self.at[unit] == start
        self._way(unit, [start, *path], own_will=False)
        assert self._zoc(self.board.units[unit].side).isdisjoint(path)
        if unit in self.units:
            far = [distance(self.board.numbers[h], self.board.numbers[self.vacated]) for h in (start, *path)]
            assert all(a < b for a, b in pairwise(far))
        self.at[unit] = path[-1]
        if unit == self.target:
            self.trail += path

    def _on_remove(self, facts: dict[str, Any]) -> None:
        assert self.at.pop(facts["unit"]) == facts["at"]
        self.marked.discard(facts["unit"])
        self.due.pop(facts["unit"], None)
        self.gone[facts["unit"]] = "removed"

    def _on_advance(self, facts: dict[str, Any]) -> None:
        unit, path = facts["unit"], facts["path"]
        assert self.kind == "combat"
        assert not self.marked
        assert unit in self.units
        assert unit not in self.done
        assert not self._held(unit)
        assert self.at[unit] == facts["from"]
        assert path[0] == self.vacated
        self._way(unit, [facts["from"], *path], own_will=True)
        del self.at[unit]
        assert path[-1] not in self.at.values()
        if self.target in self.at:
            assert path == [self.vacated, *self.trail][: len(path)]
        if self.target in self.at or len(self.fought) == 0:
            assert self.fought or len(path) == 1
        assert len(path) <= 4 or self.target in self.at
        self.at[unit] = path[-1]

    def _on_drop(self, facts: dict[str, Any]) -> None:
        assert facts["unit"] in self.units
        assert facts["reason"]

    def _on_end(self, facts: dict[str, Any]) -> None:
        self.over = True
        assert facts["winner"] in (None, *self.board.side)

    # --- the state

    def check(self, game: Game) -> None:
        """The state says the same, and most outside a combat, while the battle goes on."""
        s, request, label = game.state, game.request, self.board.label
        between = isinstance(request, Choose) and request.kind in BETWEEN
        assert self.over == (request is None)
        check_counters(s, s.exited, s.removed, *s.waiting.values(), alone=between)
        assert {unit: label[h] for unit, h in s.at.items()} == self.at
        assert set(s.exited) == {unit for unit, how in self.gone.items() if how == "exited"}
        assert set(s.removed) == {unit for unit, how in self.gone.items() if how == "removed"}
        assert (s.released, s.crossed) == (self.free, self.crossed)
        assert (s.star_holder or "") == self.star
        assert self.deep.isdisjoint(s.at.values())
        if not between:
            return
        assert not self.marked
        assert not self.due
        assert game.rules.clock(s) == (self.turn, self.phase)
        assert (s.moved, s.fired, s.fought) == (self.moved, self.fired, self.fought)
        assert (s.shot_at, s.attacked) == (self.shot_at, self.attacked)
        assert s.pinned == (self.pinned if self.kind == "move" else set())
        assert s.step == (("melee" if self.fought else "fire") if self.kind == "combat" else "")
