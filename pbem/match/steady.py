"""Plans of a whole phase by several rules of thumb, judged by play-outs with dice that all of them have in common."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import sqrt
from typing import Any
from zlib import crc32

from pbem.match.chances import Steady, chance_answer
from pbem.match.game import Game
from pbem.rules.requests import Choose, Draw, Roll

__all__ = ["Progress", "chosen", "silent"]

ROUNDS = 16
"""Play-outs of a plan at most."""

FEW = 4
"""Play-outs after which a plan can be dropped."""

SURE = 2.0
"""Standard errors by which a plan must be better than the best rule of thumb."""

MOST = 1500
"""Answers of a play-out at most."""

Clock = tuple[int, str]
"""The turn and the phase."""

Progress = Callable[[int, int], None]
"""Hears how many play-outs are done, and of how many at most; both are equal at the end."""


def silent(_done: int, _most: int) -> None:
    """Tells nobody."""


def chosen(game: Game, side: str, seed: int, progress: Progress = silent) -> Any:
    """The rule of thumb by which a side plays the phase in which it is asked: the best as a rule, or one surely better.

    The same seed gives the same. Nothing of the game is changed.
    """
    styles, request = game.rules.styles(game.state, side), game.request
    if not isinstance(request, Choose) or request.side != side or request.reaction:
        return styles[0]
    found: list[list[float]] = [[] for _ in styles]
    left = list(range(1, len(styles)))
    for number in range(ROUNDS):
        known: dict[str, float] = {}
        for plan in (0, *left):
            progress(sum(map(len, found)), ROUNDS * len(styles))
            found[plan].append(_played_out(game, side, styles[plan], seed + number, known))
        if number + 1 >= FEW or number == 1:
            left = [plan for plan in left if _goes_on(found[plan], found[0])]
        if not left:
            break
    progress(1, 1)
    gains = [(_gain(found[plan], found[0]), plan) for plan in left]
    better = [(mean, plan) for (mean, error), plan in gains if mean > SURE * error and mean > 0]
    return styles[max(better)[1]] if better else styles[0]


def _gain(scores: Sequence[float], others: Sequence[float]) -> tuple[float, float]:
    """By how much a plan is better than another with the same dice, and the standard error of it."""
    gains = [a - b for a, b in zip(scores, others, strict=True)]
    count = len(gains)
    mean = sum(gains) / count
    spread = sum((gain - mean) ** 2 for gain in gains) / (count - 1) if count > 1 else 1.0
    return mean, sqrt(spread / count)


def _goes_on(scores: Sequence[float], others: Sequence[float]) -> bool:
    """Whether a plan is worth more play-outs; one that is behind isn't, nor one that has come to the same each time."""
    if len(scores) < FEW:
        return scores != others
    return _gain(scores, others)[0] > 0


def _played_out(game: Game, side: str, style: Any, seed: int, known: dict[str, float]) -> float:
    """What comes of a plan, from 0 to 1: the phase by one rule of thumb, all else by the best of either side.

    It is judged when the other side has answered, or where the game ends.
    `known` holds what came of plans with the same seed by the position and the dice behind the phase: several rules
    of thumb often give the same orders, and the answer to them is the same.
    """
    ahead, rules, dice = game.fork(), game.rules, _Dice(seed)
    now = rules.clock(game.state)
    answered = rules.answered(now)
    _go_on(ahead, dice, Steady(seed), lambda clock: clock == now, {side: style})
    behind = f"{rules.dump(ahead.state)} {dice.rolled}"
    if behind not in known:
        _go_on(ahead, dice, Steady(~seed), lambda clock: clock != answered and clock[0] <= answered[0], {})
        outcome = ahead.outcome
        if outcome is None:
            known[behind] = float(rules.prospect(ahead.state, side))
        else:
            known[behind] = 0.5 if outcome.winner is None else float(outcome.winner == side)
    return known[behind]


def _go_on(ahead: Game, dice: _Dice, whims: Steady, meanwhile: Callable[[Clock], bool], by: Mapping[str, Any]) -> None:
    """Play on as long as the turn and phase are such: `by` has the rule of thumb of a side, else it is the best.

    What a side answers to the other's orders is by the best always.
    """
    rules = ahead.rules
    for _ in range(MOST):
        request = ahead.request
        if request is None or not meanwhile(rules.clock(ahead.state)):
            return
        if isinstance(request, Choose):
            own = None if request.reaction else by.get(request.side)
            style = own or rules.styles(ahead.state, request.side)[0]
            ahead.apply(rules.advise(ahead.state, request, whims, style), legal=True)
        else:
            ahead.apply(dice.answer(request))


class _Dice:
    """Dice and draws by the label of a roll and how often it was rolled: whatever else happens, they are the same."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.rolled: dict[str, int] = {}

    def answer(self, request: Roll | Draw) -> Any:
        """The answer to a chance."""
        times = self.rolled[request.label] = self.rolled.get(request.label, 0) + 1
        chance = Steady(crc32(f"{self.seed}/{request.label}/{times}".encode()))
        chance.random()
        return chance_answer(request, chance)
