"""Playthroughs as text: every request of a game with its options, the answer, what was told, which counters changed.

A playthrough is a file playthroughs/SYSTEM/NAME.yaml: a title, the position where it begins, what must be `shown` in
it, and a script of answers (orders, dice, counters drawn) or the players who decide and a seed for them and the dice;
`listed` says how many options are, where that is neither all of a script nor three of players; 0 doesn't count them.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping
from types import ModuleType
from typing import Any

from pbem.match.chances import chance_answer
from pbem.match.game import Game
from pbem.rules.requests import Choose, Order, Request, Roll, Tell

MOST = 5000
"""Answers of a playthrough."""


def playthrough(adapter: ModuleType, p: Mapping[str, Any]) -> Iterator[str]:
    """The lines of a playthrough."""
    told: list[Tell] = []
    game: Game = adapter.game_at(p["position"], told.append)
    script, chance = iter(p.get("script", ())), random.Random(p.get("seed"))
    players = {side: adapter.player(said) for side, said in p.get("players", {}).items()}

    def answer(request: Request) -> Any:
        if not players:
            return read(game, next(script).split())
        return players[request.side](game.state, request, chance) if isinstance(request, Choose) else (
            chance_answer(request, chance)
        )  # fmt: skip

    listed = p.get("listed", 3 if players else 999)
    yield p["title"]
    clock, before = (0, ""), counters(adapter, game)
    for _ in range(len(p.get("script", ())) or MOST):
        request = game.request
        if request is None:
            break
        now = game.rules.clock(game.state)
        if now != clock:
            yield f"\n== turn {now[0]}, {now[1]}\n"
            clock = now
        yield from asked(game, request, listed)
        given = answer(request)
        yield f"  > {words_of(game, given) if isinstance(request, Choose) else ' '.join(map(str, given))}"
        game.apply(given)
        yield from (f"  {tell.what} [{tell.clause}]{facts(adapter, tell)}" for tell in told if tell.what != "phase")
        told.clear()
        after = counters(adapter, game)
        yield from (f"  {name}: {before[name]} -> {after[name]}" for name in after if before[name] != after[name])
        before = after
    yield f"\n== {game.outcome or 'goes on'}"
    yield json.dumps(game.rules.dump(game.state), sort_keys=True)


def asked(game: Game, request: Request, shown: int) -> Iterator[str]:
    """A request in words, with the number of its options and the first of them."""
    if isinstance(request, Choose):
        kind = "reaction" if request.reaction else "decision"
        yield f"{kind} of {request.side} [{request.clause}] {request.kind}: {request.prompt}"
        if not shown:
            return
        options = sorted(words_of(game, order) for order in request.options())
        more = f"; and {len(options) - shown} more" if len(options) > shown else ""
        yield f"  {len(options)} options: {'; '.join(options[:shown])}{more}"
    elif isinstance(request, Roll):
        yield f"roll {request.label}: {request.dice}d{request.sides}"
    else:
        yield f"draw {request.label}: {request.count} of {' '.join(request.cup)}"


def words_of(game: Game, order: Order) -> str:
    """An order in its words."""
    return " ".join(game.rules.order_words(game.board, order))


def counters(adapter: ModuleType, game: Game) -> dict[str, str]:
    """Every counter and where and how it is, and whatever else changes but the clock, which is told."""
    s, found = game.state, dict[str, str]()
    spot = getattr(adapter, "spot", lambda board, at: board.label[at])
    places = {word: listed(getattr(s, word)) for word in adapter.OFF_THE_MAP}
    for unit in game.board.units:
        gone = next((word for word, units in places.items() if unit in units), "off")
        where = spot(game.board, s.at[unit]) if unit in s.at else gone
        found[unit] = " ".join([where, *(mark for mark in adapter.MARKS if unit in getattr(s, mark))])
    return found | adapter.beside_counters(s)


def listed(units: Mapping[str, Any]) -> set[str]:
    """The units of a field that has them by force or side, or each with its turn."""
    return set(units).union(*(some for some in units.values() if isinstance(some, tuple)))


def facts(adapter: ModuleType, tell: Tell) -> str:
    """The facts, in short, of what no counter shows."""
    if tell.what not in adapter.SHOWN:
        return ""
    left = {key: value for key, value in tell.facts.items() if key not in adapter.NOT_SHOWN}
    return " " + json.dumps(left).replace('"', "")


def read(game: Game, words: list[str]) -> Any:
    """A scripted answer to the pending request."""
    if isinstance(game.request, Choose):
        return game.rules.read_order(game.board, game.request.side, tuple(words))
    return tuple(int(word) for word in words) if isinstance(game.request, Roll) else tuple(words)
