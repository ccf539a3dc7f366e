"""Choosers for both battles: players who decide at random, run for a hex, guard one or set a trap.

Choosers pick among the options in order of their words, so the games they make don't depend on the order in which the
rules list them.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from functools import lru_cache, partial

from matches import Chooser, Match, scenario_of

from pbem.maps.hexes import Hex, distance
from pbem.match.game import Game
from pbem.rules import Board, Rules, State, rules_of
from pbem.rules.bakumatsu.orders import DONE, NO_ONE, Enter, Fire, March, Melee, Move, Recover, order_words
from pbem.rules.requests import Choose, Order, Tell, Words
from pbem.scenario import Scenario
from systems.random_play import board_of, far_from, sampled

SCENARIO = "toba-fushimi"
SIDES = {"asuka": "shogunate", "ben": "satcho"}
TABARUZAKA = "tabaruzaka"

GOALS = {
    SCENARIO: {"entry": "0106", "shogunate": "1122", "satcho": "1209"},
    TABARUZAKA: {"entry": "2401", "government": "1820", "saigo": "1820"},
}
"""Where players run to, by the side, or `entry`: the first player's."""


def scenario() -> Scenario:
    """The scenario, read once."""
    return scenario_of(SCENARIO)


def board(name: str = SCENARIO) -> Board:
    """A scenario's board, made once."""
    return board_of(name)


def rules() -> Rules:
    """The rules of the system."""
    return rules_of("bakumatsu")


def new_game(hear: Callable[[Tell], None] | None = None, name: str = SCENARIO) -> Game:
    """A game before its first decision."""
    return Game.new(rules(), board(name), {}, hear)


def text_of(order: Order, b: Board) -> str:
    """An order in its words."""
    return " ".join(order_words(b, order))


def options_of(request: Choose, b: Board) -> list[Order]:
    """The options in order of their words."""
    return sorted(request.options(), key=lambda order: text_of(order, b))


# --- choosers ------------------------------------------------------------------------------------------------------


def at_random(state: State, request: Choose, chance: random.Random) -> Order:
    """Any option; one time in eight the end of the phase."""
    options = options_of(request, state.board)
    if DONE in options and chance.randrange(8) == 0:
        return DONE
    return chance.choice(options)


def idle(state: State, request: Choose, chance: random.Random) -> Order:
    """The end of the phase at once, wherever it may be had."""
    options = options_of(request, state.board)
    return DONE if DONE in options else options[0]


def bold(goal: str, *, enter: bool = True) -> Chooser:
    """Everybody runs for a hex, attacks when he has the strength, shoots with all who can; recovers when shaken.

    With `enter` False nobody walks into the hex, but a retreat may end there.
    """

    def choose(state: State, request: Choose, chance: random.Random) -> Order:
        goal_hex = meant(goal, state.board, request.side)
        way = far(state.board.label[goal_hex], state.board.scenario)
        if request.kind == "move":
            return _nearest(request.options(), state, way, None if enter else goal_hex)
        options = options_of(request, state.board)
        if request.kind == "melee":
            return max(options, key=lambda order: _attack(order, state, goal_hex))
        if request.kind == "fire":
            return max(options, key=lambda order: len(order.support) if isinstance(order, Fire) else -1)
        if request.kind == "retreat":
            return min(options, key=lambda order: (way[order.path[-1]], text_of(order, state.board)))
        return chance.choice(options)

    return choose


def led(goal: str) -> Chooser:
    """As `bold`, but every other time that dice are ordered he names one of the commanders who can help, or nobody."""
    decide = bold(goal)

    def choose(state: State, request: Choose, chance: random.Random) -> Order:
        order = decide(state, request, chance)
        named = state.board.commanders[request.side]
        if not named or not isinstance(order, Fire | Melee | Recover) or chance.randrange(2):
            return order
        orders = [order._replace(by=by) for by in (NO_ONE, *named)]
        return chance.choice([order for order in orders if request.why_not(order) is None])

    return choose


def spread(state: State, request: Choose, chance: random.Random) -> Order:
    """Everybody runs for the nearest victory hex that isn't his side's; else as they who are bold."""
    if request.kind != "move":
        return bold("goal")(state, request, chance)
    wanted = [state.board.label[h] for h in state.board.victory_hexes if state.control.get(h) != request.side]
    way = far(" ".join(sorted(wanted)) or "0101", state.board.scenario)
    return _nearest(request.options(), state, way, None)


