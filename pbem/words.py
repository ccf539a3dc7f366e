"""Words that all rooms need: the nearest right one to a word that isn't known, lists, shares in percent, turns."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fractions import Fraction

__all__ = [
    "ALIKE", "OWN", "closest", "closest_named", "listed", "nearest", "nearest_and_all", "own", "per_cent",
    "reconstructed", "the", "turn_word",
]  # fmt: skip

OWN: set[str] = set()
"""Names that players have given themselves or their games: each stands for itself in every language."""

LONGEST = 20
"""Letters of a word that are looked at: what stands in a mail may be long, and a comparison grows with its square."""

NAMED = 48
"""The same for names."""

PART = 4
"""Letters from which on a word may be meant for a word of a name."""

ALIKE = 0.6
"""How much a word of a file is like the one that is meant."""


def own(*names: str) -> None:
    """Know names of players and games, whatever else they mean."""
    OWN.update(names)


def closest(word: str, known: Collection[str], alike: float = 0.5) -> str | None:
    """The known word most like this one, if it is as much alike as that (0 to 1)."""
    from difflib import get_close_matches  # only a wrong word costs its import

    return next(iter(get_close_matches(word[:LONGEST], known, 1, alike)), None)


def closest_named(word: str, known: Mapping[str, Collection[str]]) -> str | None:
    """Of things with several names the one that was probably meant, by as few wrong letters as possible.

    Whole names count before those that begin so, and these before words of a name; signs and blanks don't.
    """
    plain = _plain(word)
    whole: dict[str, str] = {}
    parts: dict[str, str] = {}
    for thing, names in known.items():
        for name in names:
            whole.setdefault(_known(name), thing)
            for part in name.split()[1:] and name.split():
                parts.setdefault(_known(part), thing)
    begun = (thing for name, thing in {**whole, **parts}.items() if plain and name.startswith(plain))
    return _fewest(plain, whole) or next(begun, None) or (_fewest(plain, parts) if len(plain) >= PART else None)


@lru_cache(maxsize=2048)
def _known(name: str) -> str:
    """The letters and digits of a name of a scenario, kept: each wrong word is held against all of them."""
    return _plain(name)


def _plain(name: str) -> str:
    return "".join(c for c in name.lower() if c.isalnum())[:NAMED]


def _fewest(word: str, known: Mapping[str, str]) -> str | None:
    """What has the name with the fewest wrong letters, a third at most; of several the one that begins most alike."""
    most = (len(word) + 1) // 3 if len(word) > 2 else 0
    near = [
        (wrong, -_alike_beginning(word, name), place)
        for place, name in enumerate(known)
        if abs(len(name) - len(word)) <= most and (wrong := _wrong_letters(word, name)) <= most
    ]
    return list(known.values())[min(near)[2]] if near else None


def _alike_beginning(a: str, b: str) -> int:
    return next((at for at, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))


def _wrong_letters(a: str, b: str) -> int:
    """How many letters are to be changed, put in or left out to make one word of another (Levenshtein)."""
    before = list(range(len(b) + 1))
    for row, letter in enumerate(a, 1):
        now = [row]
        for column, other in enumerate(b, 1):
            now.append(min(before[column] + 1, now[-1] + 1, before[column - 1] + (letter != other)))
        before = now
    return before[-1]


def nearest(word: str, known: Collection[str], said: str = "did you mean {}?", alike: float = 0.5) -> str:
    """What would be right in place of a word: the closest of those known, as it is `said`; else all of them."""
    near = closest(word, known, alike)
    if near is None:
        return f"there are: {', '.join(known)}" if known else "there is none"
    return said.format(near)


def nearest_and_all(word: str, known: Collection[str]) -> str:
    """What would be right in place of a word of a file: the closest of those known, and all of them."""
    near = closest(word, known, ALIKE)
    words = ", ".join(known) or "none"
    return f"did you mean {near}? known are {words}" if near else f"known are {words}"


def listed(items: Iterable[object], word: str = "and") -> str:
    """`A, B and C`; or with another word before the last."""
    names = [str(item) for item in items]
    return f" {word} ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else "".join(names)


RECONSTRUCTED = "reconstructed"
"""The word for what no source gives, in the provenance of scenarios and maps."""


def reconstructed(blocks: Mapping[str, object], of: str = "") -> list[str]:
    """The blocks of a `provenance` (block: text) that say so: those that say no more in one line, then each other.

    What they are blocks `of` stands before each line.
    """
    made_up = {block: str(text) for block, text in blocks.items() if RECONSTRUCTED in str(text)}
    bare = listed(block for block, text in made_up.items() if text == RECONSTRUCTED)
    more = [f"{of} {block}: {text}".lstrip() for block, text in made_up.items() if text != RECONSTRUCTED]
    return [f"{of}: {bare}" if of else bare, *more] if bare else more


def per_cent(share: Fraction | float, digits: int, *, even: bool = False) -> str:
    """A share (0 to 1) in percent with so many digits behind the point at most: `58.3 %`, `50 %`.

    One that is neither none nor all is never told as such: `under 0.1 %`, `over 99.9 %`. In a column of numbers it is
    `even`: with all digits, `50.0 %`, and rounded to the end.
    """
    told = f"{float(100 * share):.{digits}f}"
    if not even and float(told) == 0 and share > 0:
        return f"under {10**-digits:.{digits}f} %"
    if not even and float(told) == 100 and share < 1:
        return f"over {100 - 10**-digits:.{digits}f} %"
    return f"{told if even or not digits else told.rstrip('0').rstrip('.')} %"


WITH_ARTICLE = frozenset({"Army", "Confederates", "Government", "Shogunate", "Union", "side"})
"""Last words of sides' titles that have an article within a sentence, where no one's name stands before them."""


def the(title: str) -> str:
    """A side's title within a sentence: `the Hashiba side`, `the Union`; one that is a name has no article.

    Nor has one that tells whose it is: `Saigo's Army`.
    """
    return f"the {title}" if title.rpartition(" ")[2] in WITH_ARTICLE and "'s " not in title else title


def turn_word(situation: Mapping[str, Any]) -> str:
    """What a turn is called in a game of this situation: `turn`, `inning`."""
    return str(situation.get("turn_title", "turn"))
