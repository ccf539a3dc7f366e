"""How an English sentence is read: of all readings that leave no word unknown the one with the most letters of its own.

What parts clauses and things that are listed is read part by part; what is in brackets or in an order is in one part.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from pbem.language.patterns import KINDS, Pattern, Patterns
from pbem.records import NamedTuple
from pbem.words import OWN

__all__ = ["COMMA", "OR", "PARTICLES", "Names", "Reading"]

DEEP = 10
"""So far values are recognised within values."""

READINGS = 600
"""So many words are looked at for one sentence, at most."""

SPLITS = 12
"""So many places are tried at which a sentence may be parted."""

REASONS = 3
"""Where so many semicolons stand there are several sentences, one behind the other."""

OR = " or "

ITEMS = (", or ", ", ", " and ", " or ")
"""What parts things that are listed."""

PARTED = (*ITEMS, "; ", ": ", ". ")

SHORTENED = re.compile(r"(?:\.|\b[A-Z])[A-Za-z]?$")
"""The end of a word behind which a stop ends no sentence: `Mt`, `M.H`."""

FENCE = re.compile(r"-----[A-Z ]+-----")
"""A mark in a mail, which stays."""

QUOTED = re.compile(r"(`[^`]*`)")
UNKNOWN = re.compile(r"(?<![\w'-])[a-z][a-z']+(?![\w-])")
IN_BRACKETS = re.compile(r"(.+) \((.+)\)", re.DOTALL)
WITH_CLAUSE = re.compile(r"(.+)( \[[^][]*\d[^][]*\])", re.DOTALL)
WITH_NUMBER = re.compile(rf"(.+?) ({KINDS['share']}|[+-]?\d[\d/]*)", re.DOTALL)
OF_ID = re.compile(r"([a-z][\w-]*) (.+)", re.DOTALL)
TYPED = re.compile(r"[\w-]+(?:,? [\w-]+)*")
OF_EACH = re.compile(r"each of ([a-z][\w-]*(?:, [a-z][\w-]*)*) (.+)", re.DOTALL)

NOBODY = "\0"
"""A subject where none is told: in English a sentence is known without it, too."""

PARTICLES = ("は", "が", "の", "に", "を")
"""With these begins, in Japanese, what is said behind a unit's name."""

NO_ID = frozenset(
    {"a", "an", "and", "are", "aren't", "as", "at", "back", "by", "can", "can't", "could", "each", "for", "from", "has"}
    | {
        "have",
        "he",
        "him",
        "his",
        "in",
        "is",
        "isn't",
        "it",
        "its",
        "never",
        "no",
        "of",
        "on",
        "or",
        "out",
        "own",
        "she",
    }
    | {"than", "that", "the", "their", "them", "then", "they", "this", "to", "until", "was", "were", "when", "where"}
    | {"which", "who", "with", "would"}
)
"""Words that are no id of a unit, before whatever they stand, nor anything else alone."""

COMMA = "\N{IDEOGRAPHIC COMMA}"
STOP = "\N{IDEOGRAPHIC FULL STOP}"
COLON = "\N{FULLWIDTH COLON}"
OPENED, CLOSED = "\N{FULLWIDTH LEFT PARENTHESIS}", "\N{FULLWIDTH RIGHT PARENTHESIS}"

SIGNS = {"; ": "\N{FULLWIDTH SEMICOLON}", ": ": COLON}
"""What parts clauses that are recognised one by one -> what stands in its place."""


class Told(NamedTuple):
    """Words as they are shown, and how many of them aren't known."""

    words: str
    unknown: int


class Names:
    """Names of units and places: those in which words stand that part a list, and all of them, the longest first."""

    def __init__(self, names: Mapping[str, str]) -> None:
        self._given, self._many = names, len(names)
        self.put = dict(names)
        self.lists = [name for name in names if any(sign in name for sign in PARTED)]
        self.longest_first = sorted(names, key=lambda name: -len(name))

    def are(self, names: Mapping[str, str]) -> bool:
        """Whether these are the names, as they were."""
        return names is self._given and len(names) == self._many


