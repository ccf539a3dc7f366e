"""Victory: what each side would score if the campaign ended now, item by item, and who wins (rulebook 36.6)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from pbem.records import NamedTuple
from pbem.rules.kit.form import counted
from pbem.rules.requests import Outcome, Tell
from pbem.rules.sengoku.acting import castle_side
from pbem.rules.sengoku.board import Bonus
from pbem.rules.sengoku.command import LOST_WORDS
from pbem.rules.sengoku.orders import Order
from pbem.rules.sengoku.state import Ended, State
from pbem.words import the

__all__ = [
    "Item", "decisive", "for_good", "judge", "lead", "lead_words", "outcome", "points_words", "score", "total", "when",
    "winner",
]  # fmt: skip

LOST = "36.6(2)"
"""The clause by which units lost cost points."""


class Item(NamedTuple):
    """Something that scores for a side: what it is, its clause, the points, fewer than 0 for losses."""

    side: str
    what: str
    clause: str
    points: int


def score(s: State) -> list[Item]:
    """All that scores if the campaign ends now, side by side, in the order of the rulebook."""
    return [item for side in s.board.sides for item in _score(s, side.id)]


def total(s: State, side: str) -> int:
    """The points of a side if the campaign ends now."""
    return sum(item.points for item in _score(s, side))


def _score(s: State, side: str) -> Iterator[Item]:
    """What scores for a side."""
    given, enemy = s.board.victory, s.board.enemy[side]
    for castle in s.board.castles.values():  # 36.6(1)
        theirs = castle.owner is not None and s.board.armies[castle.owner].side == enemy
        if theirs and castle_side(s, castle.id) == side:
            yield Item(side, f"{castle.name}, of level {castle.level}, taken", "36.6(1)", given.castles[castle.level])
    lost = Counter(s.board.units[unit].rank for unit in s.removed if s.board.units[unit].side == side)
    for rank in sorted(lost, reverse=True):  # 36.6(2)
        what = f"{lost[rank]} {LOST_WORDS[rank][lost[rank] > 1]}"
        yield Item(side, what, LOST, -given.lost[rank] * lost[rank])
    inside = sum(len(s.forces[force]) for force in s.own_forces(enemy) if force in s.shut_in)
    if inside:
        yield Item(side, f"{inside} enemy unit{'s' * (inside > 1)} shut in", "36.6(3)", given.shut_in * inside)
    for bonus in given.bonuses:
        if bonus.side == side and _earned(s, bonus):
            yield Item(side, _why(s, bonus), bonus.clause, bonus.points)


def _earned(s: State, bonus: Bonus) -> bool:
    """Whether what a bonus is for has never happened: a unit has left its province, an army has begun to act."""
    return bonus.unit not in s.left and bonus.army not in s.declared  # 36.6(4a), 36.6(4b)


def _why(s: State, bonus: Bonus) -> str:
    """What a bonus is for."""
    if bonus.army is not None:
        return f"the {s.board.armies[bonus.army].title} have never begun to act"
    name = "" if bonus.unit is None else s.board.describe(bonus.unit)
    return f"{name} has never left {bonus.province}"


def for_good(s: State) -> Iterator[str]:
    """What nobody can win back, in words: the points for units lost, and those of a bonus that is gone."""
    for side in s.board.sides:
        gone = -sum(item.points for item in _score(s, side.id) if item.clause == LOST)
        if gone:
            yield f"{the(side.title)} has lost {points_words(gone)} with its units"
        for bonus in s.board.victory.bonuses:
            if bonus.side == side.id and not _earned(s, bonus):
                title, points = the(side.title), points_words(bonus.points)
                yield f"{title} can't have the {points} any more that {_why_gone(s, bonus)}"


def lead(s: State) -> int:
    """By how much the side leads that must, if the campaign ends now; fewer than 0 where the other does."""
    leader = s.board.victory.leader
    return total(s, leader) - total(s, s.board.enemy[leader])


def lead_words(s: State) -> str:
    """Who leads by how much, and what wins."""
    given, side, points = s.board.victory, s.board.side, lead(s)
    leader, rival = the(side[given.leader].title), the(side[s.board.enemy[given.leader]].title)
    by, needed = points_words(abs(points)), points_words(given.lead)
    if s.ended and points > 0:
        return f"{leader} led by {by} at the end; it needed a lead of {needed} to win"
    if s.ended and points < 0:
        return f"{rival} led by {by} at the end; {leader} needed a lead of {needed} to win"
    if s.ended:
        return f"{leader} and {rival} were even at the end; {leader} needed a lead of {needed} to win"
    if points > 0:
        return f"{leader} leads by {by} if the campaign ended now; it needs a lead of {needed} to win"
    if points < 0:
        return f"{rival} leads by {by} if the campaign ended now; {leader} needs a lead of {needed} to win"
    return f"{leader} and {rival} are even if the campaign ended now; {leader} needs a lead of {needed} to win"


def when(s: State) -> str:
    """When points count that are told: at the end, or if that were now."""
    return " at the end" if s.ended else " if the campaign ended now"


def points_words(points: int) -> str:
    """Points in words: `40 points`, `minus 1 point`, `no points`."""
    if not points:
        return "no points"
    return f"minus {counted(-points, 'point')}" if points < 0 else counted(points, "point")


def _why_gone(s: State, bonus: Bonus) -> str:
    """What a bonus was lost by."""
    if bonus.army is not None:
        return f"went when the {s.board.armies[bonus.army].title} began to act"
    name = "" if bonus.unit is None else s.board.describe(bonus.unit)
    return f"went when {name} left {bonus.province}"


def decisive(s: State, _: Order) -> bool:
    """Whether an order may end the campaign: in the last inning, when nobody can act behind it."""
    return s.turn == s.board.turns


def winner(s: State) -> str:
    """The side that wins if the campaign ends now."""
    leader = s.board.victory.leader
    return leader if lead(s) >= s.board.victory.lead else s.board.enemy[leader]


def judge(s: State) -> Tell:
    """The end of the last inning: the side that must lead wins by its lead or more, else the other (36.6(win))."""
    s.ended = Ended(winner(s), "36.6(win)", tuple(total(s, side.id) for side in s.board.sides))
    found = outcome(s)
    return Tell("end", "36.6(win)", found._asdict() if found else {})


def outcome(s: State) -> Outcome | None:
    """How the campaign ended, in words; None while it goes on."""
    if s.ended is None:
        return None
    (one, other), (ones, others) = (the(side.title) for side in s.board.sides), map(_scored, s.ended.points)
    leader, needed = the(s.board.side[s.board.victory.leader].title), s.board.victory.lead
    reason = f"{ones} of {one} and {others} of {other}; {leader} needed a lead of {needed}"
    return Outcome(s.ended.winner, s.ended.clause, reason)


def _scored(points: int) -> str:
    """`-13 points`."""
    return f"-{counted(-points, 'point')}" if points < 0 else counted(points, "point")
