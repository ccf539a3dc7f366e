"""Order forms: what every system writes alike."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Protocol, TypeAlias, TypeVar

from pbem.rules.requests import FormEntry, Words

if TYPE_CHECKING:
    from fractions import Fraction

__all__ = ["EXAMPLES", "Line", "by_target", "closing", "odds", "per_cent"]

Line: TypeAlias = tuple[Words, str]
"""An order to copy, and a note on it."""

EXAMPLES = 6
"""How many moves of a unit are written out."""


class Aimed(Protocol):
    """An order against a unit."""

    @property
    def target(self) -> str: ...


A = TypeVar("A", bound=Aimed)


def closing(order: str) -> FormEntry:
    """The last entry of a form: the order, of one word, that ends the phase."""
    return FormEntry("The phase", (((order,), "ends the phase"),))


def by_target(orders: Iterable[A]) -> dict[str, list[A]]:
    """Target -> the orders against it, as they come."""
    found: dict[str, list[A]] = {}
    for order in orders:
        found.setdefault(order.target, []).append(order)
    return found


def odds(shares: Mapping[str, Fraction]) -> str:
    """Outcomes with their chances, `no effect 58.3 %, removed 41.7 %`."""
    return ", ".join(f"{outcome} {per_cent(share)}" for outcome, share in shares.items())


def per_cent(share: Fraction) -> str:
    """A chance with one decimal, `58.3 %`; a whole number without, `50 %`."""
    return f"{float(100 * share):.1f}".removesuffix(".0") + " %"
