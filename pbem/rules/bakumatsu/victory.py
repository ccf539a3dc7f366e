"""Victory hexes, their control, and how the game ends (rulebook 14)."""

from __future__ import annotations

from pbem.maps.hexes import Hex
from pbem.rules.bakumatsu import commanders
from pbem.rules.bakumatsu.orders import Enter, Fire, March, Melee, Move, Order, Retreat
from pbem.rules.bakumatsu.state import Ended, State
from pbem.rules.requests import Outcome, Tell
from pbem.words import the

__all__ = ["NEEDED", "decisive", "enter", "held", "judge", "outcome"]

NEEDED = 7  # 14(4)2


def enter(s: State, unit: str, h: Hex) -> list[Tell]:
    """What follows when a combat unit enters a hex in whatever way: an enemy commander there is lost, a victory hex
    changes hands, the game ends."""
    board = s.board
    told = commanders.lost(s, unit, h)
    if h not in board.prizes:
        return told
    side = board.units[unit].side
    before = s.control.get(h)
    if h in board.victory_hexes and before != side:
        s.control[h] = side  # 14(3)
        facts = {"hex": board.label[h], "place": board.map.place_names.get(h), "side": side, "from": before}
        told.append(Tell("control", "15-2-6(0)b" if before is None else "14(2)", facts))
    enemy = board.side[board.enemy[side]]
    if h == enemy.entry:
        told.append(_end(s, Ended(side, "14(4)1", unit)))  # 14(4)1
    return told


def decisive(s: State, order: Order) -> bool:
    """Whether an order may end the game: a way onto the enemy's entry hex, or a combat with its retreats (14(4)1)."""
    if isinstance(order, Move | March | Enter | Retreat):
        goes = any(h == side.entry for side in s.board.sides for h in order.path)
        return goes and s.board.units[order.unit].command is None
    return isinstance(order, Fire | Melee)


def held(s: State, side: str) -> int:
    """The number of victory hexes that a side controls."""
    return list(s.control.values()).count(side)


def judge(s: State) -> Tell:
    """End the game after its last turn: who controls enough victory hexes has won."""
    for side in s.board.sides:
        if held(s, side.id) >= NEEDED:
            return _end(s, Ended(side.id, "14(4)2"))
    return _end(s, Ended(None, "14(4)2"))


def outcome(s: State) -> Outcome | None:
    """How the game ended, in words; None while it goes on."""
    if s.ended is None:
        return None
    winner, clause, unit = s.ended
    if winner is None:
        return Outcome(None, clause, f"nobody holds {NEEDED} victory hexes at the end")
    if unit is None:
        count = held(s, winner)
        return Outcome(winner, clause, f"{the(s.board.side[winner].title)} holds {count} victory hexes at the end")
    loser = s.board.side[s.board.enemy[winner]]
    place = s.board.place(loser.entry) if loser.entry is not None else ""
    reason = f"{s.board.describe(unit)} entered the entry hex {place} of {the(loser.title)}"
    return Outcome(winner, clause, reason)


def _end(s: State, ended: Ended) -> Tell:
    s.ended = ended
    found = outcome(s)
    return Tell("end", ended.clause, found._asdict() if found else {})