class Reading:
    """How one sentence is read, with names of units and places."""

    def __init__(self, heard: Mapping[str, str], patterns: Patterns, names: Names) -> None:
        self._heard = heard
        self._patterns = patterns
        self._names = names
        self._known: dict[str, Told] = {}

    def shown(self, words: str) -> str:
        """Words in the language, as far as they are known."""
        return self.told(words, DEEP).words

    def told(self, words: str, deep: int) -> Told:
        """Words as they are shown, by the best of all readings."""
        if words not in self._known:
            self._known[words] = self._as_they_are(words)  # where they are met again within themselves
            self._known[words] = self._best(words, deep)
        return self._known[words]

    def _best(self, words: str, deep: int) -> Told:
        best = self._known[words]
        whole = self._whole(words)
        if whole is not None:
            return Told(whole, 0)
        if not deep or len(self._known) > READINGS:
            return best
        for found in self._readings(words, deep - 1):
            if not found.unknown:
                return found
            if found.unknown < best.unknown:
                best = found
        return best

    def _readings(self, words: str, deep: int) -> Iterator[Told]:
        """The readings one by one: what is parted by a sign is read part by part unless a pattern has the sign."""
        patterns = [*self._patterns.of(words)]
        if words.count("; ") >= REASONS and not any(one.has("; ") for one in patterns if not one.weak):
            yield from self._in_clauses(words, "; ", deep)
        yield from self._before_its_end(patterns, words, deep)
        signs = [sign for sign in SIGNS if sign in words]
        yield from self._by_patterns([one for one in patterns if any(map(one.has, signs))], words, deep)
        for sign in signs:
            yield from self._in_clauses(words, sign, deep)
        yield from self._by_patterns([one for one in patterns if not one.brief], words, deep)
        yield from self._by_patterns([one for one in patterns if one.brief], words, deep, lists=False)
        yield from self._in_items(words, deep)
        yield from self._in_sentences(words, deep)
        yield from self._with_sign(words, deep)
        yield from self._by_patterns([one for one in patterns if one.brief], words, deep)
        if nobody := self._of_nobody(words, deep):
            yield Told(nobody.removeprefix(PARTICLES[0]), 0)
        yield from self._of_units(words, deep)
        for sign in signs:
            yield from self._in_clauses(words, sign, deep, anyhow=True)

    def _whole(self, words: str) -> str | None:
        """Words that are known as they are; a side also as it is called within a sentence."""
        if words in OWN:
            return words
        for known in (words, words.removeprefix("the ")):
            if known in self._names.put:
                return self._names.put[known]
            if known in self._heard:
                return self._heard[known]
        if FENCE.fullmatch(words):
            return words
        of = OF_ID.fullmatch(words)
        return f"{of[1]} {self._names.put[of[2]]}" if of is not None and of[2] in self._names.put else None

    def _by_patterns(self, patterns: Iterable[Pattern], words: str, deep: int, *, lists: bool = True) -> Iterator[Told]:
        """By sentences with values, in which no bracket is open; without `lists` none is a list."""
        for pattern in patterns:
            for read in pattern.readers:
                if (found := read.fullmatch(words)) is None:
                    break
                values = found.groupdict()
                if all(_is_whole(value) and (lists or ", " not in value) for value in values.values()) and all(
                    TYPED.fullmatch(values[name]) for name in pattern.typed
                ):
                    told = {name: self._value(pattern, name, value, deep) for name, value in values.items()}
                    put = pattern.put % {name: value.words for name, value in told.items()}
                    unknown = sum(value.unknown for value in told.values())
                    if not unknown or not pattern.weak:
                        yield Told(put, unknown)

    def _value(self, pattern: Pattern, name: str, value: str, deep: int) -> Told:
        return Told(value, 0) if pattern.is_order(name) else self.told(value, deep)

    def _before_its_end(self, patterns: Iterable[Pattern], words: str, deep: int) -> Iterator[Told]:
        """Without a stop at the end, or a clause."""
        if words.endswith(".") and not SHORTENED.search(words[:-1]):
            found = self.told(words[:-1], deep)
            if found.words != words[:-1]:
                yield Told(found.words + STOP, found.unknown)
        if (clause := WITH_CLAUSE.fullmatch(words)) is not None:
            yield from self._by_patterns([one for one in patterns if one.has("[")], words, deep)
            told = self.told(clause[1], deep)
            yield Told(told.words + clause[2], told.unknown)

    def _with_sign(self, words: str, deep: int) -> Iterator[Told]:
        """Words with a number or brackets behind them."""
        if (found := WITH_NUMBER.fullmatch(words)) is not None:
            told, number = self.told(found[1], deep), self.told(found[2], deep)
            if told.words != found[1] or not found[1][0].islower():
                yield Told(f"{told.words} {number.words}", told.unknown)
        if (found := IN_BRACKETS.fullmatch(words)) is not None:
            told, more = self.told(found[1], deep), self.told(found[2], deep)
            inside = f" ({more.words})" if more.words.isascii() else f"{OPENED}{more.words}{CLOSED}"
            yield Told(told.words + inside, told.unknown + more.unknown)

    def _in_clauses(self, words: str, sign: str, deep: int, *, anyhow: bool = False) -> Iterator[Told]:
        """Clauses one by one, where the first is known, or `anyhow`."""
        for before, behind in _splits(words, sign, self._names.lists):
            first = self.told(before, deep)
            if sign == ": " and not first.unknown and (nobody := self._of_nobody(behind, deep)):
                yield Told(first.words + (nobody if nobody[0] != PARTICLES[0] else COLON + nobody[1:]), 0)
            if anyhow or not first.unknown:
                rest = self.told(behind, deep + 1)
                guessed = rest.words == behind and behind[:1].islower() and " " not in behind
                told = Told(first.words + SIGNS[sign] + rest.words, first.unknown + rest.unknown + guessed)
                if not told.unknown or not first.words.isascii() or not rest.words.isascii():
                    yield told

    def _of_units(self, words: str, deep: int) -> Iterator[Told]:
        """What is said of units, or their chances, behind their ids alone."""
        of = OF_EACH.fullmatch(words) or OF_ID.fullmatch(words)
        if of is not None and of[1] not in NO_ID:
            who, told = of[1].replace(", ", COMMA), self.told(of[2], deep)
            if not told.unknown and told.words != of[2] and of[2][0] != "`" and not told.words[0].isdigit():
                yield Told(f"{who}{COLON}{told.words}", 0)

    def _of_nobody(self, words: str, deep: int) -> str:
        """What is said of a unit, or each of several, that isn't named there, with its particle; "" for all else."""
        words = words.removeprefix("each ")
        if not deep or " " not in words or any(sign in words for sign in (NOBODY, "; ", " %")):
            return ""
        subject, signs = f"{NOBODY} {words}", [sign for sign in SIGNS if sign in words]
        patterns = [one for one in self._patterns.of(subject) if all(map(one.has, signs))]
        for told in self._by_patterns(patterns, subject, deep - 1):
            said = told.words.removeprefix(NOBODY)
            if not told.unknown and NOBODY not in said and said.startswith(PARTICLES):
                return said
        return ""

    def _in_sentences(self, words: str, deep: int) -> Iterator[Told]:
        """Sentences one by one."""
        for before, behind in _splits(words, ". ", self._names.lists):
            if SHORTENED.search(before):
                continue
            first, rest = self.told(before, deep), self.told(behind, deep + 1)
            if first.words != before:
                yield Told(first.words + STOP + rest.words, first.unknown + rest.unknown)

    def _in_items(self, words: str, deep: int) -> Iterator[Told]:
        """Things that are listed, where all of these are known."""
        alternative = self._heard.get(OR, OR)
        for sign, put in zip(ITEMS, (alternative, COMMA, COMMA, alternative), strict=True):
            for before, behind in _splits(words, sign, self._names.lists):
                if not (first := self.told(before, deep)).unknown and not (rest := self.told(behind, deep + 1)).unknown:
                    yield Told(first.words + put + rest.words, 0)

    def _as_they_are(self, words: str) -> Told:
        """Words with the names in them put into this language, the longest first; a single one may be an id."""
        parts = QUOTED.split(words)  # words, order, words, ...
        for name in self._names.longest_first if not words.isdigit() else ():
            if name in words:
                found = re.compile(rf"(?<![\w-]){re.escape(name)}(?![\w-])")
                parts[::2] = [found.sub(self._names.put[name], part) for part in parts[::2]]
        told = "".join(parts)
        return Told(told, _unknown(told) if " " in words else int(words in NO_ID))


