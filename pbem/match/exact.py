"""What one order may bring, with every throw counted: its results with their exact shares, the ends of the game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from heapq import heappop, heappush
from itertools import count, permutations, product
from typing import TYPE_CHECKING, Any

from pbem.match.chances import Steady, chance_answer
from pbem.match.course import Chancer, Step
from pbem.match.game import Game
from pbem.match.near import OF_DICE
from pbem.match.orders import Act, order_of
from pbem.match.prospects import Ending
from pbem.match.table import Table
from pbem.match.take import imagine_on
from pbem.match.tally import Tally
from pbem.match.way import Chosen, Way, common_of
from pbem.records import NamedTuple
from pbem.rules.requests import Answer, Chance, Choose, Draw, Outcome, Roll, Words

if TYPE_CHECKING:
    from fractions import Fraction

__all__ = ["Result", "at_first_dice", "endings", "left_out", "results"]

MOST = 240
"""Futures of an order for the form that are counted one by one; what remains open then is played out with random dice.
"""

ALL = 5_000
"""Futures of an order whose odds are asked for. A fight with many chain retreats has 4,000."""

WORK, PROBES = 100_000, 5
"""Steps of all of them together, some five seconds, by the mean length of so many that are played out before: of a
battle of many forces fewer futures are counted."""


class _Branch(NamedTuple):
    """A future up to where it waits for a chance, or is over: its share of all, the table, what has happened.

    `random` is as in a Result.
    """

    share: Fraction
    table: Table
    steps: list[Step]
    asked: bool
    choices: tuple[Chosen, ...] = ()
    random: int | None = None


class Result(NamedTuple):
    """What an order may bring: its share of all that may come, the steps that tell it, how the game ends by it.

    `asked` says that somebody was asked something, `random` from which of the steps on it was played out with random
    dice, as one for all that could come there, None where each was counted; `choices` what ends of the game the other
    player could have chosen there.
    """

    share: Fraction
    steps: list[Step]
    outcome: Outcome | None
    asked: bool
    random: int | None
    choices: frozenset[Outcome] = frozenset()


def results(table: Table, side: str, words: Words) -> Iterator[Result]:
    """All that one order of a side may bring now, with what comes of itself at once; the same in every call.

    Nothing else is carried out, neither orders that wait nor plans, of either side. Who is asked something answers as
    the rules would choose; otherwise only as far as the other player could end the game by it. Raises OrderError for
    words that are no order.
    """
    for branch in _leaves(table, side, _act(table, side, words), ALL):
        choices = frozenset(chosen.outcome for chosen in branch.choices)
        yield Result(branch.share, branch.steps, branch.table.game.outcome, branch.asked, branch.random, choices)


def endings(table: Table, side: str, words: Words) -> list[Ending]:
    """The ends of the game that one order of a side may bring now, the most frequent first; the same in every call.

    Every throw is counted, of the order's first dice and of all that come of them, up to so many futures; if there are
    more the shares are `about` so. Raises OrderError for words that are no order.
    """
    act = _act(table, side, words)
    if not table.rules.decisive(table.game.state, act.order):
        return []
    tally = Tally(table, side, [(0, act)])
    tally.about = False
    for branch in _leaves(table, side, act, MOST):
        tally.count(branch.table, branch.steps, branch.share, choices=branch.choices)
        tally.about |= branch.random is not None
    return [ending for ending in tally.endings() if ending.words]


def at_first_dice(table: Table, side: str, words: Words) -> Table:
    """How it stands when an order of a side has its odds: behind what is answered before its first dice fall.

    It is the table itself where nobody is asked anything, or nobody knows yet what he answers. Raises OrderError for
    words that are no order.
    """
    way = Way(side, alone=True)
    ahead, _ = common_of(_alone(table), side, [(0, _act(table, side, words))], way)
    known = isinstance(ahead.game.request, Roll | Draw) and ahead.game.answered and not way.asked
    return ahead if known else table


def _act(table: Table, side: str, words: Words) -> Act:
    return Act(table.rules.read_order(table.board, side, words), words)


def _leaves(table: Table, side: str, act: Act, most: int) -> Iterator[_Branch]:
    """Every future of an order up to where it is carried out.

    What is only begun by it is carried out with the end of the step. The likeliest go first, so that what is left to
    chance is the least of all.
    """
    from fractions import Fraction  # imported where used: most commands count no throws

    way, asked, table = Way(side, alone=True), table.game.request, _alone(table)
    own = {act.order, asked.ends.order} if isinstance(asked, Choose) and asked.ends is not None else {act.order}
    under_way, order = table.game.begun_by, count()
    common, _ = common_of(table, side, [(0, act)], way)
    whole = _Branch(Fraction(1), common, common.steps, way.asked, tuple(way.choices))
    waiting = [(Fraction(-1), next(order), whole)]
    number = 0

    def carried_out(game: Game) -> bool:
        over = game.left is not table.game.left or game.begun_by not in (None, under_way)
        return not isinstance(game.request, Roll | Draw) or (over and game.begun_by not in own)

    if most > MOST:
        probes = [_at_random(whole, side, Steady(probe), carried_out) for probe in range(PROBES)]
        most = min(most, WORK * PROBES // (1 + sum(len(probe.steps) for probe in probes)))
    while waiting:
        _, _, branch = heappop(waiting)
        request = branch.table.game.request
        if carried_out(branch.table.game) or not isinstance(request, Roll | Draw):
            yield branch
            continue
        answers = _answers(request)
        number += len(answers)
        if number > most:
            yield _at_random(branch, side, Steady(number), carried_out)
            continue
        for ahead in _merged(_on(branch, side, answer, branch.share * times) for answer, times in answers):
            heappush(waiting, (-ahead.share, next(order), ahead))


def left_out(table: Table) -> list[str]:
    """The players whose orders or plans wait behind an order that is given now, and aren't counted with it."""
    queues, plans, closing = table.course.queues, table.course.plans, (table.rules.CLOSING,)
    waiting = {side: [order_of(part) for _, part in (*queues[side], *plans[side])] for side in queues}
    acts = {side: [act for act in found if act and act.words != closing] for side, found in waiting.items()}
    return [player.name for player in table.genesis.players if acts[player.side]]


