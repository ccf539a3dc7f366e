"""The catalogues of a language: what is said in it, and the English sentences that are recognised and put into it.

Both are gettext's, compiled from locale/TAG/LC_MESSAGES/*.po when pbem is built. `pbem` has what templates and `say`
tell, `heard` what rules, match and scenarios say in English: a sentence there may have values, as `%(unit)s is marked`;
what stands in their place is recognised in its turn.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from gettext import GNUTranslations
from pathlib import Path

from pbem.errors import Storage
from pbem.records import NamedTuple
from pbem.resources import data_folder

__all__ = ["HEARD", "SAID", "Catalogue", "read"]

SAID, HEARD = "pbem", "heard"
"""The domains: files of a language without their suffix."""

VALUE = re.compile(r"%\((\w+)\)s")

DEEP = 8
"""So far values are recognised within values."""

CLAUSES = {"; ": "\N{FULLWIDTH SEMICOLON}", ". ": ""}
"""What parts clauses of a sentence that are recognised one by one -> what stands in its place."""

RANGE = re.compile(r"([+-]?\d+) to ([+-]?\d+)")
"""The least and the greatest of some numbers."""

COMMA = "\N{IDEOGRAPHIC COMMA}"
STOP = "\N{IDEOGRAPHIC FULL STOP}"


class Pattern(NamedTuple):
    """An English sentence with values: its longest words, by which most are passed over, how it is read, and put."""

    longest: str
    letters: int
    read: re.Pattern[str]
    put: str


class Catalogue:
    """What a language has."""

    def __init__(self, said: GNUTranslations, heard: Mapping[str, str]) -> None:
        self._said = said
        self._heard = {english: words for english, words in heard.items() if words and not VALUE.search(english)}
        with_values = ((english, words) for english, words in heard.items() if words and VALUE.search(english))
        self._patterns = sorted((_pattern(*pair) for pair in with_values), key=lambda one: -one.letters)

    def said(self, msgid: str) -> str:
        """A sentence that reports and commands say, its values still in it; the English one where it isn't there."""
        return self._said.gettext(msgid)

    def counted(self, number: str, one: str, many: str) -> str:
        """A number and its noun."""
        return f"{number}{self._said.ngettext(one, many, 1)}"

    def listed(self, items: Iterable[str], word: str) -> str:
        """Several things."""
        parted = COMMA if word != "or" else self._said.gettext(" or ")
        return parted.join(items)

    def shown(self, words: str, names: Mapping[str, str]) -> str:
        """An English sentence in this language; one that isn't recognised as it is, but for its names."""
        return self._shown(words, names, DEEP)

    def _shown(self, words: str, names: Mapping[str, str], deep: int) -> str:
        found = self._recognised(words, names, deep)
        if found is None and words.endswith("."):
            found = self._recognised(words[:-1], names, deep)
            found = None if found is None else found + STOP
        if found is None and deep:
            found = self._in_parts(words, names, deep)
        return self._named(words, names) if found is None else found

    def _recognised(self, words: str, names: Mapping[str, str], deep: int) -> str | None:
        """The sentence, if it is one of those known, or has the words of one round its values."""
        if words in names:
            return names[words]
        for known in (words, re.sub("^[Tt]he ", "", words)):  # as a side is called within a sentence
            if known in self._heard:
                return self._heard[known]
        for pattern in self._patterns if deep else ():
            if pattern.longest in words and (found := pattern.read.fullmatch(words)):
                values = {name: self._shown(value, names, deep - 1) for name, value in found.groupdict().items()}
                return pattern.put % values
        return None

    def _in_parts(self, words: str, names: Mapping[str, str], deep: int) -> str | None:
        """Clauses one by one, or things that are listed, where all of these are known."""
        for sign, put in CLAUSES.items():
            if sign in words:
                stop = sign.rstrip() if sign == ". " else ""
                *before, last = words.split(sign)
                parts = [self._shown(part + stop, names, deep - 1) for part in before]
                return put.join([*parts, self._shown(last, names, deep - 1)])
        items = re.split(r", | and ", words)
        if len(items) > 1:
            told = [self._recognised(item, names, deep - 1) for item in items]
            return COMMA.join(one for one in told if one is not None) if None not in told else None
        return None

    def _named(self, words: str, names: Mapping[str, str]) -> str:
        """Words with the names in them put into this language, the longest first."""
        words = RANGE.sub(r"\1～\2", words)
        for name in _longest_first(tuple(names)) if not words.isdigit() else ():
            if name in words:
                words = re.sub(rf"(?<![\w-]){re.escape(name)}(?![\w-])", names[name], words)
        return words


@lru_cache(8)
def _longest_first(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(sorted(names, key=lambda name: -len(name)))


def _pattern(english: str, words: str) -> Pattern:
    """How a sentence with values is recognised: a value is as short as it may be."""
    parts = VALUE.split(english)  # words, name, words, ...
    plain = [part.replace("%%", "%") for part in parts[::2]]
    seen = set[str]()
    read = re.escape(plain[0])
    for name, after in zip(parts[1::2], plain[1:], strict=True):
        read += rf"(?P={name})" if name in seen else rf"(?P<{name}>.*?)"
        read += re.escape(after)
        seen.add(name)
    return Pattern(max(plain, key=len), sum(map(len, plain)), re.compile(read), words)


@lru_cache
def read(tag: str) -> Catalogue:
    """The catalogues of a language. Raises Storage where they aren't there or can't be read."""
    folder = data_folder("locale") / tag / "LC_MESSAGES"
    return Catalogue(_read(folder / f"{SAID}.mo"), entries(_read(folder / f"{HEARD}.mo")))


def entries(found: GNUTranslations) -> dict[str, str]:
    """All sentences of a catalogue -> what they are in its language; not the head, nor those with plural forms."""
    held: dict[object, str] = vars(found)["_catalog"]
    return {key: words for key, words in held.items() if isinstance(key, str) and key}


def _read(path: Path) -> GNUTranslations:
    try:
        with path.open("rb") as file:
            return GNUTranslations(file)
    except (OSError, ValueError, UnicodeDecodeError) as error:
        hint = "install pbem again, or in a checkout call tools/catalogues.py"
        raise Storage(f"a catalogue can't be read: {error}", str(path), hint) from error
