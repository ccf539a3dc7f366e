"""The adapter of yukimura: the Siege of Osaka."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from hypothesis.strategies import SearchStrategy

from pbem.maps.hexes import distance
from pbem.match.game import Game
from pbem.rules import State
from pbem.rules.requests import Choose, Order, Outcome
from pbem.rules.yukimura.board import Board
from pbem.rules.yukimura.orders import (
    DONE,
    STANDING,
    STATES,
    USAGE,
    Advance,
    AdvancePlan,
    Done,
    Fire,
    Hold,
    March,
    Melee,
    Move,
)
from pbem.rules.yukimura.orders import Order as AnyOrder
from pbem.rules.yukimura.state import OPTIONS
from systems.any_orders import any_orders
from systems.game_tree import Again
from systems.random_play import board_of, mutants
from systems.slow_map import every_way
from systems.yukimura_fields import crowded_field, game_at, random_field
from systems.yukimura_ledger import BETWEEN
from systems.yukimura_ledger import Ledger as Watch
from systems.yukimura_players import player
from systems.yukimura_slow import Battle, shortened

__all__ = ["BETWEEN", "USAGE", "Watch", "game_at", "player", "shortened"]

SCENARIOS = ("yao", "domyoji", "gotos-dream", "connected")
KINDS = {"beside", "move", "defence", "combat", "retreat", "displace", "advance"}
SELDOM = {"beside"}

# --- random play ---------------------------------------------------------------------------------------------------

PLAYERS = {
    "sampled": ("sampled", "sampled", 2),
    "any option": ("any option", "any option", 1),
    "fierce": ("fierce", "fierce", 2),
    "fierce East": ("fierce", "sampled", 1),
}
SHOWING = [("connected", "fierce", 0), ("domyoji", "fierce East", 1), ("yao", "fierce", 1)]
EVENTS = {"phase", "beside", "release", "reinforcements", "move", "fire", "melee", "check", "mark", "retreat",
          "displace", "remove", "advance", "drop", "end"}  # fmt: skip
NEAR = [
    ("connected", "fierce", 11),
    ("yao", "fierce", 12),
    ("domyoji", "any option", 13),
    ("gotos-dream", "fierce", 14),
]
RARE = {"move": 50, "combat": 6, "defence": 6, "displace": 2, "retreat": 2}
AGAIN = [("yao", "fierce", 21), ("domyoji", "sampled", 22)]
REPEATED = {"move", "combat"}
REPEATABLE = {"retreat", "displace", "advance"}
REFUSED_AGAIN = {"7-2.a", "7-6-2", "8.a", "9-1-5", "10-1-5", "9.a", "9-1-1", "10.a", "10-1-1", "4-1(3)", "4-1(6)"}
COPIES = [("yao", "fierce", 25, 3), ("connected", "fierce", 32, 90), ("domyoji", "any option", 33, 41),
          ("gotos-dream", "fierce", 34, 23)]  # fmt: skip
STATE = {
    "options", "turn", "phase", "opened", "step", "at", "moved", "pinned", "fired", "fought", "shot_at",
    "attacked", "out_of_command", "released", "arrived", "crossed", "waiting", "beside", "exited", "removed",
    "star_holder", "ended",
}  # fmt: skip


ACTS = 8
"""In each of a turn's phases each unit acts once, and each target has at most six attackers."""


def options_for(board: Board, seed: int) -> dict[str, str]:
    """The options of a scenario, by turns on and off."""
    return {name: OPTIONS[name][(seed >> (i > 0)) % 2] for i, name in enumerate(OPTIONS) if name in board.options}


