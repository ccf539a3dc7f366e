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

DEEP = 6
"""So far values are recognised within values."""

KEPT = 1 << 16
"""So many sentences and parts of these are kept with what they are in this language."""

CLAUSES = {"; ": "\N{FULLWIDTH SEMICOLON}", ". ": ""}
"""What parts clauses of a sentence that are recognised one by one -> what stands in its place."""

CLAUSE = re.compile(r"(.+) (\[[^][]+\])")
"""A sentence with the number of its clause behind it."""

SHARE = re.compile(r"([^%]+?) ((?:under |over )?\d[\d.]* %)")
"""An outcome with its chance."""

INSIDE = re.compile(r"([^()]+) \(([^()]+)\)")
"""Something with more of it in brackets: `Akaike (1810)`, `1810 Akaike (2 points)`."""

MARKED = re.compile(r"(\S*\d\S*) (.+)")
"""A unit or place behind its id: `sg-02 Denshutai`, `1810 Akaike`."""

MARK = re.compile(r"\S*\d\S*(?: \S*\d\S*)*(?: %)?|[A-Z]{1,2}|\*")
"""Numbers or ids; they stay."""

UNITS = re.compile(r"(?:each of )?([a-z]+-\d+(?:, [a-z]+-\d+)*) (.+)")
"""What is said of units, or their chances, behind their ids alone."""

WHOSE = re.compile(r"(.+?): (?:each )?(.+)")
"""Units, and why each of them can do nothing, in which the first of these words are left out (rules.kit.form)."""

PARTICLES = ("は", "が", "の", "に", "を")
"""With these begins, in Japanese, what is said behind a unit's name, in English a sentence but for its subject."""

NOBODY = "\0"
"""A subject where none is told."""

FEW = 8
"""Letters of its own with fewer of which a pattern has only values that are known in their turn."""

COMMA = "\N{IDEOGRAPHIC COMMA}"
COLON = "\N{FULLWIDTH COLON}"
STOP = "\N{IDEOGRAPHIC FULL STOP}"


class Pattern(NamedTuple):
    """An English sentence with values: its longest words, by which most are passed over, how it is read, and put.

    Of its values some are `code`, words of orders; whether the number of a clause, or a semicolon, is a part of it.
    """

    longest: str
    letters: int
    read: re.Pattern[str]
    put: str
    code: frozenset[str]
    clause: bool
    several: bool


