"""The procedures R82, R84, R86 and R96 against slow enumerators written apart, and over many random battles."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from itertools import pairwise, product
from typing import Any

import pytest

from pbem.match.game import Game
from pbem.rules import yukimura
from pbem.rules.requests import Choose, Roll, Tell
from pbem.rules.yukimura import advance, melee, retreat
from pbem.rules.yukimura.combat import targets
from pbem.rules.yukimura.orders import Advance
from pbem.rules.yukimura.state import State

WIDTH, HEIGHT = 10, 8

# --- the slow enumerator: rows and columns instead of packed hexes ---------------------------------------------------

Cell = tuple[int, int]


def cube(cell: Cell) -> tuple[int, int, int]:
    """Cube coordinates of a row and column; even rows lie half a hex further east."""
    row, column = cell
    x = column - (row - (row & 1)) // 2 if row & 1 else column - row // 2 + 1
    return x, row, -x - row


def apart(a: Cell, b: Cell) -> int:
    return max(abs(p - q) for p, q in zip(cube(a), cube(b), strict=True))


def slow_ways(
    land: set[Cell], closed: set[frozenset[Cell]], enemies: set[Cell], start: Cell, length: int, threats: set[Cell]
) -> set[tuple[Cell, ...]]:
    """Every way of a retreat, from all sequences of hexes near enough, each tested by the four bans."""

    def joined(a: Cell, b: Cell) -> bool:
        return apart(a, b) == 1 and frozenset((a, b)) not in closed

    def legal(trail: tuple[Cell, ...]) -> bool:
        for a, b in pairwise(trail):
            if not joined(a, b) or b in enemies or any(joined(enemy, b) for enemy in enemies):
                return False
            if any(apart(b, threat) <= apart(a, threat) for threat in threats):
                return False
        return True

    trails = {(start,)}
    for _ in range(length):
        trails = {(*trail, cell) for trail in trails for cell in land if apart(trail[-1], cell) == 1}
        trails = {trail for trail in trails if legal(trail)}
    return {trail[1:] for trail in trails}


def random_field(chance: random.Random) -> tuple[str, list[str], dict[str, str]]:
    """Rows with holes, impassable sides, units of both sides."""
    land = {cell for cell in product(range(1, HEIGHT + 1), range(1, WIDTH + 1)) if chance.random() < 0.93}
    rows = "\n".join(
        " " * (row % 2 == 0) + " ".join(chance.choice("..wm") if (row, c) in land else "-" for c in range(1, WIDTH + 1))
        for row in range(1, HEIGHT + 1)
    )
    sides = [(a, b) for a in sorted(land) for b in sorted(land) if a < b and apart(a, b) == 1]
    closed = chance.sample(sides, len(sides) // 15)
    cells = chance.sample(sorted(land), 34)
    units = {}
    for i, cell in enumerate(cells):
        side = "da" if i % 2 else "go"
        morale = "*" if chance.random() < 0.1 else str(chance.randrange(1, 5))
        branch = chance.choice(["", " rifle"])
        units[f"{side}-{i:02}"] = f"{label(cell)} {chance.randrange(2, 6)}-{morale}-3{branch}"
    return rows, [f"{label(a)}/{label(b)}" for a, b in closed], units


def label(cell: Cell) -> str:
    return f"{cell[0]:02}{cell[1]:02}"


def cell(number: str) -> Cell:
    return int(number[:2]), int(number[2:])


@pytest.mark.clause("11-1-1", "11-1-2.a", "11-1-2(1)", "11-1-2(2)", "11-1-2(3)", "11-1-2(4)", "11-1-3")
@pytest.mark.parametrize("seed", range(6))
def test_ways_of_retreat_are_those_of_the_slow_enumerator(field: Callable[..., Any], seed: int) -> None:
    chance = random.Random(seed)
    rows, closed, units = random_field(chance)
    battle = field(rows, units, phase="east-combat", impassable=closed)
    s, board = battle.state, battle.board
    land = {cell(board.label[h]) for h in board.ground.near if int(board.label[h][:2]) <= HEIGHT}
    sides = {frozenset(cell(number) for number in side.split("/")) for side in closed}
    some = 0
    for unit in sorted(s.at):
        side = board.units[unit].side
        enemies = {cell(board.label[h]) for h in s.stands[board.enemy[side]]}
        near = [h for h in board.ground.near[s.at[unit]] if h in s.stands[board.enemy[side]]]
        threats = near[: chance.randrange(1, 3)] or [sorted(s.stands[board.enemy[side]])[0]]
        for length in (1, 2, 3, 4):
            found = retreat.ways(s, side, s.at[unit], length, threats)
            slow = slow_ways(
                land, sides, enemies, cell(board.label[s.at[unit]]), length, {cell(board.label[t]) for t in threats}
            )
            assert {tuple(cell(board.label[h]) for h in path) for path in found} == slow
            assert len(found) == len(slow) <= 3**4
            some += len(slow)
    assert some > 20


# --- many battles ----------------------------------------------------------------------------------------------------


class Watcher:
    """Looks at a battle between its activities and over every event."""

    def __init__(self, battle: Any) -> None:
        self.board = battle.board
        self.told: list[Tell] = []
        self.counts: dict[str, int] = {}

    def hear(self, tell: Tell) -> None:
        self.told.append(tell)
        self.counts[tell.what] = self.counts.get(tell.what, 0) + 1

    def check(self, s: State, before: State) -> None:
        """After a procedure: one unit a hex, both look-ups agree, nobody lost without an event."""
        assert len(set(s.at.values())) == len(s.at)
        stands = {unit: h for units in s.stands.values() for h, unit in units.items()}
        assert stands == s.at
        removed = {tell.facts["unit"] for tell in self.told if tell.what == "remove"}
        assert set(before.at) - set(s.at) == removed
        moved = {tell.facts["unit"] for tell in self.told if tell.what in ("retreat", "displace", "advance")}
        assert {unit for unit, h in s.at.items() if before.at[unit] != h} <= moved
        self.check_marks()
        self.told = []

    def check_marks(self) -> None:
        """Every marker leads to one check, or its unit was gone or had retreated: none is left."""
        for i, tell in enumerate(self.told):
            if tell.what == "mark":
                unit = tell.facts["unit"]
                later = [t for t in self.told[i:] if t.facts.get("unit") == unit and t.what in ("check", "remove")]
                assert later, tell
        retreats = [tell.facts["unit"] for tell in self.told if tell.what == "retreat"]
        assert len(retreats) == len(set(retreats))  # nobody retreats twice in one procedure


def legal_distances(told: list[Tell], board: Any, before: State) -> None:
    """Every step of a retreat or displacement leads away from all threats: their sum of distances bounds the whole."""
    order = next((tell for tell in told if tell.what in ("fire", "melee")), None)
    if order is None:
        return
    side = board.units[order.facts["target"]].side
    firers = [order.facts["unit"], *order.facts["with"]]
    for tell in told:
        if tell.what not in ("retreat", "displace"):
            continue
        path = [tell.facts["from"], *(tell.facts.get("path") or [tell.facts["to"]])]
        if board.units[tell.facts["unit"]].side == side:
            threats = [cell(board.label[before.at[unit]]) for unit in firers]
        else:
            threats = [cell(order.facts["at"])]
        for a, b in pairwise(path):
            assert apart(cell(a), cell(b)) == 1
            assert all(apart(cell(b), threat) > apart(cell(a), threat) for threat in threats)


def answers(game: Game, chance: random.Random, by_default: bool) -> Iterator[None]:
    """Answer what a game asks, at random, until the next order is due; reactions by default if so wished."""
    while game.request is not None:
        request = game.request
        if isinstance(request, Roll):
            game.apply(tuple(chance.randrange(1, request.sides + 1) for _ in range(request.dice)))
            continue
        assert isinstance(request, Choose)
        if request.kind in ("move", "combat", "beside"):
            yield
            game.apply(request.sample(chance))
            continue
        if request.kind == "defence":
            yield
        if by_default and request.default is not None:
            answer = request.default()
        else:
            offered = list(request.options())
            assert all(request.why_not(order) is None for order in offered)
            assert len(set(offered)) == len(offered)
            answer = request.sample(chance)
            if request.kind in ("retreat", "displace"):
                assert answer in offered
                assert offered[0] == request.default()
        game.apply(answer)


@pytest.mark.clause("11-2-5.a", "11-2-2.a", "2-2-2", "5.b", "11-2-4(1)", "11-2-4(2)")
@pytest.mark.parametrize("seed", range(40))
def test_random_battles_leave_one_unit_a_hex_and_no_marker(field: Callable[..., Any], seed: int) -> None:
    chance = random.Random(seed)
    rows, closed, units = random_field(chance)
    battle = field(rows, units, phase="east-combat", impassable=closed, turns=4)
    watcher = Watcher(battle)
    battle.game.hear = watcher.hear
    before, activity = yukimura.copy(battle.state), 0
    for _ in answers(battle.game, chance, by_default=seed % 2 == 0):
        combats = any(tell.what in ("fire", "melee") for tell in watcher.told)
        if combats:
            legal_distances(watcher.told, battle.board, before)
            watcher.check(battle.state, before)
        watcher.told = []
        before, activity = yukimura.copy(battle.state), activity + 1
        if activity > 400:
            break
    assert watcher.counts["retreat"]


def test_the_random_battles_see_everything(field: Callable[..., Any]) -> None:
    """All events of the chapter occur in them."""
    seen: set[str] = set()
    for seed in range(8):
        chance = random.Random(seed)
        rows, closed, units = random_field(chance)
        battle = field(rows, units, phase="east-combat", impassable=closed, turns=3)
        watcher = Watcher(battle)
        battle.game.hear = watcher.hear
        for _ in answers(battle.game, chance, by_default=False):
            pass
        seen |= watcher.counts.keys()
    assert {"fire", "melee", "check", "mark", "retreat", "displace", "remove", "advance", "drop"} <= seen


class SlowProcedure:
    """R84 written a second time, over a plain dictionary of places, with the ruling's choices and given dice."""

    def __init__(self, battle: Any, closed: set[frozenset[Cell]], places: dict[str, Cell], dice: list[int]) -> None:
        self.side = {unit.id: unit.side for unit in battle.board.units.values()}
        self.morale = {unit.id: unit.morale for unit in battle.board.units.values()}
        label_of = battle.board.label
        self.land = {cell(label_of[h]) for h in battle.board.ground.near if int(label_of[h][:2]) <= HEIGHT}
        self.closed, self.at, self.dice = closed, places, dice

    def run(self, failed: list[tuple[str, int]], threats: set[Cell]) -> None:
        self.threats, self.over, self.markers = threats, set(), []
        self.waiting = [unit for unit, _ in failed]
        for unit, value in failed:
            self.waiting.remove(unit)
            if unit not in self.at:
                continue
            self.fail(unit, value)
            while self.markers:
                other = self.markers.pop(0)
                if other in self.at and other not in self.over:
                    self.fail(other, self.dice.pop(0) - self.morale[other])

    def fail(self, unit: str, value: int) -> None:
        if value >= 5:
            del self.at[unit]
        elif value > 0:
            self.retreat(unit, value)

    def friends_in(self, place: Cell, unit: str) -> list[str]:
        return [u for u, c in self.at.items() if c == place and u != unit and self.side[u] == self.side[unit]]

    def ways(self, unit: str, length: int) -> set[tuple[Cell, ...]]:
        enemies = {c for u, c in self.at.items() if self.side[u] != self.side[unit]}
        return slow_ways(self.land, self.closed, enemies, self.at[unit], length, self.threats)

    def would_mark(self, friend: str) -> bool:
        exempt = friend in self.over or friend in self.markers or friend in self.waiting
        return self.morale[friend] is not None and not exempt

    def enter(self, place: Cell, unit: str) -> None:
        self.markers += [friend for friend in self.friends_in(place, unit) if self.would_mark(friend)]

    def retreat(self, unit: str, length: int) -> None:
        found = self.ways(unit, length)
        if not found:
            del self.at[unit]
            return

        def cost(way: tuple[Cell, ...]) -> tuple[bool, int, int, tuple[Cell, ...]]:
            friends = [friend for place in way for friend in self.friends_in(place, unit)]
            return bool(self.friends_in(way[-1], unit)), sum(map(self.would_mark, friends)), len(friends), way

        way = min(found, key=cost)
        for place in way:
            self.enter(place, unit)
        self.at[unit] = way[-1]
        self.over.add(unit)
        self.unstack(unit)

    def unstack(self, unit: str) -> None:
        here = self.friends_in(self.at[unit], unit)
        if not here:
            return
        for mover in (here[0], unit):
            found = self.ways(mover, 1) if self.morale[mover] is not None else set()
            if found:
                (place,) = min(found, key=lambda way: (bool(self.friends_in(way[0], mover)), way))
                self.enter(place, mover)
                self.at[mover] = place
                self.unstack(mover)
                return
        del self.at[unit]


