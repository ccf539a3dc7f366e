"""The adapter of bakumatsu: Toba-Fushimi and Tabaruzaka."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

from hypothesis.strategies import SearchStrategy

from pbem.match.game import Game
from pbem.rules import Board, State
from pbem.rules.bakumatsu.orders import NO_ONE, STATES, USAGE
from pbem.rules.bakumatsu.orders import Order as AnyOrder
from pbem.rules.requests import Choose, Order, Outcome, Tell
from systems import bakumatsu_slow as slow
from systems.any_orders import any_orders
from systems.bakumatsu_fields import field
from systems.bakumatsu_players import (
    SCENARIO,
    TABARUZAKA,
    all_words,
    board,
    new_game,
    player,
    rules,
)
from systems.game_tree import Again
from systems.random_play import check_counters, mutants, sampled
from systems.slow_map import every_way

__all__ = ["USAGE", "all_words", "player"]

SCENARIOS = (SCENARIO, TABARUZAKA)
KINDS = {"setup", "move", "fire", "melee", "retreat"}
BETWEEN = {"setup", "move", "fire", "melee"}
SELDOM: set[str] = set()

# --- random play ---------------------------------------------------------------------------------------------------

PLAYERS = {
    "sampled": ("sampled", "sampled", 8),
    "any option": ("anything", "anything", 3),
    "bold": ("led goal", "led goal", 3),
    "run for the entry": ("guard entry", "bold entry", 3),
    "spread": ("spread", "sampled", 2),
}
FEW = {TABARUZAKA: 2}
ACTS = 6
SHOWING = [(TABARUZAKA, "bold", 0), (SCENARIO, "bold", 0)]
EVENTS = {"phase", "setup", "reinforcements", "move", "fire", "melee", "check", "disorder", "retreat", "remove",
          "advance", "control", "recover", "end"}  # fmt: skip
NEAR = [(SCENARIO, "sampled", 101), (SCENARIO, "any option", 102), (SCENARIO, "bold", 103), (SCENARIO, "bold", 104),
        (TABARUZAKA, "bold", 105)]  # fmt: skip
RARE = {"setup": 3, "move": 3, "fire": 3, "melee": 3}
AGAIN = [(SCENARIO, "sampled", 201), (SCENARIO, "bold", 202), (TABARUZAKA, "bold", 203)]
REPEATED = {"move", "fire"}
REPEATABLE: set[str] = set()
REFUSED_AGAIN = {"6(3)", "9-1(4)a", "10-1(5)a", "15-1-4(0)", "13-2(1)", "11(0)"}
COPIES = [(SCENARIO, "sampled", 301, 1), (SCENARIO, "bold", 302, 11), (SCENARIO, "any option", 303, 23),
          (SCENARIO, "run for the entry", 304, 23), (TABARUZAKA, "bold", 305, 41)]  # fmt: skip
STATE = {"options", "turn", "phase", "opened", "at", "disordered", "done", "cups", "received", "removed", "control",
         "ended"}  # fmt: skip
SPARE = {"calls", "commander_cups"}


def options_for(board: Board, seed: int) -> dict[str, str]:
    """Those of the scenario."""
    return {}


COUNTERS = {SCENARIO: 50, TABARUZAKA: 54}


class Watch:
    """What holds between any two answers; of reinforcements and control it keeps a ledger of its own."""

    def __init__(self, board: Board, options: dict[str, str]) -> None:
        self.board = board
        self.removed: dict[str, int] = {}
        self.calls = dict.fromkeys(board.enemy, 0)
        self.coming = {side: set[str]() for side in board.enemy}
        self.hand = {side: {*cup} for side, cup in board.start_cups.items()}
        self.control = {board.label[h]: side for h, side in board.control.items()}
        self.now = (0, "")
        self.dice_for = ""
        self.came = set[str]()
        self.game: Game | None = None

    def hear(self, tell: Tell) -> None:
        """What is told."""
        facts = tell.facts
        match tell.what:
            case "phase":
                self.begin(facts["turn"], facts["phase"])
            case "remove":
                assert facts["unit"] not in self.removed
                self.removed[facts["unit"]] = self.now[0]
                self.came.discard(facts["unit"])
            case "reinforcements":
                self.receive(facts, facts["side"])
            case "move" if facts["how"] == "enter":
                self.enter(facts["unit"], self.board.units[facts["unit"]].side)
            case "control":
                self.control[facts["hex"]] = facts["side"]

    def begin(self, turn: int, phase: str) -> None:
        """A phase begins: nobody is marked; Saigo's die has been thrown when it was due."""
        assert self.game is None or not self.game.state.done, "a marker outlived its phase"
        assert self.dice_for == "", f"no die was thrown for {self.dice_for}"
        self.now = (turn, phase)
        side, _, kind = phase.partition("-")
        aside = self.board.aside.get(side, "") if kind == "move" else ""
        strong = Counter(self.control.values())[self.board.enemy.get(side, "")] >= 7
        if aside and strong and aside not in self.coming[side] and aside not in self.removed and aside not in self.came:
            self.dice_for = aside  # 15-2-7-2(2)2

    def receive(self, facts: Mapping[str, Any], side: str) -> None:
        """A die, or a draw: who comes, and whether it was time for it."""
        turn, whose = self.now[0], self.board.side[side]
        assert self.now[1] == f"{side}-move"
        self.coming[side] |= set(facts["units"])
        if "for" in facts:
            assert (facts["for"], facts["units"]) == (self.dice_for, [self.dice_for] if facts["die"] >= 4 else [])
            self.dice_for = ""
        elif facts["die"] is None:
            assert turn in whose.commander_turns  # 15-2-7-2(2)1
            assert len(facts["units"]) == 1
        elif "number" in facts:
            due = max(facts["die"], 3 if turn == 1 else 0)  # 15-2-5(1)1
            assert facts["number"] == min(due, len(self.hand[side]) - self.calls[side]) > 0
            self.calls[side] += facts["number"]
        else:
            self.hand[side] -= set(facts["units"])

    def enter(self, unit: str, side: str) -> None:
        """A piece comes on: received, lost in an earlier turn, or called from its owner's hand, the guns last."""
        self.came.add(unit)
        if unit in self.coming[side]:
            self.coming[side].remove(unit)
        elif unit in self.removed:
            assert side == "government"  # 15-2-7-1(1)0
            assert unit in self.board.combat[side]  # 15-2-7-2(4)7
            assert self.removed.pop(unit) < self.now[0]  # 15-2-7-1(1)1a
        else:
            assert self.calls[side] > 0
            self.calls[side] -= 1
            self.hand[side].remove(unit)
            guns = {u for u in self.hand[side] if self.board.units[u].artillery}
            assert not self.board.units[unit].artillery or guns == self.hand[side]  # 15-2-5(1)2

    def check(self, game: Game) -> None:
        """How the pieces stand."""
        self.game = game
        s, b = game.state, game.board
        seen = {*s.at, *s.removed, *(u for units in s.received.values() for u in units)}
        unplaced = [u for side, codes in b.set_up.items() for u in b.combat[side] if b.units[u].code in codes]
        off = [*(u for u in unplaced if u not in seen), *(c for c in b.aside.values() if c not in seen)]
        assert s.phase == 0 or all(u in seen for u in unplaced)
        pools = (*s.cups.values(), *s.received.values(), *s.commander_cups.values())
        check_counters(s, *pools, s.removed, off, alone=False)
        leaders = {c for ids in b.commanders.values() for c in ids}
        assert len(b.units) == COUNTERS[b.scenario]
        assert s.removed == self.removed
        assert s.disordered <= s.at.keys() - leaders
        self.check_places(s, leaders)
        self.check_pools(s)
        assert 1 <= s.turn <= b.turns
        assert 0 <= s.phase <= 6
        if s.phase:  # markers lie on units of the phase's side only
            side = b.sides[(0, 0, 1, 0, 1, 0, 1)[s.phase]].id
            assert all(b.units[u].side == side for u in s.done)

    def check_places(self, s: State, leaders: set[str]) -> None:
        """At most one unit in a hex, and one commander, no commander with an enemy; control is as it was told."""
        b, units = s.board, {h: u for u, h in s.at.items() if u not in leaders}
        assert len(units) == len(s.at.keys() - leaders) == sum(map(len, s.stands.values())), "two units in one hex"
        leading = {h: c for c, h in s.at.items() if c in leaders}
        assert len(leading) == len(s.at.keys() & leaders), "two commanders in one hex"  # 15-2-7-2(4)2a
        assert all(b.units[units[h]].side == b.units[c].side for h, c in leading.items() if h in units)
        assert {b.label[h]: side for h, side in s.control.items()} == self.control
        assert s.control.keys() <= b.victory_hexes
        assert len(b.victory_hexes) == 13
        assert all(s.control[h] == b.units[u].side for h, u in units.items() if h in b.victory_hexes), "unnoticed"

    def check_pools(self, s: State) -> None:
        """Who waits, and in which way."""
        assert {side: s.calls.get(side, 0) for side in self.calls} == self.calls
        assert all(0 < number <= len(s.cups[side]) for side, number in s.calls.items())
        assert {side: {*cup} for side, cup in s.cups.items()} == self.hand
        assert {side: {*units} for side, units in s.received.items()} == self.coming


