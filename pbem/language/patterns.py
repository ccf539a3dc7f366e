"""English sentences with values, as `%(unit)s is marked`: how one is looked for, how it is read, and put."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cached_property

__all__ = ["KINDS", "VALUE", "Pattern", "Patterns"]

VALUE = re.compile(r"%\((\w+)\)s")

KINDS = {
    "share": r"(?:under |over )?\d[\d.]* %|for sure",
    "figure": r"[+-]?\d[\d.]*(?: 1/2)?|1/2",
    "key_print": r"SHA256:\S+",
    "ids": r"[a-z][\w-]*(?:, [a-z][\w-]*)*",
    "given_lines": r"lines? \d+(?:(?:,|,? and| to) \d+)*|`[^`]*`",
    "hex_place": r"[A-Z]?\d+(?: (?:(?! and | or )[^,;:()`])+)?",
}
"""Words with which a value's name may end -> what such a value is, and nothing else."""

FEW = 5
"""Of a pattern with so few letters of its own the values are no lists, if these can be read otherwise."""

OF_A_KIND = 6
"""So many letters a value of a kind counts: there is little that it may be."""

LEFT_OUT = "[^,;:]{0,12}"
"""A value that the translation leaves out, as `s` of several or `are`."""

SURE = 16
"""With fewer letters, as `%(units)s in %(places)s`, it is none where one of its values isn't known."""

WORD = re.compile(r"[A-Za-z']+")


class Pattern:
    """An English sentence with values: by which of its words it is looked for, how it is read, and put."""

    def __init__(self, english: str, put: str) -> None:
        self.put = put
        self._parts = VALUE.split(english.replace("%%", "%"))  # words, name, words, ...
        plain = self._parts[::2]
        self.longest = max(plain, key=len)
        letters = sum(map(str.isalpha, "".join(plain)))
        self.weak = letters < SURE
        self.brief = letters <= FEW and not self.has(", ") and not all(map(_kind_of, self._parts[1::2]))
        self._told = frozenset(VALUE.findall(put))
        quoted, quotes = frozenset(_in_quotes(self._parts)), frozenset(_in_quotes(VALUE.split(put)))
        self._quoted, self.typed = quoted | quotes, quotes - quoted
        self.letters = sum(map(len, plain)) + OF_A_KIND * sum(map(bool, map(_kind_of, self._parts[1::2])))
        self.words = frozenset(_whole_words(plain))

    @cached_property
    def readers(self) -> tuple[re.Pattern[str], ...]:
        """The first takes each value as short as it may be, the second as long."""
        return (self._reader(".*?"), self._reader(".*")) if len(self._parts) > 3 else (self._reader(".*?"),)

    def has(self, sign: str) -> bool:
        """Whether the sign is one of its own."""
        return any(sign in part for part in self._parts[::2])

    def is_order(self, name: str) -> bool:
        """Whether a value stands in an order, of which no word is put into another language."""
        return name in self._quoted

    def _reader(self, any_words: str) -> re.Pattern[str]:
        seen = set[str]()
        read = re.escape(self._parts[0])
        for name, after in zip(self._parts[1::2], self._parts[2::2], strict=True):
            value = _kind_of(name) or (any_words if name in self._told else LEFT_OUT)
            read += rf"(?P={name})" if name in seen else rf"(?P<{name}>{value})"
            read += re.escape(after)
            seen.add(name)
        return re.compile(read, re.DOTALL)


class Patterns:
    """The sentences of a language, each found by that of its words that the fewest of them have."""

    def __init__(self, heard: Mapping[str, str]) -> None:
        found = sorted((Pattern(*pair) for pair in heard.items()), key=lambda one: -one.letters)
        self._by_word = _by_rarest_word(found)

    def of(self, words: str) -> Iterator[Pattern]:
        """Those that words may be, that with the most letters of its own first."""
        has = frozenset(WORD.findall(words))
        found = [pair for word in (*has, "") for pair in self._by_word.get(word, ())]
        found.sort(key=lambda pair: pair[0])
        return (one for _, one in found if one.words <= has and one.longest in words)


def _kind_of(name: str) -> str:
    """What a value of such a name is, as a pattern; "" where it may be anything."""
    return next((kind for word, kind in KINDS.items() if name.rstrip("_").endswith(word)), "")


def _in_quotes(parts: list[str]) -> Iterator[str]:
    """The names of the values that stand between backquotes."""
    signs = 0
    for before, name in zip(parts[::2], parts[1::2], strict=False):
        signs += before.count("`")
        if signs % 2:
            yield name


def _whole_words(plain: list[str]) -> Iterator[str]:
    """Those words between values that no value can lengthen."""
    for place, part in enumerate(plain):
        for found in WORD.finditer(part):
            begins = found.start() > 0 or place == 0
            if begins and (found.end() < len(part) or place == len(plain) - 1):
                yield found[0]


def _by_rarest_word(patterns: list[Pattern]) -> dict[str, list[tuple[int, Pattern]]]:
    """Each pattern, with its place, by that of its words that the fewest of them have; by "" one without a word."""
    often = Counter(word for one in patterns for word in one.words)
    found: dict[str, list[tuple[int, Pattern]]] = {}
    for place, one in enumerate(patterns):
        found.setdefault(min(one.words, key=lambda word: (often[word], word), default=""), []).append((place, one))
    return found
