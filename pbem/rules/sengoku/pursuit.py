"""Pursuit: the attacker follows a force that has gone back (rulebook 23-5, P-7 step 9)."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.errors import Refusal
from pbem.rules.kit.asking import reaction
from pbem.rules.kit.standing import preferences
from pbem.rules.requests import Activity, Choose, Tell, Words
from pbem.rules.sengoku.acting import open_in, side_of, why_closed
from pbem.rules.sengoku.orders import Path, Pursue
from pbem.rules.sengoku.state import State

__all__ = ["pursue", "reach"]

PURSUE = "pursue"
"""The keyword of the standing order that says how many hexes to go at most: `pursue FORCE|any NUMBER|far`."""

FAR = "far"


def reach(s: State, force: str, way: Path) -> Path:
    """How far a force can follow along the way of a retreat, which begins with the hex that was left (23-5-2).

    It stops before enemies in the open and where the scenario bars it. One shut in there comes out of its castle first.
    """
    side = side_of(s, force)
    for i, h in enumerate(way):
        if open_in(s, h, s.board.enemy[side]) or why_closed(s, side, h):  # 23-5-4
            return way[:i]
    return way


def pursue(s: State, force: str, ways: Sequence[Path]) -> Activity:
    """Ask the attacker whether he follows along one of the ways by which his enemies retreated (23-5-1)."""
    found = list(dict.fromkeys(path for way in ways if (path := reach(s, force, way))))
    if not found:
        return
    path = (yield _ask(s, force, found)).path
    if not path:
        return
    facts = {"unit": force, "from": s.board.label[s.at[force]], "path": [s.board.label[h] for h in path]}
    s.let_out(force)
    for h in path:
        if h != s.at[force]:
            s.put(force, h)
    yield Tell("pursuit", "23-5-2", facts)


def _ask(s: State, force: str, found: Sequence[Path]) -> Choose:
    """Ask the attacker how far his force follows: by default it stays."""
    ways = list(dict.fromkeys(path[:i] for path in found for i in range(1, len(path) + 1)))
    farthest = min(found, key=lambda path: (-len(path), [s.board.label[h] for h in path]))

    def why_not(answer: Pursue) -> Refusal | None:
        if answer.force == force and answer.path in ((), *ways):
            return None
        ends = ", ".join(" ".join(s.board.label[h] for h in path) for path in found)
        return Refusal("23-5-2", f"{s.board.describe(force)} stays, or follows along {ends}")

    def standing(orders: Sequence[Words]) -> Pursue | None:
        for word in preferences(orders, PURSUE, force):
            if word == FAR:
                return Pursue(force, farthest)
            if word.isdigit():
                return Pursue(force, farthest[: int(word)])
        return None

    return reaction(
        side=side_of(s, force),
        kind=PURSUE,
        clause="23-5-1",
        prompt=f"say how far {s.board.describe(force)} pursues",
        options=[Pursue(force, path) for path in ((), *ways)],
        why_not=why_not,
        standing=standing,
        about=(force,),
    )
