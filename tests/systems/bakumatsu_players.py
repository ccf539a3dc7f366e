"""Choosers for Toba-Fushimi: players who decide at random, run for a hex, guard one or set a trap.

Choosers pick among the options in order of their words, so the games they make don't depend on the order in which the
rules list them.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import lru_cache, partial

from matches import Chooser, Match, scenario_of

from pbem.maps.hexes import Hex, distance
from pbem.match.game import Game
from pbem.rules import Board, Rules, State, rules_of
from pbem.rules.bakumatsu.orders import Enter, Fire, March, Melee, Move, Recover
from pbem.rules.requests import Choose, Order, Tell, Words
from pbem.scenario import Scenario
from systems.random_play import board_of, far_from, sampled

SCENARIO = "toba-fushimi"
SIDES = {"asuka": "shogunate", "ben": "satcho"}
ENTRY_HEX = "0106"


def scenario() -> Scenario:
    """The scenario, read once."""
    return scenario_of(SCENARIO)


def board() -> Board:
    """Its board, made once."""
    return board_of(SCENARIO)


def rules() -> Rules:
    """The rules of the scenario."""
    return rules_of(scenario().system)


def new_game(hear: Callable[[Tell], None] | None = None) -> Game:
    """A game before its first decision."""
    return Game.new(rules(), board(), {}, hear)


def text_of(order: Order) -> str:
    """An order in its words."""
    return " ".join(rules().order_words(board(), order))


def options_of(request: Choose) -> list[Order]:
    """The options in order of their words."""
    return sorted(request.options(), key=text_of)


# --- choosers ------------------------------------------------------------------------------------------------------


def at_random(state: State, request: Choose, chance: random.Random) -> Order:
    """Any option; one time in eight the end of the phase."""
    options = options_of(request)
    done = [order for order in options if text_of(order) == "done"]
    if done and chance.randrange(8) == 0:
        return done[0]
    return chance.choice(options)


def idle(state: State, request: Choose, chance: random.Random) -> Order:
    """The end of the phase at once, wherever it may be had."""
    options = options_of(request)
    return next((order for order in options if text_of(order) == "done"), options[0])


def bold(goal: str, *, enter: bool = True) -> Chooser:
    """Everybody runs for a hex, attacks when he has the strength, shoots with all who can; recovers when shaken.

    With `enter` False nobody walks into the hex, but a retreat may end there.
    """
    goal_hex = board().map.parse(goal)
    way = ways_to(goal_hex)

    def choose(state: State, request: Choose, chance: random.Random) -> Order:
        options = options_of(request)
        if request.kind == "move":
            return _nearest(options, state, way, None if enter else goal_hex)
        if request.kind == "melee":
            return max(options, key=lambda order: _attack(order, state, goal_hex))
        if request.kind == "fire":
            return max(options, key=lambda order: len(order.support) if isinstance(order, Fire) else -1)
        if request.kind == "retreat":
            return min(options, key=lambda order: (way[order.path[-1]], text_of(order)))
        return chance.choice(options)

    return choose


def guard(hex_number: str) -> Chooser:
    """At random, but reinforcements stay where they enter, and who stands in the hex doesn't leave it."""
    post = board().map.parse(hex_number)

    def choose(state: State, request: Choose, chance: random.Random) -> Order:
        if request.kind == "move":
            options = options_of(request)
            entering = [order for order in options if isinstance(order, Enter) and not order.how]
            if entering:
                return entering[0]
            leaving = [o for o in options if isinstance(o, Move | March) and state.at[o.unit] == post]
            return chance.choice([order for order in options if order not in leaving])
        return at_random(state, request, chance)

    return choose


def trapper(bait: str, hide: str, aside: str) -> Chooser:
    """Reinforcements hide near one hex until the enemy stands next to another, the bait; then they close in on him.

    They stop nowhere in reach of the bait, so that a retreat into it is open. The others go out of the way.
    """
    spared, den, away = (board().map.parse(number) for number in (bait, hide, aside))
    near = {spared, *board().map.neighbours[spared]}
    off_road = {h: distance(h, away) for h in board().map.hexes}

    def choose(state: State, request: Choose, chance: random.Random) -> Order:
        options = options_of(request)
        if request.kind == "fire":
            return max(options, key=lambda order: len(order.support) if isinstance(order, Fire) else -1)
        if request.kind == "melee":
            return idle(state, request, chance)
        if request.kind == "move":
            prey = sorted(h for h in state.stands["satcho"] if h in near)
            way = {h: min(distance(h, goal) for goal in prey or [den]) for h in board().map.hexes}
            late = [o for o in options if text_of(o) == "done" or (_on_call(o) and o.path and o.path[-1] not in near)]
            order = _nearest(late, state, way, None)
            first = [o for o in options if not _on_call(o)]
            return _nearest(first, state, off_road, None) if text_of(order) == "done" else order
        return chance.choice(options)

    return choose


