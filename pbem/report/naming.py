"""What units and places are called in the language in force, or beside their English names."""

from __future__ import annotations

from pbem.language import ENGLISH, language
from pbem.scenario import japanese_names, names_beside

__all__ = ["names_for"]


def names_for(system: str) -> dict[str, str]:
    """English name -> the one in its place in the language in force; in English the one beside it. Raises Storage."""
    return names_beside(system) if language() == ENGLISH else japanese_names(system)