def check_end(s: State, outcome: Outcome) -> None:
    """What decided is so by the units' places, and nothing decided before."""
    b, east = s.board, s.stands["east"]
    gone = {side: [u for u in us if s.at.get(u) != b.units[u].start] for side, us in b.collapse.items()}
    through = [unit for h, unit in east.items() if h in b.breakthrough]
    if outcome.clause in ("14-2(6)1", "14-2(6)2"):
        assert outcome.reason.startswith(tuple(gone[b.enemy[outcome.winner or ""]]))
        return
    assert not any(gone.values())
    if outcome.clause == "14-2(6)3":
        assert outcome.winner == "east"
        assert outcome.reason.startswith(tuple(through))
        return
    assert (s.turn, through) == (b.turns, [])
    if b.star is not None:
        assert outcome.winner == s.star_holder
    elif b.west_needed:
        west = sum(h in b.west for h in east)
        assert (outcome.winner == "east") == (west >= 10)
        assert outcome.reason.startswith(
            f"{west} Eastern unit{'' if west == 1 else 's'} {'is' if west == 1 else 'are'} west of the Ishikawa Line"
        )
    else:
        leaders = {side: [s.at[u] for u in b.collapse[b.enemy[side]]] for side in b.enemy}
        near = {side: sum(any(distance(h, x) == 1 for x in leaders[side]) for h in s.stands[side]) for side in b.enemy}
        assert outcome.reason.startswith(f"{near['east']} of the Eastern Army and {near['osaka']} of the Osaka Army")
        superior = near["east"] - near["osaka"]
        assert outcome.winner == ("east" if superior > 0 else "osaka" if superior else None)


def looks_closely(request: Choose, number: int) -> bool:
    """Every seventh node; seldom in a Movement Phase, which has thousands of options."""
    return number % (400 if request.kind == "move" else 7) == 0


def legal_order(request: Choose, chance: random.Random) -> Order:
    """What the rules draw."""
    return request.sample(chance)


def neighbours(order: Order, board: Board, chance: random.Random) -> list[Order]:
    """Orders that differ from a legal one in one thing; among them those of other phases."""
    found = list(mutants(order, board, board.ground.near.__getitem__, chance))
    some = chance.choice(list(board.units))
    if isinstance(order, Fire | Melee):
        h = chance.choice(list(board.label))
        plans = ((AdvancePlan(order.unit),), (AdvancePlan(some),), (AdvancePlan(order.unit), AdvancePlan(order.unit)),
                 (AdvancePlan(order.unit, (h,)),))  # fmt: skip
        other = Melee if isinstance(order, Fire) else Fire
        found += [type(order)(order.unit, order.target, order.support, plan) for plan in plans]
        found.append(other(order.unit, order.target, order.support))
    if isinstance(order, Move | March):
        found.append((March if isinstance(order, Move) else Move)(order.unit, order.path, order.off))
    return [*found, Hold(some), Advance(some), Done()]


# --- perft, the second reading -------------------------------------------------------------------------------------

NOT_IN_PERFT: set[str] = set()
FIELDS = [
    (random_field, 180, False, ("beside", "move", "defence", "combat", "retreat", "advance")),
    (crowded_field, 90, True, ("combat", "retreat", "displace", "advance")),
]
WAY_CLAUSES = ("6", "7-", "12-1", "14-1(5)2")
DEPTH = 4
second = Battle
Reading = partial(Again, Battle)


def seen(game: Game) -> dict[str, Any]:
    """How a game stands, as far as both readings say it."""
    s, label = game.state, game.board.label
    return {
        "at": {unit: label[h] for unit, h in s.at.items()},
        "removed": set(s.removed),
        "exited": set(s.exited),
        "waiting": {force: list(units) for force, units in s.waiting.items()},
        "time": (s.turn, s.crossed),
        "released": s.released,
        "star": s.star_holder,
    }


def unlike(chance: random.Random) -> tuple[dict[str, Any], dict[str, Any]]:
    """A field, and it with other morale."""
    p = crowded_field(chance)
    return p, {**p, "units": {unit: text.replace("-2-", "-3-") for unit, text in p["units"].items()}}


def ways(game: Game, p: Mapping[str, Any]) -> Iterator[Any]:
    """Of some units all ways that brute force finds, and which of them are legal, for they end in a free hex."""
    battle, side = Battle(p), game.request.side
    free = {order[1] for order in battle.movements(side)} & battle.at.keys()
    for unit in sorted(free)[:3]:
        start, points = battle.at[unit], battle.g.units[unit]["move"]
        found = {"march": every_way(start, 8, battle.march(side))}
        if points <= 4:
            found["move"] = every_way(start, points, battle.walk(side))
        for keyword, walks in found.items():
            every = [tuple(way) for way in walks]
            legal = {way for way in every if way[-1] not in {*battle.at.values(), start}}
            yield (keyword, unit), start, every, legal, battle.land.near


