"""Answers of a computer player by a rule of thumb with weights: it moves, fires and attacks as a style says."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from pbem.maps.hexes import Hex
from pbem.rules.bakumatsu import bot
from pbem.rules.bakumatsu.board import Unit
from pbem.rules.bakumatsu.bot import FAR, best_of, goals_of
from pbem.rules.bakumatsu.movement import march_destinations, move_destinations
from pbem.rules.bakumatsu.odds import fire_odds, melee_odds
from pbem.rules.bakumatsu.orders import DONE, Enter, Fire, March, Melee, Move, Order, Recover
from pbem.rules.bakumatsu.posts import Posts
from pbem.rules.bakumatsu.recovery_movement import options_of
from pbem.rules.bakumatsu.reinforcements import can_enter
from pbem.rules.bakumatsu.state import State
from pbem.rules.bakumatsu.style import Style
from pbem.rules.kit.throws import Shares
from pbem.rules.requests import Chance, Choose

__all__ = ["advise"]

HARM = {"disordered": 1.0, "retreats": 1.6, "removed": 4.0}
"""What a result counts, in about the strength of a unit."""

LATE = 3.0
"""How many times more a victory hex counts in an attack of the last turn."""


def advise(s: State, choose: Choose, chance: Chance, style: Style) -> Order:
    """A sensible answer to a pending decision; setting up and retreats are the bold player's."""
    match choose.kind:
        case "move":
            return _move(s, choose.side, chance, style)
        case "fire":
            return best_of((((_fire(s, order, style),), order) for order in choose.options()), chance)
        case "melee":
            return best_of(((_melee(s, choose.side, order, style), order) for order in choose.options()), chance)
    return bot.advise(s, choose, chance)


# --- fire and melee ---------------------------------------------------------------------------------------------------


def _fire(s: State, order: Order, style: Style) -> float:
    """The harm to be expected of a fire, less what its supporters can't do any more."""
    if not isinstance(order, Fire):
        return 0.0
    return _harm(s, order.target, fire_odds(s, order)) - style.aid * len(order.support)


def _melee(s: State, side: str, order: Order, style: Style) -> tuple[float, ...]:
    """What an attack promises beyond what it must, a victory hex above all; and whether to advance."""
    if not isinstance(order, Melee):
        return 0.0, 0.0
    start, at, last = s.at[order.unit], s.at[order.target], s.turn == s.board.turns
    held = s.control.get(start) == side
    prize = at in goals_of(s, side) and not (held and start == s.board.side[side].entry)
    odds = melee_odds(s, order)
    gone = float(odds.get("retreats", 0) + odds.get("removed", 0))
    worth = _harm(s, order.target, odds) + style.prize * prize * gone * (LATE if last else 1.0)
    must = 0.0 if last and prize and order.advance else style.odds
    advances = float(order.advance) * (1.0 if prize or not held else -1.0)
    return worth - must - style.aid * len(order.support), advances


def _harm(s: State, target: str, odds: Shares) -> float:
    """The harm to be expected of a combat, by what the target is worth."""
    unit = s.board.units[target]
    each = 1.5 if unit.artillery else (unit.fire + unit.melee) / 8
    return each * sum(HARM.get(what, 0.0) * float(share) for what, share in odds.items())


# --- recovery and movement --------------------------------------------------------------------------------------------


def _move(s: State, side: str, chance: Chance, style: Style) -> Order:
    """First recover, then bring on who may come, then move, those ahead first; in the end commanders."""
    posts = Posts(s, side, style)
    idle = [s.board.units[unit] for unit in s.board.of_side[side] if unit in s.at and unit not in s.done]
    for unit in idle:
        if unit.id in s.disordered:
            return _prize(s, unit, posts) or Recover(unit.id)
    if entries := list(_entries(s, side, posts)):
        return best_of(entries, chance)
    free = [unit for unit in idle if not posts.stays(unit)]
    fighters = [unit for unit in free if unit.command is None]
    for unit in sorted(fighters, key=lambda unit: (posts.off(unit.id, s.at[unit.id]), unit)):
        if order := _best_way(s, unit, partial(posts.worth, unit), style.still):
            return order
    for unit in free:
        if unit.command and (order := _best_way(s, unit, partial(posts.leads, unit), style.still)):
            return order
    return DONE


def _prize(s: State, unit: Unit, posts: Posts) -> Order | None:
    """The way of a disordered unit into a hex to be won, in the last turn."""
    if not posts.last:
        return None
    ways = (order for order in options_of(s, unit.side, unit.id) if isinstance(order, Move | March))
    return next((order for order in ways if not posts.open.isdisjoint(order.path)), None)


def _entries(s: State, side: str, posts: Posts) -> Iterator[tuple[tuple[float, ...], Order]]:
    """The ways to come on, combat units before commanders, the strongest first; nobody stays where others come on."""
    alike: dict[tuple[int, bool], list[Unit]] = {}
    for piece in can_enter(s, side):
        unit = s.board.units[piece]
        alike.setdefault((unit.move, unit.command is None), []).append(unit)
    for pieces in alike.values():
        first = pieces[0]
        for way in options_of(s, side, first.id):
            if not isinstance(way, Enter):
                continue
            end = way.path[-1] if way.path else s.board.side[side].entry
            if end is None:
                continue
            worth = posts.worth(first, end) if first.command is None else posts.leads(first, end) - FAR
            for unit in pieces:
                yield (worth - FAR / 2 * (not way.path), unit.fire + unit.melee), way._replace(unit=unit.id)


def _best_way(s: State, unit: Unit, worth: Callable[[Hex], float], still: float) -> Order | None:
    """The way of a unit to the hex that is worth the most, if that is worth enough more than where it stands."""
    start = s.at[unit.id]
    most = worth(start) + still
    best: Order | None = None
    for h, (_, path) in move_destinations(s, unit, start).items():
        if (found := worth(h)) > most:
            most, best = found, Move(unit.id, path)
    for h, path in march_destinations(s, unit, start).items():
        if (found := worth(h)) > most:
            most, best = found, March(unit.id, path)
    return best
