"""What a player is asked at a terminal, on standard error, click's own words too in the language in force."""

from __future__ import annotations

from typing import Any

import click

from pbem.language import ENGLISH, language, shown

__all__ = ["confirm", "prompt"]


def prompt(question: str, **how: Any) -> str:
    """What is typed as an answer to a question. Raises click.Abort where nobody types any more."""
    _speak()
    answer: str = click.prompt(question, err=True, **how)
    return answer


def confirm(question: str) -> bool:
    """Whether the answer is yes. Raises click.Abort where nobody types any more."""
    _speak()
    return click.confirm(f"pbem: {question}", err=True)


def _speak() -> None:
    """Let what click itself says of an answer be recognised, as of two that differ."""
    if language() != ENGLISH:
        vars(click.termui)["_"] = shown
