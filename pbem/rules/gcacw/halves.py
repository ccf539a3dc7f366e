"""Combat values and points as they are printed: they are counted in halves (std-2.2-4)."""

from __future__ import annotations

from fractions import Fraction

__all__ = ["half"]


def half(points: int | Fraction) -> int | str:
    """Half points, or parts of them, as they are printed: `3`, `1/2`, `2 1/2`, `6 3/4`."""
    whole, rest = divmod(Fraction(points, 2), 1)
    return f"{whole} {rest}".removeprefix("0 ") if rest else whole
