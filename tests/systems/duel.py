"""The adapter of the toy: a duel without a map, whose places are words."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import toy
from hypothesis import strategies as st
from matches import Chooser
from toy.reading import ToyOrder
from toy.state import POSTS, SIDES, UNITS, Board, State

from pbem.errors import MalformedOrder
from pbem.match.game import Game
from pbem.rules.requests import Choose, Order, Outcome, Tell
from systems.random_play import board_of, sampled

SCENARIOS = ("duel", "mellay")
KINDS = {"act", "answer"}
BETWEEN = {"act"}
SELDOM: set[str] = set()

# --- random play ---------------------------------------------------------------------------------------------------

PLAYERS = {"sampled": ("sampled", "sampled", 6)}
SHOWING = [("duel", "sampled", 3), ("mellay", "sampled", 3)]
EVENTS = {"phase", "weather", "bet", "pull", "move", "hit", "miss"}
NEAR = [("duel", "sampled", 11), ("mellay", "sampled", 12), ("mellay", "sampled", 13)]
RARE: dict[str, int] = {}
AGAIN: list[tuple[str, str, int]] = []
COPIES = [("duel", "sampled", 21, 1), ("mellay", "sampled", 23, 3)]
STATE = {"turns", "turn", "phase", "opened", "storm", "acted", "points", "at", "shaken", "hit", "cup", "ended"}
PHASES = {"weather": "The Weather", "red": "Red's Orders", "blue": "Blue's Orders", "melee": "The Melee"}
ACTS = 8


def player(said: str) -> Chooser:
    """Whatever the rules draw."""
    return sampled


def options_for(board: Board, seed: int) -> dict[str, str]:
    """Short and long games by turns."""
    return {"length": ("short", "long")[seed % 2]}


class Watch:
    """What holds between any two answers."""

    def __init__(self, board: Board, options: dict[str, str]) -> None:
        self.drawn: list[str] = []

    def hear(self, tell: Tell) -> None:
        """What is told."""
        self.drawn += tell.facts["drawn"] if tell.what == "pull" else ()

    def check(self, game: Game) -> None:
        """Counters and units are where they were told to be."""
        s = game.state
        assert Counter([*s.cup, *self.drawn]) == Counter(s.board.cup)
        assert {*s.shaken} <= s.at.keys() <= UNITS.keys()
        for side, post in ((side, post) for side in SIDES for post in POSTS):
            here = {unit for unit, at in s.at.items() if (UNITS[unit], at) == (side, post)}
            assert s.stands[side].get(post) in (here or {None})


def check_end(s: State, outcome: Outcome) -> None:
    """A side without points or units has lost; else more points have won, half a point for the front alone."""
    alive = {side: s.points[side] > 0 and any(UNITS[unit] == side for unit in s.at) for side in SIDES}
    if outcome.clause == "T7":
        assert [side for side in SIDES if not alive[side]] != []
        assert not all(alive[side] for side in SIDES if side != outcome.winner)
    else:
        fronts = {UNITS[unit] for unit, post in s.at.items() if post == "front"}
        red, blue = (2 * s.points[side] + (fronts == {side}) for side in SIDES)
        assert (outcome.clause, s.turn, all(alive.values())) == ("T8", s.turns, True)
        assert outcome.winner == (None if red == blue else "red" if red > blue else "blue")


def looks_closely(request: Choose, number: int) -> bool:
    """Every node."""
    return True


def legal_order(request: Choose, chance: random.Random) -> Order:
    """Any option."""
    return chance.choice(list(request.options()))


def neighbours(order: Order, board: Board, chance: random.Random) -> Iterator[Order]:
    """Orders that differ from a legal one in one word, and those of other questions."""
    found = [(*order.words[:-1], word) for word in ("1", "2", "3", *POSTS, *UNITS)]
    found += [(word, unit) for word in ("hit", "flee", "stand") for unit in UNITS]
    for words in found:
        try:
            yield toy.read_order(board, "", words)
        except MalformedOrder:
            continue


# --- perft ---------------------------------------------------------------------------------------------------------

NOT_IN_PERFT = {"answer"}


def game_at(p: Mapping[str, Any], hear: Callable[[Tell], None] | None = None) -> Game:
    """The game in a position: what its state has other than at the start."""
    b = board_of(p["scenario"])
    fresh = toy.dump(toy.start(b, {"length": "short"}))
    return Game(toy, b, toy.load(b, fresh | p["state"]), hear)


# --- the order language --------------------------------------------------------------------------------------------

USAGE = {word: word for word in ("bet", "pull", "move", "hit", "flee", "stand", "rest")}
STANDING_WORDS = ("flee", "stand")
POLICIES: dict[str, tuple[str, ...]] = {}
STEPS = dict.fromkeys(set(USAGE) - {"move"}, 1)
ORDER_WORDS = ("1", "2", "3", "all", "ready", "shaken", *SIDES)
STATEMENTS = ("red", """
    standing flee all;  standing stand scout;
    if is scout ready and not gone lancer then move scout guard-1 rear;
    stop if empty front;
    hit lancer;  bet 2;  pull 1;
    rest;
""")  # fmt: skip


def orders(side: str) -> st.SearchStrategy[Order]:
    """Orders of any kind, legal or not."""
    units = st.sampled_from(sorted(UNITS))
    some = st.lists(units, min_size=1, max_size=3)
    return st.one_of(
        st.just(("rest",)),
        st.tuples(st.sampled_from(("bet", "pull")), st.sampled_from("123")),
        st.tuples(st.sampled_from(("hit", "flee", "stand")), units),
        st.builds(lambda moved, post: ("move", *moved, post), some, st.sampled_from(POSTS)),
    ).map(ToyOrder)
