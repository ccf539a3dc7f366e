"""Questions to a side about what the other does, or about dice: what every chapter of these asks alike (P-12)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pbem.errors import Refusal
from pbem.rules.requests import Choose, Words

__all__ = ["NO", "YES", "only", "reaction"]

YES, NO = "yes", "no"
"""The words of standing orders by which a side does what it is asked about, or doesn't."""

NOTHING: Mapping[type, Refusal] = {}
"""For questions behind which any answer may yet be asked for."""


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
    unasked: Mapping[type, Refusal] = NOTHING,
) -> Choose:
    """A question that standing orders answer, else the first of the options (requests.Choose has the fields).

    `unasked`: as `only` has it.
    """
    return Choose(
        side=side,
        kind=kind,
        clause=clause,
        prompt=prompt,
        why_not=only(type(options[0]), clause, prompt, why_not, unasked),
        options=lambda: iter(options),
        sample=lambda chance: chance.choice(options),
        reaction=True,
        about=about,
        standing=standing,
        default=lambda: options[0],
    )


def only(
    kind: type,
    clause: str,
    prompt: str,
    why_not: Callable[[Any], Refusal | None],
    unasked: Mapping[type, Refusal] = NOTHING,
) -> Callable[[Any], Refusal | None]:
    """The check of answers of one kind, which refuses all orders of others: a side may have any among its answers.

    `unasked`: kinds of answers that nobody will ask for behind this one either, each with why.
    """

    def why(order: Any) -> Refusal | None:
        if isinstance(order, kind):
            return why_not(order)
        never = unasked.get(type(order))
        other = f"it doesn't answer the question that comes first: {prompt}"
        return Refusal(clause, other) if never is None else Refusal(never.clause, f"{never.reason}; asked is: {prompt}")

    return why