# --- playthroughs --------------------------------------------------------------------------------------------------

OFF_THE_MAP, MARKS = ("waiting", "removed", "exited"), ("moved", "pinned", "fired", "fought", "shot_at", "attacked")
SHOWN = ("fire", "melee", "check", "mark", "retreat", "displace", "advance", "drop", "release", "exempt")
NOT_SHOWN = ("from", "at", "with", "title", "target")


def beside_counters(s: State) -> dict[str, str]:
    """The step of a Combat Phase, who is free, whether the line is crossed."""
    return {"step": s.step or "none", "released": " ".join(sorted(s.released)), "crossed": str(s.crossed)}


# --- the order language --------------------------------------------------------------------------------------------

STANDING_WORDS = tuple(STANDING)
POLICIES = {"advance": ("follow", "enter", "hold"), "defence": ("best", "none")}
STEPS = {"done": 2, "melee": 1}
ORDER_WORDS = (*STANDING, *STATES, "advance", "hold", "off", "any", "or", "fewer", "follow", "enter", "best",
               "none", "east", "osaka", "D0000", "Y9999", "D20", "2022", "d2022", "go-", "ki-0", "d", "goto",
               "hideyori")  # fmt: skip
STATEMENTS = ("osaka", """
    standing retreat any D2001 east;  standing advance go-01 follow;  standing defence none;
    if at go-01 D2022 and not gone mi-01 then move go-01 D2122;
    stop if held D2022 east;
    fire go-04 at mi-01 with go-05 advance go-05 hold;
    done;
""")  # fmt: skip


def orders(side: str) -> SearchStrategy[Order]:
    """Orders of a side, legal or not, of any kind."""
    return any_orders(board_of("connected"), AnyOrder, side, readable)


def readable(order: Order) -> bool:
    """Whether words can say it: a way has hexes or leaves the map, `fewer` has others, one firer may enter the hex."""
    if isinstance(order, Fire) and (len(order.advance) > 1 or any(plan.path for plan in order.advance)):
        return False
    if isinstance(order, Fire | Melee):
        return bool(order.support) or not order.fewer
    return isinstance(order, Advance) or bool(getattr(order, "path", True) or getattr(order, "off", False))


# --- whole games, determinism --------------------------------------------------------------------------------------

AUDITED = ("connected-osaka",)
DAMAGED = ("yao-east-collapses-by-removal", 211, 7)
MAILED = ("standing", 14)
ALONE = [(scenario, "fierce", 50 + number, 120) for number, scenario in enumerate(SCENARIOS)]
LISTED = KINDS - {"move"}
STANDING = [("advance", "any", "follow"), ("defence", "best"), ("retreat", "any", "east", "west")]

# --- reports -------------------------------------------------------------------------------------------------------

RARELY_TOLD = {"control", "crossing", "beside", "end", "exempt", "exit"}
GOOD = {"fire": "high", "melee": "high", "check": "low", "release": "low", "arrival": "low"}
PHASES = {
    "start": "Set-up",
    "east-move": "Eastern Army Movement Phase",
    "osaka-defence": "Osaka Army Defensive Fire Phase",
    "east-combat": "Eastern Army Combat Phase",
    "osaka-move": "Osaka Army Movement Phase",
    "east-defence": "Eastern Army Defensive Fire Phase",
    "osaka-combat": "Osaka Army Combat Phase",
}


def dawdle(state: State, request: Choose, chance: random.Random) -> Order:
    """A random order; leaders whose move would end the battle stay, few leave the map, and nobody is done early."""
    leaders = {unit for units in state.board.collapse.values() for unit in units}
    order = request.sample(chance)
    for _ in range(20):
        leaves = getattr(order, "off", False) and chance.random() < 0.95
        early = order == DONE and chance.random() < 0.8
        if request.kind != "move" or not (leaves or early or getattr(order, "unit", "") in leaders):
            return order
        order = request.sample(chance)
    return DONE
