"""What befalls combat units: manpower lost, disorganisation, fatigue; and who of a side pays (std-7.5)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from pbem.errors import Refusal
from pbem.rules.gcacw.orders import Losses
from pbem.rules.gcacw.state import MOST_FATIGUE, State
from pbem.rules.kit.asking import only
from pbem.rules.kit.standing import preferences
from pbem.rules.requests import Activity, Choose, Tell, Words

__all__ = ["LOSE", "disorganise", "lose", "paying", "suffer", "tire"]

LOSE = "lose"
"""The keyword of the standing order that says who loses manpower first: `lose U|any U ...`."""


def lose(s: State, unit: str, points: int, clause: str, *, counted: bool) -> Iterator[Tell]:
    """Let a unit lose manpower; a unit without any is eliminated (std-7.5-2)."""
    if unit not in s.manpower or not points:
        return
    h = s.board.label[s.at[unit]]
    lost = s.lose(unit, points, counted=counted)
    yield Tell("loss", clause, {"unit": unit, "points": lost, "left": s.manpower.get(unit, 0), "counted": counted})
    if unit not in s.manpower:
        yield Tell("remove", clause, {"unit": unit, "at": h})


def disorganise(s: State, unit: str, clause: str, *, price: bool, counted: bool = False) -> Iterator[Tell]:
    """Disorganise a unit; where there is a `price`, one that already is loses a point of manpower instead."""
    if unit not in s.manpower:
        return
    if unit not in s.disorganised:
        s.disorganise(unit)
        yield Tell("disorganised", clause, {"unit": unit})
    elif price:
        yield from lose(s, unit, 1, clause, counted=counted)


def tire(s: State, unit: str, to: int, clause: str) -> Iterator[Tell]:
    """Raise a unit's fatigue, to 4 at most; it never falls by this."""
    to = min(to, MOST_FATIGUE)
    if unit in s.manpower and to > s.fatigue.get(unit, 0):
        s.tire(unit, to)
        yield Tell("tired", clause, {"unit": unit, "fatigue": to})


def paying(s: State, units: Sequence[str], points: int, wanted: Sequence[str] = ()) -> tuple[str, ...]:
    """Who loses so many points: those wanted, one after another, then the largest, point by point (std-7.5-3).

    Nobody is eliminated while another has two points or more.
    """
    left = {unit: s.manpower[unit] for unit in units if unit in s.manpower}
    paid: list[str] = []
    for _ in range(min(points, sum(left.values()))):
        able = [unit for unit in left if left[unit] > 1] or [unit for unit in left if left[unit]]
        first = next((unit for unit in wanted if unit in able), None)
        unit = first if first is not None else min(able, key=lambda one: (-left[one], one))
        left[unit] -= 1
        paid.append(unit)
    return tuple(sorted(paid))


def suffer(s: State, units: Sequence[str], points: int, clause: str, *, counted: bool = True) -> Activity:
    """Let units of one side lose manpower together, as their owner says; he isn't asked where there is no choice."""
    units = [unit for unit in units if unit in s.manpower]
    default = paying(s, units, points)
    if not default:
        return
    paid = default
    if len({paying(s, units, points, [unit]) for unit in units}) > 1:
        paid = (yield _ask(s, units, points, clause, default)).units
    for unit, lost in sorted(Counter(paid).items()):
        yield from lose(s, unit, lost, clause, counted=counted)


def _ask(s: State, units: Sequence[str], points: int, clause: str, default: tuple[str, ...]) -> Choose:
    """Ask the owner who loses manpower (R2, R4)."""
    side = s.board.units[units[0]].side
    prompt = f"say which units lose {points} manpower point{'s' * (points > 1)}"

    def standing(orders: Sequence[Words]) -> Losses | None:
        wanted = [word for unit in units for word in preferences(orders, LOSE, unit) if word in units]
        return Losses(paying(s, units, points, wanted)) if wanted else None

    options = [*dict.fromkeys([Losses(default), *(Losses(paying(s, units, points, [unit])) for unit in units)])]
    return Choose(
        side=side,
        kind="losses",
        clause=clause,
        prompt=prompt,
        why_not=only(Losses, clause, prompt, lambda answer: _why_not(s, units, len(default), clause, answer)),
        options=lambda: iter(options),
        sample=lambda chance: chance.choice(options),
        reaction=True,
        about=tuple(units),
        standing=standing,
        default=lambda: options[0],
        heeds=(LOSE,),
    )


def _why_not(s: State, units: Sequence[str], points: int, clause: str, answer: Losses) -> Refusal | None:
    """Why losses can't be taken so."""
    lost = Counter(answer.units)
    for unit, count in lost.items():
        if unit not in units:
            return Refusal(clause, f"{s.board.describe(unit)} takes no part in this fight")
        if count > s.manpower[unit]:
            return Refusal("std-7.5-2", f"{s.board.describe(unit)} has {s.manpower[unit]} of the {count} points")
    if lost.total() != points:
        return Refusal(clause, f"{points} points are lost, and {lost.total()} are named")
    gone = [unit for unit in units if lost[unit] == s.manpower[unit]]
    large = [unit for unit in units if s.manpower[unit] - lost[unit] > 1]
    if gone and large:
        what = f"{s.board.describe(gone[0])} isn't eliminated while {s.board.describe(large[0])} has points to lose"
        return Refusal("std-7.5-3", what)
    return None
