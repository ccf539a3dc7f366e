"""How a battle ends: an army breaks at the end of a player's turn, or the turns are over; points for lost figures."""

from __future__ import annotations

from pbem.rules.kit.situation import progress as told
from pbem.rules.requests import Outcome, Tell
from pbem.rules.samurai.orders import Done, Order
from pbem.rules.samurai.state import Ended, State

__all__ = ["beyond", "broken", "decisive", "judge", "lost", "outcome", "progress", "turn_ends"]

BREAK = "army-break"
LIMIT = "turn-limit"
"""What reports name as the reason: both are reconstructed."""


def lost(s: State, side: str) -> int:
    """The points of a side's figures that are lost: killed, dispersed, off the table; routed ones on it aren't."""
    if s.phase < 2:  # in the set-ups
        return 0
    lasting, key = s.known.lasting, ("lost", side)
    if key not in lasting:
        left = sum(sum(s.figures[unit]) * s.board.units[unit].kind.points for unit in s.on(side))
        lasting[key] = s.board.points[side] - left
    found: int = lasting[key]
    return found


def broken(s: State, side: str) -> bool:
    """Whether an army is broken: half of its points are lost, or it has neither an unrouted unit nor a daimyo."""
    if 100 * lost(s, side) >= s.board.tables.broken * s.board.points[side]:
        return True
    return not any(unit not in s.routed for unit in s.on(side))


def beyond(s: State, side: str) -> int:
    """The points of a side's unrouted troops whose centre lies beyond the middle of the table."""
    ahead = 1 if s.board.side[side].ahead == 0 else -1
    own = [unit for unit in s.troops(side) if unit not in s.routed and ahead * (2 * s.at[unit].y - s.board.depth) > 0]
    return sum(s.left(unit) * s.board.units[unit].kind.points for unit in own)


def turn_ends(s: State) -> Tell | None:
    """The end of a player's turn: whether an army is broken."""
    one, other = (side.id for side in s.board.sides)
    down = [side for side in (one, other) if broken(s, side)]
    if not down:
        return None
    if len(down) == 1:
        winner, title = s.board.enemy[down[0]], s.board.side[down[0]].title
        return _end(s, winner, BREAK, f"{title} is broken: it has lost {_lost(s, down[0])}")
    return _end(s, _fewer_lost(s, 0), BREAK, f"both armies are broken ({_both(s)})")


def judge(s: State) -> Tell:
    """The end of the last turn: who has destroyed more, if it is clearly more, else who stands beyond the middle."""
    one, other = (side.id for side in s.board.sides)
    winner = _fewer_lost(s, s.board.tables.lead)
    if winner is not None:
        return _end(s, winner, LIMIT, f"the turns are over ({_both(s)})")
    points = {side: beyond(s, side) for side in (one, other)}
    words = "; ".join(f"{s.board.side[side].title} has {n} points beyond the middle" for side, n in points.items())
    winner = None if points[one] == points[other] else max(points, key=points.__getitem__)
    return _end(s, winner, LIMIT, f"the turns are over, and neither is clearly ahead: {words}")


def _fewer_lost(s: State, lead: int) -> str | None:
    """The side that has lost the smaller share of its points, by so many per cent at least; None for neither."""
    one, other = (side.id for side in s.board.sides)
    ahead = lost(s, other) * s.board.points[one] - lost(s, one) * s.board.points[other]
    if ahead == 0 or 100 * abs(ahead) < lead * s.board.points[one] * s.board.points[other]:
        return None
    return one if ahead > 0 else other


def _lost(s: State, side: str) -> str:
    return f"{lost(s, side)} of {s.board.points[side]} points"


def _both(s: State) -> str:
    return ", ".join(f"{side.title} has lost {_lost(s, side.id)}" for side in s.board.sides)


def _end(s: State, winner: str | None, clause: str, reason: str) -> Tell:
    s.ended = Ended(winner, clause, reason)
    return Tell("end", clause, {"side": winner, "reason": reason})


def outcome(s: State) -> Outcome | None:
    """How the battle ended; None while it goes on."""
    return None if s.ended is None else Outcome(*s.ended)


def progress(s: State) -> list[dict[str, object]]:
    """The points that each side has lost of its own, and how many break it; at the limit those beyond the middle."""
    found = []
    for side in s.board.sides:
        most = -(-s.board.tables.broken * s.board.points[side.id] // 100)
        what, points = f"points lost ({most} break it)", s.board.points[side.id]
        found.append(told(side.id, what, BREAK, lost(s, side.id), most, of=points))
        found.append(told(side.id, "points of troops beyond the middle", LIMIT, beyond(s, side.id)))
    return found


def decisive(_: State, order: Order) -> bool:
    """Whether an order may end the game: only the end of a turn does."""
    return isinstance(order, Done)
