"""The catalogues of a language: what is said in it, and the English sentences that are recognised and put into it.

Both are gettext's, compiled from locale/TAG/LC_MESSAGES/*.po when pbem is built. `pbem` has what templates and `say`
tell, `heard` what rules, match and scenarios say in English: a sentence there may have values, as `%(unit)s is marked`;
what stands in their place is recognised in its turn.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from gettext import GNUTranslations
from pathlib import Path

from pbem.errors import Storage
from pbem.records import NamedTuple
from pbem.resources import data_folder

__all__ = ["HEARD", "SAID", "Catalogue", "read"]

SAID, HEARD = "pbem", "heard"
"""The domains: files of a language without their suffix."""

VALUE = re.compile(r"%\((\w+)\)s")

COMMAND = re.compile(r"(`[^`]*`)")
"""What is to be typed as it stands."""

SURE = 16
"""A sentence with fewer letters of its own, as `%(a)s of %(b)s`, is none whose values are English words."""

SHORT, SHALLOW = 120, 2
"""Letters of the values of such a sentence at most, and how far these are recognised within values."""

CLAUSE = re.compile(r"\b[a-z']+ [a-z']+\b")
"""What tells that words haven't been recognised."""

DEEP = 8
"""So far values are recognised within values."""

CLAUSES = {"; ": "\N{FULLWIDTH SEMICOLON}", ". ": ""}
"""What parts clauses of a sentence that are recognised one by one -> what stands in its place."""

COMMA = "\N{IDEOGRAPHIC COMMA}"
STOP = "\N{IDEOGRAPHIC FULL STOP}"


class Pattern(NamedTuple):
    """An English sentence with values: its longest words, by which most are passed over, how it is read, and put.

    What stands in one of the values `kept`, in a command between backticks, isn't recognised in its turn.
    """

    longest: str
    letters: int
    read: str
    put: str
    kept: frozenset[str]


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
        for known in (words, words.removeprefix("the ")):  # as a side is called within a sentence
            if known in self._heard:
                return self._heard[known]
        for pattern in self._patterns if deep else ():
            if pattern.longest in words and (found := _compiled(pattern.read).fullmatch(words)):
                told = self._put(pattern, found.groupdict(), names, deep)
                if told is not None:
                    return told
        return None

    def _put(self, pattern: Pattern, values: Mapping[str, str], names: Mapping[str, str], deep: int) -> str | None:
        """The words of a sentence round its values; None for few words round what isn't recognised in its turn."""
        sure = pattern.letters >= SURE
        if not sure and sum(map(len, values.values())) > SHORT:
            return None
        deeper = deep - 1 if sure else min(deep, SHALLOW) - 1
        told = {name: self._shown(values[name], names, deeper) for name in values.keys() - pattern.kept}
        if not sure and any(CLAUSE.search(COMMAND.sub("", words)) for words in told.values()):
            return None
        return pattern.put % {**values, **told}

    def _in_parts(self, words: str, names: Mapping[str, str], deep: int) -> str | None:
        """Clauses one by one, or things that are listed, where all of these are known."""
        for sign, put in CLAUSES.items():
            if sign in words:
                stop = sign.rstrip() if sign == ". " else ""
                *before, last = words.split(sign)
                parts = [self._shown(part + stop, names, deep - 1) for part in before]
                apart = [f"{part} " if part.endswith(".") else f"{part}{put}" for part in parts]  # as it is in English
                return "".join([*apart, self._shown(last, names, deep - 1)])
        items = re.split(r", | and ", words)
        if len(items) > 1:
            told = [self._recognised(item, names, deep - 1) for item in items]
            return COMMA.join(one for one in told if one is not None) if None not in told else None
        return None

    def _named(self, words: str, names: Mapping[str, str]) -> str:
        """Words with the names in them put into this language, the longest first."""
        parts = COMMAND.split(words)  # words, command, words, ...
        for name in _longest_first(tuple(names)) if not words.isdigit() else ():
            if name in words:
                told = re.compile(rf"(?<![\w-]){re.escape(name)}(?![\w-])")
                parts[::2] = [told.sub(names[name], part) for part in parts[::2]]
        return "".join(parts)


@cache
def _compiled(read: str) -> re.Pattern[str]:
    """A pattern, compiled when a sentence may be it: there are hundreds, of which few are ever needed."""
    return re.compile(read)


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
    kept = frozenset(name for command in COMMAND.findall(english) for name in VALUE.findall(command))
    return Pattern(max(plain, key=len), sum(map(len, plain)), read, words, kept)


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