def _unknown(words: str) -> int:
    """How many English words stand there, but for an id before the name that goes with it, and for orders."""
    of = OF_ID.fullmatch(words)
    if of is not None and of[1] not in NO_ID and (of[2][0].isupper() or (of[2][0].isalnum() and not of[1].isalpha())):
        words = of[2]
    return len(UNKNOWN.findall(QUOTED.sub("", words)))


def _is_whole(value: str) -> bool:
    """Whether no bracket is open in a value, nor is it cut from an order or before a sign."""
    if value.count("`") % 2 or value[-1:] in (";", ":") or (value[-1:] == "," and value[-2:] != "`,"):
        return False
    opened = value.count("(")
    return opened == value.count(")") and (not opened or value.index("(") < value.index(")"))


def _splits(words: str, sign: str, whole: Iterable[str] = ()) -> Iterator[tuple[str, str]]:
    """What stands before and behind each of the first signs that are in no brackets, no order, and not in these."""
    for name in whole:
        words = words.replace(name, name.replace(sign, "\0" * len(sign)))
    for before, behind in _apart(words, sign):
        yield before.replace("\0" * len(sign), sign), behind.replace("\0" * len(sign), sign)


def _apart(words: str, sign: str) -> Iterator[tuple[str, str]]:
    at, from_, inside, quoted = words.find(sign), 0, 0, 0
    for _ in range(SPLITS):
        if at < 0:
            return
        inside += words.count("(", from_, at) - words.count(")", from_, at)
        quoted += words.count("`", from_, at)
        if inside <= 0 and quoted % 2 == 0:
            yield words[:at], words[at + len(sign) :]
        from_ = at
        at = words.find(sign, at + len(sign))