class Catalogue:
    """What a language has."""

    def __init__(self, said: GNUTranslations, heard: Mapping[str, str]) -> None:
        self._said = said
        self._heard = {english: words for english, words in heard.items() if words and not VALUE.search(english)}
        with_values = ((english, words) for english, words in heard.items() if words and VALUE.search(english))
        self._patterns = sorted((_pattern(*pair) for pair in with_values), key=lambda one: -one.letters)
        self._by_names: dict[int, tuple[Mapping[str, str], dict[tuple[str, int], str | None]]] = {}
        self._kept: dict[tuple[str, int], str | None] = {}

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
        known, self._kept = self._by_names.get(id(names), (names, {}))
        if known is not names or len(self._kept) > KEPT or id(names) not in self._by_names:
            self._kept = {}
            self._by_names = {**dict([*self._by_names.items()][-3:]), id(names): (names, self._kept)}
        return self._shown(words, names, DEEP)

    def _shown(self, words: str, names: Mapping[str, str], deep: int) -> str:
        found = self._told(words, names, deep)
        if found is None and deep:
            found = self._apart(words, names, deep)
        return self._named(words, names) if found is None else found

    def _told(self, words: str, names: Mapping[str, str], deep: int) -> str | None:
        """The sentence, or several, or a list, as far as they are known; None where one of them isn't."""
        if (words, deep) not in self._kept:
            self._kept[words, deep] = self._find(words, names, deep)
        return self._kept[words, deep]

    def _find(self, words: str, names: Mapping[str, str], deep: int) -> str | None:
        """The same, where it wasn't asked before."""
        found = self._recognised(words, names, deep)
        if found is None and words.endswith("."):
            found = self._recognised(words[:-1], names, deep)
            found = None if found is None else found + STOP
        return self._listed(words, names, deep) if found is None and deep else found

    def _recognised(self, words: str, names: Mapping[str, str], deep: int) -> str | None:
        """The sentence, if it is one of those known, or has the words of one round its values."""
        if words in names:
            return names[words]
        for known in (words, words.removeprefix("the ")):  # as a side is called within a sentence
            if known in self._heard:
                return self._heard[known]
        tries = (self._several, self._with_its_name, self._with_tail, self._of_whom, self._by_pattern, self._beside)
        return next((told for each in tries if (told := each(words, names, deep))), None) if deep else None

    def _several(self, words: str, names: Mapping[str, str], deep: int) -> str | None:
        """Sentences between which a semicolon stands, where all are known."""
        parts = words.split("; ")
        if len(parts) > 1 and any(each.several and each.read.fullmatch(words) for each in self._patterns):
            return None
        told = [self._value(part, names, deep - 1) for part in parts] if len(parts) > 1 else [None]
        return None if None in told else CLAUSES["; "].join(map(str, told))

    def _of_whom(self, words: str, names: Mapping[str, str], deep: int) -> str | None:
        """Units and why each can do nothing, or what stands before a colon and behind it, where both are known."""
        if (found := WHOSE.fullmatch(words)) and (said := self._of_nobody(found[2], names, deep)):
            return f"{self._shown(found[1], names, deep - 1)}{said}"
        head, _, rest = words.partition(": ")
        if rest and (first := self._value(head, names, deep - 1)) and (then := self._value(rest, names, deep - 1)):
            return f"{first}{COLON}{then}"
        return None

    def _by_pattern(self, words: str, names: Mapping[str, str], deep: int, *, strict: bool = False) -> str | None:
        """A sentence that has the words of a known one round its values, if there is one with known values.

        Else, if not `strict`, that with the most letters of its own.
        """
        other = None
        for pattern in self._patterns:
            if pattern.longest in words and (found := pattern.read.fullmatch(words)):
                values = {
                    name: value if name in pattern.code else self._value(value, names, deep - 1)
                    for name, value in found.groupdict().items()
                }
                if None not in values.values():
                    return pattern.put % values
                if other is None and not strict and pattern.letters >= FEW:
                    named = {name: self._named(value, names) for name, value in found.groupdict().items()}
                    other = pattern.put % {name: value or named[name] for name, value in values.items()}
        return other

    def _value(self, words: str, names: Mapping[str, str], deep: int) -> str | None:
        """What stands in a sentence; None where it isn't known."""
        return words if words in ("", NOBODY) or MARK.fullmatch(words) else self._told(words, names, deep)

    def _with_its_name(self, words: str, names: Mapping[str, str], deep: int) -> str | None:
        """A name with its id, or what is said of it in words that are known as they are."""
        if not (found := MARKED.fullmatch(words)):
            return None
        if found[2] in names:
            return f"{found[1]} {names[found[2]]}"
        name = next((name for name in _longest_first(tuple(names)) if found[2].startswith(f"{name} ")), "")
        tail = found[2][len(name) + 1 :] if name else ""
        said = self._heard.get(tail) or (self._by_pattern(tail, names, deep - 1, strict=True) if tail else "") or ""
        return f"{found[1]} {names[name]}{said}" if said.startswith(PARTICLES) else None

    def _with_tail(self, words: str, names: Mapping[str, str], deep: int) -> str | None:
        """A sentence that has the number of its clause behind it, or an outcome its chance, or brackets."""
        if (found := CLAUSE.fullmatch(words)) and not any(
            each.clause and each.read.fullmatch(words) for each in self._patterns
        ):
            told = self._told(found[1], names, deep - 1)
            return None if told is None else f"{told} {found[2]}"
        if found := SHARE.fullmatch(words):
            told = self._value(found[1], names, deep - 1)
            return None if told is None else f"{told} {self._shown(found[2], names, deep - 1)}"
        if found := INSIDE.fullmatch(words):
            told = self._value(found[1], names, deep - 1)
            more = self._value(found[2], names, deep - 1)
            return None if told is None or more is None else _in_brackets(told, more)
        return None

    def _beside(self, words: str, names: Mapping[str, str], deep: int) -> str | None:
        """What is said of units that are told by their ids, or of one that isn't named."""
        if (found := UNITS.fullmatch(words)) and (said := self._told(found[2], names, deep - 1)):
            between = "" if said.startswith(PARTICLES) else COLON
            return f"{found[1].replace(', ', COMMA)}{between}{said}"
        return self._of_nobody(words, names, deep).removeprefix(PARTICLES[0]) or None

    def _of_nobody(self, words: str, names: Mapping[str, str], deep: int) -> str:
        """What is said of a unit that isn't named, with the particle behind its name; "" for anything else."""
        if found := CLAUSE.fullmatch(words):
            said = self._of_nobody(found[1], names, deep)
            return said and f"{said} {found[2]}"
        if (said := self._heard.get(words, "")).startswith(PARTICLES):
            return said
        if words.startswith(NOBODY) or " " not in words:
            return ""
        if (said := self._by_pattern(words, names, deep - 1, strict=True) or "").startswith(PARTICLES):
            return said
        told = self._by_pattern(f"{NOBODY} {words}", names, deep - 1, strict=True) or ""
        said = told.removeprefix(NOBODY)
        return said if said != told and NOBODY not in said and said.startswith(PARTICLES) else ""

    def _listed(self, words: str, names: Mapping[str, str], deep: int) -> str | None:
        """Things that are listed, where all of these are known."""
        for signs in (", ", ", | and | or "):
            items = re.split(signs, words)
            if len(items) > 1:
                told = [item if MARK.fullmatch(item) else self._recognised(item, names, deep - 1) for item in items]
                if None not in told:
                    return COMMA.join(one for one in told if one is not None)
        return None

    def _apart(self, words: str, names: Mapping[str, str], deep: int) -> str | None:
        """Clauses one by one, as far as each is known."""
        for sign, put in CLAUSES.items():
            if sign in words:
                stop = sign.rstrip() if sign == ". " else ""
                *before, last = words.split(sign)
                parts = [self._shown(part + stop, names, deep - 1) for part in before]
                return put.join([*parts, self._shown(last, names, deep - 1)])
        return None

    def _named(self, words: str, names: Mapping[str, str]) -> str:
        """Words with the names in them put into this language, the longest first."""
        for name in _longest_first(tuple(names)) if not words.isdigit() else ():
            if name in words:
                words = re.sub(rf"(?<![\w-]){re.escape(name)}(?![\w-])", names[name], words)
        return words


def _in_brackets(told: str, more: str) -> str:
    """Something with its id or number, or with other words, in brackets."""
    return f"{told} ({more})" if MARK.fullmatch(more) else f"{told}（{more}）"


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
    code = frozenset(name for before, name in zip(plain, parts[1::2], strict=False) if before.endswith("`"))
    letters, several = sum(map(len, plain)), any("; " in part for part in plain)
    return Pattern(max(plain, key=len), letters, re.compile(read), words, code, plain[-1].endswith("]"), several)


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
