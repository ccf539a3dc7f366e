"""The adapter of samurai: battles of miniatures on a table, whose places are numbers of inches."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import Any

from hypothesis import strategies as st
from matches import Chooser
from rules.samurai.small_table import state_with

from pbem.match.game import Game
from pbem.rules import Board, State, samurai
from pbem.rules.requests import Choose, Order, Outcome, Tell
from pbem.rules.samurai.board import FACINGS
from pbem.rules.samurai.geometry import Base, on_table, overlap
from pbem.rules.samurai.orders import (
    ENDS,
    SIDES,
    STATES,
    TURNS,
    USAGE,
    Attack,
    Done,
    End,
    Fire,
    Follow,
    Go,
    Move,
    Rally,
    SetUp,
)
from pbem.rules.samurai.state import label
from systems.random_play import board_of, sampled

__all__ = ["USAGE"]

SCENARIOS = ("skirmish", "pitched-battle", "wooded-valley")
PHASES = {
    "black-setup": "Black Army Set-up",
    "red-setup": "Red Army Set-up",
    "red-turn": "Red Army Turn",
    "black-turn": "Black Army Turn",
}
KINDS = {"setup", "fire", "move", "rally", "attack"}
SELDOM = {"rally"}
BETWEEN = KINDS

# --- random play ---------------------------------------------------------------------------------------------------

PLAYERS = {
    "sampled": ("sampled", "sampled", 2),
    "any option": ("any option", "any option", 1),
    "advised": ("advised", "advised", 2),
    "advised against sampled": ("advised", "sampled", 1),
}
FEW = {"pitched-battle": 1, "wooded-valley": 1}
SHOWING = [("wooded-valley", "advised", 3), ("wooded-valley", "advised", 5), ("skirmish", "advised against sampled", 1)]
EVENTS = {"phase", "setup", "declare", "fire", "move", "attack", "loss", "check", "rout", "flee", "remove", "rally",
          "risk", "end"}  # fmt: skip
NEAR = [("skirmish", "advised", 11), ("skirmish", "sampled", 12), ("wooded-valley", "advised", 13)]
RARE = {"move": 6, "setup": 4}
AGAIN = [("skirmish", "advised", 21), ("wooded-valley", "advised", 22)]
REPEATED = {"fire", "move", "attack"}
REPEATABLE = {"setup"}
REFUSED_AGAIN = {"fire_combat.1", "movement.1", "movement.3", "rally.1", "combat.1"}
COPIES = [("skirmish", "advised", 25, 5), ("wooded-valley", "advised", 32, 60)]
STATE = {
    "turn", "phase", "opened", "step", "closing", "at", "figures", "shape", "routed", "checked", "gone", "fires",
    "shot", "met", "led", "moved", "tried", "fought", "at_risk", "dice", "kills", "ended",
}  # fmt: skip

ACTS = 40
"""In each turn of both sides a unit fires, moves, rallies and attacks, with up to six dice each."""


def player(said: str) -> Chooser:
    """Whatever the rules draw, any of the orders that they list, or what they advise."""
    return {"sampled": sampled, "any option": any_option, "advised": samurai.advise, "idle": idle}[said]


def idle(state: State, request: Choose, chance: random.Random) -> Order:
    """Set up as the rules propose, and do nothing then."""
    return samurai.advise(state, request, chance) if request.kind == "setup" else Done()


def any_option(state: State, request: Choose, chance: random.Random) -> Order:
    """One of the orders listed; seldom the one that ends the turn."""
    if request.kind == "move" and chance.randrange(6):  # hundreds of options
        return sampled(state, request, chance)
    options = list(request.options())
    going_on = [order for order in options if not isinstance(order, Done)]
    return chance.choice(going_on if going_on and chance.randrange(9) else options)


def options_for(board: Board, seed: int) -> dict[str, str]:
    """There are none."""
    return {}


class Watch:
    """What holds between any two answers."""

    def __init__(self, board: Board, options: Mapping[str, str]) -> None:
        self.removed: dict[str, str] = {}
        self.figures: dict[str, int] = {}
        self.at: dict[str, Base] = {}

    def hear(self, tell: Tell) -> None:
        """Who is removed."""
        if tell.what == "remove":
            assert tell.facts["unit"] not in self.removed
            self.removed[tell.facts["unit"]] = tell.facts["why"]

    def check(self, game: Game) -> None:
        """Bases lie on the table, over nothing; nobody is lost untold; figures only fall; who flees has checked."""
        s = game.state
        b = s.board
        for unit, base in s.at.items():
            if self.at.get(unit) != base:
                assert all(type(value) is int for value in base)
                assert base == s.size(unit).at(base.x, base.y, base.facing)
                assert on_table(base, b.width, b.depth)
                assert not any(overlap(base, ground) for ground in b.stops)
                assert not any(overlap(base, other) for o, other in s.at.items() if o != unit), unit
        self.at = dict(s.at)
        assert s.gone == self.removed
        assert not s.at.keys() & s.gone.keys()
        now = {unit: sum(figures) for unit, figures in s.figures.items()}
        assert all(now[unit] <= before for unit, before in self.figures.items())
        assert all(now[unit] > 0 for unit in s.at)
        self.figures = now
        assert s.routed <= s.checked & s.at.keys()
        assert all(2 * now[unit] <= b.units[unit].figures for unit in s.checked & s.at.keys())


def check_end(s: State, outcome: Outcome) -> None:
    """An army is broken, or the turns are over and more points are destroyed or beyond the middle."""
    b, share, down = s.board, dict[str, Fraction](), set[str]()
    for side in ("red", "black"):
        own = [u for u in b.units.values() if u.side == side]
        lost = sum(u.kind.points * (u.figures - (sum(s.figures[u.id]) if u.id in s.at else 0)) for u in own)
        share[side] = Fraction(lost, sum(u.kind.points * u.figures for u in own))
        if share[side] >= Fraction(1, 2) or all(u.id in s.routed or u.id not in s.at for u in own):
            down.add(side)
    ahead = share["black"] - share["red"]
    leader = "red" if ahead > 0 else "black" if ahead else None
    if outcome.clause == "army-break":
        assert outcome.winner == (leader if len(down) == 2 else ({"red", "black"} - down).pop())
        return
    assert (outcome.clause, s.turn, down) == ("turn-limit", b.turns, set())
    if abs(ahead) >= Fraction(1, 10):
        assert outcome.winner == leader
        return
    forward = dict.fromkeys(("red", "black"), 0)
    for unit, base in s.at.items():
        u = b.units[unit]
        if u.troops and unit not in s.routed and (2 * base.y > b.depth if u.side == "red" else 2 * base.y < b.depth):
            forward[u.side] += sum(s.figures[unit]) * u.kind.points
    best = max(forward, key=forward.__getitem__)
    assert outcome.winner == (None if forward["red"] == forward["black"] else best)


def looks_closely(request: Choose, number: int) -> bool:
    """Every eleventh node; seldom in a movement step."""
    return number % (60 if request.kind == "move" else 11) == 0


def legal_order(request: Choose, chance: random.Random) -> Order:
    """What the rules draw."""
    return request.sample(chance)


def neighbours(order: Order, board: Board, chance: random.Random) -> Iterator[Order]:
    """Orders that differ from a legal one in one thing; among them those of other steps."""
    some = chance.choice(list(board.units))
    unit = getattr(order, "unit", some)
    match order:
        case SetUp(_, x, y, facing, shape):
            yield from (SetUp(unit, x + dx, y, facing, shape) for dx in (-1, 1, 400, 3000))
            yield SetUp(unit, x, y, chance.randrange(8), shape)
            yield SetUp(some, x, y, facing, shape)
        case Fire(_, target):
            yield from (Fire(unit, some), Fire(some, target), Fire(unit, unit))
        case Move(_, length, back, first, last):
            yield from (Move(unit, length + more, back, first, last) for more in (1, 50, 300) if length)
            yield from (Move(unit, length, not back, first, last), Move(some, length, back, first, last))
            yield from (Move(unit, length, back, *turns) for turns in ((last, first), TURNS, ("", "")) if length)
        case Go(_, x, y, facing):
            yield from (Go(unit, x + dx, y, facing) for dx in (-1, 1, 400, 3000))
            yield Go(some, x, y, facing)
        case Follow(_, leader, where):
            yield from (Follow(unit, some, where), Follow(some, leader, where), Move(unit, 100))
        case Rally(_, by, about):
            yield from (Rally(some), Rally(unit, some), Rally(unit, by, not about))
        case Attack(_, targets):
            yield from (Attack(unit, (some,)), Attack(some, targets), Attack(unit), Attack(unit, (some, *targets)))
    yield from (Fire(some, some), Attack(some), Move(some, 100), Rally(some), Done())
    yield from map(End, ENDS)


# --- perft ---------------------------------------------------------------------------------------------------------

NOT_IN_PERFT: set[str] = set()


def game_at(p: Mapping[str, Any], hear: Callable[[Tell], None] | None = None) -> Game:
    """The game in a position: of a scenario at its beginning, or with the units that it names on a small table."""
    if "scenario" in p:
        return Game.new(samurai, board_of(p["scenario"]), {}, hear)
    counted = {"units", *(("what", "depth", "nodes") if "nodes" in p else ())}
    state = state_with(p["units"], **{key: value for key, value in p.items() if key not in counted})
    return Game(samurai, state.board, state, hear)


# --- playthroughs --------------------------------------------------------------------------------------------------

OFF_THE_MAP, MARKS = ("gone",), ("routed", "checked", "shot", "moved", "tried", "fought", "at_risk")
SHOWN = ("fire", "attack", "check", "rally", "risk", "push", "lost_fire", "move")
NOT_SHOWN = ("from", "at", "path", "was", "stood")


def spot(_: Board, base: Base) -> str:
    """Where a unit stands and how it faces."""
    return f"{label(base)} {FACINGS[base.facing]}"


def beside_counters(s: State) -> dict[str, str]:
    """The step of a turn, and the figures left."""
    figures = {f"figures of {unit}": "/".join(map(str, left)) for unit, left in s.figures.items()}
    return {"step": str(s.step) or "none", **figures}


# --- the order language --------------------------------------------------------------------------------------------

STANDING_WORDS = ()
POLICIES: dict[str, tuple[str, ...]] = {}
STEPS = {"move": 1, "back": 1, "turn": 1, "halt": 1, "follow": 1, "rally": 2, "attack": 3, "done": 4,
         "close move": 1, "close rally": 2}  # fmt: skip
ORDER_WORDS = (*FACINGS, *SIDES, *TURNS, *STATES, *ENDS, "to", "by", "about", "any", "else", "abreast",
               "6.5", "12", "31.25", "7.123", "ne", "red", "black", "south")  # fmt: skip
STATEMENTS = ("red", """
    stop if held north black;
    fire gn-1 at sp-7;
    if at sp-1 west and not gone ro-4 then move sp-1 left 6.5;
    move sp-2 4 right;  back sp-2 2;  turn ro-1 left;  halt ro-2;
    move dm-1 to 31.5 12 north-east;  follow dm-2 sw-2 left;
    rally sp-2 by dm-1 about;
    attack sw-1 at sp-7, else sp-8;  attack ro-1 any;
    close move;
    done;
