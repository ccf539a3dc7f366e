"""The dice of a lost secret (protocol 4.4): worst for its owner, by the end of the game and then by what he suffers."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Protocol, Self

from pbem.match.game import Game
from pbem.match.orders import Part, order_of
from pbem.rules import Rules
from pbem.rules.requests import Answer, Choose, Cut, Draw, Order, Roll

__all__ = ["worst"]

TRIES = 600
"""Throws looked at for one chance: a number of the protocol, as both programs must find the same."""

LOST, OPEN, WON = range(3)
"""How a game stands for the owner of the secret; a draw is neither lost nor won."""

Worth = tuple[int, bool, tuple[int, ...]]
"""What a throw comes to for him, the worst first: how the game stands, whether anybody decides then, where the rules
count harm, and that harm, negative.
"""

WORST: Worth = (LOST, False, ())
"""Nothing is worse, where the rules count no harm."""


class Carried(Protocol):
    """A course, as far as is asked of it here."""

    game: Game
    rules: Rules
    chancer: Callable[[Roll | Draw], Answer | None]
    queues: dict[str, deque[tuple[int, Part]]]
    plans: dict[str, deque[tuple[int, Part]]]
    laid: dict[str, str]

    def fork(self) -> Self: ...
    def resolve(self, *, orders: bool = True) -> None: ...
    def position(self) -> str: ...


Known = dict[tuple[int, bool, str], Worth]
"""What is known of positions, behind the order whose dice are thrown or still in it: what each comes to with so many
tries; under 0 where no dice are wanted any more, so that it comes to the same with any.
"""


def worst(course: Carried, request: Roll | Draw, side: str) -> Answer:
    """The answer to the chance that a course waits for, whose seed `side` has lost."""
    answers = _tried(course, request, side, TRIES)
    return answers[0] if len(answers) == 1 else _found(course, request, side, TRIES, {})[1]


def _found(course: Carried, request: Roll | Draw, side: str, tries: int, known: Known) -> tuple[Worth, Answer]:
    """What the worst answer to a chance comes to, and that answer: of those that come to the same the first in order.

    The tries are shared alike by all of them; where they are too few, the first in order stands for all. Of dice that
    come of no order a decision is the least bad: with it new dice come, in place of what was ordered and seen.
    """
    answers = _tried(course, request, side, tries)
    of_order = course.game.begun_by is not None
    least: Worth | None = None
    found = answers[0]
    for answer in answers:
        comes_to = _comes_to(course, answer, side, tries // len(answers), known)
        if least is None or (comes_to[::2] < least[::2] if of_order else comes_to < least):
            least, found = comes_to, answer
        if least == WORST:
            break
    assert least is not None  # noqa: S101 there is an answer
    return least, found


def _tried(course: Carried, request: Roll | Draw, side: str, tries: int) -> list[Answer]:
    """The answers to a chance that are followed with so many tries, in their order."""
    plain = course.rules.worst(course.game.state, request, side)
    if isinstance(request, Roll) and request.cut is not None and _costs(course, request.cut, side):
        return [plain if _has_more(course, request.cut, side) else request.cut.answer]
    if isinstance(request, Draw) or request.settled or tries < request.dice * (request.sides - 1) + 1:
        return [plain]
    return _every_sum(request, plain)


def _costs(course: Carried, cut: Cut, side: str) -> bool:
    """Whether the end that a roll may bring takes orders from a side, spares it no combat, and is the end for its enemy
    too once his orders are carried out: he is asked nothing more."""
    mine = [order for order in _waiting(course, cut, side) if cut.lost(order)]
    if side in cut.through or not mine or any(map(cut.fights, mine)):
        return False
    board, closing = course.game.board, (course.rules.CLOSING,)
    return all(
        enemy in cut.through
        or any(course.rules.order_words(board, order) == closing for order in _waiting(course, cut, enemy))
        for enemy in course.queues.keys() - {side}
    )


def _has_more(course: Carried, cut: Cut, side: str) -> bool:
    """Whether orders of a side's enemy wait that the end would take away."""
    return any(cut.lost(order) for enemy in course.queues.keys() - {side} for order in _waiting(course, cut, enemy))


def _waiting(course: Carried, cut: Cut, side: str) -> list[Order]:
    """The orders of a side that wait for the window of a cut, and its plans."""
    given = course.queues[side] if course.laid.get(side) == cut.window else ()
    acts = (order_of(part) for _, part in (*given, *course.plans[side]))
    return [act.order for act in acts if act is not None]


def _comes_to(course: Carried, answer: Answer, side: str, tries: int, known: Known) -> Worth:
    """What an answer comes to with all that follows of the same order, up to the next dice of another or a decision.

    Throws that bring about the same position, before the next order of the queue, come to the same: it is carried on
    once. So a queue of a thousand orders that lapse is gone through once for each position, not for each throw. Where
    only one answer of a later die is followed, nothing is copied for it: an order may have any number of dice.
    """
    ahead, given = course.fork(), [answer]
    ahead.chancer = lambda _: given.pop() if given else None
    passed: list[tuple[int, bool, str]] = []
    comes_to: Worth | None = None
    while comes_to is None:
        ahead.resolve(orders=False)
        place: tuple[bool, str] | None = None
        if isinstance(ahead.game.request, Choose):
            place = ahead.game.left is course.game.left, ahead.position()
            comes_to = known.get((0, *place)) or known.get((tries, *place))
            if comes_to is not None:
                break
            passed.append((tries, *place))
            ahead.resolve()
        request = ahead.game.request
        if isinstance(request, Roll | Draw) and ahead.game.left is course.game.left:
            given += _tried(ahead, request, side, tries)
            comes_to = _found(ahead, request, side, tries, known)[0] if len(given) > 1 else None
        else:
            comes_to = _stands(ahead, side)
            passed += [(0, *place)] if place is not None else []
    known.update(dict.fromkeys(passed, comes_to))
    return comes_to


def _stands(course: Carried, side: str) -> Worth:
    """What has come of dice, as a course stands behind them."""
    outcome = course.game.outcome
    stands = OPEN if outcome is None or outcome.winner is None else WON if outcome.winner == side else LOST
    harm = tuple(-harm for harm in course.rules.harmed(course.game.state, side))
    return stands, bool(harm) and isinstance(course.game.request, Choose), harm


def _every_sum(request: Roll, first: Answer) -> list[Answer]:
    """A throw for each sum of a roll's dice: the sums from the lowest or highest one, that of `first`, to the other.

    Of throws with one sum it is the first, compared die by die from the left.
    """
    found: list[Answer] = []
    for total in range(request.dice, request.dice * request.sides + 1):
        throw: list[int] = []
        for behind in reversed(range(request.dice)):
            throw.append(max(1, total - sum(throw) - behind * request.sides))
        found.append(tuple(throw))
    return found if first == found[0] else found[::-1]
