"""Questions to a side about what the other does, or about dice: what every chapter of these asks alike (P-12)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from pbem.errors import Refusal
from pbem.rules.kit.standing import preferences
from pbem.rules.requests import Choose, Words
from pbem.rules.sengoku.state import State

__all__ = ["NO", "YES", "only", "reaction", "said"]

YES, NO = "yes", "no"
"""The words of standing orders by which a side does what it is asked about, or doesn't."""


def reaction(
    *,
    side: str,
    kind: str,
    clause: str,
    prompt: str,
    options: Sequence[Any],
    why_not: Callable[[Any], Refusal | None],
    standing: Callable[[Sequence[Words]], Any],
    about: tuple[str, ...],
) -> Choose:
    """A question that standing orders answer, else the first of the options (requests.Choose has the fields)."""
    return Choose(
        side=side,
        kind=kind,
        clause=clause,
        prompt=prompt,
        why_not=only(type(options[0]), clause, prompt, why_not),
        options=lambda: iter(options),
        sample=lambda chance: chance.choice(options),
        reaction=True,
        about=about,
        standing=standing,
        default=lambda: options[0],
    )


def only(
    kind: type, clause: str, prompt: str, why_not: Callable[[Any], Refusal | None]
) -> Callable[[Any], Refusal | None]:
    """The check of answers of one kind, which refuses all orders of others: a side may have any among its answers."""
    return lambda order: why_not(order) if isinstance(order, kind) else Refusal(clause, f"asked for is: {prompt}")


def said(s: State, orders: Sequence[Words], keyword: str, forces: Iterable[str]) -> Words:
    """The words by preference for forces of one side that are asked together, in whatever order they are named.

    Their own orders, of the highest rank that leads one first, then as in the army file; then that for any (P-12).
    """
    roster, units = s.board.of_side, s.board.units
    ranked = sorted(forces, key=lambda force: (-units[force].rank, roster[units[force].side].index(force)))
    return preferences(orders, keyword, *ranked)
