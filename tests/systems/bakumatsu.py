"""The adapter of bakumatsu: Toba-Fushimi."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from hypothesis.strategies import SearchStrategy

from pbem.match.game import Game
from pbem.rules import Board, State
from pbem.rules.bakumatsu.orders import STATES, USAGE
from pbem.rules.bakumatsu.orders import Order as AnyOrder
from pbem.rules.requests import Choose, Order, Outcome, Tell, Words
from systems import bakumatsu_slow as slow
from systems.any_orders import any_orders
from systems.bakumatsu_players import (
    ENTRY_HEX,
    SCENARIO,
    all_words,
    board,
    new_game,
    options_of,
    player,
    rules,
)
from systems.random_play import check_counters, mutants, sampled
from systems.slow_map import every_way

__all__ = ["USAGE", "all_words", "player"]

SCENARIOS = (SCENARIO,)
KINDS = {"setup", "move", "fire", "melee", "retreat"}
BETWEEN = {"setup", "move", "fire", "melee"}
SELDOM: set[str] = set()

# --- random play ---------------------------------------------------------------------------------------------------

PLAYERS = {
    "sampled": ("sampled", "sampled", 8),
    "any option": ("anything", "anything", 3),
    "bold": ("bold 1122", "bold 1209", 3),
    "run for the entry": (f"guard {ENTRY_HEX}", f"bold {ENTRY_HEX}", 3),
}
ACTS = 6
SHOWING = [(SCENARIO, "bold", 0)]
EVENTS = {"phase", "setup", "reinforcements", "move", "fire", "melee", "check", "disorder", "retreat", "remove",
          "advance", "control", "recover", "end"}  # fmt: skip
NEAR = [(SCENARIO, "sampled", 101), (SCENARIO, "any option", 102), (SCENARIO, "bold", 103), (SCENARIO, "bold", 104)]
RARE = {"setup": 3, "move": 3, "fire": 3, "melee": 3}
AGAIN = [(SCENARIO, "sampled", 201), (SCENARIO, "bold", 202)]
REPEATED = {"setup", "move", "fire"}
REPEATABLE: set[str] = set()
REFUSED_AGAIN = {"6(3)", "9-1(4)a", "10-1(5)a", "15-1-4(0)", "13-2(1)", "11(0)"}
COPIES = [(SCENARIO, "sampled", 301, 1), (SCENARIO, "bold", 302, 11), (SCENARIO, "any option", 303, 23),
          (SCENARIO, "run for the entry", 304, 23)]  # fmt: skip
STATE = {"options", "turn", "phase", "opened", "at", "disordered", "done", "cups", "received", "removed", "control",
         "ended"}  # fmt: skip


def options_for(board: Board, seed: int) -> dict[str, str]:
    """Those of the scenario."""
    return {}


class Watch:
    """What holds between any two answers."""

    def __init__(self, board: Board, options: dict[str, str]) -> None:
        self.removed: list[str] = []
        self.game: Game | None = None

    def hear(self, tell: Tell) -> None:
        """What is told."""
        if tell.what == "phase" and self.game is not None:
            assert not self.game.state.done, "a marker outlived its phase"
        if tell.what == "remove":
            self.removed.append(tell.facts["unit"])

    def check(self, game: Game) -> None:
        """How the units stand."""
        self.game = game
        s, b = game.state, game.board
        unplaced = [u for u in b.units if b.units[u].code != "R" and u not in s.at and u not in s.removed]
        assert not unplaced or s.phase == 0
        check_counters(s, *s.cups.values(), *s.received.values(), s.removed, unplaced)  # 3-1(0)a
        assert len(b.units) == 50
        assert sorted(s.removed) == sorted(self.removed)
        assert s.disordered <= s.at.keys()
        assert len(s.control) == 13
        assert set(s.control.values()) <= {"shogunate", "satcho"}
        assert all(s.control[h] == b.units[u].side for u, h in s.at.items() if h in s.control), "unnoticed"
        assert 1 <= s.turn <= 8
        assert 0 <= s.phase <= 6
        if s.phase:  # markers lie on units of the phase's side only
            side = b.sides[(0, 0, 1, 0, 1, 0, 1)[s.phase]].id
            assert all(b.units[u].side == side for u in s.done)


def check_end(s: State, outcome: Outcome) -> None:
    """Who held seven hexes at the end has won, or who entered the entry hex."""
    if outcome.clause == "14(4)2":
        assert (s.turn, s.phase) == (8, 6)
        held = Counter(s.control.values())
        assert held[outcome.winner] >= 7 > held[s.board.enemy[outcome.winner]]
    else:
        assert outcome[:2] == ("satcho", "14(4)1")
        assert outcome.reason.startswith(s.stands["satcho"][s.board.map.parse(ENTRY_HEX)])


def looks_closely(request: Choose, number: int) -> bool:
    """Every eleventh node."""
    return number % 11 == 0


def legal_order(request: Choose, chance: random.Random) -> Order:
    """Any option."""
    return chance.choice(options_of(request))


def neighbours(order: Order, board: Board, chance: random.Random) -> list[Order]:
    """Orders that differ from a legal one in one thing."""
    return list(mutants(order, board, board.map.neighbours.__getitem__, chance))


# --- perft ---------------------------------------------------------------------------------------------------------

NOT_IN_PERFT = {"retreat"}


def game_at(p: Mapping[str, Any], hear: Callable[[Tell], None] | None = None) -> Game:
    """The game in a position; units that it doesn't name have been removed, but in the set-up they wait."""
    if "at" not in p:
        return new_game(hear)
    placed = {*p["at"], *p["cup"], *p["received"]}
    dump = rules().dump(rules().start(board(), {}))
    dump |= {key: p[key] for key in ("turn", "phase", "opened", "at", "disordered", "done")}
    dump["cups"]["shogunate"], dump["received"]["shogunate"] = p["cup"], p["received"]
    dump["removed"] = {unit: 1 for unit in sorted(board().units) if p["phase"] and unit not in placed}
    return Game(rules(), board(), rules().load(board(), dump), hear)


