"""Victory hexes, their control, and how the game ends (rulebook 14)."""

from __future__ import annotations

from pbem.hexes import Hex
from pbem.requests import Outcome, Tell
from pbem.rules.bakumatsu.state import State

__all__ = ["NEEDED", "enter", "held", "judge"]

NEEDED = 7  # 14(4)2


def enter(s: State, unit: str, h: Hex) -> list[Tell]:
    """What follows when a combat unit enters a hex in whatever way: control of a victory hex, the end of the game."""
    board = s.board
    if h not in board.prizes:
        return []
    side, told = board.units[unit].side, []
    before = s.control.get(h)
    if before is not None and before != side:
        s.control[h] = side  # 14(2), 14(3)
        facts = {"hex": board.label[h], "place": board.map.place_names.get(h), "side": side, "from": before}
        told.append(Tell("control", "14(2)", facts))
    enemy = board.side[board.enemy[side]]
    if h == enemy.entry:
        reason = f"{board.describe(unit)} entered the entry hex {board.place(h)} of {enemy.title}"
        told.append(_end(s, Outcome(side, "14(4)1", reason)))  # 14(4)1
    return told


def held(s: State, side: str) -> int:
    """The number of victory hexes that a side controls."""
    return list(s.control.values()).count(side)


def judge(s: State) -> Tell:
    """End the game after its last turn: who controls enough victory hexes has won."""
    for side in s.board.sides:
        count = held(s, side.id)
        if count >= NEEDED:
            return _end(s, Outcome(side.id, "14(4)2", f"{side.title} holds {count} victory hexes at the end"))
    return _end(s, Outcome(None, "14(4)2", f"nobody holds {NEEDED} victory hexes at the end"))


def _end(s: State, outcome: Outcome) -> Tell:
    s.ended = outcome
    return Tell("end", outcome.clause, {"winner": outcome.winner, "clause": outcome.clause, "reason": outcome.reason})
