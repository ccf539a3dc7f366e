"""Pages with scripts in the language in force: beside the scripts lie, as data, the translations of what they say."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pbem.language import ENGLISH, language, said
from pbem.report.layout import as_it_stands, picture_mark, render

__all__ = ["marked", "page", "translations"]

MARK = re.compile(r'\b_\(("(?:[^"\\]|\\.)*")')
"""How a script marks a sentence: a literal in quotation marks."""


def marked(script: str) -> list[str]:
    """The sentences that a script marks."""
    return [json.loads(literal) for literal in MARK.findall(script)]


def translations(scripts: Sequence[str]) -> str:
    """Sentence -> its translation as JSON that may stand in a page, of all that scripts of these names mark.

    "" in English.
    """
    if language() == ENGLISH:
        return ""
    told = {sentence: said(sentence) for name in scripts for sentence in marked(as_it_stands(name))}
    return json.dumps(told, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


def page(
    name: str,
    given: Mapping[str, Any],
    scripts: Sequence[str],
    compiled: Path | None = None,
    system: str = "",
    pictures: Sequence[str] = (),
) -> str:
    """A page laid out as by `render`, told also its language, `lang`, and what its scripts say, `words`, or ""."""
    words = translations(scripts)
    told = {"lang": language(), "words": picture_mark(len(pictures)) if words else ""}
    return render(system, name, {**given, **told}, compiled, [*pictures, words])