def check_end(s: State, outcome: Outcome) -> None:
    """Who held seven hexes at the end has won, or who entered the enemy's entry hex; else it is a draw."""
    if outcome.clause == "14(4)2":
        assert (s.turn, s.phase) == (s.board.turns, 6)
        strong = [side for side, number in Counter(s.control.values()).items() if number >= 7]
        assert strong == ([] if outcome.winner is None else [outcome.winner])
    else:
        assert outcome.clause == "14(4)1"
        assert outcome.winner is not None
        entry = s.board.side[s.board.enemy[outcome.winner]].entry
        assert outcome.reason.startswith(s.stands[outcome.winner][entry])


def looks_closely(request: Choose, number: int) -> bool:
    """Every eleventh node."""
    return number % 11 == 0


def legal_order(request: Choose, chance: random.Random) -> Order:
    """Any option."""
    return chance.choice(list(request.options()))


def neighbours(order: Order, board: Board, chance: random.Random) -> list[Order]:
    """Orders that differ from a legal one in one thing, by whom they are commanded, too."""
    found = list(mutants(order, board, board.map.neighbours.__getitem__, chance))
    if hasattr(order, "by"):
        named = [*board.commanders[board.units[order.unit].side], *chance.sample(sorted(board.units), 2)]
        found += [order._replace(by=by) for by in ("", NO_ONE, *named)]
    return found