""")  # fmt: skip


def place(b: Board, at: Base) -> str:
    """A place, as conditions have it, in which a base stands."""
    return "south" if 2 * at.y < b.depth else "north"


def orders(side: str) -> st.SearchStrategy[Order]:
    """Orders of any kind, legal or not."""
    b = board_of("pitched-battle")
    own, foes = (st.sampled_from(list(b.of_side[s])) for s in (side, b.enemy[side]))
    number, turn = st.integers(1, 99999), st.sampled_from(("", *TURNS))
    facing, once = st.integers(0, 7), st.just(False)
    doubled = st.sampled_from([unit for unit in b.of_side[side] if b.units[unit].stands > 1])
    daimyos = st.sampled_from([unit for unit in b.of_side[side] if b.units[unit].daimyo])
    return st.one_of(
        st.builds(SetUp, own, number, number, facing, st.just("abreast")),
        st.builds(SetUp, doubled, number, number, facing, st.sampled_from(("abreast", "behind"))),
        st.builds(Fire, own, foes),
        st.builds(Move, own, number, st.booleans(), turn, turn, once),
        st.builds(Move, own, st.just(0), st.just(False), turn, st.just(""), once),
        st.builds(Go, daimyos, number, number, st.none() | facing, once),
        st.builds(Follow, own, own, st.sampled_from(SIDES), once),
        st.builds(Rally, own, own | st.just(""), st.booleans()),
        st.builds(Attack, own, st.lists(foes, max_size=3, unique=True).map(tuple)),
        st.builds(End, st.sampled_from(ENDS), once),
        st.just(Done()),
    )


# --- reports, determinism ------------------------------------------------------------------------------------------

RARELY_TOLD = {"lost_fire", "push", "rally", "drop", "end"}
GOOD = {"fire": "high", "attack": "high", "morale": "low", "rally": "low", "risk": "low"}
MAILED = ("red-breaks-black", 26)
AUDITED = ("red-breaks-black",)
DAMAGED = ("red-resigned", 211, 7)
ALONE = [(scenario, "advised", 50 + number, 150) for number, scenario in enumerate(SCENARIOS)]
LISTED = KINDS - {"move"}
STANDING: list[tuple[str, ...]] = []


def dawdle(state: State, request: Choose, chance: random.Random) -> Order:
    """What the rules advise, now and then a random order."""
    return request.sample(chance) if chance.random() < 0.2 else samurai.advise(state, request, chance)


def brought(what: str, facts: Mapping[str, Any]) -> str:
    """What the dice of an event brought."""
    if what in ("fire", "attack"):
        return f"{facts['kills']} killed" if facts["kills"] else "none"
    words = {"risk": ("unhurt", "killed"), "rally": ("rallied", "dispersed"), "check": ("stands", "breaks")}
    passed, failed = words[what]
    return passed if facts["success"] else failed
