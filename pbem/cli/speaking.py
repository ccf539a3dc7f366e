"""Another language than English at the command line: begun where it can be shown, left where a game has none of it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from pbem.errors import Storage
from pbem.language import COMPLETE, ENGLISH, catalogue_of, language, speak

if TYPE_CHECKING:
    from pbem.scenario import Scenario

__all__ = ["begin", "tell_in"]


def begin(tag: str, *, asked: bool) -> None:
    """Speak a language from now on; where that can't be it is said in one line, if it was `asked` for by name."""
    why = _why_not(tag)
    if why and asked:
        _say(f"{why}: all is told in English")
    speak(ENGLISH if why else tag)
    if not why:
        for stream in (sys.stdout, sys.stderr):
            _lenient(stream)


def tell_in(scenario: Scenario) -> None:
    """Go on in English, and say so, where the games of a scenario's system aren't told in the language in force."""
    tag = language()
    if tag != ENGLISH and scenario.system not in COMPLETE[tag]:
        _say(f"{scenario.title} isn't told in the language {tag} yet: it is told in English")
        speak(ENGLISH)


def _why_not(tag: str) -> str:
    """Why a language can't be used here; "" where it can."""
    if not COMPLETE[tag]:
        return f"no game is told in the language {tag} yet"
    try:
        letters = catalogue_of(tag).said("no units")
    except Storage as error:
        return str(error)
    for stream in (sys.stdout, sys.stderr):
        encoding = stream.encoding or "ascii"
        try:
            letters.encode(encoding)
        except (UnicodeEncodeError, LookupError):
            return f"the letters of the language {tag} can't be shown here in {encoding}"
    return ""


def _lenient(stream: object) -> None:
    """Let a rare letter that an encoding lacks become a question mark."""
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(errors="replace")


def _say(words: str) -> None:
    import click

    click.echo(f"pbem: {words}", err=True)