# --- perft ---------------------------------------------------------------------------------------------------------

NOT_IN_PERFT = {"retreat"}


def game_at(p: Mapping[str, Any], hear: Callable[[Tell], None] | None = None) -> Game:
    """The game in a position. Units that one of Toba-Fushimi doesn't name have been removed, but in the set-up they
    wait; others are nowhere, and victory hexes that no `control` is said of stand as at the start."""
    b = board(p.get("scenario", SCENARIO))
    if "at" not in p:
        return new_game(hear, b.scenario)
    dump = rules().dump(rules().start(b, {}))
    dump |= {key: p[key] for key in ("turn", "phase", "opened", "at", "disordered", "done")}
    if "hand" in p:
        dump |= {"cups": p["hand"], "calls": p["calls"], "commander_cups": p["cups"], "removed": p["lost"]}
        dump["received"] = {side: [u for u in p["received"] if b.units[u].side == side] for side in b.enemy}
        dump["control"] |= p.get("control", {})
    else:
        placed = {*p["at"], *p["cup"], *p["received"]}
        dump["cups"]["shogunate"], dump["received"]["shogunate"] = p["cup"], p["received"]
        dump["removed"] = {unit: 1 for unit in sorted(b.units) if p["phase"] and unit not in placed}
    return Game(rules(), b, rules().load(b, dump), hear)


# --- playthroughs --------------------------------------------------------------------------------------------------

OFF_THE_MAP, MARKS = ("received", "removed"), ("disordered", "done")
SHOWN = ("fire", "melee", "check", "recover")
NOT_SHOWN = ("unit", "target", "from", "at", "with")


def beside_counters(s: State) -> dict[str, str]:
    """Who controls what, and how many more may be called from a hand."""
    b = s.board
    hexes = {**b.control, **dict.fromkeys(sorted(b.victory_hexes - b.control.keys()), "nobody"), **s.control}
    calls = {f"calls of {side.id}": str(s.calls.get(side.id, 0)) for side in b.sides if side.chooses}
    return {f"hex {b.label[h]}": side for h, side in hexes.items()} | calls


# --- the second reading --------------------------------------------------------------------------------------------


second = slow.Battle
Reading = partial(Again, second)
shortened = slow.shortened
DEPTH = 4
WAY_CLAUSES = ("8(", "8-", "15-2-7-2(4)")
FIELDS = [(field, 240, True, ("move", "fire", "melee")), (field, 3, False, ("move",))]


def seen(game: Game) -> dict[str, Any]:
    """How a game stands, as far as both readings say it."""
    s, label, sides = game.state, game.board.label, game.board.enemy
    calls, cups = (
        {side: pool.get(side, none) for side in sides} for pool, none in ((s.calls, 0), (s.commander_cups, ()))
    )
    received = {side: set(units) for side, units in s.received.items()}
    hand = {side: list(units) for side, units in s.cups.items()}
    return {
        "at": {unit: label[h] for unit, h in s.at.items()},
        "disordered": s.disordered,
        "removed": s.removed,
        "waiting": (hand, calls, received, {side: list(units) for side, units in cups.items()}),
        "control": {label[h]: side for h, side in s.control.items()},
        "time": (s.turn, s.phase),
    }


def heard(told: list[Tell]) -> list[tuple[Any, ...]]:
    """Of all fights and checks what they came to: the dice with what changed them, or the morale."""
    fights = {"fire": ("total", "result"), "melee": ("total", "result"), "check": ("morale", "passed"),
              "recover": ("morale", "success")}  # fmt: skip
    return [(t.what, *(t.facts[key] for key in fights[t.what])) for t in told if t.what in fights]


