"""The language in which pbem speaks to who reads: chosen once, sentences said in it, English ones recognised.

Two kinds of sentences reach a reader. What reports and commands tell is said with `say`, or by Jinja's i18n in a
template: a whole sentence, with named values. What is made where nobody reads yet, in rules, in a match and in the data
of scenarios, is English wherever it is kept, hashed or compared; it is `shown` in the reader's language at the end.
docs/translating.md tells the rest. In English nothing is read, imported or looked up for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from typing import TYPE_CHECKING

from pbem import words

if TYPE_CHECKING:
    from pbem.language.catalogue import Catalogue

__all__ = [
    "COMPLETE", "ENGLISH", "LANGUAGES", "also", "catalogue_of", "clauses", "counted", "in_each", "language", "listed",
    "read_in", "said", "say", "sentence", "sentences", "shown", "speak", "spoken",
]  # fmt: skip

ENGLISH = "en"

LANGUAGES = (ENGLISH, "ja")
"""The languages that there are, by their tags (BCP 47)."""


class _Complete(dict[str, frozenset[str]]):
    """Read when a language is asked for the first time."""

    def __missing__(self, tag: str) -> frozenset[str]:
        from pbem.language.catalogue import complete

        self[tag] = complete(tag)
        return self[tag]


COMPLETE = _Complete()
"""A language beside English -> the systems whose reports, mails and briefs it has wholly."""

_NO_NAMES: Mapping[str, str] = {}

_now = ENGLISH
"""The language of this process, of all its threads."""

_meanwhile: ContextVar[str] = ContextVar("_meanwhile", default="")
"""The language of a while, of one thread alone; "" for that of the process."""


def language() -> str:
    """The language in force."""
    return _meanwhile.get() or _now


def speak(tag: str) -> None:
    """Use a language from now on. Raises Storage where its catalogues aren't there."""
    global _now
    if tag != ENGLISH:
        catalogue_of(tag)
    _now = tag


@contextmanager
def spoken(tag: str) -> Iterator[None]:
    """Use a language for a while in this thread. Raises Storage as `speak` does."""
    if tag != ENGLISH:
        catalogue_of(tag)
    before = _meanwhile.set(tag)
    try:
        yield
    finally:
        _meanwhile.reset(before)


def read_in(tag: str, system: str) -> str:
    """In which language who reads that one is told of a game of a system: in English where it isn't whole in his."""
    return tag if tag in LANGUAGES[1:] and system in COMPLETE[tag] else ENGLISH


def catalogue_of(tag: str) -> Catalogue:
    """The catalogues of a language beside English, read once. Raises Storage where they aren't there."""
    from pbem.language.catalogue import read

    return read(tag)


def say(msgid: str, **values: object) -> str:
    """A sentence in the language in force: `say("%(by)s wrote beside entry %(entry)s:", by=..., entry=...)`.

    The first argument is a literal, for it is taken from the source into the catalogue; a per cent sign is `%%`.
    """
    return (msgid if (tag := language()) == ENGLISH else catalogue_of(tag).said(msgid)) % values


def counted(number: str, one: str, many: str) -> str:
    """A spelled number and its noun in English, figures and the noun else; `one` and `many` are literals, as above."""
    return catalogue_of(language()).counted(number, one, many)


def said(words: str) -> str:
    """A word or sentence without values in the language in force, if the catalogue of what is said has it."""
    return words if (tag := language()) == ENGLISH else catalogue_of(tag).said(words)


def shown(words: str, names: Mapping[str, str] = _NO_NAMES) -> str:
    """An English sentence of rules, match or scenario in the language in force; `names` are those of units and places.

    One that isn't recognised stays as it is, but for its names.
    """
    return words if (tag := language()) == ENGLISH or not words else catalogue_of(tag).shown(words, names)


def in_each(words: str) -> Iterator[str]:
    """An English sentence as it is in each language, English first, as far as catalogues are there."""
    from pbem.errors import Storage

    yield words
    for tag in LANGUAGES[1:]:
        with suppress(Storage):
            yield catalogue_of(tag).shown(words, _NO_NAMES)


def listed(items: Iterable[object], word: str = "and") -> str:
    """`A, B and C`, or with another word before the last; in Japanese all are parted alike."""
    tag = language()
    return words.listed(items, word) if tag == ENGLISH else catalogue_of(tag).listed(map(str, items), word)


def also(items: Iterable[str]) -> str:
    """Values or marks one behind the other: `fire 6, melee 5`."""
    return (", " if language() == ENGLISH else "\N{IDEOGRAPHIC COMMA}").join(items)


def sentences(told: Iterable[str]) -> str:
    """Sentences one behind the other; in Japanese no blank parts them."""
    return (" " if language() == ENGLISH else "").join(told)


def clauses(told: Iterable[str]) -> str:
    """Clauses in one sentence, each of which could stand alone."""
    return ("; " if language() == ENGLISH else "\N{FULLWIDTH SEMICOLON}").join(told)


def sentence(words: str) -> str:
    """Words with a capital and a full stop."""
    return f"{words[:1].upper()}{words[1:]}." if language() == ENGLISH else f"{words}\N{IDEOGRAPHIC FULL STOP}"
