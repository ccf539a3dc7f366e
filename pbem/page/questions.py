"""The questions about a game: what each reads of what the page asks, and what answers it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pbem.page import deeds
from pbem.page.asked import HEAD, Bad, Question
from pbem.page.games import Game
from pbem.page.run import Commands

__all__ = ["ANSWERS", "DEEDS", "UNLOCKED"]

Json = dict[str, Any]

NOTE_MAX = 1 << 16
"""Bytes of a note, as `pbem send --note` reads them."""

MARK = 16
"""Letters of the mark of a draft."""

WORD = 20
"""Letters of a word of this page's own."""


def _view(game: Game, _question: Question) -> Json:
    found = game.shown().view
    text, mark = game.draft()
    return {**found, "draft": text, "mark": mark}


def _draft(game: Game, question: Question) -> Json:
    game.at_head(question.text("head", HEAD))
    path, mark = game.write_draft(question.text("text"), question.text_or("mark", None, MARK))
    return {"path": str(path), "mark": mark}


def _send(game: Game, question: Question, commands: Commands) -> Json:
    head, text = question.text("head", HEAD), question.text("text")
    place = game.at_head(head)
    if text.strip() and place.table.due().what in ("orders", "react") and place.table.due().player == place.me:
        game.write_draft(text, question.text_or("mark", None, MARK))
    return deeds.send(game, commands, head, text, _note(question), yes=question.yes("yes"))


def _answer(game: Game, question: Question, commands: Commands) -> Json:
    return deeds.answer(game, commands, question.text("head", HEAD), question.text("do", WORD), _note(question))


def _propose(game: Game, question: Question, commands: Commands) -> Json:
    head, kind = question.text("head", HEAD), question.text("do", WORD)
    entry, yes = question.number("entry"), question.yes("yes")
    return deeds.propose(game, commands, head, kind, entry, _note(question), yes=yes)


def _withdraw(game: Game, question: Question, commands: Commands) -> Json:
    return deeds.withdraw(game, commands, question.text("head", HEAD), question.text("do", WORD))


def _again(game: Game, question: Question, commands: Commands) -> Json:
    return deeds.again(game, commands, question.text("head", HEAD))


def _check(game: Game, question: Question, commands: Commands) -> Json:
    found = deeds.slow_check(game, commands, question.text("head", HEAD), question.text("text"))
    return {"older": True} if found is None else found


def _not_yet(_game: Game, _question: Question) -> Json:
    raise Bad("This isn't there yet.", code=501)


def _note(question: Question) -> str:
    note = question.text_or("note", "", NOTE_MAX) or ""
    return note if note.strip() else ""


ANSWERS: Mapping[str, Callable[[Game, Question], Json]] = {
    "view": _view,
    "draft": _draft,
    **dict.fromkeys(("orders", "choices", "odds", "edit", "shapes", "name"), _not_yet),
}
"""What is asked about a game -> what answers it; it is asked under the game's lock."""

DEEDS: Mapping[str, Callable[[Game, Question, Commands], Json]] = {
    "send": _send,
    "answer": _answer,
    "propose": _propose,
    "withdraw": _withdraw,
    "again": _again,
    "check": _check,
}
"""What is to be done by a command -> what does it; under the lock, too, but for UNLOCKED."""

UNLOCKED = frozenset({"check"})
"""What takes the game's lock itself."""