def varied(game: Game, request: Choose, order: Order, chance: random.Random) -> Order:
    """An order for dice under any commander who may give it, or under nobody."""
    named = game.board.commanders[request.side]
    if not named or not hasattr(order, "by") or chance.randrange(2):
        return order
    return chance.choice([o for by in (NO_ONE, *named) if request.why_not(o := order._replace(by=by)) is None])


def unlike(chance: random.Random) -> tuple[dict[str, Any], dict[str, Any]]:
    """A field in the last turn's second phase, and it with commanders who reach farther."""
    p = {**field(chance), "turn": board(TABARUZAKA).turns, "phase": 2}
    return p, {**p, "values": {c: {"range": 9} for ids in board(TABARUZAKA).commanders.values() for c in ids}}


def ways(game: Game, p: Mapping[str, Any]) -> Iterator[Any]:
    """Of those on the map and those who enter, all ways that brute force finds; a commander's may have no end."""
    battle, side = slow.Battle(dict(p)), game.request.side
    leads = [
        (unit, h, ("{}", unit)) for unit, h in battle.at.items() if battle.side(unit) == side and unit not in p["done"]
    ]
    leads += [(unit, battle.land.gates[side], ("enter", unit, "{}")) for unit in battle.comers(side)]
    for unit, start, lead in leads:
        taken, enemies, points = battle.in_the_way(unit, start)
        for how, walks in slow.WAYS.items():
            found = {tuple(way) for way in every_way(*walks(battle.name, start, points, taken, enemies))}
            legal = {way for way in found if battle.may_stay(unit, way[-1])}
            yield tuple(word.format(how) for word in lead), start, found, legal, battle.land.near


# --- the order language --------------------------------------------------------------------------------------------

STANDING_WORDS = ("retreat",)
POLICIES: dict[str, tuple[str, ...]] = {}
STEPS: dict[str, int] = {}
ORDER_WORDS = (*STATES, "any", "move", "march", "advance", "by", "by", NO_ONE, "government", "saigo", "north-east",
               "west", "south-west", "sg-", "go-0", "s", "1413")  # fmt: skip
STATEMENTS = ("saigo", """
    standing retreat any north-east 1413;  standing retreat sg-08 west;
    if at sg-08 1119 and not gone go-08 then move sg-08 1118;
    stop if held 1413 government;  if is sc-06 received then enter sc-06 march 0130;
    recover sg-08 by sc-01;  fire sg-08 at go-08 with sg-12 by none;  melee sg-12 at go-08 by sc-02 advance;
    done;
""")  # fmt: skip


def orders(side: str) -> SearchStrategy[Order]:
    """Orders of a side, legal or not, of any kind."""
    return any_orders(board(TABARUZAKA), AnyOrder, side, readable)


def readable(order: Order) -> bool:
    """Whether words can say it: a way has hexes, and who only enters has none."""
    return bool(getattr(order, "path", True)) == bool(getattr(order, "how", True))


# --- whole games, determinism --------------------------------------------------------------------------------------

AUDITED = ("all-words",)
DAMAGED = ("entry-by-retreat", 307, 5)
MAILED = ("all-words", 34)
ALONE = [(SCENARIO, "sampled", 11, 2500), (TABARUZAKA, "bold", 12, 300)]
LISTED = {"fire", "melee", "retreat"}
STANDING = [("retreat", "any", "north-east", "1413")]

# --- reports -------------------------------------------------------------------------------------------------------

_FIERCE = {"government": player("spread"), "saigo": player("led goal")}


def dawdle(state: State, request: Choose, chance: random.Random) -> Order:
    """At random; at Tabaruzaka that would be a walk without a shot, so there they seek each other."""
    return _FIERCE.get(request.side, sampled)(state, request, chance)


RARELY_TOLD: set[str] = {"drop"}
GOOD = {"fire": "high", "melee": "high", "reinforcement": "high", "arrival": "high", "recover": "low", "check": "low"}
PHASES = {
    "start": "Set-up",
    "shogunate-move": "Former Shogunate Recovery/Movement Phase",
    "satcho-fire": "Satsuma-Choshu Fire Phase",
    "shogunate-melee": "Former Shogunate Melee Phase",
    "satcho-move": "Satsuma-Choshu Recovery/Movement Phase",
    "shogunate-fire": "Former Shogunate Fire Phase",
    "satcho-melee": "Satsuma-Choshu Melee Phase",
    "government-move": "Government Recovery/Movement Phase",
    "saigo-fire": "Saigo's Army Fire Phase",
    "government-melee": "Government Melee Phase",
    "saigo-move": "Saigo's Army Recovery/Movement Phase",
    "government-fire": "Government Fire Phase",
    "saigo-melee": "Saigo's Army Melee Phase",
}