# --- playthroughs --------------------------------------------------------------------------------------------------

OFF_THE_MAP, MARKS = ("received", "removed"), ("disordered", "done")
SHOWN = ("fire", "melee", "check", "recover")
NOT_SHOWN = ("unit", "target", "from", "at", "with")


def beside_counters(s: State) -> dict[str, str]:
    """Who controls what."""
    return {f"hex {s.board.label[h]}": side for h, side in s.control.items()}


# --- the second reading --------------------------------------------------------------------------------------------


class Reading:
    """The second reading, two answers deep."""

    def __init__(self, p: dict[str, Any]) -> None:
        self.start = slow.read(p)

    def answers(self, *gone: Words) -> list[Words]:
        """Everything that may be answered behind some answers."""
        here = self.start
        for words in gone:
            here = slow.after(here, shortened(words))
        return slow.answers(here)


DEPTH = 2
WAY_CLAUSES = ("8(", "8-")


def ways(game: Game, p: Mapping[str, Any]) -> Iterator[Any]:
    """Of those on the map and those who enter, all ways that brute force finds, which are all legal."""
    side = game.request.side
    enemies = frozenset(slow.of(slow.read(p), slow.foe(side)).values())
    on_map = {u: slow.place(h) for u, h in p["at"].items() if slow.counters()[u]["side"] == side}
    leads = [(unit, h, ("{}", unit)) for unit, h in on_map.items() if unit not in p["done"]]
    leads += [(unit, slow.gate(), ("enter", unit, "{}")) for unit in p["received"]]
    for unit, start, lead in leads:
        taken = frozenset(slow.place(h) for u, h in p["at"].items() if u != unit)
        for how, walks in (("move", slow.walk), ("march", slow.march)):
            points = slow.counters()[unit]["move"]
            legal = {tuple(way) for way in every_way(*walks(start, points, taken, enemies))}
            yield tuple(word.format(how) for word in lead), start, legal, legal, slow.near


def shortened(words: Words) -> Words:
    """An answer in words, of a way only the end, of supporters only who."""
    if words[0] in ("move", "march"):
        return (*words[:2], words[-1])
    if words[0] == "enter" and len(words) > 2:
        return (*words[:3], words[-1])
    return tuple(word for word in words if word != "with")


# --- the order language --------------------------------------------------------------------------------------------

STANDING_WORDS = ("retreat",)
POLICIES: dict[str, tuple[str, ...]] = {}
STEPS: dict[str, int] = {}
ORDER_WORDS = (*STATES, "any", "move", "march", "advance", "shogunate", "satcho", "north-east", "west", "south-west",
               "sg-", "sa-0", "s", "1413")  # fmt: skip
STATEMENTS = ("satcho", """
    standing retreat any north-east 1413;  standing retreat sa-08 west;
    if at sa-08 1119 and not gone sg-08 then move sa-08 1118;
    stop if held 1413 shogunate;
    fire sa-08 at sg-08 with sa-12;  melee sa-12 at sg-08 advance;
    done;
""")  # fmt: skip


def orders(side: str) -> SearchStrategy[Order]:
    """Orders of a side, legal or not, of any kind."""
    return any_orders(board(), AnyOrder, side, readable)


def readable(order: Order) -> bool:
    """Whether words can say it: a way has hexes, and who only enters has none."""
    return bool(getattr(order, "path", True)) == bool(getattr(order, "how", True))


# --- whole games, determinism --------------------------------------------------------------------------------------

AUDITED = ("all-words",)
DAMAGED = ("entry-by-retreat", 307, 5)
MAILED = ("all-words", 34)
ALONE = [(SCENARIO, "sampled", 11, 2500)]
LISTED = {"fire", "melee", "retreat"}
STANDING = [("retreat", "any", "north-east", "1413")]

# --- reports -------------------------------------------------------------------------------------------------------

dawdle = sampled
RARELY_TOLD: set[str] = {"drop"}
GOOD = {"fire": "high", "melee": "high", "reinforcement": "high", "recover": "low", "check": "low"}
PHASES = {
    "start": "Set-up",
    "shogunate-move": "Former Shogunate Recovery/Movement Phase",
    "satcho-fire": "Satsuma-Choshu Fire Phase",
    "shogunate-melee": "Former Shogunate Melee Phase",
    "satcho-move": "Satsuma-Choshu Recovery/Movement Phase",
    "shogunate-fire": "Former Shogunate Fire Phase",
    "satcho-melee": "Satsuma-Choshu Melee Phase",
}
