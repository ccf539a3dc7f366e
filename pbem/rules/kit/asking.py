"""Questions to a side about what the other does, or about dice: what every chapter of these asks alike (P-12)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from pbem.errors import Refusal
from pbem.rules.requests import Choose, Words

__all__ = ["NO", "YES", "only", "reaction"]

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