@pytest.mark.clause(
    "11-2", "11-2-1", "11-2-2.a", "11-2-2.b", "11-2-3.a", "11-2-3.b", "11-2-4", "11-2-4(1)", "11-2-4(2)", "11-2-5.a",
    "11-2-5.b",
)  # fmt: skip
def test_procedures_end_as_the_second_player_has_it(field: Callable[..., Any]) -> None:
    played = longest = 0
    for seed in range(60):
        chance = random.Random(1000 + seed)
        rows, closed, units = random_field(chance)
        battle = field(rows, units, phase="east-combat", impassable=closed)
        sides = {frozenset(cell(number) for number in side.split("/")) for side in closed}
        told: list[Tell] = []
        battle.game.hear = told.append
        for _ in range(6):
            if battle.game.request is None or battle.game.request.kind != "combat" or battle.phase != "east-combat":
                break
            order = battle.game.request.sample(chance)
            if not hasattr(order, "target"):
                break
            told.clear()
            before = {unit: cell(battle.board.label[h]) for unit, h in battle.state.at.items()}
            battle.game.apply(type(order)(order.unit, order.target, order.support, (), True))
            while isinstance(battle.game.request, Roll) or battle.game.request.kind in ("retreat", "displace"):
                request = battle.game.request
                dice = isinstance(request, Roll)
                battle.game.apply(
                    tuple(chance.randrange(1, 7) for _ in range(request.dice)) if dice else request.default()
                )
            checks = [tell.facts for tell in told if tell.what == "check"]
            slow = SlowProcedure(battle, sides, before, [c["die"] for c in checks if c["why"] == "chain"])
            combatants = [order.unit, *order.support]
            hexes, at = {before[unit] for unit in combatants}, before[order.target]
            result = told[0].facts["result"]
            if result in ("E", "DE"):
                del before[order.target]
            elif result == "AE":
                for unit in combatants:
                    del before[unit]
            own = [(c["unit"], c["value"]) for c in checks if c["why"] != "chain" and c["value"] > 0]
            slow.run([failure for failure in own if failure[0] == order.target], hexes)
            slow.run([failure for failure in own if failure[0] != order.target], {at})
            assert not slow.dice
            assert slow.at == {unit: cell(battle.board.label[h]) for unit, h in battle.state.at.items()}
            played += 1
            longest = max(longest, len(checks))
    assert played > 150
    assert longest >= 4