def player(said: str) -> Chooser:
    """A chooser by its name and the hexes that it is about: `bold 1122`."""
    name, *numbers = said.split()
    known: dict[str, Callable[..., Chooser]] = {
        "anything": lambda: at_random,
        "sampled": lambda: sampled,
        "bold": bold,
        "bait": partial(bold, enter=False),
        "guard": guard,
        "trapper": trapper,
    }
    return known[name](*numbers)


def _on_call(order: Order) -> bool:
    """Whether an order moves a unit that came, or comes, as a reinforcement."""
    return isinstance(order, Move | March | Enter) and order.unit in board().start_cups["shogunate"]


def _nearest(options: list[Order], state: State, way: dict[Hex, int], shunned: Hex | None) -> Order:
    """The first recovery, else the step nearer by the most, else the last option: done."""
    best, gain = next(order for order in options if text_of(order) == "done"), 0
    for order in options:
        if isinstance(order, Recover):
            return order
        if not isinstance(order, Move | March | Enter) or not order.path or shunned in order.path:
            continue
        start = state.at.get(order.unit) or state.board.side[state.board.units[order.unit].side].entry
        nearer = way[start] - way[order.path[-1]]
        if nearer > gain:
            best, gain = order, nearer
    return best


def _attack(order: Order, state: State, goal: Hex) -> tuple[int, int]:
    """How much an attack is worth: those at the goal first, with all who can; no attack against the odds."""
    if not isinstance(order, Melee):
        return (0, 0)
    units = state.board.units
    lead = units[order.unit].melee + len(order.support) - units[order.target].melee
    at_goal = state.at[order.target] == goal
    return (1 if at_goal or lead > 0 else -1, 100 * at_goal + 10 * lead + order.advance)


@lru_cache(maxsize=4)
def ways_to(goal: Hex) -> dict[Hex, int]:
    """Movement points from every hex to the goal, without units."""
    b = board()
    return far_from([goal], b.map.hexes, b.map.neighbours, lambda h, here: b.ground.cost[h].get(here))


# --- what is put round orders --------------------------------------------------------------------------------------


def all_words(match: Match, what: str, side: str, orders: list[Words], chance: random.Random) -> str:
    """The orders with everything round them that the order language knows."""
    lines = []
    if chance.randrange(3) == 0:
        unit = chance.choice(board().of_side[side])
        where = chance.sample(["north-east", "north-west", "west", "south-west", "1413", "1013"], 2)
        lines.append(f"standing retreat {chance.choice(['any', unit])} {' '.join(where)};")
    if what == "orders" and chance.randrange(4) == 0:
        lines.append("strict;")
    if chance.randrange(3) == 0:
        lines.append(f"say {chance.choice(['Forward to Kyoto!', 'Are we there yet?', 'Well done'])};")
    for words in orders:
        if "with" in words and chance.randrange(2) == 0:
            shooter, target = words[words.index("with") + 1], words[3]
            lines.append(f"if is {target} normal then {words[0]} {shooter} at {target};")
        lines.append(f"{condition(side, words, chance)}{' '.join(words)};")
        if what == "orders" and len(words) > 1 and chance.randrange(8) == 0:
            enemy = chance.choice(board().of_side[board().enemy[side]])
            lines.append(f"stop if {chance.choice(['gone', 'alive'])} {enemy} and is {words[1]} disordered;")
    return "\n".join(lines)


def condition(side: str, words: Words, chance: random.Random) -> str:
    """A condition before an order, which may hold or not; none before most."""
    if len(words) < 2 or chance.randrange(3):
        return ""
    unit = words[1]
    tests = [
        f"alive {unit}", f"not gone {unit}", f"is {unit} normal", f"not is {unit} disordered and not is {unit} done",
        f"not at {unit} 0106", "empty 1413", f"not held 1013 {board().enemy[side]}", f"gone {unit}",
    ]  # fmt: skip
    return f"if {chance.choice(tests)} then "
