"""Playthroughs as text: every request of a game with its options, the answer, what was told, which counters changed."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from pbem.match.game import Game
from pbem.rules.requests import Choose, Order, Request, Roll, Tell

Counters = Callable[[Game], dict[str, str]]
"""Every counter and where and how it is, and whatever else changes but the clock."""


class Playthrough(NamedTuple):
    """The lines of a playthrough, and what must occur in them."""

    lines: Callable[[], Iterable[str]]
    shown: tuple[str, ...]


def words_of(game: Game, order: Order) -> str:
    """An order in its words."""
    return " ".join(game.rules.order_words(game.board, order))


def asked(game: Game, request: Request, shown: int) -> Iterator[str]:
    """A request in words, with the number of its options and the first of them."""
    if isinstance(request, Choose):
        options = sorted(words_of(game, order) for order in request.options())
        kind = "reaction" if request.reaction else "decision"
        yield f"{kind} of {request.side} [{request.clause}] {request.kind}: {request.prompt}"
        more = f"; and {len(options) - shown} more" if len(options) > shown else ""
        yield f"  {len(options)} options: {'; '.join(options[:shown])}{more}"
    elif isinstance(request, Roll):
        yield f"roll {request.label}: {request.dice}d{request.sides}"
    else:
        yield f"draw {request.label}: {request.count} of {' '.join(request.cup)}"


def playthrough(
    game: Game,
    title: str,
    answers: Callable[[Game], Any],
    shown: int,
    most: int,
    told: list[Tell],
    counters: Counters,
    facts: Callable[[Tell], str],
) -> Iterator[str]:
    """The lines of a playthrough; `told` is where the game's tells come in, `facts` what is shown of one."""
    yield title
    clock, before = (0, ""), counters(game)
    for _ in range(most):
        request = game.request
        if request is None:
            break
        now = game.rules.clock(game.state)
        if now != clock:
            yield f"\n== turn {now[0]}, {now[1]}\n"
            clock = now
        yield from asked(game, request, shown)
        answer = answers(game)
        yield f"  > {words_of(game, answer) if isinstance(request, Choose) else ' '.join(map(str, answer))}"
        game.apply(answer)
        yield from (f"  {tell.what} [{tell.clause}]{facts(tell)}" for tell in told if tell.what != "phase")
        told.clear()
        after = counters(game)
        yield from (f"  {name}: {before[name]} -> {after[name]}" for name in after if before[name] != after[name])
        before = after
    yield f"\n== {game.outcome or 'goes on'}"
    yield json.dumps(game.rules.dump(game.state), sort_keys=True)


def in_braces(facts: dict[str, Any]) -> str:
    """Facts in short."""
    return " " + json.dumps(facts).replace('"', "")


def read(game: Game, words: Sequence[str]) -> Any:
    """A scripted answer to the pending request."""
    if isinstance(game.request, Choose):
        return game.rules.read_order(game.board, game.request.side, tuple(words))
    return tuple(int(word) for word in words) if isinstance(game.request, Roll) else tuple(words)