@pytest.mark.clause("11-3-1", "11-3-3.b", "11-3-4.a")
@pytest.mark.parametrize("seed", range(4))
def test_advances_offered_are_those_permitted(field: Callable[..., Any], seed: int) -> None:
    """R86: the ends of a free advance by trying every sequence of four hexes."""
    chance = random.Random(100 + seed)
    rows, closed, units = random_field(chance)
    battle = field(rows, units, phase="east-combat", impassable=closed)
    s, board = battle.state, battle.board
    tried = 0
    for target in list(targets(s, "east", melee.MELEE))[:4]:
        trial = yukimura.copy(s)
        vacated = trial.at[target]
        unit = melee.attackers(s, "east", vacated)[0]
        trial.remove(target, "", "")
        opening = advance.Opening(vacated, None)
        found = advance.ways(trial, unit, opening)
        permitted = set()
        trails = [(vacated,)]
        for length in range(1, 5):
            for trail in trails:
                if advance.why_not_advance(trial, unit, opening, Advance(unit, trail)) is None:
                    permitted.add(trail[-1])
            trails = [(*trail, n) for trail in trails for n in board.ground.near[trail[-1]] if length < 4]
        assert permitted - {trial.at[unit]} == set(found)  # back to where it stood is permitted, but not offered
        tried += len(found)
    assert tried > 10


def test_a_fork_in_the_middle_of_a_procedure_goes_on_alike(field: Callable[..., Any]) -> None:
    """Two units share a hex while the owner is asked: a dump of that moment plays on to the same end."""
    rows = "\n".join(" " * (i % 2) + ". " * 10 for i in range(7))
    units = {"da-01": "0503 3-3-3", "go-01": "0504 3-1-3", "go-02": "0505 3-3-3"}
    battle = field(rows, units, phase="east-combat", idle=True)
    battle.do("melee da-01 at go-01 hold", 4, 5, 1)
    battle.do("retreat go-01 0505")
    assert battle.request.kind == "displace"
    assert battle.state.companion("go-01") == "go-02"
    fork = battle.game.fork()
    loaded = Game.load(yukimura, battle.board, battle.game.dump())
    for game in (battle.game, fork, loaded):
        game.apply(game.request.default())
        game.apply((3,))
    assert yukimura.dump(battle.state) == yukimura.dump(fork.state) == yukimura.dump(loaded.state)