def _alone(table: Table) -> Table:
    """The table without orders and plans that wait, so that one order is all that is carried out; answers stay."""
    alone = table.fork()
    for waiting in (*alone.course.queues.values(), *alone.course.plans.values()):
        waiting.clear()
    return alone


def _on(branch: _Branch, side: str, answer: Answer, share: Fraction) -> _Branch:
    """A future carried on by the answer to the chance that it waits for."""
    given = [answer]
    return _by(branch, side, branch.table.fork(), lambda _: given.pop() if given else None)._replace(share=share)


def _at_random(branch: _Branch, side: str, chance: Chance, carried_out: Callable[[Game], bool]) -> _Branch:
    """A future played out with random dice from here on, until its order is carried out."""
    ahead = branch.table.fork()

    def chancer(request: Roll | Draw) -> Answer | None:
        return None if carried_out(ahead.game) else chance_answer(request, chance)

    return _by(branch, side, ahead, chancer)._replace(random=len(branch.steps))


def _by(branch: _Branch, side: str, ahead: Table, chancer: Chancer) -> _Branch:
    """A future carried on by a chancer, on a fork of its table."""
    way = Way(side, alone=True)
    imagine_on(ahead, chancer)
    way.on(ahead, chancer)
    steps, asked = [*branch.steps, *ahead.steps], branch.asked or way.asked
    choices = (chosen._replace(steps=[*branch.steps, *chosen.steps]) for chosen in way.choices)
    return branch._replace(table=ahead, steps=steps, asked=asked, choices=(*branch.choices, *choices))


def _merged(branches: Iterable[_Branch]) -> list[_Branch]:
    """Futures of one chance, those as one that differ in nothing but how its dice fell."""
    found: list[tuple[_Branch, Any]] = []
    for branch in branches:
        game, told = branch.table.game, [_told(step) for step in branch.steps if step["kind"] not in ("roll", "draw")]
        alike = (game.request, told, {chosen.outcome for chosen in branch.choices})
        for place, (like, other) in enumerate(found):
            if other == alike and like.table.game.state == game.state:
                found[place] = (like._replace(share=like.share + branch.share), other)
                break
        else:
            found.append((branch, alike))
    return [branch for branch, _ in found]


def _told(step: Step) -> Step:
    """A step without what it says of dice."""
    facts = step.get("facts", {})
    return {**step, "facts": {name: fact for name, fact in facts.items() if name not in OF_DICE}}


def _answers(request: Roll | Draw) -> list[tuple[Answer, Fraction]]:
    """Answers to a chance, one for all that bring the same (requests.Roll), each with its share of all."""
    from fractions import Fraction

    if isinstance(request, Roll):
        by_sum: dict[int, list[Answer]] = {}
        for throw in product(range(1, request.sides + 1), repeat=request.dice):
            by_sum.setdefault(sum(throw), []).append(throw)
        return [(alike[0], Fraction(len(alike), request.sides**request.dice)) for alike in by_sum.values()]
    drawn = Counter(permutations(request.cup, request.count))
    return [(counters, Fraction(times, drawn.total())) for counters, times in drawn.items()]
