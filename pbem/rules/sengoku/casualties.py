"""Losses of a fight: their owner says which units lose a step (19-2-4, 23-3-1, 23-6-3, 24-2-4, P-7 step 5)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from pbem.errors import Refusal
from pbem.rules.kit.asking import NOTHING, only
from pbem.rules.kit.form import counted
from pbem.rules.requests import Activity, Choose, Words
from pbem.rules.sengoku.acting import said, side_of
from pbem.rules.sengoku.harm import losses, steps, take
from pbem.rules.sengoku.orders import Losses
from pbem.rules.sengoku.state import State
from pbem.rules.sengoku.tables import Loss

__all__ = ["suffer"]

LOSE = "lose"
"""The keyword of the standing order that says who loses steps first: `lose FORCE|any UNIT ...`."""


def suffer(
    s: State,
    forces: Sequence[str],
    loss: Loss,
    clause: str,
    way: str = "",
    then: str = "",
    unasked: Mapping[type, Refusal] = NOTHING,
) -> Activity:
    """Let forces of one side lose steps as their owner likes; he isn't asked where there is nothing to choose.

    `way` is why a way back costs them, `then` what the question says of what comes behind it, `unasked` as
    `kit.asking.only` has it.
    """
    forces = [force for force in forces if force in s.forces]
    units = losses(s, forces, loss.losses, marked=loss.marked)
    everyone = [unit for force in forces for unit in s.forces[force]]
    if units and len(everyone) > 1 and len(units) < steps(s, everyone):
        units = (
            yield _ask(s, forces, loss, clause, units, f" for the way back: {way}" * bool(way) + then, unasked)
        ).units
    yield from take(s, units, clause, way)


def _ask(
    s: State,
    forces: Sequence[str],
    loss: Loss,
    clause: str,
    default: tuple[str, ...],
    why: str,
    unasked: Mapping[type, Refusal],
) -> Choose:
    """Ask the owner who loses steps: by standing order, else as P-7 says."""
    everyone = [unit for force in forces for unit in s.forces[force]]

    def by(wanted: Sequence[str]) -> Losses:
        twice = [unit for unit in wanted for _ in range(2)]
        return Losses(losses(s, forces, loss.losses, marked=loss.marked, wanted=twice))

    def standing(orders: Sequence[Words]) -> Losses | None:
        wanted = [word for word in said(s, orders, LOSE, forces) if word in everyone]
        return by(wanted) if wanted else None

    def options() -> Iterator[Losses]:
        yield from dict.fromkeys([Losses(default), *(by([unit]) for unit in everyone)])

    most = counted(len(default), "step")
    prompt = (
        f"say which units of {s.board.several(forces)} lose {most}" + ", one of them all it has" * loss.marked + why
    )
    return Choose(
        side=side_of(s, forces[0]),
        kind="losses",
        clause=clause,
        prompt=prompt,
        why_not=only(Losses, clause, prompt, lambda answer: _why_not(s, everyone, loss, clause, answer), unasked),
        options=options,
        sample=lambda chance: by([chance.choice(everyone)]),
        reaction=True,
        about=tuple(everyone),
        standing=standing,
        default=lambda: Losses(default),
        heeds=(LOSE,),
    )


def _why_not(s: State, everyone: Sequence[str], loss: Loss, clause: str, answer: Losses) -> Refusal | None:
    """Why losses can't be taken so."""
    lost = Counter(answer.units)
    for unit, count in lost.items():
        if unit not in everyone:
            return Refusal(clause, f"{s.board.describe(unit)} takes no part in this fight")
        if count > steps(s, [unit]):
            return Refusal("2-2-1(6)", f"{s.board.describe(unit)} has {steps(s, [unit])} of the {count} steps")
    killed = any(count == steps(s, [unit]) for unit, count in lost.items())
    if loss.marked and not killed:
        return Refusal("23-3-3", "by the mark at least one unit is eliminated: one loses all steps that it has")
    needed = min(steps(s, everyone), loss.losses)
    if loss.marked:
        needed = max(needed, min(steps(s, [unit]) for unit in everyone))
    if lost.total() != needed:
        named = f"{lost.total()} {'is' if lost.total() == 1 else 'are'} named"
        return Refusal(clause, f"{counted(needed, 'step')} {'is' if needed == 1 else 'are'} lost, and {named}")
    return None