def guard(hex_number: str) -> Chooser:
    """At random, but reinforcements stay where they enter, and who stands in the hex doesn't leave it."""

    def choose(state: State, request: Choose, chance: random.Random) -> Order:
        post = meant(hex_number, state.board, request.side)
        if request.kind == "move":
            options = options_of(request, state.board)
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
        options = options_of(request, state.board)
        if request.kind == "fire":
            return max(options, key=lambda order: len(order.support) if isinstance(order, Fire) else -1)
        if request.kind == "melee":
            return idle(state, request, chance)
        if request.kind == "move":
            prey = sorted(h for h in state.stands["satcho"] if h in near)
            way = {h: min(distance(h, goal) for goal in prey or [den]) for h in board().map.hexes}
            late = [o for o in options if o == DONE or (_on_call(o) and o.path and o.path[-1] not in near)]
            order = _nearest(late, state, way, None)
            first = [o for o in options if not _on_call(o)]
            return _nearest(first, state, off_road, None) if order == DONE else order
        return chance.choice(options)

    return choose


def player(said: str) -> Chooser:
    """A chooser by its name and the hexes that it is about: `bold 1122`, `bold goal`."""
    name, *numbers = said.split()
    known: dict[str, Callable[..., Chooser]] = {
        "anything": lambda: at_random,
        "sampled": lambda: sampled,
        "bold": bold,
        "led": led,
        "spread": lambda: spread,
        "bait": partial(bold, enter=False),
        "guard": guard,
        "trapper": trapper,
    }
    return known[name](*numbers)


def _on_call(order: Order) -> bool:
    """Whether an order moves a unit that came, or comes, as a reinforcement."""
    return isinstance(order, Move | March | Enter) and order.unit in board().start_cups["shogunate"]


def _nearest(options: Iterable[Order], state: State, way: dict[Hex, int], shunned: Hex | None) -> Order:
    """The first recovery, else the step nearer by the most, by their words; else the end of the phase."""
    recoveries: list[Order] = []
    best, gain = [DONE], 0
    for order in options:
        if isinstance(order, Recover):
            recoveries.append(order)
        if recoveries or not isinstance(order, Move | March | Enter) or not order.path or shunned in order.path:
            continue
        start = state.at.get(order.unit) or state.board.side[state.board.units[order.unit].side].entry
        nearer = way[start] - way[order.path[-1]]
        if nearer > gain:
            best, gain = [order], nearer
        elif nearer == gain > 0:
            best.append(order)
    return min(recoveries or best, key=lambda order: text_of(order, state.board))


def _attack(order: Order, state: State, goal: Hex) -> tuple[int, int]:
    """How much an attack is worth: those at the goal first, with all who can; no attack against the odds."""
    if not isinstance(order, Melee):
        return (0, 0)
    units = state.board.units
    lead = units[order.unit].melee + len(order.support) - units[order.target].melee
    at_goal = state.at[order.target] == goal
    return (1 if at_goal or lead > 0 else -1, 100 * at_goal + 10 * lead + order.advance)


def meant(goal: str, b: Board, side: str) -> Hex:
    """The hex that a goal is: a number, `entry`, or `goal`: that of the side."""
    known = GOALS[b.scenario]
    return b.map.parse(known.get(side if goal == "goal" else goal, goal))


@lru_cache(maxsize=32)
def far(numbers: str, name: str) -> dict[Hex, int]:
    """Movement points from every hex to the nearest of some, without units."""
    b = board(name)
    goals = map(b.map.parse, numbers.split())
    return far_from(goals, b.map.hexes, b.map.neighbours, lambda h, here: b.ground.cost[h].get(here))


# --- what is put round orders --------------------------------------------------------------------------------------


def all_words(match: Match, what: str, side: str, orders: list[Words], chance: random.Random) -> str:
    """The orders with everything round them that the order language knows."""
    lines, b = [], match.table.board
    if chance.randrange(3) == 0:
        unit = chance.choice(b.of_side[side])
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
        lines.append(f"{condition(b.enemy[side], words, chance)}{' '.join(words)};")
        if what == "orders" and len(words) > 1 and chance.randrange(8) == 0:
            enemy = chance.choice(b.of_side[b.enemy[side]])
            lines.append(f"stop if {chance.choice(['gone', 'alive'])} {enemy} and is {words[1]} disordered;")
    return "\n".join(lines)


def condition(enemy: str, words: Words, chance: random.Random) -> str:
    """A condition before an order, which may hold or not; none before most."""
    if len(words) < 2 or chance.randrange(3):
        return ""
    unit = words[1]
    tests = [
        f"alive {unit}", f"not gone {unit}", f"is {unit} normal", f"not is {unit} disordered and not is {unit} done",
        f"not at {unit} 0106", "empty 1413", f"not held 1013 {enemy}", f"gone {unit}",
    ]  # fmt: skip
    return f"if {chance.choice(tests)} then "
