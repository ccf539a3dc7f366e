"""The catalogues of a language: what is said in it, and the English sentences that are recognised and put into it.

Both are gettext's, compiled from locale/TAG/LC_MESSAGES/*.po when pbem is built. `pbem` has what templates and `say`
tell, `heard` what rules, match and scenarios say in English: a sentence there may have values, as `%(unit)s is marked`;
what stands in their place is recognised in its turn.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property, lru_cache
from gettext import GNUTranslations
from pathlib import Path

from pbem.errors import Storage
from pbem.language.patterns import VALUE, Patterns
from pbem.language.reading import COMMA, OR, PARTICLES, Names, Reading
from pbem.resources import data_folder
from pbem.words import OWN

__all__ = ["HEARD", "SAID", "Catalogue", "complete", "read"]

SAID, HEARD = "pbem", "heard"
"""The domains: files of a language without their suffix."""

BRIEF = 10
"""With fewer letters beside its values what is said of nobody isn't recognised behind a name."""

KEPT = 2000
"""So many sentences are kept that were shown with the same names."""


class Catalogue:
    """What a language has."""

    def __init__(self, said: GNUTranslations, heard: Mapping[str, str]) -> None:
        self._said = said
        self._all = heard
        self._heard = {english: words for english, words in heard.items() if words and not VALUE.search(english)}
        self._shown: tuple[Names, dict[str, str]] = (Names({}), {})
        self._own = 0

    @cached_property
    def patterns(self) -> Patterns:
        """The sentences with values."""
        told = {english: words for english, words in self._all.items() if words and VALUE.search(english)}
        return Patterns(_with_subjects(self._all) | told)

    def said(self, msgid: str) -> str:
        """A sentence that reports and commands say, its values still in it; the English one where it isn't there."""
        return self._said.gettext(msgid)

    def counted(self, number: str, one: str, many: str) -> str:
        """A number and its noun."""
        return f"{number}{self._said.ngettext(one, many, 1)}"

    def listed(self, items: Iterable[str], word: str) -> str:
        """Several things."""
        return (COMMA if word != "or" else self._heard.get(OR, OR)).join(items)

    def shown(self, words: str, names: Mapping[str, str]) -> str:
        """An English sentence in this language; one that isn't recognised as it is, but for its names."""
        of, known = self._shown  # another thread may have other names
        if not of.are(names) or len(known) > KEPT or self._own != len(OWN):
            self._own = len(OWN)
            of, known = self._shown = Names(names), {}
        if words not in known:
            known[words] = Reading(self._heard, self.patterns, of).shown(words)
        return known[words]


@lru_cache
def read(tag: str) -> Catalogue:
    """The catalogues of a language. Raises Storage where they aren't there or can't be read."""
    folder = data_folder("locale") / tag / "LC_MESSAGES"
    return Catalogue(_read(folder / f"{SAID}.mo"), entries(_read(folder / f"{HEARD}.mo")))


def complete(tag: str) -> frozenset[str]:
    """The systems that a language has wholly: locale/TAG/complete.txt, one on each line; none without such a file."""
    file = data_folder("locale") / tag / "complete.txt"
    return frozenset(file.read_text("ascii").split()) if file.is_file() else frozenset()


def entries(found: GNUTranslations) -> dict[str, str]:
    """All sentences of a catalogue -> what they are in its language; not the head, nor those with plural forms."""
    held: dict[object, str] = vars(found)["_catalog"]
    return {key: words for key, words in held.items() if isinstance(key, str) and key}


def _with_subjects(heard: Mapping[str, str]) -> dict[str, str]:
    """What is said of somebody without him, as `is disordered`, with him; a value in it is no reason against it."""
    said = [
        (english, words) for english, words in heard.items() if words.startswith(PARTICLES) and english[0].islower()
    ]
    brief = {english for english, _ in said if VALUE.search(english) and len(VALUE.sub("", english)) < BRIEF}
    return {f"%(who)s {english}": f"%(who)s{words}" for english, words in said if english not in brief}


def _read(path: Path) -> GNUTranslations:
    try:
        with path.open("rb") as file:
            return GNUTranslations(file)
    except (OSError, ValueError, UnicodeDecodeError) as error:
        hint = "install pbem again, or in a checkout call tools/catalogues.py"
        raise Storage(f"a catalogue can't be read: {error}", str(path), hint) from error
