"""The nearest right word: what was probably meant by a word that isn't known."""

from __future__ import annotations

from collections.abc import Collection, Mapping

__all__ = ["ALIKE", "closest", "closest_named", "nearest", "nearest_and_all"]

LONGEST = 20
"""Letters of a word that are looked at: what stands in a mail may be long, and a comparison grows with its square."""

ALIKE = 0.6
"""How much a word of a file is like the one that is meant."""


def closest(word: str, known: Collection[str], alike: float = 0.5) -> str | None:
    """The known word most like this one, if it is as much alike as that (0 to 1)."""
    from difflib import get_close_matches  # only a wrong word costs its import

    return next(iter(get_close_matches(word[:LONGEST], known, 1, alike)), None)


def closest_named(word: str, known: Mapping[str, Collection[str]], alike: float = 0.5) -> str | None:
    """Of things with several names the one that has the name most like this word, or a word most like it in a name."""
    whose: dict[str, str] = {}
    for thing, names in known.items():
        for name in names:
            for each in (name, *name.split()):
                whose.setdefault(each.lower(), thing)
    near = closest(word.lower(), whose, alike)
    return None if near is None else whose[near]


def nearest(word: str, known: Collection[str], said: str = "did you mean {}?", alike: float = 0.5) -> str:
    """What would be right in place of a word: the closest of those known, as it is `said`; else all of them."""
    near = closest(word, known, alike)
    return "there are: " + (", ".join(known) or "none") if near is None else said.format(near)


def nearest_and_all(word: str, known: Collection[str]) -> str:
    """What would be right in place of a word of a file: the closest of those known, and all of them."""
    near = closest(word, known, ALIKE)
    return (f"did you mean {near}? " if near else "") + "known are " + (", ".join(known) or "none")
